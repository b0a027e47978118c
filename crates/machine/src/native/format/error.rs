//! The text of `errno`, for `perror` and `%m`.

use crate::code::{Arg, Code};
use crate::exec::{Cpu, Place};
use crate::value::Scalar;

/// As in the runtime library.
const MESSAGES: &[(u32, &str)] = &[
    (0, "Success"),
    (1, "Operation not permitted"),
    (2, "No such file or directory"),
    (3, "No such process"),
    (4, "Interrupted system call"),
    (5, "Input/output error"),
    (9, "Bad file descriptor"),
    (11, "Resource temporarily unavailable"),
    (12, "Cannot allocate memory"),
    (13, "Permission denied"),
    (16, "Device or resource busy"),
    (17, "File exists"),
    (22, "Invalid argument"),
    (28, "No space left on device"),
    (33, "Numerical argument out of domain"),
    (34, "Numerical result out of range"),
    (35, "Resource deadlock avoided"),
    (38, "Function not implemented"),
    (75, "Value too large for defined data type"),
    (110, "Connection timed out"),
    (130, "Owner died"),
    (131, "State not recoverable"),
];

pub fn message(cpu: &Cpu<'_>) -> &'static str {
    let number = number(cpu);
    let known = MESSAGES.iter().find(|(known, _)| *known == number);
    known.map_or("Unknown error", |(_, text)| text)
}

/// The value of `errno` is in a thread-local variable of the runtime: the one whose address
/// `__errno_location` gives.
fn number(cpu: &Cpu<'_>) -> u32 {
    let function = cpu.program.functions.iter().find(|f| f.name == "__errno_location");
    let index =
        function.into_iter().flat_map(|function| &function.code).find_map(|code| match code {
            Code::Copy { a: Arg::ThreadLocal(index), .. } => Some(*index),
            Code::Return(values) => values.iter().find_map(|value| match value {
                Arg::ThreadLocal(index) => Some(*index),
                _ => None,
            }),
            _ => None,
        });
    // A variable that was never used is not there yet, and 0.
    let object = index.and_then(|index| cpu.thread.locals.get(index as usize)).copied();
    let Some(object) = object.filter(|id| *id != 0) else { return 0 };
    match cpu.read(Place { object, at: 0 }, Scalar::Int(32)) {
        Ok([value, _]) => value.bits as u32,
        Err(_) => 0,
    }
}
