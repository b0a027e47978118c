//! The operations, one after the other, up to the end of an action.

use super::{
    Acted, Answer, Frame, Id, Kernel, MOST_CHANNELS, MOST_FRAMES, MOST_PROCESSES, MOST_STACK,
    Offer, Prepared, Process, Target, TargetKind, Ways, World,
};
use crate::arith;
use crate::code::{Op, Pc, Reference};
use crate::tree::{Binary, Output};
use crate::types::{self, Scalar};
use auspex_system::Fault;

/// Who looks on while code is executed.
pub trait Watcher {
    /// An operation is about to be executed.
    fn at(&mut self, kernel: &Kernel<'_>, id: Id, me: &Process, pc: Pc);
    /// Values went from one process to another one.
    fn transferred(&mut self, kernel: &Kernel<'_>, from: (Id, Pc, u16), to: (Id, Pc), data: &[u8]) {
        let _ = (kernel, from, to, data);
    }
}

impl Watcher for () {
    #[inline]
    fn at(&mut self, _: &Kernel<'_>, _: Id, _: &Process, _: Pc) {}
}

/// Why execution stops.
#[derive(Debug)]
pub enum Stop {
    Reschedule(Pc),
    Communicate {
        select: bool,
    },
    Created(Pc),
    Ended(Pc),
    Decided(i64),
    NoMove,
    /// The world has no answer.
    Waits,
    Interrupted,
}

/// Jumps back after which a loop is suspected.
const SUSPICIOUS: u64 = 1 << 12;
/// How often the outside is asked whether it still waits.
const PATIENCE: u64 = 1 << 16;

/// Finds loops that change nothing (Brent).
struct Loops {
    count: u64,
    next: u64,
    seen: Option<Box<Seen>>,
}

/// Everything that a loop could change.
struct Seen {
    pc: Pc,
    me: Process,
    globals: Vec<u8>,
    others: Vec<Option<Box<Process>>>,
}

impl<'o> Kernel<'o> {
    #[inline]
    fn memory<'a>(&'a self, id: Id, me: &'a Process, memory: u16) -> &'a [u8] {
        if memory == id {
            return &me.bytes;
        }
        match memory {
            Reference::GLOBALS => &self.globals,
            Reference::TEXTS => &self.object.texts,
            Reference::PROPERTY => self.property.as_ref().map_or(&[], |property| &property.bytes),
            other => match self.processes.get(other as usize) {
                Some(Some(process)) => &process.bytes,
                _ => &[],
            },
        }
    }

    #[inline]
    fn memory_mut<'a>(&'a mut self, id: Id, me: &'a mut Process, memory: u16) -> &'a mut [u8] {
        if memory == id {
            return &mut me.bytes;
        }
        match memory {
            Reference::GLOBALS => {
                self.globals_touched = true;
                &mut self.globals
            }
            Reference::PROPERTY => {
                self.property.as_mut().map_or(&mut [], |property| &mut property.bytes)
            }
            other => match self.processes.get_mut(other as usize) {
                Some(Some(process)) => {
                    self.touched.push(other);
                    &mut process.bytes
                }
                _ => &mut [],
            },
        }
    }

    /// The value at a reference.
    #[inline]
    pub(super) fn load(&self, id: Id, me: &Process, at: Reference, scalar: Scalar) -> i64 {
        let bytes = self.memory(id, me, at.memory);
        types::load(scalar, bytes.get(at.offset as usize..).unwrap_or(&[]))
    }

    /// Appends the bytes at a reference.
    pub(super) fn copy_out(
        &self,
        id: Id,
        me: &Process,
        at: Reference,
        count: u32,
        out: &mut Vec<u8>,
    ) {
        let bytes = self.memory(id, me, at.memory);
        let start = at.offset as usize;
        out.extend_from_slice(bytes.get(start..start + count as usize).unwrap_or(&[]));
    }

    #[inline]
    pub(super) fn store(
        &mut self,
        id: Id,
        me: &mut Process,
        at: Reference,
        scalar: Scalar,
        value: i64,
    ) {
        if scalar == Scalar::Port {
            self.garbage = true;
        }
        let bytes = self.memory_mut(id, me, at.memory);
        put(bytes, at.offset, scalar, value);
    }

