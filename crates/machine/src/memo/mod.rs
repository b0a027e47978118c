//! Steps that were made before.
//!
//! What a thread does next is a function of its last frame, and of those other frames and objects that it looks at. Most
//! steps were made before, in a state that differs in other places: then they are not made again. A trie leads from the
//! numbers of these parts to what the thread did, in terms of the numbers of parts. What it looks at next depends only on
//! what it has seen so far, so each node of the trie either says which object comes next, or what the thread does.
//!
//! A step is kept with the objects as they were numbered before it. How they are numbered after it depends on the
//! whole state: `settle` does that, on `facts`.

mod capture;
mod facts;
mod graph;
mod sequences;
mod settle;
mod steps;
mod table;
mod trie;

pub use capture::Made;

use crate::code::Program;
use crate::exec::{Access, Waiting};
use crate::state::Encoder;
use crate::value::ObjectId;
use crate::work::Read;
use auspex_system::Numbered;
use facts::{AllFacts, Facts, FactsId, FormId, Role};
use graph::Graph;
use sequences::Sequences;
use steps::Steps;
use table::Table;
use trie::Node;

/// All is forgotten with more bytes than a few for each state that was expanded, but not with less than the first of
/// these, and in any case with more than the second. (Tests are to forget, too.)
const BYTES_PER_STATE: usize = 56;
const FEW_BYTES: usize = if cfg!(debug_assertions) { 1 << 18 } else { 8 << 20 };
const MOST_BYTES: usize = 56 << 20;
/// Plans are soon made again, and most are for states that come one after the other.
const PLAN_BYTES: usize = if cfg!(debug_assertions) { 1 << 15 } else { 3 << 19 };

/// What a thread does in a state.
#[derive(Debug, Default)]
pub struct Known {
    /// One after the other: see [`KnownStep`].
    pub steps: Vec<u32>,
    /// It can go on by itself.
    pub free: bool,
    /// An assumption may end the run.
    pub pruned: bool,
    /// It does something that is not kept here: it must be made again.
    pub unknown: bool,
    /// Instructions executed.
    pub executed: u64,
    pub waiting: Option<Waiting>,
    pub accesses: Vec<Access>,
}

/// The number of a part, and what is known of it: a [`FactsId`].
type Part = [u32; 2];

/// A step to another state. Objects have the numbers from before it; those that it has made are marked by
/// [`crate::state::MADE`].
#[derive(Clone, Copy, Debug)]
pub struct KnownStep<'a> {
    /// What it does to who reaches what: the number of a [`Change`].
    change: u32,
    /// The objects that it has changed, those that it has made, the parts of its thread.
    parts: &'a [Part],
}

impl<'a> KnownStep<'a> {
    /// The first of a row of steps, and the rest. A step is the number of its change, how many words its parts take,
    /// and these.
    pub fn first_of(words: &'a [u32]) -> Option<(Self, &'a [u32])> {
        let ([change, count], rest) = words.split_first_chunk()?;
        let (parts, rest) = rest.split_at_checked(*count as usize)?;
        Some((KnownStep { change: *change, parts: parts.as_chunks().0 }, rest))
    }
}

/// How a step changes who reaches what: as a sequence of words it has a number.
struct Change<'a> {
    /// So many of the frames of its thread are as they were.
    below: usize,
    /// How many objects it has made.
    made: usize,
    /// The objects that it has changed.
    writes: &'a [ObjectId],
    /// What variables point to that are not read later: see `kept`.
    unread: &'a [ObjectId],
}

impl<'a> Change<'a> {
    /// From a sequence that `capture` has put together; the forms of the parts follow there.
    fn of(words: &'a [u32]) -> Self {
        let ([below, made, writes, unread], rest) = match words.split_first_chunk() {
            Some((counts, rest)) => (counts.map(|count| count as usize), rest),
            None => ([0; 4], words),
        };
        let (writes, rest) = rest.split_at(writes);
        Change { below, made, writes, unread: &rest[..unread] }
    }

    /// The parts of objects that it has made.
    fn made_of<'p>(&self, parts: &'p [Part]) -> &'p [Part] {
        &parts[self.writes.len()..][..self.made]
    }

    /// The head of its thread, and the frames that are not as they were; none if it has ended.
    fn thread_of<'p>(&self, parts: &'p [Part]) -> &'p [Part] {
        &parts[self.writes.len() + self.made..]
    }
}

