//! Decoding the functions `llvm.*`: those that compute are taken apart into lanes, those that do
//! nothing for the machine vanish, the others are native functions.

use super::function::Builder;
use crate::code::{Arg, Code, Flags, FloatBinary, FloatUnary, Intrinsic, IntrinsicOp};
use auspex_llvm::ir::{BinaryOp, Call, Instruction};

impl Builder<'_, '_> {
    /// Was it decoded here? `name` is without `llvm.`.
    pub fn intrinsic(
        &mut self,
        instruction: &Instruction,
        call: &Call,
        name: &str,
    ) -> Option<bool> {
        let dst = self.dst(instruction);
        let base = name.split('.').next().unwrap_or(name);
        if name.starts_with("lifetime.") {
            self.lifetime(call.arguments.last()?.value, name.starts_with("lifetime.start"));
            return Some(true);
        }
        let nothing = [
            "dbg.",
            "donothing",
            "prefetch",
            "sideeffect",
            "invariant.",
            "experimental.noalias",
            "var.annotation",
            "assume",
            "pseudoprobe",
            "clear_cache",
            "fake.use",
            // Hints to a processor, and fences: all memory is in order anyway.
            "x86.sse2.pause",
            "x86.sse2.mfence",
            "x86.sse2.lfence",
            "x86.sse.sfence",
            "x86.sse2.clflush",
            "x86.clflushopt",
            "x86.clwb",
            "aarch64.hint",
            "aarch64.dmb",
            "aarch64.dsb",
            "aarch64.isb",
        ];
        if nothing.iter().any(|prefix| name.starts_with(prefix)) && instruction.result.is_none() {
            if base == "assume" {
                return Some(false);
            }
            return Some(true);
        }
        // Hints: the value of their first argument.
        let same = [
            "expect",
            "launder.",
            "strip.",
            "ptr.annotation",
            "annotation",
            "ssa.copy",
            "threadlocal.address",
            "arithmetic.fence",
        ];
        if same.iter().any(|prefix| name.starts_with(prefix)) {
            let first = call.arguments.first()?.value;
            let lanes = match self.thread_local_operand(first) {
                Some(arg) => vec![arg],
                None => self.operand(first),
            };
            for (lane, a) in lanes.into_iter().enumerate() {
                self.emit(Code::Copy { dst: dst + lane as u32, a });
            }
            return Some(true);
        }
        let constant = match name {
            _ if name.starts_with("invariant.start") => Some(0),
            _ if name.starts_with("is.constant") => Some(0),
            _ if name.starts_with("objectsize") => {
                // Unknown: the greatest, or 0 where the least was asked for.
                let least = self.one(call.arguments.get(1)?.value)?;
                Some(if self.constant_number(least) == Some(1) { 0 } else { u64::MAX })
            }
            _ if base == "returnaddress" || base == "frameaddress" => Some(0),
            "get.rounding" => Some(0),
            _ => None,
        };
        if let Some(number) = constant {
            let scalar = *self.scalars(instruction.ty)?.first()?;
            let a = self.number(number & crate::value::mask(scalar.bits(self.context.pointer)));
            self.emit(Code::Copy { dst, a });
            return Some(true);
        }
        if let Some(rest) = name.strip_prefix("vector.reduce.") {
            return self.reduce(instruction, call, rest);
        }
        // How `va_arg` finds an argument that is aligned more than others.
        if name.starts_with("ptrmask.") {
            let (a, b) =
                (self.one(call.arguments.first()?.value)?, self.one(call.arguments.get(1)?.value)?);
            let bits = crate::value::Scalar::Pointer.bits(self.context.pointer);
            self.emit(Code::Binary { op: BinaryOp::And, bits, flags: Flags::default(), dst, a, b });
            return Some(true);
        }
        let Some((mut op, used)) = operation(name) else { return Some(false) };
        if let IntrinsicOp::Compare { result, .. } = &mut op {
            *result = self.scalars(instruction.ty)?.first()?.bits(self.context.pointer);
        }
        let operands: Vec<Vec<Arg>> =
            call.arguments.iter().take(used).map(|argument| self.operand(argument.value)).collect();
        let scalars = self.scalars(self.type_of(call.arguments.first()?.value))?;
        let count = scalars.len();
        let (mut at, mut dst) = (0, dst);
        for scalar in scalars {
            let mut arguments = Vec::new();
            for lanes in &operands {
                // A scalar operand of a vector operation is there once.
                let one = lanes.len() == 1 && count > 1;
                for lane in 0..scalar.lanes() as usize {
                    arguments.push(*lanes.get(if one { 0 } else { at + lane }).or(lanes.first())?);
                }
            }
            let intrinsic = Intrinsic { op, scalar, dst, arguments: arguments.into() };
            let results = intrinsic.results();
            // With several lanes the flags of an overflow come after all results.
            if count > 1 && results > scalar.lanes() {
                return None;
            }
            self.emit(Code::Intrinsic(Box::new(intrinsic)));
            dst += results;
            at += scalar.lanes() as usize;
        }
        Some(true)
    }

