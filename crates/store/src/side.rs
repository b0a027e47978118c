//! Folding many successors of one state side by side.
//!
//! Whether a node is known is often a matter of waiting for memory, twice: for a bucket of the index, and for the node
//! that it leads to. While one state waits, the others go on. So each of them folds until it comes to a node that is
//! not in the memo, asks for the memory, and is looked at again when all others have had their turn.

use crate::budget::Full;
use crate::hash::hash;
use crate::nodes::{Nodes, pair};
use crate::tree::{NONE, Tree};
use crate::unpacked::{Unpacked, value};

/// Trees with more inner nodes are folded one after the other.
pub(crate) const MOST_INNER: usize = 64 * WORDS;
const WORDS: usize = 4;

/// One thread's working memory.
#[derive(Debug, Default)]
pub(crate) struct SideBySide {
    /// The nodes of all states, one state behind the other.
    values: Vec<u32>,
    tasks: Vec<Task>,
    /// Those that are not finished.
    active: Vec<u32>,
}

#[derive(Debug)]
struct Task {
    /// Inner nodes to be numbered anew, one bit each.
    dirty: [u64; WORDS],
    waits: Waits,
    /// The node that it waits for.
    inner: u32,
    key: u64,
    hash: u64,
}

#[derive(Debug, Clone, Copy)]
enum Waits {
    No,
    ForBucket,
    ForNode,
}

impl SideBySide {
    pub fn clear(&mut self) {
        self.values.clear();
        self.tasks.clear();
        self.active.clear();
    }

    /// Adds a state that may differ from `near` in these ranges of bytes.
    pub fn add(&mut self, bytes: &[u8], changes: &[(u32, u32)], near: &Unpacked) {
        let tree = &*near.tree;
        let start = self.values.len();
        self.values.extend_from_slice(&near.values);
        let row = &mut self.values[start..];
        let mut dirty = [0; WORDS];
        for (from, to) in changes {
            let mut at = *from;
            while at < *to {
                let leaf = tree.leaf_of[at as usize];
                set(tree, row, &mut dirty, leaf, tree.word(bytes, leaf));
                at = tree.leaves[leaf as usize].end;
            }
        }
        self.active.push(self.tasks.len() as u32);
        self.tasks.push(Task { dirty, waits: Waits::No, inner: 0, key: 0, hash: 0 });
    }

    /// Folds all states that were added.
    pub fn fold(&mut self, nodes: &mut Nodes<'_>, tree: &Tree) -> Result<(), Full> {
        let width = tree.len();
        while !self.active.is_empty() {
            let mut turn = 0;
            while let Some(&number) = self.active.get(turn) {
                let start = number as usize * width;
                let row = &mut self.values[start..start + width];
                if self.tasks[number as usize].goes_on(nodes, tree, row)? {
                    turn += 1;
                } else {
                    self.active.swap_remove(turn);
                }
            }
        }
        Ok(())
    }

    /// The halves of each, in the order in which they were added.
    pub fn halves(&self, tree: &Tree) -> impl Iterator<Item = (u32, u32)> {
        let rows = self.values.chunks_exact(tree.len().max(1));
        rows.map(|row| (value(row, tree.top[0]), value(row, tree.top[1])))
    }
}

impl Task {
    /// Goes on as far as possible without waiting. Is there more to do?
    #[inline]
    fn goes_on(
        &mut self,
        nodes: &mut Nodes<'_>,
        tree: &Tree,
        row: &mut [u32],
    ) -> Result<bool, Full> {
        match self.waits {
            Waits::No => {}
            Waits::ForBucket => {
                nodes.table.prefetch_node(self.hash);
                self.waits = Waits::ForNode;
                return Ok(true);
            }
            Waits::ForNode => {
                let number = nodes.look_up(self.key, self.hash)?;
                set(tree, row, &mut self.dirty, tree.leaves.len() as u32 + self.inner, number);
            }
        }
        while let Some(inner) = self.next() {
            let [left, right] = tree.inner[inner as usize];
            let key = pair(row[left as usize], row[right as usize]);
            let hash = hash(key);
            let Some(number) = nodes.remembered(key, hash) else {
                nodes.table.prefetch(hash);
                *self = Task { waits: Waits::ForBucket, inner, key, hash, ..*self };
                return Ok(true);
            };
            set(tree, row, &mut self.dirty, tree.leaves.len() as u32 + inner, number);
        }
        Ok(false)
    }

    /// The lowest node that is to be numbered: what is above a node comes after it.
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let word = self.dirty.iter().position(|word| *word != 0)?;
        let bit = self.dirty[word].trailing_zeros();
        self.dirty[word] &= self.dirty[word] - 1;
        Some(64 * word as u32 + bit)
    }
}

/// Gives a node another value; what is above it is then to be numbered anew.
#[inline]
fn set(tree: &Tree, row: &mut [u32], dirty: &mut [u64; WORDS], node: u32, value: u32) {
    if std::mem::replace(&mut row[node as usize], value) == value {
        return;
    }
    let parent = tree.parent[node as usize];
    if parent != NONE {
        let inner = parent as usize - tree.leaves.len();
        dirty[inner / 64] |= 1 << (inner % 64);
    }
}
