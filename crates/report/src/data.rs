//! What is reported, as data. These types are the JSON that other programs read: a field may be
//! added, none is ever renamed or removed.

use auspex_system as system;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub tool: &'static str,
    pub version: &'static str,
    pub input: Vec<String>,
    pub results: Vec<PropertyResult>,
    pub warnings: Vec<Note>,
    pub exit_code: u8,
}

/// What is known about one property.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyResult {
    pub property: String,
    pub verdict: Verdict,
    /// Why the verdict is `unknown`.
    pub reason: Option<Reason>,
    /// The first of `faults`.
    pub fault: Option<Fault>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub seconds: f64,
    pub memory_bytes: u64,
    /// How to get to `fault`.
    pub trace: Option<Trace>,
    pub trace_file: Option<String>,
    /// Every distinct fault that was found, each with its own trace.
    pub faults: Vec<Finding>,
    /// Whether all reachable states were visited.
    pub complete: bool,
    /// Why they were not (also where a violation was found before that).
    pub stopped: Option<Reason>,
    pub store: Store,
    /// For lossy stores: the probability that a state was missed (compact), or how much of the
    /// bit array is set (bitstate).
    pub loss: Option<f64>,
    pub workers: usize,
    /// Statements that no run executes; only a complete search knows them.
    pub unreached: Option<Vec<Place>>,
    /// Where the property stands in the source, if it does.
    pub location: Option<Location>,
    /// Were orders of independent steps left out? Null where there is no such reduction.
    pub reduction: Option<Reduction>,
    /// How a store of bounded size was used. Null where there was none.
    pub cache: Option<Cache>,
    /// A slice was searched: this is about assertions, and about no other fault.
    pub assertions_only: bool,
}

/// States that had to make room for others may have been visited, and counted, again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// In the store at the end.
    pub states: u64,
    pub replaced: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reduction {
    pub on: bool,
    /// Why it is off, if that is not always so.
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Holds,
    Violated,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    Time,
    Memory,
    States,
    Depth,
    Lossy,
    Interrupted,
    /// Not all values of an input were tried.
    Nondet,
    /// The property uses something that cannot be checked yet.
    Unsupported,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Store {
    Exact,
    Compact,
    Bitstate,
}

/// One fault and the way to it.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    #[serde(flatten)]
    pub fault: Fault,
    pub trace: Trace,
    pub trace_file: Option<String>,
    /// The plain interpreter took the same steps to the same fault.
    pub replayed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub kind: String,
    pub message: String,
    pub location: Location,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Trace {
    /// The first state; only where whole states or watched expressions were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<State>,
    pub prefix: Vec<Step>,
    /// The steps that repeat for ever; empty unless the property is about infinite runs.
    pub cycle: Vec<Step>,
    /// The last state before the fault.
    #[serde(rename = "final")]
    pub last: Option<State>,
}

/// One executed statement. The statements of one atomic step share their number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub step: usize,
    pub process: Option<Process>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub function: String,
    pub location: Location,
    pub text: String,
    pub changes: Vec<Change>,
    /// What the statement read that others can change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Variable>,
    /// What else it did: `locks m`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// What the machine executed for it; only where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<String>,
    /// The state that the step leads to; stands at the last statement of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Process {
    pub id: u32,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub name: String,
    pub before: String,
    pub after: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub kind: MessageKind,
    pub channel: u32,
    pub channel_name: String,
    pub position: u32,
    pub handshake: bool,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    Sent,
    Received,
    /// Read without being removed.
    Copied,
    /// Dropped because the channel was full.
    Lost,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub title: String,
    pub location: Option<Location>,
    pub variables: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub process: String,
    pub location: Location,
    pub text: String,
}

/// A warning in short; the full one with its source line goes to standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    pub message: String,
    pub location: Option<Location>,
}

impl Reason {
    /// Completes "the search ...".
    pub fn explain(self) -> &'static str {
        match self {
            Reason::Time => "stopped at its time limit",
            Reason::Memory => "stopped at its memory limit",
            Reason::States => "stopped at its limit of states",
            Reason::Depth => "was cut off at its depth limit",
            Reason::Lossy => "used a store that may miss states",
            Reason::Interrupted => "was interrupted",
            Reason::Nondet => "tried only some of the values of an input",
            Reason::Unsupported => "met something that Auspex does not support",
        }
    }
}

