//! Which name means what, where.

use crate::tree::VarId;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug)]
pub enum Symbol {
    Variable(VarId),
    Constant { set: usize, value: i32 },
    Record(usize),
}

/// A stack of blocks, the globals at the bottom. Each block has a number of its own.
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

    pub fn leave(&mut self) {
        self.path.pop();
        self.blocks.pop();
    }

    /// The numbers of the open blocks: where a label stands.
    pub fn path(&self) -> &[u32] {
        &self.path
    }

    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.blocks.iter().rev().find_map(|block| block.get(name)).copied()
    }

    pub fn declare(&mut self, name: &str, symbol: Symbol) {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.to_string(), symbol);
        }
    }
}
