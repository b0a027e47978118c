//! A line on the terminal that says how far the search is. The search only bumps counters.

use auspex_search::Control;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(200);

/// Runs `work`, with a progress line beside it where standard error is a terminal.
pub fn during<T: Send>(control: &Control, quiet: bool, work: impl FnOnce() -> T + Send) -> T {
    if quiet || !stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let line = scope.spawn(|| show(control, &done));
        // Also when `work` panics, or the scope would wait for ever.
        let _finish = Finish { done: &done, line: line.thread().clone() };
        work()
    })
}

struct Finish<'a> {
    done: &'a AtomicBool,
    line: thread::Thread,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.line.unpark();
    }
}

fn show(control: &Control, done: &AtomicBool) {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::default_spinner());
    let begin = Instant::now();
    thread::park_timeout(INTERVAL);
    while !done.load(Ordering::Relaxed) {
        bar.set_message(message(control, begin.elapsed()));
        bar.tick();
        thread::park_timeout(INTERVAL);
    }
    bar.finish_and_clear();
}

fn message(control: &Control, elapsed: Duration) -> String {
    let states = control.states.load(Ordering::Relaxed);
    format!(
        "{} states, {}/s, depth {}, {} to do, {}, {} s",
        HumanCount(states),
        HumanCount((states as f64 / elapsed.as_secs_f64()) as u64),
        HumanCount(control.depth.load(Ordering::Relaxed)),
        HumanCount(control.frontier.load(Ordering::Relaxed)),
        HumanBytes(control.memory.load(Ordering::Relaxed)),
        elapsed.as_secs(),
    )
}
