//! The kernel as a system to search: whoever could act next does, in every possible way.

mod world;

use crate::code::{Object, Op, Pc};
use crate::kernel::{Acted, Id, Kernel, Process, Snapshot, Status, Watcher};
use crate::{automata, record, view};

use auspex_system::{
    Explorer, Fault, Graph, Numbered, Place, StateRef, StateView, Step, StepInfo, Successors,
    System,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use world::{AnyWorld, Script};

/// A compiled program, and how it is to be searched.
#[derive(Clone)]
pub struct Model {
    pub object: Arc<Object>,
    pub options: Options,
    /// The one of the properties that watches.
    pub property: Option<u32>,
    /// The propositions of each formula.
    pub formulas: Vec<Vec<Proposition>>,
    /// Expressions that are shown with every state.
    pub watches: Vec<(String, Pc, crate::types::TypeId)>,
    /// What the program has printed when it was over, of all runs; only where that is recorded.
    pub outputs: Arc<Mutex<BTreeSet<Vec<u8>>>>,
    /// Was a value chosen from too many to try them all?
    pub sampled: Arc<AtomicBool>,
    /// Did a proposition of a formula go wrong, so that nobody knows whether it holds?
    pub at_a_loss: Arc<AtomicBool>,
    /// What went wrong in the property itself, at last.
    pub trouble: Arc<Mutex<Option<Fault>>>,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Keep queues in the order of arrival.
    pub unsorted: bool,
    pub allow_deadlock: bool,
    /// What is tried for every input.
    pub input_range: Option<(i64, i64)>,
    /// What was printed is a part of the state.
    pub record: bool,
}

#[derive(Clone, Debug)]
pub enum Proposition {
    /// An expression over the variables of modules.
    Value(Pc),
    /// Some process of this name (and number) stands in this line.
    At { process: String, number: Option<Id>, line: u32 },
}

impl Model {
    pub fn new(object: Arc<Object>, options: Options) -> Self {
        Model {
            object,
            options,
            property: None,
            formulas: Vec::new(),
            watches: Vec::new(),
            outputs: Arc::default(),
            sampled: Arc::default(),
            at_a_loss: Arc::default(),
            trouble: Arc::default(),
        }
    }

    /// The same program, watched by one of its properties.
    pub fn watched_by(&self, property: u32) -> Self {
        Model { property: Some(property), trouble: Arc::default(), ..self.clone() }
    }

    fn kernel(&self) -> Kernel<'_> {
        Kernel::new(&self.object, !self.options.unsorted)
    }
}

impl System for Model {
    type Explorer<'s> = KernelExplorer<'s>;

    fn explorer(&self) -> KernelExplorer<'_> {
        KernelExplorer {
            model: self,
            kernel: self.kernel(),
            base: Snapshot::default(),
            covered: Coverage { ops: vec![false; self.object.code.len()] },
            bytes: Vec::new(),
            cuts: Vec::new(),
            output: Vec::new(),
            plans: Vec::new(),
            known: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Who waits keeps more than who is ready.
    fn has_loose_parts(&self) -> bool {
        true
    }

    fn unreached(&self, covered: &[bool]) -> Vec<Place> {
        let object = &*self.object;
        let is_property = |process: u32| object.properties.contains(&process);
        let reached = |pc: Pc| covered.get(pc as usize).copied().unwrap_or(false);
        // A statement may have several beginnings.
        let known: BTreeSet<(u32, &str)> = object
            .debug
            .statements
            .iter()
            .filter(|statement| reached(statement.start))
            .map(|statement| (statement.place, statement.text.as_str()))
            .collect();
        let statements = object.debug.statements.iter().filter(|statement| {
            let jump =
                matches!(object.code.get(statement.start as usize), Some(Op::Jump(_)) | None);
            let is_known = known.contains(&(statement.place, statement.text.as_str()));
            !jump && !is_known && !is_property(statement.process)
        });
        let place = |statement: &crate::code::StatementCode| Place {
            process: object
                .processes
                .get(statement.process as usize)
                .map_or_else(String::new, |process| process.name.clone()),
            location: object.location(object.debug.places.get(statement.place as usize)),
            text: statement.text.clone(),
        };
        let mut places: Vec<Place> = statements.map(place).collect();
        places.sort_by(|a, b| a.location.cmp(&b.location));
        places
    }

    fn automata(&self) -> Vec<Graph> {
        automata::graphs(&self.object)
    }
}

/// Marks what was executed.
struct Coverage {
    ops: Vec<bool>,
}

impl Watcher for Coverage {
    #[inline]
    fn at(&mut self, _: &Kernel<'_>, _: Id, _: &Process, pc: Pc) {
        if let Some(op) = self.ops.get_mut(pc as usize) {
            *op = true;
        }
    }
}

/// How a successor comes about.
#[derive(Clone, Debug, Default)]
struct Plan {
    /// Of the property, which moves first.
    property: Option<Script>,
    /// Nobody: the system stays where it is.
    id: Option<Id>,
    script: Script,
    movers: u64,
}

pub struct KernelExplorer<'s> {
    model: &'s Model,
    kernel: Kernel<'s>,
    base: Snapshot,
    covered: Coverage,
    bytes: Vec<u8>,
    cuts: Vec<u32>,
    /// What was printed up to the state that is expanded; only where that is recorded.
    output: Vec<u8>,
    plans: Vec<Plan>,
    /// The numbers of the parts of the state that is expanded, and of a successor.
    known: Vec<u32>,
    numbers: Vec<u32>,
}

