//! The interpreter as an explorer: everything that can happen next in a state.
//!
//! What is stored, and so what counts as one step, is Spin's rule: a step of one process, or a
//! rendezvous of two, or a whole run of steps inside an `atomic`. The states inside an atomic run
//! are worked off here in a list of their own and never leave this file, except where the run
//! blocks: that state is an ordinary one.

use crate::code::{Code, Executable};
use crate::eval::{Env, NOBODY, Trap};
use crate::exec::{Executor, Mode};
use crate::ir::*;
use crate::reduce::Reducer;
use crate::sight::Alike;
use crate::trace;
use crate::work::{Layout, Work};
use auspex_system::{
    Actor, Enough, Explorer, Fault, Graph, Outlook, Place as SourcePlace, StateRef, StateView,
    Step, StepInfo, Successors, System,
};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

impl System for Model {
    type Explorer<'s> = Interpreter<'s>;

    fn explorer(&self) -> Interpreter<'_> {
        Interpreter::new(self)
    }

    fn unreached(&self, covered: &[bool]) -> Vec<SourcePlace> {
        crate::view::unreached(self, covered)
    }

    fn automata(&self) -> Vec<Graph> {
        crate::view::automata(self)
    }
}

/// One executed statement: who, which transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Micro {
    pub pid: u8,
    pub proctype: ProctypeId,
    pub transition: u32,
    /// This is the receiving end of the rendezvous that the micro step before began.
    pub handshake: bool,
}

/// The statements of a run are kept as a tree: each knows the one before it.
#[derive(Clone, Copy, Debug)]
struct PathNode {
    before: u32,
    micro: Micro,
}

const NO_PATH: u32 = u32::MAX;

/// Where a step begins: a state, or one half of a rendezvous, and the statements that led there.
#[derive(Clone, Copy)]
struct From<'a> {
    pub work: &'a Work,
    pub mode: Mode<'a>,
    pub path: u32,
}

/// A state inside an atomic run: only `pid` may move.
struct Pending {
    work: Work,
    pid: usize,
    path: u32,
}

/// Atomic runs longer than this are watched for loops.
const LONG_RUN: usize = 256;

pub struct Interpreter<'m> {
    pub(crate) model: &'m Model,
    pub(crate) executor: Executor<'m>,
    code: Option<&'m dyn Code>,
    /// No `provided` clause and no priority keeps a process from moving.
    all_may_run: bool,
    /// Somebody will ask which statements led to a successor.
    keeps_paths: bool,
    pending: Vec<Pending>,
    /// States inside long atomic runs, so that a run that goes round in circles ends.
    seen: HashSet<Box<[u8]>>,
    /// Work that is not in use, to be used again.
    pub(crate) pool: Vec<Work>,
    /// The layout of the last state.
    pub(crate) recent: Rc<Layout>,
    /// The layout of the state that is being expanded.
    origin: Rc<Layout>,
    paths: Vec<PathNode>,
    /// How many there were before the process that is looked at.
    paths_before: usize,
    /// For each successor delivered, the end of its path.
    delivered: Vec<u32>,
    message: Vec<i32>,
    /// States that nobody asked for.
    ignored: Successors,
    /// For each property whether it depends on the system having stopped.
    asks_for_stop: Vec<bool>,
    /// The model has a `timeout` somewhere: a state where nothing moves is tried again with it.
    has_timeout: bool,
    /// The last state was such a one.
    pub(crate) was_timeout: bool,
    pub(crate) reducer: Reducer<'m>,
}

impl<'m> Interpreter<'m> {
    pub fn new(model: &'m Model) -> Self {
        Self::with(model, None)
    }

    /// The same with machine code for its statements.
    pub fn with_code(model: &'m Model, code: &'m dyn Code) -> Self {
        Self::with(model, Some(code))
    }

    fn with(model: &'m Model, code: Option<&'m dyn Code>) -> Self {
        Interpreter {
            model,
            executor: Executor::new(model),
            code,
            all_may_run: !model.has_priorities
                && model.proctypes.iter().all(|proctype| proctype.provided.is_none()),
            keeps_paths: false,
            pending: Vec::new(),
            seen: HashSet::new(),
            pool: Vec::new(),
            recent: Rc::default(),
            origin: Rc::default(),
            paths: Vec::new(),
            paths_before: 0,
            delivered: Vec::new(),
            message: Vec::new(),
            ignored: Successors::new(),
            asks_for_stop: model.properties.iter().map(|p| p.iter().any(asks_for_stop)).collect(),
            has_timeout: model.has_timeout,
            was_timeout: false,
            reducer: Reducer::default(),
        }
    }

