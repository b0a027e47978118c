//! The functions of `<math.h>` on `double` and `float`, and on `long double` where it is a double.
//!
//! What the standard library of Rust hands on to the system's libm is exactly what a compiled
//! program gets. What it does not have (the error function, the gamma function) may differ from it
//! in the last digit. Errors are not noted in `errno`.

use super::string::{Span, text, touch_all};
use super::{Operand, Table, arg, number};
use crate::arith::{UNSUPPORTED, to_double, trap};
use crate::exec::{Cpu, Result};
use crate::extended;
use crate::value::{Scalar, Value, mask, sign_extend};
use auspex_llvm::ir::BinaryOp::FloatAdd;
use rustc_apfloat::Float;
use std::num::FpCategory;

/// Each function is there for `double`, `float` and `long double`: which of them is called can be
/// seen from its argument.
macro_rules! table {
    ($($name:literal => $native:expr,)* ; $($storing:literal => $store:expr,)*) => {
        &[$(
            ($name, $native),
            (concat!($name, "f"), $native),
            (concat!($name, "l"), $native),
            (concat!("llvm.", $name), $native),
        )*
        $(
            ($storing, $store),
            (concat!($storing, "f"), $store),
            (concat!($storing, "l"), $store),
        )*
        ("lgamma_r", log_gamma),
        ("lgammaf_r", log_gamma),
        ("lgammal_r", log_gamma),
        ("nan", |cpu, o| not_a_number(cpu, o, Scalar::Double)),
        ("nanf", |cpu, o| not_a_number(cpu, o, Scalar::Single)),
        ("nanl", |cpu, o| not_a_number(cpu, o, Scalar::Double)),
        ]
    };
}

