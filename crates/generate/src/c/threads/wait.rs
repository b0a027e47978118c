//! Boundaries between statements, and places where a process waits.

use super::body::{Body, escape};
use super::heads::{ESCAPES_FROM, Escape, Guard, Head, how};
use super::touch::{self, Touch};
use super::{fields, values};
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
            self.wait(&[head], stmt);
            if touch == Touch::Changes {
                self.announce();
            }
            return;
        }
        self.ends = false;
        let forced = std::mem::take(&mut self.jumped_to) || forced;
        if self.atomic == Some(false) && !forced {
            if touch == Touch::Changes {
                self.announce();
            }
            return;
        }
        match touch {
            Touch::Changes => self.mark(stmt, "ax_step(ax);"),
            Touch::Private if !forced && self.atomic.is_none() => {}
            _ => self.mark(stmt, "ax_look(ax);"),
        }
    }

    /// A boundary, with the line of the statement behind it.
    fn mark(&mut self, stmt: &Stmt, boundary: &str) {
        let location = self.printer.location(stmt.span);
        let line = location.rsplit(':').next().unwrap_or_default();
        self.out.line(format!("{boundary} /* {line} */"));
    }

    pub fn announce(&mut self) {
        if !self.announced {
            self.out.line("ax_changed();");
        }
        self.announced = true;
    }

    /// Waits until one of the heads can run, or an escape around them.
    pub fn wait(&mut self, heads: &[Head<'a>], stmt: &'a Stmt) {
        self.announced = false;
        self.jumped_to = false;
        let ends = std::mem::take(&mut self.ends);
        let mut escapes: Vec<Escape<'a>> = Vec::new();
        for escape in heads.iter().flat_map(|head| &head.escapes) {
            if !escapes.iter().any(|known| known.id == escape.id) {
                escapes.push(*escape);
            }
        }
        let at = self.at(stmt);
        let is_plain = escapes.is_empty() && self.provided.is_none();
        if let ([Head { number: 1, guard, .. }], true) = (heads, is_plain && !ends)
            && let Some(line) = self.short_wait(guard, &at)
        {
            return self.out.line(line);
        }
        if let ([Head { guard: Guard::Always, .. }], true) = (heads, is_plain) {
            return self.mark(stmt, "ax_look(ax);");
        }
        self.out.open("do {");
        if ends {
            self.out.line("ax_may_end(ax);");
        }
        if let Some(provided) = self.provided.clone() {
            self.out.open(format!("if ({provided}) {{"));
        }
        let mut count = heads.len();
        for (group, escape) in escapes.iter().enumerate() {
            self.out.open(format!("if (ax_group(ax, {})) {{", group + 1));
            let outside = std::mem::take(&mut self.escapes);
            let options = self.heads_of_block(escape.block, &mut (escape.id * ESCAPES_FROM + 1));
            self.escapes = outside;
            count += options.len();
            for option in &options {
                let line = self.guard(option);
                self.out.line(line);
            }
            self.out.close("}");
        }
        if !escapes.is_empty() {
            self.out.open("if (ax_group(ax, 0)) {");
        }
        for head in heads {
            let line = self.guard(head);
            self.out.line(line);
        }
        if !escapes.is_empty() {
            self.out.close("}");
        }
        if self.provided.is_some() {
            self.out.close("}");
        }
        self.out.close(format!("}} while (!ax_decide(ax, {at}));"));
        self.most_options = self.most_options.max(count);
        let mut ids: Vec<usize> = escapes.iter().map(|escape| escape.id).collect();
        ids.sort_by_key(|id| std::cmp::Reverse(*id));
        for id in ids {
            self.out.line(format!("if (ax->option > {}) goto {};", id * ESCAPES_FROM, escape(id)));
        }
    }

    pub fn short_wait(&self, guard: &Guard<'a>, at: &str) -> Option<String> {
        let printer = &self.printer;
        Some(match guard {
            Guard::Condition(condition) => {
                format!("ax_wait(ax, {at}, {});", printer.condition(condition))
            }
            Guard::Text(text) => format!("ax_wait(ax, {at}, {text});"),
            Guard::Send { chan, args, sorted } => {
                let (chan, sorted) = (printer.place(chan), u8::from(*sorted));
                format!("ax_send(ax, {at}, {chan}, {sorted}, {});", values(printer, args))
            }
            Guard::Receive { chan, args, random, keep } => {
                let (chan, how) = (printer.place(chan), how(*random, *keep));
                format!("ax_receive(ax, {at}, {chan}, {how}, {});", fields(printer, args))
            }
            Guard::Always | Guard::Else => return None,
        })
    }
}
