//! Which processes may go first in a state, so that the others need not be tried yet.
//!
//! A *cluster* is a set of processes such that whatever the others do, as long as only they move,
//! neither changes what the members can do now nor what it leads to, nor lets them do something
//! else. `docs/reduction.md` says what follows from that.

use super::access::Access;
use super::analysis::{Analysis, Inner, Scope};
use super::footprint::{DROPS, END, Footprint, Set, threatening};
use super::proctype::{Cause, LocationInfo, TransitionInfo};
use crate::eval::Env;
use crate::exec::Mode;
use crate::ir::*;
use crate::work::Work;
use std::collections::HashMap;
use std::rc::Rc;

/// Processes that may go first.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    pub members: Set,
    /// How many transitions they can take, as far as that is easy to say.
    pub enabled: usize,
}

pub struct Clusters<'m> {
    pub analysis: Analysis<'m>,
    /// What is known of processes: of each id the one seen last, and all.
    recent: Vec<Option<Known>>,
    known: HashMap<Identity, Rc<Futures>>,
    /// What each process can do in the state at hand.
    current: Vec<Option<Current>>,
}

/// What the future of a process depends on besides its location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Identity {
    pid: usize,
    proctype: ProctypeId,
    fixed_locals: Vec<u8>,
}

struct Known {
    identity: Identity,
    futures: Rc<Futures>,
}

/// More than this many are not remembered.
const MOST_KNOWN: usize = 1 << 12;

/// The operations of one process: from each location on, and in the rest of a step.
struct Futures {
    locations: Vec<Footprint>,
    inner: Vec<Option<Footprint>>,
}

