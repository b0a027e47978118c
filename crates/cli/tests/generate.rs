//! `auspex generate`: the clean model is the model, for Auspex and for Spin; and what the command does with files.

use auspex_modelgen::auspex::{self, Answer};
use auspex_modelgen::header::{self, Expect};
use auspex_modelgen::judge::{self, Limits};
use auspex_modelgen::{corpus, judge::Verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(120);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(arguments: &[&str], dir: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_auspex"));
    command.args(arguments).current_dir(dir).output().expect("auspex runs")
}

fn check(file: &Path) -> Answer {
    auspex::check(Path::new(env!("CARGO_BIN_EXE_auspex")), file, &[], LIMIT)
}

/// Generates the clean model of `file`; the directory, and the file in it.
fn clean(file: &Path, flags: &[&str]) -> Result<(TempDir, PathBuf), String> {
    let dir = TempDir::new().map_err(|why| why.to_string())?;
    let path = std::path::absolute(file).map_err(|why| why.to_string())?;
    let mut arguments = vec!["generate", path.to_str().unwrap_or_default(), "--model", "-o", "out"];
    arguments.extend(flags);
    let done = command(&arguments, dir.path());
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned());
    }
    let name = file.with_extension("prom");
    let prom = dir.path().join("out").join(name.file_name().unwrap_or_default());
    Ok((dir, prom))
}

fn specifications() -> Vec<PathBuf> {
    corpus::files(&root().join("tests/generate/front"), "pch")
}

fn all(files: &[PathBuf], work: impl Fn(&Path) -> Result<(), String> + Sync) {
    let failures = corpus::for_all(files, 2, |file: &PathBuf| work(file));
    for (index, why) in &failures {
        eprintln!("{}: {why}", files[*index].display());
    }
    assert!(failures.is_empty(), "{} of {} are wrong", failures.len(), files.len());
}

fn expect_same(what: &str, expected: &Answer, found: &Answer) -> Result<(), String> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("{what}: {found:?}, but the specification: {expected:?}")),
    }
}

/// The answer is what the header says.
fn expect_header(expect: &Expect, answer: &Answer) -> Result<(), String> {
    let agree = match (expect, answer) {
        (Expect::Holds(expected), Answer::Holds { states, .. }) => *expected == Some(*states),
        (Expect::Violated { kind, line }, Answer::Violated { kind: ours, line: at }) => {
            kind == ours && (line.is_none() || line == at)
        }
        _ => false,
    };
    agree.then_some(()).ok_or(format!("{answer:?}, but the header says {expect:?}"))
}

#[test]
fn the_clean_model_is_the_model() {
    let files = specifications();
    assert!(files.len() >= 25);
    all(&files, |file| {
        let (_, header) = corpus::read(file)?;
        let answer = check(file);
        expect_header(&header.expect, &answer)?;
        for flags in [&[][..], &["--keep-comments"], &["--tidy"]] {
            let (_dir, prom) = clean(file, flags)?;
            let found = check(&prom);
            let text = std::fs::read_to_string(&prom).map_err(|why| why.to_string())?;
            match (&answer, &found) {
                // Included text takes lines of its own, and only Spin obeys the marks.
                (Answer::Violated { kind, .. }, Answer::Violated { kind: ours, .. })
                    if text.contains("\n# ") && kind == ours => {}
                _ => expect_same(&format!("clean {flags:?}"), &answer, &found)?,
            }
            if flags == ["--tidy"] {
                let text = std::fs::read_to_string(prom.with_extension("tidy.prom"));
                let text = text.map_err(|why| why.to_string())?;
                if text.contains("\n\n\n") || text.starts_with('\n') {
                    return Err(format!("not tidy:\n{text}"));
                }
                let tidy = check(&prom.with_extension("tidy.prom"));
                let same = match (&answer, &tidy) {
                    (Answer::Violated { kind, .. }, Answer::Violated { kind: ours, .. }) => {
                        kind == ours
                    }
                    (a, b) => a == b,
                };
                same.then_some(()).ok_or(format!("tidy: {tidy:?}, not {answer:?}"))?;
            }
        }
        Ok(())
    });
}

#[test]
fn spin_agrees_about_the_clean_models() {
    if let Err(why) = judge::available() {
        panic!("this test compares with real Spin: {why}");
    }
    all(&specifications(), |file| {
        let (text, header) = corpus::read(file)?;
        let flags: &[&str] = if text.len() % 2 == 0 { &[] } else { &["--keep-comments"] };
        let (_dir, prom) = clean(file, flags)?;
        let verdict = judge::judge(&prom, Limits::default()).map_err(|why| why.to_string())?;
        if std::env::var_os("AUSPEX_FILL").is_some() {
            let filled = header::fill(&text, &verdict);
            std::fs::write(file, filled).map_err(|why| why.to_string())?;
            return Ok(());
        }
        header::disagreement(&header.expect, &verdict).map_or(Ok(()), Err)
    });
}

