//! How much a store may hold.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a store may use. Nothing is allocated by these numbers: they are bounds.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of address space to reserve.
    pub address_space: u64,
    /// States.
    pub states: Option<u64>,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { memory: u64::MAX, address_space: u64::MAX, states: None };
}

/// A counter that never goes beyond its limit.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    used: AtomicU64,
}

impl Budget {
    pub fn new(limit: u64) -> Self {
        Budget { limit, used: AtomicU64::new(0) }
    }

    /// Takes all of `amount`, or nothing.
    pub fn take(&self, amount: u64) -> bool {
        let within = |used: u64| used.checked_add(amount).filter(|sum| *sum <= self.limit);
        self.used.fetch_update(Relaxed, Relaxed, within).is_ok()
    }

    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }
}

/// Counts states where there is a limit on them; without one it costs nothing.
#[derive(Debug)]
pub(crate) struct Quota(Option<Budget>);

impl Quota {
    pub fn new(states: Option<u64>) -> Self {
        Quota(states.map(Budget::new))
    }

    pub fn admit(&self) -> bool {
        self.0.as_ref().is_none_or(|budget| budget.take(1))
    }

    /// The state that was admitted was not new after all.
    pub fn withdraw(&self) {
        if let Some(budget) = &self.0 {
            budget.used.fetch_sub(1, Relaxed);
        }
    }
}

/// There was no room: for another state (see [`Bounds::states`]), in memory, or among the codes, which are to be learned anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    States,
    Memory,
    Codes,
}
