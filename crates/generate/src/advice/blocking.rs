//! Conditions that a program would wait for in vain, and choices that it makes by order.

use std::collections::HashSet;

use auspex_promela::ast::{
    BinaryOp, Expr, ExprKind, PlainOp, Proctype, Sequence, Stmt, StmtKind, UnaryOp, VarRef,
};
use auspex_system::{Diagnostic, Span};

use super::Advisor;
use super::exclusive::{are_exclusive, excludes};
use super::known::Constant;
use super::uses::channel_operation;

/// What decides whether the program takes an option.
enum Guard<'s> {
    /// The first statement that the program has.
    Stmt(&'s Stmt),
    /// It has none, or one that is always possible.
    Always(Span),
    /// Nobody can tell: code, or a choice inside of the choice.
    Unclear,
}

impl Advisor<'_> {
    /// A condition in the middle of a process: nothing but the process itself could make it true.
    pub(super) fn waiting(&mut self, stmt: &Stmt) {
        let StmtKind::Expr(expr) = &stmt.kind else { return };
        let is_condition = !matches!(
            expr.kind,
            ExprKind::Number(1)
                | ExprKind::Run { .. }
                | ExprKind::SetPriority(..)
                | ExprKind::Code(_)
        );
        if is_condition && channel_operation(stmt).is_none() {
            let message = "the program would wait here for ever if this is false";
            self.warnings.push(
                Diagnostic::warning(stmt.span, message)
                    .label("only the program itself can change what this is about")
                    .hint("put it into `promela_MS { ... }` and wait in code for what the program can see; or generate with --threads, where it sleeps until others make it true"),
            );
        }
    }

    /// A loop that goes round and round while nothing can be done.
    pub(super) fn busy(&mut self, options: &[Sequence]) {
        for option in options {
            let mut stmts = option.stmts.iter().filter(|stmt| !is_nothing(stmt));
            let Some(first @ Stmt { kind: StmtKind::Else, .. }) = stmts.next() else { continue };
            if stmts.next().is_none() {
                self.warnings.push(
                    Diagnostic::warning(first.span, "the program is busy here, with nothing, until another option is possible")
                        .label("does nothing, and the loop goes on")
                        .hint("leave this option out: then the program sleeps as long as no option is possible"),
                );
            }
        }
    }

    pub(super) fn choice(&mut self, stmt: &Stmt, options: &[Sequence], process: &Proctype) {
        let guards: Vec<Guard<'_>> = options.iter().map(guard).collect();
        self.resolved_by_order(stmt, &guards);
        let all_wait = guards
            .iter()
            .all(|guard| matches!(guard, Guard::Stmt(Stmt { kind: StmtKind::Expr(_), .. })));
        if all_wait && !self.is_exhaustive(&guards, process) {
            let message = "the program would wait here for ever if no option is possible";
            self.warnings.push(Diagnostic::warning(first_word(stmt), message).hint(
                "add an `else`: only the program itself can change what the conditions are about",
            ));
        }
    }

    fn resolved_by_order(&mut self, stmt: &Stmt, guards: &[Guard<'_>]) {
        for (i, earlier) in guards.iter().enumerate() {
            for (j, later) in guards.iter().enumerate().skip(i + 1) {
                let (first, second) = match (earlier, later) {
                    (Guard::Unclear, _) | (_, Guard::Unclear) => continue,
                    (Guard::Stmt(a), Guard::Stmt(b)) => {
                        if are_exclusive(&a.kind, &b.kind, self.known) {
                            continue;
                        }
                        (a.span, b.span)
                    }
                    (a, b) => match (place(a), place(b)) {
                        (Some(a), Some(b)) => (a, b),
                        _ => continue,
                    },
                };
                let message = format!(
                    "options {} and {} may both be possible: the program takes the first of them",
                    i + 1,
                    j + 1
                );
                self.warnings.push(
                    Diagnostic::warning(first_word(stmt), message)
                        .note(first, format!("option {}", i + 1))
                        .note(second, format!("option {}", j + 1))
                        .hint("let their conditions exclude each other, or choose in code of the program; --threads chooses at random"),
                );
                return;
            }
        }
    }

    /// Is one of the options always possible?
    fn is_exhaustive(&self, guards: &[Guard<'_>], process: &Proctype) -> bool {
        let mut conditions = Vec::new();
        for guard in guards {
            if let Guard::Stmt(Stmt { kind: StmtKind::Expr(expr), .. }) = guard {
                disjuncts(expr, &mut conditions);
            }
        }
        let is_negation = |a: &Expr, b: &Expr| {
            let not =
                Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(a.clone())), span: a.span };
            let other =
                Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(b.clone())), span: b.span };
            // Never both false.
            excludes(&not, &other, self.known)
        };
        let complementary = conditions
            .iter()
            .enumerate()
            .any(|(i, a)| conditions[i + 1..].iter().any(|b| is_negation(a, b)));
        complementary || self.names_every_value(&conditions, process)
    }

    /// `x == A`, `x == B` ... for all values of x.
    fn names_every_value(&self, conditions: &[&Expr], process: &Proctype) -> bool {
        let equalities: Vec<(&VarRef, Constant)> = conditions
            .iter()
            .filter_map(|condition| match &condition.kind {
                ExprKind::Binary(BinaryOp::Plain(PlainOp::Equal), left, right) => {
                    match &left.kind {
                        ExprKind::Name(var) => Some((var, self.known.constant(right)?)),
                        _ => None,
                    }
                }
                _ => None,
            })
            .collect();
        let Some((var, _)) = equalities.first() else { return false };
        let text = |var: &VarRef| Expr { kind: ExprKind::Name(var.clone()), span: var.span };
        let values: HashSet<Constant> = equalities
            .iter()
            .filter(|(other, _)| super::exclusive::same(&text(var), &text(other)))
            .map(|(_, value)| value.clone())
            .collect();
        self.known.is_every_value(var, &values, process)
    }
}

