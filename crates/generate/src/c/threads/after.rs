//! What follows when one of the things that could be done was chosen.

use super::body::{Body, ends_with_jump, escape, has_atomic};
use super::heads::{ESCAPES_FROM, Escape, first, ordered};
use super::touch;
use crate::tree::*;

impl<'a> Body<'a> {
    /// The rest of a statement whose first part was chosen: one of the options from `next` on.
    pub fn after(&mut self, stmt: &'a Stmt, next: &mut usize) {
        match &stmt.kind {
            Kind::If(_) => self.after_options(stmt, next),
            Kind::Do(_) => {
                let start = *next;
                let exit = self.enter_loop(stmt, "do");
                self.after_options(stmt, next);
                let heads = self.heads(stmt, &mut { start });
                self.wait(&heads, stmt);
                self.close_loop(&exit);
            }
            Kind::Block(block) => self.after_block(block, next),
            Kind::Atomic(block) => {
                let outside = self.atomic;
                let is_new = outside.is_none();
                if is_new {
                    self.out.line(format!("ax->atomic = 1; /* {} */", self.remark(stmt, "atomic")));
                    // A handshake ends the turn, and a priority may.
                    self.atomic = Some(touch::sends(block) || self.dialect.priorities);
                }
                self.after_block(block, next);
                if is_new && !ends_with_jump(block) {
                    self.out.line("ax->atomic = 0;");
                }
                self.atomic = outside;
            }
            Kind::DStep(block) => {
                self.out.line(format!("/* {} */", self.remark(stmt, "d_step")));
                self.dialect.in_d_step.set(true);
                if self.begins_with_receives(block) {
                    self.after_d_block(block, next);
                } else {
                    self.after_d_step(block);
                    *next += 1;
                }
                self.dialect.in_d_step.set(false);
            }
            Kind::Unless { main, escape } => self.after_unless(stmt, main, escape, next),
            Kind::For { .. } => {
                *next += 1;
                self.for_loop(stmt);
            }
            Kind::Goto(label) => {
                *next += 1;
                self.goto(label);
            }
            Kind::Break => {
                *next += 1;
                self.leave_loop();
            }
            _ => {
                *next += 1;
                self.effect(stmt);
            }
        }
    }

    pub fn after_block(&mut self, block: &'a Block, next: &mut usize) {
        let Some(first) = first(block) else {
            *next += 1;
            return;
        };
        let stmt = &block[first];
        if self.is_target(stmt) {
            // Whoever jumps here has not chosen yet.
            let chosen = self.own_label("chosen");
            self.out.line(format!("goto {chosen};"));
            self.put_labels(stmt);
            let heads = self.heads(stmt, &mut { *next });
            self.wait(&heads, stmt);
            self.put_label(&chosen);
        }
        self.after(stmt, next);
        for stmt in &block[first + 1..] {
            self.stmt(stmt);
        }
    }

    pub fn after_options(&mut self, stmt: &'a Stmt, next: &mut usize) {
        let (Kind::If(options) | Kind::Do(options)) = &stmt.kind else { return };
        if let [only] = options.as_slice() {
            return self.after_block(only, next);
        }
        self.out.open("switch (ax->option) {");
        for option in ordered(options) {
            let mut end = *next;
            self.heads_of_block(option, &mut end);
            let cases: Vec<String> = (*next..end).map(|number| format!("case {number}:")).collect();
            self.out.outdented(cases.join(" "));
            self.after_block(option, next);
            if !ends_with_jump(option) {
                self.out.line("break;");
            }
        }
        self.out.close("}");
    }

    pub fn after_unless(
        &mut self,
        stmt: &'a Stmt,
        main: &'a Block,
        block: &'a Block,
        next: &mut usize,
    ) {
        let id = self.id_of(stmt);
        let past = self.own_label("past");
        self.escapes.push(Escape { id, block });
        self.after_block(main, next);
        self.escapes.pop();
        if !ends_with_jump(main) {
            self.out.line(format!("goto {past};"));
        }
        self.labels.push(escape(id));
        self.put_label(&escape(id));
        if self.atomic.is_none() && has_atomic(main) {
            self.out.line("ax->atomic = 0;");
        }
        self.after_block(block, &mut (id * ESCAPES_FROM + 1));
        self.put_label(&past);
    }
}
