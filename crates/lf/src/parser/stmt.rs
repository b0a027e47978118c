//! Statements.

use auspex_system::{Diagnostic, Span};

use super::messages::capitals;
use super::recover::no_expr;
use super::{Parsed, Parser, Separators};
use crate::ast::{
    Arm, Communication, Creation, Designator, Direction, Expr, Ident, Statement, StatementKind,
    When,
};
use crate::token::{Keyword, Kind, Symbol, Token};

impl Parser<'_> {
    /// Statements up to what ends them: `END`, `ELSE`, `|`, ...
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut list = Vec::new();
        loop {
            let start = self.at;
            if !self.at_symbol(Symbol::Semicolon) && !self.at_list_end() {
                match self.statement() {
                    Ok(statement) => list.extend(statement),
                    Err(_) => self.recover_statement(start),
                }
            }
            // Declarations among statements have a `;` of their own.
            let has_semicolon = self.previous().kind == Kind::Symbol(Symbol::Semicolon);
            if self.eat(Symbol::Semicolon) || (self.at > start && has_semicolon) {
                continue;
            }
            if self.at_list_end() {
                return list;
            }
            self.missing_semicolon(start);
        }
    }

    fn at_list_end(&self) -> bool {
        match self.peek().kind {
            Kind::End | Kind::Symbol(Symbol::Bar) => true,
            Kind::Keyword(keyword) => keyword.ends_statements(),
            _ => false,
        }
    }

    /// There is neither a `;` nor an end behind the statement that began at the token `start`.
    fn missing_semicolon(&mut self, start: usize) {
        let token = self.peek();
        let text = self.text_of(token);
        let meant = (token.kind == Kind::Ident).then(|| Keyword::meant_by(text)).flatten();
        if let Some(keyword) = meant.filter(|it| it.ends_statements()) {
            self.take_for_keyword(keyword);
            return;
        }
        if matches!(token.kind, Kind::Keyword(it) if it.begins_declaration()) {
            return;
        }
        let begins = match token.kind {
            Kind::Ident => !self.is_same_line_as_previous() || self.looks_like_statement(),
            Kind::Keyword(keyword) => keyword.begins_statement(),
            _ => false,
        };
        if begins && meant.is_none() {
            let end = self.previous().span;
            let gap = Span { start: end.end, ..end };
            let error = Diagnostic::error(gap, "missing `;` between statements")
                .label("expected `;`")
                .note(token.span, "another statement begins here");
            self.report(error);
            return;
        }
        let error = self.expected("`;` or `END`");
        let error = match self.separators.or
            && self.tokens[start].kind == Kind::Keyword(Keyword::Repeat)
        {
            true => error.hint(
                "behind `UNTIL`, `OR` is a disjunction: put a `;` before one that begins an alternative",
            ),
            false => self.explain_or(error, start),
        };
        self.report(error);
        self.recover_statement(self.at);
    }

    fn is_same_line_as_previous(&self) -> bool {
        let (before, after) = (self.previous().span, self.peek().span);
        let between = (before.end - self.base) as usize..(after.start - self.base) as usize;
        !self.text.get(between).unwrap_or("").contains('\n')
    }

    /// One statement; nothing where there was only something to complain about.
    fn statement(&mut self) -> Parsed<Option<Statement>> {
        if let Some(keyword) = self.statement_in_lower_case() {
            self.take_for_keyword(keyword);
            if keyword.ends_statements() {
                return Ok(None);
            }
        }
        match self.peek().kind {
            Kind::Keyword(keyword) if keyword.begins_declaration() => {
                self.declaration_among_statements();
                Ok(None)
            }
            Kind::Keyword(keyword) if keyword.begins_statement() => {
                self.nested(|parser| parser.keyword_statement(keyword)).map(Some)
            }
            Kind::Ident => self.designator_statement().map(Some),
            _ => {
                let error = self.expected("a statement");
                let error = self.explain_or(error, self.at);
                Err(self.report(error))
            }
        }
    }

    fn keyword_statement(&mut self, keyword: Keyword) -> Parsed<Statement> {
        let id = self.next_id();
        let start = self.bump().span;
        let parse = |parser: &mut Self| match keyword {
            Keyword::Select => parser.select(start),
            Keyword::If => parser.if_statement(start),
            Keyword::While => parser.while_statement(start),
            Keyword::Repeat => parser.repeat(start),
            Keyword::For => parser.for_statement(start),
            Keyword::Loop => {
                let body = parser.statements();
                parser.close_statement(start, None);
                Ok(StatementKind::Loop { body })
            }
            Keyword::Case => parser.case(start),
            Keyword::Choice => Ok(parser.choice(start)),
            Keyword::Exit => Ok(StatementKind::Exit),
            _ => Ok(StatementKind::Return),
        };
        let kind = match keyword {
            // The only one whose expressions belong to the list of statements that it is in.
            Keyword::Create => StatementKind::Create(self.list(Self::creation)?),
            _ => self.separated(Separators::default(), parse)?,
        };
        Ok(Statement { id, kind, span: self.since(start) })
    }

    /// An assignment, a call or a communication.
    fn designator_statement(&mut self) -> Parsed<Statement> {
        let id = self.next_id();
        let start = self.at;
        let target = self.designator()?;
        let first = target.span;
        let kind = match self.peek().kind {
            Kind::Symbol(Symbol::Assign) => self.assignment(target)?,
            Kind::Symbol(Symbol::Bang | Symbol::Question) => {
                StatementKind::Communicate(self.communication_with(target)?)
            }
            Kind::Symbol(Symbol::Equal | Symbol::EqualEqual) => {
                let error = Diagnostic::error(self.peek().span, "`=` does not assign")
                    .label("expected `:=`")
                    .hint("an assignment is written `:=`; `=` compares");
                let error = self.explain_or(error, start);
                self.report(error);
                self.assignment(target)?
            }
            Kind::Symbol(Symbol::Plus | Symbol::Minus) if self.at_step().is_some() => {
                let error = self.expected("`:=`");
                let call = format!("write `{}(...)`", self.at_step().unwrap_or_default());
                return Err(self.report(error.hint(call)));
            }
            _ => {
                let arguments = self.arguments()?.unwrap_or_default();
                StatementKind::Call { callee: target, arguments }
            }
        };
        Ok(Statement { id, kind, span: self.since(first) })
    }

    /// What `++`, `+=` and the like are here.
    fn at_step(&self) -> Option<&'static str> {
        let (first, second) = (self.peek().kind, self.peek_at(1).kind);
        match second == first || second == Kind::Symbol(Symbol::Equal) {
            true => Some(if first == Kind::Symbol(Symbol::Plus) { "INC" } else { "DEC" }),
            false => None,
        }
    }

    /// The next token is `:=`, or was taken for it.
    fn assignment(&mut self, target: Designator) -> Parsed<StatementKind> {
        self.bump();
        Ok(StatementKind::Assign { target, value: self.expr()? })
    }

    fn communication(&mut self) -> Parsed<Communication> {
        let port = self.designator()?;
        if !self.at_symbol(Symbol::Bang) && !self.at_symbol(Symbol::Question) {
            return Err(self.unexpected("`!` or `?`"));
        }
        self.communication_with(port)
    }

    /// The next token is `!` or `?`.
    fn communication_with(&mut self, port: Designator) -> Parsed<Communication> {
        let direction = match self.bump().kind {
            Kind::Symbol(Symbol::Bang) => Direction::Send,
            _ => Direction::Receive,
        };
        let message = self.expect_ident("the name of a message")?;
        if self.at_symbol(Symbol::OpenParen)
            && self.peek_at(1).kind == Kind::Symbol(Symbol::CloseParen)
        {
            self.bump();
            let error = self.expected("an expression");
            self.report(error.hint("a message without values has no parentheses"));
            self.bump();
        }
        let arguments = self.arguments()?.unwrap_or_default();
        let span = self.since(port.span);
        Ok(Communication { port, direction, message, arguments, span })
    }

    fn creation(&mut self) -> Parsed<Creation> {
        let callee = self.designator()?;
        let arguments = self.arguments()?.unwrap_or_default();
        let deadline = self.attribute("DEADLINE")?;
        let period = self.attribute("PERIOD")?;
        let span = self.since(callee.span);
        Ok(Creation { callee, arguments, deadline, period, span })
    }

    /// `DEADLINE` and `PERIOD` are words only here.
    fn attribute(&mut self, word: &str) -> Parsed<Option<Expr>> {
        let token = self.peek();
        if token.kind != Kind::Ident || self.text_of(token) != word {
            return Ok(None);
        }
        self.bump();
        self.expr().map(Some)
    }
}

