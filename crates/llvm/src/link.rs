//! Several modules as one, and one without what nothing reaches.

use crate::ir::{
    ConstantId, ConstantValue, Global, GlobalId, GlobalKind, Linkage, Module, Name, Operand, Type,
};
use crate::transplant::Transplant;
use auspex_system::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

/// Merges modules by the names of their symbols.
///
/// A definition replaces declarations, a strong one weak ones, the first weak one the others.
/// Internal globals are kept apart; where two have one name the later is renamed
/// (`Global::source_name` keeps it). Two strong definitions of one name are an error.
pub fn link(modules: &[Module]) -> Result<Module, Diagnostic> {
    let mut linked = Module::default();
    settle_target(modules, &mut linked)?;
    let winners = winners(modules)?;
    let names = choose_names(modules, &winners, &mut linked);
    let mut structs = FxHashMap::default();
    // All ids first: modules refer to each other.
    let mut by_symbol: FxHashMap<&str, GlobalId> = FxHashMap::default();
    let mut next = 0;
    for (module, names) in modules.iter().zip(&names) {
        for (global, name) in module.globals.iter().zip(names) {
            if name.is_some() {
                if !global.linkage.is_local() {
                    by_symbol.insert(symbol(module, global), GlobalId(next));
                }
                next += 1;
            }
        }
    }
    let mut next = 0;
    let mut appending: Vec<Vec<ConstantId>> = Vec::new();
    let mut appending_of: FxHashMap<GlobalId, usize> = FxHashMap::default();
    for (index, module) in modules.iter().enumerate() {
        let mut ids = Vec::with_capacity(module.globals.len());
        for (global, name) in module.globals.iter().zip(&names[index]) {
            ids.push(match name {
                Some(_) => {
                    next += 1;
                    Some(GlobalId(next - 1))
                }
                None => by_symbol.get(symbol(module, global)).copied(),
            });
        }
        let mut transplant = Transplant::new(module, &mut linked, &mut structs, ids.clone());
        for (position, global) in module.globals.iter().enumerate() {
            if let Some(name) = names[index][position] {
                transplant.add(global, name);
            }
            if global.linkage == Linkage::Appending
                && let Some(id) = ids[position]
            {
                let slot = *appending_of.entry(id).or_insert_with(|| {
                    appending.push(Vec::new());
                    appending.len() - 1
                });
                for element in elements(module, global) {
                    appending[slot].push(transplant.constant(element));
                }
            }
        }
        transplant.finish();
        merge_flags(module, &mut linked);
    }
    for (id, slot) in appending_of {
        append(&mut linked, id, &appending[slot]);
    }
    finish_types(&mut linked)?;
    Ok(linked)
}

/// Which definition of each symbol counts: the module and the index in it.
type Winners<'m> = FxHashMap<&'m str, (usize, usize)>;

/// The name as the linker sees it. LLVM's mark for names that are not to be decorated is no part
/// of it.
fn symbol<'m>(module: &'m Module, global: &Global) -> &'m str {
    module.names[global.name].trim_start_matches('\u{1}')
}

/// How strong a definition is; the stronger one replaces the weaker.
fn rank(global: &Global) -> u32 {
    match (global.is_declaration(), global.linkage) {
        (true, Linkage::ExternWeak) => 0,
        (true, _) => 1,
        (false, Linkage::AvailableExternally) => 2,
        (false, Linkage::Weak | Linkage::WeakOdr | Linkage::LinkOnce | Linkage::LinkOnceOdr) => 3,
        (false, Linkage::Common) => 4,
        (false, _) => 5,
    }
}

fn winners(modules: &[Module]) -> Result<Winners<'_>, Diagnostic> {
    let mut winners: Winners<'_> = FxHashMap::default();
    for (index, module) in modules.iter().enumerate() {
        for (position, global) in module.globals.iter().enumerate() {
            if global.linkage.is_local() {
                continue;
            }
            let name = symbol(module, global);
            let Some((other_module, other_position)) = winners.get(name).copied() else {
                winners.insert(name, (index, position));
                continue;
            };
            let other = &modules[other_module].globals[other_position];
            let (old, new) = (rank(other), rank(global));
            let appending =
                [other, global].iter().filter(|g| g.linkage == Linkage::Appending).count();
            let both_comdat = other.comdat.is_some() && global.comdat.is_some();
            if old == 5 && new == 5 && appending != 2 && !both_comdat {
                return Err(twice(name, (&modules[other_module], other), (module, global)));
            }
            let larger_common =
                old == 4 && new == 4 && size(module, global) > size(&modules[other_module], other);
            if new > old || larger_common {
                winners.insert(name, (index, position));
            }
        }
    }
    Ok(winners)
}

