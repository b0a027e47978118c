//! Expressions and designators.

use auspex_system::{Diagnostic, Span};

use super::messages::symbol_hint;
use super::{MAX_OPERATORS, Parsed, Parser, Separators};
use crate::ast::{BinaryOp, Designator, Expr, ExprKind, Selector, UnaryOp};
use crate::token::{Keyword, Kind, Symbol};

impl Parser<'_> {
    /// An expression that is in no other one.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.operators = 0;
        self.inner_expr()
    }

    fn inner_expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::relation)
    }

    fn relation(&mut self) -> Parsed<Expr> {
        let left = self.simple()?;
        let Some(op) = self.relation_op() else { return Ok(left) };
        let op_span = self.bump().span;
        let right = self.simple()?;
        if self.relation_op().is_some() {
            let error = Diagnostic::error(self.peek().span, "comparisons cannot be chained")
                .label("a second comparison")
                .note(op_span, "the first one")
                .hint("`&` and `OR` bind more tightly than comparisons: put these in parentheses");
            return Err(self.report(error));
        }
        self.binary(op, op_span, left, right)
    }

    fn relation_op(&mut self) -> Option<BinaryOp> {
        let token = self.peek();
        Some(match token.kind {
            Kind::Symbol(Symbol::Equal) => BinaryOp::Equal,
            Kind::Symbol(Symbol::Hash) => BinaryOp::Unequal,
            Kind::Symbol(Symbol::Less) => BinaryOp::Less,
            Kind::Symbol(Symbol::LessEqual) => BinaryOp::LessEqual,
            Kind::Symbol(Symbol::Greater) => BinaryOp::Greater,
            Kind::Symbol(Symbol::GreaterEqual) => BinaryOp::GreaterEqual,
            Kind::Keyword(Keyword::In) => BinaryOp::In,
            Kind::Symbol(Symbol::EqualEqual) => self.foreign_symbol(BinaryOp::Equal),
            Kind::Symbol(Symbol::BangEqual | Symbol::LessGreater | Symbol::TildeEqual) => {
                self.foreign_symbol(BinaryOp::Unequal)
            }
            _ => return None,
        })
    }

    fn simple(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        let sign = match self.peek().kind {
            Kind::Symbol(Symbol::Plus) => Some(UnaryOp::Plus),
            Kind::Symbol(Symbol::Minus) => Some(UnaryOp::Minus),
            _ => None,
        };
        if sign.is_some() {
            self.bump();
        }
        let mut left = self.term()?;
        if let Some(op) = sign {
            let kind = ExprKind::Unary { op, operand: Box::new(left) };
            left = Expr { kind, span: self.since(start) };
        }
        while let Some(op) = self.sum_op() {
            let op_span = self.bump().span;
            let right = self.term()?;
            left = self.binary(op, op_span, left, right)?;
        }
        Ok(left)
    }

    fn sum_op(&mut self) -> Option<BinaryOp> {
        match self.peek().kind {
            Kind::Symbol(Symbol::Plus) => Some(BinaryOp::Add),
            Kind::Symbol(Symbol::Minus) => Some(BinaryOp::Subtract),
            Kind::Keyword(Keyword::Or) if !self.separators.or => Some(BinaryOp::Or),
            Kind::Symbol(Symbol::Bar) if !self.separators.bar && self.at_double_bar() => {
                let span = self.peek().span.to(self.peek_at(1).span);
                self.foreign("||", "disjunction is written `OR`", span);
                // Of the two tokens the caller takes the second.
                self.bump();
                Some(BinaryOp::Or)
            }
            _ => None,
        }
    }

    fn at_double_bar(&self) -> bool {
        let next = self.peek_at(1);
        next.kind == Kind::Symbol(Symbol::Bar) && next.span.start == self.peek().span.end
    }

    fn term(&mut self) -> Parsed<Expr> {
        let mut left = self.factor()?;
        while let Some(op) = self.product_op() {
            let op_span = self.bump().span;
            let right = self.factor()?;
            left = self.binary(op, op_span, left, right)?;
        }
        Ok(left)
    }

    fn product_op(&mut self) -> Option<BinaryOp> {
        Some(match self.peek().kind {
            Kind::Symbol(Symbol::Star) => BinaryOp::Multiply,
            Kind::Symbol(Symbol::Slash) => BinaryOp::Slash,
            Kind::Symbol(Symbol::Amp) => BinaryOp::And,
            Kind::Keyword(Keyword::Div) => BinaryOp::Div,
            Kind::Keyword(Keyword::Mod) => BinaryOp::Mod,
            Kind::Symbol(Symbol::AmpAmp) => self.foreign_symbol(BinaryOp::And),
            Kind::Symbol(Symbol::Percent) => self.foreign_symbol(BinaryOp::Mod),
            _ => return None,
        })
    }

    /// Complains about the operator that is next, and takes it for `meant`.
    fn foreign_symbol(&mut self, meant: BinaryOp) -> BinaryOp {
        if let Kind::Symbol(symbol) = self.peek().kind {
            let span = self.peek().span;
            self.foreign(symbol.text(), symbol_hint(symbol).unwrap_or(""), span);
        }
        meant
    }

    fn binary(&mut self, op: BinaryOp, op_span: Span, left: Expr, right: Expr) -> Parsed<Expr> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(self.give_up("this expression is too long", "more than 1000 operators"));
        }
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        Ok(Expr { kind: ExprKind::Binary { op, left, right, op_span }, span })
    }

    fn factor(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        let kind = match self.peek().kind {
            Kind::Integer(value) => {
                let is_hex = self.text_of(self.peek()).ends_with('H');
                self.bump();
                if is_hex { ExprKind::Hex(value) } else { ExprKind::Integer(value) }
            }
            Kind::Char(code) => {
                self.bump();
                ExprKind::Char(code)
            }
            Kind::String | Kind::OpenString => self.string(),
            Kind::Ident => self.designator_or_call()?,
            Kind::Symbol(Symbol::OpenBrace) => self.set()?,
            Kind::Symbol(Symbol::OpenParen) => self.parenthesised()?,
            Kind::Symbol(Symbol::Tilde) => self.not()?,
            Kind::Symbol(Symbol::Bang) => {
                self.foreign("!", "negation is written `~`", start);
                self.not()?
            }
            Kind::Symbol(Symbol::Plus | Symbol::Minus) => {
                let error = self.expected("an operand");
                let hint =
                    "a sign stands only before a whole sum: put it in parentheses, `a * (-b)`";
                return Err(self.report(error.hint(hint)));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn string(&mut self) -> ExprKind {
        let token = self.bump();
        let text = self.text_of(token);
        let end = if token.kind == Kind::String { text.len() - 1 } else { text.len() };
        ExprKind::String(text[1..end].to_string())
    }

    fn not(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let operand = Box::new(self.nested(Self::factor)?);
        Ok(ExprKind::Unary { op: UnaryOp::Not, operand })
    }

    fn parenthesised(&mut self) -> Parsed<ExprKind> {
        let open = self.bump().span;
        let inner = self.separated(Separators::default(), Self::inner_expr)?;
        self.close(Symbol::CloseParen, open, "an operator or `)`")?;
        Ok(ExprKind::Paren(Box::new(inner)))
    }

    fn set(&mut self) -> Parsed<ExprKind> {
        let open = self.bump().span;
        let mut elements = Vec::new();
        if !self.at_symbol(Symbol::CloseBrace) {
            let list = |parser: &mut Self| parser.list(Self::range);
            elements = self.separated(Separators::default(), list)?;
        }
        self.close(Symbol::CloseBrace, open, "`,` or `}`")?;
        Ok(ExprKind::Set(elements))
    }

    /// An element of a set, or a label of a `CASE`.
    pub(super) fn range(&mut self) -> Parsed<(Expr, Option<Expr>)> {
        let from = self.inner_expr()?;
        let to = match self.eat(Symbol::DotDot) {
            true => Some(self.inner_expr()?),
            false => None,
        };
        Ok((from, to))
    }

    fn designator_or_call(&mut self) -> Parsed<ExprKind> {
        let callee = self.inner_designator()?;
        match self.arguments()? {
            Some(arguments) => Ok(ExprKind::Call { callee, arguments }),
            None => Ok(ExprKind::Designator(callee)),
        }
    }

    /// The expressions in parentheses, if there are any parentheses.
    pub(super) fn arguments(&mut self) -> Parsed<Option<Vec<Expr>>> {
        if !self.at_symbol(Symbol::OpenParen) {
            return Ok(None);
        }
        let open = self.bump().span;
        let mut arguments = Vec::new();
        if !self.at_symbol(Symbol::CloseParen) {
            let list = |parser: &mut Self| parser.list(Self::inner_expr);
            arguments = self.separated(Separators::default(), list)?;
        }
        self.close(Symbol::CloseParen, open, "`,` or `)`")?;
        Ok(Some(arguments))
    }

    /// A designator that is in no expression.
    pub(super) fn designator(&mut self) -> Parsed<Designator> {
        self.operators = 0;
        if !self.at_ident() {
            return Err(self.unexpected("a name"));
        }
        self.inner_designator()
    }

    /// The next token is a name.
    fn inner_designator(&mut self) -> Parsed<Designator> {
        let name = self.ident();
        let start = name.span;
        let mut selectors = Vec::new();
        loop {
            if self.eat(Symbol::Dot) {
                selectors.push(Selector::Field(self.expect_ident("a name")?));
            } else if self.at_symbol(Symbol::OpenBracket) {
                let open = self.bump().span;
                let list = |parser: &mut Self| parser.list(Self::inner_expr);
                let indices = self.separated(Separators::default(), list)?;
                self.close(Symbol::CloseBracket, open, "`,` or `]`")?;
                selectors.push(Selector::Index(indices, self.since(open)));
            } else {
                return Ok(Designator { name, selectors, span: self.since(start) });
            }
        }
    }

    fn close(&mut self, symbol: Symbol, open: Span, wanted: &str) -> Parsed<()> {
        if self.eat(symbol) {
            return Ok(());
        }
        let error = self.expected(wanted).note(open, "opened here");
        Err(self.report(error))
    }
}
