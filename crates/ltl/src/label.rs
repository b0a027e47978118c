//! Labels of transitions: Boolean functions of the atoms, made to be evaluated often.

/// A conjunction of literals; bit `i` stands for atom `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// Atoms that must hold.
    pub positive: u64,
    /// Atoms that must not hold.
    pub negative: u64,
}

impl Cube {
    /// No condition.
    pub const ANY: Cube = Cube { positive: 0, negative: 0 };

    /// Does a letter, given as the set of true atoms, satisfy it?
    #[inline]
    pub fn holds(self, letter: u64) -> bool {
        letter & (self.positive | self.negative) == self.positive
    }
}

/// A disjunction of cubes. No cube at all is false.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    cubes: Box<[Cube]>,
}

impl Label {
    pub fn new(cubes: impl Into<Box<[Cube]>>) -> Self {
        Label { cubes: cubes.into() }
    }

    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    pub fn is_true(&self) -> bool {
        self.cubes.contains(&Cube::ANY)
    }

    /// Does the label hold, given the set of true atoms?
    #[inline]
    pub fn holds(&self, letter: u64) -> bool {
        self.cubes.iter().any(|cube| cube.holds(letter))
    }

    /// The set of atoms it depends on.
    pub fn atoms(&self) -> u64 {
        self.cubes.iter().fold(0, |all, cube| all | cube.positive | cube.negative)
    }

    /// As text, with the given signs for not, and, or.
    pub fn display(&self, signs: [&str; 3], name: &dyn Fn(u32) -> String) -> String {
        if self.cubes.is_empty() {
            return "false".into();
        }
        let cubes: Vec<_> = self.cubes.iter().map(|cube| cube_text(*cube, signs, name)).collect();
        cubes.join(&format!(" {} ", signs[2]))
    }
}

fn cube_text(cube: Cube, [not, and, _]: [&str; 3], name: &dyn Fn(u32) -> String) -> String {
    let literal = |atom: u32| {
        let sign = if cube.negative >> atom & 1 == 1 { not } else { "" };
        let used = (cube.positive | cube.negative) >> atom & 1 == 1;
        used.then(|| format!("{sign}{}", name(atom)))
    };
    let literals: Vec<_> = (0..64).filter_map(literal).collect();
    if literals.is_empty() { "true".into() } else { literals.join(&format!(" {and} ")) }
}
