//! What is wrong between threads: some wait for each other, or two touch the same memory.

use crate::exec::Access;
use crate::explore::{Moves, Walker};
use crate::names;
use crate::value::Value;
use crate::view;
use crate::work::Work;
use auspex_system::Fault;

/// Threads that can never go on, a bit each: all of them, or some that wait for each other. `id` gives the number of
/// each.
pub(crate) fn stuck(all: &[Moves], id: impl Fn(usize) -> u8) -> u64 {
    let set = |is_in: &dyn Fn(&Moves) -> bool| {
        all.iter().rev().fold(0u64, |set, moves| set << 1 | u64::from(is_in(moves)))
    };
    if all.iter().all(|moves| !moves.free) {
        return set(&|_| true);
    }
    // Those that wait for a thread that is itself stuck, or is no more.
    let waits = |moves: &Moves| moves.waiting.is_some_and(|waiting| waiting.thread >= 0);
    let mut stuck = set(&|moves| !moves.free && waits(moves));
    loop {
        let before = stuck;
        for (index, moves) in all.iter().enumerate().filter(|(_, moves)| moves.waiting.is_some()) {
            let other = moves
                .waiting
                .and_then(|it| (0..all.len()).find(|other| id(*other) == it.thread as u8));
            if stuck >> index & 1 == 1 && other.is_none_or(|other| stuck >> other & 1 == 0) {
                stuck &= !(1 << index);
            }
        }
        if stuck == before {
            return stuck;
        }
    }
}

/// Two threads that touch the same memory, and what each does.
pub(crate) type Race<'a> = ((usize, &'a Access), (usize, &'a Access));

pub(crate) fn racing(all: &[Moves]) -> Option<Race<'_>> {
    for (index, moves) in all.iter().enumerate() {
        for (other, others) in all.iter().enumerate().skip(index + 1) {
            for a in &moves.accesses {
                for b in &others.accesses {
                    let overlap =
                        a.object == b.object && a.at < b.at + b.len && b.at < a.at + a.len;
                    if overlap && (a.write || b.write) && !(a.atomic && b.atomic) {
                        return Some(((index, a), (other, b)));
                    }
                }
            }
        }
    }
    None
}

impl Walker<'_> {
    /// What is wrong if some threads are [`stuck`].
    pub(crate) fn deadlock(&self, work: &Work, all: &[Moves], stuck: u64) -> Option<Fault> {
        let is_stuck = |index: &usize| stuck >> index & 1 == 1;
        let first = (0..all.len()).find(is_stuck)?;
        let parts: Vec<String> = (0..all.len())
            .filter(is_stuck)
            .map(|index| self.waits(work, index, &all[index]))
            .collect();
        let location = self.location_of(&work.threads[first]);
        Some(Fault::new("deadlock", format!("deadlock: {}", parts.join("; ")), location))
    }

    fn waits(&self, work: &Work, index: usize, moves: &Moves) -> String {
        const JOIN: i32 = 6;
        const KINDS: [&str; 9] = [
            "something",
            "mutex",
            "condition variable",
            "lock",
            "semaphore",
            "barrier",
            "a thread",
            "the end of",
            "something",
        ];
        let program = &self.machine.program;
        let thread = &work.threads[index];
        let name = |id: u8| view::thread_name(program, work, id);
        let who = name(thread.id);
        let Some(waiting) = moves.waiting else { return format!("{who} cannot go on") };
        let kind = KINDS.get(waiting.kind as usize).copied().unwrap_or("something");
        let other = u8::try_from(waiting.thread).ok();
        if waiting.kind == JOIN {
            return format!("{who} waits for {} to end", other.map_or(kind.to_owned(), name));
        }
        let object = match waiting.object {
            Value { object: 0, .. } => String::new(),
            value => format!(" {}", names::pointer(program, work, value)),
        };
        let holder = match other {
            None => String::new(),
            Some(own) if own == thread.id => ", which it holds itself".to_owned(),
            Some(other) => format!(", which {} holds", name(other)),
        };
        format!("{who} waits for {kind}{object}{holder}")
    }

    /// What is wrong with two [`racing`] accesses, each by a thread.
    pub(crate) fn race(&self, work: &Work, ((first, a), (second, b)): Race<'_>) -> Fault {
        let program = &self.machine.program;
        let what = |access: &Access| if access.write { "writes" } else { "reads" };
        let name = view::place_name(program, work, a.object, a.at, a.len);
        let thread = |index: usize| view::thread_name(program, work, work.threads[index].id);
        let message = format!(
            "data race: {} {} {name} at {} while {} {} it at {}",
            thread(first),
            what(a),
            names::site(program, a.site),
            thread(second),
            what(b),
            names::site(program, b.site),
        );
        // Where it is written; a thread that has not begun stands nowhere yet.
        let (function, pc) = program.place(if a.write { a.site } else { b.site });
        let place = program
            .location(function, pc)
            .filter(|_| !program.functions[function as usize].runtime);
        let location = match place {
            Some(id) => names::location(program, id),
            None => self.location_of(&work.threads[if a.write { first } else { second }]),
        };
        Fault::new("race", message, location)
    }
}