#[test]
fn a_plain_model_stays_what_it_is() {
    let mut files = corpus::models(&root().join("tests/promela"));
    // Refused as a model: nothing to compare.
    files.retain(|file| !file.to_string_lossy().contains("/errors/"));
    all(&files, |file| {
        let answer = check(file);
        if !matches!(answer, Answer::Holds { .. } | Answer::Violated { .. }) {
            return Ok(());
        }
        let (_dir, prom) = clean(file, &[])?;
        expect_same("clean", &answer, &check(&prom))
    });
}

#[test]
fn embedded_c_is_kept_for_spin() {
    let dir = TempDir::new().expect("a directory");
    let text = "c_decl { \\#include <stdlib.h>\n}\nc_state \"int n\" \"Global\" \"0\"\n\
                #define STEP now.n = (now.n + 1) % 3\n\
                byte x;\nactive proctype P() {\n  do\n  :: c_expr { now.n < 2 } -> c_code { STEP; };\n\
                     x++; c_code_IS { gone(); }\n  :: else -> break\n  od;\n  assert(x == 2)\n}\n";
    let file = dir.path().join("spec.pch");
    std::fs::write(&file, text).expect("writable");
    let refused = command(&["check", "spec.pch"], dir.path());
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        message.contains("embedded C (`c_decl`)") && message.contains("`c_decl_IS`"),
        "{message}"
    );
    let (_out, prom) = clean(&file, &[]).expect("is generated");
    match judge::judge(&prom, Limits::default()) {
        Ok(Verdict::Holds { .. }) => {}
        other => panic!("{other:?}\n{}", std::fs::read_to_string(&prom).unwrap_or_default()),
    }
}

#[test]
fn files_of_others_are_not_overwritten() {
    let dir = TempDir::new().expect("a directory");
    let write = |name: &str, text: &str| {
        std::fs::write(dir.path().join(name), text).expect("writable");
    };
    write("spec.pch", "active proctype P() { skip; c_code_IS { x } }\n");
    let good = command(&["generate", "spec.pch"], dir.path());
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    assert!(command(&["generate", "spec.pch"], dir.path()).status.success(), "again");
    write("spec.prom", "mine");
    let refused = command(&["generate", "spec.pch"], dir.path());
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("spec.prom") && message.contains("--force"), "{message}");
    let kept = std::fs::read_to_string(dir.path().join("spec.prom")).expect("is there");
    assert_eq!(kept, "mine");
    assert!(command(&["generate", "spec.pch", "--force"], dir.path()).status.success());
    write("other.txt", "x");
    assert_eq!(command(&["generate", "other.txt"], dir.path()).status.code(), Some(2));
}

/// A channel without an implementation is a warning: there is a clean model, and a program that says where it cannot go on.
#[test]
fn what_only_the_model_can_do_is_a_warning() {
    let dir = TempDir::new().expect("a directory");
    let text = "chan q = [1] of { byte };\n\
        active proctype P() { byte x; printf(\"begin\\n\"); q!1; q?x; printf(\"end\\n\") }\n\
        active proctype Q() { if :: timeout -> skip :: len(q) > 7 -> skip :: else -> skip fi }\n";
    std::fs::write(dir.path().join("spec.pml"), text).expect("writable");
    let done = command(&["generate", "spec.pml"], dir.path());
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{message}");
    for what in ["a send", "a receive", "a question to a channel", "`timeout`"] {
        assert!(message.contains(&format!("{what} means nothing to the program")), "{message}");
    }
    assert!(dir.path().join("spec.prom").exists());
    let made = Command::new("make").current_dir(dir.path()).output().expect("make");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut init = Command::new("./init");
    let run = init.env("GENERATE_BLOCKED", "exit").current_dir(dir.path()).output().expect("runs");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "begin\n");
    assert!(String::from_utf8_lossy(&run.stderr).contains("spec.pml:2"), "it says where");
}

#[test]
fn strict_makes_errors_of_warnings() {
    let dir = TempDir::new().expect("a directory");
    let file = dir.path().join("spec.pch");
    std::fs::write(&file, "byte x;\nactive proctype P() { x = 1; x == 2 }\n").expect("writable");
    let lax = command(&["generate", "spec.pch"], dir.path());
    let message = String::from_utf8_lossy(&lax.stderr).into_owned();
    assert!(lax.status.success() && message.contains("warning"), "{message}");
    let strict = command(&["generate", "spec.pch", "--strict", "-o", "strict"], dir.path());
    assert_eq!(strict.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&strict.stderr).contains("error"));
    assert!(!dir.path().join("strict").exists());
}

#[test]
fn a_wrong_call_writes_nothing() {
    let dir = TempDir::new().expect("a directory");
    std::fs::write(dir.path().join("m.pml"), "init { skip }\n").expect("writable");
    for wrong in [&["--lang", "rust", "--check"][..], &["--check", "--", "--nonsense"][..]] {
        let mut arguments = vec!["generate", "m.pml", "--threads", "-o", "out"];
        arguments.extend(wrong);
        let refused = command(&arguments, dir.path());
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}");
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(errors.matches("error:").count() == 1, "{errors}");
        assert!(!dir.path().join("out").exists(), "{wrong:?}");
    }
}
