//! LF as a user meets it: the corpus, the tables of the thesis, building, running, replaying.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn auspex(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_auspex"))
        .current_dir(directory)
        .env_remove("CLICOLOR_FORCE")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The results of `check`, by property.
fn check(directory: &Path, arguments: &[&str]) -> Result<Vec<Value>, String> {
    let traces = TempDir::new().unwrap();
    let trace = traces.path().join("t.json");
    let fixed = ["check", "--format", "json", "--time", "60", "--trace", trace.to_str().unwrap()];
    let output = auspex(directory, &[&fixed, arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("no report: {}", text(&output.stderr)))?;
    Ok(report["results"].as_array().unwrap().clone())
}

fn programs(under: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(under).unwrap().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lf") {
            found.push(path);
        }
    }
}

/// What the first comment of a program says about it.
struct Expected {
    keys: Vec<(String, String)>,
}

impl Expected {
    fn of(path: &Path) -> Option<Self> {
        let text = std::fs::read(path).unwrap();
        let text = text.iter().map(|byte| char::from(*byte)).collect::<String>();
        let comment = text.trim_start().strip_prefix("(*")?.split("*)").next()?.to_owned();
        let keys = comment.lines().filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            Some((key.trim().to_owned(), value.trim().to_owned()))
        });
        let expected = Expected { keys: keys.collect() };
        expected.get("expect").is_some().then_some(expected)
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.all(key).into_iter().next()
    }

    fn all(&self, key: &str) -> Vec<&str> {
        self.keys.iter().filter(|(other, _)| other == key).map(|(_, v)| v.as_str()).collect()
    }

    /// Flags, with quotes as a shell has them.
    fn arguments(&self) -> Vec<String> {
        let mut words = Vec::new();
        let (mut word, mut quoted, mut open) = (String::new(), false, false);
        for c in self.get("args").unwrap_or("").chars() {
            match c {
                '\'' => (quoted, open) = (!quoted, true),
                c if c.is_whitespace() && !quoted => {
                    if open {
                        words.push(std::mem::take(&mut word));
                    }
                    open = false;
                }
                c => {
                    word.push(c);
                    open = true;
                }
            }
        }
        if open {
            words.push(word);
        }
        words
    }
}

/// What is not as a program says of itself.
fn wrong(path: &Path, expected: &Expected, more: &[&str]) -> Option<String> {
    let (directory, file) = (path.parent()?, path.file_name()?.to_str()?);
    let arguments = expected.arguments();
    let mut all: Vec<&str> = vec![file];
    all.extend(arguments.iter().map(String::as_str));
    all.extend(more);
    let verdict = expected.get("expect")?;
    if verdict == "error" {
        return wrong_error(directory, &all, expected);
    }
    let results = match check(directory, &all) {
        Ok(results) => results,
        Err(wrong) => return Some(wrong),
    };
    let any = |wanted: &str| results.iter().any(|result| result["verdict"] == wanted);
    let found = match (any("violated"), any("unknown")) {
        (true, _) => "violated",
        (false, true) => "unknown",
        (false, false) => "holds",
    };
    if found != verdict {
        return Some(format!("it is {found}: {results:?}"));
    }
    if let Some(kind) = expected.get("fault") {
        let faults: Vec<&Value> = results.iter().map(|result| &result["fault"]).collect();
        let Some(fault) = faults.iter().find(|fault| fault["kind"] == kind) else {
            return Some(format!("the faults are {faults:?}"));
        };
        let line = fault["location"]["line"].to_string();
        if expected.get("line").is_some_and(|expected| expected != line) {
            return Some(format!("the fault is in line {line}"));
        }
    }
    for property in expected.all("property") {
        let (name, verdict) = property.split_once(' ')?;
        let found = results.iter().find(|result| result["property"] == name);
        if found.is_none_or(|found| found["verdict"] != verdict.trim()) {
            return Some(format!("{name} is not {verdict}: {found:?}"));
        }
    }
    let states = expected.get("states").and_then(|states| states.split_whitespace().next());
    let safety = results.iter().find(|result| result["property"] == "safety");
    match (states, safety) {
        (Some(states), Some(safety)) if safety["states"].as_u64() != states.parse().ok() => {
            Some(format!("it has {} states, not {states}", safety["states"]))
        }
        _ => None,
    }
}

