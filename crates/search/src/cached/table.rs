//! A given number of bytes for states: when they are used up, states that may be replaced make room for others.
//!
//! Memory is a pool of small blocks, and a state a chain of them: whatever is replaced makes room for any other state, however
//! long. The first block of a chain has what is known of the state beside its bytes. States are found by chains, too, one for
//! each value of a few bits of their hash: what is replaced can be anywhere, and leaves no hole behind.
//!
//! Those that may be replaced stand in a queue, the one that has waited for the longest time in front. (That is the
//! "round-robin" of the literature, but none has to be passed over.)

use xxhash_rust::xxh3::xxh3_64;

/// No block: also the greatest number that fits beside [`REPLACEABLE`].
const NONE: u32 = u32::MAX >> 1;
const REPLACEABLE: u32 = 1 << 31;

/// Blocks that are allocated together: what was allocated never moves.
const PAGE: usize = 1 << 12;

const BLOCK: usize = size_of::<Block>();
/// What a block has room for, and how much of that the first one of a state needs for itself.
const ROOM: usize = 28;
const HEADER: usize = 16;

struct Block {
    /// The next one of the same state, or of those that are free.
    next: u32,
    data: [u8; ROOM],
}

/// The words of a header.
#[derive(Clone, Copy)]
enum Field {
    Hash,
    /// The next state in the same bucket.
    Chain,
    /// How many bytes it has.
    Len,
    /// Its place, as the search has set it; or [`REPLACEABLE`] and the next one in the queue.
    Mark,
}

/// A state: its first block. Good for as long as it is not replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

/// There is nothing left that may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// The hash of a state that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Missing(u32);

pub(super) struct Table {
    pages: Vec<Vec<Block>>,
    /// How many there are in all pages, and how many there may be.
    blocks: usize,
    most_blocks: usize,
    free: u32,
    free_blocks: usize,
    /// The first state of each bucket. Their number is a power of two, and grows with the states; there is room for `most_buckets`.
    buckets: Vec<u32>,
    most_buckets: usize,
    oldest: u32,
    newest: u32,
    states: u64,
    replaced: u64,
}

impl Table {
    const FEWEST_BUCKETS: usize = 16;
    /// So many bytes for each bucket.
    const BYTES_PER_BUCKET: usize = 64;

    /// Takes so many bytes at most.
    pub fn new(bytes: u64) -> Self {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let wanted = (bytes / Self::BYTES_PER_BUCKET).clamp(Self::FEWEST_BUCKETS, 1 << 31);
        let most_buckets = 1 << wanted.ilog2();
        let mut buckets = Vec::new();
        // Memory that is never looked at costs nothing.
        let has_room = buckets.try_reserve_exact(most_buckets).is_ok();
        buckets.resize(Self::FEWEST_BUCKETS, NONE);
        let for_blocks = bytes.saturating_sub(most_buckets * size_of::<u32>());
        let most_blocks = if has_room { (for_blocks / BLOCK).min(NONE as usize) } else { 0 };
        Table {
            pages: Vec::new(),
            blocks: 0,
            most_blocks,
            free: NONE,
            free_blocks: 0,
            buckets,
            most_buckets,
            oldest: NONE,
            newest: NONE,
            states: 0,
            replaced: 0,
        }
    }

