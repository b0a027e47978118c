//! A growing concurrent set of states: of each, the hash of its root, and nothing else.
//!
//! The hash is a bijection, so it stands for the root, and lies where it belongs: whether a state
//! is known takes one access to memory. The set is divided by the upper bits of the hash into
//! shards; a shard is a row of buckets, a bucket a cache line, filled in order. The bucket is
//! monotone in the hash, so that all hashes with the same upper bits belong together. What finds its bucket
//! full goes on in steps that depend on its lowest bits: if all went the same way, a crowd would only grow.
//! There is an odd number of buckets, and steps are powers of two, so that each is met in the end.
//!
//! A lookup takes no lock: a slot that equals a hash can only be this hash, whatever else happens
//! to the shard. Only a miss takes the shard's lock, looks again and enters. A full shard is taken
//! out and put back, in order, among more buckets; who looks meanwhile finds nothing and waits for
//! the lock.
//!
//! What is read by every lookup (the sizes of the shards) is not on the cache lines that an
//! insertion writes (their locks).

use crate::Lock;
use crate::budget::{Budget, Full};
use crate::region::Region;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Slots of a bucket: a cache line.
const SLOTS: usize = 8;
/// Buckets of one shard that lie together. Shards are interleaved, so that memory is dense.
const PAGE: usize = 32;

/// How many lengths of steps there are.
const STEPS: u64 = 8;

/// Buckets that are asked for ahead, where one after the other is gone through.
const AHEAD: u32 = 12;

/// What is kept of a state's predecessor: the upper bits of its hash. Zero: it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(pub u32);

impl Link {
    pub const NONE: Link = Link(0);
}

/// The first slot of the bucket where a hash belonged when it was last looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Home(usize);

/// How a set is divided, and what it keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// There are two to the power of this many shards; at least one bit.
    pub shard_bits: u32,
    /// Bits of a link, up to 32; none where links are not kept.
    pub link_bits: Option<u32>,
}

pub(crate) struct Set {
    layout: Layout,
    slots: Region<AtomicU64>,
    /// A link beside each slot, if they are kept.
    links: Region<AtomicU32>,
    /// For each bucket, which of its slots were put off.
    put_off: Region<AtomicU8>,
    /// Where the next one who recalls begins.
    next_recalled: AtomicUsize,
    /// Room for what is in a shard that grows, kept for the next one.
    room: spin::mutex::SpinMutex<Vec<Entry>>,
    /// How many buckets each shard has. Read all the time, written only when one grows.
    buckets: Box<[AtomicU32]>,
    shards: Box<[Shard]>,
}

/// What moves when a shard grows.
struct Entry {
    hash: u64,
    link: Link,
    put_off: bool,
}

/// On a cache line of its own: shards are locked independently.
#[derive(Default)]
#[repr(align(64))]
struct Shard {
    /// Written under the lock only.
    len: AtomicU64,
    /// How many of them were put off, and the least depth that was said of one.
    put_off: AtomicU32,
    depth: AtomicU32,
    lock: Lock,
}

enum Probe {
    /// The slot that has it.
    Found(usize),
    /// The first free slot.
    Free(usize),
    Nothing,
}

impl Set {
    /// Room for at most `bytes` of address space; less where the system does not give that much.
    pub fn new(layout: Layout, bytes: u64) -> Self {
        let shards = 1usize << layout.shard_bits;
        let row = (shards * PAGE * SLOTS) as u64;
        let mut rows = bytes.min(1 << 46) / (row * layout.slot_bytes());
        loop {
            let slots = Region::reserve((rows * row) as usize);
            let linked = if layout.link_bits.is_some() { slots.len() } else { 0 };
            let links = Region::reserve(linked);
            let put_off = Region::reserve(slots.len() / SLOTS);
            let complete = slots.len() as u64 == rows * row
                && links.len() == linked
                && put_off.len() == slots.len() / SLOTS;
            if complete || rows == 0 {
                return Set {
                    layout,
                    slots,
                    links,
                    put_off,
                    next_recalled: AtomicUsize::new(0),
                    room: Default::default(),
                    buckets: (0..shards).map(|_| AtomicU32::new(0)).collect(),
                    shards: (0..shards).map(|_| Shard::default()).collect(),
                };
            }
            rows /= 2;
        }
    }

