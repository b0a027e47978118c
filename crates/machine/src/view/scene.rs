//! A state while it is looked at: what objects are called and what types they have.

use super::labels::Labels;
use super::types::{Base, Leaf, Types, Walk};
use crate::code::{Code, Program};
use crate::names;
use crate::object::{Kind, Object};
use crate::value::{FUNCTION, ObjectId, Value};
use crate::work::{Frame, Thread, Work};
use auspex_llvm::debug::{TypeRef, VariableId};
use auspex_llvm::ir::GlobalId;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::VecDeque;

/// Objects beyond this many are not followed in search of names.
const MOST_OBJECTS: usize = 2000;

/// A state, and the thread that is looked at.
pub struct Scene<'a> {
    pub program: &'a Program,
    pub work: &'a Work,
    /// The running thread, which is not in `work` while it runs.
    pub thread: Option<&'a Thread>,
    labels: &'a Labels,
    known: OnceCell<FxHashMap<ObjectId, Known>>,
}

/// What is known of an object from the pointers to it.
#[derive(Clone, Debug)]
pub struct Known {
    pub base: Base,
    pub ty: Option<TypeRef>,
}

impl<'a> Scene<'a> {
    pub fn new(program: &'a Program, work: &'a Work, thread: Option<&'a Thread>, labels: &'a Labels) -> Self {
        Scene { program, work, thread, labels, known: OnceCell::new() }
    }

