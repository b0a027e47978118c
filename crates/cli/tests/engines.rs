//! Machine code and the interpreter do the same: the same states in the same order with the same
//! changes, the same faults in the same words, the same statements covered, the same propositions,
//! the same reductions. On the corpus, on the examples, and on random models.

use auspex_modelgen::{corpus, generate::generate};
use auspex_native::Engine;
use auspex_process::{Interpreter, Model};
use auspex_promela as promela;
use auspex_system::{Explorer, SourceMap, StateRef, Step, Successor, Successors, System};
use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};

/// States of a model that are looked at.
const MOST_STATES: usize = 4000;
const LONGEST: Duration = Duration::from_secs(2);

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    bytes: Vec<u8>,
    cuts: Vec<u32>,
}

impl State {
    fn view(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }
}

/// Everything that an arena holds.
#[derive(Debug, PartialEq)]
enum Seen {
    State(Vec<u8>, Vec<u32>),
    Fault(String),
}

fn contents(out: &Successors) -> Vec<Seen> {
    let seen = |successor| match successor {
        Successor::State(state) => Seen::State(state.bytes.to_vec(), state.cuts.to_vec()),
        Successor::Fault(fault) => Seen::Fault(format!("{fault:?}")),
        Successor::Numbered(_) => unreachable!("nobody has given numbers to parts"),
    };
    out.iter().map(|(_, successor)| seen(successor)).collect()
}

/// Where a successor differs from its origin is what it says, and nowhere else.
fn check_changes(name: &str, origin: &State, out: &Successors) {
    for (step, successor) in out.iter() {
        let Successor::State(state) = successor else { continue };
        let Some(changes) = out.changes(step.0 as usize) else { continue };
        assert_eq!(state.cuts, origin.cuts, "{name}");
        for (at, (new, old)) in state.bytes.iter().zip(&origin.bytes).enumerate() {
            let known = changes.iter().any(|[from, to]| (*from..*to).contains(&(at as u32)));
            assert!(known || new == old, "{name}: byte {at} changed, {changes:?}");
        }
    }
}

struct Both<'m> {
    name: &'m str,
    plain: Interpreter<'m>,
    native: Interpreter<'m>,
    out: [Successors; 2],
}

impl Both<'_> {
    /// Lets both do the same and compares what comes of it.
    fn run<R: PartialEq + std::fmt::Debug>(
        &mut self,
        mut what: impl FnMut(&mut Interpreter<'_>, &mut Successors) -> R,
    ) -> R {
        let [expected, got] = &mut self.out;
        expected.clear();
        got.clear();
        let answer = what(&mut self.plain, expected);
        assert_eq!(what(&mut self.native, got), answer, "{}", self.name);
        assert_eq!(contents(got), contents(expected), "{}", self.name);
        answer
    }
}

/// Explores a model with both; gives the number of states.
fn compare(name: &str, model: &Model) -> usize {
    let start = Instant::now();
    let engine = Engine::native(model).expect("this computer is known");
    let (plain, native) = (model.explorer(), engine.explorer());
    let mut both = Both { name, plain, native, out: Default::default() };
    both.run(|explorer, out| explorer.initial(out));
    let (mut seen, mut waiting) = (HashSet::new(), VecDeque::new());
    loop {
        for (_, successor) in both.out[0].iter() {
            let Successor::State(state) = successor else { continue };
            let state = State { bytes: state.bytes.to_vec(), cuts: state.cuts.to_vec() };
            if seen.len() < MOST_STATES && seen.insert(state.clone()) {
                waiting.push_back(state);
            }
        }
        let Some(state) = waiting.pop_front().filter(|_| start.elapsed() < LONGEST) else { break };
        for choice in 0..3 {
            both.run(|explorer, out| explorer.reduced(state.view(), choice, out));
        }
        for property in 0..model.properties.len() {
            both.run(|explorer, _| explorer.letter(property, state.view()));
        }
        both.run(|explorer, _| {
            let mut movers = Vec::new();
            explorer.movers(state.view(), &mut movers);
            // With paths, statement by statement: the last one is shown in full.
            let last = movers.len().checked_sub(1);
            let shown = last.map(|last| explorer.describe(state.view(), Step(last as u32)));
            (movers, format!("{shown:?}"))
        });
        both.run(|explorer, out| explorer.successors(state.view(), out));
        both.out.iter().for_each(|out| check_changes(name, &state, out));
    }
    assert_eq!(both.plain.covered(), both.native.covered(), "{name}");
    seen.len()
}

fn load(text: &str) -> Option<Model> {
    let options = promela::Options::default();
    let loaded = promela::load_text(&mut SourceMap::default(), "m.pml", text, &options);
    loaded.ok().map(|loaded| loaded.model)
}

#[test]
fn corpus_and_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut compared = 0;
    for directory in ["tests/promela", "tests/temporal", "examples", "bench/models"] {
        for file in corpus::models(&root.join(directory)) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let Some(model) = load(&text) else { continue };
            compare(&file.display().to_string(), &model);
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} models");
}

#[test]
fn random_models() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
    };
    let begin = number("SEED", 1);
    let mut states = 0;
    for seed in begin..begin + number("COUNT", 400) {
        let Some(model) = load(&generate(seed, 8 + seed as usize % 16)) else { continue };
        states += compare(&format!("seed {seed}"), &model);
    }
    assert!(states > 50_000, "only {states} states");
}
