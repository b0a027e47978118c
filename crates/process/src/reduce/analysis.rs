//! What is known about a model before any state is seen: what the statements at each location
//! touch, and what a process may touch from a location on.

use super::access::{Access, Obstacle};
use super::footprint::{COUNT, DROPS, END, Footprint, MAKES, RUN, Set, USES};
use crate::eval::{Env, NOBODY};
use crate::ir::*;
use crate::work::Work;

use super::control::{closing_transitions, control_comes_back, futures, inner};
use super::proctype::{ProctypeInfo, TransitionInfo, any, note_asked, note_offers};

pub struct Analysis<'m> {
    pub model: &'m Model,
    /// For each byte of the globals, the number of the variable that begins there. Variables that
    /// nobody writes have none; where there are too many, neighbours share one.
    cells: Vec<Option<u8>>,
    pub proctypes: Vec<ProctypeInfo<'m>>,
    /// Do processes have channels of their own?
    channels_come_and_go: bool,
}

#[derive(Clone)]
pub struct Inner {
    pub operations: Summary,
    /// At most so many messages are sent and taken in the whole step.
    pub sends: usize,
    pub takes: usize,
}

/// Operations: those that are the same for every process, and indices into
/// [`ProctypeInfo::varying`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    fixed: Footprint,
    varying: Vec<u32>,
}

impl Summary {
    pub fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.varying.is_empty()
    }

    /// How likely it is that others matter: for variables more than for channels.
    pub fn weight(&self) -> usize {
        let Footprint { reads, writes, sends, takes, looks, .. } = &self.fixed;
        let variables = reads.iter().count() + writes.iter().count();
        let channels = [sends, takes, looks].iter().map(|set| set.iter().count()).sum::<usize>();
        if variables > 0 { 1000 + variables } else { channels + self.varying.len() }
    }

    pub fn add(&mut self, other: &Summary) {
        self.fixed.add(&other.fixed);
        for access in &other.varying {
            if let Err(at) = self.varying.binary_search(access) {
                self.varying.insert(at, *access);
            }
        }
    }
}

