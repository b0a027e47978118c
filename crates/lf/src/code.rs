//! The compiled program: what is run and what is checked, byte for byte.
//!
//! The code is that of a stack machine whose stack is empty whenever an action ends, so that the state of a process
//! is its activation records and where it goes on.

use crate::tree::{Binary, Output, Unary};
use crate::types::{Scalar, TypeId, Types};
use serde::{Deserialize, Serialize};

/// Where an operation is.
pub type Pc = u32;

/// No guard.
pub const NONE: Pc = Pc::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    // Values.
    Constant(i32),
    LongConstant(i64),
    LoadLocal(u32, Scalar),
    LoadGlobal(u32, Scalar),
    /// Pops a reference.
    Load(Scalar),
    /// Pops a value that must fit.
    StoreLocal(u32, Scalar),
    StoreGlobal(u32, Scalar),
    /// Pops a value that must fit, and a reference.
    Store(Scalar),
    /// Pops a reference, and a value that must fit.
    StoreBelow(Scalar),
    /// Adds to a variable.
    IncrementLocal(u32, Scalar, i32),
    IncrementGlobal(u32, Scalar, i32),
    Unary(Unary),
    Binary(Binary),
    /// Pops two elements, pushes the set from one to the other.
    SetRange,
    Cast(Scalar),
    /// The value must fit.
    Check(Scalar),

    // References.
    LocalReference(u32),
    GlobalReference(u32),
    TextReference(u32),
    /// The activation record that is so many blocks further out.
    FrameReference(u32),
    Offset(u32),
    /// Pops an index, which must be below `length`, and a reference; pushes that of the element.
    Index {
        length: u32,
        element: u32,
    },
    /// The same for an open array, whose length is popped before.
    IndexOpen {
        element: u32,
    },
    /// Pops a reference to copy from, and one to copy to.
    Copy(u32),
    /// Pops a reference to `room` bytes: those of a text, and zeros.
    CopyText {
        text: u32,
        length: u32,
        room: u32,
    },

    // Control.
    Jump(Pc),
    JumpIf(Pc),
    JumpIfNot(Pc),
    /// Pops two values, compares them, and jumps if the result is as said.
    JumpCompare {
        op: Binary,
        on: bool,
        to: Pc,
    },
    /// No arm of a CASE fits the value that is popped.
    NoCase,
    Assert,

    // Processes.
    /// Room for the activation record of a process that is going to be called.
    PrepareCall(u32),
    PrepareCreate(u32),
    /// Pops a value for a parameter.
    Argument(u32, Scalar),
    /// Pops a reference to so many bytes.
    ArgumentBytes {
        offset: u32,
        bytes: u32,
    },
    ArgumentText {
        offset: u32,
        text: u32,
        length: u32,
    },
    Call(u32),
    Return,
    /// Pops times in milliseconds.
    Deadline,
    Period,
    /// The process that was prepared is ready to run.
    Start,

    // Communication: a clause is begun, filled, and offered.
    /// Pops a channel.
    Clause(ClauseCode),
    /// Pops a value to be sent.
    FieldValue(Scalar),
    /// Pops a reference to bytes that are to be sent.
    FieldBytes(u32),
    FieldText {
        text: u32,
        length: u32,
        room: u32,
    },
    /// Pops a reference to where a value goes.
    FieldInto(Scalar),
    FieldIntoBytes(u32),
    /// Pops the only value that is taken.
    FieldMatch,
    /// Pops a reference; a new channel is put there.
    New(u32),

    // What ends an action.
    Communicate,
    Select,
    Reschedule,
    /// One of the alternatives in a table; it ends the action before, not after the choice.
    Choice(u32),
    /// All processes of a CREATE are started.
    Created,
    End,
    /// The value of a guard or a proposition is on the stack.
    Decided,

    // Properties.
    Accept,
    NoMove,

    // The world outside.
    Output(Output),
    /// Pops a length (an open or a fixed one) and a reference.
    OutputText,
    /// Pops the width that is then asked of the next number.
    Width,
    /// As `Choice`, ends the action before: the world is asked at the beginning of one.
    Input(Scalar),
    Clock,
    /// Pops a value and an address.
    HostOut(u8),
    /// Pops an address.
    HostIn(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseCode {
    pub channel: u16,
    pub message: u16,
    pub is_send: bool,
    /// Decides after the values were copied; or [`NONE`].
    pub guard: Pc,
    /// Where it goes on.
    pub body: Pc,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Object {
    pub name: String,
    pub code: Vec<Op>,
    /// The alternatives of each CHOICE.
    pub choices: Vec<Vec<Pc>>,
    /// All constants in quotes, one behind the other.
    pub texts: Vec<u8>,
    pub globals: Globals,
    pub processes: Vec<ProcessCode>,
    pub channels: Vec<ChannelCode>,
    /// The process that executes the bodies of the modules.
    pub main: u32,
    pub properties: Vec<u32>,
    pub debug: Debug,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Globals {
    pub size: u32,
    /// Where ports are.
    pub ports: Vec<u32>,
    /// Channels that are there from the beginning: interrupts with their numbers, and that of devices. Where their
    /// port is, their type.
    pub interrupts: Vec<(Option<u32>, u32, u16)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProcessCode {
    pub name: String,
    pub entry: Pc,
    /// Bytes of its activation record.
    pub size: u32,
    /// Where ports are in it.
    pub ports: Vec<u32>,
    /// Does it get at variables that others can change?
    pub shares: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChannelCode {
    pub messages: Vec<MessageCode>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MessageCode {
    pub name: String,
    pub fields: Vec<FieldCode>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FieldCode {
    pub bytes: u32,
    /// `None`: a record or an array.
    pub scalar: Option<Scalar>,
    /// Where ports are in it.
    pub ports: Vec<u32>,
    pub ty: TypeId,
}

/// What people want to know.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Debug {
    pub types: Types,
    pub files: Vec<String>,
    pub places: Vec<Place>,
    /// For each operation: its place, and its statement ([`NONE`]: none).
    pub ops: Vec<(u32, u32)>,
    pub statements: Vec<StatementCode>,
    /// Of modules.
    pub globals: Vec<VariableCode>,
    /// Of each process.
    pub locals: Vec<Vec<VariableCode>>,
    /// The positions of properties, in the order of `Object::properties`.
    pub properties: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StatementCode {
    pub start: Pc,
    pub place: u32,
    pub text: String,
    /// Of this process.
    pub process: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VariableCode {
    pub name: String,
    pub offset: u32,
    pub ty: TypeId,
    /// It is a reference to such a variable.
    pub by_reference: bool,
    pub shared: bool,
}

/// Where a variable is: the memory that it is in, and the offset there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    pub memory: u16,
    pub offset: u32,
}

impl Reference {
    /// The variables of modules.
    pub const GLOBALS: u16 = u16::MAX;
    pub const TEXTS: u16 = u16::MAX - 1;
    /// The property that watches.
    pub const PROPERTY: u16 = u16::MAX - 2;

    #[inline]
    pub fn value(self) -> i64 {
        i64::from(self.memory) << 32 | i64::from(self.offset)
    }

    #[inline]
    pub fn of(value: i64) -> Self {
        Reference { memory: (value >> 32) as u16, offset: value as u32 }
    }
}

impl Object {
    /// Behind all jumps: where a process that goes on at `pc` really is.
    pub fn behind_jumps(&self, mut pc: Pc) -> Pc {
        // A circle of jumps is an endless loop of the program.
        for _ in 0..self.code.len() {
            match self.code.get(pc as usize) {
                Some(Op::Jump(to)) => pc = *to,
                _ => break,
            }
        }
        pc
    }

    /// How many operations there are.
    pub fn code_len(&self) -> usize {
        self.code.len()
    }

    /// The variables that concurrent processes can get at, by name.
    pub fn shared_variables(&self) -> Vec<String> {
        let globals = self.debug.globals.iter().map(|v| (String::new(), v));
        let locals = self.debug.locals.iter().zip(&self.processes).flat_map(|(variables, code)| {
            variables.iter().map(move |v| (format!("{}.", code.name), v))
        });
        let shared = globals.chain(locals).filter(|(_, variable)| variable.shared);
        shared.map(|(prefix, variable)| format!("{prefix}{}", variable.name)).collect()
    }

    pub fn statement_at(&self, pc: Pc) -> Option<&StatementCode> {
        let (_, statement) = self.debug.ops.get(pc as usize)?;
        self.debug.statements.get(*statement as usize)
    }

    pub fn place_at(&self, pc: Pc) -> Option<&Place> {
        let (place, _) = self.debug.ops.get(pc as usize)?;
        self.debug.places.get(*place as usize)
    }

    pub fn location(&self, place: Option<&Place>) -> auspex_system::Location {
        let Some(place) = place else { return auspex_system::Location::unknown() };
        let file = self.debug.files.get(place.file as usize).map_or("", String::as_str);
        let (line, column) = (place.line, place.column);
        auspex_system::Location { file: file.into(), line, column }
    }
}
