//! States as byte strings, and the arena in which the successors of one state arrive together.

use crate::Fault;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A state: a canonical byte string (equal states have equal bytes) and its *cuts*, the ascending
/// offsets at which it falls into parts that change together. Cuts are a hint for compression and
/// are a function of the bytes; offset 0 and the end are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRef<'a> {
    pub bytes: &'a [u8],
    pub cuts: &'a [u32],
}

/// A step out of a known state: its index in the order of [`crate::Explorer::successors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(pub u32);

/// One thing that can happen next.
#[derive(Clone, Copy, Debug)]
pub enum Successor<'a> {
    State(StateRef<'a>),
    /// A state in terms of the numbers of its parts, which are those of a [`crate::Numbered`] state: only who
    /// gave that one is given such successors.
    Numbered(&'a [u32]),
    /// The step goes wrong; no state follows it.
    Fault(&'a Fault),
}

impl<'a> Successor<'a> {
    /// The state, unless the step goes wrong. For all who expand states as bytes.
    pub fn state(self) -> Option<StateRef<'a>> {
        match self {
            Successor::State(state) => Some(state),
            Successor::Numbered(_) => unreachable!("nobody has given numbers to parts"),
            Successor::Fault(_) => None,
        }
    }
}

/// One reusable arena per thread: nothing is allocated per state once it has grown.
#[derive(Debug, Default)]
pub struct Successors {
    bytes: Buffer<u8>,
    cuts: Vec<u32>,
    items: Vec<Item>,
    /// Where the cuts of the state that is being expanded are among `cuts`.
    origin: (u32, u32),
    /// See [`Successors::changes`].
    changes: Buffer<ByteRange>,
    /// The numbers of the parts of those that have such.
    numbers: Vec<u32>,
    faults: Vec<Fault>,
    /// Set from outside when nobody waits for the rest any more.
    interrupt: Option<Arc<AtomicBool>>,
    cut_short: bool,
    abandoned: bool,
}

/// From one byte up to another one, that may have changed.
pub type ByteRange = [u32; 2];

/// Room that others fill.
#[derive(Debug, Default)]
struct Buffer<T> {
    /// Those in use, and others that were in use once.
    all: Vec<T>,
    used: usize,
}

impl<T: Copy + Default> Buffer<T> {
    #[inline]
    fn extend(&mut self, more: &[T]) {
        self.room(more.len()).copy_from_slice(more);
        self.used += more.len();
    }

    /// What comes next, as soon as it is said to be in use.
    #[inline]
    fn room(&mut self, count: usize) -> &mut [T] {
        if self.all.len() - self.used < count {
            self.grow(count);
        }
        &mut self.all[self.used..self.used + count]
    }

    #[cold]
    fn grow(&mut self, count: usize) {
        self.all.resize((self.used + count).next_power_of_two(), T::default());
    }
}

/// Room for successors.
pub struct Room<'a> {
    pub bytes: &'a mut [u8],
    pub changes: &'a mut [ByteRange],
}

#[derive(Debug, Clone, Copy)]
enum Item {
    /// Where its bytes end, which begin where those of the item before it end, and its cuts.
    State {
        bytes: usize,
        cuts: (u32, u32),
        /// Its part of `changes`, if it is said where it differs from its origin.
        changes: Option<(u32, u32)>,
    },
    /// Its part of `numbers`.
    Numbered {
        numbers: (u32, u32),
        bytes: usize,
    },
    Fault {
        index: usize,
        bytes: usize,
    },
}

impl Item {
    fn end(self) -> usize {
        match self {
            Item::State { bytes, .. }
            | Item::Numbered { bytes, .. }
            | Item::Fault { bytes, .. } => bytes,
        }
    }
}

fn range<T>(all: &[T], (start, end): (u32, u32)) -> &[T] {
    &all[start as usize..end as usize]
}

impl Successors {
    pub fn new() -> Self {
        Self::default()
    }

    /// An arena whose filling can be interrupted: by the flag, from another thread.
    pub fn interruptible(flag: Arc<AtomicBool>) -> Self {
        Successors { interrupt: Some(flag), ..Self::default() }
    }

    /// The flag behind [`Successors::is_interrupted`], for what has no successors at hand.
    pub fn interrupt(&self) -> Option<&Arc<AtomicBool>> {
        self.interrupt.as_ref()
    }