fn twice(name: &str, first: (&Module, &Global), second: (&Module, &Global)) -> Diagnostic {
    let file = |(module, global): (&Module, &Global)| {
        module.units.get(global.unit.0 as usize).map_or(String::new(), |unit| unit.file.clone())
    };
    let message = format!("`{name}` is defined both in {} and in {}", file(first), file(second));
    Diagnostic::error(second.1.span, message)
        .label("defined again here")
        .note(first.1.span, "first defined here")
        .hint("make one of them `static`, or a declaration")
}

fn size(module: &Module, global: &Global) -> u64 {
    match &global.kind {
        GlobalKind::Variable(variable) => {
            module.layout.alloc_size(&module.types, variable.ty).unwrap_or(0)
        }
        _ => 0,
    }
}

/// The names under which globals go into the linked module; `None` for those that do not.
fn choose_names(
    modules: &[Module],
    winners: &Winners<'_>,
    linked: &mut Module,
) -> Vec<Vec<Option<Name>>> {
    let mut taken: FxHashSet<Name> = winners.keys().map(|name| linked.names.intern(name)).collect();
    let mut renamed: FxHashMap<Name, u32> = FxHashMap::default();
    let mut names = Vec::with_capacity(modules.len());
    for (index, module) in modules.iter().enumerate() {
        let mut list = Vec::with_capacity(module.globals.len());
        for (position, global) in module.globals.iter().enumerate() {
            let text = &module.names[global.name];
            if !global.linkage.is_local() {
                let text = symbol(module, global);
                let wins = winners.get(text) == Some(&(index, position));
                list.push(wins.then(|| linked.names.intern(text)));
                continue;
            }
            let base = linked.names.intern(text);
            let mut name = base;
            while !taken.insert(name) {
                let count = renamed.entry(base).or_insert(0);
                *count += 1;
                name = linked.names.intern(&format!("{text}.{count}"));
            }
            list.push(Some(name));
        }
        names.push(list);
    }
    names
}

/// The elements of an array that is to be appended to others.
fn elements(module: &Module, global: &Global) -> Vec<ConstantId> {
    let GlobalKind::Variable(variable) = &global.kind else { return Vec::new() };
    match variable.initializer.map(|constant| &module.constants[constant].value) {
        Some(ConstantValue::Aggregate(parts)) => parts.to_vec(),
        // Null entries mean nothing in any of these arrays.
        _ => Vec::new(),
    }
}

fn append(module: &mut Module, id: GlobalId, elements: &[ConstantId]) {
    let Some(first) = elements.first() else { return };
    let element = module.constants[*first].ty;
    let elements: Vec<_> = elements
        .iter()
        .copied()
        .filter(|constant| module.constants[*constant].ty == element)
        .collect();
    let ty = module.types.intern(Type::Array { element, count: elements.len() as u64 });
    let value = module.constants.intern(ty, ConstantValue::Aggregate(elements.into()));
    if let GlobalKind::Variable(variable) = &mut module.globals[id.0 as usize].kind {
        variable.ty = ty;
        variable.initializer = Some(value);
    }
}

/// Modules for machines with different pointers cannot be one.
fn settle_target(modules: &[Module], linked: &mut Module) -> Result<(), Diagnostic> {
    for module in modules {
        if linked.target.is_empty() {
            linked.target.clone_from(&module.target);
        }
        let (new, old) = (&module.layout, &linked.layout);
        if new.text.is_empty() {
            continue;
        }
        if old.text.is_empty() {
            linked.layout = new.clone();
            continue;
        }
        if old.big_endian != new.big_endian || old.pointer_size(0) != new.pointer_size(0) {
            let file = |module: &Module| module.units.first().map_or("", |u| &u.file).to_owned();
            let message = format!(
                "{} and {} are for different machines",
                modules.first().map(file).unwrap_or_default(),
                file(module)
            );
            let hint = format!("the data layouts are {} and {}", old.text, new.text);
            return Err(Diagnostic::general(message).hint(hint));
        }
    }
    Ok(())
}

