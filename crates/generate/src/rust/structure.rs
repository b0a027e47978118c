//! A process with the structure of the model: loops, branches, labelled blocks. What cannot be written so (`unless`, jumps
//! that go across, a loop as the first statement of an option) is left to [`super::machine`].

use super::emit::{Emitter, Offer, Site};
use super::graph::Mode;
use super::names::name;
use super::prepare::is_declaration;
use crate::tree::*;
use std::collections::HashMap;

/// It cannot be written with loops and branches.
pub struct TooTangled;

type Printed = Result<Falls, TooTangled>;

/// Does control come out at the end?
type Falls = bool;

/// Prints the body of a process.
pub fn print<'s>(process: &'s Process, emitter: &mut Emitter<'s>) -> Result<(), TooTangled> {
    let mut labels = HashMap::new();
    let mut uses_modes = false;
    survey(&process.body, false, &mut labels, &mut uses_modes);
    let active = Vec::new();
    let mut printer = Printer { emitter, labels, uses_modes, active, loops: Vec::new() };
    if printer.sequence(&process.body, Mode::Free)? {
        printer.emitter.end();
    }
    Ok(())
}

/// Labels, with whether they are inside of an `atomic`.
fn survey<'s>(
    block: &'s Block,
    in_atomic: bool,
    labels: &mut HashMap<&'s str, bool>,
    uses_modes: &mut bool,
) {
    for stmt in block {
        let begins = matches!(stmt.kind, Kind::Atomic(_) | Kind::DStep(_));
        *uses_modes |= begins;
        labels.extend(stmt.labels.iter().map(|label| (label.as_str(), in_atomic || begins)));
        for block in stmt.kind.blocks() {
            survey(block, in_atomic || begins, labels, uses_modes);
        }
    }
}

struct Printer<'e, 's> {
    emitter: &'e mut Emitter<'s>,
    labels: HashMap<&'s str, bool>,
    uses_modes: bool,
    /// Labels that can be jumped to from here: `break` or `continue`, and the label in Rust.
    active: Vec<(&'s str, &'static str, String)>,
    loops: Vec<Loop>,
}

struct Loop {
    label: Option<String>,
    mode: Mode,
    has_exit: bool,
}

/// A statement that an option begins with, and what follows it.
#[derive(Clone)]
struct Head<'s> {
    stmt: &'s Stmt,
    passes: bool,
    d_step: Option<usize>,
    /// Sequences, innermost first, and how they happen.
    then: Vec<(&'s [Stmt], Mode)>,
}

