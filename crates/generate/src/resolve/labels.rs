//! Labels: which one a jump means, and names for them that differ within a process.

use crate::tree::*;
use auspex_promela::ast::Name;
use auspex_system::{Diagnostic, Span};
use std::collections::HashSet;

/// What stands in the tree until all labels are known is the number of an entry.
#[derive(Default)]
pub struct Labels {
    labels: Vec<Label>,
    jumps: Vec<Jump>,
}

struct Label {
    name: String,
    scope: Vec<u32>,
}

struct Jump {
    name: String,
    scope: Vec<u32>,
    span: Span,
}

impl Labels {
    pub fn label(&mut self, name: &Name, scope: &[u32]) -> String {
        self.labels.push(Label { name: name.text.clone(), scope: scope.to_vec() });
        (self.labels.len() - 1).to_string()
    }

    pub fn jump(&mut self, name: &Name, scope: &[u32]) -> String {
        let (text, span) = (name.text.clone(), name.span);
        self.jumps.push(Jump { name: text, scope: scope.to_vec(), span });
        (self.jumps.len() - 1).to_string()
    }

    /// Puts names into a finished body. A call of an inline has labels of its own: the second `again` is `again_2`.
    pub fn settle(&mut self, body: &mut Block) -> Vec<Diagnostic> {
        let mut taken: HashSet<String> = HashSet::new();
        let mut names = Vec::new();
        for label in &self.labels {
            let mut name = label.name.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{}_{number}", label.name);
                number += 1;
            }
            names.push(name);
        }
        let mut errors = Vec::new();
        let targets: Vec<String> = self
            .jumps
            .iter()
            .map(|jump| match self.meant(jump) {
                Some(label) => names[label].clone(),
                None => {
                    let message = format!("label `{}` is not in the implementation", jump.name);
                    let hint =
                        "it stands in `promela_MS`: put it before that, or jump from there only";
                    errors.push(Diagnostic::error(jump.span, message).hint(hint));
                    jump.name.clone()
                }
            })
            .collect();
        rename(body, &names, &targets);
        errors
    }

    /// Of those with the name, the one that shares most of the blocks around the jump.
    fn meant(&self, jump: &Jump) -> Option<usize> {
        let shared = |label: &Label| {
            let both = label.scope.iter().zip(&jump.scope);
            let common = both.take_while(|(a, b)| a == b).count();
            (common == label.scope.len(), common)
        };
        let same = (0..self.labels.len()).filter(|i| self.labels[*i].name == jump.name);
        same.max_by_key(|i| shared(&self.labels[*i]))
    }
}

fn rename(body: &mut Block, names: &[String], targets: &[String]) {
    let entry = |list: &[String], number: &str| {
        number.parse::<usize>().ok().and_then(|n| list.get(n).cloned()).unwrap_or_default()
    };
    for stmt in body {
        for label in &mut stmt.labels {
            *label = entry(names, label);
        }
        match &mut stmt.kind {
            Kind::Goto(target) => *target = entry(targets, target),
            kind => {
                for block in kind.blocks_mut() {
                    rename(block, names, targets);
                }
            }
        }
    }
}
