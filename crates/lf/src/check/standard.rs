//! The modules that are part of the system: `SYSTEM`, `Out`, `In`.

use super::Checker;
use super::scope::{Entry, Standard, Symbol};
use crate::ast;
use crate::tree::{Owner, Role, VariableId};
use crate::types::{MessageType, Type, TypeId, Types};
use auspex_system::{Diagnostic, Span};
use std::collections::HashMap;

/// The processes of the standard modules: those of `Out` and `In`, and `SYSTEM.Clock`.
pub const PROCESSES: [(Standard, &[&str]); 3] = [
    (Standard::Out, &["Int", "Hex", "Char", "Bool", "String", "Ln"]),
    (Standard::In, &["Int", "Char", "Bool"]),
    (Standard::System, &["Clock"]),
];

/// How many interrupts there are.
const INTERRUPTS: u32 = 16;

/// What of `SYSTEM` a program uses.
#[derive(Clone, Debug, Default)]
pub struct System {
    interrupt_type: Option<TypeId>,
    io_type: Option<TypeId>,
    variables: HashMap<String, VariableId>,
}

impl Checker {
    pub(super) fn standard_name(&mut self, standard: Standard, name: &ast::Ident) -> Symbol {
        let known = match standard {
            Standard::System => self.system_name(name),
            _ => None,
        };
        if let Some(symbol) = known {
            return symbol;
        }
        let module = standard.name();
        let processes = PROCESSES.iter().find(|(s, _)| *s == standard).map_or(&[][..], |(_, p)| p);
        let others = ["InterruptChannel", "IOChannel", "IOPORT", "Interrupt0"];
        let others = others.iter().filter(|_| standard == Standard::System);
        let message = format!("there is no `{}` in `{module}`", name.text);
        let names: Vec<&str> = processes.iter().chain(others).copied().collect();
        let hint = format!("`{module}` has {}", names.join(", "));
        self.error(Diagnostic::error(name.span, message).label("not declared there").hint(hint));
        Symbol::Invalid
    }

    fn system_name(&mut self, name: &ast::Ident) -> Option<Symbol> {
        let number = name.text.strip_prefix("Interrupt").and_then(|n| n.parse::<u32>().ok());
        match name.text.as_str() {
            "InterruptChannel" => Some(Symbol::Type(self.interrupt_type())),
            "IOChannel" => Some(Symbol::Type(self.io_type())),
            "IOPORT" => {
                let ty = self.io_type();
                let port = self.system_variable("IOPORT", ty, name.span);
                self.program.io_port.get_or_insert(port);
                Some(Symbol::Variable(port))
            }
            text if number.is_some_and(|n| n < INTERRUPTS && text == format!("Interrupt{n}")) => {
                let ty = self.interrupt_type();
                Some(Symbol::Variable(self.system_variable(text, ty, name.span)))
            }
            _ => None,
        }
    }

    /// The types of `SYSTEM` need not be named after it where it is imported: the thesis does not.
    pub(super) fn system_type(&mut self, name: &ast::Ident) -> Option<Symbol> {
        let module = self.scopes.get(1)?;
        let is_system = |entry: &Entry| matches!(entry.symbol, Symbol::Standard(Standard::System));
        let is_type = matches!(name.text.as_str(), "InterruptChannel" | "IOChannel");
        let imported = is_type && module.scope.names.values().any(is_system);
        imported.then(|| self.system_name(name)).flatten()
    }

    fn interrupt_type(&mut self) -> TypeId {
        let types = &mut self.program.types;
        *self.system.interrupt_type.get_or_insert_with(|| {
            let message = MessageType { name: "INTERRUPT".to_owned(), fields: Vec::new() };
            let id = types.add(Type::Channel { messages: vec![message] });
            types.name(id, "SYSTEM.InterruptChannel");
            id
        })
    }

    fn io_type(&mut self) -> TypeId {
        let types = &mut self.program.types;
        *self.system.io_type.get_or_insert_with(|| {
            let int8 = Types::scalar(crate::types::Scalar::Int8);
            let whole = vec![int8, Types::INTEGER, Types::INTEGER];
            let message = |name: &str, fields| MessageType { name: name.to_owned(), fields };
            let messages = vec![
                message("PORTIN", whole.clone()),
                message("PORTOUT", whole),
                message("VALUE", vec![Types::INTEGER, Types::INTEGER]),
            ];
            let id = types.add(Type::Channel { messages });
            types.name(id, "SYSTEM.IOChannel");
            id
        })
    }

    fn system_variable(&mut self, name: &str, ty: TypeId, span: Span) -> VariableId {
        if let Some(id) = self.system.variables.get(name) {
            return *id;
        }
        // It belongs to the first module: the one of the system has no memory of its own.
        let owner = self.program.modules.first().map_or(self.module, |module| module.id);
        let ident = ast::Ident { text: format!("SYSTEM.{name}"), span };
        let id = self.new_variable(&ident, ty, Owner::Module(owner), Role::System);
        self.system.variables.insert(name.to_owned(), id);
        id
    }

    /// The channel to devices.
    pub(super) fn io_port(&mut self, span: Span) -> crate::tree::Place {
        let ty = self.io_type();
        let variable = self.system_variable("IOPORT", ty, span);
        crate::tree::Place { variable, path: Vec::new(), ty, span }
    }
}
