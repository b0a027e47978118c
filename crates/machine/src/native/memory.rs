//! Allocation, and copying memory.

use super::{Operand, Table, arg, number};
use crate::arith::{UNSUPPORTED, trap};
use crate::decode::LARGEST_OBJECT;
use crate::exec::{Cpu, Place, Result};
use crate::object::{Kind, Object};
use crate::value::{Scalar, Value, mask};

pub(super) const TABLE: Table = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("reallocarray", reallocarray),
    ("free", free),
    ("cfree", free),
    ("aligned_alloc", aligned_alloc),
    ("memalign", aligned_alloc),
    ("valloc", malloc),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", usable_size),
    ("__auspex_allocate", allocate),
    ("memcpy", memcpy),
    ("__memcpy_chk", memcpy),
    ("mempcpy", mempcpy),
    ("memmove", memmove),
    ("__memmove_chk", memmove),
    ("memset", memset),
    ("__memset_chk", memset),
    ("bzero", bzero),
    ("bcopy", bcopy),
    ("memcmp", memcmp),
    ("bcmp", bcmp),
    ("llvm.memcpy", memcpy),
    ("llvm.memcpy.inline", memcpy),
    ("llvm.memmove", memmove),
    ("llvm.memset", memset),
    ("llvm.memset.inline", memset),
];

type Outcome = Result<Option<Value>>;

/// Would every allocator say no? What only this machine cannot hold is no matter of the program.
fn too_large(cpu: &Cpu<'_>, size: u64) -> Result<bool> {
    // With 32 bits, what is larger than a difference of pointers can be.
    let no_machine_has: u64 = if cpu.program.pointer == 4 { 1 << 31 } else { 1 << 47 };
    if size > LARGEST_OBJECT && size < no_machine_has {
        let most = LARGEST_OBJECT >> 20;
        let message = format!("an allocation of {size} bytes: Auspex takes up to {most} MiB");
        return Err(trap(UNSUPPORTED, message).into());
    }
    Ok(size >= no_machine_has)
}

/// The size of an array, if a `size_t` can hold it.
fn product(cpu: &Cpu<'_>, count: u64, size: u64) -> Option<u64> {
    count.checked_mul(size).filter(|size| *size <= mask(8 * cpu.program.pointer))
}

pub(super) fn new_object(cpu: &mut Cpu<'_>, kind: Kind, size: u64, zeroed: bool) -> Outcome {
    // Every allocation may also fail, if the user wants to know.
    if kind == Kind::Heap && cpu.options.malloc_fails && cpu.choose(2)? == 1 {
        return Ok(Some(Value::NULL));
    }
    if too_large(cpu, size)? {
        return Ok(Some(Value::NULL));
    }
    let site = cpu.site();
    let object = match zeroed {
        true => Object::new(kind, size as usize, site),
        false => Object::undefined(kind, size as usize, site),
    };
    let id = cpu.work.add_object(object);
    Ok(Some(Value::pointer(id, 0)))
}

fn malloc(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let size = number(operands, 0, "malloc")?;
    new_object(cpu, Kind::Heap, size, false)
}

fn calloc(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (count, size) = (number(operands, 0, "calloc")?, number(operands, 1, "calloc")?);
    match product(cpu, count, size) {
        Some(size) => new_object(cpu, Kind::Heap, size, true),
        None => Ok(Some(Value::NULL)),
    }
}

fn aligned_alloc(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let size = number(operands, 1, "aligned_alloc")?;
    new_object(cpu, Kind::Heap, size, false)
}

fn posix_memalign(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    const ENOMEM: u64 = 12;
    let size = number(operands, 2, "posix_memalign")?;
    let width = cpu.program.pointer;
    let place = cpu.resolve(arg(operands, 0), width.into(), true)?;
    cpu.touch(place, width.into(), true, false)?;
    match new_object(cpu, Kind::Heap, size, false)? {
        Some(pointer) if !pointer.is_null() => {
            cpu.write(place, Scalar::Pointer, [pointer, Value::NULL]);
            Ok(Some(Value::number(0)))
        }
        _ => Ok(Some(Value::number(ENOMEM))),
    }
}

fn allocate(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let size = number(operands, 0, "allocate")?;
    new_object(cpu, Kind::Runtime, size, true)
}

fn free(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    cpu.free(arg(operands, 0))?;
    Ok(None)
}

fn usable_size(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let pointer = arg(operands, 0);
    if pointer.is_null() {
        return Ok(Some(Value::number(0)));
    }
    let place = cpu.resolve(pointer, 0, false)?;
    Ok(Some(Value::number(cpu.object(place.object).map_or(0, Object::size))))
}

fn realloc(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let size = number(operands, 1, "realloc")?;
    resize(cpu, arg(operands, 0), size)
}

fn reallocarray(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (count, size) =
        (number(operands, 1, "reallocarray")?, number(operands, 2, "reallocarray")?);
    match product(cpu, count, size) {
        Some(size) => resize(cpu, arg(operands, 0), size),
        None => Ok(Some(Value::NULL)),
    }
}

fn resize(cpu: &mut Cpu<'_>, old: Value, size: u64) -> Outcome {
    if old.is_null() {
        return new_object(cpu, Kind::Heap, size, false);
    }
    if cpu.options.malloc_fails && cpu.choose(2)? == 1 {
        return Ok(Some(Value::NULL));
    }
    if too_large(cpu, size)? {
        return Ok(Some(Value::NULL));
    }
    let contents = cpu.object(old.object).filter(|_| old.undef == 0).cloned();
    // All that can be wrong with a pointer that is freed is found here, before anything changes.
    cpu.free(old)?;
    let Some(contents) = contents else { return Ok(Some(Value::NULL)) };
    let mut object = Object::undefined(contents.kind, size as usize, cpu.site());
    let kept = (contents.size().min(size)) as u32;
    object.copy_in(0, &contents, 0, kept, cpu.program.pointer.into());
    object.tidy();
    let id = cpu.work.add_object(object);
    Ok(Some(Value::pointer(id, 0)))
}

