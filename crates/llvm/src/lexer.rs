//! Text to tokens, without copying: a token is a piece of the text.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// A keyword, type or instruction: `define`, `i32`, `add`.
    Word(&'t str),
    /// Decimal, perhaps with a sign.
    Integer(&'t str),
    /// `s0x…` or `u0x…`.
    HexInteger(&'t str),
    /// Decimal, with a point or an exponent.
    Decimal(&'t str),
    /// `0x…`, `0xK…`, `0xH…`, `0xR…`, `0xL…`, `0xM…`.
    HexFloat(&'t str),
    /// `@name`, `@5`, `@"name"`.
    Global(Id<'t>),
    /// `%name`.
    Local(Id<'t>),
    /// `name:`, `5:`, `"name":`.
    Label(Id<'t>),
    /// `$name`.
    Comdat(Id<'t>),
    /// `!5`.
    MetadataNumber(u32),
    /// `!dbg`, `!DILocation`, `!llvm.module.flags`.
    MetadataName(&'t str),
    /// `!` before `{` or a string.
    Bang,
    /// `#5`.
    AttributeGroup(u32),
    /// `#dbg_value`.
    Record(&'t str),
    /// `^5`.
    Summary,
    /// What is between the quotes, escapes and all.
    String(&'t str),
    /// `c"…"`.
    Bytes(&'t str),
    /// One of `= , ( ) { } [ ] < > * | :` and the like.
    Symbol(u8),
    /// `...`.
    Ellipsis,
    End,
}

/// A name as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Id<'t> {
    Plain(&'t str),
    /// In quotes, with escapes.
    Quoted(&'t str),
    Number(u32),
}

impl<'t> Id<'t> {
    /// Without the escapes; a number's digits.
    pub fn text(self) -> Cow<'t, str> {
        match self {
            Id::Plain(text) => Cow::Borrowed(text),
            Id::Quoted(text) => unescape_name(text),
            Id::Number(number) => Cow::Owned(number.to_string()),
        }
    }
}

/// A mistake in the text at a byte offset.
#[derive(Debug)]
pub struct LexError {
    pub start: usize,
    pub end: usize,
    pub message: &'static str,
}

#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

const WORD: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;

/// What each byte can be part of: the lexer's inner loops look only here.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-') {
            classes[byte] |= WORD;
        }
        if b.is_ascii_digit() {
            classes[byte] |= DIGIT;
        }
        if matches!(b, b' ' | b'\t' | b'\n' | b'\r') {
            classes[byte] |= SPACE;
        }
        byte += 1;
    }
    classes
};

fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Lexer { text, bytes: text.as_bytes(), at: 0 }
    }

    /// Where the token that was read last ends.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Where the token that begins at `start` ends.
    pub fn token_end(&mut self, start: usize) -> usize {
        self.at = start.min(self.bytes.len());
        match self.next() {
            Ok(_) => self.at,
            Err(error) => error.end,
        }
    }

    /// Whether the next token is one of metadata, without reading it.
    pub fn metadata_follows(&self) -> bool {
        let at = self.run(self.at, SPACE);
        match self.byte(at) {
            b'!' => true,
            b';' => {
                let mut ahead = self.clone();
                matches!(
                    ahead.next(),
                    Ok((_, Token::MetadataName(_) | Token::MetadataNumber(_) | Token::Bang))
                )
            }
            _ => false,
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn run(&self, mut at: usize, class: u8) -> usize {
        while at < self.bytes.len() && is(self.bytes[at], class) {
            at += 1;
        }
        at
    }

    /// Passes over the rest of the line.
    pub fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    fn error(&self, start: usize, message: &'static str) -> LexError {
        LexError { start, end: self.at.max(start + 1), message }
    }

    /// The next token and where it begins.
    pub fn next(&mut self) -> Result<(usize, Token<'t>), LexError> {
        loop {
            self.at = self.run(self.at, SPACE);
            if self.byte(self.at) != b';' || self.at >= self.bytes.len() {
                break;
            }
            self.skip_line();
        }
        let start = self.at;
        let Some(&first) = self.bytes.get(start) else { return Ok((start, Token::End)) };
        let token = match first {
            b'%' => Token::Local(self.id(start)?),
            b'@' => Token::Global(self.id(start)?),
            b'$' if !self.is_label(start) => Token::Comdat(self.id(start)?),
            b'"' => {
                let text = self.quoted(start)?;
                if self.byte(self.at) == b':' {
                    self.at += 1;
                    Token::Label(Id::Quoted(text))
                } else {
                    Token::String(text)
                }
            }
            b'!' => self.metadata(start)?,
            b'#' => {
                let end = self.run(start + 1, WORD);
                let text = &self.text[start + 1..end];
                self.at = end;
                match text.bytes().all(|b| b.is_ascii_digit()) {
                    true => Token::AttributeGroup(self.number(start, text)?),
                    false => Token::Record(text),
                }
            }
            b'^' => {
                self.at = self.run(start + 1, DIGIT);
                Token::Summary
            }
            b'.' if self.bytes[start..].starts_with(b"...") && !self.is_label(start) => {
                self.at = start + 3;
                Token::Ellipsis
            }
            b'+' => {
                self.at = start + 1;
                let end = self.run(self.at, WORD);
                self.word(start, end)?
            }
            _ if is(first, WORD) => {
                let end = self.run(start + 1, WORD);
                self.word(start, end)?
            }
            b'=' | b',' | b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'*' | b'|'
            | b':' | b'/' => {
                self.at = start + 1;
                Token::Symbol(first)
            }
            _ => {
                // A whole character, so that the span can be shown.
                let length = self.text[start..].chars().next().map_or(1, char::len_utf8);
                self.at = start + length;
                return Err(self.error(start, "no token begins with this character"));
            }
        };
        Ok((start, token))
    }

    fn is_label(&self, start: usize) -> bool {
        self.byte(self.run(start, WORD)) == b':'
    }

    /// A word, number or label at `start..end`.
    fn word(&mut self, start: usize, end: usize) -> Result<Token<'t>, LexError> {
        let text = &self.text[start..end];
        self.at = end;
        let first = text.as_bytes()[0];
        if self.byte(end) == b':' && first != b'+' {
            self.at = end + 1;
            return Ok(Token::Label(
                match is(first, DIGIT) && text.bytes().all(|b| is(b, DIGIT)) {
                    true => Id::Number(self.number(start, text)?),
                    false => Id::Plain(text),
                },
            ));
        }
        if first == b'c' && text.len() == 1 && self.byte(end) == b'"' {
            return Ok(Token::Bytes(self.quoted(end)?));
        }
        if first.is_ascii_alphabetic() || matches!(first, b'_' | b'.' | b'$') {
            if text.len() > 3 && (text.starts_with("s0x") || text.starts_with("u0x")) {
                return Ok(Token::HexInteger(text));
            }
            return Ok(Token::Word(text));
        }
        self.numeral(start, end)
    }

    fn numeral(&mut self, start: usize, end: usize) -> Result<Token<'t>, LexError> {
        let text = &self.text[start..end];
        if text.starts_with("0x") {
            return Ok(Token::HexFloat(text));
        }
        let digits = text.trim_start_matches(['-', '+']);
        if !digits.is_empty()
            && digits.bytes().all(|b| is(b, DIGIT))
            && text.len() <= digits.len() + 1
        {
            return Ok(Token::Integer(text));
        }
        // `1.0e+10`: the sign of the exponent is not part of a word.
        let mut end = end;
        if text.ends_with(['e', 'E']) && self.byte(end) == b'+' {
            end = self.run(end + 1, DIGIT);
            self.at = end;
        }
        let text = &self.text[start..end];
        if text.bytes().any(|b| is(b, DIGIT)) && text.parse::<f64>().is_ok() {
            return Ok(Token::Decimal(text));
        }
        Err(self.error(start, "this is not a number"))
    }

    fn number(&self, start: usize, digits: &str) -> Result<u32, LexError> {
        digits.parse().map_err(|_| self.error(start, "expected a number below 4294967296"))
    }

    /// A name after its sigil.
    fn id(&mut self, start: usize) -> Result<Id<'t>, LexError> {
        let first = self.byte(start + 1);
        if first == b'"' {
            return Ok(Id::Quoted(self.quoted(start + 1)?));
        }
        let end = self.run(start + 1, WORD);
        let text = &self.text[start + 1..end];
        self.at = end;
        if text.is_empty() {
            return Err(self.error(start, "expected a name or number after this"));
        }
        if is(first, DIGIT) {
            return match text.bytes().all(|b| is(b, DIGIT)) {
                true => Ok(Id::Number(self.number(start, text)?)),
                false => Err(self.error(start, "a name that begins with a digit needs quotes")),
            };
        }
        Ok(Id::Plain(text))
    }

    fn metadata(&mut self, start: usize) -> Result<Token<'t>, LexError> {
        let mut end = start + 1;
        // Names of metadata may have any character escaped: `!foo\20bar`.
        while is(self.byte(end), WORD) || self.byte(end) == b'\\' {
            end += 1;
        }
        let text = &self.text[start + 1..end];
        self.at = end;
        if text.is_empty() {
            return Ok(Token::Bang);
        }
        match text.bytes().all(|b| is(b, DIGIT)) {
            true => Ok(Token::MetadataNumber(self.number(start, text)?)),
            false => Ok(Token::MetadataName(text)),
        }
    }

    /// What is between the quote at `start` and the next one.
    fn quoted(&mut self, start: usize) -> Result<&'t str, LexError> {
        match memchr::memchr(b'"', &self.bytes[start + 1..]) {
            Some(length) => {
                self.at = start + length + 2;
                Ok(&self.text[start + 1..start + 1 + length])
            }
            None => {
                self.at = self.bytes.len();
                Err(LexError { start, end: start + 1, message: "this string has no closing quote" })
            }
        }
    }
}

/// The bytes a string stands for: `\41` is an `A`, `\\` a backslash.
pub fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digit =
            |offset: usize| bytes.get(at + offset).and_then(|byte| (*byte as char).to_digit(16));
        if bytes[at] != b'\\' {
            let rest = &bytes[at..];
            let length = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            out.extend_from_slice(&rest[..length]);
            at += length;
        } else if bytes.get(at + 1) == Some(&b'\\') {
            out.push(b'\\');
            at += 2;
        } else if let (Some(high), Some(low)) = (digit(1), digit(2)) {
            out.push((high * 16 + low) as u8);
            at += 3;
        } else {
            out.push(b'\\');
            at += 1;
        }
    }
    out
}

/// The text a name stands for. One that is not UTF-8 stays as it is, since it is only compared.
pub fn unescape_name(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    match String::from_utf8(unescape(text)) {
        Ok(decoded) => Cow::Owned(decoded),
        Err(_) => Cow::Borrowed(text),
    }
}
