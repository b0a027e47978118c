//! `auspex slice`, `auspex check --slice` and `auspex close`.

use std::path::{Path, PathBuf};
use std::process::Command;

fn auspex(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn example(name: &str) -> String {
    std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lf").join(name),
    )
    .unwrap()
}

/// An empty directory with some files.
fn directory(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lf_tools_{name}"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    for (name, text) in files {
        std::fs::write(directory.join(name), text).unwrap();
    }
    directory
}

fn states(json: &str) -> u64 {
    let line = json.lines().find(|line| line.contains("\"states\"")).unwrap();
    line.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[test]
fn the_slice_for_the_product_has_no_sum() {
    let text = example("productsum.lf");
    let line = text.lines().position(|line| line.contains("3628800")).unwrap() + 1;
    let dir = directory("product", &[("productsum.lf", &text)]);
    let (code, out, err) = auspex(&dir, &["slice", "productsum.lf", "--line", &line.to_string()]);
    assert_eq!(code, 0, "{err}");
    assert!(!out.contains("sums") && out.contains("products!value(product)"), "{out}");
    assert!(err.contains("statements"), "{err}");
    assert_eq!(auspex(&dir, &["slice", "productsum.lf", "--line", "1"]).0, 2);
    // It is a program, with fewer states.
    std::fs::write(dir.join("part.lf"), out).unwrap();
    let (whole_code, whole, _) = auspex(&dir, &["check", "productsum.lf", "--format", "json"]);
    let (part_code, part, _) = auspex(&dir, &["check", "part.lf", "--format", "json"]);
    assert_eq!((whole_code, part_code), (0, 0));
    assert!(states(&part) < states(&whole), "{} {}", states(&part), states(&whole));
}

const NOISE: &str = "MODULE m;\nVAR x, y, z: INTEGER;\n\
    PROCESS P;\nBEGIN x := 1; RESCHEDULE; x := 0 END P;\n\
    PROCESS Q;\nBEGIN WHILE y < 5 DO y := y + 1; RESCHEDULE END; z := 10 DIV (y - OFF) END Q;\n\
    PROCESS R;\nBEGIN ASSERT(x < LIMIT) END R;\n\
    PROPERTY Never;\nBEGIN LOOP IF x = 2 THEN ACCEPT END; RESCHEDULE END END Never;\n\
    BEGIN CREATE P, Q, R END m.";

#[test]
fn a_slice_that_holds_is_enough() {
    let text = NOISE.replace("LIMIT", "2").replace("OFF", "4");
    let dir = directory("holds", &[("m.lf", &text)]);
    let (code, whole, _) =
        auspex(&dir, &["check", "m.lf", "--format", "json", "--property", "safety"]);
    assert_eq!(code, 0);
    let arguments = ["check", "m.lf", "--slice", "--format", "json", "--property", "safety"];
    let (code, part, err) = auspex(&dir, &arguments);
    assert_eq!(code, 0, "{err}");
    assert!(states(&part) < states(&whole));
    assert!(part.contains("deadlocks and faults of what is gone were not looked for"), "{part}");
    let (code, out, _) = auspex(&dir, &["check", "m.lf", "--slice", "--ltl", "[] (x < 2)"]);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn a_slice_that_is_violated_decides_nothing() {
    let text = NOISE.replace("LIMIT", "1").replace("OFF", "4");
    let dir = directory("violated", &[("m.lf", &text)]);
    let (code, out, err) = auspex(&dir, &["check", "m.lf", "--slice"]);
    assert_eq!(code, 1, "{out}");
    assert!(err.contains("the whole program is checked"), "{err}");
    // Q cannot be there in the slice; in the program the assertion is never reached.
    let text = "MODULE m;\nTYPE C = [t];\nPORT c: C;\nPROCESS P(c: C);\nVAR x: INTEGER;\n\
        BEGIN c!t; x := 2; ASSERT(x = 1) END P;\nBEGIN NEW(c); CREATE P(c) END m.";
    std::fs::write(dir.join("n.lf"), text).unwrap();
    let (code, out, err) = auspex(&dir, &["check", "n.lf", "--slice", "--allow", "deadlock"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(!dir.join("n.lf.trace.json").exists() && !dir.join("n.trace.json").exists());
}

#[test]
fn formulas_and_properties_have_slices() {
    let text = NOISE.replace("LIMIT", "2").replace("OFF", "4");
    let dir = directory("runs", &[("m.lf", &text)]);
    let (code, out, _) = auspex(&dir, &["slice", "m.lf", "--property", "Never"]);
    assert_eq!(code, 0);
    // It could be divided by 0.
    assert!(out.contains("10 DIV") && out.contains("PROPERTY Never"), "{out}");
    let (code, out, _) = auspex(&dir, &["slice", "m.lf", "--ltl", "[] (x < 2)"]);
    assert_eq!(code, 0);
    assert!(!out.contains("PROPERTY"), "{out}");
    let (code, _, err) = auspex(&dir, &["slice", "m.lf", "--property", "Other"]);
    assert_eq!(code, 2);
    assert!(err.contains("Never"), "{err}");
}

#[test]
fn a_driver_is_closed() {
    let dir = directory("driver", &[("driver.lf", &example("driver.lf"))]);
    let (code, _, err) = auspex(&dir, &["close", "driver.lf", "-o", "env.lf"]);
    assert_eq!(code, 0, "{err}");
    let made = std::fs::read_to_string(dir.join("env.lf")).unwrap();
    assert!(
        made.contains("MODULE driverEnv;") && made.contains("SYSTEM.Interrupt1!INTERRUPT"),
        "{made}"
    );
    assert!(made.contains("(address = 3FDH)"), "{made}");
    // The user is sure of what the device sends: not of this one.
    let (code, out, err) = auspex(&dir, &["check", "driver.lf", "env.lf"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("c = n"), "{out}");
    // With the environment nothing is missing any more.
    let (code, out, err) = auspex(&dir, &["close", "driver.lf", "env.lf"]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(err.contains("closed"), "{err}");
}

#[test]
fn ports_are_closed() {
    let text = "MODULE m;\nTYPE In = [num(INTEGER)]; Out = [sum(INTEGER)];\nPORT in: In; out: Out;\n\
        PROCESS P;\nVAR x, y: INTEGER;\nBEGIN in?num(x); in?num(y); out!sum(x + y); ASSERT(x + y < LIMIT) END P;\n\
        BEGIN CREATE P END m.";
    for (limit, expected) in [("3", 0), ("2", 1)] {
        let dir = directory(&format!("ports{limit}"), &[("m.lf", &text.replace("LIMIT", limit))]);
        let (code, made, _) = auspex(&dir, &["close", "m.lf"]);
        assert_eq!(code, 0);
        std::fs::write(dir.join("env.lf"), &made).unwrap();
        let (code, out, err) = auspex(&dir, &["check", "m.lf", "env.lf"]);
        assert_eq!(code, expected, "{out}{err}{made}");
    }
}

#[test]
fn an_open_program_is_told_what_is_missing() {
    let text = "MODULE m;\nIMPORT SYSTEM;\nPORT c: [go];\nPROCESS P;\n\
        BEGIN c?go; SYSTEM.Interrupt2?INTERRUPT; PORTOUT(300H, 1) END P;\nBEGIN CREATE P END m.";
    let dir = directory("open", &[("m.lf", text)]);
    let (code, _, err) = auspex(&dir, &["check", "m.lf"]);
    assert_eq!(code, 1);
    assert!(err.contains("other end of `m.c`, `SYSTEM.Interrupt2`, PORTIN and PORTOUT"), "{err}");
    let (_, made, _) = auspex(&dir, &["close", "m.lf"]);
    // Nothing is read: no values are needed.
    assert!(!made.contains("AnyINTEGER") && !made.contains("Low"), "{made}");
    std::fs::write(dir.join("env.lf"), &made).unwrap();
    let (code, out, err) = auspex(&dir, &["check", "m.lf", "env.lf"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(!err.contains("other end"), "{err}");
}

#[test]
fn a_slice_says_that_it_is_about_assertions() {
    let text = "MODULE m;\nPORT c: [go];\nBEGIN NEW(c); ASSERT(TRUE); c!go END m.";
    let dir = directory("about", &[("m.lf", text)]);
    assert_eq!(auspex(&dir, &["check", "m.lf", "-q"]).0, 1);
    let (code, out, _) = auspex(&dir, &["check", "m.lf", "--slice", "-q"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("holds: no assertion fails in any of the "), "{out}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let text = "MODULE m;\nIMPORT Out;\nBEGIN Out.Int(1); ASSERT(TRUE) END m.";
    let dir = directory("full", &[("m.lf", text)]);
    for arguments in [["run", "m.lf"], ["slice", "m.lf"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
            .args(arguments)
            .current_dir(&dir)
            .stdout(full)
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains("cannot write"), "{err}");
    }
}
