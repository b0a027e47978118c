//! Source files, positions in them, and messages that point at them.

use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// From the beginning of `self` to the end of `other`; `self` where they are in two files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file || other.end < self.start {
            return self;
        }
        Span { file: self.file, start: self.start, end: other.end.max(self.end) }
    }
}

/// A position as people and JSON see it; lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl Location {
    pub fn unknown() -> Self {
        Location { file: Arc::from(""), line: 0, column: 0 }
    }
}

#[derive(Clone, Debug)]
struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    /// Byte offset at which each line begins.
    lines: Vec<u32>,
}

/// All the files that were read.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        self.files.push(SourceFile { name: Arc::from(name), text: Arc::from(text), lines });
        FileId(self.files.len() as u32 - 1)
    }

    pub fn name(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].name
    }

    pub fn text(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].text
    }

    /// The source text of a span.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    pub fn location(&self, span: Span) -> Location {
        let file = &self.files[span.file.0 as usize];
        let line = file.lines.partition_point(|start| *start <= span.start) - 1;
        let before = file.text.get(file.lines[line] as usize..span.start as usize).unwrap_or("");
        Location {
            file: file.name.clone(),
            line: line as u32 + 1,
            column: before.chars().count() as u32 + 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// A message about the source text.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    /// The place it is about, and a few words to stand at the caret.
    pub span: Option<Span>,
    pub label: String,
    /// Other places that matter (`first declared here`).
    pub notes: Vec<(Span, String)>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, Some(span), message)
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, Some(span), message)
    }

    /// An error that is about no particular place (a file that cannot be read).
    pub fn general(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, None, message)
    }

    fn new(severity: Severity, span: Option<Span>, message: impl Into<String>) -> Self {
        let (label, notes) = (String::new(), Vec::new());
        Diagnostic { severity, message: message.into(), span, label, notes, hint: None }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn note(mut self, span: Span, text: impl Into<String>) -> Self {
        self.notes.push((span, text.into()));
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_lines_and_characters_from_one() {
        let mut map = SourceMap::default();
        let file = map.add("a.pml", "é x\n  y");
        let at = |start, end| map.location(Span { file, start, end });
        assert_eq!((at(0, 1).line, at(0, 1).column), (1, 1));
        assert_eq!((at(3, 4).line, at(3, 4).column), (1, 3));
        assert_eq!((at(7, 8).line, at(7, 8).column), (2, 3));
        assert_eq!(map.snippet(Span { file, start: 7, end: 8 }), "y");
        assert_eq!(at(99, 99).line, 2);
    }
}
