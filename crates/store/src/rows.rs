//! Folding states given by the numbers of their parts, all successors of a state side by side.
//!
//! A node has a number only when those below it have, so a state waits for memory several times, once for each node on the
//! way up. While one waits, the others go on.

use crate::budget::Full;
use crate::nodes::{Nodes, pair};
use crate::shapes::Shapes;
use crate::tree::{NONE, Tree, Trees};
use crate::unpacked::{Unpacked, value};
use std::sync::Arc;

/// One thread's working memory.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// Those in use, and others that were in use once.
    rows: Vec<Row>,
    used: usize,
    /// Those that wait.
    waiting: Vec<usize>,
}

/// A row of parts, joined up to its root as far as that is done.
#[derive(Debug, Default)]
struct Row {
    tree: Arc<Tree>,
    /// For each node of the tree its number, right for all that have nothing below that is dirty.
    values: Vec<u32>,
    /// Inner nodes to be numbered, one bit each; there are none before the word `first_dirty`.
    dirty: Vec<u64>,
    first_dirty: usize,
    wait: Option<Wait>,
    root: u64,
}

/// A number that is not known yet, for whose memory was asked.
#[derive(Clone, Copy, Debug)]
struct Wait {
    of: Of,
    key: u64,
    hash: u64,
}

#[derive(Clone, Copy, Debug)]
enum Of {
    Inner(u32),
    /// That of the left half together with the shape.
    Shape,
}

impl Rows {
    pub fn clear(&mut self) {
        self.used = 0;
        self.waiting.clear();
    }

    /// Adds a row. The more it is like `near`, or another state with as many parts that was read lately, the faster this is.
    #[inline]
    pub fn add(&mut self, parts: &[u32], near: Option<&Unpacked>, trees: &mut Trees) {
        if self.used == self.rows.len() {
            self.rows.push(Row::default());
        }
        let row = &mut self.rows[self.used];
        match near.and_then(|near| near.nodes_of_row(parts.len())) {
            Some((tree, values)) => row.begin_near(tree, parts, values),
            None => {
                let count = parts.len() as u32;
                row.begin(&trees.get(count, || Tree::of_row(count)), parts);
            }
        }
        self.waiting.push(self.used);
        self.used += 1;
    }

    /// Finds the roots of all rows.
    pub fn finish(&mut self, nodes: &mut Nodes<'_>, shapes: &Shapes) -> Result<(), Full> {
        let Rows { rows, waiting, .. } = self;
        while !waiting.is_empty() {
            let mut turn = 0;
            while let Some(row) = waiting.get(turn) {
                match rows[*row].go_on(nodes, shapes)? {
                    true => drop(waiting.swap_remove(turn)),
                    false => turn += 1,
                }
            }
        }
        Ok(())
    }

    /// In the order in which they were added.
    pub fn roots(&self) -> impl Iterator<Item = u64> {
        self.rows[..self.used].iter().map(|row| row.root)
    }
}

impl Row {
    /// Begins with a row of which nothing is known.
    fn begin(&mut self, tree: &Arc<Tree>, parts: &[u32]) {
        self.tree.clone_from(tree);
        self.wait = None;
        self.values.clear();
        self.values.extend_from_slice(parts);
        self.values.resize(tree.len(), 0);
        self.first_dirty = 0;
        self.dirty.clear();
        self.dirty.resize(tree.inner.len() / 64, u64::MAX);
        self.dirty.push((1 << (tree.inner.len() % 64)) - 1);
    }

    /// The same where another row with the same tree has these nodes.
    fn begin_near(&mut self, tree: &Arc<Tree>, parts: &[u32], near: &[u32]) {
        if !Arc::ptr_eq(&self.tree, tree) {
            self.tree.clone_from(tree);
        }
        self.wait = None;
        self.values.clear();
        self.values.extend_from_slice(near);
        self.first_dirty = 0;
        self.dirty.clear();
        self.dirty.resize(tree.inner.len() / 64 + 1, 0);
        for (leaf, (part, other)) in parts.iter().zip(near).enumerate() {
            if part != other {
                self.put(leaf, *part);
            }
        }
    }

    /// The number of a node. What is above it becomes dirty.
    #[inline]
    fn put(&mut self, node: usize, number: u32) {
        self.values[node] = number;
        mark(&mut self.dirty, self.tree.parent[node], self.tree.leaves.len());
    }

    /// Goes on until it must wait for memory, for which it asks. Is its root known then?
    #[inline]
    fn go_on(&mut self, nodes: &mut Nodes<'_>, shapes: &Shapes) -> Result<bool, Full> {
        if let Some(Wait { of, key, hash }) = self.wait.take() {
            let number = nodes.look_up(key, hash)?;
            match of {
                Of::Inner(inner) => self.put(self.tree.leaves.len() + inner as usize, number),
                Of::Shape => return self.end(shapes.paired(number)?),
            }
        }
        let Row { tree, values, dirty, first_dirty, .. } = self;
        let (tree, leaves) = (&**tree, tree.leaves.len());
        // What is above a node comes after it.
        while let Some(word) = dirty.get_mut(*first_dirty) {
            if *word == 0 {
                *first_dirty += 1;
                continue;
            }
            let inner = 64 * *first_dirty + word.trailing_zeros() as usize;
            *word &= *word - 1;
            let [left, right] = tree.inner[inner];
            let key = pair(values[left as usize], values[right as usize]);
            match nodes.known_or_prefetch(key) {
                Ok(number) => {
                    values[leaves + inner] = number;
                    mark(dirty, tree.parent[leaves + inner], leaves);
                }
                Err(hash) => return self.wait_for(Of::Inner(inner as u32), key, hash),
            }
        }
        let (shape, left) = (leaves as u32, value(values, tree.top[0]));
        if let Some(left) = shapes.join_common(shape, left) {
            return self.end(left);
        }
        let key = pair(shape, left);
        match nodes.known_or_prefetch(key) {
            Ok(number) => self.end(shapes.paired(number)?),
            Err(hash) => self.wait_for(Of::Shape, key, hash),
        }
    }

    fn wait_for(&mut self, of: Of, key: u64, hash: u64) -> Result<bool, Full> {
        self.wait = Some(Wait { of, key, hash });
        Ok(false)
    }

    fn end(&mut self, left: u32) -> Result<bool, Full> {
        self.root = pair(left, value(&self.values, self.tree.top[1]));
        Ok(true)
    }
}

/// The node above another one is to be numbered, if there is one.
#[inline]
fn mark(dirty: &mut [u64], parent: u32, leaves: usize) {
    if parent != NONE {
        let inner = parent as usize - leaves;
        dirty[inner / 64] |= 1 << (inner % 64);
    }
}
