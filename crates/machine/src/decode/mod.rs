//! From an LLVM module to the code that the machine runs.

mod assembler;
mod call;
mod constant;
mod function;
mod inner;
mod intrinsic;
mod promote;

use crate::code::{Function, GlobalData, Program};
use crate::live::Liveness;
use crate::native;
use crate::object::{Kind, Object};
use crate::value::{FUNCTION, Scalar, Value};
use auspex_llvm::Module;
use auspex_llvm::ir::{ConstantValue, GlobalId, GlobalKind, Linkage, Type, TypeId};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Where the address of a global leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Value(Value),
    /// An index into `Program::thread_locals`.
    ThreadLocal(u32),
}

/// Sites from here on stand for thread-local variables: there is no code with so many instructions.
pub const THREAD_LOCAL_SITES: u32 = 0xc000_0000;

/// Objects are not larger than this.
pub const LARGEST_OBJECT: u64 = 1 << 26;
/// First-class aggregates with more parts than this are not taken apart.
const MOST_LANES: usize = 4096;

/// What decoding needs to know of the whole program.
pub(crate) struct Context<'m> {
    pub module: &'m Module,
    pub targets: FxHashMap<GlobalId, Target>,
    pub pool: Vec<Value>,
    pool_index: FxHashMap<(u64, u64, u32, u8), u32>,
    pub functions: FxHashMap<GlobalId, u32>,
    pub pointer: u8,
    pub interesting: Vec<u64>,
    /// The user's code was optimised, as the runtime's is.
    pub optimised: bool,
    /// How many global variables there are that are objects from the beginning.
    pub globals: u32,
    /// Set when a constant was met that the machine cannot compute.
    pub obscured: Cell<bool>,
}

impl Context<'_> {
    /// A value's place in the pool.
    pub fn pooled(&mut self, value: Value) -> u32 {
        let key = (value.bits, value.undef, value.object, value.piece);
        *self.pool_index.entry(key).or_insert_with(|| {
            self.pool.push(value);
            self.pool.len() as u32 - 1
        })
    }

    /// The scalars that a type is made of, and where each lies in memory; `None` where the machine
    /// has no such type.
    pub fn lanes(&self, ty: TypeId) -> Option<Vec<(Scalar, u32)>> {
        let mut lanes = Vec::new();
        if self.is_bit_vector(ty) {
            // In registers only, where it has no offsets.
            let element = self.lanes(self.module.types.scalar(ty))?;
            let count = self.module.types.part_count(ty)?;
            return (count <= MOST_LANES as u64).then(|| element.repeat(count as usize));
        }
        self.add_lanes(ty, 0, &mut lanes)?;
        Some(lanes)
    }

    fn add_lanes(&self, ty: TypeId, at: u64, lanes: &mut Vec<(Scalar, u32)>) -> Option<()> {
        let types = &self.module.types;
        let scalar = match &types[ty] {
            Type::Integer(bits @ 1..=64) => Scalar::Int(*bits as u8),
            Type::Integer(bits @ 65..=128) => Scalar::Wide(*bits as u8),
            Type::Float(kind) => match kind.bits() {
                32 => Scalar::Single,
                64 => Scalar::Double,
                80 => Scalar::Extended,
                _ => return None,
            },
            Type::Pointer { .. } => Scalar::Pointer,
            Type::Void => return Some(()),
            Type::Array { .. }
            | Type::Vector { scalable: false, .. }
            | Type::Struct { .. }
            | Type::Named(_) => {
                let count = types.part_count(ty)?;
                if lanes.len() as u64 + count > MOST_LANES as u64 {
                    return None;
                }
                let bits = self.module.layout.size_in_bits(types, types.scalar(ty));
                let vector = matches!(types[ty], Type::Vector { .. });
                for index in 0..count {
                    let part = types.part(ty, index)?;
                    // The elements of a vector touch, also where they are not whole bytes.
                    let offset = match &types[ty] {
                        Type::Vector { .. } => match bits? {
                            bits if bits % 8 == 0 => index * bits / 8,
                            _ => return None,
                        },
                        _ => self.module.layout.part_offset(types, ty, index)?,
                    };
                    self.add_lanes(part, at + offset, lanes)?;
                    // Code for vectors counts elements in registers.
                    let last = lanes.last().map(|lane| lane.0);
                    if vector && last == Some(Scalar::Extended) {
                        return None;
                    }
                }
                return Some(());
            }
            _ => return None,
        };
        if lanes.len() >= MOST_LANES {
            return None;
        }
        lanes.push((scalar, u32::try_from(at).ok()?));
        Some(())
    }

    /// A vector whose elements are not whole bytes, such as the result of a comparison.
    pub fn is_bit_vector(&self, ty: TypeId) -> bool {
        let (types, layout) = (&self.module.types, &self.module.layout);
        let bits = || layout.size_in_bits(types, types.scalar(ty));
        matches!(types[ty], Type::Vector { scalable: false, .. })
            && bits().is_some_and(|bits| bits % 8 != 0)
    }

    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        self.module.layout.alloc_size(&self.module.types, ty)
    }
}

