//! Statements that are part of the language or of a standard module: `INC`, `NEW`, `Out.Int`.

use super::Checker;
use super::designator::Designated;
use super::scope::{Predeclared, Standard};
use crate::ast;
use crate::tree::{Expr, ExprKind, Output, Place, Printed, StatementKind};
use crate::types::{Scalar, Types};
use auspex_system::{Diagnostic, Span};

impl Checker {
    pub(super) fn predeclared(
        &mut self,
        what: Predeclared,
        callee: &ast::Designator,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<StatementKind> {
        match (what, arguments) {
            (Predeclared::New, [_, ..]) => {
                self.not_in_property("NEW", span);
                let places: Vec<_> = arguments.iter().map(|port| self.port_target(port)).collect();
                Some(StatementKind::New(places.into_iter().collect::<Option<_>>()?))
            }
            (Predeclared::Inc | Predeclared::Dec, [target, rest @ ..]) if rest.len() <= 1 => {
                let target = self.integer_target(target)?;
                let amount = match rest.first() {
                    Some(amount) => self.integer(amount),
                    None => Expr { kind: ExprKind::Constant(1), ty: Types::INTEGER, span },
                };
                Some(StatementKind::Add { target, amount, subtract: what == Predeclared::Dec })
            }
            (Predeclared::Incl | Predeclared::Excl, [target, element]) => {
                let place = self.target(target)?;
                if place.ty != Types::SET {
                    self.mismatch(Types::SET, place.ty, target.span);
                    return None;
                }
                let (element, exclude) = (self.integer(element), what == Predeclared::Excl);
                Some(StatementKind::Include { target: place, element, exclude })
            }
            (Predeclared::Assert, [condition, code @ ..]) if code.len() <= 1 => {
                // Oberon's number of the fault. Here the line says which one it is.
                if let Some(code) = code.first() {
                    self.integer(code);
                }
                Some(StatementKind::Assert(self.condition(condition)))
            }
            (Predeclared::Reschedule, []) => Some(StatementKind::Reschedule),
            (Predeclared::Accept, []) => {
                self.only_in_property("ACCEPT", span);
                Some(StatementKind::Accept)
            }
            (Predeclared::NoMove, []) => {
                self.only_in_property("NOMOVE", span);
                Some(StatementKind::NoMove)
            }
            (Predeclared::PortIn, [address, target]) => {
                self.not_in_property("PORTIN", span);
                let address = self.integer(address);
                let target = self.register_target(target)?;
                Some(StatementKind::PortIn { io: self.io_port(span), address, target })
            }
            (Predeclared::PortOut, [address, value]) => {
                self.not_in_property("PORTOUT", span);
                let address = self.integer(address);
                let value = self.register_value(value)?;
                let bytes = self.program.types.size(value.ty).unwrap_or(4).min(4);
                Some(StatementKind::PortOut { io: self.io_port(span), address, value, bytes })
            }
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
                let wanted = match what {
                    Predeclared::New => "at least 1 argument",
                    Predeclared::Inc | Predeclared::Dec | Predeclared::Assert => "1 or 2 arguments",
                    Predeclared::Reschedule | Predeclared::Accept | Predeclared::NoMove => {
                        "no arguments"
                    }
                    _ => "2 arguments",
                };
                self.wrong_count(callee, arguments, wanted, span);
                None
            }
            _ => {
                let message = format!("the value of `{}` is not used", callee.name.text);
                let error = Diagnostic::error(span, message);
                self.error(error.label("a function is no statement"));
                None
            }
        }
    }

    fn port_target(&mut self, expr: &ast::Expr) -> Option<Place> {
        let place = self.target(expr)?;
        if self.program.types.as_scalar(place.ty) == Some(Scalar::Port) {
            return Some(place);
        }
        let message = format!("NEW needs a port, found {}", self.show(place.ty));
        self.error(Diagnostic::error(expr.span, message).label("no port"));
        None
    }

    fn integer_target(&mut self, expr: &ast::Expr) -> Option<Place> {
        let place = self.target(expr)?;
        if self.program.types.is_integer(place.ty) {
            return Some(place);
        }
        self.mismatch(Types::INTEGER, place.ty, expr.span);
        None
    }

