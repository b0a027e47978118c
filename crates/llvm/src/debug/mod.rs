//! Debug information as plain structures: where code comes from, what variables there are, and
//! what types the source gave them.
//!
//! Both forms in which LLVM ties variables to values (calls of `llvm.dbg.*` and `#dbg_*`
//! records) become a [`DebugRecord`].

pub(crate) mod decode;
mod names;
pub(crate) mod transplant;
mod types;

use crate::ir::{GlobalId, Name, Operand};
use std::ops::Index;

macro_rules! ids {
    ($($name:ident, $table:ident, $entry:ident;)*) => {
        $(#[doc = concat!("An index into `DebugInfo::", stringify!($table), "`.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl From<u32> for $name {
            fn from(index: u32) -> Self {
                $name(index)
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> u32 {
                id.0
            }
        }

        impl Index<$name> for DebugInfo {
            type Output = $entry;

            fn index(&self, id: $name) -> &$entry {
                &self.$table[id.0 as usize]
            }
        })*
    };
}

ids! {
    DebugFileId, files, DebugFile;
    DebugFunctionId, functions, DebugFunction;
    ScopeId, scopes, Scope;
    LocationId, locations, SourceLocation;
    VariableId, variables, LocalVariable;
    LabelId, labels, SourceLabel;
    ExpressionId, expressions, DebugExpression;
    TypeRef, types, DebugType;
}

impl DebugInfo {
    /// A scope, then what contains it, and so on to the outermost.
    pub fn enclosing(&self, scope: Option<ScopeId>) -> impl Iterator<Item = &Scope> {
        std::iter::successors(scope, |scope| self[*scope].parent).map(|scope| &self[scope])
    }

    /// The function a scope is in.
    pub fn function_of(&self, scope: ScopeId) -> Option<DebugFunctionId> {
        self.enclosing(Some(scope)).find_map(|scope| match scope.kind {
            ScopeKind::Function(function) => Some(function),
            _ => None,
        })
    }

    /// The file a location is in.
    pub fn file_of(&self, location: LocationId) -> Option<DebugFileId> {
        self.enclosing(self[location].scope).find_map(|scope| scope.file)
    }
}

#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    pub files: Vec<DebugFile>,
    pub units: Vec<CompileUnit>,
    pub functions: Vec<DebugFunction>,
    pub scopes: Vec<Scope>,
    pub locations: Vec<SourceLocation>,
    pub variables: Vec<LocalVariable>,
    pub labels: Vec<SourceLabel>,
    pub expressions: Vec<DebugExpression>,
    pub globals: Vec<GlobalVariable>,
    pub types: Vec<DebugType>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugFile {
    pub directory: Name,
    pub name: Name,
}

#[derive(Clone, Debug)]
pub struct CompileUnit {
    pub file: Option<DebugFileId>,
    pub producer: Option<Name>,
    /// `DW_LANG_C11`.
    pub language: Option<Name>,
    pub optimized: bool,
    /// Enumerations of which perhaps only the constants are used.
    pub enumerations: Box<[TypeRef]>,
}

/// A function of the source.
#[derive(Clone, Debug)]
pub struct DebugFunction {
    pub name: Option<Name>,
    /// The mangled name, where it differs.
    pub linkage_name: Option<Name>,
    pub file: Option<DebugFileId>,
    pub line: u32,
    /// What contains it: a file, a namespace, a class.
    pub parent: Option<ScopeId>,
    /// The line of its `{`.
    pub scope_line: u32,
    pub ty: Option<TypeRef>,
    /// The function of the module; `None` where all code of it was inlined.
    pub function: Option<GlobalId>,
}

#[derive(Clone, Debug)]
pub struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    pub file: Option<DebugFileId>,
    /// 0 where unknown.
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    Function(DebugFunctionId),
    LexicalBlock,
    /// A change of file within a block (an `#include`).
    BlockFile,
    /// `None` for an anonymous one.
    Namespace(Option<Name>),
    /// A class that has the function as a member.
    Type(TypeRef),
    File,
    CompileUnit,
    Other,
}

#[derive(Clone, Debug)]
pub struct SourceLocation {
    /// 0 for code without a line.
    pub line: u32,
    pub column: u32,
    pub scope: Option<ScopeId>,
    /// Where the function of `scope` was inlined.
    pub inlined_at: Option<LocationId>,
}

#[derive(Clone, Debug)]
pub struct LocalVariable {
    pub name: Option<Name>,
    /// Counts from 1; 0 for a variable that is not a parameter.
    pub argument: u32,
    pub scope: Option<ScopeId>,
    pub file: Option<DebugFileId>,
    pub line: u32,
    pub ty: Option<TypeRef>,
    /// Not written by the programmer (`this`).
    pub artificial: bool,
}

#[derive(Clone, Debug)]
pub struct SourceLabel {
    pub name: Option<Name>,
    pub scope: Option<ScopeId>,
    pub file: Option<DebugFileId>,
    pub line: u32,
}

#[derive(Clone, Debug)]
pub struct GlobalVariable {
    pub name: Option<Name>,
    pub linkage_name: Option<Name>,
    pub scope: Option<ScopeId>,
    pub file: Option<DebugFileId>,
    pub line: u32,
    pub ty: Option<TypeRef>,
    /// `None` where the variable was optimised away: then the expression may say its value.
    pub global: Option<GlobalId>,
    pub expression: Option<ExpressionId>,
}

