//! A state that was read back, with the numbers of all its nodes.

use crate::loose::read_part;
use crate::nodes::{read_row, unpair};
use crate::plan::Plan;
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
    open: Vec<(u32, u32)>,
    /// For states with loose parts: which of them changed, and the bytes before that.
    changed: Vec<bool>,
    before: Vec<u8>,
    row: Vec<u32>,
    /// Parts that were read before: most are read again soon.
    recent: Recent,
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

    /// Becomes the state with this root; its parts are loose.
    pub(crate) fn unfold_loose(&mut self, table: &Table, shapes: &Shapes, root: u64) {
        let (left, right_half) = unpair(root);
        let (count, left_half) = shapes.split(table, left);
        let fresh = self.shape != Some(count);
        if fresh {
            // A tree with a leaf for each part.
            self.shape = Some(count);
            self.tree = self.trees.get(count, || Tree::of(4 * count as usize, &[]));
            self.values.resize(self.tree.len(), 0);
        }
        self.left = left;
        self.changed.clear();
        self.changed.resize(count as usize, fresh);
        let Unpacked { tree, values, open, changed, .. } = self;
        let leaves = tree.leaves.len();
        open.extend([(tree.top[0], left_half), (tree.top[1], right_half)]);
        while let Some((node, value)) = open.pop() {
            let Some(known) = values.get_mut(node as usize).filter(|old| fresh || **old != value)
            else {
                continue;
            };
            *known = value;
            match (node as usize).checked_sub(leaves) {
                None => changed[node as usize] = true,
                Some(inner) => {
                    let [left, right] = tree.inner[inner];
                    let below = unpair(table.get(value));
                    open.extend([(left, below.0), (right, below.1)]);
                }
            }
        }
        self.assemble(table);
    }

    /// Puts the bytes together: parts that did not change are copied, as many at once as lie
    /// together.
    fn assemble(&mut self, table: &Table) {
        std::mem::swap(&mut self.bytes, &mut self.before);
        self.bytes.clear();
        let mut ends = std::mem::take(&mut self.cuts);
        ends.push(self.before.len() as u32);
        ends.resize(self.changed.len().max(ends.len()), self.before.len() as u32);
        // Where the parts begin that are still to be copied, and how far they move.
        let (mut copy, mut end, mut shift) = (0, 0, 0u32);
        for (index, changed) in self.changed.iter().enumerate() {
            let start = end;
            end = ends[index];
            if *changed {
                self.bytes.extend_from_slice(&self.before[copy as usize..start as usize]);
                let number = self.values[index];
                match self.recent.bytes(number) {
                    Some(bytes) => self.bytes.extend_from_slice(bytes),
                    None => {
                        let start = self.bytes.len();
                        read_part(table, number, &mut self.row, &mut self.bytes);
                        self.recent.insert_number(number, &self.bytes[start..]);
                    }
                }
                copy = end;
                shift = (self.bytes.len() as u32).wrapping_sub(end);
            }
            ends[index] = end.wrapping_add(shift);
        }
        self.bytes.extend_from_slice(&self.before[copy as usize..end as usize]);
        // The end of the last part is the end of the state, and no cut.
        ends.truncate(self.changed.len().saturating_sub(1));
        self.cuts = ends;
    }

    /// Becomes the state with this root.
    pub(crate) fn unfold(
        &mut self,
        table: &Table,
        shapes: &Shapes,
        plan: Option<&Plan>,
        root: u64,
    ) {
        let (left, right_half) = unpair(root);
        let (shape, left_half) = shapes.split(table, left);
        let fresh = self.shape != Some(shape);
        if fresh {
            self.reshape(table, plan, shape);
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
    fn reshape(&mut self, table: &Table, plan: Option<&Plan>, shape: u32) {
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
        self.tree = self.trees.get(shape, || Plan::tree(plan, len as usize, &ends));
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
