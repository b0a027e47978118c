//! What is said about a specification, and what is not.

use auspex_generate::advice::{advice, has_plain_code};
use auspex_generate::{Language, Target};
use auspex_promela::Reading;
use auspex_promela::parser::{Options, parse_text};
use auspex_system::{Diagnostic, Severity, SourceMap};

const PROGRAMS: Target = Target { language: Language::C, threads: false };
const THREADS: Target = Target { language: Language::C, threads: true };
const RUST: Target = Target { language: Language::Rust, threads: false };

/// `line: message`, in order.
fn said(text: &str, target: Target) -> Vec<String> {
    let mut map = SourceMap::default();
    let options = Options { reading: Reading::Implementation, ..Options::default() };
    let parsed = parse_text(&mut map, "a.pch", text, &options)
        .unwrap_or_else(|errors| panic!("{text}: {}", errors[0].message));
    let line = |diagnostic: &Diagnostic| {
        assert_eq!(diagnostic.severity, Severity::Warning);
        assert!(diagnostic.hint.is_some(), "{} has no hint", diagnostic.message);
        let place = map.location(diagnostic.span.expect("a place"));
        format!("{}: {}", place.line, diagnostic.message)
    };
    advice(&parsed.program, &map, &target).iter().map(line).collect()
}

/// What is said about the body of a process with some variables.
fn about(body: &str, target: Target) -> Vec<String> {
    let declarations = "mtype = { red, green } bool b; byte x, y; mtype m; chan q = [1] of { byte }; typedef T { bit f }";
    said(&format!("{declarations}\nactive proctype P() {{ T t;\n{body}\n}}"), target)
}

#[track_caller]
fn silent(body: &str) {
    assert_eq!(about(body, PROGRAMS), Vec::<String>::new(), "{body}");
}

const TWIN: &str = "3: the program has nothing in place of this";
const WAITS: &str = "3: the program would wait here for ever if this is false";
const STUCK: &str = "3: the program would wait here for ever if no option is possible";

#[test]
fn model_statements_need_a_twin() {
    for target in [PROGRAMS, THREADS] {
        assert_eq!(about("promela_MS { q!1 }", target), [TWIN]);
        assert_eq!(about("c_code_IS { a }; x = 1; promela_MS { x = 2 }", target), [TWIN]);
        assert_eq!(about("if :: promela_MS { x = 2 } :: else fi", target), [TWIN]);
    }
    silent("promela_MS { q!1 }; c_code_IS { put(); }");
    silent("c_code_IS { put(); } promela_MS { q!1 }; promela_MS { q?_ }");
    silent("if :: promela_MS { q?x }; c_expr_IS { get(&x) } -> skip :: else fi");
    // Nothing that the program could do.
    silent("promela_MS { int z; assert(x < 3); printf(\"x\"); skip }");
    // The twin must be in the language of the program.
    assert_eq!(about("promela_MS { q!1 } c_code_IS { put(); }", RUST), [TWIN]);
    assert_eq!(about("promela_MS { q!1 } rust_code_IS { put(); }", RUST), [""; 0]);
    // An inline is in place of its text, and is told about once.
    let inline =
        "inline send() { promela_MS { q!1 } }\nchan q = [1] of { int };\ninit { send(); send() }";
    assert_eq!(said(inline, PROGRAMS), ["1: the program has nothing in place of this"]);
    assert_eq!(
        said(
            "chan q = [1] of { int };\ninline put() { c_code_IS { p } }\ninit { promela_MS { q!1 } put() }",
            PROGRAMS
        ),
        [""; 0]
    );
}

#[test]
fn programs_have_no_channels() {
    let operations = [
        "q!1",
        "q!!1",
        "q?x",
        "q??<x>",
        "x = len(q)",
        "if :: q?[1] :: else fi",
        "if :: full(q) :: else fi",
    ];
    for operation in operations {
        let found = about(operation, PROGRAMS);
        assert!(
            found.len() == 1 && found[0].ends_with("means nothing to the program"),
            "{operation}: {found:?}"
        );
        assert_eq!(about(operation, THREADS), [""; 0], "{operation}");
    }
}

#[test]
fn programs_share_no_variables() {
    let shared = |text: &str| said(text, PROGRAMS);
    let two = "byte n;\nactive proctype P() { n = 1 }\nactive proctype Q() { printf(\"%d\", n) }";
    assert_eq!(shared(two), ["1: the processes do not share `n`"]);
    assert_eq!(said(two, THREADS), [""; 0]);
    assert_eq!(
        shared("byte n;\nactive [2] proctype P() { n++ }"),
        ["1: the processes do not share `n`"]
    );
    // Constants, locals of the same name, one user, the environment, the model.
    assert_eq!(
        shared(
            "byte n = 3; active proctype P() { assert(n == 3) } active proctype Q() { printf(\"%d\", n) }"
        ),
        [""; 0]
    );
    assert_eq!(
        shared("byte n; active proctype P() { n = 1 } active proctype Q() { byte n; n = 2 }"),
        [""; 0]
    );
    assert_eq!(shared("byte n; active proctype P() { n = n + 1 }"), [""; 0]);
    assert_eq!(
        shared("byte n; active proctype P() { n = 1 } env active proctype Q() { n == 1 }"),
        [""; 0]
    );
    assert_eq!(
        shared(
            "byte n; active proctype P() { n = 1 } active proctype Q() { promela_MS { n == 1 } c_code_IS { w } }"
        ),
        [""; 0]
    );
    assert_eq!(
        shared(
            "promela_MS { byte n } active proctype P() { promela_MS { n = 1 } c_code_IS { a } }"
        ),
        [""; 0]
    );
}

