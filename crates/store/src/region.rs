//! Address space that is reserved at once and becomes memory where it is touched.
//!
//! Nothing in it ever moves, so readers need no lock. This file and `bucket` hold all the `unsafe` there is.

use memmap2::{MmapMut, MmapOptions};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

/// A type of which all-zero bytes are a valid value, and that threads may share.
///
/// # Safety
/// Both must be true of the type, and its alignment must divide the size of a page.
pub(crate) unsafe trait Cell: Sync {}
// SAFETY: plain integers underneath, shared through atomic operations only.
unsafe impl Cell for AtomicU8 {}
// SAFETY: as above.
unsafe impl Cell for AtomicU32 {}
// SAFETY: as above.
unsafe impl Cell for AtomicU64 {}

/// Less than this is not worth a large page, most of which would be empty.
const LARGE: usize = 64 << 20;

/// A fixed array of zeroed cells.
pub(crate) struct Region<T> {
    /// Where the cells are, which is asked for all the time.
    first: NonNull<T>,
    len: usize,
    /// `None` where the system refused: the region has no cells then.
    _memory: Option<MmapMut>,
}

// SAFETY: the cells are shared through atomic operations only, and the mapping does not move.
unsafe impl<T: Cell> Send for Region<T> {}
// SAFETY: as above.
unsafe impl<T: Cell> Sync for Region<T> {}

impl<T: Cell> Region<T> {
    pub fn reserve(cells: usize) -> Self {
        let bytes = cells.checked_mul(size_of::<T>()).filter(|bytes| *bytes > 0);
        let mut memory =
            bytes.and_then(|bytes| MmapOptions::new().len(bytes).no_reserve_swap().map_anon().ok());
        let first = memory.as_mut().and_then(|memory| NonNull::new(memory.as_mut_ptr().cast()));
        if let Some(memory) = memory.as_ref().filter(|memory| memory.len() >= LARGE) {
            // Random access to gigabytes: large pages save a miss in the page tables each time.
            // Only a hint, so a refusal changes nothing.
            #[cfg(target_os = "linux")]
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        let len = first.map_or(0, |_| cells);
        Region { first: first.unwrap_or(NonNull::dangling()), len, _memory: memory }
    }

    #[inline]
    pub fn cells(&self) -> &[T] {
        // SAFETY: the mapping is page-aligned, zeroed, at least that many cells long, lives as long
        // as `self`, and is only ever seen as cells, which are valid in any state and shareable.
        // Without one there are none.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Asks for the cell to be in the cache soon.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        prefetch(self.cells(), index);
    }
}

/// Asks for one of many to be in the cache soon.
#[inline]
pub(crate) fn prefetch<T>(all: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(one) = all.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; the address is that of something alive.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(one).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, index);
}

/// The same for one that will be written: another core has to give it away.
#[inline]
pub(crate) fn prefetch_to_write<T>(all: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(one) = all.get(index) {
        // The compiler takes another instruction unless it knows that the processor has this one: on one that has not, it does nothing.
        // SAFETY: a hint; the address is that of something alive.
        unsafe {
            std::arch::asm!("prefetchw [{}]", in(reg) std::ptr::from_ref(one), options(nostack, readonly, preserves_flags));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, index);
}
