//! Formulas of the judge's own, and what they mean, by definition.

use fastrand::Rng;

/// Nothing is simplified, and nothing is shared with the crate that is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ltl {
    True,
    Atom(usize),
    Not(Box<Ltl>),
    And(Box<Ltl>, Box<Ltl>),
    Or(Box<Ltl>, Box<Ltl>),
    Implies(Box<Ltl>, Box<Ltl>),
    Iff(Box<Ltl>, Box<Ltl>),
    Next(Box<Ltl>),
    Always(Box<Ltl>),
    Eventually(Box<Ltl>),
    Until(Box<Ltl>, Box<Ltl>),
    WeakUntil(Box<Ltl>, Box<Ltl>),
    Release(Box<Ltl>, Box<Ltl>),
}

use Ltl::*;

/// The word `prefix cycle cycle ...`: its letters, and where the cycle begins.
pub struct Word {
    pub letters: Vec<u64>,
    pub cycle: usize,
}

impl Ltl {
    /// A formula with so many operators.
    pub fn random(rng: &mut Rng, atoms: usize, operators: usize) -> Ltl {
        if operators == 0 {
            return Atom(rng.usize(..atoms));
        }
        let left = rng.usize(..operators);
        if rng.u8(..2) == 0 {
            let inner = Box::new(Ltl::random(rng, atoms, operators - 1));
            return match rng.u8(..10) {
                0 => Next(inner),
                1 | 2 => Not(inner),
                3..=6 => Always(inner),
                _ => Eventually(inner),
            };
        }
        let a = Box::new(Ltl::random(rng, atoms, left));
        let b = Box::new(Ltl::random(rng, atoms, operators - 1 - left));
        match rng.u8(..10) {
            0 | 1 => And(a, b),
            2 => Or(a, b),
            3 | 4 => Implies(a, b),
            5 => Iff(a, b),
            6 | 7 => Until(a, b),
            8 => WeakUntil(a, b),
            _ => Release(a, b),
        }
    }

    /// A formula that says that something comes: where fairness matters.
    pub fn response(rng: &mut Rng, atoms: usize) -> Ltl {
        let mut part = || {
            let operators = [0, 0, 0, 1, 2][rng.usize(..5)];
            Box::new(Ltl::random(rng, atoms, operators))
        };
        let (a, b) = (part(), part());
        let (always, eventually) = (|a| Box::new(Always(a)), |a| Box::new(Eventually(a)));
        match rng.u8(..6) {
            0 => Eventually(a),
            1 | 2 => Always(eventually(a)),
            3 => Eventually(always(a)),
            4 => Always(Box::new(Implies(a, eventually(b)))),
            _ => Implies(always(eventually(a)), always(eventually(b))),
        }
    }

    /// As a user writes it; with all parentheses.
    pub fn text(&self, atoms: &[String]) -> String {
        let one = |word: &str, a: &Ltl| format!("{word}({})", a.text(atoms));
        let two = |a: &Ltl, word: &str, b: &Ltl| {
            format!("(({}) {word} ({}))", a.text(atoms), b.text(atoms))
        };
        match self {
            True => "true".to_owned(),
            Atom(atom) => atoms[*atom].clone(),
            Not(a) => one("!", a),
            Next(a) => one("X ", a),
            Always(a) => one("[]", a),
            Eventually(a) => one("<>", a),
            And(a, b) => two(a, "&&", b),
            Or(a, b) => two(a, "||", b),
            Implies(a, b) => two(a, "->", b),
            Iff(a, b) => two(a, "<->", b),
            Until(a, b) => two(a, "U", b),
            WeakUntil(a, b) => two(a, "W", b),
            Release(a, b) => two(a, "V", b),
        }
    }

