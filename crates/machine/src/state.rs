//! States as bytes: canonical, in parts that change together.
//!
//! Objects are numbered in the order in which they are reached from the globals and the threads, so
//! two states that differ only in the order of allocations are one. What cannot be reached is left
//! out. Layout: the number of threads (and events, if some were raised); each global that can change; each other object; each thread:
//! a head and its frames. Registers that are not read later are left out.

use crate::code::{Code, Program};
use crate::object::{Kind, Object, PointerAt};
use crate::value::{FUNCTION, ObjectId, Scalar, Value};
use crate::work::{Frame, Raised, Thread, Work};
use auspex_system::StateRef;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Beside the number of threads, which is at most 64.
pub const RAISED: u8 = 0x80;

/// The first byte of an object has its kind, and whether it is shared.
const SHARED: u8 = 0x10;

/// Marks an object that a step has made, and that has no number yet: the rest says which. See `memo`.
pub const MADE: ObjectId = 1 << 30;

/// A state under construction, and how objects were renumbered.
#[derive(Debug, Default)]
pub struct Encoder {
    pub bytes: Vec<u8>,
    pub cuts: Vec<u32>,
    /// The new number of each object, 0 for one not reached.
    pub numbers: Vec<ObjectId>,
    /// The same for objects that a step has made: see [`MADE`].
    pub made: Vec<ObjectId>,
    /// The objects in their new order.
    order: Vec<ObjectId>,
}

impl Encoder {
    pub fn state(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }

    /// The new number of each object, 0 for one that is not part of the state.
    pub fn numbers(&self) -> &[ObjectId] {
        &self.numbers
    }

