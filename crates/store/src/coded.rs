//! States as codes: see [`crate::layout`].
//!
//! A value that was never seen gets the next code, a key the next number. When they run out of bits, what comes does not
//! fit, now and for ever, and states with it are stored as trees instead. So it is always the same way in which a state is stored,
//! whoever stores it.

use crate::Lock;
use crate::budget::{Budget, Full};
use crate::hash::hash;
use crate::layout::{Field, Layout, ROOT_BITS};
use crate::nodes::Memo;
use crate::plan::Plan;
use crate::table::Table;
use auspex_system::StateRef;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*};

/// The codes of states of one shape.
pub(crate) struct Coded {
    pub layout: Layout,
    /// The upper bits of the root: that it is a code, and whose.
    tag: u64,
    /// For each byte and value the code, where it belongs in the key; `NO_CODE` where there is none.
    codes: Box<[AtomicU64]>,
    /// For each byte and code the value: see `Spot::first_value`.
    values: Box<[AtomicU8]>,
    /// For each byte where its values begin.
    first_values: Box<[u32]>,
    /// For each key the bytes that it is made of.
    spots: Box<[Box<[Spot]>]>,
    /// How many codes each byte has.
    counts: Box<[AtomicU32]>,
    lock: Lock,
    groups: Vec<Table>,
    /// Of the first group, in a memo that all share.
    first_owner: u32,
}

/// A byte of a state as a part of a key, for reading it.
#[derive(Clone, Copy)]
struct Spot {
    /// Where the values begin that it can have, one for each code.
    first_value: u32,
    at: u16,
    shift: u8,
    mask: u8,
}

/// Set in the root of a state that is coded, and in no other.
const IS_CODED: u64 = 1 << 63;
const ROOT_MASK: u64 = (1 << ROOT_BITS) - 1;
/// Too many bits for a code.
const NO_CODE: u64 = u64::MAX;
/// Values of a byte.
const BYTES: usize = 256;
/// Owners of memos for each shape.
const OWNERS: u32 = 64;

/// All the codes of a store.
#[derive(Default)]
pub(crate) struct Codes(Vec<Coded>);

impl Codes {
    /// `places`: see [`Table::new`], for all tables together.
    pub fn new(plan: Plan, places: u64, node_bytes: u64) -> Self {
        let groups = plan.layouts.iter().map(|layout| layout.groups.len() as u64).sum::<u64>();
        let places = places / groups.max(1);
        let codes = plan.layouts.into_iter().enumerate();
        Codes(codes.map(|(at, layout)| Coded::new(at, layout, places, node_bytes)).collect())
    }

    /// The codes for states of this shape.
    #[inline]
    pub fn for_shape_of(&self, state: StateRef<'_>) -> Option<&Coded> {
        let is_for = |coded: &&Coded| {
            coded.layout.len == state.bytes.len() && coded.layout.cuts == state.cuts
        };
        self.0.iter().find(is_for)
    }

    /// The codes that a root is made of, if it is.
    #[inline]
    pub fn of_root(&self, root: u64) -> Option<(usize, &Coded)> {
        let at = (root >> ROOT_BITS & 3) as usize;
        self.0.get(at).filter(|_| root & IS_CODED != 0).map(|coded| (at, coded))
    }

    pub fn get(&self, at: usize) -> Option<&Coded> {
        self.0.get(at)
    }

    /// Keys that have numbers.
    pub fn len(&self) -> u64 {
        self.0.iter().flat_map(|coded| &coded.groups).map(Table::len).sum()
    }
}

