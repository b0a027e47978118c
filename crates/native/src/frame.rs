//! What compiled code sees of a state.

use crate::program::Program;
use auspex_process::{ChannelAt, Env, ProcessAt, Work};
use auspex_system::ByteRange;
use std::mem::offset_of;

/// Its fields are read and written by compiled code, at the offsets below.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Frame {
    pub bytes: *mut u8,
    /// The bytes of the process that moves.
    pub process: *mut u8,
    pub hidden: *mut u8,
    pub channels: *const ChannelAt,
    pub covered: *mut bool,
    /// Where the next change is noted.
    pub change: *mut ByteRange,
    /// Where the next successor goes, how long it is, and where it is noted up to which change.
    pub next: *mut u8,
    pub len: usize,
    pub end: *mut *const ByteRange,
    /// For rendezvous: where all processes are, and who can tell what they do about a message.
    pub layout: *const ProcessAt,
    pub program: *const Program,
    /// A message that is offered: see `meet`. Then where the sender lies in the state, and where it goes on.
    pub offer: *const i32,
    pub sender: usize,
    /// Where the last state inside an atomic run lies, and who runs there: see `runs`.
    pub inside: *mut u8,
    pub runner: *mut u8,
    /// How many bytes rendezvous have to leave free between the successors and these states.
    pub reserve: usize,
    pub target: u32,
    pub channel_count: u32,
    pub pid: u32,
    pub processes: u32,
    pub timeout: u32,
    /// Not zero: changes were not noted.
    pub anywhere: u32,
}

/// As many as one statement has, at most: a receive stores each field of a message.
pub const MOST_CHANGES: usize = 20;

pub const BYTES: i32 = offset_of!(Frame, bytes) as i32;
pub const PROCESS: i32 = offset_of!(Frame, process) as i32;
pub const HIDDEN: i32 = offset_of!(Frame, hidden) as i32;
pub const CHANNELS: i32 = offset_of!(Frame, channels) as i32;
pub const COVERED: i32 = offset_of!(Frame, covered) as i32;
pub const CHANNEL_COUNT: i32 = offset_of!(Frame, channel_count) as i32;
pub const PID: i32 = offset_of!(Frame, pid) as i32;
pub const PROCESSES: i32 = offset_of!(Frame, processes) as i32;
pub const TIMEOUT: i32 = offset_of!(Frame, timeout) as i32;
pub const CHANGE: i32 = offset_of!(Frame, change) as i32;
pub const NEXT: i32 = offset_of!(Frame, next) as i32;
pub const LEN: i32 = offset_of!(Frame, len) as i32;
pub const END: i32 = offset_of!(Frame, end) as i32;
pub const OFFER: i32 = offset_of!(Frame, offer) as i32;
pub const SENDER: i32 = offset_of!(Frame, sender) as i32;
pub const INSIDE: i32 = offset_of!(Frame, inside) as i32;
pub const RUNNER: i32 = offset_of!(Frame, runner) as i32;
pub const TARGET: i32 = offset_of!(Frame, target) as i32;
pub const ANYWHERE: i32 = offset_of!(Frame, anywhere) as i32;

impl Frame {
    /// For code that only reads.
    #[inline]
    pub fn of(env: &Env<'_>) -> Self {
        let bytes = env.work.bytes.as_ptr().cast_mut();
        let hidden = env.work.hidden.as_ptr().cast_mut();
        Frame { timeout: u32::from(env.timeout), ..Frame::new(env.work, env.pid, bytes, hidden) }
    }

    /// For code that changes a state; where it does is noted from `change` on.
    #[inline]
    pub fn to_change(
        work: &mut Work,
        pid: usize,
        covered: &mut [bool],
        change: *mut ByteRange,
    ) -> Self {
        let (bytes, hidden) = (work.bytes.as_mut_ptr(), work.hidden.as_mut_ptr());
        Frame { covered: covered.as_mut_ptr(), change, ..Frame::new(work, pid, bytes, hidden) }
    }

    #[inline]
    fn new(work: &Work, pid: usize, bytes: *mut u8, hidden: *mut u8) -> Self {
        let layout = &*work.layout;
        // Nobody has no bytes: code for nobody does not look at them.
        let offset = layout.processes.get(pid).map_or(0, |process| process.offset);
        Frame {
            bytes,
            process: bytes.wrapping_add(offset as usize),
            hidden,
            channels: layout.channels.as_ptr(),
            covered: std::ptr::null_mut(),
            change: std::ptr::null_mut(),
            next: std::ptr::null_mut(),
            len: work.bytes.len(),
            end: std::ptr::null_mut(),
            layout: layout.processes.as_ptr(),
            program: std::ptr::null(),
            offer: std::ptr::null(),
            sender: 0,
            inside: std::ptr::null_mut(),
            runner: std::ptr::null_mut(),
            reserve: 0,
            target: 0,
            channel_count: layout.channels.len() as u32,
            pid: pid as u32,
            processes: layout.processes.len() as u32,
            timeout: 0,
            anywhere: 0,
        }
    }

    /// Makes it the view of another process of the same state.
    #[inline]
    pub fn set_process(&mut self, pid: usize, offset: u32) {
        self.process = self.bytes.wrapping_add(offset as usize);
        self.pid = pid as u32;
    }

    /// Where the process stands.
    ///
    /// # Safety
    /// It is one of the state.
    #[inline]
    pub unsafe fn location(&self, wide: bool) -> usize {
        // SAFETY: that is where the state has it.
        let [low, high] = unsafe {
            let high = if wide { self.process.add(2).read() } else { 0 };
            [self.process.add(1).read(), high]
        };
        u16::from_le_bytes([low, high]).into()
    }

    /// Notes where a state differs from another one of the same length, up to eight bytes at a time.
    ///
    /// # Safety
    /// There is room for as many changes as [`differences`] says.
    pub unsafe fn note_differences(&mut self, before: &[u8], after: &[u8]) {
        let len = after.len();
        let mut note = |start: usize, end: usize| {
            // SAFETY: as above.
            unsafe {
                self.change.write([start as u32, end as u32]);
                self.change = self.change.add(1);
            }
        };
        let (words, rest) = before.as_chunks::<8>();
        for (number, (a, b)) in words.iter().zip(after.as_chunks::<8>().0).enumerate() {
            let differs = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
            if differs != 0 {
                let first = 8 * number + differs.trailing_zeros() as usize / 8;
                note(first, 8 * number + 8 - differs.leading_zeros() as usize / 8);
            }
        }
        if *rest != after[len - rest.len()..] {
            note(len - rest.len(), len);
        }
    }
}

/// How many changes there are at most in a state of so many bytes, where they are looked for.
pub fn differences(len: usize) -> usize {
    len / 8 + 1
}