    /// The same with `True`, `Atom`, `Not`, `And`, `Next` and `Until` only.
    pub fn core(&self) -> Ltl {
        let not = |a: Ltl| Not(Box::new(a));
        let and = |a: Ltl, b: Ltl| And(Box::new(a), Box::new(b));
        let until = |a: Ltl, b: Ltl| Until(Box::new(a), Box::new(b));
        match self {
            True => True,
            Atom(atom) => Atom(*atom),
            Not(a) => not(a.core()),
            Next(a) => Next(Box::new(a.core())),
            And(a, b) => and(a.core(), b.core()),
            Until(a, b) => until(a.core(), b.core()),
            Or(a, b) => not(and(not(a.core()), not(b.core()))),
            Implies(a, b) => not(and(a.core(), not(b.core()))),
            Iff(a, b) => {
                let (a, b) = (a.core(), b.core());
                and(not(and(a.clone(), not(b.clone()))), not(and(b, not(a))))
            }
            Eventually(a) => until(True, a.core()),
            Always(a) => not(until(True, not(a.core()))),
            Release(a, b) => not(until(not(a.core()), not(b.core()))),
            // It fails when a moment without `a` and `b` comes, and no `b` before it.
            WeakUntil(a, b) => {
                let (a, b) = (a.core(), b.core());
                not(until(not(b.clone()), and(not(a), not(b))))
            }
        }
    }

    /// At which places of the word it holds: the definition of each operator.
    pub fn places(&self, word: &Word) -> Vec<bool> {
        let length = word.letters.len();
        let all = |holds: &dyn Fn(usize) -> bool| (0..length).map(holds).collect::<Vec<_>>();
        let next = |place: usize| if place + 1 == length { word.cycle } else { place + 1 };
        // After so many steps every place that still comes has come.
        let future =
            |place: usize| std::iter::successors(Some(place), move |p| Some(next(*p))).take(length);
        let until = |a: &[bool], b: &[bool], place: usize| {
            future(place).find(|p| b[*p] || !a[*p]).is_some_and(|p| b[p])
        };
        match self {
            True => vec![true; length],
            Atom(atom) => all(&|p| word.letters[p] >> atom & 1 == 1),
            Not(a) => {
                let a = a.places(word);
                all(&|p| !a[p])
            }
            Next(a) => {
                let a = a.places(word);
                all(&|p| a[next(p)])
            }
            Always(a) => {
                let a = a.places(word);
                all(&|p| future(p).all(|later| a[later]))
            }
            Eventually(a) => {
                let a = a.places(word);
                all(&|p| future(p).any(|later| a[later]))
            }
            And(a, b) | Or(a, b) | Implies(a, b) | Iff(a, b) => {
                let (a, b) = (a.places(word), b.places(word));
                all(&|p| match self {
                    And(..) => a[p] && b[p],
                    Or(..) => a[p] || b[p],
                    Implies(..) => !a[p] || b[p],
                    _ => a[p] == b[p],
                })
            }
            Until(a, b) => {
                let (a, b) = (a.places(word), b.places(word));
                all(&|p| until(&a, &b, p))
            }
            WeakUntil(a, b) => {
                let (a, b) = (a.places(word), b.places(word));
                all(&|p| until(&a, &b, p) || future(p).all(|later| a[later]))
            }
            // `b` holds up to and including the first `a`, or for ever.
            Release(a, b) => {
                let (a, b) = (a.places(word), b.places(word));
                let both: Vec<bool> = a.iter().zip(&b).map(|(a, b)| *a && *b).collect();
                all(&|p| until(&b, &both, p) || future(p).all(|later| b[later]))
            }
        }
    }

    pub fn holds(&self, word: &Word) -> bool {
        self.places(word)[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_means_the_same() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..2000 {
            let operators = rng.usize(..7);
            let formula = Ltl::random(&mut rng, 2, operators);
            let letters: Vec<u64> = (0..rng.usize(1..6)).map(|_| rng.u64(..4)).collect();
            let word = Word { cycle: rng.usize(..letters.len()), letters };
            assert_eq!(formula.places(&word), formula.core().places(&word), "{formula:?}");
        }
    }
}
