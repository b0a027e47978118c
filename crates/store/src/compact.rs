//! Hash compaction: only a 64-bit fingerprint of each state is kept.

use crate::budget::{Bounds, Budget, Full, Quota};
use crate::region::Region;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use xxhash_rust::xxh3::xxh3_64;

const SHARDS: usize = 256;
/// Cells of one shard that lie together: 4 KiB.
const PAGE: usize = 512;
const PAGE_BYTES: u64 = (PAGE * size_of::<u64>()) as u64;

/// A growing set of fingerprints, divided into shards by their upper bits. A lookup takes no lock;
/// a miss does, and a full shard grows in place.
pub struct Compact {
    cells: Region<AtomicU64>,
    shards: Box<[Shard]>,
    budget: Budget,
    quota: Quota,
}

#[derive(Default)]
#[repr(align(64))]
struct Shard {
    cells: AtomicU32,
    len: AtomicU32,
    /// Working memory for growing.
    lock: Mutex<()>,
}

enum Probe {
    Found,
    /// The position of a free cell.
    Free(usize),
    Nothing,
}

#[inline]
fn position(shard: usize, cell: u32) -> usize {
    let cell = cell as usize;
    (cell / PAGE * SHARDS + shard) * PAGE + cell % PAGE
}

impl Compact {
    pub fn new(bounds: Bounds) -> Self {
        let bytes = bounds.memory.saturating_mul(2).min(bounds.address_space);
        let mut pages = bytes.min(1 << 46) / (SHARDS as u64 * PAGE_BYTES) + 2;
        loop {
            let cells = Region::reserve(pages as usize * SHARDS * PAGE);
            if cells.len() > 0 || pages == 0 {
                let shards = (0..SHARDS).map(|_| Shard::default()).collect();
                let (budget, quota) = (Budget::new(bounds.memory), Quota::new(bounds.states));
                return Compact { cells, shards, budget, quota };
            }
            pages /= 2;
        }
    }

    pub fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len.load(Relaxed) as u64).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.budget.used()
    }

    /// The probability that two of the states have the same fingerprint, and one was missed.
    pub fn loss(&self) -> f64 {
        let states = self.len() as f64;
        -(-states * (states - 1.0).max(0.0) / 2f64.powi(65)).exp_m1()
    }

    /// Whether the state is new.
    pub fn insert(&self, bytes: &[u8]) -> Result<bool, Full> {
        // Zero marks a free cell.
        self.insert_fingerprint(xxh3_64(bytes).max(1))
    }

    fn insert_fingerprint(&self, print: u64) -> Result<bool, Full> {
        let at = (print >> 56) as usize;
        if let Probe::Found = self.probe(at, print) {
            return Ok(false);
        }
        let shard = &self.shards[at];
        let _lock = shard.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Probe::Found = self.probe(at, print) {
            return Ok(false);
        }
        if shard.len.load(Relaxed) as u64 >= shard.cells.load(Relaxed) as u64 * 85 / 100 {
            self.grow(at)?;
        }
        let Probe::Free(cell) = self.probe(at, print) else { return Err(Full::Memory) };
        if !self.quota.admit() {
            return Err(Full::States);
        }
        self.cells.cells()[cell].store(print, Relaxed);
        shard.len.fetch_add(1, Relaxed);
        Ok(true)
    }

    #[inline]
    fn probe(&self, shard: usize, print: u64) -> Probe {
        let count = self.shards[shard].cells.load(Relaxed);
        let mut cell = home(print, count);
        for _ in 0..count {
            let position = position(shard, cell);
            match self.cells.cells()[position].load(Relaxed) {
                0 => return Probe::Free(position),
                found if found == print => return Probe::Found,
                _ => cell = if cell + 1 == count { 0 } else { cell + 1 },
            }
        }
        Probe::Nothing
    }

    /// Takes all prints of a shard out and puts them back among more cells. Who looks meanwhile
    /// finds nothing, and waits for the lock.
    #[cold]
    fn grow(&self, shard: usize) -> Result<(), Full> {
        let old = self.shards[shard].cells.load(Relaxed);
        let new = larger(old, shard).ok_or(Full::Memory)?;
        let pages = |cells: u32| (cells as usize).div_ceil(PAGE) as u64;
        let fits = position(shard, new - 1) < self.cells.len();
        if !fits || !self.budget.take((pages(new) - pages(old)) * PAGE_BYTES) {
            return Err(Full::Memory);
        }
        let prints =
            (0..old).map(|cell| self.cells.cells()[position(shard, cell)].swap(0, Relaxed));
        let prints: Vec<u64> = prints.filter(|print| *print != 0).collect();
        self.shards[shard].cells.store(new, Relaxed);
        for print in prints {
            if let Probe::Free(cell) = self.probe(shard, print) {
                self.cells.cells()[cell].store(print, Relaxed);
            }
        }
        Ok(())
    }
}

/// The lower 56 bits decide within a shard.
#[inline]
fn home(print: u64, count: u32) -> u32 {
    (((print & (u64::MAX >> 8)) as u128 * count as u128) >> 56) as u32
}

/// The first growth differs from shard to shard: later ones then do not come all at once.
fn larger(cells: u32, shard: usize) -> Option<u32> {
    match cells as usize {
        0 => Some(PAGE as u32),
        PAGE => Some((PAGE + 1 + PAGE * shard * 3 / (SHARDS * 10)) as u32),
        _ => u32::try_from(cells as u64 * 13 / 10).ok(),
    }
}
