//! What processes do to variables: which are shared, and what may not be.

use crate::tree::{
    Argument, Communication, Creation, Expr, ExprKind, MessageField, Owner, PathStep, Place,
    Printed, ProcessId, Program, Role, Statement, StatementKind, VariableId,
};
use auspex_system::{Diagnostic, Span};
use std::collections::BTreeSet;

/// What a piece of program does, not counting what it calls.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    pub reads: BTreeSet<VariableId>,
    pub writes: BTreeSet<VariableId>,
    pub calls: BTreeSet<ProcessId>,
    /// Processes it creates, where, and whether that may be more than once.
    pub creates: Vec<(ProcessId, Span, bool)>,
    /// Variables of others that are passed to concurrent processes.
    pub lent: BTreeSet<VariableId>,
    pub communicates: bool,
}

impl Effects {
    pub fn of(statements: &[Statement]) -> Self {
        let mut effects = Effects::default();
        effects.block(statements, false);
        effects
    }

    pub fn of_expr(expr: &Expr) -> Self {
        let mut effects = Effects::default();
        effects.expr(expr);
        effects
    }

    fn block(&mut self, statements: &[Statement], repeated: bool) {
        statements.iter().for_each(|statement| self.statement(statement, repeated));
    }

    fn statement(&mut self, statement: &Statement, repeated: bool) {
        match &statement.kind {
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
                self.calls.insert(*process);
                self.arguments(arguments);
            }
            StatementKind::Create(creations) => {
                creations.iter().for_each(|creation| self.creation(creation, repeated));
            }
            StatementKind::Add { target, amount: value, .. }
            | StatementKind::Include { target, element: value, .. } => {
                self.read(target);
                self.write(target);
                self.expr(value);
            }
            StatementKind::New(places) => {
                // A new channel is a part of the state.
                self.communicates = true;
                places.iter().for_each(|place| self.write(place));
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
                self.communicates = true;
                self.read(io);
                self.expr(address);
                self.write(target);
            }
            StatementKind::PortOut { io, address, value, .. } => {
                self.communicates = true;
                self.read(io);
                self.expr(address);
                self.expr(value);
            }
            StatementKind::Communicate(communication) => self.communication(communication),
            StatementKind::Select(clauses) => {
                for clause in clauses {
                    self.communication(&clause.communication);
                    clause.guard.iter().for_each(|guard| self.expr(guard));
                    self.block(&clause.body, repeated);
                }
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expr(condition);
                    self.block(body, repeated);
                }
                self.block(otherwise, repeated);
            }
            StatementKind::While { condition, body } => {
                self.expr(condition);
                self.block(body, true);
            }
            StatementKind::Repeat { body, until } => {
                self.block(body, true);
                self.expr(until);
            }
            StatementKind::For { variable, from, to, body, .. } => {
                self.write(variable);
                self.read(variable);
                self.expr(from);
                self.expr(to);
                self.block(body, true);
            }
            StatementKind::Loop { body } => self.block(body, true),
            StatementKind::Case { value, arms, otherwise } => {
                self.expr(value);
                arms.iter().for_each(|arm| self.block(&arm.body, repeated));
                self.block(otherwise.as_deref().unwrap_or(&[]), repeated);
            }
            StatementKind::Choice(alternatives) => {
                alternatives.iter().for_each(|body| self.block(body, repeated));
            }
            StatementKind::Reschedule
            | StatementKind::Accept
            | StatementKind::NoMove
            | StatementKind::Exit
            | StatementKind::Return => {}
        }
    }

    fn creation(&mut self, creation: &Creation, repeated: bool) {
        let again = self.creates.iter().any(|(process, _, _)| *process == creation.process);
        self.creates.push((creation.process, creation.span, repeated || again));
        self.arguments(&creation.arguments);
        for argument in &creation.arguments {
            if let Argument::Reference(place) = argument {
                self.lent.insert(place.variable);
            }
        }
        creation.deadline.iter().chain(&creation.period).for_each(|time| self.expr(time));
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            match argument {
                Argument::Value(value) => self.expr(value),
                Argument::Copy(place) => self.read(place),
                Argument::Reference(place) | Argument::Open(place) => {
                    self.read(place);
                    self.write(place);
                }
                Argument::CopyText(_) | Argument::OpenText(_) => {}
            }
        }
    }

    fn communication(&mut self, communication: &Communication) {
        self.communicates = true;
        self.read(&communication.port);
        for field in &communication.fields {
            match field {
                MessageField::Send(value) | MessageField::Match(value) => self.expr(value),
                MessageField::SendCopy(place) => self.read(place),
                MessageField::SendText(_) => {}
                MessageField::Receive(place) => self.write(place),
            }
        }
    }

    fn read(&mut self, place: &Place) {
        self.reads.insert(place.variable);
        self.path(place);
    }

    fn write(&mut self, place: &Place) {
        self.writes.insert(place.variable);
        self.path(place);
    }

    fn path(&mut self, place: &Place) {
        for step in &place.path {
            if let PathStep::Index { index, .. } = step {
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Load(place) => self.read(place),
            ExprKind::Length(variable) => {
                self.reads.insert(*variable);
            }
            ExprKind::Unary(_, operand)
            | ExprKind::Cast(_, operand)
            | ExprKind::Check(_, operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) | ExprKind::Range(left, right) => {
                self.expr(left);
                self.expr(right);
            }
        }
    }
}

