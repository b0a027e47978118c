//! The program as a `System`: every thread that can move, every choice.

use crate::Options;
use crate::arith::{Trap, UNSUPPORTED};
use crate::code::Program;
use crate::conflict;
use crate::coverage;
use crate::exec::{Access, Cpu, Script, Stop, Waiting};
use crate::kept::{self, Unread};
use crate::memo::{Known, Memo};
use crate::names;
use crate::pieces::Pieces;
use crate::record::Recorder;
use crate::repeat::Note;
use crate::state::{Cache, Encoder};
use crate::view;
use crate::watch::Watch;
use crate::work::{Owners, Thread, Work};
use auspex_system::{
    Explorer, Fault, Graph, Location, Numbered, Place, StateRef, StateView, Step, StepInfo,
    Successors, System,
};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use view::labels::Labels;
use view::scene::Scene;

/// A program and how it is to be checked.
#[derive(Debug)]
pub struct Machine {
    pub program: Arc<Program>,
    pub options: Arc<Options>,
    /// What a property looks at.
    pub watch: Watch,
    /// Set by the machine: a step was met that it does not support.
    pub lost_steps: AtomicBool,
    /// For traces.
    labels: view::labels::Memory,
}

impl Machine {
    pub fn new(program: Program, options: Options) -> Machine {
        Machine::with(Arc::new(program), Arc::new(options), Watch::default())
    }

    fn with(program: Arc<Program>, options: Arc<Options>, watch: Watch) -> Machine {
        let labels = view::labels::Memory::default();
        Machine { program, options, watch, lost_steps: AtomicBool::new(false), labels }
    }

    /// The same program, of whose steps it is known what they print.
    pub fn with_output(mut self) -> Machine {
        if let Some(options) = Arc::get_mut(&mut self.options) {
            options.keeps_output = true;
        }
        self
    }

    /// The same program as a property sees it: whatever may change one of its propositions is a
    /// step of its own.
    pub fn watched(&self, watch: Watch) -> Machine {
        Machine::with(Arc::clone(&self.program), Arc::clone(&self.options), watch)
    }

    /// May runs be missing, or propositions be wrong?
    pub fn is_unsure(&self) -> bool {
        self.lost_steps.load(Relaxed) || self.watch.at_a_loss.load(Relaxed)
    }
}

impl System for Machine {
    type Explorer<'s> = Walker<'s>;

    fn explorer(&self) -> Walker<'_> {
        Walker::new(self)
    }

    fn has_loose_parts(&self) -> bool {
        true
    }

    fn unreached(&self, covered: &[bool]) -> Vec<Place> {
        coverage::unreached(&self.program, covered)
    }

    fn automata(&self) -> Vec<Graph> {
        Vec::new()
    }
}

pub struct Walker<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) cpu: Cpu<'m>,
    pub(crate) encoder: Encoder,
    cache: Cache,
    pub(crate) pieces: Pieces,
    pub(crate) memo: Memo,
    /// What a thread does; kept for its allocations.
    pub(crate) known: Known,
    /// Those of the parts of a state in the encoder; kept for their allocation.
    pub(crate) numbers: Vec<u32>,
    /// The state that is being expanded; kept for its allocations.
    pub(crate) current: Work,
    pub(crate) moves: Vec<Moves>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) owners: Owners,
    texts: view::Texts,
    /// The bytes of the state in `current`.
    decoded: Vec<u8>,
    /// Who makes the steps of the state that was expanded last, which has these bytes.
    pub(crate) movers: Vec<u64>,
    /// What these steps print, if that is kept.
    pub(crate) printed: Vec<String>,
    expanded: Vec<u8>,
}

impl Drop for Walker<'_> {
    fn drop(&mut self) {
        self.machine.options.instructions.fetch_add(self.cpu.executed, Relaxed);
    }
}

/// What was found out about a thread in one state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    /// It can go on by itself.
    pub free: bool,
    pub waiting: Option<Waiting>,
    /// It leads to a state.
    pub leads_on: bool,
    /// What it does is not supported.
    pub lost: bool,
    /// An assumption may end the run.
    pub pruned: bool,
    pub accesses: Vec<Access>,
}

/// A step that was made again.
struct Replayed {
    index: usize,
    recorder: Recorder,
    outcome: Outcome,
}

