//! A bucket of an index: 16 slots in a cache line, searched at once.
//!
//! A slot is an 8-bit tag above a 24-bit place; an empty one is zero. Slots are filled in order and
//! never emptied one by one, so a bucket is full when its last slot is. Two slots share a word:
//! words are read as a whole by everyone, and written as a whole under the shard's lock.

use std::sync::atomic::{AtomicU64, Ordering::*};

pub(crate) const SLOTS: usize = 16;
pub(crate) const WORDS: usize = SLOTS / 2;
pub(crate) const PLACE_BITS: u32 = 24;
pub(crate) const PLACE_MASK: u32 = (1 << PLACE_BITS) - 1;

/// A copy of a bucket.
#[derive(Clone, Copy)]
pub(crate) struct Bucket([u64; WORDS]);

impl Bucket {
    #[inline]
    pub fn read(words: &[AtomicU64; WORDS]) -> Self {
        // Acquire: whoever sees a slot sees the node that it leads to.
        Bucket(std::array::from_fn(|i| words[i].load(Acquire)))
    }

    #[inline]
    pub fn is_full(&self) -> bool {
        self.0[WORDS - 1] >> 32 != 0
    }

    #[inline]
    pub fn slot(&self, index: u32) -> u32 {
        (self.0[index as usize / 2] >> (32 * (index % 2))) as u32
    }

    /// The slots with this tag, one bit each. `tag` is in place: above the place bits.
    #[inline]
    #[cfg(target_arch = "x86_64")]
    pub fn matches(&self, tag: u32) -> u32 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { self.matches_sse2(tag) }
    }

    #[inline]
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "sse2")]
    fn matches_sse2(&self, tag: u32) -> u32 {
        use std::arch::x86_64::*;
        let tag = _mm_set1_epi32((tag >> PLACE_BITS) as i32);
        let [a, b, c, d] = [0, 2, 4, 6].map(|i| {
            let slots = _mm_set_epi64x(self.0[i + 1] as i64, self.0[i] as i64);
            _mm_cmpeq_epi32(_mm_srli_epi32::<{ PLACE_BITS as i32 }>(slots), tag)
        });
        let packed = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
        _mm_movemask_epi8(packed) as u32
    }

    #[inline]
    #[cfg(not(target_arch = "x86_64"))]
    pub fn matches(&self, tag: u32) -> u32 {
        (0..SLOTS as u32)
            .filter(|i| self.slot(*i) & !PLACE_MASK == tag)
            .fold(0, |mask, i| mask | 1 << i)
    }
}

/// Fills the first empty slot, if there is one. The shard's lock is held.
pub(crate) fn fill(words: &[AtomicU64; WORDS], slot: u32) -> bool {
    for word in words {
        let old = word.load(Relaxed);
        let shift = match (old as u32, old >> 32) {
            (0, _) => 0,
            (_, 0) => 32,
            _ => continue,
        };
        // Release: publishes the node that was written before.
        word.store(old | (slot as u64) << shift, Release);
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_filled_in_order_and_finds_its_tags() {
        let words: [AtomicU64; WORDS] = Default::default();
        for i in 0..SLOTS as u32 {
            assert!(!Bucket::read(&words).is_full());
            let tag = if i % 5 == 0 { 255 } else { i };
            assert!(fill(&words, tag << PLACE_BITS | (i + 1)));
        }
        let bucket = Bucket::read(&words);
        assert!(bucket.is_full() && !fill(&words, 1));
        assert_eq!(bucket.matches(255 << PLACE_BITS), 0b1000_0100_0010_0001);
        assert_eq!(bucket.matches(7 << PLACE_BITS), 1 << 7);
        assert_eq!(bucket.matches(99 << PLACE_BITS), 0);
        assert_eq!(bucket.slot(7), 7 << PLACE_BITS | 8);
    }
}
