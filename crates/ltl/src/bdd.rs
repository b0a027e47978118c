//! Sets of letters as binary decision diagrams.
//!
//! Equal sets have equal references, so the labels of transitions can be compared, united and
//! split as if they were numbers. Formulas have few atoms: nodes are never freed.

use crate::label::{Cube, Label};
use rustc_hash::FxHashMap;

/// A set of letters in one [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Set(u32);

pub(crate) const NONE: Set = Set(0);
pub(crate) const ALL: Set = Set(1);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    atom: u32,
    without: Set,
    with: Set,
}

#[derive(Default)]
pub(crate) struct Store {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Set>,
    conjunctions: FxHashMap<(Set, Set), Set>,
    complements: FxHashMap<Set, Set>,
    /// The number of conjunctions looked up so far: a clock that is the same on every machine.
    pub work: u64,
}

impl Store {
    pub fn new() -> Self {
        let end = Node { atom: u32::MAX, without: NONE, with: NONE };
        Store { nodes: vec![end, end], ..Default::default() }
    }

    fn node(&mut self, atom: u32, without: Set, with: Set) -> Set {
        if without == with {
            return with;
        }
        let node = Node { atom, without, with };
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Set(self.nodes.len() as u32 - 1)
        })
    }

    fn get(&self, set: Set) -> Node {
        self.nodes[set.0 as usize]
    }

    /// All letters in which the atom holds.
    pub fn atom(&mut self, atom: u32) -> Set {
        self.node(atom, NONE, ALL)
    }

    pub fn not(&mut self, set: Set) -> Set {
        match set {
            NONE => return ALL,
            ALL => return NONE,
            _ => {}
        }
        if let Some(known) = self.complements.get(&set) {
            return *known;
        }
        let node = self.get(set);
        let (without, with) = (self.not(node.without), self.not(node.with));
        let result = self.node(node.atom, without, with);
        self.complements.insert(set, result);
        self.complements.insert(result, set);
        result
    }

    pub fn and(&mut self, a: Set, b: Set) -> Set {
        match (a, b) {
            (NONE, _) | (_, NONE) => return NONE,
            (ALL, other) | (other, ALL) => return other,
            _ if a == b => return a,
            _ => {}
        }
        self.work += 1;
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.conjunctions.get(&key) {
            return *known;
        }
        let (x, y) = (self.get(a), self.get(b));
        let atom = x.atom.min(y.atom);
        let (x0, x1) = if x.atom == atom { (x.without, x.with) } else { (a, a) };
        let (y0, y1) = if y.atom == atom { (y.without, y.with) } else { (b, b) };
        let (without, with) = (self.and(x0, y0), self.and(x1, y1));
        let result = self.node(atom, without, with);
        self.conjunctions.insert(key, result);
        result
    }

    pub fn or(&mut self, a: Set, b: Set) -> Set {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }

    /// What is in `a` and not in `b`.
    pub fn minus(&mut self, a: Set, b: Set) -> Set {
        let not_b = self.not(b);
        self.and(a, not_b)
    }

    pub fn is_subset(&mut self, a: Set, b: Set) -> bool {
        self.minus(a, b) == NONE
    }

    pub fn cube(&mut self, cube: Cube) -> Set {
        let mut result = ALL;
        for atom in (0..64).rev() {
            if cube.positive >> atom & 1 == 1 {
                result = self.node(atom, NONE, result);
            } else if cube.negative >> atom & 1 == 1 {
                result = self.node(atom, result, NONE);
            }
        }
        if cube.positive & cube.negative != 0 { NONE } else { result }
    }

    pub fn label(&mut self, label: &Label) -> Set {
        label.cubes().iter().fold(NONE, |all, cube| {
            let cube = self.cube(*cube);
            self.or(all, cube)
        })
    }

    pub fn contains(&self, mut set: Set, letter: u64) -> bool {
        while set != ALL && set != NONE {
            let node = self.get(set);
            set = if letter >> node.atom & 1 == 1 { node.with } else { node.without };
        }
        set == ALL
    }

    /// One letter of the set, as the bit set of its true atoms.
    pub fn letter(&self, mut set: Set) -> Option<u64> {
        let mut letter = 0;
        while set != ALL {
            if set == NONE {
                return None;
            }
            let node = self.get(set);
            if node.without == NONE {
                letter |= 1 << node.atom;
                set = node.with;
            } else {
                set = node.without;
            }
        }
        Some(letter)
    }

    /// An irredundant cover of the set by cubes.
    pub fn cubes(&mut self, set: Set) -> Vec<Cube> {
        let mut cubes = Vec::new();
        self.cover(set, set, Cube::ANY, &mut cubes);
        cubes
    }

    /// Appends cubes (each within `under`) that cover all of `must` and nothing outside `may`;
    /// returns the set they cover. The procedure of Minato and Morreale.
    fn cover(&mut self, must: Set, may: Set, under: Cube, out: &mut Vec<Cube>) -> Set {
        if must == NONE {
            return NONE;
        }
        if may == ALL {
            out.push(under);
            return ALL;
        }
        let (l, u) = (self.get(must), self.get(may));
        let atom = l.atom.min(u.atom);
        let (l0, l1) = if l.atom == atom { (l.without, l.with) } else { (must, must) };
        let (u0, u1) = if u.atom == atom { (u.without, u.with) } else { (may, may) };
        let bit = 1u64 << atom;
        let only0 = self.minus(l0, u1);
        let got0 = self.cover(only0, u0, Cube { negative: under.negative | bit, ..under }, out);
        let only1 = self.minus(l1, u0);
        let got1 = self.cover(only1, u1, Cube { positive: under.positive | bit, ..under }, out);
        let (rest0, rest1) = (self.minus(l0, got0), self.minus(l1, got1));
        let rest = self.or(rest0, rest1);
        let both = self.and(u0, u1);
        let got = self.cover(rest, both, under, out);
        let (all0, all1) = (self.or(got0, got), self.or(got1, got));
        self.node(atom, all0, all1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_cover_exactly_the_set() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let mut store = Store::new();
            let mut set = NONE;
            for _ in 0..rng.u32(0..6) {
                let positive = rng.u64(0..32);
                let cube = Cube { positive, negative: rng.u64(0..32) & !positive };
                let one = store.cube(cube);
                set = store.or(set, one);
            }
            let cubes = store.cubes(set);
            let mut back = NONE;
            for cube in &cubes {
                let one = store.cube(*cube);
                back = store.or(back, one);
            }
            assert!(back == set);
            if let Some(letter) = store.letter(set) {
                assert!(cubes.iter().any(|cube| cube.holds(letter)));
            }
        }
    }
}
