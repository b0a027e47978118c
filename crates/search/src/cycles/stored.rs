//! The graph of a system, on the exact store: a state's number is its number there.

use super::graph::{Edge, Graph, Halted, reserve};
use crate::halt::Halt;
use crate::worker::Tally;
use crate::{Control, Stop};
use auspex_store::{Candidate, Exact, Full, Inserted, Packed, Scratch, StateId, Unpacked};
use auspex_system::{Explorer, StateRef, Step, Successors};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What all threads of one search share.
pub(crate) struct Shared<'a> {
    pub store: &'a Exact,
    pub halt: &'a Halt,
    pub control: &'a Control,
    pub depth_limit: Option<u64>,
    /// States at the greatest depth were left unexpanded.
    pub cut: AtomicBool,
    /// Does the search ask who moves?
    pub with_movers: bool,
}

/// One thread's view of the graph.
pub(crate) struct Stored<'a, E> {
    shared: &'a Shared<'a>,
    pub explorer: E,
    /// After a cycle was found: only an interrupt can stop what is left to do, which is less than
    /// what was done already.
    patient: bool,
    out: Successors,
    current: Unpacked,
    current_id: Option<u32>,
    scratch: Scratch,
    packed: Vec<Packed>,
    movers: Vec<u64>,
    tally: Tally,
}

impl<'a, E: Explorer> Stored<'a, E> {
    /// States between two reports to the outside.
    const REPORT_EVERY: u32 = 4096;

    pub fn new(shared: &'a Shared<'a>, explorer: E) -> Self {
        let out = Successors::interruptible(shared.halt.flag.clone());
        Self::with(shared, explorer, false, out)
    }

    /// For what is to be done after a cycle was found.
    pub fn patient(shared: &'a Shared<'a>, explorer: E) -> Self {
        Self::with(shared, explorer, true, Successors::new())
    }

    fn with(shared: &'a Shared<'a>, explorer: E, patient: bool, out: Successors) -> Self {
        Stored {
            shared,
            explorer,
            patient,
            out,
            current: Unpacked::default(),
            current_id: None,
            scratch: Scratch::default(),
            packed: Vec::new(),
            movers: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn read(&mut self, id: u32) {
        if self.current_id != Some(id) {
            self.shared.store.read(StateId(id), &mut self.current);
            self.current_id = Some(id);
        }
    }

    /// Enters the states in `self.out` and appends an edge to each.
    fn enter(&mut self, near: bool, edges: &mut Vec<Edge>) -> Result<(), Halted> {
        reserve(edges, self.out.len())?;
        if self.patient {
            self.enter_known(near, edges);
            return Ok(());
        }
        let Stored { shared, out, current, scratch, packed, tally, .. } = self;
        packed.clear();
        let near = near.then_some(&*current);
        let refuse = |full| refuse(shared.halt, full);
        shared
            .store
            .pack(states(out).map(|(_, s)| Candidate::State(s, None)), near, scratch, packed)
            .map_err(refuse)?;
        packed.iter().for_each(|packed| shared.store.prefetch(*packed));
        for ((step, _), packed) in states(out).zip(packed) {
            let entered = shared.store.commit(*packed);
            tally.states += u64::from(matches!(entered, Inserted::New(_)));
            match entered {
                Inserted::New(StateId(target)) | Inserted::Old(StateId(target)) => {
                    edges.push(Edge { target, step, movers: 0 });
                }
                Inserted::Full(full) => return Err(refuse(full)),
            }
        }
        Ok(())
    }

    /// All that was expanded before is in the store. What there is no room for is of no interest:
    /// it was not visited.
    fn enter_known(&mut self, near: bool, edges: &mut Vec<Edge>) {
        let near = near.then_some(&self.current);
        for (step, state) in states(&self.out) {
            match self.shared.store.insert(state, near, &mut self.scratch) {
                Inserted::New(StateId(target)) | Inserted::Old(StateId(target)) => {
                    edges.push(Edge { target, step, movers: 0 });
                }
                Inserted::Full(_) => {}
            }
        }
    }

    fn tell(&mut self, waiting: u64) {
        self.tally.tell(self.shared.control, waiting);
    }

    /// The last report, and which statements were executed.
    pub fn finish(mut self) -> Vec<bool> {
        self.tell(0);
        self.explorer.covered().to_vec()
    }
}

impl<E: Explorer> Graph for Stored<'_, E> {
    fn initial(&mut self, out: &mut Vec<Edge>) -> Result<(), Halted> {
        self.check()?;
        self.out.clear();
        self.explorer.initial(&mut self.out);
        if self.out.is_cut_short() {
            return Err(Halted::Asked);
        }
        self.enter(false, out)
    }

    fn successors(&mut self, id: u32, out: &mut Vec<Edge>) -> Result<u64, Halted> {
        self.check()?;
        self.read(id);
        self.out.clear();
        self.explorer.successors(self.current.state(), &mut self.out);
        if self.out.is_cut_short() {
            return Err(Halted::Asked);
        }
        let first = out.len();
        self.enter(true, out)?;
        if !self.shared.with_movers {
            return Ok(0);
        }
        self.movers.clear();
        self.explorer.movers(self.current.state(), &mut self.movers);
        for edge in &mut out[first..] {
            edge.movers = self.movers.get(edge.step.0 as usize).copied().unwrap_or(0);
        }
        // A process whose only step goes wrong is enabled.
        Ok(self.movers.iter().fold(0, |all, movers| all | movers))
    }

    fn is_accepting(&mut self, id: u32) -> bool {
        self.read(id);
        self.explorer.is_accepting(self.current.state())
    }

    fn expand(&mut self, id: u32, depth: usize, out: &mut Vec<Edge>) -> Result<u64, Halted> {
        self.tally.expanded += 1;
        self.tally.depth = self.tally.depth.max(depth as u64);
        if self.shared.depth_limit.is_some_and(|limit| depth as u64 >= limit) {
            self.shared.cut.store(true, Relaxed);
            // Without edges it is on no cycle, and what is enabled does not matter.
            return Ok(0);
        }
        let enabled = self.successors(id, out)?;
        self.tally.transitions += self.out.len() as u64;
        if self.tally.expanded >= Self::REPORT_EVERY {
            self.tell(out.len() as u64);
        }
        Ok(enabled)
    }

    fn check(&self) -> Result<(), Halted> {
        let stop = match self.patient {
            true => self.shared.control.interrupt.load(Relaxed),
            false => self.shared.halt.requested(),
        };
        if stop { Err(Halted::Asked) } else { Ok(()) }
    }
}

fn states(out: &Successors) -> impl Iterator<Item = (Step, StateRef<'_>)> + Clone {
    out.iter().filter_map(|(step, successor)| Some((step, successor.state()?)))
}

fn refuse(halt: &Halt, full: Full) -> Halted {
    halt.stop(match full {
        Full::States => Stop::States,
        // Codes are never learned anew here.
        Full::Memory | Full::Codes => Stop::Memory,
    });
    Halted::Asked
}
