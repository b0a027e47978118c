//! A system and the automaton that watches it: what a search for accepting cycles explores.
//!
//! The automaton reads the state that the system is in, and both move at once. A state of the
//! product is one of the system with one more part, the automaton's state. Where the system cannot
//! go on, it stays where it is for ever, so that every run is infinite.

use crate::Automaton;
use auspex_system::{
    Explorer, Graph, Location, Place, StateRef, StateView, Step, StepInfo, Successor, Successors,
    System,
};

pub struct Product<'s, S> {
    pub system: &'s S,
    pub automaton: &'s Automaton,
    /// Which propositions the automaton is about: see [`Explorer::letter`].
    pub property: usize,
}

/// The bytes of an automaton's state.
const BYTES: usize = 4;

impl<S: System> System for Product<'_, S> {
    type Explorer<'p>
        = Watcher<'p, S::Explorer<'p>>
    where
        Self: 'p;

    fn explorer(&self) -> Self::Explorer<'_> {
        Watcher {
            inner: self.system.explorer(),
            automaton: self.automaton,
            property: self.property,
            steps: Successors::new(),
            next: Vec::new(),
            movers: Vec::new(),
            bytes: Vec::new(),
            cuts: Vec::new(),
        }
    }

    fn has_loose_parts(&self) -> bool {
        self.system.has_loose_parts()
    }

    /// A cycle of the product is one of the automaton, too, whose states alone are accepting.
    fn is_weak(&self) -> bool {
        self.automaton.is_weak()
    }

    fn unreached(&self, covered: &[bool]) -> Vec<Place> {
        self.system.unreached(covered)
    }

    fn automata(&self) -> Vec<Graph> {
        self.system.automata()
    }
}

/// The explorer of a product.
pub struct Watcher<'p, E> {
    inner: E,
    automaton: &'p Automaton,
    property: usize,
    /// Of the system alone.
    steps: Successors,
    /// Where the automaton may go.
    next: Vec<u32>,
    movers: Vec<u64>,
    bytes: Vec<u8>,
    cuts: Vec<u32>,
}

/// The parts of a product state.
fn split(state: StateRef<'_>) -> (StateRef<'_>, u32) {
    let (bytes, own) = state.bytes.split_at(state.bytes.len() - BYTES);
    // A state without bytes has no cut in front of the automaton's part.
    let cuts = &state.cuts[..state.cuts.len().saturating_sub(1)];
    let own = own.try_into().map_or(0, u32::from_le_bytes);
    (StateRef { bytes, cuts }, own)
}

/// For people: the system cannot go on.
fn stays() -> StepInfo {
    StepInfo {
        process: None,
        function: String::new(),
        location: Location::unknown(),
        text: "(nothing can move any more)".to_owned(),
        changes: Vec::new(),
        reads: Vec::new(),
        notes: Vec::new(),
        messages: Vec::new(),
        output: String::new(),
        instructions: Vec::new(),
    }
}

/// What a step of the product is for the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A step of its own.
    Step(Step),
    /// It stays where it is.
    Stutter,
}

impl<E: Explorer> Watcher<'_, E> {
    /// Finds out what can happen in a state: in the system, and in the automaton.
    fn look(&mut self, state: StateRef<'_>) {
        let (own, at) = split(state);
        self.next.clear();
        let letter = self.inner.letter(self.property, own);
        self.next.extend(self.automaton.successors(at as usize, letter).map(|to| to as u32));
        self.steps.clear();
        // Without a way for the automaton there is none for the product.
        if !self.next.is_empty() {
            self.inner.successors(own, &mut self.steps);
        }
    }

    fn push(&mut self, state: Option<usize>, own: StateRef<'_>, to: u32, out: &mut Successors) {
        let state = match state.map(|index| self.steps.get(index)) {
            Some(Successor::State(state)) => state,
            _ => own,
        };
        self.bytes.clear();
        self.bytes.extend_from_slice(state.bytes);
        self.bytes.extend_from_slice(&to.to_le_bytes());
        self.cuts.clear();
        self.cuts.extend_from_slice(state.cuts);
        if !state.bytes.is_empty() {
            self.cuts.push(state.bytes.len() as u32);
        }
        out.push(StateRef { bytes: &self.bytes, cuts: &self.cuts });
    }

    /// The steps of the system that lead on; none where it stays where it is.
    fn leading_on(&self) -> impl Iterator<Item = usize> + use<'_, E> {
        let steps = &self.steps;
        (0..steps.len()).filter(|index| matches!(steps.get(*index), Successor::State(_)))
    }

    /// Does the system stay where it is?
    fn stays(&self) -> bool {
        self.leading_on().next().is_none() && !self.steps.is_abandoned()
    }

    /// What a step is for the system.
    pub fn own_step(&mut self, state: StateRef<'_>, step: Step) -> Option<Move> {
        self.look(state);
        let ways = self.next.len().max(1);
        let (index, way) = (step.0 as usize / ways, step.0 as usize % ways);
        if way >= self.next.len() {
            return None;
        }
        match self.leading_on().nth(index) {
            Some(own) => Some(Move::Step(Step(own as u32))),
            None => (index == 0 && self.stays()).then_some(Move::Stutter),
        }
    }

    /// The state of the system alone.
    pub fn own_state(state: StateRef<'_>) -> StateRef<'_> {
        split(state).0
    }
}

