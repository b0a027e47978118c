//! Searches with a store of bounded size, against the definitions and the plain search: whatever is replaced, what they say is true.

mod common;
#[path = "common/given.rs"]
mod given;
#[path = "common/reference.rs"]
mod reference;

use auspex_search::*;
use auspex_system::Step;
use common::{Random, control, exact, reference as naive, seed};
use given::{Given, check_lasso};
use reference::Plain;
use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// A cache with room for so many states of at most 12 bytes, as those of [`Given`] and some of [`Random`] are.
fn room_for(states: usize) -> u64 {
    let buckets = |bytes: usize| 1 << (bytes / 64).max(16).ilog2();
    let is_enough = |bytes: &usize| bytes.saturating_sub(4 * buckets(*bytes)) >= 32 * states;
    (0..).step_by(32).find(is_enough).unwrap_or_default() as u64
}

const PLENTY: u64 = 1 << 24;

fn options() -> Options {
    exact(1, Order::Depth)
}

/// A search that could take forever: with a small cache the same states are visited over and over.
fn patience() -> Options {
    Options { limits: Limits { states: Some(5_000), ..Limits::default() }, ..options() }
}

fn check_fault(system: &Random, found: &Found) {
    let replayed = replay(system, &found.trace).expect("the trace is one of the system");
    assert_eq!(replayed.fault.as_ref(), Some(&found.fault));
    assert_eq!(replayed.states.len(), found.trace.steps.len());
}

#[test]
fn faults_of_random_systems() {
    let seed = seed();
    let (mut decided, mut undecided, mut replaced) = (0, 0, 0);
    for round in 0..3000 {
        let mut system = Random::new(seed.wrapping_add(round));
        system.nodes = 1 + system.nodes % [8, 30, 300][round as usize % 3];
        system.fault_every = [0, 20, 100, 1000][round as usize % 4];
        let expected = naive(&system);
        let states = expected.distance.len();
        for part in [8, 4, 2, 1] {
            let bytes = room_for(states / part + 1) + 16 * states as u64;
            let all = round % 2 == 0;
            // Small systems: it ends whatever the cache is.
            let usual = if system.nodes <= 8 { options() } else { patience() };
            let outcome = explore_cached(&system, &Options { all, ..usual }, bytes, &control());
            let what = format!("{system:?} all {all}, a cache of {bytes}: {outcome:?}");
            outcome.faults.iter().for_each(|found| check_fault(&system, found));
            let cache = outcome.cache.expect("there was one");
            replaced += cache.replaced;
            assert_eq!(outcome.stats.states, cache.states + cache.replaced, "{what}");
            if let Some(stop) = outcome.stopped {
                assert!([Stop::Memory, Stop::States].contains(&stop), "{what}");
                undecided += 1;
                continue;
            }
            decided += 1;
            assert_eq!(outcome.faults.is_empty(), expected.faults.is_empty(), "{what}");
            if all {
                let place = |found: &Found| found.fault.location.line - 1;
                let places: HashSet<u32> = outcome.faults.iter().map(place).collect();
                assert_eq!(outcome.faults.len(), places.len(), "{what}");
                assert_eq!(places, expected.faults.keys().copied().collect(), "{what}");
            }
            if all || outcome.faults.is_empty() {
                let covered = (0..8).filter(|i| outcome.covered[*i as usize]).collect();
                assert_eq!(expected.covered, covered, "{what}");
                assert!(outcome.stats.states >= states as u64);
                assert!(cache.replaced > 0 || outcome.stats.states == states as u64, "{what}");
            }
        }
    }
    println!("{decided} decided, {undecided} not, {replaced} states replaced");
    assert!(decided > 3000 && replaced > 10_000);
}

