//! What formulas and watched expressions say about a program.

use crate::code::Object;
use crate::emit;
use crate::load::Source;
use crate::model::Proposition;
use crate::types::{TypeId, Types};
use auspex_system::{Diagnostic, FileId, SourceMap, Span};

/// A proposition of a formula: an expression over the variables of modules, or `Process@LINE`.
pub fn proposition(
    source: &mut Source,
    object: &mut Object,
    sources: &SourceMap,
    (file, offset, text): (FileId, u32, &str),
) -> Result<Proposition, Vec<Diagnostic>> {
    let span = Span { file, start: offset, end: offset + text.len() as u32 };
    if let Some((who, line)) = text.rsplit_once('@') {
        return position(object, who.trim(), line.trim(), span).map_err(|error| vec![error]);
    }
    let (pc, ty) = expression(source, object, sources, (file, offset, text))?;
    if ty != Types::BOOLEAN {
        let message =
            format!("a proposition is TRUE or FALSE, this is {}", object.debug.types.show(ty));
        return Err(vec![Diagnostic::error(span, message).hint("compare it: x = 3")]);
    }
    Ok(Proposition::Value(pc))
}

/// Code for an expression over the variables of modules.
pub fn expression(
    source: &mut Source,
    object: &mut Object,
    sources: &SourceMap,
    (file, offset, text): (FileId, u32, &str),
) -> Result<(crate::code::Pc, TypeId), Vec<Diagnostic>> {
    let parsed = crate::parse_expression(sources, file, offset, text)?;
    let expr = source.names.expression(&mut source.program, &parsed)?;
    let pc = emit::emit_expression(object, &source.program, sources, &expr);
    Ok((pc, expr.ty))
}

fn position(object: &Object, who: &str, line: &str, span: Span) -> Result<Proposition, Diagnostic> {
    let wrong = |message: String| {
        Diagnostic::error(span, message).hint("write Process@LINE, or Process[NUMBER]@LINE")
    };
    let (name, number) = match who.split_once('[') {
        None => (who, None),
        Some((name, number)) => {
            let number = number.strip_suffix(']').and_then(|number| number.trim().parse().ok());
            let number =
                number.ok_or_else(|| wrong("this is no number of a process".to_owned()))?;
            (name.trim(), Some(number))
        }
    };
    let line = line.parse().map_err(|_| wrong(format!("`{line}` is no line")))?;
    if !object.processes.iter().any(|process| process.name == name) {
        return Err(wrong(format!("there is no process `{name}`")));
    }
    Ok(Proposition::At { process: name.to_owned(), number, line })
}
