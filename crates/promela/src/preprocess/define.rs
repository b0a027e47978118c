//! `#define` and `#undef`.

use std::rc::Rc;

use auspex_system::{Diagnostic, Span};

use super::Preprocessor;
use super::macros::{Macro, Parameters, Part, Role};
use crate::token::{Kind, Op, Symbol, Token};

type Checked<T> = Result<T, Diagnostic>;

impl Preprocessor<'_> {
    /// Obeys `#define` with `line` behind it.
    pub fn define(&mut self, line: &[Token], directive: Span) {
        let Some((name, rest)) = line.split_first().filter(|(name, _)| name.kind == Kind::Name)
        else {
            let span = line.first().map_or(directive, |token| token.span);
            return self.report.error(Diagnostic::error(span, "expected the name of a macro"));
        };
        match self.definition(name, rest) {
            Ok(definition) => self.store(name.symbol, definition),
            Err(diagnostic) => self.report.error(diagnostic),
        }
    }

    fn store(&mut self, name: Symbol, definition: Macro) {
        if let Some(old) = self.macros.table.get(&name).filter(|old| !old.is_same(&definition)) {
            let text = self.macros.interner.text(name);
            self.report.warning(
                Diagnostic::warning(definition.span, format!("macro `{text}` is defined again"))
                    .note(old.span, "first defined here")
                    .hint(format!("`#undef {text}` first, if that is meant")),
            );
        }
        self.macros.table.insert(name, Rc::new(definition));
    }

    fn definition(&mut self, name: &Token, rest: &[Token]) -> Checked<Macro> {
        let has_parameters = rest.first().is_some_and(|t| t.is(Op::OpenParen) && !t.spaced);
        let (parameters, body) = if has_parameters {
            let (parameters, body) = self.parameters(name, &rest[1..])?;
            (Some(parameters), body)
        } else {
            (None, rest)
        };
        let names = parameters.as_ref().map(|p| p.names.as_slice());
        Ok(Macro { span: name.span, body: parts(body, names)?, parameters })
    }

    /// What stands between the parentheses of a definition, and what follows them.
    fn parameters<'t>(
        &mut self,
        name: &Token,
        tokens: &'t [Token],
    ) -> Checked<(Parameters, &'t [Token])> {
        let Some(close) = tokens.iter().position(|token| token.is(Op::CloseParen)) else {
            let message = "the parameters of this macro have no `)`";
            return Err(Diagnostic::error(name.span, message));
        };
        let (mut names, mut variadic) = (Vec::new(), false);
        for (i, token) in tokens[..close].iter().enumerate() {
            match token.kind {
                Kind::Op(Op::Comma) if i % 2 == 1 => {}
                Kind::Name if i % 2 == 0 && !variadic => names.push(token.symbol),
                Kind::Op(Op::Ellipsis) if i % 2 == 0 && !variadic => {
                    variadic = true;
                    names.push(self.macros.interner.intern("__VA_ARGS__"));
                }
                _ => {
                    let message = "expected the names of parameters, with commas between them";
                    return Err(Diagnostic::error(token.span, message));
                }
            }
        }
        Ok((Parameters { names, variadic }, &tokens[close + 1..]))
    }

    pub fn undefine(&mut self, line: &[Token], directive: Span) {
        match line {
            [name, ..] if name.kind == Kind::Name => {
                self.macros.table.remove(&name.symbol);
            }
            _ => {
                self.report.error(Diagnostic::error(directive, "expected the name of a macro"));
            }
        }
    }
}

/// The body with `#` and `##` understood.
fn parts(body: &[Token], parameters: Option<&[Symbol]>) -> Checked<Vec<Part>> {
    let index = |token: &Token| parameters?.iter().position(|name| *name == token.symbol);
    let mut parts: Vec<Part> = Vec::new();
    let mut tokens = body.iter();
    while let Some(token) = tokens.next() {
        let role = match token.kind {
            Kind::Op(Op::Paste) => {
                match parts.last_mut() {
                    Some(left) if !tokens.as_slice().is_empty() => left.pasted = true,
                    _ => {
                        let message = "`##` needs a token on both sides";
                        return Err(Diagnostic::error(token.span, message));
                    }
                }
                continue;
            }
            Kind::Op(Op::Hash) if parameters.is_some() => {
                let Some(quoted) = tokens.next().and_then(index) else {
                    let message = "`#` must be followed by a parameter of the macro";
                    return Err(Diagnostic::error(token.span, message));
                };
                Role::Quoted(quoted)
            }
            Kind::Name => index(token).map_or(Role::Itself, Role::Argument),
            _ => Role::Itself,
        };
        parts.push(Part { token: *token, role, pasted: false });
    }
    Ok(parts)
}
