//! Arithmetic on values: bits, undefined bits, and what may be done with pointers.

use crate::code::{Cast, Flags};
use crate::extended;
use crate::value::{Scalar, Value, mask, sign_extend};
use auspex_llvm::ir::{BinaryOp, FloatPredicate, IntegerPredicate};

/// Why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    pub kind: &'static str,
    pub message: String,
}

/// The machine cannot say what the result is.
pub const UNSUPPORTED: &str = "unsupported";

#[cold]
pub fn trap(kind: &'static str, message: impl Into<String>) -> Trap {
    Trap { kind, message: message.into() }
}

#[cold]
pub fn obscured(what: &str) -> Trap {
    let hint = "Auspex follows pointers through +, -, and the lowest bits only";
    trap(UNSUPPORTED, format!("{what} on the bits of a pointer: {hint}"))
}

type Result<T> = std::result::Result<T, Trap>;

/// The bits from the lowest one set upwards.
fn upwards(undef: u64) -> u64 {
    undef | undef.wrapping_neg()
}

pub fn binary(op: BinaryOp, bits: u8, flags: Flags, a: Value, b: Value) -> Result<Value> {
    if a.object != 0 || b.object != 0 {
        return on_pointers(op, bits, a, b);
    }
    let all = mask(bits);
    let undef = a.undef | b.undef;
    if undef != 0 {
        return on_undefined(op, bits, a, b);
    }
    let (x, y) = (a.bits, b.bits);
    let (sx, sy) = (sign_extend(x, bits), sign_extend(y, bits));
    let result = match op {
        BinaryOp::Add => {
            let wide = i128::from(sx) + i128::from(sy);
            signed_check(flags.nsw, wide, bits, sx, "+", sy)?;
            unsigned_check(flags.nuw, u128::from(x) + u128::from(y) > u128::from(all), x, "+", y)?;
            x.wrapping_add(y)
        }
        BinaryOp::Sub => {
            let wide = i128::from(sx) - i128::from(sy);
            signed_check(flags.nsw, wide, bits, sx, "-", sy)?;
            unsigned_check(flags.nuw, x < y, x, "-", y)?;
            x.wrapping_sub(y)
        }
        BinaryOp::Mul => {
            let wide = i128::from(sx) * i128::from(sy);
            signed_check(flags.nsw, wide, bits, sx, "*", sy)?;
            unsigned_check(flags.nuw, u128::from(x) * u128::from(y) > u128::from(all), x, "*", y)?;
            x.wrapping_mul(y)
        }
        BinaryOp::UnsignedDiv
        | BinaryOp::SignedDiv
        | BinaryOp::UnsignedRem
        | BinaryOp::SignedRem
            if y == 0 =>
        {
            return Err(trap("division", "division by zero"));
        }
        BinaryOp::UnsignedDiv => x / y,
        BinaryOp::UnsignedRem => x % y,
        BinaryOp::SignedDiv | BinaryOp::SignedRem
            if sy == -1 && sx == sign_extend(1 << (bits - 1), bits) =>
        {
            return Err(trap("overflow", format!("signed overflow: {sx} / -1")));
        }
        BinaryOp::SignedDiv => sx.wrapping_div(sy) as u64,
        BinaryOp::SignedRem => sx.wrapping_rem(sy) as u64,
        BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight
            if y >= u64::from(bits) =>
        {
            return Err(bad_shift(sy, bits));
        }
        BinaryOp::ShiftLeft => {
            let wide = i128::from(sx) << y.min(63);
            if flags.nsw && (y >= 64 || !fits(wide, bits)) {
                return Err(trap("overflow", format!("signed overflow: {sx} << {y}")));
            }
            x << y
        }
        BinaryOp::LogicalShiftRight => x >> y,
        BinaryOp::ArithmeticShiftRight => (sx >> y) as u64,
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        _ => return Err(trap(UNSUPPORTED, "a float operation on integers")),
    };
    Ok(Value::number(result & all))
}

fn bad_shift(by: i64, bits: u8) -> Trap {
    trap("shift", format!("shift of a {bits}-bit value by {by}"))
}

fn fits(wide: i128, bits: u8) -> bool {
    let limit = 1i128 << (bits - 1);
    (-limit..limit).contains(&wide)
}

