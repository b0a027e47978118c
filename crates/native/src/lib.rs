//! Models as machine code: guards, effects, channel operations and propositions, compiled by Cranelift at start-up.
//!
//! `support` says what can be compiled, `expr`, `channel` and `action` compile it, `program` puts the
//! functions together, and `frame` is what they see of a state. The rest, and all that goes wrong, is left to the
//! interpreter, which remains the reference: see [`auspex_process::Code`].

mod action;
mod channel;
mod dstep;
mod emit;
mod expand;
mod expr;
mod frame;
mod known;
mod meet;
mod moves;
mod program;
mod runs;
mod support;

use auspex_process::ir::{LocId, ProctypeId};
use auspex_process::{Code, Env, Executable, Expanded, Interpreter, Micro, Model, Work};
use auspex_system::{ByteRange, Graph, Place, Successors, System};
use frame::{Frame, MOST_CHANGES};
use program::{Effect, Program};
use std::mem::MaybeUninit;
use std::ops::Range;

/// A model with its machine code, if it has any.
pub struct Engine<'m> {
    model: &'m Model,
    program: Option<Program>,
}

impl<'m> Engine<'m> {
    /// Runs as machine code as far as that is possible. `Err`: why there is none for this computer.
    pub fn native(model: &'m Model) -> Result<Self, String> {
        Ok(Engine { model, program: Some(Program::compile(model)?) })
    }

    pub fn interpreter(model: &'m Model) -> Self {
        Engine { model, program: None }
    }
}

impl System for Engine<'_> {
    type Explorer<'s>
        = Interpreter<'s>
    where
        Self: 's;

    fn explorer(&self) -> Interpreter<'_> {
        match &self.program {
            Some(program) => Interpreter::with_code(self.model, program),
            None => Interpreter::new(self.model),
        }
    }

    fn unreached(&self, covered: &[bool]) -> Vec<Place> {
        self.model.unreached(covered)
    }

    fn automata(&self) -> Vec<Graph> {
        self.model.automata()
    }
}

impl Code for Program {
    #[inline]
    fn executable(&self, env: &Env<'_>, proctype: ProctypeId, location: LocId) -> Executable {
        match self.guards[proctype.0 as usize][location.0 as usize] {
            // SAFETY: the function was compiled for this model, and the frame is of a state of it.
            Some(function) => unsafe { function(&mut Frame::of(env)) },
            None => Executable::UNKNOWN,
        }
    }

    fn expand(
        &self,
        env: &Env<'_>,
        processes: Range<usize>,
        covered: &mut [bool],
        out: &mut Successors,
    ) -> Expanded {
        expand::expand(self, env, processes, covered, out)
    }

    fn apply(&self, work: &mut Work, step: Micro, timeout: bool, covered: &mut [bool]) -> bool {
        match self.effects[step.proctype.0 as usize][step.transition as usize] {
            Effect::None => true,
            Effect::Interpreted => false,
            Effect::Function { function, .. } => {
                let mut changes = [MaybeUninit::<ByteRange>::uninit(); MOST_CHANGES];
                let first = changes.as_mut_ptr().cast();
                let mut frame = Frame::to_change(work, step.pid.into(), covered, first);
                frame.timeout = timeout.into();
                // SAFETY: as above.
                let done = unsafe { function(&mut frame) } == 0;
                if frame.anywhere != 0 {
                    work.changes.anywhere();
                }
                // SAFETY: compiled code has noted changes from the first one up to here.
                let count = unsafe { frame.change.offset_from(first) } as usize;
                for change in &changes[..count] {
                    // SAFETY: as above.
                    let [start, end] = unsafe { change.assume_init() };
                    work.changes.add(start as usize, (end - start) as usize);
                }
                done
            }
        }
    }

    fn declines_late(&self, proctype: ProctypeId, transition: u32) -> bool {
        let effect = self.effects[proctype.0 as usize][transition as usize];
        matches!(effect, Effect::Function { late: true, .. })
    }

    fn letter(&self, property: usize, env: &Env<'_>) -> Option<u64> {
        let function = (*self.letters.get(property)?)?;
        // SAFETY: as above; propositions are about the globals and the processes, and no locals of anybody.
        Some(unsafe { function(&mut Frame::of(env)) })
    }
}
