//! What is known of a process type from its text alone.

use super::access::{self, Access, Obstacle};
use super::analysis::{Inner, Summary};
use crate::ir::*;
use std::ops::Range;

pub struct ProctypeInfo<'m> {
    /// Which bytes of the locals are written after the start.
    pub written: Vec<bool>,
    pub owns_channels: bool,
    /// What a process does as it begins.
    pub beginning: Vec<Access>,
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
    /// What else others must mind: whether these channels can be used decides what happens.
    pub asked: Vec<Access>,
    /// When a guard is false, why.
    pub guard: Option<Cause<'m>>,
    /// What may follow in the same step: a `d_step`, the rest of an `atomic`.
    pub inner: Option<Inner>,
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
    fn of(expr: &'m Expr) -> Result<Cause<'m>, Obstacle> {
        let accesses = access::of_expr(expr)?;
        let parts = match expr {
            Expr::And(operands) | Expr::Or(operands) => Some(Box::new(Parts {
                both: matches!(expr, Expr::And(_)),
                left: Cause::of(&operands.0)?,
                left_is_sound: is_sound(&operands.0),
                right: Cause::of(&operands.1)?,
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

/// To a channel operation it makes no difference that it has to wait. But it does where something
/// else is done meanwhile (`else`, the body of an `unless`), or where waiting ends an atomic run so
/// that others see the middle of it.
pub fn note_asked(proctype: &Proctype, info: &mut ProctypeInfo<'_>) {
    let mut in_the_middle = vec![false; proctype.locations.len()];
    for transition in proctype.transitions.iter().filter(|t| t.atomic) {
        in_the_middle[transition.target.0 as usize] = true;
    }
    for (at, location) in proctype.locations.iter().enumerate() {
        let transitions = &proctype.transitions[location.first as usize..location.end as usize];
        let has_rank = |t: &Transition| t.escape != 0 || matches!(t.action, Action::Else);
        let asks = proctype.deterministic || in_the_middle[at] || transitions.iter().any(has_rank);
        for (transition, info) in transitions.iter().zip(&mut info.locations[at].transitions) {
            info.asked = access::asked(&transition.action, asks);
        }
    }
}

/// Whether a rendezvous send can run depends on where the receivers stand. Where somebody asks
/// that, coming to a place where one can receive matters.
pub fn note_offers(model: &Model, proctypes: &mut [ProctypeInfo<'_>]) {
    let mut all = proctypes.iter().flat_map(|info| &info.locations).flat_map(|l| &l.transitions);
    let somebody_asks = all.any(|transition| !transition.asked.is_empty());
    if !model.channel_types.iter().any(ChannelType::is_rendezvous) || !somebody_asks {
        return;
    }
    let offers_at = |proctype: &Proctype, location: LocId| {
        let there = proctype.transitions_of(location).iter();
        there.flat_map(|next| access::offers(&next.action)).collect::<Vec<_>>()
    };
    for (proctype, info) in model.proctypes.iter().zip(proctypes) {
        info.beginning.extend(offers_at(proctype, proctype.start));
        for (location, info) in proctype.locations.iter().zip(&mut info.locations) {
            let transitions = &proctype.transitions[location.first as usize..location.end as usize];
            for (transition, info) in transitions.iter().zip(&mut info.transitions) {
                info.first.extend(offers_at(proctype, transition.target));
            }
        }
    }
}

fn mark(bytes: &mut [bool], range: Range<u32>) {
    let end = (range.end as usize).min(bytes.len());
    bytes[(range.start as usize).min(end)..end].fill(true);
}

pub fn any(bytes: &[bool], range: Range<u32>) -> bool {
    bytes.get(range.start as usize..range.end as usize).is_none_or(|bytes| bytes.contains(&true))
}

impl<'m> ProctypeInfo<'m> {
    /// Without the summaries. Marks the bytes of the globals that are written.
    pub fn new(proctype: &'m Proctype, globals: &mut [bool]) -> Result<Self, Obstacle> {
        let mut written = vec![false; proctype.locals.size as usize];
        let mut note = |place: &Place| match place.space {
            Space::Global => mark(globals, place.extent()),
            Space::Local => mark(&mut written, place.extent()),
            Space::Hidden | Space::Nowhere => {}
        };
        proctype.transitions.iter().for_each(|t| written_places(&t.action, &mut note));
        let mut locations = Vec::new();
        for location in &proctype.locations {
            let mut transitions = Vec::new();
            let range = location.first as usize..location.end as usize;
            for transition in &proctype.transitions[range] {
                let guard = match &transition.action {
                    Action::Guard(expr) => Some(Cause::of(expr)?),
                    _ => None,
                };
                let first = access::of_action(&transition.action)?;
                transitions.push(TransitionInfo { first, asked: Vec::new(), guard, inner: None });
            }
            let future = Summary::default();
            let (is_private, closes_loop) = (false, false);
            locations.push(LocationInfo { future, transitions, is_private, closes_loop });
        }
        let fixed_locals = ranges(&written);
        let owns_channels = !proctype.locals.channels.is_empty();
        let varying = Vec::new();
        let beginning = access::of_beginning(proctype)?;
        Ok(ProctypeInfo { written, owns_channels, beginning, locations, varying, fixed_locals })
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
