//! Strings: what is read is read under all checks, and only as far as the function has to.

use super::memory::new_object;
use super::{Operand, Table, arg, number};
use crate::arith::{Trap, UNSUPPORTED, trap};
use crate::exec::{Cpu, Place, Result};
use crate::object::Kind;
use crate::value::Value;
use std::cmp::Ordering;
use std::fmt::Display;

pub(super) const TABLE: Table = &[
    ("strlen", |cpu, o| length(cpu, o, u64::MAX)),
    ("strnlen", |cpu, o| length(cpu, o, number(o, 1, "strnlen")?)),
    ("strcpy", |cpu, o| copy(cpu, o, "strcpy", false)),
    ("__strcpy_chk", |cpu, o| copy(cpu, o, "strcpy", false)),
    ("stpcpy", |cpu, o| copy(cpu, o, "stpcpy", true)),
    ("__stpcpy", |cpu, o| copy(cpu, o, "stpcpy", true)),
    ("__stpcpy_chk", |cpu, o| copy(cpu, o, "stpcpy", true)),
    ("strncpy", |cpu, o| copy_padded(cpu, o, "strncpy", false)),
    ("__strncpy_chk", |cpu, o| copy_padded(cpu, o, "strncpy", false)),
    ("stpncpy", |cpu, o| copy_padded(cpu, o, "stpncpy", true)),
    ("__stpncpy", |cpu, o| copy_padded(cpu, o, "stpncpy", true)),
    ("__stpncpy_chk", |cpu, o| copy_padded(cpu, o, "stpncpy", true)),
    ("strcat", |cpu, o| append(cpu, o, "strcat", u64::MAX)),
    ("__strcat_chk", |cpu, o| append(cpu, o, "strcat", u64::MAX)),
    ("strncat", |cpu, o| append(cpu, o, "strncat", number(o, 2, "strncat")?)),
    ("__strncat_chk", |cpu, o| append(cpu, o, "strncat", number(o, 2, "strncat")?)),
    ("strcmp", |cpu, o| compare(cpu, o, "strcmp", u64::MAX, false)),
    ("strcoll", |cpu, o| compare(cpu, o, "strcoll", u64::MAX, false)),
    ("strncmp", |cpu, o| compare(cpu, o, "strncmp", number(o, 2, "strncmp")?, false)),
    ("strcasecmp", |cpu, o| compare(cpu, o, "strcasecmp", u64::MAX, true)),
    ("__strcasecmp", |cpu, o| compare(cpu, o, "strcasecmp", u64::MAX, true)),
    ("strncasecmp", |cpu, o| compare(cpu, o, "strncasecmp", number(o, 2, "strncasecmp")?, true)),
    ("strchr", |cpu, o| find(cpu, o, "strchr", false)),
    ("index", |cpu, o| find(cpu, o, "index", false)),
    ("strchrnul", |cpu, o| find(cpu, o, "strchrnul", true)),
    ("__strchrnul", |cpu, o| find(cpu, o, "strchrnul", true)),
    ("strrchr", find_last),
    ("rindex", find_last),
    ("strstr", find_text),
    ("strspn", |cpu, o| span(cpu, o, "strspn", true, false)),
    ("strcspn", |cpu, o| span(cpu, o, "strcspn", false, false)),
    ("strpbrk", |cpu, o| span(cpu, o, "strpbrk", false, true)),
    ("memchr", |cpu, o| find_byte(cpu, o, "memchr", number(o, 2, "memchr")?)),
    ("rawmemchr", |cpu, o| find_byte(cpu, o, "rawmemchr", u64::MAX)),
    ("__rawmemchr", |cpu, o| find_byte(cpu, o, "rawmemchr", u64::MAX)),
    ("memrchr", find_last_byte),
    ("__memrchr", find_last_byte),
    ("strdup", |cpu, o| duplicate(cpu, o, "strdup", u64::MAX)),
    ("__strdup", |cpu, o| duplicate(cpu, o, "strdup", u64::MAX)),
    ("strndup", |cpu, o| duplicate(cpu, o, "strndup", number(o, 1, "strndup")?)),
    ("__strndup", |cpu, o| duplicate(cpu, o, "strndup", number(o, 1, "strndup")?)),
];

