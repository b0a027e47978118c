//! Re-executes a trace with a fresh explorer, outside any store.

use crate::Trace;
use auspex_system::{Explorer, Fault, StateRef, Step, Successor, Successors, System};
use std::fmt;

/// A state that owns its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub bytes: Vec<u8>,
    pub cuts: Vec<u32>,
}

impl State {
    pub fn view(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }
}

impl From<StateRef<'_>> for State {
    fn from(state: StateRef<'_>) -> Self {
        State { bytes: state.bytes.to_vec(), cuts: state.cuts.to_vec() }
    }
}

/// What happened along a trace.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The initial state and the state behind each step that has one: the fault has none.
    pub states: Vec<State>,
    /// The fault that the last step gives, if it gives one.
    pub fault: Option<Fault>,
}

/// The trace is not one of this system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    NoSuchInitial {
        step: Step,
        choices: usize,
    },
    /// `at` counts from 0 in the steps of the trace.
    NoSuchStep {
        at: usize,
        step: Step,
        choices: usize,
    },
    /// A step goes wrong before the end of the trace.
    EarlyFault {
        at: usize,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoSuchInitial { step, choices } => {
                write!(f, "the trace begins in initial state {} of {choices}", step.0)
            }
            ReplayError::NoSuchStep { at, step, choices } => {
                let (at, step) = (at + 1, step.0);
                write!(f, "step {at} takes choice {step}, but there are {choices} choices")
            }
            ReplayError::EarlyFault { at } => {
                write!(f, "the trace goes on behind the fault in step {at}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

pub fn replay<S: System>(system: &S, trace: &Trace) -> Result<Replay, ReplayError> {
    let mut explorer = system.explorer();
    let mut out = Successors::new();
    explorer.initial(&mut out);
    let step = trace.initial;
    let none = ReplayError::NoSuchInitial { step, choices: out.len() };
    let mut replay = Replay { states: Vec::new(), fault: None };
    replay.take(pick(&out, step).ok_or(none)?);
    for (at, &step) in trace.steps.iter().enumerate() {
        if replay.fault.is_some() {
            return Err(ReplayError::EarlyFault { at });
        }
        out.clear();
        explorer.successors(replay.states[replay.states.len() - 1].view(), &mut out);
        let none = ReplayError::NoSuchStep { at, step, choices: out.len() };
        replay.take(pick(&out, step).ok_or(none)?);
    }
    Ok(replay)
}

impl Replay {
    fn take(&mut self, successor: Successor<'_>) {
        match successor {
            Successor::Fault(fault) => self.fault = Some(fault.clone()),
            other => self.states.extend(other.state().map(State::from)),
        }
    }
}

fn pick(out: &Successors, step: Step) -> Option<Successor<'_>> {
    let index = step.0 as usize;
    (index < out.len()).then(|| out.get(index))
}
