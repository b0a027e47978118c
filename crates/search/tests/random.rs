//! Every order, store and number of workers against the naive search, on random systems.

mod common;

use auspex_search::*;
use common::*;
use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;

const ORDERS: [Order; 2] = [Order::Depth, Order::Breadth];
const STORES: [StoreKind; 3] =
    [StoreKind::Exact, StoreKind::Compact, StoreKind::Bitstate { bytes: 1 << 22 }];

#[test]
fn a_complete_search_counts_what_the_naive_one_counts() {
    let seed = seed();
    for round in 0..60 {
        let system = Random::new(seed.wrapping_add(round));
        let expected = reference(&system);
        for order in ORDERS {
            for store in STORES {
                for workers in [1, 2, 4, 8] {
                    let options = options(workers, order, store);
                    let control = control();
                    let outcome = explore(&system, &options, &control);
                    let lossy = store != StoreKind::Exact;
                    assert_eq!(outcome.stopped, lossy.then_some(Stop::Lossy), "{options:?}");
                    assert_eq!(outcome.loss.is_some(), lossy);
                    assert!(outcome.faults.is_empty());
                    let states = expected.distance.len() as u64;
                    if matches!(store, StoreKind::Bitstate { .. }) {
                        // Workers that insert the same state at once may both count it.
                        assert!(outcome.stats.states.abs_diff(states) <= states / 50 + 1);
                        continue;
                    }
                    assert_eq!(outcome.stats.states, states, "{system:?} {options:?}");
                    assert_eq!(outcome.stats.transitions, expected.transitions);
                    assert_eq!(control.states.load(Relaxed), states);
                    assert_eq!(control.transitions.load(Relaxed), expected.transitions);
                    let covered = (0..8).filter(|i| outcome.covered[*i as usize]).collect();
                    assert_eq!(expected.covered, covered);
                    if order == Order::Breadth {
                        let deepest = expected.distance.values().max().copied();
                        assert_eq!(Some(outcome.stats.depth as usize), deepest);
                    }
                }
            }
        }
    }
}

/// The sample at the beginning shows little of it, so that codes are learned anew on the way, more than once.
#[test]
fn a_search_that_begins_again_counts_everything_once() {
    let seed = seed();
    for round in 0..3 {
        let random = Random::new(seed.wrapping_add(round));
        let fault_every = [0, 0, 50_000][round as usize];
        let system = Random { nodes: 150_000, degree: 5, fault_every, is_long: true, ..random };
        let expected = reference(&system);
        assert!(expected.distance.len() > 100_000, "{}", expected.distance.len());
        for order in ORDERS {
            for (workers, link_bits) in [(1, Some(32)), (2, None), (4, Some(32))] {
                let all = fault_every > 0;
                let options =
                    Options { link_bits, all, ..options(workers, order, StoreKind::Exact) };
                let control = control();
                let outcome = explore(&system, &options, &control);
                assert_eq!(outcome.stopped, None);
                assert_eq!(outcome.stats.states, expected.distance.len() as u64, "{options:?}");
                assert_eq!(outcome.stats.transitions, expected.transitions);
                assert_eq!(control.states.load(Relaxed), expected.distance.len() as u64);
                assert_eq!(outcome.faults.len(), expected.faults.len());
                outcome.faults.iter().for_each(|found| check_trace(&system, found));
                let first = explore(&system, &Options { all: false, ..options }, &control);
                assert_eq!(first.faults.len(), expected.faults.len().min(1));
            }
        }
    }
}

