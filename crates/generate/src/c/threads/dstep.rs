//! `d_step`: many statements in one step, where nothing may wait and the first option that can run does.

use super::super::text::quoted;
use super::body::Body;
use super::heads::{Guard, first, how, ordered};
use super::{fields, values};
use crate::tree::*;
use auspex_promela::ast::PlainOp;

impl<'a> Body<'a> {
    /// When a `d_step` can begin.
    pub fn d_step_guard(&mut self, block: &'a Block) -> Guard<'a> {
        let Some(first) = first(block) else { return Guard::Always };
        match &block[first].kind {
            Kind::Condition(condition) => Guard::Condition(condition),
            Kind::Receive { chan, args, random, keep } => {
                Guard::Receive { chan, args: args.into(), random: *random, keep: *keep }
            }
            Kind::Block(block) | Kind::Atomic(block) | Kind::DStep(block) => {
                self.d_step_guard(block)
            }
            _ => self.can_begin(block).map_or(Guard::Always, Guard::Text),
        }
    }

    /// The code of a `d_step` that can begin. If it begins with a receive, that was carried out.
    pub fn after_d_step(&mut self, block: &'a Block) {
        let Some(first) = first(block) else { return };
        match &block[first].kind {
            Kind::Condition(_) => {}
            Kind::Receive { args, .. } => self.store_message(args),
            Kind::Block(inner) | Kind::Atomic(inner) | Kind::DStep(inner) => {
                self.after_d_step(inner);
            }
            _ => return self.d_block(block),
        }
        for stmt in &block[first + 1..] {
            self.d_stmt(stmt);
        }
    }

    pub fn d_block(&mut self, block: &'a Block) {
        block.iter().for_each(|stmt| self.d_stmt(stmt));
    }

    pub fn d_stmt(&mut self, stmt: &'a Stmt) {
        self.put_labels(stmt);
        let at = quoted(&self.at(stmt));
        match &stmt.kind {
            Kind::ModelOnly | Kind::Else => {}
            Kind::Condition(condition) => {
                let negation = self.printer.negation(condition);
                self.out
                    .line(format!("if ({negation}) ax_fault({at}, \"blocks inside a d_step\");"));
            }
            Kind::Send { chan, args, sorted } => {
                let (chan, sorted) = (self.printer.place(chan), u8::from(*sorted));
                let values = values(&self.printer, args);
                self.out.line(format!("ax_send_now(ax, {at}, {chan}, {sorted}, {values});"));
            }
            Kind::Receive { chan, args, random, keep } => {
                let (chan, how) = (self.printer.place(chan), how(*random, *keep));
                let fields = fields(&self.printer, args);
                self.out.line(format!("ax_receive_now(ax, {at}, {chan}, {how}, {fields});"));
                self.store_message(args);
            }
            Kind::If(options) => self.d_options(options, &at),
            Kind::Do(options) => {
                let exit = self.d_loop(stmt);
                self.d_options(options, &at);
                self.d_end(&exit);
            }
            Kind::For { var, range, body } => self.d_for(stmt, var, range, body),
            Kind::Select { var, low, .. } => {
                self.out.line(format!("{};", self.printer.store(var, low)));
            }
            Kind::Atomic(block) | Kind::DStep(block) | Kind::Block(block) => self.d_block(block),
            Kind::Unless { main, .. } => self.d_block(main),
            Kind::Goto(label) => {
                let label = super::names::safe(label);
                self.out.line(format!("goto {label};"));
            }
            Kind::Break => self.leave_d_loop(),
            _ => self.effect(stmt),
        }
    }

    /// The first option that can run.
    pub fn d_options(&mut self, options: &'a [Block], at: &str) {
        let mut has_else = false;
        for (i, option) in ordered(options).into_iter().enumerate() {
            let guard = self.can_begin(option);
            has_else = guard.is_none();
            let line = match (&guard, i) {
                (None, 0) => "{".to_string(),
                (None, _) => "} else {".to_string(),
                (Some(guard), 0) => format!("if ({guard}) {{"),
                (Some(guard), _) => format!("}} else if ({guard}) {{"),
            };
            if i > 0 {
                self.out.close(line);
                self.out.indent();
            } else {
                self.out.open(line);
            }
            match first(option).map(|first| (&option[first].kind, first)) {
                Some((Kind::Condition(_) | Kind::Else, first)) => {
                    option[first + 1..].iter().for_each(|stmt| self.d_stmt(stmt));
                }
                _ => self.d_block(option),
            }
            // What comes later is never tried.
            if has_else {
                break;
            }
        }
        if !has_else {
            self.out.close("} else {");
            self.out.indent();
            self.out.line(format!("ax_fault({at}, \"blocks inside a d_step\");"));
        }
        self.out.close("}");
    }

    /// The condition under which a sequence can begin; `None` if it always can.
    fn can_begin(&mut self, block: &'a Block) -> Option<String> {
        let stmt = &block[first(block)?];
        match &stmt.kind {
            Kind::Condition(condition) => Some(self.printer.condition(condition)),
            Kind::Send { chan, .. } => {
                Some(format!("ax_could_send(ax, {})", self.printer.place(chan)))
            }
            Kind::Receive { chan, args, random, keep } => {
                let (chan, how) = (self.printer.place(chan), how(*random, *keep));
                let fields = fields(&self.printer, args);
                Some(format!("ax_could_receive(ax, {chan}, {how}, {fields})"))
            }
            Kind::If(options) | Kind::Do(options) => {
                let mut any = Vec::new();
                for option in ordered(options) {
                    any.push(format!("({})", self.can_begin(option)?));
                }
                Some(any.join(" || "))
            }
            Kind::Block(block) | Kind::Atomic(block) | Kind::DStep(block) => self.can_begin(block),
            Kind::Unless { main, .. } => self.can_begin(main),
            _ => None,
        }
    }

    fn d_for(&mut self, stmt: &'a Stmt, var: &'a Place, range: &'a Range, body: &'a Block) {
        let (low, high) = match range {
            Range::Between(low, high) => (low.clone(), high.clone()),
            Range::Indices(length) => (Expr::Number(0), Expr::Number(*length as i32 - 1)),
            Range::Messages { chan, fields } => {
                return self.d_for_messages(stmt, chan, fields, body);
            }
        };
        self.out.line(format!("{};", self.printer.store(var, &low)));
        let value = Box::new(Expr::Place(var.clone()));
        let more = Expr::Binary(PlainOp::LessEqual, value, Box::new(high));
        let exit = self.d_loop(stmt);
        self.out.line(format!("if ({}) break;", self.printer.negation(&more)));
        self.d_block(body);
        self.out.line(format!("{};", self.printer.increment(var, 1)));
        self.d_end(&exit);
    }

    /// Each message is received, sent again, and looked at.
    fn d_for_messages(
        &mut self,
        stmt: &'a Stmt,
        chan: &'a Place,
        places: &'a [Place],
        body: &'a Block,
    ) {
        let (at, channel) = (quoted(&self.at(stmt)), self.printer.place(chan));
        let (exit, counter) = self.messages_loop(stmt);
        self.out.line(format!("if ({counter} >= ax_len({channel})) break;"));
        let args: Vec<Arg> = places.iter().cloned().map(Arg::Store).collect();
        let all = fields(&self.printer, &args);
        self.out.line(format!("ax_receive_now(ax, {at}, {channel}, 0, {all});"));
        self.store_message(&args);
        let all: Vec<Expr> = places.iter().cloned().map(Expr::Place).collect();
        let all = values(&self.printer, &all);
        self.out.line(format!("ax_send_now(ax, {at}, {channel}, 0, {all});"));
        self.d_block(body);
        self.d_end(&exit);
    }
}
