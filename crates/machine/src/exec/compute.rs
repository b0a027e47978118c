//! Instructions that only compute.

use super::{Cpu, Result};
use crate::arith::{self, Trap, trap};
use crate::code::{Code, Flags, FloatBinary, FloatUnary, Intrinsic, IntrinsicOp, Program, Recast};
use crate::extended;
use crate::value::{Scalar, Value, mask, sign_extend};
use auspex_llvm::ir::{BinaryOp, IntegerPredicate};

/// `a + index * scale + offset`.
pub fn address(
    a: Value,
    index: Value,
    bits: u8,
    scale: i64,
    offset: i64,
    inbounds: bool,
) -> std::result::Result<Value, arith::Trap> {
    if (a.undef | index.undef) != 0 {
        if index.undef != 0 && scale != 0 && a.undef == 0 {
            return Err(trap("uninitialised", "an index is uninitialised"));
        }
        return Ok(Value::undefined(64));
    }
    if index.object != 0 {
        return Err(trap(arith::UNSUPPORTED, "a pointer used as an index"));
    }
    let by = sign_extend(index.bits, bits).wrapping_mul(scale).wrapping_add(offset);
    if a.piece != 0 {
        return Err(trap(arith::UNSUPPORTED, "arithmetic on a part of a pointer"));
    }
    // Far outside of every object: the number would not fit a state.
    let to = (a.bits as i64).wrapping_add(by);
    if a.object != 0 && inbounds && i32::try_from(to).is_err() {
        return Err(trap(
            "bounds",
            format!("a pointer {to} bytes from the beginning of its object"),
        ));
    }
    Ok(Value { bits: to as u64, ..a })
}

