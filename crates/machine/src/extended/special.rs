//! Sines, logarithms, powers and the like. Nobody has them to 64 bits, and a wrong last bit may turn
//! a verdict: they are only computed where the result is exact, and unsupported elsewhere.

use super::{
    Extended, from_double, infinity, invalid, not_a_number, scaled, sqrt, text, to_double,
};
use crate::arith::{self, Trap, trap};
use crate::native::math;
use rustc_apfloat::{Float, Round, Status};

/// With the name of the function on doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Exp10,
    ExpM1,
    Log,
    Log2,
    Log10,
    Log1P,
    Cbrt,
    Atan2,
    Pow,
    Hypot,
}

impl Function {
    fn of_doubles(self, x: f64, y: f64) -> f64 {
        match self {
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Asinh => math::asinh(x),
            Function::Acosh => math::acosh(x),
            Function::Atanh => math::atanh(x),
            Function::Exp => x.exp(),
            Function::Exp2 => x.exp2(),
            Function::Exp10 => 10f64.powf(x),
            Function::ExpM1 => x.exp_m1(),
            Function::Log => x.ln(),
            Function::Log2 => x.log2(),
            Function::Log10 => x.log10(),
            Function::Log1P => x.ln_1p(),
            Function::Cbrt => x.cbrt(),
            Function::Atan2 => x.atan2(y),
            Function::Pow => x.powf(y),
            Function::Hypot => x.hypot(y),
        }
    }
}

/// A function of one or two numbers.
pub fn special(function: Function, numbers: &[Extended]) -> Result<Extended, Trap> {
    let x = numbers.first().copied().unwrap_or_default();
    let y = numbers.get(1).copied().unwrap_or(x);
    at_special_numbers(function, x, y).or_else(|| exact(function, x, y)).ok_or_else(|| {
        let shown: Vec<String> = numbers.iter().map(|number| text(*number)).collect();
        let name = format!("{function:?}l").to_lowercase();
        let message = format!(
            "{name}({}), which is not known to the precision of long double",
            shown.join(", ")
        );
        trap(arith::UNSUPPORTED, message)
    })
}

/// Zeros, ones, infinities and NaNs are the same as doubles: so are their functions, where the
/// result is one of them.
fn at_special_numbers(function: Function, x: Extended, y: Extended) -> Option<Extended> {
    let is_special = |x: f64| x.is_nan() || x.is_infinite() || x == 0.0 || x.abs() == 1.0;
    let (a, b) = (to_double(x), to_double(y));
    let same = |x: Extended, a: f64| x.is_nan() || from_double(a).bitwise_eq(x);
    let result = function.of_doubles(a, b);
    // A number outside of the domain is that as a double too, unless it is too large for one.
    let outside =
        result.is_nan() && x.is_finite() && y.is_finite() && a.is_finite() && b.is_finite();
    let special = is_special(a) && is_special(b) && same(x, a) && same(y, b);
    match () {
        () if outside => Some(invalid()),
        () if !special || !is_special(result) => None,
        // The digits of a NaN have more room than in a double.
        () if result.is_nan() && (x.is_nan() || y.is_nan()) => Some(not_a_number(x, y)),
        () if result.is_nan() => Some(invalid()),
        () => Some(from_double(result)),
    }
}

/// Results that take no rounding. (But not `log10`, which glibc has wrong in the last bit even
/// for powers of ten.)
fn exact(function: Function, x: Extended, y: Extended) -> Option<Extended> {
    if x.is_nan() || y.is_nan() {
        return Some(not_a_number(x, y));
    }
    match function {
        Function::Exp2 => integer(x).map(|n| scaled(from_double(1.0), n)),
        Function::Exp10 => power(from_double(10.0), integer(x)?),
        Function::Log2 => {
            let n = if x.is_finite_non_zero() { x.ilogb() } else { return None };
            let exponent = from_double(n.into());
            (scaled(from_double(1.0), n.into()) == x).then_some(exponent)
        }
        Function::Cbrt => {
            if x.is_infinite() {
                return Some(x);
            }
            let root = from_double(to_double(x).cbrt());
            (power(root, 3) == Some(x)).then_some(root)
        }
        Function::Atan2 if x.is_zero() && !y.is_negative() => Some(x),
        Function::Pow => {
            if !x.is_finite_non_zero() && y.is_finite_non_zero() {
                return Some(power_of_nothing(x, y));
            }
            power(x, integer(y)?)
        }
        Function::Hypot if x.is_infinite() || y.is_infinite() => Some(infinity(false)),
        Function::Hypot => {
            let (a, b) = (without_rounding(x * x)?, without_rounding(y * y)?);
            let sum = without_rounding(a + b)?;
            let root = sqrt(sum);
            (without_rounding(root * root) == Some(sum)).then_some(root)
        }
        _ => None,
    }
}

