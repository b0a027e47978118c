//! The arguments that a format asks for.

use super::super::Operand;
use super::super::variadic::List;
use super::float::Real;
use crate::arith::{Trap, trap};
use crate::exec::{Cpu, Result, Stop};
use crate::extended;
use crate::object::Object;
use crate::value::{Scalar, Value, mask};
use std::fmt;
use std::rc::Rc;

/// A conversion of a call, for messages.
pub struct Asker<'a> {
    pub spec: &'a [u8],
    pub what: &'a str,
}

impl fmt::Display for Asker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {}", String::from_utf8_lossy(self.spec), self.what)
    }
}

/// Where arguments come from.
pub enum Source<'a> {
    /// Those of the call itself, which have types.
    Call(std::slice::Iter<'a, Operand>),
    /// A `va_list`.
    List(List),
}

impl Source<'_> {
    /// The registers of the next argument, and what it is.
    fn lanes(
        &mut self,
        cpu: &mut Cpu<'_>,
        scalar: Scalar,
        place: &Asker<'_>,
    ) -> Result<([Value; 2], Scalar)> {
        match self {
            Source::Call(operands) => {
                let operand = operands.next().ok_or_else(|| missing(place))?;
                fits(cpu, operand.scalar, scalar, place)?;
                Ok(([operand.value, operand.high], operand.scalar))
            }
            Source::List(list) => {
                // The position in the list is nothing for the trace.
                let recorder = cpu.recorder.take();
                let scalar = match scalar {
                    Scalar::Extended if !is_x87(cpu) => Scalar::Double,
                    _ => scalar,
                };
                let values = list.next(cpu, scalar);
                cpu.recorder = recorder;
                let values = values.map_err(|stop| match stop {
                    Stop::Fault(Trap { kind: "bounds", .. }) => missing(place).into(),
                    other => other,
                })?;
                Ok((values, scalar))
            }
        }
    }

    /// The next argument as it is.
    pub fn operand(
        &mut self,
        cpu: &mut Cpu<'_>,
        scalar: Scalar,
        place: &Asker<'_>,
    ) -> Result<Operand> {
        let ([value, high], scalar) = self.lanes(cpu, scalar, place)?;
        Ok(Operand { value, high, scalar })
    }

    /// The next argument, which is a `double` or a `long double`; or the pointer that it is.
    pub fn real(
        &mut self,
        cpu: &mut Cpu<'_>,
        long: bool,
        place: &Asker<'_>,
    ) -> Result<std::result::Result<Real, Value>> {
        let wanted = if long { Scalar::Extended } else { Scalar::Double };
        let (values, scalar) = self.lanes(cpu, wanted, place)?;
        let [low, high] = values;
        defined(low, 64, place)?;
        defined(high, if scalar == Scalar::Extended { 16 } else { 0 }, place)?;
        Ok(match extended::number(values) {
            _ if low.object != 0 => Err(low),
            Ok(Some(number)) if scalar == Scalar::Extended => Ok(Real::Extended(number)),
            Err(trap) => return Err(trap.into()),
            _ => Ok(Real::Double(f64::from_bits(low.bits))),
        })
    }

    /// The next argument, of one register. `place` says what asks for it.
    pub fn next(&mut self, cpu: &mut Cpu<'_>, scalar: Scalar, place: &Asker<'_>) -> Result<Value> {
        let ([value, _], _) = self.lanes(cpu, scalar, place)?;
        let bits = scalar.bits(cpu.program.pointer);
        defined(value, bits, place)?;
        Ok(match value.object {
            0 => Value { bits: value.bits & mask(bits), undef: 0, ..value },
            _ => value,
        })
    }
}

fn missing(place: &Asker<'_>) -> Trap {
    trap("signature", format!("there is no argument for {place}"))
}

/// Only the bits that are used count.
fn defined(value: Value, bits: u8, place: &Asker<'_>) -> Result<()> {
    if value.undef & mask(bits) != 0 {
        return Err(trap("uninitialised", format!("{place} gets an uninitialised argument")).into());
    }
    Ok(())
}

fn is_integer(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Int(_) | Scalar::Wide(_) | Scalar::Pointer)
}

/// On some machines a `long double` is a double.
fn is_x87(cpu: &Cpu<'_>) -> bool {
    ["x86_64", "i386", "i486", "i586", "i686"]
        .iter()
        .any(|name| cpu.program.module.target.starts_with(name))
}

/// Integers of another size are not quite right, but work on all machines of today.
fn fits(cpu: &Cpu<'_>, given: Scalar, wanted: Scalar, place: &Asker<'_>) -> Result<()> {
    let fits = match wanted {
        Scalar::Extended if !is_x87(cpu) => matches!(given, Scalar::Double | Scalar::Extended),
        Scalar::Double | Scalar::Extended => given == wanted,
        _ => is_integer(given),
    };
    if fits {
        return Ok(());
    }
    let name = match given {
        Scalar::Double => "a double",
        Scalar::Extended => "a long double",
        Scalar::Single => "a float",
        _ => "an integer",
    };
    Err(trap("signature", format!("{place} gets {name}")).into())
}

/// Runs a function on the arguments of a `va_list`. Reading them moves the list on: if the function
/// cannot finish now, the list stays as it was.
pub fn with_list<T>(
    cpu: &mut Cpu<'_>,
    list: Value,
    function: impl FnOnce(&mut Cpu<'_>, Source<'_>) -> Result<T>,
) -> Result<T> {
    let source = Source::List(List::open(cpu, list)?);
    // It is looked at, also if nothing of it is used.
    cpu.work.object(list.object);
    let slot = (list.object as usize).wrapping_sub(1);
    let saved: Option<Rc<Object>> = cpu.work.objects.get(slot).cloned().flatten();
    let result = function(cpu, source);
    if result.is_err()
        && let Some(place) = cpu.work.objects.get_mut(slot)
    {
        *place = saved;
    }
    result
}
