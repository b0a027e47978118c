//! Very weak alternating automata: the states are subformulas, the successors of a state are
//! sets of states all of which must accept the rest of the word.
//!
//! The construction of Gastin and Oddoux, with two differences: labels are sets of letters, so
//! a move loses the letters on which another one asks for less (which makes automata more
//! deterministic, as in LTL3BA), and `G F a` is one state with an acceptance set of its own.

use crate::bdd::{ALL, NONE, Set, Store};
use crate::formula::{Formula, Kind};
use rustc_hash::FxHashMap;

/// A set of states of the alternating automaton.
pub(crate) type States = u128;

pub(crate) const MAX_STATES: usize = 128;

/// More combinations than this of the moves of two formulas are not tried.
const MAX_MOVES: usize = 100_000;

/// More moves than this are not compared with each other.
const MAX_COMPARED: usize = 2_000;

/// The formula has too many temporal subformulas.
#[derive(Debug)]
pub(crate) struct TooLarge;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub label: Set,
    pub next: States,
    /// The acceptance sets of those eventualities that this move fulfils.
    pub marks: u64,
}

pub(crate) struct Alternating<'s> {
    pub store: &'s mut Store,
    /// Should a move lose the letters on which another one asks for less?
    pub exclusive: bool,
    /// The construction is given up when the store's clock shows this.
    limit: u64,
    states: Vec<Formula>,
    numbers: FxHashMap<Formula, usize>,
    /// The acceptance set of each state that may not be left pending for ever.
    pub sets: FxHashMap<usize, u32>,
    moves: FxHashMap<Formula, Vec<Move>>,
}

impl<'s> Alternating<'s> {
    pub fn new(store: &'s mut Store, exclusive: bool, work: u64) -> Self {
        let limit = store.work + work;
        Alternating {
            store,
            exclusive,
            limit,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            sets: FxHashMap::default(),
            moves: FxHashMap::default(),
        }
    }

    fn state(&mut self, formula: &Formula) -> Result<States, TooLarge> {
        if let Some(number) = self.numbers.get(formula) {
            return Ok(1 << number);
        }
        let number = self.states.len();
        if number == MAX_STATES {
            return Err(TooLarge);
        }
        if matches!(formula.kind(), Kind::Until(..)) || recurrent(formula).is_some() {
            let set = self.sets.len() as u32;
            if set == 64 {
                return Err(TooLarge);
            }
            self.sets.insert(number, set);
        }
        self.states.push(formula.clone());
        self.numbers.insert(formula.clone(), number);
        Ok(1 << number)
    }

    /// The formula as alternatives, each a set of states.
    pub fn alternatives(&mut self, formula: &Formula) -> Result<Vec<States>, TooLarge> {
        match formula.kind() {
            Kind::True => Ok(vec![0]),
            Kind::False => Ok(vec![]),
            Kind::And(list) if !formula.is_boolean() => {
                let mut all = vec![0];
                for part in list {
                    let options = self.alternatives(part)?;
                    all = all.iter().flat_map(|a| options.iter().map(move |b| a | b)).collect();
                    keep_smallest(&mut all);
                }
                Ok(all)
            }
            Kind::Or(list) if !formula.is_boolean() => {
                let (now, later): (Vec<_>, Vec<_>) =
                    list.iter().cloned().partition(Formula::is_boolean);
                let mut all = Vec::new();
                if !now.is_empty() {
                    all.push(self.state(&Formula::or(now))?);
                }
                for part in &later {
                    all.extend(self.alternatives(part)?);
                }
                keep_smallest(&mut all);
                Ok(all)
            }
            _ => Ok(vec![self.state(formula)?]),
        }
    }

    /// The letters that satisfy a formula without temporal operators.
    pub fn letters(&mut self, formula: &Formula) -> Set {
        letters(self.store, formula)
    }

    /// All moves of a state set: one move of each of its states, combined.
    pub fn moves_of_set(&mut self, set: States) -> Result<Vec<Move>, TooLarge> {
        let mut all = vec![Move { label: ALL, next: 0, marks: 0 }];
        for number in (0..MAX_STATES).filter(|number| set >> number & 1 == 1) {
            let formula = self.states[number].clone();
            let own = self.moves(&formula)?;
            all = self.both(&all, &own)?;
        }
        Ok(all)
    }

    /// The moves of a formula in negation normal form.
    pub fn moves(&mut self, formula: &Formula) -> Result<Vec<Move>, TooLarge> {
        if let Some(known) = self.moves.get(formula) {
            return Ok(known.clone());
        }
        let mut moves = self.derive(formula)?;
        self.reduce(&mut moves);
        self.moves.insert(formula.clone(), moves.clone());
        Ok(moves)
    }

