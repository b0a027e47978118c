//! A naive LF kernel, written in another language, judges verdicts, faults, texts and runs of random programs.

use std::path::Path;
use std::process::Command;

#[test]
fn the_judge_agrees() {
    let judge = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/lf-judge/judge.py");
    if Command::new("python3").arg("--version").output().is_err() {
        println!("there is no python3: nobody was asked");
        return;
    }
    let asked = Command::new("python3")
        .arg(judge)
        .arg(env!("CARGO_BIN_EXE_auspex"))
        .args(["--first", "1", "--count", "80"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(asked.status.success(), "{}{}", text(&asked.stdout), text(&asked.stderr));
}
