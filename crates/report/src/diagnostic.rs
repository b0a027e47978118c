//! Messages about source text, drawn as rustc draws them.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use auspex_system::{Diagnostic, FileId, Severity, SourceMap, Span};
use std::ops::Range;

/// The message with its source lines, carets and hint; ends with a newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    for file in files(diagnostic) {
        group = group.element(snippet(diagnostic, file, sources));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    let mut text = Renderer::styled().render(&[group]);
    text.push('\n');
    text
}

/// The files that the message points into, the main one first.
fn files(diagnostic: &Diagnostic) -> Vec<FileId> {
    let spans = diagnostic.span.iter().chain(diagnostic.notes.iter().map(|(span, _)| span));
    let mut files = Vec::new();
    for span in spans {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    files
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    file: FileId,
    sources: &'a SourceMap,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let text = sources.text(file);
    let mut snippet = Snippet::source(text).path(sources.name(file));
    if let Some(span) = diagnostic.span.filter(|span| span.file == file) {
        let caret = AnnotationKind::Primary.span(within(span, text));
        let caret = match diagnostic.label.as_str() {
            "" => caret,
            label => caret.label(label),
        };
        snippet = snippet.annotation(caret);
    }
    for (span, note) in diagnostic.notes.iter().filter(|(span, _)| span.file == file) {
        let context = AnnotationKind::Context.span(within(*span, text));
        snippet = snippet.annotation(context.label(note.as_str()));
    }
    snippet
}

/// The span as a range that is sure to lie on character boundaries of `text`.
fn within(span: Span, text: &str) -> Range<usize> {
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(span.start as usize);
    start..boundary(span.end as usize).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_line_the_caret_the_note_and_the_hint() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.pml", "byte x;\n\nbyte y;\nbyte x;\n");
        let span = |start, end| Span { file, start, end };
        let diagnostic = Diagnostic::error(span(22, 23), "`x` is declared twice")
            .label("declared again here")
            .note(span(5, 6), "first declared here")
            .hint("rename one of them");
        let text = anstream::adapter::strip_str(&render(&diagnostic, &sources)).to_string();
        expect_test::expect![[r#"
            error: `x` is declared twice
             --> a.pml:4:6
              |
            1 | byte x;
              |      - first declared here
            ...
            4 | byte x;
              |      ^ declared again here
              |
              = help: rename one of them
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn any_span_is_drawn() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.pml", "é");
        for (start, end) in [(0, 0), (1, 1), (1, 9), (9, 3), (u32::MAX, u32::MAX)] {
            render(&Diagnostic::error(Span { file, start, end }, "x"), &sources);
        }
        render(&Diagnostic::general("no place"), &sources);
    }
}
