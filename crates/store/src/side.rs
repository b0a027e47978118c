//! Folding many successors of one state side by side.
//!
//! Whether a node is known is often a matter of waiting for memory, twice: for a bucket of the index, and for the node
//! that it leads to. While one state waits, the others go on. So each of them folds until it comes to a node that is
//! not in the memo, asks for the memory, and is looked at again when all others have had their turn.

use crate::budget::Full;
use crate::hash::hash;
use crate::nodes::{Nodes, pair};
use crate::tree::{Inner, Tree};
use crate::unpacked::{Unpacked, value};
use auspex_system::ByteRange;

/// One thread's working memory.
#[derive(Debug, Default)]
pub(crate) struct SideBySide {
    /// The nodes of all states, one state behind the other.
    values: Vec<u32>,
    /// Those that wait.
    waiting: Vec<Task>,
}

/// A state that is not folded to the end.
#[derive(Debug)]
struct Task {
    /// Where its nodes begin.
    row: usize,
    /// Inner nodes to be numbered anew.
    dirty: Inner,
    /// The node that it waits for, and what that joins.
    inner: usize,
    key: u64,
    hash: u64,
    /// Its bucket has come, and leads to the node that is asked for now.
    has_bucket: bool,
}

impl SideBySide {
    pub fn clear(&mut self) {
        self.values.clear();
        self.waiting.clear();
    }

    /// Can states like this one be folded so?
    pub fn is_for(near: &Unpacked) -> bool {
        near.tree.above.len() == near.tree.leaves.len()
    }

    /// Adds a state that may differ from `near` in these ranges of bytes.
    #[inline]
    pub fn add(
        &mut self,
        nodes: &mut Nodes<'_>,
        bytes: &[u8],
        changes: &[ByteRange],
        near: &Unpacked,
    ) {
        let tree = &*near.tree;
        let row = self.values.len();
        self.values.extend_from_slice(&near.values);
        let values = &mut self.values[row..];
        let mut dirty = Inner::default();
        for [from, to] in changes {
            let mut at = *from;
            while at < *to {
                let leaf = tree.leaf_of[at as usize] as usize;
                let word = tree.word(bytes, leaf as u32);
                if values[leaf] != word {
                    values[leaf] = word;
                    dirty
                        .iter_mut()
                        .zip(tree.above[leaf])
                        .for_each(|(dirty, above)| *dirty |= above);
                }
                at = tree.leaves[leaf].end;
            }
        }
        if let Some(task) = fold(nodes, tree, values, dirty) {
            self.waiting.push(Task { row, ..task });
        }
    }

    /// Folds all states that were added.
    pub fn finish(&mut self, nodes: &mut Nodes<'_>, tree: &Tree) -> Result<(), Full> {
        while !self.waiting.is_empty() {
            let mut turn = 0;
            while let Some(task) = self.waiting.get_mut(turn) {
                if !task.has_bucket {
                    nodes.table.prefetch_node(task.hash);
                    task.has_bucket = true;
                    turn += 1;
                    continue;
                }
                let values = &mut self.values[task.row..task.row + tree.len()];
                values[tree.leaves.len() + task.inner] = nodes.look_up(task.key, task.hash)?;
                match fold(nodes, tree, values, task.dirty) {
                    Some(next) => {
                        *task = Task { row: task.row, ..next };
                        turn += 1;
                    }
                    None => drop(self.waiting.swap_remove(turn)),
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

/// Numbers nodes as far as possible without waiting; what is above a node comes after it. What is left, if anything is.
#[inline]
fn fold(nodes: &mut Nodes<'_>, tree: &Tree, values: &mut [u32], mut dirty: Inner) -> Option<Task> {
    let leaves = tree.leaves.len();
    for word in 0..dirty.len() {
        while dirty[word] != 0 {
            let inner = 64 * word + dirty[word].trailing_zeros() as usize;
            dirty[word] &= dirty[word] - 1;
            let [left, right] = tree.inner[inner];
            let key = pair(values[left as usize], values[right as usize]);
            let hash = hash(key);
            let Some(number) = nodes.remembered(key, hash) else {
                nodes.table.prefetch(hash);
                return Some(Task { row: 0, dirty, inner, key, hash, has_bucket: false });
            };
            values[leaves + inner] = number;
        }
    }
    None
}
