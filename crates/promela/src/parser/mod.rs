//! Promela text to the syntax tree: a recursive descent parser that goes on after an error.

mod channel;
mod claim;
mod code;
mod decl;
mod expr;
mod formula;
mod inline;
mod item;
mod literal;
mod messages;
mod recover;
mod stmt;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use auspex_system::{Diagnostic, SourceMap, Span};

use crate::ast;
use crate::preprocess::{Preprocessor, Report, Source};
use crate::strip::strip;
use crate::token::{Keyword, Kind, Op, Symbol, Token, join};
pub(crate) use literal::character_value;

pub use crate::preprocess::Macros;

/// What the preprocessor is told on the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D NAME` and `-D NAME=VALUE`
    pub defines: Vec<(String, Option<String>)>,
    /// `-I DIR`
    pub include_dirs: Vec<PathBuf>,
    pub reading: Reading,
}

/// What a file is read as. The words of the extended language (`promela_MS`, `env`, `c_code_IS` and its like)
/// are ordinary names in plain Promela.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    #[default]
    Plain,
    /// The model in an extended file: what is of the implementation only is gone.
    Model,
    /// All of an extended file.
    Implementation,
}

#[derive(Clone, Debug)]
pub struct Parsed {
    pub program: ast::Program,
    pub warnings: Vec<Diagnostic>,
    pub macros: Macros,
}

/// Reads and parses a file; the files that it includes are added to `map` too.
pub fn parse_file(
    map: &mut SourceMap,
    path: &Path,
    options: &Options,
) -> Result<Parsed, Vec<Diagnostic>> {
    let source = Source::read(path).map_err(|message| vec![Diagnostic::general(message)])?;
    parse_source(map, source, options)
}

/// Parses a text that is in no file.
pub fn parse_text(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    options: &Options,
) -> Result<Parsed, Vec<Diagnostic>> {
    parse_source(map, Source::text(name, text), options)
}

fn parse_source(
    map: &mut SourceMap,
    source: Source,
    options: &Options,
) -> Result<Parsed, Vec<Diagnostic>> {
    let mut report = Report::default();
    let mut preprocessor = Preprocessor::new(map, options, Macros::default(), &mut report);
    preprocessor.define_options();
    let (mut tokens, mut macros) = preprocessor.run(source);
    if options.reading == Reading::Model {
        tokens = strip(&tokens, &mut macros.interner, &mut report).tokens;
    }
    // Without a macro or a file, what follows would be a flood of errors that are none.
    if !report.errors.is_empty() {
        return Err(report.errors);
    }
    let mut parser = Parser::new(tokens, macros, report);
    parser.reading = options.reading;
    if options.reading == Reading::Implementation {
        parser.sources = map.clone();
    }
    let program = parser.program();
    let Parser { macros, report, .. } = parser;
    match report.errors.is_empty() {
        true => Ok(Parsed { program, warnings: report.warnings, macros }),
        false => Err(report.errors),
    }
}

/// Parses an expression from elsewhere (`--watch`) in which the model's macros mean what they mean there.
pub fn parse_expression(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    macros: &Macros,
) -> Result<ast::Expr, Vec<Diagnostic>> {
    let mut report = Report::default();
    let options = Options::default();
    let preprocessor = Preprocessor::new(map, &options, macros.clone(), &mut report);
    let (tokens, macros) = preprocessor.run(Source::text(name, text));
    if !report.errors.is_empty() {
        return Err(report.errors);
    }
    let mut parser = Parser::new(tokens, macros, report);
    match parser.only_expression() {
        Ok(expr) if parser.report.errors.is_empty() => Ok(expr),
        _ => Err(parser.report.errors),
    }
}

/// Parses a formula from elsewhere (`--ltl`), likewise; with warnings.
pub fn parse_formula(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    macros: &Macros,
) -> Result<(ast::Ltl, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut report = Report::default();
    let options = Options::default();
    let preprocessor = Preprocessor::new(map, &options, macros.clone(), &mut report);
    let (mut tokens, macros) = preprocessor.run(Source::text(name, text));
    if !report.errors.is_empty() {
        return Err(report.errors);
    }
    let end = tokens[tokens.len() - 1].span;
    let mut parser = Parser::new(tokens.clone(), macros, report);
    tokens.pop();
    let Some(first) = tokens.first() else {
        return Err(vec![Diagnostic::error(end, "this formula is empty")]);
    };
    let span = cover(first.span, end);
    match parser.formula(&tokens, span) {
        Ok(ltl) if parser.report.errors.is_empty() => Ok((ltl, parser.report.warnings)),
        _ => Err(parser.report.errors),
    }
}

