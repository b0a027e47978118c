//! What shells and `man` read, made from the definitions of the flags.

use crate::args::Arguments;
use crate::exit::{Exit, Failure};
use crate::output;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::{Path, PathBuf};

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex completions bash > ~/.local/share/bash-completion/completions/auspex
  auspex completions zsh > ~/.zfunc/_auspex
  auspex completions fish > ~/.config/fish/completions/auspex.fish")]
pub struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write one page for each verb.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex man | man -l -
  auspex man --dir ~/.local/share/man/man1")]
pub struct Man {
    /// Write auspex.1, auspex-check.1, ... into this directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Completions {
    pub fn start(self) -> Exit {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "auspex", &mut text);
        output::result(|out| out.write_all(&text));
        Exit::Good
    }
}

impl Man {
    pub fn start(self) -> Result<Exit, Failure> {
        match &self.dir {
            Some(dir) => write_pages(dir)?,
            None => output::result(|out| {
                let mut page = Vec::new();
                clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
                out.write_all(&page)
            }),
        }
        Ok(Exit::Good)
    }
}

fn write_pages(dir: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(dir)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), dir))
        .map_err(|failure| {
            Failure::wrong(format!("cannot write the pages to `{}`: {failure}", dir.display()))
        })
}
