//! Functions whose result is that of exact arithmetic, rounded once.

use super::{Extended, LAST, SIGN, calculate, invalid, not_a_number, parts, quiet};
use auspex_llvm::ir::BinaryOp;
use rustc_apfloat::{Float, Round};

pub fn sqrt(x: Extended) -> Extended {
    if x.is_nan() {
        return not_a_number(x, x);
    }
    if x.is_zero() || x.is_pos_infinity() {
        return x;
    }
    let (negative, exponent, significand) = parts(x);
    if negative {
        return invalid();
    }
    let shift = significand.leading_zeros();
    let exponent = exponent - LAST - shift as i32;
    // An even exponent for a number of 127 or 128 bits, whose root has 64.
    let more = if exponent & 1 == 0 { 64 } else { 63 };
    let square = u128::from(significand << shift) << more;
    let root = square.isqrt();
    let up = square - root * root > root;
    Extended::from_u128(root + u128::from(up)).value.scalbn((exponent - more) / 2)
}

pub fn round(x: Extended, round: Round) -> Extended {
    if x.is_nan() { not_a_number(x, x) } else { x.round_to_integral(round).value }
}

/// What is behind the point.
pub fn fraction(x: Extended) -> Extended {
    let whole = round(x, Round::TowardZero);
    let fraction = match x.is_infinite() {
        true => Extended::default(),
        false => calculate(BinaryOp::FloatSub, x, whole),
    };
    fraction.copy_sign(x)
}

/// `x * 2^n`, rounded once.
pub fn scaled(x: Extended, n: i64) -> Extended {
    // What is beyond all exponents comes to the same.
    let n = n.clamp(-50_000, 50_000) as i32;
    if x.is_finite_non_zero() { x.scalbn(n) } else { quiet(x) }
}

/// A fraction from 0.5 to 1 and the exponent of two.
pub fn split(x: Extended) -> (Extended, i32) {
    if !x.is_finite_non_zero() {
        return (quiet(x), 0);
    }
    let exponent = x.ilogb() + 1;
    (x.scalbn(-exponent), exponent)
}

/// Not fused: `fmuladd` of x87 code is a multiplication and an addition.
pub(super) fn multiply_add(x: Extended, y: Extended, z: Extended) -> Extended {
    calculate(BinaryOp::FloatAdd, calculate(BinaryOp::FloatMul, x, y), z)
}

/// `fmin`: of zeros with different signs the first, as glibc.
pub fn lesser(x: Extended, y: Extended) -> Extended {
    match (x.is_nan(), y.is_nan()) {
        (true, true) => not_a_number(x, y),
        (false, true) => x,
        _ => {
            if x <= y {
                x
            } else {
                y
            }
        }
    }
}

/// `fmax`: of zeros with different signs the second.
pub fn greater(x: Extended, y: Extended) -> Extended {
    match (x.is_nan(), y.is_nan()) {
        (true, true) => not_a_number(x, y),
        (false, true) => x,
        _ => {
            if x > y {
                x
            } else {
                y
            }
        }
    }
}

/// The next number in the direction of another one.
pub fn next_after(x: Extended, to: Extended) -> Extended {
    if x.is_nan() || to.is_nan() {
        return not_a_number(x, to);
    }
    if x == to {
        return to;
    }
    if x.is_zero() {
        return Extended::from_bits(if to.is_negative() { SIGN | 1 } else { 1 });
    }
    let bits = x.to_bits();
    let (sign, exponent, significand) = (bits & SIGN, bits >> 64 & 0x7fff, bits as u64);
    let first = 1 << 63;
    let (exponent, significand) = if (x < to) != x.is_negative() {
        match significand {
            u64::MAX => (exponent + 1, first),
            _ if exponent == 0 && significand + 1 == first => (1, first),
            _ => (exponent, significand + 1),
        }
    } else {
        match exponent {
            1 if significand == first => (0, first - 1),
            2.. if significand == first => (exponent - 1, u64::MAX),
            _ => (exponent, significand - 1),
        }
    };
    Extended::from_bits(sign | exponent << 64 | u128::from(significand))
}