    pub(super) fn copy_in(&mut self, id: Id, me: &mut Process, at: Reference, data: &[u8]) {
        self.garbage = true;
        let start = at.offset as usize;
        let bytes = self.memory_mut(id, me, at.memory);
        if let Some(bytes) = bytes.get_mut(start..start + data.len()) {
            bytes.copy_from_slice(data);
        }
    }

    fn out_of_range(&self, scalar: Scalar, value: i64, pc: Pc) -> Fault {
        let (low, high) = scalar.range();
        let name = self.object.debug.types.show(types::Types::scalar(scalar));
        self.fault("range", format!("{value} does not fit into {name} ({low} to {high})"), pc)
    }

    fn trouble(&self, trouble: arith::Trouble, pc: Pc) -> Fault {
        self.fault(trouble.kind(), trouble.message(), pc)
    }

    /// Executes code from `pc` on. `me` is not among the processes meanwhile.
    pub(super) fn run<W: World, O: Watcher>(
        &mut self,
        id: Id,
        me: &mut Process,
        pc: Pc,
        at_start: bool,
        world: &mut W,
        watcher: &mut O,
    ) -> Result<Stop, Fault> {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        let result = self.execute(id, me, pc, at_start, &mut stack, world, watcher);
        self.stack = stack;
        result
    }

