//! The lines that begin with `#`.

use std::path::{Path, PathBuf};

use auspex_system::{Diagnostic, Span};

use super::Preprocessor;
use super::source::{Condition, Source};
use crate::token::{Kind, Op, Token};

/// Files that include files.
const MAX_INCLUDES: usize = 200;

impl Preprocessor<'_> {
    /// Obeys the directive that `hash` begins and whose other tokens are `line`.
    pub fn directive(&mut self, hash: Token, line: &[Token]) {
        let Some((name, rest)) = line.split_first() else { return };
        let span = hash.span.to(name.span);
        let word = self.macros.interner.text(name.symbol).to_owned();
        match word.as_str() {
            "if" | "ifdef" | "ifndef" => self.open_condition(&word, rest, span),
            "elif" => self.else_if(rest, span),
            "else" => self.otherwise(span),
            "endif" => self.close_condition(span),
            _ if self.files.last().is_some_and(|file| file.is_skipping()) => {}
            "define" => self.define(rest, span),
            "undef" => self.undefine(rest, span),
            "include" => self.include(rest, span),
            "error" => {
                let message = format!("#error {}", self.line_text(rest));
                self.report.error(Diagnostic::error(span, message));
            }
            "warning" => {
                let message = format!("#warning {}", self.line_text(rest));
                self.report.warning(Diagnostic::warning(span, message));
            }
            "pragma" | "line" | "ident" | "sccs" => {}
            // `# 12 "file"`: the mark of another preprocessor that was here before.
            _ if name.kind == Kind::Number => {}
            _ => self.report.error(
                Diagnostic::error(span, format!("unknown directive `#{word}`"))
                    .hint("known are #define, #undef, #include, #if, #ifdef, #ifndef, #elif, #else, #endif, #error, #warning, #pragma and #line"),
            ),
        }
    }

    /// The rest of a line as it was written.
    fn line_text(&self, line: &[Token]) -> String {
        let (Some(first), Some(last)) = (line.first(), line.last()) else { return String::new() };
        self.map.snippet(first.span.to(last.span)).trim().to_owned()
    }

    fn open_condition(&mut self, word: &str, rest: &[Token], span: Span) {
        let skipping = self.files.last().is_some_and(|file| file.is_skipping());
        let holds = !skipping
            && match word {
                "if" => self.evaluate(rest, span),
                _ => self.is_defined(rest, span) == (word == "ifdef"),
            };
        let condition = Condition { span, holds, decided: holds || skipping, has_else: false };
        if let Some(file) = self.files.last_mut() {
            file.conditions.push(condition);
        }
    }

    fn is_defined(&mut self, rest: &[Token], span: Span) -> bool {
        match rest.first() {
            Some(name) if name.kind == Kind::Name => self.macros.table.contains_key(&name.symbol),
            _ => {
                self.report.error(Diagnostic::error(span, "expected the name of a macro"));
                false
            }
        }
    }

    fn else_if(&mut self, rest: &[Token], span: Span) {
        let Some(decided) = self.branch(span).map(|condition| condition.decided) else { return };
        let holds = !decided && self.evaluate(rest, span);
        if let Some(condition) = self.branch(span) {
            condition.holds = holds;
            condition.decided |= holds;
        }
    }

    fn otherwise(&mut self, span: Span) {
        if let Some(condition) = self.branch(span) {
            condition.holds = !condition.decided;
            condition.decided = true;
            condition.has_else = true;
        }
    }

    /// The condition that an `#elif` or `#else` at `span` belongs to.
    fn branch(&mut self, span: Span) -> Option<&mut Condition> {
        let condition = self.files.last_mut().and_then(|file| file.conditions.last_mut());
        let diagnostic = match &condition {
            None => Diagnostic::error(span, "there is no `#if` for this"),
            Some(condition) if condition.has_else => {
                Diagnostic::error(span, "this condition has had its `#else` already")
                    .note(condition.span, "the condition")
            }
            _ => return condition,
        };
        self.report.error(diagnostic);
        None
    }

    fn close_condition(&mut self, span: Span) {
        let closed = self.files.last_mut().and_then(|file| file.conditions.pop());
        if closed.is_none() {
            self.report.error(Diagnostic::error(span, "there is no `#if` for this `#endif`"));
        }
    }

    fn include(&mut self, rest: &[Token], span: Span) {
        let Some((name, local)) = self.include_name(rest) else {
            let hint = "write #include \"file\"";
            let diagnostic = Diagnostic::error(span, "expected the name of a file").hint(hint);
            return self.report.error(diagnostic);
        };
        if self.files.len() >= MAX_INCLUDES {
            self.report.error(
                Diagnostic::error(span, "files include each other too deeply")
                    .label(format!("at level {MAX_INCLUDES}"))
                    .hint("does a file include itself?"),
            );
            return self.stop();
        }
        match self.find(&name, local) {
            Ok(source) if self.spend(source.text.len() / 16 + 1, span) => self.open(source),
            Ok(_) => {}
            Err(message) => self.report.error(Diagnostic::error(span, message)),
        }
    }

    /// The file's name, and whether it stands in quotes rather than `< >`; macros may stand for it.
    fn include_name(&mut self, rest: &[Token]) -> Option<(String, bool)> {
        if let Some(found) = self.literal_name(rest) {
            return Some(found);
        }
        let expanded = self.expand_alone(rest.to_vec());
        self.literal_name(&expanded)
    }

    fn literal_name(&self, line: &[Token]) -> Option<(String, bool)> {
        let first = line.first()?;
        if first.kind == Kind::Str {
            let quoted = self.macros.interner.text(first.symbol);
            return Some((quoted.trim_matches('"').to_owned(), true));
        }
        let close =
            line.iter().find(|token| token.is(Op::Greater)).filter(|_| first.is(Op::Less))?;
        let between = Span { start: first.span.end, end: close.span.start, ..first.span };
        Some((self.map.snippet(between).to_owned(), false))
    }

    /// Looks beside the including file, then in the directories of `-I`.
    fn find(&self, name: &str, local: bool) -> Result<Source, String> {
        let beside = self.files.last().map(|file| file.directory.as_path());
        let candidates: Vec<PathBuf> = beside
            .filter(|_| local)
            .into_iter()
            .chain(self.options.include_dirs.iter().map(PathBuf::as_path))
            .map(|directory| directory.join(name))
            .collect();
        match candidates.iter().find(|path| path.is_file()) {
            Some(path) => Source::read(path),
            None => Err(not_found(name, &candidates)),
        }
    }
}

fn not_found(name: &str, candidates: &[PathBuf]) -> String {
    let places: Vec<String> = candidates
        .iter()
        .filter_map(|path| path.parent())
        .map(|path| if path == Path::new("") { Path::new(".") } else { path })
        .map(|path| path.display().to_string())
        .collect();
    match places.len() {
        0 => format!("cannot find `{name}`: no directory to look in (use -I)"),
        _ => format!("cannot find `{name}` in {}", places.join(", ")),
    }
}
