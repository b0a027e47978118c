//! Looks for a run that goes on forever and meets accepting states again and again: what violates
//! a temporal property.
//!
//! The algorithms (`nested`, `components`, `cndfs`) see a graph of numbers (`graph`), which is the system on
//! the exact store (`stored`). They answer with a state on such a cycle and what they have visited;
//! `route` finds a short lasso there, and `validate` runs it once more.

mod cndfs;
mod components;
mod graph;
mod nested;
mod route;
mod stored;
#[cfg(test)]
mod tests;
mod validate;

use crate::explore::{OnDrop, reset_counters, union};
use crate::halt::{Bounds, Halt, Monitor, Signal};
use crate::{Control, Options, Stats, Stop, Trace, machine};
use auspex_store::Exact;
use auspex_system::{Step, System};
use graph::{Halted, Witness};
use route::route;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder};
use std::time::Instant;
use stored::{Shared, Stored};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Nested depth-first search: one byte a state.
    Nested,
    /// Strongly connected components, depth-first: four bytes a state, every state is expanded
    /// once, and the only one that knows fairness.
    Components,
    /// Nested depth-first search by all workers: two bytes a state, one of them for each worker.
    /// With a limit on depth it is [`Algorithm::Nested`]: a state that was cut off for one worker
    /// may be what another one waits for.
    Cndfs,
}

/// Which runs count. Processes are the bits of [`auspex_system::Explorer::movers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    None,
    /// A process that is enabled in all states from some point on moves infinitely often.
    Weak,
    /// A process that is enabled infinitely often moves infinitely often.
    Strong,
}

/// A run that goes on forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// To the first state of the cycle.
    pub prefix: Trace,
    /// From there and back; not empty.
    pub cycle: Vec<Step>,
}

#[derive(Debug)]
pub struct CycleOutcome {
    pub lasso: Option<Lasso>,
    /// Why the search did not cover everything; `None` when it did, or found a lasso.
    pub stopped: Option<Stop>,
    pub stats: Stats,
    /// See [`crate::Outcome::covered`].
    pub covered: Vec<bool>,
}

/// Looks for a run that meets accepting states infinitely often and is fair as asked, within the
/// limits. Steps into faults are left out.
///
/// Of the options, `order`, `store` and `all` have no meaning here: states are always stored
/// exactly. With fairness the algorithm is [`Algorithm::Components`] whatever is given, for no
/// other one can do it.
///
/// # Panics
/// When the lasso that was found turns out not to be one: an error in this crate or the system.
pub fn cycles<S: System>(
    system: &S,
    options: &Options,
    algorithm: Algorithm,
    fairness: Fairness,
    control: &Control,
) -> CycleOutcome {
    let start = Instant::now();
    let bounds = Bounds::new(&options.limits, start);
    let room = bounds.store(options.limits.states, options.workers + 1);
    let store = match system.has_loose_parts() {
        true => Exact::with_loose_parts(room),
        false => Exact::new(room),
    };
    reset_counters(control);
    let halt = Halt::default();
    let shared = Shared {
        store: &store,
        halt: &halt,
        control,
        depth_limit: options.limits.depth,
        cut: AtomicBool::new(false),
        with_movers: fairness != Fairness::None,
    };
    let search = Search { system, workers: options.workers, algorithm, fairness, shared: &shared };
    let (found, covered) = search.watched(bounds);
    // What was visited stays as it is; limits on it no longer matter.
    let states = store.len();
    let lasso = found.and_then(|found| found.map(|witness| search.lasso(&witness)).transpose());
    if lasso == Err(Halted::Memory) {
        halt.stop(Stop::Memory);
    }
    let stopped = match &lasso {
        Ok(Some(_)) => None,
        Ok(None) => shared.cut.load(Relaxed).then_some(Stop::Depth),
        Err(_) => halt.reason().or(Some(Stop::Interrupted)),
    };
    control.states.store(states, Relaxed);
    control.memory.store(machine::usage().resident, Relaxed);
    let stats = Stats {
        states,
        transitions: control.transitions.load(Relaxed),
        depth: control.depth.load(Relaxed),
        elapsed: start.elapsed(),
        memory: machine::peak(),
    };
    CycleOutcome { lasso: lasso.unwrap_or_default(), stopped, stats, covered }
}

type Answer = Result<Option<Witness>, Halted>;

struct Search<'a, S> {
    system: &'a S,
    workers: usize,
    algorithm: Algorithm,
    fairness: Fairness,
    shared: &'a Shared<'a>,
}

impl<S: System> Search<'_, S> {
    /// Searches while the limits are watched.
    fn watched(&self, bounds: Bounds) -> (Answer, Vec<bool>) {
        let over = Signal::default();
        thread::scope(|scope| {
            let _end = OnDrop(|| over.give());
            let Shared { control, halt, .. } = *self.shared;
            let monitor = Monitor { bounds, control, halt };
            let over = &over;
            let watch = move || monitor.run(over);
            // Without a thread for the monitor no limit would hold.
            if Builder::new().name("monitor".into()).spawn_scoped(scope, watch).is_err() {
                halt.stop(Stop::Memory);
            }
            self.search()
        })
    }

    fn search(&self) -> (Answer, Vec<bool>) {
        let make = || Stored::new(self.shared, self.system.explorer());
        let parallel = self.algorithm == Algorithm::Cndfs && self.shared.depth_limit.is_none();
        if parallel && self.fairness == Fairness::None {
            let (answer, covered) = cndfs::search(self.workers.max(1), make, Stored::finish);
            return (answer, covered.iter().fold(Vec::new(), |all, more| union(all, more)));
        }
        let mut graph = make();
        let answer = match (self.algorithm, self.fairness) {
            (Algorithm::Nested | Algorithm::Cndfs, Fairness::None) => nested::search(&mut graph),
            _ => components::search(&mut graph, self.fairness),
        };
        (answer, graph.finish())
    }

    fn lasso(&self, witness: &Witness) -> Result<Lasso, Halted> {
        let mut graph = Stored::patient(self.shared, self.system.explorer());
        let route = route(&mut graph, witness, self.fairness)?;
        let steps = |edges: &[graph::Edge]| edges.iter().map(|edge| edge.step).collect();
        let prefix = Trace { initial: route.initial.step, steps: steps(&route.prefix) };
        let lasso = Lasso { prefix, cycle: steps(&route.cycle) };
        if let Err(wrong) = validate::validate(self.system, &lasso, self.fairness) {
            panic!("internal: the lasso that was found is none: {wrong}");
        }
        Ok(lasso)
    }
}