/// What each process and the module bodies do, with all that they call.
struct Whole {
    processes: Vec<Effects>,
    bodies: Effects,
}

impl Whole {
    fn of(program: &Program) -> Self {
        let own: Vec<Effects> = program.processes.iter().map(|p| Effects::of(&p.body)).collect();
        let mut bodies = Effects::default();
        program.modules.iter().for_each(|module| bodies.block(&module.body, false));
        let reach = |start: &Effects| {
            let mut whole = start.clone();
            let mut open: Vec<ProcessId> = start.calls.iter().copied().collect();
            let mut done = BTreeSet::new();
            while let Some(process) = open.pop() {
                if !done.insert(process) {
                    continue;
                }
                let called = &own[process.0 as usize];
                whole.reads.extend(&called.reads);
                whole.writes.extend(&called.writes);
                whole.lent.extend(&called.lent);
                whole.creates.extend(called.creates.iter().copied());
                whole.communicates |= called.communicates;
                open.extend(&called.calls);
            }
            whole.calls = done;
            whole
        };
        Whole { processes: own.iter().map(reach).collect(), bodies: reach(&bodies) }
    }
}

/// Marks what concurrent processes share; what nobody could see is an error.
pub fn mark_shared(program: &mut Program, errors: &mut Vec<Diagnostic>) {
    let whole = Whole::of(program);
    let started = started(&whole);
    let mut shared: BTreeSet<VariableId> = BTreeSet::new();
    let all = std::iter::once(&whole.bodies).chain(&whole.processes);
    all.clone().for_each(|effects| shared.extend(&effects.lent));
    // Variables of modules: several processes, or one of which there may be several.
    let mut users: Vec<u32> = vec![0; program.variables.len()];
    let mut count = |effects: &Effects, times: u32| {
        for variable in effects.reads.union(&effects.writes) {
            users[variable.0 as usize] += times;
        }
    };
    count(&whole.bodies, 1);
    for (process, several) in &started {
        count(&whole.processes[process.0 as usize], if *several { 2 } else { 1 });
    }
    for (index, variable) in program.variables.iter().enumerate() {
        if matches!(variable.owner, Owner::Module(_)) && users[index] > 1 {
            shared.insert(VariableId(index as u32));
        }
    }
    // Variables of an outer process, from a concurrent one that is declared inside.
    for effects in all {
        for (process, span, _) in &effects.creates {
            let created = &whole.processes[process.0 as usize];
            for id in created.reads.union(&created.writes) {
                let variable = program.variable(*id);
                if !is_outside(program, *process, variable.owner) {
                    continue;
                }
                if variable.role == Role::Reference {
                    errors.push(unseen(program, *process, *id, *span));
                }
                shared.insert(*id);
            }
        }
    }
    outlive(program, &whole, errors);
    errors.sort_by_key(|error| error.span);
    errors.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    for id in shared {
        program.variables[id.0 as usize].shared = true;
    }
    for process in program.processes.iter().filter(|process| process.is_property) {
        let effects = Effects::of(&process.body);
        for callee in effects.calls {
            let called = &whole.processes[callee.0 as usize];
            let touches = called
                .writes
                .iter()
                .any(|id| matches!(program.variable(*id).owner, Owner::Module(_)));
            if called.communicates || !called.creates.is_empty() || touches {
                let name = &program.process(callee).name;
                let message = format!("the property `{}` cannot call `{name}`", process.name);
                errors.push(
                    Diagnostic::error(process.span, message)
                        .label("a property only watches")
                        .note(program.process(callee).span, "this does more than that"),
                );
            }
        }
    }
}

