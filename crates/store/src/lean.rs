//! The exact store for searches that ask only whether a state is new: states have no numbers.
//!
//! Of a state there is the hash of its root in a [`Set`], and with it, if they are kept, a link to
//! the state from which it was first reached: some bits of that one's hash.

use crate::budget::{Bounds, Full, Quota};
use crate::forest::{self, Candidate, Forest, Packed, Scratch};
use crate::hash::{hash, unhash};
use crate::misfits::Misfit;
use crate::moves::{Making, Moves};
use crate::plan::Plan;
use crate::set::{Layout, Link, Set};
use crate::table::Table;
use crate::unpacked::Unpacked;
use auspex_system::Explorer;

/// A state that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Root(u64);

impl Root {
    /// In halves: what holds a root need not be aligned to eight bytes.
    pub fn halves(self) -> [u32; 2] {
        [(self.0 >> 32) as u32, self.0 as u32]
    }

    pub fn from_halves([left, right]: [u32; 2]) -> Self {
        Root((left as u64) << 32 | right as u64)
    }
}

impl From<Packed> for Root {
    fn from(packed: Packed) -> Self {
        Root(packed.root)
    }
}

/// What a [`Lean`] store is to be.
#[derive(Clone, Copy, Debug)]
pub struct LeanOptions {
    pub bounds: Bounds,
    /// See [`crate::loose`].
    pub loose_parts: bool,
    /// Bits of a link at most, 1 to 32; `None`: no links are kept. With few, many states agree in them.
    pub link_bits: Option<u32>,
    /// Threads that will use the store. If there is only one, no locks are taken: then no other may enter, put off or recall.
    pub threads: usize,
}

pub struct Lean {
    forest: Forest,
    roots: Set,
    quota: Quota,
    learns: bool,
}

impl Lean {
    pub fn new(options: LeanOptions) -> Self {
        let LeanOptions { bounds: Bounds { memory, address_space, states }, .. } = options;
        // Half of the address space for each part.
        let half = address_space / 2;
        let places = forest::places(memory, half, Table::RESERVED_PER_PLACE);
        let layout = Layout {
            shard_bits: shard_bits(options.threads),
            link_bits: options.link_bits.map(|bits| bits.clamp(1, 32)),
            is_alone: options.threads == 1,
        };
        Lean {
            forest: Forest::new(options.loose_parts, places, memory).used_by(options.threads),
            roots: Set::new(layout, memory.saturating_mul(2).min(half)),
            quota: Quota::new(states),
            learns: false,
        }
    }

    /// The same with codes for its states. `learns`: if many do not fit into them, it may give up with [`Full::Codes`].
    pub fn planned(mut self, plan: Option<Plan>, learns: bool) -> Self {
        self.forest.planned(plan);
        self.learns = learns;
        self
    }

    /// How many states there are. Not for every state: it takes a while.
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