/// Rounded once.
pub fn fused_multiply_add(x: Extended, y: Extended, z: Extended) -> Extended {
    match (x.is_finite() && y.is_finite(), z.is_finite()) {
        (true, true) => x.mul_add(y, z).value,
        // Even if the product would be too large.
        (true, false) => quiet(z),
        (false, _) => multiply_add(x, y, z),
    }
}

/// The remainder of the division that rounds to the nearest, and three bits of the quotient.
pub fn remainder(x: Extended, y: Extended) -> (Extended, i32) {
    if x.is_nan() || y.is_nan() {
        return (not_a_number(x, y), 0);
    }
    if y.is_zero() || x.is_infinite() {
        return (invalid(), 0);
    }
    if x.is_zero() || y.is_infinite() {
        return (x, 0);
    }
    let normal = |x: Extended| {
        let (negative, exponent, significand) = parts(x);
        let shift = significand.leading_zeros();
        (negative, exponent - shift as i32, u128::from(significand << shift))
    };
    let ((negative, high, size), (other, low, by)) = (normal(x), normal(y));
    if high < low - 1 {
        // Less than half of the divisor.
        return (x, 0);
    }
    // Integers with a common exponent; of the quotient only the last bits are kept.
    let (mut rest, mut quotient) = (size, 0u32);
    let (by, unit) = if high < low { (2 * by, high) } else { (by, low) };
    for step in 0..=high - unit {
        rest <<= u32::from(step > 0);
        quotient <<= 1;
        if rest >= by {
            (rest, quotient) = (rest - by, quotient | 1);
        }
    }
    let up = 2 * rest > by || 2 * rest == by && quotient & 1 == 1;
    let size = if up { by - rest } else { rest };
    let quotient = (quotient.wrapping_add(up.into()) & 7) as i32;
    let rest = Extended::from_u128(size).value.scalbn(unit - LAST);
    (
        if negative != up { -rest } else { rest },
        if negative != other { -quotient } else { quotient },
    )
}

#[cfg(test)]
mod tests {
    use super::super::{infinity, of, text};
    use super::*;

    #[test]
    fn rounds_to_64_bits() {
        let third = calculate(BinaryOp::FloatDiv, of("1"), of("3"));
        assert_eq!(third.to_bits(), 0x3ffd_aaaa_aaaa_aaaa_aaab);
        assert_eq!(sqrt(of("2")).to_bits(), 0x3fff_b504_f333_f9de_6484);
        assert_eq!(sqrt(Extended::from_bits(1)).to_bits(), 0x1fe0_b504_f333_f9de_6484);
        assert_eq!(sqrt(of("1e4000")), of("1e2000"));
        for square in 1..2000u32 {
            let square = of(&square.to_string());
            assert_eq!(sqrt(calculate(BinaryOp::FloatMul, square, square)), square);
        }
    }

    #[test]
    fn neighbours() {
        let (one, two, least) = (of("1"), of("2"), Extended::from_bits(1));
        assert_eq!(next_after(one, two).to_bits(), one.to_bits() + 1);
        assert_eq!(next_after(one, -two).to_bits(), 0x3ffe_ffff_ffff_ffff_ffff);
        assert_eq!(next_after(Extended::default(), -one).to_bits(), SIGN | 1);
        assert_eq!(next_after(least, -one).to_bits(), 0);
        assert_eq!(next_after(infinity(false), one), Extended::largest());
        let normal = Extended::from_bits(1 << 64 | 1 << 63);
        assert_eq!(next_after(normal, Extended::default()).to_bits(), (1 << 63) - 1);
        assert_eq!(next_after(next_after(normal, -one), one), normal);
    }

    #[test]
    fn remainders() {
        let rows = [
            ("29", "3", "-1", 2),
            ("7", "4", "-1", 2),
            ("5", "2", "1", 2),
            ("7", "2", "-1", 4),
            ("-7.5", "2", "0.5", -4),
            ("6", "-4", "-2", -2),
            ("1", "2", "1", 0),
            ("1.25", "2", "-0.75", 1),
            ("1", "5", "1", 0),
        ];
        for (x, y, rest, quotient) in rows {
            let (got, bits) = remainder(of(x), of(y));
            assert_eq!((text(got), bits), (rest.to_owned(), quotient), "{x} {y}");
            assert_eq!(got, of(x).ieee_rem(of(y)).value, "{x} {y}");
        }
    }
}
