//! C sources to one linked LLVM module: finds clang, runs it, adds what is needed of the
//! runtime, and says what is missing.
//!
//! Nothing is written beside the user's files; what clang makes stays in memory.
#![forbid(unsafe_code)]

mod cache;
mod clang;
mod compile;
mod environment;
mod flags;
mod input;
mod messages;
mod optimise;
mod program;
mod runtime;
mod source;
mod undefined;

pub use environment::Environment;
pub use source::{SourceFiles, file_of, function_of};

use auspex_llvm::Module;
use auspex_llvm::debug::DebugFileId;
use auspex_llvm::ir::{GlobalId, UnitId};
use auspex_system::{Diagnostic, FileId, SourceMap};
use cache::Cache;
use clang::Clang;
use compile::{Compiler, Problem, Unit, in_parallel};
use flags::UserFlags;
use input::Kind;
use runtime::Library;
use source::Spans;
use std::path::{Path, PathBuf};

/// How the program is to be compiled.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `--clang PATH`.
    pub clang: Option<PathBuf>,
    pub optimise: Optimise,
    /// For clang, after Auspex's own: `-D`, `-I`, and everything after `--`.
    pub flags: Vec<String>,
    /// Functions without a body are no error.
    pub allow_undefined: bool,
    /// Functions of the runtime that the machine calls itself (`exit`, say).
    pub roots: Vec<String>,
    pub environment: Environment,
}

/// How much clang may change the program. What the programmer wrote is checked at `None`;
/// already `One` folds racy reads and spin loops away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimise {
    #[default]
    None,
    One,
    Two,
}

/// A program that can be run: it has a `main`, and what it needs.
#[derive(Debug)]
pub struct Program {
    pub module: Module,
    /// What clang warned of.
    pub warnings: Vec<Diagnostic>,
    /// The source text, by the files of the debug information.
    pub sources: SourceFiles,
    /// Which clang compiled it (`Debian clang version 19.1.7`), if one did.
    pub compiler: Option<String>,
    /// Some of it is what a compiler made of the source by optimising.
    pub optimised: bool,
    first_runtime_unit: UnitId,
}

impl Program {
    /// Whether a function or variable comes from the runtime rather than from the user.
    pub fn is_runtime(&self, global: GlobalId) -> bool {
        self.module[global].unit >= self.first_runtime_unit
    }

    /// Whether a file is part of the runtime.
    pub fn is_runtime_file(&self, file: DebugFileId) -> bool {
        runtime::is_member(Path::new(self.sources.name(file)))
    }
}

/// Compiles and links. `is_native`: functions that the machine itself provides.
///
/// Of several definitions the user's counts, then the machine's, then the runtime's. Files come
/// to be in `sources` under the names that the user gave them: the inputs, and any that a
/// message points into.
pub fn load(
    sources: &mut SourceMap,
    files: &[PathBuf],
    options: &Options,
    is_native: &dyn Fn(&str) -> bool,
) -> Result<Program, Vec<Diagnostic>> {
    let inputs = inputs(files)?;
    let user = UserFlags::sort(&options.flags).map_err(one)?;
    let optimise = user.optimise.unwrap_or(options.optimise);
    let cache = Cache::new(options.environment.cache.clone());
    let clang = clang::find(options.clang.as_deref(), &options.environment, &cache);
    let mut spans = Spans::new(sources);
    let units = compile(&inputs, options, &user, optimise, &clang, &mut spans)?;
    let warnings = units.iter().flat_map(|unit| messages::warnings(&unit.messages, &mut spans));
    let warnings = warnings.collect();
    let modules: Vec<_> = units.into_iter().map(|unit| unit.module).collect();
    let mut units = modules.iter().flat_map(|module| &module.debug.units);
    let optimised = optimise != Optimise::None || units.any(|unit| unit.optimized);
    program::check_duplicates(&modules, &mut spans)?;
    check_main(&modules).map_err(one)?;
    let target = target(user.target, &inputs, &modules);
    let first_runtime_unit = UnitId(modules.iter().map(|module| module.units.len() as u32).sum());
    let library = || {
        let clang = clang.as_ref().map_err(Clone::clone)?;
        Library::get(runtime::FILES, clang, &target, &cache)
    };
    let module = program::combine(modules, &options.roots, is_native, library).map_err(one)?;
    if !options.allow_undefined {
        let is_runtime = |id: GlobalId| module[id].unit >= first_runtime_unit;
        let problems = undefined::check(&module, is_native, &is_runtime, &mut spans);
        if !problems.is_empty() {
            return Err(problems);
        }
    }
    Ok(Program {
        sources: SourceFiles::new(&module, files),
        module,
        warnings,
        compiler: clang.ok().map(|clang| clang.version),
        optimised,
        first_runtime_unit,
    })
}

