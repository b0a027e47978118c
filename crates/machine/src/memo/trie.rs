//! Paths of numbers, and what lies at their ends.

use crate::work::Read;

/// A place in the trie. The first ones are where paths begin.
pub type Node = u32;

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    None,
    /// The path goes on with the number of this.
    Reads(Read),
    /// It ends here.
    End(u32),
}

/// One hash table for the edges of all nodes.
#[derive(Debug)]
pub struct Trie {
    /// Node and number, and where that leads, 0 in a slot that is free. Their count is a power of 2.
    edges: Vec<(u64, Node)>,
    labels: Vec<Label>,
    first: usize,
}

impl Trie {
    /// A trie with so many places where paths begin.
    pub fn new(first: usize) -> Trie {
        Trie { edges: vec![(0, 0); 1 << 10], labels: vec![Label::None; first.max(1)], first }
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn clear(&mut self) {
        *self = Trie::new(self.first);
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        // The upper bits of a product depend on all bits of its factors.
        let hash = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        hash as usize & (self.edges.len() - 1)
    }

    /// Where an edge leads.
    #[inline]
    pub fn follow(&self, node: Node, number: u32) -> Option<Node> {
        let key = u64::from(node) << 32 | u64::from(number);
        let mut slot = self.slot(key);
        loop {
            match self.edges[slot] {
                (_, 0) => return None,
                (known, to) if known == key => return Some(to),
                _ => slot = (slot + 1) & (self.edges.len() - 1),
            }
        }
    }

    /// The same; an edge that is not there is made.
    pub fn make(&mut self, node: Node, number: u32) -> Node {
        if let Some(to) = self.follow(node, number) {
            return to;
        }
        if 2 * self.labels.len() >= self.edges.len() {
            let twice = vec![(0, 0); 2 * self.edges.len()];
            for (key, to) in std::mem::replace(&mut self.edges, twice) {
                if to != 0 {
                    self.put(key, to);
                }
            }
        }
        let to = self.labels.len() as Node;
        self.labels.push(Label::None);
        self.put(u64::from(node) << 32 | u64::from(number), to);
        to
    }

    fn put(&mut self, key: u64, to: Node) {
        let mut slot = self.slot(key);
        while self.edges[slot].1 != 0 {
            slot = (slot + 1) & (self.edges.len() - 1);
        }
        self.edges[slot] = (key, to);
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
        let mut trie = Trie::new(3);
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
