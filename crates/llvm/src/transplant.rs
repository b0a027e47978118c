//! Moving parts of one module into another: what linking and dropping the unreachable share.
//!
//! Globals have been given their new ids before. Everything else follows from what is moved:
//! types, constants and names are interned in the new module, debug information is copied as far
//! as it is mentioned.

use crate::debug::RecordValue;
use crate::debug::transplant::DebugTransplant;
use crate::ir::{
    Body, ConstantId, ConstantValue, Function, Global, GlobalId, GlobalKind, LocalName, Module,
    Name, NamedStruct, Operand, ParameterAttributes, StructBody, StructId, Type, TypeId, UnitId,
};
use rustc_hash::FxHashMap;

pub(crate) struct Transplant<'m> {
    pub from: &'m Module,
    pub into: &'m mut Module,
    /// The new id of each global; `None` for one that has none, which then nothing may mention.
    pub globals: Vec<Option<GlobalId>>,
    /// The named structs of the new module by name.
    pub structs: &'m mut FxHashMap<Name, Vec<StructId>>,
    first_unit: u32,
    names: Vec<Option<Name>>,
    types: Vec<Option<TypeId>>,
    constants: Vec<Option<ConstantId>>,
    debug: DebugTransplant,
}

impl<'m> Transplant<'m> {
    pub fn new(
        from: &'m Module,
        into: &'m mut Module,
        structs: &'m mut FxHashMap<Name, Vec<StructId>>,
        globals: Vec<Option<GlobalId>>,
    ) -> Self {
        let first_unit = into.units.len() as u32;
        into.units.extend(from.units.iter().cloned());
        let debug = DebugTransplant::new(&from.debug, &into.debug);
        Transplant {
            from,
            into,
            globals,
            structs,
            first_unit,
            names: Vec::new(),
            types: vec![None; from.types.len()],
            constants: vec![None; from.constants.len()],
            debug,
        }
    }

    pub fn name(&mut self, name: Name) -> Name {
        let index = name.0 as usize;
        if index >= self.names.len() {
            self.names.resize(index + 1, None);
        }
        *self.names[index].get_or_insert_with(|| self.into.names.intern(&self.from.names[name]))
    }

    pub fn global(&self, global: GlobalId) -> GlobalId {
        // What is kept mentions only what is kept.
        self.globals[global.0 as usize].unwrap_or(global)
    }

    pub fn ty(&mut self, ty: TypeId) -> TypeId {
        if let Some(known) = self.types[ty.index()] {
            return known;
        }
        let from = self.from;
        let moved = match &from.types[ty] {
            Type::Array { element, count } => {
                Type::Array { element: self.ty(*element), count: *count }
            }
            Type::Vector { element, count, scalable } => {
                Type::Vector { element: self.ty(*element), count: *count, scalable: *scalable }
            }
            Type::Struct { fields, packed } => {
                Type::Struct { fields: self.type_list(fields), packed: *packed }
            }
            Type::Function { result, parameters, variadic } => Type::Function {
                result: self.ty(*result),
                parameters: self.type_list(parameters),
                variadic: *variadic,
            },
            Type::Named(id) => Type::Named(self.named_struct(*id)),
            Type::Target(name) => Type::Target(self.name(*name)),
            other => other.clone(),
        };
        let moved = self.into.types.intern(moved);
        self.types[ty.index()] = Some(moved);
        moved
    }

    fn type_list(&mut self, list: &[TypeId]) -> Box<[TypeId]> {
        list.iter().map(|ty| self.ty(*ty)).collect()
    }

    /// The same struct in the new module. Two modules that read one header have it twice.
    fn named_struct(&mut self, id: StructId) -> StructId {
        let NamedStruct { name, body } = &self.from.types.structs[id.0 as usize];
        let body = body
            .as_ref()
            .map(|body| StructBody { fields: self.type_list(&body.fields), packed: body.packed });
        let base = self.name(*name);
        let known = self.structs.entry(base).or_default();
        let into = &mut self.into;
        if let Some(same) = known.iter().find(|id| into.types.structs[id.0 as usize].body == body) {
            return *same;
        }
        let name = match known.len() {
            0 => base,
            count => {
                let text = format!("{}.{count}", &into.names[base]);
                into.names.intern(&text)
            }
        };
        let (id, _) = into.types.add_struct(name);
        into.types.structs[id.0 as usize].body = body;
        known.push(id);
        id
    }

    /// Recurs as deep as constants nest, which the reader limits.
    pub fn constant(&mut self, id: ConstantId) -> ConstantId {
        if let Some(known) = self.constants[id.0 as usize] {
            return known;
        }
        let from = self.from;
        let constant = &from.constants[id];
        let ty = self.ty(constant.ty);
        let mut value = constant.value.clone();
        match &mut value {
            ConstantValue::Aggregate(parts) => {
                parts.iter_mut().for_each(|part| *part = self.constant(*part));
            }
            ConstantValue::Splat(element) => *element = self.constant(*element),
            ConstantValue::Global(global)
            | ConstantValue::DsoLocalEquivalent(global)
            | ConstantValue::NoCfi(global)
            | ConstantValue::BlockAddress { function: global, .. } => {
                *global = self.global(*global);
            }
            ConstantValue::Expression(expression) => {
                expression.for_each_operand_mut(|operand| *operand = self.constant(*operand));
                if let crate::ir::Expression::GetElementPtr { source, .. } = &mut **expression {
                    *source = self.ty(*source);
                }
            }
            ConstantValue::InlineAsm(asm) => {
                asm.template = self.name(asm.template);
                asm.constraints = self.name(asm.constraints);
            }
            ConstantValue::Metadata(Some(name)) => *name = self.name(*name),
            _ => {}
        }
        let moved = self.into.constants.intern(ty, value);
        self.constants[id.0 as usize] = Some(moved);
        moved
    }

