//! Rewriting to formulas with smaller automata: the rules of Somenzi and Bloem, of Etessami and
//! Holzmann, and implications between operands.

use crate::formula::{Formula, Kind};
use crate::implication::{Implications, is_eventual, is_suspendable, is_universal};
use rustc_hash::FxHashMap;

/// Formulas whose normal form is longer than this are left as they are.
pub(crate) const MAX_SIZE: u64 = 20_000;

impl Formula {
    /// An equivalent formula in negation normal form, usually with a smaller automaton.
    pub fn simplify(&self) -> Formula {
        let mut simplifier =
            Simplifier { implications: Implications::new(), done: FxHashMap::default() };
        let mut formula = self.nnf();
        if formula.tree_size() > MAX_SIZE {
            return formula;
        }
        // Each round works bottom-up; what one round brings together the next one simplifies.
        for _ in 0..4 {
            let next = simplifier.run(&formula);
            if next == formula {
                break;
            }
            formula = next;
        }
        formula
    }
}

struct Simplifier {
    implications: Implications,
    done: FxHashMap<Formula, Formula>,
}

impl Simplifier {
    fn run(&mut self, formula: &Formula) -> Formula {
        if let Some(known) = self.done.get(formula) {
            return known.clone();
        }
        let result = match formula.kind() {
            Kind::And(list) => {
                let parts = list.iter().map(|part| self.run(part)).collect();
                self.and(parts)
            }
            Kind::Or(list) => {
                let parts = list.iter().map(|part| self.run(part)).collect();
                self.or(parts)
            }
            Kind::Next(inner) => {
                let inner = self.run(inner);
                self.next(inner)
            }
            Kind::Until(a, b) => {
                let (a, b) = (self.run(a), self.run(b));
                self.until(a, b)
            }
            Kind::Release(a, b) => {
                let (a, b) = (self.run(a), self.run(b));
                self.release(a, b)
            }
            _ => formula.clone(),
        };
        self.done.insert(formula.clone(), result.clone());
        result
    }

    fn next(&mut self, inner: Formula) -> Formula {
        if is_suspendable(&inner) {
            return inner;
        }
        // What does not depend on the beginning need not wait.
        match inner.kind() {
            Kind::And(list) if list.iter().any(is_suspendable) => {
                let (out, rest) = split(list, is_suspendable);
                Formula::and([Formula::and(out), Formula::next(Formula::and(rest))])
            }
            Kind::Or(list) if list.iter().any(is_suspendable) => {
                let (out, rest) = split(list, is_suspendable);
                Formula::or([Formula::or(out), Formula::next(Formula::or(rest))])
            }
            _ => Formula::next(inner),
        }
    }

    fn until(&mut self, a: Formula, b: Formula) -> Formula {
        if is_eventual(&b) || self.implications.implies(&a, &b) {
            return b;
        }
        if !a.is_true() && self.implications.exhaust(&a, &b) {
            return self.until(Formula::tt(), b);
        }
        match (a.kind(), b.kind()) {
            (Kind::True | Kind::Next(_), Kind::Next(y)) => {
                let x = if let Kind::Next(x) = a.kind() { x.clone() } else { Formula::tt() };
                let inner = self.until(x, y.clone());
                return self.next(inner);
            }
            // F (x U y) is F y.
            (Kind::True, Kind::Until(_, y)) => return self.until(Formula::tt(), y.clone()),
            // a U (x U y) is x U y if a implies x, and a U y if x implies a.
            (_, Kind::Until(x, y)) => {
                if self.implications.implies(&a, x) {
                    return b;
                }
                if self.implications.implies(x, &a) {
                    return self.until(a, y.clone());
                }
            }
            // (x U y) U b is y U b if x implies b.
            (Kind::Until(x, y), _) if self.implications.implies(x, &b) => {
                return self.until(y.clone(), b);
            }
            (_, Kind::Or(list)) if list.iter().any(is_eventual) => {
                let (out, rest) = split(list, is_eventual);
                let rest = self.until(a, Formula::or(rest));
                return self.or([out, vec![rest]].concat());
            }
            (_, Kind::And(list)) if list.iter().any(is_suspendable) => {
                let (out, rest) = split(list, is_suspendable);
                let rest = self.until(a, Formula::and(rest));
                return self.and([out, vec![rest]].concat());
            }
            // F distributes over disjunction; keep one F for what is boolean.
            (Kind::True, Kind::Or(list))
                if list.iter().any(|f| matches!(f.kind(), Kind::Until(..) | Kind::Next(_))) =>
            {
                let parts = list.iter().map(|f| self.until(Formula::tt(), f.clone())).collect();
                return self.or(parts);
            }
            _ => {}
        }
        // Conjuncts on the left that the right one excludes to miss need not be asked for.
        if let Kind::And(list) = a.kind() {
            let rest: Vec<_> = list.to_vec();
            if let Some(index) = rest.iter().position(|f| self.implications.exhaust(f, &b)) {
                let mut rest = rest;
                rest.remove(index);
                return self.until(Formula::and(rest), b);
            }
        }
        Formula::until(a, b)
    }

