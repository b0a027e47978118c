//! What the program uses and nothing defines.

use crate::source::{Spans, function_of};
use auspex_llvm::Module;
use auspex_llvm::debug::LocationId;
use auspex_llvm::ir::{ConstantId, GlobalId, GlobalKind, Linkage, Operand};
use auspex_system::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many of the places that use something are shown.
const PLACES: usize = 4;
/// How many functions and variables get a message of their own.
const MESSAGES: usize = 12;

struct Use {
    by: GlobalId,
    /// `None` for the value of a global variable, and for code without positions.
    location: Option<LocationId>,
    called: bool,
}

/// One message for each undefined function and variable, in the order of their names.
pub fn check(
    module: &Module,
    is_native: &dyn Fn(&str) -> bool,
    is_runtime: &dyn Fn(GlobalId) -> bool,
    spans: &mut Spans<'_>,
) -> Vec<Diagnostic> {
    let is_missing = |id: &GlobalId| {
        let name = module.name_of(*id);
        module[*id].is_declaration()
            // The address of a weak one is null.
            && module[*id].linkage != Linkage::ExternWeak
            && !name.starts_with("llvm.")
            && !is_native(name)
    };
    let missing: FxHashSet<GlobalId> = module.ids().filter(is_missing).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let mut uses = uses(module, &missing);
    // The runtime's needs are the user's problem only where the user has the same.
    for uses in uses.values_mut() {
        let (runtime, user): (Vec<_>, Vec<_>) =
            std::mem::take(uses).into_iter().partition(|one| is_runtime(one.by));
        *uses = if user.is_empty() { runtime } else { user };
    }
    let mut missing: Vec<_> = missing.into_iter().collect();
    missing.sort_by_key(|id| module.name_of(*id));
    let shown = missing.len().min(MESSAGES);
    let (shown, rest) = missing.split_at(shown);
    let message = |id: &GlobalId| {
        let uses = uses.get(id).map_or([].as_slice(), Vec::as_slice);
        let diagnostic = diagnostic(module, *id, uses, spans);
        match uses.first() {
            Some(first) if is_runtime(first.by) => {
                diagnostic.hint("the runtime needs it: this is a mistake in Auspex")
            }
            _ => diagnostic,
        }
    };
    let mut messages: Vec<_> = shown.iter().map(message).collect();
    if !rest.is_empty() {
        let names: Vec<_> = rest.iter().map(|id| module.name_of(*id)).collect();
        let list = names.join(", ");
        messages.push(Diagnostic::general(format!("nothing defines {} more: {list}", names.len())));
    }
    messages
}

fn diagnostic(module: &Module, id: GlobalId, uses: &[Use], spans: &mut Spans<'_>) -> Diagnostic {
    let name = module.name_of(id);
    let is_function = module.function(id).is_some();
    let what = if is_function { "function" } else { "variable" };
    let mut places: Vec<(Span, String)> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for one in uses {
        let user = user(module, one);
        let verb = if one.called { "called" } else { "used" };
        match one.location.and_then(|location| spans.of_location(module, location)) {
            Some(span) if places.iter().any(|(known, _)| *known == span) => {}
            Some(span) => places.push((span, format!("{verb} by `{user}`"))),
            None => others.push(format!("`{user}`")),
        }
    }
    others.dedup();
    let hidden = places.len().saturating_sub(PLACES) + others.len().saturating_sub(PLACES);
    places.truncate(PLACES);
    others.truncate(PLACES);
    if hidden > 0 {
        others.push(format!("{hidden} more"));
    }
    let mut message = format!("nothing defines the {what} `{name}`");
    if !others.is_empty() {
        let also = if places.is_empty() { "" } else { "also " };
        message = format!("{message}, which is {also}used by {}", others.join(", "));
    }
    let hint = match is_function {
        true => {
            "give the file that defines it, or write a stub; with `--allow undefined` only a call \
             that is reached is an error"
        }
        false => "give the file that defines it",
    };
    let mut places = places.into_iter();
    let diagnostic = match places.next() {
        Some((span, label)) => Diagnostic::error(span, message).label(label),
        None => Diagnostic::general(message),
    };
    places.fold(diagnostic, |diagnostic, (span, label)| diagnostic.note(span, label)).hint(hint)
}

/// Who uses it, as the source has it: code may have been inlined into another function.
fn user<'m>(module: &'m Module, one: &Use) -> &'m str {
    let function = one.location.and_then(|location| function_of(&module.debug, location));
    let function = function.and_then(|id| module.debug.functions.get(id.0 as usize));
    &module.names[function.and_then(|f| f.name).unwrap_or(module[one.by].source_name)]
}

/// The places that mention any of these globals.
fn uses(module: &Module, of: &FxHashSet<GlobalId>) -> FxHashMap<GlobalId, Vec<Use>> {
    let mut uses: FxHashMap<GlobalId, Vec<Use>> = FxHashMap::default();
    for by in module.ids() {
        match &module[by].kind {
            GlobalKind::Variable(variable) => {
                let mentioned = variable.initializer.map(|value| mentioned(module, value));
                for id in mentioned.into_iter().flatten().filter(|id| of.contains(id)) {
                    uses.entry(id).or_default().push(Use { by, location: None, called: false });
                }
            }
            GlobalKind::Function(function) => {
                let instructions = function.body.iter().flat_map(|body| &body.instructions);
                for instruction in instructions {
                    let callee = instruction.op.call().map(|call| call.callee);
                    instruction.op.for_each_operand(|operand| {
                        let Operand::Constant(constant) = operand else { return };
                        let called = callee == Some(operand);
                        for id in mentioned(module, constant).filter(|id| of.contains(id)) {
                            let location = instruction.location;
                            uses.entry(id).or_default().push(Use { by, location, called });
                        }
                    });
                }
            }
            GlobalKind::Alias(_) | GlobalKind::Ifunc(_) => {}
        }
    }
    uses
}

/// The globals that a constant is made of.
fn mentioned(module: &Module, constant: ConstantId) -> impl Iterator<Item = GlobalId> {
    let mut pending = vec![constant];
    let mut seen = FxHashSet::default();
    let mut globals = Vec::new();
    while let Some(id) = pending.pop() {
        let value = &module.constants[id].value;
        globals.extend(value.global());
        value.for_each_operand(|part| {
            if seen.insert(part) {
                pending.push(part);
            }
        });
    }
    globals.into_iter()
}
