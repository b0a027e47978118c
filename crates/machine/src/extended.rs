//! The 80-bit numbers of the x87, which are C's `long double` on x86: 64 bits of significand in one
//! register, the sign and 15 bits of exponent in another. All results are those of the hardware.

mod intrinsic;
mod math;
mod special;
mod text;

use crate::arith::{self, Trap, trap};
use crate::code::Cast;
use crate::value::{Scalar, Value, mask};
use auspex_llvm::ir::{BinaryOp, FloatPredicate};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

pub use intrinsic::intrinsic;
pub use math::{
    fraction, fused_multiply_add, greater, lesser, next_after, remainder, round, scaled, split,
    sqrt,
};
pub use special::{Function, special};
pub use text::{digits, rounded, text};

pub type Extended = X87DoubleExtended;

type Result<T> = std::result::Result<T, Trap>;

/// The widths of the two registers.
pub const LANES: [u8; 2] = [64, 16];
const SIGN: u128 = 1 << 79;
const INFINITY: u128 = 0x7fff << 64 | 1 << 63;
/// What an operation without a result gives.
const INVALID: u128 = 0xffff << 64 | 3 << 62;
/// Set in the significand of a quiet NaN.
const QUIET: u128 = 1 << 62;

pub fn undefined() -> [Value; 2] {
    LANES.map(Value::undefined)
}

pub fn lanes(number: Extended) -> [Value; 2] {
    arith::halves(number.to_bits(), 80)
}

/// The number in two registers; `None` where a bit of it is undefined.
pub fn number(lanes: [Value; 2]) -> Result<Option<Extended>> {
    let [low, high] = lanes;
    if low.undef != 0 || high.undef & 0xffff != 0 {
        return Ok(None);
    }
    if low.object | high.object != 0 {
        return Err(trap(arith::UNSUPPORTED, "float arithmetic on the bits of a pointer"));
    }
    Ok(Some(Extended::from_bits(u128::from(low.bits) | u128::from(high.bits & 0xffff) << 64)))
}

pub fn from_double(value: f64) -> Extended {
    Double::from_bits(value.to_bits().into()).convert(&mut false).value
}

pub fn from_single(value: f32) -> Extended {
    Single::from_bits(value.to_bits().into()).convert(&mut false).value
}

/// The nearest double.
pub fn to_double(value: Extended) -> f64 {
    let double: Double = value.convert(&mut false).value;
    f64::from_bits(double.to_bits() as u64)
}

fn to_single(value: Extended) -> f32 {
    let single: Single = value.convert(&mut false).value;
    f32::from_bits(single.to_bits() as u32)
}

pub fn invalid() -> Extended {
    Extended::from_bits(INVALID)
}

/// Which of two operands, one of which is not a number, is the result.
fn not_a_number(x: Extended, y: Extended) -> Extended {
    let rank = |x: Extended| (x.is_nan(), !x.is_signaling(), x.to_bits() & u128::from(u64::MAX));
    let chosen = match rank(x).cmp(&rank(y)) {
        Ordering::Equal if x.is_negative() => y,
        Ordering::Less => y,
        _ => x,
    };
    match chosen.to_bits() {
        // No number of today's hardware.
        bits if bits >> 63 & 1 == 0 => invalid(),
        bits => Extended::from_bits(bits | QUIET),
    }
}

/// A number as it is, a NaN made quiet.
pub fn quiet(x: Extended) -> Extended {
    if x.is_nan() { not_a_number(x, x) } else { x }
}

/// An operation on two numbers.
fn on(x: Extended, y: Extended, op: impl FnOnce(Extended, Extended) -> Extended) -> Extended {
    if x.is_nan() || y.is_nan() {
        return not_a_number(x, y);
    }
    let result = op(x, y);
    if result.is_nan() { invalid() } else { result }
}

pub fn calculate(op: BinaryOp, x: Extended, y: Extended) -> Extended {
    on(x, y, |x, y| match op {
        BinaryOp::FloatAdd => (x + y).value,
        BinaryOp::FloatSub => (x - y).value,
        BinaryOp::FloatMul => (x * y).value,
        BinaryOp::FloatDiv => (x / y).value,
        _ => x.c_fmod(y).value,
    })
}

// Not inlined, as those below: the code for doubles around the call stays small.
#[inline(never)]
pub fn binary(op: BinaryOp, a: [Value; 2], b: [Value; 2]) -> Result<[Value; 2]> {
    let (Some(x), Some(y)) = (number(a)?, number(b)?) else { return Ok(undefined()) };
    Ok(lanes(calculate(op, x, y)))
}

#[inline(never)]
pub fn compare(predicate: FloatPredicate, a: [Value; 2], b: [Value; 2]) -> Result<Value> {
    use FloatPredicate::*;
    let constant = matches!(predicate, True | False);
    let (Some(x), Some(y)) = (number(a)?, number(b)?) else {
        return Ok(match constant {
            true => Value::number((predicate == True).into()),
            false => Value::undefined(1),
        });
    };
    let order = x.partial_cmp(&y);
    let (less, equal, greater) = (
        order == Some(Ordering::Less),
        order == Some(Ordering::Equal),
        order == Some(Ordering::Greater),
    );
    let unordered = order.is_none();
    Ok(Value::number(u64::from(match predicate {
        False => false,
        True => true,
        Ordered => !unordered,
        Unordered => unordered,
        OrderedEqual => equal,
        OrderedGreater => greater,
        OrderedGreaterEqual => greater || equal,
        OrderedLess => less,
        OrderedLessEqual => less || equal,
        OrderedNotEqual => less || greater,
        UnorderedEqual => unordered || equal,
        UnorderedGreater => unordered || greater,
        UnorderedGreaterEqual => !less,
        UnorderedLess => unordered || less,
        UnorderedLessEqual => !greater,
        UnorderedNotEqual => !equal,
    })))
}

