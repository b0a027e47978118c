//! Properties of infinite runs: is there one that the automaton of the violation accepts?

use super::check::Check;
use crate::exit::Failure;
use crate::input::{Input, Program, Temporal};
use crate::{progress, story, traces};
use auspex_ltl::{Move, Product};
use auspex_report::{self as report, Finding, PropertyResult, Reason, Store, Verdict};
use auspex_search::{
    Control, CycleOutcome, Lasso, Options, Replay, Trace, cycles, cycles_cached, replay,
};
use auspex_system::{Fault, Location, System};
use std::sync::Arc;

/// Looks for a run that violates a property, and makes sure of what was found. `number`: how many
/// traces there are already.
pub fn check<P: Program>(
    check: &Check,
    input: &Input<P>,
    (index, property): (usize, &Temporal<'_>),
    control: &Arc<Control>,
    number: usize,
) -> Result<PropertyResult, Failure> {
    let options = check.options();
    let system = input.program.model_of(index);
    let fast = input.program.fast(system, check.engine())?;
    let searched = Product { system: &fast, automaton: property.automaton, property: index };
    let (algorithm, fairness) = check.cycles();
    let outcome = progress::during(control, check.is_quiet(), || match check.cache() {
        Some(bytes) => cycles_cached(&searched, &options, bytes, control),
        None => cycles(&searched, &options, algorithm, fairness, control),
    });
    let product = Product { system, automaton: property.automaton, property: index };
    // A run is shown only if it is known to be wrong.
    let finding = match outcome.lasso.as_ref().filter(|_| input.program.knows_letters_of(index)) {
        Some(lasso) => Some(confirm(check, input, &product, lasso, property, number)?),
        None => None,
    };
    let result = result(input.program.caveat_of(index), &options, outcome, finding, property);
    // Leaving out orders is proved to be right for faults only.
    let off = report::Reduction { on: false, reason: None };
    let reduction = input.program.reduction().map(|_| off);
    Ok(PropertyResult { reduction, ..result })
}

/// Takes the steps of a lasso with the plain interpreter, and tells them.
fn confirm<P: Program>(
    check: &Check,
    input: &Input<P>,
    product: &Product<'_, P::Model>,
    lasso: &Lasso,
    property: &Temporal<'_>,
    number: usize,
) -> Result<Finding, Failure> {
    let steps = [lasso.prefix.steps.as_slice(), &lasso.cycle].concat();
    let whole = Trace { initial: lasso.prefix.initial, steps };
    // Only what goes wrong on this run is told.
    let _ = input.program.trouble_of(product.property);
    let replayed = replay(product, &whole)
        .map_err(|error| Failure::Internal(format!("a run does not replay: {error}")))?;
    let first = lasso.prefix.steps.len();
    if lasso.cycle.is_empty() || replayed.states.get(first) != replayed.states.last() {
        return Err(Failure::Internal("the cycle of a run does not close".into()));
    }
    let mut told = story::tell(product, &replayed, &whole.steps, check.scope());
    let (prefix, cycle): (Vec<_>, Vec<_>) =
        std::mem::take(&mut told.prefix).into_iter().partition(|step| step.step <= first);
    (told.prefix, told.cycle) = (prefix, cycle);
    let fault = input.program.trouble_of(product.property).unwrap_or_else(|| {
        Fault::new(property.kind, property.message.clone(), property.location.clone())
    });
    let fault = report::Fault::from(&fault);
    let path = traces::path(check.trace_path(), &input.source, number);
    let readable: Vec<_> = told.prefix.iter().chain(&told.cycle).cloned().collect();
    let (own, cycle_from) = own_trace(product, &replayed, &whole, first);
    let file = traces::compose(input, property.name, &own, &fault, &readable);
    let formula = property.observed.map(str::to_owned);
    let file = report::TraceFile { cycle_from: Some(cycle_from), formula, ..file };
    let trace_file = traces::write(&path, &file);
    Ok(Finding { fault, trace: told, trace_file, replayed: true })
}

/// The steps of the system alone, so that it can be walked without the automaton, and how many of
/// them come before the cycle.
fn own_trace<S: System>(
    product: &Product<'_, S>,
    replayed: &Replay,
    whole: &Trace,
    first: usize,
) -> (Trace, usize) {
    let mut explorer = product.explorer();
    let mut own = Trace { initial: whole.initial, steps: Vec::new() };
    let mut before = 0;
    for (index, (step, from)) in whole.steps.iter().zip(&replayed.states).enumerate() {
        if index == first {
            before = own.steps.len();
        }
        if let Some(Move::Step(step)) = explorer.own_step(from.view(), *step) {
            own.steps.push(step);
        }
    }
    (own, before)
}

fn result(
    caveat: Option<Reason>,
    options: &Options,
    outcome: CycleOutcome,
    finding: Option<Finding>,
    property: &Temporal<'_>,
) -> PropertyResult {
    let stopped = outcome.stopped.map(super::check::reason).or(caveat);
    let (verdict, reason) = match (&finding, stopped) {
        (Some(_), _) => (Verdict::Violated, None),
        (None, Some(reason)) => (Verdict::Unknown, Some(reason)),
        (None, None) => (Verdict::Holds, None),
    };
    let location = (property.location != Location::unknown())
        .then(|| report::Location::from(&property.location));
    PropertyResult {
        verdict,
        reason,
        fault: finding.as_ref().map(|finding| finding.fault.clone()),
        states: outcome.stats.states,
        transitions: outcome.stats.transitions,
        depth: outcome.stats.depth,
        seconds: outcome.stats.elapsed.as_secs_f64(),
        memory_bytes: outcome.stats.memory,
        trace: finding.as_ref().map(|finding| finding.trace.clone()),
        trace_file: finding.as_ref().and_then(|finding| finding.trace_file.clone()),
        complete: finding.is_none() && stopped.is_none(),
        faults: finding.into_iter().collect(),
        stopped,
        store: Store::Exact,
        workers: options.workers,
        location,
        cache: outcome.cache.map(super::check::cache),
        ..PropertyResult::unknown(property.name, Reason::Unsupported)
    }
}
