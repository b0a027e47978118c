//! Successors by the numbers of their parts: steps that were made before are looked up, others are made and kept.

use crate::conflict;
use crate::explore::{Moves, Outcome, Walker, leave};
use crate::memo::{Known, KnownStep, Made};
use crate::state::part;
use crate::work::Work;
use auspex_system::{Numbered, StateRef, Successors};

/// What is found out about a thread that moves, and where the numbers come from.
pub(crate) struct Note<'a> {
    pub state: &'a mut dyn Numbered,
    pub known: Known,
}

impl Walker<'_> {
    /// The successors of a state.
    pub(crate) fn expand_numbered(&mut self, state: &mut dyn Numbered, out: &mut Successors) {
        self.movers.clear();
        self.printed.clear();
        let keeps = self.memo.begin(&self.machine.program, state);
        if keeps {
            self.memo.find_all(&self.machine.program);
        }
        let mut all = std::mem::take(&mut self.moves);
        all.clear();
        // The state is only taken apart if a step has to be made.
        let mut apart: Option<Work> = None;
        for index in 0..self.memo.thread_count() {
            let known = if keeps { self.repeat(index, state, out) } else { None };
            let moves = match known {
                Some(moves) if !cfg!(debug_assertions) => moves,
                known => {
                    let work = apart.get_or_insert_with(|| self.take_apart(state));
                    match known {
                        Some(moves) => {
                            self.check(work, index, state, &moves);
                            moves
                        }
                        None => self.make(work, index, keeps, state, out),
                    }
                }
            };
            all.push(moves);
            if out.is_interrupted() {
                break;
            }
        }
        if !out.is_cut_short() {
            let stuck = conflict::stuck(&all, |index| self.memo.thread_id(index));
            let race = self.races(&all);
            if stuck != 0 || race.is_some() {
                let work = apart.get_or_insert_with(|| self.take_apart(state));
                if let Some(both) = race {
                    out.push_fault(self.race(work, both));
                }
                if let Some(fault) = self.deadlock(work, &all, stuck) {
                    out.push_fault(fault);
                }
            }
            leave(&all, out);
        }
        self.moves = all;
        if let Some(work) = apart {
            self.current = work;
        }
    }

    /// To be given back as `current`.
    fn take_apart(&mut self, state: &mut dyn Numbered) -> Work {
        let mut work = std::mem::take(&mut self.current);
        self.pieces.read(&self.machine.program, state, self.memo.parts(), &mut work);
        self.cpu.work.load(&work);
        work
    }

    /// Does again what a thread did before in the same situation, if that is known.
    fn repeat(
        &mut self,
        index: usize,
        state: &mut dyn Numbered,
        out: &mut Successors,
    ) -> Option<Moves> {
        let (program, allow_leak) = (&*self.machine.program, self.machine.options.allow_leak);
        let mut known = std::mem::take(&mut self.known);
        if !self.memo.recall(index, &mut known) {
            self.known = known;
            return None;
        }
        self.memo.clear_found();
        let (mut settled, mut steps) = (true, &*known.steps);
        while settled && let Some((step, rest)) = KnownStep::first_of(steps) {
            settled = self.memo.settle(program, allow_leak, index, step, state);
            steps = rest;
        }
        let moves = settled.then(|| Moves {
            free: known.free,
            waiting: known.waiting,
            leads_on: !known.steps.is_empty(),
            pruned: known.pruned,
            accesses: known.accesses.clone(),
            ..Moves::default()
        });
        if settled {
            self.memo.found().for_each(|parts| out.push_numbered(parts));
            self.cpu.executed += known.executed;
        }
        self.known = known;
        moves
    }

    /// Makes the steps of a thread, and keeps in mind what it does.
    fn make(
        &mut self,
        work: &Work,
        index: usize,
        keeps: bool,
        state: &mut dyn Numbered,
        out: &mut Successors,
    ) -> Moves {
        self.cpu.work.reads.begin(work.threads[index].frames.len());
        let mut known = std::mem::take(&mut self.known);
        known.steps.clear();
        (known.unknown, known.executed) = (!keeps, 0);
        let mut note = Note { state, known };
        let moves = self.expand_thread(work, index, Some(&mut note), out);
        let mut known = note.known;
        // What was interrupted is not what it does.
        if keeps && !out.is_interrupted() {
            // A place in an object that it has made has no number that means the same elsewhere.
            known.unknown |=
                moves.accesses.iter().any(|it| it.object as usize > work.objects.len());
            if known.unknown {
                known.steps.clear();
            }
            (known.free, known.pruned) = (moves.free, moves.pruned);
            known.waiting = moves.waiting;
            known.accesses.clone_from(&moves.accesses);
            let reads = &self.cpu.work.reads;
            self.memo.keep(&self.machine.program, index, &reads.order(), &known);
        }
        self.known = known;
        moves
    }

    /// In tests: is that what the thread does?
    fn check(&mut self, work: &Work, index: usize, state: &mut dyn Numbered, known: &Moves) {
        let (mut again, executed) = (Successors::new(), self.cpu.executed);
        let moves = self.expand_thread(work, index, None, &mut again);
        self.cpu.executed = executed;
        assert_eq!(format!("{moves:?}"), format!("{known:?}"), "what a thread can do");
        let states: Vec<_> = again.iter().map(|(_, it)| all_numbers(it.state(), state)).collect();
        let found: Vec<_> = self.memo.found().map(|parts| Some(parts.to_vec())).collect();
        assert_eq!(found, states, "the states that it leads to");
    }

    /// Notes the step that was just made. True: the state that it leads to was found that way.
    pub(crate) fn capture(&mut self, work: &Work, ended: bool, note: &mut Note<'_>) -> bool {
        let Note { state, known } = note;
        if known.unknown {
            return false;
        }
        let (program, allow_leak) = (&*self.machine.program, self.machine.options.allow_leak);
        let (index, unread) = (self.cpu.index, &*self.unread);
        let below = self.cpu.work.reads.frames_below();
        let made = Made { base: work, work: &self.cpu.work, index, ended, below, unread };
        let start = known.steps.len();
        let captured =
            self.memo.capture(program, allow_leak, &made, &mut **state, &mut known.steps);
        let step = captured.and_then(|()| KnownStep::first_of(&known.steps[start..]));
        let Some((step, _)) = step else {
            known.unknown = true;
            return false;
        };
        self.memo.clear_found();
        self.memo.settle(program, allow_leak, index, step, &mut **state)
    }

    /// In tests: is the state that was found that way the one that the step leads to?
    pub(crate) fn check_capture(&mut self, outcome: &Outcome, note: &mut Note<'_>) {
        assert!(matches!(outcome, Outcome::State), "the step goes wrong");
        let state = all_numbers(Some(self.encoder.state()), note.state);
        let found = self.memo.found().next().map(<[u32]>::to_vec);
        assert_eq!(found, state, "the state that a step leads to");
    }

    /// Appends the state that a step has led to.
    pub(crate) fn push_noted(
        &mut self,
        outcome: &Outcome,
        note: &mut Note<'_>,
        out: &mut Successors,
    ) {
        if let Outcome::Numbered = outcome {
            return self.memo.found().for_each(|parts| out.push_numbered(parts));
        }
        let encoded = self.encoder.state();
        match numbers(encoded, note.state, &mut self.numbers) {
            Some(()) => out.push_numbered(&self.numbers),
            // There is no room: let the search find out.
            None => out.push(encoded),
        }
    }
}

/// The numbers of all parts of a state. `None`: there is no room.
fn numbers(of: StateRef<'_>, state: &mut dyn Numbered, into: &mut Vec<u32>) -> Option<()> {
    into.clear();
    let first = of.cuts.first().map_or(of.bytes.len(), |end| *end as usize);
    into.push(state.number(&of.bytes[..first])?);
    for index in 1..=of.cuts.len() {
        into.push(state.number(part(of, index))?);
    }
    Some(())
}

/// The same in a list of its own.
fn all_numbers(of: Option<StateRef<'_>>, state: &mut dyn Numbered) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    numbers(of?, state, &mut all).map(|()| all)
}