#[inline]
fn signed_check(nsw: bool, wide: i128, bits: u8, x: i64, op: &str, y: i64) -> Result<()> {
    if nsw && !fits(wide, bits) {
        return Err(trap(
            "overflow",
            format!("signed overflow: {x} {op} {y} does not fit {bits} bits"),
        ));
    }
    Ok(())
}

#[inline]
fn unsigned_check(nuw: bool, overflows: bool, x: u64, op: &str, y: u64) -> Result<()> {
    if nuw && overflows {
        return Err(trap("overflow", format!("unsigned overflow: {x} {op} {y}")));
    }
    Ok(())
}

/// Some bits are undefined: which bits of the result are?
fn on_undefined(op: BinaryOp, bits: u8, a: Value, b: Value) -> Result<Value> {
    let all = mask(bits);
    let undef = a.undef | b.undef;
    Ok(match op {
        // A bit that is known to be 0 decides.
        BinaryOp::And => {
            let known_zero = (!a.undef & !a.bits) | (!b.undef & !b.bits);
            Value::with_undef(a.bits & b.bits, undef & !known_zero & all)
        }
        BinaryOp::Or => {
            let known_one = (!a.undef & a.bits) | (!b.undef & b.bits);
            Value::with_undef(a.bits | b.bits, undef & !known_one & all)
        }
        BinaryOp::Xor => Value::with_undef(a.bits ^ b.bits, undef & all),
        BinaryOp::Add => Value::with_undef(a.bits.wrapping_add(b.bits) & all, upwards(undef) & all),
        BinaryOp::Sub => Value::with_undef(a.bits.wrapping_sub(b.bits) & all, upwards(undef) & all),
        BinaryOp::Mul => Value::with_undef(a.bits.wrapping_mul(b.bits) & all, upwards(undef) & all),
        BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight
            if b.undef == 0 =>
        {
            if b.bits >= u64::from(bits) {
                return Err(bad_shift(sign_extend(b.bits, bits), bits));
            }
            let by = b.bits as u32;
            match op {
                BinaryOp::ShiftLeft => {
                    Value::with_undef((a.bits << by) & all, (a.undef << by) & all)
                }
                BinaryOp::LogicalShiftRight => Value::with_undef(a.bits >> by, a.undef >> by),
                _ => {
                    let undef = (sign_extend(a.undef, bits) >> by) as u64 & all;
                    Value::with_undef((sign_extend(a.bits, bits) >> by) as u64 & all, undef)
                }
            }
        }
        BinaryOp::UnsignedDiv
        | BinaryOp::SignedDiv
        | BinaryOp::UnsignedRem
        | BinaryOp::SignedRem
            if b.undef == 0 && b.bits == 0 =>
        {
            return Err(trap("division", "division by zero"));
        }
        BinaryOp::UnsignedDiv
        | BinaryOp::SignedDiv
        | BinaryOp::UnsignedRem
        | BinaryOp::SignedRem
            if b.undef != 0 =>
        {
            return Err(trap("uninitialised", "division by an uninitialised value"));
        }
        _ => Value::undefined(bits),
    })
}

/// Every object begins on a page: the lowest bits of an address are those of the offset.
const ALIGNED: u64 = 4095;

