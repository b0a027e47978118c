//! Depth-first: every worker has a stack of its own and gives the oldest part of it to a
//! worker that has none.
//!
//! Nothing but a flag is shared while all are busy. All that decides about the end is under one
//! lock: a worker is idle only with an empty stack, and the search is over when all are idle and
//! no gift lies there.

use crate::stack::Stack;
use crate::visited::Visited;
use crate::worker::Worker;
use crate::{Stop, order::Order};
use auspex_system::Explorer;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) struct Stacks<T> {
    state: Mutex<State<T>>,
    wake: Condvar,
    /// Some worker waits for a gift. Only a hint, to be read without the lock.
    hungry: AtomicBool,
}

struct State<T> {
    gifts: Vec<Stack<T>>,
    workers: usize,
    idle: usize,
    over: bool,
}

impl<T> State<T> {
    fn hungry(&self) -> bool {
        self.idle > self.gifts.len()
    }
}

/// Expansions between two gifts: waking a worker costs as much as several of them.
const GIFT_EVERY: u32 = 64;

/// A worker puts states off that are deeper in its stack than this, and than a part of what it has
/// found: they may be as many as all others.
const MOST_HELD: u64 = 1 << 13;

impl<T> Stacks<T> {
    pub fn new(workers: usize) -> Self {
        let state = State { gifts: Vec::new(), workers, idle: 0, over: false };
        Stacks { state: Mutex::new(state), wake: Condvar::new(), hungry: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something to do, for whoever has nothing.
    pub fn give(&self, gift: Stack<T>) {
        let mut state = self.lock();
        state.gifts.push(gift);
        self.hungry.store(state.hungry(), Relaxed);
        self.wake.notify_one();
    }

    /// Waits for a gift; `None` when there will be none. The caller's stack is empty.
    fn take(&self) -> Option<Stack<T>> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if let Some(gift) = state.gifts.pop().filter(|_| !state.over) {
                state.idle -= 1;
                self.hungry.store(state.hungry(), Relaxed);
                return Some(gift);
            }
            if state.over || state.idle == state.workers {
                state.over = true;
                self.wake.notify_all();
                return None;
            }
            self.hungry.store(state.hungry(), Relaxed);
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Visits all that waits, here and at other workers, until nothing is left or a visit breaks
    /// off. A visit puts what is to be done next onto the stack.
    pub fn work_off<B>(
        &self,
        mut visit: impl FnMut(T, &mut Stack<T>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.work_off_all(|waiting, stack| match waiting {
            Some(waiting) => visit(waiting, stack),
            None => ControlFlow::Continue(()),
        })
    }

    /// The same, where a worker has more than what is on its stack: it is asked for that with `None` when the stack is
    /// empty.
    fn work_off_all<B>(
        &self,
        mut visit: impl FnMut(Option<T>, &mut Stack<T>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        while let Some(mut stack) = self.take() {
            let mut since_gift = 0;
            loop {
                let waiting = stack.pop();
                let is_empty = waiting.is_none();
                visit(waiting, &mut stack)?;
                if is_empty && stack.len() == 0 {
                    break;
                }
                since_gift += 1;
                if since_gift >= GIFT_EVERY && stack.len() > 1 && self.hungry.load(Relaxed) {
                    since_gift = 0;
                    self.give(stack.split());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// One worker less: it could not be started.
    pub fn retire(&self) {
        self.lock().workers -= 1;
        self.wake.notify_all();
    }

    /// Sends home all workers that have nothing to do.
    pub fn close(&self) {
        self.lock().over = true;
        self.wake.notify_all();
    }
}

impl<V: Visited> Order<V> for Stacks<V::Waiting> {
    fn new(workers: usize) -> Self {
        Stacks::new(workers)
    }

    fn begin<E: Explorer>(&self, worker: &mut Worker<'_, V, E>) {
        let mut gift = Stack::default();
        worker.begin(|waiting| gift.push(waiting));
        self.give(gift);
    }

    fn work<E: Explorer>(&self, worker: &mut Worker<'_, V, E>) {
        let visited = worker.shared.visited;
        // Whoever puts states off does not know their depths any more.
        let may_put_off = V::CAN_PUT_OFF && worker.shared.options.limits.depth.is_none();
        // Less what was taken back, modulo 2^64.
        let mut put_off = 0u64;
        let left = self.work_off_all(|waiting, stack: &mut Stack<V::Waiting>| {
            let Some(waiting) = waiting else {
                worker.settle(|new| stack.push(new));
                if stack.len() == 0 {
                    visited.recall(|waiting| stack.push(waiting));
                    put_off = put_off.wrapping_sub(stack.len() as u64);
                }
                return ControlFlow::Continue(());
            };
            if worker.shared.halt.requested() {
                return ControlFlow::Break(());
            }
            worker.expand(&waiting, |new| stack.push(new));
            worker.tell(put_off.wrapping_add(stack.len() as u64));
            if may_put_off
                && stack.len() as u64 > MOST_HELD.max(worker.found() / 16)
                && let Some(oldest) = stack.oldest()
            {
                put_off = put_off.wrapping_add(oldest.len() as u64);
                visited.put_off(&oldest);
            }
            if !stack.reserve() {
                worker.shared.halt.stop(Stop::Memory);
            }
            ControlFlow::Continue(())
        });
        if left.is_break() {
            worker.abandon();
        }
    }

    fn retire(&self) {
        Stacks::retire(self);
    }

    fn close(&self) {
        Stacks::close(self);
    }
}
