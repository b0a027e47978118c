//! What operators give: one place for constants, the running program and the checked one.

use crate::tree::{Binary, Unary};

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    Division,
    Overflow,
    /// Not the number of an element of a set.
    Element(i64),
    /// Shifted by a negative number, or too far.
    Shift(i64),
}

pub fn unary(op: Unary, a: i64) -> Result<i64, Trouble> {
    Ok(match op {
        Unary::Negate => a.checked_neg().ok_or(Trouble::Overflow)?,
        Unary::Absolute => a.checked_abs().ok_or(Trouble::Overflow)?,
        Unary::Not => i64::from(a == 0),
        Unary::Complement => i64::from(!(a as u32)),
        Unary::Odd => a & 1,
        Unary::BitNot(32) => i64::from(!(a as i32)),
        Unary::BitNot(_) => !a,
        Unary::Single => 1 << element(a)?,
    })
}

#[inline]
pub fn binary(op: Binary, a: i64, b: i64) -> Result<i64, Trouble> {
    let truth = |truth: bool| Ok(i64::from(truth));
    match op {
        Binary::Add => a.checked_add(b).ok_or(Trouble::Overflow),
        Binary::Subtract => a.checked_sub(b).ok_or(Trouble::Overflow),
        Binary::Multiply => a.checked_mul(b).ok_or(Trouble::Overflow),
        Binary::Div => floored(a, b).map(|(quotient, _)| quotient),
        Binary::Mod => floored(a, b).map(|(_, rest)| rest),
        Binary::And | Binary::BitAnd | Binary::Intersection => Ok(a & b),
        Binary::Or | Binary::BitOr | Binary::Union => Ok(a | b),
        Binary::BitXor | Binary::SymmetricDifference => Ok(a ^ b),
        Binary::Difference => Ok(a & !b),
        Binary::Equal => truth(a == b),
        Binary::Unequal => truth(a != b),
        Binary::Less => truth(a < b),
        Binary::LessEqual => truth(a <= b),
        Binary::Greater => truth(a > b),
        Binary::GreaterEqual => truth(a >= b),
        Binary::In => truth((0..32).contains(&a) && b >> a & 1 == 1),
        Binary::Subset => truth(a & !b == 0),
        Binary::Superset => truth(b & !a == 0),
        Binary::ShiftLeft(32) => Ok(i64::from((a as u32).wrapping_shl(shift(b, 32)?) as i32)),
        Binary::ShiftLeft(_) => Ok(a << shift(b, 64)?),
        Binary::ShiftRight(32) => Ok(i64::from(((a as u32) >> shift(b, 32)?) as i32)),
        Binary::ShiftRight(_) => Ok(((a as u64) >> shift(b, 64)?) as i64),
        Binary::ShiftRightSigned(32) => Ok(i64::from((a as i32) >> shift(b, 32)?)),
        Binary::ShiftRightSigned(_) => Ok(a >> shift(b, 64)?),
        Binary::Rotate(32) => Ok(i64::from((a as i32).rotate_right(shift(b, 32)?))),
        Binary::Rotate(_) => Ok(a.rotate_right(shift(b, 64)?)),
    }
}

/// The set of all elements from one to another one.
pub fn range(from: i64, to: i64) -> Result<i64, Trouble> {
    if from > to {
        return Ok(0);
    }
    let (from, to) = (element(from)?, element(to)?);
    Ok((from..=to).fold(0, |set, bit| set | 1 << bit))
}

fn element(a: i64) -> Result<u32, Trouble> {
    if (0..32).contains(&a) { Ok(a as u32) } else { Err(Trouble::Element(a)) }
}

fn shift(by: i64, width: i64) -> Result<u32, Trouble> {
    if (0..width).contains(&by) { Ok(by as u32) } else { Err(Trouble::Shift(by)) }
}

/// Quotient and rest; the rest has the sign of the divisor.
fn floored(a: i64, b: i64) -> Result<(i64, i64), Trouble> {
    if b == 0 {
        return Err(Trouble::Division);
    }
    let quotient = a.checked_div(b).ok_or(Trouble::Overflow)?;
    let rest = a % b;
    if rest != 0 && (rest < 0) != (b < 0) {
        Ok((quotient - 1, rest + b))
    } else {
        Ok((quotient, rest))
    }
}

impl Trouble {
    /// The kind of the fault that it is when the program runs.
    pub fn kind(self) -> &'static str {
        match self {
            Trouble::Division => "division",
            _ => "range",
        }
    }

    pub fn message(self) -> String {
        match self {
            Trouble::Division => "division by zero".to_owned(),
            Trouble::Overflow => "the result does not fit into 64 bits".to_owned(),
            Trouble::Element(a) => format!("{a} is no element of a set: those are 0 to 31"),
            Trouble::Shift(by) => format!("cannot shift by {by}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_oberons() {
        let pair = |a, b| (binary(Binary::Div, a, b), binary(Binary::Mod, a, b));
        assert_eq!(pair(7, 3), (Ok(2), Ok(1)));
        assert_eq!(pair(-7, 3), (Ok(-3), Ok(2)));
        assert_eq!(pair(7, -3), (Ok(-3), Ok(-2)));
        assert_eq!(pair(-7, -3), (Ok(2), Ok(-1)));
        assert_eq!(pair(6, -3), (Ok(-2), Ok(0)));
        assert_eq!(pair(1, 0), (Err(Trouble::Division), Err(Trouble::Division)));
        assert_eq!(binary(Binary::Div, i64::MIN, -1), Err(Trouble::Overflow));
    }

    #[test]
    fn sets_are_bits() {
        assert_eq!(range(1, 3), Ok(0b1110));
        assert_eq!(range(3, 1), Ok(0));
        assert_eq!(range(0, 32), Err(Trouble::Element(32)));
        assert_eq!(binary(Binary::In, 31, 1 << 31), Ok(1));
        assert_eq!(binary(Binary::In, 40, -1), Ok(0));
        assert_eq!(unary(Unary::Complement, 0), Ok(0xFFFF_FFFF));
    }

    #[test]
    fn shifts_keep_their_width() {
        assert_eq!(binary(Binary::ShiftLeft(32), 1, 31), Ok(i64::from(i32::MIN)));
        assert_eq!(binary(Binary::ShiftRight(32), -1, 28), Ok(15));
        assert_eq!(binary(Binary::ShiftRightSigned(32), -16, 2), Ok(-4));
        assert_eq!(binary(Binary::Rotate(32), 1, 1), Ok(i64::from(i32::MIN)));
        assert_eq!(binary(Binary::ShiftLeft(32), 1, 32), Err(Trouble::Shift(32)));
    }
}
