//! The runtime: C files in this program, compiled by the user's clang, as a library.
//!
//! Its members are the files; only those that something needs are read.

use crate::cache::{Cache, Key};
use crate::clang::Clang;
use crate::compile::{in_parallel, module, run};
use crate::{flags, messages};
use auspex_llvm::Module;
use auspex_system::Diagnostic;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Names and texts.
pub type Files = [(&'static str, &'static str)];

include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// The directory that debug information gives for files of the runtime.
const DIRECTORY: &str = "<runtime>";
/// The directory that it gives for the headers.
pub const HEADERS: &str = "<auspex>";
/// The first line of a library in the cache: says how it is written.
const FORMAT: &str = "auspex runtime 1";

pub struct Library {
    members: Vec<Member>,
}

struct Member {
    name: String,
    /// What it defines for others.
    symbols: Vec<String>,
    text: String,
}

/// Whether debug information that names this file means the runtime.
pub fn is_member(path: &Path) -> bool {
    path.starts_with(DIRECTORY)
}

/// The text of a file of the runtime, or of a header for users.
pub fn text(path: &Path) -> Option<&'static str> {
    let find = |name: &Path| FILES.iter().find(|(known, _)| Path::new(known) == name);
    let found = match path.strip_prefix(HEADERS) {
        Ok(name) => find(name).or_else(|| find(&Path::new("include").join(name))),
        Err(_) => find(path.strip_prefix(DIRECTORY).ok()?),
    };
    found.map(|(_, text)| *text)
}

/// A directory with the headers that are for users: `auspex.h`, and what is under `include`.
pub fn headers() -> Result<TempDir, Diagnostic> {
    let directory = temporary_directory()?;
    for (name, text) in FILES {
        let name = match name.strip_prefix("include/") {
            Some(below) => below,
            None if *name == "auspex.h" => name,
            None => continue,
        };
        write(directory.path(), name, text)?;
    }
    Ok(directory)
}

fn write(directory: &Path, name: &str, text: &str) -> Result<(), Diagnostic> {
    let path = directory.join(name);
    let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
    parent.and_then(|()| fs::write(&path, text)).map_err(|problem| {
        Diagnostic::general(format!("cannot write `{}`: {problem}", path.display()))
    })
}

impl Library {
    /// The library for this clang and machine: from the cache, or made now.
    pub fn get(
        files: &Files,
        clang: &Clang,
        target: &[String],
        cache: &Cache,
    ) -> Result<Self, Diagnostic> {
        let flags = flags::for_runtime(target);
        let path = clang.path.as_os_str().as_encoded_bytes();
        let parts = [FORMAT.as_bytes(), path, clang.version.as_bytes()].into_iter();
        let texts = files.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]);
        let key = Key::new("runtime", parts.chain(texts).chain(flags.iter().map(|f| f.as_bytes())));
        if let Some(library) = cache.get(&key).as_deref().and_then(Library::parse) {
            return Ok(library);
        }
        let library = Library::compile(files, clang, &flags)?;
        cache.put(&key, &library.print());
        Ok(library)
    }

    fn compile(files: &Files, clang: &Clang, flags: &[String]) -> Result<Self, Diagnostic> {
        let directory = temporary_directory()?;
        for (name, text) in files {
            write(directory.path(), name, text)?;
        }
        let sources: Vec<_> = files.iter().filter(|(name, _)| name.ends_with(".c")).collect();
        let members = in_parallel(&sources, |(name, _)| {
            Member::compile(clang, flags, directory.path(), name)
        });
        Ok(Library { members: members.into_iter().collect::<Result<_, _>>()? })
    }

    /// The index of the member that defines the symbol.
    pub fn find(&self, symbol: &str) -> Option<usize> {
        self.members.iter().position(|member| member.symbols.iter().any(|known| known == symbol))
    }

    /// Reads a member.
    pub fn read(&self, index: usize) -> Result<Module, Diagnostic> {
        let member = &self.members[index];
        let name = format!("{DIRECTORY}/{}", member.name);
        module(&name, &member.text).map_err(|diagnostic| ours(&name, &diagnostic.message))
    }

    /// One line for each member, then their texts.
    fn print(&self) -> String {
        let mut out = format!("{FORMAT}\n");
        for Member { name, symbols, text } in &self.members {
            let _ = writeln!(out, "{} {name} {}", text.len(), symbols.join(" "));
        }
        out.push('\n');
        self.members.iter().for_each(|member| out.push_str(&member.text));
        out
    }

    fn parse(text: &str) -> Option<Self> {
        let (index, mut texts) = text.split_once("\n\n")?;
        let mut lines = index.lines();
        if lines.next() != Some(FORMAT) {
            return None;
        }
        let members = lines.map(|line| {
            let mut words = line.split(' ').map(str::to_owned);
            let (length, name) = (words.next()?.parse().ok()?, words.next()?);
            let (text, rest) = texts.split_at_checked(length)?;
            texts = rest;
            let symbols = words.filter(|word| !word.is_empty()).collect();
            Some(Member { name, symbols, text: text.to_owned() })
        });
        Some(Library { members: members.collect::<Option<_>>()? })
    }
}

impl Member {
    fn compile(
        clang: &Clang,
        flags: &[String],
        directory: &Path,
        name: &str,
    ) -> Result<Self, Diagnostic> {
        let mut arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
        // Headers are found from everywhere; the temporary directory leaves no trace.
        arguments.extend(["-I.".into(), "-Iinclude".into()]);
        let mut map = OsString::from("-ffile-prefix-map=");
        map.push(directory);
        map.push("=.");
        arguments.extend([map, format!("-fdebug-compilation-dir={DIRECTORY}").into()]);
        arguments.push(name.into());
        let output = run(&clang.path, &arguments, Some(directory))?;
        let text = output
            .map_err(|text| {
                messages::not_compiled(&PathBuf::from(DIRECTORY).join(name), &clang.path, &text)
            })?
            .text;
        let module = module(name, &text).map_err(|diagnostic| ours(name, &diagnostic.message))?;
        let exported = module
            .globals
            .iter()
            .filter(|global| !global.is_declaration() && !global.linkage.is_local());
        let symbols = exported.map(|global| module.names[global.name].to_owned()).collect();
        Ok(Member { name: name.to_owned(), symbols, text })
    }
}

fn temporary_directory() -> Result<TempDir, Diagnostic> {
    tempfile::Builder::new().prefix("auspex-").tempdir().map_err(|problem| {
        Diagnostic::general(format!("cannot make a temporary directory: {problem}"))
            .hint("set TMPDIR to a directory where files can be written")
    })
}

fn ours(name: &str, problem: &str) -> Diagnostic {
    Diagnostic::general(format!("the runtime's `{name}` cannot be read: {problem}"))
        .hint("this is a mistake in Auspex")
}

#[cfg(test)]
mod tests;
