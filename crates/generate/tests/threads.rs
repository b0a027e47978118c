//! Generated programs are built and run, and what they print must be something that the model can print.

use auspex_generate::accept::{Answer, Ending, can_print};
use auspex_generate::c::threads;
use auspex_process::Model;
use auspex_promela::{Options, parser};
use auspex_system::SourceMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

const FLAGS: [&str; 7] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-pthread", "-fwrapv"];

/// The ways in which programs are built.
const SANITIZERS: [&[&str]; 3] =
    [&["-fsanitize=thread"], &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], &[]];

/// A run of a model that goes on for ever is looked at for so long.
const A_WHILE: Duration = Duration::from_millis(2000);
/// One that has to end may take so long, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);
/// More states of a model than these are not looked at.
const MOST_STATES: usize = 60_000;
/// More output than this is not looked at.
const MOST_OUTPUT: usize = 1_500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A place for the files of a test.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("threads").join(name);
    std::fs::create_dir_all(&dir).expect("a directory for the test");
    dir
}

fn models(directory: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(root().join(directory)).expect("the models");
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

struct Program {
    model: Model,
    binary: PathBuf,
}

/// What is said about a model that is not for threads.
enum Refusal {
    /// The front end does not read it, or it says what only a model can say.
    NotForPrograms,
    /// It should be.
    Wrong(String),
}

/// Writes the files of the library; gives those that are compiled.
fn library(dir: &Path) -> Vec<PathBuf> {
    let dir = dir.join(threads::LIBRARY);
    std::fs::create_dir_all(&dir).expect("a directory for the library");
    for (name, text) in threads::FILES {
        std::fs::write(dir.join(name), text).expect("a file of the library");
    }
    let sources = threads::FILES.iter().filter(|(name, _)| name.ends_with(".c"));
    sources.map(|(name, _)| dir.join(name)).collect()
}

/// The library, built once in each way.
fn libraries(dir: &Path) -> Vec<PathBuf> {
    let sources = library(dir);
    let object = |(number, flags): (usize, &&[&str])| {
        let object = dir.join(format!("library_{number}.o"));
        let mut gcc = Command::new("gcc");
        gcc.args(FLAGS).args(*flags).args(["-r", "-o"]).arg(&object).args(&sources);
        let built = gcc.output().expect("gcc");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        object
    };
    SANITIZERS.iter().enumerate().map(object).collect()
}

/// The program in C, and the model.
fn source(path: &Path) -> Result<(String, Model), Refusal> {
    let mut map = SourceMap::default();
    let options = Options::default();
    let loaded =
        auspex_promela::load(&mut map, path, &options).map_err(|_| Refusal::NotForPrograms)?;
    let mut map = SourceMap::default();
    let parsed =
        parser::parse_file(&mut map, path, &options).map_err(|_| Refusal::NotForPrograms)?;
    let (spec, _) = auspex_generate::resolve_with_priorities(&parsed.program, "program")
        .map_err(|_| Refusal::NotForPrograms)?;
    let files = threads::generate(&spec, &map).map_err(|_| Refusal::NotForPrograms)?;
    let program = files.into_iter().next().map(|file| file.contents).unwrap_or_default();
    // A trace assertion is a property: programs do not have it.
    Ok((program, Model { trace: None, ..loaded.model }))
}

fn build(path: &Path, dir: &Path, libraries: &[PathBuf], way: usize) -> Result<Program, Refusal> {
    let (program, model) = source(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let source = dir.join(format!("{name}.c"));
    std::fs::write(&source, program).expect("a program");
    let binary = dir.join(&name);
    let mut gcc = Command::new("gcc");
    gcc.args(FLAGS)
        .args(SANITIZERS[way])
        .arg("-I")
        .arg(dir.join(threads::LIBRARY))
        .arg(&source)
        .arg(&libraries[way])
        .arg("-o")
        .arg(&binary);
    let built = gcc.output().expect("gcc");
    match built.status.success() {
        true => Ok(Program { model, binary }),
        false => Err(Refusal::Wrong(String::from_utf8_lossy(&built.stderr).into_owned())),
    }
}

struct Run {
    output: String,
    messages: String,
    /// `None`: it was stopped.
    status: Option<i32>,
}

fn run(binary: &Path, seed: usize, longest: Duration) -> Run {
    let (out, err) = (binary.with_extension("out"), binary.with_extension("err"));
    let file = |path: &Path| Stdio::from(std::fs::File::create(path).expect("a file"));
    let mut child = Command::new(binary)
        .env("AUSPEX_SEED", seed.to_string())
        .env("TSAN_OPTIONS", "atexit_sleep_ms=0")
        .stdin(Stdio::null())
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("the program");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program") {
            break Some(status.code().unwrap_or(-1));
        }
        if start.elapsed() > longest {
            child.kill().expect("the program");
            child.wait().expect("the program");
            break None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let read = |path: &Path| {
        String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
    };
    Run { output: read(&out), messages: read(&err), status }
}

/// The kind of fault that a message is about.
fn kind(message: &str) -> &'static str {
    let kinds = [
        ("assertion failed", "assertion"),
        ("deadlock", "deadlock"),
        ("out of range", "index"),
        ("division by zero", "division"),
        ("d_step", "d_step"),
        ("too many processes", "processes"),
        ("channel", "channel"),
    ];
    let first = message.lines().next().unwrap_or_default();
    kinds.iter().find(|(text, _)| first.contains(text)).map_or("unknown", |(_, kind)| kind)
}

/// What is wrong with a run, if anything is.
fn judge(model: &Model, run: &Run) -> Result<Ending, String> {
    let mut output = run.output.as_str();
    let ending = match run.status {
        Some(0) => Ending::Valid,
        Some(1) => Ending::Fault(kind(&run.messages)),
        None => Ending::Unknown,
        Some(other) => return Err(format!("status {other}\n{}", run.messages)),
    };
    let cut = output.len() > MOST_OUTPUT;
    if cut {
        let end = output[..MOST_OUTPUT].rfind('\n').map_or(0, |at| at + 1);
        output = &output[..end];
    }
    let asked = if cut { Ending::Unknown } else { ending };
    match can_print(model, output, asked, MOST_STATES) {
        Answer::Yes | Answer::Unknown => Ok(ending),
        Answer::No { printed } => Err(format!(
            "ends with {ending:?}; the model can print only {printed} bytes of\n{output}\n{}",
            run.messages
        )),
    }
}

#[derive(Default)]
struct Tally {
    valid: usize,
    faults: Vec<String>,
    endless: Vec<String>,
    refused: usize,
}

/// Builds and runs all models, on all cores. `endless`: need a model of this name not end?
fn check(
    name: &str,
    models: &[PathBuf],
    seeds: usize,
    endless: impl Fn(&str) -> bool + Sync,
) -> Tally {
    let dir = scratch(name);
    let libraries = libraries(&dir);
    let (next, result) = (AtomicUsize::new(0), Mutex::new((Tally::default(), String::new())));
    let work = || {
        while let Some(path) = models.get(next.fetch_add(1, Relaxed)) {
            let way = path.to_string_lossy().len() % SANITIZERS.len();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let longest = if endless(&name) { A_WHILE } else { PATIENCE };
            let outcome =
                build(path, &dir, &libraries, way).map(|program| worst(&program, seeds, longest));
            let mut result = result.lock().expect("the result");
            match outcome {
                Ok(Ok(Ending::Valid)) => result.0.valid += 1,
                Ok(Ok(Ending::Fault(_))) => result.0.faults.push(name),
                Ok(Ok(Ending::Unknown)) => result.0.endless.push(name),
                Err(Refusal::NotForPrograms) => result.0.refused += 1,
                Ok(Err(text)) | Err(Refusal::Wrong(text)) => {
                    let _ = writeln!(result.1, "{}: {text}", path.display());
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(work)));
    });
    let (tally, wrong) = result.into_inner().expect("the result");
    assert!(wrong.is_empty(), "{wrong}");
    tally
}

/// How its runs end: the worst of them, and the reason if one cannot be.
fn worst(program: &Program, seeds: usize, longest: Duration) -> Result<Ending, String> {
    for seed in 1..=seeds {
        let run = run(&program.binary, seed, longest);
        let ending = judge(&program.model, &run).map_err(|why| format!("seed {seed}: {why}"))?;
        // One that is not valid is enough.
        if ending != Ending::Valid {
            return Ok(ending);
        }
    }
    Ok(Ending::Valid)
}

/// Each construct, with output on the way; those that begin with `wrong` are.
#[test]
fn every_construct_prints_only_what_the_model_can_print() {
    let (wrong, right): (Vec<_>, Vec<_>) =
        models("tests/generate/threads").into_iter().partition(|path| is_wrong(path));
    let tally = check("right", &right, 8, |_| false);
    assert!(
        tally.faults.is_empty() && tally.endless.is_empty(),
        "{:?} {:?}",
        tally.faults,
        tally.endless
    );
    assert_eq!(tally.refused, 0);
    let tally = check("wrong", &wrong, 40, |_| false);
    assert_eq!((tally.valid, tally.refused, tally.endless.len()), (0, 0, 0));
}

fn is_wrong(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("wrong"))
}

