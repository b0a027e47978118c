//! `auspex slice`: what of an LF program matters.

use crate::exit::{Exit, Failure};
use crate::input::{Program, Source};
use crate::lf::{self, Part};
use crate::output;
use clap::Args;

/// Print what of an LF program its assertions depend on
///
/// With --property or --ltl: what of it they depend on; then only assignments are left out, so that every step stays.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex slice program.lf                   for all assertions
  auspex slice program.lf --line 38         for the assertion in line 38
  auspex slice program.lf --property Alive  for a PROPERTY
  auspex check program.lf --slice           check the slice, and the program where that does not decide")]
pub struct Slice {
    #[command(flatten)]
    source: Source,

    /// Only the assertion in this line (may be repeated)
    #[arg(long, value_name = "LINE", conflicts_with_all = ["property", "ltl"])]
    line: Vec<u32>,

    /// For this PROPERTY (may be repeated)
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,

    /// For this LTL formula (may be repeated)
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
}

impl Slice {
    pub fn start(self) -> Result<Exit, Failure> {
        if self.source.file().extension().is_none_or(|extension| extension != lf::SOURCE) {
            return Err(Failure::wrong("`auspex slice` is for the text of LF programs (.lf)"));
        }
        let mut whole = lf::open(&self.source)?;
        let known = whole.program.property_names();
        if let Some(unknown) = self.property.iter().find(|name| !known.contains(name)) {
            return Err(Failure::wrong(format!(
                "there is no PROPERTY `{unknown}`; this program has: {}",
                known.join(", ")
            )));
        }
        let part = match self.property.is_empty() && self.ltl.is_empty() {
            true => Part::Assertions { lines: &self.line },
            false => Part::Runs { properties: self.property.clone(), formulas: &self.ltl },
        };
        let slice = lf::slice(&mut whole, &part)?;
        let text = slice.program.text().unwrap_or_default();
        output::product(text.as_bytes())?;
        // The others are about checking it.
        slice.program.remarks().iter().take(1).for_each(|remark| output::note(remark));
        Ok(Exit::Good)
    }
}
