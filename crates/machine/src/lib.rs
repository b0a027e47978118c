//! Runs a program in LLVM's language as a transition system.
//!
//! `decode` turns a module into dense register code; `exec` runs one thread for one step; `state`
//! makes canonical bytes of what the memory and the threads hold; `explore` is the `System`.
#![forbid(unsafe_code)]

mod arith;
mod code;
mod conflict;
mod coverage;
mod decode;
mod exec;
mod explore;
mod extended;
mod kept;
mod live;
mod memo;
mod names;
mod native;
mod object;
mod pieces;
mod record;
mod repeat;
mod state;
mod value;
mod view;
mod watch;
mod work;

pub use code::Program;
pub use decode::decode;
pub use explore::{Machine, Walker};
pub use native::is_native;
pub use watch::{Atom, Watch};

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64};

/// Functions that the machine calls by itself: linking must keep them.
pub const REQUIRED: &[&str] = &["exit"];

/// Which places in a thread's run others may come in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reduction {
    /// Between any two instructions.
    None,
    /// Before every access to memory and every branch.
    Tau,
    /// Before every access to memory, and when a loop closes.
    TauPlus,
    /// Before every access to memory that another thread can reach.
    #[default]
    Full,
}

/// What the program reads.
#[derive(Clone, Debug)]
pub enum Stdin {
    Bytes(Vec<u8>),
    /// Anything, up to so many bytes.
    Any {
        at_most: u64,
    },
}

impl Default for Stdin {
    fn default() -> Self {
        Stdin::Bytes(Vec::new())
    }
}

/// What is checked, and how.
#[derive(Debug, Default)]
pub struct Options {
    pub reduction: Reduction,
    pub check_race: bool,
    /// A non-zero exit status is a fault.
    pub check_exit: bool,
    pub allow_leak: bool,
    /// Every allocation may also fail.
    pub malloc_fails: bool,
    pub nondet_range: Option<(i64, i64)>,
    pub stdin: Stdin,
    /// `rand` gives always the same numbers, rather than any.
    pub fixed_random: bool,
    /// The compiler optimised: what overflows may have been computed ahead of the test that guards
    /// it, so it is wrong only when the result is used.
    pub optimised: bool,
    /// What each step prints is kept for [`auspex_system::Explorer::printed`].
    pub keeps_output: bool,
    /// Traces show instructions too.
    pub verbose: bool,
    /// Set by the machine when not all values of a choice were tried.
    pub sampled: AtomicBool,
    /// Set by the machine: how many instructions were executed, in the search and in replays.
    pub instructions: AtomicU64,
    /// Set by the machine: a status other than 0 that the program ended with.
    pub status: AtomicI32,
}
