//! A process, as the thread that is it sees it.

use super::channel::{Channel, Field, Message, Pattern, fits};
use super::look::{Act, Look, Seen, Way};
use super::values::{Place, catch_panics, fault, output, quit, set_file, set_place};
use super::world::{Entry, MAIN, Random, Shared, World, create};
use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard};

/// How much of what follows happens without a break.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Free,
    Atomic,
    DStep,
}

struct Inner<G: 'static> {
    pid: usize,
    shared: &'static Shared<G>,
    /// The baton. Nothing: it was handed over, and has to be waited for.
    world: Option<MutexGuard<'static, World<G>>>,
    mode: Mode,
    message: Message,
    asks_for_timeout: Cell<bool>,
    creator: usize,
}

/// A process, for the one who is it. The globals are its fields: `g.x`. (What it has itself has no name that a global
/// could have.)
pub struct Process<G: 'static>(Inner<G>);

impl<G> Deref for Process<G> {
    type Target = G;

    fn deref(&self) -> &G {
        &self.world().globals
    }
}

impl<G> DerefMut for Process<G> {
    fn deref_mut(&mut self) -> &mut G {
        let world = self.world_mut();
        world.changed = true;
        &mut world.globals
    }
}

/// What a look leads to.
enum Verdict {
    Take(Way),
    /// First all others have to say what they offer.
    Ask,
    Wait,
}

const NO_BATON: &str = "globals are used only while the baton is held";

impl<G> Process<G> {
    pub(super) fn new(shared: &'static Shared<G>, pid: usize, creator: usize) -> Process<G> {
        Process(Inner {
            pid,
            shared,
            world: None,
            mode: Mode::Free,
            message: Vec::new(),
            asks_for_timeout: Cell::new(false),
            creator,
        })
    }

    pub(super) fn world(&self) -> &World<G> {
        self.0.world.as_deref().expect(NO_BATON)
    }

    fn world_mut(&mut self) -> &mut World<G> {
        self.0.world.as_deref_mut().expect(NO_BATON)
    }

    pub(super) fn in_d_step(&self) -> bool {
        self.0.mode == Mode::DStep
    }

    fn entry(&mut self) -> &mut Entry {
        let me = self.0.pid;
        &mut self.world_mut().processes[me]
    }

    /// Waits until this process has the baton.
    pub(super) fn arrive(&mut self) {
        let Inner { pid, shared, world, .. } = &mut self.0;
        let guard = world.take().unwrap_or_else(|| shared.lock());
        *world = Some(shared.wait_for_baton(guard, *pid));
    }

    /// Others may have the baton; comes back when it is this one's turn again.
    fn pass_on(&mut self) {
        self.world_mut().pass_on();
        self.arrive();
    }

    /// Between two statements: the next one stands at `place`.
    fn boundary(&mut self, place: Place, text: &'static str) {
        self.arrive();
        set_place(place);
        let mode = self.0.mode;
        let entry = self.entry();
        entry.looked = None;
        (entry.place, entry.text) = (place, text);
        let world = self.world_mut();
        // Now that something has moved, it is no longer true that nothing can. (A d_step is one move.)
        let was_timeout = mode != Mode::DStep && std::mem::replace(&mut world.timeout, false);
        if world.changed || was_timeout {
            world.change();
        }
        if mode == Mode::Free && world.asker.is_none() && world.random.below(2) == 0 {
            self.pass_on();
        }
    }

    /// Before a statement that can always run.
    pub fn step(&mut self, place: impl Into<Place>) {
        self.boundary(place.into(), "");
        while self.world().asker.is_some() {
            let version = self.world().version;
            let entry = self.entry();
            (entry.looked, entry.can_move) = (Some(version), true);
            entry.receives.clear();
            entry.sends.clear();
            self.pass_on();
        }
        self.entry().looked = None;
    }

