//! Bytes a state and nanoseconds an insertion, for states like those of a model: globals,
//! ten processes of 4 to 8 bytes, four channels; a step changes one or two parts.
//!
//!     cargo run --release -p auspex-store --example store_speed -- [states] [threads]

use auspex_store::{Bounds, Candidate, Exact, Inserted, Scratch, Unpacked};
use auspex_system::StateRef;
use std::time::Instant;

const LENGTHS: [u32; 15] = [8, 4, 8, 6, 5, 8, 4, 7, 8, 6, 4, 8, 8, 4, 12];
/// Values that each part runs through.
const VALUES: u64 = 5;

fn cuts() -> Vec<u32> {
    let ends = LENGTHS.iter().scan(0, |at, len| {
        *at += len;
        Some(*at)
    });
    let mut cuts: Vec<u32> = ends.collect();
    cuts.pop();
    cuts
}

/// The bytes of a part for each of its values.
const SPREAD: [[u8; 12]; VALUES as usize] = [
    [0; 12],
    [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0],
    [2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0],
    [3; 12],
    [4; 12],
];

/// State `n` in a mixed radix system: part `i` holds the digit `i`, spread over its bytes.
fn write(n: u64, bytes: &mut Vec<u8>) {
    bytes.clear();
    let mut rest = n;
    let digits: [u64; LENGTHS.len()] = std::array::from_fn(|_| {
        let digit = rest % VALUES;
        rest /= VALUES;
        digit
    });
    for (i, len) in LENGTHS.iter().enumerate() {
        // Neighbouring digits in parts far from each other.
        let digit = digits[i * 4 % LENGTHS.len()];
        bytes.extend_from_slice(&SPREAD[digit as usize][..*len as usize]);
    }
}

/// A neighbour: one or two digits change.
fn neighbour(n: u64, i: u64, total: u64) -> u64 {
    let power = |i: u64| VALUES.pow((i % 10) as u32);
    let one = n + power(i);
    let two = if i.is_multiple_of(2) { one } else { one + power(i + 3) };
    two % total
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().unwrap_or(0));
    let states = args.next().filter(|n| *n > 0).unwrap_or(10_000_000);
    let threads = args.next().filter(|n| *n > 0).unwrap_or(1);
    dry(states);
    let store = Exact::new(Bounds::NONE);
    run("new", &store, states, threads, |near, _| near);
    run("matched", &store, states, threads, |near, i| neighbour(near, i, 9_000_000));
    println!(
        "{} states, {} inner nodes, {:.2} bytes a state",
        store.len(),
        store.inner_nodes(),
        store.memory() as f64 / store.len() as f64
    );
}

/// Each thread goes through its share of the numbers, group by group, in an order that jumps
/// about. It inserts the first of a group, reads it back, and inserts the others from there.
fn run(
    name: &str,
    store: &Exact,
    states: u64,
    threads: u64,
    next: impl Fn(u64, u64) -> u64 + Sync,
) {
    let start = Instant::now();
    let (new, cpu) = std::thread::scope(|scope| {
        let next = &next;
        let jobs: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || one(store, thread, states, threads, next)))
            .collect();
        let results = jobs.into_iter().map(|job| job.join().unwrap_or((0, 0)));
        results.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    });
    let each = |nanos: u128| nanos / states as u128;
    let (wall, cpu) = (each(start.elapsed().as_nanos()), each(cpu as u128));
    println!("{name}: {cpu} ns of processor time an insertion, {wall} ns by the clock, {new} new");
}

/// What making the states costs, which is in the numbers of `run` too.
fn dry(states: u64) {
    let (mut bytes, mut sum, before) = (Vec::new(), 0, cpu_time());
    for n in 0..states {
        write(n, &mut bytes);
        sum += bytes.iter().map(|byte| *byte as u64).sum::<u64>() & 1;
    }
    println!("(making a state: {} ns; {sum})", (cpu_time() - before) / states);
}

const GROUP: u64 = 8;

fn one(
    store: &Exact,
    thread: u64,
    states: u64,
    threads: u64,
    next: impl Fn(u64, u64) -> u64,
) -> (u64, u64) {
    let (cuts, mut bytes, mut new) = (cuts(), Vec::new(), 0);
    let (mut near, mut scratch) = (Unpacked::default(), Scratch::default());
    let mut packed = Vec::new();
    let mut commit = |packed| match store.commit(packed) {
        Inserted::New(id) => {
            new += 1;
            id
        }
        Inserted::Old(id) => id,
        Inserted::Full(full) => panic!("{full:?}"),
    };
    let before = cpu_time();
    for group in (thread..states / GROUP).step_by(threads as usize) {
        // A multiplier without common factors with the size visits every group once.
        let group = group * 7_368_787 % (states / GROUP);
        write(group * GROUP, &mut bytes);
        let first = StateRef { bytes: &bytes, cuts: &cuts };
        store
            .pack(
                [Candidate::State(first, None)].into_iter(),
                Some(&near),
                &mut scratch,
                &mut packed,
            )
            .expect("room");
        packed.drain(..).for_each(|first| store.read(commit(first), &mut near));
        for i in 1..GROUP {
            write(next(group * GROUP + i, i), &mut bytes);
            let state = StateRef { bytes: &bytes, cuts: &cuts };
            store
                .pack(
                    [Candidate::State(state, None)].into_iter(),
                    Some(&near),
                    &mut scratch,
                    &mut packed,
                )
                .expect("room");
        }
        packed.iter().for_each(|packed| store.prefetch(*packed));
        for packed in packed.drain(..) {
            commit(packed);
        }
    }
    (new, cpu_time() - before)
}

/// Nanoseconds that this thread has run: other programs on the machine do not count.
fn cpu_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0)
}
