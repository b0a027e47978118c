//! Registers that are not read later. They are no part of a state; but memory that only such a
//! variable points to is not lost as long as the variable is there: its function may run for ever,
//! or end with the whole program.

use crate::code::{Program, Reg};
use crate::object::Kind;
use crate::state::live;
use crate::value::{ObjectId, Value};
use crate::work::{Frame, Thread, Work};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A variable that is not read later and points to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    pub thread: usize,
    pub frame: usize,
    register: Reg,
    value: Value,
}

impl Unread {
    /// What it points to.
    pub fn object(&self) -> ObjectId {
        self.value.object
    }

    /// Its frame has the register again.
    pub fn put_into(&self, frame: &mut Frame) {
        frame.registers[self.register as usize] = self.value;
        frame.kept.push(self.register);
    }
}

/// Empties the registers that are not read later: what they pointed to is not reached by them.
/// Thread number `moved` is the only one that has moved since the state was read, when it was
/// `before`.
pub fn clear(
    program: &Program,
    optimised: bool,
    work: &mut Work,
    (moved, before): (usize, &Thread),
    unread: &mut Vec<Unread>,
) {
    unread.clear();
    for (index, thread) in work.threads.iter_mut().enumerate() {
        if index == moved {
            clear_all(program, optimised, thread, (index, before), unread);
        } else if thread.frames.iter().any(|frame| !frame.kept.is_empty()) {
            clear_kept(thread, index, unread);
        }
    }
}

/// Each dead register of a thread; those of variables are noted. (Which they are in optimised code
/// nobody knows.)
fn clear_all(
    program: &Program,
    optimised: bool,
    thread: &mut Rc<Thread>,
    (index, before): (usize, &Thread),
    unread: &mut Vec<Unread>,
) {
    let thread = Rc::make_mut(thread);
    let count = thread.frames.len();
    for (depth, frame) in thread.frames.iter_mut().enumerate() {
        let top = depth + 1 == count;
        let unchanged = before.frames.get(depth).is_some_and(|then| Rc::ptr_eq(then, frame))
            && top == (depth + 1 == before.frames.len());
        if unchanged && frame.kept.is_empty() {
            continue;
        }
        // A frame that is this thread's own needs no copy, whatever there is to clear.
        if Rc::strong_count(frame) > 1 {
            let is_null = |value: &Value| *value == Value::NULL;
            let (mut at, mut clean) = (0, true);
            for reg in live(program, frame, top) {
                clean &= frame.registers[at..reg as usize].iter().all(is_null);
                at = reg as usize + 1;
            }
            if clean && frame.registers[at..].iter().all(is_null) {
                continue;
            }
        }
        let live = live(program, frame, top);
        let variables = &program.functions[frame.function as usize].locals;
        let frame = Rc::make_mut(frame);
        frame.kept.clear();
        let registers = &mut frame.registers;
        let mut clear = |range: std::ops::Range<usize>| {
            let first = range.start as Reg;
            for (register, place) in (first..).zip(&mut registers[range]) {
                let value = std::mem::take(place);
                if value.object != 0 && (optimised || variables.iter().any(|it| it.is(register))) {
                    unread.push(Unread { thread: index, frame: depth, register, value });
                }
            }
        };
        let mut at = 0;
        for reg in live {
            clear(at..reg as usize);
            at = reg as usize + 1;
        }
        let end = program.functions[frame.function as usize].registers.len();
        clear(at..end);
    }
}

/// What a thread that has not moved holds only for this.
fn clear_kept(thread: &mut Rc<Thread>, index: usize, unread: &mut Vec<Unread>) {
    let frames = Rc::make_mut(thread).frames.iter_mut().enumerate();
    for (depth, frame) in frames.filter(|(_, frame)| !frame.kept.is_empty()) {
        let frame = Rc::make_mut(frame);
        for register in std::mem::take(&mut frame.kept) {
            let value = std::mem::take(&mut frame.registers[register as usize]);
            unread.push(Unread { thread: index, frame: depth, register, value });
        }
    }
}

/// Puts those back that lead to heap memory of their thread alone, or of nobody. `Work::mark_shared`
/// comes first.
///
/// Not only to what is lost now: it may hang on a register in the middle of a statement, or on the
/// parameter of a function that is about to return. What others can reach as well is left to them:
/// to keep all pointers to it would make many states of one.
pub fn put_back(work: &mut Work, unread: &[Unread]) {
    for it in unread {
        if leads_to_own_heap(work, it.value.object) {
            let frame = &mut Rc::make_mut(&mut work.threads[it.thread]).frames[it.frame];
            it.put_into(Rc::make_mut(frame));
        }
    }
}

fn leads_to_own_heap(work: &Work, from: ObjectId) -> bool {
    let mut open = vec![from];
    let mut seen = FxHashSet::default();
    while let Some(id) = open.pop() {
        match work.object(id) {
            Some(object) if !object.shared && seen.insert(id) => {
                if object.kind == Kind::Heap {
                    return true;
                }
                open.extend(object.pointers.iter().map(|pointer| pointer.object));
            }
            _ => {}
        }
    }
    false
}

/// For a trace: registers that a state leaves out are undefined, rather than 0.
pub fn undefine(program: &Program, thread: &mut Thread) {
    let count = thread.frames.len();
    for (index, frame) in thread.frames.iter_mut().enumerate() {
        let live: Vec<u32> = live(program, frame, index + 1 == count).collect();
        let frame = Rc::make_mut(frame);
        for (reg, value) in frame.registers.iter_mut().enumerate() {
            let reg = reg as u32;
            if live.binary_search(&reg).is_err() && !frame.kept.contains(&reg) {
                *value = Value::undefined(64);
            }
        }
    }
}
