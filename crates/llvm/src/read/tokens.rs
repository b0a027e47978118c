//! The reader's way of looking at tokens, and of saying what was expected.

use super::{MAXIMUM_NESTING, Parse, Reader};
use crate::lexer::{Id, Token, unescape_name};
use auspex_system::{Diagnostic, Span};
use std::borrow::Cow;

impl<'t> Reader<'t> {
    pub(super) fn advance(&mut self) -> Parse<()> {
        self.previous_end = self.lexer.position();
        match self.lexer.next() {
            Ok((start, token)) => {
                self.start = start;
                self.token = token;
                Ok(())
            }
            Err(error) => {
                let span = self.span_of(error.start, error.end);
                Err(Diagnostic::error(span, error.message).into())
            }
        }
    }

    pub(super) fn span_of(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    /// Of the token that is next.
    pub(super) fn span(&self) -> Span {
        self.span_of(self.start, self.lexer.position().max(self.start))
    }

    /// From a position to the end of the last token that was taken.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.span_of(start, self.previous_end.max(start))
    }

    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span(), message)
    }

    /// `expected …, found …` at the token that is next.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.token {
            Token::End => "the end of the file".to_owned(),
            _ => {
                let end = self.lexer.position();
                let text = self.text.get(self.start..end).unwrap_or("");
                match text.char_indices().nth(40) {
                    Some((cut, _)) => format!("`{}…`", &text[..cut]),
                    None => format!("`{text}`"),
                }
            }
        };
        self.error(format!("expected {what}, found {found}")).label(format!("expected {what}"))
    }

    pub(super) fn is(&self, symbol: u8) -> bool {
        self.token == Token::Symbol(symbol)
    }

    pub(super) fn accept(&mut self, symbol: u8) -> Parse<bool> {
        let found = self.is(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, symbol: u8) -> Parse<()> {
        match self.accept(symbol)? {
            true => Ok(()),
            false => Err(self.expected(&format!("`{}`", symbol as char)).into()),
        }
    }

    /// Takes a comma unless it begins the metadata at the end of an instruction.
    pub(super) fn comma(&mut self) -> Parse<bool> {
        let found = self.is(b',') && !self.lexer.metadata_follows();
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(text) if text == word)
    }

    pub(super) fn accept_word(&mut self, word: &str) -> Parse<bool> {
        let found = self.is_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parse<()> {
        match self.accept_word(word)? {
            true => Ok(()),
            false => Err(self.expected(&format!("`{word}`")).into()),
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Parse<&'t str> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                Ok(word)
            }
            _ => Err(self.expected(what).into()),
        }
    }

    /// A string, decoded.
    pub(super) fn string(&mut self, what: &str) -> Parse<Cow<'t, str>> {
        match self.token {
            Token::String(text) => {
                self.advance()?;
                Ok(unescape_name(text))
            }
            _ => Err(self.expected(&format!("{what} in quotes")).into()),
        }
    }

    /// An integer without a sign.
    pub(super) fn unsigned(&mut self, what: &str) -> Parse<u64> {
        if let Token::Integer(text) = self.token
            && let Ok(number) = text.parse()
        {
            self.advance()?;
            return Ok(number);
        }
        Err(self.expected(what).into())
    }

    pub(super) fn unsigned32(&mut self, what: &str) -> Parse<u32> {
        if let Token::Integer(text) = self.token
            && let Ok(number) = text.parse()
        {
            self.advance()?;
            return Ok(number);
        }
        Err(self.expected(&format!("{what} (a number below 4294967296)")).into())
    }

    /// The number of an alignment in bytes: a power of two. With or without parentheses.
    pub(super) fn alignment(&mut self) -> Parse<u32> {
        let open = self.accept(b'(')?;
        let span = self.span();
        let align = self.unsigned("an alignment")?;
        if open {
            self.expect(b')')?;
        }
        match u32::try_from(align) {
            Ok(align) if align.is_power_of_two() => Ok(align),
            // 2^32, LLVM's largest, is as good as unbounded.
            _ if align == 1 << 32 => Ok(1 << 31),
            _ => Err(Diagnostic::error(span, "an alignment is a power of two").into()),
        }
    }

    /// Passes over `( … )` with whatever is in it, when there is one.
    pub(super) fn skip_parenthesized(&mut self) -> Parse<()> {
        if !self.is(b'(') {
            return Ok(());
        }
        let open = self.span();
        let mut depth = 0u32;
        loop {
            match self.token {
                Token::Symbol(b'(') => depth += 1,
                Token::Symbol(b')') => depth -= 1,
                Token::End => {
                    return Err(Diagnostic::error(open, "this parenthesis is not closed").into());
                }
                _ => {}
            }
            self.advance()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Runs `parse` one level deeper; an error where the text nests too deep.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAXIMUM_NESTING {
            return Err(self
                .error(format!("this is nested more than {MAXIMUM_NESTING} levels deep"))
                .label("too deep")
                .into());
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}

/// One form for one name: quotes that are not needed do not make another.
pub(super) fn normal(id: Id<'_>) -> Id<'_> {
    match id {
        Id::Quoted(text) if !text.contains('\\') => Id::Plain(text),
        id => id,
    }
}
