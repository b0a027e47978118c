//! Which variables can hold the same channels: a unification over all that copies ports (Steensgaard's way). It knows no
//! order of statements and no parts of variables, so it joins too much at worst.

use crate::ast::Direction;
use crate::tree::{
    Argument, Communication, Expr, ExprKind, MessageField, Place, ProcessId, Program, Statement,
    StatementKind, VariableId,
};
use crate::types::TypeId;

/// A set of channels that cannot be told apart.
pub type ClassId = usize;

pub struct Channels {
    parent: Vec<ClassId>,
    /// The channels that are sent over those of a class.
    payload: Vec<Option<ClassId>>,
}

impl Channels {
    pub fn of(program: &Program) -> Self {
        let count = program.variables.len();
        let channels = Channels { parent: (0..count).collect(), payload: vec![None; count] };
        let mut flow = Flow { program, channels };
        program.modules.iter().for_each(|module| flow.block(&module.body));
        program.processes.iter().for_each(|process| flow.block(&process.body));
        flow.channels
    }

    pub fn class(&self, variable: VariableId) -> ClassId {
        self.find(variable.0 as usize)
    }

    fn find(&self, mut at: ClassId) -> ClassId {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn union(&mut self, a: ClassId, b: ClassId) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.parent[b] = a;
            match (self.payload[a], self.payload[b]) {
                (Some(a), Some(b)) => open.push((a, b)),
                (None, other) => self.payload[a] = other,
                _ => {}
            }
        }
    }

    fn payload(&mut self, of: ClassId) -> ClassId {
        let of = self.find(of);
        if let Some(known) = self.payload[of] {
            return known;
        }
        let new = self.parent.len();
        self.parent.push(new);
        self.payload.push(None);
        self.payload[of] = Some(new);
        new
    }
}

struct Flow<'p> {
    program: &'p Program,
    channels: Channels,
}

impl Flow<'_> {
    fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                self.value(target.variable.0 as usize, value);
            }
            StatementKind::Copy { target, source } => {
                self.place(target.variable.0 as usize, source);
            }
            StatementKind::Call { process, arguments } => self.arguments(*process, arguments),
            StatementKind::Create(creations) => {
                for creation in creations {
                    self.arguments(creation.process, &creation.arguments);
                }
            }
            StatementKind::Communicate(communication) => self.communication(communication),
            StatementKind::Select(clauses) => {
                for clause in clauses {
                    self.communication(&clause.communication);
                    self.block(&clause.body);
                }
            }
            other => super::graph::blocks(other).into_iter().for_each(|block| self.block(block)),
        }
    }

    fn has_ports(&self, ty: TypeId) -> bool {
        let mut ports = Vec::new();
        match self.program.types.get(ty) {
            crate::types::Type::OpenArray { element } => {
                self.program.types.ports(*element, 0, &mut ports);
            }
            _ => self.program.types.ports(ty, 0, &mut ports),
        }
        !ports.is_empty()
    }

    /// The value goes to where channels of this class are.
    fn value(&mut self, class: ClassId, value: &Expr) {
        match &value.kind {
            ExprKind::Load(place) => self.place(class, place),
            ExprKind::Cast(_, inner) | ExprKind::Check(_, inner) => self.value(class, inner),
            // Nothing else gives a port.
            _ => {}
        }
    }

    fn place(&mut self, class: ClassId, place: &Place) {
        if self.has_ports(place.ty) {
            self.channels.union(class, place.variable.0 as usize);
        }
    }

    fn arguments(&mut self, process: ProcessId, arguments: &[Argument]) {
        let parameters = self.program.process(process).parameters.clone();
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            let parameter = parameter.0 as usize;
            match argument {
                Argument::Value(value) => self.value(parameter, value),
                Argument::Copy(place) | Argument::Reference(place) | Argument::Open(place) => {
                    self.place(parameter, place);
                }
                Argument::CopyText(_) | Argument::OpenText(_) => {}
            }
        }
    }

    fn communication(&mut self, communication: &Communication) {
        let port = communication.port.variable.0 as usize;
        debug_assert!(matches!(communication.direction, Direction::Send | Direction::Receive));
        for field in &communication.fields {
            match field {
                MessageField::Send(value) | MessageField::Match(value)
                    if self.has_ports(value.ty) =>
                {
                    let payload = self.channels.payload(port);
                    self.value(payload, value);
                }
                MessageField::SendCopy(place) | MessageField::Receive(place)
                    if self.has_ports(place.ty) =>
                {
                    let payload = self.channels.payload(port);
                    self.place(payload, place);
                }
                _ => {}
            }
        }
    }
}
