//! Text of a proposition to a tree: the expressions of C that have no side effects.

use std::ops::Range;

/// Expressions with more signs and names than this are refused, so that recursion ends in time.
const MOST_TOKENS: usize = 1000;
/// How deeply brackets and signs before an operand may be nested.
const MOST_LEVELS: u32 = 100;

/// A part of an expression, and where it stands in the text of the proposition.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub range: Range<usize>,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A name, perhaps with `::` in it.
    Name(String),
    /// Its value, and what its suffix and its digits say of its type.
    Int {
        value: u64,
        unsigned: bool,
        long: bool,
        decimal: bool,
    },
    Float {
        value: f64,
        single: bool,
    },
    Char(u8),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
    Index(Box<Node>, Box<Node>),
    /// `.name` or `->name`.
    Member {
        of: Box<Node>,
        name: String,
        arrow: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Plus,
    Minus,
    Not,
    Complement,
    Deref,
    Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// What is wrong, and where.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub range: Range<usize>,
    pub message: String,
    pub hint: Option<String>,
}

impl Wrong {
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Wrong {
        Wrong { range, message: message.into(), hint: None }
    }

    pub fn hint(self, hint: impl Into<String>) -> Wrong {
        Wrong { hint: Some(hint.into()), ..self }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Word(String),
    Number(String),
    Char(u8),
    Sign(&'static str),
}

/// Longest first.
const SIGNS: &[&str] = &[
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "::", "(", ")", "[", "]", ".", "+", "-",
    "*", "/", "%", "<", ">", "!", "~", "&", "|", "^",
];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

pub fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, Wrong> {
    let mut list: Vec<(Token, Range<usize>)> = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        // In `pair.0` a member of a tuple is named.
        let of_something =
            matches!(list.last(), Some((Token::Word(_) | Token::Sign(")" | "]"), _)));
        let fraction =
            first == '.' && !of_something && rest[1..].starts_with(|c: char| c.is_ascii_digit());
        let (token, length) = if first.is_ascii_digit() || fraction {
            let length = number_length(rest);
            (Token::Number(rest[..length].to_owned()), length)
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Token::Word(rest[..length].to_owned()), length)
        } else if first == '\'' {
            let wrong = || {
                let end = start + first.len_utf8();
                Wrong::new(start..end, "a character is one byte in quotes, such as 'a' or '\\n'")
            };
            let (byte, length) = character(rest).ok_or_else(wrong)?;
            (Token::Char(byte), length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let range = start..start + first.len_utf8();
            return Err(Wrong::new(range, format!("`{first}` has no meaning in a proposition"))
                .hint("a proposition is an expression of C without side effects"));
        };
        list.push((token, start..start + length));
        start += length;
        if list.len() > MOST_TOKENS {
            return Err(Wrong::new(start - length..start, "the expression is too long"));
        }
    }
    Ok(list)
}

/// Digits, letters and points, and the sign of an exponent.
fn number_length(rest: &str) -> usize {
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let exponent = if hex { matches!(before, 'p' | 'P') } else { matches!(before, 'e' | 'E') };
        let sign = matches!(c, '+' | '-') && exponent;
        if !(c.is_ascii_alphanumeric() || c == '.' || sign) {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// The byte of `'c'`, and how long it is.
fn character(rest: &str) -> Option<(u8, usize)> {
    let bytes = rest.as_bytes();
    let (value, length) = match (*bytes.get(1)?, bytes.get(2).copied()?) {
        (b'\\', escaped) => {
            let value = match escaped {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'0' => 0,
                b'\\' | b'\'' | b'"' => escaped,
                _ => return None,
            };
            (value, 3)
        }
        (plain, _) if plain.is_ascii() && plain != b'\'' => (plain, 2),
        _ => return None,
    };
    (bytes.get(length) == Some(&b'\'')).then_some((value, length + 1))
}

fn number(text: &str, range: &Range<usize>) -> Result<Kind, Wrong> {
    let lower = text.to_ascii_lowercase();
    let wrong = || Wrong::new(range.clone(), format!("`{text}` is no number"));
    let hex = lower.strip_prefix("0x");
    if hex.is_none() && (lower.contains('.') || lower.contains('e')) {
        let single = lower.ends_with('f');
        let digits = lower.trim_end_matches(['f', 'l']);
        let value: f64 = digits.parse().map_err(|_| wrong())?;
        // A literal of single precision is rounded once.
        let value = match single {
            true => f64::from(digits.parse::<f32>().map_err(|_| wrong())?),
            false => value,
        };
        return Ok(Kind::Float { value, single });
    }
    let (digits, radix) = match (hex, lower.strip_prefix("0b")) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 2),
        _ if lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
        _ => (lower.as_str(), 10),
    };
    let end = digits.find(['u', 'l']).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"];
    if !known.contains(&suffix) || digits.starts_with('+') {
        return Err(wrong());
    }
    // `0` is an octal number without digits behind its first.
    let value = match digits {
        "" if radix == 8 => 0,
        digits => u64::from_str_radix(digits, radix).map_err(|_| wrong())?,
    };
    let (unsigned, long) = (suffix.contains('u'), suffix.contains('l'));
    Ok(Kind::Int { value, unsigned, long, decimal: radix == 10 })
}

/// The operators of a level; a later one binds tighter.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Equal), ("!=", Binary::NotEqual)],
    &[
        ("<", Binary::Less),
        ("<=", Binary::LessEqual),
        (">", Binary::Greater),
        (">=", Binary::GreaterEqual),
    ],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
];

