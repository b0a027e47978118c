//! What the declarations say: types of variables, and which names are constants.

use std::collections::{HashMap, HashSet};

use auspex_promela::ast::{
    Decl, Expr, ExprKind, Item, Proctype, Program, StmtKind, TypeName, UnaryOp, VarRef,
};

use super::uses::each_stmt;

#[derive(Default)]
pub struct Known<'p> {
    globals: Vec<&'p Decl>,
    typedefs: HashMap<&'p str, &'p [Decl]>,
    /// The constants, each with its set.
    mtypes: HashMap<&'p str, &'p str>,
}

/// A constant, as far as two of them can be told apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    Number(i32),
    /// The set and the name.
    Symbol(String, String),
}

impl<'p> Known<'p> {
    pub fn of(program: &'p Program) -> Self {
        let mut known = Known::default();
        known.items(&program.items);
        known
    }

    fn items(&mut self, items: &'p [Item]) {
        for item in items {
            match item {
                Item::Global(decl) => self.globals.push(decl),
                Item::Typedef { name, fields, .. } => {
                    self.typedefs.insert(&name.text, fields);
                }
                Item::Mtype { set, names } => {
                    let set = set.as_ref().map_or("", |set| set.text.as_str());
                    self.mtypes.extend(names.iter().map(|name| (name.text.as_str(), set)));
                }
                Item::ModelOnly(items) => self.items(items),
                _ => {}
            }
        }
    }

    pub fn constant(&self, expr: &Expr) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Number(value) => Some(Constant::Number(*value)),
            ExprKind::Unary(UnaryOp::Minus, operand) => match self.constant(operand)? {
                Constant::Number(value) => Some(Constant::Number(value.wrapping_neg())),
                Constant::Symbol(..) => None,
            },
            ExprKind::Name(var) if var.index.is_none() && var.field.is_none() => {
                let name = var.name.text.as_str();
                let set = self.mtypes.get(name)?;
                Some(Constant::Symbol((*set).to_owned(), name.to_owned()))
            }
            _ => None,
        }
    }

    /// Are these all the values that the variable can have (but for the 0 of an mtype that was never set)?
    pub fn is_every_value(
        &self,
        var: &VarRef,
        values: &HashSet<Constant>,
        process: &Proctype,
    ) -> bool {
        let has = |value| values.contains(&Constant::Number(value));
        match self.type_of(var, process) {
            Some(TypeName::Bit | TypeName::Bool) => has(0) && has(1),
            Some(TypeName::Mtype(set)) => {
                let set = set.as_ref().map_or("", |set| set.text.as_str());
                let constant = |name: &str| Constant::Symbol(set.to_owned(), name.to_owned());
                let mut all = self.mtypes.iter().filter(|(_, of)| **of == set);
                all.all(|(name, _)| values.contains(&constant(name)))
            }
            _ => false,
        }
    }

    fn type_of(&self, var: &VarRef, process: &Proctype) -> Option<TypeName> {
        let name = &var.name.text;
        let has_name = |decl: &Decl| decl.vars.iter().any(|var| var.name.text == *name);
        let mut local = process.params.iter().find(|decl| has_name(decl)).cloned();
        each_stmt(&process.body, true, &mut |stmt| {
            if let StmtKind::Decl(decl) = &stmt.kind
                && has_name(decl)
            {
                local.get_or_insert_with(|| decl.clone());
            }
        });
        let global = || self.globals.iter().find(|decl| has_name(decl)).map(|d| (*d).clone());
        self.field_type(local.or_else(global)?.ty, var.field.as_deref())
    }

    fn field_type(&self, ty: TypeName, field: Option<&VarRef>) -> Option<TypeName> {
        let Some(field) = field else { return Some(ty) };
        let TypeName::User(name) = ty else { return None };
        let fields = self.typedefs.get(name.text.as_str())?;
        let has_name = |decl: &&Decl| decl.vars.iter().any(|v| v.name.text == field.name.text);
        let decl = fields.iter().find(has_name)?;
        self.field_type(decl.ty.clone(), field.field.as_deref())
    }
}
