//! Who reaches what: whether a step changes it, and what it is then.

use crate::code::Program;
use crate::delta::Base;
use crate::object::{Kind, Object};
use crate::state::live;
use crate::value::{FUNCTION, ObjectId};
use crate::work::{Owners, Thread, Work};
use std::rc::Rc;

/// What is known of the state that is expanded, to see at once whether a step changes who can
/// reach what.
#[derive(Debug, Default)]
pub struct Settled {
    /// Would its objects get the numbers that they have, and be shared as they are? If not (a thread
    /// that has just begun may hold what it never reads), any step may renumber them.
    is: bool,
    /// The objects up to this one are reached from globals: what else reaches them is of no
    /// importance.
    limit: ObjectId,
    /// Its objects, and what was found out about each: states are much like those before.
    objects: Vec<(Option<Rc<Object>>, Facts)>,
    threads: Vec<(Rc<Thread>, Roots)>,
    /// As they should be.
    globals_are_shared: bool,
    marks: Vec<(ObjectId, bool)>,
    /// Those of the thread that has moved.
    moved: Roots,
    /// Objects that will not be marked as shared any more: see `Base::fades`.
    pub fading: Vec<ObjectId>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    /// May it point to something other than globals and functions?
    points: bool,
    /// Is it dead?
    dead: bool,
    shared: bool,
}

#[derive(Debug, Default)]
struct Roots {
    /// What a thread points to, but for globals and functions: each object once, in order.
    all: Vec<ObjectId>,
    kept: bool,
}

impl Roots {
    /// Becomes those of a thread.
    fn find(&mut self, program: &Program, thread: &Thread) {
        let (all, globals) = (&mut self.all, program.global_count());
        all.clear();
        each_live_root(program, thread, |id| {
            if moves(id, globals) && !all.contains(&id) {
                all.push(id);
            }
        });
        self.kept = thread.frames.iter().any(|frame| !frame.kept.is_empty());
    }

    fn beyond(&self, limit: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.all.iter().copied().filter(move |id| *id > limit)
    }
}

/// The same as `Work::each_root` for a thread whose registers are 0 where they are not read later. Most
/// are not.
fn each_live_root(program: &Program, thread: &Thread, mut each: impl FnMut(ObjectId)) {
    thread.locals.iter().filter(|id| **id != 0).for_each(|id| each(*id));
    let count = thread.frames.len();
    for (depth, frame) in thread.frames.iter().enumerate() {
        let mut each = |id: ObjectId| {
            if id != 0 {
                each(id);
            }
        };
        each(frame.arguments);
        match frame.kept.is_empty() {
            true => live(program, frame, depth + 1 == count)
                .for_each(|register| each(frame.registers[register as usize].object)),
            false => frame.registers.iter().for_each(|value| each(value.object)),
        }
    }
}

/// Is it an object that may have another number in the next state?
fn moves(id: ObjectId, globals: ObjectId) -> bool {
    id > globals && id & FUNCTION == 0
}

/// Gives numbers in the order in which objects are reached, if these are the numbers that they have.
struct Scan<'a> {
    work: &'a Work,
    facts: &'a [(Option<Rc<Object>>, Facts)],
    next: ObjectId,
    done: ObjectId,
    in_order: bool,
}

impl<'a> Scan<'a> {
    /// All that globals reach.
    fn new(work: &'a Work, facts: &'a [(Option<Rc<Object>>, Facts)], program: &Program) -> Self {
        let next = program.global_count() + 1;
        let mut scan = Scan { work, facts, next, done: next, in_order: true };
        (1..=program.variable_globals).for_each(|id| scan.leave(id));
        scan.follow();
        scan
    }

    #[inline]
    fn reach(&mut self, id: ObjectId) {
        if id >= self.next && id & FUNCTION == 0 {
            self.in_order &= id == self.next;
            self.next = id + 1;
        }
    }

    #[inline]
    fn leave(&mut self, id: ObjectId) {
        if self.facts.get(id as usize - 1).is_none_or(|(_, facts)| facts.points)
            && let Some(object) = self.work.object(id)
        {
            object.pointers.iter().for_each(|pointer| self.reach(pointer.object));
        }
    }

