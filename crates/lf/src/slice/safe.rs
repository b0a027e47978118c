//! Statements that only change variables and can in no state go wrong.

use crate::tree::{Binary, Expr, ExprKind, Length, PathStep, Place, Printed, StatementKind, Unary};
use crate::types::{Scalar, Types};

type Interval = (i128, i128);

pub fn cannot_fail(types: &Types, kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Assign { target, value } => {
            let (Some(scalar), Some(value)) = (types.as_scalar(target.ty), interval(types, value))
            else {
                return false;
            };
            place(target) && inside(value, scalar)
        }
        StatementKind::Copy { target, source } => place(target) && place(source),
        StatementKind::CopyText { target, .. } => place(target),
        StatementKind::Include { target, element, .. } => {
            let element = interval(types, element);
            place(target) && element.is_some_and(|(low, high)| low >= 0 && high <= 31)
        }
        StatementKind::Output { value, width, .. } => {
            let printed = match value {
                None | Some(Printed::Text(_)) => true,
                Some(Printed::Value(value)) => interval(types, value).is_some(),
                Some(Printed::Place(from)) => place(from),
            };
            printed && width.as_ref().is_none_or(|width| width.constant().is_some())
        }
        _ => false,
    }
}

fn inside((low, high): Interval, scalar: Scalar) -> bool {
    let (least, most) = scalar.range();
    low >= least.into() && high <= most.into()
}

/// Is it there whatever happens?
fn place(place: &Place) -> bool {
    place.path.iter().all(|step| match step {
        PathStep::Field { .. } => true,
        PathStep::Index { index, length: Length::Fixed(length), .. } => {
            index.constant().is_some_and(|index| index >= 0 && index < i64::from(*length))
        }
        PathStep::Index { length: Length::Open, .. } => false,
    })
}

/// The values that an expression can have; `None`: it may go wrong.
fn interval(types: &Types, expr: &Expr) -> Option<Interval> {
    let wide = |(low, high): (i64, i64)| (i128::from(low), i128::from(high));
    match &expr.kind {
        ExprKind::Constant(value) => Some((i128::from(*value), i128::from(*value))),
        ExprKind::Load(from) => {
            let scalar = types.as_scalar(from.ty)?;
            place(from).then_some(wide(scalar.range()))
        }
        ExprKind::Length(_) => Some((0, i128::from(u32::MAX))),
        ExprKind::Unary(Unary::Not | Unary::Odd, operand) => {
            interval(types, operand).map(|_| (0, 1))
        }
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (interval(types, left)?, interval(types, right)?);
            binary(*op, left, right)
        }
        ExprKind::Cast(scalar, operand) => interval(types, operand).map(|_| wide(scalar.range())),
        ExprKind::Check(scalar, operand) => {
            interval(types, operand).filter(|value| inside(*value, *scalar))
        }
        ExprKind::Unary(..) | ExprKind::Range(..) => None,
    }
}

fn binary(op: Binary, (a, b): Interval, (c, d): Interval) -> Option<Interval> {
    use Binary::*;
    let all = (i128::from(i64::MIN), i128::from(i64::MAX));
    let fits = |(low, high): Interval| (low >= all.0 && high <= all.1).then_some((low, high));
    match op {
        Add => fits((a + c, b + d)),
        Subtract => fits((a - d, b - c)),
        And | Or | Equal | Unequal | Less | LessEqual | Greater | GreaterEqual | Subset
        | Superset => Some((0, 1)),
        Union | Difference | Intersection | SymmetricDifference => Some((0, u32::MAX.into())),
        BitAnd | BitOr | BitXor => Some(all),
        // By a constant other than 0; the smallest number by -1 is too large.
        Div if c == d && c > 0 => Some((a.min(0), b.max(0))),
        Mod if c == d && c > 0 => Some((0, c - 1)),
        _ => None,
    }
}
