//! Every way to stop.

mod common;

use auspex_search::*;
use auspex_system::*;
use common::*;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// A counter of `digits` bytes that starts at zero and lets each digit count up to `top`.
struct Counters {
    digits: usize,
    top: u8,
}

struct Counting<'a>(&'a Counters);

impl System for Counters {
    type Explorer<'s> = Counting<'s>;
    fn explorer(&self) -> Counting<'_> {
        Counting(self)
    }
    fn unreached(&self, _: &[bool]) -> Vec<Place> {
        vec![]
    }
    fn automata(&self) -> Vec<Graph> {
        vec![]
    }
}

impl Explorer for Counting<'_> {
    fn initial(&mut self, out: &mut Successors) {
        let cuts: Vec<u32> = (1..self.0.digits as u32).collect();
        out.push(StateRef { bytes: &vec![0; self.0.digits], cuts: &cuts });
    }
    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        let mut bytes = [0; 64];
        let bytes = &mut bytes[..state.bytes.len()];
        bytes.copy_from_slice(state.bytes);
        for i in 0..bytes.len() {
            if bytes[i] < self.0.top {
                bytes[i] += 1;
                out.push(StateRef { bytes, cuts: state.cuts });
                bytes[i] -= 1;
            }
        }
    }
    fn describe(&mut self, _: StateRef<'_>, _: Step) -> Vec<StepInfo> {
        vec![]
    }
    fn show(&mut self, _: StateRef<'_>) -> StateView {
        StateView::default()
    }
    fn covered(&self) -> &[bool] {
        &[]
    }
}

const ENDLESS: Counters = Counters { digits: 32, top: 255 };
const STORES: [StoreKind; 3] =
    [StoreKind::Exact, StoreKind::Compact, StoreKind::Bitstate { bytes: 1 << 20 }];

fn each(limits: Limits, check: impl Fn(&Options, Outcome)) {
    for store in STORES {
        for order in [Order::Depth, Order::Breadth] {
            for workers in [1, 3] {
                let options = Options { limits, ..options(workers, order, store) };
                let outcome = explore(&ENDLESS, &options, &control());
                check(&options, outcome);
            }
        }
    }
}

#[test]
fn time() {
    // Long enough for some states also where much else is going on.
    let time = Duration::from_millis(300);
    let limits = Limits { time: Some(time), ..Limits::default() };
    each(limits, |options, outcome| {
        assert_eq!(outcome.stopped, Some(Stop::Time), "{options:?}");
        assert!(outcome.stats.elapsed >= time);
        assert!(outcome.stats.states > 100, "{options:?} {outcome:?}");
    });
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    each(limits, |options, outcome| {
        assert_eq!(outcome.stopped, Some(Stop::Time), "{options:?}");
    });
}

#[test]
fn states() {
    for states in [0, 1, 2, 777, 10_000] {
        let limits = Limits { states: Some(states), ..Limits::default() };
        each(limits, |options, outcome| {
            assert_eq!(outcome.stopped, Some(Stop::States), "{options:?}");
            // Two workers may find the same bits free.
            let fuzzy = matches!(options.store, StoreKind::Bitstate { .. });
            let count = outcome.stats.states;
            assert!(count == states || (fuzzy && count <= states), "{count} of {states}");
        });
    }
}

/// The state after the last is never asked for: the search is complete.
#[test]
fn as_many_states_as_there_are_is_complete() {
    let system = Counters { digits: 4, top: 6 };
    for workers in [1, 4] {
        let limits = Limits { states: Some(7u64.pow(4)), ..Limits::default() };
        let options = Options { limits, ..exact(workers, Order::Depth) };
        let outcome = explore(&system, &options, &control());
        assert_eq!((outcome.stopped, outcome.stats.states), (None, 7u64.pow(4)));
        assert_eq!(outcome.stats.transitions, 4 * 6 * 7u64.pow(3));
    }
}

/// So many states wait at a time that most of them are put off.
#[test]
fn states_that_are_put_off_are_not_forgotten() {
    let system = Counters { digits: 6, top: 9 };
    for (workers, link_bits) in [(1, None), (2, Some(32)), (5, None)] {
        let options = Options { link_bits, ..exact(workers, Order::Depth) };
        let outcome = explore(&system, &options, &control());
        assert_eq!((outcome.stopped, outcome.stats.states), (None, 10u64.pow(6)));
        assert_eq!(outcome.stats.transitions, 6 * 9 * 10u64.pow(5));
        assert!(outcome.stats.depth <= 54, "no way is longer");
    }
}

#[test]
fn depth() {
    let system = Counters { digits: 3, top: 9 };
    for order in [Order::Depth, Order::Breadth] {
        for workers in [1, 3] {
            for limit in [0, 1, 5, 26] {
                let limits = Limits { depth: Some(limit), ..Limits::default() };
                let options = Options { limits, ..exact(workers, order) };
                let outcome = explore(&system, &options, &control());
                assert_eq!(outcome.stopped, Some(Stop::Depth));
                assert_eq!(outcome.stats.depth, limit);
            }
            let limits = Limits { depth: Some(28), ..Limits::default() };
            let options = Options { limits, ..exact(workers, order) };
            let outcome = explore(&system, &options, &control());
            assert_eq!((outcome.stopped, outcome.stats.states), (None, 1000));
            assert_eq!(outcome.stats.depth, 27);
        }
    }
}

