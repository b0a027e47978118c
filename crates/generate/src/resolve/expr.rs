//! Expressions and references to variables.

use super::Resolver;
use super::scope::Symbol;
use crate::tree::*;
use auspex_promela::ast::{self, BinaryOp, ExprKind, VarRef};
use auspex_system::{Diagnostic, Span};

impl Resolver {
    pub fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let priorities = self.priorities;
        let mut boxed = |expr: &ast::Expr| Box::new(self.expr(expr));
        match &expr.kind {
            ExprKind::Number(value) => Expr::Number(*value),
            ExprKind::Name(var) => self.name(var),
            ExprKind::Unary(op, a) => Expr::Unary(*op, boxed(a)),
            ExprKind::Binary(BinaryOp::And, a, b) => Expr::And(boxed(a), boxed(b)),
            ExprKind::Binary(BinaryOp::Or, a, b) => Expr::Or(boxed(a), boxed(b)),
            ExprKind::Binary(BinaryOp::Plain(op), a, b) => Expr::Binary(*op, boxed(a), boxed(b)),
            ExprKind::Conditional(c, a, b) => Expr::Conditional(boxed(c), boxed(a), boxed(b)),
            ExprKind::Len(var) => self.about_channel(var, Expr::Len),
            ExprKind::Test(test, var) => self.about_channel(var, |chan| Expr::Test(*test, chan)),
            ExprKind::Poll { chan, args, random } => {
                let (args, random) = (self.patterns(args), *random);
                self.about_channel(chan, |chan| Expr::Poll { chan, args, random })
            }
            ExprKind::Run { proctype, args, priority } => {
                self.run(proctype, args, priority.as_deref())
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::Code(code) => Expr::Code(self.code(code)),
            ExprKind::NonProgress => self.of_the_model(expr.span, "`np_`"),
            ExprKind::Enabled(_) => self.of_the_model(expr.span, "`enabled`"),
            ExprKind::PcValue(_) => self.of_the_model(expr.span, "`pc_value`"),
            ExprKind::GetPriority(pid) if priorities => Expr::Priority(boxed(pid)),
            ExprKind::GetPriority(_) | ExprKind::SetPriority(..) => {
                self.of_the_model(expr.span, "a priority")
            }
            ExprKind::RemoteLabel { .. } => {
                self.of_the_model(expr.span, "where another process stands")
            }
            ExprKind::RemoteVar { .. } => {
                self.of_the_model(expr.span, "a variable of another process")
            }
        }
    }

    /// What a model knows, because it sees all processes at once.
    fn of_the_model(&mut self, span: Span, what: &str) -> Expr {
        let error = Diagnostic::error(span, format!("{what} is known in the model only"))
            .hint("put it into `promela_MS { ... }`, with an `_IS` twin if the program needs one");
        self.errors.push(error);
        Expr::Number(0)
    }

    fn about_channel(&mut self, var: &VarRef, make: impl FnOnce(Place) -> Expr) -> Expr {
        self.place(var).map_or(Expr::Number(0), make)
    }

    /// A value that has to be known now.
    pub fn constant(&mut self, expr: &ast::Expr) -> i32 {
        let value = self.expr(expr).constant();
        if value.is_none() {
            self.error(expr.span, "a constant is needed here");
        }
        value.unwrap_or(0)
    }

    fn name(&mut self, var: &VarRef) -> Expr {
        match var.name.text.as_str() {
            "_pid" => return Expr::Pid,
            "_nr_pr" => return Expr::Processes,
            "_last" => return self.of_the_model(var.span, "`_last`"),
            "_priority" if self.priorities => return Expr::Priority(Box::new(Expr::Pid)),
            "_priority" => return self.of_the_model(var.span, "a priority"),
            _ => {}
        }
        if let Some(Symbol::Constant { set, value }) = self.meaning(&var.name.text) {
            return Expr::Constant { set, value };
        }
        self.place(var).map_or(Expr::Number(0), Expr::Place)
    }

    /// The scalar that a reference means.
    pub fn place(&mut self, var: &VarRef) -> Option<Place> {
        let place = self.any_place(var)?;
        if let Type::Record(record) = place.ty {
            let name = self.spec.records[record].name.clone();
            let error = Diagnostic::error(var.span, format!("this is a whole `{name}`"));
            self.errors.push(error.hint("name one of its fields"));
            return None;
        }
        Some(place)
    }

    /// What a reference means, a whole record too.
    pub fn any_place(&mut self, var: &VarRef) -> Option<Place> {
        let Some(Symbol::Variable(id)) = self.meaning(&var.name.text) else {
            self.error(var.span, format!("undeclared variable `{}`", var.name.text));
            return None;
        };
        let variable = self.spec.variable(id);
        let (ty, length) = (variable.ty, variable.length);
        let ty = ty.stored(length);
        let mut place = Place { var: id, path: Vec::new(), ty, span: var.span };
        self.index(var, length, &mut place)?;
        let mut rest = var.field.as_deref();
        while let Some(field) = rest {
            self.field(field, &mut place)?;
            rest = field.field.as_deref();
        }
        Some(place)
    }

    fn field(&mut self, field: &VarRef, place: &mut Place) -> Option<()> {
        let Type::Record(record) = place.ty else {
            self.error(field.span, "this has no fields");
            return None;
        };
        let name = &field.name.text;
        let made = &self.spec.records[record];
        let found = made.items.iter().enumerate().find_map(|(item, known)| match known {
            RecordItem::Field(known) if known.name == *name => Some((item, known)),
            _ => None,
        });
        let Some((item, known)) = found else {
            let message = format!("`{}` has no field `{name}`", made.name);
            self.error(field.name.span, message);
            return None;
        };
        let length = known.length;
        place.ty = known.ty.stored(length);
        place.path.push(Selector::Field { record, item, name: name.clone() });
        self.index(field, length, place)
    }

    fn index(&mut self, var: &VarRef, length: Option<u32>, place: &mut Place) -> Option<()> {
        match (&var.index, length) {
            // An index of 0 on a scalar is nothing.
            (None, None) | (Some(_), None) => Some(()),
            (None, Some(_)) => {
                self.error(var.span, format!("missing index: `{}` is an array", var.name.text));
                None
            }
            (Some(index), Some(length)) => {
                let index = Box::new(self.expr(index));
                place.path.push(Selector::Index(index, length));
                Some(())
            }
        }
    }
}
