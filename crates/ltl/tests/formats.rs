//! Never claims and HOA, out and in; classification.

mod common;

use auspex_ltl::{Automaton, Formula, Syntax, classify, read_hoa, read_never_claim, translate};
use auspex_system::FileId;
use common::{Word, formula, holds, name, random_formula, random_word, rng, rounds};
use std::process::Command;

/// The word with its letters as an automaton's own atoms see them.
fn renamed(word: &Word, atoms: &[auspex_ltl::Atom]) -> Word {
    let letter = |letter: &u64| {
        let bit = |(new, atom): (usize, &auspex_ltl::Atom)| {
            let old = atom.text.as_bytes()[0] - b'a';
            (letter >> old & 1) << new
        };
        atoms.iter().enumerate().map(bit).sum()
    };
    Word {
        prefix: word.prefix.iter().map(letter).collect(),
        cycle: word.cycle.iter().map(letter).collect(),
    }
}

fn accepts(automaton: &Automaton, word: &Word) -> bool {
    automaton.accepts(&word.prefix, &word.cycle)
}

#[test]
fn never_claims_and_hoa_keep_the_language() {
    let mut rng = rng("round trip");
    for _ in 0..rounds(500) {
        let size = rng.u32(1..10);
        let original = random_formula(&mut rng, 3, size);
        let automaton = translate(&original).unwrap();
        let text = original.display(Syntax::Letters, &name);
        let claim = automaton.to_never_claim(&text, &name);
        let from_claim =
            read_never_claim(&claim, FileId(0), 0).unwrap_or_else(|e| panic!("{claim}{e:?}"));
        let hoa = automaton.to_hoa(&text, &[name(0), name(1), name(2)]);
        let from_hoa = read_hoa(&hoa, FileId(0), 0).unwrap_or_else(|e| panic!("{hoa}{e:?}"));
        assert_eq!(from_hoa.automaton, automaton, "{hoa}");
        for _ in 0..20 {
            let word = random_word(&mut rng, 3);
            let expected = accepts(&automaton, &word);
            let other = renamed(&word, &from_claim.atoms);
            assert_eq!(
                accepts(&from_claim.automaton, &other),
                expected,
                "{text} {word:?}\n{claim}"
            );
        }
    }
}

