//! The program as the machine runs it: dense code on registers, everything resolved.

use crate::native::Native;
use crate::value::{Scalar, Value};
use auspex_llvm::Module;
use auspex_llvm::debug::{LocationId, VariableId};
use auspex_llvm::ir::{BinaryOp, FloatPredicate, GlobalId, IntegerPredicate, TypeId, UpdateOp};

/// A register of a frame.
pub type Reg = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    Reg(Reg),
    /// An index into [`Program::pool`].
    Const(u32),
    /// The address of a thread-local variable: an index into [`Program::thread_locals`].
    ThreadLocal(u32),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    pub nsw: bool,
    pub nuw: bool,
    pub exact: bool,
}

/// One instruction. Vectors and aggregates have been taken apart.
#[derive(Clone, Debug)]
pub enum Code {
    Binary {
        op: BinaryOp,
        bits: u8,
        flags: Flags,
        dst: Reg,
        a: Arg,
        b: Arg,
    },
    WideBinary {
        op: BinaryOp,
        bits: u8,
        flags: Flags,
        dst: Reg,
        a: [Arg; 2],
        b: [Arg; 2],
    },
    Float {
        op: BinaryOp,
        single: bool,
        dst: Reg,
        a: Arg,
        b: Arg,
    },
    /// On `x86_fp80`.
    ExtendedBinary {
        op: BinaryOp,
        dst: Reg,
        a: [Arg; 2],
        b: [Arg; 2],
    },
    FloatNegate {
        single: bool,
        dst: Reg,
        a: Arg,
    },
    Compare {
        predicate: IntegerPredicate,
        bits: u8,
        dst: Reg,
        a: Arg,
        b: Arg,
    },
    WideCompare {
        predicate: IntegerPredicate,
        bits: u8,
        dst: Reg,
        a: [Arg; 2],
        b: [Arg; 2],
    },
    FloatCompare {
        predicate: FloatPredicate,
        single: bool,
        dst: Reg,
        a: Arg,
        b: Arg,
    },
    ExtendedCompare {
        predicate: FloatPredicate,
        dst: Reg,
        a: [Arg; 2],
        b: [Arg; 2],
    },
    Cast {
        op: Cast,
        from: Scalar,
        to: Scalar,
        dst: Reg,
        a: [Arg; 2],
    },
    Select {
        dst: Reg,
        condition: Arg,
        a: Arg,
        b: Arg,
    },
    Copy {
        dst: Reg,
        a: Arg,
    },
    /// A copy into a local variable that lives in a register.
    SetLocal {
        dst: Reg,
        a: Arg,
    },
    Freeze {
        dst: Reg,
        a: Arg,
    },
    /// Many copies at once: the values at the beginning of a block that depend on where it was
    /// entered from.
    Parallel(Box<[(Reg, Arg)]>),
    /// Bits of some lanes become bits of others: a cast between vectors.
    Recast(Box<Recast>),
    /// One element of a vector, by a computed index.
    Pick {
        dst: Reg,
        lanes: Box<[Arg]>,
        index: Arg,
    },
    /// Replaces one element of the vector at `dst`, by a computed index.
    Put {
        dst: Reg,
        count: u32,
        element: Arg,
        index: Arg,
    },
    Load {
        dst: Reg,
        pointer: Arg,
        offset: u32,
        scalar: Scalar,
        atomic: bool,
    },
    Store {
        value: [Arg; 2],
        pointer: Arg,
        offset: u32,
        scalar: Scalar,
        atomic: bool,
    },
    CompareExchange {
        dst: Reg,
        pointer: Arg,
        scalar: Scalar,
        expected: [Arg; 2],
        new: [Arg; 2],
        weak: bool,
    },
    Update {
        op: UpdateOp,
        dst: Reg,
        pointer: Arg,
        scalar: Scalar,
        value: [Arg; 2],
    },
    Fence,
    /// `a + index * scale + offset`.
    Address {
        dst: Reg,
        a: Arg,
        index: Arg,
        bits: u8,
        scale: i64,
        offset: i64,
        inbounds: bool,
    },
    /// Is `index` below `limit`? (In an array of `count` elements.)
    CheckIndex {
        index: Arg,
        bits: u8,
        count: u64,
        limit: u64,
    },
    /// The block of a variable is entered: it is a new one. `alloca`: where it was made.
    Begin {
        dst: Reg,
        alloca: u32,
    },
    /// The block is left: pointers to the variable are dangling.
    End {
        variable: Arg,
    },
    Alloca {
        dst: Reg,
        size: u64,
        count: Option<Arg>,
        variable: Option<VariableId>,
    },
    Call(Box<Call>),
    Intrinsic(Box<Intrinsic>),
    Return(Box<[Arg]>),
    Jump(u32),
    Branch {
        condition: Arg,
        then: u32,
        otherwise: u32,
    },
    Switch(Box<Switch>),
    IndirectJump {
        address: Arg,
        /// The blocks by their numbers, and where the edge to each leads.
        targets: Box<[(u32, u32)]>,
    },
    Unreachable,
    /// What the machine does not do (yet): why.
    Unsupported(Box<str>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    Truncate,
    ZeroExtend,
    SignExtend,
    /// Between floats of any size.
    Float,
    ToUnsigned,
    ToSigned,
    FromUnsigned,
    FromSigned,
    ToInteger,
    ToPointer,
    /// The same bits.
    Bits,
}

#[derive(Clone, Debug)]
pub struct Recast {
    pub dst: Reg,
    pub from: Box<[(Arg, u8)]>,
    /// The widths of the results.
    pub to: Box<[u8]>,
}

#[derive(Clone, Debug)]
pub struct Switch {
    pub value: Arg,
    /// Sorted.
    pub cases: Box<[(u64, u32)]>,
    pub default: u32,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Callee,
    /// A lane each; the first of a `long double` is marked as one.
    pub arguments: Box<[Argument]>,
    /// How many lanes belong to fixed parameters.
    pub fixed: u32,
    pub dst: Reg,
    pub result: Box<[Scalar]>,
    pub signature: TypeId,
    /// Where control goes when an exception passes: the target of `invoke`.
    pub unwind: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// An index into [`Program::functions`].
    Direct(u32),
    Indirect(Arg),
}

#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub value: Arg,
    pub scalar: Scalar,
    /// A pointer to a structure of this size, of which the callee gets a copy.
    pub copied: Option<u32>,
    /// How it is aligned in memory, as a variable argument.
    pub align: u32,
}

