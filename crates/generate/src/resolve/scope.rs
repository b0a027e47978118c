//! What names mean.

use super::Resolver;
use crate::tree::VarId;

#[derive(Clone, Copy, Debug)]
pub enum Symbol {
    Variable(VarId),
    Constant { set: usize, value: i32 },
    Record(usize),
}

impl Resolver {
    /// What a name means here.
    pub fn meaning(&self, name: &str) -> Option<Symbol> {
        self.scopes.lookup(name).copied()
    }
}
