//! A state that was read back, with the numbers of all its nodes.

use crate::coded::Coded;
use crate::loose::read_part;
use crate::nodes::{read_row, unpair};
use crate::recent::Recent;
use crate::shapes::Shapes;
use crate::table::Table;
use crate::tree::{NONE, Tree, Trees};
use auspex_system::StateRef;
use std::sync::Arc;

/// A state with the nodes it is made of, so that another state that is nearly the same is
/// inserted, or read, by the difference only. Reused from state to state.
#[derive(Debug, Default)]
pub struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) cuts: Vec<u32>,
    /// The node that holds the lengths of the parts; `None` before the first state.
    pub(crate) shape: Option<u32>,
    pub(crate) tree: Arc<Tree>,
    /// For each node of the tree, its number, or the word of a leaf.
    pub(crate) values: Vec<u32>,
    /// The root's left half together with the shape.
    pub(crate) left: u32,
    trees: Trees,
    rows: Rows,
    open: Vec<(u32, u32)>,
    /// Whose codes it is made of, if it is: then it has keys, and neither shape nor tree nor values.
    pub(crate) coded: Option<usize>,
    pub(crate) keys: Vec<u64>,
    /// The keys of the state that `bytes` are of.
    shown: Vec<u64>,
    /// Those of the groups that the keys are of.
    numbers: Vec<u32>,
    /// For states with loose parts: the numbers of those that `bytes` holds.
    assembled: Vec<u32>,
    row: Vec<u32>,
    part: Vec<u8>,
    /// Parts that were read before: most are read again soon.
    recent: Recent,
}

/// For each of the usual numbers of loose parts, the nodes of a state that had so many. Most states have as many parts as one that came shortly
/// before, and most of the same.
#[derive(Debug, Default)]
struct Rows(Vec<Vec<u32>>);

impl Rows {
    const MOST: usize = 256;

    /// Those of the last state with so many parts: empty if there was none. To be given back.
    #[inline]
    fn take(&mut self, count: usize) -> Vec<u32> {
        self.0.get_mut(count).map(std::mem::take).unwrap_or_default()
    }

    fn put(&mut self, count: usize, values: Vec<u32>) {
        if count >= self.0.len() && count < Self::MOST {
            self.0.resize_with(count + 1, Vec::new);
        }
        if let Some(row) = self.0.get_mut(count) {
            *row = values;
        }
    }
}

impl Unpacked {
    pub fn state(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }

    /// Has the other state the same parts, of the same lengths?
    #[inline]
    pub(crate) fn has_shape_of(&self, state: StateRef<'_>) -> bool {
        self.bytes.len() == state.bytes.len() && self.cuts == state.cuts
    }

    /// Becomes the state with this root, of whose parts, which are loose, only the numbers are looked up.
    pub(crate) fn unfold_loose(&mut self, table: &Table, shapes: &Shapes, root: u64) {
        let (left, right_half) = unpair(root);
        let (count, left_half) = shapes.split(table, left);
        let mut fresh = false;
        if self.shape != Some(count) {
            // A tree with a leaf for each part.
            let before = std::mem::take(&mut self.values);
            self.rows.put(self.tree.leaves.len(), before);
            self.shape = Some(count);
            self.tree = self.trees.get(count, || Tree::of_row(count));
            self.values = self.rows.take(count as usize);
            fresh = self.values.len() != self.tree.len();
            self.values.resize(self.tree.len(), 0);
        }
        self.left = left;
        let Unpacked { tree, values, open, .. } = self;
        let leaves = tree.leaves.len();
        // Both are asked for before one is looked at.
        let below = |node: [u32; 2], numbers: [u32; 2], values: &[u32], open: &mut Vec<_>| {
            for (node, number) in node.into_iter().zip(numbers) {
                let is_other = |known: &u32| fresh || *known != number;
                if values.get(node as usize).is_some_and(is_other) {
                    if node as usize >= leaves {
                        table.prefetch_get(number);
                    }
                    open.push((node, number));
                }
            }
        };
        below(tree.top, [left_half, right_half], values, open);
        while let Some((node, value)) = open.pop() {
            values[node as usize] = value;
            if let Some(inner) = (node as usize).checked_sub(leaves) {
                let (left, right) = unpair(table.get(value));
                below(tree.inner[inner], [left, right], values, open);
            }
        }
    }