    #[allow(clippy::too_many_arguments)]
    fn execute<W: World, O: Watcher>(
        &mut self,
        id: Id,
        me: &mut Process,
        start: Pc,
        at_start: bool,
        stack: &mut Vec<i64>,
        world: &mut W,
        watcher: &mut O,
    ) -> Result<Stop, Fault> {
        let code: &'o [Op] = &self.object.code;
        let mut pc = start;
        let mut base = me.frames.last().map_or(0, |frame| frame.base);
        let mut first = at_start;
        let mut loops = Loops { count: 0, next: SUSPICIOUS, seen: None };
        macro_rules! pop {
            () => {
                stack.pop().unwrap_or(0)
            };
        }
        // A jump back may be one of a loop that never ends.
        macro_rules! jump {
            ($to:expr) => {{
                if $to <= pc && looped($to, &mut loops, world) {
                    match self.judge(&mut loops, me, $to, world) {
                        Some(Acted::Interrupted) => return Ok(Stop::Interrupted),
                        Some(_) => return Err(self.endless(pc)),
                        None => {}
                    }
                }
                pc = $to;
                continue;
            }};
        }
        loop {
            let Some(op) = code.get(pc as usize) else {
                return Err(self.fault("unsupported", "the code ends where it should not", pc));
            };
            watcher.at(self, id, me, pc);
            let is_first = first;
            // What is behind a jump is still the beginning.
            first &= matches!(op, Op::Jump(_));
            match *op {
                Op::Constant(value) => stack.push(value.into()),
                Op::LongConstant(value) => stack.push(value),
                Op::LoadLocal(offset, scalar) => {
                    let at = base.wrapping_add(offset) as usize;
                    stack.push(types::load(scalar, me.bytes.get(at..).unwrap_or(&[])));
                }
                Op::LoadGlobal(offset, scalar) => {
                    let bytes = self.globals.get(offset as usize..).unwrap_or(&[]);
                    stack.push(types::load(scalar, bytes));
                }
                Op::Load(scalar) => {
                    let at = Reference::of(pop!());
                    stack.push(self.load(id, me, at, scalar));
                }
                Op::StoreLocal(offset, scalar) => {
                    let value = pop!();
                    if !scalar.holds(value) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    self.garbage |= scalar == Scalar::Port;
                    put(&mut me.bytes, base.wrapping_add(offset), scalar, value);
                }
                Op::StoreGlobal(offset, scalar) => {
                    let value = pop!();
                    if !scalar.holds(value) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    self.garbage |= scalar == Scalar::Port;
                    self.globals_touched = true;
                    put(&mut self.globals, offset, scalar, value);
                }
                Op::Store(scalar) => {
                    let value = pop!();
                    let at = Reference::of(pop!());
                    if !scalar.holds(value) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    self.store(id, me, at, scalar, value);
                }
                Op::StoreBelow(scalar) => {
                    let at = Reference::of(pop!());
                    let value = pop!();
                    if !scalar.holds(value) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    self.store(id, me, at, scalar, value);
                }
                Op::IncrementLocal(offset, scalar, by) => {
                    let at = base.wrapping_add(offset);
                    let bytes = me.bytes.get(at as usize..).unwrap_or(&[]);
                    let value = types::load(scalar, bytes).wrapping_add(by.into());
                    // Wrapped around: it does not fit either.
                    if !scalar.holds(value) || scalar == Scalar::Int64 && wraps(value, by) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    put(&mut me.bytes, at, scalar, value);
                }
                Op::IncrementGlobal(offset, scalar, by) => {
                    let bytes = self.globals.get(offset as usize..).unwrap_or(&[]);
                    let value = types::load(scalar, bytes).wrapping_add(by.into());
                    if !scalar.holds(value) || scalar == Scalar::Int64 && wraps(value, by) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    self.globals_touched = true;
                    put(&mut self.globals, offset, scalar, value);
                }
                Op::Unary(op) => {
                    let a = pop!();
                    stack.push(arith::unary(op, a).map_err(|t| self.trouble(t, pc))?);
                }
                Op::Binary(op) => {
                    let b = pop!();
                    let a = pop!();
                    stack.push(self.binary(op, a, b, pc)?);
                }
                Op::SetRange => {
                    let to = pop!();
                    let from = pop!();
                    stack.push(arith::range(from, to).map_err(|t| self.trouble(t, pc))?);
                }
                Op::Cast(scalar) => {
                    let value = pop!();
                    stack.push(scalar.cut(value));
                }
                Op::Check(scalar) => {
                    let value = pop!();
                    if !scalar.holds(value) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    stack.push(value);
                }
                Op::LocalReference(offset) => {
                    stack.push(Reference { memory: id, offset: base.wrapping_add(offset) }.value());
                }
                Op::GlobalReference(offset) => {
                    stack.push(Reference { memory: Reference::GLOBALS, offset }.value());
                }
                Op::TextReference(offset) => {
                    stack.push(Reference { memory: Reference::TEXTS, offset }.value());
                }
                Op::FrameReference(hops) => {
                    let mut at = Reference { memory: id, offset: base };
                    for _ in 0..hops {
                        at = Reference::of(self.load(id, me, at, Scalar::Reference));
                    }
                    stack.push(at.value());
                }
                Op::Offset(further) => {
                    let mut at = Reference::of(pop!());
                    at.offset = at.offset.wrapping_add(further);
                    stack.push(at.value());
                }
                Op::Index { length, element } => {
                    let index = pop!();
                    let at = Reference::of(pop!());
                    stack.push(self.element(at, index, length.into(), element, pc)?);
                }
                Op::IndexOpen { element } => {
                    let length = pop!();
                    let index = pop!();
                    let at = Reference::of(pop!());
                    stack.push(self.element(at, index, length, element, pc)?);
                }
                Op::Copy(count) => {
                    let from = Reference::of(pop!());
                    let to = Reference::of(pop!());
                    let mut bytes = Vec::with_capacity(count as usize);
                    self.copy_out(id, me, from, count, &mut bytes);
                    self.copy_in(id, me, to, &bytes);
                }
                Op::CopyText { text, length, room } => {
                    let to = Reference::of(pop!());
                    let bytes = self.text(text, length, room);
                    self.copy_in(id, me, to, &bytes);
                }
                Op::Jump(to) => jump!(to),
                Op::JumpIf(to) | Op::JumpIfNot(to) => {
                    let value = pop!() != 0;
                    if value == matches!(op, Op::JumpIf(_)) {
                        jump!(to);
                    }
                }
                Op::JumpCompare { op, on, to } => {
                    let b = pop!();
                    let a = pop!();
                    if compare(op, a, b) == on {
                        jump!(to);
                    }
                }
                Op::NoCase => {
                    let value = pop!();
                    let message = format!("no arm of the CASE fits {value}, and there is no ELSE");
                    return Err(self.fault("case", message, pc));
                }
                Op::Assert => {
                    if pop!() == 0 {
                        let text = self.object.statement_at(pc).map_or("", |s| s.text.as_str());
                        return Err(self.fault("assertion", text, pc));
                    }
                }
                Op::PrepareCall(process) => {
                    let size = self.frame_size(process);
                    let base = me.bytes.len();
                    if me.frames.len() >= MOST_FRAMES || base + size > MOST_STACK {
                        return Err(self.fault("stack", "the calls are nested too deep", pc));
                    }
                    me.bytes.resize(base + size, 0);
                    self.prepared = Some(Prepared::Call { base: base as u32 });
                }
                Op::PrepareCreate(process) => {
                    let created = self.new_process(process, id);
                    self.prepared = Some(Prepared::Create(created));
                }
                Op::Argument(offset, scalar) => {
                    let value = pop!();
                    if !scalar.holds(value) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    let (bytes, base) = self.prepared_bytes(me);
                    put(bytes, base + offset, scalar, value);
                }
                Op::ArgumentBytes { offset, bytes: count } => {
                    let from = Reference::of(pop!());
                    let mut data = Vec::with_capacity(count as usize);
                    self.copy_out(id, me, from, count, &mut data);
                    self.argument_bytes(me, offset, &data);
                }
                Op::ArgumentText { offset, text, length } => {
                    let data = self.text(text, length, length);
                    self.argument_bytes(me, offset, &data);
                }
                Op::Call(process) => {
                    let Some(Prepared::Call { base: new_base }) = self.prepared.take() else {
                        return Err(self.fault("unsupported", "a call without its record", pc));
                    };
                    me.frames.push(Frame { process, return_to: pc + 1, base: new_base });
                    base = new_base;
                    pc = self.object.processes.get(process as usize).map_or(Pc::MAX, |p| p.entry);
                    continue;
                }
                Op::Return => {
                    if me.frames.len() <= 1 {
                        return Ok(Stop::Ended(pc));
                    }
                    if let Some(frame) = me.frames.pop() {
                        let code = self.object.processes.get(frame.process as usize);
                        self.garbage |= code.is_some_and(|code| !code.ports.is_empty());
                        me.bytes.truncate(frame.base as usize);
                        pc = frame.return_to;
                    }
                    base = me.frames.last().map_or(0, |frame| frame.base);
                    continue;
                }
                Op::Deadline | Op::Period => {
                    let value = pop!();
                    self.set_time(*op, value, pc)?;
                }
                Op::Start => self.start(id, me, pc)?,
                Op::Clause(_) => {
                    let channel = pop!();
                    if channel == 0 {
                        let message = "the port leads to no channel: there was no NEW";
                        return Err(self.fault("port", message, pc));
                    }
                    let (data, targets) = Default::default();
                    me.offers.push(Offer { site: pc, channel: channel as u16 - 1, data, targets });
                }
                Op::FieldValue(scalar) => {
                    let value = pop!();
                    if !scalar.holds(value) {
                        return Err(self.out_of_range(scalar, value, pc));
                    }
                    if let Some(offer) = me.offers.last_mut() {
                        let bytes = value.to_le_bytes();
                        offer.data.extend_from_slice(&bytes[..scalar.bytes() as usize]);
                    }
                }
                Op::FieldBytes(count) => {
                    let from = Reference::of(pop!());
                    let mut data = Vec::with_capacity(count as usize);
                    self.copy_out(id, me, from, count, &mut data);
                    if let Some(offer) = me.offers.last_mut() {
                        offer.data.extend_from_slice(&data);
                    }
                }
                Op::FieldText { text, length, room } => {
                    let data = self.text(text, length, room);
                    if let Some(offer) = me.offers.last_mut() {
                        offer.data.extend_from_slice(&data);
                    }
                }
                Op::FieldInto(scalar) => target(me, pop!(), TargetKind::Scalar(scalar)),
                Op::FieldIntoBytes(count) => target(me, pop!(), TargetKind::Bytes(count)),
                Op::FieldMatch => target(me, pop!(), TargetKind::Match),
                Op::New(kind) => {
                    let at = Reference::of(pop!());
                    let port = self.add_channel(kind as u16);
                    if port == 0 {
                        let message = format!("there are more than {MOST_CHANNELS} channels");
                        return Err(self.fault("limit", message, pc));
                    }
                    self.store(id, me, at, Scalar::Port, port.into());
                }
                Op::Communicate => return Ok(Stop::Communicate { select: false }),
                Op::Select => return Ok(Stop::Communicate { select: true }),
                Op::Reschedule => return Ok(Stop::Reschedule(pc + 1)),
                Op::Choice(table) => {
                    if !is_first {
                        return Ok(Stop::Reschedule(pc));
                    }
                    let ways = self.object.choices.get(table as usize).map_or(&[][..], |c| c);
                    let way = world.choose(ways.len(), Ways::Choice);
                    let Some(to) = ways.get(way) else {
                        return Err(self.fault("unsupported", "a choice without alternatives", pc));
                    };
                    pc = *to;
                    continue;
                }
                Op::Created => return Ok(Stop::Created(pc + 1)),
                Op::End => return Ok(Stop::Ended(pc)),
                Op::Decided => return Ok(Stop::Decided(pop!())),
                Op::Accept => self.accepting = true,
                Op::NoMove => return Ok(Stop::NoMove),
                Op::Output(what) => {
                    let value = if what == Output::Line { 0 } else { pop!() };
                    let width = std::mem::take(&mut self.width);
                    world.output(&printed(what, value, width));
                }
                Op::OutputText => {
                    let length = pop!();
                    let at = Reference::of(pop!());
                    let bytes = self.memory(id, me, at.memory);
                    let bytes = bytes.get(at.offset as usize..).unwrap_or(&[]);
                    let bytes = bytes.get(..length.max(0) as usize).unwrap_or(bytes);
                    world.output(bytes.split(|byte| *byte == 0).next().unwrap_or(&[]));
                }
                Op::Width => self.width = pop!().clamp(0, 1000) as usize,
                Op::Input(_) | Op::Clock => {
                    if !is_first {
                        return Ok(Stop::Reschedule(pc));
                    }
                    let answer = match op {
                        Op::Input(scalar) => world.input(*scalar),
                        _ => world.clock(),
                    };
                    match self.answered(answer, pc)? {
                        Some(value) => stack.push(value),
                        None => return Ok(Stop::Waits),
                    }
                }
                Op::HostOut(bytes) => {
                    let value = pop!();
                    let address = pop!();
                    let answer = world.host_out(address, value, bytes);
                    self.answered(answer, pc)?;
                }
                Op::HostIn(bytes) => {
                    let address = pop!();
                    let answer = world.host_in(address, bytes);
                    let value = self.answered(answer, pc)?.unwrap_or(0);
                    stack.push(value);
                }
            }
            pc += 1;
        }
    }

