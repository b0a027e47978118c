//! The threads of one search for cycles, each with its own view of the graph.

use super::graph::{Edge, Graph, Halted, reserve};
use crate::depth::Stacks;
use crate::explore::OnDrop;
use crate::stack::Stack;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::{self, Builder};

/// An accepting state on a cycle, if one was found.
pub(crate) type Found = Result<Option<u32>, Halted>;

pub(crate) struct Crew<'a, G> {
    pub workers: usize,
    /// Makes a worker's graph, in its own thread.
    pub hire: &'a (dyn Fn() -> G + Sync),
    /// Takes it back.
    pub dismiss: &'a (dyn Fn(G) + Sync),
}

/// What the workers have in common while they do a job.
pub(crate) trait Common: Sync {
    /// One worker less: it could not be started.
    fn missing(&self) {}

    /// Someone has found a cycle, or left in any other way before everything was done: nobody may
    /// wait for it.
    fn give_up(&self);
}

impl<G: Graph> Crew<'_, G> {
    /// Uses the graph in this thread.
    pub fn alone<T>(&self, job: impl FnOnce(&mut G) -> T) -> T {
        let mut graph = (self.hire)();
        let result = job(&mut graph);
        (self.dismiss)(graph);
        result
    }

    /// All workers do a job, which is told the worker's number.
    pub fn all(&self, common: &impl Common, job: impl Fn(&mut G, usize) -> Found + Sync) -> Found {
        let one = |number: usize| {
            let complete = Cell::new(false);
            let _leave = OnDrop(|| {
                if !complete.get() {
                    common.give_up();
                }
            });
            let found = self.alone(|graph| job(graph, number));
            complete.set(found == Ok(None));
            found
        };
        let results: Vec<Found> = thread::scope(|scope| {
            let one = &one;
            let others: Vec<_> = (1..self.workers)
                .filter_map(|number| {
                    let name = format!("worker {number}");
                    let spawned =
                        Builder::new().name(name).spawn_scoped(scope, move || one(number));
                    spawned.inspect_err(|_| common.missing()).ok()
                })
                .collect();
            let first = one(0);
            let others = others.into_iter().map(|other| match other.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(first).chain(others).collect()
        });
        // One that has found a cycle, or has run out of memory, stops the others, which then were
        // asked to.
        let found = results.iter().find(|result| matches!(result, Ok(Some(_))));
        let memory = || results.iter().find(|result| **result == Err(Halted::Memory));
        let halted = || results.iter().find(|result| result.is_err());
        found.or_else(memory).or_else(halted).copied().unwrap_or(Ok(None))
    }

    /// All workers together visit the things to do, and what these add to them, in no particular
    /// order, until nothing is left or something is found.
    pub fn work_off<T: Send>(
        &self,
        todo: impl IntoIterator<Item = T>,
        visit: impl Fn(&mut Hand<'_, G>, T, &mut Stack<T>) -> Found + Sync,
    ) -> Found {
        let work = Work { stacks: Stacks::new(self.workers.max(1)), over: AtomicBool::new(false) };
        work.stacks.give(todo.into_iter().collect());
        self.all(&work, |graph, _| {
            let mut hand = Hand { graph, edges: Vec::new() };
            let ended = work.stacks.work_off(|item, stack| {
                let found = match work.over.load(SeqCst) {
                    true => Err(Halted::Asked),
                    false => visit(&mut hand, item, stack),
                };
                match found {
                    Ok(None) => ControlFlow::Continue(()),
                    end => ControlFlow::Break(end),
                }
            });
            match ended {
                ControlFlow::Break(end) => end,
                // Another one may have left with its part undone.
                ControlFlow::Continue(()) if work.over.load(SeqCst) => Err(Halted::Asked),
                ControlFlow::Continue(()) => Ok(None),
            }
        })
    }
}

/// Puts something more to do onto a stack.
#[inline]
pub(crate) fn add<T>(stack: &mut Stack<T>, item: T) -> Result<(), Halted> {
    if !stack.reserve() {
        return Err(Halted::Memory);
    }
    stack.push(item);
    Ok(())
}

/// A worker at work.
pub(crate) struct Hand<'a, G> {
    pub graph: &'a mut G,
    pub edges: Vec<Edge>,
}

struct Work<T> {
    stacks: Stacks<T>,
    over: AtomicBool,
}

impl<T: Send> Common for Work<T> {
    fn missing(&self) {
        self.stacks.retire();
    }

    fn give_up(&self) {
        self.over.store(true, SeqCst);
        self.stacks.close();
    }
}

/// A part of a graph: only what is `inside`, from the `roots` on.
pub(crate) struct Part<'a, G, F> {
    pub graph: &'a mut G,
    pub roots: Vec<u32>,
    pub inside: F,
}

impl<G: Graph, F: Fn(u32) -> bool> Graph for Part<'_, G, F> {
    fn initial(&mut self, out: &mut Vec<Edge>) -> Result<(), Halted> {
        reserve(out, self.roots.len())?;
        let root = |target: &u32| Edge { target: *target, step: auspex_system::Step(0), movers: 0 };
        out.extend(self.roots.iter().map(root));
        Ok(())
    }

    fn successors(&mut self, id: u32, out: &mut Vec<Edge>) -> Result<u64, Halted> {
        let first = out.len();
        let enabled = self.graph.successors(id, out)?;
        let mut kept = first;
        for at in first..out.len() {
            if (self.inside)(out[at].target) {
                out[kept] = out[at];
                kept += 1;
            }
        }
        out.truncate(kept);
        Ok(enabled)
    }

    fn is_accepting(&mut self, id: u32) -> bool {
        self.graph.is_accepting(id)
    }

    fn check(&self) -> Result<(), Halted> {
        self.graph.check()
    }
}
