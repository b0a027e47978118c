//! Specifications that become programs in Rust, one for each process: the same ones as in C, where they have no C in them.
//! All programs are in one executable, which looks at the name that it is called by.

mod common;

use auspex_generate::{File, Language, Target};
use auspex_promela::{Options, Reading};
use auspex_system::{Diagnostic, SourceMap};
use common::{Case, contents, root};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn generate(path: &Path, threads: bool) -> Result<Vec<File>, String> {
    let text = |errors: Vec<Diagnostic>| {
        errors.iter().map(|e| e.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let mut map = SourceMap::default();
    let options = Options { reading: Reading::Implementation, ..Options::default() };
    let parsed = auspex_promela::parser::parse_file(&mut map, path, &options).map_err(text)?;
    let name = path.file_stem().unwrap().to_str().unwrap();
    let (spec, _) = auspex_generate::resolve(&parsed.program, name, &map).map_err(text)?;
    auspex_generate::generate(&spec, &map, Target { language: Language::Rust, threads })
        .map_err(text)
}

/// A program as a module.
fn module(files: &[File], program: &File) -> String {
    let mut text = String::new();
    for line in program.contents.lines() {
        match line {
            "mod library;" | "mod runtime;" => {}
            "use library::*;" => text.push_str("use crate::library::*;\n"),
            "use runtime::*;" => text.push_str("use crate::runtime::*;\n"),
            "include!(\"../common.rs\");" => text.push_str(contents(files, "src/common.rs")),
            "fn main() {" => text.push_str("pub fn main() {\n"),
            line if line.starts_with("#[path")
                || line.starts_with("#![")
                || line.starts_with("//!") => {}
            line => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

const HEAD: &str = "#![forbid(unsafe_code)]
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals, unused_labels)]
#![allow(dead_code, unused_assignments, unused_mut, unused_variables, unused_imports)]
mod library;
mod runtime;
";

#[test]
fn programs_do_what_their_headers_say() {
    let directory = common::directory("rust");
    let mut specs: Vec<(PathBuf, Case, Vec<String>)> = Vec::new();
    let (mut main, mut cases) = (HEAD.to_string(), String::new());
    let mut wrong = Vec::new();
    let mut paths = Vec::new();
    for place in ["tests/generate/programs", "tests/generate/rust"] {
        for entry in std::fs::read_dir(root().join(place)).into_iter().flatten().flatten() {
            paths.extend(Some(entry.path()).filter(|path| path.is_file()));
        }
    }
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_rust = path.parent().is_some_and(|p| p.ends_with("rust"));
        if !is_rust
            && (text.contains("c_code") || text.contains("c_expr") || text.contains("c_decl"))
        {
            continue;
        }
        let case = Case::read(&path);
        let files = match generate(&path, false) {
            Ok(files) => files,
            Err(errors) if case.errors.is_empty() => {
                wrong.push(format!("{}: refused: {errors}", path.display()));
                continue;
            }
            Err(_) => continue,
        };
        // Only the library for C has files of that name.
        let is_of_c = case.errors.iter().any(|error| error.contains("name of another file"));
        if !case.errors.is_empty() && (is_rust || !is_of_c) {
            wrong.push(format!("{}: not refused", path.display()));
            continue;
        }
        let mut names = Vec::new();
        for file in files.iter().filter(|f| f.path.starts_with("src/bin")) {
            let name = file.path.file_stem().unwrap().to_str().unwrap().to_string();
            let module_name = format!("m{}_{name}", specs.len());
            std::fs::write(directory.join(format!("{module_name}.rs")), module(&files, file))
                .unwrap();
            writeln!(main, "mod {module_name};").unwrap();
            writeln!(cases, "        \"{}/{name}\" => {module_name}::main(),", specs.len())
                .unwrap();
            names.push(name);
        }
        if specs.is_empty() {
            for file in files
                .iter()
                .filter(|f| f.path.starts_with("src/runtime") || f.path.starts_with("src/library"))
            {
                let path = directory.join(file.path.strip_prefix("src").unwrap());
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, &file.contents).unwrap();
            }
        }
        specs.push((path, case, names));
    }
    writeln!(main, "fn main() {{\n    let spec = std::env::var(\"SPEC\").unwrap();").unwrap();
    writeln!(main, "    let own = std::env::args().next().unwrap();").unwrap();
    writeln!(main, "    let name = own.rsplit('/').next().unwrap();").unwrap();
    writeln!(main, "    match format!(\"{{spec}}/{{name}}\").as_str() {{").unwrap();
    writeln!(main, "{cases}        other => panic!(\"no {{other}}\"),\n    }}\n}}").unwrap();
    std::fs::write(directory.join("main.rs"), main).unwrap();
    let program = directory.join("all");
    let status = Command::new("rustc")
        .args(["--edition", "2024", "-C", "opt-level=0", "-C", "debuginfo=0", "-D", "warnings"])
        .arg("-o")
        .arg(&program)
        .arg(directory.join("main.rs"))
        .status()
        .unwrap();
    assert!(status.success(), "the programs do not compile: see {}", directory.display());
    assert!(specs.len() >= 35, "{} specifications", specs.len());
    for (number, (path, case, names)) in specs.iter().enumerate() {
        let place = directory.join(number.to_string());
        std::fs::create_dir_all(&place).unwrap();
        for name in names {
            std::os::unix::fs::symlink(&program, place.join(name)).unwrap();
        }
        if let Err(message) = check(&place, number, case) {
            wrong.push(format!("{}: {message}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn check(place: &Path, number: usize, case: &Case) -> Result<(), String> {
    let mut command = Command::new("timeout");
    command.arg("10").arg(place.join("init"));
    command.env("SPEC", number.to_string()).env("GENERATE_DIRECTORY", place);
    command.env("GENERATE_BLOCKED", "exit").stdin(Stdio::null());
    let ran = command.output().unwrap();
    let output = String::from_utf8_lossy(&ran.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ran.stderr).to_lowercase();
    if output != case.output_sorted(&output) {
        return Err(format!("printed\n{output}\nnot\n{}\n{errors}", case.output.join("\n")));
    }
    if ran.status.success() != (case.status == 0) {
        return Err(format!("{}: {errors}", ran.status));
    }
    if let Some(part) = case.stderr.iter().find(|part| !errors.contains(&part.to_lowercase())) {
        return Err(format!("no `{part}` in {errors}"));
    }
    if case.stderr.is_empty() && !errors.is_empty() {
        return Err(format!("on standard error: {errors}"));
    }
    Ok(())
}

/// Code in Rust means the same in a program with threads.
#[test]
fn code_of_the_specification_runs_in_threads() {
    for name in ["twins", "threads/outside"] {
        let path = root().join(format!("tests/generate/rust/{name}.pch"));
        let case = Case::read(&path);
        let directory = common::directory(&format!("threads-{}", name.replace('/', "-")));
        common::write(&directory, &generate(&path, true).unwrap());
        let program = directory.join("program");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "-D", "warnings"]).arg("-o").arg(&program);
        let built = common::output_of(rustc.arg(directory.join("src/main.rs")));
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        for seed in 1..=5 {
            let mut command = Command::new("timeout");
            command.arg("20").arg(&program).env("AUSPEX_SEED", seed.to_string());
            let ran = common::output_of(&mut command);
            let output = String::from_utf8_lossy(&ran.stdout);
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            assert_eq!(output, case.output_sorted(&output), "{name}");
        }
    }
}

/// The runtimes are written as people write Rust.
#[test]
fn the_library_is_formatted() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("library/rust");
    let mut todo = vec![library];
    while let Some(directory) = todo.pop() {
        for path in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                todo.push(path);
                continue;
            }
            let mut rustfmt = Command::new("rustfmt");
            rustfmt.args(["--check", "--edition", "2024", "--config-path"]);
            // Read from standard input, it does not look for the other files.
            rustfmt.arg(root().join("rustfmt.toml")).stdin(std::fs::File::open(&path).unwrap());
            let Ok(checked) = rustfmt.output() else { return };
            assert!(
                checked.status.success(),
                "{}: {}",
                path.display(),
                String::from_utf8_lossy(&checked.stdout)
            );
        }
    }
}

