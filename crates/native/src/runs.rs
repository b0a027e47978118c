//! Atomic runs: one process goes on alone, statement by statement, in all ways that there are.
//!
//! The states inside the runs lie at the end of the room for successors, the last one lowest, and are worked off in
//! the order of the interpreter (`finish_atomic_runs`). Those where a run ends or blocks are successors.

use crate::expand::MOST_CHANGES_OF_STEP;
use crate::frame::Frame;
use crate::moves::{Moves, Stop};
use crate::program::{Effect, Program};
use auspex_process::{Executable, Model, ProcessAt};
use auspex_system::ByteRange;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Room that runs need: for states inside them, and for those where they end.
pub const MOST_STATES: usize = 48;
/// With more statements they are left to the interpreter, which also looks whether they go round in circles.
const MOST_STATEMENTS: usize = 128;

pub struct Runs<'a> {
    moves: &'a Moves,
    model: &'a Model,
    process: ProcessAt,
    /// The states inside runs.
    inside: Range<*mut u8>,
    /// See [`Frame`]: as outside for the first statements, and then no more.
    timeout: u32,
    statements: usize,
}

/// It is for the interpreter to go on.
struct Declined;

impl<'a> Runs<'a> {
    pub fn new(
        program: &'a Program,
        model: &'a Model,
        process: ProcessAt,
        room: Range<*mut u8>,
    ) -> Self {
        let moves = &program.moves[process.proctype.0 as usize];
        Runs { moves, model, process, inside: room.end..room.end, timeout: 0, statements: 0 }
    }

    /// Follows the runs that begin with some transitions, one bit each from `first` on. Were they all followed?
    ///
    /// # Safety
    /// The frame is that of a state of the model where the transitions can run. There is room for successors up to the end
    /// of that which was given.
    pub unsafe fn follow(mut self, frame: &mut Frame, mut runs: u64, first: u32) -> bool {
        self.timeout = frame.timeout;
        while runs != 0 {
            let transition = first + runs.trailing_zeros();
            runs &= runs - 1;
            // SAFETY: as above.
            if unsafe { self.fork(frame, frame.bytes, transition) }.is_err() {
                return false;
            }
        }
        // Inside, it no longer holds that nothing else can move.
        self.timeout = 0;
        while self.inside.start != self.inside.end {
            // SAFETY: as above, and there is such a state.
            if unsafe { self.go_on(frame) }.is_err() {
                return false;
            }
        }
        true
    }

    /// Adds a state inside a run, which is as `state` but for a transition.
    ///
    /// # Safety
    /// The transition can run in that state.
    unsafe fn fork(
        &mut self,
        frame: &Frame,
        state: *const u8,
        transition: u32,
    ) -> Result<(), Declined> {
        let free = self.inside.start.addr() - frame.next.addr();
        if free < frame.len {
            return Err(Declined);
        }
        // SAFETY: there is room below.
        unsafe {
            self.inside.start = self.inside.start.sub(frame.len);
            std::ptr::copy_nonoverlapping(state, self.inside.start, frame.len);
            self.carry_out(&mut self.view(frame, self.inside.start), transition)
        }
    }

    /// What compiled code is to see of a state inside a run.
    fn view(&self, frame: &Frame, state: *mut u8) -> Frame {
        let mut view = Frame { bytes: state, timeout: self.timeout, ..*frame };
        view.set_process(frame.pid as usize, self.process.offset);
        view
    }

    /// Goes on with the last state until its run ends, or divides.
    ///
    /// # Safety
    /// There is such a state.
    unsafe fn go_on(&mut self, frame: &mut Frame) -> Result<(), Declined> {
        let mut view = self.view(frame, self.inside.start);
        loop {
            let stop = &self.moves.stops[self.location(&view)];
            // SAFETY: the function was compiled for this location, and the frame is of a state that is there.
            let Executable { yes, ask } = unsafe { stop.guards.ok_or(Declined)?(&mut view) };
            if ask != 0 {
                return Err(Declined);
            }
            let ways = stop.without_elses(yes);
            if ways.count_ones() > 1 {
                // SAFETY: all of them can run.
                return unsafe { self.divide(frame, ways, stop) };
            }
            if ways != 0 {
                let index = stop.first + ways.trailing_zeros();
                // SAFETY: it can run.
                unsafe { self.carry_out(&mut view, index)? };
                if self.moves.moves[index as usize].atomic {
                    continue;
                }
            }
            // SAFETY: it is the last one.
            unsafe { self.end(frame) };
            return Ok(());
        }
    }

    /// Goes on in several ways.
    ///
    /// # Safety
    /// All of these can run in the last state.
    unsafe fn divide(
        &mut self,
        frame: &mut Frame,
        mut ways: u64,
        stop: &Stop,
    ) -> Result<(), Declined> {
        if stop.has_escapes {
            return Err(Declined);
        }
        let state = self.inside.start;
        while ways != 0 {
            let index = stop.first + ways.trailing_zeros();
            ways &= ways - 1;
            // SAFETY: it can run in that state.
            unsafe {
                self.fork(frame, state, index)?;
                if !self.moves.moves[index as usize].atomic {
                    self.end(frame);
                }
            }
        }
        // The state itself is done.
        let forks = state.addr() - self.inside.start.addr();
        // SAFETY: the forks lie below it.
        unsafe {
            let start = self.inside.start.add(frame.len);
            std::ptr::copy(self.inside.start, start, forks);
            self.inside.start = start;
        }
        Ok(())
    }

    /// The last state is a successor.
    ///
    /// # Safety
    /// There is such a state.
    unsafe fn end(&mut self, frame: &mut Frame) {
        let len = frame.len;
        // SAFETY: its own place is free as soon as it is moved: so there is room.
        unsafe {
            std::ptr::copy(self.inside.start, frame.next, len);
            self.inside.start = self.inside.start.add(len);
            let before = std::slice::from_raw_parts(frame.bytes, len);
            let after = std::slice::from_raw_parts(frame.next, len);
            frame.note_differences(before, after);
            frame.next = frame.next.add(len);
            frame.end.write(frame.change);
            frame.end = frame.end.add(1);
        }
    }

    /// # Safety
    /// The transition can run in the state of the frame.
    unsafe fn carry_out(&mut self, view: &mut Frame, index: u32) -> Result<(), Declined> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            return Err(Declined);
        }
        let transition = &self.moves.moves[index as usize];
        match transition.effect {
            Effect::None => {}
            Effect::Function { function, .. } => {
                // Where it changes the state is not of interest before the run ends.
                let mut changes = [MaybeUninit::<ByteRange>::uninit(); MOST_CHANGES_OF_STEP];
                view.change = changes.as_mut_ptr().cast();
                // SAFETY: the function was compiled for this model.
                if unsafe { function(view) } != 0 {
                    return Err(Declined);
                }
            }
            Effect::Interpreted => return Err(Declined),
        }
        let [low, high] = transition.target.to_le_bytes();
        // SAFETY: that is where the state has them.
        unsafe {
            view.covered.add(transition.statement as usize).write(true);
            view.process.add(1).write(low);
            if self.model.wide_locations {
                view.process.add(2).write(high);
            }
            if self.model.remembers_last {
                view.bytes.add(1).write(view.pid as u8);
            }
        }
        Ok(())
    }

    fn location(&self, view: &Frame) -> usize {
        // SAFETY: that is where the state has it.
        let [low, high] = unsafe {
            let high = if self.model.wide_locations { view.process.add(2).read() } else { 0 };
            [view.process.add(1).read(), high]
        };
        u16::from_le_bytes([low, high]).into()
    }
}
