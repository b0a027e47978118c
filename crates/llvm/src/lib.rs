//! Textual LLVM IR to an in-memory module, linked, with debug information.
//!
//! [`read`] gives a [`Module`]: the output of clang 15 to 22 or of rustc, typed and resolved.
//! [`link`] makes one of several, and [`Module::keep_reachable`] drops what nothing needs.
//!
//! ```
//! let text = "define i32 @answer() {\n  ret i32 42\n}";
//! let module = auspex_llvm::read_text("answer.ll", text).unwrap();
//! let answer = module.function(module.global("answer").unwrap()).unwrap();
//! assert_eq!(answer.body.as_ref().unwrap().instructions.len(), 1);
//! ```
//!
//! - [`ir`]: the module's data types; begin there.
//! - [`layout`]: sizes, alignments and offsets on the target.
//! - [`debug`]: source locations, variables and types, decoded from metadata.
//!
//! Any text gives a module or a diagnostic. What a module has been checked for: operands have the
//! types their instructions need, every local is defined, a block ends in its only terminator,
//! phis match the edges into their blocks, indices lead to parts that exist, and types and
//! constants do not nest deep. That a definition dominates its uses is not checked.
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
