//! The source text behind debug information.

use crate::runtime;
use auspex_llvm::Module;
use auspex_llvm::debug::{
    DebugFileId, DebugFunctionId, DebugInfo, LocationId, Scope, ScopeId, ScopeKind,
};
use auspex_system::{FileId, SourceMap, Span};
use rustc_hash::FxHashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The files that a module's debug information names, read when they are asked for.
#[derive(Debug, Default)]
pub struct SourceFiles {
    files: Vec<File>,
}

#[derive(Debug)]
struct File {
    name: String,
    path: PathBuf,
    text: OnceLock<Option<Text>>,
}

#[derive(Debug)]
struct Text {
    text: String,
    /// The offset at which each line begins.
    lines: Vec<usize>,
}

impl Text {
    fn new(text: String) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Text { text, lines }
    }

    fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.lines.get(index)?;
        let end = self.lines.get(index + 1).map_or(self.text.len(), |next| next - 1);
        self.text.get(start..end).map(|line| line.strip_suffix('\r').unwrap_or(line))
    }
}

impl SourceFiles {
    /// `inputs` are the files as the user named them.
    pub(crate) fn new(module: &Module, inputs: &[PathBuf]) -> Self {
        let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
        let inputs: FxHashMap<PathBuf, &Path> = inputs
            .iter()
            .filter_map(|input| Some((fs::canonicalize(input).ok()?, input.as_path())))
            .collect();
        let files = module.debug.files.iter().map(|file| {
            let path = path(&module.names[file.directory], &module.names[file.name]);
            let found = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            let shown = match inputs.get(&found) {
                Some(input) => input,
                None => found.strip_prefix(&here).unwrap_or(&found),
            };
            File { name: shown.display().to_string(), path, text: OnceLock::new() }
        });
        SourceFiles { files: files.collect() }
    }

    /// As the user would name it: what was given, below the current directory, or in full.
    pub fn name(&self, file: DebugFileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.name)
    }

    /// A line of the file, counted from 1; `None` where there is no such line or file.
    pub fn line(&self, file: DebugFileId, line: u32) -> Option<&str> {
        self.text(file)?.line(line)
    }

    fn text(&self, file: DebugFileId) -> Option<&Text> {
        let file = self.files.get(file.0 as usize)?;
        file.text.get_or_init(|| text(&file.path).map(Text::new)).as_ref()
    }
}

fn path(directory: &str, name: &str) -> PathBuf {
    let name = Path::new(name.strip_prefix("./").unwrap_or(name));
    // The headers for users are in no directory at all.
    if name.starts_with(runtime::HEADERS) {
        name.to_owned()
    } else {
        Path::new(directory).join(name)
    }
}

/// What a file holds. That of the runtime is in this program.
pub fn text(path: &Path) -> Option<String> {
    if let Some(text) = runtime::text(path) {
        return Some(text.to_owned());
    }
    // `#line` can name anything, also what never ends.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned())
}

/// The file that a place in the code is in.
pub fn file_of(debug: &DebugInfo, location: LocationId) -> Option<DebugFileId> {
    around(debug, location).find_map(|scope| scope.file)
}

/// The function of the source that a place in the code is in: not the one it was inlined into.
pub fn function_of(debug: &DebugInfo, location: LocationId) -> Option<DebugFunctionId> {
    around(debug, location).find_map(|scope| match scope.kind {
        ScopeKind::Function(function) => Some(function),
        _ => None,
    })
}

/// The scopes around a place, the innermost first.
fn around(debug: &DebugInfo, location: LocationId) -> impl Iterator<Item = &Scope> {
    let get = |id: Option<ScopeId>| debug.scopes.get(id?.0 as usize);
    let innermost = debug.locations.get(location.0 as usize).and_then(|place| get(place.scope));
    // In bad input scopes can form a circle: no chain is longer than their number.
    std::iter::successors(innermost, move |scope| get(scope.parent)).take(debug.scopes.len())
}

/// Puts files into the source map as messages come to point at them.
pub struct Spans<'s> {
    pub map: &'s mut SourceMap,
    known: FxHashMap<PathBuf, Option<(FileId, Text)>>,
}