    fn derive(&mut self, formula: &Formula) -> Result<Vec<Move>, TooLarge> {
        if formula.is_boolean() {
            let label = self.letters(formula);
            return Ok(if label == NONE {
                vec![]
            } else {
                vec![Move { label, next: 0, marks: 0 }]
            });
        }
        match formula.kind() {
            Kind::Next(inner) => {
                let options = self.alternatives(inner)?;
                Ok(options.into_iter().map(|next| Move { label: ALL, next, marks: 0 }).collect())
            }
            Kind::And(list) => {
                let mut all = vec![Move { label: ALL, next: 0, marks: 0 }];
                for part in list {
                    let own = without_marks(self.moves(part)?);
                    all = self.both(&all, &own)?;
                }
                Ok(all)
            }
            Kind::Or(list) => {
                let mut all = Vec::new();
                for part in list {
                    all.extend(self.moves(part)?);
                }
                Ok(without_marks(all))
            }
            Kind::Until(a, b) => {
                let stay = Move { label: ALL, next: self.state(formula)?, marks: 0 };
                let mark = self.mark(formula);
                let mut all = without_marks(self.moves(b)?);
                all.iter_mut().for_each(|done| done.marks = mark);
                let before = without_marks(self.moves(a)?);
                all.extend(self.both(&before, &[stay])?);
                Ok(all)
            }
            Kind::Release(a, b) => self.release(formula, a, b),
            _ => Ok(vec![]),
        }
    }

    fn release(
        &mut self,
        formula: &Formula,
        a: &Formula,
        b: &Formula,
    ) -> Result<Vec<Move>, TooLarge> {
        let stay = Move { label: ALL, next: self.state(formula)?, marks: 0 };
        if let Some(inner) = recurrent(formula) {
            let mark = self.mark(formula);
            let now = without_marks(self.moves(inner)?);
            let mut all = self.both(&now, &[stay])?;
            all.iter_mut().for_each(|done| done.marks = mark);
            all.push(stay);
            return Ok(all);
        }
        let mut either = without_marks(self.moves(a)?);
        either.push(stay);
        let right = without_marks(self.moves(b)?);
        self.both(&right, &either)
    }

    fn mark(&self, formula: &Formula) -> u64 {
        let set = self.numbers.get(formula).and_then(|number| self.sets.get(number));
        set.map_or(0, |set| 1 << set)
    }

    pub fn is_recurrence(&self, number: usize) -> bool {
        recurrent(&self.states[number]).is_some()
    }

    fn both(&mut self, left: &[Move], right: &[Move]) -> Result<Vec<Move>, TooLarge> {
        if left.len() * right.len() > MAX_MOVES || self.store.work > self.limit {
            return Err(TooLarge);
        }
        let mut all = Vec::with_capacity(left.len() * right.len());
        for a in left {
            for b in right {
                let label = self.store.and(a.label, b.label);
                if label != NONE {
                    all.push(Move { label, next: a.next | b.next, marks: a.marks | b.marks });
                }
            }
        }
        self.reduce(&mut all);
        Ok(all)
    }

    /// Unites moves to the same set, and drops (or restricts) those that ask for more than
    /// another one and fulfil no more.
    pub fn reduce(&mut self, moves: &mut Vec<Move>) {
        let mut united: FxHashMap<(States, u64), Set> = FxHashMap::default();
        for one in moves.iter() {
            let label = united.entry((one.next, one.marks)).or_insert(NONE);
            *label = self.store.or(*label, one.label);
        }
        let mut all: Vec<Move> =
            united.into_iter().map(|((next, marks), label)| Move { label, next, marks }).collect();
        all.sort_by_key(|one| (one.next.count_ones(), one.next, !one.marks));
        moves.clear();
        if all.len() > MAX_COMPARED {
            moves.append(&mut all);
            return;
        }
        // Moves that ask for least come first; each loses the letters of better ones.
        for (index, one) in all.iter().enumerate() {
            let mut label = one.label;
            for other in &all[..index] {
                let better = other.next & !one.next == 0 && one.marks & !other.marks == 0;
                if better && (self.exclusive || self.store.is_subset(label, other.label)) {
                    label = self.store.minus(label, other.label);
                    if label == NONE {
                        break;
                    }
                }
            }
            if label != NONE {
                moves.push(Move { label, ..*one });
            }
        }
    }
}

/// A move within a larger formula fulfils nothing of the smaller ones' acceptance sets.
fn without_marks(mut moves: Vec<Move>) -> Vec<Move> {
    moves.iter_mut().for_each(|one| one.marks = 0);
    moves
}

/// `a` if the formula is `G F a`.
pub(crate) fn recurrent(formula: &Formula) -> Option<&Formula> {
    let Kind::Release(never, inner) = formula.kind() else { return None };
    let Kind::Until(always, inner) = inner.kind() else { return None };
    (never.is_false() && always.is_true()).then_some(inner)
}

pub(crate) fn letters(store: &mut Store, formula: &Formula) -> Set {
    match formula.kind() {
        Kind::True => ALL,
        Kind::Atom(atom) => store.atom(*atom),
        Kind::Not(inner) => {
            let inner = letters(store, inner);
            store.not(inner)
        }
        Kind::And(list) => list.iter().fold(ALL, |all, part| {
            let part = letters(store, part);
            store.and(all, part)
        }),
        Kind::Or(list) => list.iter().fold(NONE, |all, part| {
            let part = letters(store, part);
            store.or(all, part)
        }),
        _ => NONE,
    }
}

/// Drops each set that contains another one: it asks for more.
fn keep_smallest(sets: &mut Vec<States>) {
    sets.sort_by_key(|set| (set.count_ones(), *set));
    sets.dedup();
    let mut kept: Vec<States> = Vec::new();
    for set in sets.iter() {
        if !kept.iter().any(|smaller| smaller & !set == 0) {
            kept.push(*set);
        }
    }
    *sets = kept;
}
