//! Choices: a step is made again for each of their outcomes.

use super::{Cpu, Result};

/// The choices of a step: what was chosen, and of how many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    choices: Vec<(u32, u32)>,
    /// How many have been made in this run.
    at: usize,
}

impl Script {
    /// The next outcome, in order; `None` after the last.
    pub fn next(mut self) -> Option<Script> {
        self.at = 0;
        while let Some((chosen, of)) = self.choices.pop() {
            if chosen + 1 < of {
                self.choices.push((chosen + 1, of));
                return Some(self);
            }
        }
        None
    }
}

impl Cpu<'_> {
    /// One of `0..of`.
    pub fn choose(&mut self, of: u32) -> Result<u32> {
        if of <= 1 {
            return Ok(0);
        }
        let script = &mut self.step.script;
        if script.at == script.choices.len() {
            script.choices.push((0, of));
        }
        let (chosen, _) = script.choices[script.at];
        script.at += 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.chose(chosen, of);
        }
        Ok(chosen)
    }
}
