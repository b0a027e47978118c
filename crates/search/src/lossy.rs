//! Searching with a store that cannot give states back: they wait in full, each with the path
//! that led to it.

use crate::Trace;
use crate::visited::Visited;
use auspex_store::{Bitstate, Compact, Full};
use auspex_system::{StateRef, Step, Successor, Successors, System};
use std::sync::Arc;

/// A store of which one can only ask whether a state is new.
pub(crate) trait Lossy: Sync {
    fn insert(&self, bytes: &[u8]) -> Result<bool, Full>;
    fn len(&self) -> u64;
    fn loss(&self) -> f64;
}

impl Lossy for Compact {
    fn insert(&self, bytes: &[u8]) -> Result<bool, Full> {
        Compact::insert(self, bytes)
    }
    fn len(&self) -> u64 {
        Compact::len(self)
    }
    fn loss(&self) -> f64 {
        Compact::loss(self)
    }
}

impl Lossy for Bitstate {
    fn insert(&self, bytes: &[u8]) -> Result<bool, Full> {
        Bitstate::insert(self, bytes)
    }
    fn len(&self) -> u64 {
        Bitstate::len(self)
    }
    fn loss(&self) -> f64 {
        Bitstate::loss(self)
    }
}

/// A path from an initial state, last step first; paths share their beginnings.
#[derive(Debug)]
pub(crate) struct Path {
    step: Step,
    depth: u32,
    before: Option<Arc<Path>>,
}

impl Drop for Path {
    /// Paths are too long to be dropped by recursion.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut path) = before.and_then(Arc::into_inner) {
            before = path.before.take();
        }
    }
}

#[derive(Debug)]
pub(crate) struct Waiting {
    bytes: Box<[u8]>,
    cuts: Box<[u32]>,
    path: Arc<Path>,
}

pub(crate) struct Forgetful<L>(pub L);

impl<L: Lossy> Visited for Forgetful<L> {
    type Waiting = Waiting;
    type Origin = Arc<Path>;
    type Local = ();

    fn depth(waiting: &Waiting) -> u64 {
        waiting.path.depth as u64
    }

    fn open<'a>(&self, waiting: &'a Waiting, _: &'a mut ()) -> StateRef<'a> {
        StateRef { bytes: &waiting.bytes, cuts: &waiting.cuts }
    }

    fn enter(
        &self,
        from: Option<&Waiting>,
        _: &mut (),
        successors: &Successors,
        mut new: impl FnMut(Waiting),
    ) -> Result<(), Full> {
        let depth = from.map_or(0, |from| from.path.depth.saturating_add(1));
        for (step, successor) in successors.iter() {
            let Successor::State(state) = successor else { continue };
            if self.0.insert(state.bytes)? {
                let before = from.map(|from| from.path.clone());
                let path = Arc::new(Path { step, depth, before });
                new(Waiting { bytes: state.bytes.into(), cuts: state.cuts.into(), path });
            }
        }
        Ok(())
    }

    fn origin(&self, waiting: &Waiting) -> Arc<Path> {
        waiting.path.clone()
    }

    fn trace<S: System>(&self, _: &S, origin: &Arc<Path>, last: Step) -> Trace {
        let path = std::iter::successors(Some(&**origin), |path| path.before.as_deref());
        let mut steps: Vec<_> = [last].into_iter().chain(path.map(|path| path.step)).collect();
        steps.reverse();
        Trace { initial: steps.remove(0), steps }
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn loss(&self) -> Option<f64> {
        Some(self.0.loss())
    }
}