/// What a process can do now.
struct Current {
    enabled: usize,
    /// What others must not do.
    threats: Footprint,
    /// It waits for its end, and so for that of all that are younger.
    waits_to_end: bool,
    /// Who else must be in a cluster with it; found out only if somebody asks.
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
        let (recent, known, current) = (Vec::new(), HashMap::new(), Vec::new());
        Clusters { analysis, recent, known, current }
    }

    /// The cluster of a state with the fewest transitions, of those that close no loop.
    pub fn best(&mut self, work: &Work) -> Option<Cluster> {
        self.learn(work);
        let mut best: Option<Cluster> = None;
        for seed in (0..work.process_count()).rev() {
            let below = best.map_or(usize::MAX, |best| best.enabled);
            if self.location(work, seed).closes_loop || self.current(work, seed).enabled == 0 {
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
        self.learn(work);
        let mut all: Vec<Cluster> = Vec::new();
        for seed in (0..work.process_count()).rev() {
            if self.current(work, seed).enabled > 0
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

    /// Finds out who the processes of a state are.
    fn learn(&mut self, work: &Work) {
        let count = work.process_count();
        self.current.clear();
        self.current.resize_with(count, || None);
        self.recent.resize_with(self.recent.len().max(count), || None);
        for pid in 0..count {
            if !self.is_recent(work, pid) {
                self.meet(work, pid);
            }
        }
    }

    fn is_recent(&self, work: &Work, pid: usize) -> bool {
        let Some(Known { identity, .. }) = &self.recent[pid] else { return false };
        let proctype = work.proctype(pid);
        identity.proctype == proctype
            && self.fixed_locals(work, pid).eq(identity.fixed_locals.iter().copied())
    }

    fn fixed_locals<'a>(&'a self, work: &'a Work, pid: usize) -> impl Iterator<Item = u8> + 'a {
        let begin = work.layout.processes[pid].offset + self.analysis.model.locals_at();
        let ranges = &self.analysis.proctypes[work.proctype(pid).0 as usize].fixed_locals;
        ranges.iter().flat_map(move |range| {
            let bytes = &work.bytes[(begin + range.start) as usize..(begin + range.end) as usize];
            bytes.iter().copied()
        })
    }

    #[cold]
    fn meet(&mut self, work: &Work, pid: usize) {
        let proctype = work.proctype(pid);
        let fixed_locals = self.fixed_locals(work, pid).collect();
        let identity = Identity { pid, proctype, fixed_locals };
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        let futures = match self.known.get(&identity) {
            Some(futures) => futures.clone(),
            None => Rc::new(self.futures(work, pid)),
        };
        self.known.insert(identity.clone(), futures.clone());
        self.recent[pid] = Some(Known { identity, futures });
    }

    fn futures(&self, work: &Work, pid: usize) -> Futures {
        let analysis = &self.analysis;
        let id = work.proctype(pid);
        let env = Env { model: analysis.model, work, pid, timeout: false };
        let scope = Scope::Process(env, id);
        let info = &analysis.proctypes[id.0 as usize];
        let locations = info.locations.iter().map(|l| analysis.operations(&l.future, scope));
        let mut inner = vec![None; analysis.model.proctype(id).transitions.len()];
        for (location, info) in analysis.model.proctype(id).locations.iter().zip(&info.locations) {
            for (index, transition) in info.transitions.iter().enumerate() {
                inner[location.first as usize + index] =
                    transition.inner.as_ref().map(|i| analysis.operations(&i.operations, scope));
            }
        }
        Futures { locations: locations.collect(), inner }
    }

    fn known(&self, pid: usize) -> Option<&Futures> {
        self.recent.get(pid)?.as_ref().map(|known| &*known.futures)
    }

    /// What a process may do from now on.
    fn future(&self, work: &Work, pid: usize) -> &Footprint {
        let at = work.location(self.analysis.model, pid).0 as usize;
        self.known(pid).map_or(&EVERYTHING, |futures| &futures.locations[at])
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
            enabled += self.current(work, pid).enabled;
            let closes_loop = wanted.without_loops && self.location(work, pid).closes_loop;
            if size == count || enabled >= wanted.below || closes_loop {
                return None;
            }
            members.add(&self.needs(work, pid));
        }
        Some(Cluster { members, enabled })
    }

    fn current(&mut self, work: &Work, pid: usize) -> &mut Current {
        if self.current[pid].is_none() {
            self.current[pid] = Some(self.look(work, pid));
        }
        self.current[pid].get_or_insert_with(|| unreachable!("somebody has looked"))
    }

    fn look(&self, work: &Work, pid: usize) -> Current {
        let model = self.analysis.model;
        let env = Env { model, work, pid, timeout: false };
        let proctype = model.proctype(work.proctype(pid));
        let at = work.location(model, pid);
        let first = proctype.locations[at.0 as usize].first as usize;
        let location = self.location(work, pid);
        let mut look = Look::new(&self.analysis, env);
        let mut has_else = false;
        for (index, transition) in proctype.transitions_of(at).iter().enumerate() {
            let info = &location.transitions[index];
            let inner = self.known(pid).and_then(|futures| futures.inner[first + index].as_ref());
            has_else |= matches!(transition.action, Action::Else);
            look.transition(&transition.action, info, location.is_private, inner);
        }
        let Look { threats, mut enabled, waits_to_end, .. } = look;
        if has_else && enabled == 0 {
            enabled = 1;
        }
        Current { enabled, threats, waits_to_end, needs: None }
    }

    /// Who else must be in a cluster with a process, at which somebody has looked.
    fn needs(&mut self, work: &Work, pid: usize) -> Set {
        let Some(Current { threats, waits_to_end, needs, .. }) = &self.current[pid] else {
            return Set::ALL;
        };
        if let Some(needs) = needs {
            return *needs;
        }
        let mut needs = self.affected(work, pid, threats);
        if *waits_to_end {
            needs.insert(work.process_count() - 1);
        }
        self.current(work, pid).needs = Some(needs);
        needs
    }

    /// The processes that may do what a process must fear.
    fn affected(&self, work: &Work, pid: usize, threats: &Footprint) -> Set {
        let mut affected = Set::default();
        if threats.is_empty() {
            return affected;
        }
        // Who is older ends later.
        let without_ends = Footprint { marks: threats.marks & !(END | DROPS), ..*threats };
        let of_older = if threats.marks & (END | DROPS) == 0 { threats } else { &without_ends };
        // Channels count from 1.
        let words = Set::words(self.analysis.cell_count.max(work.layout.channels.len() + 1));
        for other in (0..work.process_count()).filter(|other| *other != pid) {
            let threats = if other < pid { of_older } else { threats };
            if threats.meets(self.future(work, other), words) {
                affected.insert(other);
            }
        }
        affected
    }
}

const EVERY_ONE: Wanted = Wanted { below: usize::MAX, without_loops: false };

/// Of one about whom nothing is known.
const EVERYTHING: Footprint = Footprint {
    reads: Set::ALL,
    writes: Set::ALL,
    sends: Set::ALL,
    takes: Set::ALL,
    looks: Set::ALL,
    marks: u8::MAX,
};

/// A look at what one process can do.
struct Look<'a, 'm> {
    analysis: &'a Analysis<'m>,
    env: Env<'a>,
    /// What others must not do.
    threats: Footprint,
    enabled: usize,
    /// It waits for its end, and so for that of all that are younger.
    waits_to_end: bool,
}

impl<'a, 'm> Look<'a, 'm> {
    fn new(analysis: &'a Analysis<'m>, env: Env<'a>) -> Self {
        let threats = Footprint::default();
        Look { analysis, env, threats, enabled: 0, waits_to_end: false }
    }

    fn transition(
        &mut self,
        action: &Action,
        info: &TransitionInfo<'_>,
        is_private: bool,
        inner: Option<&Footprint>,
    ) {
        if !self.is_ready(action, info) || is_private {
            return;
        }
        if !matches!(action, Action::DStep(_)) {
            let is_assignment = matches!(action, Action::Assign(..));
            info.first.iter().for_each(|access| self.threaten(access, is_assignment));
        }
        if let (Some(operations), Some(inner)) = (inner, &info.inner) {
            let threats = self.inner_threats(operations, inner);
            self.threats.add(&threats);
        }
    }

    /// Can the statement run, or could it with a partner? Counts it if it can run alone; notes what
    /// it waits for if it cannot run at all.
    fn is_ready(&mut self, action: &Action, info: &TransitionInfo<'_>) -> bool {
        let env = self.env;
        match action {
            Action::Guard(_) => match &info.guard {
                Some(cause) if env.test(cause.expr) == Ok(false) => {
                    self.why_false(cause);
                    return false;
                }
                _ => {}
            },
            // Counted when it is known that nothing else can run.
            Action::Else => return true,
            Action::Send(send) => match env.queue(&send.channel) {
                Ok(queue) if queue.is_full() => {
                    self.reads(info);
                    self.threats.takes.insert(queue.id as usize);
                    return false;
                }
                _ => {}
            },
            Action::Receive(receive) => match env.queue(&receive.channel) {
                // It is for the sender to move.
                Ok(queue) if queue.ty.is_rendezvous() => return true,
                Ok(queue) => {
                    if let Ok(None) = env.find(receive, &queue) {
                        self.reads(info);
                        let threats = &mut self.threats;
                        let by_sending = receive.anywhere || queue.len() == 0;
                        let set = if by_sending { &mut threats.sends } else { &mut threats.takes };
                        set.insert(queue.id as usize);
                        return false;
                    }
                }
                Err(_) => {}
            },
            Action::End if env.pid + 1 < env.work.process_count() => {
                self.waits_to_end = true;
                return false;
            }
            // One that cannot run alone may be the other end of a rendezvous.
            Action::DStep(_) if env.executable(action, Mode::Alone) == Ok(false) => {
                return true;
            }
            _ => {}
        }
        self.enabled += 1;
        true
    }

    /// Notes everything that could make a guard true that is false now.
    fn why_false(&mut self, cause: &Cause<'_>) {
        let Some(parts) = &cause.parts else {
            return cause.accesses.iter().for_each(|access| self.threaten(access, false));
        };
        if !parts.both {
            self.why_false(&parts.left);
            self.why_false(&parts.right);
        } else if self.env.test(parts.left.expr) == Ok(false) {
            self.why_false(&parts.left);
        } else if parts.left_is_sound {
            self.why_false(&parts.right);
        } else {
            cause.accesses.iter().for_each(|access| self.threaten(access, false));
        }
    }

    /// Whether a channel operation waits can also change with what names the channel and with what
    /// the message is compared to.
    fn reads(&mut self, info: &TransitionInfo<'_>) {
        for access in &info.first {
            let is_own = matches!(access, Access::Send { .. } | Access::Take { .. });
            match access {
                Access::Write(_) => {}
                _ if is_own => {
                    self.threats.marks |= threatening(self.analysis.marks(access, None));
                }
                _ => self.threaten(access, false),
            }
        }
    }

    /// Notes what others must not do if an operation that can be done now is to stay the same.
    fn threaten(&mut self, access: &Access, is_assignment: bool) {
        let scope = Scope::Now(self.env);
        let own_type = self.env.work.proctype(self.env.pid);
        let threats = &mut self.threats;
        threats.marks |= threatening(self.analysis.marks(access, Some(own_type)));
        match access {
            Access::Read(place) => self.analysis.cells(place, scope, &mut threats.writes),
            Access::Write(place) => {
                // Fields are received one after another, and may be indices of the next; a new
                // process is counted before its id is stored.
                let scope = if is_assignment { scope } else { Scope::Process(self.env, own_type) };
                self.analysis.cells(place, scope, &mut threats.writes);
                self.analysis.cells(place, scope, &mut threats.reads);
            }
            Access::Send { channel, sorted } => {
                let mut own = Set::default();
                self.analysis.channels(channel, scope, &mut own);
                let is_rendezvous = is_rendezvous(self.env, channel);
                if is_rendezvous || *sorted {
                    threats.takes.add(&own);
                }
                if !is_rendezvous {
                    threats.sends.add(&own);
                    threats.looks.add(&own);
                }
            }
            Access::Take { channel, .. } => {
                let mut own = Set::default();
                self.analysis.channels(channel, scope, &mut own);
                let is_rendezvous = is_rendezvous(self.env, channel);
                let set = if is_rendezvous { &mut threats.sends } else { &mut threats.takes };
                set.add(&own);
                threats.looks.add(&own);
            }
            Access::Offer(channel) => {
                // It is made behind the step, which may change what names the channel.
                let scope = Scope::Process(self.env, own_type);
                self.analysis.channels(channel, scope, &mut threats.looks);
            }
            Access::Look(channel) => {
                self.analysis.channels(channel, scope, &mut threats.sends);
                self.analysis.channels(channel, scope, &mut threats.takes);
            }
            Access::Test(test, channel) => {
                let fills = matches!(test, ChannelTest::Empty | ChannelTest::NotFull);
                let holds = self.env.eval(&Expr::Test(*test, Box::new(channel.clone())));
                // What is empty stays so until something is sent, and so on.
                let (sends, takes) = match holds {
                    Ok(holds) => ((holds != 0) == fills, (holds != 0) != fills),
                    Err(_) => (true, true),
                };
                if sends {
                    self.analysis.channels(channel, scope, &mut threats.sends);
                }
                if takes {
                    self.analysis.channels(channel, scope, &mut threats.takes);
                }
            }
            Access::Run(new) => {
                let (room, enough) = (Set::default(), Set::default());
                threats.add(&self.analysis.beginning(*new, self.env).threats(&room, &enough));
            }
            Access::Count | Access::End => {}
        }
    }

    fn inner_threats(&self, operations: &Footprint, inner: &Inner) -> Footprint {
        let (mut room, mut enough) = (Set::default(), Set::default());
        let touched = operations.sends.iter().chain(operations.takes.iter());
        for id in touched {
            let Ok(queue) = self.env.queue(&Expr::Const(id as i32)) else { continue };
            if queue.ty.is_rendezvous() {
                // Others may go on in the same step, and send and take as well.
                return operations.threats(&Set::default(), &Set::default());
            }
            if queue.len().saturating_add(inner.sends) <= queue.ty.capacity as usize {
                room.insert(id);
            }
            if inner.takes <= queue.len() {
                enough.insert(id);
            }
        }
        operations.threats(&room, &enough)
    }
}

/// Is there a channel, and does it hold no messages?
fn is_rendezvous(env: Env<'_>, channel: &Expr) -> bool {
    env.queue(channel).is_ok_and(|queue| queue.ty.is_rendezvous())
}
