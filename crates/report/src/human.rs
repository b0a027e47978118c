//! The report for people: the verdict in the first line, then how it comes about.

use crate::chart;
use crate::data::{Fault, Finding, Place, PropertyResult, Reason, Report, Store, Trace, Verdict};
use crate::sequence::Sequence;
use crate::steps;
use crate::style::{self, BAD, DIM, GOOD, PROCESS, STRONG, UNSURE, counted, paint};
use crate::table;
use auspex_system::SourceMap;
use std::io::{self, Write};
use std::time::Duration;

/// How much a person wants to see.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// Whole states after each step.
    pub full: bool,
    /// Only the verdicts.
    pub quiet: bool,
    /// Columns that a sequence chart may take.
    pub width: usize,
}

pub fn write_report(
    out: &mut dyn Write,
    report: &Report,
    sources: &SourceMap,
    detail: &Detail,
) -> io::Result<()> {
    for (index, result) in report.results.iter().enumerate() {
        if index > 0 && !detail.quiet {
            writeln!(out)?;
        }
        let named = report.results.len() > 1 || was_left_out(result);
        write_verdict(out, result, named)?;
        if !detail.quiet {
            write_result(out, report, result, sources, detail)?;
        }
    }
    if report.results.len() > 1 && !detail.quiet {
        writeln!(out)?;
        table::write(out, &report.results)?;
    }
    Ok(())
}

/// Nothing was searched, because the property is of a kind that cannot be checked.
fn was_left_out(result: &PropertyResult) -> bool {
    let searched = result.states > 0 || !result.faults.is_empty();
    result.reason == Some(Reason::Unsupported) && !searched
}

fn write_verdict(out: &mut dyn Write, result: &PropertyResult, named: bool) -> io::Result<()> {
    let name = if named { format!("{}: ", result.property) } else { String::new() };
    writeln!(out, "{name}{}", verdict(result))
}

fn verdict(result: &PropertyResult) -> String {
    let states = counted(result.states, "state");
    match (result.verdict, result.reason) {
        (Verdict::Holds, _) if result.property != "safety" => {
            let again = if may_count_twice(result) { ", some of them perhaps again" } else { "" };
            format!("{} on every run, through {states}{again}", paint(GOOD, "holds:"))
        }
        (Verdict::Holds, _) => {
            let which = match result {
                _ if is_reduced(result) => "had to be visited",
                _ if may_count_twice(result) => "were visited, some of them perhaps again",
                _ => "can be reached",
            };
            let what = if result.assertions_only { "no assertion fails" } else { "no fault" };
            let part = if result.assertions_only { " of the slice" } else { "" };
            let holds = paint(GOOD, "holds:");
            format!("{holds} {what} in any of the {states}{part} that {which}")
        }
        (Verdict::Violated, _) => match result.faults.as_slice() {
            [only] => violation(&only.fault, only.trace.len()),
            many => format!("{} {} different faults", paint(BAD, "violated:"), many.len()),
        },
        (Verdict::Unknown, Some(Reason::Unsupported)) if !was_left_out(result) => {
            let why = Reason::Unsupported.explain();
            let what =
                result.faults.first().map(|first| (&first.fault.message, &first.fault.location));
            let what = what.map(|(what, at)| format!(": {} ({at})", style::clean(what)));
            let what = what.unwrap_or_default();
            format!(
                "{} no fault in {states}, but the search {why}{what}",
                paint(UNSURE, "unknown:")
            )
        }
        (Verdict::Unknown, Some(Reason::Unsupported)) => {
            let at = result.location.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
            let what = "not checked, because it uses what Auspex cannot check yet";
            format!("{} {what}{at}", paint(UNSURE, "unknown:"))
        }
        (Verdict::Unknown, reason) => {
            let why = reason.map_or("did not finish", Reason::explain);
            format!("{} no fault in {states}, but the search {why}", paint(UNSURE, "unknown:"))
        }
    }
}

/// The verdict on a run that ends in a fault.
pub fn violation(fault: &Fault, steps: usize) -> String {
    let what = headline(fault);
    let at = match fault.location.line {
        0 => String::new(),
        _ => format!(" ({})", fault.location),
    };
    let steps = counted(steps as u64, "step");
    format!("{} {what}{at} after {steps}", paint(BAD, "violated:"))
}

/// What went wrong, in words.
pub fn headline(fault: &Fault) -> String {
    let message = style::clean(&fault.message);
    let words = match fault.kind.as_str() {
        "assertion" => "assertion failed",
        // Who waits for what follows in a list of its own.
        "deadlock" => return message.split(": ").next().unwrap_or_default().to_string(),
        _ => return message,
    };
    if message.contains(words) { message } else { format!("{words}: {message}") }
}

fn write_result(
    out: &mut dyn Write,
    report: &Report,
    result: &PropertyResult,
    sources: &SourceMap,
    detail: &Detail,
) -> io::Result<()> {
    if was_left_out(result) {
        return Ok(());
    }
    for (index, finding) in result.faults.iter().enumerate() {
        writeln!(out)?;
        if result.faults.len() > 1 {
            let title =
                format!("{} of {}: {}", index + 1, result.faults.len(), headline(&finding.fault));
            writeln!(out, "{}", paint(STRONG, title))?;
        }
        write_finding(out, finding, sources, detail)?;
    }
    if let Some(unreached) = &result.unreached {
        write_unreached(out, unreached)?;
    }
    writeln!(out)?;
    write_numbers(out, result)?;
    write_promises(out, result)?;
    write_next(out, report, result)
}