    /// The first state: the globals, then the processes that are there from the start.
    pub(crate) fn build_initial(&mut self) -> Result<Work, Trap> {
        let mut work = Work::default();
        work.build_globals(self.model);
        self.executor.initialise(&mut work, 0, &self.model.hidden)?;
        self.executor.initialise(&mut work, 0, &self.model.globals)?;
        for start in &self.model.start {
            let parameters = self.model.proctype(start.proctype).parameters.len();
            let zeroes = vec![0; parameters];
            self.executor.create(&mut work, start.proctype, start.priority, &zeroes)?;
        }
        Ok(work)
    }

    pub(crate) fn load(&mut self, state: StateRef<'_>) -> Work {
        let mut work = self.pool.pop().unwrap_or_default();
        work.load(self.model, state, &mut self.recent);
        work
    }

    /// The same for a state whose successors follow.
    fn load_origin(&mut self, state: StateRef<'_>, out: &mut Successors) -> Work {
        let mut work = self.load(state);
        work.changes.begin();
        if !Rc::ptr_eq(&self.origin, &work.layout) {
            self.origin = Rc::clone(&work.layout);
        }
        out.begin(state);
        work
    }

    /// Forgets what was done in the last state.
    pub(crate) fn begin(&mut self) {
        self.paths.clear();
        self.delivered.clear();
        self.executor.timeout = false;
    }

    fn expand(&mut self, work: &Work, out: &mut Successors) {
        self.begin();
        self.was_timeout = false;
        if self.everybody(work, out) {
            return;
        }
        if self.has_timeout {
            self.was_timeout = true;
            self.executor.timeout = true;
            let moved = self.everybody(work, out);
            self.executor.timeout = false;
            if moved {
                return;
            }
        }
        if self.model.checks_deadlock && !is_valid_end(self.model, work) {
            self.deliver_fault(crate::view::deadlock(self.model, work), NO_PATH, out);
        } else if let Some(fault) = trace::incomplete(self.model, &self.executor.env(work, NOBODY))
        {
            self.deliver_fault(fault, NO_PATH, out);
        }
    }

    /// Lets every process move in turn, the youngest first. Did one?
    fn everybody(&mut self, work: &Work, out: &mut Successors) -> bool {
        self.let_move(work, 0..work.process_count(), out)
    }

    /// The same for some processes. Machine code does it where there is some; then nobody can say which statements led to
    /// a successor.
    pub(crate) fn let_move(
        &mut self,
        work: &Work,
        processes: Range<usize>,
        out: &mut Successors,
    ) -> bool {
        let code = self.code.filter(|_| self.all_may_run && !self.keeps_paths);
        let (mut moved, mut left) = (false, processes.end);
        while left > processes.start {
            if let Some(code) = code {
                let env = self.executor.env(work, NOBODY);
                let covered = &mut self.executor.covered;
                let expanded = code.expand(&env, processes.start..left, covered, out);
                moved |= expanded.moved;
                left = expanded.left;
            }
            if left > processes.start {
                left -= 1;
                let from = From { work, mode: Mode::Alone, path: NO_PATH };
                moved |= self.with_atomic_runs(from, left, out);
            }
        }
        moved
    }

    /// All that one process can do next, atomic runs followed to their ends. Could it move?
    fn with_atomic_runs(&mut self, from: From<'_>, pid: usize, out: &mut Successors) -> bool {
        self.paths_before = self.paths.len();
        let moved = self.one_process(from, pid, out);
        if !self.pending.is_empty() {
            self.finish_atomic_runs(out);
        }
        moved
    }

    /// Has this process already done so much that its atomic runs may go round in circles?
    fn is_long(&self) -> bool {
        self.paths.len() - self.paths_before >= LONG_RUN
    }

