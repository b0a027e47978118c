//! Never claims as automata, compared by the words that they accept.

use crate::load;
use auspex_ltl::{Automaton, parse, translate};
use auspex_promela::{Loaded, PropertyKind};
use auspex_system::FileId;

fn claim(body: &str) -> Loaded {
    load(&format!("bool p, q; active proctype P() {{ skip }} never {{ {body} }}")).1
}

/// Every word with a short prefix and cycle over `atoms` propositions.
fn same_language(a: &Automaton, b: &Automaton, atoms: u32) -> Result<(), String> {
    let letters = 1_u64 << atoms;
    let word = |mut code: u64, length: usize| -> Vec<u64> {
        let mut letters_of = Vec::new();
        for _ in 0..length {
            letters_of.push(code % letters);
            code /= letters;
        }
        letters_of
    };
    for (before, cycle) in [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (0, 3), (3, 1)] {
        for code in 0..letters.pow(before + cycle) {
            let word = word(code, (before + cycle) as usize);
            let (prefix, cycle) = word.split_at(before as usize);
            if a.accepts(prefix, cycle) != b.accepts(prefix, cycle) {
                return Err(format!("{prefix:?} ({cycle:?})^w"));
            }
        }
    }
    Ok(())
}

/// The claim accepts the words that satisfy the formula; the atoms of both have the same texts in
/// the same order.
fn check(body: &str, formula: &str) {
    let loaded = claim(body);
    let [property] = loaded.properties.as_slice() else { panic!("one property: {body}") };
    let parsed = parse(formula, FileId(0), 0).expect("a formula");
    let texts: Vec<_> = parsed.atoms.iter().map(|atom| atom.text.clone()).collect();
    assert_eq!(property.atoms, texts, "{body}");
    let other = translate(&parsed.formula).expect("an automaton");
    if let Err(word) = same_language(&property.automaton, &other, texts.len() as u32) {
        panic!("{body}\nand {formula} differ on {word}\n{:?}", property.automaton);
    }
}

#[test]
fn claims_of_formulas() {
    check("accept: do :: p od", "[] p");
    check("do :: p -> break :: true od; accept: do :: q od", "true U (p && X [] q)");
    check(
        "T0: if :: p -> goto accept_S4 :: (1) -> goto T0 fi; accept_S4: if :: p -> goto accept_S4 fi",
        "<> [] p",
    );
    check(
        "T0: if :: p -> goto accept_S4 :: (1) -> goto T0 fi; accept_S4: if :: (1) -> goto T0 fi",
        "[] <> p",
    );
    check("T0: do :: p -> goto accept_all :: 1 -> goto T0 od; accept_all: skip", "<> p");
    check("do :: p :: q -> break od", "p U q");
}

#[test]
fn the_closing_brace_is_a_violation() {
    check("p", "p");
    check("p; q", "p && X q");
    check("skip", "true");
    check("true; true; p", "X X p");
    check("if :: p -> skip :: q fi", "p || q");
}

#[test]
fn a_claim_without_accepting_states_or_end_accepts_nothing() {
    check("do :: p od", "p && !p");
    check("p; false", "p && !p");
    check("false", "false");
}

#[test]
fn else_is_what_no_other_option_takes() {
    check("if :: p -> goto stuck :: else fi; goto done; stuck: do :: skip od; done: skip", "!p");
    check(
        "if :: p -> goto stuck :: q -> goto stuck :: else fi; goto done; stuck: do :: skip od; done: skip",
        "!p && !q",
    );
    check("accept: do :: p -> goto stuck :: else od; stuck: false", "[] !p");
}

#[test]
fn an_atomic_sequence_is_one_step() {
    check("do :: atomic { p -> q } -> break :: true od", "<> (p && q)");
    check("do :: d_step { p; q }; break :: true od", "<> (p && q)");
    check("T0: do :: atomic { p -> goto done } :: skip -> goto T0 od; done: skip", "<> p");
}

#[test]
fn a_failed_assertion_is_a_violation() {
    // As Spin 6.5.2 writes it for `<> p`.
    let body =
        "T0_init: do :: atomic { (p) -> assert(!(p)) } :: (1) -> goto T0_init od; accept_all: skip";
    let loaded = claim(body);
    let property = &loaded.properties[0];
    assert_eq!(property.atoms, ["(p)", "(!(p))"]);
    // Bit 1 is the negation of bit 0.
    assert!(property.automaton.accepts(&[2, 2, 1], &[2]));
    assert!(!property.automaton.accepts(&[2, 2], &[2]));
    check(
        "assert(p); q; accept: do :: skip od",
        "!(p) || X q".replace("!(p)", "(!{(p)})").as_str(),
    );
}

#[test]
fn conditions_of_claims_are_propositions() {
    let text = "
        byte x; active proctype P() { L: x = 1 }
        never one { do :: P@L && x == 0 :: P[0]@L :: np_ od }
        never two { x > 0 }
        ltl three { <> (x > 0) }
    ";
    let (_, loaded) = load(text);
    let names: Vec<_> = loaded.properties.iter().map(|p| (p.name.as_str(), p.kind)).collect();
    use PropertyKind::{Ltl, Never};
    assert_eq!(names, [("one", Never), ("two", Never), ("three", Ltl)]);
    assert_eq!(loaded.properties[0].atoms, ["P@L && x == 0", "P[0]@L", "np_"]);
    assert_eq!(loaded.model.properties.len(), 3);
    assert!(loaded.properties[1].has_next && !loaded.properties[2].has_next);
    assert!(loaded.unchecked.is_empty());
    assert_eq!(loaded.properties[1].location.line, 4);
    // A claim is no process: nobody waits for its statements to be executed.
    assert!(loaded.model.statements.iter().all(|s| s.proctype == "P"));
}

#[test]
fn what_a_claim_cannot_do_is_not_checked() {
    let table = [
        ("x = 1", "an assignment"),
        ("x++", "an assignment"),
        ("do :: true -> x = 1 od", "an assignment"),
        ("byte y; skip", "a declaration"),
        ("printf(\"a\")", "printing"),
        ("run Q()", "`run`"),
        ("skip unless x == 1", "`unless`"),
        ("timeout", "`timeout`"),
    ];
    for (body, what) in table {
        let text = format!("byte x; proctype Q() {{ skip }} init {{ x = 1 }}\nnever {{ {body} }}");
        let (map, loaded) = load(&text);
        assert!(loaded.properties.is_empty() && loaded.model.properties.is_empty(), "{body}");
        assert_eq!(loaded.unchecked.len(), 1, "{body}");
        let warnings = crate::listed(&map, &loaded.warnings);
        let message = format!("{what} is not supported in a never claim");
        assert!(warnings.contains(&message) && warnings.contains("2:"), "{body}: {warnings}");
    }
}

#[test]
fn traces_are_no_temporal_properties() {
    let text = "chan q = [1] of { byte }; init { q!1 }
        trace { q!1; do :: q!1 :: q!2 -> break od } ltl l { <> nempty(q) }";
    let (_, loaded) = load(text);
    assert_eq!((loaded.unchecked.len(), loaded.properties.len()), (0, 1));
    let trace = loaded.model.trace.expect("an assertion");
    assert_eq!((trace.sends.len(), trace.receives.len()), (3, 0));
    let events: Vec<usize> = trace.states.iter().map(|state| state.events.len()).collect();
    assert_eq!(events.iter().sum::<usize>(), 3, "{events:?}");
    // Its statements are none of the model.
    assert!(loaded.model.statements.iter().all(|s| s.proctype == ":init:" || s.proctype == "init"));
}
