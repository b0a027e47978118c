//! Real Spin as the judge: of what the corpus says about itself, and of Auspex on random models.

use auspex_modelgen::compare::{Comparison, Outcome};
use auspex_modelgen::generate::generate;
use auspex_modelgen::{corpus, judge, temporal};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Mutex;

/// The tests of this file run side by side, two at a time on two cores, with one pan each.
const THREADS: usize = 1;

fn need_spin() {
    if let Err(why) = judge::available() {
        panic!("this test compares with real Spin: {why}");
    }
}

#[test]
fn the_headers_of_the_corpus_agree_with_spin() {
    need_spin();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut models = corpus::models(&root.join("tests/promela"));
    models.extend(corpus::models(&root.join("examples")));
    let failures = corpus::for_all(&models, THREADS, |file| corpus::verify(file));
    for (index, why) in &failures {
        eprintln!("{}: {why}", models[*index].display());
    }
    assert!(failures.is_empty(), "{} of {} headers are wrong", failures.len(), models.len());
}

#[test]
fn random_models_agree_with_spin_first_half() {
    random_models(1..=150);
}

#[test]
fn random_models_agree_with_spin_second_half() {
    random_models(151..=300);
}

fn random_models(seeds: RangeInclusive<u64>) {
    need_spin();
    let auspex = Some(env!("CARGO_BIN_EXE_auspex").into());
    let comparison = Comparison { auspex, size: 10 };
    let seeds: Vec<u64> = seeds.collect();
    let count = seeds.len();
    let agreed = Mutex::new(0);
    let first = Mutex::new(None);
    let failures = corpus::for_all(&seeds, THREADS, |seed| {
        match comparison.seed(*seed).map_err(|why| why.to_string())? {
            Outcome::Disagree(found) => {
                first.lock().unwrap().get_or_insert((*seed, found.sort));
                return Err(found.why);
            }
            Outcome::Agree(_) => *agreed.lock().unwrap() += 1,
            Outcome::Refused(_) | Outcome::TooLarge(_) => {}
        }
        Ok(())
    });
    for (index, why) in &failures {
        eprintln!("seed {}:\n{why}", seeds[*index]);
    }
    if let Some((seed, sort)) = first.into_inner().unwrap() {
        let small = comparison.shrink(&generate(seed, comparison.size), &sort);
        let file = small_model(seed, &small);
        panic!("{} of {count} models; seed {seed}, shrunk ({file}):\n{small}", failures.len());
    }
    assert!(failures.is_empty(), "{} models were not compared", failures.len());
    let agreed = agreed.into_inner().unwrap();
    assert!(agreed >= count * 8 / 10, "only {agreed} of {count} models were compared");
}

/// Keeps what was found for whoever mends it.
fn small_model(seed: u64, text: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("seed-{seed}.pml"));
    match std::fs::write(&file, text) {
        Ok(()) => file.display().to_string(),
        Err(why) => format!("not written: {why}"),
    }
}

/// Without fairness: Spin's is known to be wrong where a run ends.
#[test]
fn random_formulas_agree_with_spin() {
    need_spin();
    let seeds: Vec<u64> = (1..=50).collect();
    let (agreed, violated) = (Mutex::new(0), Mutex::new(0));
    let failures = corpus::for_all(&seeds, THREADS, |seed| {
        match temporal::compare(Path::new(env!("CARGO_BIN_EXE_auspex")), *seed)? {
            temporal::Outcome::Agree { formulas, violated: some } => {
                *agreed.lock().unwrap() += formulas;
                *violated.lock().unwrap() += some;
                Ok(())
            }
            temporal::Outcome::Disagree(why) => Err(why),
        }
    });
    for (index, why) in &failures {
        eprintln!("seed {}:\n{why}", seeds[*index]);
    }
    assert!(failures.is_empty(), "{} formulas", failures.len());
    let (agreed, violated) = (agreed.into_inner().unwrap(), violated.into_inner().unwrap());
    println!("{agreed} formulas, {violated} violated");
    // About 204; on a busy machine Spin runs out of time for some.
    assert!(agreed >= 160, "only {agreed} formulas were compared");
    assert!(violated >= 40 && agreed - violated >= 40, "{violated} of {agreed} are violated");
}
