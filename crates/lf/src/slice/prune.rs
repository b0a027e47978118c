//! Cuts a slice out of the syntax trees. The result is checked and compiled like any program.

use super::Slicer;
use super::graph::Trigger;
use crate::ast::{
    Declaration, Designator, Expr, Ident, Module, Process, Section, Statement, StatementId,
    StatementKind, When,
};
use crate::load::Source;
use crate::tree::{self, ModuleId, ProcessId, StatementKey, VariableId};
use auspex_system::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

pub struct Cut<'a> {
    kept: HashSet<StatementKey>,
    yields: &'a HashSet<StatementKey>,
    /// Names that are not declared any more, by where they were.
    gone: HashSet<Span>,
    /// Which arguments of calls and NEWs stay.
    arguments: HashMap<StatementKey, Vec<bool>>,
    /// Which creations stay, and which of their arguments.
    creations: HashMap<StatementKey, Vec<Option<Vec<bool>>>>,
}

impl<'a> Cut<'a> {
    pub fn new(slicer: &Slicer<'_>, yields: &'a HashSet<StatementKey>) -> Self {
        let program = slicer.program;
        let mut gone = HashSet::new();
        for (index, variable) in program.variables.iter().enumerate() {
            if !slicer.is_declared(VariableId(index as u32)) {
                gone.insert(variable.span);
            }
        }
        for (index, process) in program.processes.iter().enumerate() {
            if !slicer.is_live(ProcessId(index as u32)) {
                gone.insert(process.span);
            }
        }
        let (mut arguments, mut creations) = (HashMap::new(), HashMap::new());
        let modules = program.modules.iter().map(|module| &module.body);
        for body in modules.chain(program.processes.iter().map(|process| &process.body)) {
            collect(slicer, body, &mut arguments, &mut creations);
        }
        Cut { kept: slicer.kept_keys(), yields, gone, arguments, creations }
    }

    pub fn apply(&self, source: &Source) -> Result<Source, Vec<Diagnostic>> {
        let cut = |whole: bool| {
            let modules = source.modules.iter().enumerate();
            let pruner = |id: usize| Pruner { cut: self, module: ModuleId(id as u32), whole };
            let modules = modules.map(|(id, module)| pruner(id).module(module)).collect();
            source.again(modules)
        };
        // A name may be needed only for its type (LEN of an array): then no name is left out.
        cut(false).or_else(|_| cut(true))
    }
}

fn collect(
    slicer: &Slicer<'_>,
    statements: &[tree::Statement],
    arguments: &mut HashMap<StatementKey, Vec<bool>>,
    creations: &mut HashMap<StatementKey, Vec<Option<Vec<bool>>>>,
) {
    let used = |process: ProcessId| -> Vec<bool> {
        let parameters = &slicer.program.process(process).parameters;
        parameters.iter().map(|id| slicer.is_declared(*id)).collect()
    };
    for statement in statements {
        match &statement.kind {
            tree::StatementKind::Call { process, .. } => {
                arguments.insert(statement.key, used(*process));
            }
            tree::StatementKind::New(places) => {
                let stays =
                    |place: &tree::Place| slicer.is_active(&Trigger::Relevant(place.variable));
                arguments.insert(statement.key, places.iter().map(stays).collect());
            }
            tree::StatementKind::Create(all) => {
                let stays =
                    |it: &tree::Creation| slicer.is_live(it.process).then(|| used(it.process));
                creations.insert(statement.key, all.iter().map(stays).collect());
            }
            tree::StatementKind::Select(clauses) => {
                for clause in clauses {
                    collect(slicer, &clause.body, arguments, creations);
                }
            }
            other => {
                for block in super::graph::blocks(other) {
                    collect(slicer, block, arguments, creations);
                }
            }
        }
    }
}

struct Pruner<'c> {
    cut: &'c Cut<'c>,
    module: ModuleId,
    /// Only statements go: all names and arguments stay.
    whole: bool,
}

