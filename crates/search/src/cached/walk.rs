//! Depth-first through a system, one step after the other. What it has entered stays in the table until
//! whoever walks releases it.

use super::table::{Slot, Table};
use crate::cycles::{Halted, push, reserve};
use crate::halt::Halt;
use crate::worker::Tally;
use crate::{Control, Limits, Stop, Trace};
use auspex_system::{Explorer, StateRef, Step, Successors};
use std::ops::Range;

/// So many states at the top of the stack keep their successors; others are expanded again when the walk comes back to them.
/// All of them would take more memory than the states.
const KEPT: usize = 64;

/// A state on the stack.
struct Frame {
    slot: Slot,
    /// How many successors it has, and which one is next.
    count: u32,
    next: u32,
    /// Its cuts among all: most often it has those of the state below.
    cuts: Range<usize>,
}

impl Frame {
    /// The last step that was taken.
    fn taken(&self) -> Step {
        Step(self.next.saturating_sub(1))
    }
}

/// Successors of a state on the stack.
struct Kept {
    out: Successors,
    /// Whose; only while that one is on the stack.
    depth: Option<usize>,
}

/// What a step of the walk has come upon.
#[derive(Debug)]
pub(super) enum Event {
    /// A state that is not in the table: now it is, at the top of the stack, and expanded.
    New(Slot),
    /// One that is.
    Known(Slot),
    /// No way leads on: this one was at the top of the stack.
    Back(Slot),
}

pub(super) struct Walk<'a, E> {
    pub explorer: E,
    pub table: Table,
    halt: &'a Halt,
    control: &'a Control,
    limits: Limits,
    initial: Successors,
    /// Which initial state is next.
    next: usize,
    stack: Vec<Frame>,
    cuts: Vec<u32>,
    kept: Vec<Kept>,
    bytes: Vec<u8>,
    tally: Tally,
    /// States at the greatest depth were left unexpanded.
    pub cut: bool,
}

impl<'a, E: Explorer> Walk<'a, E> {
    /// States between two reports to the outside.
    const REPORT_EVERY: u32 = 4096;

    pub fn new(
        explorer: E,
        table: Table,
        limits: Limits,
        halt: &'a Halt,
        control: &'a Control,
    ) -> Self {
        let successors = || Successors::interruptible(halt.flag.clone());
        Walk {
            explorer,
            table,
            halt,
            control,
            limits,
            initial: successors(),
            next: 0,
            stack: Vec::new(),
            cuts: Vec::new(),
            kept: (0..KEPT).map(|_| Kept { out: successors(), depth: None }).collect(),
            bytes: Vec::new(),
            tally: Tally::default(),
            cut: false,
        }
    }

    /// Makes the initial states; the answer has the faults among them.
    pub fn begin(&mut self) -> Result<&Successors, Halted> {
        self.explorer.initial(&mut self.initial);
        if self.initial.is_cut_short() {
            return Err(Halted::Asked);
        }
        Ok(&self.initial)
    }

    /// Goes on; `None`: everything was visited.
    pub fn step(&mut self) -> Result<Option<Event>, Halted> {
        while let Some(index) = self.advance()? {
            if let Some(event) = self.enter(index)? {
                return Ok(Some(event));
            }
        }
        Ok(self.pop().map(Event::Back))
    }

    /// What the state at the top of the stack leads to. Known just after it was entered.
    pub fn successors(&self) -> &Successors {
        &self.kept[(self.stack.len() + KEPT - 1) % KEPT].out
    }

    /// The state at the top of the stack, and the step that was taken last from there.
    pub fn top(&self) -> Option<(Slot, Step)> {
        self.stack.last().map(|frame| (frame.slot, frame.taken()))
    }

    /// The states on the stack.
    pub fn stack(&self) -> impl Iterator<Item = Slot> {
        self.stack.iter().map(|frame| frame.slot)
    }

    /// From the beginning to the state at the top of the stack, and the step that was taken last from there.
    pub fn trace(&self) -> Trace {
        let initial = Step(self.next.saturating_sub(1) as u32);
        Trace { initial, steps: self.stack.iter().map(Frame::taken).collect() }
    }

    /// Is the state at the top of the stack accepting? To be asked just after it was entered.
    pub fn is_accepting(&mut self) -> bool {
        let Some(Frame { cuts, .. }) = self.stack.last() else { return false };
        let state = StateRef { bytes: &self.bytes, cuts: &self.cuts[cuts.clone()] };
        self.explorer.is_accepting(state)
    }

    /// States that were entered, also those that had been there before and were replaced.
    pub fn states(&self) -> u64 {
        self.tally.states
    }

