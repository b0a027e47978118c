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
    /// The step goes wrong; no state follows it.
    Fault(&'a Fault),
}

/// What is known of how a successor differs from the state that it follows, its *origin*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness<'a> {
    Unknown,
    /// It has the cuts of its origin, and differs from it in these ranges of bytes at most.
    Changed(&'a [(u32, u32)]),
    /// For each of its parts the index of the part of the origin that has the same bytes, or [`NO_KIN`].
    Kin(&'a [u32]),
}

/// A part that is none of those of the state before.
pub const NO_KIN: u32 = u32::MAX;

/// One reusable arena per thread: nothing is allocated per state once it has grown.
#[derive(Debug, Default)]
pub struct Successors {
    bytes: Vec<u8>,
    cuts: Vec<u32>,
    items: Vec<Item>,
    /// Where the cuts of the state that is being expanded are among `cuts`.
    origin: (u32, u32),
    /// See [`Likeness`].
    changes: Vec<(u32, u32)>,
    kin: Vec<u32>,
    faults: Vec<Fault>,
    /// Set from outside when nobody waits for the rest any more.
    interrupt: Option<Arc<AtomicBool>>,
    cut_short: bool,
    abandoned: bool,
}

#[derive(Debug, Clone, Copy)]
enum Item {
    /// Where its bytes end, which begin where those of the item before it end, and its cuts.
    State {
        bytes: usize,
        cuts: (u32, u32),
        like: Like,
    },
    Fault {
        index: usize,
        bytes: usize,
    },
}

/// Which range of `changes` or `kin` says how a state differs from its origin.
#[derive(Debug, Clone, Copy)]
enum Like {
    Unknown,
    Changed((u32, u32)),
    Kin((u32, u32)),
}

impl Item {
    fn end(self) -> usize {
        match self {
            Item::State { bytes, .. } | Item::Fault { bytes, .. } => bytes,
        }
    }
}

/// Appends, and says where that is.
#[inline]
fn append<T: Copy>(all: &mut Vec<T>, more: &[T]) -> (u32, u32) {
    let start = all.len() as u32;
    all.extend_from_slice(more);
    (start, all.len() as u32)
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
        self.bytes.clear();
        self.cuts.clear();
        self.items.clear();
        self.changes.clear();
        self.faults.clear();
        self.kin.clear();
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
        self.push_like(state, Like::Unknown);
    }

    fn push_like(&mut self, state: StateRef<'_>, like: Like) {
        self.bytes.extend_from_slice(state.bytes);
        let cuts = append(&mut self.cuts, state.cuts);
        self.items.push(Item::State { bytes: self.bytes.len(), cuts, like });
    }

    /// Appends a state of which it is known which parts are those of its origin: see [`Likeness::Kin`].
    pub fn push_with_kin(&mut self, state: StateRef<'_>, kin: &[u32]) {
        let kin = append(&mut self.kin, kin);
        self.push_like(state, Like::Kin(kin));
    }

    /// The state whose successors follow has these cuts.
    pub fn begin(&mut self, origin: StateRef<'_>) {
        self.origin = append(&mut self.cuts, origin.cuts);
    }

    /// Appends a state that has the cuts of its origin (see `begin`), and differs from it in these
    /// ranges of bytes at most.
    #[inline]
    pub fn push_changed(&mut self, state: &[u8], changed: &[(u32, u32)]) {
        self.bytes.extend_from_slice(state);
        let like = Like::Changed(append(&mut self.changes, changed));
        self.items.push(Item::State { bytes: self.bytes.len(), cuts: self.origin, like });
    }

    pub fn push_fault(&mut self, fault: Fault) {
        self.items.push(Item::Fault { index: self.faults.len(), bytes: self.bytes.len() });
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
            Item::Fault { index, .. } => Successor::Fault(&self.faults[index]),
            Item::State { bytes, cuts, .. } => {
                let start = if index == 0 { 0 } else { self.items[index - 1].end() };
                let bytes = &self.bytes[start..bytes];
                Successor::State(StateRef { bytes, cuts: range(&self.cuts, cuts) })
            }
        }
    }

    /// What is known of how the state that step `index` leads to differs from its origin.
    #[inline]
    pub fn likeness(&self, index: usize) -> Likeness<'_> {
        match self.items[index] {
            Item::State { like: Like::Changed(changes), .. } => {
                Likeness::Changed(range(&self.changes, changes))
            }
            Item::State { like: Like::Kin(kin), .. } => Likeness::Kin(range(&self.kin, kin)),
            _ => Likeness::Unknown,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Step, Successor<'_>)> {
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
                Successor::Fault(_) => (step.0, None),
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
    fn changed_states_have_the_cuts_of_their_origin() {
        let mut out = Successors::new();
        out.begin(StateRef { bytes: b"abc", cuts: &[1, 2] });
        out.push_changed(b"axc", &[(1, 2)]);
        out.push(StateRef { bytes: b"abcd", cuts: &[3] });
        out.push_changed(b"abc", &[]);
        let state = |index| match out.get(index) {
            Successor::State(state) => (state.bytes, state.cuts),
            Successor::Fault(_) => (&b""[..], &[][..]),
        };
        assert_eq!(state(0), (&b"axc"[..], &[1, 2][..]));
        assert_eq!(state(1), (&b"abcd"[..], &[3][..]));
        assert_eq!(state(2), (&b"abc"[..], &[1, 2][..]));
        let likeness = [0, 1, 2].map(|index| out.likeness(index));
        assert_eq!(
            likeness,
            [Likeness::Changed(&[(1, 2)]), Likeness::Unknown, Likeness::Changed(&[])]
        );
    }

    #[test]
    fn what_is_not_said_is_not_known() {
        let mut out = Successors::new();
        let state = StateRef { bytes: b"abc", cuts: &[1] };
        out.push_with_kin(state, &[0, NO_KIN]);
        out.push_fault(Fault::new("assertion", "no", Location::unknown()));
        out.push(state);
        out.push_with_kin(state, &[1, 0]);
        let likeness = [0, 1, 2, 3].map(|index| out.likeness(index));
        let (first, last) = (Likeness::Kin(&[0, NO_KIN]), Likeness::Kin(&[1, 0]));
        assert_eq!(likeness, [first, Likeness::Unknown, Likeness::Unknown, last]);
    }
}