/// Does the program do nothing for it?
fn is_nothing(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Expr(expr) => matches!(expr.kind, ExprKind::Number(1)),
        StmtKind::Empty | StmtKind::Decl(_) | StmtKind::ModelOnly(_) => true,
        _ => false,
    }
}

fn disjuncts<'e>(expr: &'e Expr, list: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            disjuncts(a, list);
            disjuncts(b, list);
        }
        _ => list.push(expr),
    }
}

fn place(guard: &Guard<'_>) -> Option<Span> {
    match guard {
        // An `else` waits for all the others.
        Guard::Stmt(Stmt { kind: StmtKind::Else, .. }) | Guard::Unclear => None,
        Guard::Stmt(stmt) => Some(stmt.span),
        Guard::Always(span) => Some(*span),
    }
}

/// The `if` or `do` itself, not all of it.
fn first_word(stmt: &Stmt) -> Span {
    Span { end: stmt.span.end.min(stmt.span.start + 2), ..stmt.span }
}

fn guard(option: &Sequence) -> Guard<'_> {
    let skipped = |stmt: &&Stmt| !matches!(stmt.kind, StmtKind::Decl(_) | StmtKind::ModelOnly(_));
    let Some(stmt) = option.stmts.iter().find(skipped) else { return Guard::Always(option.span) };
    match &stmt.kind {
        StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body)
        | StmtKind::Inline { body, .. } => guard(body),
        StmtKind::Expr(expr) => match &expr.kind {
            ExprKind::Number(0) => Guard::Stmt(stmt),
            ExprKind::Number(_) | ExprKind::Run { .. } => Guard::Always(stmt.span),
            _ if has_code(expr) => Guard::Unclear,
            _ => Guard::Stmt(stmt),
        },
        StmtKind::Code(code) if code.guard.is_some() => Guard::Unclear,
        StmtKind::Code(_)
        | StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Assert(_)
        | StmtKind::Printf { .. }
        | StmtKind::Printm(_)
        | StmtKind::Break
        | StmtKind::Goto(_)
        | StmtKind::Select { .. }
        | StmtKind::For { .. }
        | StmtKind::Empty => Guard::Always(stmt.span),
        StmtKind::If(_) | StmtKind::Do(_) | StmtKind::Unless { .. } => Guard::Unclear,
        _ => Guard::Stmt(stmt),
    }
}

fn has_code(expr: &Expr) -> bool {
    let mut found = false;
    super::uses::expr_in(expr, &mut |expr| found |= matches!(expr.kind, ExprKind::Code(_)));
    found
}
