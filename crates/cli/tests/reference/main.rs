//! Random formulas about random models, with and without fairness: every algorithm against a judge that is
//! as plain as its author could make it, and that shares nothing with what it judges but the interpreter.
//!
//! `SEED=17 cargo test --test reference` looks at one pair, `PAIRS=100000` at many.

mod formula;
mod graph;
mod tableau;
mod written;

use auspex_ltl::{Move, Product};
use auspex_modelgen::{loops, temporal};
use auspex_process::Model;
use auspex_promela::{Loaded, Options as Dialect, load_text};
use auspex_search::{
    Algorithm, Control, CycleOutcome, Fairness, Lasso, Limits, Options, Order, StoreKind, Trace,
    cycles, replay,
};
use auspex_system::{Diagnostic, SourceMap, System};
use fastrand::Rng;
use formula::{Ltl, Word};
use graph::Graph;

const PAIRS: usize = 2000;
const MOST_STATES: usize = 300;
const MOST_PROMISES: usize = 5;
const ATOMS: usize = 3;

const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];
/// What can be used without fairness, and with it.
const PLAIN: [Algorithm; 5] =
    [Algorithm::Components, Algorithm::Nested, Algorithm::Cndfs, Algorithm::Owcty, Algorithm::Map];
const FAIR: [Algorithm; 1] = [Algorithm::Components];

/// The properties of a model: its atoms in order, and the formula.
const LETTERS: usize = 0;
const FORMULA: usize = 1;

struct Pair {
    text: String,
    formula: Ltl,
    loaded: Loaded,
    graph: Graph,
    /// Whether there is a run that violates the formula, for each fairness.
    violated: [bool; 3],
}

