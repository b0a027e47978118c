//! A growing concurrent set of 64-bit nodes, each with a nearly dense 32-bit number.
//!
//! The table is divided by hash into shards. A shard has an array of nodes, which only ever grows
//! at its end, and an index: buckets of 16 slots (a cache line), a slot being an 8-bit tag and the
//! node's place in the array. A lookup takes no lock: whatever it reads in a slot, a node that
//! equals the key is the key's node. Only a miss takes the shard's lock, looks again and inserts.
//! A full index grows in place, rebuilt from the nodes; who looks meanwhile finds nothing and
//! waits for the lock.
//!
//! Shards are interleaved in memory, nodes in blocks and indexes in pages, so that all of it is
//! dense and numbers are too.

use crate::Lock;
use crate::bucket::{self, Bucket, PLACE_BITS, PLACE_MASK, SLOTS, WORDS};
use crate::budget::{Budget, Full};
use crate::hash::hash;
use crate::region::Region;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

/// A table of any size has so many shards.
const SHARD_BITS: u32 = 8;
pub(crate) const SHARDS: usize = 1 << SHARD_BITS;
/// Nodes of one shard that lie together.
const BLOCK: usize = 64;
/// Buckets of one shard that lie together.
const PAGE: usize = 8;
const PAGE_BYTES: u64 = (PAGE * WORDS * size_of::<u64>()) as u64;
/// A slot holds a place plus one: zero is an empty slot.
const MAX_PLACES: usize = PLACE_MASK as usize / BLOCK * BLOCK;

pub(crate) struct Table {
    /// There are two to the power of this many shards.
    shard_bits: u32,
    /// Numbers are below this.
    limit: usize,
    nodes: Region<AtomicU64>,
    /// The words of the buckets.
    slots: Region<AtomicU64>,
    /// How many buckets each shard has. Read all the time, written only when one grows: not on the
    /// cache lines that insertions write.
    buckets: Box<[AtomicU32]>,
    shards: Box<[Shard]>,
    /// What a node costs, with what is kept beside the table.
    node_bytes: u64,
    /// Used by one thread only: then nothing is locked, and nothing looked for twice.
    pub is_alone: bool,
}

/// On a cache line of its own: shards are locked independently.
#[derive(Default)]
#[repr(align(64))]
struct Shard {
    /// Written under the lock only.
    len: AtomicU32,
    lock: Lock,
}

/// Where a hash leads to.
#[derive(Clone, Copy)]
struct Spot {
    shard: usize,
    tag: u32,
    low: u32,
}

impl Spot {
    #[inline]
    fn of(hash: u64, shard_bits: u32) -> Self {
        let (shard, tag) =
            ((hash >> 56 >> (SHARD_BITS - shard_bits)) as usize, (hash >> 48) as u32 & 0xff);
        Spot { shard, tag: tag << PLACE_BITS, low: hash as u32 }
    }

    /// The low bits scaled to the number of buckets: any number will do, not only powers of two.
    #[inline]
    fn bucket(self, buckets: u32) -> u32 {
        ((self.low as u64 * buckets as u64) >> 32) as u32
    }
}

impl Table {
    /// Address space for each place that all shards have.
    pub const RESERVED_PER_PLACE: u64 = (SHARDS * 16) as u64;

    /// Room for at most `places` nodes a shard; less where the system does not give that much.
    pub fn new(places: u64, node_bytes: u64) -> Self {
        Self::with_shards(SHARD_BITS, places.saturating_mul(SHARDS as u64), node_bytes)
    }

    /// A table all of whose numbers are below a limit. The fewer shards it has, of which there are two to the power of
    /// `shard_bits`, up to [`SHARDS`], the denser are the numbers, and the more do threads get in each other's way.
    pub fn with_shards(shard_bits: u32, limit: u64, node_bytes: u64) -> Self {
        let places = (limit >> shard_bits).min(MAX_PLACES as u64) as usize;
        let mut places = places.next_multiple_of(BLOCK);
        loop {
            let nodes = Region::reserve(places << shard_bits);
            let slots = Region::reserve(slots_for(places) << shard_bits);
            if (nodes.len() > 0 && slots.len() > 0) || places == 0 {
                let buckets = (0..1 << shard_bits).map(|_| AtomicU32::new(0)).collect();
                let shards = (0..1 << shard_bits).map(|_| Shard::default()).collect();
                let limit = nodes.len().min(limit.try_into().unwrap_or(usize::MAX));
                return Table {
                    shard_bits,
                    limit,
                    nodes,
                    slots,
                    buckets,
                    shards,
                    node_bytes,
                    is_alone: false,
                };
            }
            places = places / 2 / BLOCK * BLOCK;
        }
    }