    /// The heap objects that nothing reaches any more.
    pub fn lost<'w>(&self, work: &'w Work) -> Option<&'w Object> {
        work.objects.iter().zip(&self.numbers).find_map(|(object, number)| {
            object.as_deref().filter(|o| *number == 0 && o.kind == Kind::Heap)
        })
    }

    /// Encodes a state.
    pub fn encode(&mut self, program: &Program, work: &Work) {
        self.renumber(program, work);
        self.bytes.clear();
        self.cuts.clear();
        self.start(work.threads.len(), self.order.len() as u32, work.raised);
        let order = std::mem::take(&mut self.order);
        for id in &order {
            self.cut();
            if let Some(object) = work.object(*id) {
                self.object(program, object, *id <= program.variable_globals);
            }
        }
        self.order = order;
        for thread in &work.threads {
            self.cut();
            self.thread_head(program, thread, thread.frames.len());
            for (index, frame) in thread.frames.iter().enumerate() {
                self.cut();
                self.frame(program, frame, index + 1 == thread.frames.len());
            }
        }
    }

    /// The first part.
    pub fn start(&mut self, threads: usize, objects: u32, raised: Option<Raised>) {
        self.bytes.push(threads as u8 | if raised.is_some() { RAISED } else { 0 });
        self.u32(objects);
        if let Some(Raised { events, by }) = raised {
            self.bytes.push(by);
            self.bytes.extend_from_slice(&events.to_le_bytes());
        }
    }

    fn cut(&mut self) {
        self.cuts.push(self.bytes.len() as u32);
    }

    fn renumber(&mut self, program: &Program, work: &Work) {
        self.numbers.clear();
        self.numbers.resize(work.objects.len(), 0);
        self.order.clear();
        let (numbers, order) = (&mut self.numbers, &mut self.order);
        // Constants come between the globals that change and all others.
        let constants = program.globals.len() as u32 - program.variable_globals;
        let mut reach = |id: ObjectId, order: &mut Vec<ObjectId>| {
            if let Some(number) = numbers.get_mut((id as usize).wrapping_sub(1))
                && *number == 0
                && (id <= program.variable_globals || id > program.globals.len() as u32)
            {
                order.push(id);
                let place = order.len() as u32;
                *number = if place > program.variable_globals { place + constants } else { place };
            }
        };
        (1..=program.variable_globals).for_each(|id| reach(id, order));
        let mut done = 0;
        let follow = |done: &mut usize,
                      order: &mut Vec<ObjectId>,
                      reach: &mut dyn FnMut(ObjectId, &mut Vec<ObjectId>)| {
            while let Some(id) = order.get(*done).copied() {
                *done += 1;
                if let Some(object) = work.object(id) {
                    object.pointers.iter().for_each(|pointer| reach(pointer.object, order));
                }
            }
        };
        follow(&mut done, order, &mut reach);
        for thread in &work.threads {
            work.each_root(thread, |id| reach(id, order));
            // A variable of a function is there as long as the function runs.
            follow(&mut done, order, &mut reach);
        }
    }

    pub fn number_of(&self, program: &Program, id: ObjectId) -> ObjectId {
        if id & FUNCTION != 0
            || (id > program.variable_globals && id <= program.globals.len() as u32)
        {
            return id;
        }
        let number = match id & MADE {
            0 => self.numbers.get((id as usize).wrapping_sub(1)),
            _ => self.made.get((id & !MADE) as usize),
        };
        number.copied().unwrap_or(0)
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub fn object(&mut self, program: &Program, object: &Object, global: bool) {
        const UNDEF: u8 = 0x20;
        const ALL_UNDEF: u8 = 0x40;
        let partly = object.undef.iter().any(|byte| *byte != 0);
        let wholly =
            partly && object.undef.iter().all(|byte| *byte == 0xff) && !object.bytes.is_empty();
        let flags = object.kind as u8
            // What is dead is nobody's.
            | if object.shared && !object.kind.is_dead() { SHARED } else { 0 }
            | if wholly {
                ALL_UNDEF
            } else if partly {
                UNDEF
            } else {
                0
            };
        self.bytes.push(flags);
        if !global {
            self.u32(object.site);
            if object.kind.is_dead() {
                return self.u32(object.freed);
            }
            self.u32(object.bytes.len() as u32);
        }
        self.u32(object.pointers.len() as u32);
        if !wholly {
            self.bytes.extend_from_slice(&object.bytes);
        }
        if partly && !wholly {
            self.bytes.extend_from_slice(&object.undef);
        }
        for pointer in &object.pointers {
            self.u32(pointer.at | u32::from(pointer.piece) << 27);
            let number = self.number_of(program, pointer.object);
            self.u32(number);
        }
    }

    /// Marks the object, which is all that was encoded, as shared, or not.
    pub fn mark(&mut self, object: &Object, shared: bool) {
        if let Some(flags) = self.bytes.first_mut() {
            *flags = *flags & !SHARED | if shared && !object.kind.is_dead() { SHARED } else { 0 };
        }
    }

    pub fn thread_head(&mut self, program: &Program, thread: &Thread, frames: usize) {
        self.bytes.extend([thread.id, thread.atomic as u8]);
        self.u16(thread.start);
        self.u16(frames as u16);
        for index in 0..program.thread_locals.len() {
            let number = match thread.locals.get(index) {
                Some(id) => self.number_of(program, *id),
                None => 0,
            };
            self.u32(number);
        }
    }

    pub fn frame(&mut self, program: &Program, frame: &Frame, top: bool) {
        self.u16(frame.function as u16);
        self.u32(frame.pc | u32::from(frame.atomic) << 31);
        let arguments = self.number_of(program, frame.arguments);
        self.u32(arguments);
        let owned_at = self.bytes.len();
        self.u16(0);
        let mut owned = 0u16;
        for id in &frame.owned {
            match self.number_of(program, *id) {
                0 => {}
                number => {
                    owned += 1;
                    self.u32(number);
                }
            }
        }
        self.bytes[owned_at..owned_at + 2].copy_from_slice(&owned.to_le_bytes());
        // What is not just a number of the register's own width follows at the end.
        let odd_at = self.bytes.len();
        self.u16(0);
        let mut odd: Vec<(u16, Value)> = Vec::new();
        let function = &program.functions[frame.function as usize];
        for reg in live(program, frame, top) {
            let value = frame.registers[reg as usize];
            let pointer = function.registers[reg as usize] == Scalar::Pointer;
            let small = i64::from(value.bits as i64 as i32) == value.bits as i64;
            let plain = value.undef == 0
                && value.piece == 0
                && if pointer { small } else { value.object == 0 };
            if !plain {
                odd.push((reg as u16, value));
            }
            if pointer {
                let number = self.number_of(program, value.object);
                self.u32(if plain { number } else { 0 });
                self.u32(if plain { value.bits as u32 } else { 0 });
            } else {
                let bytes = function.registers[reg as usize].bits(program.pointer).div_ceil(8);
                let bits = if plain { value.bits } else { 0 };
                self.bytes.extend_from_slice(&bits.to_le_bytes()[..usize::from(bytes)]);
            }
        }
        odd.extend(frame.kept.iter().map(|reg| (*reg as u16, frame.registers[*reg as usize])));
        self.bytes[odd_at..odd_at + 2].copy_from_slice(&(odd.len() as u16).to_le_bytes());
        for (reg, value) in odd {
            self.u16(reg);
            let number = self.number_of(program, value.object);
            self.u32(number);
            self.bytes.push(value.piece);
            self.bytes.extend_from_slice(&value.bits.to_le_bytes());
            self.bytes.extend_from_slice(&value.undef.to_le_bytes());
        }
    }
}

