//! The model in a specification as plain Promela: every token stands on the line where the specification has it.

use std::iter::Peekable;
use std::path::Path;
use std::slice::Iter;

use auspex_promela::Options;
use auspex_promela::model_text::{ModelText, Word, model_text, model_text_of};
use auspex_system::{Diagnostic, FileId, SourceMap, Span};

/// How the text is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub keep_comments: bool,
    /// One empty line instead of many; the line numbers are others then.
    pub tidy: bool,
}

/// Writes the model in the file `path` as Promela that Spin reads. Macros are expanded; text of included files is
/// marked by lines like `# 1 "file.h"`, as a preprocessor would.
pub fn clean(
    map: &mut SourceMap,
    path: &Path,
    options: &Options,
    layout: Layout,
) -> Result<String, Vec<Diagnostic>> {
    let model = model_text(map, path, options)?;
    Ok(laid_out(map, &model, layout))
}

/// The same for a text that is in no file.
pub fn clean_text(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    options: &Options,
    layout: Layout,
) -> Result<String, Vec<Diagnostic>> {
    let model = model_text_of(map, name, text, options)?;
    Ok(laid_out(map, &model, layout))
}

fn laid_out(map: &SourceMap, model: &ModelText, layout: Layout) -> String {
    let text = Writer::new(map, model, layout.keep_comments).write(&model.words);
    if layout.tidy { tidy(&text) } else { text }
}

/// The text with one empty line in place of several.
pub fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && lines.last().is_none_or(|last| last.is_empty())) {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}

struct Writer<'a> {
    map: &'a SourceMap,
    out: String,
    main: FileId,
    /// Where the next token stands if nothing moves it, in the lines of `file`.
    file: FileId,
    line: u32,
    /// The characters in the line so far.
    column: usize,
    comments: Peekable<Iter<'a, Span>>,
    /// The place in `out` of a `//` comment that the line ends with so far.
    line_comment: Option<usize>,
    /// How far macros that are in use reach in the main file.
    used: u32,
}

impl<'a> Writer<'a> {
    fn new(map: &'a SourceMap, model: &'a ModelText, keep_comments: bool) -> Self {
        let comments: &[Span] = if keep_comments { &model.comments } else { &[] };
        Writer {
            map,
            out: String::new(),
            main: model.file,
            file: model.file,
            line: 1,
            column: 0,
            comments: comments.iter().peekable(),
            line_comment: None,
            used: 0,
        }
    }

    fn write(mut self, words: &[Word]) -> String {
        for word in words {
            if word.span.file == self.main {
                self.comments_before(Some(word));
                if !word.is_written {
                    self.used = self.used.max(word.span.end);
                }
            }
            self.word(word);
        }
        self.comments_before(None);
        self.out.push('\n');
        self.out
    }

    fn word(&mut self, word: &Word) {
        if word.is_first || word.is_directive {
            self.go_to(word.span);
        }
        self.close_line_comment();
        // The arguments of a macro belong to what it stands for, wherever they were written.
        let is_free = word.span.file != self.main || word.span.start >= self.used;
        self.space(word.span, word.is_written && is_free, word.is_spaced);
        if word.is_directive {
            // Not for Spin's preprocessor, but for the compiler of its verifier.
            self.out.push('\\');
        }
        self.push(&word.text);
    }

    /// Begins the line on which this stands, unless we are at its beginning.
    fn go_to(&mut self, span: Span) {
        let line = self.map.location(span).line;
        let is_behind = line < self.line || (line == self.line && self.column > 0);
        if span.file != self.file || is_behind {
            if self.column > 0 {
                self.out.push('\n');
            }
            let name = self.map.name(span.file).replace('\\', "\\\\").replace('"', "\\\"");
            self.out.push_str(&format!("# {line} \"{name}\"\n"));
            (self.file, self.line, self.column) = (span.file, line, 0);
        }
        while self.line < line {
            self.new_line();
        }
        if self.column == 0 {
            self.line_comment = None;
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        (self.line, self.column, self.line_comment) = (self.line + 1, 0, None);
    }

    /// What stands before a token in its line: spaces up to where it was written, if they are still possible.
    fn space(&mut self, span: Span, is_written: bool, is_spaced: bool) {
        let place = self.map.location(span);
        let is_here = span.file == self.file && place.line == self.line;
        let wanted = place.column as usize - 1;
        if is_here && (is_written || self.column == 0) && self.column < wanted {
            let text = self.map.text(span.file).get(..span.start as usize).unwrap_or("");
            let start = text.rfind('\n').map_or(0, |at| at + 1);
            let before = text[start..].chars().skip(self.column);
            self.out.extend(before.map(|c| if c == '\t' { '\t' } else { ' ' }));
            self.column = wanted;
        } else if is_spaced && self.column > 0 {
            self.push(" ");
        }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.line += text.matches('\n').count() as u32;
        match text.rfind('\n') {
            Some(end) => self.column = text[end + 1..].chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    /// Writes the comments that stand before a token.
    fn comments_before(&mut self, word: Option<&Word>) {
        let end = word.map_or(u32::MAX, |word| word.span.start);
        while let Some(comment) = self.comments.next_if(|comment| comment.start < end) {
            // Inside the call of a macro there is no place for it.
            if comment.start >= self.used {
                self.comment(*comment, word.is_none_or(|word| word.is_first));
            }
        }
    }

    /// Only before the first token of a line may a line begin.
    fn comment(&mut self, comment: Span, may_move: bool) {
        let text = self.map.snippet(comment).trim_end();
        if may_move && self.map.location(comment).line != self.line {
            self.go_to(comment);
        } else if text.contains('\n') && !may_move {
            return;
        }
        self.close_line_comment();
        self.space(comment, true, true);
        self.line_comment = text.starts_with("//").then_some(self.out.len());
        self.push(&text.replace('\r', ""));
    }

    /// Something follows in the line: its comment has to end before.
    fn close_line_comment(&mut self) {
        let Some(start) = self.line_comment.take() else { return };
        let inside = self.out[start + 2..].replace("*/", "* /");
        self.out.truncate(start);
        self.out.push_str(&format!("/*{inside} */"));
        self.column += 3;
    }
}
