//! The C programs of the corpus: what their headers expect, and what Auspex says of them.
//!
//! ```text
//! /* expect: violated         (or: holds | unknown)
//!  * fault: assertion         (for violated: the kind)
//!  * line: 17                 (for violated: where, if that matters)
//!  * reason: nondet           (for unknown)
//!  * flags: --check race      (for auspex check)
//!  * cflags: -DNDEBUG         (for the compiler)
//!  * what: one line that says what this program is for
//!  */
//! ```

use auspex_modelgen::command::{self, Failure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// What the header of a program says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub verdict: String,
    pub fault: Option<String>,
    pub line: Option<u64>,
    pub reason: Option<String>,
    pub flags: Vec<String>,
    pub cflags: Vec<String>,
}

/// What `auspex check` says of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub verdict: String,
    pub reason: Option<String>,
    /// The kinds of all faults that were found.
    pub kinds: BTreeSet<String>,
    /// Where the first of them is.
    pub line: Option<u64>,
    pub states: u64,
    pub complete: bool,
}

/// All the `.c` files under `dir`, in order.
pub fn programs(dir: &Path) -> Vec<PathBuf> {
    auspex_modelgen::corpus::files(dir, "c")
}

/// Reads the header of a program.
pub fn header(text: &str) -> Result<Header, String> {
    let comment = text.trim_start().strip_prefix("/*").unwrap_or_default();
    let comment = comment.split("*/").next().unwrap_or_default();
    let field = |name: &str| {
        let lines = comment.lines().map(|line| line.trim_start_matches([' ', '*', '\t']));
        let mut fields = lines.filter_map(|line| line.split_once(':'));
        fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_string())
    };
    let words = |name: &str| -> Vec<String> {
        field(name).unwrap_or_default().split_whitespace().map(str::to_string).collect()
    };
    let verdict = field("expect").ok_or("no `expect:` in the header comment")?;
    let header = Header {
        fault: field("fault"),
        line: field("line").and_then(|line| line.parse().ok()),
        reason: field("reason"),
        flags: words("flags"),
        cflags: words("cflags"),
        verdict,
    };
    match (header.verdict.as_str(), &header.fault, &header.reason) {
        ("holds", None, None) | ("violated", Some(_), None) | ("unknown", None, Some(_)) => {
            Ok(header)
        }
        _ => Err(format!("this header makes no sense: {header:?}")),
    }
}

impl Header {
    /// Whether an answer is what the header expects.
    pub fn fits(&self, answer: &Answer) -> bool {
        let kind = self.fault.as_ref().is_none_or(|kind| answer.kinds.contains(kind));
        let line = self.line.is_none() || self.line == answer.line;
        let reason = self.reason.is_none() || self.reason == answer.reason;
        self.verdict == answer.verdict && kind && line && reason
    }
}

/// The arguments of `auspex check` for a program.
pub fn arguments(file: &Path, header: &Header, more: &[&str]) -> Vec<String> {
    let mut arguments = vec!["check".to_string(), file.display().to_string()];
    arguments.extend(header.flags.iter().cloned());
    arguments.extend(more.iter().map(|flag| flag.to_string()));
    if !header.cflags.is_empty() {
        arguments.push("--".to_string());
        arguments.extend(header.cflags.iter().cloned());
    }
    arguments
}

/// Runs `auspex` with these arguments, which ask for JSON.
pub fn check(auspex: &Path, arguments: &[String], limit: Duration) -> Result<Answer, String> {
    let dir = TempDir::with_prefix("auspex-check-").map_err(|why| why.to_string())?;
    let mut command = Command::new(auspex);
    command.args(arguments);
    match command::run(&mut command, dir.path(), limit) {
        Ok(done) => read(done.status.code(), &done.stdout)
            .ok_or_else(|| format!("{:?}\n{}{}", done.status, done.stdout, done.stderr)),
        Err(Failure::Timeout) => Err("it did not come back".into()),
        Err(Failure::Io(why)) => Err(why.to_string()),
    }
}

fn read(code: Option<i32>, stdout: &str) -> Option<Answer> {
    let report = serde_json::from_str::<Value>(stdout).ok()?;
    let result = report["results"].get(0)?;
    let verdict = result["verdict"].as_str()?.to_string();
    let right = match verdict.as_str() {
        "holds" => 0,
        "violated" => 1,
        "unknown" => 3,
        _ => return None,
    };
    let kind = |fault: &Value| fault["kind"].as_str().map(str::to_string);
    let all = result["faults"].as_array().into_iter().flatten();
    (code == Some(right)).then(|| Answer {
        verdict,
        reason: result["reason"].as_str().map(str::to_string),
        kinds: all.chain([&result["fault"]]).filter_map(kind).collect(),
        line: result["fault"]["location"]["line"].as_u64(),
        states: result["states"].as_u64().unwrap_or_default(),
        complete: result["complete"].as_bool().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "/* expect: violated\n * fault: race\n * line: 7\n * flags: --check race\n */\n";

    #[test]
    fn headers_and_answers_are_read() {
        let header = header(TEXT).unwrap();
        assert_eq!(header.flags, ["--check", "race"]);
        let report = r#"{"results":[{"verdict":"violated","complete":false,"states":5,
            "fault":{"kind":"race","location":{"line":7}},"faults":[]}]}"#;
        let answer = read(Some(1), report).unwrap();
        assert!(header.fits(&answer));
        assert!(!header.fits(&Answer { line: Some(8), ..answer.clone() }));
        assert!(read(Some(0), report).is_none());
        let arguments = arguments(Path::new("a.c"), &header, &["--all"]);
        assert_eq!(arguments, ["check", "a.c", "--check", "race", "--all"]);
    }

    #[test]
    fn a_header_that_makes_no_sense_is_refused() {
        assert!(super::header("/* expect: violated */").is_err());
        assert!(super::header("int x;").is_err());
    }
}
