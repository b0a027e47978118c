//! From several acceptance sets on edges to accepting states.
//!
//! Each accepting component is unfolded into levels: a level waits for one of the sets that the
//! component needs, the last level accepts. Components are treated one by one, so a component
//! that needs no set, or that accepts nothing, is not unfolded at all.

use crate::omega::{Edge, Omega};
use crate::scc::Components;
use rustc_hash::FxHashMap;

/// The choices that do not change the language, only the size.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The order in which levels wait for the sets.
    pub order: Vec<u32>,
    /// Should marks that all edges of a state have count when the state is entered?
    pub look_ahead: bool,
    /// Should a component be entered at its accepting level?
    pub enter_last: bool,
}

/// Some of the many possible choices; all of them where there are few sets.
pub(crate) fn choices(sets: u32) -> Vec<Choice> {
    let plain: Vec<u32> = (0..sets).collect();
    let mut orders = match sets {
        0 | 1 => vec![plain],
        2 | 3 => permutations(&plain),
        _ => {
            let rotate = |by: usize| {
                let mut order = plain.clone();
                order.rotate_left(by);
                order
            };
            (0..plain.len().min(4)).map(rotate).collect()
        }
    };
    if sets > 3 {
        orders.push((0..sets).rev().collect());
    }
    let mut all = Vec::new();
    for order in orders {
        for (look_ahead, enter_last) in [(true, false), (true, true), (false, false)] {
            all.push(Choice { order: order.clone(), look_ahead, enter_last });
        }
    }
    all
}

fn permutations(items: &[u32]) -> Vec<Vec<u32>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(index);
        for mut tail in permutations(&rest) {
            tail.insert(0, *first);
            all.push(tail);
        }
    }
    all
}

pub(crate) fn degeneralise(automaton: &Omega, choice: &Choice) -> Omega {
    let parts = automaton.components();
    let accepting = automaton.accepting_components(&parts);
    let (needed, ahead) = (needed(automaton, &parts, choice), common(automaton, &parts));
    let mut unfolding = Unfolding {
        automaton,
        choice,
        parts,
        accepting,
        needed,
        ahead,
        numbers: FxHashMap::default(),
        levels: FxHashMap::default(),
        order: Vec::new(),
    };
    unfolding.run()
}

struct Unfolding<'a> {
    automaton: &'a Omega,
    choice: &'a Choice,
    parts: Components,
    accepting: Vec<bool>,
    /// The sets that each component waits for, in order.
    needed: Vec<Vec<u32>>,
    /// The marks that all edges of a state within its component have.
    ahead: Vec<u64>,
    numbers: FxHashMap<(usize, usize), usize>,
    /// A level at which a state already exists.
    levels: FxHashMap<usize, usize>,
    order: Vec<(usize, usize)>,
}

impl Unfolding<'_> {
    fn run(&mut self) -> Omega {
        let initial = self.enter(self.automaton.initial);
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        while let Some((state, level)) = self.order.get(edges.len()).copied() {
            let mut own = Vec::new();
            for edge in &self.automaton.edges[state] {
                let to = if self.parts.of[edge.to] == self.parts.of[state] {
                    let next = self.follow(level, edge);
                    self.number(edge.to, next)
                } else {
                    self.enter(edge.to)
                };
                own.push(Edge { to, marks: 0, label: edge.label });
            }
            edges.push(own);
        }
        let colour = |(state, level): &(usize, usize)| {
            let part = self.parts.of[*state];
            self.accepting[part] && *level == self.last(*state)
        };
        let colours = Some(self.order.iter().map(colour).collect());
        Omega { edges, initial, sets: 0, colours }
    }

    fn number(&mut self, state: usize, level: usize) -> usize {
        self.levels.entry(state).or_insert(level);
        *self.numbers.entry((state, level)).or_insert_with(|| {
            self.order.push((state, level));
            self.order.len() - 1
        })
    }

    fn last(&self, state: usize) -> usize {
        let part = self.parts.of[state];
        if self.accepting[part] { self.needed[part].len() } else { 0 }
    }

    /// Into another component: at any level, best at one that exists.
    fn enter(&mut self, state: usize) -> usize {
        let start = if self.choice.enter_last { self.last(state) } else { 0 };
        let level = self.levels.get(&state).copied().unwrap_or(start);
        self.number(state, level)
    }

    fn follow(&self, level: usize, edge: &Edge) -> usize {
        let last = self.last(edge.to);
        let level = if level == last { 0 } else { level };
        let level = self.climb(level, edge.marks, edge.to);
        if self.choice.look_ahead { self.climb(level, self.ahead[edge.to], edge.to) } else { level }
    }

    fn climb(&self, mut level: usize, marks: u64, state: usize) -> usize {
        let needed = &self.needed[self.parts.of[state]];
        while level < self.last(state) && marks >> needed[level] & 1 == 1 {
            level += 1;
        }
        level
    }
}

fn needed(automaton: &Omega, parts: &Components, choice: &Choice) -> Vec<Vec<u32>> {
    let mut everywhere = vec![u64::MAX; parts.count];
    for (state, edges) in automaton.edges.iter().enumerate() {
        let part = parts.of[state];
        for edge in edges.iter().filter(|edge| parts.of[edge.to] == part) {
            everywhere[part] &= edge.marks;
        }
    }
    let missing =
        |marks: &u64| choice.order.iter().copied().filter(|set| marks >> set & 1 == 0).collect();
    everywhere.iter().map(missing).collect()
}

fn common(automaton: &Omega, parts: &Components) -> Vec<u64> {
    let inner = |(state, edges): (usize, &Vec<Edge>)| {
        let own = edges.iter().filter(|edge| parts.of[edge.to] == parts.of[state]);
        own.fold(u64::MAX, |all, edge| all & edge.marks)
    };
    automaton.edges.iter().enumerate().map(inner).collect()
}
