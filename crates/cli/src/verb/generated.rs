//! `auspex generate --threads --check`: the program that was generated, on every schedule, and what it prints beside what
//! the model can print.

use super::check::{self, Check};
use crate::exit::{self, Exit, Failure};
use crate::input::{Engine, Input, Labels, Program, Temporal};
use crate::{interrupt, program};
use auspex_generate::c::threads;
use auspex_generate::inclusion::Inclusion;
use auspex_machine::Machine;
use auspex_process::Model;
use auspex_report::{PropertyResult, Reason};
use auspex_search::Control;
use auspex_system::{Diagnostic, Location, SourceMap};
use clap::{Args, Parser};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Flags for the check of what was generated.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Check")]
pub struct CheckFlags {
    /// Check the program on every schedule, and that it prints only what the model can print
    #[arg(long, requires = "threads")]
    pub check: bool,

    /// For people, or one JSON object for programs
    #[arg(long, requires = "check", value_name = "FORMAT", value_parser = ["human", "json"])]
    format: Option<String>,

    /// Only the result
    #[arg(long, requires = "check")]
    quiet: bool,

    /// More flags of `auspex check`
    #[arg(last = true, requires = "check", value_name = "CHECK FLAGS")]
    more: Vec<String>,
}

impl CheckFlags {
    /// Does standard output belong to a program that reads it?
    pub fn is_json(&self) -> bool {
        self.format.as_deref() == Some("json")
    }

    /// The same as flags of `auspex check`.
    pub fn check(&self, directory: &Path, name: &str) -> Result<Check, Failure> {
        let file = |name: &str| directory.join(name).into_os_string();
        let program = format!("{}.c", threads::program_name(name));
        let mut words = vec!["check".into(), file(&program)];
        words.extend(threads::sources().map(|source| file(&source)));
        // What the code of a specification calls need not be known, as long as it is not called.
        words.extend(["--allow", "undefined", "-I"].map(Into::into));
        words.push(file(threads::LIBRARY));
        if let Some(format) = &self.format {
            words.extend(["--format".into(), format.into()]);
        }
        if self.quiet {
            words.push("--quiet".into());
        }
        words.extend(self.more.iter().map(Into::into));
        // Arithmetic is that of the model, which wraps around.
        words.extend(["--", "-std=c11", "-fwrapv"].map(Into::into));
        let command = Command::try_parse_from(words);
        let why = |error: clap::Error| {
            let text = error.to_string();
            Failure::wrong(text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_string())
        };
        command.map(|command| command.check).map_err(why)
    }
}

#[derive(Parser)]
#[command(name = "--check")]
struct Command {
    #[command(flatten)]
    check: Check,
}

/// States of the model that are looked at, at most.
const MOST_STATES: usize = 2_000_000;

/// Checks the program of this name in a directory against the model.
pub fn start(
    flags: &CheckFlags,
    directory: &Path,
    name: &str,
    model: Model,
) -> Result<Exit, Failure> {
    let check = flags.check(directory, name)?;
    let Input { source, sources, hashes, program } = program::open(check.source())?;
    let (machine, warnings) = program.with_output();
    let product = Inclusion::new(machine, model, MOST_STATES).with_library(threads::LIBRARY);
    let input = Input { source, sources, hashes, program: Generated { product, warnings } };
    if !check.is_quiet() {
        input.print_warnings();
    }
    let control = Arc::new(Control::default());
    interrupt::install(&control);
    let result = check::safety(&check, &input, &control)?;
    let results = vec![PropertyResult { property: "program".to_string(), ..result }];
    let exit = exit::of_results(&results);
    check::print(&check, &input, results, exit);
    Ok(exit)
}

/// A program that is followed by its model.
struct Generated {
    product: Inclusion<Machine>,
    warnings: Vec<Diagnostic>,
}

impl Program for Generated {
    type Model = Inclusion<Machine>;
    type Fast<'p> = &'p Inclusion<Machine>;

    fn model(&self) -> &Inclusion<Machine> {
        &self.product
    }

    fn fast<'p>(
        &'p self,
        model: &'p Inclusion<Machine>,
        _: Option<Engine>,
    ) -> Result<&'p Inclusion<Machine>, Failure> {
        Ok(model)
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn unchecked(&self) -> Vec<(String, Location)> {
        Vec::new()
    }

    fn caveat(&self) -> Option<Reason> {
        let sampled = self.product.program().options.sampled.load(Relaxed);
        let limited = self.product.is_at_its_limit().then_some(Reason::States);
        limited.or(sampled.then_some(Reason::Nondet))
    }

    fn remarks(&self) -> Vec<String> {
        let states = self.product.states();
        vec![format!("all that it prints was compared with {states} states of the model")]
    }

    fn temporal(&self) -> Vec<Temporal<'_>> {
        Vec::new()
    }

    fn add_ltl(&mut self, _: &mut SourceMap, _: &str) -> Result<(), Vec<Diagnostic>> {
        Err(vec![Diagnostic::general("check formulas on the model, with auspex check")])
    }

    fn add_labels(&mut self, _: Labels) -> Result<(), Failure> {
        Err(Failure::wrong("accept and progress labels are those of the model"))
    }

    fn watch(&mut self, _: &mut SourceMap, _: &str) -> Result<(), Vec<Diagnostic>> {
        Err(vec![Diagnostic::general("--watch is for models: it is not there for programs yet")])
    }
}
