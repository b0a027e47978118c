//! A trace step by step: who moved, where, with what statement, and what that changed.

use crate::data::{
    Change, Fault, Finding, Location, Message, MessageKind, State, Step, Trace, Variable,
};
use crate::human::{Detail, headline};
use crate::source;
use crate::style::{self, BAD, CHANGE, DIM, PROCESS, STRONG, paint};
use auspex_system::SourceMap;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Statements longer than this push what follows out of its column rather than widen it.
const WIDEST_STATEMENT: usize = 48;

/// A fault's message is written beside its line if it is no longer than this.
const LONGEST_LABEL: usize = 50;

/// The value of a variable that has none yet.
const UNDEFINED: &str = "?";

/// One line a statement, in columns.
pub fn write_steps(out: &mut dyn Write, trace: &Trace, detail: &Detail) -> io::Result<()> {
    let columns = Columns::fit(trace.steps());
    if let Some(initial) = &trace.initial {
        writeln!(out, "{}", paint(DIM, "initial state"))?;
        write_snapshot(out, initial, None, detail)?;
    }
    let mut previous = Previous { number: 0, step: None, state: trace.initial.as_ref() };
    for step in &trace.prefix {
        columns.write(out, step, &mut previous, detail)?;
    }
    if !trace.cycle.is_empty() {
        writeln!(out, "{}", paint(STRONG, "and then for ever:"))?;
    }
    for step in &trace.cycle {
        columns.write(out, step, &mut previous, detail)?;
    }
    Ok(())
}

/// What the next line is compared with.
struct Previous<'a> {
    number: usize,
    step: Option<&'a Step>,
    state: Option<&'a State>,
}

struct Columns {
    number: usize,
    process: usize,
    location: usize,
    text: usize,
}

impl Columns {
    fn fit<'a>(steps: impl Iterator<Item = &'a Step>) -> Self {
        let mut columns = Columns { number: 2, process: 0, location: 0, text: 0 };
        for step in steps {
            columns.number = columns.number.max(step.step.to_string().len());
            columns.process = columns.process.max(process_name(step).width());
            columns.location = columns.location.max(spot(step).width());
            columns.text = columns.text.max(style::clean(&step.text).width());
        }
        columns.text = columns.text.min(WIDEST_STATEMENT);
        columns
    }

    fn write<'a>(
        &self,
        out: &mut dyn Write,
        step: &'a Step,
        previous: &mut Previous<'a>,
        detail: &Detail,
    ) -> io::Result<()> {
        if step.is_idle_like(previous.step) {
            return Ok(());
        }
        // The statements of one atomic step stand under one number.
        let number = match step.step == previous.number {
            true => String::new(),
            false => step.step.to_string(),
        };
        let what = [effects(step), watch_changes(step, previous.state)].concat().join("  ");
        let line = format!(
            "{}  {}  {}  {}  {what}",
            paint(DIM, format!("{number:>width$}", width = self.number)),
            paint(PROCESS, style::pad(&process_name(step), self.process)),
            paint(DIM, style::pad(&spot(step), self.location)),
            style::pad(&style::clean(&step.text), self.text),
        );
        writeln!(out, "{}", line.trim_end())?;
        self.write_output(out, step)?;
        self.write_instructions(out, step)?;
        if let Some(state) = &step.state {
            if detail.full {
                write_snapshot(out, state, previous.state, detail)?;
            }
            previous.state = Some(state);
        }
        previous.number = step.step;
        previous.step = Some(step);
        Ok(())
    }

    fn offer(&self, offer: &Offer) -> String {
        let fault = offer.fault.as_ref().map(|fault| paint(BAD, format!("✗ {}", headline(fault))));
        let fault = fault.unwrap_or_default();
        let Some(first) = offer.statements.first() else { return fault };
        let more = match offer.statements.len() {
            1 => String::new(),
            count => paint(DIM, format!("+{}", style::counted(count as u64 - 1, "statement"))),
        };
        format!(
            "{}  {}  {}  {more}  {fault}",
            paint(PROCESS, style::pad(&process_name(first), self.process)),
            paint(DIM, style::pad(&spot(first), self.location)),
            style::pad(&style::clean(&first.text), self.text),
        )
    }

    fn indent(&self) -> String {
        " ".repeat(self.number + self.process + self.location + 6)
    }

    fn write_instructions(&self, out: &mut dyn Write, step: &Step) -> io::Result<()> {
        let indent = self.indent();
        for line in &step.instructions {
            writeln!(out, "{indent}{}", paint(DIM, style::clean(line)))?;
        }
        Ok(())
    }

    /// What the statement printed, line by line.
    fn write_output(&self, out: &mut dyn Write, step: &Step) -> io::Result<()> {
        let indent = self.indent();
        for line in step.output.lines() {
            writeln!(out, "{indent}{} {}", paint(DIM, "│"), style::clean(line))?;
        }
        Ok(())
    }
}