impl<E: Explorer> Explorer for Watcher<'_, E> {
    fn initial(&mut self, out: &mut Successors) {
        self.steps.clear();
        self.inner.initial(&mut self.steps);
        let start = self.automaton.initial as u32;
        let none = StateRef { bytes: &[], cuts: &[] };
        let states: Vec<usize> = self.leading_on().collect();
        states.into_iter().for_each(|index| self.push(Some(index), none, start, out));
    }

    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        if let (None, Some(flag)) = (self.steps.interrupt(), out.interrupt()) {
            self.steps = Successors::interruptible(flag.clone());
        }
        self.look(state);
        if out.is_interrupted() {
            return;
        }
        let (own, _) = split(state);
        let next = std::mem::take(&mut self.next);
        for index in 0..self.steps.len() {
            if let Successor::State(_) = self.steps.get(index) {
                next.iter().for_each(|to| self.push(Some(index), own, *to, out));
            }
        }
        if self.stays() {
            next.iter().for_each(|to| self.push(None, own, *to, out));
        }
        self.next = next;
    }

    fn describe(&mut self, from: StateRef<'_>, step: Step) -> Vec<StepInfo> {
        match self.own_step(from, step) {
            Some(Move::Step(own)) => self.inner.describe(split(from).0, own),
            Some(Move::Stutter) => vec![stays()],
            None => Vec::new(),
        }
    }

    fn show(&mut self, state: StateRef<'_>) -> StateView {
        self.inner.show(split(state).0)
    }

    fn show_fault(&mut self, _: StateRef<'_>, _: Step) -> Option<StateView> {
        None
    }

    fn covered(&self) -> &[bool] {
        self.inner.covered()
    }

    fn is_accepting(&mut self, state: StateRef<'_>) -> bool {
        let at = split(state).1 as usize;
        self.automaton.accepting.get(at).copied().unwrap_or(false)
    }

    fn movers(&mut self, state: StateRef<'_>, out: &mut Vec<u64>) {
        self.look(state);
        let mut movers = std::mem::take(&mut self.movers);
        movers.clear();
        self.inner.movers(split(state).0, &mut movers);
        for index in self.leading_on() {
            let who = movers.get(index).copied().unwrap_or(0);
            out.extend(self.next.iter().map(|_| who));
        }
        if self.stays() {
            out.extend(self.next.iter().map(|_| 0));
        }
        // Where the automaton cannot go on, nobody asked for the steps.
        if !self.next.is_empty() {
            out.extend_from_slice(movers.get(self.steps.len()..).unwrap_or(&[]));
        }
        self.movers = movers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formula, translate};
    use auspex_system::Fault;

    /// Counts to 3 and stops there, or goes back to 0 from 2; at 1 something may go wrong. The
    /// proposition: the number is odd.
    struct Counter;

    impl System for Counter {
        type Explorer<'s> = Counter;

        fn explorer(&self) -> Counter {
            Counter
        }

        fn unreached(&self, _: &[bool]) -> Vec<Place> {
            Vec::new()
        }

        fn automata(&self) -> Vec<Graph> {
            Vec::new()
        }
    }

    fn push(out: &mut Successors, number: u8) {
        out.push(StateRef { bytes: &[number], cuts: &[] });
    }

    impl Explorer for Counter {
        fn initial(&mut self, out: &mut Successors) {
            push(out, 0);
        }

        fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
            match state.bytes[0] {
                1 => {
                    out.push_fault(Fault::new("assertion", "", Location::unknown()));
                    push(out, 2);
                }
                2 => {
                    push(out, 3);
                    push(out, 0);
                }
                3 => {}
                number => push(out, number + 1),
            }
        }

        fn describe(&mut self, _: StateRef<'_>, _: Step) -> Vec<StepInfo> {
            Vec::new()
        }

        fn show(&mut self, _: StateRef<'_>) -> StateView {
            StateView::default()
        }

        fn covered(&self) -> &[bool] {
            &[]
        }

        fn letter(&mut self, property: usize, state: StateRef<'_>) -> u64 {
            assert_eq!(property, 5);
            u64::from(state.bytes[0] % 2)
        }

        fn movers(&mut self, state: StateRef<'_>, out: &mut Vec<u64>) {
            match state.bytes[0] {
                1 => out.extend([1, 2]),
                2 => out.extend([4, 8]),
                3 => {}
                _ => out.push(16),
            }
        }
    }

    /// The states of the product that can be reached, each with the number of the system and
    /// whether it is accepting, and the numbers of those that follow it.
    fn reachable(automaton: &Automaton) -> Vec<(Vec<u8>, bool, Vec<u8>)> {
        let product = Product { system: &Counter, automaton, property: 5 };
        let mut explorer = product.explorer();
        let mut out = Successors::new();
        explorer.initial(&mut out);
        let bytes = |out: &Successors| -> Vec<Vec<u8>> {
            let all = out.iter().map(|(_, successor)| match successor {
                Successor::State(state) => state.bytes.to_vec(),
                _ => unreachable!("the product has no faults"),
            });
            all.collect()
        };
        let mut found = bytes(&out);
        let mut result = Vec::new();
        let mut at = 0;
        while at < found.len() {
            let state = found[at].clone();
            let view = StateRef { bytes: &state, cuts: &[1] };
            out.clear();
            explorer.successors(view, &mut out);
            let next = bytes(&out);
            let mut movers = Vec::new();
            explorer.movers(view, &mut movers);
            assert_eq!(movers.len(), next.len());
            for (index, to) in next.iter().enumerate() {
                let step = Step(index as u32);
                match explorer.own_step(view, step) {
                    Some(Move::Stutter) => assert_eq!((to[0], movers[index]), (3, 0)),
                    Some(Move::Step(own)) => {
                        let mut plain = Successors::new();
                        Counter.successors(StateRef { bytes: &state[..1], cuts: &[] }, &mut plain);
                        let Successor::State(there) = plain.get(own.0 as usize) else {
                            unreachable!("a fault is no step")
                        };
                        assert_eq!(there.bytes, &to[..1]);
                        let mut own_movers = Vec::new();
                        Counter.movers(StateRef { bytes: &state[..1], cuts: &[] }, &mut own_movers);
                        assert_eq!(own_movers[own.0 as usize], movers[index]);
                    }
                    None => unreachable!("every step is one of the system, or none"),
                }
                if !found.contains(to) {
                    found.push(to.clone());
                }
            }
            assert_eq!(explorer.own_step(view, Step(next.len() as u32)), None);
            let accepting = explorer.is_accepting(view);
            result.push((state, accepting, next.iter().map(|to| to[0]).collect()));
            at += 1;
        }
        result
    }

    #[test]
    fn where_the_system_ends_it_stays_for_ever() {
        // Odd for ever: only the end.
        let automaton = translate(&Formula::finally(Formula::globally(Formula::atom(0)))).unwrap();
        let states = reachable(&automaton);
        let mut numbers: Vec<u8> = states.iter().map(|(state, _, _)| state[0]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers, [0, 1, 2, 3]);
        let stays = states
            .iter()
            .any(|(state, accepting, next)| state[0] == 3 && *accepting && next.contains(&3));
        assert!(stays, "{states:?}");
    }

    #[test]
    fn what_the_automaton_refuses_is_no_run() {
        // Never odd: 0 is followed by 1, where the automaton cannot go on.
        let even = Formula::globally(Formula::not(Formula::atom(0)));
        let states = reachable(&translate(&even).unwrap());
        assert!(states.iter().all(|(state, _, next)| state[0] != 1 || next.is_empty()));
        assert!(states.iter().all(|(state, _, _)| state[0] < 2));
    }
}
