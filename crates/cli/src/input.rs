//! From a file to something that can be checked: the choice of the front end.

use crate::exit::{Exit, Failure};
use crate::program::{self, ProgramFlags};
use crate::{lf, output, traces};
use auspex_ltl::Automaton;
use auspex_promela::{self as promela, PropertyKind};
use auspex_report::{Reason, SourceHash, TraceFile};
use auspex_system::{Diagnostic, Location, SourceMap, System};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// What is to be read, and with what settings.
#[derive(Args, Clone, Debug, Default)]
pub struct Source {
    /// A model (.pml, .pch), the files of a program (.c, .i, .ll, .bc), or LF (.lf, .lfo) and what closes it
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Define a macro, as a C preprocessor would
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Source")]
    pub defines: Vec<String>,

    /// Look for included files here too
    #[arg(short = 'I', value_name = "DIR", help_heading = "Source")]
    pub include_dirs: Vec<PathBuf>,

    #[command(flatten)]
    pub program: ProgramFlags,

    #[command(flatten)]
    pub lf: lf::LfFlags,

    /// For the compiler of a program
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub compiler: Vec<String>,
}

impl Source {
    /// The file that the whole is named after.
    pub fn file(&self) -> &Path {
        self.files.first().map_or(Path::new(""), PathBuf::as_path)
    }
}

/// A program or model that was read.
pub struct Input<P> {
    pub source: Source,
    pub sources: SourceMap,
    /// Of the files as they were read; expressions to watch are no part of it.
    pub hashes: Vec<SourceHash>,
    pub program: P,
}

/// What each front end gives.
pub trait Program {
    type Model: System;
    /// The same system in a form that is faster to search.
    type Fast<'p>: System
    where
        Self: 'p;

    fn model(&self) -> &Self::Model;
    /// `model`, which is one of this program's, as the engine runs it.
    fn fast<'p>(
        &'p self,
        model: &'p Self::Model,
        engine: Option<Engine>,
    ) -> Result<Self::Fast<'p>, Failure>;
    fn warnings(&self) -> &[Diagnostic];
    /// Properties that the file asks for and that cannot be checked yet.
    fn unchecked(&self) -> Vec<(String, Location)>;
    /// Why a search that found nothing may have missed something after all.
    fn caveat(&self) -> Option<Reason> {
        None
    }
    /// What the search noticed and is no fault.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
    /// Can orders of independent steps be left out? `None`: the question makes no sense.
    fn reduction(&self) -> Option<Result<(), &'static str>> {
        None
    }
    /// Properties of infinite runs, in the order in which `Explorer::letter` knows them.
    fn temporal(&self) -> Vec<Temporal<'_>> {
        Vec::new()
    }
    /// The system that a property is about, in steps that are small enough for it.
    fn model_of(&self, property: usize) -> &Self::Model {
        let _ = property;
        self.model()
    }
    /// Why a search for a run that violates a property may have missed one.
    fn caveat_of(&self, property: usize) -> Option<Reason> {
        let _ = property;
        self.caveat()
    }
    /// What went wrong in a property itself since this was asked last, if it is one that can.
    fn trouble_of(&self, property: usize) -> Option<auspex_system::Fault> {
        let _ = property;
        None
    }
    /// Was it always known which propositions of a property hold?
    fn knows_letters_of(&self, property: usize) -> bool {
        let _ = property;
        true
    }
    /// From now on the system moves in steps that are small enough for this formula.
    fn observe(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        let _ = (sources, text);
        Ok(())
    }
    /// Adds a formula to them.
    fn add_ltl(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>>;
    /// Adds what labels of the model say about infinite runs.
    fn add_labels(&mut self, labels: Labels) -> Result<(), Failure>;
    /// Shows the value of an expression with every state.
    fn watch(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>>;
}

/// A property of infinite runs.
pub struct Temporal<'p> {
    pub name: &'p str,
    /// The kind of the fault that a violation is.
    pub kind: &'static str,
    pub message: String,
    pub location: Location,
    /// Accepts the runs that violate it.
    pub automaton: &'p Automaton,
    /// The formula, where the steps of the system depend on it: see [`Program::observe`].
    pub observed: Option<&'p str>,
}

/// How the steps of a system are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Statement by statement: the reference
    Interpreter,
    /// As machine code
    Native,
}

/// Labels that say something about infinite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// No run passes an `accept` label again and again.
    Accept,
    /// Every run passes a `progress` label again and again.
    Progress,
}

/// Something to do with an input of any language.
pub trait Verb {
    fn run<P: Program>(self, input: Input<P>) -> Result<Exit, Failure>;
}

pub const PROMELA: [&str; 5] = ["pml", "prom", "promela", "spin", EXTENDED];
/// Promela with an implementation in it: what is checked is the model.
pub const EXTENDED: &str = "pch";

/// Reads the file with the front end for its extension, and does `verb` with it.
pub fn open(source: &Source, verb: impl Verb) -> Result<Exit, Failure> {
    for file in &source.files {
        readable(file)?;
    }
    let extension = source.file().extension().and_then(|e| e.to_str()).unwrap_or("");
    match extension {
        e if PROMELA.contains(&e) && source.files.len() > 1 => {
            Err(Failure::wrong("one Promela model at a time: a model includes what it needs"))
        }
        e if PROMELA.contains(&e) => verb.run(open_promela(source)?),
        e if program::EXTENSIONS.contains(&e) => verb.run(program::open(source)?),
        lf::SOURCE | lf::OBJECT => verb.run(lf::open(source)?),
        _ => Err(Failure::wrong(format!(
            "cannot tell the language of `{}`: known extensions are {} (Promela), {} (programs), .{}, .{} (LF)",
            source.file().display(),
            PROMELA.map(|e| format!(".{e}")).join(", "),
            program::EXTENSIONS.map(|e| format!(".{e}")).join(", "),
            lf::SOURCE,
            lf::OBJECT,
        ))),
    }
}