impl Cpu<'_> {
    pub(super) fn compute(&mut self, code: &Code) -> Result<()> {
        match code {
            Code::WideBinary { op, bits, flags, dst, a, b } => {
                let a = [self.get(a[0]), self.get(a[1])];
                let b = [self.get(b[0]), self.get(b[1])];
                let [low, high] = match arith::wide_binary(*op, *bits, *flags, a, b) {
                    Ok(halves) => halves,
                    Err(trap) => {
                        [self.deferred(trap, Some(*op), 64)?, Value::undefined(*bits - 64)]
                    }
                };
                self.set(*dst, low);
                self.set(*dst + 1, high);
            }
            Code::WideCompare { predicate, bits, dst, a, b } => {
                let a = [self.get(a[0]), self.get(a[1])];
                let b = [self.get(b[0]), self.get(b[1])];
                let value =
                    arith::wide_compare(*predicate, *bits, self.program.global_count(), a, b)?;
                self.set(*dst, value);
            }
            Code::Float { op, single, dst, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let value = arith::float_binary(*op, *single, a, b)?;
                self.set(*dst, value);
            }
            Code::ExtendedBinary { op, dst, a, b } => {
                let a = [self.get(a[0]), self.get(a[1])];
                let b = [self.get(b[0]), self.get(b[1])];
                let [low, high] = extended::binary(*op, a, b)?;
                self.set(*dst, low);
                self.set(*dst + 1, high);
            }
            Code::ExtendedCompare { predicate, dst, a, b } => {
                let a = [self.get(a[0]), self.get(a[1])];
                let b = [self.get(b[0]), self.get(b[1])];
                let value = extended::compare(*predicate, a, b)?;
                self.set(*dst, value);
            }
            Code::FloatNegate { single, dst, a } => {
                let value = self.get(*a);
                let sign = if *single { 1 << 31 } else { 1 << 63 };
                self.set(*dst, Value { bits: (value.bits ^ sign) & !value.undef, ..value });
            }
            Code::FloatCompare { predicate, single, dst, a, b } => {
                let value = arith::float_compare(*predicate, *single, self.get(*a), self.get(*b));
                self.set(*dst, value);
            }
            Code::Cast { op, from, to, dst, a } => {
                let a = [self.get(a[0]), self.get(a[1])];
                let value = match arith::cast(*op, *from, *to, self.program.pointer, a) {
                    Ok(value) => value,
                    Err(trap) => [
                        self.deferred(trap, None, to.bits(self.program.pointer))?,
                        Value::undefined(64),
                    ],
                };
                for lane in 0..to.lanes() {
                    self.set(*dst + lane, value[lane as usize]);
                }
            }
            Code::Select { dst, condition, a, b } => {
                let (condition, a, b) = (self.get(*condition), self.get(*a), self.get(*b));
                let value = match condition {
                    Value { undef, .. } if undef & 1 != 0 && a != b => Value::undefined(64),
                    Value { bits, .. } if bits & 1 != 0 => a,
                    _ => b,
                };
                self.set(*dst, value);
            }
            Code::Freeze { dst, a } => {
                // Any value would do, but always the same one.
                let value = self.get(*a);
                self.set(*dst, Value { undef: 0, ..value });
            }
            Code::Recast(recast) => self.recast(recast)?,
            Code::Pick { dst, lanes, index } => {
                let index = self.get(*index);
                let value = match lanes.get(index.bits as usize).filter(|_| index.undef == 0) {
                    Some(lane) => self.get(*lane),
                    None => Value::undefined(64),
                };
                self.set(*dst, value);
            }
            Code::Put { dst, count, element, index } => {
                let (element, index) = (self.get(*element), self.get(*index));
                if index.undef == 0 && index.bits < u64::from(*count) {
                    self.set(*dst + index.bits as u32, element);
                }
            }
            Code::Intrinsic(intrinsic) => self.intrinsic(intrinsic)?,
            _ => return Err(trap(arith::UNSUPPORTED, "an unknown instruction").into()),
        }
        Ok(())
    }

    /// The result of an operation that has none: in optimised code such an operation may have been
    /// moved ahead of the test that guards it, and nobody uses what it gives.
    #[cold]
    pub(super) fn deferred(&self, trap: Trap, op: Option<BinaryOp>, bits: u8) -> Result<Value> {
        use BinaryOp::{SignedDiv, SignedRem, UnsignedDiv, UnsignedRem};
        let division = matches!(op, Some(SignedDiv | SignedRem | UnsignedDiv | UnsignedRem));
        match trap.kind {
            "overflow" | "shift" | "conversion" if self.options.optimised && !division => {
                Ok(Value::undefined(bits))
            }
            _ => Err(trap.into()),
        }
    }

    fn recast(&mut self, recast: &Recast) -> Result<()> {
        let (mut bits, mut undef, mut at) = (Vec::new(), Vec::new(), 0usize);
        for (arg, width) in &recast.from {
            let value = self.get(*arg);
            if value.object != 0 {
                return Err(trap(arith::UNSUPPORTED, "a cast of a vector with pointers").into());
            }
            for bit in 0..*width {
                bits.push(value.bits >> bit & 1);
                undef.push(value.undef >> bit & 1);
            }
        }
        for (lane, width) in recast.to.iter().enumerate() {
            let gather = |from: &[u64]| {
                (0..usize::from(*width))
                    .fold(0, |sum, bit| sum | from.get(at + bit).unwrap_or(&0) << bit)
            };
            let value = Value::with_undef(gather(&bits), gather(&undef));
            self.set(recast.dst + lane as u32, value);
            at += usize::from(*width);
        }
        Ok(())
    }

    fn intrinsic(&mut self, intrinsic: &Intrinsic) -> Result<()> {
        let args: Vec<Value> = intrinsic.arguments.iter().map(|arg| self.get(*arg)).collect();
        let dst = intrinsic.dst;
        match intrinsic.scalar {
            Scalar::Int(bits) => {
                let results = match integer(intrinsic.op, bits, self.program.global_count(), &args)
                {
                    Ok(results) => results,
                    Err(trap) => [self.deferred(trap, None, bits)?, Value::NULL],
                };
                for (lane, value) in
                    results.into_iter().take(intrinsic.results() as usize).enumerate()
                {
                    self.set(dst + lane as u32, value);
                }
            }
            Scalar::Wide(bits) => {
                let results = wide_integer(intrinsic.op, bits, &args)?;
                for (lane, value) in results.into_iter().enumerate() {
                    self.set(dst + lane as u32, value);
                }
            }
            Scalar::Pointer => {
                return Err(trap(arith::UNSUPPORTED, "an intrinsic on pointers").into());
            }
            Scalar::Extended => {
                let results = extended::intrinsic(intrinsic.op, &args)?;
                for (lane, value) in results.into_iter().enumerate() {
                    self.set(dst + lane as u32, value);
                }
            }
            float if intrinsic.results() == 2 => {
                let [first, second] = two_floats(intrinsic.op, float == Scalar::Single, &args)?;
                self.set(dst, first);
                self.set(dst + 1, second);
            }
            float => {
                let value = floating(intrinsic.op, float == Scalar::Single, &args)?;
                self.set(dst, value);
            }
        }
        Ok(())
    }
}

