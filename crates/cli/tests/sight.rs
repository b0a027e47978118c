//! What a process does next depends on the bytes that it is said to see, and on no others: in states that agree in these it has
//! the same options, and each of them has the same moves. On the corpus, on the examples, and on random models, by interpreter and machine code.

use auspex_modelgen::{corpus, generate::generate};
use auspex_native::Engine;
use auspex_process::{Interpreter, Model};
use auspex_promela as promela;
use auspex_system::{Explorer, Outlook, Sight, SourceMap, StateRef, Successor, Successors, System};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};

/// States of a model that are looked at.
const MOST_STATES: usize = 3000;
const LONGEST: Duration = Duration::from_secs(2);

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    bytes: Vec<u8>,
    cuts: Vec<u32>,
}

impl State {
    fn of(state: StateRef<'_>) -> State {
        State { bytes: state.bytes.to_vec(), cuts: state.cuts.to_vec() }
    }

    fn view(&self) -> StateRef<'_> {
        StateRef { bytes: &self.bytes, cuts: &self.cuts }
    }
}

fn reach(explorer: &mut Interpreter<'_>) -> Vec<State> {
    let (start, mut out) = (Instant::now(), Successors::new());
    let (mut all, mut seen, mut waiting) = (Vec::new(), HashSet::new(), VecDeque::new());
    explorer.initial(&mut out);
    loop {
        for state in (0..out.len()).filter_map(|index| out.get(index).state()).map(State::of) {
            if seen.len() < MOST_STATES && seen.insert(state.clone()) {
                all.push(state.clone());
                waiting.push_back(state);
            }
        }
        let Some(state) = waiting.pop_front().filter(|_| start.elapsed() < LONGEST) else {
            return all;
        };
        out.clear();
        explorer.successors(state.view(), &mut out);
    }
}

/// A step, as far as it can be taken in another state: what bytes become.
#[derive(Clone, Debug, PartialEq)]
enum Effect {
    Writes(Vec<(usize, u8)>),
    /// It goes wrong, or has another shape.
    Other,
}

/// `None` where it is not said what changes: that depends on who carried out a step, not on the step.
fn effects(
    name: &str,
    from: &State,
    sight: &Sight,
    out: &Successors,
    is_wanted: impl Fn(usize) -> bool,
) -> Option<Vec<Effect>> {
    let effect = |index: usize| {
        let has_shape =
            |to: &StateRef<'_>| to.cuts == from.cuts && to.bytes.len() == from.bytes.len();
        let Some(to) = out.get(index).state().filter(has_shape) else {
            return Some(Effect::Other);
        };
        let changes = out.changes(index)?;
        let changed = changes.iter().flat_map(|[from, to]| *from as usize..*to as usize);
        // What is seen and stays as it is need not be told.
        let is_told = |at: &usize| match sight.seen[*at] {
            true => to.bytes[*at] != from.bytes[*at],
            false => sight.written[*at],
        };
        let mut writes: Vec<_> = changed.filter(is_told).map(|at| (at, to.bytes[at])).collect();
        writes.sort_unstable();
        writes.dedup();
        let mut bytes = from.bytes.clone();
        writes.iter().for_each(|(at, value)| bytes[*at] = *value);
        assert_eq!(bytes, to.bytes, "{name}: a byte is written without notice");
        Some(Effect::Writes(writes))
    };
    (0..out.len()).filter(|index| is_wanted(*index)).map(effect).collect()
}

/// What was seen before, and what came of it.
type Known<T> = HashMap<(usize, Vec<Option<u8>>), T>;

/// Nothing else comes of what is seen than before. Was it seen before?
fn is_as_before<T: PartialEq + std::fmt::Debug>(
    known: &mut Known<T>,
    number: usize,
    (seen, state): (&[bool], &State),
    result: T,
    name: &str,
) -> bool {
    let seen = seen.iter().zip(&state.bytes).map(|(seen, byte)| seen.then_some(*byte)).collect();
    match known.entry((number, seen)) {
        Entry::Occupied(before) => {
            assert_eq!(before.get(), &result, "{name}: number {number}");
            true
        }
        Entry::Vacant(place) => {
            place.insert(result);
            false
        }
    }
}

fn contents(out: &Successors) -> Vec<String> {
    let show = |successor| match successor {
        Successor::State(state) => format!("{state:?}"),
        other => format!("{other:?}"),
    };
    out.iter().map(|(_, successor)| show(successor)).collect()
}

