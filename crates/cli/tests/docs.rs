//! Runs every command that README and docs show, and compares what it prints.
//!
//! In a block marked `console`, a line `$ ./auspex ...` is a command and the lines behind it are its output:
//! `...` stands for any number of lines, `[..]` for anything within a line.

use std::path::{Path, PathBuf};
use std::process::Command;

struct Example {
    place: String,
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).expect("docs");
    let mut files: Vec<PathBuf> = docs.map(|entry| entry.expect("entry").path()).collect();
    files.push(root().join("README.md"));
    files.push(root().join("CONTRIBUTING.md"));
    files.retain(|path| path.extension().is_some_and(|e| e == "md"));
    files.sort();
    files
}

fn examples(path: &Path) -> Vec<Example> {
    let text = std::fs::read_to_string(path).expect("a text file");
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => inside = line == "```console",
            Some(command) if inside => examples.push(Example {
                place: format!("{}:{}", path.display(), number + 1),
                command: command.to_string(),
                output: Vec::new(),
            }),
            _ if inside => {
                let last = examples.last_mut().expect("a block begins with a command");
                last.output.push(line.to_string());
            }
            _ => {}
        }
    }
    examples
}

/// Runs a command with the examples beside it, in a directory that may be written to.
fn run(example: &Example) -> String {
    let scratch = tempfile::tempdir().expect("a directory");
    for shared in ["examples", "bench"] {
        let _ = std::os::unix::fs::symlink(
            root().canonicalize().expect("root").join(shared),
            scratch.path().join(shared),
        );
    }
    let words: Vec<&str> = example.command.split_whitespace().collect();
    assert_eq!(words[0], "./auspex", "{}: only ./auspex is run", example.place);
    let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .args(&words[1..])
        .current_dir(scratch.path())
        .output()
        .expect("the command runs");
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1 | 3)), "{}: exit code {code:?}", example.place);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let mut rest = line.trim_end();
    let pattern = pattern.trim_end();
    let mut pieces = pattern.split("[..]");
    let Some(first) = pieces.next() else { return rest.is_empty() };
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.is_empty() || pattern.ends_with("[..]")
}

fn output_matches(expected: &[String], lines: &[&str]) -> bool {
    match (expected.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((dots, rest)), _) if dots == "..." => {
            (0..=lines.len()).any(|skip| output_matches(rest, &lines[skip..]))
        }
        (Some((pattern, expected)), Some((line, lines))) => {
            line_matches(pattern, line) && output_matches(expected, lines)
        }
        _ => false,
    }
}

#[test]
fn every_command_in_the_documents_prints_what_they_say() {
    let examples: Vec<Example> = documents().iter().flat_map(|path| examples(path)).collect();
    assert!(examples.len() >= 5, "the documents show commands");
    for example in examples {
        let printed = run(&example);
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            output_matches(&example.output, &lines),
            "{}: `{}` printed\n{printed}",
            example.place,
            example.command
        );
    }
}
