//! States that have no code although others of their shape have one: the sample from which the codes were learned did
//! not show enough. Where there are many, it is worth while to learn anew, and to begin again.

use auspex_system::StateRef;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Counts them, and keeps some.
#[derive(Default)]
pub(crate) struct Misfits {
    count: AtomicU64,
    /// As many as there were when it was last asked whether they are too many.
    asked: AtomicU64,
    kept: Mutex<Vec<Misfit>>,
}

/// The bytes and the cuts of a state.
pub type Misfit = (Vec<u8>, Vec<u32>);

/// So many are kept, and no fewer are worth a thought.
const ENOUGH: u64 = 8192;
/// With so many states for each misfit, they do no harm.
const FEW: u64 = 32;

/// With so many states, to begin again would take longer than to go on.
const TOO_LATE: u64 = 500_000;

impl Misfits {
    #[cold]
    pub fn add(&self, state: StateRef<'_>) {
        if self.count.fetch_add(1, Relaxed) < ENOUGH {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push((state.bytes.to_vec(), state.cuts.to_vec()));
        }
    }

    /// Are there too many, among so many states? Asked again only when there are twice as many.
    #[inline]
    pub fn are_too_many(&self, states: impl FnOnce() -> u64) -> bool {
        let count = self.count.load(Relaxed);
        if count < ENOUGH || count < 2 * self.asked.load(Relaxed) {
            return false;
        }
        self.asked.store(count, Relaxed);
        let states = states();
        states < count.saturating_mul(FEW) && states < TOO_LATE
    }

    pub fn take(&self) -> Vec<Misfit> {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
