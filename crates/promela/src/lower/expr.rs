//! Expressions and references to variables.

use super::Lowerer;
use super::chan::{is_wildcard, load};
use super::property::no_progress;
use super::scope::Symbol;
use crate::ast::{self, ExprKind, VarRef};
use auspex_process::Scalar;
use auspex_process::ir::*;
use auspex_system::{Diagnostic, Span};

/// An expression and, where it is just a variable or a symbolic constant, its type.
pub struct Typed {
    pub expr: Expr,
    pub ty: Option<Scalar>,
}

impl Typed {
    fn plain(expr: Expr) -> Self {
        Typed { expr, ty: None }
    }
}

/// A part of a reference that has been resolved: what lies where, with what type.
struct Resolved {
    space: Space,
    offset: u32,
    indices: Vec<Index>,
    ty: VarType,
}

impl Lowerer<'_> {
    pub fn value(&mut self, expr: &ast::Expr) -> Expr {
        self.expr(expr).expr
    }

    /// The value of an expression that has to be known now.
    pub fn constant(&mut self, expr: &ast::Expr) -> Option<i32> {
        match self.value(expr) {
            Expr::Const(value) => Some(value),
            _ => {
                self.error(expr.span, "a constant is needed here");
                None
            }
        }
    }

    pub fn expr(&mut self, expr: &ast::Expr) -> Typed {
        Typed::plain(match &expr.kind {
            ExprKind::Number(value) => Expr::Const(*value),
            ExprKind::Name(var) => return self.name(var),
            ExprKind::Unary(op, operand) => fold_unary(*op, self.value(operand)),
            ExprKind::Binary(op, a, b) => return self.binary(*op, a, b),
            ExprKind::Conditional(c, a, b) => {
                let (c, a, b) = (self.value(c), self.value(a), self.value(b));
                Expr::If(Box::new((c, a, b)))
            }
            ExprKind::Len(var) => Expr::Length(Box::new(self.channel(var))),
            ExprKind::Test(test, var) => Expr::Test(*test, Box::new(self.channel(var))),
            ExprKind::Poll { chan, args, random } => {
                Expr::Poll(Box::new(self.receive(chan, args, *random, true)))
            }
            ExprKind::Run { .. } => {
                let error = Diagnostic::error(expr.span, "`run` inside an expression")
                    .hint("`run` may stand alone or be the whole right side of an assignment");
                self.errors.push(error);
                Expr::Const(0)
            }
            ExprKind::Timeout if self.in_property => {
                self.unsupported.push((expr.span, "`timeout`"));
                Expr::Const(0)
            }
            ExprKind::Timeout => {
                self.model.has_timeout = true;
                Expr::Timeout
            }
            ExprKind::NonProgress if self.in_property => no_progress(),
            ExprKind::NonProgress => {
                self.error(expr.span, "`np_` has a meaning only in a never claim or a formula");
                Expr::Const(0)
            }
            ExprKind::Enabled(pid) => Expr::Enabled(Box::new(self.value(pid))),
            ExprKind::PcValue(pid) => Expr::Position(Box::new(self.value(pid))),
            ExprKind::GetPriority(pid) => {
                self.model.has_priorities = true;
                Expr::Priority(Box::new(self.value(pid)))
            }
            ExprKind::SetPriority(..) => {
                self.error(expr.span, "set_priority is a statement, not an expression");
                Expr::Const(0)
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.remote_label(proctype, pid.as_deref(), label)
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                return self.remote_variable(proctype, pid.as_deref(), var);
            }
            ExprKind::Code(_) => {
                self.not_a_model();
                Expr::Const(0)
            }
        })
    }

    fn binary(&mut self, op: ast::BinaryOp, a: &ast::Expr, b: &ast::Expr) -> Typed {
        let (a, b) = (self.expr(a), self.expr(b));
        Typed::plain(match op {
            ast::BinaryOp::And => Expr::And(Box::new((a.expr, b.expr))),
            ast::BinaryOp::Or => Expr::Or(Box::new((a.expr, b.expr))),
            ast::BinaryOp::Plain(op) => fold_binary(op, a.expr, b.expr),
        })
    }

    fn name(&mut self, var: &VarRef) -> Typed {
        if let Some(expr) = self.predefined(var) {
            return Typed { expr, ty: Some(Scalar::Pid).filter(|_| var.name.text == "_pid") };
        }
        if let Some(Symbol::Constant { set, value, .. }) =
            self.symbols.scopes.lookup(&var.name.text)
        {
            return Typed { expr: Expr::Const(*value), ty: Some(Scalar::Symbol(*set)) };
        }
        match self.place(var) {
            Some(place) => {
                self.note_read(var);
                let ty = Some(place.ty);
                Typed { expr: load(place), ty }
            }
            None => Typed::plain(Expr::Const(0)),
        }
    }

    /// A hidden variable that is read cannot stay out of the state.
    fn note_read(&mut self, var: &VarRef) {
        if let Some(Symbol::Variable(info)) = self.symbols.scopes.lookup(&var.name.text)
            && info.is_hidden
        {
            self.used_hidden.insert(var.name.text.clone());
        }
    }

    fn predefined(&mut self, var: &VarRef) -> Option<Expr> {
        Some(match var.name.text.as_str() {
            "_pid" => {
                if self.context.is_none() || self.in_property {
                    self.error(var.span, "`_pid` has a meaning only inside a process");
                }
                Expr::Pid
            }
            "_nr_pr" => Expr::Processes,
            "_last" => {
                self.model.remembers_last = true;
                Expr::Last
            }
            "_priority" => {
                if self.in_property {
                    self.error(var.span, "`_priority` has a meaning only inside a process");
                }
                self.model.has_priorities = true;
                Expr::Priority(Box::new(Expr::Pid))
            }
            "_" => {
                let error = Diagnostic::error(var.span, "`_` can be written but never read");
                self.errors.push(error);
                Expr::Const(0)
            }
            _ => return None,
        })
    }

    /// The value of a symbolic constant, if the name is one.
    pub fn symbolic(&self, var: &VarRef) -> Option<i32> {
        match self.symbols.scopes.lookup(&var.name.text) {
            Some(Symbol::Constant { value, .. }) => Some(*value),
            _ => None,
        }
    }

    /// A place to store something.
    pub fn target(&mut self, var: &VarRef) -> Option<Place> {
        let name = var.name.text.as_str();
        if is_wildcard(var) {
            let name = "_".to_string();
            let (ty, indices) = (Scalar::Int, Vec::new());
            return Some(Place { space: Space::Nowhere, offset: 0, indices, ty, name });
        }
        if matches!(name, "_pid" | "_nr_pr" | "_last") {
            self.error(var.span, format!("`{name}` cannot be assigned"));
            return None;
        }
        if self.symbolic(var).is_some() {
            self.error(var.span, format!("`{name}` is a constant"));
            return None;
        }
        self.place(var)
    }

    /// The scalar that a reference means.
    pub fn place(&mut self, var: &VarRef) -> Option<Place> {
        let resolved = self.resolve(var)?;
        match resolved.ty {
            VarType::Scalar(ty) => Some(Place {
                space: resolved.space,
                offset: resolved.offset,
                indices: resolved.indices,
                ty,
                name: reference_name(var),
            }),
            VarType::Struct(id) => {
                let name = self.model.structs[id as usize].name.clone();
                let error = Diagnostic::error(var.span, format!("this is a whole `{name}`"))
                    .hint("name one of its fields");
                self.errors.push(error);
                None
            }
        }
    }

    /// If a reference means a whole typedef variable: where it lies, and its type.
    pub fn whole_struct(&mut self, var: &VarRef) -> Option<(Space, u32, Vec<Index>, u16)> {
        if !matches!(self.symbols.scopes.lookup(&var.name.text), Some(Symbol::Variable(_))) {
            return None;
        }
        // Whatever is wrong with the reference is reported when it is used as a scalar.
        let errors = self.errors.len();
        let resolved = self.resolve(var);
        self.errors.truncate(errors);
        match resolved {
            Some(Resolved { space, offset, indices, ty: VarType::Struct(id) }) => {
                self.note_read(var);
                Some((space, offset, indices, id))
            }
            _ => None,
        }
    }

    fn resolve(&mut self, var: &VarRef) -> Option<Resolved> {
        let name = &var.name.text;
        let (space, ty, length, offset) = match self.symbols.scopes.lookup(name) {
            Some(Symbol::Variable(info)) => {
                info.used.set(true);
                (info.space, info.ty, info.length, info.offset)
            }
            Some(_) => {
                self.error(var.span, format!("`{name}` is not a variable"));
                return None;
            }
            None => {
                let error = Diagnostic::error(var.span, format!("undeclared variable `{name}`"));
                self.errors.push(self.suggest(error, name));
                return None;
            }
        };
        if space == Space::Hidden && self.in_property && self.is_second {
            let message = format!("`{name}` is hidden: it is no part of a state");
            let error = Diagnostic::error(var.span, message);
            self.errors.push(error.hint("put the formula into the file: `ltl name { ... }`"));
        }
        let mut resolved = Resolved { space, offset, indices: Vec::new(), ty };
        self.index(var, length, &mut resolved)?;
        self.fields(var, resolved)
    }

    /// Walks down the fields of a reference.
    fn fields(&mut self, var: &VarRef, mut resolved: Resolved) -> Option<Resolved> {
        let mut rest = var.field.as_deref();
        while let Some(field) = rest {
            let VarType::Struct(id) = resolved.ty else {
                self.error(field.span, format!("`{}` has no fields", var.name.text));
                return None;
            };
            let made = &self.model.structs[id as usize];
            let Some(found) = made.fields.iter().find(|f| f.name == field.name.text) else {
                let message = format!("`{}` has no field `{}`", made.name, field.name.text);
                self.error(field.name.span, message);
                return None;
            };
            resolved.offset += found.offset;
            resolved.ty = found.ty;
            let length = found.length;
            self.index(field, length, &mut resolved)?;
            rest = field.field.as_deref();
        }
        Some(resolved)
    }

    fn index(&mut self, var: &VarRef, length: Option<u32>, resolved: &mut Resolved) -> Option<()> {
        let name = &var.name.text;
        match (&var.index, length) {
            (None, None) => Some(()),
            (None, Some(_)) => {
                self.error(var.span, format!("missing index: `{name}` is an array"));
                None
            }
            (Some(index), None) => {
                // An index of 0 on a scalar is accepted by Spin.
                if !matches!(self.value(index), Expr::Const(0)) {
                    self.error(var.span, format!("`{name}` is not an array"));
                }
                Some(())
            }
            (Some(index), Some(length)) => {
                let stride = match resolved.ty {
                    VarType::Scalar(ty) => ty.size() as u32,
                    VarType::Struct(id) => self.model.structs[id as usize].size,
                };
                match self.value(index) {
                    Expr::Const(i) if i >= 0 && (i as u32) < length => {
                        resolved.offset += i as u32 * stride;
                    }
                    expr => resolved.indices.push(Index { expr, length, stride }),
                }
                Some(())
            }
        }
    }

    fn suggest(&self, error: Diagnostic, name: &str) -> Diagnostic {
        if self.symbols.proctypes.contains_key(name) {
            return error.hint("that is a proctype: `run` starts one");
        }
        let globals = self.symbols.scopes.globals().keys();
        match globals.filter(|known| is_close(known, name)).min() {
            Some(known) => error.hint(format!("did you mean `{known}`?")),
            None => error,
        }
    }

    fn proctype_id(&mut self, name: &ast::Name) -> Option<ProctypeId> {
        let id = self.symbols.proctypes.get(&name.text).copied();
        if id.is_none() {
            self.error(name.span, format!("there is no proctype `{}`", name.text));
        }
        id
    }

    pub fn run(
        &mut self,
        proctype: &ast::Name,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
        result: Option<Place>,
    ) -> Option<Action> {
        let id = self.proctype_id(proctype)?;
        let mut arguments = Vec::new();
        for arg in args {
            self.message_values(arg, &mut arguments);
        }
        let priority = match priority {
            Some(expr) => self.priority(expr),
            None => 1,
        };
        self.runs.push((id, arguments.len(), proctype.span));
        Some(Action::Run(Box::new(Run { proctype: id, arguments, priority, result })))
    }

    pub fn priority(&mut self, expr: &ast::Expr) -> u8 {
        self.model.has_priorities = true;
        match self.constant(expr) {
            Some(0) => 1,
            Some(n @ 1..=255) => n as u8,
            _ => {
                self.error(expr.span, "a priority is from 1 to 255");
                1
            }
        }
    }

    fn remote_label(
        &mut self,
        proctype: &ast::Name,
        pid: Option<&ast::Expr>,
        label: &ast::Name,
    ) -> Expr {
        let pid = pid.map(|pid| Box::new(self.value(pid)));
        let Some(id) = self.proctype_id(proctype) else { return Expr::Const(0) };
        let labels = &mut self.model.labels;
        labels.push(Label { proctype: id, name: label.text.clone(), locations: Vec::new() });
        let number = labels.len() as u32 - 1;
        self.label_uses.push((number, label.span));
        Expr::At { label: number, pid }
    }

    fn remote_variable(
        &mut self,
        proctype: &ast::Name,
        pid: Option<&ast::Expr>,
        var: &VarRef,
    ) -> Typed {
        let nothing = Typed::plain(Expr::Const(0));
        let pid = pid.map(|pid| Box::new(self.value(pid)));
        let Some(id) = self.proctype_id(proctype) else { return nothing };
        if !self.is_second {
            return nothing;
        }
        let known = self.symbols.locals.get(&id).or(self.knowledge.locals.get(&id));
        let found = known.and_then(|locals| locals.get(&var.name.text)).cloned();
        let Some(Symbol::Variable(info)) = found else {
            let message = format!("`{}` has no variable `{}`", proctype.text, var.name.text);
            self.error(var.span, message);
            return nothing;
        };
        let (space, offset, indices) = (info.space, info.offset, Vec::new());
        let mut resolved = Resolved { space, offset, indices, ty: info.ty };
        if self.index(var, info.length, &mut resolved).is_none() {
            return nothing;
        }
        match self.fields(var, resolved) {
            Some(Resolved { space, offset, indices, ty: VarType::Scalar(ty) }) => {
                let name = reference_name(var);
                let place = Box::new(Place { space, offset, indices, ty, name });
                Typed { expr: Expr::Remote { proctype: id, pid, place }, ty: Some(ty) }
            }
            _ => {
                self.error(var.span, "a remote reference needs a scalar");
                nothing
            }
        }
    }

    /// A constant of one set has no business in a variable of another.
    pub fn check_sets(&mut self, target: Scalar, value: &Typed, span: Span) {
        let (Scalar::Symbol(wanted), Some(Scalar::Symbol(given))) = (target, value.ty) else {
            return;
        };
        if wanted != given && wanted.0 != 0 {
            let set = |id: SetId| self.model.sets[id.0 as usize].name.clone();
            let message =
                format!("a value of `{}` for a variable of `{}`", set(given), set(wanted));
            self.error(span, message);
        }
    }
}

