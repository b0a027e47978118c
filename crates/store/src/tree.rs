//! The shape of the tree over a state's words.
//!
//! A part begins a new word, and words are joined two by two from the root downwards into halves
//! that are about equal: then each half has far fewer different values than there are states. A
//! split goes between two parts where it can, so that most parts are subtrees of their own, and
//! stay what they are when another part changes its length.

use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// Nodes are numbered: first the leaves, which are words of the state, then the inner ones, each
/// after everything below it.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The bytes of each leaf, one to four.
    pub leaves: Vec<Range<u32>>,
    /// What each inner node joins.
    pub inner: Vec<[u32; 2]>,
    /// The node above each node, [`NONE`] above the two halves.
    pub parent: Vec<u32>,
    /// For each byte, its leaf.
    pub leaf_of: Vec<u32>,
    pub parts: Vec<Part>,
    /// The two halves of the root; [`NONE`] where there are not that many words.
    pub top: [u32; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub bytes: Range<u32>,
    pub leaves: Range<u32>,
    /// The node over just this part, and the inner nodes below and with it; [`NONE`] where the
    /// part is split between others.
    pub root: u32,
    pub inner: Range<u32>,
}

impl Tree {
    pub fn of(len: usize, cuts: &[u32]) -> Tree {
        let mut tree = Tree::of_leaves(len, cuts);
        let leaves = tree.leaves.len() as u32;
        tree.top = match leaves {
            0 => [NONE, NONE],
            1 => [0, NONE],
            _ => {
                let middle = tree.split(0, leaves);
                [tree.join(0, middle), tree.join(middle, leaves)]
            }
        };
        tree
    }

    /// One with so many leaves.
    pub fn of_row(leaves: u32) -> Tree {
        Tree::of(4 * leaves as usize, &[])
    }

    /// With nothing joined yet.
    fn of_leaves(len: usize, cuts: &[u32]) -> Tree {
        let mut tree = Tree::default();
        let mut start = 0;
        for &end in cuts.iter().chain([&(len as u32)]) {
            tree.add_part(start..end);
            start = end;
        }
        tree.parent.resize(tree.leaves.len(), NONE);
        tree
    }

    fn add_part(&mut self, bytes: Range<u32>) {
        let first = self.leaves.len() as u32;
        for start in bytes.clone().step_by(4) {
            let end = bytes.end.min(start + 4);
            self.leaf_of.resize(end as usize, self.leaves.len() as u32);
            self.leaves.push(start..end);
        }
        let leaves = first..self.leaves.len() as u32;
        let root = if leaves.len() == 1 { first } else { NONE };
        self.parts.push(Part { bytes, leaves, root, inner: 0..0 });
    }

    /// The node over the leaves `from..to`, of which there is at least one.
    fn join(&mut self, from: u32, to: u32) -> u32 {
        if to - from == 1 {
            return from;
        }
        let first = self.inner.len() as u32;
        let middle = self.split(from, to);
        let below = [self.join(from, middle), self.join(middle, to)];
        let node = self.parent.len() as u32;
        self.inner.push(below);
        self.parent.push(NONE);
        below.iter().for_each(|child| self.parent[*child as usize] = node);
        let part = self.parts.partition_point(|part| part.leaves.end <= from);
        if self.parts[part].leaves == (from..to) {
            self.parts[part].root = node;
            self.parts[part].inner = first..self.inner.len() as u32;
        }
        node
    }

    /// Where the leaves `from..to` fall into halves: with as many parts on either side, or in the
    /// middle of the leaves where one part has more of them than all others together.
    fn split(&self, from: u32, to: u32) -> u32 {
        let first = self.parts.partition_point(|part| part.leaves.end <= from);
        let end = self.parts.partition_point(|part| part.leaves.start < to);
        let parts = &self.parts[first..end];
        let has_most =
            |part: &Part| 2 * (part.leaves.end.min(to) - part.leaves.start.max(from)) > to - from;
        match parts.get(parts.len().div_ceil(2)) {
            Some(part) if part.leaves.start > from && !parts.iter().any(has_most) => {
                part.leaves.start
            }
            _ => from + (to - from).div_ceil(2),
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// The word of a leaf, filled up with zeros.
    #[inline]
    pub fn word(&self, bytes: &[u8], leaf: u32) -> u32 {
        let Range { start, end } = self.leaves[leaf as usize];
        match bytes[start as usize..].first_chunk() {
            Some(word) => u32::from_le_bytes(*word) & (u32::MAX >> (32 - 8 * (end - start))),
            None => {
                let bytes = &bytes[start as usize..end as usize];
                bytes.iter().rev().fold(0, |word, byte| word << 8 | *byte as u32)
            }
        }
    }

    #[inline]
    pub fn put_word(&self, bytes: &mut [u8], leaf: u32, word: u32) {
        let Range { start, end } = self.leaves[leaf as usize];
        let bytes = &mut bytes[start as usize..end as usize];
        match bytes.first_chunk_mut() {
            Some(place) => *place = word.to_le_bytes(),
            None => bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]),
        }
    }
}

/// The trees that one thread has met, by the node of their shape.
#[derive(Debug, Default)]
pub(crate) struct Trees(FxHashMap<u32, Arc<Tree>>);

impl Trees {
    /// A program may have any number of shapes, but few at a time.
    const MOST: usize = 4096;

    pub fn get(&mut self, shape: u32, build: impl FnOnce() -> Tree) -> Arc<Tree> {
        if self.0.len() >= Self::MOST && !self.0.contains_key(&shape) {
            self.0.clear();
        }
        Arc::clone(self.0.entry(shape).or_insert_with(|| Arc::new(build())))
    }

    /// One that was met.
    #[inline]
    pub fn known(&self, shape: u32) -> Option<&Arc<Tree>> {
        self.0.get(&shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_balanced_and_keep_parts_together() {
        let tree = Tree::of(40, &[8, 16, 28]);
        assert_eq!(tree.leaves.len(), 10);
        assert_eq!(tree.top[1] as usize, tree.len() - 1);
        assert_eq!(tree.inner[tree.top[0] as usize - 10], [tree.parts[0].root, tree.parts[1].root]);
        for (i, children) in tree.inner.iter().enumerate() {
            assert!(children.iter().all(|child| (*child as usize) < tree.leaves.len() + i));
        }
        assert_eq!(tree.len(), 10 + 8);

        let large = Tree::of(400, &[399]);
        assert_eq!(large.parts[0].root, NONE, "a part that is nearly everything is split");
        assert_eq!(large.leaves.len(), 101);
    }

    #[test]
    fn small_states_have_few_nodes() {
        assert_eq!(Tree::of(0, &[]).top, [NONE, NONE]);
        assert_eq!(Tree::of(3, &[]).top, [0, NONE]);
        assert_eq!(Tree::of(3, &[0, 1, 1]).top, [0, 1]);
        assert_eq!(Tree::of(3, &[0, 1, 1]).parts[2].leaves, 1..1);
    }

    #[test]
    fn words_end_where_their_part_ends() {
        let tree = Tree::of(7, &[3]);
        let mut bytes = [1, 2, 3, 4, 5, 6, 7];
        assert_eq!(tree.word(&bytes, 0), 0x030201);
        assert_eq!(tree.word(&bytes, 1), 0x07060504);
        tree.put_word(&mut bytes, 0, 0x090909);
        assert_eq!(bytes, [9, 9, 9, 4, 5, 6, 7]);
    }
}