impl<'s> Printer<'_, 's> {
    fn forget_mode(&mut self) {
        if self.uses_modes {
            self.emitter.mode = None;
        }
    }

    fn sequence(&mut self, stmts: &'s [Stmt], mode: Mode) -> Printed {
        // The last label that is jumped to from before.
        let forward = (1..stmts.len()).rev().find(|k| is_target(&stmts[*k], &stmts[..*k]));
        let Some(k) = forward else { return self.rest(stmts, mode) };
        let title = self.open(&stmts[k], "break");
        self.emitter.line(format!("'{title}: {{"));
        let falls = self.sequence(&stmts[..k], mode)?;
        if falls {
            self.emitter.set_mode(mode);
        }
        self.emitter.line("}");
        self.close(&stmts[k]);
        self.forget_mode();
        self.sequence(&stmts[k..], mode)
    }

    /// The same without jumps forward.
    fn rest(&mut self, stmts: &'s [Stmt], mode: Mode) -> Printed {
        for (k, stmt) in stmts.iter().enumerate() {
            if k > 0 {
                self.emitter.set_mode(mode);
            }
            if is_target(stmt, &stmts[k..]) {
                let title = self.open(stmt, "continue");
                self.forget_mode();
                self.emitter.line(format!("'{title}: loop {{"));
                let falls = self.again(&stmts[k..], mode)?;
                if falls {
                    self.emitter.line("break;");
                }
                self.emitter.line("}");
                self.close(stmt);
                return Ok(falls);
            }
            if !self.statement(stmt, mode, false)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What stands in the loop of a label.
    fn again(&mut self, stmts: &'s [Stmt], mode: Mode) -> Printed {
        let [first, rest @ ..] = stmts else { return Ok(true) };
        if !self.statement(first, mode, false)? {
            return Ok(false);
        }
        self.emitter.set_mode(mode);
        self.rest(rest, mode)
    }

    fn open(&mut self, stmt: &'s Stmt, way: &'static str) -> String {
        let title = stmt.labels.first().map(|label| name(label)).unwrap_or_default();
        for label in &stmt.labels {
            self.active.push((label, way, title.clone()));
        }
        title
    }

    fn close(&mut self, stmt: &Stmt) {
        self.active.truncate(self.active.len() - stmt.labels.len());
    }

    fn statement(&mut self, stmt: &'s Stmt, mode: Mode, is_end: bool) -> Printed {
        let is_end = is_end || stmt.labels.iter().any(|label| label.starts_with("end"));
        match &stmt.kind {
            _ if is_declaration(stmt) => Ok(true),
            Kind::Unless { .. } => Err(TooTangled),
            Kind::Goto(_) | Kind::Break if !is_end => self.jump(stmt, mode),
            Kind::Block(body) if !is_end => self.sequence(body, mode),
            Kind::Atomic(body) if !is_end => self.sequence(body, inner(mode, Mode::Atomic)),
            Kind::Do(options) => {
                let has_labels = options.iter().any(has_labels);
                let label =
                    (has_labels && options.iter().any(breaks)).then(|| self.loop_label(stmt));
                if self.emitter.mode != Some(mode) {
                    self.forget_mode();
                }
                match &label {
                    Some(label) => self.emitter.line(format!("'{label}: loop {{")),
                    None => self.emitter.line("loop {"),
                }
                self.loops.push(Loop { label, mode, has_exit: false });
                self.choice(stmt, options, mode, is_end)?;
                self.emitter.line("}");
                self.emitter.mode = Some(mode);
                Ok(self.loops.pop().is_some_and(|this| this.has_exit))
            }
            Kind::If(options) => self.choice(stmt, options, mode, is_end),
            _ => {
                let heads = self.heads(stmt, mode, None)?;
                self.options(stmt, heads, mode, is_end)
            }
        }
    }

    /// A label that no loop around this one has, and no statement: several may stand on one line.
    fn loop_label(&self, stmt: &Stmt) -> String {
        let line = self.emitter.map.location(stmt.span).line;
        let is_free = |label: &String| {
            !self.labels.contains_key(label.as_str())
                && !self.loops.iter().any(|outer| outer.label.as_ref() == Some(label))
        };
        let first = format!("do_{line}");
        let others = (2..).map(|number| format!("do_{line}_{number}"));
        std::iter::once(first).chain(others).find(is_free).unwrap_or_default()
    }

    fn choice(
        &mut self,
        stmt: &'s Stmt,
        options: &'s [Block],
        mode: Mode,
        is_end: bool,
    ) -> Printed {
        let heads = self.heads_of_options(options, mode, (mode == Mode::DStep).then_some(0))?;
        self.options(stmt, heads, mode, is_end)
    }

    fn options(
        &mut self,
        stmt: &'s Stmt,
        heads: Vec<Head<'s>>,
        mode: Mode,
        is_end: bool,
    ) -> Printed {
        let offer = |head: &Head<'s>| Offer {
            stmt: head.stmt,
            passes: head.passes,
            d_step: head.d_step,
            group: 0,
            begun: mode == Mode::DStep,
        };
        let offers: Vec<Offer<'s>> = heads.iter().map(offer).collect();
        let site = Site { span: stmt.span, is_end };
        let mut printed = Ok(false);
        // The emitter calls back for each option.
        let Printer { emitter, labels, uses_modes, active, loops } = self;
        emitter.choice(site, &offers, &mut |emitter, number| {
            let mut inside = Printer {
                emitter,
                labels: labels.clone(),
                uses_modes: *uses_modes,
                active: active.clone(),
                loops: std::mem::take(loops),
            };
            let arm = inside.arm(&heads[number], mode);
            *loops = std::mem::take(&mut inside.loops);
            printed = match (std::mem::replace(&mut printed, Ok(false)), arm) {
                (Ok(before), Ok(falls)) => Ok(before || falls),
                _ => Err(TooTangled),
            };
        });
        if let Ok(true) = printed {
            self.emitter.mode = Some(mode);
        }
        printed
    }

    /// What follows the first statement of an option.
    fn arm(&mut self, head: &Head<'s>, mode: Mode) -> Printed {
        if head.passes {
            return self.jump(head.stmt, mode);
        }
        for (stmts, mode) in &head.then {
            if !stmts.is_empty() {
                self.emitter.set_mode(*mode);
                if !self.sequence(stmts, *mode)? {
                    return Ok(false);
                }
            }
        }
        self.emitter.set_mode(mode);
        Ok(true)
    }

    fn heads_of_options(
        &mut self,
        options: &'s [Block],
        mode: Mode,
        d_step: Option<usize>,
    ) -> Result<Vec<Head<'s>>, TooTangled> {
        let mut heads = Vec::new();
        for option in options {
            heads.extend(self.heads_of_block(option, mode, d_step)?);
        }
        heads.sort_by_key(|head| matches!(head.stmt.kind, Kind::Else));
        Ok(heads)
    }

    fn heads_of_block(
        &mut self,
        block: &'s Block,
        mode: Mode,
        d_step: Option<usize>,
    ) -> Result<Vec<Head<'s>>, TooTangled> {
        let skipped = block.iter().take_while(|stmt| is_declaration(stmt)).count();
        let [first, rest @ ..] = &block[skipped..] else { return Ok(Vec::new()) };
        // A jump to the middle of an option, or one forward inside of it that begins in its head.
        if rest.iter().any(|stmt| is_target(stmt, std::slice::from_ref(first)))
            || is_target(first, block)
        {
            return Err(TooTangled);
        }
        let mut heads = self.heads(first, mode, d_step)?;
        if heads.len() > 1 && !rest.is_empty() {
            // It would have to be written more than once.
            return Err(TooTangled);
        }
        for head in &mut heads {
            head.then.push((rest, mode));
        }
        Ok(heads)
    }

    fn heads(
        &mut self,
        stmt: &'s Stmt,
        mode: Mode,
        d_step: Option<usize>,
    ) -> Result<Vec<Head<'s>>, TooTangled> {
        let one = |passes| Ok(vec![Head { stmt, passes, d_step, then: Vec::new() }]);
        match &stmt.kind {
            Kind::Goto(_) | Kind::Break => one(true),
            Kind::If(options) => self.heads_of_options(options, mode, d_step),
            Kind::Atomic(body) => self.heads_of_block(body, inner(mode, Mode::Atomic), d_step),
            Kind::DStep(body) => {
                self.heads_of_block(body, Mode::DStep, Some(stmt.span.start as usize))
            }
            Kind::Block(body) => self.heads_of_block(body, mode, d_step),
            Kind::Do(_) | Kind::Unless { .. } => Err(TooTangled),
            _ => one(false),
        }
    }

    fn jump(&mut self, stmt: &'s Stmt, mode: Mode) -> Printed {
        let Kind::Goto(label) = &stmt.kind else {
            let Some(this) = self.loops.last_mut() else { return Err(TooTangled) };
            this.has_exit = true;
            let (label, mode) = (this.label.clone(), this.mode);
            self.emitter.set_mode(mode);
            match label {
                Some(label) => self.emitter.line(format!("break '{label};")),
                None => self.emitter.line("break;"),
            }
            return Ok(false);
        };
        let active = self.active.iter().rev().find(|(active, ..)| active == label);
        let Some((_, way, title)) = active.cloned() else { return Err(TooTangled) };
        let in_atomic = self.labels.get(label.as_str()).copied().unwrap_or(false);
        if mode == Mode::Atomic && !in_atomic {
            self.emitter.set_mode(Mode::Free);
        } else {
            self.emitter.set_mode(mode);
        }
        self.emitter.line(format!("{way} '{title};"));
        Ok(false)
    }
}

fn inner(outer: Mode, own: Mode) -> Mode {
    if outer == Mode::DStep { outer } else { own }
}

/// Is there a jump to the statement in these?
fn is_target(stmt: &Stmt, from: &[Stmt]) -> bool {
    !stmt.labels.is_empty() && from.iter().any(|other| jumps_to(other, &stmt.labels))
}

fn jumps_to(stmt: &Stmt, labels: &[String]) -> bool {
    match &stmt.kind {
        Kind::Goto(label) => labels.contains(label),
        kind => kind.blocks().iter().any(|block| block.iter().any(|s| jumps_to(s, labels))),
    }
}

fn has_labels(block: &Block) -> bool {
    block.iter().any(|stmt| {
        !stmt.labels.is_empty() || stmt.kind.blocks().iter().any(|block| has_labels(block))
    })
}

/// Is there a `break` out of the loop that has this option?
fn breaks(block: &Block) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        Kind::Break => true,
        Kind::Do(_) => false,
        kind => kind.blocks().iter().any(|block| breaks(block)),
    })
}
