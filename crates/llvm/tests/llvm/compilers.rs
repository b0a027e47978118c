//! The compilers on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Every clang that is installed, from version 15 to 22: `clang-15`, …, or else `clang`.
pub fn clangs() -> Vec<String> {
    let mut found: Vec<String> =
        (15..=22).map(|version| format!("clang-{version}")).filter(|name| runs(name)).collect();
    if found.is_empty() && runs("clang") {
        found.push("clang".to_owned());
    }
    assert!(!found.is_empty(), "these tests need a clang (apt-get install clang)");
    found
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/llvm/sources")
}

/// The text a compiler writes; `None` where this machine lacks what it takes (the headers of
/// another architecture, a C++ library).
pub fn compile(compiler: &str, arguments: &[&str], source: &str) -> Option<String> {
    let mut command = Command::new(compiler);
    command.args(arguments).arg(sources().join(source));
    match compiler.starts_with("rustc") {
        true => command.args(["--emit=llvm-ir", "-Awarnings", "-o", "-"]),
        false => command.args(["-S", "-emit-llvm", "-w", "-o", "-"]),
    };
    let output = command.output().unwrap_or_else(|error| panic!("{compiler}: {error}"));
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            ["file not found", "not supported", "unable to create target"]
                .iter()
                .any(|reason| message.contains(reason)),
            "{compiler} {arguments:?} {source}: {message}"
        );
        return None;
    }
    Some(String::from_utf8(output.stdout).expect("compilers write UTF-8"))
}
