//! Random Promela models, and real Spin as the judge of what a model means.
//!
//! The corpus under `tests/promela` says in its headers what is expected of each model; this crate
//! reads those headers ([`header`]), asks Spin ([`judge`]) and writes them.
#![forbid(unsafe_code)]

pub mod command;
pub mod corpus;
pub mod header;
pub mod judge;
pub mod spin_output;
