//! The kernel: processes, channels, and how an action is carried out. Who acts next is decided outside: by a
//! scheduler when a program runs, by a search when it is checked.

mod collect;
mod communicate;
mod exec;
mod records;
mod state;

use crate::code::{NONE, Object, Op, Pc, Reference};
use crate::types::Scalar;
use auspex_system::Fault;
pub use exec::Watcher;
pub use records::{Channel, Frame, Offer, Process, Queues, Status, Target, TargetKind, Timing};
pub use state::Snapshot;

/// The number of a process.
pub type Id = u16;

/// Nobody.
pub const NOBODY: Id = Id::MAX;

/// The most processes that there may be at a time.
const MOST_PROCESSES: usize = 10_000;
const MOST_CHANNELS: usize = 60_000;
/// How deep calls may be nested, and how many bytes their activation records may take.
const MOST_FRAMES: usize = 1_000;
const MOST_STACK: usize = 1 << 20;

/// What is outside of the program.
pub trait World {
    /// One of several ways to go on.
    fn choose(&mut self, ways: usize, what: Ways) -> usize;
    fn output(&mut self, text: &[u8]);
    fn input(&mut self, scalar: Scalar) -> Answer;
    fn clock(&mut self) -> Answer;
    fn host_in(&mut self, address: i64, bytes: u8) -> Answer;
    fn host_out(&mut self, address: i64, value: i64, bytes: u8) -> Answer;
    /// Shall a long action be given up?
    fn is_interrupted(&mut self) -> bool;
    /// Is the first of several partners always the one to take?
    fn takes_first(&self) -> bool {
        false
    }
    /// Must a loop that changes nothing be found?
    fn looks_for_loops(&self) -> bool;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// Alternatives of a CHOICE.
    Choice,
    /// Clauses, and partners of a communication.
    Partner,
}

/// What the world says.
pub enum Answer {
    Value(i64),
    /// Nothing yet: ask again.
    Wait,
    /// It cannot be known: a kind of fault, and why.
    Unknown(&'static str, String),
}

/// How an action ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acted {
    Done,
    /// The world has no answer yet; nothing has happened.
    Waits,
    /// A property: this run is none of its.
    NoMove,
    Interrupted,
}

pub struct Kernel<'o> {
    pub object: &'o Object,
    /// Queues in the order of the numbers of processes, not in that of their arrival.
    pub sorted: bool,
    pub globals: Vec<u8>,
    /// In boxes: whoever acts is taken out meanwhile.
    pub processes: Vec<Option<Box<Process>>>,
    pub channels: Vec<Option<Channel>>,
    /// The property that watches, and whether its last action was accepting.
    pub property: Option<Box<Process>>,
    pub accepting: bool,
    /// Processes that became ready, for a scheduler.
    pub woken: Vec<Id>,
    /// Periodic processes that have begun anew.
    pub restarted: Vec<Id>,
    /// Those that took part in the last action beside the one that acted.
    pub partners: Vec<Id>,
    /// Whose records an action has touched beside the process's own: see `touched`.
    touched: Vec<Id>,
    channels_touched: Vec<u16>,
    globals_touched: bool,
    stack: Vec<i64>,
    prepared: Option<Prepared>,
    width: usize,
    /// A port may have been the last one of its channel.
    garbage: bool,
    /// Channels are collected only if there are so many: at once where states are compared.
    pub patience: usize,
}

enum Prepared {
    Call { base: u32 },
    Create(Box<Process>),
}

impl<'o> Kernel<'o> {
    pub fn new(object: &'o Object, sorted: bool) -> Self {
        Kernel {
            object,
            sorted,
            globals: Vec::new(),
            processes: Vec::new(),
            channels: Vec::new(),
            property: None,
            accepting: false,
            woken: Vec::new(),
            restarted: Vec::new(),
            partners: Vec::new(),
            touched: Vec::new(),
            channels_touched: Vec::new(),
            globals_touched: false,
            stack: Vec::new(),
            prepared: None,
            width: 0,
            garbage: false,
            patience: 0,
        }
    }

    /// The first state: one process, at the beginning of the module bodies.
    pub fn begin(&mut self, property: Option<u32>) {
        self.globals = vec![0; self.object.globals.size as usize];
        self.processes.clear();
        self.channels.clear();
        for (_, offset, kind) in &self.object.globals.interrupts {
            let port = self.add_channel(*kind);
            let at = *offset as usize;
            if let Some(bytes) = self.globals.get_mut(at..at + 2) {
                bytes.copy_from_slice(&port.to_le_bytes());
            }
        }
        let main = self.new_process(self.object.main, NOBODY);
        self.processes.push(Some(main));
        self.property = property.map(|property| self.new_process(property, NOBODY));
        self.accepting = false;
        self.woken = vec![0];
    }

