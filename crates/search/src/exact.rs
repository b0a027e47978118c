//! Searching with the exact store: states wait as numbers, and are read back.

use crate::edge::{Edge, MOST_CHOICES, NO_STEP, Way};
use crate::visited::Visited;
use auspex_store::{Exact, Full, Inserted, Packed, Scratch, StateId, Unpacked};
use auspex_system::{Enough, Explorer, StateRef, Step, Successor, Successors, System};

/// Eight bytes: there may be as many as there are states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    id: StateId,
    depth: u32,
}

#[derive(Default)]
pub(crate) struct Local {
    current: Unpacked,
    scratch: Scratch,
    packed: Vec<Packed>,
}

impl Visited for Exact {
    type Waiting = Waiting;
    type Origin = StateId;
    type Local = Local;

    fn depth(waiting: &Waiting) -> u64 {
        waiting.depth as u64
    }

    fn open<'a>(&self, waiting: &'a Waiting, local: &'a mut Local) -> StateRef<'a> {
        self.read(waiting.id, &mut local.current);
        local.current.state()
    }

    fn open_parts<'a>(
        &self,
        waiting: &'a Waiting,
        local: &'a mut Local,
    ) -> (StateRef<'a>, &'a [u32]) {
        self.read(waiting.id, &mut local.current);
        (local.current.state(), self.parts(&local.current))
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
        let Local { current, scratch, packed } = local;
        let states = successors.iter().filter_map(|(step, successor)| match successor {
            Successor::State(state) => Some((state, successors.kin(step.0 as usize))),
            Successor::Fault(_) => None,
        });
        self.pack_with_kin(states, from.map(|_| &*current), scratch, packed)?;
        local.packed.iter().for_each(|packed| self.prefetch(*packed));
        let depth = from.map_or(0, |from| from.depth.saturating_add(1));
        for (number, packed) in local.packed.iter().enumerate() {
            match self.commit(*packed) {
                Inserted::Old(_) => {}
                Inserted::Full(full) => return Err(full),
                Inserted::New(id) => {
                    from.inspect(|from| self.set_parent(id, from.id));
                    new(number, Waiting { id, depth });
                }
            }
        }
        Ok(())
    }

    fn origin(&self, waiting: &Waiting) -> StateId {
        waiting.id
    }

    fn way<S: System>(&self, system: &S, origin: &StateId, last: Edge, reduced: bool) -> Way {
        let mut states: Vec<_> =
            std::iter::successors(Some(*origin), |state| self.parent(*state)).collect();
        states.reverse();
        let (explorer, out) = (system.explorer(), Successors::new());
        let mut walk = Walk { store: self, explorer, out, reduced };
        let initial = walk.initial(states[0]);
        let mut edges: Vec<_> = states.windows(2).map(|pair| walk.edge(pair[0], pair[1])).collect();
        edges.push(last);
        Way { initial, edges }
    }

    fn len(&self) -> u64 {
        Exact::len(self)
    }

    fn loss(&self) -> Option<f64> {
        None
    }
}

/// Parents say which states a way passes; this finds the edges between them.
struct Walk<'a, E> {
    store: &'a Exact,
    explorer: E,
    out: Successors,
    /// Does the search reduce?
    reduced: bool,
}

impl<E: Explorer> Walk<'_, E> {
    fn initial(&mut self, to: StateId) -> Step {
        self.out.clear();
        self.explorer.initial(&mut self.out);
        self.step_to(to).unwrap_or(NO_STEP)
    }

    fn edge(&mut self, from: StateId, to: StateId) -> Edge {
        let mut state = Unpacked::default();
        self.store.read(from, &mut state);
        for choice in 0..if self.reduced { MOST_CHOICES } else { 0 } {
            self.out.clear();
            let number = usize::from(choice);
            if self.explorer.reduced(state.state(), number, &mut self.out) == Enough::No {
                continue;
            }
            if let Some(step) = self.step_to(to) {
                return Edge { choice: Some(choice), step };
            }
        }
        self.out.clear();
        self.explorer.successors(state.state(), &mut self.out);
        Edge { choice: None, step: self.step_to(to).unwrap_or(NO_STEP) }
    }

    fn step_to(&self, to: StateId) -> Option<Step> {
        let mut state = Unpacked::default();
        self.store.read(to, &mut state);
        let bytes = state.state().bytes;
        let leads_there = |successor: &Successor<'_>| matches!(successor, Successor::State(s) if s.bytes == bytes);
        self.out.iter().find(|(_, s)| leads_there(s)).map(|(step, _)| step)
    }
}
