//! Explores a system on all cores, finds faults, and rebuilds and replays traces.
#![forbid(unsafe_code)]

mod explore;
mod graph;
mod options;
mod outcome;
mod replay;

pub use explore::explore;
pub use graph::{EdgeEnd, StateEdge, StateGraph, graph};
pub use options::{Control, Limits, Options, Order, StoreKind};
pub use outcome::{Found, Outcome, Stats, Stop, Trace};
pub use replay::{Replay, ReplayError, State, replay};
