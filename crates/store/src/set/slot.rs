//! What is kept of a state, in 64 bits and, where there are links, eight more.
//!
//! The bucket where a hash belongs says a part of it, so only the rest is stored: the *remainder*, with how far from there the
//! slot is. From both, and the place of the slot, the hash is found again. What is left of the 64 bits holds a mark, and
//! the beginning of a link.
//!
//! A shard of m * 2^k buckets divides the bits of a hash below those of the shard as follows: of m times their number the upper bits
//! are the bucket, and the lower ones without the last three are the remainder. Numbers that differ are m apart, which is at least
//! eight, so nothing is lost.

/// How many buckets a shard has: m * 2^k, with m from 8 to 15. Zero: none, or it is being rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size(u32);

impl Size {
    pub const NONE: Size = Size(0);
    const M_BITS: u32 = 4;
    const FIRST_K: u32 = 2;
    /// No shard can have more: the number of a bucket has 32 bits.
    const LAST_K: u32 = 27;

    pub fn from_word(word: u32) -> Self {
        Size(word)
    }

    pub fn word(self) -> u32 {
        self.0
    }

    #[inline]
    fn m(self) -> u64 {
        (self.0 & ((1 << Self::M_BITS) - 1)).into()
    }

    #[inline]
    fn k(self) -> u32 {
        self.0 >> Self::M_BITS
    }

    #[inline]
    pub fn buckets(self) -> u32 {
        (self.m() << self.k()) as u32
    }

    /// What a shard begins with. It differs from shard to shard: they do not grow all at once then.
    pub fn first(shard: usize) -> Self {
        Size(Self::FIRST_K << Self::M_BITS | (8 + shard as u32 % 8))
    }

    /// Larger by so many eighths, or, where m is more than eight, a little less.
    pub fn larger(self, eighths: u32) -> Option<Self> {
        let (m, k) = (self.m() as u32 + eighths, self.k());
        let (m, k) = if m < 16 { (m, k) } else { (m.div_ceil(2), k + 1) };
        (k <= Self::LAST_K).then_some(Size(k << Self::M_BITS | m))
    }
}

/// How slots are divided in all shards: from above, the remainder, the link, the mark, and how far the slot is from where its hash
/// belongs, plus one: zero is a free slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    shard_bits: u32,
    distance_bits: u32,
    /// For each k, the bits of the remainder.
    remainders: [u64; Size::LAST_K as usize + 1],
}

/// Where a hash belongs in a shard of a certain size, and what is stored of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub size: Size,
    pub home: u32,
    remainder: u64,
    /// All bits of a slot but mark and link.
    mask: u64,
}

/// From one bucket to the next, where one is full: if it were the same for all, crowds would only grow. No prime of them divides a number
/// of buckets, so all buckets are met; and they are less than any.
pub(super) const STEPS: [u32; 4] = [1, 17, 23, 29];

#[inline]
fn step(remainder: u64) -> u32 {
    STEPS[(remainder >> 62) as usize]
}

impl Form {
    pub fn new(shard_bits: u32, has_links: bool) -> Self {
        assert!((8..=32).contains(&shard_bits), "so that m times a number has at most 60 bits");
        // Without links there are bits enough, and shards are fuller.
        let distance_bits = if has_links { 5 } else { 8 };
        // A remainder has 64 - shard_bits - 3 - k bits.
        let remainders = std::array::from_fn(|k| u64::MAX << (shard_bits + 3 + k as u32));
        Form { shard_bits, distance_bits, remainders }
    }

    /// Buckets where a hash may be: it is at most so many steps away, less one.
    #[inline]
    pub fn farthest(&self) -> u8 {
        u8::MAX >> (u8::BITS - self.distance_bits)
    }

    /// Set in a slot whose state was put off.
    #[inline]
    pub fn mark(&self) -> u64 {
        1 << self.distance_bits
    }

    #[inline]
    fn remainder(&self, size: Size) -> u64 {
        self.remainders[size.k() as usize % self.remainders.len()]
    }

    /// Bits of a link in a slot.
    #[inline]
    pub fn link_bits(&self, size: Size) -> u32 {
        (self.remainder(size).trailing_zeros() - 1).saturating_sub(self.distance_bits)
    }

    /// A link as it lies in a slot, and back.
    #[inline]
    pub fn put_link(&self, link: u64) -> u64 {
        link << (self.distance_bits + 1)
    }

