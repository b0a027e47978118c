//! The store without numbers against a plain map.

mod common;

use auspex_store::{
    Bounds, Candidate, Full, Lean, LeanOptions, Packed, Plan, Root, Scratch, Unpacked,
};
use common::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

fn lean(bounds: Bounds, loose_parts: bool, link_bits: Option<u32>) -> Lean {
    Lean::new(LeanOptions { bounds, loose_parts, link_bits, threads: 2 })
}

/// One thread's working memory.
#[derive(Default)]
struct Local {
    near: Unpacked,
    scratch: Scratch,
    packed: Vec<Packed>,
}

/// The root of a state, and whether it is new.
fn insert(
    store: &Lean,
    state: &State,
    from: Option<Root>,
    local: &mut Local,
) -> Result<(Root, bool), Full> {
    local.packed.clear();
    store.pack(
        [Candidate::State(view(state), None)].into_iter(),
        Some(&local.near),
        &mut local.scratch,
        |state| local.packed.push(state),
    )?;
    let new = store.commit(local.packed[0], from)?;
    Ok((local.packed[0].into(), new))
}

#[test]
fn walks_agree_with_a_map() {
    let seed = seed();
    for round in 0..40 {
        let mut rng = fastrand::Rng::with_seed(seed ^ round);
        let bits = [None, Some(4), Some(32)][round as usize % 3];
        let store = lean(Bounds::NONE, round % 2 == 1, bits);
        let mut map: HashMap<State, (Root, Option<Root>)> = HashMap::new();
        let mut local = Local::default();
        let count = 1 + rng.usize(..12);
        let mut parts: Vec<_> = (0..count).map(|_| random_part(&mut rng)).collect();
        let mut before = None;
        for _ in 0..5000 {
            let state = join(&parts);
            let (root, new) = insert(&store, &state, before, &mut local).expect("room");
            assert_eq!(new, !map.contains_key(&state));
            let known = map.entry(state.clone()).or_insert((root, before));
            assert_eq!(known.0, root);
            if rng.u8(..4) == 0 {
                store.read(root, &mut local.near);
                assert_eq!(local.near.state(), view(&state));
            }
            before = Some(root);
            change(&mut parts, &mut rng);
        }
        assert_eq!(store.len(), map.len() as u64);
        let (count, mut total) = (map.len(), 0);
        for (state, (root, from)) in map {
            store.read(root, &mut local.near);
            assert_eq!(local.near.state(), view(&state));
            let origins = store.origins(root);
            match (from, bits) {
                (_, None) => assert!(origins.is_empty() && !store.is_initial(root)),
                (None, _) => assert!(origins.is_empty() && store.is_initial(root)),
                (Some(from), Some(_)) => {
                    assert!(origins.contains(&from) && !store.is_initial(root));
                    total += origins.len();
                }
            }
        }
        // A link of a small store has 15 bits at least: one in seven leads to a second state, hardly one to many.
        assert!(bits != Some(32) || total < count + count / 2 + 4, "{total} origins of {count}");
    }
}

#[test]
fn threads_agree_on_millions_of_states() {
    const STATES: u64 = 1_000_000;
    for link_bits in [None, Some(32)] {
        let store = lean(Bounds::NONE, false, link_bits);
        let new = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..6u64 {
                let (store, new) = (&store, &new);
                scope.spawn(move || {
                    let (mut local, mut before) = (Local::default(), None);
                    for i in 0..STATES {
                        // Some upwards, some downwards: they meet in the middle.
                        let n = if thread % 2 == 0 { i } else { STATES - 1 - i };
                        let state = numbered(n);
                        let (root, is_new) =
                            insert(store, &state, before, &mut local).expect("room");
                        new.fetch_add(u64::from(is_new), Relaxed);
                        before = Some(root);
                        if i % 5 == 0 {
                            store.read(root, &mut local.near);
                            assert_eq!(local.near.state(), view(&state));
                        }
                    }
                });
            }
        });
        assert_eq!((new.into_inner(), store.len()), (STATES, STATES));
        let bytes = store.memory() as f64 / STATES as f64;
        // With ten times as many states it is less: shards grow by whole pages.
        assert!(bytes < if link_bits.is_some() { 19.0 } else { 12.0 }, "{bytes} bytes a state");
    }
}

