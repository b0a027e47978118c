//! The exact store whose states have numbers, for searches that keep something for each of them.
//!
//! Roots, one a state, are nodes of a table of their own: a state is 8 bytes and its slot in the
//! index.

use crate::budget::{Bounds, Full, Quota};
use crate::forest::{self, Candidate, Forest, Packed, Scratch};
use crate::plan::Plan;
use crate::table::Table;
use crate::unpacked::Unpacked;
use auspex_system::StateRef;

/// Nearly dense: what is kept for each state is an array beside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    New(StateId),
    Old(StateId),
    Full(Full),
}

pub struct Exact {
    forest: Forest,
    roots: Table,
    quota: Quota,
}

impl Exact {
    pub fn new(bounds: Bounds) -> Self {
        Self::with(bounds, false)
    }

    /// A store for states whose parts change their lengths all the time.
    pub fn with_loose_parts(bounds: Bounds) -> Self {
        Self::with(bounds, true)
    }

    fn with(bounds: Bounds, loose: bool) -> Self {
        let reserved = 2 * Table::RESERVED_PER_PLACE;
        let places = forest::places(bounds.memory, bounds.address_space, reserved);
        let forest = Forest::new(loose, places, bounds.memory);
        let roots = Table::new(places, Forest::NODE_BYTES);
        Exact { forest, roots, quota: Quota::new(bounds.states) }
    }

    /// The same with codes for its states.
    pub fn planned(mut self, plan: Option<Plan>) -> Self {
        self.forest.planned(plan);
        self
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
        self.forest.inner_nodes()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.forest.budget.used()
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
        match self.pack([Candidate::State(state, None)].into_iter(), near, scratch, &mut packed) {
            Ok(()) => self.commit(packed[0]),
            Err(full) => Inserted::Full(full),
        }
    }

    /// The first half of an insertion, for many states at a time: the memory that `commit` needs
    /// is then already on its way. The more they are like `near`, the faster this is.
    pub fn pack<'a>(
        &self,
        states: impl Iterator<Item = Candidate<'a>> + Clone,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
        out: &mut Vec<Packed>,
    ) -> Result<(), Full> {
        self.forest.pack(states, near, scratch, |packed| {
            self.roots.prefetch(packed.hash);
            out.push(packed);
        })
    }

    /// Between `pack` and `commit`, where several states are on their way: sends for the rest of
    /// what `commit` needs. Only a hint.
    #[inline]
    pub fn prefetch(&self, packed: Packed) {
        self.roots.prefetch_node(packed.hash);
    }

    #[inline]
    pub fn commit(&self, Packed { root, hash, .. }: Packed) -> Inserted {
        if let Some(id) = self.roots.find(root, hash) {
            return Inserted::Old(StateId(id));
        }
        match self.roots.enter(root, hash, &self.forest.budget, || self.quota.admit()) {
            Ok((id, true)) => Inserted::New(StateId(id)),
            Ok((id, false)) => Inserted::Old(StateId(id)),
            Err(full) => Inserted::Full(full),
        }
    }

    /// Reads a state back into `into`, the faster the more it is like the state there.
    pub fn read(&self, id: StateId, into: &mut Unpacked) {
        self.forest.read(self.roots.get(id.0), into);
    }
}
