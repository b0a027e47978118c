//! A state of the kernel as bytes: the variables of modules, each activation record, each channel record.

use super::{Channel, Frame, Kernel, Offer, Process, Queues, Status, Target, TargetKind, Timing};
use crate::types::Scalar;

/// A state to go back to.
#[derive(Clone, Default)]
pub struct Snapshot {
    globals: Vec<u8>,
    processes: Vec<Option<Box<Process>>>,
    channels: Vec<Option<Channel>>,
    property: Option<Box<Process>>,
    accepting: bool,
}

/// Something that is written as one or more parts.
#[derive(Clone, Copy)]
enum Piece {
    /// How many there are of everything, and the variables of modules.
    Head,
    Process(usize),
    Property,
    Channel(usize),
}

/// Of a process: one for each activation record.
fn parts_of(process: &Option<Box<Process>>) -> usize {
    process.as_ref().map_or(1, |process| process.frames.len())
}

/// Scalars as bytes.
const SCALARS: [Scalar; 12] = [
    Scalar::Int8,
    Scalar::Int16,
    Scalar::Int32,
    Scalar::Int64,
    Scalar::Uint8,
    Scalar::Uint16,
    Scalar::Uint32,
    Scalar::Boolean,
    Scalar::Char,
    Scalar::Set,
    Scalar::Port,
    Scalar::Reference,
];
const BYTES: u8 = 100;
const MATCH: u8 = 101;

const STATUS: [Status; 4] =
    [Status::Ready, Status::Communicating, Status::Selecting, Status::Waiting];

/// Bytes that are being written, and where parts of them end.
struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
    cuts: &'a mut Vec<u32>,
}

impl Writer<'_> {
    fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn cut(&mut self) {
        self.cuts.push(self.bytes.len() as u32);
    }
}

/// Bytes that are being read; zeros behind their end.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    fn u8(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    fn u16(&mut self) -> u16 {
        self.take(2).try_into().map_or(0, u16::from_le_bytes)
    }

    fn u32(&mut self) -> u32 {
        self.take(4).try_into().map_or(0, u32::from_le_bytes)
    }

    fn i64(&mut self) -> i64 {
        self.take(8).try_into().map_or(0, i64::from_le_bytes)
    }
}

