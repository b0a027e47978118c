//! Promela text to the process IR.
#![forbid(unsafe_code)]

pub mod ast;
mod code_text;
mod flow;
mod lexer;
mod lower;
pub mod model_text;
pub mod parser;
mod preprocess;
pub mod scope;
mod strip;
mod token;
mod words;

use auspex_process::Model;
use auspex_process::ir::{Expr, Watch};
use auspex_system::{Diagnostic, SourceMap};
pub use lower::{Property, PropertyKind, Unchecked};
use parser::Macros;
pub use parser::{Options, Reading};
use std::path::Path;

/// A model that is ready to be checked.
pub struct Loaded {
    pub model: Model,
    pub warnings: Vec<Diagnostic>,
    /// Claims and formulas that the file states and that are not checked.
    pub unchecked: Vec<Unchecked>,
    /// The temporal properties, in the order of [`Model::properties`].
    pub properties: Vec<Property>,
    symbols: lower::Symbols,
    macros: Macros,
}

/// Reads a model; included files are added to `map` too. In case of errors, gives all of them.
pub fn load(
    map: &mut SourceMap,
    path: &Path,
    options: &Options,
) -> Result<Loaded, Vec<Diagnostic>> {
    let parsed = parser::parse_file(map, path, &to_check(options))?;
    finish(map, parsed)
}

/// Reads a model that is in no file.
pub fn load_text(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    options: &Options,
) -> Result<Loaded, Vec<Diagnostic>> {
    let parsed = parser::parse_text(map, name, text, &to_check(options))?;
    finish(map, parsed)
}

/// What is checked of an extended file is the model in it.
fn to_check(options: &Options) -> Options {
    let reading = match options.reading {
        Reading::Plain => Reading::Plain,
        Reading::Model | Reading::Implementation => Reading::Model,
    };
    Options { reading, ..options.clone() }
}

fn finish(map: &SourceMap, parsed: parser::Parsed) -> Result<Loaded, Vec<Diagnostic>> {
    let parser::Parsed { program, mut warnings, macros } = parsed;
    let lowered = lower::lower(&program, map)?;
    warnings.extend(lowered.warnings);
    let lower::Lowered { model, unchecked, properties, symbols, .. } = lowered;
    Ok(Loaded { model, warnings, unchecked, properties, symbols, macros })
}

/// Adds an expression to those whose value is shown in every state.
pub fn watch(map: &mut SourceMap, loaded: &mut Loaded, text: &str) -> Result<(), Vec<Diagnostic>> {
    let expr = parser::parse_expression(map, "--watch", text, &loaded.macros)?;
    let (expr, ty) = lower::lower_expression(&expr, map, &loaded.symbols, &mut loaded.model)?;
    loaded.model.watches.push(Watch { text: text.to_string(), expr, ty });
    Ok(())
}

/// Adds a formula as a property: its propositions are Promela expressions over the globals, in
/// which the macros of the file apply.
pub fn add_ltl(
    map: &mut SourceMap,
    loaded: &mut Loaded,
    text: &str,
) -> Result<(), Vec<Diagnostic>> {
    let (ltl, warnings) = parser::parse_formula(map, "--ltl", text, &loaded.macros)?;
    let (property, propositions) =
        lower::lower_formula(&ltl, map, &loaded.symbols, &mut loaded.model)?;
    loaded.warnings.extend(warnings);
    add(loaded, Property { name: free_name(loaded, "ltl"), ..property }, propositions);
    Ok(())
}

/// Adds the property that every cycle passes a progress label (`np_` does not hold for ever).
pub fn add_progress(loaded: &mut Loaded) {
    if let Some((property, proposition)) = lower::progress() {
        add(loaded, property, vec![proposition]);
    }
}

/// Adds the property that no cycle passes an accept label of a process. (A label in the middle of
/// an atomic run counts only where the run stops there.)
pub fn add_acceptance(loaded: &mut Loaded) {
    if let Some((property, proposition)) = lower::acceptance() {
        add(loaded, property, vec![proposition]);
    }
}

fn add(loaded: &mut Loaded, property: Property, propositions: Vec<Expr>) {
    loaded.properties.push(property);
    loaded.model.properties.push(propositions);
}

/// `name`, or `name_2` and so on if there is such a property already.
fn free_name(loaded: &Loaded, name: &str) -> String {
    let taken = |name: &String| {
        loaded.properties.iter().any(|p| p.name == *name)
            || loaded.unchecked.iter().any(|u| u.name == *name)
    };
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}
