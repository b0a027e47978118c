//! `d_step`: many statements in one deterministic step.

use crate::emit::Emit;
use crate::frame;
use auspex_process::ir::*;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, InstBuilder};

/// A body that takes this many statements is left to the interpreter, which gives up in the end.
const LONGEST: i64 = 10_000;

impl Emit<'_, '_> {
    /// Goes to one of two blocks: can execution go on at this node?
    pub fn can_start(&mut self, body: &DStep, node: u32, yes: Block, no: Block) {
        match &body.nodes[node as usize] {
            DNode::Exit => self.jump(yes),
            DNode::Do { action, .. } => self.guard(action, yes, no),
            DNode::Choose { options, .. } => {
                for option in options {
                    let next = self.builder.create_block();
                    self.can_start(body, *option, yes, next);
                    self.enter(next);
                }
                self.jump(no);
            }
        }
    }

    /// Carries out a body, and goes on at `next`. Declines wherever it gets stuck.
    pub fn d_step(&mut self, body: &DStep, next: Block) {
        let (anywhere, frame) = (self.int(1), self.frame);
        self.store(anywhere, frame, frame::ANYWHERE);
        let left = self.builder.declare_var(I32);
        let longest = self.builder.ins().iconst(I32, LONGEST);
        self.builder.def_var(left, longest);
        let blocks: Vec<Block> = body.nodes.iter().map(|_| self.builder.create_block()).collect();
        match blocks.first() {
            Some(first) => self.jump(*first),
            None => self.jump(next),
        }
        for (node, block) in body.nodes.iter().zip(&blocks) {
            self.enter(*block);
            match node {
                DNode::Exit => self.jump(next),
                DNode::Choose { options, .. } => {
                    for option in options {
                        let other = self.builder.create_block();
                        self.can_start(body, *option, blocks[*option as usize], other);
                        self.enter(other);
                    }
                    self.jump(self.decline);
                }
                DNode::Do { action, statement, next } => {
                    let count = self.builder.use_var(left);
                    self.require(count);
                    let count = self.builder.ins().iadd_imm_s(count, -1);
                    self.builder.def_var(left, count);
                    let runs = self.builder.create_block();
                    let decline = self.decline;
                    self.guard(action, runs, decline);
                    self.enter(runs);
                    self.cover(*statement);
                    self.effect(action, blocks[*next as usize]);
                }
            }
        }
    }
}
