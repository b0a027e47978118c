//! A trace as a sequence of messages between processes: the data behind every chart of it.

use crate::data::{Fault, Message, MessageKind, Process, Step, Trace};
use std::collections::HashMap;

/// Lifelines, what happens on them row by row, and the arrows between them.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    pub lifelines: Vec<String>,
    pub rows: Vec<Row>,
    pub arrows: Vec<Arrow>,
}

/// One executed statement, or the fault at the end.
#[derive(Clone, Debug)]
pub struct Row {
    pub step: usize,
    pub lifeline: usize,
    pub text: String,
    /// For tooltips: where it stands in the source and what it changed.
    pub details: String,
    pub is_fault: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub text: String,
    pub channel: String,
    pub sent: Option<Spot>,
    pub received: Option<Spot>,
    pub fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub row: usize,
    pub lifeline: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Still in its channel at the end of the trace, unless it was received.
    Ordinary,
    /// Read, and left where it was.
    Copied,
    /// Dropped because the channel was full.
    Lost,
}

impl Sequence {
    /// The chart of a trace, and of the fault that it ends with.
    pub fn new(trace: &Trace, fault: Option<&Fault>) -> Self {
        let steps: Vec<&Step> = trace.steps().collect();
        let processes = processes(&steps);
        let mut sequence = Sequence {
            lifelines: processes.iter().map(name).collect(),
            rows: steps.iter().map(|step| row(step, &processes)).collect(),
            arrows: Vec::new(),
        };
        sequence.arrows = arrows(&steps, &sequence.rows);
        if let Some(fault) = fault {
            sequence.push_fault(fault, trace.len());
        }
        sequence
    }

    pub fn has_messages(&self) -> bool {
        !self.arrows.is_empty()
    }

    fn push_fault(&mut self, fault: &Fault, step: usize) {
        let lifeline = self.rows.last().map_or(0, |row| row.lifeline);
        if self.lifelines.is_empty() {
            self.lifelines.push("system".to_string());
        }
        let (text, details) = (crate::human::headline(fault), fault.location.to_string());
        self.rows.push(Row { step, lifeline, text, details, is_fault: true });
    }
}

/// By process number; a number that was used twice gives two lifelines.
fn processes(steps: &[&Step]) -> Vec<Option<Process>> {
    let mut seen: Vec<Option<Process>> = Vec::new();
    for step in steps {
        if !seen.contains(&step.process) {
            seen.push(step.process.clone());
        }
    }
    seen.sort_by_key(|process| process.as_ref().map(|p| p.id));
    seen
}

fn name(process: &Option<Process>) -> String {
    process.as_ref().map_or_else(|| "system".to_string(), Process::to_string)
}

fn row(step: &Step, processes: &[Option<Process>]) -> Row {
    let changes = step.changes.iter().map(|c| format!("{}: {} -> {}", c.name, c.before, c.after));
    let mut details = vec![step.location.to_string()];
    details.extend(changes);
    details.extend(step.notes.iter().cloned());
    if !step.output.is_empty() {
        details.push(format!("prints: {}", step.output.trim_end()));
    }
    Row {
        step: step.step,
        lifeline: processes.iter().position(|p| *p == step.process).unwrap_or(0),
        text: step.text.clone(),
        details: details.join("\n"),
        is_fault: false,
    }
}

/// Pairs sends with receives by replaying what each channel holds.
fn arrows(steps: &[&Step], rows: &[Row]) -> Vec<Arrow> {
    let mut pairing = Pairing::default();
    for (index, step) in steps.iter().enumerate() {
        let spot = Spot { row: index, lifeline: rows[index].lifeline };
        for message in &step.messages {
            pairing.add(message, spot);
        }
    }
    pairing.arrows
}

#[derive(Default)]
struct Pairing {
    arrows: Vec<Arrow>,
    /// Per channel the arrows of the messages in it, head first.
    queues: HashMap<u32, Vec<usize>>,
}