fn length(operands: &[Operand], index: usize, what: &str) -> Result<u32> {
    let len = number(operands, index, what)?;
    u32::try_from(len).map_err(|_| trap("bounds", format!("{what} of {len} bytes")).into())
}

/// Checks and copies; `apart`: the two may not overlap.
fn copy(
    cpu: &mut Cpu<'_>,
    to: Value,
    from: Value,
    len: u32,
    what: &str,
    apart: bool,
) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    let source = cpu.resolve(from, len.into(), false)?;
    let target = cpu.resolve(to, len.into(), true)?;
    let overlap = source.object == target.object
        && source.at != target.at
        && source.at.abs_diff(target.at) < len;
    if apart && overlap {
        return Err(
            trap("bounds", format!("{what} of {len} bytes between places that overlap")).into()
        );
    }
    cpu.touch_all([(source, len, false), (target, len, true)])?;
    let Some(contents) = cpu.object(source.object).cloned() else { return Ok(()) };
    cpu.remember(target, len);
    let width = cpu.program.pointer.into();
    let mut shared = false;
    if let Some(object) = cpu.work.object_mut(target.object) {
        object.copy_in(target.at, &contents, source.at, len, width);
        shared = object.shared;
    }
    if shared {
        let copied = target.at..target.at + len;
        let pointers: Vec<u32> = cpu
            .object(target.object)
            .map(|object| {
                object
                    .pointers
                    .iter()
                    .filter(|p| copied.contains(&p.at))
                    .map(|p| p.object)
                    .collect()
            })
            .unwrap_or_default();
        pointers.into_iter().for_each(|id| cpu.work.share(id));
    }
    Ok(())
}

fn memcpy(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let len = length(operands, 2, "memcpy")?;
    copy(cpu, arg(operands, 0), arg(operands, 1), len, "memcpy", true)?;
    Ok(Some(arg(operands, 0)))
}

fn mempcpy(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    memcpy(cpu, operands)?;
    let end = arg(operands, 0);
    Ok(Some(Value { bits: end.bits.wrapping_add(arg(operands, 2).bits), ..end }))
}

fn memmove(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let len = length(operands, 2, "memmove")?;
    copy(cpu, arg(operands, 0), arg(operands, 1), len, "memmove", false)?;
    Ok(Some(arg(operands, 0)))
}

fn bcopy(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let len = length(operands, 2, "bcopy")?;
    copy(cpu, arg(operands, 1), arg(operands, 0), len, "bcopy", false)?;
    Ok(None)
}

fn fill(cpu: &mut Cpu<'_>, to: Value, byte: Value, len: u32) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    if byte.object != 0 {
        return Err(trap(UNSUPPORTED, "memset with the bits of a pointer").into());
    }
    let place = cpu.resolve(to, len.into(), true)?;
    cpu.touch(place, len, true, false)?;
    cpu.remember(place, len);
    let width = cpu.program.pointer.into();
    if let Some(object) = cpu.work.object_mut(place.object) {
        let range = place.at as usize..(place.at + len) as usize;
        object.bytes[range.clone()].fill(byte.bits as u8);
        object.set_undef(range, &vec![byte.undef as u8; len as usize]);
        object.forget_pointers(place.at, len, width);
    }
    Ok(())
}

fn memset(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let len = length(operands, 2, "memset")?;
    fill(cpu, arg(operands, 0), arg(operands, 1), len)?;
    Ok(Some(arg(operands, 0)))
}

fn bzero(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let len = length(operands, 1, "bzero")?;
    fill(cpu, arg(operands, 0), Value::number(0), len)?;
    Ok(None)
}

fn memcmp(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    difference(cpu, operands, "memcmp", true)
}

/// Only whether they differ.
fn bcmp(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    difference(cpu, operands, "bcmp", false)
}

/// `ordered`: which of the two is less matters, and pointers have no order.
fn difference(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, ordered: bool) -> Outcome {
    let len = length(operands, 2, what)?;
    if len == 0 {
        return Ok(Some(Value::number(0)));
    }
    let a = cpu.resolve(arg(operands, 0), len.into(), false)?;
    let b = cpu.resolve(arg(operands, 1), len.into(), false)?;
    cpu.touch_all([(a, len, false), (b, len, false)])?;
    for byte in 0..len {
        let [x, _] = cpu.read(Place { at: a.at + byte, ..a }, Scalar::Int(8))?;
        let [y, _] = cpu.read(Place { at: b.at + byte, ..b }, Scalar::Int(8))?;
        if x.undef | y.undef != 0 {
            return Err(trap("uninitialised", format!("{what} reads an uninitialised byte")).into());
        }
        if x == y {
            continue;
        }
        if x.object | y.object != 0 {
            // Two whole addresses differ; which of their bytes do nobody knows.
            let pointer = if x.object != 0 { x } else { y };
            let start = byte.checked_sub(u32::from(pointer.piece.saturating_sub(1)));
            let whole = start.is_some_and(|start| start + u32::from(cpu.program.pointer) <= len);
            return match whole && !ordered {
                true => Ok(Some(Value::number(1))),
                false => Err(trap(UNSUPPORTED, format!("{what} of different pointers")).into()),
            };
        }
        let order = if x.bits < y.bits { u64::from(u32::MAX) } else { 1 };
        return Ok(Some(Value::number(order)));
    }
    Ok(Some(Value::number(0)))
}
