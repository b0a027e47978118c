//! What is known about a model before any state is seen: what the statements at each location
//! touch, and what a process may touch from a location on.

use super::access::{self, Access, Obstacle};
use super::footprint::{COUNT, DROPS, END, Footprint, MAKES, RUN, Set, USES};
use crate::eval::{Env, NOBODY};
use crate::ir::*;
use crate::work::Work;
use std::ops::Range;

pub struct Analysis<'m> {
    pub model: &'m Model,
    /// For each byte of the globals, the number of the variable that begins there. Variables that
    /// nobody writes have none; where there are too many, neighbours share one.
    cells: Vec<Option<u8>>,
    /// How many numbers variables have.
    pub cell_count: usize,
    pub proctypes: Vec<ProctypeInfo<'m>>,
    /// Do processes have channels of their own?
    channels_come_and_go: bool,
}

pub struct ProctypeInfo<'m> {
    /// Which bytes of the locals are written after the start.
    written: Vec<bool>,
    owns_channels: bool,
    /// What a process does as it begins.
    beginning: Vec<Access>,
    pub locations: Vec<LocationInfo<'m>>,
    /// What depends on the process: on its id and on locals that are never written.
    varying: Vec<Access>,
    /// The bytes of such locals.
    pub fixed_locals: Vec<Range<u32>>,
}

pub struct LocationInfo<'m> {
    /// All that a process may do from here on.
    pub future: Summary,
    pub transitions: Vec<TransitionInfo<'m>>,
    /// Nothing that can be done here touches anything shared.
    pub is_private: bool,
    /// Some transition from here closes a loop of the control graph.
    pub closes_loop: bool,
}

pub struct TransitionInfo<'m> {
    /// What the statement itself does.
    pub first: Vec<Access>,
    /// What else others must mind: whether these channels can be used decides what happens.
    asked: Vec<Access>,
    /// When a guard is false, why.
    pub guard: Option<Cause<'m>>,
    /// What may follow in the same step: a `d_step`, the rest of an `atomic`.
    pub inner: Option<Inner>,
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
    fn weight(&self) -> usize {
        let Footprint { reads, writes, sends, takes, looks, .. } = &self.fixed;
        let variables = reads.iter().count() + writes.iter().count();
        let channels = [sends, takes, looks].iter().map(|set| set.iter().count()).sum::<usize>();
        if variables > 0 { 1000 + variables } else { channels + self.varying.len() }
    }

    fn add(&mut self, other: &Summary) {
        self.fixed.add(&other.fixed);
        for access in &other.varying {
            if let Err(at) = self.varying.binary_search(access) {
                self.varying.insert(at, *access);
            }
        }
    }
}

/// The parts of a guard, so that it can be said why it is false.
pub struct Cause<'m> {
    pub expr: &'m Expr,
    pub accesses: Vec<Access>,
    pub parts: Option<Box<Parts<'m>>>,
}

pub struct Parts<'m> {
    pub both: bool,
    pub left: Cause<'m>,
    /// Evaluating the left part never goes wrong.
    pub left_is_sound: bool,
    pub right: Cause<'m>,
}

impl<'m> Cause<'m> {
    fn of(expr: &'m Expr) -> Result<Cause<'m>, Obstacle> {
        let accesses = access::of_expr(expr)?;
        let parts = match expr {
            Expr::And(operands) | Expr::Or(operands) => Some(Box::new(Parts {
                both: matches!(expr, Expr::And(_)),
                left: Cause::of(&operands.0)?,
                left_is_sound: is_sound(&operands.0),
                right: Cause::of(&operands.1)?,
            })),
            _ => None,
        };
        Ok(Cause { expr, accesses, parts })
    }
}

/// Can evaluating this never go wrong?
fn is_sound(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Global(..) | Expr::Local(..) | Expr::Pid | Expr::Timeout => true,
        Expr::Unary(_, operand) => is_sound(operand),
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _) => false,
        Expr::Binary(_, operands) | Expr::And(operands) | Expr::Or(operands) => {
            is_sound(&operands.0) && is_sound(&operands.1)
        }
        _ => false,
    }
}

