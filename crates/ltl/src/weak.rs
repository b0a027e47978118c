//! The smallest deterministic automaton of an obligation.
//!
//! Obligations (Boolean combinations of safety and guarantee) are exactly what deterministic
//! weak automata accept, and these can be minimised like automata on finite words (Löding 2001).
//! As in Dax, Eisinger and Klaedtke 2007, the subset construction is tried on any automaton; the
//! result is compared with the original, and if they differ the formula is no obligation.

use crate::bdd::{ALL, NONE, Set, Store};
use crate::omega::{Edge, Omega};
use crate::product::disjoint;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

const MAX_STATES: usize = 300;
const MAX_CLASSES: usize = 256;
const MAX_WORK: u64 = 1_000_000;

/// What became of the attempt.
pub(crate) enum Weak {
    /// The minimal deterministic weak automaton, complete.
    Minimal(Omega),
    NoObligation,
    TooLarge,
}

/// `positive` accepts the language, `negative` its complement.
pub(crate) fn minimal_weak(store: &mut Store, positive: &Omega, negative: &Omega) -> Weak {
    let Some((mut automaton, subsets)) = subset_construction(store, positive) else {
        return Weak::TooLarge;
    };
    automaton.colours = Some(colours(store, positive, &automaton, &subsets));
    let mut complement = automaton.clone();
    if let Some(colours) = &mut complement.colours {
        colours.iter_mut().for_each(|colour| *colour = !*colour);
    }
    match (disjoint(store, &automaton, negative), disjoint(store, &complement, positive)) {
        (Some(true), Some(true)) => Weak::Minimal(minimise(store, &automaton)),
        (None, _) | (_, None) => Weak::TooLarge,
        _ => Weak::NoObligation,
    }
}

/// Deterministic and complete, without acceptance; with the set of states that each stands for.
fn subset_construction(store: &mut Store, automaton: &Omega) -> Option<(Omega, Vec<Vec<usize>>)> {
    let mut numbers: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
    let mut subsets = vec![vec![automaton.initial]];
    numbers.insert(subsets[0].clone(), 0);
    let started = store.work;
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while let Some(subset) = subsets.get(edges.len()).cloned() {
        let mut own: FxHashMap<usize, Set> = FxHashMap::default();
        for (label, target) in classes(store, automaton, &subset)? {
            let to = *numbers.entry(target).or_insert_with_key(|target| {
                subsets.push(target.clone());
                subsets.len() - 1
            });
            let all = own.entry(to).or_insert(NONE);
            *all = store.or(*all, label);
        }
        let mut own: Vec<_> =
            own.into_iter().map(|(to, label)| Edge { label, marks: 0, to }).collect();
        own.sort_by_key(|edge| edge.to);
        edges.push(own);
        if subsets.len() > MAX_STATES || store.work - started > MAX_WORK {
            return None;
        }
    }
    Some((Omega { edges, initial: 0, sets: 0, colours: None }, subsets))
}

/// The letters, grouped by where they lead to.
fn classes(
    store: &mut Store,
    automaton: &Omega,
    subset: &[usize],
) -> Option<Vec<(Set, Vec<usize>)>> {
    let mut classes: Vec<(Set, Vec<usize>)> = vec![(ALL, Vec::new())];
    for edge in subset.iter().flat_map(|state| &automaton.edges[*state]) {
        let mut next = Vec::with_capacity(classes.len() + 1);
        for (label, target) in classes {
            let outside = store.minus(label, edge.label);
            let inside = store.and(label, edge.label);
            if inside != NONE {
                let mut more = target.clone();
                if let Err(place) = more.binary_search(&edge.to) {
                    more.insert(place, edge.to);
                }
                next.push((inside, more));
            }
            if outside != NONE {
                next.push((outside, target));
            }
        }
        classes = next;
        if classes.len() > MAX_CLASSES {
            return None;
        }
    }
    Some(classes)
}

/// Each component accepts if one of its cycles does; if the language is an obligation, all of
/// its cycles agree.
fn colours(
    store: &Store,
    original: &Omega,
    automaton: &Omega,
    subsets: &[Vec<usize>],
) -> Vec<bool> {
    let parts = automaton.components();
    let mut known: Vec<Option<bool>> = vec![None; parts.count];
    (0..automaton.len())
        .map(|state| {
            *known[parts.of[state]].get_or_insert_with(|| {
                cycle(store, automaton, &parts.of, state)
                    .is_some_and(|word| accepts_repetition(store, original, &subsets[state], &word))
            })
        })
        .collect()
}

