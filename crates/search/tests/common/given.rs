//! Systems given by functions or by a graph, with accepting states.
#![allow(dead_code)]

use crate::common::fault;
use crate::reference::Plain;
use auspex_search::Lasso;
use auspex_system::*;

/// A system given by functions of a number.
pub struct Given<'a> {
    pub initial: Vec<u64>,
    /// Where to (`None`: into a fault), and who moves.
    pub steps: &'a (dyn Fn(u64) -> Vec<(Option<u64>, u64)> + Sync),
    pub accepting: &'a (dyn Fn(u64) -> bool + Sync),
    pub weak: bool,
}

impl<'a> Given<'a> {
    pub fn new(
        steps: &'a (dyn Fn(u64) -> Vec<(Option<u64>, u64)> + Sync),
        accepting: &'a (dyn Fn(u64) -> bool + Sync),
    ) -> Self {
        Given { initial: vec![0], steps, accepting, weak: false }
    }
}

pub struct Walker<'a>(&'a Given<'a>);

impl System for Given<'_> {
    type Explorer<'s>
        = Walker<'s>
    where
        Self: 's;
    fn explorer(&self) -> Walker<'_> {
        Walker(self)
    }
    fn is_weak(&self) -> bool {
        self.weak
    }
    fn unreached(&self, _: &[bool]) -> Vec<Place> {
        vec![]
    }
    fn automata(&self) -> Vec<Graph> {
        vec![]
    }
}

/// Some states have more bytes than others.
pub fn encode(node: u64) -> Vec<u8> {
    let mut bytes = node.to_le_bytes().to_vec();
    bytes.resize(8 + node as usize % 5, 1);
    bytes
}

pub fn decode(state: StateRef<'_>) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&state.bytes[..8]);
    u64::from_le_bytes(bytes)
}

impl Explorer for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) {
        for node in &self.0.initial {
            out.push(StateRef { bytes: &encode(*node), cuts: &[4] });
        }
    }
    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        for (target, _) in (self.0.steps)(decode(state)) {
            match target {
                Some(node) => out.push(StateRef { bytes: &encode(node), cuts: &[4] }),
                None => out.push_fault(fault(0)),
            }
        }
    }
    fn describe(&mut self, _: StateRef<'_>, _: Step) -> Vec<StepInfo> {
        vec![]
    }
    fn show(&mut self, _: StateRef<'_>) -> StateView {
        StateView::default()
    }
    fn covered(&self) -> &[bool] {
        &[true, false]
    }
    fn is_accepting(&mut self, state: StateRef<'_>) -> bool {
        (self.0.accepting)(decode(state))
    }
    fn movers(&mut self, state: StateRef<'_>, out: &mut Vec<u64>) {
        out.extend((self.0.steps)(decode(state)).iter().map(|(_, movers)| *movers));
    }
}

/// The lasso is validated by the search itself, against the system; here the system's own numbers
/// are walked once more.
pub fn check_lasso(graph: &Plain, lasso: &Lasso, fairness: usize) {
    let mut at = graph.initial[lasso.prefix.initial.0 as usize];
    let take = |at: usize, step: &Step| {
        let (target, movers) = graph.steps[at][step.0 as usize];
        (target.expect("a cycle has no fault"), movers)
    };
    lasso.prefix.steps.iter().for_each(|step| at = take(at, step).0);
    let (first, mut moved, mut all, mut any, mut accepting) = (at, 0, u64::MAX, 0, false);
    for step in &lasso.cycle {
        accepting |= graph.accepting[at];
        all &= graph.enabled(at);
        any |= graph.enabled(at);
        let (to, movers) = take(at, step);
        moved |= movers;
        at = to;
    }
    assert!(accepting && at == first && !lasso.cycle.is_empty());
    assert_eq!([0, all, any][fairness] & !moved, 0, "unfair");
}
