//! `unless`: a way out that is tried before every step.

use super::body::{Body, ends_with_jump};
use super::guard::{Guard, contains_code, guard, option_heads};
use crate::tree::*;

/// The guards of an escape, each with the label of what follows it.
pub type Escape<'a> = Vec<(Guard<'a>, String)>;

impl<'a> Body<'a> {
    pub fn unless(&mut self, main: &'a Block, escape: &'a Block) {
        let end = self.new_label("unless", "_end");
        let mut ways = Vec::new();
        for head in option_heads(escape) {
            let label = self.new_label("escape", "");
            self.entries.insert(std::ptr::from_ref(head.option), label.clone());
            ways.push((head.guard, label));
        }
        if let (Guard::When(_) | Guard::Else, Some(stmt)) = guard(escape) {
            self.tested.insert(std::ptr::from_ref(stmt));
        }
        self.escapes.push(ways);
        self.scoped(main);
        self.escapes.pop();
        if !ends_with_jump(main) {
            self.out.line(format!("goto {end};"));
        }
        self.out.open("{ /* unless */");
        self.option(escape);
        self.out.close("}");
        self.label(&end);
    }

    /// Leaves for the outermost escape that can be taken.
    pub fn check_escapes(&mut self) {
        let ways: Vec<(Guard<'a>, String)> = self.escapes.iter().flatten().cloned().collect();
        for (guard, label) in ways {
            match guard {
                Guard::When(expr) => {
                    self.out.open(format!("if ({}) {{", self.printer.condition(expr)));
                    self.out.line(format!("goto {label};"));
                    self.out.close("}");
                }
                _ => self.out.line(format!("goto {label};")),
            }
        }
    }

    /// May an escape become possible although the process does nothing?
    pub fn escapes_may_change(&self) -> bool {
        let mut ways = self.escapes.iter().flatten();
        ways.any(|(guard, _)| matches!(guard, Guard::When(expr) if contains_code(expr)))
    }
}