impl PropertyResult {
    /// A property about which nothing is known, and for which nothing was done.
    pub fn unknown(property: &str, reason: Reason) -> Self {
        PropertyResult {
            property: property.to_string(),
            verdict: Verdict::Unknown,
            reason: Some(reason),
            fault: None,
            states: 0,
            transitions: 0,
            depth: 0,
            seconds: 0.0,
            memory_bytes: 0,
            trace: None,
            trace_file: None,
            faults: Vec::new(),
            complete: false,
            stopped: Some(reason),
            store: Store::Exact,
            loss: None,
            workers: 0,
            unreached: None,
            location: None,
            reduction: None,
            cache: None,
            assertions_only: false,
        }
    }
}

impl Trace {
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.prefix.iter().chain(&self.cycle)
    }

    /// How many steps lead to the fault (an atomic step counts once).
    pub fn len(&self) -> usize {
        self.steps().last().map_or(0, |step| step.step)
    }

    /// A program has functions, and too many variables to keep them all in mind.
    pub fn is_of_program(&self) -> bool {
        self.steps().any(|step| !step.function.is_empty())
    }

    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.cycle.is_empty()
    }
}

impl Step {
    pub fn new(number: usize, info: &system::StepInfo) -> Self {
        Step {
            step: number,
            process: info.process.as_ref().map(Process::from),
            function: info.function.clone(),
            location: (&info.location).into(),
            text: info.text.clone(),
            changes: info.changes.iter().map(Change::from).collect(),
            reads: info.reads.iter().map(Variable::from).collect(),
            notes: info.notes.clone(),
            messages: info.messages.iter().map(Message::from).collect(),
            output: info.output.clone(),
            instructions: info.instructions.clone(),
            state: None,
        }
    }

    /// Nothing happens but what stands in the line before already: the library of a program takes
    /// several steps to end a thread.
    pub fn is_idle_like(&self, before: Option<&Step>) -> bool {
        let nothing = self.changes.is_empty()
            && self.reads.is_empty()
            && self.notes.is_empty()
            && self.messages.is_empty()
            && self.output.is_empty()
            && self.instructions.is_empty()
            && self.state.is_none()
            && !self.function.is_empty();
        let key = |step: &Step| (step.process.clone(), step.location.clone(), step.text.clone());
        nothing && before.is_some_and(|before| key(before) == key(self))
    }
}

impl std::fmt::Display for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]", self.name, self.id)
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line == 0 { f.write_str("?") } else { write!(f, "{}:{}", self.file, self.line) }
    }
}

impl From<&system::Location> for Location {
    fn from(at: &system::Location) -> Self {
        Location { file: at.file.to_string(), line: at.line, column: at.column }
    }
}

impl From<&system::Fault> for Fault {
    fn from(fault: &system::Fault) -> Self {
        let location = (&fault.location).into();
        Fault { kind: fault.kind.to_string(), message: fault.message.clone(), location }
    }
}

impl From<&system::ProcessName> for Process {
    fn from(process: &system::ProcessName) -> Self {
        Process { id: process.id, name: process.name.clone() }
    }
}

impl From<&system::Change> for Change {
    fn from(change: &system::Change) -> Self {
        let system::Change { name, before, after } = change.clone();
        Change { name, before, after }
    }
}

impl From<&system::Message> for Message {
    fn from(message: &system::Message) -> Self {
        let kind = match message.kind {
            system::MessageKind::Sent => MessageKind::Sent,
            system::MessageKind::Received => MessageKind::Received,
            system::MessageKind::Copied => MessageKind::Copied,
            system::MessageKind::Lost => MessageKind::Lost,
        };
        Message {
            kind,
            channel: message.channel,
            channel_name: message.channel_name.clone(),
            position: message.position,
            handshake: message.handshake,
            text: message.text.clone(),
        }
    }
}

impl From<&system::Variable> for Variable {
    fn from(variable: &system::Variable) -> Self {
        Variable { name: variable.name.clone(), value: variable.value.clone() }
    }
}

impl From<&system::Section> for Section {
    fn from(section: &system::Section) -> Self {
        Section {
            title: section.title.clone(),
            location: section.location.as_ref().map(Location::from),
            variables: section.variables.iter().map(Variable::from).collect(),
        }
    }
}

impl From<&system::StateView> for State {
    fn from(view: &system::StateView) -> Self {
        State {
            sections: view.sections.iter().map(Section::from).collect(),
            watched: view.watched.iter().map(Variable::from).collect(),
        }
    }
}

impl From<&system::Place> for Place {
    fn from(place: &system::Place) -> Self {
        Place {
            process: place.process.clone(),
            location: (&place.location).into(),
            text: place.text.clone(),
        }
    }
}