type Outcome = Result<Option<Value>>;

/// Bytes that a native function reads or writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub place: Place,
    pub len: u32,
    pub write: bool,
}

impl Span {
    fn overlaps(self, other: Span) -> bool {
        let (a, b) = (self.place.at, other.place.at);
        self.place.object == other.place.object && a < b + other.len && b < a + self.len
    }
}

/// All that a native function does with memory is one thing that others may notice. Nothing may be
/// changed before this, for it may end the step.
pub(super) fn touch_all(cpu: &mut Cpu<'_>, spans: &[Span]) -> Result<()> {
    cpu.touch_all(spans.iter().map(|span| (span.place, span.len, span.write)))
}

/// The place that a function is about to write, which must not be one that it reads.
pub(super) fn target(
    cpu: &Cpu<'_>,
    pointer: Value,
    len: usize,
    reads: &[Span],
    what: &str,
) -> Result<Span> {
    let place = cpu.resolve(pointer, len as u64, true)?;
    let span = Span { place, len: len as u32, write: true };
    if reads.iter().any(|read| read.len > 0 && read.overlaps(span)) {
        return Err(trap("bounds", format!("{what} between places that overlap")).into());
    }
    Ok(span)
}

/// Writes bytes to a place that was checked and touched.
pub(super) fn store(cpu: &mut Cpu<'_>, place: Place, bytes: &[u8]) {
    let len = bytes.len() as u32;
    if len == 0 {
        return;
    }
    cpu.remember(place, len);
    let width = cpu.program.pointer.into();
    if let Some(object) = cpu.work.object_mut(place.object) {
        let range = place.at as usize..place.at as usize + bytes.len();
        object.bytes[range.clone()].copy_from_slice(bytes);
        object.set_undef(range, &vec![0; bytes.len()]);
        object.forget_pointers(place.at, len, width);
    }
}

/// Some bytes further on.
fn offset(pointer: Value, by: usize) -> Value {
    Value { bits: pointer.bits.wrapping_add(by as u64), ..pointer }
}

/// One byte at an index, with all checks.
fn byte(cpu: &Cpu<'_>, pointer: Value, index: usize, what: &str) -> Result<u8> {
    let place = cpu.resolve(offset(pointer, index), 1, false)?;
    let [value, _] = cpu.read(place, crate::value::Scalar::Int(8))?;
    known(value, &what)
}

fn known(value: Value, what: &dyn Display) -> Result<u8> {
    if value.undef != 0 {
        return Err(trap("uninitialised", format!("{what} reads an uninitialised byte")).into());
    }
    if value.object != 0 {
        return Err(pointer_bytes(what).into());
    }
    Ok(value.bits as u8)
}

fn pointer_bytes(what: &dyn Display) -> Trap {
    trap(UNSUPPORTED, format!("{what} reads the bytes of a pointer"))
}

/// Reads at most `most` bytes, up to and with the first that `last` wants.
pub(super) fn scan(
    cpu: &Cpu<'_>,
    pointer: Value,
    most: u64,
    what: &dyn Display,
    mut last: impl FnMut(u8) -> bool,
) -> Result<(Vec<u8>, Span)> {
    let mut bytes = Vec::new();
    if most == 0 {
        return Ok((bytes, Span { place: Place { object: 0, at: 0 }, len: 0, write: false }));
    }
    let place = cpu.resolve(pointer, 1, false)?;
    let start = place.at as usize;
    if let Some(object) = cpu.object(place.object) {
        let there = object.bytes.get(start..).unwrap_or_default();
        let width = u32::from(cpu.program.pointer);
        for (index, byte) in there.iter().enumerate() {
            let mut byte = *byte;
            if !object.undef.is_empty() || !object.pointers.is_empty() {
                let at = place.at + index as u32;
                byte = known(object.load(at, 1, width).ok_or_else(|| pointer_bytes(what))?, what)?;
            }
            bytes.push(byte);
            if last(byte) || bytes.len() as u64 == most {
                let span = Span { place, len: bytes.len() as u32, write: false };
                return Ok((bytes, span));
            }
        }
    }
    // There is no end in this object: the read of the byte behind it is the fault.
    cpu.resolve(offset(pointer, bytes.len()), 1, false)?;
    Err(trap("bounds", format!("{what} reads beyond the end of an object")).into())
}

