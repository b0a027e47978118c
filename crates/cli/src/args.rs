//! The command line as a whole; each verb's own flags are in its file.

use crate::verb::{build, check, close, draw, generate, ltl, run, shell, simulate, slice};
use clap::{Parser, Subcommand};

/// Checks whether a concurrent program or model can go wrong, on any schedule.
///
/// Tries every behaviour, and either says that the property holds or shows, step by step, how it
/// breaks.
#[derive(Debug, Parser)]
#[command(name = "auspex", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  auspex check peterson.pml                      does it hold?
  auspex simulate peterson.pml                   walk it by hand
  auspex draw peterson.pml -o states.svg         see it
  auspex run prodcons.lf                         run an LF program

Exit codes:
  0  everything holds (or was done)
  1  a violation was found
  2  the input or the call is wrong
  3  nothing was found, but the search was not complete
  4  Auspex itself is wrong";

#[derive(Debug, Subcommand)]
pub enum Verb {
    Check(check::Check),
    Simulate(simulate::Simulate),
    Draw(draw::Draw),
    Run(run::Run),
    Build(build::Build),
    Generate(generate::Generate),
    Ltl(ltl::Ltl),
    Slice(slice::Slice),
    Close(close::Close),
    Completions(shell::Completions),
    Man(shell::Man),
}

pub fn parse() -> Arguments {
    Arguments::parse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
