//! Merging states that only the meaning tells to be mergeable.
//!
//! Two states of an automaton made one accept at least what they accepted before. If the result
//! still has no word in common with the automaton of the negation, it accepts nothing new. This
//! finds what no simulation relation sees, at the price of a product for each attempt, so it is
//! the last step and for small automata only.

use crate::bdd::Store;
use crate::omega::Omega;
use crate::product::disjoint;
use crate::simulation::reduce;

/// The product of the two sizes beyond which nothing is tried.
const MAX_PAIRS: usize = 600;
const MAX_WORK: u64 = 5_000_000;

/// `automaton` is a Büchi automaton, `negative` accepts exactly what it does not.
pub(crate) fn merge_states(store: &mut Store, automaton: Omega, negative: &Omega) -> Omega {
    let mut best = automaton;
    let started = store.work;
    while best.len() * negative.len() <= MAX_PAIRS && store.work - started < MAX_WORK {
        let Some(smaller) = merge_two(store, &best, negative) else { break };
        best = smaller;
    }
    best
}

fn merge_two(store: &mut Store, automaton: &Omega, negative: &Omega) -> Option<Omega> {
    for p in 0..automaton.len() {
        for q in p + 1..automaton.len() {
            let merged = merged(automaton, p, q);
            if disjoint(store, &merged, negative) == Some(true) {
                return Some(reduce(store, merged)).filter(|result| result.len() < automaton.len());
            }
        }
    }
    None
}

/// `q` becomes `p`.
fn merged(automaton: &Omega, p: usize, q: usize) -> Omega {
    let mut result = automaton.clone();
    let moved = std::mem::take(&mut result.edges[q]);
    result.edges[p].extend(moved);
    for edge in result.edges.iter_mut().flatten().filter(|edge| edge.to == q) {
        edge.to = p;
    }
    if result.initial == q {
        result.initial = p;
    }
    if let Some(colours) = &mut result.colours {
        colours[p] |= colours[q];
    }
    result
}
