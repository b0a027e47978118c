//! Boundaries between statements, and places where a process waits.

use super::super::text::quoted;
use super::body::{Body, escape};
use super::heads::{ESCAPES_FROM, Escape, Guard, Head};
use super::touch::{self, Touch};
use crate::tree::*;

impl<'a> Body<'a> {
    /// Before a statement that never waits.
    pub fn boundary(&mut self, stmt: &'a Stmt) {
        let touch = touch::of(self.printer.spec, &stmt.kind);
        self.boundary_at(stmt, touch, false);
    }

    /// `forced`: others must have a chance here, or a loop could go on for ever.
    pub fn boundary_at(&mut self, stmt: &'a Stmt, touch: Touch, forced: bool) {
        if !self.escapes.is_empty() || self.provided.is_some() {
            let head = Head { number: 1, guard: Guard::Always, escapes: self.escapes.clone() };
            return self.wait(&[head], stmt);
        }
        self.ends = false;
        let forced = std::mem::take(&mut self.jumped_to) || forced;
        let is_one = match self.atomic {
            // Nobody comes in between, but a loop has to be noticed.
            Some(false) => forced,
            Some(true) => true,
            None => forced || touch == Touch::Shared,
        };
        if is_one {
            self.mark(stmt);
        }
    }

    /// A boundary, with the line of the statement behind it.
    fn mark(&mut self, stmt: &Stmt) {
        let location = self.printer.location(stmt.span);
        let line = location.rsplit(':').next().unwrap_or_default();
        self.out.line(format!("ax_step(ax); /* {line} */"));
    }

    /// A place where the process waits; `looks` says what it can do there.
    pub fn place(&mut self, at: &str, looks: &[String]) {
        self.places += 1;
        let (number, at) = (self.places, quoted(at));
        self.out.line(format!("ax_wait(ax, {number}, {at});"));
        self.looks.outdented(format!("case {number}:"));
        looks.iter().for_each(|line| self.looks.line(line));
        self.looks.line("break;");
    }

    /// Waits until one of the heads can run, or an escape around them.
    pub fn wait(&mut self, heads: &[Head<'a>], stmt: &'a Stmt) {
        self.jumped_to = false;
        let ends = std::mem::take(&mut self.ends);
        let mut escapes: Vec<Escape<'a>> = Vec::new();
        for escape in heads.iter().flat_map(|head| &head.escapes) {
            if !escapes.iter().any(|known| known.id == escape.id) {
                escapes.push(*escape);
            }
        }
        let is_plain = escapes.is_empty() && self.provided.is_none();
        if let ([Head { guard: Guard::Always, .. }], true) = (heads, is_plain) {
            return self.mark(stmt);
        }
        let mut looks = Vec::new();
        if ends {
            looks.push("ax_may_end(ax);".to_string());
        }
        let mut options = Vec::new();
        for (group, escape) in escapes.iter().enumerate() {
            let outside = std::mem::take(&mut self.escapes);
            let heads = self.heads_of_block(escape.block, &mut (escape.id * ESCAPES_FROM + 1));
            self.escapes = outside;
            let lines: Vec<String> = heads.iter().map(|head| self.guard(head)).collect();
            options.extend(block(format!("if (ax_group(ax, {})) {{", group + 1), lines));
        }
        let lines: Vec<String> = heads.iter().map(|head| self.guard(head)).collect();
        match escapes.is_empty() {
            true => options.extend(lines),
            false => options.extend(block("if (ax_group(ax, 0)) {".to_string(), lines)),
        }
        match &self.provided {
            None => looks.extend(options),
            Some(provided) => looks.extend(block(format!("if ({provided}) {{"), options)),
        }
        self.place(&self.at(stmt), &looks);
        let mut ids: Vec<usize> = escapes.iter().map(|escape| escape.id).collect();
        ids.sort_by_key(|id| std::cmp::Reverse(*id));
        for id in ids {
            self.out.line(format!("if (ax->option > {}) goto {};", id * ESCAPES_FROM, escape(id)));
        }
    }
}

/// Lines in braces.
fn block(open: String, lines: Vec<String>) -> Vec<String> {
    let inner = lines.into_iter().map(|line| format!("    {line}"));
    std::iter::once(open).chain(inner).chain(["}".to_string()]).collect()
}
