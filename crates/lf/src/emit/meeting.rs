//! Code of what processes do with each other: calls, creation, messages, devices.

use super::Emitter;
use crate::ast::Direction;
use crate::code::{ClauseCode, NONE, Op, Pc};
use crate::tree::{
    Argument, Clause, Communication, Creation, Expr, MessageField, Place, ProcessId,
};
use crate::types::{Scalar, Type};

/// The numbers of the messages of `SYSTEM.IOPORT`.
const PORT_IN: u16 = 0;
const PORT_OUT: u16 = 1;
const VALUE: u16 = 2;

impl Emitter<'_> {
    pub(super) fn arguments(&mut self, process: ProcessId, arguments: &[Argument]) {
        let callee = self.program.process(process);
        if callee.level > 0 {
            // The block that the process is declared in.
            let own = self.process.map_or(0, |own| self.program.process(own).level + 1);
            let hops = own.saturating_sub(callee.level);
            self.op(Op::FrameReference(hops));
            self.op(Op::Argument(0, Scalar::Reference));
        }
        for (argument, parameter) in arguments.iter().zip(&callee.parameters) {
            let offset = self.offsets[parameter.0 as usize];
            let ty = self.program.variable(*parameter).ty;
            match argument {
                Argument::Value(value) => {
                    self.expr(value);
                    let scalar = self.program.types.as_scalar(ty).unwrap_or(Scalar::Int64);
                    self.op_at(value.span, Op::Argument(offset, scalar));
                }
                Argument::Copy(place) => {
                    self.reference(place);
                    let bytes = self.size(place);
                    self.op(Op::ArgumentBytes { offset, bytes });
                }
                Argument::CopyText(text) => {
                    let (text, length) = self.text(*text);
                    self.op(Op::ArgumentText { offset, text, length });
                }
                Argument::Reference(place) => {
                    self.reference(place);
                    self.op(Op::Argument(offset, Scalar::Reference));
                }
                Argument::Open(place) => {
                    self.reference(place);
                    self.op(Op::Argument(offset, Scalar::Reference));
                    self.length(place);
                    self.op(Op::Argument(offset + 8, Scalar::Uint32));
                }
                Argument::OpenText(text) => {
                    let (text, length) = self.text(*text);
                    self.op(Op::TextReference(text));
                    self.op(Op::Argument(offset, Scalar::Reference));
                    self.constant(i64::from(length) + 1);
                    self.op(Op::Argument(offset + 8, Scalar::Uint32));
                }
            }
        }
    }

    pub(super) fn creation(&mut self, creation: &Creation) {
        self.op_at(creation.span, Op::PrepareCreate(creation.process.0));
        self.arguments(creation.process, &creation.arguments);
        if let Some(deadline) = &creation.deadline {
            self.expr(deadline);
            self.op_at(deadline.span, Op::Deadline);
        }
        if let Some(period) = &creation.period {
            self.expr(period);
            self.op_at(period.span, Op::Period);
        }
        self.op(Op::Start);
    }

    /// Begins a clause; where its guard and its body are is not known yet.
    fn clause(&mut self, communication: &Communication) -> Pc {
        let channel = self.channel(communication.port.ty);
        self.load(&communication.port);
        let at = self.op_at(
            communication.span,
            Op::Clause(ClauseCode {
                channel,
                message: communication.message as u16,
                is_send: communication.direction == Direction::Send,
                guard: NONE,
                body: NONE,
            }),
        );
        let types = match self.program.types.get(communication.port.ty) {
            Type::Channel { messages } => {
                messages.get(communication.message as usize).map(|m| m.fields.clone())
            }
            _ => None,
        };
        for (field, ty) in communication.fields.iter().zip(types.unwrap_or_default()) {
            let scalar = self.program.types.as_scalar(ty);
            match field {
                MessageField::Send(value) => {
                    self.expr(value);
                    self.op_at(value.span, Op::FieldValue(scalar.unwrap_or(Scalar::Int64)));
                }
                MessageField::SendCopy(place) => {
                    self.reference(place);
                    let bytes = self.size(place);
                    self.op(Op::FieldBytes(bytes));
                }
                MessageField::SendText(text) => {
                    let (text, length) = self.text(*text);
                    let room = self.program.types.size(ty).unwrap_or(0);
                    self.op(Op::FieldText { text, length, room });
                }
                MessageField::Receive(place) => {
                    self.reference(place);
                    match self.program.types.as_scalar(place.ty) {
                        Some(scalar) => self.op_at(place.span, Op::FieldInto(scalar)),
                        None => {
                            let bytes = self.size(place);
                            self.op(Op::FieldIntoBytes(bytes))
                        }
                    };
                }
                MessageField::Match(value) => {
                    self.expr(value);
                    self.op_at(value.span, Op::FieldMatch);
                }
            }
        }
        at
    }

    fn finish_clause(&mut self, at: Pc, guard: Pc, body: Pc) {
        if let Some(Op::Clause(clause)) = self.object.code.get_mut(at as usize) {
            (clause.guard, clause.body) = (guard, body);
        }
    }

    pub(super) fn communicate(&mut self, communication: &Communication) {
        let at = self.clause(communication);
        let picks = communication.fields.iter().any(|f| matches!(f, MessageField::Match(_)));
        self.op(if picks { Op::Select } else { Op::Communicate });
        let here = self.here();
        self.finish_clause(at, NONE, here);
    }

    pub(super) fn select(&mut self, clauses: &[Clause]) {
        let (own, span) = (self.statement, self.span);
        let begun: Vec<Pc> =
            clauses.iter().map(|clause| self.clause(&clause.communication)).collect();
        self.op(Op::Select);
        let mut ends = Vec::new();
        for (clause, at) in clauses.iter().zip(begun) {
            let guard = match &clause.guard {
                None => NONE,
                Some(guard) => {
                    let start = self.here();
                    self.expr(guard);
                    self.op_at(guard.span, Op::Decided);
                    start
                }
            };
            let body = self.here();
            self.finish_clause(at, guard, body);
            self.block(&clause.body);
            self.statement = own;
            self.span = span;
            ends.push(self.op(Op::Jump(0)));
        }
        self.land(ends);
    }

    /// Code for a program that has devices, and code for one that has not.
    fn with_devices(
        &mut self,
        io: &Place,
        host: impl FnOnce(&mut Self),
        devices: impl FnOnce(&mut Self),
    ) {
        self.load(io);
        let has_devices = self.op(Op::JumpIf(0));
        host(self);
        let end = self.op(Op::Jump(0));
        self.land(vec![has_devices]);
        devices(self);
        self.land(vec![end]);
    }

    fn io_clause(&mut self, io: &Place, message: u16, is_send: bool) -> Pc {
        let channel = self.channel(io.ty);
        self.load(io);
        self.op(Op::Clause(ClauseCode { channel, message, is_send, guard: NONE, body: NONE }))
    }

    fn end_io(&mut self, at: Pc, op: Op) {
        self.op(op);
        let here = self.here();
        self.finish_clause(at, NONE, here);
    }

    /// A request to a device: how many bytes, which address, and a value.
    fn request(
        &mut self,
        io: &Place,
        message: u16,
        bytes: u32,
        address: &Expr,
        value: Option<&Expr>,
    ) {
        let at = self.io_clause(io, message, true);
        self.constant(bytes.into());
        self.op(Op::FieldValue(Scalar::Int8));
        self.expr(address);
        self.op_at(address.span, Op::FieldValue(Scalar::Int32));
        match value {
            Some(value) => {
                self.expr(value);
                self.op(Op::Cast(Scalar::Int32));
            }
            None => self.constant(0),
        }
        self.op(Op::FieldValue(Scalar::Int32));
        self.end_io(at, Op::Communicate);
    }

    pub(super) fn port_out(&mut self, io: &Place, address: &Expr, value: &Expr, bytes: u32) {
        self.with_devices(
            io,
            |emitter| {
                emitter.expr(address);
                emitter.expr(value);
                emitter.op(Op::HostOut(bytes as u8));
            },
            |emitter| emitter.request(io, PORT_OUT, bytes, address, Some(value)),
        );
    }

    pub(super) fn port_in(&mut self, io: &Place, address: &Expr, target: &Place) {
        let bytes = self.size(target).min(4);
        let scalar = self.program.types.as_scalar(target.ty).unwrap_or(Scalar::Int32);
        self.with_devices(
            io,
            |emitter| {
                emitter.store(target, |emitter| {
                    emitter.expr(address);
                    emitter.op(Op::HostIn(bytes as u8));
                    emitter.op(Op::Cast(scalar));
                });
            },
            |emitter| {
                emitter.request(io, PORT_IN, bytes, address, None);
                // The answer of this device, not of another one.
                let at = emitter.io_clause(io, VALUE, false);
                emitter.expr(address);
                emitter.op(Op::FieldMatch);
                emitter.reference(target);
                emitter.op(Op::FieldInto(scalar));
                emitter.end_io(at, Op::Select);
            },
        );
    }
}
