//! Accepting cycles through the public function.

mod common;
#[path = "common/given.rs"]
mod given;
#[path = "common/reference.rs"]
mod reference;

use auspex_search::*;
use common::{control, exact, seed};
use given::{Given, check_lasso};
use reference::Plain;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];
const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::Nested, Algorithm::Components, Algorithm::Cndfs, Algorithm::Owcty, Algorithm::Map];

fn options(workers: usize) -> Options {
    exact(workers, Order::Depth)
}

fn plain(system: &Given<'_>, algorithm: Algorithm) -> CycleOutcome {
    cycles(system, &options(2), Some(algorithm), Fairness::None, &control())
}

#[test]
fn random_systems() {
    let mut rng = fastrand::Rng::with_seed(seed());
    for round in 0..10_000 {
        let graph = Plain::random(&mut rng);
        let expected = graph.answers();
        let steps = |node: u64| {
            let steps = graph.steps[node as usize].iter();
            steps.map(|(to, movers)| (to.map(|to| to as u64), *movers)).collect()
        };
        let accepting = |node: u64| graph.accepting[node as usize];
        let initial = graph.initial.iter().map(|node| *node as u64).collect();
        let system = Given { initial, ..Given::new(&steps, &accepting) };
        // A store costs more than such a search, so that each system gets one: the algorithms see all
        // combinations in the crate's own tests.
        let algorithm = ALGORITHMS[round % ALGORITHMS.len()];
        let fairness = round / ALGORITHMS.len() % 3;
        let workers = [1, 2, 4][round / (3 * ALGORITHMS.len()) % 3];
        let order = [Order::Depth, Order::Breadth][round / (9 * ALGORITHMS.len()) % 2];
        let options = exact(workers, order);
        let outcome = cycles(&system, &options, Some(algorithm), FAIRNESS[fairness], &control());
        let what = format!("{algorithm:?} {:?} {order:?} round {round}", FAIRNESS[fairness]);
        assert_eq!(outcome.lasso.is_some(), expected[fairness], "{what}");
        assert_eq!(outcome.stopped, None, "{what}");
        assert_eq!(outcome.covered, [true, false]);
        if let Some(lasso) = outcome.lasso {
            check_lasso(&graph, &lasso, fairness);
            if order == Order::Breadth && fairness == 0 {
                let length = lasso.prefix.steps.len() + lasso.cycle.len();
                assert_eq!(Some(length), graph.shortest(), "{what}");
            }
        }
    }
}

#[test]
fn nothing_to_find_visits_everything() {
    let steps = |n: u64| match n {
        // A tree with a cycle at each leaf, where nothing is accepting.
        0..1023 => vec![(Some(2 * n + 1), 1), (Some(2 * n + 2), 1)],
        _ => vec![(Some(n), 1), (None, 1)],
    };
    for algorithm in ALGORITHMS {
        let system = Given::new(&steps, &|n| n < 1023);
        let control = control();
        let outcome = cycles(&system, &options(1), Some(algorithm), Fairness::None, &control);
        assert!(outcome.lasso.is_none() && outcome.stopped.is_none());
        let Stats { states, transitions, depth, .. } = outcome.stats;
        assert_eq!((states, transitions, depth), (2047, 2 * 1023 + 2 * 1024, 10));
        assert_eq!(control.states.load(Relaxed), 2047);
        assert_eq!(control.frontier.load(Relaxed), 0);
    }
}

#[test]
fn very_deep() {
    const DEEP: u64 = 300_000;
    for algorithm in ALGORITHMS {
        // What states tell each other over and over again takes long on a chain.
        let deep = if algorithm == Algorithm::Map { DEEP / 100 } else { DEEP };
        let steps = |n: u64| vec![(Some(if n == deep { deep - 2 } else { n + 1 }), 1)];
        let last = |n: u64| n == deep - 1;
        let found = plain(&Given::new(&steps, &last), algorithm);
        let lasso = found.lasso.expect("the last three states");
        assert_eq!((lasso.prefix.steps.len() as u64, lasso.cycle.len()), (deep - 2, 3));
        assert_eq!(found.stats.states, deep + 1);
        assert_eq!(found.stats.depth, deep);
        // All accepting, but for the cycle: red searches from everywhere.
        let before = |n: u64| n < deep - 2;
        for weak in [false, algorithm == Algorithm::Owcty] {
            let none = plain(&Given { weak, ..Given::new(&steps, &before) }, algorithm);
            assert!(none.lasso.is_none() && none.stopped.is_none());
        }
    }
    // One component of many states, all of which strong fairness needs.
    let steps = |n: u64| vec![(Some((n + 1) % DEEP), 1 << (n / (DEEP / 4)))];
    let fair = |fairness| {
        let system = Given::new(&steps, &|n| n == 0);
        cycles(&system, &options(1), Some(Algorithm::Components), fairness, &control()).lasso
    };
    assert!(FAIRNESS[1..].iter().all(|f| fair(*f).is_some_and(|l| l.cycle.len() as u64 == DEEP)));
}

