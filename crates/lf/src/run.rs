//! The kernel with a scheduler: a program runs for real.

use crate::code::{Object, Op};
use crate::kernel::{Acted, Answer, Id, Kernel, Status, Ways, World};
use crate::types::Scalar;
use crate::view;
use auspex_system::Fault;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What a running program is connected with.
pub trait Host {
    fn write(&mut self, text: &[u8]);
    /// The next byte of the input, if it is there.
    fn read(&mut self) -> Input;
    /// Milliseconds since the program began.
    fn now(&mut self) -> u64;
    /// Nothing can be done before this time, or before there is input.
    fn sleep_until(&mut self, time: Option<u64>);
    fn is_interrupted(&mut self) -> bool;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    Byte(u8),
    NotYet,
    End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Everybody in turn.
    #[default]
    RoundRobin,
    /// Whoever must be ready first; those without a deadline last.
    EarliestDeadline,
    /// Anybody, and with any partner.
    Random,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub policy: Policy,
    pub seed: u64,
    /// How often `SYSTEM.Interrupt0` comes, in milliseconds.
    pub tick: u64,
    /// Stop after so many actions.
    pub actions: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options { policy: Policy::RoundRobin, seed: 1, tick: 10, actions: None }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No process is left.
    Over,
    Fault(Fault),
    /// So many actions were carried out.
    Stopped,
    Interrupted,
}

pub struct Summary {
    pub ended: Ended,
    pub actions: u64,
    pub missed_deadlines: u64,
}

/// The interrupts that the host raises.
const TIMER: u32 = 0;
const INPUT: u32 = 1;
/// A serial line: its data, and its state.
const SERIAL_DATA: i64 = 0x3F8;
const SERIAL_STATE: i64 = 0x3FD;
/// In the state: a byte can be sent, a byte is there.
const CAN_SEND: i64 = 0x20;
const HAS_DATA: i64 = 0x01;

/// After so many actions it is looked whether guards have come true, and interrupts are served.
const ROUND: u64 = 64;

pub fn run<H: Host>(object: &Object, host: &mut H, options: &Options) -> Summary {
    let mut kernel = Kernel::new(object, false);
    kernel.patience = 1024;
    kernel.begin(None);
    let console = Console { host, waiting: VecDeque::new(), ended: false };
    let mut runner = Runner {
        ready: Ready::new(options.policy),
        random: Random(options.seed),
        console,
        options,
        timers: BinaryHeap::new(),
        due: Vec::new(),
        next_tick: options.tick.max(1),
        missed: 0,
        has_guards: object
            .code
            .iter()
            .any(|op| matches!(op, Op::Clause(clause) if clause.guard != crate::code::NONE)),
    };
    let (ended, actions) = runner.all(&mut kernel);
    Summary { ended, actions, missed_deadlines: runner.missed }
}

/// A small generator of numbers (SplitMix64): runs with the same seed are the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % bound.max(1) as u64) as usize
    }
}

/// Those that can go on.
enum Ready {
    Turns(VecDeque<Id>),
    /// Deadline, order of arrival, who.
    Deadlines(BinaryHeap<Reverse<(u64, u64, Id)>>, u64),
    Any(Vec<Id>),
}

impl Ready {
    fn new(policy: Policy) -> Self {
        match policy {
            Policy::RoundRobin => Ready::Turns(VecDeque::new()),
            Policy::EarliestDeadline => Ready::Deadlines(BinaryHeap::new(), 0),
            Policy::Random => Ready::Any(Vec::new()),
        }
    }

    fn add(&mut self, id: Id, deadline: u64) {
        match self {
            Ready::Turns(queue) => queue.push_back(id),
            Ready::Deadlines(heap, count) => {
                *count += 1;
                heap.push(Reverse((deadline, *count, id)));
            }
            Ready::Any(all) => all.push(id),
        }
    }

    fn take(&mut self, random: &mut Random) -> Option<Id> {
        match self {
            Ready::Turns(queue) => queue.pop_front(),
            Ready::Deadlines(heap, _) => heap.pop().map(|Reverse((_, _, id))| id),
            Ready::Any(all) if all.is_empty() => None,
            Ready::Any(all) => {
                let index = random.below(all.len());
                Some(all.swap_remove(index))
            }
        }
    }
}

