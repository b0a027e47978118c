//! From a witness to a lasso: short ways, found breadth-first in what the search has visited.

use super::Fairness;
use super::graph::{Bits, Edge, Graph, Halted, Marks, Witness, push};

/// A lasso in the graph.
#[derive(Debug)]
pub(crate) struct Route {
    /// Leads to the initial state.
    pub initial: Edge,
    pub prefix: Vec<Edge>,
    /// From the state that `prefix` leads to, and back to it.
    pub cycle: Vec<Edge>,
}

impl Route {
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }
}

pub(crate) fn route(
    graph: &mut impl Graph,
    witness: &Witness,
    fairness: Fairness,
) -> Result<Route, Halted> {
    let mut ways = Ways { graph, parents: Marks::new(), queue: Vec::new(), edges: Vec::new() };
    let mut cycle = ways.cycle(witness, fairness)?;
    let (initial, prefix) = ways.prefix(&witness.known, &cycle)?;
    let entry = prefix.last().map_or(initial.target, |edge| edge.target);
    let turn = cycle.iter().position(|edge| edge.target == entry).map_or(0, |at| at + 1);
    let length = cycle.len();
    cycle.rotate_left(turn % length.max(1));
    Ok(Route { initial, prefix, cycle })
}

struct Ways<'a, G> {
    graph: &'a mut G,
    /// One more than the place in `queue` of the state that a state was reached from.
    parents: Marks<u32>,
    queue: Vec<u32>,
    edges: Vec<Edge>,
}

/// What a way was looked for leads to.
enum Goal {
    /// The state itself.
    State,
    /// This edge of it.
    Edge(Edge),
}

impl<G: Graph> Ways<'_, G> {
    /// From `through` to each thing that fairness asks for, whichever is next, and back.
    fn cycle(&mut self, witness: &Witness, fairness: Fairness) -> Result<Vec<Edge>, Halted> {
        let through = witness.through;
        let inside = witness.inside.as_ref().unwrap_or(&witness.known);
        self.edges.clear();
        let first = self.graph.successors(through, &mut self.edges)?;
        let (mut all, mut any, mut moved) = (first, first, 0);
        let (mut cycle, mut last): (Vec<Edge>, _) = (Vec::new(), through);
        loop {
            let owed = fairness.owed(all, any, moved);
            if owed == 0 && last == through && !cycle.is_empty() {
                return Ok(cycle);
            }
            let way = self.way(&[last], inside, |_, enabled, edges| {
                if owed == 0 {
                    let back = edges.iter().find(|edge| edge.target == through)?;
                    return Some(Goal::Edge(*back));
                }
                if fairness.owed(all & enabled, any, moved) & owed != owed {
                    return Some(Goal::State);
                }
                let pays = |edge: &&Edge| edge.movers & owed != 0 && inside.contains(edge.target);
                edges.iter().find(pays).map(|edge| Goal::Edge(*edge))
            })?;
            let Some((_, way)) = way else {
                panic!("internal: a component that was found fair has no fair cycle");
            };
            for edge in way {
                moved |= edge.movers;
                self.edges.clear();
                let enabled = self.graph.successors(edge.target, &mut self.edges)?;
                (all, any) = (all & enabled, any | enabled);
                last = edge.target;
                push(&mut cycle, edge)?;
            }
        }
    }

    /// The shortest way from an initial state to a state of the cycle.
    fn prefix(&mut self, known: &Bits, cycle: &[Edge]) -> Result<(Edge, Vec<Edge>), Halted> {
        let on_cycle: Bits = cycle.iter().map(|edge| edge.target).collect();
        let mut initial = Vec::new();
        self.graph.initial(&mut initial)?;
        let starts: Vec<u32> = initial.iter().map(|edge| edge.target).collect();
        let way =
            self.way(&starts, known, |id, _, _| on_cycle.contains(id).then_some(Goal::State))?;
        let start = way.as_ref().and_then(|(start, _)| initial.iter().find(|e| e.target == *start));
        match (start, way) {
            (Some(start), Some((_, way))) => Ok((*start, way)),
            _ => panic!("internal: a cycle was found that no initial state leads to"),
        }
    }

    /// A shortest way within `inside` from one of `starts` to where `goal` answers; it is asked
    /// with a state, the processes enabled there, and its edges. The answer is the start as well.
    fn way(
        &mut self,
        starts: &[u32],
        inside: &Bits,
        goal: impl Fn(u32, u64, &[Edge]) -> Option<Goal>,
    ) -> Result<Option<(u32, Vec<Edge>)>, Halted> {
        self.queue.drain(..).try_for_each(|id| self.parents.set(id, 0))?;
        for &start in starts.iter().filter(|start| inside.contains(**start)) {
            self.parents.set(start, u32::MAX)?;
            push(&mut self.queue, start)?;
        }
        let mut next = 0;
        while let Some(&id) = self.queue.get(next) {
            next += 1;
            self.edges.clear();
            let enabled = self.graph.successors(id, &mut self.edges)?;
            if let Some(goal) = goal(id, enabled, &self.edges) {
                return self.back(id, goal).map(Some);
            }
            for at in 0..self.edges.len() {
                let target = self.edges[at].target;
                if inside.contains(target) && self.parents.get(target) == 0 {
                    self.parents.set(target, next as u32)?;
                    push(&mut self.queue, target)?;
                }
            }
        }
        Ok(None)
    }

    fn back(&mut self, end: u32, goal: Goal) -> Result<(u32, Vec<Edge>), Halted> {
        let mut way = Vec::new();
        if let Goal::Edge(last) = goal {
            way.push(last);
        }
        let mut to = end;
        loop {
            let parent = self.parents.get(to);
            if parent == u32::MAX {
                way.reverse();
                return Ok((to, way));
            }
            let from = self.queue[parent as usize - 1];
            push(&mut way, edge_to(self.graph, from, to, &mut self.edges)?)?;
            to = from;
        }
    }
}

/// The first step that leads from a state to another.
pub(crate) fn edge_to(
    graph: &mut impl Graph,
    from: u32,
    to: u32,
    edges: &mut Vec<Edge>,
) -> Result<Edge, Halted> {
    edges.clear();
    graph.successors(from, edges)?;
    match edges.iter().find(|edge| edge.target == to) {
        Some(edge) => Ok(*edge),
        None => panic!("internal: a state has other successors than before"),
    }
}
