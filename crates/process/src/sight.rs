//! What a process looks at, and what it changes, in one step from one location: as far as its text tells, and some bytes of
//! the state that are always the same, such as the numbers of channels in variables that nobody writes.
//!
//! A step may be a run of statements, and a rendezvous has a second process in it: all that may follow is followed. What is found is
//! too much rather than too little. Steps of which too little can be said (those that create or end processes, for example) have no sight at all.

use crate::Scalar;
use crate::channel::slot_at;
use crate::ir::*;
use crate::work::{ChannelAt, LAST_AT, Layout};
use auspex_system::{Actor, Outlook, Sight, StateRef};
use std::collections::HashSet;
use std::ops::Range;

/// It cannot be said.
pub struct Unclear;

pub type Seen<T> = Result<T, Unclear>;

/// States that are alike: see [`auspex_system::Explorer::actors`].
pub struct Alike<'a> {
    model: &'a Model,
    layout: Layout,
    bytes: &'a [u8],
    fixed: &'a [bool],
}

impl<'a> Alike<'a> {
    /// `None` where not even the layout is always the same, or processes decide about each other in ways that are not followed here.
    pub fn new(model: &'a Model, like: StateRef<'a>, fixed: &'a [bool]) -> Option<Self> {
        let is_plain = !model.has_priorities
            && model.trace.is_none()
            && model.proctypes.iter().all(|proctype| proctype.provided.is_none());
        if !is_plain {
            return None;
        }
        let layout = Layout::of(model, like);
        let says_who = layout.processes.iter().map(|process| process.offset as usize).chain([0]);
        let is_laid_out = { says_who }.all(|at| fixed[at]);
        is_laid_out.then_some(Alike { model, layout, bytes: like.bytes, fixed })
    }

    /// The youngest process is the first to move.
    pub fn process(&self, actor: usize) -> usize {
        self.layout.processes.len() - 1 - actor
    }

    pub fn actors(&self) -> Vec<Actor> {
        let place = |actor| {
            let Range { start, end } = self.place(self.process(actor));
            Actor { place: [start as u32, end as u32] }
        };
        (0..self.layout.processes.len()).map(place).collect()
    }

    /// The bytes that hold the location of a process.
    fn place(&self, pid: usize) -> Range<usize> {
        let at = self.layout.processes[pid].offset as usize + 1;
        at..at + 1 + usize::from(self.model.wide_locations)
    }

    /// What a process sees and writes from where it is. Can it be said? Its options are its transitions there.
    pub fn outlook(&self, actor: usize) -> Option<Outlook> {
        let pid = self.process(actor);
        let location = &self.bytes[self.place(pid)];
        let location =
            LocId(location.iter().rev().fold(0, |all, byte| all << 8 | u16::from(*byte)));
        let proctype = self.model.proctype(self.layout.processes[pid].proctype);
        let transitions = proctype.transitions_of(location);
        let written = vec![false; self.bytes.len()];
        let mut choice = Look::new(self, &written, MOST_WORK);
        choice.see(self.place(pid));
        for transition in transitions {
            choice.guard(pid, &transition.action).ok()?;
        }
        let options = transitions.iter().map(|transition| self.option(pid, transition));
        Some(Outlook { choice: choice.sight.seen, options: options.collect() })
    }

