//! Messages and what holds them.

use super::values::{self, fault};
use std::collections::VecDeque;

pub use Field::*;
pub use Pattern::*;

/// The types of the fields of a message: what is left of a value that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Bit,
    Byte,
    Short,
    Int,
    Unsigned(u32),
}

impl Field {
    pub(super) fn cut(self, value: i32) -> i32 {
        match self {
            Bit => values::bit(value),
            Byte => values::byte(value),
            Short => values::short(value),
            Int => value,
            Unsigned(width) => values::unsigned(value, width),
        }
    }
}

/// What a receive wants of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    Any,
    Is(i32),
}

pub(super) type Message = Vec<i32>;

pub(super) fn fits(patterns: &[Pattern], message: &[i32]) -> bool {
    patterns.iter().zip(message).all(|(pattern, value)| *pattern == Any || *pattern == Is(*value))
}

pub(super) struct Channel {
    /// 0: a rendezvous.
    pub(super) capacity: usize,
    pub(super) fields: Vec<Field>,
    pub(super) messages: VecDeque<Message>,
}

impl Channel {
    /// The message that a receive would take.
    pub(super) fn find(&self, patterns: &[Pattern], anywhere: bool) -> Option<usize> {
        self.check(patterns.len());
        let reach = if anywhere { self.messages.len() } else { 1 };
        self.messages.iter().take(reach).position(|message| fits(patterns, message))
    }

    pub(super) fn check(&self, given: usize) {
        let wanted = self.fields.len();
        if given != wanted {
            fault(format_args!("{given} fields given, but the channel has {wanted}"));
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.capacity > 0 && self.messages.len() >= self.capacity
    }
}

/// Where a sorted send puts a message: before the first one that is greater.
pub(super) fn sorted_position(messages: &VecDeque<Message>, message: &Message) -> usize {
    messages.iter().position(|other| other > message).unwrap_or(messages.len())
}
