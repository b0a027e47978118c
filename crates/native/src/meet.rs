//! Rendezvous: a send and a receive of two processes in one step.
//!
//! Where a send offers a message, [`meet`] asks the others in the order of the interpreter, for each of which there is
//! a function of the location where it stands: it writes a successor for every receive there that takes the message, or,
//! where that is inside an atomic run, a state for `runs` to go on with. The sender's run is over either way.

use crate::channel::Queue;
use crate::emit::{Emit, flags};
use crate::expand::{DECLINED, Expand};
use crate::frame::{self, Frame};
use crate::known::Channels;
use crate::support;
use auspex_process::Model;
use auspex_process::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, StackSlotData, StackSlotKind, Value};

/// Room for the successors that rendezvous give. Who has more of them is left to the interpreter.
pub const MOST_MEETINGS: usize = 24;

/// What a process that stands at a location can do about a message; a function is first known by its number.
#[derive(Clone, Copy)]
pub enum Meeting<F = Expand> {
    /// It receives nothing there.
    Nothing,
    Interpreted,
    /// There are so many receives.
    Function {
        function: F,
        receives: usize,
    },
}

/// What a message that is offered looks like: the number of the channel, that of the fields, the fields.
const CHANNEL: i32 = 0;
const FIELDS: i32 = 4;
const FIRST_FIELD: i32 = 8;

/// Is there anything at a location that compiled code has to know of if it offers a message?
pub fn plan(
    model: &Model,
    known: &Channels<'_>,
    proctype: &Proctype,
    location: &ControlLocation,
) -> Meeting<()> {
    let transitions = proctype.transitions_at(location);
    let receives = transitions.iter().filter(|transition| may_receive(known, &transition.action));
    let is_simple = |transition: &Transition| match &transition.action {
        Action::Receive(receive) => {
            transition.escape == 0 && support::can_take_offer(model, receive)
        }
        _ => false,
    };
    match receives.clone().count() {
        0 => Meeting::Nothing,
        // An escape that takes the message decides which other transitions count.
        _ if proctype.deterministic || !receives.clone().all(is_simple) => Meeting::Interpreted,
        receives => Meeting::Function { function: (), receives },
    }
}

fn may_receive(known: &Channels<'_>, action: &Action) -> bool {
    match action {
        Action::Receive(receive) => !receive.keep && known.may_meet(&receive.channel),
        // It may begin with a receive.
        Action::DStep(body) => body
            .nodes
            .iter()
            .any(|node| matches!(node, DNode::Do { action, .. } if may_receive(known, action))),
        _ => false,
    }
}

/// Lets all others answer to a message that the process of the frame offers. Nobody: 0; 1: somebody, and the successors are
/// written, where the sender has gone on to `target`. Or it is for the interpreter.
///
/// # Safety
/// The frame is that of an expansion, and the message looks as described above.
pub unsafe extern "C" fn meet(frame: *mut Frame, offer: *const i32, target: u64) -> u64 {
    // SAFETY: compiled code passes its frame, where these are set.
    let frame = unsafe { &mut *frame };
    let (pid, process) = (frame.pid, frame.process);
    (frame.offer, frame.target) = (offer, target as u32);
    frame.sender = process.addr() - frame.bytes.addr();
    // SAFETY: as above.
    let met = unsafe { ask_others(frame) };
    (frame.pid, frame.process) = (pid, process);
    met
}

/// # Safety
/// The frame is that of an expansion, with an offer.
unsafe fn ask_others(frame: &mut Frame) -> u64 {
    // SAFETY: as above, both live longer than the expansion takes.
    let (program, processes) = unsafe {
        (&*frame.program, std::slice::from_raw_parts(frame.layout, frame.processes as usize))
    };
    let (sender, mut met) = (frame.pid as usize, 0);
    for (pid, process) in processes.iter().enumerate().rev().filter(|(pid, _)| *pid != sender) {
        frame.set_process(pid, process.offset);
        // SAFETY: the process is one of the state.
        let location = unsafe { frame.location(program.wide_locations) };
        match program.meetings[process.proctype.0 as usize][location] {
            Meeting::Nothing => {}
            Meeting::Interpreted => return DECLINED,
            Meeting::Function { function, receives } => {
                let room = frame.inside.addr() - frame.next.addr();
                if room < receives * frame.len + frame.reserve {
                    return DECLINED;
                }
                // SAFETY: the function was compiled for this location, and has room for all that it can write.
                match unsafe { function(frame) } {
                    DECLINED => return DECLINED,
                    some => met |= some,
                }
            }
        }
    }
    met
}

