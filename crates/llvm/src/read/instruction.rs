//! Instructions: terminators, arithmetic, parts of vectors and aggregates.

use super::Parse;
use super::expressions::cast_fits;
use super::function::FunctionReader;
use super::words;
use crate::ir::{
    ArithmeticFlags, BinaryOp, BlockId, CastOp, CatchSwitch, Clause, ConstantId, ConstantValue,
    LandingPad, Op, Operand, Switch, TailCall, Type, TypeId,
};
use crate::lexer::Token;
use auspex_system::Diagnostic;

/// Indices into two vectors; `None` for poison.
type Mask = Box<[Option<u32>]>;

impl<'t> FunctionReader<'_, 't> {
    /// Reads what the word begins: the instruction and the type of its result. `None` for a call
    /// of a debug intrinsic, which is a record and no instruction.
    pub(super) fn op(&mut self, word: &'t str) -> Parse<Option<(Op, TypeId)>> {
        if let Some(op) = words::binary_op(word) {
            return self.binary(op).map(Some);
        }
        if let Some(op) = words::cast_op(word) {
            return self.cast(op).map(Some);
        }
        let start = self.reader.start;
        self.reader.advance()?;
        Ok(Some(match word {
            "load" => self.load()?,
            "store" => (self.store()?, TypeId::VOID),
            "getelementptr" => self.get_element_ptr()?,
            "call" => return self.call(TailCall::None),
            "tail" | "musttail" | "notail" => {
                self.reader.expect_word("call")?;
                return self.call(match word {
                    "tail" => TailCall::Tail,
                    "musttail" => TailCall::MustTail,
                    _ => TailCall::NoTail,
                });
            }
            "br" => (self.branch()?, TypeId::VOID),
            "alloca" => self.alloca()?,
            "icmp" | "fcmp" => self.compare(word)?,
            "ret" => (self.ret()?, TypeId::VOID),
            "phi" => self.phi()?,
            "select" => self.select()?,
            "switch" => (self.switch()?, TypeId::VOID),
            "unreachable" => (Op::Unreachable, TypeId::VOID),
            "invoke" => self.invoke()?,
            "callbr" => self.call_branch()?,
            "resume" => (Op::Resume(self.typed_value()?.0), TypeId::VOID),
            "landingpad" => self.landing_pad()?,
            "extractvalue" => {
                let (aggregate, ty) = self.typed_value()?;
                let (indices, ty) = self.reader.part_indices(ty)?;
                (Op::ExtractValue { aggregate, indices }, ty)
            }
            "insertvalue" => {
                let (aggregate, ty) = self.typed_value()?;
                self.reader.expect(b',')?;
                let (element, element_type) = self.typed_value()?;
                let (indices, part) = self.reader.part_indices(ty)?;
                if element_type != part {
                    return self.fail(start, "the value is not of the type of the part");
                }
                (Op::InsertValue { aggregate, element, indices }, ty)
            }
            "freeze" => {
                let (value, ty) = self.typed_value()?;
                (Op::Freeze(value), ty)
            }
            "fneg" => {
                self.fast_math()?;
                let (value, ty) = self.typed_value()?;
                self.require_float(start, ty)?;
                (Op::Negate(value), ty)
            }
            "extractelement" | "insertelement" | "shufflevector" => self.vector_op(start, word)?,
            "cmpxchg" => self.compare_exchange()?,
            "atomicrmw" => self.atomic_update()?,
            "fence" => {
                let scope = self.sync_scope()?;
                let ordering = self.ordering()?;
                (Op::Fence(crate::ir::Atomic { ordering, scope }), TypeId::VOID)
            }
            "va_arg" => {
                let list = self.pointer_value()?;
                self.reader.expect(b',')?;
                (Op::VaArg { list }, self.reader.ty()?)
            }
            "indirectbr" => {
                let address = self.pointer_value()?;
                self.reader.expect(b',')?;
                let targets = self.block_list()?;
                (Op::IndirectBranch { address, targets }, TypeId::VOID)
            }
            "catchswitch" => self.catch_switch()?,
            "catchpad" | "cleanuppad" => {
                self.reader.expect_word("within")?;
                let within = self.value(TypeId::TOKEN)?;
                let arguments = self.pad_arguments()?;
                let op = match word {
                    "catchpad" => Op::CatchPad { within, arguments },
                    _ => Op::CleanupPad { within, arguments },
                };
                (op, TypeId::TOKEN)
            }
            "catchret" => {
                self.reader.expect_word("from")?;
                let from = self.value(TypeId::TOKEN)?;
                self.reader.expect_word("to")?;
                (Op::CatchReturn { from, to: self.block_operand()? }, TypeId::VOID)
            }
            "cleanupret" => {
                self.reader.expect_word("from")?;
                let from = self.value(TypeId::TOKEN)?;
                (Op::CleanupReturn { from, unwind: self.unwind()? }, TypeId::VOID)
            }
            _ => {
                let span = self.reader.span_from(start);
                let message = format!("expected an instruction, found `{word}`");
                return Err(Diagnostic::error(span, message).label("no instruction").into());
            }
        }))
    }

    /// An error about everything from `start` on.
    pub(super) fn fail<T>(&self, start: usize, message: &str) -> Parse<T> {
        Err(Diagnostic::error(self.reader.span_from(start), message).into())
    }

    pub(super) fn fast_math(&mut self) -> Parse<()> {
        while matches!(self.reader.token, Token::Word(word) if words::is_fast_math(word)) {
            self.reader.advance()?;
        }
        Ok(())
    }

    fn flags(&mut self) -> Parse<ArithmeticFlags> {
        let mut flags = ArithmeticFlags::default();
        while let Token::Word(word) = self.reader.token {
            match word {
                "nuw" => flags.nuw = true,
                "nsw" => flags.nsw = true,
                "exact" => flags.exact = true,
                "disjoint" => flags.disjoint = true,
                "nneg" => flags.nneg = true,
                _ if words::is_fast_math(word) => {}
                _ => break,
            }
            self.reader.advance()?;
        }
        Ok(flags)
    }

    fn require_float(&self, start: usize, ty: TypeId) -> Parse<()> {
        let types = &self.reader.module.types;
        match types.float_kind(types.scalar(ty)) {
            Some(_) => Ok(()),
            None => self.fail(start, "this works on floating-point numbers"),
        }
    }

    fn binary(&mut self, op: BinaryOp) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        self.reader.advance()?;
        let flags = self.flags()?;
        let ty = self.reader.ty()?;
        let types = &self.reader.module.types;
        if op.is_float() {
            self.require_float(start, ty)?;
        } else if types.integer_bits(types.scalar(ty)).is_none() {
            return self.fail(start, "this works on integers");
        }
        let left = self.value(ty)?;
        self.reader.expect(b',')?;
        let right = self.value(ty)?;
        Ok((Op::Binary { op, flags, left, right }, ty))
    }

    fn cast(&mut self, op: CastOp) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        self.reader.advance()?;
        let flags = self.flags()?;
        let (value, from) = self.typed_value()?;
        self.reader.expect_word("to")?;
        let to = self.reader.ty()?;
        if !cast_fits(&self.reader.module.types, op, from, to) {
            return self.fail(start, "this cast cannot be between these types");
        }
        Ok((Op::Cast { op, flags, value, from }, to))
    }

    fn compare(&mut self, word: &str) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        self.fast_math()?;
        let same_sign = self.reader.accept_word("samesign")?;
        let span = self.reader.span();
        let predicate = self.reader.word("a comparison")?;
        let ty = self.reader.ty()?;
        let left = self.value(ty)?;
        self.reader.expect(b',')?;
        let right = self.value(ty)?;
        let types = &self.reader.module.types;
        let scalar = types.scalar(ty);
        let op = if word == "icmp" {
            if types.integer_bits(scalar).is_none() && !types.is_pointer(scalar) {
                return self.fail(start, "this compares integers or pointers");
            }
            words::integer_predicate(predicate).map(|predicate| Op::IntegerCompare {
                predicate,
                same_sign,
                left,
                right,
            })
        } else {
            self.require_float(start, ty)?;
            words::float_predicate(predicate).map(|predicate| Op::FloatCompare {
                predicate,
                left,
                right,
            })
        };
        match op {
            Some(op) => Ok((op, self.reader.compare_type(ty))),
            None => Err(Diagnostic::error(span, "there is no such comparison").into()),
        }
    }

    fn select(&mut self) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        self.fast_math()?;
        let (condition, condition_type) = self.typed_value()?;
        self.reader.expect(b',')?;
        let (then, ty) = self.typed_value()?;
        self.reader.expect(b',')?;
        let (otherwise, other_type) = self.typed_value()?;
        if ty != other_type {
            return self.fail(start, "the two values differ in type");
        }
        if condition_type != TypeId::I1 && condition_type != self.reader.compare_type(ty) {
            return self
                .fail(start, "the condition is an i1, or a vector of as many as the values");
        }
        Ok((Op::Select { condition, then, otherwise }, ty))
    }

    fn ret(&mut self) -> Parse<Op> {
        let start = self.reader.start;
        let ty = self.reader.ty()?;
        if ty != self.result {
            return self.fail(start, "this is not the type of the function's result");
        }
        if ty == TypeId::VOID {
            return Ok(Op::Return(None));
        }
        Ok(Op::Return(Some(self.value(ty)?)))
    }

    fn branch(&mut self) -> Parse<Op> {
        if self.reader.is_word("label") {
            return Ok(Op::Jump(self.block_operand()?));
        }
        let start = self.reader.start;
        let (condition, ty) = self.typed_value()?;
        if ty != TypeId::I1 {
            return self.fail(start, "the condition of a branch is an i1");
        }
        self.reader.expect(b',')?;
        let then = self.block_operand()?;
        self.reader.expect(b',')?;
        let otherwise = self.block_operand()?;
        Ok(Op::Branch { condition, then, otherwise })
    }

    fn switch(&mut self) -> Parse<Op> {
        let start = self.reader.start;
        let (value, ty) = self.typed_value()?;
        if self.reader.module.types.integer_bits(ty).is_none() {
            return self.fail(start, "a switch is over an integer");
        }
        self.reader.expect(b',')?;
        let default = self.block_operand()?;
        self.reader.expect(b'[')?;
        let mut cases: Vec<(ConstantId, BlockId)> = Vec::new();
        while !self.reader.accept(b']')? {
            let span = self.reader.span();
            let case = self.reader.typed_constant()?;
            let constant = &self.reader.module.constants[case];
            let number =
                matches!(constant.value, ConstantValue::Integer(_) | ConstantValue::WideInteger(_));
            if constant.ty != ty || !number {
                return Err(
                    Diagnostic::error(span, "a case is a number of the switch's type").into()
                );
            }
            self.reader.expect(b',')?;
            cases.push((case, self.block_operand()?));
        }
        Ok(Op::Switch(Box::new(Switch { value, ty, default, cases: cases.into() })))
    }

    /// `[label %a, label %b]`.
    pub(super) fn block_list(&mut self) -> Parse<Box<[BlockId]>> {
        self.reader.expect(b'[')?;
        let mut blocks = Vec::new();
        if !self.reader.is(b']') {
            loop {
                blocks.push(self.block_operand()?);
                if !self.reader.accept(b',')? {
                    break;
                }
            }
        }
        self.reader.expect(b']')?;
        Ok(blocks.into())
    }

    fn phi(&mut self) -> Parse<(Op, TypeId)> {
        self.fast_math()?;
        let ty = self.reader.ty()?;
        let mut entries = Vec::new();
        loop {
            self.reader.expect(b'[')?;
            let value = self.value(ty)?;
            self.reader.expect(b',')?;
            entries.push((value, self.bare_block()?));
            self.reader.expect(b']')?;
            if !self.reader.comma()? {
                break;
            }
        }
        Ok((Op::Phi(entries.into()), ty))
    }

    fn vector_op(&mut self, start: usize, word: &str) -> Parse<(Op, TypeId)> {
        let (vector, ty) = self.typed_value()?;
        let Type::Vector { element, count, .. } = self.reader.module.types[ty] else {
            return self.fail(start, "this works on a vector");
        };
        self.reader.expect(b',')?;
        if word == "extractelement" {
            let index = self.integer_value()?;
            return Ok((Op::ExtractElement { vector, index }, element));
        }
        let (second, second_type) = self.typed_value()?;
        self.reader.expect(b',')?;
        if word == "insertelement" {
            if second_type != element {
                return self.fail(start, "the value is not of the type of the vector's elements");
            }
            let index = self.integer_value()?;
            return Ok((Op::InsertElement { vector, element: second, index }, ty));
        }
        if second_type != ty {
            return self.fail(start, "the two vectors differ in type");
        }
        let mask_type = self.reader.ty()?;
        let mask = self.reader.constant(mask_type)?;
        match self.shuffle_mask(mask_type, mask, 2 * count as u64) {
            Some((mask, result_count, scalable)) => {
                let result = Type::Vector { element, count: result_count, scalable };
                let result = self.reader.module.types.intern(result);
                Ok((Op::ShuffleVector { left: vector, right: second, mask }, result))
            }
            None => self.fail(start, "the mask is not a vector of i32 indices within bounds"),
        }
    }

    /// The indices of a mask, each below `limit`; the number of elements it gives.
    fn shuffle_mask(&self, ty: TypeId, mask: ConstantId, limit: u64) -> Option<(Mask, u32, bool)> {
        let module = &self.reader.module;
        let Type::Vector { element, count, scalable } = module.types[ty] else { return None };
        // No number in the text may make a large table by itself.
        if element != TypeId::I32 || count > 1 << 16 {
            return None;
        }
        let index = |id: ConstantId| match module.constants[id].value {
            ConstantValue::Integer(value) => (value < limit as u128).then_some(Some(value as u32)),
            ConstantValue::Undef | ConstantValue::Poison => Some(None),
            _ => None,
        };
        let indices = match &module.constants[mask].value {
            ConstantValue::Aggregate(parts) => parts.iter().map(|part| index(*part)).collect(),
            ConstantValue::Splat(part) => Some(vec![index(*part)?; count as usize].into()),
            ConstantValue::Zero => Some(vec![Some(0); count as usize].into()),
            ConstantValue::Undef | ConstantValue::Poison => Some(vec![None; count as usize].into()),
            _ => None,
        };
        Some((indices?, count, scalable))
    }

    pub(super) fn integer_value(&mut self) -> Parse<Operand> {
        let span = self.reader.span();
        let ty = self.reader.ty()?;
        if self.reader.module.types.integer_bits(ty).is_none() {
            return Err(Diagnostic::error(span, "this must be an integer").into());
        }
        self.value(ty)
    }

    fn landing_pad(&mut self) -> Parse<(Op, TypeId)> {
        let ty = self.reader.ty()?;
        let cleanup = self.reader.accept_word("cleanup")?;
        let mut clauses = Vec::new();
        loop {
            if self.reader.accept_word("catch")? {
                clauses.push(Clause::Catch(self.typed_value()?.0));
            } else if self.reader.accept_word("filter")? {
                clauses.push(Clause::Filter(self.typed_value()?.0));
            } else {
                break;
            }
        }
        Ok((Op::LandingPad(Box::new(LandingPad { cleanup, clauses: clauses.into() })), ty))
    }

    fn catch_switch(&mut self) -> Parse<(Op, TypeId)> {
        self.reader.expect_word("within")?;
        let within = self.value(TypeId::TOKEN)?;
        let handlers = self.block_list()?;
        let unwind = self.unwind()?;
        let switch = CatchSwitch { within, handlers, unwind };
        Ok((Op::CatchSwitch(Box::new(switch)), TypeId::TOKEN))
    }

    /// `unwind label %a` or `unwind to caller`.
    fn unwind(&mut self) -> Parse<Option<BlockId>> {
        self.reader.expect_word("unwind")?;
        if self.reader.accept_word("to")? {
            self.reader.expect_word("caller")?;
            return Ok(None);
        }
        Ok(Some(self.block_operand()?))
    }

    fn pad_arguments(&mut self) -> Parse<Box<[Operand]>> {
        self.reader.expect(b'[')?;
        let mut arguments = Vec::new();
        if !self.reader.is(b']') {
            loop {
                arguments.push(self.typed_value()?.0);
                if !self.reader.accept(b',')? {
                    break;
                }
            }
        }
        self.reader.expect(b']')?;
        Ok(arguments.into())
    }
}
