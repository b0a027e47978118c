//! Numbers for the objects of the heap that stay the same along a trace.
//!
//! A state numbers its objects in the order in which they are reached, which changes from state to
//! state. People want `struct node #1` to be the same node all the way.

use crate::object::Kind;
use crate::value::ObjectId;
use crate::work::Work;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// More states than this are not remembered.
const MOST_STATES: usize = 20_000;

#[derive(Clone, Debug, Default)]
pub struct Labels {
    of: FxHashMap<ObjectId, u32>,
    /// The first number that is free.
    next: u32,
    /// How many objects there were: later ones are numbered in order.
    objects: usize,
}

impl Labels {
    /// For a state of which nothing is known.
    fn fresh(work: &Work) -> Labels {
        let mut labels = Labels { next: 1, ..Labels::default() };
        labels.of = labels.later(work).collect();
        labels.next += labels.of.len() as u32;
        labels.objects = work.objects.len();
        labels
    }

    /// Objects that came to be during the step, with their numbers.
    fn later<'w>(&self, work: &'w Work) -> impl Iterator<Item = (ObjectId, u32)> + use<'w> {
        let objects = work.objects.iter().enumerate().skip(self.objects);
        let heap = objects.filter(|(_, object)| {
            object.as_ref().is_some_and(|object| matches!(object.kind, Kind::Heap | Kind::Freed))
        });
        heap.map(|(index, _)| index as ObjectId + 1).zip(self.next..)
    }

    pub fn get(&self, work: &Work, id: ObjectId) -> u32 {
        match self.of.get(&id) {
            Some(label) => *label,
            None => self.later(work).find(|(later, _)| *later == id).map_or(0, |(_, label)| label),
        }
    }

    /// After a step: `numbers` says what objects are called in the new state.
    fn after(&self, work: &Work, numbers: &[ObjectId]) -> Labels {
        let now = |id: ObjectId| numbers.get((id as usize).wrapping_sub(1)).copied().unwrap_or(0);
        let later: Vec<_> = self.later(work).collect();
        let all = self.of.iter().map(|(id, label)| (*id, *label)).chain(later.iter().copied());
        let of: FxHashMap<_, _> = all.map(|(id, label)| (now(id), label)).filter(|(id, _)| *id != 0).collect();
        let objects = of.keys().copied().max().unwrap_or(0).max(numbers.iter().copied().max().unwrap_or(0));
        Labels { of, next: self.next + later.len() as u32, objects: objects as usize }
    }
}

/// The numbers in the states that were shown.
#[derive(Debug, Default)]
pub struct Memory {
    states: Mutex<FxHashMap<Vec<u8>, Arc<Labels>>>,
}

impl Memory {
    pub fn of(&self, state: &[u8], work: &Work) -> Arc<Labels> {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        states.get(state).cloned().unwrap_or_else(|| Arc::new(Labels::fresh(work)))
    }

    /// A step from a state with these labels has led to another one.
    pub fn follow(&self, labels: &Labels, work: &Work, numbers: &[ObjectId], state: &[u8]) {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        if states.len() >= MOST_STATES {
            states.clear();
        }
        // Another way to the same state must not rename what is on the screen.
        states.entry(state.to_vec()).or_insert_with(|| Arc::new(labels.after(work, numbers)));
    }
}