/// Statements with others inside. They go on after an error in their head: otherwise their `END` would be taken for
/// that of something else.
impl Parser<'_> {
    /// An expression and the keyword behind it.
    fn head(&mut self, keyword: Keyword) -> Expr {
        let span = self.peek().span;
        let expr = self.expr();
        if expr.is_err() || self.expect_keyword(keyword).is_err() {
            self.recover_head(keyword);
        }
        expr.unwrap_or_else(|_| no_expr(span))
    }

    /// The `END` of the statement that began at `opener`. `else_if` is an `ELSE IF` in it.
    fn close_statement(&mut self, opener: Span, else_if: Option<Span>) {
        if self.at_keyword(Keyword::End) && !self.at_named_end() {
            self.bump();
            return;
        }
        let text = self.opener_text(opener);
        let (found, span) = self.found_end();
        let error = Diagnostic::error(span, format!("expected `END`, found {found}"))
            .label(format!("expected the `END` of `{text}`"))
            .note(opener, format!("this `{text}` has no `END`"));
        let error = match else_if {
            Some(span) => error
                .note(span, "this `IF` needs an `END` of its own")
                .hint("did you mean `ELSIF`?"),
            None => match self.end_in_lower_case(opener) {
                Some(span) => {
                    error.note(span, "this is a name, not a keyword").hint(capitals(Keyword::End))
                }
                None => error,
            },
        };
        self.report(error);
    }

    /// An `end` behind `opener` that was read as a call.
    fn end_in_lower_case(&self, opener: Span) -> Option<Span> {
        let first = self.tokens.partition_point(|token| token.span.start < opener.end);
        let behind = self.tokens.get(first..self.at)?;
        let is_call = |pair: &&[Token]| {
            let is_first =
                matches!(pair[0].kind, Kind::Symbol(Symbol::Semicolon) | Kind::Keyword(_));
            is_first && pair[1].kind == Kind::Ident && self.text_of(pair[1]) == "end"
        };
        behind.windows(2).rfind(is_call).map(|pair| pair[1].span)
    }

    fn opener_text(&self, opener: Span) -> String {
        let range = (opener.start - self.base) as usize..(opener.end - self.base) as usize;
        self.text.get(range).unwrap_or("").to_ascii_uppercase()
    }

    fn if_statement(&mut self, start: Span) -> Parsed<StatementKind> {
        let mut arms = Vec::new();
        loop {
            let condition = self.head(Keyword::Then);
            arms.push((condition, self.statements()));
            if !self.eat_keyword(Keyword::Elsif) {
                break;
            }
        }
        let (mut otherwise, mut else_if) = (None, None);
        if self.eat_keyword(Keyword::Else) {
            let next = self.peek();
            let is_if = next.kind == Kind::Keyword(Keyword::If) && self.is_same_line_as_previous();
            else_if = is_if.then(|| self.previous().span.to(next.span));
            otherwise = Some(self.statements());
        }
        self.close_statement(start, else_if);
        Ok(StatementKind::If { arms, otherwise })
    }

    fn while_statement(&mut self, start: Span) -> Parsed<StatementKind> {
        let condition = self.head(Keyword::Do);
        let body = self.statements();
        self.close_statement(start, None);
        Ok(StatementKind::While { condition, body })
    }

    fn repeat(&mut self, start: Span) -> Parsed<StatementKind> {
        let body = self.statements();
        if !self.at_keyword(Keyword::Until) {
            let error = self.expected("`UNTIL`").note(start, "this `REPEAT` has no `UNTIL`");
            let failed = self.report(error);
            if self.at_keyword(Keyword::End) && !self.at_named_end() {
                self.bump();
            }
            return Err(failed);
        }
        self.bump();
        Ok(StatementKind::Repeat { body, until: self.expr()? })
    }

    fn for_statement(&mut self, start: Span) -> Parsed<StatementKind> {
        let head = self.for_head();
        if head.is_err() || self.expect_keyword(Keyword::Do).is_err() {
            self.recover_head(Keyword::Do);
        }
        let body = self.statements();
        self.close_statement(start, None);
        let (variable, from, to, by) = head?;
        Ok(StatementKind::For { variable, from, to, by, body })
    }

    fn for_head(&mut self) -> Parsed<(Ident, Expr, Expr, Option<Expr>)> {
        let variable = self.expect_ident("the name of a variable")?;
        if !self.eat(Symbol::Assign) {
            let error = self.expected("`:=`");
            let is_equal = self.at_symbol(Symbol::Equal);
            self.report(if is_equal { error.hint("an assignment is written `:=`") } else { error });
            // `FOR i = 1 TO` is clear enough to go on with.
            self.expect(Symbol::Equal)?;
        }
        let from = self.expr()?;
        self.expect_keyword(Keyword::To)?;
        let to = self.expr()?;
        let by = match self.eat_keyword(Keyword::By) {
            true => Some(self.expr()?),
            false => None,
        };
        Ok((variable, from, to, by))
    }

    fn select(&mut self, start: Span) -> Parsed<StatementKind> {
        let mut clauses = Vec::new();
        if !self.at_keyword(Keyword::When) && !self.take_for_keyword(Keyword::When) {
            self.unexpected("`WHEN`");
            // What is here in its place is read and forgotten.
            self.statements();
        }
        while self.at_keyword(Keyword::When) {
            clauses.extend(self.when());
        }
        self.close_statement(start, None);
        Ok(StatementKind::Select(clauses))
    }

    fn when(&mut self) -> Parsed<When> {
        let id = self.next_id();
        let start = self.bump().span;
        let head = self.when_head();
        if head.is_err() || self.expect_keyword(Keyword::Then).is_err() {
            self.recover_head(Keyword::Then);
        }
        let body = self.statements();
        let (communication, guard) = head?;
        Ok(When { id, communication, guard, body, span: self.since(start) })
    }

    fn when_head(&mut self) -> Parsed<(Communication, Option<Expr>)> {
        let communication = self.communication()?;
        if self.at_symbol(Symbol::AmpAmp) {
            let span = self.peek().span;
            self.foreign("&&", "conjunction is written `&`", span);
        } else if !self.at_symbol(Symbol::Amp) {
            return Ok((communication, None));
        }
        self.bump();
        Ok((communication, Some(self.expr()?)))
    }

    fn case(&mut self, start: Span) -> Parsed<StatementKind> {
        let value = self.head(Keyword::Of);
        let mut arms = Vec::new();
        self.separated(Separators { or: false, bar: true }, |parser| {
            parser.arm(&mut arms);
            while parser.eat(Symbol::Bar) {
                parser.arm(&mut arms);
            }
        });
        let otherwise = self.eat_keyword(Keyword::Else).then(|| self.statements());
        self.close_statement(start, None);
        Ok(StatementKind::Case { value, arms, otherwise })
    }

    /// An arm; an empty one is nothing.
    fn arm(&mut self, arms: &mut Vec<Arm>) {
        if self.at_list_end() {
            return;
        }
        self.operators = 0;
        let start = self.at;
        let labels = self.list(Self::range);
        let has_colon = labels.is_ok() && self.expect(Symbol::Colon).is_ok();
        if !has_colon {
            let ends = [Symbol::Colon, Symbol::Semicolon];
            self.skip(start, |parser| {
                parser.at_list_end() || ends.iter().any(|end| parser.at_symbol(*end))
            });
            self.eat(Symbol::Colon);
        }
        let body = self.statements();
        if let Ok(labels) = labels {
            arms.push(Arm { labels, body });
        }
    }

    fn choice(&mut self, start: Span) -> StatementKind {
        let mut alternatives = Vec::new();
        self.separated(Separators { or: true, bar: false }, |parser| {
            alternatives.push(parser.statements());
            while parser.at_keyword(Keyword::Or) {
                let or = parser.bump().span;
                parser.alternative = Some((parser.at, or));
                alternatives.push(parser.statements());
            }
        });
        self.close_statement(start, None);
        StatementKind::Choice(alternatives)
    }
}