/// The usual mistakes, with a better message than a parser could give.
pub fn readable(path: &Path) -> Result<(), Failure> {
    let problem = match std::fs::read(path) {
        Err(_) if path.is_dir() => "it is a directory".to_string(),
        Err(failure) => failure.to_string(),
        Ok(bytes) if bytes.trim_ascii().is_empty() => "the file is empty".to_string(),
        Ok(_) => return Ok(()),
    };
    Err(Failure::wrong(format!("cannot read `{}`: {problem}", path.display())))
}

fn open_promela(source: &Source) -> Result<Input<promela::Loaded>, Failure> {
    let mut sources = SourceMap::default();
    let options = promela_options(source.file(), &source.defines, &source.include_dirs);
    match promela::load(&mut sources, source.file(), &options) {
        Ok(program) => {
            let hashes = traces::hashes(&sources);
            Ok(Input { source: source.clone(), sources, hashes, program })
        }
        Err(diagnostics) => Err(Failure::Source(diagnostics, sources)),
    }
}

/// What the command line says, and the extension of the file.
pub fn promela_options(
    file: &Path,
    defines: &[String],
    include_dirs: &[PathBuf],
) -> promela::Options {
    let defines = defines.iter().map(|define| match define.split_once('=') {
        Some((name, value)) => (name.to_string(), Some(value.to_string())),
        None => (define.clone(), None),
    });
    let reading = match file.extension().is_some_and(|extension| extension == EXTENDED) {
        true => promela::Reading::Model,
        false => promela::Reading::Plain,
    };
    let include_dirs = include_dirs.to_vec();
    promela::Options { defines: defines.collect(), include_dirs, reading }
}

impl Program for promela::Loaded {
    type Model = auspex_process::Model;
    type Fast<'p> = auspex_native::Engine<'p>;

    fn model(&self) -> &Self::Model {
        &self.model
    }

    fn fast<'p>(
        &'p self,
        model: &'p Self::Model,
        engine: Option<Engine>,
    ) -> Result<Self::Fast<'p>, Failure> {
        use auspex_native::Engine as Run;
        if engine == Some(Engine::Interpreter) {
            return Ok(Run::interpreter(model));
        }
        match (Run::native(model), engine) {
            (Ok(native), _) => Ok(native),
            (Err(_), None) => Ok(Run::interpreter(model)),
            (Err(reason), _) => {
                Err(Failure::wrong(format!("there is no machine code for this computer: {reason}")))
            }
        }
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn unchecked(&self) -> Vec<(String, Location)> {
        self.unchecked.iter().map(|block| (block.name.clone(), block.location.clone())).collect()
    }

    fn watch(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        promela::watch(sources, self, text)
    }

    fn reduction(&self) -> Option<Result<(), &'static str>> {
        Some(self.model.cannot_be_reduced().map_or(Ok(()), Err))
    }

    fn temporal(&self) -> Vec<Temporal<'_>> {
        self.properties.iter().map(temporal).collect()
    }

    fn add_ltl(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        promela::add_ltl(sources, self, text)
    }

    fn add_labels(&mut self, labels: Labels) -> Result<(), Failure> {
        match labels {
            Labels::Accept => promela::add_acceptance(self),
            Labels::Progress => promela::add_progress(self),
        }
        Ok(())
    }
}

fn temporal(property: &promela::Property) -> Temporal<'_> {
    let name = &property.name;
    let (kind, message) = match property.kind {
        PropertyKind::Ltl => {
            let formula = property.formula.as_deref().unwrap_or_default();
            ("ltl", format!("a run violates `{name}`: {formula}"))
        }
        PropertyKind::Never => ("never", format!("a run of the model is one of `{name}`")),
        PropertyKind::Acceptance => {
            ("acceptance", "a run passes an accept label again and again".to_string())
        }
        PropertyKind::Progress => {
            ("progress", "a run goes on for ever without passing a progress label".to_string())
        }
    };
    let location = property.location.clone();
    let automaton = &property.automaton;
    Temporal { name, kind, message, location, automaton, observed: None }
}

impl<P: Program> Input<P> {
    /// Adds formulas, and what labels say.
    pub fn add_temporal(&mut self, formulas: &[String], labels: &[Labels]) -> Result<(), Failure> {
        for text in formulas {
            let added = self.program.add_ltl(&mut self.sources, text);
            added.map_err(|errors| Failure::Source(errors, self.sources.clone()))?;
        }
        labels.iter().try_for_each(|labels| self.program.add_labels(*labels))
    }

    /// Makes the system move in the steps that a trace counts.
    pub fn observe(&mut self, trace: &TraceFile) -> Result<(), Failure> {
        let Some(formula) = &trace.formula else { return Ok(()) };
        let observed = self.program.observe(&mut self.sources, formula);
        observed.map_err(|errors| Failure::Source(errors, self.sources.clone()))
    }

    pub fn watch_all(&mut self, expressions: &[String]) -> Result<(), Failure> {
        for text in expressions {
            let watched = self.program.watch(&mut self.sources, text);
            watched.map_err(|errors| Failure::Source(errors, self.sources.clone()))?;
        }
        Ok(())
    }

    pub fn print_warnings(&self) {
        output::diagnostics(self.program.warnings(), &self.sources);
    }
}