#[test]
fn with_plenty_of_room_it_is_the_plain_search() {
    let seed = seed();
    for round in 0..100 {
        let mut system = Random::new(seed.wrapping_add(round));
        system.fault_every = [0, 50][round as usize % 2];
        let expected = naive(&system);
        let (options, control) = (Options { all: true, ..options() }, control());
        let outcome = explore_cached(&system, &options, PLENTY, &control);
        assert_eq!(outcome.stopped, None);
        assert_eq!(outcome.stats.states, expected.distance.len() as u64);
        assert_eq!(outcome.stats.transitions, expected.transitions);
        assert_eq!(outcome.faults.len(), expected.faults.len());
        let states = outcome.stats.states;
        assert_eq!(outcome.cache, Some(CacheUse { states, ..CacheUse::default() }));
        assert_eq!(control.states.load(Relaxed), states);
        assert_eq!(control.transitions.load(Relaxed), expected.transitions);
        assert_eq!(control.frontier.load(Relaxed), 0);
    }
}

/// How many nodes can be reached, and how many components they are in.
fn components(graph: &Plain) -> (usize, u64) {
    let reach = |from: &[usize]| {
        let (mut seen, mut stack) = (HashSet::new(), from.to_vec());
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                stack.extend(graph.steps[node].iter().filter_map(|(target, _)| *target));
            }
        }
        seen
    };
    let reachable = reach(&graph.initial);
    let from: Vec<_> = (0..graph.steps.len()).map(|node| reach(&[node])).collect();
    // One counts the first node of each.
    let is_first = |node: &&usize| {
        !(0..**node).any(|other| from[other].contains(*node) && from[**node].contains(&other))
    };
    (reachable.len(), reachable.iter().filter(is_first).count() as u64)
}

fn with_system<T>(graph: &Plain, run: impl FnOnce(&Given<'_>) -> T) -> T {
    let steps = |node: u64| {
        let steps = graph.steps[node as usize].iter();
        steps.map(|(to, movers)| (to.map(|to| to as u64), *movers)).collect()
    };
    let accepting = |node: u64| graph.accepting[node as usize];
    let initial = graph.initial.iter().map(|node| *node as u64).collect();
    run(&Given { initial, ..Given::new(&steps, &accepting) })
}

/// A tree, and steps that lead forwards but for a few: many components and short ways, so that there is something to replace.
fn lead_forwards(graph: &mut Plain, rng: &mut fastrand::Rng) {
    let nodes = graph.steps.len();
    for (node, steps) in graph.steps.iter_mut().enumerate() {
        for (target, _) in steps.iter_mut().filter(|_| rng.u8(..20) > 0) {
            *target = target.map(|target| target.max(node + 1)).filter(|target| *target < nodes);
        }
        let children = [2 * node + 1, 2 * node + 2].into_iter().filter(|child| *child < nodes);
        steps.extend(children.map(|child| (Some(child), 1)));
    }
    graph.initial = vec![0];
}

#[test]
fn cycles_of_random_systems() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let (mut found, mut none, mut undecided) = ([0; 2], [0; 2], 0);
    for round in 0..3000 {
        let nodes = if round % 4 == 0 { rng.usize(12..60) } else { rng.usize(2..=12) };
        let mut graph = Plain::with_nodes(&mut rng, nodes);
        if round % 3 == 0 {
            // Fewer: otherwise there is nearly always a cycle, and it is found at once.
            graph.accepting.iter_mut().for_each(|it| *it &= rng.u8(..6) == 0);
        }
        if round % 2 == 0 {
            lead_forwards(&mut graph, &mut rng);
        }
        let expected = graph.shortest().is_some();
        let (reachable, components) = components(&graph);
        for states in [1, 2, 3, reachable / 2, reachable * 3 / 4, reachable - 1, reachable] {
            let options = if nodes <= 12 { options() } else { patience() };
            let room = room_for(states);
            let outcome =
                with_system(&graph, |system| cycles_cached(system, &options, room, &control()));
            let what = format!("round {round}, room for {states} states: {outcome:?}");
            let cache = outcome.cache.expect("there was one");
            let replaced = usize::from(cache.replaced > 0);
            match (&outcome.lasso, outcome.stopped) {
                (Some(lasso), stopped) => {
                    check_lasso(&graph, lasso, 0);
                    assert!(expected && stopped.is_none(), "{what}");
                    found[replaced] += 1;
                }
                (None, Some(stop)) => {
                    assert!([Stop::Memory, Stop::States].contains(&stop), "{what}");
                    assert!(states < reachable, "{what}");
                    undecided += 1;
                }
                (None, None) => {
                    assert!(!expected, "{what}");
                    assert!(cache.replaced > 0 || cache.components == components, "{what}");
                    assert!(cache.components >= components, "{what}");
                    none[replaced] += 1;
                }
            }
        }
    }
    println!(
        "without and with replaced states: {found:?} found, {none:?} none; {undecided} undecided"
    );
    assert!(found[0] > 500 && none[0] > 500 && found[1] > 100 && none[1] > 500);
}

