//! Debug information on its way into another module: what is mentioned gets the next index of
//! its table, and is copied in that order.

use super::*;
use crate::transplant::Transplant;

/// From the indices of one table to those of another.
#[derive(Default)]
pub(crate) struct Map {
    new: Vec<u32>,
    /// The old indices in the order of the new ones.
    order: Vec<u32>,
    done: usize,
    first: u32,
}

impl Map {
    fn new(from: usize, into: usize) -> Self {
        Map { new: vec![u32::MAX; from], order: Vec::new(), done: 0, first: into as u32 }
    }

    pub fn get<I: From<u32> + Into<u32>>(&mut self, old: I) -> I {
        let old = old.into();
        let slot = &mut self.new[old as usize];
        if *slot == u32::MAX {
            *slot = self.first + self.order.len() as u32;
            self.order.push(old);
        }
        I::from(*slot)
    }

    fn change<I: Copy + From<u32> + Into<u32>>(&mut self, id: &mut Option<I>) {
        *id = id.map(|id| self.get(id));
    }

    fn next(&mut self) -> Option<usize> {
        let old = *self.order.get(self.done)?;
        self.done += 1;
        Some(old as usize)
    }
}

#[derive(Default)]
pub(crate) struct DebugTransplant {
    files: Map,
    pub functions: Map,
    scopes: Map,
    pub locations: Map,
    variables: Map,
    labels: Map,
    expressions: Map,
    types: Map,
}

impl DebugTransplant {
    pub fn new(from: &DebugInfo, into: &DebugInfo) -> Self {
        DebugTransplant {
            files: Map::new(from.files.len(), into.files.len()),
            functions: Map::new(from.functions.len(), into.functions.len()),
            scopes: Map::new(from.scopes.len(), into.scopes.len()),
            locations: Map::new(from.locations.len(), into.locations.len()),
            variables: Map::new(from.variables.len(), into.variables.len()),
            labels: Map::new(from.labels.len(), into.labels.len()),
            expressions: Map::new(from.expressions.len(), into.expressions.len()),
            types: Map::new(from.types.len(), into.types.len()),
        }
    }

    /// Everything but the operands.
    pub fn record(&mut self, record: &mut DebugRecord) {
        self.locations.change(&mut record.location);
        match &mut record.kind {
            RecordKind::Declare { variable, expression, .. }
            | RecordKind::Value { variable, expression, .. }
            | RecordKind::DeclareValue { variable, expression, .. } => {
                *variable = self.variables.get(*variable);
                *expression = self.expressions.get(*expression);
            }
            RecordKind::Assign { variable, expression, address_expression, .. } => {
                *variable = self.variables.get(*variable);
                *expression = self.expressions.get(*expression);
                *address_expression = self.expressions.get(*address_expression);
            }
            RecordKind::Label(label) => *label = self.labels.get(*label),
        }
    }

    /// Everything but the names and the global.
    pub fn global_variable(&mut self, variable: &mut GlobalVariable) {
        self.scopes.change(&mut variable.scope);
        self.files.change(&mut variable.file);
        self.types.change(&mut variable.ty);
        self.expressions.change(&mut variable.expression);
    }

    pub fn units(&mut self, to: &mut Transplant<'_>) {
        for unit in &to.from.debug.units {
            let mut unit = unit.clone();
            self.files.change(&mut unit.file);
            unit.enumerations.iter_mut().for_each(|ty| *ty = self.types.get(*ty));
            unit.producer = unit.producer.map(|name| to.name(name));
            unit.language = unit.language.map(|name| to.name(name));
            to.into.debug.units.push(unit);
        }
    }

    /// Copies until nothing that was mentioned is left.
    pub fn run(&mut self, to: &mut Transplant<'_>) {
        let from = &to.from.debug;
        let mut progress = true;
        while progress {
            progress = false;
            macro_rules! drain {
                ($table:ident, $change:ident) => {
                    while let Some(old) = self.$table.next() {
                        let mut entry = from.$table[old].clone();
                        self.$change(&mut entry, to);
                        to.into.debug.$table.push(entry);
                        progress = true;
                    }
                };
            }
            drain!(locations, location);
            drain!(variables, variable);
            drain!(labels, label);
            drain!(expressions, expression);
            drain!(functions, function);
            drain!(scopes, scope);
            drain!(types, ty);
            drain!(files, file);
        }
    }

