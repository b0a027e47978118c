//! `auspex simulate`: walk a system by hand, at random, or along a saved trace.

mod prompt;

use crate::exit::{Exit, Failure};
use crate::input::{self, Input, Program, Source};
use crate::story::Scope;
use crate::walk::Walk;
use crate::{output, traces};
use auspex_report::{self as report, Detail, Finding};
use auspex_search::Trace;
use auspex_system::{Step, System};
use clap::Args;
use std::io::{IsTerminal, stdin};
use std::path::PathBuf;

/// Walk through a model by hand, at random, or along a saved trace.
///
/// Without flags it asks which step to take next; `?` at the prompt lists what else it can do.
/// Commands may also come from a pipe.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex simulate model.pml                               choose each step
  auspex simulate model.pml --random --seed 7 --steps 50  one random run
  auspex simulate model.pml --trace model.pml.trace.json  see how it went wrong
  echo '1 1 b s' | tr ' ' '\\n' | auspex simulate model.pml  from a script

Exit codes: 1 where the walk ends in a fault, else 0; 2 where the input, the call or the trace is wrong")]
pub struct Simulate {
    #[command(flatten)]
    source: Source,

    /// Choose at random
    #[arg(long, conflicts_with = "trace")]
    random: bool,

    /// Where the random choices begin; the same seed gives the same run
    #[arg(long, value_name = "N", requires = "random")]
    seed: Option<u64>,

    /// Stop a random run after so many steps
    #[arg(long, value_name = "N", default_value_t = 1000)]
    steps: usize,

    /// Follow a trace that `auspex check` wrote; in a terminal step by step
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Ask for each step even where the commands come from a pipe
    #[arg(long, short, conflicts_with = "random")]
    interactive: bool,

    /// Show whole states, not only what changed
    #[arg(long)]
    full: bool,

    /// Show the value of an expression (may be repeated)
    #[arg(long, value_name = "EXPR")]
    watch: Vec<String>,
}

impl Simulate {
    pub fn start(mut self) -> Result<Exit, Failure> {
        let saved = self.trace.as_deref().map(traces::read).transpose()?;
        if let Some(file) = &saved {
            self.source = traces::settings(&self.source, file);
        }
        let source = self.source.clone();
        input::open(&source, Simulation { flags: self, saved })
    }

    fn scope(&self) -> Scope {
        Scope { full: self.full, watched: !self.watch.is_empty() }
    }

    fn detail(&self) -> Detail {
        Detail { full: self.full, quiet: false, width: output::width() }
    }
}

struct Simulation {
    flags: Simulate,
    saved: Option<report::TraceFile>,
}

impl input::Verb for Simulation {
    fn run<P: Program>(self, mut input: Input<P>) -> Result<Exit, Failure> {
        let flags = self.flags;
        input.watch_all(&flags.watch)?;
        if let Some(file) = &self.saved {
            input.observe(file)?;
        }
        input.print_warnings();
        let asked = flags.interactive || stdin().is_terminal();
        if flags.random {
            return random(&flags, &input);
        }
        let guide = match (&self.saved, &flags.trace) {
            (Some(file), Some(path)) => {
                traces::fits(&input, file, path)?;
                Some(traces::choices(file))
            }
            _ => None,
        };
        match guide {
            Some(trace) if !asked => {
                follow(&flags, &input, &trace, self.saved.as_ref().and_then(for_ever))
            }
            guide => prompt::run(&flags, input, guide),
        }
    }
}

/// One run of random choices.
fn random<P: Program>(flags: &Simulate, input: &Input<P>) -> Result<Exit, Failure> {
    let seed = flags.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let mut random = fastrand::Rng::with_seed(seed);
    let model = input.program.model();
    let initial = random.usize(..Walk::initial_states(model).max(1));
    let mut walk = begin(model, Step(initial as u32))?;
    let stuck = wander(&mut walk, model, &mut random, flags.steps);
    let end = match stuck {
        true => format!("the run ends after {} steps", walk.length()),
        false => format!("stopped after {} steps (--steps)", walk.length()),
    };
    Ok(show(flags, input, &walk, &format!("{end}; seed {seed}")))
}

/// Takes up to `steps` random steps; true where nothing more can happen.
fn wander<S: System>(walk: &mut Walk, model: &S, random: &mut fastrand::Rng, steps: usize) -> bool {
    for _ in 0..steps {
        let count = walk.count(model);
        if count == 0 {
            return true;
        }
        walk.take(model, Step(random.usize(..count) as u32));
    }
    walk.count(model) == 0
}

/// What a run that goes on for ever does in the end.
fn for_ever(file: &report::TraceFile) -> Option<String> {
    let from = file.cycle_from?;
    let what = match file.steps.len().saturating_sub(from) {
        0 => "nothing can move any more".to_string(),
        1 => "the last step repeats for ever".to_string(),
        steps => format!("the last {steps} steps repeat for ever"),
    };
    Some(format!("{what}: {}", file.fault.message))
}

/// A saved trace from its beginning to its end.
fn follow<P: Program>(
    flags: &Simulate,
    input: &Input<P>,
    trace: &Trace,
    for_ever: Option<String>,
) -> Result<Exit, Failure> {
    let model = input.program.model();
    let mut walk = begin(model, trace.initial)?;
    for (index, &step) in trace.steps.iter().enumerate() {
        if !walk.take(model, step) {
            let (step, choice) = (index + 1, step.0);
            return Err(Failure::wrong(format!(
                "the trace does not fit: there is no choice {choice} in step {step}"
            )));
        }
    }
    if let (None, Some(end)) = (walk.fault(), for_ever) {
        show(flags, input, &walk, &end);
        return Ok(Exit::Violated);
    }
    if walk.fault().is_none() {
        return Err(Failure::wrong("the trace does not fit: it ends without a fault"));
    }
    Ok(show(flags, input, &walk, "the trace ends here"))
}

/// Prints a walk; says how it ends.
fn show<P: Program>(flags: &Simulate, input: &Input<P>, walk: &Walk, end: &str) -> Exit {
    let trace = walk.tell(input.program.model(), flags.scope());
    let steps = walk.length();
    match walk.fault() {
        None => {
            output::result(|out| {
                report::write_run(out, &trace, &flags.detail())?;
                writeln!(out, "{end}")
            });
            Exit::Good
        }
        Some(fault) => {
            let fault = report::Fault::from(fault);
            let finding = Finding { fault, trace, trace_file: None, replayed: true };
            output::result(|out| {
                report::write_finding(out, &finding, &input.sources, &flags.detail())?;
                writeln!(out, "\n{}", report::violation(&finding.fault, steps))?;
                if flags.random { writeln!(out, "{end}") } else { Ok(()) }
            });
            Exit::Violated
        }
    }
}

fn begin<S: System>(model: &S, initial: Step) -> Result<Walk, Failure> {
    Walk::begin(model, initial)
        .ok_or_else(|| Failure::wrong(format!("there is no initial state number {}", initial.0)))
}
