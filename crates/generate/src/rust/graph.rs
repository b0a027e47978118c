//! The control flow of a process: places where it can stand, and the statements that lead from one to the next. What a
//! location is, and where jumps go, is as in the model.

use crate::tree::*;
use auspex_system::Span;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub usize);

/// How much happens without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Free,
    Atomic,
    DStep,
}

/// Where control goes on, and how.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    pub node: NodeId,
    pub mode: Mode,
}

/// A statement that a process at some place can begin with.
#[derive(Clone, Debug)]
pub struct Head<'s> {
    pub stmt: &'s Stmt,
    /// `goto` and `break` as guards just pass.
    pub passes: bool,
    pub goal: Goal,
    /// What can interrupt here, outermost first.
    pub escapes: Vec<usize>,
    /// Inside of a `d_step`: of its options, the first one that can run.
    pub d_step: Option<usize>,
    /// Inside of a `d_step`, and not the first statement.
    pub begun: bool,
}

#[derive(Clone, Debug)]
pub enum Node<'s> {
    Spot(Spot<'s>),
    /// The same as another one: of labels, and loops that are not complete yet.
    Alias(Option<NodeId>),
    End,
}

#[derive(Clone, Debug)]
pub struct Spot<'s> {
    pub heads: Vec<Head<'s>>,
    pub span: Span,
    pub is_end: bool,
    pub label: Option<String>,
}

pub struct Graph<'s> {
    pub nodes: Vec<Node<'s>>,
    /// The options of escapes.
    pub escapes: Vec<Vec<Head<'s>>>,
    pub start: NodeId,
    labels: HashMap<&'s str, (NodeId, bool)>,
    d_steps: usize,
}

#[derive(Clone)]
struct Context {
    mode: Mode,
    exit: Option<Goal>,
    escapes: Vec<usize>,
    d_step: Option<usize>,
    begun: bool,
}

