//! A model takes the place of the program: what it prints beside what another one can print.

use auspex_generate::inclusion::Inclusion;
use auspex_process::Model;
use auspex_search::{Control, Limits, Options, Order, StoreKind, explore, replay};
use auspex_system::SourceMap;
use std::sync::Arc;

fn model(text: &str) -> Model {
    let mut map = SourceMap::default();
    match auspex_promela::load_text(&mut map, "test.pml", text, &Default::default()) {
        Ok(loaded) => loaded.model,
        Err(errors) => panic!("{}", errors[0].message),
    }
}

/// The kind of fault that is found, and after how many steps.
fn fault(program: &str, specification: &str) -> Option<(&'static str, usize)> {
    let product = Inclusion::new(model(program), model(specification), 100_000);
    let options = Options {
        workers: 1,
        order: Order::Breadth,
        store: StoreKind::Exact,
        link_bits: Some(Options::ALL_LINK_BITS),
        limits: Limits::default(),
        all: false,
        reduce: false,
    };
    let outcome = explore(&product, &options, &Arc::new(Control::default()));
    assert!(outcome.stopped.is_none() && !product.is_at_its_limit());
    let found = outcome.faults.first()?;
    // A trace is one of the product, and can be replayed.
    let replayed = replay(&product, &found.trace).expect("a replay");
    assert_eq!(replayed.fault.map(|fault| fault.kind), Some(found.fault.kind));
    Some((found.fault.kind, found.trace.steps.len()))
}

const TWO: &str =
    "active proctype A() { printf(\"a\"); printf(\"b\") } active proctype B() { printf(\"c\") }";
const ONE: &str = "active proctype A() { printf(\"ab\"); printf(\"c\") }";

#[test]
fn one_order_is_among_all_orders_but_not_the_other_way_round() {
    assert_eq!(fault(ONE, TWO), None);
    assert_eq!(fault(TWO, TWO), None);
    // `c` comes first.
    assert_eq!(fault(TWO, ONE), Some(("output", 1)));
}

#[test]
fn a_run_that_ends_too_early_is_found() {
    let program = "active proctype A() { printf(\"ab\") }";
    assert_eq!(fault(program, ONE).map(|found| found.0), Some("end"));
    // Where the model may stop as well, it is all right.
    let may_stop = "active proctype A() { printf(\"ab\"); if :: printf(\"c\") :: skip fi }";
    assert_eq!(fault(program, may_stop), None);
}

#[test]
fn a_choice_of_the_model_that_the_text_decides_later_is_kept_open() {
    let specification = "active proctype A() { \
        if :: printf(\"a\"); printf(\"b\") :: printf(\"a\"); printf(\"c\") fi }";
    let program = "active proctype A() { printf(\"a\"); if :: printf(\"b\") :: printf(\"c\") fi }";
    assert_eq!(fault(program, specification), None);
    let program = "active proctype A() { printf(\"a\"); printf(\"d\") }";
    assert_eq!(fault(program, specification), Some(("output", 2)));
}

#[test]
fn endless_runs_are_followed_in_circles() {
    let ticks = "active proctype A() { do :: printf(\"tick\") :: printf(\"tock\") od }";
    let clock = "active proctype A() { do :: printf(\"tick\"); printf(\"tock\") od }";
    assert_eq!(fault(clock, ticks), None);
    assert_eq!(fault(ticks, clock).map(|found| found.0), Some("output"));
}

#[test]
fn faults_of_the_program_are_faults() {
    let program = "active proctype A() { printf(\"ab\"); assert(false) }";
    assert_eq!(fault(program, ONE), Some(("assertion", 2)));
}