fn on_pointers(op: BinaryOp, bits: u8, a: Value, b: Value) -> Result<Value> {
    if a.undef | b.undef != 0 {
        return Ok(Value::undefined(bits));
    }
    if a.piece != 0 || b.piece != 0 {
        return match op {
            BinaryOp::Sub | BinaryOp::Xor if a == b => Ok(Value::number(0)),
            BinaryOp::And if b.object == 0 && b.bits & mask(bits.min(8)) == mask(bits.min(8)) => {
                Ok(a)
            }
            BinaryOp::Or | BinaryOp::Add | BinaryOp::Xor if b == Value::number(0) => Ok(a),
            BinaryOp::Or | BinaryOp::Add | BinaryOp::Xor if a == Value::number(0) => Ok(b),
            _ => Err(obscured("arithmetic")),
        };
    }
    match op {
        BinaryOp::Add if b.object == 0 => Ok(Value { bits: a.bits.wrapping_add(b.bits), ..a }),
        BinaryOp::Add if a.object == 0 => Ok(Value { bits: b.bits.wrapping_add(a.bits), ..b }),
        BinaryOp::Sub if b.object == 0 => Ok(Value { bits: a.bits.wrapping_sub(b.bits), ..a }),
        BinaryOp::Sub if a.object == b.object => {
            Ok(Value::number(a.bits.wrapping_sub(b.bits) & mask(bits)))
        }
        BinaryOp::Sub => Err(trap(UNSUPPORTED, "the difference of pointers to different objects")),
        BinaryOp::And => {
            let (pointer, number) = if a.object != 0 { (a, b) } else { (b, a) };
            let wide = sign_extend(number.bits, bits) as u64;
            if number.object != 0 {
                Err(obscured("&"))
            } else if wide & !ALIGNED == 0 {
                Ok(Value::number(pointer.bits & wide))
            } else if wide | ALIGNED == u64::MAX {
                Ok(Value { bits: pointer.bits & wide, ..pointer })
            } else {
                Err(obscured("&"))
            }
        }
        BinaryOp::Or | BinaryOp::Xor => {
            let (pointer, number) = if a.object != 0 { (a, b) } else { (b, a) };
            match number {
                _ if op == BinaryOp::Xor && a == b => Ok(Value::number(0)),
                Value { object: 0, bits: 0..=ALIGNED, .. } => {
                    let bits = match op {
                        BinaryOp::Or => pointer.bits | number.bits,
                        _ => pointer.bits ^ number.bits,
                    };
                    Ok(Value { bits, ..pointer })
                }
                _ => Err(obscured(if op == BinaryOp::Or { "|" } else { "^" })),
            }
        }
        BinaryOp::UnsignedRem
            if b.object == 0 && b.bits.is_power_of_two() && b.bits <= ALIGNED + 1 =>
        {
            Ok(Value::number(a.bits & (b.bits - 1)))
        }
        BinaryOp::Mul => Err(obscured("*")),
        BinaryOp::UnsignedDiv | BinaryOp::SignedDiv => Err(obscured("/")),
        BinaryOp::UnsignedRem | BinaryOp::SignedRem => Err(obscured("%")),
        BinaryOp::ShiftLeft => Err(obscured("<<")),
        _ => Err(obscured(">>")),
    }
}

/// No object lies below: the first page is never used.
const FIRST_PAGE: u64 = 4096;
/// Numbers that programs use in place of addresses, above every object: -1 to -4095.
const ERRORS: u64 = 4095;

/// A comparison: 0 or 1, perhaps undefined. The objects 1 to `globals` lie in this order.
pub fn compare(
    predicate: IntegerPredicate,
    bits: u8,
    globals: u32,
    a: Value,
    b: Value,
) -> Result<Value> {
    use IntegerPredicate::*;
    let truth = |yes: bool| Ok(Value::number(yes.into()));
    if a.undef | b.undef != 0 {
        let known = !(a.undef | b.undef) & mask(bits);
        let differ = a.object == 0 && b.object == 0 && (a.bits ^ b.bits) & known != 0;
        return match predicate {
            Equal if differ => truth(false),
            NotEqual if differ => truth(true),
            _ => Ok(Value::undefined(1)),
        };
    }
    if a.object != b.object || a.piece != b.piece {
        return match predicate {
            Equal => truth(false),
            NotEqual => truth(true),
            _ if a.piece | b.piece != 0 => Err(obscured("a comparison")),
            _ => {
                let signed = matches!(
                    predicate,
                    SignedLess | SignedLessEqual | SignedGreater | SignedGreaterEqual
                );
                let first = match (a.object, b.object) {
                    (0, _) => is_below(a.bits, b, bits, signed)?,
                    (_, 0) => !is_below(b.bits, a, bits, signed)?,
                    (x, y) if x <= globals && y <= globals => x < y,
                    _ => {
                        let message = "which of two objects comes first in memory";
                        return Err(trap(UNSUPPORTED, message));
                    }
                };
                let less = matches!(
                    predicate,
                    UnsignedLess | UnsignedLessEqual | SignedLess | SignedLessEqual
                );
                truth(less == first)
            }
        };
    }
    if a.object != 0 {
        // Offsets may be negative, just before an object.
        let (x, y) = (a.bits as i64, b.bits as i64);
        return truth(match predicate {
            Equal => x == y,
            NotEqual => x != y,
            UnsignedGreater | SignedGreater => x > y,
            UnsignedGreaterEqual | SignedGreaterEqual => x >= y,
            UnsignedLess | SignedLess => x < y,
            UnsignedLessEqual | SignedLessEqual => x <= y,
        });
    }
    let (x, y) = (a.bits, b.bits);
    let (sx, sy) = (sign_extend(x, bits), sign_extend(y, bits));
    truth(match predicate {
        Equal => x == y,
        NotEqual => x != y,
        UnsignedGreater => x > y,
        UnsignedGreaterEqual => x >= y,
        UnsignedLess => x < y,
        UnsignedLessEqual => x <= y,
        SignedGreater => sx > sy,
        SignedGreaterEqual => sx >= sy,
        SignedLess => sx < sy,
        SignedLessEqual => sx <= sy,
    })
}

