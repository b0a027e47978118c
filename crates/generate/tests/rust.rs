//! Models become programs in Rust that run, and print what the model can print.
//!
//! All programs are modules of one, so that the compiler runs once.

mod common;

use auspex_generate::accept::{Answer, Ending, can_print};
use auspex_generate::{File, resolve, rust};
use auspex_promela::parser::{Options, parse_file};
use auspex_system::SourceMap;
use common::{contents, root};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn models_in(directory: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![root().join(directory)];
    while let Some(directory) = todo.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn title(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The program for a model, or why there is none.
fn generate(path: &Path) -> Result<Vec<File>, String> {
    let mut map = SourceMap::default();
    let first = |errors: Vec<auspex_system::Diagnostic>| {
        errors.first().map_or(String::new(), |e| e.message.clone())
    };
    let parsed = parse_file(&mut map, path, &Options::default()).map_err(first)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (spec, _) = resolve(&parsed.program, &name, &map).map_err(first)?;
    Ok(rust::threads(&spec, &map))
}

/// One program whose argument says which model it is.
fn build(directory: &Path, models: &BTreeMap<String, Vec<File>>) -> PathBuf {
    for name in ["runtime", "library"] {
        std::fs::create_dir_all(directory.join(name)).unwrap();
    }
    for (path, text) in rust::RUNTIME {
        std::fs::write(directory.join(path), text).unwrap();
    }
    let mut main = String::from("mod library;\nmod runtime;\n");
    let mut cases = String::new();
    for (number, (name, files)) in models.iter().enumerate() {
        // What stands at the head of a crate cannot stand in a module.
        let text = contents(files, "src/main.rs");
        let head: String = text
            .lines()
            .filter(|line| line.starts_with("#![allow"))
            .map(|line| line.replace("#![", "#["))
            .collect();
        let body = text
            .lines()
            .filter(|l| {
                !l.starts_with("#![")
                    && !l.starts_with("//!")
                    && !matches!(*l, "mod library;" | "mod runtime;")
            })
            .map(|line| line.replace("runtime::Process<", "crate::runtime::Process<"))
            .collect::<Vec<_>>()
            .join("\n")
            .replace("\nfn main() {", "\npub fn main() {");
        let file = format!("m{number}.rs");
        std::fs::write(directory.join(&file), body).unwrap();
        writeln!(main, "{head} mod m{number};").unwrap();
        writeln!(cases, "        {name:?} => m{number}::main(),").unwrap();
    }
    writeln!(
        main,
        "fn main() {{\n    match std::env::args().nth(1).unwrap_or_default().as_str() {{"
    )
    .unwrap();
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
    program
}

/// What a run printed, and how it ended.
fn run(program: &Path, model: &str, seed: u64, longest: Duration) -> (String, Ending, String) {
    let mut child = Command::new(program)
        .arg(model)
        .env("AUSPEX_SEED", seed.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut err = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let mut part = [0; 4096];
        // Of a program that prints for ever, the beginning is enough.
        while let Ok(count @ 1..) = out.read(&mut part) {
            if text.len() < LONGEST {
                text.extend_from_slice(&part[..count]);
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let begin = Instant::now();
    let code = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status.code(),
            None if begin.elapsed() > longest => {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let mut output = reader.join().unwrap();
    let mut message = String::new();
    err.read_to_string(&mut message).unwrap();
    let code = if output.len() < LONGEST { code } else { None };
    let ending = match code {
        Some(0) => Ending::Valid,
        Some(1) => Ending::Fault(kind(&message)),
        Some(code) => panic!("{model}: exit code {code}: {message}"),
        None => {
            let whole = output.rfind('\n').map_or(0, |at| at + 1);
            output.truncate(whole);
            Ending::Unknown
        }
    };
    (output, ending, message)
}

fn kind(message: &str) -> &'static str {
    let kinds = [
        ("deadlock", "deadlock"),
        ("assertion violated", "assertion"),
        ("of an array", "index"),
        ("division by zero", "division"),
        ("d_step", "d_step"),
        ("too many processes", "processes"),
        ("channel", "channel"),
        ("polled", "channel"),
    ];
    kinds.iter().find(|(text, _)| message.contains(text)).map_or("?", |(_, kind)| kind)
}

/// So much of what is printed is looked at.
const LONGEST: usize = 6_000;

const LIMIT: usize = 300_000;

/// A model that says where it is: behind most separators of statements, it prints who passes there. So the order of steps
/// is judged, too. Nothing, where this is no model.
fn talkative(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut parens, mut points) = (0, 0, 0);
    // Braces of declarations hold no statements.
    let (mut is_body, mut head) = (false, String::new());
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        out.push(c);
        let rest = &text[at..];
        if c == '"' || rest.starts_with("/*") || rest.starts_with("//") {
            let length = match c {
                '"' => rest[1..].find('"').map_or(rest.len(), |n| n + 2),
                _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |n| n + 2),
                _ => rest.find('\n').unwrap_or(rest.len()),
            };
            while chars.peek().is_some_and(|(next, _)| *next < at + length) {
                out.extend(chars.next().map(|(_, c)| c));
            }
            continue;
        }
        match c {
            '(' | '[' => parens += 1,
            ')' | ']' => parens -= 1,
            '{' => {
                if depth == 0 {
                    let words = ["proctype", "init", "inline"];
                    is_body = words.iter().any(|w| head.split_whitespace().any(|h| h == *w));
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                head.clear();
            }
            ';' if depth == 0 => head.clear(),
            _ if depth == 0 => head.push(c),
            _ => {}
        }
        let is_separator = c == ';' || (c == '>' && out.ends_with("->"));
        if is_separator && is_body && depth > 0 && parens == 0 {
            points += 1;
            if points % 5 != 3 {
                out.push_str(&format!(" printf(\"{points} by %d\\n\", _pid);"));
            }
        }
    }
    out
}

#[test]
fn programs_print_what_their_models_can_print() {
    let mut models = BTreeMap::new();
    let mut refused = Vec::new();
    let mut paths = models_in("tests/promela");
    paths.extend(models_in("examples"));
    paths.extend(models_in("tests/generate/threads"));
    paths.retain(|path| !path.components().any(|c| c.as_os_str() == "errors"));
    let talkative_ones = Path::new(env!("CARGO_TARGET_TMPDIR")).join("talkative");
    std::fs::create_dir_all(&talkative_ones).unwrap();
    for path in paths.clone() {
        let name = title(&path).replace('/', "-");
        std::fs::write(
            talkative_ones.join(&name),
            talkative(&std::fs::read_to_string(&path).unwrap()),
        )
        .unwrap();
        paths.push(talkative_ones.join(&name));
    }
    for path in paths {
        let loaded = auspex_promela::load(&mut SourceMap::default(), &path, &Options::default());
        // What only a model has is refused, or (priorities) means nothing.
        if loaded.is_err() || loaded.is_ok_and(|loaded| loaded.model.has_priorities) {
            continue;
        }
        match generate(&path) {
            Ok(files) => drop(models.insert(title(&path), files)),
            Err(why) => refused.push((title(&path), why)),
        }
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-threads");
    let program = build(&directory, &models);
    let names: Vec<&String> = models.keys().collect();
    let next = AtomicUsize::new(0);
    let (wrong, counts) = (Mutex::new(Vec::new()), Counts::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = judge(&program, name, &counts) {
                        wrong.lock().unwrap().push(format!("{name}: {why}"));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    let refused: Vec<String> = refused.iter().map(|(name, why)| format!("{name}: {why}")).collect();
    assert!(wrong.is_empty(), "{}\nrefused:\n{}", wrong.join("\n"), refused.join("\n"));
    assert!(refused.len() <= 20, "refused:\n{}", refused.join("\n"));
    println!("{} models, {counts:?}", models.len());
    let Counts { ended, runs, unknown } = counts;
    let (ended, runs, unknown) = (ended.into_inner(), runs.into_inner(), unknown.into_inner());
    assert!(ended >= 300, "only {ended} models come to a valid end");
    assert!(unknown * 20 <= runs, "{unknown} of {runs} runs could not be judged");
}

#[derive(Debug, Default)]
struct Counts {
    /// Models that come to a valid end.
    ended: AtomicUsize,
    runs: AtomicUsize,
    /// Runs of models with too many states.
    unknown: AtomicUsize,
}

/// Runs some models alone, so that messages and seeds can be looked at.
#[test]
fn runs_repeat_themselves_and_say_what_went_wrong() {
    let mut models = BTreeMap::new();
    let texts = [
        (
            "race",
            "byte n; active [3] proctype P() { byte i; for (i : 1..5) { printf(\"%d\", _pid) } }",
        ),
        ("dead", "chan c = [0] of { byte };\nactive proctype P() {\n\tbyte x;\n\tc?x\n}"),
        ("wrong", "byte n = 3;\nactive proctype P() {\n\tassert(n == 4)\n}"),
        ("index", "byte a[3]; byte i = 7;\nactive proctype P() {\n\ta[i] = 1\n}"),
        ("zero", "int n;\nactive proctype P() {\n\tn = 3 / n\n}"),
        ("chan", "chan c;\nactive proctype P() {\n\tc!1\n}"),
    ];
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-alone");
    std::fs::create_dir_all(&directory).unwrap();
    for (name, text) in texts {
        let path = directory.join(format!("{name}.pml"));
        std::fs::write(&path, text).unwrap();
        models.insert(name.to_string(), generate(&path).unwrap());
    }
    let program = build(&directory, &models);
    let run = |model, seed| run(&program, model, seed, Duration::from_secs(60));
    let outputs: Vec<String> = (1..=8).map(|seed| run("race", seed).0).collect();
    assert!((1..=8).all(|seed| run("race", seed).0 == outputs[seed as usize - 1]));
    assert!(outputs.iter().any(|output| *output != outputs[0]), "{outputs:?}");
    assert_eq!(
        run("dead", 1).2,
        "deadlock: no process can move\n  P (0) waits at dead.pml:4: c?x\n"
    );
    assert_eq!(run("wrong", 1).2, "wrong.pml:3: assertion violated: assert(n == 4)\n");
    assert_eq!(run("index", 1).2, "index.pml:3: index 7 of an array of 3 elements\n");
    assert_eq!(run("zero", 1).2, "zero.pml:3: division by zero\n");
    assert_eq!(run("chan", 1).2, "chan.pml:3: use of an uninitialised channel\n");
}

fn judge(program: &Path, name: &str, counts: &Counts) -> Result<(), String> {
    let path = root().join(name);
    let loaded = auspex_promela::load(&mut SourceMap::default(), &path, &Options::default());
    let Ok(mut loaded) = loaded else { return Err("cannot be loaded".into()) };
    // A property, and so not a part of the program.
    loaded.model.trace = None;
    let mut valid = false;
    for seed in 1..=5 {
        let (output, ending, message) = run(program, name, seed, Duration::from_millis(400));
        counts.runs.fetch_add(1, Ordering::Relaxed);
        match can_print(&loaded.model, &output, ending, LIMIT) {
            Answer::Yes => {}
            Answer::Unknown => drop(counts.unknown.fetch_add(1, Ordering::Relaxed)),
            Answer::No { printed } => {
                let rest: String = output[printed..].chars().take(200).collect();
                return Err(format!(
                    "seed {seed}: the model cannot do this: {ending:?} {message}\nafter {printed} bytes: {rest}"
                ));
            }
        }
        valid |= ending == Ending::Valid;
        // One that runs for ever does so with every seed, mostly.
        if ending == Ending::Unknown {
            break;
        }
    }
    counts.ended.fetch_add(usize::from(valid), Ordering::Relaxed);
    Ok(())
}
