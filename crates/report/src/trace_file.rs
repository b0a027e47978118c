//! A trace on disk: the choices that lead to a fault, and what they mean for a reader.

use crate::data::{Fault, Step};
use serde::{Deserialize, Serialize};

/// Written into every trace file, so that another JSON file is not taken for one.
pub const FORMAT: &str = "auspex-trace";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceFile {
    pub format: String,
    pub version: u32,
    /// The version of Auspex that wrote it.
    pub tool_version: String,
    pub input: String,
    /// Every file that was read; a trace is valid for exactly this text.
    pub sources: Vec<SourceHash>,
    /// `-D` and `-I` as given.
    #[serde(default)]
    pub defines: Vec<String>,
    #[serde(default)]
    pub include_dirs: Vec<String>,
    pub property: String,
    /// The formula that the steps were made small enough for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    pub fault: Fault,
    /// Which initial state, then which step out of each state.
    pub initial: u32,
    pub steps: Vec<u32>,
    /// For a run that goes on for ever: after how many steps the part begins that repeats. (None of
    /// them may be left: then the last state stays as it is.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_from: Option<usize>,
    /// The same for a reader; not used by a replay.
    #[serde(default)]
    pub readable: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceHash {
    pub file: String,
    pub sha256: String,
}