    /// What a device can give.
    fn register_target(&mut self, expr: &ast::Expr) -> Option<Place> {
        let place = self.target(expr)?;
        match self.program.types.as_scalar(place.ty) {
            Some(scalar) if is_register(scalar) => Some(place),
            _ => {
                self.mismatch(Types::INTEGER, place.ty, expr.span);
                None
            }
        }
    }

    fn register_value(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let value = self.value(expr);
        match self.program.types.as_scalar(value.ty) {
            Some(scalar) if is_register(scalar) => Some(value),
            _ => {
                self.mismatch(Types::INTEGER, value.ty, expr.span);
                None
            }
        }
    }

    pub(super) fn standard_call(
        &mut self,
        standard: Standard,
        name: &ast::Ident,
        callee: &ast::Designator,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<StatementKind> {
        self.not_in_property(&format!("{}.{}", standard.name(), name.text), span);
        let output = |what, value, width| Some(StatementKind::Output { what, value, width });
        let typed = |checker: &mut Self, expr: &ast::Expr, ty| {
            let value = checker.value(expr);
            checker.assignable(value, ty).map(Printed::Value)
        };
        match (standard, name.text.as_str(), arguments) {
            (Standard::Out, "Ln", []) => output(Output::Line, None, None),
            (Standard::Out, "Int", [value]) => {
                output(Output::Int, Some(Printed::Value(self.integer(value))), None)
            }
            (Standard::Out, "Int", [value, width]) => {
                let value = Printed::Value(self.integer(value));
                let width = self.integer(width);
                output(Output::Int, Some(value), Some(width))
            }
            (Standard::Out, "Hex", [value]) => {
                output(Output::Hex, Some(Printed::Value(self.integer(value))), None)
            }
            (Standard::Out, "Char", [value]) => {
                output(Output::Char, Some(typed(self, value, Types::CHAR)?), None)
            }
            (Standard::Out, "Bool", [value]) => {
                output(Output::Bool, Some(typed(self, value, Types::BOOLEAN)?), None)
            }
            (Standard::Out, "String", [value]) => {
                let printed = self.printed_text(value)?;
                output(Output::String, Some(printed), None)
            }
            (Standard::In, "Int", [target]) => {
                Some(StatementKind::Input { target: self.integer_target(target)? })
            }
            (Standard::In, "Char", [target]) => {
                Some(StatementKind::Input { target: self.exact_target(target, Types::CHAR)? })
            }
            (Standard::In, "Bool", [target]) => {
                Some(StatementKind::Input { target: self.exact_target(target, Types::BOOLEAN)? })
            }
            (Standard::System, "Clock", [target]) => {
                Some(StatementKind::Clock { target: self.integer_target(target)? })
            }
            _ => {
                let wanted = match (standard, name.text.as_str()) {
                    (_, "Ln") => "no arguments",
                    (Standard::Out, "Int") => "1 or 2 arguments",
                    _ => "1 argument",
                };
                let full = format!("{}.{}", callee.name.text, name.text);
                let message = format!("`{full}` needs {wanted}, found {}", arguments.len());
                self.error(Diagnostic::error(span, message).label("wrong number of arguments"));
                None
            }
        }
    }

    fn exact_target(&mut self, expr: &ast::Expr, ty: crate::types::TypeId) -> Option<Place> {
        let place = self.target(expr)?;
        if place.ty == ty {
            return Some(place);
        }
        self.mismatch(ty, place.ty, expr.span);
        None
    }

    fn printed_text(&mut self, expr: &ast::Expr) -> Option<Printed> {
        if let Some((text, _)) = self.text_of(expr) {
            return Some(Printed::Text(text));
        }
        if let ast::ExprKind::Designator(designator) = &expr.kind {
            match self.designate(designator) {
                Designated::Place(place, _) if self.is_text_array(place.ty) => {
                    return Some(Printed::Place(place));
                }
                Designated::Invalid => return None,
                _ => {}
            }
        }
        let error = Diagnostic::error(expr.span, "Out.String needs a string");
        self.error(error.label("a string, or an array of characters"));
        None
    }
}

/// Can it go to a device?
fn is_register(scalar: Scalar) -> bool {
    scalar.is_integer() && scalar != Scalar::Int64 || matches!(scalar, Scalar::Set | Scalar::Char)
}
