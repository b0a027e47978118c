//! A growing concurrent set of states: of each, the hash of its root, and nothing else.
//!
//! The hash is a bijection, so it stands for the root, and lies where it belongs: whether a state
//! is known takes one access to memory. The set is divided by the upper bits of the hash into
//! shards; a shard is a row of buckets, a bucket a cache line, filled in order. The bucket is
//! monotone in the hash, so that all hashes with the same upper bits belong together. What finds its bucket
//! full goes on in steps that depend on the hash. As the place of a slot says a part of the hash, there is room for a
//! link beside the rest of it: see [`slot`].
//!
//! A lookup takes no lock. What it finds in a slot means something only for a shard of a certain size, so a lookup that
//! finds something makes sure that the size is still the same; all others take the shard's lock, look again and enter. A full
//! shard is rebuilt with more buckets; meanwhile it has no size, and whoever looks waits for the lock.
//!
//! What is read by every lookup (the sizes of the shards) is not on the cache lines that an
//! insertion writes (their locks).

mod grow;
mod slot;

use crate::Lock;
use crate::budget::{Budget, Full};
use crate::region::{Region, prefetch_to_write};
use grow::Entry;
use slot::{Form, STEPS, Size, Spot};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, fence};

/// Words of a bucket, which is a cache line. With links the last one has a byte of the link of each of the others.
const WORDS: usize = 8;
const LINK_BYTE: u32 = 8;
/// Buckets of one shard that lie together. Shards are interleaved, so that memory is dense.
const PAGE: usize = 32;

/// What is kept of a state's predecessor: the upper bits of its hash, as many as there is room for, and a one behind them.
/// Zero: it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u64);

impl Link {
    pub const NONE: Link = Link(0);

    /// To a state with this hash, by so many bits of it, at most 63.
    #[inline]
    pub fn to(hash: u64, bits: u32) -> Self {
        let end = 1 << (63 - bits);
        Link(hash & !(2 * end - 1) | end)
    }

    /// By so many bits, or fewer, without the ones that are zero in any case.
    #[inline]
    fn shortened(self, bits: u32) -> u64 {
        let kept = self.0 >> (64 - bits);
        if kept << (64 - bits) == self.0 { kept } else { kept | 1 }
    }

    #[inline]
    fn from_bits(field: u64, bits: u32) -> Self {
        Link(field << (64 - bits))
    }

    /// The least and the greatest hash that it may stand for.
    fn range(self) -> (u64, u64) {
        let end = self.0 & self.0.wrapping_neg();
        (self.0 ^ end, self.0 | end.wrapping_sub(1))
    }
}

/// How a set is divided, and what it keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// There are two to the power of this many shards; at least eight bits.
    pub shard_bits: u32,
    /// Bits of a link at most, up to 32; none where links are not kept.
    pub link_bits: Option<u32>,
    /// Does only one thread use it at a time? Then it takes no locks.
    pub is_alone: bool,
}

