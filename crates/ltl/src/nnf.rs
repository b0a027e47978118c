//! Negation normal form, and questions about formulas that need no automaton.

use crate::formula::{Formula, Kind};
use rustc_hash::{FxHashMap, FxHashSet};

impl Formula {
    /// The same formula with negations at the atoms only, and only the operators and, or, next,
    /// until and release.
    pub fn nnf(&self) -> Formula {
        Normaliser::default().run(self, false)
    }

    /// All atoms that occur, in increasing order.
    pub fn atoms(&self) -> Vec<u32> {
        let mut found = Vec::new();
        self.visit(&mut |formula| {
            if let Kind::Atom(atom) = formula.kind() {
                found.push(*atom);
            }
        });
        found.sort_unstable();
        found
    }

    /// Does the operator next occur?
    pub fn has_next(&self) -> bool {
        let mut found = false;
        self.visit(&mut |formula| found |= matches!(formula.kind(), Kind::Next(_)));
        found
    }

    /// Is it about the first moment only?
    pub fn is_boolean(&self) -> bool {
        let mut temporal = false;
        self.visit(&mut |formula| temporal |= is_temporal(formula.kind()));
        !temporal
    }

    /// The number of different subformulas.
    pub fn size(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }

    /// The formula with every atom renamed.
    pub fn map_atoms(&self, rename: &dyn Fn(u32) -> u32) -> Formula {
        let inner = |f: &Formula| f.map_atoms(rename);
        match self.kind() {
            Kind::True | Kind::False => self.clone(),
            Kind::Atom(atom) => Formula::atom(rename(*atom)),
            Kind::Not(a) => Formula::not(inner(a)),
            Kind::And(list) => Formula::and(list.iter().map(inner)),
            Kind::Or(list) => Formula::or(list.iter().map(inner)),
            Kind::Implies(a, b) => Formula::implies(inner(a), inner(b)),
            Kind::Iff(a, b) => Formula::iff(inner(a), inner(b)),
            Kind::Next(a) => Formula::next(inner(a)),
            Kind::Until(a, b) => Formula::until(inner(a), inner(b)),
            Kind::Release(a, b) => Formula::release(inner(a), inner(b)),
            Kind::WeakUntil(a, b) => Formula::weak_until(inner(a), inner(b)),
            Kind::StrongRelease(a, b) => Formula::strong_release(inner(a), inner(b)),
        }
    }

    /// Calls `each` once for every different subformula.
    pub(crate) fn visit(&self, each: &mut dyn FnMut(&Formula)) {
        let mut seen = FxHashSet::default();
        let mut stack = vec![self.clone()];
        while let Some(formula) = stack.pop() {
            if seen.insert(formula.clone()) {
                each(&formula);
                stack.extend(formula.children().cloned());
            }
        }
    }
}

fn is_temporal(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Next(_)
            | Kind::Until(..)
            | Kind::Release(..)
            | Kind::WeakUntil(..)
            | Kind::StrongRelease(..)
    )
}

/// Remembers what it did: an equivalence uses both operands twice.
#[derive(Default)]
struct Normaliser {
    done: FxHashMap<(Formula, bool), Formula>,
}

impl Normaliser {
    /// The normal form of `formula`, or of its negation.
    fn run(&mut self, formula: &Formula, negated: bool) -> Formula {
        let key = (formula.clone(), negated);
        if let Some(known) = self.done.get(&key) {
            return known.clone();
        }
        let result = self.rewrite(formula, negated);
        self.done.insert(key, result.clone());
        result
    }

    fn rewrite(&mut self, formula: &Formula, negated: bool) -> Formula {
        match formula.kind() {
            Kind::True | Kind::False | Kind::Atom(_) if negated => Formula::not(formula.clone()),
            Kind::True | Kind::False | Kind::Atom(_) => formula.clone(),
            Kind::Not(a) => self.run(a, !negated),
            Kind::And(list) => self.junction(list, negated, negated),
            Kind::Or(list) => self.junction(list, negated, !negated),
            Kind::Implies(a, b) => {
                let parts = [self.run(a, !negated), self.run(b, negated)];
                if negated { Formula::and(parts) } else { Formula::or(parts) }
            }
            Kind::Iff(a, b) => {
                let both = [self.run(a, false), self.run(b, negated)];
                let none = [self.run(a, true), self.run(b, !negated)];
                Formula::or([Formula::and(both), Formula::and(none)])
            }
            Kind::Next(a) => Formula::next(self.run(a, negated)),
            Kind::Until(a, b) => self.fixpoint(a, b, negated, !negated),
            Kind::Release(a, b) => self.fixpoint(a, b, negated, negated),
            // a W b is b R (a || b), and a M b is b U (a && b).
            Kind::WeakUntil(a, b) => {
                let either = Formula::or([a.clone(), b.clone()]);
                self.fixpoint(b, &either, negated, negated)
            }
            Kind::StrongRelease(a, b) => {
                let both = Formula::and([a.clone(), b.clone()]);
                self.fixpoint(b, &both, negated, !negated)
            }
        }
    }

    fn junction(&mut self, list: &[Formula], negated: bool, or: bool) -> Formula {
        let parts: Vec<_> = list.iter().map(|f| self.run(f, negated)).collect();
        if or { Formula::or(parts) } else { Formula::and(parts) }
    }

    fn fixpoint(&mut self, a: &Formula, b: &Formula, negated: bool, until: bool) -> Formula {
        let (a, b) = (self.run(a, negated), self.run(b, negated));
        if until { Formula::until(a, b) } else { Formula::release(a, b) }
    }
}
