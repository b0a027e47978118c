//! Where machine code for the statements of a model comes in.
//!
//! Who explores (`explore`) asks it first, and the interpreter where it declines. So nothing has to
//! be compiled, whatever goes wrong is put into words in one place, and the states come in the same
//! order either way.

use crate::eval::Env;
use crate::explore::Micro;
use crate::ir::{LocId, ProctypeId};
use crate::work::Work;
use auspex_system::Successors;
use std::ops::Range;

pub trait Code: Sync {
    /// Which transitions of a process's location can run on their own.
    fn executable(&self, env: &Env<'_>, proctype: ProctypeId, location: LocId) -> Executable;

    /// Appends what these processes can do next, the youngest first, and stops before one that is for the
    /// interpreter. No `provided` clause and no priority keeps any of them from moving.
    fn expand(
        &self,
        env: &Env<'_>,
        processes: Range<usize>,
        covered: &mut [bool],
        out: &mut Successors,
    ) -> Expanded;

    /// Carries out a transition that can run: its effect, not its control. `timeout`: see [`Env`]. Where the answer is
    /// false it was not carried out, and `work` is no longer good for anything.
    fn apply(&self, work: &mut Work, step: Micro, timeout: bool, covered: &mut [bool]) -> bool;

    /// May `apply` decline when it has begun to write?
    fn declines_late(&self, proctype: ProctypeId, transition: u32) -> bool;

    /// See [`auspex_system::Explorer::letter`]; `None`: it is for the interpreter to say.
    fn letter(&self, property: usize, env: &Env<'_>) -> Option<u64>;
}

/// What was done for some processes.
#[derive(Clone, Copy, Debug)]
pub struct Expanded {
    /// These were not looked at, the youngest of which is for the interpreter.
    pub left: usize,
    /// Some process can move.
    pub moved: bool,
}

/// One bit for each of the first 64 transitions of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Executable {
    /// These can run; an `else` among them if none before it can.
    pub yes: u64,
    /// For these it is for the interpreter to say.
    pub ask: u64,
}

impl Executable {
    pub const NOTHING: Executable = Executable { yes: 0, ask: 0 };
    pub const UNKNOWN: Executable = Executable { yes: 0, ask: u64::MAX };

    /// Does the transition number `index` of the location run? `None`: ask.
    #[inline]
    pub fn says(self, index: u32) -> Option<bool> {
        match index {
            0..64 if self.ask >> index & 1 == 0 => Some(self.yes >> index & 1 != 0),
            _ => None,
        }
    }
}
