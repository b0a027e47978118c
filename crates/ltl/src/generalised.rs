//! From the alternating automaton to a generalised Büchi automaton: its states are sets of
//! states that must all accept.

use crate::alternating::{Alternating, MAX_STATES, Move, States, TooLarge};
use crate::bdd::{NONE, Set, Store};
use crate::formula::Formula;
use crate::omega::{Edge, Omega};
use rustc_hash::FxHashMap;

/// Which edges belong to the acceptance set of an until. Both are right; which one leads to the
/// smaller automaton differs from formula to formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marking {
    /// Those that do not leave it pending from the state before.
    Pending,
    /// Those after which it is not pending, and those that fulfil it although it is.
    Present,
}

pub(crate) const MAX_AUTOMATON: usize = 4_000;

/// The automaton of a formula in negation normal form; given up after so much `work`.
pub(crate) fn generalised(
    store: &mut Store,
    formula: &Formula,
    exclusive: bool,
    marking: Marking,
    work: u64,
) -> Result<Omega, TooLarge> {
    let alternating = Alternating::new(store, exclusive, work);
    let mut builder = Builder { alternating, marking, numbers: FxHashMap::default(), todo: vec![] };
    builder.build(formula)
}

struct Builder<'s> {
    alternating: Alternating<'s>,
    marking: Marking,
    numbers: FxHashMap<States, usize>,
    todo: Vec<States>,
}

impl Builder<'_> {
    fn build(&mut self, formula: &Formula) -> Result<Omega, TooLarge> {
        let mut edges: Vec<Vec<Move>> = Vec::new();
        // How many acceptance sets there were when the edges of a state were made.
        let mut known: Vec<usize> = Vec::new();
        if let [only] = self.alternating.alternatives(formula)?[..] {
            self.number(only);
        } else {
            // A state of its own for the choice at the beginning.
            let first = self.alternating.moves(formula)?;
            self.todo.push(0);
            edges.push(first.clone());
            known.push(0);
            first.iter().for_each(|one| {
                self.number(one.next);
            });
        }
        while let Some(set) = self.todo.get(edges.len()).copied() {
            let moves = self.moves(set)?;
            moves.iter().for_each(|one| {
                self.number(one.next);
            });
            edges.push(moves);
            known.push(self.alternating.sets.len());
            if self.todo.len() > MAX_AUTOMATON {
                return Err(TooLarge);
            }
        }
        let sets = self.alternating.sets.len() as u32;
        let mut result = Omega { edges: Vec::new(), initial: 0, sets, colours: None };
        for (moves, known) in edges.iter().zip(known) {
            let later = result.all_marks() & u64::MAX.checked_shl(known as u32).unwrap_or(0);
            let edge = |one: &Move| Edge {
                label: one.label,
                marks: one.marks | later,
                to: self.numbers.get(&one.next).copied().unwrap_or(0),
            };
            result.edges.push(moves.iter().map(edge).collect());
        }
        Ok(result)
    }

    fn number(&mut self, set: States) -> usize {
        *self.numbers.entry(set).or_insert_with(|| {
            self.todo.push(set);
            self.todo.len() - 1
        })
    }

    fn moves(&mut self, set: States) -> Result<Vec<Move>, TooLarge> {
        let mut moves = self.alternating.moves_of_set(set)?;
        match self.marking {
            Marking::Pending => {
                let absent = self.absent(set);
                moves.iter_mut().for_each(|one| one.marks |= absent);
            }
            Marking::Present => moves = self.marked_by_target(set, &moves)?,
        }
        self.alternating.reduce(&mut moves);
        Ok(moves)
    }

    /// The acceptance sets of what is not in a set of states.
    fn absent(&self, set: States) -> u64 {
        let absent = self.alternating.sets.iter().filter(|(number, _)| set >> **number & 1 == 0);
        absent.fold(0, |all, (_, mark)| all | 1 << mark)
    }

    fn marked_by_target(&mut self, set: States, moves: &[Move]) -> Result<Vec<Move>, TooLarge> {
        let mut done = Vec::new();
        for one in moves {
            let absent = self.absent(one.next) | self.recurrences(one, set);
            let mut split = vec![Move { marks: absent, ..*one }];
            for number in (0..MAX_STATES).filter(|number| one.next >> number & 1 == 1) {
                let Some(mark) = self.alternating.sets.get(&number).map(|set| 1u64 << set) else {
                    continue;
                };
                if absent & mark != 0 || self.alternating.is_recurrence(number) {
                    continue;
                }
                let fulfilled = self.fulfilling(number, one.next)?;
                split = split_by(self.alternating.store, &split, fulfilled, mark);
            }
            done.extend(split);
        }
        Ok(done)
    }

    /// A recurrence stays in the set for ever: what counts is whether the move fulfils it.
    fn recurrences(&self, one: &Move, set: States) -> u64 {
        let all = self.alternating.sets.iter();
        let all = all.filter(|(number, _)| self.alternating.is_recurrence(**number));
        all.filter(|(number, mark)| set >> **number & 1 == 0 || one.marks >> **mark & 1 == 1)
            .fold(0, |all, (_, mark)| all | 1 << mark)
    }

    /// The letters on which a state is fulfilled by a move into part of `next`.
    fn fulfilling(&mut self, number: usize, next: States) -> Result<Set, TooLarge> {
        let own = self.alternating.moves_of_set(1 << number)?;
        let mut letters = NONE;
        for one in own.iter().filter(|one| one.next >> number & 1 == 0 && one.next & !next == 0) {
            letters = self.alternating.store.or(letters, one.label);
        }
        Ok(letters)
    }
}

/// Adds a mark to the part of each move whose letters are in `letters`.
fn split_by(store: &mut Store, moves: &[Move], letters: Set, mark: u64) -> Vec<Move> {
    let mut split = Vec::new();
    for one in moves {
        let (inside, outside) = (store.and(one.label, letters), store.minus(one.label, letters));
        for (label, marks) in [(inside, one.marks | mark), (outside, one.marks)] {
            if label != NONE {
                split.push(Move { label, marks, ..*one });
            }
        }
    }
    split
}