/// A cycle that the search meets at once ends it, in a system without end.
#[test]
fn ends_early() {
    let steps = |n: u64| match n {
        3 => vec![(Some(1), 2), (Some(4), 1)],
        _ => vec![(Some(n + 1), 1)],
    };
    for algorithm in ALGORITHMS {
        for fairness in FAIRNESS {
            // Some algorithms see only ways back to an accepting state itself.
            let system = Given::new(&steps, &|n| n == 1);
            let outcome = cycles(&system, &options(2), Some(algorithm), fairness, &control());
            let lasso = outcome.lasso.expect("1, 2, 3");
            assert_eq!((lasso.prefix.steps.len(), lasso.cycle.len()), (1, 3));
            // How far another worker gets meanwhile is a matter of chance.
            let alone = algorithm != Algorithm::Cndfs || fairness != Fairness::None;
            assert!(!alone || outcome.stats.states < 100);
        }
    }
}

/// What is chosen where nothing is asked for, and that it is right about weak systems.
#[test]
fn without_an_algorithm() {
    // Ten rings, each of which leads to the next; one of them is accepting, if any.
    let steps = |n: u64| match n % 10 {
        9 => vec![(Some(n - 9), 1), (Some((n + 1).min(99)), 1)],
        _ => vec![(Some(n + 1), 1)],
    };
    for ring in [0, 5, 9, 10] {
        let accepting = |n: u64| n / 10 == ring;
        for (weak, workers) in [(false, 1), (false, 2), (true, 1), (true, 2), (true, 4)] {
            let system = Given { weak, ..Given::new(&steps, &accepting) };
            let outcome = cycles(&system, &options(workers), None, Fairness::None, &control());
            let length = outcome.lasso.map(|it| (it.prefix.steps.len(), it.cycle.len()));
            let expected = (ring < 10).then_some((10 * ring as usize, 10));
            // The last state has a step to itself.
            let last = (ring == 9).then_some((99, 1));
            assert!(length == expected || length == last, "{weak} {workers}: {length:?}");
        }
    }
}

/// Without end, and without a cycle.
fn endless(n: u64) -> Vec<(Option<u64>, u64)> {
    vec![(Some(2 * n + 1), 1), (Some(2 * n + 2), 1)].into_iter().filter(|_| n < 1 << 60).collect()
}

#[test]
fn limits() {
    for algorithm in ALGORITHMS {
        for fairness in FAIRNESS {
            let stopped = |limits: Limits| {
                let system = Given::new(&endless, &|n| n % 3 == 0);
                let options = Options { limits, ..options(2) };
                let started = Instant::now();
                let outcome = cycles(&system, &options, Some(algorithm), fairness, &control());
                assert!(outcome.lasso.is_none());
                assert!(started.elapsed() < Duration::from_secs(20));
                (outcome.stopped, outcome.stats)
            };
            let none = Limits::default();
            let (stop, stats) = stopped(Limits { states: Some(1000), ..none });
            assert_eq!((stop, stats.states), (Some(Stop::States), 1000));
            let time = Some(Duration::from_millis(100));
            assert_eq!(stopped(Limits { time, ..none }).0, Some(Stop::Time));
            let (stop, stats) = stopped(Limits { depth: Some(9), ..none });
            assert_eq!((stop, stats.states, stats.depth), (Some(Stop::Depth), 1023, 9));
            assert_eq!(stopped(Limits { memory: Some(1 << 20), ..none }).0, Some(Stop::Memory));
        }
    }
}

#[test]
fn interrupt() {
    for algorithm in ALGORITHMS {
        let system = Given::new(&endless, &|n| n % 3 == 0);
        let control = control();
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                control.interrupt.store(true, Relaxed);
            });
            cycles(&system, &options(2), Some(algorithm), Fairness::None, &control)
        });
        assert_eq!(outcome.stopped, Some(Stop::Interrupted));
        assert!(outcome.lasso.is_none() && outcome.stats.states > 0);
    }
}

/// A system that does not say who moves has no process to be unfair to.
#[test]
fn faults_and_empty_systems() {
    let only_fault = |_: u64| vec![(None, 1)];
    for algorithm in ALGORITHMS {
        for fairness in FAIRNESS {
            let run = |system: &Given<'_>| {
                let outcome = cycles(system, &options(1), Some(algorithm), fairness, &control());
                (outcome.lasso.is_some(), outcome.stopped, outcome.stats.states)
            };
            assert_eq!(run(&Given::new(&only_fault, &|_| true)), (false, None, 1));
            let nothing = Given { initial: vec![], ..Given::new(&only_fault, &|_| true) };
            assert_eq!(run(&nothing), (false, None, 0));
        }
    }
}
