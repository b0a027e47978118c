//! Finding the numbers of nodes, through a small cache of one's own.

use crate::budget::{Budget, Full};
use crate::hash::hash;
use crate::table::Table;

/// The numbers of the nodes that one thread used last, in its nearest cache. Most nodes of a
/// successor were just those of another one.
#[derive(Debug)]
pub(crate) struct Memo(Box<[Known; Memo::ENTRIES]>);

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: u64,
    /// The table that it is about, plus one; zero in an entry that was never used.
    owner: u32,
    number: u32,
}

impl Memo {
    const ENTRIES: usize = 16384;

    #[inline]
    fn place(owner: u32, hash: u64) -> usize {
        ((hash >> 16) as usize).wrapping_add(owner as usize * 1223) % Self::ENTRIES
    }

    /// The number of a node that was met lately.
    #[inline]
    pub fn get(&self, owner: u32, key: u64, hash: u64) -> Option<u32> {
        let known = &self.0[Self::place(owner, hash)];
        (known.key == key && known.owner == owner + 1).then_some(known.number)
    }

    #[inline]
    pub fn put(&mut self, owner: u32, key: u64, hash: u64, number: u32) {
        self.0[Self::place(owner, hash)] = Known { key, owner: owner + 1, number };
    }
}

impl Default for Memo {
    fn default() -> Self {
        let entries = vec![Known::default(); Self::ENTRIES].into_boxed_slice();
        Memo(entries.try_into().unwrap_or_else(|_| unreachable!("there are as many as that")))
    }
}

/// The table of the nodes of trees.
const TREES: u32 = 0;

/// Finds the numbers of nodes, and gives numbers to those that have none.
pub(crate) struct Nodes<'a> {
    pub table: &'a Table,
    pub budget: &'a Budget,
    pub memo: &'a mut Memo,
}

#[inline]
pub(crate) fn pair(left: u32, right: u32) -> u64 {
    (left as u64) << 32 | right as u64
}

#[inline]
pub(crate) fn unpair(node: u64) -> (u32, u32) {
    ((node >> 32) as u32, node as u32)
}

impl Nodes<'_> {
    #[inline(always)]
    pub fn number(&mut self, left: u32, right: u32) -> Result<u32, Full> {
        let key = pair(left, right);
        let hash = hash(key);
        if let Some(number) = self.memo.get(TREES, key, hash) {
            return Ok(number);
        }
        self.look_up(key, hash)
    }

    /// The number of a node that was met lately, or else its hash; then memory is asked for, to look it up.
    #[inline]
    pub fn known_or_prefetch(&self, key: u64) -> Result<u32, u64> {
        let hash = hash(key);
        self.memo.get(TREES, key, hash).ok_or_else(|| {
            self.table.prefetch(hash);
            hash
        })
    }

    /// The number of a node that was not met lately.
    #[inline(never)]
    pub fn look_up(&mut self, key: u64, hash: u64) -> Result<u32, Full> {
        let number = match self.table.find(key, hash) {
            Some(number) => number,
            None => self.table.enter(key, hash, self.budget, || true)?.0,
        };
        self.memo.put(TREES, key, hash, number);
        Ok(number)
    }

    /// The number of a row of words, of which there is at least one.
    pub fn number_row(&mut self, row: &[u32]) -> Result<u32, Full> {
        if let [word] = row {
            return Ok(*word);
        }
        let (left, right) = row.split_at(row.len() / 2);
        let (left, right) = (self.number_row(left)?, self.number_row(right)?);
        self.number(left, right)
    }
}

/// The `len` words of the row with this number.
pub(crate) fn read_row(table: &Table, number: u32, len: usize, row: &mut Vec<u32>) {
    if len == 1 {
        return row.push(number);
    }
    let (left, right) = unpair(table.get(number));
    read_row(table, left, len / 2, row);
    read_row(table, right, len - len / 2, row);
}
