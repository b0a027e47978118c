//! Every construct of the language, by tables of tiny inputs.

use auspex_promela::parser::{Macros, parse_expression};
use auspex_system::SourceMap;

use crate::{body, render, rendered};

fn expression(text: &str) -> String {
    let mut map = SourceMap::default();
    match parse_expression(&mut map, "watch", text, &Macros::default()) {
        Ok(expr) => render::expr(&expr),
        Err(errors) => panic!("{text}: {errors:?}"),
    }
}

#[test]
fn expressions_bind_as_in_spin() {
    let table = [
        ("1", "1"),
        ("'a'", "97"),
        (r"'\n'", "10"),
        (r"'\0'", "48"),
        ("true", "1"),
        ("false", "0"),
        ("skip", "1"),
        ("007", "7"),
        ("a + b * c", "(a Add (b Mul c))"),
        ("a - b - c", "((a Sub b) Sub c)"),
        ("a / b % c", "((a Div b) Rem c)"),
        ("-a * b", "((-a) Mul b)"),
        ("- -a", "(-(-a))"),
        ("!a == b", "((!a) Equal b)"),
        ("~a & b", "((~a) BitAnd b)"),
        ("a == b < c", "(a Equal (b Less c))"),
        ("a & b == c", "(a BitAnd (b Equal c))"),
        ("a | b ^ c & d", "(a BitOr (b BitXor (c BitAnd d)))"),
        ("a || b && c || d", "((a Or (b And c)) Or d)"),
        ("a && b | c", "(a And (b BitOr c))"),
        ("a << b + c", "(a ShiftLeft (b Add c))"),
        ("a < b << c", "(a Less (b ShiftLeft c))"),
        ("a >= b != c <= d", "((a GreaterEqual b) NotEqual (c LessEqual d))"),
        ("a >> 1 > b", "((a ShiftRight 1) Greater b)"),
        ("(a + b) * c", "((a Add b) Mul c)"),
        ("(a -> b : c)", "(a -> b : c)"),
        ("(a -> (b -> 1 : 2) : c) + 1", "((a -> (b -> 1 : 2) : c) Add 1)"),
        ("(a[0] -> b[1] : c[2])", "(a[0] -> b[1] : c[2])"),
        ("a[i + 1].b.c[2].d", "a[(i Add 1)].b.c[2].d"),
        ("len(q) > 0", "(len(q) Greater 0)"),
        ("full(q)", "Full(q)"),
        ("empty(q[1]) && nfull(r) || nempty(s)", "((Empty(q[1]) And NotFull(r)) Or NotEmpty(s))"),
        ("(full(q)) && a == b", "(Full(q) And (a Equal b))"),
        ("q?[a, 1, _]", "q?[a,#1,_]"),
        ("!q??[eval(x + 1), -3]", "(!q??[eval((x Add 1)),#-3])"),
        ("q?[a(b, c)] && x", "(q?[a,b,c] And x)"),
        ("timeout", "timeout"),
        ("!np_", "(!np_)"),
        ("enabled(p) + pc_value(_pid)", "(enabled(p) Add pc_value(_pid))"),
        ("get_priority(p) == 3", "(get_priority(p) Equal 3)"),
        ("P@lab", "P@lab"),
        ("P[3]@lab && x", "(P[3]@lab And x)"),
        ("_pid == _nr_pr - _last", "(_pid Equal (_nr_pr Sub _last))"),
        ("in + 1", "(in Add 1)"),
    ];
    for (text, expected) in table {
        assert_eq!(expression(text), expected, "{text}");
    }
}

#[test]
fn an_expression_uses_the_macros_and_proctypes_of_the_model() {
    let text =
        "#define N 3\n#define twice(x) (2 * (x))\nproctype P() { int v; skip }\ninit { skip }";
    let (mut map, parsed) = crate::parse(text);
    let macros = parsed.expect("the model is good").macros;
    let mut read =
        |text| parse_expression(&mut map, "watch", text, &macros).map(|e| render::expr(&e));
    assert_eq!(read("twice(N) + P[1]:v").unwrap(), "((2 Mul 3) Add P[1]:v)");
    assert_eq!(read("P:v == 1").unwrap(), "(P:v Equal 1)");
    assert!(read("1 +").is_err());
    assert!(read("1 2").is_err());
    assert!(read("").is_err());
    assert!(read("x = 1").is_err());
}

