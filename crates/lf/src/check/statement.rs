//! Statements.

use super::Checker;
use super::designator::Designated;
use super::operand::Operand;
use crate::ast::{self, Direction, StatementKind as Ast};
use crate::tree::{
    Argument, CaseArm, Clause, Communication, Creation, Expr, MessageField, ProcessId, Role,
    Statement, StatementKind,
};
use crate::types::{Scalar, Type, Types};
use auspex_system::{Diagnostic, Span};

/// The most clauses of a SELECT: what waits is kept in every state.
const MOST_CLAUSES: usize = 10_000;

impl Checker {
    pub(super) fn statements(&mut self, statements: &[ast::Statement]) -> Vec<Statement> {
        statements.iter().filter_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &ast::Statement) -> Option<Statement> {
        let span = statement.span;
        let kind = match &statement.kind {
            Ast::Assign { target, value } => self.assignment(target, value)?,
            Ast::Call { callee, arguments } => self.call(callee, arguments, span)?,
            Ast::Create(creations) => {
                self.not_in_property("CREATE", span);
                let all = creations.iter().map(|creation| self.creation(creation));
                StatementKind::Create(all.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?)
            }
            Ast::Communicate(communication) => {
                StatementKind::Communicate(self.communication(communication)?)
            }
            Ast::Select(clauses) => {
                if clauses.len() > MOST_CLAUSES {
                    let message = format!("a SELECT has at most {MOST_CLAUSES} clauses");
                    self.error(Diagnostic::error(span, message));
                }
                let all = clauses.iter().map(|clause| self.clause(clause)).collect::<Vec<_>>();
                StatementKind::Select(all.into_iter().collect::<Option<_>>()?)
            }
            Ast::If { arms, otherwise } => {
                let arms = arms.iter().map(|(condition, body)| {
                    let condition = self.condition(condition);
                    (condition, self.statements(body))
                });
                let arms = arms.collect();
                let otherwise = self.statements(otherwise.as_deref().unwrap_or(&[]));
                StatementKind::If { arms, otherwise }
            }
            Ast::While { condition, body } => {
                let condition = self.condition(condition);
                StatementKind::While { condition, body: self.statements(body) }
            }
            Ast::Repeat { body, until } => {
                let body = self.statements(body);
                StatementKind::Repeat { body, until: self.condition(until) }
            }
            Ast::For { variable, from, to, by, body } => {
                self.counted(variable, from, to, by.as_ref(), body)?
            }
            Ast::Loop { body } => {
                self.loops += 1;
                let body = self.statements(body);
                self.loops -= 1;
                StatementKind::Loop { body }
            }
            Ast::Exit => {
                if self.loops == 0 {
                    let error = Diagnostic::error(span, "EXIT is in no LOOP");
                    self.error(error.hint("EXIT leaves a LOOP, not a WHILE, REPEAT or FOR"));
                }
                StatementKind::Exit
            }
            Ast::Return => StatementKind::Return,
            Ast::Case { value, arms, otherwise } => self.case(value, arms, otherwise.as_deref())?,
            Ast::Choice(alternatives) => StatementKind::Choice(
                alternatives.iter().map(|alternative| self.statements(alternative)).collect(),
            ),
        };
        Some(Statement { key: self.key(statement.id), kind, span })
    }

    fn assignment(&mut self, target: &ast::Designator, value: &ast::Expr) -> Option<StatementKind> {
        let Some(target) = self.target_of(target) else {
            self.value_for_messages(value);
            return None;
        };
        if self.open_element(target.ty).is_some() {
            let error =
                Diagnostic::error(target.span, "an open array cannot be assigned as a whole");
            self.error(error.hint("assign its elements"));
            return None;
        }
        match self.operand(value, target.ty) {
            Operand::Value(value) => Some(StatementKind::Assign { target, value }),
            Operand::Structure(source) => Some(StatementKind::Copy { target, source }),
            Operand::Text(text) => Some(StatementKind::CopyText { target, text }),
            Operand::Invalid => None,
        }
    }

    /// After a mistake on the left, those on the right are still told.
    fn value_for_messages(&mut self, value: &ast::Expr) {
        self.operand(value, Types::INVALID);
    }

