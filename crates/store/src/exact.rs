//! The exact store: a state is a tree of nodes, each stored once.
//!
//! Inner nodes live in one table, root nodes, one a state, in another: a state is 8 bytes and its
//! slot in the index. The left half of a root comes together with the state's *shape*, a tree over
//! the lengths of its parts.

use crate::budget::{Bounds, Budget, Full, Quota};
use crate::fold::{Entry, Memo, Nodes, Stage, pair};
use crate::region::Region;
use crate::shapes::Shapes;
use crate::table::{SHARDS, Table, hash};
use crate::unpacked::{HALVES, Unpacked, leaves, word, words_in};
use auspex_system::StateRef;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Nearly dense: what is kept for each state is an array beside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    New(StateId),
    Old(StateId),
    Full(Full),
}

/// A state folded down to its root, which is not yet looked for.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    root: u64,
    hash: u64,
}

/// One thread's working memory for [`Exact::pack`].
#[derive(Debug, Default)]
pub struct Scratch {
    rows: Rows,
    memo: Memo,
    jobs: Vec<Job>,
    entries: Vec<Entry>,
}

/// A state of a batch on its way to its root.
#[derive(Clone, Copy, Debug)]
enum Job {
    /// What differs from the parent in the current row: a range of the entries of all.
    Folding {
        start: u32,
        count: u32,
    },
    Done {
        root: u64,
    },
}

/// The leaves that differ: of the state, and of one of its parts.
#[derive(Debug, Default)]
struct Rows {
    dirty: Vec<Entry>,
    words: Vec<Entry>,
}

pub struct Exact {
    inner: Table,
    roots: Table,
    shapes: Shapes,
    /// For each state the one that it was first reached from, plus one.
    parents: Region<AtomicU32>,
    budget: Budget,
    quota: Quota,
}

const NODE_BYTES: u64 = 8;
const PARENT_BYTES: u64 = 4;

impl Exact {
    pub fn new(bounds: Bounds) -> Self {
        let (budget, quota) = (Budget::new(bounds.memory), Quota::new(bounds.states));
        let mut places = places(bounds);
        loop {
            let inner = Table::new(places, NODE_BYTES);
            let roots = Table::new(places, NODE_BYTES + PARENT_BYTES);
            let parents = Region::reserve(roots.capacity());
            if parents.len() == roots.capacity() {
                let shapes = Shapes::default();
                return Exact { inner, roots, shapes, parents, budget, quota };
            }
            places /= 2;
        }
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        self.roots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Nodes that states share.
    pub fn inner_nodes(&self) -> u64 {
        self.inner.len()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.budget.used()
    }

    /// Ids are less than this.
    pub fn id_bound(&self) -> usize {
        self.roots.capacity()
    }

    pub fn insert(
        &self,
        state: StateRef<'_>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
    ) -> Inserted {
        match self.pack(state, near, scratch) {
            Ok(packed) => self.commit(packed),
            Err(full) => Inserted::Full(full),
        }
    }

    /// The first half of an insertion. When several states are packed before the first of them is
    /// committed, the memory that `commit` needs is already on its way.
    pub fn pack(
        &self,
        state: StateRef<'_>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
    ) -> Result<Packed, Full> {
        let Scratch { rows, memo, .. } = scratch;
        let nodes = Nodes { table: &self.inner, budget: &self.budget, memo };
        let mut packer = Packer { nodes, shapes: &self.shapes, state, rows };
        let root = packer.root(near.filter(|n| n.shape.is_some()))?;
        Ok(self.packed(root))
    }

    fn packed(&self, root: u64) -> Packed {
        let hash = hash(root);
        self.roots.prefetch(hash);
        Packed { root, hash }
    }

    /// Packs all successors of the state `near`. They are folded side by side, row by row: while
    /// one waits for memory, so do the others.
    pub fn pack_all<'a>(
        &self,
        states: impl Iterator<Item = StateRef<'a>>,
        near: &Unpacked,
        scratch: &mut Scratch,
        out: &mut Vec<Packed>,
    ) -> Result<(), Full> {
        let Scratch { rows, memo, jobs, entries } = scratch;
        jobs.clear();
        entries.clear();
        let mut nodes = Nodes { table: &self.inner, budget: &self.budget, memo };
        for state in states {
            let lent = Nodes { memo: &mut *nodes.memo, ..nodes };
            let mut packer = Packer { nodes: lent, shapes: &self.shapes, state, rows };
            if near.bytes.len() == state.bytes.len() && near.cuts == state.cuts {
                packer.changed(near)?;
                let (start, count) = (entries.len() as u32, rows.dirty.len() as u32);
                entries.extend_from_slice(&rows.dirty);
                jobs.push(Job::Folding { start, count });
            } else {
                jobs.push(Job::Done { root: packer.root(Some(near))? });
            }
        }
        fold_together(&mut nodes, jobs, entries, near)?;
        for job in jobs.iter() {
            let root = match *job {
                Job::Done { root } => root,
                Job::Folding { start, count } => {
                    let dirty = &entries[start as usize..(start + count) as usize];
                    near_root(&mut nodes, &self.shapes, dirty, near)?
                }
            };
            out.push(self.packed(root));
        }
        Ok(())
    }

