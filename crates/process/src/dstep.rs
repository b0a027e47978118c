//! `d_step`: many statements in one deterministic step.

use crate::eval::{Env, Trap};
use crate::exec::{Executor, Mode};
use crate::ir::*;
use crate::work::Work;

/// A body that takes this many statements is taken to run for ever.
const LONGEST: u64 = 10_000_000;

impl Env<'_> {
    /// Can execution go on at this node?
    pub fn can_start(&self, body: &DStep, node: u32, mode: Mode<'_>) -> Result<bool, Trap> {
        match &body.nodes[node as usize] {
            DNode::Exit => Ok(matches!(mode, Mode::Alone)),
            DNode::Do { action: Action::Else, .. } => Ok(matches!(mode, Mode::Alone)),
            DNode::Do { action, .. } => self.executable(action, mode),
            DNode::Choose { options, .. } => Ok(self.pick(body, options, mode)?.is_some()),
        }
    }

    /// The first option that can run.
    fn pick(&self, body: &DStep, options: &[u32], mode: Mode<'_>) -> Result<Option<u32>, Trap> {
        for option in options {
            if self.can_start(body, *option, mode)? {
                return Ok(Some(*option));
            }
        }
        Ok(None)
    }
}

impl Executor<'_> {
    pub fn d_step(
        &mut self,
        work: &mut Work,
        pid: usize,
        body: &DStep,
        mut mode: Mode<'_>,
    ) -> Result<(), Trap> {
        let mut node = 0;
        for _ in 0..LONGEST {
            let env = self.env(work, pid);
            node = match &body.nodes[node as usize] {
                DNode::Exit => return Ok(()),
                DNode::Choose { options, statement } => {
                    match env.pick(body, options, mode).map_err(|t| t.at(*statement))? {
                        Some(option) => option,
                        None => return Err(self.blocked(*statement)),
                    }
                }
                DNode::Do { action, statement, next } => {
                    self.check_inside(env, action, *statement, mode)?;
                    self.apply(work, pid, action, *statement, mode)
                        .map_err(|t| t.at(*statement))?;
                    mode = Mode::Alone;
                    *next
                }
            };
        }
        Err(Trap::new("d_step", format!("d_step still runs after {LONGEST} statements")))
    }

    fn check_inside(
        &self,
        env: Env<'_>,
        action: &Action,
        statement: StmtId,
        mode: Mode<'_>,
    ) -> Result<(), Trap> {
        if let Action::Send(send) = action
            && env.queue(&send.channel)?.ty.is_rendezvous()
        {
            return Err(Trap::new("d_step", "a rendezvous send inside a d_step").at(statement));
        }
        match env.executable(action, mode) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.blocked(statement)),
            Err(trap) => Err(trap.at(statement)),
        }
    }

    fn blocked(&self, statement: StmtId) -> Trap {
        let text = &self.model.statement(statement).text;
        Trap::new("d_step", format!("`{text}` blocks inside a d_step")).at(statement)
    }
}