/// Whose point of view an access is resolved from.
#[derive(Clone, Copy)]
pub enum Scope<'a> {
    /// Everything that the expressions ask for has its value now.
    Now(Env<'a>),
    /// A process of this type: its id and the locals that it never writes are known.
    Process(Env<'a>, ProctypeId),
    /// Any process of this type: only globals that are never written are known.
    Any(Env<'a>, ProctypeId),
}

impl<'a> Scope<'a> {
    fn env(&self) -> &Env<'a> {
        match self {
            Scope::Now(env) | Scope::Process(env, _) | Scope::Any(env, _) => env,
        }
    }
}

impl<'m> Analysis<'m> {
    /// Analyses a model that begins in the state `initial`.
    pub fn new(model: &'m Model, initial: &Work) -> Result<Self, Obstacle> {
        if model.has_priorities {
            return Err("priorities");
        }
        if model.trace.is_some() {
            return Err("a trace assertion");
        }
        if model.remembers_last {
            return Err("`_last`");
        }
        if model.proctypes.iter().any(|proctype| proctype.provided.is_some()) {
            return Err("`provided`");
        }
        let mut globals = vec![false; model.globals.size as usize];
        let mut proctypes = Vec::new();
        for proctype in &model.proctypes {
            proctypes.push(ProctypeInfo::new(proctype, &mut globals)?);
        }
        for (proctype, info) in model.proctypes.iter().zip(&mut proctypes) {
            note_asked(proctype, info);
        }
        note_offers(model, &mut proctypes);
        let channels_come_and_go = proctypes.iter().any(|proctype| proctype.owns_channels);
        let cells = number_cells(&globals);
        let mut analysis = Analysis { model, cells, proctypes, channels_come_and_go };
        analysis.summarise(Env { model, work: initial, pid: NOBODY, timeout: false });
        Ok(analysis)
    }

    /// Fills in the summaries: what follows in a step, and the future of each location.
    fn summarise(&mut self, env: Env<'_>) {
        let model = self.model;
        let hands_back = control_comes_back(model);
        let (mut all, mut inners) = (Vec::new(), Vec::new());
        for id in (0..model.proctypes.len()).map(|id| ProctypeId(id as u8)) {
            let proctype = model.proctype(id);
            let (mut own, asked) = self.direct(env, id);
            let inner = |index| inner(proctype, index, &own, hands_back);
            inners.push((0..proctype.transitions.len()).map(inner).collect::<Vec<_>>());
            own.iter_mut().zip(&asked).for_each(|(own, asked)| own.add(asked));
            all.push(own);
        }
        let spawned = self.spawned(env, &all);
        for (id, (mut own, inner)) in all.into_iter().zip(inners).enumerate() {
            let proctype = &model.proctypes[id];
            for (transition, summary) in proctype.transitions.iter().zip(&mut own) {
                for run in runs(&transition.action) {
                    summary.fixed.add(&spawned[run.0 as usize]);
                }
            }
            let futures = futures(proctype, &own);
            let closing = closing_transitions(model, proctype, &own, hands_back);
            let info = &mut self.proctypes[id];
            for (at, location) in proctype.locations.iter().enumerate() {
                let range = location.first as usize..location.end as usize;
                let place = &mut info.locations[at];
                place.future = futures[at].clone();
                place.closes_loop = closing[range.clone()].contains(&true);
                for (own, inner) in place.transitions.iter_mut().zip(&inner[range]) {
                    own.inner = inner.clone();
                }
                let is_private = |transition: &TransitionInfo<'_>| {
                    transition.first.is_empty()
                        && transition.inner.as_ref().is_none_or(|i| i.operations.is_empty())
                };
                place.is_private = place.transitions.iter().all(is_private);
            }
        }
    }

    /// What each transition of a proctype does itself, and what it asks besides.
    fn direct(&mut self, env: Env<'_>, id: ProctypeId) -> (Vec<Summary>, Vec<Summary>) {
        let proctype = self.model.proctype(id);
        let mut direct = vec![Summary::default(); proctype.transitions.len()];
        let mut asked = direct.clone();
        let mut varying: Vec<Access> = Vec::new();
        let mut sum_up = |accesses: &[Access]| {
            let mut summary = Summary::default();
            for access in accesses {
                if self.depends_on_process(access, id) {
                    let known = varying.iter().position(|other| other == access);
                    let at = known.unwrap_or_else(|| {
                        varying.push(access.clone());
                        varying.len() - 1
                    });
                    summary.add(&Summary { varying: vec![at as u32], ..Summary::default() });
                } else {
                    self.resolve(access, Scope::Any(env, id), &mut summary.fixed);
                }
            }
            summary
        };
        let locations = &self.proctypes[id.0 as usize].locations;
        for (location, info) in proctype.locations.iter().zip(locations) {
            for (index, transition) in info.transitions.iter().enumerate() {
                let at = location.first as usize + index;
                direct[at] = sum_up(&transition.first);
                asked[at] = sum_up(&transition.asked);
            }
        }
        self.proctypes[id.0 as usize].varying = varying;
        (direct, asked)
    }

    /// Would more be known about an access if one knew which process it is?
    fn depends_on_process(&self, access: &Access, id: ProctypeId) -> bool {
        let differs = |expr: &Expr| self.is_fixed(expr, Some(id)) && !self.is_fixed(expr, None);
        match access {
            Access::Read(place) | Access::Write(place) => {
                place.indices.iter().any(|index| differs(&index.expr))
            }
            Access::Send { channel, .. }
            | Access::Take { channel, .. }
            | Access::Look(channel)
            | Access::Offer(channel)
            | Access::Test(_, channel) => {
                let is_local = |place: &Place| place.space == Space::Local;
                differs(channel) || matches!(channel, Expr::Load(place) if is_local(place))
            }
            Access::Run(_) | Access::Count | Access::End => false,
        }
    }

    /// For each proctype, all that a process of it may do and those that it creates.
    fn spawned(&self, env: Env<'_>, direct: &[Vec<Summary>]) -> Vec<Footprint> {
        let mut all: Vec<Footprint> = direct
            .iter()
            .enumerate()
            .map(|(id, summaries)| {
                let mut whole = Summary::default();
                summaries.iter().for_each(|summary| whole.add(summary));
                self.operations(&whole, Scope::Any(env, ProctypeId(id as u8)))
            })
            .collect();
        loop {
            let before = all.clone();
            for (id, proctype) in self.model.proctypes.iter().enumerate() {
                for run in proctype.transitions.iter().flat_map(|t| runs(&t.action)) {
                    all[id].add(&before[run.0 as usize]);
                }
            }
            if all == before {
                return all;
            }
        }
    }

    /// The bytes of a state that hold globals that nobody writes.
    pub fn fixed_globals(&self) -> impl Iterator<Item = usize> + '_ {
        let begin = self.model.globals_at() as usize;
        let fixed = self.cells.iter().enumerate().filter(|(_, cell)| cell.is_none());
        fixed.map(move |(at, _)| begin + at)
    }

    /// The bytes of a state that hold locals which a process never writes.
    pub fn fixed_locals<'a>(
        &'a self,
        work: &Work,
        pid: usize,
    ) -> impl Iterator<Item = usize> + use<'a, 'm> {
        let begin = work.layout.processes[pid].offset + self.model.locals_at();
        let ranges = &self.proctypes[work.proctype(pid).0 as usize].fixed_locals;
        let bytes = ranges.iter().cloned().flatten();
        bytes.map(move |at| (begin + at) as usize)
    }

    /// The operations of a summary for one process.
    pub fn operations(&self, summary: &Summary, scope: Scope<'_>) -> Footprint {
        let (Scope::Process(_, id) | Scope::Any(_, id)) = scope else { return summary.fixed };
        let mut operations = summary.fixed;
        for access in &summary.varying {
            let access = &self.proctypes[id.0 as usize].varying[*access as usize];
            self.resolve(access, scope, &mut operations);
        }
        operations
    }

    /// Adds what an access may be to `out`.
    fn resolve(&self, access: &Access, scope: Scope<'_>, out: &mut Footprint) {
        match access {
            Access::Read(place) => self.cells(place, scope, &mut out.reads),
            Access::Write(place) => self.cells(place, scope, &mut out.writes),
            Access::Send { channel, sorted } => {
                self.channels(channel, scope, &mut out.sends);
                if *sorted {
                    self.channels(channel, scope, &mut out.takes);
                    self.channels(channel, scope, &mut out.looks);
                }
            }
            Access::Take { channel, .. } | Access::Offer(channel) => {
                self.channels(channel, scope, &mut out.takes);
            }
            Access::Look(channel) | Access::Test(_, channel) => {
                self.channels(channel, scope, &mut out.looks);
            }
            Access::Run(new) => out.add(&self.beginning(*new, *scope.env())),
            Access::Count | Access::End => {}
        }
        let id = match scope {
            Scope::Process(_, id) | Scope::Any(_, id) => Some(id),
            Scope::Now(env) => Some(env.work.proctype(env.pid)),
        };
        out.marks |= self.marks(access, id);
    }

    /// What a new process does as it begins, whoever creates it.
    pub fn beginning(&self, new: ProctypeId, env: Env<'_>) -> Footprint {
        let mut all = Footprint::default();
        for access in &self.proctypes[new.0 as usize].beginning {
            self.resolve(access, Scope::Any(env, new), &mut all);
        }
        all
    }

    /// What an access has to do with the coming and going of processes; `id`: of the one that does
    /// it.
    pub fn marks(&self, access: &Access, id: Option<ProctypeId>) -> u8 {
        let owns = |id: ProctypeId| self.proctypes[id.0 as usize].owns_channels;
        match access {
            Access::Read(_) | Access::Write(_) | Access::Offer(_) => 0,
            Access::Count => COUNT,
            Access::End => END | if id.is_some_and(owns) { DROPS } else { 0 },
            Access::Run(id) => RUN | if owns(*id) { MAKES } else { 0 },
            _ if self.channels_come_and_go => USES,
            _ => 0,
        }
    }

    /// The variables that a place can be.
    pub fn cells(&self, place: &Place, scope: Scope<'_>, out: &mut Set) {
        let cell = |at: u32| self.cells.get(at as usize).copied().flatten().map(usize::from);
        match self.offset(place, scope) {
            Some(at) => cell(at).into_iter().for_each(|cell| out.insert(cell)),
            None => place.extent().filter_map(cell).for_each(|cell| out.insert(cell)),
        }
    }

    /// Where in its space the place lies, if that can be said.
    fn offset(&self, place: &Place, scope: Scope<'_>) -> Option<u32> {
        let mut at = place.offset;
        for index in &place.indices {
            let value = u32::try_from(self.value(&index.expr, scope)?).ok()?;
            at += index.stride * Some(value).filter(|value| *value < index.length)?;
        }
        Some(at)
    }

    /// The value of an expression, if it is known and will stay the same.
    fn value(&self, expr: &Expr, scope: Scope<'_>) -> Option<i32> {
        let known = match scope {
            Scope::Now(_) => true,
            Scope::Process(_, id) => self.is_fixed(expr, Some(id)),
            Scope::Any(..) => self.is_fixed(expr, None),
        };
        known.then(|| scope.env().eval(expr).ok()).flatten()
    }

    /// The channels that an expression can mean.
    pub fn channels(&self, expr: &Expr, scope: Scope<'_>, out: &mut Set) {
        if let Some(id) = self.value(expr, scope) {
            return out.insert(id as usize & 0xff);
        }
        match expr {
            Expr::Load(place) if self.elements_are_fixed(place, scope) => {
                for element in elements(place) {
                    match scope.env().eval(&Expr::Load(Box::new(element))) {
                        Ok(id) => out.insert(id as usize & 0xff),
                        Err(_) => out.add(&Set::ALL),
                    }
                }
            }
            _ => out.add(&Set::ALL),
        }
    }

    /// Do the elements of an array never change, and can they be read from here?
    fn elements_are_fixed(&self, place: &Place, scope: Scope<'_>) -> bool {
        let few = place.indices.iter().map(|i| i.length as u64).product::<u64>() <= 256;
        few && match (place.space, scope) {
            (Space::Global, _) => !self.is_written(place, None),
            (Space::Local, Scope::Process(_, id)) => !self.is_written(place, Some(id)),
            _ => false,
        }
    }

    fn is_written(&self, place: &Place, id: Option<ProctypeId>) -> bool {
        match (place.space, id) {
            (Space::Global, _) => {
                let range = place.extent().start as usize..place.extent().end as usize;
                self.cells.get(range).is_none_or(|cells| cells.iter().any(Option::is_some))
            }
            (Space::Local, Some(id)) => any(&self.proctypes[id.0 as usize].written, place.extent()),
            _ => true,
        }
    }

    /// Does an expression always have the same value, for a process of the given type or for all?
    fn is_fixed(&self, expr: &Expr, id: Option<ProctypeId>) -> bool {
        match expr {
            Expr::Const(_) => true,
            Expr::Pid => id.is_some(),
            Expr::Global(ty, offset) => {
                let range = *offset as usize..*offset as usize + ty.size();
                self.cells.get(range).is_some_and(|cells| cells.iter().all(Option::is_none))
            }
            Expr::Local(ty, offset) => id.is_some_and(|id| {
                let range = *offset..*offset + ty.size() as u32;
                !any(&self.proctypes[id.0 as usize].written, range)
            }),
            Expr::Load(place) => {
                !self.is_written(place, id)
                    && place.indices.iter().all(|index| self.is_fixed(&index.expr, id))
            }
            Expr::Unary(_, operand) => self.is_fixed(operand, id),
            Expr::Binary(_, operands) | Expr::And(operands) | Expr::Or(operands) => {
                self.is_fixed(&operands.0, id) && self.is_fixed(&operands.1, id)
            }
            Expr::If(parts) => {
                [&parts.0, &parts.1, &parts.2].iter().all(|part| self.is_fixed(part, id))
            }
            _ => false,
        }
    }
}

