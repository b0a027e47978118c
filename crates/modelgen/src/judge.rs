//! Spin as the judge: spin, gcc and pan run on a file in a directory of their own.

use crate::command::{self, Failure, Finished};
use crate::spin_output as read;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const SIGFPE: i32 = 8;

/// A way in which a model goes wrong, in the words of Auspex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: &'static str,
    /// Where Spin tells: not for deadlocks, nor inside a `d_step`, nor for a division by zero.
    pub line: Option<u32>,
}

/// All that is known to go wrong in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// The one found first, with its line.
    pub first: Fault,
    /// The others that pan reports when it goes on (`-c0`).
    pub others: Vec<Fault>,
    /// What it reports then that may only follow from what went wrong before: no proof, but no sign either that there is none.
    pub unproven: Vec<&'static str>,
    /// Whether pan got to the end when it went on: only then there is nothing else.
    pub exhaustive: bool,
}

impl Faults {
    /// One that is known; there may be others.
    pub fn only(first: Fault) -> Self {
        Faults { first, others: Vec::new(), unproven: Vec::new(), exhaustive: false }
    }

    /// Whether a fault of this kind may be reached.
    pub fn allow(&self, kind: &str) -> bool {
        let mut known = std::iter::once(&self.first).chain(&self.others);
        !self.exhaustive || known.any(|fault| fault.kind == kind) || self.unproven.contains(&kind)
    }
}

/// What Spin says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds {
        states: u64,
        transitions: u64,
    },
    Violated(Faults),
    /// Spin does not accept the text.
    Refused {
        line: Option<u32>,
        message: String,
    },
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoVerdict {
    /// A tool is missing or broken.
    Tool(String),
    /// The search was cut short: time, depth, memory.
    Incomplete(String),
}

impl fmt::Display for NoVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoVerdict::Tool(why) => write!(f, "Spin could not be run: {why}"),
            NoVerdict::Incomplete(why) => write!(f, "Spin gave no verdict: {why}"),
        }
    }
}

/// How much work a judgement may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    pub depth: u64,
    /// Optimise pan: worth its compile time only for more than about a million states.
    pub optimise: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(60), depth: 2_000_000, optimise: false }
    }
}

/// Fails with a clear message where spin or gcc is missing.
pub fn available() -> Result<(), NoVerdict> {
    for (tool, flag) in [("spin", "-V"), ("gcc", "--version")] {
        let output = Command::new(tool).arg(flag).output();
        if !output.is_ok_and(|output| output.status.success()) {
            return Err(NoVerdict::Tool(format!("`{tool}` is not installed (./test installs it)")));
        }
    }
    Ok(())
}

/// What Spin says of the model in `file`.
pub fn judge(file: &Path, limits: Limits) -> Result<Verdict, NoVerdict> {
    let court = Court::open(file, limits)?;
    if let Some(refusal) = court.generate()? {
        return Ok(refusal);
    }
    court.compile()?;
    court.search()
}

/// The directory in which one judgement takes place.
struct Court {
    dir: TempDir,
    model: String,
    limits: Limits,
}

impl Court {
    /// Copies the model and what it may include to a directory of its own.
    fn open(file: &Path, limits: Limits) -> Result<Court, NoVerdict> {
        let broken = |why: std::io::Error| NoVerdict::Tool(format!("{}: {why}", file.display()));
        let dir = TempDir::with_prefix("auspex-judge-").map_err(broken)?;
        let model = "model.pml".to_string();
        std::fs::copy(file, dir.path().join(&model)).map_err(broken)?;
        let home = file.parent().filter(|home| !home.as_os_str().is_empty());
        for entry in std::fs::read_dir(home.unwrap_or(Path::new("."))).map_err(broken)? {
            let path = entry.map_err(broken)?.path();
            if path.extension().is_some_and(|extension| extension == "h") {
                let name = path.file_name().unwrap_or_default();
                std::fs::copy(&path, dir.path().join(name)).map_err(broken)?;
            }
        }
        Ok(Court { dir, model, limits })
    }

    fn run(&self, command: &mut Command) -> Result<Finished, NoVerdict> {
        command::run(command, self.dir.path(), self.limits.time).map_err(|failure| match failure {
            Failure::Io(why) => NoVerdict::Tool(format!("{:?}: {why}", command.get_program())),
            Failure::Timeout => NoVerdict::Incomplete("time".into()),
        })
    }

