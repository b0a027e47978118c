//! What is known of a process type from its text alone.

use super::access::{self, Access, Obstacle};
use super::analysis::{Inner, Summary};
use super::control::inside_atomic;
use crate::ir::*;
use std::ops::Range;

pub struct ProctypeInfo<'m> {
    /// Which bytes of the locals are written after the start.
    pub written: Vec<bool>,
    pub owns_channels: bool,
    pub locations: Vec<LocationInfo<'m>>,
    /// What depends on the process: on its id and on locals that are never written.
    pub varying: Vec<Access>,
    /// The bytes of such locals.
    pub fixed_locals: Vec<Range<u32>>,
}

pub struct LocationInfo<'m> {
    /// All that a process may do from here on.
    pub future: Summary,
    pub transitions: Vec<TransitionInfo<'m>>,
    /// Nothing that can be done here touches anything shared.
    pub is_private: bool,
    /// Some transition from here closes a loop of the control graph.
    pub closes_loop: bool,
}

pub struct TransitionInfo<'m> {
    /// What the statement itself does.
    pub first: Vec<Access>,
    /// When a guard is false, why.
    pub guard: Option<Cause<'m>>,
    /// What may follow in the same step: a `d_step`, the rest of an `atomic`.
    pub inner: Option<Inner>,
}

impl<'m> ProctypeInfo<'m> {
    /// Without the summaries. Marks the bytes of the globals that are written.
    pub fn new(
        model: &'m Model,
        proctype: &'m Proctype,
        globals: &mut [bool],
    ) -> Result<Self, Obstacle> {
        let mut written = vec![false; proctype.locals.size as usize];
        let mut note = |place: &Place| match place.space {
            Space::Global => mark(globals, extent(place)),
            Space::Local => mark(&mut written, extent(place)),
            Space::Hidden | Space::Nowhere => {}
        };
        proctype.transitions.iter().for_each(|t| written_places(&t.action, &mut note));
        let mut locations = Vec::new();
        for location in &proctype.locations {
            let mut transitions = Vec::new();
            let range = location.first as usize..location.end as usize;
            for transition in &proctype.transitions[range] {
                let guard = match &transition.action {
                    Action::Guard(expr) => Some(Cause::of(model, expr)?),
                    _ => None,
                };
                let first = access::of_action(model, &transition.action)?;
                transitions.push(TransitionInfo { first, guard, inner: None });
            }
            let future = Summary::default();
            let (is_private, closes_loop) = (false, false);
            locations.push(LocationInfo { future, transitions, is_private, closes_loop });
        }
        let fixed_locals = ranges(&written);
        let owns_channels = !proctype.locals.channels.is_empty();
        let varying = Vec::new();
        Ok(ProctypeInfo { written, owns_channels, locations, varying, fixed_locals })
    }
}

/// The ranges of what is not marked.
fn ranges(marked: &[bool]) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for at in (0..marked.len()).filter(|at| !marked[*at]).map(|at| at as u32) {
        match ranges.last_mut() {
            Some(range) if range.end == at => range.end += 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

fn written_places(action: &Action, note: &mut impl FnMut(&Place)) {
    match action {
        Action::Assign(place, _) => note(place),
        Action::Receive(receive) => {
            for field in &receive.fields {
                if let Pattern::Store(place) = field {
                    note(place);
                }
            }
        }
        Action::Run(run) => run.result.iter().for_each(note),
        Action::DStep(body) => {
            for node in &body.nodes {
                if let DNode::Do { action, .. } = node {
                    written_places(action, note);
                }
            }
        }
        _ => {}
    }
}

/// The parts of a guard, so that it can be said why it is false.
pub struct Cause<'m> {
    pub expr: &'m Expr,
    pub accesses: Vec<Access>,
    pub parts: Option<Box<Parts<'m>>>,
}

pub struct Parts<'m> {
    pub both: bool,
    pub left: Cause<'m>,
    /// Evaluating the left part never goes wrong.
    pub left_is_sound: bool,
    pub right: Cause<'m>,
}

