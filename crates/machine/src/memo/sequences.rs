//! Numbers for sequences of numbers: equal sequences have equal numbers.

#[derive(Debug, Default)]
pub struct Sequences {
    words: Vec<u32>,
    /// Where each ends.
    ends: Vec<u32>,
    /// Some bits of the hash, and one more than the number of a sequence; 0 there in a slot that is free. Their count
    /// is a power of 2.
    slots: Vec<(u32, u32)>,
}

/// In the manner of `rustc-hash`, two words at a time.
#[inline]
fn hash(words: &[u32]) -> u64 {
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
    let (pairs, rest) = words.as_chunks::<2>();
    let mut hash = words.len() as u64;
    for [a, b] in pairs {
        let pair = u64::from(*a) << 32 | u64::from(*b);
        hash = hash.wrapping_add(pair).wrapping_mul(FACTOR).rotate_left(23);
    }
    for word in rest {
        hash = hash.wrapping_add(u64::from(*word)).wrapping_mul(FACTOR);
    }
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Sequences {
    pub fn bytes(&self) -> usize {
        4 * (self.words.len() + self.ends.len()) + 8 * self.slots.len()
    }

    pub fn get(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.words[start..self.ends[number] as usize]
    }

    /// The number of a sequence: the next one if it is new.
    pub fn number(&mut self, of: &[u32]) -> u32 {
        if 4 * self.ends.len() >= 3 * self.slots.len() {
            self.grow();
        }
        let hash = hash(of);
        let (mut slot, tag) = (self.slot(hash), hash as u32);
        loop {
            match self.slots[slot] {
                (_, 0) => break,
                (known, number) if known == tag && self.get(number - 1) == of => return number - 1,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
        self.words.extend_from_slice(of);
        self.ends.push(self.words.len() as u32);
        let number = self.ends.len() as u32;
        self.slots[slot] = (tag, number);
        number - 1
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let more = (2 * self.slots.len()).max(1 << 6);
        self.slots.clear();
        self.slots.resize(more, (0, 0));
        for number in 0..self.ends.len() as u32 {
            let hash = hash(self.get(number));
            let mut slot = self.slot(hash);
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & (more - 1);
            }
            self.slots[slot] = (hash as u32, number + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sequences;
    use std::collections::HashMap;

    #[test]
    fn equal_sequences_have_equal_numbers() {
        let (mut sequences, mut naive, mut random) =
            (Sequences::default(), HashMap::<Vec<u32>, u32>::new(), 1u32);
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        for _ in 0..20_000 {
            let words: Vec<u32> = (0..next(6)).map(|_| next(4)).collect();
            let count = naive.len() as u32;
            let number = *naive.entry(words.clone()).or_insert(count);
            assert_eq!(sequences.number(&words), number);
            assert_eq!(sequences.get(number), words);
        }
    }
}
