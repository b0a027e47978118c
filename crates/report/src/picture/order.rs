//! Layers and their order: the first half of a layered drawing.
//!
//! Edges that close a cycle are turned round, every node goes below its predecessors, edges that
//! span several layers get a *bend* in each layer between, and the nodes of each layer are sorted
//! by the middle of their neighbours until few edges cross.

use std::collections::HashMap;

/// What stands in a layer: a node of the graph, or a place where an edge passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Node(usize),
    /// The edge; whether its label stands here.
    Bend {
        edge: usize,
        labelled: bool,
    },
}

/// The items of all layers, from the top; each knows its neighbours above and below.
#[derive(Debug, Default)]
pub struct Layers {
    pub items: Vec<Item>,
    pub layer: Vec<usize>,
    /// The items of each layer from left to right.
    pub rows: Vec<Vec<usize>>,
    pub above: Vec<Vec<usize>>,
    pub below: Vec<Vec<usize>>,
    /// Per edge the items that it passes, from its upper end to its lower.
    pub paths: Vec<Vec<usize>>,
}

const SWEEPS: usize = 24;

impl Layers {
    pub fn new(nodes: usize, edges: &[(usize, usize)], labelled: &[bool]) -> Self {
        // Every second layer is for labels: each edge passes at least one.
        let ranks: Vec<usize> = ranks(nodes, edges).into_iter().map(|rank| 2 * rank).collect();
        let mut layers = Layers::default();
        for (node, &rank) in ranks.iter().enumerate() {
            layers.push(Item::Node(node), rank);
        }
        for (edge, &(from, to)) in edges.iter().enumerate() {
            layers.connect(edge, from, to, labelled[edge], &ranks);
        }
        layers.sort();
        layers
    }

    fn push(&mut self, item: Item, layer: usize) -> usize {
        if self.rows.len() <= layer {
            self.rows.resize(layer + 1, Vec::new());
        }
        let index = self.items.len();
        self.items.push(item);
        self.layer.push(layer);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.rows[layer].push(index);
        index
    }

    /// Leads an edge through the layers between its ends; loops take no part.
    fn connect(&mut self, edge: usize, from: usize, to: usize, labelled: bool, ranks: &[usize]) {
        let (upper, lower) = if ranks[from] <= ranks[to] { (from, to) } else { (to, from) };
        let mut path = vec![upper];
        let middle = usize::midpoint(ranks[upper], ranks[lower]);
        for layer in ranks[upper] + 1..ranks[lower] {
            let labelled = labelled && layer == middle;
            path.push(self.push(Item::Bend { edge, labelled }, layer));
        }
        path.push(lower);
        if ranks[upper] != ranks[lower] {
            for pair in path.windows(2) {
                self.below[pair[0]].push(pair[1]);
                self.above[pair[1]].push(pair[0]);
            }
        }
        self.paths.push(path);
    }

