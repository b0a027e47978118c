//! The model in an extended file as text: what the parser sees of it, and where it stands.

use std::path::Path;

use auspex_system::{Diagnostic, FileId, SourceMap, Span};

use crate::code_text::written_between;
use crate::parser::{Options, Reading};
use crate::preprocess::{Macros, Preprocessor, Report, Source};
use crate::strip::strip;
use crate::token::{Kind, Token, would_merge};

/// A token of the model.
#[derive(Clone, Debug)]
pub struct Word {
    pub text: String,
    /// Where it stands; for what a macro makes, where the macro is used.
    pub span: Span,
    /// It stands there like that.
    pub is_written: bool,
    /// It begins a line.
    pub is_first: bool,
    /// There must be a space before it.
    pub is_spaced: bool,
    /// A line of its own, for the preprocessor of the C in a block.
    pub is_directive: bool,
}

#[derive(Clone, Debug)]
pub struct ModelText {
    /// The file; others may be included.
    pub file: FileId,
    pub words: Vec<Word>,
    /// The comments of `file`, but for those in what is of the implementation only.
    pub comments: Vec<Span>,
}

/// Reads the model in a file; whether it is right Promela, only the parser can say.
pub fn model_text(
    map: &mut SourceMap,
    path: &Path,
    options: &Options,
) -> Result<ModelText, Vec<Diagnostic>> {
    let source = Source::read(path).map_err(|message| vec![Diagnostic::general(message)])?;
    of_source(map, source, options)
}

/// The same for a text that is in no file.
pub fn model_text_of(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    options: &Options,
) -> Result<ModelText, Vec<Diagnostic>> {
    of_source(map, Source::text(name, text), options)
}

fn of_source(
    map: &mut SourceMap,
    source: Source,
    options: &Options,
) -> Result<ModelText, Vec<Diagnostic>> {
    // Plain Promela has comments and code too, and none of the other words.
    let options = Options { reading: Reading::Model, ..options.clone() };
    let mut report = Report::default();
    let mut preprocessor = Preprocessor::new(map, &options, Macros::default(), &mut report);
    preprocessor.define_options();
    let (tokens, mut macros, mut comments) = preprocessor.run_noting_comments(source);
    let stripped = strip(&tokens, &mut macros.interner, &mut report);
    if !report.errors.is_empty() {
        return Err(report.errors);
    }
    // The end that all tokens are followed by is that of the file itself.
    let file = tokens.last().map_or(FileId(0), |end| end.span.file);
    comments.retain(|comment| comment.file == file && !is_inside(*comment, &stripped.removed));
    let mut words: Vec<Word> = Vec::with_capacity(stripped.tokens.len());
    let mut before: Option<&Token> = None;
    for token in stripped.tokens.iter().filter(|token| token.kind != Kind::End) {
        let text = macros.interner.text(token.symbol);
        let merges = words.last().is_some_and(|last| would_merge(&last.text, text))
            && before.is_none_or(|before| written_between(before, token, map).is_none());
        words.push(Word {
            text: text.to_owned(),
            span: token.span,
            is_written: !token.made,
            is_first: token.first,
            is_spaced: token.spaced || merges,
            is_directive: token.kind == Kind::Directive,
        });
        before = Some(token);
    }
    Ok(ModelText { file, words, comments })
}

fn is_inside(comment: Span, removed: &[Span]) -> bool {
    let contains = |span: &Span| {
        span.file == comment.file && span.start <= comment.start && comment.end <= span.end
    };
    removed.iter().any(contains)
}