type Computed<T> = std::result::Result<T, arith::Trap>;

fn integer(op: IntrinsicOp, bits: u8, globals: u32, args: &[Value]) -> Computed<[Value; 2]> {
    let all = mask(bits);
    let used = match op {
        IntrinsicOp::CountOnes
        | IntrinsicOp::ByteSwap
        | IntrinsicOp::BitReverse
        | IntrinsicOp::Abs => 1,
        IntrinsicOp::LeadingZeros | IntrinsicOp::TrailingZeros => 1,
        _ => args.len(),
    };
    if args[..used].iter().any(|arg| arg.object != 0) {
        return ordered_pointers(op, bits, globals, args).map(|value| [value, Value::NULL]);
    }
    if args[..used].iter().any(|arg| arg.undef != 0) {
        return Ok([Value::undefined(bits), Value::undefined(1)]);
    }
    let x = args[0].bits & all;
    let y = args.get(1).map_or(0, |arg| arg.bits & all);
    let (sx, sy) = (i128::from(sign_extend(x, bits)), i128::from(sign_extend(y, bits)));
    let (ux, uy) = (i128::from(x), i128::from(y));
    let limit = 1i128 << (bits - 1);
    let overflow = |signed: bool, s: i128, u: i128| {
        let (result, over) = match signed {
            true => (s, !(-limit..limit).contains(&s)),
            false => (u, !(0..2 * limit).contains(&u)),
        };
        [Value::number(result as u64 & all), Value::number(over.into())]
    };
    let saturate = |signed: bool, s: i128, u: i128| match signed {
        true => s.clamp(-limit, limit - 1) as u64,
        false => u.clamp(0, 2 * limit - 1) as u64,
    };
    let result = match op {
        IntrinsicOp::Compare { signed, result } => {
            let order = if signed { sx.cmp(&sy) } else { x.cmp(&y) };
            return Ok([Value::number(order as i8 as u64 & mask(result)), Value::NULL]);
        }
        IntrinsicOp::AddOverflow { signed } => return Ok(overflow(signed, sx + sy, ux + uy)),
        IntrinsicOp::SubOverflow { signed } => return Ok(overflow(signed, sx - sy, ux - uy)),
        IntrinsicOp::MulOverflow { signed: true } => return Ok(overflow(true, sx * sy, 0)),
        IntrinsicOp::MulOverflow { signed: false } => {
            let product = u128::from(x) * u128::from(y);
            let over = product > u128::from(all);
            return Ok([Value::number(product as u64 & all), Value::number(over.into())]);
        }
        IntrinsicOp::AddSaturating { signed } => saturate(signed, sx + sy, ux + uy),
        IntrinsicOp::SubSaturating { signed } => saturate(signed, sx - sy, ux - uy),
        IntrinsicOp::Max { signed: true } => sx.max(sy) as u64,
        IntrinsicOp::Min { signed: true } => sx.min(sy) as u64,
        IntrinsicOp::Max { signed: false } => x.max(y),
        IntrinsicOp::Min { signed: false } => x.min(y),
        IntrinsicOp::Abs => {
            if sx == -limit && args.get(1).is_some_and(|poison| poison.bits & 1 == 1) {
                return Err(trap("overflow", format!("signed overflow: abs({sx})")));
            }
            sx.unsigned_abs() as u64
        }
        IntrinsicOp::CountOnes => u64::from(x.count_ones()),
        IntrinsicOp::LeadingZeros => u64::from(x.leading_zeros()) - (64 - u64::from(bits)),
        IntrinsicOp::TrailingZeros => u64::from(x.trailing_zeros()).min(bits.into()),
        IntrinsicOp::ByteSwap => x.swap_bytes() >> (64 - u32::from(bits)),
        IntrinsicOp::BitReverse => x.reverse_bits() >> (64 - u32::from(bits)),
        IntrinsicOp::FunnelLeft | IntrinsicOp::FunnelRight => {
            let by = (args[2].bits % u64::from(bits)) as u32;
            let both = u128::from(x) << bits | u128::from(y);
            match op {
                IntrinsicOp::FunnelLeft => (both << by >> bits) as u64,
                _ => (both >> by) as u64,
            }
        }
        _ => return Err(trap(arith::UNSUPPORTED, "a float intrinsic on integers")),
    };
    Ok([Value::number(result & all), Value::NULL])
}

