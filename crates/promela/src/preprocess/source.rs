//! Files: reading them, and the tokens that are left of them when directives are done.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use auspex_system::{Diagnostic, FileId, Span};

use super::Preprocessor;
use crate::lexer::{lex, lex_extended};
use crate::parser::Reading;
use crate::token::{Op, Token};

/// Positions are 32 bits wide, and no model is longer than this.
const MAX_BYTES: u64 = 256 << 20;

pub struct Source {
    pub name: String,
    pub text: String,
    /// Where its own includes are looked for first.
    pub directory: PathBuf,
}

impl Source {
    pub fn read(path: &Path) -> Result<Source, String> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("{} is larger than {MAX_BYTES} bytes", path.display()));
        }
        // Old models have Latin-1 comments: a replacement character there harms nobody, and elsewhere
        // it is refused like any other stray character.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let directory = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Source { name: path.display().to_string(), text, directory })
    }

    /// Text that is in no file.
    pub fn text(name: &str, text: &str) -> Source {
        Source { name: name.to_owned(), text: text.to_owned(), directory: PathBuf::new() }
    }
}

/// A file while it is read.
pub struct OpenFile {
    pub id: FileId,
    pub directory: PathBuf,
    pub tokens: Vec<Token>,
    pub at: usize,
    pub conditions: Vec<Condition>,
    /// The place behind its last word.
    pub end: Span,
}

/// An `#if` that waits for its `#endif`.
pub struct Condition {
    pub span: Span,
    /// The lines that we are in count.
    pub holds: bool,
    /// No later branch can count.
    pub decided: bool,
    pub has_else: bool,
}

impl OpenFile {
    /// Are the lines here left out?
    pub fn is_skipping(&self) -> bool {
        self.conditions.last().is_some_and(|condition| !condition.holds)
    }

    fn at_directive(&self) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.first && token.is(Op::Hash))
    }

    /// The tokens of a directive, without its `#`.
    pub fn take_line(&mut self) -> Vec<Token> {
        let start = self.at + 1;
        let length = self.tokens[start..].iter().take_while(|token| !token.first).count();
        self.at = start + length;
        self.tokens[start..self.at].to_vec()
    }

    /// Drops what is left.
    pub fn drain(&mut self) {
        self.at = self.tokens.len();
        self.conditions.clear();
    }
}

impl Preprocessor<'_> {
    pub fn open(&mut self, source: Source) {
        let id = self.map.add(&source.name, &source.text);
        let interner = &mut self.macros.interner;
        let (tokens, open_comment) = match self.options.reading {
            Reading::Plain => lex(&source.text, id, interner),
            _ => lex_extended(&source.text, id, interner, &mut self.comments),
        };
        if let Some(diagnostic) = open_comment {
            self.report.error(diagnostic);
        }
        // Where something is missing at the end, it is missing on the last line that has text.
        let length = source.text.trim_end().len() as u32;
        let end = Span { file: id, start: length, end: length };
        let (directory, conditions) = (source.directory, Vec::new());
        self.files.push(OpenFile { id, directory, tokens, at: 0, conditions, end });
    }

    /// The next token of the text lines; obeys the directives on the way.
    pub fn next_from_file(&mut self) -> Token {
        loop {
            let Some(file) = self.files.last_mut() else {
                return self.end_token(self.map_end());
            };
            if file.at_directive() {
                let hash = file.tokens[file.at];
                let line = file.take_line();
                self.directive(hash, &line);
                continue;
            }
            let Some(token) = file.tokens.get(file.at).copied() else {
                match self.close_file() {
                    Some(end) => return end,
                    None => continue,
                }
            };
            file.at += 1;
            if !file.is_skipping() {
                return token;
            }
        }
    }

    /// Leaves an included file; of the first one only the end is left, for ever.
    fn close_file(&mut self) -> Option<Token> {
        let file = self.files.last_mut()?;
        for condition in std::mem::take(&mut file.conditions) {
            self.report.error(
                Diagnostic::error(condition.span, "this condition has no `#endif`")
                    .label("opened here"),
            );
        }
        let end = file.end;
        if self.files.len() == 1 {
            return Some(self.end_token(end));
        }
        self.files.pop();
        None
    }

    fn map_end(&self) -> Span {
        Span { file: FileId(0), start: 0, end: 0 }
    }
}
