//! `auspex ltl`.

use expect_test::{Expect, expect};
use std::process::Command;

fn ltl(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .arg("ltl")
        .args(arguments)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn prints(arguments: &[&str], expected: &Expect) {
    let (code, out, _) = ltl(arguments);
    assert_eq!(code, 0);
    expected.assert_eq(&out);
}

#[test]
fn a_formula_is_described() {
    prints(
        &["[] (request > 0 -> <> reply)"],
        &expect![[r#"
        []((request > 0) -> <>reply)
          liveness: a violation is an infinite run
          does not depend on how often a state repeats (stutter-invariant)
          automaton: 2 states, 4 transitions, deterministic
            0 start accepting
              !(request > 0) || reply -> 0
              (request > 0) && !reply -> 1
            1
              reply -> 0
              !reply -> 1
    "#]],
    );
    prints(
        &["G p"],
        &expect![[r#"
        []p
          safety: nothing bad happens; a violation is seen after finitely many steps
          does not depend on how often a state repeats (stutter-invariant)
          automaton: 1 state, 1 transition, deterministic
            0 start accepting
              p -> 0
    "#]],
    );
    prints(
        &["X p"],
        &expect![[r#"
        X p
          safety and guarantee: decided after a bounded number of steps
          depends on how often a state repeats: reductions cannot be used with it
          automaton: 3 states, 3 transitions, deterministic
            0 start
              true -> 1
            1
              p -> 2
            2 accepting
              true -> 2
    "#]],
    );
    prints(
        &["F p", "--negate"],
        &expect![[r#"
        !<>p
          safety: nothing bad happens; a violation is seen after finitely many steps
          does not depend on how often a state repeats (stutter-invariant)
          automaton: 1 state, 1 transition, deterministic
            0 start accepting
              !p -> 0
    "#]],
    );
    prints(
        &["p || !p"],
        &expect![[r#"
        p || !p
          holds on every run
          does not depend on how often a state repeats (stutter-invariant)
          automaton: 1 state, 1 transition, deterministic
            0 start accepting
              true -> 0
    "#]],
    );
}

#[test]
fn automata_are_written_for_other_tools() {
    prints(
        &["a U b", "--format", "never"],
        &expect![[r#"
        never {    /* a U b */
        T0_init:
        	do
        	:: (a && !b) -> goto T0_init
        	:: (b) -> goto accept_all_1
        	od;
        accept_all_1:
        	skip;
        }
    "#]],
    );
    prints(
        &["a U b", "--format", "hoa"],
        &expect![[r#"
        HOA: v1
        tool: "auspex" "0.1.0"
        name: "a U b"
        States: 2
        Start: 0
        AP: 2 "a" "b"
        acc-name: Buchi
        Acceptance: 1 Inf(0)
        properties: trans-labels explicit-labels state-acc deterministic terminal weak
        --BODY--
        State: 0
        [0 & !1] 0
        [1] 1
        State: 1 {0}
        [t] 1
        --END--
    "#]],
    );
    let (_, dot, _) = ltl(&["a U b", "--format", "dot"]);
    assert!(dot.starts_with("digraph"), "{dot}");
    let (_, svg, _) = ltl(&["a U b", "--format", "svg"]);
    roxmltree::Document::parse(&svg).unwrap();
}

#[test]
fn a_mistake_is_pointed_at() {
    let (code, out, error) = ltl(&["[] (a -> "]);
    assert_eq!((code, out.as_str()), (2, ""));
    expect![[r#"
        error: the formula ends where a proposition is expected
         --> formula:1:10
          |
        1 | [] (a -> 
          |          ^ expected a proposition

    "#]]
    .assert_eq(&error);
    let (code, _, error) = ltl(&["a", "-o", "picture.png"]);
    assert_eq!(code, 2);
    assert!(error.contains("cannot write `.png`"), "{error}");
}
