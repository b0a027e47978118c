//! The graph of statements of one proctype.

use auspex_process::ir::{Action, StmtId};
use auspex_system::{Diagnostic, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElId(pub u32);

/// Statements in a row. `extent` is the last one that was written; `last` may be a joint that was
/// added behind it.
#[derive(Clone, Copy, Debug)]
pub struct Seq {
    pub first: ElId,
    pub last: ElId,
    pub extent: ElId,
}

/// Where a jump goes: to a label, or out of a loop.
#[derive(Clone, Debug)]
pub enum Target {
    Label { name: String, scope: Vec<u32>, span: Span },
    Break(usize),
}

#[derive(Clone, Debug)]
pub enum Kind {
    Basic(Action),
    Else,
    Goto(Target),
    /// The point where the options of a selection or the two parts of an `unless` meet again.
    Joint,
    /// What follows a loop.
    LoopExit,
    If,
    Do,
    Unless,
    Atomic(Seq),
    DStep(Seq),
    Block(Seq),
}

#[derive(Clone, Debug)]
pub struct Element {
    pub kind: Kind,
    pub statement: StmtId,
    pub span: Span,
    pub next: Option<ElId>,
    /// Inside an `atomic`, and not its last statement: after it the process runs on.
    pub atomic: bool,
    /// The last statement of an `atomic`.
    pub ends_atomic: bool,
    /// Which `d_step` it is inside of.
    pub d_step: Option<u32>,
    /// Options of a selection or loop; main part and escape of an `unless`.
    pub subs: Vec<Seq>,
    /// Escapes that can interrupt here, outermost first.
    pub escapes: Vec<Seq>,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: String,
    /// The blocks that it is inside of.
    pub scope: Vec<u32>,
    pub element: ElId,
    pub span: Span,
}

/// The statements of one proctype while they are being linked.
#[derive(Debug, Default)]
pub struct Flow {
    pub elements: Vec<Element>,
    pub labels: Vec<Label>,
    /// The exit of each loop, known once the loop is complete.
    pub exits: Vec<Option<ElId>>,
    /// Sequences that are open, innermost last.
    open: Vec<Option<Seq>>,
    loops: Vec<usize>,
    pub errors: Vec<Diagnostic>,
    d_steps: u32,
}

impl Flow {
    pub fn element(&self, id: ElId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub fn element_mut(&mut self, id: ElId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub fn new_element(&mut self, kind: Kind, statement: StmtId, span: Span) -> ElId {
        self.elements.push(Element {
            kind,
            statement,
            span,
            next: None,
            atomic: false,
            ends_atomic: false,
            d_step: None,
            subs: Vec::new(),
            escapes: Vec::new(),
        });
        ElId(self.elements.len() as u32 - 1)
    }

    pub fn open(&mut self) {
        self.open.push(None);
    }

    /// Ends the innermost open sequence; `None` when it has no statement.
    pub fn close(&mut self) -> Option<Seq> {
        self.open.pop().flatten().map(|seq| Seq { extent: seq.last, ..seq })
    }

    /// Appends an element to the innermost open sequence.
    pub fn add(&mut self, id: ElId) {
        let Some(open) = self.open.last_mut() else { return };
        match open {
            None => *open = Some(Seq { first: id, last: id, extent: id }),
            Some(seq) => {
                self.elements[seq.last.0 as usize].next = Some(id);
                seq.last = id;
            }
        }
    }

    fn append(&mut self, seq: &mut Seq, id: ElId) {
        self.element_mut(seq.last).next = Some(id);
        seq.last = id;
    }

    pub fn add_basic(&mut self, action: Action, statement: StmtId, span: Span) -> ElId {
        let id = self.new_element(Kind::Basic(action), statement, span);
        self.add(id);
        id
    }

    pub fn add_else(&mut self, statement: StmtId, span: Span) -> ElId {
        let id = self.new_element(Kind::Else, statement, span);
        self.add(id);
        id
    }

    /// A jump. A label with a meaning (`end`, `progress`, `accept`) needs a state to mean something
    /// about, which a jump is not: it gets a `skip` in front.
    pub fn add_goto(
        &mut self,
        target: Target,
        statement: StmtId,
        span: Span,
        labelled: bool,
    ) -> ElId {
        let skip = labelled.then(|| self.add_basic(Action::Skip, statement, span));
        let id = self.new_element(Kind::Goto(target), statement, span);
        self.add(id);
        skip.unwrap_or(id)
    }

    /// Begins a loop: `break` now means its exit.
    pub fn enter_loop(&mut self) {
        self.loops.push(self.exits.len());
        self.exits.push(None);
    }

    /// The exit of the innermost loop.
    pub fn break_target(&self) -> Option<Target> {
        self.loops.last().map(|exit| Target::Break(*exit))
    }

    /// A selection or a loop over complete options, with the statements that stand for its begin
    /// and its end; gives the element that labels refer to.
    pub fn add_choice(
        &mut self,
        is_loop: bool,
        mut options: Vec<Seq>,
        (statement, end): (StmtId, StmtId),
        span: Span,
    ) -> ElId {
        let is_else = |flow: &Flow, seq: &Seq| matches!(flow.element(seq.first).kind, Kind::Else);
        if options.iter().filter(|seq| is_else(self, seq)).count() > 1 {
            let message = "more than one `else` in a selection";
            self.errors.push(Diagnostic::error(span, message));
        }
        options.sort_by_key(|seq| is_else(self, seq));
        let kind = if is_loop { Kind::Do } else { Kind::If };
        let choice = self.new_element(kind, statement, span);
        let joint = self.new_element(Kind::Joint, end, span);
        for option in &mut options {
            self.append(option, joint);
        }
        self.element_mut(choice).subs = options;
        if !is_loop {
            self.add(choice);
            self.add(joint);
            return choice;
        }
        self.add(joint);
        let exit = self.new_element(Kind::LoopExit, end, span);
        if let Some(index) = self.loops.pop() {
            self.exits[index] = Some(exit);
        }
        self.add(choice);
        self.add(exit);
        choice
    }

    /// Spin drops a `skip` in the middle of an option that follows another statement without effect.
    pub fn without_idle_skips(&mut self, seq: Seq) -> Seq {
        let mut idle = 0;
        let mut before = seq.first;
        for id in self.row(seq.first, seq.last) {
            let element = self.element(id);
            let labelled = self.labels.iter().any(|l| l.element == id);
            let is_skip = matches!(element.kind, Kind::Basic(Action::Skip));
            let is_idle = is_skip || matches!(element.kind, Kind::Basic(Action::Print(_)));
            idle = if is_idle && !labelled { idle + 1 } else { 0 };
            if idle > 1 && is_skip && id != seq.first && id != seq.last {
                let next = element.next;
                self.element_mut(before).next = next;
            } else {
                before = id;
            }
        }
        seq
    }

    pub fn add_block(&mut self, seq: Seq, statement: StmtId, span: Span) -> ElId {
        let id = self.new_element(Kind::Block(seq), statement, span);
        self.add(id);
        id
    }

    pub fn add_atomic(&mut self, seq: Seq, statement: StmtId, span: Span) -> ElId {
        self.make_atomic(seq, None);
        let id = self.new_element(Kind::Atomic(seq), statement, span);
        self.add(id);
        id
    }

    pub fn add_d_step(&mut self, seq: Seq, statement: StmtId, span: Span) -> ElId {
        let number = self.d_steps;
        self.d_steps += 1;
        self.make_atomic(seq, Some(number));
        let id = self.new_element(Kind::DStep(seq), statement, span);
        self.add(id);
        id
    }

    pub fn add_unless(
        &mut self,
        mut main: Seq,
        mut escape: Seq,
        statement: StmtId,
        span: Span,
    ) -> ElId {
        let unless = self.new_element(Kind::Unless, statement, span);
        let joint = self.new_element(Kind::Joint, statement, span);
        self.append(&mut main, joint);
        self.append(&mut escape, joint);
        self.element_mut(unless).subs = vec![main, escape];
        self.attach_escape(main, escape);
        self.add(unless);
        self.add(joint);
        unless
    }

    fn make_atomic(&mut self, seq: Seq, d_step: Option<u32>) {
        self.mark_atomic(seq.first, seq.last, d_step);
        match self.element(seq.last).kind {
            Kind::Block(inner) | Kind::Atomic(inner) => self.make_atomic(inner, d_step),
            _ => {
                let last = self.element_mut(seq.last);
                last.atomic = false;
                last.ends_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, first: ElId, last: ElId, d_step: Option<u32>) {
        for id in self.row(first, last) {
            let element = self.element_mut(id);
            element.atomic = true;
            element.d_step = d_step.or(element.d_step);
            match element.kind {
                // An atomic inside an atomic adds nothing, and so for d_step inside d_step.
                Kind::Atomic(seq) | Kind::Block(seq) => {
                    element.kind = Kind::Block(seq);
                    self.mark_atomic(seq.first, seq.last, d_step);
                }
                Kind::DStep(seq) if d_step.is_some() => {
                    element.kind = Kind::Block(seq);
                    self.mark_atomic(seq.first, seq.last, d_step);
                }
                _ => {}
            }
            for sub in self.element(id).subs.clone() {
                self.mark_atomic(sub.first, sub.last, d_step);
            }
        }
    }

    /// The elements from `first` to `last`.
    fn row(&self, first: ElId, last: ElId) -> Vec<ElId> {
        let mut row = vec![first];
        let mut at = first;
        while at != last {
            let Some(next) = self.element(at).next else { break };
            at = next;
            row.push(at);
        }
        row
    }

    fn attach_escape(&mut self, seq: Seq, escape: Seq) {
        for id in self.row(seq.first, seq.extent) {
            self.attach_to(id, escape);
        }
    }

    fn attach_to(&mut self, id: ElId, escape: Seq) {
        let inner = self.element(id).escapes.clone();
        if inner.iter().any(|seq| seq.first == escape.first) {
            return;
        }
        // The escapes that are there already can be interrupted in their turn.
        for seq in inner {
            self.attach_escape(seq, escape);
        }
        self.element_mut(id).escapes.insert(0, escape);
        let element = self.element(id).clone();
        match element.kind {
            Kind::Unless => self.attach_escape(element.subs[0], escape),
            Kind::If | Kind::Do => {
                element.subs.iter().for_each(|sub| self.attach_escape(*sub, escape));
            }
            Kind::Atomic(seq) | Kind::Block(seq) => self.attach_escape(seq, escape),
            // A d_step is indivisible: it can be interrupted only before it begins.
            Kind::DStep(_) => {}
            _ => {}
        }
    }

    pub fn set_label(&mut self, name: &str, scope: &[u32], span: Span, element: ElId) {
        let same = |l: &&Label| l.name == name && l.scope == scope;
        if let Some(first) = self.labels.iter().find(same) {
            let error = Diagnostic::error(span, format!("label `{name}` is defined twice"))
                .note(first.span, "first defined here");
            self.errors.push(error);
            return;
        }
        self.labels.push(Label { name: name.to_string(), scope: scope.to_vec(), element, span });
    }

    /// The label that a jump from inside `scope` means: of those with the name, the one that shares
    /// most of the blocks around it.
    pub fn find_label(&self, name: &str, scope: &[u32]) -> Option<&Label> {
        let shared = |l: &&Label| {
            let common = l.scope.iter().zip(scope).take_while(|(a, b)| a == b).count();
            (common == l.scope.len(), common)
        };
        self.labels.iter().filter(|l| l.name == name).max_by_key(shared)
    }

    /// Where a jump goes; an error is noted once when there is no such place.
    pub fn resolve(&self, target: &Target) -> Option<ElId> {
        match target {
            Target::Break(exit) => self.exits[*exit],
            Target::Label { name, scope, .. } => self.find_label(name, scope).map(|l| l.element),
        }
    }
}
