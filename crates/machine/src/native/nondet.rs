//! Non-deterministic values.

use super::{Operand, Table, arg, number};
use crate::Stdin;
use crate::arith::trap;
use crate::exec::{Cpu, Result};
use crate::value::{Value, mask, sign_extend};
use std::sync::atomic::Ordering::Relaxed;

pub(super) const TABLE: Table = &[
    ("__auspex_choose", choose),
    ("__VERIFIER_choose", choose),
    ("__auspex_assume", assume),
    ("__VERIFIER_assume", assume),
    ("__auspex_stdin", stdin),
    ("__auspex_random", random),
    ("__VERIFIER_nondet_bool", |cpu, _| any(cpu, 1, false)),
    ("__VERIFIER_nondet__Bool", |cpu, _| any(cpu, 1, false)),
    ("__VERIFIER_nondet_char", |cpu, _| any(cpu, 8, true)),
    ("__VERIFIER_nondet_schar", |cpu, _| any(cpu, 8, true)),
    ("__VERIFIER_nondet_uchar", |cpu, _| any(cpu, 8, false)),
    ("__VERIFIER_nondet_unsigned_char", |cpu, _| any(cpu, 8, false)),
    ("__VERIFIER_nondet_u8", |cpu, _| any(cpu, 8, false)),
    ("__VERIFIER_nondet_short", |cpu, _| any(cpu, 16, true)),
    ("__VERIFIER_nondet_ushort", |cpu, _| any(cpu, 16, false)),
    ("__VERIFIER_nondet_unsigned_short", |cpu, _| any(cpu, 16, false)),
    ("__VERIFIER_nondet_u16", |cpu, _| any(cpu, 16, false)),
    ("__VERIFIER_nondet_int", |cpu, _| any(cpu, 32, true)),
    ("__VERIFIER_nondet_uint", |cpu, _| any(cpu, 32, false)),
    ("__VERIFIER_nondet_unsigned", |cpu, _| any(cpu, 32, false)),
    ("__VERIFIER_nondet_unsigned_int", |cpu, _| any(cpu, 32, false)),
    ("__VERIFIER_nondet_u32", |cpu, _| any(cpu, 32, false)),
    ("__VERIFIER_nondet_long", |cpu, _| any_long(cpu, true)),
    ("__VERIFIER_nondet_ulong", |cpu, _| any_long(cpu, false)),
    ("__VERIFIER_nondet_unsigned_long", |cpu, _| any_long(cpu, false)),
    ("__VERIFIER_nondet_longlong", |cpu, _| any(cpu, 64, true)),
    ("__VERIFIER_nondet_ulonglong", |cpu, _| any(cpu, 64, false)),
    ("__VERIFIER_nondet_u64", |cpu, _| any(cpu, 64, false)),
    ("__VERIFIER_nondet_size_t", |cpu, _| any_long(cpu, false)),
    ("__VERIFIER_nondet_loff_t", |cpu, _| any(cpu, 64, true)),
    ("__VERIFIER_nondet_sector_t", |cpu, _| any_long(cpu, false)),
    ("__VERIFIER_nondet_pchar", pointer),
    ("__VERIFIER_nondet_pointer", pointer),
    ("llvm.readcyclecounter", |cpu, _| any(cpu, 64, false)),
    ("llvm.readsteadycounter", |cpu, _| any(cpu, 64, false)),
    ("llvm.x86.rdtsc", |cpu, _| any(cpu, 64, false)),
    ("__VERIFIER_nondet_float", |cpu, _| any_float(cpu, true)),
    ("__VERIFIER_nondet_double", |cpu, _| any_float(cpu, false)),
];

type Outcome = Result<Option<Value>>;

fn choose(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let count = number(operands, 0, "choose")?;
    match count {
        1..=65536 => Ok(Some(Value::number(cpu.choose(count as u32)?.into()))),
        _ => Err(trap("misuse", format!("a choice among {} values", count as u32 as i32)).into()),
    }
}

