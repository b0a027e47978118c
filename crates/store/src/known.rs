//! A hash table of moves: of what an actor does wherever it sees the same.
//!
//! An entry is a row of words: what was seen (the number of a view, and some bits of keys), and then what comes of it. That is
//! a number of moves, and for each of them the keys that change, the groups to be numbered anew, and for each key which
//! bits change and what they are then; or the numbers of options.

use crate::budget::Budget;
use crate::region::prefetch;

/// Instead of a number of moves or options: they cannot be told.
pub(crate) const UNCLEAR: u64 = u64::MAX;
/// With more keys that change in one move, it cannot be told.
const MOST_KEYS: usize = 7;

/// What somebody sees: the number of a view, and the bits of keys that matter there.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub view: u32,
    pub first: u64,
    /// Further keys, and the bits of them that matter.
    pub more: &'a [(u8, u64)],
    pub keys: &'a [u64],
}

impl Seen<'_> {
    #[inline]
    pub fn hash(&self) -> u64 {
        // The upper half of a product depends on all bits of what is multiplied.
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15;
        let add = |all: u64, word: u64| {
            let product = u128::from(all ^ word) * FACTOR;
            (product >> 64) as u64 ^ product as u64
        };
        self.words().fold(add(u64::from(self.view) << 32, self.first), add)
    }

    /// Of the further keys.
    #[inline]
    fn words(&self) -> impl Iterator<Item = u64> {
        self.more.iter().map(|(key, mask)| self.keys[*key as usize] & mask)
    }

    /// What an entry for this begins with.
    pub fn start(&self, entry: &mut Vec<u64>) {
        entry.clear();
        entry.extend([u64::from(self.view), self.first]);
        entry.extend(self.words());
    }

    #[inline]
    fn len(&self) -> usize {
        2 + self.more.len()
    }

    #[inline]
    fn is_start_of(&self, entry: &[u64]) -> bool {
        let [view, first, more @ ..] = entry else { return false };
        *first == self.first
            && *view == u64::from(self.view)
            && (self.more.is_empty()
                || self.words().zip(more).all(|(mine, theirs)| mine == *theirs))
    }
}

/// What changes in the keys of a state.
pub(crate) struct Move<'a> {
    /// Groups to be numbered anew.
    pub dirty: u64,
    /// Of the keys that change, a byte each.
    numbers: u64,
    /// For each of them those bits that change, and what they are then.
    bits: &'a [u64],
}

/// A move in the making.
#[derive(Default)]
pub(crate) struct Changes {
    /// For each key which bits become others, and which.
    pub keys: Vec<(u64, u64)>,
    pub dirty: u64,
}

impl Changes {
    /// None of so many keys changes.
    pub fn clear(&mut self, keys: usize) {
        self.keys.clear();
        self.keys.resize(keys, (0, 0));
        self.dirty = 0;
    }

    /// Some bits of a key become others. They may be told twice.
    pub fn add(&mut self, key: u8, mask: u64, bits: u64) {
        let (all, value) = &mut self.keys[key as usize];
        (*all, *value) = (*all | mask, *value & !mask | bits);
    }

    /// Puts the move into an entry, if it can be told.
    pub fn end(&self, entry: &mut Vec<u64>) -> bool {
        let changed = || self.keys.iter().enumerate().filter(|(_, (mask, _))| *mask != 0);
        let count = changed().count();
        let numbers = changed().rev().fold(0, |all, (key, _)| all << 8 | key as u64);
        entry.extend([numbers << 8 | count as u64, self.dirty]);
        changed().for_each(|(_, (mask, bits))| entry.extend([*mask, *bits]));
        count <= MOST_KEYS
    }
}

impl Move<'_> {
    #[inline]
    pub fn apply(&self, keys: &mut [u64]) {
        let mut numbers = self.numbers;
        for bits in self.bits.chunks_exact(2) {
            let key = &mut keys[(numbers & 0xff) as usize];
            *key = *key & !bits[0] | bits[1];
            numbers >>= 8;
        }
    }
}