struct Runner<'a, H> {
    ready: Ready,
    random: Random,
    console: Console<'a, H>,
    options: &'a Options,
    /// Periodic processes, and when they begin anew.
    timers: BinaryHeap<Reverse<(u64, Id)>>,
    /// When each process must be done; and its last release.
    due: Vec<(u64, u64)>,
    next_tick: u64,
    missed: u64,
    has_guards: bool,
}

impl<H: Host> Runner<'_, H> {
    fn all(&mut self, kernel: &mut Kernel<'_>) -> (Ended, u64) {
        let mut actions = 0;
        self.admit(kernel, None);
        loop {
            if self.options.actions.is_some_and(|most| actions >= most) {
                return (Ended::Stopped, actions);
            }
            if actions % ROUND == 0 {
                self.serve(kernel);
                if self.console.host.is_interrupted() {
                    return (Ended::Interrupted, actions);
                }
            }
            let Some(id) = self.ready.take(&mut self.random) else {
                match self.idle(kernel) {
                    Some(ended) => return (ended, actions),
                    None => continue,
                }
            };
            match self.act(kernel, id) {
                Ok(Acted::Interrupted) => return (Ended::Interrupted, actions),
                Ok(Acted::Waits) => {
                    // It asks again when the others have had their turn.
                    if self.console.is_alone(kernel) {
                        let until = self.timers.peek().map(|Reverse((time, _))| *time);
                        let tick = self.listens(kernel, TIMER).then_some(self.next_tick);
                        self.console.host.sleep_until(until.into_iter().chain(tick).min());
                        self.serve(kernel);
                    }
                }
                Ok(_) => {}
                Err(fault) => return (Ended::Fault(fault), actions),
            }
            actions += 1;
            self.admit(kernel, Some(id));
        }
    }

    fn act(&mut self, kernel: &mut Kernel<'_>, id: Id) -> Result<Acted, Fault> {
        let any_partner = self.options.policy == Policy::Random;
        let mut world =
            RealWorld { console: &mut self.console, random: &mut self.random, any_partner };
        kernel.act(id, &mut world, &mut ())
    }

    /// Takes note of who became ready.
    fn admit(&mut self, kernel: &mut Kernel<'_>, acted: Option<Id>) {
        let edf = self.options.policy == Policy::EarliestDeadline;
        if let Some(id) = acted.filter(|_| edf) {
            // What it had to do is done when it waits or ends.
            let goes_on = kernel.process(id).is_some_and(|p| p.status == Status::Ready);
            if !goes_on {
                let now = self.console.host.now();
                self.note_miss(id, now);
            }
        }
        let mut woken = std::mem::take(&mut kernel.woken);
        for id in woken.drain(..) {
            let deadline = if edf { self.deadline(kernel, id, acted) } else { 0 };
            self.ready.add(id, deadline);
        }
        kernel.woken = woken;
        let mut restarted = std::mem::take(&mut kernel.restarted);
        for id in restarted.drain(..) {
            let period = kernel.process(id).map_or(1, |process| process.timing.period.max(1));
            let now = self.console.host.now();
            self.note_miss(id, now);
            let (_, released) = self.due_of(id);
            // At the next multiple of the period since it began.
            let next =
                released + u64::from(period) * ((now - released.min(now)) / u64::from(period) + 1);
            self.timers.push(Reverse((next, id)));
        }
        kernel.restarted = restarted;
    }

    fn due_of(&mut self, id: Id) -> (u64, u64) {
        self.due.get(id as usize).copied().unwrap_or((u64::MAX, 0))
    }

    fn note_miss(&mut self, id: Id, now: u64) {
        if let Some((due, _)) = self.due.get_mut(id as usize) {
            if *due < now {
                self.missed += 1;
            }
            *due = u64::MAX;
        }
    }

    /// Until when a process has to be done: since it was released, not since it last went on.
    fn deadline(&mut self, kernel: &Kernel<'_>, id: Id, acted: Option<Id>) -> u64 {
        let Some(process) = kernel.process(id) else { return u64::MAX };
        let timing = process.timing;
        let relative = if timing.deadline > 0 { timing.deadline } else { timing.period };
        if relative == 0 {
            return u64::MAX;
        }
        let (due, _) = self.due_of(id);
        if acted == Some(id) && due != u64::MAX {
            return due;
        }
        let now = self.console.host.now();
        self.note_miss(id, now);
        self.release(id, now, now + u64::from(relative))
    }

    fn release(&mut self, id: Id, now: u64, due: u64) -> u64 {
        let index = id as usize;
        if self.due.len() <= index {
            self.due.resize(index + 1, (u64::MAX, 0));
        }
        self.due[index] = (due, now);
        due
    }

    /// What comes from outside: time, input. And guards that others have made true.
    fn serve(&mut self, kernel: &mut Kernel<'_>) {
        if !self.timers.is_empty() || !kernel.object.globals.interrupts.is_empty() {
            self.serve_interrupts(kernel);
        }
        if !self.has_guards {
            return;
        }
        for id in 0..kernel.processes.len() as Id {
            let selects = kernel.process(id).is_some_and(|p| p.status == Status::Selecting);
            if selects && kernel.may_act(id) {
                // A fault in a guard shows when the process or its partner acts.
                let _ = self.act(kernel, id);
                self.admit(kernel, Some(id));
            }
        }
    }

    fn serve_interrupts(&mut self, kernel: &mut Kernel<'_>) {
        let now = self.console.host.now();
        while let Some(Reverse((time, id))) = self.timers.peek().copied() {
            if time > now {
                break;
            }
            self.timers.pop();
            let timing = kernel.process(id).map(|process| process.timing).unwrap_or_default();
            let relative = if timing.deadline > 0 { timing.deadline } else { timing.period };
            let due = self.release(id, time, time + u64::from(relative));
            self.ready.add(id, due);
        }
        if now >= self.next_tick && self.raise(kernel, TIMER) {
            self.next_tick = now + self.options.tick.max(1);
        }
        if self.listens(kernel, INPUT) && self.console.has_input() {
            self.raise(kernel, INPUT);
        }
        self.admit(kernel, None);
    }

    /// The channel of an interrupt, unless the program has replaced it.
    fn interrupt(kernel: &Kernel<'_>, number: u32) -> Option<u16> {
        let interrupts = &kernel.object.globals.interrupts;
        let index = interrupts.iter().position(|(other, _, _)| *other == Some(number))?;
        let (_, offset, _) = interrupts[index];
        let bytes = kernel.globals.get(offset as usize..)?.first_chunk()?;
        let port = u16::from_le_bytes(*bytes);
        (usize::from(port) == index + 1).then(|| port - 1)
    }

    fn listens(&self, kernel: &Kernel<'_>, number: u32) -> bool {
        Self::interrupt(kernel, number).is_some_and(|channel| kernel.is_awaited(channel))
    }

    fn raise(&mut self, kernel: &mut Kernel<'_>, number: u32) -> bool {
        match Self::interrupt(kernel, number) {
            Some(channel) => kernel.interrupt(channel),
            None => false,
        }
    }

    /// Nobody is ready: wait for the world, or the run is over.
    fn idle(&mut self, kernel: &mut Kernel<'_>) -> Option<Ended> {
        self.serve(kernel);
        self.admit(kernel, None);
        if let Some(id) = self.ready.take(&mut self.random) {
            self.ready.add(id, self.due.get(id as usize).map_or(u64::MAX, |(due, _)| *due));
            return None;
        }
        let timer = self.timers.peek().map(|Reverse((time, _))| *time);
        let tick = self.listens(kernel, TIMER).then_some(self.next_tick);
        let input = self.listens(kernel, INPUT) && !self.console.is_at_end();
        if timer.is_none() && tick.is_none() && !input {
            return Some(match kernel.is_over() {
                true => Ended::Over,
                false => Ended::Fault(view::deadlock(kernel)),
            });
        }
        if self.console.host.is_interrupted() {
            return Some(Ended::Interrupted);
        }
        self.console.host.sleep_until(timer.into_iter().chain(tick).min());
        self.serve(kernel);
        None
    }
}