/// The bytes of a string, without its end, of which at most `most` are read.
pub(super) fn text(
    cpu: &Cpu<'_>,
    pointer: Value,
    most: u64,
    what: &dyn Display,
) -> Result<(Vec<u8>, Span)> {
    let (mut bytes, span) = scan(cpu, pointer, most, what, |byte| byte == 0)?;
    bytes.pop_if(|last| *last == 0);
    Ok((bytes, span))
}

fn length(cpu: &mut Cpu<'_>, operands: &[Operand], most: u64) -> Outcome {
    let (bytes, span) = text(cpu, arg(operands, 0), most, &"strlen")?;
    touch_all(cpu, &[span])?;
    Ok(Some(Value::number(bytes.len() as u64)))
}

fn copy(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, end: bool) -> Outcome {
    let to = arg(operands, 0);
    let (bytes, from) = scan(cpu, arg(operands, 1), u64::MAX, &what, |byte| byte == 0)?;
    let target = target(cpu, to, bytes.len(), &[from], what)?;
    touch_all(cpu, &[from, target])?;
    store(cpu, target.place, &bytes);
    Ok(Some(if end { offset(to, bytes.len() - 1) } else { to }))
}

/// `strncpy`: always writes all `n` bytes.
fn copy_padded(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, end: bool) -> Outcome {
    let (to, size) = (arg(operands, 0), number(operands, 2, what)?);
    if size == 0 {
        return Ok(Some(to));
    }
    let (mut bytes, from) = text(cpu, arg(operands, 1), size, &what)?;
    // Before the padding is made, which may be of any size.
    let place = cpu.resolve(to, size, true)?;
    let result = if end { offset(to, bytes.len()) } else { to };
    bytes.resize(size as usize, 0);
    let target = target(cpu, to, bytes.len(), &[from], what)?;
    touch_all(cpu, &[from, target])?;
    store(cpu, place, &bytes);
    Ok(Some(result))
}

fn append(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, most: u64) -> Outcome {
    let to = arg(operands, 0);
    let (old, end) = text(cpu, to, u64::MAX, &what)?;
    let (mut bytes, from) = text(cpu, arg(operands, 1), most, &what)?;
    bytes.push(0);
    let target = target(cpu, offset(to, old.len()), bytes.len(), &[from], what)?;
    touch_all(cpu, &[end, from, target])?;
    store(cpu, target.place, &bytes);
    Ok(Some(to))
}

