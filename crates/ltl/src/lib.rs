#![forbid(unsafe_code)]

mod alternating;
mod atom;
mod automaton;
mod bdd;
mod degeneralise;
mod formula;
mod generalised;
mod implication;
mod label;
mod lex;
mod nnf;
mod omega;
mod parse;
mod print;
mod product;
mod scc;
mod simplify;
mod simulation;
mod translate;
mod weak;

pub use atom::Atom;
pub use automaton::{Automaton, Transition};
pub use formula::{Formula, Kind};
pub use label::{Cube, Label};
pub use parse::{MAX_DEPTH, Parsed, parse};
pub use print::Syntax;
pub use scc::{Components, components};
pub use translate::{MAX_ATOMS, translate};
