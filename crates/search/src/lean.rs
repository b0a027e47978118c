//! Searching with the exact store: states wait as roots, and are read back.

use crate::edge::{Edge, NO_STEP, Way};
use crate::trail::Trail;
use crate::visited::Visited;
use auspex_store::{Candidate, Full, Lean, Making, Moves, Packed, Root, Scratch, Unpacked};
use auspex_system::{Explorer, Numbered, StateRef, Successor, Successors, System};
use std::collections::VecDeque;

/// Twelve bytes: there may be nearly as many as there are states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    root: [u32; 2],
    depth: u32,
}

/// States that are taken at a time of those that were put off.
const RECALLED: usize = 4096;

impl Waiting {
    fn root(&self) -> Root {
        Root::from_halves(self.root)
    }
}

#[derive(Default)]
pub(crate) struct Local {
    current: Unpacked,
    scratch: Scratch,
    packed: Vec<Packed>,
    soon: Soon,
    moves: Moves,
}

/// States on their way, each with the state that it was reached from. While they wait, memory comes.
#[derive(Default)]
struct Soon {
    /// Nobody has looked for them.
    unseen: VecDeque<(Packed, Waiting)>,
    /// They were not where they would most likely be: probably new.
    likely_new: VecDeque<(Packed, Waiting)>,
    /// How many there were in all.
    count: usize,
}

/// So many states are on their way at a time, while others are folded.
const UNSEEN: usize = 16;
const LIKELY_NEW: usize = 6;
/// A small search has its memory at hand, and goes strictly in order: what it finds first is what one expects.
const SMALL: usize = 4096;

/// The states among successors, and where they differ from the one that is current.
fn candidates(successors: &Successors) -> impl Iterator<Item = Candidate<'_>> + Clone {
    successors.iter().filter_map(|(step, successor)| match successor {
        Successor::State(state) => {
            Some(Candidate::State(state, successors.changes(step.0 as usize)))
        }
        Successor::Numbered(parts) => Some(Candidate::Numbered(parts)),
        Successor::Fault(_) => None,
    })
}

impl Soon {
    #[inline]
    fn add(&mut self, packed: Packed, from: Waiting) {
        self.unseen.push_back((packed, from));
        self.count += 1;
    }

    /// Enters the oldest ones, or all of them.
    #[inline]
    fn settle(
        &mut self,
        all: bool,
        store: &Lean,
        mut new: impl FnMut(Waiting),
    ) -> Result<(), Full> {
        let is_small = self.count <= SMALL;
        // States with loose parts are expanded the faster the more they are like the one before, so none may come between; and from a
        // stack, the first one is to be taken first: then a thread goes on as long as it can, which stays near.
        let (at_once, first_last) = match store.has_loose_parts() {
            true => (true, !is_small),
            false => (all || is_small, false),
        };
        let (unseen, likely_new) = if at_once { (0, 0) } else { (UNSEEN, LIKELY_NEW) };
        while self.unseen.len() > unseen
            && let Some((packed, from)) =
                if first_last { self.unseen.pop_back() } else { self.unseen.pop_front() }
        {
            if !store.is_plainly_known(&packed) {
                self.likely_new.push_back((packed, from));
            }
        }
        while self.likely_new.len() > likely_new
            && let Some((packed, from)) = self.likely_new.pop_front()
        {
            if store.commit_likely_new(packed, Some(from.root()))? {
                let depth = from.depth.saturating_add(1);
                new(Waiting { root: Root::from(packed).halves(), depth });
            }
        }
        Ok(())
    }
}

/// The current state of a store with loose parts.
struct Loose<'a> {
    store: &'a Lean,
    current: &'a mut Unpacked,
    scratch: &'a mut Scratch,
}

impl Numbered for Loose<'_> {
    fn parts(&self) -> &[u32] {
        self.current.parts()
    }

    fn state(&mut self) -> StateRef<'_> {
        self.store.read_rest(self.current);
        self.current.state()
    }

    fn number(&mut self, part: &[u8]) -> Option<u32> {
        self.store.number_of_part(part, self.scratch).ok()
    }

    fn part(&mut self, number: u32) -> &[u8] {
        self.store.part(number, self.current)
    }
}

impl Visited for Lean {
    type Waiting = Waiting;
    type Origin = Root;
    type Local = Local;

    fn depth(waiting: &Waiting) -> u64 {
        waiting.depth as u64
    }

