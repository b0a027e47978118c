//! The whole state graph of a small model.

use auspex_search::State;
use auspex_system::{Explorer, Step, Successor, Successors, System};
use std::collections::HashMap;

pub struct Edge {
    /// `None`: nothing can move any more.
    pub step: Option<Step>,
    pub to: usize,
    /// Who moves: a set of bits.
    pub movers: u64,
}

/// State 0 is the initial one. Every state has an edge: where the model cannot go on, it stays for ever, and
/// nobody moves. A step into a fault is no part of an infinite run.
pub struct Graph {
    pub letters: Vec<u64>,
    pub edges: Vec<Vec<Edge>>,
    /// Who can move in each state.
    pub enabled: Vec<u64>,
}

impl Graph {
    /// `None` if there are more than `most` states, or none. The letters are those of `property`.
    pub fn new<S: System>(system: &S, property: usize, most: usize) -> Option<Graph> {
        let mut explorer = system.explorer();
        let mut out = Successors::new();
        explorer.initial(&mut out);
        let Successor::State(initial) = out.get(0) else { return None };
        let mut states = vec![State::from(initial)];
        let mut known = HashMap::from([(initial.bytes.to_vec(), 0)]);
        let mut graph = Graph { letters: Vec::new(), edges: Vec::new(), enabled: Vec::new() };
        while graph.edges.len() < states.len() {
            let at = graph.edges.len();
            let (mut out, mut movers) = (Successors::new(), Vec::new());
            explorer.successors(states[at].view(), &mut out);
            explorer.movers(states[at].view(), &mut movers);
            assert_eq!(out.len(), movers.len());
            let mut edges = Vec::new();
            for ((step, successor), movers) in out.iter().zip(movers) {
                let Successor::State(state) = successor else { continue };
                let to = *known.entry(state.bytes.to_vec()).or_insert(states.len());
                if to == states.len() {
                    states.push(State::from(state));
                }
                edges.push(Edge { step: Some(step), to, movers });
            }
            if states.len() > most {
                return None;
            }
            if edges.is_empty() {
                edges.push(Edge { step: None, to: at, movers: 0 });
            }
            graph.enabled.push(edges.iter().fold(0, |all, edge| all | edge.movers));
            graph.edges.push(edges);
            graph.letters.push(explorer.letter(property, states[at].view()));
        }
        Some(graph)
    }
}
