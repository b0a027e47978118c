//! The algorithms on small random graphs, against the definitions.

use super::crew::Crew;
use super::graph::{Edge, Graph, Halted, Marks};
use super::route::{Route, route};
use super::{Answer, Fairness, cndfs, components, dual, map, nested, owcty, shortest};
use auspex_system::Step;
use reference::Plain;

#[path = "../../tests/common/reference.rs"]
mod reference;

impl Graph for &Plain {
    fn initial(&mut self, out: &mut Vec<Edge>) -> Result<(), Halted> {
        let edges = self.initial.iter().enumerate();
        out.extend(edges.map(|(i, to)| Edge { target: id(*to), step: Step(i as u32), movers: 0 }));
        Ok(())
    }

    fn successors(&mut self, from: u32, out: &mut Vec<Edge>) -> Result<u64, Halted> {
        let node = node(from);
        for (i, (target, movers)) in self.steps[node].iter().enumerate() {
            let edge = |to| Edge { target: id(to), step: Step(i as u32), movers: *movers };
            out.extend(target.map(edge));
        }
        Ok(self.enabled(node))
    }

    fn is_accepting(&mut self, id: u32) -> bool {
        self.accepting[node(id)]
    }
}

/// Numbers with gaps, as those of a store.
fn id(node: usize) -> u32 {
    node as u32 * 700 + 7
}

fn node(id: u32) -> usize {
    id as usize / 700
}

const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

