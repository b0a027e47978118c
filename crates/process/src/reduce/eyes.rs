//! What one process can do was found out before, wherever it sees what it saw then.
//!
//! A *world* is all states that agree in the bytes that are never written: the types of their processes, and arguments
//! that stay as they are. In a world it can be said of each process at each location which bytes matter to a look
//! at it. What was found is kept by these bytes; and since few different things are found, they get numbers,
//! and whether one process may do what another one must fear is known of each two numbers.

use super::access::Access;
use super::analysis::{Analysis, Scope};
use super::footprint::{DROPS, END, Footprint, Set};
use super::look::{Found, look};
use super::proctype::{LocationInfo, TransitionInfo};
use crate::eval::Env;
use crate::ir::*;
use crate::sight::{Alike, Look, Seen};
use crate::work::{Layout, Work};
use auspex_system::StateRef;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// With more of one of these, all is forgotten.
const MOST_WORLDS: usize = 64;
const MOST_FUTURES: usize = 1 << 12;
const MOST_KNOWN: usize = 1 << 16;
const MOST_THREATS: usize = 1 << 12;
/// A byte each.
const MOST_MEETINGS: usize = 1 << 25;

/// The number of a footprint.
pub type Number = u32;

/// What is always the same for a process at a location.
#[derive(Clone, Copy)]
pub struct Place {
    /// What it may do from there on.
    future: Number,
    /// Some transition closes a loop.
    pub closes_loop: bool,
}

/// What was found about a process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    pub enabled: u32,
    /// The number of a [`Fear`] of its world.
    pub fear: u32,
}

/// What a process must fear, and of whom.
#[derive(Debug)]
struct Fear {
    /// What younger processes must not do, and older ones, which end later.
    threats: Number,
    threats_of_older: Number,
    /// Who may do that wherever they are, and who somewhere.
    always: Set,
    sometimes: Set,
}

impl Fear {
    fn of(&self, other: usize, pid: usize) -> Number {
        if other < pid { self.threats_of_older } else { self.threats }
    }
}

#[derive(Default)]
pub struct Eyes {
    worlds: Vec<World>,
    /// That of the state at hand.
    world: usize,
    futures: FxHashMap<Identity, Rc<Futures>>,
    /// How often something is kept by what is seen.
    count: usize,
    threats: Numbers,
    operations: Numbers,
    /// For each threat and each future whether they meet.
    meetings: Vec<Vec<Option<bool>>>,
    bytes: Vec<u8>,
}

/// Footprints, each once.
#[derive(Default)]
struct Numbers {
    all: Vec<Footprint>,
    numbers: FxHashMap<Footprint, Number>,
}

impl Numbers {
    fn number(&mut self, of: &Footprint) -> Number {
        *self.numbers.entry(*of).or_insert_with(|| {
            self.all.push(*of);
            self.all.len() as Number - 1
        })
    }
}

struct World {
    layout: Rc<Layout>,
    /// The bytes of one of its states, and a mask of those in which all agree.
    like: Vec<u8>,
    fixed: Vec<u8>,
    /// For each process.
    futures: Vec<Rc<Futures>>,
    /// For each process and each of its locations.
    eyes: Vec<Vec<Option<Eye>>>,
    fears: Vec<Fear>,
    /// By the process, its threats, and whether it waits for its end.
    fear_numbers: FxHashMap<(usize, Number, bool), u32>,
}

/// What the future of a process depends on besides its location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Identity {
    pid: usize,
    proctype: ProctypeId,
    fixed_locals: Vec<u8>,
}

/// The operations of one process: from each location on, and in the rest of a step.
struct Futures {
    locations: Vec<Place>,
    /// What it may do from some location on, each once.
    all: Vec<Number>,
    inner: Vec<Option<Footprint>>,
}

/// What is known of a process at a location, by the bytes that matter.
enum Eye {
    /// It was looked at once: to find out which do takes as long as some looks.
    Met,
    /// It cannot be said which do, or what they are is most often new.
    Blind,
    /// So few that they make one number.
    Few {
        places: Box<[u32]>,
        known: FxHashMap<u64, Known>,
    },
    Many {
        places: Box<[u32]>,
        known: FxHashMap<Box<[u8]>, Known>,
        luck: Luck,
    },
}

#[derive(Default)]
struct Luck {
    asked: u32,
    missed: u32,
}

impl Luck {
    fn is_bad(&self) -> bool {
        self.asked >= 1 << 12 && self.missed > self.asked / 2
    }
}

