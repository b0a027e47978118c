//! The dialogue: what can happen next, and what the user wants.

use super::{Simulate, begin, wander};
use crate::exit::{Exit, Failure};
use crate::input::{Input, Program};
use crate::output;
use crate::story::Scope;
use crate::walk::{Choice, Walk};
use auspex_report::{self as report, Finding};
use auspex_search::Trace;
use auspex_system::{Explorer, Step, System};
use std::io::{self, BufRead, IsTerminal, Write};

const HELP: &str = "  N        take step number N
  Enter    take the marked step (the next one of the trace, else the first)
  r [N]    take N random steps (1)
  b [N]    go back N steps (1)
  e        follow the trace to its end
  p N      take a step of process or thread number N
  break [FILE:]LINE   stop before a step that executes this line (again: no longer; alone: list)
  c        take marked steps up to the next such line, or the end
  s        show the whole state
  t        show all steps so far
  w EXPR   show the value of an expression from now on
  q        quit";

#[derive(Debug, PartialEq, Eq)]
enum Command<'a> {
    Take(usize),
    Default,
    Random(usize),
    Back(usize),
    End,
    Process(u32),
    Break(&'a str),
    Continue,
    State,
    Trace,
    Watch(&'a str),
    Help,
    Quit,
    Unknown,
}

fn parse(line: &str) -> Command<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let number = || if rest.is_empty() { Some(1) } else { rest.trim().parse().ok() };
    let command = match word {
        "" => Some(Command::Default),
        "r" | "random" => number().map(Command::Random),
        "b" | "back" => number().map(Command::Back),
        "e" | "end" => Some(Command::End),
        "p" | "process" | "thread" => rest.trim().parse().ok().map(Command::Process),
        "break" => Some(Command::Break(rest.trim())),
        "c" | "continue" => Some(Command::Continue),
        "s" | "state" => Some(Command::State),
        "t" | "trace" => Some(Command::Trace),
        "w" | "watch" if !rest.trim().is_empty() => Some(Command::Watch(rest.trim())),
        "?" | "h" | "help" => Some(Command::Help),
        "q" | "quit" | "exit" => Some(Command::Quit),
        number => number.parse().ok().map(Command::Take),
    };
    command.unwrap_or(Command::Unknown)
}

/// Asks until the user quits or the input ends.
pub fn run<P: Program>(
    flags: &Simulate,
    input: Input<P>,
    guide: Option<Trace>,
) -> Result<Exit, Failure> {
    let initial = guide.as_ref().map_or(Step(0), |trace| trace.initial);
    let walk = begin(input.program.model(), initial)?;
    let scope = flags.scope();
    let random = fastrand::Rng::new();
    let mut dialogue = Dialogue { flags, input, guide, walk, scope, random, breaks: Vec::new() };
    // A reader that went away ends the dialogue as a `q` would.
    let _ = dialogue.run(&mut io::stdin().lock(), &mut anstream::stdout());
    Ok(if dialogue.walk.fault().is_some() { Exit::Violated } else { Exit::Good })
}

/// A walk without an end stops after so many steps.
const MOST_STEPS: usize = 10_000;

/// A line to stop at, in any file or in one whose path ends so.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Break {
    file: Option<String>,
    line: u32,
}

impl Break {
    fn parse(text: &str) -> Option<Break> {
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) => (Some(file.to_string()), line),
            None => (None, text),
        };
        let line = line.parse().ok().filter(|line| *line > 0)?;
        Some(Break { file, line })
    }

    fn meets(&self, at: &report::Location) -> bool {
        let file = self.file.as_deref();
        self.line == at.line && file.is_none_or(|file| at.file.ends_with(file))
    }
}

impl std::fmt::Display for Break {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

struct Dialogue<'a, P> {
    flags: &'a Simulate,
    input: Input<P>,
    guide: Option<Trace>,
    walk: Walk,
    scope: Scope,
    random: fastrand::Rng,
    breaks: Vec<Break>,
}

