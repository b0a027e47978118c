//! What can be compiled.

use crate::frame::MOST_CHANGES;
use auspex_process::Model;
use auspex_process::ir::*;

/// Code for one of many kinds of channels tries them one after the other.
const MOST_TYPES: usize = 8;
/// A `d_step` chooses among choices no deeper than this.
const DEEPEST_CHOICE: usize = 16;

/// Can code say when this statement is executable?
pub fn has_guard(model: &Model, action: &Action) -> bool {
    match action {
        Action::Guard(expr) => is_expr(model, expr),
        Action::Send(send) => is_channel(model, &send.channel),
        Action::Receive(receive) => is_receive(model, receive),
        Action::DStep(body) => can_start(model, body, 0, DEEPEST_CHOICE),
        _ => true,
    }
}

/// Can its effect be compiled?
pub fn has_effect(model: &Model, action: &Action) -> bool {
    match action {
        Action::Skip | Action::Guard(_) | Action::Else => true,
        Action::Assign(place, expr) => is_place(model, place) && is_expr(model, expr),
        Action::Assert(expr) => is_expr(model, expr),
        Action::Print(print) => {
            print.parts.iter().filter_map(PrintPart::argument).all(|expr| is_expr(model, expr))
        }
        Action::Send(send) => {
            !send.sorted
                && model.trace.is_none()
                && is_channel(model, &send.channel)
                && send.values.iter().all(|value| is_expr(model, value))
        }
        Action::Receive(receive) => model.trace.is_none() && is_receive(model, receive),
        Action::DStep(body) => body.nodes.iter().all(|node| match node {
            DNode::Exit => true,
            DNode::Do { action: Action::DStep(_), .. } => false,
            DNode::Do { action, .. } => has_guard(model, action) && has_effect(model, action),
            DNode::Choose { options, .. } => {
                options.iter().all(|option| can_start(model, body, *option, DEEPEST_CHOICE))
            }
        }),
        Action::Run(_) | Action::SetPriority(_) | Action::End => false,
    }
}

/// Can rendezvous be compiled? The interpreter asks the receiver when the sender has moved, which `_last` would tell.
pub fn has_meetings(model: &Model) -> bool {
    model.channel_types.iter().any(ChannelType::is_rendezvous)
        && !model.remembers_last
        && model.trace.is_none()
        && model.hidden.size == 0
}

/// Can code take a message that is offered for this receive? It is the only one, so `anywhere` makes no difference.
pub fn can_take_offer(model: &Model, receive: &Receive) -> bool {
    has_short_message(receive)
        && is_expr(model, &receive.channel)
        && receive.fields.iter().all(|pattern| is_pattern(model, pattern))
}

/// May the effect turn out to be none for compiled code when it has begun? (An index out of range.)
pub fn declines_late(action: &Action) -> bool {
    match action {
        Action::Receive(receive) => {
            let has_index = |pattern: &Pattern| matches!(pattern, Pattern::Store(place) if !place.indices.is_empty());
            receive.fields.iter().any(has_index)
        }
        Action::DStep(_) => true,
        _ => false,
    }
}

fn can_start(model: &Model, body: &DStep, node: u32, depth: usize) -> bool {
    match &body.nodes[node as usize] {
        DNode::Exit => true,
        DNode::Do { action: Action::DStep(_), .. } => false,
        DNode::Do { action, .. } => has_guard(model, action),
        DNode::Choose { options, .. } => {
            depth > 0 && options.iter().all(|option| can_start(model, body, *option, depth - 1))
        }
    }
}

fn is_channel(model: &Model, channel: &Expr) -> bool {
    model.channel_types.len() <= MOST_TYPES && is_expr(model, channel)
}

fn is_receive(model: &Model, receive: &Receive) -> bool {
    !receive.anywhere
        && has_short_message(receive)
        && is_channel(model, &receive.channel)
        && receive.fields.iter().all(|pattern| is_pattern(model, pattern))
}

/// Each field that is stored is a change, and the channel, or where the sender stands, is one more.
fn has_short_message(receive: &Receive) -> bool {
    receive.fields.len() < MOST_CHANGES - 1
}

fn is_pattern(model: &Model, pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Store(place) => is_place(model, place),
        Pattern::Match(expr) => is_expr(model, expr),
    }
}

fn is_place(model: &Model, place: &Place) -> bool {
    place.indices.iter().all(|index| is_expr(model, &index.expr))
}

fn is_expr(model: &Model, expr: &Expr) -> bool {
    match expr {
        Expr::Const(_)
        | Expr::Global(..)
        | Expr::Local(..)
        | Expr::Pid
        | Expr::Processes
        | Expr::Last
        | Expr::Timeout
        | Expr::Stopped => true,
        Expr::Load(place) => is_place(model, place),
        Expr::Unary(_, operand) => is_expr(model, operand),
        Expr::Binary(_, operands) | Expr::And(operands) | Expr::Or(operands) => {
            is_expr(model, &operands.0) && is_expr(model, &operands.1)
        }
        Expr::If(parts) => [&parts.0, &parts.1, &parts.2].iter().all(|part| is_expr(model, part)),
        Expr::Length(channel) | Expr::Test(_, channel) => is_channel(model, channel),
        Expr::Poll(receive) => is_receive(model, receive),
        Expr::Enabled(_)
        | Expr::Position(_)
        | Expr::Priority(_)
        | Expr::At { .. }
        | Expr::Remote { .. }
        | Expr::Marked(_) => false,
    }
}

/// Can a proposition be compiled? It is evaluated as nobody: there are no locals.
pub fn is_proposition(model: &Model, expr: &Expr) -> bool {
    is_expr(model, expr) && !has_locals(expr)
}

fn has_locals(expr: &Expr) -> bool {
    match expr {
        Expr::Local(..) | Expr::Pid | Expr::Poll(_) => true,
        Expr::Load(place) => {
            place.space == Space::Local || place.indices.iter().any(|index| has_locals(&index.expr))
        }
        Expr::Unary(_, operand) => has_locals(operand),
        Expr::Binary(_, operands) | Expr::And(operands) | Expr::Or(operands) => {
            has_locals(&operands.0) || has_locals(&operands.1)
        }
        Expr::If(parts) => [&parts.0, &parts.1, &parts.2].iter().any(|part| has_locals(part)),
        Expr::Length(channel) | Expr::Test(_, channel) => has_locals(channel),
        _ => false,
    }
}
