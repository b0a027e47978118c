//! Sends and receives.

use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, RecvArg, StmtKind, VarRef};
use crate::token::{Keyword, Kind, Op};

impl Parser {
    /// `q!a,b`, `q!a(b)`, `q!!a`
    pub(super) fn send(&mut self, chan: VarRef) -> Parse<StmtKind> {
        let sorted = self.bump().is(Op::SortedSend);
        let mut args = vec![self.expression()?];
        if self.is(Op::OpenParen) && !self.is_new_line() {
            args.extend(self.parenthesised(|parser| parser.list(Self::expression))?);
        } else if self.eat(Op::Comma) {
            args.extend(self.list(Self::expression)?);
        }
        Ok(StmtKind::Send { chan, args, sorted })
    }

    /// `q?a,b`, `q?a(b)`, `q??a`, `q?<a,b>`, `q??<a,b>`
    pub(super) fn receive(&mut self, chan: VarRef) -> Parse<StmtKind> {
        let random = self.bump().is(Op::RandomReceive);
        let keep = self.is(Op::Less);
        let args = match keep {
            true => self.enclosed(Op::Less, Op::Greater, Self::receive_args)?,
            false => self.receive_args()?,
        };
        Ok(StmtKind::Receive { chan, args, random, keep })
    }

    pub(super) fn receive_args(&mut self) -> Parse<Vec<RecvArg>> {
        if self.is(Op::OpenParen) {
            return self.nested(|parser| parser.parenthesised(Self::receive_args));
        }
        let mut args = Vec::new();
        loop {
            args.push(self.receive_arg()?);
            if self.is(Op::OpenParen) && !self.is_new_line() {
                let rest = self.nested(|parser| parser.parenthesised(Self::receive_args))?;
                args.extend(rest);
                return Ok(args);
            }
            if !self.eat(Op::Comma) {
                return Ok(args);
            }
        }
    }

    fn receive_arg(&mut self) -> Parse<RecvArg> {
        let token = self.peek();
        let is_constant = match token.kind {
            Kind::Number | Kind::Char => true,
            Kind::Op(Op::Minus) => self.ahead(1).kind == Kind::Number,
            _ => matches!(token.keyword(), Some(Keyword::True | Keyword::False | Keyword::Skip)),
        };
        if is_constant {
            return Ok(RecvArg::Constant(self.signed_constant()?));
        }
        match (token.kind, token.keyword()) {
            (_, Some(Keyword::Eval)) => Ok(RecvArg::Eval(self.call(Self::expression)?)),
            (Kind::Name, None | Some(Keyword::In)) => Ok(RecvArg::Name(self.var_ref()?)),
            _ => {
                let hint =
                    "a receive takes variables, constants, and `eval(...)` for other expressions";
                Err(self.expected_hint("a variable, a constant, `_` or `eval(...)`", hint))
            }
        }
    }

    /// A constant, its sign made part of it.
    fn signed_constant(&mut self) -> Parse<Expr> {
        let start = self.at;
        let negative = self.eat(Op::Minus);
        let token = self.bump();
        let value = match (token.kind, token.keyword()) {
            (Kind::Number, _) => self.number_value(token)?,
            (Kind::Char, _) => self.char_value(token)?,
            (_, Some(Keyword::False)) => 0,
            _ => 1,
        };
        let value = if negative { value.wrapping_neg() } else { value };
        Ok(Expr { kind: ExprKind::Number(value), span: self.span_from(start) })
    }
}