fn assume(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let value = arg(operands, 0);
    if value.undef != 0 {
        return Err(trap("uninitialised", "an assumption depends on an uninitialised value").into());
    }
    if value.bits == 0 && value.object == 0 { Err(cpu.prune()) } else { Ok(None) }
}

/// Any number of so many bits: all of them, or those that matter.
fn any(cpu: &mut Cpu<'_>, bits: u8, signed: bool) -> Outcome {
    let least = if signed { -(1i128 << (bits - 1)) } else { 0 };
    let most = if signed { (1i128 << (bits - 1)) - 1 } else { mask(bits).into() };
    any_within(cpu, bits, least, most)
}

/// Any number of so many bits from `least` to `most`.
fn any_within(cpu: &mut Cpu<'_>, bits: u8, least: i128, most: i128) -> Outcome {
    if let Some((low, high)) = cpu.options.nondet_range {
        let (low, high) = (i128::from(low).max(least), i128::from(high).min(most));
        if low > high {
            return Err(cpu.prune());
        }
        let count = u32::try_from(high - low + 1)
            .map_err(|_| trap("misuse", "the range of --nondet-range has too many values"))?;
        let value = low + i128::from(cpu.choose(count)?);
        return Ok(Some(Value::number(value as u64 & mask(bits))));
    }
    if bits <= 8 {
        let count = 1u32 << bits;
        return Ok(Some(Value::number(cpu.choose(count)?.into())));
    }
    cpu.options.sampled.store(true, Relaxed);
    let signed = least < 0;
    let within = |value: &u64| {
        let value = if signed { sign_extend(*value, bits).into() } else { i128::from(*value) };
        (least..=most).contains(&value)
    };
    let candidates: Vec<u64> = interesting(cpu, bits).into_iter().filter(within).collect();
    let chosen = cpu.choose(candidates.len() as u32)?;
    Ok(Some(Value::number(candidates[chosen as usize])))
}

fn any_long(cpu: &mut Cpu<'_>, signed: bool) -> Outcome {
    let bits = 8 * cpu.program.pointer;
    any(cpu, bits, signed)
}

/// Values at which programs tend to change their ways.
fn interesting(cpu: &Cpu<'_>, bits: u8) -> Vec<u64> {
    let top = 1u64 << (bits - 1);
    let mut values = vec![0, 1, mask(bits), top, top - 1];
    const MOST: usize = 24;
    for value in &cpu.program.interesting {
        for near in [*value, value.wrapping_add(1), value.wrapping_sub(1)] {
            let near = near & mask(bits);
            if values.len() < MOST && !values.contains(&near) {
                values.push(near);
            }
        }
    }
    values
}

fn pointer(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    cpu.options.sampled.store(true, Relaxed);
    Ok(Some(Value::NULL))
}

fn any_float(cpu: &mut Cpu<'_>, single: bool) -> Outcome {
    cpu.options.sampled.store(true, Relaxed);
    const VALUES: [f64; 8] =
        [0.0, 1.0, -1.0, 0.5, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN];
    let chosen = cpu.choose(VALUES.len() as u32)?;
    Ok(Some(crate::arith::from_double(VALUES[chosen as usize], single)))
}

fn random(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    match cpu.options.fixed_random {
        true => Ok(Some(Value::number(mask(32)))),
        false => any_within(cpu, 32, 0, i32::MAX.into()),
    }
}

/// A byte of the input. How much was read is part of the state, in a variable of the runtime: here
/// it is the argument.
fn stdin(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let at = arg(operands, 0).bits;
    let byte = match &cpu.options.stdin {
        Stdin::Bytes(bytes) => bytes.get(at as usize).map_or(-1, |byte| i64::from(*byte)),
        // The end, or any byte.
        Stdin::Any { at_most } if at < *at_most => i64::from(cpu.choose(257)?) - 1,
        Stdin::Any { .. } => -1,
    };
    Ok(Some(Value::number(byte as u64 & mask(32))))
}
