//! From the syntax tree of a specification to the tree that generators print: names, types, which declarations are
//! statements. Follows what the checker makes of the model, so that both readings mean the same.

pub(crate) mod code;
mod decl;
mod expr;
mod labels;
mod message;
mod scope;
mod stmt;

use crate::tree::*;
use auspex_promela::ast;
use auspex_promela::scope::Scopes;
use auspex_system::{Diagnostic, SourceMap, Span};
use scope::Symbol;
use std::collections::{HashMap, HashSet};

/// Resolves what was read as an implementation. The model in it is known to be good. Gives warnings, too.
pub fn resolve(
    program: &ast::Program,
    name: &str,
    _map: &SourceMap,
) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    resolve_for(program, name, false)
}

/// The same for a program that decides itself who moves: priorities are part of it.
pub fn resolve_with_priorities(
    program: &ast::Program,
    name: &str,
) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    resolve_for(program, name, true)
}

fn resolve_for(
    program: &ast::Program,
    name: &str,
    priorities: bool,
) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut resolver = Resolver {
        priorities,
        spec: Spec { name: name.to_string(), sets: vec![Set::default()], ..Spec::default() },
        scopes: Scopes::default(),
        processes: HashMap::new(),
        idents: HashSet::new(),
        context: None,
        model_only: false,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    resolver.register(&program.items, false);
    resolver.items(&program.items);
    match resolver.errors.is_empty() {
        true => Ok((resolver.spec, resolver.warnings)),
        false => Err(resolver.errors),
    }
}

struct Resolver {
    /// Are priorities for the program, too?
    priorities: bool,
    spec: Spec,
    scopes: Scopes<Symbol>,
    /// By name; what they are is known before their bodies are.
    processes: HashMap<String, usize>,
    /// All that is taken among the globals.
    idents: HashSet<String>,
    /// The process that is being resolved.
    context: Option<Context>,
    /// Inside `promela_MS`.
    model_only: bool,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

#[derive(Default)]
struct Context {
    process: usize,
    locals: Vec<VarId>,
    idents: HashSet<String>,
    /// No statement came before: declarations belong to the creation of the process.
    at_top: bool,
    labels: labels::Labels,
}

impl Resolver {
    /// Learns the names of the processes. They are used before they are defined.
    fn register(&mut self, items: &[ast::Item], model_only: bool) {
        for item in items {
            match item {
                ast::Item::ModelOnly(items) => self.register(items, true),
                ast::Item::Proctype(proctype) => {
                    let name = proctype.name.text.clone();
                    self.idents.insert(name.clone());
                    self.processes.insert(name.clone(), self.spec.processes.len());
                    self.spec.processes.push(Process {
                        name,
                        is_init: proctype.is_init,
                        is_env: proctype.env || model_only,
                        active: 0,
                        priority: 1,
                        provided: None,
                        params: Vec::new(),
                        locals: Vec::new(),
                        body: Vec::new(),
                        span: proctype.name.span,
                        end: proctype.end,
                    });
                }
                _ => {}
            }
        }
    }

    fn items(&mut self, items: &[ast::Item]) {
        // A `run` needs to know the parameters of a process further down.
        self.types(items);
        self.parameters_of_all(items);
        self.globals_and_bodies(items);
    }

    /// Types and constants; they are declared before they are used, but parameters want them first.
    fn types(&mut self, items: &[ast::Item]) {
        for item in items {
            match item {
                ast::Item::Typedef { name, fields, code } => self.typedef(name, fields, code),
                ast::Item::Mtype { set, names } => self.mtype(set.as_ref(), names),
                ast::Item::ModelOnly(items) => {
                    self.inside_model(|resolver| resolver.types(items));
                }
                _ => {}
            }
        }
    }

    fn parameters_of_all(&mut self, items: &[ast::Item]) {
        for item in items {
            match item {
                ast::Item::Proctype(proctype) => self.parameters(proctype),
                ast::Item::ModelOnly(items) => self.parameters_of_all(items),
                _ => {}
            }
        }
    }

    fn globals_and_bodies(&mut self, items: &[ast::Item]) {
        for item in items {
            match item {
                ast::Item::Global(decl) => self.global(decl),
                ast::Item::Code(code) => {
                    let code = self.code(code);
                    self.spec.globals.push(Global::Code(code));
                }
                ast::Item::Proctype(proctype) => self.proctype(proctype),
                ast::Item::ModelOnly(items) => {
                    self.inside_model(|resolver| resolver.globals_and_bodies(items));
                }
                ast::Item::Typedef { .. }
                | ast::Item::Mtype { .. }
                | ast::Item::Claim(_)
                | ast::Item::Ltl(_) => {}
            }
        }
    }

    fn inside_model(&mut self, work: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.model_only, true);
        work(self);
        self.model_only = outside;
    }

    fn parameters(&mut self, proctype: &ast::Proctype) {
        let Some(process) = self.processes.get(&proctype.name.text).copied() else { return };
        self.context = Some(Context { process, at_top: true, ..Context::default() });
        self.scopes.enter();
        for decl in &proctype.params {
            for var in &decl.vars {
                self.local(decl, var);
            }
        }
        self.scopes.leave();
        let context = self.context.take().unwrap_or_default();
        for id in &context.locals {
            self.spec.variables[id.0].is_parameter = true;
        }
        self.spec.processes[process].params = context.locals;
    }

    fn proctype(&mut self, proctype: &ast::Proctype) {
        let Some(process) = self.processes.get(&proctype.name.text).copied() else { return };
        // The environment is of no concern: it may say what only a model can.
        if self.spec.processes[process].is_env {
            return;
        }
        let priority = self.priority(proctype.priority.as_ref());
        let mut context = Context { process, at_top: true, ..Context::default() };
        self.scopes.enter();
        for id in self.spec.processes[process].params.clone() {
            let variable = self.spec.variable(id);
            context.idents.insert(variable.ident.clone());
            self.scopes.declare(&variable.name, Symbol::Variable(id));
        }
        self.context = Some(context);
        let provided = proctype.provided.as_ref().map(|expr| self.expr(expr));
        let mut body = self.sequence(&proctype.body);
        self.scopes.leave();
        let mut context = self.context.take().unwrap_or_default();
        self.errors.extend(context.labels.settle(&mut body));
        let active = self.active(proctype);
        let made = &mut self.spec.processes[process];
        (made.provided, made.body, made.active) = (provided, body, active);
        made.priority = priority;
        made.locals = context.locals;
    }

    /// Spin takes 0 for 1.
    fn priority(&mut self, priority: Option<&ast::Expr>) -> u8 {
        let Some(priority) = priority else { return 1 };
        if !self.is_for_program(priority.span) {
            return 1;
        }
        u8::try_from(self.constant(priority)).unwrap_or(u8::MAX).max(1)
    }

    /// May it say something about priorities? If not, it is left out, and said.
    fn is_for_program(&mut self, span: Span) -> bool {
        if !self.priorities {
            let warning = Diagnostic::warning(span, "a priority is of the model only");
            self.warnings.push(warning.hint("the system that runs the processes has its own"));
        }
        self.priorities
    }

    fn active(&mut self, proctype: &ast::Proctype) -> u32 {
        match &proctype.active {
            Some(ast::Active { count: Some(count) }) => self.constant(count).max(0) as u32,
            Some(ast::Active { count: None }) => 1,
            None => u32::from(proctype.is_init),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }
}