/// Decodes a linked module whose `main` is there. `is_runtime` says which functions the user did
/// not write.
pub fn decode(
    module: Module,
    is_runtime: impl Fn(GlobalId) -> bool,
    optimised: bool,
) -> Result<Program, String> {
    let pointer = module.layout.pointer_size(0) as u8;
    let mut context = Context {
        module: &module,
        targets: FxHashMap::default(),
        pool: Vec::new(),
        pool_index: FxHashMap::default(),
        functions: FxHashMap::default(),
        pointer,
        interesting: Vec::new(),
        optimised,
        globals: 0,
        obscured: Cell::new(false),
    };
    let (variables, constants, thread_locals) = context.place_globals();
    let mut functions = context.declare_functions(&is_runtime);
    context.resolve_aliases();
    let variable_globals = variables.len() as u32;
    let order: Vec<(GlobalId, Kind)> = variables
        .into_iter()
        .map(|id| (id, Kind::Global))
        .chain(constants.into_iter().map(|id| (id, Kind::Constant)))
        .collect();
    let globals = order.iter().map(|(id, kind)| {
        let data = context.global_data(*id, *kind);
        GlobalData { runtime: is_runtime(*id), ..data }
    });
    let globals = globals.collect();
    let thread_locals = thread_locals.into_iter().enumerate().map(|(index, id)| {
        let mut data = context.global_data(id, Kind::Stack);
        data.object.site = THREAD_LOCAL_SITES + index as u32;
        data.runtime = is_runtime(id);
        data
    });
    let thread_locals = thread_locals.collect();
    if context.obscured.take() {
        return Err(
            "the program has a variable whose first value is made of the bits of a pointer, \
                    which is not supported"
                .to_string(),
        );
    }
    let mut site = 0;
    for function in &mut functions {
        if let Some(body) = module.function(function.global).and_then(|f| f.body.as_ref())
            && function.native.is_none()
        {
            function::decode(&mut context, function, body);
        }
        function.first_site = site;
        site += function.code.len() as u32 + 1;
        let twice = module.function(function.global).is_some_and(|f| f.attributes.returns_twice)
            || calls_setjmp(&module, function.global);
        let registers = function.registers.len() as u32;
        function.live = Liveness::of(&function.code, registers, &function.blocks, twice);
    }
    let main = module
        .global("main")
        .and_then(|id| context.functions.get(&id).copied())
        .filter(|main| functions[*main as usize].defined)
        .ok_or("there is no function `main`")?;
    let constructors = constructors(&context);
    let mut interesting = std::mem::take(&mut context.interesting);
    interesting.sort_unstable();
    interesting.dedup();
    let pool = std::mem::take(&mut context.pool);
    let marks = |f: &Function| f.name == "reach_error" || f.name.starts_with("__VERIFIER_");
    let for_competition = functions.iter().any(marks);
    Ok(Program {
        functions,
        main,
        constructors,
        pool,
        globals,
        variable_globals,
        thread_locals,
        pointer,
        for_competition,
        interesting,
        module,
    })
}

/// After `longjmp` any register of a function that calls `setjmp` may be read.
fn calls_setjmp(module: &Module, id: GlobalId) -> bool {
    use auspex_llvm::ir::{Op, Operand};
    let Some(body) = module.function(id).and_then(|f| f.body.as_ref()) else { return false };
    body.instructions.iter().any(|instruction| match &instruction.op {
        Op::Call(call) => match call.callee {
            Operand::Constant(id) => match module.constants[id].value {
                ConstantValue::Global(global) => {
                    matches!(
                        module.name_of(global),
                        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp"
                    )
                }
                _ => false,
            },
            Operand::Local(_) => false,
        },
        _ => false,
    })
}

/// The functions of `llvm.global_ctors`, by their priority.
fn constructors(context: &Context<'_>) -> Vec<u32> {
    let module = context.module;
    let initializer = module
        .global("llvm.global_ctors")
        .and_then(|id| module.variable(id))
        .and_then(|variable| variable.initializer);
    let Some(ConstantValue::Aggregate(entries)) = initializer.map(|id| &module.constants[id].value)
    else {
        return Vec::new();
    };
    let mut all: Vec<(u64, u32)> = entries
        .iter()
        .filter_map(|entry| match &module.constants[*entry].value {
            ConstantValue::Aggregate(parts) => match module.constants[parts[1]].value {
                ConstantValue::Global(function) => Some((
                    module.constants.as_u64(parts[0]).unwrap_or(0),
                    *context.functions.get(&function)?,
                )),
                _ => None,
            },
            _ => None,
        })
        .collect();
    all.sort_by_key(|(priority, _)| *priority);
    all.into_iter().map(|(_, function)| function).collect()
}

