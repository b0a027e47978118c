//! A program whose names and types are known: what the compiler emits code from, and what is sliced.

use crate::ast::{Direction, StatementId};
use crate::types::{Scalar, TypeId, Types};
use auspex_system::Span;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId(pub u32);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// A statement of one of the modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementKey {
    pub module: ModuleId,
    pub id: StatementId,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub types: Types,
    /// In the order in which their bodies are executed.
    pub modules: Vec<Module>,
    pub variables: Vec<Variable>,
    pub processes: Vec<Process>,
    /// Constants in quotes.
    pub texts: Vec<Vec<u8>>,
    /// The module that was asked for.
    pub main: usize,
    /// `SYSTEM.IOPORT`, where the program names it: somebody plays the devices.
    pub io_port: Option<VariableId>,
    /// It gets its channel from the program; otherwise it has one from the beginning.
    pub io_port_is_given: bool,
}

impl Program {
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.0 as usize]
    }
}

#[derive(Clone, Debug)]
pub struct Module {
    pub id: ModuleId,
    pub name: String,
    pub body: Vec<Statement>,
    /// Its own variables.
    pub variables: Vec<VariableId>,
    pub processes: Vec<ProcessId>,
    pub end: Span,
}

/// What a variable belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    Module(ModuleId),
    Process(ProcessId),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    pub ty: TypeId,
    pub owner: Owner,
    pub role: Role,
    /// Can concurrent processes get at it? Known when the whole program is.
    pub shared: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// A parameter with a value of its own.
    Value,
    /// A parameter that stands for a variable of another process.
    Reference,
    /// Made by the compiler: the limit of a FOR.
    Hidden,
    /// One of the kernel's own: interrupts and addresses of devices.
    System,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: String,
    pub module: ModuleId,
    /// The name where it is declared.
    pub span: Span,
    pub is_property: bool,
    /// The process that it is declared in.
    pub outer: Option<ProcessId>,
    /// How deep: 0 in a module.
    pub level: u32,
    pub parameters: Vec<VariableId>,
    /// All of its own, parameters first.
    pub variables: Vec<VariableId>,
    pub body: Vec<Statement>,
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub key: StatementKey,
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Of a value that fits into a register.
    Assign {
        target: Place,
        value: Expr,
    },
    Copy {
        target: Place,
        source: Place,
    },
    /// A constant in quotes into an array of characters.
    CopyText {
        target: Place,
        text: usize,
    },
    Call {
        process: ProcessId,
        arguments: Vec<Argument>,
    },
    Create(Vec<Creation>),
    /// `INC` and `DEC`.
    Add {
        target: Place,
        amount: Expr,
        subtract: bool,
    },
    /// `INCL` and `EXCL`.
    Include {
        target: Place,
        element: Expr,
        exclude: bool,
    },
    New(Vec<Place>),
    Assert(Expr),
    Reschedule,
    Accept,
    NoMove,
    Output {
        what: Output,
        value: Option<Printed>,
        width: Option<Expr>,
    },
    Input {
        target: Place,
    },
    Clock {
        target: Place,
    },
    /// `PORTIN`; `io` is the kernel's channel.
    PortIn {
        io: Place,
        address: Expr,
        target: Place,
    },
    PortOut {
        io: Place,
        address: Expr,
        value: Expr,
        bytes: u32,
    },
    Communicate(Communication),
    Select(Vec<Clause>),
    If {
        arms: Vec<(Expr, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    Repeat {
        body: Vec<Statement>,
        until: Expr,
    },
    For {
        variable: Place,
        from: Expr,
        to: Expr,
        /// Where the limit is kept, unless it is a constant.
        limit: Option<VariableId>,
        by: i64,
        body: Vec<Statement>,
    },
    Loop {
        body: Vec<Statement>,
    },
    Exit,
    Return,
    Case {
        value: Expr,
        arms: Vec<CaseArm>,
        otherwise: Option<Vec<Statement>>,
    },
    Choice(Vec<Vec<Statement>>),
}

#[derive(Clone, Debug)]
pub struct CaseArm {
    /// From, to; both are labels.
    pub labels: Vec<(i64, i64)>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    Int,
    Hex,
    Char,
    Bool,
    String,
    Line,
}

/// What is printed.
#[derive(Clone, Debug)]
pub enum Printed {
    Value(Expr),
    Text(usize),
    /// An array of characters.
    Place(Place),
}

#[derive(Clone, Debug)]
pub enum Argument {
    Value(Expr),
    /// The bytes of a record or an array.
    Copy(Place),
    CopyText(usize),
    Reference(Place),
    /// For an open array: where, and how long.
    Open(Place),
    OpenText(usize),
}

#[derive(Clone, Debug)]
pub struct Creation {
    pub process: ProcessId,
    pub arguments: Vec<Argument>,
    pub deadline: Option<Expr>,
    pub period: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Communication {
    pub port: Place,
    pub direction: Direction,
    /// Its number in the type of the channel.
    pub message: u32,
    pub fields: Vec<MessageField>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum MessageField {
    Send(Expr),
    SendCopy(Place),
    SendText(usize),
    /// Into a variable.
    Receive(Place),
    /// Only this value is taken.
    Match(Expr),
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub key: StatementKey,
    pub communication: Communication,
    pub guard: Option<Expr>,
    pub body: Vec<Statement>,
    pub span: Span,
}

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    pub variable: VariableId,
    pub path: Vec<PathStep>,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PathStep {
    Field { offset: u32 },
    Index { index: Box<Expr>, length: Length, element: u32, span: Span },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Fixed(u32),
    /// Of an open array: kept beside the reference.
    Open,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Constant(i64),
    Load(Place),
    /// Of an open array.
    Length(VariableId),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// The bits of the value, cut.
    Cast(Scalar, Box<Expr>),
    /// As `Cast`, but what does not fit is a fault.
    Check(Scalar, Box<Expr>),
    /// A set with the elements from one to another one.
    Range(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unary {
    Negate,
    Not,
    Complement,
    Absolute,
    Odd,
    /// Of 32 or 64 bits.
    BitNot(u8),
    /// A set with one element.
    Single,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Div,
    Mod,
    /// The right side is not evaluated where the left one decides.
    And,
    Or,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Union,
    Difference,
    Intersection,
    SymmetricDifference,
    In,
    Subset,
    Superset,
    ShiftLeft(u8),
    ShiftRight(u8),
    ShiftRightSigned(u8),
    Rotate(u8),
    BitAnd,
    BitOr,
    BitXor,
}

impl Expr {
    pub fn constant(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Constant(value) => Some(value),
            _ => None,
        }
    }
}