#[test]
fn a_program_does_not_wait_for_itself() {
    assert_eq!(about("x == 1", PROGRAMS), [WAITS]);
    assert_eq!(about("x = 1; b; x = 2", PROGRAMS), [WAITS]);
    assert_eq!(about("if :: x == 1 -> y == 2 :: else fi", PROGRAMS), [WAITS]);
    assert_eq!(about("x == 1", THREADS), [""; 0]);
    assert_eq!(about("if :: x == 1 -> skip fi", PROGRAMS), [STUCK]);
    assert_eq!(about("do :: x == 1 -> x = 2 :: x == 2 -> x = 1 od", PROGRAMS), [STUCK]);
    silent("skip; true");
    silent("if :: x == 1 -> skip :: x != 1 -> skip fi");
    silent("if :: x < 1 -> skip :: x >= 1 -> skip fi");
    silent("if :: b -> skip :: !b -> skip fi");
    silent("if :: t.f == 0 -> skip :: t.f == 1 -> skip fi");
    silent("if :: m == red -> skip :: m == green -> skip fi");
    silent("if :: x == 1 -> skip :: else fi");
    silent("promela_MS { x == 1 } c_code_IS { wait(); }");
    silent("do :: c_expr_IS { more() } -> x++ od");
}

#[test]
fn choices_are_resolved_by_order() {
    let both = |i, j| {
        format!("3: options {i} and {j} may both be possible: the program takes the first of them")
    };
    assert_eq!(about("if :: x = 1 :: x = 2 fi", PROGRAMS), [both(1, 2)]);
    assert_eq!(about("if :: x == 1 -> skip :: y == 1 -> skip :: else fi", PROGRAMS), [both(1, 2)]);
    assert_eq!(
        about("if :: x == 1 -> skip :: x == 2 -> skip :: x > 1 -> skip :: else fi", PROGRAMS),
        [both(2, 3)]
    );
    assert_eq!(about("do :: true -> break :: true -> skip od", PROGRAMS), [both(1, 2)]);
    assert_eq!(about("if :: x <= 1 -> skip :: x >= 1 -> skip fi", PROGRAMS), [both(1, 2)]);
    assert_eq!(about("if :: x = 1 :: x = 2 fi", THREADS), [""; 0]);
    silent("if :: x == 1 -> skip :: x == 2 -> skip :: else -> skip fi");
    silent("if :: 1 == x -> skip :: x > 1 -> skip :: x < 1 -> skip :: else fi");
    silent("if :: x < y -> skip :: y <= x -> skip fi");
    silent("if :: b && x == 1 -> skip :: b && x == 2 -> skip :: !b -> skip :: else fi");
    silent("if :: m == red || x == 0 -> skip :: m == green && x > 0 -> skip :: else fi");
    silent("if :: !(x == 1) -> skip :: x == 1 -> skip fi");
    silent("do :: atomic { x < 3 -> x++ } :: x >= 3 -> break od");
    silent("if :: c_expr_IS { a() } -> skip :: c_expr_IS { b() } -> skip :: else fi");
    // Only what the program has counts.
    assert_eq!(
        about(
            "if :: promela_MS { x == 1 } c_code_IS { a } :: promela_MS { x == 2 } c_code_IS { b } fi",
            PROGRAMS
        ),
        [both(1, 2)]
    );
}

#[test]
fn nothing_is_said_about_the_environment() {
    let text = "byte x; chan q = [0] of { byte };\nenv active proctype E() { q?x; x == 1; if :: x = 1 :: x = 2 fi; promela_MS { q!1 } }";
    assert_eq!(said(text, PROGRAMS), [""; 0]);
}

#[test]
fn plain_c_is_seen_everywhere() {
    let has = |text: &str| {
        let mut map = SourceMap::default();
        let options = Options { reading: Reading::Implementation, ..Options::default() };
        has_plain_code(&parse_text(&mut map, "a.pch", text, &options).expect("right").program)
    };
    assert!(has("c_decl { int x; } init { skip }"));
    assert!(has("init { if :: atomic { x = 1; c_code { y } } fi }"));
    assert!(has("init { if :: x && c_expr { y } -> skip fi }"));
    assert!(has("init { promela_MS { c_code { y } } }"));
    assert!(!has("c_decl_IS { int x; } init { c_code_IS { y } }"));
}

#[test]
fn loops_that_do_nothing_are_busy() {
    const BUSY: &str =
        "3: the program is busy here, with nothing, until another option is possible";
    for target in [PROGRAMS, THREADS] {
        assert_eq!(about("do :: b -> break :: else od", target), [BUSY]);
        assert_eq!(about("do :: else -> skip; skip :: b -> break od", target), [BUSY]);
    }
    // The model does something, the program does not.
    let model = "do :: b -> break :: else -> promela_MS { assert(x == 0) } od";
    assert_eq!(about(model, PROGRAMS), [BUSY]);
    silent("do :: b -> break :: else -> x = y od");
    silent("do :: b -> break :: else -> c_code_IS { wait_for_it(); } od");
    silent("if :: b -> skip :: else fi");
}
