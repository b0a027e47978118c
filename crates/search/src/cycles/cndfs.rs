//! Nested depth-first search by several workers, each in its own order, that share what they know.
//!
//! A state that one worker's blue search has left is not entered by another's. The price is that a
//! red search may start before all behind its seed was searched: before its states are red for
//! everyone, it waits for the other accepting states among them, which other workers work at.
//!
//! What red states lead to is red, too. So a state all of whose successors are red is on no cycle
//! unless it is red itself, and becomes red without a search; and a blue search need not enter red
//! states.

use super::Answer;
use super::atoms::Atoms;
use super::crew::{Common, Crew, Found};
use super::graph::{Edge, Frame, Graph, Halted, Marks, Witness, push};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::SeqCst};
use std::thread;

/// For everyone: left by a blue search; on no accepting cycle; looked at.
const BLUE: u8 = 1;
const RED: u8 = 2;
const SEEN: u8 = 4;
/// For one worker: on its stack; accepting; in its red search.
const CYAN: u8 = 1;
const ACCEPTING: u8 = 2;
const PINK: u8 = 4;

struct Shared {
    marks: Atoms<AtomicU8>,
    over: AtomicBool,
}

impl Common for Shared {
    fn give_up(&self) {
        self.over.store(true, SeqCst);
    }
}

pub(crate) fn search<G: Graph>(crew: &Crew<'_, G>) -> Answer {
    let shared = Shared { marks: Atoms::new(), over: AtomicBool::new(false) };
    let found = crew.all(&shared, |graph, number| Worker::new(graph, &shared, number).run())?;
    let witness = |through| Witness { through, known: shared.marks.marked(), inside: None };
    Ok(found.map(witness))
}

struct Worker<'a, G> {
    graph: &'a mut G,
    shared: &'a Shared,
    number: usize,
    marks: Marks<u8>,
    stack: Vec<Frame>,
    waiting: Vec<u32>,
    edges: Vec<Edge>,
    red_waiting: Vec<u32>,
    pink: Vec<u32>,
}

impl<'a, G: Graph> Worker<'a, G> {
    fn new(graph: &'a mut G, shared: &'a Shared, number: usize) -> Self {
        let (stack, waiting, edges) = (Vec::new(), Vec::new(), Vec::new());
        let (marks, red_waiting, pink) = (Marks::new(), Vec::new(), Vec::new());
        Worker { graph, shared, number, marks, stack, waiting, edges, red_waiting, pink }
    }

    /// The answer is an accepting state on a cycle.
    fn run(&mut self) -> Found {
        let mut initial = Vec::new();
        self.graph.initial(&mut initial)?;
        for edge in initial {
            if self.shared.marks.get(edge.target) & (BLUE | RED) == 0
                && let Some(found) = self.blue(edge.target)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn check(&self) -> Result<(), Halted> {
        if self.shared.over.load(SeqCst) { Err(Halted::Asked) } else { Ok(()) }
    }

    fn blue(&mut self, root: u32) -> Found {
        self.enter(root)?;
        while let Some(&Frame { id, start, all_red }) = self.stack.last() {
            self.check()?;
            if self.waiting.len() == start {
                if self.leave(id, all_red)? {
                    return Ok(Some(id));
                }
                self.stack.pop();
                self.look_at(id);
                continue;
            }
            let Some(target) = self.waiting.pop() else { break };
            let there = self.marks.get(target);
            if there & CYAN != 0 {
                if self.marks.get(id) & ACCEPTING != 0 {
                    return Ok(Some(id));
                }
                if there & ACCEPTING != 0 {
                    return Ok(Some(target));
                }
                self.look_at(target);
            } else if self.shared.marks.get(target) & (BLUE | RED) == 0 {
                self.enter(target)?;
            } else {
                self.look_at(target);
            }
        }
        Ok(None)
    }

    /// A successor of the state on top of the stack needs no search any more.
    fn look_at(&mut self, successor: u32) {
        if let Some(frame) = self.stack.last_mut() {
            frame.all_red &= self.shared.marks.get(successor) & RED != 0;
        }
    }

    fn enter(&mut self, id: u32) -> Result<(), Halted> {
        let accepting = if self.graph.is_accepting(id) { ACCEPTING } else { 0 };
        self.marks.set(id, CYAN | accepting)?;
        self.expand(id)?;
        push(&mut self.stack, Frame { id, start: self.waiting.len(), all_red: true })?;
        // Everyone begins elsewhere, so that they meet late.
        if self.number > 0 && !self.edges.is_empty() {
            let mixed = (id as usize ^ self.number << 7).wrapping_mul(0x9e37_79b9) >> 11;
            let turn = mixed % self.edges.len();
            self.edges.rotate_left(turn);
        }
        self.edges.iter().rev().try_for_each(|edge| push(&mut self.waiting, edge.target))
    }

    /// The edges of a state; it counts when nobody has seen them before.
    fn expand(&mut self, id: u32) -> Result<(), Halted> {
        self.edges.clear();
        match self.shared.marks.cell(id)?.fetch_or(SEEN, SeqCst) & SEEN == 0 {
            true => self.graph.expand(id, self.stack.len(), &mut self.edges)?,
            false => self.graph.successors(id, &mut self.edges)?,
        };
        Ok(())
    }

    /// Has the state on top of the stack, all successors of which are done, a cycle?
    fn leave(&mut self, id: u32, all_red: bool) -> Result<bool, Halted> {
        let colour = if all_red { BLUE | RED } else { BLUE };
        self.shared.marks.cell(id)?.fetch_or(colour, SeqCst);
        if !all_red && self.marks.get(id) & ACCEPTING != 0 {
            if self.red(id)? {
                return Ok(true);
            }
            self.settle(id)?;
        }
        self.marks.set(id, 0)?;
        Ok(false)
    }

    /// Does a way lead from `seed` to a state on the stack?
    fn red(&mut self, seed: u32) -> Result<bool, Halted> {
        self.red_enter(seed)?;
        while let Some(id) = self.red_waiting.pop() {
            self.check()?;
            self.expand(id)?;
            for at in 0..self.edges.len() {
                let target = self.edges[at].target;
                let there = self.marks.get(target);
                if there & CYAN != 0 {
                    return Ok(true);
                }
                if there & PINK == 0 && self.shared.marks.get(target) & RED == 0 {
                    self.red_enter(target)?;
                }
            }
        }
        Ok(false)
    }

    fn red_enter(&mut self, id: u32) -> Result<(), Halted> {
        self.marks.set(id, self.marks.get(id) | PINK)?;
        push(&mut self.pink, id)?;
        push(&mut self.red_waiting, id)
    }

    /// Waits for the other accepting states of the red search, and makes all of it red.
    fn settle(&mut self, seed: u32) -> Result<(), Halted> {
        for at in 0..self.pink.len() {
            let id = self.pink[at];
            if id == seed || !self.graph.is_accepting(id) {
                continue;
            }
            while self.shared.marks.get(id) & RED == 0 {
                self.graph.check()?;
                self.check()?;
                thread::yield_now();
            }
        }
        while let Some(id) = self.pink.pop() {
            self.shared.marks.cell(id)?.fetch_or(RED, SeqCst);
            self.marks.set(id, self.marks.get(id) & !PINK)?;
        }
        Ok(())
    }
}