    /// The bytes that somebody sees who moves nobody. Can it be said?
    pub fn seen_by(&self, look: impl FnOnce(&mut Look<'_>) -> Seen<()>) -> Option<Vec<bool>> {
        let written = vec![false; self.bytes.len()];
        let mut seen = Look::new(self, &written, MOST_WORK);
        look(&mut seen).ok()?;
        Some(seen.sight.seen)
    }

    /// What there is to a step that begins with a transition.
    fn option(&self, pid: usize, transition: &Transition) -> Option<Sight> {
        let (mut rewritten, mut work) = (vec![false; self.bytes.len()], MOST_WORK);
        loop {
            let mut look = Look::new(self, &rewritten, work);
            look.take(pid, transition).and_then(|()| look.follow()).ok()?;
            work = look.work;
            let mut sight = look.sight;
            if look.is_long {
                // Where a run has written is found by comparing, some bytes at a time: that depends on what was there before.
                sight.coarsen();
            }
            // What is always the same between steps may be something else within a step that writes it.
            let news = |at: &usize| self.fixed[*at] && sight.written[*at] && !rewritten[*at];
            let more: Vec<usize> = (0..self.bytes.len()).filter(news).collect();
            if more.is_empty() {
                return Some(sight);
            }
            more.into_iter().for_each(|at| rewritten[at] = true);
        }
    }
}

pub struct Look<'a> {
    on: &'a Alike<'a>,
    sight: Sight,
    /// Fixed bytes that the step may write.
    rewritten: &'a [bool],
    /// Locations of processes from which the step may go on, and all that there were.
    open: Vec<(usize, LocId)>,
    known: HashSet<(usize, LocId)>,
    /// Who sends to which rendezvous channels.
    senders: HashSet<(usize, i32)>,
    /// Is it more than one statement?
    is_long: bool,
    /// Transitions that may still be looked at.
    work: usize,
}

/// With more transitions to look at, nothing is said: it must not take longer than it saves.
const MOST_WORK: usize = 1 << 13;

impl<'a> Look<'a> {
    fn new(on: &'a Alike<'a>, rewritten: &'a [bool], work: usize) -> Self {
        let sight = Sight::nothing(on.bytes.len());
        let (open, known, senders) = (Vec::new(), HashSet::new(), HashSet::new());
        Look { on, sight, rewritten, open, known, senders, is_long: false, work }
    }

    fn work(&mut self) -> Seen<()> {
        self.work = self.work.checked_sub(1).ok_or(Unclear)?;
        Ok(())
    }