    /// Works off the atomic runs that have begun.
    fn finish_atomic_runs(&mut self, out: &mut Successors) {
        // Inside the run, what holds is no longer that nothing else can move.
        let timeout = std::mem::replace(&mut self.executor.timeout, false);
        while let Some(run) = self.pending.pop() {
            if self.is_long() && out.is_interrupted() {
                self.pending.clear();
                break;
            }
            if let Some(Pending { work, pid, path }) = self.follow(run, out) {
                let from = From { work: &work, mode: Mode::Alone, path };
                if self.is_new(&work, pid) && !self.one_process(from, pid, out) {
                    self.deliver(&work, path, out);
                }
                self.pool.push(work);
            }
        }
        self.seen.clear();
        self.executor.timeout = timeout;
    }

    /// Follows an atomic run in place, as long as there is but one way to go on. Gives the run back
    /// where there are several, or none.
    fn follow(&mut self, mut run: Pending, out: &mut Successors) -> Option<Pending> {
        let model = self.model;
        while !self.is_long() {
            let proctype = run.work.proctype(run.pid);
            let Some(index) = self.only_transition(&run.work, run.pid) else { break };
            let transition = &model.proctype(proctype).transitions[index as usize];
            let pid = run.pid as u8;
            let micro = Micro { pid, proctype, transition: index, handshake: false };
            run.path = self.extend(run.path, micro);
            match self.step_in_place(&mut run.work, transition, micro) {
                Ok(()) if transition.atomic => continue,
                Ok(()) => self.deliver(&run.work, run.path, out),
                Err(trap) => self.deliver_trap(trap, transition.statement, run.path, out),
            }
            self.pool.push(run.work);
            return None;
        }
        Some(run)
    }

    /// The transition that a process can take, if that is plainly a single one.
    fn only_transition(&self, work: &Work, pid: usize) -> Option<u32> {
        let proctype = self.model.proctype(work.proctype(pid));
        if self.model.has_priorities || proctype.provided.is_some() {
            return None;
        }
        let location = &proctype.locations[work.location(self.model, pid).0 as usize];
        let env = self.executor.env(work, pid);
        let executable = self.executable(&env, work.proctype(pid));
        let mut only = None;
        for index in location.first..location.end {
            let action = &proctype.transitions[index as usize].action;
            let can_run = match (executable.says(index - location.first), action) {
                (_, Action::Else) => only.is_none(),
                (Some(can_run), _) => can_run,
                // Whoever sends may have to wait for a partner.
                (None, Action::Send(_)) => return None,
                (None, action) => env.executable(action, Mode::Alone).ok()?,
            };
            if can_run && only.replace(index).is_some() {
                return None;
            }
        }
        only
    }

    /// Is this state inside an atomic run worth a visit? Only long runs are looked at closely.
    fn is_new(&mut self, work: &Work, pid: usize) -> bool {
        if !self.is_long() {
            return true;
        }
        self.seen.insert([work.bytes.as_slice(), &work.hidden, &[pid as u8]].concat().into())
    }

    /// All that process `pid` can do next. Could it move?
    fn one_process(&mut self, from: From<'_>, pid: usize, out: &mut Successors) -> bool {
        let executable = match from.mode {
            Mode::Alone => {
                self.executable(&self.executor.env(from.work, pid), from.work.proctype(pid))
            }
            Mode::Handshake { .. } => Executable::UNKNOWN,
        };
        if executable == Executable::NOTHING && self.all_may_run {
            return false;
        }
        self.run_all(from, pid, executable, out)
    }

    fn run_all(
        &mut self,
        from: From<'_>,
        pid: usize,
        executable: Executable,
        out: &mut Successors,
    ) -> bool {
        let (model, id) = (self.model, from.work.proctype(pid));
        let proctype = model.proctype(id);
        let location = &proctype.locations[from.work.location(model, pid).0 as usize];
        match self.executor.env(from.work, pid).may_run() {
            Ok(true) => {}
            Ok(false) => return false,
            Err(trap) => {
                self.deliver_trap(trap, location.statement, from.path, out);
                return true;
            }
        }
        let handshake = matches!(from.mode, Mode::Handshake { .. });
        let (mut moved, mut escape) = (false, 0);
        for index in location.first..location.end {
            let transition = &proctype.transitions[index as usize];
            if escape != 0 && transition.escape != escape {
                break;
            }
            if moved && matches!(transition.action, Action::Else) {
                continue;
            }
            let micro = Micro { pid: pid as u8, proctype: id, transition: index, handshake };
            let runs = match executable.says(index - location.first) {
                Some(false) => false,
                Some(true) => {
                    self.make_step(from, transition, micro, out);
                    true
                }
                None => self.try_transition(from, transition, micro, out),
            };
            if !runs {
                continue;
            }
            if moved && proctype.deterministic {
                let trap = Trap::new("determinism", "a D_proctype has two executable statements");
                self.deliver_trap(trap, transition.statement, from.path, out);
            }
            moved = true;
            escape = transition.escape;
        }
        moved
    }

