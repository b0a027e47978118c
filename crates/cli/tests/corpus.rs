//! Every model of the corpus and of the examples, through the command itself: its header says what
//! is expected, whatever the number of workers, the order of the search and the store.

use auspex_modelgen::auspex::{self, Answer};
use auspex_modelgen::corpus;
use auspex_modelgen::header::Expect;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn models() -> Vec<PathBuf> {
    let mut models = corpus::models(&root().join("tests/promela"));
    models.extend(corpus::models(&root().join("examples")));
    models
}

fn check(file: &Path, flags: &[&str]) -> Answer {
    auspex::check(Path::new(env!("CARGO_BIN_EXE_auspex")), file, flags, LIMIT)
}

/// Whether the answer of an exact and complete search is the expected one.
fn is_expected(expect: &Expect, answer: &Answer) -> bool {
    match (expect, answer) {
        (Expect::Holds(expected), Answer::Holds { states, .. }) => *expected == Some(*states),
        (Expect::Violated { kind, line }, Answer::Violated { kind: ours, line: at }) => {
            // A deadlock is nowhere in particular.
            kind == ours && (line.is_none() || line == at)
        }
        (Expect::Error { line }, Answer::Refused { line: at, .. }) => line == at,
        _ => false,
    }
}

/// A lossy store may miss everything, but it never claims that a model holds, nor makes up a fault.
fn is_tolerable(expect: &Expect, answer: &Answer) -> bool {
    match (expect, answer) {
        (Expect::Holds(_), Answer::Unknown { reason }) => reason == "lossy",
        (Expect::Violated { .. }, Answer::Unknown { reason }) => reason == "lossy",
        (Expect::Holds(_), _) => false,
        _ => is_expected(expect, answer),
    }
}

fn run_all(runs: &[&[&str]], fits: impl Fn(&Expect, &Answer) -> bool + Sync) {
    let models = models();
    assert!(models.len() >= 110, "the corpus is missing: only {} models", models.len());
    let failures = corpus::for_all(&models, 1, |file| {
        let (_, header) = corpus::read(file)?;
        for flags in runs {
            let answer = check(file, flags);
            if !fits(&header.expect, &answer) {
                let flags = flags.join(" ");
                return Err(format!("{flags}: expected {:?}, got {answer:?}", header.expect));
            }
        }
        Ok(())
    });
    for (index, why) in &failures {
        eprintln!("{}: {why}", models[*index].display());
    }
    assert!(failures.is_empty(), "{} of {} models failed", failures.len(), models.len());
}

#[test]
fn depth_first_with_1_2_and_4_workers() {
    let runs: [&[&str]; 3] = [
        &["--order", "depth", "--workers", "1"],
        &["--order", "depth", "--workers", "2"],
        &["--order", "depth", "--workers", "4"],
    ];
    run_all(&runs, is_expected);
}

#[test]
fn breadth_first_with_1_2_and_4_workers() {
    let runs: [&[&str]; 3] = [
        &["--order", "breadth", "--workers", "1"],
        &["--order", "breadth", "--workers", "2"],
        &["--order", "breadth", "--workers", "4"],
    ];
    run_all(&runs, is_expected);
}

#[test]
fn lossy_stores_claim_nothing_that_is_not_so() {
    let runs: [&[&str]; 3] = [
        &["--store", "compact", "--workers", "1"],
        &["--store", "compact", "--workers", "2", "--order", "breadth"],
        &["--store", "bitstate", "--bitstate-memory", "16M", "--workers", "2"],
    ];
    run_all(&runs, is_tolerable);
}

#[test]
fn every_rule_of_the_semantics_has_a_model() {
    let names: Vec<String> = corpus::models(&root().join("tests/promela"))
        .iter()
        .filter_map(|file| Some(file.file_name()?.to_str()?.to_string()))
        .collect();
    let missing: Vec<u32> = (1..=40)
        .filter(|rule| !names.iter().any(|name| name.starts_with(&format!("rule-{rule:02}-"))))
        .collect();
    assert!(missing.is_empty(), "no model for the rules {missing:?}");
}
