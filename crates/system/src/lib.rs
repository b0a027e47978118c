//! The interface between what is checked and how it is searched.
//!
//! A front end turns a program or a model into a [`System`]; the search explores any `System`.
//! Neither knows the other: whatever both need to agree on is in this crate.
#![forbid(unsafe_code)]

mod diagnostic;
mod sight;
mod successors;
mod view;

pub use diagnostic::{Diagnostic, FileId, Location, Severity, SourceMap, Span};
pub use sight::{Actor, Outlook, Sight};
pub use successors::{ByteRange, Room, StateRef, Step, Successor, Successors};
pub use view::{
    Change, Fault, Graph, GraphEdge, GraphNode, Message, MessageKind, NodeKind, Place, ProcessName,
    Section, StateView, StepInfo, Variable,
};

/// A transition system given by its program text rather than by a graph.
pub trait System: Sync {
    /// One thread's working memory: an interpreter, scratch buffers.
    type Explorer<'s>: Explorer
    where
        Self: 's;

    fn explorer(&self) -> Self::Explorer<'_>;

    /// Do the parts of its states change their lengths all the time, each on its own? A hint.
    fn has_loose_parts(&self) -> bool {
        false
    }

    /// Does each cycle pass only accepting states, or none ([`Explorer::is_accepting`])? No hint: where this
    /// is wrongly true, runs are missed.
    fn is_weak(&self) -> bool {
        false
    }

    /// The places whose entry in `covered` (see [`Explorer::covered`]) is false, in source order.
    fn unreached(&self, covered: &[bool]) -> Vec<Place>;

    /// The control graph of each process, for drawing.
    fn automata(&self) -> Vec<Graph>;
}

impl<S: System> System for &S {
    type Explorer<'s>
        = S::Explorer<'s>
    where
        Self: 's;

    fn explorer(&self) -> Self::Explorer<'_> {
        S::explorer(self)
    }

    fn has_loose_parts(&self) -> bool {
        S::has_loose_parts(self)
    }

    fn is_weak(&self) -> bool {
        S::is_weak(self)
    }

    fn unreached(&self, covered: &[bool]) -> Vec<Place> {
        S::unreached(self, covered)
    }

    fn automata(&self) -> Vec<Graph> {
        S::automata(self)
    }
}

/// Are the successors that [`Explorer::reduced`] gives enough?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enough {
    /// There is no such choice.
    No,
    Yes,
    /// If this one of them was never met before, so that nothing is put off for ever.
    IfNew(usize),
}

/// A state whose parts, the pieces between its cuts, have numbers: parts with equal numbers have equal bytes, as
/// long as the search lasts.
pub trait Numbered {
    /// The numbers of the parts of the state.
    fn parts(&self) -> &[u32];

    /// The state itself.
    fn state(&mut self) -> StateRef<'_>;

    /// The number of a part that any state may have; `None`: there is no room for a new one.
    fn number(&mut self, part: &[u8]) -> Option<u32>;

    /// The bytes of the part with a number.
    fn part(&mut self, number: u32) -> &[u8];
}

/// One thread's view of a system.
///
/// The order in which `initial` and `successors` deliver is a function of the state alone: a
/// [`Step`] is an index into it, and a trace is a list of steps.
pub trait Explorer {
    /// Appends the initial states (or the faults met while building them) to `out`.
    fn initial(&mut self, out: &mut Successors);

    /// Appends everything that can happen next in `state` to `out`. A state that must not be the
    /// end of a run and has no step appends one fault instead.
    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors);

    /// The same for a state whose parts have numbers: successors may be given in terms of them, with
    /// [`Successors::push_numbered`]. An explorer sees only one kind of numbers in its life.
    fn successors_of_parts(&mut self, state: &mut dyn Numbered, out: &mut Successors) {
        self.successors(state.state(), out);
    }

    /// Who moves, each on its own, in all states that have the cuts of this one and agree with it in the bytes that are `fixed`.
    /// In each of them, what `successors` appends is what `moves` appends for one actor after the other, unless that is nothing at all.
    /// If there are none, nothing can be said about these states.
    fn actors(&mut self, like: StateRef<'_>, fixed: &[bool]) -> Vec<Actor> {
        let _ = (like, fixed);
        Vec::new()
    }

    /// What an actor has to do with such states, as long as it is where it is in this one; `None`: it cannot be said.
    fn outlook(&mut self, like: StateRef<'_>, fixed: &[bool], actor: usize) -> Option<Outlook> {
        let _ = (like, fixed, actor);
        None
    }

    /// Appends what one actor can do next.
    fn moves(&mut self, state: StateRef<'_>, actor: usize, out: &mut Successors) {
        let _ = (state, actor, out);
    }

    /// The same, and for each successor which option led to it; `None`: this time, options had to do with each other.
    fn moves_by_option(
        &mut self,
        state: StateRef<'_>,
        actor: usize,
        out: &mut Successors,
    ) -> Option<Vec<usize>> {
        self.moves(state, actor, out);
        None
    }

    /// Appends some of what can happen next to `out`: the rest can wait, for it can also happen
    /// later, if the answer says so. There may be several ways to choose; `choice` counts them from
    /// 0, and only number 0 can be enough without a condition. One successor may stand for several
    /// steps; none is a fault.
    ///
    /// Faults, and states where nothing can move, are all found in this way.
    fn reduced(&mut self, state: StateRef<'_>, choice: usize, out: &mut Successors) -> Enough {
        let _ = (state, choice, out);
        Enough::No
    }

    /// The steps that number `index` of what `reduced` appends stands for.
    fn plain_steps(
        &mut self,
        from: StateRef<'_>,
        choice: usize,
        index: usize,
    ) -> Option<Vec<Step>> {
        let _ = (from, choice, index);
        None
    }

    /// What the step does, for people: one entry for each statement executed (an atomic step
    /// has several, a deadlock none).
    fn describe(&mut self, from: StateRef<'_>, step: Step) -> Vec<StepInfo>;

    /// What this step of the state that [`Explorer::successors`] was asked for last prints. `None`: only `describe` knows.
    fn printed(&self, step: Step) -> Option<&str> {
        let _ = step;
        None
    }

    /// What a state holds, for people.
    fn show(&mut self, state: StateRef<'_>) -> StateView;

    /// What the state holds when a step runs into its fault, where that is known better than from
    /// the state before the step: a step may be long.
    fn show_fault(&mut self, from: StateRef<'_>, step: Step) -> Option<StateView> {
        let _ = (from, step);
        None
    }

    /// Which statements this explorer has executed so far; the search combines the workers'.
    fn covered(&self) -> &[bool];

    /// Which of the propositions of a temporal property hold in a state: a set of bits.
    fn letter(&mut self, property: usize, state: StateRef<'_>) -> u64 {
        let _ = (property, state);
        0
    }

    /// Is a state one that a run which is looked for meets again and again? (Büchi's condition.)
    fn is_accepting(&mut self, state: StateRef<'_>) -> bool {
        let _ = state;
        false
    }

    /// For fairness. Appends for each successor of a state, in the order of `successors`, which
    /// processes take part in the step: a set of bits, one for each process of the state. A process
    /// that takes part in none of the steps is disabled. More may follow these: processes that could
    /// move, but only to where no run goes on.
    fn movers(&mut self, state: StateRef<'_>, out: &mut Vec<u64>) {
        let _ = (state, out);
    }
}
