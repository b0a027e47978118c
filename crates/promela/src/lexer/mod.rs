//! Text to tokens. Nothing is refused here but an endless comment: what is wrong may stand in a part that the
//! preprocessor leaves out.

mod code;

use auspex_system::{Diagnostic, FileId, Span};

use crate::ast::Language;
use crate::preprocess::PREDEFINED;
use crate::token::{Interner, Kind, Op, Token};
use code::Place;

pub fn lex(text: &str, file: FileId, interner: &mut Interner) -> (Vec<Token>, Option<Diagnostic>) {
    lex_all(text, file, interner, None)
}

/// The tokens of extended Promela: in blocks of C and Rust, they are those of that language. The places of the
/// comments are added to `comments`.
pub fn lex_extended(
    text: &str,
    file: FileId,
    interner: &mut Interner,
    comments: &mut Vec<Span>,
) -> (Vec<Token>, Option<Diagnostic>) {
    lex_all(text, file, interner, Some(comments))
}

fn lex_all(
    text: &str,
    file: FileId,
    interner: &mut Interner,
    comments: Option<&mut Vec<Span>>,
) -> (Vec<Token>, Option<Diagnostic>) {
    let mut lexer = Lexer {
        text,
        file,
        at: 0,
        spaced: false,
        first: true,
        in_directive: false,
        place: Place::Outside,
        comments,
        interner,
    };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    loop {
        if let Err(open_comment) = lexer.skip_space() {
            return (tokens, Some(open_comment));
        }
        match lexer.token() {
            Some(token) => tokens.push(token),
            None => return (tokens, None),
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    spaced: bool,
    first: bool,
    /// In a line that begins with `#`.
    in_directive: bool,
    place: Place,
    /// Of extended Promela only.
    comments: Option<&'a mut Vec<Span>>,
    interner: &'a mut Interner,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// How many bytes from here on satisfy `wanted`.
    fn count(&self, from: usize, wanted: impl Fn(u8) -> bool) -> usize {
        self.rest()[from..].iter().take_while(|byte| wanted(**byte)).count()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn skip_space(&mut self) -> Result<(), Diagnostic> {
        loop {
            let length = match self.rest() {
                [b'\n', ..] => {
                    self.new_line();
                    1
                }
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => 1,
                [b'\\', b'\n', ..] => 2,
                [b'\\', b'\r', b'\n', ..] => 3,
                [b'/', b'/', ..] => {
                    let length = self.line_comment();
                    self.note_comment(length)
                }
                [b'/', b'*', ..] => {
                    let length = self.block_comment()?;
                    self.note_comment(length)
                }
                _ => return Ok(()),
            };
            self.spaced = true;
            self.at += length;
        }
    }

    /// Whatever was wrong in a directive, it is over.
    fn new_line(&mut self) {
        self.first = true;
        if std::mem::take(&mut self.in_directive) {
            self.place = Place::Outside;
        }
    }

    fn note_comment(&mut self, length: usize) -> usize {
        let span = self.span(self.at, self.at + length);
        if let Some(comments) = &mut self.comments {
            comments.push(span);
        }
        length
    }

    /// The length of a `//` comment; a backslash at the end of the line continues it.
    fn line_comment(&self) -> usize {
        let mut length = 0;
        loop {
            length += self.count(length, |byte| byte != b'\n');
            let line = self.rest()[..length].trim_ascii_end();
            if !line.ends_with(b"\\") || length >= self.rest().len() {
                return length;
            }
            length += 1;
        }
    }

    /// The length of a `/* */` comment. One that ends on a later line ends a statement too, as for Spin.
    fn block_comment(&mut self) -> Result<usize, Diagnostic> {
        let Some(length) = self.inside_comment() else {
            let span = self.span(self.at, self.at + 2);
            return Err(Diagnostic::error(span, "this comment has no end")
                .label("begins here")
                .hint("close it with `*/`"));
        };
        if self.rest()[..length + 2].contains(&b'\n') {
            self.new_line();
        }
        Ok(length + 4)
    }

    /// The length of the text between `/*` and `*/`; in Rust, comments may stand in comments.
    fn inside_comment(&self) -> Option<usize> {
        let text = &self.text[self.at + 2..];
        if self.place.language() != Some(Language::Rust) {
            return text.find("*/");
        }
        let (mut length, mut open) = (0, 0_usize);
        loop {
            match text.as_bytes()[length..] {
                [] => return None,
                [b'*', b'/', ..] if open == 0 => return Some(length),
                [b'*', b'/', ..] => (open, length) = (open - 1, length + 2),
                [b'/', b'*', ..] => (open, length) = (open + 1, length + 2),
                _ => length += 1,
            }
        }
    }

    fn token(&mut self) -> Option<Token> {
        let byte = *self.rest().first()?;
        let language = self.place.language();
        let special = language.and_then(|language| self.code_token(language));
        let (kind, length) = special.unwrap_or_else(|| self.scan(byte));
        let (start, end) = (self.at, self.at + length);
        let text = &self.text[start..end];
        let symbol = match kind {
            Kind::Directive => self.interner.intern(text.trim_start_matches('\\')),
            Kind::Str | Kind::Char if language != Some(Language::Rust) => {
                self.interner.intern(&without_continuations(text))
            }
            _ => self.interner.intern(text),
        };
        // What Spin's preprocessor defines on Linux it does not define for other languages.
        let painted = language.is_some() && PREDEFINED.contains(&text);
        if self.comments.is_some() {
            self.in_directive |= self.first && kind == Kind::Op(Op::Hash);
            self.place = self.place.after(kind, text);
        }
        let span = self.span(start, end);
        let (spaced, first) = (self.spaced, self.first);
        self.at = end;
        (self.spaced, self.first) = (false, false);
        Some(Token { kind, symbol, span, spaced, first, made: false, painted })
    }

    fn scan(&self, byte: u8) -> (Kind, usize) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => (Kind::Name, self.count(0, is_word)),
            b'0'..=b'9' => (Kind::Number, self.count(0, is_word)),
            b'"' => self.quoted(b'"', Kind::Str, Kind::OpenString),
            b'\'' => self.quoted(b'\'', Kind::Char, Kind::OpenChar),
            _ => self.operator(),
        }
    }

    /// A string or a character constant: it ends on its line, except for continuation lines.
    fn quoted(&self, quote: u8, closed: Kind, open: Kind) -> (Kind, usize) {
        let mut length = 1;
        loop {
            match self.rest()[length..] {
                [] | [b'\n', ..] | [b'\r', b'\n', ..] => return (open, length),
                [byte, ..] if byte == quote => return (closed, length + 1),
                [b'\\', b'\r', b'\n', ..] => length += 3,
                [b'\\', next, ..] if next.is_ascii() => length += 2,
                _ => length += 1,
            }
        }
    }

    fn operator(&self) -> (Kind, usize) {
        // Spin reads a long arrow as an arrow, and some models have it.
        if self.rest().starts_with(b"-->") {
            return (Kind::Op(Op::Arrow), 3);
        }
        let op = Op::ALL.iter().find(|op| self.rest().starts_with(op.text().as_bytes()));
        match op {
            Some(op) => (Kind::Op(*op), op.text().len()),
            None => (Kind::Unknown, self.text[self.at..].chars().next().map_or(1, char::len_utf8)),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn without_continuations(text: &str) -> String {
    text.replace("\\\r\n", "").replace("\\\n", "")
}
