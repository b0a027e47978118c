//! How the command ends: the one place that knows exit codes.

use crate::output;
use auspex_report::{PropertyResult, Verdict};
use auspex_system::{Diagnostic, SourceMap};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was asked for holds, or was done.
    Good = 0,
    Violated = 1,
    /// The input or the call is wrong.
    Wrong = 2,
    /// Nothing was found, but the search was not complete.
    Unknown = 3,
    /// Auspex itself is wrong.
    Internal = 4,
}

/// A second Ctrl-C: what shells report for a process that SIGINT ended.
pub const INTERRUPTED: i32 = 130;

/// Why a verb could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// A sentence for the user.
    Wrong(String),
    /// Messages about the source text.
    Source(Vec<Diagnostic>, SourceMap),
    /// A failed check of Auspex against itself.
    Internal(String),
}

impl Failure {
    pub fn wrong(message: impl Into<String>) -> Self {
        Failure::Wrong(message.into())
    }
}

/// A violation outweighs what is not known, and that outweighs what holds.
pub fn of_results(results: &[PropertyResult]) -> Exit {
    let any = |verdict| results.iter().any(|result| result.verdict == verdict);
    match (any(Verdict::Violated), any(Verdict::Unknown)) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Good,
    }
}

/// Runs the command; whatever goes wrong becomes a message on standard error and a code.
pub fn guard(run: impl FnOnce() -> Result<Exit, Failure>) -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" ({at})")).unwrap_or_default();
        output::error(&format!("internal error: {}{place}", message(info.payload())));
    }));
    ExitCode::from(outcome(run) as u8)
}

fn outcome(run: impl FnOnce() -> Result<Exit, Failure>) -> Exit {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => report(&failure),
        // The hook has told what happened.
        Err(_) => our_fault(),
    }
}

fn report(failure: &Failure) -> Exit {
    match failure {
        Failure::Wrong(message) => output::error(message),
        Failure::Source(diagnostics, sources) => output::diagnostics(diagnostics, sources),
        Failure::Internal(message) => {
            output::error(&format!("internal error: {message}"));
            return our_fault();
        }
    }
    Exit::Wrong
}

fn our_fault() -> Exit {
    output::note(
        "the fault is in Auspex, not in your input; there is no verdict. Please report it.",
    );
    Exit::Internal
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("unknown").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_faults_are_exit_4() {
        assert_eq!(outcome(|| panic!("a worker fell over")) as u8, 4);
        assert_eq!(outcome(|| Err(Failure::Internal("it does not replay".into()))) as u8, 4);
        assert_eq!(outcome(|| Err(Failure::wrong("no such file"))) as u8, 2);
        assert_eq!(outcome(|| Ok(Exit::Unknown)) as u8, 3);
    }
}