impl Emit<'_, '_> {
    /// Writes what comes of a message that is offered, for each receive that takes it. Does one?
    pub fn meeting(&mut self, transitions: &[Transition]) -> Value {
        let met = self.builder.declare_var(I64);
        let [zero, one] = [0, 1].map(|value| self.builder.ins().iconst(I64, value));
        self.builder.def_var(met, zero);
        let declined = self.builder.create_block();
        self.decline = declined;
        for transition in transitions {
            let Action::Receive(receive) = &transition.action else { continue };
            if !may_receive(self.known, &transition.action) {
                continue;
            }
            let [yes, next] = [(); 2].map(|()| self.builder.create_block());
            self.branch_offer(receive, yes, next);
            self.enter(yes);
            self.builder.def_var(met, one);
            match transition.atomic {
                true => self.begin_run(receive, transition),
                false => self.successor(transition, |emit, done| {
                    emit.move_sender();
                    emit.take_offer(receive);
                    emit.jump(done);
                }),
            }
            self.jump(next);
            self.enter(next);
        }
        let result = self.builder.use_var(met);
        self.builder.ins().return_(&[result]);
        self.enter(declined);
        self.builder.ins().iconst(I64, DECLINED as i64)
    }

    /// Writes the state where a receiver has taken a message and runs on.
    fn begin_run(&mut self, receive: &Receive, transition: &Transition) {
        let (frame, state, process) = (self.frame, self.bytes, self.process);
        let [inside, runner, len] =
            [frame::INSIDE, frame::RUNNER, frame::LEN].map(|offset| self.of_frame(I64, offset));
        let inside = self.builder.ins().isub(inside, len);
        self.store(inside, frame, frame::INSIDE);
        let runner = self.builder.ins().iadd_imm_s(runner, -1);
        self.store(runner, frame, frame::RUNNER);
        let pid = self.of_frame(I32, frame::PID);
        self.builder.ins().istore8(flags(), pid, runner, 0);
        self.builder.ins().call(self.helpers.copy, &[inside, state, len]);
        let offset = self.builder.ins().isub(process, state);
        // From here on, everything is about the new state. Where it differs is found out when the run ends.
        self.bytes = inside;
        self.process = self.builder.ins().iadd(inside, offset);
        self.notes_changes = false;
        self.move_sender();
        self.take_offer(receive);
        self.cover(transition.statement);
        self.move_control(transition.target);
        (self.bytes, self.process) = (state, process);
    }

    /// Does a receive take the message that is offered?
    fn branch_offer(&mut self, receive: &Receive, yes: Block, no: Block) {
        let offer = self.of_frame(I64, frame::OFFER);
        let (mine, its) = (self.value(&receive.channel), self.load(I32, offer, CHANNEL));
        self.go_on_if_equal(mine, its, no);
        let fields = self.load(I32, offer, FIELDS);
        let fits = self.compare(IntCC::Equal, fields, receive.fields.len() as i64);
        self.require(fits);
        for (number, pattern) in receive.fields.iter().enumerate() {
            let Pattern::Match(expr) = pattern else { continue };
            let (wanted, field) = (self.value(expr), self.offered(offer, number));
            self.go_on_if_equal(wanted, field, no);
        }
        self.jump(yes);
    }

    fn go_on_if_equal(&mut self, a: Value, b: Value, no: Block) {
        let next = self.builder.create_block();
        let is_equal = self.builder.ins().icmp(IntCC::Equal, a, b);
        self.brif(is_equal, next, no);
        self.enter(next);
    }