/// What one run of a thread leads to.
pub(crate) enum Outcome {
    /// A state, ready in the encoder.
    State,
    /// A state, ready in the memory of known steps.
    Numbered,
    Fault(Fault),
    Blocked(Waiting),
    Pruned,
}

impl<'m> Walker<'m> {
    pub fn new(machine: &'m Machine) -> Self {
        let cpu = Cpu::new(&machine.program, &machine.options, &machine.watch);
        Walker {
            machine,
            cpu,
            encoder: Encoder::default(),
            cache: Cache::default(),
            pieces: Pieces::default(),
            memo: Memo::default(),
            known: Known::default(),
            numbers: Vec::new(),
            current: Work::default(),
            moves: Vec::new(),
            unread: Vec::new(),
            owners: Owners::default(),
            texts: view::Texts::default(),
            decoded: Vec::new(),
            movers: Vec::new(),
            printed: Vec::new(),
            expanded: Vec::new(),
        }
    }

    fn initial_work(&mut self) -> Result<Work, Fault> {
        let program = &self.machine.program;
        let mut objects: Vec<_> = program
            .globals
            .iter()
            .take(program.variable_globals as usize)
            .map(|global| Some(Rc::new(global.object.clone())))
            .collect();
        objects.resize(program.globals.len(), None);
        self.cpu.work = Work { objects, ..Work::default() };
        self.cpu.thread = Thread::default();
        let first = program.constructors.first().copied().unwrap_or(program.main);
        match self.cpu.first_frame(first) {
            Ok(frame) => {
                let start = program.main as u16;
                let thread = Thread { start, frames: vec![frame], ..Thread::default() };
                self.cpu.work.threads.push(Rc::new(thread));
                Ok(std::mem::take(&mut self.cpu.work))
            }
            Err(_) => Err(Fault::new(
                UNSUPPORTED,
                "the first function cannot be called",
                Location::unknown(),
            )),
        }
    }

    /// Takes a state apart.
    fn read(&mut self, state: StateRef<'_>) {
        // Only a property asks for the same state twice.
        let active = self.machine.watch.is_active();
        if !active || self.decoded != state.bytes {
            self.pieces.forget();
            self.cache.decode(&self.machine.program, state, &mut self.current);
        }
        if active {
            self.decoded.clear();
            self.decoded.extend_from_slice(state.bytes);
        }
    }

    /// Runs one thread of a state with the choices of a script. What it does is noted, if that is asked for.
    pub(crate) fn run(
        &mut self,
        work: &Work,
        index: usize,
        script: Script,
        mut note: Option<&mut Note<'_>>,
    ) -> Outcome {
        self.cpu.begin(work, index, script);
        let before = &work.threads[index];
        self.cpu.work.reads.turn(note.is_some());
        let stop = self.cpu.run();
        self.cpu.work.reads.turn(false);
        if let Some(note) = &mut note {
            note.known.executed += u64::from(self.cpu.step.count);
            // Also if the section in which a thread was created is undone.
            note.known.unknown |= self.cpu.step.created;
            note.known.unknown |= matches!(stop, Stop::Exited(_) | Stop::Fault(_));
        }
        match stop {
            Stop::Pause | Stop::Ended => {
                self.clear_unread(before);
                let ended = matches!(stop, Stop::Ended);
                let Some(note) = note else { return self.finish(before) };
                if !self.capture(work, ended, note) {
                    return self.finish(before);
                }
                if cfg!(debug_assertions) {
                    let outcome = self.finish(before);
                    self.check_capture(&outcome, note);
                }
                Outcome::Numbered
            }
            Stop::Exited(status) => self.exited(status, before),
            Stop::Fault(trap) => {
                let location = self.location_in(index);
                Outcome::Fault(fault(trap, location))
            }
            Stop::Blocked(waiting) => Outcome::Blocked(waiting),
            Stop::Pruned => Outcome::Pruned,
        }
    }

    /// Where the user's code of a thread stands.
    fn location_in(&self, index: usize) -> Location {
        match self.cpu.work.threads.get(index) {
            Some(thread) => self.location_of(thread),
            None => Location::unknown(),
        }
    }

