//! A state taken apart for work: the objects of the memory and the threads.

use crate::code::Reg;
use crate::object::{Kind, Object};
use crate::value::{ObjectId, Value};
use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

/// Where `setjmp` was called; a jump back needs the frame to be still there.
pub const MAX_THREADS: usize = 64;

/// Who can reach an object: nobody (0), only the n-th thread, or several.
const SHARED: u16 = u16::MAX;

/// Memory for [`Work::mark_shared`].
#[derive(Debug, Default)]
pub struct Owners {
    owner: Vec<u16>,
    open: Vec<(ObjectId, u16)>,
}

/// Something that a step has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    Object(ObjectId),
    /// A frame of its thread, counted from the first.
    Frame(u32),
}

/// What a step has looked at, each once, in order. It is a function of this, and of the last frame of its
/// thread.
#[derive(Debug, Default)]
pub struct Reads {
    is_on: Cell<bool>,
    /// The round in which each object was looked at last.
    rounds: RefCell<Vec<u32>>,
    round: Cell<u32>,
    /// This frame, and those above it, were looked at.
    frame: Cell<usize>,
    order: RefCell<Vec<Read>>,
}

impl Reads {
    /// A thread with so many frames begins.
    pub fn begin(&self, frames: usize) {
        self.frame.set(frames.saturating_sub(1));
        self.order.borrow_mut().clear();
        self.round.set(self.round.get().wrapping_add(1));
        if self.round.get() == 0 {
            self.rounds.borrow_mut().clear();
            self.round.set(1);
        }
        self.is_on.set(true);
    }

    /// What is looked at is noted, or not.
    pub fn turn(&self, on: bool) {
        self.is_on.set(on);
    }

    pub fn order(&self) -> Ref<'_, Vec<Read>> {
        self.order.borrow()
    }

    /// How many frames were not looked at.
    pub fn frames_below(&self) -> usize {
        self.frame.get()
    }

    /// This frame is looked at.
    pub fn note_frame(&self, frame: usize) {
        while self.is_on.get() && self.frame.get() > frame {
            self.frame.set(self.frame.get() - 1);
            self.order.borrow_mut().push(Read::Frame(self.frame.get() as u32));
        }
    }

    #[cold]
    fn note(&self, id: ObjectId) {
        let mut rounds = self.rounds.borrow_mut();
        let index = id as usize;
        if index >= rounds.len() {
            rounds.resize(index + 1, 0);
        }
        if std::mem::replace(&mut rounds[index], self.round.get()) != self.round.get() {
            self.order.borrow_mut().push(Read::Object(id));
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Object `n` is at `n - 1`; `None` where there is none (any more). The first ones are the
    /// globals that can change; constants are not here.
    pub objects: Vec<Option<Rc<Object>>>,
    pub threads: Vec<Rc<Thread>>,
    /// What was raised by the step that led here, if a property looks at it.
    pub raised: Option<Raised>,
    /// The objects that may differ from those of the state that the step began in. New ones need
    /// not be here.
    pub touched: Vec<ObjectId>,
    /// Objects that nobody uses any more: their memory is used again.
    pub spare: Vec<Rc<Object>>,
    pub reads: Rc<Reads>,
}

/// Events, by their numbers in the `Watch`: a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    pub events: u64,
    /// The number of the thread.
    pub by: u8,
}

#[derive(Debug, Default)]
pub struct Thread {
    pub id: u8,
    /// Only the last one changes from step to step: they are shared between states.
    pub frames: Vec<Rc<Frame>>,
    /// How many atomic sections it is in. Always 0 in a state that is stored, but for sections that
    /// a fault or a limit cuts.
    pub atomic: u32,
    /// The user's function that it began with: it is named after it.
    pub start: u16,
    /// Its thread-local variables, made when they are first used; 0 before.
    pub locals: Vec<ObjectId>,
}

impl Clone for Thread {
    fn clone(&self) -> Thread {
        let (frames, locals) = (self.frames.clone(), self.locals.clone());
        Thread { frames, locals, ..*self }
    }

    /// Without a new allocation.
    fn clone_from(&mut self, other: &Thread) {
        self.frames.clone_from(&other.frames);
        self.locals.clone_from(&other.locals);
        (self.id, self.atomic, self.start) = (other.id, other.atomic, other.start);
    }
}

#[derive(Debug, Default)]
pub struct Frame {
    pub function: u32,
    /// The instruction to be executed next; in a frame that waits for a call, the one after it.
    pub pc: u32,
    pub registers: Vec<Value>,
    /// Objects that end with the frame.
    pub owned: Vec<ObjectId>,
    /// The variable arguments, 0 where there are none.
    pub arguments: ObjectId,
    /// Atomic sections that were open when it was entered: they are not left open by a return.
    pub atomic: bool,
    /// Registers that are not read later, but hold what would be lost otherwise: see `kept`.
    pub kept: Vec<Reg>,
}

impl Clone for Frame {
    fn clone(&self) -> Frame {
        let mut frame = Frame::default();
        frame.clone_from(self);
        frame
    }

