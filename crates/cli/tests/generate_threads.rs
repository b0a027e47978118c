//! `auspex generate --threads --check`: the generated program on every schedule.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn generate(dir: &TempDir, model: &Path, flags: &[&str]) -> Output {
    let model = std::path::absolute(model).expect("a path");
    let mut command = Command::new(env!("CARGO_BIN_EXE_auspex"));
    command.arg("generate").arg(model).args(["--threads", "-o", "out"]).args(flags);
    command.current_dir(dir.path()).output().expect("auspex runs")
}

fn construct(name: &str) -> PathBuf {
    root().join("tests/generate/threads").join(name).with_extension("pml")
}

fn check(model: &Path) -> (Option<i32>, Value) {
    let dir = TempDir::new().expect("a directory");
    let done = generate(&dir, model, &["--check", "--quiet", "--format", "json"]);
    let json = serde_json::from_slice(&done.stdout).unwrap_or_else(|_| {
        panic!("{}: {}", model.display(), String::from_utf8_lossy(&done.stderr))
    });
    (done.status.code(), json)
}

fn models(directory: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(directory)).expect("the models");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    found.sort();
    found
}

/// Checks all models; `expected` says of each whether it holds.
fn check_all(models: &[PathBuf], expected: impl Fn(&Path) -> bool) {
    for model in models {
        let (code, json) = check(model);
        let (code_of, verdict) = if expected(model) { (0, "holds") } else { (1, "violated") };
        assert_eq!(code, Some(code_of), "{}: {json:#}", model.display());
        assert_eq!(json["results"][0]["property"], "program");
        assert_eq!(json["results"][0]["verdict"], verdict, "{}", model.display());
    }
}

#[test]
fn a_model_that_holds_gives_a_program_that_holds() {
    let is_wrong = |path: &Path| path.to_string_lossy().contains("/wrong-");
    check_all(&models("tests/generate/threads"), |path| !is_wrong(path));
}

/// Each says in its first line what is expected.
fn holds(example: &Path) -> bool {
    let text = std::fs::read_to_string(example).expect("an example");
    text.lines().next().is_some_and(|line| line.contains("expect: holds"))
}

/// The largest take several seconds each: they are in the table of docs/generate-threads.md.
const LARGE: [&str; 3] = ["bakery.pml", "bounded_buffer.pml", "cache.pml"];

#[test]
fn an_example_that_holds_gives_a_program_that_holds() {
    let mut examples = models("examples");
    examples.retain(|path| !LARGE.iter().any(|name| path.ends_with(name)));
    assert!(examples.len() >= 18);
    check_all(&examples, holds);
}

/// The program has no more states than its model, or few: nothing that does not matter tells them apart.
#[test]
fn a_program_has_about_as_many_states_as_its_model() {
    for (name, of_model) in [("philosophers_ok", 6784), ("readers_writers", 299), ("leader", 750)] {
        let (_, json) = check(&root().join("examples").join(name).with_extension("pml"));
        let states = json["results"][0]["states"].as_u64().expect("a number");
        assert!(states <= of_model * 11 / 10, "{name}: {states}");
    }
}

#[test]
fn what_is_wrong_with_a_model_is_wrong_with_its_program() {
    for (name, kind, message) in [
        ("wrong-assertion", "assertion", "assert(x == 2)"),
        ("wrong-deadlock", "deadlock", "q[1] waits at wrong-deadlock.pml:12: atomic"),
        ("wrong-division", "division", "wrong-division.pml:2: division by zero"),
        ("wrong-index", "bounds", "wrong-index.pml:2: index 3 is out of range"),
        ("wrong-channel", "misuse", "wrong-channel.pml:3: none!1: use of an uninitialised channel"),
        ("wrong-d-step", "misuse", "wrong-d-step.pml:2: x == 2: blocks inside a d_step"),
    ] {
        let (code, json) = check(&construct(name));
        assert_eq!(code, Some(1), "{name}: {json:#}");
        let fault = &json["results"][0]["fault"];
        assert_eq!(fault["kind"], kind, "{name}");
        let said = fault["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{name}: {said}");
    }
}