impl Kernel<'_> {
    /// Writes the state.
    pub fn encode(&self, bytes: &mut Vec<u8>, cuts: &mut Vec<u32>) {
        bytes.clear();
        cuts.clear();
        for piece in self.pieces() {
            if !bytes.is_empty() {
                cuts.push(bytes.len() as u32);
            }
            self.encode_piece(piece, bytes, cuts);
        }
    }

    /// What the state consists of, in order.
    fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        let processes = (0..self.processes.len()).map(Piece::Process);
        let property = self.property.iter().map(|_| Piece::Property).collect::<Vec<_>>();
        let channels = (0..self.channels.len()).map(Piece::Channel);
        std::iter::once(Piece::Head).chain(processes).chain(property).chain(channels)
    }

    /// Appends a piece of the state, and where it falls into parts.
    fn encode_piece(&self, piece: Piece, bytes: &mut Vec<u8>, cuts: &mut Vec<u32>) {
        let mut out = Writer { bytes, cuts };
        match piece {
            Piece::Head => {
                out.u16(self.processes.len() as u16);
                out.u16(self.channels.len() as u16);
                out.u8(u8::from(self.accepting));
                out.bytes.extend_from_slice(&self.globals);
            }
            Piece::Process(index) => {
                self.encode_process(self.processes[index].as_deref(), &mut out)
            }
            Piece::Property => self.encode_process(self.property.as_deref(), &mut out),
            Piece::Channel(index) => encode_channel(self.channels[index].as_ref(), &mut out),
        }
    }

    /// How many parts the state consists of.
    pub fn count_parts(&self) -> usize {
        let processes = self.processes.iter().map(parts_of).sum::<usize>();
        1 + processes + self.property.as_ref().map_or(0, |p| p.frames.len()) + self.channels.len()
    }

    /// The numbers of the parts of the state after an action. Those of what the action did not touch are as they
    /// were before it; `number` finds the others, and may fail.
    pub fn number_parts(
        &self,
        before: (&Snapshot, &[u32]),
        bytes: &mut Vec<u8>,
        cuts: &mut Vec<u32>,
        numbers: &mut Vec<u32>,
        number: &mut dyn FnMut(&[u8]) -> Option<u32>,
    ) -> Option<()> {
        let (base, known) = before;
        numbers.clear();
        let same_head = !self.globals_touched
            && self.processes.len() == base.processes.len()
            && self.channels.len() == base.channels.len()
            && self.accepting == base.accepting;
        // Where the parts of the piece at hand are among those that are known.
        let mut at = 0;
        let channels_at = 1
            + base.processes.iter().map(parts_of).sum::<usize>()
            + base.property.as_ref().map_or(0, |property| property.frames.len());
        for piece in self.pieces() {
            let kept = match piece {
                Piece::Head => same_head.then_some(0..1),
                Piece::Process(index) => {
                    let count = base.processes.get(index).map_or(0, parts_of);
                    let range = at..at + count;
                    (count > 0 && !self.touched.contains(&(index as u16))).then_some(range)
                }
                Piece::Property => None,
                Piece::Channel(index) => {
                    let is_old = index < base.channels.len();
                    let range = channels_at + index..channels_at + index + 1;
                    (is_old && !self.channels_touched.contains(&(index as u16))).then_some(range)
                }
            };
            at += match piece {
                Piece::Head => 1,
                Piece::Process(index) => base.processes.get(index).map_or(0, parts_of),
                _ => 0,
            };
            if let Some(kept) = kept.and_then(|range| known.get(range)) {
                numbers.extend_from_slice(kept);
                continue;
            }
            bytes.clear();
            cuts.clear();
            self.encode_piece(piece, bytes, cuts);
            let mut start = 0;
            for end in cuts.iter().map(|cut| *cut as usize).chain([bytes.len()]) {
                numbers.push(number(&bytes[start..end])?);
                start = end;
            }
        }
        Some(())
    }

    fn encode_process(&self, process: Option<&Process>, out: &mut Writer<'_>) {
        let Some(process) = process else { return out.u8(0) };
        let status = STATUS.iter().position(|status| *status == process.status).unwrap_or(0);
        out.u8(status as u8 + 1);
        out.u16(process.code as u16);
        out.u32(process.pc);
        out.u16(process.parent);
        out.u16(process.children);
        out.u16(process.frames.len() as u16);
        out.u16(process.offers.len() as u16);
        out.u8(u8::from(process.again.is_some()));
        if let Some(parameters) = &process.again {
            out.bytes.extend_from_slice(parameters);
        }
        process.offers.iter().for_each(|offer| encode_offer(offer, out));
        let mut frames = process.frames.iter().peekable();
        while let Some(frame) = frames.next() {
            out.u16(frame.process as u16);
            out.u32(frame.return_to);
            let start = frame.base as usize;
            let end = frames.peek().map_or(process.bytes.len(), |next| next.base as usize);
            out.bytes.extend_from_slice(process.bytes.get(start..end).unwrap_or(&[]));
            if frames.peek().is_some() {
                out.cut();
            }
        }
    }

    /// Becomes the state that was written.
    pub fn decode(&mut self, bytes: &[u8], has_property: bool) {
        let mut input = Reader { bytes };
        let processes = input.u16() as usize;
        let channels = input.u16() as usize;
        self.accepting = input.u8() != 0;
        self.globals.clear();
        self.globals.extend_from_slice(input.take(self.object.globals.size as usize));
        self.processes.clear();
        for _ in 0..processes {
            let process = self.decode_process(&mut input);
            self.processes.push(process);
        }
        self.property = if has_property { self.decode_process(&mut input) } else { None };
        self.channels.clear();
        for _ in 0..channels {
            let channel = self.decode_channel(&mut input);
            self.channels.push(channel);
        }
        self.woken.clear();
        self.garbage = false;
    }

    fn frame_bytes(&self, process: u32) -> usize {
        self.object.processes.get(process as usize).map_or(0, |code| code.size as usize)
    }

    fn decode_process(&self, input: &mut Reader<'_>) -> Option<Box<Process>> {
        let status = *STATUS.get(input.u8().checked_sub(1)? as usize)?;
        let code = input.u16().into();
        let pc = input.u32();
        let (parent, children) = (input.u16(), input.u16());
        let frame_count = input.u16();
        let offer_count = input.u16();
        let is_periodic = input.u8() != 0;
        let again = is_periodic.then(|| input.take(self.frame_bytes(code)).to_vec());
        let offers = (0..offer_count).map(|_| decode_offer(input)).collect();
        let mut frames = Vec::with_capacity(frame_count as usize);
        let mut bytes = Vec::new();
        for _ in 0..frame_count {
            let process = input.u16().into();
            let return_to = input.u32();
            let base = bytes.len() as u32;
            bytes.extend_from_slice(input.take(self.frame_bytes(process)));
            frames.push(Frame { process, return_to, base });
        }
        let timing = Timing::default();
        Some(Box::new(Process {
            code,
            status,
            pc,
            frames,
            bytes,
            parent,
            children,
            offers,
            again,
            timing,
        }))
    }

    fn decode_channel(&self, input: &mut Reader<'_>) -> Option<Channel> {
        let kind = input.u16().checked_sub(1)?;
        let count = self.object.channels.get(kind as usize).map_or(0, |c| c.messages.len());
        let mut messages = vec![Queues::default(); count];
        let has_queues = input.u8() != 0;
        for queues in messages.iter_mut().filter(|_| has_queues) {
            for queue in [&mut queues.senders, &mut queues.receivers, &mut queues.selecting] {
                let length = input.u16();
                queue.extend((0..length).map(|_| input.u16()));
            }
        }
        Some(Channel { kind, messages })
    }

    /// A copy of the state, to go back to.
    pub fn save(&self, into: &mut Snapshot) {
        into.globals.clone_from(&self.globals);
        into.processes.clone_from(&self.processes);
        into.channels.clone_from(&self.channels);
        into.property.clone_from(&self.property);
        into.accepting = self.accepting;
    }

    /// Goes back to a state after one action: only what the action has touched is put back.
    pub fn undo(&mut self, to: &Snapshot) {
        if self.globals_touched {
            self.globals.clone_from(&to.globals);
        }
        self.processes.resize(to.processes.len(), None);
        self.touched.sort_unstable();
        self.touched.dedup();
        for id in std::mem::take(&mut self.touched) {
            if let Some(before) = to.processes.get(id as usize) {
                self.processes[id as usize].clone_from(before);
            }
        }
        self.channels.resize(to.channels.len(), None);
        for index in std::mem::take(&mut self.channels_touched) {
            if let Some(before) = to.channels.get(index as usize) {
                self.channels[index as usize].clone_from(before);
            }
        }
        self.property.clone_from(&to.property);
        self.accepting = to.accepting;
        self.globals_touched = false;
        self.garbage = false;
        self.woken.clear();
        self.restarted.clear();
        self.prepared = None;
        self.width = 0;
    }
}

