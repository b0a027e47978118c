//! What closes an open program.

use auspex_lf::{
    EmitOptions, Environment, Model, ModelOptions, Options as LoadOptions, close, load,
};
use auspex_search::{Control, Limits, Options, Order, StoreKind, explore};
use auspex_system::SourceMap;
use std::path::PathBuf;
use std::sync::Arc;

fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("auspex-lf-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

fn environment(text: &str, name: &str) -> (Option<Environment>, PathBuf) {
    let file = directory(name).join("m.lf");
    std::fs::write(&file, text).unwrap();
    let mut sources = SourceMap::default();
    let source = load(&mut sources, std::slice::from_ref(&file), &LoadOptions::default());
    let source = source.unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    (close(&source), file)
}

/// The kinds of the faults of a program with its environment.
fn faults(text: &str, name: &str) -> (Vec<&'static str>, String) {
    let (made, file) = environment(text, name);
    let made = made.expect("an open program").text;
    let other = file.with_file_name("env.lf");
    std::fs::write(&other, &made).unwrap();
    let mut sources = SourceMap::default();
    let source = load(&mut sources, &[file, other], &LoadOptions::default());
    let source = source.unwrap_or_else(|errors| panic!("{errors:?} in\n{made}"));
    let model = Model::new(
        Arc::new(source.compile(&sources, &EmitOptions::default())),
        ModelOptions::default(),
    );
    let options = Options {
        workers: 1,
        order: Order::Breadth,
        store: StoreKind::Exact,
        link_bits: Some(Options::ALL_LINK_BITS),
        limits: Limits { time: None, memory: None, states: Some(400_000), depth: None },
        all: true,
        reduce: false,
    };
    let outcome = explore(&&model, &options, &Arc::new(Control::default()));
    assert!(outcome.stopped.is_none(), "{:?}", outcome.stopped);
    let mut kinds: Vec<&str> = outcome.faults.iter().map(|found| found.fault.kind).collect();
    kinds.dedup();
    (kinds, made)
}

const OPEN: &str = "MODULE m;\nTYPE Pair = RECORD a: BOOLEAN END;\n\
    In = [num(INTEGER), pair(Pair), stop]; Out = [ack(INT8)];\nPORT in: In; out: Out;\nVAR n: INTEGER;\n\
    PROCESS P(i: In; o: Out);\nVAR x: INTEGER; p: Pair; on: BOOLEAN;\n\
    BEGIN on := TRUE; WHILE on DO SELECT WHEN i?num(x) THEN ASSERT(x < LIMIT) WHEN i?pair(p) THEN \
    WHEN i?stop THEN on := FALSE END; x := 0; o!ack(1) END END P;\n\
    BEGIN CREATE P(in, out) END m.";

#[test]
fn ports_without_a_channel_are_served() {
    let (kinds, made) = faults(&OPEN.replace("LIMIT", "2"), "ports");
    assert!(kinds.is_empty(), "{kinds:?}\n{made}");
    let (kinds, made) = faults(&OPEN.replace("LIMIT", "1"), "ports");
    assert_eq!(kinds, ["assertion"], "{made}");
}

#[test]
fn values_of_all_types_come() {
    let text = "MODULE m;\nTYPE R = RECORD c: CHAR; s: SET END; A = ARRAY 2 OF BYTE; C = [t(R, A)];\nPORT c: C;\n\
        PROCESS P(c: C);\nVAR r: R; a: A;\nBEGIN c?t(r, a); \
        ASSERT(~((r.c = 'b') & (r.s = {0, 1}) & (a[0] = 1) & (a[1] = 0))) END P;\nBEGIN CREATE P(c) END m.";
    assert_eq!(faults(text, "values").0, ["assertion"]);
}

#[test]
fn arrays_of_ports_are_served() {
    let text = "MODULE m;\nTYPE C = [t(INTEGER)];\nVAR c: ARRAY 2 OF C; s: INTEGER;\n\
        PROCESS P(c: C);\nVAR x: INTEGER;\nBEGIN c?t(x); s := s + x; ASSERT(s < 2) END P;\n\
        BEGIN CREATE P(c[0]), P(c[1]) END m.";
    assert_eq!(faults(text, "arrays").0, ["assertion"]);
}

#[test]
fn interrupts_come() {
    let text = "MODULE m;\nIMPORT SYSTEM;\nVAR n: INTEGER;\nPROCESS P;\n\
        BEGIN WHILE n < 2 DO SYSTEM.Interrupt3?INTERRUPT; INC(n) END; ASSERT(n < 2) END P;\nBEGIN CREATE P END m.";
    let (kinds, made) = faults(text, "interrupts");
    assert_eq!(kinds, ["assertion"]);
    assert!(made.contains("SYSTEM.Interrupt3!INTERRUPT"), "{made}");
}

#[test]
fn devices_answer() {
    let text = "MODULE m;\nIMPORT SYSTEM;\nVAR a: INTEGER; b: BYTE;\nPROCESS P;\n\
        BEGIN PORTOUT(3F8H, 1); PORTIN(0A0H, a); PORTIN(a + 5, b); ASSERT((a = 0) OR (b = 0)) END P;\n\
        BEGIN CREATE P END m.";
    let (kinds, made) = faults(text, "devices");
    assert_eq!(kinds, ["assertion"]);
    assert!(made.contains("(address = 3F8H)") && made.contains("(address = 0A0H)"), "{made}");
}

#[test]
fn a_closed_program_needs_nothing() {
    let text = "MODULE m;\nTYPE C = [t];\nPORT c: C;\nPROCESS P(c: C);\nBEGIN c!t END P;\n\
        PROCESS Q(c: C);\nBEGIN c?t END Q;\nBEGIN NEW(c); CREATE P(c), Q(c) END m.";
    assert!(environment(text, "closed").0.is_none());
}
