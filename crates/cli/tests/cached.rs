//! `--cache`: the same verdicts with less memory for states, and what does not go with it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn auspex(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_auspex"));
    command.current_dir(directory).arg("check").args(arguments).output().unwrap()
}

/// The exit code and the results.
fn results(file: &str, arguments: &[&str]) -> (i32, Value) {
    let directory = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let (example, json) = (example.to_string_lossy(), ["--format", "json"]);
    let output = auspex(directory.path(), &[&[&*example], &json[..], arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code().unwrap_or(-1), report["results"].clone())
}

/// With a quarter of the memory that all states would take, or less.
#[test]
fn examples_hold() {
    // States of up to 40 bytes take 64.
    for (file, states, size) in [("bakery.pml", 80_642, "1260K"), ("sieve.pml", 6_018, "80K")] {
        let (code, results) = results(file, &["--property", "safety", "--cache", size]);
        let result = &results[0];
        assert_eq!((code, &result["verdict"]), (0, &"holds".into()), "{file}");
        assert_eq!((&result["complete"], &result["workers"]), (&true.into(), &1.into()));
        assert!(result["states"].as_u64() >= Some(states), "{file}");
        let cache = ["states", "replaced"].map(|field| result["cache"][field].as_u64());
        assert!(cache[0] <= Some(states / 4) && cache[1] >= Some(states / 2), "{file}: {cache:?}");
        assert_eq!(result["reduction"]["on"], false);
        assert!(result["unreached"].is_array());
    }
}

#[test]
fn examples_are_violated() {
    for file in ["abp_broken.pml", "bounded_buffer_broken.pml", "cache_broken.pml"] {
        let (expected, plain) = results(file, &["--no-reduction", "--property", "safety"]);
        let (code, found) = results(file, &["--cache", "2M", "--property", "safety"]);
        assert_eq!(code, expected, "{file}");
        assert_eq!(found[0]["fault"]["kind"], plain[0]["fault"]["kind"], "{file}");
        assert_eq!(plain[0]["cache"], Value::Null);
    }
}

#[test]
fn infinite_runs() {
    let verdicts =
        ["[] <> (inside == 1)", "<> [] (inside == 0)", "[] (inside < 2)"].map(|formula| {
            let search = |more: &[&str]| {
                let arguments = ["--property", "ltl", "--ltl", formula];
                results("peterson.pml", &[&arguments, more].concat()).1[0].clone()
            };
            let (plain, cached) = (search(&[]), search(&["--cache", "64K"]));
            assert_eq!(cached["verdict"], plain["verdict"], "{formula}");
            assert!(cached["cache"]["states"].as_u64() > Some(0));
            assert_eq!(cached["trace"]["cycle"].is_array(), cached["verdict"] == "violated");
            cached["verdict"].clone()
        });
    assert_eq!(verdicts, ["holds", "violated", "holds"]);
}

#[test]
fn a_full_cache_is_no_verdict() {
    let (code, results) = results("cache.pml", &["--property", "safety", "--cache", "64K"]);
    let verdict = (&results[0]["verdict"], &results[0]["reason"]);
    assert_eq!((code, verdict), (3, (&"unknown".into(), &"memory".into())));
}

#[test]
fn for_people() {
    let directory = tempfile::tempdir().unwrap();
    let text = "byte x;\nactive proctype p() { x = 1; assert(x == 1) }\n";
    std::fs::write(directory.path().join("m.pml"), text).unwrap();
    let output = auspex(directory.path(), &["m.pml", "--cache", "1M"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("cache: 4 states, replaced 0 times"), "{text}");
}

#[test]
fn what_does_not_go_with_it() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("m.pml"), "active proctype p() { skip }\n").unwrap();
    let wrong: [(&[&str], &str); 10] = [
        (&["--cache", "1K"], "--cache needs 64K at least"),
        (&["--cache", "1M", "--fair"], "--fair does not go with --cache"),
        (&["--cache", "1M", "--workers", "2"], "one worker"),
        (&["--cache", "1M", "--order", "breadth"], "depth-first"),
        (&["--cache", "1M", "--shortest"], "cannot be used with"),
        (&["--cache", "1M", "--store", "compact"], "cannot be used with"),
        (&["--cache", "1M", "--store", "exact"], "cannot be used with"),
        (&["--cache", "1M", "--no-links"], "cannot be used with"),
        (&["--cache", "1M", "--algorithm", "nested"], "cannot be used with"),
        (&["--cache", "lots"], "no unit of memory"),
    ];
    for (arguments, message) in wrong {
        let output = auspex(directory.path(), &[&["m.pml"], arguments].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
    let right = auspex(directory.path(), &["m.pml", "--cache", "1M", "--workers", "1"]);
    assert_eq!(right.status.code(), Some(0));
}
