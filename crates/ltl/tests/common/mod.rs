//! The meaning of formulas by their definition, and random formulas and words.
#![allow(dead_code)]

use auspex_ltl::{Formula, Kind};
use auspex_system::FileId;

/// The infinite word `prefix cycle cycle ...`; a letter is the bit set of its true atoms.
#[derive(Clone, Debug)]
pub struct Word {
    pub prefix: Vec<u64>,
    pub cycle: Vec<u64>,
}

impl Word {
    pub fn places(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    pub fn letter(&self, place: usize) -> u64 {
        if place < self.prefix.len() {
            self.prefix[place]
        } else {
            self.cycle[place - self.prefix.len()]
        }
    }

    pub fn next(&self, place: usize) -> usize {
        if place + 1 == self.places() { self.prefix.len() } else { place + 1 }
    }

    /// The places that come after `place`, beginning with it; all that ever come are among them.
    fn future(&self, place: usize) -> Vec<usize> {
        std::iter::successors(Some(place), |p| Some(self.next(*p)))
            .take(self.places() + 1)
            .collect()
    }
}

/// Does the formula hold in the word?
pub fn holds(formula: &Formula, word: &Word) -> bool {
    holds_at(formula, word, 0)
}

/// The definition, case by case.
pub fn holds_at(formula: &Formula, word: &Word, place: usize) -> bool {
    let at = |f: &Formula, p: usize| holds_at(f, word, p);
    match formula.kind() {
        Kind::True => true,
        Kind::False => false,
        Kind::Atom(atom) => word.letter(place) >> atom & 1 == 1,
        Kind::Not(a) => !at(a, place),
        Kind::And(list) => list.iter().all(|f| at(f, place)),
        Kind::Or(list) => list.iter().any(|f| at(f, place)),
        Kind::Implies(a, b) => !at(a, place) || at(b, place),
        Kind::Iff(a, b) => at(a, place) == at(b, place),
        Kind::Next(a) => at(a, word.next(place)),
        Kind::Until(a, b) => until(word, place, |p| at(a, p), |p| at(b, p)),
        Kind::Release(a, b) => !until(word, place, |p| !at(a, p), |p| !at(b, p)),
        Kind::WeakUntil(a, b) => {
            until(word, place, |p| at(a, p), |p| at(b, p))
                || word.future(place).iter().all(|p| at(a, *p))
        }
        Kind::StrongRelease(a, b) => until(word, place, |p| at(b, p), |p| at(a, p) && at(b, p)),
    }
}

fn until(word: &Word, place: usize, a: impl Fn(usize) -> bool, b: impl Fn(usize) -> bool) -> bool {
    for p in word.future(place) {
        if b(p) {
            return true;
        }
        if !a(p) {
            return false;
        }
    }
    false
}

pub fn random_word(rng: &mut fastrand::Rng, atoms: u32) -> Word {
    let mut letters = |n: usize| (0..n).map(|_| rng.u64(0..1 << atoms)).collect::<Vec<_>>();
    let (prefix, cycle) = (letters(4), letters(4));
    let (p, c) = (rng.usize(0..5), rng.usize(1..5));
    Word { prefix: prefix[..p].to_vec(), cycle: cycle[..c].to_vec() }
}

pub fn random_formula(rng: &mut fastrand::Rng, atoms: u32, size: u32) -> Formula {
    if size <= 1 {
        return match rng.u32(0..20) {
            0 => Formula::tt(),
            1 => Formula::ff(),
            _ => Formula::atom(rng.u32(0..atoms)),
        };
    }
    if size == 2 || rng.u32(0..10) < 4 {
        let inner = random_formula(rng, atoms, size - 1);
        return match rng.u32(0..5) {
            0 => Formula::not(inner),
            1 => Formula::next(inner),
            2 | 3 => Formula::finally(inner),
            _ => Formula::globally(inner),
        };
    }
    let left = rng.u32(1..size - 1);
    let (a, b) = (random_formula(rng, atoms, left), random_formula(rng, atoms, size - 1 - left));
    match rng.u32(0..10) {
        0 | 1 => Formula::and([a, b]),
        2 | 3 => Formula::or([a, b]),
        4 => Formula::implies(a, b),
        5 => Formula::iff(a, b),
        6 => Formula::until(a, b),
        7 => Formula::release(a, b),
        8 => Formula::weak_until(a, b),
        _ => Formula::strong_release(a, b),
    }
}

/// Reads a formula whose atoms are `a`, `b`, `c`, ...: `a` is atom 0.
pub fn formula(text: &str) -> Formula {
    let parsed = auspex_ltl::parse(text, FileId(0), 0).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let letter = |atom: u32| u32::from(parsed.atoms[atom as usize].text.as_bytes()[0] - b'a');
    parsed.formula.map_atoms(&letter)
}

pub fn name(atom: u32) -> String {
    char::from(b'a' + atom as u8).to_string()
}

/// A generator and its seed: `AUSPEX_SEED` repeats a run.
pub fn rng(test: &str) -> fastrand::Rng {
    let seed = std::env::var("AUSPEX_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    eprintln!("{test}: AUSPEX_SEED={seed}");
    fastrand::Rng::with_seed(seed)
}

pub fn rounds(standard: usize) -> usize {
    std::env::var("AUSPEX_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(standard)
}
