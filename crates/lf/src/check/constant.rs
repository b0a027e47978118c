//! Expressions whose values are known.

use super::Checker;
use super::scope::Symbol;
use crate::arith::{self, Trouble};
use crate::ast;
use crate::tree::{Binary, Expr, ExprKind, Unary};
use crate::types::{Scalar, Type, TypeId, Types};
use auspex_system::{Diagnostic, Span};

impl Checker {
    /// The value of an expression that must be constant, and its type.
    pub(super) fn constant(&mut self, expr: &ast::Expr) -> Option<(i64, TypeId)> {
        let checked = self.value(expr);
        if self.program.types.is_invalid(checked.ty) {
            return None;
        }
        let value = checked.constant();
        if value.is_none() {
            self.error(
                Diagnostic::error(expr.span, "a constant is expected here")
                    .label("its value is known only when the program runs"),
            );
        }
        let ty = match self.program.types.get(checked.ty) {
            Type::Text(_) => Types::CHAR,
            _ => checked.ty,
        };
        value.map(|value| (value, ty))
    }

    /// A constant in quotes, and how long it is.
    pub(super) fn text_of(&mut self, expr: &ast::Expr) -> Option<(usize, usize)> {
        match &expr.kind {
            ast::ExprKind::Paren(inner) => self.text_of(inner),
            ast::ExprKind::String(text) => {
                let bytes = text.as_bytes().to_vec();
                let length = bytes.len();
                Some((self.text(bytes), length))
            }
            ast::ExprKind::Designator(designator) => {
                let symbol = match designator.selectors.as_slice() {
                    [] => self.find(&designator.name.text).map(|entry| entry.symbol.clone()),
                    [ast::Selector::Field(field)] => {
                        let first = self.find(&designator.name.text);
                        match first.map(|entry| entry.symbol.clone()) {
                            Some(Symbol::Module(id)) => {
                                let scope = self.modules.get(id.0 as usize);
                                scope
                                    .and_then(|s| s.names.get(&field.text))
                                    .map(|e| e.symbol.clone())
                            }
                            _ => None,
                        }
                    }
                    _ => None,
                };
                match symbol {
                    Some(Symbol::Text(text)) => Some((text, self.program.texts[text].len())),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn text(&mut self, bytes: Vec<u8>) -> usize {
        let known = self.program.texts.iter().position(|text| *text == bytes);
        known.unwrap_or_else(|| {
            self.program.texts.push(bytes);
            self.program.texts.len() - 1
        })
    }

    /// An expression with one operand; its value, if that is known.
    pub(super) fn make_unary(&mut self, op: Unary, operand: Expr, ty: TypeId, span: Span) -> Expr {
        let known = operand.constant().map(|a| arith::unary(op, a));
        let kind = self.folded(known, span, || ExprKind::Unary(op, Box::new(operand)));
        self.integer_constant(Expr { kind, ty, span })
    }

    pub(super) fn make_binary(
        &mut self,
        op: Binary,
        left: Expr,
        right: Expr,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let known = match (left.constant(), right.constant()) {
            (Some(a), Some(b)) => Some(arith::binary(op, a, b)),
            _ => None,
        };
        let make = || ExprKind::Binary(op, Box::new(left), Box::new(right));
        let kind = self.folded(known, span, make);
        self.integer_constant(Expr { kind, ty, span })
    }

    fn folded(
        &mut self,
        known: Option<Result<i64, Trouble>>,
        span: Span,
        make: impl FnOnce() -> ExprKind,
    ) -> ExprKind {
        match known {
            None => make(),
            Some(Ok(value)) => ExprKind::Constant(value),
            Some(Err(trouble)) => {
                self.error(Diagnostic::error(span, trouble.message()).label("in this constant"));
                ExprKind::Constant(0)
            }
        }
    }

    /// A constant number is an INTEGER if it fits.
    pub(super) fn integer_constant(&self, expr: Expr) -> Expr {
        match expr.kind {
            ExprKind::Constant(value) if self.program.types.is_integer(expr.ty) => {
                let fits = Scalar::Int32.holds(value);
                Expr { ty: if fits { Types::INTEGER } else { Types::INT64 }, ..expr }
            }
            _ => expr,
        }
    }

    pub(super) fn make_set_range(&mut self, from: Expr, to: Expr, span: Span) -> Expr {
        let known = match (from.constant(), to.constant()) {
            (Some(a), Some(b)) => Some(arith::range(a, b)),
            _ => None,
        };
        let make = || ExprKind::Range(Box::new(from), Box::new(to));
        Expr { kind: self.folded(known, span, make), ty: Types::SET, span }
    }

    pub(super) fn make_cast(&mut self, scalar: Scalar, operand: Expr, span: Span) -> Expr {
        let kind = match operand.constant() {
            Some(value) => ExprKind::Constant(scalar.cut(value)),
            None => ExprKind::Cast(scalar, Box::new(operand)),
        };
        Expr { kind, ty: Types::scalar(scalar), span }
    }

    /// A value that must fit: a fault when the program runs, an error where it is known before.
    pub(super) fn make_check(&mut self, scalar: Scalar, operand: Expr, ty: TypeId) -> Expr {
        let span = operand.span;
        if let Some(value) = operand.constant() {
            self.must_fit(scalar, value, span);
            return Expr { kind: ExprKind::Constant(value), ty, span };
        }
        Expr { kind: ExprKind::Check(scalar, Box::new(operand)), ty, span }
    }

    pub(super) fn must_fit(&mut self, scalar: Scalar, value: i64, span: Span) {
        if !scalar.holds(value) {
            let (low, high) = scalar.range();
            let name = self.show(Types::scalar(scalar));
            let message = format!("{value} does not fit into {name}");
            let label = format!("{name} has {low} to {high}");
            self.error(Diagnostic::error(span, message).label(label));
        }
    }
}