    fn reduce(&mut self, instruction: &Instruction, call: &Call, name: &str) -> Option<bool> {
        let dst = self.dst(instruction);
        let op = name.split('.').next()?;
        let vector = call.arguments.last()?.value;
        let lanes = self.operand(vector);
        let scalar = *self.scalars(self.type_of(vector))?.first()?;
        if scalar.lanes() != 1 {
            return None;
        }
        let mut total = *lanes.first()?;
        let mut rest = &lanes[1..];
        if matches!(op, "fadd" | "fmul") {
            total = self.one(call.arguments.first()?.value)?;
            rest = &lanes;
        }
        let plain = match op {
            "add" => Some(BinaryOp::Add),
            "mul" => Some(BinaryOp::Mul),
            "and" => Some(BinaryOp::And),
            "or" => Some(BinaryOp::Or),
            "xor" => Some(BinaryOp::Xor),
            "fadd" => Some(BinaryOp::FloatAdd),
            "fmul" => Some(BinaryOp::FloatMul),
            _ => None,
        };
        let other = match op {
            "smax" => Some(IntrinsicOp::Max { signed: true }),
            "smin" => Some(IntrinsicOp::Min { signed: true }),
            "umax" => Some(IntrinsicOp::Max { signed: false }),
            "umin" => Some(IntrinsicOp::Min { signed: false }),
            "fmax" => Some(IntrinsicOp::FloatBinary(FloatBinary::Max)),
            "fmin" => Some(IntrinsicOp::FloatBinary(FloatBinary::Min)),
            _ => None,
        };
        for lane in rest {
            match (plain, other) {
                (Some(op), _) => {
                    self.binary(op, Flags::default(), &[scalar], dst, &[total], &[*lane])
                }
                (_, Some(op)) => {
                    let arguments = [total, *lane].into();
                    self.emit(Code::Intrinsic(Box::new(Intrinsic { op, scalar, dst, arguments })));
                }
                _ => return None,
            }
            total = Arg::Reg(dst);
        }
        if rest.is_empty() {
            self.emit(Code::Copy { dst, a: total });
        }
        Some(true)
    }
}

/// What a computing function computes, and how many of its arguments it uses.
fn operation(name: &str) -> Option<(IntrinsicOp, usize)> {
    use IntrinsicOp::*;
    let is = |prefix: &str| name.starts_with(prefix);
    let unary = |op| Some((FloatUnary(op), 1));
    Some(match name {
        _ if is("sadd.with.overflow") => (AddOverflow { signed: true }, 2),
        _ if is("uadd.with.overflow") => (AddOverflow { signed: false }, 2),
        _ if is("ssub.with.overflow") => (SubOverflow { signed: true }, 2),
        _ if is("usub.with.overflow") => (SubOverflow { signed: false }, 2),
        _ if is("smul.with.overflow") => (MulOverflow { signed: true }, 2),
        _ if is("umul.with.overflow") => (MulOverflow { signed: false }, 2),
        _ if is("sadd.sat") => (AddSaturating { signed: true }, 2),
        _ if is("uadd.sat") => (AddSaturating { signed: false }, 2),
        _ if is("ssub.sat") => (SubSaturating { signed: true }, 2),
        _ if is("usub.sat") => (SubSaturating { signed: false }, 2),
        _ if is("smax.") => (Max { signed: true }, 2),
        _ if is("umax.") => (Max { signed: false }, 2),
        _ if is("smin.") => (Min { signed: true }, 2),
        _ if is("umin.") => (Min { signed: false }, 2),
        _ if is("scmp.") => (Compare { signed: true, result: 0 }, 2),
        _ if is("ucmp.") => (Compare { signed: false, result: 0 }, 2),
        _ if is("abs.") => (Abs, 2),
        _ if is("ctpop.") => (CountOnes, 1),
        _ if is("ctlz.") => (LeadingZeros, 2),
        _ if is("cttz.") => (TrailingZeros, 2),
        _ if is("bswap.") => (ByteSwap, 1),
        _ if is("bitreverse.") => (BitReverse, 1),
        _ if is("fshl.") => (FunnelLeft, 3),
        _ if is("fshr.") => (FunnelRight, 3),
        _ if is("fma.") => (MultiplyAdd { fused: true }, 3),
        // What the machines of today do of `a * b + c` unless told otherwise.
        _ if is("fmuladd.") => (MultiplyAdd { fused: false }, 3),
        _ if is("modf.") => (SplitWhole, 1),
        _ if is("frexp.") => (SplitExponent, 1),
        _ if is("ldexp.") => (FloatBinary(self::FloatBinary::Scale), 2),
        _ if is("sincos.") => (SineCosine, 1),
        _ if is("copysign.") => (FloatBinary(self::FloatBinary::CopySign), 2),
        _ if is("powi.") => (FloatBinary(self::FloatBinary::PowerInt), 2),
        _ if is("pow.") => (FloatBinary(self::FloatBinary::Power), 2),
        _ if is("minnum.") || is("minimumnum.") => (FloatBinary(self::FloatBinary::Min), 2),
        _ if is("maxnum.") || is("maximumnum.") => (FloatBinary(self::FloatBinary::Max), 2),
        _ if is("is.fpclass") => (IsClass, 2),
        _ if is("fabs.") => return unary(self::FloatUnary::Abs),
        _ if is("sqrt.") => return unary(self::FloatUnary::Sqrt),
        _ if is("floor.") => return unary(self::FloatUnary::Floor),
        _ if is("ceil.") => return unary(self::FloatUnary::Ceil),
        _ if is("trunc.") => return unary(self::FloatUnary::Truncate),
        _ if is("roundeven.") || is("rint.") || is("nearbyint.") => {
            return unary(self::FloatUnary::RoundEven);
        }
        _ if is("round.") => return unary(self::FloatUnary::Round),
        _ if is("sin.") => return unary(self::FloatUnary::Sin),
        _ if is("cos.") => return unary(self::FloatUnary::Cos),
        _ if is("tan.") => return unary(self::FloatUnary::Tan),
        _ if is("exp2.") => return unary(self::FloatUnary::Exp2),
        _ if is("exp.") => return unary(self::FloatUnary::Exp),
        _ if is("log2.") => return unary(self::FloatUnary::Log2),
        _ if is("log10.") => return unary(self::FloatUnary::Log10),
        _ if is("log.") => return unary(self::FloatUnary::Log),
        _ => return None,
    })
}
