//! A module and what it defines: functions, variables, aliases.

use super::{BlockId, ConstantId, Constants, GlobalId, Instruction, LocalId, Name, Names};
use super::{Operand, TypeId, Types};
use crate::debug::{DebugFunctionId, DebugInfo, DebugRecord};
use crate::layout::DataLayout;
use auspex_system::Span;
use rustc_hash::FxHashMap;
use std::ops::{Index, Range};

/// One module as read, or several linked.
#[derive(Clone, Debug, Default)]
pub struct Module {
    pub names: Names,
    pub types: Types,
    pub constants: Constants,
    pub globals: Vec<Global>,
    /// Globals by name.
    pub symbols: FxHashMap<Name, GlobalId>,
    pub layout: DataLayout,
    /// `x86_64-pc-linux-gnu`; empty where the text has none.
    pub target: String,
    /// The files this was read from: one, until modules are linked.
    pub units: Vec<Unit>,
    pub flags: Vec<ModuleFlag>,
    pub debug: DebugInfo,
}

impl Module {
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.symbols.get(&self.names.find(name)?).copied()
    }

    pub fn name_of(&self, id: GlobalId) -> &str {
        &self.names[self[id].name]
    }

    pub fn function(&self, id: GlobalId) -> Option<&Function> {
        match &self[id].kind {
            GlobalKind::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn variable(&self, id: GlobalId) -> Option<&Variable> {
        match &self[id].kind {
            GlobalKind::Variable(variable) => Some(variable),
            _ => None,
        }
    }

    /// The functions, defined and declared.
    pub fn functions(&self) -> impl Iterator<Item = (GlobalId, &Function)> {
        self.ids().filter_map(|id| Some((id, self.function(id)?)))
    }

    /// The global variables, defined and declared.
    pub fn variables(&self) -> impl Iterator<Item = (GlobalId, &Variable)> {
        self.ids().filter_map(|id| Some((id, self.variable(id)?)))
    }

    pub fn ids(&self) -> impl Iterator<Item = GlobalId> + use<> {
        (0..self.globals.len() as u32).map(GlobalId)
    }

    /// See [`DataLayout::size_of`].
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        self.layout.size_of(&self.types, ty)
    }

    /// See [`DataLayout::alloc_size`].
    pub fn alloc_size(&self, ty: TypeId) -> Option<u64> {
        self.layout.alloc_size(&self.types, ty)
    }

    /// See [`DataLayout::abi_align`].
    pub fn abi_align(&self, ty: TypeId) -> Option<u64> {
        self.layout.abi_align(&self.types, ty)
    }

    /// The type of an operand of an instruction of this body.
    pub fn operand_type(&self, body: &Body, operand: Operand) -> TypeId {
        match operand {
            Operand::Local(local) => body.locals[local.0 as usize].ty,
            Operand::Constant(constant) => self.constants[constant].ty,
        }
    }
}

impl Index<GlobalId> for Module {
    type Output = Global;

    fn index(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }
}

/// Which of `Module::units` something comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u32);

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The name of the `.ll` file.
    pub file: String,
    /// What `source_filename` says.
    pub source: String,
    /// `module asm`, one line for each.
    pub assembly: String,
}

/// An entry of `!llvm.module.flags`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleFlag {
    pub behaviour: u32,
    pub name: Name,
    /// `None` where the value is not an integer.
    pub value: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct Global {
    /// Unique in the module.
    pub name: Name,
    /// As the source has it: linking renames internal globals whose names collide.
    pub source_name: Name,
    pub linkage: Linkage,
    pub visibility: Visibility,
    pub dll_storage: DllStorage,
    pub dso_local: bool,
    pub unnamed_address: UnnamedAddress,
    pub thread_local: Option<ThreadLocal>,
    pub address_space: u32,
    pub section: Option<Name>,
    pub comdat: Option<Name>,
    /// In bytes; 0 where the text has none.
    pub align: u32,
    pub kind: GlobalKind,
    pub unit: UnitId,
    /// Where it is defined or declared in the text.
    pub span: Span,
}

impl Global {
    /// Whether this only says that there is such a global elsewhere.
    pub fn is_declaration(&self) -> bool {
        match &self.kind {
            GlobalKind::Function(function) => function.body.is_none(),
            GlobalKind::Variable(variable) => variable.initializer.is_none(),
            GlobalKind::Alias(_) | GlobalKind::Ifunc(_) => false,
        }
    }
}

