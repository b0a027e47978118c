//! Who takes part in which step.

use crate::{initial, load};
use auspex_system::{Explorer, Successors, System};

/// The movers of each step in the initial state.
fn movers(text: &str) -> Vec<u64> {
    let (_, loaded) = load(text);
    let mut explorer = loaded.model.explorer();
    let state = initial(&mut explorer);
    let mut movers = Vec::new();
    explorer.movers(state.as_ref(), &mut movers);
    let mut out = Successors::new();
    explorer.successors(state.as_ref(), &mut out);
    assert_eq!(movers.len(), out.len());
    movers
}

#[test]
fn the_youngest_comes_first() {
    assert_eq!(movers("active [3] proctype P() { skip }"), [4, 2, 1]);
    let choice = "active proctype P() { if :: skip :: skip fi } active proctype Q() { false }";
    assert_eq!(movers(choice), [1, 1]);
}

#[test]
fn both_ends_of_a_rendezvous() {
    let text = "
        chan q = [0] of { byte };
        active proctype A() { q!1 }
        active proctype B() { q?1 }
        active proctype C() { q?_ }
    ";
    assert_eq!(movers(text), [0b101, 0b011]);
}

#[test]
fn an_atomic_run_belongs_to_the_one_that_begins_it() {
    // B can do nothing but receive in the middle of A's run: it is not enabled.
    let text = "
        chan q = [0] of { byte };
        active proctype A() { atomic { skip; q!1 } }
        active proctype B() { q?1 }
    ";
    assert_eq!(movers(text), [0b01]);
    // Here B is enabled anyway, so that it moves in A's run counts.
    let text = "
        chan q = [0] of { byte };
        active proctype A() { atomic { skip; q!1 } }
        active proctype B() { if :: q?1 :: skip fi }
    ";
    assert_eq!(movers(text), [0b10, 0b11]);
    // A rendezvous as the first statement of the run.
    let text = "
        chan q = [0] of { byte };
        active proctype A() { atomic { q!1; skip } }
        active proctype B() { atomic { q?1; skip } }
    ";
    assert_eq!(movers(text), [0b11]);
}

#[test]
fn timeouts_and_faults() {
    assert_eq!(movers("active proctype P() { false } active proctype Q() { timeout }"), [2]);
    assert_eq!(movers("active proctype P() { assert(false) }"), [1]);
    // A deadlock is nobody's.
    assert_eq!(movers("active proctype P() { false }"), [0]);
    assert_eq!(movers("active proctype P() { end: false }"), []);
}

#[test]
fn no_bit_is_shared() {
    let movers = movers("active [70] proctype P() { skip }");
    assert_eq!(movers.len(), 70);
    assert!(movers[..6].iter().all(|bits| *bits == 0));
    assert_eq!(movers[6..8], [1 << 63, 1 << 62]);
    assert_eq!(movers[69], 1);
}