    fn follow(&mut self) {
        while self.done < self.next && self.in_order {
            self.leave(self.done);
            self.done += 1;
        }
    }
}

impl Settled {
    /// Finds out about a state.
    pub fn look(&mut self, program: &Program, base: Base<'_>, owners: &mut Owners) {
        let (work, globals) = (base.work, program.global_count());
        self.find_facts(program, work);
        self.fading.clear();
        let (mut shared, variable) = (true, program.variable_globals as usize);
        for (index, (object, facts)) in self.objects.iter().enumerate() {
            shared &= facts.shared || index >= variable;
            let id = index as ObjectId + 1;
            if facts.dead && object.as_deref().is_some_and(|it| base.fades(program, id, it)) {
                self.fading.push(id);
            }
        }
        self.globals_are_shared = shared;
        let mut scan = Scan::new(work, &self.objects, program);
        self.limit = scan.next - 1;
        for (_, roots) in &self.threads {
            roots.all.iter().for_each(|id| scan.reach(*id));
            scan.follow();
        }
        self.is = scan.in_order
            && scan.next as usize == work.objects.len() + 1
            && shared
            && !self.threads.iter().any(|(_, roots)| roots.kept)
            && work.is_marked(
                globals,
                self.limit,
                self.threads.iter().map(|it| &*it.1.all),
                owners,
            );
    }

    fn find_facts(&mut self, program: &Program, work: &Work) {
        let globals = program.global_count();
        self.objects.resize_with(work.objects.len(), Default::default);
        for ((known, facts), object) in self.objects.iter_mut().zip(&work.objects) {
            let same = match (&*known, object) {
                (Some(known), Some(object)) => Rc::ptr_eq(known, object),
                (None, None) => true,
                _ => false,
            };
            if !same {
                known.clone_from(object);
                *facts = object.as_deref().map_or(Facts::default(), |object| Facts {
                    points: object.pointers.iter().any(|it| moves(it.object, globals)),
                    dead: object.kind.is_dead(),
                    shared: object.shared,
                });
            }
        }
        self.threads.truncate(work.threads.len());
        for (index, thread) in work.threads.iter().enumerate() {
            match self.threads.get_mut(index) {
                Some((known, _)) if Rc::ptr_eq(known, thread) => continue,
                Some((known, _)) => known.clone_from(thread),
                None => self.threads.push((Rc::clone(thread), Roots::default())),
            }
            self.threads[index].1.find(program, thread);
        }
    }

    /// Can it be reached from a global, or need it not be reached at all?
    pub fn is_reached(&self, id: ObjectId) -> bool {
        id <= self.limit || id & FUNCTION != 0
    }

    /// Are all objects reached as before, after a step of one thread?
    pub fn stays(&mut self, program: &Program, base: &Work, work: &Work, moved: usize) -> bool {
        let (limit, globals) = (self.limit, program.global_count());
        let (now, before) = (work.threads.len(), base.threads.len());
        // What was made in the step is gone again if nothing that was there points to it. Only
        // memory from `malloc` would be missed.
        let lost = |object: &Option<Rc<Object>>| {
            object.as_deref().is_some_and(|object| object.kind == Kind::Heap)
        };
        if !self.is
            || (now != before && now + 1 != before)
            || work.objects[base.objects.len()..].iter().any(lost)
        {
            return false;
        }
        let ended = now != before;
        // A step may begin one thread and end another.
        if !ended && work.threads[moved].id != base.threads[moved].id {
            return false;
        }
        let mut renumbers = false;
        for id in work.touched.iter().filter(|id| **id as usize <= base.objects.len()) {
            let (Some(then), Some(now)) = (base.object(*id), work.object(*id)) else {
                return false;
            };
            if *id > limit {
                let beyond = |id: &ObjectId| *id > limit;
                if !targets(then, globals).filter(beyond).eq(targets(now, globals).filter(beyond)) {
                    return false;
                }
            } else if !targets(then, globals).eq(targets(now, globals)) {
                renumbers = true;
                self.objects[*id as usize - 1].1.points = true;
            }
        }
        if renumbers {
            let scan = Scan::new(work, &self.objects, program);
            if !scan.in_order || scan.next - 1 != limit {
                return false;
            }
        }
        let then = self.threads[moved].1.beyond(limit);
        match ended {
            true => then.count() == 0,
            false => {
                self.moved.find(program, &work.threads[moved]);
                then.eq(self.moved.beyond(limit))
            }
        }
    }
}

