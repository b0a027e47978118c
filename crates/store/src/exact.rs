//! The exact store: a state is a tree of nodes, each stored once.
//!
//! Inner nodes live in one table, root nodes, one a state, in another: a state is 8 bytes and its
//! slot in the index. The left half of a root comes together with the state's *shape*, a tree over
//! the lengths of its parts.

use crate::budget::{Bounds, Budget, Full, Quota};
use crate::fold::Folding;
use crate::loose::Parts;
use crate::nodes::{Memo, Nodes, pair};
use crate::region::Region;
use crate::shapes::Shapes;
use crate::table::{SHARDS, Table, hash};
use crate::tree::{Tree, Trees};
use crate::unpacked::{Unpacked, value};
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
    memo: Memo,
    trees: Trees,
    folding: Folding,
    parts: Parts,
    row: Vec<u32>,
}

pub struct Exact {
    /// See [`crate::loose`].
    loose: bool,
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
        Self::with(bounds, false)
    }

    /// A store for states whose parts change their lengths all the time.
    pub fn with_loose_parts(bounds: Bounds) -> Self {
        Self::with(bounds, true)
    }

    fn with(bounds: Bounds, loose: bool) -> Self {
        let (budget, quota) = (Budget::new(bounds.memory), Quota::new(bounds.states));
        let mut places = places(bounds);
        loop {
            let inner = Table::new(places, NODE_BYTES);
            let roots = Table::new(places, NODE_BYTES + PARENT_BYTES);
            let parents = Region::reserve(roots.capacity());
            if parents.len() == roots.capacity() {
                let shapes = Shapes::default();
                return Exact { loose, inner, roots, shapes, parents, budget, quota };
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
        let mut packed = Vec::new();
        match self.pack([state].into_iter(), near, scratch, &mut packed) {
            Ok(()) => self.commit(packed[0]),
            Err(full) => Inserted::Full(full),
        }
    }

    /// The first half of an insertion, for many states at a time: the memory that `commit` needs
    /// is then already on its way. The more they are like `near`, the faster this is.
    pub fn pack<'a>(
        &self,
        states: impl Iterator<Item = StateRef<'a>>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
        out: &mut Vec<Packed>,
    ) -> Result<(), Full> {
        self.pack_with_kin(states.map(|state| (state, &[][..])), near, scratch, out)
    }

    /// The same where it may be known which parts of a state are parts of `near`: see
    /// [`auspex_system::Successors::push_with_kin`].
    pub fn pack_with_kin<'a>(
        &self,
        states: impl Iterator<Item = (StateRef<'a>, &'a [u32])>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
        out: &mut Vec<Packed>,
    ) -> Result<(), Full> {
        let near = near.filter(|near| near.shape.is_some());
        if let Some(near) = near {
            scratch.folding.begin(&near.values);
        }
        for (state, kin) in states {
            let root = match self.loose {
                true => self.root_of_parts(state, kin, near, scratch)?,
                false => self.root(state, near, scratch)?,
            };
            let hash = hash(root);
            self.roots.prefetch(hash);
            out.push(Packed { root, hash });
        }
        Ok(())
    }

    fn root(
        &self,
        state: StateRef<'_>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
    ) -> Result<u64, Full> {
        let Scratch { memo, trees, folding, row, .. } = scratch;
        let mut nodes = Nodes { table: &self.inner, budget: &self.budget, memo };
        match near {
            Some(near) if near.has_shape_of(state) => {
                let halves = folding.near(&mut nodes, state.bytes, near)?;
                self.near_root(&mut nodes, halves, near)
            }
            _ => {
                let shape = shape_of(&mut nodes, state, row)?;
                let tree = trees.get(shape, || Tree::of(state.bytes.len(), state.cuts));
                let halves = folding.whole(&mut nodes, state.bytes, &tree, near)?;
                Ok(pair(self.shapes.join(&mut nodes, shape, halves.0)?, halves.1))
            }
        }
    }

    /// The same for a state with loose parts: its shape is the number of them.
    fn root_of_parts(
        &self,
        state: StateRef<'_>,
        kin: &[u32],
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
    ) -> Result<u64, Full> {
        let Scratch { memo, trees, folding, parts, row } = scratch;
        let mut nodes = Nodes { table: &self.inner, budget: &self.budget, memo };
        match near {
            Some(near) if near.cuts.len() == state.cuts.len() => {
                let halves = parts.near(folding, &mut nodes, state, kin, near)?;
                self.near_root(&mut nodes, halves, near)
            }
            _ => {
                let count = state.cuts.len() as u32 + 1;
                let tree = trees.get(count, || Tree::of(4 * count as usize, &[]));
                parts.all(&mut nodes, state, kin, near, row)?;
                let halves = folding.leaves(&mut nodes, &tree, row)?;
                Ok(pair(self.shapes.join(&mut nodes, count, halves.0)?, halves.1))
            }
        }
    }

    /// The root of a state of the same shape as `near`.
    fn near_root(
        &self,
        nodes: &mut Nodes<'_>,
        halves: (u32, u32),
        near: &Unpacked,
    ) -> Result<u64, Full> {
        let unchanged = halves.0 == value(&near.values, near.tree.top[0]);
        let left = match near.shape {
            Some(shape) if !unchanged => self.shapes.join(nodes, shape, halves.0)?,
            _ => near.left,
        };
        Ok(pair(left, halves.1))
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
        let root = self.roots.get(id.0);
        match self.loose {
            true => into.unfold_loose(&self.inner, &self.shapes, root),
            false => into.unfold(&self.inner, &self.shapes, root),
        }
    }

    /// The numbers of the parts of a state that was read back, if it has loose ones: equal numbers,
    /// equal bytes.
    pub fn parts<'a>(&self, state: &'a Unpacked) -> &'a [u32] {
        let parts = if self.loose { state.cuts.len() + 1 } else { 0 };
        state.values.get(..parts).unwrap_or(&[])
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

/// A node for the lengths of the parts, together with their number.
fn shape_of(
    nodes: &mut Nodes<'_>,
    state: StateRef<'_>,
    lengths: &mut Vec<u32>,
) -> Result<u32, Full> {
    lengths.clear();
    let mut start = 0;
    for &end in state.cuts.iter().chain([&(state.bytes.len() as u32)]) {
        lengths.push(end - start);
        start = end;
    }
    let row = nodes.number_row(lengths)?;
    nodes.number(lengths.len() as u32, row)
}