impl Coded {
    fn new(at: usize, layout: Layout, places: u64, node_bytes: u64) -> Self {
        let mut count = 0;
        let first_value = |field: &Field| {
            count += 1 << field.width;
            count - (1 << field.width)
        };
        let first_values: Box<[u32]> = layout.bytes.iter().map(first_value).collect();
        let spot = |at: &usize| {
            let field = &layout.bytes[*at];
            let (first_value, at) = (first_values[*at], *at as u16);
            // A byte without a bit never changes.
            let is_read = field.width > 0;
            is_read.then_some(Spot {
                first_value,
                at,
                shift: field.shift,
                mask: field.of(u64::MAX) as u8,
            })
        };
        let spots = layout.keys.iter().map(|key| key.bytes.iter().filter_map(spot).collect());
        let tables = layout.groups.iter().map(|field| {
            // Few shards for few numbers: with many, numbers are not dense.
            let shard_bits = u32::from(field.width).saturating_sub(14).min(8);
            let limit = (1u64 << field.width).min(places.saturating_mul(1 << shard_bits));
            Table::with_shards(shard_bits, limit, node_bytes)
        });
        let coded = Coded {
            tag: IS_CODED | (at as u64) << ROOT_BITS,
            codes: (0..layout.len * BYTES).map(|_| AtomicU64::new(NO_CODE)).collect(),
            values: (0..count).map(|_| AtomicU8::new(0)).collect(),
            spots: spots.collect(),
            first_values,
            counts: (0..layout.len).map(|_| AtomicU32::new(0)).collect(),
            lock: Lock::default(),
            groups: tables.collect(),
            first_owner: 1 + at as u32 * OWNERS,
            layout,
        };
        for (at, values) in coded.layout.values.iter().enumerate() {
            for value in values {
                coded.code(at, *value);
            }
        }
        coded
    }

    /// The number of keys that a state has: one for each group, and the root.
    pub fn keys(&self) -> usize {
        self.groups.len() + 1
    }

    /// The code of a value of a byte, where it belongs in the key, if there is one for it.
    #[inline]
    pub fn code(&self, at: usize, value: u8) -> Option<u64> {
        match self.codes[at * BYTES + value as usize].load(Acquire) {
            NO_CODE => self.new_code(at, value),
            code => Some(code),
        }
    }

    #[cold]
    fn new_code(&self, at: usize, value: u8) -> Option<u64> {
        let (cell, field) = (&self.codes[at * BYTES + value as usize], &self.layout.bytes[at]);
        let is_full = || self.counts[at].load(Acquire) >= 1 << field.width;
        // Once there are all, there will be no others: the lock is not needed to see that.
        if !is_full() {
            let _lock = self.lock.lock();
            if cell.load(Relaxed) == NO_CODE && !is_full() {
                let code = self.counts[at].load(Relaxed);
                self.values[self.first_values[at] as usize + code as usize].store(value, Relaxed);
                // Release: whoever knows the code can read its value.
                cell.store(u64::from(code) << field.shift, Release);
                self.counts[at].store(code + 1, Release);
            }
        }
        Some(cell.load(Acquire)).filter(|code| *code != NO_CODE)
    }

    /// The number of a group's key, if this thread knows it.
    #[inline]
    pub fn remembered(&self, memo: &Memo, group: usize, key: u64, hash: u64) -> Option<u32> {
        memo.get(self.first_owner + group as u32, key, hash)
    }

    /// The same for any key; `None` where it does not fit.
    pub fn look_up(
        &self,
        memo: &mut Memo,
        budget: &Budget,
        group: usize,
        key: u64,
        hash: u64,
    ) -> Result<Option<u32>, Full> {
        let table = &self.groups[group];
        let mut number = table.find(key, hash);
        if number.is_none() {
            number = match table.is_full(hash) {
                true => table.find(key, hash),
                false => match table.enter(key, hash, budget, || true) {
                    Ok((number, _)) => Some(number),
                    // Others were faster, and took the last one.
                    Err(_) if table.is_full(hash) => table.find(key, hash),
                    Err(full) => return Err(full),
                },
            };
        }
        if let Some(number) = number {
            memo.put(self.first_owner + group as u32, key, hash, number);
        }
        Ok(number)
    }

    pub fn prefetch(&self, group: usize, hash: u64) {
        self.groups[group].prefetch(hash);
    }

