//! What a step does, noted down for people: one entry for each line of the source.
//!
//! Nothing of this runs during a search: only where a step is made again to be shown.

mod spot;

use crate::code::{LocalVariable, Program, Reg};
use crate::exec::{Place, Stop};
use crate::object::{Kind, Object};
use crate::value::{ObjectId, Scalar, Value};
use crate::view::labels::Labels;
use crate::view::scene::Scene;
use crate::work::{Thread, Work};
use auspex_llvm::debug::VariableId;
use auspex_system::{Change, Location, Variable};
use spot::{Spot, is_hidden};
use std::rc::Rc;
use std::sync::Arc;

/// More changes than this in one line are not listed.
const MOST_CHANGES: usize = 8;
const MOST_READS: usize = 4;

/// Everything noted during one step.
#[derive(Debug, Default)]
pub struct Recorder {
    pub lines: Vec<Line>,
    labels: Arc<Labels>,
    /// Instructions too.
    verbose: bool,
    /// The instruction that is being executed: it counts when it has been.
    pending: Option<Spot>,
    /// The lines when an atomic section began that may have to be undone.
    marked: Option<Vec<Line>>,
    chosen: Option<(u32, u32)>,
    /// The step ended in a fault or with its thread: the last line is the end of it.
    pub ended: bool,
}

/// One line of the source that was executed.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// `None` in the library.
    pub function: Option<u32>,
    pub depth: usize,
    pub location: Option<Location>,
    pub resumed: bool,
    /// It did something, be it without an effect: a call, a branch, a write of what was there.
    pub busy: bool,
    pub changes: Vec<Change>,
    pub reads: Vec<Variable>,
    pub notes: Vec<String>,
    pub output: String,
    pub instructions: Vec<String>,
    executed: u32,
    written: Vec<Written>,
    locals: Vec<Local>,
    closed: bool,
}

/// An object before a line wrote to it.
#[derive(Clone, Debug)]
struct Written {
    object: ObjectId,
    before: Rc<Object>,
    ranges: Vec<(u32, u32)>,
}

/// A variable in a register.
#[derive(Clone, Debug)]
struct Local {
    function: u32,
    variable: VariableId,
    depth: usize,
    before: [Value; 2],
    after: [Value; 2],
}

impl Line {
    fn is_at(&self, spot: &Spot) -> bool {
        self.depth == spot.depth
            && self.function == Some(spot.function)
            && match (&self.location, &spot.location) {
                (Some(a), Some(b)) => (&a.file, a.line) == (&b.file, b.line),
                _ => true,
            }
    }

    pub fn has_effect(&self) -> bool {
        !self.changes.is_empty()
            || !self.reads.is_empty()
            || !self.notes.is_empty()
            || !self.output.is_empty()
    }

    /// Compares what was written with what was there before.
    fn close(&mut self, scene: &Scene<'_>) {
        if std::mem::replace(&mut self.closed, true) {
            return;
        }
        for local in std::mem::take(&mut self.locals) {
            let (name, ty) = scene.variable(local.variable);
            let (before, after) = (scene.lanes(local.before, ty), scene.lanes(local.after, ty));
            let Some(name) = name else { continue };
            // The parameters of a function that the line calls.
            let name = match self.function.is_some_and(|function| function != local.function) {
                true => {
                    format!("{}::{name}", scene.program.functions[local.function as usize].name)
                }
                false => name.to_owned(),
            };
            self.change(name, before, after);
        }
        for written in std::mem::take(&mut self.written) {
            let Some(now) = scene.object(written.object) else { continue };
            if now.size() != written.before.size() {
                continue;
            }
            for (from, to) in written.ranges {
                for leaf in scene.leaves(written.object, now, from, to, 4 * MOST_CHANGES) {
                    let before = scene.leaf(&written.before, &leaf);
                    let after = scene.leaf(now, &leaf);
                    // That others cannot see this write is worth telling: an update may be lost.
                    if before == after && now.shared && scene.work.threads.len() > 1 {
                        self.stays(&leaf.name, &after);
                    }
                    self.change(leaf.name, before, after);
                }
            }
        }
        if self.changes.len() > MOST_CHANGES {
            self.notes.push(format!("{} changes, such as", self.changes.len()));
            self.changes.truncate(MOST_CHANGES);
        }
    }

