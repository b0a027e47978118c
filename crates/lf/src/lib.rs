//! The LF system: a small safe concurrent language whose compiled program is either run or checked.
//!
//! `parser` -> `check` (names and types) -> `emit` (code) -> `kernel`, which is driven by a scheduler (`run`) or by a
//! search (`model`).
#![forbid(unsafe_code)]

mod arith;
// A tree is made once and walked: it is not worth a box that its statements differ in size.
#[allow(clippy::large_enum_variant)]
pub mod ast;
mod automata;
mod check;
mod close;
mod code;
mod emit;
mod formula;
mod kernel;
mod lexer;
mod load;
mod model;
mod object;
mod parser;
pub mod print;
mod record;
pub mod run;
pub mod slice;
mod token;
mod tree;
mod types;
mod view;

pub use close::{Environment, close};
pub use code::Object;
pub use emit::Options as EmitOptions;
pub use formula::{expression, proposition};
pub use load::{Options, Source, load, load_text};
pub use model::{KernelExplorer, Model, Options as ModelOptions, Proposition};
pub use object::{read as read_object, write as write_object};
pub use parser::{parse, parse_expression};