type Run = fn(&Crew<'_, &Plain>) -> Answer;

/// Each way to find a cycle where fairness is not asked for, but that for weak graphs only.
const RUNS: [(&str, Run); 6] = [
    ("nested", |crew| crew.alone(nested::search)),
    ("dual", |crew| dual::search(crew)),
    ("components", |crew| crew.alone(|graph| components::search(graph, Fairness::None))),
    ("cndfs", |crew| cndfs::search(crew)),
    ("owcty", |crew| owcty::search(crew, false)),
    ("map", |crew| map::search(crew)),
];
const WEAK: (&str, Run) = ("weak owcty", |crew| owcty::search(crew, true));

fn run(graph: &Plain, run: Run, workers: usize) -> Answer {
    let crew = Crew { workers, hire: &|| graph, dismiss: &|_| () };
    run(&crew)
}

/// Runs on a graph what can be used on it, and compares with the definition.
fn check(graph: &Plain, weak: bool, workers: usize, what: &str) {
    let expected = graph.shortest();
    for (name, way) in RUNS.into_iter().chain(weak.then_some(WEAK)) {
        let answer = run(graph, way, workers).expect("nothing stops it");
        assert_eq!(answer.is_some(), expected.is_some(), "{name}, {workers} workers, {what}");
        if let Some(witness) = answer {
            let route = route(&mut &*graph, &witness, Fairness::None).expect("nothing stops it");
            check_route(graph, &route, 0);
        }
    }
}

fn random() -> fastrand::Rng {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    fastrand::Rng::with_seed(seed)
}

fn check_route(graph: &Plain, route: &Route, fairness: usize) {
    let mut at = graph.initial[route.initial.step.0 as usize];
    assert_eq!(id(at), route.initial.target);
    let walk = |at: &mut usize, edge: &Edge| {
        let (target, movers) = graph.steps[*at][edge.step.0 as usize];
        assert_eq!((target.map(id), movers), (Some(edge.target), edge.movers));
        *at = node(edge.target);
    };
    route.prefix.iter().for_each(|edge| walk(&mut at, edge));
    let (first, mut nodes, mut moved) = (at, vec![], 0);
    for edge in &route.cycle {
        nodes.push(at);
        moved |= edge.movers;
        walk(&mut at, edge);
    }
    assert!(!nodes.is_empty() && at == first);
    assert!(nodes.iter().any(|node| graph.accepting[*node]));
    for process in (0..4).map(|process| 1 << process) {
        let enabled = |node: &usize| graph.enabled(*node) & process != 0;
        let must_move = [false, nodes.iter().all(enabled), nodes.iter().any(enabled)][fairness];
        assert!(!must_move || moved & process != 0, "unfair to {process:b}");
    }
    // No more than a simple way to each accepting state, each process, and back.
    assert!(route.prefix.len() < graph.steps.len());
    assert!(route.cycle.len() <= graph.steps.len() * 10);
}

#[test]
fn as_defined() {
    let mut rng = random();
    let mut yes = [0; 3];
    for round in 0..12_000 {
        let graph = Plain::random(&mut rng);
        let expected = graph.answers();
        assert_eq!(graph.shortest().is_some(), expected[0], "two definitions of one thing");
        for (number, fairness) in FAIRNESS.into_iter().enumerate() {
            let answer = components::search(&mut &graph, fairness).expect("nothing stops it");
            assert_eq!(answer.is_some(), expected[number], "{fairness:?} round {round}");
            if let Some(witness) = answer {
                let route = route(&mut &graph, &witness, fairness).expect("nothing stops it");
                check_route(&graph, &route, number);
                yes[number] += 1;
            }
        }
        // Starting threads takes longer than such a search.
        let workers = [1, 1, 2, 1, 1, 4][round % 6];
        check(&graph, false, workers, &format!("round {round}"));
        if round % 2 == 0 {
            check(&graph.weakened(), true, workers, &format!("round {round}, weakened"));
        }
    }
    println!("found {yes:?}");
    assert!(yes.iter().all(|count| (1_000..11_000).contains(count)), "one-sided: {yes:?}");
}

/// Large enough that workers meet.
#[test]
fn larger_graphs() {
    let mut rng = random();
    for round in 0..1_000 {
        let nodes = rng.usize(20..200);
        let mut graph = Plain::with_nodes(&mut rng, nodes);
        if round % 2 == 0 {
            // Chains of small components: many of them have to be gone through to find the few cycles.
            for (node, steps) in graph.steps.iter_mut().enumerate() {
                for (target, _) in steps.iter_mut() {
                    let near =
                        |to: usize| (node + to % 5).saturating_sub(to % 17 / 16).min(nodes - 1);
                    *target = target.map(near);
                }
            }
            graph.accepting.iter_mut().for_each(|it| *it &= rng.u8(..4) == 0);
        }
        let workers = [2, 4][round / 2 % 2];
        check(&graph, false, workers, &format!("round {round}"));
        check(&graph.weakened(), true, workers, &format!("round {round}, weakened"));
    }
}

#[test]
fn shortest_of_all() {
    let mut rng = random();
    for round in 0..10_000 {
        let nodes = if round % 10 == 0 { 40 } else { 12 };
        let graph = Plain::with_nodes(&mut rng, nodes);
        let Some(length) = graph.shortest() else { continue };
        let shorter = |bound| shortest::shorter(&mut &graph, bound).expect("nothing stops it");
        assert!(shorter(length).is_none(), "round {round}");
        for bound in [length + 1, length + 20] {
            let route = shorter(bound).expect("it is shorter");
            assert_eq!(route.len(), length, "round {round}");
            check_route(&graph, &route, 0);
        }
    }
}

/// Strong fairness that only a part of a component, of a part of a component, can satisfy.
#[test]
fn taken_apart_twice() {
    // 0 -> 1 -> 2 -> 0, 2 -> 1, and a loop at 1. Process 3 is enabled at 0, but its step is a fault;
    // without 0 process 2 is enabled at 2 and has no step.
    let steps = vec![
        vec![(Some(1), 1), (None, 8)],
        vec![(Some(2), 1), (Some(1), 1)],
        vec![(Some(0), 4), (Some(1), 1)],
    ];
    let graph = Plain { steps, accepting: vec![false, true, false], initial: vec![0] };
    assert_eq!(graph.answers(), [true; 3]);
    let witness = components::search(&mut &graph, Fairness::Strong).expect("nothing stops it");
    let route = route(&mut &graph, &witness.expect("the loop"), Fairness::Strong).expect("short");
    assert_eq!((route.prefix.len(), route.cycle.len()), (1, 1));
}

#[test]
fn marks_are_sparse() {
    let mut marks = Marks::new();
    let ids = [0, 5, 16_383, 16_384, 1_000_000];
    for id in ids {
        assert_eq!(marks.get(id), 0u8);
        marks.set(id, 1).expect("room");
    }
    assert_eq!(ids.map(|id| marks.get(id)), [1; 5]);
    let which = marks.which(|mark| mark == 1);
    assert_eq!((0..1_100_000).filter(|id| which.contains(*id)).collect::<Vec<_>>(), ids);
}
