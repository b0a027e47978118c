//! With and without reduction everything that is found is the same: on random models, on the
//! corpus, and on the examples; with every store, order and number of workers.

use auspex_modelgen::generate::generate;
use auspex_process::Model;
use auspex_promela as promela;
use auspex_search::{Control, Limits, Options, Order, Outcome, StoreKind, explore, replay};
use auspex_system::{Location, SourceMap, System};
use std::collections::BTreeSet;

const MOST_STATES: u64 = 30_000;

fn options(workers: usize, order: Order, store: StoreKind, reduce: bool) -> Options {
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    Options { workers, order, store, limits, all: true, reduce }
}

fn plain() -> Options {
    options(1, Order::Depth, StoreKind::Exact, false)
}

/// What a search finds, whatever way it takes.
#[derive(Debug, PartialEq, Eq)]
struct Findings {
    faults: BTreeSet<(&'static str, Location)>,
    unreached: Vec<Location>,
}

fn findings(model: &Model, outcome: &Outcome) -> Findings {
    for found in &outcome.faults {
        let replayed = replay(model, &found.trace).expect("a trace replays");
        assert_eq!(replayed.fault.as_ref(), Some(&found.fault));
    }
    let fault = |found: &auspex_search::Found| (found.fault.kind, found.fault.location.clone());
    let faults = outcome.faults.iter().map(fault).collect();
    let unreached = model.unreached(&outcome.covered).into_iter().map(|place| place.location);
    Findings { faults, unreached: unreached.collect() }
}

/// Compares every search with the plain one; gives the states of the plain and of the reduced
/// one, if the model is small enough to be explored.
fn compare(name: &str, model: &Model, searches: &[Options]) -> Option<(u64, u64)> {
    let full = explore(model, &plain(), &Control::default());
    if full.stopped.is_some() {
        return None;
    }
    let expected = findings(model, &full);
    let mut states = 0;
    for options in searches {
        let outcome = explore(model, options, &Control::default());
        assert_eq!(findings(model, &outcome), expected, "{name}: {options:?}");
        states = outcome.stats.states;
    }
    Some((full.stats.states, states))
}

fn load(text: &str) -> Option<Model> {
    let options = promela::Options { defines: Vec::new(), include_dirs: Vec::new() };
    let loaded = promela::load_text(&mut SourceMap::default(), "m.pml", text, &options);
    loaded.ok().map(|loaded| loaded.model)
}

fn from_environment(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_models() {
    let begin = from_environment("SEED", 1);
    let (mut full, mut reduced, mut obstacles) = (0, 0, 0);
    for seed in begin..begin + from_environment("COUNT", 400) {
        let Some(model) = load(&generate(seed, 8 + seed as usize % 16)) else { continue };
        let order = if seed % 2 == 0 { Order::Depth } else { Order::Breadth };
        let searches = [
            options(1 + seed as usize % 4, order, StoreKind::Compact, true),
            options(1 + seed as usize % 3, order, StoreKind::Exact, true),
        ];
        if model.cannot_be_reduced().is_some() {
            obstacles += 1;
        } else if let Some(states) = compare(&format!("seed {seed}"), &model, &searches) {
            full += states.0;
            reduced += states.1;
        }
    }
    println!("{full} states, {reduced} with reduction; {obstacles} models cannot be reduced");
    assert!(reduced * 2 < full * 3, "it does not reduce");
}