/// A tree whose leaves all lead back to its root: one component.
fn tree(n: u64) -> Vec<(Option<u64>, u64)> {
    match n {
        0..511 => vec![(Some(2 * n + 1), 1), (Some(2 * n + 2), 1)],
        _ => vec![(Some(0), 1)],
    }
}

/// What must stay cannot be replaced, though it left the depth-first stack long ago (section 5.1 of the thesis): with a cache that is
/// too small for the component, the search has to give up. The stack alone is short.
#[test]
fn the_component_stack_is_never_replaced() {
    let system = Given::new(&tree, &|_| false);
    let cycles = |states| cycles_cached(&system, &options(), room_for(states), &control());
    for states in [11, 100, 1022] {
        let outcome = cycles(states);
        assert_eq!(outcome.stopped, Some(Stop::Memory), "{states}");
        let cache = outcome.cache.expect("there was one");
        assert_eq!((cache.states, cache.replaced), (states as u64, 0));
        let faults = explore_cached(&system, &options(), room_for(states), &control());
        assert_eq!((faults.stopped, faults.faults.len()), (None, 0));
        assert!(faults.cache.is_some_and(|cache| cache.replaced > 0));
    }
    let cache = CacheUse { states: 1023, replaced: 0, components: 1 };
    let outcome = cycles(1023);
    assert_eq!((outcome.stopped, outcome.cache), (None, Some(cache)));
}

/// The way back to an accepting state leads through states that left the depth-first stack: 3 leads to 1 by way of 2, and
/// hundreds of others, entered in between, fight for what room is left.
#[test]
fn a_cycle_through_what_was_left_behind() {
    let steps = |n: u64| match n {
        0 => vec![(Some(1), 1)],
        1 => vec![(Some(2), 1), (Some(1000), 1), (Some(3), 1)],
        2 => vec![(Some(4), 1)],
        4 => vec![(Some(0), 1)],
        3 => vec![(Some(2), 1)],
        1000..1500 => vec![(Some(n + 1), 1)],
        _ => vec![],
    };
    // Between 0 and 2 there is a cycle without an accepting state; 3 is one, and its only step leads to 2.
    let system = Given::new(&steps, &|n| n == 3);
    for states in [510, 600, 2000] {
        let outcome = cycles_cached(&system, &options(), room_for(states), &control());
        let lasso = outcome.lasso.expect("0, 1, 3, 2, 4");
        assert_eq!(lasso.prefix, Trace { initial: Step(0), steps: vec![] });
        assert_eq!(lasso.cycle, [0, 2, 0, 0, 0].map(Step));
    }
}

/// Far back on the stack successors have to be made again.
#[test]
fn very_deep() {
    const DEEP: u64 = 200_000;
    let steps = |n: u64| match n {
        0..DEEP => vec![(Some(n + 1), 1), (Some(n / 2), 1), (Some(DEEP + 1 + n % 7), 1)],
        DEEP => vec![(Some(DEEP - 2), 1)],
        _ => vec![],
    };
    let last = |n: u64| n == DEEP - 1;
    let found = cycles_cached(&Given::new(&steps, &last), &options(), PLENTY, &control());
    let lasso = found.lasso.expect("the last three states");
    assert_eq!((lasso.prefix.steps.len() as u64, lasso.cycle.len()), (DEEP - 2, 3));
    assert_eq!(found.stats.depth, DEEP);
    let none = Given::new(&steps, &|n| n > DEEP);
    for bytes in [PLENTY, room_for(DEEP as usize + 4)] {
        let outcome = cycles_cached(&none, &options(), bytes, &control());
        assert!(outcome.lasso.is_none() && outcome.stopped.is_none(), "{bytes}");
        let cache = outcome.cache.expect("there was one");
        assert_eq!(cache.replaced > 0, bytes < PLENTY);
        assert!(cache.replaced > 0 || cache.components == 8);
    }
    let outcome = cycles_cached(&none, &options(), room_for(DEEP as usize), &control());
    assert_eq!((outcome.lasso, outcome.stopped), (None, Some(Stop::Memory)));
}

