//! `trace` and `notrace`: automata over sends and receives.
//!
//! Their control flow is that of any other sequence of statements: each event takes part in it as a
//! condition that is a number of its own.

use super::chan::is_wildcard;
use super::{Context, Lowerer};
use crate::ast::{self, ExprKind, Sequence, Stmt, StmtKind};
use crate::flow::{self, Flow};
use auspex_process::Scalar;
use auspex_process::ir::{Action, Expr, Frame, LocId, Pattern, Place, Space, VarType, Variable};
use auspex_process::trace::{Event, TraceAssertion, TraceState, Way};
use auspex_system::{Diagnostic, Span};

/// The condition of the first event; 1 is what `skip` is.
const FIRST: i32 = 2;

impl Lowerer<'_> {
    pub fn trace_assertion(&mut self, claim: &ast::Claim) {
        if self.model.trace.is_some() {
            let message = "only one trace or notrace assertion can be checked";
            return self.error(claim.span, message);
        }
        let (statements, flow) = (self.model.statements.len(), std::mem::take(&mut self.flow));
        let word = if claim.kind == ast::ClaimKind::Notrace { "notrace" } else { "trace" };
        self.context = Some(Context {
            name: word.into(),
            frame: Frame::default(),
            at_top: false,
            inline_depth: 0,
        });
        let states = self.trace_states(claim);
        self.flow = flow;
        self.context = None;
        // They are no statements of the model: nobody expects them to be executed.
        self.model.statements.truncate(statements);
        let Some(states) = states else { return };
        let channels = |way| {
            let events = states.iter().flat_map(|state| &state.events);
            events.filter(|event| event.way == way).map(|event| event.channel.clone()).collect()
        };
        let assertion = TraceAssertion {
            is_negated: claim.kind == ast::ClaimKind::Notrace,
            location: self.map.location(claim.span),
            at: self.trace_variable(word, states.len()),
            sends: channels(Way::Send),
            receives: channels(Way::Receive),
            states,
        };
        self.model.trace = Some(Box::new(assertion));
    }

    /// Where the automaton stands.
    fn trace_variable(&mut self, word: &str, states: usize) -> Place {
        let ty = if states <= 256 { Scalar::Byte } else { Scalar::Unsigned(16) };
        let globals = &mut self.model.globals;
        let offset = globals.size;
        globals.size += ty.size() as u32;
        let ir_type = VarType::Scalar(ty);
        globals.variables.push(Variable { name: word.into(), ty: ir_type, length: None, offset });
        Place { space: Space::Global, offset, indices: Vec::new(), ty, name: word.into() }
    }

    fn trace_states(&mut self, claim: &ast::Claim) -> Option<Vec<TraceState>> {
        self.symbols.scopes.enter();
        let mut events = Vec::new();
        let body = self.events(&claim.body, &mut events);
        self.flow.open();
        self.sequence(&body);
        let end = self.statement(claim.span, "-end-", false);
        self.flow.add_basic(Action::End, end, claim.span);
        let seq = self.flow.close();
        self.symbols.scopes.leave();
        if !self.errors.is_empty() {
            return None;
        }
        let mut flow: Flow = std::mem::take(&mut self.flow);
        match flow::finish(&mut flow, seq?, &[], &mut self.model.statements) {
            Ok(control) => self.read_states(&control, &events, claim.span),
            Err(errors) => {
                self.errors.extend(errors);
                None
            }
        }
    }

    /// The automaton has a state for each control location, the first one in front.
    fn read_states(
        &mut self,
        control: &flow::Automaton,
        events: &[Event],
        span: Span,
    ) -> Option<Vec<TraceState>> {
        let count = control.locations.len();
        let number = |at: LocId| match usize::from(at.0) {
            at if at == usize::from(control.start.0) => 0,
            0 => control.start.0,
            at => at as u16,
        };
        let mut states = vec![TraceState::default(); count];
        for (index, location) in control.locations.iter().enumerate() {
            let state = &mut states[usize::from(number(LocId(index as u16)))];
            state.is_end = location.is_end;
            for transition in &control.transitions[location.first as usize..location.end as usize] {
                let event = match &transition.action {
                    Action::End => {
                        state.is_last = true;
                        continue;
                    }
                    Action::Guard(Expr::Const(event)) => usize::try_from(event - FIRST).ok(),
                    _ => None,
                };
                let Some(event) = event.and_then(|event| events.get(event)) else {
                    let at = self.model.statements[transition.statement.0 as usize].location.line;
                    let message = "a jump that no event comes before, in a trace assertion";
                    let hint = format!("it is in line {at}: every option begins with an event");
                    self.errors.push(Diagnostic::error(span, message).hint(hint));
                    return None;
                };
                state.events.push(Event { target: number(transition.target), ..event.clone() });
            }
        }
        Some(states)
    }

    /// The same statements with numbers for events; what is no event is an error.
    fn events(&mut self, sequence: &Sequence, events: &mut Vec<Event>) -> Sequence {
        let mut stmts = Vec::new();
        for stmt in &sequence.stmts {
            let kind = self.event_kind(stmt, events);
            let (labels, text) = (stmt.labels.clone(), stmt.text.clone());
            stmts.push(Stmt { kind, labels, span: stmt.span, text });
        }
        Sequence { stmts, span: sequence.span }
    }

    fn event_kind(&mut self, stmt: &Stmt, events: &mut Vec<Event>) -> StmtKind {
        let (way, chan, fields) = match &stmt.kind {
            StmtKind::If(options) => {
                return StmtKind::If(options.iter().map(|o| self.events(o, events)).collect());
            }
            StmtKind::Do(options) => {
                return StmtKind::Do(options.iter().map(|o| self.events(o, events)).collect());
            }
            StmtKind::Block(body) => return StmtKind::Block(self.events(body, events)),
            StmtKind::Inline { name, body } => {
                return StmtKind::Inline { name: name.clone(), body: self.events(body, events) };
            }
            StmtKind::Break | StmtKind::Goto(_) | StmtKind::Empty => return stmt.kind.clone(),
            StmtKind::Send { chan, args, sorted: false } => {
                (Way::Send, chan, self.sent_fields(args))
            }
            StmtKind::Receive { chan, args, random: false, keep: false } => {
                (Way::Receive, chan, self.received_fields(args))
            }
            _ => {
                let message = format!("`{}` is no event", stmt.text);
                let error = Diagnostic::error(stmt.span, message)
                    .hint("a trace assertion consists of plain sends and receives");
                self.errors.push(error);
                return stmt.kind.clone();
            }
        };
        let channel = self.watched_channel(chan);
        if let Some(most) = self.channel_fields.get(&chan.name.text).copied()
            && fields.len() > most
        {
            let message = format!("`{}` has {most} fields, {} given", chan.name.text, fields.len());
            self.error(stmt.span, message);
        }
        let number = FIRST + events.len() as i32;
        events.push(Event { way, channel, fields, target: 0, text: stmt.text.clone() });
        StmtKind::Expr(ast::Expr { kind: ExprKind::Number(number), span: stmt.span })
    }

    fn watched_channel(&mut self, chan: &ast::VarRef) -> Expr {
        let channel = self.channel(chan);
        let fixed = match &channel {
            Expr::Load(place) => place.indices.iter().all(|i| matches!(i.expr, Expr::Const(_))),
            _ => true,
        };
        if !fixed {
            self.error(chan.span, "the index of a channel in a trace assertion must be a constant");
        }
        channel
    }

    /// What the fields of a send must be. As in Spin a variable is anything, and fields that are
    /// not mentioned are.
    fn sent_fields(&mut self, args: &[ast::Expr]) -> Vec<Option<Expr>> {
        let mut fields = Vec::new();
        for arg in args {
            if matches!(&arg.kind, ExprKind::Name(var) if is_wildcard(var)) {
                fields.push(None);
                continue;
            }
            let mut values = Vec::new();
            self.message_values(arg, &mut values);
            if !matches!(values.as_slice(), [Expr::Const(_)]) {
                self.warn_of_anything(arg.span);
            }
            fields.extend(values.into_iter().map(constant));
        }
        fields
    }

    fn received_fields(&mut self, args: &[ast::RecvArg]) -> Vec<Option<Expr>> {
        let mut fields = Vec::new();
        for arg in args {
            let mut patterns = Vec::new();
            self.pattern(arg, &mut patterns);
            if let (ast::RecvArg::Name(var), true) =
                (arg, patterns.iter().any(|p| matches!(p, Pattern::Store(_))))
            {
                self.warn_of_anything(var.span);
            }
            fields.extend(patterns.into_iter().map(|pattern| match pattern {
                Pattern::Match(expr) => Some(expr),
                Pattern::Any | Pattern::Store(_) => None,
            }));
        }
        fields
    }

    fn warn_of_anything(&mut self, span: Span) {
        let message = "a variable in a trace assertion stands for any value";
        let hint = "write `_`; in a receive, `eval(...)` is its value";
        self.warning(Diagnostic::warning(span, message).hint(hint));
    }
}

fn constant(expr: Expr) -> Option<Expr> {
    matches!(expr, Expr::Const(_)).then_some(expr)
}