pub(super) const TABLE: Table = table! {
    "sin" => |_, o| unary(o, f64::sin, f32::sin),
    "cos" => |_, o| unary(o, f64::cos, f32::cos),
    "tan" => |_, o| unary(o, f64::tan, f32::tan),
    "asin" => |_, o| unary(o, f64::asin, f32::asin),
    "acos" => |_, o| unary(o, f64::acos, f32::acos),
    "atan" => |_, o| unary(o, f64::atan, f32::atan),
    "sinh" => |_, o| unary(o, f64::sinh, f32::sinh),
    "cosh" => |_, o| unary(o, f64::cosh, f32::cosh),
    "tanh" => |_, o| unary(o, f64::tanh, f32::tanh),
    "asinh" => |_, o| unary(o, asinh, |x| asinh(x.into()) as f32),
    "acosh" => |_, o| unary(o, acosh, |x| acosh(x.into()) as f32),
    "atanh" => |_, o| unary(o, atanh, |x| atanh(x.into()) as f32),
    "exp" => |_, o| unary(o, f64::exp, f32::exp),
    "exp2" => |_, o| unary(o, f64::exp2, f32::exp2),
    "exp10" => |_, o| unary(o, |x| 10f64.powf(x), |x| 10f64.powf(x.into()) as f32),
    "pow10" => |_, o| unary(o, |x| 10f64.powf(x), |x| 10f64.powf(x.into()) as f32),
    "expm1" => |_, o| unary(o, f64::exp_m1, f32::exp_m1),
    "log" => |_, o| unary(o, f64::ln, f32::ln),
    "log2" => |_, o| unary(o, f64::log2, f32::log2),
    "log10" => |_, o| unary(o, f64::log10, f32::log10),
    "log1p" => |_, o| unary(o, f64::ln_1p, f32::ln_1p),
    "logb" => |_, o| unary(o, logb, |x| logb(x.into()) as f32),
    "sqrt" => |_, o| unary(o, f64::sqrt, f32::sqrt),
    "cbrt" => |_, o| unary(o, f64::cbrt, f32::cbrt),
    "fabs" => |_, o| unary(o, f64::abs, f32::abs),
    "floor" => |_, o| unary(o, f64::floor, f32::floor),
    "ceil" => |_, o| unary(o, f64::ceil, f32::ceil),
    "trunc" => |_, o| unary(o, f64::trunc, f32::trunc),
    "round" => |_, o| unary(o, f64::round, f32::round),
    "roundeven" => |_, o| unary(o, f64::round_ties_even, f32::round_ties_even),
    "rint" => |_, o| unary(o, f64::round_ties_even, f32::round_ties_even),
    "nearbyint" => |_, o| unary(o, f64::round_ties_even, f32::round_ties_even),
    "erf" => |_, o| unary(o, libm::erf, libm::erff),
    "erfc" => |_, o| unary(o, libm::erfc, libm::erfcf),
    "tgamma" => |_, o| unary(o, gamma, |x| gamma(x.into()) as f32),
    "j0" => |_, o| unary(o, libm::j0, libm::j0f),
    "j1" => |_, o| unary(o, libm::j1, libm::j1f),
    "y0" => |_, o| unary(o, libm::y0, libm::y0f),
    "y1" => |_, o| unary(o, libm::y1, libm::y1f),
    "atan2" => |_, o| binary(o, f64::atan2, f32::atan2),
    "pow" => |_, o| binary(o, f64::powf, f32::powf),
    "hypot" => |_, o| binary(o, f64::hypot, f32::hypot),
    "fmod" => |_, o| binary(o, |x, y| x % y, |x, y| x % y),
    "remainder" => |_, o| binary(o, remainder, |x, y| remainder(x.into(), y.into()) as f32),
    "drem" => |_, o| binary(o, remainder, |x, y| remainder(x.into(), y.into()) as f32),
    // Of zeros with different signs the second, as on x86.
    "fmin" => |_, o| binary(o, |x, y| if x < y || y.is_nan() { x } else { y },
        |x, y| if x < y || y.is_nan() { x } else { y }),
    "fmax" => |_, o| binary(o, |x, y| if x > y || y.is_nan() { x } else { y },
        |x, y| if x > y || y.is_nan() { x } else { y }),
    "fdim" => |_, o| binary(o, |x, y| if x <= y { 0.0 } else { x - y },
        |x, y| if x <= y { 0.0 } else { x - y }),
    "copysign" => |_, o| binary(o, f64::copysign, f32::copysign),
    "nextafter" => |_, o| next_after(o),
    "nexttoward" => |_, o| next_after(o),
    "fma" => |_, o| multiply_add(o),
    "ldexp" => |_, o| scale(o, 32),
    "scalbn" => |_, o| scale(o, 32),
    "scalbln" => |cpu, o| scale(o, 8 * cpu.program.pointer),
    "lround" => |cpu, o| to_integer(o, "lround", f64::round, 8 * cpu.program.pointer),
    "llround" => |_, o| to_integer(o, "llround", f64::round, 64),
    "lrint" => |cpu, o| to_integer(o, "lrint", f64::round_ties_even, 8 * cpu.program.pointer),
    "llrint" => |_, o| to_integer(o, "llrint", f64::round_ties_even, 64),
    "ilogb" => |_, o| property(o, |x, _| ilogb(x)),
    "isnan" => |_, o| property(o, |x, _| x.is_nan().into()),
    "__isnan" => |_, o| property(o, |x, _| x.is_nan().into()),
    "isinf" => |_, o| property(o, |x, _| infinite(x)),
    "__isinf" => |_, o| property(o, |x, _| infinite(x)),
    "finite" => |_, o| property(o, |x, _| x.is_finite().into()),
    "__finite" => |_, o| property(o, |x, _| x.is_finite().into()),
    "__signbit" => |_, o| property(o, |x, _| x.is_sign_negative().into()),
    "__fpclassify" => |_, o| property(o, class),
    ;
    // The intrinsics of these names do not store: they have two results.
    "frexp" => split_exponent,
    "modf" => split_whole,
    "remquo" => remainder_quotient,
    "sincos" => sine_and_cosine,
};

type Outcome = Result<Option<Value>>;

