//! The state that a step leads to, made of the one that it began in.
//!
//! Most steps write a number somewhere and move one thread on: who can reach what, and so how
//! objects are numbered, stays as it is. Then only the parts that the step touched are encoded, the
//! others are copied. Any other step renumbers all objects; also then, parts in which no number
//! changes are copied.

use crate::code::Program;
use crate::object::Object;
use crate::reach::{Graph, Settled};
use crate::state::{Encoder, SHARED};
use crate::value::ObjectId;
use crate::work::{Thread, Work};
use auspex_system::{NO_KIN, StateRef};
use std::rc::Rc;

/// The state that is expanded, in both forms.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    pub work: &'a Work,
    pub state: StateRef<'a>,
    /// The part at which each thread begins, and where the last one ends.
    pub threads: &'a [usize],
}

impl Base<'_> {
    /// The part of an object.
    fn part_of(&self, program: &Program, id: ObjectId) -> usize {
        match id <= program.variable_globals {
            true => id as usize,
            false => id as usize + program.variable_globals as usize - program.globals.len(),
        }
    }

    /// Would an object that has not changed have other bytes in the next state? In the state in
    /// which it dies it is still marked as shared if it was, in later ones it is not.
    pub fn fades(&self, program: &Program, id: ObjectId, object: &Object) -> bool {
        let start = || self.state.cuts[self.part_of(program, id) - 1] as usize;
        object.kind.is_dead() && self.state.bytes[start()] & SHARED != 0
    }
}

