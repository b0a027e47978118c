//! One verb per file.

pub mod build;
pub mod check;
pub mod close;
pub mod draw;
pub mod generate;
mod generated;
pub mod ltl;
pub mod run;
pub mod shell;
pub mod simulate;
pub mod slice;
mod sliced;
mod temporal;

use crate::args::{Arguments, Verb};
use crate::exit::{Exit, Failure};

pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Check(verb) => verb.start(),
        Verb::Run(verb) => verb.start(),
        Verb::Build(verb) => verb.start(),
        Verb::Simulate(verb) => verb.start(),
        Verb::Draw(verb) => verb.start(),
        Verb::Generate(verb) => verb.start(),
        Verb::Ltl(verb) => verb.start(),
        Verb::Slice(verb) => verb.start(),
        Verb::Close(verb) => verb.start(),
        Verb::Completions(verb) => Ok(verb.start()),
        Verb::Man(verb) => verb.start(),
    }
}