    /// A tree with so many leaves, and the nodes that this state, or the last one with so many loose parts, has in it.
    #[inline]
    pub(crate) fn nodes_of_row(&self, count: usize) -> Option<(&Arc<Tree>, &[u32])> {
        if self.shape == Some(count as u32) {
            return Some((&self.tree, &self.values));
        }
        let tree = self.trees.known(count as u32)?;
        let values = self.rows.0.get(count).filter(|values| values.len() == tree.len())?;
        Some((tree, values))
    }

    /// The numbers of the parts of a state with loose ones.
    #[inline]
    pub fn parts(&self) -> &[u32] {
        &self.values[..self.tree.leaves.len()]
    }

    /// Are the bytes of a state with loose parts there, and not only the numbers of its parts?
    pub(crate) fn is_whole(&self) -> bool {
        self.assembled == self.parts()
    }

    /// The bytes of a part.
    pub(crate) fn part(&mut self, table: &Table, number: u32) -> &[u8] {
        if self.recent.bytes(number).is_none() {
            self.part.clear();
            read_part(table, number, &mut self.row, &mut self.part);
            self.recent.insert_number(number, &self.part);
        }
        self.recent.bytes(number).unwrap_or(&self.part)
    }

    /// Puts the bytes of a state with loose parts together, of which only their numbers are known.
    pub(crate) fn assemble(&mut self, table: &Table) {
        if self.is_whole() {
            return;
        }
        self.bytes.clear();
        self.cuts.clear();
        let mut bytes = std::mem::take(&mut self.bytes);
        for index in 0..self.tree.leaves.len() {
            if index > 0 {
                self.cuts.push(bytes.len() as u32);
            }
            bytes.extend_from_slice(self.part(table, self.values[index]));
        }
        self.bytes = bytes;
        self.assembled.clear();
        self.assembled.extend_from_slice(&self.values[..self.tree.leaves.len()]);
    }

    /// Becomes the state with this root, which is coded.
    #[inline]
    pub(crate) fn decode(&mut self, at: usize, coded: &Coded, root: u64) {
        self.decode_keys(at, coded, root);
        self.show(coded);
    }

    /// The same, but for its bytes.
    #[inline]
    pub(crate) fn decode_keys(&mut self, at: usize, coded: &Coded, root: u64) {
        let fresh = self.coded != Some(at);
        if fresh {
            self.coded = Some(at);
            self.shape = None;
            self.bytes.resize(coded.layout.len, 0);
            self.cuts.clone_from(&coded.layout.cuts);
            self.keys.resize(coded.keys(), 0);
            self.numbers.resize(coded.keys() - 1, 0);
            self.shown.clear();
        }
        coded.decode_keys(root, fresh, &mut self.keys, &mut self.numbers);
    }

    /// After `decode_keys`: the bytes of the state.
    #[inline]
    pub(crate) fn show(&mut self, coded: &Coded) {
        let fresh = self.shown.len() != self.keys.len();
        if fresh {
            self.shown.resize(self.keys.len(), 0);
        }
        coded.show(&self.keys, fresh, &mut self.shown, &mut self.bytes);
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
        let Unpacked { bytes, tree, values, open, .. } = self;
        let leaves = tree.leaves.len();
        open.extend([(tree.top[0], left_half), (tree.top[1], right_half)]);
        while let Some((node, value)) = open.pop() {
            let Some(known) = values.get_mut(node as usize).filter(|old| fresh || **old != value)
            else {
                continue;
            };
            *known = value;
            match (node as usize).checked_sub(leaves) {
                None => tree.put_word(bytes, node, value),
                Some(inner) => {
                    let [left, right] = tree.inner[inner];
                    let below = unpair(table.get(value));
                    open.extend([(left, below.0), (right, below.1)]);
                }
            }
        }
    }

    /// Lays out everything for another shape.
    fn reshape(&mut self, table: &Table, shape: u32) {
        let (count, lengths) = unpair(table.get(shape));
        let mut ends = Vec::new();
        read_row(table, lengths, count as usize, &mut ends);
        let mut len = 0;
        for end in &mut ends {
            len += *end;
            *end = len;
        }
        // The end of the last part is the end of the state, and no cut.
        ends.pop();
        self.shape = Some(shape);
        self.coded = None;
        self.tree = self.trees.get(shape, || Tree::of(len as usize, &ends));
        self.cuts = ends;
        self.bytes.clear();
        self.bytes.resize(len as usize, 0);
        self.values.clear();
        self.values.resize(self.tree.len(), 0);
    }
}

/// The value of a node, 0 where there is none.
#[inline]
pub(crate) fn value(values: &[u32], node: u32) -> u32 {
    if node == NONE { 0 } else { values[node as usize] }
}