    pub fn types(&self) -> Types<'a> {
        Types { program: self.program }
    }

    /// Also a constant.
    pub fn object(&self, id: ObjectId) -> Option<&'a Object> {
        if id & FUNCTION != 0 {
            return None;
        }
        let globals = self.program.globals.len() as u32;
        if id > self.program.variable_globals && id <= globals {
            return Some(&self.program.globals[id as usize - 1].object);
        }
        self.work.object(id)
    }

    /// All threads as they are now, the one that is looked at first.
    fn threads(&self) -> impl Iterator<Item = &'a Thread> {
        let own = self.thread.map(|thread| thread.id);
        let others = self.work.threads.iter().map(|thread| &**thread);
        self.thread.into_iter().chain(others.filter(move |thread| Some(thread.id) != own))
    }

    /// The innermost function of a thread that the user wrote.
    pub fn user_frame(&self, thread: &'a Thread) -> Option<(usize, &'a Frame)> {
        let user = |frame: &Frame| !self.program.functions[frame.function as usize].runtime;
        let frames = thread.frames.iter().map(|frame| &**frame).enumerate();
        frames.rev().find(|(_, frame)| user(frame))
    }

    pub fn variable(&self, id: VariableId) -> (Option<&'a str>, Option<TypeRef>) {
        let variable = &self.program.module.debug[id];
        (variable.name.map(|name| &self.program.module.names[name]), variable.ty)
    }

    /// The name and type of a global variable.
    pub fn global(&self, id: GlobalId) -> (&'a str, Option<TypeRef>) {
        let module = &self.program.module;
        let debug = module.debug.globals.iter().find(|variable| variable.global == Some(id));
        let name = match debug.and_then(|variable| variable.name) {
            Some(name) => &module.names[name],
            None => &module.names[module[id].source_name],
        };
        (name, debug.and_then(|variable| variable.ty))
    }

    /// What an object is called, as far as that does not depend on what points to it.
    pub fn named(&self, id: ObjectId, object: &Object) -> Option<Known> {
        let global = |site| {
            let (name, ty) = self.global(GlobalId(site));
            Known { base: Base::Value(name.to_owned()), ty }
        };
        match object.kind {
            Kind::Global | Kind::Constant => Some(global(object.site)),
            Kind::Stack | Kind::Gone => match names::thread_local(self.program, object.site) {
                Some(site) => Some(global(site)),
                None => self.local(id, object),
            },
            Kind::Heap | Kind::Freed | Kind::Runtime => None,
        }
    }

    fn local(&self, id: ObjectId, object: &Object) -> Option<Known> {
        let (function, pc) = self.program.place(object.site);
        let code = self.program.functions[function as usize].code.get(pc as usize);
        let (function, variable) = match code {
            Some(Code::Alloca { variable: Some(variable), .. }) => (function, *variable),
            // A structure that was passed: the frame knows the parameter by its address.
            _ => self.parameter(id)?,
        };
        let (name, ty) = self.variable(variable);
        let base = Base::Value(self.qualified(function, name?));
        Some(Known { base, ty })
    }

    fn parameter(&self, id: ObjectId) -> Option<(u32, VariableId)> {
        let frames = self.threads().flat_map(|thread| &thread.frames);
        frames.into_iter().find_map(|frame| {
            let locals = &self.program.functions[frame.function as usize].locals;
            let is = |register: u32| {
                frame.registers.get(register as usize).is_some_and(|value| value.object == id)
            };
            let local = locals.iter().find(|local| local.address && is(local.register))?;
            Some((frame.function, local.variable))
        })
    }

    /// A local variable; of another function than the running one, as debuggers write it.
    fn qualified(&self, function: u32, name: &str) -> String {
        let here = self.thread.and_then(|thread| self.user_frame(thread));
        match here {
            Some((_, frame)) if frame.function == function => name.to_owned(),
            _ => format!("{}::{name}", self.program.functions[function as usize].name),
        }
    }

    /// The name and type of any object.
    pub fn known(&self, id: ObjectId, object: &Object) -> Option<Known> {
        self.named(id, object).or_else(|| self.pointed_to().get(&id).cloned())
    }

    /// Everything on the heap, named after the shortest way to it.
    fn pointed_to(&self) -> &FxHashMap<ObjectId, Known> {
        self.known.get_or_init(|| {
            let mut search =
                Search { scene: self, known: FxHashMap::default(), open: VecDeque::new() };
            search.run();
            search.known
        })
    }

    /// The scalars in some bytes of an object. Mutexes and the like are none of the user's.
    pub fn leaves(
        &self,
        id: ObjectId,
        object: &Object,
        from: u32,
        to: u32,
        most: usize,
    ) -> Vec<Leaf> {
        let Some(known) = self.known(id, object) else {
            let name = match object.kind {
                Kind::Heap => format!("*{}", self.heap_name(id, object, None)),
                _ => return Vec::new(),
            };
            let len = (to - from).min(8);
            return vec![Leaf { name, ty: None, at: from, len, bits: None, string: false }];
        };
        let mut walk =
            Walk { types: self.types(), from, to, most, opaque: false, found: Vec::new() };
        self.visit(&mut walk, &known, object);
        walk.found
    }

    /// An object is one of its type, or, from `malloc`, perhaps several in a row.
    pub fn visit(&self, walk: &mut Walk<'_>, known: &Known, object: &Object) {
        let (types, end) = (self.types(), object.size() as u32);
        let size = types.size(known.ty);
        let several = matches!(known.base, Base::Pointer(_))
            && size > 0
            && u64::from(size) * 2 <= u64::from(end)
            && !types.is_flexible(known.ty);
        if !several {
            return walk.visit(&known.base, known.ty, 0, end);
        }
        if types.is_char(known.ty) {
            let (Base::Pointer(name) | Base::Value(name)) = &known.base;
            let leaf = Leaf {
                name: format!("*{name}"),
                ty: None,
                at: 0,
                len: end,
                bits: None,
                string: true,
            };
            return walk.found.push(leaf);
        }
        for index in walk.from / size..end.min(walk.to).div_ceil(size) {
            let base = known.base.element(index.into());
            walk.visit(&base, known.ty, index * size, ((index + 1) * size).min(end));
        }
    }

    /// `struct node #1`, `int[10] #2`.
    pub fn heap_name(&self, id: ObjectId, object: &Object, to: Option<TypeRef>) -> String {
        let label = self.labels.get(self.work, id);
        let types = self.types();
        let known = || self.pointed_to().get(&id).and_then(|known| known.ty);
        let to = to.filter(|to| types.size(Some(*to)) > 0);
        let ty = to.filter(|ty| !types.is_char(Some(*ty))).or_else(known).or(to);
        let Some(ty) = ty else { return format!("malloc #{label}") };
        let (size, name) = (u64::from(types.size(Some(ty))), types.name(ty));
        let several = size > 0 && object.size() >= 2 * size && !types.is_flexible(Some(ty));
        match several && !object.kind.is_dead() {
            true => format!("{name}[{}] #{label}", object.size() / size),
            false => format!("{name} #{label}"),
        }
    }
}

