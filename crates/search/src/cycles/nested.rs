//! Nested depth-first search with four colours.
//!
//! The blue search visits everything once. Behind an accepting state it starts a red search, which
//! visits everything at most once more, over all accepting states together, and ends when it
//! meets the stack of the blue search: from there the way leads back. A state is red at once where
//! all its successors are, which saves most of the red searches.

use super::graph::{Edge, Frame, Graph, Halted, Marks, Witness, push};

/// The colour of a state; [`ACCEPTING`] is added to it.
const WHITE: u8 = 0;
/// On the stack of the blue search.
const CYAN: u8 = 1;
/// Left by the blue search.
const BLUE: u8 = 2;
/// On no accepting cycle.
const RED: u8 = 3;
const ACCEPTING: u8 = 4;

pub(crate) fn search(graph: &mut impl Graph) -> Result<Option<Witness>, Halted> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let mut nested = Nested {
        graph,
        marks: Marks::new(),
        stack: Vec::new(),
        waiting: Vec::new(),
        edges: Vec::new(),
        red_waiting: Vec::new(),
    };
    for edge in initial {
        if nested.colour(edge.target) == WHITE
            && let Some(through) = nested.blue(edge.target)?
        {
            let known = nested.marks.which(|mark| mark != 0);
            return Ok(Some(Witness { through, known, inside: None }));
        }
    }
    Ok(None)
}

struct Nested<'a, G> {
    graph: &'a mut G,
    marks: Marks<u8>,
    stack: Vec<Frame>,
    /// The successors of the states on the stack that were not looked at yet.
    waiting: Vec<u32>,
    edges: Vec<Edge>,
    red_waiting: Vec<u32>,
}

impl<G: Graph> Nested<'_, G> {
    fn colour(&self, id: u32) -> u8 {
        self.marks.get(id) & !ACCEPTING
    }

    fn is_accepting(&self, id: u32) -> bool {
        self.marks.get(id) & ACCEPTING != 0
    }

    fn paint(&mut self, id: u32, colour: u8) -> Result<(), Halted> {
        let accepting = self.marks.get(id) & ACCEPTING;
        self.marks.set(id, colour | accepting)
    }

    /// The answer is an accepting state on a cycle.
    fn blue(&mut self, root: u32) -> Result<Option<u32>, Halted> {
        self.enter(root)?;
        while let Some(&Frame { id, start, .. }) = self.stack.last() {
            if self.waiting.len() == start {
                if let Some(found) = self.leave()? {
                    return Ok(Some(found));
                }
                continue;
            }
            let Some(target) = self.waiting.pop() else { break };
            match self.colour(target) {
                WHITE => self.enter(target)?,
                CYAN if self.is_accepting(id) => return Ok(Some(id)),
                CYAN if self.is_accepting(target) => return Ok(Some(target)),
                colour => self.seen(colour),
            }
        }
        Ok(None)
    }

    fn enter(&mut self, id: u32) -> Result<(), Halted> {
        let accepting = if self.graph.is_accepting(id) { ACCEPTING } else { 0 };
        self.marks.set(id, CYAN | accepting)?;
        self.edges.clear();
        self.graph.expand(id, self.stack.len(), &mut self.edges)?;
        push(&mut self.stack, Frame { id, start: self.waiting.len(), all_red: true })?;
        self.edges.iter().rev().try_for_each(|edge| push(&mut self.waiting, edge.target))
    }

    /// The state on top of the stack has a successor of that colour.
    fn seen(&mut self, colour: u8) {
        if let Some(frame) = self.stack.last_mut() {
            frame.all_red &= colour == RED;
        }
    }

    fn leave(&mut self) -> Result<Option<u32>, Halted> {
        let Some(Frame { id, all_red, .. }) = self.stack.pop() else { return Ok(None) };
        let mut colour = if all_red { RED } else { BLUE };
        if !all_red && self.is_accepting(id) {
            if self.red(id)? {
                return Ok(Some(id));
            }
            colour = RED;
        }
        self.paint(id, colour)?;
        self.seen(colour);
        Ok(None)
    }

    /// Does a way lead from `seed`, which is still cyan, to a cyan state? The order in which the
    /// red search visits does not matter, so that a list of waiting states is enough.
    fn red(&mut self, seed: u32) -> Result<bool, Halted> {
        self.red_waiting.clear();
        self.red_waiting.push(seed);
        while let Some(id) = self.red_waiting.pop() {
            self.edges.clear();
            self.graph.successors(id, &mut self.edges)?;
            for at in 0..self.edges.len() {
                let target = self.edges[at].target;
                match self.colour(target) {
                    CYAN => return Ok(true),
                    BLUE => {
                        self.paint(target, RED)?;
                        push(&mut self.red_waiting, target)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(false)
    }
}
