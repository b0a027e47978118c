//! Can two conditions hold at the same time? Only "no" is certain.

use auspex_promela::ast::{BinaryOp, Expr, ExprKind, PlainOp, RecvArg, StmtKind, UnaryOp, VarRef};

use super::known::{Constant, Known};

/// Can only one of two statements be executable? Both are first in their options.
pub fn are_exclusive(a: &StmtKind, b: &StmtKind, known: &Known<'_>) -> bool {
    match (a, b) {
        (StmtKind::Else, _) | (_, StmtKind::Else) => true,
        (StmtKind::Expr(a), StmtKind::Expr(b)) => excludes(a, b, known),
        // There is only one message at the head of a channel.
        (
            StmtKind::Receive { chan: p, args: a, random: false, .. },
            StmtKind::Receive { chan: q, args: b, random: false, .. },
        ) => same_var(p, q) && a.iter().zip(b).any(|(a, b)| differ(a, b, known)),
        _ => false,
    }
}

fn differ(a: &RecvArg, b: &RecvArg, known: &Known<'_>) -> bool {
    let constant = |arg: &RecvArg| match arg {
        RecvArg::Name(var) => {
            known.constant(&Expr { kind: ExprKind::Name(var.clone()), span: var.span })
        }
        RecvArg::Constant(expr) | RecvArg::Eval(expr) => known.constant(expr),
    };
    matches!((constant(a), constant(b)), (Some(a), Some(b)) if are_different(&a, &b))
}

/// Constants of different sets may have the same number.
fn are_different(a: &Constant, b: &Constant) -> bool {
    match (a, b) {
        (Constant::Symbol(s, _), Constant::Symbol(t, _)) => s == t && a != b,
        (Constant::Number(_), Constant::Number(_)) => a != b,
        _ => false,
    }
}

pub fn excludes(a: &Expr, b: &Expr, known: &Known<'_>) -> bool {
    if is_false(a) || is_false(b) {
        return true;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Binary(BinaryOp::Or, x, y), _) => excludes(x, b, known) && excludes(y, b, known),
        (_, ExprKind::Binary(BinaryOp::Or, ..)) => excludes(b, a, known),
        (ExprKind::Binary(BinaryOp::And, x, y), _) => {
            excludes(x, b, known) || excludes(y, b, known) || negates(a, b)
        }
        (_, ExprKind::Binary(BinaryOp::And, ..)) => excludes(b, a, known),
        _ => negates(a, b) || compare_apart(a, b, known),
    }
}

fn is_false(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(0))
}

/// `e` and `!e`
fn negates(a: &Expr, b: &Expr) -> bool {
    let is_not = |not: &Expr, of: &Expr| matches!(&not.kind, ExprKind::Unary(UnaryOp::Not, inner) if same(inner, of));
    is_not(a, b) || is_not(b, a)
}

/// What a comparison allows for `left - right`: less, equal, greater.
type Signs = [bool; 3];

fn signs(op: PlainOp) -> Option<Signs> {
    Some(match op {
        PlainOp::Less => [true, false, false],
        PlainOp::LessEqual => [true, true, false],
        PlainOp::Equal => [false, true, false],
        PlainOp::GreaterEqual => [false, true, true],
        PlainOp::Greater => [false, false, true],
        PlainOp::NotEqual => [true, false, true],
        _ => return None,
    })
}

/// A condition as a comparison; a variable alone is one with 0. The constant, if there is one, is on the right.
fn comparison<'e>(expr: &'e Expr, known: &Known<'_>) -> Option<(&'e Expr, Signs, Right<'e>)> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Plain(op), left, right) => {
            let signs = signs(*op)?;
            if let Some(constant) = known.constant(right) {
                return Some((left, signs, Right::Constant(constant)));
            }
            match known.constant(left) {
                Some(constant) => {
                    let [less, equal, greater] = signs;
                    Some((right, [greater, equal, less], Right::Constant(constant)))
                }
                None => Some((left, signs, Right::Expr(right))),
            }
        }
        ExprKind::Unary(UnaryOp::Not, inner) if matches!(inner.kind, ExprKind::Name(_)) => {
            Some((inner, [false, true, false], Right::Constant(Constant::Number(0))))
        }
        ExprKind::Unary(UnaryOp::Not, inner) => {
            let (left, signs, right) = comparison(inner, known)?;
            Some((left, signs.map(|sign| !sign), right))
        }
        ExprKind::Name(_) => {
            Some((expr, [true, false, true], Right::Constant(Constant::Number(0))))
        }
        _ => None,
    }
}

enum Right<'e> {
    Constant(Constant),
    Expr(&'e Expr),
}

/// Two comparisons of the same thing that no value satisfies both.
fn compare_apart(a: &Expr, b: &Expr, known: &Known<'_>) -> bool {
    let (Some((left, s, right)), Some((other, t, behind))) =
        (comparison(a, known), comparison(b, known))
    else {
        return false;
    };
    let overlap = |t: Signs| s.iter().zip(t).any(|(s, t)| *s && t);
    match (right, behind) {
        (Right::Expr(x), Right::Expr(y)) if same(left, other) && same(x, y) => !overlap(t),
        (Right::Expr(x), Right::Expr(y)) if same(left, y) && same(x, other) => {
            !overlap([t[2], t[1], t[0]])
        }
        (Right::Constant(Constant::Number(x)), Right::Constant(Constant::Number(y)))
            if same(left, other) =>
        {
            !intervals_meet(s, x, t, y)
        }
        (Right::Constant(x), Right::Constant(y)) if same(left, other) => {
            let only = [false, true, false];
            (x == y && !overlap(t)) || (are_different(&x, &y) && s == only && t == only)
        }
        _ => false,
    }
}

/// Is there a number that stands to `x` like this, and to `y` like that?
fn intervals_meet(s: Signs, x: i32, t: Signs, y: i32) -> bool {
    let sign = |value: i64, at: i32| (value - i64::from(at)).signum();
    let fits = |value: i64, signs: Signs, at: i32| signs[(sign(value, at) + 1) as usize];
    // Whatever is possible is possible at one of these, or next to them.
    let near = [i64::from(x), i64::from(y)].into_iter().flat_map(|at| at - 1..=at + 1);
    let mut far = near.chain([i64::from(i32::MIN) - 1, i64::from(i32::MAX) + 1]);
    far.any(|value| fits(value, s, x) && fits(value, t, y))
}

/// The same text, but for spaces.
pub fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Number(x), ExprKind::Number(y)) => x == y,
        (ExprKind::Name(x), ExprKind::Name(y)) => same_var(x, y),
        (ExprKind::Unary(op, x), ExprKind::Unary(other, y)) => op == other && same(x, y),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && same(a, c) && same(b, d)
        }
        (ExprKind::Len(x), ExprKind::Len(y)) => same_var(x, y),
        (ExprKind::Code(x), ExprKind::Code(y)) => x.text == y.text && x.guard == y.guard,
        _ => false,
    }
}

fn same_var(a: &VarRef, b: &VarRef) -> bool {
    let same_index = match (&a.index, &b.index) {
        (None, None) => true,
        (Some(x), Some(y)) => same(x, y),
        _ => false,
    };
    let same_field = match (&a.field, &b.field) {
        (None, None) => true,
        (Some(x), Some(y)) => same_var(x, y),
        _ => false,
    };
    a.name.text == b.name.text && same_index && same_field
}