fn wrong_error(directory: &Path, arguments: &[&str], expected: &Expected) -> Option<String> {
    let output = auspex(directory, &[&["check"], arguments].concat());
    let message = text(&output.stderr);
    if output.status.code() != Some(2) {
        return Some(format!("exit code {:?}: {message}", output.status.code()));
    }
    let wanted = expected.get("message").unwrap_or("").to_lowercase();
    if !message.to_lowercase().contains(&wanted) {
        return Some(format!("`{wanted}` is not in: {message}"));
    }
    let line = expected.get("line").map(|line| format!(":{line}:"));
    let there = line.is_none_or(|line| message.contains(&line));
    (!there).then(|| format!("another line: {message}"))
}

fn corpus(more: &[&str], wanted: impl Fn(&Expected) -> bool) -> usize {
    let mut found = Vec::new();
    programs(&root().join("tests/lf"), &mut found);
    let mut bad = Vec::new();
    let mut count = 0;
    for path in found {
        let Some(expected) = Expected::of(&path).filter(|expected| wanted(expected)) else {
            continue;
        };
        count += 1;
        if let Some(wrong) = wrong(&path, &expected, more) {
            bad.push(format!("{}: {wrong}", path.display()));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    count
}

#[test]
fn the_corpus_is_as_it_says() {
    let count = corpus(&["--workers", "1"], |_| true);
    assert!(count >= 100, "only {count} programs");
}

#[test]
fn the_corpus_is_the_same_for_two_workers_and_breadth_first() {
    let checked = |expected: &Expected| expected.get("expect") != Some("error");
    corpus(&["--workers", "2", "--order", "breadth"], checked);
}

fn states(file: &str, more: &[&str]) -> (u64, u64) {
    let results = check(&root(), &[&[file, "--property", "safety"], more].concat()).unwrap();
    let number = |field: &str| results[0][field].as_u64().unwrap();
    assert_eq!(results[0]["verdict"], "holds", "{file}");
    (number("states"), number("transitions"))
}

/// Table 3: sorted queues, exactly as in the thesis; and how many more there are without.
#[test]
fn sorted_queues_are_combinations() {
    for (n, transitions) in [(4, 465), (5, 1563), (6, 5201)] {
        let file = format!("examples/lf/senders{n}.lf");
        let sorted = states(&file, &[]);
        assert_eq!(sorted, (3u64.pow(n) + 2u64.pow(n + 1), transitions));
        let (unsorted, _) = states(&file, &["--unsorted"]);
        // Who waits, in which order; the others stand in one of two places, or in one before the receiver starts.
        let orders = |places: u64| -> u64 {
            let n = u64::from(n);
            (0..=n).map(|i| (n - i + 1..=n).product::<u64>() * places.pow((n - i) as u32)).sum()
        };
        assert_eq!(unsorted, orders(2) - 1 + orders(1) + 2u64.pow(n) + 1);
    }
}

/// Table 2: coarse actions have fewer states, by factors that grow.
#[test]
fn coarse_actions_have_fewer_states() {
    let factor = |file: &str| {
        let (coarse, _) = states(file, &[]);
        let (fine, _) = states(file, &["--fine"]);
        fine as f64 / coarse as f64
    };
    let (two, three) = (factor("examples/lf/peterson2.lf"), factor("examples/lf/peterson3.lf"));
    assert!(two > 3.0 && three > 2.0 * two, "{two} {three}");
}

/// Section 5.1: n processes that do not know each other, each with k actions in a circle.
#[test]
fn independent_processes_multiply() {
    let directory = TempDir::new().unwrap();
    for (n, k) in [(1u32, 3u64), (2, 3), (3, 4), (4, 2)] {
        let steps = vec!["RESCHEDULE"; k as usize].join("; ");
        let created = vec!["P"; n as usize].join(", ");
        let program = format!(
            "MODULE M; PROCESS P; BEGIN LOOP {steps} END END P; BEGIN CREATE {created} END M."
        );
        std::fs::write(directory.path().join("M.lf"), program).unwrap();
        let results = check(directory.path(), &["M.lf"]).unwrap();
        // The beginning of a process is a position of its own; so is the beginning of the program.
        assert_eq!(results[0]["states"].as_u64(), Some((k + 1).pow(n) + 1));
    }
}

#[test]
fn what_is_built_is_what_is_checked_and_run() {
    let directory = TempDir::new().unwrap();
    let object = directory.path().join("p.lfo");
    let object = object.to_str().unwrap();
    let built = auspex(&root(), &["build", "examples/lf/prodcons.lf", "-o", object]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let again = directory.path().join("q.lfo");
    auspex(&root(), &["build", "examples/lf/prodcons.lf", "-o", again.to_str().unwrap()]);
    assert_eq!(std::fs::read(object).unwrap(), std::fs::read(again).unwrap());
    let from_source = states("examples/lf/prodcons.lf", &[]);
    let results = check(directory.path(), &["p.lfo"]).unwrap();
    assert_eq!(results[0]["states"].as_u64(), Some(from_source.0));
    let run = |file: &str| auspex(&root(), &["run", file]);
    let (source, compiled) = (run("examples/lf/prodcons.lf"), run(object));
    assert!(source.status.success());
    assert_eq!(text(&source.stdout), text(&compiled.stdout));
    assert!(!source.stdout.is_empty());
    std::fs::write(directory.path().join("bad.lfo"), b"AUSPEXLF but no").unwrap();
    let bad = auspex(directory.path(), &["run", "bad.lfo"]);
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn a_trace_of_check_is_a_run() {
    let directory = TempDir::new().unwrap();
    let program = "\
MODULE M;
IMPORT Out;
TYPE C = [data(INTEGER)];
PORT q: C;
VAR last: INTEGER;
PROCESS P(c: C; n: INTEGER); BEGIN c!data(n) END P;
PROCESS Q(c: C);
VAR x, i: INTEGER;
BEGIN
  FOR i := 1 TO 2 DO c?data(x); Out.Int(x); Out.Ln; ASSERT(x >= last); last := x END
END Q;
BEGIN NEW(q); CREATE P(q, 1), P(q, 2), Q(q) END M.
";
    std::fs::write(directory.path().join("M.lf"), program).unwrap();
    let checked = auspex(directory.path(), &["check", "M.lf", "--shortest"]);
    assert_eq!(checked.status.code(), Some(1));
    let run = auspex(directory.path(), &["run", "M.lf", "--trace", "M.lf.trace.json"]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    assert_eq!(text(&run.stdout), "2\n1\n");
    assert!(text(&run.stderr).contains("assertion failed"), "{}", text(&run.stderr));
    // Run in turn, it goes well.
    let run = auspex(directory.path(), &["run", "M.lf"]);
    assert_eq!((run.status.code(), text(&run.stdout).as_str()), (Some(0), "1\n2\n"));
}

#[test]
fn states_are_replaced_in_a_small_cache() {
    let plain = states("examples/lf/peterson3.lf", &[]);
    let cached = check(&root(), &["examples/lf/peterson3.lf", "--cache", "320K"]).unwrap();
    assert_eq!(cached[0]["verdict"], "holds");
    assert!(cached[0]["cache"]["replaced"].as_u64().unwrap() > 0);
    assert!(cached[0]["states"].as_u64().unwrap() > plain.0);
    let broken = check(&root(), &["examples/lf/peterson_broken.lf", "--cache", "256K"]).unwrap();
    assert_eq!(broken[0]["verdict"], "violated");
}

#[test]
fn an_environment_closes_a_driver() {
    let files = ["examples/lf/driver.lf", "examples/lf/driver_env.lf"];
    let results = check(&root(), &files).unwrap();
    assert_eq!(results[0]["verdict"], "holds");
    let alone = check(&root(), &files[..1]).unwrap();
    assert_eq!(alone[0]["fault"]["kind"], "port");
}

/// The one of a few hundred lines: right, and with a seeded bug.
#[test]
fn the_protocol_like_tcp_has_a_bug_in_its_twin() {
    let found = check(&root(), &["examples/lf/tcp/tcp_broken.lf", "--property", "safety"]).unwrap();
    assert_eq!(found[0]["verdict"], "violated");
    assert_eq!(found[0]["fault"]["kind"], "assertion");
}

/// Runs a program with an input; its exit code, and what it printed.
fn run_with(program: &str, input: &str, more: &[&str]) -> (Option<i32>, String) {
    let directory = TempDir::new().unwrap();
    std::fs::write(directory.path().join("m.lf"), program).unwrap();
    std::fs::write(directory.path().join("input"), input).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .current_dir(directory.path())
        .args(["run", "m.lf"])
        .args(more)
        .stdin(std::fs::File::open(directory.path().join("input")).unwrap())
        .output()
        .unwrap();
    (output.status.code(), text(&output.stdout))
}

#[test]
fn input_is_read_word_by_word_or_byte_by_byte() {
    let program = "\
MODULE m; IMPORT In, Out;
VAR a, b: INTEGER; c: CHAR; ok: BOOLEAN;
BEGIN
  In.Int(a); In.Int(b); In.Bool(ok); In.Char(c); In.Char(c);
  Out.Int(a + b, 6); Out.Char(' '); Out.Bool(ok); Out.Char(c); Out.Ln
END m.
";
    assert_eq!(run_with(program, "3  -4\nTRUE z", &[]), (Some(0), "    -1 TRUEz\n".to_owned()));
    assert_eq!(run_with(program, "3", &[]).0, Some(1));
    assert_eq!(run_with(program, "three 4", &[]).0, Some(1));
}

#[test]
fn the_nearest_deadline_comes_first() {
    let program = "\
MODULE m; IMPORT Out;
PROCESS P(name: CHAR; n: INTEGER);
VAR i: INTEGER;
BEGIN FOR i := 1 TO n DO Out.Char(name); RESCHEDULE END END P;
BEGIN
  CREATE P('a', 3) DEADLINE 30000, P('b', 3) DEADLINE 10000, P('c', 3), P('d', 3) DEADLINE 20000
END m.
";
    assert_eq!(run_with(program, "", &[]).1, "abcdabcdabcd");
    assert_eq!(run_with(program, "", &["--scheduler", "edf"]).1, "bbbdddaaaccc");
    let anyhow = run_with(program, "", &["--scheduler", "random", "--seed", "3"]).1;
    assert_eq!(anyhow, run_with(program, "", &["--scheduler", "random", "--seed", "3"]).1);
}

#[test]
fn periodic_processes_begin_anew_and_interrupts_come() {
    let periodic = "\
MODULE m; IMPORT Out;
VAR n: INTEGER;
PROCESS Tick(c: CHAR);
BEGIN INC(n); Out.Char(c); ASSERT(n < 4) END Tick;
BEGIN CREATE Tick('x') DEADLINE 5 PERIOD 10 END m.
";
    assert_eq!(run_with(periodic, "", &["--scheduler", "edf"]), (Some(1), "xxxx".to_owned()));
    let timer = "\
MODULE m; IMPORT SYSTEM, Out;
VAR n: INTEGER;
BEGIN
  WHILE n < 3 DO SYSTEM.Interrupt0?INTERRUPT; INC(n); Out.Int(n) END
END m.
";
    assert_eq!(run_with(timer, "", &["--tick", "2"]), (Some(0), "123".to_owned()));
    let serial = "\
MODULE m; IMPORT SYSTEM;
VAR c: CHAR; s: INTEGER;
BEGIN
  REPEAT
    SYSTEM.Interrupt1?INTERRUPT;
    PORTIN(3FDH, s);
    WHILE BAND(s, 1) # 0 DO
      PORTIN(3F8H, c); PORTOUT(3F8H, CHR(ORD(c) + 1)); PORTIN(3FDH, s)
    END
  UNTIL c = 'c'
END m.
";
    assert_eq!(run_with(serial, "abc", &[]), (Some(0), "bcd".to_owned()));
}

/// What is not known when a program is checked makes no `holds`.
#[test]
fn unknown_inputs_are_not_taken_for_granted() {
    let directory = TempDir::new().unwrap();
    let program = "MODULE m; IMPORT In; VAR x: INTEGER; BEGIN In.Int(x); ASSERT(x # 77) END m.";
    std::fs::write(directory.path().join("m.lf"), program).unwrap();
    let verdict = |more: &[&str]| {
        let results = check(directory.path(), &[&["m.lf"], more].concat()).unwrap();
        results[0]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict(&[]), "unknown");
    assert_eq!(verdict(&["--nondet-range", "0..76"]), "holds");
    assert_eq!(verdict(&["--nondet-range", "0..100"]), "violated");
}