/// Is a number less than an address?
fn is_below(number: u64, address: Value, bits: u8, signed: bool) -> Result<bool> {
    let unknown = || {
        let shown = match signed {
            true => sign_extend(number, bits).to_string(),
            false => format!("{number:#x}"),
        };
        trap(UNSUPPORTED, format!("whether an object lies before or after the address {shown}"))
    };
    // Far from its object it may be anywhere.
    if i32::try_from(address.bits as i64).is_err() {
        return Err(unknown());
    }
    match signed {
        _ if number == 0 => Ok(true),
        // Addresses of 64 bits are positive, those of 32 bits may not be.
        true if bits == 64 && sign_extend(number, bits) <= FIRST_PAGE as i64 => Ok(true),
        false if number <= FIRST_PAGE => Ok(true),
        false if number > mask(bits) - ERRORS => Ok(false),
        _ => Err(unknown()),
    }
}

/// A number of up to 128 bits in two registers.
pub fn wide(halves: [Value; 2]) -> Option<u128> {
    let [low, high] = halves;
    let plain = low.undef | high.undef == 0 && low.object == 0 && high.object == 0;
    plain.then(|| u128::from(low.bits) | u128::from(high.bits) << 64)
}

pub fn halves(value: u128, bits: u8) -> [Value; 2] {
    let value = if bits >= 128 { value } else { value & ((1 << bits) - 1) };
    [Value::number(value as u64), Value::number((value >> 64) as u64)]
}

pub fn sign_extend_wide(value: u128, bits: u8) -> i128 {
    let unused = 128 - u32::from(bits);
    ((value << unused) as i128) >> unused
}

pub fn wide_binary(
    op: BinaryOp,
    bits: u8,
    flags: Flags,
    a: [Value; 2],
    b: [Value; 2],
) -> Result<[Value; 2]> {
    let (Some(x), Some(y)) = (wide(a), wide(b)) else {
        let halfwise = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        if !halfwise && a.iter().chain(&b).any(|half| half.object != 0) {
            // Two pointers in one number: a half may move to the place of the other.
            return match (op, wide(b)) {
                (BinaryOp::ShiftLeft, Some(64)) if bits == 128 => Ok([Value::NULL, a[0]]),
                (BinaryOp::LogicalShiftRight, Some(64)) => Ok([a[1], Value::NULL]),
                (
                    BinaryOp::ShiftLeft
                    | BinaryOp::LogicalShiftRight
                    | BinaryOp::ArithmeticShiftRight
                    | BinaryOp::Add
                    | BinaryOp::Sub,
                    Some(0),
                ) => Ok(a),
                (BinaryOp::Add, _) if wide(a) == Some(0) => Ok(b),
                _ => Err(obscured("128-bit arithmetic")),
            };
        }
        return Ok(match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                [binary(op, 64, flags, a[0], b[0])?, binary(op, bits - 64, flags, a[1], b[1])?]
            }
            BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight => {
                return wide_shift(op, bits, a, b);
            }
            _ => [Value::undefined(64), Value::undefined(bits - 64)],
        });
    };
    let (sx, sy) = (sign_extend_wide(x, bits), sign_extend_wide(y, bits));
    let overflow = || trap("overflow", "signed overflow in 128-bit arithmetic");
    let checked = |result: Option<i128>| -> Result<u128> {
        let fits = |value: &i128| bits >= 128 || sign_extend_wide(*value as u128, bits) == *value;
        match result.filter(fits) {
            Some(value) => Ok(value as u128),
            None => Err(overflow()),
        }
    };
    let result = match op {
        BinaryOp::Add if flags.nsw => checked(sx.checked_add(sy))?,
        BinaryOp::Sub if flags.nsw => checked(sx.checked_sub(sy))?,
        BinaryOp::Mul if flags.nsw => checked(sx.checked_mul(sy))?,
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::UnsignedDiv
        | BinaryOp::SignedDiv
        | BinaryOp::UnsignedRem
        | BinaryOp::SignedRem
            if y == 0 =>
        {
            return Err(trap("division", "division by zero"));
        }
        BinaryOp::UnsignedDiv => x / y,
        BinaryOp::UnsignedRem => x % y,
        BinaryOp::SignedDiv => checked(sx.checked_div(sy))?,
        BinaryOp::SignedRem => checked(sx.checked_rem(sy))?,
        BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight
            if y >= u128::from(bits) =>
        {
            return Err(bad_shift(sy as i64, bits));
        }
        BinaryOp::ShiftLeft => x << y,
        BinaryOp::LogicalShiftRight => x >> y,
        BinaryOp::ArithmeticShiftRight => (sx >> y) as u128,
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        _ => return Err(trap(UNSUPPORTED, "a float operation on integers")),
    };
    Ok(halves(result, bits))
}

