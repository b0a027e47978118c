//! What programs that share nothing cannot do: send, receive, and know of each other.
//!
//! Of all of that there was a warning. A statement that needs it can never run: the program says so and stays there, as a process
//! would that waits for a message which nobody sends.

use crate::tree::*;

/// The same specification with what only the model can do taken out.
pub fn alone(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    for variable in &mut spec.variables {
        let is_known = match &variable.initial {
            Initial::Zero => true,
            Initial::Value(value) => is_known(value),
            Initial::List(values) => values.iter().all(is_known),
            Initial::Channel(_) => false,
        };
        if !is_known {
            variable.initial = Initial::Zero;
        }
    }
    for process in &mut spec.processes {
        process.provided = None;
        block(&mut process.body);
    }
    spec
}

fn block(statements: &mut Block) {
    for stmt in statements {
        if can_run(&stmt.kind) {
            stmt.kind.blocks_mut().into_iter().for_each(block);
        } else {
            stmt.kind = Kind::Condition(Expr::Number(0));
        }
    }
}

fn can_run(kind: &Kind) -> bool {
    let is_for_channels = matches!(
        kind,
        Kind::Send { .. } | Kind::Receive { .. } | Kind::For { range: Range::Messages { .. }, .. }
    );
    let mut all_known = true;
    kind.visit(&mut |expr| all_known &= !is_of_the_model(expr));
    all_known && !is_for_channels
}

fn is_known(expr: &Expr) -> bool {
    let mut all_known = true;
    expr.visit(&mut |inner| all_known &= !is_of_the_model(inner));
    all_known
}

fn is_of_the_model(expr: &Expr) -> bool {
    use Expr::{Len, Poll, Processes, Test, Timeout};
    matches!(expr, Len(_) | Test(..) | Poll { .. } | Timeout | Processes)
}
