//! States, steps and automata in the words of the model.

use crate::eval::Env;
use crate::exec::Mode;
use crate::explore::{Interpreter, Micro};
use crate::ir::*;
use crate::scalar::Scalar;
use crate::work::Work;
use auspex_system as sys;
use auspex_system::{Change, Graph, GraphEdge, GraphNode, Message, MessageKind, NodeKind};
use auspex_system::{Section, StateRef, StateView, Step, StepInfo};
use std::fmt::Write;

/// What a statement prints, sends and receives while it is replayed.
#[derive(Debug, Default)]
pub struct Recording {
    output: String,
    messages: Vec<Message>,
}

impl Recording {
    pub fn print(&mut self, model: &Model, part: &PrintPart, value: i32) {
        // Writing to a string cannot fail.
        let _ = match part {
            PrintPart::Text(text) => self.output.write_str(text),
            PrintPart::Decimal(_) => write!(self.output, "{value}"),
            PrintPart::Unsigned(_) => write!(self.output, "{}", value as u32),
            PrintPart::Hex(_) => write!(self.output, "{value:x}"),
            PrintPart::Octal(_) => write!(self.output, "{value:o}"),
            PrintPart::Character(_) => write!(self.output, "{}", char::from(value as u8)),
            PrintPart::Symbol(_, set) => {
                self.output.write_str(&format_value(model, Scalar::Symbol(*set), value))
            }
        };
    }

    pub fn sent(&mut self, model: &Model, work: &Work, id: i32, position: usize, values: &[i32]) {
        self.note(MessageKind::Sent, model, work, id, position, values);
    }

    pub fn received(
        &mut self,
        model: &Model,
        work: &Work,
        id: i32,
        position: usize,
        values: &[i32],
        keep: bool,
    ) {
        let kind = if keep { MessageKind::Copied } else { MessageKind::Received };
        self.note(kind, model, work, id, position, values);
    }

    fn note(
        &mut self,
        kind: MessageKind,
        model: &Model,
        work: &Work,
        id: i32,
        position: usize,
        values: &[i32],
    ) {
        let ty = model.channel_type(work.layout.channels[(id - 1) as usize].ty);
        self.messages.push(Message {
            kind,
            channel: id as u32,
            channel_name: channel_name(model, work, id as usize - 1),
            position: position as u32,
            handshake: ty.is_rendezvous(),
            text: format_message(model, ty, values.iter().copied()),
        });
    }
}

/// A value as people write it.
pub fn format_value(model: &Model, ty: Scalar, value: i32) -> String {
    match ty {
        Scalar::Bool | Scalar::WideBool if value < 2 => {
            if value == 0 { "false" } else { "true" }.to_string()
        }
        Scalar::Symbol(set) if value > 0 => {
            let names = &model.sets[set.0 as usize].names;
            names.get(value as usize - 1).cloned().unwrap_or_else(|| value.to_string())
        }
        Scalar::Channel if value == 0 => "none".to_string(),
        Scalar::Channel => format!("channel {value}"),
        _ => value.to_string(),
    }
}

pub fn format_message(
    model: &Model,
    ty: &ChannelType,
    values: impl Iterator<Item = i32>,
) -> String {
    let fields: Vec<String> =
        ty.fields.iter().zip(values).map(|(ty, value)| format_value(model, *ty, value)).collect();
    fields.join(",")
}

/// The name of a channel: that of the variable it was created for.
pub fn channel_name(model: &Model, work: &Work, index: usize) -> String {
    let owner = work.layout.processes.iter().rposition(|p| usize::from(p.channels) <= index);
    let created = |frame: &Frame, nth: usize| {
        let mut places = frame.init.iter().filter_map(|init| match init {
            Init::Channel(place, _) => Some(place.name.clone()),
            Init::Assign(..) => None,
        });
        places.nth(nth).unwrap_or_else(|| format!("channel {}", index + 1))
    };
    match owner {
        None => created(&model.globals, index),
        Some(pid) => {
            let process = work.layout.processes[pid];
            let name = created(
                &model.proctype(process.proctype).locals,
                index - usize::from(process.channels),
            );
            format!("{}:{name}", process_name(model, work, pid))
        }
    }
}

fn process_name(model: &Model, work: &Work, pid: usize) -> String {
    format!("{}[{pid}]", model.proctype(work.proctype(pid)).name)
}

