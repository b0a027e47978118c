//! What is said about wrong models: the message, its place, the hint.

use crate::{listed, parse};

/// `line:column: message`, then ` / hint` if there is one, of the first error.
fn first_error(text: &str) -> String {
    let (map, result) = parse(text);
    let Err(errors) = result else { panic!("{text}\nis accepted") };
    let hint = errors[0].hint.as_ref().map_or(String::new(), |hint| format!(" / {hint}"));
    listed(&map, &errors[..1]) + &hint
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        let found = first_error(text);
        assert!(found.starts_with(expected), "{text}\nexpected: {expected}\nfound:    {found}");
    }
}

#[test]
fn common_mistakes() {
    check(&[
        (
            "init { if :: (x = 1) -> skip fi }",
            "1:17: expected `)`, found `=` / to compare, write `==`",
        ),
        ("init { assert(x = 1) }", "1:17: expected `)`, found `=` / to compare, write `==`"),
        (
            "init { if x > 1 -> skip fi }",
            "1:11: expected `::`, found `x` / every option begins with `::`",
        ),
        ("init { do skip od }", "1:11: expected `::`, found the keyword `skip` / every option"),
        ("init { while (x) { skip } }", "1:8: there is no inline `while` / a loop is written"),
        ("init { while x { skip } }", "1:8: unknown type `while` / a loop is written"),
        ("init { switch (x) { skip } }", "1:8: there is no inline `switch` / a choice is written"),
        ("init { f(x) }", "1:8: there is no inline `f` / an inline must be defined before"),
        (
            "proctype P() { skip } init { P() }",
            "1:30: there is no inline `P` / to start a process, write `run P(...)`",
        ),
        (
            "init { x = y++ }",
            "1:13: expected `;` or `->`, found `++` / `x++` is a statement of its own",
        ),
        ("init { x = !!y }", "1:12: expected an expression, found `!!` / for a double negation"),
        ("init { x = (q!1) }", "1:14: expected `)`, found `!` / a send is a statement"),
        ("init { x = c ? 1 : 2 }", "1:14: expected `;` or `->`, found `?` / in an expression"),
        ("init { q!(1, 2) }", "1:12: expected `)`, found `,`"),
        ("init { q?1 + 1 }", "1:12: expected `;` or `->`, found `+`"),
        (
            "init { q?run }",
            "1:10: expected a variable, a constant, `_` or `eval(...)`, found the keyword `run` / a receive takes",
        ),
        (
            "init { x = eval(y) }",
            "1:12: expected an expression, found the keyword `eval` / `eval(...)` is possible only in a receive",
        ),
        ("init { for (i = 1; i < 3; i++) { skip } }", "1:15: expected `:` or `in`, found `=`"),
        ("init { x = 1 y = 2 }", "1:14: expected `;` or `->`, found `y`"),
        ("init { if :: skip fi x = 1 }", "1:22: expected `;` or `->`, found `x`"),
        ("init { }", "1:8: expected a statement, found `}` / use `skip`"),
        ("init { ; skip }", "1:8: expected a statement, found `;` / use `skip`"),
        ("init { if :: fi }", "1:14: expected a statement, found the keyword `fi` / use `skip`"),
        ("init { int x; L: int y; skip }", "1:15: a declaration cannot have a label / put `skip;`"),
        (
            "init { mtype = { a } }",
            "1:8: expected a statement, found the keyword `mtype` / the names of an mtype are declared outside",
        ),
        (
            "init { x = 1 # 2 }",
            "1:14: expected `;` or `->`, found `#` / a directive of the preprocessor",
        ),
        ("init { x ==== 1 }", "1:12: expected an expression, found `==`"),
        ("init { goto 3 }", "1:13: expected the name of a label, found `3`"),
        ("init { run P }", "1:14: expected `(`, found `}`"),
        ("init { set_priority(1) }", "1:22: expected `,`, found `)`"),
        (
            "init { x = set_priority(1, 2) }",
            "1:12: expected an expression, found the keyword `set_priority` / `set_priority` is a statement",
        ),
        ("init { printm(x + 1) }", "1:15: `printm` takes a variable"),
        ("init { printf(x) }", "1:15: expected a string, found `x`"),
        (
            "init { x = 1 else }",
            "1:14: expected `;` or `->`, found the keyword `else` / `else` stands behind",
        ),
    ]);
}