/// A shift of a value of which some bits are undefined: these move along.
fn wide_shift(op: BinaryOp, bits: u8, a: [Value; 2], b: [Value; 2]) -> Result<[Value; 2]> {
    let undefined = [Value::undefined(64), Value::undefined(bits - 64)];
    let Some(by) = wide(b) else { return Ok(undefined) };
    if by >= u128::from(bits) {
        return Err(bad_shift(by as i64, bits));
    }
    let join = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
    let shift = |value: u128| match op {
        BinaryOp::ShiftLeft => value << by,
        BinaryOp::LogicalShiftRight => value >> by,
        _ => (sign_extend_wide(value, bits) >> by) as u128,
    };
    let value = halves(shift(join(a[0].bits, a[1].bits)), bits);
    let undef = halves(shift(join(a[0].undef, a[1].undef)), bits);
    Ok([0, 1].map(|half| Value::with_undef(value[half].bits, undef[half].bits)))
}

pub fn wide_compare(
    predicate: IntegerPredicate,
    bits: u8,
    globals: u32,
    a: [Value; 2],
    b: [Value; 2],
) -> Result<Value> {
    use IntegerPredicate::*;
    let (Some(x), Some(y)) = (wide(a), wide(b)) else {
        return compare_halves(predicate, bits, globals, a, b);
    };
    let (sx, sy) = (sign_extend_wide(x, bits), sign_extend_wide(y, bits));
    Ok(Value::number(u64::from(match predicate {
        Equal => x == y,
        NotEqual => x != y,
        UnsignedGreater => x > y,
        UnsignedGreaterEqual => x >= y,
        UnsignedLess => x < y,
        UnsignedLessEqual => x <= y,
        SignedGreater => sx > sy,
        SignedGreaterEqual => sx >= sy,
        SignedLess => sx < sy,
        SignedLessEqual => sx <= sy,
    })))
}

/// A half may be a pointer, and some bits may be undefined.
fn compare_halves(
    predicate: IntegerPredicate,
    bits: u8,
    globals: u32,
    a: [Value; 2],
    b: [Value; 2],
) -> Result<Value> {
    use IntegerPredicate::*;
    let low = compare(Equal, 64, globals, a[0], b[0])?;
    let high = compare(Equal, bits - 64, globals, a[1], b[1])?;
    let differs = |half: Value| half == Value::number(0);
    let undefined = low.undef | high.undef != 0;
    let equal = |yes: bool| Ok(Value::number(yes.into()));
    match predicate {
        Equal | NotEqual if differs(low) || differs(high) => equal(predicate == NotEqual),
        _ if undefined => Ok(Value::undefined(1)),
        Equal | NotEqual => equal(predicate == Equal),
        _ if differs(high) => compare(predicate, bits - 64, globals, a[1], b[1]),
        UnsignedGreater | SignedGreater => compare(UnsignedGreater, 64, globals, a[0], b[0]),
        UnsignedGreaterEqual | SignedGreaterEqual => {
            compare(UnsignedGreaterEqual, 64, globals, a[0], b[0])
        }
        UnsignedLess | SignedLess => compare(UnsignedLess, 64, globals, a[0], b[0]),
        UnsignedLessEqual | SignedLessEqual => compare(UnsignedLessEqual, 64, globals, a[0], b[0]),
    }
}