    /// What machine code, if there is any, has to say about the location of a process.
    #[inline]
    fn executable(&self, env: &Env<'_>, proctype: ProctypeId) -> Executable {
        let Some(code) = self.code else { return Executable::UNKNOWN };
        code.executable(env, proctype, env.work.location(self.model, env.pid))
    }

    /// Carries out a transition if it can run. Can it?
    fn try_transition(
        &mut self,
        from: From<'_>,
        transition: &Transition,
        micro: Micro,
        out: &mut Successors,
    ) -> bool {
        let env = self.executor.env(from.work, usize::from(micro.pid));
        let executable = match (&transition.action, from.mode) {
            (Action::Send(send), Mode::Alone) => match env.queue(&send.channel) {
                Ok(queue) if queue.ty.is_rendezvous() => {
                    let id = queue.id;
                    return self.rendezvous(from, transition, (send, id), micro, out);
                }
                queue => queue.map(|queue| !queue.is_full()),
            },
            (action, mode) => env.executable(action, mode),
        };
        match executable {
            Ok(true) => self.make_step(from, transition, micro, out),
            Ok(false) => return false,
            Err(trap) => {
                let path = self.extend(from.path, micro);
                self.deliver_trap(trap, transition.statement, path, out);
            }
        }
        true
    }

    /// Carries out a transition on a copy of the state and delivers what comes of it.
    fn make_step(
        &mut self,
        from: From<'_>,
        transition: &Transition,
        micro: Micro,
        out: &mut Successors,
    ) {
        let pid = usize::from(micro.pid);
        let path = self.extend(from.path, micro);
        let mut next = self.pool.pop().unwrap_or_default();
        next.copy_from(from.work);
        let done = match from.mode {
            Mode::Alone if self.code.is_some() => {
                self.step_anew(&mut next, from.work, transition, micro)
            }
            mode => self.apply_micro(&mut next, transition, pid, mode),
        };
        match done {
            Err(trap) => self.deliver_trap(trap, transition.statement, path, out),
            Ok(()) if transition.atomic => {
                self.pending.push(Pending { work: next, pid, path });
                return;
            }
            Ok(()) => self.deliver(&next, path, out),
        }
        self.pool.push(next);
    }

    /// Carries out a transition on `work`, which is as `before`.
    fn step_anew(
        &mut self,
        work: &mut Work,
        before: &Work,
        transition: &Transition,
        micro: Micro,
    ) -> Result<(), Trap> {
        if self.run_code(work, transition, micro) {
            return Ok(());
        }
        work.copy_from(before);
        self.apply_micro(work, transition, usize::from(micro.pid), Mode::Alone)
    }

    /// Carries out a transition on `work` for good.
    fn step_in_place(
        &mut self,
        work: &mut Work,
        transition: &Transition,
        micro: Micro,
    ) -> Result<(), Trap> {
        if self.code.is_some_and(|code| code.declines_late(micro.proctype, micro.transition)) {
            let mut before = self.pool.pop().unwrap_or_default();
            before.copy_from(work);
            let done = self.step_anew(work, &before, transition, micro);
            self.pool.push(before);
            return done;
        }
        if self.run_code(work, transition, micro) {
            return Ok(());
        }
        self.apply_micro(work, transition, usize::from(micro.pid), Mode::Alone)
    }