    fn open<'a>(&self, waiting: &'a Waiting, local: &'a mut Local) -> StateRef<'a> {
        self.read(waiting.root(), &mut local.current);
        local.current.state()
    }

    fn expand<E: Explorer>(
        &self,
        waiting: &Waiting,
        local: &mut Local,
        explorer: &mut E,
        out: &mut Successors,
    ) {
        if !self.has_loose_parts() {
            return explorer.successors(self.open(waiting, local), out);
        }
        let Local { current, scratch, .. } = local;
        self.read_parts(waiting.root(), current);
        explorer.successors_of_parts(&mut Loose { store: self, current, scratch }, out);
    }

    #[inline]
    fn expand_known<E: Explorer>(
        &self,
        waiting: &Waiting,
        local: &mut Local,
        explorer: &mut E,
        out: &mut Successors,
        found: u64,
        new: impl FnMut(Waiting),
    ) -> Result<Option<usize>, Full> {
        if self.has_loose_parts() {
            return Ok(None);
        }
        let Local { current, scratch, soon, moves, .. } = local;
        let mut making = Making { found, current, scratch, explorer, out };
        let count = self.pack_moves(waiting.root(), moves, &mut making, |packed| {
            soon.add(packed, *waiting);
        })?;
        let Some(count) = count else { return Ok(None) };
        if cfg!(debug_assertions) {
            // The judge: all of it again, by the other means.
            out.clear();
            explorer.successors(self.open(waiting, local), out);
            let Local { current, scratch, packed, soon, .. } = local;
            packed.clear();
            let near = Some(&*current);
            self.pack(candidates(out), near, scratch, |state| packed.push(state))?;
            let known = soon.unseen.iter().rev().take(count).map(|(packed, _)| Root::from(*packed));
            let made = packed.iter().rev().map(|packed| Root::from(*packed));
            assert!(made.eq(known) && out.len() == count, "known moves lead to other states");
        }
        local.soon.settle(false, self, new)?;
        Ok(Some(count))
    }

    fn enter(
        &self,
        from: Option<&Waiting>,
        _: Option<u8>,
        local: &mut Local,
        successors: &Successors,
        mut new: impl FnMut(usize, Waiting),
    ) -> Result<(), Full> {
        local.packed.clear();
        let Local { current, scratch, packed, .. } = local;
        let near = from.map(|_| &*current);
        self.pack(candidates(successors), near, scratch, |state| packed.push(state))?;
        let depth = from.map_or(0, |from| from.depth.saturating_add(1));
        let origin = from.map(Waiting::root);
        for (number, packed) in local.packed.iter().enumerate() {
            if self.commit(*packed, origin)? {
                new(number, Waiting { root: Root::from(*packed).halves(), depth });
            }
        }
        Ok(())
    }

    #[inline]
    fn enter_soon(
        &self,
        from: &Waiting,
        local: &mut Local,
        successors: &Successors,
        new: impl FnMut(Waiting),
    ) -> Result<(), Full> {
        let Local { current, scratch, soon, .. } = local;
        let near = Some(&*current);
        self.pack(candidates(successors), near, scratch, |packed| soon.add(packed, *from))?;
        soon.settle(false, self, new)
    }

    fn settle(&self, local: &mut Local, new: impl FnMut(Waiting)) -> Result<(), Full> {
        local.soon.settle(true, self, new)
    }

    const CAN_PUT_OFF: bool = true;

    fn put_off(&self, waiting: &[Waiting]) {
        for few in waiting.chunks(16) {
            Lean::put_off(self, few.iter().map(|waiting| (waiting.root(), waiting.depth)));
        }
    }

    fn recall(&self, mut each: impl FnMut(Waiting)) {
        Lean::recall(self, RECALLED, |root, depth| each(Waiting { root: root.halves(), depth }));
    }

    fn origin(&self, waiting: &Waiting) -> Root {
        waiting.root()
    }

    fn way<S: System>(&self, system: &S, origin: &Root, last: Edge, reduced: bool) -> Way {
        let way = Trail::new(self, system.explorer(), reduced).to(*origin);
        // Without one, the system did not give the same successors again: the trace must fail.
        let mut way = way.unwrap_or(Way { initial: NO_STEP, edges: Vec::new() });
        way.edges.push(last);
        way
    }

    fn len(&self) -> u64 {
        Lean::len(self)
    }

    fn loss(&self) -> Option<f64> {
        None
    }
}
