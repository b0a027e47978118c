//! Looking at what a process could do next.

use super::channel::{Message, Pattern, sorted_position};
use super::process::Process;
use super::values::fault;
use super::world::Offer;

/// A way to go on.
#[derive(Clone)]
pub(super) struct Way {
    pub option: usize,
    /// Of an `unless`, the outermost escape is 0.
    pub group: usize,
    pub act: Act,
}

#[derive(Clone)]
pub(super) enum Act {
    Go,
    Put {
        channel: i32,
        at: usize,
        message: Message,
    },
    Get {
        channel: i32,
        at: usize,
        keep: bool,
    },
    /// A rendezvous with one of the partners.
    Meet {
        partners: Vec<(usize, usize)>,
        message: Message,
    },
}

/// A send on a rendezvous channel.
pub(super) struct Sent {
    pub group: usize,
    pub channel: i32,
    pub message: Message,
}

#[derive(Default)]
pub(super) struct Seen {
    pub ways: Vec<Way>,
    pub receives: Vec<Offer>,
    pub sends: Vec<Sent>,
    /// `else`: the option and its group.
    pub otherwise: Vec<(usize, usize)>,
    /// The last one.
    pub group: usize,
    /// See [`Offer`].
    row: usize,
}

/// Collects the options of a process, each with a number; each says whether it can run now.
pub struct Look<'a, G: 'static> {
    process: &'a Process<G>,
    in_row: bool,
    pub(super) seen: Seen,
}

impl<'a, G> Look<'a, G> {
    pub(super) fn new(process: &'a Process<G>) -> Look<'a, G> {
        Look { process, in_row: false, seen: Seen::default() }
    }

    fn add(&mut self, option: usize, act: Act) -> bool {
        let group = self.seen.group;
        self.seen.ways.push(Way { option, group, act });
        true
    }

    /// Options of which only the first that can run counts: those of a `d_step`.
    pub fn first(&mut self, options: impl FnOnce(&mut Self) -> bool) {
        self.seen.row += 1;
        self.in_row = true;
        options(self);
        self.in_row = false;
    }

    /// The options so far were those of an escape: what follows can run only if they cannot. Is that so?
    pub fn main(&mut self) -> bool {
        self.seen.group += 1;
        self.seen.ways.is_empty()
    }

    /// A condition, or `true` for a statement that can always run.
    pub fn when(&mut self, option: usize, condition: bool) -> bool {
        condition && self.add(option, Act::Go)
    }

    /// `else`
    pub fn otherwise(&mut self, option: usize) {
        self.seen.otherwise.push((option, self.seen.group));
    }

    /// `channel!values`
    pub fn send(&mut self, option: usize, channel: i32, values: &[i32]) -> bool {
        self.put(option, channel, values, false)
    }

    /// `channel!!values`
    pub fn send_sorted(&mut self, option: usize, channel: i32, values: &[i32]) -> bool {
        self.put(option, channel, values, true)
    }

    fn put(&mut self, option: usize, id: i32, values: &[i32], sorted: bool) -> bool {
        let process = self.process;
        let channel = process.world().channel(id);
        channel.check(values.len());
        let message: Message = channel.fields.iter().zip(values).map(|(f, v)| f.cut(*v)).collect();
        if channel.capacity > 0 {
            // As in Spin, the place is found by the values before they are cut.
            let end = channel.messages.len();
            let whole = values.to_vec();
            let at = if sorted { sorted_position(&channel.messages, &whole) } else { end };
            return !channel.is_full() && self.add(option, Act::Put { channel: id, at, message });
        }
        if process.in_d_step() {
            fault("a rendezvous send inside of a d_step");
        }
        let partners = process.world().partners(process.pid() as usize, id, &message);
        let sent = Sent { group: self.seen.group, channel: id, message: message.clone() };
        self.seen.sends.push(sent);
        !partners.is_empty() && self.add(option, Act::Meet { partners, message })
    }

    /// `channel?patterns`
    pub fn receive(&mut self, option: usize, channel: i32, patterns: &[Pattern]) -> bool {
        self.get(option, channel, patterns, false, false)
    }

    /// `channel??patterns`
    pub fn receive_any(&mut self, option: usize, channel: i32, patterns: &[Pattern]) -> bool {
        self.get(option, channel, patterns, true, false)
    }

    /// `channel?<patterns>`
    pub fn copy(&mut self, option: usize, channel: i32, patterns: &[Pattern]) -> bool {
        self.get(option, channel, patterns, false, true)
    }

    /// `channel??<patterns>`
    pub fn copy_any(&mut self, option: usize, channel: i32, patterns: &[Pattern]) -> bool {
        self.get(option, channel, patterns, true, true)
    }

    fn get(
        &mut self,
        option: usize,
        id: i32,
        patterns: &[Pattern],
        anywhere: bool,
        keep: bool,
    ) -> bool {
        let channel = self.process.world().channel(id);
        channel.check(patterns.len());
        if channel.capacity == 0 {
            if keep {
                fault("a rendezvous channel cannot be polled");
            }
            // Who sends completes it.
            let (group, patterns) = (self.seen.group, patterns.to_vec());
            self.seen.row += usize::from(!self.in_row);
            let row = self.seen.row;
            self.seen.receives.push(Offer { option, group, row, channel: id, patterns });
            return false;
        }
        let found = channel.find(patterns, anywhere);
        found.is_some_and(|at| self.add(option, Act::Get { channel: id, at, keep }))
    }
}