    fn answered(&self, answer: Answer, pc: Pc) -> Result<Option<i64>, Fault> {
        match answer {
            Answer::Value(value) => Ok(Some(value)),
            Answer::Wait => Ok(None),
            Answer::Unknown(kind, why) => Err(self.fault(kind, why, pc)),
        }
    }

    #[inline]
    fn binary(&self, op: Binary, a: i64, b: i64, pc: Pc) -> Result<i64, Fault> {
        match op {
            Binary::Equal => Ok(i64::from(a == b)),
            Binary::Less => Ok(i64::from(a < b)),
            _ => arith::binary(op, a, b).map_err(|trouble| self.trouble(trouble, pc)),
        }
    }

    fn element(
        &self,
        at: Reference,
        index: i64,
        length: i64,
        element: u32,
        pc: Pc,
    ) -> Result<i64, Fault> {
        if !(0..length).contains(&index) {
            let message =
                format!("the index {index} is outside of the array (0 to {})", length - 1);
            return Err(self.fault("index", message, pc));
        }
        let offset = at.offset.wrapping_add((index as u32).wrapping_mul(element));
        Ok(Reference { offset, ..at }.value())
    }

    /// A constant in quotes, filled up with zeros.
    fn text(&self, text: u32, length: u32, room: u32) -> Vec<u8> {
        let start = text as usize;
        let bytes = self.object.texts.get(start..start + length as usize).unwrap_or(&[]);
        let mut bytes = bytes.to_vec();
        bytes.resize(room as usize, 0);
        bytes
    }

