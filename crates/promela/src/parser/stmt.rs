//! Statements and sequences of them.

use auspex_system::{Diagnostic, Span};

use super::messages::{C_WORDS, c_statement_hint};
use super::{Failed, Parse, Parser, cover};
use crate::ast::{Expr, ExprKind, ForRange, Name, Sequence, Stmt, StmtKind};
use crate::token::{Keyword, Kind, Op, Token};
use crate::words::MODEL_ONLY;

impl Parser {
    /// `{ statements }`
    pub(super) fn block(&mut self) -> Parse<Sequence> {
        let start = self.at;
        let opening = self.expect(Op::OpenBrace)?;
        let brackets = std::mem::replace(&mut self.brackets, 0);
        let mut stmts = self.sequence();
        while !self.is(Op::CloseBrace) {
            if self.at_end() || self.starts_item() {
                self.brackets = brackets;
                return Err(self.expected_closing(Op::CloseBrace, opening));
            }
            self.stray_closer();
            stmts.extend(self.sequence());
        }
        self.brackets = brackets;
        self.bump();
        Ok(Sequence { stmts, span: self.span_from(start) })
    }

    /// `fi`, `od` or `::` where nothing is open that it belongs to.
    fn stray_closer(&mut self) {
        let token = self.bump();
        let message = match self.text(token) {
            "fi" => "this `fi` has no `if`",
            "od" => "this `od` has no `do`",
            _ => "this `::` is in no `if` or `do`",
        };
        self.fail(Diagnostic::error(token.span, message));
    }

    /// At what cannot begin a statement, because it ends a sequence of them.
    fn at_sequence_end(&self) -> bool {
        let token = self.peek();
        matches!(token.kind, Kind::End | Kind::Op(Op::CloseBrace | Op::Options))
            || matches!(token.keyword(), Some(Keyword::Fi | Keyword::Od))
            || self.starts_item()
    }

    /// Statements up to what ends the sequence.
    fn sequence(&mut self) -> Vec<Stmt> {
        let (start, errors) = (self.at, self.report.errors.len());
        let mut stmts = Vec::new();
        if matches!(self.peek().kind, Kind::Op(Op::Semicolon | Op::Arrow)) {
            self.expected_hint("a statement", "use `skip` where nothing is to be done");
            while self.eat_separator() {}
        }
        while !self.at_sequence_end() {
            stmts.extend(self.separated_statement());
        }
        if stmts.is_empty() && self.at == start && errors == self.report.errors.len() {
            self.expected_hint("a statement", "use `skip` where nothing is to be done");
        }
        // Most sequences are short, and a vector begins with room for four.
        stmts.shrink_to_fit();
        stmts
    }

    /// One statement and the separators behind it; `None` after an error.
    fn separated_statement(&mut self) -> Option<Stmt> {
        let start = self.at;
        self.brackets = 0;
        let stmt = self.step();
        match &stmt {
            Ok(stmt) => self.separators(stmt),
            Err(_) => {
                self.recover_statement(start);
                while self.eat_separator() {}
            }
        }
        stmt.ok()
    }

    /// The separators behind a statement. Spin does without them after `}` and `else` and at the end of a line.
    fn separators(&mut self, stmt: &Stmt) {
        if self.eat_separator() {
            while self.eat_separator() {}
            return;
        }
        let previous = self.previous();
        let optional = previous.is(Op::CloseBrace)
            || previous.is_keyword(Keyword::Else)
            || self.peek().first
            || self.at_sequence_end()
            || ends_with_inline(&stmt.kind);
        if optional {
            return;
        }
        self.missing_separator(stmt.span);
        if self.peek().kind != Kind::Name {
            self.recover_statement(self.at);
            while self.eat_separator() {}
        }
    }

    /// A statement, perhaps with an `unless`.
    fn step(&mut self) -> Parse<Stmt> {
        let main = self.labelled()?;
        if !self.eat_keyword(Keyword::Unless) {
            return Ok(main);
        }
        let escape = self.labelled()?;
        let span = cover(main.span, escape.span);
        let kind = StmtKind::Unless { main: Box::new(main), escape: Box::new(escape) };
        Ok(Stmt { labels: Vec::new(), kind, span, text: "unless".to_owned() })
    }

    fn labelled(&mut self) -> Parse<Stmt> {
        let labels = self.labels();
        let start = self.at;
        if let Some(label) = labels.last() {
            let next = self.peek();
            if self.at_sequence_end() || matches!(next.kind, Kind::Op(Op::Semicolon | Op::Arrow)) {
                let (span, text) = (label.span, format!("{}:", label.text));
                return Ok(Stmt { labels, kind: StmtKind::Empty, span, text });
            }
            if self.at_declaration() || matches!(self.keyword(), Some(Keyword::Xr | Keyword::Xs)) {
                return Err(self.label_before_declaration(label.span));
            }
        }
        let kind = self.nested(Self::statement)?;
        let text = match compound_name(&kind) {
            Some(name) => name.to_owned(),
            None => self.text_from(start),
        };
        Ok(Stmt { labels, kind, span: self.span_from(start), text })
    }

