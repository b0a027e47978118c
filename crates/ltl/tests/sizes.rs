//! Automata stay small. The numbers are what was reached; smaller is welcome, larger is not.

mod common;

use auspex_ltl::{Formula, parse, translate};
use auspex_system::FileId;

fn total(text: &str) -> usize {
    let mut states = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let formula = parse(line, FileId(0), 0).unwrap_or_else(|e| panic!("{line}: {e:?}")).formula;
        states += translate(&formula).unwrap().len();
        states += translate(&Formula::not(formula)).unwrap().len();
    }
    states
}

#[test]
fn formulas_from_the_literature() {
    assert!(total(include_str!("formulas/dwyer.ltl")) <= 427);
    assert!(total(include_str!("formulas/etessami-holzmann.ltl")) <= 95);
    assert!(total(include_str!("formulas/somenzi-bloem.ltl")) <= 162);
}

#[test]
fn small_ones_are_smallest() {
    for (text, states) in [
        ("true", 1),
        ("false", 1),
        ("a", 2),
        ("[]a", 1),
        ("<>a", 2),
        ("a U b", 2),
        ("[]<>a", 2),
        ("<>[]a", 2),
        ("[](a -> <>b)", 2),
        ("[]<>a && []<>b", 3),
        ("[]a && <>b", 2),
        ("<>a && []!a", 1),
    ] {
        let automaton = translate(&common::formula(text)).unwrap();
        assert_eq!(automaton.len(), states, "{text}: {automaton:?}");
    }
}

/// Kinds of automata that the product treats specially.
#[test]
fn kinds_of_automata() {
    let kinds = |text: &str| {
        let automaton = translate(&common::formula(text)).unwrap();
        [automaton.is_terminal(), automaton.is_weak(), automaton.is_deterministic()]
    };
    assert_eq!(kinds("<>a"), [true, true, true]);
    assert_eq!(kinds("a U b"), [true, true, true]);
    assert_eq!(kinds("[]a"), [false, true, true]);
    assert_eq!(kinds("[]<>a"), [false, false, true]);
    assert_eq!(kinds("<>[]a"), [false, true, false]);
    assert!(translate(&common::formula("<>a")).unwrap().has_accepting_sink());
}

/// What grows is refused, not waited for.
#[test]
fn large_formulas_end() {
    let deep = (0..12).fold(String::from("a"), |inner, i| match i % 4 {
        0 => format!("(b U {inner})"),
        1 => format!("[](c -> {inner})"),
        2 => format!("(X {inner} W d)"),
        _ => format!("<>({inner} && a)"),
    });
    translate(&common::formula(&deep)).unwrap();
    let untils =
        (0..8).fold(String::from("z"), |inner, i| format!("({inner} U {})", common::name(i)));
    (0..12).fold(String::from("a"), |inner, i| format!("({inner} U {})", common::name(i)));
    let _ = translate(&common::formula(&untils));
    let recurrences: Vec<_> = (0..10).map(|i| format!("[]<>{}", common::name(i))).collect();
    assert_eq!(translate(&common::formula(&recurrences.join("&&"))).unwrap().len(), 11);
    let responses: Vec<_> = (0..5).map(|i| format!("[](a -> <>{})", common::name(i + 1))).collect();
    let _ = translate(&common::formula(&responses.join("&&")));
    let equivalences = vec!["[]<>a"; 60].join(" <-> []<>b <-> ");
    assert!(translate(&common::formula(&equivalences)).is_err());
    let wide: Vec<_> = (0..65).map(|i| format!("p{i}")).collect();
    let parsed = parse(&wide.join(" && "), FileId(0), 0).unwrap();
    assert!(translate(&parsed.formula).is_err());
    let fits = parse(&format!("[]<>({})", wide[..64].join(" && ")), FileId(0), 0).unwrap();
    assert_eq!(translate(&fits.formula).unwrap().len(), 2);
}