impl Pruner<'_> {
    fn key(&self, id: StatementId) -> StatementKey {
        StatementKey { module: self.module, id }
    }

    fn declares(&self, name: Span) -> bool {
        self.whole || !self.cut.gone.contains(&name)
    }

    fn module(&self, module: &Module) -> Module {
        Module {
            name: module.name.clone(),
            imports: module.imports.clone(),
            declarations: self.declarations(&module.declarations),
            body: self.block(&module.body),
            span: module.span,
        }
    }

    fn declarations(&self, declarations: &[Declaration]) -> Vec<Declaration> {
        let kept = declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Variables { names, ty, is_port } => {
                let stays = |name: &&crate::ast::IdentDef| self.declares(name.name.span);
                let names: Vec<_> = names.iter().filter(stays).cloned().collect();
                let (ty, is_port) = (ty.clone(), *is_port);
                (!names.is_empty()).then_some(Declaration::Variables { names, ty, is_port })
            }
            Declaration::Process(process) => {
                let stays = self.declares(process.name.name.span);
                stays.then(|| Declaration::Process(self.process(process)))
            }
            other => Some(other.clone()),
        });
        kept.collect()
    }

    fn process(&self, process: &Process) -> Process {
        let parameters = process.parameters.iter().filter_map(|section| {
            let stays = |name: &&Ident| self.declares(name.span);
            let names: Vec<Ident> = section.names.iter().filter(stays).cloned().collect();
            (!names.is_empty()).then(|| Section { names, ..section.clone() })
        });
        Process {
            parameters: parameters.collect(),
            declarations: self.declarations(&process.declarations),
            body: self.block(&process.body),
            ..process.clone()
        }
    }

    fn block(&self, statements: &[Statement]) -> Vec<Statement> {
        let mut block: Vec<Statement> = Vec::new();
        // One RESCHEDULE does what several in a row do.
        let mut rested = false;
        for statement in statements {
            let key = self.key(statement.id);
            if self.cut.kept.contains(&key) {
                block.push(self.statement(statement));
                rested = false;
            } else if self.cut.yields.contains(&key) && !rested {
                block.push(reschedule(statement));
                rested = true;
            }
        }
        block
    }

    fn statement(&self, statement: &Statement) -> Statement {
        let key = self.key(statement.id);
        let kind = match &statement.kind {
            StatementKind::Call { callee, arguments } => {
                let (callee, arguments) = (callee.clone(), self.arguments(key, arguments));
                StatementKind::Call { callee, arguments }
            }
            StatementKind::Create(creations) => {
                let stay = self.cut.creations.get(&key).filter(|_| !self.whole);
                let kept = creations.iter().enumerate().filter_map(|(index, creation)| {
                    let Some(stay) = stay else { return Some(creation.clone()) };
                    let used = stay.get(index)?.as_ref()?;
                    let arguments = chosen(&creation.arguments, used);
                    Some(crate::ast::Creation { arguments, ..creation.clone() })
                });
                StatementKind::Create(kept.collect())
            }
            StatementKind::Select(clauses) => {
                let kept = clauses.iter().filter(|it| self.cut.kept.contains(&self.key(it.id)));
                let clause = |it: &When| When { body: self.block(&it.body), ..it.clone() };
                StatementKind::Select(kept.map(clause).collect())
            }
            other => self.structured(other),
        };
        Statement { id: statement.id, kind, span: statement.span }
    }

    fn arguments(&self, key: StatementKey, arguments: &[Expr]) -> Vec<Expr> {
        match self.cut.arguments.get(&key).filter(|_| !self.whole) {
            Some(stay) => chosen(arguments, stay),
            None => arguments.to_vec(),
        }
    }

    fn structured(&self, kind: &StatementKind) -> StatementKind {
        match kind.clone() {
            StatementKind::If { arms, otherwise } => StatementKind::If {
                arms: arms.into_iter().map(|(c, body)| (c, self.block(&body))).collect(),
                otherwise: otherwise.map(|body| self.block(&body)),
            },
            StatementKind::While { condition, body } => {
                StatementKind::While { condition, body: self.block(&body) }
            }
            StatementKind::Repeat { body, until } => {
                StatementKind::Repeat { body: self.block(&body), until }
            }
            StatementKind::For { variable, from, to, by, body } => {
                StatementKind::For { variable, from, to, by, body: self.block(&body) }
            }
            StatementKind::Loop { body } => StatementKind::Loop { body: self.block(&body) },
            StatementKind::Case { value, arms, otherwise } => {
                let arm =
                    |arm: crate::ast::Arm| crate::ast::Arm { body: self.block(&arm.body), ..arm };
                let arms = arms.into_iter().map(arm).collect();
                StatementKind::Case { value, arms, otherwise: otherwise.map(|it| self.block(&it)) }
            }
            StatementKind::Choice(alternatives) => {
                StatementKind::Choice(alternatives.iter().map(|body| self.block(body)).collect())
            }
            other => other,
        }
    }
}

fn chosen(arguments: &[Expr], stay: &[bool]) -> Vec<Expr> {
    let stays = |index: usize| stay.get(index).copied().unwrap_or(true);
    let kept = arguments.iter().enumerate().filter(|(index, _)| stays(*index));
    kept.map(|(_, argument)| argument.clone()).collect()
}

/// What stands for a statement that let others run.
fn reschedule(statement: &Statement) -> Statement {
    let name = Ident { text: "RESCHEDULE".to_owned(), span: statement.span };
    let callee = Designator { name, selectors: Vec::new(), span: statement.span };
    let kind = StatementKind::Call { callee, arguments: Vec::new() };
    Statement { id: statement.id, kind, span: statement.span }
}