/// `a`, `a[]`, `a[].b`: enough to tell people which array it was.
fn reference_name(var: &VarRef) -> String {
    match &var.field {
        Some(field) => format!("{}.{}", var.name.text, reference_name(field)),
        None => var.name.text.clone(),
    }
}

/// The same but for one letter, or for case.
fn is_close(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() < 3 || long.len() - short.len() > 1 {
        return false;
    }
    let same = short.bytes().zip(long.bytes()).take_while(|(x, y)| x == y).count();
    let tail = &long.as_bytes()[same + 1..];
    let skip = if short.len() == long.len() { same + 1 } else { same };
    short.as_bytes().get(skip..).is_some_and(|rest| rest == tail)
}

fn fold_unary(op: UnaryOp, operand: Expr) -> Expr {
    match (op, &operand) {
        (UnaryOp::Minus, Expr::Const(n)) => Expr::Const(n.wrapping_neg()),
        (UnaryOp::Not, Expr::Const(n)) => Expr::Const(i32::from(*n == 0)),
        (UnaryOp::Complement, Expr::Const(n)) => Expr::Const(!n),
        _ => Expr::Unary(op, Box::new(operand)),
    }
}

fn fold_binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    if let (Expr::Const(x), Expr::Const(y)) = (&a, &b)
        && let Some(value) = op.apply(*x, *y)
    {
        return Expr::Const(value);
    }
    Expr::Binary(op, Box::new((a, b)))
}
