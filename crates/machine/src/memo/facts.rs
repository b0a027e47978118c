//! What is known of parts: whom they point to. States are numbered anew without looking at bytes.

use super::sequences::Sequences;
use super::table::Table;
use crate::code::Program;
use crate::object::{Kind, Object};
use crate::state::{Decoder, RAISED};
use crate::value::{FUNCTION, ObjectId};
use crate::work::{Frame, Thread};

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

    /// That of an object, by its place.
    pub fn at(program: &Program, place: usize) -> Role {
        match (place as u32) < program.variable_globals {
            true => Role::Global(place as u32),
            false => Role::Object,
        }
    }
}

/// All about a part that concerns who reaches what. Few parts differ in that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// What it points to, but for globals and functions: each object once, in order.
    pub targets: Box<[ObjectId]>,
    /// The objects that end with a frame.
    pub owned: Box<[ObjectId]>,
    /// If there are registers that are only kept (see `kept`): the targets of these, and those of all others.
    pub kept: Box<[ObjectId]>,
    pub held: Box<[ObjectId]>,
    /// An object of the heap.
    pub heap: bool,
    pub dead: bool,
    pub shared: bool,
}

/// The number of a form.
pub type FormId = u32;

#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    pub form: FormId,
    /// How many objects a state has, or how many frames a thread.
    pub count: u32,
    /// How many threads a state has, or the number of a thread.
    pub id: u8,
    /// An event was raised.
    pub raised: bool,
}

/// Where facts are.
pub type FactsId = u32;

#[derive(Debug, Default)]
pub struct AllFacts {
    /// By role and number.
    known: Table,
    all: Vec<Facts>,
    form_numbers: Sequences,
    forms: Vec<Form>,
    key: Vec<u32>,
}

impl AllFacts {
    pub fn bytes(&self) -> usize {
        let forms = self.form_numbers.bytes() + self.forms.len() * 2 * size_of::<Form>();
        self.known.bytes() + self.all.len() * size_of::<Facts>() + forms
    }

    #[inline]
    pub fn get(&self, id: FactsId) -> Facts {
        self.all[id as usize]
    }

    #[inline]
    pub fn form(&self, id: FormId) -> &Form {
        &self.forms[id as usize]
    }

    /// Those of the part with a number; they are asked for if nothing is known of it.
    #[inline]
    pub fn find(
        &mut self,
        role: Role,
        number: u32,
        new: impl FnOnce() -> (Facts, Form),
    ) -> FactsId {
        if let Some(known) = self.known.get(role.number(), number) {
            return known;
        }
        let id = self.all.len() as FactsId;
        let (facts, form) = new();
        let form = self.form_id(form);
        self.all.push(Facts { form, ..facts });
        self.known.insert(role.number(), number, id);
        id
    }

    fn form_id(&mut self, form: Form) -> FormId {
        let flags = [form.heap, form.dead, form.shared].map(u32::from);
        self.key.clear();
        self.key.push(flags[0] | flags[1] << 1 | flags[2] << 2);
        for ids in [&form.targets, &form.owned, &form.kept, &form.held] {
            self.key.push(ids.len() as u32);
            self.key.extend_from_slice(ids);
        }
        let number = self.form_numbers.number(&self.key);
        if number as usize == self.forms.len() {
            self.forms.push(form);
        }
        number
    }
}

impl Facts {
    /// Those of a part with these bytes.
    pub fn of(program: &Program, role: Role, bytes: &[u8]) -> (Facts, Form) {
        let mut decoder = Decoder { program, bytes, at: 0 };
        match role {
            Role::Start => {
                let (threads, count) = (decoder.u8(), decoder.u32());
                let (id, raised) = (threads & !RAISED, threads & RAISED != 0);
                (Facts { id, raised, count, ..Facts::default() }, Form::default())
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
    ) -> (Facts, Form) {
        let targets = distinct(program, object.pointers.iter().map(|it| number(it.object)));
        let (heap, dead) = (object.kind == Kind::Heap, object.kind.is_dead());
        let form = Form { targets, heap, dead, shared: shared && !dead, ..Form::default() };
        (Facts::default(), form)
    }

    pub fn of_head(
        program: &Program,
        thread: &Thread,
        count: usize,
        number: impl Fn(ObjectId) -> ObjectId,
    ) -> (Facts, Form) {
        let targets = distinct(program, thread.locals.iter().map(|id| number(*id)));
        let facts = Facts { count: count as u32, id: thread.id, ..Facts::default() };
        (facts, Form { targets, ..Form::default() })
    }

    pub fn of_frame(
        program: &Program,
        frame: &Frame,
        number: impl Fn(ObjectId) -> ObjectId,
    ) -> (Facts, Form) {
        let registers = (0..).zip(&frame.registers).filter(|(_, value)| value.object != 0);
        let registers = registers.map(|(register, value)| (register, number(value.object)));
        let roots = [number(frame.arguments)].into_iter();
        let targets = distinct(program, roots.clone().chain(registers.clone().map(|it| it.1)));
        let owned = frame.owned.iter().map(|id| number(*id)).filter(|id| *id != 0).collect();
        let mut form = Form { targets, owned, ..Form::default() };
        if !frame.kept.is_empty() {
            let (kept, held): (Vec<_>, Vec<_>) =
                registers.partition(|it| frame.kept.contains(&it.0));
            form.kept = distinct(program, kept.into_iter().map(|it| it.1));
            form.held = distinct(program, roots.chain(held.into_iter().map(|it| it.1)));
        }
        (Facts::default(), form)
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