/// A call is over before the concurrent processes that were created in it are: they must not use its variables.
fn outlive(program: &Program, whole: &Whole, errors: &mut Vec<Diagnostic>) {
    let all = || std::iter::once(&whole.bodies).chain(&whole.processes);
    let called: BTreeSet<ProcessId> = all().flat_map(|effects| &effects.calls).copied().collect();
    let error = |span: Span, callee: ProcessId| {
        let callee = program.process(callee);
        let message = format!("a concurrent process uses variables of a call of `{}`", callee.name);
        Diagnostic::error(span, message)
            .label("the call does not wait for it")
            .note(callee.span, "its variables are gone when it has returned")
            .hint("CREATE that process too, or pass copies of the values")
    };
    for id in all().flat_map(|effects| &effects.lent) {
        let variable = program.variable(*id);
        if let Owner::Process(owner) = variable.owner
            && called.contains(&owner)
        {
            errors.push(error(variable.span, owner));
        }
    }
    for (process, span, _) in all().flat_map(|effects| &effects.creates) {
        let created = &whole.processes[process.0 as usize];
        let outside = |id: &VariableId| is_outside(program, *process, program.variable(*id).owner);
        let inner = |(inner, _, _): &(ProcessId, Span, bool)| {
            let outer = program.process(*inner).outer;
            outer.is_some_and(|outer| is_outside(program, *process, Owner::Process(outer)))
        };
        let needs =
            created.reads.union(&created.writes).any(outside) || created.creates.iter().any(inner);
        let around = |id: &ProcessId| is_outside(program, *process, Owner::Process(*id));
        if needs && let Some(callee) = called.iter().find(|id| around(id)) {
            errors.push(error(*span, *callee));
        }
    }
}

/// Is an owner a process around another one?
fn is_outside(program: &Program, process: ProcessId, owner: Owner) -> bool {
    let mut outer = program.process(process).outer;
    while let Some(id) = outer {
        if owner == Owner::Process(id) {
            return true;
        }
        outer = program.process(id).outer;
    }
    false
}

fn unseen(program: &Program, process: ProcessId, variable: VariableId, span: Span) -> Diagnostic {
    let (process, variable) = (program.process(process), program.variable(variable));
    let message = format!(
        "the concurrent process `{}` uses the VAR parameter `{}`",
        process.name, variable.name
    );
    Diagnostic::error(span, message)
        .label("nobody can see here which variable is shared")
        .note(variable.span, "declared here")
        .hint("copy the value into a variable first")
}

/// The processes that run concurrently, and whether there may be several of each.
fn started(whole: &Whole) -> Vec<(ProcessId, bool)> {
    let mut found: Vec<(ProcessId, bool)> = Vec::new();
    let mut open: Vec<(ProcessId, bool)> =
        whole.bodies.creates.iter().map(|(process, _, several)| (*process, *several)).collect();
    while let Some((process, several)) = open.pop() {
        match found.iter_mut().find(|(other, _)| *other == process) {
            Some((_, known)) if *known => continue,
            // A second time, in whatever way.
            Some((_, known)) => *known = true,
            None => found.push((process, several)),
        }
        let several = found.iter().any(|(other, several)| *other == process && *several);
        let created = &whole.processes[process.0 as usize].creates;
        open.extend(created.iter().map(|(inner, _, again)| (*inner, *again || several)));
    }
    found
}
