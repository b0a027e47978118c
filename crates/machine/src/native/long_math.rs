//! The functions of `<math.h>` on `long double`. Sines, logarithms, powers and the like are only
//! known where their result is exact: see `extended::special`.

use super::string::{Span, text, touch_all};
use super::{Long, LongTable, Operand, arg, number};
use crate::arith::{UNSUPPORTED, trap};
use crate::exec::{Cpu, Result};
use crate::extended::{self, Extended, Function};
use crate::value::{Scalar, Value, mask, sign_extend};
use auspex_llvm::ir::BinaryOp;
use rustc_apfloat::{Float, Round};

/// Names as they are for `double`, without the `l`.
pub(super) const TABLE: LongTable = &[
    ("sin", |_, o| one(o, Function::Sin)),
    ("cos", |_, o| one(o, Function::Cos)),
    ("tan", |_, o| one(o, Function::Tan)),
    ("asin", |_, o| one(o, Function::Asin)),
    ("acos", |_, o| one(o, Function::Acos)),
    ("atan", |_, o| one(o, Function::Atan)),
    ("sinh", |_, o| one(o, Function::Sinh)),
    ("cosh", |_, o| one(o, Function::Cosh)),
    ("tanh", |_, o| one(o, Function::Tanh)),
    ("asinh", |_, o| one(o, Function::Asinh)),
    ("acosh", |_, o| one(o, Function::Acosh)),
    ("atanh", |_, o| one(o, Function::Atanh)),
    ("exp", |_, o| one(o, Function::Exp)),
    ("exp2", |_, o| one(o, Function::Exp2)),
    ("exp10", |_, o| one(o, Function::Exp10)),
    ("pow10", |_, o| one(o, Function::Exp10)),
    ("expm1", |_, o| one(o, Function::ExpM1)),
    ("log", |_, o| one(o, Function::Log)),
    ("log2", |_, o| one(o, Function::Log2)),
    ("log10", |_, o| one(o, Function::Log10)),
    ("log1p", |_, o| one(o, Function::Log1P)),
    ("cbrt", |_, o| one(o, Function::Cbrt)),
    ("atan2", |_, o| pair(o, Function::Atan2)),
    ("pow", |_, o| pair(o, Function::Pow)),
    ("hypot", |_, o| pair(o, Function::Hypot)),
    ("logb", |_, o| on(o, |[x]| logb(x))),
    ("sqrt", |_, o| on(o, |[x]| extended::sqrt(x))),
    ("fabs", |_, o| on(o, |[x]| x.abs())),
    ("floor", |_, o| rounded(o, Round::TowardNegative)),
    ("ceil", |_, o| rounded(o, Round::TowardPositive)),
    ("trunc", |_, o| rounded(o, Round::TowardZero)),
    ("round", |_, o| rounded(o, Round::NearestTiesToAway)),
    ("roundeven", |_, o| rounded(o, Round::NearestTiesToEven)),
    ("rint", |_, o| rounded(o, Round::NearestTiesToEven)),
    ("nearbyint", |_, o| rounded(o, Round::NearestTiesToEven)),
    ("fmod", |_, o| on(o, |[x, y]| extended::calculate(BinaryOp::FloatRem, x, y))),
    ("remainder", |_, o| on(o, |[x, y]| extended::remainder(x, y).0)),
    ("drem", |_, o| on(o, |[x, y]| extended::remainder(x, y).0)),
    ("fmin", |_, o| on(o, |[x, y]| extended::lesser(x, y))),
    ("fmax", |_, o| on(o, |[x, y]| extended::greater(x, y))),
    ("fdim", |_, o| on(o, |[x, y]| difference(x, y))),
    ("copysign", |_, o| on(o, |[x, y]| x.copy_sign(y))),
    ("nextafter", |_, o| on(o, |[x, y]| extended::next_after(x, y))),
    ("nexttoward", |_, o| on(o, |[x, y]| extended::next_after(x, y))),
    ("fma", |_, o| on(o, |[x, y, z]| extended::fused_multiply_add(x, y, z))),
    ("ldexp", |_, o| scale(o, 32)),
    ("scalbn", |_, o| scale(o, 32)),
    ("scalbln", |cpu, o| scale(o, 8 * cpu.program.pointer)),
    ("lround", |cpu, o| integer(o, "lroundl", Round::NearestTiesToAway, 8 * cpu.program.pointer)),
    ("llround", |_, o| integer(o, "llroundl", Round::NearestTiesToAway, 64)),
    ("lrint", |cpu, o| integer(o, "lrintl", Round::NearestTiesToEven, 8 * cpu.program.pointer)),
    ("llrint", |_, o| integer(o, "llrintl", Round::NearestTiesToEven, 64)),
    ("ilogb", |_, o| property(o, ilogb)),
    ("isnan", |_, o| property(o, |x| x.is_nan().into())),
    ("__isnan", |_, o| property(o, |x| x.is_nan().into())),
    ("isinf", |_, o| property(o, infinite)),
    ("__isinf", |_, o| property(o, infinite)),
    ("finite", |_, o| property(o, |x| x.is_finite().into())),
    ("__finite", |_, o| property(o, |x| x.is_finite().into())),
    ("__signbit", |_, o| property(o, |x| x.is_negative().into())),
    ("__fpclassify", |_, o| property(o, class)),
    ("frexp", split_exponent),
    ("modf", split_whole),
    ("remquo", remainder_quotient),
    ("sincos", sine_and_cosine),
    ("nan", not_a_number),
];