/// To a channel operation it makes no difference that it has to wait. But it does where something
/// else is done meanwhile (`else`, the body of an `unless`), or where waiting ends an atomic run so
/// that others see the middle of it.
fn note_asked(proctype: &Proctype, info: &mut ProctypeInfo<'_>) {
    let mut in_the_middle = vec![false; proctype.locations.len()];
    for transition in proctype.transitions.iter().filter(|t| t.atomic) {
        in_the_middle[transition.target.0 as usize] = true;
    }
    for (at, location) in proctype.locations.iter().enumerate() {
        let transitions = &proctype.transitions[location.first as usize..location.end as usize];
        let has_rank = |t: &Transition| t.escape != 0 || matches!(t.action, Action::Else);
        let asks = proctype.deterministic || in_the_middle[at] || transitions.iter().any(has_rank);
        for (transition, info) in transitions.iter().zip(&mut info.locations[at].transitions) {
            info.asked = access::asked(&transition.action, asks);
        }
    }
}

/// Whether a rendezvous send can run depends on where the receivers stand. Where somebody asks
/// that, coming to a place where one can receive matters.
fn note_offers(model: &Model, proctypes: &mut [ProctypeInfo<'_>]) {
    let mut all = proctypes.iter().flat_map(|info| &info.locations).flat_map(|l| &l.transitions);
    let somebody_asks = all.any(|transition| !transition.asked.is_empty());
    if !model.channel_types.iter().any(ChannelType::is_rendezvous) || !somebody_asks {
        return;
    }
    let offers_at = |proctype: &Proctype, location: LocId| {
        let there = proctype.transitions_of(location).iter();
        there.flat_map(|next| access::offers(&next.action)).collect::<Vec<_>>()
    };
    for (proctype, info) in model.proctypes.iter().zip(proctypes) {
        info.beginning.extend(offers_at(proctype, proctype.start));
        for (location, info) in proctype.locations.iter().zip(&mut info.locations) {
            let transitions = &proctype.transitions[location.first as usize..location.end as usize];
            for (transition, info) in transitions.iter().zip(&mut info.transitions) {
                info.first.extend(offers_at(proctype, transition.target));
            }
        }
    }
}

/// The bytes in which an element of a place can lie.
fn extent(place: &Place) -> Range<u32> {
    let last: u32 = place.indices.iter().map(|i| i.length.saturating_sub(1) * i.stride).sum();
    place.offset..place.offset + last + place.ty.size() as u32
}

fn mark(bytes: &mut [bool], range: Range<u32>) {
    let end = (range.end as usize).min(bytes.len());
    bytes[(range.start as usize).min(end)..end].fill(true);
}

fn any(bytes: &[bool], range: Range<u32>) -> bool {
    bytes.get(range.start as usize..range.end as usize).is_none_or(|bytes| bytes.contains(&true))
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
        let cell_count = cells.iter().flatten().max().map_or(0, |last| usize::from(*last) + 1);
        let mut analysis = Analysis { model, cells, cell_count, proctypes, channels_come_and_go };
        analysis.summarise(Env { model, work: initial, pid: NOBODY, timeout: false })?;
        Ok(analysis)
    }

    /// Fills in the summaries: what follows in a step, and the future of each location.
    fn summarise(&mut self, env: Env<'_>) -> Result<(), Obstacle> {
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
        Ok(())
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
            None => extent(place).filter_map(cell).for_each(|cell| out.insert(cell)),
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
                let range = extent(place).start as usize..extent(place).end as usize;
                self.cells.get(range).is_none_or(|cells| cells.iter().any(Option::is_some))
            }
            (Space::Local, Some(id)) => any(&self.proctypes[id.0 as usize].written, extent(place)),
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

impl<'m> ProctypeInfo<'m> {
    /// Without the summaries. Marks the bytes of the globals that are written.
    fn new(proctype: &'m Proctype, globals: &mut [bool]) -> Result<Self, Obstacle> {
        let mut written = vec![false; proctype.locals.size as usize];
        let mut note = |place: &Place| match place.space {
            Space::Global => mark(globals, extent(place)),
            Space::Local => mark(&mut written, extent(place)),
            Space::Hidden | Space::Nowhere => {}
        };
        proctype.transitions.iter().for_each(|t| written_places(&t.action, &mut note));
        let mut locations = Vec::new();
        for location in &proctype.locations {
            let mut transitions = Vec::new();
            let range = location.first as usize..location.end as usize;
            for transition in &proctype.transitions[range] {
                let guard = match &transition.action {
                    Action::Guard(expr) => Some(Cause::of(expr)?),
                    _ => None,
                };
                let first = access::of_action(&transition.action)?;
                transitions.push(TransitionInfo { first, asked: Vec::new(), guard, inner: None });
            }
            let future = Summary::default();
            let (is_private, closes_loop) = (false, false);
            locations.push(LocationInfo { future, transitions, is_private, closes_loop });
        }
        let fixed_locals = ranges(&written);
        let owns_channels = !proctype.locals.channels.is_empty();
        let varying = Vec::new();
        let beginning = access::of_beginning(proctype)?;
        Ok(ProctypeInfo { written, owns_channels, beginning, locations, varying, fixed_locals })
    }
}

/// The ranges of what is not marked.
fn ranges(marked: &[bool]) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for at in (0..marked.len()).filter(|at| !marked[*at]).map(|at| at as u32) {
        match ranges.last_mut() {
            Some(range) if range.end == at => range.end += 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

fn written_places(action: &Action, note: &mut impl FnMut(&Place)) {
    match action {
        Action::Assign(place, _) => note(place),
        Action::Receive(receive) => {
            for field in &receive.fields {
                if let Pattern::Store(place) = field {
                    note(place);
                }
            }
        }
        Action::Run(run) => run.result.iter().for_each(note),
        Action::DStep(body) => {
            for node in &body.nodes {
                if let DNode::Do { action, .. } = node {
                    written_places(action, note);
                }
            }
        }
        _ => {}
    }
}

/// Does the process still exist behind a transition?
fn goes_on(transition: &Transition) -> bool {
    !matches!(transition.action, Action::End)
}

/// Can one who hands control over with a rendezvous get it back in the same step? Only from an
/// atomic run that begins with a receive and has a send in it.
fn control_comes_back(model: &Model) -> bool {
    let comes_back = |proctype: &Proctype, index: usize| {
        let begins = !access::offers(&proctype.transitions[index].action).is_empty();
        let is_send =
            |index: &usize| matches!(proctype.transitions[*index].action, Action::Send(_));
        begins && atomic_rest(proctype, index, false).0.iter().any(is_send)
    };
    model.channel_types.iter().any(ChannelType::is_rendezvous)
        && model.proctypes.iter().any(|p| (0..p.transitions.len()).any(|t| comes_back(p, t)))
}

/// What may follow transition number `index` in the same step.
fn inner(proctype: &Proctype, index: usize, direct: &[Summary], hands_back: bool) -> Option<Inner> {
    let transition = &proctype.transitions[index];
    let is_d_step = matches!(transition.action, Action::DStep(_));
    let (behind, has_loop) = atomic_rest(proctype, index, hands_back);
    if !is_d_step && behind.is_empty() {
        return None;
    }
    let mut operations = Summary::default();
    let (mut sends, mut takes) = messages(&transition.action);
    if is_d_step {
        operations.add(&direct[index]);
    }
    for other in behind {
        operations.add(&direct[other]);
        let more = messages(&proctype.transitions[other].action);
        (sends, takes) = (sends.saturating_add(more.0), takes.saturating_add(more.1));
    }
    if has_loop {
        (sends, takes) = (usize::MAX, usize::MAX);
    }
    Some(Inner { operations, sends, takes })
}

/// The transitions that can follow one within an atomic run, and whether they can repeat.
/// `hands_back`: so can a receive that follows a send, in the atomic run of whoever got the message.
fn atomic_rest(proctype: &Proctype, index: usize, hands_back: bool) -> (Vec<usize>, bool) {
    let mut found = vec![false; proctype.transitions.len()];
    let mut order = vec![index];
    let mut at = 0;
    let follow = |index: usize| {
        let transition = &proctype.transitions[index];
        let location = &proctype.locations[transition.target.0 as usize];
        let all = transition.atomic && goes_on(transition);
        let some = hands_back && matches!(transition.action, Action::Send(_));
        let can_follow = move |next: &usize| {
            all || some && !access::offers(&proctype.transitions[*next].action).is_empty()
        };
        (location.first as usize..location.end as usize).filter(can_follow)
    };
    // How many ways lead to each, to see whether all can be put in order.
    let mut ways = vec![0usize; proctype.transitions.len()];
    while at < order.len() {
        for next in follow(order[at]) {
            ways[next] += 1;
            if !found[next] {
                found[next] = true;
                order.push(next);
            }
        }
        at += 1;
    }
    let mut free = vec![index];
    let mut sorted = 0;
    while let Some(next) = free.pop() {
        sorted += 1;
        for next in follow(next) {
            ways[next] -= 1;
            if ways[next] == 0 {
                free.push(next);
            }
        }
    }
    let has_loop = found[index] || sorted < order.len();
    (order.split_off(1), has_loop)
}

/// How many messages an action sends and takes at most.
fn messages(action: &Action) -> (usize, usize) {
    match action {
        Action::Send(_) => (1, 0),
        // One that waits for a message among others looks at all of them.
        Action::Receive(receive) if receive.anywhere => (0, usize::MAX),
        Action::Receive(_) => (0, 1),
        Action::DStep(body) => {
            let mut all = (0usize, 0usize);
            for node in &body.nodes {
                if let DNode::Do { action, .. } = node {
                    let more = messages(action);
                    all = (all.0.saturating_add(more.0), all.1.saturating_add(more.1));
                }
            }
            if body.has_loop() && all != (0, 0) { (usize::MAX, usize::MAX) } else { all }
        }
        _ => (0, 0),
    }
}

/// The future of each location: what its transitions do, and what follows.
fn futures(proctype: &Proctype, direct: &[Summary]) -> Vec<Summary> {
    let mut futures: Vec<Summary> = proctype
        .locations
        .iter()
        .map(|location| {
            let mut own = Summary::default();
            let range = location.first as usize..location.end as usize;
            direct[range].iter().for_each(|summary| own.add(summary));
            own
        })
        .collect();
    loop {
        let mut changed = false;
        for (at, location) in proctype.locations.iter().enumerate().rev() {
            let range = location.first as usize..location.end as usize;
            for transition in proctype.transitions[range].iter().filter(|t| goes_on(t)) {
                let next = futures[transition.target.0 as usize].clone();
                let mut sum = futures[at].clone();
                sum.add(&next);
                if sum != futures[at] {
                    futures[at] = sum;
                    changed = true;
                }
            }
        }
        if !changed {
            return futures;
        }
    }
}

/// For each transition whether the steps that begin with it *close* a loop. Every way in which a
/// process can come back to where it was has such a step in it; it is better if that is one that
/// will often have to wait for others anyway.
fn closing_transitions(
    model: &Model,
    proctype: &Proctype,
    direct: &[Summary],
    hands_back: bool,
) -> Vec<bool> {
    let steps = steps(model, proctype, hands_back);
    let mut closing = vec![false; proctype.transitions.len()];
    while let Some(cycle) = some_cycle(&steps, &closing) {
        let shared = |index: &usize| direct[*index].weight();
        if let Some(worst) = cycle.into_iter().max_by_key(shared) {
            closing[worst] = true;
        }
    }
    closing
}

/// For each location the steps from it: with which transition they begin, and where they may end.
fn steps(model: &Model, proctype: &Proctype, hands_back: bool) -> Vec<Vec<(usize, usize)>> {
    let has_rendezvous = model.channel_types.iter().any(ChannelType::is_rendezvous);
    let may_end_behind = |transition: &Transition| {
        let hands_over = has_rendezvous && matches!(transition.action, Action::Send(_));
        let may_wait = |next: &Transition| {
            use Action::{DStep, End, Guard, Receive, Send};
            matches!(next.action, Guard(_) | Send(_) | Receive(_) | DStep(_) | End)
        };
        !transition.atomic
            || hands_over
            || proctype.transitions_of(transition.target).iter().all(may_wait)
    };
    let of_transition = |index: usize| {
        let mut whole = atomic_rest(proctype, index, hands_back).0;
        whole.push(index);
        let behind = whole.iter().map(|index| &proctype.transitions[*index]);
        let ends = behind.filter(|t| goes_on(t) && may_end_behind(t));
        let mut ends: Vec<usize> = ends.map(|t| t.target.0 as usize).collect();
        ends.sort_unstable();
        ends.dedup();
        ends.into_iter().map(move |end| (index, end))
    };
    let of_location = |location: &ControlLocation| {
        (location.first as usize..location.end as usize).flat_map(of_transition).collect()
    };
    proctype.locations.iter().map(of_location).collect()
}

/// The transitions that the steps of a loop begin with, without those that are left out; if there
/// is one.
fn some_cycle(steps: &[Vec<(usize, usize)>], left_out: &[bool]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let mut colours = vec![Colour::New; steps.len()];
    for root in 0..steps.len() {
        if colours[root] != Colour::New {
            continue;
        }
        colours[root] = Colour::Open;
        // Each location on the way, and its step that is tried next.
        let mut way = vec![(root, 0)];
        while let Some((at, next)) = way.last_mut() {
            let Some((transition, end)) = steps[*at].get(*next).copied() else {
                colours[*at] = Colour::Done;
                way.pop();
                continue;
            };
            *next += 1;
            match colours[end] {
                _ if left_out[transition] => {}
                Colour::Done => {}
                Colour::New => {
                    colours[end] = Colour::Open;
                    way.push((end, 0));
                }
                Colour::Open => {
                    let on_cycle = way.iter().skip_while(|(location, _)| *location != end);
                    return Some(on_cycle.map(|(at, next)| steps[*at][*next - 1].0).collect());
                }
            }
        }
    }
    None
}