#[test]
fn examples_run_as_they_should() {
    let tally = check("examples", &models("examples"), 2, |_| true);
    assert_eq!(tally.refused, 0);
    // Most protocols go on for ever, and of those that are broken a few runs do no harm.
    let broken = |name: &String| name.contains("broken") || name == "philosophers";
    assert!(tally.faults.iter().all(broken), "{:?}", tally.faults);
    assert!(tally.faults.len() >= 6 && tally.valid + tally.endless.len() >= 12);
}

#[test]
fn models_of_the_rules_run_as_they_should() {
    let mut all = Vec::new();
    for directory in ["channels", "data", "processes", "steps", "unless", "regress"] {
        all.extend(models(&format!("tests/promela/{directory}")));
    }
    // These go on for ever; all others must end.
    const ENDLESS: [&str; 4] = [
        "long-runs-of-two-options",
        "many-who-may-answer",
        "rule-16-timeout",
        "unless-on-two-options",
    ];
    let mut tally = check("rules", &all, 3, |name| ENDLESS.contains(&name));
    tally.endless.sort_unstable();
    println!(
        "{} valid, {} faults, {:?} endless, {} refused",
        tally.valid,
        tally.faults.len(),
        tally.endless,
        tally.refused
    );
    assert!(tally.valid >= 160 && tally.faults.len() >= 30);
    assert_eq!(tally.endless, ENDLESS);
}

#[test]
fn clang_has_nothing_to_say_either() {
    let dir = scratch("clang");
    let mut sources = library(&dir);
    for path in models("tests/generate/threads") {
        let (source, _) = source(&path).unwrap_or_else(|_| panic!("{}", path.display()));
        let file = dir.join(path.with_extension("c").file_name().expect("a name"));
        std::fs::write(&file, source).expect("a program");
        sources.push(file);
    }
    let Some(clang) = clang() else {
        println!("there is no clang");
        return;
    };
    let include = dir.join(threads::LIBRARY);
    let mut command = Command::new(clang);
    command.args(FLAGS).arg("-fsyntax-only").arg("-I").arg(include).args(&sources);
    let built = command.output();
    let built = built.expect("clang");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// The newest one there is.
fn clang() -> Option<String> {
    let versions = (15..=22).rev().map(|version| format!("clang-{version}"));
    versions.chain(["clang".to_string()]).find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    })
}
