//! C: what programs and threads have in common.

pub mod expr;
pub mod library;
pub mod names;
pub mod print;
pub mod programs;
pub mod text;
pub mod threads;
pub mod types;

use crate::tree::*;
use auspex_system::{SourceMap, Span};

/// What differs between the ways to run a specification.
pub trait Dialect {
    /// How a variable is written.
    fn variable(&self, spec: &Spec, id: VarId) -> String {
        names::variable(spec, id)
    }

    /// What the processes do together: `len`, polls, `run`, `timeout`, `_pid`, `_nr_pr`.
    fn special(&self, printer: &Printer<'_>, expr: &Expr) -> String;

    /// What is kept of a value in a variable of this type, where C does not cut it by itself; `None` if it does.
    fn mask(&self, ty: Type) -> Option<u32> {
        match ty {
            Type::Bit | Type::Bool => Some(1),
            Type::Unsigned(width @ ..32) => Some((1 << width) - 1),
            _ => None,
        }
    }
}

/// Prints expressions and simple statements.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    pub spec: &'a Spec,
    pub map: &'a SourceMap,
    pub dialect: &'a dyn Dialect,
}

impl Printer<'_> {
    /// `file.pch:12`, for people who look for it.
    pub fn location(&self, span: Span) -> String {
        location(self.map, span)
    }

    /// The same as a string of C.
    pub fn location_string(&self, span: Span) -> String {
        text::quoted(&self.location(span))
    }
}

pub fn location(map: &SourceMap, span: Span) -> String {
    let location = map.location(span);
    let file = location.file.rsplit('/').next().unwrap_or_default();
    format!("{file}:{}", location.line)
}