    fn stays(&mut self, name: &str, value: &str) {
        if self.notes.len() < MOST_READS {
            self.notes.push(format!("{name} stays {value}"));
        }
    }

    fn change(&mut self, name: String, before: String, after: String) {
        let known = self.changes.iter().any(|change| change.name == name);
        if before != after && !known {
            self.changes.push(Change { name, before, after });
        }
    }
}

impl Recorder {
    pub fn new(labels: Arc<Labels>, verbose: bool) -> Self {
        Recorder { labels, verbose, ..Recorder::default() }
    }

    /// An instruction is about to be executed.
    pub fn at(&mut self, program: &Program, work: &Work, thread: &Thread) {
        self.settle();
        let mut spot = Spot::of(program, thread, self.verbose);
        if let Some(spot) = &mut spot {
            spot.resumed = match self.lines.is_empty() {
                true => spot::begins_inside(program, thread),
                false => self.came_from(spot),
            };
            // What has no place of its own, such as the passing of arguments, belongs to the line before.
            if spot.location.is_some() && !self.is_in(spot) {
                self.close(program, work, thread);
            }
        }
        self.pending = spot;
    }

    /// Has a call that this line made returned?
    fn came_from(&self, spot: &Spot) -> bool {
        let inside = self.lines.iter().rev().take_while(|line| line.depth > spot.depth).count();
        let before = self.lines.len().checked_sub(inside + 1).and_then(|at| self.lines.get(at));
        inside > 0 && before.is_some_and(|line| line.is_at(spot))
    }

    /// Does a place belong to the line that was executed last?
    fn is_in(&self, spot: &Spot) -> bool {
        self.lines.last().is_some_and(|line| line.is_at(spot))
    }

    /// The pending instruction has been executed, or is having its effect.
    fn settle(&mut self) {
        let Some(spot) = self.pending.take() else { return };
        self.enter(&spot);
        if let Some(line) = self.lines.last_mut() {
            line.executed += 1;
            // A jump back to a loop alone is no more than its end.
            line.busy |= spot.busy && (line.executed > 1 || !spot.branch);
            line.instructions.extend(spot.instruction);
        }
    }

    fn enter(&mut self, spot: &Spot) {
        // Instructions without a place belong to the line that called them.
        if !self.is_in(spot) && spot.location.is_some() {
            self.lines.push(Line {
                function: Some(spot.function),
                depth: spot.depth,
                location: spot.location.clone(),
                resumed: spot.resumed,
                ..Line::default()
            });
        }
    }

    fn close(&mut self, program: &Program, work: &Work, thread: &Thread) {
        if let Some(line) = self.lines.last_mut() {
            line.close(&Scene::new(program, work, Some(thread), &self.labels));
        }
    }

    /// The line that is being executed; one without a place where only the library runs.
    fn line(&mut self) -> &mut Line {
        if let Some(spot) = self.pending.clone() {
            self.enter(&spot);
        }
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    pub fn chose(&mut self, chosen: u32, of: u32) {
        self.chosen = Some((chosen, of));
    }

    pub fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        let line = self.line();
        if !line.notes.contains(&text) {
            line.notes.push(text);
        }
    }

    pub fn print(&mut self, text: &str) {
        self.line().output.push_str(text);
    }

    /// A native function has returned: its choices are seen in what it gives.
    pub fn called(
        &mut self,
        program: &Program,
        function: u32,
        scalar: Option<Scalar>,
        result: Option<Value>,
    ) {
        let Some((chosen, of)) = self.chosen.take() else { return };
        let name = program.functions[function as usize].name.as_str();
        let value = result.unwrap_or(Value::NULL);
        let text = match name.strip_prefix("__VERIFIER_nondet_") {
            Some(ty) => format!("nondet {}", spot::number(value, scalar, ty)),
            None if name.ends_with("_choose") => {
                match self.pending.as_ref().is_none_or(|spot| spot.library) {
                    true => format!("choice {} of {of}", chosen + 1),
                    false => format!("chooses {}", value.bits),
                }
            }
            None if name.starts_with("llvm.") => {
                format!("nondet {}", spot::number(value, scalar, "ulong"))
            }
            None if value.is_null() => format!("{name} fails"),
            None => return,
        };
        self.note(text);
    }

