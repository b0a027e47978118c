//! Running and checking agree: whatever a run prints, on any schedule, a search has reached.

use auspex_lf::run::{self, Ended, Host, Input, Policy};
use auspex_lf::{EmitOptions, Model, ModelOptions, Object, Options, load};
use auspex_system::{Explorer, SourceMap, StateRef, Successor, Successors, System};
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Texts of states, and of those where the program is over.
#[derive(Default)]
struct Outputs {
    any: BTreeSet<Vec<u8>>,
    last: BTreeSet<Vec<u8>>,
}

/// More states than this are not looked at.
const MOST: usize = 150_000;

/// Everything that a program can print; `None` if there is no end of it.
fn outputs(object: &Arc<Object>) -> Option<Outputs> {
    let options = ModelOptions { record: true, allow_deadlock: true, ..ModelOptions::default() };
    let model = Model::new(object.clone(), options);
    let mut explorer = model.explorer();
    let mut out = Successors::new();
    explorer.initial(&mut out);
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut open: VecDeque<(Vec<u8>, Vec<u32>)> = VecDeque::new();
    let mut add = |out: &Successors, open: &mut VecDeque<_>| {
        for (_, successor) in out.iter() {
            if let Successor::State(state) = successor
                && seen.insert(state.bytes.to_vec())
            {
                open.push_back((state.bytes.to_vec(), state.cuts.to_vec()));
            }
        }
        seen.len()
    };
    add(&out, &mut open);
    let mut found = Outputs::default();
    while let Some((bytes, cuts)) = open.pop_front() {
        let state = StateRef { bytes: &bytes, cuts: &cuts };
        found.any.insert(explorer.printed_so_far(state).to_vec());
        out.clear();
        explorer.successors(state, &mut out);
        if add(&out, &mut open) > MOST {
            return None;
        }
    }
    found.last = model.outputs.lock().expect("nobody fails").clone();
    Some(found)
}

/// A computer without input, whose clock counts its questions.
#[derive(Default)]
struct Quiet {
    printed: Vec<u8>,
    time: u64,
    questions: u64,
}

impl Host for Quiet {
    fn write(&mut self, text: &[u8]) {
        self.printed.extend_from_slice(text);
    }

    fn read(&mut self) -> Input {
        Input::End
    }

    fn now(&mut self) -> u64 {
        self.time += 1;
        self.time
    }

    fn sleep_until(&mut self, time: Option<u64>) {
        self.time = self.time.max(time.unwrap_or(0));
    }

    /// Some programs of the corpus never end an action.
    fn is_interrupted(&mut self) -> bool {
        self.questions += 1;
        self.questions > 100
    }
}

fn compile(files: &[PathBuf]) -> Option<Arc<Object>> {
    let mut sources = SourceMap::default();
    let source = load(&mut sources, files, &Options::default()).ok()?;
    Some(Arc::new(source.compile(&sources, &EmitOptions::default())))
}

/// Runs a program on many schedules; says what a search has not reached.
fn compare(object: &Arc<Object>, runs: u64) -> Result<(), String> {
    let Some(found) = outputs(object) else { return Ok(()) };
    let policies = [Policy::RoundRobin, Policy::EarliestDeadline, Policy::Random];
    for seed in 0..runs {
        // Most of them at random: the others are always nearly the same.
        let policy = policies.get(seed as usize).copied().unwrap_or(Policy::Random);
        let mut host = Quiet::default();
        let options = run::Options { policy, seed, actions: Some(400), ..run::Options::default() };
        let summary = run::run(object, &mut host, &options);
        let text = String::from_utf8_lossy(&host.printed).into_owned();
        let known = match summary.ended {
            Ended::Over => found.last.contains(&host.printed),
            // What was printed in an action that came to no end belongs to no state.
            Ended::Fault(_) | Ended::Interrupted => true,
            Ended::Stopped => found.any.contains(&host.printed),
        };
        if !known {
            return Err(format!("seed {seed}, {policy:?}: {text:?} was never reached"));
        }
    }
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn programs(under: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(under)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lf") {
            found.push(path);
        }
    }
}

#[test]
fn every_example_prints_only_what_a_search_reaches() {
    let mut found = Vec::new();
    programs(&root().join("examples/lf"), &mut found);
    assert!(found.len() > 10, "the examples are gone");
    for path in found {
        let mut files = vec![path.clone()];
        if path.ends_with("driver.lf") {
            files.push(path.with_file_name("driver_env.lf"));
        }
        let Some(object) = compile(&files) else { continue };
        if let Err(wrong) = compare(&object, 1000) {
            panic!("{}: {wrong}", path.display());
        }
    }
}

/// The value of a key in the first comment of a program.
fn expectation(text: &str, key: &str) -> Option<String> {
    let comment = text.trim_start().strip_prefix("(*")?.split("*)").next()?;
    let line = comment.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':'))?;
    Some(line.trim().replace("\\n", "\n"))
}

#[test]
fn the_corpus_prints_what_it_says() {
    let mut found = Vec::new();
    programs(&root().join("tests/lf"), &mut found);
    let mut compared = 0;
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let one = expectation(&text, "output").map(|text| vec![text]);
        let several = expectation(&text, "outputs")
            .map(|all| all.split('|').map(|text| text.trim().to_owned()).collect());
        if expectation(&text, "expect").as_deref() == Some("error") {
            continue;
        }
        let Some(object) = compile(std::slice::from_ref(&path)) else { continue };
        if let Err(wrong) = compare(&object, 60) {
            panic!("{}: {wrong}", path.display());
        }
        let Some(expected): Option<Vec<String>> = one.or(several) else { continue };
        let Some(outputs) = outputs(&object) else { panic!("{}: no end", path.display()) };
        let printed: BTreeSet<String> =
            outputs.last.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        assert_eq!(printed, expected.into_iter().collect(), "{}", path.display());
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} programs say what they print");
}
