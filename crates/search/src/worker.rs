//! One thread of a search: what it does with a state is the same for every order.

use crate::edge::{Edge, MOST_CHOICES};
use crate::halt::Halt;
use crate::visited::Visited;
use crate::{Control, Options, Stop};
use auspex_store::Full;
use auspex_system::{Enough, Explorer, Fault, Location, Successor, Successors};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What all workers of a search share.
pub(crate) struct Shared<'a, V: Visited> {
    pub visited: &'a V,
    pub options: &'a Options,
    pub control: &'a Control,
    pub halt: &'a Halt,
    pub faults: Mutex<Vec<Reached<V::Origin>>>,
    /// States at the greatest depth were left unexpanded.
    pub cut: AtomicBool,
    /// A state was left out or not expanded because the search was stopped.
    pub incomplete: AtomicBool,
}

/// A fault and how it was reached; `None`: while building an initial state.
pub(crate) struct Reached<O> {
    pub fault: Fault,
    pub origin: Option<O>,
    pub edge: Edge,
}

impl<'a, V: Visited> Shared<'a, V> {
    pub fn new(visited: &'a V, options: &'a Options, control: &'a Control, halt: &'a Halt) -> Self {
        let (faults, cut) = (Mutex::default(), AtomicBool::new(false));
        let incomplete = AtomicBool::new(false);
        Shared { visited, options, control, halt, faults, cut, incomplete }
    }

    /// Keeps a fault unless the same one is known already.
    fn report(&self, fault: &Fault, origin: Option<V::Origin>, edge: Edge) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |other: &Reached<_>| {
            other.fault.kind == fault.kind && other.fault.location == fault.location
        };
        // What cannot be checked is remembered, but a real fault may still be found.
        let real = |other: &Reached<_>| !other.fault.is_unsupported();
        let enough = !self.options.all && faults.iter().any(real);
        if !enough && !faults.iter().any(known) {
            faults.push(Reached { fault: fault.clone(), origin, edge });
        }
        if !self.options.all && !fault.is_unsupported() {
            self.halt.found();
        }
    }

    fn refuse(&self, full: Full) {
        self.incomplete.store(true, Relaxed);
        match full {
            Full::States => self.halt.stop(Stop::States),
            Full::Memory => self.halt.stop(Stop::Memory),
            Full::Codes => self.halt.begin_again(),
        }
    }
}

pub(crate) struct Worker<'a, V: Visited, E> {
    pub shared: &'a Shared<'a, V>,
    explorer: E,
    out: Successors,
    local: V::Local,
    /// Faults that need no second look: a lock for each of a million deadlocks would hurt.
    known: HashSet<(&'static str, Location)>,
    tally: Tally,
    /// With reduced expansions that are enough whenever there is one, and with others.
    sure: Luck,
    unsure: Luck,
}

/// How often it was worth while to try a reduced expansion.
#[derive(Default)]
struct Luck {
    tried: u32,
    enough: u32,
    /// States that were not tried since the last one that was.
    spared: u32,
}

impl Luck {
    /// Is it worth another try? Where it hardly ever is, only now and then.
    fn is_worth_it(&mut self) -> bool {
        let seldom = self.tried >= 256 && self.enough < self.tried / 8;
        self.spared = if seldom { (self.spared + 1) % 64 } else { 0 };
        self.spared == 0
    }

    fn learn(&mut self, was_enough: bool) {
        self.tried += 1;
        self.enough += u32::from(was_enough);
        if self.tried == 4096 {
            (self.tried, self.enough) = (self.tried / 2, self.enough / 2);
        }
    }
}

/// What a worker has counted and not yet told.
#[derive(Default)]
pub(crate) struct Tally {
    pub expanded: u32,
    /// New ones, all that there ever were.
    pub states: u64,
    /// As many of them as the outside knows of.
    told: u64,
    pub transitions: u64,
    pub depth: u64,
    /// States waiting at this worker, as last told.
    waiting: u64,
}

impl Tally {
    /// Tells the outside, and begins anew.
    pub fn tell(&mut self, control: &Control, waiting: u64) {
        control.states.fetch_add(self.states - self.told, Relaxed);
        control.transitions.fetch_add(self.transitions, Relaxed);
        control.depth.fetch_max(self.depth, Relaxed);
        // Modulo 2^64: the sum over all workers is right whatever each adds.
        control.frontier.fetch_add(waiting.wrapping_sub(self.waiting), Relaxed);
        let (states, depth) = (self.states, self.depth);
        *self = Tally { states, told: states, waiting, depth, ..Tally::default() };
    }
}

impl<'a, V: Visited, E: Explorer> Worker<'a, V, E> {
    /// States between two reports to the outside.
    const REPORT_EVERY: u32 = 4096;

    pub fn new(shared: &'a Shared<'a, V>, explorer: E) -> Self {
        let out = Successors::interruptible(shared.halt.flag.clone());
        let local = V::Local::default();
        let (known, tally) = (HashSet::new(), Tally::default());
        let (sure, unsure) = (Luck::default(), Luck::default());
        Worker { shared, explorer, out, local, known, tally, sure, unsure }
    }

    /// Enters the initial states.
    pub fn begin(&mut self, mut new: impl FnMut(V::Waiting)) {
        self.out.clear();
        self.explorer.initial(&mut self.out);
        self.enter(None, None, |_, waiting| new(waiting));
    }