#[test]
fn memory() {
    each(Limits { memory: Some(0), ..Limits::default() }, |options, outcome| {
        assert_eq!(outcome.stopped, Some(Stop::Memory), "{options:?}");
    });
    // Other tests run in the same process, so what is used now is only roughly known.
    let limits = Limits { memory: Some(100 << 20), ..Limits::default() };
    for order in [Order::Depth, Order::Breadth] {
        let options = Options { limits, ..exact(2, order) };
        let outcome = explore(&ENDLESS, &options, &control());
        assert_eq!(outcome.stopped, Some(Stop::Memory));
        assert!(outcome.stats.memory > 0);
    }
}

#[test]
fn interrupt() {
    let seen = control();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let start = Instant::now();
            while seen.states.load(Relaxed) < 10_000 && start.elapsed().as_secs() < 20 {
                std::thread::sleep(Duration::from_millis(1));
            }
            assert!(seen.transitions.load(Relaxed) > 10_000);
            seen.interrupt.store(true, Relaxed);
        });
        let start = Instant::now();
        let outcome = explore(&ENDLESS, &exact(2, Order::Depth), &seen);
        assert_eq!(outcome.stopped, Some(Stop::Interrupted));
        assert!(start.elapsed() < Duration::from_secs(20));
    });
    let outcome = explore(&ENDLESS, &exact(1, Order::Breadth), &seen);
    assert_eq!(outcome.stopped, Some(Stop::Interrupted));
}

/// A fault found before a limit stays, and the limit is told.
#[test]
fn a_limit_while_faults_are_open() {
    let mut system = Random { nodes: 4_000_000_000, ..Random::new(3) };
    (system.degree, system.fault_every) = (8, 40);
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    for workers in [1, 3] {
        let options = Options { limits, all: true, ..exact(workers, Order::Depth) };
        let outcome = explore(&system, &options, &control());
        assert_eq!(outcome.stopped, Some(Stop::States));
        assert_eq!(outcome.faults.len(), 5);
        for found in &outcome.faults {
            let replayed = replay(&system, &found.trace).expect("a trace of the system");
            assert_eq!(replayed.fault.as_ref(), Some(&found.fault));
        }
    }
}

/// An explorer that panics takes the search down; it does not leave it hanging.
#[test]
fn a_panic_in_a_worker_ends_the_search() {
    struct Bad;
    struct Panics;
    impl System for Bad {
        type Explorer<'s> = Panics;
        fn explorer(&self) -> Panics {
            Panics
        }
        fn unreached(&self, _: &[bool]) -> Vec<Place> {
            vec![]
        }
        fn automata(&self) -> Vec<Graph> {
            vec![]
        }
    }
    impl Explorer for Panics {
        fn initial(&mut self, out: &mut Successors) {
            Counting(&ENDLESS).initial(out);
        }
        fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
            assert!(state.bytes[0] < 40, "too deep");
            Counting(&ENDLESS).successors(state, out);
        }
        fn describe(&mut self, _: StateRef<'_>, _: Step) -> Vec<StepInfo> {
            vec![]
        }
        fn show(&mut self, _: StateRef<'_>) -> StateView {
            StateView::default()
        }
        fn covered(&self) -> &[bool] {
            &[]
        }
    }
    for order in [Order::Depth, Order::Breadth] {
        for workers in [1, 3] {
            let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
            let options = Options { limits, ..exact(workers, order) };
            let run = std::panic::AssertUnwindSafe(|| explore(&Bad, &options, &control()));
            // Breadth-first never gets that deep: it runs into the limit.
            let _ = std::panic::catch_unwind(run);
        }
    }
}

/// Paths are dropped and followed without recursion.
#[test]
fn a_long_path_does_not_overflow_the_stack() {
    struct Line;
    struct Along;
    impl System for Line {
        type Explorer<'s> = Along;
        fn explorer(&self) -> Along {
            Along
        }
        fn unreached(&self, _: &[bool]) -> Vec<Place> {
            vec![]
        }
        fn automata(&self) -> Vec<Graph> {
            vec![]
        }
    }
    const END: u32 = 1_000_000;
    impl Explorer for Along {
        fn initial(&mut self, out: &mut Successors) {
            out.push(StateRef { bytes: &0u32.to_le_bytes(), cuts: &[] });
        }
        fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
            let at = state.bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
            match at {
                END => out.push_fault(fault(0)),
                _ => out.push(StateRef { bytes: &(at + 1).to_le_bytes(), cuts: &[] }),
            }
        }
        fn describe(&mut self, _: StateRef<'_>, _: Step) -> Vec<StepInfo> {
            vec![]
        }
        fn show(&mut self, _: StateRef<'_>) -> StateView {
            StateView::default()
        }
        fn covered(&self) -> &[bool] {
            &[]
        }
    }
    for store in [StoreKind::Exact, StoreKind::Compact] {
        for order in [Order::Depth, Order::Breadth] {
            let outcome = explore(&Line, &options(2, order, store), &control());
            assert_eq!(outcome.faults.len(), 1, "{:?}", outcome.stopped);
            assert_eq!(outcome.faults[0].trace.steps.len(), END as usize + 1);
            assert_eq!(outcome.stats.depth, END as u64);
        }
    }
}
