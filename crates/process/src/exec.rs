//! When a statement can run, and what it does to a state.

use crate::channel;
use crate::eval::{Env, Trap, check_arity};
use crate::ir::*;
use crate::trace::Way;
use crate::view::Recording;
use crate::work::Work;

/// Under which circumstances a statement is tried.
#[derive(Clone, Copy)]
pub enum Mode<'m> {
    /// On its own.
    Alone,
    /// As the other end of a rendezvous: only a receive on this channel that takes this message.
    Handshake { channel: i32, message: &'m [i32] },
}

impl Env<'_> {
    /// Can the statement run? `Else` cannot be answered here: it always says yes.
    pub fn executable(&self, action: &Action, mode: Mode<'_>) -> Result<bool, Trap> {
        if let Mode::Handshake { channel, message } = mode {
            return self.completes(action, channel, message);
        }
        Ok(match action {
            Action::Guard(expr) => self.test(expr)?,
            Action::Send(send) => !self.queue(&send.channel)?.is_full(),
            Action::Receive(receive) => self.can_receive(receive)?,
            Action::End => self.pid + 1 == self.work.process_count(),
            Action::DStep(body) => self.can_start(body, 0, mode)?,
            _ => true,
        })
    }

    fn can_receive(&self, receive: &Receive) -> Result<bool, Trap> {
        let queue = self.queue(&receive.channel)?;
        if queue.ty.is_rendezvous() {
            if receive.keep {
                return Err(Trap::new("channel", "a rendezvous channel cannot be polled"));
            }
            return Ok(false);
        }
        Ok(self.find(receive, &queue)?.is_some())
    }

    /// Can the statement be the receiving end of a rendezvous?
    fn completes(&self, action: &Action, channel: i32, message: &[i32]) -> Result<bool, Trap> {
        match action {
            Action::Receive(receive) if !receive.keep => {
                if self.eval(&receive.channel)? != channel {
                    return Ok(false);
                }
                let queue = self.queue(&receive.channel)?;
                self.fits(receive, queue.ty, |field| message[field])
            }
            Action::DStep(body) => self.can_start(body, 0, Mode::Handshake { channel, message }),
            _ => Ok(false),
        }
    }

    /// The message that a send sends. It is cut to the channel's types when it is stored; a sorted
    /// send finds its place by the uncut values, as in Spin.
    pub fn message(&self, send: &Send, ty: &ChannelType, out: &mut Vec<i32>) -> Result<(), Trap> {
        check_arity(send.values.len(), ty)?;
        out.clear();
        for value in &send.values {
            out.push(self.eval(value)?);
        }
        Ok(())
    }
}

/// Carries out statements: a state that changes, and the buffers this needs.
pub struct Executor<'a> {
    pub model: &'a Model,
    /// Is it known that nothing else can move?
    pub timeout: bool,
    message: Vec<i32>,
    /// Which statements were ever executed.
    pub covered: Vec<bool>,
    /// What is printed, sent and received is noted here, if somebody wants to know.
    pub recording: Option<Recording>,
}

impl<'a> Executor<'a> {
    pub fn new(model: &'a Model) -> Self {
        let covered = vec![false; model.statements.len()];
        Executor { model, timeout: false, message: Vec::new(), covered, recording: None }
    }