type Outcome = Result<[Value; 2]>;

/// The function for an intrinsic such as `llvm.sqrt.f80`.
pub(super) fn intrinsic(name: &str) -> Option<&str> {
    let mut parts = name.strip_prefix("llvm.")?.split('.');
    let first = parts.next()?;
    // The intrinsics of these names do not store: they have two results.
    let stores = matches!(first, "frexp" | "modf" | "remquo" | "sincos");
    (!stores && parts.any(|part| part == "f80")).then_some(first)
}

/// The first arguments; nothing if one of them is undefined.
fn numbers<const COUNT: usize>(operands: &[Operand]) -> Result<Option<[Extended; COUNT]>> {
    let mut values = [Extended::default(); COUNT];
    let mut defined = true;
    for (index, value) in values.iter_mut().enumerate() {
        let Some(operand) = operands.get(index) else {
            return Err(trap("signature", "a mathematical function with too few arguments").into());
        };
        match operand.real()? {
            Some(number) => *value = number,
            None => defined = false,
        }
    }
    Ok(defined.then_some(values))
}

fn on<const COUNT: usize>(
    operands: &[Operand],
    function: fn([Extended; COUNT]) -> Extended,
) -> Outcome {
    Ok(match numbers(operands)? {
        Some(numbers) => extended::lanes(function(numbers)),
        None => extended::undefined(),
    })
}

fn one(operands: &[Operand], function: Function) -> Outcome {
    special::<1>(operands, function)
}

fn pair(operands: &[Operand], function: Function) -> Outcome {
    special::<2>(operands, function)
}

fn special<const COUNT: usize>(operands: &[Operand], function: Function) -> Outcome {
    Ok(match numbers::<COUNT>(operands)? {
        Some(numbers) => extended::lanes(extended::special(function, &numbers)?),
        None => extended::undefined(),
    })
}

fn rounded(operands: &[Operand], round: Round) -> Outcome {
    Ok(match numbers(operands)? {
        Some([x]) => extended::lanes(extended::round(x, round)),
        None => extended::undefined(),
    })
}

fn difference(x: Extended, y: Extended) -> Extended {
    if x <= y { Extended::default() } else { extended::calculate(BinaryOp::FloatSub, x, y) }
}

fn logb(x: Extended) -> Extended {
    match () {
        () if x.is_zero() => extended::infinity(true),
        () if !x.is_finite() => extended::calculate(BinaryOp::FloatMul, x, x),
        () => Extended::from_i128(x.ilogb().into()).value,
    }
}

/// A property of a number that is an `int`.
fn property(operands: &[Operand], of: fn(Extended) -> i32) -> Outcome {
    Ok(match numbers(operands)? {
        Some([x]) => [Value::number(of(x) as u32 as u64), Value::NULL],
        None => [Value::undefined(32), Value::NULL],
    })
}

fn ilogb(x: Extended) -> i32 {
    match () {
        () if x.is_zero() || x.is_nan() => i32::MIN,
        () if x.is_infinite() => i32::MAX,
        () => x.ilogb(),
    }
}

fn infinite(x: Extended) -> i32 {
    match () {
        () if !x.is_infinite() => 0,
        () if x.is_negative() => -1,
        () => 1,
    }
}

/// The numbers of `FP_NAN` and so on.
fn class(x: Extended) -> i32 {
    match () {
        () if x.is_nan() => 0,
        () if x.is_infinite() => 1,
        () if x.is_zero() => 2,
        () if x.is_denormal() => 3,
        () => 4,
    }
}