/// A cast from or to this type.
#[inline(never)]
pub fn cast(op: Cast, from: Scalar, to: Scalar, pointer: u8, a: [Value; 2]) -> Result<[Value; 2]> {
    let bits_of = |scalar: Scalar| match scalar {
        Scalar::Wide(bits) => bits,
        _ => scalar.bits(pointer),
    };
    let nothing = || match to.pair() {
        Some(pair) => pair.map(Value::undefined),
        None => [Value::undefined(to.bits(pointer)), Value::NULL],
    };
    match op {
        Cast::Bits if from.pair() == to.pair() => Ok(a),
        Cast::Float if from == Scalar::Extended => {
            let Some(x) = number(a)? else { return Ok(nothing()) };
            Ok(match to {
                Scalar::Extended => a,
                Scalar::Single => [Value::number(to_single(x).to_bits().into()), Value::NULL],
                _ => [Value::number(to_double(x).to_bits()), Value::NULL],
            })
        }
        Cast::Float => {
            if a[0].undef != 0 {
                return Ok(nothing());
            }
            if a[0].object != 0 {
                return Err(arith::obscured("a cast"));
            }
            Ok(lanes(match from {
                Scalar::Single => from_single(f32::from_bits(a[0].bits as u32)),
                _ => from_double(f64::from_bits(a[0].bits)),
            }))
        }
        Cast::FromSigned | Cast::FromUnsigned => {
            let high = if from.lanes() == 2 { a[1] } else { Value::NULL };
            if a[0].object | high.object != 0 {
                return Err(arith::obscured("a cast to a float"));
            }
            let Some(integer) = arith::wide([a[0], high]) else { return Ok(nothing()) };
            Ok(lanes(match op {
                Cast::FromSigned => {
                    Extended::from_i128(arith::sign_extend_wide(integer, bits_of(from))).value
                }
                _ => Extended::from_u128(integer).value,
            }))
        }
        Cast::ToSigned | Cast::ToUnsigned => {
            let Some(x) = number(a)? else { return Ok(nothing()) };
            let bits = bits_of(to);
            let integer = match op {
                Cast::ToSigned => to_signed(x, Round::TowardZero, bits).map(|it| it as u128),
                _ => {
                    let result = x.to_u128_r(bits.into(), Round::TowardZero, &mut false);
                    (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
                }
            };
            let Some(integer) = integer else {
                let message = format!("{} does not fit an integer of {bits} bits", text(x));
                return Err(trap("conversion", message));
            };
            Ok(match to {
                Scalar::Wide(_) => arith::halves(integer, bits),
                _ => [Value::number(integer as u64 & mask(bits)), Value::NULL],
            })
        }
        _ => Err(trap(arith::UNSUPPORTED, "a cast of a long double to something else")),
    }
}

/// The integer that a number is rounded to, if it fits.
pub fn to_signed(x: Extended, round: Round, bits: u8) -> Option<i128> {
    let result = x.to_i128_r(bits.into(), round, &mut false);
    (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
}

/// The sign, the biased exponent (of what is below the least normal number, 1), the significand.
pub fn parts(x: Extended) -> (bool, i32, u64) {
    let bits = x.to_bits();
    (bits & SIGN != 0, ((bits >> 64 & 0x7fff) as i32).max(1), bits as u64)
}

/// The exponent of two of the last bit of a significand.
const LAST: i32 = 16383 + 63;

pub fn infinity(negative: bool) -> Extended {
    Extended::from_bits(if negative { SIGN | INFINITY } else { INFINITY })
}

#[cfg(test)]
fn of(text: &str) -> Extended {
    Extended::from_str_r(text, Round::NearestTiesToEven).expect("a number").value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_number() {
        let zero = Extended::default();
        assert_eq!(calculate(BinaryOp::FloatDiv, zero, zero).to_bits(), INVALID);
        assert_eq!(sqrt(of("-1")).to_bits(), INVALID);
        // Of two the one with the greater significand; it becomes quiet.
        let (a, b) = (0x7fff << 64 | 0xc << 60 | 5, SIGN | 0x7fff << 64 | 0xc << 60 | 7);
        let sum = |a, b| {
            let (a, b) = (Extended::from_bits(a), Extended::from_bits(b));
            calculate(BinaryOp::FloatAdd, a, b).to_bits()
        };
        assert_eq!((sum(a, b), sum(b, a)), (b, b));
        assert_eq!(sum(a & !QUIET, of("1").to_bits()), a);
        // A number whose first bit is 0 is none.
        assert_eq!(sum(0x3fff << 64 | 1, of("1").to_bits()), INVALID);
    }

    #[test]
    fn undefined_and_pointers() {
        let one = lanes(of("1"));
        let half = [one[0], Value::with_undef(0x3f00, 0xff)];
        assert_eq!(binary(BinaryOp::FloatAdd, one, half), Ok(undefined()));
        assert_eq!(compare(FloatPredicate::OrderedLess, half, one), Ok(Value::undefined(1)));
        let pointer = [Value::pointer(3, 8), one[1]];
        assert!(binary(BinaryOp::FloatAdd, pointer, one).is_err());
        let cast = |to, a| cast(Cast::ToSigned, Scalar::Extended, to, 8, a);
        assert_eq!(cast(Scalar::Int(32), half), Ok([Value::undefined(32), Value::NULL]));
        assert!(cast(Scalar::Int(8), lanes(of("128"))).is_err());
        assert_eq!(cast(Scalar::Int(8), lanes(of("-128.9"))).map(|it| it[0].bits), Ok(0x80));
    }
}
