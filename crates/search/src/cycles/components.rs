//! One depth-first pass that keeps the strongly connected components of what it has seen so far.
//!
//! A component says at any time whether going through all of it is a run as looked for: then the
//! search ends, long before the component is complete. A complete one that is not fair is of no
//! use under weak fairness: a run through a part of it meets fewer states where a process is
//! disabled and takes fewer steps. Under strong fairness a part of it may do: the one without the
//! states that enable a process which never moves.

use super::Fairness;
use super::graph::{Bits, Edge, Graph, Halted, Marks, Witness, push, reserve};

/// Otherwise a mark is one more than the state's place in `active`.
const NEW: u32 = 0;
/// Its component is complete.
const DONE: u32 = u32::MAX;
/// In a component that is taken apart: not visited again yet.
const AGAIN: u32 = u32::MAX - 1;

struct Frame {
    id: u32,
    /// Where its edges begin in the list of all that wait.
    start: usize,
}

/// A component as far as it is known, or several that the depth-first stack leads through.
struct Component {
    /// Its first state's place in `active`; its states reach up to the next component.
    start: usize,
    accepting: Option<u32>,
    has_cycle: bool,
    /// Processes enabled in all of its states.
    all: u64,
    /// Processes enabled in one of its states.
    any: u64,
    /// Processes that move on an edge within.
    moved: u64,
    /// Processes that move on the edge of the depth-first tree that leads to it.
    entry: u64,
}

struct Pass {
    fairness: Fairness,
    /// Is it the first over these states?
    first: bool,
    stack: Vec<Frame>,
    waiting: Vec<Edge>,
    active: Vec<u32>,
    components: Vec<Component>,
    /// Complete components that must be taken apart, without the states to be removed.
    rests: Vec<Vec<u32>>,
}

struct Found {
    through: u32,
    inside: Bits,
}

pub(crate) fn search(
    graph: &mut impl Graph,
    fairness: Fairness,
) -> Result<Option<Witness>, Halted> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let mut marks = Marks::new();
    let mut main = Pass::new(fairness, true);
    let mut apart = Pass::new(fairness, false);
    for edge in initial {
        let found = main.run(graph, &mut marks, edge.target, |graph, marks, rest| {
            apart.take_apart(graph, marks, rest)
        })?;
        if let Some(Found { through, inside }) = found {
            let known = marks.which(|mark| mark != NEW);
            // A fair cycle needs the component; any other one may leave it for a shorter way.
            let inside = (fairness != Fairness::None).then_some(inside);
            return Ok(Some(Witness { through, known, inside }));
        }
    }
    Ok(None)
}

impl Pass {
    fn new(fairness: Fairness, first: bool) -> Self {
        let (stack, waiting, active) = (Vec::new(), Vec::new(), Vec::new());
        let (components, rests) = (Vec::new(), Vec::new());
        Pass { fairness, first, stack, waiting, active, components, rests }
    }

    /// Looks for a fair part of a component, and of the components of what remains of it.
    fn take_apart<G: Graph>(
        &mut self,
        graph: &mut G,
        marks: &mut Marks<u32>,
        rest: Vec<u32>,
    ) -> Result<Option<Found>, Halted> {
        self.rests.push(rest);
        while let Some(rest) = self.rests.pop() {
            rest.iter().try_for_each(|&id| marks.set(id, AGAIN))?;
            let mut rests = Vec::new();
            for &root in &rest {
                let keep = |_: &mut G, _: &mut Marks<u32>, rest| {
                    push(&mut rests, rest)?;
                    Ok(None)
                };
                if let Some(found) = self.run(graph, marks, root, keep)? {
                    return Ok(Some(found));
                }
            }
            self.rests.append(&mut rests);
        }
        Ok(None)
    }