fn process_name(step: &Step) -> String {
    step.process.as_ref().map_or_else(String::new, |process| process.to_string())
}

/// The file without its directories: the full path is in the fault and in the JSON.
pub fn place(at: &Location) -> String {
    if at.line == 0 {
        return String::new();
    }
    let name = at.file.rsplit('/').next().unwrap_or(&at.file);
    format!("{name}:{}", at.line)
}

/// Where a statement stands: the function too, unless it is the one that the thread is named after.
fn spot(step: &Step) -> String {
    let place = place(&step.location);
    let named = step.process.as_ref().is_some_and(|process| process.name == step.function);
    match step.function.as_str() {
        "" => place,
        _ if named => place,
        function => format!("{place} {function}()"),
    }
}

/// Messages, notes, changed variables and those read, each a few coloured words.
fn effects(step: &Step) -> Vec<String> {
    let is_channel = |change: &&Change| step.messages.iter().any(|m| m.channel_name == change.name);
    let messages = step.messages.iter().map(|message| {
        let queue = step.changes.iter().find(|change| change.name == message.channel_name);
        paint(STRONG, message_words(message, queue))
    });
    let notes = step.notes.iter().map(|note| paint(STRONG, style::clean(note)));
    let changes = step.changes.iter().filter(|c| !is_channel(c)).map(change);
    messages.chain(notes).chain(changes).chain(reads(step)).collect()
}

/// What was read and not written by the same statement: that is seen in its change.
fn reads(step: &Step) -> Option<String> {
    let seen = |read: &&Variable| !step.changes.iter().any(|change| change.name == read.name);
    let text = |read: &Variable| format!("{} = {}", read.name, style::clean(&read.value));
    let read: Vec<String> = step.reads.iter().filter(seen).map(text).collect();
    (!read.is_empty()).then(|| paint(DIM, format!("(reads {})", read.join(", "))))
}

/// What happened to a message, and what its channel holds now.
fn message_words(message: &Message, queue: Option<&Change>) -> String {
    let (channel, text) = (&message.channel_name, style::clean(&message.text));
    let now = queue.map(|change| format!(", now {}", style::clean(&change.after)));
    let now = now.unwrap_or_default();
    match message.kind {
        MessageKind::Sent => format!("sends {text} to {channel}{now}"),
        MessageKind::Received => format!("receives {text} from {channel}{now}"),
        MessageKind::Copied => format!("reads {text} in {channel}"),
        MessageKind::Lost => format!("loses {text}, {channel} is full"),
    }
}

fn change(change: &Change) -> String {
    let Change { name, before, after } = change;
    if before == UNDEFINED {
        return paint(CHANGE, format!("{name} = {}", style::clean(after)));
    }
    paint(CHANGE, format!("{name}: {} -> {}", style::clean(before), style::clean(after)))
}

/// The user's own expressions, where their value is another than before.
fn watch_changes(step: &Step, previous: Option<&State>) -> Vec<String> {
    let Some(state) = &step.state else { return Vec::new() };
    let before = |name: &str| {
        let watched = &previous?.watched;
        watched.iter().find(|variable| variable.name == name).map(|v| v.value.as_str())
    };
    let changed = state.watched.iter().filter(|v| before(&v.name) != Some(&v.value));
    changed
        .map(|v| match before(&v.name) {
            Some(old) => paint(CHANGE, format!("({}): {old} -> {}", v.name, v.value)),
            None => paint(CHANGE, format!("({}) = {}", v.name, v.value)),
        })
        .collect()
}

fn write_snapshot(
    out: &mut dyn Write,
    state: &State,
    previous: Option<&State>,
    detail: &Detail,
) -> io::Result<()> {
    if detail.full {
        return write_state_against(out, state, previous);
    }
    write_watched(out, &state.watched)
}

/// A whole state: one line a section.
pub fn write_state(out: &mut dyn Write, state: &State) -> io::Result<()> {
    write_state_against(out, state, None)
}

/// A step that could be taken next.
#[derive(Clone, Debug)]
pub struct Offer {
    pub statements: Vec<Step>,
    /// It goes wrong.
    pub fault: Option<Fault>,
}

/// What can happen next, numbered from 1; `marked` counts from 0.
pub fn write_offers(out: &mut dyn Write, offers: &[Offer], marked: usize) -> io::Result<()> {
    let first = |offer: &Offer| offer.statements.first().cloned();
    let firsts: Vec<Step> = offers.iter().filter_map(first).collect();
    let columns = Columns::fit(firsts.iter());
    writeln!(out)?;
    for (index, offer) in offers.iter().enumerate() {
        let mark = if index == marked { paint(STRONG, ">") } else { " ".to_string() };
        let number = paint(STRONG, format!("{:>3})", index + 1));
        writeln!(out, "{mark}{number} {}", columns.offer(offer).trim_end())?;
    }
    Ok(())
}

