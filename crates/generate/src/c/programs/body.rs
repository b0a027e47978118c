//! The statements of a process.

use super::escape::Escape;
use super::guard::{contains_code, guard};
use crate::c::text::{self, Writer, completed, quoted};
use crate::c::{Printer, names};
use crate::tree::*;
use auspex_promela::ast::Primitive;
use std::collections::{HashMap, HashSet};

/// A construct of C that its `break` leaves.
pub enum Construct {
    /// A loop of the specification: the label behind it, and whether it is used.
    Loop(String, bool),
    /// `switch`, or a selection that is tried again.
    Other,
}

pub struct Body<'a> {
    pub printer: &'a Printer<'a>,
    pub process: usize,
    pub out: Writer,
    /// Labels that a jump goes to.
    targets: HashSet<&'a str>,
    /// All labels, so that made ones differ.
    labels: HashSet<String>,
    pub constructs: Vec<Construct>,
    /// Guards that were tested already.
    pub tested: HashSet<*const Stmt>,
    /// Labels behind the guards of options that are jumped into.
    pub entries: HashMap<*const Block, String>,
    /// Options with choices inside that stand somewhere already.
    pub written: HashSet<*const Block>,
    pub escapes: Vec<Escape<'a>>,
    /// How many waiting loops count their turns.
    pub turns: usize,
    starts: bool,
    /// Options that nothing comes to.
    pub dropped: HashSet<*const Block>,
}

impl<'a> Body<'a> {
    pub fn new(printer: &'a Printer<'a>, process: usize) -> Self {
        let mut body = Body {
            printer,
            process,
            out: Writer::new(1),
            targets: HashSet::new(),
            labels: HashSet::new(),
            constructs: Vec::new(),
            tested: HashSet::new(),
            entries: HashMap::new(),
            written: HashSet::new(),
            escapes: Vec::new(),
            turns: 0,
            starts: false,
            dropped: HashSet::new(),
        };
        body.collect(&printer.spec.processes[process].body);
        body
    }

    /// Does it start other processes?
    pub fn starts(&self) -> bool {
        self.starts
    }

    fn collect(&mut self, block: &'a Block) {
        for stmt in block {
            self.labels.extend(stmt.labels.iter().map(|label| names::label(label)));
            match &stmt.kind {
                Kind::Goto(label) => {
                    self.targets.insert(label);
                }
                Kind::Condition(Expr::Run { .. })
                | Kind::Assign { value: Expr::Run { .. }, .. } => {
                    self.starts = true;
                }
                _ => {}
            }
            for inner in stmt.kind.blocks() {
                self.collect(inner);
            }
        }
    }

    /// A label that nobody has.
    pub fn new_label(&mut self, name: &str, behind: &str) -> String {
        let mut number = 1;
        let mut label = format!("{name}_{number}{behind}");
        while !self.labels.insert(label.clone()) {
            number += 1;
            label = format!("{name}_{number}{behind}");
        }
        label
    }

    pub fn has_target(&self, block: &Block) -> bool {
        block.iter().any(|stmt| {
            stmt.labels.iter().any(|label| self.targets.contains(label.as_str()))
                || stmt.kind.blocks().into_iter().any(|inner| self.has_target(inner))
        })
    }

    /// Is there a jump to a block that begins with this statement?
    pub fn leads_into(&self, block: &Block, first: &Stmt) -> bool {
        let around = block.iter().find(|stmt| {
            stmt.kind
                .blocks()
                .into_iter()
                .any(|inner| guard(inner).1.is_some_and(|s| std::ptr::eq(s, first)))
        });
        around.is_some_and(|stmt| {
            stmt.labels.iter().any(|label| self.targets.contains(label.as_str()))
                || stmt.kind.blocks().into_iter().any(|inner| self.leads_into(inner, first))
        })
    }

    pub fn line_of(&self, stmt: &Stmt) -> u32 {
        self.printer.map.location(stmt.span).line
    }

