//! A universal environment for an open program: whatever the program needs and does not have, as text to be refined.

mod any;

use crate::ast::Direction;
use crate::load::Source;
use crate::slice::channels::{Channels, ClassId};
use crate::slice::graph::blocks;
use crate::tree::{
    Argument, Communication, MessageField, Owner, Place, Program, Role, Statement, StatementKind,
    VariableId,
};
use crate::types::{Type, TypeId};
use any::AnyValues;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

/// An environment, and what could not be closed.
pub struct Environment {
    pub text: String,
    pub left_open: Vec<String>,
    /// What the program waits for in vain without it.
    pub missing: Vec<String>,
}

/// Writes what closes a program; `None` if nothing is missing.
pub fn close(source: &Source) -> Option<Environment> {
    let program = &source.program;
    let mut used = Used::default();
    let bodies = program.modules.iter().map(|module| &module.body);
    for body in bodies.chain(program.processes.iter().map(|process| &process.body)) {
        used.block(body);
    }
    let mut writer = Writer {
        source,
        channels: Channels::of(program),
        used,
        any: AnyValues::new(source),
        types: String::new(),
        processes: String::new(),
        start: Vec::new(),
        left_open: Vec::new(),
        missing: Vec::new(),
    };
    writer.ports();
    writer.interrupts();
    writer.devices();
    writer.finish()
}

/// What a program does with ports.
#[derive(Default)]
struct Used {
    messages: Vec<(VariableId, Direction, u32)>,
    /// Ports that get a channel in some way.
    defined: HashSet<VariableId>,
    io: Option<VariableId>,
    /// Addresses that are read and written; `None`: computed ones.
    inputs: BTreeSet<Option<i64>>,
    outputs: BTreeSet<Option<i64>>,
}

impl Used {
    fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::New(places) => places.iter().for_each(|place| self.define(place)),
            StatementKind::Assign { target, .. } | StatementKind::Copy { target, .. } => {
                self.define(target);
            }
            StatementKind::Call { arguments, .. } => self.arguments(arguments),
            StatementKind::Create(creations) => {
                creations.iter().for_each(|creation| self.arguments(&creation.arguments));
            }
            StatementKind::Communicate(communication) => self.communication(communication),
            StatementKind::Select(clauses) => {
                for clause in clauses {
                    self.communication(&clause.communication);
                    self.block(&clause.body);
                }
            }
            StatementKind::PortIn { io, address, .. } => {
                self.io = Some(io.variable);
                self.inputs.insert(address.constant());
            }
            StatementKind::PortOut { io, address, .. } => {
                self.io = Some(io.variable);
                self.outputs.insert(address.constant());
            }
            other => blocks(other).into_iter().for_each(|block| self.block(block)),
        }
    }

    fn define(&mut self, place: &Place) {
        self.defined.insert(place.variable);
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            if let Argument::Reference(place) | Argument::Open(place) = argument {
                self.define(place);
            }
        }
    }

    fn communication(&mut self, communication: &Communication) {
        let Communication { port, direction, message, fields, .. } = communication;
        self.messages.push((port.variable, *direction, *message));
        for field in fields {
            if let MessageField::Receive(place) = field {
                self.define(place);
            }
        }
    }
}

struct Writer<'s> {
    source: &'s Source,
    channels: Channels,
    used: Used,
    any: AnyValues<'s>,
    types: String,
    processes: String,
    /// Statements of the body.
    start: Vec<String>,
    left_open: Vec<String>,
    missing: Vec<String>,
}

