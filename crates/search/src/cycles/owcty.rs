//! One way catch them young: takes out, again and again, what lies on no accepting cycle.
//!
//! Everything is visited once. Of that, a round keeps what accepting states lead to, and takes out
//! the states that nothing kept leads to, until all of them have something kept before them. If
//! a round takes nothing out and something is left, going backwards from accepting state to
//! accepting state comes round in a circle; if no accepting state is left, there is no cycle.
//!
//! In a weak graph a cycle with an accepting state has only such: one round over the accepting
//! states alone is enough, and how many of them lead to each is counted during the visit.
//!
//! While everything is visited, each state is told of one accepting state that leads to it. A
//! step back to that one is a cycle, and ends the search early; but not every cycle is seen so.

use super::Answer;
use super::atoms::Atoms;
use super::components;
use super::crew::{Crew, Found, Hand, Part, add};
use super::graph::{Graph, Halted, Witness, push};
use crate::cycles::Fairness;
use crate::stack::Stack;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// A state's mark. Not taken out yet:
const IN: u32 = 1 << 31;
/// Led to, in this round, by an accepting state. Without `IN`: taken out.
const REACHED: u32 = 1 << 30;
const ACCEPTING: u32 = 1 << 29;
/// The rest of a mark: how many steps lead there from states that are kept.
const COUNT: u32 = ACCEPTING - 1;
/// No more of them are counted, far from where the count would run into the flags, whatever
/// other threads are about to add.
const MOST: u32 = COUNT / 2;

pub(crate) fn search<G: Graph>(crew: &Crew<'_, G>, weak: bool) -> Answer {
    let owcty = Owcty { crew, marks: Atoms::new(), weak };
    let through = match owcty.visit_all()? {
        Some(through) => Some(through),
        None if weak => owcty.one_round()?,
        None => owcty.rounds()?,
    };
    let witness = |through| Witness { through, known: owcty.marks.marked(), inside: None };
    Ok(through.map(witness))
}

struct Owcty<'a, 'c, G> {
    crew: &'a Crew<'c, G>,
    marks: Atoms<AtomicU32>,
    weak: bool,
}

/// A state that was found and is to be visited.
struct Fresh {
    id: u32,
    depth: u32,
    /// The greatest accepting state on the way on which it was found.
    above: Option<u32>,
}

impl<G: Graph> Owcty<'_, '_, G> {
    /// Marks everything. The answer is a cycle that was met by the way.
    fn visit_all(&self) -> Found {
        let mut initial = Vec::new();
        self.crew.alone(|graph| graph.initial(&mut initial))?;
        let mut fresh = Vec::new();
        for edge in initial {
            if self.is_new(edge.target)? {
                push(&mut fresh, Fresh { id: edge.target, depth: 0, above: None })?;
            }
        }
        self.crew.work_off(fresh, |hand, fresh, stack| self.visit(hand, fresh, stack))
    }

    fn is_new(&self, id: u32) -> Result<bool, Halted> {
        let cell = self.marks.cell(id)?;
        // Most states are not: looking is cheaper than writing.
        Ok(cell.load(SeqCst) & IN == 0 && cell.fetch_or(IN, SeqCst) & IN == 0)
    }

    fn visit(
        &self,
        Hand { graph, edges }: &mut Hand<'_, G>,
        Fresh { id, depth, above }: Fresh,
        stack: &mut Stack<Fresh>,
    ) -> Found {
        let accepting = graph.is_accepting(id);
        let above = if accepting { above.max(Some(id)) } else { above };
        if accepting {
            self.marks.cell(id)?.fetch_or(ACCEPTING, SeqCst);
        }
        edges.clear();
        graph.expand(id, depth as usize, edges)?;
        for edge in edges {
            if above == Some(edge.target) {
                return Ok(above);
            }
            if self.weak && accepting {
                self.count(edge.target)?;
            }
            if self.is_new(edge.target)? {
                let depth = depth.saturating_add(1);
                add(stack, Fresh { id: edge.target, depth, above })?;
            }
        }
        Ok(None)
    }

    /// One more step leads to a state. The answer is its mark before.
    fn count(&self, id: u32) -> Result<u32, Halted> {
        let before = self.marks.cell(id)?.fetch_add(1, SeqCst);
        if before & COUNT < MOST { Ok(before) } else { Err(Halted::Memory) }
    }

