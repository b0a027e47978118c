//! Paths of numbers, and what lies at their ends.

use super::table::Table;
use crate::work::Read;

/// A place in the trie.
pub type Node = u32;

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    None,
    /// The path goes on with the number of this.
    Reads(Read),
    /// Only one path goes on from here, or none: it is kept at its end.
    End(u32),
}

#[derive(Debug, Default)]
pub struct Trie {
    /// The edges of all nodes.
    edges: Table,
    labels: Vec<Label>,
}

impl Trie {
    /// A new place, to which nothing leads.
    pub fn add(&mut self) -> Node {
        self.labels.push(Label::None);
        self.labels.len() as Node - 1
    }

    pub fn bytes(&self) -> usize {
        self.edges.bytes() + self.labels.len() * size_of::<Label>()
    }

    /// Where an edge leads.
    #[inline]
    pub fn follow(&self, node: Node, number: u32) -> Option<Node> {
        self.edges.get(node, number)
    }

    /// The same; an edge that is not there is made.
    pub fn make(&mut self, node: Node, number: u32) -> Node {
        if let Some(to) = self.follow(node, number) {
            return to;
        }
        let to = self.add();
        self.edges.insert(node, number, to);
        to
    }

    #[inline]
    pub fn label(&self, node: Node) -> Label {
        self.labels[node as usize]
    }

    pub fn set_label(&mut self, node: Node, label: Label) {
        self.labels[node as usize] = label;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn paths_are_found_again() {
        let mut trie = Trie::default();
        let first: Vec<_> = (0..3).map(|_| trie.add()).collect();
        assert_eq!(first, [0, 1, 2]);
        let mut ends = HashMap::new();
        let mut random = 1u32;
        for round in 0..5000 {
            let mut node = round % 3;
            let mut path = vec![node];
            for _ in 0..round % 5 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                path.push(random >> 28);
                node = trie.make(node, random >> 28);
            }
            assert_eq!(*ends.entry(path).or_insert(node), node);
        }
        for (path, end) in ends {
            let mut node = Some(path[0]);
            for number in &path[1..] {
                node = node.and_then(|node| trie.follow(node, *number));
            }
            assert_eq!(node, Some(end));
        }
        assert_eq!(trie.follow(0, 99), None);
    }
}
