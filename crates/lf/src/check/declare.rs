//! Declarations: constants, types, variables, processes.

use super::scope::Symbol;
use super::{Checker, Level, Scope};
use crate::ast::{self, Declaration, Export, TypeKind};
use crate::tree::{Owner, Process, ProcessId, Role, VariableId};
use crate::types::{Field, MessageType, Type, TypeId, Types};
use auspex_system::{Diagnostic, Span};

/// The most values that a message may carry.
const MOST_FIELDS: usize = 10_000;
/// The most elements that an array may have.
const MOST_ELEMENTS: i64 = 1 << 20;

impl Checker {
    /// Processes may be used before they are declared; everything else must come first.
    pub(super) fn declarations(&mut self, declarations: &[Declaration]) {
        let mut processes = Vec::new();
        for declaration in declarations {
            match declaration {
                Declaration::Constant { name, value } => self.constant_declaration(name, value),
                Declaration::Type { name, ty } => {
                    let id = self.type_of(ty, false);
                    self.program.types.name(id, &name.name.text);
                    self.declare(&name.name, name.export, Symbol::Type(id));
                }
                Declaration::Variables { names, ty, is_port } => {
                    self.variables(names, ty, *is_port);
                }
                Declaration::Process(process) => processes.push((self.header(process), process)),
            }
        }
        for (id, process) in processes {
            self.body(id, process);
        }
    }

    fn constant_declaration(&mut self, name: &ast::IdentDef, value: &ast::Expr) {
        let symbol = match self.text_of(value) {
            Some((text, length)) if length != 1 => Symbol::Text(text),
            _ => match self.constant(value) {
                Some((value, ty)) => Symbol::Constant { value, ty },
                None => Symbol::Invalid,
            },
        };
        self.declare(&name.name, name.export, symbol);
    }

    fn variables(&mut self, names: &[ast::IdentDef], ty: &ast::TypeExpr, is_port: bool) {
        let id = self.type_of(ty, false);
        if is_port {
            self.must_be_port(id, ty.span);
        }
        let owner = self.owner();
        for name in names {
            if name.export != Export::None && matches!(owner, Owner::Process(_)) {
                self.only_modules_export(&name.name);
            }
            let variable = self.new_variable(&name.name, id, owner, Role::Plain);
            self.declare(&name.name, name.export, Symbol::Variable(variable));
        }
    }

    fn only_modules_export(&mut self, name: &ast::Ident) {
        let message = format!("`{}` cannot be exported", name.text);
        self.error(
            Diagnostic::error(name.span, message)
                .label("declared inside of a process")
                .hint("only what a module itself declares can be used by other modules"),
        );
    }

    fn must_be_port(&mut self, id: TypeId, span: Span) {
        let types = &self.program.types;
        let mut element = id;
        while let Type::Array { element: inner, .. } = types.get(element) {
            element = *inner;
        }
        if !matches!(types.get(element), Type::Channel { .. } | Type::Invalid) {
            let message = format!("a port needs a channel type, not {}", self.show(id));
            self.error(
                Diagnostic::error(span, message)
                    .label("no channel type")
                    .hint("a channel type lists its messages: [data(INTEGER), end]"),
            );
        }
    }

    pub(super) fn type_of(&mut self, ty: &ast::TypeExpr, may_be_open: bool) -> TypeId {
        match &ty.kind {
            TypeKind::Name(name) => self.named_type(name),
            TypeKind::Array { lengths, element } if lengths.is_empty() => {
                let element = self.type_of(element, false);
                if !may_be_open {
                    self.error(
                        Diagnostic::error(ty.span, "an array needs a length")
                            .label("only parameters may be open arrays")
                            .hint("write ARRAY n OF ..."),
                    );
                    return Types::INVALID;
                }
                self.program.types.add(Type::OpenArray { element })
            }
            TypeKind::Array { lengths, element } => {
                let mut id = self.type_of(element, false);
                for length in lengths.iter().rev() {
                    let length = self.length(length);
                    id = self.program.types.add(Type::Array { length, element: id });
                }
                if self.program.types.size(id).is_none() {
                    self.error(Diagnostic::error(ty.span, "this array is too large"));
                    return Types::INVALID;
                }
                id
            }
            TypeKind::Record { fields } => self.record(fields),
            TypeKind::Channel { messages } => self.channel(messages),
        }
    }

    fn length(&mut self, length: &ast::Expr) -> u32 {
        let Some((value, ty)) = self.constant(length) else { return 1 };
        if !self.program.types.is_integer(ty) {
            let message = format!("the length of an array is an integer, not {}", self.show(ty));
            self.error(Diagnostic::error(length.span, message));
            return 1;
        }
        if !(1..=MOST_ELEMENTS).contains(&value) {
            let message = format!("an array cannot have {value} elements");
            let label = format!("1 to {MOST_ELEMENTS} are possible");
            self.error(Diagnostic::error(length.span, message).label(label));
            return 1;
        }
        value as u32
    }