    /// The innermost frame that the user wrote.
    pub(crate) fn location_of(&self, thread: &Thread) -> Location {
        let program = &self.machine.program;
        let user =
            |depth: &usize| !program.functions[thread.frames[*depth].function as usize].runtime;
        let frames = (0..thread.frames.len()).rev().filter(user);
        let mut known =
            frames.map(|depth| self.location_at(thread, depth)).filter(|at| at.line != 0);
        known.next().unwrap_or_else(Location::unknown)
    }

    /// Where a frame stands.
    pub(crate) fn location_at(&self, thread: &Thread, depth: usize) -> Location {
        let program = &self.machine.program;
        let frame = &thread.frames[depth];
        let mut pc = match depth + 1 == thread.frames.len() {
            true => frame.pc,
            false => frame.pc.saturating_sub(1),
        };
        // Instructions without a position belong to the one before.
        loop {
            if let Some(id) = program.location(frame.function, pc) {
                let location = names::location(program, id);
                if location.line != 0 {
                    return location;
                }
            }
            match pc.checked_sub(1) {
                Some(before) => pc = before,
                None => return Location::unknown(),
            }
        }
    }

    /// Makes a step again, noting what it does; `None` for deadlocks and races, which do nothing.
    /// The machine stays as it is then.
    fn again(&mut self, work: &mut Work, labels: &Arc<Labels>, step: Step) -> Option<Replayed> {
        let program = &self.machine.program;
        let mut number = 0;
        for thread in &mut work.threads {
            kept::undefine(program, Rc::make_mut(thread));
        }
        self.cpu.work.load(work);
        for index in 0..work.threads.len() {
            let mut script = Some(Script::default());
            while let Some(next) = script {
                self.cpu.recorder =
                    Some(Recorder::new(labels.clone(), self.machine.options.verbose));
                let outcome = self.run(work, index, next, None);
                let recorder = self.cpu.recorder.take().unwrap_or_default();
                if matches!(outcome, Outcome::State | Outcome::Fault(_)) {
                    if number == step.0 {
                        return Some(Replayed { index, recorder, outcome });
                    }
                    number += 1;
                }
                script = std::mem::take(&mut self.cpu.step.script).next();
            }
        }
        None
    }

    /// Registers that are not read later are no part of the state that a step leads to.
    fn clear_unread(&mut self, before: &Thread) {
        let Walker { machine, cpu, unread, .. } = self;
        let optimised = machine.options.optimised;
        kept::clear(&machine.program, optimised, &mut cpu.work, (cpu.index, before), unread);
    }

    fn finish(&mut self, before: &Thread) -> Outcome {
        let globals = self.machine.program.variable_globals as usize;
        let Walker { machine, cpu, encoder, unread, owners, .. } = self;
        cpu.work.mark_shared(globals, owners);
        if machine.options.allow_leak {
            encoder.encode(&machine.program, &cpu.work);
            return Outcome::State;
        }
        kept::put_back(&mut cpu.work, unread);
        encoder.encode(&machine.program, &cpu.work);
        let Some(object) = encoder.lost(&cpu.work) else { return Outcome::State };
        let size = object.size();
        let made = names::site(&machine.program, object.site);
        let message = format!(
            "memory allocated at {made} ({size} bytes) is lost: nothing points to it any more"
        );
        let location = match self.cpu.work.threads.get(self.cpu.index) {
            Some(thread) if !thread.frames.is_empty() => self.location_of(thread),
            _ => self.location_of(before),
        };
        let location = match location.line {
            0 => self.end_of_main(),
            _ => location,
        };
        Outcome::Fault(Fault::new("leak", message, location))
    }

    /// Where the program ends when `main` has returned.
    fn end_of_main(&self) -> Location {
        let program = &self.machine.program;
        let ids = program.functions[program.main as usize].locations.iter().rev().flatten();
        let mut known = ids.map(|id| names::location(program, *id)).filter(|at| at.line != 0);
        known.next().unwrap_or_else(Location::unknown)
    }

    /// The program has ended. What the threads point to at that moment is not lost.
    fn exited(&mut self, status: i32, before: &Thread) -> Outcome {
        if status != 0 {
            self.machine.options.status.store(status, Relaxed);
        }
        if status != 0 && self.machine.options.check_exit {
            let location = self.location_of(before);
            return Outcome::Fault(Fault::new(
                "exit",
                format!("the program ends with status {status}"),
                location,
            ));
        }
        self.clear_unread(before);
        if let leak @ Outcome::Fault(_) = self.finish(before) {
            return leak;
        }
        self.cpu.work.threads.clear();
        let globals = self.machine.program.variable_globals as usize;
        self.cpu.work.mark_shared(globals, &mut self.owners);
        self.encoder.encode(&self.machine.program, &self.cpu.work);
        Outcome::State
    }

