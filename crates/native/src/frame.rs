//! What compiled code sees of a state.

use auspex_process::{ChannelAt, Env, Work};
use std::mem::{MaybeUninit, offset_of};

/// Its fields are read and written by compiled code, at the offsets below.
#[repr(C)]
pub struct Frame {
    bytes: *mut u8,
    /// The bytes of the process that moves.
    process: *mut u8,
    hidden: *mut u8,
    channels: *const ChannelAt,
    covered: *mut bool,
    channel_count: u32,
    pid: u32,
    processes: u32,
    timeout: u32,
    /// How many of `changes` there are; more than fit: anywhere.
    changed: u32,
    changes: [MaybeUninit<[u32; 2]>; MOST_CHANGES],
}

/// As many as one statement has, at most: a receive stores each field of a message.
pub const MOST_CHANGES: usize = 20;
/// For statements that would have more.
pub const ANYWHERE: u32 = u32::MAX;

pub const BYTES: i32 = offset_of!(Frame, bytes) as i32;
pub const PROCESS: i32 = offset_of!(Frame, process) as i32;
pub const HIDDEN: i32 = offset_of!(Frame, hidden) as i32;
pub const CHANNELS: i32 = offset_of!(Frame, channels) as i32;
pub const COVERED: i32 = offset_of!(Frame, covered) as i32;
pub const CHANNEL_COUNT: i32 = offset_of!(Frame, channel_count) as i32;
pub const PID: i32 = offset_of!(Frame, pid) as i32;
pub const PROCESSES: i32 = offset_of!(Frame, processes) as i32;
pub const TIMEOUT: i32 = offset_of!(Frame, timeout) as i32;
pub const CHANGED: i32 = offset_of!(Frame, changed) as i32;
pub const CHANGES: i32 = offset_of!(Frame, changes) as i32;

impl Frame {
    /// For code that only reads.
    #[inline]
    pub fn of(env: &Env<'_>) -> Self {
        let work = env.work;
        Frame::new(
            work.bytes.as_ptr().cast_mut(),
            work.hidden.as_ptr().cast_mut(),
            (work, env.pid, env.timeout),
            std::ptr::null_mut(),
        )
    }

    #[inline]
    pub fn to_change(work: &mut Work, pid: usize, covered: &mut [bool]) -> Self {
        let (bytes, hidden) = (work.bytes.as_mut_ptr(), work.hidden.as_mut_ptr());
        Frame::new(bytes, hidden, (work, pid, false), covered.as_mut_ptr())
    }

    #[inline]
    fn new(
        bytes: *mut u8,
        hidden: *mut u8,
        (work, pid, timeout): (&Work, usize, bool),
        covered: *mut bool,
    ) -> Self {
        let layout = &*work.layout;
        // Nobody has no bytes: code for nobody does not look at them.
        let offset = layout.processes.get(pid).map_or(0, |process| process.offset);
        Frame {
            bytes,
            process: bytes.wrapping_add(offset as usize),
            hidden,
            channels: layout.channels.as_ptr(),
            covered,
            channel_count: layout.channels.len() as u32,
            pid: pid as u32,
            processes: layout.processes.len() as u32,
            timeout: u32::from(timeout),
            changed: 0,
            changes: [MaybeUninit::uninit(); MOST_CHANGES],
        }
    }

    /// Makes it the view of another process of the same state.
    #[inline]
    pub fn set_process(&mut self, pid: usize, offset: u32) {
        self.process = self.bytes.wrapping_add(offset as usize);
        self.pid = pid as u32;
    }

    /// Tells the state where it was changed.
    #[inline]
    pub fn note_changes(&self, work: &mut Work) {
        let Some(changes) = self.changes.get(..self.changed as usize) else {
            return work.changes.anywhere();
        };
        for change in changes {
            // SAFETY: compiled code has written so many.
            let [start, end] = unsafe { change.assume_init() };
            work.changes.add(start as usize, (end - start) as usize);
        }
    }
}
