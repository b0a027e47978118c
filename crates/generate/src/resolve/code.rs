//! Text in other languages. It is not understood, only fitted: names that the tree has changed, and what Spin's own
//! embedded C writes before them (`now.x`, `Pproc->x`).

use super::Resolver;
use super::scope::Symbol;
use crate::c::names::{is_taken, safe};
use auspex_promela::ast::{Code, Language};

impl Resolver {
    pub fn code(&mut self, code: &Code) -> Code {
        let text = self.fitted(&code.text, code.language);
        let guard = code.guard.as_ref().map(|guard| self.fitted(guard, code.language));
        Code { text, guard, ..code.clone() }
    }

    fn fitted(&self, text: &str, language: Language) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        // A name behind `.` or `->` is a field: nothing of ours.
        let mut is_field = false;
        while let Some(first) = rest.chars().next() {
            let length = token_length(rest, first, language);
            let (token, behind) = rest.split_at(length);
            rest = behind;
            if is_name_start(first) && !is_field {
                if language == Language::C
                    && let Some(skipped) = self.prefix_length(token, rest)
                {
                    rest = &rest[skipped..];
                    continue;
                }
                let ident = self.ident_of(token).map(|ident| match language {
                    // Code that uses a name of C means that of C.
                    Language::C if !is_taken(token) => safe(ident),
                    _ => ident.to_string(),
                });
                out.push_str(ident.as_deref().unwrap_or(token));
            } else {
                out.push_str(token);
            }
            if !first.is_whitespace() {
                is_field = out.ends_with('.') && !out.ends_with("..") || out.ends_with("->");
            }
        }
        out
    }

    /// The bytes behind `now` or `Pproc` up to the name that is meant.
    fn prefix_length(&self, token: &str, behind: &str) -> Option<usize> {
        let spaces = behind.len() - behind.trim_start().len();
        let after = &behind[spaces..];
        let is_process = token.strip_prefix('P').is_some_and(|p| self.processes.contains_key(p));
        match token {
            "now" if after.starts_with('.') => Some(spaces + 1),
            _ if is_process && after.starts_with("->") => Some(spaces + 2),
            _ => None,
        }
    }

    fn ident_of(&self, name: &str) -> Option<&str> {
        match self.meaning(name) {
            Some(Symbol::Variable(id)) => Some(&self.spec.variable(id).ident),
            _ => None,
        }
    }
}

pub(crate) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a name, a number, a string, a comment, or of a single character.
pub(crate) fn token_length(text: &str, first: char, language: Language) -> usize {
    let until = |end: &str| text[2..].find(end).map_or(text.len(), |at| at + 2 + end.len());
    match first {
        '"' => quoted_length(text, '"'),
        // In Rust a quote may as well begin a lifetime.
        '\'' if language == Language::C => quoted_length(text, '\''),
        '\'' => match text[1..].chars().next() {
            Some('\\') => quoted_length(text, '\''),
            Some(c) if text[1 + c.len_utf8()..].starts_with('\'') => c.len_utf8() + 2,
            _ => 1 + text[1..].find(|c| !is_name(c)).unwrap_or(text.len() - 1),
        },
        '/' if text.starts_with("//") => text.find('\n').unwrap_or(text.len()),
        '/' if text.starts_with("/*") => until("*/"),
        c if is_name(c) => text.find(|c| !is_name(c)).unwrap_or(text.len()),
        c => c.len_utf8(),
    }
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
