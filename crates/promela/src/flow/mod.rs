//! Control flow: from the nesting of statements to the automaton of a proctype.
//!
//! What is a step and what is a state of its own follows from how Spin links its statements:
//! selections, loops, blocks and `unless` are elements of a graph like the simple statements, but
//! only some elements ever become control locations. [`graph`] builds that graph while the
//! statements are lowered, [`automaton`] reads locations and transitions off it, [`dstep`] does
//! the same for the inside of a `d_step`.

mod automaton;
mod dstep;
mod graph;

pub use automaton::{Automaton, finish};
pub use graph::{ElId, Flow, Seq, Target};
