//! Nested depth-first search on two threads: one for the blue search, one for all red searches.
//!
//! The blue search never needs to know how a red one ends, so it hands over the accepting states
//! that it leaves and goes on. The order in which it leaves them is kept, and all that a seed leads to
//! was visited before it was handed over: that is all that red searches rely on.

use super::Answer;
use super::atoms::Atoms;
use super::crew::{Common, Crew, Found};
use super::graph::{Edge, Frame, Graph, Halted, Witness, push};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Visited by the blue search; still on its stack; accepting; visited by a red search.
const BLUE: u8 = 1;
const CYAN: u8 = 2;
const ACCEPTING: u8 = 4;
const RED: u8 = 8;

struct Shared {
    marks: Atoms<AtomicU8>,
    /// The two ends of the way for seeds, until someone takes them.
    sender: Mutex<Option<Sender<u32>>>,
    receiver: Mutex<Option<Receiver<u32>>>,
    over: AtomicBool,
    /// There is one thread only: it does all red searches after the blue one.
    alone: AtomicBool,
}

impl Common for Shared {
    fn missing(&self) {
        self.alone.store(true, SeqCst);
    }

    fn give_up(&self) {
        self.over.store(true, SeqCst);
    }
}

impl Shared {
    fn check(&self) -> Result<(), Halted> {
        if self.over.load(SeqCst) { Err(Halted::Asked) } else { Ok(()) }
    }
}

fn take<T>(from: &Mutex<Option<T>>) -> Result<T, Halted> {
    from.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or(Halted::Asked)
}

/// Uses two workers, however many there are.
pub(crate) fn search<G: Graph>(crew: &Crew<'_, G>) -> Answer {
    let (sender, receiver) = channel();
    let shared = Shared {
        marks: Atoms::new(),
        sender: Mutex::new(Some(sender)),
        receiver: Mutex::new(Some(receiver)),
        over: AtomicBool::new(false),
        alone: AtomicBool::new(false),
    };
    let found = Crew { workers: 2, ..*crew }.all(&shared, |graph, number| {
        if number > 0 {
            return red_searches(graph, &shared);
        }
        let found = blue_search(graph, &shared)?;
        match found {
            None if shared.alone.load(SeqCst) => red_searches(graph, &shared),
            found => Ok(found),
        }
    })?;
    let witness = |through| Witness { through, known: shared.marks.marked(), inside: None };
    Ok(found.map(witness))
}

struct Blue<'a, G> {
    graph: &'a mut G,
    shared: &'a Shared,
    seeds: Sender<u32>,
    stack: Vec<Frame>,
    waiting: Vec<u32>,
    edges: Vec<Edge>,
}

fn blue_search<G: Graph>(graph: &mut G, shared: &Shared) -> Found {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let seeds = take(&shared.sender)?;
    let (stack, waiting, edges) = (Vec::new(), Vec::new(), Vec::new());
    let mut blue = Blue { graph, shared, seeds, stack, waiting, edges };
    for edge in initial {
        if shared.marks.get(edge.target) & BLUE == 0
            && let Some(through) = blue.search(edge.target)?
        {
            return Ok(Some(through));
        }
    }
    Ok(None)
}

impl<G: Graph> Blue<'_, G> {
    fn search(&mut self, root: u32) -> Found {
        self.enter(root)?;
        while let Some(&Frame { id, start, all_red }) = self.stack.last() {
            self.shared.check()?;
            if self.waiting.len() == start {
                self.leave(id, all_red)?;
                self.stack.pop();
                self.look_at(id);
                continue;
            }
            let Some(target) = self.waiting.pop() else { break };
            let there = self.shared.marks.get(target);
            if there & BLUE == 0 {
                self.enter(target)?;
                continue;
            }
            if there & CYAN != 0 {
                let accepting = |id: &u32| self.shared.marks.get(*id) & ACCEPTING != 0;
                if let Some(through) = [id, target].into_iter().find(accepting) {
                    return Ok(Some(through));
                }
            }
            self.look_at(target);
        }
        Ok(None)
    }

    fn enter(&mut self, id: u32) -> Result<(), Halted> {
        let accepting = if self.graph.is_accepting(id) { ACCEPTING } else { 0 };
        self.shared.marks.cell(id)?.fetch_or(BLUE | CYAN | accepting, SeqCst);
        self.edges.clear();
        self.graph.expand(id, self.stack.len(), &mut self.edges)?;
        push(&mut self.stack, Frame { id, start: self.waiting.len(), all_red: true })?;
        self.edges.iter().rev().try_for_each(|edge| push(&mut self.waiting, edge.target))
    }

    /// A successor of the state on top of the stack was visited.
    fn look_at(&mut self, successor: u32) {
        if let Some(frame) = self.stack.last_mut() {
            frame.all_red &= self.shared.marks.get(successor) & RED != 0;
        }
    }

    fn leave(&mut self, id: u32, all_red: bool) -> Result<(), Halted> {
        let cell = self.shared.marks.cell(id)?;
        // Where all successors are red already, a red search would end at once.
        if cell.load(SeqCst) & ACCEPTING != 0 && !all_red {
            self.seeds.send(id).map_err(|_| Halted::Asked)?;
        }
        cell.fetch_and(!CYAN, SeqCst);
        Ok(())
    }
}

fn red_searches<G: Graph>(graph: &mut G, shared: &Shared) -> Found {
    const PATIENCE: Duration = Duration::from_millis(10);
    let seeds = take(&shared.receiver)?;
    let (mut waiting, mut edges) = (Vec::new(), Vec::new());
    loop {
        match seeds.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => shared.check()?,
            Ok(seed) => {
                if is_on_cycle(graph, shared, seed, &mut waiting, &mut edges)? {
                    return Ok(Some(seed));
                }
            }
        }
    }
}

/// Does a way lead from the seed back to it, or to a cyan state? That is on the blue search's stack
/// now; it was visited before the seed was left, so it was on the stack already then, below it.
fn is_on_cycle<G: Graph>(
    graph: &mut G,
    shared: &Shared,
    seed: u32,
    waiting: &mut Vec<u32>,
    edges: &mut Vec<Edge>,
) -> Result<bool, Halted> {
    waiting.clear();
    shared.marks.cell(seed)?.fetch_or(RED, SeqCst);
    push(waiting, seed)?;
    while let Some(id) = waiting.pop() {
        shared.check()?;
        edges.clear();
        graph.successors(id, edges)?;
        for &Edge { target, .. } in edges.iter() {
            let cell = shared.marks.cell(target)?;
            let there = cell.load(SeqCst);
            if target == seed || there & CYAN != 0 {
                return Ok(true);
            }
            if there & RED == 0 {
                cell.fetch_or(RED, SeqCst);
                push(waiting, target)?;
            }
        }
    }
    Ok(false)
}
