//! Do two automata accept a word in common?

use crate::bdd::{NONE, Store};
use crate::omega::{Edge, Omega};
use rustc_hash::FxHashMap;

/// Pairs of states beyond which the question is not answered.
const MAX_PAIRS: usize = 200_000;

/// Is the intersection of the two languages empty? `None` if that is too much work.
pub(crate) fn disjoint(store: &mut Store, a: &Omega, b: &Omega) -> Option<bool> {
    let (a, b) = (marked(a), marked(b));
    let sets = a.sets + b.sets;
    if sets > 63 {
        return None;
    }
    let mut numbers = FxHashMap::default();
    let mut order = vec![(a.initial, b.initial)];
    numbers.insert(order[0], 0);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while let Some((p, q)) = order.get(edges.len()).copied() {
        let mut own = Vec::new();
        for x in &a.edges[p] {
            for y in &b.edges[q] {
                let label = store.and(x.label, y.label);
                if label == NONE {
                    continue;
                }
                let to = *numbers.entry((x.to, y.to)).or_insert_with(|| {
                    order.push((x.to, y.to));
                    order.len() - 1
                });
                own.push(Edge { label, marks: x.marks | y.marks << a.sets, to });
            }
        }
        edges.push(own);
        if order.len() > MAX_PAIRS {
            return None;
        }
    }
    Some(Omega { edges, initial: 0, sets, colours: None }.is_empty())
}

/// The same automaton with accepting states as one more acceptance set of edges.
pub(crate) fn marked(automaton: &Omega) -> Omega {
    let mut result = automaton.clone();
    let Some(colours) = result.colours.take() else { return result };
    let mark = 1 << result.sets;
    result.sets += 1;
    for (state, edges) in result.edges.iter_mut().enumerate() {
        if colours[state] {
            edges.iter_mut().for_each(|edge| edge.marks |= mark);
        }
    }
    result
}
