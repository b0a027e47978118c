//! A state taken apart for work: its bytes, and where each process and channel lies in them.
//!
//! Layout: the number of processes; `_last` if the model uses it; the globals; the global channels;
//! then each process in the order of the ids, followed by the channels that it created. A process
//! is its type, its location (one byte where that is enough), its priority if the model uses
//! priorities, its locals. Only the youngest process can end, so everything behind it goes with it.

use crate::eval::Trap;
use crate::ir::*;
use auspex_system::{ByteRange, StateRef};
use std::rc::Rc;

/// The most processes and channels that can exist at a time; their numbers are bytes.
pub const MAX_PROCESSES: usize = 255;
pub const MAX_CHANNELS: usize = 255;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ProcessAt {
    pub offset: u32,
    pub proctype: ProctypeId,
    /// How many channels existed before it.
    pub channels: u16,
    /// How many parts.
    pub parts: u16,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ChannelAt {
    pub offset: u32,
    pub ty: ChannelTypeId,
}

/// Where everything lies. Most steps do not change it: it is shared until one does.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub processes: Vec<ProcessAt>,
    pub channels: Vec<ChannelAt>,
    /// Where each part but the first begins.
    pub cuts: Vec<u32>,
}

impl Layout {
    /// Is this the layout of that state? The types of the processes decide.
    fn fits(&self, state: StateRef<'_>) -> bool {
        usize::from(state.bytes[0]) == self.processes.len()
            && state.cuts == self.cuts
            && self.processes.iter().all(|p| state.bytes[p.offset as usize] == p.proctype.0)
    }

    pub fn of(model: &Model, state: StateRef<'_>) -> Layout {
        let mut layout = Layout::default();
        let mut at = layout.add_channels(&model.globals, model, model.globals_end());
        for _ in 0..state.bytes[0] {
            let id = ProctypeId(state.bytes[at as usize]);
            layout.add_process(at, id);
            let body = at + model.process_size(id);
            at = layout.add_channels(&model.proctype(id).locals, model, body);
        }
        layout
    }

    fn add_process(&mut self, offset: u32, proctype: ProctypeId) {
        let (channels, parts) = (self.channels.len() as u16, self.cuts.len() as u16);
        self.processes.push(ProcessAt { offset, proctype, channels, parts });
        self.cuts.push(offset);
    }

    /// The channels of a frame, from `at` on; gives where they end.
    fn add_channels(&mut self, frame: &Frame, model: &Model, mut at: u32) -> u32 {
        for ty in &frame.channels {
            self.add_channel(model, at, *ty);
            at += model.channel_type(*ty).size();
        }
        at
    }

    fn add_channel(&mut self, model: &Model, offset: u32, ty: ChannelTypeId) {
        self.channels.push(ChannelAt { offset, ty });
        if model.channel_type(ty).size() > 0 {
            self.cuts.push(offset);
        }
    }
}

#[derive(Debug, Default)]
pub struct Work {
    pub bytes: Vec<u8>,
    pub hidden: Vec<u8>,
    pub layout: Rc<Layout>,
    pub changes: Changes,
}

/// In which ranges of bytes a state may differ from the one that is being expanded.
#[derive(Debug, Default)]
pub struct Changes {
    ranges: Vec<ByteRange>,
    /// Anywhere.
    all: bool,
}

impl Changes {
    /// With more of them it is no longer worth while.
    pub const MOST: usize = 64;

    /// There are none.
    pub fn begin(&mut self) {
        self.ranges.clear();
        self.all = false;
    }

    pub fn anywhere(&mut self) {
        self.all = true;
    }

    #[inline]
    pub fn add(&mut self, start: usize, len: usize) {
        if self.ranges.len() < Self::MOST {
            self.ranges.push([start as u32, (start + len) as u32]);
        } else {
            self.all = true;
        }
    }

    /// `None`: anywhere.
    #[inline]
    pub fn ranges(&self) -> Option<&[ByteRange]> {
        (!self.all).then_some(&self.ranges)
    }

    #[inline]
    fn copy_from(&mut self, other: &Changes) {
        self.ranges.clear();
        self.all = other.all;
        if !self.all {
            self.ranges.extend_from_slice(&other.ranges);
        }
    }
}

pub const LAST_AT: usize = 1;

