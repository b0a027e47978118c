//! Büchi automata as the product with a system needs them.

use crate::bdd::Store;
use crate::label::Label;
use crate::omega::{Edge, Omega};
use crate::scc::{Components, components};

/// A transition: taken on every letter that satisfies the label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    pub label: Label,
    pub target: usize,
}

/// A Büchi automaton with one initial state. It accepts a word if some run on it passes
/// accepting states for ever. It need not be complete: a letter without a transition ends a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The transitions of each state.
    pub states: Vec<Vec<Transition>>,
    pub initial: usize,
    /// For each state whether it is accepting.
    pub accepting: Vec<bool>,
}

impl Automaton {
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Are there no states? An automaton always has its initial one.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub fn transition_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Where the automaton may go from `state` on a letter, the bit set of true atoms.
    #[inline]
    pub fn successors(&self, state: usize, letter: u64) -> impl Iterator<Item = usize> {
        let enabled = self.states[state].iter().filter(move |t| t.label.holds(letter));
        enabled.map(|transition| transition.target)
    }

    /// The atoms that some label depends on, as a bit set.
    pub fn atoms(&self) -> u64 {
        self.states.iter().flatten().fold(0, |all, transition| all | transition.label.atoms())
    }

    /// Strongly connected components; edges lead to components with smaller numbers or stay.
    pub fn components(&self) -> Components {
        components(self.len(), |state| self.states[state].iter().map(|t| t.target))
    }

    /// Does each cycle pass only accepting states, or only others? Then a cycle of a product is
    /// accepting if any of its states is.
    pub fn is_weak(&self) -> bool {
        let parts = self.components();
        let mut seen: Vec<Option<bool>> = vec![None; parts.count];
        (0..self.len()).all(|state| {
            *seen[parts.of[state]].get_or_insert(self.accepting[state]) == self.accepting[state]
        })
    }

    /// Is every accepting state an accepting sink? Then a run that reaches one is accepted
    /// whatever follows, and plain reachability suffices.
    pub fn is_terminal(&self) -> bool {
        self.is_weak() && (0..self.len()).all(|s| !self.accepting[s] || self.is_universal_part(s))
    }

    /// An accepting state that stays on every letter.
    pub fn is_accepting_sink(&self, state: usize) -> bool {
        let stays = |t: &Transition| t.target == state && t.label.is_true();
        self.accepting[state] && self.states[state].iter().any(stays)
    }

    pub fn has_accepting_sink(&self) -> bool {
        (0..self.len()).any(|state| self.is_accepting_sink(state))
    }

    /// May a run stay in accepting states for ever from here, whatever the letters?
    fn is_universal_part(&self, state: usize) -> bool {
        let mut store = Store::new();
        let omega = self.to_omega(&mut store);
        let mut all = crate::bdd::NONE;
        for edge in omega.edges[state].iter().filter(|edge| self.accepting[edge.to]) {
            all = store.or(all, edge.label);
        }
        all == crate::bdd::ALL
    }

    /// Is there at most one transition for each state and letter?
    pub fn is_deterministic(&self) -> bool {
        let mut store = Store::new();
        let omega = self.to_omega(&mut store);
        omega.edges.iter().all(|edges| {
            let mut seen = crate::bdd::NONE;
            edges.iter().all(|edge| {
                let fresh = store.and(seen, edge.label) == crate::bdd::NONE;
                seen = store.or(seen, edge.label);
                fresh
            })
        })
    }

    /// Does the automaton accept the word `prefix cycle cycle cycle ...`? An empty cycle is no
    /// infinite word: nothing accepts it.
    pub fn accepts(&self, prefix: &[u64], cycle: &[u64]) -> bool {
        if cycle.is_empty() {
            return false;
        }
        let length = prefix.len() + cycle.len();
        let next = |place: usize| if place + 1 == length { prefix.len() } else { place + 1 };
        let letter =
            |place: usize| *prefix.get(place).unwrap_or_else(|| &cycle[place - prefix.len()]);
        let edges = (0..self.len() * length).map(|pair| {
            let (state, place) = (pair / length, pair % length);
            let targets = self.successors(state, letter(place));
            let edge = |to: usize| Edge {
                label: crate::bdd::ALL,
                marks: 0,
                to: to * length + next(place),
            };
            targets.map(edge).collect()
        });
        let colours = (0..self.len() * length).map(|pair| self.accepting[pair / length]).collect();
        let initial = self.initial * length;
        let run = Omega { edges: edges.collect(), initial, sets: 0, colours: Some(colours) };
        !run.is_empty()
    }

    pub(crate) fn to_omega(&self, store: &mut Store) -> Omega {
        let mut edges = Vec::with_capacity(self.len());
        for transitions in &self.states {
            let mut own = Vec::with_capacity(transitions.len());
            for transition in transitions {
                let label = store.label(&transition.label);
                own.push(Edge { label, marks: 0, to: transition.target });
            }
            edges.push(own);
        }
        let colours = Some(self.accepting.clone());
        Omega { edges, initial: self.initial, sets: 0, colours }
    }

    /// The automaton must have colours and no sets.
    pub(crate) fn from_omega(store: &mut Store, omega: &Omega) -> Self {
        let mut states = Vec::with_capacity(omega.len());
        for edges in &omega.edges {
            let mut own = Vec::with_capacity(edges.len());
            for edge in edges {
                let label = Label::new(store.cubes(edge.label));
                own.push(Transition { label, target: edge.to });
            }
            states.push(own);
        }
        let accepting = (0..omega.len()).map(|state| omega.colour(state)).collect();
        Automaton { states, initial: omega.initial, accepting }
    }
}