    fn release(&mut self, a: Formula, b: Formula) -> Formula {
        if is_universal(&b) || self.implications.implies(&b, &a) {
            return b;
        }
        if !a.is_false() && self.implications.exclude(&a, &b) {
            return self.release(Formula::ff(), b);
        }
        match (a.kind(), b.kind()) {
            (Kind::False | Kind::Next(_), Kind::Next(y)) => {
                let x = if let Kind::Next(x) = a.kind() { x.clone() } else { Formula::ff() };
                let inner = self.release(x, y.clone());
                return self.next(inner);
            }
            (Kind::False, Kind::Release(_, y)) => return self.release(Formula::ff(), y.clone()),
            (_, Kind::Release(x, y)) => {
                if self.implications.implies(x, &a) {
                    return b;
                }
                if self.implications.implies(&a, x) {
                    return self.release(a, y.clone());
                }
            }
            (Kind::Release(x, y), _) if self.implications.implies(&b, x) => {
                return self.release(y.clone(), b);
            }
            (_, Kind::And(list)) if list.iter().any(is_universal) => {
                let (out, rest) = split(list, is_universal);
                let rest = self.release(a, Formula::and(rest));
                return self.and([out, vec![rest]].concat());
            }
            (_, Kind::Or(list)) if list.iter().any(is_suspendable) => {
                let (out, rest) = split(list, is_suspendable);
                let rest = self.release(a, Formula::or(rest));
                return self.or([out, vec![rest]].concat());
            }
            (Kind::False, Kind::And(list)) if list.iter().any(|f| !f.is_boolean()) => {
                let parts = list.iter().map(|f| self.release(Formula::ff(), f.clone())).collect();
                return self.and(parts);
            }
            _ => {}
        }
        if let Kind::Or(list) = a.kind() {
            let rest: Vec<_> = list.to_vec();
            if let Some(index) = rest.iter().position(|f| self.implications.exclude(f, &b)) {
                let mut rest = rest;
                rest.remove(index);
                return self.release(Formula::or(rest), b);
            }
        }
        Formula::release(a, b)
    }

    fn and(&mut self, parts: Vec<Formula>) -> Formula {
        let whole = Formula::and(parts);
        let Kind::And(list) = whole.kind() else { return whole };
        let list = self.merge(list.to_vec(), true);
        let mut kept: Vec<Formula> = Vec::new();
        for (index, part) in list.iter().enumerate() {
            if list.iter().any(|other| other != part && self.implications.exclude(part, other)) {
                return Formula::ff();
            }
            let weaker = |(other_index, other): (usize, &Formula)| {
                other_index != index
                    && self.implications.implies(other, part)
                    && (other_index < index || !self.implications.implies(part, other))
            };
            if !list.iter().enumerate().any(weaker) {
                kept.push(part.clone());
            }
        }
        kept.sort();
        Formula::and(kept)
    }

    fn or(&mut self, parts: Vec<Formula>) -> Formula {
        let whole = Formula::or(parts);
        let Kind::Or(list) = whole.kind() else { return whole };
        let list = self.merge(list.to_vec(), false);
        let mut kept: Vec<Formula> = Vec::new();
        for (index, part) in list.iter().enumerate() {
            if list.iter().any(|other| other != part && self.implications.exhaust(part, other)) {
                return Formula::tt();
            }
            let stronger = |(other_index, other): (usize, &Formula)| {
                other_index != index
                    && self.implications.implies(part, other)
                    && (other_index < index || !self.implications.implies(other, part))
            };
            if !list.iter().enumerate().any(stronger) {
                kept.push(part.clone());
            }
        }
        kept.sort();
        Formula::or(kept)
    }

