//! Statements: when they can run, and what they do.

use crate::emit::Emit;
use auspex_process::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, InstBuilder};

impl Emit<'_, '_> {
    /// Goes to one of two blocks: can the statement run on its own? An `else` always says yes.
    pub fn guard(&mut self, action: &Action, yes: Block, no: Block) {
        match action {
            Action::Guard(expr) => self.branch(expr, yes, no),
            Action::Send(send) => self.branch_send(&send.channel, yes, no),
            Action::Receive(receive) => self.branch_receive(receive, false, yes, no),
            Action::End => {
                let pid = self.of_frame(I32, crate::frame::PID);
                let count = self.of_frame(I32, crate::frame::PROCESSES);
                let next = self.builder.ins().iadd_imm_s(pid, 1);
                let is_youngest = self.builder.ins().icmp(IntCC::Equal, next, count);
                self.brif(is_youngest, yes, no);
            }
            Action::DStep(body) => self.can_start(body, 0, yes, no),
            _ => self.jump(yes),
        }
    }

    /// Carries out a statement that can run, and goes on at `next`.
    pub fn effect(&mut self, action: &Action, next: Block) {
        match action {
            Action::Assign(place, expr) => {
                let value = self.value(expr);
                self.assign(place, value);
                self.jump(next);
            }
            Action::Assert(expr) => self.branch(expr, next, self.decline),
            Action::Print(print) => {
                // Nobody sees it, but its arguments can go wrong.
                print.parts.iter().filter_map(PrintPart::argument).for_each(|expr| {
                    self.value(expr);
                });
                self.jump(next);
            }
            Action::Send(send) => self.send(send, next),
            Action::Receive(receive) => self.receive(receive, next),
            Action::DStep(body) => self.d_step(body, next),
            Action::Skip | Action::Guard(_) | Action::Else => self.jump(next),
            Action::Run(_) | Action::SetPriority(_) | Action::End => self.jump(self.decline),
        }
    }
}
