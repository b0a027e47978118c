//! A lasso with as few steps as possible, to the cycle and round it together.
//!
//! The graph is kept in memory, breadth-first, as far as a lasso of a given length can lead; the length is
//! doubled until there is one. A cycle may be entered anywhere, best at the state that is nearest
//! to the beginning: so for each state, from the nearest on, the shortest cycle is looked for that
//! has an accepting state and nothing nearer, within the strongly connected part and as long as it
//! could be part of a shorter lasso than the shortest known.

use super::graph::{Bits, Edge, Graph, Halted, Marks, push};
use super::parts::{filled, parts};
use super::route::{Route, edge_to};

/// A shortest lasso, if there is one of fewer than `bound` steps.
pub(crate) fn shorter(graph: &mut impl Graph, bound: usize) -> Result<Option<Route>, Halted> {
    let mut near = Near::new(graph)?;
    let mut length = 0;
    while length + 1 < bound {
        length = (2 * length).max(8).min(bound - 1);
        near.grow(graph, length)?;
        if let Some(lasso) = near.shortest(graph, length)? {
            return near.route(graph, &lasso).map(Some);
        }
    }
    Ok(None)
}

/// The states near the beginning, numbered in the order of their distance from it.
struct Near {
    ids: Vec<u32>,
    /// One more than the number of each state.
    numbers: Marks<u32>,
    distance: Vec<u32>,
    /// Where each was found from; itself for an initial one.
    parent: Vec<u32>,
    accepting: Bits,
    /// Those that a state leads to which is not nearer.
    closing: Bits,
    /// Where the targets of each state begin, as far as states were expanded, and where they end.
    first: Vec<usize>,
    targets: Vec<u32>,
    edges: Vec<Edge>,
}

struct Shortest {
    entry: u32,
    /// From the state after `entry` round to `entry`.
    cycle: Vec<u32>,
}

impl Near {
    fn new(graph: &mut impl Graph) -> Result<Self, Halted> {
        let (ids, distance, parent, first) = (Vec::new(), Vec::new(), Vec::new(), vec![0]);
        let (numbers, accepting, closing) = (Marks::new(), Bits::default(), Bits::default());
        let (targets, edges) = (Vec::new(), Vec::new());
        let mut near =
            Near { ids, numbers, distance, parent, accepting, closing, first, targets, edges };
        let mut initial = Vec::new();
        graph.initial(&mut initial)?;
        for edge in initial {
            near.number(graph, edge.target, None)?;
        }
        Ok(near)
    }

    /// The number of a state, a new one if it has none.
    fn number(
        &mut self,
        graph: &mut impl Graph,
        id: u32,
        from: Option<u32>,
    ) -> Result<u32, Halted> {
        if let Some(number) = self.numbers.get(id).checked_sub(1) {
            return Ok(number);
        }
        let number = self.ids.len() as u32;
        self.numbers.set(id, number + 1)?;
        push(&mut self.ids, id)?;
        let distance = from.map_or(0, |from| self.distance[from as usize] + 1);
        push(&mut self.distance, distance)?;
        push(&mut self.parent, from.unwrap_or(number))?;
        if graph.is_accepting(id) {
            self.accepting.insert(number);
        }
        Ok(number)
    }

    /// Expands what a lasso of so many steps can pass.
    fn grow(&mut self, graph: &mut impl Graph, length: usize) -> Result<(), Halted> {
        while let Some(&id) = self.ids.get(self.first.len() - 1) {
            let from = self.first.len() as u32 - 1;
            let distance = self.distance[from as usize];
            if distance as usize >= length {
                break;
            }
            let mut edges = std::mem::take(&mut self.edges);
            edges.clear();
            graph.successors(id, &mut edges)?;
            for edge in &edges {
                let target = self.number(graph, edge.target, Some(from))?;
                if self.distance[target as usize] <= distance {
                    self.closing.insert(target);
                }
                push(&mut self.targets, target)?;
            }
            self.edges = edges;
            push(&mut self.first, self.targets.len())?;
        }
        Ok(())
    }

    fn targets(&self, number: u32) -> &[u32] {
        match self.first.get(number as usize + 1) {
            Some(end) => &self.targets[self.first[number as usize]..*end],
            None => &[],
        }
    }

