//! What is said about mistakes.

use auspex_system::{Diagnostic, Span};

use super::{Failed, MAX_ERRORS, Parser};
use crate::lexer::shortened;
use crate::token::{Keyword, Kind, Symbol, Token};

impl Parser<'_> {
    /// Reports an error that was noticed at the next token.
    pub(super) fn report(&mut self, error: Diagnostic) -> Failed {
        // Behind a string without an end all sorts of things are missing.
        let is_aftermath = self.previous().kind == Kind::OpenString && !self.errors.is_empty();
        if self.last_error != Some(self.at) && !is_aftermath && self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
        self.last_error = Some(self.at);
        // With so many errors, nobody reads on.
        if self.errors.len() >= MAX_ERRORS {
            self.skip_all();
        }
        Failed
    }

    /// Reports something after which there is no going on.
    pub(super) fn give_up(&mut self, message: &str, label: &str) -> Failed {
        let error = Diagnostic::error(self.peek().span, message).label(label);
        self.report(error);
        self.skip_all();
        Failed
    }

    fn skip_all(&mut self) {
        self.at = self.tokens.len() - 1;
        self.last_error = Some(self.at);
    }

    /// Something else than `wanted` is there.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Failed {
        let error = self.expected(wanted);
        self.report(error)
    }

    /// The error for `unexpected`, with a hint if the next token is a usual mistake.
    pub(super) fn expected(&self, wanted: &str) -> Diagnostic {
        let token = self.peek();
        let message = format!("expected {wanted}, found {}", self.describe(token));
        let error = Diagnostic::error(token.span, message).label(format!("expected {wanted}"));
        let hint = self.hint_about(token).or_else(|| self.hint_about_previous());
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    pub(super) fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::End => "the end of the text".to_string(),
            Kind::String | Kind::OpenString => "a string".to_string(),
            _ => format!("`{}`", shortened(self.text_of(token))),
        }
    }

    /// What is at the next token; an `END` with its name, if it is that of something around.
    pub(super) fn found_end(&self) -> (String, Span) {
        let (token, name) = (self.peek(), self.peek_at(1));
        match self.at_named_end() {
            true => (format!("`END {}`", self.text_of(name)), token.span.to(name.span)),
            false => (self.describe(token), token.span),
        }
    }

    fn hint_about(&self, token: Token) -> Option<String> {
        match token.kind {
            Kind::Ident => word_hint(self.text_of(token)),
            Kind::Symbol(symbol) => symbol_hint(symbol).map(str::to_string),
            _ => None,
        }
    }

    /// `array 10 OF`: what stands in the wrong place is behind what was written wrongly.
    fn hint_about_previous(&self) -> Option<String> {
        let token = self.previous();
        match token.kind {
            Kind::Ident if self.at > 0 => word_hint(self.text_of(token)),
            _ => None,
        }
    }

    /// Takes the next token, a name like `while`, for the keyword that it must have been meant to be.
    pub(super) fn take_for_keyword(&mut self, keyword: Keyword) -> bool {
        let token = self.peek();
        let text = self.text_of(token);
        if token.kind != Kind::Ident || Keyword::meant_by(text) != Some(keyword) {
            return false;
        }
        let error =
            Diagnostic::error(token.span, format!("expected `{}`, found `{text}`", keyword.text()))
                .label("not in capitals")
                .hint(capitals(keyword));
        self.replace_by_keyword(error, keyword);
        true
    }

    /// Reports an error about the next token and makes it a keyword. The report may be the last one, and then the next
    /// token is the end, which must stay.
    pub(super) fn replace_by_keyword(&mut self, error: Diagnostic, keyword: Keyword) {
        let at = self.at;
        self.report(error);
        self.tokens[at].kind = Kind::Keyword(keyword);
    }

    /// An operator of another language; what it must have been meant to be is said, and the parser goes on with that.
    pub(super) fn foreign(&mut self, found: &str, hint: &str, span: Span) {
        let error = Diagnostic::error(span, format!("there is no operator `{found}`"));
        self.report(error.label("not in this language").hint(hint));
    }

    /// The statement at `start` is wrong. If an `OR` in a `CHOICE` is before it, that may be the reason.
    pub(super) fn explain_or(&self, error: Diagnostic, start: usize) -> Diagnostic {
        match self.alternative {
            Some((token, or)) if token == start => error
                .note(or, "this `OR` begins another alternative of the `CHOICE`")
                .hint("put a disjunction in parentheses here: `(a OR b)`"),
            _ => error,
        }
    }
}

pub(super) fn capitals(keyword: Keyword) -> String {
    format!("did you mean `{}`? keywords are in capitals", keyword.text())
}

fn word_hint(text: &str) -> Option<String> {
    let hint = match text.to_ascii_lowercase().as_str() {
        "and" => "conjunction is written `&`",
        "not" => "negation is written `~`",
        "procedure" | "function" => "there are processes only: `PROCESS`",
        "elseif" | "elif" => "did you mean `ELSIF`?",
        // `In` and `Of` may well be names.
        lower if lower == text => return Keyword::meant_by(text).map(capitals),
        _ => return None,
    };
    Some(hint.to_string())
}

pub(super) fn symbol_hint(symbol: Symbol) -> Option<&'static str> {
    Some(match symbol {
        Symbol::EqualEqual => "equality is written `=`",
        Symbol::BangEqual | Symbol::LessGreater | Symbol::TildeEqual => "inequality is written `#`",
        Symbol::AmpAmp => "conjunction is written `&`",
        Symbol::Percent => "the remainder is written `MOD`",
        Symbol::Bang => "negation is written `~`",
        _ => return None,
    })
}
