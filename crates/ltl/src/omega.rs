//! Automata while they are being made smaller: generalised Büchi, accepting by transitions,
//! by states, or both.

use crate::bdd::{NONE, Set, Store};
use crate::scc::{Components, components};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Edge {
    pub label: Set,
    /// The acceptance sets it belongs to.
    pub marks: u64,
    pub to: usize,
}

/// A run is accepted if it takes edges of each of the `sets` acceptance sets for ever, and, where
/// there are colours, passes coloured states for ever.
#[derive(Clone, Debug)]
pub(crate) struct Omega {
    pub edges: Vec<Vec<Edge>>,
    pub initial: usize,
    pub sets: u32,
    /// For each state whether it is accepting; a plain Büchi automaton has this and no sets.
    pub colours: Option<Vec<bool>>,
}

impl Omega {
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub fn all_marks(&self) -> u64 {
        if self.sets == 64 { u64::MAX } else { (1 << self.sets) - 1 }
    }

    pub fn colour(&self, state: usize) -> bool {
        self.colours.as_ref().is_some_and(|colours| colours[state])
    }

    pub fn components(&self) -> Components {
        components(self.len(), |state| self.edges[state].iter().map(|edge| edge.to))
    }

    /// Which components contain an accepting cycle.
    pub fn accepting_components(&self, parts: &Components) -> Vec<bool> {
        let mut marks = vec![0u64; parts.count];
        let mut cyclic = vec![false; parts.count];
        let mut coloured = vec![self.colours.is_none(); parts.count];
        for (state, edges) in self.edges.iter().enumerate() {
            let part = parts.of[state];
            coloured[part] |= self.colour(state);
            for edge in edges.iter().filter(|edge| parts.of[edge.to] == part) {
                marks[part] |= edge.marks;
                cyclic[part] = true;
            }
        }
        let all = self.all_marks();
        (0..parts.count).map(|part| cyclic[part] && coloured[part] && marks[part] == all).collect()
    }

    pub fn is_empty(&self) -> bool {
        let trimmed = self.clone().trimmed();
        trimmed.edges[trimmed.initial].is_empty()
    }

