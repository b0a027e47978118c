//! Steps and states for people.

pub mod labels;
pub mod scene;
pub mod types;
pub mod value;

use crate::code::Program;
use crate::names;
use crate::object::Kind;
use crate::record::{Line, Recorder};
use crate::value::ObjectId;
use crate::work::{Frame, Thread, Work};
use auspex_system::{Location, ProcessName, Section, StateView, StepInfo, Variable};
use labels::Labels;
use rustc_hash::FxHashMap;
use scene::Scene;
use std::sync::Arc;
use types::{Base, Walk};

/// A step may run through a loop for long: of its lines so many are shown from each end.
const MOST_LINES: usize = 20;
/// Functions of one thread that are shown with a state.
const MOST_FRAMES: usize = 12;
/// Objects of the heap that are shown with a state.
const MOST_OBJECTS: usize = 16;

/// Source text by file, read when it is first asked for.
#[derive(Debug, Default)]
pub struct Texts {
    files: FxHashMap<Arc<str>, Vec<String>>,
}

impl Texts {
    /// A line without its indentation; empty where the file is not there (any more).
    pub fn line(&mut self, at: &Location) -> String {
        let lines = self.files.entry(at.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&*at.file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(|line| line.trim().to_owned()).collect()
        });
        let index = (at.line as usize).wrapping_sub(1);
        lines.get(index).cloned().unwrap_or_default()
    }
}

/// The entries of a step that was recorded.
pub fn steps(
    program: &Program,
    thread: &Thread,
    recorder: Recorder,
    texts: &mut Texts,
) -> Vec<StepInfo> {
    let process =
        ProcessName { id: thread.id.into(), name: names::thread(program, thread).to_owned() };
    let ended = recorder.ended;
    let infos: Vec<(Line, String)> = recorder
        .lines
        .into_iter()
        .map(|line| {
            let text = line.location.as_ref().map_or(String::new(), |at| texts.line(at));
            (line, text)
        })
        .collect();
    let count = infos.len();
    let mut shown: Vec<StepInfo> = Vec::new();
    let mut idle = None;
    for (index, (line, text)) in infos.into_iter().enumerate() {
        let last = index + 1 == count;
        let boring = if last { !ended } else { line.resumed || !line.busy };
        let effect = line.has_effect() || !line.instructions.is_empty();
        let resumed = line.resumed;
        let info = info(program, &process, line, text);
        if resumed && effect && shown.last().is_some_and(|before| is_quiet(before, &info)) {
            shown.pop();
        }
        match boring && !effect {
            true => idle = Some(info),
            false => shown.push(info),
        }
    }
    if shown.is_empty() {
        shown.push(idle.unwrap_or_else(|| info(program, &process, Line::default(), String::new())));
    }
    for info in shown.iter_mut().filter(|info| info.location.line == 0) {
        explain(program, thread, info);
    }
    shorten(&mut shown, &process);
    shown
}

/// A step in which nothing happens but that an event is no longer the last thing that did.
pub fn event_is_over(program: &Program, thread: Option<&Thread>, location: Location) -> StepInfo {
    nothing(program, thread, location, "(the event is over)")
}

/// A step in which all threads go on to wait.
pub fn nobody_wakes(program: &Program) -> StepInfo {
    nothing(program, None, Location::unknown(), "(nobody wakes up)")
}

fn nothing(program: &Program, thread: Option<&Thread>, location: Location, text: &str) -> StepInfo {
    let name = |thread: &Thread| ProcessName {
        id: thread.id.into(),
        name: names::thread(program, thread).to_owned(),
    };
    let nobody = ProcessName { id: 0, name: String::new() };
    let info = info(program, &nobody, Line::default(), text.to_owned());
    StepInfo { process: thread.map(name), location, ..info }
}

/// Is it the beginning of the same line, and nothing to look at?
fn is_quiet(before: &StepInfo, after: &StepInfo) -> bool {
    let nothing = before.changes.is_empty() && before.reads.is_empty() && before.notes.is_empty();
    let same = before.location.line == after.location.line && before.function == after.function;
    nothing && before.output.is_empty() && before.instructions.is_empty() && same
}

