//! Extended Promela: one text, a model and an implementation.

use auspex_promela::Reading;
use auspex_promela::parser::{Options, parse_text};
use auspex_system::SourceMap;

use crate::{listed, render};

fn read(text: &str, reading: Reading) -> Result<String, String> {
    let mut map = SourceMap::default();
    let options = Options { reading, ..Options::default() };
    match parse_text(&mut map, "test.pch", text, &options) {
        Ok(parsed) => Ok(render::program(&parsed.program)),
        Err(errors) => Err(listed(&map, &errors)),
    }
}

/// Both readings of a text.
#[track_caller]
fn both(text: &str, model: &str, implementation: &str) {
    assert_eq!(read(text, Reading::Model).as_deref(), Ok(model), "the model of\n{text}");
    let found = read(text, Reading::Implementation);
    assert_eq!(found.as_deref(), Ok(implementation), "the implementation of\n{text}");
}

/// Both readings of the body of a process.
#[track_caller]
fn bodies(body: &str, model: &str, implementation: &str) {
    let whole = |body: &str| format!("init() {{ {body} }}");
    both(&format!("init {{ {body} }}"), &whole(model), &whole(implementation));
}

#[track_caller]
fn refused(text: &str, reading: Reading, message: &str) {
    match read(text, reading) {
        Ok(program) => panic!("{text}\nis accepted as\n{program}"),
        Err(errors) => assert!(errors.contains(message), "{errors}\ndoes not say {message}"),
    }
}

#[test]
fn a_wrapper_has_no_scope_and_no_braces() {
    bodies(
        "promela_MS { int x; x = 1 }; x = 2",
        "int x; x = 1; x = 2",
        "model { int x; x = 1 }; x = 2",
    );
    bodies("promela_MS{x = 1;};y = 2", "x = 1; y = 2", "model { x = 1 }; y = 2");
    bodies("promela_MS {x = 1} y = 2", "x = 1; y = 2", "model { x = 1 }; y = 2");
    bodies("promela_MS {{x = 1}} y = 2", "{ x = 1 }; y = 2", "model { { x = 1 } }; y = 2");
    bodies("promela_MS { }; y = 2", "y = 2", "model {  }; y = 2");
    bodies(
        "promela_MS { promela_MS { x = 1 } y = 2 } z = 3",
        "x = 1; y = 2; z = 3",
        "model { model { x = 1 }; y = 2 }; z = 3",
    );
    both(
        "promela_MS { int x; chan c = [0] of {int} } int y; promela_MS { proctype P() { skip } };",
        "int x\nchan c = [0] of {int}\nint y\nproctype P() { 1 }",
        "model { int x; chan c = [0] of {int} }\nint y\nmodel { proctype P() { 1 } }",
    );
}

#[test]
fn code_vanishes_from_the_model() {
    bodies("x = 1; c_code_IS { a }; y = 2", "x = 1; y = 2", "x = 1; CCodeIS<a>; y = 2");
    bodies("c_code_IS{a} y = 2; c_code_IS{b}", "y = 2", "CCodeIS<a>; y = 2; CCodeIS<b>");
    bodies("rust_code_IS { a }; x = 1", "x = 1", "RustCodeIS<a>; x = 1");
    bodies(
        "if :: c_expr_IS { a } -> x = 1 :: c_expr_IS [g] { b } :: else -> c_code_IS { c } fi",
        "if :: x = 1 :: 1 :: else fi",
        "if :: CExprIS<a>; x = 1 :: CExprIS[g]<b> :: else; CCodeIS<c> fi",
    );
    bodies("c_decl_IS { int x; }; c_code_IS{f();}", "1", "CDeclIS<int x;>; CCodeIS<f();>");
    bodies("L: c_code_IS { a }; x = 1", "L: x = 1", "L: CCodeIS<a>; x = 1");
    bodies("x = 1; L: c_code_IS { a }", "x = 1; L: 1", "x = 1; L: CCodeIS<a>");
    bodies("atomic { c_code_IS { a } }", "atomic { 1 }", "atomic { CCodeIS<a> }");
    bodies(
        "c_code_IS { a } unless { x }; { y } unless c_code_IS { b }",
        "1 unless { x }; { y } unless 1",
        "CCodeIS<a> unless { x }; { y } unless CCodeIS<b>",
    );
    both(
        "typedef T { c_decl_IS { long type; }; bit a; c_decl_IS{int b;} byte c };",
        "typedef T { bit a; byte c }",
        "typedef T { bit a; byte c @0 CDeclIS<long type;> @1 CDeclIS<int b;> }",
    );
}

