//! Which propositions hold in which states of a run.

use crate::{letters, load};
use auspex_promela::{add_acceptance, add_ltl, add_progress};

#[test]
fn globals_arrays_channels_and_constants() {
    let text = "
        mtype = { red, green }
        byte a[2]; mtype m = red; chan q = [1] of { byte };
        typedef T { int x }; T t;
        active proctype P() { a[1] = 3; q!7; m = green; t.x = -1 }
        ltl { [] (a[1] == 3) && <> (len(q) > 0) && <> (q?[7]) && <> (m == green) && <> (t.x < 0) && full(q) }
    ";
    let (_, loaded) = load(text);
    let expected = ["a[1] == 3", "len(q) > 0", "q?[7]", "m == green", "t.x < 0", "full(q)"];
    assert_eq!(loaded.properties[0].atoms, expected);
    let all = [0, 1, 0b100111, 0b101111, 0b111111, 0b111111];
    assert_eq!(letters(&loaded, 0, 9), all);
}

#[test]
fn macros_apply_in_formulas() {
    let text = "
        #define high (x > 1)
        #define is(v) x == v
        byte x;
        active proctype P() { x = 1; x = 2 }
        ltl l { [] (high -> is(2)) && <> high }
    ";
    let (mut map, mut loaded) = load(text);
    assert_eq!(loaded.properties[0].atoms, ["x > 1", "x == 2"]);
    assert_eq!(letters(&loaded, 0, 3), [0, 0, 3]);
    add_ltl(&mut map, &mut loaded, "<> !high || [] is(1)").expect("a formula");
    assert_eq!(loaded.properties[1].atoms, ["x > 1", "x == 1"]);
    assert_eq!(loaded.properties[1].name, "ltl");
    assert_eq!(loaded.properties[1].formula.as_deref(), Some("<> !(x > 1) || [] x == 1"));
    assert_eq!(letters(&loaded, 1, 3), [0, 2, 1]);
    add_ltl(&mut map, &mut loaded, "x == 1").expect("a formula");
    assert_eq!(loaded.properties[2].name, "ltl_2");
}

#[test]
fn remote_references_to_processes_that_come_and_go() {
    let text = "
        proctype P(byte v) { byte w = v; L: w = 5; skip }
        init { run P(3); _nr_pr == 1; run P(4) }
        ltl { [] (P@L) && (P[1]@L) && (P:w == 3) && (P[1]:w == 5) && (P[0]@L) && (P[1]:w == 0) && (P[9]:w == 0) }
    ";
    // The youngest process comes first: P runs whenever there is one.
    let (_, loaded) = load(text);
    let nobody = 0b1100000;
    let (young, done) = (0b1000111, 0b1001000);
    let second = 0b1000011;
    let all = [nobody, young, done, done, nobody, nobody, second, done, done, nobody, nobody];
    assert_eq!(letters(&loaded, 0, 20), all);
}

#[test]
fn names_may_be_declared_later() {
    let (_, loaded) =
        load("ltl { <> (x == 1 && P@L) } byte x; active proctype P() { x = 1; L: x = 2 }");
    assert_eq!(loaded.properties[0].atoms, ["x == 1", "P@L"]);
    assert_eq!(letters(&loaded, 0, 9), [0, 3, 0, 0]);
}

#[test]
fn a_label_on_a_jump_becomes_a_state() {
    let (_, loaded) =
        load("byte x; active proctype P() { x = 1; L: goto M; M: x = 2 } ltl { <> P@L }");
    assert_eq!(letters(&loaded, 0, 9), [0, 1, 0, 0, 0]);
}

#[test]
fn hidden_variables_of_formulas_are_kept() {
    let (_, loaded) =
        load("hidden byte x; active proctype P() { x = 1; skip } ltl { [] (x == 0) }");
    assert_eq!(letters(&loaded, 0, 9), [1, 0, 0, 0]);
}

#[test]
fn what_cannot_be_evaluated_does_not_hold() {
    let text = "
        byte a[2], i;
        active proctype P() { i = 1; i = 2; i = 0 }
        ltl { [] (a[i] == 0) && (4 / i > 0) && !(4 / i > 9) }
    ";
    let (_, loaded) = load(text);
    assert_eq!(letters(&loaded, 0, 9), [0b001, 0b011, 0b010, 0b001, 0b001]);
}

#[test]
fn progress_and_acceptance() {
    let text = "
        byte x;
        active proctype P() {
            x = 1;
            progress_here: x = 2;
            accept: x = 3;
            x = 4
        }
    ";
    let (_, mut loaded) = load(text);
    add_progress(&mut loaded);
    add_acceptance(&mut loaded);
    // A system that has stopped makes no progress, but goes round no cycle either.
    assert_eq!(letters(&loaded, 0, 9), [1, 0, 1, 1, 1, 0]);
    assert_eq!(letters(&loaded, 1, 9), [0, 0, 1, 0, 0, 0]);
    let wrong = &loaded.properties[0].automaton;
    assert!(wrong.accepts(&[0, 1], &[1]) && !wrong.accepts(&[1], &[1, 0]));
    let wrong = &loaded.properties[1].automaton;
    assert!(wrong.accepts(&[0, 0], &[1, 0]) && !wrong.accepts(&[1], &[0]));
}

#[test]
fn who_moved_last_and_who_can() {
    let text = "
        byte x;
        active proctype A() { x == 1; x = 2 }
        active proctype B() { x = 1; x == 2 }
        never { do :: _last == 1 :: enabled(0) :: pc_value(0) == 1 :: np_ od }
    ";
    let (_, loaded) = load(text);
    // B moves, then A twice, then B.
    assert_eq!(letters(&loaded, 0, 4), [0b1100, 0b1111, 0b1010, 0b1000]);
}

#[test]
fn a_system_that_can_still_move_has_not_stopped() {
    // Only a rendezvous, only a timeout, only an else: each of them is a move.
    let bodies = [
        "active proctype A() { c!1 } active proctype B() { c?1; false }",
        "active proctype A() { timeout -> false }",
        "active proctype A() { if :: c!1 :: else fi; false }",
    ];
    for body in bodies {
        let (_, mut loaded) = load(&format!("chan c = [0] of {{ byte }}; {body}"));
        add_progress(&mut loaded);
        assert_eq!(letters(&loaded, 0, 2)[0], 1, "{body}");
    }
    let (_, mut loaded) = load("chan c = [0] of { byte }; active proctype A() { c!1 }");
    add_progress(&mut loaded);
    assert_eq!(letters(&loaded, 0, 2), [0]);
}
