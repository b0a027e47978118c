//! The statements of a program, flat: what each reads and writes, and what it belongs to.

use super::safe;
use crate::check::Effects;
use crate::tree::{
    Argument, Communication, Creation, Expr, MessageField, ModuleId, PathStep, Place, Printed,
    ProcessId, Program, Statement, StatementKey, StatementKind, VariableId,
};

/// The numbers of the messages of `SYSTEM.IOPORT`.
const PORT_IN: u32 = 0;
const PORT_OUT: u32 = 1;
const VALUE: u32 = 2;

/// Whose body a statement is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    Module(ModuleId),
    Process(ProcessId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has no effect but on variables, does not wait, and cannot go wrong.
    Harmless,
    Assert,
    Exit,
    Return,
    Clause,
    Other,
}

/// What of a statement can be left out for itself.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Nothing: it is evaluated when the statement is.
    Always,
    /// An argument: if the parameter is used.
    Parameter(VariableId),
    /// A place of a NEW: if what is there matters.
    Relevant(VariableId),
}

#[derive(Clone, Debug)]
pub struct Part {
    pub trigger: Trigger,
    pub reads: Vec<VariableId>,
    /// Named, but its value is not needed.
    pub mentions: Vec<VariableId>,
}

/// A statement or a clause.
pub struct Node {
    pub key: StatementKey,
    pub body: Body,
    pub parent: Option<usize>,
    pub kind: Kind,
    pub parts: Vec<Part>,
    pub writes: Vec<VariableId>,
    /// Ports and numbers of messages.
    pub messages: Vec<(VariableId, u32)>,
    /// The processes that it calls or creates.
    pub starts: Vec<ProcessId>,
    pub creates: bool,
    /// Is it repeated by a statement around it?
    pub in_loop: bool,
    /// For an EXIT: the LOOP that it leaves.
    pub leaves: Option<usize>,
    /// May it end an action, not counting what it calls?
    pub ends_action: bool,
    pub span: auspex_system::Span,
}

pub struct Graph {
    pub nodes: Vec<Node>,
}

impl Graph {
    pub fn of(program: &Program) -> Self {
        let mut builder = Builder { program, nodes: Vec::new(), loops: Vec::new(), depth: 0 };
        for module in &program.modules {
            builder.block(&module.body, Body::Module(module.id), None);
        }
        for (index, process) in program.processes.iter().enumerate() {
            builder.block(&process.body, Body::Process(ProcessId(index as u32)), None);
        }
        Graph { nodes: builder.nodes }
    }
}

/// The blocks in a statement, but for those of a SELECT.
pub fn blocks(kind: &StatementKind) -> Vec<&[Statement]> {
    match kind {
        StatementKind::If { arms, otherwise } => {
            let arms = arms.iter().map(|(_, body)| body.as_slice());
            arms.chain([otherwise.as_slice()]).collect()
        }
        StatementKind::While { body, .. }
        | StatementKind::Repeat { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::Loop { body } => vec![body],
        StatementKind::Case { arms, otherwise, .. } => {
            let arms = arms.iter().map(|arm| arm.body.as_slice());
            arms.chain(otherwise.as_deref()).collect()
        }
        StatementKind::Choice(alternatives) => alternatives.iter().map(Vec::as_slice).collect(),
        _ => Vec::new(),
    }
}

struct Builder<'p> {
    program: &'p Program,
    nodes: Vec<Node>,
    /// The LOOPs around.
    loops: Vec<usize>,
    /// How many repeating statements are around.
    depth: u32,
}

/// What one statement touches.
#[derive(Default)]
struct Touched {
    parts: Vec<Part>,
    reads: Vec<VariableId>,
    mentions: Vec<VariableId>,
    writes: Vec<VariableId>,
    messages: Vec<(VariableId, u32)>,
    starts: Vec<ProcessId>,
}

