//! What a step has done, in terms of parts, so that it need not be made again.

use super::facts::{Facts, FactsId, Role};
use super::{KnownStep, Memo, Part};
use crate::code::Program;
use crate::kept::Unread;
use crate::object::Kind;
use crate::state::{Encoder, MADE};
use crate::value::{FUNCTION, ObjectId};
use crate::work::{Thread, Work};
use auspex_system::Numbered;
use std::ops::Range;
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
        self.unread.iter().for_each(|it| reach(it.object(), &mut all));
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

impl Memo {
    /// `None` for a step that is not kept.
    pub fn capture(
        &mut self,
        program: &Program,
        allow_leak: bool,
        made: &Made<'_>,
        state: &mut dyn Numbered,
    ) -> Option<KnownStep> {
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
        let mut writes = Vec::with_capacity(written.len());
        for id in written {
            let shared = base.object(id)?.shared;
            writes.push((id, self.object_part(program, work, id, shared, state)?));
        }
        let mut new = Vec::with_capacity(reached.len());
        for id in reached {
            new.push(self.object_part(program, work, id, work.object(id)?.shared, state)?);
        }
        let thread = self.thread_parts(program, made, state)?;
        let mut step = KnownStep {
            writes: writes.into(),
            made: new.into(),
            thread: thread.into(),
            below: made.below,
            unread: self.unread(program, made.unread),
            quiet: 0..0,
        };
        if step.made.is_empty() && !made.ended {
            step.quiet = self.quiet(program, &step, made.index);
        }
        Some(step)
    }

    /// How many objects must be reached from globals, so that a step changes nothing about who reaches what: what is
    /// reached from globals may be pointed to by anything else.
    fn quiet(&self, program: &Program, step: &KnownStep, index: usize) -> Range<usize> {
        let place = |id: &ObjectId| self.part_of(program, *id) - 1;
        let mut quiet = 0..usize::MAX;
        for (id, part) in &step.writes {
            let then = self.facts.get(self.current.facts[self.part_of(program, *id)]);
            let now = self.facts.get(part.1);
            if then.targets != now.targets {
                let (then, now) = (then.targets.iter().map(place), now.targets.iter().map(place));
                // It must not itself be reached from globals.
                quiet.end = quiet.end.min(place(id) + 1);
                quiet.start = quiet.start.max(same_from(then.collect(), now.collect()));
            }
        }
        // What is below changes nothing: the same is reached before what is above.
        let threads = &self.current.threads;
        let above = threads[index] + 1 + step.below..threads[index + 1];
        let head = [self.current.facts[threads[index]]];
        let then = head.into_iter().chain(self.current.facts[above].iter().copied());
        let now = step.thread.iter().map(|part| part.1);
        let roots = |facts: &mut dyn Iterator<Item = FactsId>| -> Vec<usize> {
            facts.flat_map(|facts| self.facts.get(facts).targets.iter().map(place)).collect()
        };
        let roots = same_from(roots(&mut { then }), roots(&mut { now }));
        let unread = step.unread.iter().map(|id| place(id) + 1).max().unwrap_or(0);
        quiet.start.max(roots).max(unread)..quiet.end
    }

    /// What unread variables point to, but for globals and functions, which nobody can lose.
    fn unread(&self, program: &Program, unread: &[Unread]) -> Box<[ObjectId]> {
        let ids = unread.iter().map(Unread::object);
        ids.filter(|id| *id > program.global_count() && id & FUNCTION == 0)
            .map(|id| self.encoder.number_of(program, id))
            .collect()
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
    /// have the numbers that they had.
    fn thread_parts(
        &mut self,
        program: &Program,
        made: &Made<'_>,
        state: &mut dyn Numbered,
    ) -> Option<Vec<Part>> {
        let Some(thread) = made.thread() else { return Some(Vec::new()) };
        let before = &made.base.threads[made.index];
        let (count, old) = (thread.frames.len(), before.frames.len());
        let start = self.current.threads[made.index];
        let mut parts = Vec::with_capacity(count + 1);
        self.encoder.bytes.clear();
        self.encoder.thread_head(program, thread, count);
        parts.push(self.part(Role::Head, state, |encoder| {
            Facts::of_head(program, thread, count, |id| encoder.number_of(program, id))
        })?);
        for (depth, frame) in thread.frames.iter().enumerate().skip(made.below) {
            let top = depth + 1 == count;
            let same = before.frames.get(depth).is_some_and(|before| Rc::ptr_eq(before, frame));
            if same && top == (depth + 1 == old) {
                let at = start + 1 + depth;
                parts.push((self.current.parts[at], self.current.facts[at]));
                continue;
            }
            self.encoder.bytes.clear();
            self.encoder.frame(program, frame, top);
            let role = if top { Role::Top } else { Role::Frame };
            parts.push(self.part(role, state, |encoder| {
                Facts::of_frame(program, frame, |id| encoder.number_of(program, id))
            })?);
        }
        Some(parts)
    }

    /// The part that was just encoded.
    fn part(
        &mut self,
        role: Role,
        state: &mut dyn Numbered,
        new: impl FnOnce(&Encoder) -> Facts,
    ) -> Option<Part> {
        let Memo { facts, encoder, .. } = self;
        let number = state.number(&encoder.bytes)?;
        Some((number, facts.find(role, number, || new(encoder))))
    }
}

/// The least place from which on both lists have the same, each place once, in the same order.
fn same_from(then: Vec<usize>, now: Vec<usize>) -> usize {
    if then == now {
        return 0;
    }
    let distinct = |all: Vec<usize>| {
        let mut seen = Vec::with_capacity(all.len());
        for place in all {
            if !seen.contains(&place) {
                seen.push(place);
            }
        }
        seen
    };
    let (then, now) = (distinct(then), distinct(now));
    let from = |all: &[usize], from: usize| -> Vec<usize> {
        all.iter().copied().filter(|place| *place >= from).collect()
    };
    // The greatest place at which they differ, if any: what is above is the same in both.
    let mut least = 0;
    while from(&then, least) != from(&now, least) {
        let rest = then.iter().chain(&now).copied().filter(|place| *place >= least);
        match rest.min() {
            Some(place) => least = place + 1,
            None => break,
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::same_from;

    #[test]
    fn lists_are_the_same_from_some_place_on() {
        let from = |then: &[usize], now: &[usize]| same_from(then.into(), now.into());
        assert_eq!(from(&[], &[]), 0);
        assert_eq!(from(&[3, 1, 3], &[3, 1]), 0);
        assert_eq!(from(&[1, 3], &[3]), 2);
        assert_eq!(from(&[1, 3], &[3, 1]), 2);
        assert_eq!(from(&[3], &[4, 3]), 5);
    }
}