    fn expand(&mut self, work: &Work, out: &mut Successors) {
        self.movers.clear();
        self.printed.clear();
        if work.threads.is_empty() && work.raised.is_some() {
            // The program ended in the section that raised an event: that is over, too.
            self.encoder.encode(&self.machine.program, &Work { raised: None, ..work.clone() });
            self.movers.push(0);
            self.printed.push(String::new());
            return out.push(self.encoder.state());
        }
        let mut all: Vec<Moves> = Vec::new();
        self.cpu.work.load(work);
        for index in 0..work.threads.len() {
            all.push(self.expand_thread(work, index, None, out));
            if out.is_interrupted() {
                return;
            }
        }
        let asleep = all.iter().all(|moves| !moves.free) && all.iter().any(|it| it.leads_on);
        if asleep && self.machine.watch.is_active() {
            // Some could be woken for no reason, which need not happen: nobody ever moves again.
            self.encoder.encode(&self.machine.program, work);
            self.movers.push(0);
            out.push(self.encoder.state());
        }
        if let Some(both) = self.races(&all) {
            out.push_fault(self.race(work, both));
        }
        let stuck = conflict::stuck(&all, |index| work.threads[index].id);
        if let Some(fault) = self.deadlock(work, &all, stuck) {
            out.push_fault(fault);
        }
        leave(&all, out);
        // Who comes to a false assumption next could move: a run that never lets it is not fair.
        self.movers.resize(out.len(), 0);
        let doomed = work.threads.iter().zip(&all).filter(|(_, moves)| moves.pruned);
        self.movers.push(doomed.fold(0, |all, (thread, _)| all | 1 << (thread.id & 63)));
    }

    /// Two accesses that are a data race, if these are looked for.
    pub(crate) fn races<'a>(&self, all: &'a [Moves]) -> Option<conflict::Race<'a>> {
        self.machine.options.check_race.then(|| conflict::racing(all)).flatten()
    }

    pub(crate) fn expand_thread(
        &mut self,
        work: &Work,
        index: usize,
        mut note: Option<&mut Note<'_>>,
        out: &mut Successors,
    ) -> Moves {
        let mut moves = Moves::default();
        let mut script = Some(Script::default());
        while let Some(next) = script {
            let outcome = self.run(work, index, next, note.as_deref_mut());
            moves.accesses.append(&mut self.cpu.step.accesses);
            match outcome {
                Outcome::State | Outcome::Numbered => {
                    moves.free |= !self.cpu.step.weak;
                    moves.leads_on = true;
                    // To be woken for no reason is owed to nobody.
                    let who = u64::from(!self.cpu.step.weak) << (work.threads[index].id & 63);
                    self.movers.push(who);
                    self.printed.push(std::mem::take(&mut self.cpu.step.output));
                    match &mut note {
                        Some(note) => self.push_noted(&outcome, note, out),
                        None => out.push(self.encoder.state()),
                    }
                }
                Outcome::Fault(fault) => {
                    moves.free = true;
                    // Elsewhere the same step may do no harm (lose no memory), and not be free.
                    if let Some(note) = &mut note {
                        note.known.unknown = true;
                    }
                    if fault.kind == UNSUPPORTED {
                        moves.lost = true;
                        self.machine.lost_steps.store(true, Relaxed);
                    }
                    self.movers.push(1 << (work.threads[index].id & 63));
                    self.printed.push(std::mem::take(&mut self.cpu.step.output));
                    out.push_fault(fault);
                }
                Outcome::Blocked(waiting) => moves.waiting = Some(waiting),
                Outcome::Pruned => (moves.free, moves.pruned) = (true, true),
            }
            if out.is_interrupted() {
                break;
            }
            script = std::mem::take(&mut self.cpu.step.script).next();
        }
        moves
    }
}

/// The program does not end here: an assumption fails, or nobody knows how it goes on.
pub(crate) fn leave(all: &[Moves], out: &mut Successors) {
    let lost = all.iter().any(|moves| moves.lost);
    let ends = all.iter().all(|moves| !moves.leads_on) && !all.is_empty();
    if ends && (lost || out.is_empty()) {
        out.abandon();
    }
}

