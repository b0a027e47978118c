//! From the checked program to code.

mod expr;
mod meeting;
mod statement;

use crate::code::{
    ChannelCode, Debug, FieldCode, Globals, MessageCode, NONE, Object, Op, Pc, Place, ProcessCode,
    StatementCode, VariableCode,
};
use crate::tree::{Owner, ProcessId, Program, Role, Variable, VariableId};
use crate::types::{Type, TypeId};
use auspex_system::{SourceMap, Span};
use std::collections::HashMap;

/// How a program is compiled.
#[derive(Clone, Default)]
pub struct Options {
    /// End an action after every simple statement.
    pub fine: bool,
}

/// Makes code of a program.
pub fn emit(program: &Program, sources: &SourceMap, options: &Options) -> Object {
    let mut emitter = Emitter::new(program, sources, options);
    emitter.lay_out();
    emitter.bodies();
    for index in 0..program.processes.len() {
        emitter.process(ProcessId(index as u32));
    }
    emitter.object
}

/// Adds code that leaves the value of an expression behind: a proposition, or something to watch.
pub fn emit_expression(
    object: &mut Object,
    program: &Program,
    sources: &SourceMap,
    expr: &crate::tree::Expr,
) -> Pc {
    let options = Options::default();
    let mut emitter = Emitter::new(program, sources, &options);
    emitter.lay_out();
    std::mem::swap(&mut emitter.object, object);
    let start = emitter.here();
    emitter.expr(expr);
    emitter.op(Op::Decided);
    std::mem::swap(&mut emitter.object, object);
    start
}

struct Emitter<'p> {
    program: &'p Program,
    sources: &'p SourceMap,
    options: &'p Options,
    object: Object,
    /// Where each variable lies in its activation record, or among those of modules.
    offsets: Vec<u32>,
    channels: HashMap<Vec<(String, Vec<TypeId>)>, u16>,
    texts: Vec<u32>,
    files: HashMap<u32, u32>,
    places: HashMap<Place, u32>,
    /// The process that code is made for; `None`: bodies of modules.
    process: Option<ProcessId>,
    span: Option<Span>,
    statement: u32,
    /// Where EXITs of the open LOOPs jump from.
    exits: Vec<Vec<Pc>>,
    returns: Vec<Pc>,
}

impl<'p> Emitter<'p> {
    fn new(program: &'p Program, sources: &'p SourceMap, options: &'p Options) -> Self {
        let name = program.modules.get(program.main).map_or("", |module| &module.name);
        let object = Object {
            name: name.to_owned(),
            code: Vec::new(),
            choices: Vec::new(),
            texts: Vec::new(),
            globals: Globals::default(),
            processes: Vec::new(),
            channels: Vec::new(),
            main: program.processes.len() as u32,
            properties: Vec::new(),
            debug: Debug { types: program.types.clone(), ..Debug::default() },
        };
        Emitter {
            program,
            sources,
            options,
            object,
            offsets: vec![0; program.variables.len()],
            channels: HashMap::new(),
            texts: Vec::new(),
            files: HashMap::new(),
            places: HashMap::new(),
            process: None,
            span: None,
            statement: NONE,
            exits: Vec::new(),
            returns: Vec::new(),
        }
    }

    /// Gives every variable, text and channel type its place.
    fn lay_out(&mut self) {
        for text in &self.program.texts {
            self.texts.push(self.object.texts.len() as u32);
            self.object.texts.extend_from_slice(text);
            self.object.texts.push(0);
        }
        let mut globals = Globals::default();
        let mut shown = Vec::new();
        let main = self.program.modules.get(self.program.main).map(|module| module.id);
        for module in &self.program.modules {
            let prefix =
                if Some(module.id) == main { String::new() } else { format!("{}.", module.name) };
            for id in &module.variables {
                let variable = self.program.variable(*id);
                self.offsets[id.0 as usize] = globals.size;
                self.program.types.ports(variable.ty, globals.size, &mut globals.ports);
                if variable.role == Role::System {
                    self.system_channel(*id, &mut globals);
                }
                let prefix = if variable.role == Role::System { "" } else { prefix.as_str() };
                shown.extend(self.debug_variable(*id, globals.size, prefix));
                globals.size += self.program.types.size(variable.ty).unwrap_or(0);
            }
        }
        self.object.globals = globals;
        self.object.debug.globals = shown;
        for index in 0..self.program.processes.len() {
            self.lay_out_process(ProcessId(index as u32));
        }
        // The one that executes the bodies of the modules.
        self.object.processes.push(ProcessCode {
            name: self.object.name.clone(),
            entry: 0,
            size: 0,
            ports: Vec::new(),
            shares: true,
        });
        self.object.debug.locals.push(Vec::new());
    }

    /// Interrupts have channels from the beginning, and so has the port of devices that nobody gives one.
    fn system_channel(&mut self, id: VariableId, globals: &mut Globals) {
        let program = self.program;
        let Variable { name, ty, .. } = program.variable(id);
        let number = name.strip_prefix("SYSTEM.Interrupt").and_then(|n| n.parse::<u32>().ok());
        let has_devices = program.io_port == Some(id) && !program.io_port_is_given;
        if number.is_some() || has_devices {
            let channel = self.channel(*ty);
            globals.interrupts.push((number, globals.size, channel));
        }
    }

