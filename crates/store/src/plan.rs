//! Which words of a state are joined first, learned from a sample of states.
//!
//! The fewer different values the nodes of a tree have, the less there is to store and to look for. Words that depend
//! on each other, such as the location of a process and the flag that it sets, have few values together, wherever in
//! the state they lie; and whether they do can only be seen. So, time and again, those two are joined that have the
//! fewest values together in the sample, until two are left: the halves of the root.

use crate::tree::{NONE, Tree};
use auspex_system::StateRef;
use rustc_hash::{FxHashMap, FxHashSet};

/// A tree for states of one shape. Those of other shapes get the usual one.
#[derive(Debug)]
pub struct Plan {
    len: usize,
    cuts: Vec<u32>,
    /// See [`Tree::inner`] and [`Tree::top`].
    inner: Vec<[u32; 2]>,
    top: [u32; 2],
}

/// Fewer states than this say nothing.
const FEWEST: usize = 256;
/// With more words than this, trying takes too long.
const MOST_WORDS: usize = 200;
/// Values that are looked at in all: some hundredths of a second.
const EFFORT: usize = 4_000_000;

/// Some words that have been joined.
struct Group {
    /// Their node.
    node: u32,
    /// For each state of the sample the number of the value that they have.
    values: Vec<u32>,
    /// How many different ones there are.
    count: usize,
    /// Nodes one above the other.
    depth: u32,
}

impl Plan {
    /// A plan for the most frequent shape among some states, if there is a better one than the usual.
    pub fn learn(states: &[StateRef<'_>]) -> Option<Plan> {
        let mut shapes: FxHashMap<(usize, &[u32]), usize> = FxHashMap::default();
        states.iter().for_each(|s| *shapes.entry((s.bytes.len(), s.cuts)).or_default() += 1);
        let ((len, cuts), _) = shapes.into_iter().max_by_key(|(_, count)| *count)?;
        let of_shape = |state: &&StateRef<'_>| state.bytes.len() == len && state.cuts == cuts;
        let sample: Vec<&[u8]> = states.iter().filter(of_shape).map(|state| state.bytes).collect();
        let tree = Tree::of(len, cuts);
        let words = tree.leaves.len();
        if sample.len() < FEWEST || !(3..=MOST_WORDS).contains(&words) {
            return None;
        }
        let take = (EFFORT / (words * words)).clamp(FEWEST, sample.len());
        let sample = &sample[..take];
        let mut leaves = Vec::new();
        for leaf in 0..words as u32 {
            let words = sample.iter().map(|bytes| tree.word(bytes, leaf));
            leaves.push(Group::new(leaf, words));
        }
        let usual = cost(&leaves, &tree.inner);
        let (inner, top) = join_all(leaves);
        let (ours, plan) = (inner.1, Plan { len, cuts: cuts.to_vec(), inner: inner.0, top });
        (ours < usual).then_some(plan)
    }

    /// The tree for a state of a shape.
    pub(crate) fn tree(plan: Option<&Plan>, len: usize, cuts: &[u32]) -> Tree {
        match plan.filter(|plan| plan.len == len && plan.cuts == cuts) {
            Some(plan) => Tree::of_nodes(len, cuts, &plan.inner, plan.top),
            None => Tree::of(len, cuts),
        }
    }
}

impl Group {
    fn new<T: std::hash::Hash + Eq>(node: u32, values: impl Iterator<Item = T>) -> Self {
        let mut numbers = FxHashMap::default();
        let values = values
            .map(|value| {
                let next = numbers.len() as u32;
                *numbers.entry(value).or_insert(next)
            })
            .collect();
        Group { node, values, count: numbers.len(), depth: 0 }
    }

    fn pairs<'a>(&'a self, other: &'a Group) -> impl Iterator<Item = (u32, u32)> + 'a {
        self.values.iter().copied().zip(other.values.iter().copied())
    }

    fn joined(&self, other: &Group, node: u32) -> Group {
        let depth = self.depth.max(other.depth) + 1;
        Group { depth, ..Group::new(node, self.pairs(other)) }
    }

