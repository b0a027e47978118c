//! Code of expressions and designators.

use super::Emitter;
use crate::code::{Op, Pc};
use crate::tree::{Binary, Expr, ExprKind, Length, Owner, PathStep, Place, Role, VariableId};
use crate::types::{Scalar, Type};

/// Where a place is when no code has to find out.
enum Fixed {
    Local(u32),
    Global(u32),
}

impl Emitter<'_> {
    /// Leaves the value on the stack.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(value) => self.constant(*value),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Length(variable) => self.open_length(*variable),
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                self.op_at(expr.span, Op::Unary(*op));
            }
            ExprKind::Binary(op @ (Binary::And | Binary::Or), left, right) => {
                self.expr(left);
                // The left side decides, or the right one does.
                let decided = self.constant_jump(*op == Binary::Or);
                self.expr(right);
                let end = self.op(Op::Jump(0));
                let here = self.here();
                self.patch(decided, here);
                self.constant(i64::from(*op == Binary::Or));
                let here = self.here();
                self.patch(end, here);
            }
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.expr(right);
                self.op_at(expr.span, Op::Binary(*op));
            }
            ExprKind::Cast(scalar, operand) => {
                self.expr(operand);
                self.op(Op::Cast(*scalar));
            }
            ExprKind::Check(scalar, operand) => {
                self.expr(operand);
                self.op_at(expr.span, Op::Check(*scalar));
            }
            ExprKind::Range(from, to) => {
                self.expr(from);
                self.expr(to);
                self.op_at(expr.span, Op::SetRange);
            }
        }
    }

    fn constant_jump(&mut self, on: bool) -> Pc {
        self.op(if on { Op::JumpIf(0) } else { Op::JumpIfNot(0) })
    }

    pub(super) fn constant(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(value) => self.op(Op::Constant(value)),
            Err(_) => self.op(Op::LongConstant(value)),
        };
    }

    /// Jumps away if a condition has a value; gives back what has to be patched.
    pub(super) fn jump_on(&mut self, condition: &Expr, value: bool) -> Vec<Pc> {
        match &condition.kind {
            ExprKind::Unary(crate::tree::Unary::Not, inner) => self.jump_on(inner, !value),
            ExprKind::Binary(op @ (Binary::And | Binary::Or), left, right) => {
                // Does one side alone decide for `value`?
                let alone = (*op == Binary::Or) == value;
                if alone {
                    let mut jumps = self.jump_on(left, value);
                    jumps.extend(self.jump_on(right, value));
                    jumps
                } else {
                    let around = self.jump_on(left, !value);
                    let jumps = self.jump_on(right, value);
                    let here = self.here();
                    around.into_iter().for_each(|at| self.patch(at, here));
                    jumps
                }
            }
            ExprKind::Constant(known) => {
                let taken = (*known != 0) == value;
                if taken { vec![self.op(Op::Jump(0))] } else { Vec::new() }
            }
            ExprKind::Binary(op, left, right) if is_comparison(*op) => {
                self.expr(left);
                self.expr(right);
                vec![self.op(Op::JumpCompare { op: *op, on: value, to: 0 })]
            }
            _ => {
                self.expr(condition);
                vec![self.constant_jump(value)]
            }
        }
    }

    /// Adds a number to a variable.
    pub(super) fn increment(&mut self, place: &Place, by: i64) {
        let scalar = self.scalar(place);
        match (self.fixed(place), i32::try_from(by)) {
            (Some(Fixed::Local(offset)), Ok(by)) => {
                self.op(Op::IncrementLocal(offset, scalar, by));
            }
            (Some(Fixed::Global(offset)), Ok(by)) => {
                self.op(Op::IncrementGlobal(offset, scalar, by));
            }
            _ => self.store(place, |emitter| {
                emitter.load(place);
                emitter.constant(by);
                emitter.op(Op::Binary(Binary::Add));
            }),
        }
    }

    fn fixed(&self, place: &Place) -> Option<Fixed> {
        let variable = self.program.variable(place.variable);
        let open = matches!(self.program.types.get(variable.ty), Type::OpenArray { .. });
        if variable.role == Role::Reference || open {
            return None;
        }
        let mut offset = self.offsets[place.variable.0 as usize];
        for step in &place.path {
            offset += self.fixed_step(step)?;
        }
        match variable.owner {
            Owner::Module(_) => Some(Fixed::Global(offset)),
            owner if Some(owner) == self.owner() => Some(Fixed::Local(offset)),
            Owner::Process(_) => None,
        }
    }

    fn fixed_step(&self, step: &PathStep) -> Option<u32> {
        match step {
            PathStep::Field { offset } => Some(*offset),
            PathStep::Index { index, length: Length::Fixed(length), element, .. } => {
                let index = u32::try_from(index.constant()?).ok()?;
                (index < *length).then(|| index * element)
            }
            PathStep::Index { .. } => None,
        }
    }

    fn scalar(&self, place: &Place) -> Scalar {
        self.program.types.as_scalar(place.ty).unwrap_or(Scalar::Int64)
    }

    pub(super) fn load(&mut self, place: &Place) {
        let scalar = self.scalar(place);
        match self.fixed(place) {
            Some(Fixed::Local(offset)) => self.op(Op::LoadLocal(offset, scalar)),
            Some(Fixed::Global(offset)) => self.op(Op::LoadGlobal(offset, scalar)),
            None => {
                self.reference(place);
                self.op(Op::Load(scalar))
            }
        };
    }

    /// Stores what `value` leaves on the stack.
    pub(super) fn store(&mut self, place: &Place, value: impl FnOnce(&mut Self)) {
        let scalar = self.scalar(place);
        match self.fixed(place) {
            Some(Fixed::Local(offset)) => {
                value(self);
                self.op(Op::StoreLocal(offset, scalar));
            }
            Some(Fixed::Global(offset)) => {
                value(self);
                self.op(Op::StoreGlobal(offset, scalar));
            }
            None => {
                self.reference(place);
                value(self);
                self.op(Op::Store(scalar));
            }
        }
    }

    /// Leaves a reference to a place on the stack.
    pub(super) fn reference(&mut self, place: &Place) {
        match self.fixed(place) {
            Some(Fixed::Local(offset)) => {
                self.op(Op::LocalReference(offset));
                return;
            }
            Some(Fixed::Global(offset)) => {
                self.op(Op::GlobalReference(offset));
                return;
            }
            None => {}
        }
        let variable = self.program.variable(place.variable);
        let open = matches!(self.program.types.get(variable.ty), Type::OpenArray { .. });
        let mut pending = 0;
        if variable.role == Role::Reference || open {
            self.slot(place.variable, 0, Scalar::Reference);
        } else {
            self.slot_reference(place.variable);
        }
        for step in &place.path {
            if let Some(offset) = self.fixed_step(step) {
                pending += offset;
                continue;
            }
            if pending > 0 {
                self.op(Op::Offset(pending));
                pending = 0;
            }
            let PathStep::Index { index, length, element, span } = step else { continue };
            self.expr(index);
            match length {
                Length::Fixed(length) => {
                    self.op_at(*span, Op::Index { length: *length, element: *element });
                }
                Length::Open => {
                    self.open_length(place.variable);
                    self.op_at(*span, Op::IndexOpen { element: *element });
                }
            }
        }
        if pending > 0 {
            self.op(Op::Offset(pending));
        }
    }

    /// A reference to the room of a variable itself.
    fn slot_reference(&mut self, variable: VariableId) {
        let offset = self.offsets[variable.0 as usize];
        match self.program.variable(variable).owner {
            Owner::Module(_) => self.op(Op::GlobalReference(offset)),
            owner if Some(owner) == self.owner() => self.op(Op::LocalReference(offset)),
            Owner::Process(owner) => {
                let own = self.process.map_or(0, |process| self.program.process(process).level);
                let hops = own.saturating_sub(self.program.process(owner).level);
                self.op(Op::FrameReference(hops));
                self.op(Op::Offset(offset))
            }
        };
    }

    /// The value that is kept in the room of a variable, so many bytes behind its beginning.
    fn slot(&mut self, variable: VariableId, further: u32, scalar: Scalar) {
        let owner = self.program.variable(variable).owner;
        if Some(owner) == self.owner() {
            let offset = self.offsets[variable.0 as usize] + further;
            self.op(Op::LoadLocal(offset, scalar));
            return;
        }
        self.slot_reference(variable);
        if further > 0 {
            self.op(Op::Offset(further));
        }
        self.op(Op::Load(scalar));
    }

    pub(super) fn open_length(&mut self, variable: VariableId) {
        self.slot(variable, 8, Scalar::Uint32);
    }

    /// Leaves the length of an array on the stack.
    pub(super) fn length(&mut self, place: &Place) {
        match self.program.types.get(place.ty) {
            Type::OpenArray { .. } => self.open_length(place.variable),
            Type::Array { length, .. } => self.constant(i64::from(*length)),
            _ => self.constant(0),
        }
    }
}

/// Can it be decided together with a jump?
fn is_comparison(op: Binary) -> bool {
    matches!(
        op,
        Binary::Equal
            | Binary::Unequal
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
    )
}
