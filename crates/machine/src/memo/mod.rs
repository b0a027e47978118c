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
mod settle;
mod trie;

pub use capture::Made;

use crate::code::Program;
use crate::exec::{Access, Waiting};
use crate::state::Encoder;
use crate::value::ObjectId;
use crate::work::Read;
use auspex_system::Numbered;
use facts::{AllFacts, Facts, FactsId, Role};
use graph::Graph;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;
use trie::{Label, Node, Trie};

/// Where paths begin in the trie of steps: those of one of several threads, and of the only one.
const MANY: Node = 0;
const ALONE: Node = 1;

/// With more nodes and facts than this, all is forgotten: at some fifty megabytes.
const MOST_NODES: usize = 1 << 20;

/// What a thread does in a state.
#[derive(Debug, Default)]
pub struct Known {
    pub steps: Vec<KnownStep>,
    /// It can go on by itself.
    pub free: bool,
    pub waiting: Option<Waiting>,
    /// An assumption may end the run.
    pub pruned: bool,
    pub accesses: Vec<Access>,
    /// Instructions executed.
    pub executed: u64,
    /// It does something that is not kept here: it must be made again.
    pub unknown: bool,
}

/// A part, and what is known of it.
type Part = (u32, FactsId);

/// A step to another state. Objects have the numbers from before it; those that it has made are marked by
/// [`crate::state::MADE`].
#[derive(Debug)]
pub struct KnownStep {
    /// Objects that it has changed.
    writes: Box<[(ObjectId, Part)]>,
    /// Objects that it has made.
    made: Box<[Part]>,
    /// The head of its thread, and the frames above the first few, which are as they were; none if it has ended.
    thread: Box<[Part]>,
    below: usize,
    /// What variables point to that are not read later: see `kept`.
    unread: Box<[ObjectId]>,
    /// Everything is reached as before if the number of objects that globals reach is in this range.
    quiet: Range<usize>,
}

/// The state that is expanded.
#[derive(Debug, Default)]
struct Current {
    parts: Vec<u32>,
    facts: Vec<FactsId>,
    /// How many objects it has.
    objects: usize,
    /// The part at which each thread begins, and where the last one ends.
    threads: Vec<usize>,
    /// Where the parts of each thread lead in the trie, if that is known.
    nodes: Vec<Option<Node>>,
    /// Would its objects get the numbers that they have, and be shared as they are? If not (a thread that has
    /// just begun may hold what it never reads), any step may renumber them.
    settled: bool,
    /// How many objects are reached from globals: if it is settled, the first ones.
    global: usize,
}

/// Of one explorer.
#[derive(Debug)]
pub struct Memo {
    trie: Trie,
    /// Parts whose objects got other numbers: from what is known of them, and the new numbers.
    renamed: Trie,
    facts: AllFacts,
    known: Vec<Rc<Known>>,
    /// The first parts of states, by their numbers of threads and objects.
    starts: FxHashMap<(usize, usize), u32>,
    current: Current,
    next: Vec<u32>,
    graph: Graph,
    encoder: Encoder,
    /// For `settle`: the objects and the threads after a step.
    objects: Vec<Part>,
    object_facts: Vec<FactsId>,
    threads: Vec<Part>,
    thread_facts: Vec<FactsId>,
    ends: Vec<usize>,
    /// Objects below this one keep their numbers.
    changed: ObjectId,
    /// The states that were found, and where each ends.
    found: Vec<u32>,
    found_ends: Vec<usize>,
}

impl Default for Memo {
    fn default() -> Self {
        Memo {
            trie: Trie::new(2),
            renamed: Trie::new(2),
            facts: AllFacts::default(),
            known: Vec::new(),
            starts: FxHashMap::default(),
            current: Current::default(),
            next: Vec::new(),
            graph: Graph::default(),
            encoder: Encoder::default(),
            objects: Vec::new(),
            object_facts: Vec::new(),
            threads: Vec::new(),
            thread_facts: Vec::new(),
            ends: Vec::new(),
            changed: 0,
            found: Vec::new(),
            found_ends: Vec::new(),
        }
    }
}