    #[inline]
    fn number(&self, shard: usize, place: usize) -> usize {
        (((place / BLOCK) << self.shard_bits) + shard) * BLOCK + place % BLOCK
    }

    #[inline]
    fn first_word(&self, shard: usize, bucket: u32) -> usize {
        let bucket = bucket as usize;
        ((((bucket / PAGE) << self.shard_bits) + shard) * PAGE + bucket % PAGE) * WORDS
    }

    #[inline]
    fn spot(&self, hash: u64) -> Spot {
        Spot::of(hash, self.shard_bits)
    }

    pub fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len.load(Relaxed) as u64).sum()
    }

    /// One more than the greatest number that a node can have.
    pub fn capacity(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn get(&self, number: u32) -> u64 {
        self.nodes.cells()[number as usize].load(Relaxed)
    }

    /// Asks for the memory that `get` needs.
    #[inline]
    pub fn prefetch_get(&self, number: u32) {
        self.nodes.prefetch(number as usize);
    }

    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let spot = self.spot(hash);
        let buckets = self.buckets[spot.shard].load(Relaxed);
        self.slots.prefetch(self.first_word(spot.shard, spot.bucket(buckets)));
    }

    /// With the bucket in the cache, the same for the node that is probably the key's.
    #[inline]
    pub fn prefetch_node(&self, hash: u64) {
        let spot = self.spot(hash);
        let buckets = self.buckets[spot.shard].load(Relaxed);
        if buckets == 0 {
            return;
        }
        let bucket = Bucket::read(self.bucket(spot.shard, spot.bucket(buckets)));
        let matches = bucket.matches(spot.tag);
        if matches != 0 {
            let place = bucket.slot(matches.trailing_zeros()) & PLACE_MASK;
            self.nodes.prefetch(self.number(spot.shard, place.wrapping_sub(1) as usize));
        }
    }

    #[inline]
    pub fn find(&self, key: u64, hash: u64) -> Option<u32> {
        let spot = self.spot(hash);
        let buckets = self.buckets[spot.shard].load(Relaxed);
        let mut at = spot.bucket(buckets);
        // Ends in any case: it may see an index that is just being rebuilt.
        for _ in 0..buckets {
            let bucket = Bucket::read(self.bucket(spot.shard, at));
            let mut matches = bucket.matches(spot.tag);
            while matches != 0 {
                let place = bucket.slot(matches.trailing_zeros()) & PLACE_MASK;
                let number = self.number(spot.shard, place.wrapping_sub(1) as usize);
                if self.nodes.cells().get(number).is_some_and(|node| node.load(Relaxed) == key) {
                    return Some(number as u32);
                }
                matches &= matches - 1;
            }
            if !bucket.is_full() {
                return None;
            }
            at = if at + 1 == buckets { 0 } else { at + 1 };
        }
        None
    }

    #[inline]
    fn bucket(&self, shard: usize, bucket: u32) -> &[AtomicU64; WORDS] {
        let words = &self.slots.cells()[self.first_word(shard, bucket)..];
        words.first_chunk().unwrap_or_else(|| unreachable!("buckets are whole"))
    }

    /// Enters a key that `find` did not find. Another thread may have been faster: the answer
    /// says whether it is new. `admit` is asked before a new one is entered.
    #[inline(never)]
    pub fn enter(
        &self,
        key: u64,
        hash: u64,
        budget: &Budget,
        admit: impl FnOnce() -> bool,
    ) -> Result<(u32, bool), Full> {
        let spot = self.spot(hash);
        let shard = &self.shards[spot.shard];
        let lock = (!self.is_alone).then(|| shard.lock.lock());
        if lock.is_some()
            && let Some(number) = self.find(key, hash)
        {
            return Ok((number, false));
        }
        if self.is_full(hash) {
            return Err(Full::Memory);
        }
        if self.wants_to_grow(spot.shard) {
            self.grow(spot.shard, budget)?;
        }
        let place = self.room(spot.shard, budget)?;
        if !admit() {
            return Err(Full::States);
        }
        let number = self.number(spot.shard, place as usize);
        self.nodes.cells()[number].store(key, Relaxed);
        self.index(spot, place, self.buckets[spot.shard].load(Relaxed));
        // Release: see `is_full`.
        shard.len.store(place + 1, Release);
        Ok((number as u32, true))
    }

    /// The place for one more node; the shard's lock is held.
    fn room(&self, shard: usize, budget: &Budget) -> Result<u32, Full> {
        let place = self.shards[shard].len.load(Relaxed);
        let block = BLOCK as u64 * self.node_bytes;
        if (place as usize).is_multiple_of(BLOCK) && !budget.take(block) {
            return Err(Full::Memory);
        }
        Ok(place)
    }

    /// Has the shard of a hash all the nodes that it may have? Then its index does not change any more either: what is not
    /// found from now on will never be there.
    pub fn is_full(&self, hash: u64) -> bool {
        let shard = self.spot(hash).shard;
        self.number(shard, self.shards[shard].len.load(Acquire) as usize) >= self.limit
    }

    fn wants_to_grow(&self, shard: usize) -> bool {
        self.shards[shard].len.load(Relaxed) >= fill(self.buckets[shard].load(Relaxed))
    }

    /// Rebuilds the shard's index with more buckets. Its lock is held.
    #[cold]
    fn grow(&self, shard: usize, budget: &Budget) -> Result<(), Full> {
        let old = self.buckets[shard].load(Relaxed);
        let new = larger(old, shard);
        let pages = |buckets: u32| (buckets as usize).div_ceil(PAGE) as u64;
        let fits = self.first_word(shard, new - 1) + WORDS <= self.slots.len();
        if !fits || !budget.take((pages(new) - pages(old)) * PAGE_BYTES) {
            return Err(Full::Memory);
        }
        self.clear(shard, old);
        self.buckets[shard].store(new, Relaxed);
        for place in 0..self.shards[shard].len.load(Relaxed) {
            let key = self.nodes.cells()[self.number(shard, place as usize)].load(Relaxed);
            self.index(self.spot(hash(key)), place, new);
        }
        Ok(())
    }

    fn clear(&self, shard: usize, buckets: u32) {
        for bucket in 0..buckets {
            self.bucket(shard, bucket).iter().for_each(|word| word.store(0, Relaxed));
        }
    }

    /// Puts a node, known to be absent, into the first free slot. There is one: an index is never
    /// full.
    fn index(&self, spot: Spot, place: u32, buckets: u32) {
        let mut at = spot.bucket(buckets);
        while !bucket::fill(self.bucket(spot.shard, at), spot.tag | (place + 1)) {
            at = if at + 1 == buckets { 0 } else { at + 1 };
        }
    }
}