    /// Waits until one of the options that `look` names can run, carries out its first statement and says which it is.
    pub fn select(
        &mut self,
        place: impl Into<Place>,
        text: &'static str,
        look: impl Fn(&Process<G>, &mut Look<'_, G>),
    ) -> usize {
        self.boundary(place.into(), text);
        loop {
            if let Some((option, message)) = self.entry().met.take() {
                self.0.message = message;
                self.moves();
                return option;
            }
            self.0.asks_for_timeout.set(false);
            let mut seen = Look::new(self);
            look(self, &mut seen);
            let seen = seen.seen;
            let verdict = self.decide(&seen);
            // While another one asks, nobody moves.
            let me = Some(self.0.pid);
            let asked = self.world_mut().asker.take_if(|asker| Some(*asker) == me).is_none()
                && self.world().asker.is_some();
            match verdict {
                Verdict::Take(way) if !asked => return self.take(way),
                Verdict::Ask if !asked => self.world_mut().asker = me,
                verdict => self.publish(verdict, seen),
            }
            self.pass_on();
        }
    }

    /// What can be done now: the first group with a way to go on decides.
    fn decide(&mut self, seen: &Seen) -> Verdict {
        let mode = self.0.mode;
        let sure = self.world().all_known_to(self.0.pid);
        for group in 0..=seen.group {
            let mut ways = seen.ways.iter().filter(|way| way.group == group);
            let way = match mode {
                Mode::DStep => ways.next(),
                _ => self.world_mut().random.choose(ways.collect()),
            };
            if let Some(way) = way {
                return Verdict::Take(way.clone());
            }
            let otherwise = seen.otherwise.iter().find(|(_, of)| *of == group);
            let is_last = group == seen.group && otherwise.is_none() && mode == Mode::Free;
            if !is_last && !sure && seen.sends.iter().any(|sent| sent.group == group) {
                return Verdict::Ask;
            }
            if let Some((option, _)) = otherwise {
                return Verdict::Take(Way { option: *option, group, act: Act::Go });
            }
        }
        match mode {
            Mode::DStep => fault("this blocks inside of a d_step"),
            _ => Verdict::Wait,
        }
    }

    /// Says what this process waits for.
    fn publish(&mut self, verdict: Verdict, seen: Seen) {
        let Seen { receives, sends, .. } = seen;
        let me = self.0.pid;
        let asks_for_timeout = self.0.asks_for_timeout.get();
        let world = self.world_mut();
        let version = world.version;
        // Who waits for a receive that is offered here can move now.
        for pid in 0..world.processes.len() {
            let other = &world.processes[pid];
            let takes = |(channel, message): &(i32, Message)| {
                receives.iter().any(|o| o.channel == *channel && fits(&o.patterns, message))
            };
            if pid != me && other.looked == Some(version) && other.sends.iter().any(takes) {
                world.processes[pid].can_move = true;
            }
        }
        let entry = &mut world.processes[me];
        (entry.looked, entry.receives) = (Some(version), receives);
        entry.can_move = !matches!(verdict, Verdict::Wait);
        entry.sends = sends.into_iter().map(|s| (s.channel, s.message)).collect();
        entry.asks_for_timeout = asks_for_timeout;
    }

    /// This process makes a step: what it said before is no longer true.
    fn moves(&mut self) {
        let entry = self.entry();
        entry.looked = None;
        entry.asks_for_timeout = false;
    }

    /// Carries out the first statement of an option.
    fn take(&mut self, way: Way) -> usize {
        self.moves();
        match way.act {
            Act::Go => {}
            Act::Put { channel, at, message } => {
                let world = self.world_mut();
                world.channels[channel as usize - 1].messages.insert(at, message);
                world.change();
            }
            Act::Get { channel, at, keep } => {
                let world = self.world_mut();
                let messages = &mut world.channels[channel as usize - 1].messages;
                let message = if keep { messages.get(at).cloned() } else { messages.remove(at) };
                if !keep {
                    world.change();
                }
                self.0.message = message.unwrap_or_default();
            }
            Act::Meet { partners, message } => {
                let world = self.world_mut();
                if let Some((partner, option)) = world.random.choose(partners) {
                    world.processes[partner].met = Some((option, message));
                    world.change();
                    // The partner goes on, so that nobody sees the rendezvous half done.
                    world.give(partner);
                    self.0.world = None;
                }
            }
        }
        way.option
    }

    /// A field of the message that was received last.
    pub fn received(&self, field: usize) -> i32 {
        self.0.message.get(field).copied().unwrap_or(0)
    }

    /// What follows happens without a break, unless it has to wait.
    pub fn atomic(&mut self) {
        self.0.mode = Mode::Atomic;
    }

    /// What follows happens without a break, never has to wait, and takes the first option that can run.
    pub fn d_step(&mut self) {
        self.0.mode = Mode::DStep;
    }

    /// The end of what happens without a break.
    pub fn free(&mut self) {
        self.0.mode = Mode::Free;
    }

    /// `run`: the number of a new process. It declares its variables at once.
    pub fn run(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&mut Process<G>) + Send + 'static,
    ) -> i32
    where
        G: Send,
    {
        self.arrive();
        let (me, shared) = (self.0.pid, self.0.shared);
        let pid = create(shared, self.world_mut(), name, me, body);
        self.arrive();
        pid as i32
    }

