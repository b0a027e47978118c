//! Atomic runs: one process goes on alone, statement by statement, in all ways that there are, or until another takes a
//! message from it.
//!
//! The states inside the runs lie at the end of the room for successors, the last one lowest, and beside them who runs in
//! each. They are worked off in the order of the interpreter (`finish_atomic_runs`). Those where a run ends or blocks are successors.

use crate::expand::{DECLINED, Expand, MOST_CHANGES_OF_STEP};
use crate::frame::Frame;
use crate::moves::{Moves, Stop};
use crate::program::{Effect, Program};
use auspex_process::{Executable, ProcessAt, Work};
use auspex_system::ByteRange;
use std::mem::MaybeUninit;

/// Room that runs need: for states inside them, and for those where they end.
pub const MOST_STATES: usize = 48;
/// With more statements they are left to the interpreter, which also looks whether they go round in circles.
const MOST_STATEMENTS: usize = 128;

pub struct Runs<'a> {
    program: &'a Program,
    processes: &'a [ProcessAt],
    /// Where the states inside runs end.
    end: *mut u8,
    /// See [`Frame`]: as outside for the first statements, and then no more.
    timeout: u32,
    statements: usize,
}

/// It is for the interpreter to go on.
struct Declined;

impl<'a> Runs<'a> {
    /// For states inside runs that end at `end`.
    pub fn new(program: &'a Program, work: &'a Work, end: *mut u8) -> Self {
        let processes = &work.layout.processes;
        Runs { program, processes, end, timeout: 0, statements: 0 }
    }

    /// Follows the runs that have begun already, and those that begin with some transitions, one bit each from `first`
    /// on. Were they all followed?
    ///
    /// # Safety
    /// The frame is that of a state of the model where the transitions can run. There is room for successors up to the
    /// states inside runs.
    pub unsafe fn follow(mut self, frame: &mut Frame, mut runs: u64, first: u32) -> bool {
        self.timeout = frame.timeout;
        frame.reserve = 0;
        while runs != 0 {
            let transition = first + runs.trailing_zeros();
            runs &= runs - 1;
            // SAFETY: as above.
            if unsafe { self.fork(frame, (frame.bytes, frame.pid), transition) }.is_err() {
                return false;
            }
        }
        // Inside, it no longer holds that nothing else can move.
        self.timeout = 0;
        while frame.inside != self.end {
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
        frame: &mut Frame,
        (state, pid): (*const u8, u32),
        transition: u32,
    ) -> Result<(), Declined> {
        let free = frame.inside.addr() - frame.next.addr();
        if free < frame.len {
            return Err(Declined);
        }
        // SAFETY: there is room below.
        unsafe {
            frame.inside = frame.inside.sub(frame.len);
            std::ptr::copy_nonoverlapping(state, frame.inside, frame.len);
            frame.runner = frame.runner.sub(1);
            frame.runner.write(pid as u8);
            self.carry_out(&mut self.last(frame), transition)
        }
    }

    /// What compiled code is to see of a state inside a run.
    fn view(&self, frame: &Frame, state: *mut u8, pid: usize) -> Frame {
        let mut view = Frame { bytes: state, timeout: self.timeout, ..*frame };
        view.set_process(pid, self.processes[pid].offset);
        view
    }

    /// The same of the last one.
    ///
    /// # Safety
    /// There is such a state.
    unsafe fn last(&self, frame: &Frame) -> Frame {
        // SAFETY: as above.
        self.view(frame, frame.inside, unsafe { frame.runner.read() }.into())
    }

    fn moves(&self, view: &Frame) -> &'a Moves {
        &self.program.moves[self.processes[view.pid as usize].proctype.0 as usize]
    }

    /// Goes on with the last state until its run ends, or divides.
    ///
    /// # Safety
    /// There is such a state.
    unsafe fn go_on(&mut self, frame: &mut Frame) -> Result<(), Declined> {
        // SAFETY: as above.
        let mut view = unsafe { self.last(frame) };
        let moves = self.moves(&view);
        loop {
            let stop = &moves.stops[self.location(&view)];
            // SAFETY: the function was compiled for this location, and the frame is of a state that is there.
            let Executable { yes, ask } = unsafe { stop.guards.ok_or(Declined)?(&mut view) };
            if ask != 0 {
                // Sends on rendezvous channels, perhaps: an `else` would have to know whether they met a receive.
                return match stop.elses {
                    // SAFETY: those that can run do, and the others are asked.
                    0 => unsafe { self.divide(frame, (yes, ask), stop) },
                    _ => Err(Declined),
                };
            }
            let ways = stop.without_elses(yes);
            if ways.count_ones() > 1 {
                // SAFETY: all of them can run.
                return unsafe { self.divide(frame, (ways, 0), stop) };
            }
            if ways != 0 {
                let index = stop.first + ways.trailing_zeros();
                // SAFETY: it can run.
                unsafe { self.carry_out(&mut view, index)? };
                if moves.moves[index as usize].atomic {
                    continue;
                }
            }
            // SAFETY: it is the last one.
            unsafe { self.end(frame) };
            return Ok(());
        }
    }

