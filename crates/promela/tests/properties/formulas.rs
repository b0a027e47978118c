//! Formulas in `ltl` blocks mean what the logic says.

use crate::load;
use auspex_ltl::{Formula, parse, translate};
use auspex_system::FileId;

#[test]
fn the_automaton_accepts_the_runs_that_are_wrong() {
    let formulas = [
        "[] (p -> <> q)",
        "p U q || [] p",
        "!p U q -> <> p && [] !q",
        "always (p implies eventually q)",
        "<>[]p<->[]<>q",
        "!!p",
        "[](p||!p)",
        "p W q",
        "X p",
    ];
    for formula in formulas {
        let text = format!("bool p, q; active proctype P() {{ p = 1 }} ltl l {{ {formula} }}");
        let (_, loaded) = load(&text);
        let property = &loaded.properties[0];
        let parsed = parse(formula, FileId(0), 0).expect("a formula");
        let expected = translate(&Formula::not(parsed.formula)).expect("an automaton");
        assert_eq!(property.automaton, expected, "{formula}");
        assert_eq!(property.has_next, formula.contains('X'), "{formula}");
        assert_eq!(property.formula.as_deref(), Some(formula));
    }
}

#[test]
fn a_formula_over_several_lines() {
    let text = "byte x; active proctype P() { x = 1 }
        ltl long {
            [] (x < 2 /* always */ &&
                // and
                x >= 0);
        }
        ltl { <> (x == 1) } ltl { [] (x < 9) }";
    let (_, loaded) = load(text);
    assert_eq!(loaded.properties[0].formula.as_deref(), Some("[] (x < 2 && x >= 0)"));
    let names: Vec<_> = loaded.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["long", "ltl", "ltl_2"]);
    assert!(loaded.warnings.is_empty());
}