    /// The same as `apply_micro` by machine code. Was it done?
    fn run_code(&mut self, work: &mut Work, transition: &Transition, micro: Micro) -> bool {
        let Some(code) = self.code else { return false };
        let Executor { timeout, covered, .. } = &mut self.executor;
        let done = code.apply(work, micro, *timeout, covered);
        if done {
            self.executor.covered[transition.statement.0 as usize] = true;
            self.move_control(work, transition, usize::from(micro.pid));
        }
        done
    }

    /// The effect of one transition, control included.
    pub(crate) fn apply_micro(
        &mut self,
        work: &mut Work,
        transition: &Transition,
        pid: usize,
        mode: Mode<'_>,
    ) -> Result<(), Trap> {
        self.executor.apply(work, pid, &transition.action, transition.statement, mode)?;
        self.move_control(work, transition, pid);
        Ok(())
    }

    fn move_control(&self, work: &mut Work, transition: &Transition, pid: usize) {
        // The process may have ended with this step.
        if pid < work.process_count() {
            work.set_location(self.model, pid, transition.target);
        }
        if self.model.remembers_last {
            work.set_last(pid);
        }
    }

    /// A rendezvous send: every receive in another process that takes the message completes it.
    /// Did one?
    fn rendezvous(
        &mut self,
        from: From<'_>,
        transition: &Transition,
        (send, channel): (&Send, i32),
        micro: Micro,
        out: &mut Successors,
    ) -> bool {
        let pid = usize::from(micro.pid);
        let path = self.extend(from.path, micro);
        let mut message = std::mem::take(&mut self.message);
        let env = self.executor.env(from.work, pid);
        let sent = env.queue(&send.channel).and_then(|queue| {
            env.message(send, queue.ty, &mut message)?;
            queue.ty.cut(&mut message);
            Ok(())
        });
        if let Err(trap) = sent {
            self.deliver_trap(trap, transition.statement, path, out);
            return true;
        }
        let mut half = self.pool.pop().unwrap_or_default();
        half.copy_from(from.work);
        self.move_control(&mut half, transition, pid);
        let mode = Mode::Handshake { channel, message: &message };
        let mut moved = false;
        for other in (0..half.process_count()).rev().filter(|other| *other != pid) {
            moved |= self.one_process(From { work: &half, mode, path }, other, out);
        }
        if moved {
            self.executor.covered[transition.statement.0 as usize] = true;
        }
        self.message = message;
        self.pool.push(half);
        moved
    }

    fn extend(&mut self, before: u32, micro: Micro) -> u32 {
        self.paths.push(PathNode { before, micro });
        self.paths.len() as u32 - 1
    }

    fn deliver(&mut self, work: &Work, path: u32, out: &mut Successors) {
        self.delivered.push(path);
        match work.changes.ranges() {
            Some(changes) if Rc::ptr_eq(&work.layout, &self.origin) => {
                out.push_changed(&work.bytes, changes);
            }
            _ => out.push(work.state()),
        }
    }

    #[cold]
    fn deliver_trap(&mut self, trap: Trap, statement: StmtId, path: u32, out: &mut Successors) {
        let info = trap.into_info();
        let statement = self.model.statement(info.statement.unwrap_or(statement));
        let fault = Fault::new(info.kind, info.message, statement.location.clone());
        self.deliver_fault(fault, path, out);
    }

    fn deliver_fault(&mut self, fault: Fault, path: u32, out: &mut Successors) {
        self.delivered.push(path);
        out.push_fault(fault);
    }

    /// Can nothing move any more?
    fn has_stopped(&mut self, work: &Work) -> bool {
        if (0..work.process_count()).any(|pid| self.surely_moves(work, pid)) {
            return false;
        }
        let mut ignored = std::mem::take(&mut self.ignored);
        ignored.clear();
        self.keeps_paths = true;
        self.expand(work, &mut ignored);
        self.keeps_paths = false;
        self.ignored = ignored;
        self.delivered.iter().all(|path| *path == NO_PATH)
    }

    /// Can the process move, as far as that is easy to say?
    fn surely_moves(&self, work: &Work, pid: usize) -> bool {
        let env = self.executor.env(work, pid);
        let proctype = self.model.proctype(work.proctype(pid));
        let can_run = |transition: &Transition| match &transition.action {
            Action::Send(_) | Action::Else => false,
            action => env.executable(action, Mode::Alone).unwrap_or(false),
        };
        env.may_run().unwrap_or(false)
            && proctype.transitions_of(work.location(self.model, pid)).iter().any(can_run)
    }

