//! What all processes share.

use super::channel::{Channel, Message, Pattern, fits};
use super::process::Process;
use super::values::{Place, describe, fault, quit};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Random numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new() -> Random {
        let given = std::env::var("AUSPEX_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
        let seed = given.unwrap_or_else(|| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(1, |time| time.as_nanos() as u64)
        });
        // Seeds that are close to each other shall not begin alike.
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % n.max(1) as u64) as usize
    }

    pub fn choose<T>(&mut self, items: Vec<T>) -> Option<T> {
        let chosen = self.below(items.len());
        items.into_iter().nth(chosen)
    }
}

/// A receive on a rendezvous channel that a process stands at.
#[derive(Clone)]
pub struct Offer {
    pub option: usize,
    pub group: usize,
    /// Of those in one row, only the first that takes a message counts.
    pub row: usize,
    pub channel: i32,
    pub patterns: Vec<Pattern>,
}

/// What all know about a process.
pub struct Entry {
    pub name: &'static str,
    pub wake: Arc<Condvar>,
    /// The version that it looked at, standing where it stands now.
    pub looked: Option<u64>,
    /// It found, or somebody found for it, that it can move.
    pub can_move: bool,
    pub receives: Vec<Offer>,
    pub sends: Vec<(i32, Message)>,
    pub asks_for_timeout: bool,
    /// A rendezvous that it takes part in was completed: the option and what was received.
    pub met: Option<(usize, Message)>,
    pub place: Place,
    pub text: &'static str,
    /// In code of the specification that runs without the baton.
    pub is_outside: bool,
    /// Channels before its own.
    pub channels: usize,
}

pub const MAIN: usize = usize::MAX;

pub struct World<G> {
    pub globals: G,
    pub changed: bool,
    pub version: u64,
    pub channels: Vec<Channel>,
    /// By process id.
    pub processes: Vec<Entry>,
    /// Who has the baton, or is about to get it.
    pub holder: Option<usize>,
    pub main: Arc<Condvar>,
    /// Somebody has to know for sure what all others offer; nobody moves until then.
    pub asker: Option<usize>,
    pub timeout: bool,
    pub random: Random,
}

impl<G> World<G> {
    pub fn channel(&self, id: i32) -> &Channel {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        match index.and_then(|index| self.channels.get(index)) {
            Some(channel) => channel,
            None if id == 0 => fault("use of an uninitialised channel"),
            None => fault(format_args!("there is no channel with the number {id}")),
        }
    }

    pub fn change(&mut self) {
        self.changed = false;
        self.version += 1;
    }

    pub fn is_known(&self, pid: usize) -> bool {
        let entry = &self.processes[pid];
        entry.is_outside || entry.looked == Some(self.version)
    }

    pub fn all_known_to(&self, me: usize) -> bool {
        (0..self.processes.len()).all(|pid| pid == me || self.is_known(pid))
    }

    /// The receives that a message can go to: process and option.
    pub fn partners(&self, me: usize, channel: i32, message: &[i32]) -> Vec<(usize, usize)> {
        let mut partners = Vec::new();
        for (pid, entry) in self.processes.iter().enumerate() {
            if pid == me || entry.is_outside || entry.looked != Some(self.version) {
                continue;
            }
            let takes = |o: &&Offer| o.channel == channel && fits(&o.patterns, message);
            // Of an `unless`, the outermost part that takes it.
            let Some(group) = entry.receives.iter().filter(takes).map(|o| o.group).min() else {
                continue;
            };
            let mut row = None;
            for offer in entry.receives.iter().filter(takes).filter(|o| o.group == group) {
                if row != Some(offer.row) {
                    partners.push((pid, offer.option));
                }
                row = Some(offer.row);
            }
        }
        partners
    }

    /// Gives the baton to somebody who may be able to move.
    pub fn pass_on(&mut self) {
        if let Some(asker) = self.asker {
            let unknown = (0..self.processes.len()).find(|p| *p != asker && !self.is_known(*p));
            return self.give(unknown.unwrap_or(asker));
        }
        loop {
            let may_move = |pid: &usize| {
                let entry = &self.processes[*pid];
                !entry.is_outside && (entry.looked != Some(self.version) || entry.can_move)
            };
            let ready: Vec<usize> = (0..self.processes.len()).filter(may_move).collect();
            if let Some(next) = self.random.choose(ready) {
                return self.give(next);
            }
            if self.processes.iter().any(|entry| entry.is_outside) {
                self.holder = None;
                return;
            }
            if self.timeout || !self.processes.iter().any(|entry| entry.asks_for_timeout) {
                self.finish();
            }
            self.timeout = true;
            self.change();
        }
    }

    pub fn give(&mut self, to: usize) {
        self.holder = Some(to);
        match self.processes.get(to) {
            Some(entry) => entry.wake.notify_all(),
            None => self.main.notify_all(),
        }
    }

    /// Nothing can move any more.
    pub fn finish(&self) -> ! {
        let mut message = String::new();
        for (pid, entry) in self.processes.iter().enumerate().filter(|(_, e)| !e.place.is_end) {
            let at = describe(entry.place);
            message += &format!("  {} ({pid}) waits at {at}: {}\n", entry.name, entry.text);
        }
        if message.is_empty() {
            quit(0, "");
        }
        quit(1, format_args!("deadlock: no process can move\n{message}"))
    }
}

pub struct Shared<G> {
    pub world: Mutex<World<G>>,
}

impl<G> Shared<G> {
    pub fn lock(&self) -> MutexGuard<'_, World<G>> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn wait_for_baton<'a>(
        &self,
        mut world: MutexGuard<'a, World<G>>,
        me: usize,
    ) -> MutexGuard<'a, World<G>> {
        let wake = world.processes.get(me).map_or(&world.main, |entry| &entry.wake).clone();
        while world.holder != Some(me) {
            world = wake.wait(world).unwrap_or_else(PoisonError::into_inner);
        }
        world
    }
}

const STACK: usize = 16 << 20;

/// Adds a process and lets it declare its variables; then its creator gets the baton back.
pub fn create<G: Send + 'static>(
    shared: &'static Shared<G>,
    world: &mut World<G>,
    name: &'static str,
    creator: usize,
    body: impl FnOnce(&mut Process<G>) + Send + 'static,
) -> usize {
    let pid = world.processes.len();
    if pid >= 255 {
        fault("too many processes (255 at most)");
    }
    world.processes.push(Entry {
        name,
        wake: Arc::default(),
        looked: None,
        can_move: true,
        receives: Vec::new(),
        sends: Vec::new(),
        asks_for_timeout: false,
        met: None,
        place: Place::default(),
        text: "",
        is_outside: false,
        channels: world.channels.len(),
    });
    world.change();
    let run = move || {
        let mut process = Process::new(shared, pid, creator);
        process.arrive();
        body(&mut process);
    };
    // Room for the arrays that a process may have.
    let thread = std::thread::Builder::new().name(name.to_string()).stack_size(STACK);
    if let Err(error) = thread.spawn(run) {
        fault(format_args!("cannot start a thread: {error}"));
    }
    world.give(pid);
    pid
}
