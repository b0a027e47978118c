//! States as trees of nodes, each stored once, down to the root: two halves, that stand for a state.
//!
//! What both exact stores have in common. The left half of a root comes together with the state's
//! *shape*, a tree over the lengths of its parts.

use crate::budget::{Budget, Full};
use crate::coded::{Coded, Codes};
use crate::fold::Folding;
use crate::hash::hash;
use crate::loose::Parts;
use crate::misfits::Misfits;
use crate::nodes::{Memo, Nodes, pair};
use crate::plan::Plan;
use crate::rows::Rows;
use crate::shapes::Shapes;
use crate::side::{Near, SideBySide};
use crate::table::{SHARDS, Table};
use crate::tree::{Tree, Trees};
use crate::unpacked::Unpacked;
use auspex_system::{ByteRange, StateRef};

/// A state folded down to its root, which is not yet looked for.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    pub(crate) root: u64,
    pub(crate) hash: u64,
}

/// A state that may be new.
#[derive(Clone, Copy, Debug)]
pub enum Candidate<'a> {
    /// If that is known with the ranges of bytes in which it may differ at all from the one that it is near to, being
    /// of the same shape.
    State(StateRef<'a>, Option<&'a [ByteRange]>),
    /// Given by the numbers of its parts, in a store for loose ones.
    Numbered(&'a [u32]),
}

/// One thread's working memory for folding states.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) memo: Memo,
    trees: Trees,
    folding: Folding,
    parts: Parts,
    rows: Rows,
    lengths: Vec<u32>,
    pub(crate) side: SideBySide,
    keys: Vec<u64>,
}

impl Packed {
    #[inline]
    pub(crate) fn of(root: u64) -> Self {
        Packed { root, hash: hash(root) }
    }
}

/// Are two states the same but for some ranges of bytes?
fn differs_only_in(a: &[u8], b: &[u8], changes: &[ByteRange]) -> bool {
    let is_known = |at: usize| changes.iter().any(|[from, to]| (*from..*to).contains(&(at as u32)));
    a.len() == b.len() && (0..a.len()).all(|at| a[at] == b[at] || is_known(at))
}

pub(crate) struct Forest {
    /// See [`crate::loose`].
    loose: bool,
    inner: Table,
    shapes: Shapes,
    pub codes: Codes,
    pub misfits: Misfits,
    places: u64,
    /// For the nodes, and for what is kept of the roots.
    pub budget: Budget,
}

impl Forest {
    pub const NODE_BYTES: u64 = 8;

    /// Room for at most `places` nodes a shard of the table, and `memory` bytes in all.
    pub fn new(loose: bool, places: u64, memory: u64) -> Self {
        Forest {
            loose,
            inner: Table::new(places, Self::NODE_BYTES),
            shapes: Shapes::default(),
            codes: Codes::default(),
            misfits: Misfits::default(),
            places,
            budget: Budget::new(memory),
        }
    }

    /// Tells by how many threads it will be used.
    pub fn used_by(mut self, threads: usize) -> Self {
        self.inner.is_alone = threads == 1;
        self
    }

    /// Codes states by a plan, if there is one. To be called before the first state comes.
    pub fn planned(&mut self, plan: Option<Plan>) {
        if let Some(plan) = plan {
            // Address space is shared between trees and codes.
            let half = self.places / 2;
            let is_alone = self.inner.is_alone;
            self.inner = Table::new(half, Self::NODE_BYTES);
            self.inner.is_alone = is_alone;
            self.codes = Codes::new(plan, half, Self::NODE_BYTES);
        }
    }

    /// Nodes that states share.
    pub fn inner_nodes(&self) -> u64 {
        self.inner.len() + self.codes.len()
    }

