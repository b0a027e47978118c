//! Never claims as automata: their control locations are the states.
//!
//! A claim takes one step on every state of the system, beginning with the first. An `atomic` or
//! `d_step` in it is one step: all its conditions are about the same state, and where one of them
//! does not hold, the claim is stuck. (Spin writes `atomic { p -> assert(!p) }` into its claims.)
//! An assertion that fails and the closing brace both mean that the run is wrong.

use super::property::Lowered;
use super::{Context, Lowerer};
use crate::ast::{self, ExprKind, Sequence, Stmt, StmtKind};
use crate::flow::{self, Flow};
use auspex_ltl::{Automaton, Cube, Label, MAX_ATOMS, Transition};
use auspex_process::ir::{Action, Expr, Frame, LocId, Statement};
use auspex_system::{Diagnostic, Span};
use std::collections::HashMap;

impl Lowerer<'_> {
    pub fn never_claim(&mut self, claim: &ast::Claim) -> Option<Lowered> {
        let body = self.supported(&claim.body);
        if !self.unsupported.is_empty() {
            return None;
        }
        let (statements, flow) = (self.model.statements.len(), std::mem::take(&mut self.flow));
        let lowered = self.claim_automaton(&body, claim.span);
        self.flow = flow;
        self.context = None;
        self.in_property = false;
        // They are no statements of the model: nobody expects them to be executed.
        self.model.statements.truncate(statements);
        lowered
    }

    fn claim_automaton(&mut self, body: &Sequence, span: Span) -> Option<Lowered> {
        self.in_property = true;
        self.context = Some(Context {
            name: "never".into(),
            frame: Frame::default(),
            at_top: false,
            inline_depth: 0,
        });
        self.symbols.scopes.enter();
        self.flow.open();
        self.sequence(body);
        let end = self.statement(span, "-end-", false);
        self.flow.add_basic(Action::End, end, span);
        let seq = self.flow.close();
        self.symbols.scopes.leave();
        if !self.is_second || !self.unsupported.is_empty() {
            return None;
        }
        let mut flow: Flow = std::mem::take(&mut self.flow);
        let finished = flow::finish(&mut flow, seq?, &[], &mut self.model.statements);
        let control = match finished {
            Ok(control) => control,
            Err(errors) => {
                self.errors.extend(errors);
                return None;
            }
        };
        let mut builder = Builder {
            control: &control,
            statements: &self.model.statements,
            propositions: Vec::new(),
            atoms: Vec::new(),
            known: HashMap::new(),
            inside: Vec::new(),
            followed: 0,
            trouble: None,
        };
        let automaton = builder.automaton();
        let Builder { propositions, atoms, trouble, .. } = builder;
        if let Some(trouble) = trouble {
            self.errors.push(Diagnostic::error(span, trouble));
            return None;
        }
        Some(Lowered { automaton, propositions, atoms, formula: None, has_next: true })
    }

    /// The same statements with `d_step` as `atomic`; what a claim cannot do is noted.
    fn supported(&mut self, sequence: &Sequence) -> Sequence {
        let stmts = sequence.stmts.iter().map(|stmt| {
            let kind = self.supported_kind(stmt);
            Stmt { kind, labels: stmt.labels.clone(), span: stmt.span, text: stmt.text.clone() }
        });
        Sequence { stmts: stmts.collect(), span: sequence.span }
    }

    fn supported_kind(&mut self, stmt: &Stmt) -> StmtKind {
        let what = match &stmt.kind {
            StmtKind::If(options) => {
                return StmtKind::If(options.iter().map(|o| self.supported(o)).collect());
            }
            StmtKind::Do(options) => {
                return StmtKind::Do(options.iter().map(|o| self.supported(o)).collect());
            }
            StmtKind::Atomic(body) | StmtKind::DStep(body) => {
                return StmtKind::Atomic(self.supported(body));
            }
            StmtKind::Block(body) => return StmtKind::Block(self.supported(body)),
            StmtKind::Inline { name, body } => {
                return StmtKind::Inline { name: name.clone(), body: self.supported(body) };
            }
            StmtKind::Expr(expr) => match expr.kind {
                ExprKind::Run { .. } => "`run`",
                ExprKind::SetPriority(..) => "`set_priority`",
                _ => return stmt.kind.clone(),
            },
            StmtKind::Assert(_)
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::Else
            | StmtKind::Empty => return stmt.kind.clone(),
            StmtKind::Assign { .. } | StmtKind::Increment { .. } => "an assignment",
            StmtKind::Decl(_) => "a declaration",
            StmtKind::Exclusive { .. } => "`xr` or `xs`",
            StmtKind::For { .. } => "`for`",
            StmtKind::Select { .. } => "`select`",
            StmtKind::Unless { .. } => "`unless`",
            StmtKind::Send { .. } => "a send",
            StmtKind::Receive { .. } => "a receive",
            StmtKind::Printf { .. } | StmtKind::Printm(_) => "printing",
            StmtKind::Code(_) | StmtKind::ModelOnly(_) => "code",
        };
        self.unsupported.push((stmt.span, what));
        stmt.kind.clone()
    }
}

