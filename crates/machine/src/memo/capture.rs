//! What a step has done, in terms of parts, so that it need not be made again.

use super::facts::{Facts, Form, Role};
use super::{KnownStep, Memo, Part};
use crate::code::Program;
use crate::kept::Unread;
use crate::object::Kind;
use crate::state::{Encoder, MADE};
use crate::value::{FUNCTION, ObjectId};
use crate::work::{Frame, Thread, Work};
use auspex_system::Numbered;
use std::rc::Rc;

/// A step that was made.
pub struct Made<'a> {
    /// The state before, and the one after. Nothing is marked as shared yet, and registers that are not read later are
    /// empty.
    pub base: &'a Work,
    pub work: &'a Work,
    /// The thread, by its index before the step.
    pub index: usize,
    pub ended: bool,
    /// How many of its frames it has not looked at.
    pub below: usize,
    pub unread: &'a [Unread],
}

impl Made<'_> {
    /// Its registers that are not read later, in frames that it has looked at.
    fn own_unread(&self) -> impl Iterator<Item = &Unread> {
        self.unread.iter().filter(|it| it.thread == self.index && it.frame >= self.below)
    }

    /// The thread after the step.
    fn thread(&self) -> Option<&Rc<Thread>> {
        self.work.threads.get(self.index).filter(|_| !self.ended)
    }

    /// Has it done nothing to other threads?
    fn is_plain(&self) -> bool {
        let same = match self.thread() {
            Some(thread) => thread.id == self.base.threads[self.index].id,
            None => self.ended,
        };
        same && self.work.raised.is_none()
            && self.work.threads.len() + usize::from(self.ended) == self.base.threads.len()
    }

    /// The objects of the state before that it has changed.
    fn written(&self) -> Vec<ObjectId> {
        let changed = |id: &ObjectId| {
            let slot = *id as usize - 1;
            match (&self.base.objects[slot], &self.work.objects[slot]) {
                (Some(then), Some(now)) => !Rc::ptr_eq(then, now),
                _ => true,
            }
        };
        let old = self.base.objects.len();
        let mut all: Vec<ObjectId> = self.work.touched.clone();
        all.retain(|id| *id as usize <= old);
        all.sort_unstable();
        all.dedup();
        all.retain(changed);
        all
    }

    /// The objects that it has made and that something may reach.
    fn reached(&self, written: &[ObjectId]) -> Vec<ObjectId> {
        let old = self.base.objects.len() as ObjectId;
        let mut all = Vec::new();
        let reach = |id: ObjectId, all: &mut Vec<ObjectId>| {
            if id > old && id & FUNCTION == 0 && !all.contains(&id) {
                all.push(id);
            }
        };
        for object in written.iter().filter_map(|id| self.work.object(*id)) {
            object.pointers.iter().for_each(|it| reach(it.object, &mut all));
        }
        if let Some(thread) = self.thread() {
            self.work.each_root(thread, |id| reach(id, &mut all));
        }
        self.own_unread().for_each(|it| reach(it.object(), &mut all));
        let mut done = 0;
        while let Some(id) = all.get(done).copied() {
            done += 1;
            if let Some(object) = self.work.object(id) {
                object.pointers.iter().for_each(|it| reach(it.object, &mut all));
            }
        }
        all
    }
}

/// Can it keep memory from being lost? Globals and functions can be lost by nobody.
pub(super) fn is_counted(program: &Program, unread: &Unread) -> bool {
    unread.object() > program.global_count() && unread.object() & FUNCTION == 0
}

impl Memo {
    /// Appends a step to others: see [`super::KnownStep`]. `None` for one that is not kept.
    pub fn capture(
        &mut self,
        program: &Program,
        allow_leak: bool,
        made: &Made<'_>,
        state: &mut dyn Numbered,
        steps: &mut Vec<u32>,
    ) -> Option<()> {
        if !made.is_plain() {
            return None;
        }
        let (base, work) = (made.base, made.work);
        let written = made.written();
        let reached = made.reached(&written);
        let old = base.objects.len();
        let is_lost = |id: ObjectId| {
            work.object(id).is_some_and(|it| it.kind == Kind::Heap) && !reached.contains(&id)
        };
        if !allow_leak && (old as ObjectId + 1..=work.objects.len() as ObjectId).any(is_lost) {
            return None;
        }
        let numbers = &mut self.encoder.numbers;
        numbers.clear();
        numbers.extend(1..=old as ObjectId);
        numbers.resize(work.objects.len(), 0);
        for (id, number) in reached.iter().zip(MADE..) {
            numbers[*id as usize - 1] = number;
        }
        let thread_parts = made.thread().map_or(0, |thread| 1 + thread.frames.len() - made.below);
        let mut parts = Vec::with_capacity(written.len() + reached.len() + thread_parts);
        for id in &written {
            let shared = base.object(*id)?.shared;
            parts.push(self.object_part(program, work, *id, shared, state)?);
        }
        for id in &reached {
            parts.push(self.object_part(program, work, *id, work.object(*id)?.shared, state)?);
        }
        let others = parts.len();
        let mut unread: Vec<Unread> = made.own_unread().copied().collect();
        self.thread_parts(program, made, &[], state, &mut parts)?;
        let mut change = self.change(program, made, &unread, &written, reached.len(), &parts);
        if !allow_leak && !unread.is_empty() {
            let step = KnownStep { change, parts: &parts };
            let kept = self.kept_after(program, made.index, step, &unread);
            if !kept.is_empty() {
                unread.retain(|it| !kept.contains(it));
                parts.truncate(others);
                self.thread_parts(program, made, &kept, state, &mut parts)?;
                change = self.change(program, made, &unread, &written, reached.len(), &parts);
            }
        }
        steps.extend([change, 2 * parts.len() as u32]);
        steps.extend_from_slice(parts.as_flattened());
        Some(())
    }

