//! Every C program of the corpus and of the examples, through the command itself: its header says
//! what is expected; and the answer does not depend on workers and reduction.

use auspex_modelgen::corpus::for_all;
use auspex_programgen::corpus::{self, Answer, Header};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);
const THREADS: usize = 2;
const AUSPEX: &str = env!("CARGO_BIN_EXE_auspex");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn programs() -> Vec<(PathBuf, Header)> {
    let mut files = corpus::programs(&root().join("tests/llvm"));
    files.extend(corpus::programs(&root().join("examples")));
    let header = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        corpus::header(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
    };
    files.into_iter().map(|file| (file.clone(), header(&file))).collect()
}

fn check(file: &Path, header: &Header, more: &[&str]) -> Result<Answer, String> {
    let more = [&["--format", "json", "--trace", "trace.json"], more].concat();
    let arguments = corpus::arguments(file, header, &more);
    let repeat = || format!("auspex {}", arguments.join(" "));
    corpus::check(Path::new(AUSPEX), &arguments, LIMIT)
        .map_err(|why| format!("{}\n{why}", repeat()))
}

fn repeat(file: &Path, header: &Header, more: &[&str]) -> String {
    format!("auspex {}", corpus::arguments(file, header, more).join(" "))
}

fn report(failures: Vec<(usize, String)>, count: usize) {
    for (_, why) in &failures {
        eprintln!("{why}\n");
    }
    assert!(failures.is_empty(), "{} of {count} programs failed", failures.len());
}

#[test]
fn every_program_has_the_answer_of_its_header() {
    let programs = programs();
    assert!(programs.len() >= 500, "the corpus is missing: only {} programs", programs.len());
    let failures = for_all(&programs, THREADS, |(file, header)| {
        let answer = check(file, header, &["--workers", "1"])?;
        match header.fits(&answer) {
            true => Ok(()),
            false => {
                let command = repeat(file, header, &["--workers 1"]);
                Err(format!("{command}\n  expected {header:?}\n  got {answer:?}"))
            }
        }
    });
    report(failures, programs.len());
}

/// Programs with more states than this are left to the test above.
const SMALL: &str = "3000";
/// Without reduction there are many more.
const LARGE: &str = "30000";
/// As far as the time goes, smaller programs first.
const BUDGET: Duration = Duration::from_secs(75);

#[test]
fn answers_depend_neither_on_workers_nor_on_reduction() {
    let programs = programs();
    let begin = Instant::now();
    let (workers, reductions) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = for_all(&programs, THREADS, |(file, header)| {
        if begin.elapsed() > BUDGET {
            return Ok(());
        }
        let one = check(file, header, &["--all", "--workers", "1", "--max-states", SMALL])?;
        if !one.complete {
            return Ok(());
        }
        let two = check(file, header, &["--all", "--workers", "2"])?;
        if (&one.verdict, &one.kinds, one.states) != (&two.verdict, &two.kinds, two.states) {
            let command = repeat(file, header, &["--all", "--workers 2"]);
            return Err(format!("{command}\n  one worker {one:?}\n  two {two:?}"));
        }
        workers.fetch_add(1, Relaxed);
        let mut none = vec!["--all", "--workers", "1", "--reduction", "none"];
        none.extend(["--max-states", LARGE, "--time", "4", "--memory", "1G"]);
        let none = check(file, header, &none)?;
        if !none.complete {
            return Ok(());
        }
        if (&one.verdict, &one.kinds) != (&none.verdict, &none.kinds) {
            let command = repeat(file, header, &["--all", "--reduction none"]);
            return Err(format!("{command}\n  with reduction {one:?}\n  without {none:?}"));
        }
        reductions.fetch_add(1, Relaxed);
        Ok(())
    });
    let (workers, reductions) = (workers.into_inner(), reductions.into_inner());
    eprintln!(
        "of {} programs {workers} were compared with two workers and {reductions} without reduction",
        programs.len()
    );
    report(failures, programs.len());
    assert!(reductions >= 100, "too few were compared: {reductions}");
}