pub fn to_double(value: Value, single: bool) -> f64 {
    if single { f64::from(f32::from_bits(value.bits as u32)) } else { f64::from_bits(value.bits) }
}

pub fn from_double(value: f64, single: bool) -> Value {
    Value::number(if single { u64::from((value as f32).to_bits()) } else { value.to_bits() })
}

pub fn float_binary(op: BinaryOp, single: bool, a: Value, b: Value) -> Result<Value> {
    if a.undef | b.undef != 0 {
        return Ok(Value::undefined(if single { 32 } else { 64 }));
    }
    if a.object | b.object != 0 {
        return Err(obscured("float arithmetic"));
    }
    if single {
        let (x, y) = (f32::from_bits(a.bits as u32), f32::from_bits(b.bits as u32));
        let result = match op {
            BinaryOp::FloatAdd => x + y,
            BinaryOp::FloatSub => x - y,
            BinaryOp::FloatMul => x * y,
            BinaryOp::FloatDiv => x / y,
            _ => x % y,
        };
        return Ok(Value::number(u64::from(result.to_bits())));
    }
    let (x, y) = (f64::from_bits(a.bits), f64::from_bits(b.bits));
    let result = match op {
        BinaryOp::FloatAdd => x + y,
        BinaryOp::FloatSub => x - y,
        BinaryOp::FloatMul => x * y,
        BinaryOp::FloatDiv => x / y,
        _ => x % y,
    };
    Ok(Value::number(result.to_bits()))
}

pub fn float_compare(predicate: FloatPredicate, single: bool, a: Value, b: Value) -> Value {
    use FloatPredicate::*;
    if a.undef | b.undef != 0 && !matches!(predicate, True | False) {
        return Value::undefined(1);
    }
    let (x, y) = (to_double(a, single), to_double(b, single));
    let unordered = x.is_nan() || y.is_nan();
    Value::number(u64::from(match predicate {
        False => false,
        True => true,
        Ordered => !unordered,
        Unordered => unordered,
        OrderedEqual => x == y,
        OrderedGreater => x > y,
        OrderedGreaterEqual => x >= y,
        OrderedLess => x < y,
        OrderedLessEqual => x <= y,
        OrderedNotEqual => !unordered && x != y,
        UnorderedEqual => unordered || x == y,
        UnorderedGreater => unordered || x > y,
        UnorderedGreaterEqual => unordered || x >= y,
        UnorderedLess => unordered || x < y,
        UnorderedLessEqual => unordered || x <= y,
        UnorderedNotEqual => unordered || x != y,
    }))
}

