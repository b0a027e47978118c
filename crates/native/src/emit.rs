//! Emitting one function: the ground that expressions, channels and statements are compiled on.

use crate::frame;
use crate::known::Channels;
use auspex_process::ir::StmtId;
use auspex_process::{Model, Scalar};
use auspex_system::ByteRange;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I32, I64};
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, MemFlagsData, Type, Value};
use cranelift_frontend::{FunctionBuilder, Variable};

/// Functions that compiled code calls, all with three arguments; only one has a result.
pub struct Helpers<F> {
    /// See [`crate::channel::take_first`].
    pub take_first: F,
    /// See [`crate::expand::copy`].
    pub copy: F,
    /// See [`crate::expand::note_differences`].
    pub note_differences: F,
    /// See [`crate::meet::meet`].
    pub meet: F,
}

pub struct Emit<'f, 'm> {
    pub model: &'m Model,
    pub known: &'f Channels<'m>,
    pub builder: FunctionBuilder<'f>,
    pub frame: Value,
    pub bytes: Value,
    pub process: Value,
    /// Where to go when something is wrong, or not for compiled code to say.
    pub decline: Block,
    pub helpers: Helpers<FuncRef>,
    /// Are changes noted one by one?
    pub notes_changes: bool,
}

/// All addresses are inside a state or a frame; nothing is aligned.
pub fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Emit<'_, '_> {
    pub fn int(&mut self, value: i32) -> Value {
        self.builder.ins().iconst(I32, i64::from(value as u32))
    }

    pub fn load(&mut self, ty: Type, base: Value, offset: i32) -> Value {
        self.builder.ins().load(ty, flags(), base, offset)
    }

    pub fn store(&mut self, value: Value, base: Value, offset: i32) {
        self.builder.ins().store(flags(), value, base, offset);
    }

    /// A value of the frame.
    pub fn of_frame(&mut self, ty: Type, offset: i32) -> Value {
        let frame = self.frame;
        self.load(ty, frame, offset)
    }

    pub fn load_scalar(&mut self, ty: Scalar, base: Value, offset: i32) -> Value {
        let ins = self.builder.ins();
        match ty.size() {
            1 => ins.uload8(I32, flags(), base, offset),
            2 if ty == Scalar::Short => ins.sload16(I32, flags(), base, offset),
            2 => ins.uload16(I32, flags(), base, offset),
            _ => ins.load(I32, flags(), base, offset),
        }
    }

    /// The same as `Scalar::store`.
    pub fn store_scalar(&mut self, ty: Scalar, value: Value, base: Value, offset: i32) {
        let value = self.cut(ty, value);
        match ty.size() {
            1 => self.builder.ins().istore8(flags(), value, base, offset),
            2 => self.builder.ins().istore16(flags(), value, base, offset),
            _ => self.builder.ins().store(flags(), value, base, offset),
        };
    }

    /// The same as `Scalar::cut`, for a value that is then stored.
    fn cut(&mut self, ty: Scalar, value: Value) -> Value {
        let mask = match ty {
            Scalar::Bit | Scalar::Bool => 1,
            Scalar::Unsigned(width) if width < 32 => (1i64 << width) - 1,
            // Storing cuts off the upper bytes.
            _ => return value,
        };
        self.builder.ins().band_imm_u(value, mask)
    }

    /// Goes on in `block`, which nothing else leads to any more.
    pub fn enter(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    pub fn jump(&mut self, block: Block) {
        self.builder.ins().jump(block, &[]);
    }

    pub fn brif(&mut self, condition: Value, yes: Block, no: Block) {
        self.builder.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Declines unless the condition holds.
    pub fn require(&mut self, condition: Value) {
        let (next, decline) = (self.builder.create_block(), self.decline);
        self.brif(condition, next, decline);
        self.enter(next);
    }

    pub fn compare(&mut self, how: IntCC, value: Value, constant: i64) -> Value {
        self.builder.ins().icmp_imm_s(how, value, constant)
    }

    /// Notes that `len` bytes at an address in the state are changed.
    pub fn note_change(&mut self, address: Value, offset: i32, len: Value) {
        if !self.notes_changes {
            return;
        }
        let start = self.builder.ins().isub(address, self.bytes);
        let start = self.builder.ins().ireduce(I32, start);
        let start = self.builder.ins().iadd_imm_s(start, i64::from(offset));
        let end = self.builder.ins().iadd(start, len);
        let (at, frame) = (self.of_frame(I64, frame::CHANGE), self.frame);
        self.store(start, at, 0);
        self.store(end, at, 4);
        let next = self.builder.ins().iadd_imm_s(at, size_of::<ByteRange>() as i64);
        self.store(next, frame, frame::CHANGE);
    }

    pub fn set_bit(&mut self, mask: Variable, bit: usize) {
        let old = self.builder.use_var(mask);
        let new = self.builder.ins().bor_imm_u(old, (1u64 << bit) as i64);
        self.builder.def_var(mask, new);
    }

    pub fn cover(&mut self, statement: StmtId) {
        let covered = self.of_frame(I64, frame::COVERED);
        let one = self.builder.ins().iconst(I8, 1);
        self.store(one, covered, statement.0 as i32);
    }
}
