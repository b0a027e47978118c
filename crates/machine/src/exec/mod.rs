//! Running one thread for one step.

mod burst;
mod call;
mod choice;
mod compute;
mod memory;
mod spare;

use crate::arith::{self, Trap, trap};
use crate::code::{Arg, Code, Program, Reg};
use crate::native::Operand;
use crate::record::Recorder;
use crate::value::{ObjectId, Value};
use crate::watch::Watch;
use crate::work::{Frame, Raised, Thread, Work};
use crate::{Options, Reduction};
use auspex_llvm::ir::BinaryOp;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use spare::Spare;

pub use choice::Script;
pub use memory::{Access, Place};

/// Why a step ends.
#[derive(Debug)]
pub enum Stop {
    /// Before an instruction that other threads may notice, or that notices them.
    Pause,
    Fault(Trap),
    /// The thread waits; for whom, if that is known.
    Blocked(Waiting),
    /// An assumption does not hold: this run is of no interest.
    Pruned,
    /// The thread has ended.
    Ended,
    /// The program has.
    Exited(i32),
}

#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// A number of the runtime library: a mutex, a condition variable, ...
    pub kind: i32,
    pub object: Value,
    /// The number of the thread that has what this one wants, or -1.
    pub thread: i32,
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Stop {
        Stop::Fault(trap)
    }
}

pub type Result<T> = std::result::Result<T, Stop>;

/// The machine: a state, and the thread of it that runs.
pub struct Cpu<'p> {
    pub program: &'p Program,
    pub options: &'p Options,
    /// What a property looks at.
    pub watch: &'p Watch,
    pub work: Work,
    /// The running thread; its place in `work.threads` holds nothing useful meanwhile.
    pub thread: Thread,
    pub index: usize,
    pub step: Step,
    pub recorder: Option<Recorder>,
    /// The search is to stop, also in the middle of a step.
    pub interrupt: Option<Arc<AtomicBool>>,
    spare: Spare,
    /// For each function that was called, its registers before anything is written to them.
    fresh: Vec<Box<[Value]>>,
    /// The operands of native functions, and the results of others: kept for their allocations.
    operands: Vec<Operand>,
    results: Vec<Value>,
    /// How many instructions were executed.
    pub executed: u64,
    /// Which instructions were executed, by their sites.
    pub covered: Vec<bool>,
}

/// What is known of the step that is being made.
#[derive(Debug, Default)]
pub struct Step {
    pub script: Script,
    /// Something was done that other threads can notice.
    pub acted: bool,
    /// It was more than a read: others may go on differently from now on.
    pub changed: bool,
    /// Instructions executed.
    pub count: u32,
    /// The state before the outermost atomic section, if something was done before it.
    pub before_section: Option<Box<(Work, Thread)>>,
    /// Other threads were looked at: what number is free depends on them.
    pub created: bool,
    /// The thread went on without being woken.
    pub weak: bool,
    /// What was printed, if that is kept.
    pub output: String,
    /// How much of it before the outermost atomic section.
    pub output_before: usize,
    /// Events that a property looks at and that were raised.
    pub events: u64,
    /// Memory that other threads can reach and that was touched.
    pub accesses: Vec<Access>,
    /// Where the step has been: for the reduction that ends a step when a loop closes.
    visited: Vec<(u32, u32)>,
}

/// A local loop that runs longer than this ends a step: it may be endless.
const LONG_STEP: u32 = 20_000;
/// Only an atomic section can run so long.
const ENDLESS_STEP: u32 = 5_000_000;
/// More frames than this are runaway recursion.
pub const MOST_FRAMES: usize = 10_000;

impl<'p> Cpu<'p> {
    pub fn new(program: &'p Program, options: &'p Options, watch: &'p Watch) -> Self {
        let (work, thread, step) = Default::default();
        let sites = program.functions.last().map_or(0, |f| f.first_site as usize + f.code.len());
        let covered = vec![false; sites];
        let (recorder, interrupt) = (None, None);
        let (index, executed) = (0, 0);
        let (spare, operands, results) = Default::default();
        let fresh = vec![Default::default(); program.functions.len()];
        Cpu {
            program,
            options,
            watch,
            work,
            thread,
            index,
            step,
            recorder,
            interrupt,
            spare,
            fresh,
            operands,
            results,
            executed,
            covered,
        }
    }

