//! Is what a program prints among what its model can print? A product of both: a state is one of the program, and the set
//! of all states in which the model may be after it has printed the same.

use crate::accept::{Acceptor, Ending, Places};
use auspex_process::Model;
use auspex_system::{
    Explorer, Fault, Graph, Location, Place, StateRef, StateView, Step, StepInfo, Successor,
    Successors, System,
};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A program that is followed by its model, or by whatever else says what may be printed.
pub struct Inclusion<S, M = Model> {
    program: S,
    acceptor: Mutex<Acceptor<M>>,
    /// A directory whose files are of no interest to people: of a library.
    library: Option<&'static str>,
}

impl<S: System, M: System> Inclusion<S, M> {
    /// At most `limit` states of the model are looked at.
    pub fn new(program: S, model: M, limit: usize) -> Self {
        let acceptor = Mutex::new(Acceptor::new(model, limit));
        Inclusion { program, acceptor, library: None }
    }

    /// That not all of the files of this directory is executed is no news.
    pub fn with_library(mut self, directory: &'static str) -> Self {
        self.library = Some(directory);
        self
    }

    pub fn program(&self) -> &S {
        &self.program
    }

    /// Were there more states of the model than were looked at?
    pub fn is_at_its_limit(&self) -> bool {
        self.acceptor().is_at_its_limit()
    }

    /// How many states of the model were met.
    pub fn states(&self) -> usize {
        self.acceptor().states()
    }

    fn acceptor(&self) -> MutexGuard<'_, Acceptor<M>> {
        self.acceptor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: System, M: System + Send> System for Inclusion<S, M> {
    type Explorer<'s>
        = Follower<'s, S, M>
    where
        S: 's,
        M: 's;

    fn explorer(&self) -> Follower<'_, S, M> {
        Follower {
            inclusion: self,
            program: self.program.explorer(),
            successors: Successors::new(),
        }
    }

    fn has_loose_parts(&self) -> bool {
        self.program.has_loose_parts()
    }

    fn unreached(&self, covered: &[bool]) -> Vec<Place> {
        let mut places = self.program.unreached(covered);
        let of_library =
            |place: &Place| self.library.is_some_and(|name| is_in(&place.location.file, name));
        places.retain(|place| !of_library(place));
        places
    }

    fn automata(&self) -> Vec<Graph> {
        self.program.automata()
    }
}

/// Is the file in a directory of this name?
fn is_in(file: &str, directory: &str) -> bool {
    Path::new(file).parent().is_some_and(|parent| parent.ends_with(directory))
}

pub struct Follower<'s, S: System, M> {
    inclusion: &'s Inclusion<S, M>,
    program: S::Explorer<'s>,
    /// Those of the program.
    successors: Successors,
}

/// The bytes of the number of a set, behind those of the program.
const NUMBER: usize = 4;

/// Takes a state apart.
fn parts(state: StateRef<'_>) -> (StateRef<'_>, Places) {
    let (bytes, number) = state.bytes.split_at(state.bytes.len() - NUMBER);
    let cuts = &state.cuts[..state.cuts.len() - 1];
    let number = number.try_into().map_or(0, u32::from_le_bytes);
    (StateRef { bytes, cuts }, Places(number))
}

fn push(state: StateRef<'_>, places: Places, out: &mut Successors) {
    let mut bytes = state.bytes.to_vec();
    let mut cuts = state.cuts.to_vec();
    cuts.push(bytes.len() as u32);
    bytes.extend_from_slice(&places.0.to_le_bytes());
    out.push(StateRef { bytes: &bytes, cuts: &cuts });
}

impl<S: System, M: System> Follower<'_, S, M> {
    /// What a step prints.
    fn printed(&mut self, from: StateRef<'_>, step: Step) -> String {
        if let Some(text) = self.program.printed(step) {
            return text.to_string();
        }
        self.program.describe(from, step).into_iter().map(|info| info.output).collect()
    }

    /// Where it prints first.
    fn place(&mut self, from: StateRef<'_>, step: Step) -> Location {
        let mut infos = self.program.describe(from, step).into_iter();
        let first = infos.find(|info| !info.output.is_empty());
        first.map_or_else(Location::unknown, |info| info.location)
    }

    /// Where the model may be after a step; a fault if it is nowhere.
    fn follow(
        &mut self,
        (from, places): (StateRef<'_>, Places),
        step: Step,
    ) -> Result<Places, Fault> {
        let text = self.printed(from, step);
        if text.is_empty() {
            return Ok(places);
        }
        let mut acceptor = self.inclusion.acceptor();
        let next = acceptor.after(places, &text);
        // What was left out of the model may well have printed it.
        if !acceptor.is_empty(next) || acceptor.is_at_its_limit() {
            return Ok(next);
        }
        drop(acceptor);
        let message = format!("the model cannot print {text:?} here");
        Err(Fault::new("output", message, self.place(from, step)))
    }

    /// The program has come to its end: can the model?
    fn end(&mut self, places: Places) -> Option<Fault> {
        let mut acceptor = self.inclusion.acceptor();
        if acceptor.can_end(places, Ending::Valid) || acceptor.is_at_its_limit() {
            return None;
        }
        let message = "the program ends where the model cannot: it has more to do";
        Some(Fault::new("end", message, Location::unknown()))
    }
}

impl<S: System, M: System> Explorer for Follower<'_, S, M> {
    fn initial(&mut self, out: &mut Successors) {
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        self.program.initial(&mut successors);
        let start = self.inclusion.acceptor().start();
        for (_, successor) in successors.iter() {
            match successor {
                Successor::State(state) => push(state, start, out),
                Successor::Fault(fault) => out.push_fault(fault.clone()),
                Successor::Numbered(_) => {}
            }
        }
        self.successors = successors;
    }

    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        let from = parts(state);
        let mut successors = match out.interrupt() {
            Some(flag) => Successors::interruptible(flag.clone()),
            None => std::mem::take(&mut self.successors),
        };
        successors.clear();
        self.program.successors(from.0, &mut successors);
        for (step, successor) in successors.iter() {
            if out.is_interrupted() {
                break;
            }
            match successor {
                Successor::State(state) => match self.follow(from, step) {
                    Ok(places) => push(state, places, out),
                    Err(fault) => out.push_fault(fault),
                },
                Successor::Fault(fault) => out.push_fault(fault.clone()),
                Successor::Numbered(_) => {}
            }
        }
        if successors.is_abandoned() {
            out.abandon();
        } else if successors.is_empty()
            && !successors.is_interrupted()
            && let Some(fault) = self.end(from.1)
        {
            out.push_fault(fault);
        }
        self.successors = successors;
    }

    fn describe(&mut self, from: StateRef<'_>, step: Step) -> Vec<StepInfo> {
        self.program.describe(parts(from).0, step)
    }

    fn show(&mut self, state: StateRef<'_>) -> StateView {
        self.program.show(parts(state).0)
    }

    fn show_fault(&mut self, from: StateRef<'_>, step: Step) -> Option<StateView> {
        self.program.show_fault(parts(from).0, step)
    }

    fn covered(&self) -> &[bool] {
        self.program.covered()
    }
}
