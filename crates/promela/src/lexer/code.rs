//! Text in another language between the braces of `c_code { ... }` and its like: there, a token is what it is in
//! that language, as far as it matters where the text ends.

use super::Lexer;
use crate::ast::Language;
use crate::token::{Kind, Op};
use crate::words::code_word;

/// Where the lexer is, seen from such a block.
#[derive(Clone, Copy, Debug, Default)]
pub enum Place {
    #[default]
    Outside,
    /// Behind the word, or behind the condition in brackets that may follow it.
    Before(Language),
    /// In that condition, so many brackets deep.
    Guard(Language, usize),
    /// Between the braces, so many deep.
    Inside(Language, usize),
}

impl Place {
    pub fn language(self) -> Option<Language> {
        match self {
            Place::Guard(language, _) | Place::Inside(language, _) => Some(language),
            Place::Outside | Place::Before(_) => None,
        }
    }

    /// The place behind a token.
    pub fn after(self, kind: Kind, text: &str) -> Place {
        use Op::{CloseBrace, CloseBracket, OpenBrace, OpenBracket};
        match (self, kind) {
            (Place::Before(language), Kind::Op(OpenBracket)) => Place::Guard(language, 0),
            (Place::Before(language), Kind::Op(OpenBrace)) => Place::Inside(language, 0),
            (Place::Outside | Place::Before(_), Kind::Name) => match code_word(text) {
                Some(word) => Place::Before(word.language),
                None => Place::Outside,
            },
            (Place::Outside | Place::Before(_), _) => Place::Outside,
            (Place::Guard(language, 0), Kind::Op(CloseBracket)) => Place::Before(language),
            (Place::Guard(language, n), Kind::Op(CloseBracket)) => Place::Guard(language, n - 1),
            (Place::Guard(language, n), Kind::Op(OpenBracket)) => Place::Guard(language, n + 1),
            (Place::Inside(_, 0), Kind::Op(CloseBrace)) => Place::Outside,
            (Place::Inside(language, n), Kind::Op(CloseBrace)) => Place::Inside(language, n - 1),
            (Place::Inside(language, n), Kind::Op(OpenBrace)) => Place::Inside(language, n + 1),
            (place, _) => place,
        }
    }
}

impl Lexer<'_> {
    /// A token that only code has: its kind and length.
    pub(super) fn code_token(&self, language: Language) -> Option<(Kind, usize)> {
        match (language, self.rest()) {
            (Language::C, [b'#', ..] | [b'\\', b'#', ..]) if self.first && !self.in_directive => {
                Some((Kind::Directive, self.directive_length()))
            }
            (Language::C, _) => None,
            // An attribute, a raw name: nothing for the preprocessor.
            (Language::Rust, [b'#', ..]) => Some((Kind::Unknown, 1)),
            (Language::Rust, [b'"', ..]) => Some(self.rust_string(0)),
            (Language::Rust, [b'\'', ..]) => Some(self.rust_quote()),
            (Language::Rust, [b'r' | b'b' | b'c', ..]) => self.raw_string(),
            (Language::Rust, _) => None,
        }
    }

    /// A line for the C compiler: the length up to its end, with the lines that continue it.
    fn directive_length(&self) -> usize {
        let mut length = 1;
        loop {
            length += match self.rest()[length..] {
                [] | [b'\n', ..] | [b'\r', b'\n', ..] => break,
                [b'\\', b'\r', b'\n', ..] => 3,
                [b'\\', b'\n', ..] => 2,
                [b'/', b'*', ..] => match self.text[self.at + length + 2..].find("*/") {
                    Some(inside) => inside + 4,
                    None => 2,
                },
                _ => 1,
            }
        }
        self.rest()[..length].trim_ascii_end().len()
    }

    /// A string that may go on over several lines; `start` is where its quote is.
    fn rust_string(&self, start: usize) -> (Kind, usize) {
        let mut length = start + 1;
        loop {
            match self.rest()[length..] {
                [] => return (Kind::OpenString, length),
                [b'"', ..] => return (Kind::Str, length + 1),
                [b'\\', next, ..] if next.is_ascii() => length += 2,
                _ => length += 1,
            }
        }
    }

    /// `r"..."`, `br#"..."#` and their like.
    fn raw_string(&self) -> Option<(Kind, usize)> {
        let rest = self.rest();
        let prefix = 1 + usize::from(rest[0] != b'r');
        if rest[prefix - 1..].first() != Some(&b'r') {
            return None;
        }
        let hashes = self.count(prefix, |byte| byte == b'#');
        if rest.get(prefix + hashes) != Some(&b'"') {
            return None;
        }
        let start = prefix + hashes + 1;
        let close = format!("\"{}", "#".repeat(hashes));
        Some(match self.text[self.at + start..].find(&close) {
            Some(inside) => (Kind::Str, start + inside + close.len()),
            None => (Kind::OpenString, rest.len()),
        })
    }

    /// A character or a lifetime.
    fn rust_quote(&self) -> (Kind, usize) {
        let mut chars = self.text[self.at + 1..].chars();
        match (chars.next(), chars.next()) {
            (Some('\\'), Some(escaped)) => {
                let start = 2 + escaped.len_utf8();
                match self.count(start, |byte| byte != b'\'' && byte != b'\n') {
                    n if self.rest().get(start + n) == Some(&b'\'') => (Kind::Char, start + n + 1),
                    _ => (Kind::Unknown, 1),
                }
            }
            (Some(c), Some('\'')) if c != '\'' => (Kind::Char, c.len_utf8() + 2),
            _ => (Kind::Unknown, 1 + self.count(1, super::is_word)),
        }
    }
}
