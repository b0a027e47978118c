//! Names in nested blocks, whatever they mean.

use std::collections::HashMap;

/// A stack of blocks, the globals at the bottom. Each block has a number of its own.
#[derive(Clone, Debug)]
pub struct Scopes<S> {
    blocks: Vec<HashMap<String, S>>,
    path: Vec<u32>,
    next: u32,
}

impl<S> Default for Scopes<S> {
    fn default() -> Self {
        Scopes { blocks: vec![HashMap::new()], path: Vec::new(), next: 0 }
    }
}

impl<S> Scopes<S> {
    pub fn enter(&mut self) {
        self.blocks.push(HashMap::new());
        self.path.push(self.next);
        self.next += 1;
    }

    /// Leaves the innermost block and gives what was declared in it.
    pub fn leave(&mut self) -> HashMap<String, S> {
        self.path.pop();
        self.blocks.pop().unwrap_or_default()
    }

    /// The numbers of the open blocks: where a label stands.
    pub fn path(&self) -> &[u32] {
        &self.path
    }

    pub fn lookup(&self, name: &str) -> Option<&S> {
        self.blocks.iter().rev().find_map(|block| block.get(name))
    }

    /// Declares a name in the innermost block.
    pub fn declare(&mut self, name: &str, symbol: S) {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.to_string(), symbol);
        }
    }

    pub fn globals(&self) -> &HashMap<String, S> {
        &self.blocks[0]
    }
}
