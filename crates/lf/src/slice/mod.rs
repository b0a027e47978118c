//! Slicing: a smaller program that says the same about what is asked.
//!
//! There are two kinds. Both keep every statement that what is asked depends on, by the values of variables (whole ones,
//! and in no order) and by control.
//!
//! *Assertions*: a statement that none of them depends on goes, whatever it does; communications go together with those
//! that they meet, so nobody waits for what does not come. Every run of the program is then one of the slice, with the
//! same values wherever an assertion looks. The slice may have more: nobody waits in what is gone. So `holds` of the
//! slice, with no fault of any kind, is one of the program's assertions; a fault of the slice says nothing.
//! What is gone may have let others run: RESCHEDULE stands there instead, unless nobody could notice.
//!
//! *Runs* (PROPERTY and formulas): only statements that change variables and cannot wait, fail or let others run are
//! left out. The steps of the slice are those of the program, one by one.

pub(crate) mod channels;
pub(crate) mod graph;
mod prune;
mod safe;
mod yields;

use crate::load::Source;
use crate::tree::{
    Argument, ProcessId, Program, Role, Statement, StatementKey, StatementKind, VariableId,
};
use auspex_system::{Diagnostic, FileId, SourceMap};
use channels::{Channels, ClassId};
use graph::{Body, Graph, Kind, Node, Trigger};
use std::collections::HashSet;

/// What a slice is to say the same about.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Assertions: all of them, or those that begin in these lines of the main module.
    Assertions { lines: Option<Vec<u32>> },
    /// Runs: PROPERTYs by name, and formulas.
    Runs { properties: Vec<String>, formulas: Vec<Formula> },
}

/// What a formula looks at.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    variables: Vec<VariableId>,
    /// Names of processes whose positions it asks for.
    positions: Vec<String>,
}

impl Formula {
    /// Of a formula in a file of its own.
    pub fn read(
        source: &mut Source,
        sources: &SourceMap,
        file: FileId,
        text: &str,
    ) -> Result<Self, Vec<Diagnostic>> {
        let parsed = auspex_ltl::parse(text, file, 0).map_err(|error| vec![error])?;
        let mut formula = Formula::default();
        for atom in &parsed.atoms {
            if let Some((who, _)) = atom.text.rsplit_once('@') {
                let name = who.split('[').next().unwrap_or(who);
                formula.positions.push(name.trim().to_owned());
                continue;
            }
            let start = atom.range.start as u32;
            let parsed = crate::parse_expression(sources, file, start, &atom.text)?;
            let expr = source.names.expression(&mut source.program, &parsed)?;
            formula.variables.extend(crate::check::Effects::of_expr(&expr).reads);
        }
        Ok(formula)
    }
}

/// A smaller program.
pub struct Sliced {
    pub source: Source,
    /// How many statements it has lost, of how many.
    pub removed: usize,
    pub total: usize,
}

/// Slices a program. `fine`: it is to be searched with an end of an action after every statement.
pub fn slice(
    source: &Source,
    sources: &SourceMap,
    goal: &Goal,
    fine: bool,
) -> Result<Sliced, Vec<Diagnostic>> {
    let slicer = Slicer::run(&source.program, sources, goal, fine);
    if let Goal::Assertions { lines: Some(lines) } = goal
        && let Some(line) = lines.iter().find(|line| !slicer.asserts_in(sources, **line))
    {
        return Err(vec![Diagnostic::general(format!(
            "no assertion of the main module begins in line {line}"
        ))]);
    }
    let yields = match goal {
        Goal::Assertions { .. } => yields::find(&slicer, fine),
        Goal::Runs { .. } => HashSet::new(),
    };
    let nodes =
        || slicer.graph.nodes.iter().zip(&slicer.kept).filter(|(n, _)| n.kind != Kind::Clause);
    let cut = prune::Cut::new(&slicer, &yields);
    Ok(Sliced {
        source: cut.apply(source)?,
        removed: nodes().filter(|(_, kept)| !**kept).count(),
        total: nodes().count(),
    })
}

struct Slicer<'p> {
    program: &'p Program,
    graph: Graph,
    channels: Channels,
    /// Variables and those that stand for them: VAR parameters.
    alias: Vec<usize>,
    /// Whose values matter, by the first of the alias.
    relevant: Vec<bool>,
    /// Those that what is kept names.
    mentioned: Vec<bool>,
    messages: HashSet<(ClassId, u32)>,
    live: HashSet<Body>,
    kept: Vec<bool>,
    /// PROPERTYs that nobody asks for.
    ignored: HashSet<Body>,
    keeps_steps: bool,
}