    /// Goes on in several ways, where some transitions can run, and others are to be asked whether they meet a receive.
    ///
    /// # Safety
    /// The former can run in the last state.
    unsafe fn divide(
        &mut self,
        frame: &mut Frame,
        (can_run, ask): (u64, u64),
        stop: &Stop,
    ) -> Result<(), Declined> {
        if stop.has_escapes {
            return Err(Declined);
        }
        // SAFETY: as above.
        let mut view = unsafe { self.last(frame) };
        let (state, pid, runner) = (view.bytes, view.pid, frame.runner);
        let moves = self.moves(&view);
        let (mut ways, mut moved) = (can_run | ask, can_run != 0);
        while ways != 0 {
            let (index, way) = (stop.first + ways.trailing_zeros(), ways & ways.wrapping_neg());
            ways ^= way;
            if ask & way != 0 {
                let offer = moves.moves[index as usize].offer.ok_or(Declined)?;
                // SAFETY: the state is inside the run.
                moved |= unsafe { self.meet(frame, &mut view, offer)? };
                continue;
            }
            // SAFETY: it can run in that state.
            unsafe {
                self.fork(frame, (state, pid), index)?;
                if !moves.moves[index as usize].atomic {
                    self.end(frame);
                }
            }
        }
        if !moved {
            // SAFETY: nothing was added to it.
            unsafe { self.end(frame) };
            return Ok(());
        }
        // The state itself is done.
        let forks = state.addr() - frame.inside.addr();
        // SAFETY: the forks lie below it.
        unsafe {
            let (inside, next) = (frame.inside, frame.runner);
            (frame.inside, frame.runner) = (inside.add(frame.len), next.add(1));
            std::ptr::copy(inside, frame.inside, forks);
            std::ptr::copy(next, frame.runner, runner.addr() - next.addr());
        }
        Ok(())
    }

    /// Lets a send in a state inside a run meet receives: what comes of that are successors, or states inside the runs of
    /// those who received. Did it meet one?
    ///
    /// # Safety
    /// The view is that of such a state.
    unsafe fn meet(
        &mut self,
        frame: &mut Frame,
        view: &mut Frame,
        offer: Expand,
    ) -> Result<bool, Declined> {
        (view.next, view.end, view.change) = (frame.next, frame.end, frame.change);
        (view.inside, view.runner) = (frame.inside, frame.runner);
        // SAFETY: the function was compiled for this model, and looks how much room there is.
        let met = unsafe { offer(view) };
        // SAFETY: it has moved on from there by one for each successor.
        let count = unsafe { view.end.offset_from(frame.end) } as usize;
        self.statements += 1 + count + (frame.runner.addr() - view.runner.addr());
        if met == DECLINED || self.statements > MOST_STATEMENTS {
            return Err(Declined);
        }
        (frame.inside, frame.runner) = (view.inside, view.runner);
        for _ in 0..count {
            // SAFETY: that is where it was written. What was noted is where it differs from the state inside the run.
            unsafe { self.note(frame) };
        }
        Ok(met != 0)
    }

    /// The last state is a successor.
    ///
    /// # Safety
    /// There is such a state.
    unsafe fn end(&mut self, frame: &mut Frame) {
        let len = frame.len;
        // SAFETY: its own place is free as soon as it is moved: so there is room.
        unsafe {
            std::ptr::copy(frame.inside, frame.next, len);
            frame.inside = frame.inside.add(len);
            frame.runner = frame.runner.add(1);
            self.note(frame);
        }
    }

    /// The state in the next place is a successor.
    ///
    /// # Safety
    /// There is one.
    unsafe fn note(&self, frame: &mut Frame) {
        let len = frame.len;
        // SAFETY: as above, and there is room to note it.
        unsafe {
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
        let transition = &self.moves(view).moves[index as usize];
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
            if self.program.wide_locations {
                view.process.add(2).write(high);
            }
            if self.program.remembers_last {
                view.bytes.add(1).write(view.pid as u8);
            }
        }
        Ok(())
    }

    fn location(&self, view: &Frame) -> usize {
        // SAFETY: the process is one of the state.
        unsafe { view.location(self.program.wide_locations) }
    }
}
