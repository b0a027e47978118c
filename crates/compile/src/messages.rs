//! What clang says, as diagnostics.

use crate::source::Spans;
use auspex_system::{Diagnostic, Severity};
use std::path::Path;

/// A message, and below it what another program said, as it said it.
pub fn with_text(message: String, text: &str) -> String {
    format!("{message}\n\n{}\n", text.trim_end())
}

pub fn not_compiled(path: &Path, clang: &Path, text: &str) -> Diagnostic {
    let message = format!("`{}` does not compile", path.display());
    let diagnostic = Diagnostic::general(with_text(message, text));
    match hint(text) {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic
            .hint(format!("this is what `{}` says; flags for it go after `--`", clang.display())),
    }
}

/// What helps with errors that are about the system rather than the program.
fn hint(text: &str) -> Option<&'static str> {
    let has = |part: &str| text.contains(part);
    if has("stubs-32.h") || has("bits/libc-header-start.h") {
        return Some("the headers for 32 bits are missing: `apt install gcc-multilib`");
    }
    let headers = ["stdio.h", "stdlib.h", "pthread.h", "assert.h", "string.h", "stdint.h"];
    if headers.iter().any(|header| has(&format!("'{header}' file not found"))) {
        return Some("the headers of the C library are missing: `apt install libc6-dev`");
    }
    None
}

/// The warnings in what clang said.
pub fn warnings(text: &str, spans: &mut Spans<'_>) -> Vec<Diagnostic> {
    let found = text.lines().filter_map(|line| {
        let (place, message) = line.split_once(": warning: ")?;
        let position = position(place);
        // Anything else is a line of the source that happens to look like a warning.
        if position.is_none() && place.contains(char::is_whitespace) {
            return None;
        }
        let span =
            position.and_then(|(file, line, column)| spans.at(Path::new(file), line, column));
        // One without a place names the program that says it.
        let message = match span {
            Some(_) => message.to_owned(),
            None => format!("{place}: {message}"),
        };
        let mut diagnostic = Diagnostic::general(message);
        diagnostic.severity = Severity::Warning;
        diagnostic.span = span;
        Some(diagnostic)
    });
    found.collect()
}

/// `file:line:column`.
fn position(text: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use auspex_system::SourceMap;

    #[test]
    fn warnings_are_found_between_the_lines() {
        let text = "\
a.c:3:5: warning: unused variable 'x' [-Wunused-variable]
    3 | int x = \"a: warning: b\";
      |     ^
a.c:9:1: note: something
clang: warning: argument unused during compilation: '-x'
1 warning generated.
";
        let mut map = SourceMap::default();
        let mut spans = Spans::new(&mut map);
        spans.add(Path::new("a.c"), "\n\nint x = \"a: warning: b\";\n");
        let warnings = warnings(text, &mut spans);
        assert_eq!(warnings[0].message, "unused variable 'x' [-Wunused-variable]");
        assert_eq!(warnings[0].span.map(|span| spans.map.snippet(span)), Some("x"));
        assert!(warnings[1].message.starts_with("clang: argument unused"));
        assert_eq!(warnings.len(), 2);
        assert!(warnings.iter().all(|w| w.severity == Severity::Warning));
    }
}
