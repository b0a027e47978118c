//! Which processes may go first in a state, so that the others need not be tried yet.
//!
//! A *cluster* is a set of processes such that whatever the others do, as long as only they move,
//! neither changes what the members can do now nor what it leads to, nor lets them do something
//! else. `docs/reduction.md` says what follows from that.

use super::analysis::Analysis;
use super::eyes::{Eyes, Known};
use super::footprint::Set;
use super::proctype::LocationInfo;
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
    /// What each process can do in the state at hand.
    current: Vec<Current>,
}

/// What is known of a process in the state at hand; found out only if somebody asks.
#[derive(Clone, Default)]
struct Current {
    known: Option<Known>,
    /// Who else must be in a cluster with it.
    needs: Option<Set>,
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
        Clusters { analysis, eyes: Eyes::default(), current: Vec::new() }
    }

    /// The cluster of a state with the fewest transitions, of those that close no loop.
    pub fn best(&mut self, work: &Work) -> Option<Cluster> {
        self.turn_to(work);
        let mut best: Option<Cluster> = None;
        for seed in (0..work.process_count()).rev() {
            let below = best.map_or(usize::MAX, |best| best.enabled);
            if self.location(work, seed).closes_loop || self.known(work, seed).enabled == 0 {
                continue;
            }
            best = self.grow(work, seed, Wanted { below, without_loops: true }).or(best);
            if best.is_some_and(|best| best.enabled == 1) {
                break;
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

    fn location(&self, work: &Work, pid: usize) -> &LocationInfo<'m> {
        let proctype = &self.analysis.proctypes[work.proctype(pid).0 as usize];
        &proctype.locations[work.location(self.analysis.model, pid).0 as usize]
    }

    fn turn_to(&mut self, work: &Work) {
        self.eyes.turn_to(&self.analysis, work);
        self.current.clear();
        self.current.resize(work.process_count(), Current::default());
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
            let closes_loop = wanted.without_loops && self.location(work, pid).closes_loop;
            if size == count || enabled >= wanted.below || closes_loop {
                return None;
            }
            members.add(&self.needs(work, pid));
        }
        Some(Cluster { members, enabled })
    }

    #[inline]
    fn known(&mut self, work: &Work, pid: usize) -> Known {
        if let Some(known) = self.current[pid].known {
            return known;
        }
        let location = work.location(self.analysis.model, pid);
        let known = self.eyes.look(&self.analysis, work, pid, location);
        self.current[pid].known = Some(known);
        known
    }

    /// Who else must be in a cluster with a process.
    fn needs(&mut self, work: &Work, pid: usize) -> Set {
        if let Some(needs) = self.current[pid].needs {
            return needs;
        }
        let known = self.known(work, pid);
        let mut needs = self.affected(work, pid, known);
        if known.waits_to_end {
            needs.insert(work.process_count() - 1);
        }
        self.current[pid].needs = Some(needs);
        needs
    }

    /// The processes that may do what a process must fear.
    fn affected(&mut self, work: &Work, pid: usize, known: Known) -> Set {
        let mut affected = Set::default();
        if known.threats == 0 {
            return affected;
        }
        for other in (0..work.process_count()).filter(|other| *other != pid) {
            let threats = if other < pid { known.threats_of_older } else { known.threats };
            let location = work.location(self.analysis.model, other);
            if self.eyes.do_meet(threats, self.eyes.future(other, location)) {
                affected.insert(other);
            }
        }
        affected
    }
}

const EVERY_ONE: Wanted = Wanted { below: usize::MAX, without_loops: false };
