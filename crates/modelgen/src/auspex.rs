//! Running the `auspex` command and reading its answer.

use crate::command::{self, Failure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// What `auspex check` says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Holds {
        states: u64,
        transitions: u64,
    },
    Violated {
        kind: String,
        line: Option<u32>,
    },
    /// The text was refused (exit code 2), with the line the message points at.
    Refused {
        line: Option<u32>,
        message: String,
    },
    /// Nothing was found, but the search was not complete (exit code 3).
    Unknown {
        reason: String,
    },
    /// Anything that must not happen: exit code 4, a panic, an exit code that does not fit.
    Broken(String),
}

/// Checks `file` for safety with `more` flags.
pub fn check(program: &Path, file: &Path, more: &[&str], limit: Duration) -> Answer {
    match TempDir::with_prefix("auspex-check-") {
        Ok(dir) => check_in(dir.path(), program, file, more, limit),
        Err(why) => Answer::Broken(why.to_string()),
    }
}

fn check_in(dir: &Path, program: &Path, file: &Path, more: &[&str], limit: Duration) -> Answer {
    let file = std::path::absolute(file).unwrap_or(file.to_path_buf());
    let mut command = Command::new(program);
    command.arg("check").arg(&file).args(["--format", "json", "--property", "safety"]);
    command.args(["--no-reduction", "--trace", "trace.json"]).args(more);
    match command::run(&mut command, dir, limit) {
        Ok(done) => read(done.status.code(), &done.stdout, &done.stderr),
        Err(Failure::Timeout) => Answer::Broken("it did not come back".into()),
        Err(Failure::Io(why)) => Answer::Broken(why.to_string()),
    }
}

fn read(code: Option<i32>, stdout: &str, stderr: &str) -> Answer {
    let broken = || Answer::Broken(format!("exit code {code:?}\n{stdout}{stderr}"));
    if code == Some(2) {
        let message = format!("{stdout}{stderr}");
        return Answer::Refused { line: diagnostic_line(&message), message };
    }
    let Ok(report) = serde_json::from_str::<Value>(stdout) else { return broken() };
    let result = &report["results"][0];
    match (code, result["verdict"].as_str()) {
        (Some(0), Some("holds")) => holds(result).unwrap_or_else(broken),
        (Some(1), Some("violated")) => violated(&result["fault"]).unwrap_or_else(broken),
        (Some(3), Some("unknown")) => Answer::Unknown { reason: text(&result["reason"]) },
        _ => broken(),
    }
}

fn holds(result: &Value) -> Option<Answer> {
    let (states, transitions) = (result["states"].as_u64()?, result["transitions"].as_u64()?);
    Some(Answer::Holds { states, transitions })
}

fn violated(fault: &Value) -> Option<Answer> {
    let kind = fault["kind"].as_str()?.to_string();
    let line = fault["location"]["line"].as_u64().and_then(|line| u32::try_from(line).ok());
    Some(Answer::Violated { kind, line })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// The line of the first error: the first position `….pml:LINE:` behind the word `error`.
fn diagnostic_line(message: &str) -> Option<u32> {
    let error = &message[message.find("error")?..];
    let behind = &error[error.find(".pml:")? + ".pml:".len()..];
    behind.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_from_json_and_exit_code() {
        let holds = r#"{"results":[{"verdict":"holds","states":7,"transitions":9}]}"#;
        assert_eq!(read(Some(0), holds, ""), Answer::Holds { states: 7, transitions: 9 });
        assert!(matches!(read(Some(1), holds, ""), Answer::Broken(_)));
        let violated = r#"{"results":[{"verdict":"violated",
            "fault":{"kind":"index","location":{"line":4}}}]}"#;
        let index = Answer::Violated { kind: "index".into(), line: Some(4) };
        assert_eq!(read(Some(1), violated, ""), index);
    }

    #[test]
    fn the_line_of_a_refusal_is_found() {
        let message = "warning: x\n --> a.pml:1:2\nerror: unknown name\n --> /t/a.pml:12:3\n";
        assert_eq!(diagnostic_line(message), Some(12));
        assert_eq!(diagnostic_line("error: no such file"), None);
    }
}
