//! Expressions, with the precedences of Spin's grammar.

use auspex_system::{Diagnostic, Span};

use super::{Failed, Parse, Parser, cover};
use crate::ast::{BinaryOp, ChanTest, Expr, ExprKind, Name, PlainOp, UnaryOp, VarRef};
use crate::token::{Keyword, Kind, Op, Token};

/// How tall the tree of an expression may be: a long sum is as tall as it is long, and whoever walks
/// through the tree needs stack for all of it.
const MAX_HEIGHT: usize = 1000;

/// An expression while it is built.
pub(super) struct Operand {
    expr: Expr,
    height: usize,
    special: Option<Special>,
}

/// Something in an expression that may not stand everywhere.
#[derive(Clone, Copy)]
struct Special {
    span: Span,
    /// `full` and its relatives: only under `&&` and `||`. `None` for `run`, which stands alone.
    test: Option<ChanTest>,
}

impl Operand {
    fn leaf(expr: Expr) -> Operand {
        Operand { expr, height: 1, special: None }
    }
}

impl Parser {
    /// The whole input is one expression.
    pub(super) fn only_expression(&mut self) -> Parse<Expr> {
        let expr = self.full_expression()?;
        match self.at_end() {
            true => Ok(expr),
            false => Err(self.expected("an operator or the end of the expression")),
        }
    }

