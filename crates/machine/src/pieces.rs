//! Taking states apart by the numbers of their parts.
//!
//! Parts with equal numbers have equal bytes. Of a state that is like the one before only the parts
//! with other numbers are looked at, and most of these were read at some time.

use crate::code::Program;
use crate::object::Object;
use crate::state::{Decoder, RAISED};
use crate::work::{Frame, Raised, Work};
use auspex_system::Numbered;
use std::rc::Rc;

/// What was read, and which state was read last.
#[derive(Debug, Default)]
pub struct Pieces {
    /// The numbers of the parts of the state that was read last; none where that is not known.
    numbers: Vec<u32>,
    /// How many objects it has.
    objects: usize,
    /// The part at which each of its threads begins, and where the last one ends.
    threads: Vec<usize>,
    known_objects: Recent<Object>,
    known_frames: Recent<Frame>,
}

/// Direct-mapped: what is read displaces what was at its place.
#[derive(Debug)]
struct Recent<T>(Vec<(u64, Option<Rc<T>>)>);

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent(Vec::new())
    }
}

impl<T> Recent<T> {
    /// A frame may have a hundred registers: this is megabytes.
    const PLACES: usize = 1 << 11;

    fn get(&mut self, key: u64, read: impl FnOnce() -> T) -> Rc<T> {
        if self.0.is_empty() {
            self.0.resize_with(Self::PLACES, || (0, None));
        }
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 45) as usize % Self::PLACES;
        match &mut self.0[place] {
            (known, Some(value)) if *known == key => Rc::clone(value),
            other => {
                let value = Rc::new(read());
                *other = (key, Some(Rc::clone(&value)));
                value
            }
        }
    }
}

impl Pieces {
    /// `work` is not any more what was read last.
    pub fn forget(&mut self) {
        self.numbers.clear();
        self.threads.clear();
        self.objects = 0;
    }

    /// Reads a state. `work` is what was read last.
    pub fn read(
        &mut self,
        program: &Program,
        state: &mut dyn Numbered,
        numbers: &[u32],
        work: &mut Work,
    ) {
        let mut decoder = Decoder { program, bytes: state.part(numbers[0]), at: 0 };
        let (threads, objects) = (decoder.u8(), decoder.u32() as usize);
        work.raised = (threads & RAISED != 0).then(|| {
            let by = decoder.u8();
            Raised { events: decoder.u64(8), by }
        });
        self.read_objects(program, state, numbers, objects, work);
        let (mut at, old) = (objects + 1, std::mem::take(&mut self.threads));
        work.threads.truncate(usize::from(threads & !RAISED));
        for thread in 0..usize::from(threads & !RAISED) {
            let start = at;
            self.threads.push(start);
            let mut decoder = Decoder { program, bytes: state.part(numbers[start]), at: 0 };
            at += decoder.frames() + 1;
            let before = old.get(thread..thread + 2).and_then(|it| self.numbers.get(it[0]..it[1]));
            if before.is_some_and(|before| before == &numbers[start..at]) {
                continue;
            }
            let (mut head, _) = decoder.thread_head();
            for (index, number) in (start + 1..).zip(&numbers[start + 1..at]) {
                let top = index + 1 == at;
                let key = u64::from(*number) << 1 | u64::from(top);
                let read = || Decoder { program, bytes: state.part(*number), at: 0 }.frame(top);
                head.frames.push(self.known_frames.get(key, read));
            }
            match work.threads.get_mut(thread) {
                Some(place) => *place = Rc::new(head),
                None => work.threads.push(Rc::new(head)),
            }
        }
        self.threads.push(at);
        self.numbers.clear();
        self.numbers.extend_from_slice(numbers);
    }

    fn read_objects(
        &mut self,
        program: &Program,
        state: &mut dyn Numbered,
        numbers: &[u32],
        objects: usize,
        work: &mut Work,
    ) {
        let (variable, globals) = (program.variable_globals as usize, program.globals.len());
        work.objects.resize(globals + objects.saturating_sub(variable), None);
        let before = self.numbers.get(1..=self.objects).unwrap_or(&[]);
        for (index, number) in numbers[1..=objects].iter().enumerate() {
            if before.get(index) == Some(number) {
                continue;
            }
            // The length of a global is not in its bytes.
            let global = (index < variable).then_some(index);
            let key = u64::from(*number) << 32 | global.map_or(0, |index| index as u64 + 1);
            let slot = global.unwrap_or_else(|| globals + index - variable);
            let read = || Decoder { program, bytes: state.part(*number), at: 0 }.object(global);
            work.objects[slot] = Some(self.known_objects.get(key, read));
        }
        self.objects = objects;
    }
}
