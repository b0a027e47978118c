//! Runs every command that README and docs show, and compares what it prints.
//!
//! In a block marked `console`, a line `$ ./auspex ...` is a command for the shell and the lines behind it
//! are its output: `...` stands for any number of lines, `[..]` for anything within a line.
//!
//! A block marked `c`, `promela` or `lf` begins with the name of a file in a comment, `/* NAME */` or `(* NAME *)`. Where the repository has
//! that file, the block is a part of it; otherwise it is the file, for all commands of the document.

use std::path::{Path, PathBuf};
use std::process::Command;

struct Example {
    place: String,
    command: String,
    output: Vec<String>,
}

/// A piece of C.
struct Listing {
    place: String,
    file: String,
    lines: Vec<String>,
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

/// The blocks of a kind: the number of the line before each, and its lines.
fn blocks(path: &Path, kind: &str) -> Vec<(usize, Vec<String>)> {
    let text = std::fs::read_to_string(path).expect("a text file");
    let mut blocks: Vec<(usize, Vec<String>)> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(mark) => {
                inside = mark == kind;
                if inside {
                    blocks.push((index + 1, Vec::new()));
                }
            }
            None if inside => {
                let (_, lines) = blocks.last_mut().expect("a block has begun");
                lines.push(line.to_string());
            }
            None => {}
        }
    }
    blocks
}

fn examples(path: &Path) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for (before, lines) in blocks(path, "console") {
        for (index, line) in lines.into_iter().enumerate() {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example {
                    place: format!("{}:{}", path.display(), before + index + 1),
                    command: command.to_string(),
                    output: Vec::new(),
                }),
                None => {
                    assert!(index > 0, "{}:{before}: a command comes first", path.display());
                    let last = examples.last_mut().expect("a block begins with a command");
                    last.output.push(line);
                }
            }
        }
    }
    examples
}

fn listings(path: &Path) -> Vec<Listing> {
    let listing = |(before, mut lines): (usize, Vec<String>)| {
        let place = format!("{}:{before}", path.display());
        let first = if lines.is_empty() { String::new() } else { lines.remove(0) };
        let comment = |open, close| first.strip_prefix(open)?.strip_suffix(close);
        let file = comment("/* ", " */").or(comment("(* ", " *)"));
        let file =
            file.unwrap_or_else(|| panic!("{place}: it begins with `/* FILE */`")).to_string();
        Listing { place, file, lines }
    };
    ["c", "promela", "lf"].iter().flat_map(|kind| blocks(path, kind)).map(listing).collect()
}

/// Runs a command with the examples beside it, in a directory that may be written to.
fn run(example: &Example, listings: &[Listing]) -> String {
    let scratch = tempfile::tempdir().expect("a directory");
    let root = root().canonicalize().expect("root");
    let link = |from: &Path, name: &str| {
        std::os::unix::fs::symlink(from, scratch.path().join(name)).expect("a link");
    };
    ["examples", "bench", "tests"].iter().for_each(|shared| link(&root.join(shared), shared));
    link(Path::new(env!("CARGO_BIN_EXE_auspex")), "auspex");
    for listing in listings.iter().filter(|listing| !root.join(&listing.file).exists()) {
        std::fs::write(scratch.path().join(&listing.file), listing.lines.join("\n") + "\n")
            .expect("a file");
    }
    assert!(example.command.contains("./auspex "), "{}: only ./auspex is run", example.place);
    let output = Command::new("sh")
        .args(["-c", &example.command])
        .current_dir(scratch.path())
        .output()
        .expect("the command runs");
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1 | 3)),
        "{}: exit code {code:?}: {}",
        example.place,
        String::from_utf8_lossy(&output.stderr)
    );
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
    let mut count = 0;
    let mut wrong = Vec::new();
    for document in documents() {
        let listings = listings(&document);
        for example in examples(&document) {
            count += 1;
            let printed = run(&example, &listings);
            let lines: Vec<&str> = printed.lines().collect();
            if !output_matches(&example.output, &lines) {
                wrong.push(format!("{}: `{}` printed\n{printed}", example.place, example.command));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 5, "the documents show commands");
}

#[test]
fn what_is_shown_of_a_file_is_in_it() {
    for listing in documents().iter().flat_map(|path| listings(path)) {
        let Ok(text) = std::fs::read_to_string(root().join(&listing.file)) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        let anything = || ["...".to_string()].into_iter();
        let expected: Vec<String> =
            anything().chain(listing.lines.iter().cloned()).chain(anything()).collect();
        assert!(
            output_matches(&expected, &lines),
            "{}: {} is not like this",
            listing.place,
            listing.file
        );
    }
}

/// A picture whose description is a formula is one of its automaton.
#[test]
fn the_pictures_of_automata_are_what_the_tool_draws() {
    let text = std::fs::read_to_string(root().join("docs/properties.md")).expect("a text file");
    let pictures = text.split("![").skip(1).filter_map(|rest| {
        let (formula, rest) = rest.split_once("](")?;
        Some((formula, rest.split_once(')')?.0))
    });
    let mut count = 0;
    for (formula, picture) in pictures {
        let drawn = tempfile::Builder::new().suffix(".svg").tempfile().expect("a file");
        let status = Command::new(env!("CARGO_BIN_EXE_auspex"))
            .args(["ltl", formula, "-o"])
            .arg(drawn.path())
            .status()
            .expect("auspex runs");
        assert!(status.success(), "{formula}");
        let drawn = std::fs::read(drawn.path()).expect("a picture");
        let shown = std::fs::read(root().join("docs").join(picture)).expect("a picture");
        assert!(drawn == shown, "{picture} is not the automaton of {formula}");
        count += 1;
    }
    assert!(count > 0);
}
