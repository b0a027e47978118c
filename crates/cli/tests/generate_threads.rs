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

#[test]
fn a_model_that_holds_gives_a_program_that_holds() {
    let models = [
        "rendezvous-atomic",
        "rendezvous-else",
        "rendezvous-at-once",
        "rendezvous-late",
        "rendezvous-moving-match",
        "rendezvous-three",
        "timeout-order",
        "atomic-blocks",
        "death-order",
        "end-states",
        "sorted-random",
        "records",
        "inlines",
        "cutting",
        "d-steps",
        "unless-nested",
    ];
    for name in models {
        let (code, json) = check(&construct(name));
        assert_eq!(code, Some(0), "{name}: {json:#}");
        assert_eq!(json["results"][0]["property"], "program");
        assert_eq!(json["results"][0]["verdict"], "holds", "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_model_is_wrong_with_its_program() {
    for (name, message) in [
        ("wrong-assertion", "assert(x == 2)"),
        ("wrong-deadlock", "deadlock"),
        ("wrong-division", "abort"),
        ("wrong-index", "abort"),
    ] {
        let (code, json) = check(&construct(name));
        assert_eq!(code, Some(1), "{name}: {json:#}");
        let fault = json["results"][0]["fault"]["message"].as_str().unwrap_or_default();
        assert!(fault.contains(message), "{name}: {fault}");
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
    let model = dir.path().join("priority.pml");
    let text = "active proctype a() priority 5 { skip } active proctype b() { skip }";
    std::fs::write(&model, text).expect("a model");
    let done = generate(&dir, &model, &[]);
    assert_eq!(done.status.code(), Some(2));
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(message.contains("priorities are not supported for threads"), "{message}");
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