    /// An expression without `run`, `full` and their like.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let operand = self.operand(0)?;
        match operand.special {
            Some(special) => Err(self.misplaced(special)),
            None => Ok(operand.expr),
        }
    }

    /// An expression in which `full(q)` and its like may stand.
    pub(super) fn full_expression(&mut self) -> Parse<Expr> {
        let operand = self.operand(0)?;
        match operand.special {
            Some(special) if special.test.is_none() => Err(self.misplaced(special)),
            _ => Ok(operand.expr),
        }
    }

    /// An expression that may also be a `run`.
    pub(super) fn value(&mut self) -> Parse<Expr> {
        Ok(self.operand(0)?.expr)
    }

    /// The rest of an expression that begins with this variable.
    pub(super) fn value_from(&mut self, var: VarRef, first: Token) -> Parse<Expr> {
        let left = self.behind_name(var, first)?;
        Ok(self.operators(Operand::leaf(left), 0)?.expr)
    }

    fn operand(&mut self, minimum: u8) -> Parse<Operand> {
        let left = self.unary()?;
        self.operators(left, minimum)
    }

    fn operators(&mut self, mut left: Operand, minimum: u8) -> Parse<Operand> {
        while let Some((op, level)) = self.binary_operator().filter(|(_, l)| *l >= minimum) {
            self.bump();
            let right = self.operand(level + 1)?;
            left = self.binary(op, left, right)?;
        }
        Ok(left)
    }

    /// The operator that comes next. A `-` that begins a line is the sign of a new statement, as for Spin.
    fn binary_operator(&self) -> Option<(BinaryOp, u8)> {
        match self.peek().kind {
            Kind::Op(Op::Minus) if self.is_new_line() => None,
            Kind::Op(op) => binary_operator(op),
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Parse<Operand> {
        let is_logic = matches!(op, BinaryOp::And | BinaryOp::Or);
        let special = left.special.or(right.special);
        for special in [left.special, right.special].into_iter().flatten() {
            if !is_logic || special.test.is_none() {
                return Err(self.misplaced(special));
            }
        }
        let height = 1 + left.height.max(right.height);
        let span = cover(left.expr.span, right.expr.span);
        self.check_height(height, span)?;
        let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Ok(Operand { expr: Expr { kind, span }, height, special })
    }

    fn check_height(&mut self, height: usize, span: Span) -> Parse<()> {
        if height <= MAX_HEIGHT {
            return Ok(());
        }
        let message = format!("this expression has more than {MAX_HEIGHT} operators in a row");
        let hint = "split it: compute parts of it into variables first";
        Err(self.fail(Diagnostic::error(span, message).hint(hint)))
    }

    fn unary(&mut self) -> Parse<Operand> {
        let op = match self.peek().kind {
            Kind::Op(Op::Bang) => UnaryOp::Not,
            Kind::Op(Op::Minus) => UnaryOp::Minus,
            Kind::Op(Op::Tilde) => UnaryOp::Complement,
            _ => return self.primary(),
        };
        let sign = self.bump();
        let operand = self.nested(Self::unary)?;
        match operand.special {
            Some(special) if op == UnaryOp::Not => return Err(self.negated(special)),
            Some(special) => return Err(self.misplaced(special)),
            None => {}
        }
        let (height, span) = (operand.height + 1, cover(sign.span, operand.expr.span));
        self.check_height(height, span)?;
        let kind = ExprKind::Unary(op, Box::new(operand.expr));
        Ok(Operand { expr: Expr { kind, span }, height, special: None })
    }

    fn primary(&mut self) -> Parse<Operand> {
        let token = self.peek();
        if let Some(word) = self.code_word() {
            let start = self.at;
            let kind = self.code_expression(word)?;
            return Ok(Operand::leaf(Expr { kind, span: self.span_from(start) }));
        }
        let kind = match token.kind {
            Kind::Number => {
                self.bump();
                ExprKind::Number(self.number_value(token)?)
            }
            Kind::Char => {
                self.bump();
                ExprKind::Number(self.char_value(token)?)
            }
            Kind::Op(Op::OpenParen) => return self.nested(Self::group),
            Kind::Name => match token.keyword() {
                Some(keyword) if keyword != Keyword::In => return self.special_form(keyword),
                _ => return Ok(Operand::leaf(self.name_expression()?)),
            },
            _ => return Err(self.expected("an expression")),
        };
        Ok(Operand::leaf(Expr { kind, span: token.span }))
    }

    /// `( e )` or `( c -> a : b )`
    fn group(&mut self) -> Parse<Operand> {
        let start = self.at;
        let mut operand = self.parenthesised(|parser| {
            let condition = parser.operand(0)?;
            match parser.eat(Op::Arrow) {
                true => parser.conditional(condition),
                false => Ok(condition),
            }
        })?;
        operand.expr.span = self.span_from(start);
        Ok(operand)
    }

    fn conditional(&mut self, condition: Operand) -> Parse<Operand> {
        let yes = self.operand(0)?;
        self.expect(Op::Colon)?;
        let no = self.operand(0)?;
        let parts = [&condition, &yes, &no];
        if let Some(special) = parts.iter().find_map(|part| part.special) {
            return Err(self.misplaced(special));
        }
        let height = 1 + condition.height.max(yes.height).max(no.height);
        let span = cover(condition.expr.span, no.expr.span);
        self.check_height(height, span)?;
        let [condition, yes, no] = [condition, yes, no].map(|part| Box::new(part.expr));
        let kind = ExprKind::Conditional(condition, yes, no);
        Ok(Operand { expr: Expr { kind, span }, height, special: None })
    }

    /// What begins with a keyword.
    fn special_form(&mut self, keyword: Keyword) -> Parse<Operand> {
        let start = self.at;
        let mut special = None;
        let kind = match keyword {
            Keyword::True | Keyword::Skip => self.constant(1),
            Keyword::False => self.constant(0),
            Keyword::Timeout => self.bumped(ExprKind::Timeout),
            Keyword::Np => self.bumped(ExprKind::NonProgress),
            Keyword::Len => ExprKind::Len(self.call(Self::var_ref)?),
            Keyword::Enabled => ExprKind::Enabled(self.call(Self::boxed)?),
            Keyword::PcValue => ExprKind::PcValue(self.call(Self::boxed)?),
            Keyword::GetPriority => ExprKind::GetPriority(self.call(Self::boxed)?),
            Keyword::Full | Keyword::Empty | Keyword::Nfull | Keyword::Nempty => {
                let test = channel_test(keyword);
                let var = self.call(Self::var_ref)?;
                special = Some(Special { span: self.span_from(start), test: Some(test) });
                ExprKind::Test(test, var)
            }
            Keyword::Run => {
                let run = self.nested(Self::run)?;
                special = Some(Special { span: self.span_from(start), test: None });
                run
            }
            Keyword::CExpr | Keyword::CCode => return Err(self.embedded_c()),
            _ => return Err(self.expected("an expression")),
        };
        let expr = Expr { kind, span: self.span_from(start) };
        Ok(Operand { expr, height: 1, special })
    }

    fn constant(&mut self, value: i32) -> ExprKind {
        self.bumped(ExprKind::Number(value))
    }

    fn bumped(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    /// `keyword ( inside )`
    pub(super) fn call<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.bump();
        self.nested(|parser| parser.parenthesised(inside))
    }

    fn boxed(&mut self) -> Parse<Box<Expr>> {
        Ok(Box::new(self.expression()?))
    }

    /// `run P(args) priority n`
    fn run(&mut self) -> Parse<ExprKind> {
        self.bump();
        let proctype = self.name("a proctype")?;
        let args = self.parenthesised(|parser| match parser.is(Op::CloseParen) {
            true => Ok(Vec::new()),
            false => parser.list(Self::expression),
        })?;
        let priority = self.priority()?.map(Box::new);
        Ok(ExprKind::Run { proctype, args, priority })
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_keyword(Keyword::Priority) {
            return Ok(None);
        }
        match self.peek().kind {
            Kind::Number => Ok(Some(self.primary()?.expr)),
            _ => Err(self.expected("a number for the priority")),
        }
    }

    fn name_expression(&mut self) -> Parse<Expr> {
        let first = self.peek();
        let var = self.var_ref()?;
        self.behind_name(var, first)
    }

    /// What a name becomes by what follows it: a poll, a remote reference, or just itself.
    fn behind_name(&mut self, var: VarRef, first: Token) -> Parse<Expr> {
        let start = var.span;
        let kind = match self.peek().kind {
            Kind::Op(Op::Question | Op::RandomReceive) if self.ahead(1).is(Op::OpenBracket) => {
                self.poll(var)?
            }
            Kind::Op(Op::At) => {
                let (proctype, pid) = self.remote(var)?;
                ExprKind::RemoteLabel { proctype, pid, label: self.name("a label")? }
            }
            // Only the name of a proctype: in `(c -> a : b)` the colon is something else.
            Kind::Op(Op::Colon) if self.macros.proctypes.contains(&first.symbol) => {
                let (proctype, pid) = self.remote(var)?;
                ExprKind::RemoteVar { proctype, pid, var: self.indexed("a variable")? }
            }
            _ => ExprKind::Name(var),
        };
        Ok(Expr { kind, span: cover(start, self.previous().span) })
    }

    /// Takes apart the `P[pid]` before `@` or `:`, and takes that sign.
    fn remote(&mut self, process: VarRef) -> Parse<(Name, Option<Box<Expr>>)> {
        if let Some(field) = process.field {
            let message = "a process is named `P` or `P[pid]`";
            return Err(self.fail(Diagnostic::error(field.span, message)));
        }
        self.bump();
        Ok((process.name, process.index))
    }

    fn poll(&mut self, chan: VarRef) -> Parse<ExprKind> {
        let random = self.bump().is(Op::RandomReceive);
        let args = self.enclosed(Op::OpenBracket, Op::CloseBracket, Self::receive_args)?;
        Ok(ExprKind::Poll { chan, args, random })
    }

    /// `name`, `name[index]`, `name[index].field ...`
    pub(super) fn var_ref(&mut self) -> Parse<VarRef> {
        let mut var = self.indexed("a variable")?;
        if self.eat(Op::Dot) {
            let field = self.nested(Self::var_ref)?;
            var.span = cover(var.span, field.span);
            var.field = Some(Box::new(field));
        }
        Ok(var)
    }

    /// `name` or `name[index]`
    fn indexed(&mut self, what: &str) -> Parse<VarRef> {
        let start = self.at;
        let name = self.name(what)?;
        if name.text == "STDIN" {
            return Err(self.no_stdin(name.span));
        }
        let index = match self.is(Op::OpenBracket) {
            true => Some(self.nested(|parser| {
                parser.enclosed(Op::OpenBracket, Op::CloseBracket, Self::boxed)
            })?),
            false => None,
        };
        Ok(VarRef { name, index, field: None, span: self.span_from(start) })
    }

    fn no_stdin(&mut self, span: Span) -> Failed {
        let message = "`STDIN` is not supported: a check has no keyboard";
        let hint = "let the model choose the input: `if :: c = 'a' :: c = 'b' fi` or `select`";
        self.fail(Diagnostic::error(span, message).hint(hint))
    }

    fn misplaced(&mut self, special: Special) -> Failed {
        let Some(test) = special.test else {
            let message = "`run` cannot be a part of a larger expression";
            let hint = "write `p = run P(...)` as a statement of its own, then use `p`";
            return self.fail(Diagnostic::error(special.span, message).hint(hint));
        };
        let message = format!("`{}` can only be combined by `&&` and `||`", test_name(test));
        let hint = "it stands alone as a condition, or on the right of `=`";
        self.fail(Diagnostic::error(special.span, message).hint(hint))
    }

    fn negated(&mut self, special: Special) -> Failed {
        let Some(test) = special.test else { return self.misplaced(special) };
        let opposite = test_name(match test {
            ChanTest::Full => ChanTest::NotFull,
            ChanTest::NotFull => ChanTest::Full,
            ChanTest::Empty => ChanTest::NotEmpty,
            ChanTest::NotEmpty => ChanTest::Empty,
        });
        let message = format!("`{}` cannot be negated", test_name(test));
        let hint = format!("use `{opposite}` instead");
        self.fail(Diagnostic::error(special.span, message).hint(hint))
    }
}

fn channel_test(keyword: Keyword) -> ChanTest {
    match keyword {
        Keyword::Full => ChanTest::Full,
        Keyword::Empty => ChanTest::Empty,
        Keyword::Nfull => ChanTest::NotFull,
        _ => ChanTest::NotEmpty,
    }
}

fn test_name(test: ChanTest) -> &'static str {
    match test {
        ChanTest::Full => "full",
        ChanTest::Empty => "empty",
        ChanTest::NotFull => "nfull",
        ChanTest::NotEmpty => "nempty",
    }
}

