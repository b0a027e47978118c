//! Expressions: the compiled counterpart of the interpreter's `eval`.

use crate::emit::Emit;
use crate::frame;
use auspex_process::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};

/// Where a place lies: an address, and a constant to be added to it.
#[derive(Clone, Copy)]
pub struct Address {
    pub base: Value,
    pub offset: i32,
}

impl Emit<'_, '_> {
    pub fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Const(value) => self.int(*value),
            Expr::Global(ty, offset) => {
                let (base, offset) = (self.bytes, self.model.globals_at() + offset);
                self.load_scalar(*ty, base, offset as i32)
            }
            Expr::Local(ty, offset) => {
                let (base, offset) = (self.process, self.model.locals_at() + offset);
                self.load_scalar(*ty, base, offset as i32)
            }
            Expr::Load(place) => {
                let at = self.address(place);
                match place.space {
                    Space::Nowhere => self.int(0),
                    _ => self.load_scalar(place.ty, at.base, at.offset),
                }
            }
            Expr::Unary(UnaryOp::Minus, operand) => {
                let operand = self.value(operand);
                self.builder.ins().ineg(operand)
            }
            Expr::Unary(UnaryOp::Complement, operand) => {
                let operand = self.value(operand);
                self.builder.ins().bnot(operand)
            }
            Expr::Unary(UnaryOp::Not, operand) => {
                let operand = self.value(operand);
                let is_zero = self.compare(IntCC::Equal, operand, 0);
                self.builder.ins().uextend(I32, is_zero)
            }
            Expr::Binary(op, operands) => {
                let a = self.value(&operands.0);
                let b = self.value(&operands.1);
                self.binary(*op, a, b)
            }
            Expr::If(parts) => self.choose(&parts.0, &parts.1, &parts.2),
            Expr::Length(channel) => self.length(channel),
            Expr::And(_) | Expr::Or(_) | Expr::Test(..) | Expr::Poll(_) => {
                let [yes, no] = [1, 0].map(Expr::Const);
                self.choose(expr, &yes, &no)
            }
            Expr::Pid => self.of_frame(I32, frame::PID),
            Expr::Processes => self.of_frame(I32, frame::PROCESSES),
            Expr::Last => {
                let bytes = self.bytes;
                self.load_scalar(auspex_process::Scalar::Byte, bytes, 1)
            }
            Expr::Timeout | Expr::Stopped => self.of_frame(I32, frame::TIMEOUT),
            // What `support` does not let through: no code is better than wrong code.
            _ => {
                self.jump(self.decline);
                let unreachable = self.builder.create_block();
                self.enter(unreachable);
                self.int(0)
            }
        }
    }

    fn choose(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Value {
        let [if_yes, if_no, join] = [(); 3].map(|()| self.builder.create_block());
        let result = self.builder.append_block_param(join, I32);
        self.branch(condition, if_yes, if_no);
        for (block, expr) in [(if_yes, yes), (if_no, no)] {
            self.enter(block);
            let value = self.value(expr);
            self.builder.ins().jump(join, &[value.into()]);
        }
        self.enter(join);
        result
    }

    /// Goes to one of two blocks.
    pub fn branch(&mut self, condition: &Expr, yes: Block, no: Block) {
        match condition {
            Expr::Const(value) => self.jump(if *value != 0 { yes } else { no }),
            Expr::Unary(UnaryOp::Not, operand) => self.branch(operand, no, yes),
            Expr::And(operands) => {
                let next = self.builder.create_block();
                self.branch(&operands.0, next, no);
                self.enter(next);
                self.branch(&operands.1, yes, no);
            }
            Expr::Or(operands) => {
                let next = self.builder.create_block();
                self.branch(&operands.0, yes, next);
                self.enter(next);
                self.branch(&operands.1, yes, no);
            }
            Expr::Binary(op, operands) if comparison(*op).is_some() => {
                let (a, b) = (self.value(&operands.0), self.value(&operands.1));
                let how = comparison(*op).unwrap_or(IntCC::Equal);
                let holds = self.builder.ins().icmp(how, a, b);
                self.brif(holds, yes, no);
            }
            Expr::Test(test, channel) => self.test_channel(*test, channel, yes, no),
            Expr::Poll(receive) => self.branch_receive(receive, true, yes, no),
            _ => {
                let value = self.value(condition);
                self.brif(value, yes, no);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        if let Some(how) = comparison(op) {
            let holds = self.builder.ins().icmp(how, a, b);
            return self.builder.ins().uextend(I32, holds);
        }
        let ins = self.builder.ins();
        match op {
            BinaryOp::Add => ins.iadd(a, b),
            BinaryOp::Sub => ins.isub(a, b),
            BinaryOp::Mul => ins.imul(a, b),
            BinaryOp::BitAnd => ins.band(a, b),
            BinaryOp::BitOr => ins.bor(a, b),
            BinaryOp::BitXor => ins.bxor(a, b),
            // By no more than 31, as in the interpreter.
            BinaryOp::ShiftLeft => ins.ishl(a, b),
            BinaryOp::ShiftRight => ins.sshr(a, b),
            BinaryOp::Div | BinaryOp::Rem => self.divide(op, a, b),
            _ => unreachable!("comparisons are above"),
        }
    }

    /// Division wraps around where the smallest number is divided by -1; the processor's would not.
    fn divide(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let is_defined = self.compare(IntCC::NotEqual, b, 0);
        self.require(is_defined);
        let is_minus_one = self.compare(IntCC::Equal, b, -1);
        let one = self.int(1);
        let harmless = self.builder.ins().select(is_minus_one, one, b);
        match op {
            BinaryOp::Div => {
                let (negated, quotient) =
                    (self.builder.ins().ineg(a), self.builder.ins().sdiv(a, harmless));
                self.builder.ins().select(is_minus_one, negated, quotient)
            }
            _ => self.builder.ins().srem(a, harmless),
        }
    }

    /// Declines where an index is out of range.
    pub fn address(&mut self, place: &Place) -> Address {
        let (mut base, mut offset) = match place.space {
            Space::Global => (self.bytes, self.model.globals_at() + place.offset),
            Space::Local => (self.process, self.model.locals_at() + place.offset),
            Space::Hidden | Space::Nowhere => (self.of_frame(I64, frame::HIDDEN), place.offset),
        };
        for index in &place.indices {
            if let Expr::Const(value) = index.expr
                && let Some(value) = u32::try_from(value).ok().filter(|value| *value < index.length)
            {
                offset += value * index.stride;
                continue;
            }
            let value = self.value(&index.expr);
            // A negative one is a very large one.
            let in_range = self.builder.ins().icmp_imm_u(
                IntCC::UnsignedLessThan,
                value,
                i64::from(index.length),
            );
            self.require(in_range);
            let value = self.builder.ins().uextend(I64, value);
            let distance = self.builder.ins().imul_imm_u(value, i64::from(index.stride));
            base = self.builder.ins().iadd(base, distance);
        }
        Address { base, offset: offset as i32 }
    }

    pub fn assign(&mut self, place: &Place, value: Value) {
        let at = self.address(place);
        if place.space == Space::Nowhere {
            return;
        }
        self.store_scalar(place.ty, value, at.base, at.offset);
        if place.space != Space::Hidden {
            let len = self.int(place.ty.size() as i32);
            self.note_change(at.base, at.offset, len);
        }
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Less => IntCC::SignedLessThan,
        BinaryOp::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOp::Greater => IntCC::SignedGreaterThan,
        BinaryOp::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Equal => IntCC::Equal,
        BinaryOp::NotEqual => IntCC::NotEqual,
        _ => return None,
    })
}
