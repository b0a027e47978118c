//! Channels in the bytes of a state: the compiled counterpart of the interpreter's `Queue`.
//!
//! Which channel a variable holds, and so its type, is known only when the code runs: it tries the types of the
//! model one after the other. Most models have one or two.

use crate::emit::Emit;
use crate::frame;
use auspex_process::ChannelAt;
use auspex_process::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I16, I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use std::mem::offset_of;

/// A channel of a known type.
pub struct Queue<'m> {
    pub ty: &'m ChannelType,
    pub id: Value,
    /// Its address; a rendezvous channel has no bytes there.
    pub at: Value,
}

/// Takes the first of `len` messages away, which lie one behind the other from `first` on.
pub extern "C" fn take_first(first: *mut u8, message_size: u64, len: u64) {
    let (size, rest) = (message_size as usize, (len as usize - 1) * message_size as usize);
    // SAFETY: compiled code passes the address of a channel that has so many messages.
    unsafe {
        std::ptr::copy(first.add(size), first, rest);
        std::ptr::write_bytes(first.add(rest), 0, size);
    }
}

impl<'m> Emit<'_, 'm> {
    /// Compiles something for the channel that an expression names, for each type that it may have. Each ends with
    /// a jump.
    pub fn with_queue(&mut self, channel: &Expr, mut compile: impl FnMut(&mut Self, Queue<'m>)) {
        let id = self.value(channel);
        let index = self.builder.ins().iadd_imm_s(id, -1);
        let count = self.of_frame(I32, frame::CHANNEL_COUNT);
        // Number 0 is none, and becomes a very large index.
        let exists = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, count);
        self.require(exists);
        let index = self.builder.ins().uextend(I64, index);
        let distance = self.builder.ins().imul_imm_u(index, size_of::<ChannelAt>() as i64);
        let channels = self.of_frame(I64, frame::CHANNELS);
        let entry = self.builder.ins().iadd(channels, distance);
        let offset = self.load(I32, entry, offset_of!(ChannelAt, offset) as i32);
        let offset = self.builder.ins().uextend(I64, offset);
        let at = self.builder.ins().iadd(self.bytes, offset);
        let type_of_channel = self.load(I16, entry, offset_of!(ChannelAt, ty) as i32);
        let model = self.model;
        for (number, ty) in model.channel_types.iter().enumerate() {
            if !self.known.may_be(channel, ChannelTypeId(number as u16)) {
                continue;
            }
            let [this, other] = [(); 2].map(|()| self.builder.create_block());
            let is_this =
                self.builder.ins().icmp_imm_u(IntCC::Equal, type_of_channel, number as i64);
            self.brif(is_this, this, other);
            self.enter(this);
            compile(self, Queue { ty, id, at });
            self.enter(other);
        }
        self.jump(self.decline);
    }

    pub fn queue_length(&mut self, queue: &Queue<'_>) -> Value {
        let ins = self.builder.ins();
        match queue.ty.length_bytes() {
            _ if queue.ty.is_rendezvous() => ins.iconst(I32, 0),
            1 => ins.uload8(I32, crate::emit::flags(), queue.at, 0),
            _ => ins.uload16(I32, crate::emit::flags(), queue.at, 0),
        }
    }

    pub fn set_queue_length(&mut self, queue: &Queue<'_>, length: Value) {
        match queue.ty.length_bytes() {
            1 => self.builder.ins().istore8(crate::emit::flags(), length, queue.at, 0),
            _ => self.builder.ins().istore16(crate::emit::flags(), length, queue.at, 0),
        };
    }

    pub fn length(&mut self, channel: &Expr) -> Value {
        let join = self.builder.create_block();
        let result = self.builder.append_block_param(join, I32);
        self.with_queue(channel, |emit, queue| {
            let length = emit.queue_length(&queue);
            emit.builder.ins().jump(join, &[length.into()]);
        });
        self.enter(join);
        result
    }

    pub fn test_channel(&mut self, test: ChannelTest, channel: &Expr, yes: Block, no: Block) {
        self.with_queue(channel, |emit, queue| {
            let length = emit.queue_length(&queue);
            let capacity = i64::from(queue.ty.capacity);
            let (how, than) = match test {
                // A rendezvous channel is never full.
                ChannelTest::Full if queue.ty.is_rendezvous() => return emit.jump(no),
                ChannelTest::NotFull if queue.ty.is_rendezvous() => return emit.jump(yes),
                ChannelTest::Full => (IntCC::Equal, capacity),
                ChannelTest::NotFull => (IntCC::NotEqual, capacity),
                ChannelTest::Empty => (IntCC::Equal, 0),
                ChannelTest::NotEmpty => (IntCC::NotEqual, 0),
            };
            let holds = emit.compare(how, length, than);
            emit.brif(holds, yes, no);
        });
    }

    /// Is there a message that a receive would take? `polls`: asked by an expression.
    pub fn branch_receive(&mut self, receive: &Receive, polls: bool, yes: Block, no: Block) {
        self.with_queue(&receive.channel, |emit, queue| {
            if queue.ty.is_rendezvous() {
                let wrong = polls || receive.keep;
                return emit.jump(if wrong { emit.decline } else { no });
            }
            if queue.ty.fields.len() != receive.fields.len() {
                return emit.jump(emit.decline);
            }
            let length = emit.queue_length(&queue);
            let has_one = emit.builder.create_block();
            emit.brif(length, has_one, no);
            emit.enter(has_one);
            for (number, pattern) in receive.fields.iter().enumerate() {
                let Pattern::Match(expr) = pattern else { continue };
                let wanted = emit.value(expr);
                let field = emit.field(&queue, number);
                let fits = emit.builder.ins().icmp(IntCC::Equal, wanted, field);
                let next = emit.builder.create_block();
                emit.brif(fits, next, no);
                emit.enter(next);
            }
            emit.jump(yes);
        });
    }

    /// Can something be sent? Whether a rendezvous takes place is not for this code to say: see `meet`.
    pub fn branch_send(&mut self, channel: &Expr, yes: Block, no: Block) {
        self.with_queue(channel, |emit, queue| {
            if queue.ty.is_rendezvous() {
                return emit.jump(emit.decline);
            }
            emit.branch_room(&queue, yes, no);
        });
    }

    /// Is there room for one more message?
    pub fn branch_room(&mut self, queue: &Queue<'_>, yes: Block, no: Block) {
        let length = self.queue_length(queue);
        let is_full = self.compare(IntCC::Equal, length, i64::from(queue.ty.capacity));
        self.brif(is_full, no, yes);
    }

    /// A field of the first message.
    fn field(&mut self, queue: &Queue<'_>, number: usize) -> Value {
        let ty = queue.ty;
        let before: usize = ty.fields[..number].iter().map(|field| field.size()).sum();
        self.load_scalar(ty.fields[number], queue.at, (ty.length_bytes() as usize + before) as i32)
    }

    /// Sends on a channel that is not full, and goes on at `next`.
    pub fn send(&mut self, send: &Send, next: Block) {
        self.with_queue(&send.channel, |emit, queue| {
            let ty = queue.ty;
            if ty.is_rendezvous() || ty.fields.len() != send.values.len() {
                return emit.jump(emit.decline);
            }
            let values: Vec<Value> = send.values.iter().map(|value| emit.value(value)).collect();
            let length = emit.queue_length(&queue);
            let distance = emit.builder.ins().imul_imm_u(length, i64::from(ty.message_size));
            let distance = emit.builder.ins().uextend(I64, distance);
            let slot = emit.builder.ins().iadd(queue.at, distance);
            let first = ty.length_bytes() as i32;
            let mut offset = first;
            for (field, value) in ty.fields.iter().zip(values) {
                emit.store_scalar(*field, value, slot, offset);
                offset += field.size() as i32;
            }
            let longer = emit.builder.ins().iadd_imm_s(length, 1);
            emit.set_queue_length(&queue, longer);
            let len = emit.int(first);
            emit.note_change(queue.at, 0, len);
            let len = emit.int(ty.message_size as i32);
            emit.note_change(slot, first, len);
            emit.jump(next);
        });
    }

    /// Receives the first message, which there is, and goes on at `next`.
    pub fn receive(&mut self, receive: &Receive, next: Block) {
        self.with_queue(&receive.channel, |emit, queue| {
            let ty = queue.ty;
            if ty.is_rendezvous() || ty.fields.len() != receive.fields.len() {
                return emit.jump(emit.decline);
            }
            let values: Vec<Value> =
                (0..ty.fields.len()).map(|number| emit.field(&queue, number)).collect();
            if !receive.keep {
                emit.remove_first(&queue);
            }
            for (pattern, value) in receive.fields.iter().zip(values) {
                if let Pattern::Store(place) = pattern {
                    emit.assign(place, value);
                }
            }
            emit.jump(next);
        });
    }

    fn remove_first(&mut self, queue: &Queue<'_>) {
        let first = queue.ty.length_bytes();
        let length = self.queue_length(queue);
        let slot = self.builder.ins().iadd_imm_u(queue.at, i64::from(first));
        let size = self.builder.ins().iconst(I64, i64::from(queue.ty.message_size));
        let wide = self.builder.ins().uextend(I64, length);
        self.builder.ins().call(self.helpers.take_first, &[slot, size, wide]);
        let shorter = self.builder.ins().iadd_imm_s(length, -1);
        self.set_queue_length(queue, shorter);
        let used = self.builder.ins().imul_imm_u(length, i64::from(queue.ty.message_size));
        let used = self.builder.ins().iadd_imm_u(used, i64::from(first));
        self.note_change(queue.at, 0, used);
    }
}