/// An error that is in the report already.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// Statements and expressions inside each other: enough for every model, and safe on a small stack.
const MAX_NESTING: usize = 150;

/// Outside of all blocks, the end of a line ends nothing: as in a bracket.
const OUTSIDE: usize = 1;

struct Parser {
    reading: Reading,
    /// For the text of code blocks: only the implementation reading has them.
    sources: SourceMap,
    /// What is parsed: the program, or the body of an inline while one is called.
    tokens: Vec<Token>,
    at: usize,
    macros: Macros,
    report: Report,
    typedefs: HashMap<Symbol, Span>,
    mtypes: HashMap<Symbol, Span>,
    inlines: HashMap<Symbol, inline::Inline>,
    /// The inlines whose bodies are being parsed, with the places of their calls.
    calls: Vec<(Symbol, Span)>,
    /// Open parentheses and brackets in the current statement: while there are some, the end of a
    /// line ends nothing.
    brackets: usize,
    nesting: usize,
    /// How many tokens inlines may still make.
    budget: usize,
}

impl Parser {
    fn new(tokens: Vec<Token>, macros: Macros, report: Report) -> Self {
        Parser {
            reading: Reading::Plain,
            sources: SourceMap::default(),
            budget: inline::MAX_TOKENS,
            tokens,
            at: 0,
            macros,
            report,
            typedefs: HashMap::new(),
            mtypes: HashMap::new(),
            inlines: HashMap::new(),
            calls: Vec::new(),
            brackets: OUTSIDE,
            nesting: 0,
        }
    }

    /// The token `offset` behind the next one; the `End` is never passed.
    fn ahead(&self, offset: usize) -> Token {
        self.tokens[(self.at + offset).min(self.tokens.len() - 1)]
    }

    fn peek(&self) -> Token {
        self.ahead(0)
    }

    fn keyword(&self) -> Option<Keyword> {
        self.peek().keyword()
    }

    /// The token before the next one.
    fn previous(&self) -> Token {
        self.tokens[self.at.saturating_sub(1)]
    }

    fn bump(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is(&self, op: Op) -> bool {
        self.peek().is(op)
    }

    fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    fn eat(&mut self, op: Op) -> bool {
        let found = self.is(op);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.peek().is_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, op: Op) -> Parse<Token> {
        match self.is(op) {
            true => Ok(self.bump()),
            false => Err(self.expected(&format!("`{}`", op.text()))),
        }
    }

    /// Takes a separator: `;` and `->` are the same to Promela.
    fn eat_separator(&mut self) -> bool {
        self.eat(Op::Semicolon) || self.eat(Op::Arrow)
    }

    /// Would Spin see a `;` here, because the line before ends a statement?
    fn is_new_line(&self) -> bool {
        self.brackets == 0 && self.peek().first
    }

    fn text(&self, token: Token) -> &str {
        self.macros.interner.text(token.symbol)
    }

    /// The tokens from number `start` to here, as written.
    fn text_from(&self, start: usize) -> String {
        join(&self.tokens[start..self.at.max(start)], &self.macros.interner)
    }

    /// From token number `start` to the one before the next.
    fn span_from(&self, start: usize) -> Span {
        cover(self.tokens[start].span, self.previous().span)
    }

    /// Parses `( inside )`.
    fn parenthesised<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.enclosed(Op::OpenParen, Op::CloseParen, inside)
    }

    fn enclosed<T>(
        &mut self,
        open: Op,
        close: Op,
        inside: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let opening = self.expect(open)?;
        self.brackets += 1;
        let result = inside(self).and_then(|value| {
            // Spin drops a `;` before every `}`.
            while close == Op::CloseBrace && self.eat(Op::Semicolon) {}
            match self.is(close) {
                true => Ok(value),
                false => Err(self.expected_closing(close, opening)),
            }
        });
        self.brackets -= 1;
        let value = result?;
        self.bump();
        Ok(value)
    }

    /// Runs `inside` one level deeper.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            return Err(self.too_deep());
        }
        self.nesting += 1;
        let result = inside(self);
        self.nesting -= 1;
        result
    }

    /// One or more, with commas between them.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut elements = vec![element(self)?];
        while self.eat(Op::Comma) {
            elements.push(element(self)?);
        }
        Ok(elements)
    }
}

/// The range from the first to the last place of both. Where an argument of a macro meets the macro's
/// own text, that is the whole use of the macro.
fn cover(a: Span, b: Span) -> Span {
    match a.file == b.file {
        true => Span { file: a.file, start: a.start.min(b.start), end: a.end.max(b.end) },
        false => a,
    }
}