    /// The last report.
    pub fn finish(&mut self) {
        self.tally.tell(self.control, 0);
    }

    /// The number of the next successor of the state at the top of the stack, if there is another.
    fn advance(&mut self) -> Result<Option<usize>, Halted> {
        let Some(top) = self.stack.last_mut() else {
            self.next += 1;
            return Ok((self.next <= self.initial.len()).then(|| self.next - 1));
        };
        if top.next == top.count {
            return Ok(None);
        }
        top.next += 1;
        let index = top.next as usize - 1;
        let depth = self.stack.len() - 1;
        if self.kept[depth % KEPT].depth != Some(depth) {
            self.expand()?;
        }
        Ok(Some(index))
    }

    /// Takes a step, unless it goes wrong.
    fn enter(&mut self, index: usize) -> Result<Option<Event>, Halted> {
        let out = match self.stack.len() {
            0 => &self.initial,
            depth => &self.kept[(depth - 1) % KEPT].out,
        };
        let Some(state) = out.get(index).state() else { return Ok(None) };
        let missing = match self.table.find(state.bytes) {
            Ok(known) => return Ok(Some(Event::Known(known))),
            Err(missing) => missing,
        };
        if self.limits.states.is_some_and(|limit| self.tally.states >= limit) {
            return Err(self.stop(Stop::States));
        }
        let Ok(slot) = self.table.insert(state.bytes, missing) else {
            return Err(self.stop(Stop::Memory));
        };
        self.tally.states += 1;
        let below = self.stack.last().map_or(0..0, |frame| frame.cuts.clone());
        let cuts = add_cuts(&mut self.cuts, below, state.cuts)?;
        push(&mut self.stack, Frame { slot, count: 0, next: 0, cuts })?;
        self.expand_new()?;
        Ok(Some(Event::New(slot)))
    }

    /// Expands the state at the top of the stack for the first time, unless it is too deep.
    fn expand_new(&mut self) -> Result<(), Halted> {
        let depth = self.stack.len() - 1;
        self.tally.depth = self.tally.depth.max(depth as u64);
        self.tally.expanded += 1;
        if self.tally.expanded >= Self::REPORT_EVERY {
            self.tally.tell(self.control, depth as u64);
        }
        if self.limits.depth.is_some_and(|limit| depth as u64 >= limit) {
            self.cut = true;
            self.read_top();
            self.keep(depth);
            return Ok(());
        }
        let count = self.expand()?;
        self.tally.transitions += u64::from(count);
        if let Some(top) = self.stack.last_mut() {
            top.count = count;
        }
        Ok(())
    }

    /// Makes the successors of the state at the top of the stack.
    fn expand(&mut self) -> Result<u32, Halted> {
        if self.halt.requested() {
            return Err(Halted::Asked);
        }
        let depth = self.stack.len() - 1;
        self.read_top();
        self.keep(depth);
        let cuts = &self.cuts[self.stack[depth].cuts.clone()];
        let kept = &mut self.kept[depth % KEPT];
        self.explorer.successors(StateRef { bytes: &self.bytes, cuts }, &mut kept.out);
        if kept.out.is_cut_short() {
            return Err(Halted::Asked);
        }
        u32::try_from(kept.out.len()).map_err(|_| Halted::Memory)
    }

    /// Makes room for the successors of the state at this depth.
    fn keep(&mut self, depth: usize) {
        let kept = &mut self.kept[depth % KEPT];
        kept.depth = Some(depth);
        kept.out.clear();
    }

    fn read_top(&mut self) {
        self.bytes.clear();
        if let Some(top) = self.stack.last() {
            self.table.read(top.slot, &mut self.bytes);
        }
    }

    fn pop(&mut self) -> Option<Slot> {
        let Frame { slot, .. } = self.stack.pop()?;
        self.cuts.truncate(self.stack.last().map_or(0, |frame| frame.cuts.end));
        let kept = &mut self.kept[self.stack.len() % KEPT];
        if kept.depth == Some(self.stack.len()) {
            kept.depth = None;
        }
        Some(slot)
    }

    fn stop(&self, reason: Stop) -> Halted {
        self.halt.stop(reason);
        Halted::Asked
    }
}

/// Where these cuts are among all: those of the state below, if they are the same.
fn add_cuts(all: &mut Vec<u32>, below: Range<usize>, cuts: &[u32]) -> Result<Range<usize>, Halted> {
    if all[below.clone()] == *cuts {
        return Ok(below);
    }
    let start = all.len();
    reserve(all, cuts.len())?;
    all.extend_from_slice(cuts);
    Ok(start..all.len())
}