/// Follows pointers from the variables on, in the order in which a reader would name them.
struct Search<'s, 'a> {
    scene: &'s Scene<'a>,
    known: FxHashMap<ObjectId, Known>,
    open: VecDeque<(ObjectId, Known)>,
}

impl<'a> Search<'_, 'a> {
    fn run(&mut self) {
        let scene = self.scene;
        if let Some(thread) = scene.thread {
            self.thread(thread);
        }
        for index in 0..scene.program.variable_globals {
            let id = index + 1;
            if let Some(object) = scene.object(id)
                && let Some(known) = scene.named(id, object)
            {
                self.open.push_back((id, known));
            }
        }
        for thread in scene.threads() {
            self.thread(thread);
        }
        let mut visited = 0;
        while let Some((id, known)) = self.open.pop_front() {
            visited += 1;
            if visited > MOST_OBJECTS {
                break;
            }
            self.follow(id, &known);
        }
    }

    fn thread(&mut self, thread: &'a Thread) {
        for frame in thread.frames.iter().rev() {
            let function = &self.scene.program.functions[frame.function as usize];
            if function.runtime {
                continue;
            }
            for local in &function.locals {
                let (name, ty) = self.scene.variable(local.variable);
                let Some(name) = name else { continue };
                let Some(value) = frame.registers.get(local.register as usize) else { continue };
                let name = self.scene.qualified(frame.function, name);
                match local.address {
                    true => {
                        let known = Known { base: Base::Value(name), ty };
                        self.open.push_back((value.object, known));
                    }
                    false => self.reach(*value, name, ty),
                }
            }
        }
    }

    /// A pointer with a name and a type leads to an object.
    fn reach(&mut self, value: Value, name: String, ty: Option<TypeRef>) {
        let types = self.scene.types();
        if value.object == 0 || value.bits != 0 || value.undef != 0 || !types.is_pointer(ty) {
            return;
        }
        let Some(object) = self.scene.object(value.object) else { return };
        if !matches!(object.kind, Kind::Heap | Kind::Freed) {
            return;
        }
        let to = types.pointee(ty).filter(|to| types.size(Some(*to)) > 0);
        let known = Known { base: Base::Pointer(name), ty: to };
        // `void *` says nothing: a better pointer may come.
        let better =
            self.known.get(&value.object).is_none_or(|old| old.ty.is_none() && to.is_some());
        if better {
            self.known.insert(value.object, known.clone());
            self.open.push_back((value.object, known));
        }
    }

    fn follow(&mut self, id: ObjectId, known: &Known) {
        let Some(object) = self.scene.object(id) else { return };
        if object.pointers.is_empty() {
            return;
        }
        let width = u32::from(self.scene.program.pointer);
        let to = object.size() as u32;
        let types = self.scene.types();
        let mut walk = Walk { types, from: 0, to, most: 1000, opaque: false, found: Vec::new() };
        self.scene.visit(&mut walk, known, object);
        for leaf in walk.found {
            if leaf.len == width
                && types.is_pointer(leaf.ty)
                && let Some(value) = object.load(leaf.at, width, width)
            {
                self.reach(value, leaf.name, leaf.ty);
            }
        }
    }
}