fn operand(operands: &[Operand], index: usize) -> Result<Operand> {
    let Some(operand) = operands.get(index) else {
        return Err(trap("signature", "a mathematical function with too few arguments").into());
    };
    if !matches!(operand.scalar, Scalar::Single | Scalar::Double) {
        let message = "a mathematical function gets an argument that is not floating-point";
        return Err(trap("signature", message).into());
    }
    if operand.value.object != 0 {
        return Err(trap(UNSUPPORTED, "float arithmetic on the bits of a pointer").into());
    }
    Ok(*operand)
}

/// The first arguments as doubles; nothing if one of them is undefined.
fn doubles<const COUNT: usize>(operands: &[Operand]) -> Result<Option<[f64; COUNT]>> {
    let mut values = [0.0; COUNT];
    for (index, value) in values.iter_mut().enumerate() {
        let Operand { value: given, scalar, .. } = operand(operands, index)?;
        if given.undef != 0 {
            return Ok(None);
        }
        *value = to_double(given, scalar == Scalar::Single);
    }
    Ok(Some(values))
}

/// The type of the first argument, and so that of most results.
fn kind(operands: &[Operand]) -> Scalar {
    operands.first().map_or(Scalar::Double, |operand| operand.scalar)
}

fn undefined(scalar: Scalar) -> Value {
    Value::undefined(if scalar == Scalar::Single { 32 } else { 64 })
}

/// A result that fits the type: converting it rounds nothing.
fn exact(value: f64, scalar: Scalar) -> Value {
    crate::arith::from_double(value, scalar == Scalar::Single)
}

fn unary(operands: &[Operand], double: fn(f64) -> f64, single: fn(f32) -> f32) -> Outcome {
    let scalar = kind(operands);
    let Some([x]) = doubles(operands)? else { return Ok(Some(undefined(scalar))) };
    Ok(Some(match scalar {
        Scalar::Single => exact(single(x as f32).into(), scalar),
        _ => exact(double(x), scalar),
    }))
}

fn binary(
    operands: &[Operand],
    double: fn(f64, f64) -> f64,
    single: fn(f32, f32) -> f32,
) -> Outcome {
    let scalar = kind(operands);
    let Some([x, y]) = doubles(operands)? else { return Ok(Some(undefined(scalar))) };
    Ok(Some(match scalar {
        Scalar::Single => exact(single(x as f32, y as f32).into(), scalar),
        _ => exact(double(x, y), scalar),
    }))
}

fn multiply_add(operands: &[Operand]) -> Outcome {
    let scalar = kind(operands);
    let Some([x, y, z]) = doubles(operands)? else { return Ok(Some(undefined(scalar))) };
    Ok(Some(match scalar {
        Scalar::Single => exact((x as f32).mul_add(y as f32, z as f32).into(), scalar),
        _ => exact(x.mul_add(y, z), scalar),
    }))
}

/// A property of a number that is an `int`.
fn property(operands: &[Operand], of: fn(f64, Scalar) -> i32) -> Outcome {
    let Some([x]) = doubles(operands)? else { return Ok(Some(Value::undefined(32))) };
    Ok(Some(Value::number(of(x, kind(operands)) as u32 as u64)))
}

fn infinite(x: f64) -> i32 {
    match x {
        f64::INFINITY => 1,
        f64::NEG_INFINITY => -1,
        _ => 0,
    }
}

/// The numbers of `FP_NAN` and so on. What is subnormal depends on the type.
fn class(x: f64, scalar: Scalar) -> i32 {
    let class = match scalar {
        Scalar::Single => (x as f32).classify(),
        _ => x.classify(),
    };
    match class {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        _ => 4,
    }
}

/// What an operation without a result gives on x86: `printf` shows the sign.
const INVALID: f64 = -f64::NAN;

pub fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let result = match size {
        _ if size < 2f64.powi(-28) || !size.is_finite() => return x,
        _ if size > 2f64.powi(28) => size.ln() + std::f64::consts::LN_2,
        _ if size > 2.0 => (2.0 * size + 1.0 / ((size * size + 1.0).sqrt() + size)).ln(),
        _ => {
            let square = size * size;
            (size + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
        }
    };
    result.copysign(x)
}