/// A model and a formula, if they are small enough.
fn pair(seed: u64) -> Option<Pair> {
    let mut rng = Rng::with_seed(seed);
    let (model, variables) = match seed % 3 {
        0 | 1 => (loops::generate(seed), loops::VARIABLES.map(str::to_owned).to_vec()),
        _ => {
            let size = rng.usize(2..8);
            let model = temporal::without_assertions(seed, size);
            let variables = temporal::variables(&model);
            (model, variables)
        }
    };
    if variables.is_empty() {
        return None;
    }
    let mut atoms: Vec<String> = Vec::new();
    while atoms.len() < ATOMS {
        let atom = temporal::comparison(&mut rng, &variables);
        if !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    let formula = match rng.u8(..2) {
        0 => Ltl::response(&mut rng, ATOMS),
        _ => {
            let operators = rng.usize(1..=6);
            Ltl::random(&mut rng, ATOMS, operators)
        }
    };
    let letters = atoms.join(" && ");
    let text = format!(
        "{model}\nltl letters {{ {letters} }}\nltl formula {{ {} }}\n",
        formula.text(&atoms)
    );
    // A random model may be refused (jumps that go round in circles), a formula not.
    load(&model).ok()?;
    let loaded = load(&text).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
    assert_eq!(loaded.properties[LETTERS].atoms, atoms, "seed {seed}\n{text}");
    let graph = Graph::new(&loaded.model, LETTERS, MOST_STATES)?;
    let wrong = Ltl::Not(Box::new(formula.clone()));
    let violated = tableau::has_run(&graph, &wrong, MOST_PROMISES)?;
    Some(Pair { text, formula, loaded, graph, violated })
}

fn load(text: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let options = Dialect::default();
    load_text(&mut SourceMap::default(), "m.pml", text, &options)
}

fn search(pair: &Pair, algorithm: Algorithm, fairness: Fairness) -> CycleOutcome {
    let automaton = &pair.loaded.properties[FORMULA].automaton;
    let product = Product { system: &pair.loaded.model, automaton, property: FORMULA };
    let options = Options {
        workers: 2,
        order: Order::Depth,
        store: StoreKind::Exact,
        link_bits: Some(Options::ALL_LINK_BITS),
        limits: Limits { states: Some(1 << 20), ..Limits::default() },
        all: false,
        reduce: false,
    };
    let outcome = cycles(&product, &options, Some(algorithm), fairness, &Control::default());
    assert_eq!(outcome.stopped, None);
    if let Some(lasso) = &outcome.lasso {
        check_lasso(pair, &product, lasso, fairness);
    }
    outcome
}

/// The run is one of the graph, violates the formula by its definition and is fair by definition.
fn check_lasso(pair: &Pair, product: &Product<'_, Model>, lasso: &Lasso, fairness: Fairness) {
    let steps = [lasso.prefix.steps.as_slice(), &lasso.cycle].concat();
    let whole = Trace { initial: lasso.prefix.initial, steps };
    let replayed = replay(product, &whole).expect("the run is one of the product");
    let first = lasso.prefix.steps.len();
    assert_eq!(Some(&replayed.states[first]), replayed.states.last(), "the cycle closes");
    let (graph, mut explorer) = (&pair.graph, product.explorer());
    let mut word = Word { letters: Vec::new(), cycle: first };
    let (mut at, mut start) = (0, 0);
    let (mut always, mut sometimes, mut moved) = (u64::MAX, 0, 0);
    for (place, step) in whole.steps.iter().enumerate() {
        let own = match explorer.own_step(replayed.states[place].view(), *step) {
            Some(Move::Step(own)) => Some(own),
            Some(Move::Stutter) => None,
            None => panic!("step {place} is none of the product"),
        };
        if place == first {
            start = at;
        }
        word.letters.push(graph.letters[at]);
        let edge = graph.edges[at].iter().find(|edge| edge.step == own);
        let edge = edge.unwrap_or_else(|| panic!("step {place} is none of the graph"));
        if place >= first {
            always &= graph.enabled[at];
            sometimes |= graph.enabled[at];
            moved |= edge.movers;
        }
        at = edge.to;
    }
    assert_eq!(at, start, "the cycle closes in the graph");
    assert!(!pair.formula.holds(&word), "the run satisfies the formula");
    let owed = match fairness {
        Fairness::None => 0,
        Fairness::Weak => always,
        Fairness::Strong => sometimes,
    };
    assert_eq!(owed & !moved, 0, "the run is not fair");
}

/// How Auspex and the judge differ, if they do.
fn disagreement(pair: &Pair) -> Option<String> {
    for (fairness, violated) in FAIRNESS.into_iter().zip(pair.violated) {
        let algorithms = if fairness == Fairness::None { &PLAIN[..] } else { &FAIR[..] };
        for algorithm in algorithms {
            let found = search(pair, *algorithm, fairness).lasso.is_some();
            if found != violated {
                return Some(format!(
                    "{algorithm:?}, {fairness:?}: violated is {violated} for the judge, {found} for Auspex"
                ));
            }
        }
    }
    None
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn random_formulas_agree_with_their_definition() {
    let (first, pairs) = match number("SEED") {
        Some(seed) => (seed as u64, 1),
        None => (0, number("PAIRS").unwrap_or(PAIRS)),
    };
    let (mut compared, mut failures) = (0, 0);
    let (mut violated, mut by_fairness) = ([0; 3], [0; 2]);
    let mut seed = first;
    while compared < pairs {
        let found = pair(seed);
        seed += 1;
        let Some(pair) = found else {
            assert!(pairs > 1, "seed {first} is too large");
            continue;
        };
        compared += 1;
        (0..3).for_each(|fairness| violated[fairness] += usize::from(pair.violated[fairness]));
        (0..2).for_each(|weaker| {
            by_fairness[weaker] += usize::from(pair.violated[weaker] != pair.violated[weaker + 1]);
        });
        if let Some(why) = disagreement(&pair) {
            failures += 1;
            eprintln!("SEED={}: {why}\n{}", seed - 1, pair.text);
        }
    }
    println!(
        "{compared} pairs of {seed} seeds; violated {violated:?} (no, weak, strong fairness); \
         saved by weak and by strong fairness: {by_fairness:?}"
    );
    assert_eq!(failures, 0, "of {compared} pairs");
    if pairs >= PAIRS {
        let share = |count: usize| count * 100 / compared;
        assert!(violated.iter().all(|count| (30..=70).contains(&share(*count))), "one-sided");
        assert!(by_fairness[0] >= 30 && by_fairness[1] >= 5, "fairness hardly matters");
    }
}