    pub fn prefetch_node(&self, group: usize, hash: u64) {
        self.groups[group].prefetch_node(hash);
    }

    /// Puts the number of a group to where it belongs.
    #[inline]
    pub fn put_number(&self, keys: &mut [u64], group: usize, number: u32) {
        let field = &self.layout.groups[group];
        field.put(keys, u64::from(number) << field.shift);
    }

    /// The root of a state with these keys.
    #[inline]
    pub fn root(&self, keys: &[u64]) -> u64 {
        self.tag | keys[self.groups.len()]
    }

    /// The root of a state of this shape; `None` where it does not fit.
    pub fn encode(
        &self,
        bytes: &[u8],
        keys: &mut Vec<u64>,
        memo: &mut Memo,
        budget: &Budget,
    ) -> Result<Option<u64>, Full> {
        keys.clear();
        keys.resize(self.keys(), 0);
        for (at, (value, field)) in bytes.iter().zip(&self.layout.bytes).enumerate() {
            let Some(code) = self.code(at, *value) else { return Ok(None) };
            field.put(keys, code);
        }
        for group in 0..self.groups.len() {
            let key = keys[group];
            let hash = hash(key);
            let number = match self.remembered(memo, group, key, hash) {
                Some(number) => Some(number),
                None => self.look_up(memo, budget, group, key, hash)?,
            };
            let Some(number) = number else { return Ok(None) };
            self.put_number(keys, group, number);
        }
        Ok(Some(self.root(keys)))
    }

    /// Makes `keys`, and `numbers`, which are those of the groups, those of the state with this root. They are those of another state
    /// of this shape, or of none where they are `fresh`.
    #[inline]
    pub fn decode_keys(&self, root: u64, fresh: bool, keys: &mut [u64], numbers: &mut [u32]) {
        keys[self.groups.len()] = root & ROOT_MASK;
        let groups = self.groups.iter().zip(&self.layout.groups).zip(numbers).enumerate();
        // What is above a group comes after it.
        for (at, ((group, field), number)) in groups.rev() {
            let now = field.of(keys[field.key as usize]) as u32;
            if *number != now || fresh {
                *number = now;
                keys[at] = group.get(now);
            }
        }
    }

    /// Makes `bytes` those of the state with these keys, which are those of the state whose keys are `shown`, or of none where they are `fresh`.
    #[inline]
    pub fn show(&self, keys: &[u64], fresh: bool, shown: &mut [u64], bytes: &mut [u8]) {
        if fresh {
            for (byte, first) in bytes.iter_mut().zip(&self.first_values) {
                *byte = self.values[*first as usize].load(Relaxed);
            }
        }
        for (at, (key, shown)) in keys.iter().zip(shown).enumerate() {
            let differs = if fresh { u64::MAX } else { *key ^ *shown };
            *shown = *key;
            if differs & self.layout.keys[at].byte_bits != 0 {
                // All of them: to find out which ones differ would take longer.
                for spot in &self.spots[at] {
                    let code = (key >> spot.shift) as u8 & spot.mask;
                    let value = &self.values[spot.first_value as usize + code as usize];
                    bytes[spot.at as usize] = value.load(Relaxed);
                }
            }
        }
    }

    /// Which bytes are the same in all states whose keys have none of the bits that this gives, with the number of the key that
    /// they are in. There is only one code for them, which is 0.
    pub fn fixed(&self, fixed: &mut Vec<bool>) -> Vec<(u8, u64)> {
        let mut constant = vec![0; self.keys()];
        fixed.clear();
        fixed.extend(self.layout.bytes.iter().zip(&self.counts).map(|(field, count)| {
            let is_constant = count.load(Acquire) == 1;
            constant[field.key as usize] |= if is_constant { field.mask } else { 0 };
            is_constant || field.width == 0
        }));
        let used = constant.into_iter().enumerate().filter(|(_, mask)| *mask != 0);
        used.map(|(key, mask)| (key as u8, mask)).collect()
    }
}