/// What the optimiser makes of loops over pointers: the larger of two, the distance if there is one.
fn ordered_pointers(op: IntrinsicOp, bits: u8, globals: u32, args: &[Value]) -> Computed<Value> {
    let &[a, b] = args else {
        return Err(trap(arith::UNSUPPORTED, "arithmetic on the bits of a pointer"));
    };
    use IntrinsicOp::{Compare, Max, Min};
    let predicate = match op {
        Max { signed: true } | Min { signed: true } | Compare { signed: true, .. } => {
            IntegerPredicate::SignedLess
        }
        _ => IntegerPredicate::UnsignedLess,
    };
    let less = |a, b| arith::compare(predicate, bits, globals, a, b);
    let before = less(a, b)?;
    if before.undef != 0 {
        return Ok(Value::undefined(bits));
    }
    let before = before.bits == 1;
    Ok(match op {
        Max { .. } => {
            if before {
                b
            } else {
                a
            }
        }
        Min { .. } => {
            if before {
                a
            } else {
                b
            }
        }
        IntrinsicOp::SubSaturating { signed: false } if before => Value::NULL,
        IntrinsicOp::SubSaturating { signed: false } => {
            arith::binary(BinaryOp::Sub, bits, Flags::default(), a, b)?
        }
        Compare { result, .. } => {
            let after = less(b, a)?.bits == 1;
            Value::number((i64::from(after) - i64::from(before)) as u64 & mask(result))
        }
        _ => return Err(trap(arith::UNSUPPORTED, "arithmetic on the bits of a pointer")),
    })
}