pub fn acosh(x: f64) -> f64 {
    match x {
        _ if x < 1.0 => INVALID,
        _ if x > 2f64.powi(28) => x.ln() + std::f64::consts::LN_2,
        _ if x > 2.0 => (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln(),
        _ => {
            let above = x - 1.0;
            (above + (2.0 * above + above * above).sqrt()).ln_1p()
        }
    }
}

pub fn atanh(x: f64) -> f64 {
    let size = x.abs();
    let result = match size {
        _ if size < 2f64.powi(-28) => return x,
        _ if size < 0.5 => {
            let twice = size + size;
            0.5 * (twice + twice * size / (1.0 - size)).ln_1p()
        }
        _ if size < 1.0 => 0.5 * ((size + size) / (1.0 - size)).ln_1p(),
        1.0 => f64::INFINITY,
        _ if x.is_nan() => return x,
        _ => return INVALID,
    };
    result.copysign(x)
}

/// The gamma function. Where it has no value glibc gives a NaN without a sign.
fn gamma(x: f64) -> f64 {
    let result = libm::tgamma(x);
    if result.is_nan() { f64::NAN } else { result }
}

/// A finite number other than 0 as a fraction in [0.5, 1) and an exponent.
pub fn split(x: f64) -> (f64, i32) {
    // A subnormal number has its exponent in its leading zeros.
    let (x, more) = if x.is_subnormal() { (x * 2f64.powi(54), -54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    let fraction = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
    (fraction, exponent + more)
}

fn logb(x: f64) -> f64 {
    match x {
        0.0 => f64::NEG_INFINITY,
        _ if !x.is_finite() => x * x,
        _ => f64::from(split(x).1 - 1),
    }
}

fn ilogb(x: f64) -> i32 {
    match x {
        0.0 => i32::MIN,
        _ if x.is_nan() => i32::MIN,
        _ if x.is_infinite() => i32::MAX,
        _ => split(x).1 - 1,
    }
}

/// `x * 2^n`, rounded once.
pub fn scaled(mut x: f64, mut n: i64) -> f64 {
    let (up, down) = (2f64.powi(1023), 2f64.powi(-1022) * 2f64.powi(53));
    for _ in 0..2 {
        if n > 1023 {
            (x, n) = (x * up, n - 1023);
        } else if n < -1022 {
            // Not so far that digits are lost twice.
            (x, n) = (x * down, n + 1022 - 53);
        }
    }
    x * 2f64.powi(n.clamp(-1022, 1023) as i32)
}

/// `bits`: of the exponent.
fn scale(operands: &[Operand], bits: u8) -> Outcome {
    let scalar = kind(operands);
    let by = arg(operands, 1);
    let Some([x]) = doubles(operands)?.filter(|_| by.undef == 0) else {
        return Ok(Some(undefined(scalar)));
    };
    let n = sign_extend(number(operands, 1, "ldexp")?, bits);
    // A float becomes exact in a double first, but for what is too small for both.
    Ok(Some(exact(scaled(x, n.clamp(-5000, 5000)), scalar)))
}

/// The remainder of the division that rounds to the nearest, and the lowest bits of the quotient.
fn divide(x: f64, y: f64) -> (f64, i32) {
    if x.is_nan() || y.is_nan() {
        return (x + y, 0);
    }
    if y == 0.0 || x.is_infinite() {
        return (INVALID, 0);
    }
    let (size, by) = (x.abs(), y.abs());
    // Eight times the divisor keeps three bits of the quotient, unless it is too large anyway.
    let mut rest = if by <= f64::MAX / 8.0 { size % (8.0 * by) } else { size };
    let mut quotient = 0;
    for (times, bit) in [(4.0, 4), (2.0, 2)] {
        if by <= f64::MAX / times && rest >= times * by {
            (rest, quotient) = (rest - times * by, quotient + bit);
        }
    }
    // Half of the divisor is exact unless it is tiny; then twice the rest is.
    let beyond = |rest: f64, or_at: bool| {
        let (a, b) = if by < 2f64.powi(-1021) { (rest + rest, by) } else { (rest, 0.5 * by) };
        a > b || or_at && a == b
    };
    if beyond(rest, false) {
        (rest, quotient) = (rest - by, quotient + 1);
        if beyond(rest, true) {
            (rest, quotient) = (rest - by, quotient + 1);
        }
    }
    let rest = if rest == 0.0 { 0.0 } else { rest };
    let signed = if x.is_sign_negative() { -rest } else { rest };
    let quotient = quotient & 7;
    (signed, if x.is_sign_negative() != y.is_sign_negative() { -quotient } else { quotient })
}

fn remainder(x: f64, y: f64) -> f64 {
    divide(x, y).0
}

fn next_after(operands: &[Operand]) -> Outcome {
    let scalar = kind(operands);
    let to = operands.get(1).map_or(Ok(None), Operand::real)?;
    let Some(([x], to)) = doubles(operands)?.zip(to) else { return Ok(Some(undefined(scalar))) };
    let single = scalar == Scalar::Single;
    // The second argument of `nexttoward` is a `long double`, and may be near the first.
    let exact_x = extended::from_double(x);
    let up = exact_x < to;
    let next = match () {
        () if x.is_nan() || to.is_nan() => {
            let operand = operands.get(1).map_or(Scalar::Double, |operand| operand.scalar);
            match operand {
                Scalar::Extended => extended::to_double(extended::calculate(FloatAdd, exact_x, to)),
                _ => x + extended::to_double(to),
            }
        }
        () if exact_x == to => extended::to_double(to),
        () if single && up => f64::from((x as f32).next_up()),
        () if single => f64::from((x as f32).next_down()),
        () if up => x.next_up(),
        () => x.next_down(),
    };
    Ok(Some(exact(next, scalar)))
}

fn to_integer(operands: &[Operand], what: &str, round: fn(f64) -> f64, bits: u8) -> Outcome {
    let Some([x]) = doubles(operands)? else { return Ok(Some(Value::undefined(bits))) };
    let (rounded, limit) = (round(x), 2f64.powi(i32::from(bits) - 1));
    if !(-limit..limit).contains(&rounded) {
        let message = format!("{what} of {x}, which does not fit an integer of {bits} bits");
        return Err(trap("conversion", message).into());
    }
    Ok(Some(Value::number(rounded as i64 as u64 & mask(bits))))
}

/// `nan`: the text in brackets says nothing that can be seen.
fn not_a_number(cpu: &mut Cpu<'_>, operands: &[Operand], scalar: Scalar) -> Outcome {
    let (_, span) = text(cpu, arg(operands, 0), u64::MAX, &"nan")?;
    touch_all(cpu, &[span])?;
    Ok(Some(exact(f64::NAN, scalar)))
}

/// Stores results through pointers.
fn store(cpu: &mut Cpu<'_>, results: &[(Value, Scalar, Value)]) -> Result<()> {
    let mut spans = Vec::new();
    for (pointer, scalar, _) in results {
        let len = scalar.bytes(cpu.program.pointer);
        let place = cpu.resolve(*pointer, len.into(), true)?;
        spans.push(Span { place, len, write: true });
    }
    touch_all(cpu, &spans)?;
    for (span, (_, scalar, value)) in spans.iter().zip(results) {
        cpu.write(span.place, *scalar, [*value, Value::NULL]);
    }
    Ok(())
}

fn split_exponent(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let scalar = kind(operands);
    let (fraction, exponent) = match doubles(operands)? {
        None => (undefined(scalar), Value::undefined(32)),
        Some([x]) if x == 0.0 || !x.is_finite() => (exact(x, scalar), Value::number(0)),
        Some([x]) => {
            let (fraction, exponent) = split(x);
            (exact(fraction, scalar), Value::number(exponent as u32 as u64))
        }
    };
    store(cpu, &[(arg(operands, 1), Scalar::Int(32), exponent)])?;
    Ok(Some(fraction))
}

fn split_whole(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let scalar = kind(operands);
    let (fraction, whole) = match doubles(operands)? {
        None => (undefined(scalar), undefined(scalar)),
        Some([x]) => {
            let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
            (exact(fraction.copysign(x), scalar), exact(x.trunc(), scalar))
        }
    };
    store(cpu, &[(arg(operands, 1), scalar, whole)])?;
    Ok(Some(fraction))
}

fn remainder_quotient(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let scalar = kind(operands);
    let (rest, quotient) = match doubles(operands)? {
        None => (undefined(scalar), Value::undefined(32)),
        Some([x, y]) => {
            let (rest, quotient) = divide(x, y);
            (exact(rest, scalar), Value::number(quotient as u32 as u64))
        }
    };
    store(cpu, &[(arg(operands, 2), Scalar::Int(32), quotient)])?;
    Ok(Some(rest))
}

/// `lgamma_r`: the logarithm of the gamma function, and its sign elsewhere.
fn log_gamma(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let scalar = kind(operands);
    let (result, sign) = match doubles(operands)? {
        None => (undefined(scalar), Value::undefined(32)),
        Some([x]) => {
            let (result, sign) = match scalar {
                Scalar::Single => {
                    let (result, sign) = libm::lgammaf_r(x as f32);
                    (result.into(), sign)
                }
                _ => libm::lgamma_r(x),
            };
            (exact(result, scalar), Value::number(sign as u32 as u64))
        }
    };
    store(cpu, &[(arg(operands, 1), Scalar::Int(32), sign)])?;
    Ok(Some(result))
}

fn sine_and_cosine(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let scalar = kind(operands);
    let sine = unary(operands, f64::sin, f32::sin)?.unwrap_or_default();
    let cosine = unary(operands, f64::cos, f32::cos)?.unwrap_or_default();
    store(cpu, &[(arg(operands, 1), scalar, sine), (arg(operands, 2), scalar, cosine)])?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The remainder and three bits of the quotient, from glibc.
    #[test]
    fn remainders() {
        let rows = [
            (29.0, 3.0, -1.0, 2),
            (7.0, 4.0, -1.0, 2),
            (5.0, 2.0, 1.0, 2),
            (7.0, 2.0, -1.0, 4),
            (-7.5, 2.0, 0.5, -4),
            (6.0, -4.0, -2.0, -2),
            (5e-324, 1.5e-323, 5e-324, 0),
            (f64::MAX, 1.7e308, f64::MAX - 1.7e308, 1),
        ];
        for (x, y, rest, quotient) in rows {
            assert_eq!(divide(x, y), (rest, quotient), "{x} {y}");
        }
        assert!(remainder(1.0, 0.0).is_nan() && remainder(f64::INFINITY, 1.0).is_nan());
        assert!(remainder(-4.0, 2.0).is_sign_negative());
    }

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(scaled(0.75, 4), 12.0);
        assert_eq!(scaled(5e-324, 2098), 2f64.powi(1023) * 2.0);
        assert_eq!(scaled(5e-324, 2097), 2f64.powi(1023));
        assert_eq!(scaled(1.5, -1074), 1e-323);
        assert_eq!(scaled(f64::MAX, -2097), 5e-324 * 2.0);
        assert_eq!(scaled(1.0, -5000), 0.0);
        assert_eq!(scaled(f64::from_bits(0x3ff0_0000_0000_0001), -1023), 2f64.powi(-1022) / 2.0);
    }

    #[test]
    fn parts() {
        assert_eq!(split(12.0), (0.75, 4));
        assert_eq!(split(-5e-324), (-0.5, -1073));
        assert_eq!((ilogb(8.0), ilogb(0.0), ilogb(f64::INFINITY)), (3, i32::MIN, i32::MAX));
        assert_eq!((logb(0.3), logb(0.0)), (-2.0, f64::NEG_INFINITY));
        assert_eq!(class(1e-40, Scalar::Single), 3);
        assert_eq!(class(5e-324, Scalar::Double), 3);
    }
}