/// The power of a zero or of an infinity.
fn power_of_nothing(x: Extended, y: Extended) -> Extended {
    // Beyond 64 bits all integers are even.
    let odd = integer(y).is_some_and(|n| n & 1 == 1);
    let zero = x.is_zero() != y.is_negative();
    let size = if zero { Extended::default() } else { infinity(false) };
    if x.is_negative() && odd { -size } else { size }
}

/// A number that is an integer of at most 64 bits.
fn integer(x: Extended) -> Option<i64> {
    let n = super::to_signed(x, Round::TowardZero, 64)?;
    x.is_integer().then_some(n as i64)
}

fn without_rounding(result: rustc_apfloat::StatusAnd<Extended>) -> Option<Extended> {
    (result.status == Status::OK).then_some(result.value)
}

fn power(x: Extended, n: i64) -> Option<Extended> {
    let one = from_double(1.0);
    // Only powers of two have that many exact powers.
    let mut left = n.unsigned_abs();
    if left > 40_000 {
        return None;
    }
    let mut square = if n < 0 { without_rounding(one / x)? } else { x };
    let mut result = one;
    while left > 0 {
        if left & 1 == 1 {
            result = without_rounding(result * square)?;
        }
        left >>= 1;
        if left > 0 {
            square = without_rounding(square * square)?;
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::super::of;
    use super::*;

    fn two(function: Function, x: &str, y: &str) -> Option<String> {
        special(function, &[of(x), of(y)]).ok().map(text)
    }

    fn one(function: Function, x: &str) -> Option<String> {
        special(function, &[of(x)]).ok().map(text)
    }

    #[test]
    fn exact_results() {
        let rows = [
            (Function::Sin, "0", "0"),
            (Function::Cos, "0", "1"),
            (Function::Exp, "-inf", "0"),
            (Function::Log, "-2", "NaN"),
            (Function::Log2, "0x1p-16445", "-16445"),
            (Function::Exp2, "-3", "0.125"),
            (Function::Exp10, "19", "10000000000000000000"),
            (Function::Cbrt, "-27", "-3"),
            (Function::Tanh, "-inf", "-1"),
        ];
        for (function, x, result) in rows {
            assert_eq!(one(function, x).as_deref(), Some(result), "{function:?} {x}");
        }
        let rows = [
            (Function::Pow, "3", "40", "12157665459056928801"),
            (Function::Pow, "2", "-16445", "4e-4951"),
            (Function::Pow, "-0", "-3", "-inf"),
            (Function::Pow, "-inf", "3", "-inf"),
            (Function::Pow, "1", "nan", "1"),
            (Function::Hypot, "3", "-4", "5"),
            (Function::Hypot, "-inf", "nan", "inf"),
            (Function::Atan2, "-0", "5", "-0"),
        ];
        for (function, x, y, result) in rows {
            assert_eq!(two(function, x, y).as_deref(), Some(result), "{function:?} {x} {y}");
        }
    }

    #[test]
    fn others_are_not_guessed() {
        for (function, x) in [
            (Function::Sin, "1"),
            (Function::Sin, "1e4000"),
            (Function::Asin, "1"),
            (Function::Atan, "inf"),
            (Function::Exp, "1"),
            (Function::Log10, "1000"),
            (Function::Cbrt, "2"),
        ] {
            assert_eq!(one(function, x), None, "{function:?} {x}");
        }
        assert_eq!(two(Function::Pow, "3", "41"), None);
        assert_eq!(two(Function::Pow, "10", "-1"), None);
        assert_eq!(two(Function::Atan2, "0", "-1"), None);
        assert_eq!(two(Function::Hypot, "1", "1"), None);
    }
}
