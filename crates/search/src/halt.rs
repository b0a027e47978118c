//! Stopping all workers, and why.

use crate::explore::OnDrop;
use crate::{Control, Limits, Stop, machine};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

/// Set once, read by all workers before every state.
#[derive(Debug, Default)]
pub(crate) struct Halt {
    code: AtomicU8,
    /// The same as a flag, for explorers that take long over one state.
    pub flag: Arc<AtomicBool>,
}

const RUNNING: u8 = 0;
const FOUND: u8 = 1;
const AGAIN: u8 = u8::MAX;
const REASONS: [Stop; 4] = [Stop::Time, Stop::Memory, Stop::States, Stop::Interrupted];

impl Halt {
    #[inline]
    pub fn requested(&self) -> bool {
        self.code.load(Relaxed) != RUNNING
    }

    /// The first fault is all that was asked for.
    pub fn found(&self) {
        self.set(FOUND);
    }

    /// The search is to begin again.
    pub fn begin_again(&self) {
        self.set(AGAIN);
    }

    pub fn wants_to_begin_again(&self) -> bool {
        self.code.load(Relaxed) == AGAIN
    }

    pub fn stop(&self, reason: Stop) {
        let code = REASONS.iter().position(|known| *known == reason).unwrap_or(0);
        self.set(code as u8 + FOUND + 1);
    }

    /// The first reason stays.
    fn set(&self, code: u8) {
        let _ = self.code.compare_exchange(RUNNING, code, Relaxed, Relaxed);
        self.flag.store(true, Relaxed);
    }

    pub fn reason(&self) -> Option<Stop> {
        let code = self.code.load(Relaxed).checked_sub(FOUND + 1)?;
        REASONS.get(code as usize).copied()
    }
}

/// The limits of one search, as absolute numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub deadline: Option<Instant>,
    /// Resident memory.
    pub memory: u64,
    /// Address space.
    pub address_space: Option<u64>,
}

impl Bounds {
    pub fn new(limits: &Limits, start: Instant) -> Self {
        let resident = machine::usage().resident;
        let available = machine::available();
        let all_but_a_tenth = resident.saturating_add(available / 10 * 9);
        Bounds {
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            memory: limits.memory.unwrap_or(all_but_a_tenth),
            address_space: machine::address_space(),
        }
    }

    /// Does something that `halt` ends, and has it ended when a limit is met.
    pub fn watch<T>(self, control: &Control, halt: &Halt, work: impl FnOnce() -> T) -> T {
        let over = Signal::default();
        thread::scope(|scope| {
            let _end = OnDrop(|| over.give());
            let monitor = Monitor { bounds: self, control, halt };
            let over = &over;
            let watch = move || monitor.run(over);
            // Without a thread for the monitor no limit would hold.
            if Builder::new().name("monitor".into()).spawn_scoped(scope, watch).is_err() {
                halt.stop(Stop::Memory);
            }
            work()
        })
    }

    /// Address space that a thread takes before it does anything: its stack, and the region that
    /// the C library reserves for its allocations.
    const THREAD: u64 = 68 << 20;

    /// What is left for a store, beside so many threads.
    pub fn store(&self, states: Option<u64>, threads: usize) -> auspex_store::Bounds {
        let usage = machine::usage();
        let memory = self.memory.saturating_sub(usage.resident);
        let threads = Self::THREAD * threads as u64;
        // The rest is for everything that grows on the heap: states that wait, above all. Threads
        // get along with less where there is little.
        let space = |limit: u64| {
            let free = limit.saturating_sub(usage.virtual_bytes);
            (free.saturating_sub(threads) / 10 * 7).max(free / 4)
        };
        let address_space = self.address_space.map_or(u64::MAX, space);
        auspex_store::Bounds { memory, address_space, states }
    }
}

/// Watches the limits while the workers search.
struct Monitor<'a> {
    bounds: Bounds,
    control: &'a Control,
    halt: &'a Halt,
}

impl Monitor<'_> {
    const PERIOD: Duration = Duration::from_millis(20);
    /// Address space to be left for what cannot be refused.
    const RESERVE: u64 = 16 << 20;

    /// Until the search is over.
    fn run(&self, over: &Signal) {
        loop {
            self.check();
            let left = self.bounds.deadline.map(|at| at.saturating_duration_since(Instant::now()));
            let period = left.filter(|left| !left.is_zero()).unwrap_or(Self::PERIOD);
            if over.wait(period.min(Self::PERIOD)) {
                return;
            }
        }
    }

    fn check(&self) {
        let usage = machine::usage();
        self.control.memory.store(usage.resident, Relaxed);
        let reserve = |space: u64| space - Self::RESERVE.min(space / 16);
        if self.control.interrupt.load(Relaxed) {
            self.halt.stop(Stop::Interrupted);
        } else if self.bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.halt.stop(Stop::Time);
        } else if usage.resident > self.bounds.memory
            || self.bounds.address_space.is_some_and(|space| usage.virtual_bytes > reserve(space))
        {
            self.halt.stop(Stop::Memory);
        }
    }
}

/// Something that happens once and can be waited for.
#[derive(Debug, Default)]
struct Signal {
    given: Mutex<bool>,
    wake: Condvar,
}

impl Signal {
    fn give(&self) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wake.notify_all();
    }

    /// Whether it was given within that time.
    fn wait(&self, time: Duration) -> bool {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.wake.wait_timeout_while(given, time, |given| !*given);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
