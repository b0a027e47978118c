//! What the kernel knows of each process and each channel.

use super::Id;
use crate::code::Pc;
use crate::types::Scalar;
use smallvec::SmallVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on at its `pc`.
    Ready,
    /// In a send or receive.
    Communicating,
    Selecting,
    /// At its end, until the processes that it created are gone.
    Waiting,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub process: u32,
    /// Where its caller goes on.
    pub return_to: Pc,
    /// Where its variables begin.
    pub base: u32,
}

/// One clause of a communication that waits for a partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its operation: [`Op::Clause`].
    pub site: Pc,
    pub channel: u16,
    /// What is sent.
    pub data: SmallVec<[u8; 16]>,
    /// Where what is received goes.
    pub targets: SmallVec<[Target; 1]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// A reference, or the value to be matched.
    pub value: i64,
    pub kind: TargetKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    Scalar(Scalar),
    Bytes(u32),
    Match,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Process {
    /// What it is an instance of.
    pub code: u32,
    pub status: Status,
    pub pc: Pc,
    pub frames: Vec<Frame>,
    /// The variables of all its activation records.
    pub bytes: Vec<u8>,
    pub parent: Id,
    pub children: u16,
    pub offers: Vec<Offer>,
    /// Of a periodic process: its parameters, to begin anew with.
    pub again: Option<Vec<u8>>,
    pub timing: Timing,
}

/// By hand, because going back to a state copies processes all the time: what is allocated is used again.
impl Clone for Process {
    fn clone(&self) -> Self {
        Process {
            frames: self.frames.clone(),
            bytes: self.bytes.clone(),
            offers: self.offers.clone(),
            again: self.again.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        let Process { code, status, pc, frames, bytes, parent, children, offers, again, timing } =
            self;
        (*code, *status, *pc) = (other.code, other.status, other.pc);
        (*parent, *children, *timing) = (other.parent, other.children, other.timing);
        frames.clone_from(&other.frames);
        bytes.clone_from(&other.bytes);
        offers.clone_from(&other.offers);
        again.clone_from(&other.again);
    }
}

/// In milliseconds; 0: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    pub deadline: u32,
    pub period: u32,
}

/// Who waits for a message of a channel.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Queues {
    pub senders: Vec<Id>,
    pub receivers: Vec<Id>,
    pub selecting: Vec<Id>,
}

impl Clone for Queues {
    fn clone(&self) -> Self {
        let Queues { senders, receivers, selecting } = self;
        let (senders, receivers) = (senders.clone(), receivers.clone());
        Queues { senders, receivers, selecting: selecting.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.senders.clone_from(&other.senders);
        self.receivers.clone_from(&other.receivers);
        self.selecting.clone_from(&other.selecting);
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Channel {
    pub kind: u16,
    pub messages: Vec<Queues>,
}

impl Clone for Channel {
    fn clone(&self) -> Self {
        Channel { kind: self.kind, messages: self.messages.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.kind = other.kind;
        self.messages.clone_from(&other.messages);
    }
}
