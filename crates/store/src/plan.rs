//! How states are best coded, learned from a sample of them.
//!
//! The bytes of a state say little: many never change, others have a few values, and some depend on each other, such as
//! the location of a process and the flag that it sets. Whether they do can only be seen. So, time and again, those two
//! words are joined that have the fewest values together in the sample, until all hang together in a tree. What is joined there has
//! few values, and may be given a number of few bits instead; [`crate::layout`] decides where that is worth it.

use crate::layout::Layout;
use crate::tree::Tree;
use auspex_system::StateRef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Codes for states of the most frequent shapes.
#[derive(Debug)]
pub struct Plan {
    pub(crate) layouts: Vec<Layout>,
}

/// Fewer states than this say nothing.
const FEWEST: usize = 256;
/// With more words than this, trying takes too long.
const MOST_WORDS: usize = 200;
/// Values that are looked at in all: some hundredths of a second.
const EFFORT: usize = 4_000_000;
/// Shapes that there are codes for.
pub(crate) const MOST_SHAPES: usize = 4;

/// One byte of a state, or several that were joined.
#[derive(Debug)]
pub(crate) struct Node {
    pub below: Below,
    /// How many different values there are in the sample, and how many we take there to be in all.
    pub count: usize,
    pub estimate: usize,
    /// Most values were seen only once: there may be any number of them.
    pub is_open: bool,
    /// For each state of the sample the number of the value that it has.
    values: Vec<u32>,
    /// Nodes one above the other.
    depth: u32,
}

#[derive(Debug)]
pub(crate) enum Below {
    Byte(usize),
    /// Two to four, or one byte that is a word of its own.
    Nodes(Vec<usize>),
}

impl Plan {
    /// There is none for states with more bytes.
    pub const MOST_BYTES: usize = 4 * MOST_WORDS;

    /// A plan for the most frequent shapes among some states, if there are enough to learn from. `caution`: how often it turned
    /// out that not enough was learned.
    pub fn learn(states: &[StateRef<'_>], caution: u32) -> Option<Plan> {
        let mut shapes: FxHashMap<(usize, &[u32]), Vec<&[u8]>> = FxHashMap::default();
        for state in states {
            shapes.entry((state.bytes.len(), state.cuts)).or_default().push(state.bytes);
        }
        let mut shapes: Vec<_> = shapes.into_iter().filter(|(_, of)| of.len() >= FEWEST).collect();
        shapes.sort_by_key(|((len, _), sample)| (usize::MAX - sample.len(), *len));
        let layouts = shapes.iter().take(MOST_SHAPES);
        let layouts =
            layouts.filter_map(|((len, cuts), sample)| learn(*len, cuts, sample, caution));
        let plan = Plan { layouts: layouts.collect() };
        (!plan.layouts.is_empty()).then_some(plan)
    }
}

fn learn(len: usize, cuts: &[u32], sample: &[&[u8]], caution: u32) -> Option<Layout> {
    let tree = Tree::of(len, cuts);
    let words = tree.leaves.len();
    if !(2..=MOST_WORDS).contains(&words) {
        return None;
    }
    // Each byte in all states.
    let columns: Vec<Vec<u8>> =
        (0..len).map(|at| sample.iter().map(|state| state[at]).collect()).collect();
    // To find out what goes together a part of the sample will do, from all of its ages.
    let take = (EFFORT / (words * words)).clamp(FEWEST, sample.len());
    let every = sample.len().div_ceil(take);
    // The bytes come first, so that each has the number of its place.
    let mut nodes: Vec<Node> =
        (0..len).map(|at| Node::byte(at, columns[at].iter().copied().step_by(every))).collect();
    let is_constant = |at: usize| columns[at].iter().all(|byte| *byte == columns[at][0]);
    let (mut open, mut constant) = (Vec::new(), Vec::new());
    for part in &tree.parts {
        let mut bytes = part.bytes.start as usize..part.bytes.end as usize;
        let part_is_constant = bytes.all(is_constant);
        for leaf in part.leaves.clone() {
            let Range { start, end } = tree.leaves[leaf as usize];
            let bytes: Vec<usize> = (start as usize..end as usize).collect();
            // What did not change although something beside it did may still do so.
            if part_is_constant || caution == 0 && bytes.iter().all(|at| is_constant(*at)) {
                constant.extend(bytes);
            } else {
                open.push(nodes.len());
                nodes.push(Node::joining(bytes, &nodes));
            }
        }
    }
    let top = join_all(&mut nodes, open);
    // For how many values there are, all of it.
    for at in 0..nodes.len() {
        nodes[at] = match &nodes[at].below {
            Below::Byte(at) => Node::byte(*at, columns[*at].iter().copied()),
            Below::Nodes(below) => Node::joining(below.clone(), &nodes),
        };
    }
    let values = |column: &Vec<u8>| {
        let (mut known, mut values) = ([false; 256], Vec::new());
        for byte in column {
            if !std::mem::replace(&mut known[usize::from(*byte)], true) {
                values.push(*byte);
            }
        }
        values
    };
    let values = columns.iter().map(values).collect();
    Layout::new(&tree, cuts, &nodes, [&top, &*constant].concat(), values, caution)
}

/// Gives each value a number, in the order in which they are met. All are below `bound`. With how often each is met.
fn number(values: impl ExactSizeIterator<Item = usize>, bound: usize) -> (Vec<u32>, Vec<u32>) {
    let mut times: Vec<u32> = Vec::new();
    let mut next = |known: &mut Option<u32>| {
        let number = *known.get_or_insert_with(|| {
            times.push(0);
            times.len() as u32 - 1
        });
        times[number as usize] += 1;
        number
    };
    let numbers = if bound <= 8 * values.len() {
        let mut known = vec![None; bound];
        values.map(|value| next(&mut known[value])).collect()
    } else {
        let mut known = FxHashMap::default();
        values.map(|value| next(known.entry(value).or_default())).collect()
    };
    (numbers, times)
}

/// Pairs of numbers as numbers: all are below the product of the counts.
fn pairs<'a>(
    [a, b]: [&'a [u32]; 2],
    count_of_b: usize,
) -> impl ExactSizeIterator<Item = usize> + use<'a> {
    a.iter().zip(b).map(move |(a, b)| *a as usize * count_of_b + *b as usize)
}