#[test]
fn a_fault_is_found_exactly_when_there_is_one_and_its_trace_replays() {
    let seed = seed();
    let mut found = 0;
    for round in 0..150 {
        let mut system = Random::new(seed.wrapping_add(round));
        system.fault_every = [20, 500, 5000][round as usize % 3];
        let expected = reference(&system);
        for (order, store) in [
            (Order::Depth, StoreKind::Exact),
            (Order::Breadth, StoreKind::Exact),
            (Order::Depth, StoreKind::Compact),
            (Order::Breadth, StoreKind::Compact),
        ] {
            for (workers, link_bits) in
                [(1, Some(32)), (3, Some(32)), (2, Some(4)), (1, Some(1)), (2, None)]
            {
                let options = Options { link_bits, ..options(workers, order, store) };
                let outcome = explore(&system, &options, &control());
                assert_eq!(outcome.faults.is_empty(), expected.faults.is_empty(), "{system:?}");
                let Some(first) = outcome.faults.first() else { continue };
                found += 1;
                assert_eq!((outcome.faults.len(), outcome.stopped), (1, None));
                check_trace(&system, first);
                if order == Order::Breadth {
                    let shortest = expected.faults.values().min().copied();
                    assert_eq!(Some(first.trace.steps.len()), shortest, "{system:?} {options:?}");
                }
            }
        }
    }
    assert!(found > 100);
}

fn check_trace(system: &Random, found: &Found) {
    let replayed = replay(system, &found.trace).expect("the trace is one of the system");
    assert_eq!(replayed.fault.as_ref(), Some(&found.fault));
    assert_eq!(replayed.states.len(), found.trace.steps.len());
}

#[test]
fn all_finds_each_distinct_fault_once() {
    let seed = seed();
    for round in 0..60 {
        let mut system = Random::new(seed.wrapping_add(round));
        system.fault_every = 50;
        let expected = reference(&system);
        for order in ORDERS {
            for (workers, link_bits) in [(1, Some(32)), (4, Some(32)), (3, Some(5)), (2, None)] {
                let options = Options { all: true, link_bits, ..exact(workers, order) };
                let outcome = explore(&system, &options, &control());
                assert_eq!(outcome.stopped, None);
                assert_eq!(outcome.stats.states, expected.distance.len() as u64);
                assert_eq!(outcome.stats.transitions, expected.transitions);
                assert_eq!(outcome.faults.len(), expected.faults.len());
                let places: HashSet<u32> =
                    outcome.faults.iter().map(|found| found.fault.location.line - 1).collect();
                assert_eq!(places, expected.faults.keys().copied().collect());
                for found in &outcome.faults {
                    check_trace(&system, found);
                    let shortest = expected.faults[&(found.fault.location.line - 1)];
                    let len = found.trace.steps.len();
                    assert!(if order == Order::Breadth {
                        len == shortest
                    } else {
                        len >= shortest
                    });
                }
            }
        }
    }
}

#[test]
fn the_graph_is_that_of_the_naive_search() {
    for seed in 0..20 {
        let mut system = Random::new(seed);
        system.fault_every = 10;
        let expected = reference(&system);
        let all = graph(&system, usize::MAX);
        assert!(!all.cut_off);
        assert_eq!(all.states.len(), expected.distance.len());
        assert_eq!(all.edges.len() as u64, expected.transitions);
        for edge in &all.edges {
            let node = Random::decode(&all.states[edge.from].bytes);
            let to = match &edge.to {
                EdgeEnd::State(to) => Ok(Random::decode(&all.states[*to].bytes)),
                EdgeEnd::Fault(fault) => Err(fault.location.line - 1),
            };
            assert_eq!(system.edges(node)[edge.step.0 as usize], to);
        }
        let few = graph(&system, 3);
        assert!(few.states.len() <= 3);
        assert_eq!(few.cut_off, expected.distance.len() > 3);
    }
}

#[test]
fn a_wrong_trace_is_refused() {
    let system = Random { initials: 1, ..Random::new(1) };
    let step = auspex_system::Step;
    let wrong = Trace { initial: step(9), steps: vec![] };
    let none = ReplayError::NoSuchInitial { step: step(9), choices: 1 };
    assert_eq!(replay(&system, &wrong).err(), Some(none));
    let wrong = Trace { initial: step(0), steps: vec![step(1000)] };
    assert!(matches!(replay(&system, &wrong), Err(ReplayError::NoSuchStep { at: 0, .. })));
}
