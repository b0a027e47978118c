//! Whatever the bytes are, reading gives a module or a diagnostic.
//!
//! `AUSPEX_MUTATIONS=50 cargo test -p auspex-llvm mutation` tries 50 times as many mutations.

use crate::compilers::{clangs, compile};

/// A generator that gives the same numbers every time.
struct Random(u64);

/// How many mutations to try where `count` is the usual number.
fn rounds(count: usize) -> usize {
    let factor = std::env::var("AUSPEX_MUTATIONS").ok().and_then(|text| text.parse().ok());
    count * factor.unwrap_or(1)
}

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn try_read(text: &str) {
    let mut sources = auspex_system::SourceMap::default();
    let file = sources.add("mutated.ll", text);
    let start = std::time::Instant::now();
    let result = auspex_llvm::read(&sources, file);
    assert!(start.elapsed().as_secs() < 20, "reading takes too long");
    match result {
        Ok(module) => {
            let mut linked = match auspex_llvm::link(&[module]) {
                Ok(linked) => linked,
                Err(_) => return,
            };
            let roots: Vec<_> = linked.global("main").into_iter().collect();
            linked.keep_reachable(&roots);
            for index in 0..linked.debug.types.len() as u32 {
                linked.type_name(index.into());
            }
        }
        Err(diagnostic) => {
            assert!(!diagnostic.message.is_empty());
            let at = diagnostic.span.map(|span| sources.location(span));
            assert!(at.is_none_or(|at| at.line >= 1 && at.column >= 1));
        }
    }
}

fn samples() -> Vec<String> {
    let clangs = clangs();
    let mut samples = Vec::new();
    for clang in [clangs.first(), clangs.last()].into_iter().flatten() {
        for flags in [["-O0", "-g"], ["-O2", "-g"]] {
            samples.extend(compile(clang, &flags, "everything.c"));
            samples.extend(compile(clang, &flags, "exceptions.cpp"));
        }
    }
    samples
}

#[test]
fn truncated_anywhere() {
    for text in samples() {
        let step = (text.len() / rounds(400)).max(1);
        for end in (0..text.len()).step_by(step) {
            if let Some(part) = text.get(..end) {
                try_read(part);
            }
        }
    }
}

#[test]
fn bytes_changed() {
    let mut random = Random(1);
    for text in samples() {
        for _ in 0..rounds(400) {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = b" (){}[]<>,=!@%#\"\\0129azi*;:\n"[random.below(28)];
            }
            if let Ok(text) = String::from_utf8(bytes) {
                try_read(&text);
            }
        }
    }
}

#[test]
fn words_exchanged_and_lines_lost() {
    let mut random = Random(2);
    for text in samples() {
        let words: Vec<&str> = text.split_inclusive([' ', ',', '(', ')', '\n']).collect();
        for round in 0..rounds(400) {
            let mut changed = words.clone();
            for _ in 0..=random.below(3) {
                let (a, b) = (random.below(changed.len()), random.below(changed.len()));
                match round % 3 {
                    0 => changed.swap(a, b),
                    1 => changed[a] = changed[b],
                    _ => {
                        changed.remove(a);
                    }
                }
            }
            try_read(&changed.concat());
        }
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for _ in 0..rounds(200) {
            let mut changed = lines.clone();
            let at = random.below(changed.len());
            match random.below(2) {
                0 => drop(changed.remove(at)),
                _ => changed.insert(at, lines[random.below(lines.len())]),
            }
            try_read(&changed.concat());
        }
    }
}

/// Numbers in the text must not become memory or time.
#[test]
fn numbers_out_of_proportion() {
    let mut random = Random(3);
    for text in samples() {
        let digits: Vec<usize> =
            text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(i, _)| i).collect();
        for _ in 0..rounds(400) {
            let at = digits[random.below(digits.len())];
            let number = ["99999999999", "4294967295", "18446744073709551615", "0", "-1"];
            let mut changed = text.clone();
            changed.replace_range(at..at + 1, number[random.below(number.len())]);
            try_read(&changed);
        }
    }
}
