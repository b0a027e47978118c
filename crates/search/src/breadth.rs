//! Breadth-first: level by level, so that the first fault found has a shortest trace.
//!
//! A level is a heap of batches, the larger the more states the last one had: taking one takes a
//! lock, which all workers share. The last worker that finds it empty makes the next level
//! the current one, and wakes others only if there is more than one batch: narrow levels run
//! through on one worker, without any waiting.

use crate::order::Order;
use crate::visited::Visited;
use crate::worker::Worker;
use auspex_system::Explorer;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) struct Levels<T> {
    state: Mutex<State<T>>,
    wake: Condvar,
}

struct State<T> {
    current: Vec<Vec<T>>,
    next: Vec<Vec<T>>,
    /// How many states make a batch of the next level.
    batch: usize,
    workers: usize,
    idle: usize,
    over: bool,
}

const SMALLEST: usize = 64;
const LARGEST: usize = 1024;
/// Batches that each worker should find in a level: they do not all take as long.
const EACH: usize = 8;

impl<T> Levels<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a state for the next level.
    fn put(&self, batch: &mut Vec<T>, size: usize, waiting: T) {
        batch.push(waiting);
        if batch.len() >= size {
            let next = Vec::with_capacity(size);
            self.lock().next.push(std::mem::replace(batch, next));
        }
    }

    /// A batch of the current level, and how large those of the next one are to be; `None` when
    /// there will be none. Where the level is at its end, `new` goes to the next one.
    fn take(&self, new: &mut Vec<T>) -> Option<(Vec<T>, usize)> {
        let mut state = self.lock();
        if state.current.is_empty() && !new.is_empty() {
            state.next.push(std::mem::take(new));
        }
        state.idle += 1;
        loop {
            if state.current.is_empty() && state.idle == state.workers {
                self.next_level(&mut state);
            }
            if state.over {
                return None;
            }
            if let Some(batch) = state.current.pop() {
                state.idle -= 1;
                return Some((batch, state.batch));
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn next_level(&self, state: &mut State<T>) {
        let State { current, next, .. } = state;
        std::mem::swap(current, next);
        let states: usize = current.iter().map(Vec::len).sum();
        state.batch = (states / (EACH * state.workers.max(1))).clamp(SMALLEST, LARGEST);
        state.over |= state.current.is_empty();
        if state.over || state.current.len() > 1 {
            self.wake.notify_all();
        }
    }
}

impl<V: Visited> Order<V> for Levels<V::Waiting> {
    fn new(workers: usize) -> Self {
        let (current, next) = (Vec::new(), Vec::new());
        let state = State { current, next, batch: SMALLEST, workers, idle: 0, over: false };
        Levels { state: Mutex::new(state), wake: Condvar::new() }
    }

    fn begin<E: Explorer>(&self, worker: &mut Worker<'_, V, E>) {
        let mut batch = Vec::new();
        worker.begin(|waiting| self.put(&mut batch, SMALLEST, waiting));
        self.lock().current.push(batch);
    }

    fn work<E: Explorer>(&self, worker: &mut Worker<'_, V, E>) {
        let mut new = Vec::new();
        // What this worker added less what it took, modulo 2^64.
        let mut waiting = 0u64;
        while let Some((batch, size)) = self.take(&mut new) {
            for item in &batch {
                if worker.shared.halt.requested() {
                    return worker.abandon();
                }
                waiting = waiting.wrapping_sub(1);
                worker.expand(item, |item| {
                    waiting = waiting.wrapping_add(1);
                    self.put(&mut new, size, item);
                });
                worker.tell(waiting);
            }
            worker.settle(|item| {
                waiting = waiting.wrapping_add(1);
                self.put(&mut new, size, item);
            });
        }
    }

    fn retire(&self) {
        self.lock().workers -= 1;
        self.wake.notify_all();
    }

    fn close(&self) {
        self.lock().over = true;
        self.wake.notify_all();
    }
}