impl Futures {
    fn new(analysis: &Analysis<'_>, work: &Work, pid: usize, numbers: &mut Numbers) -> Self {
        let id = work.proctype(pid);
        let env = Env { model: analysis.model, work, pid, timeout: false };
        let scope = Scope::Process(env, id);
        let proctype = analysis.model.proctype(id);
        let infos = &analysis.proctypes[id.0 as usize].locations;
        let mut inner = vec![None; proctype.transitions.len()];
        for (location, info) in proctype.locations.iter().zip(infos) {
            for (index, transition) in (location.first as usize..).zip(&info.transitions) {
                let operations = transition.inner.as_ref().map(|inner| &inner.operations);
                inner[index] = operations.map(|it| analysis.operations(it, scope));
            }
        }
        let place = |info: &LocationInfo<'_>| {
            let future = numbers.number(&analysis.operations(&info.future, scope));
            Place { future, closes_loop: info.closes_loop }
        };
        let locations: Vec<Place> = infos.iter().map(place).collect();
        let mut all: Vec<Number> = locations.iter().map(|place| place.future).collect();
        all.sort_unstable();
        all.dedup();
        Futures { locations, all, inner }
    }
}

impl World {
    fn has(&self, work: &Work) -> bool {
        let is_laid_out =
            Rc::ptr_eq(&self.layout, &work.layout) || self.layout.cuts == work.layout.cuts;
        let bytes = self.like.iter().zip(&work.bytes).zip(&self.fixed);
        is_laid_out
            && self.like.len() == work.bytes.len()
            && bytes.fold(0, |all, ((a, b), mask)| all | (a ^ b) & mask) == 0
    }

    /// The bytes that matter to a look at a process.
    fn seen(&self, analysis: &Analysis<'_>, pid: usize, location: LocId) -> Option<Vec<u32>> {
        let like = StateRef { bytes: &self.like, cuts: &self.layout.cuts };
        let fixed: Vec<bool> = self.fixed.iter().map(|mask| *mask != 0).collect();
        let alike = Alike::new(analysis.model, like, &fixed)?;
        let id = self.layout.processes[pid].proctype;
        let proctype = analysis.model.proctype(id);
        let first = proctype.locations[location.0 as usize].first as usize;
        let transitions = &analysis.proctypes[id.0 as usize].locations[location.0 as usize];
        let seen = alike.seen_by(|look| {
            let both = proctype.transitions_of(location).iter().zip(&transitions.transitions);
            for (index, (transition, info)) in both.enumerate() {
                look.wait(pid, &transition.action)?;
                see_first(look, pid, info)?;
                if let Some(inner) = &self.futures[pid].inner[first + index] {
                    inner.sends.iter().chain(inner.takes.iter()).for_each(|id| look.length(id));
                }
            }
            Ok(())
        })?;
        Some((0..).zip(seen).filter(|(_, is_seen)| *is_seen).map(|(at, _)| at).collect())
    }
}

/// Sees what decides which variables and channels a statement is about.
fn see_first(look: &mut Look<'_>, pid: usize, info: &TransitionInfo<'_>) -> Seen<()> {
    let guard = info.guard.iter().flat_map(|cause| &cause.accesses);
    for access in info.first.iter().chain(guard) {
        match access {
            Access::Read(place) | Access::Write(place) => {
                for index in &place.indices {
                    look.value(pid, &index.expr)?;
                }
            }
            Access::Test(_, channel) => look.lengths(pid, channel)?,
            Access::Send { channel, .. }
            | Access::Take { channel, .. }
            | Access::Look(channel)
            | Access::Offer(channel) => _ = look.value(pid, channel)?,
            Access::Run(_) | Access::Count | Access::End => {}
        }
    }
    Ok(())
}

impl Eye {
    fn new(places: Option<Vec<u32>>) -> Eye {
        match places {
            None => Eye::Blind,
            Some(places) if places.len() <= size_of::<u64>() => {
                Eye::Few { places: places.into(), known: FxHashMap::default() }
            }
            Some(places) => Eye::Many {
                places: places.into(),
                known: FxHashMap::default(),
                luck: Luck::default(),
            },
        }
    }

    #[inline]
    fn find(&mut self, work: &Work, bytes: &mut Vec<u8>) -> Option<Known> {
        match self {
            Eye::Met | Eye::Blind => None,
            Eye::Few { places, known } => known.get(&word(places, work)).copied(),
            Eye::Many { places, known, luck } => {
                luck.asked += 1;
                read(places, work, bytes);
                known.get(&**bytes).copied()
            }
        }
    }

