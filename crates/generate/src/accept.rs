//! What a model can print: the judge of programs that were made from it. (Or what a program can: the judge of a model.)
//!
//! The printed text of a run is the language of the model; which states it may be in after some text is found by
//! following all of them at once. A step of the model may print several times (an `atomic`): then a part of its text
//! is still owed.

use auspex_process::Model;
use auspex_system::{Explorer, StateRef, Successor, Successors, System};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All processes have ended, or stand where they may.
    Valid,
    /// A fault of this kind: `deadlock`, `assertion`, ...
    Fault(&'static str),
    /// It has not, or nobody knows.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Yes,
    /// Only so many bytes of the output can be printed, or all but then it cannot end like this.
    No {
        printed: usize,
    },
    /// The model has too many states.
    Unknown,
}

/// Is there a run of the model that prints this and ends so? Looks at no more than `limit` states.
pub fn can_print(model: &Model, output: &str, ending: Ending, limit: usize) -> Answer {
    let mut acceptor = Acceptor::new(model, limit);
    let mut at = acceptor.start();
    let mut printed = 0;
    for line in output.split_inclusive('\n') {
        let next = acceptor.after(at, line);
        if acceptor.is_at_its_limit() {
            return Answer::Unknown;
        }
        if acceptor.is_empty(next) {
            return Answer::No { printed };
        }
        at = next;
        printed += line.len();
    }
    let ends = acceptor.can_end(at, ending);
    match ends {
        _ if acceptor.is_at_its_limit() => Answer::Unknown,
        true => Answer::Yes,
        false => Answer::No { printed },
    }
}

/// A set of places where the model may be: a number of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Places(pub(crate) u32);

/// A state, and what it still owes.
type Place = (u32, Arc<str>);

/// A state of the model, as it is known so far.
struct Known {
    bytes: Box<[u8]>,
    cuts: Box<[u32]>,
    moves: Option<Arc<Moves>>,
}

#[derive(Default)]
struct Moves {
    /// With what is printed on the way.
    to: Vec<(u32, Arc<str>)>,
    /// How a run ends here.
    end: Option<Ending>,
}

/// Follows the model along what is printed.
pub struct Acceptor<M> {
    model: M,
    limit: usize,
    reached: bool,
    states: Vec<Known>,
    numbers: HashMap<Box<[u8]>, u32>,
    faults: HashMap<&'static str, u32>,
    sets: Vec<Arc<[Place]>>,
    set_numbers: HashMap<Arc<[Place]>, u32>,
    after: HashMap<(Places, Arc<str>), Places>,
    nothing: Arc<str>,
}

impl<M: System> Acceptor<M> {
    pub fn new(model: M, limit: usize) -> Self {
        Acceptor {
            model,
            limit,
            reached: false,
            states: Vec::new(),
            numbers: HashMap::new(),
            faults: HashMap::new(),
            sets: Vec::new(),
            set_numbers: HashMap::new(),
            after: HashMap::new(),
            nothing: "".into(),
        }
    }

    /// Were states left out?
    pub fn is_at_its_limit(&self) -> bool {
        self.reached
    }

    pub fn states(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self, places: Places) -> bool {
        self.sets[places.0 as usize].is_empty()
    }

    /// Where the model may be before anything was printed.
    pub fn start(&mut self) -> Places {
        let mut out = Successors::new();
        self.model.explorer().initial(&mut out);
        let mut first = BTreeSet::new();
        for (_, successor) in out.iter() {
            if let Some(number) = self.successor(successor) {
                first.insert((number, self.nothing.clone()));
            }
        }
        // What can be reached from there without printing may be the whole model: found when it is asked for.
        self.set(first)
    }

    /// Where it may be after it has printed `text`.
    pub fn after(&mut self, places: Places, text: &str) -> Places {
        if text.is_empty() {
            return places;
        }
        let key = (places, Arc::from(text));
        if let Some(known) = self.after.get(&key) {
            return *known;
        }
        let mut next = BTreeSet::new();
        let mut seen: HashSet<(u32, Arc<str>, usize)> = HashSet::new();
        let from = Arc::clone(&self.sets[places.0 as usize]);
        let mut work: Vec<(u32, Arc<str>, usize)> =
            from.iter().map(|(state, owed)| (*state, owed.clone(), 0)).collect();
        while let Some((state, owed, done)) = work.pop() {
            let rest = &text[done..];
            if rest.is_empty() || owed.len() > rest.len() {
                if let Some(left) = owed.strip_prefix(rest) {
                    next.insert((state, left.into()));
                }
                continue;
            }
            if !rest.starts_with(&*owed) || !seen.insert((state, owed.clone(), done)) {
                continue;
            }
            let done = done + owed.len();
            if done == text.len() {
                next.insert((state, self.nothing.clone()));
                continue;
            }
            for (to, printed) in &self.moves(state).to {
                work.push((*to, printed.clone(), done));
            }
        }
        let number = self.closed(next);
        self.after.insert(key, number);
        number
    }

    /// Can a run end here like this?
    pub fn can_end(&mut self, places: Places, ending: Ending) -> bool {
        let first: BTreeSet<Place> = self.sets[places.0 as usize].iter().cloned().collect();
        let closed = self.closed(first);
        let places = Arc::clone(&self.sets[closed.0 as usize]);
        let mut paid = places.iter().filter(|(_, owed)| owed.is_empty());
        match ending {
            Ending::Unknown => !places.is_empty(),
            _ => paid.any(|(state, _)| self.moves(*state).end == Some(ending)),
        }
    }