    fn call(
        &mut self,
        callee: &ast::Designator,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<StatementKind> {
        match self.designate(callee) {
            Designated::Process(process) => {
                self.must_be_process(process, callee)?;
                let arguments = self.arguments(process, callee, arguments, span)?;
                Some(StatementKind::Call { process, arguments })
            }
            Designated::Predeclared(what) => self.predeclared(what, callee, arguments, span),
            Designated::Standard(standard, name) => {
                self.standard_call(standard, &name, callee, arguments, span)
            }
            Designated::Invalid => {
                arguments.iter().for_each(|argument| self.value_for_messages(argument));
                None
            }
            Designated::Place(..) => {
                let message = format!("`{}` is a variable, not a statement", callee.name.text);
                let error = Diagnostic::error(span, message);
                self.error(error.hint("an assignment is written `:=`, a message `!` or `?`"));
                None
            }
            _ => {
                let message = format!("`{}` is no statement", callee.name.text);
                self.error(Diagnostic::error(span, message));
                None
            }
        }
    }

    fn must_be_process(&mut self, process: ProcessId, callee: &ast::Designator) -> Option<()> {
        if !self.program.process(process).is_property {
            return Some(());
        }
        let message = format!("`{}` is a property: it is started by the system", callee.name.text);
        self.error(Diagnostic::error(callee.span, message).label("cannot be called or created"));
        None
    }

    fn arguments(
        &mut self,
        process: ProcessId,
        callee: &ast::Designator,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Vec<Argument>> {
        let parameters = self.program.process(process).parameters.clone();
        if parameters.len() != arguments.len() {
            let declared = self.program.process(process).span;
            let name = &callee.name.text;
            let (wanted, found) = (parameters.len(), arguments.len());
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("`{name}` needs {wanted} argument{plural}, found {found}");
            let error = Diagnostic::error(span, message).label("wrong number of arguments");
            self.error(error.note(declared, "declared here"));
            return None;
        }
        let all: Vec<_> = arguments
            .iter()
            .zip(parameters)
            .map(|(argument, parameter)| self.argument(argument, parameter))
            .collect();
        all.into_iter().collect()
    }

    fn creation(&mut self, creation: &ast::Creation) -> Option<Creation> {
        let callee = &creation.callee;
        let process = match self.designate(callee) {
            Designated::Process(process) => process,
            Designated::Invalid => return None,
            _ => {
                let message = format!("`{}` is no process", callee.name.text);
                self.error(
                    Diagnostic::error(callee.span, message).label("only processes are created"),
                );
                return None;
            }
        };
        self.must_be_process(process, callee)?;
        let arguments = self.arguments(process, callee, &creation.arguments, creation.span)?;
        for (argument, expr) in arguments.iter().zip(&creation.arguments) {
            self.may_be_shared(argument, expr.span)?;
        }
        let time = |checker: &mut Self, expr: &Option<ast::Expr>| {
            expr.as_ref().map(|expr| {
                let value = checker.integer(expr);
                checker.make_check(Scalar::Int32, value, Types::INTEGER)
            })
        };
        let deadline = time(self, &creation.deadline);
        let period = time(self, &creation.period);
        Some(Creation { process, arguments, deadline, period, span: creation.span })
    }

    /// Concurrent processes share only what the compiler can name.
    fn may_be_shared(&mut self, argument: &Argument, span: Span) -> Option<()> {
        let (place, what) = match argument {
            Argument::Reference(place) => (place, "a VAR parameter"),
            Argument::Open(_) | Argument::OpenText(_) => {
                let error =
                    Diagnostic::error(span, "a concurrent process cannot have an open array");
                self.error(
                    error
                        .label("its length is not part of the process")
                        .hint("declare a type for the array, and a parameter of that type"),
                );
                return None;
            }
            _ => return Some(()),
        };
        let variable = self.program.variable(place.variable);
        if variable.role != Role::Reference {
            return Some(());
        }
        let message = format!(
            "`{}` is itself {what}: it cannot be shared with a concurrent process",
            variable.name
        );
        let declared = variable.span;
        self.error(
            Diagnostic::error(span, message)
                .label("nobody can see here which variable that is")
                .note(declared, "declared here")
                .hint("pass the variable itself where the process is created, or copy the value"),
        );
        None
    }

    pub(super) fn not_in_property(&mut self, what: &str, span: Span) {
        if self.inside().is_some_and(|process| self.property_around(process).is_some()) {
            let message = format!("{what} cannot be used in a property");
            let error = Diagnostic::error(span, message);
            self.error(error.label("a property only watches"));
        }
    }

    pub(super) fn only_in_property(&mut self, what: &str, span: Span) {
        if self.inside().is_none_or(|process| self.property_around(process).is_none()) {
            let message = format!("{what} can be used in a property only");
            self.error(Diagnostic::error(span, message).label("this is no property"));
        }
    }

    fn communication(&mut self, communication: &ast::Communication) -> Option<Communication> {
        let ast::Communication { port, direction, message, arguments, span } = communication;
        let what = if *direction == Direction::Send { "a send" } else { "a receive" };
        self.not_in_property(what, *span);
        let place = match self.designate(port) {
            Designated::Place(place, _) => place,
            Designated::Invalid => return None,
            _ => {
                let text = format!("`{}` is no port", port.name.text);
                self.error(Diagnostic::error(port.span, text).label("messages go over ports"));
                return None;
            }
        };
        let Type::Channel { messages } = self.program.types.get(place.ty) else {
            let text = format!("{} is no channel", self.show(place.ty));
            self.error(Diagnostic::error(port.span, text).label("messages go over ports"));
            return None;
        };
        let Some(number) = messages.iter().position(|other| other.name == message.text) else {
            let names: Vec<&str> = messages.iter().map(|other| other.name.as_str()).collect();
            let text = format!("this channel has no message `{}`", message.text);
            let hint = format!("it has {}", names.join(", "));
            self.error(Diagnostic::error(message.span, text).label("not declared").hint(hint));
            return None;
        };
        let fields = messages[number].fields.clone();
        if fields.len() != arguments.len() {
            let (wanted, found) = (fields.len(), arguments.len());
            let plural = if wanted == 1 { "value" } else { "values" };
            let text =
                format!("the message `{}` has {wanted} {plural}, found {found}", message.text);
            self.error(Diagnostic::error(*span, text).label("wrong number of values"));
            return None;
        }
        let all: Vec<_> = arguments
            .iter()
            .zip(fields)
            .map(|(argument, ty)| match direction {
                Direction::Send => match self.operand(argument, ty) {
                    Operand::Value(value) => {
                        let scalar = self.program.types.as_scalar(ty).unwrap_or(Scalar::Int64);
                        Some(MessageField::Send(self.make_check(scalar, value, ty)))
                    }
                    Operand::Structure(place) => Some(MessageField::SendCopy(place)),
                    Operand::Text(text) => Some(MessageField::SendText(text)),
                    Operand::Invalid => None,
                },
                Direction::Receive => self.received(argument, ty),
            })
            .collect();
        let fields = all.into_iter().collect::<Option<_>>()?;
        let (direction, message) = (*direction, number as u32);
        Some(Communication { port: place, direction, message, fields, span: *span })
    }

    /// Where a value goes, or the only value that is taken.
    fn received(&mut self, argument: &ast::Expr, ty: crate::types::TypeId) -> Option<MessageField> {
        let is_constant = match &argument.kind {
            ast::ExprKind::Designator(designator) => {
                let messages = self.errors.len();
                let designated = self.designate(designator);
                self.errors.truncate(messages);
                matches!(designated, Designated::Constant { .. })
            }
            _ => true,
        };
        if is_constant {
            let value = self.value(argument);
            if self.program.types.is_invalid(value.ty) {
                return None;
            }
            if value.constant().is_none() {
                let error =
                    Diagnostic::error(argument.span, "a variable or a constant is expected here");
                self.error(error.label("a message is received into variables"));
                return None;
            }
            return self.assignable(value, ty).map(MessageField::Match);
        }
        let place = self.target(argument)?;
        let types = &self.program.types;
        let fits = types.same(place.ty, ty) || types.is_integer(place.ty) && types.is_integer(ty);
        if fits {
            return Some(MessageField::Receive(place));
        }
        self.mismatch(ty, place.ty, argument.span);
        None
    }

    fn clause(&mut self, clause: &ast::When) -> Option<Clause> {
        let communication = self.communication(&clause.communication);
        let guard = clause.guard.as_ref().map(|guard| self.condition(guard));
        let body = self.statements(&clause.body);
        let (key, span) = (self.key(clause.id), clause.span);
        Some(Clause { key, communication: communication?, guard, body, span })
    }

    fn counted(
        &mut self,
        variable: &ast::Ident,
        from: &ast::Expr,
        to: &ast::Expr,
        by: Option<&ast::Expr>,
        body: &[ast::Statement],
    ) -> Option<StatementKind> {
        let designator =
            ast::Designator { name: variable.clone(), selectors: Vec::new(), span: variable.span };
        let target = self.target_of(&designator);
        let (first, last) = (self.integer(from), self.integer(to));
        let by = match by {
            None => Some(1),
            Some(expr) => {
                let step = self.constant(expr).map(|(value, _)| value);
                if step == Some(0) {
                    self.error(Diagnostic::error(expr.span, "a step of 0 never ends"));
                }
                step
            }
        };
        let body = self.statements(body);
        let target = target?;
        if !self.program.types.is_integer(target.ty) {
            self.mismatch(Types::INTEGER, target.ty, variable.span);
            return None;
        }
        let scalar = self.program.types.as_scalar(target.ty).unwrap_or(Scalar::Int64);
        if let Some(value) = first.constant() {
            self.must_fit(scalar, value, from.span);
        }
        let limit = match last.constant() {
            Some(_) => None,
            None => Some(self.hidden_variable(to.span)),
        };
        Some(StatementKind::For { variable: target, from: first, to: last, limit, by: by?, body })
    }

    fn hidden_variable(&mut self, span: Span) -> crate::tree::VariableId {
        let name = ast::Ident { text: "(limit)".to_owned(), span };
        self.new_variable(&name, Types::INT64, self.owner(), Role::Hidden)
    }

    fn case(
        &mut self,
        value: &ast::Expr,
        arms: &[ast::Arm],
        otherwise: Option<&[ast::Statement]>,
    ) -> Option<StatementKind> {
        let value = self.value(value);
        let types = &self.program.types;
        if !types.is_invalid(value.ty) && !types.is_integer(value.ty) && value.ty != Types::CHAR {
            let message =
                format!("CASE needs an integer or a character, found {}", self.show(value.ty));
            self.error(Diagnostic::error(value.span, message).label("not of such a type"));
            return None;
        }
        let mut seen: Vec<(i64, i64, Span)> = Vec::new();
        let mut checked = Vec::new();
        for arm in arms {
            let mut labels = Vec::new();
            for (from, to) in &arm.labels {
                labels.extend(self.label(from, to.as_ref(), &value, &mut seen));
            }
            checked.push(CaseArm { labels, body: self.statements(&arm.body) });
        }
        let otherwise = otherwise.map(|body| self.statements(body));
        Some(StatementKind::Case { value, arms: checked, otherwise })
    }

    fn label(
        &mut self,
        from: &ast::Expr,
        to: Option<&ast::Expr>,
        value: &Expr,
        seen: &mut Vec<(i64, i64, Span)>,
    ) -> Option<(i64, i64)> {
        let span = to.map_or(from.span, |to| from.span.to(to.span));
        let low = self.label_value(from, value)?;
        let high = match to {
            Some(to) => self.label_value(to, value)?,
            None => low,
        };
        if low > high {
            self.error(Diagnostic::error(span, "this range is empty"));
            return None;
        }
        let before = seen.iter().find(|(a, b, _)| low <= *b && *a <= high).map(|(_, _, at)| *at);
        if let Some(before) = before {
            let error = Diagnostic::error(span, "this label was there before");
            self.error(error.label("never taken").note(before, "first here"));
        }
        seen.push((low, high, span));
        Some((low, high))
    }

    fn label_value(&mut self, expr: &ast::Expr, value: &Expr) -> Option<i64> {
        let (label, ty) = self.constant(expr)?;
        let types = &self.program.types;
        let fits = ty == value.ty
            || types.is_integer(ty) && types.is_integer(value.ty)
            || types.is_invalid(value.ty);
        if !fits {
            self.mismatch(value.ty, ty, expr.span);
            return None;
        }
        Some(label)
    }
}