#[test]
fn statements() {
    let table = [
        ("skip", "1"),
        ("x = 1; y = x", "x = 1; y = x"),
        ("x = 1 -> y = x", "x = 1; y = x"),
        ("x = 1 --> y = x", "x = 1; y = x"),
        ("x++; y--", "x++; y--"),
        ("a[i].f = 3", "a[i].f = 3"),
        ("assert(x == 1)", "assert (x Equal 1)"),
        ("assert x", "assert x"),
        ("assert(x) && y", "assert (x And y)"),
        ("goto L; L: skip", "goto L; L: 1"),
        ("L: M: x = 1", "L: M: x = 1"),
        ("goto L; L:", "goto L; L: empty"),
        ("L: ; x = 1", "L: empty; x = 1"),
        ("if :: L: fi", "if :: L: empty fi"),
        ("do :: break od", "do :: break od"),
        ("do :: x -> y = 1; :: else -> break; od", "do :: x; y = 1 :: else; break od"),
        ("if :: x :: else fi", "if :: x :: else fi"),
        ("if :: else x = 1 fi", "if :: else; x = 1 fi"),
        ("if :: else if :: x fi fi", "if :: else; if :: x fi fi"),
        ("atomic { x = 1 }", "atomic { x = 1 }"),
        ("d_step { x = 1; y = 2; }", "d_step { x = 1; y = 2 }"),
        ("{ x = 1 } { y = 1 }", "{ x = 1 }; { y = 1 }"),
        ("{ x = 1 } unless { y }", "{ x = 1 } unless { y }"),
        ("x = 1 unless y", "x = 1 unless y"),
        ("L: x = 1 unless M: y", "L: x = 1 unless M: y"),
        ("{ x = 1 }\n unless { y }", "{ x = 1 } unless { y }"),
        ("for (i : 1 .. n) { x = i }", "for (i : 1..n) { x = i }"),
        ("for (i : 1..3)\n { skip }", "for (i : 1..3) { 1 }"),
        ("for (i : 0..n - 1) { skip }; skip", "for (i : 0..(n Sub 1)) { 1 }; 1"),
        ("for (i in a) { skip }", "for (i in a) { 1 }"),
        ("for (t.i in u.a) { skip }", "for (t.i in u.a) { 1 }"),
        ("select (i : 1 .. 9)", "select (i : 1..9)"),
        ("select (i : a - 1 .. b); skip", "select (i : (a Sub 1)..b); 1"),
        ("printf(\"hi\\n\")", "printf(\"hi\\n\")"),
        ("printf(\"%d\\t%e\\\\\", x, y + 1)", "printf(\"%d\\t%e\\\\\", x, (y Add 1))"),
        ("printm(x); printm(3)", "printm(x); printm(3)"),
        ("run P()", "run P()"),
        ("x = run P(1, y) priority 3", "x = run P(1, y) priority 3"),
        ("(run P())", "run P()"),
        ("set_priority(_pid, 4)", "set_priority(_pid, 4)"),
        ("timeout -> skip", "timeout; 1"),
        ("xr q; xs r, s[2]; skip", "xr q; xs r, s[2]; 1"),
        ("(x)\n(y)", "x; y"),
        ("x == 1 && y", "((x Equal 1) And y)"),
        ("int x; byte y = 3, z; skip", "int x; byte y = 3, z; 1"),
        ("!x; ~x; -x", "(!x); (~x); (-x)"),
        ("full(q) || x", "(Full(q) Or x)"),
        ("x = full(q)", "x = Full(q)"),
        ("P[1]@L", "P[1]@L"),
    ];
    for (text, expected) in table {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn sends_and_receives() {
    let table = [
        ("q!1", "q!1"),
        ("q!a, b + 1, -1", "q!a,(b Add 1),(-1)"),
        ("q!a(b, c)", "q!a,b,c"),
        ("q[2]!!x", "q[2]!!x"),
        ("t.q!x", "t.q!x"),
        ("q!(x)", "q!x"),
        ("q!!x(y)", "q!!x,y"),
        ("q?a", "q?a"),
        ("q?a, 3, _, true, -4, 'b'", "q?a,#3,_,#1,#-4,#98"),
        ("q?a(b, c)", "q?a,b,c"),
        ("q?a,b(c)", "q?a,b,c"),
        ("q?(a, b)", "q?a,b"),
        ("q?eval(x + 1), a[1].f", "q?eval((x Add 1)),a[1].f"),
        ("q??a", "q??a"),
        ("q?<a, b>", "q?<a,b>"),
        ("q??<1>", "q??<#1>"),
        ("q?[a] -> q?a", "q?[a]; q?a"),
        ("q??[a, 1] && x", "(q??[a,#1] And x)"),
        ("q?a -> skip", "q?a; 1"),
    ];
    for (text, expected) in table {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn a_line_may_end_a_statement() {
    let table = [
        ("x = 1\ny = 2", "x = 1; y = 2"),
        ("x = y\n- 1", "x = y; (-1)"),
        ("x = (y\n- 1)", "x = (y Sub 1)"),
        ("x = y -\n1", "x = (y Sub 1)"),
        ("x\n!y", "x; (!y)"),
        ("q!y\n(z)", "q!y; z"),
        ("q?y\n(z)", "q?y; z"),
        ("x = 1 /*\n*/ y = 2", "x = 1; y = 2"),
        ("if\n:: x\n:: else\nfi\nx = 1", "if :: x :: else fi; x = 1"),
        ("x = 1;;; y = 2;;", "x = 1; y = 2"),
        ("run P()\nx++\ny = 1", "run P(); x++; y = 1"),
        ("int x\nint y = 2\nx = 1", "int x; int y = 2; x = 1"),
        ("x = 1\r\ny = 2\r\n", "x = 1; y = 2"),
    ];
    for (text, expected) in table {
        assert_eq!(body(text), expected, "{text:?}");
    }
}

#[test]
fn declarations() {
    let table = [
        ("int x", "int x"),
        ("bit a; bool b; byte c; short d; pid e", "bit a\nbool b\nbyte c\nshort d\npid e"),
        ("int x = 1 + 2, y[3], z = -1", "int x = (1 Add 2), y[3], z = (-1)"),
        ("int a[3] = {1, 2, 3}", "int a[3] = {1, 2, 3}"),
        ("unsigned x : 5 = 3, y : 2", "unsigned x:5 = 3, y:2"),
        ("hidden int x; show byte y; local bit z", "hidden int x\nshow byte y\nlocal bit z"),
        ("mtype = { a, b }", "mtype = { a, b }"),
        ("mtype { a b,, c, }", "mtype = { a, b, c }"),
        ("mtype:set = { a }; mtype:set x = a", "mtype:set = { a }\nmtype:set x = a"),
        ("mtype m; mtype = { a }", "mtype m\nmtype = { a }"),
        ("chan q", "chan q"),
        ("chan q = [0] of { bit }", "chan q = [0] of {bit}"),
        (
            "typedef T { int a }; chan q[3] = [2] of { byte, mtype, mtype:s, chan, T, pid }",
            "typedef T { int a }\nchan q[3] = [2] of {byte, mtype, mtype:s, chan, T, pid}",
        ),
        ("typedef T { int a, b[2]; byte c; }; T t[2]", "typedef T { int a, b[2]; byte c }\nT t[2]"),
        ("typedef T {\nint a\nint b\n}", "typedef T { int a; int b }"),
        (
            "typedef T { int a }; typedef U { T t; hidden T\nu }",
            "typedef T { int a }\ntypedef U { T t; hidden T u }",
        ),
        ("int x byte y", "int x\nbyte y"),
        (";; int x;;", "int x"),
        ("byte in = 2", "byte in = 2"),
        ("int x = 3\n- 1;", "int x = (3 Sub 1)"),
    ];
    for (text, expected) in table {
        assert_eq!(rendered(text), expected, "{text}");
    }
}

#[test]
fn processes_and_claims() {
    let table = [
        ("init { skip }", "init() { 1 }"),
        ("init priority 3 { skip }", "init() priority 3 { 1 }"),
        ("proctype P() { skip }", "proctype P() { 1 }"),
        ("proctype P(int a, b; chan c) { skip }", "proctype P(int a, b; chan c) { 1 }"),
        ("active proctype P() { skip }", "active proctype P() { 1 }"),
        ("active [2 + 1] proctype P() { skip }", "active [(2 Add 1)] proctype P() { 1 }"),
        ("D_proctype P() { skip }", "D_proctype P() { 1 }"),
        (
            "active [2] proctype P(byte x) priority 5 provided (x > 0) { skip; }",
            "active [2] proctype P(byte x) priority 5 provided (x Greater 0) { 1 }",
        ),
        ("never { skip }", "Never { 1 }"),
        ("never n { do :: !x :: else -> break od }", "Never n { do :: (!x) :: else; break od }"),
        ("trace { q!a; q?_ }", "Trace { q!a; q?_ }"),
        ("notrace { q!a }", "Notrace { q!a }"),
        ("ltl { [] (p -> <> q) }", "ltl { [] (p -> <> q) }"),
        ("ltl l {[]<>(x==1)&&\n\n!(a<->b)U c}", "ltl:l { []<>(x==1)&& !(a<->b)U c }"),
        (
            "proctype P() { skip } init { P@L; P:x == 1; P[0]:y[1] }",
            "proctype P() { 1 }\ninit() { P@L; (P:x Equal 1); P[0]:y[1] }",
        ),
        ("ltl { <> q; }", "ltl { <> q }"),
        ("init { skip };", "init() { 1 }"),
    ];
    for (text, expected) in table {
        assert_eq!(rendered(text), expected, "{text}");
    }
}

#[test]
fn inlines_are_parsed_at_each_call() {
    let table = [
        ("inline f() { x = 1 } init { f() }", "init() { f{ x = 1 } }"),
        (
            "inline f(a) { a = 1; a++ } init { f(x); f(y[2]) }",
            "init() { f{ x = 1; x++ }; f{ y[2] = 1; y[2]++ } }",
        ),
        (
            "inline f(a) { a = a * 2 } init { f(x) f(y) }",
            "init() { f{ x = (x Mul 2) }; f{ y = (y Mul 2) } }",
        ),
        (
            "inline f(a, b) { a = b * 2 } init { f(x, y + 1) }",
            "init() { f{ x = (y Add (1 Mul 2)) } }",
        ),
        (
            "inline f(s) { if :: s :: else fi } init { f(x = 1; y = 2) }",
            "init() { f{ if :: x = 1; y = 2 :: else fi } }",
        ),
        (
            "inline g(b) { b = 1 } inline f(a) { g(a); g(z) } init { f(x) }",
            "init() { f{ g{ x = 1 }; g{ z = 1 } } }",
        ),
        ("inline f(c, m) { c?m } init { f(q[1], _) }", "init() { f{ q[1]?_ } }"),
        ("inline f(n) { n: goto n } init { f(L) }", "init() { f{ L: goto L } }"),
        ("inline f() { x = 1 } init { f() unless y; skip }", "init() { f{ x = 1 } unless y; 1 }"),
        ("inline never_called(a) { this is no Promela } init { skip }", "init() { 1 }"),
        (
            "inline f(a) { printf(\"a %d\", a) } init { f(3) }",
            "init() { f{ printf(\"a %d\", 3) } }",
        ),
        ("inline f(p) { run p(1) } init { f(P) }", "init() { f{ run P(1) } }"),
        ("inline f(a) { a }\ninit {\n f\n (x)\n skip }", "init() { f{ x }; 1 }"),
    ];
    for (text, expected) in table {
        assert_eq!(rendered(text), expected, "{text}");
    }
}
