//! LF text to the syntax tree: a recursive descent parser that goes on after an error.

mod decl;
mod expr;
mod messages;
mod recover;
mod stmt;
mod types;

use auspex_system::{Diagnostic, FileId, SourceMap, Span};

use crate::ast::{self, Ident, StatementId};
use crate::lexer::{Lexed, lex};
use crate::token::{Keyword, Kind, Symbol, Token};

/// So deep may statements, types and parentheses be nested: whoever walks the tree does so recursively.
const MAX_DEPTH: usize = 200;
/// So many operators may one expression have: a long chain of them is a deep tree too.
const MAX_OPERATORS: usize = 1000;
const MAX_ERRORS: usize = 20;

pub fn parse(sources: &SourceMap, file: FileId) -> Result<ast::Module, Vec<Diagnostic>> {
    let mut parser = Parser::new(sources.text(file), file, 0)?;
    let module = parser.module();
    parser.finish(module)
}

/// Parses a piece of text that is nothing but an expression. Its first byte is at `offset` of the file.
pub fn parse_expression(
    _sources: &SourceMap,
    file: FileId,
    offset: u32,
    text: &str,
) -> Result<ast::Expr, Vec<Diagnostic>> {
    let mut parser = Parser::new(text, file, offset)?;
    let expr = parser.only_expression();
    parser.finish(expr)
}

/// Something was wrong, and has been reported.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// What separates more than operands where the parser is: these are no operators there.
#[derive(Clone, Copy, Default)]
struct Separators {
    /// `OR`, directly in an alternative of a `CHOICE`.
    or: bool,
    /// `|`, directly in an arm of a `CASE`.
    bar: bool,
}

struct Parser<'a> {
    text: &'a str,
    /// Offset of the text in its file.
    base: u32,
    tokens: Vec<Token>,
    at: usize,
    errors: Vec<Diagnostic>,
    /// The token at which the last error was: a second one there says nothing new.
    last_error: Option<usize>,
    depth: usize,
    operators: usize,
    statements: u32,
    separators: Separators,
    /// The module and the processes around, for the names behind their `END`.
    open: Vec<Ident>,
    /// The token behind the last `OR` that separated alternatives, and that `OR`.
    alternative: Option<(usize, Span)>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, file: FileId, base: u32) -> Result<Self, Vec<Diagnostic>> {
        if u32::try_from(text.len()).ok().and_then(|length| base.checked_add(length)).is_none() {
            return Err(vec![Diagnostic::general("a file of 4 GiB or more cannot be read")]);
        }
        let Lexed { tokens, mut errors, is_cut_off } = lex(text, file, base);
        if is_cut_off {
            errors.drain(..errors.len().saturating_sub(MAX_ERRORS));
            return Err(errors);
        }
        Ok(Parser {
            text,
            base,
            tokens,
            at: 0,
            errors,
            last_error: None,
            depth: 0,
            operators: 0,
            statements: 0,
            separators: Separators::default(),
            open: Vec::new(),
            alternative: None,
        })
    }

    /// The errors come in the order of the text: the lexer's among the parser's.
    fn finish<T>(mut self, result: Parsed<T>) -> Result<T, Vec<Diagnostic>> {
        match result {
            Ok(tree) if self.errors.is_empty() => Ok(tree),
            _ => {
                self.errors.sort_by_key(|error| error.span.map(|span| span.start));
                self.errors.truncate(MAX_ERRORS);
                Err(self.errors)
            }
        }
    }

    fn only_expression(&mut self) -> Parsed<ast::Expr> {
        let expr = self.expr()?;
        match self.peek().kind {
            Kind::End => Ok(expr),
            _ => Err(self.unexpected("an operator or the end of the expression")),
        }
    }
}

/// Looking at tokens and taking them.
impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The token `ahead` of the next one; behind the end there are more ends.
    fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn bump(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek().kind == Kind::Keyword(keyword)
    }

    fn at_symbol(&self, symbol: Symbol) -> bool {
        self.peek().kind == Kind::Symbol(symbol)
    }

    fn at_ident(&self) -> bool {
        self.peek().kind == Kind::Ident
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let is_there = self.at_keyword(keyword);
        if is_there {
            self.bump();
        }
        is_there
    }

    fn eat(&mut self, symbol: Symbol) -> bool {
        let is_there = self.at_symbol(symbol);
        if is_there {
            self.bump();
        }
        is_there
    }

    fn expect(&mut self, symbol: Symbol) -> Parsed<Span> {
        match self.at_symbol(symbol) {
            true => Ok(self.bump().span),
            false => Err(self.unexpected(&format!("`{}`", symbol.text()))),
        }
    }

    /// Takes a keyword; one in lower case is reported and taken for it.
    fn expect_keyword(&mut self, keyword: Keyword) -> Parsed<Span> {
        if self.at_keyword(keyword) || self.take_for_keyword(keyword) {
            return Ok(self.bump().span);
        }
        let error = self.expected(&format!("`{}`", keyword.text()));
        Err(match self.at_symbol(Symbol::Assign) {
            true => self.report(error.hint("`:=` assigns; a comparison is written `=`")),
            false => self.report(error),
        })
    }

    fn expect_ident(&mut self, what: &str) -> Parsed<Ident> {
        match self.at_ident() {
            true => Ok(self.ident()),
            false => Err(self.unexpected(what)),
        }
    }

    /// The next token, which is a name.
    fn ident(&mut self) -> Ident {
        let token = self.bump();
        Ident { text: self.text_of(token).to_string(), span: token.span }
    }

    fn text_of(&self, token: Token) -> &str {
        let local = |offset: u32| (offset - self.base) as usize;
        &self.text[local(token.span.start)..local(token.span.end)]
    }

    /// The last token that was taken.
    fn previous(&self) -> Token {
        self.tokens[self.at.saturating_sub(1)]
    }

    /// From `start` to the last token that was taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.previous().span)
    }

    /// Whether the token `ahead` stands on the line of the one before it.
    fn is_same_line(&self, ahead: usize) -> bool {
        let (before, after) = (self.peek_at(ahead.saturating_sub(1)), self.peek_at(ahead));
        let local = |offset: u32| (offset - self.base) as usize;
        let between = self.text.get(local(before.span.end)..local(after.span.start));
        !between.unwrap_or("").contains('\n')
    }

    fn next_id(&mut self) -> StatementId {
        let id = StatementId(self.statements);
        self.statements = self.statements.saturating_add(1);
        id
    }

    /// Parses something that is in something else, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.give_up("this is nested too deeply", "more than 200 levels"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Parses with other separators; the old ones are back behind it.
    fn separated<T>(&mut self, by: Separators, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.separators, by);
        let result = parse(self);
        self.separators = outer;
        result
    }

    /// One or more, with commas between them.
    fn list<T>(&mut self, mut parse: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![parse(self)?];
        while self.eat(Symbol::Comma) {
            list.push(parse(self)?);
        }
        Ok(list)
    }
}
