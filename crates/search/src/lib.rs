//! Explores a system on all cores, finds faults, and rebuilds and replays traces.
//!
//! [`explore`] runs workers over a store ([`StoreKind`]) in an order ([`Order`]); the two are
//! independent of each other, and what a worker does with a state (`worker`) of both. [`cycles`] looks for infinite runs.
//! `cached` does either with a store of bounded size.
#![forbid(unsafe_code)]

mod breadth;
mod cached;
mod cycles;
mod depth;
mod edge;
mod explore;
mod graph;
mod halt;
mod lean;
mod lossy;
mod machine;
mod options;
mod order;
mod outcome;
mod replay;
mod sample;
mod stack;
mod trail;
mod visited;
mod worker;

pub use cached::{CacheUse, cycles_cached, explore_cached};
pub use cycles::{Algorithm, CycleOutcome, Fairness, Lasso, cycles};
pub use explore::explore;
pub use graph::{EdgeEnd, StateEdge, StateGraph, graph};
pub use options::{Control, Limits, Options, Order, StoreKind};
pub use outcome::{Found, Outcome, Stats, Stop, Trace};
pub use replay::{Replay, ReplayError, State, replay};
