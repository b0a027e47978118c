//! Texts and formulas: what is read, what is refused, and what the real Spin makes of it.

mod common;

use auspex_ltl::{Formula, Parsed, Syntax, parse};
use auspex_system::{Diagnostic, FileId};
use common::{formula, name, random_formula, rng, rounds};
use std::process::Command;

fn read(text: &str) -> Parsed {
    parse(text, FileId(0), 0).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn refused(text: &str) -> Diagnostic {
    match parse(text, FileId(0), 0) {
        Ok(_) => panic!("{} was read", text.chars().take(60).collect::<String>()),
        Err(error) => error,
    }
}

/// The formula with its atoms in angle brackets, fully visible.
fn shape(text: &str) -> String {
    let parsed = read(text);
    let atoms = parsed.atoms;
    parsed.formula.display(Syntax::Letters, &|atom| format!("<{}>", atoms[atom as usize].text))
}

#[test]
fn all_spellings_mean_the_same() {
    for (texts, expected) in [
        (&["[]a", "G a", "always a", "globally a", "[] (a)"][..], "G <a>"),
        (&["<>a", "F a", "eventually a", "finally a", "F(a)"], "F <a>"),
        (&["X a", "next a", "X(a)"], "X <a>"),
        (&["!a", "~a", "not a", "! ! !a"], "!<a>"),
        (&["a && b", "a & b", "a /\\ b", "a and b", "a&&b&&a"], "<a> & <b>"),
        (&["a || b", "a | b", "a \\/ b", "a or b"], "<a> | <b>"),
        (&["a -> b", "a => b", "a implies b"], "<a> -> <b>"),
        (&["a <-> b", "a <=> b", "a equivalent b"], "<a> <-> <b>"),
        (&["a ^ b", "a xor b"], "!(<a> <-> <b>)"),
        (&["a U b", "a until b", "a stronguntil b"], "<a> U <b>"),
        (&["a V b", "a R b", "a release b"], "<a> R <b>"),
        (&["a W b", "a weakuntil b"], "<a> W <b>"),
        (&["a M b", "a strongrelease b"], "<a> M <b>"),
        (&["true", "!false", "(true)", "true || a"], "true"),
    ] {
        for text in texts {
            assert_eq!(shape(text), expected, "{text}");
        }
    }
}

#[test]
fn atoms_are_maximal_runs_of_the_host_language() {
    for (text, expected) in [
        ("[] x > 3", "G <x > 3>"),
        ("a[i] == f(2) + 1 && b", "<a[i] == f(2) + 1> & <b>"),
        ("(x + 1) < y U done", "<(x + 1) < y> U <done>"),
        ("(x + 1 < y) U done", "<x + 1 < y> U <done>"),
        ("<>p@label", "F <p@label>"),
        ("[](q?[msg] -> <>len(q) == 0)", "G (<q?[msg]> -> F <len(q) == 0>)"),
        ("Thread at function U done", "<Thread at function> U <done>"),
        ("{ any && text } U \"more text\"", "<any && text> U <more text>"),
        ("Full U X1", "<Full> U <X1>"),
        ("((a && b) == c) -> d", "<(a && b) == c> -> <d>"),
        ("x == U && y", "<x == U> & <y>"),
        ("U U V", "<U> U <V>"),
        ("X U b", "<X> U <b>"),
        ("X U", "X <U>"),
        ("G == 3", "<G == 3>"),
        ("G F X a", "G F X <a>"),
        ("[] F", "G <F>"),
        ("X[3] > 1", "<X[3] > 1>"),
        ("x == true", "<x == true>"),
        ("-x < 3", "<-x < 3>"),
        ("x < -3 || x > !y", "<x < -3> | <x > !y>"),
        ("(((a)))", "<a>"),
        ("f(a, (b)) -> (c)", "<f(a, (b))> -> <c>"),
        ("x->y", "<x> -> <y>"),
    ] {
        assert_eq!(shape(text), expected, "{text}");
    }
}

#[test]
fn the_same_text_is_the_same_atom() {
    let parsed = read("[](x>3 -> <> x > 3) && {x >3} && y");
    assert_eq!(parsed.atoms.len(), 2, "{parsed:?}");
    assert_eq!((parsed.atoms[0].text.as_str(), parsed.atoms[0].range.clone()), ("x>3", 3..6));
    assert_eq!(parsed.atoms[1].range, 34 - 1..34);
    assert_eq!(read("a - -b == 0 && a--b == 0").atoms.len(), 2);
}

#[test]
fn other_readings_are_warned_of() {
    for text in ["a U b U c", "a -> b -> c", "a U b V c", "!x == 3", "a -> b <-> c"] {
        assert_eq!(read(text).warnings.len(), 1, "{text}");
    }
    for text in ["a && b && c", "(a U b) U c", "!(x == 3)", "!x", "!a.b", "a <-> b <-> c"] {
        assert!(read(text).warnings.is_empty(), "{text}");
    }
}

#[test]
fn errors_point_at_their_place() {
    for (text, start, words) in [
        ("", 0, "a proposition"),
        ("a &&", 4, "a proposition"),
        ("a && && b", 5, "a proposition"),
        ("(a && b", 7, "`)`"),
        ("a)", 1, "an operator"),
        ("[] ()", 4, "a proposition"),
        ("a && {b", 5, "a proposition"),
        ("a && \"b", 5, "a proposition"),
        ("a F b", 2, "an operator"),
        ("until a", 0, "a proposition"),
        ("a && {  }", 5, "empty"),
        ("([] a) == 3", 1, "temporal"),
        ("a U", 3, "a proposition"),
    ] {
        let error = refused(text);
        let span = error.span.unwrap();
        assert_eq!(span.start, start, "{text}: {error:?}");
        assert!(error.message.contains(words), "{text}: {error:?}");
    }
    let error = parse("a &&", FileId(3), 100).unwrap_err();
    assert_eq!(error.span.map(|span| (span.file, span.start)), Some((FileId(3), 104)));
}

#[test]
fn depth_is_limited_and_length_is_not() {
    let n = 100_000;
    for deep in [
        "(".repeat(n) + "a" + &")".repeat(n),
        "(".repeat(n),
        "[]".repeat(n) + "a",
        "X ".repeat(n) + "a",
        "a U b U ".repeat(n) + "c",
        "a -> ".repeat(n) + "b",
        ")".repeat(n),
        "{".repeat(n),
        "[".repeat(n),
        "a[".repeat(n),
        "((a)==".repeat(n),
    ] {
        refused(&deep);
    }
    assert!(read(&("!".repeat(n) + "a")).formula == Formula::atom(0));
    let long: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();
    assert_eq!(read(&long.join(" && ")).atoms.len(), n);
    assert_eq!(read(&("a && ".repeat(n) + "a")).atoms.len(), 1);
}

#[test]
fn printing_and_reading_gives_the_formula_back() {
    let mut rng = rng("print");
    for _ in 0..rounds(5000) {
        let size = rng.u32(1..20);
        let original = random_formula(&mut rng, 4, size);
        let text = original.display(Syntax::Letters, &name);
        assert_eq!(formula(&text), original, "{text}");
        let normal = original.nnf();
        let text = normal.display(Syntax::Spin, &name);
        assert_eq!(formula(&text), normal, "{text}");
    }
}

#[test]
fn random_bytes_and_tokens_never_panic() {
    let mut rng = rng("fuzz");
    let pieces = [
        "a", "b", "x1", "U", "V", "W", "R", "X", "G", "F", "M", "!", "~", "&&", "||", "&", "|",
        "^", "->", "<->", "=>", "<=>", "[]", "<>", "(", ")", "[", "]", "{", "}", "\"", "'", "==",
        "<", "3", "+", ".", "@", "?", "true", "false", "until", "always", "not", "and", " ", "\n",
        "é", "\\", "/", "/\\", "\\/", "implies", "next", "::", ",", "-", "∧",
    ];
    for _ in 0..rounds(20_000) {
        let soup: String = (0..rng.usize(0..25))
            .map(|_| {
                let blank = if rng.bool() { " " } else { "" };
                format!("{}{blank}", pieces[rng.usize(0..pieces.len())])
            })
            .collect();
        check_ranges(&soup);
        let bytes: Vec<u8> = (0..rng.usize(0..40)).map(|_| rng.u8(..)).collect();
        check_ranges(&String::from_utf8_lossy(&bytes));
    }
}

/// Whatever comes out of a text points into it.
fn check_ranges(text: &str) {
    match parse(text, FileId(0), 0) {
        Ok(parsed) => {
            for atom in &parsed.atoms {
                assert_eq!(text.get(atom.range.clone()), Some(atom.text.as_str()), "{text:?}");
            }
            assert!(parsed.formula.atoms().iter().all(|a| (*a as usize) < parsed.atoms.len()));
        }
        Err(error) => {
            let span = error.span.expect("a place");
            assert!(
                text.get(span.start as usize..span.end as usize).is_some(),
                "{text:?} {error:?}"
            );
        }
    }
}

/// What Spin makes of an `ltl` block: it prints the formula with all parentheses.
#[test]
fn precedence_is_that_of_spin() {
    let dir = std::env::temp_dir().join(format!("auspex-ltl-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for text in [
        "a U b U c",
        "a || b && c",
        "a && b || c",
        "a -> b -> c",
        "a <-> b -> c",
        "a -> b <-> c",
        "a U b && c",
        "a && b U c",
        "[] a U b",
        "<> a -> b",
        "! a U b",
        "a U b V c",
        "a W b U c",
        "a || b U c",
        "a U b -> c || a",
        "[]<>a && b",
        "a implies b until c",
        "always a until b",
    ] {
        let model = format!("bool a, b, c; ltl p {{ {text} }}\nactive proctype m() {{ skip }}\n");
        std::fs::write(dir.join("m.pml"), model).unwrap();
        let output = Command::new("spin").args(["-a", "m.pml"]).current_dir(&dir).output();
        let output = output.expect("this test needs spin (apt install spin)");
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let shown = output.lines().find_map(|line| line.strip_prefix("ltl p: "));
        let shown = shown.unwrap_or_else(|| panic!("{text}: {output}"));
        // Spin writes implication and weak until with other operators.
        let (ours, theirs) = (formula(text), formula(shown));
        for _ in 0..200 {
            let word = common::random_word(&mut fastrand::Rng::new(), 3);
            assert_eq!(
                common::holds(&ours, &word),
                common::holds(&theirs, &word),
                "{text}: {shown}"
            );
        }
    }
    std::fs::remove_dir_all(&dir).unwrap();
}