    /// How many there are now.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How many had to go.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    pub fn find(&self, state: &[u8]) -> Result<Slot, Missing> {
        self.find_hashed(state, xxh3_64(state) as u32)
    }

    pub(super) fn find_hashed(&self, state: &[u8], hash: u32) -> Result<Slot, Missing> {
        let mut at = self.buckets[self.bucket(hash)];
        while at != NONE {
            if self.get(at, Field::Hash) == hash && self.has_bytes(at, state) {
                return Ok(Slot(at));
            }
            at = self.get(at, Field::Chain);
        }
        Err(Missing(hash))
    }

    /// Enters a state that was not found. It stays until it is released.
    pub fn insert(&mut self, state: &[u8], Missing(hash): Missing) -> Result<Slot, Full> {
        let len = u32::try_from(state.len()).map_err(|_| Full)?;
        let blocks = blocks_for(state.len());
        while self.free_blocks + self.most_blocks - self.blocks < blocks {
            self.replace()?;
        }
        let first = self.write(state)?;
        let bucket = self.bucket(hash);
        self.set(first, Field::Hash, hash);
        self.set(first, Field::Chain, self.buckets[bucket]);
        self.set(first, Field::Len, len);
        self.set(first, Field::Mark, 0);
        self.buckets[bucket] = first;
        self.states += 1;
        if self.states > self.buckets.len() as u64 && self.buckets.len() < self.most_buckets {
            self.widen();
        }
        Ok(Slot(first))
    }

    /// Appends the bytes of a state.
    pub fn read(&self, Slot(first): Slot, out: &mut Vec<u8>) {
        self.pieces(first).for_each(|piece| out.extend_from_slice(piece));
    }

    /// The place that was set last; `None` if it may be replaced.
    pub fn place(&self, Slot(first): Slot) -> Option<u32> {
        let mark = self.get(first, Field::Mark);
        (mark & REPLACEABLE == 0).then_some(mark)
    }

    /// For a state that must not be replaced; less than 2^31.
    pub fn set_place(&mut self, Slot(first): Slot, place: u32) {
        debug_assert!(place < REPLACEABLE && self.place(Slot(first)).is_some());
        self.set(first, Field::Mark, place);
    }

    /// From now on a state may be replaced.
    pub fn release(&mut self, Slot(first): Slot) {
        debug_assert!(self.place(Slot(first)).is_some(), "it is in the queue already");
        self.set(first, Field::Mark, REPLACEABLE | NONE);
        match self.newest {
            NONE => self.oldest = first,
            last => self.set(last, Field::Mark, REPLACEABLE | first),
        }
        self.newest = first;
    }

    /// Forgets the state at the front of the queue.
    fn replace(&mut self) -> Result<(), Full> {
        let first = self.oldest;
        if first == NONE {
            return Err(Full);
        }
        self.oldest = self.get(first, Field::Mark) & !REPLACEABLE;
        if self.oldest == NONE {
            self.newest = NONE;
        }
        self.unlink(first);
        self.states -= 1;
        self.replaced += 1;
        let blocks = blocks_for(self.get(first, Field::Len) as usize);
        let last = (1..blocks).fold(first, |at, _| self.block(at).next);
        self.block_mut(last).next = self.free;
        self.free = first;
        self.free_blocks += blocks;
        Ok(())
    }

    /// Takes a state out of its bucket.
    fn unlink(&mut self, first: u32) {
        let after = self.get(first, Field::Chain);
        let bucket = self.bucket(self.get(first, Field::Hash));
        if self.buckets[bucket] == first {
            self.buckets[bucket] = after;
            return;
        }
        let mut before = self.buckets[bucket];
        while self.get(before, Field::Chain) != first {
            before = self.get(before, Field::Chain);
        }
        self.set(before, Field::Chain, after);
    }

    /// Twice as many buckets: each one is divided.
    fn widen(&mut self) {
        let before = self.buckets.len();
        self.buckets.resize(2 * before, NONE);
        for bucket in 0..before {
            let mut at = std::mem::replace(&mut self.buckets[bucket], NONE);
            while at != NONE {
                let after = self.get(at, Field::Chain);
                let bucket = self.bucket(self.get(at, Field::Hash));
                self.set(at, Field::Chain, self.buckets[bucket]);
                self.buckets[bucket] = at;
                at = after;
            }
        }
    }

    /// Bytes that are in use.
    #[cfg(test)]
    pub(super) fn used(&self) -> usize {
        self.blocks * BLOCK + self.buckets.len() * size_of::<u32>()
    }

    fn bucket(&self, hash: u32) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    /// Puts the bytes of a state into a chain of blocks.
    fn write(&mut self, state: &[u8]) -> Result<u32, Full> {
        let (head, tail) = state.split_at(state.len().min(ROOM - HEADER));
        let first = self.take()?;
        self.block_mut(first).data[HEADER..][..head.len()].copy_from_slice(head);
        let mut last = first;
        for piece in tail.chunks(ROOM) {
            let next = self.take()?;
            self.block_mut(next).data[..piece.len()].copy_from_slice(piece);
            self.block_mut(last).next = next;
            last = next;
        }
        Ok(first)
    }

    /// A block that is free, or a new one.
    fn take(&mut self) -> Result<u32, Full> {
        if self.free != NONE {
            let block = self.free;
            self.free = self.block(block).next;
            self.free_blocks -= 1;
            return Ok(block);
        }
        if self.blocks.is_multiple_of(PAGE) {
            let mut page = Vec::new();
            page.try_reserve_exact(PAGE.min(self.most_blocks - self.blocks)).map_err(|_| Full)?;
            self.pages.push(page);
        }
        let page = self.pages.last_mut().ok_or(Full)?;
        page.push(Block { next: NONE, data: [0; ROOM] });
        self.blocks += 1;
        Ok(self.blocks as u32 - 1)
    }

    /// The bytes of a state, block by block.
    fn pieces(&self, first: u32) -> impl Iterator<Item = &[u8]> {
        let mut left = self.get(first, Field::Len) as usize;
        let (mut at, mut skip) = (first, HEADER);
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let block = self.block(at);
            let piece = &block.data[skip..];
            let piece = &piece[..piece.len().min(left)];
            (at, skip, left) = (block.next, 0, left - piece.len());
            Some(piece)
        })
    }

    fn has_bytes(&self, first: u32, state: &[u8]) -> bool {
        let mut rest = state;
        self.get(first, Field::Len) as usize == state.len()
            && self.pieces(first).all(|piece| {
                let (expected, after) = rest.split_at(piece.len());
                rest = after;
                piece == expected
            })
    }

    fn block(&self, number: u32) -> &Block {
        &self.pages[number as usize / PAGE][number as usize % PAGE]
    }

    fn block_mut(&mut self, number: u32) -> &mut Block {
        &mut self.pages[number as usize / PAGE][number as usize % PAGE]
    }

    fn get(&self, first: u32, field: Field) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(&self.block(first).data[4 * field as usize..][..4]);
        u32::from_ne_bytes(word)
    }

    fn set(&mut self, first: u32, field: Field, value: u32) {
        let word = value.to_ne_bytes();
        self.block_mut(first).data[4 * field as usize..][..4].copy_from_slice(&word);
    }
}

fn blocks_for(len: usize) -> usize {
    1 + len.saturating_sub(ROOM - HEADER).div_ceil(ROOM)
}