    /// The library tells what it does.
    pub fn event(
        &mut self,
        program: &Program,
        work: &Work,
        thread: &Thread,
        what: &str,
        object: Value,
    ) {
        let labels = self.labels.clone();
        let scene = Scene::new(program, work, Some(thread), &labels);
        let name = match scene.thread_object(object) {
            Some(name) => name,
            None => scene.pointer(object, None).trim_start_matches('&').to_owned(),
        };
        self.note(format!("{what} {name}"));
    }

    pub fn frees(&mut self, program: &Program, work: &Work, thread: &Thread, pointer: Value) {
        let hidden = work.object(pointer.object).is_none_or(|object| object.kind == Kind::Runtime);
        if !hidden {
            let labels = self.labels.clone();
            let scene = Scene::new(program, work, Some(thread), &labels);
            self.note(format!("frees {}", scene.pointer(pointer, None)));
        }
    }

    pub fn set_local(
        &mut self,
        program: &Program,
        _: &Work,
        thread: &Thread,
        reg: Reg,
        after: Value,
    ) {
        let Some(frame) = thread.frames.last() else { return };
        let function = &program.functions[frame.function as usize];
        let has = |local: &&LocalVariable| {
            !local.address && (local.register..local.register + local.lanes).contains(&reg)
        };
        let local = function.locals.iter().find(has);
        let Some(local) = local.filter(|_| !function.runtime) else { return };
        let before = local.values(&frame.registers);
        let (depth, variable, function) = (thread.frames.len(), local.variable, frame.function);
        let lane = (reg - local.register) as usize;
        let line = self.line();
        match line.locals.iter_mut().find(|it| (it.variable, it.depth) == (variable, depth)) {
            Some(known) => known.after[lane] = after,
            None => {
                let mut values = before;
                values[lane] = after;
                line.locals.push(Local { function, variable, depth, before, after: values });
            }
        }
    }

    /// These bytes are about to change.
    pub fn writes(&mut self, program: &Program, work: &Work, _: &Thread, place: Place, len: u32) {
        let Some(Some(before)) = work.objects.get((place.object as usize).wrapping_sub(1)) else {
            return;
        };
        if is_hidden(program, place.object, before) {
            return;
        }
        let range = (place.at, place.at + len);
        let line = self.line();
        match line.written.iter_mut().find(|written| written.object == place.object) {
            Some(written) if written.ranges.contains(&range) => {}
            Some(written) => match written.ranges.last_mut() {
                Some(last) if last.1 == range.0 => last.1 = range.1,
                _ => written.ranges.push(range),
            },
            None => {
                let before = before.clone();
                line.written.push(Written { object: place.object, before, ranges: vec![range] });
            }
        }
    }

    pub fn reads(
        &mut self,
        program: &Program,
        work: &Work,
        thread: &Thread,
        place: Place,
        len: u32,
    ) {
        let user = |frame: &std::rc::Rc<crate::work::Frame>| {
            !program.functions[frame.function as usize].runtime
        };
        let Some(object) = work.object(place.object) else { return };
        if work.threads.len() < 2
            || !object.shared
            || !thread.frames.last().is_some_and(user)
            || is_hidden(program, place.object, object)
        {
            return;
        }
        let labels = self.labels.clone();
        let scene = Scene::new(program, work, Some(thread), &labels);
        for leaf in scene.leaves(place.object, object, place.at, place.at + len, MOST_READS) {
            let value = scene.leaf(object, &leaf);
            let line = self.line();
            if line.reads.len() < MOST_READS
                && !line.reads.iter().any(|read| read.name == leaf.name)
            {
                line.reads.push(Variable { name: leaf.name, value });
            }
        }
    }

    /// An atomic section begins that may be undone.
    pub fn mark(&mut self) {
        self.marked = Some(self.lines.clone());
    }

    /// The step ends. `undone`: what was done since the last mark was not.
    pub fn end(
        &mut self,
        program: &Program,
        work: &Work,
        thread: &Thread,
        stop: &Stop,
        undone: bool,
    ) {
        match stop {
            // The last instruction was not executed.
            Stop::Pause | Stop::Blocked(_) => self.pending = None,
            _ => {
                self.settle();
                self.ended = true;
            }
        }
        if undone && let Some(lines) = self.marked.take() {
            self.lines = lines;
        }
        if matches!(stop, Stop::Ended) {
            self.note("ends");
        }
        self.close(program, work, thread);
    }
}