impl Touched {
    fn expr(&mut self, expr: &Expr) {
        self.reads.extend(Effects::of_expr(expr).reads);
    }

    fn path(&mut self, place: &Place) {
        for step in &place.path {
            if let PathStep::Index { index, .. } = step {
                self.expr(index);
            }
        }
    }

    fn read(&mut self, place: &Place) {
        self.reads.push(place.variable);
        self.path(place);
    }

    fn write(&mut self, place: &Place) {
        self.writes.push(place.variable);
        self.mentions.push(place.variable);
        self.path(place);
    }

    fn communication(&mut self, communication: &Communication) {
        self.read(&communication.port);
        self.messages.push((communication.port.variable, communication.message));
        for field in &communication.fields {
            match field {
                MessageField::Send(value) | MessageField::Match(value) => self.expr(value),
                MessageField::SendCopy(place) => self.read(place),
                MessageField::SendText(_) => {}
                MessageField::Receive(place) => self.write(place),
            }
        }
    }

    /// What is touched from here on counts only for the trigger.
    fn part(&mut self, trigger: Trigger, touch: impl FnOnce(&mut Self)) {
        let mut inner = Touched::default();
        touch(&mut inner);
        self.parts.push(Part { trigger, reads: inner.reads, mentions: inner.mentions });
    }

    fn arguments(&mut self, program: &Program, process: ProcessId, arguments: &[Argument]) {
        let parameters = &program.process(process).parameters;
        for (parameter, argument) in parameters.iter().zip(arguments) {
            self.part(Trigger::Parameter(*parameter), |touched| match argument {
                Argument::Value(value) => touched.expr(value),
                Argument::Copy(place) => touched.read(place),
                // Whether its value matters is that of the parameter: they are one.
                Argument::Reference(place) | Argument::Open(place) => {
                    touched.mentions.push(place.variable);
                    touched.path(place);
                }
                Argument::CopyText(_) | Argument::OpenText(_) => {}
            });
        }
    }

    fn creation(&mut self, program: &Program, creation: &Creation) {
        self.starts.push(creation.process);
        self.arguments(program, creation.process, &creation.arguments);
        for time in creation.deadline.iter().chain(&creation.period) {
            self.expr(time);
        }
    }

    fn simple(&mut self, program: &Program, kind: &StatementKind) {
        match kind {
            StatementKind::Assign { target, value } => {
                self.write(target);
                self.expr(value);
            }
            StatementKind::Copy { target, source } => {
                self.write(target);
                self.read(source);
            }
            StatementKind::CopyText { target, .. }
            | StatementKind::Input { target }
            | StatementKind::Clock { target } => self.write(target),
            StatementKind::Call { process, arguments } => {
                self.starts.push(*process);
                self.arguments(program, *process, arguments);
            }
            StatementKind::Create(creations) => {
                creations.iter().for_each(|creation| self.creation(program, creation));
            }
            StatementKind::Add { target, amount: value, .. }
            | StatementKind::Include { target, element: value, .. } => {
                self.read(target);
                self.write(target);
                self.expr(value);
            }
            StatementKind::New(places) => {
                for place in places {
                    self.part(Trigger::Relevant(place.variable), |touched| touched.write(place));
                }
            }
            StatementKind::Assert(condition) => self.expr(condition),
            StatementKind::Output { value, width, .. } => {
                match value {
                    Some(Printed::Value(value)) => self.expr(value),
                    Some(Printed::Place(place)) => self.read(place),
                    _ => {}
                }
                width.iter().for_each(|width| self.expr(width));
            }
            StatementKind::PortIn { io, address, target } => {
                self.read(io);
                self.expr(address);
                self.write(target);
                self.messages.extend([(io.variable, PORT_IN), (io.variable, VALUE)]);
            }
            StatementKind::PortOut { io, address, value, .. } => {
                self.read(io);
                self.expr(address);
                self.expr(value);
                self.messages.push((io.variable, PORT_OUT));
            }
            StatementKind::Communicate(communication) => self.communication(communication),
            _ => self.conditions(kind),
        }
    }

