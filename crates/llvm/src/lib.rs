//! Textual LLVM IR to an in-memory module, linked, with debug information.
//!
//! [`read`] gives a [`Module`]: the output of clang 15 to 22 or of rustc, typed and resolved.
//! [`link`] makes one of several, and [`Module::keep_reachable`] drops what nothing needs.
#![forbid(unsafe_code)]

pub mod debug;
mod float;
pub mod ir;
pub mod layout;
mod lexer;
mod link;
mod read;
mod transplant;
mod verify;

pub use ir::Module;
pub use layout::DataLayout;
pub use link::link;
pub use read::{read, read_text};
