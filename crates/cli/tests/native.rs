//! Native execution as the judge: random programs compute the same under Auspex. And damaged LLVM
//! code is refused or run, but never ends in a panic.

use auspex_modelgen::command;
use auspex_modelgen::corpus::for_all;
use auspex_programgen::compare::{Comparison, Outcome};
use auspex_programgen::generate::{Style, generate};
use auspex_programgen::{mutate, native};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

const AUSPEX: &str = env!("CARGO_BIN_EXE_auspex");
/// The tests of this file run side by side.
const THREADS: usize = 1;
/// So many seeds make one program: most of the time goes into starting compilers.
const BATCH: usize = 10;

fn clang() -> String {
    native::clang().unwrap_or_else(|why| panic!("this test compares with native execution: {why}"))
}

fn comparison(optimise: u8, sanitise: bool) -> Comparison {
    let style = Style::default();
    Comparison { auspex: AUSPEX.into(), clang: clang(), optimise, style, sanitise }
}

#[test]
fn random_programs_compute_the_same_first_half() {
    compare(&comparison(0, false), 1..=250);
}

#[test]
fn random_programs_compute_the_same_second_half() {
    compare(&comparison(0, true), 251..=500);
}

#[test]
fn random_programs_compute_the_same_optimised() {
    compare(&comparison(1, false), 501..=550);
    compare(&comparison(2, false), 551..=600);
}

fn compare(comparison: &Comparison, seeds: RangeInclusive<u64>) {
    let seeds: Vec<u64> = seeds.collect();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH).collect();
    let values = AtomicUsize::new(0);
    let failures = for_all(&batches, THREADS, |batch| match comparison.seeds(batch)? {
        Outcome::Agree(count) => {
            values.fetch_add(count, Relaxed);
            Ok(())
        }
        _ => one_by_one(comparison, batch),
    });
    for (_, why) in &failures {
        eprintln!("{why}");
    }
    assert!(failures.is_empty(), "{} of {} programs failed", failures.len(), batches.len());
    let values = values.into_inner();
    assert!(values > 20 * seeds.len(), "only {values} values were compared");
}

/// Which seeds it is, and where the programs are to be found.
fn one_by_one(comparison: &Comparison, batch: &[u64]) -> Result<(), String> {
    let mut all = format!("seeds {batch:?} at -O{} fail together", comparison.optimise);
    for seed in batch {
        let why = match comparison.seeds(&[*seed])? {
            Outcome::Agree(_) => continue,
            Outcome::Unfit(why) => format!("not a fit program: {why}"),
            Outcome::Disagree(found) => found.why,
        };
        let program = generate(&[*seed], comparison.style);
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("seed-{seed}.c"));
        let kept = std::fs::write(&file, program)
            .map_or("not written".into(), |()| file.display().to_string());
        all.push_str(&format!("\nseed {seed} ({kept}): {why:.600}"));
    }
    all.push_str(
        "\nto shrink: auspex-programgen compare --batch 1 --count 1 --auspex AUSPEX --seed SEED",
    );
    Err(all)
}

/// Programs that use much of the language, threads and the library.
const MUTATED: [&str; 4] = [
    "structures/treiber-stack-right.c",
    "memory/union-punning.c",
    "sync/condition-broadcast-right.c",
    "libc/qsort-bsearch.c",
];

#[test]
fn damaged_code_is_refused_or_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut cases = Vec::new();
    for (index, text) in sources().iter().enumerate() {
        let ll = compiled(dir.path(), index, text);
        cases.extend((0..50).map(|seed| (index, seed, mutate::mutate(&ll, seed))));
    }
    let failures = for_all(&cases, THREADS, |(index, seed, text)| {
        let dir = tempfile::tempdir().map_err(|why| why.to_string())?;
        std::fs::write(dir.path().join("x.ll"), text).map_err(|why| why.to_string())?;
        let mut command = Command::new(AUSPEX);
        command.args(["check", "x.ll", "--time", "2", "--memory", "1G", "--trace", "t.json"]);
        let done = command::run(&mut command, dir.path(), Duration::from_secs(60));
        let done = done.map_err(|why| format!("{index}, seed {seed}: {why:?}"))?;
        let panicked = done.stderr.contains("panicked");
        match done.status.code() {
            Some(0..=3) if !panicked => Ok(()),
            _ => {
                let file =
                    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bad-{index}-{seed}.ll"));
                let kept = std::fs::write(&file, text).map(|()| file.display().to_string());
                Err(format!("{kept:?}: {:?}\n{:.600}", done.status, done.stderr))
            }
        }
    });
    for (_, why) in &failures {
        eprintln!("{why}\n");
    }
    assert!(failures.is_empty(), "{} of {} damaged files", failures.len(), cases.len());
}

fn sources() -> Vec<String> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/llvm");
    let read = |name: &&str| std::fs::read_to_string(corpus.join(name)).expect(name);
    let mut sources: Vec<String> = MUTATED.iter().map(read).collect();
    sources.push(generate(&[1], Style { size: 12, library: false }));
    sources
}

fn compiled(dir: &Path, index: usize, text: &str) -> String {
    let (from, to) = (dir.join(format!("{index}.c")), dir.join(format!("{index}.ll")));
    std::fs::write(&from, text).unwrap();
    let mut command = Command::new(clang());
    command.args(["-w", "-g", "-S", "-emit-llvm", "-o"]).args([&to, &from]);
    assert!(command.status().unwrap().success(), "{index} does not compile");
    std::fs::read_to_string(&to).unwrap()
}
