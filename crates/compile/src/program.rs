//! The user's modules and the runtime as one program.

use crate::runtime::Library;
use crate::source::Spans;
use auspex_llvm::ir::{Global, GlobalId, GlobalKind, Linkage};
use auspex_llvm::{Module, link};
use auspex_system::{Diagnostic, FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Links the user's modules with what they need of the runtime, and drops the rest.
///
/// `roots` are functions that the machine itself calls. `library` is asked for only when
/// something is missing from the user's modules.
pub fn combine(
    mut modules: Vec<Module>,
    roots: &[String],
    is_native: &dyn Fn(&str) -> bool,
    library: impl FnOnce() -> Result<Library, Diagnostic>,
) -> Result<Module, Diagnostic> {
    let own = definitions(&modules);
    let mut wanted: Vec<String> = modules.iter().flat_map(declarations).collect();
    wanted.extend_from_slice(roots);
    wanted.retain(|name| !own.contains(name) && !is_native(name));
    if !wanted.is_empty() {
        let members = members(wanted, &own, is_native, &library()?)?;
        modules.extend(members);
    }
    let mut linked = link(&modules)?;
    let roots = roots.iter().map(String::as_str).chain(["main"]);
    let roots: Vec<_> = roots.filter_map(|name| linked.global(name)).collect();
    linked.keep_reachable(&roots);
    Ok(linked)
}

/// The members of the library that define what is wanted, and what they want themselves.
fn members(
    mut wanted: Vec<String>,
    own: &FxHashSet<String>,
    is_native: &dyn Fn(&str) -> bool,
    library: &Library,
) -> Result<Vec<Module>, Diagnostic> {
    let mut taken = FxHashMap::default();
    while let Some(name) = wanted.pop() {
        let Some(index) = library.find(&name) else { continue };
        if taken.contains_key(&index) {
            continue;
        }
        let mut module = library.read(index)?;
        let needed = declarations(&module).filter(|name| !own.contains(name) && !is_native(name));
        wanted.extend(needed);
        give_way(&mut module, own, is_native);
        taken.insert(index, module);
    }
    // In the order of the library, whatever the order in which they were wanted.
    let mut taken: Vec<_> = taken.into_iter().collect();
    taken.sort_by_key(|(index, _)| *index);
    Ok(taken.into_iter().map(|(_, module)| module).collect())
}

/// A definition of the runtime gives way to one of the program or of the machine.
///
/// A function that the program defines too stays for the runtime's own use: who writes a
/// `getline` of their own does not mean to change what `scanf` does. A variable, and a function
/// that is weak, is the program's everywhere.
fn give_way(module: &mut Module, own: &FxHashSet<String>, is_native: &dyn Fn(&str) -> bool) {
    for global in &mut module.globals {
        // Places in the text of the runtime mean nothing to anyone.
        global.span = Span { file: FileId(0), start: 0, end: 0 };
        if !is_definition(global) {
            continue;
        }
        let name = &module.names[global.name];
        let (is_own, is_native) = (own.contains(name), is_native(name));
        if !is_own && !is_native {
            continue;
        }
        let given_up = is_native || global.linkage.is_weak();
        match &mut global.kind {
            GlobalKind::Function(function) if given_up => function.body = None,
            GlobalKind::Variable(variable) => variable.initializer = None,
            _ => {
                global.linkage = Linkage::Internal;
                continue;
            }
        }
        global.linkage = Linkage::External;
        global.comdat = None;
    }
}

fn is_definition(global: &Global) -> bool {
    !global.is_declaration()
        && !global.linkage.is_local()
        && global.linkage != Linkage::AvailableExternally
}

/// The names that the modules define for others.
fn definitions(modules: &[Module]) -> FxHashSet<String> {
    let of = |module: &Module| {
        let defined = module.globals.iter().filter(|global| is_definition(global));
        defined.map(|global| module.names[global.name].to_owned()).collect::<Vec<_>>()
    };
    modules.iter().flat_map(of).collect()
}

/// The names that a module expects others to define. Weak ones may stay undefined: as with a
/// library, nothing is taken for their sake.
fn declarations(module: &Module) -> impl Iterator<Item = String> {
    let needed = |global: &&Global| {
        (global.is_declaration() && global.linkage != Linkage::ExternWeak)
            || global.linkage == Linkage::AvailableExternally
    };
    module
        .globals
        .iter()
        .filter(needed)
        .map(|global| module.names[global.name].to_owned())
        .filter(|name| !name.starts_with("llvm."))
}

/// Two definitions of one name in the user's modules. The linker would find them too, but it
/// knows only the LLVM IR.
pub fn check_duplicates(modules: &[Module], spans: &mut Spans<'_>) -> Result<(), Vec<Diagnostic>> {
    let mut first: FxHashMap<&str, (&Module, GlobalId)> = FxHashMap::default();
    let mut problems = Vec::new();
    for module in modules {
        for id in module.ids() {
            let global = &module[id];
            if !is_definition(global)
                || global.linkage.is_weak()
                || global.linkage == Linkage::Appending
                || global.comdat.is_some()
            {
                continue;
            }
            let name = module.name_of(id);
            match first.get(name) {
                None => {
                    first.insert(name, (module, id));
                }
                Some((other, known)) => {
                    problems.push(twice(name, (other, *known), (module, id), spans))
                }
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn twice(
    name: &str,
    first: (&Module, GlobalId),
    second: (&Module, GlobalId),
    spans: &mut Spans<'_>,
) -> Diagnostic {
    let file =
        |(module, _): (&Module, GlobalId)| module.units.first().map_or("", |u| &u.file).to_owned();
    let message = format!("`{name}` is defined both in {} and in {}", file(first), file(second));
    let hint = "make one of them `static`, or a declaration; a program has one `main`";
    Diagnostic::error(definition(second.0, second.1, spans), message)
        .label("defined again here")
        .note(definition(first.0, first.1, spans), "first defined here")
        .hint(hint)
}

/// Where a global is defined: in the source if that is known, else in the text.
fn definition(module: &Module, id: GlobalId, spans: &mut Spans<'_>) -> Span {
    let debug = &module.debug;
    let (file, line) = match module.function(id) {
        Some(function) => {
            let function = function.debug.and_then(|id| debug.functions.get(id.0 as usize));
            (function.and_then(|f| f.file), function.map_or(0, |f| f.line))
        }
        None => {
            let variable = debug.globals.iter().find(|variable| variable.global == Some(id));
            (variable.and_then(|v| v.file), variable.map_or(0, |v| v.line))
        }
    };
    spans.of_file(module, file, line, 0).unwrap_or(module[id].span)
}