fn encode_offer(offer: &Offer, out: &mut Writer<'_>) {
    out.u32(offer.site);
    out.u16(offer.channel);
    out.u32(offer.data.len() as u32);
    out.bytes.extend_from_slice(&offer.data);
    out.u16(offer.targets.len() as u16);
    for target in &offer.targets {
        match target.kind {
            TargetKind::Scalar(scalar) => {
                let number = SCALARS.iter().position(|other| *other == scalar).unwrap_or(0);
                out.u8(number as u8);
            }
            TargetKind::Match => out.u8(MATCH),
            TargetKind::Bytes(count) => {
                out.u8(BYTES);
                out.u32(count);
            }
        }
        out.bytes.extend_from_slice(&target.value.to_le_bytes());
    }
}

fn decode_offer(input: &mut Reader<'_>) -> Offer {
    let (site, channel) = (input.u32(), input.u16());
    let length = input.u32() as usize;
    let data = input.take(length).into();
    let count = input.u16();
    let target = |input: &mut Reader<'_>| {
        let kind = match input.u8() {
            MATCH => TargetKind::Match,
            BYTES => TargetKind::Bytes(input.u32()),
            number => {
                TargetKind::Scalar(SCALARS.get(number as usize).copied().unwrap_or(Scalar::Int64))
            }
        };
        Target { kind, value: input.i64() }
    };
    let targets = (0..count).map(|_| target(input)).collect();
    Offer { site, channel, data, targets }
}

fn encode_channel(channel: Option<&Channel>, out: &mut Writer<'_>) {
    let Some(channel) = channel else { return out.u16(0) };
    out.u16(channel.kind + 1);
    let empty = channel.messages.iter().all(|queues| *queues == Queues::default());
    out.u8(u8::from(!empty));
    if empty {
        return;
    }
    for queues in &channel.messages {
        for queue in [&queues.senders, &queues.receivers, &queues.selecting] {
            out.u16(queue.len() as u16);
            queue.iter().for_each(|id| out.u16(*id));
        }
    }
}