impl Context<'_> {
    /// Gives numbers to the global variables: those that change, constants, thread-local ones.
    fn place_globals(&mut self) -> (Vec<GlobalId>, Vec<GlobalId>, Vec<GlobalId>) {
        let (mut variables, mut constants, mut thread_locals) =
            (Vec::new(), Vec::new(), Vec::new());
        for (id, variable) in self.module.variables() {
            if self.module.name_of(id).starts_with("llvm.") {
                continue;
            }
            if self.is_missing(id) {
                self.targets.insert(id, Target::Value(Value::NULL));
                continue;
            }
            match variable {
                _ if self.module[id].thread_local.is_some() => thread_locals.push(id),
                variable if variable.constant => constants.push(id),
                _ => variables.push(id),
            }
        }
        self.globals = (variables.len() + constants.len()) as u32;
        for (index, id) in variables.iter().chain(&constants).enumerate() {
            let value = Value::pointer(index as u32 + 1, 0);
            self.targets.insert(*id, Target::Value(value));
        }
        for (index, id) in thread_locals.iter().enumerate() {
            self.targets.insert(*id, Target::ThreadLocal(index as u32));
        }
        (variables, constants, thread_locals)
    }

    /// A weak symbol that nothing defines: its address is null.
    fn is_missing(&self, id: GlobalId) -> bool {
        let global = &self.module[id];
        global.linkage == Linkage::ExternWeak && global.is_declaration()
    }

    fn declare_functions(&mut self, is_runtime: &impl Fn(GlobalId) -> bool) -> Vec<Function> {
        let mut functions = Vec::new();
        for (id, function) in self.module.functions() {
            let name = self.module.name_of(id).to_owned();
            let native = match &function.body {
                // A user's own function wins, but for the one that SV-COMP programs define as a mark.
                Some(_) if name == "reach_error" => native::find(&name),
                Some(_) => None,
                None => native::find(&name),
            };
            let variadic = matches!(
                self.module.types[function.signature],
                Type::Function { variadic: true, .. }
            );
            let index = functions.len() as u32;
            if native.is_none() && self.is_missing(id) {
                self.targets.insert(id, Target::Value(Value::NULL));
            } else {
                self.functions.insert(id, index);
                self.targets.insert(id, Target::Value(Value::pointer(FUNCTION | index, 0)));
            }
            functions.push(Function {
                atomic: name.starts_with("__VERIFIER_atomic_") && function.body.is_some(),
                global: id,
                signature: function.signature,
                code: Vec::new(),
                locations: Vec::new(),
                registers: Vec::new(),
                parameters: 0,
                variadic,
                runtime: is_runtime(id),
                native,
                defined: function.body.is_some() || native.is_some(),
                locals: Vec::new(),
                first_site: 0,
                blocks: Vec::new(),
                live: Liveness::default(),
                name,
            });
        }
        functions
    }

    fn resolve_aliases(&mut self) {
        // An alias may name another one: as many rounds as there are aliases are enough.
        let aliases: Vec<_> = self
            .module
            .ids()
            .filter_map(|id| match &self.module[id].kind {
                GlobalKind::Alias(alias) => Some((id, alias.target)),
                _ => None,
            })
            .collect();
        for _ in 0..aliases.len().min(16) {
            for (id, target) in &aliases {
                let to = match self.module.constants[*target].value {
                    ConstantValue::Global(to) => self.targets.get(&to).copied(),
                    _ => self.constant(*target).first().copied().map(Target::Value),
                };
                if let Some(to) = to {
                    self.targets.insert(*id, to);
                    if let Target::Value(value) = to
                        && let Some(function) = value.function()
                    {
                        self.functions.insert(*id, function);
                    }
                }
            }
        }
    }

    fn global_data(&mut self, id: GlobalId, kind: Kind) -> GlobalData {
        let variable = self.module.variable(id);
        let size = variable.and_then(|variable| self.size_of(variable.ty)).unwrap_or(0);
        let size = size.min(LARGEST_OBJECT) as usize;
        let mut object = Object::new(kind, size, id.0);
        if let Some(initializer) = variable.and_then(|variable| variable.initializer) {
            self.write_constant(&mut object, 0, initializer);
        }
        object.shared = kind == Kind::Global;
        object.tidy();
        let name = self.module.names[self.module[id].source_name].to_owned();
        GlobalData { global: id, name, runtime: false, object }
    }
}
