//! Explores a system on all cores, finds faults, and rebuilds and replays traces.
#![forbid(unsafe_code)]

mod options;
mod outcome;

pub use options::{Control, Limits, Options, Order, StoreKind};
pub use outcome::{Found, Outcome, Stats, Stop, Trace};
