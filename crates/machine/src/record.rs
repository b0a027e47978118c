//! What a step does, noted down for people.

use crate::code::{Program, Reg};
use crate::exec::Place;
use crate::value::Value;
use crate::work::{Frame, Thread, Work};

/// Everything noted during one step.
#[derive(Debug, Default)]
pub struct Recorder {
    pub lines: Vec<Line>,
}

/// One line of the source that was executed.
#[derive(Debug, Default)]
pub struct Line {
    pub function: u32,
    pub pc: u32,
    pub depth: usize,
    pub source: Option<(String, u32)>,
    pub events: Vec<String>,
    pub output: String,
}

impl Recorder {
    /// An instruction is about to be executed.
    pub fn at(&mut self, program: &Program, thread: &Thread) {
        let _ = (program, thread);
    }

    pub fn chose(&mut self, chosen: u32, of: u32) {
        self.event(format!("chooses {chosen} of {of}"));
    }

    pub fn event(&mut self, text: String) {
        if let Some(line) = self.lines.last_mut() {
            line.events.push(text);
        }
    }

    pub fn print(&mut self, text: &str) {
        if let Some(line) = self.lines.last_mut() {
            line.output.push_str(text);
        }
    }

    pub fn set_local(&mut self, _: &Program, _: &Work, _: &Thread, _: Reg, _: Value) {}

    pub fn writes(&mut self, _: &Program, _: &Work, _: &Thread, _: Place, _: u32) {}

    pub fn reads(&mut self, _: &Program, _: &Work, _: &Thread, _: Place, _: u32) {}

    pub fn returned(&mut self, _: &Program, _: &Frame, _: &[Value]) {}
}