    /// Sweeps down and up, and keeps the order with the fewest crossings.
    fn sort(&mut self) {
        let mut best = (self.crossings(), self.rows.clone());
        for sweep in 0..SWEEPS {
            let downwards = sweep % 2 == 0;
            let count = self.rows.len();
            for step in 1..count {
                let row = if downwards { step } else { count - 1 - step };
                self.sort_row(row, downwards);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
            if best.0 == 0 {
                break;
            }
        }
        self.rows = best.1;
    }

    fn sort_row(&mut self, row: usize, downwards: bool) {
        let position = self.positions(if downwards { row - 1 } else { row + 1 });
        let neighbours = if downwards { &self.above } else { &self.below };
        let mut keyed: Vec<(f64, usize)> = Vec::new();
        for (place, &item) in self.rows[row].iter().enumerate() {
            let near: Vec<f64> = neighbours[item]
                .iter()
                .filter_map(|n| position.get(n))
                .map(|p| *p as f64)
                .collect();
            // Without neighbours an item stays about where it is.
            let key = if near.is_empty() {
                place as f64
            } else {
                near.iter().sum::<f64>() / near.len() as f64
            };
            keyed.push((key, item));
        }
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.rows[row] = keyed.into_iter().map(|(_, item)| item).collect();
    }

    fn positions(&self, row: usize) -> HashMap<usize, usize> {
        self.rows[row].iter().enumerate().map(|(place, item)| (*item, place)).collect()
    }

    fn crossings(&self) -> usize {
        (1..self.rows.len()).map(|row| self.crossings_above(row)).sum()
    }

    /// Counts pairs of edges between a layer and the one above that are in different order.
    fn crossings_above(&self, row: usize) -> usize {
        let position = self.positions(row - 1);
        let mut seen = Tally(vec![0; self.rows[row - 1].len() + 1]);
        let (mut count, mut total) = (0, 0);
        for item in &self.rows[row] {
            let ends: Vec<usize> =
                self.above[*item].iter().filter_map(|n| position.get(n).copied()).collect();
            count += ends.iter().map(|end| total - seen.up_to(*end)).sum::<usize>();
            total += ends.len();
            ends.into_iter().for_each(|end| seen.add(end));
        }
        count
    }
}

/// Counts by position, with fast sums of prefixes (a Fenwick tree).
struct Tally(Vec<usize>);

impl Tally {
    fn add(&mut self, position: usize) {
        let mut at = position + 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many were added at `position` or before.
    fn up_to(&self, position: usize) -> usize {
        let (mut at, mut sum) = (position + 1, 0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

/// The layer of each node: one below the lowest of its predecessors, where edges back to a node
/// on the way to it do not count.
fn ranks(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let forward = without_cycles(nodes, edges);
    let mut incoming = vec![0; nodes];
    for &(_, to) in &forward {
        incoming[to] += 1;
    }
    let mut successors = vec![Vec::new(); nodes];
    for &(from, to) in &forward {
        successors[from].push(to);
    }
    let mut ready: Vec<usize> = (0..nodes).filter(|node| incoming[*node] == 0).collect();
    let mut ranks = vec![0; nodes];
    while let Some(node) = ready.pop() {
        for &next in &successors[node] {
            ranks[next] = ranks[next].max(ranks[node] + 1);
            incoming[next] -= 1;
            if incoming[next] == 0 {
                ready.push(next);
            }
        }
    }
    ranks
}

/// The edges of a depth-first search, without those that close a cycle.
fn without_cycles(nodes: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut successors = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        successors[from].push(to);
    }
    let mut kept = Vec::new();
    let mut state = vec![Visit::New; nodes];
    for root in 0..nodes {
        let mut stack = vec![(root, 0)];
        while let Some(top) = stack.last_mut() {
            let (node, next) = *top;
            top.1 += 1;
            if next == 0 && state[node] != Visit::New {
                stack.pop();
                continue;
            }
            state[node] = Visit::Open;
            let Some(&to) = successors[node].get(next) else {
                state[node] = Visit::Done;
                stack.pop();
                continue;
            };
            if state[to] != Visit::Open {
                kept.push((node, to));
            }
            if state[to] == Visit::New {
                stack.push((to, 0));
            }
        }
    }
    kept
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_go_below_their_predecessors() {
        assert_eq!(ranks(4, &[(0, 1), (1, 2), (0, 2), (2, 0), (3, 3)]), [0, 1, 2, 0]);
    }

    #[test]
    fn long_edges_get_bends() {
        let layers = Layers::new(3, &[(0, 1), (1, 2), (0, 2)], &[true; 3]);
        assert_eq!(layers.paths[2].len(), 5);
        assert_eq!(layers.items[3], Item::Bend { edge: 0, labelled: true });
        assert_eq!(layers.crossings(), 0);
    }

    #[test]
    fn crossings_are_removed() {
        let layers = Layers::new(6, &[(0, 1), (0, 2), (1, 4), (2, 3), (4, 5), (3, 5)], &[false; 6]);
        assert_eq!(layers.crossings(), 0);
    }
}
