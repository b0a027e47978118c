//! Text to tokens. What is wrong is reported and becomes a token all the same where it can, so that the parser goes on.

use auspex_system::{Diagnostic, FileId, Span};

use crate::token::{Keyword, Kind, Symbol, Token};

pub(crate) struct Lexed {
    /// The last one is `Kind::End`.
    pub tokens: Vec<Token>,
    pub errors: Vec<Diagnostic>,
    /// The rest of the text is in a comment: what the parser would say about that is of no use.
    pub is_cut_off: bool,
}

/// `base` is the offset of the text in its file.
pub(crate) fn lex(text: &str, file: FileId, base: u32) -> Lexed {
    let mut lexer = Lexer { text, file, base, at: 0, errors: Vec::new() };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    let is_cut_off = loop {
        if let Err(open_comment) = lexer.skip_space() {
            lexer.errors.push(open_comment);
            break true;
        }
        let Some(byte) = lexer.rest().first() else { break false };
        tokens.extend(lexer.token(*byte));
    };
    let end = lexer.span(text.len(), text.len());
    tokens.push(Token { kind: Kind::End, span: end });
    Lexed { tokens, errors: lexer.errors, is_cut_off }
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    base: u32,
    at: usize,
    errors: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// How many bytes from here on satisfy `wanted`.
    fn count(&self, wanted: impl Fn(u8) -> bool) -> usize {
        self.rest().iter().take_while(|byte| wanted(**byte)).count()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: self.base + start as u32, end: self.base + end as u32 }
    }

    fn skip_space(&mut self) -> Result<(), Diagnostic> {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => self.at += 1,
                [b'(', b'*', ..] => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.rest() {
                [] => break,
                [b'(', b'*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'*', b')', ..] => {
                    depth -= 1;
                    self.at += 2;
                }
                _ => self.at += 1,
            }
            if depth == 0 {
                return Ok(());
            }
        }
        let error = Diagnostic::error(self.span(start, start + 2), "this comment has no end");
        Err(error.label("begins here").hint("close it with `*)`; comments can be nested"))
    }

    /// The next token, or none where there was something that can be no part of any.
    fn token(&mut self, byte: u8) -> Option<Token> {
        let start = self.at;
        let kind = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Some(self.word()),
            b'0'..=b'9' => Some(self.number()),
            b'"' | b'\'' => Some(self.string(byte)),
            _ if self.text[start..].starts_with(char::is_alphabetic) => Some(self.word()),
            _ => self.symbol(),
        };
        Some(Token { kind: kind?, span: self.span(start, self.at) })
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        let rest = &self.text[start..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.at += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let text = &self.text[start..self.at];
        if !text.is_ascii() {
            let message = format!("`{}` is not a name", shortened(text));
            let error = Diagnostic::error(self.span(start, self.at), message);
            let hint = "names are made of the letters A to Z and a to z, digits and `_`";
            self.errors.push(error.label("not all of it is ASCII").hint(hint));
        }
        Keyword::of(text).map_or(Kind::Ident, Kind::Keyword)
    }

    fn symbol(&mut self) -> Option<Kind> {
        let symbol = Symbol::ALL.iter().find(|it| self.rest().starts_with(it.text().as_bytes()));
        match symbol {
            Some(symbol) => {
                self.at += symbol.text().len();
                Some(Kind::Symbol(*symbol))
            }
            None => {
                self.unknown();
                None
            }
        }
    }

    /// Something like `$`.
    fn unknown(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else { return };
        let span = self.span(self.at, self.at + c.len_utf8());
        self.at += c.len_utf8();
        let error = Diagnostic::error(span, format!("unexpected `{}`", c.escape_debug()));
        self.errors.push(error.label("no part of the language"));
    }

    fn number(&mut self) -> Kind {
        let start = self.at;
        self.at += self.count(is_word);
        let text = &self.text[start..self.at];
        let span = self.span(start, self.at);
        let (digits, radix) = match text.as_bytes()[text.len() - 1] {
            b'H' | b'X' => (&text[..text.len() - 1], 16),
            _ => (text, 10),
        };
        let is_digit = |byte: u8| byte.is_ascii_digit() || (radix == 16 && is_hex(byte));
        if !digits.bytes().all(is_digit) {
            self.errors.push(not_a_number(span, text));
            return Kind::Integer(0);
        }
        // Only too many digits can go wrong here.
        let value = i64::from_str_radix(digits, radix).ok();
        match (value, text.ends_with('X')) {
            (Some(value), false) => Kind::Integer(value),
            (None, false) => {
                self.errors.push(
                    Diagnostic::error(span, "this number is too large")
                        .label("the largest one is 9223372036854775807"),
                );
                Kind::Integer(0)
            }
            (value, true) => match value.and_then(|value| u8::try_from(value).ok()) {
                Some(code) => Kind::Char(code),
                None => {
                    let error = Diagnostic::error(span, "there is no such character");
                    self.errors.push(error.label("the last one is `0FFX`"));
                    Kind::Char(0)
                }
            },
        }
    }

    fn string(&mut self, quote: u8) -> Kind {
        let start = self.at;
        self.at += 1;
        self.at += self.count(|byte| byte != quote && byte != b'\n' && byte != b'\r');
        self.check_ascii(start + 1, self.at);
        if self.rest().first() == Some(&quote) {
            self.at += 1;
            return Kind::String;
        }
        let quote = quote as char;
        self.errors.push(
            Diagnostic::error(self.span(start, start + 1), "this string has no end")
                .label("begins here")
                .hint(format!("close it with `{quote}` on the same line")),
        );
        Kind::OpenString
    }

    /// Characters are bytes: one that is not ASCII would be several of them.
    fn check_ascii(&mut self, start: usize, end: usize) {
        let mut characters = self.text[start..end].char_indices();
        let Some((at, c)) = characters.find(|(_, c)| !c.is_ascii()) else { return };
        let span = self.span(start + at, start + at + c.len_utf8());
        let shown = c.escape_debug();
        let error = Diagnostic::error(span, format!("`{shown}` is not an ASCII character"));
        let error = error.label("not in a string");
        self.errors.push(match u8::try_from(c) {
            Ok(code) => error.hint(format!(
                "characters are single bytes; `{}` is the character with this code",
                char_literal(code)
            )),
            Err(_) => error.hint("characters are single bytes: use ASCII"),
        });
    }
}

fn not_a_number(span: Span, text: &str) -> Diagnostic {
    let error = Diagnostic::error(span, format!("`{}` is not a number", shortened(text)));
    let upper = text.to_ascii_uppercase();
    let digits = upper.strip_prefix("0X").unwrap_or(upper.trim_end_matches('H'));
    // `0FF`, `0ffH` and `0xff`, but not `5abc`.
    let is_meant = upper.starts_with("0X") || upper.ends_with('H') || upper == text;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_digit() || is_hex(byte));
    match is_meant && is_hex && !digits.is_empty() {
        true => {
            let zero = if digits.as_bytes()[0].is_ascii_digit() { "" } else { "0" };
            let digits = shortened(digits);
            error.hint(format!("a hexadecimal number is written `{zero}{digits}H`"))
        }
        false => error.label("a name cannot begin with a digit"),
    }
}

/// A character by its code.
pub(crate) fn char_literal(code: u8) -> String {
    let zero = if code >= 0xA0 { "0" } else { "" };
    format!("{zero}{code:02X}X")
}

/// Not more of a text than fits into a message.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'A'..=b'F')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