/// Calls `each` with the moves of an entry, behind what was seen. Can they be told?
#[inline]
pub(crate) fn each_move(words: &[u64], mut each: impl FnMut(&Move<'_>)) -> bool {
    let [count, rest @ ..] = words else { return false };
    if *count == UNCLEAR {
        return false;
    }
    let mut rest = rest;
    for _ in 0..*count {
        let [numbers, dirty, behind @ ..] = rest else { return false };
        let (bits, behind) = behind.split_at(2 * (numbers & 0xff) as usize);
        each(&Move { dirty: *dirty, numbers: numbers >> 8, bits });
        rest = behind;
    }
    true
}

#[derive(Default)]
pub(crate) struct Known {
    /// Where an entry begins, plus one, and 32 bits of its hash; 0 where there is none.
    index: Vec<u64>,
    words: Vec<u64>,
    count: usize,
}

impl Known {
    const FIRST: usize = 1 << 10;
    /// Bytes: at least, for each state, at most.
    const LEAST: u64 = 1 << 21;
    const PER_STATE: u64 = 2;
    const MOST: u64 = 1 << 24;

    /// What comes of what is seen, if it is known.
    #[inline]
    pub fn find(&self, seen: &Seen<'_>, hash: u64) -> Option<&[u64]> {
        let mask = self.index.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.index[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash & 0xffff_ffff {
                let entry = &self.words[slot as u32 as usize - 1..];
                if seen.is_start_of(entry) {
                    return entry.get(seen.len()..);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Asks for the memory that `find` needs first, and later for what it needs then.
    #[inline]
    pub fn prefetch_slot(&self, hash: u64) {
        prefetch(&self.index, hash as usize & self.index.len().wrapping_sub(1));
    }

    #[inline]
    pub fn prefetch_entry(&self, hash: u64) {
        let slot = self.index.get(hash as usize & self.index.len().wrapping_sub(1));
        slot.into_iter()
            .for_each(|slot| prefetch(&self.words, (*slot as u32 as usize).wrapping_sub(1)));
    }

    /// Adds an entry, for which others may be forgotten, if there is memory for it. `states`: the more there are, the more is kept.
    pub fn add(&mut self, entry: &[u64], hash: u64, states: u64, budget: &Budget) {
        let most = states.saturating_mul(Self::PER_STATE).clamp(Self::LEAST, Self::MOST);
        if 4 * (self.count + 1) > 3 * self.index.len() {
            let more = self.index.len().max(Self::FIRST);
            match self.may_take(more, most, budget) {
                true => self.grow(self.index.len() + more),
                false => self.forget(),
            }
        }
        if self.words.len() + entry.len() > self.words.capacity() {
            let more = self.words.capacity().max(2 * Self::FIRST);
            match self.may_take(more, most, budget) {
                true => self.words.reserve_exact(self.words.capacity() + more - self.words.len()),
                false => self.forget(),
            }
        }
        let start = self.words.len();
        if self.index.is_empty() || start + entry.len() > self.words.capacity() {
            return;
        }
        self.words.extend_from_slice(entry);
        self.place(hash << 32 | (start as u64 + 1));
        self.count += 1;
    }

    fn may_take(&self, more: usize, most: u64, budget: &Budget) -> bool {
        let bytes = |words: usize| 8 * words as u64;
        let all = self.index.len() + self.words.capacity() + more;
        bytes(all) <= most && budget.take(bytes(more))
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        let old = std::mem::replace(&mut self.index, vec![0; len]);
        old.into_iter().filter(|slot| *slot != 0).for_each(|slot| self.place(slot));
    }

    /// Puts a slot to where it belongs.
    fn place(&mut self, slot: u64) {
        let mask = self.index.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.index[at] != 0 {
            at = (at + 1) & mask;
        }
        self.index[at] = slot;
    }

    #[cold]
    fn forget(&mut self) {
        self.index.fill(0);
        self.words.clear();
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MORE: [(u8, u64); 1] = [(1, 0xff00)];

    fn seen(view: u32, keys: &[u64; 2]) -> Seen<'_> {
        Seen { view, first: keys[0] & 0xff, more: &MORE, keys }
    }

    /// An entry with one move that sets the lower bits of the second key to `value`.
    fn entry(seen: &Seen<'_>, value: u64) -> Vec<u64> {
        let (mut entry, mut changes) = (Vec::new(), Changes::default());
        changes.clear(2);
        changes.add(1, 0xff, value);
        seen.start(&mut entry);
        entry.push(1);
        assert!(changes.end(&mut entry));
        entry
    }

    /// Where the move leads.
    fn target(known: &Known, seen: &Seen<'_>) -> Option<[u64; 2]> {
        let mut keys: [u64; 2] = seen.keys.try_into().expect("two keys");
        let found = known.find(seen, seen.hash())?;
        assert!(each_move(found, |one| one.apply(&mut keys)));
        Some(keys)
    }

    #[test]
    fn what_is_seen_decides_and_nothing_else() {
        let (mut known, budget) = (Known::default(), Budget::new(u64::MAX));
        for number in 0..3000 {
            let keys = [number % 0x100, (number / 0x100) << 8];
            let seen = seen(number as u32 % 7, &keys);
            assert!(target(&known, &seen).is_none());
            known.add(&entry(&seen, number % 0x100), seen.hash(), 1 << 40, &budget);
        }
        for number in 0..3000 {
            // Bits that are not seen are as they like, and stay so.
            let keys = [(number % 0x100) | 0xabc00, ((number / 0x100) << 8) | 0x70_0033];
            let view = number as u32 % 7;
            let right = [keys[0], (keys[1] & !0xff) | (number % 0x100)];
            assert_eq!(target(&known, &seen(view, &keys)), Some(right));
            assert_eq!(target(&known, &seen(view + 7, &keys)), None);
        }
    }

    #[test]
    fn memory_is_bounded() {
        for limit in [0, 10_000, 100_000, u64::MAX] {
            let (mut known, budget) = (Known::default(), Budget::new(limit));
            for number in 0..200_000 {
                let keys = [number % 0x100, (number / 0x100) << 8];
                let seen = seen((number >> 16) as u32, &keys);
                known.add(&entry(&seen, 1), seen.hash(), 0, &budget);
                assert_eq!(target(&known, &seen).is_some(), limit > 10_000);
            }
            let bytes = 8 * (known.index.capacity() + known.words.capacity()) as u64;
            assert_eq!(bytes, budget.used());
            assert!(known.count < 200_000 && bytes <= Known::LEAST.min(limit), "{bytes}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_said() {
        assert!(!each_move(&[UNCLEAR], |_| panic!("no move")));
        let (mut changes, mut entry) = (Changes::default(), Vec::new());
        changes.clear(MOST_KEYS + 1);
        (0..=MOST_KEYS).for_each(|key| changes.add(key as u8, 1, 1));
        assert!(!changes.end(&mut entry));
    }
}