/// Gives each global variable that is written a number; the bytes behind the first of it count as
/// written too, so that what overlaps meets.
fn number_cells(written: &[bool]) -> Vec<Option<u8>> {
    let count = written.iter().filter(|written| **written).count();
    let mut next = 0usize;
    let number = |written: &bool| {
        written.then(|| {
            let number = if count <= 256 { next } else { next * 256 / count };
            next += 1;
            number as u8
        })
    };
    written.iter().map(number).collect()
}

/// All elements of an array of arrays, each with constant indices.
fn elements(place: &Place) -> Vec<Place> {
    let mut all = vec![Place { indices: Vec::new(), ..place.clone() }];
    for index in &place.indices {
        let longer = |before: &Place, value: u32| {
            let mut after = before.clone();
            after.indices.push(Index { expr: Expr::Const(value as i32), ..index.clone() });
            after
        };
        all = all.iter().flat_map(|p| (0..index.length).map(move |i| longer(p, i))).collect();
    }
    all
}

/// The proctypes that an action creates processes of.
fn runs(action: &Action) -> Vec<ProctypeId> {
    match action {
        Action::Run(run) => vec![run.proctype],
        Action::DStep(body) => body
            .nodes
            .iter()
            .flat_map(|node| match node {
                DNode::Do { action, .. } => runs(action),
                _ => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}
