//! The algorithms on small random graphs, against the definitions.

use super::graph::{Edge, Graph, Halted, Marks};
use super::route::{Route, route};
use super::{Algorithm, Answer, Fairness, cndfs, components, nested};
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
    node as u32 * 20_000 + 7
}

fn node(id: u32) -> usize {
    id as usize / 20_000
}

const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

fn run(graph: &Plain, algorithm: Algorithm, fairness: Fairness) -> Answer {
    match algorithm {
        Algorithm::Nested => nested::search(&mut &*graph),
        Algorithm::Components => components::search(&mut &*graph, fairness),
        Algorithm::Cndfs => cndfs::search(2, || graph, |_| ()).0,
    }
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
    assert!(route.cycle.len() <= 12 * 10);
}

#[test]
fn as_defined() {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut yes = [0; 3];
    for round in 0..20_000 {
        let graph = Plain::random(&mut rng);
        let expected = graph.answers();
        let mut check = |algorithm, number: usize| {
            let fairness = FAIRNESS[number];
            let answer = run(&graph, algorithm, fairness).expect("nothing stops it");
            let found = answer.is_some();
            assert_eq!(found, expected[number], "{algorithm:?} {fairness:?} round {round}");
            if let Some(witness) = answer {
                let route = route(&mut &graph, &witness, fairness).expect("nothing stops it");
                check_route(&graph, &route, number);
                yes[number] += 1;
            }
        };
        (0..3).for_each(|fairness| check(Algorithm::Components, fairness));
        check(Algorithm::Nested, 0);
        if round % 2 == 0 {
            check(Algorithm::Cndfs, 0);
        }
    }
    println!("found {yes:?}");
    assert!(yes.iter().all(|count| (2_000..30_000).contains(count)), "one-sided: {yes:?}");
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
