//! A state taken apart for work: its bytes, and where each process and channel lies in them.
//!
//! Layout: the number of processes; `_last` if the model uses it; the globals; the global channels;
//! then each process in the order of the ids, followed by the channels that it created. A process
//! is its type, its location (2 bytes), its priority if the model uses priorities, its locals.
//! Only the youngest process can end, so everything behind it goes away with it.

use crate::eval::Trap;
use crate::ir::*;
use auspex_system::StateRef;

/// The most processes and channels that can exist at a time; their numbers are bytes.
pub const MAX_PROCESSES: usize = 255;
pub const MAX_CHANNELS: usize = 255;

#[derive(Clone, Copy, Debug)]
pub struct ProcessAt {
    pub offset: u32,
    pub proctype: ProctypeId,
    /// How many channels existed before it.
    pub channels: u16,
    /// How many parts.
    pub parts: u16,
}

#[derive(Clone, Copy, Debug)]
pub struct ChannelAt {
    pub offset: u32,
    pub ty: ChannelTypeId,
}

#[derive(Debug, Default)]
pub struct Work {
    pub bytes: Vec<u8>,
    pub hidden: Vec<u8>,
    pub processes: Vec<ProcessAt>,
    pub channels: Vec<ChannelAt>,
    /// Where each part but the first begins.
    pub cuts: Vec<u32>,
}

const LAST_AT: usize = 1;

