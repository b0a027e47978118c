//! What names mean.

use crate::scope::Scopes;
use auspex_process::ir::{Place, SetId, Space, VarType};
use auspex_system::Span;
use std::cell::Cell;

#[derive(Clone, Debug)]
pub enum Symbol {
    Variable(VarInfo),
    /// A symbolic constant.
    Constant {
        set: SetId,
        value: i32,
        span: Span,
    },
    Typedef(u16, Span),
}

#[derive(Clone, Debug)]
pub struct VarInfo {
    pub space: Space,
    pub ty: VarType,
    pub length: Option<u32>,
    pub offset: u32,
    pub span: Span,
    pub is_hidden: bool,
    /// Was it ever mentioned?
    pub used: Cell<bool>,
}

impl Symbol {
    pub fn span(&self) -> Span {
        match self {
            Symbol::Variable(info) => info.span,
            Symbol::Constant { span, .. } | Symbol::Typedef(_, span) => *span,
        }
    }
}

impl Scopes<Symbol> {
    pub fn mark_used(&self, name: &str) {
        if let Some(Symbol::Variable(info)) = self.lookup(name) {
            info.used.set(true);
        }
    }
}

/// A place for a plain variable without indices.
pub fn simple_place(space: Space, offset: u32, ty: auspex_process::Scalar, name: &str) -> Place {
    Place { space, offset, indices: Vec::new(), ty, name: name.to_string() }
}