    fn label_before_declaration(&mut self, label: Span) -> Failed {
        let message = "a declaration cannot have a label";
        self.fail(Diagnostic::error(label, message).hint("put `skip;` between them"))
    }

    /// `L:` as often as it comes. The name of a proctype begins a remote reference instead.
    fn labels(&mut self) -> Vec<Name> {
        let mut labels = Vec::new();
        loop {
            let token = self.peek();
            let is_name = token.kind == Kind::Name
                && token.keyword().is_none_or(|keyword| keyword == Keyword::In)
                && !self.macros.proctypes.contains(&token.symbol);
            if !is_name || !self.ahead(1).is(Op::Colon) {
                return labels;
            }
            self.bump();
            self.bump();
            labels.push(self.named(token));
        }
    }

    fn statement(&mut self) -> Parse<StmtKind> {
        if self.is(Op::OpenBrace) {
            return self.block().map(StmtKind::Block);
        }
        if self.at_mtype_names() {
            return Err(self.expected_hint(
                "a statement",
                "the names of an mtype are declared outside of processes",
            ));
        }
        if let Some(word) = self.code_word() {
            return self.code_statement(word);
        }
        if self.at_model_only() {
            return self.model_statements().map(StmtKind::ModelOnly);
        }
        if self.at_inline() {
            return self.inline_call();
        }
        if self.at_declaration() {
            return self.declaration().map(StmtKind::Decl);
        }
        match self.keyword() {
            Some(keyword) if keyword != Keyword::In => self.keyword_statement(keyword),
            _ if self.peek().kind == Kind::Name => self.name_statement(),
            _ => self.value().map(StmtKind::Expr),
        }
    }

    fn keyword_statement(&mut self, keyword: Keyword) -> Parse<StmtKind> {
        match keyword {
            Keyword::If => self.options(Keyword::Fi).map(StmtKind::If),
            Keyword::Do => self.options(Keyword::Od).map(StmtKind::Do),
            Keyword::For => self.for_loop(),
            Keyword::Select => self.select(),
            Keyword::Atomic => self.braced().map(StmtKind::Atomic),
            Keyword::DStep => self.braced().map(StmtKind::DStep),
            Keyword::Break => Ok(self.bumped_statement(StmtKind::Break)),
            Keyword::Else => Ok(self.bumped_statement(StmtKind::Else)),
            Keyword::Goto => {
                self.bump();
                self.name("a label").map(StmtKind::Goto)
            }
            Keyword::Assert => {
                self.bump();
                self.full_expression().map(StmtKind::Assert)
            }
            Keyword::Printf => self.call(Self::printf),
            Keyword::Printm => self.call(Self::printm),
            Keyword::SetPriority => self.set_priority(),
            Keyword::Xr | Keyword::Xs => self.exclusive(keyword == Keyword::Xs),
            Keyword::CCode | Keyword::CDecl | Keyword::CState | Keyword::CTrack => {
                Err(self.embedded_c())
            }
            Keyword::Return => Err(self.no_return()),
            _ => self.value().map(StmtKind::Expr),
        }
    }

    fn bumped_statement(&mut self, kind: StmtKind) -> StmtKind {
        self.bump();
        kind
    }

    /// `keyword { statements }`
    fn braced(&mut self) -> Parse<Sequence> {
        self.bump();
        self.block()
    }

    fn no_return(&mut self) -> Failed {
        let token = self.bump();
        let message = "`return` is not supported";
        let hint = "let the inline assign its result to a parameter";
        self.fail(Diagnostic::error(token.span, message).hint(hint))
    }

    /// What begins with a name: an assignment, a send, a receive, or a condition.
    fn name_statement(&mut self) -> Parse<StmtKind> {
        let first = self.peek();
        if self.ahead(1).is(Op::OpenParen) && !self.ahead(1).first {
            return Err(self.unknown_call(first));
        }
        let var = self.var_ref()?;
        match self.peek().kind {
            Kind::Op(Op::Assign) => {
                self.bump();
                if self.at_inline() {
                    return Err(self.inline_value());
                }
                let value = self.value()?;
                Ok(StmtKind::Assign { target: var, value })
            }
            Kind::Op(op @ (Op::Increment | Op::Decrement)) => {
                self.bump();
                let by = if op == Op::Increment { 1 } else { -1 };
                Ok(StmtKind::Increment { target: var, by })
            }
            Kind::Op(Op::Bang) if self.is_new_line() => Ok(StmtKind::Expr(plain(var))),
            Kind::Op(Op::Bang | Op::SortedSend) => self.send(var),
            Kind::Op(Op::Question | Op::RandomReceive) if !self.ahead(1).is(Op::OpenBracket) => {
                self.receive(var)
            }
            _ => self.value_from(var, first).map(StmtKind::Expr),
        }
    }

    /// `f(...)` where `f` is no inline.
    fn unknown_call(&mut self, token: Token) -> Failed {
        let text = self.text(token).to_owned();
        let hint = match text.as_str() {
            word if C_WORDS.contains(&word) => c_statement_hint(word),
            word if self.macros.proctypes.contains(&token.symbol) => {
                format!("to start a process, write `run {word}(...)`")
            }
            _ => "an inline must be defined before its first call; Promela has no functions"
                .to_owned(),
        };
        let message = format!("there is no inline `{text}`");
        self.fail(Diagnostic::error(token.span, message).hint(hint))
    }

