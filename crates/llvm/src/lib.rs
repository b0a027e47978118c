//! Textual LLVM IR to an in-memory module, linked, with debug information.
#![forbid(unsafe_code)]

pub mod debug;
pub mod ir;
pub mod layout;
