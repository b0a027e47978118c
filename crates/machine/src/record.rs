//! What a step does, noted down for people: one entry for each line of the source.
//!
//! Nothing of this runs during a search: only where a step is made again to be shown.

use crate::code::{Code, Function, Program, Reg};
use crate::exec::{Place, Stop};
use crate::names;
use crate::object::{Kind, Object};
use crate::value::{ObjectId, Scalar, Value, sign_extend};
use crate::view::labels::Labels;
use crate::view::scene::Scene;
use crate::work::{Thread, Work};
use auspex_llvm::debug::VariableId;
use auspex_system::{Change, Location, Variable};
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

/// Where the user's code stands.
#[derive(Clone, Debug, PartialEq)]
struct Spot {
    function: u32,
    depth: usize,
    location: Option<Location>,
    /// The library runs for this line.
    library: bool,
    instruction: Option<String>,
    busy: bool,
    branch: bool,
    /// It comes after a return, or the step begins inside the line.
    resumed: bool,
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
    variable: VariableId,
    depth: usize,
    before: Value,
    after: Value,
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
            let (before, after) = (scene.scalar(local.before, ty), scene.scalar(local.after, ty));
            if let Some(name) = name {
                self.change(name.to_owned(), before, after);
            }
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
            let more = self.changes.len() - MOST_CHANGES;
            self.changes.truncate(MOST_CHANGES);
            self.notes.push(format!("{more} more changes"));
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
        let mut spot = spot(program, thread, self.verbose);
        if let Some(spot) = &mut spot {
            spot.resumed = match self.lines.is_empty() {
                true => begins_inside(program, thread),
                false => self.came_from(spot),
            };
            if !self.is_in(spot) {
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
    pub fn called(&mut self, program: &Program, function: u32, scalar: Option<Scalar>, result: Option<Value>) {
        let Some((chosen, of)) = self.chosen.take() else { return };
        let name = program.functions[function as usize].name.as_str();
        let value = result.unwrap_or(Value::NULL);
        let text = match name.strip_prefix("__VERIFIER_nondet_") {
            Some(ty) => format!("nondet {}", number(value, scalar, ty)),
            None if name.ends_with("_choose") => match self.pending.as_ref().is_none_or(|spot| spot.library) {
                true => format!("choice {} of {of}", chosen + 1),
                false => format!("chooses {}", value.bits),
            },
            None if value.is_null() => format!("{name} fails"),
            None => return,
        };
        self.note(text);
    }

    /// The library tells what it does.
    pub fn event(&mut self, program: &Program, work: &Work, thread: &Thread, what: &str, object: Value) {
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

    pub fn set_local(&mut self, program: &Program, _: &Work, thread: &Thread, reg: Reg, after: Value) {
        let Some(frame) = thread.frames.last() else { return };
        let function = &program.functions[frame.function as usize];
        let local = function.locals.iter().find(|local| local.register == reg && !local.address);
        let Some(local) = local.filter(|_| !function.runtime) else { return };
        let before = frame.registers.get(reg as usize).copied().unwrap_or_default();
        let (depth, variable) = (thread.frames.len(), local.variable);
        let line = self.line();
        match line.locals.iter_mut().find(|it| (it.variable, it.depth) == (variable, depth)) {
            Some(known) => known.after = after,
            None => line.locals.push(Local { variable, depth, before, after }),
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

    pub fn reads(&mut self, program: &Program, work: &Work, thread: &Thread, place: Place, len: u32) {
        let user = |frame: &std::rc::Rc<crate::work::Frame>| !program.functions[frame.function as usize].runtime;
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
            if line.reads.len() < MOST_READS && !line.reads.iter().any(|read| read.name == leaf.name) {
                line.reads.push(Variable { name: leaf.name, value });
            }
        }
    }

    /// An atomic section begins that may be undone.
    pub fn mark(&mut self) {
        self.marked = Some(self.lines.clone());
    }

    /// The step ends. `undone`: what was done since the last mark was not.
    pub fn end(&mut self, program: &Program, work: &Work, thread: &Thread, stop: &Stop, undone: bool) {
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

/// The user's line that a thread stands in.
fn spot(program: &Program, thread: &Thread, verbose: bool) -> Option<Spot> {
    let last = thread.frames.len().checked_sub(1)?;
    let user = |frame: &std::rc::Rc<crate::work::Frame>| !program.functions[frame.function as usize].runtime;
    let (depth, frame) = thread.frames.iter().enumerate().rev().find(|(_, frame)| user(frame))?;
    let pc = if depth == last { frame.pc } else { frame.pc.saturating_sub(1) };
    let location = program.location(frame.function, pc).map(|id| names::location(program, id));
    let location = location.filter(|location| location.line != 0);
    let top = &thread.frames[last];
    let function = &program.functions[top.function as usize];
    let code = function.code.get(top.pc as usize);
    let busy = depth != last || code.is_some_and(|code| is_busy(function, code));
    let branch = matches!(code, Some(Code::Branch { .. }));
    let instruction = verbose.then(|| {
        format!("{}+{}: {}", function.name, top.pc, code.map_or(String::new(), |code| format!("{code:?}")))
    });
    let library = depth != last;
    Some(Spot { function: frame.function, depth, location, library, instruction, busy, branch, resumed: false })
}

fn is_busy(function: &Function, code: &Code) -> bool {
    match code {
        Code::SetLocal { dst, .. } => function.locals.iter().any(|local| local.register == *dst),
        Code::Branch { .. }
        | Code::Switch(_)
        | Code::IndirectJump { .. }
        | Code::Call(_)
        | Code::Store { .. }
        | Code::CompareExchange { .. }
        | Code::Update { .. }
        | Code::Unreachable
        | Code::Unsupported(_) => true,
        _ => false,
    }
}

/// Does the instruction before this one belong to the same line?
fn begins_inside(program: &Program, thread: &Thread) -> bool {
    let Some(frame) = thread.frames.last() else { return false };
    let function = &program.functions[frame.function as usize];
    if function.runtime {
        return true;
    }
    let line = |pc: u32| {
        let id = program.location(frame.function, pc)?;
        Some(program.module.debug[id].line)
    };
    frame.pc.checked_sub(1).is_some_and(|before| line(before) == line(frame.pc))
}

/// Is it a thing of the library, which the user does not want to know of?
fn is_hidden(program: &Program, id: ObjectId, object: &Object) -> bool {
    match object.kind {
        Kind::Runtime | Kind::Freed | Kind::Gone => true,
        Kind::Global | Kind::Constant => {
            program.globals.get((id as usize).wrapping_sub(1)).is_none_or(|data| data.runtime)
        }
        Kind::Stack => match names::thread_local(program, object.site) {
            Some(global) => {
                program.thread_locals.iter().any(|data| data.global.0 == global && data.runtime)
            }
            None => {
                let (function, _) = program.place(object.site);
                program.functions[function as usize].runtime
            }
        },
        Kind::Heap => false,
    }
}

fn number(value: Value, scalar: Option<Scalar>, ty: &str) -> String {
    match scalar {
        _ if value.object != 0 || ty.starts_with('p') && value.is_null() => "NULL".to_owned(),
        Some(Scalar::Int(bits)) if !ty.starts_with('u') && !ty.contains("ool") && ty != "size_t" => {
            sign_extend(value.bits, bits).to_string()
        }
        Some(Scalar::Single) => f32::from_bits(value.bits as u32).to_string(),
        Some(Scalar::Double) => f64::from_bits(value.bits).to_string(),
        _ => value.bits.to_string(),
    }
}