impl Work {
    pub fn copy_from(&mut self, other: &Work) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&other.bytes);
        self.hidden.clear();
        self.hidden.extend_from_slice(&other.hidden);
        self.processes.clear();
        self.processes.extend_from_slice(&other.processes);
        self.channels.clear();
        self.channels.extend_from_slice(&other.channels);
        self.cuts.clear();
        self.cuts.extend_from_slice(&other.cuts);
    }

    pub fn state(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }

    /// Takes a state apart.
    pub fn load(&mut self, model: &Model, state: StateRef<'_>) {
        self.reset(model);
        self.bytes.extend_from_slice(state.bytes);
        self.map_channels(&model.globals, model, model.globals_end());
        let mut at = self.next_offset(model, model.globals_end());
        for _ in 0..state.bytes[0] {
            let id = ProctypeId(state.bytes[at as usize]);
            self.map_process(at, id);
            let body = at + model.process_size(id);
            self.map_channels(&model.proctype(id).locals, model, body);
            at = self.next_offset(model, body);
        }
    }

    /// Where the part after the last mapped channel begins; `body` where there is none behind it.
    fn next_offset(&self, model: &Model, body: u32) -> u32 {
        match self.channels.last() {
            Some(c) if c.offset >= body => c.offset + model.channel_type(c.ty).size(),
            _ => body,
        }
    }

    fn reset(&mut self, model: &Model) {
        self.bytes.clear();
        self.hidden.clear();
        self.hidden.resize(model.hidden.size as usize, 0);
        self.processes.clear();
        self.channels.clear();
        self.cuts.clear();
    }

    fn map_process(&mut self, offset: u32, proctype: ProctypeId) {
        let (channels, parts) = (self.channels.len() as u16, self.cuts.len() as u16);
        self.processes.push(ProcessAt { offset, proctype, channels, parts });
        self.cuts.push(offset);
    }

    fn map_channels(&mut self, frame: &Frame, model: &Model, mut at: u32) {
        for ty in &frame.channels {
            self.map_channel(model, at, *ty);
            at += model.channel_type(*ty).size();
        }
    }

    fn map_channel(&mut self, model: &Model, offset: u32, ty: ChannelTypeId) {
        self.channels.push(ChannelAt { offset, ty });
        if model.channel_type(ty).size() > 0 {
            self.cuts.push(offset);
        }
    }

    /// The state before any process exists.
    pub fn build_globals(&mut self, model: &Model) {
        self.reset(model);
        self.bytes.resize(model.globals_end() as usize, 0);
    }

    /// Creates a channel at the end of the state and gives its number.
    pub fn add_channel(&mut self, model: &Model, ty: ChannelTypeId) -> Result<i32, Trap> {
        if self.channels.len() >= MAX_CHANNELS {
            return Err(Trap::new("channels", format!("more than {MAX_CHANNELS} channels")));
        }
        let offset = self.bytes.len();
        self.bytes.resize(offset + model.channel_type(ty).size() as usize, 0);
        self.map_channel(model, offset as u32, ty);
        Ok(self.channels.len() as i32)
    }

    /// Adds a process with all locals 0 and gives its id.
    pub fn add_process(
        &mut self,
        model: &Model,
        id: ProctypeId,
        priority: u8,
    ) -> Result<usize, Trap> {
        let pid = self.processes.len();
        if pid >= MAX_PROCESSES {
            return Err(Trap::new(
                "processes",
                format!("too many processes ({MAX_PROCESSES} at most)"),
            ));
        }
        let offset = self.bytes.len();
        self.bytes.resize(offset + model.process_size(id) as usize, 0);
        self.map_process(offset as u32, id);
        self.bytes[0] = (pid + 1) as u8;
        self.bytes[offset] = id.0;
        self.set_location(pid, model.proctype(id).start);
        if model.has_priorities {
            self.bytes[offset + PRIORITY_AT] = priority;
        }
        Ok(pid)
    }

    /// Removes the youngest process and its channels.
    pub fn remove_youngest(&mut self) {
        if let Some(process) = self.processes.pop() {
            self.bytes.truncate(process.offset as usize);
            self.channels.truncate(process.channels as usize);
            self.cuts.truncate(process.parts as usize);
            self.bytes[0] = self.processes.len() as u8;
        }
    }

    #[inline]
    pub fn location(&self, pid: usize) -> LocId {
        let at = self.processes[pid].offset as usize;
        LocId(u16::from_le_bytes([self.bytes[at + 1], self.bytes[at + 2]]))
    }

    #[inline]
    pub fn set_location(&mut self, pid: usize, loc: LocId) {
        let at = self.processes[pid].offset as usize;
        self.bytes[at + 1..at + 3].copy_from_slice(&loc.0.to_le_bytes());
    }

    pub fn priority(&self, pid: usize) -> u8 {
        self.bytes[self.processes[pid].offset as usize + PRIORITY_AT]
    }

    pub fn set_priority(&mut self, pid: usize, priority: u8) {
        let at = self.processes[pid].offset as usize + PRIORITY_AT;
        self.bytes[at] = priority;
    }

    pub fn last(&self) -> i32 {
        i32::from(self.bytes[LAST_AT])
    }

    pub fn set_last(&mut self, pid: usize) {
        self.bytes[LAST_AT] = pid as u8;
    }
}

const PRIORITY_AT: usize = 3;

impl Model {
    /// Bytes before the globals.
    pub(crate) fn globals_at(&self) -> u32 {
        1 + u32::from(self.remembers_last)
    }

    fn globals_end(&self) -> u32 {
        self.globals_at() + self.globals.size
    }

    /// Bytes before the locals of a process.
    #[inline]
    pub(crate) fn locals_at(&self) -> u32 {
        3 + u32::from(self.has_priorities)
    }

    fn process_size(&self, id: ProctypeId) -> u32 {
        self.locals_at() + self.proctype(id).locals.size
    }

    #[inline]
    pub fn proctype(&self, id: ProctypeId) -> &Proctype {
        &self.proctypes[id.0 as usize]
    }

    #[inline]
    pub fn channel_type(&self, id: ChannelTypeId) -> &ChannelType {
        &self.channel_types[id.0 as usize]
    }

    #[inline]
    pub fn statement(&self, id: StmtId) -> &Statement {
        &self.statements[id.0 as usize]
    }
}
