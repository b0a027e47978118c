//! `auspex run`: an LF program on its kernel, for real.

use crate::exit::{Exit, Failure, INTERRUPTED};
use crate::input::{Input as Opened, Program, Source};
use crate::{lf, output, traces};
use auspex_lf::run::{self, Ended, Host, Input, Policy};
use auspex_report as report;
use auspex_search::replay;
use auspex_system::{Explorer, Fault, SourceMap, System};
use clap::{Args, ValueEnum};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

/// Run an LF program: input, output, time and interrupts are those of this computer.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  auspex run prodcons.lf                         everybody in turn
  auspex run control.lf --scheduler edf          by the deadlines given with CREATE
  auspex run prodcons.lf --scheduler random --seed 7
  auspex run prodcons.lf --trace prodcons.lf.trace.json   the run that `check` has found

Exit codes:
  0  the program has ended, or the given number of actions was carried out
  1  it went wrong: an assertion, a range, a deadlock
  2  the input or the call is wrong")]
pub struct Run {
    #[command(flatten)]
    source: Source,

    /// Who acts next
    #[arg(long, value_enum, default_value = "rr", value_name = "HOW", conflicts_with = "trace")]
    scheduler: Scheduler,

    /// For every CHOICE, and for --scheduler random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Milliseconds between two timer interrupts (SYSTEM.Interrupt0)
    #[arg(long, value_name = "MS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    tick: u64,

    /// Stop after so many actions
    #[arg(long, value_name = "N", conflicts_with = "trace")]
    actions: Option<u64>,

    /// Do what a trace of `auspex check` says
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Say at the end what was done
    #[arg(long)]
    stats: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scheduler {
    /// Everybody in turn
    Rr,
    /// The earliest deadline first
    Edf,
    /// Anybody
    Random,
}

impl Run {
    pub fn start(self) -> Result<Exit, Failure> {
        lf::must_be_lf(self.source.file())?;
        if let Some(path) = &self.trace {
            let file = traces::read(path)?;
            let source = traces::settings(&self.source, &file);
            let mut input = lf::open(&source)?;
            input.observe(&file)?;
            traces::fits(&input, &file, path)?;
            return follow(&input, &file);
        }
        let mut sources = SourceMap::default();
        let (program, object) = lf::read(&self.source, &mut sources)?;
        if let Some(program) = program {
            output::diagnostics(&program.warnings, &sources);
        }
        let policy = match self.scheduler {
            Scheduler::Rr => Policy::RoundRobin,
            Scheduler::Edf => Policy::EarliestDeadline,
            Scheduler::Random => Policy::Random,
        };
        let options =
            run::Options { policy, seed: self.seed, tick: self.tick, actions: self.actions };
        let mut computer = Computer::new();
        let summary = run::run(&object, &mut computer, &options);
        computer.flush();
        if let Some(failure) = computer.failure.filter(|it| it.kind() != io::ErrorKind::BrokenPipe)
        {
            return Err(output::cannot_write(&failure));
        }
        if self.stats {
            let seconds = computer.start.elapsed().as_secs_f64();
            output::note(&format!("{} actions in {seconds:.3} s", summary.actions));
        }
        if summary.missed_deadlines > 0 {
            output::warning(&format!("{} deadlines were missed", summary.missed_deadlines));
        }
        match summary.ended {
            Ended::Over | Ended::Stopped => Ok(Exit::Good),
            Ended::Interrupted => std::process::exit(INTERRUPTED),
            Ended::Fault(fault) => Ok(tell(&fault)),
        }
    }
}

fn tell(fault: &Fault) -> Exit {
    let shown = report::Fault::from(fault);
    let at = report::Location::from(&fault.location);
    output::error(&format!("{} ({at})", report::headline(&shown)));
    if let Some((_, who)) = fault.message.split_once(": ").filter(|_| fault.kind == "deadlock") {
        who.split("; ").for_each(output::note);
    }
    Exit::Violated
}

/// A run that was found by a search, done again.
fn follow<P: Program>(input: &Opened<P>, file: &report::TraceFile) -> Result<Exit, Failure> {
    let (model, choices) = (input.program.model(), traces::choices(file));
    let replayed = replay(model, &choices)
        .map_err(|error| Failure::wrong(format!("the trace does not fit: {error}")))?;
    let mut explorer = model.explorer();
    for (state, step) in replayed.states.iter().zip(&choices.steps) {
        for statement in explorer.describe(state.view(), *step) {
            output::result(|out| out.write_all(statement.output.as_bytes()));
        }
    }
    match &replayed.fault {
        Some(fault) => Ok(tell(fault)),
        None if file.cycle_from.is_some() => {
            output::note(&format!(
                "from here on the run repeats itself for ever: {}",
                file.fault.message
            ));
            Ok(Exit::Violated)
        }
        None => Ok(Exit::Good),
    }
}

/// This computer.
struct Computer {
    start: Instant,
    out: io::BufWriter<io::Stdout>,
    /// Starts with the first question for input.
    input: Option<Receiver<u8>>,
    /// What came while sleeping.
    early: Option<u8>,
    flushed: Instant,
    /// What is written does not arrive any more.
    failure: Option<io::Error>,
}

impl Computer {
    fn new() -> Self {
        let now = Instant::now();
        Computer {
            start: now,
            out: io::BufWriter::new(io::stdout()),
            input: None,
            early: None,
            flushed: now,
            failure: None,
        }
    }

    fn flush(&mut self) {
        if let Err(failure) = self.out.flush() {
            self.failure.get_or_insert(failure);
        }
        self.flushed = Instant::now();
    }

    fn listen(&mut self) -> &Receiver<u8> {
        self.input.get_or_insert_with(|| {
            let (sender, receiver) = channel();
            std::thread::spawn(move || {
                for byte in io::stdin().lock().bytes() {
                    let Ok(byte) = byte else { return };
                    if sender.send(byte).is_err() {
                        return;
                    }
                }
            });
            receiver
        })
    }
}

impl Host for Computer {
    fn write(&mut self, text: &[u8]) {
        if let Err(failure) = self.out.write_all(text) {
            self.failure.get_or_insert(failure);
        }
    }

    fn read(&mut self) -> Input {
        if let Some(byte) = self.early.take() {
            return Input::Byte(byte);
        }
        match self.listen().try_recv() {
            Ok(byte) => Input::Byte(byte),
            Err(TryRecvError::Empty) => Input::NotYet,
            Err(TryRecvError::Disconnected) => Input::End,
        }
    }

    fn now(&mut self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn sleep_until(&mut self, time: Option<u64>) {
        self.flush();
        let most = Duration::from_millis(100);
        let wait = match time {
            Some(time) => {
                let end = self.start + Duration::from_millis(time);
                end.saturating_duration_since(Instant::now()).min(most)
            }
            None => most,
        };
        let Some(input) = &self.input else { return std::thread::sleep(wait) };
        match input.recv_timeout(wait) {
            Ok(byte) => self.early = Some(byte),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(wait.min(Duration::from_millis(1)))
            }
        }
    }

    fn is_interrupted(&mut self) -> bool {
        // Often enough for people who look on.
        if self.flushed.elapsed() > Duration::from_millis(50) {
            self.flush();
        }
        self.failure.is_some()
    }
}
