//! `auspex check`: does it hold?

use super::{sliced, temporal};
use crate::exit::{self, Exit, Failure};
use crate::input::{self, Engine, Input, Labels, Program, Source, Temporal};
use crate::story::{self, Scope};
use crate::{interrupt, output, progress, size, traces};
use auspex_report::{
    self as report, Detail, Finding, Location, Note, PropertyResult, Reason, Reduction, Report,
    Store, Verdict,
};
use auspex_search::{
    Algorithm, CacheUse, Control, Fairness, Found, Limits, Options, Order, Outcome, Replay, Stop,
    StoreKind, explore, explore_cached, replay,
};
use auspex_system::{Diagnostic, SourceMap, System};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Check everything that a file asks for: assertions, deadlocks, ...
///
/// Visits every state that can be reached, and shows how a fault comes about if there is one. The
/// trace is also written to a file, so that it can be walked (`auspex simulate --trace`) or drawn
/// (`auspex draw --trace`).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex check model.pml                         everything, on all cores
  auspex check model.pml --shortest              a shortest trace
  auspex check model.pml --all                   every distinct fault
  auspex check model.pml --memory 4G --time 10m  stop there and say what was covered
  auspex check model.pml --store bitstate        too big? a partial search
  auspex check model.pml --cache 1G              too big? a slower search
  auspex check model.pml --watch 'x + y'         show an expression at each step
  auspex check model.pml --format json           for programs

Exit codes:
  0  everything holds
  1  a violation was found
  2  the input or the call is wrong
  3  nothing was found, but the search was not complete
  4  Auspex itself is wrong")]
pub struct Check {
    #[command(flatten)]
    source: Source,

    /// Check only this property: `safety`, or the name of one in the file (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    property: Vec<String>,

    /// Check this LTL formula too (may be repeated)
    #[arg(long, value_name = "FORMULA", help_heading = "What to check")]
    ltl: Vec<String>,

    /// No run passes an accept label again and again
    #[arg(long, help_heading = "What to check")]
    acceptance: bool,

    /// Every run passes progress labels again and again
    #[arg(long, help_heading = "What to check")]
    progress: bool,

