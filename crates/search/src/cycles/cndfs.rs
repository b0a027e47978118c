//! Nested depth-first search by several workers, each in its own order, that share what they know.
//!
//! A state that one worker's blue search has left is not entered by another's. The price is that a
//! red search may start before all behind its seed was searched: before its states are red for
//! everyone, it waits for the other accepting states among them, which other workers work at.

use super::Answer;
use super::graph::{Bits, Edge, Graph, Halted, Marks, Witness, push};
use crate::explore::OnDrop;
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::SeqCst};
use std::thread::{self, Builder};

/// For everyone: left by a blue search; on no accepting cycle; looked at.
const BLUE: u8 = 1;
const RED: u8 = 2;
const SEEN: u8 = 4;
const TOUCHED: u8 = 8;
/// For one worker: on its stack; accepting; in its red search.
const CYAN: u8 = 1;
const ACCEPTING: u8 = 2;
const PINK: u8 = 4;

const PAGE: usize = 1 << 18;

/// Marks that threads share. They grow without a lock, for nothing in them moves.
struct SharedMarks {
    pages: Vec<OnceLock<Box<[AtomicU8]>>>,
}

impl SharedMarks {
    fn new() -> Self {
        SharedMarks { pages: (0..=u32::MAX as usize / PAGE).map(|_| OnceLock::new()).collect() }
    }

    fn get(&self, id: u32) -> u8 {
        let page = self.pages[id as usize / PAGE].get();
        page.map_or(0, |page| page[id as usize % PAGE].load(SeqCst))
    }

    /// Adds marks; the answer is what was there before.
    fn add(&self, id: u32, marks: u8) -> u8 {
        let page = self.pages[id as usize / PAGE]
            .get_or_init(|| (0..PAGE).map(|_| AtomicU8::new(0)).collect());
        page[id as usize % PAGE].fetch_or(marks, SeqCst)
    }

    fn marked(&self) -> Bits {
        let page = |(page, cells): (usize, &OnceLock<Box<[AtomicU8]>>)| {
            let cells = cells.get().map_or(&[][..], |cells| cells).iter().enumerate();
            let marked = cells.filter(|(_, mark)| mark.load(SeqCst) != 0);
            marked.map(|(at, _)| (page * PAGE + at) as u32).collect::<Vec<_>>()
        };
        self.pages.iter().enumerate().flat_map(page).collect()
    }
}

struct Common {
    marks: SharedMarks,
    /// A worker has found a cycle, or left in any other way before everything was done.
    over: AtomicBool,
}

/// Each worker makes its graph in its own thread, and the answer of `finish` comes back.
pub(crate) fn search<G: Graph, T: Send>(
    workers: usize,
    make: impl Fn() -> G + Sync,
    finish: impl Fn(G) -> T + Sync,
) -> (Answer, Vec<T>) {
    let common = Common { marks: SharedMarks::new(), over: AtomicBool::new(false) };
    let one = |number: usize| {
        let mut graph = make();
        let complete = Cell::new(false);
        let answer = {
            // Nobody may wait for a worker that is gone, be it by a panic.
            let _leave = OnDrop(|| {
                if !complete.get() {
                    common.over.store(true, SeqCst);
                }
            });
            let answer = Worker::new(&mut graph, &common, number).run();
            complete.set(answer == Ok(None));
            answer
        };
        (answer, finish(graph))
    };
    let results: Vec<_> = thread::scope(|scope| {
        let one = &one;
        // With fewer threads than asked for, the others do everything.
        let others: Vec<_> = (1..workers)
            .filter_map(|number| {
                let name = format!("worker {number}");
                Builder::new().name(name).spawn_scoped(scope, move || one(number)).ok()
            })
            .collect();
        let first = one(0);
        let others = others.into_iter().map(|other| match other.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(first).chain(others).collect()
    });
    let (answers, finished): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    let through = answers.iter().find_map(|answer| answer.ok().flatten());
    // One that ran out of memory stops the others, which then were asked to.
    let reasons = || answers.iter().filter_map(|answer| answer.err());
    let halted = reasons().find(|halted| *halted == Halted::Memory).or(reasons().next());
    let answer = match (through, halted) {
        (Some(through), _) => {
            Ok(Some(Witness { through, known: common.marks.marked(), inside: None }))
        }
        (None, Some(halted)) => Err(halted),
        (None, None) => Ok(None),
    };
    (answer, finished)
}

struct Frame {
    id: u32,
    /// Where its successors begin in the list of all that wait.
    start: usize,
}

struct Worker<'a, G> {
    graph: &'a mut G,
    common: &'a Common,
    number: usize,
    marks: Marks<u8>,
    stack: Vec<Frame>,
    waiting: Vec<u32>,
    edges: Vec<Edge>,
    red_waiting: Vec<u32>,
    pink: Vec<u32>,
}

