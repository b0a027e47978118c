//! The exact store against a plain map.

mod common;

use auspex_store::{Bounds, Exact, Full, Inserted, Scratch, StateId, Unpacked};
use common::*;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Inserts along random walks, by difference from a state read back, and compares with a map.
#[test]
fn walks_agree_with_a_map() {
    let seed = seed();
    for round in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed ^ round);
        let store = store(round % 2 == 1);
        let mut map: HashMap<State, StateId> = HashMap::new();
        let (mut near, mut other) = (Unpacked::default(), Unpacked::default());
        let mut scratch = Scratch::default();
        let count = 1 + rng.usize(..12);
        let mut parts: Vec<_> = (0..count).map(|_| random_part(&mut rng)).collect();
        for _ in 0..5000 {
            let state = join(&parts);
            let near_now = rng.bool().then_some(&near);
            let id = match store.insert(view(&state), near_now, &mut scratch) {
                Inserted::New(id) => {
                    assert_eq!(map.insert(state.clone(), id), None);
                    id
                }
                Inserted::Old(id) => {
                    assert_eq!(map.get(&state), Some(&id));
                    id
                }
                Inserted::Full(full) => panic!("{full:?}"),
            };
            if rng.u8(..4) == 0 {
                store.read(id, &mut near);
                assert_eq!(near.state(), view(&state));
            }
            change(&mut parts, &mut rng);
        }
        assert_eq!(store.len(), map.len() as u64);
        for (state, id) in &map {
            store.read(*id, &mut other);
            assert_eq!(other.state(), view(state));
        }
    }
}

fn store(loose: bool) -> Exact {
    if loose { Exact::with_loose_parts(Bounds::NONE) } else { Exact::new(Bounds::NONE) }
}

#[test]
fn all_shapes_come_back() {
    [false, true].into_iter().for_each(shapes_come_back);
}

fn shapes_come_back(loose: bool) {
    let store = store(loose);
    let mut scratch = Scratch::default();
    let mut rng = fastrand::Rng::with_seed(7);
    let mut states: Vec<State> = vec![(vec![], vec![])];
    for len in (1..40).chain([255, 4096, 65535, 65536]) {
        let bytes: Vec<u8> = (0..len).map(|_| rng.u8(..)).collect();
        states.push((bytes.clone(), vec![]));
        for step in [1, 2, 4, 7, 1000] {
            let cuts: Vec<u32> = (step..len as u32).step_by(step as usize).collect();
            if !cuts.is_empty() {
                states.push((bytes.clone(), cuts));
            }
        }
        // Zero bytes at the end must not be lost, nor made up.
        states.push((vec![0; len], vec![]));
    }
    states.push((vec![1, 2], vec![0, 0, 1, 2, 2]));
    let mut near = Unpacked::default();
    let mut ids = Vec::new();
    for state in &states {
        let Inserted::New(id) = store.insert(view(state), Some(&near), &mut scratch) else {
            panic!("{} bytes, {} cuts", state.0.len(), state.1.len())
        };
        assert_eq!(store.insert(view(state), None, &mut scratch), Inserted::Old(id));
        store.read(id, &mut near);
        assert_eq!(near.state(), view(state));
        ids.push(id);
    }
    for (state, id) in states.iter().zip(&ids).rev() {
        store.read(*id, &mut near);
        assert_eq!(near.state(), view(state));
    }
}

#[test]
fn threads_agree_on_millions_of_states() {
    const STATES: u64 = 1_000_000;
    let store = Exact::new(Bounds::NONE);
    let ids: Vec<AtomicU64> = (0..STATES).map(|_| AtomicU64::new(u64::MAX)).collect();
    let new = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (store, ids, new) = (&store, &ids, &new);
            scope.spawn(move || {
                let (mut near, mut scratch) = (Unpacked::default(), Scratch::default());
                for i in 0..STATES {
                    // Two threads upwards, two downwards: they meet in the middle.
                    let n = if thread % 2 == 0 { i } else { STATES - 1 - i };
                    let state = numbered(n);
                    let id = match store.insert(view(&state), Some(&near), &mut scratch) {
                        Inserted::New(id) => {
                            new.fetch_add(1, Relaxed);
                            id
                        }
                        Inserted::Old(id) => id,
                        Inserted::Full(full) => panic!("{full:?}"),
                    };
                    let before = ids[n as usize].swap(id.0 as u64, Relaxed);
                    assert!(before == u64::MAX || before == id.0 as u64);
                    if i % 5 == 0 {
                        store.read(id, &mut near);
                        assert_eq!(near.state(), view(&state));
                    }
                }
            });
        }
    });
    assert_eq!(new.into_inner(), STATES);
    assert_eq!(store.len(), STATES);
    let distinct: HashSet<u64> = ids.iter().map(|id| id.load(Relaxed)).collect();
    assert_eq!(distinct.len() as u64, STATES);
    let greatest = distinct.iter().max().copied().unwrap_or(0);
    assert!(greatest < STATES * 11 / 10, "ids are not dense: {greatest}");
    let bytes = store.memory() as f64 / STATES as f64;
    assert!(bytes < 20.0, "{bytes} bytes a state");
}

#[test]
fn a_small_budget_is_kept_and_what_is_stored_stays() {
    for kib in [0, 1, 4, 64, 1024, 4096] {
        let bounds = Bounds { memory: kib * 1024, ..Bounds::NONE };
        let store = Exact::new(bounds);
        let (mut near, mut scratch) = (Unpacked::default(), Scratch::default());
        let mut stored = Vec::new();
        for n in 0..1_000_000 {
            match store.insert(view(&numbered(n)), Some(&near), &mut scratch) {
                Inserted::New(id) => stored.push((n, id)),
                Inserted::Full(full) => {
                    assert_eq!(full, Full::Memory);
                    break;
                }
                Inserted::Old(_) => panic!("{n} twice"),
            }
        }
        assert!(store.memory() <= kib * 1024);
        assert!(stored.len() < 1_000_000);
        for (n, id) in stored {
            store.read(id, &mut near);
            assert_eq!(near.state(), view(&numbered(n)));
        }
    }
}

#[test]
fn little_address_space_is_enough_to_start() {
    for address_space in [0, 1 << 16, 1 << 24] {
        let store = Exact::new(Bounds { address_space, ..Bounds::NONE });
        let mut scratch = Scratch::default();
        let full = (0..10_000_000).find(|n| {
            matches!(store.insert(view(&numbered(*n)), None, &mut scratch), Inserted::Full(_))
        });
        assert!(full.is_some_and(|n| n == store.len()), "{address_space}");
    }
}

#[test]
fn the_limit_on_states_is_exact_for_any_number_of_threads() {
    let store = Exact::new(Bounds { states: Some(10_000), ..Bounds::NONE });
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                let mut scratch = Scratch::default();
                let mut next = thread * 1_000_000;
                loop {
                    match store.insert(view(&numbered(next)), None, &mut scratch) {
                        Inserted::Full(full) => return assert_eq!(full, Full::States),
                        _ => next += 1,
                    }
                }
            });
        }
    });
    assert_eq!(store.len(), 10_000);
}
