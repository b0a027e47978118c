//! Functions that the machine itself provides.
//!
//! A native function first checks and touches all the memory that it uses ([`Cpu::resolve`],
//! [`Cpu::touch`]), and only then changes anything: `touch` may end the step before the call, which
//! is then made again later.

mod control;
mod format;
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

/// An argument of a native function, one lane.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub value: Value,
    pub scalar: Scalar,
}

/// Gives the result, `None` for `void`.
pub type Native = fn(&mut Cpu<'_>, &[Operand]) -> Result<Option<Value>>;

/// A family of functions: names and what they do.
pub(crate) type Table = &'static [(&'static str, Native)];

static ALL: LazyLock<FxHashMap<&'static str, Native>> = LazyLock::new(|| {
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