    /// Lets spin write pan.c; a refusal is a verdict.
    fn generate(&self) -> Result<Option<Verdict>, NoVerdict> {
        // The plain semantics: no dataflow, no dead variables, no merging of statements.
        let done = self.run(Command::new("spin").args(["-a", "-o1", "-o2", "-o3", &self.model]))?;
        // "dubious use of 'else'" is called an error but is none: only the exit code counts.
        let accepted = done.status.success() && self.dir.path().join("pan.c").exists();
        Ok((!accepted).then(|| Verdict::Refused {
            line: read::refusal_line(&done.output()),
            message: done.output().trim().to_string(),
        }))
    }

    fn compile(&self) -> Result<(), NoVerdict> {
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR", "-DVECTORSZ=8192", "-o", "pan"]);
        gcc.arg(if self.limits.optimise { "-O3" } else { "-O0" });
        if self.has_claim()? {
            gcc.arg("-DNOCLAIM");
        }
        let done = self.run(gcc.arg("pan.c"))?;
        // Spin writes C that does not compile for some models, as for priorities with rendezvous.
        let why = || NoVerdict::Incomplete(format!("pan.c does not compile: {}", done.output()));
        if done.status.success() { Ok(()) } else { Err(why()) }
    }

    fn has_claim(&self) -> Result<bool, NoVerdict> {
        let header = std::fs::read_to_string(self.dir.path().join("pan.h"));
        let header = header.map_err(|why| NoVerdict::Tool(format!("pan.h: {why}")))?;
        // pan.h always has one for non-progress cycles, with a comment behind it.
        let number = |line: &str| line.trim().strip_prefix("#define VERI\t").map(str::to_string);
        Ok(header.lines().filter_map(number).any(|number| number.parse::<u32>().is_ok()))
    }

    fn pan(&self, more: &[&str]) -> Result<Finished, NoVerdict> {
        let depth = format!("-m{}", self.limits.depth);
        let table = if self.limits.optimise { "-w24" } else { "-w18" };
        self.run(Command::new(self.dir.path().join("pan")).args([&depth, table]).args(more))
    }

    fn search(&self) -> Result<Verdict, NoVerdict> {
        let done = self.pan(&[])?;
        let output = done.output();
        match (done.status.signal(), read::errors(&output).first()) {
            (Some(SIGFPE), _) => {
                let first = Fault { kind: "division", line: None };
                Ok(Verdict::Violated(Faults::only(first)))
            }
            (Some(signal), _) => Err(NoVerdict::Incomplete(format!("pan died: signal {signal}"))),
            (None, Some(_)) => match read::first_kind(&output) {
                Some(kind) => self.violated(kind),
                None => Err(self.unclear(&output)),
            },
            (None, None) => self.held(&output),
        }
    }

    fn unclear(&self, output: &str) -> NoVerdict {
        let why = read::incomplete(output).unwrap_or(output);
        NoVerdict::Incomplete(why.to_string())
    }

    fn held(&self, output: &str) -> Result<Verdict, NoVerdict> {
        let states = read::count(output, "states, stored");
        let transitions = read::count(output, "transitions (= stored+matched)");
        match (read::incomplete(output), states, transitions) {
            (None, Some(states), Some(transitions)) => Ok(Verdict::Holds { states, transitions }),
            _ => Err(self.unclear(output)),
        }
    }

    fn violated(&self, kind: &'static str) -> Result<Verdict, NoVerdict> {
        let replay = self.run(Command::new("spin").args(["-t", "-p", &self.model]))?;
        let first = Fault { kind, line: read::fault_line(&replay.output(), kind) };
        let mut faults = Faults::only(first);
        // Some faults end pan even with -c0, and some models have millions of them.
        if let Ok(all) = self.pan(&["-c0"]) {
            let output = all.output();
            // The first of them is the one that is known already.
            for (other, _) in read::distinct(&output).into_iter().skip(1) {
                match is_consequence(kind, other) {
                    true => faults.unproven.push(other),
                    false => faults.others.push(Fault { kind: other, line: None }),
                }
            }
            faults.exhaustive = all.status.success() && read::went_on(&output);
        }
        Ok(Verdict::Violated(faults))
    }
}

/// With `-c0` pan goes on with the wild index or channel that it has just complained of, so what
/// it meets next proves nothing.
fn is_consequence(first: &str, next: &str) -> bool {
    matches!(first, "index" | "channel") && matches!(next, "index" | "channel" | "deadlock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_consequence_is_neither_proved_nor_excluded() {
        let mut faults = Faults::only(Fault { kind: "index", line: None });
        faults.exhaustive = true;
        assert!(faults.allow("index") && !faults.allow("deadlock"));
        faults.unproven.push("deadlock");
        assert!(faults.allow("deadlock") && !faults.allow("assertion"));
    }
}
