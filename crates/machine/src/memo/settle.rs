//! The state that a known step leads to, in the state that is expanded.

use super::facts::Role;
use super::{KnownStep, Memo, Part};
use crate::code::Program;
use crate::state::Decoder;
use crate::value::ObjectId;
use auspex_system::Numbered;

impl Memo {
    /// Adds the state to those that were found. False: it must be found by making the step, which may go wrong after
    /// all, or leave something that is only kept.
    pub fn settle(
        &mut self,
        program: &Program,
        allow_leak: bool,
        index: usize,
        step: &KnownStep,
        state: &mut dyn Numbered,
    ) -> bool {
        let start = self.found.len();
        let done = match self.current.settled && step.quiet.contains(&self.current.global) {
            true => {
                self.replace(program, index, step);
                true
            }
            false => self.renumber(program, allow_leak, index, step, state).is_some(),
        };
        match done {
            true => self.found_ends.push(self.found.len()),
            false => self.found.truncate(start),
        }
        done
    }

    /// All objects keep their numbers.
    fn replace(&mut self, program: &Program, index: usize, step: &KnownStep) {
        let (parts, threads) = (&self.current.parts, &self.current.threads);
        let start = self.found.len();
        self.found.extend_from_slice(&parts[..threads[index]]);
        if let [head, frames @ ..] = &*step.thread {
            let below = threads[index] + 1;
            self.found.push(head.0);
            self.found.extend_from_slice(&parts[below..below + step.below]);
            self.found.extend(frames.iter().map(|part| part.0));
        }
        self.found.extend_from_slice(&parts[threads[index + 1]..]);
        for (id, (number, _)) in &step.writes {
            let part = self.part_of(program, *id);
            self.found[start + part] = *number;
        }
    }

    /// Any step.
    fn renumber(
        &mut self,
        program: &Program,
        allow_leak: bool,
        index: usize,
        step: &KnownStep,
        state: &mut dyn Numbered,
    ) -> Option<()> {
        self.gather(program, index, step);
        let Memo { graph, facts, object_facts, thread_facts, ends, .. } = self;
        let starts = [0].into_iter().chain(ends.iter().copied());
        let threads = starts.zip(&*ends).map(|(start, end)| &thread_facts[start..*end]);
        graph.explore(program, facts, object_facts, self.current.objects, threads);
        if !allow_leak
            && (self.is_lost() || step.unread.iter().any(|id| self.leads_to_own_heap(*id)))
        {
            return None;
        }
        let count = self.graph.order.len();
        let first = self.start(self.ends.len(), count, state)?;
        if self.keeps_numbers() {
            let start = self.found.len();
            self.replace(program, index, step);
            self.found[start] = first;
            return Some(());
        }
        self.found.push(first);
        self.changed = self.graph.first_changed();
        for at in 0..count {
            let place = self.graph.order[at] as usize;
            let role = match (place as u32) < program.variable_globals {
                true => Role::Global(place as u32),
                false => Role::Object,
            };
            let part = self.objects[place];
            let shared = self.graph.is_shared(place) && !self.facts.get(part.1).dead;
            let number = self.renamed(program, role, part, shared, state)?;
            self.found.push(number);
        }
        let mut at = 0;
        for thread in 0..self.ends.len() {
            let (start, end) = (at, self.ends[thread]);
            while at < end {
                let role = match at {
                    _ if at == start => Role::Head,
                    _ if at + 1 == end => Role::Top,
                    _ => Role::Frame,
                };
                let number = self.renamed(program, role, self.threads[at], false, state)?;
                self.found.push(number);
                at += 1;
            }
        }
        Some(())
    }

    /// The objects and threads after a step.
    fn gather(&mut self, program: &Program, index: usize, step: &KnownStep) {
        let current = &self.current;
        let part = |at: usize| (current.parts[at], current.facts[at]);
        self.objects.clear();
        self.objects.extend((1..=current.objects).map(part));
        for (id, part) in &step.writes {
            let place = self.part_of(program, *id) - 1;
            self.objects[place] = *part;
        }
        self.objects.extend_from_slice(&step.made);
        self.object_facts.clear();
        self.object_facts.extend(self.objects.iter().map(|part| part.1));
        self.threads.clear();
        self.ends.clear();
        for (thread, range) in current.threads.windows(2).enumerate() {
            match &*step.thread {
                _ if thread != index => self.threads.extend((range[0]..range[1]).map(part)),
                [] => continue,
                [head, frames @ ..] => {
                    let below = range[0] + 1;
                    self.threads.push(*head);
                    self.threads.extend((below..below + step.below).map(part));
                    self.threads.extend_from_slice(frames);
                }
            }
            self.ends.push(self.threads.len());
        }
        self.thread_facts.clear();
        self.thread_facts.extend(self.threads.iter().map(|part| part.1));
    }