    /// Keeps what was not found, if it does.
    fn keep(&mut self, work: &Work, bytes: &mut Vec<u8>, found: Known) -> bool {
        match self {
            Eye::Met | Eye::Blind => return false,
            Eye::Few { places, known } => _ = known.insert(word(places, work), found),
            Eye::Many { places, known, luck } => {
                luck.missed += 1;
                read(places, work, bytes);
                known.insert((**bytes).into(), found);
                if luck.is_bad() {
                    *self = Eye::Blind;
                }
            }
        }
        true
    }
}

#[inline]
fn word(places: &[u32], work: &Work) -> u64 {
    places.iter().fold(0, |all, at| all << 8 | u64::from(work.bytes[*at as usize]))
}

fn read(places: &[u32], work: &Work, bytes: &mut Vec<u8>) {
    bytes.clear();
    bytes.extend(places.iter().map(|at| work.bytes[*at as usize]));
}

impl Eyes {
    /// Looks at another state. Numbers that were given before may mean something else.
    #[inline]
    pub fn turn_to(&mut self, analysis: &Analysis<'_>, work: &Work) {
        let (threats, futures) = (self.threats.all.len(), self.operations.all.len());
        let is_full = self.count >= MOST_KNOWN
            || threats >= MOST_THREATS
            || threats * futures >= MOST_MEETINGS;
        if is_full || !self.worlds.get(self.world).is_some_and(|world| world.has(work)) {
            self.turn_away(analysis, work, is_full);
        }
    }

    #[cold]
    fn turn_away(&mut self, analysis: &Analysis<'_>, work: &Work, is_full: bool) {
        if is_full || self.futures.len() >= MOST_FUTURES {
            *self = Eyes::default();
        }
        let known = self.worlds.iter().position(|world| world.has(work));
        self.world = known.unwrap_or_else(|| {
            if self.worlds.len() >= MOST_WORLDS {
                self.worlds.clear();
                self.count = 0;
            }
            let world = self.meet(analysis, work);
            self.worlds.push(world);
            self.worlds.len() - 1
        });
    }

    fn meet(&mut self, analysis: &Analysis<'_>, work: &Work) -> World {
        let pids = 0..work.process_count();
        let mut fixed = vec![0; work.bytes.len()];
        let mut fix = |at: usize| fixed[at] = u8::MAX;
        fix(0);
        analysis.fixed_globals().for_each(&mut fix);
        for pid in pids.clone() {
            fix(work.layout.processes[pid].offset as usize);
            analysis.fixed_locals(work, pid).for_each(&mut fix);
        }
        let Eyes { futures, operations, .. } = self;
        let mut futures_of = |pid: usize| {
            let (proctype, fixed) = (work.proctype(pid), analysis.fixed_locals(work, pid));
            let fixed_locals = fixed.map(|at| work.bytes[at]).collect();
            let new = || Rc::new(Futures::new(analysis, work, pid, operations));
            let identity = Identity { pid, proctype, fixed_locals };
            futures.entry(identity).or_insert_with(new).clone()
        };
        let eyes = |pid| {
            let locations = &analysis.model.proctype(work.proctype(pid)).locations;
            locations.iter().map(|_| None).collect()
        };
        let futures = pids.clone().map(&mut futures_of).collect();
        let (layout, like) = (work.layout.clone(), work.bytes.clone());
        let (fears, fear_numbers) = (Vec::new(), FxHashMap::default());
        World { layout, like, fixed, futures, eyes: pids.map(eyes).collect(), fears, fear_numbers }
    }

    #[inline]
    pub fn place(&self, pid: usize, location: LocId) -> Place {
        self.worlds[self.world].futures[pid].locations[location.0 as usize]
    }

    /// What a process can do, which is at a location.
    #[inline]
    pub fn look(
        &mut self,
        analysis: &Analysis<'_>,
        work: &Work,
        pid: usize,
        location: LocId,
    ) -> Known {
        let Eyes { worlds, world, bytes, .. } = self;
        let eye = worlds[*world].eyes[pid][location.0 as usize].as_mut();
        match eye.and_then(|eye| eye.find(work, bytes)) {
            Some(known) => {
                if cfg!(debug_assertions) {
                    self.check(pid, known, self.look_closely(analysis, work, pid, location));
                }
                known
            }
            None => self.look_anew(analysis, work, pid, location),
        }
    }