    /// Makes thread number `index` of a state ready to run. `Work::load` was called for this state,
    /// and since then only steps were made from it.
    pub fn begin(&mut self, work: &Work, index: usize, script: Script) {
        self.work.undo(work);
        // The thread that ran last is not needed any more: its memory is.
        if self.index < self.work.threads.len()
            && let Some(last) = Rc::get_mut(&mut self.work.threads[self.index])
        {
            std::mem::swap(&mut self.thread, last);
        }
        self.thread.frames.drain(..).for_each(|frame| self.spare.put(frame));
        self.work.threads.clone_from(&work.threads);
        self.thread.clone_from(&work.threads[index]);
        self.index = index;
        // An event is over before its thread does the next thing that can be noticed.
        let acted = work.raised.is_some_and(|raised| raised.by == self.thread.id);
        self.step = Step { script, acted, ..Step::default() };
    }

    /// Runs until something ends the step, and puts the thread back.
    pub fn run(&mut self) -> Stop {
        let bursts = self.bursts();
        let stop = loop {
            if bursts {
                self.burst();
            }
            if let Err(stop) = self.instruction() {
                break stop;
            }
        };
        self.executed += u64::from(self.step.count);
        if let Some(recorder) = &mut self.recorder {
            let undone = matches!(stop, Stop::Blocked(_)) && self.step.before_section.is_some();
            recorder.end(self.program, &self.work, &self.thread, &stop, undone);
        }
        if self.step.events != 0 {
            let by = self.thread.id;
            self.work.raised = Some(Raised { events: self.step.events, by });
        }
        match &stop {
            Stop::Blocked(_) if self.step.before_section.is_some() => {
                // The step ends before the section in which the thread would wait.
                if let Some(saved) = self.step.before_section.take() {
                    (self.work, self.thread) = *saved;
                }
                self.step.output.truncate(self.step.output_before);
                // Before a section there is none: an event outside of one ends the step.
                self.step.events = 0;
                self.put_back();
                return Stop::Pause;
            }
            Stop::Ended => {
                self.end_all_frames();
                self.work.threads.remove(self.index);
            }
            _ => self.put_back(),
        }
        stop
    }

    fn put_back(&mut self) {
        self.work.threads[self.index] = Rc::new(std::mem::take(&mut self.thread));
    }

    fn end_all_frames(&mut self) {
        let site = self.site();
        self.work.reads.note_frame(0);
        let locals = std::mem::take(&mut self.thread.locals);
        for frame in std::mem::take(&mut self.thread.frames) {
            self.work.end_frame(&frame, site);
        }
        let frame =
            Frame { owned: locals.into_iter().filter(|id| *id != 0).collect(), ..Frame::default() };
        self.work.end_frame(&frame, site);
    }

    /// Is there no other thread?
    #[inline]
    pub fn alone(&self) -> bool {
        self.work.threads.len() == 1
    }

    pub fn frame(&self) -> &Frame {
        // A thread without frames has ended, and does not run.
        self.thread.frames.last().unwrap_or_else(|| unreachable!("a running thread has a frame"))
    }

    #[inline]
    fn frame_mut(&mut self) -> &mut Frame {
        let frame = self.thread.frames.last_mut();
        self.spare.own(frame.unwrap_or_else(|| unreachable!("a running thread has a frame")))
    }

    /// The site of the current instruction.
    pub fn site(&self) -> u32 {
        self.thread.frames.last().map_or(0, |frame| self.program.site(frame.function, frame.pc))
    }

    /// The next thing is one that other threads may notice: only one of these in a step.
    #[inline]
    pub fn act(&mut self) -> Result<()> {
        if self.thread.atomic > 0 {
            return Ok(());
        }
        if self.step.acted {
            return Err(Stop::Pause);
        }
        self.step.acted = true;
        self.step.changed = true;
        Ok(())
    }

    /// The run ends here and is of no interest. But what this step changed was there before: others
    /// may notice it, and this thread never move again.
    pub fn prune(&self) -> Stop {
        match self.step.changed && self.thread.atomic == 0 {
            true => Stop::Pause,
            false => Stop::Pruned,
        }
    }

    /// The same for something that only a property may notice.
    pub fn act_if(&mut self, seen: bool) -> Result<()> {
        if seen { self.act() } else { Ok(()) }
    }

    /// The same where one instruction or native function has already acted: `before` is whether
    /// the step had done so before that.
    pub fn act_once(&mut self, before: bool, seen: bool) -> Result<()> {
        if seen {
            self.step.acted = before;
        }
        self.act_if(seen)
    }

    /// May a property notice that these objects end?
    pub fn sees_end_of(&self, objects: &[ObjectId]) -> bool {
        let shared = |id: &ObjectId| self.work.object(*id).is_some_and(|object| object.shared);
        self.watch.follows() && objects.iter().any(shared)
    }