    /// The first half of an insertion, for many states at a time: the memory that is needed next
    /// is then already on its way. The more they are like `near`, the faster this is.
    pub fn pack<'a>(
        &self,
        states: impl Iterator<Item = Candidate<'a>> + Clone,
        near: Option<&Unpacked>,
        scratch: &mut Scratch,
        mut each: impl FnMut(Packed),
    ) -> Result<(), Full> {
        self.forest.pack(states, near, scratch, |packed| {
            self.roots.prefetch(packed.hash);
            each(packed);
        })?;
        match self.learns && self.forest.misfits.are_too_many(|| self.len()) {
            true => Err(Full::Codes),
            false => Ok(()),
        }
    }

    /// The first half of an insertion for all successors of a state, where moves of actors are known, or can be made one by one: how many there are.
    /// `None` where they must be made by other means; then nothing was done.
    #[inline]
    pub fn pack_moves<E: Explorer>(
        &self,
        Root(root): Root,
        moves: &mut Moves,
        making: &mut Making<'_, E>,
        mut each: impl FnMut(Packed),
    ) -> Result<Option<usize>, Full> {
        moves.expand(root, &self.forest, making, |packed| {
            self.roots.prefetch(packed.hash);
            each(packed);
        })
    }

    /// States that did not fit into the codes: some of those because of which [`Full::Codes`] was said.
    pub fn misfits(&self) -> Vec<Misfit> {
        self.forest.misfits.take()
    }

    /// Is it easily seen that the state is known? If not, asks for the memory that `commit` then needs.
    #[inline]
    pub fn is_plainly_known(&self, packed: &Packed) -> bool {
        self.roots.is_at_home(packed.hash)
    }

    /// Whether the state is new. `from`: the one that it was reached from, if any.
    #[inline]
    pub fn commit(&self, packed: Packed, from: Option<Root>) -> Result<bool, Full> {
        match self.roots.contains(packed.hash) {
            true => Ok(false),
            false => self.commit_likely_new(packed, from),
        }
    }

    /// The same for one that is probably new.
    #[inline]
    pub fn commit_likely_new(&self, packed: Packed, from: Option<Root>) -> Result<bool, Full> {
        let link = from.map_or(Link::NONE, |Root(from)| self.roots.link_to(hash(from)));
        self.roots.enter(packed.hash, link, &self.forest.budget, || self.quota.admit())
    }

    /// Reads a state back into `into`, the faster the more it is like the state there.
    #[inline]
    pub fn read(&self, Root(root): Root, into: &mut Unpacked) {
        self.forest.read(root, into);
    }

    /// Have its states loose parts?
    pub fn has_loose_parts(&self) -> bool {
        self.forest.has_loose_parts()
    }

    /// Reads back the numbers of a state's parts, which are loose: equal numbers, equal bytes.
    #[inline]
    pub fn read_parts(&self, Root(root): Root, into: &mut Unpacked) {
        self.forest.read_parts(root, into);
    }

    /// After `read_parts`, the bytes of the state.
    pub fn read_rest(&self, into: &mut Unpacked) {
        self.forest.read_rest(into);
    }

    /// The number of a loose part.
    pub fn number_of_part(&self, part: &[u8], scratch: &mut Scratch) -> Result<u32, Full> {
        self.forest.number_of_part(part, scratch)
    }

    /// The bytes of a loose part.
    pub fn part<'a>(&self, number: u32, from: &'a mut Unpacked) -> &'a [u8] {
        self.forest.part(number, from)
    }

    /// Keeps states in mind that are still to be done, each with its depth, so that the caller can
    /// forget them. Best a few at a time: their waits for memory overlap.
    pub fn put_off(&self, states: impl Iterator<Item = (Root, u32)> + Clone) {
        states.clone().for_each(|(Root(root), _)| self.roots.prefetch(hash(root)));
        states.for_each(|(Root(root), depth)| self.roots.put_off(hash(root), depth));
    }

    /// Takes about `count` of the states that were put off, each with a depth that is not more
    /// than was said. If there is none, then none is left of those that this thread has put off:
    /// others may have taken them.
    pub fn recall(&self, count: usize, mut each: impl FnMut(Root, u32)) {
        self.roots.recall(count, |hash, depth| each(Root(unhash(hash)), depth));
    }

    /// Was the state entered as one that was reached from no other?
    pub fn is_initial(&self, Root(root): Root) -> bool {
        self.roots.link(hash(root)) == Some(Link::NONE)
    }

    /// States of which one is that from which `of` was first reached: a few, and more where that was when there were few states.
    /// None where it was reached from none, or links are not kept.
    pub fn origins(&self, Root(of): Root) -> Vec<Root> {
        let link = self.roots.link(hash(of)).unwrap_or(Link::NONE);
        self.roots.linked(link).into_iter().map(|hash| Root(unhash(hash))).collect()
    }
}

/// Enough shards that two threads hardly ever meet in one, and that one which grows is not missed
/// by many. More would cost memory and cache.
fn shard_bits(threads: usize) -> u32 {
    (threads.saturating_mul(128)).clamp(1 << 10, 1 << 13).next_power_of_two().ilog2()
}