    fn lay_out_process(&mut self, id: ProcessId) {
        let process = self.program.process(id);
        let mut size = if process.level > 0 { 8 } else { 0 };
        let mut ports = Vec::new();
        let mut shown = Vec::new();
        let mut shares = false;
        for variable_id in &process.variables {
            let variable = self.program.variable(*variable_id);
            self.offsets[variable_id.0 as usize] = size;
            let open = matches!(self.program.types.get(variable.ty), Type::OpenArray { .. });
            shown.extend(self.debug_variable(*variable_id, size, ""));
            shares |= variable.shared;
            match variable.role {
                _ if open => size += 12,
                Role::Reference => size += 8,
                _ => {
                    self.program.types.ports(variable.ty, size, &mut ports);
                    size += self.program.types.size(variable.ty).unwrap_or(0);
                }
            }
        }
        let effects = crate::check::Effects::of(&process.body);
        let outside = effects.reads.union(&effects.writes);
        shares |= outside.into_iter().any(|id| self.program.variable(*id).shared);
        if process.is_property {
            self.object.properties.push(id.0);
            let place = self.place(process.span);
            self.object.debug.properties.push(place);
        }
        let name = process.name.clone();
        self.object.processes.push(ProcessCode { name, entry: 0, size, ports, shares });
        self.object.debug.locals.push(shown);
    }

    fn debug_variable(&self, id: VariableId, offset: u32, prefix: &str) -> Option<VariableCode> {
        let variable = self.program.variable(id);
        if variable.role == Role::Hidden {
            return None;
        }
        let open = matches!(self.program.types.get(variable.ty), Type::OpenArray { .. });
        Some(VariableCode {
            name: format!("{prefix}{}", variable.name),
            offset,
            ty: variable.ty,
            by_reference: open || variable.role == Role::Reference,
            shared: variable.shared,
        })
    }

    /// The number of a channel type; those that are the same have the same.
    fn channel(&mut self, ty: TypeId) -> u16 {
        let Type::Channel { messages } = self.program.types.get(ty) else { return 0 };
        let types = &self.program.types;
        // Types of fields that are the same have one representative.
        let key: Vec<(String, Vec<TypeId>)> =
            messages.iter().map(|message| (message.name.clone(), message.fields.clone())).collect();
        if let Some(known) = self.channels.get(&key) {
            return *known;
        }
        let field = |ty: &TypeId| {
            let mut ports = Vec::new();
            types.ports(*ty, 0, &mut ports);
            let bytes = types.size(*ty).unwrap_or(0);
            FieldCode { bytes, scalar: types.as_scalar(*ty), ports, ty: *ty }
        };
        let message = |message: &crate::types::MessageType| MessageCode {
            name: message.name.clone(),
            fields: message.fields.iter().map(field).collect(),
        };
        let code = ChannelCode { messages: messages.iter().map(message).collect() };
        let number = self.object.channels.len() as u16;
        self.object.channels.push(code);
        self.channels.insert(key, number);
        number
    }

    /// The bodies of all modules, one after the other, as one process.
    fn bodies(&mut self) {
        let main = self.object.main as usize;
        self.object.processes[main].entry = self.here();
        for module in &self.program.modules {
            self.block(&module.body);
            let end = self.here();
            self.end_returns(end);
            self.span = Some(module.end);
            self.statement = NONE;
        }
        if self.program.modules.is_empty() {
            self.span = None;
        }
        self.op(Op::End);
    }

    fn process(&mut self, id: ProcessId) {
        let process = self.program.process(id);
        self.process = Some(id);
        self.object.processes[id.0 as usize].entry = self.here();
        self.block(&process.body);
        let end = self.here();
        self.end_returns(end);
        self.span = Some(process.end);
        self.statement = NONE;
        self.op(Op::Return);
        self.process = None;
    }

    fn end_returns(&mut self, end: Pc) {
        for at in std::mem::take(&mut self.returns) {
            self.patch(at, end);
        }
    }

    fn here(&self) -> Pc {
        self.object.code.len() as Pc
    }

    fn op(&mut self, op: Op) -> Pc {
        let place = match self.span {
            Some(span) => self.place_number(span),
            None => NONE,
        };
        self.object.code.push(op);
        self.object.debug.ops.push((place, self.statement));
        self.here() - 1
    }

    /// As `op`, with a place of its own: what goes wrong there is shown there.
    fn op_at(&mut self, span: Span, op: Op) -> Pc {
        let before = self.span.replace(span);
        let at = self.op(op);
        self.span = before;
        at
    }

    fn patch(&mut self, at: Pc, to: Pc) {
        if let Some(
            Op::Jump(target)
            | Op::JumpIf(target)
            | Op::JumpIfNot(target)
            | Op::JumpCompare { to: target, .. },
        ) = self.object.code.get_mut(at as usize)
        {
            *target = to;
        }
    }

    fn place(&mut self, span: Span) -> Place {
        let location = self.sources.location(span);
        let files = &mut self.object.debug.files;
        let file = *self.files.entry(span.file.0).or_insert_with(|| {
            let known = files.iter().position(|file| **file == *location.file);
            known.unwrap_or_else(|| {
                files.push(location.file.to_string());
                files.len() - 1
            }) as u32
        });
        Place { file, line: location.line, column: location.column }
    }

    fn place_number(&mut self, span: Span) -> u32 {
        let place = self.place(span);
        let places = &mut self.object.debug.places;
        *self.places.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() as u32 - 1
        })
    }

    /// A statement begins here; `text` is what people are shown of it.
    fn begin(&mut self, span: Span, text: Span) {
        let place = self.place_number(span);
        let words: Vec<&str> = self.sources.snippet(text).split_whitespace().collect();
        let process = self.process.map_or(self.object.main, |process| process.0);
        let start = self.here();
        self.statement = self.object.debug.statements.len() as u32;
        self.object.debug.statements.push(StatementCode {
            start,
            place,
            text: words.join(" "),
            process,
        });
        self.span = Some(span);
    }

    fn owner(&self) -> Option<Owner> {
        self.process.map(Owner::Process)
    }
}