    fn new_process(&self, code: u32, parent: Id) -> Box<Process> {
        let (entry, size) =
            self.object.processes.get(code as usize).map_or((NONE, 0), |p| (p.entry, p.size));
        Box::new(Process {
            code,
            status: Status::Ready,
            pc: entry,
            frames: vec![Frame { process: code, return_to: NONE, base: 0 }],
            bytes: vec![0; size as usize],
            parent,
            children: 0,
            offers: Vec::new(),
            again: None,
            timing: Timing::default(),
        })
    }

    /// A new channel; the value of a port that leads to it, 0 if there are too many.
    fn add_channel(&mut self, kind: u16) -> u16 {
        let messages = self.object.channels.get(kind as usize).map_or(0, |c| c.messages.len());
        let channel = Channel { kind, messages: vec![Queues::default(); messages] };
        let free = self.channels.iter().position(Option::is_none);
        let index = free.unwrap_or(self.channels.len());
        if index >= MOST_CHANNELS {
            return 0;
        }
        match self.channels.get_mut(index) {
            Some(slot) => *slot = Some(channel),
            None => self.channels.push(Some(channel)),
        }
        self.channels_touched.push(index as u16);
        index as u16 + 1
    }

    pub fn process(&self, id: Id) -> Option<&Process> {
        self.processes.get(id as usize)?.as_deref()
    }

    /// Is nobody left?
    pub fn is_over(&self) -> bool {
        self.processes.iter().all(Option::is_none)
    }

    /// Can the process do something now? (A select that waits may find that a guard has come true.)
    pub fn may_act(&self, id: Id) -> bool {
        match self.process(id) {
            Some(process) => match process.status {
                Status::Ready => true,
                Status::Selecting => self.has_waiting_partner(process),
                _ => false,
            },
            None => false,
        }
    }

    /// One action of a process.
    pub fn act<W: World, O: Watcher>(
        &mut self,
        id: Id,
        world: &mut W,
        watcher: &mut O,
    ) -> Result<Acted, Fault> {
        self.partners.clear();
        self.touched.clear();
        self.channels_touched.clear();
        self.globals_touched = false;
        let Some(mut me) = self.processes.get_mut(id as usize).and_then(Option::take) else {
            return Ok(Acted::Done);
        };
        self.touched.push(id);
        let result = if me.status == Status::Selecting {
            self.communicate(id, &mut me, true, world, watcher).map(|()| Some(Acted::Done))
        } else {
            self.run_action(id, &mut me, world, watcher)
        };
        match result {
            Ok(Some(acted)) => {
                self.put_back(id, me);
                self.tidy();
                Ok(acted)
            }
            Ok(None) => {
                self.finish(id, me);
                self.tidy();
                Ok(Acted::Done)
            }
            Err(fault) => {
                self.put_back(id, me);
                Err(fault)
            }
        }
    }

    fn put_back(&mut self, id: Id, me: Box<Process>) {
        if let Some(slot) = self.processes.get_mut(id as usize) {
            *slot = Some(me);
        }
    }

    /// Runs a process up to the end of its action; `None`: it is at its end.
    fn run_action<W: World, O: Watcher>(
        &mut self,
        id: Id,
        me: &mut Process,
        world: &mut W,
        watcher: &mut O,
    ) -> Result<Option<Acted>, Fault> {
        let stop = self.run(id, me, me.pc, true, world, watcher)?;
        match stop {
            exec::Stop::Reschedule(pc) => {
                me.pc = pc;
                self.woken.push(id);
            }
            exec::Stop::Communicate { select } => {
                me.status = if select { Status::Selecting } else { Status::Communicating };
                self.communicate(id, me, false, world, watcher)?;
            }
            exec::Stop::Created(next) => {
                me.pc = next;
                // Nothing is left to do: no need to be asked again for that.
                let behind = self.object.behind_jumps(next);
                let code = self.object.code.get(behind as usize);
                let is_end = matches!(code, Some(Op::End | Op::Return)) && me.frames.len() == 1;
                if is_end {
                    me.pc = behind;
                    return Ok(None);
                }
                self.woken.push(id);
            }
            exec::Stop::Ended(pc) => {
                me.pc = pc;
                return Ok(None);
            }
            exec::Stop::Waits => {
                self.woken.push(id);
                return Ok(Some(Acted::Waits));
            }
            exec::Stop::Interrupted => return Ok(Some(Acted::Interrupted)),
            exec::Stop::NoMove => return Ok(Some(Acted::NoMove)),
            exec::Stop::Decided(_) => {}
        }
        Ok(Some(Acted::Done))
    }