    /// The reductions that end a step by the kind of the next instruction.
    fn pause_by_kind(&mut self, code: &Code) -> Result<()> {
        if self.thread.atomic > 0 || self.step.count == 0 {
            return Ok(());
        }
        let memory = matches!(
            code,
            Code::Load { .. }
                | Code::Store { .. }
                | Code::Update { .. }
                | Code::CompareExchange { .. }
        );
        let branch =
            matches!(code, Code::Branch { .. } | Code::Switch(_) | Code::IndirectJump { .. });
        let pause = match self.options.reduction {
            Reduction::None => true,
            Reduction::Tau => memory || branch,
            Reduction::TauPlus | Reduction::Full => false,
        };
        if pause { Err(Stop::Pause) } else { Ok(()) }
    }

    #[inline]
    pub fn value(&self, frame: &Frame, arg: Arg) -> Value {
        match arg {
            Arg::Reg(reg) => frame.registers[reg as usize],
            Arg::Const(index) => self.program.pool[index as usize],
            Arg::ThreadLocal(index) => {
                Value::pointer(self.thread.locals.get(index as usize).copied().unwrap_or(0), 0)
            }
        }
    }

    /// The value of an operand of the current instruction.
    #[inline]
    pub fn get(&mut self, arg: Arg) -> Value {
        if let Arg::ThreadLocal(index) = arg {
            return Value::pointer(self.thread_local(index), 0);
        }
        self.value(self.frame(), arg)
    }

    #[inline]
    fn set(&mut self, reg: Reg, value: Value) {
        self.frame_mut().registers[reg as usize] = value;
    }

    fn thread_local(&mut self, index: u32) -> ObjectId {
        self.thread.locals.resize(self.program.thread_locals.len(), 0);
        match self.thread.locals[index as usize] {
            0 => {
                let object = self.program.thread_locals[index as usize].object.clone();
                let id = self.work.add_object(object);
                self.thread.locals[index as usize] = id;
                id
            }
            id => id,
        }
    }

    fn instruction(&mut self) -> Result<()> {
        let program = self.program;
        let frame = self.frame();
        let function = &program.functions[frame.function as usize];
        let Some(code) = function.code.get(frame.pc as usize) else {
            return Err(trap("unreachable", "the end of a function without a return").into());
        };
        let site = function.first_site + frame.pc;
        if self.options.reduction != Reduction::Full {
            self.pause_by_kind(code)?;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.at(program, &self.work, &self.thread);
        }
        self.covered[site as usize] = true;
        self.execute(code)?;
        self.step.count += 1;
        if self.step.count.is_multiple_of(LONG_STEP) {
            self.long_step()?;
        }
        if self.step.events != 0 && self.thread.atomic == 0 {
            // The event belongs to this state and to no other.
            return Err(Stop::Pause);
        }
        Ok(())
    }

    fn long_step(&self) -> Result<()> {
        if self.step.count >= ENDLESS_STEP {
            let message = "an atomic section that does not seem to end";
            return Err(trap(arith::UNSUPPORTED, message).into());
        }
        match &self.interrupt {
            Some(flag) if flag.load(Relaxed) => Err(Stop::Pruned),
            _ => Ok(()),
        }
    }

