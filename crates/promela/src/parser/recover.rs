//! Going on after an error: where the next statement or item begins.

use super::Parser;
use crate::token::{Keyword, Kind, Op, Token};

impl Parser {
    /// Skips the rest of a statement; `start` is where it began.
    pub(super) fn recover_statement(&mut self, start: usize) {
        if self.stop_if_full() {
            return;
        }
        let mut depth = 0_usize;
        while !self.at_end() && !self.starts_item() {
            let token = self.peek();
            if depth == 0 && self.at > start && (is_boundary(token) || begins_statement(token)) {
                return;
            }
            match nesting(token) {
                Some(true) => depth += 1,
                // A parenthesis without its partner is a part of what was wrong.
                Some(false) if depth == 0 && self.at > start && ends_sequence(token) => return,
                Some(false) => depth = depth.saturating_sub(1),
                None => {}
            }
            self.bump();
        }
    }

    /// Skips to the next item; `start` is where the bad one began.
    pub(super) fn recover_item(&mut self, start: usize) {
        if self.stop_if_full() {
            return;
        }
        let mut depth = 0_usize;
        while !self.at_end() {
            let token = self.peek();
            if self.at > start && (self.starts_item() || (depth == 0 && self.starts_global(token)))
            {
                return;
            }
            match token.kind {
                Kind::Op(Op::OpenBrace) => depth += 1,
                Kind::Op(Op::CloseBrace) => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// With so many errors, nobody reads on.
    fn stop_if_full(&mut self) -> bool {
        let is_full = self.report.is_full();
        if is_full {
            self.at = self.tokens.len() - 1;
        }
        is_full
    }

    fn starts_global(&self, token: Token) -> bool {
        token.first && self.at_declaration()
    }

    /// At a word that stands only outside of all braces.
    pub(super) fn starts_item(&self) -> bool {
        self.at_environment()
            || matches!(
                self.keyword(),
                Some(
                    Keyword::Active
                        | Keyword::Proctype
                        | Keyword::DProctype
                        | Keyword::Init
                        | Keyword::Never
                        | Keyword::Trace
                        | Keyword::Notrace
                        | Keyword::Ltl
                        | Keyword::Typedef
                        | Keyword::Inline
                )
            )
    }

    /// Skips the `{ ... }` or the strings behind a word like `c_code`.
    pub(super) fn skip_c_block(&mut self) {
        if self.is(Op::OpenBracket) {
            while !self.at_end() && !self.is(Op::OpenBrace) {
                self.bump();
            }
        }
        while self.peek().kind == Kind::Str {
            self.bump();
        }
        if self.is(Op::OpenBrace) {
            let _ = self.braced_tokens();
        }
    }
}

fn is_boundary(token: Token) -> bool {
    matches!(token.kind, Kind::Op(Op::Semicolon | Op::Options))
}

fn begins_statement(token: Token) -> bool {
    token.first
        && (token.kind == Kind::Name
            && !matches!(token.keyword(), Some(Keyword::Fi | Keyword::Od | Keyword::Unless)))
}

fn ends_sequence(token: Token) -> bool {
    token.is(Op::CloseBrace) || matches!(token.keyword(), Some(Keyword::Fi | Keyword::Od))
}

/// `true` for what opens a group, `false` for what closes one.
fn nesting(token: Token) -> Option<bool> {
    match (token.kind, token.keyword()) {
        (Kind::Op(Op::OpenBrace | Op::OpenParen | Op::OpenBracket), _) => Some(true),
        (Kind::Op(Op::CloseBrace | Op::CloseParen | Op::CloseBracket), _) => Some(false),
        (_, Some(Keyword::If | Keyword::Do)) => Some(true),
        (_, Some(Keyword::Fi | Keyword::Od)) => Some(false),
        _ => None,
    }
}