    /// A process has reached its end.
    fn finish(&mut self, id: Id, mut me: Box<Process>) {
        let waits = me.code != self.object.main && me.children > 0;
        if waits {
            me.status = Status::Waiting;
            self.put_back(id, me);
            return;
        }
        self.leave(id, me);
    }

    /// A process is gone, or begins anew; so are those that waited for it, one after the other.
    fn leave(&mut self, id: Id, me: Box<Process>) {
        // Its own ports are gone in either case.
        self.garbage = true;
        let mut last = Some((id, me));
        while let Some((id, me)) = last.take() {
            if let Some(parameters) = me.again {
                let mut anew = self.new_process(me.code, me.parent);
                anew.bytes.clone_from(&parameters);
                anew.again = Some(parameters);
                anew.timing = me.timing;
                self.put_back(id, anew);
                self.restarted.push(id);
                return;
            }
            if me.children > 0 {
                self.orphan(id);
            }
            // Slots at the end are given back, so that equal states look equal.
            while let Some(None) = self.processes.last() {
                self.processes.pop();
            }
            let Some(Some(parent)) = self.processes.get_mut(me.parent as usize) else { return };
            parent.children = parent.children.saturating_sub(1);
            self.touched.push(me.parent);
            if parent.children == 0 && parent.status == Status::Waiting {
                let parent = self.processes.get_mut(me.parent as usize).and_then(Option::take);
                last = parent.map(|parent| (me.parent, parent));
            }
        }
    }

    /// The number of a process that did not wait for its children may be given to another one.
    fn orphan(&mut self, parent: Id) {
        for (index, process) in self.processes.iter_mut().enumerate() {
            if let Some(child) = process
                && child.parent == parent
            {
                child.parent = NOBODY;
                self.touched.push(index as Id);
            }
        }
    }

    /// One action of the property. One that goes wrong is its last, and accepts.
    pub fn act_property<W: World, O: Watcher>(
        &mut self,
        world: &mut W,
        watcher: &mut O,
    ) -> Result<Acted, Fault> {
        self.accepting = self.accepting && self.property_is_at_end();
        let Some(mut me) = self.property.take() else { return Ok(Acted::Done) };
        if me.status == Status::Waiting {
            self.property = Some(me);
            return Ok(Acted::Done);
        }
        let result = self.run_action(Reference::PROPERTY, &mut me, world, watcher);
        self.woken.clear();
        if matches!(result, Ok(None)) {
            me.status = Status::Waiting;
        }
        if result.is_err() {
            // It cannot say any more that the run is none of its.
            me.status = Status::Waiting;
            me.offers.clear();
            self.prepared = None;
            self.accepting = true;
        }
        self.property = Some(me);
        result.map(|acted| acted.unwrap_or(Acted::Done))
    }

    /// Has the property nothing left to do? What is only the end of it is no action that could accept or not.
    fn property_is_at_end(&self) -> bool {
        self.property.as_ref().is_some_and(|property| {
            let op = self.object.code.get(self.object.behind_jumps(property.pc) as usize);
            let is_end = matches!(op, Some(Op::Return | Op::End)) && property.frames.len() == 1;
            is_end || property.status == Status::Waiting
        })
    }

    /// The value of an expression over the variables of modules.
    pub fn evaluate(&mut self, pc: Pc) -> Result<i64, Fault> {
        let mut nobody = Process {
            code: NONE,
            status: Status::Ready,
            pc,
            frames: vec![Frame { process: NONE, return_to: NONE, base: 0 }],
            bytes: Vec::new(),
            parent: NOBODY,
            children: 0,
            offers: Vec::new(),
            again: None,
            timing: Timing::default(),
        };
        match self.run(NOBODY - 3, &mut nobody, pc, false, &mut NoWorld, &mut ())? {
            exec::Stop::Decided(value) => Ok(value),
            _ => Ok(0),
        }
    }

    pub(crate) fn fault(&self, kind: &'static str, message: impl Into<String>, pc: Pc) -> Fault {
        Fault::new(kind, message, self.object.location(self.object.place_at(pc)))
    }
}

/// For what asks nobody.
pub struct NoWorld;

impl World for NoWorld {
    fn choose(&mut self, _: usize, _: Ways) -> usize {
        0
    }

    fn output(&mut self, _: &[u8]) {}

    fn input(&mut self, _: Scalar) -> Answer {
        Answer::Value(0)
    }

    fn clock(&mut self) -> Answer {
        Answer::Value(0)
    }

    fn host_in(&mut self, _: i64, _: u8) -> Answer {
        Answer::Value(0)
    }

    fn host_out(&mut self, _: i64, _: i64, _: u8) -> Answer {
        Answer::Value(0)
    }

    fn is_interrupted(&mut self) -> bool {
        false
    }

    fn looks_for_loops(&self) -> bool {
        false
    }
}
