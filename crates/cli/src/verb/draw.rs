//! `auspex draw`: pictures of a small system, of its processes, or of a trace.

use crate::exit::{Exit, Failure};
use crate::input::{self, Input, Program, Source};
use crate::story::{self, Scope};
use crate::{output, traces};
use auspex_report::{self as report, Sequence};
use auspex_search::{EdgeEnd, StateGraph, graph, replay};
use auspex_system::{Explorer, Graph, GraphEdge, GraphNode, NodeKind, StateView, System};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Draw the state graph, the automaton of each process, or a trace as a sequence chart.
///
/// SVG needs no other program; DOT is for Graphviz.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex draw model.pml -o states.svg                     every state and step
  auspex draw model.pml --what automata -o model.svg      each process on its own
  auspex draw model.pml --trace model.pml.trace.json -o trace.svg
  auspex draw model.pml --format dot | dot -Tpdf -o states.pdf")]
pub struct Draw {
    #[command(flatten)]
    source: Source,

    /// The graph of all states, or the automaton of each process
    #[arg(long, value_enum, default_value = "states", conflicts_with = "trace")]
    what: What,

    /// Draw this trace as a message sequence chart
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Where the picture goes; .svg or .dot decides the format [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// SVG or DOT [default: by the name of the output, else svg]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Draw only so many states, those nearest to the beginning
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_states: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    States,
    Automata,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Dot,
}

impl Draw {
    pub fn start(mut self) -> Result<Exit, Failure> {
        let format = self.format()?;
        let saved = self.trace.as_deref().map(traces::read).transpose()?;
        if let Some(file) = &saved {
            self.source = traces::settings(&self.source, file);
        }
        let source = self.source.clone();
        input::open(&source, Drawing { flags: self, saved, format })
    }

    fn format(&self) -> Result<Format, Failure> {
        let extension = self.output.as_deref().and_then(Path::extension).and_then(|e| e.to_str());
        let format = match (self.format, extension) {
            (Some(format), _) => format,
            (None, None | Some("svg")) => Format::Svg,
            (None, Some("dot" | "gv")) => Format::Dot,
            (None, Some(other)) => {
                return Err(Failure::wrong(format!(
                    "cannot draw `.{other}`: name the output .svg or .dot, or give --format"
                )));
            }
        };
        match (format, &self.trace) {
            (Format::Dot, Some(_)) => Err(Failure::wrong("a trace is drawn as SVG only")),
            _ => Ok(format),
        }
    }
}

struct Drawing {
    flags: Draw,
    saved: Option<report::TraceFile>,
    format: Format,
}

impl input::Verb for Drawing {
    fn run<P: Program>(self, mut input: Input<P>) -> Result<Exit, Failure> {
        if let Some(file) = &self.saved {
            input.observe(file)?;
        }
        let picture = match (&self.saved, &self.flags.trace) {
            (Some(file), Some(path)) => chart(&input, file, path)?,
            _ => self.graphs(&input)?,
        };
        deliver(self.flags.output.as_deref(), &picture)?;
        Ok(Exit::Good)
    }
}

impl Drawing {
    fn graphs<P: Program>(&self, input: &Input<P>) -> Result<Vec<u8>, Failure> {
        let model = input.program.model();
        let graphs = match self.flags.what {
            What::Automata => model.automata(),
            What::States => vec![self.states(model, &title(input.source.file()))],
        };
        if graphs.is_empty() {
            return Err(Failure::wrong(
                "a program has no automata to draw: `--what states` draws its states, `--trace` a trace",
            ));
        }
        let mut picture = Vec::new();
        match self.format {
            Format::Svg => report::graphs_svg(&mut picture, &graphs),
            Format::Dot => report::write_dot(&mut picture, &graphs),
        }
        .map_err(|failure| Failure::Internal(failure.to_string()))?;
        Ok(picture)
    }