/// The registers of a frame that are read later.
pub fn live<'p>(
    program: &'p Program,
    frame: &Frame,
    top: bool,
) -> impl Iterator<Item = u32> + use<'p> {
    let function = &program.functions[frame.function as usize];
    let registers = function.registers.len() as u32;
    let (skip, count) = match frame.pc.checked_sub(1).map(|pc| &function.code[pc as usize]) {
        // The result of the call that this frame waits for is not there yet.
        Some(call @ Code::Call(_)) if !top => call.written(),
        _ => (0, 0),
    };
    let live = match (frame.pc as usize) < function.code.len() {
        true => function.live.before(&function.code, registers, frame.pc),
        false => &[],
    };
    live.iter().copied().filter(move |reg| !(skip..skip + count).contains(reg))
}

/// Is a register part of the state?
pub fn is_live(program: &Program, frame: &Frame, top: bool, register: u32) -> bool {
    live(program, frame, top).any(|live| live == register)
}

/// Objects and frames that were read before: most parts of a state are those of the one before.
#[derive(Debug, Default)]
pub struct Cache {
    /// For each global, and at the end for all other objects.
    objects: Vec<FxHashMap<Box<[u8]>, Rc<Object>>>,
    /// The last frames of threads, and those below.
    frames: [FxHashMap<Box<[u8]>, Rc<Frame>>; 2],
    count: usize,
}

impl Cache {
    /// More than this is forgotten.
    const MOST: usize = 1 << 16;

    pub fn work(&mut self, program: &Program, state: StateRef<'_>) -> Work {
        let mut work = Work::default();
        self.decode(program, state, &mut work);
        work
    }

    /// Reads a state back.
    pub fn decode(&mut self, program: &Program, state: StateRef<'_>, work: &mut Work) {
        if self.count > Self::MOST {
            *self = Cache::default();
        }
        let globals = program.variable_globals as usize;
        self.objects.resize_with(globals + 1, FxHashMap::default);
        let mut decoder = Decoder { program, bytes: state.bytes, at: 0 };
        let (threads, objects) = (decoder.u8(), decoder.u32() as usize);
        work.raised = (threads & RAISED != 0).then(|| {
            let by = decoder.u8();
            Raised { events: decoder.u64(8), by }
        });
        work.objects.clear();
        for index in 0..objects {
            if index == globals {
                work.objects.resize(program.globals.len(), None);
            }
            let part = part(state, index + 1);
            work.objects.push(Some(self.object(program, part, index)));
        }
        if objects <= globals {
            work.objects.resize(program.globals.len(), None);
        }
        work.threads.clear();
        let mut index = objects + 1;
        for _ in 0..threads & !RAISED {
            decoder.at = state.cuts[index - 1] as usize;
            let (mut thread, frames) = decoder.thread_head();
            for frame in 1..=frames {
                thread.frames.push(self.frame(
                    program,
                    part(state, index + frame),
                    frame == frames,
                ));
            }
            index += frames + 1;
            work.threads.push(Rc::new(thread));
        }
    }

    fn object(&mut self, program: &Program, bytes: &[u8], index: usize) -> Rc<Object> {
        let globals = self.objects.len() - 1;
        let known = &mut self.objects[index.min(globals)];
        if let Some(object) = known.get(bytes) {
            return Rc::clone(object);
        }
        let mut decoder = Decoder { program, bytes, at: 0 };
        let object = Rc::new(decoder.object((index < globals).then_some(index)));
        known.insert(bytes.into(), Rc::clone(&object));
        self.count += 1;
        object
    }

    fn frame(&mut self, program: &Program, bytes: &[u8], top: bool) -> Rc<Frame> {
        let known = &mut self.frames[usize::from(top)];
        if let Some(frame) = known.get(bytes) {
            return Rc::clone(frame);
        }
        let mut decoder = Decoder { program, bytes, at: 0 };
        let frame = Rc::new(decoder.frame(top));
        known.insert(bytes.into(), Rc::clone(&frame));
        self.count += 1;
        frame
    }
}