/// Who points to whom after a step, without looking at what is known to point to nothing.
pub struct Graph<'a> {
    settled: &'a Settled,
    pub work: &'a Work,
    program: &'a Program,
    /// The number of the thread that has moved.
    moved: u8,
    pub globals: ObjectId,
    pub variable: ObjectId,
}

impl<'a> Graph<'a> {
    pub fn of(
        settled: &'a mut Settled,
        program: &'a Program,
        work: &'a Work,
        moved: usize,
    ) -> Graph<'a> {
        for id in &work.touched {
            if let Some((_, facts)) = settled.objects.get_mut(*id as usize - 1) {
                facts.points = true;
            }
        }
        let (globals, variable) = (program.global_count(), program.variable_globals);
        let moved = settled.threads[moved].0.id;
        Graph { settled, work, program, moved, globals, variable }
    }

    #[inline]
    pub fn each_target(&self, id: ObjectId, mut each: impl FnMut(ObjectId)) {
        let facts = self.settled.objects.get(id as usize - 1);
        if facts.is_none_or(|(_, facts)| facts.points)
            && let Some(object) = self.work.object(id)
        {
            let targets = object.pointers.iter().map(|pointer| pointer.object);
            targets.filter(|id| moves(*id, self.globals)).for_each(&mut each);
        }
    }

    #[inline]
    pub fn each_root(&self, index: usize, mut each: impl FnMut(ObjectId)) {
        let thread = &self.work.threads[index];
        match self.settled.threads.get(index) {
            Some((known, roots)) if Rc::ptr_eq(known, thread) => {
                roots.all.iter().for_each(|id| each(*id));
            }
            _ => {
                let each = |id: ObjectId| {
                    if moves(id, self.globals) {
                        each(id);
                    }
                };
                // One that has just begun may hold what it never reads.
                match thread.id == self.moved {
                    true => each_live_root(self.program, thread, each),
                    false => self.work.each_root(thread, each),
                }
            }
        }
    }

    /// What `Work::mark_shared` would change.
    fn marks(&self, owners: &mut Owners, out: &mut Vec<(ObjectId, bool)>) {
        owners.begin(self.work.objects.len());
        for id in 1..=self.variable {
            self.each_target(id, |id| owners.reach_shared(id));
        }
        owners.spread(|id, each| self.each_target(id, each));
        for index in 0..self.work.threads.len() {
            self.each_root(index, |id| owners.reach(id, index));
            owners.spread(|id, each| self.each_target(id, each));
        }
        out.clear();
        let others = (self.globals + 1..).zip(&self.work.objects[self.globals as usize..]);
        out.extend(others.filter_map(|(id, object)| {
            let (object, shared) = (object.as_deref()?, owners.is_shared(id));
            (object.shared != shared && !object.kind.is_dead()).then_some((id, shared))
        }));
    }
}

impl Settled {
    /// The same as [`Work::mark_shared`].
    pub fn mark_shared(
        &mut self,
        program: &Program,
        work: &mut Work,
        moved: usize,
        owners: &mut Owners,
    ) {
        if !self.globals_are_shared {
            return work.mark_shared(program.variable_globals as usize, owners);
        }
        let mut marks = std::mem::take(&mut self.marks);
        Graph::of(self, program, work, moved).marks(owners, &mut marks);
        for (id, shared) in marks.drain(..) {
            if let Some(object) = work.object_mut(id) {
                object.shared = shared;
            }
        }
        self.marks = marks;
    }
}

/// What an object points to, but for globals and functions.
fn targets(object: &Object, globals: ObjectId) -> impl Iterator<Item = ObjectId> {
    let all = object.pointers.iter().map(|pointer| pointer.object);
    all.filter(move |id| moves(*id, globals))
}