    fn states<S: System>(&self, model: &S, name: &str) -> Graph {
        let found = graph(model, self.flags.max_states.max(1));
        if found.cut_off {
            let shown = found.states.len();
            output::warning(&format!(
                "there are more states; drawn are the {shown} nearest to the beginning (--max-states)"
            ));
        }
        state_graph(model, &found, name)
    }
}

fn title(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

fn chart<P: Program>(
    input: &Input<P>,
    file: &report::TraceFile,
    path: &Path,
) -> Result<Vec<u8>, Failure> {
    traces::fits(input, file, path)?;
    let (model, choices) = (input.program.model(), traces::choices(file));
    let replayed = replay(model, &choices)
        .map_err(|error| Failure::wrong(format!("the trace does not fit: {error}")))?;
    let trace = story::tell(model, &replayed, &choices.steps, Scope::default());
    let fault = replayed.fault.as_ref().map(report::Fault::from);
    let sequence = Sequence::new(&trace, fault.as_ref());
    let mut picture = Vec::new();
    report::sequence_svg(&mut picture, &sequence, &title(input.source.file()))
        .map_err(|failure| Failure::Internal(failure.to_string()))?;
    Ok(picture)
}

pub(super) fn deliver(path: Option<&Path>, picture: &[u8]) -> Result<(), Failure> {
    let Some(path) = path else {
        return output::product(picture);
    };
    std::fs::write(path, picture)
        .map_err(|failure| Failure::wrong(format!("cannot write `{}`: {failure}", path.display())))
}

/// The explored states as a graph to draw.
fn state_graph<S: System>(model: &S, found: &StateGraph, name: &str) -> Graph {
    let mut explorer = model.explorer();
    let mut nodes: Vec<GraphNode> = found
        .states
        .iter()
        .enumerate()
        .map(|(index, state)| GraphNode {
            label: label(&explorer.show(state.view())),
            kind: kind(found, index),
        })
        .collect();
    let mut edges: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    let mut faults: Vec<auspex_system::Fault> = Vec::new();
    for edge in &found.edges {
        let to = match &edge.to {
            EdgeEnd::State(state) => *state,
            EdgeEnd::Fault(fault) => found.states.len() + fault_number(&mut faults, fault),
        };
        let infos = explorer.describe(found.states[edge.from].view(), edge.step);
        edges.entry((edge.from, to)).or_default().push(edge_label(&infos));
    }
    for (_, fault) in &found.initial_faults {
        fault_number(&mut faults, fault);
    }
    nodes.extend(faults.iter().map(fault_node));
    let edges = edges
        .into_iter()
        .map(|((from, to), labels)| GraphEdge { from, to, label: labels.join("\n") })
        .collect();
    Graph { name: name.to_string(), nodes, edges }
}

fn kind(found: &StateGraph, index: usize) -> NodeKind {
    if found.initial.contains(&index) {
        return NodeKind::Initial;
    }
    // Where states were left out, no outgoing edge need not mean an end.
    let leaves = found.edges.iter().any(|edge| edge.from == index);
    if leaves || found.cut_off { NodeKind::Plain } else { NodeKind::End }
}

fn fault_number(faults: &mut Vec<auspex_system::Fault>, fault: &auspex_system::Fault) -> usize {
    let same = |other: &auspex_system::Fault| {
        (other.kind, &other.location) == (fault.kind, &fault.location)
    };
    faults.iter().position(same).unwrap_or_else(|| {
        faults.push(fault.clone());
        faults.len() - 1
    })
}

fn fault_node(fault: &auspex_system::Fault) -> GraphNode {
    let at = report::Location::from(&fault.location);
    let headline = report::headline(&fault.into());
    GraphNode { label: format!("{headline}\n{at}"), kind: NodeKind::Bad }
}

/// Where each section stands and what it holds.
fn label(view: &StateView) -> String {
    let lines = view.sections.iter().flat_map(|section| {
        let at = section.location.as_ref().map(|at| format!("line {}", at.line));
        let values = section.variables.iter().map(|v| format!("{}={}", v.name, v.value));
        wrap(&format!("{}:", section.title), at.into_iter().chain(values))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Words in lines of a width that can be read in a picture.
fn wrap(title: &str, words: impl Iterator<Item = String>) -> Vec<String> {
    let widest = 40;
    let mut lines = vec![title.to_string()];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < widest => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(format!("  {word}")),
        }
    }
    lines
}

fn edge_label(infos: &[auspex_system::StepInfo]) -> String {
    let who = infos.first().and_then(|info| info.process.as_ref());
    let who = who.map(|process| format!("{}: ", process.id)).unwrap_or_default();
    let texts: Vec<&str> = infos.iter().map(|info| info.text.as_str()).collect();
    match texts.as_slice() {
        [first, second, .., last] if texts.len() > 3 => {
            format!("{who}{first}; {second}; …; {last}")
        }
        texts => format!("{who}{}", texts.join("; ")),
    }
}