    /// The variables are declared.
    pub fn begin(&mut self) {
        let creator = self.0.creator;
        self.arrive();
        self.world_mut().give(creator);
        self.0.world = None;
    }

    /// The closing brace: waits until this is the youngest process.
    pub fn end(&mut self, place: impl Into<Place>) {
        self.end_provided(place, |_| true);
    }

    pub fn end_provided(&mut self, place: impl Into<Place>, may: impl Fn(&Process<G>) -> bool) {
        self.0.mode = Mode::Free;
        self.select(place.into().end(), "", |g, look| {
            look.when(0, g.0.pid + 1 == g.world().processes.len() && may(g));
        });
        let world = self.world_mut();
        if let Some(entry) = world.processes.pop() {
            world.channels.truncate(entry.channels);
        }
        world.timeout = false;
        world.change();
        if world.processes.is_empty() {
            quit(0, "");
        }
        world.pass_on();
        self.0.world = None;
    }

    /// Creates a channel.
    pub fn channel(&mut self, capacity: usize, fields: &[Field]) -> i32 {
        let world = self.world_mut();
        if world.channels.len() >= 255 {
            fault("more than 255 channels");
        }
        let messages = VecDeque::new();
        world.channels.push(Channel { capacity, fields: fields.to_vec(), messages });
        world.channels.len() as i32
    }

    /// Runs code that may take long, without the baton. Globals cannot be used in it.
    pub fn outside<T>(&mut self, code: impl FnOnce() -> T) -> T {
        self.arrive();
        self.entry().is_outside = true;
        self.world_mut().pass_on();
        self.0.world = None;
        let result = code();
        let mut world = self.0.shared.lock();
        let entry = &mut world.processes[self.0.pid];
        (entry.is_outside, entry.looked) = (false, None);
        if world.holder.is_none() {
            world.holder = Some(self.0.pid);
        }
        self.0.world = Some(world);
        self.arrive();
        result
    }

    /// `printf`
    pub fn print(&self, text: &str) {
        output(text);
    }

    pub fn len(&self, channel: i32) -> i32 {
        self.world().channel(channel).messages.len() as i32
    }

    pub fn full(&self, channel: i32) -> bool {
        self.world().channel(channel).is_full()
    }

    pub fn empty(&self, channel: i32) -> bool {
        self.len(channel) == 0
    }

    /// `channel?[...]`
    pub fn poll(&self, channel: i32, patterns: &[Pattern]) -> bool {
        self.buffered(channel).find(patterns, false).is_some()
    }

    /// `channel??[...]`
    pub fn poll_any(&self, channel: i32, patterns: &[Pattern]) -> bool {
        self.buffered(channel).find(patterns, true).is_some()
    }

    fn buffered(&self, channel: i32) -> &Channel {
        match self.world().channel(channel) {
            Channel { capacity: 0, .. } => fault("a rendezvous channel cannot be polled"),
            channel => channel,
        }
    }

    pub fn timeout(&self) -> bool {
        self.0.asks_for_timeout.set(true);
        self.world().timeout
    }

    /// `_pid`
    pub fn pid(&self) -> i32 {
        self.0.pid as i32
    }

    /// `_nr_pr`
    pub fn processes(&self) -> i32 {
        self.world().processes.len() as i32
    }

    /// A number from `low` to `high`.
    pub fn pick(&mut self, low: i32, high: i32) -> i32 {
        let count = (i64::from(high) - i64::from(low) + 1).max(1);
        low.wrapping_add(self.world_mut().random.below(count as usize) as i32)
    }
}

/// Runs a model: `setup` gives the globals their values and starts the first processes.
pub fn start<G: Send + 'static>(
    file: &'static str,
    globals: G,
    setup: impl FnOnce(&mut Process<G>),
) -> ! {
    set_file(file);
    catch_panics();
    let world = World {
        globals,
        changed: false,
        version: 0,
        channels: Vec::new(),
        processes: Vec::new(),
        holder: Some(MAIN),
        main: Arc::default(),
        asker: None,
        timeout: false,
        random: Random::new(),
    };
    let shared: &'static Shared<G> = Box::leak(Box::new(Shared { world: Mutex::new(world) }));
    let mut main = Process::new(shared, MAIN, MAIN);
    main.arrive();
    setup(&mut main);
    if main.world().processes.is_empty() {
        quit(0, "");
    }
    main.pass_on();
    quit(0, "")
}
