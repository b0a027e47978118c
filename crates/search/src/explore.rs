//! A first, single-threaded search.

use crate::{Control, Found, Options, Order, Outcome, State, Stats, Stop, StoreKind, Trace};
use auspex_system::{Explorer, Step, Successor, Successors, System};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Visits everything that `system` can reach, within the limits.
pub fn explore<S: System>(system: &S, options: &Options, control: &Control) -> Outcome {
    let start = Instant::now();
    let mut explorer = system.explorer();
    let mut out = Successors::new();
    let mut parents: HashMap<State, Option<(State, Step)>> = HashMap::new();
    let mut initial: HashMap<State, Step> = HashMap::new();
    let mut queue: VecDeque<(State, u64)> = VecDeque::new();
    let mut faults: Vec<Found> = Vec::new();
    let mut seen = HashSet::new();
    let mut stopped = None;
    let mut stats = Stats::default();
    explorer.initial(&mut out);
    for (step, successor) in out.iter() {
        match successor {
            Successor::State(state) => {
                let state = State::from(state);
                if parents.insert(state.clone(), None).is_none() {
                    initial.insert(state.clone(), step);
                    queue.push_back((state, 0));
                }
            }
            Successor::Fault(fault) => {
                if seen.insert((fault.kind, fault.location.clone())) {
                    let trace = Trace { initial: step, steps: Vec::new() };
                    faults.push(Found { fault: fault.clone(), trace });
                }
            }
        }
    }
    let trace_to = |parents: &HashMap<State, Option<(State, Step)>>, state: &State, last: Step| {
        let (mut steps, mut at) = (vec![last], state.clone());
        while let Some(Some((parent, step))) = parents.get(&at) {
            steps.push(*step);
            at = parent.clone();
        }
        steps.reverse();
        Trace { initial: initial[&at], steps }
    };
    while options.all || faults.is_empty() {
        let next = match options.order {
            Order::Depth => queue.pop_back(),
            Order::Breadth => queue.pop_front(),
        };
        let Some((state, depth)) = next else { break };
        stats.depth = stats.depth.max(depth);
        if options.limits.depth.is_some_and(|limit| depth >= limit) {
            stopped = Some(Stop::Depth);
            continue;
        }
        if control.interrupt.load(Relaxed) {
            stopped = Some(Stop::Interrupted);
            break;
        }
        if options.limits.time.is_some_and(|limit| start.elapsed() > limit) {
            stopped = Some(Stop::Time);
            break;
        }
        if options.limits.states.is_some_and(|limit| parents.len() as u64 >= limit) {
            stopped = Some(Stop::States);
            break;
        }
        out.clear();
        explorer.successors(state.view(), &mut out);
        stats.transitions += out.len() as u64;
        for (step, successor) in out.iter() {
            match successor {
                Successor::State(next) => {
                    let next = State::from(next);
                    if !parents.contains_key(&next) {
                        parents.insert(next.clone(), Some((state.clone(), step)));
                        queue.push_back((next, depth + 1));
                    }
                }
                Successor::Fault(fault) => {
                    if seen.insert((fault.kind, fault.location.clone())) {
                        let trace = trace_to(&parents, &state, step);
                        faults.push(Found { fault: fault.clone(), trace });
                    }
                }
            }
        }
    }
    if !options.all {
        faults.truncate(1);
    }
    if options.store != StoreKind::Exact && faults.is_empty() && stopped.is_none() {
        stopped = Some(Stop::Lossy);
    }
    stats.states = parents.len() as u64;
    stats.elapsed = start.elapsed();
    control.states.store(stats.states, Relaxed);
    Outcome { faults, stopped, stats, covered: explorer.covered().to_vec(), loss: None }
}
