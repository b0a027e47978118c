//! `auspex-modelgen`: the corpus and random models against real Spin.
#![forbid(unsafe_code)]

use auspex_modelgen::bench::Bench;
use auspex_modelgen::compare::{Comparison, Outcome};
use auspex_modelgen::{corpus, generate, judge};
use clap::{Args, Parser, Subcommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(version, about = "Random Promela models, and Spin as their judge")]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Print the random model of a seed
    Generate {
        seed: u64,
        /// How many statements a process has, about
        #[arg(long, default_value_t = 10)]
        size: usize,
    },
    /// Run random models through Spin and Auspex, and shrink what they disagree on
    Compare(Compare),
    /// Check the headers of models against Spin
    Verify { files: Vec<PathBuf> },
    /// Write states and faults into the headers of models, as Spin finds them
    Fill { files: Vec<PathBuf> },
    /// Print a table of Auspex beside pan: states per second and bytes per state
    Bench {
        #[arg(long)]
        auspex: PathBuf,
        /// The fastest of so many runs counts
        #[arg(long, default_value_t = 1)]
        rounds: u32,
        files: Vec<PathBuf>,
    },
}

#[derive(Args)]
struct Compare {
    /// How many models
    #[arg(long, default_value_t = 300)]
    count: u64,
    /// The seed of the first one; the others follow it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after so many minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// The auspex program; without it the models are only judged by Spin
    #[arg(long)]
    auspex: Option<PathBuf>,
    #[arg(long, default_value_t = 10)]
    size: usize,
    /// How many models at a time
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Where shrunk models go
    #[arg(long, default_value = "tests/promela/regress")]
    regress: PathBuf,
    /// Report a disagreement as it is, without shrinking it
    #[arg(long)]
    no_shrink: bool,
}

fn main() -> ExitCode {
    match Arguments::parse().verb {
        Verb::Generate { seed, size } => {
            print!("{}", generate::generate(seed, size));
            ExitCode::SUCCESS
        }
        Verb::Compare(compare) => compare.run(),
        Verb::Verify { files } => each(&files, |file| corpus::verify(file)),
        Verb::Fill { files } => each(&files, |file| corpus::fill(file)),
        Verb::Bench { auspex, rounds, files } => bench(auspex, rounds, &files),
    }
}

fn bench(auspex: PathBuf, rounds: u32, files: &[PathBuf]) -> ExitCode {
    let auspex = std::path::absolute(&auspex).unwrap_or(auspex);
    match (Bench { auspex, rounds }).table(files) {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

impl Compare {
    fn run(self) -> ExitCode {
        if let Err(why) = judge::available() {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
        let end = self.minutes.map(|m| Instant::now() + Duration::from_secs(60 * m));
        let auspex = self.auspex.as_deref().and_then(|p| std::path::absolute(p).ok());
        let comparison = Comparison { auspex, size: self.size };
        let tally = Mutex::new(BTreeMap::new());
        let seeds: Vec<u64> = (self.seed..self.seed + self.count).collect();
        let failures = corpus::for_all(&seeds, self.threads, |seed| {
            if end.is_some_and(|end| Instant::now() > end) {
                return Ok(());
            }
            let outcome = comparison.seed(*seed).map_err(|why| why.to_string())?;
            *tally.lock().unwrap_or_else(|e| e.into_inner()).entry(name(&outcome)).or_insert(0) +=
                1;
            self.report(&comparison, *seed, outcome)
        });
        println!("{:?}", tally.into_inner().unwrap_or_else(|e| e.into_inner()));
        for (index, why) in &failures {
            println!("seed {}: {why}", seeds[*index]);
        }
        println!("{} disagreements or failures", failures.len());
        if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn report(&self, comparison: &Comparison, seed: u64, outcome: Outcome) -> Result<(), String> {
        let found = match outcome {
            Outcome::Agree(_) => return Ok(()),
            Outcome::Refused(why) => {
                println!("seed {seed}: refused by Spin: {why}");
                return Ok(());
            }
            Outcome::TooLarge(why) => {
                println!("seed {seed}: no verdict: {why:.200}");
                return Ok(());
            }
            Outcome::Disagree(found) => found,
        };
        println!("seed {seed}: disagreement\n{}", found.why);
        if !self.no_shrink {
            let small = comparison.shrink(&generate::generate(seed, self.size), &found.sort);
            println!("seed {seed}, shrunk:\n{small}");
            let model = comparison.as_regression(&small, seed).map_err(|why| why.to_string())?;
            save(&self.regress, seed, &model).map_err(|why| why.to_string())?;
        }
        Err(found.why)
    }
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Agree(word) => word,
        Outcome::Refused(_) => "refused by Spin",
        Outcome::TooLarge(_) => "no verdict",
        Outcome::Disagree(_) => "DISAGREE",
    }
}

fn save(dir: &Path, seed: u64, model: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    std::fs::write(dir.join(format!("seed-{seed}.pml")), model)
}

fn each(files: &[PathBuf], work: impl Fn(&PathBuf) -> Result<(), String> + Sync) -> ExitCode {
    let files: Vec<PathBuf> = files.iter().flat_map(|path| expand(path)).collect();
    let failures = corpus::for_all(&files, 2, work);
    for (index, why) in &failures {
        eprintln!("{}: {why}", files[*index].display());
    }
    println!("{} models, {} wrong", files.len(), failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A directory stands for all the models under it.
fn expand(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() { corpus::models(path) } else { vec![path.to_path_buf()] }
}
