//! Searches with a store of bounded size (state caching): when it is full, states that the search can do without are replaced. They may be
//! visited again, which costs time; that the verdict is right, and that the search ends, does not depend on them.
//!
//! `table` holds the states, `walk` goes through them depth-first, `faults` and `components` look for
//! what each is about and say which states may go.
//!
//! The search ends: the depth-first stack has no state twice, so there are only so many that it can be.

mod components;
mod faults;
mod table;
#[cfg(test)]
mod tests;
mod walk;

use crate::cycles::{Halted, validate};
use crate::explore::reset_counters;
use crate::halt::{Bounds, Halt};
use crate::{Control, CycleOutcome, Fairness, Options, Outcome, Stats, Stop, machine};
use auspex_system::{Explorer, System};
use components::Components;
use faults::Faults;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use table::Table;
use walk::Walk;

/// How the store of bounded size was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// States that it had at the end.
    pub states: u64,
    /// States that had to make room for others.
    pub replaced: u64,
    /// In a search for cycles: strongly connected components that were complete. What was replaced and visited again
    /// may have been counted again.
    pub components: u64,
}

/// What [`explore`](crate::explore) does, with at most `bytes` bytes for states: one worker, depth-first. The trace of a
/// fault is the stack.
///
/// Of the options, only `limits` and `all` have a meaning here. The states that are counted, and limited, are those that were
/// entered into the store: one that was replaced and visited again counts again. If the states on the stack alone fill the store, the
/// search stops for want of memory.
pub fn explore_cached<S: System>(
    system: &S,
    options: &Options,
    bytes: u64,
    control: &Control,
) -> Outcome {
    let mut search = Faults { all: options.all, found: Vec::new() };
    let ended = watched(system, options, bytes, control, |walk| search.search(walk));
    let stopped = if search.is_enough() { None } else { ended.stopped };
    let Ended { stats, covered, cache, .. } = ended;
    Outcome { faults: search.found, stopped, stats, covered, loss: None, cache: Some(cache) }
}

/// What [`cycles`](crate::cycles) does without fairness, with at most `bytes` bytes for states: one worker, by components. The lasso is
/// what the search has gone through.
///
/// See [`explore_cached`] for the options and counts; here, states whose component is not complete cannot be replaced, either.
///
/// # Panics
/// When the lasso that was found turns out not to be one: an error in this crate or the system.
pub fn cycles_cached<S: System>(
    system: &S,
    options: &Options,
    bytes: u64,
    control: &Control,
) -> CycleOutcome {
    let mut search = Components::default();
    let ended = watched(system, options, bytes, control, |walk| search.search(walk));
    let lasso = ended.answer.unwrap_or_default();
    if let Some(lasso) = &lasso
        && let Err(wrong) = validate(system, lasso, Fairness::None)
    {
        panic!("internal: the lasso that was found is none: {wrong}");
    }
    let stopped = if lasso.is_some() { None } else { ended.stopped };
    let Ended { stats, covered, cache, .. } = ended;
    let cache = Some(CacheUse { components: search.complete, ..cache });
    CycleOutcome { lasso, stopped, stats, covered, cache }
}

struct Ended<T> {
    answer: Result<T, Halted>,
    /// Why something may have been left out.
    stopped: Option<Stop>,
    stats: Stats,
    covered: Vec<bool>,
    cache: CacheUse,
}

/// Walks while the limits are watched.
fn watched<'s, S: System, T>(
    system: &'s S,
    options: &Options,
    bytes: u64,
    control: &Control,
    search: impl FnOnce(&mut Walk<'_, S::Explorer<'s>>) -> Result<T, Halted>,
) -> Ended<T> {
    let start = Instant::now();
    let bounds = Bounds::new(&options.limits, start);
    reset_counters(control);
    let halt = Halt::default();
    let table = Table::new(bytes);
    let mut walk = Walk::new(system.explorer(), table, options.limits, &halt, control);
    let answer = bounds.watch(control, &halt, || search(&mut walk));
    walk.finish();
    let stopped = match answer {
        Ok(_) => walk.cut.then_some(Stop::Depth),
        Err(Halted::Memory) => Some(Stop::Memory),
        Err(Halted::Asked) => halt.reason().or(Some(Stop::Interrupted)),
    };
    control.memory.store(machine::usage().resident, Relaxed);
    let stats = Stats {
        states: walk.states(),
        transitions: control.transitions.load(Relaxed),
        depth: control.depth.load(Relaxed),
        elapsed: start.elapsed(),
        memory: machine::peak(),
    };
    let (states, replaced) = (walk.table.states(), walk.table.replaced());
    let cache = CacheUse { states, replaced, components: 0 };
    let covered = walk.explorer.covered().to_vec();
    Ended { answer, stopped, stats, covered, cache }
}
