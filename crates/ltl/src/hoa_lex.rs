//! Tokens of the HOA format.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `States:`, without the colon.
    Header(String),
    Int(usize),
    Text(String),
    Word(String),
    /// `@name`
    Alias(String),
    Sign(char),
    Body,
    End,
    /// A string or comment without an end, or a number that is too large.
    Broken,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let comment = rest.strip_prefix("/*").and_then(|inside| inside.find("*/"));
        if let Some(length) = comment {
            at += length + 4;
            continue;
        }
        let (kind, length) = token(rest, first);
        list.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    list
}

fn token(rest: &str, first: char) -> (Kind, usize) {
    if rest.starts_with("--BODY--") {
        return (Kind::Body, 8);
    }
    if rest.starts_with("--END--") || rest.starts_with("--ABORT--") {
        return (Kind::End, if rest.starts_with("--END--") { 7 } else { 9 });
    }
    if rest.starts_with("/*") {
        return (Kind::Broken, rest.len());
    }
    match first {
        '"' => text(rest),
        '0'..='9' => {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            (rest[..digits].parse().map_or(Kind::Broken, Kind::Int), digits)
        }
        '@' => {
            let length = 1 + word_length(&rest[1..]);
            (Kind::Alias(rest[1..length].to_owned()), length)
        }
        c if c.is_ascii_alphabetic() || c == '_' => {
            let length = word_length(rest);
            let word = rest[..length].to_owned();
            match rest[length..].starts_with(':') {
                true => (Kind::Header(word), length + 1),
                false => (Kind::Word(word), length),
            }
        }
        c => (Kind::Sign(c), c.len_utf8()),
    }
}

fn word_length(rest: &str) -> usize {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    rest.find(|c| !inside(c)).unwrap_or(rest.len())
}

fn text(rest: &str) -> (Kind, usize) {
    let mut result = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (Kind::Text(result), at + 1),
            '\\' => result.extend(characters.next().map(|(_, c)| c)),
            _ => result.push(c),
        }
    }
    (Kind::Broken, rest.len())
}