fn merge_flags(module: &Module, linked: &mut Module) {
    let mut known: FxHashSet<Name> = linked.flags.iter().map(|flag| flag.name).collect();
    for flag in &module.flags {
        let name = linked.names.intern(&module.names[flag.name]);
        if known.insert(name) {
            linked.flags.push(crate::ir::ModuleFlag { name, ..flag.clone() });
        }
    }
}

/// Sizes are those of the new type ids.
fn finish_types(module: &mut Module) -> Result<(), Diagnostic> {
    match module.types.post_order() {
        Ok(order) => {
            module.layout.compute(&module.types, &order);
            Ok(())
        }
        Err((_, problem)) => Err(Diagnostic::general(format!("a type {problem}"))),
    }
}

impl Module {
    /// Drops every global that none of `roots` leads to. Constructors and destructors of the
    /// program are roots too. All ids change; look globals up by their names afterwards.
    pub fn keep_reachable(&mut self, roots: &[GlobalId]) {
        let mut reach = Reach {
            module: self,
            globals: vec![false; self.globals.len()],
            constants: vec![false; self.constants.len()],
            pending: Vec::new(),
        };
        roots.iter().for_each(|root| reach.global(*root));
        for name in ["llvm.global_ctors", "llvm.global_dtors"] {
            if let Some(global) = self.global(name) {
                reach.global(global);
            }
        }
        let kept = reach.run();
        let mut next = 0;
        let ids = kept.iter().map(|kept| {
            kept.then(|| {
                next += 1;
                GlobalId(next - 1)
            })
        });
        let mut pruned = Module {
            target: std::mem::take(&mut self.target),
            layout: std::mem::take(&mut self.layout),
            ..Module::default()
        };
        let mut structs = FxHashMap::default();
        let mut transplant = Transplant::new(self, &mut pruned, &mut structs, ids.collect());
        for (global, kept) in self.globals.iter().zip(kept) {
            if kept {
                let name = transplant.name(global.name);
                transplant.add(global, name);
            }
        }
        transplant.finish();
        merge_flags(self, &mut pruned);
        // The types were in order before, and there are no new ones.
        let _ = finish_types(&mut pruned);
        *self = pruned;
    }
}

/// What can be reached from the roots.
struct Reach<'m> {
    module: &'m Module,
    globals: Vec<bool>,
    constants: Vec<bool>,
    pending: Vec<GlobalId>,
}

impl Reach<'_> {
    fn global(&mut self, id: GlobalId) {
        if !std::mem::replace(&mut self.globals[id.0 as usize], true) {
            self.pending.push(id);
        }
    }

    fn constant(&mut self, id: ConstantId) {
        if std::mem::replace(&mut self.constants[id.0 as usize], true) {
            return;
        }
        let module = self.module;
        let value = &module.constants[id].value;
        if let Some(global) = value.global() {
            self.global(global);
        }
        value.for_each_operand(|operand| self.constant(operand));
    }

    fn operand(&mut self, operand: Operand) {
        if let Operand::Constant(constant) = operand {
            self.constant(constant);
        }
    }

    fn run(mut self) -> Vec<bool> {
        let module = self.module;
        while let Some(id) = self.pending.pop() {
            match &module[id].kind {
                GlobalKind::Variable(variable) => {
                    variable.initializer.into_iter().for_each(|value| self.constant(value));
                }
                GlobalKind::Alias(alias) | GlobalKind::Ifunc(alias) => self.constant(alias.target),
                GlobalKind::Function(function) => {
                    let parts = [function.personality, function.prefix, function.prologue];
                    parts.into_iter().flatten().for_each(|value| self.constant(value));
                    let Some(body) = &function.body else { continue };
                    for instruction in &body.instructions {
                        instruction.op.for_each_operand(|operand| self.operand(operand));
                    }
                }
            }
        }
        self.globals
    }
}
