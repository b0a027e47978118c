//! The state that a known step leads to, in the state that is expanded.
//!
//! How objects are numbered after it, which of them are shared and whether something is lost depends on who points to
//! whom, before and in what the step changes, and on nothing else. So a *plan* is made once for each structure of a
//! state and each structure of a step, and says which part goes where, and which numbers of objects in it change.

use super::capture::is_counted;
use super::facts::{FormId, Role};
use super::{Change, KnownStep, Memo, Part};
use crate::code::Program;
use crate::kept::Unread;
use crate::state::Decoder;
use crate::value::ObjectId;
use auspex_system::Numbered;

/// What to do with the parts of a state: [`MAKE`], [`KEEP`], or where it is described in `Memo::plans`. First the halves of
/// the number of the first part; then, if objects get other numbers, how many objects there are, and how many of them
/// stay as they are; then the places of the others in their new order, each with what is renamed in it, and what is
/// renamed in each part of a thread. (What does not fit into 16 bits is not planned.)
type Plan = u32;

/// The step must be made: it goes wrong, or other registers than in the step that is known are kept after it.
const MAKE: Plan = u32::MAX - 1;
/// All parts keep their places, and all objects their numbers.
const KEEP: Plan = u32::MAX - 2;
/// The number of objects if they keep their numbers, and only the first part is another one.
const NONE: u16 = u16::MAX;

/// One more than the number of a sequence in `Memo::renames`; 0: the part stays as it is.
type Rename = u32;

impl Memo {
    /// Adds the state to those that were found. False: it must be found by making the step, which may go wrong after
    /// all, or keep other registers.
    pub fn settle(
        &mut self,
        program: &Program,
        allow_leak: bool,
        index: usize,
        step: KnownStep<'_>,
        state: &mut dyn Numbered,
    ) -> bool {
        let start = self.found.len();
        // There are at most 64 threads.
        let at = self.current.structure << 6 | index as u32;
        let plan = match self.plan_numbers.get(at, step.change) {
            Some(plan) => plan,
            None => match self.plan(program, allow_leak, index, step, state) {
                Some(plan) => {
                    self.plan_numbers.insert(at, step.change, plan);
                    plan
                }
                None => return false,
            },
        };
        let done = match plan {
            MAKE => false,
            KEEP => {
                self.replace(program, index, step);
                true
            }
            at if self.plans[at as usize + 2] == NONE => {
                self.replace(program, index, step);
                self.found[start] = self.first_of(at as usize);
                true
            }
            at => self.rearrange(program, index, step, at as usize, state).is_some(),
        };
        match done {
            true => self.found_ends.push(self.found.len()),
            false => self.found.truncate(start),
        }
        done
    }

    /// All objects keep their numbers.
    fn replace(&mut self, program: &Program, index: usize, step: KnownStep<'_>) {
        let (parts, threads) = (&self.current.parts, &self.current.threads);
        let start = self.found.len();
        let change = Change::of(self.changes.get(step.change));
        self.found.extend_from_slice(&parts[..threads[index]]);
        if let [head, frames @ ..] = change.thread_of(step.parts) {
            let below = threads[index] + 1;
            self.found.push(head[0]);
            self.found.extend_from_slice(&parts[below..below + change.below]);
            self.found.extend(frames.iter().map(|part| part[0]));
        }
        self.found.extend_from_slice(&parts[threads[index + 1]..]);
        for (id, [number, _]) in change.writes.iter().zip(step.parts) {
            let part = self.part_of(program, *id);
            self.found[start + part] = *number;
        }
    }

    /// Objects get other numbers.
    fn rearrange(
        &mut self,
        program: &Program,
        index: usize,
        step: KnownStep<'_>,
        plan: usize,
        state: &mut dyn Numbered,
    ) -> Option<()> {
        self.gather(program, index, step);
        let mut explored = false;
        let [count, same] = [2, 3].map(|at| usize::from(self.plans[plan + at]));
        let first = self.first_of(plan);
        self.found.push(first);
        self.found.extend(self.objects[..same].iter().map(|part| part[0]));
        let renames = plan + 4 + 2 * (count - same);
        for at in (plan + 4..renames).step_by(2) {
            let (place, rename) = (usize::from(self.plans[at]), Rename::from(self.plans[at + 1]));
            let part = self.objects[place];
            let number = match rename {
                0 => part[0],
                _ => match self.renamed.get(part[1], rename) {
                    Some(number) => number,
                    None => {
                        self.explore(program, &mut explored);
                        self.rename(program, Role::at(program, place), part, rename, state)?
                    }
                },
            };
            self.found.push(number);
        }
        for at in 0..self.threads.len() {
            let (part, rename) = (self.threads[at], Rename::from(self.plans[renames + at]));
            let number = match rename {
                0 => part[0],
                _ => match self.renamed.get(part[1], rename) {
                    Some(number) => number,
                    None => {
                        self.explore(program, &mut explored);
                        self.rename(program, self.thread_role(at), part, rename, state)?
                    }
                },
            };
            self.found.push(number);
        }
        Some(())
    }

