//! Random formulas about random models: what pan says, and what Auspex says.

use crate::command::{self, Failure, Finished};
use crate::generate::generate;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// What came of one seed.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Agree {
        violated: bool,
    },
    /// One of the two cannot say: too large, or not a model.
    NoVerdict,
    Disagree(String),
}

const LIMIT: Duration = Duration::from_secs(60);

/// A random model and a random formula about its variables.
pub fn model(seed: u64) -> Option<String> {
    let text = without_assertions(seed, 10);
    let variables = variables(&text);
    if variables.is_empty() {
        return None;
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let atoms: Vec<String> = (0..3).map(|_| comparison(&mut random, &variables)).collect();
    let formula = formula(&mut random, &atoms, 3);
    Some(format!("{text}\nltl prop {{ {formula} }}\n"))
}

/// A random model without assertions: they would end runs.
pub fn without_assertions(seed: u64, size: usize) -> String {
    let plain = |line: &str| match line.trim_start().starts_with("assert(") {
        true => "\tskip;".to_owned(),
        false => line.to_owned(),
    };
    generate(seed, size).lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// The global variables of a random model that are plain numbers.
pub fn variables(text: &str) -> Vec<String> {
    let variable = |line: &str| {
        let (ty, rest) = line.split_once(' ')?;
        let name = rest.split([' ', ';', '=']).next()?;
        let known = ["bit", "bool", "byte", "short", "int"].contains(&ty);
        (known && !name.contains('[')).then(|| name.to_owned())
    };
    text.lines().filter_map(variable).collect()
}

/// A proposition about one of the variables.
pub fn comparison(random: &mut fastrand::Rng, variables: &[String]) -> String {
    let name = &variables[random.usize(..variables.len())];
    let relation = ["==", "<", ">", "!="][random.usize(..4)];
    format!("{name} {relation} {}", random.u8(..3))
}

fn formula(random: &mut fastrand::Rng, atoms: &[String], depth: u32) -> String {
    if depth == 0 || random.u8(..5) == 0 {
        let atom = &atoms[random.usize(..atoms.len())];
        return format!("{}({atom})", if random.u8(..3) == 0 { "!" } else { "" });
    }
    let mut inner = || formula(random, atoms, depth - 1);
    let (a, b) = (inner(), inner());
    match random.u8(..9) {
        0 => format!("[]({a})"),
        1 => format!("<>({a})"),
        2 => format!("[](<>({a}))"),
        3 => format!("<>([]({a}))"),
        4 => format!("!({a})"),
        5 => format!("(({a}) U ({b}))"),
        6 => format!("(({a}) V ({b}))"),
        7 => format!("(({a}) -> ({b}))"),
        _ => format!("(({a}) && ({b}))"),
    }
}

/// Compares one seed, with every algorithm.
pub fn compare(auspex: &Path, seed: u64) -> Result<Outcome, String> {
    let Some(text) = model(seed) else { return Ok(Outcome::NoVerdict) };
    let dir = TempDir::with_prefix("auspex-judge-").map_err(|why| why.to_string())?;
    std::fs::write(dir.path().join("model.pml"), &text).map_err(|why| why.to_string())?;
    let Some(expected) = pan(dir.path())? else { return Ok(Outcome::NoVerdict) };
    for algorithm in ["components", "nested", "cndfs"] {
        match answer(auspex, dir.path(), algorithm)? {
            Some(violated) if violated != expected => {
                let word = |violated| if violated { "violated" } else { "holds" };
                return Ok(Outcome::Disagree(format!(
                    "Spin: {}, Auspex ({algorithm}): {}\n{text}",
                    word(expected),
                    word(violated)
                )));
            }
            Some(_) => {}
            None => return Ok(Outcome::NoVerdict),
        }
    }
    Ok(Outcome::Agree { violated: expected })
}

fn run(command: &mut Command, dir: &Path) -> Result<Option<Finished>, String> {
    match command::run(command, dir, LIMIT) {
        Ok(done) => Ok(Some(done)),
        Err(Failure::Timeout) => Ok(None),
        Err(Failure::Io(why)) => Err(format!("{:?}: {why}", command.get_program())),
    }
}

/// Does pan find a run that violates it? Without reduction, which is known to be wrong at times.
fn pan(dir: &Path) -> Result<Option<bool>, String> {
    run(Command::new("spin").args(["-a", "model.pml"]), dir)?;
    if !dir.join("pan.c").exists() {
        return Ok(None);
    }
    let flags = ["-w", "-O1", "-DNOREDUCE", "-DNOFAIR", "-DMEMLIM=2000", "-o", "pan", "pan.c"];
    match run(Command::new("gcc").args(flags), dir)? {
        Some(done) if done.status.success() => {}
        _ => return Ok(None),
    }
    let mut command = Command::new(dir.join("pan"));
    let Some(done) = run(command.args(["-a", "-E", "-m200000"]), dir)? else { return Ok(None) };
    let out = done.output();
    if out.contains("max search depth too small") || out.contains("out of memory") {
        return Ok(None);
    }
    // Any other error is one of the model, not of the formula.
    let seen = ["acceptance cycle", "assertion violated", "end state in claim"];
    Ok(match out.split("errors: ").nth(1).and_then(|rest| rest.chars().next()) {
        Some('0') => Some(false),
        Some(_) => seen.iter().any(|words| out.contains(words)).then_some(true),
        None => None,
    })
}

fn answer(auspex: &Path, dir: &Path, algorithm: &str) -> Result<Option<bool>, String> {
    let mut command = Command::new(auspex);
    command.args(["check", "model.pml", "--property", "prop", "--format", "json", "--quiet"]);
    command.args(["--max-states", "500000", "--algorithm", algorithm]);
    let Some(done) = run(&mut command, dir)? else { return Ok(None) };
    match done.status.code() {
        Some(0) => Ok(Some(false)),
        Some(1) => {
            let report: Value = serde_json::from_str(&done.stdout).unwrap_or_default();
            let cycle = &report["results"][0]["trace"]["cycle"];
            match cycle.as_array().is_some_and(|steps| !steps.is_empty()) {
                true => Ok(Some(true)),
                false => Err(format!("a violation without a cycle:\n{}", done.stdout)),
            }
        }
        Some(2 | 3) => Ok(None),
        other => Err(format!("exit code {other:?}\n{}", done.output())),
    }
}