    /// Goes through all shards: not for every state.
    pub fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len.load(Relaxed)).sum()
    }

    /// The link to a state with this hash.
    #[inline]
    pub fn link_to(&self, hash: u64) -> Link {
        self.layout.link_to(hash)
    }

    #[inline]
    fn shard(&self, hash: u64) -> usize {
        (hash >> (64 - self.layout.shard_bits)) as usize
    }

    /// The bits below those of the shard, scaled to the number of buckets: any number will do.
    #[inline]
    fn home(&self, hash: u64, buckets: u32) -> u32 {
        let below = (hash << self.layout.shard_bits) >> 32;
        ((below * buckets as u64) >> 32) as u32
    }

    /// The bucket where this one's hashes go on, if they have that step.
    #[inline]
    fn next(at: u32, step: u32, buckets: u32) -> u32 {
        let next = at + step;
        if next >= buckets { next - buckets } else { next }
    }

    #[inline]
    fn first_slot(&self, shard: usize, bucket: u32) -> usize {
        let bucket = bucket as usize;
        let row = (bucket / PAGE) << self.layout.shard_bits;
        ((row + shard) * PAGE + bucket % PAGE) * SLOTS
    }

    /// Asks for the bucket where a hash belongs, and says where it is.
    #[inline]
    pub fn prefetch(&self, hash: u64) -> Home {
        let shard = self.shard(hash);
        let home = self.home(hash, self.buckets[shard].load(Relaxed));
        let first = self.first_slot(shard, home);
        self.slots.prefetch(first);
        Home(first)
    }

    /// Is it in the bucket that was asked for? If not, asks for what it takes to look further, and to enter it.
    #[inline]
    pub fn is_at_home(&self, hash: u64, Home(first): Home) -> bool {
        let slots = self.slots.cells().get(first..);
        let Some(bucket) = slots.and_then(|slots| slots.first_chunk::<SLOTS>()) else {
            return false;
        };
        // Without a branch for each: which one it is cannot be foreseen.
        let found = bucket.iter().fold(false, |found, cell| found | (cell.load(Relaxed) == hash));
        if !found {
            let mut free = first;
            if bucket[SLOTS - 1].load(Relaxed) != 0 {
                let shard = self.shard(hash);
                let buckets = self.buckets[shard].load(Relaxed);
                let next = Self::next(self.home(hash, buckets), step(hash, buckets), buckets);
                free = self.first_slot(shard, next);
                self.slots.prefetch(free);
            }
            self.links.prefetch(free);
        }
        found
    }

    /// Asks for what `put_off` needs.
    pub fn prefetch_marks(&self, hash: u64) {
        let shard = self.shard(hash);
        let home = self.home(hash, self.buckets[shard].load(Relaxed));
        let first = self.first_slot(shard, home);
        self.slots.prefetch(first);
        self.put_off.prefetch(first / SLOTS);
    }

    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        matches!(self.probe(hash), Probe::Found(_))
    }

    #[inline]
    fn probe(&self, hash: u64) -> Probe {
        let shard = self.shard(hash);
        let buckets = self.buckets[shard].load(Relaxed);
        let (mut at, step) = (self.home(hash, buckets), step(hash, buckets));
        // Ends in any case: it may see a shard that is just being rebuilt.
        for _ in 0..buckets {
            let first = self.first_slot(shard, at);
            for (slot, cell) in (first..).zip(self.bucket(first)) {
                let there = cell.load(Relaxed);
                if there == hash {
                    return Probe::Found(slot);
                }
                if there == 0 {
                    return Probe::Free(slot);
                }
            }
            at = Self::next(at, step, buckets);
        }
        Probe::Nothing
    }

    #[inline]
    fn bucket(&self, first: usize) -> &[AtomicU64; SLOTS] {
        let slots = &self.slots.cells()[first..];
        slots.first_chunk().unwrap_or_else(|| unreachable!("buckets are whole"))
    }

    /// Enters a hash that was not found, with a link. Another thread may have been faster: the
    /// answer says whether it is new. `admit` is asked before a new one is entered.
    #[inline(never)]
    pub fn enter(
        &self,
        hash: u64,
        link: Link,
        budget: &Budget,
        admit: impl FnOnce() -> bool,
    ) -> Result<bool, Full> {
        debug_assert_ne!(hash, 0, "marks a free slot");
        let at = self.shard(hash);
        let shard = &self.shards[at];
        let _lock = shard.lock.lock();
        let mut probe = self.probe(hash);
        if let Probe::Found(_) = probe {
            return Ok(false);
        }
        let len = shard.len.load(Relaxed);
        if len >= self.layout.fill(self.buckets[at].load(Relaxed)) {
            self.grow(at, len, budget)?;
            probe = self.probe(hash);
        }
        let Probe::Free(slot) = probe else { return Err(Full::Memory) };
        if !admit() {
            return Err(Full::States);
        }
        self.put(slot, hash, link);
        shard.len.store(len + 1, Relaxed);
        Ok(true)
    }

    /// Fills a free slot. The shard's lock is held, as for all that follows but `hash_at`.
    #[inline]
    fn put(&self, slot: usize, hash: u64, link: Link) {
        if let Some(cell) = self.links.cells().get(slot) {
            cell.store(link.0, Relaxed);
        }
        self.slots.cells()[slot].store(hash, Relaxed);
    }

    fn mark(&self, slot: usize) {
        // Nobody else writes it, for the lock is held.
        let marks = &self.put_off.cells()[slot / SLOTS];
        marks.store(marks.load(Relaxed) | 1 << (slot % SLOTS), Relaxed);
    }

    fn is_put_off(&self, slot: usize) -> bool {
        self.put_off.cells()[slot / SLOTS].load(Relaxed) & (1 << (slot % SLOTS)) != 0
    }

    fn slot_of(&self, hash: u64) -> Option<usize> {
        match self.probe(hash) {
            Probe::Found(slot) => Some(slot),
            Probe::Free(_) | Probe::Nothing => None,
        }
    }

    /// Marks a state that was entered as one that is still to be done.
    pub fn put_off(&self, hash: u64, depth: u32) {
        let shard = &self.shards[self.shard(hash)];
        let _lock = shard.lock.lock();
        let Some(slot) = self.slot_of(hash).filter(|slot| !self.is_put_off(*slot)) else { return };
        self.mark(slot);
        let already = shard.put_off.load(Relaxed);
        let least = if already == 0 { depth } else { depth.min(shard.depth.load(Relaxed)) };
        shard.depth.store(least, Relaxed);
        shard.put_off.store(already + 1, Relaxed);
    }

    /// Takes about `count` of those that were put off, each with a depth that is not more than
    /// was said. If there is none, then none is left of those that this thread has put off.
    pub fn recall(&self, count: usize, mut each: impl FnMut(u64, u32)) {
        let mut taken = 0;
        for _ in 0..self.shards.len() {
            let at = self.next_recalled.fetch_add(1, Relaxed) % self.shards.len();
            let shard = &self.shards[at];
            if shard.put_off.load(Relaxed) == 0 {
                continue;
            }
            let _lock = shard.lock.lock();
            let depth = shard.depth.load(Relaxed);
            for bucket in 0..self.buckets[at].load(Relaxed) {
                let first = self.first_slot(at, bucket);
                let mut marks = self.put_off.cells()[first / SLOTS].swap(0, Relaxed);
                while marks != 0 {
                    each(self.hash_at(first + marks.trailing_zeros() as usize), depth);
                    marks &= marks - 1;
                    taken += 1;
                }
            }
            shard.put_off.store(0, Relaxed);
            if taken >= count {
                return;
            }
        }
    }

    /// The link that was entered with a hash.
    pub fn link(&self, hash: u64) -> Option<Link> {
        self.links.cells().get(self.slot_of(hash)?).map(|link| Link(link.load(Relaxed)))
    }

    /// All hashes that a link may stand for.
    pub fn linked(&self, link: Link) -> Vec<u64> {
        let mut found = Vec::new();
        let Some(bits) = self.layout.link_bits.filter(|_| link != Link::NONE) else { return found };
        // Links below two stand for all hashes up to there.
        let low = if link.0 == 1 { 0 } else { (link.0 as u64) << (64 - bits) };
        let high = ((link.0 as u64) << (64 - bits)) | (u64::MAX >> bits);
        for shard in self.shard(low)..=self.shard(high) {
            let buckets = self.buckets[shard].load(Relaxed);
            let first = if shard == self.shard(low) { self.home(low, buckets) } else { 0 };
            let last = if shard == self.shard(high) { self.home(high, buckets) } else { buckets };
            for home in first..buckets.min(last + 1) {
                self.homed(shard, home, buckets, &mut found);
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|hash| *hash != 0 && self.link_to(*hash) == link);
        found
    }

    fn hash_at(&self, slot: usize) -> u64 {
        self.slots.cells()[slot].load(Relaxed)
    }

    /// Adds all hashes that belong to a bucket, and some more.
    fn homed(&self, shard: usize, home: u32, buckets: u32, found: &mut Vec<u64>) {
        for low in 0..STEPS {
            let mut at = home;
            for _ in 0..buckets {
                let bucket = self.bucket(self.first_slot(shard, at));
                found.extend(bucket.iter().map(|cell| cell.load(Relaxed)));
                if bucket[SLOTS - 1].load(Relaxed) == 0 {
                    break;
                }
                at = Self::next(at, step(low, buckets), buckets);
            }
        }
    }

    /// Puts the shard's hashes among more buckets. Its lock is held.
    #[cold]
    fn grow(&self, shard: usize, len: u64, budget: &Budget) -> Result<(), Full> {
        let old = self.buckets[shard].load(Relaxed);
        let new = self.layout.larger(old, shard).ok_or(Full::Memory)?;
        let pages = |buckets: u32| (buckets as usize).div_ceil(PAGE) as u64;
        let fits = self.first_slot(shard, new - 1) + SLOTS <= self.slots.len();
        let page_bytes = PAGE as u64 * (SLOTS as u64 * self.layout.slot_bytes() + 1);
        let mut all = std::mem::take(&mut *self.room.lock());
        let mut taken = Vec::new();
        if !fits
            || taken.try_reserve_exact(new as usize).is_err()
            || all.try_reserve_exact(len as usize).is_err()
            || !budget.take((pages(new) - pages(old)) * page_bytes)
        {
            return Err(Full::Memory);
        }
        for bucket in 0..old {
            // Memory that is not in one piece is not foreseen by the processor.
            let ahead = self.first_slot(shard, bucket + AHEAD);
            self.slots.prefetch(ahead);
            self.links.prefetch(ahead);
            self.empty(self.first_slot(shard, bucket), &mut all);
        }
        self.buckets[shard].store(new, Relaxed);
        // How many slots of each bucket are taken.
        taken.resize(new as usize, 0u8);
        let (slots, links) = (self.slots.cells(), self.links.cells());
        for Entry { hash, link, put_off } in all.drain(..) {
            let mut at = self.home(hash, new);
            // There is one that is not full: there are more than before.
            while taken[at as usize] == SLOTS as u8 {
                at = Self::next(at, step(hash, new), new);
            }
            let slot = self.first_slot(shard, at) + taken[at as usize] as usize;
            taken[at as usize] += 1;
            slots[slot].store(hash, Relaxed);
            if let Some(cell) = links.get(slot) {
                cell.store(link.0, Relaxed);
            }
            if put_off {
                self.mark(slot);
            }
        }
        *self.room.lock() = all;
        Ok(())
    }

    /// Moves what is in a bucket to `into`.
    #[inline]
    fn empty(&self, first: usize, into: &mut Vec<Entry>) {
        let marks = self.put_off.cells()[first / SLOTS].load(Relaxed);
        let links = self.links.cells().get(first..first + SLOTS);
        for (i, cell) in self.bucket(first).iter().enumerate() {
            let hash = cell.load(Relaxed);
            if hash == 0 {
                break;
            }
            let link = Link(links.map_or(0, |links| links[i].load(Relaxed)));
            into.push(Entry { hash, link, put_off: marks >> i & 1 != 0 });
            cell.store(0, Relaxed);
        }
        if marks != 0 {
            self.put_off.cells()[first / SLOTS].store(0, Relaxed);
        }
    }
}

