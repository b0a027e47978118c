//! A shard that is full is rebuilt with more buckets.

use super::slot::Size;
use super::{PAGE, Place, Set, WORDS};
use crate::budget::{Budget, Full};
use std::sync::atomic::Ordering::{Relaxed, Release};
use std::sync::atomic::fence;

/// Buckets that are asked for ahead, where one after the other is gone through.
const AHEAD: u32 = 12;

/// What moves when a shard grows: where it goes, and what is stored there.
pub(super) struct Entry {
    place: Place,
    word: u64,
    /// As in a shard of the old size.
    link: u64,
}

impl Set {
    /// Puts the shard's hashes among more buckets. Its lock is held.
    #[cold]
    pub(super) fn grow(&self, shard: usize, len: u64, budget: &Budget) -> Result<(), Full> {
        let old = self.size(shard);
        let mut new = self.layout.larger(old, shard).ok_or(Full::Memory)?;
        let mut all = std::mem::take(&mut *self.room.lock());
        // What is in it has moved. Otherwise it would get room for that, too.
        all.clear();
        all.try_reserve_exact(len as usize).map_err(|_| Full::Memory)?;
        loop {
            if self.first_word(shard, new.buckets() - 1) + WORDS > self.words.len() {
                return Err(Full::Memory);
            }
            if self.find_places(shard, new, &mut all)? {
                break;
            }
            new = self.layout.larger(new, shard).ok_or(Full::Memory)?;
        }
        let pages = |size: Size| (size.buckets() as usize).div_ceil(PAGE) as u64;
        let page_bytes = (PAGE * WORDS * size_of::<u64>()) as u64;
        if !budget.take((pages(new) - pages(old)) * page_bytes) {
            return Err(Full::Memory);
        }
        // From here on, nobody takes anything in the shard for what it was.
        self.sizes[shard].store(Size::NONE.word(), Relaxed);
        fence(Release);
        for bucket in 0..old.buckets() {
            self.bucket(shard, bucket).iter().for_each(|cell| cell.store(0, Relaxed));
        }
        let has_links = self.layout.link_bits.is_some() && old != Size::NONE;
        let more_bits = if has_links { self.link_bits(new) - self.link_bits(old) } else { 0 };
        for Entry { place, word, link } in &all {
            self.put(shard, *place, *word, link << more_bits);
        }
        self.sizes[shard].store(new.word(), Release);
        *self.room.lock() = all;
        Ok(())
    }

    /// Gets the memory that a shard will soon grow into, which may take milliseconds if it is the first one there. Later, all others would have to wait
    /// that long for a shard that is locked.
    #[cold]
    pub(super) fn touch_more(&self, shard: usize) {
        /// Of a large page. Where there are none, this does nothing much.
        const STEP: usize = (2 << 20) / size_of::<u64>();
        let Some(new) = self.layout.larger(self.size(shard), shard) else { return };
        let rows = new.buckets().div_ceil(PAGE as u32);
        let touched = self.touched_rows.fetch_max(rows, Relaxed);
        let first_word = |row: u32| self.first_word(0, row * PAGE as u32);
        for word in (first_word(touched)..first_word(rows.max(touched))).step_by(STEP) {
            let Some(cell) = self.words.cells().get(word) else { return };
            // It is written as it is: reading would not be enough, and what only seems to write is made a read by the compiler.
            let _ = cell.compare_exchange(0, 0, Relaxed, Relaxed);
        }
    }

    /// Finds a place for each hash of a shard if it had another size; whether there is one for all. Nothing is written yet.
    fn find_places(&self, shard: usize, new: Size, all: &mut Vec<Entry>) -> Result<bool, Full> {
        let (old, slots) = (self.size(shard), self.layout.slots() as u8);
        let has_links = self.layout.link_bits.is_some();
        // How many slots of each bucket are taken.
        let mut taken: Vec<u8> = Vec::new();
        taken.try_reserve_exact(new.buckets() as usize).map_err(|_| Full::Memory)?;
        taken.resize(new.buckets() as usize, 0);
        all.clear();
        for from in 0..old.buckets() {
            // Memory that is not in one piece is not foreseen by the processor.
            self.words.prefetch(self.first_word(shard, from + AHEAD));
            for (slot, cell) in (0..).zip(self.slots(shard, from)) {
                let word = cell.load(Relaxed);
                if word == 0 {
                    break;
                }
                let spot = self.form.spot(self.hash_in(shard, from, word, old), new);
                let (mut bucket, mut distance) = (spot.home, 0);
                while taken[bucket as usize] == slots {
                    (bucket, distance) = (spot.next(bucket), distance + 1);
                    if distance == self.form.farthest() {
                        return Ok(false);
                    }
                }
                let place = Place { bucket: from, slot, distance: 0 };
                let link = if has_links { self.link_in(shard, place, word, old) } else { 0 };
                all.push(Entry {
                    place: Place { bucket, slot: taken[bucket as usize], distance },
                    word: spot.word_at(distance) | word & self.form.mark(),
                    link,
                });
                taken[bucket as usize] += 1;
            }
        }
        Ok(true)
    }
}
