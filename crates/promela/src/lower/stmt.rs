//! Statements: what they do, and how they follow each other.

use super::Lowerer;
use super::chan::load;
use super::decl::Site;
use super::scope::{Symbol, VarInfo};
use crate::ast::{self, ExprKind, ForRange, Stmt, StmtKind};
use crate::flow::{ElId, Seq, Target};
use auspex_process::Scalar;
use auspex_process::ir::*;
use auspex_system::{Diagnostic, Span};

/// Up to this many values, `select` is a choice in one step; beyond, a loop.
const WIDEST_CHOICE: i32 = 33;

impl Lowerer<'_> {
    /// The statements of a sequence, in the scope that is open.
    pub fn sequence(&mut self, sequence: &ast::Sequence) {
        for stmt in &sequence.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Decl(decl) => return self.declaration(decl),
            StmtKind::Exclusive { chans, .. } => {
                chans.iter().for_each(|chan| drop(self.channel(chan)));
                return;
            }
            StmtKind::Empty if stmt.labels.is_empty() => return,
            _ => {}
        }
        if let Some(context) = &mut self.context {
            context.at_top = false;
        }
        if let StmtKind::Unless { main, escape } = &stmt.kind {
            return self.unless(stmt, main, escape);
        }
        if let Some(element) = self.statement_element(stmt) {
            self.set_labels(&stmt.labels, element);
        }
    }

    fn set_labels(&mut self, labels: &[ast::Name], element: ElId) {
        for label in labels {
            let scope = self.symbols.scopes.path().to_vec();
            self.flow.set_label(&label.text, &scope, label.span, element);
        }
    }

    fn declaration(&mut self, decl: &ast::Decl) {
        for var in &decl.vars {
            let at_top = self.context.as_ref().is_none_or(|c| c.at_top);
            let site = if at_top { Site::Creation } else { Site::Statement };
            if let Some(action) = self.variable(decl, var, site) {
                let statement = self.statement(var.span, &var.text, true);
                self.flow.add_basic(action, statement, var.span);
            }
        }
    }

    /// Adds the element (or elements) of a statement; gives the one that its labels refer to.
    fn statement_element(&mut self, stmt: &Stmt) -> Option<ElId> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If(options) => self.choice(false, options, stmt),
            StmtKind::Do(options) => {
                self.flow.enter_loop();
                self.choice(true, options, stmt)
            }
            StmtKind::For { var, range, body } => self.for_loop(var, range, body, span),
            StmtKind::Select { var, low, high } => self.select(var, low, high, span),
            StmtKind::Atomic(body) => {
                let seq = self.block(body, span)?;
                let statement = self.statement(span, "atomic", false);
                Some(self.flow.add_atomic(seq, statement, span))
            }
            StmtKind::DStep(body) => {
                let seq = self.block(body, span)?;
                let statement = self.statement(span, "d_step", false);
                Some(self.flow.add_d_step(seq, statement, span))
            }
            StmtKind::Block(body) => {
                let seq = self.block(body, span)?;
                let statement = self.statement(span, "{", false);
                Some(self.flow.add_block(seq, statement, span))
            }
            StmtKind::Inline { name, body } => self.inline(name, body),
            StmtKind::Break => {
                let Some(target) = self.flow.break_target() else {
                    let error = Diagnostic::error(span, "`break` outside of a loop");
                    self.errors.push(error);
                    return None;
                };
                Some(self.goto(target, stmt))
            }
            StmtKind::Goto(label) => {
                let scope = self.symbols.scopes.path().to_vec();
                let (name, span) = (label.text.clone(), label.span);
                Some(self.goto(Target::Label { name, scope, span }, stmt))
            }
            StmtKind::Else => {
                let statement = self.statement(span, "else", true);
                Some(self.flow.add_else(statement, span))
            }
            _ => {
                let action = self.action(stmt)?;
                let counts = !matches!(action, Action::Skip);
                let statement = self.statement(span, &stmt.text, counts);
                Some(self.flow.add_basic(action, statement, span))
            }
        }
    }

    fn goto(&mut self, target: Target, stmt: &Stmt) -> ElId {
        let statement = self.statement(stmt.span, &stmt.text, false);
        let special = ["end", "progress", "accept"];
        let labelled =
            stmt.labels.iter().any(|l| special.iter().any(|prefix| l.text.starts_with(prefix)));
        self.flow.add_goto(target, statement, stmt.span, labelled)
    }

    /// The simple statements.
    fn action(&mut self, stmt: &Stmt) -> Option<Action> {
        Some(match &stmt.kind {
            StmtKind::Empty => Action::Skip,
            StmtKind::Send { chan, args, sorted } => self.send(chan, args, *sorted),
            StmtKind::Receive { chan, args, random, keep } => {
                Action::Receive(Box::new(self.receive(chan, args, *random, *keep)))
            }
            StmtKind::Assign { target, value } => return self.assign(target, value),
            StmtKind::Increment { target, by } => {
                let place = self.target(target)?;
                if place.ty == Scalar::Channel {
                    self.error(target.span, "arithmetic on a channel");
                }
                let sum =
                    Expr::Binary(BinaryOp::Add, Box::new((load(place.clone()), Expr::Const(*by))));
                Action::Assign(place, sum)
            }
            StmtKind::Assert(expr) => Action::Assert(self.value(expr)),
            StmtKind::Printf { format, args } => self.printf(format, args, stmt.span),
            StmtKind::Printm(expr) => {
                let typed = self.expr(expr);
                let set = match typed.ty {
                    Some(Scalar::Symbol(set)) => set,
                    _ => SetId(0),
                };
                Action::Print(Box::new(Print { parts: vec![PrintPart::Symbol(typed.expr, set)] }))
            }
            StmtKind::Expr(expr) => return self.expression_statement(expr),
            StmtKind::Code(_) | StmtKind::ModelOnly(_) => {
                self.not_a_model();
                return None;
            }
            _ => return None,
        })
    }

    fn expression_statement(&mut self, expr: &ast::Expr) -> Option<Action> {
        match &expr.kind {
            ExprKind::Run { proctype, args, priority } => {
                self.run(proctype, args, priority.as_deref(), None)
            }
            ExprKind::SetPriority(pid, priority) => {
                self.model.has_priorities = true;
                let operands = (self.value(pid), self.value(priority));
                Some(Action::SetPriority(Box::new(operands)))
            }
            _ => Some(match self.value(expr) {
                Expr::Const(1) => Action::Skip,
                value => Action::Guard(value),
            }),
        }
    }

    fn assign(&mut self, target: &ast::VarRef, value: &ast::Expr) -> Option<Action> {
        if target.name.text == "_priority" {
            self.model.has_priorities = true;
            let value = self.value(value);
            return Some(Action::SetPriority(Box::new((Expr::Pid, value))));
        }
        let place = self.target(target);
        if let ExprKind::Run { proctype, args, priority } = &value.kind {
            return self.run(proctype, args, priority.as_deref(), place);
        }
        let typed = self.expr(value);
        let place = place?;
        self.check_sets(place.ty, &typed, value.span);
        if place.ty == Scalar::Channel && !matches!(typed.ty, Some(Scalar::Channel)) {
            self.error(value.span, "only a channel can be assigned to a channel");
        }
        if let Expr::Const(constant) = typed.expr {
            self.warn_if_cut(place.ty, constant, value.span);
        }
        Some(Action::Assign(place, typed.expr))
    }

    fn printf(&mut self, format: &str, args: &[ast::Expr], span: Span) -> Action {
        let mut values = args.iter();
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut chars = format.chars().peekable();
        let mut missing = false;
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
                    let Some(arg) = values.next() else {
                        missing = true;
                        continue;
                    };
                    parts.push(PrintPart::Text(std::mem::take(&mut text)));
                    parts.push(self.print_part(conversion, arg));
                }
                Some(other) => text.push(other),
                None => text.push('%'),
            }
        }
        parts.push(PrintPart::Text(text));
        if missing || values.next().is_some() {
            let message = "the number of arguments does not fit the format";
            self.warning(Diagnostic::warning(span, message));
        }
        Action::Print(Box::new(Print { parts }))
    }

    fn print_part(&mut self, conversion: char, arg: &ast::Expr) -> PrintPart {
        let typed = self.expr(arg);
        match (conversion, typed.ty) {
            ('e', Some(Scalar::Symbol(set))) => PrintPart::Symbol(typed.expr, set),
            ('e', _) => PrintPart::Symbol(typed.expr, SetId(0)),
            ('u', _) => PrintPart::Unsigned(typed.expr),
            ('x', _) => PrintPart::Hex(typed.expr),
            ('o', _) => PrintPart::Octal(typed.expr),
            ('c', _) => PrintPart::Character(typed.expr),
            _ => PrintPart::Decimal(typed.expr),
        }
    }

    fn choice(&mut self, is_loop: bool, options: &[ast::Sequence], stmt: &Stmt) -> Option<ElId> {
        let mut seqs = Vec::new();
        for option in options {
            if let Some(label) = first_label(option) {
                let message = "this label does not count for the choice: only for jumps to it";
                let warning =
                    Diagnostic::warning(label.span, message).hint("put it before the `if` or `do`");
                self.warning(warning);
            }
            self.flow.open();
            self.sequence(option);
            match self.flow.close() {
                Some(seq) => seqs.push(self.flow.without_idle_skips(seq)),
                None => self.error(option.span, "an option needs a statement"),
            }
        }
        let (open, close) = if is_loop { ("do", "od") } else { ("if", "fi") };
        let statement = self.statement(stmt.span, open, false);
        let end = self.statement(stmt.span, close, false);
        Some(self.flow.add_choice(is_loop, seqs, (statement, end), stmt.span))
    }

    /// The statements of a block, in a scope of their own.
    fn block(&mut self, body: &ast::Sequence, span: Span) -> Option<Seq> {
        if let Some(label) = first_label(body) {
            let error = Diagnostic::error(label.span, "a label on the first statement of a block")
                .hint(format!("put it before the block: `{}: {{ ... }}`", label.text));
            self.errors.push(error);
        }
        self.flow.open();
        self.symbols.scopes.enter();
        self.sequence(body);
        self.leave_scope();
        let seq = self.flow.close();
        if seq.is_none() {
            self.error(span, "a block needs a statement");
        }
        seq
    }

    /// Locals of inner blocks can be referred to from other processes too.
    fn leave_scope(&mut self) {
        let block = self.symbols.scopes.leave();
        for (name, symbol) in block {
            self.inner_locals.entry(name).or_insert(symbol);
        }
    }

    fn inline(&mut self, name: &ast::Name, body: &ast::Sequence) -> Option<ElId> {
        if let Some(context) = &mut self.context {
            context.inline_depth += 1;
        }
        let seq = self.block(body, name.span);
        if let Some(context) = &mut self.context {
            context.inline_depth -= 1;
        }
        let statement = self.statement(name.span, &name.text, false);
        Some(self.flow.add_block(seq?, statement, name.span))
    }

    fn unless(&mut self, stmt: &Stmt, main: &Stmt, escape: &Stmt) {
        // `L: { ... } unless { ... }`: the label means the whole.
        let labels: Vec<ast::Name> = match main.kind {
            StmtKind::Block(_) => stmt.labels.iter().chain(&main.labels).cloned().collect(),
            _ => stmt.labels.clone(),
        };
        if !labels.is_empty() {
            self.flow.open();
        }
        let (main_seq, escape_seq) = (self.unless_part(main), self.unless_part(escape));
        let (Some(main_seq), Some(escape_seq)) = (main_seq, escape_seq) else { return };
        let statement = self.statement(stmt.span, "unless", false);
        self.flow.add_unless(main_seq, escape_seq, statement, stmt.span);
        if !labels.is_empty()
            && let Some(seq) = self.flow.close()
        {
            let block = self.flow.add_block(seq, statement, stmt.span);
            self.set_labels(&labels, block);
        }
    }

    fn unless_part(&mut self, part: &Stmt) -> Option<Seq> {
        if let StmtKind::Block(body) = &part.kind {
            return self.block(body, part.span);
        }
        if let Some(label) = part.labels.first() {
            let error = Diagnostic::error(label.span, "a label inside an `unless` part")
                .hint("put braces around: `label: { statement unless statement }`");
            self.errors.push(error);
        }
        self.flow.open();
        self.stmt(part);
        self.flow.close()
    }

    fn add_step(&mut self, action: Action, text: String, span: Span) -> ElId {
        let statement = self.statement(span, text, true);
        self.flow.add_basic(action, statement, span)
    }

    fn for_loop(
        &mut self,
        var: &ast::VarRef,
        range: &ForRange,
        body: &ast::Sequence,
        span: Span,
    ) -> Option<ElId> {
        match range {
            ForRange::Between(low, high) => {
                let place = self.loop_variable(var)?;
                let (low_value, high_value) = (self.value(low), self.value(high));
                let texts = (self.text(low.span), self.text(high.span));
                if let (Expr::Const(a), Expr::Const(b)) = (&low_value, &high_value)
                    && a > b
                {
                    self.error(low.span, format!("this range is empty: {a} is above {b}"));
                }
                self.count(place, (low_value, high_value), texts, body, span)
            }
            ForRange::In(source) => self.for_in(var, source, body, span),
        }
    }

    fn text(&self, span: Span) -> String {
        self.map.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn loop_variable(&mut self, var: &ast::VarRef) -> Option<Place> {
        let place = self.target(var)?;
        if place.ty == Scalar::Channel {
            self.error(var.span, "a channel cannot count");
            return None;
        }
        Some(place)
    }

    /// `i = low; do :: i <= high -> body; i++ :: else -> break od`
    fn count(
        &mut self,
        place: Place,
        (low, high): (Expr, Expr),
        (low_text, high_text): (String, String),
        body: &ast::Sequence,
        span: Span,
    ) -> Option<ElId> {
        let name = place.name.clone();
        self.add_step(Action::Assign(place.clone(), low), format!("{name} = {low_text}"), span);
        self.flow.enter_loop();
        self.flow.open();
        let more = Expr::Binary(BinaryOp::LessEqual, Box::new((load(place.clone()), high)));
        self.add_step(Action::Guard(more), format!("{name} <= {high_text}"), span);
        self.loop_body(body);
        self.advance(place, span);
        let main = self.flow.close()?;
        Some(self.close_counting(main, true, span))
    }

    fn loop_body(&mut self, body: &ast::Sequence) {
        self.symbols.scopes.enter();
        self.sequence(body);
        self.leave_scope();
    }

    fn advance(&mut self, place: Place, span: Span) {
        let text = format!("{}++", place.name);
        let next = Expr::Binary(BinaryOp::Add, Box::new((load(place.clone()), Expr::Const(1))));
        self.add_step(Action::Assign(place, next), text, span);
    }

    /// Adds the way out of a counting loop and closes it.
    fn close_counting(&mut self, main: Seq, with_else: bool, span: Span) -> ElId {
        self.flow.open();
        let statement = self.statement(span, if with_else { "else" } else { "break" }, false);
        if with_else {
            self.flow.add_else(statement, span);
        }
        if let Some(target) = self.flow.break_target() {
            self.flow.add_goto(target, statement, span, false);
        }
        let out = self.flow.close();
        let options = out.into_iter().chain([main]).collect();
        let statement = self.statement(span, "for", false);
        self.flow.add_choice(true, options, (statement, statement), span)
    }

    fn for_in(
        &mut self,
        var: &ast::VarRef,
        source: &ast::VarRef,
        body: &ast::Sequence,
        span: Span,
    ) -> Option<ElId> {
        let info = match self.symbols.scopes.lookup(&source.name.text) {
            Some(Symbol::Variable(info)) => info.clone(),
            _ => {
                self.error(source.span, format!("undeclared variable `{}`", source.name.text));
                return None;
            }
        };
        self.symbols.scopes.mark_used(&source.name.text);
        if let Some(length) = info.length
            && source.field.is_none()
            && source.index.is_none()
        {
            let place = self.loop_variable(var)?;
            let high = length as i32 - 1;
            let range = (Expr::Const(0), Expr::Const(high));
            return self.count(place, range, ("0".into(), high.to_string()), body, span);
        }
        self.for_messages(var, source, &info, body, span)
    }

    /// `for (m in q)`: takes each message out and puts it back behind the others.
    fn for_messages(
        &mut self,
        var: &ast::VarRef,
        source: &ast::VarRef,
        info: &VarInfo,
        body: &ast::Sequence,
        span: Span,
    ) -> Option<ElId> {
        if info.ty != VarType::Scalar(Scalar::Channel) || self.whole_struct(var).is_none() {
            let error = Diagnostic::error(source.span, "`for ... in` needs an array or a channel")
                .hint("a channel must carry one typedef, and the variable be of that type");
            self.errors.push(error);
            return None;
        }
        let counter = self.temporary();
        let name = source.name.text.clone();
        self.add_step(
            Action::Assign(counter.clone(), Expr::Const(0)),
            format!("first message of {name}"),
            span,
        );
        self.flow.enter_loop();
        self.flow.open();
        let length = Expr::Length(Box::new(self.channel(source)));
        let more = Expr::Binary(BinaryOp::Less, Box::new((load(counter.clone()), length)));
        self.add_step(Action::Guard(more), format!("more messages in {name}"), span);
        let argument = ast::RecvArg::Name(var.clone());
        let receive = self.receive(source, &[argument], false, false);
        let item = self.text(var.span);
        self.add_step(Action::Receive(Box::new(receive)), format!("{name}?{item}"), span);
        let value = ast::Expr { kind: ExprKind::Name(var.clone()), span: var.span };
        let send = self.send(source, &[value], false);
        self.add_step(send, format!("{name}!{item}"), span);
        self.loop_body(body);
        self.advance(counter, span);
        let main = self.flow.close()?;
        Some(self.close_counting(main, true, span))
    }

    /// A variable that the user did not write.
    fn temporary(&mut self) -> Place {
        let frame = self.frame(Space::Local);
        let (offset, name) = (frame.size, format!("_for{}", frame.variables.len()));
        let ty = VarType::Scalar(Scalar::Short);
        frame.variables.push(Variable { name: name.clone(), ty, length: None, offset });
        frame.size += Scalar::Short.size() as u32;
        super::scope::simple_place(Space::Local, offset, Scalar::Short, &name)
    }

    /// A constant range of at most 33 values is one choice, any other a loop, as Spin expands it.
    fn select(
        &mut self,
        var: &ast::VarRef,
        low: &ast::Expr,
        high: &ast::Expr,
        span: Span,
    ) -> Option<ElId> {
        let place = self.loop_variable(var)?;
        let in_inline = self.context.as_ref().is_some_and(|c| c.inline_depth > 0);
        let name = &var.name.text;
        let is_plain = var.index.is_none() && var.field.is_none() && !name.contains('_');
        if let (ExprKind::Number(a), ExprKind::Number(b)) = (&low.kind, &high.kind) {
            if a > b {
                self.error(span, "the range of `select` is empty");
                return None;
            }
            if is_plain && !in_inline && *a >= 0 && b.saturating_sub(*a) < WIDEST_CHOICE {
                return Some(self.select_at_once(&place, *a..=*b, span));
            }
        }
        let (low_value, high_value) = (self.value(low), self.value(high));
        let low_text = self.text(low.span);
        let text = format!("{} = {low_text}", place.name);
        self.add_step(Action::Assign(place.clone(), low_value), text, span);
        self.flow.enter_loop();
        self.flow.open();
        let text = format!("{} < {}", place.name, self.text(high.span));
        let more = Expr::Binary(BinaryOp::Less, Box::new((load(place.clone()), high_value)));
        self.add_step(Action::Guard(more), text, span);
        self.advance(place, span);
        let main = self.flow.close()?;
        Some(self.close_counting(main, false, span))
    }

    fn select_at_once(
        &mut self,
        place: &Place,
        values: std::ops::RangeInclusive<i32>,
        span: Span,
    ) -> ElId {
        let mut options = Vec::new();
        for value in values {
            self.flow.open();
            let text = format!("{} = {value}", place.name);
            self.add_step(Action::Assign(place.clone(), Expr::Const(value)), text, span);
            options.extend(self.flow.close());
        }
        let statement = self.statement(span, "select", false);
        self.flow.add_choice(false, options, (statement, statement), span)
    }
}

/// The label on the first statement of a sequence.
fn first_label(sequence: &ast::Sequence) -> Option<&ast::Name> {
    let mut stmts = sequence.stmts.iter();
    stmts.find(|stmt| !matches!(stmt.kind, StmtKind::Decl(_)))?.labels.first()
}