impl Encoder {
    /// Copies the parts `from..to` of the state that was expanded.
    fn copy(&mut self, state: StateRef<'_>, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let begin = |part: usize| match part.checked_sub(1) {
            Some(before) => state.cuts.get(before).map_or(state.bytes.len(), |at| *at as usize),
            None => 0,
        };
        let (start, end) = (begin(from), begin(to));
        let shift = (self.bytes.len() as u32).wrapping_sub(start as u32);
        self.bytes.extend_from_slice(&state.bytes[start..end]);
        // The first part has no cut before it.
        let cuts = &state.cuts[from.max(1) - 1..to - 1];
        self.cuts.extend(cuts.iter().map(|cut| cut.wrapping_add(shift)));
        self.kin.extend(from as u32..to as u32);
    }

    /// A part that is new begins here.
    fn fresh(&mut self) {
        self.cut();
        self.kin.push(NO_KIN);
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.cuts.clear();
        self.kin.clear();
        self.kept = 0..0;
    }

    fn new_head(&mut self, base: Base<'_>, work: &Work, objects: u32) {
        let same = work.raised.is_none()
            && base.work.raised.is_none()
            && work.threads.len() == base.work.threads.len()
            && self.has_objects(base.state, objects);
        match same {
            true => self.keep(base.state, 0, 1),
            false => {
                self.head(work, objects);
                self.kin.push(NO_KIN);
            }
        }
    }

    /// A state in which all objects are reached as in the one before: `Settled::stays`.
    pub fn encode_touched(
        &mut self,
        program: &Program,
        base: Base<'_>,
        settled: &Settled,
        work: &mut Work,
        moved: usize,
    ) {
        self.clear();
        self.keep_numbers(base.work);
        let constants = program.global_count() - program.variable_globals;
        self.new_head(base, work, base.work.objects.len() as u32 - constants);
        work.touched.extend_from_slice(&settled.fading);
        work.touched.sort_unstable();
        work.touched.dedup();
        let mut next = 1;
        for at in 0..work.touched.len() {
            let id = work.touched[at];
            let Some(before) = base.work.object(id) else { break };
            let index = base.part_of(program, id);
            self.keep(base.state, next, index);
            next = index + 1;
            // What is written through a pointer may have been shared for a while.
            if work.object(id).is_some_and(|it| it.shared != before.shared && !it.kind.is_dead())
                && let Some(object) = work.object_mut(id)
            {
                object.shared = before.shared;
            }
            self.flush(base.state);
            self.fresh();
            if let Some(object) = work.object(id) {
                self.object(program, object, id <= program.variable_globals);
            }
        }
        self.keep(base.state, next, base.threads[moved]);
        if work.threads.len() == base.work.threads.len() {
            self.moved(program, base, &work.threads[moved], moved);
        }
        let end = base.threads.last().copied().unwrap_or(0);
        self.keep(base.state, base.threads[moved + 1], end);
        self.flush(base.state);
    }

    /// A thread that has moved, whose objects all have the numbers that they had.
    fn moved(&mut self, program: &Program, base: Base<'_>, thread: &Thread, index: usize) {
        let (before, start) = (&base.work.threads[index], base.threads[index]);
        match before.has_head_of(thread) {
            true => self.keep(base.state, start, start + 1),
            false => {
                self.flush(base.state);
                self.fresh();
                self.thread_head(program, thread);
            }
        }
        let (count, old) = (thread.frames.len(), before.frames.len());
        for (depth, frame) in thread.frames.iter().enumerate() {
            let top = depth + 1 == count;
            let same = before.frames.get(depth).is_some_and(|before| Rc::ptr_eq(before, frame));
            if same && top == (depth + 1 == old) {
                self.keep(base.state, start + 1 + depth, start + 2 + depth);
            } else {
                self.flush(base.state);
                self.fresh();
                self.frame(program, frame, top);
            }
        }
    }

    /// Any state that a step leads to.
    pub fn encode_renumbered(
        &mut self,
        program: &Program,
        base: Base<'_>,
        settled: &mut Settled,
        work: &Work,
        moved: usize,
    ) {
        self.renumber_graph(program, &Graph::of(settled, program, work, moved));
        self.clear();
        self.new_head(base, work, self.order.len() as u32);
        // Do all objects that were there have the numbers that they had?
        let same = self.keeps_numbers(program, base.work);
        let order = std::mem::take(&mut self.order);
        for id in order.iter().copied() {
            let global = id <= program.variable_globals;
            let Some(object) = work.object(id) else { continue };
            let known = base.work.objects.get(id as usize - 1).and_then(Option::as_ref);
            let untouched = known.is_some_and(|known| std::ptr::eq(&**known, object))
                && (same || object.pointers.iter().all(|it| self.keeps(program, it.object)))
                && !base.fades(program, id, object);
            if untouched {
                let index = base.part_of(program, id);
                self.keep(base.state, index, index + 1);
            } else {
                self.flush(base.state);
                self.fresh();
                self.object(program, object, global);
            }
        }
        self.order = order;
        for (index, thread) in work.threads.iter().enumerate() {
            // A thread that has ended is not there.
            let ended = index >= moved && work.threads.len() < base.work.threads.len();
            let old = index + usize::from(ended);
            let before = base.work.threads.get(old);
            if before.is_some_and(|before| Rc::ptr_eq(before, thread))
                && (same || self.keeps_all_of(program, work, thread))
            {
                self.keep(base.state, base.threads[old], base.threads[old + 1]);
            } else if same && index == moved && old == moved && before.is_some() {
                self.moved(program, base, thread, moved);
            } else {
                self.flush(base.state);
                self.fresh();
                self.thread_head(program, thread);
                for (depth, frame) in thread.frames.iter().enumerate() {
                    self.fresh();
                    self.frame(program, frame, depth + 1 == thread.frames.len());
                }
            }
        }
        self.flush(base.state);
    }

    /// The same as `renumber`.
    fn renumber_graph(&mut self, program: &Program, graph: &Graph<'_>) {
        self.start_numbers(program, graph.work);
        let constants = graph.globals - graph.variable;
        let (numbers, order) = (&mut self.numbers, &mut self.order);
        let mut reach = |id: ObjectId, order: &mut Vec<ObjectId>| {
            if let Some(number @ 0) = numbers.get_mut(id as usize - 1) {
                order.push(id);
                *number = order.len() as ObjectId + constants;
            }
        };
        let mut done = 0;
        for thread in 0..=graph.work.threads.len() {
            while let Some(id) = order.get(done).copied() {
                done += 1;
                graph.each_target(id, |id| reach(id, order));
            }
            if thread < graph.work.threads.len() {
                graph.each_root(thread, |id| reach(id, order));
            }
        }
        while let Some(id) = order.get(done).copied() {
            done += 1;
            graph.each_target(id, |id| reach(id, order));
        }
    }

    /// The parts `from..to` follow: copied as late as possible, many at a time.
    fn keep(&mut self, state: StateRef<'_>, from: usize, to: usize) {
        if self.kept.end != from {
            self.flush(state);
            self.kept.start = from;
        }
        self.kept.end = to;
    }

    fn flush(&mut self, state: StateRef<'_>) {
        let kept = std::mem::take(&mut self.kept);
        self.copy(state, kept.start, kept.end);
    }

    fn keeps(&self, program: &Program, id: ObjectId) -> bool {
        self.number_of(program, id) == id
    }

    fn keeps_all_of(&self, program: &Program, work: &Work, thread: &Thread) -> bool {
        let mut keeps = true;
        work.each_root(thread, |id| keeps &= self.keeps(program, id));
        let mut owned = thread.frames.iter().flat_map(|frame| &frame.owned);
        keeps && owned.all(|id| self.keeps(program, *id))
    }
}
