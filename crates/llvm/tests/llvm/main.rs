//! Reading, linking and decoding, on text written here and on what compilers write.

mod compilers;
mod constants;
mod debug;
mod diagnostics;
mod instructions;
mod layout;
mod link;
mod mutation;
mod real;

use auspex_llvm::ir::{Body, ConstantValue, Module, Op, Operand};

/// Reads a module that must be right.
fn read(text: &str) -> Module {
    match auspex_llvm::read_text("test.ll", text) {
        Ok(module) => module,
        Err(diagnostic) => panic!("{}\nin\n{text}", position(text, &diagnostic)),
    }
}

/// Where a text is wrong and why: `line:column: message`.
fn error(text: &str) -> String {
    match auspex_llvm::read_text("test.ll", text) {
        Ok(_) => panic!("this should be an error:\n{text}"),
        Err(diagnostic) => position(text, &diagnostic),
    }
}

fn position(text: &str, diagnostic: &auspex_system::Diagnostic) -> String {
    let Some(span) = diagnostic.span else { return diagnostic.message.clone() };
    let mut sources = auspex_system::SourceMap::default();
    sources.add("test.ll", text);
    let at = sources.location(span);
    format!("{}:{}: {}", at.line, at.column, diagnostic.message)
}

fn body<'m>(module: &'m Module, name: &str) -> &'m Body {
    let id = module.global(name).unwrap_or_else(|| panic!("no @{name}"));
    module.function(id).and_then(|f| f.body.as_ref()).unwrap_or_else(|| panic!("no body @{name}"))
}

/// The instructions of a function `@f` that consists of these lines.
fn function(lines: &str) -> (Module, Vec<Op>) {
    let module = read(&format!("@g = global i32 0\n{lines}"));
    let ops = body(&module, "f").instructions.iter().map(|i| i.op.clone()).collect();
    (module, ops)
}

fn integer(module: &Module, operand: Operand) -> u128 {
    match operand {
        Operand::Constant(id) => match module.constants[id].value {
            ConstantValue::Integer(value) => value,
            ref other => panic!("{other:?} is no integer"),
        },
        Operand::Local(_) => panic!("a local is no constant"),
    }
}
