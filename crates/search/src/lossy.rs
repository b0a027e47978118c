//! Searching with a store that cannot give states back: they wait in full, each with the path
//! that led to it.

use crate::edge::{Edge, Way};
use crate::visited::Visited;
use auspex_store::{Bitstate, Compact, Full};
use auspex_system::{StateRef, Successors, System};
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

/// A path from an initial state, last edge first; paths share their beginnings.
#[derive(Debug)]
pub(crate) struct Path {
    edge: Edge,
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
        choice: Option<u8>,
        _: &mut (),
        successors: &Successors,
        mut new: impl FnMut(usize, Waiting),
    ) -> Result<(), Full> {
        let depth = from.map_or(0, |from| from.path.depth.saturating_add(1));
        let states = successors.iter().filter_map(|(step, it)| Some((step, it.state()?)));
        for (number, (step, state)) in states.enumerate() {
            if self.0.insert(state.bytes)? {
                let before = from.map(|from| from.path.clone());
                let path = Arc::new(Path { edge: Edge { choice, step }, depth, before });
                let (bytes, cuts) = (state.bytes.into(), state.cuts.into());
                new(number, Waiting { bytes, cuts, path });
            }
        }
        Ok(())
    }

    fn origin(&self, waiting: &Waiting) -> Arc<Path> {
        waiting.path.clone()
    }

    fn way<S: System>(&self, _: &S, origin: &Arc<Path>, last: Edge, _: bool) -> Way {
        let path = std::iter::successors(Some(&**origin), |path| path.before.as_deref());
        let mut edges: Vec<_> = [last].into_iter().chain(path.map(|path| path.edge)).collect();
        edges.reverse();
        Way { initial: edges.remove(0).step, edges }
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn loss(&self) -> Option<f64> {
        Some(self.0.loss())
    }
}
