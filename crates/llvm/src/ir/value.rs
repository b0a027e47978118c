//! Names, constants, and what an instruction can take as an operand.

use super::{BinaryOp, CastOp, FloatPredicate, IntegerPredicate, TypeId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::ops::Index;

/// A string that occurs in the module: a symbol's name, a variable's, a file's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// All the names of a module. Escapes (`"\01name"`) are decoded; bytes that are not UTF-8 keep
/// their escaped form.
#[derive(Clone, Debug, Default)]
pub struct Names {
    set: IndexSet<Box<str>, FxBuildHasher>,
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Name {
        match self.set.get_index_of(text) {
            Some(index) => Name(index as u32),
            None => Name(self.set.insert_full(text.into()).0 as u32),
        }
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        self.set.get_index_of(text).map(|index| Name(index as u32))
    }
}

impl Index<Name> for Names {
    type Output = str;

    fn index(&self, name: Name) -> &str {
        &self.set[name.0 as usize]
    }
}

/// A function, global variable, alias or ifunc: an index into `Module::globals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// An index into `Module::constants`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstantId(pub u32);

/// A parameter or an instruction's result: an index into `Body::locals`.
///
/// The parameters come first, in order; the results follow in the order in which they are first
/// mentioned in the text, which is not always the order in which they are defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A basic block, in the order of the text; 0 is the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl BlockId {
    pub const ENTRY: BlockId = BlockId(0);
}

/// What an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Local(LocalId),
    Constant(ConstantId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    pub ty: TypeId,
    pub value: ConstantValue,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantValue {
    /// An integer of at most 128 bits, zero-extended.
    Integer(u128),
    /// A wider integer, least significant word first, as many words as its type needs.
    WideInteger(Box<[u64]>),
    /// The bit pattern in the constant's own type, zero-extended (an `x86_fp80` has 80 bits).
    Float(u128),
    /// The null pointer.
    Null,
    /// `zeroinitializer`, of any type and of any size.
    Zero,
    Undef,
    Poison,
    /// `c"…"`, an array of `i8`.
    Bytes(Box<[u8]>),
    /// The parts of an array, struct or vector, as many as the type has.
    Aggregate(Box<[ConstantId]>),
    /// A vector with the same element everywhere.
    Splat(ConstantId),
    /// The address of a global.
    Global(GlobalId),
    /// The address of a basic block.
    BlockAddress {
        function: GlobalId,
        block: BlockId,
    },
    /// `dso_local_equivalent @f`.
    DsoLocalEquivalent(GlobalId),
    /// `no_cfi @f`.
    NoCfi(GlobalId),
    Expression(Box<Expression>),
    /// `asm "…", "…"`: only ever the callee of a call.
    InlineAsm(Box<InlineAsm>),
    /// `token none`.
    None,
    /// A metadata argument of an intrinsic: the text of `metadata !"round.dynamic"` or of the
    /// first string in the node, if there is one.
    Metadata(Option<Name>),
}

/// A constant expression: an instruction without effects, on constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    Binary { op: BinaryOp, left: ConstantId, right: ConstantId },
    Cast { op: CastOp, value: ConstantId },
    GetElementPtr { inbounds: bool, source: TypeId, base: ConstantId, indices: Box<[ConstantId]> },
    IntegerCompare { predicate: IntegerPredicate, left: ConstantId, right: ConstantId },
    FloatCompare { predicate: FloatPredicate, left: ConstantId, right: ConstantId },
    Select { condition: ConstantId, then: ConstantId, otherwise: ConstantId },
    Negate(ConstantId),
    ExtractElement { vector: ConstantId, index: ConstantId },
    InsertElement { vector: ConstantId, element: ConstantId, index: ConstantId },
    ShuffleVector { left: ConstantId, right: ConstantId, mask: ConstantId },
    ExtractValue { aggregate: ConstantId, indices: Box<[u32]> },
    InsertValue { aggregate: ConstantId, element: ConstantId, indices: Box<[u32]> },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InlineAsm {
    pub template: Name,
    pub constraints: Name,
    pub side_effect: bool,
    pub align_stack: bool,
    pub intel_dialect: bool,
    pub may_unwind: bool,
}

/// All the constants of a module, interned. A constant's operands have smaller ids than it has,
/// and none is nested deeper than the reader's limit.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    set: IndexSet<Constant, FxBuildHasher>,
}

impl Constants {
    pub fn intern(&mut self, ty: TypeId, value: ConstantValue) -> ConstantId {
        ConstantId(self.set.insert_full(Constant { ty, value }).0 as u32)
    }

    pub fn len(&self) -> usize {
        self.set.len()
    }

    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ConstantId, &Constant)> {
        self.set.iter().enumerate().map(|(index, constant)| (ConstantId(index as u32), constant))
    }

    /// Changes values in place. The changed ones must stay different from each other.
    pub(crate) fn rewrite(&mut self, mut change: impl FnMut(&mut ConstantValue)) {
        let changed = std::mem::take(&mut self.set).into_iter().map(|mut constant| {
            change(&mut constant.value);
            constant
        });
        self.set = changed.collect();
    }

    /// The value of an integer constant of at most 64 bits (`zeroinitializer` counts).
    pub fn as_u64(&self, id: ConstantId) -> Option<u64> {
        match self[id].value {
            ConstantValue::Integer(value) => u64::try_from(value).ok(),
            ConstantValue::Zero => Some(0),
            _ => None,
        }
    }

    /// The same, of a vector whose elements are all equal too: which field a `getelementptr`
    /// means.
    pub fn as_index(&self, id: ConstantId) -> Option<u64> {
        match &self[id].value {
            ConstantValue::Splat(element) => self.as_u64(*element),
            ConstantValue::Aggregate(parts) => {
                let first = *parts.first()?;
                parts.iter().all(|part| *part == first).then(|| self.as_u64(first))?
            }
            _ => self.as_u64(id),
        }
    }
}

impl Index<ConstantId> for Constants {
    type Output = Constant;

    fn index(&self, id: ConstantId) -> &Constant {
        &self.set[id.0 as usize]
    }
}
