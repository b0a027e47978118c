//! What an action does, statement by statement, for people.

use crate::code::{Op, Pc};
use crate::kernel::{Id, Kernel, Process, Status, Watcher};
use crate::view;
use auspex_system::{Change, Message, MessageKind, ProcessName, StepInfo, Variable};

/// Of an action with more statements than this, the middle is left out.
const BEGINNING: usize = 200;
const MOST: usize = 2 * BEGINNING;

/// Listens while an action is carried out.
pub struct Recorder {
    steps: Vec<StepInfo>,
    /// Before the statement that is being executed.
    before: Vec<Variable>,
    /// The variables of each process before the action.
    others: Vec<Vec<Variable>>,
    id: Option<Id>,
    /// Statements in the middle of a long action that are not told.
    left_out: usize,
    /// Who sent, where; who received, where; on which channel, what.
    message: Option<(End, End, u16, String)>,
}

#[derive(Clone, Copy)]
struct End {
    id: Id,
    site: Pc,
}

fn variables(kernel: &Kernel<'_>, me: &Process) -> Vec<Variable> {
    let mut all = view::globals(kernel);
    all.extend(view::locals(kernel, me));
    all
}

fn changes(before: &[Variable], after: &[Variable]) -> Vec<Change> {
    let changed = after.iter().filter_map(|now| {
        let then = before.iter().find(|then| then.name == now.name)?;
        (then.value != now.value).then(|| Change {
            name: now.name.clone(),
            before: then.value.clone(),
            after: now.value.clone(),
        })
    });
    changed.collect()
}

impl Recorder {
    pub fn new(kernel: &Kernel<'_>, id: Option<Id>) -> Self {
        let locals = |process: &Option<Box<Process>>| {
            process.as_ref().map_or_else(Vec::new, |process| view::locals(kernel, process))
        };
        let others = kernel.processes.iter().map(locals).collect();
        let acting = id.and_then(|id| kernel.process(id));
        let before = acting.map_or_else(Vec::new, |me| variables(kernel, me));
        Recorder { steps: Vec::new(), before, others, id, left_out: 0, message: None }
    }

    /// The statement before this point is over.
    fn close(&mut self, now: Vec<Variable>) {
        if let Some(step) = self.steps.last_mut() {
            step.changes = changes(&self.before, &now);
        }
        self.before = now;
    }

    fn step(
        kernel: &Kernel<'_>,
        process: Option<ProcessName>,
        pc: Pc,
        function: String,
    ) -> StepInfo {
        let object = kernel.object;
        let statement = object.statement_at(pc);
        let place = statement.and_then(|s| object.debug.places.get(s.place as usize));
        StepInfo {
            process,
            function,
            location: object.location(place.or(object.place_at(pc))),
            text: statement.map_or_else(|| "END".to_owned(), |statement| statement.text.clone()),
            changes: Vec::new(),
            reads: Vec::new(),
            notes: Vec::new(),
            messages: Vec::new(),
            output: String::new(),
            instructions: Vec::new(),
        }
    }

    /// What happened, after the action. `went_well`: it was carried out to its end.
    pub fn finish(mut self, kernel: &Kernel<'_>, went_well: bool, printed: &[u8]) -> Vec<StepInfo> {
        let me = self.id.and_then(|id| kernel.process(id));
        match me {
            Some(me) => self.close(variables(kernel, me)),
            None => {
                let gone: Vec<Variable> = view::globals(kernel);
                self.close(gone);
            }
        }
        if let Some(last) = self.steps.last_mut() {
            last.output = String::from_utf8_lossy(printed).into_owned();
            match me {
                Some(me)
                    if went_well
                        && matches!(me.status, Status::Communicating | Status::Selecting) =>
                {
                    last.notes.push(format!("waits {}", view::waits_for(kernel, me)));
                }
                Some(me) if me.status == Status::Waiting => {
                    last.notes.push(format!("waits {}", view::waits_for(kernel, me)));
                }
                None => last.notes.push("ends".to_owned()),
                _ => {}
            }
        }
        if self.left_out > 0
            && let Some(step) = self.steps.get_mut(BEGINNING - 1)
        {
            step.notes.push(format!("{} more statements are not shown", self.left_out));
        }
        self.add_message(kernel);
        self.steps
    }

