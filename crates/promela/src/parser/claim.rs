//! `never`, `trace`, `notrace` and `ltl`.

use auspex_system::Diagnostic;

use super::{Parse, Parser};
use crate::ast::{Claim, ClaimKind, Item, Ltl, Name};
use crate::token::{Kind, Op};

impl Parser {
    pub(super) fn claim(&mut self, kind: ClaimKind) -> Parse<Item> {
        let start = self.at;
        self.bump();
        let name = match kind {
            ClaimKind::Never => self.optional_name()?,
            ClaimKind::Trace | ClaimKind::Notrace => None,
        };
        let body = self.block()?;
        Ok(Item::Claim(Claim { kind, name, body, span: self.span_from(start) }))
    }

    fn optional_name(&mut self) -> Parse<Option<Name>> {
        match self.is(Op::OpenBrace) {
            true => Ok(None),
            false => self.name("a property").map(Some),
        }
    }

    /// `ltl name { formula }`
    pub(super) fn ltl(&mut self) -> Parse<Item> {
        let start = self.at;
        self.bump();
        let name = self.optional_name()?;
        let mut inside = self.braced_tokens()?;
        while !inside.is_empty() && self.tokens[inside.end - 1].is(Op::Semicolon) {
            inside.end -= 1;
        }
        if inside.is_empty() {
            let message = "this formula is empty";
            return Err(self.fail(Diagnostic::error(self.span_from(start), message)));
        }
        let (tokens, span) = (self.tokens[inside].to_vec(), self.span_from(start));
        let ltl = self.formula(&tokens, span)?;
        Ok(Item::Ltl(Ltl { name, ..ltl }))
    }

    /// Takes `{ ... }` with balanced braces; the numbers of the tokens between the outer ones.
    pub(super) fn braced_tokens(&mut self) -> Parse<std::ops::Range<usize>> {
        let opening = self.expect(Op::OpenBrace)?;
        let start = self.at;
        let mut open = 1;
        loop {
            match self.peek().kind {
                Kind::End => return Err(self.expected_closing(Op::CloseBrace, opening)),
                Kind::Op(Op::OpenBrace) => open += 1,
                Kind::Op(Op::CloseBrace) => open -= 1,
                _ => {}
            }
            self.bump();
            if open == 0 {
                return Ok(start..self.at - 1);
            }
        }
    }
}