    pub fn env<'w>(&self, work: &'w Work, pid: usize) -> Env<'w>
    where
        'a: 'w,
    {
        Env { model: self.model, work, pid, timeout: self.timeout }
    }

    /// Carries out a statement that can run. (A rendezvous send has no effect of its own.)
    pub fn apply(
        &mut self,
        work: &mut Work,
        pid: usize,
        action: &Action,
        statement: StmtId,
        mode: Mode<'_>,
    ) -> Result<(), Trap> {
        self.covered[statement.0 as usize] = true;
        match action {
            Action::Skip | Action::Guard(_) | Action::Else => {}
            Action::Assign(place, expr) => {
                let value = self.env(work, pid).eval(expr)?;
                self.store(work, pid, place, value)?;
            }
            Action::Assert(expr) => {
                if !self.env(work, pid).test(expr)? {
                    let text = self.model.statement(statement).text.clone();
                    return Err(Trap::new("assertion", text));
                }
            }
            Action::Print(print) => self.print(work, pid, print)?,
            Action::Send(send) => self.send(work, pid, send)?,
            Action::Receive(receive) => self.receive(work, pid, receive, mode)?,
            Action::Run(run) => self.run(work, pid, run)?,
            Action::SetPriority(operands) => self.set_priority(work, pid, operands)?,
            Action::DStep(body) => self.d_step(work, pid, body, mode)?,
            Action::End => work.remove_youngest(),
        }
        Ok(())
    }

    pub fn store(
        &self,
        work: &mut Work,
        pid: usize,
        place: &Place,
        value: i32,
    ) -> Result<(), Trap> {
        let at = self.env(work, pid).address(place)?;
        match place.space {
            Space::Global | Space::Local => {
                place.ty.store(&mut work.bytes, at, value);
                work.changes.add(at, place.ty.size());
            }
            Space::Hidden => place.ty.store(&mut work.hidden, at, value),
            Space::Nowhere => {}
        }
        Ok(())
    }

    /// Printing changes nothing, but its arguments can go wrong.
    fn print(&mut self, work: &Work, pid: usize, print: &Print) -> Result<(), Trap> {
        let mut recording = self.recording.take();
        let env = self.env(work, pid);
        for part in &print.parts {
            let value = part.argument().map_or(Ok(0), |e| env.eval(e))?;
            if let Some(recording) = &mut recording {
                recording.print(self.model, part, value);
            }
        }
        self.recording = recording;
        Ok(())
    }

    fn send(&mut self, work: &mut Work, pid: usize, send: &Send) -> Result<(), Trap> {
        let mut message = std::mem::take(&mut self.message);
        let env = self.env(work, pid);
        let queue = env.queue(&send.channel)?;
        env.message(send, queue.ty, &mut message)?;
        let end = queue.len();
        let position = if send.sorted { queue.sorted_position(&message) } else { end };
        queue.ty.cut(&mut message);
        if let Some(recording) = &mut self.recording {
            recording.sent(self.model, work, queue.id, position, &message);
        }
        if !queue.ty.is_rendezvous() {
            let (id, at) = (queue.id, queue.at);
            let ty = self.channel_type(work, id);
            channel::insert(&mut work.bytes, ty, at, position, &message);
            if position < end {
                work.changes.add(at, ty.size() as usize);
            } else {
                work.changes.add(at, ty.length_bytes() as usize);
                work.changes.add(channel::slot_at(ty, at, end), ty.message_size as usize);
            }
            // That of a rendezvous is observed when it is complete.
            self.observe(work, pid, (Way::Send, id), &message)?;
        }
        self.message = message;
        Ok(())
    }

    fn channel_type(&self, work: &Work, id: i32) -> &'a ChannelType {
        self.model.channel_type(work.layout.channels[(id - 1) as usize].ty)
    }

    fn receive(
        &mut self,
        work: &mut Work,
        pid: usize,
        receive: &Receive,
        mode: Mode<'_>,
    ) -> Result<(), Trap> {
        if let Mode::Handshake { channel, message } = mode {
            if let Some(recording) = &mut self.recording {
                recording.received(self.model, work, channel, 0, message, false);
            }
            self.observe(work, pid, (Way::Send, channel), message)?;
            return self.take(work, pid, receive, channel, message);
        }
        let env = self.env(work, pid);
        let queue = env.queue(&receive.channel)?;
        let Some(slot) = env.find(receive, &queue)? else {
            return Err(Trap::new("internal", "a receive without a message"));
        };
        let mut message = std::mem::take(&mut self.message);
        message.clear();
        message.extend((0..queue.ty.fields.len()).map(|field| queue.field(slot, field)));
        if let Some(recording) = &mut self.recording {
            recording.received(self.model, work, queue.id, slot, &message, receive.keep);
        }
        let (id, at) = (queue.id, queue.at);
        if !receive.keep {
            let ty = self.channel_type(work, id);
            channel::remove(&mut work.bytes, ty, at, slot);
            work.changes.add(at, ty.size() as usize);
        }
        let result = self.take(work, pid, receive, id, &message);
        self.message = message;
        result
    }

    fn take(
        &mut self,
        work: &mut Work,
        pid: usize,
        receive: &Receive,
        channel: i32,
        message: &[i32],
    ) -> Result<(), Trap> {
        for (index, (pattern, value)) in receive.fields.iter().zip(message).enumerate() {
            // As in Spin: before the last variable gets its value.
            if !receive.keep && index + 1 == message.len() {
                self.observe(work, pid, (Way::Receive, channel), message)?;
            }
            if let Pattern::Store(place) = pattern {
                self.store(work, pid, place, *value)?;
            }
        }
        Ok(())
    }

    fn run(&mut self, work: &mut Work, pid: usize, run: &Run) -> Result<(), Trap> {
        let env = self.env(work, pid);
        let arguments: Result<Vec<i32>, Trap> = run.arguments.iter().map(|e| env.eval(e)).collect();
        let new = self.create(work, run.proctype, run.priority, &arguments?)?;
        match &run.result {
            Some(place) => self.store(work, pid, place, new as i32),
            None => Ok(()),
        }
    }

    /// Creates a process: its parameters, then its locals in the order of the text.
    pub fn create(
        &mut self,
        work: &mut Work,
        id: ProctypeId,
        priority: u8,
        arguments: &[i32],
    ) -> Result<usize, Trap> {
        let new = work.add_process(self.model, id, priority)?;
        let proctype = self.model.proctype(id);
        for (place, value) in proctype.parameters.iter().zip(arguments) {
            self.store(work, new, place, *value)?;
        }
        self.initialise(work, new, &proctype.locals)?;
        Ok(new)
    }

    pub fn initialise(&mut self, work: &mut Work, pid: usize, frame: &Frame) -> Result<(), Trap> {
        for init in &frame.init {
            let (place, value) = match init {
                Init::Assign(place, expr) => (place, self.env(work, pid).eval(expr)?),
                Init::Channel(place, ty) => (place, work.add_channel(self.model, *ty)?),
            };
            self.store(work, pid, place, value)?;
        }
        Ok(())
    }

    fn set_priority(
        &mut self,
        work: &mut Work,
        pid: usize,
        operands: &(Expr, Expr),
    ) -> Result<(), Trap> {
        let env = self.env(work, pid);
        let (who, priority) = (env.eval(&operands.0)?, env.eval(&operands.1)?);
        if who < 0 || who as usize >= work.process_count() {
            return Ok(());
        }
        if !(1..=255).contains(&priority) {
            let message = format!("priority {priority} is out of range (1 to 255)");
            return Err(Trap::new("priority", message));
        }
        work.set_priority(self.model, who as usize, priority as u8);
        Ok(())
    }
}

impl PrintPart {
    pub fn argument(&self) -> Option<&Expr> {
        match self {
            PrintPart::Text(_) => None,
            PrintPart::Decimal(e)
            | PrintPart::Unsigned(e)
            | PrintPart::Hex(e)
            | PrintPart::Octal(e)
            | PrintPart::Character(e)
            | PrintPart::Symbol(e, _) => Some(e),
        }
    }
}
