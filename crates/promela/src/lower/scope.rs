//! Which name means what, where.

use auspex_process::ir::{Place, SetId, Space, VarType};
use auspex_system::Span;
use std::cell::Cell;
use std::collections::HashMap;

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

/// A stack of blocks, the globals at the bottom. Each block has a number of its own.
#[derive(Clone, Debug)]
pub struct Scopes {
    blocks: Vec<HashMap<String, Symbol>>,
    path: Vec<u32>,
    next: u32,
}

impl Default for Scopes {
    fn default() -> Self {
        Scopes { blocks: vec![HashMap::new()], path: Vec::new(), next: 0 }
    }
}

impl Scopes {
    pub fn enter(&mut self) {
        self.blocks.push(HashMap::new());
        self.path.push(self.next);
        self.next += 1;
    }

    /// Leaves the innermost block and gives what was declared in it.
    pub fn leave(&mut self) -> HashMap<String, Symbol> {
        self.path.pop();
        self.blocks.pop().unwrap_or_default()
    }

    /// The numbers of the open blocks: where a label stands.
    pub fn path(&self) -> &[u32] {
        &self.path
    }

    pub fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.blocks.iter().rev().find_map(|block| block.get(name))
    }

    /// Declares a name; gives what it meant before if it is visible already.
    pub fn declare(&mut self, name: &str, symbol: Symbol) -> Option<Span> {
        let before = self.lookup(name).map(Symbol::span);
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.to_string(), symbol);
        }
        before
    }

    pub fn mark_used(&self, name: &str) {
        if let Some(Symbol::Variable(info)) = self.lookup(name) {
            info.used.set(true);
        }
    }

    pub fn globals(&self) -> &HashMap<String, Symbol> {
        &self.blocks[0]
    }
}

/// A place for a plain variable without indices.
pub fn simple_place(space: Space, offset: u32, ty: auspex_process::Scalar, name: &str) -> Place {
    Place { space, offset, indices: Vec::new(), ty, name: name.to_string() }
}