    /// To be asked now and then by an explorer that takes long over one state. After a `true` it
    /// may stop where it is; the successors then count as incomplete.
    pub fn is_interrupted(&mut self) -> bool {
        self.cut_short |= self.interrupt.as_ref().is_some_and(|flag| flag.load(Relaxed));
        self.cut_short
    }

    /// May successors be missing?
    pub fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    pub fn clear(&mut self) {
        self.bytes.used = 0;
        self.cuts.clear();
        self.items.clear();
        self.changes.used = 0;
        self.numbers.clear();
        self.faults.clear();
        self.cut_short = false;
        self.abandoned = false;
    }

    /// Nothing follows, because runs through this state are of no interest (an assumption fails):
    /// it is not that the system ends here.
    pub fn abandon(&mut self) {
        self.abandoned = true;
    }

    pub fn is_abandoned(&self) -> bool {
        self.abandoned
    }

    pub fn push(&mut self, state: StateRef<'_>) {
        self.bytes.extend(state.bytes);
        let cuts = self.add_cuts(state.cuts);
        self.items.push(Item::State { bytes: self.bytes.used, cuts, changes: None });
    }

    fn add_cuts(&mut self, cuts: &[u32]) -> (u32, u32) {
        let start = self.cuts.len() as u32;
        self.cuts.extend_from_slice(cuts);
        (start, self.cuts.len() as u32)
    }

    /// The state whose successors follow has these cuts.
    pub fn begin(&mut self, origin: StateRef<'_>) {
        self.origin = self.add_cuts(origin.cuts);
    }

    /// Appends a state that has the cuts of its origin (see `begin`), and differs from it in these
    /// ranges of bytes at most.
    #[inline]
    pub fn push_changed(&mut self, state: &[u8], changed: &[ByteRange]) {
        self.bytes.extend(state);
        let start = self.changes.used as u32;
        self.changes.extend(changed);
        let changes = Some((start, self.changes.used as u32));
        self.items.push(Item::State { bytes: self.bytes.used, cuts: self.origin, changes });
    }

