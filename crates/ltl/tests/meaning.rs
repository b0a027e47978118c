//! Automata and simplified formulas against the definition of the logic.

mod common;

use auspex_ltl::{Formula, translate};
use common::{holds, random_formula, random_word, rng, rounds};

#[test]
fn simplification_keeps_the_meaning() {
    let mut rng = rng("simplify");
    for round in 0..rounds(4000) {
        let size = rng.u32(1..14);
        let formula = random_formula(&mut rng, 3, size);
        let (normal, simple) = (formula.nnf(), formula.simplify());
        for _ in 0..30 {
            let word = random_word(&mut rng, 3);
            let expected = holds(&formula, &word);
            assert_eq!(holds(&normal, &word), expected, "round {round}: {formula:?} on {word:?}");
            assert_eq!(
                holds(&simple, &word),
                expected,
                "round {round}: {formula:?} became {simple:?}, on {word:?}"
            );
        }
    }
}

#[test]
fn the_automaton_accepts_exactly_the_models() {
    let mut rng = rng("translate");
    for round in 0..rounds(1500) {
        let size = rng.u32(1..12);
        let formula = random_formula(&mut rng, 3, size);
        let yes = translate(&formula).unwrap();
        let no = translate(&Formula::not(formula.clone())).unwrap();
        for _ in 0..40 {
            let word = random_word(&mut rng, 3);
            let expected = holds(&formula, &word);
            let accepted = yes.accepts(&word.prefix, &word.cycle);
            assert_eq!(accepted, expected, "round {round}: {formula:?} on {word:?}: {yes:?}");
            let refused = no.accepts(&word.prefix, &word.cycle);
            assert_eq!(refused, !expected, "round {round}: ! {formula:?} on {word:?}: {no:?}");
        }
    }
}