fn fault(trap: Trap, location: Location) -> Fault {
    Fault::new(trap.kind, trap.message, location)
}

impl Explorer for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) {
        match self.initial_work() {
            Ok(mut work) => {
                let program = &self.machine.program;
                kept::clear(program, false, &mut work, (0, &Thread::default()), &mut self.unread);
                work.mark_shared(program.variable_globals as usize, &mut self.owners);
                self.encoder.encode(program, &work);
                out.push(self.encoder.state());
            }
            Err(fault) => {
                self.machine.lost_steps.store(true, Relaxed);
                out.push_fault(fault);
            }
        }
    }

    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        self.read(state);
        let work = std::mem::take(&mut self.current);
        if self.cpu.interrupt.is_none() {
            self.cpu.interrupt = out.interrupt().cloned();
        }
        self.expand(&work, out);
        self.current = work;
        if self.machine.watch.is_active() {
            self.expanded.clear();
            self.expanded.extend_from_slice(state.bytes);
        }
    }

    fn successors_of_parts(&mut self, state: &mut dyn Numbered, out: &mut Successors) {
        if self.machine.watch.is_active() {
            return self.successors(state.state(), out);
        }
        if self.cpu.interrupt.is_none() {
            self.cpu.interrupt = out.interrupt().cloned();
        }
        self.expand_numbered(state, out);
    }

    fn letter(&mut self, _: usize, state: StateRef<'_>) -> u64 {
        self.read(state);
        self.machine.watch.letter(&self.machine.program, &self.current)
    }

    fn movers(&mut self, state: StateRef<'_>, out: &mut Vec<u64>) {
        if self.expanded != state.bytes {
            self.successors(state, &mut Successors::new());
        }
        out.extend_from_slice(&self.movers);
    }

    fn printed(&self, step: Step) -> Option<&str> {
        let kept = self.machine.options.keeps_output;
        kept.then(|| self.printed.get(step.0 as usize).map_or("", String::as_str))
    }

    fn describe(&mut self, from: StateRef<'_>, step: Step) -> Vec<StepInfo> {
        let machine = self.machine;
        let mut work = self.cache.work(&machine.program, from);
        let labels = machine.labels.of(from.bytes, &work);
        if work.threads.is_empty() {
            return vec![view::event_is_over(&machine.program, None, Location::unknown())];
        }
        let Some(Replayed { index, recorder, outcome }) = self.again(&mut work, &labels, step)
        else {
            // A deadlock or a race; in a run that a property looks at, a state that stays.
            let stays = machine.watch.is_active();
            return stays.then(|| view::nobody_wakes(&machine.program)).into_iter().collect();
        };
        if let Outcome::State = outcome {
            let (numbers, state) = (self.encoder.numbers(), self.encoder.state());
            let types = Scene::new(&machine.program, &self.cpu.work, None, &labels).heap_types();
            machine.labels.follow(labels.after(&self.cpu.work, &types, numbers), state.bytes);
        }
        let thread = &work.threads[index];
        let raised = work.raised.is_some_and(|raised| raised.by == thread.id);
        if raised && recorder.lines.is_empty() {
            let location = self.location_of(thread);
            return vec![view::event_is_over(&machine.program, Some(thread), location)];
        }
        view::steps(&machine.program, thread, recorder, &mut self.texts)
    }

    fn show_fault(&mut self, from: StateRef<'_>, step: Step) -> Option<StateView> {
        let machine = self.machine;
        let mut work = self.cache.work(&machine.program, from);
        let labels = machine.labels.of(from.bytes, &work);
        let Replayed { outcome: Outcome::Fault(_), .. } = self.again(&mut work, &labels, step)?
        else {
            return None;
        };
        let location = |thread: &Thread, depth| self.location_at(thread, depth);
        Some(view::state(&machine.program, &self.cpu.work, &labels, true, location))
    }

    fn show(&mut self, state: StateRef<'_>) -> StateView {
        let program = &self.machine.program;
        let work = self.cache.work(program, state);
        let labels = self.machine.labels.of(state.bytes, &work);
        view::state(program, &work, &labels, false, |thread, depth| self.location_at(thread, depth))
    }

    fn covered(&self) -> &[bool] {
        &self.cpu.covered
    }
}