    /// Who takes part in a run of statements: in its first one, both ends of a rendezvous included,
    /// and in all of it.
    fn participants(&self, mut path: u32) -> (u64, u64) {
        let (mut first, mut all, mut handshake) = (0, 0, 0);
        while path != NO_PATH {
            let PathNode { before, micro } = self.paths[path as usize];
            let own = bit(micro.pid);
            first = own | handshake;
            handshake = if micro.handshake { own } else { 0 };
            all |= own;
            path = before;
        }
        (first, all)
    }

    /// For each successor of an actor that was delivered, with which transition of its location it began. `None` where options may
    /// have to do with each other: runs that are watched for loops may meet. Whether they are depends on all of them together, so each must be
    /// so short that all are not long, whichever are open.
    fn options_delivered(&mut self, state: StateRef<'_>, actor: usize) -> Option<Vec<usize>> {
        let work = self.load(state);
        let pid = work.process_count() - 1 - actor;
        let location = work.location(self.model, pid).0 as usize;
        let location = &self.model.proctype(work.proctype(pid)).locations[location];
        self.pool.push(work);
        let count = (location.end - location.first) as usize;
        let mut lengths = vec![0; count];
        let mut option_of: Vec<usize> = Vec::with_capacity(self.paths.len());
        for PathNode { before, micro } in &self.paths {
            let option = match *before {
                NO_PATH => (micro.transition - location.first) as usize,
                before => option_of[before as usize],
            };
            option_of.push(option);
            lengths[option] += 1;
            if lengths[option] * count >= LONG_RUN {
                return None;
            }
        }
        self.delivered.iter().map(|path| option_of.get(*path as usize).copied()).collect()
    }

    /// Fills `delivered`, too.
    fn successors_with_paths(&mut self, state: StateRef<'_>, out: &mut Successors) {
        self.keeps_paths = true;
        self.successors(state, out);
        self.keeps_paths = false;
    }

    /// The statements that lead from `state` to its successor number `step`.
    pub(crate) fn path_of(&mut self, state: StateRef<'_>, step: Step) -> Vec<Micro> {
        self.successors_with_paths(state, &mut Successors::new());
        let mut path = self.delivered.get(step.0 as usize).copied().unwrap_or(NO_PATH);
        let mut micros = Vec::new();
        while path != NO_PATH {
            let node = self.paths[path as usize];
            micros.push(node.micro);
            path = node.before;
        }
        micros.reverse();
        micros
    }
}

fn evaluate(env: Env<'_>, propositions: &[Expr]) -> u64 {
    let mut letter = 0;
    for (index, proposition) in propositions.iter().enumerate().take(64) {
        let holds = env.test(proposition).unwrap_or(false);
        letter |= u64::from(holds) << index;
    }
    letter
}

/// May the value depend on whether the system has stopped?
fn asks_for_stop(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Global(..) | Expr::Processes | Expr::Last | Expr::Marked(_) => false,
        Expr::Unary(_, operand) => asks_for_stop(operand),
        Expr::Binary(_, operands) | Expr::And(operands) | Expr::Or(operands) => {
            asks_for_stop(&operands.0) || asks_for_stop(&operands.1)
        }
        Expr::At { pid, .. } => pid.as_deref().is_some_and(asks_for_stop),
        Expr::Length(inner) | Expr::Test(_, inner) => asks_for_stop(inner),
        _ => true,
    }
}

/// One bit for each of the first 64 processes. To the others nobody has to be fair: two that shared a
/// bit would look as if one were always enabled, where each is only now and then.
fn bit(pid: u8) -> u64 {
    1u64.checked_shl(pid.into()).unwrap_or(0)
}

/// May the system stop here? Every process is at its end or at a place marked as one.
fn is_valid_end(model: &Model, work: &Work) -> bool {
    (0..work.process_count()).all(|pid| {
        let proctype = model.proctype(work.proctype(pid));
        proctype.locations[work.location(model, pid).0 as usize].is_end
    })
}