#[test]
fn what_is_open_is_shown() {
    check(&[
        ("init { if :: skip }", "1:19: expected `fi` or another `::`, found `}`"),
        ("init { do :: skip fi; skip }", "1:19: expected `od` or another `::`, found `fi`"),
        ("init { do :: skip", "1:18: expected `od` or another `::`, found the end of the file"),
        ("init { skip", "1:12: expected `}`, found the end of the file"),
        ("init { skip\nproctype P() { skip }", "2:1: expected `}`, found the keyword `proctype`"),
        ("init { skip fi }", "1:13: this `fi` has no `if`"),
        ("init { skip; od }", "1:14: this `od` has no `do`"),
        ("init { skip :: skip }", "1:13: this `::` is in no `if` or `do`"),
        ("init { x = (1 + 2 }", "1:19: expected `)`, found `}`"),
        ("init { x = a[1 }", "1:16: expected `]`, found `}`"),
        ("typedef T { int a", "1:18: expected `}`, found the end of the file"),
        ("ltl p { [] x", "1:13: expected `}`, found the end of the file"),
    ]);
    let (map, result) = parse("init {\n  do\n  :: skip\n}");
    let note = &result.expect_err("no od")[0].notes[0];
    assert_eq!((map.location(note.0).line, note.1.as_str()), (2, "this `do` is not closed"));
}

#[test]
fn names_and_types() {
    check(&[
        (
            "byte priority;",
            "1:6: expected the name of a variable, found the keyword `priority` / `priority` is a keyword",
        ),
        (
            "init { byte select; skip }",
            "1:13: expected the name of a variable, found the keyword `select`",
        ),
        (
            "proctype run() { skip }",
            "1:10: expected the name of a proctype, found the keyword `run`",
        ),
        (
            "init { priority = 1 }",
            "1:8: expected an expression, found the keyword `priority` / `priority` is a keyword",
        ),
        (
            "int unix;",
            "1:5: expected the name of a variable, found `1` / this is the name of a macro",
        ),
        ("int 3;", "1:5: expected the name of a variable, found `3`"),
        ("char c;", "1:1: unknown type `char` / use `byte`"),
        ("init { T t; skip }", "1:8: unknown type `T` / a type `T` must be declared by `typedef`"),
        ("proctype P(T t) { skip }", "1:12: unknown type `T`"),
        ("chan q = [1] of { T };", "1:19: unknown type `T`"),
        ("typedef T { T t };", "1:13: unknown type `T`"),
        (
            "proctype P(int a, int b) { skip }",
            "1:19: expected the name of a variable, found the keyword `int` / parameters of different types are separated by `;`",
        ),
        ("proctype P { skip }", "1:12: expected `(`, found `{` / a proctype has parentheses"),
        ("proctype P(int a = 1) { skip }", "1:16: a parameter cannot have an initial value"),
        ("int x : 3;", "1:7: expected `=`, `,` or `;`, found `:` / only an `unsigned` has a width"),
        ("int : 3 x;", "1:5: expected a name, found `:` / only `mtype` has named sets"),
        ("unsigned x : y;", "1:14: expected the number of bits, found `y`"),
        ("chan q = [1] { byte };", "1:14: expected `of`, found `{` / a channel is written"),
        (
            "chan q = [1] of { unsigned };",
            "1:19: expected a type that a message can carry, found the keyword `unsigned`",
        ),
        ("chan q = [1] of { };", "1:19: expected a type, found `}`"),
        ("typedef T { }", "1:13: expected a field, found `}`"),
        ("typedef T { int a } typedef T { int b }", "1:29: type `T` is declared twice"),
        ("mtype = { a, a };", "1:14: the mtype name `a` is declared twice"),
        ("mtype = { a }; mtype = { b, a };", "1:29: the mtype name `a` is declared twice"),
        ("x = 1;", "1:1: expected a declaration, a proctype, `init` or a claim, found `x`"),
        ("active init { skip }", "1:8: expected `proctype`, found the keyword `init`"),
        ("init priority x { skip }", "1:15: expected a number for the priority, found `x`"),
    ]);
}

