//! States as byte strings, and the arena in which the successors of one state arrive together.

use crate::Fault;
use crate::kin::Kin;
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

/// One reusable arena per thread: nothing is allocated per state once it has grown.
#[derive(Debug, Default)]
pub struct Successors {
    bytes: Vec<u8>,
    cuts: Vec<u32>,
    items: Vec<Item>,
    faults: Vec<Fault>,
    kin: Kin,
    /// Set from outside when nobody waits for the rest any more.
    interrupt: Option<Arc<AtomicBool>>,
    cut_short: bool,
    abandoned: bool,
}

#[derive(Debug, Clone, Copy)]
enum Item {
    /// Ends of this state's bytes and cuts; they begin where the previous item's end.
    State {
        bytes: usize,
        cuts: usize,
    },
    Fault {
        index: usize,
        bytes: usize,
        cuts: usize,
    },
}

impl Item {
    fn ends(self) -> (usize, usize) {
        match self {
            Item::State { bytes, cuts } | Item::Fault { bytes, cuts, .. } => (bytes, cuts),
        }
    }
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
        self.bytes.extend_from_slice(state.bytes);
        self.cuts.extend_from_slice(state.cuts);
        self.items.push(Item::State { bytes: self.bytes.len(), cuts: self.cuts.len() });
    }

    /// The same where it is known which parts are those of the state that is expanded: `kin` has for
    /// each part the index of the part there that has the same bytes, or [`crate::NO_KIN`].
    pub fn push_with_kin(&mut self, state: StateRef<'_>, kin: &[u32]) {
        self.kin.add(self.items.len(), kin);
        self.push(state);
    }

    /// What `push_with_kin` was given; empty where nothing is known.
    pub fn kin(&self, index: usize) -> &[u32] {
        self.kin.of(index)
    }

    pub fn push_fault(&mut self, fault: Fault) {
        let (bytes, cuts) = (self.bytes.len(), self.cuts.len());
        self.items.push(Item::Fault { index: self.faults.len(), bytes, cuts });
        self.faults.push(fault);
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The successor that step `index` leads to.
    pub fn get(&self, index: usize) -> Successor<'_> {
        match self.items[index] {
            Item::Fault { index, .. } => Successor::Fault(&self.faults[index]),
            Item::State { bytes, cuts } => {
                let (from_byte, from_cut) =
                    if index == 0 { (0, 0) } else { self.items[index - 1].ends() };
                Successor::State(StateRef {
                    bytes: &self.bytes[from_byte..bytes],
                    cuts: &self.cuts[from_cut..cuts],
                })
            }
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
        assert_eq!(
            seen,
            [(0, state(b"abc", &[1])), (1, None), (2, state(b"", &[])), (3, state(b"de", &[]))]
        );
    }
}
