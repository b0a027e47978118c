//! What a process can begin with where it stands: the first statements of a selection's options, of blocks and of what is
//! nested in them, as one choice.

use super::body::Body;
use super::{fields, values};
use crate::tree::*;
use auspex_promela::ast::Primitive;
use std::borrow::Cow;

/// An `unless` around a statement.
#[derive(Clone, Copy)]
pub struct Escape<'a> {
    pub id: usize,
    pub block: &'a Block,
}

/// The options of an escape have numbers above this, times that of the escape.
pub const ESCAPES_FROM: usize = 1000;

/// When something can be done.
pub enum Guard<'a> {
    Always,
    Condition(&'a Expr),
    Send {
        chan: &'a Place,
        args: Cow<'a, [Expr]>,
        sorted: bool,
    },
    Receive {
        chan: &'a Place,
        args: Cow<'a, [Arg]>,
        random: bool,
        keep: bool,
    },
    Else,
    /// A condition in C.
    Text(String),
    /// No guard: of those between on and off only the first that can run counts.
    OnlyFirst(bool),
}

/// A first statement, with the number that it has as an option.
pub struct Head<'a> {
    pub number: usize,
    pub guard: Guard<'a>,
    /// Outermost first.
    pub escapes: Vec<Escape<'a>>,
}

/// The options of a selection in the order in which they are tried: `else` at the end.
pub fn ordered(options: &[Block]) -> Vec<&Block> {
    let is_else =
        |block: &&Block| first(block).is_some_and(|i| matches!(block[i].kind, Kind::Else));
    let (last, mut all): (Vec<&Block>, Vec<&Block>) = options.iter().partition(is_else);
    all.extend(last);
    all
}

/// The first statement of a block that the implementation has.
pub fn first(block: &Block) -> Option<usize> {
    block.iter().position(|stmt| !matches!(stmt.kind, Kind::ModelOnly))
}

impl<'a> Body<'a> {
    /// The heads of a statement, numbered from `next` on.
    pub fn heads(&mut self, stmt: &'a Stmt, next: &mut usize) -> Vec<Head<'a>> {
        let (mut out, mut escapes) = (Vec::new(), self.escapes.clone());
        self.add_heads(stmt, &mut escapes, next, &mut out);
        out
    }

    pub fn heads_of_block(&mut self, block: &'a Block, next: &mut usize) -> Vec<Head<'a>> {
        let (mut out, mut escapes) = (Vec::new(), self.escapes.clone());
        self.add_block(block, &mut escapes, next, &mut out);
        out
    }

    fn add_block(
        &mut self,
        block: &'a Block,
        escapes: &mut Vec<Escape<'a>>,
        next: &mut usize,
        out: &mut Vec<Head<'a>>,
    ) {
        match first(block) {
            Some(first) => self.add_heads(&block[first], escapes, next, out),
            None => add(Guard::Always, escapes, next, out),
        }
    }

    fn add_heads(
        &mut self,
        stmt: &'a Stmt,
        escapes: &mut Vec<Escape<'a>>,
        next: &mut usize,
        out: &mut Vec<Head<'a>>,
    ) {
        let guard = match &stmt.kind {
            Kind::If(options) | Kind::Do(options) => {
                for option in ordered(options) {
                    self.add_block(option, escapes, next, out);
                }
                return;
            }
            Kind::Atomic(block) | Kind::Block(block) => {
                return self.add_block(block, escapes, next, out);
            }
            Kind::Unless { main, escape } => {
                let id = self.id_of(stmt);
                escapes.push(Escape { id, block: escape });
                self.add_block(main, escapes, next, out);
                escapes.pop();
                return;
            }
            Kind::DStep(block) if self.begins_with_receives(block) => {
                let mark = |on| {
                    let guard = Guard::OnlyFirst(on);
                    Head { number: 0, guard, escapes: escapes.clone() }
                };
                let (on, off) = (mark(true), mark(false));
                out.push(on);
                self.add_d_block(block, escapes, next, out);
                return out.push(off);
            }
            Kind::DStep(block) => self.d_step_guard(block),
            Kind::Condition(Expr::Run { .. }) => Guard::Always,
            Kind::Condition(condition) => Guard::Condition(condition),
            Kind::Code(code) if code.primitive == Primitive::Expr => {
                Guard::Text(self.printer.code(code))
            }
            Kind::Send { chan, args, sorted } => {
                Guard::Send { chan, args: args.into(), sorted: *sorted }
            }
            Kind::Receive { chan, args, random, keep } => {
                Guard::Receive { chan, args: args.into(), random: *random, keep: *keep }
            }
            Kind::Else => Guard::Else,
            _ => Guard::Always,
        };
        add(guard, escapes, next, out);
    }

    /// The line that finds out whether a head can run.
    pub fn guard(&self, head: &Head<'a>) -> String {
        let number = head.number;
        let printer = &self.printer;
        match &head.guard {
            Guard::Always => format!("ax_can(ax, {number});"),
            Guard::Condition(condition) => {
                format!("if ({}) ax_can(ax, {number});", printer.condition(condition))
            }
            Guard::Text(text) => format!("if ({text}) ax_can(ax, {number});"),
            Guard::OnlyFirst(on) => format!("ax_only_first(ax, {});", u8::from(*on)),
            Guard::Send { chan, args, sorted } => {
                let (chan, sorted) = (printer.place(chan), u8::from(*sorted));
                format!("ax_can_send(ax, {number}, {chan}, {sorted}, {});", values(printer, args))
            }
            Guard::Receive { chan, args, random, keep } => {
                let (chan, how) = (printer.place(chan), how(*random, *keep));
                format!("ax_can_receive(ax, {number}, {chan}, {how}, {});", fields(printer, args))
            }
            Guard::Else => format!("ax_can_else(ax, {number});"),
        }
    }
}

pub fn how(random: bool, keep: bool) -> &'static str {
    match (random, keep) {
        (false, false) => "0",
        (true, false) => "AX_RANDOM",
        (false, true) => "AX_KEEP",
        (true, true) => "AX_RANDOM | AX_KEEP",
    }
}

pub fn add<'a>(
    guard: Guard<'a>,
    escapes: &[Escape<'a>],
    next: &mut usize,
    out: &mut Vec<Head<'a>>,
) {
    out.push(Head { number: *next, guard, escapes: escapes.to_vec() });
    *next += 1;
}
