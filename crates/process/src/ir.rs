//! The intermediate representation of a model.

use crate::Scalar;
use crate::trace::TraceAssertion;
use auspex_system::{Location, SourceMap};
use std::ops::Range;

/// Which set of symbolic constants (Promela's `mtype`) a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetId(pub u16);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProctypeId(pub u8);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelTypeId(pub u16);
/// A control location of one proctype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(pub u16);
/// A statement of the source text: an index into [`Model::statements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub sets: Vec<SymbolSet>,
    pub structs: Vec<Struct>,
    pub globals: Frame,
    /// Values that are never part of a state: nothing reads them later than the step that writes them.
    pub hidden: Frame,
    pub channel_types: Vec<ChannelType>,
    pub proctypes: Vec<Proctype>,
    /// The processes that exist at the start, in the order of their ids.
    pub start: Vec<Start>,
    pub statements: Vec<Statement>,
    /// Does the state remember who moved last (`_last`)?
    pub remembers_last: bool,
    /// Does any statement wait for a `timeout`?
    pub has_timeout: bool,
    /// Does some proctype have more than 256 locations?
    pub wide_locations: bool,
    /// Do priorities matter (some process has one, or reads or sets one)?
    pub has_priorities: bool,
    /// Is a process that stops in the middle a fault?
    pub checks_deadlock: bool,
    /// Labels that expressions refer to.
    pub labels: Vec<Label>,
    pub watches: Vec<Watch>,
    /// The propositions of each temporal property, at most 64: over the globals, as nobody's.
    pub properties: Vec<Vec<Expr>>,
    /// What is watched of sends and receives.
    pub trace: Option<Box<TraceAssertion>>,
    pub sources: SourceMap,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub proctype: ProctypeId,
    pub name: String,
    /// Where a process of that type stands when it is at the label.
    pub locations: Vec<LocId>,
}

/// An expression that the user wants to see in every state.
#[derive(Clone, Debug)]
pub struct Watch {
    pub text: String,
    pub expr: Expr,
    pub ty: Scalar,
}

/// Names for the values 1, 2, ...
#[derive(Clone, Debug, Default)]
pub struct SymbolSet {
    pub name: String,
    pub names: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<Variable>,
    pub size: u32,
}

/// The variables of one scope, laid out one after another.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub variables: Vec<Variable>,
    pub size: u32,
    /// What to do when the frame comes to life, in order.
    pub init: Vec<Init>,
    /// The types of the channels that this creates, in order.
    pub channels: Vec<ChannelTypeId>,
}

impl Frame {
    pub fn add_init(&mut self, init: Init) {
        if let Init::Channel(_, ty) = &init {
            self.channels.push(*ty);
        }
        self.init.push(init);
    }
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: VarType,
    /// Number of elements, for an array.
    pub length: Option<u32>,
    pub offset: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarType {
    Scalar(Scalar),
    /// An index into [`Model::structs`].
    Struct(u16),
}

impl Variable {
    pub fn element_size(&self, structs: &[Struct]) -> u32 {
        match self.ty {
            VarType::Scalar(ty) => ty.size() as u32,
            VarType::Struct(id) => structs[id as usize].size,
        }
    }

    pub fn size(&self, structs: &[Struct]) -> u32 {
        self.element_size(structs) * self.length.unwrap_or(1)
    }
}

#[derive(Clone, Debug)]
pub enum Init {
    Assign(Place, Expr),
    /// Creates a channel and stores its number.
    Channel(Place, ChannelTypeId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// 0: rendezvous.
    pub capacity: u32,
    pub fields: Vec<Scalar>,
    /// Bytes of one message.
    pub message_size: u32,
}

impl ChannelType {
    /// Cuts the fields of a message to their types.
    pub fn cut(&self, message: &mut [i32]) {
        for (value, field) in message.iter_mut().zip(&self.fields) {
            *value = field.cut(*value);
        }
    }

    pub fn is_rendezvous(&self) -> bool {
        self.capacity == 0
    }

    /// Bytes in a state: the length, then all slots. A rendezvous channel never holds anything.
    pub fn size(&self) -> u32 {
        if self.is_rendezvous() {
            return 0;
        }
        self.length_bytes() + self.capacity * self.message_size
    }

    /// Bytes that hold the length.
    #[inline]
    pub fn length_bytes(&self) -> u32 {
        if self.capacity < 256 { 1 } else { 2 }
    }
}

#[derive(Clone, Debug)]
pub struct Start {
    pub proctype: ProctypeId,
    pub priority: u8,
}

#[derive(Clone, Debug)]
pub struct Proctype {
    pub name: String,
    /// The first `parameters` scalars of the frame, in order.
    pub parameters: Vec<Place>,
    pub locals: Frame,
    pub provided: Option<Expr>,
    /// May never have two executable steps in one location.
    pub deterministic: bool,
    pub start: LocId,
    pub locations: Vec<ControlLocation>,
    pub transitions: Vec<Transition>,
}

impl Proctype {
    pub fn transitions_of(&self, loc: LocId) -> &[Transition] {
        self.transitions_at(&self.locations[loc.0 as usize])
    }