    /// A shortest lasso, if there is one of no more steps than `longest`.
    fn shortest(&self, graph: &impl Graph, longest: usize) -> Result<Option<Shortest>, Halted> {
        let (mut best, mut longest) = (None, longest);
        let mut around = Around::new(self)?;
        let accepting = (0..self.ids.len()).filter(|at| self.accepting.contains(*at as u32));
        let accepting: Bits = accepting.map(|at| around.part[at]).collect();
        for entry in (0..self.ids.len() as u32).filter(|entry| self.closing.contains(*entry)) {
            graph.check()?;
            if !accepting.contains(around.part[entry as usize]) {
                continue;
            }
            let distance = self.distance[entry as usize] as usize;
            if distance >= longest {
                break;
            }
            if let Some(cycle) = around.cycle(entry, longest - distance)? {
                longest = distance + cycle.len() - 1;
                best = Some(Shortest { entry, cycle });
            }
        }
        Ok(best)
    }

    fn route(&mut self, graph: &mut impl Graph, lasso: &Shortest) -> Result<Route, Halted> {
        let mut way = vec![lasso.entry];
        let mut at = lasso.entry;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
            push(&mut way, at)?;
        }
        way.reverse();
        let start = self.ids[way[0] as usize];
        let mut initial = Vec::new();
        graph.initial(&mut initial)?;
        let Some(&initial) = initial.iter().find(|edge| edge.target == start) else {
            panic!("internal: a state is not initial any more");
        };
        let mut walk = |from: u32, steps: &[u32]| {
            let (mut from, mut edges) = (self.ids[from as usize], Vec::new());
            for step in steps {
                let edge = edge_to(graph, from, self.ids[*step as usize], &mut self.edges)?;
                from = edge.target;
                push(&mut edges, edge)?;
            }
            Ok(edges)
        };
        let prefix = walk(way[0], &way[1..])?;
        Ok(Route { initial, prefix, cycle: walk(lasso.entry, &lasso.cycle)? })
    }
}

/// Looks for cycles through one state after the other.
struct Around<'a> {
    near: &'a Near,
    /// Which states have ways to each other and back.
    part: Vec<u32>,
    /// For each state without and with an accepting one on the way to it: in which search it was
    /// met last, and from which of these it was met then.
    met: Vec<u32>,
    from: Vec<u32>,
    searches: u32,
    level: Vec<u32>,
    next: Vec<u32>,
}

impl<'a> Around<'a> {
    fn new(near: &'a Near) -> Result<Self, Halted> {
        let (count, size) = (near.ids.len(), 2 * near.ids.len());
        Ok(Around {
            near,
            part: parts(count, |number| near.targets(number))?,
            met: filled(size, 0)?,
            from: filled(size, 0)?,
            searches: 0,
            level: Vec::new(),
            next: Vec::new(),
        })
    }

    /// A shortest cycle of at most so many steps through a state, with an accepting state on it
    /// and none that is nearer to the beginning.
    fn cycle(&mut self, entry: u32, longest: usize) -> Result<Option<Vec<u32>>, Halted> {
        let near = self.near;
        let accepting = |number: u32| u32::from(near.accepting.contains(number));
        let begin = 2 * entry + accepting(entry);
        self.searches += 1;
        self.met[begin as usize] = self.searches;
        self.level.clear();
        push(&mut self.level, begin)?;
        for _ in 0..longest {
            self.next.clear();
            for &place in &self.level {
                for &target in near.targets(place / 2) {
                    if target == entry && place % 2 == 1 {
                        return self.back(place, begin).map(Some);
                    }
                    if self.part[target as usize] != self.part[entry as usize]
                        || near.distance[target as usize] < near.distance[entry as usize]
                    {
                        continue;
                    }
                    let with = (place % 2).max(accepting(target));
                    let to = 2 * target + with;
                    // What was met with an accepting state need not be met without one.
                    let met = |place: u32| self.met[place as usize] == self.searches;
                    if !met(to) && !met(2 * target + 1) {
                        self.met[to as usize] = self.searches;
                        self.from[to as usize] = place;
                        push(&mut self.next, to)?;
                    }
                }
            }
            std::mem::swap(&mut self.level, &mut self.next);
        }
        Ok(None)
    }

    fn back(&self, last: u32, begin: u32) -> Result<Vec<u32>, Halted> {
        let mut cycle = vec![begin / 2];
        let mut place = last;
        while place != begin {
            push(&mut cycle, place / 2)?;
            place = self.from[place as usize];
        }
        cycle.reverse();
        Ok(cycle)
    }
}
