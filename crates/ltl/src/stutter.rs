//! Is a language closed under repeating letters and dropping repetitions?
//!
//! It is not, exactly if some word with repetitions comes both from a word in it and from one
//! outside it. So let both automata repeat letters they have just read, finitely often each
//! time, and see whether they then have a word in common (Michaud and Duret-Lutz 2015).

use crate::bdd::{ALL, NONE, Set, Store};
use crate::omega::{Edge, Omega};
use crate::product::marked;
use rustc_hash::FxHashMap;

const MAX_LETTERS: usize = 1_024;
const MAX_STATES: usize = 200_000;

/// `yes` accepts the language, `no` its complement. `None` if that is too much work.
pub(crate) fn is_stutter_invariant(store: &mut Store, yes: &Omega, no: &Omega) -> Option<bool> {
    let (yes, no) = (with_a_set(marked(yes)), with_a_set(marked(no)));
    if yes.sets + no.sets > 63 {
        return None;
    }
    let letters = letters(store, &[&yes, &no])?;
    let moves = |automaton: &Omega| -> Vec<Vec<Vec<(u64, usize)>>> {
        let of_state = |edges: &Vec<Edge>| {
            let on = |letter: &u64| {
                let taken = edges.iter().filter(|edge| store.contains(edge.label, *letter));
                taken.map(|edge| (edge.marks, edge.to)).collect()
            };
            letters.iter().map(on).collect()
        };
        automaton.edges.iter().map(of_state).collect()
    };
    let (left, right) = (moves(&yes), moves(&no));
    let none = letters.len();
    let mut numbers = FxHashMap::default();
    let mut order = vec![(yes.initial, no.initial, none)];
    numbers.insert(order[0], 0);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while let Some((p, q, last)) = order.get(edges.len()).copied() {
        let mut own = Vec::new();
        for letter in 0..letters.len() {
            let stay = letter == last;
            let xs = left[p][letter].iter().copied().chain(stay.then_some((0, p)));
            for (x_marks, x) in xs {
                let ys = right[q][letter].iter().copied().chain(stay.then_some((0, q)));
                for (y_marks, y) in ys {
                    let to = *numbers.entry((x, y, letter)).or_insert_with(|| {
                        order.push((x, y, letter));
                        order.len() - 1
                    });
                    own.push(Edge { label: ALL, marks: x_marks | y_marks << yes.sets, to });
                }
            }
        }
        edges.push(own);
        if order.len() > MAX_STATES {
            return None;
        }
    }
    let sets = yes.sets + no.sets;
    Some(Omega { edges, initial: 0, sets, colours: None }.is_empty())
}

/// Repeating a letter for ever must not be accepted, so there must be something to ask for.
fn with_a_set(mut automaton: Omega) -> Omega {
    if automaton.sets == 0 {
        automaton.sets = 1;
        automaton.edges.iter_mut().flatten().for_each(|edge| edge.marks = 1);
    }
    automaton
}

/// One letter of each class of letters that no label tells apart.
fn letters(store: &mut Store, automata: &[&Omega]) -> Option<Vec<u64>> {
    let mut classes: Vec<Set> = vec![ALL];
    for edge in automata.iter().flat_map(|automaton| automaton.edges.iter().flatten()) {
        let mut next = Vec::new();
        for class in classes {
            let parts = [store.and(class, edge.label), store.minus(class, edge.label)];
            next.extend(parts.into_iter().filter(|part| *part != NONE));
        }
        classes = next;
        if classes.len() > MAX_LETTERS {
            return None;
        }
    }
    Some(classes.iter().filter_map(|class| store.letter(*class)).collect())
}
