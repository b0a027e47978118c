//! One verb per file.

pub mod check;
pub mod draw;
pub mod ltl;
pub mod shell;
pub mod simulate;
mod temporal;

use crate::args::{Arguments, Verb};
use crate::exit::{Exit, Failure};

pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Check(verb) => verb.start(),
        Verb::Simulate(verb) => verb.start(),
        Verb::Draw(verb) => verb.start(),
        Verb::Ltl(verb) => verb.start(),
        Verb::Completions(verb) => Ok(verb.start()),
        Verb::Man(verb) => verb.start(),
    }
}
