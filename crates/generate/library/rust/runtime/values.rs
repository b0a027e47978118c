//! Numbers as Promela has them, and what happens when something goes wrong.
//!
//! All values are `i32`. Arithmetic wraps around; a value is cut to its type when it is stored.

use std::cell::Cell;
use std::fmt::Display;
use std::io::Write;
use std::sync::OnceLock;

/// Where a statement stands in the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Nothing: in the file that the program was made from.
    pub file: Option<&'static str>,
    pub line: u32,
    /// A process may stop here: the statement has a label that begins with `end`.
    pub is_end: bool,
}

impl From<u32> for Place {
    fn from(line: u32) -> Place {
        Place { line, ..Place::default() }
    }
}

/// A place where a process may stop.
pub const fn end(line: u32) -> Place {
    Place { file: None, line, is_end: true }
}

/// A place in a file that was included.
pub const fn included(file: &'static str, line: u32) -> Place {
    Place { file: Some(file), line, is_end: false }
}

impl Place {
    /// The same, but a process may stop here.
    pub const fn end(self) -> Place {
        Place { is_end: true, ..self }
    }
}

thread_local! {
    static HERE: Cell<Place> = const { Cell::new(Place { file: None, line: 0, is_end: false }) };
}

static FILE: OnceLock<&'static str> = OnceLock::new();

/// Says which file the program was made from.
pub fn set_file(file: &'static str) {
    FILE.get_or_init(|| file);
}

/// From here on, messages speak of this place.
pub fn set_place(place: Place) {
    HERE.set(place);
}

/// `file:line`
pub fn describe(place: Place) -> String {
    let file = place.file.or(FILE.get().copied()).unwrap_or_default();
    match place.line {
        // Before the first statement.
        0 => file.to_string(),
        line => format!("{file}:{line}"),
    }
}

/// Ends the program: something went wrong at the current statement.
#[cold]
pub fn fault(message: impl Display) -> ! {
    quit(1, format_args!("{}: {message}\n", describe(HERE.get())))
}

/// Ends the program, with a message if it is not empty.
pub fn quit(code: i32, message: impl Display) -> ! {
    // Nothing can be done about output that cannot be written.
    let _ = std::io::stdout().flush();
    let _ = write!(std::io::stderr(), "{message}");
    std::process::exit(code)
}

/// A panic in code of the specification ends the whole program, like every other mistake.
pub fn catch_panics() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let owned = payload.downcast_ref::<String>().map(String::as_str);
        let text = owned.or(payload.downcast_ref::<&str>().copied()).unwrap_or("panic");
        let at = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
        fault(format_args!("{text}{at}"))
    }));
}

/// Prints what a `printf` of the specification says.
pub fn output(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()) {
        quit(1, format_args!("cannot print: {error}\n"));
    }
}

/// Something that implementation code says is true or false: a `bool` or an `i32`.
pub fn truth(value: impl Into<i32>) -> bool {
    value.into() != 0
}

pub fn assert(condition: bool, text: &str) {
    if !condition {
        fault(format_args!("assertion violated: {text}"));
    }
}

// What is left of a value that is stored.

pub fn bit(value: i32) -> i32 {
    value & 1
}

pub fn byte(value: i32) -> i32 {
    value & 0xff
}

pub fn short(value: i32) -> i32 {
    i32::from(value as i16)
}

/// `unsigned x : width`
pub fn unsigned(value: i32, width: u32) -> i32 {
    if width >= 32 { value } else { value & ((1u32 << width) - 1) as i32 }
}

// Operators that are more than those of Rust.

pub fn divide(a: i32, b: i32) -> i32 {
    match b {
        0 => fault("division by zero"),
        _ => a.wrapping_div(b),
    }
}

pub fn remainder(a: i32, b: i32) -> i32 {
    match b {
        0 => fault("division by zero"),
        _ => a.wrapping_rem(b),
    }
}

/// The place of an element in an array with `length` elements.
pub fn index(value: i32, length: usize) -> usize {
    match usize::try_from(value) {
        Ok(index) if index < length => index,
        _ => fault(format_args!("index {value} of an array of {length} elements")),
    }
}

/// `%u`
pub fn natural(value: i32) -> u32 {
    value as u32
}

/// `%c`
pub fn character(value: i32) -> char {
    char::from(value as u8)
}

/// `%e`: the name of a symbolic constant; `names` are those of 1, 2, ...
pub fn symbol(names: &[&str], value: i32) -> String {
    let name = usize::try_from(value).ok().and_then(|v| names.get(v.checked_sub(1)?));
    name.map_or_else(|| value.to_string(), |name| name.to_string())
}