fn wide_integer(op: IntrinsicOp, bits: u8, args: &[Value]) -> Computed<Vec<Value>> {
    let pair = |at: usize| {
        [args.get(at).copied().unwrap_or_default(), args.get(at + 1).copied().unwrap_or_default()]
    };
    let undefined = vec![Value::undefined(64), Value::undefined(bits - 64), Value::undefined(1)];
    let Some(x) = arith::wide(pair(0)) else { return Ok(undefined) };
    let y = arith::wide(pair(2));
    let unused = 128 - u32::from(bits);
    let sign = |v: u128| ((v << unused) as i128) >> unused;
    let limit = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
    let done = |result: u128| Ok(arith::halves(result, bits).to_vec());
    match (op, y) {
        (IntrinsicOp::CountOnes, _) => done(u128::from(x.count_ones())),
        (IntrinsicOp::LeadingZeros, _) => done(u128::from(x.leading_zeros() - unused)),
        (IntrinsicOp::TrailingZeros, _) => done(u128::from(x.trailing_zeros().min(bits.into()))),
        (IntrinsicOp::ByteSwap, _) => done(x.swap_bytes() >> unused),
        (IntrinsicOp::BitReverse, _) => done(x.reverse_bits() >> unused),
        (IntrinsicOp::Abs, _) => done(sign(x).unsigned_abs()),
        (IntrinsicOp::Max { signed: true }, Some(y)) => done(sign(x).max(sign(y)) as u128),
        (IntrinsicOp::Min { signed: true }, Some(y)) => done(sign(x).min(sign(y)) as u128),
        (IntrinsicOp::Max { signed: false }, Some(y)) => done(x.max(y)),
        (IntrinsicOp::Min { signed: false }, Some(y)) => done(x.min(y)),
        (
            IntrinsicOp::AddOverflow { signed }
            | IntrinsicOp::SubOverflow { signed }
            | IntrinsicOp::MulOverflow { signed },
            Some(y),
        ) => {
            let (result, over) = match (op, signed) {
                (IntrinsicOp::AddOverflow { .. }, true) => {
                    signed_result(sign(x).overflowing_add(sign(y)), bits)
                }
                (IntrinsicOp::SubOverflow { .. }, true) => {
                    signed_result(sign(x).overflowing_sub(sign(y)), bits)
                }
                (_, true) => signed_result(sign(x).overflowing_mul(sign(y)), bits),
                (IntrinsicOp::AddOverflow { .. }, false) => {
                    unsigned_result(x.overflowing_add(y), limit)
                }
                (IntrinsicOp::SubOverflow { .. }, false) => {
                    unsigned_result(x.overflowing_sub(y), limit)
                }
                (_, false) => unsigned_result(x.overflowing_mul(y), limit),
            };
            let mut lanes = arith::halves(result, bits).to_vec();
            lanes.push(Value::number(over.into()));
            Ok(lanes)
        }
        (_, None) => Ok(undefined),
        _ => Err(trap(arith::UNSUPPORTED, "an intrinsic on 128-bit integers")),
    }
}

fn signed_result((result, over): (i128, bool), bits: u8) -> (u128, bool) {
    let unused = 128 - u32::from(bits);
    (result as u128, over || (result << unused) >> unused != result)
}

fn unsigned_result((result, over): (u128, bool), limit: u128) -> (u128, bool) {
    (result, over || result > limit)
}

/// Functions with two results.
fn two_floats(op: IntrinsicOp, single: bool, args: &[Value]) -> Computed<[Value; 2]> {
    let bits = if single { 32 } else { 64 };
    let arg = args.first().copied().unwrap_or_default();
    let x = arith::to_double(arg, single);
    let number = |x: f64| arith::from_double(x, single);
    Ok(match op {
        IntrinsicOp::SplitExponent if arg.undef != 0 => {
            [Value::undefined(bits), Value::undefined(32)]
        }
        _ if arg.undef != 0 => [Value::undefined(bits); 2],
        IntrinsicOp::SplitExponent if x == 0.0 || !x.is_finite() => [arg, Value::number(0)],
        IntrinsicOp::SplitExponent => {
            let (fraction, exponent) = crate::native::math::split(x);
            [number(fraction), Value::number(u64::from(exponent as u32))]
        }
        IntrinsicOp::SplitWhole => {
            let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
            [number(fraction.copysign(x)), number(x.trunc())]
        }
        // A float's own functions are no less exact than a double's.
        IntrinsicOp::SineCosine => [number(x.sin()), number(x.cos())],
        _ => return Err(trap(arith::UNSUPPORTED, "an integer intrinsic on floats")),
    })
}

