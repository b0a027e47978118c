//! The expansion of macros.

use auspex_system::{Diagnostic, Span};

use super::Preprocessor;
use super::macros::{Macro, Parameters, Part, Role};
use crate::lexer::lex;
use crate::token::{Kind, Op, Symbol, Token, join};

/// Calls of macros inside the arguments of calls of macros.
const MAX_DEPTH: usize = 100;

/// Tokens to be read before those behind them; `of` is the macro that they come from.
pub struct Expansion {
    tokens: Vec<Token>,
    at: usize,
    of: Option<Symbol>,
}

impl Preprocessor<'_> {
    /// The next token after the expansion of macros.
    pub fn next_token(&mut self) -> Token {
        let (mut spaced, mut first) = (false, false);
        loop {
            let token = self.next_unexpanded();
            // What stands for a macro stands where its name stood: at the start of a line, behind a space.
            (spaced, first) = (spaced || token.spaced, first || token.first);
            if !self.expand(token) {
                return self.builtin(Token { spaced, first, ..token });
            }
        }
    }

    fn next_unexpanded(&mut self) -> Token {
        while self.expansions.len() > self.floor {
            let Some(top) = self.expansions.last_mut() else { break };
            if let Some(token) = top.tokens.get(top.at).copied() {
                top.at += 1;
                return self.paint(token);
            }
            if let Some(done) = self.expansions.pop().and_then(|expansion| expansion.of) {
                self.active.remove(&done);
            }
        }
        if self.floor > 0 {
            let span = self.files.last().map(|file| file.end);
            return self.end_token(span.unwrap_or(Span { file: self.file(), start: 0, end: 0 }));
        }
        self.next_from_file()
    }

    /// A macro's name inside its own expansion stays what it is, wherever it is carried to.
    fn paint(&self, token: Token) -> Token {
        let painted =
            token.painted || (token.kind == Kind::Name && self.active.contains(&token.symbol));
        Token { painted, ..token }
    }

    fn push(&mut self, tokens: Vec<Token>, of: Option<Symbol>, span: Span) {
        if !self.spend(tokens.len() + 1, span) {
            return;
        }
        if let Some(name) = of {
            self.active.insert(name);
        }
        self.expansions.push(Expansion { tokens, at: 0, of });
    }

    /// Puts what a macro stands for in front of the rest; `false` if the token is no macro, or the name
    /// of one with parameters that is not called.
    fn expand(&mut self, name: Token) -> bool {
        if name.kind != Kind::Name || name.painted {
            return false;
        }
        let Some(definition) = self.macros.table.get(&name.symbol).cloned() else { return false };
        let Some(parameters) = &definition.parameters else {
            let tokens = self.substitute(&definition, &[], name.span);
            self.push(tokens, Some(name.symbol), name.span);
            return true;
        };
        let next = self.next_unexpanded();
        if !next.is(Op::OpenParen) {
            if next.kind != Kind::End {
                self.push(vec![next], None, next.span);
            }
            return false;
        }
        let Some((arguments, close)) = self.arguments(name, parameters) else { return true };
        if self.check_count(name, &definition, parameters, &arguments) {
            let span = if name.made { name.span } else { name.span.to(close.span) };
            let tokens = self.substitute(&definition, &arguments, span);
            self.push(tokens, Some(name.symbol), span);
        }
        true
    }

    /// The arguments of a call, up to its closing parenthesis.
    fn arguments(
        &mut self,
        name: Token,
        parameters: &Parameters,
    ) -> Option<(Vec<Vec<Token>>, Token)> {
        let (mut arguments, mut nesting) = (vec![Vec::new()], 0);
        loop {
            let token = self.next_unexpanded();
            match token.kind {
                Kind::End => {
                    self.report.error(
                        Diagnostic::error(name.span, "the call of this macro has no `)`")
                            .label("called here"),
                    );
                    return None;
                }
                Kind::Op(Op::CloseParen) if nesting == 0 => return Some((arguments, token)),
                Kind::Op(Op::Comma) if nesting == 0 && !takes_all(parameters, &arguments) => {
                    arguments.push(Vec::new());
                    continue;
                }
                Kind::Op(Op::OpenParen) => nesting += 1,
                Kind::Op(Op::CloseParen) => nesting -= 1,
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                // The lines of a call are one line: what a macro makes is one statement to Spin.
                last.push(Token { spaced: token.spaced || token.first, first: false, ..token });
            }
        }
    }

    fn check_count(
        &mut self,
        name: Token,
        definition: &Macro,
        parameters: &Parameters,
        arguments: &[Vec<Token>],
    ) -> bool {
        let (wanted, given) = (parameters.names.len(), arguments.len());
        let no_argument = wanted == 0 && given == 1 && arguments[0].is_empty();
        if given == wanted || no_argument || (parameters.variadic && given + 1 == wanted) {
            return true;
        }
        let text = self.macros.interner.text(name.symbol);
        let message = format!("macro `{text}` takes {wanted} arguments, but {given} are given");
        self.report
            .error(Diagnostic::error(name.span, message).note(definition.span, "defined here"));
        false
    }

    /// The body with its arguments in place.
    fn substitute(
        &mut self,
        definition: &Macro,
        arguments: &[Vec<Token>],
        span: Span,
    ) -> Vec<Token> {
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut result: Vec<Token> = Vec::new();
        let (mut paste, mut chain, mut spent) = (false, 0, 0);
        for part in &definition.body {
            let piece = self.piece(part, arguments, &mut expanded, paste, span);
            spent += piece.len();
            if spent > self.budget {
                self.spend(spent, span);
                return Vec::new();
            }
            if !paste {
                chain = result.len();
            }
            // An empty argument has no token to join: what stands before the `##` chain is not its business.
            if paste && result.len() > chain {
                self.paste(&mut result, piece, span);
            } else {
                result.extend(piece);
            }
            paste = part.pasted;
        }
        if let Some(first) = result.first_mut() {
            (first.spaced, first.first) = (false, false);
        }
        result
    }

    /// What one token of the body becomes.
    fn piece(
        &mut self,
        part: &Part,
        arguments: &[Vec<Token>],
        expanded: &mut [Option<Vec<Token>>],
        pasted_before: bool,
        span: Span,
    ) -> Vec<Token> {
        let made = Token { span, made: true, first: false, ..part.token };
        let mut tokens = match part.role {
            Role::Itself => return vec![made],
            Role::Quoted(i) => return vec![self.quote(made, arguments.get(i))],
            Role::Argument(i) if part.pasted || pasted_before => {
                arguments.get(i).cloned().unwrap_or_default()
            }
            Role::Argument(i) => self.expanded(i, arguments, expanded),
        };
        if let Some(first) = tokens.first_mut() {
            first.spaced = part.token.spaced;
        }
        tokens
    }

    /// An argument after expansion by itself, done once for all its uses.
    fn expanded(
        &mut self,
        i: usize,
        arguments: &[Vec<Token>],
        expanded: &mut [Option<Vec<Token>>],
    ) -> Vec<Token> {
        let Some(argument) = arguments.get(i) else { return Vec::new() };
        if let Some(done) = &expanded[i] {
            return done.clone();
        }
        let tokens = self.expand_alone(argument.clone());
        expanded[i] = Some(tokens.clone());
        tokens
    }

    /// Expands a list of tokens as if nothing followed it.
    pub fn expand_alone(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let Some(first) = tokens.first().copied() else { return tokens };
        if self.depth >= MAX_DEPTH {
            let message = "macros are called inside the arguments of macros too deeply";
            self.report.error(Diagnostic::error(first.span, message));
            self.stop();
            return Vec::new();
        }
        // One is added so that the floor is never 0, which stands for the file.
        let old_floor = std::mem::replace(&mut self.floor, self.expansions.len() + 1);
        self.expansions.push(Expansion { tokens: Vec::new(), at: 0, of: None });
        self.depth += 1;
        self.push(tokens, None, first.span);
        let mut result = Vec::new();
        loop {
            let token = self.next_token();
            if token.kind == Kind::End {
                break;
            }
            result.push(token);
        }
        self.depth -= 1;
        self.expansions.truncate(self.floor.saturating_sub(1));
        self.floor = old_floor;
        result
    }

    fn quote(&mut self, made: Token, argument: Option<&Vec<Token>>) -> Token {
        let text = join(argument.map_or(&[], Vec::as_slice), &self.macros.interner);
        let text = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        Token { kind: Kind::Str, symbol: self.macros.interner.intern(&text), ..made }
    }

    /// `##`: joins the last token of `left` and the first of `right` into one.
    fn paste(&mut self, left: &mut Vec<Token>, right: Vec<Token>, span: Span) {
        let Some(a) = left.pop() else { return left.extend(right) };
        let mut right = right.into_iter();
        match right.next() {
            // GNU: `, ## __VA_ARGS__` drops the comma when there are no arguments, and else keeps it.
            None if a.is(Op::Comma) => {}
            None => left.push(a),
            Some(b) => match self.pasted(a, b, span) {
                Some(token) => left.push(token),
                None if a.is(Op::Comma) => left.extend([a, b]),
                None => self.cannot_paste(a, b, span),
            },
        }
        left.extend(right);
    }

    fn pasted(&mut self, a: Token, b: Token, span: Span) -> Option<Token> {
        let interner = &mut self.macros.interner;
        let text = format!("{}{}", interner.text(a.symbol), interner.text(b.symbol));
        let (tokens, _) = lex(&text, span.file, interner);
        match tokens[..] {
            [token] => Some(Token { span, made: true, first: false, spaced: a.spaced, ..token }),
            _ => None,
        }
    }

    fn cannot_paste(&mut self, a: Token, b: Token, span: Span) {
        let interner = &self.macros.interner;
        let (a, b) = (interner.text(a.symbol), interner.text(b.symbol));
        let message = format!("`{a}` and `{b}` do not join to one token");
        self.report.error(Diagnostic::error(span, message).label("in this use of `##`"));
    }

    fn builtin(&mut self, token: Token) -> Token {
        let location = |this: &Self| this.map.location(token.span);
        let (kind, text) = match self.macros.interner.text(token.symbol) {
            "__LINE__" => (Kind::Number, location(self).line.to_string()),
            "__FILE__" => (Kind::Str, format!("{:?}", location(self).file)),
            _ => return token,
        };
        Token { kind, symbol: self.macros.interner.intern(&text), made: true, ..token }
    }
}

/// Does the argument being read take the commas too?
fn takes_all(parameters: &Parameters, arguments: &[Vec<Token>]) -> bool {
    parameters.variadic && arguments.len() == parameters.names.len()
}
