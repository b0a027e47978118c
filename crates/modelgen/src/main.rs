//! `auspex-modelgen`: the corpus and random models against real Spin.
#![forbid(unsafe_code)]

use auspex_modelgen::corpus;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about = "Random Promela models, and Spin as their judge")]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Check the headers of models against Spin
    Verify { files: Vec<PathBuf> },
    /// Write states, fault and line into the headers of models, as Spin finds them
    Fill { files: Vec<PathBuf> },
}

fn main() -> ExitCode {
    match Arguments::parse().verb {
        Verb::Verify { files } => each(&files, |file| corpus::verify(file)),
        Verb::Fill { files } => each(&files, |file| corpus::fill(file)),
    }
}

fn each(files: &[PathBuf], work: impl Fn(&PathBuf) -> Result<(), String> + Sync) -> ExitCode {
    let files: Vec<PathBuf> = files.iter().flat_map(expand).collect();
    let failures = corpus::for_all(&files, 2, work);
    for (index, why) in &failures {
        eprintln!("{}: {why}", files[*index].display());
    }
    println!("{} models, {} wrong", files.len(), failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A directory stands for all the models under it.
fn expand(path: &PathBuf) -> Vec<PathBuf> {
    if path.is_dir() { corpus::models(path) } else { vec![path.clone()] }
}
