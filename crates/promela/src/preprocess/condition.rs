//! The expressions of `#if`: constants, operators of C, and `defined`.

use auspex_system::{Diagnostic, Span};

use super::Preprocessor;
use crate::token::{Interner, Kind, Op, Token};

/// Parentheses and operators inside each other.
const MAX_DEPTH: usize = 100;

impl Preprocessor<'_> {
    /// Is the condition on this line true? An error counts as false.
    pub fn evaluate(&mut self, line: &[Token], directive: Span) -> bool {
        let resolved = self.resolve_defined(line);
        let tokens = self.expand_alone(resolved);
        let interner = &self.macros.interner;
        let mut evaluator =
            Evaluator { tokens: &tokens, at: 0, depth: 0, unused: 0, directive, interner };
        match evaluator.whole() {
            Ok(value) => value != 0,
            Err(diagnostic) => {
                self.report.error(diagnostic);
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0, before macros are expanded.
    fn resolve_defined(&mut self, line: &[Token]) -> Vec<Token> {
        let defined = self.macros.interner.intern("defined");
        let mut result = Vec::with_capacity(line.len());
        let mut rest = line;
        while let Some((token, behind)) = rest.split_first() {
            let operand = match behind {
                [name, ..] if name.kind == Kind::Name => Some((name, 1)),
                [open, name, close, ..]
                    if open.is(Op::OpenParen)
                        && name.kind == Kind::Name
                        && close.is(Op::CloseParen) =>
                {
                    Some((name, 3))
                }
                _ => None,
            };
            rest = behind;
            let Some((name, length)) = operand.filter(|_| token.symbol == defined) else {
                result.push(*token);
                continue;
            };
            let text = if self.macros.table.contains_key(&name.symbol) { "1" } else { "0" };
            let symbol = self.macros.interner.intern(text);
            result.push(Token { kind: Kind::Number, symbol, ..*token });
            rest = &behind[length..];
        }
        result
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// Above 0 in an operand that does not count, as in `0 && 1 / 0`.
    unused: usize,
    directive: Span,
    interner: &'a Interner,
}

type Value = Result<i64, Diagnostic>;

impl Evaluator<'_> {
    fn whole(&mut self) -> Value {
        let value = self.conditional()?;
        match self.tokens.get(self.at) {
            Some(token) => Err(self.unexpected(Some(*token), "expected an operator")),
            None => Ok(value),
        }
    }

    fn peek(&self) -> Option<Op> {
        match self.tokens.get(self.at)?.kind {
            Kind::Op(op) => Some(op),
            _ => None,
        }
    }

    fn eat(&mut self, op: Op) -> bool {
        let found = self.peek() == Some(op);
        self.at += usize::from(found);
        found
    }

    fn unexpected(&self, token: Option<Token>, message: &str) -> Diagnostic {
        let found = match token {
            Some(token) => format!("found `{}`", self.interner.text(token.symbol)),
            None => "found the end of the line".to_owned(),
        };
        let span = token.map_or(self.directive, |token| token.span);
        Diagnostic::error(span, format!("{message}, {found}"))
    }

    fn conditional(&mut self) -> Value {
        if self.depth >= MAX_DEPTH {
            let message = "this condition is nested too deeply";
            return Err(Diagnostic::error(self.directive, message));
        }
        self.depth += 1;
        let value = self.choice();
        self.depth -= 1;
        value
    }

    fn choice(&mut self) -> Value {
        let condition = self.binary(0)?;
        if !self.eat(Op::Question) {
            return Ok(condition);
        }
        let yes = self.used(condition != 0, Self::conditional)?;
        if !self.eat(Op::Colon) {
            return Err(self.unexpected(self.tokens.get(self.at).copied(), "expected `:`"));
        }
        let no = self.used(condition == 0, Self::conditional)?;
        Ok(if condition != 0 { yes } else { no })
    }

    fn used(&mut self, counts: bool, read: impl FnOnce(&mut Self) -> Value) -> Value {
        self.unused += usize::from(!counts);
        let value = read(self);
        self.unused -= usize::from(!counts);
        value
    }

    fn binary(&mut self, minimum: u8) -> Value {
        let mut left = self.unary()?;
        while let Some((op, level)) = self.peek().and_then(|op| Some((op, level(op)?))) {
            if level < minimum {
                break;
            }
            let span = self.tokens[self.at].span;
            self.at += 1;
            let counts = !matches!((op, left != 0), (Op::And, false) | (Op::Or, true));
            let right = self.used(counts, |this| this.binary(level + 1))?;
            left = match apply(op, left, right) {
                Some(value) => value,
                None if self.unused > 0 => 0,
                None => return Err(Diagnostic::error(span, "division by zero in a condition")),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Value {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        match token.map(|token| token.kind) {
            Some(Kind::Op(Op::Bang)) => Ok(i64::from(self.operand()? == 0)),
            Some(Kind::Op(Op::Minus)) => Ok(self.operand()?.wrapping_neg()),
            Some(Kind::Op(Op::Plus)) => self.operand(),
            Some(Kind::Op(Op::Tilde)) => Ok(!self.operand()?),
            Some(Kind::Op(Op::OpenParen)) => self.parenthesised(),
            Some(Kind::Op(Op::SortedSend)) => Ok(i64::from(self.operand()? != 0)),
            // A name that is no macro is 0, as in C.
            Some(Kind::Name) => Ok(0),
            Some(Kind::Number) => self.number(token),
            Some(Kind::Char) => self.character(token),
            _ => Err(self.unexpected(token, "expected a value")),
        }
    }

    /// The operand of a prefix operator; prefix operators may pile up, so they count as nesting.
    fn operand(&mut self) -> Value {
        if self.depth >= MAX_DEPTH {
            return self.conditional();
        }
        self.depth += 1;
        let value = self.unary();
        self.depth -= 1;
        value
    }

    fn parenthesised(&mut self) -> Value {
        let value = self.conditional()?;
        match self.eat(Op::CloseParen) {
            true => Ok(value),
            false => Err(self.unexpected(self.tokens.get(self.at).copied(), "expected `)`")),
        }
    }

    fn number(&self, token: Option<Token>) -> Value {
        let text = token.map_or("", |token| self.interner.text(token.symbol));
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let parsed = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            Some(hex) => i64::from_str_radix(hex, 16),
            None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
            None => digits.parse(),
        };
        parsed.map_err(|_| self.unexpected(token, "expected a number"))
    }

    fn character(&self, token: Option<Token>) -> Value {
        let text = token.map_or("", |token| self.interner.text(token.symbol));
        match crate::parser::character_value(text) {
            Some(value) => Ok(i64::from(value)),
            None => Err(self.unexpected(token, "expected a character")),
        }
    }
}

fn level(op: Op) -> Option<u8> {
    Some(match op {
        Op::Or => 0,
        Op::And => 1,
        Op::Bar => 2,
        Op::Caret => 3,
        Op::Ampersand => 4,
        Op::Equal | Op::NotEqual => 5,
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => 6,
        Op::ShiftLeft | Op::ShiftRight => 7,
        Op::Plus | Op::Minus => 8,
        Op::Star | Op::Slash | Op::Percent => 9,
        _ => return None,
    })
}

/// `None` for a division by zero.
fn apply(op: Op, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        Op::Or => i64::from(a != 0 || b != 0),
        Op::And => i64::from(a != 0 && b != 0),
        Op::Bar => a | b,
        Op::Caret => a ^ b,
        Op::Ampersand => a & b,
        Op::Equal => i64::from(a == b),
        Op::NotEqual => i64::from(a != b),
        Op::Less => i64::from(a < b),
        Op::LessEqual => i64::from(a <= b),
        Op::Greater => i64::from(a > b),
        Op::GreaterEqual => i64::from(a >= b),
        Op::ShiftLeft => a.wrapping_shl(b as u32),
        Op::ShiftRight => a.wrapping_shr(b as u32),
        Op::Plus => a.wrapping_add(b),
        Op::Minus => a.wrapping_sub(b),
        Op::Star => a.wrapping_mul(b),
        Op::Slash if b != 0 => a.wrapping_div(b),
        Op::Percent if b != 0 => a.wrapping_rem(b),
        _ => return None,
    })
}
