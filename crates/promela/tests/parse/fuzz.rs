//! A few seconds of random models; `cargo run --release --example fuzz_parser` goes on for longer.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::mutate::{Random, examine, mutated};
use crate::snippets::{AGREED, WE_ACCEPT, WE_REFUSE};

/// Extended Promela.
fn specifications() -> Vec<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/generate/front");
    let files = std::fs::read_dir(dir).expect("the specifications").flatten();
    let texts: Vec<String> =
        files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect();
    assert!(texts.len() >= 25);
    texts
}

#[test]
fn no_input_panics_or_hangs() {
    let pairs = WE_ACCEPT.iter().chain(WE_REFUSE).map(|(text, _)| text);
    let mut corpus: Vec<String> = AGREED.iter().chain(pairs).map(|text| text.to_string()).collect();
    corpus.extend(specifications());
    for text in &corpus {
        examine(text).unwrap_or_else(|fault| panic!("{fault}:\n{text}"));
    }
    let start = Instant::now();
    for seed in 0.. {
        if start.elapsed() > Duration::from_secs(4) {
            println!("{seed} models");
            break;
        }
        let text = mutated(&corpus, &mut Random(seed));
        match std::panic::catch_unwind(|| examine(&text)) {
            Ok(Ok(())) => {}
            Ok(Err(fault)) => panic!("seed {seed}: {fault}:\n{text}"),
            Err(_) => panic!("seed {seed} panics:\n{text}"),
        }
    }
}