impl Layout {
    fn slot_bytes(self) -> u64 {
        let link = self.link_bits.map_or(0, |_| size_of::<u32>());
        (size_of::<u64>() + link) as u64
    }

    /// How many hashes so many buckets take before they grow. With links there is more to gain from speed; without
    /// them, every byte counts.
    #[inline]
    fn fill(self, buckets: u32) -> u64 {
        let percent = if self.link_bits.is_some() { 84 } else { 96 };
        buckets as u64 * SLOTS as u64 * percent / 100
    }

    /// By half as long as memory does not matter, and then by a fifth, or without links by an eighth; always an odd
    /// number. One growth differs from shard to shard: later ones then do not come all at once.
    fn larger(self, buckets: u32, shard: usize) -> Option<u32> {
        const APART: u32 = 64;
        let part = match (buckets, self.link_bits) {
            (..APART, _) => 2,
            (_, Some(_)) => 5,
            (_, None) => 8,
        };
        let next = buckets.checked_add(buckets / part)?.checked_add(1)?;
        if buckets < APART && next >= APART {
            let apart = (APART as usize * shard) >> (self.shard_bits + 1);
            return Some((APART + apart as u32) | 1);
        }
        Some(next | 1)
    }

    #[inline]
    fn link_to(self, hash: u64) -> Link {
        // Zero is for states without a predecessor.
        self.link_bits.map_or(Link::NONE, |bits| Link(((hash >> (64 - bits)) as u32).max(1)))
    }
}

/// How far a hash goes from one bucket to the next; less than there are buckets.
#[inline]
fn step(hash: u64, buckets: u32) -> u32 {
    let step = 1 << (hash % STEPS);
    if step < buckets { step } else { step % buckets.max(1) }
}

#[cfg(test)]
mod tests;
