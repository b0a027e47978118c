//! Random C programs, and native execution as the judge of what a program computes.
//!
//! A program ([`generate`]) has no undefined behaviour and no input: it can do one thing only. It
//! is compiled natively and run, which gives the values it computes ([`native`]); then the same
//! text is given to Auspex with these values beside it, and asserts each of them ([`compare`]).
//! Where that fails, the program is made as small as possible ([`shrink`]).
#![forbid(unsafe_code)]

pub mod compare;
pub mod corpus;
pub mod generate;
pub mod mutate;
pub mod native;
pub mod shrink;