fn floating(op: IntrinsicOp, single: bool, args: &[Value]) -> Computed<Value> {
    if args.iter().any(|arg| arg.undef != 0) {
        return Ok(Value::undefined(if single { 32 } else { 64 }));
    }
    let number = |at: usize| arith::to_double(args.get(at).copied().unwrap_or_default(), single);
    let x = number(0);
    let result = match op {
        IntrinsicOp::FloatUnary(op) => unary(op, x, single),
        IntrinsicOp::FloatBinary(FloatBinary::PowerInt) => {
            x.powi(sign_extend(args[1].bits, 32) as i32)
        }
        IntrinsicOp::FloatBinary(FloatBinary::Scale) => {
            let by = sign_extend(args.get(1).copied().unwrap_or_default().bits, 32);
            crate::native::math::scaled(x, by.clamp(-5000, 5000))
        }
        IntrinsicOp::FloatBinary(op) => {
            let y = number(1);
            match op {
                FloatBinary::CopySign => x.copysign(y),
                FloatBinary::Power => x.powf(y),
                FloatBinary::Min => x.min(y),
                _ => x.max(y),
            }
        }
        IntrinsicOp::MultiplyAdd { fused } if single => {
            let [x, y, z] = [0, 1, 2]
                .map(|at| arith::to_double(args.get(at).copied().unwrap_or_default(), true) as f32);
            let result = if fused { x.mul_add(y, z) } else { x * y + z };
            return Ok(Value::number(u64::from(result.to_bits())));
        }
        IntrinsicOp::MultiplyAdd { fused: true } => x.mul_add(number(1), number(2)),
        IntrinsicOp::MultiplyAdd { fused: false } => x * number(1) + number(2),
        IntrinsicOp::IsClass => return Ok(Value::number(is_class(x, args[1].bits).into())),
        _ => return Err(trap(arith::UNSUPPORTED, "an integer intrinsic on floats")),
    };
    Ok(arith::from_double(result, single))
}

fn unary(op: FloatUnary, x: f64, single: bool) -> f64 {
    match op {
        FloatUnary::Abs => x.abs(),
        FloatUnary::Sqrt if single => f64::from((x as f32).sqrt()),
        FloatUnary::Sqrt => x.sqrt(),
        FloatUnary::Floor => x.floor(),
        FloatUnary::Ceil => x.ceil(),
        FloatUnary::Truncate => x.trunc(),
        FloatUnary::Round => x.round(),
        FloatUnary::RoundEven => x.round_ties_even(),
        FloatUnary::Sin => x.sin(),
        FloatUnary::Cos => x.cos(),
        FloatUnary::Tan => x.tan(),
        FloatUnary::Exp => x.exp(),
        FloatUnary::Exp2 => x.exp2(),
        FloatUnary::Log => x.ln(),
        FloatUnary::Log2 => x.log2(),
        FloatUnary::Log10 => x.log10(),
    }
}

/// The classes of `llvm.is.fpclass`, a bit each.
fn is_class(x: f64, wanted: u64) -> bool {
    let negative = x.is_sign_negative();
    let bit = match x.classify() {
        std::num::FpCategory::Nan => 1,
        std::num::FpCategory::Infinite => {
            if negative {
                2
            } else {
                9
            }
        }
        std::num::FpCategory::Normal => {
            if negative {
                3
            } else {
                8
            }
        }
        std::num::FpCategory::Subnormal => {
            if negative {
                4
            } else {
                7
            }
        }
        std::num::FpCategory::Zero => {
            if negative {
                5
            } else {
                6
            }
        }
    };
    wanted >> bit & 1 == 1
}

