//! Finds the way to a stored state, from its end backwards.
//!
//! A link names the state before only in part: what agrees with it is a candidate, and one from
//! which a step leads on is as good as the state that was meant. But a way through such states may
//! lead round in circles. So this is a search: in breadth, through each state once. It ends,
//! because the states that were meant lead to an initial one, and its way is not longer than
//! theirs; after a breadth-first search there is none shorter.

use crate::edge::{Edge, MOST_CHOICES, Way};
use auspex_store::{Lean, Root, Unpacked};
use auspex_system::{Enough, Explorer, Step, Successor, Successors};
use std::collections::{HashSet, VecDeque};

pub(crate) struct Trail<'a, E> {
    store: &'a Lean,
    explorer: E,
    out: Successors,
    /// Does the search reduce?
    reduced: bool,
    from: Unpacked,
    to: Unpacked,
}

/// A state, and the edge by which the way leads on from it.
struct Stop {
    root: Root,
    edge: Option<Edge>,
    /// The place of the next one.
    next: usize,
}

impl<'a, E: Explorer> Trail<'a, E> {
    pub fn new(store: &'a Lean, explorer: E, reduced: bool) -> Self {
        let (from, to) = Default::default();
        Trail { store, explorer, out: Successors::new(), reduced, from, to }
    }

    /// A way from an initial state to a stored one.
    pub fn to(&mut self, target: Root) -> Option<Way> {
        let mut stops = vec![Stop { root: target, edge: None, next: 0 }];
        let (mut seen, mut queue) = (HashSet::from([target]), VecDeque::from([0]));
        while let Some(at) = queue.pop_front() {
            let root = stops[at].root;
            self.store.read(root, &mut self.to);
            if self.store.is_initial(root) {
                let edges = std::iter::successors(Some(&stops[at]), |stop| stops.get(stop.next));
                let edges = edges.map_while(|stop| stop.edge).collect();
                return Some(Way { initial: self.initial()?, edges });
            }
            for origin in self.store.origins(root) {
                if seen.contains(&origin) {
                    continue;
                }
                // Only what leads here counts as seen: another way may lead through the rest.
                if let Some(edge) = self.edge(origin) {
                    seen.insert(origin);
                    queue.push_back(stops.len());
                    stops.push(Stop { root: origin, edge: Some(edge), next: at });
                }
            }
        }
        None
    }

    /// The step that gives the initial state in `self.to`.
    fn initial(&mut self) -> Option<Step> {
        self.out.clear();
        self.explorer.initial(&mut self.out);
        self.step()
    }

    /// The edge from a state to the one in `self.to`, if there is one.
    fn edge(&mut self, from: Root) -> Option<Edge> {
        self.store.read(from, &mut self.from);
        for choice in 0..if self.reduced { MOST_CHOICES } else { 0 } {
            self.out.clear();
            let (state, number) = (self.from.state(), usize::from(choice));
            if self.explorer.reduced(state, number, &mut self.out) == Enough::No {
                continue;
            }
            if let Some(step) = self.step() {
                return Some(Edge { choice: Some(choice), step });
            }
        }
        self.out.clear();
        self.explorer.successors(self.from.state(), &mut self.out);
        self.step().map(|step| Edge { choice: None, step })
    }

    fn step(&self) -> Option<Step> {
        let bytes = self.to.state().bytes;
        let leads_there = |successor: &Successor<'_>| matches!(successor, Successor::State(s) if s.bytes == bytes);
        self.out.iter().find(|(_, s)| leads_there(s)).map(|(step, _)| step)
    }
}
