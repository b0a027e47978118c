//! `auspex close`: an environment for an open LF program.

use super::draw::deliver;
use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::{lf, output};
use clap::Args;
use std::path::PathBuf;

/// Write an environment for an open LF program: one that can do anything
///
/// It serves ports that nobody gives a channel, raises interrupts, and answers PORTIN and PORTOUT. The result is an LF module
/// that can be refined, and that closes the program.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex close driver.lf -o driver_env.lf   write it
  auspex check driver.lf driver_env.lf      check the program with it")]
pub struct Close {
    #[command(flatten)]
    source: Source,

    /// Where the environment goes [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Close {
    pub fn start(self) -> Result<Exit, Failure> {
        if self.source.file().extension().is_none_or(|extension| extension != lf::SOURCE) {
            return Err(Failure::wrong("`auspex close` is for the text of LF programs (.lf)"));
        }
        let input = lf::open(&self.source)?;
        let Some(environment) = input.program.environment() else {
            output::note("the program is closed: nothing is missing, nothing was written");
            return Ok(Exit::Good);
        };
        environment.left_open.iter().for_each(|it| output::warning(&format!("left open: {it}")));
        deliver(self.output.as_deref(), environment.text.as_bytes())?;
        Ok(Exit::Good)
    }
}
