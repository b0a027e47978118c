//! Where things stand, and how they were written.

use auspex_promela::ast::{Item, Stmt, StmtKind};
use auspex_system::SourceMap;

use crate::parse;

/// Every simple statement of the model: `line:column text [source at its span]`.
fn statements(text: &str) -> Vec<String> {
    let (map, result) = parse(text);
    let program = result.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).program;
    let mut lines = Vec::new();
    for item in &program.items {
        if let Item::Proctype(process) = item {
            process.body.stmts.iter().for_each(|stmt| list(&map, stmt, &mut lines));
        }
    }
    lines
}

fn list(map: &SourceMap, stmt: &Stmt, lines: &mut Vec<String>) {
    let place = map.location(stmt.span);
    let source = map.snippet(stmt.span);
    lines.push(format!("{}:{} {} [{source}]", place.line, place.column, stmt.text));
    if let StmtKind::Decl(decl) = &stmt.kind {
        let texts: Vec<_> = decl.vars.iter().map(|var| var.text.as_str()).collect();
        lines.push(format!("vars: {}", texts.join(" | ")));
    }
    match &stmt.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().flat_map(|o| &o.stmts).for_each(|stmt| list(map, stmt, lines));
        }
        StmtKind::For { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body)
        | StmtKind::Inline { body, .. } => {
            body.stmts.iter().for_each(|stmt| list(map, stmt, lines));
        }
        StmtKind::Unless { main, escape } => {
            list(map, main, lines);
            list(map, escape, lines);
        }
        _ => {}
    }
}

#[test]
fn statements_as_written() {
    assert_eq!(
        statements("init {\n  x   =  1 /* one */ + 2;\n L: q!a ,\n b\n}"),
        ["2:3 x = 1 + 2 [x   =  1 /* one */ + 2]", "3:5 q!a , b [q!a ,\n b]"]
    );
    assert_eq!(
        statements("init { do :: x > 1 -> break :: else od }"),
        [
            "1:8 do [do :: x > 1 -> break :: else od]",
            "1:14 x > 1 [x > 1]",
            "1:23 break [break]",
            "1:32 else [else]"
        ]
    );
    assert_eq!(
        statements("init { atomic { skip } unless { x } }"),
        [
            "1:8 unless [atomic { skip } unless { x }]",
            "1:8 atomic [atomic { skip }]",
            "1:17 skip [skip]",
            "1:31 { ... } [{ x }]",
            "1:33 x [x]"
        ]
    );
    assert_eq!(
        statements("init { hidden int x = 3, y[2]; L: }"),
        [
            "1:8 hidden int x = 3, y[2] [hidden int x = 3, y[2]]",
            "vars: int x = 3 | int y[2]",
            "1:32 L: [L]"
        ]
    );
    assert_eq!(
        statements("init { for (i : 1 .. 3) { x=i }; select(i:1..3) }"),
        [
            "1:8 for [for (i : 1 .. 3) { x=i }]",
            "1:27 x=i [x=i]",
            "1:34 select(i:1..3) [select(i:1..3)]"
        ]
    );
}

#[test]
fn statements_of_macros_stand_where_the_macro_is_used() {
    let text =
        "#define INC(v) v = v + 1; skip\n#define N 3\ninit {\n  INC(x);\n  y = N;\n  INC(z[N])\n}";
    assert_eq!(
        statements(text),
        [
            "4:3 x = x + 1 [INC(x)]",
            "4:3 skip [INC(x)]",
            "5:3 y = 3 [y = N]",
            "6:3 z[3] = z[3] + 1 [INC(z[N])]",
            "6:3 skip [INC(z[N])]",
        ]
    );
    assert_eq!(
        statements("#define DO(s) atomic { s }\ninit { DO(x = 1; y = 2) }"),
        ["2:8 atomic [DO(x = 1; y = 2)]", "2:11 x = 1 [x = 1]", "2:18 y = 2 [y = 2]"]
    );
    assert_eq!(
        statements("#define ALL x = -1\n#define M -\ninit { ALL; y = -M 1 }"),
        ["3:8 x = -1 [ALL]", "3:13 y = - - 1 [y = -M 1]"]
    );
}

#[test]
fn statements_of_inlines_stand_in_their_bodies() {
    let text = "inline f(a, b) {\n  a = b;\n  skip\n}\ninit {\n  f(x, 1 + y)\n}";
    assert_eq!(
        statements(text),
        ["6:3 f(x, 1 + y) [f(x, 1 + y)]", "2:3 x = 1 + y [a = b]", "3:3 skip [skip]"]
    );
}

#[test]
fn a_process_ends_at_its_brace() {
    let (map, result) = parse("init {\n skip\n}\nproctype P() { skip }");
    let program = result.expect("is good").program;
    let ends: Vec<_> = program
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Proctype(process) => Some(map.location(process.end)),
            _ => None,
        })
        .map(|place| (place.line, place.column))
        .collect();
    assert_eq!(ends, [(3, 1), (4, 21)]);
}
