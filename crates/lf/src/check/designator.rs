//! Designators: `a`, `M.x`, `queue[i].length`.

use super::Checker;
use super::scope::{Predeclared, Standard, Symbol};
use crate::ast::{self, Selector};
use crate::tree::{Length, Owner, PathStep, Place, ProcessId, Role, VariableId};
use crate::types::{Type, TypeId, Types};
use auspex_system::{Diagnostic, Span};

/// What a designator stands for.
pub enum Designated {
    Place(Place, Access),
    Constant {
        value: i64,
        ty: TypeId,
    },
    Text,
    Type(TypeId),
    Process(ProcessId),
    Predeclared(Predeclared),
    /// A process of a standard module.
    Standard(Standard, ast::Ident),
    Invalid,
}

/// May it be changed here?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Full,
    /// Of another module, which exports it with `-`.
    ReadOnly,
    /// A parameter `ARRAY OF` without VAR.
    OpenValue,
    /// A property looks, and touches nothing.
    Watched,
}

impl Checker {
    pub(super) fn designate(&mut self, designator: &ast::Designator) -> Designated {
        let symbol = self.lookup(&designator.name);
        let mut rest = designator.selectors.as_slice();
        let mut export = ast::Export::Full;
        let symbol = match (symbol, rest) {
            (Symbol::Module(module), [Selector::Field(name), others @ ..]) => {
                rest = others;
                let (symbol, how) = self.imported(module, name);
                export = how;
                symbol
            }
            (Symbol::Standard(standard), [Selector::Field(name), others @ ..]) => {
                rest = others;
                if is_process(standard, &name.text) && rest.is_empty() {
                    return Designated::Standard(standard, name.clone());
                }
                self.standard_name(standard, name)
            }
            (Symbol::Module(_) | Symbol::Standard(_), _) => {
                let message = format!("`{}` is a module", designator.name.text);
                let error = Diagnostic::error(designator.name.span, message);
                self.error(error.label("name something of it: Module.name"));
                return Designated::Invalid;
            }
            (symbol, _) => symbol,
        };
        if let Symbol::Variable(variable) = symbol {
            return self.place(variable, rest, export, designator.span);
        }
        if let Some(selector) = rest.first()
            && !matches!(symbol, Symbol::Invalid)
        {
            let span = match selector {
                Selector::Field(name) => name.span,
                Selector::Index(_, span) => *span,
            };
            let message = format!("`{}` is no variable", designator.name.text);
            self.error(Diagnostic::error(span, message).label("it has no parts"));
            return Designated::Invalid;
        }
        match symbol {
            Symbol::Constant { value, ty } => Designated::Constant { value, ty },
            Symbol::Text(_) => Designated::Text,
            Symbol::Type(id) => Designated::Type(id),
            Symbol::Process(id) => Designated::Process(id),
            Symbol::Predeclared(what) => Designated::Predeclared(what),
            _ => Designated::Invalid,
        }
    }

    fn place(
        &mut self,
        variable: VariableId,
        selectors: &[Selector],
        export: ast::Export,
        span: Span,
    ) -> Designated {
        let access = self.access(variable, export);
        let ty = self.program.variable(variable).ty;
        let mut place = Place { variable, path: Vec::new(), ty, span };
        for selector in selectors {
            let known = match selector {
                Selector::Field(name) => self.select_field(&mut place, name),
                Selector::Index(indices, span) => {
                    indices.iter().all(|index| self.select_index(&mut place, index, *span))
                }
            };
            if !known {
                return Designated::Invalid;
            }
        }
        if self.program.types.is_invalid(place.ty) {
            return Designated::Invalid;
        }
        Designated::Place(place, access)
    }

    fn access(&self, variable: VariableId, export: ast::Export) -> Access {
        let variable = self.program.variable(variable);
        let watched = self.inside().is_some_and(|process| {
            let property = self.property_around(process);
            property.is_some() && matches!(variable.owner, Owner::Module(_))
        });
        if watched {
            return Access::Watched;
        }
        let is_open = matches!(self.program.types.get(variable.ty), Type::OpenArray { .. });
        match (export, variable.role) {
            (ast::Export::ReadOnly, _) => Access::ReadOnly,
            (_, Role::Value) if is_open => Access::OpenValue,
            _ => Access::Full,
        }
    }

    /// The property that a process is, or is declared in.
    pub(super) fn property_around(&self, process: ProcessId) -> Option<ProcessId> {
        let mut at = Some(process);
        while let Some(id) = at {
            let process = self.program.process(id);
            if process.is_property {
                return Some(id);
            }
            at = process.outer;
        }
        None
    }

