//! A look at some states of a system before it is searched, to learn how they are best stored.

use crate::Limits;
use auspex_store::Plan;
use auspex_system::{Explorer, StateRef, Successors, System};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// States that are looked at.
const MOST: usize = 4096;
/// Steps between two that start anew from somewhere else.
const WALK: usize = 32;
/// Successors of each state on the way that are taken into account.
const BESIDE: usize = 3;
/// Longer than this it must not take.
const PATIENCE: Duration = Duration::from_millis(300);

type State = (Vec<u8>, Vec<u32>);

/// A search that may not take longer than this has no time for a look.
const WORTH_WHILE: Duration = Duration::from_secs(2);

/// How the states of a system are best stored, if that can be said.
pub(crate) fn plan<S: System>(system: &S, limits: &Limits) -> Option<Plan> {
    let is_short = limits.time.is_some_and(|time| time < WORTH_WHILE);
    if system.has_loose_parts() || is_short {
        return None;
    }
    let flag = Arc::new(AtomicBool::new(false));
    let (done, wait) = mpsc::channel::<()>();
    let states = thread::scope(|scope| {
        let late = flag.clone();
        let watch = move || {
            if wait.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                late.store(true, Relaxed);
            }
        };
        if thread::Builder::new().spawn_scoped(scope, watch).is_err() {
            return Vec::new();
        }
        let states = walk(system, flag);
        drop(done);
        states
    });
    let states: Vec<_> = states.iter().map(|(bytes, cuts)| StateRef { bytes, cuts }).collect();
    Plan::learn(&states)
}

/// Different states on and beside random walks.
fn walk<S: System>(system: &S, late: Arc<AtomicBool>) -> Vec<State> {
    let (mut random, mut explorer) = (fastrand::Rng::with_seed(1), system.explorer());
    let mut out = Successors::interruptible(late.clone());
    let mut states: Vec<State> = Vec::new();
    let mut known: HashSet<State> = HashSet::new();
    explorer.initial(&mut out);
    for step in 1.. {
        let next = (0..out.len()).filter_map(|index| out.get(index).state());
        let next = random.choose_multiple(next, BESIDE);
        let next: Vec<State> =
            next.iter().map(|state| (state.bytes.to_vec(), state.cuts.to_vec())).collect();
        states.extend(next.iter().filter(|state| known.insert((*state).clone())).cloned());
        // A small system is soon seen through.
        let is_small = step > 512 && states.len() < step / 4;
        if states.is_empty() || states.len() >= MOST || is_small || late.load(Relaxed) {
            break;
        }
        let goes_on = !next.is_empty() && step % WALK != 0;
        let from = if goes_on { &next } else { &states };
        let (bytes, cuts) = &from[random.usize(..from.len())];
        out.clear();
        explorer.successors(StateRef { bytes, cuts }, &mut out);
    }
    states
}