/// The steps to a fault, the fault, and the messages on the way.
pub fn write_finding(
    out: &mut dyn Write,
    finding: &Finding,
    sources: &SourceMap,
    detail: &Detail,
) -> io::Result<()> {
    steps::write_steps(out, &finding.trace, detail)?;
    steps::write_fault(out, finding, sources)?;
    if let Some(state) = finding.trace.last.as_ref().filter(|_| finding.trace.is_of_program()) {
        writeln!(out, "{}", paint(DIM, "the state then:"))?;
        steps::write_state(out, state)?;
    }
    write_chart(out, &Sequence::new(&finding.trace, Some(&finding.fault)), detail)
}

/// The steps of a run without a fault, and its messages.
pub fn write_run(out: &mut dyn Write, trace: &Trace, detail: &Detail) -> io::Result<()> {
    steps::write_steps(out, trace, detail)?;
    write_chart(out, &Sequence::new(trace, None), detail)
}

fn write_chart(out: &mut dyn Write, sequence: &Sequence, detail: &Detail) -> io::Result<()> {
    if !sequence.has_messages() {
        return Ok(());
    }
    write!(out, "\n{}", chart::draw(sequence, detail.width))
}

/// More places that no run comes to are not listed.
const MOST_PLACES: usize = 20;

fn write_unreached(out: &mut dyn Write, places: &[Place]) -> io::Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", paint(STRONG, "never executed, on any run:"))?;
    let mut process = None;
    for place in places.iter().take(MOST_PLACES) {
        if process != Some(&place.process) {
            writeln!(out, "  {}", paint(PROCESS, &place.process))?;
            process = Some(&place.process);
        }
        let at = paint(DIM, steps::place(&place.location));
        writeln!(out, "    {at}  {}", style::clean(&place.text))?;
    }
    match places.len().saturating_sub(MOST_PLACES) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more (--format json has all)"),
    }
}

fn write_numbers(out: &mut dyn Write, result: &PropertyResult) -> io::Result<()> {
    let rate = match result.seconds {
        s if s >= 0.1 => {
            format!(" ({} states/s)", style::count((result.states as f64 / s) as u64))
        }
        _ => String::new(),
    };
    writeln!(
        out,
        "{}, {}, depth {}; {}{rate}, {}, {}",
        counted(result.states, "state"),
        counted(result.transitions, "transition"),
        style::count(result.depth),
        style::duration(Duration::try_from_secs_f64(result.seconds).unwrap_or_default()),
        style::bytes(result.memory_bytes),
        counted(result.workers as u64, "worker"),
    )
}

/// What the verdict rests on.
fn write_promises(out: &mut dyn Write, result: &PropertyResult) -> io::Result<()> {
    let search = match (result.complete, result.stopped) {
        (true, _) if is_reduced(result) => {
            "all that can happen was tried, but not in every order".to_string()
        }
        (true, _) => "every reachable state was visited".to_string(),
        (false, Some(Reason::Lossy)) => "the search ran to its end".to_string(),
        (false, Some(reason)) => {
            format!("not everything was visited: the search {}", reason.explain())
        }
        (false, None) => "the search ended at the first fault (--all goes on)".to_string(),
    };
    writeln!(out, "{search}; {}", storage(result))?;
    if let Some(cache) = &result.cache {
        let times = counted(cache.replaced, "time");
        writeln!(out, "cache: {}, replaced {times}", counted(cache.states, "state"))?;
    }
    match result.reduction.as_ref().and_then(|reduction| reduction.reason.as_ref()) {
        // Who gives a flag knows that.
        Some(reason) if !reason.starts_with("--") => writeln!(out, "no reduction: {reason}"),
        _ => Ok(()),
    }
}

fn is_reduced(result: &PropertyResult) -> bool {
    result.reduction.as_ref().is_some_and(|reduction| reduction.on)
}

/// A state that was replaced and met again is counted again.
fn may_count_twice(result: &PropertyResult) -> bool {
    result.cache.is_some_and(|cache| cache.replaced > 0)
}

fn storage(result: &PropertyResult) -> String {
    let percent = |p: f64| match p * 100.0 {
        p if p == 0.0 || p >= 0.01 => format!("{p:.2} %"),
        p => format!("{p:.0e} %"),
    };
    match (result.store, result.loss) {
        (Store::Exact, _) => "states were stored exactly".to_string(),
        (Store::Compact, Some(p)) => {
            format!(
                "of each state 64 bits were kept: a state was missed with probability {}",
                percent(p)
            )
        }
        (Store::Bitstate, Some(p)) => {
            format!(
                "states were kept as a few bits each, {} of them set: states may have been missed",
                percent(p)
            )
        }
        (_, None) => "the store may have missed states".to_string(),
    }
}

/// Where the traces are and how to walk them.
fn write_next(out: &mut dyn Write, report: &Report, result: &PropertyResult) -> io::Result<()> {
    let files: Vec<_> = result.faults.iter().filter_map(|f| f.trace_file.as_deref()).collect();
    let Some(first) = files.first() else { return Ok(()) };
    let replayed = if result.faults.iter().all(|f| f.replayed) { ", replayed" } else { "" };
    let (noun, verb) = if files.len() == 1 { ("trace", "is") } else { ("traces", "are") };
    writeln!(
        out,
        "the {noun}{replayed} step by step, {verb} in {}; to walk or draw it:",
        files.join(", ")
    )?;
    let input = report.input.first().map_or("", String::as_str);
    writeln!(out, "  auspex simulate {} --trace {}", quoted(input), quoted(first))?;
    writeln!(out, "  auspex draw {} --trace {} -o trace.svg", quoted(input), quoted(first))
}

/// A word that a shell takes as it stands.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
