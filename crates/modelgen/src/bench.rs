//! Auspex beside pan, in one run: states per second and bytes per state.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;
use wait4::Wait4;

pub struct Bench {
    pub auspex: PathBuf,
    /// How often each program runs; the fastest run counts.
    pub rounds: u32,
}

/// One measured run.
#[derive(Clone, Copy, Debug)]
struct Run {
    states: u64,
    /// Wall-clock seconds.
    seconds: f64,
    /// Peak memory of the process.
    bytes: u64,
}

impl Run {
    fn speed(self) -> f64 {
        self.states as f64 / self.seconds
    }

    fn bytes_per_state(self) -> f64 {
        self.bytes as f64 / self.states as f64
    }
}

type Outcome<T> = Result<T, String>;

const PLAIN: &[&str] = &["-DSAFETY", "-DNOREDUCE", "-DNOFAIR"];
const COLLAPSE: &[&str] = &["-DSAFETY", "-DNOREDUCE", "-DNOFAIR", "-DCOLLAPSE"];

const HEAD: &str = "\
| model | states | pan: states/s | pan: B/state | collapse: states/s | collapse: B/state | \
auspex 1: states/s | of pan | auspex 2: states/s | 2 : 1 | auspex: B/state | of pan |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
";

impl Bench {
    /// A table in Markdown, one row for each model.
    pub fn table(&self, models: &[PathBuf]) -> Outcome<String> {
        let mut table = HEAD.to_string();
        for model in models {
            let row = self.row(model)?;
            eprintln!("{row}");
            let _ = writeln!(table, "{row}");
        }
        Ok(table)
    }

    fn row(&self, model: &Path) -> Outcome<String> {
        let pan = self.pan(model, PLAIN)?;
        let collapse = self.pan(model, COLLAPSE)?;
        let one = self.auspex(model, 1)?;
        let two = self.auspex(model, 2)?;
        let name = model.file_stem().unwrap_or_default().to_string_lossy();
        if one.states != pan.states || two.states != pan.states {
            return Err(format!("{name}: {} states, pan has {}", one.states, pan.states));
        }
        let thousands = |run: Run| format!("{:.0}k", run.speed() / 1e3);
        Ok(format!(
            "| {name} | {:.2} M | {} | {:.0} | {} | {:.0} | {} | {:.2} | {} | {:.2} | {:.0} | {:.2} |",
            pan.states as f64 / 1e6,
            thousands(pan),
            pan.bytes_per_state(),
            thousands(collapse),
            collapse.bytes_per_state(),
            thousands(one),
            one.speed() / pan.speed(),
            thousands(two),
            two.speed() / one.speed(),
            one.bytes_per_state(),
            one.bytes_per_state() / pan.bytes_per_state(),
        ))
    }

    fn pan(&self, model: &Path, flags: &[&str]) -> Outcome<Run> {
        let dir = TempDir::new().map_err(|e| e.to_string())?;
        let model = std::path::absolute(model).map_err(|e| e.to_string())?;
        prepare(Command::new("spin").args(["-a", "-o1", "-o2", "-o3"]).arg(&model), dir.path())?;
        let mut gcc = Command::new("gcc");
        prepare(gcc.args(["-w", "-O3", "-o", "pan", "pan.c"]).args(flags), dir.path())?;
        // Just what the model needs, as its header says: the stack is part of pan's memory.
        let depth = format!("-m{}", depth_of(&model)?);
        let mut run = || self.measure(dir.path(), "./pan", &[&depth], stored);
        self.fastest(&mut run)
    }

    fn auspex(&self, model: &Path, workers: u32) -> Outcome<Run> {
        let dir = TempDir::new().map_err(|e| e.to_string())?;
        let model = std::path::absolute(model).map_err(|e| e.to_string())?;
        let workers = workers.to_string();
        let model = model.to_string_lossy().into_owned();
        let arguments = [
            "check",
            &model,
            "--workers",
            &workers,
            "--no-reduction",
            "--property",
            "safety",
            "--format",
            "json",
            "--quiet",
        ];
        let program = self.auspex.to_string_lossy().into_owned();
        let mut run = || self.measure(dir.path(), &program, &arguments, json_states);
        self.fastest(&mut run)
    }

    fn fastest(&self, run: &mut dyn FnMut() -> Outcome<Run>) -> Outcome<Run> {
        let mut best = run()?;
        for _ in 1..self.rounds {
            let next = run()?;
            if next.seconds < best.seconds {
                best = next;
            }
        }
        Ok(best)
    }

    fn measure(
        &self,
        dir: &Path,
        program: &str,
        arguments: &[&str],
        states: impl Fn(&str) -> Option<u64>,
    ) -> Outcome<Run> {
        let log = dir.join("out.log");
        let out = std::fs::File::create(&log).map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(dir).stdout(out).stderr(Stdio::null());
        let start = std::time::Instant::now();
        let child = command.spawn().map_err(|e| format!("{program}: {e}"))?;
        let used = child.wait4().map_err(|e| e.to_string())?.rusage;
        let seconds = start.elapsed().as_secs_f64();
        let text = std::fs::read_to_string(&log).map_err(|e| e.to_string())?;
        let states =
            states(&text).ok_or_else(|| format!("{program}: no state count in\n{text}"))?;
        Ok(Run { states, seconds, bytes: used.maxrss })
    }
}

fn prepare(command: &mut Command, dir: &Path) -> Outcome<()> {
    let output = command.current_dir(dir).output().map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The search depth that pan reached, from the header of the model, and a little more.
fn depth_of(model: &Path) -> Outcome<u64> {
    let text = std::fs::read_to_string(model).map_err(|e| format!("{}: {e}", model.display()))?;
    let number = text.split("depth ").nth(1).and_then(|rest| {
        rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok())
    });
    Ok(number.map_or(1_000_000, |depth: u64| depth + depth / 50 + 100))
}

/// From pan's report; nothing when it did not get to the end.
fn stored(output: &str) -> Option<u64> {
    if output.contains("max search depth too small") || !output.contains("errors: 0") {
        return None;
    }
    let line = output.lines().find(|line| line.ends_with("states, stored"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn json_states(output: &str) -> Option<u64> {
    let report: serde_json::Value = serde_json::from_str(output).ok()?;
    let result = &report["results"][0];
    (result["verdict"] == "holds").then(|| result["states"].as_u64()).flatten()
}
