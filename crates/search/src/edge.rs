//! Edges of the graph that a search explores, and the steps of the system behind them.

use crate::Trace;
use crate::replay::State;
use auspex_system::{Explorer, Step, Successors, System};

/// How a search goes from one state to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Which reduced expansion of the state; `None`: all its successors.
    pub choice: Option<u8>,
    /// Its number there.
    pub step: Step,
}

/// Reduced expansions that are tried in a state before it is expanded in full.
pub(crate) const MOST_CHOICES: u8 = 4;

/// No system has it. A trace with it fails to replay, as it should: the system did not give the
/// same successors again.
pub(crate) const NO_STEP: Step = Step(u32::MAX);

/// From an initial state along the edges.
#[derive(Debug)]
pub(crate) struct Way {
    pub initial: Step,
    pub edges: Vec<Edge>,
}

impl Way {
    /// The same way in single steps of the system.
    pub fn into_trace<S: System>(self, system: &S) -> Trace {
        let Way { initial, edges } = self;
        if edges.iter().all(|edge| edge.choice.is_none()) {
            return Trace { initial, steps: edges.iter().map(|edge| edge.step).collect() };
        }
        let mut walk = Walk { explorer: system.explorer(), out: Successors::new() };
        let mut steps = Vec::new();
        walk.explorer.initial(&mut walk.out);
        let mut state = walk.state(initial);
        for edge in edges {
            let Some(from) = state else { break };
            let plain = match edge.choice {
                None => vec![edge.step],
                Some(choice) => {
                    let (choice, index) = (usize::from(choice), edge.step.0 as usize);
                    let plain = walk.explorer.plain_steps(from.view(), choice, index);
                    plain.unwrap_or_else(|| vec![NO_STEP])
                }
            };
            state = plain.iter().try_fold(from, |from, step| walk.follow(&from, *step));
            steps.extend(plain);
        }
        Trace { initial, steps }
    }
}

struct Walk<E> {
    explorer: E,
    out: Successors,
}

impl<E: Explorer> Walk<E> {
    fn follow(&mut self, from: &State, step: Step) -> Option<State> {
        self.out.clear();
        self.explorer.successors(from.view(), &mut self.out);
        self.state(step)
    }

    fn state(&self, step: Step) -> Option<State> {
        let index = step.0 as usize;
        let successor = (index < self.out.len()).then(|| self.out.get(index))?;
        successor.state().map(State::from)
    }
}
