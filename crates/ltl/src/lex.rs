//! Tokens of a formula, without a decision yet on what belongs to an atom.

/// What a token is when it stands on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name, a number or a keyword.
    Word,
    /// `"text"` or `'c'`.
    Quoted,
    /// `{ text }`, with braces in it balanced.
    Braced,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `!` or `~`
    Not,
    And,
    Or,
    Xor,
    Implies,
    Iff,
    /// Any other sign; it can only be part of an atom.
    Host,
    /// A quote or brace that is not closed.
    Unclosed,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Signs of the logic and of host languages, longest first.
const SIGNS: &[(&str, Kind)] = &[
    ("<->", Kind::Iff),
    ("<=>", Kind::Iff),
    ("<<=", Kind::Host),
    ("[]", Kind::Always),
    ("<>", Kind::Eventually),
    ("->", Kind::Implies),
    ("=>", Kind::Implies),
    ("&&", Kind::And),
    ("/\\", Kind::And),
    ("||", Kind::Or),
    ("\\/", Kind::Or),
    ("==", Kind::Host),
    ("!=", Kind::Host),
    ("<=", Kind::Host),
    (">=", Kind::Host),
    ("<<", Kind::Host),
    (">>", Kind::Host),
    ("::", Kind::Host),
    ("!", Kind::Not),
    ("~", Kind::Not),
    ("&", Kind::And),
    ("|", Kind::Or),
    ("^", Kind::Xor),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("[", Kind::OpenBracket),
    ("]", Kind::CloseBracket),
];

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut list = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        let (kind, length) = match first {
            _ if is_word(first) => (Kind::Word, word_length(rest)),
            '"' | '\'' => closed(Kind::Quoted, quoted_length(rest, first), rest),
            '{' => closed(Kind::Braced, braced_length(rest), rest),
            _ => sign(rest, first),
        };
        list.push(Token { kind, start, end: start + length });
        start += length;
    }
    list
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '#'
}

fn word_length(rest: &str) -> usize {
    rest.find(|c| !is_word(c)).unwrap_or(rest.len())
}

fn sign(rest: &str, first: char) -> (Kind, usize) {
    let known = SIGNS.iter().find(|(text, _)| rest.starts_with(text));
    known.map_or((Kind::Host, first.len_utf8()), |(text, kind)| (*kind, text.len()))
}

fn closed(kind: Kind, length: Option<usize>, rest: &str) -> (Kind, usize) {
    length.map_or((Kind::Unclosed, rest.len()), |length| (kind, length))
}

fn quoted_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn braced_length(rest: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at + 1),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// For each opening parenthesis or bracket the index of the token that closes it.
pub(crate) fn partners(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let opening = match token.kind {
            Kind::Open | Kind::OpenBracket => {
                open.push(index);
                continue;
            }
            Kind::Close => Kind::Open,
            Kind::CloseBracket => Kind::OpenBracket,
            _ => continue,
        };
        if let Some(last) = open.pop_if(|last| tokens[*last].kind == opening) {
            partner[last] = Some(index);
        }
    }
    partner
}
