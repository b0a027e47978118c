//! Address space that is reserved at once and becomes memory where it is touched.
//!
//! Nothing in it ever moves, so readers need no lock. This file and `bucket` hold all the `unsafe` there is.

use memmap2::{MmapMut, MmapOptions};
use std::marker::PhantomData;
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

/// A fixed array of zeroed cells.
pub(crate) struct Region<T> {
    /// `None` where the system refused: the region has no cells then.
    memory: Option<MmapMut>,
    cells: PhantomData<T>,
}

impl<T: Cell> Region<T> {
    pub fn reserve(cells: usize) -> Self {
        let bytes = cells.checked_mul(size_of::<T>()).filter(|bytes| *bytes > 0);
        let memory =
            bytes.and_then(|bytes| MmapOptions::new().len(bytes).no_reserve_swap().map_anon().ok());
        if let Some(memory) = &memory {
            // Random access to gigabytes: large pages save a miss in the page tables each time.
            // Only a hint, so a refusal changes nothing.
            #[cfg(target_os = "linux")]
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Region { memory, cells: PhantomData }
    }

    #[inline]
    pub fn cells(&self) -> &[T] {
        let Some(memory) = &self.memory else { return &[] };
        // SAFETY: the mapping is page-aligned, zeroed, that many bytes long, lives as long as
        // `self`, and is only ever seen as cells, which are valid in any state and shareable.
        unsafe { std::slice::from_raw_parts(memory.as_ptr().cast(), memory.len() / size_of::<T>()) }
    }

    pub fn len(&self) -> usize {
        self.cells().len()
    }

    /// Asks for the cell to be in the cache soon.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cell) = self.cells().get(index) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a hint; the address is that of a live cell.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cell).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}