fn spin(formula: &str) -> String {
    let output = Command::new("spin").args(["-f", formula]).output();
    let output = output.expect("this test needs spin (apt install spin)");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn what_spin_prints_is_read_as_the_same_language() {
    let mut rng = rng("spin -f");
    let mut compared = 0;
    while compared < rounds(60) {
        let size = rng.u32(2..8);
        let original = random_formula(&mut rng, 3, size).simplify();
        if original.has_next() || original.is_literal() {
            continue;
        }
        let text = original.display(Syntax::Spin, &name);
        let claim = spin(&text);
        let read = read_never_claim(&claim, FileId(0), 0)
            .unwrap_or_else(|error| panic!("{text}\n{claim}\n{error:?}"));
        for _ in 0..50 {
            let word = random_word(&mut rng, 3);
            let theirs = accepts(&read.automaton, &renamed(&word, &read.atoms));
            assert_eq!(theirs, holds(&original, &word), "{text} on {word:?}\n{claim}");
        }
        compared += 1;
    }
}

/// Spin accepts what we write.
#[test]
fn spin_reads_our_claims() {
    let dir = std::env::temp_dir().join(format!("auspex-never-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for text in ["[](a -> <>b)", "[]a", "<>[]b", "a U b", "false", "true", "[]<>a && []<>b"] {
        let claim = translate(&formula(text)).unwrap().to_never_claim(text, &name);
        let model = format!("bool a, b;\nactive proctype m() {{ a = 1 }}\n{claim}");
        std::fs::write(dir.join("m.pml"), model).unwrap();
        let output = Command::new("spin").args(["-a", "m.pml"]).current_dir(&dir).output();
        let output = output.expect("this test needs spin (apt install spin)");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && !said.contains("rror"), "{said}\n{claim}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_claim_of_ltl2ba_is_read() {
    let claim = "never { /* []<>a */\n\
        T0_init :    /* init */\n\tif\n\t:: (1) -> goto T0_init\n\t:: (a) -> goto accept_S1\n\tfi;\n\
        accept_S1 :    /* 1 */\n\tif\n\t:: (1) -> goto T0_init\n\t:: (a) -> goto accept_S1\n\tfi;\n}\n";
    let read = read_never_claim(claim, FileId(0), 0).unwrap();
    assert_eq!((read.automaton.len(), read.atoms[0].text.as_str()), (2, "a"));
    assert!(read.automaton.accepts(&[], &[1, 0]));
    assert!(!read.automaton.accepts(&[1, 1], &[0]));
    let error = read_never_claim("never { S: do :: a -> goto T od }", FileId(0), 0).unwrap_err();
    assert_eq!(error.span.map(|span| span.start), Some(27), "{error:?}");
}

#[test]
fn hoa_of_other_tools_is_read() {
    let transition_based = "HOA: v1 name: \"GFa & GFb\" States: 1 Start: 0 AP: 2 \"a\" \"b\" \
        acc-name: generalized-Buchi 2 Acceptance: 2 Inf(0)&Inf(1) Alias: @x 0&1 \
        --BODY-- State: 0 [@x] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0 --END--";
    let read = read_hoa(transition_based, FileId(0), 0).unwrap();
    assert!(read.automaton.accepts(&[], &[1, 2]) && !read.automaton.accepts(&[3], &[1]));
    let implicit = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) \
        --BODY-- State: 0 0 1 State: 1 {0} 0 1 --END--";
    let read = read_hoa(implicit, FileId(0), 0).unwrap();
    assert!(read.automaton.accepts(&[], &[1, 0]) && !read.automaton.accepts(&[1], &[0]));
    let two = "HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 \"a\" Acceptance: 0 t \
        --BODY-- State: [0] 0 0 State: [!0] 1 1 --END--";
    let read = read_hoa(two, FileId(0), 0).unwrap();
    assert!(read.automaton.accepts(&[], &[1]) && read.automaton.accepts(&[], &[0]));
    assert!(!read.automaton.accepts(&[], &[1, 0]));
    for bad in [
        "HOA: v2",
        "HOA: v1 --BODY-- --END-- x",
        "HOA: v1 States: 1 Start: 0 Acceptance: 1 Fin(0) --BODY-- --END--",
        "HOA: v1 States: 1 Start: 99999999999999999999 --BODY-- --END--",
        "HOA: v1 States: 1 Start: 0&0 --BODY-- --END--",
        "HOA: v1 AP: 1 \"a\" --BODY-- State: 0 [1] 0 --END--",
        "HOA: v1 AP: 1 \"a",
    ] {
        assert!(read_hoa(bad, FileId(0), 0).is_err(), "{bad}");
    }
}

#[test]
fn readers_never_panic() {
    let mut rng = rng("formats");
    let automaton = translate(&formula("[](a -> b U c) && []<>a")).unwrap();
    let texts = [
        automaton.to_never_claim("x", &name),
        automaton.to_hoa("x", &[name(0), name(1), name(2)]),
        spin("[](a -> (b U c))"),
    ];
    for _ in 0..rounds(5000) {
        let mut bytes = texts[rng.usize(0..3)].clone().into_bytes();
        for _ in 0..rng.usize(1..6) {
            let at = rng.usize(0..bytes.len());
            match rng.u32(0..4) {
                0 => bytes[at] = rng.u8(..),
                1 => bytes.truncate(at.max(1)),
                2 => {
                    bytes.remove(at);
                    bytes.push(b' ');
                }
                _ => {
                    let from = rng.usize(0..bytes.len());
                    bytes[at] = bytes[from];
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let _ = read_never_claim(&text, FileId(0), 0);
        let _ = read_hoa(&text, FileId(0), 0);
    }
}

#[test]
fn classes_of_known_formulas() {
    let kinds = |text: &str| {
        let class = classify(&formula(text)).unwrap();
        [class.safety, class.guarantee, class.obligation].map(|answer| answer.unwrap())
    };
    for (text, expected) in [
        ("[]a", [true, false, true]),
        ("<>a", [false, true, true]),
        ("a U b", [false, true, true]),
        ("a W b", [true, false, true]),
        ("X a", [true, true, true]),
        ("[]a || <>b", [false, false, true]),
        ("[]<>a", [false, false, false]),
        ("<>[]a", [false, false, false]),
        ("[](a -> <>b)", [false, false, false]),
        // Safety and guarantee that the text does not show.
        ("[](a U b) || !<>[]true || (<>b && []false)", [false, false, false]),
        ("[]a && (b U !b || []b)", [true, false, true]),
        ("<>a || []<>a", [false, true, true]),
    ] {
        assert_eq!(kinds(text), expected, "{text}");
    }
    let class = classify(&formula("<>a || []!a")).unwrap();
    assert!(class.tautology && !class.unsatisfiable && class.safety == Some(true));
    let class = classify(&formula("<>a && []!a")).unwrap();
    assert!(class.unsatisfiable && !class.tautology);
    assert!(formula("[](a -> X b)").is_syntactic_safety());
    assert!(
        formula("a U X b").is_syntactic_guarantee() && !formula("a W b").is_syntactic_guarantee()
    );
}

#[test]
fn stutter_invariance_of_known_formulas() {
    for (text, expected) in [
        ("X a", false),
        ("[](a -> X a)", true),
        ("a U (b && X c)", false),
        ("X <>a", false),
        ("<>(a && X !a)", true),
        ("<>(a && X (!a && X b))", false),
        ("X []<>a", true),
        ("[](a -> <>b)", true),
        ("a && X true", true),
        ("<>(a && X a)", false),
        ("<>(!a && X a) && <>b", true),
    ] {
        assert_eq!(formula(text).is_stutter_invariant().unwrap(), Some(expected), "{text}");
    }
}

fn stuttered(rng: &mut fastrand::Rng, word: &Word) -> Word {
    let mut repeat = |letters: &[u64]| {
        letters.iter().flat_map(|letter| std::iter::repeat_n(*letter, rng.usize(1..4))).collect()
    };
    Word { prefix: repeat(&word.prefix), cycle: repeat(&word.cycle) }
}

#[test]
fn stutter_invariance_holds_on_random_words() {
    let mut rng = rng("stutter");
    let (mut insensitive, mut refuted, mut sensitive) = (0, 0, 0);
    for _ in 0..rounds(1500) {
        let size = rng.u32(2..9);
        let original = random_formula(&mut rng, 2, size);
        if !original.has_next() {
            continue;
        }
        let verdict = original.is_stutter_invariant().unwrap().unwrap();
        let mut differs = false;
        for _ in 0..100 {
            let word = random_word(&mut rng, 2);
            let other = stuttered(&mut rng, &word);
            differs |= holds(&original, &word) != holds(&original, &other);
        }
        assert!(!(verdict && differs), "{original:?} is not insensitive to stuttering");
        insensitive += usize::from(verdict);
        sensitive += usize::from(!verdict);
        refuted += usize::from(differs);
    }
    // Random words find most witnesses; a verdict of "sensitive" that none supports is suspect.
    assert!(
        insensitive > 50 && refuted * 10 > sensitive * 8,
        "{insensitive} {refuted} {sensitive}"
    );
}

#[test]
fn semantic_classes_agree_with_the_text() {
    let mut rng = rng("classes");
    for _ in 0..rounds(400) {
        let size = rng.u32(1..9);
        let original = random_formula(&mut rng, 3, size);
        let class = classify(&original).unwrap();
        let negated = classify(&Formula::not(original.clone())).unwrap();
        assert!(!original.is_syntactic_safety() || class.safety == Some(true), "{original:?}");
        assert!(
            !original.is_syntactic_guarantee() || class.guarantee == Some(true),
            "{original:?}"
        );
        assert_eq!(class.safety, negated.guarantee, "{original:?}");
        assert_eq!(class.obligation, negated.obligation, "{original:?}");
        assert_eq!(class.tautology, negated.unsatisfiable, "{original:?}");
        assert_eq!(class.stutter_invariant, negated.stutter_invariant, "{original:?}");
    }
}