    pub fn operand(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Constant(constant) => Operand::Constant(self.constant(constant)),
            local => local,
        }
    }

    /// Adds a global under its new name, with everything it mentions.
    pub fn add(&mut self, global: &Global, name: Name) {
        let entry = self.entry(global, name);
        let id = GlobalId(self.into.globals.len() as u32);
        self.into.symbols.insert(name, id);
        self.into.globals.push(entry);
    }

    fn entry(&mut self, global: &Global, name: Name) -> Global {
        let kind = match &global.kind {
            GlobalKind::Variable(variable) => {
                let mut variable = variable.clone();
                variable.ty = self.ty(variable.ty);
                variable.initializer = variable.initializer.map(|value| self.constant(value));
                GlobalKind::Variable(variable)
            }
            GlobalKind::Alias(alias) | GlobalKind::Ifunc(alias) => {
                let mut moved = alias.clone();
                moved.ty = self.ty(moved.ty);
                moved.target = self.constant(moved.target);
                match &global.kind {
                    GlobalKind::Alias(_) => GlobalKind::Alias(moved),
                    _ => GlobalKind::Ifunc(moved),
                }
            }
            GlobalKind::Function(function) => {
                GlobalKind::Function(Box::new(self.function(function)))
            }
        };
        Global {
            name,
            source_name: self.name(global.source_name),
            section: global.section.map(|section| self.name(section)),
            comdat: global.comdat.map(|comdat| self.name(comdat)),
            kind,
            unit: UnitId(self.first_unit + global.unit.0),
            ..*global
        }
    }

    fn attributes(&mut self, attributes: &mut ParameterAttributes) {
        attributes.for_each_type_mut(|ty| *ty = self.ty(*ty));
    }

    fn function(&mut self, function: &Function) -> Function {
        let mut moved = function.clone();
        moved.signature = self.ty(moved.signature);
        self.attributes(&mut moved.result);
        moved.parameters.iter_mut().for_each(|parameter| self.attributes(parameter));
        moved.personality = moved.personality.map(|constant| self.constant(constant));
        moved.prefix = moved.prefix.map(|constant| self.constant(constant));
        moved.prologue = moved.prologue.map(|constant| self.constant(constant));
        moved.debug = moved.debug.map(|id| self.debug.functions.get(id));
        if let Some(body) = &mut moved.body {
            self.body(body);
        }
        moved
    }

    fn local_name(&mut self, name: &mut LocalName) {
        if let LocalName::Named(text) = name {
            *text = self.name(*text);
        }
    }

    fn body(&mut self, body: &mut Body) {
        for local in &mut body.locals {
            local.ty = self.ty(local.ty);
            self.local_name(&mut local.name);
        }
        body.blocks.iter_mut().for_each(|block| self.local_name(&mut block.name));
        for instruction in &mut body.instructions {
            instruction.ty = self.ty(instruction.ty);
            instruction.location = instruction.location.map(|at| self.debug.locations.get(at));
            instruction.op.for_each_operand_mut(|operand| *operand = self.operand(*operand));
            instruction.op.for_each_type_mut(|ty| *ty = self.ty(*ty));
            instruction.op.for_each_name_mut(|name| *name = self.name(*name));
        }
        for record in &mut body.records {
            record.for_each_value_mut(|value| self.record_value(value));
            self.debug.record(record);
        }
    }

    /// Debug information keeps nothing alive: of a value that is gone it says that it is gone.
    fn record_value(&mut self, value: &mut RecordValue) {
        let operands = match value {
            RecordValue::None => return,
            RecordValue::Operand(operand) => std::slice::from_mut(operand),
            RecordValue::List(operands) => operands,
        };
        let kept = operands.iter().all(|operand| match operand {
            Operand::Local(_) => true,
            Operand::Constant(constant) => self.is_kept(*constant),
        });
        match kept {
            true => operands.iter_mut().for_each(|operand| *operand = self.operand(*operand)),
            false => *value = RecordValue::None,
        }
    }

    fn is_kept(&self, constant: ConstantId) -> bool {
        let value = &self.from.constants[constant].value;
        let mut kept =
            value.global().is_none_or(|global| self.globals[global.0 as usize].is_some());
        value.for_each_operand(|operand| kept = kept && self.is_kept(operand));
        kept
    }

    /// Copies the debug information that was mentioned, and that of the kept variables.
    pub fn finish(mut self) {
        let from = self.from;
        for variable in &from.debug.globals {
            let kept = match variable.global {
                None => true,
                // Of a global that another module's replaced, the other's entry counts.
                Some(global) => self.globals[global.0 as usize]
                    .and_then(|new| self.into.globals.get(new.0 as usize))
                    .is_some_and(|entry| entry.unit.0 >= self.first_unit),
            };
            if kept {
                let mut moved = variable.clone();
                moved.global = moved.global.map(|global| self.global(global));
                self.debug.global_variable(&mut moved);
                moved.name = moved.name.map(|name| self.name(name));
                moved.linkage_name = moved.linkage_name.map(|name| self.name(name));
                self.into.debug.globals.push(moved);
            }
        }
        let mut debug = std::mem::take(&mut self.debug);
        debug.units(&mut self);
        debug.run(&mut self);
    }
}
