//! Extended Promela: blocks of C and Rust, and what is in the model only.

use std::ops::Range;

use super::{Failed, Parse, Parser, Reading};
use crate::ast::{Code, ExprKind, Item, Primitive, Sequence, StmtKind};
use crate::code_text::code_text;
use crate::strip::{before_proctype, unclosed};
use crate::token::{Kind, Op, Token};
use crate::words::{CodeWord, ENVIRONMENT, MODEL_ONLY, code_word};
use auspex_system::Diagnostic;

impl Parser {
    /// The word of a block that comes next, if the blocks are wanted.
    pub(super) fn code_word(&self) -> Option<CodeWord> {
        let token = self.peek();
        let is_word = self.reading == Reading::Implementation && token.kind == Kind::Name;
        code_word(self.text(token)).filter(|_| is_word)
    }

    pub(super) fn at_model_only(&self) -> bool {
        self.is_word(self.peek(), MODEL_ONLY) && self.ahead(1).is(Op::OpenBrace)
    }

    /// At `env` before a proctype.
    pub(super) fn at_environment(&self) -> bool {
        self.is_word(self.peek(), ENVIRONMENT) && before_proctype(self.ahead(1))
    }

    fn is_word(&self, token: Token, word: &str) -> bool {
        self.reading == Reading::Implementation
            && token.kind == Kind::Name
            && self.text(token) == word
    }

    /// A block, or the strings of `c_state` and `c_track`.
    pub(super) fn code(&mut self, word: CodeWord) -> Parse<Code> {
        let start = self.at;
        let name = self.bump();
        let CodeWord { primitive, language, specific } = word;
        let (guard, text) = match primitive {
            Primitive::State | Primitive::Track => (None, self.code_strings(name)?),
            Primitive::Decl => (None, self.code_block(name)?),
            Primitive::Code | Primitive::Expr => (self.code_guard(name)?, self.code_block(name)?),
        };
        Ok(Code { primitive, language, specific, guard, text, span: self.span_from(start) })
    }

    /// `[ expression ]`, if it is there.
    fn code_guard(&mut self, name: Token) -> Parse<Option<String>> {
        if !self.is(Op::OpenBracket) {
            return Ok(None);
        }
        let inside = self.balanced_code(name, Op::OpenBracket, Op::CloseBracket)?;
        Ok(Some(self.code_between(inside)))
    }

    fn code_block(&mut self, name: Token) -> Parse<String> {
        if !self.is(Op::OpenBrace) {
            let what = format!("`{{` behind `{}`", self.text(name));
            return Err(self.expected(&what));
        }
        let inside = self.balanced_code(name, Op::OpenBrace, Op::CloseBrace)?;
        Ok(self.code_between(inside))
    }

    /// Takes what stands between `open` and its partner.
    fn balanced_code(&mut self, name: Token, open: Op, close: Op) -> Parse<Range<usize>> {
        let start = self.at + 1;
        let mut depth = 0_usize;
        loop {
            let token = self.peek();
            if token.kind == Kind::End {
                let diagnostic = unclosed(name.span, self.text(name));
                return Err(self.fail(diagnostic));
            }
            self.bump();
            depth += usize::from(token.is(open));
            depth -= usize::from(token.is(close));
            if depth == 0 {
                return Ok(start..self.at - 1);
            }
        }
    }

    /// The text of the tokens `inside` a pair of brackets.
    fn code_between(&self, inside: Range<usize>) -> String {
        let tokens = &self.tokens[inside.start - 1..=inside.end];
        code_text(tokens, &self.macros.interner, &self.sources)
    }

    /// Two strings, or three.
    fn code_strings(&mut self, name: Token) -> Parse<String> {
        let mut strings = Vec::new();
        while self.peek().kind == Kind::Str {
            let token = self.bump();
            strings.push(self.text(token).to_owned());
        }
        let is_track = self.text(name) == "c_track";
        let hint = match is_track {
            true => "as in `c_track \"&counter\" \"sizeof(int)\"`",
            false => "as in `c_state \"int x\" \"Global\" \"0\"`",
        };
        match strings.len() {
            2 | 3 => Ok(strings.join("\n")),
            _ => {
                let message = format!("`{}` is followed by two strings, or three", self.text(name));
                Err(self.fail(Diagnostic::error(name.span, message).hint(hint)))
            }
        }
    }

    pub(super) fn code_statement(&mut self, word: CodeWord) -> Parse<StmtKind> {
        match word.primitive {
            Primitive::Expr => self.value().map(StmtKind::Expr),
            Primitive::State | Primitive::Track => Err(self.only_outside()),
            Primitive::Code | Primitive::Decl => self.code(word).map(StmtKind::Code),
        }
    }

    fn only_outside(&mut self) -> Failed {
        let token = self.bump();
        let message = format!("`{}` stands outside of processes", self.text(token));
        self.fail(Diagnostic::error(token.span, message))
    }

    pub(super) fn code_expression(&mut self, word: CodeWord) -> Parse<ExprKind> {
        match word.primitive {
            Primitive::Expr => self.code(word).map(ExprKind::Code),
            _ => Err(self.expected("an expression")),
        }
    }

    pub(super) fn code_item(&mut self, word: CodeWord) -> Parse<Item> {
        match word.primitive {
            Primitive::Expr => Err(self.expected("a declaration, a proctype, `init` or a claim")),
            _ => self.code(word).map(Item::Code),
        }
    }

    /// `promela_MS { declarations and proctypes }`
    pub(super) fn model_items(&mut self) -> Parse<Item> {
        let word = self.bump();
        self.bump();
        let mut items = Vec::new();
        while !self.is(Op::CloseBrace) {
            if self.at_end() {
                return Err(self.fail(unclosed(word.span, MODEL_ONLY)));
            }
            items.extend(self.nested(Self::item)?);
        }
        self.bump();
        Ok(Item::ModelOnly(items))
    }

    /// `promela_MS { statements }`
    pub(super) fn model_statements(&mut self) -> Parse<Sequence> {
        let start = self.at;
        self.bump();
        if self.ahead(1).is(Op::CloseBrace) {
            self.bump();
            self.bump();
            return Ok(Sequence { stmts: Vec::new(), span: self.span_from(start) });
        }
        let Sequence { stmts, .. } = self.block()?;
        Ok(Sequence { stmts, span: self.span_from(start) })
    }
}