    /// Enters the successors of a state: all of them, or enough.
    #[inline]
    pub fn expand(&mut self, waiting: &V::Waiting, mut new: impl FnMut(V::Waiting)) {
        let depth = V::depth(waiting);
        self.tally.depth = self.tally.depth.max(depth);
        self.tally.expanded += 1;
        if self.shared.options.limits.depth.is_some_and(|limit| depth >= limit) {
            return self.shared.cut.store(true, Relaxed);
        }
        if self.shared.options.reduce && self.expand_reduced(waiting, &mut new) {
            return;
        }
        let Worker { shared, tally, local, explorer, out, .. } = self;
        let (visited, found) = (shared.visited, tally.states);
        let entered = visited.expand_known(waiting, local, explorer, out, found, |waiting| {
            tally.states += 1;
            new(waiting);
        });
        match entered {
            Ok(Some(count)) => return self.tally.transitions += count as u64,
            Ok(None) => {}
            Err(full) => return self.shared.refuse(full),
        }
        self.out.clear();
        visited.expand(waiting, &mut self.local, &mut self.explorer, &mut self.out);
        self.take_note(Some(waiting), None);
        let Worker { tally, local, out, .. } = self;
        let entered = visited.enter_soon(waiting, local, out, |waiting| {
            tally.states += 1;
            new(waiting);
        });
        if let Err(full) = entered {
            self.shared.refuse(full);
        }
    }

    /// Enters successors that are left over: they are entered a little later than their states are expanded.
    pub fn settle(&mut self, mut new: impl FnMut(V::Waiting)) {
        let Worker { shared, tally, local, .. } = self;
        let settled = shared.visited.settle(local, |waiting| {
            tally.states += 1;
            new(waiting);
        });
        if let Err(full) = settled {
            shared.refuse(full);
        }
    }

    /// Expands a state as little as the system allows, if it does. What a reduced expansion puts
    /// off may be put off again, but not for ever: a state that is entered here as a new one will
    /// be expanded later than this one, so the last in any row of them is expanded in full.
    fn expand_reduced(&mut self, waiting: &V::Waiting, new: &mut impl FnMut(V::Waiting)) -> bool {
        for choice in 0..MOST_CHOICES {
            let luck = if choice == 0 { &mut self.sure } else { &mut self.unsure };
            if choice < 2 && !luck.is_worth_it() {
                return false;
            }
            self.out.clear();
            let state = self.shared.visited.open(waiting, &mut self.local);
            let enough = self.explorer.reduced(state, usize::from(choice), &mut self.out);
            let mut is_enough = match enough {
                Enough::No if choice == 0 => {
                    self.sure.learn(false);
                    continue;
                }
                Enough::No => break,
                Enough::Yes => true,
                Enough::IfNew(_) => false,
            };
            self.enter(Some(waiting), Some(choice), |number, waiting| {
                is_enough |= enough == Enough::IfNew(number);
                new(waiting);
            });
            if choice == 0 { &mut self.sure } else { &mut self.unsure }.learn(is_enough);
            if is_enough {
                return true;
            }
            if self.shared.halt.requested() {
                self.abandon();
                return true;
            }
        }
        false
    }

    #[inline]
    fn enter(
        &mut self,
        from: Option<&V::Waiting>,
        choice: Option<u8>,
        mut new: impl FnMut(usize, V::Waiting),
    ) {
        self.take_note(from, choice);
        let Worker { shared, tally, local, out, .. } = self;
        let entered = shared.visited.enter(from, choice, local, out, |number, waiting| {
            tally.states += 1;
            new(number, waiting);
        });
        if let Err(full) = entered {
            shared.refuse(full);
        }
    }

    /// Of everything about successors but their states.
    #[inline]
    fn take_note(&mut self, from: Option<&V::Waiting>, choice: Option<u8>) {
        if self.out.is_cut_short() {
            self.abandon();
        }
        if from.is_some() {
            self.tally.transitions += self.out.len() as u64;
        }
        if self.out.has_faults() {
            self.report_faults(from, choice);
        }
    }

    fn report_faults(&mut self, from: Option<&V::Waiting>, choice: Option<u8>) {
        for (step, successor) in self.out.iter() {
            let Successor::Fault(fault) = successor else { continue };
            if self.known.insert((fault.kind, fault.location.clone())) {
                let origin = from.map(|from| self.shared.visited.origin(from));
                self.shared.report(fault, origin, Edge { choice, step });
            }
        }
    }

    /// How many states this worker was the first to enter.
    pub fn found(&self) -> u64 {
        self.tally.states
    }

    /// Leaves a state that waits unexpanded.
    pub fn abandon(&self) {
        self.shared.incomplete.store(true, Relaxed);
    }

    /// Tells the outside how far the search is, now and then. `waiting` is the number of states
    /// that wait at this worker.
    #[inline]
    pub fn tell(&mut self, waiting: u64) {
        if self.tally.expanded >= Self::REPORT_EVERY {
            self.tell_now(waiting);
        }
    }

    #[cold]
    fn tell_now(&mut self, waiting: u64) {
        self.tally.tell(self.shared.control, waiting);
    }

    /// The last report, and which statements were executed.
    pub fn finish(mut self) -> Vec<bool> {
        self.tell_now(0);
        self.explorer.covered().to_vec()
    }
}