impl Explorer for Interpreter<'_> {
    fn initial(&mut self, out: &mut Successors) {
        match self.build_initial() {
            Ok(work) => out.push(work.state()),
            Err(trap) => {
                let info = trap.into_info();
                let location = auspex_system::Location::unknown();
                out.push_fault(Fault::new(info.kind, info.message, location));
            }
        }
    }

    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        let work = self.load_origin(state, out);
        self.expand(&work, out);
        self.pool.push(work);
    }

    fn actors(&mut self, like: StateRef<'_>, fixed: &[bool]) -> Vec<Actor> {
        Alike::new(self.model, like, fixed).map_or(Vec::new(), |alike| alike.actors())
    }

    fn outlook(&mut self, like: StateRef<'_>, fixed: &[bool], actor: usize) -> Option<Outlook> {
        Alike::new(self.model, like, fixed)?.outlook(actor)
    }

    fn moves(&mut self, state: StateRef<'_>, actor: usize, out: &mut Successors) {
        let work = self.load_origin(state, out);
        self.begin();
        let pid = work.process_count() - 1 - actor;
        self.let_move(&work, pid..pid + 1, out);
        self.pool.push(work);
    }

    fn moves_by_option(
        &mut self,
        state: StateRef<'_>,
        actor: usize,
        out: &mut Successors,
    ) -> Option<Vec<usize>> {
        // Once for what led to each of them, and once by machine code if there is some: that tells what has changed.
        let mut ignored = std::mem::take(&mut self.ignored);
        if let (None, Some(flag)) = (ignored.interrupt(), out.interrupt()) {
            ignored = Successors::interruptible(flag.clone());
        }
        ignored.clear();
        self.keeps_paths = true;
        self.moves(state, actor, &mut ignored);
        self.keeps_paths = false;
        self.ignored = ignored;
        let options = self.options_delivered(state, actor);
        let before = out.len();
        self.moves(state, actor, out);
        options.filter(|options| options.len() == out.len() - before)
    }

    fn reduced(&mut self, state: StateRef<'_>, choice: usize, out: &mut Successors) -> Enough {
        Interpreter::reduced(self, state, choice, out)
    }

    fn plain_steps(
        &mut self,
        from: StateRef<'_>,
        choice: usize,
        index: usize,
    ) -> Option<Vec<Step>> {
        Interpreter::plain_steps(self, from, choice, index)
    }

    fn describe(&mut self, from: StateRef<'_>, step: Step) -> Vec<StepInfo> {
        crate::view::describe(self, from, step)
    }

    fn show(&mut self, state: StateRef<'_>) -> StateView {
        crate::view::show(self, state)
    }

    fn covered(&self) -> &[bool] {
        &self.executor.covered
    }

    /// A proposition that cannot be evaluated (an index out of range, a division by zero) does not
    /// hold; nor, then, does its negation where that is a proposition of its own.
    fn letter(&mut self, property: usize, state: StateRef<'_>) -> u64 {
        let Some(propositions) = self.model.properties.get(property) else { return 0 };
        let work = self.load(state);
        let env = self.executor.env(&work, NOBODY);
        let compiled = self.code.and_then(|code| code.letter(property, &env));
        let mut letter = compiled.unwrap_or_else(|| evaluate(env, propositions));
        if self.asks_for_stop[property] {
            let at_stop = Env { timeout: true, ..env };
            let compiled = self.code.and_then(|code| code.letter(property, &at_stop));
            let at_stop = compiled.unwrap_or_else(|| evaluate(at_stop, propositions));
            if at_stop != letter && self.has_stopped(&work) {
                letter = at_stop;
            }
        }
        self.pool.push(work);
        letter
    }

    /// A process that takes part only in the middle of others' atomic runs is not enabled; one that
    /// is enabled counts as moving wherever in the run it does. A fault that is nobody's has no
    /// movers.
    fn movers(&mut self, state: StateRef<'_>, out: &mut Vec<u64>) {
        let mut ignored = std::mem::take(&mut self.ignored);
        ignored.clear();
        self.successors_with_paths(state, &mut ignored);
        self.ignored = ignored;
        let begin = out.len();
        let mut enabled = 0;
        for path in &self.delivered {
            let (first, all) = self.participants(*path);
            enabled |= first;
            out.push(all);
        }
        out[begin..].iter_mut().for_each(|movers| *movers &= enabled);
    }
}
