//! Constant expressions.

use super::words;
use super::{Parse, Reader};
use crate::ir::{CastOp, ConstantId, ConstantValue, Expression, Type, TypeId, Types};
use crate::lexer::Token;
use auspex_system::Diagnostic;

impl<'t> Reader<'t> {
    /// A constant expression that begins with `word` and must have the type `ty`.
    pub(super) fn expression(&mut self, ty: TypeId, word: &'t str) -> Parse<ConstantId> {
        let start = self.start;
        if !words::is_constant(word) {
            return Err(self.expected("a value").into());
        }
        self.advance()?;
        let (expression, found) = if let Some(op) = words::binary_op(word) {
            while matches!(self.token, Token::Word("nuw" | "nsw" | "exact" | "disjoint")) {
                self.advance()?;
            }
            let [left, right] = self.operands()?;
            self.same_type(left, right)?;
            let found = self.constant_type(left);
            (Expression::Binary { op, left, right }, found)
        } else if let Some(op) = words::cast_op(word) {
            self.cast_expression(op)?
        } else {
            match word {
                "getelementptr" => self.gep_expression()?,
                "icmp" | "fcmp" => self.compare_expression(word)?,
                "select" => {
                    let [condition, then, otherwise] = self.operands()?;
                    self.same_type(then, otherwise)?;
                    let found = self.constant_type(then);
                    (Expression::Select { condition, then, otherwise }, found)
                }
                "fneg" => {
                    let [value] = self.operands()?;
                    (Expression::Negate(value), self.constant_type(value))
                }
                "extractelement" => {
                    let [vector, index] = self.operands()?;
                    let found = self.element_type(vector)?;
                    (Expression::ExtractElement { vector, index }, found)
                }
                "insertelement" => {
                    let [vector, element, index] = self.operands()?;
                    let found = self.constant_type(vector);
                    if self.element_type(vector)? != self.constant_type(element) {
                        return Err(self.error("the element is not of the vector's type").into());
                    }
                    (Expression::InsertElement { vector, element, index }, found)
                }
                "shufflevector" => {
                    let [left, right, mask] = self.operands()?;
                    self.same_type(left, right)?;
                    let element = self.element_type(left)?;
                    let Type::Vector { count, scalable, .. } =
                        self.module.types[self.constant_type(mask)]
                    else {
                        return Err(self.error("the mask is not a vector").into());
                    };
                    let found = self.module.types.intern(Type::Vector { element, count, scalable });
                    (Expression::ShuffleVector { left, right, mask }, found)
                }
                "extractvalue" | "insertvalue" => self.part_expression(word)?,
                _ => return Err(self.expected("a value").into()),
            }
        };
        if found != ty {
            let message = "this expression has another type than it must have here";
            return Err(Diagnostic::error(self.span_from(start), message).into());
        }
        Ok(self.intern(ty, ConstantValue::Expression(Box::new(expression))))
    }

    pub(super) fn constant_type(&self, id: ConstantId) -> TypeId {
        self.module.constants[id].ty
    }

    fn same_type(&self, left: ConstantId, right: ConstantId) -> Parse<()> {
        match self.constant_type(left) == self.constant_type(right) {
            true => Ok(()),
            false => Err(self.error("the two operands before this differ in type").into()),
        }
    }

    fn element_type(&self, vector: ConstantId) -> Parse<TypeId> {
        match self.module.types[self.constant_type(vector)] {
            Type::Vector { element, .. } => Ok(element),
            _ => Err(self.error("the operand before this is not a vector").into()),
        }
    }

    /// `( type value, … )`.
    fn operands<const COUNT: usize>(&mut self) -> Parse<[ConstantId; COUNT]> {
        let mut operands = [ConstantId(0); COUNT];
        self.expect(b'(')?;
        for (index, operand) in operands.iter_mut().enumerate() {
            if index > 0 {
                self.expect(b',')?;
            }
            *operand = self.typed_constant()?;
        }
        self.expect(b')')?;
        Ok(operands)
    }