    /// For weak graphs, where steps between accepting states are counted already.
    fn one_round(&self) -> Found {
        let mut first = Vec::new();
        for (id, cell) in self.marks.used() {
            let mark = cell.load(SeqCst);
            if mark & ACCEPTING == 0 {
                cell.store(REACHED, SeqCst);
            } else if mark & COUNT == 0 {
                cell.store(REACHED | ACCEPTING, SeqCst);
                push(&mut first, id)?;
            }
        }
        self.take_out(first)?;
        self.one_of_the_rest()
    }

    fn rounds(&self) -> Found {
        loop {
            let mut seeds = Vec::new();
            for (id, cell) in self.marks.used() {
                let mark = cell.load(SeqCst);
                if mark & IN != 0 {
                    let reached = if mark & ACCEPTING == 0 { 0 } else { REACHED };
                    cell.store(mark & (IN | ACCEPTING) | reached, SeqCst);
                    if reached != 0 {
                        push(&mut seeds, id)?;
                    }
                }
            }
            if seeds.is_empty() {
                return Ok(None);
            }
            self.crew.work_off(seeds, |hand, id, stack| self.reach(hand, id, stack))?;
            let mut first = Vec::new();
            for (id, cell) in self.marks.used() {
                let mark = cell.load(SeqCst);
                let kept = mark & REACHED != 0 && mark & COUNT != 0;
                if mark & IN != 0 && !kept {
                    cell.store(mark & ACCEPTING | REACHED, SeqCst);
                    if mark & REACHED != 0 {
                        push(&mut first, id)?;
                    }
                }
            }
            if first.is_empty() {
                return self.one_of_the_rest();
            }
            self.take_out(first)?;
        }
    }

    /// Counts the steps from a state that an accepting one leads to, and goes on where they lead.
    fn reach(
        &self,
        Hand { graph, edges }: &mut Hand<'_, G>,
        id: u32,
        stack: &mut Stack<u32>,
    ) -> Found {
        edges.clear();
        graph.successors(id, edges)?;
        for edge in edges.iter().filter(|edge| self.marks.get(edge.target) & IN != 0) {
            let before = self.count(edge.target)?;
            if before & REACHED == 0
                && self.marks.cell(edge.target)?.fetch_or(REACHED, SeqCst) & REACHED == 0
            {
                add(stack, edge.target)?;
            }
        }
        Ok(None)
    }

    /// Takes out what follows from these being out: where their steps were the last that led there.
    fn take_out(&self, first: Vec<u32>) -> Result<(), Halted> {
        let visit = |Hand { graph, edges }: &mut Hand<'_, G>, id, stack: &mut Stack<u32>| {
            edges.clear();
            graph.successors(id, edges)?;
            // A step to a state that is in was counted, so that it is not out before this.
            for edge in edges.iter().filter(|edge| self.marks.get(edge.target) & IN != 0) {
                let cell = self.marks.cell(edge.target)?;
                if cell.fetch_sub(1, SeqCst) & COUNT == 1 {
                    cell.fetch_or(REACHED, SeqCst);
                    cell.fetch_and(!IN, SeqCst);
                    add(stack, edge.target)?;
                }
            }
            Ok(None)
        };
        self.crew.work_off(first, visit).map(|_| ())
    }

    /// What is left, if anything is, has an accepting cycle: the first that a depth-first search
    /// comes to.
    fn one_of_the_rest(&self) -> Found {
        let mut roots = Vec::new();
        for (id, cell) in self.marks.used() {
            if cell.load(SeqCst) & (IN | ACCEPTING) == IN | ACCEPTING {
                push(&mut roots, id)?;
            }
        }
        if roots.is_empty() {
            return Ok(None);
        }
        let inside = |id| self.marks.get(id) & IN != 0;
        let witness = self.crew.alone(|graph| {
            components::search(&mut Part { graph, roots, inside }, Fairness::None)
        })?;
        match witness {
            Some(witness) => Ok(Some(witness.through)),
            None => panic!("internal: states that cycles lead to were kept, and there is no cycle"),
        }
    }
}
