//! With and without reduction everything that is found is the same: on random models, on the
//! corpus, and on the examples; with every store, order and number of workers.

use auspex_modelgen::{corpus, generate::generate};
use auspex_process::Model;
use auspex_promela as promela;
use auspex_search::{Control, Limits, Options, Order, Outcome, StoreKind, explore, replay};
use auspex_system::{Location, SourceMap, System};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

const MOST_STATES: u64 = 30_000;

fn options(workers: usize, order: Order, store: StoreKind, reduce: bool) -> Options {
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    Options { workers, order, store, link_bits: Some(32), limits, all: true, reduce }
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
    let mut options = plain();
    // Some models have few states and very many steps.
    options.limits.time = Some(Duration::from_secs(5));
    let full = explore(model, &options, &Control::default());
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
    let options = promela::Options::default();
    let loaded = promela::load_text(&mut SourceMap::default(), "m.pml", text, &options);
    loaded.ok().map(|loaded| loaded.model)
}

fn from_environment(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// Every order, store and number of workers.
fn all_searches() -> Vec<Options> {
    let mut all = Vec::new();
    for order in [Order::Depth, Order::Breadth] {
        for workers in [1, 2, 4] {
            for store in [StoreKind::Compact, StoreKind::Exact] {
                all.push(options(workers, order, store, true));
            }
        }
    }
    all
}

/// What is found in a model, with and without reduction; and that it is reduced.
fn found(text: &str) -> BTreeSet<(&'static str, u32)> {
    let model = load(text).expect("the model is right");
    assert_eq!(model.cannot_be_reduced(), None);
    compare(text, &model, &all_searches()).expect("the model is small");
    let outcome = explore(&model, &plain(), &Control::default());
    outcome.faults.iter().map(|found| (found.fault.kind, found.fault.location.line)).collect()
}

#[test]
fn corpus_and_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut compared = 0;
    for directory in ["tests/promela", "tests/temporal", "examples"] {
        for file in corpus::models(&root.join(directory)) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let Some(model) = load(&text) else { continue };
            let name = file.display().to_string();
            compared += usize::from(compare(&name, &model, &all_searches()).is_some());
        }
    }
    assert!(compared > 250, "only {compared} models were small enough");
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

#[test]
fn the_end_of_a_process_and_the_start_of_another_compete_for_an_id() {
    // Spin's reduction misses this (its issue 78).
    let text = "active proctype f() { assert(_pid == 1) }\ninit { run f() }";
    assert_eq!(found(text), [("assertion", 1)].into());
}

#[test]
fn a_receiver_that_comes_too_early_matters_to_else() {
    let text = "chan q = [0] of { bit };
        active proctype A() { if :: q!1 :: else -> assert(false) fi }
        active proctype B() { skip; end: q?_ }";
    assert_eq!(found(text), [("assertion", 2)].into());
}

#[test]
fn what_others_do_is_not_put_off_for_ever() {
    // A private loop, and a fault elsewhere.
    let text = "byte n;
        active proctype A() { byte x; do :: x = 1 - x od }
        active proctype B() { n = 1; assert(n == 0) }";
    assert_eq!(found(text), [("assertion", 3)].into());
}

#[test]
fn a_fault_does_not_hide_another() {
    let text = "active proctype A() { assert(false) }
        active proctype B() { assert(false) }";
    assert_eq!(found(text), [("assertion", 1), ("assertion", 2)].into());
}

#[test]
fn a_sorted_send_does_not_commute_with_a_receive() {
    let text = "chan q = [3] of { byte };
        active proctype A() { q!5; q!!1 }
        active proctype B() { byte x; q?x; assert(x == 5) }";
    assert_eq!(found(text), [("assertion", 3)].into());
}

#[test]
fn an_atomic_run_that_may_block_depends_on_what_it_waits_for() {
    let text = "chan q = [1] of { byte }; byte n;
        active proctype A() { atomic { q!1; q!2; n = 1 } }
        active proctype B() { q?_; assert(n == 0) }
        active proctype C() { (n == 1); assert(false) }";
    assert_eq!(found(text), [("assertion", 3), ("assertion", 4)].into());
}

#[test]
fn what_lets_an_atomic_run_pass_matters_to_those_who_see_it_wait() {
    let text = "chan q = [1] of { byte }; byte n;
        active proctype P() { atomic { n = 1; q?_; n = 0 } }
        active proctype Q() { q!1 }
        active proctype R() { assert(n == 0) }";
    assert_eq!(found(text), [("assertion", 4)].into());
}

#[test]
fn a_message_that_comes_too_early_matters_to_else_and_unless() {
    let text = "chan q = [1] of { byte };
        active proctype P() { if :: q?_ :: else -> assert(false) fi }
        active proctype Q() { q!1 }";
    assert_eq!(found(text), [("assertion", 2)].into());
    let text = "chan q = [1] of { byte };
        active proctype P() { { assert(false) } unless { q?_ } }
        active proctype Q() { q!1 }";
    assert_eq!(found(text), [("assertion", 2)].into());
}

#[test]
fn what_a_guard_cannot_evaluate_is_a_fault_that_others_may_cause() {
    let text = "byte i, ok; bool a[2];
        active proctype A() { ok = 1; end: (a[i] && ok == 2) }
        active proctype B() { i = 5 }";
    assert_eq!(found(text), [("index", 2)].into());
}