    fn cast_expression(&mut self, op: CastOp) -> Parse<(Expression, TypeId)> {
        while matches!(self.token, Token::Word("nuw" | "nsw" | "nneg")) {
            self.advance()?;
        }
        self.expect(b'(')?;
        let value = self.typed_constant()?;
        self.expect_word("to")?;
        let span = self.span();
        let to = self.ty()?;
        if !cast_fits(&self.module.types, op, self.constant_type(value), to) {
            return Err(Diagnostic::error(span, "this cast cannot give this type").into());
        }
        self.expect(b')')?;
        Ok((Expression::Cast { op, value }, to))
    }

    fn compare_expression(&mut self, word: &str) -> Parse<(Expression, TypeId)> {
        let span = self.span();
        let predicate = self.word("a comparison")?;
        let [left, right] = self.operands()?;
        self.same_type(left, right)?;
        let found = self.compare_type(self.constant_type(left));
        let expression = if word == "icmp" {
            words::integer_predicate(predicate).map(|predicate| Expression::IntegerCompare {
                predicate,
                left,
                right,
            })
        } else {
            words::float_predicate(predicate).map(|predicate| Expression::FloatCompare {
                predicate,
                left,
                right,
            })
        };
        match expression {
            Some(expression) => Ok((expression, found)),
            None => Err(Diagnostic::error(span, "there is no such comparison").into()),
        }
    }

    /// What comparing two values of a type gives: `i1`, or a vector of them.
    pub(super) fn compare_type(&mut self, ty: TypeId) -> TypeId {
        match self.module.types[ty] {
            Type::Vector { count, scalable, .. } => {
                self.module.types.intern(Type::Vector { element: TypeId::I1, count, scalable })
            }
            _ => TypeId::I1,
        }
    }

    fn gep_expression(&mut self) -> Parse<(Expression, TypeId)> {
        let mut inbounds = false;
        while let Token::Word(word) = self.token {
            match word {
                "inbounds" => inbounds = true,
                "nusw" | "nuw" => {}
                // The part of the object that may be reached.
                "inrange" => {
                    self.advance()?;
                    self.skip_parenthesized()?;
                    continue;
                }
                _ => break,
            }
            self.advance()?;
        }
        self.expect(b'(')?;
        let span = self.span();
        let source = self.ty()?;
        self.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.accept(b',')? {
            self.accept_word("inrange")?;
            indices.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        let types: Vec<_> = indices
            .iter()
            .map(|index| (self.constant_type(*index), self.module.constants.as_index(*index)))
            .collect();
        match self.gep_type(source, self.constant_type(base), &types) {
            Ok(ty) => {
                let indices = indices.into();
                Ok((Expression::GetElementPtr { inbounds, source, base, indices }, ty))
            }
            Err(problem) => Err(Diagnostic::error(span, problem).into()),
        }
    }

    /// The type of a `getelementptr`, given the types of its indices and, where they are
    /// constants, their values.
    pub(super) fn gep_type(
        &mut self,
        source: TypeId,
        base: TypeId,
        indices: &[(TypeId, Option<u64>)],
    ) -> Result<TypeId, &'static str> {
        let types = &self.module.types;
        if !types.is_pointer(types.scalar(base)) {
            return Err("the base is not a pointer");
        }
        let mut lanes = match types[base] {
            Type::Vector { count, scalable, .. } => Some((count, scalable)),
            _ => None,
        };
        if !types.is_first_class(source) {
            return Err("nothing can point to this type");
        }
        let mut ty = source;
        for (position, (index, value)) in indices.iter().enumerate() {
            if types.integer_bits(types.scalar(*index)).is_none() {
                return Err("an index is not an integer");
            }
            if let Type::Vector { count, scalable, .. } = types[*index] {
                if lanes.is_some_and(|known| known != (count, scalable)) {
                    return Err("the vectors differ in length");
                }
                lanes = Some((count, scalable));
            }
            if position == 0 {
                continue;
            }
            ty = match types[ty] {
                Type::Array { element, .. } | Type::Vector { element, .. } => element,
                _ => match value.and_then(|value| types.part(ty, value)) {
                    Some(part) => part,
                    None => return Err("an index leads to no field of the type"),
                },
            };
        }
        Ok(match lanes {
            Some((count, scalable)) if !types.is_vector(base) => {
                self.module.types.intern(Type::Vector { element: base, count, scalable })
            }
            _ => base,
        })
    }

