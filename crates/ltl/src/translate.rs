//! From a formula to the smallest Büchi automaton that any of several ways leads to.
//!
//! Formula, alternating automaton, generalised automaton, Büchi automaton: at each stage there
//! are choices that are all right, and none is always best. Formulas are small, so several are
//! tried and the smallest result is kept; large automata get one attempt.

use crate::automaton::Automaton;
use crate::bdd::{ALL, NONE, Store};
use crate::degeneralise::{choices, degeneralise};
use crate::formula::Formula;
use crate::generalised::{Marking, generalised};
use crate::implication::is_suspendable;
use crate::merge::merge_states;
use crate::omega::{Edge, Omega};
use crate::simplify::MAX_SIZE;
use crate::simulation::reduce;
use crate::weak::{Weak, minimal_weak};
use auspex_system::Diagnostic;

/// The highest number of atoms in a formula: a letter is a word of 64 bits.
pub const MAX_ATOMS: u32 = 64;

/// Automata with more states than this are not built in several ways.
const MANY: usize = 40;

/// After this much work on one formula no more alternatives are tried.
const ENOUGH: u64 = 3_000_000;

/// A formula that takes more than this, some seconds, is refused.
const TOO_MUCH: u64 = 40_000_000;

/// A small Büchi automaton that accepts exactly the words that satisfy the formula.
pub fn translate(formula: &Formula) -> Result<Automaton, Diagnostic> {
    let mut store = Store::new();
    let best = smallest(&mut store, formula)?;
    Ok(Automaton::from_omega(&mut store, &best))
}

fn smallest(store: &mut Store, formula: &Formula) -> Result<Omega, Diagnostic> {
    let simple = checked(formula)?;
    let mut candidates = Candidates::default();
    let mut positive: Option<Omega> = None;
    let mut attempted = false;
    for (exclusive, marking, work) in [
        (true, Marking::Pending, ENOUGH),
        (true, Marking::Present, ENOUGH),
        (false, Marking::Present, ENOUGH),
        (false, Marking::Pending, ENOUGH),
        (true, Marking::Pending, TOO_MUCH),
    ] {
        // The last one is for formulas that are too much for the first, and only for them.
        if attempted && (work == TOO_MUCH) == positive.is_some() {
            continue;
        }
        attempted = true;
        let Ok(raw) = generalised(store, &simple, exclusive, marking, work) else {
            continue;
        };
        if let Some(waiting) = waiting(&simple, &raw) {
            let reduced = reduce(store, waiting);
            candidates.unfold(store, &reduced);
        }
        let reduced = reduce(store, raw);
        candidates.unfold(store, &reduced);
        let large = reduced.len() > MANY;
        if positive.as_ref().is_none_or(|known| reduced.len() < known.len()) {
            positive = Some(reduced);
        }
        if large || work == TOO_MUCH || store.work > ENOUGH {
            break;
        }
    }
    let positive = positive.ok_or_else(|| too_large(formula))?;
    if store.work > ENOUGH {
        return candidates.best.map(|(_, best)| best).ok_or_else(|| too_large(formula));
    }
    if let Some(negative) = generalised_of_negation(store, &simple) {
        if let Weak::Minimal(minimal) = minimal_weak(store, &positive, &negative) {
            candidates.offer(store, minimal.clone().trimmed());
            let reduced = reduce(store, minimal);
            candidates.offer(store, reduced);
        }
        if let Some((_, best)) = candidates.best.clone() {
            let merged = merge_states(store, best, &negative);
            candidates.offer(store, merged);
        }
    }
    candidates.best.map(|(_, best)| best).ok_or_else(|| too_large(formula))
}

/// If the beginning of a word does not matter, the automaton may wait in its initial state.
/// Where that is on no accepting cycle, waiting for ever is not accepted.
fn waiting(formula: &Formula, automaton: &Omega) -> Option<Omega> {
    let parts = automaton.components();
    let accepting = automaton.accepting_components(&parts);
    if !is_suspendable(formula) || automaton.sets == 0 || accepting[parts.of[automaton.initial]] {
        return None;
    }
    let mut result = automaton.clone();
    let to = automaton.initial;
    result.edges[to].push(Edge { label: ALL, marks: 0, to });
    Some(result)
}

/// The simplified formula, if its atoms fit.
pub(crate) fn checked(formula: &Formula) -> Result<Formula, Diagnostic> {
    if formula.atoms().last().is_some_and(|last| *last >= MAX_ATOMS) {
        return Err(Diagnostic::general(format!(
            "the formula has more than {MAX_ATOMS} propositions"
        ))
        .hint("split it into several properties"));
    }
    let simple = formula.simplify();
    if simple.tree_size() > MAX_SIZE { Err(too_large(formula)) } else { Ok(simple) }
}

/// A reduced generalised automaton, without trying alternatives.
pub(crate) fn quick(store: &mut Store, formula: &Formula) -> Result<Omega, Diagnostic> {
    let simple = checked(formula)?;
    let raw = generalised(store, &simple, true, Marking::Pending, TOO_MUCH)
        .map_err(|_| too_large(formula))?;
    Ok(reduce(store, raw))
}

fn generalised_of_negation(store: &mut Store, simple: &Formula) -> Option<Omega> {
    quick(store, &Formula::not(simple.clone())).ok()
}

fn too_large(formula: &Formula) -> Diagnostic {
    Diagnostic::general(format!(
        "the automaton of the formula is too large ({} different subformulas)",
        formula.size()
    ))
    .hint("split it into several properties: each conjunct can be checked on its own")
}

#[derive(Default)]
struct Candidates {
    best: Option<((usize, usize, usize), Omega)>,
}

impl Candidates {
    fn unfold(&mut self, store: &mut Store, automaton: &Omega) {
        let large = automaton.len() > MANY;
        for choice in choices(automaton.sets).iter().take(if large { 1 } else { usize::MAX }) {
            let unfolded = degeneralise(automaton, choice);
            let reduced = reduce(store, unfolded);
            self.offer(store, reduced);
            if store.work > ENOUGH {
                break;
            }
        }
    }

    /// Fewest states first, then fewest states with a choice, then fewest edges.
    fn offer(&mut self, store: &mut Store, mut automaton: Omega) {
        automaton.clean_marks(false);
        let choices = automaton.edges.iter().filter(|edges| overlaps(store, edges)).count();
        let size = (automaton.len(), choices, automaton.edge_count());
        if self.best.as_ref().is_none_or(|(known, _)| size < *known) {
            self.best = Some((size, automaton));
        }
    }
}

/// Does some letter enable two of the edges?
fn overlaps(store: &mut Store, edges: &[Edge]) -> bool {
    let mut seen = NONE;
    edges.iter().any(|edge| {
        let overlap = store.and(seen, edge.label) != NONE;
        seen = store.or(seen, edge.label);
        overlap
    })
}
