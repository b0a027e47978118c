//! A `d_step` that begins with a choice of receives, which may be handshakes: the sender decides which of them it is. So its first
//! statements are things that can be done, as those of other choices; but only the first that can run counts.

use super::body::{Body, ends_with_jump};
use super::declare;
use super::heads::{Escape, Guard, Head, add, first, ordered};
use crate::tree::*;
use auspex_system::Diagnostic;

impl<'a> Body<'a> {
    /// Does it, in a model where that may be a handshake?
    pub fn begins_with_receives(&self, block: &Block) -> bool {
        let mut types = declare::channel_types(self.printer.spec);
        types.any(|channel| channel.capacity == 0) && chooses_receives(block, false)
    }

    /// Adds the first statements of a block.
    pub fn add_d_block(
        &mut self,
        block: &'a Block,
        escapes: &[Escape<'a>],
        next: &mut usize,
        out: &mut Vec<Head<'a>>,
    ) {
        let Some(first) = first(block) else { return add(Guard::Always, escapes, next, out) };
        let guard = match &block[first].kind {
            Kind::If(options) | Kind::Do(options) => {
                for option in ordered(options) {
                    self.add_d_block(option, escapes, next, out);
                }
                return;
            }
            Kind::Block(inner)
            | Kind::Atomic(inner)
            | Kind::DStep(inner)
            | Kind::Unless { main: inner, .. } => {
                return self.add_d_block(inner, escapes, next, out);
            }
            Kind::Condition(Expr::Run { .. }) => Guard::Always,
            Kind::Condition(condition) => Guard::Condition(condition),
            // It is sent in the d_step.
            Kind::Send { chan, .. } => {
                Guard::Text(format!("ax_could_send(ax, {})", self.printer.place(chan)))
            }
            Kind::Receive { chan, args, random, keep } => {
                Guard::Receive { chan, args: args.into(), random: *random, keep: *keep }
            }
            Kind::Else => Guard::Else,
            _ => Guard::Always,
        };
        add(guard, escapes, next, out);
    }

    /// The rest of a block whose first statement was chosen: one of the options from `next` on.
    pub fn after_d_block(&mut self, block: &'a Block, next: &mut usize) {
        let Some(first) = first(block) else {
            *next += 1;
            return;
        };
        self.after_d_stmt(&block[first], next);
        for stmt in &block[first + 1..] {
            self.d_stmt(stmt);
        }
    }

    fn after_d_stmt(&mut self, stmt: &'a Stmt, next: &mut usize) {
        match &stmt.kind {
            Kind::If(options) => return self.after_d_options(options, next),
            Kind::Do(options) => return self.after_d_loop(stmt, options, next),
            Kind::Block(block)
            | Kind::Atomic(block)
            | Kind::DStep(block)
            | Kind::Unless { main: block, .. } => return self.after_d_block(block, next),
            Kind::Condition(Expr::Run { .. }) => self.d_stmt(stmt),
            Kind::Condition(_) | Kind::Else => {}
            Kind::Receive { args, .. } => self.store_message(args),
            _ => self.d_stmt(stmt),
        }
        *next += 1;
    }

    fn after_d_options(&mut self, options: &'a [Block], next: &mut usize) {
        self.out.open("switch (ax->option) {");
        for option in ordered(options) {
            let (mut end, mut heads) = (*next, Vec::new());
            self.add_d_block(option, &[], &mut end, &mut heads);
            let cases: Vec<String> = (*next..end).map(|number| format!("case {number}:")).collect();
            self.out.outdented(cases.join(" "));
            self.after_d_block(option, next);
            if !ends_with_jump(option) {
                self.out.line("break;");
            }
        }
        self.out.close("}");
    }

    /// The first time round was chosen, the others are not.
    fn after_d_loop(&mut self, stmt: &'a Stmt, options: &'a [Block], next: &mut usize) {
        if options.iter().any(|option| self.has_target(option)) {
            let message = "a jump into a loop of receives that a d_step begins with";
            let error = Diagnostic::error(stmt.span, message);
            self.errors.push(error.hint("put a `skip` before the loop, or use atomic"));
        }
        let at = super::text::quoted(&self.at(stmt));
        let exit = self.d_loop(stmt);
        self.after_d_options(options, next);
        self.out.line("for (;;)");
        self.out.open("{");
        self.d_options(options, &at);
        self.out.close("}");
        self.d_end(&exit);
    }

    fn has_target(&self, block: &Block) -> bool {
        block.iter().any(|stmt| {
            self.is_target(stmt) || stmt.kind.blocks().into_iter().any(|it| self.has_target(it))
        })
    }
}

/// Is there a receive among the first statements of a choice?
fn chooses_receives(block: &Block, in_choice: bool) -> bool {
    let Some(first) = first(block) else { return false };
    match &block[first].kind {
        Kind::If(options) | Kind::Do(options) => {
            options.iter().any(|option| chooses_receives(option, true))
        }
        Kind::Block(inner)
        | Kind::Atomic(inner)
        | Kind::DStep(inner)
        | Kind::Unless { main: inner, .. } => chooses_receives(inner, in_choice),
        Kind::Receive { .. } => in_choice,
        _ => false,
    }
}