/// Input and output.
struct Console<'a, H> {
    host: &'a mut H,
    /// Input that nobody has asked for yet.
    waiting: VecDeque<u8>,
    ended: bool,
}

impl<H: Host> Console<'_, H> {
    fn fill(&mut self) {
        while !self.ended {
            match self.host.read() {
                Input::Byte(byte) => self.waiting.push_back(byte),
                Input::NotYet => break,
                Input::End => self.ended = true,
            }
        }
    }

    fn has_input(&mut self) -> bool {
        self.fill();
        !self.waiting.is_empty()
    }

    fn is_at_end(&mut self) -> bool {
        self.fill();
        self.ended && self.waiting.is_empty()
    }

    /// Does everybody wait for input?
    fn is_alone(&self, kernel: &Kernel<'_>) -> bool {
        kernel.processes.iter().flatten().all(|process| {
            let op = kernel.object.code.get(process.pc as usize);
            process.status != Status::Ready || matches!(op, Some(Op::Input(_)))
        })
    }

    /// The next word; `None`: it is not there yet.
    fn word(&mut self) -> Option<Vec<u8>> {
        self.fill();
        while self.waiting.front().is_some_and(u8::is_ascii_whitespace) {
            self.waiting.pop_front();
        }
        let end = self.waiting.iter().position(u8::is_ascii_whitespace);
        match end {
            Some(end) => Some(self.waiting.drain(..end).collect()),
            None if self.ended => Some(self.waiting.drain(..).collect()),
            None => None,
        }
    }
}

