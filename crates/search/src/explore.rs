//! Runs a search: the store, the workers, the monitor, and what comes out of them.

use crate::breadth::Levels;
use crate::depth::Stacks;
use crate::halt::{Bounds, Halt};
use crate::lossy::Forgetful;
use crate::visited::Visited;
use crate::worker::{Reached, Shared, Worker};
use crate::{
    Control, Found, Options, Order, Outcome, Stats, Stop, StoreKind, Trace, machine, order, sample,
};
use auspex_store::{Bitstate, Compact, Lean, LeanOptions};
use auspex_system::{Explorer, System};
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};
use std::time::Instant;

/// Visits everything that `system` can reach, within the limits.
pub fn explore<S: System>(system: &S, options: &Options, control: &Control) -> Outcome {
    let start = Instant::now();
    let bounds = Bounds::new(&options.limits, start);
    let search = Search { system, options, control, start, bounds };
    let first = search.run_with(options.link_bits);
    let has_traces = options.store != StoreKind::Exact || options.link_bits.is_some();
    if has_traces || first.faults.is_empty() {
        return first;
    }
    // Its store is gone. Its faults have traces that lead nowhere: another search has to find them.
    let second = search.run_with(Some(Options::ALL_LINK_BITS));
    // A fault that is not found again, by a search that is complete, is an error of this crate or
    // the system. It must not pass for none: the useless trace shows it.
    let lost = second.faults.is_empty() && second.stopped.is_none();
    Outcome { faults: if lost { first.faults } else { second.faults }, ..second }
}

/// So often it is tried, with what was learned before.
const MOST_ATTEMPTS: u32 = 4;

struct Search<'a, S> {
    system: &'a S,
    options: &'a Options,
    control: &'a Control,
    start: Instant,
    bounds: Bounds,
}