#[test]
fn conditions_of_both_readings_stand_side_by_side() {
    bodies(
        "do :: promela_MS { q?x }; c_expr_IS { get(&x) } -> y = x od",
        "do :: q?x; y = x od",
        "do :: model { q?x }; CExprIS<get(&x)>; y = x od",
    );
    bodies(
        "x == 1 && y; c_expr_IS { a }",
        "((x Equal 1) And y)",
        "((x Equal 1) And y); CExprIS<a>",
    );
    let part = "is only a part of this expression";
    for text in
        ["x && c_expr_IS { a }", "c_expr_IS { a } || x", "!c_expr_IS{a}", "x = c_expr_IS{a}"]
    {
        refused(&format!("init {{ {text} }}"), Reading::Model, part);
    }
    refused("init { if :: (c_expr_IS { a }) -> skip fi }", Reading::Model, part);
}

#[test]
fn what_the_thesis_writes() {
    let text = "#define SEND(CHAN,MSG,SIZE)\\\npromela_MS{CHAN!MSG;};\\\nc_code_IS{_ipc_mq_snd(CHAN,&MSG,SIZE,1);};\n\
        init { SEND(out,msg,sizeof(Msg))\n if :: x fi; SEND(out,msg,sizeof(Msg)) state = 1; SEND(a,b,1); }";
    both(
        text,
        "init() { out!msg; if :: x fi; out!msg; state = 1; a!b }",
        "init() { model { out!msg }; CCodeIS<_ipc_mq_snd(out,&msg,sizeof(Msg),1);>; if :: x fi; \
         model { out!msg }; CCodeIS<_ipc_mq_snd(out,&msg,sizeof(Msg),1);>; state = 1; \
         model { a!b }; CCodeIS<_ipc_mq_snd(a,&b,1,1);> }",
    );
    bodies(
        "promela_MS {listen_sock!control_sock};\nc_code_IS {Connect(control_sock, &a, sizeof(a))};",
        "listen_sock!control_sock",
        "model { listen_sock!control_sock }; CCodeIS<Connect(control_sock, &a, sizeof(a))>",
    );
    both(
        "c_decl_IS {int listen_sock};;\ninit { skip }",
        "init() { 1 }",
        "CDeclIS<int listen_sock>\ninit() { 1 }",
    );
}

#[test]
fn environment_processes_are_noted() {
    both("env proctype P() { skip }", "proctype P() { 1 }", "env proctype P() { 1 }");
    both(
        "env active [2] proctype P() { skip }",
        "active [2] proctype P() { 1 }",
        "env active [2] proctype P() { 1 }",
    );
    both(
        "active env proctype P() { skip }",
        "active proctype P() { 1 }",
        "env active proctype P() { 1 }",
    );
    both(
        "byte env; init { env = 1 }",
        "byte env\ninit() { env = 1 }",
        "byte env\ninit() { env = 1 }",
    );
}