#[test]
fn a_small_budget_is_kept_and_what_is_stored_stays() {
    for kib in [0, 1, 4, 64, 1024, 4096] {
        let bounds = Bounds { memory: kib * 1024, ..Bounds::NONE };
        let store = lean(bounds, false, Some(32));
        let mut local = Local::default();
        let mut stored = Vec::new();
        let full = (0..1_000_000).find_map(|n| {
            let inserted = insert(&store, &numbered(n), None, &mut local);
            inserted.map(|(root, new)| stored.push((n, root, new))).err()
        });
        assert_eq!(full, Some(Full::Memory));
        assert!(store.memory() <= kib * 1024);
        assert_eq!(store.len(), stored.len() as u64);
        for (n, root, new) in stored {
            store.read(root, &mut local.near);
            assert!(new && local.near.state() == view(&numbered(n)));
            assert_eq!(insert(&store, &numbered(n), None, &mut local), Ok((root, false)));
        }
    }
}

#[test]
fn little_address_space_is_enough_to_start() {
    for address_space in [0, 1 << 16, 1 << 24] {
        let store = lean(Bounds { address_space, ..Bounds::NONE }, false, Some(32));
        let mut local = Local::default();
        let full =
            (0..10_000_000).find(|n| insert(&store, &numbered(*n), None, &mut local).is_err());
        assert!(full.is_some_and(|n| n == store.len()), "{address_space}");
    }
}

#[test]
fn the_limit_on_states_is_exact_for_any_number_of_threads() {
    let store = lean(Bounds { states: Some(10_000), ..Bounds::NONE }, false, None);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                let mut local = Local::default();
                let mut numbers = thread * 1_000_000..;
                let full =
                    numbers.find_map(|n| insert(store, &numbered(n), None, &mut local).err());
                assert_eq!(full, Some(Full::States));
            });
        }
    });
    assert_eq!(store.len(), 10_000);
}

/// States that say where they differ from another one are the same as if they did not; with any tree, however many
/// come at a time, and among others that say nothing or have another shape.
#[test]
fn known_changes_give_the_same_states() {
    let mut rng = fastrand::Rng::with_seed(seed());
    for round in 0..60 {
        // Up to 1100 bytes: more words than are folded side by side.
        let lens: Vec<usize> = (0..1 + rng.usize(..11)).map(|_| rng.usize(..100)).collect();
        let first = join(&lens.iter().map(|len| vec![1; *len]).collect::<Vec<_>>());
        let changed = |state: &State, rng: &mut fastrand::Rng| {
            let (mut state, mut changes) = (state.clone(), Vec::new());
            for _ in 0..rng.usize(..4) {
                let Some(most) = state.0.len().checked_sub(1) else { break };
                let start = rng.usize(..=most);
                let end = (start + rng.usize(..9)).min(state.0.len());
                state.0[start..end].iter_mut().for_each(|byte| *byte = rng.u8(..3));
                changes.push([start as u32, end as u32]);
            }
            (state, changes)
        };
        let mut walk = vec![first.clone()];
        for _ in 0..600 {
            walk.push(changed(&walk[walk.len() - 1], &mut rng).0);
        }
        let sample: Vec<_> = walk.iter().map(view).collect();
        let plan = Plan::learn(&sample, round as u32 % 3).filter(|_| round % 2 == 0);
        let (store, mut local) =
            (lean(Bounds::NONE, false, None).planned(plan, false), Local::default());
        for state in &walk {
            let (root, _) = insert(&store, state, None, &mut local).expect("room");
            store.read(root, &mut local.near);
            assert_eq!(local.near.state(), view(state));
            let mut near: Vec<_> = (0..rng.usize(..9)).map(|_| changed(state, &mut rng)).collect();
            let other = join(&[vec![5; rng.usize(..9)], vec![6; 3]]);
            near.insert(rng.usize(..=near.len()), (other.clone(), Vec::new()));
            let is_known = |state: &State| *state != other && state.0.len() % 7 != 6;
            let candidates = near.iter().map(|(state, changes)| {
                let changes = Some(changes.as_slice()).filter(|_| is_known(state));
                Candidate::State(view(state), changes)
            });
            local.packed.clear();
            let Local { near: origin, scratch, packed } = &mut local;
            store
                .pack(candidates, Some(&*origin), scratch, |state| packed.push(state))
                .expect("room");
            let roots: Vec<Root> = packed.iter().map(|packed| (*packed).into()).collect();
            assert_eq!(roots.len(), near.len());
            for ((state, _), root) in near.iter().zip(roots) {
                assert_eq!(
                    insert(&store, state, None, &mut Local::default()).expect("room").0,
                    root
                );
            }
        }
    }
}

