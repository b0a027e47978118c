//! States for people: who stands where, what variables hold, who waits for whom.

use crate::code::{Object, Op, Place, VariableCode};
use crate::kernel::{Channel, Id, Kernel, Process, Status};
use crate::types::{Scalar, TypeId, load};
use auspex_system::{Fault, ProcessName, Section, Variable};

/// Where a process stands.
pub fn place_of<'o>(object: &'o Object, process: &Process) -> Option<&'o Place> {
    let pc = object.behind_jumps(process.pc);
    match object.statement_at(pc) {
        Some(statement) => object.debug.places.get(statement.place as usize),
        None => object.place_at(pc),
    }
}

pub fn name_of(object: &Object, id: Id, process: &Process) -> ProcessName {
    let code = object.processes.get(process.code as usize);
    ProcessName { id: id.into(), name: code.map_or_else(String::new, |code| code.name.clone()) }
}

pub fn show_value(object: &Object, ty: TypeId, value: i64) -> String {
    object.debug.types.show_value(ty, &value.to_le_bytes())
}

/// The variables of modules, and their values.
pub fn globals(kernel: &Kernel<'_>) -> Vec<Variable> {
    let debug = &kernel.object.debug;
    debug.globals.iter().map(|variable| shown(kernel, variable, &kernel.globals, 0, "")).collect()
}

/// How many activation records of a process are shown: the innermost ones.
const SHOWN_FRAMES: usize = 20;

/// The variables of the activation records of a process.
pub fn locals(kernel: &Kernel<'_>, process: &Process) -> Vec<Variable> {
    let mut all = Vec::new();
    let hidden = process.frames.len().saturating_sub(SHOWN_FRAMES);
    for (index, frame) in process.frames.iter().enumerate().skip(hidden) {
        let variables = kernel.object.debug.locals.get(frame.process as usize);
        // What a call has is told apart by the name of what was called.
        let code = kernel.object.processes.get(frame.process as usize);
        let prefix = match code {
            Some(code) if index > 0 => format!("{}.", code.name),
            _ => String::new(),
        };
        let variables = variables.into_iter().flatten().filter(|variable| !variable.by_reference);
        all.extend(variables.map(|v| shown(kernel, v, &process.bytes, frame.base, &prefix)));
    }
    all
}

fn shown(
    kernel: &Kernel<'_>,
    variable: &VariableCode,
    memory: &[u8],
    base: u32,
    prefix: &str,
) -> Variable {
    let bytes = memory.get((base + variable.offset) as usize..).unwrap_or(&[]);
    let value = kernel.object.debug.types.show_value(variable.ty, bytes);
    Variable { name: format!("{prefix}{}", variable.name), value }
}

pub fn sections(kernel: &Kernel<'_>) -> Vec<Section> {
    let mut sections = Vec::new();
    let variables = globals(kernel);
    if !variables.is_empty() {
        sections.push(Section { title: "globals".to_owned(), location: None, variables });
    }
    let object = kernel.object;
    for (index, process) in kernel.processes.iter().enumerate() {
        let Some(process) = process else { continue };
        let name = name_of(object, index as Id, process);
        let mut variables = locals(kernel, process);
        if process.status != Status::Ready {
            let value = waits_for(kernel, process);
            variables.insert(0, Variable { name: "(waits)".to_owned(), value });
        }
        sections.push(Section {
            title: format!("{}[{index}]", name.name),
            location: Some(object.location(place_of(object, process))),
            variables,
        });
    }
    for (index, channel) in kernel.channels.iter().enumerate() {
        let Some(channel) = channel else { continue };
        let variables = queues(kernel, channel);
        if !variables.is_empty() {
            let title = channel_name(kernel, index as u16);
            sections.push(Section { title, location: None, variables });
        }
    }
    sections
}

fn queues(kernel: &Kernel<'_>, channel: &Channel) -> Vec<Variable> {
    let code = kernel.object.channels.get(channel.kind as usize);
    let mut all = Vec::new();
    for (index, queues) in channel.messages.iter().enumerate() {
        let message = code.and_then(|code| code.messages.get(index));
        let message = message.map_or("?", |message| message.name.as_str());
        let kinds =
            [("!", &queues.senders), ("?", &queues.receivers), (" select", &queues.selecting)];
        for (sign, queue) in kinds {
            if !queue.is_empty() {
                let ids: Vec<String> = queue.iter().map(Id::to_string).collect();
                all.push(Variable { name: format!("{message}{sign}"), value: ids.join(", ") });
            }
        }
    }
    all
}

/// A channel by the name of a port of a module that leads to it; by its number where there is none.
pub fn channel_name(kernel: &Kernel<'_>, channel: u16) -> String {
    let types = &kernel.object.debug.types;
    for variable in &kernel.object.debug.globals {
        let mut ports = Vec::new();
        types.ports(variable.ty, variable.offset, &mut ports);
        let leads_there = |at: &u32| {
            let bytes = kernel.globals.get(*at as usize..).unwrap_or(&[]);
            load(Scalar::Port, bytes) == i64::from(channel) + 1
        };
        let Some(index) = ports.iter().position(leads_there) else { continue };
        let is_single = types.as_scalar(variable.ty).is_some();
        return if is_single {
            variable.name.clone()
        } else {
            format!("{}[{index}]", variable.name)
        };
    }
    format!("channel {}", channel + 1)
}

/// What a process that cannot go on is waiting for.
pub fn waits_for(kernel: &Kernel<'_>, process: &Process) -> String {
    if process.status == Status::Waiting {
        return "for the processes that it has created".to_owned();
    }
    let offers = process.offers.iter().filter_map(|offer| {
        let Op::Clause(clause) = kernel.object.code.get(offer.site as usize)? else { return None };
        let channel = kernel.object.channels.get(clause.channel as usize)?;
        let message = channel.messages.get(clause.message as usize)?;
        let verb = if clause.is_send { "send" } else { "receive" };
        let channel = channel_name(kernel, offer.channel);
        Some(format!("to {verb} {} on {channel}", message.name))
    });
    offers.collect::<Vec<_>>().join(" or ")
}

/// Nobody can act.
pub fn deadlock(kernel: &Kernel<'_>) -> Fault {
    let object = kernel.object;
    let stuck: Vec<(Id, &Process)> = kernel
        .processes
        .iter()
        .enumerate()
        .filter_map(|(index, process)| Some((index as Id, process.as_deref()?)))
        .collect();
    let told: Vec<String> = stuck
        .iter()
        .map(|(id, process)| {
            let name = name_of(object, *id, process).name;
            let line = place_of(object, process).map_or(0, |place| place.line);
            format!("{name}[{id}] waits {} (line {line})", waits_for(kernel, process))
        })
        .collect();
    // Who communicates is nearer to the reason than who waits for others to end.
    let culprit = stuck.iter().find(|(_, process)| process.status != Status::Waiting);
    let place = culprit.or(stuck.first()).and_then(|(_, process)| place_of(object, process));
    Fault::new("deadlock", format!("deadlock: {}", told.join("; ")), object.location(place))
}