/// An `llvm.*` function that works on numbers, one lane at a time.
#[derive(Clone, Debug)]
pub struct Intrinsic {
    pub op: IntrinsicOp,
    pub scalar: Scalar,
    pub dst: Reg,
    pub arguments: Box<[Arg]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntrinsicOp {
    /// The result and whether it overflowed.
    AddOverflow {
        signed: bool,
    },
    SubOverflow {
        signed: bool,
    },
    MulOverflow {
        signed: bool,
    },
    AddSaturating {
        signed: bool,
    },
    SubSaturating {
        signed: bool,
    },
    Max {
        signed: bool,
    },
    Min {
        signed: bool,
    },
    Abs,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    FunnelLeft,
    FunnelRight,
    /// Three-way comparison.
    /// -1, 0 or 1, in so many bits.
    Compare {
        signed: bool,
        result: u8,
    },
    FloatUnary(FloatUnary),
    FloatBinary(FloatBinary),
    /// `a * b + c`; fused: rounded once.
    MultiplyAdd {
        fused: bool,
    },
    IsClass,
    /// Two results: the fraction and the whole.
    SplitWhole,
    /// Two results: a number below 1 and the power of 2.
    SplitExponent,
    SineCosine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatUnary {
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Truncate,
    Round,
    RoundEven,
    Sin,
    Cos,
    Tan,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatBinary {
    CopySign,
    Power,
    /// An integer exponent.
    PowerInt,
    /// Times a power of 2.
    Scale,
    Min,
    Max,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub global: GlobalId,
    pub signature: TypeId,
    pub code: Vec<Code>,
    /// For each instruction, where it stands in the source.
    pub locations: Vec<Option<LocationId>>,
    /// The type of each register.
    pub registers: Vec<Scalar>,
    /// The registers of the parameters come first.
    pub parameters: u32,
    pub variadic: bool,
    /// Part of the runtime library: the user is not shown its insides.
    pub runtime: bool,
    /// `__VERIFIER_atomic_...`: nothing comes in between while it runs.
    pub atomic: bool,
    pub native: Option<Native>,
    /// Is there code?
    pub defined: bool,
    /// Source variables that live in registers, and those that live in objects made by an `Alloca`.
    pub locals: Vec<LocalVariable>,
    /// The first site of this function's instructions, see [`Program::site`].
    pub first_site: u32,
    /// Where each block begins, for addresses of blocks.
    pub blocks: Vec<u32>,
    /// For each instruction, the registers that are read later: see `live`.
    pub live: crate::live::Liveness,
}

/// A variable of the source, where it is a register.
#[derive(Clone, Copy, Debug)]
pub struct LocalVariable {
    pub register: Reg,
    /// How many registers it takes.
    pub lanes: u32,
    pub variable: VariableId,
    /// The register holds the variable's address.
    pub address: bool,
}

impl LocalVariable {
    /// Is this one of its registers?
    pub fn is(&self, register: Reg) -> bool {
        (self.register..self.register + self.lanes).contains(&register)
    }

    /// What is in its registers.
    pub fn values(&self, registers: &[Value]) -> [Value; 2] {
        [0, 1].map(|lane| match registers.get((self.register + lane) as usize) {
            Some(value) if lane < self.lanes => *value,
            _ => Value::NULL,
        })
    }
}

#[derive(Clone, Debug)]
pub struct GlobalData {
    pub global: GlobalId,
    pub name: String,
    /// Part of the runtime library: not shown.
    pub runtime: bool,
    pub object: crate::object::Object,
}

/// A whole program.
#[derive(Debug)]
pub struct Program {
    pub module: Module,
    pub functions: Vec<Function>,
    pub main: u32,
    /// Called before `main`, in order.
    pub constructors: Vec<u32>,
    pub pool: Vec<Value>,
    /// Globals are the objects 1, 2, ...: first those that can change, then the constants.
    pub globals: Vec<GlobalData>,
    /// How many of the globals can change: only these are part of a state.
    pub variable_globals: u32,
    pub thread_locals: Vec<GlobalData>,
    /// Bytes of a pointer.
    pub pointer: u8,
    /// It uses the names of SV-COMP.
    pub for_competition: bool,
    /// The constants that the program compares with or switches on: values that matter.
    pub interesting: Vec<u64>,
}

impl Program {
    /// The objects 1 to this are the globals.
    pub fn global_count(&self) -> u32 {
        self.globals.len() as u32
    }

    /// The site of an instruction: one number for function and place, for objects to remember.
    pub fn site(&self, function: u32, pc: u32) -> u32 {
        self.functions[function as usize].first_site + pc
    }

    /// The function and place of a site.
    pub fn place(&self, site: u32) -> (u32, u32) {
        let function = self.functions.partition_point(|f| f.first_site <= site).saturating_sub(1);
        (function as u32, site - self.functions[function].first_site)
    }

    pub fn location(&self, function: u32, pc: u32) -> Option<LocationId> {
        *self.functions[function as usize].locations.get(pc as usize)?
    }
}