/// Says what a source variable is from one instruction on.
#[derive(Clone, Debug)]
pub struct DebugRecord {
    /// The index of the instruction before which it stands.
    pub before: u32,
    pub kind: RecordKind,
    pub location: Option<LocationId>,
}

#[derive(Clone, Debug)]
pub enum RecordKind {
    /// The variable lives at this address for the whole function.
    Declare {
        variable: VariableId,
        value: RecordValue,
        expression: ExpressionId,
    },
    /// The variable has this value from here on.
    Value {
        variable: VariableId,
        value: RecordValue,
        expression: ExpressionId,
    },
    /// The variable has this value from here on, and where it is in memory, it is at `address`.
    Assign {
        variable: VariableId,
        value: RecordValue,
        expression: ExpressionId,
        address: RecordValue,
        address_expression: ExpressionId,
    },
    /// The variable has this value for the whole function.
    DeclareValue {
        variable: VariableId,
        value: RecordValue,
        expression: ExpressionId,
    },
    Label(LabelId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordValue {
    /// The value was optimised away.
    None,
    Operand(Operand),
    /// `DIArgList`: the expression names them with [`ExpressionOp::Argument`].
    List(Box<[Operand]>),
}

/// A DWARF expression, on a stack that begins with the record's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct DebugExpression {
    pub ops: Box<[ExpressionOp]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExpressionOp {
    Deref,
    /// `DW_OP_plus_uconst`.
    PlusConstant(u64),
    Plus,
    Minus,
    Multiply,
    /// `DW_OP_constu` and `DW_OP_lit…`.
    Constant(u64),
    SignedConstant(i64),
    /// The value itself, not its address, is on the stack.
    StackValue,
    /// It is about these bits of the variable only; always last.
    Fragment {
        offset_bits: u64,
        size_bits: u64,
    },
    /// `DW_OP_LLVM_arg`.
    Argument(u64),
    /// Any other, with its operands.
    Other(Name, Box<[u64]>),
}

#[derive(Clone, Debug)]
pub struct DebugType {
    pub name: Option<Name>,
    pub file: Option<DebugFileId>,
    pub line: u32,
    pub size_bits: u64,
    /// The namespace or class it is in, which is part of its full name.
    pub scope: Option<ScopeId>,
    pub kind: TypeKind,
}

/// `void` is no type: it is a `None` where a `TypeRef` is optional.
#[derive(Clone, Debug)]
pub enum TypeKind {
    Base(Encoding),
    Pointer(Option<TypeRef>),
    Reference {
        to: Option<TypeRef>,
        /// `&&`.
        rvalue: bool,
    },
    MemberPointer {
        to: Option<TypeRef>,
        class: Option<TypeRef>,
    },
    Typedef(Option<TypeRef>),
    Qualified(Qualifier, Option<TypeRef>),
    Record(Box<Record>),
    Array {
        element: Option<TypeRef>,
        dimensions: Box<[Dimension]>,
        /// A vector of the hardware, not an array.
        vector: bool,
    },
    Enumeration {
        underlying: Option<TypeRef>,
        enumerators: Box<[Enumerator]>,
        declaration: bool,
    },
    Subroutine {
        result: Option<TypeRef>,
        parameters: Box<[TypeRef]>,
        variadic: bool,
    },
    /// `decltype(nullptr)`.
    Unspecified,
    /// Some other kind of type, or a reference to something that is not one.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    SignedCharacter,
    UnsignedCharacter,
    /// `DW_ATE_UTF`: `char16_t`, Rust's `char`.
    Unicode,
    Float,
    ComplexFloat,
    Address,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    Atomic,
}

/// A struct, class or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKeyword,
    /// A forward declaration: the members are unknown.
    pub declaration: bool,
    pub members: Box<[Member]>,
    pub bases: Box<[Base]>,
    /// Of a Rust enum.
    pub variants: Option<VariantPart>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKeyword {
    Struct,
    Class,
    Union,
}

#[derive(Clone, Debug)]
pub struct Member {
    /// `None` for an anonymous struct or union.
    pub name: Option<Name>,
    pub ty: Option<TypeRef>,
    pub offset_bits: u64,
    pub size_bits: u64,
    pub bit_field: bool,
    /// A static member: it has no place in the object.
    pub is_static: bool,
    pub artificial: bool,
}

/// A base class.
#[derive(Clone, Debug)]
pub struct Base {
    pub ty: Option<TypeRef>,
    pub offset_bits: u64,
    pub is_virtual: bool,
}

#[derive(Clone, Debug)]
pub struct VariantPart {
    pub discriminator: Option<Member>,
    pub variants: Box<[Variant]>,
}

#[derive(Clone, Debug)]
pub struct Variant {
    /// `None` for the one that is meant by every other value.
    pub discriminant: Option<u128>,
    pub member: Member,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    pub lower: i64,
    pub count: Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    Known(u64),
    /// Computed at run time.
    Variable,
    /// `int a[]`.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumerator {
    pub name: Option<Name>,
    /// Sign-extended unless `unsigned`.
    pub value: i128,
    pub unsigned: bool,
}