    /// All that may follow.
    fn follow(&mut self) -> Seen<()> {
        while let Some((pid, location)) = self.open.pop() {
            if !self.known.insert((pid, location)) {
                continue;
            }
            self.see(self.on.place(pid));
            for transition in self.proctype(pid).transitions_of(location) {
                self.take(pid, transition)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, pid: usize, transition: &Transition) -> Seen<()> {
        self.work()?;
        self.action(pid, &transition.action)?;
        self.move_on(pid, transition);
        if self.on.model.remembers_last {
            self.sight.written[LAST_AT] = true;
        }
        Ok(())
    }

    fn proctype(&self, pid: usize) -> &'a Proctype {
        self.on.model.proctype(self.on.layout.processes[pid].proctype)
    }

    fn move_on(&mut self, pid: usize, transition: &Transition) {
        self.write_bytes(self.on.place(pid));
        if transition.atomic {
            self.is_long = true;
            self.open.push((pid, transition.target));
        }
    }

    fn see(&mut self, range: Range<usize>) {
        self.sight.seen[range].fill(true);
    }

    fn write_bytes(&mut self, range: Range<usize>) {
        self.sight.written[range].fill(true);
    }

    fn action(&mut self, pid: usize, action: &Action) -> Seen<()> {
        match action {
            Action::Skip | Action::Else => {}
            Action::Guard(expr) | Action::Assert(expr) => {
                self.value(pid, expr)?;
            }
            Action::Assign(place, expr) => {
                self.value(pid, expr)?;
                self.write(pid, place)?;
            }
            Action::Send(send) => self.send(pid, send)?,
            Action::Receive(receive) => self.receive(pid, receive)?,
            Action::Print(print) => {
                for expr in print.parts.iter().filter_map(PrintPart::argument) {
                    self.value(pid, expr)?;
                }
            }
            Action::DStep(body) => {
                self.is_long = true;
                for node in &body.nodes {
                    if let DNode::Do { action, .. } = node {
                        self.action(pid, action)?;
                    }
                }
            }
            // Only the youngest can end.
            Action::End if pid + 1 < self.on.layout.processes.len() => {}
            Action::Run(_) | Action::SetPriority(_) | Action::End => return Err(Unclear),
        }
        Ok(())
    }

    /// What decides whether an action can be taken by a process without another one, who may have to come first.
    pub fn wait(&mut self, pid: usize, action: &Action) -> Seen<()> {
        match action {
            Action::Send(send) => self.lengths(pid, &send.channel),
            _ => self.guard(pid, action),
        }
    }

    /// How many messages there are in the channels that an expression may mean.
    pub fn lengths(&mut self, pid: usize, channel: &Expr) -> Seen<()> {
        for (_, channel) in self.channels(pid, channel)? {
            self.see(length(channel, self.on.model.channel_type(channel.ty)));
        }
        Ok(())
    }

    /// How many messages there are in the channel with a number, if there is one.
    pub fn length(&mut self, id: usize) {
        let channels = &self.on.layout.channels;
        if let Some(channel) = id.checked_sub(1).and_then(|index| channels.get(index)) {
            self.see(length(*channel, self.on.model.channel_type(channel.ty)));
        }
    }

    /// What decides whether an action can be taken.
    fn guard(&mut self, pid: usize, action: &Action) -> Seen<()> {
        match action {
            Action::Guard(expr) => {
                self.value(pid, expr)?;
            }
            Action::Send(send) => {
                for (id, channel) in self.channels(pid, &send.channel)? {
                    let ty = self.on.model.channel_type(channel.ty);
                    match ty.is_rendezvous() {
                        true => {
                            for value in &send.values {
                                self.value(pid, value)?;
                            }
                            self.rendezvous(pid, id)?;
                        }
                        false => self.see(length(channel, ty)),
                    }
                }
            }
            Action::Receive(receive) => self.poll(pid, receive)?,
            // More than its first statement; but that may be anything.
            Action::DStep(_) => self.action(pid, action)?,
            // The number of processes decides about these, which is always the same.
            Action::Run(_) | Action::End => {}
            Action::Skip
            | Action::Else
            | Action::Assert(_)
            | Action::Assign(..)
            | Action::Print(_)
            | Action::SetPriority(_) => {}
        }
        Ok(())
    }

    /// What decides whether something can be received.
    fn poll(&mut self, pid: usize, receive: &Receive) -> Seen<()> {
        for (_, channel) in self.channels(pid, &receive.channel)? {
            let ty = self.on.model.channel_type(channel.ty);
            self.see(if receive.anywhere { whole(channel, ty) } else { length(channel, ty) });
            // Of the first message, what is compared.
            let mut at = slot_at(ty, channel.offset as usize, 0);
            for (field, pattern) in ty.fields.iter().zip(&receive.fields) {
                if matches!(pattern, Pattern::Match(_)) && !ty.is_rendezvous() {
                    self.see(at..at + field.size());
                }
                at += field.size();
            }
        }
        for pattern in &receive.fields {
            if let Pattern::Match(expr) = pattern {
                self.value(pid, expr)?;
            }
        }
        Ok(())
    }

    fn send(&mut self, pid: usize, send: &Send) -> Seen<()> {
        for value in &send.values {
            self.value(pid, value)?;
        }
        for (id, channel) in self.channels(pid, &send.channel)? {
            let ty = self.on.model.channel_type(channel.ty);
            if ty.is_rendezvous() {
                self.rendezvous(pid, id)?;
                continue;
            }
            // What is in it does not matter, and behind that there are zeroes.
            self.see(if send.sorted { whole(channel, ty) } else { length(channel, ty) });
            self.write_bytes(whole(channel, ty));
        }
        Ok(())
    }

    fn receive(&mut self, pid: usize, receive: &Receive) -> Seen<()> {
        for (_, channel) in self.channels(pid, &receive.channel)? {
            let ty = self.on.model.channel_type(channel.ty);
            if receive.keep && !receive.anywhere {
                self.see(first(channel, ty));
            } else {
                self.see(whole(channel, ty));
            }
            if !receive.keep {
                self.write_bytes(whole(channel, ty));
            }
        }
        self.patterns(pid, receive)
    }

    fn patterns(&mut self, pid: usize, receive: &Receive) -> Seen<()> {
        for pattern in &receive.fields {
            match pattern {
                Pattern::Any => {}
                Pattern::Match(expr) => {
                    self.value(pid, expr)?;
                }
                Pattern::Store(place) => self.write(pid, place)?,
            }
        }
        Ok(())
    }

    /// Any receive of another process that may be from this channel may be the other end.
    fn rendezvous(&mut self, sender: usize, id: i32) -> Seen<()> {
        if !self.senders.insert((sender, id)) {
            return Ok(());
        }
        for pid in (0..self.on.layout.processes.len()).filter(|pid| *pid != sender) {
            for transition in &self.proctype(pid).transitions {
                self.work()?;
                if self.may_complete(pid, &transition.action, id)? {
                    self.move_on(pid, transition);
                }
            }
        }
        Ok(())
    }

    /// Can the action be the receiving end? Then it counts as done.
    fn may_complete(&mut self, pid: usize, action: &Action, id: i32) -> Seen<bool> {
        match action {
            Action::Receive(receive) if !receive.keep => {
                self.see(self.on.place(pid));
                let may = self.value(pid, &receive.channel)?.is_none_or(|value| value == id);
                if may {
                    self.patterns(pid, receive)?;
                }
                Ok(may)
            }
            Action::DStep(body) => {
                let receives = |node: &DNode| match node {
                    DNode::Do { action, .. } => matches!(action, Action::Receive(_)),
                    _ => false,
                };
                let may = body.nodes.iter().any(receives);
                if may {
                    self.see(self.on.place(pid));
                    self.action(pid, action)?;
                }
                Ok(may)
            }
            _ => Ok(false),
        }
    }

    /// The channels that an expression may mean, with their numbers.
    fn channels(&mut self, pid: usize, expr: &Expr) -> Seen<Vec<(i32, ChannelAt)>> {
        let all = self.on.layout.channels.iter().copied().enumerate();
        let mut all = all.map(|(index, channel)| (index as i32 + 1, channel));
        Ok(match self.value(pid, expr)? {
            // If there is no such channel, the step goes wrong.
            Some(id) => all.filter(|(other, _)| *other == id).collect(),
            None => match self.constant_elements(pid, expr) {
                Some(ids) => all.filter(|(id, _)| ids.contains(id)).collect(),
                None => all.by_ref().collect(),
            },
        })
    }

    /// The values in an array that is always the same.
    fn constant_elements(&self, pid: usize, expr: &Expr) -> Option<HashSet<i32>> {
        let Expr::Load(place) = expr else { return None };
        let [index] = &place.indices[..] else { return None };
        let first = self.base(pid, place)?.start;
        let offsets = (0..index.length).map(|at| first + (at * index.stride) as usize);
        offsets.map(|at| self.constant(at, place.ty)).collect()
    }

    /// The value at a place in the state, if it is always the same.
    fn constant(&self, at: usize, ty: Scalar) -> Option<i32> {
        let is_constant = |at: usize| self.on.fixed[at] && !self.rewritten[at];
        (at..at + ty.size()).all(is_constant).then(|| ty.load(self.on.bytes, at))
    }

    /// Where the variable lies that a place is, or an element of; `None` where that is not in the state.
    fn base(&self, pid: usize, place: &Place) -> Option<Range<usize>> {
        let model = self.on.model;
        let base = match place.space {
            Space::Global => model.globals_at(),
            Space::Local => self.on.layout.processes[pid].offset + model.locals_at(),
            Space::Hidden | Space::Nowhere => return None,
        } as usize;
        let Range { start, end } = place.extent();
        Some(base + start as usize..base + end as usize)
    }

    /// The bytes that a place may be; `None` where it is not in the state.
    fn range(&mut self, pid: usize, place: &Place) -> Seen<Option<Range<usize>>> {
        let mut at = Some(0);
        for index in &place.indices {
            let value = self.value(pid, &index.expr)?;
            // If it is out of range, the step goes wrong.
            let value = value.and_then(|value| u32::try_from(value).ok());
            let value = value.filter(|value| *value < index.length);
            at = at.zip(value).map(|(at, value)| at + (value * index.stride) as usize);
        }
        let Some(base) = self.base(pid, place) else { return Ok(None) };
        Ok(Some(match at {
            Some(at) => base.start + at..base.start + at + place.ty.size(),
            None => base,
        }))
    }

    fn write(&mut self, pid: usize, place: &Place) -> Seen<()> {
        if let Some(range) = self.range(pid, place)? {
            self.write_bytes(range);
        }
        Ok(())
    }

    /// Reads a variable whose place is known: its value, if that is always the same.
    fn read(&mut self, at: usize, ty: Scalar) -> Option<i32> {
        let constant = self.constant(at, ty);
        if constant.is_none() {
            self.see(at..at + ty.size());
        }
        constant
    }

    /// Sees all that matters to the value of an expression. The value, if it is always the same.
    pub fn value(&mut self, pid: usize, expr: &Expr) -> Seen<Option<i32>> {
        Ok(match expr {
            Expr::Const(value) => Some(*value),
            Expr::Global(ty, offset) => {
                self.read((self.on.model.globals_at() + *offset) as usize, *ty)
            }
            Expr::Local(ty, offset) => {
                let locals = self.on.layout.processes[pid].offset + self.on.model.locals_at();
                self.read((locals + *offset) as usize, *ty)
            }
            Expr::Load(place) => match self.range(pid, place)? {
                Some(range) if range.len() == place.ty.size() => self.read(range.start, place.ty),
                Some(range) => {
                    self.see(range);
                    None
                }
                None => None,
            },
            Expr::Unary(op, operand) => {
                self.value(pid, operand)?.map(|value| crate::eval::unary(*op, value))
            }
            Expr::Binary(op, operands) => {
                let both = self.value(pid, &operands.0)?.zip(self.value(pid, &operands.1)?);
                both.and_then(|(a, b)| op.apply(a, b))
            }
            Expr::And(operands) => match self.value(pid, &operands.0)? {
                Some(0) => Some(0),
                first => {
                    let second = self.value(pid, &operands.1)?;
                    first.zip(second).map(|(_, second)| i32::from(second != 0))
                }
            },
            Expr::Or(operands) => match self.value(pid, &operands.0)? {
                Some(first) if first != 0 => Some(1),
                first => {
                    let second = self.value(pid, &operands.1)?;
                    first.zip(second).map(|(_, second)| i32::from(second != 0))
                }
            },
            Expr::If(parts) => match self.value(pid, &parts.0)? {
                Some(test) => self.value(pid, if test != 0 { &parts.1 } else { &parts.2 })?,
                None => {
                    self.value(pid, &parts.1)?;
                    self.value(pid, &parts.2)?;
                    None
                }
            },
            Expr::Length(channel) | Expr::Test(_, channel) => {
                self.lengths(pid, channel)?;
                None
            }
            Expr::Poll(receive) => {
                self.poll(pid, receive)?;
                None
            }
            Expr::Pid => Some(pid as i32),
            Expr::Processes => Some(self.on.layout.processes.len() as i32),
            Expr::Last => {
                self.see(LAST_AT..LAST_AT + 1);
                None
            }
            // If nothing else can move, actors are not asked.
            Expr::Timeout => Some(0),
            Expr::Enabled(_)
            | Expr::Position(_)
            | Expr::Priority(_)
            | Expr::At { .. }
            | Expr::Remote { .. }
            | Expr::Marked(_)
            | Expr::Stopped => return Err(Unclear),
        })
    }
}

fn whole(channel: ChannelAt, ty: &ChannelType) -> Range<usize> {
    let start = channel.offset as usize;
    start..start + ty.size() as usize
}

/// How many messages there are.
fn length(channel: ChannelAt, ty: &ChannelType) -> Range<usize> {
    let start = channel.offset as usize;
    start..start + ty.size().min(ty.length_bytes()) as usize
}

/// The same, and the first message.
fn first(channel: ChannelAt, ty: &ChannelType) -> Range<usize> {
    let start = channel.offset as usize;
    start..start + ty.size().min(ty.length_bytes() + ty.message_size) as usize
}