/// Appends the variables of a frame that begins at `base`, down to single values.
fn list(
    model: &Model,
    variables: &[Variable],
    bytes: &[u8],
    base: usize,
    prefix: &str,
    out: &mut Vec<sys::Variable>,
) {
    for variable in variables {
        let size = variable.element_size(&model.structs) as usize;
        for i in 0..variable.length.unwrap_or(1) as usize {
            let name = element_name(prefix, variable, i);
            let at = base + variable.offset as usize + i * size;
            match variable.ty {
                VarType::Scalar(ty) => {
                    let value = format_value(model, ty, ty.load(bytes, at));
                    out.push(sys::Variable { name, value });
                }
                VarType::Struct(id) => {
                    let fields = &model.structs[id as usize].fields;
                    list(model, fields, bytes, at, &format!("{name}."), out);
                }
            }
        }
    }
}

fn element_name(prefix: &str, variable: &Variable, index: usize) -> String {
    match variable.length {
        Some(_) => format!("{prefix}{}[{index}]", variable.name),
        None => format!("{prefix}{}", variable.name),
    }
}

fn globals(model: &Model, work: &Work) -> Vec<sys::Variable> {
    let mut out = Vec::new();
    let at = model.globals_at() as usize;
    list(model, &model.globals.variables, &work.bytes, at, "", &mut out);
    // A channel variable that never changes says nothing: its contents are shown by its name.
    let channels: Vec<String> = created_names(&model.globals);
    out.retain(|variable| !channels.contains(&variable.name));
    out
}

fn created_names(frame: &Frame) -> Vec<String> {
    let names = frame.init.iter().filter_map(|init| match init {
        Init::Channel(place, _) => Some(place.name.clone()),
        Init::Assign(..) => None,
    });
    names.collect()
}

fn locals(model: &Model, work: &Work, pid: usize) -> Vec<sys::Variable> {
    let process = work.layout.processes[pid];
    let frame = &model.proctype(process.proctype).locals;
    let mut out = Vec::new();
    let at = (process.offset + model.locals_at()) as usize;
    list(model, &frame.variables, &work.bytes, at, "", &mut out);
    let channels = created_names(frame);
    out.retain(|variable| !channels.contains(&variable.name));
    out
}

fn channels(model: &Model, work: &Work) -> Vec<sys::Variable> {
    let buffered = (0..work.layout.channels.len())
        .filter(|i| !model.channel_type(work.layout.channels[*i].ty).is_rendezvous());
    buffered
        .map(|i| sys::Variable {
            name: channel_name(model, work, i),
            value: channel_contents(model, work, i),
        })
        .collect()
}

/// The messages in a channel: `[a,1][b,2]`.
fn channel_contents(model: &Model, work: &Work, index: usize) -> String {
    let env = Env { model, work, pid: 0, timeout: false };
    let Ok(queue) = env.queue(&Expr::Const(index as i32 + 1)) else { return String::new() };
    if queue.len() == 0 {
        return "[]".to_string();
    }
    let message = |slot| {
        let fields = (0..queue.ty.fields.len()).map(|field| queue.field(slot, field));
        format!("[{}]", format_message(model, queue.ty, fields))
    };
    (0..queue.len()).map(message).collect()
}

pub fn show(interpreter: &mut Interpreter<'_>, state: StateRef<'_>) -> StateView {
    let model = interpreter.model;
    let work = interpreter.load(state);
    let mut sections = Vec::new();
    let mut shared = globals(model, &work);
    shared.extend(channels(model, &work));
    if !shared.is_empty() {
        sections.push(Section { title: "globals".into(), location: None, variables: shared });
    }
    for pid in 0..work.process_count() {
        let proctype = model.proctype(work.proctype(pid));
        let statement = proctype.locations[work.location(model, pid).0 as usize].statement;
        sections.push(Section {
            title: process_name(model, &work, pid),
            location: Some(model.statement(statement).location.clone()),
            variables: locals(model, &work, pid),
        });
    }
    StateView { sections, watched: watched(model, &work) }
}

fn watched(model: &Model, work: &Work) -> Vec<sys::Variable> {
    let env = Env { model, work, pid: 0, timeout: false };
    let value = |watch: &Watch| match env.eval(&watch.expr) {
        Ok(value) => format_value(model, watch.ty, value),
        Err(trap) => format!("({})", trap.into_info().message),
    };
    let watches = model.watches.iter();
    watches.map(|w| sys::Variable { name: w.text.clone(), value: value(w) }).collect()
}

