//! The library of generated programs, on its own: tests in C, with every warning an error and under sanitizers.

use std::path::{Path, PathBuf};
use std::process::Command;

const FLAGS: &[&str] = &[
    "-std=c11",
    "-g",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

/// Stricter ones for the library itself.
const STRICT: &[&str] = &["-Wpedantic", "-Wconversion", "-Wshadow"];

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("library")
}

fn gcc(arguments: &[&str], files: &[PathBuf], output: &Path) {
    let mut gcc = Command::new("gcc");
    let result = gcc.args(arguments).args(files).arg("-o").arg(output).output().unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path());
    let mut sources: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    sources.sort();
    sources
}

#[test]
fn each_part_does_what_its_header_says() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
    std::fs::create_dir_all(&directory).unwrap();
    let mut objects = Vec::new();
    for source in sources(&library().join("c")) {
        let object = directory.join(source.file_name().unwrap()).with_extension("o");
        gcc(&[FLAGS, STRICT, &["-c"]].concat(), &[source], &object);
        objects.push(object);
    }
    let tests = sources(&library().join("test"));
    assert!(tests.len() >= 5);
    for test in tests {
        let program = directory.join(test.file_stem().unwrap());
        gcc(FLAGS, &[&[test][..], &objects].concat(), &program);
        let result = Command::new("timeout").arg("60").arg(&program).output().unwrap();
        let said = String::from_utf8_lossy(&result.stderr);
        assert!(result.status.success(), "{}: {said}", program.display());
    }
}

/// The FTP example brings its header along, so that it can be copied: the same as the library's.
#[test]
fn the_example_has_the_constants_of_the_library() {
    let example = library().join("../../../examples/generate/ftp/ftp_constants.h");
    let read = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(example), read(library().join("c/ftp_constants.h")));
}
