//! Temporal properties of one model, as pan and as Auspex see them.

use crate::command::{self, Failure, Finished};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Whatever takes longer is left out.
const LIMIT: Duration = Duration::from_secs(30);

/// A model in a directory of its own.
pub struct Case {
    dir: TempDir,
}

impl Case {
    /// With the files that the model may include: all headers of `home`.
    pub fn new(text: &str, home: Option<&Path>) -> Result<Case, String> {
        let dir = TempDir::with_prefix("auspex-judge-").map_err(|why| why.to_string())?;
        let broken = |why: std::io::Error| why.to_string();
        std::fs::write(dir.path().join("model.pml"), text).map_err(broken)?;
        let files = home.map(std::fs::read_dir).transpose().map_err(broken)?;
        for file in files.into_iter().flatten() {
            let path = file.map_err(broken)?.path();
            if let (Some("h"), Some(name)) =
                (path.extension().and_then(|e| e.to_str()), path.file_name())
            {
                std::fs::copy(&path, dir.path().join(name)).map_err(broken)?;
            }
        }
        Ok(Case { dir })
    }

    fn run(&self, command: &mut Command) -> Result<Option<Finished>, String> {
        match command::run(command, self.dir.path(), LIMIT) {
            Ok(done) => Ok(Some(done)),
            Err(Failure::Timeout) => Ok(None),
            Err(Failure::Io(why)) => Err(format!("{:?}: {why}", command.get_program())),
        }
    }

    /// Makes the verifier of all claims, without reduction, which is known to be wrong at times. `None` if Spin
    /// cannot.
    pub fn pan(&self) -> Result<Option<Pan<'_>>, String> {
        self.run(Command::new("spin").args(["-a", "model.pml"]))?;
        if !self.dir.path().join("pan.c").exists() {
            return Ok(None);
        }
        let flags = ["-w", "-O0", "-DNOREDUCE", "-DMEMLIM=2000", "-o", "pan", "pan.c"];
        let made = self.run(Command::new("gcc").args(flags))?;
        Ok(made.is_some_and(|done| done.status.success()).then_some(Pan { case: self }))
    }

    /// Which of the properties are violated, as Auspex says; `None` where it does not know.
    pub fn auspex(
        &self,
        program: &Path,
        properties: &[&str],
        flags: &[&str],
    ) -> Result<Vec<Option<bool>>, String> {
        let mut command = Command::new(program);
        command.args(["check", "model.pml", "--format", "json", "--quiet"]).args(flags);
        command.args(properties.iter().flat_map(|name| ["--property", name]));
        let Some(done) = self.run(&mut command)? else { return Ok(vec![None; properties.len()]) };
        let said = || format!("exit code {:?}\n{}", done.status.code(), done.output());
        match done.status.code() {
            Some(0 | 1 | 3) => {}
            Some(2) => return Ok(vec![None; properties.len()]),
            _ => return Err(said()),
        }
        let report: Value = serde_json::from_str(&done.stdout).map_err(|_| said())?;
        properties.iter().map(|name| verdict(&report, name).ok_or_else(said)).collect()
    }
}

/// Is the property violated? With a run that goes round, or else the report is wrong.
fn verdict(report: &Value, name: &str) -> Option<Option<bool>> {
    let result = report["results"].as_array()?.iter().find(|result| result["property"] == name)?;
    let cycle = result["trace"]["cycle"].as_array().is_some_and(|steps| !steps.is_empty());
    match (result["verdict"].as_str()?, cycle) {
        ("holds", false) => Some(Some(false)),
        ("violated", true) => Some(Some(true)),
        ("unknown", false) => Some(None),
        _ => None,
    }
}

/// The verifier of a model.
pub struct Pan<'c> {
    case: &'c Case,
}

impl Pan<'_> {
    /// Does it find a (weakly fair) run that violates the formula? `None` if it gets nowhere.
    pub fn is_violated(&self, formula: &str, fair: bool) -> Result<Option<bool>, String> {
        let mut command = Command::new(self.case.dir.path().join("pan"));
        // Without a bound a fair search may go down for ever.
        command.args(["-a", "-E", "-m200000", "-N", formula]);
        if fair {
            command.arg("-f");
        }
        let Some(done) = self.case.run(&mut command)? else { return Ok(None) };
        let out = done.output();
        let cut = out.contains("max search depth too small") || out.contains("out of memory");
        // Any other error is one of the model, not of the formula.
        let seen = ["acceptance cycle", "assertion violated", "end state in claim"];
        Ok(match out.split("errors: ").nth(1).and_then(|rest| rest.chars().next()) {
            Some('0') => (!cut).then_some(false),
            Some(_) => seen.iter().any(|words| out.contains(words)).then_some(true),
            None => None,
        })
    }
}
