//! Functions that the machine itself provides.
//!
//! A native function first checks and touches all the memory that it uses ([`Cpu::resolve`],
//! [`Cpu::touch`]), and only then changes anything: `touch` may end the step before the call, which
//! is then made again later.

mod control;
mod format;
mod long_math;
pub mod math;
mod memory;
mod nondet;
mod string;
mod thread;
mod variadic;

use crate::exec::{Cpu, Result};
use crate::value::{Scalar, Value};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// An argument of a native function, one lane; of a `long double` both.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub value: Value,
    /// The second lane of a `long double`.
    pub high: Value,
    pub scalar: Scalar,
}

/// Gives the result, `None` for `void`.
type Plain = fn(&mut Cpu<'_>, &[Operand]) -> Result<Option<Value>>;
/// The same with a `long double` in it: gives both registers of the result.
type Long = fn(&mut Cpu<'_>, &[Operand]) -> Result<[Value; 2]>;

#[derive(Clone, Copy, Debug)]
pub struct Native {
    plain: Plain,
    /// What it is where a `long double` is not a double.
    long: Option<Long>,
}

impl Native {
    /// `result`: the type that the caller expects. Gives the registers of the result.
    pub fn call(
        self,
        cpu: &mut Cpu<'_>,
        operands: &[Operand],
        result: Option<Scalar>,
    ) -> Result<Option<[Value; 2]>> {
        let extended = |scalar| scalar == Scalar::Extended;
        let is_long = || {
            result.is_some_and(extended) || operands.iter().any(|operand| extended(operand.scalar))
        };
        if let Some(long) = self.long.filter(|_| is_long()) {
            return long(cpu, operands).map(Some);
        }
        if result.is_some_and(extended) {
            let message = "a library function that is not known for long double";
            return Err(crate::arith::trap(crate::arith::UNSUPPORTED, message).into());
        }
        Ok((self.plain)(cpu, operands)?.map(|value| [value, Value::NULL]))
    }
}

/// A family of functions: names and what they do.
pub(crate) type Table = &'static [(&'static str, Plain)];
type LongTable = &'static [(&'static str, Long)];

static ALL: LazyLock<FxHashMap<&'static str, Plain>> = LazyLock::new(|| {
    let tables: [Table; 8] = [
        control::TABLE,
        format::TABLE,
        math::TABLE,
        memory::TABLE,
        nondet::TABLE,
        string::TABLE,
        thread::TABLE,
        variadic::TABLE,
    ];
    tables.into_iter().flatten().copied().collect()
});

/// The native function of this name. `llvm.memcpy.p0.p0.i64` is found as `llvm.memcpy`.
pub fn find(name: &str) -> Option<Native> {
    Some(Native { plain: find_plain(name)?, long: long_math::find(name) })
}

fn find_plain(name: &str) -> Option<Plain> {
    if let Some(native) = ALL.get(name) {
        return Some(*native);
    }
    let mut name = name.strip_prefix("llvm.").map(|_| name)?;
    while let Some((shorter, _)) = name.rsplit_once('.') {
        if let Some(native) = ALL.get(shorter) {
            return Some(*native);
        }
        name = shorter;
    }
    None
}

/// Is there a native function of this name, or does decoding take care of it?
pub fn is_native(name: &str) -> bool {
    name.starts_with("llvm.") || find(name).is_some()
}

/// The value of argument `index`.
pub(crate) fn arg(operands: &[Operand], index: usize) -> Value {
    operands.get(index).map_or(Value::NULL, |operand| operand.value)
}

/// A defined number, for a function that uses it as one.
pub(crate) fn number(operands: &[Operand], index: usize, what: &str) -> Result<u64> {
    let value = arg(operands, index);
    if value.undef != 0 {
        return Err(crate::arith::trap(
            "uninitialised",
            format!("{what} gets an uninitialised argument"),
        )
        .into());
    }
    if value.object != 0 {
        let message = format!("{what} gets a pointer where it wants a number");
        return Err(crate::arith::trap(crate::arith::UNSUPPORTED, message).into());
    }
    Ok(value.bits)
}