    /// Only the states that can be reached and from which something is accepted.
    pub fn trimmed(mut self) -> Self {
        self.edges.iter_mut().for_each(|edges| edges.retain(|edge| edge.label != NONE));
        let parts = self.components();
        let accepting = self.accepting_components(&parts);
        // Components are numbered backwards: successors first.
        let mut useful = accepting;
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|state| parts.of[*state]);
        for state in order {
            let leads = self.edges[state].iter().any(|edge| useful[parts.of[edge.to]]);
            useful[parts.of[state]] |= leads;
        }
        self.edges.iter_mut().for_each(|edges| edges.retain(|edge| useful[parts.of[edge.to]]));
        self.reachable()
    }

    /// Only the states that can be reached, in the order in which they are.
    fn reachable(self) -> Self {
        let mut new = vec![usize::MAX; self.len()];
        let mut order = vec![self.initial];
        new[self.initial] = 0;
        let mut next = 0;
        while let Some(state) = order.get(next).copied() {
            next += 1;
            for edge in &self.edges[state] {
                if new[edge.to] == usize::MAX {
                    new[edge.to] = order.len();
                    order.push(edge.to);
                }
            }
        }
        let rename = |edge: &Edge| Edge { to: new[edge.to], ..*edge };
        let edges = order.iter().map(|s| self.edges[*s].iter().map(rename).collect()).collect();
        let colours = self.colours.map(|old| order.iter().map(|state| old[*state]).collect());
        Omega { edges, initial: 0, sets: self.sets, colours }
    }

    /// Edges that differ only in their labels become one; of two with the same target, letters
    /// go to the one with more marks.
    pub fn join_edges(&mut self, store: &mut Store) {
        for edges in &mut self.edges {
            let mut joined: FxHashMap<(usize, u64), Set> = FxHashMap::default();
            for edge in edges.iter() {
                let label = joined.entry((edge.to, edge.marks)).or_insert(NONE);
                *label = store.or(*label, edge.label);
            }
            let mut list: Vec<_> =
                joined.into_iter().map(|((to, marks), label)| Edge { label, marks, to }).collect();
            list.sort_by_key(|edge| (edge.to, edge.marks));
            *edges = list;
        }
    }

    /// Moves each mark to where it matters: off the edges between components and in rejecting
    /// components (`fill` says whether the former get all marks or none), and acceptance sets
    /// that another one implies within a component are no longer asked for there.
    pub fn clean_marks(&mut self, fill: bool) {
        let parts = self.components();
        let accepting = self.accepting_components(&parts);
        let needed = self.needed_sets(&parts, &accepting);
        let sets = needed.iter().map(Vec::len).max().unwrap_or(0) as u32;
        self.sets = sets;
        let all = self.all_marks();
        for (state, edges) in self.edges.iter_mut().enumerate() {
            let part = parts.of[state];
            for edge in edges {
                edge.marks = if parts.of[edge.to] != part {
                    if fill { all } else { 0 }
                } else if accepting[part] {
                    renumber(edge.marks, &needed[part], all)
                } else {
                    0
                };
            }
        }
        // A rejecting component must stay one.
        if sets == 0 && accepting.iter().zip(self.cyclic(&parts)).any(|(ok, cyclic)| cyclic && !ok)
        {
            self.add_set(&parts, &accepting);
        }
        if let Some(colours) = &mut self.colours {
            for (state, colour) in colours.iter_mut().enumerate() {
                let inner = self.edges[state].iter().any(|e| parts.of[e.to] == parts.of[state]);
                let trivial = !inner && parts.sizes[parts.of[state]] == 1;
                *colour = if trivial { fill } else { *colour && accepting[parts.of[state]] };
            }
        }
    }

    fn cyclic(&self, parts: &Components) -> Vec<bool> {
        let mut cyclic = vec![false; parts.count];
        for (state, edges) in self.edges.iter().enumerate() {
            cyclic[parts.of[state]] |= edges.iter().any(|e| parts.of[e.to] == parts.of[state]);
        }
        cyclic
    }

    fn add_set(&mut self, parts: &Components, accepting: &[bool]) {
        if self.colours.is_some() {
            return;
        }
        self.sets = 1;
        for (state, edges) in self.edges.iter_mut().enumerate() {
            let part = parts.of[state];
            for edge in edges.iter_mut().filter(|edge| parts.of[edge.to] == part) {
                edge.marks = u64::from(accepting[part]);
            }
        }
    }

    /// For each accepting component the sets that do not follow from others.
    fn needed_sets(&self, parts: &Components, accepting: &[bool]) -> Vec<Vec<u32>> {
        let mut inner: Vec<Vec<u64>> = vec![Vec::new(); parts.count];
        for (state, edges) in self.edges.iter().enumerate() {
            let part = parts.of[state];
            let own = edges.iter().filter(|edge| parts.of[edge.to] == part);
            inner[part].extend(own.map(|edge| edge.marks));
        }
        let needed = |part: usize| {
            let mut sets: Vec<u32> = (0..self.sets).collect();
            let has = |marks: &u64, set: u32| marks >> set & 1 == 1;
            sets.retain(|set| !inner[part].iter().all(|marks| has(marks, *set)));
            for set in sets.clone() {
                let follows = |other: &u32| {
                    *other != set && inner[part].iter().all(|m| !has(m, *other) || has(m, set))
                };
                if sets.iter().any(follows) {
                    sets.retain(|other| *other != set);
                }
            }
            sets
        };
        (0..parts.count).map(|part| if accepting[part] { needed(part) } else { vec![] }).collect()
    }
}

/// The marks of a component's own sets, counted from 0; the sets it has not are all there.
fn renumber(marks: u64, needed: &[u32], all: u64) -> u64 {
    let mut result = all;
    for (new, old) in needed.iter().enumerate() {
        if marks >> old & 1 == 0 {
            result &= !(1 << new);
        }
    }
    result
}