/// A cast; the second register is only there for numbers of more than 64 bits.
pub fn cast(op: Cast, from: Scalar, to: Scalar, pointer: u8, a: [Value; 2]) -> Result<[Value; 2]> {
    if from == Scalar::Extended || to == Scalar::Extended {
        return extended::cast(op, from, to, pointer, a);
    }
    let is_wide = |scalar| matches!(scalar, Scalar::Wide(_));
    let one = |value| Ok([value, Value::NULL]);
    let (from_bits, to_bits) = (from.bits(pointer), to.bits(pointer));
    let value = a[0];
    match op {
        Cast::ToInteger | Cast::ToPointer | Cast::Bits => {
            if is_wide(to) || is_wide(from) {
                // 128 bits of something else.
                return Ok(a);
            }
            if value.object != 0 && to_bits < 8 * pointer && value.piece == 0 {
                return truncate_pointer(value, to_bits).map(|value| [value, Value::NULL]);
            }
            let bits = if value.object == 0 { value.bits & mask(to_bits) } else { value.bits };
            one(Value { bits, undef: value.undef & mask(to_bits), ..value })
        }
        Cast::Truncate => match to {
            Scalar::Wide(bits) => {
                let high = Value {
                    bits: a[1].bits & mask(bits - 64),
                    undef: a[1].undef & mask(bits - 64),
                    ..a[1]
                };
                Ok([value, high])
            }
            // All of a pointer, out of a number that is wider.
            _ if value.object != 0 && value.piece == 0 && to_bits >= 8 * pointer => one(value),
            _ if value.object != 0 && value.piece == 0 => one(truncate_pointer(value, to_bits)?),
            _ if value.object != 0 && to_bits < 8 => Err(obscured("a cast")),
            _ => one(Value {
                bits: value.bits & mask(to_bits),
                undef: value.undef & mask(to_bits),
                ..value
            }),
        },
        Cast::ZeroExtend => match to {
            Scalar::Wide(_) if !is_wide(from) => Ok([value, Value::number(0)]),
            Scalar::Wide(_) => Ok(a),
            _ => one(value),
        },
        Cast::SignExtend => match to {
            Scalar::Wide(bits) => {
                if value.object != 0 {
                    return Err(obscured("a cast"));
                }
                let (low, top) = match from {
                    Scalar::Wide(from) => {
                        let Some(x) = wide(a) else {
                            return Ok([Value::undefined(64), Value::undefined(bits - 64)]);
                        };
                        return Ok(halves(sign_extend_wide(x, from) as u128, bits));
                    }
                    _ => (extend(value, from_bits, 64), value.undef >> (from_bits - 1) & 1 == 1),
                };
                let high = match top {
                    true => Value::undefined(bits - 64),
                    false => Value::number(((low.bits as i64) >> 63) as u64 & mask(bits - 64)),
                };
                Ok([low, high])
            }
            // A byte of a pointer that is only copied stays one.
            _ if value.object != 0 => one(value),
            _ => one(extend(value, from_bits, to_bits)),
        },
        Cast::Float => {
            if value.undef != 0 {
                return one(Value::undefined(to_bits));
            }
            one(from_double(to_double(value, from == Scalar::Single), to == Scalar::Single))
        }
        Cast::FromSigned | Cast::FromUnsigned => {
            if value.undef != 0 {
                return one(Value::undefined(to_bits));
            }
            if value.object != 0 {
                return Err(obscured("a cast to a float"));
            }
            let single = to == Scalar::Single;
            let Some(number) = wide([value, if is_wide(from) { a[1] } else { Value::NULL }]) else {
                return one(Value::undefined(to_bits));
            };
            let bits = match from {
                Scalar::Wide(bits) => bits,
                _ => from_bits,
            };
            let signed = sign_extend_wide(number, bits);
            one(match (op, single) {
                (Cast::FromSigned, true) => Value::number(u64::from((signed as f32).to_bits())),
                (Cast::FromSigned, false) => Value::number((signed as f64).to_bits()),
                (_, true) => Value::number(u64::from((number as f32).to_bits())),
                _ => Value::number((number as f64).to_bits()),
            })
        }
        Cast::ToSigned | Cast::ToUnsigned => {
            let bits = match to {
                Scalar::Wide(bits) => bits,
                _ => to_bits,
            };
            if value.undef != 0 {
                return Ok([
                    Value::undefined(bits.min(64)),
                    Value::undefined(bits.saturating_sub(64)),
                ]);
            }
            let number = to_double(value, from == Scalar::Single).trunc();
            let limit = 2f64.powi(i32::from(bits));
            let fits = match op {
                Cast::ToSigned => (-limit / 2.0..limit / 2.0).contains(&number),
                _ => number > -1.0 && number < limit,
            };
            if !fits {
                let shown = to_double(value, from == Scalar::Single);
                return Err(trap(
                    "conversion",
                    format!("{shown} does not fit an integer of {bits} bits"),
                ));
            }
            let integer =
                if op == Cast::ToSigned { number as i128 as u128 } else { number as u128 };
            match to {
                Scalar::Wide(_) => Ok(halves(integer, bits)),
                _ => one(Value::number(integer as u64 & mask(bits))),
            }
        }
    }
}

fn extend(value: Value, from: u8, to: u8) -> Value {
    let bits = sign_extend(value.bits, from) as u64 & mask(to);
    let undef = sign_extend(value.undef, from) as u64 & mask(to);
    Value::with_undef(bits, undef)
}

/// The lowest bits of a pointer, as far as they are those of its offset.
fn truncate_pointer(value: Value, bits: u8) -> Result<Value> {
    if mask(bits) <= ALIGNED {
        return Ok(Value::number(value.bits & mask(bits)));
    }
    Err(obscured("a cast to a smaller integer"))
}