/// How many nodes an index of so many buckets takes before it grows: 85%.
fn fill(buckets: u32) -> u32 {
    (buckets as u64 * SLOTS as u64 * 85 / 100) as u32
}

/// Buckets of an index that is large.
const LARGE: u32 = 128;

/// Small indexes to twice their size, which costs least time; large ones by 30%, which costs least memory. One growth differs from shard to shard:
/// later ones then do not come all at once.
fn larger(buckets: u32, shard: usize) -> u32 {
    const APART: u32 = 64;
    let next = if buckets < LARGE { buckets * 2 } else { (buckets as u64 * 13 / 10) as u32 } + 1;
    if buckets < APART && next >= APART {
        return APART + APART * shard as u32 / SHARDS as u32;
    }
    next
}

/// Words of a shard: enough for the index of so many nodes, whenever it grew last.
fn slots_for(places: usize) -> usize {
    let least = places * 100 / 85 / SLOTS;
    let buckets = (least * 13 / 10).max((2 * least).min(2 * LARGE as usize)) + PAGE;
    buckets.next_multiple_of(PAGE) * WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Keys that all fall into one shard: it grows all the time, while eight threads look.
    #[test]
    fn threads_agree_on_a_crowded_shard() {
        let keys: Vec<u64> = (0..).filter(|key| hash(*key) >> 56 == 17).take(40_000).collect();
        for round in 0..4 {
            let (table, budget) = (Table::new(1 << 20, 8), Budget::new(u64::MAX));
            let one = &|thread: usize| -> (HashMap<u64, u32>, usize) {
                let (mut numbers, mut new) = (HashMap::new(), 0);
                for i in 0..keys.len() {
                    // All threads at the same keys, or each from a place of its own.
                    let key = keys[(i + thread * round * 3001) % keys.len()];
                    let entered = || table.enter(key, hash(key), &budget, || true);
                    let found = table.find(key, hash(key)).map_or_else(entered, |n| Ok((n, false)));
                    let (number, is_new) = found.expect("the budget is endless");
                    assert_eq!(table.get(number), key);
                    numbers.insert(key, number);
                    new += is_new as usize;
                }
                (numbers, new)
            };
            let results: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> =
                    (0..8).map(|thread| scope.spawn(move || one(thread))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            assert_eq!(results.iter().map(|(_, new)| new).sum::<usize>(), keys.len());
            assert_eq!(table.len(), keys.len() as u64);
            assert!(results.iter().all(|(numbers, _)| *numbers == results[0].0));
        }
    }
}
