//! From a specification to a program that runs, and to a model for others.
#![forbid(unsafe_code)]

pub mod accept;
pub mod advice;
mod alone;
pub mod c;
pub mod clean;
pub mod directory;
pub mod inclusion;
pub mod language;
mod resolve;
pub mod rust;
pub mod tree;

use auspex_system::{Diagnostic, SourceMap};
pub use resolve::{resolve, resolve_with_priorities};
use std::path::PathBuf;
use tree::Spec;

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub language: Language,
    /// One program with a thread for each process, or a program for each.
    pub threads: bool,
}

pub use auspex_promela::ast::Language;

/// A file that is to be written, relative to the directory of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub path: PathBuf,
    pub contents: String,
}

/// The files of an implementation, or what is in its way.
pub fn generate(
    spec: &Spec,
    map: &SourceMap,
    target: Target,
) -> Result<Vec<File>, Vec<Diagnostic>> {
    match target {
        Target { language: Language::C, threads: false } => c::programs::generate(spec, map),
        Target { language: Language::C, threads: true } => c::threads::generate(spec, map),
        Target { language: Language::Rust, threads: false } => rust::programs(spec, map),
        Target { language: Language::Rust, threads: true } => Ok(rust::threads(spec, map)),
    }
}
