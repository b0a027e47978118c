//! Trees of nodes over rows of 32-bit leaves.
//!
//! A tree is kept flat: its leaves, then each level of pairs above them. The last of an odd row
//! has no partner and moves up as it is. Folding goes up, unfolding down, and both follow only
//! the paths on which something differs.

use crate::budget::{Budget, Full};
use crate::table::{Table, hash};

/// A position in a row, and the value there.
pub(crate) type Entry = (u32, u32);

/// The numbers of the nodes that one thread used last, in its nearest cache. Most nodes of a
/// successor were just those of another one.
#[derive(Debug)]
pub(crate) struct Memo(Box<[Known]>);

/// `next` is the number plus one, and zero in an entry that was never used.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: u64,
    next: u64,
}

impl Memo {
    const ENTRIES: usize = 1024;

    #[inline]
    fn entry(&mut self, hash: u64) -> &mut Known {
        &mut self.0[(hash >> 16) as usize % Self::ENTRIES]
    }
}

impl Default for Memo {
    fn default() -> Self {
        Memo(vec![Known::default(); Self::ENTRIES].into())
    }
}

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
    #[inline]
    pub fn number(&mut self, left: u32, right: u32) -> Result<u32, Full> {
        let key = pair(left, right);
        let hash = hash(key);
        let known = self.memo.entry(hash);
        if known.key == key && known.next != 0 {
            return Ok((known.next - 1) as u32);
        }
        let number = match self.table.find(key, hash) {
            Some(number) => number,
            None => self.table.enter(key, hash, self.budget, || true)?.0,
        };
        *known = Known { key, next: number as u64 + 1 };
        Ok(number)
    }

    /// Folds a tree over `leaves` leaves up to a row of at most `top`. `dirty` holds the leaves
    /// that differ from those in `near` (or all of them), in ascending order, and then the
    /// values of the top row that do.
    pub fn fold(
        &mut self,
        dirty: &mut Vec<Entry>,
        near: &[u32],
        leaves: usize,
        top: usize,
    ) -> Result<(), Full> {
        let (mut row, mut len) = (0, leaves);
        while len > top && !dirty.is_empty() {
            let left = self.fold_row(dirty, near.get(row..).unwrap_or(&[]), len)?;
            dirty.truncate(left);
            row += len;
            len = len.div_ceil(2);
        }
        Ok(())
    }

    /// Folds a row of `len` into the one above it; `dirty` then begins with what differs there.
    /// Gives how many that are.
    #[inline]
    pub fn fold_row(
        &mut self,
        dirty: &mut [Entry],
        near: &[u32],
        len: usize,
    ) -> Result<usize, Full> {
        let (mut from, mut to) = (0, 0);
        while from < dirty.len() {
            let at = dirty[from].0;
            let (above, taken) = above(&dirty[from..], near, len);
            let folded = match above {
                Above::Node(left, right) => self.number(left, right)?,
                Above::Same(value) => value,
            };
            from += taken;
            dirty[to] = (at / 2, folded);
            to += 1;
        }
        Ok(to)
    }

    /// Sends for the memory that `fold_row` is going to look at: first its buckets, then, once
    /// these are there, its nodes. Only a hint.
    #[inline]
    pub fn announce_row(&self, dirty: &[Entry], near: &[u32], len: usize, stage: Stage) {
        let mut from = 0;
        while from < dirty.len() {
            let (above, taken) = above(&dirty[from..], near, len);
            if let Above::Node(left, right) = above {
                let hash = hash(pair(left, right));
                match stage {
                    Stage::Buckets => self.table.prefetch(hash),
                    Stage::Nodes => self.table.prefetch_node(hash),
                }
            }
            from += taken;
        }
    }
}

/// What is to be sent for.
#[derive(Clone, Copy)]
pub(crate) enum Stage {
    Buckets,
    Nodes,
}

/// What stands above an entry in the next row.
enum Above {
    Node(u32, u32),
    /// The last of an odd row moves up as it is.
    Same(u32),
}

/// What stands above the first entry, and how many entries that takes.
#[inline]
fn above(dirty: &[Entry], near: &[u32], len: usize) -> (Above, usize) {
    let (at, value) = dirty[0];
    let partner = at ^ 1;
    let next = dirty.get(1).filter(|next| next.0 == partner);
    match (at & 1 == 0, next) {
        (false, _) => (Above::Node(near[partner as usize], value), 1),
        (true, Some(next)) => (Above::Node(value, next.1), 2),
        (true, None) if partner as usize == len => (Above::Same(value), 1),
        (true, None) => (Above::Node(value, near[partner as usize]), 1),
    }
}

/// The number of nodes in a flat tree.
pub(crate) fn size(leaves: usize, top: usize) -> usize {
    let (mut size, mut len) = (leaves, leaves);
    while len > top {
        len = len.div_ceil(2);
        size += len;
    }
    size
}

/// Row by row down a flat tree `flat`, whose leaves are `leaves`. `changed` holds entries for the
/// top row, and then those leaves that differ from what was there (all of them if `fresh`).
pub(crate) fn unfold(
    table: &Table,
    flat: &mut [u32],
    (leaves, top): (usize, usize),
    fresh: bool,
    changed: &mut Vec<Entry>,
    spare: &mut Vec<Entry>,
) {
    let mut rows = Rows::of(leaves, top);
    let (mut row, _) = rows.pop();
    changed.retain(|&(at, value)| replace(&mut flat[row + at as usize], value) || fresh);
    while row > 0 && !changed.is_empty() {
        let (below, len) = rows.pop();
        spare.clear();
        for &(at, value) in changed.iter() {
            let child = 2 * at as usize;
            let paired = child + 1 < len;
            let (left, right) = if paired { unpair(table.get(value)) } else { (value, 0) };
            if replace(&mut flat[below + child], left) || fresh {
                spare.push((child as u32, left));
            }
            if paired && (replace(&mut flat[below + child + 1], right) || fresh) {
                spare.push((child as u32 + 1, right));
            }
        }
        std::mem::swap(changed, spare);
        row = below;
    }
}

#[inline]
fn replace(cell: &mut u32, value: u32) -> bool {
    std::mem::replace(cell, value) != value
}

/// The beginnings and lengths of a flat tree's rows, the top row first.
struct Rows {
    rows: [(usize, usize); 33],
    count: usize,
}

impl Rows {
    fn of(leaves: usize, top: usize) -> Self {
        let mut rows = Rows { rows: [(0, 0); 33], count: 1 };
        rows.rows[0] = (0, leaves);
        while rows.rows[rows.count - 1].1 > top {
            let (row, len) = rows.rows[rows.count - 1];
            rows.rows[rows.count] = (row + len, len.div_ceil(2));
            rows.count += 1;
        }
        rows
    }

    fn pop(&mut self) -> (usize, usize) {
        self.count -= 1;
        self.rows[self.count]
    }
}
