//! Random models through both tools.

use crate::auspex::{self, Answer};
use crate::generate::generate;
use crate::judge::{self, Limits, NoVerdict, Verdict};
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
    Disagree(String),
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
        Outcome::Disagree(format!("Spin: {verdict:?}\nAuspex: {answer:?}"))
    }

    /// The smallest model that can be cut out of `text` on which the tools still disagree.
    pub fn shrink(&self, text: &str) -> String {
        shrink::shrink(text, |smaller| matches!(self.text(smaller), Ok(Outcome::Disagree(_))))
    }

    /// A model as a file of the corpus, with Spin's verdict in its header.
    pub fn as_regression(&self, text: &str, seed: u64) -> Result<String, NoVerdict> {
        let broken = |why: std::io::Error| NoVerdict::Tool(why.to_string());
        let dir = TempDir::with_prefix("auspex-random-").map_err(broken)?;
        let file = dir.path().join("random.pml");
        std::fs::write(&file, text).map_err(broken)?;
        let expected = match judge::judge(&file, limits())? {
            Verdict::Holds { .. } => "holds\n * states: ?".to_string(),
            Verdict::Violated(faults) => format!("violated\n * fault: {}", faults[0].kind),
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
        Verdict::Violated(faults) => faults.first().map_or("violated", |fault| fault.kind),
        Verdict::Refused { .. } => "refused",
    }
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
            // pan dies of a division by zero, so it may have missed all other faults.
            faults.iter().any(|fault| fault.kind == kind || fault.kind == "division")
                && same_line(faults, *line)
        }
        _ => false,
    }
}

/// Where only one fault is reachable and Spin names its line, that is the line.
fn same_line(faults: &[judge::Fault], line: Option<u32>) -> bool {
    match faults {
        [judge::Fault { kind: "assertion", line: Some(expected) }] => line == Some(*expected),
        _ => true,
    }
}
