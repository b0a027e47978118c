//! Moves that are known are not made again, and lead where they would have led: against a search that is too simple to be wrong.
//! (In debug builds, each state that is expanded by known moves is expanded in the plain way, too.)

mod common;

use auspex_search::*;
use auspex_system::*;
use common::*;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A wheel with numbers, a switch, and some who each count up to `TOP`. Whoever has come to the top may turn the wheel, and begins again; and may
/// stand at the top for a while. When all stand and all numbers are the same, which is rare, the last one presses the switch: from then on all count in other steps.
struct Wheel {
    who: usize,
    /// The first number that must not come to this place of the wheel.
    bad: Option<u8>,
    /// How often moves were made.
    made: AtomicU64,
}

const SWITCH: usize = 0;
const WHEEL: usize = 1;
const SPOKES: usize = 5;
const WHO: usize = WHEEL + SPOKES;
const TOP: u8 = 3;
const COUNTS: u8 = 0;
const STANDS: u8 = 1;

impl Wheel {
    fn new(who: usize, bad: Option<u8>) -> Self {
        Wheel { who, bad, made: AtomicU64::new(0) }
    }

    fn len(&self) -> usize {
        WHO + 2 * self.who
    }

    /// The bytes of somebody: whether one stands, and how far one has come.
    fn of(one: usize) -> (usize, usize) {
        (WHO + 2 * one, WHO + 2 * one + 1)
    }

    /// What comes of an option of somebody, and what it writes; `None` where it is not open, and no state where it goes wrong.
    fn option(
        &self,
        state: &[u8],
        one: usize,
        option: usize,
    ) -> Option<(Option<Vec<u8>>, Vec<ByteRange>)> {
        let (place, count) = Wheel::of(one);
        let mut next = state.to_vec();
        let range = |from: usize, to: usize| [from as u32, to as u32];
        let changes = match (state[place], option) {
            (COUNTS, 0) if state[count] < TOP => {
                next[count] = (state[count] + 1 + state[SWITCH]).min(TOP);
                vec![range(count, count + 1)]
            }
            (COUNTS, 1) if state[count] == TOP => {
                next[WHEEL..WHO].rotate_left(1);
                next[count] = 0;
                if Some(next[WHEEL]) == self.bad && next[WHEEL + 1] == 0 {
                    return Some((None, vec![]));
                }
                vec![range(WHEEL, WHO), range(count, count + 1)]
            }
            (COUNTS, 2) if state[count] == TOP => {
                next[place] = STANDS;
                let all_stand = (0..self.who).all(|other| next[Wheel::of(other).0] == STANDS);
                let all_same = state[WHEEL..WHO].iter().all(|number| *number == state[WHEEL]);
                next[SWITCH] = if all_stand && all_same { 1 } else { state[SWITCH] };
                vec![range(place, place + 1), range(SWITCH, SWITCH + 1)]
            }
            // Sees nothing of what it writes.
            (STANDS, 0) => {
                (next[place], next[count]) = (COUNTS, 0);
                next[WHEEL + one % SPOKES] = one as u8 + 1;
                vec![range(place, count + 1), range(WHEEL + one % SPOKES, WHEEL + one % SPOKES + 1)]
            }
            _ => return None,
        };
        Some((Some(next), changes))
    }

    fn options(place: u8) -> usize {
        if place == COUNTS { 3 } else { 1 }
    }
}

struct Turning<'a>(&'a Wheel);

impl System for Wheel {
    type Explorer<'s> = Turning<'s>;
    fn explorer(&self) -> Turning<'_> {
        Turning(self)
    }
    fn unreached(&self, _: &[bool]) -> Vec<Place> {
        vec![]
    }
    fn automata(&self) -> Vec<Graph> {
        vec![]
    }
}

impl Turning<'_> {
    fn go(&self, state: StateRef<'_>, one: usize, out: &mut Successors) -> Vec<usize> {
        let mut taken = Vec::new();
        for option in 0..Wheel::options(state.bytes[Wheel::of(one).0]) {
            if let Some((next, changes)) = self.0.option(state.bytes, one, option) {
                match next {
                    Some(next) => out.push_changed(&next, &changes),
                    None => out.push_fault(fault(option as u32)),
                }
                taken.push(option);
            }
        }
        taken
    }
}