impl<'s> Graph<'s> {
    pub fn new(process: &'s Process) -> Graph<'s> {
        let mut graph = Graph {
            nodes: vec![Node::End],
            escapes: Vec::new(),
            start: NodeId(0),
            labels: HashMap::new(),
            d_steps: 0,
        };
        graph.find_labels(&process.body, false);
        let (mode, escapes) = (Mode::Free, Vec::new());
        let context = Context { mode, exit: None, escapes, d_step: None, begun: false };
        let end = Goal { node: NodeId(0), mode: Mode::Free };
        graph.start = graph.block(&process.body, end, &context).node;
        graph
    }

    fn find_labels(&mut self, block: &'s Block, in_atomic: bool) {
        for stmt in block {
            let inside = in_atomic || matches!(stmt.kind, Kind::Atomic(_) | Kind::DStep(_));
            for label in &stmt.labels {
                let id = self.add(Node::Alias(None));
                self.labels.insert(label, (id, inside));
            }
            for block in stmt.kind.blocks() {
                self.find_labels(block, inside);
            }
        }
    }

    fn add(&mut self, node: Node<'s>) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// What a node really is.
    pub fn real(&self, id: NodeId) -> NodeId {
        let mut at = id;
        for _ in 0..self.nodes.len() {
            match &self.nodes[at.0] {
                Node::Alias(Some(next)) => at = *next,
                _ => return at,
            }
        }
        at
    }

    fn bind(&mut self, stmt: &'s Stmt, to: NodeId) {
        for label in &stmt.labels {
            if let Some((id, _)) = self.labels.get(label.as_str()) {
                self.nodes[id.0] = Node::Alias(Some(to));
            }
        }
    }

    /// Statements in a row, before `goal`.
    fn block(&mut self, block: &'s [Stmt], goal: Goal, context: &Context) -> Goal {
        let mut goal = goal;
        for stmt in block.iter().rev().filter(|stmt| !super::prepare::is_declaration(stmt)) {
            goal = self.stmt(stmt, goal, context);
        }
        goal
    }

    fn stmt(&mut self, stmt: &'s Stmt, goal: Goal, context: &Context) -> Goal {
        let is_end = stmt.labels.iter().any(|label| label.starts_with("end"));
        let made = match &stmt.kind {
            // Something has to stand where the label is.
            Kind::Goto(_) | Kind::Break if !is_end => self.jump(stmt, context).unwrap_or(goal),
            Kind::Block(body) if !is_end => self.block(body, goal, context),
            Kind::Unless { main, escape } if !is_end => {
                let inner = self.with_escape(escape, goal, context);
                self.block(main, goal, &inner)
            }
            Kind::Atomic(body) if !is_end => {
                let inner = atomic(context);
                Goal { node: self.block(body, goal, &inner).node, mode: context.mode }
            }
            Kind::Do(options) if context.d_step.is_none() || context.begun => {
                let node = self.repetition(stmt, options, goal, context);
                Goal { node, mode: context.mode }
            }
            _ => {
                let heads = self.heads(stmt, goal, context);
                let label = stmt.labels.first().cloned();
                let node = self.add(Node::Spot(Spot { heads, span: stmt.span, is_end, label }));
                Goal { node, mode: context.mode }
            }
        };
        self.bind(stmt, made.node);
        made
    }

    fn jump(&mut self, stmt: &'s Stmt, context: &Context) -> Option<Goal> {
        let Kind::Goto(label) = &stmt.kind else { return context.exit };
        let (node, in_atomic) = *self.labels.get(label.as_str())?;
        let mode = match context.mode {
            Mode::Atomic if !in_atomic => Mode::Free,
            mode => mode,
        };
        Some(Goal { node, mode })
    }

    fn with_escape(&mut self, escape: &'s Block, goal: Goal, context: &Context) -> Context {
        let heads = self.heads_of_block(escape, goal, context);
        self.escapes.push(heads);
        let mut inner = context.clone();
        inner.escapes.push(self.escapes.len() - 1);
        inner
    }

    /// The statements that a statement can begin with.
    fn heads(&mut self, stmt: &'s Stmt, goal: Goal, context: &Context) -> Vec<Head<'s>> {
        let one = |goal, passes| {
            let Context { escapes, d_step, begun, .. } = context.clone();
            vec![Head { stmt, passes, goal, escapes, d_step, begun }]
        };
        match &stmt.kind {
            Kind::Goto(_) | Kind::Break => one(self.jump(stmt, context).unwrap_or(goal), true),
            Kind::If(options) => self.options(options, goal, context),
            Kind::Do(options) => {
                let again = self.repetition(stmt, options, goal, &begun(context));
                let Node::Spot(spot) = &self.nodes[again.0] else { return Vec::new() };
                let mut heads = spot.heads.clone();
                for head in &mut heads {
                    (head.escapes, head.begun) = (context.escapes.clone(), context.begun);
                }
                heads
            }
            Kind::Atomic(body) => self.heads_of_block(body, goal, &atomic(context)),
            Kind::DStep(body) => {
                let mut inner = Context { mode: Mode::DStep, ..context.clone() };
                self.d_steps += 1;
                inner.d_step = Some(self.d_steps);
                self.heads_of_block(body, goal, &inner)
            }
            Kind::Block(body) => self.heads_of_block(body, goal, context),
            Kind::Unless { main, escape } => {
                let inner = self.with_escape(escape, goal, context);
                self.heads_of_block(main, goal, &inner)
            }
            _ => one(goal, false),
        }
    }

    /// A loop: the place that it comes back to.
    fn repetition(
        &mut self,
        stmt: &'s Stmt,
        options: &'s [Block],
        exit: Goal,
        context: &Context,
    ) -> NodeId {
        let again = self.add(Node::Alias(None));
        let back = Goal { node: again, mode: context.mode };
        let inner = Context { exit: Some(exit), ..context.clone() };
        let heads = self.options(options, back, &inner);
        let label = stmt.labels.first().cloned();
        let is_end = stmt.labels.iter().any(|label| label.starts_with("end"));
        self.nodes[again.0] = Node::Spot(Spot { heads, span: stmt.span, is_end, label });
        again
    }

    fn options(&mut self, options: &'s [Block], goal: Goal, context: &Context) -> Vec<Head<'s>> {
        let mut heads: Vec<Head<'s>> = Vec::new();
        for option in options {
            heads.extend(self.heads_of_block(option, goal, context));
        }
        // `else` is for when nothing else is left.
        heads.sort_by_key(|head| matches!(head.stmt.kind, Kind::Else));
        heads
    }

    fn heads_of_block(&mut self, block: &'s Block, goal: Goal, context: &Context) -> Vec<Head<'s>> {
        let mut stmts = block.as_slice();
        while let [first, rest @ ..] = stmts
            && super::prepare::is_declaration(first)
        {
            stmts = rest;
        }
        let [first, rest @ ..] = stmts else { return Vec::new() };
        let goal = self.block(rest, goal, &begun(context));
        let heads = self.heads(first, goal, context);
        if !first.labels.is_empty() {
            let (heads, label) = (heads.clone(), first.labels.first().cloned());
            let is_end = first.labels.iter().any(|label| label.starts_with("end"));
            let node = self.add(Node::Spot(Spot { heads, span: first.span, is_end, label }));
            self.bind(first, node);
        }
        heads
    }
}

/// Behind the first statement. Inside of a d_step nothing interrupts any more.
fn begun(context: &Context) -> Context {
    match context.d_step {
        Some(_) => Context { escapes: Vec::new(), begun: true, ..context.clone() },
        None => context.clone(),
    }
}

fn atomic(context: &Context) -> Context {
    let mode = match context.mode {
        Mode::DStep => Mode::DStep,
        _ => Mode::Atomic,
    };
    Context { mode, ..context.clone() }
}