pub fn describe(
    interpreter: &mut Interpreter<'_>,
    from: StateRef<'_>,
    step: Step,
) -> Vec<StepInfo> {
    let micros = interpreter.path_of(from, step);
    let mut work = interpreter.load(from);
    let mut sent = (0, Vec::new());
    let mut infos = Vec::new();
    for (index, micro) in micros.into_iter().enumerate() {
        // `timeout` is still true in the statement that it lets run, and in the other end of a rendezvous.
        let is_first = index == 0 || index == 1 && micro.handshake;
        interpreter.executor.timeout = is_first && interpreter.was_timeout;
        infos.push(replay_micro(interpreter, &mut work, micro, &mut sent));
    }
    interpreter.executor.timeout = false;
    infos
}

/// A channel and a message.
type Sent = (i32, Vec<i32>);

/// Carries out one statement and notes what it did. `sent` is what the statement before sent, for
/// the receiving end of a rendezvous.
fn replay_micro(
    interpreter: &mut Interpreter<'_>,
    work: &mut Work,
    micro: Micro,
    sent: &mut Sent,
) -> StepInfo {
    let model = interpreter.model;
    let pid = usize::from(micro.pid);
    let proctype = model.proctype(micro.proctype);
    let transition = &proctype.transitions[micro.transition as usize];
    let statement = model.statement(transition.statement);
    let mut before = Work::default();
    before.copy_from(work);
    let sends = message_of(interpreter, work, pid, transition);
    interpreter.executor.recording = Some(Recording::default());
    let mode = match micro.handshake {
        true => Mode::Handshake { channel: sent.0, message: &sent.1 },
        false => Mode::Alone,
    };
    // A trap here is the fault that the trace ends with: it is reported as such.
    let _ = interpreter.apply_micro(work, transition, pid, mode);
    let recording = interpreter.executor.recording.take().unwrap_or_default();
    *sent = sends;
    StepInfo {
        process: Some(sys::ProcessName { id: pid as u32, name: proctype.name.clone() }),
        function: String::new(),
        location: statement.location.clone(),
        text: statement.text.clone(),
        changes: changes(model, &before, work, pid),
        reads: Vec::new(),
        notes: Vec::new(),
        messages: recording.messages,
        output: recording.output,
        instructions: Vec::new(),
    }
}

fn message_of(
    interpreter: &Interpreter<'_>,
    work: &Work,
    pid: usize,
    transition: &Transition,
) -> Sent {
    let mut message = Vec::new();
    let mut channel = 0;
    if let Action::Send(send) = &transition.action {
        let env = interpreter.executor.env(work, pid);
        // What goes wrong here goes wrong again, and is seen, when the statement is carried out.
        let _ = env.queue(&send.channel).and_then(|queue| {
            channel = queue.id;
            env.message(send, queue.ty, &mut message)?;
            queue.ty.cut(&mut message);
            Ok(())
        });
    }
    (channel, message)
}

/// What differs between two states, seen by one process: globals, channels, its own locals. Only
/// what differs is formatted, for a trace can have many steps and a state many variables.
fn changes(model: &Model, before: &Work, after: &Work, pid: usize) -> Vec<Change> {
    let mut out = Vec::new();
    let at = model.globals_at() as usize;
    let both = (before.bytes.as_slice(), after.bytes.as_slice());
    list_changes(model, &model.globals.variables, both, at, "", &mut out);
    channel_changes(model, before, after, &mut out);
    if pid < after.process_count() {
        let frame = &model.proctype(before.proctype(pid)).locals;
        let at = (before.layout.processes[pid].offset + model.locals_at()) as usize;
        list_changes(model, &frame.variables, both, at, "", &mut out);
    }
    if before.process_count() != after.process_count() {
        let (before, after) =
            (before.process_count().to_string(), after.process_count().to_string());
        out.push(Change { name: "_nr_pr".into(), before, after });
    }
    out
}

fn list_changes(
    model: &Model,
    variables: &[Variable],
    (before, after): (&[u8], &[u8]),
    base: usize,
    prefix: &str,
    out: &mut Vec<Change>,
) {
    for variable in variables {
        let size = variable.element_size(&model.structs) as usize;
        for i in 0..variable.length.unwrap_or(1) as usize {
            let at = base + variable.offset as usize + i * size;
            if before[at..at + size] == after[at..at + size] {
                continue;
            }
            let name = element_name(prefix, variable, i);
            match variable.ty {
                VarType::Scalar(ty) => {
                    let value = |bytes| format_value(model, ty, ty.load(bytes, at));
                    out.push(Change { name, before: value(before), after: value(after) });
                }
                VarType::Struct(id) => {
                    let fields = &model.structs[id as usize].fields;
                    list_changes(model, fields, (before, after), at, &format!("{name}."), out);
                }
            }
        }
    }
}