    /// `if :: ... :: ... fi` or `do :: ... od`
    fn options(&mut self, close: Keyword) -> Parse<Vec<Sequence>> {
        let opening = self.bump();
        let mut options = Vec::new();
        if !self.is(Op::Options) {
            let hint = format!(
                "every option begins with `::`, as in `{0} :: x == 1 -> ... {1}`",
                self.text(opening),
                close.text()
            );
            return Err(self.expected_hint("`::`", &hint));
        }
        while self.is(Op::Options) {
            let start = self.at;
            self.bump();
            let stmts = self.sequence();
            options.push(Sequence { stmts, span: self.span_from(start) });
        }
        if !self.eat_keyword(close) {
            self.missing_end(opening, close);
        }
        Ok(options)
    }

    /// Reports a missing `fi` or `od`; a mistaken one is taken for it.
    fn missing_end(&mut self, opening: Token, close: Keyword) {
        let token = self.peek();
        let what = format!("`{}`", close.text());
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text(token)),
        };
        let message = format!("expected {what} or another `::`, found {found}");
        let note = format!("this `{}` is not closed", self.text(opening));
        self.fail(Diagnostic::error(token.span, message).note(opening.span, note));
        if matches!(token.keyword(), Some(Keyword::Fi | Keyword::Od)) {
            self.bump();
        }
    }

    /// `for (i : low .. high) { ... }` or `for (i in array) { ... }`
    fn for_loop(&mut self) -> Parse<StmtKind> {
        let (var, range) = self.call(|parser| {
            let var = parser.var_ref()?;
            if parser.eat_keyword(Keyword::In) {
                return Ok((var, ForRange::In(parser.var_ref()?)));
            }
            if !parser.is(Op::Colon) {
                let hint =
                    "a `for` is written `for (i : 1 .. n) { ... }` or `for (i in a) { ... }`";
                return Err(parser.expected_hint("`:` or `in`", hint));
            }
            let (low, high) = parser.range()?;
            Ok((var, ForRange::Between(low, high)))
        })?;
        self.eat(Op::Semicolon);
        let body = self.block()?;
        Ok(StmtKind::For { var, range, body })
    }

    /// `: low .. high`
    fn range(&mut self) -> Parse<(Expr, Expr)> {
        self.expect(Op::Colon)?;
        let low = self.expression()?;
        self.expect(Op::DotDot)?;
        Ok((low, self.expression()?))
    }

    fn select(&mut self) -> Parse<StmtKind> {
        self.call(|parser| {
            let var = parser.var_ref()?;
            let (low, high) = parser.range()?;
            Ok(StmtKind::Select { var, low, high })
        })
    }

    /// What stands between the parentheses of a `printf`.
    fn printf(&mut self) -> Parse<StmtKind> {
        let format = self.string()?;
        let args = match self.eat(Op::Comma) {
            true => self.list(Self::expression)?,
            false => Vec::new(),
        };
        Ok(StmtKind::Printf { format, args })
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        let expr = self.expression()?;
        match expr.kind {
            ExprKind::Name(_) | ExprKind::Number(_) => Ok(StmtKind::Printm(expr)),
            _ => {
                let message = "`printm` takes a variable or the name of an mtype";
                Err(self.fail(Diagnostic::error(expr.span, message)))
            }
        }
    }

    fn set_priority(&mut self) -> Parse<StmtKind> {
        let start = self.at;
        let kind = self.call(|parser| {
            let pid = Box::new(parser.expression()?);
            parser.expect(Op::Comma)?;
            Ok(ExprKind::SetPriority(pid, Box::new(parser.expression()?)))
        })?;
        Ok(StmtKind::Expr(Expr { kind, span: self.span_from(start) }))
    }

    fn exclusive(&mut self, sends: bool) -> Parse<StmtKind> {
        self.bump();
        let chans = self.list(Self::var_ref)?;
        Ok(StmtKind::Exclusive { sends, chans })
    }
}

fn plain(var: crate::ast::VarRef) -> Expr {
    Expr { span: var.span, kind: ExprKind::Name(var) }
}

/// The text of an inline ends with a brace, even if its call does not.
fn ends_with_inline(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Inline { .. } => true,
        StmtKind::Unless { escape, .. } => ends_with_inline(&escape.kind),
        _ => false,
    }
}

/// Statements made of statements are known by their first word alone.
fn compound_name(kind: &StmtKind) -> Option<&'static str> {
    Some(match kind {
        StmtKind::If(_) => "if",
        StmtKind::Do(_) => "do",
        StmtKind::For { .. } => "for",
        StmtKind::Atomic(_) => "atomic",
        StmtKind::DStep(_) => "d_step",
        StmtKind::Block(_) => "{ ... }",
        StmtKind::Unless { .. } => "unless",
        StmtKind::ModelOnly(_) => MODEL_ONLY,
        _ => return None,
    })
}