#[derive(Clone, Debug)]
pub enum GlobalKind {
    Function(Box<Function>),
    Variable(Variable),
    Alias(Alias),
    /// Like an alias, of what the `target`, a function, returns.
    Ifunc(Alias),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Linkage {
    #[default]
    External,
    Internal,
    Private,
    Weak,
    WeakOdr,
    LinkOnce,
    LinkOnceOdr,
    Common,
    AvailableExternally,
    ExternWeak,
    Appending,
}

impl Linkage {
    /// Not visible in other modules.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Internal | Linkage::Private)
    }

    /// Gives way to any other definition.
    pub fn is_weak(self) -> bool {
        use Linkage::*;
        matches!(self, Weak | WeakOdr | LinkOnce | LinkOnceOdr | Common | AvailableExternally)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Visibility {
    #[default]
    Default,
    Hidden,
    Protected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DllStorage {
    #[default]
    None,
    Import,
    Export,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum UnnamedAddress {
    #[default]
    None,
    Local,
    Global,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadLocal {
    GeneralDynamic,
    LocalDynamic,
    InitialExec,
    LocalExec,
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// The type of its contents.
    pub ty: TypeId,
    pub constant: bool,
    pub externally_initialized: bool,
    /// `None` for a declaration.
    pub initializer: Option<ConstantId>,
}

#[derive(Clone, Debug)]
pub struct Alias {
    pub ty: TypeId,
    pub target: ConstantId,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// A `Type::Function`.
    pub signature: TypeId,
    pub attributes: FunctionAttributes,
    pub result: ParameterAttributes,
    /// As many as the signature has parameters.
    pub parameters: Box<[ParameterAttributes]>,
    pub convention: u32,
    pub personality: Option<ConstantId>,
    pub prefix: Option<ConstantId>,
    pub prologue: Option<ConstantId>,
    pub debug: Option<DebugFunctionId>,
    /// `None` for a declaration.
    pub body: Option<Body>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct FunctionAttributes {
    pub no_return: bool,
    pub no_unwind: bool,
    pub naked: bool,
    pub returns_twice: bool,
    pub cold: bool,
}

/// What is said of a parameter, an argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ParameterAttributes {
    /// Passed as a pointer to a copy of this type.
    pub byval: Option<TypeId>,
    /// A pointer to where the result goes.
    pub sret: Option<TypeId>,
    /// In bytes; 0 where there is none.
    pub align: u32,
    pub zero_extend: bool,
    pub sign_extend: bool,
    /// Undefined or poison here is undefined behaviour.
    pub noundef: bool,
    pub nonnull: bool,
    pub in_register: bool,
    /// `nest`: the static chain.
    pub nest: bool,
}

/// The code of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The parameters, then the instructions' results.
    pub locals: Vec<Local>,
    pub parameter_count: u32,
    pub blocks: Vec<Block>,
    pub instructions: Vec<Instruction>,
    /// What ties source variables to locals, in the order of `before`.
    pub records: Vec<DebugRecord>,
}

#[derive(Clone, Copy, Debug)]
pub struct Local {
    pub ty: TypeId,
    pub name: LocalName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalName {
    Named(Name),
    /// As the text numbers it: `%5`.
    Number(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub name: LocalName,
    /// Its instructions are `Body::instructions[first..end]`; there is at least one.
    pub first: u32,
    pub end: u32,
}

impl Body {
    pub fn parameters(&self) -> impl Iterator<Item = LocalId> + use<> {
        (0..self.parameter_count).map(LocalId)
    }

    pub fn block_range(&self, block: BlockId) -> Range<usize> {
        let block = &self.blocks[block.0 as usize];
        block.first as usize..block.end as usize
    }

    pub fn block(&self, block: BlockId) -> &[Instruction] {
        &self.instructions[self.block_range(block)]
    }

    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// The records that stand before the instruction with this index.
    pub fn records_before(&self, instruction: usize) -> &[DebugRecord] {
        let first = self.records.partition_point(|r| (r.before as usize) < instruction);
        let count = self.records[first..].iter().take_while(|r| r.before as usize == instruction);
        &self.records[first..first + count.count()]
    }
}