/// Where successors go.
struct Sink<'a> {
    out: &'a mut Successors,
    /// Who knows the numbers of parts.
    parts: Option<&'a mut dyn Numbered>,
}

impl KernelExplorer<'_> {
    fn decode(&mut self, state: StateRef<'_>) {
        let mut bytes = state.bytes;
        self.output.clear();
        if self.model.options.record {
            let (rest, length) = bytes.split_at(bytes.len().saturating_sub(4));
            let length = length.try_into().map_or(0, u32::from_le_bytes) as usize;
            let (rest, output) = rest.split_at(rest.len().saturating_sub(length));
            self.output.extend_from_slice(output);
            bytes = rest;
        }
        self.kernel.decode(bytes, self.model.property.is_some());
    }

    /// What was printed on the way to a state; empty unless that is recorded.
    pub fn printed_so_far(&mut self, state: StateRef<'_>) -> &[u8] {
        self.decode(state);
        &self.output
    }

    /// Appends the state that the kernel is in.
    fn push(&mut self, printed: &[u8], sink: &mut Sink<'_>) {
        if let Some(parts) = sink.parts.as_deref_mut()
            && self.push_numbered(parts, sink.out).is_some()
        {
            return;
        }
        self.push_bytes(printed, sink.out);
    }

    /// In terms of the numbers of its parts, which most successors share with the state that is expanded.
    fn push_numbered(&mut self, parts: &mut dyn Numbered, out: &mut Successors) -> Option<()> {
        let known = std::mem::take(&mut self.known);
        let mut numbers = std::mem::take(&mut self.numbers);
        let (bytes, cuts) = (&mut self.bytes, &mut self.cuts);
        let mut number = |part: &[u8]| parts.number(part);
        let before = (&self.base, known.as_slice());
        let found = self.kernel.number_parts(before, bytes, cuts, &mut numbers, &mut number);
        if found.is_some() {
            out.push_numbered(&numbers);
        }
        (self.known, self.numbers) = (known, numbers);
        found
    }

    fn push_bytes(&mut self, printed: &[u8], out: &mut Successors) {
        self.kernel.encode(&mut self.bytes, &mut self.cuts);
        if self.model.options.record {
            self.cuts.push(self.bytes.len() as u32);
            self.bytes.extend_from_slice(&self.output);
            self.bytes.extend_from_slice(printed);
            let length = (self.output.len() + printed.len()) as u32;
            self.bytes.extend_from_slice(&length.to_le_bytes());
        }
        out.push(StateRef { bytes: &self.bytes, cuts: &self.cuts });
    }

    /// Appends all successors, and remembers in `plans` how they come about.
    fn expand(&mut self, state: StateRef<'_>, out: &mut Successors) {
        self.decode(state);
        self.expand_decoded(&mut Sink { out, parts: None });
    }

    fn expand_decoded(&mut self, sink: &mut Sink<'_>) {
        self.plans.clear();
        if self.model.property.is_some() {
            return self.expand_watched(sink);
        }
        if !self.expand_system(None, sink) {
            return;
        }
        let out = &mut *sink.out;
        if self.model.options.record
            && self.kernel.is_over()
            && let Ok(mut outputs) = self.model.outputs.lock()
        {
            outputs.insert(self.output.clone());
        }
        let stuck = out.is_empty() && !self.kernel.is_over() && !self.model.options.allow_deadlock;
        if stuck {
            out.push_fault(view::deadlock(&self.kernel));
            self.plans.push(Plan::default());
        }
    }

    /// The property reads the state, then the system moves.
    fn expand_watched(&mut self, sink: &mut Sink<'_>) {
        let mut start = Snapshot::default();
        self.kernel.save(&mut start);
        let mut script = Script::default();
        let mut moves = false;
        loop {
            let flag = sink.out.interrupt().cloned();
            let acted = self.let_property(&mut script, flag.as_deref());
            if matches!(acted, Ok(Acted::Interrupted)) {
                sink.out.is_interrupted();
                return;
            }
            // A property that goes wrong is not silent: it takes the run, whatever comes.
            if let Err(fault) = &acted
                && let Ok(mut trouble) = self.model.trouble.lock()
            {
                *trouble = Some(fault.clone());
            }
            if matches!(acted, Ok(Acted::Done) | Err(_)) {
                moves = true;
                let before = self.plans.len();
                if !self.expand_system(Some(&script), sink) {
                    return;
                }
                if self.plans.len() == before {
                    // The system stays where it is, and the property goes on watching it.
                    self.push_bytes(&[], sink.out);
                    let property = Some(script.clone());
                    self.plans.push(Plan { property, ..Plan::default() });
                }
            }
            self.kernel.undo(&start);
            if !script.advance() {
                break;
            }
        }
        if !moves {
            sink.out.abandon();
        }
    }

    fn let_property(
        &mut self,
        script: &mut Script,
        interrupt: Option<&AtomicBool>,
    ) -> Result<Acted, Fault> {
        let mut printed = Vec::new();
        let mut world = AnyWorld { model: self.model, script, output: &mut printed, interrupt };
        self.kernel.act_property(&mut world, &mut self.covered)
    }

    /// Every action of every process. `false`: interrupted.
    fn expand_system(&mut self, property: Option<&Script>, sink: &mut Sink<'_>) -> bool {
        let flag = sink.out.interrupt().cloned();
        self.kernel.save(&mut self.base);
        let mut finished = true;
        'all: for id in 0..self.kernel.processes.len() as Id {
            if !self.kernel.may_act(id) {
                continue;
            }
            let retries = self.kernel.process(id).is_some_and(|p| p.status == Status::Selecting);
            let mut script = Script::default();
            loop {
                let mut printed = Vec::new();
                let mut world = AnyWorld {
                    model: self.model,
                    script: &mut script,
                    output: &mut printed,
                    interrupt: flag.as_deref(),
                };
                let acted = self.kernel.act(id, &mut world, &mut self.covered);
                let bits = |id: &Id| if *id < 64 { 1u64 << id } else { 0 };
                let movers =
                    self.kernel.partners.iter().map(bits).fold(bits(&id), |all, bit| all | bit);
                let happened = !retries || !self.kernel.partners.is_empty();
                let pushed = match acted {
                    Ok(Acted::Interrupted) => {
                        sink.out.is_interrupted();
                        finished = false;
                        self.kernel.undo(&self.base);
                        break 'all;
                    }
                    Ok(_) if happened => {
                        self.push(&printed, sink);
                        true
                    }
                    Ok(_) => false,
                    // Faults are found by the search without a property.
                    Err(_) if property.is_some() => false,
                    Err(fault) => {
                        sink.out.push_fault(fault);
                        true
                    }
                };
                if pushed {
                    let (property, script) = (property.cloned(), script.clone());
                    self.plans.push(Plan { property, id: Some(id), script, movers });
                }
                self.kernel.undo(&self.base);
                if !script.advance() {
                    break;
                }
            }
        }
        finished
    }

    /// Carries out a plan, told to someone.
    fn perform<O: Watcher>(
        &mut self,
        plan: &Plan,
        watcher: &mut O,
    ) -> (Result<Acted, Fault>, Vec<u8>) {
        if let Some(property) = &plan.property {
            let mut script = property.clone();
            script.at = 0;
            // What the property does is no step of the program.
            let _ = self.let_property(&mut script, None);
        }
        let mut script = plan.script.clone();
        script.at = 0;
        let mut printed = Vec::new();
        let Some(id) = plan.id else { return (Ok(Acted::Done), printed) };
        let model = self.model;
        let mut world =
            AnyWorld { model, script: &mut script, output: &mut printed, interrupt: None };
        let acted = self.kernel.act(id, &mut world, watcher);
        (acted, printed)
    }

    fn stands_at(&self, process: &Process, line: u32) -> bool {
        let place = view::place_of(&self.model.object, process);
        place.is_some_and(|place| place.line == line)
    }

    fn holds(&mut self, proposition: &Proposition) -> bool {
        match proposition {
            Proposition::Value(pc) => match self.kernel.evaluate(*pc) {
                Ok(value) => value != 0,
                Err(_) => {
                    self.model.at_a_loss.store(true, Relaxed);
                    false
                }
            },
            Proposition::At { process: name, number, line } => {
                let object = &*self.model.object;
                self.kernel.processes.iter().enumerate().any(|(index, process)| {
                    let Some(process) = process else { return false };
                    let code = object.processes.get(process.code as usize);
                    let fits = number.is_none_or(|number| number as usize == index);
                    fits && code.is_some_and(|code| code.name == *name)
                        && self.stands_at(process, *line)
                })
            }
        }
    }
}