/// Codes are learned from a few states; many of those that come have values, and values together, that were never seen. Threads
/// enter all in orders of their own, and must agree on which are new, and on how each is stored.
#[test]
fn what_does_not_fit_into_codes_is_stored_otherwise() {
    let seed = seed();
    for round in 0..12u64 {
        let mut rng = fastrand::Rng::with_seed(seed ^ round);
        let cuts = vec![4, 11, 12, 20];
        let mut draw = |most: u8| -> State {
            let base = rng.u8(..most);
            let bytes = (0..26).map(|at| match at % 4 {
                0 => base,
                1 => rng.u8(..most),
                2 => base.wrapping_add(rng.u8(..2)),
                _ => 9,
            });
            let mut bytes: Vec<u8> = bytes.collect();
            // What is constant in the sample seldom changes later.
            bytes[3] = if most > 4 && rng.u8(..8) == 0 { 1 } else { 9 };
            (bytes, cuts.clone())
        };
        let sample: Vec<State> = (0..400).map(|_| draw(3)).collect();
        let mut pool: Vec<State> = (0..6000).map(|i| draw([3, 4, 9, 200][i % 4])).collect();
        // Other shapes come in between.
        pool.extend((0..200).map(|i| (vec![7, (i % 50) as u8, 1, 2, 3], vec![2])));
        let views: Vec<_> = sample.iter().map(view).collect();
        let plan = Plan::learn(&views, round as u32 % 3);
        assert!(plan.is_some());
        let store = lean(Bounds::NONE, false, Some(32)).planned(plan, false);
        let new = AtomicU64::new(0);
        let roots: Vec<Vec<Root>> = std::thread::scope(|scope| {
            let one = |thread: usize| {
                let (store, new, pool) = (&store, &new, &pool);
                scope.spawn(move || {
                    let (mut local, mut roots) = (Local::default(), vec![None; pool.len()]);
                    for i in 0..pool.len() {
                        let at = if thread.is_multiple_of(2) { i } else { pool.len() - 1 - i };
                        let (root, is_new) =
                            insert(store, &pool[at], None, &mut local).expect("room");
                        new.fetch_add(u64::from(is_new), Relaxed);
                        roots[at] = Some(root);
                        if i % 3 == 0 {
                            store.read(root, &mut local.near);
                            assert_eq!(local.near.state(), view(&pool[at]));
                        }
                    }
                    roots.into_iter().flatten().collect()
                })
            };
            let threads: Vec<_> = (0..4).map(one).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let distinct: std::collections::HashSet<&State> = pool.iter().collect();
        assert_eq!((new.into_inner(), store.len()), (distinct.len() as u64, distinct.len() as u64));
        assert!(roots.iter().all(|other| *other == roots[0]));
        // Some fit, others do not.
        let misfits = store.misfits().len();
        assert!(misfits > 0 && misfits < 4 * pool.len());
        let mut near = Unpacked::default();
        for (state, root) in pool.iter().zip(&roots[0]) {
            store.read(*root, &mut near);
            assert_eq!(near.state(), view(state));
        }
    }
}

/// A store that may learn says so when many states do not fit, and not for a few.
#[test]
fn many_misfits_are_a_reason_to_learn_anew() {
    let state = |n: u32| (n.to_be_bytes().repeat(3), vec![4, 8]);
    let sample: Vec<State> = (0..500).map(|n| state(n % 300)).collect();
    let views: Vec<_> = sample.iter().map(view).collect();
    for learns in [false, true] {
        let store = lean(Bounds::NONE, false, None).planned(Plan::learn(&views, 0), learns);
        let mut local = Local::default();
        let result = (0..60_000)
            .try_for_each(|n| insert(&store, &state(n * 977), None, &mut local).map(|_| ()));
        assert_eq!(result.err(), learns.then_some(Full::Codes));
        if learns {
            let more = store.misfits();
            assert!(more.len() > 1000);
            let views: Vec<_> = sample.iter().chain(&more).map(view).collect();
            let store = lean(Bounds::NONE, false, None).planned(Plan::learn(&views, 1), true);
            for n in 0..60_000 {
                insert(&store, &state(n * 977), None, &mut Local::default()).expect("room");
            }
        }
    }
}