/// The state that is expanded.
#[derive(Debug, Default)]
struct Current {
    parts: Vec<u32>,
    facts: Vec<FactsId>,
    forms: Vec<FormId>,
    /// How many objects it has.
    objects: usize,
    /// The part at which each thread begins, and where the last one ends.
    threads: Vec<usize>,
    /// Where the parts of each thread lead in the trie, if that is known.
    nodes: Vec<Option<Node>>,
    /// The numbers of the rows of forms of its objects, and of each of its threads.
    rows: Vec<u32>,
    /// Those of them that are not right any more, one bit each.
    stale: u128,
    /// A number for who points to whom in it, unless nothing is kept for it.
    structure: u32,
    is_kept: bool,
}

/// Of one explorer.
#[derive(Debug, Default)]
pub struct Memo {
    steps: Steps,
    /// How many states were expanded.
    states: usize,
    facts: AllFacts,
    /// Who points to whom in a state: the numbers of these sequences for its objects and for each of its threads.
    structures: Sequences,
    /// The forms of all objects, or of the parts of a thread.
    rows: Sequences,
    changes: Sequences,
    /// What to do with a state of a structure, and a step of one of its threads that is such a change.
    plan_numbers: Table,
    plans: Vec<u16>,
    /// New numbers of the objects in a part.
    renames: Sequences,
    /// Parts in which objects got other numbers.
    renamed: Table,
    /// The first parts of states, by their numbers of threads and objects.
    starts: Table,
    current: Current,
    /// For each of its threads where it is kept what it does, if that is known.
    places: Vec<Option<usize>>,
    next: Vec<u32>,
    /// The parts in which `next` differs from the state before.
    changed: Vec<usize>,
    graph: Graph,
    encoder: Encoder,
    /// For `settle`: the objects and the threads after a step.
    objects: Vec<Part>,
    object_forms: Vec<FormId>,
    threads: Vec<Part>,
    thread_forms: Vec<FormId>,
    thread_ends: Vec<usize>,
    key: Vec<u32>,
    path: Vec<(Read, u32)>,
    /// The states that were found, and where each ends.
    found: Vec<u32>,
    found_ends: Vec<usize>,
}

impl Memo {
    /// About so many bytes plans take.
    fn plan_bytes(&self) -> usize {
        let sequences = self.structures.bytes() + self.rows.bytes();
        sequences + self.plan_numbers.bytes() + 2 * self.plans.len()
    }

    /// And all the rest.
    fn step_bytes(&self) -> usize {
        let renamed = self.renames.bytes() + self.renamed.bytes();
        self.steps.bytes() + self.facts.bytes() + self.changes.bytes() + renamed
    }

    /// Forgets what takes too much memory.
    fn make_room(&mut self) {
        let most = (self.states * BYTES_PER_STATE).clamp(FEW_BYTES, MOST_BYTES);
        let (steps, plans) = (self.step_bytes(), self.plan_bytes());
        if steps > most {
            *self = Memo { states: self.states, ..Memo::default() };
        } else if plans > PLAN_BYTES {
            self.structures = Sequences::default();
            self.rows = Sequences::default();
            self.plan_numbers = Table::default();
            self.plans = Vec::new();
            self.current.is_kept = false;
        }
    }

    /// The numbers of the parts of the state that is expanded.
    pub fn parts(&self) -> &[u32] {
        &self.current.parts
    }

    /// How many threads it has.
    pub fn thread_count(&self) -> usize {
        self.current.threads.len() - 1
    }

    /// The number of a thread of it.
    pub fn thread_id(&self, index: usize) -> u8 {
        self.facts.get(self.current.facts[self.current.threads[index]]).id
    }

    /// A state is to be expanded. False: it is one for which nothing is kept.
    pub fn begin(&mut self, program: &Program, state: &mut dyn Numbered) -> bool {
        self.states += 1;
        self.make_room();
        self.next.clear();
        self.next.extend_from_slice(state.parts());
        if self.current.is_laid_out_like(&self.next, &mut self.changed) {
            self.begin_near(program, state);
        } else {
            self.begin_anew(program, state);
        }
        self.current.is_kept
    }