/// The bytes of a part of a state.
pub fn part(state: StateRef<'_>, index: usize) -> &[u8] {
    let end = state.cuts.get(index).map_or(state.bytes.len(), |end| *end as usize);
    &state.bytes[state.cuts[index - 1] as usize..end]
}

/// Reads one part of a state.
pub struct Decoder<'a> {
    pub program: &'a Program,
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Decoder<'a> {
    pub fn u8(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn u16(&mut self) -> u16 {
        self.at += 2;
        u16::from_le_bytes([self.bytes[self.at - 2], self.bytes[self.at - 1]])
    }

    pub fn u32(&mut self) -> u32 {
        let bytes = &self.bytes[self.at..self.at + 4];
        self.at += 4;
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        self.at += len;
        &self.bytes[self.at - len..self.at]
    }

    pub fn u64(&mut self, len: usize) -> u64 {
        let mut raw = [0; 8];
        raw[..len].copy_from_slice(self.take(len));
        u64::from_le_bytes(raw)
    }

    pub fn object(&mut self, global: Option<usize>) -> Object {
        let flags = self.u8();
        let kind = Kind::from_byte(flags & 0xf);
        let (site, len) = match global {
            Some(index) => {
                let object = &self.program.globals[index].object;
                (object.site, object.bytes.len())
            }
            None => {
                let site = self.u32();
                if kind.is_dead() {
                    let mut object = Object::new(kind, 0, site);
                    object.freed = self.u32();
                    return object;
                }
                (site, self.u32() as usize)
            }
        };
        let pointers = self.u32();
        let mut object = Object::new(kind, 0, site);
        object.shared = flags & SHARED != 0;
        if flags & 0x40 != 0 {
            object.bytes = vec![0; len];
            object.undef = vec![0xff; len];
        } else {
            object.bytes = self.take(len).to_vec();
            if flags & 0x20 != 0 {
                object.undef = self.take(len).to_vec();
            }
        }
        object.pointers = (0..pointers)
            .map(|_| {
                let at = self.u32();
                let object = self.u32();
                PointerAt { at: at & 0x07ff_ffff, object, piece: (at >> 27) as u8 }
            })
            .collect();
        object
    }

    /// How many frames the thread has whose head begins here.
    pub fn frames(&self) -> usize {
        let mut ahead = Decoder { at: self.at + 4, ..*self };
        usize::from(ahead.u16())
    }

    pub fn thread_head(&mut self) -> (Thread, usize) {
        let (id, atomic, start) = (self.u8(), self.u8(), self.u16());
        let frames = usize::from(self.u16());
        let locals = (0..self.program.thread_locals.len()).map(|_| self.u32()).collect();
        let thread = Thread {
            id,
            frames: Vec::with_capacity(frames + 2),
            atomic: atomic.into(),
            start,
            locals,
        };
        (thread, frames)
    }

    pub fn frame(&mut self, top: bool) -> Frame {
        let function = u32::from(self.u16());
        let pc = self.u32();
        let arguments = self.u32();
        let owned = self.u16();
        let owned = (0..owned).map(|_| self.u32()).collect();
        let odd = self.u16();
        let program = self.program;
        let code = &program.functions[function as usize];
        let registers = vec![Value::NULL; code.registers.len()];
        let mut frame = Frame {
            function,
            pc: pc & !(1 << 31),
            registers,
            owned,
            arguments,
            atomic: pc >> 31 == 1,
            kept: Vec::new(),
        };
        for reg in live(program, &frame, top) {
            frame.registers[reg as usize] = match code.registers[reg as usize] {
                Scalar::Pointer => {
                    let object = self.u32();
                    let offset = self.u32() as i32;
                    Value::pointer(object, i64::from(offset) as u64)
                }
                scalar => {
                    let bytes = scalar.bits(program.pointer).div_ceil(8);
                    Value::number(self.u64(usize::from(bytes)))
                }
            };
        }
        for _ in 0..odd {
            let reg = self.u16();
            let object = self.u32();
            let piece = self.u8();
            let (bits, undef) = (self.u64(8), self.u64(8));
            frame.registers[usize::from(reg)] = Value { bits, undef, object, piece };
            if !is_live(program, &frame, top, reg.into()) {
                frame.kept.push(reg.into());
            }
        }
        frame
    }
}