#[test]
fn inlines() {
    check(&[
        ("inline f() { f() }\ninit { f() }", "1:14: inline `f` calls itself"),
        ("inline g() { f() } inline f() { g() } init { f() }", "1:14: inline `f` calls itself"),
        (
            "inline f(a) { skip } init { f() }",
            "1:29: inline `f` takes 1 arguments, but 0 are given",
        ),
        (
            "inline f() { skip } init { f(1, 2) }",
            "1:28: inline `f` takes 0 arguments, but 2 are given",
        ),
        ("inline f() { skip } inline f() { skip }", "1:28: inline `f` is defined twice"),
        (
            "inline f(int a) { skip }",
            "1:10: expected the name of a parameter, found the keyword `int` / the parameters of an inline",
        ),
        (
            "inline f() { skip } init { x = f() }",
            "1:32: inline `f` has no value: `return` is not supported / let it assign",
        ),
        ("inline f() { return 1 } init { f() }", "1:14: `return` is not supported"),
        ("inline f(a) {\n a = ;\n}\ninit { f(x) }", "2:6: expected an expression, found `;`"),
        ("inline f(a) { x = a } init { f(1 +) }", "1:21: expected an expression, found `}`"),
        ("inline f() { } init { f() }", "1:14: expected a statement, found `}`"),
        ("inline f() { skip } init { f( }", "1:32: expected `)`, found the end of the file"),
    ]);
    let (map, result) = parse("inline f(a) {\n a = ;\n}\ninit {\n f(x)\n}");
    let note = &result.expect_err("bad body")[0].notes[0];
    assert_eq!((map.location(note.0).line, note.1.as_str()), (5, "in this call of inline `f`"));
}

#[test]
fn what_is_not_supported_says_so() {
    check(&[
        (
            "init { skip;\n c_code { int x = '\\0'; $ } }",
            "2:2: embedded C (`c_code`) is not supported / model its effect in Promela",
        ),
        (
            "c_decl { typedef struct T { int a; } T; };\ninit { skip }",
            "1:1: embedded C (`c_decl`) is not supported",
        ),
        (
            "c_state \"int x\" \"Global\"\ninit { skip }",
            "1:1: embedded C (`c_state`) is not supported",
        ),
        (
            "c_track \"&x\" \"sizeof(int)\" \"Matched\"\ninit { skip }",
            "1:1: embedded C (`c_track`)",
        ),
        (
            "init { if :: c_expr { x > 1 } -> skip fi }",
            "1:14: embedded C (`c_expr`) is not supported",
        ),
        ("init { STDIN?x }", "1:8: `STDIN` is not supported"),
    ]);
    let (_, result) = parse("init { c_code [x] { a(); } ; c_code { b(); }\n skip; c_expr { 1 } }");
    assert_eq!(result.expect_err("three errors").len(), 3);
}

