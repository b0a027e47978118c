//! The lossy stores against a plain set.

use auspex_store::{Bitstate, Bounds, Compact, Full};

fn bytes(n: u64) -> [u8; 12] {
    let mut bytes = [7; 12];
    bytes[2..10].copy_from_slice(&n.to_le_bytes());
    bytes
}

/// Inserts `0..count` from four threads, all of them the same, and counts what was new.
fn count_new(count: u64, insert: impl Fn(u64) -> Result<bool, Full> + Sync) -> u64 {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..count).filter(|n| insert(*n) == Ok(true)).count() as u64))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
    })
}

#[test]
fn fingerprints_find_every_state_once() {
    const STATES: u64 = 1_000_000;
    let store = Compact::new(Bounds::NONE);
    assert_eq!(count_new(STATES, |n| store.insert(&bytes(n))), STATES);
    assert_eq!(store.len(), STATES);
    assert!((0..STATES).all(|n| store.insert(&bytes(n)) == Ok(false)));
    let memory = store.memory() as f64 / STATES as f64;
    assert!(memory < 14.0, "{memory} bytes a state");
    assert!(store.loss() > 0.0 && store.loss() < 1e-6);
}

#[test]
fn fingerprints_keep_to_their_bounds() {
    for memory in [0, 4096, 1 << 20] {
        let store = Compact::new(Bounds { memory, ..Bounds::NONE });
        let full = (0..1_000_000).find_map(|n| store.insert(&bytes(n)).err());
        assert_eq!(full, Some(Full::Memory));
        assert!(store.memory() <= memory);
    }
    let store = Compact::new(Bounds { states: Some(1000), ..Bounds::NONE });
    assert_eq!(count_new(5000, |n| store.insert(&bytes(n))), 1000);
    assert_eq!(store.insert(&bytes(9999)), Err(Full::States));
}

#[test]
fn bits_find_nearly_every_state() {
    const STATES: u64 = 200_000;
    let alone = Bitstate::new(1 << 20, Bounds::NONE);
    let new = (0..STATES).filter(|n| alone.insert(&bytes(*n)) == Ok(true)).count() as u64;
    assert!(new > STATES * 97 / 100 && new <= STATES, "{new}");
    // Threads that enter the same state at the same moment may both find it new: how often is
    // a matter of scheduling. They never miss more.
    let store = Bitstate::new(1 << 20, Bounds::NONE);
    let together = count_new(STATES, |n| store.insert(&bytes(n)));
    assert!(together > STATES * 97 / 100, "{together}");
    assert_eq!(store.len(), together);
    assert!((0..STATES).all(|n| store.insert(&bytes(n)) == Ok(false)));
    assert!(store.loss() > 0.04 && store.loss() < 0.08, "{}", store.loss());
}

#[test]
fn bits_without_memory_are_full() {
    let store = Bitstate::new(0, Bounds::NONE);
    assert_eq!(store.insert(&bytes(1)), Err(Full::Memory));
    let store = Bitstate::new(1 << 20, Bounds { states: Some(3), ..Bounds::NONE });
    let new = |n: &u64| store.insert(&bytes(*n)) == Ok(true);
    assert_eq!((0..100).filter(new).count(), 3);
    assert_eq!(store.insert(&bytes(999)), Err(Full::States));
    // Threads may be refused while another still makes up its mind, but never too few times.
    let store = Bitstate::new(1 << 20, Bounds { states: Some(3), ..Bounds::NONE });
    assert!(count_new(100, |n| store.insert(&bytes(n))) <= 3);
}
