//! A replayed trace, told: what each step did and what the states hold.

use auspex_report as report;
use auspex_search::{Replay, State};
use auspex_system::{Explorer, Step, System};

/// How much of each state goes into the story.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scope {
    /// Whole states.
    pub full: bool,
    /// The values of watched expressions.
    pub watched: bool,
}

pub fn tell<S: System>(system: &S, replay: &Replay, steps: &[Step], scope: Scope) -> report::Trace {
    let mut explorer = system.explorer();
    let initial = replay.states.first().and_then(|state| show(&mut explorer, state, scope));
    let mut trace = report::Trace { initial, ..report::Trace::default() };
    for (index, (&step, from)) in steps.iter().zip(&replay.states).enumerate() {
        let after = replay.states.get(index + 1);
        let mut told = statements(&mut explorer, index + 1, from, step);
        if let Some(last) = told.last_mut() {
            last.state = after.and_then(|state| show(&mut explorer, state, scope));
        }
        trace.prefix.append(&mut told);
    }
    let everything = Scope { full: true, watched: true };
    trace.last = replay.states.last().and_then(|state| {
        let at_fault = match (&replay.fault, steps.last()) {
            (Some(_), Some(&step)) => explorer.show_fault(state.view(), step),
            _ => None,
        };
        match at_fault {
            Some(view) => Some((&view).into()),
            None => show(&mut explorer, state, everything),
        }
    });
    trace
}

/// The statements of one step.
pub fn statements(
    explorer: &mut impl Explorer,
    number: usize,
    from: &State,
    step: Step,
) -> Vec<report::Step> {
    let infos = explorer.describe(from.view(), step);
    infos.iter().map(|info| report::Step::new(number, info)).collect()
}

fn show(explorer: &mut impl Explorer, state: &State, scope: Scope) -> Option<report::State> {
    if !scope.full && !scope.watched {
        return None;
    }
    let mut view = report::State::from(&explorer.show(state.view()));
    if !scope.full {
        view.sections.clear();
    }
    Some(view)
}