impl<S: System> Search<'_, S> {
    fn run_with(&self, link_bits: Option<u32>) -> Outcome {
        match self.options.store {
            StoreKind::Exact => self.learning(link_bits),
            StoreKind::Compact => {
                self.with(&Forgetful(Compact::new(self.store_bounds())), &Halt::default())
            }
            StoreKind::Bitstate { bytes } => {
                let store = Bitstate::new(bytes, self.store_bounds());
                self.with(&Forgetful(store), &Halt::default())
            }
        }
    }

    fn store_bounds(&self) -> auspex_store::Bounds {
        self.bounds.store(self.options.limits.states, self.options.workers + 1)
    }

    /// With states coded as a sample of them suggests. If that turns out to be wrong for many, the search begins anew with what
    /// it has learned; not where all faults are wanted, for those that it has found might not be found again within the limits.
    fn learning(&self, link_bits: Option<u32>) -> Outcome {
        let mut sample = sample::take(self.system, &self.options.limits);
        for attempt in 1.. {
            let options = LeanOptions {
                bounds: self.store_bounds(),
                loose_parts: self.system.has_loose_parts(),
                link_bits,
                threads: self.options.workers,
            };
            let learns = attempt < MOST_ATTEMPTS && !self.options.all;
            let store = Lean::new(options).planned(sample.plan(), learns);
            let halt = Halt::default();
            let outcome = self.with(&store, &halt);
            let is_real = |found: &Found| !found.fault.is_unsupported();
            if !halt.wants_to_begin_again() || outcome.faults.iter().any(is_real) {
                return outcome;
            }
            sample.add(store.misfits(), store.len());
        }
        unreachable!("the last attempt goes on to the end")
    }

    fn with<V: Visited>(&self, visited: &V, halt: &Halt) -> Outcome {
        match self.options.order {
            Order::Depth => self.run::<V, Stacks<V::Waiting>>(visited, halt),
            Order::Breadth => self.run::<V, Levels<V::Waiting>>(visited, halt),
        }
    }

    fn run<V: Visited, O: order::Order<V>>(&self, visited: &V, halt: &Halt) -> Outcome {
        reset_counters(self.control);
        let shared = Shared::new(visited, self.options, self.control, halt);
        let order = O::new(self.options.workers.max(1));
        let covered = self
            .bounds
            .watch(self.control, halt, || thread::scope(|scope| self.work(scope, &shared, &order)));
        self.outcome(&shared, covered)
    }

    /// Enters the initial states, starts the workers, and combines what they have covered.
    fn work<'s, V: Visited, O: order::Order<V>>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        shared: &'s Shared<'s, V>,
        order: &'s O,
    ) -> Vec<bool> {
        let mut first = Worker::new(shared, self.system.explorer());
        order.begin(&mut first);
        if self.options.workers <= 1 {
            drive(order, &mut first);
            return first.finish();
        }
        // What this thread has allocated is read by all, and lies beside what it would allocate and write as one of the workers: the
        // others would wait for it. So it is none of them, unless there is none.
        let covered = first.finish();
        let job = move || self.one_worker(shared, order);
        let spawn =
            |number| Builder::new().name(format!("worker {number}")).spawn_scoped(scope, job);
        let others: Vec<_> = (1..self.options.workers)
            .filter_map(|number| spawn(number).inspect_err(|_| order.retire()).ok())
            .collect();
        let covered = match spawn(0) {
            Ok(first) => union(covered, &join(first)),
            Err(_) => union(covered, &job()),
        };
        others.into_iter().fold(covered, |covered, other| union(covered, &join(other)))
    }

    fn one_worker<V: Visited, O: order::Order<V>>(
        &self,
        shared: &Shared<'_, V>,
        order: &O,
    ) -> Vec<bool> {
        let mut worker = Worker::new(shared, self.system.explorer());
        drive(order, &mut worker);
        worker.finish()
    }

    fn outcome<V: Visited>(&self, shared: &Shared<'_, V>, covered: Vec<bool>) -> Outcome {
        let reached = shared.faults.lock().map(|mut faults| std::mem::take(&mut *faults));
        let faults: Vec<_> = reached
            .unwrap_or_default()
            .into_iter()
            .map(|fault| self.found(shared.visited, fault))
            .collect();
        let loss = shared.visited.loss();
        let real = faults.iter().any(|found: &Found| !found.fault.is_unsupported());
        let stopped = self.reason(shared, real, loss.is_some());
        let control = self.control;
        control.states.store(shared.visited.len(), Relaxed);
        control.memory.store(machine::usage().resident, Relaxed);
        let stats = Stats {
            states: shared.visited.len(),
            transitions: control.transitions.load(Relaxed),
            depth: control.depth.load(Relaxed),
            elapsed: self.start.elapsed(),
            memory: machine::peak(),
        };
        Outcome { faults, stopped, stats, covered, loss, cache: None }
    }

    fn found<V: Visited>(&self, visited: &V, reached: Reached<V::Origin>) -> Found {
        let Reached { fault, origin, edge } = reached;
        let trace = match origin {
            Some(origin) => {
                let way = visited.way(self.system, &origin, edge, self.options.reduce);
                way.into_trace(self.system)
            }
            None => Trace { initial: edge.step, steps: Vec::new() },
        };
        Found { fault, trace }
    }

    /// A search that was told to stop when nothing was left to do has covered everything.
    fn reason<V: Visited>(&self, shared: &Shared<'_, V>, found: bool, lossy: bool) -> Option<Stop> {
        if found && !self.options.all {
            return None;
        }
        if shared.incomplete.load(Relaxed) {
            return shared.halt.reason();
        }
        let cut = shared.cut.load(Relaxed).then_some(Stop::Depth);
        cut.or(lossy.then_some(Stop::Lossy))
    }
}

/// When a worker leaves, by a stop or a panic, nobody may wait for it.
fn drive<V: Visited, E: Explorer>(order: &impl order::Order<V>, worker: &mut Worker<'_, V, E>) {
    let _close = OnDrop(|| order.close());
    order.work(worker);
}

/// What a worker has covered; a panic of its own is passed on.
fn join(worker: ScopedJoinHandle<'_, Vec<bool>>) -> Vec<bool> {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

pub(crate) fn reset_counters(control: &Control) {
    let Control { interrupt: _, states, transitions, depth, frontier, memory } = control;
    [states, transitions, depth, frontier, memory].iter().for_each(|n| n.store(0, Relaxed));
}

pub(crate) fn union(mut all: Vec<bool>, more: &[bool]) -> Vec<bool> {
    all.resize(all.len().max(more.len()), false);
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
    all
}

/// Runs when it goes out of scope, also by a panic.
pub(crate) struct OnDrop<F: FnMut()>(pub F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
