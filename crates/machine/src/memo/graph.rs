//! Who reaches what: the numbers that objects get, and which of them threads share.
//!
//! The same as `Encoder::renumber` and `Work::mark_shared` in one go, on forms.

use super::facts::{AllFacts, FormId};
use crate::code::Program;
use crate::state::MADE;
use crate::value::ObjectId;

/// The owner of an object that a global, or more than one thread, reaches.
const SHARED: u16 = u16::MAX;

/// The objects of a state and of a step from it. They have *places*: first the global variables, then
/// the other objects of the state, then those that the step has made.
#[derive(Debug, Default)]
pub struct Graph {
    /// The number of each place; 0: not reached.
    numbers: Vec<ObjectId>,
    /// Who reaches it: one more than the thread, or `SHARED`.
    owners: Vec<u16>,
    /// The places in their new order.
    pub order: Vec<u32>,
    spread: Vec<u32>,
    constants: u32,
    globals: u32,
    /// How many objects the state has.
    old: usize,
}

impl Graph {
    /// Finds out about objects with these forms; the first `old` are those of the state. `threads` has
    /// the parts of each thread.
    pub fn explore<'a>(
        &mut self,
        program: &Program,
        facts: &AllFacts,
        objects: &[FormId],
        old: usize,
        threads: impl Iterator<Item = &'a [FormId]> + Clone,
    ) {
        let variable = program.variable_globals;
        (self.globals, self.constants) =
            (program.global_count(), program.global_count() - variable);
        self.old = old;
        self.numbers.clear();
        self.numbers.extend(1..=variable);
        self.numbers.resize(objects.len(), 0);
        self.owners.clear();
        self.owners.resize(variable as usize, SHARED);
        self.owners.resize(objects.len(), 0);
        self.order.clear();
        self.order.extend(0..variable);
        let mut done = 0;
        self.follow(facts, objects, &mut done);
        let mut keeps = false;
        for (index, parts) in threads.clone().enumerate() {
            for part in parts {
                let form = facts.form(*part);
                keeps |= !form.kept.is_empty();
                for target in &form.targets {
                    self.reach(facts, objects, *target, index as u16 + 1);
                }
            }
            self.follow(facts, objects, &mut done);
        }
        if keeps {
            self.own_anew(facts, objects, threads);
        }
    }

    /// Who owns what, if registers that are only kept do not count: they get numbers, but share nothing.
    fn own_anew<'a>(
        &mut self,
        facts: &AllFacts,
        objects: &[FormId],
        threads: impl Iterator<Item = &'a [FormId]>,
    ) {
        let variable = (self.globals - self.constants) as usize;
        self.owners[variable..].fill(0);
        for global in &objects[..variable] {
            for target in &facts.form(*global).targets {
                self.own(facts, objects, *target, SHARED);
            }
        }
        for (index, parts) in threads.enumerate() {
            for form in parts.iter().map(|part| facts.form(*part)) {
                let held = if form.kept.is_empty() { &form.targets } else { &form.held };
                for target in held {
                    self.own(facts, objects, *target, index as u16 + 1);
                }
            }
        }
    }

    /// All that is reached from an object is owned by somebody, too.
    fn own(&mut self, facts: &AllFacts, objects: &[FormId], id: ObjectId, by: u16) {
        let mut open = vec![self.place(id)];
        while let Some(place) = open.pop() {
            match self.owners.get(place) {
                Some(0) => {
                    self.owners[place] = by;
                    let targets = &facts.form(objects[place]).targets;
                    open.extend(targets.iter().map(|target| self.place(*target)));
                }
                Some(owner) if *owner != by && *owner != SHARED => {
                    self.share(facts, objects, place);
                }
                _ => {}
            }
        }
    }

    /// The place of an object that is neither a constant nor a function.
    #[inline]
    pub fn place(&self, id: ObjectId) -> usize {
        match id & MADE {
            0 if id <= self.globals => id as usize - 1,
            0 => (id - self.constants) as usize - 1,
            _ => self.old + (id & !MADE) as usize,
        }
    }

    /// The new number of an object; 0 for one that is not reached.
    #[inline]
    pub fn number(&self, id: ObjectId) -> ObjectId {
        self.numbers.get(self.place(id)).copied().unwrap_or(0)
    }

    #[inline]
    pub fn number_at(&self, place: usize) -> ObjectId {
        self.numbers[place]
    }

    #[inline]
    pub fn is_shared(&self, place: usize) -> bool {
        self.owners.get(place) == Some(&SHARED)
    }

    #[inline]
    fn reach(&mut self, facts: &AllFacts, objects: &[FormId], id: ObjectId, by: u16) {
        let place = self.place(id);
        match self.owners.get(place) {
            None => {}
            Some(0) => {
                self.owners[place] = by;
                self.order.push(place as u32);
                self.numbers[place] = self.order.len() as ObjectId + self.constants;
            }
            Some(owner) if *owner == by || *owner == SHARED => {}
            Some(_) => self.share(facts, objects, place),
        }
    }

    /// All that is reached from here so far is shared. The rest will be: what is not reached yet is
    /// reached from something that is still to be followed.
    fn share(&mut self, facts: &AllFacts, objects: &[FormId], place: usize) {
        self.owners[place] = SHARED;
        self.spread.push(place as u32);
        while let Some(place) = self.spread.pop() {
            for target in &facts.form(objects[place as usize]).targets {
                let target = self.place(*target);
                if self.owners.get(target).is_some_and(|owner| *owner != 0 && *owner != SHARED) {
                    self.owners[target] = SHARED;
                    self.spread.push(target as u32);
                }
            }
        }
    }

    fn follow(&mut self, facts: &AllFacts, objects: &[FormId], done: &mut usize) {
        while let Some(place) = self.order.get(*done).map(|place| *place as usize) {
            *done += 1;
            for target in &facts.form(objects[place]).targets {
                // Its owner may have become another since it was reached.
                self.reach(facts, objects, *target, self.owners[place]);
            }
        }
    }
}