    /// Both ends of a message: the sender first.
    fn add_message(&mut self, kernel: &Kernel<'_>) {
        let Some((from, to, channel, text)) = self.message.take() else { return };
        let partner = if Some(from.id) == self.id { to } else { from };
        let Some(other) = kernel.process(partner.id) else { return };
        let name = view::name_of(kernel.object, partner.id, other);
        let function = function_of(kernel, other);
        let mut theirs = Self::step(kernel, Some(name), partner.site, function);
        let before = self.others.get(partner.id as usize).map_or(&[][..], |all| all);
        theirs.changes = changes(before, &view::locals(kernel, other));
        let channel_name = view::channel_name(kernel, channel);
        let message = |kind| Message {
            kind,
            channel: channel.into(),
            channel_name: channel_name.clone(),
            position: 0,
            handshake: true,
            text: text.clone(),
        };
        let acts_as_sender = Some(from.id) == self.id;
        // A select that waited has no statement of its own in this action.
        if self.steps.is_empty() {
            let own = if acts_as_sender { from } else { to };
            let Some(me) = kernel.process(own.id) else { return };
            let name = view::name_of(kernel.object, own.id, me);
            let function = function_of(kernel, me);
            self.steps.push(Self::step(kernel, Some(name), own.site, function));
        }
        let last = self.steps.len() - 1;
        if acts_as_sender {
            self.steps[last].messages.push(message(MessageKind::Sent));
            theirs.messages.push(message(MessageKind::Received));
            self.steps.push(theirs);
        } else {
            theirs.messages.push(message(MessageKind::Sent));
            self.steps[last].messages.push(message(MessageKind::Received));
            self.steps.insert(last, theirs);
        }
    }
}

/// The process that is being executed, where that is a called one.
fn function_of(kernel: &Kernel<'_>, me: &Process) -> String {
    let inner = me.frames.last().filter(|_| me.frames.len() > 1);
    let code = inner.and_then(|frame| kernel.object.processes.get(frame.process as usize));
    code.map_or_else(String::new, |code| code.name.clone())
}

impl Watcher for Recorder {
    fn at(&mut self, kernel: &Kernel<'_>, id: Id, me: &Process, pc: Pc) {
        if Some(id) != self.id {
            return;
        }
        let starts = kernel.object.statement_at(pc).is_some_and(|statement| statement.start == pc);
        let ends = matches!(kernel.object.code.get(pc as usize), Some(Op::End | Op::Return));
        // The first one may begin in the middle: behind a choice, in the test of a loop.
        let is_jump = matches!(kernel.object.code.get(pc as usize), Some(Op::Jump(_)));
        let is_told = if is_jump {
            starts
        } else {
            starts || ends && me.frames.len() == 1 || self.steps.is_empty()
        };
        if !is_told {
            return;
        }
        self.close(variables(kernel, me));
        let name = view::name_of(kernel.object, id, me);
        self.steps.push(Self::step(kernel, Some(name), pc, function_of(kernel, me)));
        if self.steps.len() > MOST {
            self.left_out += BEGINNING / 2;
            self.steps.drain(BEGINNING..BEGINNING + BEGINNING / 2);
        }
    }

    fn transferred(
        &mut self,
        kernel: &Kernel<'_>,
        (from, sent, channel): (Id, Pc, u16),
        (to, received): (Id, Pc),
        data: &[u8],
    ) {
        let text = message_text(kernel, sent, data);
        let ends = (End { id: from, site: sent }, End { id: to, site: received });
        self.message = Some((ends.0, ends.1, channel, text));
    }
}

/// A message as it is written: `data(3)`.
fn message_text(kernel: &Kernel<'_>, site: Pc, data: &[u8]) -> String {
    let Some(Op::Clause(clause)) = kernel.object.code.get(site as usize) else {
        return String::new();
    };
    let channel = kernel.object.channels.get(clause.channel as usize);
    let Some(message) = channel.and_then(|c| c.messages.get(clause.message as usize)) else {
        return String::new();
    };
    let mut rest = data;
    let fields = message.fields.iter().map(|field| {
        let (value, behind) = rest.split_at(rest.len().min(field.bytes as usize));
        rest = behind;
        kernel.object.debug.types.show_value(field.ty, value)
    });
    let fields: Vec<String> = fields.collect();
    if fields.is_empty() {
        message.name.clone()
    } else {
        format!("{}({})", message.name, fields.join(", "))
    }
}