#[test]
fn limits_make_it_unknown() {
    let dir = TempDir::new().expect("a directory");
    let flags = ["--check", "--quiet", "--", "--max-states", "50"];
    let done = generate(&dir, &construct("rendezvous-else"), &flags);
    assert_eq!(done.status.code(), Some(3), "{}", String::from_utf8_lossy(&done.stdout));
}

#[test]
fn every_access_as_a_step_gives_the_same_verdict_and_no_races() {
    for (name, code) in [("rendezvous-atomic", 0), ("timeout-order", 0), ("wrong-assertion", 1)] {
        let dir = TempDir::new().expect("a directory");
        let flags = ["--check", "--quiet", "--", "-D", "AX_EVERY_ACCESS", "--check", "race"];
        let done = generate(&dir, &construct(name), &flags);
        assert_eq!(done.status.code(), Some(code), "{}", String::from_utf8_lossy(&done.stdout));
    }
}

#[test]
fn what_only_a_model_can_say_is_refused() {
    let dir = TempDir::new().expect("a directory");
    let model = dir.path().join("enabled.pml");
    let text = "active proctype a() { enabled(1) } active proctype b() { skip }";
    std::fs::write(&model, text).expect("a model");
    let done = generate(&dir, &model, &[]);
    assert_eq!(done.status.code(), Some(2));
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(message.contains("`enabled` is known in the model only"), "{message}");
}

#[test]
fn a_condition_on_what_c_code_of_a_process_declares_is_refused() {
    let dir = TempDir::new().expect("a directory");
    let model = dir.path().join("hidden.pch");
    let text = "active proctype a() { c_decl_IS { int fd; } c_code_IS { fd = 1; } \
                if :: c_expr_IS { fd == 1 } -> skip :: c_expr_IS { fd == 2 } -> skip fi }";
    std::fs::write(&model, text).expect("a model");
    let done = generate(&dir, &model, &[]);
    assert_eq!(done.status.code(), Some(2), "{}", String::from_utf8_lossy(&done.stdout));
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(message.contains("declare it outside of the process"), "{message}");
}

#[test]
fn files_with_odd_names_give_programs_that_make_builds() {
    let names = [
        ("a b.pml", "a_b"),
        ("we\"ird$x.pml", "we_ird_x"),
        ("-x.pml", "_-x"),
        ("Makefile.pml", "Makefile_"),
        ("library.pml", "library_"),
        ("clean.pml", "clean_"),
        ("auspex_threads.pml", "auspex_threads"),
        ("turns.pml", "turns"),
    ];
    for (file, name) in names {
        let dir = TempDir::new().expect("a directory");
        let model = dir.path().join(file);
        std::fs::write(&model, "active proctype P() { printf(\"hi\\n\") }").expect("a model");
        let done = generate(&dir, &model, &[]);
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        let mut make = Command::new("make");
        make.args(["-C", "out", "CFLAGS=-O0"]).current_dir(dir.path());
        let made = make.output().expect("make");
        assert!(made.status.success(), "{file}: {}", String::from_utf8_lossy(&made.stderr));
        let ran = Command::new(dir.path().join("out").join(name)).output().expect("the program");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "hi\n", "{file}");
    }
}

#[test]
fn the_makefile_builds_a_program_that_runs() {
    let dir = TempDir::new().expect("a directory");
    let done = generate(&dir, &construct("end-states"), &[]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let mut make = Command::new("make");
    make.args(["-C", "out", "CFLAGS=-O1 -Wall -Wextra -Werror"]).current_dir(dir.path());
    let made = make.output().expect("make");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let ran = Command::new(dir.path().join("out/end-states")).output().expect("the program");
    assert_eq!(ran.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&ran.stdout).contains("two\n"));
}