pub(crate) struct Set {
    layout: Layout,
    form: Form,
    words: Region<AtomicU64>,
    /// Rows of pages, one for each shard, for which the system was asked for memory ahead of time.
    touched_rows: AtomicU32,
    /// Where the next one who recalls begins.
    next_recalled: AtomicUsize,
    /// Room for what is in a shard that grows, kept for the next one.
    room: spin::mutex::SpinMutex<Vec<Entry>>,
    /// See [`Size`]. Read all the time, written only when a shard grows.
    sizes: Box<[AtomicU32]>,
    shards: Box<[Shard]>,
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

/// A slot of a shard.
#[derive(Clone, Copy)]
struct Place {
    bucket: u32,
    slot: u8,
    /// Steps from where the hash belongs.
    distance: u8,
}

enum Probe {
    Found(Place),
    /// The first free slot.
    Free(Place),
    Nothing,
}

/// What there is in a bucket.
struct Seen {
    /// A bit for the slot that has what was looked for.
    found: u32,
    is_full: bool,
}

impl Seen {
    #[inline(always)]
    fn of(slots: &[AtomicU64], spot: &Spot, word: u64) -> Self {
        let mut found = 0;
        // Without a branch for each: which one it is cannot be foreseen.
        for (slot, cell) in slots.iter().enumerate() {
            found |= u32::from(spot.is_in(cell.load(Relaxed), word)) << slot;
        }
        Seen { found, is_full: slots.last().is_some_and(|last| last.load(Relaxed) != 0) }
    }
}

impl Set {
    /// Room for at most `bytes` of address space; less where the system does not give that much.
    pub fn new(layout: Layout, bytes: u64) -> Self {
        let shards = 1usize << layout.shard_bits;
        let row = (shards * PAGE * WORDS) as u64;
        let mut rows = bytes.min(1 << 46) / (row * size_of::<u64>() as u64);
        loop {
            let words = Region::reserve((rows * row) as usize);
            if words.len() as u64 == rows * row || rows == 0 {
                return Set {
                    layout,
                    form: Form::new(layout.shard_bits, layout.link_bits.is_some()),
                    words,
                    touched_rows: AtomicU32::new(0),
                    next_recalled: AtomicUsize::new(0),
                    room: Default::default(),
                    sizes: (0..shards).map(|_| AtomicU32::new(0)).collect(),
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
        self.layout.link_bits.map_or(Link::NONE, |bits| Link::to(hash, bits))
    }

    #[inline]
    fn shard(&self, hash: u64) -> usize {
        (hash >> (64 - self.layout.shard_bits)) as usize
    }

    /// Of a shard, to be held.
    #[inline]
    fn lock(&self, shard: usize) -> Option<impl Drop> {
        (!self.layout.is_alone).then(|| self.shards[shard].lock.lock())
    }

    /// Acquire: what is read of the shard afterwards is of this size or a later one.
    #[inline]
    fn size(&self, shard: usize) -> Size {
        Size::from_word(self.sizes[shard].load(Acquire))
    }

    /// Has the shard still the size that it had when what was read just now was looked for?
    #[inline]
    fn is_still(&self, shard: usize, size: Size) -> bool {
        fence(Acquire);
        self.sizes[shard].load(Relaxed) == size.word()
    }

    #[inline]
    fn spot(&self, hash: u64) -> (usize, Spot) {
        let shard = self.shard(hash);
        (shard, self.form.spot(hash, self.size(shard)))
    }

    #[inline]
    fn first_word(&self, shard: usize, bucket: u32) -> usize {
        let bucket = bucket as usize;
        let row = (bucket / PAGE) << self.layout.shard_bits;
        ((row + shard) * PAGE + bucket % PAGE) * WORDS
    }

    /// A bucket of a shard that has some.
    #[inline]
    fn bucket(&self, shard: usize, bucket: u32) -> &[AtomicU64; WORDS] {
        let words = &self.words.cells()[self.first_word(shard, bucket)..];
        words.first_chunk().unwrap_or_else(|| unreachable!("buckets are whole"))
    }

    #[inline]
    fn cell(&self, shard: usize, place: Place) -> &AtomicU64 {
        &self.bucket(shard, place.bucket)[usize::from(place.slot)]
    }

    /// What is in a bucket, less what is kept beside it.
    #[inline]
    fn slots(&self, shard: usize, bucket: u32) -> &[AtomicU64] {
        let bucket = self.bucket(shard, bucket);
        // So the compiler knows how many there are.
        if self.layout.link_bits.is_some() { &bucket[..WORDS - 1] } else { &bucket[..] }
    }

    /// Asks for the bucket where a hash belongs.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let (shard, spot) = self.spot(hash);
        self.words.prefetch(self.first_word(shard, spot.home));
        if !self.layout.is_alone {
            prefetch_to_write(&self.shards, shard);
        }
    }

    /// Is it in the bucket where it belongs? If not, asks for what it takes to look further, and to enter it.
    #[inline]
    pub fn is_at_home(&self, hash: u64) -> bool {
        let (shard, spot) = self.spot(hash);
        if spot.size == Size::NONE {
            return false;
        }
        let seen = self.look(shard, spot.home, &spot, spot.word_at(0));
        if seen.found != 0 {
            return self.is_still(shard, spot.size);
        }
        if seen.is_full {
            self.words.prefetch(self.first_word(shard, spot.next(spot.home)));
        } else if !self.layout.is_alone {
            prefetch_to_write(self.words.cells(), self.first_word(shard, spot.home));
        }
        false
    }

    /// Looks for a word in a bucket, whatever its mark and link.
    #[inline(always)]
    fn look(&self, shard: usize, bucket: u32, spot: &Spot, word: u64) -> Seen {
        let bucket = self.bucket(shard, bucket);
        // For each of the two kinds of its own, so that the compiler knows how many slots there are.
        match self.layout.link_bits {
            Some(_) => Seen::of(&bucket[..WORDS - 1], spot, word),
            None => Seen::of(&bucket[..], spot, word),
        }
    }

    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        let (shard, spot) = self.spot(hash);
        matches!(self.probe(shard, &spot), Probe::Found(_)) && self.is_still(shard, spot.size)
    }

    /// Nothing in a shard that is being rebuilt.
    #[inline]
    fn probe(&self, shard: usize, spot: &Spot) -> Probe {
        if spot.size == Size::NONE {
            return Probe::Nothing;
        }
        let mut bucket = spot.home;
        for distance in 0..self.form.farthest() {
            let seen = self.look(shard, bucket, spot, spot.word_at(distance));
            let place = |slot| Place { bucket, slot, distance };
            if seen.found != 0 {
                return Probe::Found(place(seen.found.trailing_zeros() as u8));
            }
            if !seen.is_full {
                // Slots are filled in order.
                let slots = self.slots(shard, bucket).iter();
                let taken = slots.map(|slot| u8::from(slot.load(Relaxed) != 0)).sum();
                return Probe::Free(place(taken));
            }
            bucket = spot.next(bucket);
        }
        Probe::Nothing
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
        let at = self.shard(hash);
        let shard = &self.shards[at];
        let lock = self.lock(at);
        let (_, mut spot) = self.spot(hash);
        let mut probe = self.probe(at, &spot);
        if let Probe::Found(_) = probe {
            return Ok(false);
        }
        let len = shard.len.load(Relaxed);
        let mut is_full = len >= self.layout.fill(spot.size);
        let place = loop {
            match probe {
                Probe::Free(place) if !is_full => break place,
                // Also where all buckets are full that it may be in, which hardly ever happens.
                _ => self.grow(at, len, budget)?,
            }
            is_full = false;
            (_, spot) = self.spot(hash);
            probe = self.probe(at, &spot);
        };
        if !admit() {
            return Err(Full::States);
        }
        let link = link.shortened(self.link_bits(spot.size));
        self.put(at, place, spot.word_at(place.distance), link);
        shard.len.store(len + 1, Relaxed);
        if lock.is_some() && len == self.layout.nearly_fill(spot.size) {
            drop(lock);
            self.touch_more(at);
        }
        Ok(true)
    }

    /// Fills a free slot. The shard's lock is held. `link`: as it is shortened for the size of the shard.
    #[inline]
    fn put(&self, shard: usize, place: Place, word: u64, link: u64) {
        let bucket = self.bucket(shard, place.bucket);
        let mut word = word;
        if self.layout.link_bits.is_some() {
            word |= self.form.put_link(link >> LINK_BYTE);
            let shift = LINK_BYTE * u32::from(place.slot);
            let rest = &bucket[WORDS - 1];
            let others = rest.load(Relaxed) & !(0xff << shift);
            rest.store(others | (link & 0xff) << shift, Relaxed);
        }
        // Release: whoever reads it knows that the shard has this size.
        bucket[usize::from(place.slot)].store(word, Release);
    }

    #[inline]
    fn hash_in(&self, shard: usize, bucket: u32, word: u64, size: Size) -> u64 {
        (shard as u64) << (64 - self.layout.shard_bits) | self.form.hash_bits(word, bucket, size)
    }

    /// Bits of a link in a shard of this size, in a set that keeps them.
    #[inline]
    fn link_bits(&self, size: Size) -> u32 {
        self.form.link_bits(size) + LINK_BYTE
    }

    /// The link in a slot, with so many bits.
    #[inline]
    fn link_in(&self, shard: usize, place: Place, word: u64, size: Size) -> u64 {
        let rest = self.bucket(shard, place.bucket)[WORDS - 1].load(Relaxed);
        let rest = rest >> (LINK_BYTE * u32::from(place.slot));
        self.form.link(word, size) << LINK_BYTE | rest & 0xff
    }

    /// Marks a state that was entered as one that is still to be done.
    pub fn put_off(&self, hash: u64, depth: u32) {
        let at = self.shard(hash);
        let shard = &self.shards[at];
        let _lock = self.lock(at);
        let (_, spot) = self.spot(hash);
        let Probe::Found(place) = self.probe(at, &spot) else {
            unreachable!("only what was entered is put off")
        };
        let cell = self.cell(at, place);
        let word = cell.load(Relaxed);
        if word & self.form.mark() != 0 {
            return;
        }
        cell.store(word | self.form.mark(), Release);
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
            // Whoever gets a shard that would else be another's sees what that one has put off there: it looks nowhere else.
            let at = self.next_recalled.fetch_add(1, AcqRel) % self.shards.len();
            let shard = &self.shards[at];
            if shard.put_off.load(Relaxed) == 0 {
                continue;
            }
            let _lock = self.lock(at);
            let (depth, size) = (shard.depth.load(Relaxed), self.size(at));
            for bucket in 0..size.buckets() {
                for cell in self.slots(at, bucket) {
                    let word = cell.load(Relaxed);
                    if word & self.form.mark() != 0 {
                        each(self.hash_in(at, bucket, word, size), depth);
                        cell.store(word & !self.form.mark(), Release);
                        taken += 1;
                    }
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
        self.layout.link_bits?;
        let shard = self.shard(hash);
        let _lock = self.lock(shard);
        let (_, spot) = self.spot(hash);
        let Probe::Found(place) = self.probe(shard, &spot) else { return None };
        let word = self.cell(shard, place).load(Relaxed);
        let link = self.link_in(shard, place, word, spot.size);
        Some(Link::from_bits(link, self.link_bits(spot.size)))
    }

    /// All hashes that a link may stand for.
    pub fn linked(&self, link: Link) -> Vec<u64> {
        let mut found = Vec::new();
        if link == Link::NONE {
            return found;
        }
        let (low, high) = link.range();
        for shard in self.shard(low)..=self.shard(high) {
            let _lock = self.lock(shard);
            let size = self.size(shard);
            let home = |hash| self.form.spot(hash, size).home;
            let first = if shard == self.shard(low) { home(low) } else { 0 };
            let last = if shard == self.shard(high) { home(high) } else { u32::MAX };
            for home in first..size.buckets().min(last.saturating_add(1)) {
                self.homed(shard, home, size, &mut found);
            }
        }
        found.retain(|hash| (low..=high).contains(hash));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds all hashes that belong to a bucket, and some more. The shard's lock is held.
    fn homed(&self, shard: usize, home: u32, size: Size, found: &mut Vec<u64>) {
        for step in STEPS {
            let mut at = home;
            for _ in 0..self.form.farthest() {
                let slots = self.slots(shard, at);
                let words =
                    slots.iter().map(|cell| cell.load(Relaxed)).take_while(|word| *word != 0);
                let before = found.len();
                found.extend(words.map(|word| self.hash_in(shard, at, word, size)));
                if found.len() - before < slots.len() {
                    break;
                }
                at = (at + step) % size.buckets();
            }
        }
    }
}

impl Layout {
    /// Slots of a bucket.
    #[inline]
    fn slots(self) -> usize {
        if self.link_bits.is_some() { WORDS - 1 } else { WORDS }
    }

    /// How many hashes a shard takes before it grows. With links there is more to gain from speed; without
    /// them, every byte counts.
    #[inline]
    fn fill(self, size: Size) -> u64 {
        let percent = if self.link_bits.is_some() { 84 } else { 96 };
        size.buckets() as u64 * self.slots() as u64 * percent / 100
    }

    /// How many it has when it is time to think of that.
    #[inline]
    fn nearly_fill(self, size: Size) -> u64 {
        let fill = self.fill(size);
        fill - fill / 16
    }

    /// Twice as large as long as memory does not matter, then by half, and then by a quarter, or without links by an eighth.
    fn larger(self, size: Size, shard: usize) -> Option<Size> {
        const SMALL: u32 = 256;
        let eighths = match (size.buckets(), self.link_bits) {
            (0, _) => return Some(Size::first(shard)),
            (..SMALL, _) => 8,
            (_, None) => 1,
            (buckets, Some(_)) if buckets < 4 * SMALL => 4,
            (_, Some(_)) => 2,
        };
        size.larger(eighths)
    }
}

#[cfg(test)]
mod tests;
