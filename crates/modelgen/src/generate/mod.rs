//! Random models: small, well-formed, bounded, and nasty.
//!
//! Every value is kept in a small range and every channel is short, so that nearly all models stay
//! below a hundred thousand states. One statement stands on one line, so that the shrinker can
//! take models apart without knowing the grammar.

mod expression;
mod model;
mod names;
mod statement;

use fastrand::Rng;
use names::{Channel, Variable};

/// A random model. The same seed and size give the same text.
pub fn generate(seed: u64, size: usize) -> String {
    let mut writer = Writer::new(seed, size);
    writer.model();
    writer.text
}

/// Writes a model from top to bottom.
struct Writer {
    rng: Rng,
    size: usize,
    text: String,
    indent: usize,
    /// What can be named here; blocks and processes cut back to what they found.
    variables: Vec<Variable>,
    channels: Vec<Channel>,
    /// Arrays that nobody reads: what is written to them matters to states only.
    unread: Vec<Variable>,
    proctypes: Vec<Proctype>,
    inlines: Vec<String>,
    has_mtype: bool,
    has_priorities: bool,
    /// Waiting for ever is allowed nearly everywhere: otherwise most models would deadlock.
    lenient: bool,
    /// Makes names unique.
    counter: usize,
    place: Place,
}

/// A proctype that can be `run`.
#[derive(Clone)]
struct Proctype {
    name: String,
    parameters: Vec<Parameter>,
}

#[derive(Clone)]
enum Parameter {
    Value,
    Channel { capacity: u32, fields: Vec<names::Type> },
}

/// Where in the program we are, which decides what may stand here.
#[derive(Clone, Default)]
struct Place {
    depth: usize,
    /// Statements that may still be written in this process.
    budget: usize,
    in_d_step: bool,
    in_atomic: bool,
    in_inline: bool,
    /// A `break` here leaves a loop without leaving a `d_step`.
    in_loop: bool,
    /// The first statement of a block, where Spin allows no label.
    at_start: bool,
    /// Labels of this process: those that a goto may name, and those still to be placed.
    labels: Vec<String>,
    unplaced: Vec<String>,
}

impl Writer {
    fn new(seed: u64, size: usize) -> Self {
        Writer {
            rng: Rng::with_seed(seed),
            size,
            text: String::new(),
            indent: 0,
            variables: Vec::new(),
            channels: Vec::new(),
            unread: Vec::new(),
            proctypes: Vec::new(),
            inlines: Vec::new(),
            has_mtype: false,
            has_priorities: false,
            lenient: false,
            counter: 0,
            place: Place::default(),
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

    fn fresh(&mut self, prefix: &str) -> String {
        self.counter += 1;
        format!("{prefix}{}", self.counter)
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

    /// Writes with a changed place; the budget and the labels go on behind it.
    fn within(&mut self, change: impl FnOnce(&mut Place), write: impl FnOnce(&mut Self)) {
        let before = self.place.clone();
        change(&mut self.place);
        write(self);
        let after = std::mem::replace(&mut self.place, before);
        self.place.budget = after.budget;
        self.place.unplaced = after.unplaced;
    }

    /// Forgets the names that `write` declares.
    fn scoped(&mut self, write: impl FnOnce(&mut Self)) {
        let Writer { variables, channels, unread, .. } = self;
        let known = (variables.len(), channels.len(), unread.len());
        write(self);
        self.variables.truncate(known.0);
        self.channels.truncate(known.1);
        self.unread.truncate(known.2);
    }
}

#[cfg(test)]
mod tests {
    use super::generate;

    #[test]
    fn a_seed_gives_the_same_model_always() {
        assert_eq!(generate(7, 10), generate(7, 10));
        assert_ne!(generate(7, 10), generate(8, 10));
    }

    #[test]
    fn braces_and_keywords_are_balanced() {
        for seed in 0..200 {
            let text = generate(seed, 12);
            let count = |word: &str| text.split_whitespace().filter(|w| *w == word).count();
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
            assert_eq!(count("if"), count("fi;"), "{text}");
            assert_eq!(count("do"), count("od;"), "{text}");
        }
    }
}
