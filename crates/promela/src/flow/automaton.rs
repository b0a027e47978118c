//! Locations and transitions from the graph of statements.

use super::dstep;
use super::graph::{ElId, Flow, Kind, Seq, Target};
use auspex_process::ir::{Action, ControlLocation, Expr, LocId, Statement, StmtId, Transition};
use auspex_system::Diagnostic;
use std::collections::HashMap;

/// The automaton of a proctype.
pub struct Automaton {
    pub start: LocId,
    pub locations: Vec<ControlLocation>,
    pub transitions: Vec<Transition>,
    /// Which location each element became.
    pub location_of: HashMap<ElId, LocId>,
}

/// Reads the automaton off a complete graph. `remote` are the labels that other processes refer to.
pub fn finish(
    flow: &mut Flow,
    body: Seq,
    remote: &[String],
    statements: &mut Vec<Statement>,
) -> Result<Automaton, Vec<Diagnostic>> {
    check_jumps(flow);
    give_labels_a_state(flow, remote);
    tie_loose_ends(flow);
    bridge_atomics(flow);
    if !flow.errors.is_empty() {
        return Err(std::mem::take(&mut flow.errors));
    }
    let mut builder = Builder {
        flow,
        statements,
        automaton: Automaton {
            start: LocId(0),
            locations: Vec::new(),
            transitions: Vec::new(),
            location_of: HashMap::new(),
        },
        queue: Vec::new(),
        errors: Vec::new(),
    };
    builder.build(body);
    match builder.errors.is_empty() {
        true => Ok(builder.automaton),
        false => Err(builder.errors),
    }
}

/// Every jump has a target, and none leads into or out of a `d_step`.
fn check_jumps(flow: &mut Flow) {
    let mut errors = Vec::new();
    for element in &flow.elements {
        let Kind::Goto(target) = &element.kind else { continue };
        match (flow.resolve(target), target) {
            (None, Target::Label { name, span, .. }) => {
                errors.push(Diagnostic::error(*span, format!("there is no label `{name}`")));
            }
            (Some(to), _) if flow.element(to).d_step != element.d_step => {
                let (inside, way) = match element.d_step {
                    Some(_) => (element.span, "out of"),
                    None => (flow.element(to).span, "into"),
                };
                let error = Diagnostic::error(element.span, format!("a jump {way} a d_step"))
                    .note(inside, "inside the d_step")
                    .hint("a d_step is one indivisible step: use atomic, or move the label");
                errors.push(error);
            }
            _ => {}
        }
    }
    flow.errors.append(&mut errors);
}

/// A label on a jump is no state of its own; one that another process asks about has to be.
fn give_labels_a_state(flow: &mut Flow, remote: &[String]) {
    for index in 0..flow.labels.len() {
        let at = flow.labels[index].element;
        if !remote.contains(&flow.labels[index].name)
            || !matches!(flow.element(at).kind, Kind::Goto(_))
        {
            continue;
        }
        let jump = flow.element(at).clone();
        let copy = flow.new_element(jump.kind, jump.statement, jump.span);
        let element = flow.element_mut(copy);
        element.next = jump.next;
        (element.atomic, element.ends_atomic) = (jump.atomic, jump.ends_atomic);
        (element.d_step, element.escapes) = (jump.d_step, jump.escapes);
        let element = flow.element_mut(at);
        element.kind = Kind::Basic(Action::Skip);
        element.next = Some(copy);
        if element.ends_atomic {
            (element.atomic, element.ends_atomic) = (true, false);
        }
    }
}

/// The last statement of a block is followed by what follows the block. Outer blocks come first:
/// an inner one may be the last statement of an outer one.
fn tie_loose_ends(flow: &mut Flow) {
    for index in (0..flow.elements.len()).rev() {
        let element = &flow.elements[index];
        if let Kind::Atomic(seq) | Kind::Block(seq) | Kind::DStep(seq) = element.kind {
            let next = element.next;
            flow.element_mut(seq.last).next = next;
        }
    }
}

/// A jump from one atomic to another keeps the process running, one out of it does not.
fn bridge_atomics(flow: &mut Flow) {
    for index in 0..flow.elements.len() {
        let element = &flow.elements[index];
        let Kind::Goto(target) = &element.kind else { continue };
        if !element.atomic && !element.ends_atomic {
            continue;
        }
        let Some(to) = flow.resolve(target) else { continue };
        let stays = flow.element(to).atomic || flow.element(to).ends_atomic;
        let element = &mut flow.elements[index];
        (element.atomic, element.ends_atomic) = (stays, !stays);
    }
}

