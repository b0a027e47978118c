//! Promela text to the process IR.
#![forbid(unsafe_code)]

pub mod ast;
mod lexer;
pub mod parser;
mod preprocess;
mod token;