impl Pairing {
    fn add(&mut self, message: &Message, spot: Spot) {
        match message.kind {
            MessageKind::Sent => self.send(message, spot),
            MessageKind::Lost => self.push(message, Some(spot), None, Fate::Lost),
            MessageKind::Copied => self.push(message, None, Some(spot), Fate::Copied),
            MessageKind::Received => self.receive(message, spot),
        }
    }

    fn push(&mut self, message: &Message, sent: Option<Spot>, received: Option<Spot>, fate: Fate) {
        let (text, channel) = (message.text.clone(), message.channel_name.clone());
        self.arrows.push(Arrow { text, channel, sent, received, fate });
    }

    fn send(&mut self, message: &Message, spot: Spot) {
        self.push(message, Some(spot), None, Fate::Ordinary);
        let queue = self.queues.entry(message.channel).or_default();
        let at = (message.position as usize).min(queue.len());
        queue.insert(at, self.arrows.len() - 1);
    }

    fn receive(&mut self, message: &Message, spot: Spot) {
        let queue = self.queues.entry(message.channel).or_default();
        let at = message.position as usize;
        if at >= queue.len() {
            return self.push(message, None, Some(spot), Fate::Ordinary);
        }
        let arrow = &mut self.arrows[queue.remove(at)];
        arrow.received = Some(spot);
        if message.handshake {
            // Both ends happen at once: draw them in one row.
            arrow.sent = arrow.sent.map(|sent| Spot { row: spot.row, ..sent });
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::data::Location;

    /// `(process, kind, channel, position, handshake, text)`
    pub type Sketch = (u32, MessageKind, u32, u32, bool, &'static str);

    pub fn trace(sketch: &[Sketch]) -> Trace {
        let steps = sketch.iter().enumerate().map(|(i, sketch)| step(i, *sketch));
        Trace { prefix: steps.collect(), ..Trace::default() }
    }

    fn step(index: usize, (process, kind, channel, position, handshake, text): Sketch) -> Step {
        let channel_name = format!("c{channel}");
        let text = text.to_string();
        let mark = if kind == MessageKind::Sent { '!' } else { '?' };
        Step {
            step: index + 1,
            process: Some(Process { id: process, name: "p".into() }),
            function: String::new(),
            location: Location { file: "a.pml".into(), line: index as u32 + 1, column: 1 },
            text: format!("{channel_name}{mark}{text}"),
            changes: Vec::new(),
            reads: Vec::new(),
            notes: Vec::new(),
            messages: vec![Message { kind, channel, channel_name, position, handshake, text }],
            output: String::new(),
            instructions: Vec::new(),
            state: None,
        }
    }

    #[test]
    fn receives_find_the_message_that_they_take() {
        use MessageKind::{Copied, Received, Sent};
        let sequence = Sequence::new(
            &trace(&[
                (0, Sent, 1, 0, false, "a"),
                (0, Sent, 1, 1, false, "b"),
                (0, Sent, 1, 0, false, "c"),
                (1, Copied, 1, 0, false, "c"),
                (1, Received, 1, 2, false, "b"),
                (0, Sent, 2, 0, true, "h"),
                (1, Received, 2, 0, true, "h"),
                (1, Received, 1, 0, false, "c"),
            ]),
            None,
        );
        let ends = |text: &str| {
            let arrow = sequence.arrows.iter().find(|arrow| arrow.text == text).unwrap();
            (arrow.sent.map(|s| s.row), arrow.received.map(|s| s.row))
        };
        assert_eq!(ends("a"), (Some(0), None));
        assert_eq!(ends("b"), (Some(1), Some(4)));
        assert_eq!(ends("c"), (Some(2), Some(7)));
        assert_eq!(ends("h"), (Some(6), Some(6)));
        assert_eq!(sequence.arrows[3].fate, Fate::Copied);
        assert_eq!(sequence.lifelines, ["p[0]", "p[1]"]);
    }

    #[test]
    fn a_receive_without_its_send_is_drawn_alone() {
        let sketch = [(3, MessageKind::Received, 1, 5, false, "x")];
        let sequence = Sequence::new(&trace(&sketch), None);
        assert_eq!(sequence.arrows[0].sent, None);
    }
}