    fn part_expression(&mut self, word: &str) -> Parse<(Expression, TypeId)> {
        self.expect(b'(')?;
        let aggregate = self.typed_constant()?;
        let mut element = None;
        if word == "insertvalue" {
            self.expect(b',')?;
            element = Some(self.typed_constant()?);
        }
        let (indices, ty) = self.part_indices(self.constant_type(aggregate))?;
        self.expect(b')')?;
        Ok(match element {
            None => (Expression::ExtractValue { aggregate, indices }, ty),
            Some(element) if self.constant_type(element) == ty => {
                let found = self.constant_type(aggregate);
                (Expression::InsertValue { aggregate, element, indices }, found)
            }
            Some(_) => return Err(self.error("the value is not of the part's type").into()),
        })
    }

    /// `, 0, 1`: indices into an aggregate, and the type of the part they lead to.
    pub(super) fn part_indices(&mut self, aggregate: TypeId) -> Parse<(Box<[u32]>, TypeId)> {
        let mut ty = aggregate;
        let mut indices = Vec::new();
        loop {
            if !self.comma()? {
                break;
            }
            let span = self.span();
            let index = self.unsigned32("an index")?;
            let vector = self.module.types.is_vector(ty);
            match self.module.types.part(ty, index as u64) {
                Some(part) if !vector => ty = part,
                _ => return Err(Diagnostic::error(span, "the type has no such part").into()),
            }
            indices.push(index);
        }
        match indices.is_empty() {
            true => Err(self.expected("`,` and an index").into()),
            false => Ok((indices.into(), ty)),
        }
    }
}

/// Whether a cast from one type to another makes sense. What pointers' and numbers' sizes must
/// have to do with each other is checked as far as it does not depend on the layout.
pub(super) fn cast_fits(types: &Types, op: CastOp, from: TypeId, to: TypeId) -> bool {
    let lanes = |ty| match types[ty] {
        Type::Vector { count, scalable, .. } => Some((count, scalable)),
        _ => None,
    };
    if op != CastOp::Bitcast && lanes(from) != lanes(to) {
        return false;
    }
    let (a, b) = (types.scalar(from), types.scalar(to));
    let integers = || Some((types.integer_bits(a)?, types.integer_bits(b)?));
    let floats = || Some((types.float_kind(a)?.bits(), types.float_kind(b)?.bits()));
    match op {
        CastOp::Truncate => integers().is_some_and(|(a, b)| a > b),
        CastOp::ZeroExtend | CastOp::SignExtend => integers().is_some_and(|(a, b)| a < b),
        CastOp::FloatTruncate => floats().is_some_and(|(a, b)| a > b),
        CastOp::FloatExtend => floats().is_some_and(|(a, b)| a < b),
        CastOp::FloatToUnsigned | CastOp::FloatToSigned => {
            types.float_kind(a).is_some() && types.integer_bits(b).is_some()
        }
        CastOp::UnsignedToFloat | CastOp::SignedToFloat => {
            types.integer_bits(a).is_some() && types.float_kind(b).is_some()
        }
        CastOp::PointerToInteger | CastOp::PointerToAddress => {
            types.is_pointer(a) && types.integer_bits(b).is_some()
        }
        CastOp::IntegerToPointer => types.integer_bits(a).is_some() && types.is_pointer(b),
        CastOp::AddressSpaceCast => types.is_pointer(a) && types.is_pointer(b),
        CastOp::Bitcast => {
            let bits = |ty: TypeId| -> Option<u64> {
                let count = lanes(ty).map_or(1, |(count, _)| count as u64);
                let scalar = match &types[types.scalar(ty)] {
                    Type::Integer(bits) => *bits as u64,
                    Type::Float(kind) => kind.bits() as u64,
                    Type::X86Mmx => 64,
                    Type::X86Amx => 8192,
                    _ => return None,
                };
                Some(count * scalar)
            };
            match (types.is_pointer(a), types.is_pointer(b)) {
                (true, true) => a == b,
                (false, false) => {
                    from == to && types.is_first_class(from)
                        || bits(from).is_some() && bits(from) == bits(to)
                }
                _ => false,
            }
        }
    }
}
