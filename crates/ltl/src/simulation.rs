//! Direct simulation, forwards and backwards: merges states and drops transitions.
//!
//! State `q` simulates `p` if for every letter each edge of `p` is matched by one of `q` that has
//! at least its marks and leads to a state that simulates its target. States that simulate each
//! other are one; an edge is not needed on letters on which the same state has a better one.
//! The backward relation does the same with edges reversed.

use crate::bdd::{NONE, Set, Store};
use crate::omega::{Edge, Omega};

/// Beyond this number of states the relation is not computed: it costs at least the square.
const MAX_STATES: usize = 160;

/// Applies everything there is until nothing gets smaller.
pub(crate) fn reduce(store: &mut Store, automaton: Omega) -> Omega {
    let mut best = automaton.trimmed();
    best.join_edges(store);
    loop {
        let before = (best.len(), best.edge_count());
        for fill in [false, true] {
            best.clean_marks(fill);
            best = forward(store, best);
            best = backward(store, best);
        }
        if (best.len(), best.edge_count()) >= before {
            return best;
        }
    }
}

/// An edge as one end sees it.
#[derive(Clone, Copy)]
struct Arm {
    label: Set,
    marks: u64,
    far: usize,
}

/// `relation[p][q]`: does `q` simulate `p`?
type Relation = Vec<Vec<bool>>;

fn simulation(
    store: &mut Store,
    arms: &[Vec<Arm>],
    allowed: impl Fn(usize, usize) -> bool,
) -> Relation {
    let states = arms.len();
    let mut relation: Relation =
        (0..states).map(|p| (0..states).map(|q| allowed(p, q)).collect()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for p in 0..states {
            for q in 0..states {
                if p != q && relation[p][q] && !matches(store, &relation, &arms[p], &arms[q]) {
                    relation[p][q] = false;
                    changed = true;
                }
            }
        }
    }
    relation
}

/// Is every letter of every arm in `left` answered by an arm in `right`?
fn matches(store: &mut Store, relation: &Relation, left: &[Arm], right: &[Arm]) -> bool {
    left.iter().all(|arm| {
        let mut open = arm.label;
        for other in right {
            if arm.marks & !other.marks == 0 && relation[arm.far][other.far] {
                open = store.minus(open, other.label);
                if open == NONE {
                    return true;
                }
            }
        }
        false
    })
}

/// For each state the first one that is equivalent to it.
fn representatives(relation: &Relation) -> Vec<usize> {
    let equivalent = |p: usize, q: usize| relation[p][q] && relation[q][p];
    (0..relation.len()).map(|p| (0..p).find(|q| equivalent(p, *q)).unwrap_or(p)).collect()
}

/// What remains of each arm when better ones have taken their letters.
fn undominated(store: &mut Store, relation: &Relation, arms: &[Arm]) -> Vec<Arm> {
    let mut kept = Vec::new();
    for arm in arms {
        let mut label = arm.label;
        for other in arms {
            let better = arm.marks & !other.marks == 0 && relation[arm.far][other.far];
            if better && (arm.far, arm.marks) != (other.far, other.marks) {
                label = store.minus(label, other.label);
            }
        }
        if label != NONE {
            kept.push(Arm { label, ..*arm });
        }
    }
    kept
}

fn forward(store: &mut Store, automaton: Omega) -> Omega {
    if automaton.len() > MAX_STATES {
        return automaton;
    }
    let arm = |edge: &Edge| Arm { label: edge.label, marks: edge.marks, far: edge.to };
    let arms: Vec<Vec<Arm>> =
        automaton.edges.iter().map(|edges| edges.iter().map(arm).collect()).collect();
    let colour = |state| automaton.colour(state);
    let relation = simulation(store, &arms, |p, q| colour(p) <= colour(q));
    let first = representatives(&relation);
    let mut result = automaton.clone();
    for edge in result.edges.iter_mut().flatten() {
        edge.to = first[edge.to];
    }
    result.initial = first[result.initial];
    result.join_edges(store);
    for edges in &mut result.edges {
        let arms: Vec<Arm> = edges.iter().map(arm).collect();
        let kept = undominated(store, &relation, &arms);
        *edges = kept.iter().map(|a| Edge { label: a.label, marks: a.marks, to: a.far }).collect();
    }
    result.trimmed()
}

fn backward(store: &mut Store, automaton: Omega) -> Omega {
    if automaton.len() > MAX_STATES {
        return automaton;
    }
    let arms = incoming(&automaton);
    let allowed = |p: usize, q: usize| {
        automaton.colour(p) <= automaton.colour(q)
            && (p == automaton.initial) <= (q == automaton.initial)
    };
    let relation = simulation(store, &arms, allowed);
    let first = representatives(&relation);
    let mut result = automaton.clone();
    result.edges.iter_mut().for_each(Vec::clear);
    for (to, arms) in arms.iter().enumerate().filter(|(to, _)| first[*to] == *to) {
        for arm in arms {
            let edge = Edge { label: arm.label, marks: arm.marks, to };
            result.edges[first[arm.far]].push(edge);
        }
    }
    result.join_edges(store);
    let arms = incoming(&result);
    result.edges.iter_mut().for_each(Vec::clear);
    for (to, arms) in arms.iter().enumerate() {
        for arm in undominated(store, &relation, arms) {
            result.edges[arm.far].push(Edge { label: arm.label, marks: arm.marks, to });
        }
    }
    result.trimmed()
}

fn incoming(automaton: &Omega) -> Vec<Vec<Arm>> {
    let mut arms = vec![Vec::new(); automaton.len()];
    for (from, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            arms[edge.to].push(Arm { label: edge.label, marks: edge.marks, far: from });
        }
    }
    arms
}