    fn offered(&mut self, offer: Value, number: usize) -> Value {
        self.load(I32, offer, FIRST_FIELD + 4 * number as i32)
    }

    fn take_offer(&mut self, receive: &Receive) {
        let offer = self.of_frame(I64, frame::OFFER);
        for (number, pattern) in receive.fields.iter().enumerate() {
            if let Pattern::Store(place) = pattern {
                let value = self.offered(offer, number);
                self.assign(place, value);
            }
        }
    }

    fn move_sender(&mut self) {
        let offset = self.of_frame(I64, frame::SENDER);
        let sender = self.builder.ins().iadd(self.bytes, offset);
        let target = self.of_frame(I32, frame::TARGET);
        self.store_location(target, sender);
    }

    /// Offers a message on a rendezvous channel: see [`meet`].
    pub fn offer(&mut self, send: &Send, queue: &Queue<'_>, transition: &Transition) -> Value {
        let fields = &queue.ty.fields;
        if fields.len() != send.values.len() {
            return self.builder.ins().iconst(I64, DECLINED as i64);
        }
        let values: Vec<Value> = send.values.iter().map(|value| self.value(value)).collect();
        let size = FIRST_FIELD as u32 + 4 * fields.len() as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 2);
        let slot = self.builder.create_sized_stack_slot(slot);
        let offer = self.builder.ins().stack_addr(I64, slot, 0);
        let number = self.int(fields.len() as i32);
        self.store(queue.id, offer, CHANNEL);
        self.store(number, offer, FIELDS);
        let mut at = FIRST_FIELD;
        for (field, value) in fields.iter().zip(values) {
            // To storage and back: that cuts it.
            self.store_scalar(*field, value, offer, at);
            let cut = self.load_scalar(*field, offer, at);
            self.store(cut, offer, at);
            at += 4;
        }
        let target = self.builder.ins().iconst(I64, i64::from(transition.target.0));
        let call = self.builder.ins().call(self.helpers.meet, &[self.frame, offer, target]);
        self.builder.inst_results(call)[0]
    }

    /// Where a send meets receives, goes to `met`, where it meets none, to `no`. On a channel with room, to
    /// `buffered`, unless that is full.
    pub fn branch_meet(
        &mut self,
        (send, transition): (&Send, &Transition),
        buffered: Block,
        met: Block,
        no: Block,
    ) {
        self.with_queue(&send.channel, |emit, queue| {
            if !queue.ty.is_rendezvous() {
                return emit.branch_room(&queue, buffered, no);
            }
            let result = emit.offer(send, &queue, transition);
            let is_known = emit.compare(IntCC::NotEqual, result, DECLINED as i64);
            emit.require(is_known);
            let some = emit.builder.create_block();
            emit.brif(result, some, no);
            emit.enter(some);
            emit.cover(transition.statement);
            emit.jump(met);
        });
    }

    /// The same inside an atomic run, where the other channels are none of this function's business: did it meet a receive?
    pub fn offer_in_run(&mut self, send: &Send, transition: &Transition) -> Value {
        let [declined, met, no] = [(); 3].map(|()| self.builder.create_block());
        self.decline = declined;
        self.branch_meet((send, transition), declined, met, no);
        for (block, result) in [(met, 1), (no, 0)] {
            self.enter(block);
            let result = self.builder.ins().iconst(I64, result);
            self.builder.ins().return_(&[result]);
        }
        self.enter(declined);
        self.builder.ins().iconst(I64, DECLINED as i64)
    }

    /// A process goes on to a location.
    pub fn store_location(&mut self, target: Value, process: Value) {
        let width = match self.model.wide_locations {
            true => {
                self.builder.ins().istore16(flags(), target, process, 1);
                self.int(2)
            }
            false => {
                self.builder.ins().istore8(flags(), target, process, 1);
                self.int(1)
            }
        };
        self.note_change(process, 1, width);
    }
}
