//! `auspex generate`: from a specification to a clean model and to a program.

use super::generated::{self, CheckFlags};
use crate::exit::{Exit, Failure};
use crate::input::{self, EXTENDED, PROMELA};
use crate::output;
use auspex_generate::advice::advice;
use auspex_generate::clean::{Layout, clean, tidy};
use auspex_generate::{File, Language, Target, directory};
use auspex_promela::{self as promela, Reading, ast, parser};
use auspex_system::{Diagnostic, Severity, SourceMap};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Write the clean model and the program that a specification describes
///
/// A specification is Promela (.pml), or Promela with parts that are for the program only (.pch).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex generate spec.pch                  a program for each proctype, with a Makefile
  auspex generate spec.pch --threads        one program with a thread for each process
  auspex generate spec.pch --lang rust      in Rust
  auspex generate spec.pch --model          only the clean model, for Spin
  auspex check spec.pch                     check the model in it")]
pub struct Generate {
    /// The specification (.pch, .pml)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write to this directory, not to the current one
    #[arg(short, value_name = "DIR")]
    output: Option<PathBuf>,

    /// One program in which every process is a thread
    #[arg(long)]
    threads: bool,

    /// The language of the program
    #[arg(long = "lang", value_name = "LANGUAGE", default_value = "c")]
    language: Lang,

    /// Only the clean model, no program
    #[arg(long, conflicts_with_all = ["threads", "language", "strict", "check"])]
    model: bool,

    /// Take warnings for errors
    #[arg(long)]
    strict: bool,

    /// Leave the comments in the clean model
    #[arg(long)]
    keep_comments: bool,

    /// Write the clean model once more, with one empty line in place of many
    #[arg(long)]
    tidy: bool,

    /// Overwrite files that were not generated, or were changed
    #[arg(long)]
    force: bool,

    /// Define a macro, as a C preprocessor would
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Source")]
    defines: Vec<String>,

    /// Look for included files here too
    #[arg(short = 'I', value_name = "DIR", help_heading = "Source")]
    include_dirs: Vec<PathBuf>,

    #[command(flatten)]
    check: CheckFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Lang {
    C,
    Rust,
}

impl Generate {
    pub fn start(self) -> Result<Exit, Failure> {
        let extension = self.file.extension().and_then(|e| e.to_str()).unwrap_or("");
        if !PROMELA.contains(&extension) {
            return Err(Failure::wrong(format!(
                "`auspex generate` is for Promela: a file that ends in .{EXTENDED} or .pml"
            )));
        }
        input::readable(&self.file)?;
        // What is wrong with the call is said before anything is written.
        if self.check.check {
            if self.language != Lang::C {
                return Err(Failure::wrong("--check is for programs in C"));
            }
            self.check.check(&self.directory(), &self.name())?;
        }
        let mut files = self.clean_model()?;
        files.extend(self.implementation()?);
        let directory = self.directory();
        directory::write(&directory, &self.name(), &files, self.force).map_err(Failure::Wrong)?;
        let count = match files.len() {
            1 => "1 file".to_string(),
            n => format!("{n} files"),
        };
        if !self.check.is_json() {
            output::result(|out| writeln!(out, "{count} in {}", directory.display()));
        }
        match self.check.check {
            true => self.check_program(&directory),
            false => Ok(Exit::Good),
        }
    }

    /// The program under every schedule.
    fn check_program(&self, directory: &Path) -> Result<Exit, Failure> {
        let mut sources = SourceMap::default();
        match promela::load(&mut sources, &self.file, &self.options(None)) {
            Ok(loaded) => generated::start(&self.check, directory, &self.name(), loaded.model),
            Err(errors) => Err(Failure::Source(errors, sources)),
        }
    }

    /// That of the file, without its ending.
    fn name(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn directory(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| PathBuf::from("."))
    }

    fn options(&self, reading: Option<Reading>) -> promela::Options {
        let options = input::promela_options(&self.file, &self.defines, &self.include_dirs);
        promela::Options { reading: reading.unwrap_or(options.reading), ..options }
    }

    /// The clean model, and the same once more, tidy.
    fn clean_model(&self) -> Result<Vec<File>, Failure> {
        let mut sources = SourceMap::default();
        let layout = Layout { keep_comments: self.keep_comments, tidy: false };
        let text = clean(&mut sources, &self.file, &self.options(None), layout);
        let text = text.map_err(|errors| Failure::Source(errors, sources))?;
        let file = |extension: &str, contents: String| File {
            path: Path::new(self.file.file_name().unwrap_or_default()).with_extension(extension),
            contents,
        };
        let mut files = Vec::new();
        if self.tidy {
            files.push(file("tidy.prom", tidy(&text)));
        }
        files.push(file("prom", text));
        Ok(files)
    }

    /// The files of the program.
    fn implementation(&self) -> Result<Vec<File>, Failure> {
        let mut sources = SourceMap::default();
        let options = self.options(Some(Reading::Implementation));
        let parsed = match parser::parse_file(&mut sources, &self.file, &options) {
            Ok(parsed) => parsed,
            Err(errors) => return Err(Failure::Source(errors, sources)),
        };
        self.check_model(&parsed.program)?;
        if self.model {
            output::diagnostics(&parsed.warnings, &sources);
            return Ok(Vec::new());
        }
        let language = match self.language {
            Lang::C => Language::C,
            Lang::Rust => Language::Rust,
        };
        let target = Target { language, threads: self.threads };
        let advice = advice(&parsed.program, &sources, &target);
        let sources = self.advise(&parsed.warnings, advice, sources)?;
        let resolved = match target {
            Target { language: Language::C, threads: true } => {
                auspex_generate::resolve_with_priorities(&parsed.program, &self.name())
            }
            _ => auspex_generate::resolve(&parsed.program, &self.name(), &sources),
        };
        let files = match resolved {
            Ok((spec, warnings)) => {
                output::diagnostics(&warnings, &sources);
                let mut left_out = match language {
                    Language::C => Vec::new(),
                    Language::Rust => auspex_generate::rust::left_out(&spec),
                };
                if self.strict && !left_out.is_empty() {
                    left_out.iter_mut().for_each(|it| it.severity = Severity::Error);
                    return Err(Failure::Source(left_out, sources));
                }
                output::diagnostics(&left_out, &sources);
                auspex_generate::generate(&spec, &sources, target)
            }
            Err(errors) => Err(errors),
        };
        files.map_err(|errors| Failure::Source(errors, sources))
    }

    /// The model must be right too, as far as it can be told.
    fn check_model(&self, program: &ast::Program) -> Result<(), Failure> {
        let mut sources = SourceMap::default();
        match promela::load(&mut sources, &self.file, &self.options(None)) {
            Ok(_) => Ok(()),
            Err(_) if auspex_generate::advice::has_plain_code(program) => {
                output::warning("the model has C in it, which only Spin can check");
                Ok(())
            }
            Err(errors) => Err(Failure::Source(errors, sources)),
        }
    }

    fn advise(
        &self,
        warnings: &[Diagnostic],
        mut advice: Vec<Diagnostic>,
        sources: SourceMap,
    ) -> Result<SourceMap, Failure> {
        output::diagnostics(warnings, &sources);
        if self.strict && !advice.is_empty() {
            advice.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Error);
            return Err(Failure::Source(advice, sources));
        }
        output::diagnostics(&advice, &sources);
        Ok(sources)
    }
}