    fn named_type(&mut self, name: &ast::Qualident) -> TypeId {
        let symbol = match &name.module {
            None => self.lookup(&name.name),
            Some(module) => match self.lookup(module) {
                Symbol::Module(id) => self.imported(id, &name.name).0,
                Symbol::Standard(standard) => self.standard_name(standard, &name.name),
                Symbol::Invalid => Symbol::Invalid,
                _ => {
                    let message = format!("`{}` is no module", module.text);
                    self.error(Diagnostic::error(module.span, message));
                    Symbol::Invalid
                }
            },
        };
        match symbol {
            Symbol::Type(id) => id,
            Symbol::Invalid => Types::INVALID,
            _ => {
                let message = format!("`{}` is no type", name.name.text);
                self.error(Diagnostic::error(name.name.span, message).label("a type is expected"));
                Types::INVALID
            }
        }
    }

    fn record(&mut self, sections: &[(Vec<ast::Ident>, ast::TypeExpr)]) -> TypeId {
        let mut fields: Vec<Field> = Vec::new();
        let mut offset = 0u32;
        for (names, ty) in sections {
            let id = self.type_of(ty, false);
            let size = self.program.types.size(id).unwrap_or(0);
            for name in names {
                if fields.iter().any(|field| field.name == name.text) {
                    let message = format!("the field `{}` is declared twice", name.text);
                    self.error(Diagnostic::error(name.span, message));
                    continue;
                }
                fields.push(Field { name: name.text.clone(), ty: id, offset });
                offset = offset.saturating_add(size);
            }
        }
        self.program.types.add(Type::Record { fields })
    }

    fn channel(&mut self, messages: &[ast::Message]) -> TypeId {
        let mut all: Vec<MessageType> = Vec::new();
        for message in messages {
            let name = &message.name;
            if all.iter().any(|other| other.name == name.text) {
                let text = format!("the message `{}` is declared twice", name.text);
                self.error(Diagnostic::error(name.span, text));
                continue;
            }
            if message.fields.len() > MOST_FIELDS {
                let text = format!("a message carries at most {MOST_FIELDS} values");
                self.error(Diagnostic::error(name.span, text).hint("use a RECORD"));
            }
            let fields = message.fields.iter().map(|ty| self.type_of(ty, false)).collect();
            all.push(MessageType { name: name.text.clone(), fields });
        }
        self.program.types.add(Type::Channel { messages: all })
    }

    /// Declares the name and the parameters of a process.
    fn header(&mut self, process: &ast::Process) -> ProcessId {
        let id = ProcessId(self.program.processes.len() as u32);
        let name = &process.name.name;
        self.program.processes.push(Process {
            name: name.text.clone(),
            module: self.module,
            span: name.span,
            is_property: process.is_property,
            outer: self.process,
            level: self.process.map_or(0, |outer| self.program.process(outer).level + 1),
            parameters: Vec::new(),
            variables: Vec::new(),
            body: Vec::new(),
            end: process.end,
        });
        if process.name.export != Export::None && self.process.is_some() {
            self.only_modules_export(name);
        }
        if process.is_property && self.process.is_some() {
            let message = format!("the property `{}` must be declared in a module", name.text);
            self.error(
                Diagnostic::error(name.span, message)
                    .label("not inside of a process")
                    .hint("a property watches the whole program"),
            );
        }
        let module = self.module.0 as usize;
        if let Some(module) = self.program.modules.get_mut(module) {
            module.processes.push(id);
        }
        self.declare(name, process.name.export, Symbol::Process(id));
        for section in &process.parameters {
            let ty = self.type_of(&section.ty, true);
            let role = if section.by_reference { Role::Reference } else { Role::Value };
            for name in &section.names {
                let variable = self.new_variable(name, ty, Owner::Process(id), role);
                self.program.processes[id.0 as usize].parameters.push(variable);
            }
        }
        if process.is_property
            && let Some(section) = process.parameters.first()
        {
            self.error(Diagnostic::error(section.ty.span, "a property has no parameters"));
        }
        id
    }

    fn body(&mut self, id: ProcessId, process: &ast::Process) {
        let outer = self.process.replace(id);
        let loops = std::mem::take(&mut self.loops);
        self.scopes.push(Level::new(Scope::default(), Some(id)));
        let parameters: Vec<VariableId> = self.program.process(id).parameters.clone();
        let names = process.parameters.iter().flat_map(|section| &section.names);
        for (name, variable) in names.zip(parameters) {
            self.declare(name, Export::None, Symbol::Variable(variable));
        }
        self.declarations(&process.declarations);
        let body = self.statements(&process.body);
        self.program.processes[id.0 as usize].body = body;
        self.check_size(Owner::Process(id), process.name.name.span);
        self.scopes.pop();
        (self.process, self.loops) = (outer, loops);
    }

    /// The innermost process whose names are known here.
    pub(super) fn inside(&self) -> Option<ProcessId> {
        self.scopes.iter().rev().find_map(|level| level.process)
    }
}