    fn frame_size(&self, process: u32) -> usize {
        self.object.processes.get(process as usize).map_or(0, |code| code.size as usize)
    }

    fn prepared_bytes<'a>(&'a mut self, me: &'a mut Process) -> (&'a mut [u8], u32) {
        match &mut self.prepared {
            Some(Prepared::Create(process)) => (&mut process.bytes, 0),
            Some(Prepared::Call { base }) => (&mut me.bytes, *base),
            None => (&mut [], 0),
        }
    }

    fn argument_bytes(&mut self, me: &mut Process, offset: u32, data: &[u8]) {
        let (bytes, base) = self.prepared_bytes(me);
        let start = (base + offset) as usize;
        if let Some(bytes) = bytes.get_mut(start..start + data.len()) {
            bytes.copy_from_slice(data);
        }
    }

    fn set_time(&mut self, op: Op, value: i64, pc: Pc) -> Result<(), Fault> {
        let Ok(time @ 1..) = u32::try_from(value) else {
            return Err(self.fault("range", format!("{value} is no time in milliseconds"), pc));
        };
        if let Some(Prepared::Create(process)) = &mut self.prepared {
            match op {
                Op::Deadline => process.timing.deadline = time,
                _ => {
                    process.timing.period = time;
                    process.again = Some(process.bytes.clone());
                }
            }
        }
        Ok(())
    }