/// Enough for every claim that somebody wrote.
const MAX_FOLLOWED: usize = 10_000;

/// Makes the automaton of a claim from its control locations.
struct Builder<'c> {
    control: &'c flow::Automaton,
    statements: &'c [Statement],
    propositions: Vec<Expr>,
    atoms: Vec<String>,
    known: HashMap<String, u32>,
    /// The locations of the atomic sequence that is being followed.
    inside: Vec<LocId>,
    /// How many locations inside atomic sequences were looked at, on all ways through them.
    followed: usize,
    trouble: Option<String>,
}

/// Where a step of the claim leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Location(LocId),
    /// The run is wrong.
    Wrong,
}

/// When a statement can be executed.
#[derive(Clone, Copy)]
enum When {
    Always,
    Holds(u64),
    NothingElse,
}

impl Builder<'_> {
    /// States are numbered in the order in which they are found.
    fn automaton(&mut self) -> Automaton {
        let mut found = vec![self.goal(self.control.start)];
        let (mut states, mut accepting) = (Vec::new(), Vec::new());
        while let Some(goal) = found.get(states.len()).copied() {
            let mut steps = Vec::new();
            let mut is_accepting = true;
            match goal {
                Goal::Wrong => steps.push((Cube::ANY, Goal::Wrong)),
                Goal::Location(at) => {
                    is_accepting = self.control.locations[usize::from(at.0)].is_accept;
                    self.steps(at, Cube::ANY, &mut steps);
                }
            }
            accepting.push(is_accepting);
            states.push(transitions(&steps, &mut found));
        }
        Automaton { states, initial: 0, accepting }
    }

    /// The closing brace is not waited for.
    fn goal(&self, at: LocId) -> Goal {
        let ends = self.transitions_of(at).iter().any(|t| matches!(t.action, Action::End));
        if ends { Goal::Wrong } else { Goal::Location(at) }
    }

    fn transitions_of(&self, at: LocId) -> &[auspex_process::ir::Transition] {
        let location = &self.control.locations[usize::from(at.0)];
        &self.control.transitions[location.first as usize..location.end as usize]
    }

    /// All steps from a location on letters that `given` describes.
    fn steps(&mut self, at: LocId, given: Cube, steps: &mut Vec<(Cube, Goal)>) {
        let count = self.transitions_of(at).len();
        let when: Vec<When> = (0..count).map(|index| self.when(at, index)).collect();
        for (index, own) in when.iter().enumerate() {
            let condition = match own {
                When::Always => Some(Cube::ANY),
                When::Holds(atom) => Some(Cube { positive: *atom, negative: 0 }),
                When::NothingElse => none_of(&when),
            };
            let Some(cube) = condition.and_then(|condition| both(given, condition)) else {
                continue;
            };
            let transition = &self.transitions_of(at)[index];
            let (target, atomic) = (transition.target, transition.atomic);
            let mut cube = Some(cube);
            if let Action::Assert(expr) = &transition.action {
                let (expr, statement) = (expr.clone(), transition.statement);
                let text = assertion_text(&self.statements[statement.0 as usize].text);
                let atom = self.atom(expr, text);
                let fails = Cube { positive: 0, negative: atom };
                let wrong = cube.and_then(|cube| both(cube, fails));
                steps.extend(wrong.map(|wrong| (wrong, Goal::Wrong)));
                cube = cube.and_then(|cube| both(cube, Cube { positive: atom, negative: 0 }));
            }
            let Some(cube) = cube else { continue };
            match self.goal(target) {
                Goal::Location(_) if atomic => self.follow(target, cube, steps),
                goal => steps.push((cube, goal)),
            }
        }
    }

    /// The rest of an atomic sequence, on the same letter.
    fn follow(&mut self, at: LocId, given: Cube, steps: &mut Vec<(Cube, Goal)>) {
        if self.inside.contains(&at) {
            self.trouble = Some("a loop inside an atomic sequence of a never claim".into());
            return;
        }
        self.followed += 1;
        if self.followed > MAX_FOLLOWED {
            self.trouble = Some("the atomic sequences of this claim have too many ways".into());
            return;
        }
        self.inside.push(at);
        self.steps(at, given, steps);
        self.inside.pop();
    }

    fn when(&mut self, at: LocId, index: usize) -> When {
        let transition = &self.transitions_of(at)[index];
        match &transition.action {
            Action::Else => When::NothingElse,
            Action::Guard(Expr::Const(value)) if *value != 0 => When::Always,
            Action::Guard(expr) => {
                let text = self.statements[transition.statement.0 as usize].text.clone();
                When::Holds(self.atom(expr.clone(), text))
            }
            _ => When::Always,
        }
    }

    /// The bit of a condition; the same text is the same condition.
    fn atom(&mut self, expr: Expr, text: String) -> u64 {
        if let Some(atom) = self.known.get(&text) {
            return 1 << atom;
        }
        let atom = self.propositions.len() as u32;
        if atom == MAX_ATOMS {
            self.trouble = Some(format!("more than {MAX_ATOMS} different conditions"));
            return 0;
        }
        self.propositions.push(expr);
        self.atoms.push(text.clone());
        self.known.insert(text, atom);
        1 << atom
    }
}