impl<'s> Spans<'s> {
    pub fn new(map: &'s mut SourceMap) -> Self {
        Spans { map, known: FxHashMap::default() }
    }

    /// Adds a file, or what was made of it, under the name that the user gave it.
    pub fn add(&mut self, path: &Path, text: &str) -> FileId {
        let file = self.map.add(&path.display().to_string(), text);
        let full = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        self.known.insert(full, Some((file, Text::new(text.to_owned()))));
        file
    }

    /// The place with this line and column (in bytes; both count from 1; column 0: the line).
    pub fn at(&mut self, path: &Path, line: u32, column: u32) -> Option<Span> {
        let full = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let map = &mut self.map;
        let known = self.known.entry(full).or_insert_with(|| {
            let text = text(path)?;
            Some((map.add(&path.display().to_string(), &text), Text::new(text)))
        });
        let (file, text) = known.as_ref()?;
        let start = *text.lines.get((line as usize).checked_sub(1)?)?;
        let line = text.line(line)?;
        let indent = line.len() - line.trim_start().len();
        let (from, to) = match (column as usize).checked_sub(1).filter(|at| *at < line.len()) {
            Some(at) => (at, at + word(line.as_bytes(), at)),
            None => (indent, line.trim_end().len().max(indent)),
        };
        Some(Span { file: *file, start: (start + from) as u32, end: (start + to) as u32 })
    }

    /// Where debug information says that something is.
    pub fn of_file(
        &mut self,
        module: &Module,
        file: Option<DebugFileId>,
        line: u32,
        column: u32,
    ) -> Option<Span> {
        let file = module.debug.files.get(file?.0 as usize)?;
        let path = path(&module.names[file.directory], &module.names[file.name]);
        self.at(&path, line, column)
    }

    pub fn of_location(&mut self, module: &Module, location: LocationId) -> Option<Span> {
        let place = module.debug.locations.get(location.0 as usize)?;
        self.of_file(module, file_of(&module.debug, location), place.line, place.column)
    }
}

/// How long the word at this place is; 1 where there is none.
fn word(line: &[u8], at: usize) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
    line[at..].iter().take_while(is_part).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one() {
        let text = Text::new("a\r\n\nb".to_owned());
        assert_eq!(text.line(0), None);
        assert_eq!(text.line(1), Some("a"));
        assert_eq!(text.line(2), Some(""));
        assert_eq!(text.line(3), Some("b"));
        assert_eq!(text.line(4), None);
        assert_eq!(Text::new(String::new()).line(1), Some(""));
    }

    #[test]
    fn files_of_the_runtime_are_in_this_program() {
        for (directory, name) in [("/home", "<auspex>/auspex.h"), ("<runtime>", "./auspex.h")] {
            let text = text(&path(directory, name)).unwrap_or_default();
            assert!(text.contains("__auspex_choose"), "{name}");
        }
        assert!(text(&path("<runtime>", "nowhere.c")).is_none());
        assert_eq!(path("/home", "./a.c"), Path::new("/home/a.c"));
        assert_eq!(path("/home", "/usr/a.c"), Path::new("/usr/a.c"));
    }

    #[test]
    fn spans_are_words_or_lines() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("a.c");
        fs::write(&path, "int x;\n  f(x);  \n")?;
        let mut map = SourceMap::default();
        let mut spans = Spans::new(&mut map);
        let mut found = |line, column| {
            let span = spans.at(&path, line, column);
            span.map(|span| spans.map.snippet(span).to_owned())
        };
        assert_eq!(found(1, 5).as_deref(), Some("x"));
        assert_eq!(found(2, 3).as_deref(), Some("f"));
        assert_eq!(found(2, 4).as_deref(), Some("("));
        assert_eq!(found(2, 0).as_deref(), Some("f(x);"));
        assert_eq!(found(2, 99).as_deref(), Some("f(x);"));
        assert_eq!(found(9, 1), None);
        assert!(spans.at(Path::new("/nowhere/a.c"), 1, 1).is_none());
        Ok(())
    }
}
