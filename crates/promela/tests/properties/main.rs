//! Tests of temporal properties: propositions, claims as automata, what is said about mistakes.

mod claims;
mod formulas;
mod letters;
mod mistakes;
mod movers;

use auspex_promela::{Loaded, Options, load_text};
use auspex_system::{Diagnostic, Explorer, SourceMap, StateRef, Successor, Successors, System};

/// A state on its own.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    bytes: Vec<u8>,
    cuts: Vec<u32>,
}

impl State {
    fn as_ref(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }
}

fn try_load(text: &str) -> (SourceMap, Result<Loaded, Vec<Diagnostic>>) {
    let mut map = SourceMap::default();
    let loaded = load_text(&mut map, "test.pml", text, &Options::default());
    (map, loaded)
}

fn load(text: &str) -> (SourceMap, Loaded) {
    match try_load(text) {
        (map, Ok(loaded)) => (map, loaded),
        (map, Err(errors)) => panic!("{text}\nis refused:\n{}", listed(&map, &errors)),
    }
}

/// `line:column-column: message`, one line each.
fn listed(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| match diagnostic.span {
        Some(span) => {
            let place = map.location(span);
            let end = place.column + (span.end - span.start);
            format!("{}:{}-{end}: {}", place.line, place.column, diagnostic.message)
        }
        None => diagnostic.message.clone(),
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn states(out: &Successors) -> Vec<State> {
    let state = |successor| match successor {
        Successor::State(s) => Some(State { bytes: s.bytes.to_vec(), cuts: s.cuts.to_vec() }),
        _ => None,
    };
    out.iter().filter_map(|(_, successor)| state(successor)).collect()
}

fn initial(explorer: &mut impl Explorer) -> State {
    let mut out = Successors::new();
    explorer.initial(&mut out);
    states(&out).remove(0)
}

fn next(explorer: &mut impl Explorer, state: &State) -> Vec<State> {
    let mut out = Successors::new();
    explorer.successors(state.as_ref(), &mut out);
    states(&out)
}

/// The letters of a property along the run that always takes the first step, to the end of it or
/// for `length` states.
fn letters(loaded: &Loaded, property: usize, length: usize) -> Vec<u64> {
    let mut explorer = loaded.model.explorer();
    let mut state = Some(initial(&mut explorer));
    let mut letters = Vec::new();
    while let Some(at) = state.filter(|_| letters.len() < length) {
        letters.push(explorer.letter(property, at.as_ref()));
        state = next(&mut explorer, &at).into_iter().next();
    }
    letters
}
