//! Textual LLVM IR to an in-memory module, linked, with debug information.
//!
//! [`read`] gives a [`Module`]: the output of clang 15 to 22 or of rustc, typed and resolved.
#![forbid(unsafe_code)]

pub mod debug;
mod float;
pub mod ir;
pub mod layout;
mod lexer;
mod read;
mod verify;

pub use ir::Module;
pub use layout::DataLayout;
pub use read::{read, read_text};