pub fn expression(tokens: &[(Token, Range<usize>)], end: usize) -> Result<Node, Wrong> {
    let mut parser = Parser { tokens, at: 0, end, level: 0 };
    let node = parser.binary(0)?;
    match parser.tokens.get(parser.at) {
        None => Ok(node),
        Some(_) => Err(parser.unexpected("an operator")),
    }
}

struct Parser<'t> {
    tokens: &'t [(Token, Range<usize>)],
    at: usize,
    /// Of the text.
    end: usize,
    level: u32,
}

impl Parser<'_> {
    fn range(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.end..self.end, |(_, range)| range.clone())
    }

    fn unexpected(&self, expected: &str) -> Wrong {
        let range = self.range();
        match self.tokens.get(self.at) {
            None => Wrong::new(range, format!("the proposition ends where {expected} is expected")),
            Some(_) => Wrong::new(range, format!("expected {expected}")),
        }
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some((Token::Sign(it), _)) if *it == sign);
        self.at += usize::from(found);
        found
    }

    fn binary(&mut self, level: usize) -> Result<Node, Wrong> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((Token::Sign(sign), _)) = self.tokens.get(self.at)
            && let Some((_, operator)) = operators.iter().find(|(text, _)| text == sign)
        {
            self.at += 1;
            let right = self.binary(level + 1)?;
            let range = left.range.start..right.range.end;
            left = Node { kind: Kind::Binary(*operator, left.into(), right.into()), range };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, Wrong> {
        let operator = match self.tokens.get(self.at) {
            Some((Token::Sign(sign), _)) => match *sign {
                "+" => Some(Unary::Plus),
                "-" => Some(Unary::Minus),
                "!" => Some(Unary::Not),
                "~" => Some(Unary::Complement),
                "*" => Some(Unary::Deref),
                "&" => Some(Unary::Address),
                _ => None,
            },
            _ => None,
        };
        let Some(operator) = operator else { return self.postfix() };
        let start = self.range().start;
        self.at += 1;
        let operand = self.nested(Self::unary)?;
        let range = start..operand.range.end;
        Ok(Node { kind: Kind::Unary(operator, operand.into()), range })
    }

    fn nested<T>(&mut self, parse: impl Fn(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        if self.level == MOST_LEVELS {
            return Err(Wrong::new(self.range(), "the expression is nested too deeply"));
        }
        self.level += 1;
        let parsed = parse(self);
        self.level -= 1;
        parsed
    }

    fn postfix(&mut self) -> Result<Node, Wrong> {
        let mut node = self.primary()?;
        loop {
            let start = node.range.start;
            if self.sign("[") {
                let index = self.nested(|parser| parser.binary(0))?;
                let end = self.range().end;
                if !self.sign("]") {
                    return Err(self.unexpected("`]`"));
                }
                let kind = Kind::Index(node.into(), index.into());
                node = Node { kind, range: start..end };
                continue;
            }
            let arrow = match (self.sign("."), self.sign("->")) {
                (true, _) => false,
                (_, true) => true,
                _ => return Ok(node),
            };
            let end = self.range().end;
            // Members of a tuple are numbers.
            let name = match self.tokens.get(self.at) {
                Some((Token::Word(name) | Token::Number(name), _)) => name.clone(),
                _ => return Err(self.unexpected("the name of a member")),
            };
            self.at += 1;
            node = Node { kind: Kind::Member { of: node.into(), name, arrow }, range: start..end };
        }
    }

    fn primary(&mut self) -> Result<Node, Wrong> {
        let range = self.range();
        let kind = match self.tokens.get(self.at) {
            Some((Token::Number(text), _)) => number(text, &range)?,
            Some((Token::Char(byte), _)) => Kind::Char(*byte),
            Some((Token::Word(_), _)) => return self.name(),
            Some((Token::Sign("("), _)) => {
                self.at += 1;
                let inner = self.nested(|parser| parser.binary(0))?;
                let end = self.range().end;
                if !self.sign(")") {
                    return Err(self.unexpected("`)`"));
                }
                return Ok(Node { kind: inner.kind, range: range.start..end });
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.at += 1;
        Ok(Node { kind, range })
    }

    /// `a::b::c`.
    fn name(&mut self) -> Result<Node, Wrong> {
        let mut range = self.range();
        let mut name = String::new();
        loop {
            let Some((Token::Word(word), part)) = self.tokens.get(self.at) else {
                return Err(self.unexpected("a name"));
            };
            name.push_str(word);
            range.end = part.end;
            self.at += 1;
            if !self.sign("::") {
                return Ok(Node { kind: Kind::Name(name), range });
            }
            name.push_str("::");
        }
    }
}
