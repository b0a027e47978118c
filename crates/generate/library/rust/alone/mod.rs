//! One process of a specification, as a program of its own.
//!
//! What a statement waits for can come from outside only through code of the specification. A condition with such code
//! is looked at again and again, with a sleep in between; one without can never become true, and the program says
//! so. Of several options that can run, the first one is taken.
#![allow(dead_code, unused_imports)] // no program needs all of it

mod values;

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;
pub use values::*;

const SHORTEST_WAIT: Duration = Duration::from_micros(50);
const LONGEST_WAIT: Duration = Duration::from_millis(10);

struct Inner<G> {
    name: &'static str,
    globals: G,
    arguments: Vec<i32>,
    children: Vec<(String, Child)>,
}

/// A process. The globals are its fields, `g.x`: its own copies.
pub struct Process<G>(Inner<G>);

impl<G> Deref for Process<G> {
    type Target = G;

    fn deref(&self) -> &G {
        &self.0.globals
    }
}

impl<G> DerefMut for Process<G> {
    fn deref_mut(&mut self) -> &mut G {
        &mut self.0.globals
    }
}

impl<G> Process<G> {
    /// Takes the arguments of the program, one number for each parameter.
    pub fn new(
        file: &'static str,
        name: &'static str,
        globals: G,
        parameters: &[&str],
    ) -> Process<G> {
        set_file(file);
        catch_panics();
        let given: Vec<String> = std::env::args().skip(1).collect();
        if given.len() != parameters.len() {
            let usage: String = parameters.iter().map(|name| format!(" {name}")).collect();
            quit(2, format_args!("usage: {name}{usage}\n"));
        }
        let number = |text: &String| match text.parse() {
            Ok(number) => number,
            Err(_) => quit(2, format_args!("{name}: `{text}` is no number of 32 bits\n")),
        };
        let arguments = given.iter().map(number).collect();
        Process(Inner { name, globals, arguments, children: Vec::new() })
    }

    pub fn argument(&self, number: usize) -> i32 {
        self.0.arguments.get(number).copied().unwrap_or(0)
    }

    /// Before a statement that can always run.
    pub fn step(&mut self, place: impl Into<Place>) {
        set_place(place.into());
    }

    /// The first option that can run; waits for one if things can change.
    pub fn select(
        &mut self,
        place: impl Into<Place>,
        text: &str,
        look: impl Fn(&Process<G>, &mut Look),
    ) -> usize {
        let place = place.into();
        set_place(place);
        let mut wait = SHORTEST_WAIT;
        loop {
            let mut seen = Look::default();
            look(self, &mut seen);
            if let Some(option) = seen.option.or(seen.otherwise) {
                return option;
            }
            if !seen.can_change {
                self.blocked(place, text);
            }
            std::thread::sleep(wait);
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Nothing can ever happen here again.
    fn blocked(&self, place: Place, text: &str) -> ! {
        if place.is_end {
            quit(0, "");
        }
        let at = describe(place);
        let message = format!("{} is blocked for ever at {at}: {text}\n", self.0.name);
        if std::env::var("GENERATE_BLOCKED").is_ok_and(|choice| choice == "exit") {
            quit(3, message);
        }
        output("");
        eprint!("{message}");
        loop {
            std::thread::park();
        }
    }

    /// `run`: starts the program of another process, which lies beside this one. Gives its process id.
    pub fn run(&mut self, name: &str, arguments: &[i32]) -> i32 {
        let program = beside(name);
        let arguments = arguments.iter().map(i32::to_string);
        match Command::new(&program).args(arguments).spawn() {
            Ok(child) => {
                let id = child.id() as i32;
                self.0.children.push((name.to_string(), child));
                id
            }
            Err(error) => {
                let hint = match error.kind() {
                    std::io::ErrorKind::NotFound => {
                        " (`cargo build` makes all programs, `cargo run` only one)"
                    }
                    _ => "",
                };
                fault(format_args!("cannot start {}: {error}{hint}", program.display()))
            }
        }
    }

    /// The closing brace: waits for all that were started, and ends with 1 if one of them failed.
    pub fn finish(&mut self) {
        let mut failed = false;
        for (name, child) in &mut self.0.children {
            match child.wait() {
                Ok(status) if status.success() => {}
                Ok(status) => {
                    failed = true;
                    eprintln!("{name}: {status}");
                }
                Err(error) => {
                    failed = true;
                    eprintln!("{name}: {error}");
                }
            }
        }
        if failed {
            quit(1, "");
        }
    }

    /// Runs code that may take long. (With threads, others go on meanwhile.)
    pub fn outside<T>(&mut self, code: impl FnOnce() -> T) -> T {
        code()
    }

    /// `_pid`
    pub fn pid(&self) -> i32 {
        std::process::id() as i32
    }

    /// `select`: programs do not toss coins.
    pub fn pick(&mut self, low: i32, _high: i32) -> i32 {
        low
    }
}

/// The program of a process: in the directory of this one, or in that of `GENERATE_DIRECTORY`.
fn beside(name: &str) -> PathBuf {
    if let Some(directory) = std::env::var_os("GENERATE_DIRECTORY").filter(|d| !d.is_empty()) {
        return PathBuf::from(directory).join(name);
    }
    let own = std::env::current_exe().ok();
    own.and_then(|own| own.parent().map(|d| d.join(name))).unwrap_or_else(|| PathBuf::from(name))
}

/// Collects the options of a process, each with a number, until one can run.
#[derive(Default)]
pub struct Look {
    option: Option<usize>,
    otherwise: Option<usize>,
    can_change: bool,
}

impl Look {
    /// A condition, or `true` for a statement that can always run.
    pub fn when(&mut self, option: usize, condition: bool) -> bool {
        if condition {
            self.option.get_or_insert(option);
        }
        condition
    }

    /// A condition that others can make true.
    pub fn ask(&mut self, option: usize, condition: bool) -> bool {
        self.can_change = true;
        self.when(option, condition)
    }

    /// `else`
    pub fn otherwise(&mut self, option: usize) {
        if self.option.is_none() {
            self.otherwise.get_or_insert(option);
        }
    }

    /// The options so far were those of an escape: what follows can run only if they cannot. Is that so?
    pub fn main(&mut self) -> bool {
        self.option.is_none() && self.otherwise.is_none()
    }
}