    /// The state has as many objects and frames as the one before.
    fn begin_near(&mut self, program: &Program, state: &mut dyn Numbered) {
        let Memo { current, next, facts, changed, .. } = self;
        for index in changed.iter().copied() {
            let number = next[index];
            let role = match index <= current.objects {
                true => Role::at(program, index - 1),
                false => current.frame_role(index),
            };
            let found = facts.find(role, number, || Facts::of(program, role, state.part(number)));
            let alike = current.put(index, found, facts);
            let mut row = 0;
            if index > current.objects {
                row = current.threads.partition_point(|start| *start < index);
                current.nodes[row - 1] = None;
            }
            current.stale |= u128::from(!alike) << row;
        }
        std::mem::swap(&mut current.parts, next);
        if current.stale != 0 {
            self.find_structure();
        }
    }

    fn begin_anew(&mut self, program: &Program, state: &mut dyn Numbered) {
        let Memo { current, next, facts, .. } = self;
        let mut find = |index: usize, role: Role, facts: &mut AllFacts| {
            let number = next[index];
            facts.find(role, number, || Facts::of(program, role, state.part(number)))
        };
        let objects_before = current.objects;
        current.facts.resize(next.len(), 0);
        current.forms.resize(next.len(), 0);
        // Has it the structure of the one before?
        let mut stale = if current.is_kept { current.stale } else { u128::MAX };
        // What has the number that was there before, in the same role, is known.
        if current.is_new(0, next) {
            let found = find(0, Role::Start, facts);
            current.put(0, found, facts);
        }
        let start = facts.get(current.facts[0]);
        let (objects, threads) = (start.count as usize, usize::from(start.id));
        for index in 1..=objects {
            if index > objects_before || current.is_new(index, next) {
                let found = find(index, Role::at(program, index - 1), facts);
                stale |= u128::from(!current.put(index, found, facts));
            }
        }
        stale |= u128::from(objects != objects_before);
        if current.threads.len() != threads + 1 {
            current.rows.resize(threads + 1, 0);
            stale = u128::MAX;
        }
        let mut at = objects + 1;
        current.threads.resize(threads + 1, 0);
        if current.nodes.len() != threads {
            current.nodes.clear();
            current.nodes.resize(threads, None);
        }
        let (mut before_start, mut before_end) = (current.threads.first().copied().unwrap_or(0), 0);
        for thread in 0..threads {
            (before_start, before_end) = match thread {
                0 => (before_start, current.threads[1]),
                _ => (before_end, current.threads[thread + 1]),
            };
            let same_start = at == before_start;
            let (mut same, mut alike) = (same_start, true);
            if !same_start || current.is_new(at, next) {
                let found = find(at, Role::Head, facts);
                alike &= current.put(at, found, facts);
                same = false;
            }
            let (start, end) = (at, at + 1 + facts.get(current.facts[at]).count as usize);
            let same_place = same_start && end == before_end;
            alike &= same_place;
            for index in start + 1..end {
                let role = if index + 1 == end { Role::Top } else { Role::Frame };
                if !same_place || current.is_new(index, next) {
                    let found = find(index, role, facts);
                    alike &= current.put(index, found, facts);
                    same = false;
                }
            }
            if !same || !same_place {
                current.nodes[thread] = None;
            }
            stale |= u128::from(!alike) << (thread + 1);
            current.threads[thread] = start;
            at = end;
        }
        current.threads[threads] = at;
        current.objects = objects;
        std::mem::swap(&mut current.parts, next);
        current.is_kept = !start.raised && threads > 0;
        current.stale = stale;
        if current.is_kept && current.stale != 0 {
            self.find_structure();
        }
    }

    fn find_structure(&mut self) {
        let Memo { current, structures, rows, .. } = self;
        let Current { forms, threads, objects, rows: numbers, stale, .. } = current;
        for (row, number) in
            numbers.iter_mut().enumerate().filter(|(row, _)| *stale >> row & 1 != 0)
        {
            let range = match row.checked_sub(1) {
                None => 1..*objects + 1,
                Some(thread) => threads[thread]..threads[thread + 1],
            };
            *number = rows.number(&forms[range]);
        }
        *stale = 0;
        current.structure = structures.number(numbers);
    }

