//! Random Promela models, and real Spin as the judge of what a model means.
//!
//! The corpus under `tests/promela` says in its headers what is expected of each model; this crate
//! reads those headers ([`header`]), asks Spin ([`judge`]) and writes them. Random models
//! ([`generate`]) go through both tools ([`compare`]), and where they disagree the model is made as
//! small as possible ([`shrink`]).
#![forbid(unsafe_code)]

pub mod auspex;
pub mod bench;
pub mod claims;
pub mod command;
pub mod compare;
pub mod corpus;
pub mod generate;
pub mod header;
pub mod judge;
pub mod loops;
pub mod pairs;
pub mod shrink;
pub mod spin_output;
pub mod temporal;
