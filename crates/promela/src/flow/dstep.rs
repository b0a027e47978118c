//! The inside of a `d_step` as a graph of its own.

use super::graph::{ElId, Flow, Kind, Seq};
use auspex_process::ir::{Action, DNode, DStep};
use auspex_system::Diagnostic;
use std::collections::HashMap;

pub fn compile(flow: &Flow, body: Seq) -> Result<DStep, Diagnostic> {
    let number = flow.element(body.first).d_step;
    let mut compiler =
        Compiler { flow, number, nodes: Vec::new(), known: HashMap::new(), todo: Vec::new() };
    compiler.node(body.first)?;
    while let Some((id, index)) = compiler.todo.pop() {
        compiler.fill(id, index)?;
    }
    Ok(DStep { nodes: compiler.nodes })
}

struct Compiler<'f> {
    flow: &'f Flow,
    number: Option<u32>,
    nodes: Vec<DNode>,
    known: HashMap<ElId, u32>,
    /// Nodes that have a number and no contents yet.
    todo: Vec<(ElId, u32)>,
}

impl Compiler<'_> {
    /// The node for what control meets first at an element, or behind the end.
    fn node(&mut self, from: ElId) -> Result<u32, Diagnostic> {
        let mut at = from;
        for _ in 0..self.flow.elements.len() + 1 {
            let element = self.flow.element(at);
            if element.d_step != self.number {
                return Ok(self.push(DNode::Exit));
            }
            let next = match &element.kind {
                Kind::Goto(target) => self.flow.resolve(target),
                Kind::Joint | Kind::LoopExit => element.next,
                Kind::Unless => Some(element.subs[0].first),
                Kind::Block(seq) | Kind::Atomic(seq) | Kind::DStep(seq) => Some(seq.first),
                _ => return Ok(self.numbered(at)),
            };
            match next {
                Some(next) => at = next,
                None => return Ok(self.push(DNode::Exit)),
            }
        }
        let span = self.flow.element(from).span;
        Err(Diagnostic::error(span, "these jumps go round in circles for ever"))
    }

    /// The node that an option begins with. A jump there can always run, whatever it leads to.
    fn option(&mut self, first: ElId) -> Result<u32, Diagnostic> {
        let element = self.flow.element(first);
        let statement = element.statement;
        match &element.kind {
            Kind::Block(seq) => self.option(seq.first),
            Kind::Goto(target) => {
                let next = match self.flow.resolve(target) {
                    Some(to) => self.node(to)?,
                    None => self.push(DNode::Exit),
                };
                Ok(self.push(DNode::Do { action: Action::Skip, statement, next }))
            }
            _ => self.node(first),
        }
    }

    fn push(&mut self, node: DNode) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn numbered(&mut self, id: ElId) -> u32 {
        if let Some(index) = self.known.get(&id) {
            return *index;
        }
        let index = self.push(DNode::Exit);
        self.known.insert(id, index);
        self.todo.push((id, index));
        index
    }

    fn fill(&mut self, id: ElId, index: u32) -> Result<(), Diagnostic> {
        let flow = self.flow;
        let element = flow.element(id);
        let statement = element.statement;
        self.nodes[index as usize] = match &element.kind {
            Kind::If | Kind::Do => {
                let options: Result<Vec<u32>, Diagnostic> =
                    element.subs.iter().map(|sub| self.option(sub.first)).collect();
                DNode::Choose { options: options?, statement }
            }
            kind => {
                let action = match kind {
                    Kind::Basic(action) => action.clone(),
                    _ => Action::Else,
                };
                if let Action::Run(_) = action {
                    let error = Diagnostic::error(element.span, "`run` inside a d_step");
                    return Err(error.hint("use atomic instead"));
                }
                let next = match element.next {
                    Some(next) => self.node(next)?,
                    None => self.push(DNode::Exit),
                };
                DNode::Do { action, statement, next }
            }
        };
        Ok(())
    }
}