/// A shortest cycle through a state, as letters.
fn cycle(store: &Store, automaton: &Omega, part: &[usize], start: usize) -> Option<Vec<u64>> {
    let mut before: FxHashMap<usize, (usize, u64)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        for edge in automaton.edges[state].iter().filter(|e| part[e.to] == part[start]) {
            let letter = store.letter(edge.label)?;
            if edge.to == start {
                let mut word = vec![letter];
                let mut at = state;
                while at != start {
                    let (previous, letter) = *before.get(&at)?;
                    word.push(letter);
                    at = previous;
                }
                word.reverse();
                return Some(word);
            }
            before.entry(edge.to).or_insert_with(|| {
                queue.push_back(edge.to);
                (state, letter)
            });
        }
    }
    None
}

/// Does the automaton accept the infinite repetition of `word` from one of the states?
fn accepts_repetition(store: &Store, automaton: &Omega, from: &[usize], word: &[u64]) -> bool {
    let (length, states) = (word.len(), automaton.len());
    let mut edges = vec![Vec::new(); states * length + 1];
    for (state, own) in automaton.edges.iter().enumerate() {
        for (place, letter) in word.iter().enumerate() {
            let follow = own.iter().filter(|edge| store.contains(edge.label, *letter));
            edges[state * length + place] = follow
                .map(|edge| Edge { to: edge.to * length + (place + 1) % length, ..*edge })
                .collect();
        }
    }
    let start = states * length;
    edges[start] =
        from.iter().map(|state| Edge { label: ALL, marks: 0, to: state * length }).collect();
    let colours = automaton
        .colours
        .as_ref()
        .map(|colours| (0..=start).map(|pair| pair != start && colours[pair / length]).collect());
    !Omega { edges, initial: start, sets: automaton.sets, colours }.is_empty()
}

/// The smallest automaton for the same language. Its input is deterministic, complete and weak.
fn minimise(store: &mut Store, automaton: &Omega) -> Omega {
    let mut class = normal_colours(automaton);
    let mut count = 0;
    loop {
        let mut numbers = FxHashMap::default();
        let mut next = Vec::with_capacity(class.len());
        for (state, edges) in automaton.edges.iter().enumerate() {
            let mut targets: FxHashMap<usize, Set> = FxHashMap::default();
            for edge in edges {
                let all = targets.entry(class[edge.to]).or_insert(NONE);
                *all = store.or(*all, edge.label);
            }
            let mut targets: Vec<_> = targets.into_iter().collect();
            targets.sort_unstable();
            let new = numbers.len();
            next.push(*numbers.entry((class[state], targets)).or_insert(new));
        }
        class = next;
        if numbers.len() == count {
            return quotient(store, automaton, &class, count);
        }
        count = numbers.len();
    }
}

fn quotient(store: &mut Store, automaton: &Omega, class: &[usize], count: usize) -> Omega {
    let even = normal_colours(automaton);
    let mut edges = vec![Vec::new(); count];
    let mut colours = vec![false; count];
    for (state, own) in automaton.edges.iter().enumerate() {
        edges[class[state]] = own.iter().map(|e| Edge { to: class[e.to], ..*e }).collect();
        colours[class[state]] = even[state] == 0;
    }
    let initial = class[automaton.initial];
    let mut result = Omega { edges, initial, sets: 0, colours: Some(colours) };
    result.join_edges(store);
    result
}

/// 0 for accepting and 1 for rejecting states, where states on no cycle, whose colour does not
/// matter, get the one that makes most states equal: Löding's colouring.
fn normal_colours(automaton: &Omega) -> Vec<usize> {
    let parts = automaton.components();
    let mut cyclic = vec![false; parts.count];
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); parts.count];
    for (state, edges) in automaton.edges.iter().enumerate() {
        members[parts.of[state]].push(state);
        cyclic[parts.of[state]] |= edges.iter().any(|e| parts.of[e.to] == parts.of[state]);
    }
    let mut height: Vec<usize> = vec![0; parts.count];
    for part in 0..parts.count {
        let targets = members[part].iter().flat_map(|state| &automaton.edges[*state]);
        let outside = targets.filter(|edge| parts.of[edge.to] != part);
        let below = outside.map(|edge| height[parts.of[edge.to]]).max().unwrap_or(0);
        let odd = members[part].first().is_some_and(|state| !automaton.colour(*state));
        let fits = !cyclic[part] || (below % 2 == 1) == odd;
        height[part] = if fits { below } else { below + 1 };
    }
    parts.of.iter().map(|part| height[*part] % 2).collect()
}
