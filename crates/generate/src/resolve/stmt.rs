//! Statements.

use super::Resolver;
use super::scope::Symbol;
use crate::tree::*;
use auspex_promela::ast::{self, ExprKind, ForRange, StmtKind, VarRef};

impl Resolver {
    /// The statements of a sequence, in the scope that is open.
    pub fn sequence(&mut self, sequence: &ast::Sequence) -> Block {
        let mut block = Block::new();
        for stmt in &sequence.stmts {
            self.stmt(stmt, &mut block);
        }
        block
    }

    /// The same, in a scope of its own.
    fn scoped(&mut self, sequence: &ast::Sequence) -> Block {
        self.scopes.enter();
        let block = self.sequence(sequence);
        self.scopes.leave();
        block
    }

    fn stmt(&mut self, stmt: &ast::Stmt, out: &mut Block) {
        match &stmt.kind {
            StmtKind::Decl(decl) => return self.declaration(decl, out),
            StmtKind::Exclusive { .. } => return,
            StmtKind::Empty if stmt.labels.is_empty() => return,
            // What is of the implementation only does not count as a statement: both readings have to agree on which
            // declarations are some.
            StmtKind::Code(code) if code.specific => {}
            StmtKind::Expr(ast::Expr { kind: ExprKind::Code(code), .. }) if code.specific => {}
            StmtKind::ModelOnly(body) if !has_statements(body) => {}
            _ => self.leave_top(),
        }
        let mut labels = self.labels(&stmt.labels);
        if let StmtKind::ModelOnly(body) = &stmt.kind {
            let first = body.stmts.iter().find(|s| !matches!(s.kind, StmtKind::Decl(_)));
            labels.extend(self.labels(first.map_or(&[], |first| &first.labels)));
        }
        if let StmtKind::Unless { main, .. } = &stmt.kind
            && let StmtKind::Block(_) = &main.kind
        {
            labels.extend(self.labels(&main.labels));
        }
        if let Some(kind) = self.kind(stmt) {
            out.push(Stmt { labels, kind, span: stmt.span, text: stmt.text.clone() });
        }
    }

    fn leave_top(&mut self) {
        if let Some(context) = &mut self.context {
            context.at_top = false;
        }
    }

    fn labels(&mut self, labels: &[ast::Name]) -> Vec<String> {
        let Some(context) = &mut self.context else { return Vec::new() };
        labels.iter().map(|label| context.labels.label(label, self.scopes.path())).collect()
    }

    fn declaration(&mut self, decl: &ast::Decl, out: &mut Block) {
        for var in &decl.vars {
            let Some(id) = self.local(decl, var) else { continue };
            let variable = self.spec.variable(id);
            if variable.is_late && !variable.model_only {
                let (span, text) = (var.span, var.text.clone());
                out.push(Stmt { labels: Vec::new(), kind: Kind::Initialise(id), span, text });
            }
        }
    }

    fn kind(&mut self, stmt: &ast::Stmt) -> Option<Kind> {
        Some(match &stmt.kind {
            StmtKind::Decl(_) | StmtKind::Exclusive { .. } => return None,
            StmtKind::Empty => Kind::Skip,
            StmtKind::If(options) => Kind::If(self.options(options)),
            StmtKind::Do(options) => Kind::Do(self.options(options)),
            StmtKind::For { var, range, body } => return self.for_loop(var, range, body),
            StmtKind::Select { var, low, high } => {
                let var = self.place(var)?;
                Kind::Select { var, low: self.expr(low), high: self.expr(high) }
            }
            StmtKind::Atomic(body) => Kind::Atomic(self.scoped(body)),
            StmtKind::DStep(body) => Kind::DStep(self.scoped(body)),
            StmtKind::Block(body) | StmtKind::Inline { body, .. } => Kind::Block(self.scoped(body)),
            StmtKind::Unless { main, escape } => {
                Kind::Unless { main: self.unless_part(main), escape: self.unless_part(escape) }
            }
            StmtKind::Send { chan, args, sorted } => {
                let chan = self.place(chan)?;
                Kind::Send { chan, args: self.values(args), sorted: *sorted }
            }
            StmtKind::Receive { chan, args, random, keep } => {
                let chan = self.place(chan)?;
                Kind::Receive { chan, args: self.patterns(args), random: *random, keep: *keep }
            }
            StmtKind::Assign { target, value } => return self.assign(target, value),
            StmtKind::Increment { target, .. } if target.name.text == "_" => Kind::Skip,
            StmtKind::Increment { target, by } => {
                Kind::Increment { target: self.place(target)?, by: *by }
            }
            StmtKind::Assert(expr) => Kind::Assert(self.expr(expr)),
            StmtKind::Printf { format, args } => Kind::Print(self.print(format, args)),
            StmtKind::Printm(expr) => {
                let value = self.expr(expr);
                let set = set_of(&value);
                Kind::Print(vec![PrintPart::Symbol(value, set)])
            }
            StmtKind::Break => Kind::Break,
            StmtKind::Goto(label) => {
                let context = self.context.as_mut()?;
                Kind::Goto(context.labels.jump(label, self.scopes.path()))
            }
            StmtKind::Else => Kind::Else,
            StmtKind::Expr(expr) => self.condition(expr),
            StmtKind::Code(code) => Kind::Code(self.code(code)),
            StmtKind::ModelOnly(body) => {
                self.inside_model(|resolver| resolver.model_declarations(body));
                Kind::ModelOnly
            }
        })
    }

