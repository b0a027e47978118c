//! Communicating processes: the IR that the front ends for models compile to, and its interpreter.
//!
//! A [`Model`] is a set of control automata ([`Proctype`]) over shared variables and channels. The
//! interpreter ([`Interpreter`]) runs it on plain byte strings; nothing in the IR is a closure or a
//! pointer into a front end, so that it can also be printed, analysed and compiled.
#![forbid(unsafe_code)]

mod channel;
mod code;
mod dstep;
mod eval;
mod exec;
mod explore;
pub mod ir;
mod reduce;
mod scalar;
mod sight;
pub mod trace;
mod view;
mod work;

pub use code::{Code, Executable, Expanded};
pub use eval::Env;
pub use explore::{Interpreter, Micro};
pub use ir::Model;
pub use scalar::Scalar;
pub use work::{ChannelAt, Layout, ProcessAt, Work};
