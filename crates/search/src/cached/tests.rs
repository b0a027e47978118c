//! The table against a list that is too simple to be wrong.

use super::table::{Full, Slot, Table};
use fastrand::Rng;

/// States of many lengths, from none to several blocks.
fn state(rng: &mut Rng, kinds: u8) -> Vec<u8> {
    let kind = rng.u8(..kinds);
    vec![kind; usize::from(kind) * 3 % 131]
}

fn read(table: &Table, slot: Slot) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.read(slot, &mut bytes);
    bytes
}

/// Enters and releases at random, with few hashes: states are told apart by their bytes. Those that were not released are all
/// there; of those that were, the ones that were released last.
#[test]
fn what_is_not_released_stays() {
    let seed = fastrand::u64(..);
    println!("SEED={seed}");
    let mut rng = Rng::with_seed(seed);
    let mut replaced = 0;
    for round in 0..300 {
        let bytes = rng.u64(200..12_000);
        let hashes = [1, 3, u32::MAX][round % 3];
        let mut table = Table::new(bytes);
        let mut held: Vec<(Vec<u8>, Slot)> = Vec::new();
        let mut released: Vec<Vec<u8>> = Vec::new();
        for _ in 0..2000 {
            let state = state(&mut rng, 100);
            let hash = u32::from(state.first().copied().unwrap_or(0)) % hashes;
            match table.find_hashed(&state, hash) {
                Ok(slot) => {
                    assert_eq!(read(&table, slot), state);
                    let is_held = held.iter().any(|(held, _)| *held == state);
                    assert_eq!(table.place(slot).is_some(), is_held);
                    assert!(is_held || released.contains(&state));
                }
                Err(missing) => {
                    assert!(held.iter().all(|(held, _)| *held != state), "{round}: replaced");
                    let before = table.states() + table.replaced();
                    match table.insert(&state, missing) {
                        Ok(slot) => {
                            assert_eq!(table.states() + table.replaced(), before + 1);
                            held.push((state, slot));
                        }
                        Err(Full) => break,
                    }
                }
            }
            for (state, slot) in &held {
                assert_eq!(read(&table, *slot), *state, "{round}");
            }
            if rng.u8(..10) < 8 && !held.is_empty() {
                let (state, slot) = held.swap_remove(rng.usize(..held.len()));
                table.release(slot);
                released.push(state);
            }
            assert!(table.used() <= bytes as usize);
        }
        // The last ones that were released are those that are left.
        let left = table.states() as usize - held.len();
        let found = |state: &Vec<u8>| {
            let hash = u32::from(state.first().copied().unwrap_or(0)) % hashes;
            table.find_hashed(state, hash).is_ok()
        };
        assert!(released.iter().rev().take(left).all(found));
        replaced += table.replaced();
    }
    assert!(replaced > 1000);
}

#[test]
fn full_when_nothing_may_go() {
    let mut table = Table::new(64 + 10 * 32);
    let number = |n: u8| [n; 12];
    let mut enter = |n: u8| {
        let missing = table.find(&number(n)).expect_err("it is new");
        let slot = table.insert(&number(n), missing);
        (slot, table.states())
    };
    let slots: Vec<_> = (0..10).map(|n| enter(n).0.expect("there is room")).collect();
    assert_eq!(enter(10), (Err(Full), 10));
    table.release(slots[7]);
    let missing = table.find(&[1; 13]).expect_err("it is new");
    assert_eq!(table.insert(&[1; 13], missing), Err(Full), "it needs two");
    assert_eq!((table.states(), table.replaced()), (9, 1));
    let missing = table.find(&number(10)).expect_err("it is new");
    assert!(table.insert(&number(10), missing).is_ok());
    assert!(table.find(&number(7)).is_err());
    assert!((0..10).filter(|n| *n != 7).all(|n| table.find(&number(n)).is_ok()));
}
