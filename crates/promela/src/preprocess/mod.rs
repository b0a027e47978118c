//! The C preprocessor: a file and what it includes, to one list of tokens.
//!
//! Every token keeps the place where the user sees it, so nothing downstream knows of macros.

mod condition;
mod define;
mod directive;
mod expand;
mod macros;
mod report;
mod source;

use std::collections::HashSet;

use auspex_system::{Diagnostic, FileId, SourceMap, Span};

pub use macros::Macros;
pub use report::Report;
pub use source::Source;

use crate::lexer::lex;
use crate::parser::Options;
use crate::token::{Kind, Symbol, Token};
use expand::Expansion;
use source::OpenFile;

/// Tokens that macros may make: far above any real one, and below what hurts.
const MAX_TOKENS: usize = 5_000_000;

/// Models test these, and Spin refuses them as the names of variables.
pub const PREDEFINED: [&str; 7] =
    ["unix", "linux", "__unix", "__linux", "__unix__", "__linux__", "__STDC__"];

pub struct Preprocessor<'a> {
    map: &'a mut SourceMap,
    options: &'a Options,
    macros: Macros,
    report: &'a mut Report,
    /// The file being read is the last one, behind those that include it.
    files: Vec<OpenFile>,
    /// What macros have put in front of the rest of the file; the innermost is last.
    expansions: Vec<Expansion>,
    /// Expansions below this one are out of reach: an argument is expanded by itself.
    floor: usize,
    /// Macros whose expansion is being read.
    active: HashSet<Symbol>,
    /// Calls inside the arguments of calls.
    depth: usize,
    /// How many tokens may still be made.
    budget: usize,
    /// Where there are comments, in an extended file.
    comments: Vec<Span>,
    /// Something was so wrong that the rest of the source is dropped.
    stopped: bool,
}

impl<'a> Preprocessor<'a> {
    pub fn new(
        map: &'a mut SourceMap,
        options: &'a Options,
        macros: Macros,
        report: &'a mut Report,
    ) -> Self {
        Self {
            map,
            options,
            macros,
            report,
            files: Vec::new(),
            expansions: Vec::new(),
            floor: 0,
            active: HashSet::new(),
            depth: 0,
            budget: MAX_TOKENS,
            comments: Vec::new(),
            stopped: false,
        }
    }

    /// Defines what Spin's preprocessor defines on Linux, and what `-D` asks for (`-D NAME` is 1).
    pub fn define_options(&mut self) {
        for name in PREDEFINED {
            self.define_text("<predefined>", name, "1");
        }
        for (name, value) in &self.options.defines {
            self.define_text("<command line>", name, value.as_deref().unwrap_or("1"));
        }
    }

    fn define_text(&mut self, place: &str, name: &str, value: &str) {
        let text = format!("{name} {value}");
        let file = self.map.add(place, &text);
        let (tokens, _) = lex(&text, file, &mut self.macros.interner);
        self.define(&tokens, Span { file, start: 0, end: name.len() as u32 });
    }

    /// All the tokens of the source, with one `End` behind them; then the macros as they are at the end.
    pub fn run(self, source: Source) -> (Vec<Token>, Macros) {
        let (tokens, macros, _) = self.run_noting_comments(source);
        (tokens, macros)
    }

    /// The same, and where comments are (of an extended file only).
    pub fn run_noting_comments(mut self, source: Source) -> (Vec<Token>, Macros, Vec<Span>) {
        self.open(source);
        let mut tokens = Vec::new();
        loop {
            let token = self.next_token();
            tokens.push(token);
            if token.kind == Kind::End {
                return (tokens, self.macros, self.comments);
            }
        }
    }

    fn end_token(&mut self, span: Span) -> Token {
        let symbol = self.macros.interner.intern("");
        let kind = Kind::End;
        Token { kind, symbol, span, spaced: true, first: true, made: true, painted: false }
    }

    /// Takes `count` new tokens out of the budget; when it is empty, the rest of the source is dropped.
    fn spend(&mut self, count: usize, span: Span) -> bool {
        if count <= self.budget {
            self.budget -= count;
            return true;
        }
        if !self.stopped {
            self.report.error(
                Diagnostic::error(span, "the macros expand to too many tokens")
                    .label(format!("more than {MAX_TOKENS} tokens with this one")),
            );
        }
        self.stop();
        false
    }

    /// Gives up on the rest of the source.
    fn stop(&mut self) {
        self.stopped = true;
        self.budget = 0;
        self.files.truncate(1);
        for file in &mut self.files {
            file.drain();
        }
        self.expansions.truncate(self.floor);
        self.active.clear();
    }

    fn file(&self) -> FileId {
        self.files.last().map_or(FileId(0), |file| file.id)
    }
}
