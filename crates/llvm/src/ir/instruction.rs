//! Instructions: one variant of [`Op`] for each kind, with typed fields.

use super::{BlockId, ConstantId, FunctionAttributes, LocalId, Name, Operand};
use super::{ParameterAttributes, TypeId};
use crate::debug::LocationId;

#[derive(Clone, Debug)]
pub struct Instruction {
    pub op: Op,
    /// The type of the result; `void` where there is none.
    pub ty: TypeId,
    /// Where the result goes. A call whose result is `void` has none.
    pub result: Option<LocalId>,
    /// Where in the source it came from.
    pub location: Option<LocationId>,
}

#[derive(Clone, Debug)]
pub enum Op {
    // Terminators: the last instruction of a block, and only the last.
    Return(Option<Operand>),
    Jump(BlockId),
    Branch {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch(Box<Switch>),
    IndirectBranch {
        address: Operand,
        targets: Box<[BlockId]>,
    },
    Invoke(Box<Invoke>),
    CallBranch(Box<CallBranch>),
    Resume(Operand),
    Unreachable,
    CatchSwitch(Box<CatchSwitch>),
    CatchReturn {
        from: Operand,
        to: BlockId,
    },
    CleanupReturn {
        from: Operand,
        /// `None`: unwinds to the caller.
        unwind: Option<BlockId>,
    },

    // Arithmetic. Works on vectors element by element.
    Binary {
        op: BinaryOp,
        flags: ArithmeticFlags,
        left: Operand,
        right: Operand,
    },
    /// `fneg`.
    Negate(Operand),
    IntegerCompare {
        predicate: IntegerPredicate,
        /// `samesign`: poison where the signs differ.
        same_sign: bool,
        left: Operand,
        right: Operand,
    },
    FloatCompare {
        predicate: FloatPredicate,
        left: Operand,
        right: Operand,
    },
    Cast {
        op: CastOp,
        flags: ArithmeticFlags,
        value: Operand,
        /// The type of `value`; the target type is the instruction's.
        from: TypeId,
    },
    Select {
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    },
    Freeze(Operand),
    /// One entry for each edge into the block.
    Phi(Box<[(Operand, BlockId)]>),

    // Memory.
    Alloca {
        allocated: TypeId,
        /// `None`: one.
        count: Option<Operand>,
        /// In bytes; 0 where the text has none: the type's.
        align: u32,
        in_alloca: bool,
    },
    Load {
        pointer: Operand,
        /// In bytes; 0 where the text has none: the type's.
        align: u32,
        volatile: bool,
        atomic: Option<Atomic>,
    },
    Store {
        value: Operand,
        /// The type of `value`.
        stored: TypeId,
        pointer: Operand,
        align: u32,
        volatile: bool,
        atomic: Option<Atomic>,
    },
    CompareExchange(Box<CompareExchange>),
    AtomicUpdate(Box<AtomicUpdate>),
    Fence(Atomic),
    GetElementPtr(Box<GetElementPtr>),

    // Parts of vectors and aggregates.
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        element: Operand,
        index: Operand,
    },
    ShuffleVector {
        left: Operand,
        right: Operand,
        /// One entry for each element of the result: an index into `left` followed by `right`;
        /// `None` for poison. Of a scalable vector, for its least number of elements.
        mask: Box<[Option<u32>]>,
    },
    ExtractValue {
        aggregate: Operand,
        indices: Box<[u32]>,
    },
    InsertValue {
        aggregate: Operand,
        element: Operand,
        indices: Box<[u32]>,
    },

    // Calls and exceptions.
    Call(Box<Call>),
    VaArg {
        list: Operand,
    },
    LandingPad(Box<LandingPad>),
    CatchPad {
        /// The result of the `catchswitch`.
        within: Operand,
        arguments: Box<[Operand]>,
    },
    CleanupPad {
        within: Operand,
        arguments: Box<[Operand]>,
    },
}

#[derive(Clone, Debug)]
pub struct Switch {
    pub value: Operand,
    pub ty: TypeId,
    pub default: BlockId,
    pub cases: Box<[(ConstantId, BlockId)]>,
}

#[derive(Clone, Debug)]
pub struct Call {
    /// A function, an inline-assembler value, or a pointer.
    pub callee: Operand,
    /// A `Type::Function`: what the call assumes the callee to be.
    pub signature: TypeId,
    pub arguments: Box<[Argument]>,
    pub result: ParameterAttributes,
    /// Those written at the call; the callee has its own.
    pub attributes: FunctionAttributes,
    pub tail: TailCall,
    pub convention: u32,
    pub bundles: Box<[Bundle]>,
}

#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub value: Operand,
    pub ty: TypeId,
    pub attributes: ParameterAttributes,
}