/// The operation of an atomic update on integers.
pub fn updated(
    op: auspex_llvm::ir::UpdateOp,
    scalar: Scalar,
    program: &Program,
    old: Value,
    operand: Value,
) -> Computed<Value> {
    use auspex_llvm::ir::UpdateOp::*;
    let bits = scalar.bits(program.pointer);
    let flags = crate::code::Flags::default();
    let plain = |op| arith::binary(op, bits, flags, old, operand);
    let choose = |predicate| {
        let first = arith::compare(predicate, bits, program.global_count(), old, operand)?;
        Ok(match first {
            _ if first.undef != 0 => Value::undefined(bits),
            _ if first.bits != 0 => old,
            _ => operand,
        })
    };
    let float = |op| arith::float_binary(op, scalar == Scalar::Single, old, operand);
    let simple = |result: u64| Ok(Value::number(result & mask(bits)));
    match op {
        Exchange => Ok(operand),
        Add => plain(BinaryOp::Add),
        Sub => plain(BinaryOp::Sub),
        And => plain(BinaryOp::And),
        Or => plain(BinaryOp::Or),
        Xor => plain(BinaryOp::Xor),
        Nand => {
            let and = plain(BinaryOp::And)?;
            Ok(Value::with_undef(!and.bits & mask(bits), and.undef))
        }
        Max => choose(IntegerPredicate::SignedGreater),
        Min => choose(IntegerPredicate::SignedLess),
        UnsignedMax => choose(IntegerPredicate::UnsignedGreater),
        UnsignedMin => choose(IntegerPredicate::UnsignedLess),
        FloatAdd => float(BinaryOp::FloatAdd),
        FloatSub => float(BinaryOp::FloatSub),
        IncrementWrap => simple(if old.bits >= operand.bits { 0 } else { old.bits + 1 }),
        DecrementWrap => simple(if old.bits == 0 || old.bits > operand.bits {
            operand.bits
        } else {
            old.bits - 1
        }),
        SubConditional => {
            simple(if old.bits >= operand.bits { old.bits - operand.bits } else { old.bits })
        }
        SubSaturating => simple(old.bits.saturating_sub(operand.bits)),
        FloatMax | FloatMin | FloatMaximum | FloatMinimum | FloatMaximumNum | FloatMinimumNum => {
            let single = scalar == Scalar::Single;
            let (x, y) = (arith::to_double(old, single), arith::to_double(operand, single));
            let greater = matches!(op, FloatMax | FloatMaximum | FloatMaximumNum);
            Ok(arith::from_double(if greater { x.max(y) } else { x.min(y) }, single))
        }
    }
}

/// The same on integers of more than 64 bits.
pub fn updated_wide(
    op: auspex_llvm::ir::UpdateOp,
    bits: u8,
    program: &Program,
    old: [Value; 2],
    operand: [Value; 2],
) -> Computed<[Value; 2]> {
    use auspex_llvm::ir::UpdateOp::*;
    let plain = |op| arith::wide_binary(op, bits, Flags::default(), old, operand);
    let choose = |predicate| {
        let first = arith::wide_compare(predicate, bits, program.global_count(), old, operand)?;
        Ok(match first {
            _ if first.undef != 0 => [Value::undefined(64), Value::undefined(bits - 64)],
            _ if first.bits != 0 => old,
            _ => operand,
        })
    };
    match op {
        Exchange => Ok(operand),
        Add => plain(BinaryOp::Add),
        Sub => plain(BinaryOp::Sub),
        And => plain(BinaryOp::And),
        Or => plain(BinaryOp::Or),
        Xor => plain(BinaryOp::Xor),
        Nand => {
            let all = arith::halves(u128::MAX, bits);
            let and = plain(BinaryOp::And)?;
            arith::wide_binary(BinaryOp::Xor, bits, Flags::default(), and, all)
        }
        Max => choose(IntegerPredicate::SignedGreater),
        Min => choose(IntegerPredicate::SignedLess),
        UnsignedMax => choose(IntegerPredicate::UnsignedGreater),
        UnsignedMin => choose(IntegerPredicate::UnsignedLess),
        _ => Err(trap(arith::UNSUPPORTED, "an atomic update of this kind on 128 bits")),
    }
}

/// The same on `long double`.
pub fn updated_extended(
    op: auspex_llvm::ir::UpdateOp,
    old: [Value; 2],
    operand: [Value; 2],
) -> Computed<[Value; 2]> {
    use auspex_llvm::ir::UpdateOp::*;
    match op {
        Exchange => Ok(operand),
        FloatAdd => extended::binary(BinaryOp::FloatAdd, old, operand),
        FloatSub => extended::binary(BinaryOp::FloatSub, old, operand),
        _ => Err(trap(arith::UNSUPPORTED, "an atomic update of this kind on a long double")),
    }
}