/// What the user does: `cargo build`, without a network and without a warning; then run it.
#[test]
fn generated_projects_build_without_a_warning() {
    let example = root().join("examples/sieve.pml");
    let spec = root().join("tests/generate/programs/active_processes.pch");
    for (path, threads, program) in [(example, true, "sieve"), (spec, false, "init")] {
        let directory = common::directory(&format!("cargo-{program}"));
        common::write(&directory, &generate(&path, threads).unwrap());
        for verb in ["build", "clippy"] {
            let mut cargo = Command::new("cargo");
            cargo.current_dir(&directory).args([verb, "--offline", "--quiet"]);
            cargo.env("RUSTFLAGS", "-D warnings").env("CARGO_TARGET_DIR", directory.join("target"));
            cargo.env_remove("CARGO").env_remove("RUSTC_WRAPPER");
            let built = common::output_of(&mut cargo);
            let text = String::from_utf8_lossy(&built.stderr);
            assert!(built.status.success() && text.is_empty(), "cargo {verb}: {text}");
        }
        let ran =
            common::output_of(&mut Command::new(directory.join("target/debug").join(program)));
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        if !threads {
            // `cargo run` makes only the program that it runs: others have to be there.
            let mut command = Command::new(directory.join("target/debug").join(program));
            let alone = common::output_of(command.env("GENERATE_DIRECTORY", "/nowhere"));
            let errors = String::from_utf8_lossy(&alone.stderr);
            assert!(errors.contains("`cargo build`") && !errors.contains(":0:"), "{errors}");
        }
    }
}