/// An operand bundle, `[ "clang.arc.attachedcall"(ptr @f) ]`.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub tag: Name,
    pub operands: Box<[Operand]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TailCall {
    #[default]
    None,
    Tail,
    MustTail,
    NoTail,
}

#[derive(Clone, Debug)]
pub struct Invoke {
    pub call: Call,
    pub normal: BlockId,
    pub unwind: BlockId,
}

/// `callbr`: `asm goto`.
#[derive(Clone, Debug)]
pub struct CallBranch {
    pub call: Call,
    pub fallthrough: BlockId,
    pub indirect: Box<[BlockId]>,
}

#[derive(Clone, Debug)]
pub struct CatchSwitch {
    /// The parent pad, or `none`.
    pub within: Operand,
    pub handlers: Box<[BlockId]>,
    pub unwind: Option<BlockId>,
}

#[derive(Clone, Debug)]
pub struct LandingPad {
    pub cleanup: bool,
    pub clauses: Box<[Clause]>,
}

#[derive(Clone, Copy, Debug)]
pub enum Clause {
    Catch(Operand),
    Filter(Operand),
}

#[derive(Clone, Debug)]
pub struct GetElementPtr {
    pub flags: GepFlags,
    /// What the first index counts.
    pub source: TypeId,
    pub base: Operand,
    pub indices: Box<[Operand]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct GepFlags {
    pub inbounds: bool,
    /// No unsigned-signed wrap; follows from `inbounds`.
    pub nusw: bool,
    pub nuw: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Atomic {
    pub ordering: Ordering,
    /// `None`: all threads of the system.
    pub scope: Option<Name>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ordering {
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

/// `cmpxchg`: the result is the struct of the old value and whether it was exchanged.
#[derive(Clone, Debug)]
pub struct CompareExchange {
    pub pointer: Operand,
    pub expected: Operand,
    pub replacement: Operand,
    /// The type of `expected` and `replacement`.
    pub ty: TypeId,
    pub weak: bool,
    pub volatile: bool,
    pub scope: Option<Name>,
    pub success: Ordering,
    pub failure: Ordering,
    pub align: u32,
}

/// `atomicrmw`: the result is the old value.
#[derive(Clone, Debug)]
pub struct AtomicUpdate {
    pub op: UpdateOp,
    pub pointer: Operand,
    pub value: Operand,
    pub ty: TypeId,
    pub volatile: bool,
    pub atomic: Atomic,
    pub align: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UnsignedMax,
    UnsignedMin,
    FloatAdd,
    FloatSub,
    FloatMax,
    FloatMin,
    FloatMaximum,
    FloatMinimum,
    FloatMaximumNum,
    FloatMinimumNum,
    /// `uinc_wrap`: one more, 0 where the old value is at least the operand.
    IncrementWrap,
    /// `udec_wrap`.
    DecrementWrap,
    /// `usub_cond`.
    SubConditional,
    /// `usub_sat`.
    SubSaturating,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UnsignedDiv,
    SignedDiv,
    UnsignedRem,
    SignedRem,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    And,
    Or,
    Xor,
    FloatAdd,
    FloatSub,
    FloatMul,
    FloatDiv,
    FloatRem,
}

impl BinaryOp {
    pub fn is_float(self) -> bool {
        use BinaryOp::*;
        matches!(self, FloatAdd | FloatSub | FloatMul | FloatDiv | FloatRem)
    }
}

/// The promises an arithmetic instruction or cast makes: where one is broken the result is
/// poison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ArithmeticFlags {
    /// `nuw`: no unsigned overflow.
    pub nuw: bool,
    /// `nsw`: no signed overflow.
    pub nsw: bool,
    /// `exact`: no bit is lost.
    pub exact: bool,
    /// `or disjoint`: no bit is set in both.
    pub disjoint: bool,
    /// `nneg`: the operand of `zext` or `uitofp` is not negative.
    pub nneg: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOp {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatTruncate,
    FloatExtend,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    PointerToInteger,
    /// `ptrtoaddr`: the address without the provenance.
    PointerToAddress,
    IntegerToPointer,
    Bitcast,
    AddressSpaceCast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerPredicate {
    Equal,
    NotEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    UnsignedLess,
    UnsignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
}

/// The comparisons of floating-point numbers: `Ordered…` ones are false, `Unordered…` ones true
/// when an operand is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatPredicate {
    False,
    OrderedEqual,
    OrderedGreater,
    OrderedGreaterEqual,
    OrderedLess,
    OrderedLessEqual,
    OrderedNotEqual,
    Ordered,
    Unordered,
    UnorderedEqual,
    UnorderedGreater,
    UnorderedGreaterEqual,
    UnorderedLess,
    UnorderedLessEqual,
    UnorderedNotEqual,
    True,
}
