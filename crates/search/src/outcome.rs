//! How a search ended, and what it found.

use crate::CacheUse;
use auspex_system::{Fault, Step};
use std::time::Duration;

#[derive(Debug)]
pub struct Outcome {
    /// Distinct faults in the order found; at most one without `Options::all`.
    pub faults: Vec<Found>,
    /// Why the search did not cover everything; `None` when it did. (Finding the first fault
    /// without `Options::all` is not a reason.)
    pub stopped: Option<Stop>,
    pub stats: Stats,
    /// Combined from the workers' explorers.
    pub covered: Vec<bool>,
    /// For the lossy stores: the estimated probability that at least one state was missed
    /// (compact), or the fraction of bits set (bitstate).
    pub loss: Option<f64>,
    /// For [`crate::explore_cached`].
    pub cache: Option<CacheUse>,
}

#[derive(Clone, Debug)]
pub struct Found {
    pub fault: Fault,
    pub trace: Trace,
}

/// How to get to a fault: which initial state, then which step from each state. The last step is
/// the one whose successor is the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub initial: Step,
    pub steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Time,
    Memory,
    States,
    Depth,
    Lossy,
    Interrupted,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    pub states: u64,
    /// Steps taken between stored states: the edges of the graph (Spin counts one more).
    pub transitions: u64,
    pub depth: u64,
    pub elapsed: Duration,
    /// Peak memory of the process.
    pub memory: u64,
}
