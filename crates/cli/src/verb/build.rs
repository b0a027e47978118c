//! `auspex build`: compiles an LF program to a file that can be run and checked.

use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::{lf, output};
use auspex_system::SourceMap;
use clap::Args;
use std::path::PathBuf;

/// Compile an LF program: what is checked is what runs, byte for byte.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex build buffer.lf                         writes buffer.lfo
  auspex check buffer.lfo && auspex run buffer.lfo")]
pub struct Build {
    #[command(flatten)]
    source: Source,

    /// Where the compiled program goes [default: FILE.lfo]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Build {
    pub fn start(self) -> Result<Exit, Failure> {
        lf::must_be_lf(self.source.file())?;
        let mut sources = SourceMap::default();
        let (program, object) = lf::read(&self.source, &mut sources)?;
        if let Some(program) = program {
            output::diagnostics(&program.warnings, &sources);
        }
        let path = self.output.unwrap_or_else(|| self.source.file().with_extension(lf::OBJECT));
        let bytes = auspex_lf::write_object(&object);
        crate::traces::replace(&path, &bytes).map_err(|failure| {
            Failure::wrong(format!("cannot write `{}`: {failure}", path.display()))
        })?;
        let (code, size) = (object.code_len(), bytes.len());
        output::note(&format!("wrote {}: {code} operations, {size} bytes", path.display()));
        for shared in object.shared_variables() {
            output::note(&format!("`{shared}` is shared by concurrent processes"));
        }
        Ok(Exit::Good)
    }
}
