//! Which processes may go first in a state, so that the others need not be tried yet.
//!
//! A *cluster* is a set of processes such that whatever the others do, as long as only they move,
//! neither changes what the members can do now nor what it leads to, nor lets them do something
//! else. `docs/reduction.md` says what follows from that.

use super::analysis::Analysis;
use super::eyes::{Eyes, Known, Place};
use super::footprint::Set;
use crate::ir::LocId;
use crate::work::Work;

/// Processes that may go first.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    pub members: Set,
    /// How many transitions they can take, as far as that is easy to say.
    pub enabled: usize,
}

pub struct Clusters<'m> {
    pub analysis: Analysis<'m>,
    eyes: Eyes,
    current: Current,
}

/// The processes of the state at hand.
#[derive(Default)]
struct Current {
    places: Vec<(LocId, Place)>,
    /// Who is where a loop is closed.
    closing: Set,
    /// What they can do, of those that somebody has looked at.
    known: Vec<Known>,
    looked: Set,
    /// Who of these can do something.
    able: Set,
    /// Who else must be in a cluster with them, of those that somebody has asked about.
    needs: Vec<Set>,
    asked: Set,
}

/// Clusters that somebody wants to know of.
#[derive(Clone, Copy)]
struct Wanted {
    /// Fewer transitions than these.
    below: usize,
    /// Only those that close no loop.
    without_loops: bool,
}

impl<'m> Clusters<'m> {
    pub fn new(analysis: Analysis<'m>) -> Self {
        Clusters { analysis, eyes: Eyes::default(), current: Current::default() }
    }

    /// The cluster of a state with the fewest transitions, of those that close no loop and have fewer than some number of them.
    pub fn best(&mut self, work: &Work, below: usize) -> Option<Cluster> {
        self.turn_to(work);
        let mut wanted = Wanted { below, without_loops: true };
        let mut best: Option<Cluster> = None;
        for seed in (0..work.process_count()).rev() {
            if self.current.closing.contains(seed) || self.known(work, seed).enabled == 0 {
                continue;
            }
            if let Some(cluster) = self.grow(work, seed, wanted) {
                wanted.below = cluster.enabled;
                best = Some(cluster);
                if cluster.enabled == 1 {
                    break;
                }
            }
        }
        best
    }

    /// All clusters of a state, those with the fewest transitions first.
    pub fn all(&mut self, work: &Work) -> Vec<Cluster> {
        self.turn_to(work);
        let mut all: Vec<Cluster> = Vec::new();
        for seed in (0..work.process_count()).rev() {
            if self.known(work, seed).enabled > 0
                && let Some(cluster) = self.grow(work, seed, EVERY_ONE)
                && !all.iter().any(|other| other.members == cluster.members)
            {
                all.push(cluster);
            }
        }
        all.sort_by_key(|cluster| cluster.enabled);
        all
    }

    fn turn_to(&mut self, work: &Work) {
        let Clusters { analysis, eyes, current, .. } = self;
        eyes.turn_to(analysis, work);
        let count = work.process_count();
        (current.closing, current.looked, current.able, current.asked) = Default::default();
        current.places.clear();
        for pid in 0..count {
            let location = work.location(analysis.model, pid);
            let place = eyes.place(pid, location);
            current.places.push((location, place));
            if place.closes_loop {
                current.closing.insert(pid);
            }
        }
        if current.known.len() < count {
            current.known.resize(count, Known::default());
            current.needs.resize(count, Set::default());
        }
    }

    /// The smallest cluster with a process in it; `None` when that is all of them, or nobody wants it.
    fn grow(&mut self, work: &Work, seed: usize, wanted: Wanted) -> Option<Cluster> {
        let count = work.process_count();
        let (mut size, mut enabled) = (0, 0);
        let (mut members, mut done) = (Set::default(), Set::default());
        members.insert(seed);
        while let Some(pid) = members.without(&done).first() {
            done.insert(pid);
            size += 1;
            enabled += self.known(work, pid).enabled as usize;
            if size == count || enabled >= wanted.below {
                return None;
            }
            members.add(&self.needs(pid));
            let can_more = members.without(&done).meets(&self.current.able);
            let has_loop = wanted.without_loops && members.meets(&self.current.closing);
            if has_loop || can_more && enabled + 1 >= wanted.below {
                return None;
            }
        }
        Some(Cluster { members, enabled })
    }

    #[inline]
    fn known(&mut self, work: &Work, pid: usize) -> Known {
        let Clusters { analysis, eyes, current, .. } = self;
        if !current.looked.contains(pid) {
            current.looked.insert(pid);
            current.known[pid] = eyes.look(analysis, work, pid, current.places[pid].0);
            if current.known[pid].enabled > 0 {
                current.able.insert(pid);
            }
        }
        current.known[pid]
    }

    /// Who else must be in a cluster with a process at which somebody has looked: those that may do what it must fear.
    #[inline]
    fn needs(&mut self, pid: usize) -> Set {
        let Clusters { eyes, current, .. } = self;
        if !current.asked.contains(pid) {
            current.asked.insert(pid);
            let places = |other: usize| current.places[other].1;
            current.needs[pid] = eyes.who_may(current.known[pid].fear, pid, places);
        }
        current.needs[pid]
    }
}

const EVERY_ONE: Wanted = Wanted { below: usize::MAX, without_loops: false };