    /// In tests: is that what a look finds?
    fn check(&mut self, pid: usize, known: Known, found: Found) {
        let again = Known { enabled: found.enabled as u32, fear: self.fear(pid, &found) };
        assert_eq!(known, again, "a process sees less than what matters");
    }

    fn look_closely(
        &self,
        analysis: &Analysis<'_>,
        work: &Work,
        pid: usize,
        location: LocId,
    ) -> Found {
        let env = Env { model: analysis.model, work, pid, timeout: false };
        let id = work.proctype(pid);
        let info = &analysis.proctypes[id.0 as usize].locations[location.0 as usize];
        let of = &analysis.model.proctype(id).locations[location.0 as usize];
        let inner = &self.worlds[self.world].futures[pid].inner;
        look(analysis, env, info, &inner[of.first as usize..of.end as usize])
    }

    #[cold]
    fn look_anew(
        &mut self,
        analysis: &Analysis<'_>,
        work: &Work,
        pid: usize,
        location: LocId,
    ) -> Known {
        let found = self.look_closely(analysis, work, pid, location);
        let known = Known { enabled: found.enabled as u32, fear: self.fear(pid, &found) };
        let world = &self.worlds[self.world];
        let at = location.0 as usize;
        let new = match world.eyes[pid][at] {
            None => Some(Eye::Met),
            Some(Eye::Met) => Some(Eye::new(world.seen(analysis, pid, location))),
            Some(_) => None,
        };
        let eye = &mut self.worlds[self.world].eyes[pid][at];
        if new.is_some() {
            *eye = new;
        }
        let is_kept = eye.as_mut().is_some_and(|eye| eye.keep(work, &mut self.bytes, known));
        self.count += usize::from(is_kept);
        known
    }

    /// The number of what a process must fear.
    fn fear(&mut self, pid: usize, found: &Found) -> u32 {
        let Found { threats, waits_to_end, .. } = found;
        let key = (pid, self.threats.number(threats), *waits_to_end);
        if let Some(known) = self.worlds[self.world].fear_numbers.get(&key) {
            return *known;
        }
        let marks = threats.marks & !(END | DROPS);
        let threats_of_older = self.threats.number(&Footprint { marks, ..*threats });
        let (always, sometimes) = Default::default();
        let mut fear = Fear { threats: key.1, threats_of_older, always, sometimes };
        let futures = self.worlds[self.world].futures.clone();
        let processes = futures.len();
        for (other, futures) in futures.iter().enumerate().filter(|(other, _)| *other != pid) {
            let threats = fear.of(other, pid);
            let count = futures.all.iter().filter(|future| self.do_meet(threats, **future)).count();
            // All that are younger than one that waits for its end must end before.
            let must_end = *waits_to_end && other + 1 == processes;
            if must_end || count == futures.all.len() {
                fear.always.insert(other);
            } else if count > 0 {
                fear.sometimes.insert(other);
            }
        }
        let world = &mut self.worlds[self.world];
        world.fears.push(fear);
        let number = world.fears.len() as u32 - 1;
        world.fear_numbers.insert(key, number);
        number
    }

    /// Who may do what a process must fear; `place` is where somebody is.
    #[inline]
    pub fn who_may(&mut self, fear: u32, pid: usize, place: impl Fn(usize) -> Place) -> Set {
        let Fear { always, sometimes, .. } = self.worlds[self.world].fears[fear as usize];
        let mut all = always;
        for other in sometimes.iter() {
            let threats = self.worlds[self.world].fears[fear as usize].of(other, pid);
            if self.do_meet(threats, place(other).future) {
                all.insert(other);
            }
        }
        all
    }

    /// Is something of what somebody may do a threat?
    #[inline]
    fn do_meet(&mut self, threats: Number, future: Number) -> bool {
        let known = self.meetings.get(threats as usize).and_then(|of| of.get(future as usize));
        known.copied().flatten().unwrap_or_else(|| self.let_meet(threats, future))
    }

    #[cold]
    fn let_meet(&mut self, threats: Number, future: Number) -> bool {
        let Eyes { threats: all, operations, meetings, .. } = self;
        let meet = all.all[threats as usize].meets(&operations.all[future as usize]);
        meetings.resize_with(all.all.len(), Vec::new);
        let of = &mut meetings[threats as usize];
        of.resize(operations.all.len(), None);
        of[future as usize] = Some(meet);
        meet
    }
}