    /// The set with all that can be reached without printing.
    fn closed(&mut self, mut set: BTreeSet<Place>) -> Places {
        let mut work: Vec<u32> =
            set.iter().filter(|(_, owed)| owed.is_empty()).map(|(state, _)| *state).collect();
        while let Some(state) = work.pop() {
            for (to, printed) in &self.moves(state).to {
                if printed.is_empty() && set.insert((*to, printed.clone())) {
                    work.push(*to);
                }
            }
        }
        self.set(set)
    }

    fn set(&mut self, set: BTreeSet<Place>) -> Places {
        let set: Arc<[Place]> = set.into_iter().collect();
        let number = *self.set_numbers.entry(Arc::clone(&set)).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() as u32 - 1
        });
        Places(number)
    }

    fn number(&mut self, state: StateRef<'_>) -> Option<u32> {
        if let Some(number) = self.numbers.get(state.bytes) {
            return Some(*number);
        }
        if self.states.len() >= self.limit {
            self.reached = true;
            return None;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.bytes.into(), number);
        let (bytes, cuts) = (state.bytes.into(), state.cuts.into());
        self.states.push(Known { bytes, cuts, moves: None });
        Some(number)
    }

    /// A fault is a state of its own, where a run ends.
    fn successor(&mut self, successor: Successor<'_>) -> Option<u32> {
        match successor {
            Successor::State(state) => self.number(state),
            Successor::Numbered(_) => None,
            Successor::Fault(fault) => {
                let number = self.states.len() as u32;
                let known = *self.faults.entry(fault.kind).or_insert(number);
                if known == number {
                    let end = Some(Ending::Fault(fault.kind));
                    let moves = Some(Arc::new(Moves { to: Vec::new(), end }));
                    self.states.push(Known { bytes: [].into(), cuts: [].into(), moves });
                }
                Some(known)
            }
        }
    }

    fn moves(&mut self, state: u32) -> Arc<Moves> {
        if let Some(moves) = &self.states[state as usize].moves {
            return Arc::clone(moves);
        }
        let Known { bytes, cuts, .. } = &self.states[state as usize];
        let (bytes, cuts) = (bytes.clone(), cuts.clone());
        let from = StateRef { bytes: &bytes, cuts: &cuts };
        let mut out = Successors::new();
        let mut explorer = self.model.explorer();
        explorer.successors(from, &mut out);
        let printed: Vec<String> = out
            .iter()
            .map(|(step, _)| {
                if let Some(text) = explorer.printed(step) {
                    return text.to_string();
                }
                let infos = explorer.describe(from, step).into_iter();
                infos.map(|info| info.output).collect()
            })
            .collect();
        drop(explorer);
        let mut moves = Moves { end: out.is_empty().then_some(Ending::Valid), to: Vec::new() };
        for ((_, successor), printed) in out.iter().zip(printed) {
            let printed = if printed.is_empty() { self.nothing.clone() } else { printed.into() };
            if let Some(to) = self.successor(successor) {
                moves.to.push((to, printed));
            }
        }
        moves.to.sort();
        moves.to.dedup();
        let moves = Arc::new(moves);
        self.states[state as usize].moves = Some(Arc::clone(&moves));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auspex_system::SourceMap;

    fn model(text: &str) -> Model {
        let mut map = SourceMap::default();
        match auspex_promela::load_text(&mut map, "test.pml", text, &Default::default()) {
            Ok(loaded) => loaded.model,
            Err(errors) => panic!("{}", errors[0].message),
        }
    }

    fn ask(model: &Model, output: &str, ending: Ending) -> Answer {
        can_print(model, output, ending, 10_000)
    }

    #[test]
    fn every_order_of_two_processes_can_be_printed_and_no_other_text() {
        let model = model(
            "active proctype A() { printf(\"a\"); printf(\"b\\n\") } \
             active proctype B() { printf(\"c\") }",
        );
        for good in ["ab\nc", "acb\n", "cab\n"] {
            assert_eq!(ask(&model, good, Ending::Valid), Answer::Yes, "{good:?}");
        }
        assert_eq!(ask(&model, "bac", Ending::Unknown), Answer::No { printed: 0 });
        assert_eq!(ask(&model, "cab\nc", Ending::Unknown), Answer::No { printed: 4 });
        // It can be printed, but there is more to come.
        assert_eq!(ask(&model, "ab\n", Ending::Unknown), Answer::Yes);
        assert_eq!(ask(&model, "ab\n", Ending::Valid), Answer::No { printed: 3 });
    }

    #[test]
    fn what_an_atomic_prints_is_not_torn() {
        let model = model(
            "active proctype A() { atomic { printf(\"a\"); printf(\"b\") } } \
             active proctype B() { printf(\"c\") }",
        );
        assert_eq!(ask(&model, "abc", Ending::Valid), Answer::Yes);
        assert_eq!(ask(&model, "a", Ending::Unknown), Answer::Yes);
        assert_eq!(ask(&model, "acb", Ending::Valid), Answer::No { printed: 0 });
    }

    #[test]
    fn a_fault_is_an_end_as_well() {
        let model = model(
            "byte x; active proctype A() { atomic { printf(\"a\"); assert(x == 1) } } \
             active proctype B() { x = 1; printf(\"b\"); x == 2 }",
        );
        assert_eq!(ask(&model, "a", Ending::Fault("assertion")), Answer::Yes);
        assert_eq!(ask(&model, "ba", Ending::Fault("deadlock")), Answer::Yes);
        assert_eq!(ask(&model, "a", Ending::Fault("deadlock")), Answer::No { printed: 1 });
        assert_eq!(ask(&model, "ba", Ending::Valid), Answer::No { printed: 2 });
        assert_eq!(can_print(&model, "ba", Ending::Unknown, 2), Answer::Unknown);
    }
}