impl<P: Program> Dialogue<'_, P> {
    fn run(&mut self, from: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        let echo = !io::stdin().is_terminal();
        self.offer(out)?;
        loop {
            write!(out, "step {}> ", self.walk.length() + 1)?;
            out.flush()?;
            let mut line = String::new();
            if from.read_line(&mut line)? == 0 {
                return writeln!(out);
            }
            if echo {
                // Or the answers of a script would stand without their questions.
                writeln!(out, "{}", line.trim())?;
            }
            let command = parse(&line);
            if command == Command::Quit {
                return Ok(());
            }
            self.obey(command, out)?;
        }
    }

    fn obey(&mut self, command: Command<'_>, out: &mut dyn Write) -> io::Result<()> {
        match command {
            Command::Take(number) => self.take(number, out),
            Command::Default => self.take(self.default() + 1, out),
            Command::Random(steps) => self.wander(steps, out),
            Command::Back(steps) => self.back(steps, out),
            Command::End => self.follow(out),
            Command::Process(id) => self.take_of(id, out),
            Command::Break(text) => self.set_break(text, out),
            Command::Continue => self.go_on(out),
            Command::State => self.show_state(out),
            Command::Trace => report::write_steps(out, &self.told(), &self.flags.detail()),
            Command::Watch(text) => self.watch(text, out),
            Command::Help => writeln!(out, "{HELP}"),
            Command::Unknown => writeln!(out, "what? type ? for help"),
            Command::Quit => Ok(()),
        }
    }

    /// The index of the step that Enter takes.
    fn default(&self) -> usize {
        let next = self.guide.as_ref().and_then(|trace| self.walk.next_of(trace));
        next.map_or(0, |step| step.0 as usize)
    }

    fn take(&mut self, number: usize, out: &mut dyn Write) -> io::Result<()> {
        let model = self.input.program.model();
        let step = number.checked_sub(1).and_then(|index| u32::try_from(index).ok());
        if !step.is_some_and(|index| self.walk.take(model, Step(index))) {
            return match self.walk.count(model) {
                0 => writeln!(out, "nothing can happen here: b goes back, q quits"),
                count => writeln!(out, "there are steps 1 to {count}; ? for help"),
            };
        }
        self.report_last(out)?;
        self.offer(out)
    }

    fn report_last(&self, out: &mut dyn Write) -> io::Result<()> {
        let prefix = self.walk.last_step(self.input.program.model());
        let trace = report::Trace { prefix, ..report::Trace::default() };
        report::write_steps(out, &trace, &self.flags.detail())?;
        if self.scope.full {
            return self.show_state(out);
        }
        self.show_watched(out)
    }

    fn wander(&mut self, steps: usize, out: &mut dyn Write) -> io::Result<()> {
        let begin = self.walk.length();
        wander(&mut self.walk, self.input.program.model(), &mut self.random, steps);
        self.report_since(begin, out)
    }

    fn follow(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let begin = self.walk.length();
        let Some(guide) = &self.guide else {
            return writeln!(out, "there is no trace to follow (--trace FILE)");
        };
        let model = self.input.program.model();
        while let Some(step) = self.walk.next_of(guide)
            && self.walk.take(model, step)
        {}
        if self.walk.length() == begin {
            writeln!(out, "the trace is at its end, or you have left it: b goes back")?;
        }
        self.report_since(begin, out)
    }

    /// The first step of one process.
    fn take_of(&mut self, id: u32, out: &mut dyn Write) -> io::Result<()> {
        let is = |choice: &Choice| {
            let process = choice.statements.first().and_then(|first| first.process.as_ref());
            process.is_some_and(|process| process.id == id)
        };
        match self.walk.choices(self.input.program.model()).iter().position(is) {
            Some(index) => self.take(index + 1, out),
            None => writeln!(out, "number {id} cannot move here"),
        }
    }

    fn set_break(&mut self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        if !text.is_empty() {
            let Some(asked) = Break::parse(text) else {
                return writeln!(out, "which line? such as: break 12, or: break list.c:12");
            };
            match self.breaks.iter().position(|known| *known == asked) {
                Some(index) => drop(self.breaks.remove(index)),
                None => self.breaks.push(asked),
            }
        }
        if self.breaks.is_empty() {
            return writeln!(out, "c stops nowhere");
        }
        let all: Vec<String> = self.breaks.iter().map(Break::to_string).collect();
        writeln!(out, "c stops before {}", all.join(", "))
    }

    /// Takes marked steps until a line with a break is next.
    fn go_on(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let begin = self.walk.length();
        let model = self.input.program.model();
        while self.walk.length() < begin + MOST_STEPS {
            let step = Step(self.default() as u32);
            let next = self.walk.preview(model, step);
            let stop = |step: &report::Step| self.breaks.iter().any(|it| it.meets(&step.location));
            // The first step is taken in any case, or there would be no way on.
            if self.walk.length() > begin && next.iter().any(stop) || !self.walk.take(model, step) {
                break;
            }
        }
        self.report_since(begin, out)
    }

    /// The steps beyond the first `begin`, and what is possible now.
    fn report_since(&self, begin: usize, out: &mut dyn Write) -> io::Result<()> {
        let mut trace = self.told();
        trace.prefix.retain(|step| step.step > begin);
        trace.initial = None;
        report::write_steps(out, &trace, &self.flags.detail())?;
        self.offer(out)
    }

    fn back(&mut self, steps: usize, out: &mut dyn Write) -> io::Result<()> {
        let moved = (0..steps).take_while(|_| self.walk.back()).count();
        if moved == 0 {
            return writeln!(out, "this is the beginning");
        }
        self.show_watched(out)?;
        self.offer(out)
    }

    fn show_state(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.state() {
            Some(state) => report::write_state(out, &state),
            None => writeln!(out, "there is no state: the fault comes first"),
        }
    }

    fn show_watched(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.scope.watched {
            return Ok(());
        }
        let state = self.state().unwrap_or_default();
        report::write_state(out, &report::State { sections: Vec::new(), ..state })
    }

    fn watch(&mut self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        match self.input.program.watch(&mut self.input.sources, text) {
            Ok(()) => {
                self.scope.watched = true;
                self.show_watched(out)
            }
            Err(errors) => {
                output::diagnostics(&errors, &self.input.sources);
                Ok(())
            }
        }
    }

    fn state(&self) -> Option<report::State> {
        let state = self.walk.state()?;
        let mut explorer = self.input.program.model().explorer();
        Some((&explorer.show(state.view())).into())
    }

    fn told(&self) -> report::Trace {
        self.walk.tell(self.input.program.model(), self.scope)
    }

    /// What can happen next; the fault where it has happened.
    fn offer(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(fault) = self.walk.fault() {
            let (fault, trace) = (report::Fault::from(fault), self.told());
            let finding = Finding { fault, trace, trace_file: None, replayed: true };
            return report::write_fault(out, &finding, &self.input.sources);
        }
        let choices = self.walk.choices(self.input.program.model());
        if choices.is_empty() {
            return writeln!(out, "the run ends here: every process is at an end");
        }
        let shown = |choice: &Choice| report::Offer {
            statements: choice.statements.clone(),
            fault: choice.fault.as_ref().map(report::Fault::from),
        };
        let offers: Vec<_> = choices.iter().map(shown).collect();
        report::write_offers(out, &offers, self.default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_name_a_line_and_perhaps_a_file() {
        let at = |file: &str, line| report::Location { file: file.into(), line, column: 1 };
        let meets = |text, at| Break::parse(text).is_some_and(|it| it.meets(&at));
        assert!(meets("7", at("dir/a.c", 7)) && meets("a.c:7", at("dir/a.c", 7)));
        assert!(!meets("a.c:7", at("b.c", 7)) && !meets("8", at("a.c", 7)));
        for wrong in ["", "x", "a.c:", "0", "-1"] {
            assert_eq!(Break::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn commands_are_short_words() {
        assert_eq!(parse("\n"), Command::Default);
        assert_eq!(parse(" 3 "), Command::Take(3));
        assert_eq!(parse("r 10"), Command::Random(10));
        assert_eq!(parse("b"), Command::Back(1));
        assert_eq!(parse("w x + 1"), Command::Watch("x + 1"));
        assert_eq!(parse("p 2"), Command::Process(2));
        assert_eq!(parse("break a.c:7"), Command::Break("a.c:7"));
        assert_eq!(parse("c"), Command::Continue);
        for unknown in ["w", "p", "r x", "-1", "b b", "é"] {
            assert_eq!(parse(unknown), Command::Unknown, "{unknown}");
        }
    }
}