/// Only the library runs: before the thread's first function, or after it.
fn explain(program: &Program, thread: &Thread, info: &mut StepInfo) {
    let begins = matches!(&thread.frames[..], [only] if only.pc == 0);
    let function = &program.functions[usize::from(thread.start)];
    let what = if begins { "starts" } else { "ends" };
    info.text = format!("({} {what})", function.name);
    info.function = function.name.clone();
    info.notes.retain(|note| note != "ends");
    let debug = &program.module.debug;
    if let Some(known) = debug.functions.iter().find(|it| it.function == Some(function.global)) {
        let file = known.file.map(|file| names::file(program, file));
        let (line, column) = (known.line, 0);
        info.location = file.map_or_else(Location::unknown, |file| Location { file, line, column });
    }
}

fn info(program: &Program, process: &ProcessName, line: Line, text: String) -> StepInfo {
    let function = line.function.map_or("", |function| &program.functions[function as usize].name);
    StepInfo {
        process: Some(process.clone()),
        function: function.to_owned(),
        location: line.location.unwrap_or_else(Location::unknown),
        text,
        changes: line.changes,
        reads: line.reads,
        notes: line.notes,
        messages: Vec::new(),
        output: line.output,
        instructions: line.instructions,
    }
}

fn shorten(shown: &mut Vec<StepInfo>, process: &ProcessName) {
    if shown.len() <= 2 * MOST_LINES {
        return;
    }
    let hidden = shown.len() - 2 * MOST_LINES;
    let output: String =
        shown[MOST_LINES..MOST_LINES + hidden].iter().map(|info| info.output.as_str()).collect();
    let gap = StepInfo {
        process: Some(process.clone()),
        function: String::new(),
        location: Location::unknown(),
        text: format!("... {hidden} more lines ..."),
        changes: Vec::new(),
        reads: Vec::new(),
        notes: Vec::new(),
        messages: Vec::new(),
        output,
        instructions: Vec::new(),
    };
    shown.splice(MOST_LINES..MOST_LINES + hidden, [gap]);
}

/// A whole state: the globals, each function of each thread, what is on the heap. At a fault,
/// registers still hold what a state would leave out.
pub fn state(
    program: &Program,
    work: &Work,
    labels: &Labels,
    at_fault: bool,
    location: impl Fn(&Thread, usize) -> Location,
) -> StateView {
    let scene = Scene::new(program, work, None, labels);
    let mut sections = Vec::new();
    let globals = globals(&scene);
    if !globals.is_empty() {
        sections.push(Section { title: "globals".to_owned(), location: None, variables: globals });
    }
    for thread in &work.threads {
        let name = format!("{}[{}]", names::thread(program, thread), thread.id);
        let user =
            |depth: &usize| !program.functions[thread.frames[*depth].function as usize].runtime;
        let depths: Vec<usize> = (0..thread.frames.len()).rev().filter(user).collect();
        for (index, &depth) in depths.iter().enumerate() {
            if depths.len() > MOST_FRAMES && index == MOST_FRAMES - 1 {
                let title = format!("{name} ...");
                let value = format!("{} more calls", depths.len() - MOST_FRAMES);
                let variables = vec![Variable { name: "and".to_owned(), value }];
                sections.push(Section { title, location: None, variables });
            }
            // Of a runaway recursion the innermost calls are enough, and where it began.
            if depths.len() > MOST_FRAMES && index >= MOST_FRAMES - 1 && index + 1 < depths.len() {
                continue;
            }
            let function = &program.functions[thread.frames[depth].function as usize];
            let outer = index > 0 || function.name != names::thread(program, thread);
            let title = if outer { format!("{name} {}()", function.name) } else { name.clone() };
            let variables = locals(&Frames { program, work, labels, at_fault }, thread, depth);
            sections.push(Section { title, location: Some(location(thread, depth)), variables });
        }
        if depths.is_empty() {
            // Not begun yet, or at its end: only the library runs.
            let variables = Vec::new();
            sections.push(Section { title: name, location: None, variables });
        }
    }
    let heap = heap(&scene);
    if !heap.is_empty() {
        sections.push(Section { title: "heap".to_owned(), location: None, variables: heap });
    }
    StateView { sections, watched: Vec::new() }
}

