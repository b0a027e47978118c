//! Promela text to the process IR.
#![forbid(unsafe_code)]

pub mod ast;