#[test]
fn the_text_of_code_is_what_was_written() {
    #[track_caller]
    fn code(text: &str, expected: &str) {
        let found = read(text, Reading::Implementation).expect("is accepted");
        let inside = found.split_once('<').and_then(|(_, rest)| rest.rsplit_once('>'));
        assert_eq!(inside.map(|(inside, _)| inside), Some(expected), "{text}");
    }
    code("c_decl_IS { int x; }", "int x;");
    code(
        "c_decl_IS{\n  if (a)  {\n    b; /* why } */\n  }\n\n  c;\n}",
        "if (a)  {\n  b; /* why } */\n}\n\nc;",
    );
    code(
        "c_decl_IS { x = '}'; s = \"}\\\"{\"; f = 1.5e-3; n = 0x1Fu; c = a ? b : d; }",
        "x = '}'; s = \"}\\\"{\"; f = 1.5e-3; n = 0x1Fu; c = a ? b : d;",
    );
    code("#define N 3\nc_decl_IS { int a[N], N2; }", "int a[3], N2;");
    code("#define F(x) c_decl_IS { x  + x; #x }\nF(a b)", "a b + a b; \"a b\"");
    code(
        "c_decl_IS {\n#include <stdio.h>\n#if X /* a\n b */\n  int x;\n\\#endif\n}",
        "#include <stdio.h>\n#if X /* a\n b */\n  int x;\n#endif",
    );
    code("c_decl_IS { a // } {\n; b }", "a // } {\n; b");
    code("c_decl_IS { a->b; n-->0; x<<=1; unix linux }", "a->b; n-->0; x<<=1; unix linux");
    code(
        "rust_decl_IS { impl<'a> X<'a> { fn f(c: char) -> bool { c == '}' || c == '\\'' } } }",
        "impl<'a> X<'a> { fn f(c: char) -> bool { c == '}' || c == '\\'' } }",
    );
    code(
        "rust_decl_IS { #[a] use std::os::unix; let s = r#\"}\"{\"#; b\"}\"; /* /* } */ } */ }",
        "#[a] use std::os::unix; let s = r#\"}\"{\"#; b\"}\";",
    );
    code(
        "rust_decl_IS {\n    let s = \"a\n    {b\";\n    x(); }",
        "let s = \"a\n    {b\";\n    x();",
    );
    code("c_state \"int x\" \"Global\" \"0\"", "\"int x\"\n\"Global\"\n\"0\"");
    code("inline f(p) { c_code_IS { g(p, \"p\"); } }\ninit { f(a[1]) }", "g(a[1], \"p\");");
}

#[test]
fn plain_c_is_for_the_implementation_and_for_spin() {
    let text = "c_decl { int x; }\nc_track \"&x\" \"sizeof(int)\"\ninit { c_code [a] { x++; }; c_expr { x } && y }";
    let expected = "CDecl<int x;>\nCTrack<\"&x\"\n\"sizeof(int)\">\ninit() { CCode[a]<x++;>; (CExpr<x> And y) }";
    assert_eq!(read(text, Reading::Implementation).as_deref(), Ok(expected));
    refused(text, Reading::Model, "embedded C (`c_decl`) is not supported");
    refused(text, Reading::Plain, "embedded C (`c_decl`) is not supported");
}

#[test]
fn in_plain_promela_the_words_are_names() {
    let text = "byte promela_MS, env, c_code_IS; init { promela_MS = env + c_code_IS }";
    let expected = "byte promela_MS, env, c_code_IS\ninit() { promela_MS = (env Add c_code_IS) }";
    assert_eq!(read(text, Reading::Plain).as_deref(), Ok(expected));
    assert!(read("init { promela_MS { skip } }", Reading::Plain).is_err());
}

#[test]
fn what_is_not_closed_is_found_where_it_begins() {
    for reading in [Reading::Model, Reading::Implementation] {
        refused(
            "init { skip }\nc_decl_IS { int x; { }\ninit { }",
            reading,
            "2:1: this `c_decl_IS` has no `}`",
        );
        refused("init { c_code_IS [a { } }", reading, "1:8: this `c_code_IS` has no `}`");
        refused("promela_MS { int x;", reading, "1:1: this `promela_MS` has no `}`");
        refused("init { c_code_IS; skip }", reading, "expected `{` behind `c_code_IS`");
    }
    refused("typedef T { c_code_IS { x } byte b }", Reading::Implementation, "expected a field");
    refused("c_state \"x\"", Reading::Implementation, "two strings");
    refused("typedef T { c_decl_IS { int x; } }", Reading::Model, "expected a field");
}