impl<'a, G: Graph> Worker<'a, G> {
    fn new(graph: &'a mut G, common: &'a Common, number: usize) -> Self {
        let (stack, waiting, edges) = (Vec::new(), Vec::new(), Vec::new());
        let (marks, red_waiting, pink) = (Marks::new(), Vec::new(), Vec::new());
        Worker { graph, common, number, marks, stack, waiting, edges, red_waiting, pink }
    }

    /// The answer is an accepting state on a cycle.
    fn run(&mut self) -> Result<Option<u32>, Halted> {
        let mut initial = Vec::new();
        self.graph.initial(&mut initial)?;
        for edge in initial {
            if self.common.marks.get(edge.target) & BLUE == 0
                && let Some(found) = self.blue(edge.target)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        self.common.over.load(SeqCst)
    }

    fn blue(&mut self, root: u32) -> Result<Option<u32>, Halted> {
        self.enter(root)?;
        while let Some(&Frame { id, start }) = self.stack.last() {
            if self.is_over() {
                return Err(Halted::Asked);
            }
            if self.waiting.len() == start {
                if self.leave(id)? {
                    return Ok(Some(id));
                }
                self.stack.pop();
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
            } else if self.common.marks.get(target) & BLUE == 0 {
                self.enter(target)?;
            }
        }
        Ok(None)
    }

    fn enter(&mut self, id: u32) -> Result<(), Halted> {
        let accepting = if self.graph.is_accepting(id) { ACCEPTING } else { 0 };
        self.marks.set(id, CYAN | accepting)?;
        self.edges.clear();
        match self.common.marks.add(id, SEEN) & SEEN == 0 {
            true => self.graph.expand(id, self.stack.len(), &mut self.edges)?,
            false => self.graph.successors(id, &mut self.edges)?,
        };
        push(&mut self.stack, Frame { id, start: self.waiting.len() })?;
        // Everyone begins elsewhere, so that they meet late.
        if self.number > 0 && !self.edges.is_empty() {
            let mixed = (id as usize ^ self.number << 7).wrapping_mul(0x9e37_79b9) >> 11;
            let turn = mixed % self.edges.len();
            self.edges.rotate_left(turn);
        }
        self.edges.iter().rev().try_for_each(|edge| push(&mut self.waiting, edge.target))
    }

    /// Has the state on top of the stack, all successors of which are done, a cycle?
    fn leave(&mut self, id: u32) -> Result<bool, Halted> {
        self.common.marks.add(id, BLUE);
        let accepting = self.marks.get(id) & ACCEPTING != 0;
        if accepting {
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
            if self.is_over() {
                return Err(Halted::Asked);
            }
            self.edges.clear();
            self.graph.successors(id, &mut self.edges)?;
            for at in 0..self.edges.len() {
                let target = self.edges[at].target;
                let there = self.marks.get(target);
                if there & CYAN != 0 {
                    return Ok(true);
                }
                if there & PINK == 0 && self.common.marks.get(target) & RED == 0 {
                    self.red_enter(target)?;
                }
            }
        }
        Ok(false)
    }

    fn red_enter(&mut self, id: u32) -> Result<(), Halted> {
        self.marks.set(id, self.marks.get(id) | PINK)?;
        self.common.marks.add(id, TOUCHED);
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
            while self.common.marks.get(id) & RED == 0 {
                self.graph.check()?;
                if self.is_over() {
                    return Err(Halted::Asked);
                }
                thread::yield_now();
            }
        }
        while let Some(id) = self.pink.pop() {
            self.common.marks.add(id, RED);
            self.marks.set(id, self.marks.get(id) & !PINK)?;
        }
        Ok(())
    }
}
