//! The code of a process.

use super::super::text::{Writer, comment};
use super::super::{Printer, names};
use super::Threads;
use super::declare;
use super::heads::Escape;
use super::view::View;
use crate::tree::*;
use auspex_promela::ast::Primitive;
use auspex_system::Diagnostic;
use std::collections::{HashMap, HashSet};

pub struct Body<'a> {
    pub printer: Printer<'a>,
    pub dialect: &'a Threads,
    pub process: &'a Process,
    pub out: Writer,
    pub provided: Option<String>,
    /// Those around the statement, outermost first.
    pub escapes: Vec<Escape<'a>>,
    /// Inside an `atomic`; can the process stand at any statement of it, because there is a handshake before?
    pub atomic: Option<bool>,
    pub loops: Vec<Loop>,
    /// Labels that are jumped to, and whether they are in an `atomic`.
    pub targets: HashMap<&'a str, bool>,
    pub unless: HashMap<*const Stmt, usize>,
    /// Labels of our own.
    pub labels: Vec<String>,
    /// A jump leads to where the code is now.
    pub jumped_to: bool,
    /// The statement is at a label that begins with `end`.
    pub ends: bool,
    /// What can be done at each place where the process waits.
    pub looks: Writer,
    pub places: usize,
    pub errors: Vec<Diagnostic>,
}

pub struct Loop {
    pub exit: String,
    pub atomic: bool,
}

impl<'a> Body<'a> {
    pub fn new(printer: Printer<'a>, dialect: &'a Threads, process: &'a Process) -> Self {
        let mut inside = HashMap::new();
        find_labels(&process.body, false, &mut inside);
        let mut jumps = HashSet::new();
        find_jumps(&process.body, &mut jumps);
        inside.retain(|label, _| jumps.contains(label));
        Body {
            printer,
            dialect,
            process,
            out: Writer::new(1),
            provided: process.provided.as_ref().map(|provided| printer.condition(provided)),
            escapes: Vec::new(),
            atomic: None,
            loops: Vec::new(),
            targets: inside,
            unless: HashMap::new(),
            labels: Vec::new(),
            jumped_to: false,
            ends: false,
            looks: Writer::new(2),
            places: 0,
            errors: Vec::new(),
        }
    }

    /// Writes the functions of the process: what it can do, and what it does.
    pub fn function(mut self, out: &mut Writer) -> Result<(), Vec<Diagnostic>> {
        let (printer, process) = (self.printer, self.process);
        let name = &process.name;
        self.block(&process.body);
        self.closing();
        let looks = std::mem::take(&mut self.looks).finish();
        let view = View::new(&printer, process, &looks, &mut self.errors);
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let at = printer.location(process.span);
        out.line(format!("/* {name}, {at} */"));
        view.looks(&looks, out);
        out.line(format!("void {}(ax_process *ax)", names::safe(name)));
        out.open("{");
        declare::locals(&printer, process, out);
        view.begin(out);
        let text = std::mem::take(&mut self.out).finish();
        let unused = |line: &str| {
            let label = line.trim().trim_end_matches(":;");
            self.labels.iter().any(|own| own == label) && !text.contains(&format!("goto {label};"))
        };
        let lines: Vec<&str> = text.lines().filter(|line| !unused(line)).collect();
        joined(&lines).iter().for_each(|line| out.raw(line));
        out.close("}");
        out.line("");
        Ok(())
    }

    pub fn closing(&mut self) {
        let location = self.printer.location(self.process.end);
        let youngest = "ax_is_youngest(ax)".to_string();
        let condition = match &self.provided {
            None => youngest,
            Some(provided) => format!("({provided}) && {youngest}"),
        };
        let at = format!("{location}: the end");
        self.place(&at, &["ax_may_end(ax);".into(), format!("if ({condition}) ax_can(ax, 1);")]);
    }

    pub fn block(&mut self, block: &'a Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    pub fn own_label(&mut self, kind: &str) -> String {
        let label = format!("ax_{kind}_{}", self.labels.len() + 1);
        self.labels.push(label.clone());
        label
    }

    pub fn put_label(&mut self, label: &str) {
        self.out.outdented(format!("{label}:;"));
    }

    /// The number of an `unless`; that of an inner one is greater.
    pub fn id_of(&mut self, stmt: &Stmt) -> usize {
        let next = self.unless.len() + 1;
        *self.unless.entry(std::ptr::from_ref(stmt)).or_insert(next)
    }