fn compare(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, most: u64, fold: bool) -> Outcome {
    let (a, b) = (arg(operands, 0), arg(operands, 1));
    let (mut order, mut read) = (Ordering::Equal, 0);
    while (read as u64) < most {
        let (mut x, mut y) = (byte(cpu, a, read, what)?, byte(cpu, b, read, what)?);
        if fold {
            (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
        }
        read += 1;
        order = x.cmp(&y);
        if order != Ordering::Equal || x == 0 {
            break;
        }
    }
    if read > 0 {
        let len = read as u32;
        let spans = [cpu.resolve(a, len.into(), false)?, cpu.resolve(b, len.into(), false)?]
            .map(|place| Span { place, len, write: false });
        touch_all(cpu, &spans)?;
    }
    Ok(Some(Value::number(u64::from(order as i32 as u32))))
}

/// `strchr`; `or_end`: the end of the string rather than nothing.
fn find(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, or_end: bool) -> Outcome {
    let (start, wanted) = (arg(operands, 0), number(operands, 1, what)? as u8);
    let (bytes, span) = scan(cpu, start, u64::MAX, &what, |byte| byte == wanted || byte == 0)?;
    touch_all(cpu, &[span])?;
    let found = or_end || bytes.last() == Some(&wanted);
    Ok(Some(if found { offset(start, bytes.len() - 1) } else { Value::NULL }))
}

fn at_or_null(start: Value, at: Option<usize>) -> Outcome {
    Ok(Some(at.map_or(Value::NULL, |at| offset(start, at))))
}

fn find_last(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (start, wanted) = (arg(operands, 0), number(operands, 1, "strrchr")? as u8);
    let (bytes, span) = scan(cpu, start, u64::MAX, &"strrchr", |byte| byte == 0)?;
    touch_all(cpu, &[span])?;
    at_or_null(start, bytes.iter().rposition(|byte| *byte == wanted))
}

fn find_text(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let start = arg(operands, 0);
    let (hay, hay_span) = text(cpu, start, u64::MAX, &"strstr")?;
    let (needle, needle_span) = text(cpu, arg(operands, 1), u64::MAX, &"strstr")?;
    touch_all(cpu, &[hay_span, needle_span])?;
    let at = (0..=hay.len()).find(|at| hay[*at..].starts_with(&needle));
    at_or_null(start, at)
}

/// How many bytes at the beginning are among the given ones, or are not.
fn span(
    cpu: &mut Cpu<'_>,
    operands: &[Operand],
    what: &str,
    accept: bool,
    pointer: bool,
) -> Outcome {
    let start = arg(operands, 0);
    let (set, set_span) = text(cpu, arg(operands, 1), u64::MAX, &what)?;
    let (bytes, span) =
        scan(cpu, start, u64::MAX, &what, |byte| byte == 0 || set.contains(&byte) != accept)?;
    touch_all(cpu, &[set_span, span])?;
    let count = bytes.len() - 1;
    if pointer {
        return at_or_null(start, (bytes[count] != 0).then_some(count));
    }
    Ok(Some(Value::number(count as u64)))
}

fn find_byte(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, most: u64) -> Outcome {
    let (start, wanted) = (arg(operands, 0), number(operands, 1, what)? as u8);
    let (bytes, span) = scan(cpu, start, most, &what, |byte| byte == wanted)?;
    touch_all(cpu, &[span])?;
    at_or_null(start, bytes.iter().position(|byte| *byte == wanted))
}

fn find_last_byte(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (start, wanted) = (arg(operands, 0), number(operands, 1, "memrchr")? as u8);
    let size = number(operands, 2, "memrchr")?;
    if size == 0 {
        return Ok(Some(Value::NULL));
    }
    cpu.resolve(start, size, false)?;
    let (mut at, mut found) = (size as usize, false);
    while at > 0 && !found {
        at -= 1;
        found = byte(cpu, start, at, "memrchr")? == wanted;
    }
    let len = size as usize - at;
    let place = cpu.resolve(offset(start, at), len as u64, false)?;
    touch_all(cpu, &[Span { place, len: len as u32, write: false }])?;
    at_or_null(start, found.then_some(at))
}

fn duplicate(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, most: u64) -> Outcome {
    let (mut bytes, span) = text(cpu, arg(operands, 0), most, &what)?;
    bytes.push(0);
    touch_all(cpu, &[span])?;
    allocate(cpu, &bytes)
}

/// Memory as from `malloc`, with these contents; or NULL.
pub(super) fn allocate(cpu: &mut Cpu<'_>, bytes: &[u8]) -> Outcome {
    let pointer = new_object(cpu, Kind::Heap, bytes.len() as u64, true)?;
    if let Some(pointer) = pointer.filter(|pointer| !pointer.is_null()) {
        store(cpu, Place { object: pointer.object, at: 0 }, bytes);
    }
    Ok(pointer)
}