/// `bits`: of the exponent.
fn scale(operands: &[Operand], bits: u8) -> Outcome {
    let by = arg(operands, 1);
    let Some([x]) = numbers(operands)?.filter(|_| by.undef == 0) else {
        return Ok(extended::undefined());
    };
    let n = sign_extend(number(operands, 1, "ldexpl")?, bits);
    Ok(extended::lanes(extended::scaled(x, n)))
}

fn integer(operands: &[Operand], what: &str, round: Round, bits: u8) -> Outcome {
    let Some([x]) = numbers(operands)? else { return Ok([Value::undefined(bits), Value::NULL]) };
    let Some(integer) = extended::to_signed(x, round, bits) else {
        let x = extended::text(x);
        let message = format!("{what} of {x}, which does not fit an integer of {bits} bits");
        return Err(trap("conversion", message).into());
    };
    Ok([Value::number(integer as u64 & mask(bits)), Value::NULL])
}

/// `nanl`: the text in brackets says nothing that can be seen.
fn not_a_number(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (_, span) = text(cpu, arg(operands, 0), u64::MAX, &"nanl")?;
    touch_all(cpu, &[span])?;
    Ok(extended::lanes(extended::from_double(f64::NAN)))
}

/// Stores results through pointers.
fn store(cpu: &mut Cpu<'_>, results: &[(Value, Scalar, [Value; 2])]) -> Result<()> {
    let mut spans = Vec::new();
    for (pointer, scalar, _) in results {
        let len = scalar.bytes(cpu.program.pointer);
        let place = cpu.resolve(*pointer, len.into(), true)?;
        spans.push(Span { place, len, write: true });
    }
    touch_all(cpu, &spans)?;
    for (span, (_, scalar, lanes)) in spans.iter().zip(results) {
        cpu.write(span.place, *scalar, *lanes);
    }
    Ok(())
}

fn split_exponent(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (fraction, exponent) = match numbers(operands)? {
        None => (extended::undefined(), Value::undefined(32)),
        Some([x]) => {
            let (fraction, exponent) = extended::split(x);
            (extended::lanes(fraction), Value::number(exponent as u32 as u64))
        }
    };
    store(cpu, &[(arg(operands, 1), Scalar::Int(32), [exponent, Value::NULL])])?;
    Ok(fraction)
}

fn split_whole(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (fraction, whole) = match numbers(operands)? {
        None => (extended::undefined(), extended::undefined()),
        Some([x]) => {
            let whole = extended::round(x, Round::TowardZero);
            (extended::lanes(extended::fraction(x)), extended::lanes(whole))
        }
    };
    store(cpu, &[(arg(operands, 1), Scalar::Extended, whole)])?;
    Ok(fraction)
}

fn remainder_quotient(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (rest, quotient) = match numbers(operands)? {
        None => (extended::undefined(), Value::undefined(32)),
        Some([x, y]) => {
            let (rest, quotient) = extended::remainder(x, y);
            (extended::lanes(rest), Value::number(quotient as u32 as u64))
        }
    };
    store(cpu, &[(arg(operands, 2), Scalar::Int(32), [quotient, Value::NULL])])?;
    Ok(rest)
}

fn sine_and_cosine(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let sine = one(operands, Function::Sin)?;
    let cosine = one(operands, Function::Cos)?;
    let (first, second) = (arg(operands, 1), arg(operands, 2));
    store(cpu, &[(first, Scalar::Extended, sine), (second, Scalar::Extended, cosine)])?;
    Ok([Value::NULL; 2])
}

impl Operand {
    /// A floating-point number of any size; nothing if it is undefined.
    pub fn real(&self) -> Result<Option<Extended>> {
        if !matches!(self.scalar, Scalar::Single | Scalar::Double | Scalar::Extended) {
            let message = "a mathematical function gets an argument that is not floating-point";
            return Err(trap("signature", message).into());
        }
        if self.scalar == Scalar::Extended {
            return Ok(extended::number([self.value, self.high])?);
        }
        if self.value.object != 0 {
            return Err(trap(UNSUPPORTED, "float arithmetic on the bits of a pointer").into());
        }
        let number = match self.scalar {
            Scalar::Single => extended::from_single(f32::from_bits(self.value.bits as u32)),
            _ => extended::from_double(f64::from_bits(self.value.bits)),
        };
        Ok((self.value.undef == 0).then_some(number))
    }
}

/// The function of this name, if there is one on `long double`.
pub(super) fn find(name: &str) -> Option<Long> {
    let name = intrinsic(name).or_else(|| name.strip_suffix('l'))?;
    TABLE.iter().find(|(known, _)| *known == name).map(|(_, long)| *long)
}