    /// How many different values the two have together.
    fn count_with(&self, other: &Group, seen: &mut FxHashSet<(u32, u32)>) -> usize {
        if self.count == 1 || other.count == 1 {
            return self.count.max(other.count);
        }
        seen.clear();
        seen.extend(self.pairs(other));
        seen.len()
    }
}

/// How many different values the inner nodes of a tree have.
fn cost(leaves: &[Group], inner: &[[u32; 2]]) -> usize {
    let mut groups: Vec<Group> = Vec::new();
    for (index, [left, right]) in inner.iter().enumerate() {
        let group = |node: u32| {
            let node = node as usize;
            leaves.get(node).unwrap_or_else(|| &groups[node - leaves.len()])
        };
        let joined = group(*left).joined(group(*right), (leaves.len() + index) as u32);
        groups.push(joined);
    }
    groups.iter().map(|group| group.count).sum()
}

type Nodes = Vec<[u32; 2]>;

/// Joins groups two by two until two are left. Gives the inner nodes with what they cost, and the halves.
fn join_all(mut groups: Vec<Group>) -> ((Nodes, usize), [u32; 2]) {
    let (mut inner, mut sum) = (Vec::new(), 0);
    let mut next = groups.len() as u32;
    let mut seen = FxHashSet::default();
    // What each pair would cost, the second one being the later.
    let mut costs: Vec<Vec<usize>> = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        costs
            .push(groups[..index].iter().map(|other| other.count_with(group, &mut seen)).collect());
    }
    while groups.len() > 2 {
        let pairs = (0..groups.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        // Of about equally good ones the least deep: all that is above a word that changes is looked for.
        let key = |(a, b): &(usize, usize)| {
            let (cost, [a, b]) = (costs[*b][*a], [*a, *b].map(|group| &groups[group]));
            ((cost * cost).ilog2(), a.depth.max(b.depth), cost, a.count + b.count)
        };
        let Some((a, b)) = pairs.min_by_key(key) else { break };
        let joined = groups[a].joined(&groups[b], next);
        inner.push([groups[a].node, groups[b].node]);
        (next, sum) = (next + 1, sum + joined.count);
        for gone in [b, a] {
            groups.remove(gone);
            costs.remove(gone);
            costs[gone..].iter_mut().for_each(|row| {
                row.remove(gone);
            });
        }
        costs.push(groups.iter().map(|other| other.count_with(&joined, &mut seen)).collect());
        groups.push(joined);
    }
    let top = [0, 1].map(|half| groups.get(half).map_or(NONE, |group| group.node));
    ((inner, sum), top)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four processes at independent places, and a flag for each in the globals.
    fn sample() -> Vec<(Vec<u8>, Vec<u32>)> {
        let state = |i: u32| {
            let at = [i % 5, i / 5 % 5, i / 25 % 5, i / 125 % 5];
            let mut bytes: Vec<u8> = at.iter().flat_map(|at| [*at as u8 / 2, 0, 0, 0]).collect();
            bytes.extend(at.iter().flat_map(|at| [7, *at as u8, 1, 1]));
            (bytes, vec![16, 20, 24, 28])
        };
        (0..625).map(state).collect()
    }

    #[test]
    fn what_depends_on_each_other_is_joined() {
        let states = sample();
        let states: Vec<_> = states.iter().map(|(bytes, cuts)| StateRef { bytes, cuts }).collect();
        let plan = Plan::learn(&states).expect("there is a better tree");
        let flags_and_places: Vec<[u32; 2]> = (0..4).map(|i| [i, i + 4]).collect();
        assert!(plan.inner[..4].iter().all(|pair| flags_and_places.contains(pair)));
        let tree = Plan::tree(Some(&plan), 32, &[16, 20, 24, 28]);
        assert_eq!(tree.len(), 8 + 6);
        for (index, children) in tree.inner.iter().enumerate() {
            let node = (8 + index) as u32;
            assert!(children.iter().all(|child| *child < node));
            assert!(children.iter().all(|child| tree.parent[*child as usize] == node));
        }
        assert_eq!(Plan::tree(Some(&plan), 32, &[16]).inner, Tree::of(32, &[16]).inner);
    }

    #[test]
    fn little_is_not_enough_to_learn_from() {
        let states = sample();
        let states: Vec<_> =
            states[..100].iter().map(|(bytes, cuts)| StateRef { bytes, cuts }).collect();
        assert!(Plan::learn(&states).is_none());
        assert!(Plan::learn(&[]).is_none());
    }
}
