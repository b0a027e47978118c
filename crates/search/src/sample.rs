//! A look at some states of a system before it is searched, to learn how they are best stored.

use crate::Limits;
use auspex_store::{Misfit, Plan};
use auspex_system::{Explorer, StateRef, Successors, System};
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// States that are looked at.
const MOST: usize = 8192;
/// Steps of a walk, at most: then another one begins, at the beginning or somewhere else in turn. Long ones come to
/// where much has happened, short ones to what is beside.
const LONG_WALK: usize = 1024;
const SHORT_WALK: usize = 32;
/// Walks that begin at the beginning begin at one of the first so many states: the very first one may take long to expand.
const BEGINNING: usize = 256;
/// Successors of each state on the way that are taken into account; where there are many, more of them.
const BESIDE: usize = 3;
const MANY: usize = 16;
/// More bytes than these are not kept, nor more than a part of the memory that there is.
const MOST_BYTES: u64 = 8 << 20;
const PART_OF_MEMORY: u64 = 16;
/// Longer than this it must not take.
const PATIENCE: Duration = Duration::from_millis(300);

/// The bytes and the cuts of a state.
type State = Misfit;

/// A search that may not take longer than this has no time for a look.
const WORTH_WHILE: Duration = Duration::from_secs(2);

/// Some states of a system.
#[derive(Default)]
pub(crate) struct Sample {
    states: Vec<State>,
    /// How often it showed too little: the more, the more careful is the next plan.
    surprises: u32,
}

impl Sample {
    /// How the states of the system are best stored, if that can be said.
    pub fn plan(&self) -> Option<Plan> {
        let states: Vec<_> =
            self.states.iter().map(|(bytes, cuts)| StateRef { bytes, cuts }).collect();
        // Once may be chance.
        Plan::learn(&states, self.surprises.saturating_sub(1))
    }

    /// Some that did not fit into the plan, among so many states.
    pub fn add(&mut self, misfits: Vec<State>, among: u64) {
        // If there are so many, then little was seen of what matters.
        self.surprises += if among < 8 * misfits.len() as u64 { 3 } else { 1 };
        self.states.extend(misfits);
    }
}

/// Looks around, if there is time for it.
pub(crate) fn take<S: System>(system: &S, limits: &Limits) -> Sample {
    let is_short = limits.time.is_some_and(|time| time < WORTH_WHILE);
    if system.has_loose_parts() || is_short {
        return Sample::default();
    }
    let flag = Arc::new(AtomicBool::new(false));
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let late = flag.clone();
        let watch = move || {
            if wait.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                late.store(true, Relaxed);
            }
        };
        if thread::Builder::new().spawn_scoped(scope, watch).is_err() {
            return Sample::default();
        }
        let most =
            limits.memory.map_or(MOST_BYTES, |memory| MOST_BYTES.min(memory / PART_OF_MEMORY));
        let states = walk(system, flag, most);
        drop(done);
        Sample { states, surprises: 0 }
    })
}

/// Different states on and beside random walks, of so many bytes together; none of a system whose states are too large for a plan.
fn walk<S: System>(system: &S, late: Arc<AtomicBool>, most_bytes: u64) -> Vec<State> {
    let (mut random, mut explorer) = (fastrand::Rng::with_seed(1), system.explorer());
    let mut out = Successors::interruptible(late.clone());
    let mut states: Vec<State> = Vec::new();
    // Their hashes: if two agree by chance, one state less is looked at.
    let mut known: HashSet<u64> = HashSet::new();
    let hash = |state: &State| BuildHasherDefault::<DefaultHasher>::default().hash_one(state);
    explorer.initial(&mut out);
    let (mut left, mut is_long, mut bytes_left) = (LONG_WALK, true, most_bytes);
    for step in 1.. {
        let next = (0..out.len()).filter_map(|index| out.get(index).state());
        let beside = if out.len() > MANY { BEGINNING / 2 } else { BESIDE };
        let next = random.choose_multiple(next, beside);
        let size = |state: &StateRef<'_>| (state.bytes.len() + size_of_val(state.cuts)) as u64;
        let is_too_large = |state: &StateRef<'_>| state.bytes.len() > Plan::MOST_BYTES;
        let bytes = next.iter().map(size).sum::<u64>();
        if bytes > bytes_left || next.iter().any(is_too_large) {
            break;
        }
        bytes_left -= bytes;
        let next: Vec<State> =
            next.iter().map(|state| (state.bytes.to_vec(), state.cuts.to_vec())).collect();
        states.extend(next.iter().filter(|state| known.insert(hash(state))).cloned());
        // A small system is soon seen through.
        let is_small = step > 512 && states.len() < step / 4;
        if states.is_empty() || states.len() >= MOST || is_small || late.load(Relaxed) {
            break;
        }
        left -= 1;
        let from = match next.is_empty() || left == 0 {
            false => &next[random.usize(..next.len())],
            true => {
                is_long = !is_long;
                left = if is_long { LONG_WALK } else { SHORT_WALK };
                let among = if is_long { states.len().min(BEGINNING) } else { states.len() };
                &states[random.usize(..among)]
            }
        };
        out.clear();
        explorer.successors(StateRef { bytes: &from.0, cuts: &from.1 }, &mut out);
    }
    states
}