    /// What decides in a structured statement.
    fn conditions(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::If { arms, .. } => arms.iter().for_each(|(c, _)| self.expr(c)),
            StatementKind::While { condition, .. } => self.expr(condition),
            StatementKind::Repeat { until, .. } => self.expr(until),
            StatementKind::For { variable, from, to, limit, .. } => {
                self.read(variable);
                self.write(variable);
                self.expr(from);
                self.expr(to);
                if let Some(limit) = limit {
                    self.reads.push(*limit);
                    self.writes.push(*limit);
                }
            }
            StatementKind::Case { value, .. } => self.expr(value),
            _ => {}
        }
    }
}

impl Builder<'_> {
    fn block(&mut self, statements: &[Statement], body: Body, parent: Option<usize>) {
        statements.iter().for_each(|statement| self.statement(statement, body, parent));
    }

    fn statement(&mut self, statement: &Statement, body: Body, parent: Option<usize>) {
        let kind = &statement.kind;
        let mut touched = Touched::default();
        touched.simple(self.program, kind);
        let mut node = self.node(statement.key, statement.span, body, parent, touched);
        node.kind = self.kind(kind);
        node.ends_action = ends_action(kind);
        node.creates = matches!(kind, StatementKind::Create(_));
        node.leaves = self.loops.last().copied();
        let own = self.nodes.len();
        self.nodes.push(node);
        let is_loop = matches!(kind, StatementKind::Loop { .. });
        let repeats = is_loop
            || matches!(
                kind,
                StatementKind::While { .. }
                    | StatementKind::Repeat { .. }
                    | StatementKind::For { .. }
            );
        self.depth += u32::from(repeats);
        if is_loop {
            self.loops.push(own);
        }
        for block in blocks(kind) {
            self.block(block, body, Some(own));
        }
        if let StatementKind::Select(clauses) = kind {
            for clause in clauses {
                let mut touched = Touched::default();
                touched.communication(&clause.communication);
                clause.guard.iter().for_each(|guard| touched.expr(guard));
                let node = self.node(clause.key, clause.span, body, Some(own), touched);
                let inner = self.nodes.len();
                self.nodes.push(Node { kind: Kind::Clause, ..node });
                self.block(&clause.body, body, Some(inner));
            }
        }
        if is_loop {
            self.loops.pop();
        }
        self.depth -= u32::from(repeats);
    }

    fn node(
        &self,
        key: StatementKey,
        span: auspex_system::Span,
        body: Body,
        parent: Option<usize>,
        touched: Touched,
    ) -> Node {
        let Touched { mut parts, reads, mentions, writes, messages, starts } = touched;
        parts.push(Part { trigger: Trigger::Always, reads, mentions });
        Node {
            key,
            body,
            parent,
            kind: Kind::Other,
            parts,
            writes,
            messages,
            starts,
            creates: false,
            in_loop: self.depth > 0,
            leaves: None,
            ends_action: false,
            span,
        }
    }

    fn kind(&self, kind: &StatementKind) -> Kind {
        match kind {
            StatementKind::Assert(_) => Kind::Assert,
            StatementKind::Exit => Kind::Exit,
            StatementKind::Return => Kind::Return,
            _ if safe::cannot_fail(&self.program.types, kind) => Kind::Harmless,
            _ => Kind::Other,
        }
    }
}

/// May a statement by itself let others run? (Inputs are asked for at the beginning of an action.)
fn ends_action(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Create(_)
            | StatementKind::Reschedule
            | StatementKind::Input { .. }
            | StatementKind::Clock { .. }
            | StatementKind::PortIn { .. }
            | StatementKind::PortOut { .. }
            | StatementKind::Communicate(_)
            | StatementKind::Select(_)
            | StatementKind::Choice(_)
    )
}
