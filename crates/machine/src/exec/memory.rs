//! Reading and writing memory, under all checks.

use super::{Cpu, Result, compute};
use crate::Reduction;
use crate::arith::{self, trap};
use crate::code::{Arg, Code, Reg};
use crate::decode::LARGEST_OBJECT;
use crate::names;
use crate::object::{Kind, Object};
use crate::value::{FUNCTION, ObjectId, Scalar, Value, sign_extend};
use auspex_llvm::ir::{IntegerPredicate, UpdateOp};

/// Bytes that were touched and that other threads can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub object: ObjectId,
    pub at: u32,
    pub len: u32,
    pub write: bool,
    /// An atomic instruction, or inside an atomic section.
    pub atomic: bool,
    /// Of the instruction.
    pub site: u32,
}

/// A checked address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub object: ObjectId,
    pub at: u32,
}

impl<'p> Cpu<'p> {
    /// An object that can be read, also a constant.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        let globals = self.program.globals.len() as u32;
        if id > self.program.variable_globals && id <= globals {
            return Some(&self.program.globals[id as usize - 1].object);
        }
        self.work.object(id)
    }

    /// Checks an access to `len` bytes.
    pub fn resolve(&self, pointer: Value, len: u64, write: bool) -> Result<Place> {
        let doing = if write { "write" } else { "read" };
        if pointer.undef != 0 {
            return Err(trap(
                "uninitialised",
                format!("a {doing} through an uninitialised pointer"),
            )
            .into());
        }
        if pointer.object == 0 {
            return Err(match pointer.bits as i64 {
                0 => trap("null", format!("a {doing} through a null pointer")),
                near @ 1..=65536 => {
                    trap("null", format!("a {doing} {near} bytes from a null pointer"))
                }
                _ => trap(
                    "wild",
                    format!("a {doing} at the number {:#x}, which is no address", pointer.bits),
                ),
            }
            .into());
        }
        if pointer.piece != 0 {
            return Err(trap("wild", format!("a {doing} through a part of a pointer")).into());
        }
        if pointer.object & FUNCTION != 0 {
            return Err(trap("wild", format!("a {doing} of the code of a function")).into());
        }
        let Some(object) = self.object(pointer.object) else {
            return Err(trap("dangling", format!("a {doing} of memory that is gone")).into());
        };
        if object.kind.is_dead() {
            return Err(names::dead_access(self.program, object, doing).into());
        }
        let at = pointer.bits as i64;
        if at < 0 || (at as u64).saturating_add(len) > object.size() {
            return Err(names::outside(self.program, object, at, len, doing).into());
        }
        if write && object.kind == Kind::Constant {
            let name = names::object(self.program, object);
            return Err(trap("constant", format!("a write to {name}, which is constant")).into());
        }
        Ok(Place { object: pointer.object, at: at as u32 })
    }

    /// To be called before memory is read or written: may the thread go on, or is this where others
    /// may come in between?
    #[inline]
    pub fn touch(&mut self, place: Place, len: u32, write: bool, atomic: bool) -> Result<()> {
        let shared = || self.work.object(place.object).is_some_and(|object| object.shared);
        let visible = match self.options.reduction {
            Reduction::Full => {
                !self.alone() && shared() || write && self.watch.sees_write(place.object, shared)
            }
            _ => {
                place.object <= self.program.variable_globals
                    || place.object > self.program.globals.len() as u32
            }
        };
        if !visible {
            return Ok(());
        }
        let changed = self.step.changed;
        self.act()?;
        self.step.changed = changed || write;
        if self.options.check_race {
            let atomic = atomic || self.thread.atomic > 0;
            let site = self.site();
            let Place { object, at } = place;
            self.step.accesses.push(Access { object, at, len, write, atomic, site });
        }
        Ok(())
    }

    /// The same for several places that one instruction or native function uses: together they are
    /// one thing that others may notice.
    pub fn touch_all(&mut self, spans: impl IntoIterator<Item = (Place, u32, bool)>) -> Result<()> {
        let before = self.step.acted;
        let mut acted = before;
        for (place, len, write) in spans.into_iter().filter(|(_, len, _)| *len > 0) {
            self.step.acted = before;
            self.touch(place, len, write, false)?;
            acted |= self.step.acted;
        }
        self.step.acted = acted;
        Ok(())
    }

    /// Reads a scalar at a checked place; two registers for wide ones.
    pub fn read(&self, place: Place, scalar: Scalar) -> Result<[Value; 2]> {
        let width = u32::from(self.program.pointer);
        let Some(object) = self.object(place.object) else { return Ok([Value::NULL; 2]) };
        let values = object.load_lanes(place.at, scalar, width);
        values.ok_or_else(|| trap(arith::UNSUPPORTED, "a read of some bytes of a pointer").into())
    }

    /// Writes a scalar at a checked place.
    pub fn write(&mut self, place: Place, scalar: Scalar, values: [Value; 2]) {
        let width = u32::from(self.program.pointer);
        self.remember(place, scalar.bytes(width as u8));
        let Some(object) = self.work.object_mut(place.object) else { return };
        object.store_lanes(place.at, scalar, width, values);
        let shared = object.shared;
        for value in values {
            if shared && value.object != 0 {
                self.work.share(value.object);
            }
        }
    }

    /// For the trace: these bytes are about to change.
    pub fn remember(&mut self, place: Place, len: u32) {
        if let Some(recorder) = &mut self.recorder {
            recorder.writes(self.program, &self.work, &self.thread, place, len);
        }
    }

    pub(super) fn load(
        &mut self,
        dst: Reg,
        pointer: Value,
        offset: u32,
        scalar: Scalar,
        atomic: bool,
    ) -> Result<()> {
        let pointer = Value { bits: pointer.bits.wrapping_add(offset.into()), ..pointer };
        let len = scalar.bytes(self.program.pointer);
        let place = self.resolve(pointer, len.into(), false)?;
        self.touch(place, len, false, atomic)?;
        let values = self.read(place, scalar)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.reads(self.program, &self.work, &self.thread, place, len);
        }
        self.set_lanes(dst, scalar, values);
        Ok(())
    }

    fn set_lanes(&mut self, dst: Reg, scalar: Scalar, values: [Value; 2]) {
        for lane in 0..scalar.lanes() {
            self.set(dst + lane, values[lane as usize]);
        }
    }

    pub(super) fn store(
        &mut self,
        values: [Value; 2],
        pointer: Value,
        offset: u32,
        scalar: Scalar,
        atomic: bool,
    ) -> Result<()> {
        let pointer = Value { bits: pointer.bits.wrapping_add(offset.into()), ..pointer };
        let len = scalar.bytes(self.program.pointer);
        let place = self.resolve(pointer, len.into(), true)?;
        self.touch(place, len, true, atomic)?;
        self.write(place, scalar, values);
        Ok(())
    }

    /// An index into an array that is part of something.
    pub(super) fn check_index(&self, index: Value, bits: u8, count: u64, limit: u64) -> Result<()> {
        // What is not defined is found out when the address is made.
        if index.undef != 0 || index.object != 0 {
            return Ok(());
        }
        let index = sign_extend(index.bits, bits);
        if u64::try_from(index).is_ok_and(|index| index < limit) {
            return Ok(());
        }
        let elements = if count == 1 { "element" } else { "elements" };
        Err(trap("bounds", format!("index {index} of an array of {count} {elements}")).into())
    }

    /// A variable of a block is a new one each time, so that pointers to the one before are seen to
    /// be dangling.
    pub(super) fn begin_block(&mut self, dst: Reg, alloca: u32) {
        let unused = |object: &Object| object.kind == Kind::Stack && object.is_undefined();
        let frame = self.frame();
        if self.work.object(frame.registers[dst as usize].object).is_some_and(unused) {
            return;
        }
        let function = &self.program.functions[frame.function as usize];
        let Some(Code::Alloca { size, .. }) = function.code.get(alloca as usize) else { return };
        let site = function.first_site + alloca;
        let id = self.work.add_object(Object::undefined(Kind::Stack, *size as usize, site));
        self.own(id);
        self.set(dst, Value::pointer(id, 0));
    }

    pub(super) fn end_block(&mut self, variable: Value) {
        let site = self.site();
        let is_variable =
            self.work.object(variable.object).is_some_and(|object| object.kind == Kind::Stack);
        if is_variable && let Some(object) = self.work.object_mut(variable.object) {
            object.die(Kind::Gone, site);
        }
    }

    /// The object ends with the current function.
    pub fn own(&mut self, id: ObjectId) {
        self.frame_mut().owned.push(id);
    }

    pub(super) fn alloca(&mut self, dst: Reg, size: u64, count: Option<Arg>) -> Result<()> {
        let count = match count {
            Some(count) => {
                let count = self.get(count);
                if count.undef != 0 {
                    return Err(trap("uninitialised", "an array of an uninitialised size").into());
                }
                count.bits
            }
            None => 1,
        };
        let total = size.checked_mul(count).filter(|total| *total <= LARGEST_OBJECT);
        let Some(total) = total else {
            return Err(trap(
                "stack",
                format!("a local array of {count} elements of {size} bytes"),
            )
            .into());
        };
        let object = Object::undefined(Kind::Stack, total as usize, self.site());
        let id = self.work.add_object(object);
        self.own(id);
        self.set(dst, Value::pointer(id, 0));
        Ok(())
    }

    pub(super) fn compare_exchange(
        &mut self,
        dst: Reg,
        pointer: Value,
        scalar: Scalar,
        expected: [Value; 2],
        new: [Value; 2],
        weak: bool,
    ) -> Result<()> {
        let len = scalar.bytes(self.program.pointer);
        let place = self.resolve(pointer, len.into(), true)?;
        self.touch(place, len, true, true)?;
        let old = self.read(place, scalar)?;
        let globals = self.program.global_count();
        let same = match scalar {
            Scalar::Wide(bits) => {
                arith::wide_compare(IntegerPredicate::Equal, bits, globals, old, expected)?
            }
            _ => {
                let bits = scalar.bits(self.program.pointer);
                arith::compare(IntegerPredicate::Equal, bits, globals, old[0], expected[0])?
            }
        };
        if same.undef != 0 {
            return Err(
                trap("uninitialised", "compare-and-exchange on an uninitialised value").into()
            );
        }
        // A weak exchange may fail for no reason, but only where somebody else is there to see it.
        let exchanged = same.bits != 0 && !(weak && !self.alone() && self.choose(2)? == 1);
        if exchanged {
            self.write(place, scalar, new);
        } else if let Some(recorder) = &mut self.recorder {
            recorder.reads(self.program, &self.work, &self.thread, place, len);
            if same.bits != 0 {
                recorder.note("fails without a reason");
            }
        }
        self.set_lanes(dst, scalar, old);
        self.set(dst + scalar.lanes(), Value::number(exchanged.into()));
        Ok(())
    }

    pub(super) fn update(
        &mut self,
        op: UpdateOp,
        dst: Reg,
        pointer: Value,
        scalar: Scalar,
        value: [Value; 2],
    ) -> Result<()> {
        let len = scalar.bytes(self.program.pointer);
        let place = self.resolve(pointer, len.into(), true)?;
        self.touch(place, len, true, true)?;
        let old = self.read(place, scalar)?;
        let new = match scalar {
            Scalar::Wide(bits) => compute::updated_wide(op, bits, self.program, old, value)?,
            Scalar::Extended => compute::updated_extended(op, old, value)?,
            _ => {
                let new = compute::updated(op, scalar, self.program, old[0], value[0])?;
                [new, Value::NULL]
            }
        };
        self.write(place, scalar, new);
        self.set_lanes(dst, scalar, old);
        Ok(())
    }

    /// Frees an object, with the checks of `free`.
    pub fn free(&mut self, pointer: Value) -> Result<()> {
        if pointer.undef != 0 {
            return Err(trap("uninitialised", "free of an uninitialised pointer").into());
        }
        if pointer.is_null() {
            return Ok(());
        }
        let Some(object) = self.object(pointer.object).filter(|_| pointer.object & FUNCTION == 0)
        else {
            let message = format!("free of {:#x}, which is no address of an object", pointer.bits);
            return Err(trap("invalid-free", message).into());
        };
        let name = || names::object(self.program, object);
        match object.kind {
            Kind::Freed => return Err(names::double_free(self.program, object).into()),
            Kind::Heap | Kind::Runtime if pointer.bits == 0 => {}
            Kind::Heap | Kind::Runtime => {
                let offset = sign_extend(pointer.bits, 64);
                return Err(trap(
                    "invalid-free",
                    format!("free of an address {offset} bytes into {}", name()),
                )
                .into());
            }
            _ => {
                return Err(trap(
                    "invalid-free",
                    format!("free of {}, which does not come from malloc", name()),
                )
                .into());
            }
        }
        let len = object.size() as u32;
        let place = Place { object: pointer.object, at: 0 };
        self.touch(place, len.max(1), true, false)?;
        let site = self.site();
        if let Some(recorder) = &mut self.recorder {
            recorder.frees(self.program, &self.work, &self.thread, pointer);
        }
        if let Some(object) = self.work.object_mut(pointer.object) {
            object.die(Kind::Freed, site);
        }
        Ok(())
    }

    /// The bytes of a string up to its end, with all checks; the whole must be defined.
    pub fn string(&mut self, pointer: Value, what: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let at = Value { bits: pointer.bits.wrapping_add(bytes.len() as u64), ..pointer };
            let place = self.resolve(at, 1, false)?;
            if bytes.is_empty() {
                self.touch(place, 1, false, false)?;
            }
            let [value, _] = self.read(place, Scalar::Int(8))?;
            if value.undef != 0 {
                return Err(
                    trap("uninitialised", format!("{what} reads an uninitialised byte")).into()
                );
            }
            if value.object != 0 {
                return Err(trap(
                    arith::UNSUPPORTED,
                    format!("{what} reads the bytes of a pointer"),
                )
                .into());
            }
            if value.bits == 0 {
                return Ok(bytes);
            }
            bytes.push(value.bits as u8);
        }
    }
}
