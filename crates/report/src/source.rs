//! Finding the source text again that a location names.

use crate::data::Location;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use auspex_system::{FileId, SourceMap};

/// Every file that was read, with its text.
pub fn files(sources: &SourceMap) -> Vec<(&str, &str)> {
    // Ids are dense: the one that a further file would get is the number of files.
    let count = sources.clone().add("", "").0;
    (0..count).map(|id| (sources.name(FileId(id)), sources.text(FileId(id)))).collect()
}

/// The source line of a fault with a caret and a few words under it.
pub fn excerpt(sources: &SourceMap, at: &Location, label: &str) -> Option<String> {
    let text = text_of(sources, &at.file)?;
    let start = offset(text, at)?;
    let end = start + statement_length(&text[start..]);
    let caret = AnnotationKind::Primary.span(start..end).label(label);
    let snippet = Snippet::source(text).path(at.file.as_str()).annotation(caret);
    let drawn = Renderer::styled().render(&[Group::with_level(Level::ERROR).element(snippet)]);
    Some(drawn + "\n")
}

/// The line that a location names, without its indentation.
pub fn line_of<'a>(sources: &'a SourceMap, at: &Location) -> Option<&'a str> {
    let text = text_of(sources, &at.file)?;
    let index = at.line.checked_sub(1)? as usize;
    text.lines().nth(index).map(str::trim)
}

fn text_of<'a>(sources: &'a SourceMap, name: &str) -> Option<&'a str> {
    files(sources).into_iter().find(|(file, _)| *file == name).map(|(_, text)| text)
}

fn offset(text: &str, at: &Location) -> Option<usize> {
    let index = at.line.checked_sub(1)? as usize;
    let line_start: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
    let line = text.get(line_start..)?.lines().next()?;
    let before: usize = line.chars().take(at.column.max(1) as usize - 1).map(char::len_utf8).sum();
    Some(line_start + before)
}

/// How far a caret reaches: to the end of the statement or of the line, whichever is first.
fn statement_length(text: &str) -> usize {
    let line = text.lines().next().unwrap_or("");
    let mut depth = 0;
    for (at, c) in line.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return at.max(1),
            ')' | ']' => depth -= 1,
            ';' | '{' | '}' if depth == 0 => return line[..at].trim_end().len().max(1),
            '-' if depth == 0 && line[at..].starts_with("->") => {
                return line[..at].trim_end().len().max(1);
            }
            _ => {}
        }
    }
    line.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_end_with_the_statement() {
        let covered = |text: &'static str| &text[..statement_length(text)];
        assert_eq!(covered("assert(x == (1;2)); y = 1"), "assert(x == (1;2))");
        assert_eq!(covered("x > 0 -> y = 1"), "x > 0");
        assert_eq!(covered("q!1 }\n"), "q!1");
        assert_eq!(covered(""), "");
    }

    #[test]
    fn locations_outside_the_text_have_no_excerpt() {
        let mut sources = SourceMap::default();
        sources.add("a", "x\ny");
        let at = |file: &str, line, column| Location { file: file.into(), line, column };
        assert!(excerpt(&sources, &at("a", 0, 0), "").is_none());
        assert!(excerpt(&sources, &at("b", 1, 1), "").is_none());
        assert!(excerpt(&sources, &at("a", 9, 1), "").is_none());
        assert!(excerpt(&sources, &at("a", 2, 9), "here").is_some());
        assert_eq!(line_of(&sources, &at("a", 2, 1)), Some("y"));
    }
}
