//! What is known of parts: whom they point to. States are numbered anew without looking at bytes.

use crate::code::Program;
use crate::object::{Kind, Object};
use crate::state::{Decoder, RAISED};
use crate::value::{FUNCTION, ObjectId};
use crate::work::{Frame, Thread};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What a part of a state is: the same bytes mean something else in another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The first part.
    Start,
    /// The n-th global variable, from 0.
    Global(u32),
    Object,
    /// The head of a thread.
    Head,
    /// A frame that waits for a call.
    Frame,
    /// The last frame of a thread.
    Top,
}

impl Role {
    pub fn number(self) -> u32 {
        match self {
            Role::Start => 0,
            Role::Object => 1,
            Role::Head => 2,
            Role::Frame => 3,
            Role::Top => 4,
            Role::Global(index) => 5 + index,
        }
    }
}

#[derive(Debug, Default)]
pub struct Facts {
    /// What it points to, but for globals and functions: each object once, in order.
    pub targets: Box<[ObjectId]>,
    /// The objects that end with a frame.
    pub owned: Box<[ObjectId]>,
    /// The greatest of all these.
    pub last: ObjectId,
    /// An object of the heap.
    pub heap: bool,
    pub dead: bool,
    pub shared: bool,
    /// A frame with registers that are only kept: see `kept`.
    pub kept: bool,
    /// How many objects a state has, or how many frames a thread.
    pub count: usize,
    /// How many threads a state has, or the number of a thread.
    pub id: u8,
    /// An event was raised.
    pub raised: bool,
}

/// Where facts are.
pub type FactsId = u32;

#[derive(Debug, Default)]
pub struct AllFacts {
    known: FxHashMap<u64, FactsId>,
    all: Vec<Facts>,
}

impl AllFacts {
    pub fn clear(&mut self) {
        *self = AllFacts::default();
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    #[inline]
    pub fn get(&self, id: FactsId) -> &Facts {
        &self.all[id as usize]
    }

    /// Those of the part with a number; they are asked for if nothing is known of it.
    pub fn find(&mut self, role: Role, number: u32, new: impl FnOnce() -> Facts) -> FactsId {
        match self.known.entry(u64::from(role.number()) << 32 | u64::from(number)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let id = self.all.len() as FactsId;
                let mut new = new();
                new.last = new.targets.iter().chain(&new.owned).copied().max().unwrap_or(0);
                self.all.push(new);
                *place.insert(id)
            }
        }
    }
}

impl Facts {
    /// Does another part in the same place change nothing about who reaches what?
    pub fn is_like(&self, other: &Facts) -> bool {
        self.targets == other.targets
            && (self.shared, self.dead, self.kept) == (other.shared, other.dead, other.kept)
    }

    /// Those of a part with these bytes.
    pub fn of(program: &Program, role: Role, bytes: &[u8]) -> Facts {
        let mut decoder = Decoder { program, bytes, at: 0 };
        let none = Facts::default();
        match role {
            Role::Start => {
                let (threads, objects) = (decoder.u8(), decoder.u32() as usize);
                let (id, raised) = (threads & !RAISED, threads & RAISED != 0);
                Facts { id, raised, count: objects, ..none }
            }
            Role::Global(_) | Role::Object => {
                let global = match role {
                    Role::Global(index) => Some(index as usize),
                    _ => None,
                };
                let object = decoder.object(global);
                Facts::of_object(program, &object, object.shared, |id| id)
            }
            Role::Head => {
                let (thread, count) = decoder.thread_head();
                Facts::of_head(program, &thread, count, |id| id)
            }
            Role::Frame => Facts::of_frame(program, &decoder.frame(false), |id| id),
            Role::Top => Facts::of_frame(program, &decoder.frame(true), |id| id),
        }
    }

    /// Those of an object; `number` gives the numbers that objects have in its part.
    pub fn of_object(
        program: &Program,
        object: &Object,
        shared: bool,
        number: impl Fn(ObjectId) -> ObjectId,
    ) -> Facts {
        let targets = distinct(program, object.pointers.iter().map(|it| number(it.object)));
        let (heap, dead) = (object.kind == Kind::Heap, object.kind.is_dead());
        Facts { targets, heap, dead, shared: shared && !dead, ..Facts::default() }
    }

    pub fn of_head(
        program: &Program,
        thread: &Thread,
        count: usize,
        number: impl Fn(ObjectId) -> ObjectId,
    ) -> Facts {
        let targets = distinct(program, thread.locals.iter().map(|id| number(*id)));
        Facts { targets, count, id: thread.id, ..Facts::default() }
    }

    pub fn of_frame(
        program: &Program,
        frame: &Frame,
        number: impl Fn(ObjectId) -> ObjectId,
    ) -> Facts {
        let registers = frame.registers.iter().map(|value| value.object).filter(|id| *id != 0);
        let roots = [frame.arguments].into_iter().chain(registers);
        let targets = distinct(program, roots.map(&number));
        let owned = frame.owned.iter().map(|id| number(*id)).filter(|id| *id != 0);
        Facts { targets, owned: owned.collect(), kept: !frame.kept.is_empty(), ..Facts::default() }
    }
}

/// Objects that may have other numbers in the next state, each once.
fn distinct(program: &Program, ids: impl Iterator<Item = ObjectId>) -> Box<[ObjectId]> {
    let mut all = Vec::new();
    for id in ids.filter(|id| *id > program.global_count() && id & FUNCTION == 0) {
        if !all.contains(&id) {
            all.push(id);
        }
    }
    all.into()
}