    fn execute(&mut self, code: &'p Code) -> Result<()> {
        match code {
            Code::Binary { op, bits, flags, dst, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let value = match arith::binary(*op, *bits, *flags, a, b) {
                    Ok(value) => value,
                    Err(_) if self.options.optimised && *op == BinaryOp::Sub && a.is_null() => {
                        Value::undefined(*bits)
                    }
                    Err(trap) => self.deferred(trap, Some(*op), *bits)?,
                };
                self.set(*dst, value);
            }
            Code::Compare { predicate, bits, dst, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let value = arith::compare(*predicate, *bits, self.program.global_count(), a, b)?;
                self.set(*dst, value);
            }
            Code::Copy { dst, a } => {
                let value = self.get(*a);
                self.set(*dst, value);
            }
            Code::SetLocal { dst, a } => {
                let value = self.get(*a);
                if let Some(recorder) = &mut self.recorder {
                    recorder.set_local(self.program, &self.work, &self.thread, *dst, value);
                }
                self.set(*dst, value);
            }
            Code::Load { dst, pointer, offset, scalar, atomic } => {
                let pointer = self.get(*pointer);
                self.load(*dst, pointer, *offset, *scalar, *atomic)?;
            }
            Code::Store { value, pointer, offset, scalar, atomic } => {
                let values = [self.get(value[0]), self.get(value[1])];
                let pointer = self.get(*pointer);
                self.store(values, pointer, *offset, *scalar, *atomic)?;
            }
            Code::Address { dst, a, index, bits, scale, offset, inbounds } => {
                let (a, index) = (self.get(*a), self.get(*index));
                let value = compute::address(a, index, *bits, *scale, *offset, *inbounds)?;
                self.set(*dst, value);
            }
            Code::Jump(to) => return self.jump(*to),
            Code::Branch { condition, then, otherwise } => {
                let condition = self.get(*condition);
                if condition.undef & 1 != 0 {
                    return Err(trap(
                        "uninitialised",
                        "a branch depends on an uninitialised value",
                    )
                    .into());
                }
                return self.jump(if condition.bits & 1 != 0 { *then } else { *otherwise });
            }
            Code::Switch(switch) => {
                let value = self.get(switch.value);
                if value.undef != 0 {
                    return Err(trap(
                        "uninitialised",
                        "a switch depends on an uninitialised value",
                    )
                    .into());
                }
                if value.object != 0 && value.piece != 0 {
                    let message = "a switch on a part of a pointer";
                    return Err(trap(arith::UNSUPPORTED, message).into());
                }
                if value.object != 0 {
                    // An address is none of the numbers in a program.
                    return self.jump(switch.default);
                }
                let case = switch.cases.binary_search_by_key(&value.bits, |case| case.0);
                return self.jump(case.map_or(switch.default, |at| switch.cases[at].1));
            }
            Code::Call(call) => return self.call(call),
            Code::Return(values) => return self.return_from(values),
            Code::Parallel(copies) => {
                let values: Vec<Value> = copies.iter().map(|(_, arg)| self.get(*arg)).collect();
                for ((dst, _), value) in copies.iter().zip(values) {
                    self.set(*dst, value);
                }
            }
            Code::CheckIndex { index, bits, count, limit } => {
                let index = self.get(*index);
                self.check_index(index, *bits, *count, *limit)?;
            }
            Code::Begin { dst, alloca } => self.begin_block(*dst, *alloca),
            Code::End { variable } => {
                let variable = self.get(*variable);
                self.act_if(self.sees_end_of(&[variable.object]))?;
                self.end_block(variable);
            }
            Code::Alloca { dst, size, count, .. } => self.alloca(*dst, *size, *count)?,
            Code::CompareExchange { dst, pointer, scalar, expected, new, weak } => {
                let pointer = self.get(*pointer);
                let (expected, new) =
                    (expected.map(|arg| self.get(arg)), new.map(|arg| self.get(arg)));
                self.compare_exchange(*dst, pointer, *scalar, expected, new, *weak)?;
            }
            Code::Update { op, dst, pointer, scalar, value } => {
                let (pointer, value) = (self.get(*pointer), value.map(|arg| self.get(arg)));
                self.update(*op, *dst, pointer, *scalar, value)?;
            }
            Code::Fence => {}
            Code::IndirectJump { address, targets } => {
                let address = self.get(*address);
                return self.indirect_jump(address, targets);
            }
            Code::Unreachable => {
                return Err(
                    trap("unreachable", "control reaches a place that it must not reach").into()
                );
            }
            Code::Unsupported(what) => {
                return Err(trap(arith::UNSUPPORTED, format!("not supported: {what}")).into());
            }
            other => self.compute(other)?,
        }
        self.frame_mut().pc += 1;
        Ok(())
    }

    #[inline]
    fn jump(&mut self, to: u32) -> Result<()> {
        let back = to <= self.frame().pc;
        self.frame_mut().pc = to;
        if back && self.thread.atomic == 0 {
            match self.options.reduction {
                Reduction::Full | Reduction::Tau if self.step.count >= LONG_STEP => {
                    self.step.count += 1;
                    return Err(Stop::Pause);
                }
                Reduction::TauPlus => {
                    let here = (self.thread.frames.len() as u32, to);
                    if self.step.visited.contains(&here) {
                        return Err(Stop::Pause);
                    }
                    self.step.visited.push(here);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn indirect_jump(&mut self, address: Value, targets: &[(u32, u32)]) -> Result<()> {
        let block = match address.function() {
            Some(of) if of == self.frame().function => address.bits.checked_sub(1),
            _ => None,
        };
        // Through the edge, which gives the block's phis their values.
        match targets.iter().find(|(of, _)| block == Some(u64::from(*of))) {
            Some((_, place)) => self.jump(*place),
            None => Err(trap("wild", "a computed goto to an address that is no label").into()),
        }
    }
}