impl<'p> Slicer<'p> {
    fn run(program: &'p Program, sources: &SourceMap, goal: &Goal, fine: bool) -> Self {
        let graph = Graph::of(program);
        let count = program.variables.len();
        let mut slicer = Slicer {
            program,
            kept: vec![false; graph.nodes.len()],
            graph,
            channels: Channels::of(program),
            alias: aliases(program),
            relevant: vec![false; count],
            mentioned: vec![false; count],
            messages: HashSet::new(),
            live: HashSet::new(),
            ignored: HashSet::new(),
            keeps_steps: matches!(goal, Goal::Runs { .. }),
        };
        slicer.begin(sources, goal, fine);
        slicer.close();
        slicer
    }

    fn find(&self, variable: VariableId) -> usize {
        root(&self.alias, variable.0 as usize)
    }

    fn is_relevant(&self, variable: VariableId) -> bool {
        self.relevant[self.find(variable)]
    }

    /// What is asked.
    fn begin(&mut self, sources: &SourceMap, goal: &Goal, fine: bool) {
        let asked: &[String] = match goal {
            Goal::Assertions { .. } => &[],
            Goal::Runs { properties, .. } => properties,
        };
        for (index, process) in self.program.processes.iter().enumerate() {
            let body = Body::Process(ProcessId(index as u32));
            if !process.is_property {
                // Who is created, and with what, is a part of the steps.
                if self.keeps_steps {
                    self.live.insert(body);
                    process.parameters.iter().for_each(|p| self.mentioned[p.0 as usize] = true);
                }
            } else if asked.contains(&process.name) {
                self.live.insert(body);
            } else {
                self.ignored.insert(body);
            }
        }
        match goal {
            Goal::Assertions { lines } => self.begin_assertions(sources, lines.as_deref()),
            Goal::Runs { formulas, .. } => self.begin_runs(formulas, fine),
        }
    }

    fn begin_assertions(&mut self, sources: &SourceMap, lines: Option<&[u32]>) {
        let main = self.program.modules.get(self.program.main).map(|module| module.id);
        for index in 0..self.graph.nodes.len() {
            let node = &self.graph.nodes[index];
            let asked = lines.is_none_or(|lines| {
                let line = sources.location(node.span).line;
                Some(node.key.module) == main && lines.contains(&line)
            });
            if node.kind == Kind::Assert && asked && !self.ignored.contains(&node.body) {
                self.kept[index] = true;
            }
        }
    }

    fn asserts_in(&self, sources: &SourceMap, line: u32) -> bool {
        let main = self.program.modules.get(self.program.main).map(|module| module.id);
        self.graph.nodes.iter().any(|node| {
            let is_main = Some(node.key.module) == main;
            node.kind == Kind::Assert && is_main && sources.location(node.span).line == line
        })
    }

    fn begin_runs(&mut self, formulas: &[Formula], fine: bool) {
        let watched = self.watched_bodies(formulas);
        for (index, node) in self.graph.nodes.iter().enumerate() {
            // With fine steps every statement is one.
            let goes = node.kind == Kind::Harmless && !fine && !watched.contains(&node.body);
            self.kept[index] = !goes && !self.ignored.contains(&node.body);
        }
        for variable in formulas.iter().flat_map(|formula| &formula.variables) {
            let class = self.find(*variable);
            self.relevant[class] = true;
            self.mentioned[variable.0 as usize] = true;
        }
    }

    /// Bodies in which a formula sees where a process stands: a process that waits before a statement stands there.
    fn watched_bodies(&self, formulas: &[Formula]) -> HashSet<Body> {
        let mut found = HashSet::new();
        for name in formulas.iter().flat_map(|formula| &formula.positions) {
            for (index, process) in self.program.processes.iter().enumerate() {
                if process.name == *name {
                    found.insert(Body::Process(ProcessId(index as u32)));
                }
            }
            // The bodies of modules are executed by a process with the name of the main one.
            let main = self.program.modules.get(self.program.main);
            if main.is_some_and(|main| main.name == *name) {
                found.extend(self.program.modules.iter().map(|module| Body::Module(module.id)));
            }
        }
        loop {
            let calls = self.graph.nodes.iter().filter(|node| !node.creates);
            let inside = calls.filter(|node| found.contains(&node.body));
            let called: Vec<Body> =
                inside.flat_map(|node| &node.starts).map(|p| Body::Process(*p)).collect();
            let before = found.len();
            found.extend(called);
            if found.len() == before {
                return found;
            }
        }
    }

