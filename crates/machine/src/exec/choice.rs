//! Choices: a step is made again for each of their outcomes.

use super::{Cpu, Result, Stop};

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
    /// One of `0..of`. A step has one choice only, else those of a loop would multiply; but nothing
    /// comes between those of an atomic section. To be called before anything is changed.
    pub fn choose(&mut self, of: u32) -> Result<u32> {
        if of <= 1 {
            return Ok(0);
        }
        if self.step.script.at > 0 && self.thread.atomic == 0 {
            return Err(Stop::Pause);
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
