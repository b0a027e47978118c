//! Declarations: types, constants and variables.

use super::Resolver;
use super::scope::Symbol;
use crate::tree::*;
use auspex_promela::ast::{self, TypeName, VarDecl};
use auspex_system::Span;

impl Resolver {
    pub fn typedef(&mut self, name: &ast::Name, fields: &[ast::Decl], code: &[(usize, ast::Code)]) {
        let mut items = Vec::new();
        let mut number = 0;
        let mut code = code.iter().peekable();
        for decl in fields {
            for var in &decl.vars {
                while let Some((_, text)) = code.next_if(|(before, _)| *before <= number) {
                    items.push(RecordItem::Code(text.clone()));
                }
                number += 1;
                let Some(ty) = self.var_type(&decl.ty, var) else { continue };
                let length = self.array_length(var);
                let initial = self.initial(var);
                let name = var.name.text.clone();
                items.push(RecordItem::Field(Field { name, ty, length, initial }));
            }
        }
        items.extend(code.map(|(_, text)| RecordItem::Code(text.clone())));
        let model_only = self.model_only;
        self.idents.insert(name.text.clone());
        self.scopes.declare(&name.text, Symbol::Record(self.spec.records.len()));
        self.spec.records.push(Record { name: name.text.clone(), model_only, items });
    }

    /// In one declaration the last name has the smallest number; a second declaration goes on above.
    pub fn mtype(&mut self, set: Option<&ast::Name>, names: &[ast::Name]) {
        let set = set.map_or(0, |name| self.named_set(&name.text));
        for name in names.iter().rev() {
            let known = &mut self.spec.sets[set].names;
            known.push(name.text.clone());
            let value = known.len() as i32;
            self.idents.insert(name.text.clone());
            self.scopes.declare(&name.text, Symbol::Constant { set, value });
        }
    }

    fn named_set(&mut self, name: &str) -> usize {
        let known = self.spec.sets.iter().position(|set| set.name.as_deref() == Some(name));
        known.unwrap_or_else(|| {
            self.spec.sets.push(Set { name: Some(name.to_string()), names: Vec::new() });
            self.spec.sets.len() - 1
        })
    }

    pub fn global(&mut self, decl: &ast::Decl) {
        for var in &decl.vars {
            if let Some(id) = self.variable(decl, var) {
                self.spec.globals.push(Global::Variable(id));
            }
        }
    }

    /// A local variable or a parameter.
    pub fn local(&mut self, decl: &ast::Decl, var: &VarDecl) -> Option<VarId> {
        let id = self.variable(decl, var)?;
        self.context.as_mut()?.locals.push(id);
        Some(id)
    }

    fn variable(&mut self, decl: &ast::Decl, var: &VarDecl) -> Option<VarId> {
        let ty = self.var_type(&decl.ty, var)?;
        // The initial value is evaluated before the variable itself can be seen.
        let initial = self.initial(var);
        let length = self.array_length(var);
        let name = var.name.text.clone();
        let ident = match self.model_only {
            // Code of the implementation defines it, under this name.
            true => name.clone(),
            false => self.fresh(&name),
        };
        let id = VarId(self.spec.variables.len());
        self.spec.variables.push(Variable {
            name,
            ident,
            ty,
            length,
            initial,
            is_late: self.context.as_ref().is_some_and(|context| !context.at_top),
            owner: self.context.as_ref().map(|context| context.process),
            is_parameter: false,
            model_only: self.model_only,
            span: var.name.span,
        });
        self.scopes.declare(&var.name.text, Symbol::Variable(id));
        Some(id)
    }

    /// A name that nothing has that can be seen together with it.
    fn fresh(&mut self, name: &str) -> String {
        let mut ident = name.to_string();
        let mut number = 2;
        let local = self.context.as_ref().map(|context| &context.idents);
        while self.idents.contains(&ident) || local.is_some_and(|taken| taken.contains(&ident)) {
            ident = format!("{name}_{number}");
            number += 1;
        }
        let taken = match &mut self.context {
            Some(context) => &mut context.idents,
            None => &mut self.idents,
        };
        taken.insert(ident.clone());
        ident
    }

    fn initial(&mut self, var: &VarDecl) -> Initial {
        match &var.init {
            None => Initial::Zero,
            Some(ast::Init::Expr(expr)) => Initial::Value(self.expr(expr)),
            Some(ast::Init::List(items)) => {
                Initial::List(items.iter().map(|item| self.expr(item)).collect())
            }
            Some(ast::Init::Chan { capacity, fields, span }) => {
                Initial::Channel(self.channel_type(capacity, fields, *span))
            }
        }
    }

    fn channel_type(
        &mut self,
        capacity: &ast::Expr,
        fields: &[TypeName],
        span: Span,
    ) -> ChannelType {
        let capacity = self.constant(capacity).max(0) as u32;
        let mut flat = Vec::new();
        for field in fields {
            if let Some(ty) = self.type_of(field, span) {
                self.flatten(ty, None, &mut flat);
            }
        }
        // A lone bit is kept in a byte, and not cut to a bit.
        if let [only] = flat.as_mut_slice() {
            *only = only.stored(Some(1));
        }
        ChannelType { capacity, fields: flat }
    }

    /// The scalars that a type consists of. In a message with others a bit is a bit, also one of an array.
    fn flatten(&self, ty: Type, length: Option<u32>, out: &mut Vec<Type>) {
        for _ in 0..length.unwrap_or(1) {
            let Type::Record(record) = ty else {
                out.push(ty);
                continue;
            };
            for item in &self.spec.records[record].items {
                if let RecordItem::Field(field) = item {
                    self.flatten(field.ty, field.length, out);
                }
            }
        }
    }

    fn var_type(&mut self, ty: &TypeName, var: &VarDecl) -> Option<Type> {
        if let TypeName::Unsigned = ty {
            let width = var.width.as_ref().map_or(1, |width| self.constant(width));
            return Some(Type::Unsigned(width.clamp(1, 32) as u8));
        }
        self.type_of(ty, var.span)
    }

    fn type_of(&mut self, ty: &TypeName, span: Span) -> Option<Type> {
        Some(match ty {
            TypeName::Bit => Type::Bit,
            TypeName::Bool => Type::Bool,
            TypeName::Byte => Type::Byte,
            TypeName::Short => Type::Short,
            TypeName::Int => Type::Int,
            TypeName::Pid => Type::Pid,
            TypeName::Chan => Type::Chan,
            TypeName::Mtype(None) => Type::Mtype(0),
            TypeName::Mtype(Some(name)) => Type::Mtype(self.named_set(&name.text)),
            TypeName::Unsigned => {
                self.error(span, "`unsigned` cannot be used here");
                return None;
            }
            TypeName::User(name) => match self.meaning(&name.text) {
                Some(Symbol::Record(record)) => Type::Record(record),
                _ => {
                    self.error(name.span, format!("there is no type `{}`", name.text));
                    return None;
                }
            },
        })
    }

    fn array_length(&mut self, var: &VarDecl) -> Option<u32> {
        let length = var.array.as_ref()?;
        Some(self.constant(length).max(1) as u32)
    }
}
