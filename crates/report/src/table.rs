//! All properties at a glance.

use crate::data::{PropertyResult, Verdict};
use crate::style::{self, BAD, GOOD, UNSURE, paint};
use std::io::{self, Write};
use std::time::Duration;

/// One line for each property: its verdict, what it took, and where its trace is.
pub fn write(out: &mut dyn Write, results: &[PropertyResult]) -> io::Result<()> {
    let rows: Vec<[String; 5]> = results.iter().map(row).collect();
    let head = ["property", "verdict", "states", "time", "trace"].map(str::to_owned);
    let all = || std::iter::once(&head).chain(&rows);
    let widths: [usize; 5] =
        std::array::from_fn(|at| all().map(|row| row[at].chars().count()).max().unwrap_or(0));
    let mut verdicts = std::iter::once(None).chain(results.iter().map(|r| Some(r.verdict)));
    for row in all() {
        let [name, verdict, states, time, trace] = row;
        // Padded before it is painted: colours have no width.
        let verdict = format!("{verdict:<0$}", widths[1]);
        let verdict = match verdicts.next().flatten() {
            Some(Verdict::Holds) => paint(GOOD, &verdict).to_string(),
            Some(Verdict::Violated) => paint(BAD, &verdict).to_string(),
            Some(Verdict::Unknown) => paint(UNSURE, &verdict).to_string(),
            None => verdict,
        };
        let line = format!(
            "{name:<0$}  {verdict}  {states:>1$}  {time:>2$}  {trace}",
            widths[0], widths[2], widths[3]
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn row(result: &PropertyResult) -> [String; 5] {
    let verdict = match result.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    };
    let time = Duration::try_from_secs_f64(result.seconds).unwrap_or_default();
    let trace = result.trace_file.clone().unwrap_or_default();
    let (name, verdict) = (result.property.clone(), verdict.to_owned());
    [name, verdict, style::count(result.states), style::duration(time), trace]
}
