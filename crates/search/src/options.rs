//! What to search, how, and how far.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Options {
    pub workers: usize,
    pub order: Order,
    pub store: StoreKind,
    /// How much the exact store keeps at most of how each state was reached, in bits up to
    /// [`Options::ALL_LINK_BITS`]: with fewer it takes longer to find a trace. `None`: nothing, which
    /// takes a fifth less memory; a search that finds a fault is then repeated with them.
    pub link_bits: Option<u32>,
    pub limits: Limits,
    /// Go on behind faults and report every distinct one (kind and location).
    pub all: bool,
    /// Leave out what the system knows to be the same in another order
    /// ([`auspex_system::Explorer::reduced`]).
    pub reduce: bool,
}

impl Options {
    pub const ALL_LINK_BITS: u32 = u32::BITS;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Depth,
    /// Level by level: the first fault found has a shortest trace.
    Breadth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Lossless, tree-compressed.
    Exact,
    /// A 64-bit fingerprint a state.
    Compact,
    /// A few bits a state in a fixed array of `bytes` bytes.
    Bitstate { bytes: u64 },
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    /// Bytes of this process; `None`: what the machine, its cgroup and its rlimits leave.
    pub memory: Option<u64>,
    pub states: Option<u64>,
    pub depth: Option<u64>,
}

/// Shared with the outside while a search runs: counters to watch, and a way to stop it.
/// The workers add to the counters now and then, not at every state.
#[derive(Debug, Default)]
pub struct Control {
    /// Set (by Ctrl-C) to stop in order.
    pub interrupt: AtomicBool,
    pub states: AtomicU64,
    pub transitions: AtomicU64,
    pub depth: AtomicU64,
    pub frontier: AtomicU64,
    pub memory: AtomicU64,
}