    /// The part of an object.
    fn part_of(&self, program: &Program, id: ObjectId) -> usize {
        match id <= program.variable_globals {
            true => id as usize,
            false => (id + program.variable_globals - program.global_count()) as usize,
        }
    }

    fn head_and_last(&self, index: usize) -> [u32; 2] {
        let threads = &self.current.threads;
        [threads[index], threads[index + 1] - 1].map(|part| self.current.parts[part])
    }

    /// The part of something that a thread looks at.
    #[inline]
    fn part_that_is(&self, program: &Program, index: usize, read: Read) -> usize {
        match read {
            Read::Object(id) => self.part_of(program, id),
            Read::Frame(depth) => self.current.threads[index] + 1 + depth as usize,
        }
    }

    /// The number of that part.
    #[inline]
    fn number_of(&self, program: &Program, index: usize, read: Read) -> u32 {
        self.current.parts[self.part_that_is(program, index, read)]
    }

    /// Finds out of all threads where it is kept what they do: one after the other, so that their waits for memory overlap.
    pub fn find_all(&mut self, program: &Program) {
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.extend((0..self.thread_count()).map(|index| self.find(program, index)));
        self.places = places;
    }

    #[inline]
    fn find(&mut self, program: &Program, index: usize) -> Option<usize> {
        let node = match self.current.nodes[index] {
            Some(node) => node,
            None => {
                let thread = self.head_and_last(index);
                let node = self.steps.start(self.thread_count() == 1, thread)?;
                self.current.nodes[index] = Some(node);
                node
            }
        };
        self.steps.find(node, |read| self.number_of(program, index, read))
    }

    /// After `find_all`: what a thread does, if that is known.
    pub fn recall(&self, index: usize, known: &mut Known) -> bool {
        let place = self.places[index];
        place.into_iter().for_each(|place| self.steps.recall(place, known));
        place.is_some()
    }

    /// Remembers what a thread does, which has looked at these objects.
    pub fn keep(&mut self, program: &Program, index: usize, reads: &[Read], known: &Known) {
        let constants = program.variable_globals + 1..=program.global_count();
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        for read in reads {
            if matches!(read, Read::Object(id) if constants.contains(id)) {
                continue;
            }
            let part = self.part_that_is(program, index, *read);
            if matches!(read, Read::Object(_)) && part > self.current.objects {
                // The step has made it: it is no part of the state.
                continue;
            }
            path.push((*read, self.current.parts[part]));
        }
        let thread = self.head_and_last(index);
        let node = self.steps.make_start(self.thread_count() == 1, thread);
        self.steps.keep(node, &path, known);
        self.path = path;
    }

    /// The states that the last steps lead to, each in terms of the numbers of its parts.
    pub fn found(&self) -> impl Iterator<Item = &[u32]> {
        let starts = [0].into_iter().chain(self.found_ends.iter().copied());
        starts.zip(&self.found_ends).map(|(start, end)| &self.found[start..*end])
    }

    pub fn clear_found(&mut self) {
        self.found.clear();
        self.found_ends.clear();
    }
}

impl Current {
    /// Has another state as many objects, threads and frames, for which steps were kept? Then also in which parts it is another one.
    #[inline]
    fn is_laid_out_like(&self, next: &[u32], changed: &mut Vec<usize>) -> bool {
        if !self.is_kept || self.parts.len() != next.len() {
            return false;
        }
        changed.clear();
        let differ = self.parts.iter().zip(next).enumerate().filter(|(_, (mine, its))| mine != its);
        changed.extend(differ.map(|(index, _)| index));
        // The first part and the heads say how many there are.
        changed.iter().all(|index| *index != 0 && !self.threads.contains(index))
    }

    fn frame_role(&self, index: usize) -> Role {
        if self.threads.contains(&(index + 1)) { Role::Top } else { Role::Frame }
    }

    /// Is another part there than in the state before?
    #[inline]
    fn is_new(&self, index: usize, next: &[u32]) -> bool {
        self.parts.get(index) != Some(&next[index])
    }

    /// Puts a part in its place. True if its form is that of the one before.
    #[inline]
    fn put(&mut self, index: usize, found: FactsId, facts: &AllFacts) -> bool {
        let form = facts.get(found).form;
        self.facts[index] = found;
        std::mem::replace(&mut self.forms[index], form) == form
    }
}