impl Writer<'_> {
    fn program(&self) -> &Program {
        &self.source.program
    }

    /// The messages that the program sends to, or receives from, channels of a class.
    fn messages(&self, class: ClassId, direction: Direction) -> BTreeSet<u32> {
        let of_class = |port: VariableId| self.channels.class(port) == class;
        let all = self.used.messages.iter();
        all.filter(|(port, d, _)| *d == direction && of_class(*port)).map(|it| it.2).collect()
    }

    /// Ports of modules on which somebody communicates, and that nobody gives a channel.
    fn ports(&mut self) {
        for index in 0..self.program().variables.len() {
            let id = VariableId(index as u32);
            let variable = self.program().variable(id);
            let Owner::Module(module) = variable.owner else { continue };
            if variable.role == Role::System || self.used.defined.contains(&id) {
                continue;
            }
            let name = self.source.modules.get(module.0 as usize).map(|m| m.name.text.clone());
            let port = format!("{}.{}", name.unwrap_or_default(), variable.name);
            let (ty, own) = (variable.ty, variable.name.clone());
            match self.program().types.get(ty).clone() {
                Type::Channel { .. } => self.port(id, ty, &own, &port, None),
                Type::Array { length, element } => {
                    self.port(id, element, &own, &port, Some(length))
                }
                _ => {}
            }
        }
    }

    fn port(&mut self, id: VariableId, ty: TypeId, own: &str, port: &str, length: Option<u32>) {
        let class = self.channels.class(id);
        let sent = self.messages(class, Direction::Send);
        let received = self.messages(class, Direction::Receive);
        let Type::Channel { messages } = self.program().types.get(ty).clone() else { return };
        if sent.is_empty() && received.is_empty() {
            return;
        }
        let Some(shown) = self.any.type_name(ty) else {
            self.left_open.push(format!("`{port}`: its type has no name outside of a process"));
            return;
        };
        let channel = format!("{}Channel", capital(own));
        let _ = writeln!(self.types, "  {channel} = {shown};");
        let mut created = Vec::new();
        for (number, message) in messages.iter().enumerate() {
            let number = number as u32;
            // What the program receives is sent to it, and the other way round.
            for (needed, sends) in [(&received, true), (&sent, false)] {
                if !needed.contains(&number) {
                    continue;
                }
                let verb = if sends { "Send" } else { "Receive" };
                let name = format!("{verb}{}{}", capital(own), capital(&message.name));
                self.exchange(&name, &channel, &message.name, &message.fields, sends);
                created.push(name);
            }
        }
        self.begin_port(port, &created, length);
    }

    /// NEW, and the processes at the other end.
    fn begin_port(&mut self, port: &str, created: &[String], length: Option<u32>) {
        self.missing.push(format!("`{port}`"));
        match length {
            None => {
                let all: Vec<String> = created.iter().map(|it| format!("{it}({port})")).collect();
                self.start.push(format!("NEW({port})"));
                self.start.push(format!("CREATE {}", all.join(", ")));
            }
            Some(length) => {
                let all: Vec<String> =
                    created.iter().map(|it| format!("{it}({port}[i])")).collect();
                let last = length.saturating_sub(1);
                self.start.push(format!(
                    "FOR i := 0 TO {last} DO\n    NEW({port}[i]);\n    CREATE {}\n  END",
                    all.join(", ")
                ));
            }
        }
    }

    /// A process that sends or receives one message for ever.
    fn exchange(
        &mut self,
        name: &str,
        channel: &str,
        message: &str,
        fields: &[TypeId],
        sends: bool,
    ) {
        let what = match (sends, fields.is_empty()) {
            (true, true) => "sent to the program",
            (true, false) => "sent to the program, with any values",
            (false, _) => "taken from the program",
        };
        let _ = writeln!(self.processes, "\n(* `{message}` is {what}, now or later. *)");
        let _ = writeln!(self.processes, "PROCESS {name}(c: {channel});");
        let mut arguments = Vec::new();
        let mut before = String::new();
        let mut after = String::new();
        for (index, field) in fields.iter().enumerate() {
            let (x, ty) = (format!("x{index}"), self.any.type_name(*field).unwrap_or_default());
            let is_port = matches!(self.program().types.get(*field), Type::Channel { .. });
            let keyword = if is_port { "PORT" } else { "VAR" };
            let _ = writeln!(self.processes, "{keyword} {x}: {ty};");
            if sends && is_port {
                // Whoever refines this lets somebody serve it.
                let _ = write!(before, "NEW({x}); ");
            } else if sends {
                let _ = write!(before, "{}({x}); ", self.any.process(*field));
            }
            for statement in self.any.clear(*field, &x) {
                let _ = write!(after, "; {statement}");
            }
            arguments.push(x);
        }
        let sign = if sends { '!' } else { '?' };
        let list = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        let _ = write!(
            self.processes,
            "BEGIN\n  LOOP\n    CHOICE {before}c{sign}{message}{list}{after}\n    OR RESCHEDULE\n    END\n  END\n\
             END {name};\n"
        );
    }

    /// Interrupts that the program waits for and nobody raises.
    fn interrupts(&mut self) {
        for index in 0..self.program().variables.len() {
            let id = VariableId(index as u32);
            let variable = self.program().variable(id);
            let Some(number) = variable.name.strip_prefix("SYSTEM.Interrupt") else { continue };
            let (name, class) = (format!("Raise{number}"), self.channels.class(id));
            let port = variable.name.clone();
            let waits = !self.messages(class, Direction::Receive).is_empty();
            if variable.role != Role::System
                || !waits
                || !self.messages(class, Direction::Send).is_empty()
            {
                continue;
            }
            let _ = write!(
                self.processes,
                "\n(* The interrupt comes at any time, and again and again. *)\nPROCESS {name};\nBEGIN\n  LOOP\n    \
                 CHOICE {port}!INTERRUPT\n    OR RESCHEDULE\n    END\n  END\nEND {name};\n"
            );
            self.start.push(format!("CREATE {name}"));
            self.missing.push(format!("`{port}`"));
        }
    }

    /// A device at every address that the program reads or writes, if there is none.
    fn devices(&mut self) {
        let Some(io) = self.used.io else { return };
        if !self.messages(self.channels.class(io), Direction::Receive).is_empty() {
            return;
        }
        let value = match self.used.inputs.is_empty() {
            true => String::new(),
            false => self.any.process(crate::types::Types::INTEGER),
        };
        let mut clauses = String::new();
        let guard = |address: &Option<i64>| match address {
            Some(address) => format!(" & (address = {})", number(*address)),
            None => String::new(),
        };
        // Those that are computed come last: any address.
        for address in self.used.inputs.iter().rev() {
            let guard = guard(address);
            let _ = write!(
                clauses,
                "      WHEN SYSTEM.IOPORT?PORTIN(size, address, value){guard} THEN\n        {value}(value);\n        \
                 SYSTEM.IOPORT!VALUE(address, value)\n"
            );
        }
        for address in self.used.outputs.iter().rev() {
            let guard = guard(address);
            let _ = writeln!(
                clauses,
                "      WHEN SYSTEM.IOPORT?PORTOUT(size, address, value){guard} THEN"
            );
        }
        let _ = write!(
            self.processes,
            "\n(* The devices: a PORTIN gets any value, a PORTOUT changes nothing. *)\nPROCESS Devices;\n\
             VAR size: INT8; address, value: INTEGER;\nBEGIN\n  LOOP\n    SELECT\n{clauses}    END;\n    \
             size := 0; address := 0; value := 0\n  END\nEND Devices;\n"
        );
        self.missing.push("PORTIN and PORTOUT".to_owned());
        self.start.push("NEW(SYSTEM.IOPORT)".to_owned());
        self.start.push("CREATE Devices".to_owned());
    }

    fn finish(self) -> Option<Environment> {
        let Writer { source, any, types, processes, mut start, left_open, missing, .. } = self;
        if start.is_empty() && left_open.is_empty() {
            return None;
        }
        let main = source.main().map(|main| main.name.text.clone()).unwrap_or_default();
        start.push("CREATE Idle".to_owned());
        let mut modules = vec!["SYSTEM".to_owned(), main.clone()];
        for module in &source.modules {
            let named = format!("{}.", module.name.text);
            let text = [&types, &processes, &any.text].iter().any(|text| text.contains(&named));
            if (text || start.iter().any(|it| it.contains(&named)))
                && !modules.contains(&module.name.text)
            {
                modules.push(module.name.text.clone());
            }
        }
        let mut text = format!(
            "(* An environment of {main} that can do anything at any time: made by `auspex close`, to be refined.\n\n   \
             auspex check {main}.lf THIS_FILE.lf\n\n   \
             What it can do and the real one cannot gives faults that do not exist: take it away here. *)\n\
             MODULE {main}Env;\nIMPORT {};\n",
            modules.join(", ")
        );
        left_open.iter().for_each(|it| {
            let _ = writeln!(text, "\n(* Left open: {it}. *)");
        });
        text += &any.constants();
        if !types.is_empty() {
            let _ = write!(text, "\nTYPE\n{types}");
        }
        if start.iter().any(|it| it.starts_with("FOR i ")) {
            text += "\nVAR i: INTEGER;\n";
        }
        text += &any.text;
        text += &processes;
        let _ = write!(
            text,
            "\n(* Somebody can always move: as long as this is here no deadlock is found. *)\n\
             PROCESS Idle;\nBEGIN\n  LOOP RESCHEDULE END\nEND Idle;\n\nBEGIN\n  {}\nEND {main}Env.\n",
            start.join(";\n  ")
        );
        Some(Environment { text, left_open, missing })
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An address as drivers write it.
fn number(value: i64) -> String {
    if value < 10 { value.to_string() } else { crate::print::hex(value) }
}
