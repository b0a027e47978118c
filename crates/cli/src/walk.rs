//! A walk through a system, one choice at a time, forwards and backwards.

use crate::story;
use auspex_report as report;
use auspex_search::{Replay, State, Trace};
use auspex_system::{Explorer, Fault, Step, Successor, Successors, System};

/// Where the walk stands and how it came there.
pub struct Walk {
    taken: Trace,
    states: Vec<State>,
    fault: Option<Fault>,
}

/// One thing that can happen next.
pub struct Choice {
    pub statements: Vec<report::Step>,
    pub fault: Option<Fault>,
}

impl Walk {
    /// Begins in one of the initial states; `None` if there is no such one.
    pub fn begin<S: System>(system: &S, initial: Step) -> Option<Self> {
        let mut out = Successors::new();
        system.explorer().initial(&mut out);
        let taken = Trace { initial, steps: Vec::new() };
        let mut walk = Walk { taken, states: Vec::new(), fault: None };
        walk.arrive(&out, initial).then_some(walk)
    }

    pub fn initial_states<S: System>(system: &S) -> usize {
        let mut out = Successors::new();
        system.explorer().initial(&mut out);
        out.len()
    }

    pub fn length(&self) -> usize {
        self.taken.steps.len()
    }

    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The state before the fault where there is one.
    pub fn state(&self) -> Option<&State> {
        self.states.last()
    }

    /// Whether the walk so far is the beginning of `trace`; then its next step.
    pub fn next_of(&self, trace: &Trace) -> Option<Step> {
        let (taken, asked) = (&self.taken, trace);
        let same = taken.initial == asked.initial && asked.steps.starts_with(&taken.steps);
        if same { asked.steps.get(self.length()).copied() } else { None }
    }

    pub fn choices<S: System>(&self, system: &S) -> Vec<Choice> {
        let Some(state) = self.here() else { return Vec::new() };
        let mut explorer = system.explorer();
        let mut out = Successors::new();
        explorer.successors(state.view(), &mut out);
        let number = self.length() + 1;
        out.iter()
            .map(|(step, successor)| Choice {
                statements: story::statements(&mut explorer, number, state, step),
                fault: match successor {
                    Successor::Fault(fault) => Some(fault.clone()),
                    _ => None,
                },
            })
            .collect()
    }

    /// What one of the choices would do.
    pub fn preview<S: System>(&self, system: &S, step: Step) -> Vec<report::Step> {
        let Some(state) = self.here() else { return Vec::new() };
        story::statements(&mut system.explorer(), self.length() + 1, state, step)
    }

    /// How many choices there are, without describing them.
    pub fn count<S: System>(&self, system: &S) -> usize {
        self.successors(system).len()
    }

    /// False where there is no such step.
    pub fn take<S: System>(&mut self, system: &S, step: Step) -> bool {
        let out = self.successors(system);
        let there = self.arrive(&out, step);
        if there {
            self.taken.steps.push(step);
        }
        there
    }

    pub fn back(&mut self) -> bool {
        if self.taken.steps.pop().is_none() {
            return false;
        }
        if self.fault.take().is_none() {
            self.states.pop();
        }
        true
    }

    /// What was done so far, told from `from` on.
    pub fn tell<S: System>(&self, system: &S, scope: story::Scope) -> report::Trace {
        let replay = Replay { states: self.states.clone(), fault: self.fault.clone() };
        story::tell(system, &replay, &self.taken.steps, scope)
    }

    /// The statements of the last step.
    pub fn last_step<S: System>(&self, system: &S) -> Vec<report::Step> {
        let Some(&step) = self.taken.steps.last() else { return Vec::new() };
        let from = &self.states[self.length() - 1];
        story::statements(&mut system.explorer(), self.length(), from, step)
    }

    fn here(&self) -> Option<&State> {
        if self.fault.is_some() { None } else { self.states.last() }
    }

    fn successors<S: System>(&self, system: &S) -> Successors {
        let mut out = Successors::new();
        if let Some(state) = self.here() {
            system.explorer().successors(state.view(), &mut out);
        }
        out
    }

    fn arrive(&mut self, out: &Successors, step: Step) -> bool {
        let index = step.0 as usize;
        if index >= out.len() {
            return false;
        }
        match out.get(index) {
            Successor::Fault(fault) => self.fault = Some(fault.clone()),
            other => self.states.extend(other.state().map(State::from)),
        }
        true
    }
}
