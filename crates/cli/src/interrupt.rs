//! Ctrl-C: the first one stops the search in order, the second one ends the command at once.

use crate::exit::INTERRUPTED;
use crate::output;
use auspex_search::Control;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub fn install(control: &Arc<Control>) {
    let control = Arc::clone(control);
    let handler = move || {
        if control.interrupt.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        output::note("stopping; interrupt again to quit at once");
    };
    if let Err(failure) = ctrlc::set_handler(handler) {
        output::warning(&format!("Ctrl-C will end the command without a report: {failure}"));
    }
}