    /// Of infinite runs, only those where every process that could always (strong: again and again) move does so
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, default_missing_value = "weak", help_heading = "What to check")]
    fair: Option<Fair>,

    /// Go on after the first fault and report every distinct one (kind and place)
    #[arg(long, help_heading = "What to check")]
    all: bool,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Search")]
    workers: Option<u16>,

    /// In which order states are visited
    #[arg(long, value_enum, default_value = "depth", help_heading = "Search")]
    order: SearchOrder,

    /// How infinite runs are looked for [default: by the number of workers and the property]
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Search")]
    algorithm: Option<CycleSearch>,

    /// Find a shortest trace (the same as --order breadth)
    #[arg(long, help_heading = "Search")]
    shortest: bool,

    /// How steps are carried out [default: native for models, where the computer is known]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Search")]
    engine: Option<Engine>,

    /// Visit all states: no partial order reduction
    #[arg(long, help_heading = "Search")]
    no_reduction: bool,

    /// How states are remembered: exactly, as 64 bits, or as a few bits each
    #[arg(long, value_enum, default_value = "exact", help_heading = "Search")]
    store: StoreChoice,

    /// A fifth less memory: how a fault comes about is not remembered, but found by a second search
    #[arg(long, help_heading = "Search")]
    no_links: bool,

    /// Keep states in so much memory: when it is full, states are replaced, and visited again if they are met again
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = "Search",
          conflicts_with_all = ["store", "no_links", "bitstate_memory", "shortest", "algorithm"])]
    cache: Option<u64>,

    /// Size of the array for --store bitstate [default: a quarter of --memory, or 256M]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = "Search")]
    bitstate_memory: Option<u64>,

    /// Stop after so many seconds (or 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = size::time, help_heading = "Limits")]
    time: Option<Duration>,

    /// Use at most so much memory, such as 512M or 4G [default: what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = "Limits")]
    memory: Option<u64>,

    /// Stop after so many states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_states: Option<u64>,

    /// Follow no path beyond so many steps
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_depth: Option<u64>,

    /// Where the trace goes [default: FILE.trace.json in the current directory]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    trace: Option<PathBuf>,

    /// For people, or one JSON object for programs
    #[arg(long, value_enum, default_value = "human", help_heading = "Output")]
    format: Format,

    /// Show whole states along the trace, not only what changed
    #[arg(long, help_heading = "Output")]
    full: bool,

    /// Show the value of an expression along the trace (may be repeated)
    #[arg(long, value_name = "EXPR", help_heading = "Output")]
    watch: Vec<String>,

    /// Only the verdict: no progress, no warnings, no trace on the terminal
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SearchOrder {
    Depth,
    Breadth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fair {
    /// What can always move from some point on does move
    Weak,
    /// What can move again and again does move
    Strong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CycleSearch {
    /// Nested depth-first search, on one core or two
    Nested,
    /// Strongly connected components, on one core: the only one that knows fairness
    Components,
    /// Nested depth-first search on all cores
    Cndfs,
    /// One way catch them young, on all cores
    Owcty,
    /// Maximal accepting predecessors, on all cores
    Map,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StoreChoice {
    Exact,
    Compact,
    Bitstate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// The name of everything that is no formula: assertions, deadlocks, array bounds, ...
const SAFETY: &str = "safety";

/// A smaller cache could hold nothing that is worth a search.
const LEAST_CACHE: u64 = 64 << 10;

impl Check {
    pub fn start(self) -> Result<Exit, Failure> {
        if self.fair.is_some() && self.algorithm.is_some_and(|it| it != CycleSearch::Components) {
            return Err(Failure::wrong(
                "--fair needs --algorithm components, which is then the default",
            ));
        }
        self.check_cache()?;
        if self.source.lf.slice {
            return sliced::start(&self);
        }
        let source = self.source.clone();
        input::open(&source, self)
    }

    /// What cannot be had together with `--cache`, beside what is an error for the parser of arguments.
    fn check_cache(&self) -> Result<(), Failure> {
        let Some(bytes) = self.cache else { return Ok(()) };
        let wrong = if bytes < LEAST_CACHE {
            "--cache needs 64K at least"
        } else if self.fair.is_some() {
            "--fair does not go with --cache: fairness needs all states of a cycle again when it is known"
        } else if self.order == SearchOrder::Breadth {
            "--cache searches depth-first: it does not go with --order breadth"
        } else if self.workers.is_some_and(|workers| workers > 1) {
            "--cache searches with one worker: it does not go with --workers"
        } else {
            return Ok(());
        };
        Err(Failure::wrong(wrong))
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// What was asked for is added to a program.
    pub(super) fn prepare<P: Program>(&self, input: &mut Input<P>) -> Result<(), Failure> {
        input.watch_all(&self.watch)?;
        input.add_temporal(&self.ltl, &self.labels())
    }

    pub(super) fn formulas(&self) -> &[String] {
        &self.ltl
    }

    pub(super) fn options(&self) -> Options {
        let usual = || if self.cache.is_some() { 1 } else { all_cores() };
        let workers = self.workers.map(usize::from).unwrap_or_else(usual);
        let breadth = self.shortest || self.order == SearchOrder::Breadth;
        Options {
            workers,
            order: if breadth { Order::Breadth } else { Order::Depth },
            store: self.store_kind(),
            link_bits: (!self.no_links).then_some(Options::ALL_LINK_BITS),
            limits: Limits {
                time: self.time,
                memory: self.memory,
                states: self.max_states,
                depth: self.max_depth,
            },
            all: self.all,
            reduce: false,
        }
    }

    /// Which flag forbids a reduction. Shortest traces and depths are those of single steps.
    fn why_not_reduced(&self) -> Option<&'static str> {
        let flags = [
            (self.no_reduction, "--no-reduction"),
            (self.shortest, "--shortest"),
            (self.max_depth.is_some(), "--max-depth"),
            // Whether a state is new, which a reduction asks, is not known of one that was replaced.
            (self.cache.is_some(), "--cache"),
        ];
        flags.iter().find(|(given, _)| *given).map(|(_, flag)| *flag)
    }

    /// What is reported about the reduction of a search for faults.
    fn reduction<P: Program>(&self, program: &P) -> Option<Reduction> {
        let obstacle = program.reduction()?.err();
        let by_model = || obstacle.map(|what| format!("the model uses {what}"));
        let reason = self.why_not_reduced().map(str::to_owned).or_else(by_model);
        Some(Reduction { on: reason.is_none(), reason })
    }

    fn store_kind(&self) -> StoreKind {
        let usual = self.memory.map_or(256 << 20, |memory| memory / 4);
        match self.store {
            StoreChoice::Exact => StoreKind::Exact,
            StoreChoice::Compact => StoreKind::Compact,
            StoreChoice::Bitstate => {
                StoreKind::Bitstate { bytes: self.bitstate_memory.unwrap_or(usual) }
            }
        }
    }

    /// How infinite runs are looked for, if that was said, and which.
    pub(super) fn cycles(&self) -> (Option<Algorithm>, Fairness) {
        let fairness = match self.fair {
            None => Fairness::None,
            Some(Fair::Weak) => Fairness::Weak,
            Some(Fair::Strong) => Fairness::Strong,
        };
        let algorithm = self.algorithm.map(|algorithm| match algorithm {
            CycleSearch::Nested => Algorithm::Nested,
            CycleSearch::Components => Algorithm::Components,
            CycleSearch::Cndfs => Algorithm::Cndfs,
            CycleSearch::Owcty => Algorithm::Owcty,
            CycleSearch::Map => Algorithm::Map,
        });
        (algorithm, fairness)
    }

    /// The size of the store, if it is bounded.
    pub(super) fn cache(&self) -> Option<u64> {
        self.cache
    }

    pub(super) fn engine(&self) -> Option<Engine> {
        self.engine
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn trace_path(&self) -> Option<&Path> {
        self.trace.as_deref()
    }

    /// What labels are to be looked at.
    fn labels(&self) -> Vec<Labels> {
        let accept = self.acceptance.then_some(Labels::Accept);
        accept.into_iter().chain(self.progress.then_some(Labels::Progress)).collect()
    }

    pub(super) fn scope(&self) -> Scope {
        Scope { full: self.full, watched: !self.watch.is_empty() }
    }

    /// Which properties were asked for; all of them without `--property`.
    pub(super) fn chosen(
        &self,
        temporal: &[Temporal<'_>],
        unchecked: &[(String, auspex_system::Location)],
    ) -> Result<Chosen, Failure> {
        let names: Vec<&str> = std::iter::once(SAFETY)
            .chain(temporal.iter().map(|property| property.name))
            .chain(unchecked.iter().map(|(name, _)| name.as_str()))
            .collect();
        if let Some(unknown) = self.property.iter().find(|name| !names.contains(&name.as_str())) {
            let known = names.join(", ");
            return Err(Failure::wrong(format!(
                "there is no property `{unknown}`; this file has: {known}"
            )));
        }
        let asked =
            |name: &str| self.property.is_empty() || self.property.iter().any(|n| n == name);
        let unchecked = unchecked.iter().filter(|(name, _)| asked(name)).cloned().collect();
        let chosen = temporal.iter().enumerate().filter(|(_, property)| asked(property.name));
        let temporal = chosen.map(|(index, _)| index).collect();
        Ok(Chosen { safety: asked(SAFETY), temporal, unchecked })
    }
}

pub(super) struct Chosen {
    pub safety: bool,
    /// Their numbers.
    pub temporal: Vec<usize>,
    unchecked: Vec<(String, auspex_system::Location)>,
}

impl input::Verb for Check {
    fn run<P: Program>(self, mut input: Input<P>) -> Result<Exit, Failure> {
        self.prepare(&mut input)?;
        let properties = input.program.temporal();
        let chosen = self.chosen(&properties, &input.program.unchecked())?;
        if !self.quiet {
            input.print_warnings();
        }
        let mut results = Vec::new();
        // One for all searches: what interrupts one ends them all.
        let control = Arc::new(Control::default());
        interrupt::install(&control);
        if chosen.safety {
            results.push(safety(&self, &input, &control)?);
        }
        for index in chosen.temporal {
            let traces = results.iter().map(|result: &PropertyResult| result.faults.len()).sum();
            let property = (index, &properties[index]);
            results.push(temporal::check(&self, &input, property, &control, traces)?);
        }
        results.extend(chosen.unchecked.iter().map(|(name, at)| unsupported(name, at)));
        let exit = exit::of_results(&results);
        print(&self, &input, results, exit);
        Ok(exit)
    }
}

/// Searches a slice; `None` unless it holds: what is wrong with a slice may be all right in the program.
pub(super) fn safety_of_slice<P: Program>(
    check: &Check,
    input: &Input<P>,
    control: &Arc<Control>,
) -> Result<Option<PropertyResult>, Failure> {
    let options = check.options();
    let system = input.program.fast(input.program.model(), check.engine)?;
    let outcome = progress::during(control, check.quiet, || explore(&system, &options, control));
    if !outcome.faults.is_empty() {
        return Ok(None);
    }
    let result = result(input, &options, outcome, Vec::new());
    let result = PropertyResult { assertions_only: true, ..result };
    Ok((result.verdict == Verdict::Holds).then_some(result))
}

/// Searches, and makes sure of what was found.
pub(super) fn safety<P: Program>(
    check: &Check,
    input: &Input<P>,
    control: &Arc<Control>,
) -> Result<PropertyResult, Failure> {
    let reduction = check.reduction(&input.program);
    let reduce = reduction.as_ref().is_some_and(|reduction| reduction.on);
    let options = Options { reduce, ..check.options() };
    let system = input.program.fast(input.program.model(), check.engine)?;
    let outcome = progress::during(control, check.quiet, || match check.cache {
        Some(bytes) => explore_cached(&system, &options, bytes, control),
        None => explore(&system, &options, control),
    });
    let mut findings = Vec::new();
    for (index, found) in outcome.faults.iter().enumerate() {
        findings.push(confirm(check, input, index, found)?);
    }
    Ok(PropertyResult { reduction, ..result(input, &options, outcome, findings) })
}

/// Replays a fault with the plain interpreter; a verdict is given only if it is there too.
fn confirm<P: Program>(
    check: &Check,
    input: &Input<P>,
    index: usize,
    found: &Found,
) -> Result<Finding, Failure> {
    let model = input.program.model();
    let replayed = replay(model, &found.trace)
        .map_err(|error| Failure::Internal(format!("a trace does not replay: {error}")))?;
    same_fault(found, &replayed)?;
    let trace = story::tell(model, &replayed, &found.trace.steps, check.scope());
    let fault = report::Fault::from(&found.fault);
    let path = traces::path(check.trace.as_deref(), &input.source, index);
    let trace_file =
        traces::write(&path, &traces::compose(input, SAFETY, &found.trace, &fault, &trace.prefix));
    Ok(Finding { fault, trace, trace_file, replayed: true })
}

fn same_fault(found: &Found, replayed: &Replay) -> Result<(), Failure> {
    let expected = (found.fault.kind, &found.fault.location);
    if replayed.fault.as_ref().map(|fault| (fault.kind, &fault.location)) == Some(expected) {
        return Ok(());
    }
    let got = match &replayed.fault {
        Some(fault) => format!("{} at {}", fault.kind, Location::from(&fault.location)),
        None => "no fault".to_string(),
    };
    let (kind, at) = (found.fault.kind, Location::from(&found.fault.location));
    Err(Failure::Internal(format!("the search found {kind} at {at}, its replay {got}")))
}

fn result<P: Program>(
    input: &Input<P>,
    options: &Options,
    outcome: Outcome,
    findings: Vec<Finding>,
) -> PropertyResult {
    let model = input.program.model();
    let is_real = |finding: &Finding| finding.fault.kind != auspex_system::Fault::UNSUPPORTED;
    let (faults, unsupported): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_real);
    let lossy = (options.store != StoreKind::Exact).then_some(Reason::Lossy);
    let missing = (!unsupported.is_empty()).then_some(Reason::Unsupported);
    let stopped = outcome.stopped.map(reason).or(lossy).or(missing).or(input.program.caveat());
    // What stood in the way is shown like a fault, but the verdict says that it is none.
    let faults = if faults.is_empty() { unsupported } else { faults };
    let violated = faults.first().is_some_and(is_real);
    let everything_visited = stopped.is_none() && (!violated || options.all);
    let verdict = match (violated, stopped) {
        (true, _) => Verdict::Violated,
        (false, Some(_)) => Verdict::Unknown,
        (false, None) => Verdict::Holds,
    };
    let unreached = everything_visited.then(|| model.unreached(&outcome.covered));
    PropertyResult {
        verdict,
        reason: stopped.filter(|_| verdict == Verdict::Unknown),
        fault: faults.first().map(|first| first.fault.clone()),
        states: outcome.stats.states,
        transitions: outcome.stats.transitions,
        depth: outcome.stats.depth,
        seconds: outcome.stats.elapsed.as_secs_f64(),
        memory_bytes: outcome.stats.memory,
        trace: faults.first().map(|first| first.trace.clone()),
        trace_file: faults.first().and_then(|first| first.trace_file.clone()),
        faults,
        complete: everything_visited,
        stopped,
        store: match options.store {
            StoreKind::Exact => Store::Exact,
            StoreKind::Compact => Store::Compact,
            StoreKind::Bitstate { .. } => Store::Bitstate,
        },
        loss: outcome.loss,
        workers: options.workers,
        unreached: unreached.map(|places| places.iter().map(report::Place::from).collect()),
        cache: outcome.cache.map(cache),
        ..PropertyResult::unknown(SAFETY, Reason::Unsupported)
    }
}

pub(super) fn cache(used: CacheUse) -> report::Cache {
    report::Cache { states: used.states, replaced: used.replaced }
}

fn unsupported(name: &str, at: &auspex_system::Location) -> PropertyResult {
    let location = Some(Location::from(at));
    PropertyResult { location, ..PropertyResult::unknown(name, Reason::Unsupported) }
}

pub(super) fn reason(stop: Stop) -> Reason {
    match stop {
        Stop::Time => Reason::Time,
        Stop::Memory => Reason::Memory,
        Stop::States => Reason::States,
        Stop::Depth => Reason::Depth,
        Stop::Lossy => Reason::Lossy,
        Stop::Interrupted => Reason::Interrupted,
    }
}

pub(super) fn print<P: Program>(
    check: &Check,
    input: &Input<P>,
    results: Vec<PropertyResult>,
    exit: Exit,
) {
    let mut warnings = notes(input.program.warnings(), &input.sources);
    let remarks = input.program.remarks();
    if !check.quiet {
        remarks.iter().for_each(|remark| output::note(remark));
    }
    warnings.extend(remarks.into_iter().map(|message| Note { message, location: None }));
    let report = Report {
        tool: "auspex",
        version: env!("CARGO_PKG_VERSION"),
        input: input.source.files.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
        results,
        warnings,
        exit_code: exit as u8,
    };
    let detail = Detail { full: check.full, quiet: check.quiet, width: output::width() };
    output::result(|out| match check.format {
        Format::Human => report::write_report(out, &report, &input.sources, &detail),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)
        }
    });
}

fn notes(warnings: &[Diagnostic], sources: &SourceMap) -> Vec<Note> {
    let note = |warning: &Diagnostic| Note {
        message: warning.message.clone(),
        location: warning.span.map(|span| Location::from(&sources.location(span))),
    };
    warnings.iter().map(note).collect()
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use auspex_search::Trace;
    use auspex_system::{Fault, Step};

    fn fault(kind: &'static str, line: u32) -> Fault {
        Fault::new(kind, "", auspex_system::Location { file: "a".into(), line, column: 1 })
    }

    #[test]
    fn a_replay_with_another_fault_is_no_verdict() {
        let trace = Trace { initial: Step(0), steps: vec![] };
        let found = Found { fault: fault("assertion", 3), trace };
        let replayed = |fault| same_fault(&found, &Replay { states: vec![], fault });
        assert!(replayed(Some(fault("assertion", 3))).is_ok());
        for other in [None, Some(fault("deadlock", 3)), Some(fault("assertion", 4))] {
            assert!(matches!(replayed(other), Err(Failure::Internal(_))));
        }
    }
}
