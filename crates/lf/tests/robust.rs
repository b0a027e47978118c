//! Whatever text comes, it is compiled or told what is wrong with it; what was compiled can be run, searched, sliced,
//! closed and printed. Tried on programs of the corpus with small changes.

use auspex_lf::run::{self, Host, Input};
use auspex_lf::slice::{Goal, slice};
use auspex_lf::{EmitOptions, Model, ModelOptions, Source, close, load_text, print};
use auspex_lf::{read_object, write_object};
use auspex_system::{Explorer, SourceMap, StateRef, Successor, Successors, System};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longer: `LF_ROBUST_SECONDS=600 cargo test -p auspex-lf --test robust`.
fn patience() -> Duration {
    let seconds = std::env::var("LF_ROBUST_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(3))
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

fn corpus(under: &Path, found: &mut Vec<String>) {
    let entries = std::fs::read_dir(under).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => corpus(&path, found),
            false => found.extend(std::fs::read_to_string(&path)),
        }
    }
}

/// Words, numbers, single signs and what is between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut last = None;
    for (at, c) in text.char_indices() {
        let own = class(c);
        if at > start && (last != Some(own) || own == 0) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = Some(own);
    }
    tokens.push(&text[start..]);
    tokens
}

const EXTREMES: [&str; 24] = [
    "0",
    "-1",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "99999999999999999999",
    "0FFFFFFFFH",
    "{31}",
    "{}",
    "TRUE",
    "\"\"",
    "\"a\"",
    "SET",
    "INT8",
    "ARRAY 3 OF",
    "RECORD",
    "[m]",
    "NEW",
    "SELF",
    "(",
    ")",
    "END",
    "UINT32",
    "MAX(INT64)",
];

fn mutate(text: &str, pool: &[&str], random: &mut Random) -> String {
    let mut parts: Vec<&str> = tokens(text);
    for _ in 0..=random.below(3) {
        let at = random.below(parts.len());
        let other = random.below(parts.len());
        match random.below(7) {
            0 => {
                parts.remove(at);
            }
            1 => parts.insert(at, parts[other]),
            2 => parts.swap(at, other),
            3 => parts[at] = EXTREMES[random.below(EXTREMES.len())],
            4 => parts[at] = parts[other],
            5 => parts.truncate(at.max(1)),
            _ => parts[at] = pool[random.below(pool.len())],
        }
        if parts.is_empty() {
            parts.push(" ");
        }
    }
    parts.concat()
}

/// A computer that soon loses its patience.
#[derive(Default)]
struct Quiet(u64);

impl Host for Quiet {
    fn write(&mut self, _: &[u8]) {}

    fn read(&mut self) -> Input {
        Input::End
    }

    fn now(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }

    fn sleep_until(&mut self, time: Option<u64>) {
        self.0 = self.0.max(time.unwrap_or(0));
    }

    fn is_interrupted(&mut self) -> bool {
        true
    }
}

/// Some states, and how they are shown.
fn search(model: &Model, stop: &Arc<AtomicBool>) {
    let mut explorer = model.explorer();
    let mut out = Successors::interruptible(stop.clone());
    explorer.initial(&mut out);
    let mut open: Vec<(Vec<u8>, Vec<u32>)> = Vec::new();
    let mut seen = HashSet::new();
    loop {
        for (_, successor) in out.iter() {
            if let Successor::State(state) = successor
                && seen.insert(state.bytes.to_vec())
            {
                open.push((state.bytes.to_vec(), state.cuts.to_vec()));
            }
        }
        let Some((bytes, cuts)) = open.pop().filter(|_| seen.len() < 60) else { return };
        let state = StateRef { bytes: &bytes, cuts: &cuts };
        out.clear();
        explorer.successors(state, &mut out);
        if out.is_cut_short() {
            return;
        }
        explorer.show(state);
        let steps: Vec<_> = out.iter().map(|(step, _)| step).take(2).collect();
        for step in steps {
            explorer.describe(state, step);
            explorer.show_fault(state, step);
        }
    }
}

/// All that can be done with a program.
fn use_everything(source: &Source, sources: &SourceMap, stop: &Arc<AtomicBool>) {
    let fine = source.compile(sources, &EmitOptions { fine: true });
    let object = source.compile(sources, &EmitOptions::default());
    let bytes = write_object(&object);
    assert_eq!(write_object(&read_object(&bytes).expect("was written")), bytes);
    let object = Arc::new(object);
    let options = run::Options { actions: Some(100), ..run::Options::default() };
    run::run(&object, &mut Quiet::default(), &options);
    for object in [object, Arc::new(fine)] {
        let model = Model::new(object.clone(), ModelOptions::default());
        search(&model, stop);
        object.properties.iter().for_each(|property| search(&model.watched_by(*property), stop));
    }
    let whole = source.main().map(|main| print::module(main, &|_| true, &|_| true));
    let text = whole.unwrap_or_default();
    if let Err(errors) = load_text(&mut SourceMap::default(), "again.lf", &text) {
        panic!("what was printed is wrong: {errors:?}\n{text}");
    }
    close(source);
    if let Ok(part) = slice(source, sources, &Goal::Assertions { lines: None }, false) {
        let model = Model::new(
            Arc::new(part.source.compile(sources, &EmitOptions::default())),
            ModelOptions::default(),
        );
        search(&model, stop);
    }
}

#[test]
fn no_text_is_too_strange() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    corpus(&root.join("tests/lf"), &mut texts);
    corpus(&root.join("examples/lf"), &mut texts);
    assert!(texts.len() > 200, "the corpus is gone");
    let pool: Vec<&str> = texts.iter().flat_map(|text| tokens(text)).collect();
    let begun = Instant::now();
    let seed = begun.elapsed().as_nanos() as u64 ^ u64::from(std::process::id()) << 20 | 1;
    println!("seed {seed}");
    let mut random = Random(seed);
    let stop = Arc::new(AtomicBool::new(false));
    let (mut good, mut bad) = (0, 0);
    while begun.elapsed() < patience() {
        let text = mutate(&texts[random.below(texts.len())], &pool, &mut random);
        println!("--- {text}");
        let mut sources = SourceMap::default();
        match load_text(&mut sources, "strange.lf", &text) {
            // An action that counts to a million would take all the time: whoever asks is told to stop.
            Ok(source) => {
                stop.store(true, Ordering::Relaxed);
                use_everything(&source, &sources, &stop);
                good += 1;
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                bad += 1;
            }
        }
    }
    assert!(good > 0 && bad > 0, "{good} programs, {bad} texts that are none");
}