struct RealWorld<'a, 'c, H> {
    console: &'a mut Console<'c, H>,
    random: &'a mut Random,
    any_partner: bool,
}

fn no_input() -> Answer {
    Answer::Unknown("input", "there is no more input".to_owned())
}

impl<H: Host> World for RealWorld<'_, '_, H> {
    fn choose(&mut self, ways: usize, what: Ways) -> usize {
        match what {
            Ways::Partner if !self.any_partner => 0,
            _ => self.random.below(ways),
        }
    }

    fn output(&mut self, text: &[u8]) {
        self.console.host.write(text);
    }

    fn input(&mut self, scalar: Scalar) -> Answer {
        if scalar == Scalar::Char {
            self.console.fill();
            return match self.console.waiting.pop_front() {
                Some(byte) => Answer::Value(byte.into()),
                None if self.console.ended => no_input(),
                None => Answer::Wait,
            };
        }
        let Some(word) = self.console.word() else { return Answer::Wait };
        let word = String::from_utf8_lossy(&word).into_owned();
        let value = match (scalar, word.as_str()) {
            (_, "") => return no_input(),
            (Scalar::Boolean, "TRUE") => Some(1),
            (Scalar::Boolean, "FALSE") => Some(0),
            (Scalar::Boolean, _) => None,
            (_, word) => word.parse().ok(),
        };
        match value {
            Some(value) => Answer::Value(value),
            None => Answer::Unknown("input", format!("`{word}` cannot be read here")),
        }
    }

    fn clock(&mut self) -> Answer {
        Answer::Value(self.console.host.now() as i64)
    }

    fn host_in(&mut self, address: i64, _: u8) -> Answer {
        Answer::Value(match address {
            SERIAL_DATA => {
                self.console.fill();
                self.console.waiting.pop_front().map_or(0, i64::from)
            }
            SERIAL_STATE => CAN_SEND | if self.console.has_input() { HAS_DATA } else { 0 },
            // Nobody drives the lines.
            _ => -1,
        })
    }

    fn host_out(&mut self, address: i64, value: i64, _: u8) -> Answer {
        if address == SERIAL_DATA {
            self.console.host.write(&[value as u8]);
        }
        Answer::Value(0)
    }

    fn is_interrupted(&mut self) -> bool {
        self.console.host.is_interrupted()
    }

    fn takes_first(&self) -> bool {
        !self.any_partner
    }

    fn looks_for_loops(&self) -> bool {
        false
    }
}