    /// `file:line: statement`, for people.
    pub fn at(&self, stmt: &Stmt) -> String {
        let what = match &stmt.kind {
            Kind::If(_) => "if",
            Kind::Do(_) => "do",
            Kind::Atomic(_) => "atomic",
            Kind::DStep(_) => "d_step",
            Kind::Unless { .. } => "unless",
            Kind::Block(_) => "{",
            Kind::For { .. } => "for",
            _ => &stmt.text,
        };
        format!("{}: {what}", self.printer.location(stmt.span))
    }

    pub fn remark(&self, stmt: &Stmt, what: &str) -> String {
        comment(&format!("{what}, {}", self.printer.location(stmt.span)))
    }

    pub fn is_target(&self, stmt: &Stmt) -> bool {
        stmt.labels.iter().any(|label| self.targets.contains_key(label.as_str()))
    }

    pub fn put_labels(&mut self, stmt: &'a Stmt) {
        for label in &stmt.labels {
            if self.targets.contains_key(label.as_str()) {
                self.put_label(&names::safe(label));
                self.jumped_to = true;
            }
            self.ends |= label.starts_with("end");
        }
    }

    pub fn stmt(&mut self, stmt: &'a Stmt) {
        self.put_labels(stmt);
        match &stmt.kind {
            Kind::ModelOnly => {}
            Kind::Block(block) => self.block(block),
            Kind::Goto(label) => self.goto(label),
            Kind::Break => self.leave_loop(),
            Kind::If(options) | Kind::Do(options) if self.is_plain_choice(options) => {
                self.plain_choice(stmt, options);
            }
            Kind::Do(_) => {
                let exit = self.enter_loop(stmt, "do");
                self.wait_for(stmt);
                self.after_options(stmt, &mut 1);
                self.close_loop(&exit);
            }
            Kind::For { .. } => {
                self.boundary(stmt);
                self.for_loop(stmt);
            }
            Kind::If(_)
            | Kind::Atomic(_)
            | Kind::DStep(_)
            | Kind::Unless { .. }
            | Kind::Send { .. }
            | Kind::Receive { .. } => {
                self.wait_for(stmt);
                self.after(stmt, &mut 1);
            }
            Kind::Condition(expr) if !matches!(expr, Expr::Run { .. }) => self.wait_for(stmt),
            Kind::Code(code) if code.primitive == Primitive::Expr => self.wait_for(stmt),
            Kind::Code(code) if code.primitive != Primitive::Code => self.effect(stmt),
            _ => {
                self.boundary(stmt);
                self.effect(stmt);
            }
        }
    }

    pub fn wait_for(&mut self, stmt: &'a Stmt) {
        let heads = self.heads(stmt, &mut 1);
        self.wait(&heads, stmt);
    }
}

/// A boundary and the statement behind it in one line.
fn joined(lines: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in lines {
        let text = line.trim_start();
        let is_simple = text.ends_with(';') && !text.ends_with(":;") && !text.starts_with("ax_");
        let boundary = out.last_mut().and_then(|last| {
            let (before, comment) = last.split_once("(ax); /* ")?;
            let same_depth = before.len() - before.trim_start().len() == line.len() - text.len();
            let is_one = before.trim_start() == "ax_step";
            let all =
                (is_one && same_depth).then(|| format!("{before}(ax); {text} /* {comment}"))?;
            Some((last, all))
        });
        match boundary {
            Some((last, all)) if is_simple || text.starts_with("ax_assert(") => *last = all,
            _ => out.push((*line).to_string()),
        }
    }
    out
}

pub fn escape(id: usize) -> String {
    format!("ax_escape_{id}")
}

pub fn ends_with_jump(block: &Block) -> bool {
    block.last().is_some_and(|stmt| match &stmt.kind {
        Kind::Goto(_) | Kind::Break => true,
        Kind::Atomic(block) | Kind::Block(block) => ends_with_jump(block),
        _ => false,
    })
}

pub fn has_atomic(block: &Block) -> bool {
    block.iter().any(|stmt| {
        matches!(stmt.kind, Kind::Atomic(_)) || stmt.kind.blocks().into_iter().any(has_atomic)
    })
}

fn find_labels<'a>(block: &'a Block, atomic: bool, out: &mut HashMap<&'a str, bool>) {
    for stmt in block {
        out.extend(stmt.labels.iter().map(|label| (label.as_str(), atomic)));
        let inside = atomic || matches!(stmt.kind, Kind::Atomic(_));
        for block in stmt.kind.blocks() {
            find_labels(block, inside, out);
        }
    }
}

fn find_jumps<'a>(block: &'a Block, out: &mut HashSet<&'a str>) {
    for stmt in block {
        if let Kind::Goto(label) = &stmt.kind {
            out.insert(label);
        }
        for block in stmt.kind.blocks() {
            find_jumps(block, out);
        }
    }
}
