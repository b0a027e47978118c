//! The `auspex` command. Everything it does is a verb (`verb/`); how it ends is decided in `exit`.
#![forbid(unsafe_code)]

mod args;
mod exit;
mod input;
mod interrupt;
mod lf;
mod output;
mod program;
mod progress;
mod size;
mod story;
mod traces;
mod verb;
mod walk;

use std::process::ExitCode;

fn main() -> ExitCode {
    exit::guard(|| verb::run(args::parse()))
}