    /// The process that was prepared becomes one of those that run.
    fn start(&mut self, id: Id, me: &mut Process, pc: Pc) -> Result<(), Fault> {
        let Some(Prepared::Create(process)) = self.prepared.take() else {
            return Err(self.fault("unsupported", "a process without its record", pc));
        };
        let own = id as usize;
        let free = (0..self.processes.len()).find(|i| *i != own && self.processes[*i].is_none());
        let index = free.unwrap_or(self.processes.len());
        if index >= MOST_PROCESSES {
            let message = format!("there are more than {MOST_PROCESSES} processes");
            return Err(self.fault("limit", message, pc));
        }
        match self.processes.get_mut(index) {
            Some(slot) => *slot = Some(process),
            None => self.processes.push(Some(process)),
        }
        me.children += 1;
        self.touched.push(index as Id);
        self.woken.push(index as Id);
        Ok(())
    }

    /// `Some(Done)`: the loop never ends.
    #[cold]
    fn judge<W: World>(
        &self,
        loops: &mut Loops,
        me: &Process,
        to: Pc,
        world: &mut W,
    ) -> Option<Acted> {
        if loops.count.is_multiple_of(PATIENCE) && world.is_interrupted() {
            return Some(Acted::Interrupted);
        }
        if let Some(seen) = &loops.seen
            && seen.pc == to
            && seen.me == *me
            && seen.globals == self.globals
            && seen.others == self.processes
        {
            return Some(Acted::Done);
        }
        if loops.count >= loops.next && world.looks_for_loops() {
            loops.next = loops.count * 2;
            let (globals, others) = (self.globals.clone(), self.processes.clone());
            loops.seen = Some(Box::new(Seen { pc: to, me: me.clone(), globals, others }));
        }
        None
    }

    #[cold]
    fn endless(&self, pc: Pc) -> Fault {
        self.fault("endless", "this loop never ends, and lets no other process run", pc)
    }
}

/// Was a sum of 64 bits too large?
fn wraps(sum: i64, by: i32) -> bool {
    sum.checked_sub(by.into()).is_none()
}

#[inline]
fn compare(op: Binary, a: i64, b: i64) -> bool {
    match op {
        Binary::Equal => a == b,
        Binary::Unequal => a != b,
        Binary::Less => a < b,
        Binary::LessEqual => a <= b,
        Binary::Greater => a > b,
        _ => a >= b,
    }
}

/// Is it time to look whether a loop ever ends?
#[inline]
fn looped<W: World>(to: Pc, loops: &mut Loops, world: &W) -> bool {
    loops.count += 1;
    let compare = loops.seen.as_ref().is_some_and(|seen| seen.pc == to);
    let due = loops.count >= loops.next && world.looks_for_loops();
    compare || due || loops.count.is_multiple_of(PATIENCE)
}

fn target(me: &mut Process, value: i64, kind: TargetKind) {
    if let Some(offer) = me.offers.last_mut() {
        offer.targets.push(Target { value, kind });
    }
}

#[inline]
pub(super) fn put(bytes: &mut [u8], offset: u32, scalar: Scalar, value: i64) {
    let start = offset as usize;
    let count = scalar.bytes() as usize;
    if let Some(bytes) = bytes.get_mut(start..start + count) {
        bytes.copy_from_slice(&value.to_le_bytes()[..count]);
    }
}

fn printed(what: Output, value: i64, width: usize) -> Vec<u8> {
    match what {
        Output::Int => format!("{value:width$}").into_bytes(),
        Output::Hex => format!("{:X}", value).into_bytes(),
        Output::Char => vec![value as u8],
        Output::Bool => if value != 0 { "TRUE" } else { "FALSE" }.into(),
        Output::String => Vec::new(),
        Output::Line => b"\n".to_vec(),
    }
}