    /// Without new allocations.
    fn clone_from(&mut self, other: &Frame) {
        self.registers.clone_from(&other.registers);
        self.owned.clone_from(&other.owned);
        self.kept.clone_from(&other.kept);
        (self.function, self.pc) = (other.function, other.pc);
        (self.arguments, self.atomic) = (other.arguments, other.atomic);
    }
}

impl Work {
    /// Memory of more objects than this is given back.
    const MOST_SPARE: usize = 32;

    /// The index of a thread, by its number.
    pub fn thread(&self, id: u8) -> Option<usize> {
        self.threads.iter().position(|thread| thread.id == id)
    }

    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        let object = self.objects.get((id as usize).wrapping_sub(1))?.as_deref();
        if self.reads.is_on.get() {
            self.reads.note(id);
        }
        object
    }

    /// For writing: a copy is made if others see it.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let object = self.objects.get_mut((id as usize).wrapping_sub(1))?.as_mut()?;
        if self.reads.is_on.get() {
            self.reads.note(id);
        }
        if Rc::strong_count(object) > 1 {
            self.touched.push(id);
            if let Some(mut copy) = self.spare.pop() {
                Rc::make_mut(&mut copy).clone_from(object);
                *object = copy;
            }
        }
        Some(Rc::make_mut(object))
    }

    /// Becomes the state that `base` is, which it was before the step.
    pub fn undo(&mut self, base: &Work) {
        self.objects.truncate(base.objects.len());
        for id in self.touched.drain(..) {
            let slot = id as usize - 1;
            if let (Some(mine), Some(its)) = (self.objects.get_mut(slot), base.objects.get(slot)) {
                let used = std::mem::replace(mine, its.clone());
                if let Some(mut used) = used.filter(|_| self.spare.len() < Self::MOST_SPARE)
                    && Rc::get_mut(&mut used).is_some()
                {
                    self.spare.push(used);
                }
            }
        }
        self.raised = None;
    }

    /// Becomes a state that it may have nothing to do with.
    pub fn load(&mut self, base: &Work) {
        self.undo(base);
        // Most objects are those of the state before.
        self.objects.resize(base.objects.len(), None);
        for (mine, its) in self.objects.iter_mut().zip(&base.objects) {
            let same = match (&*mine, its) {
                (Some(mine), Some(its)) => Rc::ptr_eq(mine, its),
                (None, None) => true,
                _ => false,
            };
            if !same {
                mine.clone_from(its);
            }
        }
        self.threads.clone_from(&base.threads);
    }

    pub fn add_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(Some(Rc::new(object)));
        self.objects.len() as ObjectId
    }

    /// Everything that can be reached from an object may be seen by other threads from now on.
    pub fn share(&mut self, id: ObjectId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Some(object) = self.object(id) else { continue };
            if object.shared || object.kind.is_dead() {
                continue;
            }
            open.extend(object.pointers.iter().map(|pointer| pointer.object));
            if let Some(object) = self.object_mut(id) {
                object.shared = true;
            }
        }
    }

    /// The pointers in the registers and thread-local variables of a thread, in order.
    pub fn each_root(&self, thread: &Thread, mut each: impl FnMut(ObjectId)) {
        thread.locals.iter().filter(|id| **id != 0).for_each(|id| each(*id));
        for frame in &thread.frames {
            if frame.arguments != 0 {
                each(frame.arguments);
            }
            for value in &frame.registers {
                if value.object != 0 {
                    each(value.object);
                }
            }
        }
    }

    /// Marks what more than one thread can reach, or one that is not `Kind::Stack`... exactly: an
    /// object is shared if it can be reached from a global, or from two threads.
    pub fn mark_shared(&mut self, globals: usize, memory: &mut Owners) {
        let count = self.objects.len();
        let Owners { owner, open } = memory;
        owner.clear();
        owner.resize(count, 0);
        for id in 1..=globals.min(count) {
            open.push((id as ObjectId, SHARED));
        }
        self.spread(owner, open);
        for (index, thread) in self.threads.iter().enumerate() {
            self.each_root(thread, |id| open.push((id, index as u16 + 1)));
            self.spread(owner, open);
        }
        for (id, owner) in (1..).zip(owner.iter()) {
            let shared = *owner == SHARED;
            if self.object(id).is_some_and(|it| it.shared != shared && !it.kind.is_dead())
                && let Some(object) = self.object_mut(id)
            {
                object.shared = shared;
            }
        }
    }

    fn spread(&self, owner: &mut [u16], open: &mut Vec<(ObjectId, u16)>) {
        while let Some((id, by)) = open.pop() {
            let Some(mine) = owner.get_mut((id as usize).wrapping_sub(1)) else { continue };
            let now = match *mine {
                0 => by,
                other if other == by => continue,
                SHARED => continue,
                _ => SHARED,
            };
            *mine = now;
            if let Some(object) = self.object(id) {
                open.extend(object.pointers.iter().map(|pointer| (pointer.object, now)));
            }
        }
    }

    /// The variables of a frame that returns are gone.
    pub fn end_frame(&mut self, frame: &Frame, site: u32) {
        for id in &frame.owned {
            if let Some(object) = self.object_mut(*id) {
                object.die(Kind::Gone, site);
            }
        }
    }
}
