//! What stands in the way of making programs.

use crate::c::library;
use crate::tree::*;
use auspex_promela::ast::{Language, Primitive};
use auspex_system::{Diagnostic, Span};

pub fn check(spec: &Spec, language: Language) -> Vec<Diagnostic> {
    let mut checker = Checker { language, errors: Vec::new() };
    for process in spec.processes.iter().filter(|process| !process.is_env) {
        checker.name(process);
        checker.block(&process.body);
    }
    checker.errors
}

struct Checker {
    language: Language,
    errors: Vec<Diagnostic>,
}

impl Checker {
    fn refuse(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.errors.push(Diagnostic::error(span, message).hint(hint));
    }

    fn name(&mut self, process: &Process) {
        let is_file = self.language == Language::C
            && library::FILES
                .iter()
                .any(|(name, _)| name.strip_suffix(".c").is_some_and(|name| name == process.name));
        // What make and cargo make themselves.
        let is_made = match self.language {
            Language::C => ["all", "clean"].contains(&process.name.as_str()),
            Language::Rust => {
                ["build", "deps", "examples", "incremental"].contains(&process.name.as_str())
            }
        };
        if is_file || is_made || matches!(process.name.as_str(), "Makefile" | "library") {
            let message = format!("`{}` is the name of another file", process.name);
            self.refuse(process.span, message, "rename the proctype");
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            stmt.kind.visit(&mut |expr| {
                if let Expr::Code(code) = expr {
                    self.code(code);
                }
            });
            for inner in stmt.kind.blocks() {
                self.block(inner);
            }
        }
    }

    fn code(&mut self, code: &auspex_promela::ast::Code) {
        let hint = match self.language {
            Language::C => "write it in `c_expr_IS`",
            Language::Rust => "write it in `rust_expr_IS`",
        };
        if code.language != self.language {
            self.refuse(code.span, "an expression in another language", hint);
        } else if code.primitive != Primitive::Expr {
            self.refuse(code.span, "this code has no value", hint);
        }
    }
}
