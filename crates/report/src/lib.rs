////! Everything a person or another tool reads: diagnostics, verdicts, traces, pictures.
//!
//! What is reported is plain data ([`Report`] and its parts). JSON is that data as it stands;
////! the text for people and the pictures are made from it. Text is always written with colours:
//! who writes to something that is no terminal strips them (`anstream` does it by itself).
#![forbid(unsafe_code)]

mod chart;
mod data;
mod diagnostic;
mod dot;
mod human;
mod picture;
mod sequence;
mod source;
mod steps;
mod style;
mod table;
mod trace_file;

pub use data::{
    Cache, Change, Fault, Finding, Location, Message, MessageKind, Note, Place, Process,
    PropertyResult, Reason, Reduction, Report, Section, State, Step, Store, Trace, Variable,
    Verdict,
};
pub use diagnostic::render as render_diagnostic;
pub use dot::write as write_dot;
pub use human::{Detail, headline, violation, write_finding, write_report, write_run};
pub use picture::{graphs_svg, sequence_svg};
pub use sequence::Sequence;
pub use source::{excerpt, files as source_files};
pub use steps::{Offer, write_fault, write_offers, write_state, write_steps};
pub use trace_file::{FORMAT, SourceHash, TraceFile};