    /// Until nothing more is needed.
    fn close(&mut self) {
        loop {
            let mut changed = false;
            for index in 0..self.graph.nodes.len() {
                if !self.kept[index] && self.is_needed(&self.graph.nodes[index]) {
                    self.kept[index] = true;
                    changed = true;
                }
                if self.kept[index] {
                    changed |= self.spread(index);
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn is_needed(&self, node: &Node) -> bool {
        if self.ignored.contains(&node.body) {
            return false;
        }
        let by_kind = match node.kind {
            // What comes behind it is executed or not.
            Kind::Exit => node.leaves.is_none_or(|index| self.kept[index]),
            Kind::Return => self.live.contains(&node.body),
            // A SELECT that goes on with one clause less would not go on.
            Kind::Clause => node.parent.is_some_and(|parent| self.kept[parent]),
            _ => false,
        };
        by_kind
            || node.writes.iter().any(|variable| self.is_relevant(*variable))
            || node.starts.iter().any(|process| self.live.contains(&Body::Process(*process)))
            || node.messages.iter().any(|message| self.messages.contains(&self.message(*message)))
            || node.parts.iter().any(|part| match part.trigger {
                Trigger::Relevant(variable) => self.is_relevant(variable),
                _ => false,
            })
    }

    fn message(&self, (port, message): (VariableId, u32)) -> (ClassId, u32) {
        (self.channels.class(port), message)
    }

    /// Is a part of a statement that is kept needed?
    fn is_active(&self, trigger: &Trigger) -> bool {
        match trigger {
            Trigger::Always => true,
            Trigger::Parameter(parameter) => self.mentioned[parameter.0 as usize],
            Trigger::Relevant(variable) => self.keeps_steps || self.is_relevant(*variable),
        }
    }

    /// What a statement that is kept needs. Has that changed anything?
    fn spread(&mut self, index: usize) -> bool {
        let node = &self.graph.nodes[index];
        let mut changed = self.live.insert(node.body);
        if let Some(parent) = node.parent {
            changed |= !std::mem::replace(&mut self.kept[parent], true);
        }
        for message in &node.messages {
            let message = (self.channels.class(message.0), message.1);
            changed |= self.messages.insert(message);
        }
        let active: Vec<usize> = (0..node.parts.len())
            .filter(|part| self.is_active(&node.parts[*part].trigger))
            .collect();
        for part in active {
            let part = &self.graph.nodes[index].parts[part];
            for variable in part.reads.iter().chain(&part.mentions) {
                changed |= !std::mem::replace(&mut self.mentioned[variable.0 as usize], true);
            }
            for variable in &part.reads {
                let class = root(&self.alias, variable.0 as usize);
                changed |= !std::mem::replace(&mut self.relevant[class], true);
            }
        }
        changed
    }
}

fn root(parents: &[usize], mut at: usize) -> usize {
    while parents[at] != at {
        at = parents[at];
    }
    at
}

/// Joins each VAR parameter with what it stands for.
fn aliases(program: &Program) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..program.variables.len()).collect();
    each_argument(program, &mut |parameter, argument, _| {
        if let Argument::Reference(place) | Argument::Open(place) = argument {
            let (a, b) = (parameter.0 as usize, place.variable.0 as usize);
            let (a, b) = (root(&parents, a), root(&parents, b));
            parents[b] = a;
        }
    });
    parents
}

/// Tells every argument of every call and creation (then `true`).
fn each_argument(program: &Program, tell: &mut dyn FnMut(VariableId, &Argument, bool)) {
    let bodies = program.modules.iter().map(|module| &module.body);
    for body in bodies.chain(program.processes.iter().map(|process| &process.body)) {
        arguments_in(program, body, tell);
    }
}

fn arguments_in(
    program: &Program,
    statements: &[Statement],
    tell: &mut dyn FnMut(VariableId, &Argument, bool),
) {
    for statement in statements {
        let mut of = |process: ProcessId, arguments: &[Argument], created: bool| {
            let parameters = &program.process(process).parameters;
            parameters.iter().zip(arguments).for_each(|(p, argument)| tell(*p, argument, created));
        };
        match &statement.kind {
            StatementKind::Call { process, arguments } => of(*process, arguments, false),
            StatementKind::Create(creations) => {
                creations.iter().for_each(|it| of(it.process, &it.arguments, true));
            }
            StatementKind::Select(clauses) => {
                clauses.iter().for_each(|clause| arguments_in(program, &clause.body, tell));
            }
            other => {
                graph::blocks(other)
                    .into_iter()
                    .for_each(|block| arguments_in(program, block, tell));
            }
        }
    }
}

impl Slicer<'_> {
    /// Is a variable declared in the slice?
    fn is_declared(&self, variable: VariableId) -> bool {
        self.program.variable(variable).role == Role::System || self.mentioned[variable.0 as usize]
    }

    fn is_live(&self, process: ProcessId) -> bool {
        self.live.contains(&Body::Process(process))
    }

    fn kept_keys(&self) -> HashSet<StatementKey> {
        let nodes = self.graph.nodes.iter().zip(&self.kept);
        nodes.filter(|(_, kept)| **kept).map(|(node, _)| node.key).collect()
    }
}
