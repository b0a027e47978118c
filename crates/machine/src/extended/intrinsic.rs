//! `llvm.*` functions on 80-bit numbers.

use super::{
    Extended, Function, calculate, fraction, from_double, fused_multiply_add, greater, lanes,
    lesser, math::multiply_add, number, round, scaled, special, split, sqrt, undefined,
};
use crate::arith::{self, Trap, trap};
use crate::code::{FloatBinary, FloatUnary, IntrinsicOp};
use crate::value::{Value, sign_extend};
use auspex_llvm::ir::BinaryOp;
use rustc_apfloat::{Float, Round};

type Result<T> = std::result::Result<T, Trap>;

/// What a function computes: a number in two registers, and more for some.
#[inline(never)]
pub fn intrinsic(op: IntrinsicOp, args: &[Value]) -> Result<Vec<Value>> {
    let pair = |at: usize| {
        [args.get(at).copied().unwrap_or_default(), args.get(at + 1).copied().unwrap_or_default()]
    };
    let nothing = || {
        Ok(match op {
            IntrinsicOp::IsClass => vec![Value::undefined(1)],
            IntrinsicOp::SplitExponent => [&undefined()[..], &[Value::undefined(32)]].concat(),
            IntrinsicOp::SplitWhole | IntrinsicOp::SineCosine => [undefined(); 2].concat(),
            _ => undefined().to_vec(),
        })
    };
    let Some(x) = number(pair(0))? else { return nothing() };
    let result = match op {
        IntrinsicOp::FloatUnary(op) => unary(op, x)?,
        IntrinsicOp::IsClass => {
            return Ok(vec![Value::number((pair(2)[0].bits >> class(x) & 1 == 1).into())]);
        }
        IntrinsicOp::SplitExponent => {
            let (fraction, exponent) = split(x);
            let exponent = Value::number(u64::from(exponent as u32));
            return Ok([&lanes(fraction)[..], &[exponent]].concat());
        }
        IntrinsicOp::SplitWhole => {
            return Ok([lanes(fraction(x)), lanes(round(x, Round::TowardZero))].concat());
        }
        IntrinsicOp::SineCosine => {
            let both = [special(Function::Sin, &[x])?, special(Function::Cos, &[x])?];
            return Ok(both.map(lanes).concat());
        }
        IntrinsicOp::FloatBinary(op @ (FloatBinary::PowerInt | FloatBinary::Scale)) => {
            let by = pair(2)[0];
            if by.undef != 0 {
                return nothing();
            }
            let by = sign_extend(by.bits, 32);
            if op == FloatBinary::Scale { scaled(x, by) } else { power(x, by) }
        }
        IntrinsicOp::FloatBinary(op) => {
            let Some(y) = number(pair(2))? else { return nothing() };
            match op {
                FloatBinary::CopySign => x.copy_sign(y),
                FloatBinary::Min => lesser(x, y),
                FloatBinary::Max => greater(x, y),
                _ => special(Function::Pow, &[x, y])?,
            }
        }
        IntrinsicOp::MultiplyAdd { fused } => {
            let (Some(y), Some(z)) = (number(pair(2))?, number(pair(4))?) else {
                return nothing();
            };
            if fused { fused_multiply_add(x, y, z) } else { multiply_add(x, y, z) }
        }
        _ => return Err(trap(arith::UNSUPPORTED, "an integer intrinsic on floats")),
    };
    Ok(lanes(result).to_vec())
}

fn unary(op: FloatUnary, x: Extended) -> Result<Extended> {
    let function = match op {
        FloatUnary::Abs => return Ok(x.abs()),
        FloatUnary::Sqrt => return Ok(sqrt(x)),
        FloatUnary::Floor => return Ok(round(x, Round::TowardNegative)),
        FloatUnary::Ceil => return Ok(round(x, Round::TowardPositive)),
        FloatUnary::Truncate => return Ok(round(x, Round::TowardZero)),
        FloatUnary::Round => return Ok(round(x, Round::NearestTiesToAway)),
        FloatUnary::RoundEven => return Ok(round(x, Round::NearestTiesToEven)),
        FloatUnary::Sin => Function::Sin,
        FloatUnary::Cos => Function::Cos,
        FloatUnary::Tan => Function::Tan,
        FloatUnary::Exp => Function::Exp,
        FloatUnary::Exp2 => Function::Exp2,
        FloatUnary::Log => Function::Log,
        FloatUnary::Log2 => Function::Log2,
        FloatUnary::Log10 => Function::Log10,
    };
    special(function, &[x])
}

/// As the compiler's library computes `powi`.
fn power(mut x: Extended, by: i64) -> Extended {
    let one = from_double(1.0);
    let (mut result, mut left) = (one, by.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            result = calculate(BinaryOp::FloatMul, result, x);
        }
        left >>= 1;
        if left > 0 {
            x = calculate(BinaryOp::FloatMul, x, x);
        }
    }
    if by < 0 { calculate(BinaryOp::FloatDiv, one, result) } else { result }
}

/// Which bit of `llvm.is.fpclass` a number has.
fn class(x: Extended) -> u32 {
    let negative = x.is_negative();
    match () {
        () if x.is_nan() => u32::from(!x.is_signaling()),
        () if x.is_infinite() => {
            if negative {
                2
            } else {
                9
            }
        }
        () if x.is_zero() => 6 - u32::from(negative),
        () if x.is_denormal() => {
            if negative {
                4
            } else {
                7
            }
        }
        () if negative => 3,
        () => 8,
    }
}