/// How often a step was found to be as it was before.
fn judge(name: &str, model: &Model, explorer: &mut Interpreter<'_>) -> usize {
    let mut shapes: BTreeMap<(usize, Vec<u32>), Vec<State>> = BTreeMap::new();
    for state in reach(&mut model.explorer()) {
        shapes.entry((state.bytes.len(), state.cuts.clone())).or_default().push(state);
    }
    let (mut out, mut one) = (Successors::new(), Successors::new());
    let mut again = 0;
    for states in shapes.values() {
        let like = &states[0];
        let is_fixed = |at: usize| states.iter().all(|state| state.bytes[at] == like.bytes[at]);
        let fixed: Vec<bool> = (0..like.bytes.len()).map(is_fixed).collect();
        let actors = explorer.actors(like.view(), &fixed);
        let mut outlooks: HashMap<(usize, Vec<u8>), Option<Outlook>> = HashMap::new();
        let (mut known, mut choices, mut by_option) = Default::default();
        for state in states.iter().filter(|_| !actors.is_empty()) {
            out.clear();
            explorer.successors(state.view(), &mut out);
            let mut together = Vec::new();
            for (number, actor) in actors.iter().enumerate() {
                one.clear();
                let taken = explorer.moves_by_option(state.view(), number, &mut one);
                let with_options = contents(&one);
                one.clear();
                explorer.moves(state.view(), number, &mut one);
                assert_eq!(contents(&one), with_options, "{name}");
                together.extend(with_options);
                let [from, to] = actor.place.map(|at| at as usize);
                let place = (number, state.bytes[from..to].to_vec());
                let outlook = outlooks.entry(place);
                let outlook = outlook
                    .or_insert_with(|| explorer.outlook(state.view(), &fixed, number))
                    .as_ref();
                let Some(outlook) = outlook else { continue };
                assert!(outlook.choice[from..to].iter().all(|seen| *seen), "{name}");
                if let Some(all) = outlook.as_one()
                    && let Some(effects) = effects(name, state, &all, &one, |_| true)
                {
                    let seen = (&*all.seen, state);
                    again += usize::from(is_as_before(&mut known, number, seen, effects, name));
                }
                // Which options are open; and one by one what comes of them.
                let Some(taken) = taken.filter(|_| !one.has_faults()) else { continue };
                let open: Vec<usize> = taken.chunk_by(|a, b| a == b).map(|row| row[0]).collect();
                let seen = (&*outlook.choice, state);
                is_as_before(&mut choices, number, seen, open.clone(), name);
                for option in open {
                    let Some(sight) = &outlook.options[option] else { continue };
                    let effects = effects(name, state, sight, &one, |index| taken[index] == option);
                    let Some(effects) = effects else { continue };
                    // An option is one of a place.
                    let place = state.bytes[from..to].iter().fold(0, |n, b| n << 8 | *b as usize);
                    let number = (number << 16 | place) << 16 | option;
                    let seen = (&*sight.seen, state);
                    is_as_before(&mut by_option, number, seen, effects, name);
                }
            }
            if !together.is_empty() {
                assert_eq!(together, contents(&out), "{name}");
            }
        }
    }
    again
}

fn judge_both(name: &str, model: &Model) -> usize {
    let engine = Engine::native(model).expect("this computer is known");
    judge(name, model, &mut model.explorer()) + judge(name, model, &mut engine.explorer())
}

fn load(text: &str) -> Option<Model> {
    let options = promela::Options::default();
    let loaded = promela::load_text(&mut SourceMap::default(), "m.pml", text, &options);
    loaded.ok().map(|loaded| loaded.model)
}

#[test]
fn corpus_and_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut judged, mut again) = (0, 0);
    for directory in ["tests/promela", "tests/temporal", "examples", "bench/models"] {
        for file in corpus::models(&root.join(directory)) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let Some(model) = load(&text) else { continue };
            again += judge_both(&file.display().to_string(), &model);
            judged += 1;
        }
    }
    assert!(judged > 300 && again > 100_000, "only {judged} models, {again} steps");
}

#[test]
fn random_models() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
    };
    let begin = number("SEED", 1);
    let mut again = 0;
    for seed in begin..begin + number("COUNT", 400) {
        let Some(model) = load(&generate(seed, 8 + seed as usize % 16)) else { continue };
        again += judge_both(&format!("seed {seed}"), &model);
    }
    assert!(again > 50_000, "only {again} steps");
}