    /// Folds states down to their roots. The more they are like `near`, the faster this is.
    pub fn pack<'a>(
        &self,
        states: impl Iterator<Item = Candidate<'a>> + Clone,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
        mut each: impl FnMut(Packed),
    ) -> Result<(), Full> {
        if let Some(near) = near
            && let Some(coded) = near.coded.and_then(|at| self.codes.get(at))
        {
            return self.pack_coded(states, coded, near, scratch, each);
        }
        let near = near.filter(|near| near.shape.is_some());
        if self.loose {
            return self.pack_loose(states, near, scratch, each);
        }
        if let Some(near) = near {
            scratch.folding.begin(&near.values);
        }
        for candidate in states {
            let Candidate::State(state, _) = candidate else { unreachable!("parts are not loose") };
            each(Packed::of(self.root(state, near, scratch)?));
        }
        Ok(())
    }

    /// The same for states with loose parts.
    fn pack_loose<'a>(
        &self,
        states: impl Iterator<Item = Candidate<'a>>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
        mut each: impl FnMut(Packed),
    ) -> Result<(), Full> {
        let Scratch { memo, trees, parts, rows, .. } = scratch;
        let nodes = &mut self.nodes(memo);
        rows.clear();
        for candidate in states {
            match candidate {
                Candidate::Numbered(numbers) => rows.add(numbers, near, trees),
                Candidate::State(state, _) => {
                    let numbers = parts.all(nodes, state, near)?;
                    rows.add(&numbers, near, trees);
                    parts.numbers = numbers;
                }
            }
        }
        rows.finish(nodes, &self.shapes)?;
        rows.roots().for_each(|root| each(Packed::of(root)));
        Ok(())
    }

    /// The same for the successors of a state that is coded: most of them are, too.
    #[inline]
    fn pack_coded<'a>(
        &self,
        states: impl Iterator<Item = Candidate<'a>> + Clone,
        coded: &Coded,
        near: &Unpacked,
        scratch: &mut Scratch,
        mut each: impl FnMut(Packed),
    ) -> Result<(), Full> {
        let Scratch { memo, side, .. } = scratch;
        let like = Near { bytes: &near.bytes, keys: &near.keys };
        side.clear();
        // Not by `for`: so the compiler sees through the iterator.
        states.clone().for_each(|candidate| match candidate {
            Candidate::State(state, Some(changes)) => {
                debug_assert!(differs_only_in(state.bytes, &near.bytes, changes));
                side.add(coded, memo, state.bytes, changes, &like);
            }
            Candidate::State(state, None) if near.has_shape_of(state) => {
                let anywhere = [[0, state.bytes.len() as u32]];
                side.add(coded, memo, state.bytes, &anywhere, &like);
            }
            Candidate::State(..) | Candidate::Numbered(_) => side.add_other(&like),
        });
        side.finish(coded, memo, &self.budget)?;
        for index in 0..scratch.side.len() {
            let root = match scratch.side.root(coded, index) {
                Some(root) => root,
                None => self.other_root(states.clone().nth(index), scratch)?,
            };
            each(Packed::of(root));
        }
        Ok(())
    }

    /// The root of a state that is not coded like the one that it comes from.
    #[cold]
    fn other_root(&self, state: Option<Candidate<'_>>, scratch: &mut Scratch) -> Result<u64, Full> {
        match state {
            Some(Candidate::State(state, _)) => self.root(state, None, scratch),
            Some(Candidate::Numbered(_)) | None => unreachable!("there are as many as before"),
        }
    }

    fn root(
        &self,
        state: StateRef<'_>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
    ) -> Result<u64, Full> {
        let Scratch { memo, trees, folding, lengths, keys, .. } = scratch;
        if let Some(coded) = self.codes.for_shape_of(state) {
            if let Some(root) = coded.encode(state.bytes, keys, memo, &self.budget)? {
                return Ok(root);
            }
            self.misfits.add(state);
        }
        let mut nodes = self.nodes(memo);
        match near {
            Some(near) if near.has_shape_of(state) => {
                let halves = folding.near(&mut nodes, state.bytes, near)?;
                self.near_root(&mut nodes, halves, near)
            }
            _ => {
                let shape = shape_of(&mut nodes, state, lengths)?;
                let tree = trees.get(shape, || Tree::of(state.bytes.len(), state.cuts));
                let halves = folding.whole(&mut nodes, state.bytes, &tree, near)?;
                Ok(pair(self.shapes.join(&mut nodes, shape, halves.0)?, halves.1))
            }
        }
    }

    #[inline]
    fn nodes<'a>(&'a self, memo: &'a mut Memo) -> Nodes<'a> {
        Nodes { table: &self.inner, budget: &self.budget, memo }
    }

    /// The number of a part.
    pub fn number_of_part(&self, bytes: &[u8], scratch: &mut Scratch) -> Result<u32, Full> {
        let Scratch { memo, parts, .. } = scratch;
        parts.number(&mut self.nodes(memo), bytes)
    }

    /// The root of a state of the same shape as `near`.
    fn near_root(
        &self,
        nodes: &mut Nodes<'_>,
        halves: (u32, u32),
        near: &Unpacked,
    ) -> Result<u64, Full> {
        let left = match (self.shapes.join_like(near.left, halves.0), near.shape) {
            (Some(left), _) => left,
            (None, Some(shape)) => self.shapes.join(nodes, shape, halves.0)?,
            (None, None) => near.left,
        };
        Ok(pair(left, halves.1))
    }

    pub fn has_loose_parts(&self) -> bool {
        self.loose
    }

    /// The numbers of the parts only: see [`Unpacked::parts`].
    pub fn read_parts(&self, root: u64, into: &mut Unpacked) {
        into.unfold_loose(&self.inner, &self.shapes, root);
    }

    /// After `read_parts`: the rest of the state.
    pub fn read_rest(&self, into: &mut Unpacked) {
        into.assemble(&self.inner);
    }

    /// The bytes of a part.
    pub fn part<'a>(&self, number: u32, from: &'a mut Unpacked) -> &'a [u8] {
        from.part(&self.inner, number)
    }

    /// Reads a state back into `into`, the faster the more it is like the state there.
    pub fn read(&self, root: u64, into: &mut Unpacked) {
        match self.loose {
            true => {
                self.read_parts(root, into);
                self.read_rest(into);
            }
            false => match self.codes.of_root(root) {
                Some((at, coded)) => into.decode(at, coded, root),
                None => into.unfold(&self.inner, &self.shapes, root),
            },
        }
    }
}

/// How many nodes each shard of a table needs room for at most, if each costs so much address
/// space in all.
pub(crate) fn places(memory: u64, address_space: u64, reserved: u64) -> u64 {
    // Twice what memory could hold, for shards are not equally full.
    let by_memory = memory / (Forest::NODE_BYTES * SHARDS as u64) * 2 + 1024;
    by_memory.min(address_space / reserved)
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
