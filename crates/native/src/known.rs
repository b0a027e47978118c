//! Which channels an expression can name, as far as that is known when it is compiled: most are globals that nothing is
//! ever assigned to. It saves code for the other types, and for rendezvous on channels that are none.

use crate::support;
use auspex_process::Model;
use auspex_process::ir::*;
use std::ops::Range;

pub struct Channels<'m> {
    model: &'m Model,
    has_meetings: bool,
    /// The globals that hold a channel from the start, and its type.
    created: Vec<(Range<u32>, ChannelTypeId)>,
    /// The globals that something is assigned to.
    written: Vec<Range<u32>>,
}

impl<'m> Channels<'m> {
    pub fn new(model: &'m Model) -> Self {
        let has_meetings = support::has_meetings(model);
        let mut channels = Channels { model, has_meetings, created: vec![], written: vec![] };
        let frames = model.proctypes.iter().map(|proctype| &proctype.locals);
        for frame in frames.chain([&model.globals, &model.hidden]) {
            for init in &frame.init {
                match init {
                    Init::Assign(place, _) => channels.write(place),
                    Init::Channel(place, ty) => {
                        channels.created.extend(range(place).map(|range| (range, *ty)));
                    }
                }
            }
        }
        for proctype in &model.proctypes {
            proctype.parameters.iter().for_each(|place| channels.write(place));
            proctype.transitions.iter().for_each(|t| channels.look_at(&t.action));
        }
        channels
    }

    fn look_at(&mut self, action: &Action) {
        match action {
            Action::Assign(place, _) => self.write(place),
            Action::Receive(receive) => {
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern {
                        self.write(place);
                    }
                }
            }
            Action::Run(run) => run.result.iter().for_each(|place| self.write(place)),
            Action::DStep(body) => {
                for node in &body.nodes {
                    if let DNode::Do { action, .. } = node {
                        self.look_at(action);
                    }
                }
            }
            Action::Skip
            | Action::Guard(_)
            | Action::Else
            | Action::Assert(_)
            | Action::Send(_)
            | Action::Print(_)
            | Action::SetPriority(_)
            | Action::End => {}
        }
    }

    fn write(&mut self, place: &Place) {
        self.written.extend(range(place));
    }

    /// Can the channel that an expression names be of this type?
    pub fn may_be(&self, channel: &Expr, ty: ChannelTypeId) -> bool {
        let range = match channel {
            Expr::Global(ty, offset) => *offset..offset + ty.size() as u32,
            Expr::Load(place) => match range(place) {
                Some(range) => range,
                None => return true,
            },
            _ => return true,
        };
        let overlaps = |other: &Range<u32>| range.start < other.end && other.start < range.end;
        self.written.iter().any(overlaps)
            || self.created.iter().any(|(other, its)| *its == ty && overlaps(other))
    }

    /// Can there be a rendezvous on it that compiled code has to do with?
    pub fn may_meet(&self, channel: &Expr) -> bool {
        let is_one = |(number, ty): (usize, &ChannelType)| {
            ty.is_rendezvous() && self.may_be(channel, ChannelTypeId(number as u16))
        };
        self.has_meetings && self.model.channel_types.iter().enumerate().any(is_one)
    }
}

/// The bytes of the globals that a place may be.
fn range(place: &Place) -> Option<Range<u32>> {
    (place.space == Space::Global).then(|| place.extent())
}