    /// Room for bytes and changes of states that lie one behind the other: see `fill`.
    #[inline]
    pub fn room(&mut self, bytes: usize, changes: usize) -> Room<'_> {
        Room { bytes: self.bytes.room(bytes), changes: self.changes.room(changes) }
    }

    /// Appends states of so many bytes each, as `push_changed` does, that were put into the room that there was for
    /// them: for each, how many changes there are up to its own.
    #[inline]
    pub fn fill(&mut self, len: usize, changes: impl ExactSizeIterator<Item = usize>) {
        let (first, mut start) = (self.changes.used, self.changes.used);
        self.items.reserve(changes.len());
        for end in changes {
            let end = (first + end).min(self.changes.all.len());
            self.bytes.used = (self.bytes.used + len).min(self.bytes.all.len());
            let changes = Some((start as u32, end as u32));
            self.items.push(Item::State { bytes: self.bytes.used, cuts: self.origin, changes });
            start = end;
        }
        self.changes.used = start;
    }

    /// Appends a state in terms of the numbers of its parts: see [`crate::Numbered`].
    #[inline]
    pub fn push_numbered(&mut self, parts: &[u32]) {
        let start = self.numbers.len() as u32;
        self.numbers.extend_from_slice(parts);
        let numbers = (start, self.numbers.len() as u32);
        self.items.push(Item::Numbered { numbers, bytes: self.bytes.used });
    }

    pub fn push_fault(&mut self, fault: Fault) {
        self.items.push(Item::Fault { index: self.faults.len(), bytes: self.bytes.used });
        self.faults.push(fault);
    }

    pub fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The successor that step `index` leads to.
    #[inline]
    pub fn get(&self, index: usize) -> Successor<'_> {
        match self.items[index] {
            Item::Numbered { numbers, .. } => Successor::Numbered(range(&self.numbers, numbers)),
            Item::Fault { index, .. } => Successor::Fault(&self.faults[index]),
            Item::State { bytes, cuts, .. } => {
                let start = if index == 0 { 0 } else { self.items[index - 1].end() };
                let bytes = &self.bytes.all[start..bytes];
                Successor::State(StateRef { bytes, cuts: range(&self.cuts, cuts) })
            }
        }
    }

    /// In which ranges of bytes the state that step `index` leads to differs at most from its
    /// origin, with which it shares its cuts; `None` where that is not known.
    #[inline]
    pub fn changes(&self, index: usize) -> Option<&[ByteRange]> {
        match self.items[index] {
            Item::State { changes: Some(changes), .. } => Some(range(&self.changes.all, changes)),
            _ => None,
        }
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Step, Successor<'_>)> + Clone {
        (0..self.len()).map(|i| (Step(i as u32), self.get(i)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;

    #[test]
    fn states_and_faults_keep_their_order_and_bytes() {
        let mut out = Successors::new();
        out.push(StateRef { bytes: b"abc", cuts: &[1] });
        out.push_fault(Fault::new("assertion", "no", Location::unknown()));
        out.push(StateRef { bytes: b"", cuts: &[] });
        out.push(StateRef { bytes: b"de", cuts: &[] });
        let seen: Vec<_> = out
            .iter()
            .map(|(step, s)| match s {
                Successor::State(s) => (step.0, Some((s.bytes.to_vec(), s.cuts.to_vec()))),
                _ => (step.0, None),
            })
            .collect();
        let state = |b: &[u8], c: &[u32]| Some((b.to_vec(), c.to_vec()));
        assert!(out.has_faults());
        assert_eq!(
            seen,
            [(0, state(b"abc", &[1])), (1, None), (2, state(b"", &[])), (3, state(b"de", &[]))]
        );
    }

    #[test]
    fn numbered_states_may_stand_among_others() {
        let mut out = Successors::new();
        out.push(StateRef { bytes: b"abc", cuts: &[1] });
        out.push_numbered(&[7, 8]);
        out.push(StateRef { bytes: b"de", cuts: &[] });
        out.push_numbered(&[]);
        assert!(matches!(out.get(1), Successor::Numbered([7, 8])));
        assert!(matches!(out.get(2), Successor::State(StateRef { bytes: b"de", cuts: [] })));
        assert!(matches!(out.get(3), Successor::Numbered([])));
    }

    #[test]
    fn changed_states_have_the_cuts_of_their_origin() {
        let mut out = Successors::new();
        out.begin(StateRef { bytes: b"abc", cuts: &[1, 2] });
        out.push_changed(b"axc", &[[1, 2]]);
        out.push(StateRef { bytes: b"abcd", cuts: &[3] });
        out.push_changed(b"abc", &[]);
        let state = |index| match out.get(index) {
            Successor::State(state) => (state.bytes, state.cuts),
            _ => (&b""[..], &[][..]),
        };
        assert_eq!(state(0), (&b"axc"[..], &[1, 2][..]));
        assert_eq!(state(1), (&b"abcd"[..], &[3][..]));
        assert_eq!(state(2), (&b"abc"[..], &[1, 2][..]));
        let changes = [0, 1, 2].map(|index| out.changes(index));
        assert_eq!(changes, [Some(&[[1, 2]][..]), None, Some(&[][..])]);
    }

    #[test]
    fn room_is_filled_like_pushing() {
        let (mut filled, mut pushed) = (Successors::new(), Successors::new());
        for round in 0..3 {
            for out in [&mut filled, &mut pushed] {
                out.clear();
                out.begin(StateRef { bytes: b"abc", cuts: &[1, 2] });
                out.push(StateRef { bytes: b"before", cuts: &[round] });
            }
            let room = filled.room(30, 10);
            room.bytes[..6].copy_from_slice(b"xbcayc");
            room.changes[..3].copy_from_slice(&[[0, 1], [1, 2], [2, 3]]);
            filled.fill(3, [1, 3].into_iter());
            pushed.push_changed(b"xbc", &[[0, 1]]);
            pushed.push_changed(b"ayc", &[[1, 2], [2, 3]]);
            for out in [&mut filled, &mut pushed] {
                out.push_changed(b"abz", &[[2, 3]]);
            }
            let all = |out: &Successors| {
                let show = |i| format!("{:?} {:?}", out.get(i), out.changes(i));
                (0..out.len()).map(show).collect::<Vec<_>>()
            };
            assert_eq!(all(&filled), all(&pushed));
        }
    }
}