    fn first_of(&self, plan: usize) -> u32 {
        u32::from(self.plans[plan]) << 16 | u32::from(self.plans[plan + 1])
    }

    /// What a part of a thread is.
    fn thread_role(&self, at: usize) -> Role {
        match at {
            _ if self.thread_ends.contains(&(at + 1)) => Role::Top,
            _ if at == 0 || self.thread_ends.contains(&at) => Role::Head,
            _ => Role::Frame,
        }
    }

    /// The objects and threads after a step.
    fn gather(&mut self, program: &Program, index: usize, step: KnownStep<'_>) {
        let current = &self.current;
        let change = Change::of(self.changes.get(step.change));
        let part = |at: usize| [current.parts[at], current.facts[at]];
        self.objects.clear();
        self.objects.extend((1..=current.objects).map(part));
        for (id, part) in change.writes.iter().zip(step.parts) {
            let place = self.part_of(program, *id) - 1;
            self.objects[place] = *part;
        }
        self.objects.extend_from_slice(change.made_of(step.parts));
        self.threads.clear();
        self.thread_ends.clear();
        for (thread, range) in current.threads.windows(2).enumerate() {
            match change.thread_of(step.parts) {
                _ if thread != index => self.threads.extend((range[0]..range[1]).map(part)),
                [] => continue,
                [head, frames @ ..] => {
                    let below = range[0] + 1;
                    self.threads.push(*head);
                    self.threads.extend((below..below + change.below).map(part));
                    self.threads.extend_from_slice(frames);
                }
            }
            self.thread_ends.push(self.threads.len());
        }
    }

    /// Finds out who reaches what after the step that was gathered, unless that is done.
    fn explore(&mut self, program: &Program, done: &mut bool) {
        if std::mem::replace(done, true) {
            return;
        }
        let Memo {
            graph, facts, objects, object_forms, threads, thread_forms, thread_ends, ..
        } = self;
        let form = |part: &Part| -> FormId { facts.get(part[1]).form };
        object_forms.clear();
        object_forms.extend(objects.iter().map(form));
        thread_forms.clear();
        thread_forms.extend(threads.iter().map(form));
        let starts = [0].into_iter().chain(thread_ends.iter().copied());
        let threads = starts.zip(&*thread_ends).map(|(start, end)| &thread_forms[start..*end]);
        graph.explore(program, facts, object_forms, self.current.objects, threads);
    }

    /// `None`: there is no room.
    fn plan(
        &mut self,
        program: &Program,
        allow_leak: bool,
        index: usize,
        step: KnownStep<'_>,
        state: &mut dyn Numbered,
    ) -> Option<Plan> {
        self.gather(program, index, step);
        self.explore(program, &mut false);
        if !allow_leak && (self.is_lost() || !self.keeps_as_known(step)) {
            return Some(MAKE);
        }
        let count = self.graph.order.len();
        let first = self.start(self.thread_ends.len(), count, state)?;
        let keeps = self.keeps_numbers();
        if keeps && first == self.current.parts[0] {
            return Some(KEEP);
        }
        let plan = self.plans.len() as Plan;
        self.plans.extend([(first >> 16) as u16, first as u16]);
        if keeps {
            self.plans.push(NONE);
            return Some(plan);
        }
        match self.plan_moves(count) {
            Some(()) => Some(plan),
            None => {
                self.plans.truncate(plan as usize);
                Some(MAKE)
            }
        }
    }