fn channel_changes(model: &Model, before: &Work, after: &Work, out: &mut Vec<Change>) {
    let common = before.layout.channels.len().min(after.layout.channels.len());
    for (index, channel) in before.layout.channels[..common].iter().enumerate() {
        let at = channel.offset as usize;
        let range = at..at + model.channel_type(channel.ty).size() as usize;
        if before.bytes[range.clone()] != after.bytes[range] {
            let contents = |work| channel_contents(model, work, index);
            let name = channel_name(model, before, index);
            out.push(Change { name, before: contents(before), after: contents(after) });
        }
    }
}

/// The fault of a state in which nobody can move and somebody should.
pub fn deadlock(model: &Model, work: &Work) -> sys::Fault {
    let mut waiting = Vec::new();
    let mut location = None;
    for pid in 0..work.process_count() {
        let proctype = model.proctype(work.proctype(pid));
        let at = &proctype.locations[work.location(model, pid).0 as usize];
        if !at.is_end {
            let statement = model.statement(at.statement);
            location.get_or_insert_with(|| statement.location.clone());
            let name = process_name(model, work, pid);
            let (text, line) = (&statement.text, statement.location.line);
            waiting.push(format!("{name} waits at line {line}: {text}"));
        }
    }
    let message = format!("invalid end state (deadlock): {}", waiting.join("; "));
    sys::Fault::new("deadlock", message, location.unwrap_or_else(sys::Location::unknown))
}

pub fn unreached(model: &Model, covered: &[bool]) -> Vec<sys::Place> {
    let never = model.statements.iter().zip(covered).filter(|(s, covered)| s.counts && !**covered);
    let mut places: Vec<sys::Place> = never
        .map(|(s, _)| sys::Place {
            process: s.proctype.clone(),
            location: s.location.clone(),
            text: s.text.clone(),
        })
        .collect();
    places.sort_by(|a, b| a.location.cmp(&b.location));
    places.dedup();
    places
}

pub fn automata(model: &Model) -> Vec<Graph> {
    model.proctypes.iter().map(|proctype| automaton(model, proctype)).collect()
}

fn automaton(model: &Model, proctype: &Proctype) -> Graph {
    let reachable = reachable_locations(proctype);
    let number = |loc: LocId| reachable.iter().position(|l| *l == loc).unwrap_or(0);
    let mut graph = Graph { name: proctype.name.clone(), ..Graph::default() };
    for loc in &reachable {
        let location = &proctype.locations[loc.0 as usize];
        let kind = match location {
            _ if *loc == proctype.start => NodeKind::Initial,
            location if location.is_end => NodeKind::End,
            _ => NodeKind::Plain,
        };
        let line = model.statement(location.statement).location.line;
        let label = match location.labels.as_slice() {
            [] => format!("line {line}"),
            labels => labels.join(", "),
        };
        graph.nodes.push(GraphNode { label, kind });
        for transition in proctype.transitions_of(*loc) {
            let text = model.statement(transition.statement).text.clone();
            let to = number(transition.target);
            graph.edges.push(GraphEdge { from: number(*loc), to, label: text });
        }
    }
    add_gone(proctype, &reachable, &mut graph);
    graph
}

/// The end of a process leads nowhere: draw that as a place of its own.
fn add_gone(proctype: &Proctype, reachable: &[LocId], graph: &mut Graph) {
    let mut gone = None;
    let mut edge = 0;
    for loc in reachable {
        for transition in proctype.transitions_of(*loc) {
            if matches!(transition.action, Action::End) {
                let to = *gone.get_or_insert_with(|| {
                    graph.nodes.push(GraphNode { label: "gone".into(), kind: NodeKind::End });
                    graph.nodes.len() - 1
                });
                graph.edges[edge].to = to;
            }
            edge += 1;
        }
    }
}

fn reachable_locations(proctype: &Proctype) -> Vec<LocId> {
    let mut found = vec![proctype.start];
    let mut next = 0;
    while next < found.len() {
        for transition in proctype.transitions_of(found[next]) {
            if !found.contains(&transition.target) {
                found.push(transition.target);
            }
        }
        next += 1;
    }
    found
}
