//! What people are shown: faults, steps, states and graphs, independent of any language.

use crate::Location;

/// Something that went wrong. Two faults with the same kind and location are the same fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A stable lower-case word: `assertion`, `deadlock`, `index`, `division`, ...
    pub kind: &'static str,
    pub message: String,
    pub location: Location,
}

impl Fault {
    /// The kind of what is no fault of the program: it reaches something that cannot be checked.
    pub const UNSUPPORTED: &'static str = "unsupported";

    pub fn is_unsupported(&self) -> bool {
        self.kind == Self::UNSUPPORTED
    }

    pub fn new(kind: &'static str, message: impl Into<String>, location: Location) -> Self {
        Fault { kind, message: message.into(), location }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessName {
    pub id: u32,
    pub name: String,
}

/// One executed statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepInfo {
    pub process: Option<ProcessName>,
    /// The function that the statement is in; empty where there are none.
    pub function: String,
    pub location: Location,
    /// The statement as written.
    pub text: String,
    pub changes: Vec<Change>,
    /// What it read that others can change.
    pub reads: Vec<Variable>,
    /// What else it did, in a few words each: `locks m`.
    pub notes: Vec<String>,
    /// Messages that the statement sent or received.
    pub messages: Vec<Message>,
    /// What it printed.
    pub output: String,
    /// The instructions that it consists of; only where that was asked for.
    pub instructions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    pub before: String,
    pub after: String,
}

/// One end of a message, enough to draw a sequence chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub kind: MessageKind,
    /// Identifies the channel within the trace.
    pub channel: u32,
    pub channel_name: String,
    /// Where in the queue the message was put, or taken from (0 is the head).
    pub position: u32,
    /// A rendezvous: the very next receive on this channel is the other end.
    pub handshake: bool,
    /// The fields, formatted: `ack,1`.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    Sent,
    Received,
    /// Read without being removed.
    Copied,
    /// Dropped because the channel was full.
    Lost,
}

/// A whole state in sections: the globals, each process, each channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateView {
    pub sections: Vec<Section>,
    /// The user's own expressions (`--watch`).
    pub watched: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// `globals`, `user[1]`, ...
    pub title: String,
    /// Where this process stands.
    pub location: Option<Location>,
    pub variables: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

/// A statement of the program text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub process: String,
    pub location: Location,
    pub text: String,
}

/// A graph to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub name: String,
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    pub label: String,
    pub kind: NodeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Plain,
    Initial,
    /// A valid end.
    End,
    /// A fault.
    Bad,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    pub from: usize,
    pub to: usize,
    pub label: String,
}