#[test]
fn run_and_tests_of_channels() {
    check(&[
        (
            "init { x = 1 + run P() }",
            "1:16: `run` cannot be a part of a larger expression / write `p = run",
        ),
        ("init { run P() && x }", "1:8: `run` cannot be a part"),
        ("init { !run P() }", "1:9: `run` cannot be a part"),
        ("init { int x = run P(); skip }", "1:16: `run` cannot be a part"),
        ("init { assert(run P()) }", "1:15: `run` cannot be a part"),
        ("init { q!run P() }", "1:10: `run` cannot be a part"),
        ("init { !full(q) }", "1:9: `full` cannot be negated / use `nfull` instead"),
        ("init { !nfull(q) }", "1:9: `nfull` cannot be negated / use `full` instead"),
        ("init { !(empty(q)) }", "1:10: `empty` cannot be negated / use `nempty` instead"),
        ("init { x && !nempty(q) }", "1:14: `nempty` cannot be negated / use `empty` instead"),
        ("init { full(q) == 1 }", "1:8: `full` can only be combined by `&&` and `||`"),
        ("init { -full(q) }", "1:9: `full` can only be combined"),
        ("init { x = (full(q) -> 1 : 2) }", "1:13: `full` can only be combined"),
        ("init { a[full(q)] = 1 }", "1:10: `full` can only be combined"),
        ("init { full(1) }", "1:13: expected the name of a variable, found `1`"),
    ]);
}

#[test]
fn tokens() {
    check(&[
        (
            "init { x = 0x1F }",
            "1:12: `0x1F` is no number: Promela has only decimal ones / write 31",
        ),
        ("init { x = 0b11 }", "1:12: `0b11` is no number: Promela has only decimal ones / write 3"),
        (
            "init { x = 12abc }",
            "1:12: `12abc` is no number: Promela has only decimal ones / if a name follows",
        ),
        ("init { x = 'ab' }", "1:12: a character constant is one character"),
        ("init { x = '' }", "1:12: a character constant is one character"),
        ("init { x = 'a }", "1:12: this character constant has no closing quote"),
        ("init { printf(\"a\n\") }", "1:15: this string has no closing quote on its line"),
        ("init { x = $ }", "1:12: unexpected character `$`"),
        ("init { é = 1 }", "1:8: unexpected character `é`"),
        ("init { x = \"a\" }", "1:12: expected an expression, found `\"a\"`"),
        ("init { printf(\"a\" \"b\") }", "1:19: expected `)`, found `\"b\"`"),
    ]);
}

#[test]
fn several_errors_are_reported_at_once() {
    let text = "init {\n x = ;\n y = 1;\n z = (2;\n if :: x = fi;\n skip\n}\nint 3;\nproctype P( { skip }\nint ok;\nchan c = [1] of { foo };";
    let (map, result) = parse(text);
    let lines: Vec<_> = listed(&map, &result.expect_err("is bad"))
        .lines()
        .map(|line| line.split(':').next().unwrap_or("").to_owned())
        .collect();
    assert_eq!(lines, ["2", "4", "5", "8", "9", "11"]);
}

#[test]
fn errors_in_macros_point_at_their_use() {
    let (map, result) = parse("#define BAD 1 +\ninit {\n x = BAD;\n y = (BAD)\n}");
    let errors = result.expect_err("is bad");
    assert_eq!(
        listed(&map, &errors),
        "3:9: expected an expression, found `;`\n4:10: expected an expression, found `)`"
    );
    let (map, result) = parse("#define IS =\ninit { assert(x IS 1) }");
    let errors = result.expect_err("is bad");
    assert_eq!(listed(&map, &errors), "2:17: expected `)`, found `=`");
    assert_eq!(errors[0].label, "after the expansion of this");
}

#[test]
fn warnings() {
    let (map, result) =
        parse("int x = 2147483648, y = 99999999999999999999;\nhidden mtype = { a };");
    let parsed = result.expect("only warnings");
    assert_eq!(
        listed(&map, &parsed.warnings),
        "1:9: 2147483648 does not fit into an `int`\n1:25: 99999999999999999999 does not fit into an `int`\n2:1: `hidden` means nothing for the names of an mtype"
    );
    let rendered = crate::render::program(&parsed.program);
    assert!(rendered.starts_with("int x = -2147483648, y = -1"), "{rendered}");
}
