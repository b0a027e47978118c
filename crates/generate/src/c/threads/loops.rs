//! Loops, jumps, and choices that C has as well.

use super::super::names;
use super::body::{Body, Loop};
use super::heads::{Guard, Head, first, ordered};
use super::touch::{self, Touch};
use crate::tree::*;
use auspex_promela::ast::PlainOp;
use std::borrow::Cow;

impl<'a> Body<'a> {
    pub fn enter_loop(&mut self, stmt: &Stmt, what: &str) -> String {
        let exit = self.own_label("done");
        self.loops.push(Loop { exit: exit.clone(), atomic: self.atomic.is_some() });
        self.out.open(format!("for (;;) {{ /* {} */", self.remark(stmt, what)));
        exit
    }

    pub fn close_loop(&mut self, exit: &str) {
        self.loops.pop();
        self.out.close("}");
        self.put_label(exit);
    }

    /// The same inside of a `d_step`.
    pub fn d_loop(&mut self, stmt: &Stmt) -> String {
        self.enter_loop(stmt, "loop")
    }

    pub fn d_end(&mut self, exit: &str) {
        self.close_loop(exit);
    }

    pub fn leave_d_loop(&mut self) {
        let Some(inner) = self.loops.last() else { return };
        let line = format!("goto {};", inner.exit);
        self.out.line(line);
    }

    pub fn leave_loop(&mut self) {
        let Some(Loop { exit, atomic }) = self.loops.last() else { return };
        let (exit, atomic) = (exit.clone(), *atomic);
        self.jump(&exit, atomic);
    }

    pub fn goto(&mut self, label: &str) {
        let atomic = self.targets.get(label).copied().unwrap_or(false);
        self.jump(&names::safe(label), atomic);
    }

    pub fn jump(&mut self, label: &str, into_atomic: bool) {
        self.jumped_to = false;
        match (self.atomic.is_some(), into_atomic) {
            (true, false) => self.out.line("ax->atomic = 0;"),
            (false, true) => self.out.line("ax_atomic_from_here(ax);"),
            _ => {}
        }
        self.out.line(format!("goto {label};"));
    }

    /// `if :: c -> ... :: else -> ... fi`: what C has, too.
    pub fn is_plain_choice(&self, options: &[Block]) -> bool {
        let ordered = ordered(options);
        let [yes, no] = ordered.as_slice() else { return false };
        let (Some(a), Some(b)) = (first(yes), first(no)) else { return false };
        let (a, b) = (&yes[a], &no[b]);
        let is_condition = match &a.kind {
            Kind::Condition(Expr::Run { .. }) => false,
            Kind::Condition(condition) => !touch::asks_for_timeout(condition),
            _ => false,
        };
        is_condition
            && matches!(b.kind, Kind::Else)
            && self.escapes.is_empty()
            && self.provided.is_none()
            && !self.is_target(a)
            && !self.is_target(b)
    }

    pub fn plain_choice(&mut self, stmt: &'a Stmt, options: &'a [Block]) {
        let ordered = ordered(options);
        let (yes, no) = (ordered[0], ordered[1]);
        let skip = |block: &Block| first(block).map_or(0, |first| first + 1);
        let (yes_rest, no_rest) = (skip(yes), skip(no));
        let Kind::Condition(condition) = &yes[yes_rest - 1].kind else { return };
        let is_loop = matches!(stmt.kind, Kind::Do(_));
        let exit = is_loop.then(|| self.enter_loop(stmt, "do"));
        let touch = touch::expression(self.printer.spec, condition);
        self.boundary_at(stmt, touch, is_loop && self.atomic.is_none());
        let is_break = matches!(no[no_rest..], [Stmt { kind: Kind::Break, .. }]);
        let leaves = is_loop && is_break && self.atomic.is_some() == self.loop_is_atomic();
        if leaves {
            self.out.line(format!("if ({}) break;", self.printer.negation(condition)));
            yes[yes_rest..].iter().for_each(|stmt| self.stmt(stmt));
        } else {
            let remark =
                if is_loop { String::new() } else { format!(" /* {} */", self.remark(stmt, "if")) };
            self.out.open(format!("if ({}) {{{remark}", self.printer.condition(condition)));
            yes[yes_rest..].iter().for_each(|stmt| self.stmt(stmt));
            let is_empty = no[no_rest..]
                .iter()
                .all(|s| matches!(s.kind, Kind::Skip | Kind::ModelOnly) && !self.is_target(s));
            if !is_empty {
                self.out.close("} else {");
                self.out.indent();
                no[no_rest..].iter().for_each(|stmt| self.stmt(stmt));
            }
            self.out.close("}");
        }
        if let Some(exit) = exit {
            self.close_loop(&exit);
        }
    }

    pub fn loop_is_atomic(&self) -> bool {
        self.loops.last().is_some_and(|inner| inner.atomic)
    }

    pub fn for_loop(&mut self, stmt: &'a Stmt) {
        let Kind::For { var, range, body } = &stmt.kind else { return };
        let (low, high) = match range {
            Range::Between(low, high) => (low.clone(), high.clone()),
            Range::Indices(length) => (Expr::Number(0), Expr::Number(*length as i32 - 1)),
            Range::Messages { chan, fields } => {
                return self.for_messages(stmt, chan, fields, body);
            }
        };
        let spec = self.printer.spec;
        self.out.line(format!("{};", self.printer.store(var, &low)));
        let value = Box::new(Expr::Place(var.clone()));
        let more = Expr::Binary(PlainOp::LessEqual, value, Box::new(high));
        let exit = self.enter_loop(stmt, "for");
        self.boundary_at(stmt, touch::expression(spec, &more), self.atomic.is_none());
        self.out.line(format!("if ({}) break;", self.printer.negation(&more)));
        self.block(body);
        self.boundary_at(stmt, touch::target_of(spec, var), false);
        self.out.line(format!("{};", self.printer.increment(var, 1)));
        self.close_loop(&exit);
    }

    /// Begins a loop over the messages of a channel: where it ends, and what counts them.
    pub fn messages_loop(&mut self, stmt: &Stmt) -> (String, String) {
        let counter = self.own_label("message");
        self.labels.pop();
        self.labels.push(String::new());
        let exit = self.own_label("done");
        self.loops.push(Loop { exit: exit.clone(), atomic: self.atomic.is_some() });
        let remark = self.remark(stmt, "for");
        self.out.open(format!("for (int {counter} = 0;; {counter}++) {{ /* {remark} */"));
        (exit, counter)
    }

    pub fn for_messages(
        &mut self,
        stmt: &'a Stmt,
        chan: &'a Place,
        places: &'a [Place],
        body: &'a Block,
    ) {
        let (exit, counter) = self.messages_loop(stmt);
        self.boundary_at(stmt, Touch::Shared, true);
        let channel = self.printer.place(chan);
        self.out.line(format!("if ({counter} >= ax_len({channel})) break;"));
        let args: Vec<Arg> = places.iter().cloned().map(Arg::Store).collect();
        let values: Vec<Expr> = places.iter().cloned().map(Expr::Place).collect();
        let escapes = self.escapes.clone();
        let guard =
            Guard::Receive { chan, args: Cow::Owned(args.clone()), random: false, keep: false };
        self.wait(&[Head { number: 1, guard, escapes: escapes.clone() }], stmt);
        self.store_message(&args);
        let guard = Guard::Send { chan, args: Cow::Owned(values), sorted: false };
        self.wait(&[Head { number: 1, guard, escapes }], stmt);
        self.block(body);
        self.close_loop(&exit);
    }
}
