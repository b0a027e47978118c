//! Synchronous messages: who can meet whom, and what happens when they do.

use super::{Id, Kernel, Offer, Process, Queues, Status, TargetKind, Ways, World, exec};
use crate::code::{ClauseCode, NONE, Op, Pc, Reference};
use crate::types::{self, Scalar};
use auspex_system::Fault;
use exec::Watcher;
use smallvec::SmallVec;

/// Two clauses that can be carried out together.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    own: usize,
    partner: Id,
    theirs: usize,
}

/// Few, mostly.
type Meetings = SmallVec<[Meeting; 8]>;

/// What was at a place before values were copied there.
type Undo = Vec<(Reference, Vec<u8>)>;

impl Kernel<'_> {
    fn clause(&self, offer: &Offer) -> Option<ClauseCode> {
        match self.object.code.get(offer.site as usize) {
            Some(Op::Clause(clause)) => Some(*clause),
            _ => None,
        }
    }

    fn queues(&self, channel: u16, message: u16) -> Option<&Queues> {
        self.channels.get(channel as usize)?.as_ref()?.messages.get(message as usize)
    }

    /// Is somebody there whom a waiting select refused so far?
    pub(super) fn has_waiting_partner(&self, process: &Process) -> bool {
        process.offers.iter().any(|offer| {
            let Some(clause) = self.clause(offer) else { return false };
            let Some(queues) = self.queues(offer.channel, clause.message) else { return false };
            let partners = if clause.is_send { &queues.receivers } else { &queues.senders };
            !partners.is_empty()
        })
    }

    /// Carries out one of the clauses that a process offers with one of its partners, or lets it wait. `again`: it
    /// has been waiting already.
    pub(super) fn communicate<W: World, O: Watcher>(
        &mut self,
        id: Id,
        me: &mut Process,
        again: bool,
        world: &mut W,
        watcher: &mut O,
    ) -> Result<(), Fault> {
        let meetings = self.meetings(id, me, world.takes_first())?;
        if meetings.is_empty() {
            if !again {
                self.wait(id, me);
            }
            return Ok(());
        }
        let chosen = match meetings.len() {
            1 => 0,
            ways => world.choose(ways, Ways::Partner).min(ways - 1),
        };
        let Meeting { own, partner, theirs } = meetings[chosen];
        let my_offers = std::mem::take(&mut me.offers);
        let Some(Some(other)) = self.processes.get_mut(partner as usize) else { return Ok(()) };
        let their_offers = std::mem::take(&mut other.offers);
        self.touched.push(partner);
        self.leave_queues(partner, &their_offers);
        if again {
            self.leave_queues(id, &my_offers);
        }
        let (mine, other) = (&my_offers[own], &their_offers[theirs]);
        self.transfer(id, me, (mine, other), None)?;
        let is_send = self.clause(mine).is_some_and(|clause| clause.is_send);
        let ((from, sent), (to, received)) =
            if is_send { ((id, mine), (partner, other)) } else { ((partner, other), (id, mine)) };
        watcher.transferred(self, (from, sent.site, sent.channel), (to, received.site), &sent.data);
        self.go_on(me, mine);
        let body = self.clause(other).map_or(NONE, |clause| clause.body);
        if let Some(Some(process)) = self.processes.get_mut(partner as usize) {
            process.pc = body;
            process.status = Status::Ready;
        }
        self.partners.push(partner);
        self.woken.extend([partner, id]);
        Ok(())
    }

    /// The process is ready behind the clause that it has carried out.
    fn go_on(&self, process: &mut Process, offer: &Offer) {
        process.pc = self.clause(offer).map_or(NONE, |clause| clause.body);
        process.status = Status::Ready;
        process.offers.clear();
    }

    /// Everybody that can be met now.
    fn meetings(&mut self, id: Id, me: &mut Process, only_first: bool) -> Result<Meetings, Fault> {
        let select = me.status == Status::Selecting;
        let mut meetings = Meetings::new();
        for own in 0..me.offers.len() {
            let offer = &me.offers[own];
            let Some(clause) = self.clause(offer) else { continue };
            let Some(queues) = self.queues(offer.channel, clause.message) else { continue };
            let plain = if clause.is_send { &queues.receivers } else { &queues.senders };
            meetings.extend(plain.iter().map(|partner| Meeting {
                own,
                partner: *partner,
                theirs: 0,
            }));
            // Two selects never meet.
            if select {
                continue;
            }
            for partner in &queues.selecting {
                let Some(process) = self.process(*partner) else { continue };
                for (theirs, other) in process.offers.iter().enumerate() {
                    let fits = self.clause(other).is_some_and(|other| {
                        other.message == clause.message && other.is_send != clause.is_send
                    });
                    if fits && other.channel == offer.channel {
                        meetings.push(Meeting { own, partner: *partner, theirs });
                    }
                }
            }
        }
        let mut allowed = Meetings::new();
        for meeting in meetings {
            if self.is_allowed(id, me, meeting)? {
                allowed.push(meeting);
                if only_first {
                    break;
                }
            }
        }
        Ok(allowed)
    }

    /// Do the values fit, and do the guards hold afterwards?
    fn is_allowed(&mut self, id: Id, me: &mut Process, meeting: Meeting) -> Result<bool, Fault> {
        let Some(theirs) = self.process(meeting.partner).and_then(|p| p.offers.get(meeting.theirs))
        else {
            return Ok(false);
        };
        let own = &me.offers[meeting.own];
        let (Some(own_clause), Some(their_clause)) = (self.clause(own), self.clause(theirs)) else {
            return Ok(false);
        };
        let (data, targets) = if own_clause.is_send {
            (&own.data, &theirs.targets)
        } else {
            (&theirs.data, &own.targets)
        };
        let picks = targets.iter().any(|target| target.kind == TargetKind::Match);
        if picks && !self.matches(own_clause, data, targets) {
            return Ok(false);
        }
        if own_clause.guard == NONE && their_clause.guard == NONE {
            return Ok(true);
        }
        let offers = (own.clone(), theirs.clone());
        let mut undo = Undo::new();
        let copied = self.transfer(id, me, (&offers.0, &offers.1), Some(&mut undo));
        let guards = (own_clause.guard, their_clause.guard);
        let result = match copied {
            Ok(()) => self.guards(id, me, meeting.partner, guards),
            // It goes wrong when it is carried out, too, and is told then.
            Err(_) => Ok(true),
        };
        for (at, bytes) in undo.into_iter().rev() {
            self.copy_in(id, me, at, &bytes);
        }
        result
    }

    fn guards(
        &mut self,
        id: Id,
        me: &mut Process,
        partner: Id,
        (own, theirs): (Pc, Pc),
    ) -> Result<bool, Fault> {
        if own != NONE && !self.guard(id, me, own)? {
            return Ok(false);
        }
        if theirs == NONE {
            return Ok(true);
        }
        let Some(mut other) = self.processes.get_mut(partner as usize).and_then(Option::take)
        else {
            return Ok(false);
        };
        // While the partner's guard is evaluated, it is the one that is not among the processes.
        let nobody = Process {
            frames: Vec::new(),
            bytes: Vec::new(),
            offers: Vec::new(),
            again: None,
            ..*me
        };
        let own_record = std::mem::replace(me, nobody);
        self.put_back(id, Box::new(own_record));
        let result = self.guard(partner, &mut other, theirs);
        if let Some(own_record) = self.processes.get_mut(id as usize).and_then(Option::take) {
            *me = *own_record;
        }
        self.put_back(partner, other);
        result
    }

    fn guard(&mut self, id: Id, process: &mut Process, pc: Pc) -> Result<bool, Fault> {
        let stop = self.run(id, process, pc, false, &mut super::NoWorld, &mut ())?;
        Ok(matches!(stop, exec::Stop::Decided(value) if value != 0))
    }

    fn matches(&self, clause: ClauseCode, data: &[u8], targets: &[super::Target]) -> bool {
        let mut rest = data;
        let Some(fields) = self.fields(clause) else { return false };
        fields.iter().zip(targets).all(|(field, target)| {
            let (value, behind) = rest.split_at(rest.len().min(field.bytes as usize));
            rest = behind;
            match (target.kind, field.scalar) {
                (TargetKind::Match, Some(scalar)) => types::load(scalar, value) == target.value,
                _ => true,
            }
        })
    }

    fn fields(&self, clause: ClauseCode) -> Option<&[crate::code::FieldCode]> {
        let channel = self.object.channels.get(clause.channel as usize)?;
        Some(&channel.messages.get(clause.message as usize)?.fields)
    }

    /// Copies values from the one that sends to the one that receives.
    fn transfer(
        &mut self,
        id: Id,
        me: &mut Process,
        (own, theirs): (&Offer, &Offer),
        mut undo: Option<&mut Undo>,
    ) -> Result<(), Fault> {
        let Some(clause) = self.clause(own) else { return Ok(()) };
        let (sent, received) = if clause.is_send { (own, theirs) } else { (theirs, own) };
        let object = self.object;
        let channel = object.channels.get(clause.channel as usize);
        let message = channel.and_then(|channel| channel.messages.get(clause.message as usize));
        let fields = message.map_or(&[][..], |message| &message.fields);
        let mut rest = sent.data.as_slice();
        for (field, target) in fields.iter().zip(&received.targets) {
            let (value, behind) = rest.split_at(rest.len().min(field.bytes as usize));
            rest = behind;
            let at = Reference::of(target.value);
            if let Some(undo) = undo.as_deref_mut() {
                self.remember(id, me, at, target.kind, undo);
            }
            match (target.kind, field.scalar) {
                (TargetKind::Scalar(scalar), Some(from)) => {
                    let value = types::load(from, value);
                    if !scalar.holds(value) {
                        return Err(self.does_not_fit(value, scalar, received.site));
                    }
                    self.store(id, me, at, scalar, value);
                }
                (TargetKind::Bytes(_), _) => self.copy_in(id, me, at, value),
                _ => {}
            }
        }
        Ok(())
    }

    fn does_not_fit(&self, value: i64, scalar: Scalar, site: Pc) -> Fault {
        let name = self.object.debug.types.show(types::Types::scalar(scalar));
        let message = format!("the message carries {value}, which does not fit into {name}");
        self.fault("range", message, site)
    }

    fn remember(&self, id: Id, me: &Process, at: Reference, kind: TargetKind, undo: &mut Undo) {
        let count = match kind {
            TargetKind::Scalar(scalar) => scalar.bytes(),
            TargetKind::Bytes(count) => count,
            TargetKind::Match => return,
        };
        let mut bytes = Vec::with_capacity(count as usize);
        self.copy_out(id, me, at, count, &mut bytes);
        undo.push((at, bytes));
    }

    /// Does somebody wait for the interrupt whose channel this is?
    pub fn is_awaited(&self, channel: u16) -> bool {
        self.queues(channel, 0)
            .is_some_and(|queues| !queues.receivers.is_empty() || !queues.selecting.is_empty())
    }

    /// An interrupt: somebody who waits for it goes on, if there is anybody.
    pub fn interrupt(&mut self, channel: u16) -> bool {
        let Some(queues) = self.queues(channel, 0) else { return false };
        let waiting: Vec<Id> = queues.receivers.iter().chain(&queues.selecting).copied().collect();
        for id in waiting {
            let Some(mut process) = self.processes.get_mut(id as usize).and_then(Option::take)
            else {
                continue;
            };
            let taken = process.offers.iter().find_map(|offer| {
                let clause = self.clause(offer)?;
                (offer.channel == channel && !clause.is_send).then(|| (offer.clone(), clause))
            });
            let taken = taken.filter(|(_, clause)| {
                clause.guard == NONE
                    || self.guard(id, &mut process, clause.guard).is_ok_and(|holds| holds)
            });
            if let Some((offer, _)) = taken {
                self.leave_queues(id, &process.offers);
                self.go_on(&mut process, &offer);
                self.put_back(id, process);
                self.woken.push(id);
                return true;
            }
            self.put_back(id, process);
        }
        false
    }

    /// Puts a process into all the queues of what it offers.
    fn wait(&mut self, id: Id, me: &mut Process) {
        me.pc = me.offers.first().map_or(NONE, |offer| offer.site);
        for offer in &me.offers {
            let Some(clause) = self.clause(offer) else { continue };
            self.channels_touched.push(offer.channel);
            let sorted = self.sorted;
            let Some(Some(channel)) = self.channels.get_mut(offer.channel as usize) else {
                continue;
            };
            let Some(queues) = channel.messages.get_mut(clause.message as usize) else { continue };
            let queue = match me.status {
                Status::Selecting => &mut queues.selecting,
                _ if clause.is_send => &mut queues.senders,
                _ => &mut queues.receivers,
            };
            if queue.contains(&id) {
                continue;
            }
            let at = if sorted { queue.partition_point(|other| *other < id) } else { queue.len() };
            queue.insert(at, id);
        }
    }

    fn leave_queues(&mut self, id: Id, offers: &[Offer]) {
        for offer in offers {
            let Some(clause) = self.clause(offer) else { continue };
            self.channels_touched.push(offer.channel);
            let Some(Some(channel)) = self.channels.get_mut(offer.channel as usize) else {
                continue;
            };
            let Some(queues) = channel.messages.get_mut(clause.message as usize) else { continue };
            for queue in [&mut queues.senders, &mut queues.receivers, &mut queues.selecting] {
                queue.retain(|other| *other != id);
            }
        }
    }
}
