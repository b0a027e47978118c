//! What a statement has to do with others.

use crate::tree::*;
use auspex_promela::ast::PlainOp;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// Nobody else can notice, and it cannot fail.
    Private,
    /// It depends on others, or changes what they see, or prints, or may fail.
    Shared,
}

pub fn of(spec: &Spec, kind: &Kind) -> Touch {
    let expr = |e: &Expr| expression(spec, e);
    match kind {
        Kind::Skip | Kind::ModelOnly | Kind::Goto(_) | Kind::Break | Kind::Else => Touch::Private,
        Kind::Assign { value: Expr::Run { .. }, .. } => Touch::Shared,
        Kind::Assign { target, value } => target_of(spec, target).max(expr(value)),
        Kind::Increment { target, .. } => target_of(spec, target),
        Kind::Initialise(id) => match &spec.variable(*id).initial {
            Initial::Value(value) => expr(value),
            _ => Touch::Private,
        },
        Kind::Select { var, .. } => target_of(spec, var).max(Touch::Shared),
        Kind::For { var, range, .. } => match range {
            Range::Between(low, _) => target_of(spec, var).max(expr(low)),
            Range::Indices(_) => target_of(spec, var),
            Range::Messages { .. } => Touch::Private,
        },
        Kind::Assert(_) | Kind::Print(_) => Touch::Shared,
        Kind::Condition(Expr::Run { .. }) | Kind::Code(_) => Touch::Shared,
        Kind::Condition(condition) => expr(condition),
        _ => Touch::Shared,
    }
}

fn is_global(spec: &Spec, place: &Place) -> bool {
    let variable = spec.variable(place.var);
    variable.owner.is_none() || variable.model_only
}

pub fn target_of(spec: &Spec, place: &Place) -> Touch {
    match is_global(spec, place) {
        true => Touch::Shared,
        false => indices(spec, place),
    }
}

/// An index may be out of range.
fn indices(spec: &Spec, place: &Place) -> Touch {
    let mut touch = Touch::Private;
    for selector in &place.path {
        if let Selector::Index(index, length) = selector {
            let safe = index.constant().is_some_and(|i| i >= 0 && (i as u32) < *length);
            touch = touch.max(if safe { expression(spec, index) } else { Touch::Shared });
        }
    }
    touch
}

pub fn expression(spec: &Spec, expr: &Expr) -> Touch {
    let mut touch = Touch::Private;
    expr.visit(&mut |inner| {
        let own = match inner {
            Expr::Place(place) if is_global(spec, place) => Touch::Shared,
            Expr::Place(place) => indices(spec, place),
            Expr::Binary(PlainOp::Div | PlainOp::Rem, _, divisor) => match divisor.constant() {
                Some(divisor) if divisor != 0 => Touch::Private,
                _ => Touch::Shared,
            },
            Expr::Len(_)
            | Expr::Test(..)
            | Expr::Poll { .. }
            | Expr::Timeout
            | Expr::Processes
            | Expr::Priority(_)
            | Expr::Code(_) => Touch::Shared,
            Expr::Run { .. } => Touch::Shared,
            _ => Touch::Private,
        };
        touch = touch.max(own);
    });
    touch
}

/// Does a condition ask whether nothing else can move?
pub fn asks_for_timeout(expr: &Expr) -> bool {
    let mut asks = false;
    expr.visit(&mut |inner| asks |= matches!(inner, Expr::Timeout));
    asks
}

/// Is there anything in it that can be a handshake in the middle of a run of statements?
pub fn sends(block: &Block) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        Kind::Send { .. } => true,
        kind => kind.blocks().into_iter().any(sends),
    })
}

/// Does a process have another priority than others, at any time?
pub fn has_priorities(spec: &Spec) -> bool {
    fn in_block(block: &Block) -> bool {
        block.iter().any(|stmt| {
            let mut found = matches!(stmt.kind, Kind::SetPriority(..));
            stmt.kind.visit(&mut |expr| {
                found |= matches!(expr, Expr::Run { priority: 2.., .. });
            });
            found || stmt.kind.blocks().into_iter().any(in_block)
        })
    }
    spec.processes.iter().any(|process| process.priority != 1 || in_block(&process.body))
}