#[test]
fn a_timeout_is_met_after_everything_else() {
    let text = "byte n;
        active proctype A() { n++ }
        active proctype B() { n++; timeout -> assert(n < 2) }";
    assert_eq!(found(text), [("assertion", 3)].into());
}

#[test]
fn a_channel_that_is_handed_over_is_shared() {
    let text = "chan c = [1] of { chan }; chan d = [2] of { byte };
        active proctype A() { c!d; d!1 }
        active proctype B() { chan e; byte x; c?e; e!2; e?x; assert(x == 1) }";
    assert_eq!(found(text), [("assertion", 3)].into());
}

#[test]
fn what_a_guard_never_asks_counts_as_seen() {
    // Of the two conditions it is always the first; which channel the second is about changes all the same.
    let text = "byte c = 1, x; chan q[2] = [1] of { bit };
        active proctype A() {
            chan a = q[0], b = q[1], swap;
            end: do :: (c -> x == 0 : len(a) == 0) -> swap = a; a = b; b = swap od
        }
        active proctype B() { q[0]!1; q[1]!1; x = 1; q[0]?_ }";
    assert_eq!(found(text), [].into());
}

#[test]
fn what_forbids_it() {
    for (text, why) in [
        ("active proctype A() priority 2 { skip }", "priorities"),
        ("active proctype A() { (_last == 0) }", "`_last`"),
        ("bit b; active proctype A() provided (b == 0) { skip }", "`provided`"),
        ("active proctype A() { L: skip } active proctype B() { A@L }", "a remote reference"),
    ] {
        let obstacle = load(text).expect("the model is right").cannot_be_reduced();
        assert_eq!(obstacle, Some(why), "{text}");
    }
}

#[test]
fn a_channel_operation_inside_a_step_matters_to_who_could_let_it_pass() {
    // An `atomic` that waits in the middle, for room and for a receiver.
    let text = "chan q = [1] of { byte }; byte n;
        active proctype P() { byte x; q!1; x = 1; atomic { n = 1; q!2; n = 0 } }
        active proctype Q() { q?_ }
        active proctype R() { assert(n == 0) }";
    assert_eq!(found(text), [("assertion", 4)].into());
    let text = "chan c = [0] of { byte }; byte n;
        active proctype P() { atomic { n = 1; c!2; n = 0 } }
        active proctype Q() { skip; c?_ }
        active proctype R() { assert(n == 0) }";
    assert_eq!(found(text), [("assertion", 4)].into());
    // A `d_step` must not wait there, and its choices look.
    let text = "chan q = [1] of { byte }; byte n;
        active proctype P() { d_step { n = 1; q?_ } }
        active proctype Q() { q!1 }";
    assert_eq!(found(text), [("d_step", 2)].into());
    let text = "chan q = [1] of { byte }; bit n;
        active proctype P() { d_step { if :: q?_ :: else -> n = 1 fi }; assert(n == 0) }
        active proctype Q() { q!1 }";
    assert_eq!(found(text), [("assertion", 2)].into());
}

#[test]
fn room_that_comes_too_early_matters_to_else() {
    let text = "chan q = [1] of { byte };
        active proctype P() { q!1; if :: q!2 :: else -> assert(false) fi }
        active proctype Q() { q?_ }";
    assert_eq!(found(text), [("assertion", 2)].into());
}

#[test]
fn a_new_process_reads_with_its_own_parameters() {
    let text = "byte a[4];
        active proctype W() { a[2] = 1 }
        proctype P(byte i) { byte v = a[i]; assert(v == 0) }
        init { byte z = 1; run P(2); z = 2 }";
    assert_eq!(found(text), [("assertion", 3)].into());
    // Its locals are not where those of its creator are: there may be nothing at all.
    let text = "byte a[4];
        active proctype W() { a[2] = 1 }
        proctype P(byte k; byte i) { byte v = a[i]; assert(v == k) }
        init { run P(1, 2) }";
    assert_eq!(found(text), [("assertion", 3)].into());
}

#[test]
fn a_new_process_that_stands_ready_to_receive_matters_to_else() {
    let text = "chan c = [0] of { byte };
        active proctype S() { if :: c!1 :: else -> assert(false) fi }
        proctype R() { c?_ }
        init { run R() }";
    assert_eq!(found(text), [("assertion", 2)].into());
}

#[test]
fn who_hands_control_over_may_get_it_back_in_the_same_step() {
    let text = "chan c = [0] of { byte }; chan d = [0] of { byte }; byte n;
        active proctype S() { c!1; atomic { d?_; n = 1 } }
        active proctype R() { atomic { c?_; d!2 } }
        active proctype T() { assert(n == 1) }";
    assert_eq!(found(text), [("assertion", 4)].into());
}

#[test]
fn a_field_that_is_received_may_be_the_index_of_the_next() {
    let text = "chan q = [1] of { byte, byte }; byte a[3];
        active proctype P() { byte i; q!2,1; q?i,a[i] }
        active proctype Q() { assert(a[2] == 1) }";
    assert_eq!(found(text), [("assertion", 3)].into());
}
