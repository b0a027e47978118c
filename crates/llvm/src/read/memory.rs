//! Instructions on memory.

use super::Parse;
use super::function::FunctionReader;
use super::words;
use crate::ir::{
    Atomic, AtomicUpdate, CompareExchange, GepFlags, GetElementPtr, Name, Op, Operand, Ordering,
    Type, TypeId, UpdateOp,
};
use crate::lexer::Token;
use auspex_system::Diagnostic;

/// What can follow the operands of an access to memory.
#[derive(Default)]
struct Tail {
    align: u32,
    address_space: u32,
    count: Option<Operand>,
}

impl<'t> FunctionReader<'_, 't> {
    /// `, align 8` and `, addrspace(5)`, and for `alloca` the count.
    fn memory_tail(&mut self, with_count: bool) -> Parse<Tail> {
        let mut tail = Tail::default();
        while self.reader.comma()? {
            match self.reader.token {
                Token::Word("align") => {
                    self.reader.advance()?;
                    tail.align = self.reader.alignment()?;
                }
                Token::Word("addrspace") if with_count => {
                    tail.address_space = self.reader.address_space()?;
                }
                _ if with_count => tail.count = Some(self.integer_value()?),
                _ => return Err(self.reader.expected("`align`").into()),
            }
        }
        Ok(tail)
    }

    pub(super) fn alloca(&mut self) -> Parse<(Op, TypeId)> {
        let in_alloca = self.reader.accept_word("inalloca")?;
        self.reader.accept_word("swifterror")?;
        let span = self.reader.span();
        let allocated = self.reader.ty()?;
        if !self.reader.module.types.is_first_class(allocated) || allocated == TypeId::TOKEN {
            return Err(Diagnostic::error(span, "no memory can have this type").into());
        }
        let tail = self.memory_tail(true)?;
        let ty = self.reader.module.types.pointer(tail.address_space);
        Ok((Op::Alloca { allocated, count: tail.count, align: tail.align, in_alloca }, ty))
    }

    fn value_type(&mut self) -> Parse<TypeId> {
        let span = self.reader.span();
        let ty = self.reader.ty()?;
        match self.reader.module.types.is_first_class(ty) && ty != TypeId::TOKEN {
            true => Ok(ty),
            false => Err(Diagnostic::error(span, "no value in memory has this type").into()),
        }
    }

    /// What the value of an atomic access may be: a whole number of bytes.
    fn atomic_type(&self, start: usize, ty: TypeId) -> Parse<()> {
        match self.reader.module.types[ty] {
            Type::Integer(_) | Type::Float(_) | Type::Pointer { .. } | Type::Vector { .. } => {
                Ok(())
            }
            _ => self.fail(start, "atomic accesses are of numbers and pointers"),
        }
    }

    pub(super) fn load(&mut self) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        let is_atomic = self.reader.accept_word("atomic")?;
        let volatile = self.reader.accept_word("volatile")?;
        let ty = self.value_type()?;
        self.reader.expect(b',')?;
        let pointer = self.pointer_value()?;
        let atomic = self.atomic_tail(is_atomic)?;
        if is_atomic {
            self.atomic_type(start, ty)?;
        }
        let align = self.memory_tail(false)?.align;
        Ok((Op::Load { pointer, align, volatile, atomic }, ty))
    }

    pub(super) fn store(&mut self) -> Parse<Op> {
        let start = self.reader.start;
        let is_atomic = self.reader.accept_word("atomic")?;
        let volatile = self.reader.accept_word("volatile")?;
        let stored = self.value_type()?;
        let value = self.value(stored)?;
        self.reader.expect(b',')?;
        let pointer = self.pointer_value()?;
        let atomic = self.atomic_tail(is_atomic)?;
        if is_atomic {
            self.atomic_type(start, stored)?;
        }
        let align = self.memory_tail(false)?.align;
        Ok(Op::Store { value, stored, pointer, align, volatile, atomic })
    }

    fn atomic_tail(&mut self, is_atomic: bool) -> Parse<Option<Atomic>> {
        if !is_atomic {
            return Ok(None);
        }
        let scope = self.sync_scope()?;
        Ok(Some(Atomic { ordering: self.ordering()?, scope }))
    }

    /// `syncscope("singlethread")`.
    pub(super) fn sync_scope(&mut self) -> Parse<Option<Name>> {
        if !self.reader.accept_word("syncscope")? {
            return Ok(None);
        }
        self.reader.expect(b'(')?;
        let scope = self.reader.string("a scope")?;
        self.reader.expect(b')')?;
        Ok((!scope.is_empty()).then(|| self.reader.module.names.intern(&scope)))
    }

    pub(super) fn ordering(&mut self) -> Parse<Ordering> {
        if let Token::Word(word) = self.reader.token
            && let Some(ordering) = words::ordering(word)
        {
            self.reader.advance()?;
            return Ok(ordering);
        }
        Err(self.reader.expected("a memory ordering (`seq_cst`, …)").into())
    }

    pub(super) fn compare_exchange(&mut self) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        let weak = self.reader.accept_word("weak")?;
        let volatile = self.reader.accept_word("volatile")?;
        let pointer = self.pointer_value()?;
        self.reader.expect(b',')?;
        let (expected, ty) = self.typed_value()?;
        self.reader.expect(b',')?;
        let (replacement, other) = self.typed_value()?;
        self.atomic_type(start, ty)?;
        if ty != other {
            return self.fail(start, "the two values differ in type");
        }
        let scope = self.sync_scope()?;
        let success = self.ordering()?;
        let failure = self.ordering()?;
        let align = self.memory_tail(false)?.align;
        let fields = [ty, TypeId::I1].into();
        let result = self.reader.module.types.intern(Type::Struct { fields, packed: false });
        let exchange = CompareExchange {
            pointer,
            expected,
            replacement,
            ty,
            weak,
            volatile,
            scope,
            success,
            failure,
            align,
        };
        Ok((Op::CompareExchange(Box::new(exchange)), result))
    }

    pub(super) fn atomic_update(&mut self) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        let volatile = self.reader.accept_word("volatile")?;
        let span = self.reader.span();
        let word = self.reader.word("an operation")?;
        let Some(op) = words::update_op(word) else {
            return Err(Diagnostic::error(span, "there is no such atomic operation").into());
        };
        let pointer = self.pointer_value()?;
        self.reader.expect(b',')?;
        let (value, ty) = self.typed_value()?;
        self.atomic_type(start, ty)?;
        let types = &self.reader.module.types;
        let fits = match op {
            UpdateOp::Exchange => true,
            UpdateOp::FloatAdd
            | UpdateOp::FloatSub
            | UpdateOp::FloatMax
            | UpdateOp::FloatMin
            | UpdateOp::FloatMaximum
            | UpdateOp::FloatMinimum
            | UpdateOp::FloatMaximumNum
            | UpdateOp::FloatMinimumNum => types.float_kind(types.scalar(ty)).is_some(),
            _ => types.integer_bits(ty).is_some(),
        };
        if !fits {
            return self.fail(start, "the operation does not work on this type");
        }
        let scope = self.sync_scope()?;
        let ordering = self.ordering()?;
        let align = self.memory_tail(false)?.align;
        let atomic = Atomic { ordering, scope };
        let update = AtomicUpdate { op, pointer, value, ty, volatile, atomic, align };
        Ok((Op::AtomicUpdate(Box::new(update)), ty))
    }

    pub(super) fn get_element_ptr(&mut self) -> Parse<(Op, TypeId)> {
        let start = self.reader.start;
        let mut flags = GepFlags::default();
        while let Token::Word(word) = self.reader.token {
            match word {
                "inbounds" => flags.inbounds = true,
                "nusw" => flags.nusw = true,
                "nuw" => flags.nuw = true,
                "inrange" => {
                    self.reader.advance()?;
                    self.reader.skip_parenthesized()?;
                    continue;
                }
                _ => break,
            }
            self.reader.advance()?;
        }
        flags.nusw |= flags.inbounds;
        let source = self.reader.ty()?;
        self.reader.expect(b',')?;
        let (base, base_type) = self.typed_value()?;
        let (mut indices, mut types) = (Vec::new(), Vec::new());
        while self.reader.comma()? {
            let (index, ty) = self.typed_value()?;
            let known = match index {
                Operand::Constant(constant) => self.reader.module.constants.as_index(constant),
                Operand::Local(_) => None,
            };
            indices.push(index);
            types.push((ty, known));
        }
        match self.reader.gep_type(source, base_type, &types) {
            Ok(ty) => {
                let gep = GetElementPtr { flags, source, base, indices: indices.into() };
                Ok((Op::GetElementPtr(Box::new(gep)), ty))
            }
            Err(problem) => self.fail(start, problem),
        }
    }
}