    #[inline]
    pub fn link(&self, word: u64, size: Size) -> u64 {
        (word & !self.remainder(size)) >> (self.distance_bits + 1)
    }

    #[inline]
    pub fn spot(&self, hash: u64, size: Size) -> Spot {
        let scaled = (u128::from(hash << self.shard_bits) * u128::from(size.m())) << size.k();
        let bits = self.remainder(size);
        let mask = bits | (self.mark() - 1);
        Spot { size, home: (scaled >> 64) as u32, remainder: scaled as u64 & bits, mask }
    }

    /// The bits of the hash below those of the shard, of what is stored in a bucket of a shard of this size.
    #[inline]
    pub fn hash_bits(&self, word: u64, bucket: u32, size: Size) -> u64 {
        let remainder = word & self.remainder(size);
        let distance = (word & (self.mark() - 1)) as u32 - 1;
        let mut home = bucket;
        if distance > 0 {
            let buckets = size.buckets();
            let back = distance * step(remainder) % buckets;
            home = if bucket >= back { bucket - back } else { bucket + buckets - back };
        }
        let scaled = (u128::from(home) << 64 | u128::from(remainder)) >> size.k();
        divided_up((scaled >> self.shard_bits) as u64, size.m())
    }
}

impl Spot {
    /// The bucket that comes after another one.
    #[inline]
    pub fn next(&self, bucket: u32) -> u32 {
        let (next, buckets) = (bucket + step(self.remainder), self.size.buckets());
        if next >= buckets { next - buckets } else { next }
    }

    /// What is stored so many steps away from home, without mark and link.
    #[inline]
    pub fn word_at(&self, distance: u8) -> u64 {
        self.remainder | (u64::from(distance) + 1)
    }

    /// Does a slot hold what is to be stored there, with whatever mark and link?
    #[inline]
    pub fn is_in(&self, slot: u64, word: u64) -> bool {
        slot & self.mask == word
    }
}

/// A multiplication is faster than a division. Exact for numbers below 2^60.
#[inline]
fn divided_up(number: u64, m: u64) -> u64 {
    const RECIPROCALS: [u64; 16] = {
        let (mut reciprocals, mut m) = ([0; 16], 1);
        while m < 16 {
            reciprocals[m] = u64::MAX / m as u64 + (m > 1) as u64;
            m += 1;
        }
        reciprocals
    };
    let reciprocal = RECIPROCALS[m as usize % 16];
    ((u128::from(number + m - 1) * u128::from(reciprocal)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_found_again_from_its_place() {
        let mut rng = fastrand::Rng::with_seed(4);
        for (shard_bits, has_links) in [(8, true), (10, true), (13, true), (10, false)] {
            let form = Form::new(shard_bits, has_links);
            let mut size = Size::first(rng.usize(..));
            while let Some(larger) = size.larger(1) {
                let mask = u64::MAX >> shard_bits;
                let random = (0..300).map(|_| rng.u64(..) & mask);
                for bits in random.chain([0, 1, mask - 1, mask]).collect::<Vec<_>>() {
                    let spot = form.spot(bits | 1 << 63, size);
                    assert!(spot.home < size.buckets());
                    let mut bucket = spot.home;
                    for distance in 0..form.farthest() {
                        let word = spot.word_at(distance);
                        let low = rng.u64(..) & !spot.mask;
                        assert!(word != 0 && spot.is_in(word | low, word));
                        assert!(!spot.is_in(spot.word_at(distance + 1) | low, word));
                        assert_eq!(form.hash_bits(word | low, bucket, size), bits);
                        bucket = spot.next(bucket);
                    }
                }
                assert!(larger.buckets() > size.buckets());
                assert!(larger.buckets() as f64 <= size.buckets() as f64 * 1.126);
                size = larger;
            }
        }
    }

    #[test]
    fn what_is_larger_belongs_farther_on() {
        let (form, mut rng) = (Form::new(10, true), fastrand::Rng::with_seed(5));
        for size in (0..8).map(Size::first) {
            let mut hashes: Vec<u64> = (0..1000).map(|_| rng.u64(..) >> 10).collect();
            hashes.sort_unstable();
            assert!(hashes.is_sorted_by_key(|hash| form.spot(*hash, size).home));
        }
    }
}