impl Memo {
    fn forget(&mut self) {
        self.trie.clear();
        self.renamed.clear();
        self.facts.clear();
        self.known.clear();
        self.current = Current::default();
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
        // Facts are also found out about states for which nothing is kept.
        let nodes = self.trie.len() + self.renamed.len();
        // What a thread does takes as much memory as some ten nodes.
        if nodes + self.facts.len() + 10 * self.known.len() > MOST_NODES {
            self.forget();
        }
        let Memo { current, next, facts, .. } = self;
        next.clear();
        next.extend_from_slice(state.parts());
        let mut find = |index: usize, role: Role, facts: &mut AllFacts| {
            let number = next[index];
            facts.find(role, number, || Facts::of(program, role, state.part(number)))
        };
        let (before, objects_before) = (current.parts.len(), current.objects);
        current.facts.resize(next.len(), 0);
        // What has the number that was there before, in the same role, is known.
        let is_new = |index: usize| index >= before || current.parts[index] != next[index];
        // Does it differ in nothing that concerns who reaches what?
        let mut alike = before == next.len() && current.settled;
        if is_new(0) {
            current.facts[0] = find(0, Role::Start, facts);
        }
        let start = facts.get(current.facts[0]);
        let (objects, threads, raised) = (start.count, usize::from(start.id), start.raised);
        for index in 1..=objects {
            if index > objects_before || is_new(index) {
                let role = match (index as u32).checked_sub(1) {
                    Some(global) if global < program.variable_globals => Role::Global(global),
                    _ => Role::Object,
                };
                let found = find(index, role, facts);
                let known = std::mem::replace(&mut current.facts[index], found);
                alike &= index <= objects_before && facts.get(known).is_like(facts.get(found));
            }
        }
        alike &= objects == objects_before && current.threads.len() == threads + 1;
        let (mut at, mut kept) = (objects + 1, false);
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
            let mut same = same_start;
            if !same_start || is_new(at) {
                let found = find(at, Role::Head, facts);
                let known = std::mem::replace(&mut current.facts[at], found);
                // It has the thread-local variables.
                alike = alike && same_start && facts.get(known).is_like(facts.get(found));
                same = false;
            }
            let (start, end) = (at, at + 1 + facts.get(current.facts[at]).count);
            let same_place = same_start && end == before_end;
            alike &= same_place;
            for index in start + 1..end {
                let role = if index + 1 == end { Role::Top } else { Role::Frame };
                if !same_place || is_new(index) {
                    let found = find(index, role, facts);
                    let known = std::mem::replace(&mut current.facts[index], found);
                    alike = alike && facts.get(known).is_like(facts.get(found));
                    same = false;
                }
                kept |= facts.get(current.facts[index]).kept;
            }
            if !same || !same_place {
                current.nodes[thread] = None;
            }
            current.threads[thread] = start;
            at = end;
        }
        current.threads[threads] = at;
        current.objects = objects;
        std::mem::swap(&mut current.parts, next);
        if raised || kept || threads == 0 {
            current.settled = false;
            return false;
        }
        if !alike {
            self.look(program);
        }
        true
    }

    /// Finds out whether the state is settled.
    fn look(&mut self, program: &Program) {
        let Memo { current, graph, facts, .. } = self;
        let objects = &current.facts[1..=current.objects];
        let threads = current.threads.windows(2).map(|it| &current.facts[it[0]..it[1]]);
        graph.explore(program, facts, objects, objects.len(), threads);
        let as_it_is = |(place, id): (usize, &FactsId)| {
            let facts = facts.get(*id);
            graph.order.get(place) == Some(&(place as u32))
                && (facts.dead || facts.shared == graph.is_shared(place))
        };
        current.settled = objects.iter().enumerate().all(as_it_is);
        current.global = graph.global;
    }

    /// The part of an object.
    fn part_of(&self, program: &Program, id: ObjectId) -> usize {
        match id <= program.variable_globals {
            true => id as usize,
            false => (id + program.variable_globals - program.global_count()) as usize,
        }
    }

    fn first_node(&self) -> Node {
        if self.thread_count() == 1 { ALONE } else { MANY }
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

    /// What a thread does, if that is known.
    pub fn find(&mut self, program: &Program, index: usize) -> Option<Rc<Known>> {
        let mut node = match self.current.nodes[index] {
            Some(node) => node,
            None => {
                let mut node = self.first_node();
                for number in self.head_and_last(index) {
                    node = self.trie.follow(node, number)?;
                }
                self.current.nodes[index] = Some(node);
                node
            }
        };
        loop {
            match self.trie.label(node) {
                Label::None => return None,
                Label::Reads(read) => {
                    let part = self.part_that_is(program, index, read);
                    node = self.trie.follow(node, self.current.parts[part])?;
                }
                Label::End(known) => return Some(Rc::clone(&self.known[known as usize])),
            }
        }
    }

    /// Remembers what a thread does, which has looked at these objects.
    pub fn keep(&mut self, program: &Program, index: usize, reads: &[Read], mut known: Known) {
        let mut node = self.first_node();
        for number in self.head_and_last(index) {
            node = self.trie.make(node, number);
        }
        let constants = program.variable_globals + 1..=program.global_count();
        for read in reads {
            if matches!(read, Read::Object(id) if constants.contains(id)) {
                continue;
            }
            let part = self.part_that_is(program, index, *read);
            if matches!(read, Read::Object(_)) && part > self.current.objects {
                // The step has made it: it is no part of the state.
                continue;
            }
            match self.trie.label(node) {
                Label::None => self.trie.set_label(node, Label::Reads(*read)),
                Label::Reads(known) if known == *read => {}
                // It would not be a function of what it looks at.
                _ => return debug_assert!(false, "a step that depends on something else"),
            }
            node = self.trie.make(node, self.current.parts[part]);
        }
        if self.trie.label(node) == Label::None {
            self.trie.set_label(node, Label::End(self.known.len() as u32));
            known.steps.shrink_to_fit();
            known.accesses.shrink_to_fit();
            self.known.push(Rc::new(known));
        }
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
