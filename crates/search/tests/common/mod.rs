//! Random systems, and a search that is too simple to be wrong.
#![allow(dead_code)]

use auspex_search::{Control, Limits, Options, Order, StoreKind};
use auspex_system::*;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// A random graph, given by a seed. A node's state has a length and cuts that depend on it.
#[derive(Clone, Debug)]
pub struct Random {
    pub seed: u64,
    pub nodes: u64,
    pub initials: u64,
    pub degree: u64,
    /// One step in so many is a fault; 0: none.
    pub fault_every: u64,
    pub with_cuts: bool,
    /// States have one shape, and steps lead forwards, so that the first states say little of the last ones.
    pub is_long: bool,
    /// What one expansion costs.
    pub pause: Option<Duration>,
}

pub fn mix(seed: u64, a: u64, b: u64) -> u64 {
    let mut rng =
        fastrand::Rng::with_seed(seed ^ a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (b << 48));
    rng.u64(..)
}

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        Random {
            seed,
            nodes: rng.u64(1..3000),
            initials: rng.u64(1..4),
            degree: rng.u64(1..6),
            fault_every: 0,
            with_cuts: rng.bool(),
            is_long: false,
            pause: None,
        }
    }

    pub fn encode(&self, node: u64) -> (Vec<u8>, Vec<u32>) {
        let mut bytes = node.to_le_bytes()[..4].to_vec();
        let extra = mix(self.seed, node, 99);
        if self.is_long {
            bytes.extend([(node >> 9) as u8, 3, (node >> 12) as u8, (extra % 5) as u8, 0, 7]);
            return (bytes, vec![4, 7]);
        }
        bytes.extend((0..extra % 23).map(|i| (extra >> i) as u8 & 3));
        let cuts = match self.with_cuts {
            true => (1..bytes.len() as u32).step_by(1 + (extra % 5) as usize).collect(),
            false => vec![],
        };
        (bytes, cuts)
    }

    pub fn decode(bytes: &[u8]) -> u64 {
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as u64
    }

    /// `Err` is a fault, of one of five places.
    pub fn edges(&self, node: u64) -> Vec<Result<u64, u32>> {
        let count = (mix(self.seed, node, 1) % (self.degree + 1)).max(u64::from(self.is_long));
        (0..count)
            .map(|i| {
                let r = mix(self.seed, node, 2 + i);
                if self.fault_every > 0 && (r >> 32).is_multiple_of(self.fault_every) {
                    return Err((r % 5) as u32);
                }
                // Mostly forwards by a little, so that there is some depth.
                match r % 4 {
                    0 if !self.is_long => Ok((r >> 20) % self.nodes),
                    _ => Ok((node + 1 + (r >> 20) % 7) % self.nodes),
                }
            })
            .collect()
    }

    pub fn initial_nodes(&self) -> Vec<u64> {
        (0..self.initials).map(|i| mix(self.seed, i, 77) % self.nodes).collect()
    }
}

pub fn fault(place: u32) -> Fault {
    let location = Location { file: Arc::from("random"), line: place + 1, column: 1 };
    Fault::new("assertion", format!("place {place}"), location)
}

pub struct Walker<'a> {
    system: &'a Random,
    covered: Vec<bool>,
}

impl System for Random {
    type Explorer<'s> = Walker<'s>;
    fn explorer(&self) -> Walker<'_> {
        Walker { system: self, covered: vec![false; 8] }
    }
    fn unreached(&self, _: &[bool]) -> Vec<Place> {
        vec![]
    }
    fn automata(&self) -> Vec<Graph> {
        vec![]
    }
}

impl Explorer for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) {
        for node in self.system.initial_nodes() {
            let (bytes, cuts) = self.system.encode(node);
            out.push(StateRef { bytes: &bytes, cuts: &cuts });
        }
    }

    fn successors(&mut self, state: StateRef<'_>, out: &mut Successors) {
        let node = Random::decode(state.bytes);
        let (bytes, cuts) = self.system.encode(node);
        assert_eq!(state, StateRef { bytes: &bytes, cuts: &cuts }, "a state came back wrong");
        if let Some(pause) = self.system.pause {
            std::thread::sleep(pause);
        }
        self.covered[(node % 8) as usize] = true;
        for edge in self.system.edges(node) {
            match edge {
                Err(place) => out.push_fault(fault(place)),
                Ok(to) => {
                    let (bytes, cuts) = self.system.encode(to);
                    out.push(StateRef { bytes: &bytes, cuts: &cuts });
                }
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
        &self.covered
    }
}

#[derive(Debug, Default)]
pub struct Reference {
    /// Distance of each node from an initial one.
    pub distance: HashMap<u64, usize>,
    pub transitions: u64,
    /// The places of faults, each with the number of steps of its shortest trace.
    pub faults: HashMap<u32, usize>,
    pub covered: HashSet<u64>,
}

pub fn reference(system: &Random) -> Reference {
    let mut result = Reference::default();
    let mut queue = VecDeque::new();
    for node in system.initial_nodes() {
        if result.distance.insert(node, 0).is_none() {
            queue.push_back(node);
        }
    }
    while let Some(node) = queue.pop_front() {
        let distance = result.distance[&node];
        result.covered.insert(node % 8);
        for edge in system.edges(node) {
            result.transitions += 1;
            match edge {
                Err(place) => {
                    result.faults.entry(place).or_insert(distance + 1);
                }
                Ok(to) if !result.distance.contains_key(&to) => {
                    result.distance.insert(to, distance + 1);
                    queue.push_back(to);
                }
                Ok(_) => {}
            }
        }
    }
    result
}

pub fn options(workers: usize, order: Order, store: StoreKind) -> Options {
    let (limits, link_bits) = (Limits::default(), Some(Options::ALL_LINK_BITS));
    Options { workers, order, store, link_bits, limits, all: false, reduce: false }
}

pub fn exact(workers: usize, order: Order) -> Options {
    options(workers, order, StoreKind::Exact)
}

pub fn control() -> Control {
    Control::default()
}

pub fn seed() -> u64 {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    seed
}
