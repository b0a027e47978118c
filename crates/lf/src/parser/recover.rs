//! Going on after an error: where the next statement or declaration begins.

use auspex_system::Span;

use super::Parser;
use crate::ast::{Expr, ExprKind};
use crate::token::{Keyword, Kind, Symbol};

impl Parser<'_> {
    /// Skips tokens up to one at which it can `stop`, but never stops at the token `start`: something must go on.
    pub(super) fn skip(&mut self, start: usize, stop: impl Fn(&Self) -> bool) {
        while !self.at_end() {
            if self.at > start && stop(self) {
                return;
            }
            self.bump();
        }
    }

    /// Skips the rest of a statement that began at the token `start`.
    pub(super) fn recover_statement(&mut self, start: usize) {
        self.skip(start, Self::at_boundary);
    }

    /// Skips to `keyword`, if it comes before anything that ends a statement.
    pub(super) fn recover_head(&mut self, keyword: Keyword) {
        while !self.at_keyword(keyword) && !self.at_boundary() {
            self.bump();
        }
        self.eat_keyword(keyword);
    }

    /// At what ends a statement, or begins another one.
    fn at_boundary(&self) -> bool {
        match self.peek().kind {
            Kind::End | Kind::Symbol(Symbol::Semicolon) => true,
            Kind::Symbol(Symbol::Bar) => self.separators.bar,
            Kind::Keyword(Keyword::Or) => self.separators.or,
            Kind::Keyword(it) => {
                it.begins_statement() || it.begins_declaration() || it.ends_statements()
            }
            _ => false,
        }
    }

    /// Skips the rest of a constant, type or variable that began at the token `start`.
    pub(super) fn recover_item(&mut self, start: usize) {
        self.skip(start, |parser| {
            parser.at_symbol(Symbol::Semicolon) || parser.at_declaration_boundary()
        });
        self.eat(Symbol::Semicolon);
    }

    /// Skips the rest of the head of a process.
    pub(super) fn recover_formals(&mut self) {
        let is_end =
            |kind| matches!(kind, Kind::Keyword(Keyword::Begin | Keyword::End | Keyword::Process));
        while !self.at_end() && !is_end(self.peek().kind) && !self.eat(Symbol::CloseParen) {
            self.bump();
        }
        self.eat(Symbol::Semicolon);
    }

    /// Skips to where a declaration can begin, or where the declarations end.
    pub(super) fn recover_declaration(&mut self, start: usize) {
        self.skip(start, Self::at_declaration_boundary);
    }

    fn at_declaration_boundary(&self) -> bool {
        match self.peek().kind {
            Kind::Keyword(Keyword::Begin) => true,
            Kind::Keyword(Keyword::End) => self.at_named_end(),
            Kind::Keyword(keyword) => keyword.begins_declaration(),
            _ => false,
        }
    }

    /// At an `END` with the name of the module or of a process around.
    pub(super) fn at_named_end(&self) -> bool {
        self.named_end().is_some()
    }

    /// Which of `open` the `END` that is next has the name of.
    pub(super) fn named_end(&self) -> Option<usize> {
        let name = self.peek_at(1);
        let is_end = self.at_keyword(Keyword::End) && name.kind == Kind::Ident;
        if !is_end || !self.is_same_line(1) || !self.ends_unit(2) {
            return None;
        }
        self.open.iter().rposition(|open| open.text == self.text_of(name))
    }

    /// Whether the token `ahead` is one that can follow the name behind an `END`.
    pub(super) fn ends_unit(&self, ahead: usize) -> bool {
        let kind = self.peek_at(ahead).kind;
        let is_declaration =
            matches!(kind, Kind::Keyword(it) if it.begins_declaration() || it == Keyword::Begin);
        is_declaration || matches!(kind, Kind::Symbol(Symbol::Semicolon | Symbol::Dot) | Kind::End)
    }

    /// At a keyword that begins a statement, or at the name that an assignment, a call or a communication begins with.
    pub(super) fn looks_like_statement(&self) -> bool {
        use Symbol::*;
        match self.peek().kind {
            Kind::Keyword(keyword) => keyword.begins_statement(),
            Kind::Ident => matches!(
                self.peek_at(1).kind,
                Kind::Symbol(Assign | OpenParen | OpenBracket | Dot | Bang | Question)
            ),
            _ => false,
        }
    }

    /// At a keyword in lower case that begins a statement, and cannot be a name.
    pub(super) fn statement_in_lower_case(&self) -> Option<Keyword> {
        let token = self.peek();
        if token.kind != Kind::Ident {
            return None;
        }
        let keyword = Keyword::meant_by(self.text_of(token))?;
        let is_meant = match keyword {
            Keyword::End => matches!(self.peek_at(1).kind, Kind::Ident),
            Keyword::Exit | Keyword::Return => false,
            _ => keyword.begins_statement() && !self.is_name_used(),
        };
        is_meant.then_some(keyword)
    }

    /// Whether the name that is next is used as one: assigned to, called, sent to...
    fn is_name_used(&self) -> bool {
        use Symbol::*;
        match self.peek_at(1).kind {
            Kind::Symbol(
                Assign | Equal | EqualEqual | Dot | OpenBracket | Bang | Question | Semicolon | Bar,
            ) => true,
            Kind::Symbol(OpenParen) => {
                let behind = self.behind_parentheses();
                behind == Kind::End || behind == Kind::Symbol(Semicolon) || ends_statement(behind)
            }
            kind => kind == Kind::End || ends_statement(kind),
        }
    }

    /// What stands behind the parentheses that open at the next token but one.
    fn behind_parentheses(&self) -> Kind {
        let mut depth = 0_usize;
        for ahead in 1..1000 {
            match self.peek_at(ahead).kind {
                Kind::Symbol(Symbol::OpenParen) => depth += 1,
                Kind::Symbol(Symbol::CloseParen) => depth -= 1,
                Kind::End => break,
                _ => {}
            }
            if depth == 0 {
                return self.peek_at(ahead + 1).kind;
            }
        }
        Kind::End
    }
}

fn ends_statement(kind: Kind) -> bool {
    matches!(kind, Kind::Keyword(keyword) if keyword.ends_statements())
}

/// Stands for an expression that could not be read; the tree is given to nobody.
pub(super) fn no_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Integer(0), span }
}