    fn select_field(&mut self, place: &mut Place, name: &ast::Ident) -> bool {
        match self.program.types.get(place.ty) {
            Type::Invalid => false,
            Type::Record { fields } => {
                if let Some(field) = fields.iter().find(|field| field.name == name.text) {
                    place.path.push(PathStep::Field { offset: field.offset });
                    place.ty = field.ty;
                    return true;
                }
                let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                let message = format!("there is no field `{}`", name.text);
                let hint = format!("{} has {}", self.show(place.ty), names.join(", "));
                self.error(Diagnostic::error(name.span, message).label("no such field").hint(hint));
                false
            }
            _ => {
                let message = format!("{} has no fields", self.show(place.ty));
                self.error(Diagnostic::error(name.span, message).label("only records have fields"));
                false
            }
        }
    }

    fn select_index(&mut self, place: &mut Place, index: &ast::Expr, span: Span) -> bool {
        let value = self.value(index);
        let (length, element) = match self.program.types.get(place.ty) {
            Type::Invalid => return false,
            Type::Array { length, element } => (Length::Fixed(*length), *element),
            Type::OpenArray { element } => (Length::Open, *element),
            _ => {
                let message = format!("{} has no elements", self.show(place.ty));
                self.error(Diagnostic::error(span, message).label("only arrays have elements"));
                return false;
            }
        };
        if !self.program.types.is_integer(value.ty) {
            if !self.program.types.is_invalid(value.ty) {
                let message = format!("an index is an integer, not {}", self.show(value.ty));
                self.error(Diagnostic::error(index.span, message).label("an integer is expected"));
            }
            return false;
        }
        if let (Some(value), Length::Fixed(length)) = (value.constant(), length)
            && !(0..i64::from(length)).contains(&value)
        {
            let message = format!("the index {value} is outside of the array");
            let label = format!("0 to {} are inside", length - 1);
            self.error(Diagnostic::error(index.span, message).label(label));
            return false;
        }
        let size = self.program.types.size(element).unwrap_or(0);
        place.path.push(PathStep::Index {
            index: Box::new(value),
            length,
            element: size,
            span: index.span,
        });
        place.ty = element;
        true
    }

    /// A variable that is going to be changed.
    pub(super) fn target(&mut self, expr: &ast::Expr) -> Option<Place> {
        match &expr.kind {
            ast::ExprKind::Designator(designator) => self.target_of(designator),
            ast::ExprKind::Paren(inner) => self.target(inner),
            _ => {
                self.error(
                    Diagnostic::error(expr.span, "a variable is expected here")
                        .label("this is only a value"),
                );
                None
            }
        }
    }

    pub(super) fn target_of(&mut self, designator: &ast::Designator) -> Option<Place> {
        let (place, access) = match self.designate(designator) {
            Designated::Place(place, access) => (place, access),
            Designated::Invalid => return None,
            _ => {
                let message = format!("`{}` is no variable", designator.name.text);
                let error = Diagnostic::error(designator.span, message);
                self.error(error.label("only variables can be changed"));
                return None;
            }
        };
        let reason = match access {
            Access::Full => {
                self.program.io_port_is_given |= self.program.io_port == Some(place.variable);
                return Some(place);
            }
            Access::ReadOnly => "its module exports it for reading only",
            Access::OpenValue => "an open array without VAR can only be read",
            Access::Watched => "a property must not change what it watches",
        };
        let message = format!("`{}` cannot be changed here", shown(designator));
        self.error(Diagnostic::error(designator.span, message).label(reason));
        None
    }

    pub(super) fn open_element(&self, ty: TypeId) -> Option<TypeId> {
        match self.program.types.get(ty) {
            Type::OpenArray { element } => Some(*element),
            _ => None,
        }
    }

    pub(super) fn is_text_array(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Array { element, .. } | Type::OpenArray { element } => *element == Types::CHAR,
            _ => false,
        }
    }
}

fn is_process(standard: Standard, name: &str) -> bool {
    let known = super::standard::PROCESSES.iter().find(|(other, _)| *other == standard);
    known.is_some_and(|(_, names)| names.contains(&name))
}

/// `M.x` and `r.f` in full; of `a[1].b` only `a`.
fn shown(designator: &ast::Designator) -> String {
    let fields = designator.selectors.iter().map_while(|selector| match selector {
        Selector::Field(name) => Some(name.text.as_str()),
        Selector::Index(..) => None,
    });
    std::iter::once(designator.name.text.as_str()).chain(fields).collect::<Vec<_>>().join(".")
}