    /// The rest of a plan; `None` if it does not fit.
    fn plan_moves(&mut self, count: usize) -> Option<()> {
        let rename = |memo: &mut Memo, place: usize| {
            let form = memo.object_forms[place];
            let shared = memo.graph.is_shared(place) && !memo.facts.form(form).dead;
            memo.rename_of(form, shared)
        };
        let mut same = 0;
        while same < count && self.graph.order[same] as usize == same && rename(self, same) == 0 {
            same += 1;
        }
        let counts = [u16::try_from(count).ok().filter(|it| *it != NONE)?, same as u16];
        self.plans.extend(counts);
        for at in same..count {
            let place = self.graph.order[at];
            let rename = rename(self, place as usize);
            self.plans.extend([u16::try_from(place).ok()?, u16::try_from(rename).ok()?]);
        }
        for at in 0..self.thread_forms.len() {
            let rename = self.rename_of(self.thread_forms[at], false);
            self.plans.push(u16::try_from(rename).ok()?);
        }
        Some(())
    }

    /// Has everything the number that it had, and is shared as it was?
    fn keeps_numbers(&self) -> bool {
        let keeps = |(place, form): (usize, &FormId)| {
            let form = self.facts.form(*form);
            self.graph.order[place] as usize == place
                && (form.dead || form.shared == self.graph.is_shared(place))
        };
        self.graph.order.len() == self.current.objects
            && self.objects.len() == self.current.objects
            && self.object_forms.iter().enumerate().all(keeps)
    }

    /// Is there memory from `malloc` that nothing reaches?
    fn is_lost(&self) -> bool {
        self.graph.order.len() < self.objects.len()
            && (0..self.objects.len()).any(|place| {
                self.graph.number_at(place) == 0 && self.facts.form(self.object_forms[place]).heap
            })
    }

    /// After a step, are those registers kept that its parts and those of the state say, and no others?
    fn keeps_as_known(&self, step: KnownStep<'_>) -> bool {
        let unread = Change::of(self.changes.get(step.change)).unread;
        let mut kept = self.thread_forms.iter().flat_map(|form| &self.facts.form(*form).kept);
        kept.all(|id| self.leads_to_own_heap(*id))
            && !unread.iter().any(|id| self.leads_to_own_heap(*id))
    }

    /// Which registers are kept after a step in which none of its own are.
    pub(super) fn kept_after(
        &mut self,
        program: &Program,
        index: usize,
        step: KnownStep<'_>,
        unread: &[Unread],
    ) -> Vec<Unread> {
        self.gather(program, index, step);
        self.explore(program, &mut false);
        let leads = |it: &&Unread| {
            is_counted(program, it)
                && self.leads_to_own_heap(self.encoder.number_of(program, it.object()))
        };
        unread.iter().filter(leads).copied().collect()
    }

    /// The same as in `kept`.
    fn leads_to_own_heap(&self, from: ObjectId) -> bool {
        let mut open = vec![self.graph.place(from)];
        let mut seen = Vec::new();
        while let Some(place) = open.pop() {
            let Some(form) = self.object_forms.get(place) else { continue };
            if self.graph.is_shared(place) || seen.contains(&place) {
                continue;
            }
            seen.push(place);
            let form = self.facts.form(*form);
            if form.heap {
                return true;
            }
            open.extend(form.targets.iter().map(|id| self.graph.place(*id)));
        }
        false
    }

    /// The first part of a state.
    fn start(&mut self, threads: usize, objects: usize, state: &mut dyn Numbered) -> Option<u32> {
        if let Some(number) = self.starts.get(threads as u32, objects as u32) {
            return Some(number);
        }
        self.encoder.bytes.clear();
        self.encoder.start(threads, objects as u32, None);
        let number = state.number(&self.encoder.bytes)?;
        self.starts.insert(threads as u32, objects as u32, number);
        Some(number)
    }

    /// What is to be renamed in a part of this form. With the part it has everything that the new part depends on.
    fn rename_of(&mut self, form: FormId, shared: bool) -> Rename {
        let Memo { facts, graph, renames, key, .. } = self;
        let form = facts.form(form);
        let ids = form.targets.iter().chain(&form.owned);
        if form.shared == shared && ids.clone().all(|id| graph.number(*id) == *id) {
            return 0;
        }
        key.clear();
        key.push(shared.into());
        key.extend(ids.map(|id| graph.number(*id)));
        renames.number(key) + 1
    }

    /// A part with the new numbers of objects.
    fn rename(
        &mut self,
        program: &Program,
        role: Role,
        [number, facts]: Part,
        rename: Rename,
        state: &mut dyn Numbered,
    ) -> Option<u32> {
        let Memo { encoder, graph, current, objects, renames, renamed, .. } = self;
        let shared = renames.get(rename - 1)[0] != 0;
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
        let number = state.number(&encoder.bytes)?;
        renamed.insert(facts, rename, number);
        Some(number)
    }
}
