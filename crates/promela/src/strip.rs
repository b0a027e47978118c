//! The model in an extended file, token by token: wrappers of `promela_MS` and `env` are taken off, and what is of
//! the implementation only is taken out. What is left is Promela, for the parser and for Spin.

use auspex_system::{Diagnostic, Span};

use crate::ast::Primitive;
use crate::preprocess::Report;
use crate::token::{Interner, Keyword, Kind, Op, Token};
use crate::words::{CodeWord, ENVIRONMENT, MODEL_ONLY, code_word};

pub struct Stripped {
    pub tokens: Vec<Token>,
    /// The blocks that were taken out, as far as they stand in a file like that.
    pub removed: Vec<Span>,
}

/// `tokens` end with an `End`.
pub fn strip(tokens: &[Token], interner: &mut Interner, report: &mut Report) -> Stripped {
    let mut strip = Strip {
        tokens,
        at: 0,
        interner,
        report,
        kept: Vec::with_capacity(tokens.len()),
        removed: Vec::new(),
        braces: Vec::new(),
        brackets: 0,
        gap: None,
    };
    while strip.step() {}
    Stripped { tokens: strip.kept, removed: strip.removed }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// Of `promela_MS`; where the word stands.
    Wrapper(Span),
    Typedef,
    Other,
}

/// What was taken out since the last token that was kept.
struct Gap {
    /// The first token of it.
    start: Token,
    /// A line began in it; and behind its first token.
    first: bool,
    first_later: bool,
    spaced: bool,
    /// A wrapper ended in it, and its brace ended a statement.
    ends_statement: bool,
}

struct Strip<'a> {
    tokens: &'a [Token],
    at: usize,
    interner: &'a mut Interner,
    report: &'a mut Report,
    kept: Vec<Token>,
    removed: Vec<Span>,
    braces: Vec<Brace>,
    /// Open parentheses and brackets.
    brackets: usize,
    gap: Option<Gap>,
}

impl Strip<'_> {
    fn ahead(&self, offset: usize) -> Token {
        self.tokens[(self.at + offset).min(self.tokens.len() - 1)]
    }

    fn text(&self, token: Token) -> &str {
        self.interner.text(token.symbol)
    }

    /// Deals with the next token; `false` at the end.
    fn step(&mut self) -> bool {
        let token = self.ahead(0);
        match token.kind {
            Kind::End => {
                if let Some(Brace::Wrapper(word)) = self.braces.last() {
                    self.report.error(unclosed(*word, MODEL_ONLY));
                }
                self.keep();
                return false;
            }
            Kind::Name => self.word(token),
            Kind::Op(Op::CloseBrace) => self.closing_brace(),
            Kind::Op(Op::OpenBrace) => {
                let is_typedef = self.kept.len() > 1
                    && self.kept[self.kept.len() - 2].is_keyword(Keyword::Typedef);
                self.braces.push(if is_typedef { Brace::Typedef } else { Brace::Other });
                self.keep();
            }
            Kind::Op(Op::OpenParen | Op::OpenBracket) => {
                self.brackets += 1;
                self.keep();
            }
            Kind::Op(Op::CloseParen | Op::CloseBracket) => {
                self.brackets = self.brackets.saturating_sub(1);
                self.keep();
            }
            Kind::Op(Op::Semicolon | Op::Arrow) if self.separates_nothing() => self.remove(),
            _ => self.keep(),
        }
        true
    }

    fn closing_brace(&mut self) {
        if let Some(Brace::Wrapper(_)) = self.braces.last() {
            self.remove();
            if let Some(gap) = &mut self.gap {
                gap.ends_statement = true;
            }
        } else {
            self.keep();
        }
        self.braces.pop();
    }

    fn word(&mut self, token: Token) {
        let next = self.ahead(1);
        match (self.text(token), code_word(self.text(token))) {
            (MODEL_ONLY, _) if next.is(Op::OpenBrace) => {
                self.braces.push(Brace::Wrapper(token.span));
                self.remove();
                self.remove();
            }
            (MODEL_ONLY, _) => {
                let message = format!("expected `{{` behind `{MODEL_ONLY}`");
                self.report.error(Diagnostic::error(next.span, message));
                self.remove();
            }
            (ENVIRONMENT, _) if before_proctype(next) => self.remove(),
            (_, Some(word)) => self.code(token, word),
            _ => self.keep(),
        }
    }

    /// A block of C or Rust: taken out if it is of the implementation only, and left alone if not.
    fn code(&mut self, token: Token, word: CodeWord) {
        if matches!(word.primitive, Primitive::State | Primitive::Track) {
            return self.keep();
        }
        let name = self.text(token).to_owned();
        let length = match code_length(&self.tokens[self.at..]) {
            Ok(length) => length,
            Err(Malformed::NoBrace(found)) => {
                let message = format!("expected `{{` behind `{name}`");
                self.report.error(Diagnostic::error(found.span, message));
                return self.keep();
            }
            Err(Malformed::Open) => {
                self.report.error(unclosed(token.span, &name));
                // Everything behind it is code, as far as anybody can tell.
                self.at = self.tokens.len() - 1;
                return;
            }
        };
        if !word.specific {
            (0..length).for_each(|_| self.keep());
            return;
        }
        if word.primitive == Primitive::Expr && self.is_operand(self.ahead(length)) {
            let message = format!("`{name}` is only a part of this expression");
            let hint = format!(
                "the model has nothing in its place: let `{name} {{ ... }}` be a condition of its own, and say with `{MODEL_ONLY} {{ ... }}` beside it what the model asks instead"
            );
            self.report.error(Diagnostic::error(token.span, message).hint(hint));
        }
        let end = self.ahead(length - 1);
        if !token.made && !end.made && token.span.file == end.span.file {
            self.removed.push(token.span.to(end.span));
        }
        (0..length).for_each(|_| self.remove());
    }

    /// Is the condition that comes next, with `next` behind it, only a part of one?
    fn is_operand(&self, next: Token) -> bool {
        use Op::{Arrow, Bang, CloseBrace, Colon, OpenBrace, OpenParen, Options, Semicolon, Tilde};
        let is_any = |token: &Token, ops: &[Op]| ops.iter().any(|op| token.is(*op));
        let is_op = |token: &Token| matches!(token.kind, Kind::Op(_));
        let before = [Arrow, CloseBrace, Colon, OpenBrace, Options, Semicolon];
        let behind = [Arrow, CloseBrace, OpenBrace, OpenParen, Options, Semicolon, Bang, Tilde];
        let last = self.kept.last().filter(|_| !self.ahead(0).first);
        self.brackets > 0
            || last.is_some_and(|last| is_op(last) && !is_any(last, &before))
            || (is_op(&next) && !is_any(&next, &behind))
    }

    fn remove(&mut self) {
        let token = self.ahead(0);
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        let is_later = self.gap.is_some();
        let gap = self.gap.get_or_insert(Gap {
            start: token,
            first: false,
            first_later: false,
            spaced: false,
            ends_statement: false,
        });
        gap.first |= token.first;
        gap.first_later |= token.first && is_later;
        gap.spaced |= token.spaced;
    }

    fn keep(&mut self) {
        let mut token = self.ahead(0);
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        if let Some(gap) = self.gap.take() {
            let was_made = self.fill(&gap, token);
            token.first |= if was_made { gap.first_later } else { gap.first };
            token.spaced |= gap.spaced;
            // The brace before it is gone, and Spin ends a statement where its line ends.
            token.first &= !token.is_keyword(Keyword::Unless);
        }
        self.kept.push(token);
    }

    /// A separator behind something that was taken out, where there is nothing left to separate.
    fn separates_nothing(&self) -> bool {
        self.gap.is_some()
            && self.brackets == 0
            && self.kept.last().is_none_or(|last| starts_sequence(*last) || is_separator(*last))
    }

    /// Puts in what is missing now: something to do where there was only code, and a separator where the brace of
    /// a wrapper was one. Was it something to do?
    fn fill(&mut self, gap: &Gap, next: Token) -> bool {
        let brace = self.braces.iter().rev().find(|brace| !matches!(brace, Brace::Wrapper(_)));
        let in_body = brace == Some(&Brace::Other) && self.brackets == 0;
        let Some(last) = self.kept.last().copied() else { return false };
        let closes = closes_sequence(next);
        let is_empty = starts_sequence(last) && closes
            || is_separator(last) && next.is_keyword(Keyword::Unless)
            || last.is_keyword(Keyword::Unless);
        if is_empty && in_body {
            self.make("skip", Kind::Name, gap.start);
            return true;
        }
        if gap.ends_statement
            && !(closes || starts_sequence(last) || last.is(Op::CloseBrace))
            && !(is_separator(last) || is_separator(next))
        {
            let end = Span { start: last.span.end, ..last.span };
            let behind = Token { span: end, spaced: false, first: false, ..last };
            self.make(";", Kind::Op(Op::Semicolon), behind);
        }
        false
    }

    fn make(&mut self, text: &str, kind: Kind, place: Token) {
        let symbol = self.interner.intern(text);
        self.kept.push(Token { kind, symbol, made: true, painted: false, ..place });
    }
}

