//! The module in memory: what reading gives and what everything else walks.
//!
//! Everything is an index into a table: types, constants, names and globals in the module's,
//! locals and blocks in the function's.

mod instruction;
mod module;
mod print;
mod types;
mod value;
mod walk;

pub use instruction::{
    Argument, ArithmeticFlags, Atomic, AtomicUpdate, BinaryOp, Bundle, Call, CallBranch, CastOp,
    CatchSwitch, Clause, CompareExchange, FloatPredicate, GepFlags, GetElementPtr, Instruction,
    IntegerPredicate, Invoke, LandingPad, Op, Ordering, Switch, TailCall, UpdateOp,
};
pub use module::{
    Alias, Block, Body, DllStorage, Function, FunctionAttributes, Global, GlobalKind, Linkage,
    Local, LocalName, Module, ModuleFlag, ParameterAttributes, ThreadLocal, Unit, UnitId,
    UnnamedAddress, Variable, Visibility,
};
pub use types::{FloatKind, NamedStruct, StructBody, StructId, Type, TypeId, Types};
pub use value::{
    BlockId, Constant, ConstantId, ConstantValue, Constants, Expression, GlobalId, InlineAsm,
    LocalId, Name, Names, Operand,
};
