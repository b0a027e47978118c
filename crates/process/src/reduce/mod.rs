//! Partial order reduction: of the orders in which independent steps can happen, one is enough.
//!
//! `access` reads from a statement what it touches, `proctype` and `control` what that means for a
//! process type, `analysis` sums it up for the processes of a model, `look` says what one process can do in a state, `eyes`
//! keep that in mind, `cluster` finds the processes that may go first, and here they do. Why nothing is lost is in `docs/reduction.md`.

mod access;
mod analysis;
mod cluster;
mod control;
mod eyes;
mod footprint;
mod look;
mod proctype;

use crate::explore::Interpreter;
use crate::ir::Model;
use crate::work::Work;

use analysis::Analysis;
use auspex_system::{Enough, Explorer, StateRef, Step, Successor, Successors};
use cluster::{Cluster, Clusters};

/// Steps that follow one another without a choice are taken together, up to so many.
const LONGEST_CHAIN: usize = 1000;

/// A state out of which there are only loops is looked for so far.
const FARTHEST: usize = 10_000;

/// What an interpreter needs to reduce.
#[derive(Default)]
pub(crate) struct Reducer<'m> {
    /// `Err`: why it cannot be done.
    clusters: Option<Result<Box<Clusters<'m>>, &'static str>>,
    /// What the members of a cluster can do, before that is followed any further.
    steps: Successors,
    /// What follows one of these.
    next: Successors,
    /// The clusters of the state that was asked about last, for the next question about it.
    asked: (Vec<u8>, Vec<Cluster>),
    /// The states on the way to each successor, the last one included, if somebody wants to know.
    ways: Option<Vec<Vec<State>>>,
}

#[derive(Clone)]
struct State {
    bytes: Vec<u8>,
    cuts: Vec<u32>,
}

impl State {
    fn of(state: StateRef<'_>) -> Self {
        State { bytes: state.bytes.to_vec(), cuts: state.cuts.to_vec() }
    }

    fn view(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }
}

impl Model {
    /// What the model uses that forbids a reduction.
    pub fn cannot_be_reduced(&self) -> Option<&'static str> {
        let mut interpreter = Interpreter::new(self);
        interpreter.prepare();
        match interpreter.reducer.clusters {
            Some(Err(obstacle)) => Some(obstacle),
            _ => None,
        }
    }
}

impl<'m> Interpreter<'m> {
    /// Analyses the model, once. Can it be reduced?
    fn prepare(&mut self) -> bool {
        if self.reducer.clusters.is_none() {
            let clusters = match self.build_initial() {
                Ok(initial) => Analysis::new(self.model, &initial).map(Clusters::new).map(Box::new),
                Err(_) => Err("a beginning that goes wrong"),
            };
            self.reducer.clusters = Some(clusters);
        }
        matches!(self.reducer.clusters, Some(Ok(_)))
    }

    fn best_cluster(&mut self, work: &Work, below: usize) -> Option<Cluster> {
        match &mut self.reducer.clusters {
            Some(Ok(clusters)) => clusters.best(work, below),
            _ => None,
        }
    }

    /// See [`auspex_system::Explorer::reduced`]: number 0 is a cluster that closes no loop; where
    /// there is none, those that do come next.
    pub(crate) fn reduced(
        &mut self,
        state: StateRef<'_>,
        choice: usize,
        out: &mut Successors,
    ) -> Enough {
        if !self.prepare() {
            return Enough::No;
        }
        let work = self.load(state);
        let enough = match choice {
            0 => match self.best_cluster(&work, usize::MAX) {
                Some(cluster) if self.expand_cluster(&work, &cluster, out) => Enough::Yes,
                _ => Enough::No,
            },
            _ => self.closing(&work, choice - 1, out),
        };
        self.pool.push(work);
        enough
    }

    /// Expands a cluster that closes a loop, and looks ahead: the first state behind it where a
    /// loop is closed again, or where nobody may go first, must be a new one.
    fn closing(&mut self, work: &Work, choice: usize, out: &mut Successors) -> Enough {
        let Some(Ok(clusters)) = &mut self.reducer.clusters else { return Enough::No };
        let (state, all) = &mut self.reducer.asked;
        if choice == 0 || *state != work.bytes {
            state.clone_from(&work.bytes);
            *all = clusters.all(work);
        }
        let Some(cluster) = all.get(choice).copied() else { return Enough::No };
        let begin = out.len();
        if !self.expand_cluster(work, &cluster, out) {
            return Enough::No;
        }
        let Successor::State(first) = out.get(begin) else { return Enough::No };
        let mut here = self.load(first);
        let mut way = self.reducer.ways.as_ref().and_then(|ways| ways.first().cloned());
        let mut far = 0;
        while let Some(cluster) = self.best_cluster(&here, usize::MAX) {
            if !self.first_step(&mut here, &cluster) {
                break;
            }
            far += 1;
            if far > FARTHEST {
                self.pool.push(here);
                return Enough::No;
            }
            way.iter_mut().for_each(|way| way.push(State::of(here.state())));
        }
        if far > 0 {
            out.push(here.state());
            self.reducer.ways.iter_mut().zip(way).for_each(|(ways, way)| ways.push(way));
        }
        self.pool.push(here);
        Enough::IfNew(if far > 0 { out.len() - 1 } else { begin })
    }

