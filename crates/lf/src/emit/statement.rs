//! Code of statements.

use super::Emitter;
use crate::code::{Op, Pc};
use crate::tree::{
    Binary, CaseArm, Expr, Output, Place, Printed, Statement, StatementKind, VariableId,
};
use crate::types::{Scalar, Types};
use auspex_system::Span;

impl Emitter<'_> {
    pub(super) fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        self.begin(span, self.headline(statement));
        match &statement.kind {
            StatementKind::Assign { target, value } => self.store(target, |e| e.expr(value)),
            StatementKind::Copy { target, source } => {
                self.reference(target);
                self.reference(source);
                let bytes = self.size(target);
                self.op(Op::Copy(bytes));
            }
            StatementKind::CopyText { target, text } => {
                self.reference(target);
                let (text, length) = self.text(*text);
                let room = self.size(target);
                self.op(Op::CopyText { text, length, room });
            }
            StatementKind::Call { process, arguments } => {
                self.op(Op::PrepareCall(process.0));
                self.arguments(*process, arguments);
                self.op(Op::Call(process.0));
            }
            StatementKind::Create(creations) => {
                creations.iter().for_each(|creation| self.creation(creation));
                self.op(Op::Created);
            }
            StatementKind::Add { target, amount, subtract } => {
                let known = amount.constant();
                let known = if *subtract { known.and_then(i64::checked_neg) } else { known };
                if let Some(amount) = known {
                    self.increment(target, amount);
                    return self.end_fine(statement);
                }
                let op = if *subtract { Binary::Subtract } else { Binary::Add };
                self.store(target, |emitter| {
                    emitter.load(target);
                    emitter.expr(amount);
                    emitter.op(Op::Binary(op));
                });
            }
            StatementKind::Include { target, element, exclude } => {
                let op = if *exclude { Binary::Difference } else { Binary::Union };
                self.store(target, |emitter| {
                    emitter.load(target);
                    emitter.expr(element);
                    emitter.op(Op::Unary(crate::tree::Unary::Single));
                    emitter.op(Op::Binary(op));
                });
            }
            StatementKind::New(places) => {
                for place in places {
                    let channel = self.channel(place.ty);
                    self.reference(place);
                    self.op(Op::New(channel.into()));
                }
            }
            StatementKind::Assert(condition) => {
                self.expr(condition);
                self.op(Op::Assert);
            }
            StatementKind::Reschedule => {
                self.op(Op::Reschedule);
                return;
            }
            StatementKind::Accept => {
                self.op(Op::Accept);
            }
            StatementKind::NoMove => {
                self.op(Op::NoMove);
            }
            StatementKind::Output { what, value, width } => {
                self.output(*what, value.as_ref(), width.as_ref());
            }
            StatementKind::Input { target } => {
                let scalar = self.program.types.as_scalar(target.ty).unwrap_or(Scalar::Int32);
                self.outside(Op::Input(scalar), target);
            }
            StatementKind::Clock { target } => self.outside(Op::Clock, target),
            StatementKind::PortIn { io, address, target } => self.port_in(io, address, target),
            StatementKind::PortOut { io, address, value, bytes } => {
                self.port_out(io, address, value, *bytes);
            }
            StatementKind::Communicate(communication) => {
                self.communicate(communication);
                return;
            }
            StatementKind::Select(clauses) => {
                self.select(clauses);
                return;
            }
            _ => {
                self.structured(statement);
                return;
            }
        }
        self.end_fine(statement);
    }

    /// With fine actions, a simple statement ends one.
    fn end_fine(&mut self, statement: &Statement) {
        if self.options.fine && !matches!(statement.kind, StatementKind::Create(_)) {
            self.op(Op::Reschedule);
        }
    }

    /// What people are shown of a statement: of a structured one only what is evaluated first.
    fn headline(&self, statement: &Statement) -> Span {
        let span = statement.span;
        let up_to = |expr: &Expr| Span { end: expr.span.end, ..span };
        let word = |length: u32| Span { end: (span.start + length).min(span.end), ..span };
        match &statement.kind {
            StatementKind::If { arms, .. } => arms.first().map_or(span, |(c, _)| up_to(c)),
            StatementKind::While { condition, .. } => up_to(condition),
            StatementKind::For { to, .. } => up_to(to),
            StatementKind::Case { value, .. } => up_to(value),
            StatementKind::Repeat { until, .. } => until.span,
            StatementKind::Loop { .. } => word(4),
            StatementKind::Choice(_) | StatementKind::Select(_) => word(6),
            _ => span,
        }
    }

    fn structured(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::If { arms, otherwise } => self.conditional(arms, otherwise),
            StatementKind::While { condition, body } => {
                let start = self.here();
                let leave = self.jump_on(condition, false);
                let own = self.statement;
                self.block(body);
                self.resume(own, span);
                self.op(Op::Jump(start));
                self.land(leave);
            }
            StatementKind::Repeat { body, until } => {
                let start = self.here();
                let own = self.statement;
                self.block(body);
                self.resume(own, until.span);
                // The statement begins where it is decided.
                if let Some(own) = self.object.debug.statements.get_mut(own as usize) {
                    own.start = self.object.code.len() as Pc;
                }
                let again = self.jump_on(until, false);
                again.into_iter().for_each(|at| self.patch(at, start));
            }
            StatementKind::For { variable, from, to, limit, by, body } => {
                self.counted(statement, (variable, *limit), (from, to, *by), body);
            }
            StatementKind::Loop { body } => {
                let start = self.here();
                let own = self.statement;
                self.exits.push(Vec::new());
                self.block(body);
                self.resume(own, span);
                self.op(Op::Jump(start));
                let exits = self.exits.pop().unwrap_or_default();
                self.land(exits);
            }
            StatementKind::Exit => {
                let at = self.op(Op::Jump(0));
                match self.exits.last_mut() {
                    Some(exits) => exits.push(at),
                    None => self.returns.push(at),
                }
            }
            StatementKind::Return => {
                let at = self.op(Op::Jump(0));
                self.returns.push(at);
            }
            StatementKind::Case { value, arms, otherwise } => {
                self.case(value, arms, otherwise.as_deref());
            }
            StatementKind::Choice(alternatives) => self.choice(alternatives),
            _ => {}
        }
    }

    /// What the world gives; that ends an action, so nothing else may be on the stack.
    fn outside(&mut self, op: Op, target: &Place) {
        let scalar = self.program.types.as_scalar(target.ty).unwrap_or(Scalar::Int64);
        self.op(op);
        self.reference(target);
        self.op(Op::StoreBelow(scalar));
    }

    /// Back in a statement whose inner ones are over.
    fn resume(&mut self, statement: u32, span: Span) {
        self.statement = statement;
        self.span = Some(span);
    }

    pub(super) fn land(&mut self, jumps: Vec<Pc>) {
        let here = self.here();
        jumps.into_iter().for_each(|at| self.patch(at, here));
    }

    pub(super) fn size(&self, place: &Place) -> u32 {
        self.program.types.size(place.ty).unwrap_or(0)
    }

    /// Where a constant in quotes lies, and how long it is.
    pub(super) fn text(&self, text: usize) -> (u32, u32) {
        (self.texts[text], self.program.texts[text].len() as u32)
    }

    fn conditional(&mut self, arms: &[(Expr, Vec<Statement>)], otherwise: &[Statement]) {
        let mut ends = Vec::new();
        for (index, (condition, body)) in arms.iter().enumerate() {
            if index > 0 {
                self.begin(condition.span, condition.span);
            }
            let (own, span) = (self.statement, self.span);
            let next = self.jump_on(condition, false);
            self.block(body);
            if index + 1 < arms.len() || !otherwise.is_empty() {
                self.statement = own;
                self.span = span;
                ends.push(self.op(Op::Jump(0)));
            }
            self.land(next);
        }
        self.block(otherwise);
        self.land(ends);
    }

    fn counted(
        &mut self,
        statement: &Statement,
        (variable, limit): (&Place, Option<VariableId>),
        (from, to, by): (&Expr, &Expr, i64),
        body: &[Statement],
    ) {
        let limit = limit.map(|variable| Place {
            variable,
            path: Vec::new(),
            ty: Types::INT64,
            span: to.span,
        });
        // The limit is evaluated once, before the variable changes.
        if let Some(limit) = &limit {
            self.store(limit, |emitter| emitter.expr(to));
        }
        self.store(variable, |emitter| emitter.expr(from));
        let test = self.here();
        self.load(variable);
        match &limit {
            Some(limit) => self.load(limit),
            None => self.expr(to),
        }
        let more = if by > 0 { Binary::LessEqual } else { Binary::GreaterEqual };
        let leave = self.op(Op::JumpCompare { op: more, on: false, to: 0 });
        self.block(body);
        // What happens between two rounds is told as the FOR, not as what was last in the round.
        self.begin(statement.span, self.headline(statement));
        self.increment(variable, by);
        self.op(Op::Jump(test));
        self.land(vec![leave]);
        // What is of no use any more must not tell states apart.
        if let Some(limit) = &limit {
            self.store(limit, |emitter| emitter.constant(0));
        }
    }

    fn case(&mut self, value: &Expr, arms: &[CaseArm], otherwise: Option<&[Statement]>) {
        let (own, span) = (self.statement, value.span);
        let mut ends = Vec::new();
        for arm in arms {
            let mut hits = Vec::new();
            for (low, high) in &arm.labels {
                self.expr(value);
                self.constant(*low);
                if low == high {
                    self.op(Op::Binary(Binary::Equal));
                    hits.push(self.op(Op::JumpIf(0)));
                    continue;
                }
                self.op(Op::Binary(Binary::GreaterEqual));
                let miss = self.op(Op::JumpIfNot(0));
                self.expr(value);
                self.constant(*high);
                self.op(Op::Binary(Binary::LessEqual));
                hits.push(self.op(Op::JumpIf(0)));
                self.land(vec![miss]);
            }
            let next = self.op(Op::Jump(0));
            self.land(hits);
            self.block(&arm.body);
            self.resume(own, span);
            ends.push(self.op(Op::Jump(0)));
            self.land(vec![next]);
        }
        match otherwise {
            Some(otherwise) => self.block(otherwise),
            None => {
                self.expr(value);
                self.op_at(span, Op::NoCase);
            }
        }
        self.land(ends);
    }

    fn choice(&mut self, alternatives: &[Vec<Statement>]) {
        let own = self.statement;
        let span = self.span;
        let table = self.object.choices.len();
        self.object.choices.push(Vec::new());
        self.op(Op::Choice(table as u32));
        let mut ends = Vec::new();
        for alternative in alternatives {
            let start = self.here();
            self.object.choices[table].push(start);
            self.block(alternative);
            self.statement = own;
            self.span = span;
            ends.push(self.op(Op::Jump(0)));
        }
        self.land(ends);
    }

    fn output(&mut self, what: Output, value: Option<&Printed>, width: Option<&Expr>) {
        if let Some(width) = width {
            self.expr(width);
            self.op(Op::Width);
        }
        match value {
            None => {}
            Some(Printed::Value(value)) => self.expr(value),
            Some(Printed::Text(text)) => {
                let (text, length) = self.text(*text);
                self.op(Op::TextReference(text));
                self.constant(length.into());
                self.op(Op::OutputText);
                return;
            }
            Some(Printed::Place(place)) => {
                self.reference(place);
                self.length(place);
                self.op(Op::OutputText);
                return;
            }
        }
        self.op(Op::Output(what));
    }
}