/// Without end, and without a cycle.
fn endless(n: u64) -> Vec<(Option<u64>, u64)> {
    vec![(Some(2 * n + 1), 1), (Some(2 * n + 2), 1)].into_iter().filter(|_| n < 1 << 60).collect()
}

#[test]
fn limits() {
    let system = Given::new(&endless, &|n| n % 3 == 0);
    let stopped = |limits: Limits, bytes: u64| {
        let options = Options { limits, ..options() };
        let started = Instant::now();
        let cycles = cycles_cached(&system, &options, bytes, &control());
        let faults = explore_cached(&system, &options, bytes, &control());
        assert!(started.elapsed() < Duration::from_secs(20));
        assert!(cycles.lasso.is_none() && faults.faults.is_empty());
        assert_eq!(cycles.stopped, faults.stopped);
        assert_eq!(cycles.stats.states > 0, faults.stats.states > 0);
        (faults.stopped, faults.stats)
    };
    let none = Limits::default();
    for bytes in [room_for(200), PLENTY] {
        let (stop, stats) = stopped(Limits { states: Some(1000), ..none }, bytes);
        assert_eq!((stop, stats.states), (Some(Stop::States), 1000));
        let time = Some(Duration::from_millis(100));
        assert_eq!(stopped(Limits { time, ..none }, bytes).0, Some(Stop::Time));
        let (stop, stats) = stopped(Limits { depth: Some(9), ..none }, bytes);
        assert_eq!((stop, stats.states, stats.depth), (Some(Stop::Depth), 1023, 9));
        assert_eq!(stopped(Limits { memory: Some(1 << 20), ..none }, bytes).0, Some(Stop::Memory));
    }
    // Too small for the stack, or even for one state.
    assert_eq!(stopped(none, room_for(20)).0, Some(Stop::Memory));
    let nothing = stopped(none, 1);
    assert_eq!((nothing.0, nothing.1.states), (Some(Stop::Memory), 0));
}

/// A limit on depth beyond what the walk keeps successors for.
#[test]
fn cut_off_far_from_the_beginning() {
    let steps = |n: u64| vec![(Some(n + 1), 1), (Some(1_000_000 + n), 1)];
    let steps = |n: u64| if n < 1_000_000 { steps(n) } else { vec![] };
    let system = Given::new(&steps, &|n| n >= 1_000_000);
    let limits = Limits { depth: Some(300), ..Limits::default() };
    let options = Options { limits, ..options() };
    let outcome = cycles_cached(&system, &options, PLENTY, &control());
    assert_eq!((outcome.stopped, outcome.stats.states), (Some(Stop::Depth), 601));
    assert_eq!(outcome.stats.transitions, 600);
}

#[test]
fn interrupt() {
    let system = Given::new(&endless, &|n| n % 3 == 0);
    let control = control();
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            control.interrupt.store(true, Relaxed);
        });
        cycles_cached(&system, &options(), room_for(1000), &control)
    });
    assert_eq!(outcome.stopped, Some(Stop::Interrupted));
    assert!(outcome.lasso.is_none() && outcome.stats.states > 0);
}

#[test]
fn faults_and_empty_systems() {
    let only_fault = |_: u64| vec![(None, 1)];
    let system = Given::new(&only_fault, &|_| true);
    let outcome = explore_cached(&system, &options(), PLENTY, &control());
    assert_eq!((outcome.faults.len(), outcome.stopped, outcome.stats.states), (1, None, 1));
    assert_eq!(outcome.faults[0].trace, Trace { initial: Step(0), steps: vec![Step(0)] });
    let outcome = cycles_cached(&system, &options(), PLENTY, &control());
    assert!(outcome.lasso.is_none() && outcome.stopped.is_none());
    let nothing = Given { initial: vec![], ..system };
    let outcome = explore_cached(&nothing, &options(), PLENTY, &control());
    assert_eq!((outcome.faults.len(), outcome.stopped, outcome.stats.states), (0, None, 0));
}