impl Explorer for KernelExplorer<'_> {
    fn initial(&mut self, out: &mut Successors) {
        self.kernel.begin(self.model.property);
        self.output.clear();
        self.push_bytes(&[], out);
    }

    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        self.expand(state, out);
    }

    fn successors_of_parts(&mut self, state: &mut dyn Numbered, out: &mut Successors) {
        self.known.clear();
        self.known.extend_from_slice(state.parts());
        self.decode(state.state());
        // What was printed is a part that every step may change.
        let numbered = !self.model.options.record && self.known.len() == self.kernel.count_parts();
        self.expand_decoded(&mut Sink { out, parts: numbered.then_some(state) });
    }

    fn describe(&mut self, from: StateRef<'_>, step: Step) -> Vec<StepInfo> {
        self.expand(from, &mut Successors::new());
        let Some(plan) = self.plans.get(step.0 as usize).cloned() else { return Vec::new() };
        self.decode(from);
        let mut recorder = record::Recorder::new(&self.kernel, plan.id);
        let (acted, printed) = self.perform(&plan, &mut recorder);
        recorder.finish(&self.kernel, acted.is_ok(), &printed)
    }

    fn show(&mut self, state: StateRef<'_>) -> StateView {
        self.decode(state);
        let watches = &self.model.watches;
        let mut watched = Vec::new();
        for (name, pc, ty) in watches {
            let value = match self.kernel.evaluate(*pc) {
                Ok(value) => view::show_value(&self.model.object, *ty, value),
                Err(fault) => fault.message,
            };
            watched.push(auspex_system::Variable { name: name.clone(), value });
        }
        StateView { sections: view::sections(&self.kernel), watched }
    }

    fn show_fault(&mut self, from: StateRef<'_>, step: Step) -> Option<StateView> {
        self.expand(from, &mut Successors::new());
        let plan = self.plans.get(step.0 as usize)?.clone();
        self.decode(from);
        let _ = self.perform(&plan, &mut ());
        Some(StateView { sections: view::sections(&self.kernel), watched: Vec::new() })
    }

    fn covered(&self) -> &[bool] {
        &self.covered.ops
    }

    fn letter(&mut self, property: usize, state: StateRef<'_>) -> u64 {
        self.decode(state);
        if self.model.property.is_some() {
            return u64::from(self.kernel.accepting);
        }
        let model = self.model;
        let formula = property.checked_sub(model.object.properties.len());
        let propositions = formula.and_then(|index| model.formulas.get(index));
        let propositions = propositions.map_or(&[][..], |all| all);
        let bits = propositions.iter().enumerate();
        bits.fold(0, |letter, (bit, proposition)| {
            letter | u64::from(self.holds(proposition)) << bit
        })
    }

    fn movers(&mut self, state: StateRef<'_>, out: &mut Vec<u64>) {
        self.expand(state, &mut Successors::new());
        out.extend(self.plans.iter().map(|plan| plan.movers));
    }
}