    /// Has everything the number that it had, and is shared as it was?
    fn keeps_numbers(&self) -> bool {
        let keeps = |(place, (_, facts)): (usize, &Part)| {
            let facts = self.facts.get(*facts);
            self.graph.order[place] as usize == place
                && (facts.dead || facts.shared == self.graph.is_shared(place))
        };
        self.graph.order.len() == self.current.objects
            && self.objects.len() == self.current.objects
            && self.objects.iter().enumerate().all(keeps)
    }

    /// Is there memory from `malloc` that nothing reaches?
    fn is_lost(&self) -> bool {
        self.graph.order.len() < self.objects.len()
            && (0..self.objects.len()).any(|place| {
                self.graph.number_at(place) == 0 && self.facts.get(self.objects[place].1).heap
            })
    }

    /// The same as in `kept`.
    fn leads_to_own_heap(&self, from: ObjectId) -> bool {
        let mut open = vec![self.graph.place(from)];
        let mut seen = Vec::new();
        while let Some(place) = open.pop() {
            let Some((_, facts)) = self.objects.get(place) else { continue };
            if self.graph.is_shared(place) || seen.contains(&place) {
                continue;
            }
            seen.push(place);
            let facts = self.facts.get(*facts);
            if facts.heap {
                return true;
            }
            open.extend(facts.targets.iter().map(|id| self.graph.place(*id)));
        }
        false
    }

    /// The first part of a state.
    fn start(&mut self, threads: usize, objects: usize, state: &mut dyn Numbered) -> Option<u32> {
        if let Some(number) = self.starts.get(&(threads, objects)) {
            return Some(*number);
        }
        self.encoder.bytes.clear();
        self.encoder.start(threads, objects as u32, None);
        let number = state.number(&self.encoder.bytes)?;
        self.starts.insert((threads, objects), number);
        Some(number)
    }

    /// A part with the new numbers of objects.
    #[inline]
    fn renamed(
        &mut self,
        program: &Program,
        role: Role,
        (number, id): Part,
        shared: bool,
        state: &mut dyn Numbered,
    ) -> Option<u32> {
        let facts = self.facts.get(id);
        let keeps = |id: &ObjectId| self.graph.number(*id) == *id;
        if facts.shared == shared
            && (facts.last < self.changed
                || facts.targets.iter().all(keeps) && facts.owned.iter().all(keeps))
        {
            return Some(number);
        }
        // The path has everything that the new part depends on.
        let mut node = self.renamed.make(shared.into(), id);
        for target in facts.targets.iter().chain(&facts.owned) {
            node = self.renamed.make(node, self.graph.number(*target));
        }
        if let super::Label::End(number) = self.renamed.label(node) {
            return Some(number);
        }
        let number = self.rename(program, role, number, shared, state)?;
        self.renamed.set_label(node, super::Label::End(number));
        Some(number)
    }

    fn rename(
        &mut self,
        program: &Program,
        role: Role,
        number: u32,
        shared: bool,
        state: &mut dyn Numbered,
    ) -> Option<u32> {
        let Memo { encoder, graph, current, objects, .. } = self;
        let constants = program.global_count() - program.variable_globals;
        encoder.numbers.clear();
        encoder.numbers.extend((1..=current.objects as u32 + constants).map(|id| graph.number(id)));
        encoder.made.clear();
        encoder.made.extend((current.objects..objects.len()).map(|place| graph.number_at(place)));
        encoder.bytes.clear();
        let mut decoder = Decoder { program, bytes: state.part(number), at: 0 };
        match role {
            Role::Global(index) => {
                let mut object = decoder.object(Some(index as usize));
                object.shared = shared;
                encoder.object(program, &object, true);
            }
            Role::Object => {
                let mut object = decoder.object(None);
                object.shared = shared;
                encoder.object(program, &object, false);
            }
            Role::Head => {
                let (thread, frames) = decoder.thread_head();
                encoder.thread_head(program, &thread, frames);
            }
            Role::Frame => encoder.frame(program, &decoder.frame(false), false),
            Role::Top => encoder.frame(program, &decoder.frame(true), true),
            Role::Start => return Some(number),
        }
        state.number(&encoder.bytes)
    }
}
