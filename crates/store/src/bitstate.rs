//! Bitstate hashing: a state is three bits in a fixed array.

use crate::budget::{Bounds, Full, Quota};
use crate::region::Region;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use xxhash_rust::xxh3::xxh3_128;

const BITS_A_STATE: u64 = 3;

pub struct Bitstate {
    words: Region<AtomicU64>,
    /// Counters of states, spread so that threads do not share one.
    len: Box<[Counter]>,
    quota: Quota,
}

#[derive(Default)]
#[repr(align(64))]
struct Counter(AtomicU64);

impl Bitstate {
    /// An array of `bytes` bytes, or of as many as `bounds` allow.
    pub fn new(bytes: u64, bounds: Bounds) -> Self {
        let bytes = bytes.min(bounds.memory).min(bounds.address_space);
        let words = Region::reserve(usize::try_from(bytes / 8).unwrap_or(usize::MAX));
        let len = (0..64).map(|_| Counter::default()).collect();
        Bitstate { words, len, quota: Quota::new(bounds.states) }
    }

    pub fn len(&self) -> u64 {
        self.len.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use, at most.
    pub fn memory(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// The fraction of the bits that are set.
    pub fn loss(&self) -> f64 {
        let set = self.words.cells().iter().map(|word| word.load(Relaxed).count_ones() as u64);
        set.sum::<u64>() as f64 / (self.words.len() as f64 * 64.0).max(1.0)
    }

    /// Whether the state is new, as far as three bits can tell.
    pub fn insert(&self, bytes: &[u8]) -> Result<bool, Full> {
        let hash = xxh3_128(bytes);
        let (from, stride) = (hash as u64, (hash >> 64) as u64 | 1);
        let bits = self.words.len() as u64 * 64;
        if bits == 0 {
            return Err(Full::Memory);
        }
        let place = |i: u64| scale(from.wrapping_add(i.wrapping_mul(stride)), bits);
        if (0..BITS_A_STATE).all(|i| self.is_set(place(i))) {
            return Ok(false);
        }
        if !self.quota.admit() {
            return Err(Full::States);
        }
        // Another thread may have set them all in the meantime.
        let new = (0..BITS_A_STATE).filter(|i| self.set(place(*i))).count() > 0;
        if !new {
            self.quota.withdraw();
        }
        self.len[(stride >> 58) as usize].0.fetch_add(new as u64, Relaxed);
        Ok(new)
    }

    fn is_set(&self, bit: u64) -> bool {
        self.words.cells()[(bit / 64) as usize].load(Relaxed) >> (bit % 64) & 1 != 0
    }

    /// Whether it was not set before.
    fn set(&self, bit: u64) -> bool {
        let word = self.words.cells()[(bit / 64) as usize].fetch_or(1 << (bit % 64), Relaxed);
        word >> (bit % 64) & 1 == 0
    }
}

/// Maps all of `u64` evenly to the numbers below `bound`.
fn scale(value: u64, bound: u64) -> u64 {
    ((value as u128 * bound as u128) >> 64) as u64
}
