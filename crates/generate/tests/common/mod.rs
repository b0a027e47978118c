//! Generating, compiling and running programs.
#![allow(dead_code)] // not all tests use all of it

use auspex_generate::{File, Language, Target};
use auspex_promela::{Options, Reading};
use auspex_system::{Diagnostic, SourceMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const FLAGS: &[&str] = &[
    "-std=c11",
    "-fwrapv",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

const LIMIT: Duration = Duration::from_secs(20);

/// The directory of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a generated file, empty if there is none.
pub fn contents<'a>(files: &'a [File], path: &str) -> &'a str {
    files.iter().find(|f| f.path == Path::new(path)).map_or("", |f| f.contents.as_str())
}

/// What the head of a specification expects.
#[derive(Default)]
pub struct Case {
    pub output: Vec<String>,
    pub unordered: bool,
    pub status: i32,
    pub stderr: Vec<String>,
    pub errors: Vec<String>,
    pub code: Vec<String>,
    pub no_code: Vec<String>,
    pub spin: bool,
    pub embedded: bool,
}

impl Case {
    pub fn read(path: &Path) -> Self {
        let mut case = Case::default();
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.lines() {
            let Some(line) = line.strip_prefix("//") else { break };
            let (word, rest) = line.trim_start().split_once(':').unwrap_or((line.trim(), ""));
            let rest = rest.strip_prefix(' ').unwrap_or(rest).to_string();
            match word {
                "output" => case.output.push(rest),
                "unordered" => case.unordered = true,
                "status" => case.status = rest.trim().parse().unwrap(),
                "stderr" => case.stderr.push(rest),
                "error" => case.errors.push(rest),
                "code" => case.code.push(rest),
                "no code" => case.no_code.push(rest),
                "spin" => case.spin = true,
                "embedded" => case.embedded = true,
                _ => {}
            }
        }
        case
    }

    /// The expected output, or `given` if it has the same lines in another order and that is fine.
    pub fn output_sorted(&self, given: &str) -> String {
        let sorted = |lines: Vec<&str>| {
            let mut lines = lines;
            lines.sort_unstable();
            lines.join("\n")
        };
        let wanted: Vec<&str> = self.output.iter().map(String::as_str).collect();
        match self.unordered && sorted(wanted) == sorted(given.lines().collect()) {
            true => given.to_string(),
            false => self.output.iter().map(|line| format!("{line}\n")).collect(),
        }
    }
}

/// The files of a specification's programs; errors as text.
pub fn generate(path: &Path, is_model: bool) -> Result<Vec<File>, String> {
    let text = |errors: Vec<Diagnostic>| {
        let lines = errors
            .iter()
            .map(|e| format!("{} ({})", e.message, e.hint.clone().unwrap_or_default()));
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut map = SourceMap::default();
    let model = Options { reading: Reading::Model, ..Options::default() };
    if is_model {
        let loaded = auspex_promela::load(&mut map, path, &model);
        loaded.map_err(|e| format!("as a model: {}", text(e)))?;
    }
    let options = Options { reading: Reading::Implementation, ..Options::default() };
    let parsed = auspex_promela::parser::parse_file(&mut map, path, &options).map_err(text)?;
    let name = path.file_name().unwrap().to_str().unwrap();
    let (spec, _) = auspex_generate::resolve(&parsed.program, name, &map).map_err(text)?;
    auspex_generate::generate(&spec, &map, Target { language: Language::C, threads: false })
        .map_err(text)
}

pub fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

pub fn write(directory: &Path, files: &[File]) {
    for file in files {
        let path = directory.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.contents).unwrap();
    }
}

pub struct Ran {
    pub output: String,
    pub errors: String,
    pub status: i32,
}

/// Compiles all programs, and runs `init`.
pub fn run(path: &Path, files: &[File]) -> Result<Ran, String> {
    let directory = compile(path.file_stem().unwrap().to_str().unwrap(), files)?;
    run_init(&directory)
}

/// Compiles all programs with every warning an error; gives the directory where they are.
pub fn compile(name: &str, files: &[File]) -> Result<PathBuf, String> {
    let directory = directory(name);
    write(&directory, files);
    let library = library(files);
    for file in files.iter().filter(|file| file.path.parent() == Some(Path::new(""))) {
        let Some(program) = file.path.to_str().and_then(|name| name.strip_suffix(".c")) else {
            continue;
        };
        let mut gcc = Command::new("gcc");
        gcc.current_dir(&directory).args(FLAGS).args(["-Ilibrary", "-o", program]);
        let result = output_of(gcc.arg(&file.path).arg(&library));
        if !result.status.success() {
            let text = String::from_utf8_lossy(&result.stderr).into_owned();
            return Err(format!("gcc: {text}\n{}", file.contents));
        }
    }
    Ok(directory)
}

/// The library is the same for all: it is compiled once.
fn library(files: &[File]) -> PathBuf {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY
        .get_or_init(|| {
            // Each test program has one of its own: they run at the same time.
            let directory = directory(&format!("shared_library_{}", std::process::id()));
            write(&directory, files);
            let mut objects = Vec::new();
            for file in files.iter().filter(|file| file.path.starts_with("library")) {
                if file.path.extension().is_some_and(|e| e == "c") {
                    let object = directory.join(&file.path).with_extension("o");
                    let mut gcc = Command::new("gcc");
                    gcc.current_dir(&directory).args(FLAGS).arg("-c").arg(&file.path);
                    let result = output_of(gcc.arg("-o").arg(&object));
                    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
                    objects.push(object);
                }
            }
            let archive = directory.join("libgenerate.a");
            let result = output_of(Command::new("ar").arg("rc").arg(&archive).args(objects));
            assert!(result.status.success());
            archive
        })
        .clone()
}

fn run_init(directory: &Path) -> Result<Ran, String> {
    let (out, err) = (directory.join("stdout.txt"), directory.join("stderr.txt"));
    let mut child = Command::new(directory.join("init"))
        .env("GENERATE_BLOCKED", "exit")
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out).unwrap())
        .stderr(std::fs::File::create(&err).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > LIMIT {
            // It passes this on to its children.
            let _ = Command::new("kill").arg(child.id().to_string()).status();
            let _ = child.wait();
            return Err(format!("runs for more than {} s", LIMIT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    Ok(Ran { output: read(&out), errors: read(&err), status: status.code().unwrap_or(-1) })
}

pub fn output_of(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

/// What Spin's simulator prints; nothing where there is no Spin.
pub fn simulate(path: &Path) -> Option<String> {
    // It leaves files behind that another one would stumble over.
    let directory = directory(&format!("spin_{}", path.file_stem()?.to_str()?));
    let path = path.canonicalize().unwrap();
    let output = Command::new("spin").current_dir(directory).arg("-T").arg(path).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