    /// Brings operands of a conjunction (or disjunction) together that have one operator in
    /// common: `X a && X b`, `G a && G b`, `a U b && c U b`, `F G a && F G b`, and their duals.
    fn merge(&mut self, list: Vec<Formula>, and: bool) -> Vec<Formula> {
        let join = |parts: Vec<Formula>| if and { Formula::and(parts) } else { Formula::or(parts) };
        let (mut nexts, mut fixed, mut stable) = (Vec::new(), Vec::new(), Vec::new());
        let mut lefts: Vec<(Formula, Vec<Formula>)> = Vec::new();
        let mut rights: Vec<(Formula, Vec<Formula>)> = Vec::new();
        let mut result = Vec::new();
        for part in list {
            match part.kind() {
                Kind::Next(inner) => nexts.push(inner.clone()),
                _ if stable_core(&part, and).is_some() => {
                    stable.extend(stable_core(&part, and).cloned());
                }
                // G a && G b (F a || F b), but only what is boolean: otherwise nothing is won.
                Kind::Release(a, b) if and && a.is_false() && b.is_boolean() => {
                    fixed.push(b.clone())
                }
                Kind::Until(a, b) if !and && a.is_true() && b.is_boolean() => fixed.push(b.clone()),
                // Other always stay apart: G F a is best seen alone.
                Kind::Release(a, _) if and && a.is_false() => result.push(part),
                // a U b && c U b is (a && c) U b; a R b || c R b likewise.
                Kind::Until(a, b) if and => group(&mut rights, b, a),
                Kind::Release(a, b) if !and => group(&mut rights, b, a),
                // a R b && a R c is a R (b && c); a U b || a U c likewise.
                Kind::Release(a, b) => group(&mut lefts, a, b),
                Kind::Until(a, b) => group(&mut lefts, a, b),
                _ => result.push(part),
            }
        }
        if !nexts.is_empty() {
            let inner = if and { self.and(nexts) } else { self.or(nexts) };
            result.push(self.next(inner));
        }
        let outer = |f: Formula| if and { Formula::globally(f) } else { Formula::finally(f) };
        let inner = |f: Formula| if and { Formula::finally(f) } else { Formula::globally(f) };
        if !fixed.is_empty() {
            result.push(outer(join(fixed)));
        }
        if !stable.is_empty() {
            result.push(inner(outer(join(stable))));
        }
        for (right, left) in rights {
            let left = join(left);
            result.push(if and {
                Formula::until(left, right)
            } else {
                Formula::release(left, right)
            });
        }
        for (left, right) in lefts {
            let right = join(right);
            result.push(if and {
                Formula::release(left, right)
            } else {
                Formula::until(left, right)
            });
        }
        let whole = join(result);
        match whole.kind() {
            Kind::And(list) if and => list.to_vec(),
            Kind::Or(list) if !and => list.to_vec(),
            _ => vec![whole],
        }
    }
}

fn group(groups: &mut Vec<(Formula, Vec<Formula>)>, key: &Formula, member: &Formula) {
    match groups.iter_mut().find(|(known, _)| known == key) {
        Some((_, members)) => members.push(member.clone()),
        None => groups.push((key.clone(), vec![member.clone()])),
    }
}

/// `a` if the formula is `F G a` (in a conjunction) or `G F a` (in a disjunction).
fn stable_core(formula: &Formula, and: bool) -> Option<&Formula> {
    match formula.kind() {
        Kind::Until(a, b) if and && a.is_true() => match b.kind() {
            Kind::Release(c, inner) if c.is_false() => Some(inner),
            _ => None,
        },
        Kind::Release(a, b) if !and && a.is_false() => match b.kind() {
            Kind::Until(c, inner) if c.is_true() => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

fn split(list: &[Formula], goes_out: fn(&Formula) -> bool) -> (Vec<Formula>, Vec<Formula>) {
    list.iter().cloned().partition(goes_out)
}