impl Node {
    fn byte(at: usize, values: impl ExactSizeIterator<Item = u8>) -> Self {
        let (values, times) = number(values.map(usize::from), 256);
        Node::new(Below::Byte(at), 0, values, times)
    }

    /// What these nodes are together.
    fn joining(below: Vec<usize>, nodes: &[Node]) -> Self {
        let states = below.first().map_or(0, |node| nodes[*node].values.len());
        let (mut values, mut times) = (vec![0; states], vec![states as u32]);
        for node in below.iter().map(|node| &nodes[*node]) {
            let both = pairs([&values, &node.values], node.count);
            (values, times) = number(both, times.len() * node.count);
        }
        let depth = below.iter().map(|node| nodes[*node].depth).max().map_or(0, |depth| depth + 1);
        Node::new(Below::Nodes(below), depth, values, times)
    }

    /// With for each state the number of its value, and how often each was seen.
    fn new(below: Below, depth: u32, values: Vec<u32>, seen: Vec<u32>) -> Self {
        // What was seen once, and what was seen twice, tells how much was not seen at all (Chao's estimator).
        let times = |n: u32| seen.iter().filter(|times| **times == n).count();
        let (once, twice) = (times(1), times(2));
        let count = seen.len();
        let estimate = count + once * once / (2 * (twice + 1));
        Node { below, count, estimate, is_open: once * 2 > count, values, depth }
    }

    /// How many different values the two have together.
    fn count_with(&self, other: &Node, seen: &mut Seen) -> usize {
        if self.count == 1 || other.count == 1 {
            return self.count.max(other.count);
        }
        let pairs = pairs([&self.values, &other.values], other.count);
        seen.count(pairs, self.count * other.count)
    }
}

/// Counts different values; kept for its memory.
#[derive(Default)]
struct Seen {
    bits: Vec<u64>,
    all: FxHashSet<usize>,
}

