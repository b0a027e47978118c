//! All that a process can do next, in one go: guards are asked of the state, and each successor is written straight
//! into the arena, with a note of where it differs.
//!
//! Compiled for each location whose statements can all be. Atomic runs that begin there are then followed by `runs`.
//! Whatever goes wrong, the process is left to the interpreter, which begins anew.

use crate::emit::Emit;
use crate::frame::{self, Frame, MOST_CHANGES};
use crate::meet::MOST_MEETINGS;
use crate::program::Program;
use crate::runs::{self, Runs};
use crate::support;
use auspex_process::ir::*;
use auspex_process::{Env, Expanded, Model};
use auspex_system::{ByteRange, Successors};
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The most statements of a location.
const MOST_STATEMENTS: usize = 63;
/// The most states that are written for one process.
const MOST_STATES: usize = MOST_STATEMENTS + runs::MOST_STATES + MOST_MEETINGS;
/// What code says that has met something that is for the interpreter.
pub const DECLINED: u64 = u64::MAX;
/// A successor has its statement's changes, and that of control.
pub const MOST_CHANGES_OF_STEP: usize = MOST_CHANGES + 2;

/// `memcpy`, for compiled code.
pub extern "C" fn copy(to: *mut u8, from: *const u8, len: usize) {
    // SAFETY: compiled code passes a state, and a place in the arena for one.
    unsafe { std::ptr::copy_nonoverlapping(from, to, len) };
}

/// Notes where a state differs from another one.
pub extern "C" fn note_differences(frame: *mut Frame, before: *const u8, after: *const u8) {
    // SAFETY: compiled code passes its frame and two states of that length.
    unsafe {
        let frame = &mut *frame;
        let [before, after] = [before, after].map(|at| std::slice::from_raw_parts(at, frame.len));
        frame.note_differences(before, after);
    }
}

/// Can all be compiled that a process may do at a location?
pub fn is_expandable(model: &Model, proctype: &Proctype, location: &ControlLocation) -> bool {
    let transitions = proctype.transitions_at(location);
    let is_simple = |transition: &Transition| {
        let action = &transition.action;
        transition.escape == 0
            && support::has_guard(model, action)
            && support::has_effect(model, action)
    };
    // What is hidden is not part of the state, and so none of what is written would go away.
    model.hidden.size == 0
        && transitions.len() <= MOST_STATEMENTS
        && !proctype.deterministic
        && transitions.iter().all(is_simple)
}

impl Emit<'_, '_> {
    /// Writes all successors; the result has a bit for each atomic run that begins.
    pub fn expansion(&mut self, transitions: &[Transition]) -> Value {
        let [runs, moved] = [(); 2].map(|()| self.builder.declare_var(I64));
        let zero = self.builder.ins().iconst(I64, 0);
        [runs, moved].iter().for_each(|variable| self.builder.def_var(*variable, zero));
        let declined = self.builder.create_block();
        self.decline = declined;
        let one = self.builder.ins().iconst(I64, 1);
        for (bit, transition) in transitions.iter().enumerate() {
            let [yes, next] = [(); 2].map(|()| self.builder.create_block());
            match &transition.action {
                Action::Else => {
                    let moved = self.builder.use_var(moved);
                    self.brif(moved, next, yes);
                }
                Action::Send(send) if self.known.may_meet(&send.channel) => {
                    let met = self.builder.create_block();
                    self.branch_meet((send, transition), yes, met, next);
                    self.enter(met);
                    self.builder.def_var(moved, one);
                    self.jump(next);
                }
                action => self.guard(action, yes, next),
            }
            self.enter(yes);
            self.builder.def_var(moved, one);
            match transition.atomic {
                true => self.set_bit(runs, bit),
                false => self.successor(transition, |emit, done| {
                    emit.effect(&transition.action, done);
                }),
            }
            self.jump(next);
            self.enter(next);
        }
        let result = self.builder.use_var(runs);
        self.builder.ins().return_(&[result]);
        self.enter(declined);
        self.builder.ins().iconst(I64, DECLINED as i64)
    }

    /// Writes the state that a transition leads to: its effect goes on at the block that it is given.
    pub fn successor(&mut self, transition: &Transition, effect: impl FnOnce(&mut Self, Block)) {
        let (frame, state, process) = (self.frame, self.bytes, self.process);
        let [next, len] = [frame::NEXT, frame::LEN].map(|offset| self.of_frame(I64, offset));
        self.builder.ins().call(self.helpers.copy, &[next, state, len]);
        let offset = self.builder.ins().isub(process, state);
        // From here on, everything is about the successor.
        self.bytes = next;
        self.process = self.builder.ins().iadd(next, offset);
        let done = self.builder.create_block();
        let is_long = matches!(transition.action, Action::DStep(_));
        self.notes_changes = !is_long;
        effect(self, done);
        self.enter(done);
        self.cover(transition.statement);
        self.move_control(transition.target);
        if is_long {
            self.builder.ins().call(self.helpers.note_differences, &[frame, state, next]);
        }
        let after = self.builder.ins().iadd(next, len);
        self.store(after, frame, frame::NEXT);
        let [end, change] = [frame::END, frame::CHANGE].map(|offset| self.of_frame(I64, offset));
        self.store(change, end, 0);
        let end = self.builder.ins().iadd_imm_s(end, size_of::<*const ByteRange>() as i64);
        self.store(end, frame, frame::END);
        (self.bytes, self.process) = (state, process);
    }