impl<'m> Cause<'m> {
    fn of(model: &'m Model, expr: &'m Expr) -> Result<Cause<'m>, Obstacle> {
        let accesses = access::of_expr(model, expr)?;
        let parts = match expr {
            Expr::And(operands) | Expr::Or(operands) => Some(Box::new(Parts {
                both: matches!(expr, Expr::And(_)),
                left: Cause::of(model, &operands.0)?,
                left_is_sound: is_sound(&operands.0),
                right: Cause::of(model, &operands.1)?,
            })),
            _ => None,
        };
        Ok(Cause { expr, accesses, parts })
    }
}

/// Can evaluating this never go wrong?
fn is_sound(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Global(..) | Expr::Local(..) | Expr::Pid | Expr::Timeout => true,
        Expr::Unary(_, operand) => is_sound(operand),
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _) => false,
        Expr::Binary(_, operands) | Expr::And(operands) | Expr::Or(operands) => {
            is_sound(&operands.0) && is_sound(&operands.1)
        }
        _ => false,
    }
}

/// A send that waits for room, or a receive that waits for a message, does not mind when it comes.
/// But where something else is done if it cannot run (an `else`, what an `unless` escapes from, the
/// others getting in between the halves of an `atomic`), what makes it run matters: it *looks* at
/// the channel. With a rendezvous, coming to a place where one can receive does so, too.
pub fn note_looks(model: &Model, proctypes: &mut [ProctypeInfo<'_>]) {
    let has_rendezvous = model.channel_types.iter().any(ChannelType::is_rendezvous);
    let mut somebody_looks = false;
    for (proctype, info) in model.proctypes.iter().zip(&mut *proctypes) {
        let inside = inside_atomic(proctype);
        for (at, info) in info.locations.iter_mut().enumerate() {
            let transitions = proctype.transitions_of(LocId(at as u16));
            let has_rank = |t: &Transition| t.escape != 0 || matches!(t.action, Action::Else);
            let looks = proctype.deterministic || inside[at] || transitions.iter().any(has_rank);
            for (transition, info) in transitions.iter().zip(&mut info.transitions) {
                if !looks && !matches!(transition.action, Action::DStep(_)) {
                    continue;
                }
                let channel = |access: &Access| match access {
                    Access::Send { channel, .. } | Access::Take { channel, .. } => {
                        Some(Access::Look(channel.clone()))
                    }
                    _ => None,
                };
                let more: Vec<Access> = info.first.iter().filter_map(channel).collect();
                somebody_looks |= !more.is_empty();
                info.first.extend(more);
            }
        }
    }
    if !has_rendezvous || !somebody_looks {
        return;
    }
    for (proctype, info) in model.proctypes.iter().zip(proctypes) {
        for (at, info) in info.locations.iter_mut().enumerate() {
            let transitions = proctype.transitions_of(LocId(at as u16));
            for (transition, info) in transitions.iter().zip(&mut info.transitions) {
                let there = proctype.transitions_of(transition.target);
                info.first.extend(there.iter().flat_map(|next| access::offers(&next.action)));
            }
        }
    }
}

/// The bytes in which an element of a place can lie.
pub fn extent(place: &Place) -> Range<u32> {
    let last: u32 = place.indices.iter().map(|i| i.length.saturating_sub(1) * i.stride).sum();
    place.offset..place.offset + last + place.ty.size() as u32
}

fn mark(bytes: &mut [bool], range: Range<u32>) {
    let end = (range.end as usize).min(bytes.len());
    bytes[(range.start as usize).min(end)..end].fill(true);
}

pub fn any(bytes: &[bool], range: Range<u32>) -> bool {
    bytes.get(range.start as usize..range.end as usize).is_none_or(|bytes| bytes.contains(&true))
}