    /// What is declared in `promela_MS` is known behind it.
    fn model_declarations(&mut self, body: &ast::Sequence) {
        for stmt in &body.stmts {
            match &stmt.kind {
                StmtKind::Decl(decl) => {
                    for var in &decl.vars {
                        self.local(decl, var);
                    }
                }
                StmtKind::ModelOnly(body) => self.model_declarations(body),
                _ => {}
            }
        }
    }

    /// A block of its own is none for the statement around it.
    fn unless_part(&mut self, part: &ast::Stmt) -> Block {
        if let StmtKind::Block(body) = &part.kind {
            return self.scoped(body);
        }
        let mut block = Block::new();
        self.stmt(part, &mut block);
        block
    }

    /// Options have no scope of their own.
    fn options(&mut self, options: &[ast::Sequence]) -> Vec<Block> {
        options.iter().map(|option| self.sequence(option)).collect()
    }

    fn condition(&mut self, expr: &ast::Expr) -> Kind {
        if let ExprKind::SetPriority(pid, priority) = &expr.kind {
            return match self.is_for_program(expr.span) {
                true => Kind::SetPriority(self.expr(pid), self.expr(priority)),
                false => Kind::Skip,
            };
        }
        let value = self.expr(expr);
        match (&value, value.constant()) {
            (Expr::Run { .. }, _) => Kind::Condition(value),
            (_, Some(1)) => Kind::Skip,
            _ => Kind::Condition(value),
        }
    }

    fn assign(&mut self, target: &VarRef, value: &ast::Expr) -> Option<Kind> {
        match target.name.text.as_str() {
            "_priority" => {
                return Some(match self.is_for_program(target.span) {
                    true => Kind::SetPriority(Expr::Pid, self.expr(value)),
                    false => Kind::Skip,
                });
            }
            // Nothing is stored; but what `run` does is done.
            "_" => {
                let value = self.expr(value);
                let matters = matches!(value, Expr::Run { .. });
                return Some(if matters { Kind::Condition(value) } else { Kind::Skip });
            }
            _ => {}
        }
        let place = self.place(target);
        let value = self.expr(value);
        Some(Kind::Assign { target: place?, value })
    }

    fn for_loop(&mut self, var: &VarRef, range: &ForRange, body: &ast::Sequence) -> Option<Kind> {
        let (var, range) = match range {
            ForRange::Between(low, high) => {
                let place = self.place(var)?;
                (place, Range::Between(self.expr(low), self.expr(high)))
            }
            ForRange::In(source) => self.elements(var, source)?,
        };
        let body = self.scoped(body);
        Some(Kind::For { var, range, body })
    }

    fn elements(&mut self, var: &VarRef, source: &VarRef) -> Option<(Place, Range)> {
        if let Some(Symbol::Variable(id)) = self.meaning(&source.name.text)
            && let Some(length) = self.spec.variable(id).length
            && source.index.is_none()
            && source.field.is_none()
        {
            return Some((self.place(var)?, Range::Indices(length)));
        }
        let chan = self.place(source)?;
        let Some(record) = self.whole_record(var) else {
            self.error(var.span, "`for ... in` a channel needs a variable of its typedef");
            return None;
        };
        let fields = self.spec.fields(record.clone());
        Some((record, Range::Messages { chan, fields }))
    }

    /// A format taken apart. As Spin does, widths are passed over and an unknown conversion is its letter.
    fn print(&mut self, format: &str, args: &[ast::Expr]) -> Vec<PrintPart> {
        let mut values = args.iter();
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                text.push(c);
                continue;
            }
            while chars.peek().is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | 'l')) {
                chars.next();
            }
            match chars.next() {
                Some(conversion @ ('d' | 'u' | 'x' | 'o' | 'c' | 'e')) => {
                    let Some(arg) = values.next() else { continue };
                    if !text.is_empty() {
                        parts.push(PrintPart::Text(std::mem::take(&mut text)));
                    }
                    let value = self.expr(arg);
                    parts.push(print_part(conversion, value));
                }
                Some(other) => text.push(other),
                None => text.push('%'),
            }
        }
        if !text.is_empty() {
            parts.push(PrintPart::Text(text));
        }
        parts
    }
}

fn print_part(conversion: char, value: Expr) -> PrintPart {
    match conversion {
        'e' => {
            let set = set_of(&value);
            PrintPart::Symbol(value, set)
        }
        'u' => PrintPart::Unsigned(value),
        'x' => PrintPart::Hex(value),
        'o' => PrintPart::Octal(value),
        'c' => PrintPart::Character(value),
        _ => PrintPart::Decimal(value),
    }
}

/// The set whose names a value has.
fn set_of(value: &Expr) -> usize {
    match value {
        Expr::Constant { set, .. } | Expr::Place(Place { ty: Type::Mtype(set), .. }) => *set,
        _ => 0,
    }
}

/// Anything that the model counts as a step.
fn has_statements(body: &ast::Sequence) -> bool {
    body.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Decl(_) | StmtKind::Exclusive { .. } => false,
        StmtKind::Empty => !stmt.labels.is_empty(),
        StmtKind::ModelOnly(body) => has_statements(body),
        _ => true,
    })
}