    /// Visits what can be reached from `root` and was not visited. `unfair` is given what remains
    /// of a complete component that is not fair, but a part of which may be.
    fn run<G: Graph>(
        &mut self,
        graph: &mut G,
        marks: &mut Marks<u32>,
        root: u32,
        mut unfair: impl FnMut(&mut G, &mut Marks<u32>, Vec<u32>) -> Result<Option<Found>, Halted>,
    ) -> Result<Option<Found>, Halted> {
        let fresh = if self.first { NEW } else { AGAIN };
        if marks.get(root) != fresh {
            return Ok(None);
        }
        self.enter(graph, marks, root, 0)?;
        while let Some(&Frame { id, start }) = self.stack.last() {
            if self.waiting.len() > start
                && let Some(edge) = self.waiting.pop()
            {
                match marks.get(edge.target) {
                    DONE => {}
                    mark if mark == fresh => self.enter(graph, marks, edge.target, edge.movers)?,
                    mark => {
                        let found = self.close(mark as usize - 1, edge.movers);
                        if found.is_some() {
                            return Ok(found);
                        }
                    }
                }
                continue;
            }
            self.stack.pop();
            if self.components.last().is_some_and(|c| c.start + 1 == marks.get(id) as usize)
                && let Some(rest) = self.complete(graph, marks)?
                && let Some(found) = unfair(graph, marks, rest)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn enter(
        &mut self,
        graph: &mut impl Graph,
        marks: &mut Marks<u32>,
        id: u32,
        entry: u64,
    ) -> Result<(), Halted> {
        let start = self.active.len();
        marks.set(id, start as u32 + 1)?;
        let accepting = graph.is_accepting(id).then_some(id);
        let edges = self.waiting.len();
        let enabled = match self.first {
            true => graph.expand(id, self.stack.len(), &mut self.waiting)?,
            false => graph.successors(id, &mut self.waiting)?,
        };
        self.waiting[edges..].reverse();
        push(&mut self.stack, Frame { id, start: edges })?;
        push(&mut self.active, id)?;
        let (all, any, moved) = (enabled, enabled, 0);
        let alone = Component { start, accepting, has_cycle: false, all, any, moved, entry };
        push(&mut self.components, alone)
    }

    /// An edge leads from the newest component to the state at `place`: all components from that
    /// state's on are one.
    fn close(&mut self, place: usize, movers: u64) -> Option<Found> {
        let mut last = self.components.pop()?;
        while last.start > place {
            let mut into = self.components.pop()?;
            into.accepting = into.accepting.or(last.accepting);
            into.all &= last.all;
            into.any |= last.any;
            into.moved |= last.moved | last.entry;
            last = into;
        }
        last.has_cycle = true;
        last.moved |= movers;
        let fair = self.fairness.owed(last.all, last.any, last.moved) == 0;
        let found = last.accepting.filter(|_| fair).map(|through| {
            let inside = self.active[last.start..].iter().copied().collect();
            Found { through, inside }
        });
        self.components.push(last);
        found
    }

    /// The newest component is complete; the answer is what remains of it to be looked through.
    fn complete(
        &mut self,
        graph: &mut impl Graph,
        marks: &mut Marks<u32>,
    ) -> Result<Option<Vec<u32>>, Halted> {
        let Some(component) = self.components.pop() else { return Ok(None) };
        let states = &self.active[component.start..];
        states.iter().try_for_each(|&id| marks.set(id, DONE))?;
        let mut rest = None;
        if self.fairness == Fairness::Strong && component.has_cycle && component.accepting.is_some()
        {
            let owed = self.fairness.owed(component.all, component.any, component.moved);
            let (mut remaining, mut edges) = (Vec::new(), Vec::new());
            let mut accepting = false;
            reserve(&mut remaining, states.len())?;
            for &id in states {
                edges.clear();
                if graph.successors(id, &mut edges)? & owed == 0 {
                    accepting |= graph.is_accepting(id);
                    remaining.push(id);
                }
            }
            rest = accepting.then_some(remaining);
        }
        self.active.truncate(component.start);
        Ok(rest)
    }
}