    /// Takes the first step of a cluster, if it is not a fault.
    fn first_step(&mut self, here: &mut Work, cluster: &Cluster) -> bool {
        let mut next = std::mem::take(&mut self.reducer.next);
        self.members_move(here, cluster, &mut next);
        let goes_on = is_free_of_faults(&next);
        if goes_on && let Successor::State(state) = next.get(0) {
            here.load(self.model, state, &mut self.recent);
        }
        self.reducer.next = next;
        goes_on
    }

    /// Appends what the members of a cluster can do, followed as far as there is no choice. False
    /// when that is nothing, or when something goes wrong with it.
    fn expand_cluster(&mut self, work: &Work, cluster: &Cluster, out: &mut Successors) -> bool {
        let mut steps = std::mem::take(&mut self.reducer.steps);
        if let (None, Some(flag)) = (steps.interrupt(), out.interrupt()) {
            steps = Successors::interruptible(flag.clone());
            self.reducer.next = Successors::interruptible(flag.clone());
        }
        self.members_move(work, cluster, &mut steps);
        let is_enough = is_free_of_faults(&steps) && !out.is_interrupted();
        if is_enough {
            let mut here = self.pool.pop().unwrap_or_default();
            for (_, successor) in steps.iter() {
                let Successor::State(state) = successor else { continue };
                here.load(self.model, state, &mut self.recent);
                self.follow_chain(&mut here);
                out.push(here.state());
            }
            self.pool.push(here);
        }
        self.reducer.steps = steps;
        is_enough && !out.is_interrupted()
    }

    /// Everything that the members of a cluster can do next, in the order of `successors`.
    fn members_move(&mut self, work: &Work, cluster: &Cluster, out: &mut Successors) {
        out.clear();
        out.begin(work.state());
        self.begin();
        for pid in (0..work.process_count()).rev().filter(|pid| cluster.members.contains(*pid)) {
            self.let_move(work, pid..pid + 1, out);
        }
    }

    /// Goes on from a state as long as one process may go first and has one way to go that closes
    /// no loop and does not go wrong. The states passed are on no cycle of their own: they need not
    /// be remembered.
    fn follow_chain(&mut self, here: &mut Work) {
        let mut way = self.reducer.ways.as_ref().map(|_| vec![State::of(here.state())]);
        for _ in 0..LONGEST_CHAIN {
            let Some(cluster) = self.best_cluster(here, 2) else { break };
            let mut next = std::mem::take(&mut self.reducer.next);
            self.members_move(here, &cluster, &mut next);
            let only = (next.len() == 1 && !next.is_cut_short()).then(|| next.get(0));
            let goes_on = matches!(only, Some(Successor::State(_)));
            if let Some(Successor::State(state)) = only {
                here.load(self.model, state, &mut self.recent);
                way.iter_mut().for_each(|way| way.push(State::of(here.state())));
            }
            self.reducer.next = next;
            if !goes_on {
                break;
            }
        }
        self.reducer.ways.iter_mut().zip(way).for_each(|(ways, way)| ways.push(way));
    }

    /// The steps of the plain system behind number `index` of a reduced expansion.
    pub(crate) fn plain_steps(
        &mut self,
        state: StateRef<'_>,
        choice: usize,
        index: usize,
    ) -> Option<Vec<Step>> {
        self.reducer.ways = Some(Vec::new());
        let mut out = Successors::new();
        self.reduced(state, choice, &mut out);
        let way = self.reducer.ways.take()?.into_iter().nth(index)?;
        let mut from = State::of(state);
        let mut steps = Vec::new();
        for next in way {
            out.clear();
            self.successors(from.view(), &mut out);
            let leads_there =
                |s: &Successor<'_>| matches!(s, Successor::State(s) if s.bytes == next.bytes);
            steps.push(out.iter().find(|(_, successor)| leads_there(successor))?.0);
            from = next;
        }
        Some(steps)
    }
}

/// Is there something, all of it states, and complete?
fn is_free_of_faults(steps: &Successors) -> bool {
    let is_state = |successor| matches!(successor, Successor::State(_));
    !steps.is_empty() && !steps.is_cut_short() && steps.iter().all(|(_, s)| is_state(s))
}
