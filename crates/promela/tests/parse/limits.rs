//! Inputs made to overflow a stack, a memory or somebody's patience.

use std::thread;

use crate::{listed, parse};

/// The errors about `text`, found on the small stack that tests and workers have.
fn errors(text: String) -> String {
    let run = move || {
        let (map, result) = parse(&text);
        result.map(|_| ()).map_err(|errors| listed(&map, &errors)).err().unwrap_or_default()
    };
    thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic")
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 20_000;
    let table = [
        ("x = ", "(", "1", ")"),
        ("x = ", "! ", "1", ""),
        ("x = ", "- ", "1", ""),
        ("x = ", "a[", "1", "]"),
        ("x = ", "(a -> 1 : ", "1", ")"),
        ("x = ", "len(a[", "1", "])"),
        ("", "{", "skip", "}"),
        ("", "atomic {", "skip", "}"),
        ("", "if :: ", "skip", " fi"),
        ("", "do :: ", "skip", " od"),
        ("", "for (i : 1..2) {", "skip", "}"),
        ("", "{ skip } unless {", "skip", "}"),
        ("", "a.", "b = 1", ""),
        ("q?", "(", "x", ")"),
        ("q?", "x(", "x", ")"),
        ("q?", "eval(", "x", ")"),
        ("", "run P(", "x", ")"),
    ];
    for (before, open, middle, close) in table {
        let (opens, closes) = (open.repeat(deep), close.repeat(deep));
        let found = errors(format!("init {{ {before}{opens}{middle}{closes} }}"));
        assert!(!found.is_empty(), "{open}");
    }
}

#[test]
fn nesting_below_the_limit_is_fine() {
    let table = [("x = ", "(", "1", ")"), ("", "if :: ", "skip", " fi"), ("", "{", "skip", "}")];
    for (before, open, middle, close) in table {
        let (opens, closes) = (open.repeat(120), close.repeat(120));
        assert_eq!(errors(format!("init {{ {before}{opens}{middle}{closes} }}")), "");
    }
    assert_eq!(errors(format!("init {{ x = 1{} }}", " + 1".repeat(900))), "");
}

#[test]
fn long_operator_chains_are_refused() {
    let found = errors(format!("init {{ x = 1{} }}", " + 1".repeat(100_000)));
    assert_eq!(found, "1:12: this expression has more than 1000 operators in a row");
}

#[test]
fn macros_cannot_explode() {
    let doubling: String = (1..60).map(|i| format!("#define A{i} A{} A{0}\n", i - 1)).collect();
    let found = errors(format!("#define A0 skip;\n{doubling}init {{ A59 }}"));
    assert_eq!(found, "61:8: the macros expand to too many tokens");
    let arguments =
        format!("#define F(x) x x\ninit {{ {}skip;{} }}", "F(".repeat(90), ")".repeat(90));
    assert!(errors(arguments).ends_with("the macros expand to too many tokens"));
    let deep = format!("#define F(x) x\ninit {{ {}skip{} }}", "F(".repeat(5000), ")".repeat(5000));
    assert!(!errors(deep).is_empty());
    let condition = format!("#if {}1{}\n#endif", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(errors(condition), "1:1: this condition is nested too deeply");
    assert!(!errors(format!("#if {}1\n#endif", "!".repeat(5001))).is_empty());
}

#[test]
fn inlines_cannot_explode() {
    let doubling: String =
        (1..60).map(|i| format!("inline i{i}() {{ i{}(); i{0}() }}\n", i - 1)).collect();
    let found = errors(format!("inline i0() {{ x = 1 }}\n{doubling}init {{ i59() }}"));
    assert!(found.ends_with("the calls of inlines expand to too many tokens"), "{found}");
    let chain: String = (1..500).map(|i| format!("inline i{i}() {{ i{}() }}\n", i - 1)).collect();
    assert!(!errors(format!("inline i0() {{ x = 1 }}\n{chain}init {{ i499() }}")).is_empty());
}

#[test]
fn errors_are_bounded() {
    let found = errors(format!("init {{ {} }}", "x = ;\n".repeat(1000)));
    assert_eq!(found.lines().count(), 20);
}

#[test]
fn a_long_model_is_no_problem() {
    let process = |i| {
        format!(
            "proctype P{i}(byte a) {{\n int x;\n do :: x < N -> INC(x) :: else -> break od;\n \
             if :: a == x && (x > 3 || !a) -> printf(\"%d\\n\", x) :: else fi\n}}\n"
        )
    };
    let processes: String = (0..6000).map(process).collect();
    let text = format!("#define N 3\n#define INC(v) v = v + 1\n{processes}init {{ skip }}");
    assert!(text.len() > 800_000);
    assert_eq!(errors(text), "");
}
