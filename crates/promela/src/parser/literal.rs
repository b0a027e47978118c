//! Numbers, characters and strings.

use auspex_system::{Diagnostic, Span};

use super::{Parse, Parser};
use crate::token::{Kind, Token};

impl Parser {
    /// The value of a `Number` token. Spin knows only decimal ones, and cuts them to 32 bits.
    pub(super) fn number_value(&mut self, token: Token) -> Parse<i32> {
        let text = self.text(token).to_owned();
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.bad_number(token.span, &text));
        }
        let value: i64 = text.parse().unwrap_or(i64::MAX);
        if i32::try_from(value).is_err() {
            let cut = value as i32;
            self.report.warning(
                Diagnostic::warning(token.span, format!("{text} does not fit into an `int`"))
                    .label(format!("read as {cut}, as Spin does")),
            );
        }
        Ok(value as i32)
    }

    fn bad_number(&mut self, span: Span, text: &str) -> super::Failed {
        let radix = match text.get(..2) {
            Some("0x" | "0X") => 16,
            Some("0b" | "0B") => 2,
            _ => 10,
        };
        let hint = match text.get(2..).map(|digits| i64::from_str_radix(digits, radix)) {
            Some(Ok(value)) if radix != 10 => format!("write {value}"),
            _ => "if a name follows the number, put a space between them".to_owned(),
        };
        let message = format!("`{text}` is no number: Promela has only decimal ones");
        self.fail(Diagnostic::error(span, message).hint(hint))
    }

    pub(super) fn char_value(&mut self, token: Token) -> Parse<i32> {
        match character_value(self.text(token)) {
            Some(value) => Ok(value),
            None => {
                let message = "a character constant is one character in quotes";
                Err(self.fail(Diagnostic::error(token.span, message).hint("as in 'a' or '\\n'")))
            }
        }
    }

    /// A string, with its escapes resolved.
    pub(super) fn string(&mut self) -> Parse<String> {
        match self.peek().kind {
            Kind::Str => {
                let token = self.bump();
                Ok(unescaped(self.text(token)))
            }
            _ => Err(self.expected("a string")),
        }
    }
}

/// The number of a character constant (with its quotes), as Spin reads it; `None` if it is none.
pub(crate) fn character_value(text: &str) -> Option<i32> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let value = match chars.next()? {
        '\\' => match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'f' => '\u{c}',
            other => other,
        },
        other => other,
    };
    match chars.next() {
        None => i32::try_from(u32::from(value)).ok(),
        Some(_) => None,
    }
}

fn unescaped(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(quoted);
    let mut result = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        match (char, if char == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => result.push('\n'),
            ('\\', Some('t')) => result.push('\t'),
            ('\\', Some('r')) => result.push('\r'),
            ('\\', Some('f')) => result.push('\u{c}'),
            ('\\', Some(other)) => result.push(other),
            _ => result.push(char),
        }
    }
    result
}