/// Is this what `env` stands before?
pub fn before_proctype(token: Token) -> bool {
    let words = [Keyword::Active, Keyword::Proctype, Keyword::DProctype];
    token.keyword().is_some_and(|keyword| words.contains(&keyword))
}

pub enum Malformed {
    /// Instead of the brace, there is this.
    NoBrace(Token),
    /// The end comes before the closing brace.
    Open,
}

/// How many tokens a block of code is: its word, perhaps a condition in brackets, and the braces.
pub fn code_length(tokens: &[Token]) -> Result<usize, Malformed> {
    let mut at = 1;
    if tokens[at].is(Op::OpenBracket) {
        at += balanced(&tokens[at..], Op::OpenBracket, Op::CloseBracket).ok_or(Malformed::Open)?;
    }
    match tokens[at].is(Op::OpenBrace) {
        true => {
            let inside = balanced(&tokens[at..], Op::OpenBrace, Op::CloseBrace);
            inside.map(|length| at + length).ok_or(Malformed::Open)
        }
        false => Err(Malformed::NoBrace(tokens[at])),
    }
}

/// The length of what begins with `open`, up to its partner; never up to the last token, the `End`.
fn balanced(tokens: &[Token], open: Op, close: Op) -> Option<usize> {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate() {
        depth += usize::from(token.is(open));
        depth -= usize::from(token.is(close));
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

pub fn unclosed(word: Span, name: &str) -> Diagnostic {
    Diagnostic::error(word, format!("this `{name}` has no `}}`"))
        .label("opened here")
        .hint("every `{` in it needs its `}`; those in strings and comments do not count")
}

fn is_separator(token: Token) -> bool {
    matches!(token.kind, Kind::Op(Op::Semicolon | Op::Arrow))
}

/// Can the first statement of a sequence stand behind this? A colon belongs to a label.
fn starts_sequence(token: Token) -> bool {
    matches!(token.kind, Kind::Op(Op::OpenBrace | Op::Options | Op::Colon))
}

fn closes_sequence(token: Token) -> bool {
    matches!(token.kind, Kind::Op(Op::CloseBrace | Op::Options) | Kind::End)
        || matches!(token.keyword(), Some(Keyword::Fi | Keyword::Od | Keyword::Unless))
}