    /// Between `pack` and `commit`, where several states are on their way: sends for the rest of
    /// what `commit` needs. Only a hint.
    #[inline]
    pub fn prefetch(&self, packed: Packed) {
        self.roots.prefetch_node(packed.hash);
    }

    #[inline]
    pub fn commit(&self, Packed { root, hash }: Packed) -> Inserted {
        if let Some(id) = self.roots.find(root, hash) {
            return Inserted::Old(StateId(id));
        }
        match self.roots.enter(root, hash, &self.budget, || self.quota.admit()) {
            Ok((id, true)) => Inserted::New(StateId(id)),
            Ok((id, false)) => Inserted::Old(StateId(id)),
            Err(full) => Inserted::Full(full),
        }
    }

    /// Reads a state back into `into`, the faster the more it is like the state there.
    pub fn read(&self, id: StateId, into: &mut Unpacked) {
        into.unfold(&self.inner, &self.shapes, self.roots.get(id.0));
    }

    pub fn set_parent(&self, of: StateId, parent: StateId) {
        self.parents.cells()[of.0 as usize].store(parent.0 + 1, Relaxed);
    }

    /// `None` for a state whose parent was never set.
    pub fn parent(&self, of: StateId) -> Option<StateId> {
        self.parents.cells()[of.0 as usize].load(Relaxed).checked_sub(1).map(StateId)
    }
}

/// How many nodes each shard of the two tables needs room for at most.
fn places(bounds: Bounds) -> u64 {
    let reserved = 2 * Table::RESERVED_PER_PLACE + PARENT_BYTES * SHARDS as u64;
    // Twice what memory could hold, for shards are not equally full.
    let by_memory = bounds.memory / (NODE_BYTES * SHARDS as u64) * 2 + 1024;
    by_memory.min(bounds.address_space / reserved)
}

/// Rows above this length are short of memory to wait for: their nodes are few and near.
const AHEAD: usize = 8;

/// Folds all jobs up to the two halves of their roots.
fn fold_together(
    nodes: &mut Nodes<'_>,
    jobs: &mut [Job],
    entries: &mut [Entry],
    near: &Unpacked,
) -> Result<(), Full> {
    let (mut row, mut len) = (0, near.leaves());
    while len > HALVES {
        let near = &near.tree()[row..];
        if len <= AHEAD {
            for stage in [Stage::Buckets, Stage::Nodes] {
                for job in jobs.iter() {
                    if let Job::Folding { start, count } = *job {
                        let dirty = &entries[start as usize..(start + count) as usize];
                        nodes.announce_row(dirty, near, len, stage);
                    }
                }
            }
        }
        for job in jobs.iter_mut() {
            if let Job::Folding { start, count } = job {
                let dirty = &mut entries[*start as usize..(*start + *count) as usize];
                *count = nodes.fold_row(dirty, near, len)? as u32;
            }
        }
        row += len;
        len = len.div_ceil(2);
    }
    Ok(())
}

/// The root of a state of the same shape as `near` from the halves that differ.
fn near_root(
    nodes: &mut Nodes<'_>,
    shapes: &Shapes,
    dirty: &[Entry],
    near: &Unpacked,
) -> Result<u64, Full> {
    let half = |at| dirty.iter().find(|dirty| dirty.0 == at).map(|dirty| dirty.1);
    let left = match (half(0), near.shape) {
        (Some(half), Some(shape)) => shapes.join(nodes, shape, half)?,
        _ => near.left,
    };
    Ok(pair(left, half(1).unwrap_or_else(|| near.halves().1)))
}

/// Folds one state.
struct Packer<'a> {
    nodes: Nodes<'a>,
    shapes: &'a Shapes,
    state: StateRef<'a>,
    rows: &'a mut Rows,
}

