//! Declarations: types, constants, variables and where they lie.

use super::scope::{Symbol, VarInfo, simple_place};
use super::{FieldValue, Lowerer};
use crate::ast::{self, Init as AstInit, TypeName, VarDecl, Visibility};
use auspex_process::Scalar;
use auspex_process::ir::*;
use auspex_system::{Diagnostic, Span};
use std::cell::Cell;

/// States beyond this are surely a mistake.
const LARGEST_FRAME: u64 = 1 << 24;

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Site {
    Global,
    /// In a proctype, before the first statement, or a parameter: done when the process is created.
    Creation,
    /// Further down: a statement of its own.
    Statement,
}

impl Lowerer<'_> {
    pub fn typedef(&mut self, name: &ast::Name, fields: &[ast::Decl]) {
        let id = self.model.structs.len() as u16;
        let mut made = Struct { name: name.text.clone(), ..Struct::default() };
        for decl in fields {
            for var in &decl.vars {
                let Some(ty) = self.var_type(&decl.ty, var) else { continue };
                if made.fields.iter().any(|f| f.name == var.name.text) {
                    let message = format!("field `{}` is declared twice", var.name.text);
                    self.error(var.name.span, message);
                }
                let length = self.array_length(var);
                let offset = made.size;
                match &var.init {
                    None => {}
                    Some(AstInit::Expr(expr)) => {
                        let value = FieldValue::Value(self.initial_value(expr, ty));
                        self.field_values.push((id, made.fields.len(), value));
                    }
                    Some(AstInit::Chan { capacity, fields, span }) => {
                        if let Some(channel) = self.channel_type(capacity, fields, *span) {
                            let value = FieldValue::Channel(channel);
                            self.field_values.push((id, made.fields.len(), value));
                        }
                    }
                    Some(_) => self.error(var.span, "a field takes a single initial value"),
                }
                let field = Variable { name: var.name.text.clone(), ty, length, offset };
                made.size = self.grow(offset, &field, var.span);
                made.fields.push(field);
            }
        }
        self.model.structs.push(made);
        self.declare(name, Symbol::Typedef(id, name.span));
    }

    /// The end of a frame after a variable was added.
    fn grow(&mut self, size: u32, variable: &Variable, span: Span) -> u32 {
        let element = u64::from(variable.element_size(&self.model.structs));
        let end = u64::from(size) + element * u64::from(variable.length.unwrap_or(1));
        if end > LARGEST_FRAME {
            self.error(span, format!("`{}` makes the state larger than 16 MiB", variable.name));
            return size;
        }
        end as u32
    }

    /// In one declaration the last name has the smallest number; a second declaration goes on above.
    pub fn mtype(&mut self, set: Option<&ast::Name>, names: &[ast::Name]) {
        let set = match set {
            Some(name) => self.named_set(&name.text),
            None => SetId(0),
        };
        for name in names.iter().rev() {
            let value = {
                let known = &mut self.model.sets[set.0 as usize].names;
                known.push(name.text.clone());
                known.len() as i32
            };
            if value > 255 {
                self.error(name.span, "more than 255 names in one mtype set");
            }
            self.declare(name, Symbol::Constant { set, value, span: name.span });
        }
    }

    pub fn named_set(&mut self, name: &str) -> SetId {
        if let Some(id) = self.symbols.sets.get(name) {
            return *id;
        }
        let id = SetId(self.model.sets.len() as u16);
        self.model.sets.push(SymbolSet { name: name.to_string(), names: Vec::new() });
        self.symbols.sets.insert(name.to_string(), id);
        id
    }

    fn declare(&mut self, name: &ast::Name, symbol: Symbol) {
        if self.symbols.proctypes.contains_key(&name.text) {
            let message = format!("`{}` is the name of a proctype already", name.text);
            self.error(name.span, message);
        }
        let before = self.symbols.scopes.lookup(&name.text).map(Symbol::span);
        self.symbols.scopes.declare(&name.text, symbol);
        if let Some(before) = before {
            let error = Diagnostic::error(name.span, format!("redeclaration of `{}`", name.text))
                .note(before, "first declared here")
                .hint("in Promela an inner declaration may not hide an outer one: rename it");
            self.errors.push(error);
        }
    }

    pub fn global(&mut self, decl: &ast::Decl) {
        for var in &decl.vars {
            self.variable(decl, var, Site::Global);
        }
    }

    /// Declares one variable. As a statement it gives the action that sets its value.
    pub fn variable(&mut self, decl: &ast::Decl, var: &VarDecl, site: Site) -> Option<Action> {
        let ty = self.var_type(&decl.ty, var)?;
        // The initial value is evaluated before the variable itself can be seen.
        let value = match &var.init {
            Some(AstInit::Expr(expr)) => Some(self.initial_value(expr, ty)),
            _ => None,
        };
        let length = self.array_length(var);
        let info = self.place_variable(decl, var, ty, length, site);
        self.declare(&var.name, Symbol::Variable(info.clone()));
        match (&var.init, site) {
            (Some(AstInit::Chan { span, .. }), Site::Statement) => {
                let error = Diagnostic::error(*span, "a channel is created in the middle")
                    .hint("declare initialised channels at the start of the proctype");
                self.errors.push(error);
                None
            }
            (Some(AstInit::Chan { capacity, fields, span }), _) => {
                self.create_channels(var, &info, capacity, fields, *span, site);
                None
            }
            (Some(AstInit::List(_)), Site::Statement) => {
                let error = Diagnostic::error(var.span, "a list of initial values in the middle");
                self.errors.push(error.hint("declare it at the start of the proctype"));
                None
            }
            (Some(AstInit::List(items)), _) => {
                self.list_values(var, &info, items, site);
                None
            }
            (_, Site::Statement) => Some(self.set_first(&info, var, value)),
            (_, _) => {
                match (value, info.ty) {
                    (Some(value), _) => self.set_all(var, &info, value, site),
                    (None, VarType::Struct(id)) => {
                        let size = self.model.structs[id as usize].size;
                        for i in 0..info.length.unwrap_or(1) {
                            let name = element_name(&var.name.text, info.length, i);
                            let base = info.offset + i * size;
                            self.set_fields(info.space, base, id, &name, site);
                        }
                    }
                    _ => {}
                }
                None
            }
        }
    }

    fn initial_value(&mut self, expr: &ast::Expr, ty: VarType) -> Expr {
        let value = self.value(expr);
        if let (VarType::Scalar(ty), Expr::Const(constant)) = (ty, &value) {
            self.warn_if_cut(ty, *constant, expr.span);
        }
        if let VarType::Struct(_) = ty {
            self.error(expr.span, "a typedef variable cannot have an initial value");
        }
        value
    }

    pub fn warn_if_cut(&mut self, ty: Scalar, value: i32, span: Span) {
        let kept = ty.cut(value);
        if kept != value {
            let message = format!("the constant {value} does not fit: it becomes {kept}");
            self.warning(Diagnostic::warning(span, message));
        }
    }

    fn var_type(&mut self, ty: &TypeName, var: &VarDecl) -> Option<VarType> {
        Some(match ty {
            TypeName::Unsigned => VarType::Scalar(Scalar::Unsigned(self.width(var))),
            _ if var.width.is_some() => {
                self.error(var.span, "only `unsigned` takes a width");
                return None;
            }
            _ => match self.type_of(ty, var.span)? {
                VarType::Scalar(ty) if var.array.is_some() => VarType::Scalar(ty.widened()),
                ty => ty,
            },
        })
    }

    fn width(&mut self, var: &VarDecl) -> u8 {
        let Some(width) = &var.width else {
            let error = Diagnostic::error(var.span, "`unsigned` needs a width");
            self.errors.push(error.hint("write for example `unsigned x : 5`"));
            return 1;
        };
        match self.constant(width) {
            Some(bits @ 1..=32) => bits as u8,
            _ => {
                self.error(width.span, "the width must be from 1 to 32");
                1
            }
        }
    }

    pub fn type_of(&mut self, ty: &TypeName, span: Span) -> Option<VarType> {
        Some(VarType::Scalar(match ty {
            TypeName::Bit => Scalar::Bit,
            TypeName::Bool => Scalar::Bool,
            TypeName::Byte => Scalar::Byte,
            TypeName::Short => Scalar::Short,
            TypeName::Int => Scalar::Int,
            TypeName::Pid => Scalar::Pid,
            TypeName::Chan => Scalar::Channel,
            TypeName::Mtype(None) => Scalar::Symbol(SetId(0)),
            TypeName::Mtype(Some(name)) => Scalar::Symbol(self.named_set(&name.text)),
            TypeName::Unsigned => {
                self.error(span, "`unsigned` cannot be used here");
                return None;
            }
            TypeName::User(name) => match self.symbols.scopes.lookup(&name.text) {
                Some(Symbol::Typedef(id, _)) => return Some(VarType::Struct(*id)),
                _ => {
                    self.error(name.span, format!("there is no type `{}`", name.text));
                    return None;
                }
            },
        }))
    }

    fn array_length(&mut self, var: &VarDecl) -> Option<u32> {
        let length = var.array.as_ref()?;
        match self.constant(length) {
            Some(n) if n > 0 => Some(n as u32),
            _ => {
                self.error(length.span, "the size of an array must be a constant above 0");
                Some(1)
            }
        }
    }

    fn place_variable(
        &mut self,
        decl: &ast::Decl,
        var: &VarDecl,
        ty: VarType,
        length: Option<u32>,
        site: Site,
    ) -> VarInfo {
        let name = &var.name.text;
        let is_hidden = decl.visibility == Visibility::Hidden && site == Site::Global;
        let space = match site {
            Site::Global if is_hidden && !self.knowledge.used_hidden.contains(name) => {
                Space::Hidden
            }
            Site::Global => Space::Global,
            _ => Space::Local,
        };
        if is_hidden && space == Space::Global {
            let warning = Diagnostic::warning(var.span, format!("hidden `{name}` is read"))
                .hint("it is kept in the state: otherwise the verdict would depend on the order");
            self.warning(warning);
        }
        let mut shown = name.clone();
        if space == Space::Local && self.frame(space).variables.iter().any(|v| v.name == *name) {
            shown = format!("{name}@{}", self.map.location(var.span).line);
        }
        let offset = self.frame(space).size;
        let variable = Variable { name: shown, ty, length, offset };
        let size = self.grow(offset, &variable, var.span);
        let frame = self.frame(space);
        frame.size = size;
        frame.variables.push(variable);
        let used = Cell::new(false);
        VarInfo { space, ty, length, offset, span: var.name.span, is_hidden, used }
    }

    /// The frame that a space belongs to.
    pub fn frame(&mut self, space: Space) -> &mut Frame {
        match (space, &mut self.context) {
            (Space::Local, Some(context)) => &mut context.frame,
            (Space::Hidden, _) => &mut self.model.hidden,
            _ => &mut self.model.globals,
        }
    }

    /// A declaration in the middle sets the variable; of an array, Spin sets the first element.
    fn set_first(&mut self, info: &VarInfo, var: &VarDecl, value: Option<Expr>) -> Action {
        match info.ty {
            VarType::Struct(_) => Action::Skip,
            VarType::Scalar(ty) => {
                let place = simple_place(info.space, info.offset, ty, &var.name.text);
                Action::Assign(place, value.unwrap_or(Expr::Const(0)))
            }
        }
    }

    fn set_all(&mut self, var: &VarDecl, info: &VarInfo, value: Expr, site: Site) {
        for place in self.element_places(var, info) {
            self.add_init(info.space, Init::Assign(place, value.clone()), site);
        }
    }

    /// The initial values that a typedef gives to its fields.
    fn set_fields(&mut self, space: Space, base: u32, id: u16, prefix: &str, site: Site) {
        let fields = self.model.structs[id as usize].fields.clone();
        for (number, field) in fields.iter().enumerate() {
            let size = field.element_size(&self.model.structs);
            for i in 0..field.length.unwrap_or(1) {
                let at = base + field.offset + i * size;
                let name = format!("{prefix}.{}", element_name(&field.name, field.length, i));
                let known = self.field_values.iter().find(|v| (v.0, v.1) == (id, number));
                let init = match (field.ty, known.map(|known| &known.2)) {
                    (VarType::Struct(inner), _) => {
                        self.set_fields(space, at, inner, &name, site);
                        continue;
                    }
                    (VarType::Scalar(ty), Some(FieldValue::Value(value))) => {
                        Init::Assign(simple_place(space, at, ty, &name), value.clone())
                    }
                    (VarType::Scalar(ty), Some(FieldValue::Channel(channel))) => {
                        Init::Channel(simple_place(space, at, ty, &name), *channel)
                    }
                    (VarType::Scalar(_), None) => continue,
                };
                self.add_init(space, init, site);
            }
        }
    }

    fn list_values(&mut self, var: &VarDecl, info: &VarInfo, items: &[ast::Expr], site: Site) {
        let Some(length) = info.length else {
            self.error(var.span, "a list of initial values needs an array");
            return;
        };
        if items.len() > length as usize {
            self.error(var.span, format!("{} values for {length} elements", items.len()));
            return;
        }
        let places = self.element_places(var, info);
        let values: Vec<Expr> =
            items.iter().map(|item| self.initial_value(item, info.ty)).collect();
        // Spin repeats the last value for the elements that the list leaves out.
        for (i, place) in places.into_iter().enumerate() {
            let value = values.get(i).or(values.last()).cloned().unwrap_or(Expr::Const(0));
            self.add_init(info.space, Init::Assign(place, value), site);
        }
    }

    /// A place for each element of a scalar variable or array.
    pub fn element_places(&mut self, var: &VarDecl, info: &VarInfo) -> Vec<Place> {
        let VarType::Scalar(ty) = info.ty else { return Vec::new() };
        let name = &var.name.text;
        match info.length {
            None => vec![simple_place(info.space, info.offset, ty, name)],
            Some(length) => (0..length)
                .map(|i| {
                    let offset = info.offset + i * ty.size() as u32;
                    simple_place(info.space, offset, ty, &format!("{name}[{i}]"))
                })
                .collect(),
        }
    }

    pub fn add_init(&mut self, space: Space, init: Init, site: Site) {
        let space = if site == Site::Global { space } else { Space::Local };
        self.frame(space).add_init(init);
    }

    pub fn warn_of_unused(&mut self) {
        let mut unused: Vec<(String, Span)> = Vec::new();
        let globals = self.symbols.scopes.globals().iter();
        let locals = self.symbols.locals.values().flatten();
        for (name, symbol) in globals.chain(locals) {
            if let Symbol::Variable(info) = symbol
                && !info.used.get()
            {
                unused.push((name.clone(), info.span));
            }
        }
        unused.sort_by_key(|(_, span)| *span);
        for (name, span) in unused {
            self.warning(Diagnostic::warning(span, format!("`{name}` is never used")));
        }
    }
}

/// `a`, or `a[i]` in an array.
fn element_name(name: &str, length: Option<u32>, index: u32) -> String {
    match length {
        Some(_) => format!("{name}[{index}]"),
        None => name.to_string(),
    }
}
