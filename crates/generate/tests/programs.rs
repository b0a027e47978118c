//! Specifications that become programs: what they print, how they end, and what is refused.
//!
//! The first lines of each `tests/generate/programs/*.pch` say what is expected: `// output: text` (a line that is
//! printed), `// unordered` (several processes print), `// status: 3` (of the exit), `// stderr: part`,
//! `// error: part` (it is refused), `// code: part` (of the generated text; `// no code: part`),
//! `// embedded` (C in the model, which the checker does not read), and `// spin` (real
//! Spin, simulating the same file, prints the same).

mod common;

use common::{Case, generate, output_of, run};
use std::path::{Path, PathBuf};
use std::process::Command;

fn cases() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/generate/programs");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pch"))
        .collect();
    cases.sort();
    cases
}

#[test]
fn programs_do_what_their_headers_say() {
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() >= 30, "{} specifications", cases.len());
    // Most of the time goes into compiling.
    let (even, odd): (Vec<_>, Vec<_>) = cases.chunks(2).map(|two| (&two[0], two.get(1))).unzip();
    let check_all = |paths: Vec<&PathBuf>| -> Vec<String> {
        let message =
            |path: &&PathBuf| check(path).err().map(|m| format!("{}: {m}", path.display()));
        paths.iter().filter_map(message).collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| check_all(odd.into_iter().flatten().collect()));
        wrong.extend(check_all(even));
        wrong.extend(other.join().unwrap());
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn check(path: &Path) -> Result<(), String> {
    let case = Case::read(path);
    let files = match (generate(path, !case.embedded), case.errors.as_slice()) {
        (Err(errors), []) => return Err(format!("refused: {errors}")),
        (Err(errors), wanted) => {
            let missing = wanted.iter().find(|part| !errors.contains(part.as_str()));
            return missing.map_or(Ok(()), |part| Err(format!("no `{part}` in {errors}")));
        }
        (Ok(_), [wanted, ..]) => return Err(format!("not refused: {wanted}")),
        (Ok(files), []) => files,
    };
    let text: String = files
        .iter()
        .filter(|file| file.path.parent().is_none_or(|p| p.as_os_str().is_empty()))
        .map(|file| file.contents.as_str())
        .collect();
    if let Some(part) = case.code.iter().find(|part| !text.contains(part.as_str())) {
        return Err(format!("`{part}` is not generated:\n{text}"));
    }
    if let Some(part) = case.no_code.iter().find(|part| text.contains(part.as_str())) {
        return Err(format!("`{part}` is generated:\n{text}"));
    }
    let result = run(path, &files)?;
    if result.output != case.output_sorted(&result.output) {
        return Err(format!("printed\n{}\nnot\n{}", result.output, case.output.join("\n")));
    }
    if result.status != case.status {
        return Err(format!("status {}: {}", result.status, result.errors));
    }
    if let Some(part) = case.stderr.iter().find(|part| !result.errors.contains(part.as_str())) {
        return Err(format!("no `{part}` in {}", result.errors));
    }
    if case.stderr.is_empty() && !result.errors.is_empty() {
        return Err(format!("on standard error: {}", result.errors));
    }
    if case.spin { agrees_with_spin(path, &case) } else { Ok(()) }
}

/// Simulates the same file; the processes of these have no choice.
fn agrees_with_spin(path: &Path, case: &Case) -> Result<(), String> {
    let Some(text) = common::simulate(path) else { return Ok(()) };
    let mut printed: Vec<&str> = text
        .lines()
        .filter(|line| !line.ends_with(" created") && !line.starts_with("spin:"))
        .map(str::trim_end)
        .collect();
    let mut wanted: Vec<&str> = case.output.iter().map(String::as_str).collect();
    if case.unordered {
        printed.sort_unstable();
        wanted.sort_unstable();
    }
    match printed == wanted {
        true => Ok(()),
        false => Err(format!("spin prints\n{}", printed.join("\n"))),
    }
}

/// What the user does: `make`, then `./init`.
#[test]
fn the_makefile_builds_all_programs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/generate/programs/active_processes.pch");
    let files = generate(&path, true).unwrap();
    let directory = common::directory("makefile");
    common::write(&directory, &files);
    let mut make = Command::new("make");
    let built =
        output_of(make.current_dir(&directory).args(["-s", "CFLAGS=-Wall -Wextra -Werror"]));
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(built.stdout.is_empty() && built.stderr.is_empty());
    let printed = output_of(&mut Command::new(directory.join("init")));
    assert_eq!(String::from_utf8_lossy(&printed.stdout).lines().count(), 5);
    let cleaned = output_of(Command::new("make").current_dir(&directory).args(["-s", "clean"]));
    assert!(cleaned.status.success() && !directory.join("init").exists());
}

/// Models that nobody wrote for this: those that need no channels become programs that compile without a warning.
#[test]
fn plain_models_compile_or_are_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/promela");
    let mut paths = Vec::new();
    for group in std::fs::read_dir(root).unwrap() {
        let group = group.unwrap().path();
        if group.is_dir() {
            paths.extend(std::fs::read_dir(group).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    paths.retain(|path| path.extension().is_some_and(|e| e == "pml"));
    paths.sort();
    let mut compiled = 0;
    for path in paths {
        let Ok(files) = generate(&path, true) else { continue };
        compiled += 1;
        let directory = common::directory(&format!("plain_{compiled}"));
        common::write(&directory, &files);
        let is_program = |file: &&auspex_generate::File| {
            file.path.extension().is_some_and(|e| e == "c") && !file.path.starts_with("library")
        };
        let sources = files.iter().filter(is_program).map(|file| file.path.clone());
        let mut gcc = Command::new("gcc");
        gcc.current_dir(&directory).args(["-std=c11", "-fwrapv", "-Wall", "-Wextra", "-Werror"]);
        let result = output_of(gcc.args(["-fsyntax-only", "-Ilibrary"]).args(sources));
        let errors = String::from_utf8_lossy(&result.stderr);
        assert!(result.status.success(), "{}: {errors}", path.display());
        let _ = std::fs::remove_dir_all(&directory);
    }
    assert!(compiled > 80, "only {compiled}");
}
