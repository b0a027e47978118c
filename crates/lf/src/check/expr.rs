//! Expressions: operators, predeclared functions, casts.

use super::Checker;
use super::designator::Designated;
use super::scope::Predeclared;
use crate::ast::{self, BinaryOp, ExprKind as Ast, UnaryOp};
use crate::tree::{Binary, Expr, ExprKind, Place, Unary};
use crate::types::{Scalar, Type, TypeId, Types};
use auspex_system::{Diagnostic, Span};

impl Checker {
    /// An expression whose value fits into a register. After an error its type is invalid.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            Ast::Integer(value) | Ast::Hex(value) => {
                let kind = ExprKind::Constant(*value);
                self.integer_constant(Expr { kind, ty: Types::INTEGER, span })
            }
            Ast::Char(code) => {
                Expr { kind: ExprKind::Constant((*code).into()), ty: Types::CHAR, span }
            }
            Ast::String(text) => match text.as_bytes() {
                [single] => {
                    Expr { kind: ExprKind::Constant((*single).into()), ty: Types::CHAR, span }
                }
                _ => self.no_string_here(span),
            },
            Ast::Set(elements) => self.set(elements, span),
            Ast::Designator(designator) => self.designated_value(designator),
            Ast::Call { callee, arguments } => self.function(callee, arguments, span),
            Ast::Unary { op, operand } => self.unary(*op, operand, span),
            Ast::Binary { op, left, right, op_span } => {
                self.binary(*op, left, right, *op_span, span)
            }
            Ast::Paren(inner) => Expr { span, ..self.value(inner) },
        }
    }

    fn no_string_here(&mut self, span: Span) -> Expr {
        self.error(
            Diagnostic::error(span, "a string cannot be used here")
                .label("only a string of one character is a value")
                .hint("strings can be assigned to arrays of characters, passed on, and printed"),
        );
        Self::invalid(span)
    }

    fn designated_value(&mut self, designator: &ast::Designator) -> Expr {
        let span = designator.span;
        let what = match self.designate(designator) {
            Designated::Place(place, _) => return self.load(place),
            Designated::Constant { value, ty } => {
                return Expr { kind: ExprKind::Constant(value), ty, span };
            }
            Designated::Text => return self.no_string_here(span),
            Designated::Invalid => return Self::invalid(span),
            Designated::Type(_) => "a type",
            Designated::Process(_) | Designated::Standard(..) => "a process",
            Designated::Predeclared(_) => "predeclared, and needs arguments",
        };
        let message = format!("`{}` is {what}, not a value", designator.name.text);
        self.error(Diagnostic::error(span, message).label("a value is expected here"));
        Self::invalid(span)
    }

    fn load(&mut self, place: Place) -> Expr {
        let (ty, span) = (place.ty, place.span);
        if self.program.types.as_scalar(ty).is_none() {
            let message = format!("{} cannot be used as a value here", self.show(ty));
            self.error(Diagnostic::error(span, message).label("a single value is expected here"));
            return Self::invalid(span);
        }
        Expr { kind: ExprKind::Load(place), ty, span }
    }

    fn set(&mut self, elements: &[(ast::Expr, Option<ast::Expr>)], span: Span) -> Expr {
        let mut whole = Expr { kind: ExprKind::Constant(0), ty: Types::SET, span };
        for (from, to) in elements {
            let first = self.integer(from);
            let part = match to {
                None => self.make_unary(Unary::Single, first, Types::SET, from.span),
                Some(to) => {
                    let last = self.integer(to);
                    self.make_set_range(first, last, from.span.to(to.span))
                }
            };
            whole = self.make_binary(Binary::Union, whole, part, Types::SET, span);
        }
        whole
    }

    /// A value that must be an integer.
    pub(super) fn integer(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.value(expr);
        if self.program.types.is_integer(value.ty) {
            return value;
        }
        self.mismatch(Types::INTEGER, value.ty, expr.span);
        Self::invalid(expr.span)
    }

    /// A value that must be true or false.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.value(expr);
        if value.ty != Types::BOOLEAN {
            self.mismatch(Types::BOOLEAN, value.ty, expr.span);
        }
        value
    }

    fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        let value = self.value(operand);
        let ty = value.ty;
        let integer = self.program.types.is_integer(ty);
        match op {
            _ if self.program.types.is_invalid(ty) => Self::invalid(span),
            UnaryOp::Plus if integer => Expr { span, ..value },
            UnaryOp::Minus if integer => self.make_unary(Unary::Negate, value, ty, span),
            UnaryOp::Minus if ty == Types::SET => {
                self.make_unary(Unary::Complement, value, ty, span)
            }
            UnaryOp::Not if ty == Types::BOOLEAN => self.make_unary(Unary::Not, value, ty, span),
            _ => {
                let sign = match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Minus => "-",
                    UnaryOp::Not => "~",
                };
                let message = format!("`{sign}` is not defined for {}", self.show(ty));
                self.error(Diagnostic::error(span, message));
                Self::invalid(span)
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        op_span: Span,
        span: Span,
    ) -> Expr {
        let (a, b) = (self.value(left), self.value(right));
        let types = &self.program.types;
        if types.is_invalid(a.ty) || types.is_invalid(b.ty) {
            return Self::invalid(span);
        }
        let Some((op, ty)) = self.operator(op, a.ty, b.ty) else {
            self.no_operator(op, a.ty, b.ty, op_span);
            return Self::invalid(span);
        };
        self.make_binary(op, a, b, ty, span)
    }

    /// What an operator means for operands of these types, and the type of the result.
    fn operator(&self, op: BinaryOp, a: TypeId, b: TypeId) -> Option<(Binary, TypeId)> {
        let types = &self.program.types;
        let integers = types.is_integer(a) && types.is_integer(b);
        let both = |ty: TypeId| a == ty && b == ty;
        let widest =
            if a == Types::INT64 || b == Types::INT64 { Types::INT64 } else { Types::INTEGER };
        let truth = |op| Some((op, Types::BOOLEAN));
        let channels = types.as_scalar(a) == Some(Scalar::Port) && types.same(a, b);
        let ordered = integers || both(Types::CHAR);
        let comparable = ordered || both(Types::BOOLEAN) || both(Types::SET) || channels;
        match op {
            BinaryOp::Add if integers => Some((Binary::Add, widest)),
            BinaryOp::Subtract if integers => Some((Binary::Subtract, widest)),
            BinaryOp::Multiply if integers => Some((Binary::Multiply, widest)),
            BinaryOp::Div if integers => Some((Binary::Div, widest)),
            BinaryOp::Mod if integers => Some((Binary::Mod, widest)),
            BinaryOp::Add if both(Types::SET) => Some((Binary::Union, a)),
            BinaryOp::Subtract if both(Types::SET) => Some((Binary::Difference, a)),
            BinaryOp::Multiply if both(Types::SET) => Some((Binary::Intersection, a)),
            BinaryOp::Slash if both(Types::SET) => Some((Binary::SymmetricDifference, a)),
            BinaryOp::And if both(Types::BOOLEAN) => Some((Binary::And, a)),
            BinaryOp::Or if both(Types::BOOLEAN) => Some((Binary::Or, a)),
            BinaryOp::Equal if comparable => truth(Binary::Equal),
            BinaryOp::Unequal if comparable => truth(Binary::Unequal),
            BinaryOp::Less if ordered => truth(Binary::Less),
            BinaryOp::LessEqual if ordered => truth(Binary::LessEqual),
            BinaryOp::Greater if ordered => truth(Binary::Greater),
            BinaryOp::GreaterEqual if ordered => truth(Binary::GreaterEqual),
            BinaryOp::LessEqual if both(Types::SET) => truth(Binary::Subset),
            BinaryOp::GreaterEqual if both(Types::SET) => truth(Binary::Superset),
            BinaryOp::In if types.is_integer(a) && b == Types::SET => truth(Binary::In),
            _ => None,
        }
    }

    fn no_operator(&mut self, op: BinaryOp, a: TypeId, b: TypeId, span: Span) {
        let sign = op.sign();
        let (left, right) = (self.show(a), self.show(b));
        let message = format!("`{sign}` is not defined for {left} and {right}");
        let types = &self.program.types;
        let integers = types.is_integer(a) && types.is_integer(b);
        let hint = match op {
            BinaryOp::Slash if integers => Some("integers are divided by DIV"),
            BinaryOp::And if integers => Some("BAND is for the bits of integers"),
            BinaryOp::Or if integers => Some("BOR is for the bits of integers"),
            BinaryOp::And | BinaryOp::Or => {
                Some("put comparisons in parentheses: (a = 1) & (b = 2)")
            }
            _ => None,
        };
        let mut error = Diagnostic::error(span, message).label(format!("{left} {sign} {right}"));
        if let Some(hint) = hint {
            error = error.hint(hint);
        }
        self.error(error);
    }

    fn function(&mut self, callee: &ast::Designator, arguments: &[ast::Expr], span: Span) -> Expr {
        match self.designate(callee) {
            Designated::Predeclared(what) => {
                self.predeclared_function(what, callee, arguments, span)
            }
            Designated::Type(ty) => self.cast(ty, callee, arguments, span),
            Designated::Invalid => {
                arguments.iter().for_each(|argument| {
                    self.value(argument);
                });
                Self::invalid(span)
            }
            Designated::Process(_) | Designated::Standard(..) => {
                let message = format!("the process `{}` has no value", callee.name.text);
                self.error(
                    Diagnostic::error(callee.span, message)
                        .label("a process is a statement")
                        .hint("let it give its result by a VAR parameter"),
                );
                Self::invalid(span)
            }
            _ => {
                let message = format!("`{}` cannot be called", callee.name.text);
                self.error(Diagnostic::error(callee.span, message).label("no function"));
                Self::invalid(span)
            }
        }
    }

    fn cast(
        &mut self,
        ty: TypeId,
        callee: &ast::Designator,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let [argument] = arguments else {
            return self.wrong_count(callee, arguments, "1 argument", span);
        };
        let value = self.value(argument);
        let types = &self.program.types;
        if types.is_invalid(value.ty) || types.is_invalid(ty) {
            return Self::invalid(span);
        }
        let basic = |ty| match types.get(ty) {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        };
        match (basic(ty), basic(value.ty)) {
            (Some(scalar), Some(_)) => self.make_cast(scalar, value, span),
            _ => {
                let message =
                    format!("{} cannot be cast to {}", self.show(value.ty), self.show(ty));
                let error = Diagnostic::error(span, message);
                self.error(error.label("casts are between basic types only"));
                Self::invalid(span)
            }
        }
    }

    pub(super) fn wrong_count(
        &mut self,
        callee: &ast::Designator,
        arguments: &[ast::Expr],
        wanted: &str,
        span: Span,
    ) -> Expr {
        let name = &callee.name.text;
        let message = format!("`{name}` needs {wanted}, found {}", arguments.len());
        self.error(Diagnostic::error(span, message).label("wrong number of arguments"));
        Self::invalid(span)
    }

    fn predeclared_function(
        &mut self,
        what: Predeclared,
        callee: &ast::Designator,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Expr {
        match (what, arguments) {
            (Predeclared::Abs, [a]) => {
                let a = self.integer(a);
                let ty = a.ty;
                self.make_unary(Unary::Absolute, a, ty, span)
            }
            (Predeclared::Odd, [a]) => {
                let a = self.integer(a);
                self.make_unary(Unary::Odd, a, Types::BOOLEAN, span)
            }
            (Predeclared::Ord, [a]) => {
                let value = self.value(a);
                match self.program.types.as_scalar(value.ty) {
                    Some(Scalar::Char | Scalar::Boolean | Scalar::Set) => {
                        let ty = if value.ty == Types::SET { Types::INT64 } else { Types::INTEGER };
                        Expr { ty, span, ..value }
                    }
                    _ => {
                        self.mismatch(Types::CHAR, value.ty, a.span);
                        Self::invalid(span)
                    }
                }
            }
            (Predeclared::Chr, [a]) => {
                let a = self.integer(a);
                let checked = self.make_check(Scalar::Char, a, Types::CHAR);
                Expr { span, ..checked }
            }
            (Predeclared::Len, [a]) => self.length_of(a, span),
            (Predeclared::Min | Predeclared::Max, [a]) => {
                self.limit_of(what == Predeclared::Max, a, span)
            }
            (Predeclared::Bnot, [a]) => {
                let a = self.integer(a);
                let (ty, width) = width(a.ty, a.ty);
                self.make_unary(Unary::BitNot(width), a, ty, span)
            }
            (
                Predeclared::Lsl
                | Predeclared::Lsr
                | Predeclared::Asr
                | Predeclared::Ror
                | Predeclared::Band
                | Predeclared::Bor
                | Predeclared::Bxor,
                [a, b],
            ) => self.bits(what, a, b, span),
            (
                Predeclared::New
                | Predeclared::Inc
                | Predeclared::Dec
                | Predeclared::Incl
                | Predeclared::Excl
                | Predeclared::Assert
                | Predeclared::Reschedule
                | Predeclared::Accept
                | Predeclared::NoMove
                | Predeclared::PortIn
                | Predeclared::PortOut,
                _,
            ) => {
                let message = format!("`{}` is a statement and has no value", callee.name.text);
                self.error(Diagnostic::error(callee.span, message));
                Self::invalid(span)
            }
            (Predeclared::Band | Predeclared::Bor | Predeclared::Bxor, _)
            | (Predeclared::Lsl | Predeclared::Lsr | Predeclared::Asr | Predeclared::Ror, _) => {
                self.wrong_count(callee, arguments, "2 arguments", span)
            }
            _ => self.wrong_count(callee, arguments, "1 argument", span),
        }
    }

    fn bits(&mut self, what: Predeclared, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let (a, b) = (self.integer(a), self.integer(b));
        let is_shift = matches!(
            what,
            Predeclared::Lsl | Predeclared::Lsr | Predeclared::Asr | Predeclared::Ror
        );
        let (ty, width) = width(a.ty, if is_shift { a.ty } else { b.ty });
        let op = match what {
            Predeclared::Lsl => Binary::ShiftLeft(width),
            Predeclared::Lsr => Binary::ShiftRight(width),
            Predeclared::Asr => Binary::ShiftRightSigned(width),
            Predeclared::Ror => Binary::Rotate(width),
            Predeclared::Band => Binary::BitAnd,
            Predeclared::Bor => Binary::BitOr,
            _ => Binary::BitXor,
        };
        self.make_binary(op, a, b, ty, span)
    }

    fn length_of(&mut self, argument: &ast::Expr, span: Span) -> Expr {
        let constant =
            |value: i64| Expr { kind: ExprKind::Constant(value), ty: Types::INTEGER, span };
        if let Some((_, length)) = self.text_of(argument) {
            return constant(length as i64);
        }
        let mut inner = argument;
        while let Ast::Paren(next) = &inner.kind {
            inner = next;
        }
        if let Ast::Designator(designator) = &inner.kind {
            match self.designate(designator) {
                Designated::Place(place, _) => match self.program.types.get(place.ty) {
                    Type::Array { length, .. } => return constant(i64::from(*length)),
                    Type::OpenArray { .. } => {
                        let kind = ExprKind::Length(place.variable);
                        return Expr { kind, ty: Types::INTEGER, span };
                    }
                    _ => {}
                },
                Designated::Type(ty) => {
                    if let Type::Array { length, .. } = self.program.types.get(ty) {
                        return constant(i64::from(*length));
                    }
                }
                Designated::Invalid => return Self::invalid(span),
                _ => {}
            }
        }
        self.error(Diagnostic::error(argument.span, "LEN needs an array").label("no array"));
        Self::invalid(span)
    }

    fn limit_of(&mut self, greatest: bool, argument: &ast::Expr, span: Span) -> Expr {
        let ty = match &argument.kind {
            Ast::Designator(designator) => match self.designate(designator) {
                Designated::Type(ty) => Some(ty),
                Designated::Invalid => return Self::invalid(span),
                _ => None,
            },
            _ => None,
        };
        let scalar = ty.and_then(|ty| match self.program.types.get(ty) {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        });
        let (Some(ty), Some(scalar)) = (ty, scalar) else {
            let error = Diagnostic::error(argument.span, "MIN and MAX need a basic type");
            self.error(error.label("such as INTEGER"));
            return Self::invalid(span);
        };
        let (low, high) = if scalar == Scalar::Set { (0, 31) } else { scalar.range() };
        let kind = ExprKind::Constant(if greatest { high } else { low });
        let ty = if scalar == Scalar::Set { Types::INTEGER } else { ty };
        self.integer_constant(Expr { kind, ty, span })
    }
}

/// The type of an operation on bits, and how many there are.
fn width(a: TypeId, b: TypeId) -> (TypeId, u8) {
    if a == Types::INT64 || b == Types::INT64 { (Types::INT64, 64) } else { (Types::INTEGER, 32) }
}
