//! Feeds the parser with mutated models: `fuzz_parser SECONDS SEED [DIRECTORY...]`. The models to start
//! from are those of the tests and all `*.pml` and `*.pch` below the directories.

#[path = "../tests/parse/mutate.rs"]
mod mutate;
#[path = "../tests/parse/snippets.rs"]
mod snippets;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mutate::{Random, examine, mutated};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| arguments.get(i).and_then(|text| text.parse::<u64>().ok());
    let (Some(seconds), Some(seed)) = (number(0), number(1)) else {
        eprintln!("usage: fuzz_parser SECONDS SEED [DIRECTORY...]");
        return ExitCode::from(2);
    };
    let mut corpus = built_in();
    for directory in &arguments[2..] {
        collect(Path::new(directory), &mut corpus);
    }
    println!("{} models to start from", corpus.len());
    run(&corpus, seed, Duration::from_secs(seconds))
}

fn run(corpus: &[String], seed: u64, time: Duration) -> ExitCode {
    let (start, mut slowest, mut count) = (Instant::now(), Duration::ZERO, 0_u64);
    while start.elapsed() < time {
        let number = seed.wrapping_mul(1_000_000_007).wrapping_add(count);
        let text = mutated(corpus, &mut Random(number));
        let began = Instant::now();
        let fault = match std::panic::catch_unwind(|| examine(&text)) {
            Ok(Ok(())) => None,
            Ok(Err(fault)) => Some(fault),
            Err(_) => Some("panic".to_owned()),
        };
        if let Some(fault) = fault {
            println!("model {number}: {fault}\n{text}");
            return ExitCode::FAILURE;
        }
        slowest = slowest.max(began.elapsed());
        count += 1;
    }
    println!("{count} models, no fault; the slowest took {slowest:?}");
    ExitCode::SUCCESS
}

fn built_in() -> Vec<String> {
    let pairs = snippets::WE_ACCEPT.iter().chain(snippets::WE_REFUSE).map(|(text, _)| text);
    snippets::AGREED.iter().chain(pairs).map(|text| text.to_string()).collect()
}

fn collect(directory: &Path, corpus: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, corpus);
        } else if path.extension().is_some_and(|extension| extension == "pml" || extension == "pch")
        {
            corpus
                .extend(fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}
