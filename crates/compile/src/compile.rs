//! From one input file to a module: clang or a disassembler, then the reader.

use crate::clang::{self, Clang};
use crate::environment::Environment;
use crate::input::Kind;
use crate::{Optimise, messages, optimise, runtime};
use auspex_llvm::{Module, read};
use auspex_system::{Diagnostic, FileId, SourceMap};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More than two compilers at a time do not pay: there are few files, and other work.
const WORKERS: usize = 2;

/// Does `work` on every item, two at a time; the results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let others: Vec<_> = (1..WORKERS).map(|_| scope.spawn(worker)).collect();
        let mut results = worker();
        for other in others {
            match other.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// LLVM IR in text form, and what was said while it was made.
pub struct Assembly {
    pub text: String,
    pub messages: String,
}

/// A module, and the text it was read from.
pub struct Unit {
    pub module: Module,
    pub text: String,
    pub messages: String,
}

/// Why there is none.
pub enum Problem {
    /// A message that points nowhere, or has no source.
    General(Diagnostic),
    /// A message about the LLVM IR, which comes with it.
    InText(Box<(Diagnostic, String)>),
}

impl From<Diagnostic> for Problem {
    fn from(diagnostic: Diagnostic) -> Self {
        Problem::General(diagnostic)
    }
}

/// What is needed to make text of a file.
pub struct Compiler<'c> {
    /// Or why there is none, which matters only when it is needed.
    pub clang: Result<&'c Clang, &'c Diagnostic>,
    pub flags: &'c [String],
    pub optimise: Optimise,
    pub environment: &'c Environment,
    /// The directory of `auspex.h`.
    pub include: Option<&'c Path>,
}

const CLANG_DISASSEMBLES: &[&str] =
    &["-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", "-", "-x", "ir"];

impl Compiler<'_> {
    pub fn unit(&self, path: &Path, kind: Kind) -> Result<Unit, Problem> {
        let Assembly { text, messages } = match kind {
            Kind::C => self.compile(path)?,
            Kind::Text => {
                let bytes = std::fs::read(path).map_err(|problem| {
                    Diagnostic::general(format!("cannot read `{}`: {problem}", path.display()))
                })?;
                let text = String::from_utf8_lossy(&bytes).into_owned();
                Assembly { text, messages: String::new() }
            }
            Kind::Bitcode => self.disassemble(path)?,
        };
        let module = module(&path.display().to_string(), &text)
            .map_err(|diagnostic| Problem::InText(Box::new((diagnostic, text.clone()))))?;
        Ok(Unit { module, text, messages })
    }

    fn compile(&self, path: &Path) -> Result<Assembly, Diagnostic> {
        let clang = self.clang.map_err(Clone::clone)?;
        let mut arguments: Vec<OsString> = self.flags.iter().map(OsString::from).collect();
        if let Some(include) = self.include {
            // The last of all: a user's own header of that name is found before it.
            arguments.extend(["-idirafter".into(), include.into()]);
            // The name of a temporary directory belongs in no trace.
            let mut map = OsString::from("-ffile-prefix-map=");
            map.push(include);
            map.push(format!("={}", runtime::HEADERS));
            arguments.push(map);
        }
        let failed = |text: String| messages::not_compiled(path, &clang.path, &text);
        if self.optimise == Optimise::None {
            arguments.push(argument(path));
            return run(&clang.path, &arguments, None)?.map_err(failed);
        }
        // In two steps: between them some functions are marked.
        let plain: Vec<OsString> = ["-Xclang", "-disable-llvm-passes"].map(OsString::from).into();
        let source = [arguments.clone(), plain, vec![argument(path)]].concat();
        let first = run(&clang.path, &source, None)?.map_err(failed)?;
        let intermediate = intermediate(&optimise::protect(&first.text)).map_err(|problem| {
            Diagnostic::general(format!("cannot write a temporary file: {problem}"))
        })?;
        arguments.extend(["-x".into(), "ir".into(), intermediate.path().into()]);
        let second = run(&clang.path, &arguments, None)?.map_err(failed)?;
        Ok(Assembly { text: second.text, messages: first.messages })
    }

    fn disassemble(&self, path: &Path) -> Result<Assembly, Diagnostic> {
        let (program, flags): (_, &[&str]) =
            match (clang::disassembler(self.environment), self.clang) {
                (Some(program), _) => (program, &["-o", "-"]),
                // clang can do it too, if it is told to do nothing else.
                (None, Ok(clang)) => (clang.path.clone(), CLANG_DISASSEMBLES),
                (None, Err(_)) => return Err(no_disassembler(path)),
            };
        let mut arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
        arguments.push(argument(path));
        run(&program, &arguments, None)?.map_err(|text| {
            let message = format!("`{}` cannot be read by {}", path.display(), program.display());
            Diagnostic::general(messages::with_text(message, &text))
        })
    }
}

fn intermediate(text: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("auspex-").suffix(".ll").tempfile()?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

fn no_disassembler(path: &Path) -> Diagnostic {
    let message = format!("`{}` is LLVM bitcode, which needs llvm-dis", path.display());
    let hint = "`apt install llvm` (15 or newer), or give the text form (`.ll`)";
    Diagnostic::general(message).hint(hint)
}

/// Reads text that is in no source map yet.
pub fn module(name: &str, text: &str) -> Result<Module, Diagnostic> {
    let mut map = SourceMap::default();
    let file: FileId = map.add(name, text);
    read(&map, file)
}

/// A file name that no program takes for a flag.
fn argument(path: &Path) -> OsString {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-') => Path::new(".").join(path).into(),
        _ => path.into(),
    }
}

/// Runs a program that writes text to its standard output. The inner error is what it says
/// when it fails.
pub fn run(
    program: &Path,
    arguments: &[OsString],
    directory: Option<&Path>,
) -> Result<Result<Assembly, String>, Diagnostic> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let output = command.output().map_err(|problem| {
        Diagnostic::general(format!("cannot run `{}`: {problem}", program.display()))
    })?;
    let mut messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        if messages.trim().is_empty() {
            messages = format!("it ended with {}, and said nothing", output.status);
        }
        return Ok(Err(messages));
    }
    let text = match String::from_utf8(output.stdout) {
        Ok(text) => text,
        Err(problem) => String::from_utf8_lossy(problem.as_bytes()).into_owned(),
    };
    Ok(Ok(Assembly { text, messages }))
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in 0..20_u64 {
            let items: Vec<_> = (0..count).collect();
            let squares: Vec<_> = items.iter().map(|item| item * item).collect();
            assert_eq!(in_parallel(&items, |item| item * item), squares);
        }
    }
}