    /// The number of the [`Change`] that a step is.
    fn change(
        &mut self,
        program: &Program,
        made: &Made<'_>,
        unread: &[Unread],
        written: &[ObjectId],
        reached: usize,
        parts: &[Part],
    ) -> u32 {
        let unread = unread.iter().filter(|it| is_counted(program, it)).map(Unread::object);
        let counts = [made.below, reached, written.len(), unread.clone().count()];
        let Memo { key, changes, encoder, facts, .. } = self;
        key.clear();
        key.extend(counts.map(|count| count as u32));
        key.extend_from_slice(written);
        key.extend(unread.map(|id| encoder.number_of(program, id)));
        key.extend(parts.iter().map(|part| facts.get(part[1]).form));
        changes.number(key)
    }

    fn object_part(
        &mut self,
        program: &Program,
        work: &Work,
        id: ObjectId,
        shared: bool,
        state: &mut dyn Numbered,
    ) -> Option<Part> {
        let object = work.object(id)?;
        let global = id <= program.variable_globals;
        self.encoder.bytes.clear();
        self.encoder.object(program, object, global);
        self.encoder.mark(object, shared);
        let role = if global { Role::Global(id - 1) } else { Role::Object };
        self.part(role, state, |encoder| {
            Facts::of_object(program, object, shared, |id| encoder.number_of(program, id))
        })
    }

    /// The parts of a thread after a step, but for frames that it has not looked at. Those that it has not changed
    /// have the numbers that they had. Some registers are kept.
    fn thread_parts(
        &mut self,
        program: &Program,
        made: &Made<'_>,
        kept: &[Unread],
        state: &mut dyn Numbered,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let Some(thread) = made.thread() else { return Some(()) };
        let before = &made.base.threads[made.index];
        let (count, old) = (thread.frames.len(), before.frames.len());
        let start = self.current.threads[made.index];
        let same = (thread.atomic, thread.start) == (before.atomic, before.start);
        if count == old && same && thread.locals == before.locals {
            parts.push([self.current.parts[start], self.current.facts[start]]);
        } else {
            self.encoder.bytes.clear();
            self.encoder.thread_head(program, thread, count);
            parts.push(self.part(Role::Head, state, |encoder| {
                Facts::of_head(program, thread, count, |id| encoder.number_of(program, id))
            })?);
        }
        for (depth, frame) in thread.frames.iter().enumerate().skip(made.below) {
            let top = depth + 1 == count;
            let same = before.frames.get(depth).is_some_and(|before| Rc::ptr_eq(before, frame));
            if same && top == (depth + 1 == old) {
                let at = start + 1 + depth;
                parts.push([self.current.parts[at], self.current.facts[at]]);
                continue;
            }
            let mut keeping = None;
            for it in kept.iter().filter(|it| it.frame == depth) {
                it.put_into(keeping.get_or_insert_with(|| Frame::clone(frame)));
            }
            let frame = keeping.as_ref().unwrap_or(frame);
            self.encoder.bytes.clear();
            self.encoder.frame(program, frame, top);
            let role = if top { Role::Top } else { Role::Frame };
            parts.push(self.part(role, state, |encoder| {
                Facts::of_frame(program, frame, |id| encoder.number_of(program, id))
            })?);
        }
        Some(())
    }

    /// The part that was just encoded.
    fn part(
        &mut self,
        role: Role,
        state: &mut dyn Numbered,
        new: impl FnOnce(&Encoder) -> (Facts, Form),
    ) -> Option<Part> {
        let Memo { facts, encoder, .. } = self;
        let number = state.number(&encoder.bytes)?;
        Some([number, facts.find(role, number, || new(encoder))])
    }
}
