//! `auspex ltl`: the automaton of a formula.

use super::draw::deliver;
use crate::exit::{Exit, Failure};
use crate::output;
use auspex_ltl::{Automaton, Class, Formula, Parsed, Syntax, classify, parse, translate};
use auspex_report as report;
use auspex_system::SourceMap;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// Show the automaton of an LTL formula, and what kind of formula it is
///
/// Operators: [] <> X U V W (or G F R M and words such as always, eventually, until), ! && || -> <->.
/// Anything else is a proposition: `p`, `x > 3`, `{ any text }`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex ltl '[] (request -> <> reply)'                    what is it?
  auspex ltl '[] (request -> <> reply)' -o automaton.svg   a picture
  auspex ltl 'a U b' --format never                        a never claim for Spin
  auspex ltl 'G F p' --format hoa                          for other tools
  auspex ltl 'G F p' --negate                              the runs that violate it")]
pub struct Ltl {
    /// The formula
    formula: String,

    /// Of the runs that violate the formula
    #[arg(long)]
    negate: bool,

    /// Where the result goes; .svg, .dot or .hoa decides the format [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// In which form [default: by the name of the output, else text]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A description for people
    Text,
    Svg,
    Dot,
    /// The Hanoi format for automata
    Hoa,
    /// A never claim in Promela
    Never,
}

impl Ltl {
    pub fn start(self) -> Result<Exit, Failure> {
        let format = self.format()?;
        let mut sources = SourceMap::default();
        let file = sources.add("formula", &self.formula);
        let failed = |problem, sources: &SourceMap| Failure::Source(vec![problem], sources.clone());
        let Parsed { formula, atoms, warnings } =
            parse(&self.formula, file, 0).map_err(|problem| failed(problem, &sources))?;
        output::diagnostics(&warnings, &sources);
        let meant = if self.negate { Formula::not(formula) } else { formula };
        let automaton = translate(&meant).map_err(|problem| failed(problem, &sources))?;
        let name = |atom: u32| atoms.get(atom as usize).map_or(String::new(), |a| named(&a.text));
        let title = meant.display(Syntax::Spin, &name);
        let mut text = Vec::new();
        let written = match format {
            Format::Text => {
                let class = classify(&meant).map_err(|problem| failed(problem, &sources))?;
                describe(&mut text, &title, &automaton, class, &name)
            }
            Format::Svg => report::graphs_svg(&mut text, &[automaton.to_graph(&title, &name)]),
            Format::Dot => report::write_dot(&mut text, &[automaton.to_graph(&title, &name)]),
            Format::Hoa => {
                let names: Vec<String> = atoms.iter().map(|atom| atom.text.clone()).collect();
                write!(text, "{}", automaton.to_hoa(&title, &names))
            }
            Format::Never => write!(text, "{}", automaton.to_never_claim(&title, &name)),
        };
        written.map_err(|problem| Failure::Internal(problem.to_string()))?;
        deliver(self.output.as_deref(), &text)?;
        Ok(Exit::Good)
    }

    fn format(&self) -> Result<Format, Failure> {
        let extension = self.output.as_deref().and_then(|path| path.extension()?.to_str());
        Ok(match (self.format, extension) {
            (Some(format), _) => format,
            (None, None | Some("txt")) => Format::Text,
            (None, Some("svg")) => Format::Svg,
            (None, Some("dot" | "gv")) => Format::Dot,
            (None, Some("hoa")) => Format::Hoa,
            (None, Some("pml" | "never")) => Format::Never,
            (None, Some(other)) => {
                return Err(Failure::wrong(format!(
                    "cannot write `.{other}`: name the output .svg, .dot or .hoa, or give --format"
                )));
            }
        })
    }
}

/// A proposition as part of a formula.
fn named(text: &str) -> String {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { text.to_owned() } else { format!("({text})") }
}

fn describe(
    out: &mut dyn Write,
    title: &str,
    automaton: &Automaton,
    class: Class,
    name: &dyn Fn(u32) -> String,
) -> std::io::Result<()> {
    writeln!(out, "{title}")?;
    let kind = match (class.tautology, class.unsatisfiable) {
        (true, _) => "holds on every run",
        (_, true) => "holds on no run",
        _ => kind(class),
    };
    writeln!(out, "  {kind}")?;
    let stutter = match class.stutter_invariant {
        Some(true) => "does not depend on how often a state repeats (stutter-invariant)",
        Some(false) => "depends on how often a state repeats: reductions cannot be used with it",
        None => "may depend on how often a state repeats: to find out would take too long",
    };
    writeln!(out, "  {stutter}")?;
    let count = |number: usize, what: &str| {
        format!("{number} {what}{}", if number == 1 { "" } else { "s" })
    };
    let deterministic = if automaton.is_deterministic() { "deterministic" } else { "with choices" };
    let states = count(automaton.len(), "state");
    let transitions = count(automaton.transition_count(), "transition");
    writeln!(out, "  automaton: {states}, {transitions}, {deterministic}")?;
    for (index, transitions) in automaton.states.iter().enumerate() {
        let start = if index == automaton.initial { " start" } else { "" };
        let accepting = if automaton.accepting[index] { " accepting" } else { "" };
        writeln!(out, "    {index}{start}{accepting}")?;
        for transition in transitions {
            let label = transition.label.display(["!", "&&", "||"], name);
            writeln!(out, "      {label} -> {}", transition.target)?;
        }
    }
    Ok(())
}

/// Manna's and Pnueli's classes, as far as they matter to a checker.
fn kind(class: Class) -> &'static str {
    match (class.safety, class.guarantee, class.obligation) {
        (Some(true), Some(true), _) => {
            "safety and guarantee: decided after a bounded number of steps"
        }
        (Some(true), _, _) => {
            "safety: nothing bad happens; a violation is seen after finitely many steps"
        }
        (_, Some(true), _) => "guarantee: something good happens once",
        (_, _, Some(true)) => "obligation: made of safety and guarantee",
        (None, _, _) | (_, None, _) => "of a kind that would take too long to find out",
        _ => "liveness: a violation is an infinite run",
    }
}
