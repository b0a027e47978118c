//! Coding many successors of one state side by side.
//!
//! Whether a key is known is often a matter of waiting for memory, twice: for a bucket of the index, and for the key
//! that it leads to. While one state waits, the others go on. So each of them is coded until it comes to a key that is
//! not in the memo, asks for the memory, and is looked at again when all others have had their turn.

use crate::budget::{Budget, Full};
use crate::coded::Coded;
use crate::hash::hash;
use crate::known::Move;
use crate::nodes::Memo;
use auspex_system::ByteRange;
use std::ops::Range;

/// One thread's working memory.
#[derive(Debug, Default)]
pub(crate) struct SideBySide {
    /// The keys of all states, one state behind the other.
    keys: Vec<u64>,
    /// For each state whether it fits.
    fits: Vec<bool>,
    /// Those that wait.
    waiting: Vec<Task>,
}

/// A state that is not coded to the end.
#[derive(Debug)]
struct Task {
    state: usize,
    /// Groups to be numbered anew.
    dirty: u64,
    /// The group that it waits for, and its key.
    group: usize,
    key: u64,
    hash: u64,
    /// Its bucket has come, and leads to the key that is asked for now.
    has_bucket: bool,
}

/// A state and its keys.
pub(crate) struct Near<'a> {
    pub bytes: &'a [u8],
    pub keys: &'a [u64],
}

impl SideBySide {
    pub fn clear(&mut self) {
        self.keys.clear();
        self.fits.clear();
        self.waiting.clear();
    }

    /// Adds a state that differs from `near` in these ranges of bytes at most.
    #[inline]
    pub fn add(
        &mut self,
        coded: &Coded,
        memo: &Memo,
        bytes: &[u8],
        changes: &[ByteRange],
        near: &Near<'_>,
    ) {
        let (state, row) = (self.fits.len(), self.keys.len());
        self.keys.extend_from_slice(near.keys);
        let keys = &mut self.keys[row..];
        let mut dirty = 0;
        for [from, to] in changes {
            let range = *from as usize..*to as usize;
            let fits = for_each_difference(near.bytes, bytes, range, |at, new| {
                let code = coded.code(at, new)?;
                let field = &coded.layout.bytes[at];
                // Ranges may overlap: to do it twice does no harm.
                field.put(keys, code);
                dirty |= field.above;
                Some(())
            });
            if fits.is_none() {
                return self.fits.push(false);
            }
        }
        self.fits.push(true);
        if let Some(task) = number(coded, memo, keys, dirty) {
            self.waiting.push(Task { state, ..task });
        }
    }

    /// Adds a state that is reached by a move from the one with the keys `near`.
    #[inline]
    pub fn add_moved(&mut self, coded: &Coded, memo: &Memo, near: &[u64], one: &Move<'_>) {
        let (state, row) = (self.fits.len(), self.keys.len());
        self.keys.extend_from_slice(near);
        let keys = &mut self.keys[row..];
        one.apply(keys);
        self.fits.push(true);
        if let Some(task) = number(coded, memo, keys, one.dirty) {
            self.waiting.push(Task { state, ..task });
        }
    }

    /// Does every state fit?
    pub fn all_fit(&self) -> bool {
        self.fits.iter().all(|fits| *fits)
    }

    /// Adds one that is not to be coded.
    pub fn add_other(&mut self, near: &Near<'_>) {
        self.keys.extend_from_slice(near.keys);
        self.fits.push(false);
    }

    /// Codes all states that were added.
    pub fn finish(&mut self, coded: &Coded, memo: &mut Memo, budget: &Budget) -> Result<(), Full> {
        let SideBySide { keys, fits, waiting } = self;
        while !waiting.is_empty() {
            let mut turn = 0;
            while let Some(task) = waiting.get_mut(turn) {
                let Task { state, group, key, hash, .. } = *task;
                if !task.has_bucket {
                    coded.prefetch_node(group, hash);
                    task.has_bucket = true;
                    turn += 1;
                    continue;
                }
                let next = match coded.look_up(memo, budget, group, key, hash)? {
                    Some(found) => {
                        let keys = &mut keys[state * coded.keys()..][..coded.keys()];
                        coded.put_number(keys, group, found);
                        number(coded, memo, keys, task.dirty)
                    }
                    None => {
                        fits[state] = false;
                        None
                    }
                };
                match next {
                    Some(next) => {
                        *task = Task { state, ..next };
                        turn += 1;
                    }
                    None => drop(waiting.swap_remove(turn)),
                }
            }
        }
        Ok(())
    }

    /// How many were added.
    pub fn len(&self) -> usize {
        self.fits.len()
    }

    /// The root of a state, by the order in which they were added; `None` for one that does not fit.
    #[inline]
    pub fn root(&self, coded: &Coded, state: usize) -> Option<u64> {
        self.fits[state].then(|| coded.root(&self.keys[state * coded.keys()..][..coded.keys()]))
    }
}

/// So many bytes are compared one by one.
const SHORT: usize = 4;

/// Calls `each` with the places in a range where bytes differ, and what they are then, until it says `None`. Outside of all ranges
/// nothing differs, so that whole words can be compared; a byte may be told twice.
#[inline]
fn for_each_difference(
    old: &[u8],
    new: &[u8],
    range: Range<usize>,
    mut each: impl FnMut(usize, u8) -> Option<()>,
) -> Option<()> {
    assert!(range.end <= new.len(), "changes of a state are in it");
    if range.len() <= SHORT {
        let both = old[range.clone()].iter().zip(&new[range.clone()]);
        for (at, (_, new)) in range.zip(both).filter(|(_, (old, new))| old != new) {
            each(at, *new)?;
        }
        return Some(());
    }
    let mut from = range.start;
    while from < range.end {
        // The last word ends where the state does.
        let start = from.min(new.len().saturating_sub(8));
        let word = |bytes: &[u8]| match bytes.get(start..).and_then(<[u8]>::first_chunk) {
            Some(word) => u64::from_le_bytes(*word),
            None => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        let new_word = word(new);
        let mut differs = word(old) ^ new_word;
        while differs != 0 {
            let place = differs.trailing_zeros() & !7;
            differs &= !(0xff << place);
            each(start + place as usize / 8, (new_word >> place) as u8)?;
        }
        from = start + 8;
    }
    Some(())
}

/// Numbers groups as far as possible without waiting; what is above a group comes after it. What is left, if anything is.
#[inline]
fn number(coded: &Coded, memo: &Memo, keys: &mut [u64], mut dirty: u64) -> Option<Task> {
    while dirty != 0 {
        let group = dirty.trailing_zeros() as usize;
        dirty &= dirty - 1;
        let key = keys[group];
        let hash = hash(key);
        let Some(number) = coded.remembered(memo, group, key, hash) else {
            coded.prefetch(group, hash);
            return Some(Task { state: 0, dirty, group, key, hash, has_bucket: false });
        };
        coded.put_number(keys, group, number);
    }
    None
}