/// An operator and how strongly it binds.
fn binary_operator(op: Op) -> Option<(BinaryOp, u8)> {
    Some(match op {
        Op::Or => (BinaryOp::Or, 0),
        Op::And => (BinaryOp::And, 1),
        Op::Bar => (BinaryOp::Plain(PlainOp::BitOr), 2),
        Op::Caret => (BinaryOp::Plain(PlainOp::BitXor), 3),
        Op::Ampersand => (BinaryOp::Plain(PlainOp::BitAnd), 4),
        Op::Equal => (BinaryOp::Plain(PlainOp::Equal), 5),
        Op::NotEqual => (BinaryOp::Plain(PlainOp::NotEqual), 5),
        Op::Less => (BinaryOp::Plain(PlainOp::Less), 6),
        Op::LessEqual => (BinaryOp::Plain(PlainOp::LessEqual), 6),
        Op::Greater => (BinaryOp::Plain(PlainOp::Greater), 6),
        Op::GreaterEqual => (BinaryOp::Plain(PlainOp::GreaterEqual), 6),
        Op::ShiftLeft => (BinaryOp::Plain(PlainOp::ShiftLeft), 7),
        Op::ShiftRight => (BinaryOp::Plain(PlainOp::ShiftRight), 7),
        Op::Plus => (BinaryOp::Plain(PlainOp::Add), 8),
        Op::Minus => (BinaryOp::Plain(PlainOp::Sub), 8),
        Op::Star => (BinaryOp::Plain(PlainOp::Mul), 9),
        Op::Slash => (BinaryOp::Plain(PlainOp::Div), 9),
        Op::Percent => (BinaryOp::Plain(PlainOp::Rem), 9),
        _ => return None,
    })
}