impl Work {
    #[inline]
    pub fn copy_from(&mut self, other: &Work) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&other.bytes);
        if !other.hidden.is_empty() {
            self.hidden.clear();
            self.hidden.extend_from_slice(&other.hidden);
        }
        if !Rc::ptr_eq(&self.layout, &other.layout) {
            self.layout = Rc::clone(&other.layout);
        }
        self.changes.copy_from(&other.changes);
    }

    pub fn state(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.layout.cuts }
    }

    /// Takes a state apart; `recent` is the layout that was used last, and probably fits again.
    pub fn load(&mut self, model: &Model, state: StateRef<'_>, recent: &mut Rc<Layout>) {
        self.reset(model);
        self.bytes.extend_from_slice(state.bytes);
        if !recent.fits(state) {
            *recent = Rc::new(Layout::of(model, state));
        }
        if !Rc::ptr_eq(&self.layout, recent) {
            self.layout = Rc::clone(recent);
        }
    }

    fn reset(&mut self, model: &Model) {
        self.bytes.clear();
        self.hidden.clear();
        self.hidden.resize(model.hidden.size as usize, 0);
        self.changes.anywhere();
    }

    /// The state before any process exists.
    pub fn build_globals(&mut self, model: &Model) {
        self.reset(model);
        self.bytes.resize(model.globals_end() as usize, 0);
        self.layout = Rc::default();
    }

    pub fn process_count(&self) -> usize {
        self.layout.processes.len()
    }

    #[inline]
    pub fn proctype(&self, pid: usize) -> ProctypeId {
        self.layout.processes[pid].proctype
    }

    /// Creates a channel at the end of the state and gives its number.
    pub fn add_channel(&mut self, model: &Model, ty: ChannelTypeId) -> Result<i32, Trap> {
        if self.layout.channels.len() >= MAX_CHANNELS {
            return Err(Trap::new("channels", format!("more than {MAX_CHANNELS} channels")));
        }
        let offset = self.bytes.len();
        self.bytes.resize(offset + model.channel_type(ty).size() as usize, 0);
        Rc::make_mut(&mut self.layout).add_channel(model, offset as u32, ty);
        Ok(self.layout.channels.len() as i32)
    }

    /// Adds a process with all locals 0 and gives its id.
    pub fn add_process(
        &mut self,
        model: &Model,
        id: ProctypeId,
        priority: u8,
    ) -> Result<usize, Trap> {
        let pid = self.process_count();
        if pid >= MAX_PROCESSES {
            let message = format!("too many processes ({MAX_PROCESSES} at most)");
            return Err(Trap::new("processes", message));
        }
        let offset = self.bytes.len();
        self.bytes.resize(offset + model.process_size(id) as usize, 0);
        Rc::make_mut(&mut self.layout).add_process(offset as u32, id);
        self.bytes[0] = (pid + 1) as u8;
        self.bytes[offset] = id.0;
        self.set_location(model, pid, model.proctype(id).start);
        if model.has_priorities {
            self.set_priority(model, pid, priority);
        }
        Ok(pid)
    }

    /// Removes the youngest process and its channels.
    pub fn remove_youngest(&mut self) {
        let layout = Rc::make_mut(&mut self.layout);
        if let Some(process) = layout.processes.pop() {
            self.bytes.truncate(process.offset as usize);
            layout.channels.truncate(process.channels as usize);
            layout.cuts.truncate(process.parts as usize);
            self.bytes[0] = layout.processes.len() as u8;
        }
    }

    #[inline]
    pub fn location(&self, model: &Model, pid: usize) -> LocId {
        let at = self.layout.processes[pid].offset as usize;
        let low = u16::from(self.bytes[at + 1]);
        if model.wide_locations {
            LocId(low | u16::from(self.bytes[at + 2]) << 8)
        } else {
            LocId(low)
        }
    }

    #[inline]
    pub fn set_location(&mut self, model: &Model, pid: usize, loc: LocId) {
        let at = self.layout.processes[pid].offset as usize;
        self.bytes[at + 1] = loc.0 as u8;
        if model.wide_locations {
            self.bytes[at + 2] = (loc.0 >> 8) as u8;
        }
        self.changes.add(at + 1, 1 + usize::from(model.wide_locations));
    }

    fn priority_at(&self, model: &Model, pid: usize) -> usize {
        (self.layout.processes[pid].offset + model.locals_at() - 1) as usize
    }

    pub fn priority(&self, model: &Model, pid: usize) -> u8 {
        self.bytes[self.priority_at(model, pid)]
    }

    pub fn set_priority(&mut self, model: &Model, pid: usize, priority: u8) {
        let at = self.priority_at(model, pid);
        self.bytes[at] = priority;
        self.changes.add(at, 1);
    }

    pub fn last(&self) -> i32 {
        i32::from(self.bytes[LAST_AT])
    }

    pub fn set_last(&mut self, pid: usize) {
        self.bytes[LAST_AT] = pid as u8;
        self.changes.add(LAST_AT, 1);
    }
}

impl Model {
    /// Bytes before the globals.
    #[inline]
    pub fn globals_at(&self) -> u32 {
        1 + u32::from(self.remembers_last)
    }

    fn globals_end(&self) -> u32 {
        self.globals_at() + self.globals.size
    }

    /// Bytes before the locals of a process.
    #[inline]
    pub fn locals_at(&self) -> u32 {
        2 + u32::from(self.wide_locations) + u32::from(self.has_priorities)
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
