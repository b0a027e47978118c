//! Properties of infinite runs, as a user checks them.

use expect_test::expect;
use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

fn run(text: &str, arguments: &[&str]) -> (i32, String, String) {
    let directory = TempDir::new().unwrap();
    std::fs::write(directory.path().join("m.pml"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .current_dir(directory.path())
        .env_remove("CLICOLOR_FORCE")
        .args(["check", "m.pml", "--workers", "2"])
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The verdict on each property but safety, which must be the same with every algorithm that can
/// be used.
fn verdicts(text: &str, arguments: &[&str]) -> Vec<String> {
    let fair = arguments.contains(&"--fair");
    let algorithms: &[&str] =
        if fair { &["components"] } else { &["components", "nested", "cndfs", "owcty", "map"] };
    let mut all = algorithms.iter().map(|algorithm| {
        let flags = [arguments, &["--format", "json", "--algorithm", algorithm]].concat();
        let (_, out, error) = run(text, &flags);
        let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}"));
        let results = report["results"].as_array().unwrap();
        let temporal = results.iter().filter(|result| result["property"] != "safety");
        for result in temporal.clone() {
            let trace = &result["trace"];
            let violated = result["verdict"] == "violated";
            assert_eq!(violated, trace["cycle"].as_array().is_some_and(|c| !c.is_empty()));
        }
        temporal.map(|it| it["verdict"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    });
    let first = all.next().unwrap();
    all.for_each(|other| assert_eq!(first, other));
    first
}

const SERVER: &str = "\
bool request, reply;
ltl answered { [] (request -> <> reply) }
ltl bounded { [] !(request && reply && false) }
active proctype client() {
  do
  :: !request -> request = true
  :: reply -> reply = false; request = false
  od
}
active proctype server() {
  do
  :: request && !reply -> reply = true
  od
}
active proctype other() {
  bool x;
  do
  :: x = !x
  od
}
";

#[test]
fn each_formula_has_its_own_result() {
    assert_eq!(verdicts(SERVER, &[]), ["violated", "holds"]);
    assert_eq!(verdicts(SERVER, &["--property", "bounded"]), ["holds"]);
    // The process `other` is to blame: with fairness the server gets its turn.
    assert_eq!(verdicts(SERVER, &["--fair", "weak"]), ["holds", "holds"]);
}

#[test]
fn fairness_gives_everyone_a_turn() {
    let model = "\
byte x;
ltl set { <> (x == 1) }
active proctype a() { x = 1 }
active proctype b() { bool y; do :: y = !y od }
";
    assert_eq!(verdicts(model, &[]), ["violated"]);
    assert_eq!(verdicts(model, &["--fair"]), ["holds"]);
    assert_eq!(verdicts(model, &["--fair", "strong"]), ["holds"]);
    // It can move again and again, but not always.
    let model = "\
byte x, y;
ltl set { <> (x == 1) }
active proctype a() { y == 1 -> x = 1 }
active proctype b() { do :: y = 1; y = 0 od }
";
    assert_eq!(verdicts(model, &["--fair"]), ["violated"]);
    assert_eq!(verdicts(model, &["--fair", "strong"]), ["holds"]);
}

/// Spin 6.5.2 with weak fairness says that this holds: two processes that each assign once.
#[test]
fn a_fair_run_may_end() {
    let model = "\
byte n;
ltl one { <> [] (n == 1) }
active proctype a() { n = 1 }
active proctype b() { n = 2 }
";
    assert_eq!(verdicts(model, &[]), ["violated"]);
    assert_eq!(verdicts(model, &["--fair"]), ["violated"]);
}

/// Two processes that can move in turns, but neither always: beyond the 64th they once counted as one that always can.
#[test]
fn fairness_with_many_processes_leaves_no_run_out() {
    let model = "\
bit t; bool x;
ltl moves { <> x }
active proctype toggler() { do :: t = 1 - t od }
active [62] proctype idle() { end: false }
active proctype a() { t == 0 -> x = true }
active proctype b() { t == 1 -> x = true }
";
    assert_eq!(verdicts(model, &["--fair"]), ["violated"]);
    assert_eq!(verdicts(&model.replace("62", "5"), &["--fair"]), ["violated"]);
    assert_eq!(verdicts(&model.replace("62", "5"), &["--fair", "strong"]), ["holds"]);
}

#[test]
fn claims_labels_and_formulas_of_the_command_line() {
    let model = "\
byte x;
active proctype p() { do :: x < 3 -> x++ :: x > 0 -> x-- od }
never { do :: true :: x == 2 -> goto accept_here od; accept_here: do :: x >= 2 od }
";
    assert_eq!(verdicts(model, &[]), ["violated"]);
    let model = "byte x; active proctype p() { do :: x < 3 -> x++ :: else -> x = 0 od }";
    assert_eq!(
        verdicts(model, &["--ltl", "[] <> (x == 0)", "--ltl", "<> [] (x > 0)"]),
        ["holds", "violated"]
    );
    let labels = "\
byte x;
active proctype p() {
  do
  :: x == 0 -> x = 1;
progress:  x = 2; x = 0
  :: x == 0 -> skip
  od
}
";
    assert_eq!(verdicts(labels, &["--progress"]), ["violated"]);
    assert_eq!(verdicts(&labels.replace("  :: x == 0 -> skip\n", ""), &["--progress"]), ["holds"]);
    let labels = labels.replace("progress:", "accept:");
    assert_eq!(verdicts(&labels, &["--acceptance"]), ["violated"]);
    let once = "byte x; active proctype p() { accept: x = 1; x = 2 }";
    assert_eq!(verdicts(once, &["--acceptance"]), ["holds"]);
}

#[test]
fn the_run_is_told_with_its_cycle() {
    let model = "byte x;\nltl low { <> [] (x < 2) }\nactive proctype p() {\n  do\n  :: x = 1\n  :: x = 2\n  od\n}\n";
    let (code, out, _) = run(model, &["--property", "low", "--algorithm", "components"]);
    assert_eq!(code, 1);
    let story: Vec<&str> = out.split("\n\n").take(2).collect();
    expect![[r#"
        violated: a run violates `low`: <> [] (x < 2) (m.pml:2) after 3 steps

         1  p[0]  m.pml:6  x = 2  x: 0 -> 2
        and then for ever:
         2  p[0]  m.pml:5  x = 1  x: 2 -> 1
         3  p[0]  m.pml:6  x = 2  x: 1 -> 2
        ✗ a run violates `low`: <> [] (x < 2)
         --> m.pml:2:1
          |
        2 | ltl low { <> [] (x < 2) }
          | ^^^^^^^ a run violates `low`: <> [] (x < 2)"#]]
    .assert_eq(&story.join("\n\n"));
    let stops = "byte x;\nltl up { <> (x == 2) }\nactive proctype p() { x = 1 }\n";
    let (_, out, _) = run(stops, &["--property", "up"]);
    assert!(out.contains("(nothing can move any more)"), "{out}");
}

#[test]
fn a_run_can_be_walked() {
    let directory = TempDir::new().unwrap();
    let auspex = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_auspex"));
        command.current_dir(directory.path()).args(arguments).stdin(std::process::Stdio::null());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let models = [
        (SERVER, "answered", "repeat"),
        ("byte x; ltl up { <> (x == 2) } active proctype p() { x = 1 }", "up", "nothing can move"),
    ];
    for (model, property, end) in models {
        std::fs::write(directory.path().join("m.pml"), model).unwrap();
        assert_eq!(auspex(&["check", "m.pml", "--property", property, "--quiet"]).0, Some(1));
        let (code, out) = auspex(&["simulate", "m.pml", "--trace", "m.pml.trace.json"]);
        assert_eq!(code, Some(1));
        assert!(out.lines().last().is_some_and(|last| last.contains(end)), "{out}");
        let drawn = auspex(&["draw", "m.pml", "--trace", "m.pml.trace.json"]);
        roxmltree::Document::parse(&drawn.1).unwrap();
    }
}

#[test]
fn mistakes_are_pointed_at() {
    let (code, _, error) =
        run("byte x;\nltl bad { [] (y == 1) }\nactive proctype p() { x = 1 }\n", &[]);
    assert_eq!(code, 2);
    expect![[r#"
        error: undeclared variable `y`
         --> m.pml:2:15
          |
        2 | ltl bad { [] (y == 1) }
          |               ^

    "#]]
    .assert_eq(&error);
    let (code, _, error) = run("byte x; active proctype p() { x = 1 }", &["--ltl", "[] (x =="]);
    assert_eq!(code, 2);
    assert!(error.contains("--ltl"), "{error}");
    let (code, _, error) = run(SERVER, &["--fair", "--algorithm", "nested"]);
    assert_eq!(code, 2);
    assert!(error.contains("--algorithm components"), "{error}");
}

#[test]
fn a_limit_leaves_it_unknown() {
    let endless = "int a;\nltl l { [] <> (a == 7) }\nactive proctype p() { do :: a++ od }\n";
    let (code, out, _) =
        run(endless, &["--property", "l", "--max-states", "1000", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &report["results"][0]["reason"]), (3, &"states".into()));
}

/// Of this kind are Siegel's counterexamples to reducing the product: a process that goes round in
/// private, and one whose single step could be put off for ever while only the automaton moves.
#[test]
fn a_step_is_not_put_off_for_ever_while_the_automaton_moves() {
    let model = "bit p;
        active proctype A() { p = 1 }
        active proctype B() { bit x; do :: x = 0 :: x = 1 od }\n";
    let formulas = ["[] !p", "[] <> !p", "<> p", "[] (!p -> <> p)", "!p U ([] p)"];
    let claim = "never {
        zero: do :: !p -> goto one od;
        one: do :: !p -> goto zero :: p -> goto accept od;
        accept: do :: p od }";
    for algorithm in ["components", "nested", "cndfs", "owcty", "map"] {
        let algorithm = ["--algorithm", algorithm, "--quiet"];
        for formula in formulas {
            let (code, out, _) = run(model, &[&["--ltl", formula], &algorithm[..]].concat());
            assert_eq!(code, 1, "{formula}: {out}");
        }
        let (code, out, _) = run(&format!("{model}{claim}"), &algorithm);
        assert_eq!(code, 1, "{out}");
    }
}

/// A random formula about some propositions.
fn formula(rng: &mut fastrand::Rng, atoms: &[&str], size: usize) -> String {
    if size == 0 {
        return format!("({})", atoms[rng.usize(..atoms.len())]);
    }
    let mut part = || {
        let left = rng.usize(..size);
        formula(rng, atoms, left)
    };
    let (a, b) = (part(), part());
    match rng.u8(..8) {
        0 => format!("(!{a})"),
        1 => format!("([] {a})"),
        2 => format!("(<> {a})"),
        3 => format!("([] <> {a})"),
        4 => format!("({a} U {b})"),
        5 => format!("({a} && {b})"),
        6 => format!("({a} || <> [] {b})"),
        _ => format!("([] ({a} -> <> {b}))"),
    }
}

/// `verdicts` compares the algorithms; the runs that they find are replayed by the program.
#[test]
fn all_algorithms_agree_on_random_formulas() {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let models: [(&str, &[&str]); 3] = [
        (include_str!("../../../examples/peterson.pml"), &["wants[0]", "turn == 1", "inside == 1"]),
        (
            include_str!("../../../examples/readers_writers.pml"),
            &["reading > 0", "writing > 0", "reading == 2"],
        ),
        (SERVER, &["request", "reply"]),
    ];
    for (model, atoms) in models {
        for _ in 0..6 {
            let formulas: Vec<String> = (0..6)
                .map(|_| {
                    let size = rng.usize(2..6);
                    formula(&mut rng, atoms, size)
                })
                .collect();
            let arguments: Vec<&str> = formulas.iter().flat_map(|f| ["--ltl", f]).collect();
            let verdicts = verdicts(model, &arguments);
            assert!(verdicts.len() >= formulas.len(), "{formulas:?}: {verdicts:?}");
        }
    }
}

/// Of all runs that violate a property, a shortest one.
#[test]
fn a_shortest_run() {
    let model = "\
byte x;
ltl low { [] (x < 9) }
active proctype p() {
  do
  :: x < 20 -> x++
  :: x == 20 -> x = 0
  :: x == 5 -> x = 30
  :: x == 30 -> skip
  od
}
";
    for algorithm in ["components", "nested", "cndfs", "owcty", "map"] {
        let flags = ["--property", "low", "--shortest", "--algorithm", algorithm];
        let (code, out, _) = run(model, &flags);
        assert_eq!(code, 1);
        // Guards are steps, too: five times two up to 5, two to 30, one that the automaton sees, two round.
        let first = out.lines().next().unwrap_or_default();
        assert!(first.ends_with("after 15 steps"), "{algorithm}: {first}");
    }
}