    pub fn move_control(&mut self, target: LocId) {
        let (bytes, process) = (self.bytes, self.process);
        let target = self.int(i32::from(target.0));
        self.store_location(target, process);
        if self.model.remembers_last {
            let pid = self.of_frame(I32, frame::PID);
            self.builder.ins().istore8(crate::emit::flags(), pid, bytes, 1);
            let width = self.int(1);
            self.note_change(bytes, 1, width);
        }
    }
}

pub type Expand = unsafe extern "C" fn(*mut Frame) -> u64;

/// One location's code.
pub struct Expansion {
    function: Expand,
    /// How many states there is to be room for.
    states: usize,
    /// Grows when it declines, and shrinks when it does not.
    reluctance: AtomicU32,
}

/// Code that declines too often is no longer asked.
const DECLINES: u32 = 16;
const TOO_RELUCTANT: u32 = 4096;

impl Expansion {
    pub fn new(function: Expand, transitions: &[Transition], has_meetings: bool) -> Self {
        let has_runs = transitions.iter().any(|transition| transition.atomic);
        let sends = transitions.iter().any(|t| matches!(t.action, Action::Send(_)));
        let meets = has_meetings && sends;
        let states = transitions.len()
            + if has_runs || meets { runs::MOST_STATES } else { 0 }
            + if meets { MOST_MEETINGS } else { 0 };
        Expansion { function, states, reluctance: AtomicU32::new(0) }
    }

    #[cold]
    fn has_declined(&self) {
        self.reluctance.fetch_add(DECLINES, Relaxed);
    }

    fn has_followed(&self) {
        let reluctance = self.reluctance.load(Relaxed);
        if reluctance > 0 {
            self.reluctance.store(reluctance - 1, Relaxed);
        }
    }
}

/// See [`auspex_process::Code::expand`].
pub fn expand(
    program: &Program,
    env: &Env<'_>,
    processes: Range<usize>,
    covered: &mut [bool],
    out: &mut Successors,
) -> Expanded {
    let (work, len) = (env.work, env.work.bytes.len());
    let mut frame = Frame { covered: covered.as_mut_ptr(), program, ..Frame::of(env) };
    let mut ends = [MaybeUninit::<*const ByteRange>::uninit(); MOST_STATES];
    let most_changes = frame::differences(len).max(MOST_CHANGES_OF_STEP);
    let mut runners = [0u8; MOST_STATES];
    let runners_end = runners.as_mut_ptr_range().end;
    let mut moved = false;
    for pid in processes.clone().rev() {
        let (process, location) = (work.layout.processes[pid], work.location(env.model, pid));
        let expansions = &program.expansions[process.proctype.0 as usize];
        let Some(expansion) = expansions[location.0 as usize]
            .as_ref()
            .filter(|expansion| expansion.reluctance.load(Relaxed) < TOO_RELUCTANT)
        else {
            return Expanded { left: pid + 1, moved };
        };
        frame.set_process(pid, process.offset);
        let room = out.room(expansion.states * len, expansion.states * most_changes);
        let (bytes, changes) = (room.bytes.as_mut_ptr_range(), room.changes.as_mut_ptr());
        frame.next = bytes.start;
        (frame.inside, frame.runner) = (bytes.end, runners_end);
        // The other statements need room, too, and the runs.
        frame.reserve = expansion.states.saturating_sub(MOST_MEETINGS) * len;
        frame.change = changes;
        frame.end = ends.as_mut_ptr().cast();
        // SAFETY: the function was compiled for this location; there is room for all that it can write.
        let mut runs = unsafe { (expansion.function)(&mut frame) };
        let has_begun = frame.inside != bytes.end;
        if runs != 0 || has_begun {
            // In which order runs go on, those of receivers among others that begin here, is for the interpreter to say.
            if runs != 0 && has_begun {
                runs = DECLINED;
            }
            if runs != DECLINED {
                let first =
                    env.model.proctype(process.proctype).locations[location.0 as usize].first;
                // SAFETY: the frame is that of a state of the model, with room for that many.
                let followed =
                    unsafe { Runs::new(program, work, bytes.end).follow(&mut frame, runs, first) };
                runs = if followed { 0 } else { DECLINED };
            }
            if runs == DECLINED {
                expansion.has_declined();
                return Expanded { left: pid + 1, moved };
            }
            expansion.has_followed();
        }
        // SAFETY: it has moved on from the first by one for each successor.
        let count = unsafe { frame.end.offset_from(ends.as_ptr().cast()) } as usize;
        if count > 0 {
            moved = true;
            // SAFETY: so many were written, each of them an address in the room for changes.
            let changes_to = |end: &MaybeUninit<*const ByteRange>| unsafe {
                end.assume_init().offset_from(changes) as usize
            };
            out.fill(len, ends[..count].iter().map(changes_to));
        }
    }
    Expanded { left: processes.start, moved }
}
