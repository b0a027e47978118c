//! The hot path: instructions that concern the registers of one frame, and memory that needs no
//! ceremony.
//!
//! A burst runs such instructions in a row, with the frame at hand. At anything else, and at whatever
//! goes wrong, it stops before the instruction: [`Cpu::instruction`] does all of them, and says
//! what is wrong. So this is only faster, and nothing is decided here.

use super::{Cpu, LONG_STEP, compute};
use crate::Reduction;
use crate::arith;
use crate::code::{Arg, Code};
use crate::object::Kind;
use crate::value::{FUNCTION, Scalar, Value};

/// A scalar of one register.
fn is_narrow(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::Wide(_) | Scalar::Extended)
}

/// The registers of a frame and the constants.
struct Operands<'a> {
    registers: &'a mut [Value],
    pool: &'a [Value],
}

impl Operands<'_> {
    #[inline(always)]
    fn get(&self, arg: Arg) -> Option<Value> {
        match arg {
            Arg::Reg(reg) => self.registers.get(reg as usize).copied(),
            Arg::Const(index) => self.pool.get(index as usize).copied(),
            Arg::ThreadLocal(_) => None,
        }
    }

    #[inline(always)]
    fn set(&mut self, reg: u32, value: Value) -> Option<()> {
        *self.registers.get_mut(reg as usize)? = value;
        Some(())
    }
}

impl Cpu<'_> {
    /// May steps be made in bursts? A trace wants to know of each instruction, a property of each
    /// write.
    pub(super) fn bursts(&self) -> bool {
        self.recorder.is_none()
            && self.options.reduction == Reduction::Full
            && !self.watch.is_active()
    }

    /// Runs instructions as long as they are simple.
    pub(super) fn burst(&mut self) {
        let program = self.program;
        let Some(frame) = self.thread.frames.last_mut() else { return };
        let function = &program.functions[frame.function as usize];
        let Some(code) = function.code.get(frame.pc as usize) else { return };
        if matches!(code, Code::Call(_) | Code::Return(_)) {
            return;
        }
        let frame = self.spare.own(frame);
        let first = function.first_site as usize;
        let covered = &mut self.covered[first..first + function.code.len()];
        let mut operands = Operands { registers: &mut frame.registers, pool: &program.pool };
        let (mut pc, mut count) = (frame.pc, self.step.count);
        let width = u32::from(program.pointer);
        let (globals, variable) = (program.globals.len() as u32, program.variable_globals);
        let alone = self.work.threads.len() == 1;
        let atomic = self.thread.atomic > 0;
        // Where a shared object may be touched without further ado.
        let quiet = atomic && !self.options.check_race;
        let mut one = |pc: u32, count: u32| -> Option<u32> {
            match function.code.get(pc as usize)? {
                Code::Binary { op, bits, flags, dst, a, b } => {
                    let (a, b) = (operands.get(*a)?, operands.get(*b)?);
                    operands.set(*dst, arith::binary(*op, *bits, *flags, a, b).ok()?)?;
                }
                Code::Compare { predicate, bits, dst, a, b } => {
                    let (a, b) = (operands.get(*a)?, operands.get(*b)?);
                    let value = arith::compare(*predicate, *bits, globals, a, b).ok()?;
                    operands.set(*dst, value)?;
                }
                Code::Copy { dst, a } | Code::SetLocal { dst, a } => {
                    let value = operands.get(*a)?;
                    operands.set(*dst, value)?;
                }
                Code::Address { dst, a, index, bits, scale, offset, inbounds } => {
                    let (a, index) = (operands.get(*a)?, operands.get(*index)?);
                    let value = compute::address(a, index, *bits, *scale, *offset, *inbounds);
                    operands.set(*dst, value.ok()?)?;
                }
                Code::Cast { op, from, to, dst, a } if is_narrow(*from) && is_narrow(*to) => {
                    let a = [operands.get(a[0])?, operands.get(a[1])?];
                    let [value, _] = arith::cast(*op, *from, *to, program.pointer, a).ok()?;
                    operands.set(*dst, value)?;
                }
                Code::Jump(to) => {
                    let back = *to <= pc && count >= LONG_STEP;
                    return (!back).then_some(*to);
                }
                Code::Branch { condition, then, otherwise } => {
                    let condition = operands.get(*condition)?;
                    let to = if condition.bits & 1 != 0 { *then } else { *otherwise };
                    let back = to <= pc && count >= LONG_STEP;
                    return (condition.undef & 1 == 0 && !back).then_some(to);
                }
                Code::Load { dst, pointer, offset, scalar, .. } if is_narrow(*scalar) => {
                    let pointer = operands.get(*pointer)?;
                    let id = pointer.object;
                    let object = match id > variable && id <= globals {
                        true => &program.globals[id as usize - 1].object,
                        false => self.work.object(id)?,
                    };
                    if (object.shared && !alone && !quiet) || object.kind.is_dead() {
                        return None;
                    }
                    let len = scalar.bytes(program.pointer);
                    let at = place(pointer, *offset, len, object.size())?;
                    operands.set(*dst, object.load_scalar(at, *scalar, width)?)?;
                }
                Code::Store { value, pointer, offset, scalar, .. } if is_narrow(*scalar) => {
                    let (value, pointer) = (operands.get(value[0])?, operands.get(*pointer)?);
                    let object = self.work.object(pointer.object)?;
                    let (shared, visible) = (object.shared, object.shared && !alone);
                    let unfit = object.kind.is_dead() || object.kind == Kind::Constant;
                    // What is written to where others look may have to be shared.
                    if unfit || visible && !quiet || shared && value.object != 0 {
                        return None;
                    }
                    let len = scalar.bytes(program.pointer);
                    let at = place(pointer, *offset, len, object.size())?;
                    self.work.object_mut(pointer.object)?.store(at, len, width, value);
                    self.step.changed |= visible;
                }
                _ => return None,
            }
            Some(pc + 1)
        };
        // One that is a multiple of this has more to do after it.
        while !(count + 1).is_multiple_of(LONG_STEP)
            && let Some(next) = one(pc, count)
        {
            covered[pc as usize] = true;
            (pc, count) = (next, count + 1);
        }
        frame.pc = pc;
        self.step.count = count;
    }
}

/// Where a pointer points to, if it is a plain one and `len` bytes are there.
#[inline(always)]
fn place(pointer: Value, offset: u32, len: u32, size: u64) -> Option<u32> {
    let at = pointer.bits.wrapping_add(offset.into());
    let plain = pointer.undef == 0 && pointer.piece == 0 && pointer.object & FUNCTION == 0;
    let inside = at <= size && size - at >= len.into();
    (plain && inside).then_some(at as u32)
}
