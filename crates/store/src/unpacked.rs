//! A state that was read back, with the numbers of all its nodes.

use crate::fold::{Entry, size, unfold, unpair};
use crate::shapes::Shapes;
use crate::table::Table;
use auspex_system::StateRef;

/// How many values a state's own tree ends in: the two halves of its root.
pub(crate) const HALVES: usize = 2;

/// A state with the nodes it is made of, so that another state that is nearly the same is
/// inserted, or read, by the difference only. Reused from state to state.
///
/// A state without cuts is one tree over its 4-byte words. One with cuts has a tree for each part
/// and one over these trees' roots, so that a part that changes its length shifts no other.
#[derive(Debug, Default)]
pub struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) cuts: Vec<u32>,
    /// The node that holds the lengths of the parts; `None` before the first state.
    pub(crate) shape: Option<u32>,
    /// The root's left half together with the shape.
    pub(crate) left: u32,
    /// The state's own tree, then those of its parts.
    nodes: Vec<u32>,
    parts: Vec<Part>,
    /// For each byte, its part.
    part_of: Vec<u32>,
    changed: Vec<Entry>,
    words: Vec<Entry>,
    spare: Vec<Entry>,
}

/// The bytes of a part and the place of its tree in `Unpacked::nodes`.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: u32,
    end: u32,
    tree: u32,
}

pub(crate) fn words_in(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// The word at `index`, filled up with zeros at the end.
#[inline]
pub(crate) fn word(bytes: &[u8], index: usize) -> u32 {
    let rest = &bytes[4 * index..];
    match rest.first_chunk() {
        Some(word) => u32::from_le_bytes(*word),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | *byte as u32),
    }
}

fn put_word(bytes: &mut [u8], index: usize, word: u32) {
    let rest = &mut bytes[4 * index..];
    let len = rest.len().min(4);
    rest[..len].copy_from_slice(&word.to_le_bytes()[..len]);
}

impl Unpacked {
    pub fn state(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }

    pub(crate) fn leaves(&self) -> usize {
        leaves(self.bytes.len(), self.cuts.len())
    }

    pub(crate) fn tree(&self) -> &[u32] {
        &self.nodes
    }

    /// The two values at the top of the state's tree.
    pub(crate) fn halves(&self) -> (u32, u32) {
        let leaves = self.leaves();
        let end = size(leaves, HALVES);
        match leaves {
            0 => (0, 0),
            1 => (self.nodes[0], 0),
            _ => (self.nodes[end - 2], self.nodes[end - 1]),
        }
    }

    /// The tree of a part, its root last.
    pub(crate) fn part_tree(&self, index: usize) -> &[u32] {
        let part = self.parts[index];
        let end = self.parts.get(index + 1).map_or(self.nodes.len(), |next| next.tree as usize);
        &self.nodes[part.tree as usize..end]
    }

    pub(crate) fn part_at(&self, byte: usize) -> usize {
        self.part_of[byte] as usize
    }

    pub(crate) fn part_bytes(&self, index: usize) -> std::ops::Range<usize> {
        self.parts[index].start as usize..self.parts[index].end as usize
    }

    pub(crate) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Becomes the state with this root.
    pub(crate) fn unfold(&mut self, table: &Table, shapes: &Shapes, root: u64) {
        let (left, right_half) = unpair(root);
        let (shape, left_half) = shapes.split(table, left);
        let fresh = self.shape != Some(shape);
        if fresh {
            self.reshape(table, shape);
        }
        self.left = left;
        let leaves = self.leaves();
        self.changed.clear();
        self.changed.extend([(0, left_half), (1, right_half)]);
        self.changed.truncate(leaves);
        let (changed, spare) = (&mut self.changed, &mut self.spare);
        unfold(table, &mut self.nodes, (leaves, HALVES), fresh, changed, spare);
        self.write(table, fresh);
    }

    /// Brings the bytes of all changed leaves up to date.
    fn write(&mut self, table: &Table, fresh: bool) {
        if self.parts.is_empty() {
            for &(at, word) in &self.changed {
                put_word(&mut self.bytes, at as usize, word);
            }
            return;
        }
        for i in 0..self.changed.len() {
            let (at, root) = self.changed[i];
            self.write_part(table, at as usize, root, fresh);
        }
    }

    fn write_part(&mut self, table: &Table, index: usize, root: u32, fresh: bool) {
        let Part { start, end, tree } = self.parts[index];
        let bytes = &mut self.bytes[start as usize..end as usize];
        let words = words_in(bytes.len());
        self.words.clear();
        self.words.extend([(0, root)]);
        self.words.truncate(words);
        let nodes = &mut self.nodes[tree as usize..];
        unfold(table, nodes, (words, 1), fresh, &mut self.words, &mut self.spare);
        for &(at, word) in &self.words {
            put_word(bytes, at as usize, word);
        }
    }

    /// Lays out parts and trees for another shape.
    fn reshape(&mut self, table: &Table, shape: u32) {
        let (count, lengths) = unpair(table.get(shape));
        let count = count as usize;
        self.shape = Some(shape);
        self.nodes.clear();
        self.nodes.resize(size(count, 1), 0);
        self.changed.clear();
        self.changed.push((0, lengths));
        unfold(table, &mut self.nodes, (count, 1), true, &mut self.changed, &mut self.spare);
        self.lay_out();
    }

    /// Places the parts whose lengths are in `changed`.
    fn lay_out(&mut self) {
        self.parts.clear();
        self.part_of.clear();
        self.cuts.clear();
        let (mut start, mut tree) = (0, 0);
        for &(at, length) in &self.changed {
            let part = Part { start, end: start + length, tree };
            tree += size(words_in(length as usize), 1) as u32;
            start = part.end;
            self.parts.push(part);
            self.cuts.push(part.end);
            self.part_of.resize(part.end as usize, at);
        }
        // The end of the last part is the end of the state, and no cut.
        self.cuts.pop();
        self.bytes.clear();
        self.bytes.resize(start as usize, 0);
        if self.cuts.is_empty() {
            self.parts.clear();
            tree = 0;
        }
        let own = size(self.leaves(), HALVES);
        self.parts.iter_mut().for_each(|part| part.tree += own as u32);
        self.nodes.clear();
        self.nodes.resize(own + tree as usize, 0);
    }
}

/// The leaves of a state's own tree: its parts, or its words where there is but one part.
pub(crate) fn leaves(bytes: usize, cuts: usize) -> usize {
    if cuts == 0 { words_in(bytes) } else { cuts + 1 }
}
