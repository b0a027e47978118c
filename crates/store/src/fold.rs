//! Folding a state up its tree to the two halves of its root.

use crate::budget::Full;
use crate::nodes::Nodes;
use crate::tree::{NONE, Tree};
use crate::unpacked::{Unpacked, value};

/// One thread's working memory: the nodes of a state that others are like.
#[derive(Debug, Default)]
pub(crate) struct Folding {
    values: Vec<u32>,
    /// What `values` held before, and where.
    undo: Vec<(u32, u32)>,
    /// Inner nodes to be numbered anew, one bit each.
    dirty: Vec<u64>,
    /// The nodes of a state of another shape.
    other: Vec<u32>,
}

impl Folding {
    /// What comes is like a state with these nodes.
    pub fn begin(&mut self, values: &[u32]) {
        self.undo.clear();
        self.values.clear();
        self.values.extend_from_slice(values);
        self.dirty.clear();
        self.dirty.resize(values.len().div_ceil(64), 0);
    }

    /// The halves of a state of the same shape as `near`, with which `begin` was called: follows
    /// only the paths on which something differs.
    pub fn near(
        &mut self,
        nodes: &mut Nodes<'_>,
        bytes: &[u8],
        near: &Unpacked,
    ) -> Result<(u32, u32), Full> {
        let tree = &*near.tree;
        let mut from = 0;
        while let Some(byte) = first_difference(bytes, &near.bytes, from) {
            let leaf = tree.leaf_of[byte];
            self.set(tree, leaf, tree.word(bytes, leaf));
            from = tree.leaves[leaf as usize].end as usize;
        }
        self.fold(nodes, tree)
    }

    /// The halves after some leaves were `set`; then all is as it was before.
    pub fn fold(&mut self, nodes: &mut Nodes<'_>, tree: &Tree) -> Result<(u32, u32), Full> {
        // What is above a node comes after it: once through is enough.
        for word in 0..self.dirty.len() {
            while self.dirty[word] != 0 {
                let inner = 64 * word + self.dirty[word].trailing_zeros() as usize;
                self.dirty[word] &= self.dirty[word] - 1;
                let [left, right] = tree.inner[inner];
                let (left, right) = (self.values[left as usize], self.values[right as usize]);
                let number = nodes.number(left, right)?;
                self.set(tree, (tree.leaves.len() + inner) as u32, number);
            }
        }
        let halves = (value(&self.values, tree.top[0]), value(&self.values, tree.top[1]));
        for (node, old) in self.undo.drain(..) {
            self.values[node as usize] = old;
        }
        Ok(halves)
    }

    #[inline]
    pub fn set(&mut self, tree: &Tree, node: u32, value: u32) {
        let old = std::mem::replace(&mut self.values[node as usize], value);
        self.undo.push((node, old));
        let parent = tree.parent[node as usize];
        if parent != NONE {
            let inner = parent as usize - tree.leaves.len();
            self.dirty[inner / 64] |= 1 << (inner % 64);
        }
    }

    /// The halves of any state. Parts that are as in `near` are taken from there.
    pub fn whole(
        &mut self,
        nodes: &mut Nodes<'_>,
        bytes: &[u8],
        tree: &Tree,
        near: Option<&Unpacked>,
    ) -> Result<(u32, u32), Full> {
        let values = &mut self.other;
        values.clear();
        values.resize(tree.len(), 0);
        let mut next = 0;
        for (index, part) in tree.parts.iter().enumerate() {
            let mine = &bytes[part.bytes.start as usize..part.bytes.end as usize];
            let known = near.and_then(|near| {
                let other = near.tree.parts.get(index)?;
                let its = &near.bytes[other.bytes.start as usize..other.bytes.end as usize];
                (part.root != NONE && other.root != NONE && mine == its)
                    .then(|| near.values[other.root as usize])
            });
            match known {
                Some(known) => {
                    // The nodes before this part's own belong to those before it.
                    number_all(nodes, tree, values, next..part.inner.start.max(next))?;
                    next = part.inner.end.max(next);
                    values[part.root as usize] = known;
                }
                None => {
                    for leaf in part.leaves.clone() {
                        values[leaf as usize] = tree.word(bytes, leaf);
                    }
                }
            }
        }
        number_all(nodes, tree, values, next..tree.inner.len() as u32)?;
        Ok((value(values, tree.top[0]), value(values, tree.top[1])))
    }
}

fn number_all(
    nodes: &mut Nodes<'_>,
    tree: &Tree,
    values: &mut [u32],
    inner: std::ops::Range<u32>,
) -> Result<(), Full> {
    for inner in inner {
        let [left, right] = tree.inner[inner as usize];
        let (left, right) = (values[left as usize], values[right as usize]);
        values[tree.leaves.len() + inner as usize] = nodes.number(left, right)?;
    }
    Ok(())
}

/// The first position, from `from` on, at which two strings of the same length differ.
#[inline]
fn first_difference(a: &[u8], b: &[u8], from: usize) -> Option<usize> {
    let (a, b) = (a.get(from..)?, b.get(from..)?);
    let (a_chunks, a_rest) = a.as_chunks::<8>();
    let (b_chunks, b_rest) = b.as_chunks::<8>();
    for (i, (a, b)) in a_chunks.iter().zip(b_chunks).enumerate() {
        let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if difference != 0 {
            return Some(from + 8 * i + difference.trailing_zeros() as usize / 8);
        }
    }
    let at = a_rest.iter().zip(b_rest).position(|(a, b)| a != b)?;
    Some(from + 8 * a_chunks.len() + at)
}