    pub fn transitions_at(&self, location: &ControlLocation) -> &[Transition] {
        &self.transitions[location.first as usize..location.end as usize]
    }
}

#[derive(Clone, Debug)]
pub struct ControlLocation {
    /// Its transitions: escapes first, grouped, then the others in the order of the text.
    pub first: u32,
    pub end: u32,
    /// A process may stop here.
    pub is_end: bool,
    pub is_progress: bool,
    pub is_accept: bool,
    /// Where the process stands, for people.
    pub statement: StmtId,
    /// The number that `pc_value` gives.
    pub number: u32,
    pub labels: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub action: Action,
    pub target: LocId,
    /// The process keeps running without interruption after this step.
    pub atomic: bool,
    /// 0 for an ordinary transition; the escapes (`unless`) of one group share a number. Once a
    /// transition of a group was taken, only the others of that group are tried.
    pub escape: u16,
    pub statement: StmtId,
}

/// Where a statement stands in the source, and how it is written.
#[derive(Clone, Debug)]
pub struct Statement {
    pub proctype: String,
    pub location: Location,
    pub text: String,
    /// Worth mentioning when it was never executed (a `goto` is not).
    pub counts: bool,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// Always executable, no effect.
    Skip,
    /// Executable while the expression is not 0.
    Guard(Expr),
    /// Executable when none of the transitions before it was.
    Else,
    Assign(Place, Expr),
    Assert(Expr),
    Send(Box<Send>),
    Receive(Box<Receive>),
    Print(Box<Print>),
    Run(Box<Run>),
    SetPriority(Box<(Expr, Expr)>),
    /// Many statements in one indivisible, deterministic step.
    DStep(Box<DStep>),
    /// The end of the process: executable for the youngest one.
    End,
}

#[derive(Clone, Debug)]
pub struct Send {
    pub channel: Expr,
    pub values: Vec<Expr>,
    pub sorted: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Receive {
    pub channel: Expr,
    pub fields: Vec<Pattern>,
    /// Any message that fits, not just the first.
    pub anywhere: bool,
    /// The message stays in the channel.
    pub keep: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Takes any value and stores it.
    Store(Place),
    /// Takes any value.
    Any,
    /// Takes this value only.
    Match(Expr),
}

#[derive(Clone, Debug)]
pub struct Print {
    pub parts: Vec<PrintPart>,
}

#[derive(Clone, Debug)]
pub enum PrintPart {
    Text(String),
    Decimal(Expr),
    Unsigned(Expr),
    Hex(Expr),
    Octal(Expr),
    Character(Expr),
    Symbol(Expr, SetId),
}

#[derive(Clone, Debug)]
pub struct Run {
    pub proctype: ProctypeId,
    pub arguments: Vec<Expr>,
    pub priority: u8,
    /// Where the new process's id goes.
    pub result: Option<Place>,
}

/// The body of a `d_step` as a graph; it begins at node 0.
#[derive(Clone, Debug)]
pub struct DStep {
    pub nodes: Vec<DNode>,
}

#[derive(Clone, Debug)]
pub enum DNode {
    Do {
        action: Action,
        statement: StmtId,
        next: u32,
    },
    /// The first option that can run does.
    Choose {
        options: Vec<u32>,
        statement: StmtId,
    },
    Exit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Global,
    Local,
    Hidden,
    /// Written and never kept (`_`).
    Nowhere,
}

/// A variable, an array element, a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub space: Space,
    pub offset: u32,
    pub indices: Vec<Index>,
    pub ty: Scalar,
    /// For messages about an index out of range.
    pub name: String,
}

impl Place {
    /// The bytes in which an element of it can lie.
    pub fn extent(&self) -> Range<u32> {
        let last: u32 = self.indices.iter().map(|i| i.length.saturating_sub(1) * i.stride).sum();
        self.offset..self.offset + last + self.ty.size() as u32
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    pub expr: Expr,
    pub length: u32,
    pub stride: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Const(i32),
    /// A global scalar at a fixed place.
    Global(Scalar, u32),
    Local(Scalar, u32),
    Load(Box<Place>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<(Expr, Expr)>),
    And(Box<(Expr, Expr)>),
    Or(Box<(Expr, Expr)>),
    If(Box<(Expr, Expr, Expr)>),
    Length(Box<Expr>),
    Test(ChannelTest, Box<Expr>),
    /// Is there a message that fits?
    Poll(Box<Receive>),
    /// The id of the process that evaluates this.
    Pid,
    /// The number of processes.
    Processes,
    /// Who moved last.
    Last,
    /// Nothing else in the whole system can move.
    Timeout,
    Enabled(Box<Expr>),
    /// The control location of a process, as a number.
    Position(Box<Expr>),
    Priority(Box<Expr>),
    /// Is a process (the one with the id, or the first of its type) at this label? An index into
    /// [`Model::labels`].
    At {
        label: u32,
        pid: Option<Box<Expr>>,
    },
    /// A local variable of another process; 0 when there is no such process.
    Remote {
        proctype: ProctypeId,
        pid: Option<Box<Expr>>,
        place: Box<Place>,
    },
    /// Does some process stand at a location with this mark?
    Marked(Mark),
    /// Has the system stopped: can nothing move for ever? Only in propositions.
    Stopped,
}

/// What the name of a label says about its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Accept,
    Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Minus,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelTest {
    Full,
    Empty,
    NotFull,
    NotEmpty,
}
