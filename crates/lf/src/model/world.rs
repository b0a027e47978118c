//! The world outside of a program that is checked: whatever it could answer, it answers.

use super::Model;
use crate::kernel::{Answer, Ways, World};
use crate::types::Scalar;
use auspex_system::Fault;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The choices of one way to carry out an action, and how to find the next way.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    choices: Vec<(usize, usize)>,
    pub(super) at: usize,
}

impl Script {
    fn choose(&mut self, ways: usize) -> usize {
        if self.at == self.choices.len() {
            self.choices.push((0, ways));
        }
        let (choice, _) = self.choices[self.at];
        self.at += 1;
        choice
    }

    /// Is there another way? It is the next one then.
    pub(super) fn advance(&mut self) -> bool {
        self.choices.truncate(self.at);
        self.at = 0;
        while let Some((choice, ways)) = self.choices.last_mut() {
            if *choice + 1 < *ways {
                *choice += 1;
                return true;
            }
            self.choices.pop();
        }
        false
    }
}

/// All that can be outside.
pub(super) struct AnyWorld<'a> {
    pub model: &'a Model,
    pub script: &'a mut Script,
    pub output: &'a mut Vec<u8>,
    pub interrupt: Option<&'a AtomicBool>,
}

impl World for AnyWorld<'_> {
    fn choose(&mut self, ways: usize, _: Ways) -> usize {
        if ways <= 1 { 0 } else { self.script.choose(ways) }
    }

    fn output(&mut self, text: &[u8]) {
        self.output.extend_from_slice(text);
    }

    fn input(&mut self, scalar: Scalar) -> Answer {
        let (low, high) = scalar.range();
        let (low, high) = match self.model.options.input_range {
            // What the variable cannot hold is left out; where nothing is left, all of it counts.
            Some((from, to)) if scalar.is_integer() && from.max(low) <= to.min(high) => {
                (from.max(low), to.min(high))
            }
            _ => (low, high),
        };
        let count = high.checked_sub(low).and_then(|span| usize::try_from(span).ok());
        let value = match count {
            Some(count) if count < 1 << 16 => low + self.script.choose(count + 1) as i64,
            _ => {
                self.model.sampled.store(true, Relaxed);
                let samples = [0, 1, -1, low, high].map(|value: i64| value.clamp(low, high));
                samples[self.script.choose(samples.len())]
            }
        };
        Answer::Value(value)
    }

    fn clock(&mut self) -> Answer {
        let why = "the time is not known when a program is checked: let a process give it";
        Answer::Unknown(Fault::UNSUPPORTED, why.to_owned())
    }

    fn host_in(&mut self, address: i64, _: u8) -> Answer {
        no_device(address)
    }

    fn host_out(&mut self, address: i64, _: i64, _: u8) -> Answer {
        no_device(address)
    }

    fn is_interrupted(&mut self) -> bool {
        self.interrupt.is_some_and(|flag| flag.load(Relaxed))
    }

    fn looks_for_loops(&self) -> bool {
        true
    }
}

fn no_device(address: i64) -> Answer {
    let address = crate::print::hex(address);
    let why = format!(
        "no device answers at address {address}: close the program (`auspex close` writes an environment)"
    );
    Answer::Unknown("port", why)
}