fn one(diagnostic: Diagnostic) -> Vec<Diagnostic> {
    vec![diagnostic]
}

/// The files and what they are; all that is wrong with them at once.
fn inputs(files: &[PathBuf]) -> Result<Vec<(&Path, Kind)>, Vec<Diagnostic>> {
    let mut inputs = Vec::new();
    let mut problems = Vec::new();
    for path in files {
        match input::kind(path) {
            Ok(kind) => inputs.push((path.as_path(), kind)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(inputs) } else { Err(problems) }
}

/// Makes a module of every input. Their globals get positions in the source map.
fn compile(
    inputs: &[(&Path, Kind)],
    options: &Options,
    user: &UserFlags,
    optimise: Optimise,
    clang: &Result<Clang, Diagnostic>,
    spans: &mut Spans<'_>,
) -> Result<Vec<Unit>, Vec<Diagnostic>> {
    let has_c = inputs.iter().any(|(_, kind)| *kind == Kind::C);
    if let (true, Err(missing)) = (has_c, clang) {
        return Err(one(missing.clone()));
    }
    let include = has_c.then(runtime::headers).transpose().map_err(one)?;
    let compiler = Compiler {
        clang: clang.as_ref(),
        flags: &flags::for_program(optimise, user),
        optimise,
        environment: &options.environment,
        include: include.as_ref().map(tempfile::TempDir::path),
    };
    let results = in_parallel(inputs, |(path, kind)| compiler.unit(path, *kind));
    let mut units = Vec::new();
    let mut problems = Vec::new();
    for ((path, kind), result) in inputs.iter().zip(results) {
        // The inputs have the first places in the source map, whatever messages point at.
        let source = (*kind == Kind::C).then(|| source::text(path).unwrap_or_default());
        match result {
            Ok(mut unit) => {
                let file = spans.add(path, source.as_ref().unwrap_or(&unit.text));
                place(&mut unit.module, file, source.is_some());
                unit.text = String::new();
                units.push(unit);
            }
            Err(Problem::General(problem)) => problems.push(problem),
            Err(Problem::InText(problem)) => {
                let (problem, text) = *problem;
                let made_of = if source.is_some() { " (as LLVM IR)" } else { "" };
                let file = spans.map.add(&format!("{}{made_of}", path.display()), &text);
                problems.push(moved(problem, file));
            }
        }
    }
    if problems.is_empty() { Ok(units) } else { Err(problems) }
}

/// Makes the places in a module's text places in the file with this number. In text that was
/// made of C, which nobody sees, they mean nothing: then they become its beginning.
fn place(module: &mut Module, file: FileId, nowhere: bool) {
    for global in &mut module.globals {
        global.span.file = file;
        if nowhere {
            (global.span.start, global.span.end) = (0, 0);
        }
    }
}

fn moved(mut problem: Diagnostic, file: FileId) -> Diagnostic {
    let notes = problem.notes.iter_mut().map(|(span, _)| span);
    problem.span.iter_mut().chain(notes).for_each(|span| span.file = file);
    problem
}

fn check_main(modules: &[Module]) -> Result<(), Diagnostic> {
    let is_main = |module: &Module| {
        module
            .global("main")
            .is_some_and(|id| !module[id].is_declaration() && !module[id].linkage.is_local())
    };
    if modules.iter().any(is_main) {
        return Ok(());
    }
    let files = modules.iter().flat_map(|module| &module.units).map(|unit| unit.file.as_str());
    let files: Vec<_> = files.collect();
    let message = match files.as_slice() {
        [] => "no program is given".to_owned(),
        [file] => format!("there is no `main` in {file}"),
        files => format!("there is no `main` in any of {}", files.join(", ")),
    };
    let hint = "give the file that has it too, or write one that starts the threads and calls what \
                is to be checked";
    Err(Diagnostic::general(message).hint(hint))
}

/// For which machine the runtime is to be compiled: that of the program. Where clang did not
/// compile it, its text tells.
fn target(mut flags: Vec<String>, inputs: &[(&Path, Kind)], modules: &[Module]) -> Vec<String> {
    if !flags.is_empty() || inputs.iter().any(|(_, kind)| *kind == Kind::C) {
        return flags;
    }
    let Some(triple) = modules.iter().map(|m| m.target.as_str()).find(|t| !t.is_empty()) else {
        return flags;
    };
    let machine = triple.split('-').next().unwrap_or("");
    let here = std::env::consts::ARCH;
    let is_x86_32 = matches!(machine, "i386" | "i486" | "i586" | "i686");
    if is_x86_32 && here == "x86_64" {
        // With this, clang finds the headers of the system it runs on.
        flags.push("-m32".to_owned());
    } else if machine != here {
        flags.push(format!("--target={triple}"));
    }
    flags
}
