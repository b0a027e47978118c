//! What may stand where a value, a record or an array is expected, and what may be assigned to what.

use super::Checker;
use super::designator::Designated;
use crate::ast;
use crate::tree::{Argument, Expr, Place, Role, VariableId};
use crate::types::{Scalar, Type, TypeId, Types};
use auspex_system::{Diagnostic, Span};

/// The right side of an assignment, an argument, a field of a message.
pub enum Operand {
    Value(Expr),
    /// A record or an array.
    Structure(Place),
    Text(usize),
    Invalid,
}

impl Checker {
    /// Something of a certain type; `what` names the place for people.
    pub(super) fn operand(&mut self, expr: &ast::Expr, ty: TypeId) -> Operand {
        if self.program.types.is_invalid(ty) {
            let _ = self.value_or_structure(expr);
            return Operand::Invalid;
        }
        match self.program.types.get(ty).clone() {
            Type::Array { length, element } if element == Types::CHAR => {
                if let Some((text, size)) = self.text_of(expr) {
                    return self.fitting_text(text, size, length, expr.span);
                }
                self.structure(expr, ty)
            }
            Type::Array { .. } | Type::Record { .. } => self.structure(expr, ty),
            _ => {
                let value = self.value(expr);
                match self.assignable(value, ty) {
                    Some(value) => Operand::Value(value),
                    None => Operand::Invalid,
                }
            }
        }
    }

    fn fitting_text(&mut self, text: usize, size: usize, length: u32, span: Span) -> Operand {
        if size < length as usize {
            return Operand::Text(text);
        }
        let message = format!("a string of {size} characters does not fit into the array");
        let label = format!("{length} characters, the last one 0X");
        self.error(Diagnostic::error(span, message).label(label));
        Operand::Invalid
    }

    fn structure(&mut self, expr: &ast::Expr, ty: TypeId) -> Operand {
        let found = match self.value_or_structure(expr) {
            Ok(value) => value.ty,
            Err(Some(place)) if self.program.types.same(place.ty, ty) => {
                return Operand::Structure(place);
            }
            Err(Some(place)) => place.ty,
            Err(None) => return Operand::Invalid,
        };
        self.mismatch(ty, found, expr.span);
        Operand::Invalid
    }

    /// A value, or a record or array (`Err`), or nothing after an error.
    fn value_or_structure(&mut self, expr: &ast::Expr) -> Result<Expr, Option<Place>> {
        let mut inner = expr;
        while let ast::ExprKind::Paren(next) = &inner.kind {
            inner = next;
        }
        if let ast::ExprKind::Designator(designator) = &inner.kind
            && let Some(Designated::Place(place, _)) = self.structured_place(designator)
        {
            return Err(Some(place));
        }
        let value = self.value(expr);
        if self.program.types.is_invalid(value.ty) { Err(None) } else { Ok(value) }
    }

    /// A designator that stands for a record or an array; `None` (and no message) for all others.
    fn structured_place(&mut self, designator: &ast::Designator) -> Option<Designated> {
        let messages = self.errors.len();
        let designated = self.designate(designator);
        if let Designated::Place(place, _) = &designated
            && self.program.types.as_scalar(place.ty).is_none()
        {
            return Some(designated);
        }
        // It is looked at once more as a value, which tells the same.
        self.errors.truncate(messages);
        None
    }

    pub(super) fn mismatch(&mut self, wanted: TypeId, found: TypeId, span: Span) {
        let types = &self.program.types;
        if types.is_invalid(wanted) || types.is_invalid(found) {
            return;
        }
        let (wanted_name, found_name) = (self.show(wanted), self.show(found));
        let message = format!("{wanted_name} expected, found {found_name}");
        let mut error = Diagnostic::error(span, message).label(format!("this is {found_name}"));
        let hint = match (types.as_scalar(wanted), types.as_scalar(found)) {
            (Some(a), Some(Scalar::Char)) if a.is_integer() => {
                Some("ORD gives the number of a character")
            }
            (Some(Scalar::Char), Some(b)) if b.is_integer() => {
                Some("CHR gives the character with a number")
            }
            (Some(Scalar::Boolean), Some(b)) if b.is_integer() => Some("compare it: x # 0"),
            _ if wanted_name == found_name => {
                Some("two types are the same only if they were declared together")
            }
            _ => None,
        };
        if let Some(hint) = hint {
            error = error.hint(hint);
        }
        self.error(error);
    }

    /// A value for a variable of a type: what integers cannot hold is a fault when the program runs.
    pub(super) fn assignable(&mut self, value: Expr, ty: TypeId) -> Option<Expr> {
        let types = &self.program.types;
        if types.is_invalid(value.ty) || types.is_invalid(ty) {
            return None;
        }
        let (Some(wanted), Some(found)) = (types.as_scalar(ty), types.as_scalar(value.ty)) else {
            self.mismatch(ty, value.ty, value.span);
            return None;
        };
        let fits = match (wanted, found) {
            (Scalar::Port, Scalar::Port) => types.same(ty, value.ty),
            (a, b) if a.is_integer() => b.is_integer(),
            (a, b) => a == b,
        };
        if !fits {
            self.mismatch(ty, value.ty, value.span);
            return None;
        }
        if let Some(constant) = value.constant() {
            self.must_fit(wanted, constant, value.span);
        }
        Some(value)
    }

    /// What a process gets for one of its parameters.
    pub(super) fn argument(&mut self, expr: &ast::Expr, parameter: VariableId) -> Option<Argument> {
        let parameter = self.program.variable(parameter);
        let (ty, role) = (parameter.ty, parameter.role);
        if let Some(element) = self.open_element(ty) {
            return self.open_argument(expr, element, role);
        }
        if role == Role::Reference {
            let place = self.target(expr)?;
            if !self.program.types.same(place.ty, ty) {
                let (wanted, found) = (self.show(ty), self.show(place.ty));
                let message =
                    format!("a VAR parameter of type {wanted} needs a variable of that type");
                let error = Diagnostic::error(expr.span, message);
                self.error(error.label(format!("this is {found}")));
                return None;
            }
            return Some(Argument::Reference(place));
        }
        match self.operand(expr, ty) {
            Operand::Value(value) => Some(Argument::Value(value)),
            Operand::Structure(place) => Some(Argument::Copy(place)),
            Operand::Text(text) => Some(Argument::CopyText(text)),
            Operand::Invalid => None,
        }
    }

    fn open_argument(&mut self, expr: &ast::Expr, element: TypeId, role: Role) -> Option<Argument> {
        if element == Types::CHAR
            && role == Role::Value
            && let Some((text, _)) = self.text_of(expr)
        {
            return Some(Argument::OpenText(text));
        }
        let place = match role {
            Role::Reference => self.target(expr)?,
            _ => match self.value_or_structure(expr) {
                Err(Some(place)) => place,
                Err(None) => return None,
                Ok(value) => {
                    let message = format!("an array is expected, found {}", self.show(value.ty));
                    self.error(Diagnostic::error(expr.span, message).label("no array"));
                    return None;
                }
            },
        };
        let found = match self.program.types.get(place.ty) {
            Type::Array { element, .. } | Type::OpenArray { element } => Some(*element),
            _ => None,
        };
        if found.is_some_and(|found| self.program.types.same(found, element)) {
            return Some(Argument::Open(place));
        }
        let (wanted, found) = (self.show(element), self.show(place.ty));
        let message = format!("ARRAY OF {wanted} expected, found {found}");
        self.error(Diagnostic::error(expr.span, message).label(format!("this is {found}")));
        None
    }
}
