//! Values beside the numbers of states that threads share.

use super::graph::{Bits, Halted};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::SeqCst};

/// Cells of a page, and pages of a book: small enough that a small graph costs little, and few
/// enough books that all of them are there from the beginning.
const PAGE: usize = 1 << 14;
const BOOK: usize = 1 << 9;

type Lazy<T> = OnceLock<Box<[T]>>;

/// A cell for each number. They grow without a lock, for nothing in them moves.
pub(crate) struct Atoms<A> {
    books: Vec<Lazy<Lazy<A>>>,
}

/// What can be in a cell; all are zero in the beginning.
pub(crate) trait Cell: Default {
    type Value: Copy + Default + PartialEq;
    fn value(&self) -> Self::Value;
}

impl Cell for AtomicU8 {
    type Value = u8;

    #[inline]
    fn value(&self) -> u8 {
        self.load(SeqCst)
    }
}

impl Cell for AtomicU32 {
    type Value = u32;

    #[inline]
    fn value(&self) -> u32 {
        self.load(SeqCst)
    }
}

impl<A: Cell> Atoms<A> {
    pub fn new() -> Self {
        let books = u32::MAX as usize / (PAGE * BOOK) + 1;
        Atoms { books: (0..books).map(|_| OnceLock::new()).collect() }
    }

    #[inline]
    pub fn get(&self, id: u32) -> A::Value {
        let (page, at) = (id as usize / PAGE, id as usize % PAGE);
        let cells = self.books[page / BOOK].get().and_then(|book| book[page % BOOK].get());
        cells.map_or(A::Value::default(), |cells| cells[at].value())
    }

    /// The cell of a number, to be written to.
    #[inline]
    pub fn cell(&self, id: u32) -> Result<&A, Halted> {
        let (page, at) = (id as usize / PAGE, id as usize % PAGE);
        let book = open(&self.books[page / BOOK], BOOK)?;
        Ok(&open(&book[page % BOOK], PAGE)?[at])
    }

    /// The numbers whose cell is not zero.
    pub fn used(&self) -> impl Iterator<Item = (u32, &A)> {
        let opened = self.books.iter().enumerate().filter_map(|(at, book)| Some((at, book.get()?)));
        let pages = opened.flat_map(|(book, pages)| {
            let pages = pages.iter().enumerate();
            pages.filter_map(move |(at, page)| Some((book * BOOK + at, page.get()?)))
        });
        let all = pages.flat_map(|(page, cells)| {
            cells.iter().enumerate().map(move |(at, cell)| ((page * PAGE + at) as u32, cell))
        });
        all.filter(|(_, cell)| cell.value() != A::Value::default())
    }

    /// The same as a set.
    pub fn marked(&self) -> Bits {
        self.used().map(|(id, _)| id).collect()
    }
}

#[inline]
fn open<T: Default>(lazy: &Lazy<T>, size: usize) -> Result<&[T], Halted> {
    match lazy.get() {
        Some(items) => Ok(items),
        None => fill(lazy, size),
    }
}

#[cold]
fn fill<T: Default>(lazy: &Lazy<T>, size: usize) -> Result<&[T], Halted> {
    let mut items = Vec::new();
    items.try_reserve_exact(size).map_err(|_| Halted::Memory)?;
    items.resize_with(size, T::default);
    // Where another thread was faster, what it made is taken.
    Ok(lazy.get_or_init(|| items.into_boxed_slice()))
}
