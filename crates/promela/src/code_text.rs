//! The text of a block of C or Rust, put together again from its tokens.

use auspex_system::{SourceMap, Span};

use crate::lexer::lex;
use crate::token::{Interner, Kind, Token, would_merge};

/// What stands between the first and the last of `tokens`, which are brackets. As far as no macro has changed it,
/// it is what was written, comments and all; the indentation that all lines share is taken off.
pub fn code_text(tokens: &[Token], interner: &Interner, sources: &SourceMap) -> String {
    let mut text = String::new();
    for (before, token) in tokens.iter().zip(&tokens[1..]) {
        match written_between(before, token, sources) {
            Some(space) => text.push_str(space),
            None => text.push_str(space_between(before, token, &text, interner)),
        }
        text.push_str(interner.text(token.symbol));
    }
    let close = tokens.last().map_or(0, |token| interner.text(token.symbol).len());
    text.truncate(text.len() - close);
    // In a string that goes on over several lines, spaces at the start of a line mean something.
    let is_plain = tokens.iter().all(|token| !interner.text(token.symbol).contains('\n'));
    let text = text.replace("\r\n", "\n");
    match is_plain {
        true => without_indentation(&text),
        false => text.trim().to_owned(),
    }
}

/// The space and the comments between two tokens, if they stand in a file one behind the other.
pub fn written_between<'s>(a: &Token, b: &Token, sources: &'s SourceMap) -> Option<&'s str> {
    if a.made || b.made || a.span.file != b.span.file || a.span.end > b.span.start {
        return None;
    }
    let between = Span { start: a.span.end, end: b.span.start, ..a.span };
    let text = sources.snippet(between);
    if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return Some(text);
    }
    // A macro that stands for nothing leaves its name there, and a call its comma.
    let (tokens, open_comment) = lex(text, between.file, &mut Interner::default());
    let continues = text.contains("\\\n") || text.contains("\\\r\n");
    (tokens.is_empty() && open_comment.is_none() && !continues).then_some(text)
}

fn space_between(a: &Token, b: &Token, text: &str, interner: &Interner) -> &'static str {
    let is_directive = a.kind == Kind::Directive || b.kind == Kind::Directive;
    let next = interner.text(b.symbol);
    match b.first || is_directive {
        true => "\n",
        false if b.spaced || would_merge(text, next) => " ",
        false => "",
    }
}

fn without_indentation(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    // The first line stands behind the brace.
    let shared = lines.iter().skip(1).filter(|line| !line.is_empty()).map(indentation).min();
    let shared = shared.unwrap_or(0);
    let lines = lines.iter().enumerate().map(|(i, line)| match i {
        0 => line.trim_start(),
        _ => line.get(shared..).unwrap_or(""),
    });
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}