struct Builder<'f> {
    flow: &'f Flow,
    statements: &'f mut Vec<Statement>,
    automaton: Automaton,
    /// Elements that became locations and have no transitions yet.
    queue: Vec<ElId>,
    errors: Vec<Diagnostic>,
}

/// No chain of jumps is longer than this, unless it goes round in circles.
const LONGEST_CHAIN: usize = 10_000;

impl Builder<'_> {
    fn build(&mut self, body: Seq) {
        let Some(start) = self.hunt(body.first, false) else { return };
        self.automaton.start = self.location(start);
        let mut done = 0;
        while done < self.queue.len() && self.errors.is_empty() {
            self.expand(self.queue[done]);
            done += 1;
        }
        self.spread_ends();
    }

    /// The location of an element, new or old.
    fn location(&mut self, id: ElId) -> LocId {
        if let Some(loc) = self.automaton.location_of.get(&id) {
            return *loc;
        }
        let next = self.automaton.locations.len();
        if next > usize::from(u16::MAX) {
            let span = self.flow.element(id).span;
            self.errors.push(Diagnostic::error(span, "this process has more than 65536 locations"));
            return LocId(0);
        }
        let loc = LocId(next as u16);
        self.automaton.location_of.insert(id, loc);
        self.automaton.locations.push(ControlLocation {
            first: 0,
            end: 0,
            is_end: false,
            is_progress: false,
            is_accept: false,
            statement: self.flow.element(id).statement,
            number: id.0 + 1,
            labels: Vec::new(),
        });
        self.queue.push(id);
        loc
    }

    /// The element that control really reaches when it comes to `from`: jumps and joints take no
    /// step. Control that is `atomic` stops before it would leave the atomic.
    fn hunt(&mut self, from: ElId, atomic: bool) -> Option<ElId> {
        let mut at = from;
        for _ in 0..LONGEST_CHAIN {
            let element = self.flow.element(at);
            let next = match &element.kind {
                Kind::Goto(target) => self.flow.resolve(target),
                Kind::Joint | Kind::LoopExit => element.next,
                Kind::Unless => Some(element.subs[0].first),
                _ => None,
            };
            match next {
                None => return Some(at),
                Some(next) if matches!(element.kind, Kind::Unless) => at = next,
                Some(next) if atomic && !self.flow.element(next).atomic => return Some(at),
                Some(next) => at = next,
            }
        }
        let span = self.flow.element(from).span;
        self.errors.push(Diagnostic::error(span, "these jumps go round in circles for ever"));
        None
    }

    /// The simple statements that control at an element can begin with, in order.
    fn heads(&self, id: ElId, heads: &mut Vec<ElId>) {
        let element = self.flow.element(id);
        match &element.kind {
            Kind::If | Kind::Do => {
                element.subs.iter().for_each(|sub| self.heads(sub.first, heads));
            }
            Kind::Atomic(seq) | Kind::Block(seq) => self.heads(seq.first, heads),
            Kind::Unless => self.heads(element.subs[0].first, heads),
            // The joint in front of a loop that begins an option.
            Kind::Joint if self.joint_of_loop(id).is_some() => {
                if let Some(next) = self.joint_of_loop(id) {
                    self.heads(next, heads);
                }
            }
            _ => heads.push(id),
        }
    }

    fn joint_of_loop(&self, id: ElId) -> Option<ElId> {
        let next = self.flow.element(id).next?;
        matches!(self.flow.element(next).kind, Kind::Do).then_some(next)
    }

    fn expand(&mut self, id: ElId) {
        let loc = self.automaton.location_of[&id];
        let heads = self.heads_of_location(id);
        let first = self.automaton.transitions.len() as u32;
        self.add_escapes(&heads);
        self.check_else(id, &heads);
        for head in &heads {
            self.add_transition(*head, 0);
        }
        let end = self.automaton.transitions.len() as u32;
        let statement = self.statement_of(id, &heads);
        let labels = self.labels_of(id);
        let is_closing = heads.iter().any(|h| self.is_closing(*h));
        let location = &mut self.automaton.locations[loc.0 as usize];
        (location.first, location.end) = (first, end);
        location.statement = statement;
        let marked = |prefix: &str| labels.iter().any(|l| l.starts_with(prefix));
        location.is_end = is_closing || marked("end");
        location.is_progress = marked("progress");
        location.is_accept = marked("accept");
        location.labels = labels;
    }

    /// A joint is a location of its own where it ends an atomic.
    fn heads_of_location(&self, id: ElId) -> Vec<ElId> {
        if matches!(self.flow.element(id).kind, Kind::Joint) {
            return vec![id];
        }
        let mut heads = Vec::new();
        self.heads(id, &mut heads);
        heads
    }

    fn is_closing(&self, id: ElId) -> bool {
        matches!(self.flow.element(id).kind, Kind::Basic(Action::End))
    }

    /// The labels of a location: a label on the head of an option is not one of the choice, as in
    /// Spin.
    fn labels_of(&self, id: ElId) -> Vec<String> {
        let labels = self.flow.labels.iter().filter(|l| l.element == id);
        labels.map(|l| l.name.clone()).collect()
    }

    fn check_else(&mut self, id: ElId, heads: &[ElId]) {
        let is_else = |h: &&ElId| matches!(self.flow.element(**h).kind, Kind::Else);
        if heads.iter().filter(is_else).count() > 1 {
            let span = self.flow.element(id).span;
            let error = Diagnostic::error(span, "nested selections give this choice two `else`")
                .hint("an `if` that begins an option is part of the outer choice");
            self.errors.push(error);
        }
    }

    /// The escapes of all the heads; each counts once. As in Spin, those of the last option come first, and of one option the outermost.
    fn add_escapes(&mut self, heads: &[ElId]) {
        let mut groups: Vec<(ElId, Vec<ElId>)> = Vec::new();
        for head in heads {
            let element = self.flow.element(*head);
            if matches!(element.kind, Kind::Joint) {
                continue;
            }
            let atomic = element.atomic;
            for escape in element.escapes.clone().into_iter().rev() {
                let Some(entry) = self.hunt(escape.first, atomic) else { return };
                if !groups.iter().any(|(known, _)| *known == entry) {
                    let mut escape_heads = Vec::new();
                    self.heads(entry, &mut escape_heads);
                    groups.insert(0, (entry, escape_heads));
                }
            }
        }
        for (group, (_, escape_heads)) in groups.into_iter().enumerate() {
            for head in escape_heads {
                self.add_transition(head, group as u16 + 1);
            }
        }
    }

    fn add_transition(&mut self, head: ElId, escape: u16) {
        let element = self.flow.element(head);
        let after = match &element.kind {
            Kind::Goto(target) => self.flow.resolve(target),
            _ => element.next,
        };
        let (atomic, statement) = (element.atomic, element.statement);
        let action = match &element.kind {
            Kind::Basic(action) => action.clone(),
            Kind::Else => Action::Else,
            Kind::DStep(seq) => match dstep::compile(self.flow, *seq) {
                Ok(body) => Action::DStep(Box::new(body)),
                Err(error) => {
                    self.errors.push(error);
                    return;
                }
            },
            _ => Action::Skip,
        };
        if never(&action) {
            return;
        }
        let target = match after {
            Some(after) => match self.hunt(after, atomic) {
                Some(target) => self.location(target),
                None => return,
            },
            // Only the end of the process is followed by nothing.
            None => self.location(head),
        };
        let transition = Transition { action, target, atomic, escape, statement };
        self.automaton.transitions.push(transition);
    }

    /// What a process at this location waits for, in one line.
    fn statement_of(&mut self, id: ElId, heads: &[ElId]) -> StmtId {
        if let [head] = heads {
            return self.flow.element(*head).statement;
        }
        let texts = heads.iter().map(|head| {
            self.statements[self.flow.element(*head).statement.0 as usize].text.as_str()
        });
        let texts: Vec<&str> = texts.collect();
        let own = &self.statements[self.flow.element(id).statement.0 as usize];
        let statement = Statement { text: texts.join("  or  "), counts: false, ..own.clone() };
        self.statements.push(statement);
        StmtId(self.statements.len() as u32 - 1)
    }

    /// An end label on a jump that is a location marks what it leads to as well.
    fn spread_ends(&mut self) {
        for index in 0..self.automaton.locations.len() {
            let location = &self.automaton.locations[index];
            let [only] =
                &self.automaton.transitions[location.first as usize..location.end as usize]
            else {
                continue;
            };
            if location.is_end && matches!(only.action, Action::Skip) && self.is_jump(index) {
                let target = only.target;
                self.automaton.locations[target.0 as usize].is_end = true;
            }
        }
    }

    fn is_jump(&self, index: usize) -> bool {
        let jump = |id: &ElId| {
            matches!(self.flow.element(*id).kind, Kind::Joint | Kind::Goto(_) | Kind::LoopExit)
        };
        self.automaton.location_of.iter().any(|(id, loc)| usize::from(loc.0) == index && jump(id))
    }
}

/// A guard that is 0 in the text.
fn never(action: &Action) -> bool {
    matches!(action, Action::Guard(Expr::Const(0)))
}
