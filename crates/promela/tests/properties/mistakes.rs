//! What is said about wrong properties, and where.

use crate::{listed, load, try_load};
use auspex_promela::add_ltl;

const MODEL: &str = "#define both(a, b) (a && b)
#define wrong (y > 3)
byte x, a[2]; hidden byte h;
active proctype P() { byte mine; L: x = 1; h = 2; J: goto E; E: skip }
";

/// The errors of the model with more lines behind it, which are from line 5 on.
fn errors(text: &str) -> String {
    let (map, result) = try_load(&format!("{MODEL}{text}"));
    let Err(errors) = result else { panic!("{text}\nis accepted") };
    listed(&map, &errors)
}

#[test]
fn errors_point_at_the_place_in_the_file() {
    let table = [
        ("ltl l { [] (y > 0) }", "5:13-14: undeclared variable `y`"),
        ("ltl l {\n  [] (x > 0 &&\n      z) }", "7:7-8: undeclared variable `z`"),
        ("ltl l { <> wrong }", "5:12-17: undeclared variable `y`"),
        ("ltl l { <> both(x, y) }", "5:20-21: undeclared variable `y`"),
        (
            "ltl l { [] (x > ) }",
            "5:16-16: expected an expression, found the end of the proposition",
        ),
        ("ltl l { [] (x > 0 }", "5:18-18: the formula ends where an operator or `)`"),
        ("ltl l { [] }", "5:11-11: the formula ends where a proposition is expected"),
        ("ltl l { x == 1 ) }", "5:16-17: expected an operator or the end of the formula"),
        ("ltl l { [] P@M }", "5:14-15: `P` has no label `M`"),
        ("ltl l { [] Q@L }", "5:12-13: there is no proctype `Q`"),
        ("ltl l { [] (P:m == 1) }", "5:15-16: `P` has no variable `m`"),
        ("ltl l { [] (mine == 1) }", "5:13-17: undeclared variable `mine`"),
        ("ltl l { [] (_pid == 1) }", "5:13-17: `_pid` has a meaning only inside a process"),
        ("ltl l { [] a }", "5:12-13: missing index: `a` is an array"),
        ("ltl l { [] x } ltl l { [] x }", "5:20-21: two properties are called `l`"),
        ("never { skip } never { skip }", "5:16-30: only one never claim can be without a name"),
        ("never { y > 1 }", "5:9-10: undeclared variable `y`"),
        ("never { goto N }", "5:14-15: there is no label `N`"),
        ("never { A: skip; A: skip }", "5:18-19: label `A` is defined twice"),
        ("never { break }", "5:9-14: `break` outside of a loop"),
        ("never { do :: _pid == 1 od }", "5:15-19: `_pid` has a meaning only inside a process"),
    ];
    for (text, expected) in table {
        let found = errors(text);
        assert!(found.starts_with(expected), "{text}\nexpected: {expected}\nfound:    {found}");
    }
}

#[test]
fn a_trace_assertion_consists_of_events() {
    let table = [
        ("trace { x = 1 }", "5:9-14: `x = 1` is no event"),
        ("trace { q!1; x == 1; q!2 }", "5:14-20: `x == 1` is no event"),
        ("trace { q!!1 }", "5:9-13: `q!!1` is no event"),
        ("trace { q??1 }", "5:9-13: `q??1` is no event"),
        ("trace { q?<1> }", "5:9-14: `q?<1>` is no event"),
        ("trace { do :: q!1 :: else od }", "5:22-26: `else` is no event"),
        ("trace { do :: q!1 :: break od }", "5:1-32: a jump that no event comes before"),
        ("trace { q!1,2 }", "5:9-14: `q` has 1 fields, 2 given"),
        ("trace { mine!1 }", "5:9-13: undeclared variable `mine`"),
        ("trace { x!1 }", "5:9-10: `x` is not a channel"),
        ("trace { w[x]!1 }", "5:9-13: the index of a channel in a trace assertion must be"),
        ("trace { q!1 } notrace { q!2 }", "5:15-30: only one trace or notrace assertion"),
    ];
    for (text, expected) in table {
        let found = errors(&format!("chan q = [1] of {{ byte }}, w[2];\n{text}"));
        let expected = expected.replacen('5', "6", 1);
        assert!(found.starts_with(&expected), "{text}\nexpected: {expected}\nfound:    {found}");
    }
}

#[test]
fn errors_in_formulas_from_elsewhere() {
    let table = [
        ("[] (y > 0)", "1:5-6: undeclared variable `y`"),
        ("[] wrong", "1:4-9: undeclared variable `y`"),
        ("", "1:1-1: this formula is empty"),
        ("[] (x", "1:6-6: the formula ends where"),
        ("<> (h == 1)", "1:5-6: `h` is hidden: it is no part of a state"),
        ("<> P@J", "1:6-7: label `J` is no state of its own"),
        ("<> timeout", "1:4-11: `timeout` is not supported in a formula"),
    ];
    for (text, expected) in table {
        let (mut map, mut loaded) = load(MODEL);
        let Err(errors) = add_ltl(&mut map, &mut loaded, text) else { panic!("{text}: accepted") };
        let found = listed(&map, &errors);
        assert!(found.starts_with(expected), "{text}\nexpected: {expected}\nfound:    {found}");
        assert!(loaded.properties.is_empty() && loaded.model.properties.is_empty());
        assert_eq!(loaded.model.proctypes.len(), 1, "the model is still there");
        add_ltl(&mut map, &mut loaded, "<> (x == 1) && P@L").expect("a formula");
        assert_eq!(crate::letters(&loaded, 0, 4), [2, 1, 1, 1]);
    }
}

#[test]
fn warnings_of_formulas_have_places() {
    let (map, loaded) = load(&format!("{MODEL}ltl l {{ x == 0 -> x == 1 ->\n x == 2 }}"));
    let warnings = listed(&map, &loaded.warnings);
    assert!(warnings.contains("5:9"), "{warnings}");
    assert!(warnings.contains("operators are grouped from the left"), "{warnings}");
}

#[test]
fn too_much() {
    let parts: Vec<_> = (0..65).map(|n| format!("x == {n}")).collect();
    let found = errors(&format!("ltl l {{ <> ({}) }}", parts.join(" || ")));
    assert!(found.starts_with("5:1-") && found.contains("more than 64 propositions"), "{found}");
    let choices = "if :: x == 1 :: x == 2 fi; ".repeat(40);
    let found = errors(&format!("never {{ atomic {{ {choices} skip }} }}"));
    assert!(found.contains("too many ways"), "{found}");
    let found = errors("never { atomic { skip; do :: x == 1 :: x == 2 od } }");
    assert!(found.contains("a loop inside an atomic sequence"), "{found}");
    let options: Vec<_> = parts.iter().map(|part| format!(":: {part}")).collect();
    let found = errors(&format!("never {{ do {} od }}", options.join(" ")));
    assert!(found.contains("more than 64 different conditions"), "{found}");
}
