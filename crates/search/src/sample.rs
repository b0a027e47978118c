//! A look at some states of a system before it is searched, to learn how they are best stored.

use auspex_store::Plan;
use auspex_system::{Explorer, StateRef, Successor, Successors, System};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// States that are looked at.
const MOST: usize = 4096;
/// Steps between two that start anew from somewhere else.
const WALK: usize = 32;
/// Longer than this it must not take.
const PATIENCE: Duration = Duration::from_millis(100);

type State = (Vec<u8>, Vec<u32>);

/// How the states of a system are best stored, if that can be said.
pub(crate) fn plan<S: System>(system: &S) -> Option<Plan> {
    if system.has_loose_parts() {
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

/// Different states on random walks.
fn walk<S: System>(system: &S, late: Arc<AtomicBool>) -> Vec<State> {
    let (mut random, mut explorer) = (fastrand::Rng::with_seed(1), system.explorer());
    let mut out = Successors::interruptible(late.clone());
    let mut states: Vec<State> = Vec::new();
    let mut known: HashSet<State> = HashSet::new();
    explorer.initial(&mut out);
    // A small system is soon seen through.
    for step in 0..2 * MOST {
        let next = (0..out.len()).filter_map(|index| match out.get(index) {
            Successor::State(state) => Some(state),
            Successor::Fault(_) => None,
        });
        let next = random.choose_multiple(next, 1).pop();
        let current = next.map(|next| (next.bytes.to_vec(), next.cuts.to_vec()));
        if let Some(next) = current.as_ref().filter(|next| known.insert((*next).clone())) {
            states.push(next.clone());
        }
        let few = step > 512 && states.len() < step / 4;
        if states.is_empty() || states.len() == MOST || few || late.load(Relaxed) {
            break;
        }
        let (bytes, cuts) = match current.as_ref().filter(|_| step % WALK != 0) {
            Some(state) => state,
            None => &states[random.usize(..states.len())],
        };
        out.clear();
        explorer.successors(StateRef { bytes, cuts }, &mut out);
    }
    states
}
