//! Cheap, incomplete answers to: does one formula imply the other?
//!
//! All formulas here are in negation normal form. The rules are those of Somenzi and Bloem,
//! with pure eventualities and universalities from Etessami and Holzmann; what has no temporal
//! operator is decided exactly.

use crate::alternating::letters;
use crate::bdd::Store;
use crate::formula::{Formula, Kind};
use rustc_hash::FxHashMap;

/// Does satisfaction carry over to every word with a longer beginning (a pure eventuality)?
pub(crate) fn is_eventual(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::True | Kind::False => true,
        Kind::And(list) | Kind::Or(list) => list.iter().all(is_eventual),
        Kind::Next(inner) => is_eventual(inner),
        Kind::Until(a, b) => a.is_true() || is_eventual(a) && is_eventual(b),
        Kind::Release(a, b) => is_eventual(a) && is_eventual(b),
        _ => false,
    }
}

/// Does satisfaction carry over to every suffix (a pure universality)?
pub(crate) fn is_universal(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::True | Kind::False => true,
        Kind::And(list) | Kind::Or(list) => list.iter().all(is_universal),
        Kind::Next(inner) => is_universal(inner),
        Kind::Until(a, b) => is_universal(a) && is_universal(b),
        Kind::Release(a, b) => a.is_false() || is_universal(a) && is_universal(b),
        _ => false,
    }
}

/// Both: the beginning of the word does not matter at all.
pub(crate) fn is_suspendable(formula: &Formula) -> bool {
    is_eventual(formula) && is_universal(formula)
}

/// Answers, remembered.
pub(crate) struct Implications {
    pub store: Store,
    known: FxHashMap<(Formula, Formula), bool>,
    negations: FxHashMap<Formula, Formula>,
}

impl Implications {
    pub fn new() -> Self {
        let (known, negations) = (FxHashMap::default(), FxHashMap::default());
        Implications { store: Store::new(), known, negations }
    }

    pub fn negation(&mut self, formula: &Formula) -> Formula {
        if let Some(known) = self.negations.get(formula) {
            return known.clone();
        }
        let result = Formula::not(formula.clone()).nnf();
        self.negations.insert(formula.clone(), result.clone());
        result
    }

    /// Can the two never hold together?
    pub fn exclude(&mut self, a: &Formula, b: &Formula) -> bool {
        let (not_a, not_b) = (self.negation(a), self.negation(b));
        self.implies(a, &not_b) || self.implies(b, &not_a)
    }

    /// Does one of the two always hold?
    pub fn exhaust(&mut self, a: &Formula, b: &Formula) -> bool {
        let (not_a, not_b) = (self.negation(a), self.negation(b));
        self.implies(&not_a, b) || self.implies(&not_b, a)
    }

    /// `true` only if every word that satisfies `a` satisfies `b`.
    pub fn implies(&mut self, a: &Formula, b: &Formula) -> bool {
        if a == b || a.is_false() || b.is_true() {
            return true;
        }
        if b.is_false() && !a.is_boolean() || a.is_true() && !b.is_boolean() {
            return false;
        }
        let key = (a.clone(), b.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let result = self.decide(a, b);
        self.known.insert(key, result);
        result
    }

    fn decide(&mut self, a: &Formula, b: &Formula) -> bool {
        if a.is_boolean() && b.is_boolean() {
            let (a, b) = (letters(&mut self.store, a), letters(&mut self.store, b));
            return self.store.is_subset(a, b);
        }
        self.by_left(a, b) || self.by_right(a, b) || self.by_both(a, b)
    }

    fn by_left(&mut self, a: &Formula, b: &Formula) -> bool {
        match a.kind() {
            Kind::Or(list) => return list.iter().all(|part| self.implies(part, b)),
            Kind::And(list) if list.iter().any(|part| self.implies(part, b)) => return true,
            Kind::And(_) if b.is_boolean() => {
                // The temporal parts may still say something about the first moment.
                return false;
            }
            Kind::Until(x, y) if self.implies(y, b) && (is_eventual(b) || self.implies(x, b)) => {
                return true;
            }
            Kind::Release(_, y) if self.implies(y, b) => return true,
            Kind::Next(x) if is_eventual(b) && self.implies(x, b) => return true,
            _ => {}
        }
        false
    }

    fn by_right(&mut self, a: &Formula, b: &Formula) -> bool {
        match b.kind() {
            Kind::And(list) => list.iter().all(|part| self.implies(a, part)),
            Kind::Or(list) => list.iter().any(|part| self.implies(a, part)),
            Kind::Until(_, y) => self.implies(a, y),
            Kind::Release(x, y) => self.implies(a, y) && (is_universal(a) || self.implies(a, x)),
            Kind::Next(y) => is_universal(a) && self.implies(a, y),
            _ => false,
        }
    }

    fn by_both(&mut self, a: &Formula, b: &Formula) -> bool {
        match (a.kind(), b.kind()) {
            (Kind::Next(x), Kind::Next(y)) => self.implies(x, y),
            (Kind::Until(x, y), Kind::Until(v, w)) | (Kind::Release(x, y), Kind::Release(v, w)) => {
                self.implies(x, v) && self.implies(y, w)
            }
            // What holds up to and including the release holds up to it.
            (Kind::Release(x, y), Kind::Until(v, w)) => {
                x.is_false() && self.implies(y, v) && self.implies(y, w)
            }
            _ => false,
        }
    }
}
