//! Maximal accepting predecessors: each state is told the greatest accepting state that leads to it.
//!
//! An accepting state that is its own is on a cycle. If none is, the greatest may have been ones that
//! are on no cycle and hide others. But all states of a cycle have the same: so in the next pass
//! the graph falls apart into those that have the same, steps between different ones are left
//! out, and so is what no accepting state leads to. The accepting state that the states of a part
//! have in common is not in it any more, or it would be its own. Each pass leaves out something, until
//! nothing is left.

use super::Answer;
use super::atoms::Atoms;
use super::crew::{Crew, Found, Hand, add};
use super::graph::{Edge, Graph, Halted, Witness, push};
use crate::stack::Stack;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// What is kept for a state: that it was seen, or one more than this and its greatest accepting
/// predecessor. Zero: neither.
const SEEN: u32 = 1;

fn predecessor(id: u32) -> Result<u32, Halted> {
    id.checked_add(SEEN + 1).ok_or(Halted::Memory)
}

pub(crate) fn search<G: Graph>(crew: &Crew<'_, G>) -> Answer {
    let mut pass = Pass { crew, parts: Atoms::new(), greatest: Atoms::new() };
    let mut seen = None;
    let mut todo = pass.first()?;
    while !todo.is_empty() {
        let found = crew.work_off(todo, |hand, item, stack| pass.visit(hand, item, stack))?;
        let known = seen.unwrap_or_else(|| pass.greatest.marked());
        if let Some(through) = found {
            return Ok(Some(Witness { through, known, inside: None }));
        }
        seen = Some(known);
        todo = pass.next()?;
    }
    Ok(None)
}

struct Pass<'a, 'c, G> {
    crew: &'a Crew<'c, G>,
    /// The greatest accepting predecessors of the pass before: what states of a part have in common.
    parts: Atoms<AtomicU32>,
    /// Those of this pass, as far as they are known.
    greatest: Atoms<AtomicU32>,
}

/// A state whose steps are to be followed.
struct Todo {
    id: u32,
    /// How many steps from the beginning it was met.
    depth: u32,
    why: Why,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// It was met for the first time.
    Fresh,
    /// A greater accepting state leads to it than was known before.
    Raised,
    /// A pass begins, in which it may be an accepting state that leads to others.
    Seed,
}

impl<G: Graph> Pass<'_, '_, G> {
    fn first(&self) -> Result<Vec<Todo>, Halted> {
        let (mut initial, mut todo) = (Vec::new(), Vec::new());
        self.crew.alone(|graph| graph.initial(&mut initial))?;
        for edge in initial {
            if self.greatest.cell(edge.target)?.fetch_max(SEEN, SeqCst) == 0 {
                push(&mut todo, Todo { id: edge.target, depth: 0, why: Why::Fresh })?;
            }
        }
        Ok(todo)
    }

    /// All that is in a part.
    fn next(&mut self) -> Result<Vec<Todo>, Halted> {
        self.parts = std::mem::replace(&mut self.greatest, Atoms::new());
        let mut todo = Vec::new();
        for (id, cell) in self.parts.used() {
            if cell.load(SeqCst) > SEEN {
                push(&mut todo, Todo { id, depth: 0, why: Why::Seed })?;
            }
        }
        Ok(todo)
    }

    fn visit(
        &self,
        Hand { graph, edges }: &mut Hand<'_, G>,
        Todo { id, depth, why }: Todo,
        stack: &mut Stack<Todo>,
    ) -> Found {
        let accepting = graph.is_accepting(id);
        if why == Why::Seed && !accepting {
            return Ok(None);
        }
        let mut own = self.greatest.get(id);
        if accepting {
            own = own.max(predecessor(id)?);
        }
        edges.clear();
        match why {
            Why::Fresh => graph.expand(id, depth as usize, edges)?,
            Why::Raised | Why::Seed => graph.successors(id, edges)?,
        };
        let part = self.parts.get(id);
        for &Edge { target, .. } in edges.iter() {
            if self.parts.get(target) != part {
                continue;
            }
            if own == predecessor(target)? {
                return Ok(Some(target));
            }
            let before = self.greatest.cell(target)?.fetch_max(own, SeqCst);
            if before < own {
                // Only in the first pass there are no parts.
                let why = if part == 0 && before == 0 { Why::Fresh } else { Why::Raised };
                add(stack, Todo { id: target, depth: depth.saturating_add(1), why })?;
            }
        }
        Ok(None)
    }
}
