//! Random models through both tools.

use crate::auspex::{self, Answer};
use crate::generate::generate;
use crate::judge::{self, Faults, Limits, NoVerdict, Verdict};
use crate::{header, shrink};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// What became of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both say the same; the word is what Spin said.
    Agree(&'static str),
    /// Spin does not take the text.
    Refused(String),
    /// Spin does not come to an end.
    TooLarge(String),
    Disagree(Disagreement),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What sort of disagreement: a model is shrunk only while this stays the same.
    pub sort: String,
    pub why: String,
}

/// How random models are compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Without it the models are only judged.
    pub auspex: Option<PathBuf>,
    pub size: usize,
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(5), depth: 500_000, optimise: false }
}

impl Comparison {
    /// Compares the model of a seed.
    pub fn seed(&self, seed: u64) -> Result<Outcome, NoVerdict> {
        self.text(&generate(seed, self.size))
    }

    /// Compares a model.
    pub fn text(&self, text: &str) -> Result<Outcome, NoVerdict> {
        let broken = |why: std::io::Error| NoVerdict::Tool(why.to_string());
        let dir = TempDir::with_prefix("auspex-random-").map_err(broken)?;
        let file = dir.path().join("random.pml");
        std::fs::write(&file, text).map_err(broken)?;
        match judge::judge(&file, limits()) {
            Ok(Verdict::Refused { message, .. }) => Ok(Outcome::Refused(message)),
            Ok(verdict) => Ok(self.against(&verdict, &file)),
            Err(NoVerdict::Incomplete(why)) => Ok(Outcome::TooLarge(why)),
            Err(why) => Err(why),
        }
    }

    fn against(&self, verdict: &Verdict, file: &Path) -> Outcome {
        let Some(program) = &self.auspex else { return Outcome::Agree(word(verdict)) };
        let answer = auspex::check(program, file, &["--workers", "1"], Duration::from_secs(60));
        if agrees(verdict, &answer) {
            return Outcome::Agree(word(verdict));
        }
        let why = format!("Spin: {verdict:?}\nAuspex: {answer:?}");
        Outcome::Disagree(Disagreement { sort: sort(verdict, &answer), why })
    }

    /// The smallest model that can be cut out of `text` on which the tools disagree in this way.
    pub fn shrink(&self, text: &str, sort: &str) -> String {
        shrink::shrink(text, |smaller| match self.text(smaller) {
            Ok(Outcome::Disagree(found)) => found.sort == sort,
            _ => false,
        })
    }

    /// A model as a file of the corpus, with Spin's verdict in its header.
    pub fn as_regression(&self, text: &str, seed: u64) -> Result<String, NoVerdict> {
        let broken = |why: std::io::Error| NoVerdict::Tool(why.to_string());
        let dir = TempDir::with_prefix("auspex-random-").map_err(broken)?;
        let file = dir.path().join("random.pml");
        std::fs::write(&file, text).map_err(broken)?;
        let expected = match judge::judge(&file, limits())? {
            Verdict::Holds { .. } => "holds\n * states: ?".to_string(),
            Verdict::Violated(faults) => format!("violated\n * fault: {}", faults.first.kind),
            Verdict::Refused { .. } => "error\n * line: ?".to_string(),
        };
        let what = format!("found by comparison with Spin (seed {seed}, size {})", self.size);
        let model = format!("/* expect: {expected}\n * what: {what}\n */\n{text}");
        std::fs::write(&file, &model).map_err(broken)?;
        Ok(header::fill(&model, &judge::judge(&file, limits())?))
    }
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Violated(faults) => faults.first.kind,
        Verdict::Refused { .. } => "refused",
    }
}

fn sort(verdict: &Verdict, answer: &Answer) -> String {
    let ours = match (verdict, answer) {
        (Verdict::Holds { states, .. }, Answer::Holds { states: ours, .. }) if states == ours => {
            "transitions"
        }
        (_, Answer::Holds { .. }) => "holds",
        (_, Answer::Violated { kind, .. }) => kind,
        (_, Answer::Refused { .. }) => "refused",
        (_, Answer::Unknown { .. }) => "unknown",
        (_, Answer::Broken(_)) => "broken",
    };
    format!("{} {ours}", word(verdict))
}

/// Whether an answer fits what Spin says of the same model.
pub fn agrees(verdict: &Verdict, answer: &Answer) -> bool {
    match (verdict, answer) {
        (
            Verdict::Holds { states, transitions },
            Answer::Holds { states: ours, transitions: edges },
        ) => {
            // Spin counts the arrival at the initial state as a transition too.
            states == ours && *transitions == edges + 1
        }
        (Verdict::Violated(faults), Answer::Violated { kind, line }) => {
            faults.allow(kind) && same_line(faults, *line)
        }
        _ => false,
    }
}

/// Where only one fault is reachable and Spin names its line, that is the line.
fn same_line(faults: &Faults, line: Option<u32>) -> bool {
    let only = faults.exhaustive && faults.others.is_empty();
    let known = only && faults.first.kind == "assertion" && faults.first.line.is_some();
    !known || faults.first.line == line
}