/// `assert(x)` is about `x`.
fn assertion_text(text: &str) -> String {
    let inside = text.strip_prefix("assert").map(str::trim_start).unwrap_or(text);
    inside.to_string()
}

fn none_of(all: &[When]) -> Option<Cube> {
    let mut cube = Cube::ANY;
    for when in all {
        match when {
            When::Always => return None,
            When::Holds(atom) => cube.negative |= atom,
            When::NothingElse => {}
        }
    }
    Some(cube)
}

fn both(a: Cube, b: Cube) -> Option<Cube> {
    let cube = Cube { positive: a.positive | b.positive, negative: a.negative | b.negative };
    (cube.positive & cube.negative == 0).then_some(cube)
}

/// One transition to each goal.
fn transitions(steps: &[(Cube, Goal)], found: &mut Vec<Goal>) -> Vec<Transition> {
    let mut targets: Vec<(usize, Vec<Cube>)> = Vec::new();
    for (cube, goal) in steps {
        let target = found.iter().position(|known| known == goal).unwrap_or_else(|| {
            found.push(*goal);
            found.len() - 1
        });
        match targets.iter_mut().find(|(known, _)| *known == target) {
            Some((_, cubes)) if cubes.contains(cube) => {}
            Some((_, cubes)) => cubes.push(*cube),
            None => targets.push((target, vec![*cube])),
        }
    }
    let transition =
        |(target, cubes): (usize, Vec<Cube>)| Transition { label: Label::new(cubes), target };
    targets.into_iter().map(transition).collect()
}
