//! Searching with the exact store: states wait as numbers, and are read back.

use crate::Trace;
use crate::visited::Visited;
use auspex_store::{Exact, Full, Inserted, Packed, Scratch, StateId, Unpacked};
use auspex_system::{Explorer, StateRef, Step, Successor, Successors, System};

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

    fn enter(
        &self,
        from: Option<&Waiting>,
        local: &mut Local,
        successors: &Successors,
        mut new: impl FnMut(Waiting),
    ) -> Result<(), Full> {
        local.packed.clear();
        let Local { current, scratch, packed } = local;
        let states = successors.iter().filter_map(|(_, successor)| match successor {
            Successor::State(state) => Some(state),
            Successor::Fault(_) => None,
        });
        self.pack(states, from.map(|_| &*current), scratch, packed)?;
        local.packed.iter().for_each(|packed| self.prefetch(*packed));
        let depth = from.map_or(0, |from| from.depth.saturating_add(1));
        for packed in &local.packed {
            match self.commit(*packed) {
                Inserted::Old(_) => {}
                Inserted::Full(full) => return Err(full),
                Inserted::New(id) => {
                    from.inspect(|from| self.set_parent(id, from.id));
                    new(Waiting { id, depth });
                }
            }
        }
        Ok(())
    }

    fn origin(&self, waiting: &Waiting) -> StateId {
        waiting.id
    }

    fn trace<S: System>(&self, system: &S, origin: &StateId, last: Step) -> Trace {
        let mut way: Vec<_> =
            std::iter::successors(Some(*origin), |state| self.parent(*state)).collect();
        way.reverse();
        let mut walk = Walk { store: self, explorer: system.explorer(), out: Successors::new() };
        let initial = walk.initial(way[0]);
        let mut steps: Vec<_> = way.windows(2).map(|pair| walk.step(pair[0], pair[1])).collect();
        steps.push(last);
        Trace { initial, steps }
    }

    fn len(&self) -> u64 {
        Exact::len(self)
    }

    fn loss(&self) -> Option<f64> {
        None
    }
}

/// Parents say which states a trace passes; this finds the steps between them.
struct Walk<'a, E> {
    store: &'a Exact,
    explorer: E,
    out: Successors,
}

/// No system has it. A trace with it fails to replay, as it should: the system did not give the
/// same successors again.
const NO_STEP: Step = Step(u32::MAX);

impl<E: Explorer> Walk<'_, E> {
    fn initial(&mut self, to: StateId) -> Step {
        self.out.clear();
        self.explorer.initial(&mut self.out);
        self.step_to(to)
    }

    fn step(&mut self, from: StateId, to: StateId) -> Step {
        let mut state = Unpacked::default();
        self.store.read(from, &mut state);
        self.out.clear();
        self.explorer.successors(state.state(), &mut self.out);
        self.step_to(to)
    }

    fn step_to(&self, to: StateId) -> Step {
        let mut state = Unpacked::default();
        self.store.read(to, &mut state);
        let bytes = state.state().bytes;
        let leads_there = |successor: &Successor<'_>| matches!(successor, Successor::State(s) if s.bytes == bytes);
        self.out.iter().find(|(_, s)| leads_there(s)).map_or(NO_STEP, |(step, _)| step)
    }
}
