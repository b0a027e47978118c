//! Variable arguments: all of them lie in memory, in the order of the call.

use super::{Operand, Table, arg};
use crate::arith::trap;
use crate::exec::{Cpu, Place, Result};
use crate::value::{Scalar, Value};

pub(super) const TABLE: Table =
    &[("llvm.va_start", start), ("llvm.va_end", |_, _| Ok(None)), ("llvm.va_copy", copy)];

type Outcome = Result<Option<Value>>;

/// The size of a `va_list`.
fn list_size(cpu: &Cpu<'_>) -> u32 {
    let target = &cpu.program.module.target;
    match () {
        () if target.starts_with("x86_64") => 24,
        () if target.starts_with("aarch64") => 32,
        () => cpu.program.pointer.into(),
    }
}

fn start(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let size = list_size(cpu);
    let place = cpu.resolve(arg(operands, 0), size.into(), true)?;
    let area = cpu.frame().arguments;
    if area == 0 {
        return Err(trap("misuse", "va_start in a function without variable arguments").into());
    }
    cpu.touch(place, size, true, false)?;
    let area = [Value::pointer(area, 0), Value::NULL];
    let at = |offset: u32| Place { at: place.at + offset, ..place };
    let none = [Value::NULL; 2];
    let int = |value| [Value::number(value), Value::NULL];
    match size {
        // No argument is in a register: both counters are at their ends.
        24 => {
            cpu.write(at(0), Scalar::Int(32), int(48));
            cpu.write(at(4), Scalar::Int(32), int(176));
            cpu.write(at(8), Scalar::Pointer, area);
            cpu.write(at(16), Scalar::Pointer, none);
        }
        32 => {
            cpu.write(at(0), Scalar::Pointer, area);
            cpu.write(at(8), Scalar::Pointer, none);
            cpu.write(at(16), Scalar::Pointer, none);
            cpu.write(at(24), Scalar::Int(32), int(0));
            cpu.write(at(28), Scalar::Int(32), int(0));
        }
        _ => cpu.write(at(0), Scalar::Pointer, area),
    }
    Ok(None)
}

fn copy(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let size = list_size(cpu);
    let to = cpu.resolve(arg(operands, 0), size.into(), true)?;
    let from = cpu.resolve(arg(operands, 1), size.into(), false)?;
    cpu.touch_all([(from, size, false), (to, size, true)])?;
    let contents = cpu.object(from.object).cloned();
    let width = cpu.program.pointer.into();
    if let (Some(contents), Some(object)) = (contents, cpu.work.object_mut(to.object)) {
        object.copy_in(to.at, &contents, from.at, size, width);
    }
    Ok(None)
}

/// Reads the arguments of a `va_list` one by one, for natives such as `vprintf`.
pub(super) enum List {
    /// Where in memory the address of the next argument is.
    Memory(Place),
    /// The list is the address itself. The caller's stays as it is.
    Address(Value),
}

impl List {
    pub fn open(cpu: &Cpu<'_>, list: Value) -> Result<List> {
        let size = list_size(cpu);
        if size == u32::from(cpu.program.pointer) {
            return Ok(List::Address(list));
        }
        let place = cpu.resolve(list, size.into(), false)?;
        let area = if size == 24 { 8 } else { 0 };
        Ok(List::Memory(Place { at: place.at + area, ..place }))
    }

    pub fn next(&mut self, cpu: &mut Cpu<'_>, scalar: Scalar) -> Result<[Value; 2]> {
        let address = match self {
            List::Memory(slot) => cpu.read(*slot, Scalar::Pointer)?[0],
            List::Address(address) => *address,
        };
        let width = u64::from(cpu.program.pointer);
        let align = if scalar == Scalar::Extended && width == 8 { 16 } else { width };
        let start = Value { bits: address.bits.next_multiple_of(align), ..address };
        let size = u64::from(scalar.bytes(cpu.program.pointer));
        let place = cpu.resolve(start, size, false)?;
        let values = cpu.read(place, scalar)?;
        let next = Value { bits: start.bits + size.next_multiple_of(align), ..start };
        match self {
            List::Memory(slot) => cpu.write(*slot, Scalar::Pointer, [next, Value::NULL]),
            List::Address(address) => *address = next,
        }
        Ok(values)
    }
}
