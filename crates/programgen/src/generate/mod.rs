//! Random C programs that can do one thing only: no input, and nothing that C leaves undefined.
//!
//! What is undefined is avoided in the text: signed arithmetic has its operands limited or is done
//! on unsigned types, divisors are made odd, shifts masked, indices taken modulo the length, and
//! every variable has a value from the start. Loops count to a small constant, and functions only
//! call those above them, as long as the product of all that stays small.
//!
//! The program hands every value of interest to the `OUT` functions (see [`PRELUDE`]). One
//! statement stands on one line, so that the shrinker can take programs apart.

mod data;
mod expression;
mod float;
mod function;
mod idiom;
mod library;
mod statement;
mod structure;
mod types;

use data::{Array, Pointer, Variable};
use fastrand::Rng;
use function::Function;
use structure::Structure;

/// What every program begins with: how it hands out its values.
pub const PRELUDE: &str = include_str!("prelude.h");

/// What random programs are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How many statements a function has, about.
    pub size: usize,
    /// Whether functions of the C library are called.
    pub library: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { size: 30, library: true }
    }
}

/// A program of the units of these seeds. The same seeds and style give the same text.
pub fn generate(seeds: &[u64], style: Style) -> String {
    let mut text = PRELUDE.to_string();
    let mut calls = String::new();
    for (index, seed) in seeds.iter().enumerate() {
        let mut writer = Writer::new(*seed, style, format!("u{index}_"));
        writer.unit();
        text.push_str(&format!("\n/* seed {seed} */\n{}", writer.text));
        calls.push_str(&format!("\tu{index}_unit();\n"));
    }
    format!("{text}\nint main(void)\n{{\n{calls}\tout_end();\n\treturn 0;\n}}\n")
}

/// How much a unit may compute, in statements.
const WORK: u64 = 3000;

/// Writes a unit from top to bottom.
struct Writer {
    rng: Rng,
    style: Style,
    text: String,
    indent: usize,
    /// Stands before every global name, so that units do not meet.
    prefix: String,
    /// What can be named here; blocks and functions cut back to what they found.
    variables: Vec<Variable>,
    arrays: Vec<Array>,
    pointers: Vec<Pointer>,
    structures: Vec<Structure>,
    functions: Vec<Function>,
    /// Makes names unique.
    counter: usize,
    place: Place,
}

/// Where in the program we are, which decides what may stand here.
#[derive(Clone, Default)]
struct Place {
    depth: usize,
    /// Statements that may still be written in this function.
    budget: usize,
    /// How often this place is reached in one call of the function.
    times: u64,
    /// What one call of this function costs, so far.
    cost: u64,
    /// Inside a loop (or switch): what may be left with `break` and `continue`.
    in_loop: bool,
    in_switch: bool,
}

impl Writer {
    fn new(seed: u64, style: Style, prefix: String) -> Self {
        Writer {
            rng: Rng::with_seed(seed),
            style,
            text: String::new(),
            indent: 0,
            prefix,
            variables: Vec::new(),
            arrays: Vec::new(),
            pointers: Vec::new(),
            structures: Vec::new(),
            functions: Vec::new(),
            counter: 0,
            place: Place { times: 1, ..Place::default() },
        }
    }

    /// True in `percent` of a hundred cases.
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    /// An index drawn with these weights.
    fn draw(&mut self, weights: &[u32]) -> usize {
        let mut left = self.rng.u32(0..weights.iter().sum::<u32>().max(1));
        for (index, weight) in weights.iter().enumerate() {
            if left < *weight {
                return index;
            }
            left -= weight;
        }
        0
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.rng.usize(0..items.len())].clone())
    }

    /// A name for a local.
    fn fresh(&mut self, stem: &str) -> String {
        self.counter += 1;
        format!("{stem}{}", self.counter)
    }

    /// A name for a global.
    fn fresh_global(&mut self, stem: &str) -> String {
        let name = self.fresh(stem);
        format!("{}{name}", self.prefix)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(&"\t".repeat(self.indent));
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 1;
        write(self);
        self.indent -= 1;
    }

    /// `head {`, what is inside, and `tail`.
    fn block(&mut self, head: &str, tail: &str, write: impl FnOnce(&mut Self)) {
        self.line(format!("{head} {{").trim_start());
        self.indented(|w| w.scoped(write));
        self.line(tail);
    }

    /// Writes with a changed place; budget and cost go on behind it.
    fn within(&mut self, change: impl FnOnce(&mut Place), write: impl FnOnce(&mut Self)) {
        let before = self.place.clone();
        change(&mut self.place);
        write(self);
        let after = std::mem::replace(&mut self.place, before);
        self.place.budget = after.budget;
        self.place.cost = after.cost;
    }

    /// Forgets the names that `write` declares.
    fn scoped(&mut self, write: impl FnOnce(&mut Self)) {
        let (variables, arrays) = (self.variables.len(), self.arrays.len());
        let pointers = self.pointers.len();
        write(self);
        self.variables.truncate(variables);
        self.arrays.truncate(arrays);
        self.pointers.truncate(pointers);
    }

    /// Counts work that is done here, once each time this place is reached.
    fn spend(&mut self, cost: u64) {
        self.place.cost += self.place.times.saturating_mul(cost);
    }

    fn affordable(&self, cost: u64) -> bool {
        self.place.times.saturating_mul(cost).saturating_add(self.place.cost) <= WORK
    }
}

#[cfg(test)]
mod tests {
    use super::{Style, generate};

    const STYLE: Style = Style { size: 20, library: true };

    #[test]
    fn a_seed_gives_the_same_program_always() {
        assert_eq!(generate(&[7], STYLE), generate(&[7], STYLE));
        assert_ne!(generate(&[7], STYLE), generate(&[8], STYLE));
    }

    #[test]
    fn a_unit_does_not_depend_on_its_neighbours() {
        let alone = generate(&[9], STYLE).replace("u0_", "u1_");
        let unit = alone.split("/* seed 9").nth(1).and_then(|unit| unit.split("\nint main").next());
        assert!(generate(&[8, 9], STYLE).contains(unit.unwrap()));
    }
}