impl Seen {
    fn count(&mut self, values: impl ExactSizeIterator<Item = usize>, bound: usize) -> usize {
        if bound > 64 * values.len() {
            self.all.clear();
            self.all.extend(values);
            return self.all.len();
        }
        self.bits.clear();
        self.bits.resize(bound.div_ceil(64), 0);
        values.for_each(|value| self.bits[value / 64] |= 1 << (value % 64));
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Joins nodes two by two until two are left.
fn join_all(nodes: &mut Vec<Node>, mut open: Vec<usize>) -> Vec<usize> {
    let mut seen = Seen::default();
    // What each pair would cost, the second one being the later.
    let mut costs: Vec<Vec<usize>> = Vec::new();
    for (index, node) in open.iter().enumerate() {
        let others = open[..index].iter();
        costs
            .push(others.map(|other| nodes[*other].count_with(&nodes[*node], &mut seen)).collect());
    }
    while open.len() > 2 {
        let pairs = (0..open.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        // Of about equally good ones the least deep: all that is above a word that changes is looked for.
        let key = |(a, b): &(usize, usize)| {
            let (cost, [a, b]) = (costs[*b][*a], [*a, *b].map(|at| &nodes[open[at]]));
            ((cost * cost).ilog2(), a.depth.max(b.depth), cost, a.count + b.count)
        };
        let Some((a, b)) = pairs.min_by_key(key) else { break };
        let joined = Node::joining(vec![open[a], open[b]], nodes);
        for gone in [b, a] {
            open.remove(gone);
            costs.remove(gone);
            costs[gone..].iter_mut().for_each(|row| {
                row.remove(gone);
            });
        }
        let others = open.iter();
        costs.push(others.map(|other| nodes[*other].count_with(&joined, &mut seen)).collect());
        open.push(nodes.len());
        nodes.push(joined);
    }
    open
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
        let bytes: Vec<&[u8]> = states.iter().map(|(bytes, _)| &**bytes).collect();
        let all: Vec<Node> =
            (0..32).map(|at| Node::byte(at, bytes.iter().map(|state| state[at]))).collect();
        let words = (0..8).map(|index| Node::joining((4 * index..4 * index + 4).collect(), &all));
        let mut nodes: Vec<Node> = words.collect();
        let top = join_all(&mut nodes, (0..8).collect());
        assert_eq!((top.len(), nodes.len()), (2, 8 + 6));
        let flags_and_places: Vec<Vec<usize>> = (0..4).map(|i| vec![i, i + 4]).collect();
        for node in &nodes[8..12] {
            let Below::Nodes(below) = &node.below else { panic!("joined") };
            assert!(flags_and_places.contains(below), "{below:?}");
            assert_eq!((node.count, node.estimate, node.is_open), (5, 5, false));
        }
    }

    #[test]
    fn little_is_not_enough_to_learn_from() {
        let states = sample();
        let states: Vec<_> = states.iter().map(|(bytes, cuts)| StateRef { bytes, cuts }).collect();
        assert!(Plan::learn(&states[..100], 0).is_none());
        assert!(Plan::learn(&[], 0).is_none());
        assert!(Plan::learn(&states, 0).is_some());
    }

    #[test]
    fn what_was_seen_once_tells_of_what_was_not_seen() {
        let node = |values: Vec<usize>| {
            let (values, times) = number(values.into_iter(), 100);
            Node::new(Below::Byte(0), 0, values, times)
        };
        let seen_once = node((0..100).collect());
        assert!(seen_once.is_open && seen_once.estimate > 1000);
        let node = node((0..100).map(|i| i % 10).collect());
        assert!(!node.is_open && node.estimate == 10);
    }

    #[test]
    fn numbers_and_counts_do_not_depend_on_how_they_are_found() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut seen = Seen::default();
        for round in 0..200 {
            let (bound, len) = (random.usize(1..2000), random.usize(1..300));
            let values: Vec<usize> = (0..len).map(|_| random.usize(..bound)).collect();
            let (numbers, times) = number(values.iter().copied(), bound);
            let other_way = number(values.iter().copied(), usize::MAX);
            assert_eq!((&numbers, &times), (&other_way.0, &other_way.1));
            let different: FxHashSet<_> = values.iter().collect();
            for bound in [bound, usize::MAX] {
                assert_eq!(seen.count(values.iter().copied(), bound), different.len(), "{round}");
            }
            assert_eq!(times.iter().sum::<u32>() as usize, len);
            for (value, number) in values.iter().zip(&numbers) {
                let first = values.iter().position(|other| other == value);
                assert_eq!(first, numbers.iter().position(|other| other == number));
            }
        }
    }
}