    pub fn block(&mut self, block: &'a Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    /// The statements of an option whose guard holds.
    pub fn option(&mut self, option: &'a Block) {
        if let Some(label) = self.entries.get(&std::ptr::from_ref(option)).cloned() {
            self.label(&label);
        }
        self.block(option);
    }

    /// Statements in braces if declarations are among them.
    pub fn scoped(&mut self, block: &'a Block) {
        let braces = declares(block);
        if braces {
            self.out.open("{");
        }
        self.option(block);
        if braces {
            self.out.close("}");
        }
    }

    pub fn label(&mut self, label: &str) {
        self.out.outdented(format!("{label}: ;"));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        let labels: Vec<&String> =
            stmt.labels.iter().filter(|label| self.targets.contains(label.as_str())).collect();
        let is_tested = self.tested.contains(&std::ptr::from_ref(stmt));
        if is_tested && labels.is_empty() {
            return;
        }
        if is_tested {
            // Who jumps to a guard has to test it.
            self.out.open("if (0) {");
        }
        for label in labels {
            self.label(&names::label(label));
        }
        if !matches!(stmt.kind, Kind::Else) {
            self.kind(stmt);
        }
        if is_tested {
            self.out.close("}");
        }
    }

    fn kind(&mut self, stmt: &'a Stmt) {
        if is_step(&stmt.kind) {
            self.check_escapes();
        }
        let printer = self.printer;
        match &stmt.kind {
            Kind::Initialise(id) => self.initialise(*id, stmt),
            Kind::If(options) => self.choice(stmt, options, false),
            Kind::Do(options) => self.choice(stmt, options, true),
            Kind::For { var, range, body } => self.for_loop(var, range, body, stmt),
            // The first of the values: programs do not toss coins.
            Kind::Select { var, low, .. } => {
                self.out.line(format!("{}; /* select */", printer.store(var, low)));
            }
            Kind::Atomic(body) | Kind::Block(body) => self.scoped(body),
            Kind::DStep(body) => {
                let escapes = std::mem::take(&mut self.escapes);
                self.scoped(body);
                self.escapes = escapes;
            }
            Kind::Unless { main, escape } => self.unless(main, escape),
            Kind::Assign { target, value } => {
                self.out.line(format!("{};", printer.store(target, value)));
            }
            Kind::Increment { target, by } => {
                self.out.line(format!("{};", printer.increment(target, *by)));
            }
            Kind::Assert(expr) => {
                self.out.line(format!("assert({});", printer.condition(expr)));
            }
            Kind::Print(parts) => {
                if let Some(call) = printer.print(parts) {
                    self.out.line(format!("{call};"));
                }
            }
            Kind::Break => self.leave_loop(),
            Kind::Goto(label) => self.out.line(format!("goto {};", names::label(label))),
            Kind::Condition(expr) => self.condition(expr, stmt),
            Kind::Code(code) => {
                if let Some(guard) = &code.guard {
                    self.out.line(format!("assert({});", guard.trim()));
                }
                if !matches!(code.primitive, Primitive::State | Primitive::Track) {
                    self.out.lines(&completed(&code.text));
                }
            }
            Kind::Skip | Kind::SetPriority(..) | Kind::ModelOnly | Kind::Else => {}
            // These were taken out.
            Kind::Send { .. } | Kind::Receive { .. } => {}
        }
    }

    fn initialise(&mut self, id: VarId, stmt: &Stmt) {
        let variable = self.printer.spec.variable(id);
        if let Type::Record(_) = variable.ty {
            return;
        }
        let mut path = Vec::new();
        if let Some(length) = variable.length {
            path.push(Selector::Index(Box::new(Expr::Number(0)), length));
        }
        let ty = variable.ty.stored(variable.length);
        let place = Place { var: id, path, ty, span: stmt.span };
        let zero = Expr::Number(0);
        let value = match &variable.initial {
            Initial::Value(value) => value,
            _ => &zero,
        };
        self.out.line(format!("{};", self.printer.store(&place, value)));
    }

    fn for_loop(&mut self, var: &Place, range: &Range, body: &'a Block, stmt: &Stmt) {
        let printer = self.printer;
        let place = printer.place(var);
        let (first, more) = match range {
            Range::Between(low, high) => {
                let bound = Expr::Binary(
                    auspex_promela::ast::PlainOp::LessEqual,
                    Box::new(Expr::Place(var.clone())),
                    Box::new(high.clone()),
                );
                (printer.store(var, low), printer.condition(&bound))
            }
            Range::Indices(length) => (format!("{place} = 0"), format!("{place} < {length}")),
            // It was taken out.
            Range::Messages { .. } => return,
        };
        let next = printer.increment(var, 1);
        let line = self.line_of(stmt);
        self.out.open(format!("for ({first}; {more}; {next}) {{ /* line {line} */"));
        self.enter_loop("for");
        self.block(body);
        self.close_loop();
    }

    pub fn enter_loop(&mut self, name: &str) {
        let label = self.new_label(name, "_end");
        self.constructs.push(Construct::Loop(label, false));
    }

    /// Closes the braces of a loop, with a label behind it if somebody jumps there.
    pub fn close_loop(&mut self) {
        self.out.close("}");
        if let Some(Construct::Loop(label, true)) = self.constructs.pop() {
            self.label(&label);
        }
    }

    fn leave_loop(&mut self) {
        if let Some(Construct::Loop(..)) = self.constructs.last() {
            return self.out.line("break;");
        }
        let innermost = self.constructs.iter_mut().rev().find_map(|construct| match construct {
            Construct::Loop(label, used) => Some((label, used)),
            Construct::Other => None,
        });
        if let Some((label, used)) = innermost {
            *used = true;
            self.out.line(format!("goto {label};"));
        }
    }

    /// Waits until the condition holds.
    fn condition(&mut self, expr: &Expr, stmt: &Stmt) {
        let printer = self.printer;
        if let Expr::Run { .. } = expr {
            return self.out.line(format!("model_started({});", printer.expr(expr)));
        }
        match (expr.constant(), contains_code(expr)) {
            (Some(0), _) if !self.escapes_may_change() => self.blocked(stmt),
            (Some(value), _) if value != 0 => {}
            (_, true) if self.escapes.is_empty() => {
                self.out.line(format!("model_until({});", printer.condition(expr)));
            }
            (_, has_code) if has_code || self.escapes_may_change() => {
                let turns = self.new_turns();
                self.out.open(format!(
                    "for ({turns} = 0; {}; model_wait(&{turns})) {{",
                    printer.negation(expr)
                ));
                self.check_escapes();
                self.out.close("}");
            }
            _ => {
                self.out.open(format!("if ({}) {{", printer.negation(expr)));
                self.blocked(stmt);
                self.out.close("}");
            }
        }
    }

    /// A counter for a loop that waits.
    pub fn new_turns(&mut self) -> String {
        self.turns += 1;
        format!("turns_{}", self.turns)
    }

    /// What is left to do for a process that cannot go on.
    pub fn blocked(&mut self, stmt: &Stmt) {
        if stmt.labels.iter().any(|label| label.starts_with("end")) {
            return self.out.line("model_finished();");
        }
        let name = quoted(&self.printer.spec.processes[self.process].name);
        self.out
            .line(format!("model_blocked({name}, {});", self.printer.location_string(stmt.span)));
    }
}

/// Do declarations stand among the statements?
pub fn declares(block: &Block) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        Kind::Code(code) => code.primitive == Primitive::Decl || text::declares(&code.text),
        _ => false,
    })
}

/// Does control surely not come to the end?
pub fn ends_with_jump(block: &Block) -> bool {
    block.last().is_some_and(|stmt| match &stmt.kind {
        Kind::Goto(_) | Kind::Break => true,
        Kind::Block(body) | Kind::Atomic(body) | Kind::DStep(body) => ends_with_jump(body),
        _ => false,
    })
}

/// Something that an escape comes before. Choices look after that themselves.
fn is_step(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Initialise(_)
            | Kind::For { .. }
            | Kind::Select { .. }
            | Kind::DStep(_)
            | Kind::Assign { .. }
            | Kind::Increment { .. }
            | Kind::Assert(_)
            | Kind::Print(_)
            | Kind::Condition(_)
            | Kind::Skip
            | Kind::Code(_)
    )
}
