//! A lasso is run once more from the beginning before anyone sees it.

use super::{Fairness, Lasso};
use crate::{State, Trace, replay};
use auspex_system::{Explorer, System};

/// What is wrong with a lasso, if anything.
pub(crate) fn validate<S: System>(
    system: &S,
    lasso: &Lasso,
    fairness: Fairness,
) -> Result<(), String> {
    if lasso.cycle.is_empty() {
        return Err("the cycle has no step".into());
    }
    let Trace { initial, steps } = &lasso.prefix;
    let whole = Trace { initial: *initial, steps: [&steps[..], &lasso.cycle].concat() };
    let replayed = replay(system, &whole).map_err(|error| error.to_string())?;
    if replayed.fault.is_some() {
        return Err("the cycle runs into a fault".into());
    }
    let cycle = &replayed.states[steps.len()..];
    if cycle.first() != cycle.last() {
        return Err("the cycle does not close".into());
    }
    let mut explorer = system.explorer();
    if !cycle.iter().any(|state| explorer.is_accepting(state.view())) {
        return Err("the cycle meets no accepting state".into());
    }
    let owed = owed(&mut explorer, lasso, cycle, fairness);
    if owed != 0 {
        return Err(format!("the cycle is not fair to the processes {owed:#b}"));
    }
    Ok(())
}

fn owed(explorer: &mut impl Explorer, lasso: &Lasso, cycle: &[State], fairness: Fairness) -> u64 {
    if fairness == Fairness::None {
        return 0;
    }
    let (mut all, mut any, mut moved) = (u64::MAX, 0, 0);
    let mut movers = Vec::new();
    for (state, step) in cycle.iter().zip(&lasso.cycle) {
        movers.clear();
        explorer.movers(state.view(), &mut movers);
        let enabled = movers.iter().fold(0, |all, movers| all | movers);
        (all, any) = (all & enabled, any | enabled);
        moved |= movers.get(step.0 as usize).copied().unwrap_or(0);
    }
    fairness.owed(all, any, moved)
}
