//! What the parser says when something is wrong.

use auspex_system::{Diagnostic, Span};

use super::{Failed, Parser, Reading};
use crate::ast::Name;
use crate::token::{Keyword, Kind, Op, Token};

impl Parser {
    /// Reports an error, with the calls of inlines that lead to it.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        let mut diagnostic = diagnostic;
        for (name, span) in self.calls.iter().rev().take(3) {
            let name = self.macros.interner.text(*name);
            diagnostic.notes.push((*span, format!("in this call of inline `{name}`")));
        }
        self.report.error(diagnostic);
        Failed
    }

    /// Reports that something else should stand where the next token stands.
    pub(super) fn expected(&mut self, what: &str) -> Failed {
        let token = self.peek();
        let diagnostic = self.mismatch(token, what);
        self.fail(diagnostic)
    }

    pub(super) fn expected_hint(&mut self, what: &str, hint: &str) -> Failed {
        let token = self.peek();
        let diagnostic = self.mismatch(token, what).hint(hint);
        self.fail(diagnostic)
    }

    fn mismatch(&self, token: Token, what: &str) -> Diagnostic {
        let message = match self.strange(token) {
            Some(message) => message,
            None => format!("expected {what}, found {}", self.found(token)),
        };
        let label = match token.made && token.kind != Kind::End {
            true => "after the expansion of this",
            false => "",
        };
        let diagnostic = Diagnostic::error(token.span, message).label(label);
        match self.common_mistake(token) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    /// The message about a token that is right nowhere.
    fn strange(&self, token: Token) -> Option<String> {
        let text = self.text(token);
        Some(match token.kind {
            Kind::OpenString => "this string has no closing quote on its line".to_owned(),
            Kind::OpenChar => "this character constant has no closing quote".to_owned(),
            Kind::Unknown if text == "\u{fffd}" => {
                "here is a byte that is not UTF-8 text".to_owned()
            }
            Kind::Unknown => format!("unexpected character `{}`", text.escape_debug()),
            _ => return None,
        })
    }

    fn found(&self, token: Token) -> String {
        match token.kind {
            Kind::End if self.text(token).is_empty() => "the end of the file".to_owned(),
            Kind::End => self.text(token).to_owned(),
            _ if token.keyword().is_some() => format!("the keyword `{}`", self.text(token)),
            _ => format!("`{}`", self.text(token)),
        }
    }

    /// What people who write this token here usually mean.
    fn common_mistake(&self, token: Token) -> Option<String> {
        let hint = match token.kind {
            Kind::Op(Op::Assign) => {
                "to compare, write `==`; an assignment is a statement of its own"
            }
            Kind::Op(Op::SortedSend) => "for a double negation, write `!(!x)`",
            Kind::Op(Op::Increment | Op::Decrement) => {
                "`x++` is a statement of its own in Promela, not a part of an expression"
            }
            Kind::Op(Op::Bang) => "a send is a statement of its own, not a part of an expression",
            Kind::Op(Op::Question | Op::RandomReceive) => {
                "in an expression, only the test `q?[...]` is possible; a choice between two values is written `(c -> a : b)`"
            }
            Kind::Op(Op::Hash) => {
                "a directive of the preprocessor must be the first thing in its line"
            }
            _ => return self.keyword_mistake(token),
        };
        Some(hint.to_owned())
    }

    fn keyword_mistake(&self, token: Token) -> Option<String> {
        Some(match token.keyword()? {
            Keyword::Else => {
                "`else` stands behind `::`, as the last option of an `if` or `do`".to_owned()
            }
            Keyword::Eval => "`eval(...)` is possible only in a receive".to_owned(),
            Keyword::SetPriority => "`set_priority` is a statement of its own".to_owned(),
            Keyword::Printf | Keyword::Printm | Keyword::Assert => {
                format!("`{}` is a statement of its own", self.text(token))
            }
            _ if self.ahead(1).is(Op::Assign) || self.ahead(1).is(Op::Colon) => {
                let text = self.text(token);
                format!("`{text}` is a keyword: choose another name, such as `{text}_`")
            }
            _ => return None,
        })
    }

    /// Reports a bracket that is not closed, with the place where it was opened.
    pub(super) fn expected_closing(&mut self, close: Op, opening: Token) -> Failed {
        let token = self.peek();
        let diagnostic = self
            .mismatch(token, &format!("`{}`", close.text()))
            .note(opening.span, format!("to close this `{}`", self.text(opening)));
        let diagnostic = match self.reading != Reading::Plain && token.kind == Kind::End {
            true => diagnostic.hint("a `{` in a block of code may lack its `}` and take this one"),
            false => diagnostic,
        };
        self.fail(diagnostic)
    }

    pub(super) fn too_deep(&mut self) -> Failed {
        let message = "this is nested too deeply";
        let diagnostic = Diagnostic::error(self.peek().span, message)
            .hint(format!("at most {} levels are possible", super::MAX_NESTING));
        self.fail(diagnostic)
    }

    /// Takes the name of a new or known thing: `what` is `a variable`, `a label` ...
    pub(super) fn name(&mut self, what: &str) -> Result<Name, Failed> {
        let token = self.peek();
        if token.kind != Kind::Name {
            let what = format!("the name of {what}");
            return Err(match token.made && token.kind == Kind::Number {
                true => self.expected_hint(&what, "this is the name of a macro: choose another"),
                false => self.expected(&what),
            });
        }
        match token.keyword() {
            Some(Keyword::In) | None => {
                self.bump();
                Ok(self.named(token))
            }
            Some(_) => Err(self.keyword_as_name(token, what)),
        }
    }

    fn keyword_as_name(&mut self, token: Token, what: &str) -> Failed {
        let text = self.text(token).to_owned();
        let message = format!("expected the name of {what}, found the keyword `{text}`");
        self.fail(Diagnostic::error(token.span, message).hint(format!(
            "`{text}` is a keyword since Spin 6 at the latest: choose another name, such as `{text}_`"
        )))
    }

    pub(super) fn named(&self, token: Token) -> Name {
        Name { text: self.text(token).to_owned(), span: token.span }
    }

    /// Embedded C cannot be checked.
    pub(super) fn embedded_c(&mut self) -> Failed {
        let token = self.bump();
        let text = self.text(token).to_owned();
        let hint = "model its effect in Promela: variables for the C state, assignments for what the code does, and a choice (`if`, `select`) for what it may return";
        let hint = match self.reading {
            Reading::Model => {
                format!("what is for the program only is written `{text}_IS`; else {hint}")
            }
            _ => hint.to_owned(),
        };
        let failed = self.fail(
            Diagnostic::error(token.span, format!("embedded C (`{text}`) is not supported"))
                .label("this would run inside Spin's own verifier")
                .hint(hint),
        );
        self.skip_c_block();
        failed
    }

    pub(super) fn unknown_type(&mut self, token: Token) -> Failed {
        let text = self.text(token).to_owned();
        let hint = match text.as_str() {
            "char" | "uint8_t" | "u8" | "uchar" => "use `byte`".to_owned(),
            "long" | "int32_t" | "signed" | "integer" | "i32" => "use `int`".to_owned(),
            "int16_t" => "use `short`".to_owned(),
            "uint" | "uint16_t" | "uint32_t" => "use `unsigned x : WIDTH`".to_owned(),
            "boolean" | "_Bool" => "use `bool`".to_owned(),
            "float" | "double" => "Promela has no fractions: use a scaled `int`".to_owned(),
            "struct" | "enum" | "union" => {
                "use `typedef NAME { ... }` for records and `mtype = { ... }` for names".to_owned()
            }
            "const" | "static" | "void" | "volatile" => format!("Promela has no `{text}`"),
            "while" | "switch" | "case" => c_statement_hint(&text),
            _ => format!("a type `{text}` must be declared by `typedef` before its use"),
        };
        let message = format!("unknown type `{text}`");
        self.fail(Diagnostic::error(token.span, message).hint(hint))
    }

    pub(super) fn missing_separator(&mut self, after: Span) -> Failed {
        let token = self.peek();
        let end = Span { start: after.end, ..after };
        let mut diagnostic = self.mismatch(token, "`;` or `->`").note(end, "after this statement");
        diagnostic.hint = diagnostic.hint.or_else(|| {
            let previous = self.text(self.previous());
            C_WORDS.contains(&previous).then(|| c_statement_hint(previous))
        });
        self.fail(diagnostic)
    }
}

pub(super) const C_WORDS: [&str; 7] =
    ["while", "switch", "case", "continue", "default", "until", "repeat"];

pub(super) fn c_statement_hint(word: &str) -> String {
    match word {
        "continue" => "to go on with the next round of a `do`, let the option end here".to_owned(),
        "switch" | "case" | "default" => {
            "a choice is written `if :: x == 1 -> ... :: else -> ... fi`".to_owned()
        }
        _ => "a loop is written `do :: condition -> ... :: else -> break od`".to_owned(),
    }
}
