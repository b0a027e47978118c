//! The explicit graph of a small system, for drawing.

use crate::State;
use auspex_system::{Explorer, Fault, Step, Successor, Successors, System};
use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    /// In the order of a breadth-first search.
    pub states: Vec<State>,
    pub initial: Vec<usize>,
    /// Faults met while building the initial states.
    pub initial_faults: Vec<(Step, Fault)>,
    pub edges: Vec<StateEdge>,
    /// There are more states than were asked for: edges to those are left out.
    pub cut_off: bool,
}

#[derive(Clone, Debug)]
pub struct StateEdge {
    pub from: usize,
    pub step: Step,
    pub to: EdgeEnd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeEnd {
    State(usize),
    Fault(Fault),
}

/// All states, or the `max_states` nearest to the beginning, and the steps between them.
pub fn graph<S: System>(system: &S, max_states: usize) -> StateGraph {
    let mut explorer = system.explorer();
    let mut out = Successors::new();
    let mut builder = Builder { graph: StateGraph::default(), numbers: HashMap::new(), max_states };
    explorer.initial(&mut out);
    builder.initial(&out);
    let mut from = 0;
    while from < builder.graph.states.len() {
        out.clear();
        explorer.successors(builder.graph.states[from].view(), &mut out);
        builder.edges(from, &out);
        from += 1;
    }
    builder.graph
}

struct Builder {
    graph: StateGraph,
    numbers: HashMap<State, usize>,
    max_states: usize,
}

impl Builder {
    fn initial(&mut self, out: &Successors) {
        for (step, successor) in out.iter() {
            match self.end(successor) {
                Some(EdgeEnd::State(state)) => self.graph.initial.push(state),
                Some(EdgeEnd::Fault(fault)) => self.graph.initial_faults.push((step, fault)),
                None => {}
            }
        }
    }

    fn edges(&mut self, from: usize, out: &Successors) {
        for (step, successor) in out.iter() {
            if let Some(to) = self.end(successor) {
                self.graph.edges.push(StateEdge { from, step, to });
            }
        }
    }

    fn end(&mut self, successor: Successor<'_>) -> Option<EdgeEnd> {
        match successor {
            Successor::Fault(fault) => Some(EdgeEnd::Fault(fault.clone())),
            other => self.number(other.state()?.into()).map(EdgeEnd::State),
        }
    }

    /// `None` for a new state that there is no more room for.
    fn number(&mut self, state: State) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&state) {
            return Some(number);
        }
        let number = self.graph.states.len();
        if number >= self.max_states {
            self.graph.cut_off = true;
            return None;
        }
        self.graph.states.push(state.clone());
        self.numbers.insert(state, number);
        Some(number)
    }
}
