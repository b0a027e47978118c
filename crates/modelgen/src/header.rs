//! The comment at the top of a model that says what is expected of it.
//!
//! ```text
//! /* expect: holds            (or: violated | error)
//!  * states: 1234             (for holds: what pan stores without any reduction)
//!  * fault: assertion 17      (for violated: kind and, where there is one, line)
//!  * line: 9                  (for error: where the text is refused)
//!  * spin: differs            (only where Auspex differs from Spin on purpose)
//!  * what: one line that says what this model is for
//!  */
//! ```

use crate::judge::{Fault, Verdict};

/// What the header of a model expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub expect: Expect,
    /// Auspex differs from Spin on purpose: `docs/promela.md` says why.
    pub differs: bool,
    pub what: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// `None`: the count is not filled in yet.
    Holds(Option<u64>),
    Violated {
        kind: String,
        line: Option<u32>,
    },
    Error {
        line: Option<u32>,
    },
}

/// Reads the header of a model.
pub fn parse(text: &str) -> Result<Header, String> {
    let fields = Fields::of(text);
    let number = |name| fields.get(name).and_then(|value| value.parse().ok());
    let expect = match fields.get("expect") {
        Some("holds") => Expect::Holds(number("states")),
        Some("violated") => violated(fields.get("fault").unwrap_or("?")),
        Some("error") => Expect::Error { line: number("line").map(|line| line as u32) },
        Some(other) => return Err(format!("`expect: {other}` is not holds, violated or error")),
        None => return Err("no `expect:` in the header comment".into()),
    };
    let differs = fields.get("spin") == Some("differs");
    Ok(Header { expect, differs, what: fields.get("what").unwrap_or_default().to_string() })
}

fn violated(fault: &str) -> Expect {
    let mut words = fault.split_whitespace();
    let kind = words.next().unwrap_or("?").to_string();
    Expect::Violated { kind, line: words.next().and_then(|line| line.parse().ok()) }
}

/// The `name: value` lines of the comment that a file begins with.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Fields<'a> {
    fn of(text: &'a str) -> Self {
        let comment = text.trim_start().strip_prefix("/*").unwrap_or_default();
        let comment = comment.split("*/").next().unwrap_or_default();
        let lines = comment.lines().map(|line| line.trim_start_matches([' ', '*', '\t']));
        Fields(lines.filter_map(|line| line.split_once(':')).map(trim).collect())
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }
}

fn trim<'a>((name, value): (&'a str, &'a str)) -> (&'a str, &'a str) {
    (name.trim(), value.trim())
}

/// How Spin's verdict differs from what the header expects, if it does.
pub fn disagreement(expect: &Expect, verdict: &Verdict) -> Option<String> {
    let agree = match (expect, verdict) {
        (Expect::Holds(expected), Verdict::Holds { states, .. }) => *expected == Some(*states),
        (Expect::Violated { kind, line }, Verdict::Violated(faults)) => {
            let Fault { kind: found, line: at } = faults.first;
            faults.others.is_empty() && found == kind && (at.is_none() || at == *line)
        }
        // Spin notices many errors only at the token behind them, on a later line.
        (Expect::Error { line: Some(line) }, Verdict::Refused { line: refused, .. }) => {
            refused.is_none_or(|refused| refused >= *line && refused <= line + 2)
        }
        _ => false,
    };
    (!agree).then(|| format!("the header says {expect:?}, Spin {verdict:?}"))
}

/// The text with the numbers of its header replaced by those of `verdict`. Lines are never added:
/// that would move the lines that faults are reported at.
pub fn fill(text: &str, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds { states, .. } => replace(text, "states", &states.to_string()),
        Verdict::Violated(faults) => match faults.first {
            Fault { kind, line: Some(line) } => replace(text, "fault", &format!("{kind} {line}")),
            Fault { line: None, .. } => text.to_string(),
        },
        // Where a text is refused is for its author to say: Spin is often a line late.
        Verdict::Refused { .. } => text.to_string(),
    }
}

/// Replaces the value of the first line ` * name: value`.
fn replace(text: &str, name: &str, value: &str) -> String {
    let start = format!(" * {name}:");
    let mut done = false;
    let lines = text.split('\n').map(|line| {
        if done || !line.starts_with(&start) {
            return line.to_string();
        }
        done = true;
        format!("{start} {value}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Faults;

    const HOLDS: &str = "/* expect: holds\n * states: ?\n * what: a: b\n */\nskip\n";

    #[test]
    fn a_header_is_read() {
        let header = parse(HOLDS).unwrap();
        assert_eq!(
            header,
            Header { expect: Expect::Holds(None), differs: false, what: "a: b".into() }
        );
        let violated = parse("/* expect: violated\n * fault: assertion 17\n */").unwrap().expect;
        assert_eq!(violated, Expect::Violated { kind: "assertion".into(), line: Some(17) });
        assert!(parse("byte x;").is_err());
    }

    #[test]
    fn filling_changes_only_the_number() {
        let filled = fill(HOLDS, &Verdict::Holds { states: 7, transitions: 9 });
        assert_eq!(filled, HOLDS.replace('?', "7"));
        assert_eq!(parse(&filled).unwrap().expect, Expect::Holds(Some(7)));
    }

    #[test]
    fn a_second_kind_of_fault_is_a_disagreement() {
        let expect = Expect::Violated { kind: "deadlock".into(), line: None };
        let first = Fault { kind: "deadlock", line: None };
        let mut faults = Faults { exhaustive: true, ..Faults::only(first) };
        assert!(disagreement(&expect, &Verdict::Violated(faults.clone())).is_none());
        faults.others.push(Fault { kind: "index", line: None });
        assert!(disagreement(&expect, &Verdict::Violated(faults)).is_some());
    }
}
