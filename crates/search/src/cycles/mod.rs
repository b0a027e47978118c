//! Looks for a run that goes on forever and meets accepting states again and again: what violates
//! a temporal property.
//!
//! The algorithms (`nested`, `dual`, `components`, `cndfs`, `owcty`, `map`) see a graph of numbers (`graph`), which
//! is the system on the exact store (`stored`), or several threads' views of it (`crew`). They answer
//! with a state on such a cycle and what they have visited; `route` finds a short lasso there, `shortest` a
//! shortest one if asked to, and `validate` runs it once more.

mod atoms;
mod cndfs;
mod components;
mod crew;
mod dual;
mod graph;
mod map;
mod nested;
mod owcty;
mod parts;
mod route;
mod shortest;
mod stored;
#[cfg(test)]
mod tests;
mod validate;

use crate::explore::{reset_counters, union};
use crate::halt::{Bounds, Halt};
use crate::{CacheUse, Control, Options, Order, Stats, Stop, Trace, machine};
use auspex_store::Exact;
use auspex_system::{Step, System};
use crew::Crew;
use graph::{Bits, Witness};
pub(crate) use graph::{Halted, push, reserve};
use route::{Route, route};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use stored::{Shared, Stored};
pub(crate) use validate::validate;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Nested depth-first search: one byte a state. With several workers it uses two, one of them
    /// for the nested searches.
    Nested,
    /// Strongly connected components, depth-first: four bytes a state, every state is expanded
    /// once, and the only one that knows fairness.
    Components,
    /// Nested depth-first search by all workers: a byte a state, and one more for each worker.
    Cndfs,
    /// One way catch them young, by all workers: four bytes a state. One pass and a bit where the
    /// system is weak ([`System::is_weak`]), else as many as it takes.
    Owcty,
    /// Maximal accepting predecessors, by all workers: eight bytes a state.
    Map,
}

impl Algorithm {
    /// What is used where nothing was asked for. With one worker nothing beats a single pass.
    fn usual(system: &impl System, options: &Options) -> Self {
        match system.is_weak() {
            _ if options.workers < 2 || options.limits.depth.is_some() => Algorithm::Components,
            true => Algorithm::Owcty,
            false => Algorithm::Cndfs,
        }
    }
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
    /// For [`crate::cycles_cached`].
    pub cache: Option<CacheUse>,
}

/// Looks for a run that meets accepting states infinitely often and is fair as asked, within the
/// limits. Steps into faults are left out. Without an `algorithm` one is chosen.
///
/// Of the options, `store` and `all` have no meaning here: states are always stored exactly. With
/// fairness the algorithm is [`Algorithm::Components`] whatever is given, for no other one can do
/// it. With a limit on depth, one worker does all, and instead of [`Algorithm::Cndfs`],
/// [`Algorithm::Owcty`] and [`Algorithm::Map`] it is [`Algorithm::Nested`]: they visit states in
/// no order in which the depth would mean anything.
///
/// With [`Order::Breadth`] the lasso is a shortest one: no other one of the whole system has
/// fewer steps, prefix and cycle together. With fairness only the prefix is a shortest one to the
/// cycle, which is short. Where a limit is met on the way to that, the lasso is one that is not as
/// short.
///
/// # Panics
/// When the lasso that was found turns out not to be one: an error in this crate or the system.
pub fn cycles<S: System>(
    system: &S,
    options: &Options,
    algorithm: Option<Algorithm>,
    fairness: Fairness,
    control: &Control,
) -> CycleOutcome {
    let start = Instant::now();
    let bounds = Bounds::new(&options.limits, start);
    let room = bounds.store(options.limits.states, options.workers + 1);
    let store = match system.has_loose_parts() {
        true => Exact::with_loose_parts(room),
        false => Exact::new(room).planned(crate::sample::take(system, &options.limits).plan()),
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
    let algorithm = algorithm.unwrap_or_else(|| Algorithm::usual(system, options));
    let search = Search { system, options, algorithm, fairness, shared: &shared };
    let Ended { lasso, states, covered } = search.watched(bounds);
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
    CycleOutcome { lasso: lasso.unwrap_or_default(), stopped, stats, covered, cache: None }
}

type Answer = Result<Option<Witness>, Halted>;

struct Search<'a, S> {
    system: &'a S,
    options: &'a Options,
    algorithm: Algorithm,
    fairness: Fairness,
    shared: &'a Shared<'a>,
}

struct Ended {
    lasso: Result<Option<Lasso>, Halted>,
    /// How many the search had found.
    states: u64,
    covered: Vec<bool>,
}

impl<S: System> Search<'_, S> {
    /// Searches while the limits are watched.
    fn watched(&self, bounds: Bounds) -> Ended {
        bounds.watch(self.shared.control, self.shared.halt, || {
            let (answer, covered) = self.search();
            let states = self.shared.store.len();
            let lasso = answer.and_then(|found| found.map(|it| self.lasso(&it)).transpose());
            Ended { lasso, states, covered }
        })
    }

    fn search(&self) -> (Answer, Vec<bool>) {
        let covered = Mutex::new(Vec::new());
        let finish = |graph: Stored<'_, _>| {
            let mut all = covered.lock().unwrap_or_else(PoisonError::into_inner);
            *all = union(std::mem::take(&mut *all), &graph.finish());
        };
        let make = || Stored::new(self.shared, self.system.explorer());
        let crew = Crew { workers: self.options.workers.max(1), hire: &make, dismiss: &finish };
        let components = || crew.alone(|graph| components::search(graph, self.fairness));
        let answer = match self.algorithm {
            _ if self.fairness != Fairness::None => components(),
            Algorithm::Components => components(),
            _ if self.shared.depth_limit.is_some() => crew.alone(nested::search),
            Algorithm::Nested if crew.workers == 1 => crew.alone(nested::search),
            Algorithm::Nested => dual::search(&crew),
            Algorithm::Cndfs => cndfs::search(&crew),
            Algorithm::Owcty => owcty::search(&crew, self.system.is_weak()),
            Algorithm::Map => map::search(&crew),
        };
        (answer, covered.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn lasso(&self, witness: &Witness) -> Result<Lasso, Halted> {
        let mut graph = Stored::patient(self.shared, self.system.explorer());
        // What was visited stays as it is; limits on it no longer matter.
        let mut route = route(&mut graph, witness, self.fairness)?;
        if self.options.order == Order::Breadth
            && let Ok(Some(shorter)) = self.shorter(witness, route.len())
        {
            route = shorter;
        }
        let steps = |edges: &[graph::Edge]| edges.iter().map(|edge| edge.step).collect();
        let prefix = Trace { initial: route.initial.step, steps: steps(&route.prefix) };
        let lasso = Lasso { prefix, cycle: steps(&route.cycle) };
        if let Err(wrong) = validate(self.system, &lasso, self.fairness) {
            panic!("internal: the lasso that was found is none: {wrong}");
        }
        Ok(lasso)
    }

    /// A lasso of fewer than `bound` steps through anything there is, visited or not.
    fn shorter(&self, witness: &Witness, bound: usize) -> Result<Option<Route>, Halted> {
        let mut graph = Stored::new(self.shared, self.system.explorer());
        if self.fairness == Fairness::None {
            return shortest::shorter(&mut graph, bound);
        }
        let anywhere = Witness {
            through: witness.through,
            known: Bits::all(),
            inside: witness.inside.clone(),
        };
        route(&mut graph, &anywhere, self.fairness).map(Some)
    }
}