fn write_state_against(
    out: &mut dyn Write,
    state: &State,
    previous: Option<&State>,
) -> io::Result<()> {
    let width = state.sections.iter().map(|section| section.title.width()).max().unwrap_or(0);
    for section in &state.sections {
        let title = paint(PROCESS, style::pad(&section.title, width));
        let at = section.location.as_ref().map(place).unwrap_or_default();
        let old =
            previous.and_then(|state| state.sections.iter().find(|old| old.title == section.title));
        let values = section.variables.iter().map(|variable| {
            let same = previous.is_none()
                || old.is_some_and(|old| old.variables.iter().any(|v| v == variable));
            value(variable, same)
        });
        let words: Vec<_> =
            (!at.is_empty()).then(|| paint(DIM, at)).into_iter().chain(values).collect();
        let line = format!("      {title}  {}", words.join("  "));
        writeln!(out, "{}", line.trim_end())?;
    }
    write_watched(out, &state.watched)
}

fn write_watched(out: &mut dyn Write, watched: &[Variable]) -> io::Result<()> {
    for variable in watched {
        writeln!(
            out,
            "      {}",
            paint(CHANGE, format!("({}) = {}", variable.name, variable.value))
        )?;
    }
    Ok(())
}

fn value(variable: &Variable, same: bool) -> String {
    let text = format!("{} = {}", variable.name, style::clean(&variable.value));
    if same { text } else { paint(CHANGE, text) }
}

/// The fault with its source line; for a deadlock also where everybody is stuck.
pub fn write_fault(out: &mut dyn Write, finding: &Finding, sources: &SourceMap) -> io::Result<()> {
    let Finding { fault, .. } = finding;
    writeln!(out, "{}", paint(BAD, format!("✗ {}", headline(fault))))?;
    if fault.kind == "deadlock" && write_stuck(out, finding, sources)? {
        return Ok(());
    }
    write_excerpt(out, fault, sources)
}

fn write_excerpt(out: &mut dyn Write, fault: &Fault, sources: &SourceMap) -> io::Result<()> {
    let label = match fault.kind.as_str() {
        "assertion" => "is false here",
        // A long message stands above, once.
        _ if fault.message.width() > LONGEST_LABEL => "here",
        _ => &fault.message,
    };
    match source::excerpt(sources, &fault.location, label) {
        Some(text) => write!(out, "{text}"),
        // A formula of the command line stands nowhere.
        None if fault.location.line == 0 => Ok(()),
        None => writeln!(out, "  at {}", fault.location),
    }
}

/// Where each process stands in the last state, and what it waits for if that is known; false
/// where neither is.
fn write_stuck(out: &mut dyn Write, finding: &Finding, sources: &SourceMap) -> io::Result<bool> {
    let Some(state) = &finding.trace.last else { return Ok(false) };
    // The message goes on as `main[0] waits for ...; inc[1] waits for ...`.
    let reasons = finding.fault.message.split_once(": ").map_or("", |(_, reasons)| reasons);
    let reason = |title: &str| {
        let reason = reasons.split("; ").find_map(|reason| reason.strip_prefix(title));
        reason.filter(|reason| reason.starts_with(' ')).unwrap_or_default()
    };
    let mut stuck: Vec<_> = state
        .sections
        .iter()
        .filter_map(|section| Some((section.title.as_str(), section.location.as_ref()?)))
        // Where a process is inside several functions, the innermost comes first.
        .map(|(title, at)| (title.split_once(' ').map_or(title, |(process, _)| process), at))
        .collect();
    stuck.dedup_by_key(|(title, _)| *title);
    let width = stuck.iter().map(|(title, _)| title.width()).max().unwrap_or(0);
    let places = stuck.iter().map(|(_, at)| place(at).width()).max().unwrap_or(0);
    let line_of = |at| source::line_of(sources, at).map(style::clean).unwrap_or_default();
    let lines = stuck.iter().map(|(_, at)| line_of(at).width()).max().unwrap_or(0);
    for (title, at) in &stuck {
        let line = style::pad(&line_of(at), lines.min(WIDEST_STATEMENT));
        let (name, at) = (style::pad(title, width), style::pad(&place(at), places));
        let reason = style::clean(reason(title));
        let line = format!("  {}  {}  {line} {reason}", paint(PROCESS, name), paint(DIM, at));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(!stuck.is_empty())
}