impl Packer<'_> {
    fn root(&mut self, near: Option<&Unpacked>) -> Result<u64, Full> {
        let StateRef { bytes, cuts } = self.state;
        let same_shape = near.filter(|n| n.bytes.len() == bytes.len() && n.cuts == cuts);
        let same_parts = near.filter(|n| !cuts.is_empty() && n.cuts.len() == cuts.len());
        match same_shape {
            Some(near) => self.changed(near)?,
            None => {
                self.rows.dirty.clear();
                match cuts.is_empty() {
                    true => self.all_words(),
                    false => self.other_parts(near)?,
                }
            }
        }
        let tree_of = same_shape.or(same_parts);
        let leaves = leaves(bytes.len(), cuts.len());
        let tree = tree_of.map_or(&[][..], Unpacked::tree);
        self.nodes.fold(&mut self.rows.dirty, tree, leaves, HALVES)?;
        match same_shape {
            Some(near) => near_root(&mut self.nodes, self.shapes, &self.rows.dirty, near),
            None => self.join(tree_of),
        }
    }

    /// The leaves that differ from those of a state of the same shape.
    fn changed(&mut self, near: &Unpacked) -> Result<(), Full> {
        self.rows.dirty.clear();
        match self.state.cuts.is_empty() {
            true => self.changed_words(near),
            false => self.changed_parts(near)?,
        }
        Ok(())
    }

    /// The root of a state of another shape than `tree_of`, whose tree it was folded against.
    fn join(&mut self, tree_of: Option<&Unpacked>) -> Result<u64, Full> {
        let (old_left, old_right) = tree_of.map_or((0, 0), Unpacked::halves);
        let half = |at| self.rows.dirty.iter().find(|dirty| dirty.0 == at).map(|dirty| dirty.1);
        let (left, right) = (half(0).unwrap_or(old_left), half(1).unwrap_or(old_right));
        let shape = self.shape()?;
        Ok(pair(self.shapes.join(&mut self.nodes, shape, left)?, right))
    }

    /// A tree over the lengths of the parts, together with their number.
    fn shape(&mut self) -> Result<u32, Full> {
        let count = self.state.cuts.len() + 1;
        let dirty = &mut self.rows.words;
        dirty.clear();
        let mut start = 0;
        for (at, &end) in
            self.state.cuts.iter().chain([&(self.state.bytes.len() as u32)]).enumerate()
        {
            dirty.push((at as u32, end - start));
            start = end;
        }
        self.nodes.fold(dirty, &[], count, 1)?;
        self.nodes.number(count as u32, self.rows.words[0].1)
    }

    fn all_words(&mut self) {
        let bytes = self.state.bytes;
        let words = (0..words_in(bytes.len())).map(|at| (at as u32, word(bytes, at)));
        self.rows.dirty.extend(words);
    }

    fn changed_words(&mut self, near: &Unpacked) {
        let bytes = self.state.bytes;
        let mut from = 0;
        while let Some(byte) = first_difference(bytes, &near.bytes, from) {
            let at = byte / 4;
            self.rows.dirty.push((at as u32, word(bytes, at)));
            from = 4 * (at + 1);
        }
    }

    /// Jumps from difference to difference; all parts are where they were.
    fn changed_parts(&mut self, near: &Unpacked) -> Result<(), Full> {
        let bytes = self.state.bytes;
        let mut from = 0;
        while let Some(byte) = first_difference(bytes, &near.bytes, from) {
            let part = near.part_at(byte);
            let range = near.part_bytes(part);
            from = range.end;
            let value = self.part(&bytes[range], near.part_tree(part))?;
            self.rows.dirty.push((part as u32, value));
        }
        Ok(())
    }

    /// Part by part; the shape is another one, but most parts may be the same.
    fn other_parts(&mut self, near: Option<&Unpacked>) -> Result<(), Full> {
        let StateRef { bytes, cuts } = self.state;
        let same_count = near.is_some_and(|near| near.cuts.len() == cuts.len());
        let mut start = 0;
        for (at, &end) in cuts.iter().chain([&(bytes.len() as u32)]).enumerate() {
            let part = &bytes[start as usize..end as usize];
            start = end;
            let near = near.filter(|near| at < near.part_count());
            let old = near.map(|near| (&near.bytes[near.part_bytes(at)], near.part_tree(at)));
            let value = match old {
                Some((old, _)) if old == part && same_count => continue,
                Some((old, [.., root])) if old == part => *root,
                Some((old, tree)) if old.len() == part.len() => self.part(part, tree)?,
                _ => self.part(part, &[])?,
            };
            self.rows.dirty.push((at as u32, value));
        }
        Ok(())
    }

    /// The root of a part's tree; `near` is that of a part of the same length, or nothing.
    #[inline]
    fn part(&mut self, bytes: &[u8], near: &[u32]) -> Result<u32, Full> {
        match words_in(bytes.len()) {
            0 => Ok(0),
            1 => Ok(word(bytes, 0)),
            2 => self.nodes.number(word(bytes, 0), word(bytes, 1)),
            words => self.long_part(bytes, near, words),
        }
    }

    fn long_part(&mut self, bytes: &[u8], near: &[u32], words: usize) -> Result<u32, Full> {
        let dirty = &mut self.rows.words;
        dirty.clear();
        let differs = |&(at, word): &Entry| near.get(at as usize) != Some(&word);
        let all = (0..words).map(|at| (at as u32, word(bytes, at)));
        dirty.extend(all.filter(differs));
        self.nodes.fold(dirty, near, words, 1)?;
        // Nothing differs only where the tree is that of the same bytes.
        Ok(dirty.first().map_or_else(|| near[near.len() - 1], |root| root.1))
    }
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
