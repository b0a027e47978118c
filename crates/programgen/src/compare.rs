//! Random programs natively and under Auspex.

use crate::generate::{PRELUDE, Style, generate};
use crate::native::{self, Compiler, Values};
use crate::shrink;
use auspex_modelgen::command::{self, Failure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// How random programs are compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub auspex: PathBuf,
    pub clang: String,
    /// The level of `-O`, for both.
    pub optimise: u8,
    pub style: Style,
    /// Have native execution look out for undefined behaviour as well.
    pub sanitise: bool,
}

/// What became of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All values are the same: how many there are.
    Agree(usize),
    /// The program is wrong: the generator has to be mended.
    Unfit(String),
    Disagree(Disagreement),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What sort of disagreement: a program is shrunk only while this stays the same.
    pub sort: String,
    pub why: String,
}

impl Comparison {
    /// Compares one program of the units of these seeds.
    pub fn seeds(&self, seeds: &[u64]) -> Result<Outcome, String> {
        self.text(&generate(seeds, self.style))
    }

    /// Compares a program.
    pub fn text(&self, text: &str) -> Result<Outcome, String> {
        let dir = TempDir::with_prefix("auspex-random-").map_err(|why| why.to_string())?;
        let how = Compiler { optimise: self.optimise, sanitise: self.sanitise };
        let values = match native::run(&self.clang, dir.path(), text, how) {
            Ok(values) => values,
            Err(why) => return Ok(Outcome::Unfit(why)),
        };
        let found = self.check(dir.path(), text, &values)?;
        Ok(found
            .map_or(Outcome::Agree(values.numbers.len() + values.strings.len()), Outcome::Disagree))
    }

    /// What Auspex finds in the program, if it does not agree.
    fn check(
        &self,
        dir: &Path,
        text: &str,
        values: &Values,
    ) -> Result<Option<Disagreement>, String> {
        let write = |name: &str, text: &str| std::fs::write(dir.join(name), text);
        write("program.c", text).map_err(|why| why.to_string())?;
        write("expected.h", &values.header()).map_err(|why| why.to_string())?;
        let mut command = Command::new(&self.auspex);
        command.args(["check", "program.c", "--format", "json", "--workers", "1"]);
        command.args(["--trace", "trace.json", "-O", &self.optimise.to_string()]);
        command.args(["--", "-DAUSPEX_EXPECTED", "-I."]).args(native::shared_flags(self.optimise));
        match command::run(&mut command, dir, Duration::from_secs(60)) {
            Ok(done) => Ok(disagreement(done.status.code(), &done.stdout, &done.stderr)),
            Err(Failure::Timeout) => {
                let sort = "no end".to_string();
                Ok(Some(Disagreement { why: "Auspex did not come back".into(), sort }))
            }
            Err(Failure::Io(why)) => Err(format!("{}: {why}", self.auspex.display())),
        }
    }

    /// The smallest program that can be cut out of `text` on which both disagree in this way.
    pub fn shrink(&self, text: &str, sort: &str) -> String {
        // Leaving out an initialisation must not pass for a finding.
        let careful = Comparison { sanitise: true, ..self.clone() };
        // Nor is there anything to be found where values are handed out.
        let units = text.strip_prefix(PRELUDE).unwrap_or(text);
        let small =
            shrink::shrink(units, |smaller| match careful.text(&format!("{PRELUDE}{smaller}")) {
                Ok(Outcome::Disagree(found)) => found.sort == sort,
                _ => false,
            });
        format!("{PRELUDE}{small}")
    }

    /// A program as a file of the corpus, with its values.
    pub fn as_regression(&self, text: &str, what: &str) -> Result<String, String> {
        let dir = TempDir::with_prefix("auspex-random-").map_err(|why| why.to_string())?;
        let how = Compiler { optimise: self.optimise, sanitise: false };
        let values = native::run(&self.clang, dir.path(), text, how)?;
        let text = text.replace("#include \"expected.h\"\n", &values.header());
        let level = match self.optimise {
            0 => String::new(),
            level => format!(" * flags: -O {level}\n"),
        };
        Ok(format!(
            "/* expect: holds\n{level} * what: {what}\n */\n#define AUSPEX_EXPECTED\n{text}"
        ))
    }
}

fn disagreement(code: Option<i32>, stdout: &str, stderr: &str) -> Option<Disagreement> {
    if code == Some(0) {
        return None;
    }
    let report = serde_json::from_str::<Value>(stdout).unwrap_or(Value::Null);
    let result = &report["results"][0];
    let fault = &result["fault"];
    let (sort, why) = match (code, fault["kind"].as_str()) {
        (Some(1), Some(kind)) => {
            let place = &fault["location"];
            let message = format!("{}, line {}", fault["message"], place["line"]);
            (kind.to_string(), format!("{kind}: {message}"))
        }
        (Some(2), _) => {
            let first = stderr.lines().find(|line| line.contains("error")).unwrap_or_default();
            (format!("refused: {first}"), stderr.to_string())
        }
        (Some(3), _) => {
            let why = format!("{}: {}", result["reason"], fault["message"]);
            (
                format!("unknown: {why}"),
                format!("unknown: {why}, line {}", fault["location"]["line"]),
            )
        }
        _ => (format!("exit code {code:?}"), format!("exit code {code:?}\n{stdout}{stderr}")),
    };
    Some(Disagreement { sort, why })
}
