//! Promela text to the process IR.
#![forbid(unsafe_code)]

pub mod ast;
mod flow;
mod lexer;
mod lower;
pub mod parser;
mod preprocess;
mod token;

use auspex_process::Model;
use auspex_process::ir::Watch;
use auspex_system::{Diagnostic, SourceMap};
pub use lower::Unchecked;
use parser::Macros;
pub use parser::Options;
use std::path::Path;

/// A model that is ready to be checked.
pub struct Loaded {
    pub model: Model,
    pub warnings: Vec<Diagnostic>,
    /// Claims and formulas that the file states and that are not checked.
    pub unchecked: Vec<Unchecked>,
    symbols: lower::Symbols,
    macros: Macros,
}

/// Reads a model; included files are added to `map` too. In case of errors, gives all of them.
pub fn load(
    map: &mut SourceMap,
    path: &Path,
    options: &Options,
) -> Result<Loaded, Vec<Diagnostic>> {
    let parsed = parser::parse_file(map, path, options)?;
    finish(map, parsed)
}

/// Reads a model that is in no file.
pub fn load_text(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    options: &Options,
) -> Result<Loaded, Vec<Diagnostic>> {
    let parsed = parser::parse_text(map, name, text, options)?;
    finish(map, parsed)
}

fn finish(map: &SourceMap, parsed: parser::Parsed) -> Result<Loaded, Vec<Diagnostic>> {
    let parser::Parsed { program, mut warnings, macros } = parsed;
    let lowered = lower::lower(&program, map)?;
    warnings.extend(lowered.warnings);
    let lower::Lowered { model, unchecked, symbols, .. } = lowered;
    Ok(Loaded { model, warnings, unchecked, symbols, macros })
}

/// Adds an expression to those whose value is shown in every state.
pub fn watch(map: &mut SourceMap, loaded: &mut Loaded, text: &str) -> Result<(), Vec<Diagnostic>> {
    let expr = parser::parse_expression(map, "--watch", text, &loaded.macros)?;
    let (expr, ty) = lower::lower_expression(&expr, map, &loaded.symbols, &mut loaded.model)?;
    loaded.model.watches.push(Watch { text: text.to_string(), expr, ty });
    Ok(())
}
