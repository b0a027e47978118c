//! States as trees of nodes, each stored once, down to the root: two halves, that stand for a state.
//!
//! What both exact stores have in common. The left half of a root comes together with the state's
//! *shape*, a tree over the lengths of its parts.

use crate::budget::{Budget, Full};
use crate::fold::Folding;
use crate::hash::hash;
use crate::loose::Parts;
use crate::nodes::{Memo, Nodes, pair};
use crate::plan::Plan;
use crate::shapes::Shapes;
use crate::side::{MOST_INNER, SideBySide};
use crate::table::{SHARDS, Table};
use crate::tree::{Tree, Trees};
use crate::unpacked::Unpacked;
use auspex_system::{Likeness, StateRef};

/// A state folded down to its root, which is not yet looked for.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    pub(crate) root: u64,
    pub(crate) hash: u64,
}

/// A state, and what is known of how it differs from the one that it is near to.
pub type Candidate<'a> = (StateRef<'a>, Likeness<'a>);

/// One thread's working memory for folding states.
#[derive(Debug, Default)]
pub struct Scratch {
    memo: Memo,
    trees: Trees,
    folding: Folding,
    parts: Parts,
    row: Vec<u32>,
    side: SideBySide,
    /// Of the states of a batch; `None` for those that are folded side by side.
    roots: Vec<Option<u64>>,
}

impl Packed {
    fn of(root: u64) -> Self {
        Packed { root, hash: hash(root) }
    }
}

/// Are two states the same but for some ranges of bytes?
fn differs_only_in(a: &[u8], b: &[u8], changes: &[(u32, u32)]) -> bool {
    let is_known = |at: usize| changes.iter().any(|(from, to)| (*from..*to).contains(&(at as u32)));
    a.len() == b.len() && (0..a.len()).all(|at| a[at] == b[at] || is_known(at))
}

pub(crate) struct Forest {
    /// See [`crate::loose`].
    loose: bool,
    inner: Table,
    shapes: Shapes,
    pub plan: Option<Plan>,
    /// For the nodes, and for what is kept of the roots.
    pub budget: Budget,
}

impl Forest {
    pub const NODE_BYTES: u64 = 8;

    /// Room for at most `places` nodes a shard of the table, and `memory` bytes in all.
    pub fn new(loose: bool, places: u64, memory: u64) -> Self {
        let inner = Table::new(places, Self::NODE_BYTES);
        Forest { loose, inner, shapes: Shapes::default(), plan: None, budget: Budget::new(memory) }
    }

    /// Nodes that states share.
    pub fn inner_nodes(&self) -> u64 {
        self.inner.len()
    }

    /// Folds states down to their roots. The more they are like `near`, the faster this is.
    pub fn pack<'a>(
        &self,
        states: impl Iterator<Item = Candidate<'a>>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
        mut each: impl FnMut(Packed),
    ) -> Result<(), Full> {
        let near = near.filter(|near| near.shape.is_some());
        // Those that do not say where they changed are folded one after the other, if there are any.
        let mut one_by_one = false;
        let beside = near.filter(|near| !self.loose && near.tree.inner.len() <= MOST_INNER);
        scratch.side.clear();
        scratch.roots.clear();
        for (state, like) in states {
            let root = match (beside, like) {
                (Some(near), Likeness::Changed(changes)) => {
                    debug_assert!(differs_only_in(state.bytes, &near.bytes, changes));
                    scratch.side.add(state.bytes, changes, near);
                    None
                }
                _ => {
                    if let Some(near) = near.filter(|_| !one_by_one) {
                        scratch.folding.begin(&near.values);
                        one_by_one = true;
                    }
                    Some(match self.loose {
                        true => self.root_of_parts(state, like, near, scratch)?,
                        false => self.root(state, near, scratch)?,
                    })
                }
            };
            scratch.roots.push(root);
        }
        let Scratch { memo, side, roots, .. } = scratch;
        let mut nodes = Nodes { table: &self.inner, budget: &self.budget, memo };
        let mut known = roots.iter().copied();
        if let Some(near) = beside {
            side.fold(&mut nodes, &near.tree)?;
            for halves in side.halves(&near.tree) {
                known.by_ref().map_while(|root| root).for_each(|root| each(Packed::of(root)));
                each(Packed::of(self.near_root(&mut nodes, halves, near)?));
            }
        }
        known.flatten().for_each(|root| each(Packed::of(root)));
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
                let build = || Plan::tree(self.plan.as_ref(), state.bytes.len(), state.cuts);
                let tree = trees.get(shape, build);
                let halves = folding.whole(&mut nodes, state.bytes, &tree, near)?;
                Ok(pair(self.shapes.join(&mut nodes, shape, halves.0)?, halves.1))
            }
        }
    }

    /// The same for a state with loose parts: its shape is the number of them.
    fn root_of_parts(
        &self,
        state: StateRef<'_>,
        like: Likeness<'_>,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
    ) -> Result<u64, Full> {
        let kin = match like {
            Likeness::Kin(kin) => kin,
            _ => &[],
        };
        let Scratch { memo, trees, folding, parts, row, .. } = scratch;
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
        let left = match (self.shapes.join_like(near.left, halves.0), near.shape) {
            (Some(left), _) => left,
            (None, Some(shape)) => self.shapes.join(nodes, shape, halves.0)?,
            (None, None) => near.left,
        };
        Ok(pair(left, halves.1))
    }

    /// The numbers of the parts of a state that was read back, if it has loose ones: equal numbers,
    /// equal bytes.
    pub fn parts<'a>(&self, state: &'a Unpacked) -> &'a [u32] {
        let parts = if self.loose { state.cuts.len() + 1 } else { 0 };
        state.values.get(..parts).unwrap_or(&[])
    }

    /// Reads a state back into `into`, the faster the more it is like the state there.
    pub fn read(&self, root: u64, into: &mut Unpacked) {
        match self.loose {
            true => into.unfold_loose(&self.inner, &self.shapes, root),
            false => into.unfold(&self.inner, &self.shapes, self.plan.as_ref(), root),
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
