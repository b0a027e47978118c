//! Standard output and standard error. A reader that went away is no error: the verdict stands,
//! and so does the exit code.

use crate::exit::Failure;
use auspex_report::render_diagnostic;
use auspex_system::{Diagnostic, SourceMap};
use std::io::{self, IsTerminal, Write};

/// Writes the result; colours only where a terminal wants them.
pub fn result(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = io::BufWriter::new(anstream::stdout());
    let written = write(&mut out).and_then(|()| out.flush());
    if let Err(failure) = written
        && failure.kind() != io::ErrorKind::BrokenPipe
    {
        error(&format!("cannot write the result: {failure}"));
    }
    // What is left in the buffer cannot be written either.
    drop(out.into_parts());
}

/// Writes what was asked for: the command has failed if that cannot be done.
pub fn product(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => Err(cannot_write(&failure)),
        _ => Ok(()),
    }
}

pub fn cannot_write(failure: &io::Error) -> Failure {
    Failure::wrong(format!("cannot write to standard output: {failure}"))
}

pub fn error(message: &str) {
    say("\u{1b}[1;31merror\u{1b}[0m", message);
}

pub fn warning(message: &str) {
    say("\u{1b}[1;33mwarning\u{1b}[0m", message);
}

pub fn note(message: &str) {
    say("\u{1b}[1mnote\u{1b}[0m", message);
}

fn say(kind: &str, message: &str) {
    let _ = writeln!(anstream::stderr(), "{kind}: {message}");
}

pub fn diagnostics(diagnostics: &[Diagnostic], sources: &SourceMap) {
    let mut out = anstream::stderr();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{}", render_diagnostic(diagnostic, sources));
    }
}

/// Columns of the terminal; a generous width where there is none.
pub fn width() -> usize {
    let generous = 160;
    if !io::stdout().is_terminal() {
        return generous;
    }
    terminal_size::terminal_size().map_or(generous, |(width, _)| usize::from(width.0))
}
