//! `auspex-programgen`: random C programs, natively and under Auspex.
#![forbid(unsafe_code)]

use auspex_modelgen::corpus;
use auspex_programgen::compare::{Comparison, Disagreement, Outcome};
use auspex_programgen::generate::{Style, generate};
use auspex_programgen::native;
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(version, about = "Random C programs, natively and under Auspex")]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Print the random program of a seed, or of several together
    Generate {
        #[arg(required = true)]
        seeds: Vec<u64>,
        #[command(flatten)]
        style: StyleFlags,
    },
    /// Run random programs natively and under Auspex, and shrink what they disagree on
    Compare(Compare),
}

#[derive(Args, Clone, Copy)]
struct StyleFlags {
    /// How many statements a function has, about
    #[arg(long, default_value_t = 30)]
    size: usize,
    /// Call no functions of the C library
    #[arg(long)]
    no_library: bool,
}

#[derive(Args)]
struct Compare {
    /// How many seeds
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// The first seed; the others follow it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after so many minutes
    #[arg(long)]
    minutes: Option<u64>,
    #[arg(long)]
    auspex: PathBuf,
    /// The clang for native execution [default: the newest there is]
    #[arg(long)]
    clang: Option<String>,
    /// How much both may optimise
    #[arg(short = 'O', default_value_t = 0)]
    optimise: u8,
    #[command(flatten)]
    style: StyleFlags,
    /// How many seeds make one program
    #[arg(long, default_value_t = 10)]
    batch: usize,
    /// How many programs at a time
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Look for undefined behaviour in native execution too: is the generator right?
    #[arg(long)]
    sanitise: bool,
    /// Where shrunk programs go
    #[arg(long, default_value = "tests/llvm/regress")]
    regress: PathBuf,
    /// Report a disagreement as it is, without shrinking it
    #[arg(long)]
    no_shrink: bool,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().verb {
        Verb::Generate { seeds, style } => {
            print!("{}", generate(&seeds, style.style()));
            Ok(true)
        }
        Verb::Compare(compare) => compare.run(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

impl StyleFlags {
    fn style(self) -> Style {
        Style { size: self.size, library: !self.no_library }
    }
}

impl Compare {
    fn run(&self) -> Result<bool, String> {
        let end = self.minutes.map(|m| Instant::now() + Duration::from_secs(60 * m));
        let comparison = Comparison {
            auspex: std::path::absolute(&self.auspex).map_err(|why| why.to_string())?,
            clang: self.clang.clone().map_or_else(native::clang, Ok)?,
            optimise: self.optimise,
            style: self.style.style(),
            sanitise: self.sanitise,
        };
        let seeds: Vec<u64> = (self.seed..self.seed + self.count).collect();
        let batches: Vec<&[u64]> = seeds.chunks(self.batch.max(1)).collect();
        let (compared, values) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let failures = corpus::for_all(&batches, self.threads, |batch| {
            if end.is_some_and(|end| Instant::now() > end) {
                return Ok(());
            }
            compared.fetch_add(batch.len(), Ordering::Relaxed);
            match comparison.seeds(batch)? {
                Outcome::Agree(count) => {
                    values.fetch_add(count, Ordering::Relaxed);
                    Ok(())
                }
                Outcome::Unfit(why) => self.one_by_one(&comparison, batch, &why),
                Outcome::Disagree(found) => self.one_by_one(&comparison, batch, &found.why),
            }
        });
        for (_, why) in &failures {
            println!("{why}");
        }
        let (compared, values) = (compared.into_inner(), values.into_inner());
        println!(
            "{compared} programs compared, {values} values the same, {} batches failed",
            failures.len()
        );
        Ok(failures.is_empty())
    }

    /// Finds which seeds of a batch it is that fail.
    fn one_by_one(&self, comparison: &Comparison, batch: &[u64], why: &str) -> Result<(), String> {
        let mut failed = Vec::new();
        for seed in batch {
            match comparison.seeds(&[*seed])? {
                Outcome::Agree(_) => {}
                Outcome::Unfit(why) => failed.push(format!("seed {seed}: unfit: {why:.2000}")),
                Outcome::Disagree(found) => {
                    println!("seed {seed}: {:.600}", found.why);
                    self.keep(comparison, *seed, &found)?;
                    failed.push(format!("seed {seed}: {:.600}", found.why));
                }
            }
        }
        match failed.is_empty() {
            true => Err(format!("seeds {batch:?} fail together, but not alone: {why:.600}")),
            false => Err(failed.join("\n")),
        }
    }

    fn keep(&self, comparison: &Comparison, seed: u64, found: &Disagreement) -> Result<(), String> {
        if self.no_shrink {
            return Ok(());
        }
        let small = comparison.shrink(&generate(&[seed], comparison.style), &found.sort);
        let what = format!("found by comparison with native execution (seed {seed})");
        let program = comparison.as_regression(&small, &what)?;
        save(&self.regress, seed, &program).map_err(|why| why.to_string())
    }
}

fn save(dir: &Path, seed: u64, program: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    std::fs::write(dir.join(format!("seed-{seed}.c")), program)
}
