//! Breadth-first: level by level, so that the first fault found has a shortest trace.
//!
//! A level is a heap of small batches. The last worker that finds it empty makes the next level
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
    workers: usize,
    idle: usize,
    over: bool,
}

const BATCH: usize = 64;

impl<T> Levels<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a state for the next level.
    fn put(&self, batch: &mut Vec<T>, waiting: T) {
        batch.push(waiting);
        if batch.len() == BATCH {
            let next = Vec::with_capacity(BATCH);
            self.lock().next.push(std::mem::replace(batch, next));
        }
    }

    /// A batch of the current level; `None` when there will be none. Where the level is at its
    /// end, `new` goes to the next one.
    fn take(&self, new: &mut Vec<T>) -> Option<Vec<T>> {
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
                return Some(batch);
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn next_level(&self, state: &mut State<T>) {
        let State { current, next, .. } = state;
        std::mem::swap(current, next);
        state.over |= state.current.is_empty();
        if state.over || state.current.len() > 1 {
            self.wake.notify_all();
        }
    }
}

impl<V: Visited> Order<V> for Levels<V::Waiting> {
    fn new(workers: usize) -> Self {
        let (current, next) = (Vec::new(), Vec::new());
        let state = State { current, next, workers, idle: 0, over: false };
        Levels { state: Mutex::new(state), wake: Condvar::new() }
    }

    fn begin<E: Explorer>(&self, worker: &mut Worker<'_, V, E>) {
        let mut batch = Vec::new();
        worker.begin(|waiting| self.put(&mut batch, waiting));
        self.lock().current.push(batch);
    }

    fn work<E: Explorer>(&self, worker: &mut Worker<'_, V, E>) {
        let mut new = Vec::new();
        // What this worker added less what it took, modulo 2^64.
        let mut waiting = 0u64;
        while let Some(batch) = self.take(&mut new) {
            for item in &batch {
                if worker.shared.halt.requested() {
                    return worker.abandon();
                }
                waiting = waiting.wrapping_sub(1);
                worker.expand(item, |item| {
                    waiting = waiting.wrapping_add(1);
                    self.put(&mut new, item);
                });
                worker.tell(waiting);
            }
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