impl Explorer for Turning<'_> {
    fn initial(&mut self, out: &mut Successors) {
        let mut bytes = vec![0; self.0.len()];
        bytes[WHEEL] = 9;
        out.push(StateRef { bytes: &bytes, cuts: &[WHEEL as u32, WHO as u32] });
    }
    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        out.begin(state);
        for one in 0..self.0.who {
            self.go(state, one, out);
        }
    }
    fn actors(&mut self, _: StateRef<'_>, _: &[bool]) -> Vec<Actor> {
        let actor =
            |one| Actor { place: [Wheel::of(one).0, Wheel::of(one).0 + 1].map(|at| at as u32) };
        (0..self.0.who).map(actor).collect()
    }
    fn outlook(&mut self, like: StateRef<'_>, fixed: &[bool], one: usize) -> Option<Outlook> {
        let (place, count) = Wheel::of(one);
        let bytes =
            |all: &[usize]| (0..self.0.len()).map(|at| all.contains(&at)).collect::<Vec<_>>();
        let wheel: Vec<usize> = (WHEEL..WHO).collect();
        let places: Vec<usize> = (0..self.0.who).map(|one| Wheel::of(one).0).collect();
        // As long as nobody has pressed it, one need not look at it.
        let switch: &[usize] = if fixed[SWITCH] { &[] } else { &[SWITCH] };
        let sight = |seen: &[&[usize]], written: &[&[usize]]| {
            let (seen, written) = (bytes(&seen.concat()), bytes(&written.concat()));
            Some(Sight { seen, written, is_coarse: false })
        };
        let options = match like.bytes[place] {
            COUNTS => vec![
                sight(&[&[place, count], switch], &[&[count]]),
                sight(&[&[place, count], &wheel], &[&wheel, &[count]]),
                sight(&[&[place, count, SWITCH], &places, &wheel], &[&[place, SWITCH]]),
            ],
            _ => vec![sight(&[&[place]], &[&[place, count, WHEEL + one % SPOKES]])],
        };
        Some(Outlook { choice: bytes(&[place, count]), options })
    }
    fn moves(&mut self, state: StateRef<'_>, one: usize, out: &mut Successors) {
        self.moves_by_option(state, one, out);
    }
    fn moves_by_option(
        &mut self,
        state: StateRef<'_>,
        one: usize,
        out: &mut Successors,
    ) -> Option<Vec<usize>> {
        self.0.made.fetch_add(1, Relaxed);
        out.begin(state);
        Some(self.go(state, one, out))
    }
    fn describe(&mut self, _: StateRef<'_>, _: Step) -> Vec<StepInfo> {
        vec![]
    }
    fn show(&mut self, _: StateRef<'_>) -> StateView {
        StateView::default()
    }
    fn covered(&self) -> &[bool] {
        &[]
    }
}

/// States, transitions, and whether something goes wrong.
fn reference(wheel: &Wheel) -> (u64, u64, bool) {
    let mut out = Successors::new();
    wheel.explorer().initial(&mut out);
    let first: Vec<u8> = out.get(0).state().expect("a state").bytes.to_vec();
    let (mut known, mut waiting) = (HashSet::from([first.clone()]), vec![first]);
    let (mut transitions, mut goes_wrong) = (0, false);
    while let Some(state) = waiting.pop() {
        for one in 0..wheel.who {
            for option in 0..Wheel::options(state[Wheel::of(one).0]) {
                let Some((next, _)) = wheel.option(&state, one, option) else { continue };
                transitions += 1;
                goes_wrong |= next.is_none();
                waiting.extend(next.filter(|next| known.insert(next.clone())));
            }
        }
    }
    (known.len() as u64, transitions, goes_wrong)
}

#[test]
fn all_states_are_found() {
    for bad in [None, Some(2)] {
        let (states, transitions, goes_wrong) = reference(&Wheel::new(3, bad));
        assert!(states > 20_000 && goes_wrong == bad.is_some(), "{states} {goes_wrong}");
        for order in [Order::Depth, Order::Breadth] {
            for workers in [1, 3] {
                let wheel = Wheel::new(3, bad);
                let options = Options { all: true, ..options(workers, order, StoreKind::Exact) };
                let outcome = explore(&wheel, &options, &control());
                let Stats { states: found, transitions: taken, .. } = outcome.stats;
                assert_eq!((found, taken), (states, transitions), "{workers} {order:?}");
                assert_eq!(!outcome.faults.is_empty(), goes_wrong);
                let made = wheel.made.load(Relaxed);
                assert!(made > 0 && made < states / 2, "{made} times for {states} states");
            }
        }
    }
}

#[test]
fn the_way_to_a_fault_is_found() {
    let wheel = Wheel::new(3, Some(2));
    for order in [Order::Depth, Order::Breadth] {
        let outcome = explore(&wheel, &options(2, order, StoreKind::Exact), &control());
        let found = &outcome.faults[0];
        let mut out = Successors::new();
        let mut explorer = wheel.explorer();
        explorer.initial(&mut out);
        let mut state = out.get(0).state().expect("a state").bytes.to_vec();
        let (last, way) = found.trace.steps.split_last().expect("a step");
        let expand = |state: &[u8], out: &mut Successors| {
            out.clear();
            let cuts = [WHEEL as u32, WHO as u32];
            wheel.explorer().successors(StateRef { bytes: state, cuts: &cuts }, out);
        };
        for step in way {
            expand(&state, &mut out);
            state = out.get(step.0 as usize).state().expect("a state").bytes.to_vec();
        }
        expand(&state, &mut out);
        assert!(matches!(out.get(last.0 as usize), Successor::Fault(_)));
    }
}
