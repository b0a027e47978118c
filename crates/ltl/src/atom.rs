//! The propositions of a formula, still as text.

use crate::lex::is_word;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A proposition as written; what it means is for the caller to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    pub text: String,
    /// Where it first occurs in the formula, in bytes.
    pub range: Range<usize>,
}

/// All propositions so far; the same text up to blanks is the same proposition.
#[derive(Default)]
pub(crate) struct Table {
    pub list: Vec<Atom>,
    known: FxHashMap<String, u32>,
}

impl Table {
    pub fn find_or_add(&mut self, text: &str, range: Range<usize>) -> u32 {
        *self.known.entry(without_blanks(text)).or_insert_with(|| {
            self.list.push(Atom { text: text.to_owned(), range });
            self.list.len() as u32 - 1
        })
    }
}

/// The text without the blanks that cannot matter: those between a word and a sign. Quoted text
/// is left alone.
fn without_blanks(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    let mut pending = false;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        if quote.is_none() && c.is_whitespace() {
            pending = true;
            continue;
        }
        let last = key.chars().next_back();
        if pending && last.is_some_and(|last| is_word(last) == is_word(c)) {
            key.push(' ');
        }
        pending = false;
        quote = match quote {
            Some(open) if open == c => None,
            None if c == '"' || c == '\'' => Some(c),
            same => same,
        };
        key.push(c);
    }
    key
}
