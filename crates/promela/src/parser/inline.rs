//! Inlines: their bodies are kept as tokens and parsed anew at every call, as Spin does.

use std::rc::Rc;

use auspex_system::{Diagnostic, Span};

use super::{Failed, Parse, Parser};
use crate::ast::StmtKind;
use crate::token::{Kind, Op, Symbol, Token};

/// Tokens that the calls of inlines may make: far above any real model, and below what hurts.
pub(super) const MAX_TOKENS: usize = 1_000_000;

#[derive(Clone)]
pub(super) struct Inline {
    span: Span,
    parameters: Vec<Symbol>,
    /// With its braces.
    body: Rc<[Token]>,
}

impl Parser {
    /// `inline name(parameters) { body }`
    pub(super) fn inline_definition(&mut self) -> Parse<()> {
        self.bump();
        let symbol = self.peek().symbol;
        let name = self.name("an inline")?;
        let parameters = self.parenthesised(|parser| match parser.is(Op::CloseParen) {
            true => Ok(Vec::new()),
            false => parser.list(Self::inline_parameter),
        })?;
        let inside = self.braced_tokens()?;
        let body = self.tokens[inside.start - 1..inside.end + 1].into();
        if let Some(first) = self.inlines.get(&symbol) {
            let message = format!("inline `{}` is defined twice", name.text);
            let first = first.span;
            return Err(
                self.fail(Diagnostic::error(name.span, message).note(first, "first defined here"))
            );
        }
        self.inlines.insert(symbol, Inline { span: name.span, parameters, body });
        Ok(())
    }

    fn inline_parameter(&mut self) -> Parse<Symbol> {
        if super::decl::is_basic_type(self.peek()) {
            let hint = "the parameters of an inline are replaced as text: they have no types";
            return Err(self.expected_hint("the name of a parameter", hint));
        }
        let symbol = self.peek().symbol;
        self.name("a parameter").map(|_| symbol)
    }

    /// The name of an inline comes next.
    pub(super) fn at_inline(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Name && self.inlines.contains_key(&token.symbol)
    }

    pub(super) fn inline_call(&mut self) -> Parse<StmtKind> {
        let start = self.at;
        let token = self.bump();
        let name = self.named(token);
        let Some(inline) = self.inlines.get(&token.symbol).cloned() else {
            return Err(self.expected("an inline"));
        };
        let arguments = self.parenthesised(Self::inline_arguments)?;
        let span = self.span_from(start);
        self.check_call(token, &inline, arguments.len(), span)?;
        let body = self.substituted(&inline, &arguments, span)?;
        let body =
            self.with_tokens(body, token.symbol, span, |parser| parser.nested(Self::block))?;
        Ok(StmtKind::Inline { name, body })
    }

    /// The arguments as tokens, up to the closing parenthesis of the call.
    fn inline_arguments(&mut self) -> Parse<Vec<Vec<Token>>> {
        if self.is(Op::CloseParen) {
            return Ok(Vec::new());
        }
        let (mut arguments, mut current, mut open) = (Vec::new(), Vec::new(), 0_usize);
        loop {
            match self.peek().kind {
                Kind::End => break,
                Kind::Op(Op::CloseParen) if open == 0 => break,
                Kind::Op(Op::Comma) if open == 0 => {
                    self.bump();
                    arguments.push(std::mem::take(&mut current));
                    continue;
                }
                Kind::Op(Op::OpenParen | Op::OpenBracket | Op::OpenBrace) => open += 1,
                Kind::Op(Op::CloseParen | Op::CloseBracket | Op::CloseBrace) => {
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            current.push(self.bump());
        }
        arguments.push(current);
        Ok(arguments)
    }

    fn check_call(&mut self, token: Token, inline: &Inline, given: usize, span: Span) -> Parse<()> {
        let text = self.text(token).to_owned();
        let wanted = inline.parameters.len();
        let message = if self.calls.iter().any(|(open, _)| *open == token.symbol) {
            format!("inline `{text}` calls itself: its text would be endless")
        } else if given != wanted {
            format!("inline `{text}` takes {wanted} arguments, but {given} are given")
        } else {
            return Ok(());
        };
        Err(self.fail(Diagnostic::error(span, message).note(inline.span, "defined here")))
    }

    /// The body with arguments for parameters. An argument stands at the place of its parameter, so that
    /// every statement has one place in the body.
    fn substituted(
        &mut self,
        inline: &Inline,
        arguments: &[Vec<Token>],
        span: Span,
    ) -> Parse<Vec<Token>> {
        let mut tokens = Vec::with_capacity(inline.body.len() + 1);
        for token in inline.body.iter() {
            let parameter = inline.parameters.iter().position(|name| *name == token.symbol);
            match parameter.filter(|_| token.kind == Kind::Name) {
                None => tokens.push(*token),
                Some(i) => tokens.extend(in_place(&arguments[i], token)),
            }
            if tokens.len() > self.budget {
                return Err(self.too_many_tokens(span));
            }
        }
        self.budget -= tokens.len();
        if let Some(last) = tokens.last().copied() {
            tokens.push(Token { kind: Kind::End, ..last });
        }
        Ok(tokens)
    }

    fn too_many_tokens(&mut self, span: Span) -> Failed {
        // All that follows would fail in the same way: once is enough.
        match std::mem::take(&mut self.budget) {
            0 => Failed,
            _ => {
                let message = "the calls of inlines expand to too many tokens";
                self.fail(Diagnostic::error(span, message))
            }
        }
    }

    /// Parses other tokens for a while.
    fn with_tokens<T>(
        &mut self,
        tokens: Vec<Token>,
        inline: Symbol,
        call: Span,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let outer = std::mem::replace(&mut self.tokens, tokens);
        let at = std::mem::replace(&mut self.at, 0);
        self.calls.push((inline, call));
        let result = parse(self);
        self.calls.pop();
        (self.tokens, self.at) = (outer, at);
        result
    }

    /// `x = f(y)`, where `f` is an inline.
    pub(super) fn inline_value(&mut self) -> Failed {
        let token = self.peek();
        let text = self.text(token).to_owned();
        let message = format!("inline `{text}` has no value: `return` is not supported");
        let hint = format!("let it assign to a parameter: `{text}(x, ...)`");
        self.fail(Diagnostic::error(token.span, message).hint(hint))
    }
}

fn in_place(argument: &[Token], parameter: &Token) -> Vec<Token> {
    let place = |token: &Token| Token { span: parameter.span, made: true, ..*token };
    let mut tokens: Vec<Token> = argument.iter().map(place).collect();
    if let Some(first) = tokens.first_mut() {
        (first.spaced, first.first) = (parameter.spaced, parameter.first);
    }
    tokens
}
