//! What the searches for cycles see of a system: a graph of numbers, known as far as it was
//! looked at, and marks beside the numbers.

use super::Fairness;
use auspex_system::Step;

/// A step that leads to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub target: u32,
    pub step: Step,
    /// The processes that take part.
    pub movers: u64,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halted {
    /// It was told to stop.
    Asked,
    /// There was no room for what it keeps beside the states.
    Memory,
}

pub(crate) trait Graph {
    /// Appends the initial states.
    fn initial(&mut self, out: &mut Vec<Edge>) -> Result<(), Halted>;

    /// Appends the edges of a state, in the order of their steps; the answer is the processes that
    /// are enabled there.
    fn successors(&mut self, id: u32, out: &mut Vec<Edge>) -> Result<u64, Halted>;

    fn is_accepting(&mut self, id: u32) -> bool;

    /// The same as `successors` for a state that is met for the first time, so many steps from the
    /// beginning: this is where states are counted, and where the limit on depth cuts.
    fn expand(&mut self, id: u32, depth: usize, out: &mut Vec<Edge>) -> Result<u64, Halted> {
        let _ = depth;
        self.successors(id, out)
    }

    /// Is the search to go on? Every expansion asks this, too.
    fn check(&self) -> Result<(), Halted> {
        Ok(())
    }
}

impl Fairness {
    /// The processes that a cycle still owes a step: it meets states where `all` (always) and
    /// `any` (once at least) are enabled, and `moved` take part in its steps.
    pub(crate) fn owed(self, all: u64, any: u64, moved: u64) -> u64 {
        match self {
            Fairness::None => 0,
            Fairness::Weak => all & !moved,
            Fairness::Strong => any & !moved,
        }
    }
}

/// A part of the graph that holds what was looked for: `inside` is strongly connected and has an
/// edge, `through` is an accepting state of it, and going through all of it is fair.
#[derive(Debug)]
pub(crate) struct Witness {
    pub through: u32,
    /// The states that were expanded: a way to the witness leads through them.
    pub known: Bits,
    /// `None`: all of the known ones; what can come back to `through` is then strongly connected.
    pub inside: Option<Bits>,
}

const PAGE: usize = 1 << 14;

/// A value for each number, the default one where none was set. Grows without moving: an array of
/// gigabytes must not need twice its size for a moment.
#[derive(Debug)]
pub(crate) struct Marks<T> {
    pages: Vec<Vec<T>>,
}

impl<T: Copy + Default + PartialEq> Marks<T> {
    pub fn new() -> Self {
        Marks { pages: Vec::new() }
    }

    #[inline]
    pub fn get(&self, id: u32) -> T {
        let page = self.pages.get(id as usize / PAGE);
        page.and_then(|page| page.get(id as usize % PAGE)).copied().unwrap_or_default()
    }

    #[inline]
    pub fn set(&mut self, id: u32, value: T) -> Result<(), Halted> {
        let (page, at) = (id as usize / PAGE, id as usize % PAGE);
        match self.pages.get_mut(page).and_then(|page| page.get_mut(at)) {
            Some(mark) => *mark = value,
            None => self.open(page)?[at] = value,
        }
        Ok(())
    }

    #[cold]
    fn open(&mut self, page: usize) -> Result<&mut Vec<T>, Halted> {
        if page >= self.pages.len() {
            reserve(&mut self.pages, page + 1)?;
            self.pages.resize_with(page + 1, Vec::new);
        }
        let page = &mut self.pages[page];
        page.try_reserve_exact(PAGE).map_err(|_| Halted::Memory)?;
        page.resize(PAGE, T::default());
        Ok(page)
    }

    /// The numbers whose value satisfies a condition that the default value does not.
    pub fn which(&self, wanted: impl Fn(T) -> bool) -> Bits {
        let mut bits = Bits::default();
        for (page, values) in self.pages.iter().enumerate() {
            for (at, value) in values.iter().enumerate().filter(|(_, value)| wanted(**value)) {
                debug_assert!(*value != T::default());
                bits.insert((page * PAGE + at) as u32);
            }
        }
        bits
    }
}

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
    /// Are all numbers in it that `words` is too short for?
    rest: bool,
}

impl Bits {
    /// All numbers.
    pub fn all() -> Self {
        Bits { words: Vec::new(), rest: true }
    }

    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        let word = self.words.get(id as usize / 64);
        word.map_or(self.rest, |word| word >> (id % 64) & 1 == 1)
    }

    pub fn insert(&mut self, id: u32) {
        let word = id as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, if self.rest { u64::MAX } else { 0 });
        }
        self.words[word] |= 1 << (id % 64);
    }
}

impl FromIterator<u32> for Bits {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        let mut bits = Bits::default();
        ids.into_iter().for_each(|id| bits.insert(id));
        bits
    }
}

/// Makes room before something is pushed: running out is a way to end, not to crash.
#[inline]
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Halted> {
    list.try_reserve(more).map_err(|_| Halted::Memory)
}

#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) -> Result<(), Halted> {
    reserve(list, 1)?;
    list.push(item);
    Ok(())
}

/// A state on the stack of a blue search.
pub(crate) struct Frame {
    pub id: u32,
    /// Where its successors begin in the list of all that wait.
    pub start: usize,
    /// Those of its successors that were looked at are red.
    pub all_red: bool,
}