    fn file(&mut self, file: &mut DebugFile, to: &mut Transplant<'_>) {
        file.directory = to.name(file.directory);
        file.name = to.name(file.name);
    }

    fn location(&mut self, location: &mut SourceLocation, _: &mut Transplant<'_>) {
        self.scopes.change(&mut location.scope);
        self.locations.change(&mut location.inlined_at);
    }

    fn variable(&mut self, variable: &mut LocalVariable, to: &mut Transplant<'_>) {
        variable.name = variable.name.map(|name| to.name(name));
        self.scopes.change(&mut variable.scope);
        self.files.change(&mut variable.file);
        self.types.change(&mut variable.ty);
    }

    fn label(&mut self, label: &mut SourceLabel, to: &mut Transplant<'_>) {
        label.name = label.name.map(|name| to.name(name));
        self.scopes.change(&mut label.scope);
        self.files.change(&mut label.file);
    }

    fn expression(&mut self, expression: &mut DebugExpression, to: &mut Transplant<'_>) {
        for op in &mut expression.ops {
            if let ExpressionOp::Other(name, _) = op {
                *name = to.name(*name);
            }
        }
    }

    fn function(&mut self, function: &mut DebugFunction, to: &mut Transplant<'_>) {
        function.name = function.name.map(|name| to.name(name));
        function.linkage_name = function.linkage_name.map(|name| to.name(name));
        self.files.change(&mut function.file);
        self.scopes.change(&mut function.parent);
        self.types.change(&mut function.ty);
        function.function = function.function.and_then(|id| to.globals[id.0 as usize]);
    }

    fn scope(&mut self, scope: &mut Scope, to: &mut Transplant<'_>) {
        scope.kind = match scope.kind {
            ScopeKind::Function(function) => ScopeKind::Function(self.functions.get(function)),
            ScopeKind::Namespace(name) => ScopeKind::Namespace(name.map(|name| to.name(name))),
            ScopeKind::Type(ty) => ScopeKind::Type(self.types.get(ty)),
            other => other,
        };
        self.scopes.change(&mut scope.parent);
        self.files.change(&mut scope.file);
    }

    fn member(&mut self, member: &mut Member, to: &mut Transplant<'_>) {
        member.name = member.name.map(|name| to.name(name));
        self.types.change(&mut member.ty);
    }

    fn ty(&mut self, ty: &mut DebugType, to: &mut Transplant<'_>) {
        ty.name = ty.name.map(|name| to.name(name));
        self.files.change(&mut ty.file);
        self.scopes.change(&mut ty.scope);
        match &mut ty.kind {
            TypeKind::Base(_) | TypeKind::Unspecified | TypeKind::Unknown => {}
            TypeKind::Pointer(inner)
            | TypeKind::Reference { to: inner, .. }
            | TypeKind::Typedef(inner)
            | TypeKind::Qualified(_, inner)
            | TypeKind::Array { element: inner, .. } => self.types.change(inner),
            TypeKind::MemberPointer { to: inner, class } => {
                self.types.change(inner);
                self.types.change(class);
            }
            TypeKind::Enumeration { underlying, enumerators, .. } => {
                self.types.change(underlying);
                for enumerator in enumerators {
                    enumerator.name = enumerator.name.map(|name| to.name(name));
                }
            }
            TypeKind::Subroutine { result, parameters, .. } => {
                self.types.change(result);
                parameters.iter_mut().for_each(|ty| *ty = self.types.get(*ty));
            }
            TypeKind::Record(record) => {
                record.members.iter_mut().for_each(|member| self.member(member, to));
                record.bases.iter_mut().for_each(|base| self.types.change(&mut base.ty));
                if let Some(part) = &mut record.variants {
                    part.discriminator.iter_mut().for_each(|member| self.member(member, to));
                    for variant in &mut part.variants {
                        self.member(&mut variant.member, to);
                    }
                }
            }
        }
    }
}

impl DebugRecord {
    pub(crate) fn for_each_value_mut(&mut self, mut each: impl FnMut(&mut RecordValue)) {
        match &mut self.kind {
            RecordKind::Declare { value, .. }
            | RecordKind::Value { value, .. }
            | RecordKind::DeclareValue { value, .. } => each(value),
            RecordKind::Assign { value, address, .. } => {
                each(value);
                each(address);
            }
            RecordKind::Label(_) => {}
        }
    }
}