fn globals(scene: &Scene<'_>) -> Vec<Variable> {
    let program = scene.program;
    let data = program.globals.iter().take(program.variable_globals as usize).zip(1..);
    data.filter(|(data, _)| !data.runtime)
        .filter_map(|(data, id)| {
            let object = scene.object(id)?;
            let (name, ty) = scene.global(data.global);
            let value = scene.whole(object, ty, 0, object.size() as u32);
            Some(Variable { name: name.to_owned(), value })
        })
        .collect()
}

struct Frames<'a> {
    program: &'a Program,
    work: &'a Work,
    labels: &'a Labels,
    at_fault: bool,
}

/// The variables of a frame that have a value.
fn locals(frames: &Frames<'_>, thread: &Thread, depth: usize) -> Vec<Variable> {
    let Frames { program, work, labels, at_fault } = *frames;
    // Names are given as this function sees them.
    let inner = Thread {
        id: thread.id,
        start: thread.start,
        frames: vec![thread.frames[depth].clone()],
        locals: thread.locals.clone(),
        atomic: 0,
    };
    let scene = Scene::new(program, work, Some(&inner), labels);
    let frame: &Frame = &thread.frames[depth];
    let function = &program.functions[frame.function as usize];
    let top = depth + 1 == thread.frames.len();
    let mut variables: Vec<Variable> = Vec::new();
    for local in &function.locals {
        let (name, ty) = scene.variable(local.variable);
        let (Some(name), Some(register)) = (name, frame.registers.get(local.register as usize))
        else {
            continue;
        };
        let value = match local.address {
            true => match scene.object(register.object) {
                Some(object) if !object.kind.is_dead() => {
                    scene.whole(object, ty, 0, object.size() as u32)
                }
                _ => continue,
            },
            false if at_fault || crate::state::is_live(program, frame, top, local.register) => {
                scene.lanes(local.values(&frame.registers), ty)
            }
            false => continue,
        };
        if at_fault && value == value::UNDEFINED && !local.address {
            continue;
        }
        variables.push(Variable { name: name.to_owned(), value });
    }
    variables
}

fn heap(scene: &Scene<'_>) -> Vec<Variable> {
    let mut variables = Vec::new();
    for (object, id) in scene.work.objects.iter().zip(1..) {
        let Some(object) = object.as_deref().filter(|object| object.kind == Kind::Heap) else {
            continue;
        };
        if variables.len() == MOST_OBJECTS {
            variables.push(Variable { name: "...".to_owned(), value: String::new() });
            break;
        }
        let known = scene.known(id, object);
        let site = names::site(scene.program, object.site);
        let name = format!("{} ({site})", scene.heap_name(id, object, None));
        let end = object.size() as u32;
        let (types, ty) = (scene.types(), known.and_then(|known| known.ty));
        let size = types.size(ty);
        let value = match ty {
            None => continue,
            Some(_) if size > 0 && end >= 2 * size && !types.is_flexible(ty) => {
                if types.is_char(ty) {
                    let mut walk =
                        Walk { types, from: 0, to: end, most: 1, opaque: false, found: Vec::new() };
                    let base = Base::Pointer(String::new());
                    scene.visit(&mut walk, &scene::Known { base, ty }, object);
                    walk.found.first().map(|leaf| scene.leaf(object, leaf)).unwrap_or_default()
                } else {
                    scene.elements(object, ty, 0, end)
                }
            }
            Some(_) => scene.whole(object, ty, 0, end),
        };
        variables.push(Variable { name, value });
    }
    variables
}

/// `inc[1]`.
pub fn thread_name(program: &Program, work: &Work, id: u8) -> String {
    Scene::new(program, work, None, &Labels::default()).thread_name(id)
}

/// What some bytes of an object are: `\`q.head\``.
pub fn place_name(program: &Program, work: &Work, id: ObjectId, at: u32, len: u32) -> String {
    let labels = Labels::default();
    let scene = Scene::new(program, work, None, &labels);
    let Some(object) = scene.object(id) else { return "memory".to_owned() };
    let leaves = scene.leaves(id, object, at, at + len, 1);
    match &leaves[..] {
        [leaf] if scene.known(id, object).is_some() => format!("`{}`", leaf.name),
        _ => names::short(program, object),
    }
}
