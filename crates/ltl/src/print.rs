//! Formulas as text, with as few parentheses as the parser needs.

use crate::formula::{Formula, Kind};

/// How operators are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `[]`, `<>`, `U`, `V`, `&&`, `||`, `!`. There is no weak until in `spin -f`, nor a strong
    /// release: both are written with what there is.
    Spin,
    /// `G`, `F`, `U`, `R`, `W`, `M`, `&`, `|`, `!`: what most tools read.
    Letters,
}

/// How tightly an operator binds: a larger number binds tighter.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Arrow,
    Or,
    And,
    Until,
    Unary,
}

impl Formula {
    /// The formula as text; `name` says how each atom is written.
    pub fn display(&self, syntax: Syntax, name: &dyn Fn(u32) -> String) -> String {
        let mut out = String::new();
        Printer { syntax, name, out: &mut out }.formula(self, Level::Arrow);
        out
    }
}

struct Printer<'p> {
    syntax: Syntax,
    name: &'p dyn Fn(u32) -> String,
    out: &'p mut String,
}

impl Printer<'_> {
    fn word(&self, spin: &'static str, letters: &'static str) -> &'static str {
        if self.syntax == Syntax::Spin { spin } else { letters }
    }

    /// Writes `formula`, in parentheses unless it binds at least as tightly as `outer`.
    fn formula(&mut self, formula: &Formula, outer: Level) {
        match formula.kind() {
            Kind::True => self.out.push_str("true"),
            Kind::False => self.out.push_str("false"),
            Kind::Atom(atom) => {
                let name = (self.name)(*atom);
                self.out.push_str(&name);
            }
            Kind::Not(inner) => self.unary("!", inner),
            Kind::Next(inner) => self.unary("X ", inner),
            Kind::Until(a, inner) if a.is_true() => self.unary(self.word("<>", "F "), inner),
            Kind::Release(a, inner) if a.is_false() => self.unary(self.word("[]", "G "), inner),
            Kind::And(list) => self.list(list, self.word(" && ", " & "), Level::And, outer),
            Kind::Or(list) => self.list(list, self.word(" || ", " | "), Level::Or, outer),
            Kind::Implies(a, b) => self.binary(a, " -> ", b, Level::Arrow, outer),
            Kind::Iff(a, b) => self.binary(a, " <-> ", b, Level::Arrow, outer),
            Kind::Until(a, b) => self.binary(a, " U ", b, Level::Until, outer),
            Kind::Release(a, b) => {
                self.binary(a, self.word(" V ", " R "), b, Level::Until, outer);
            }
            Kind::WeakUntil(a, b) if self.syntax == Syntax::Letters => {
                self.binary(a, " W ", b, Level::Until, outer);
            }
            Kind::StrongRelease(a, b) if self.syntax == Syntax::Letters => {
                self.binary(a, " M ", b, Level::Until, outer);
            }
            Kind::WeakUntil(a, b) => {
                let either = Formula::or([a.clone(), b.clone()]);
                self.formula(&Formula::release(b.clone(), either), outer);
            }
            Kind::StrongRelease(a, b) => {
                let both = Formula::and([a.clone(), b.clone()]);
                self.formula(&Formula::until(b.clone(), both), outer);
            }
        }
    }

    fn unary(&mut self, operator: &str, inner: &Formula) {
        self.out.push_str(operator);
        self.formula(inner, Level::Unary);
    }

    /// Never `a U b U c` or `a -> b -> c`: tools disagree on what that means.
    fn binary(&mut self, a: &Formula, operator: &str, b: &Formula, own: Level, outer: Level) {
        let inner = match self.syntax {
            _ if own == Level::Until => Level::Unary,
            Syntax::Spin => Level::Until,
            Syntax::Letters => Level::Or,
        };
        self.parenthesised(own < outer, |out| {
            out.formula(a, inner);
            out.out.push_str(operator);
            out.formula(b, inner);
        });
    }

    /// For `spin -f` conjunction does not bind tighter than disjunction.
    fn list(&mut self, list: &[Formula], operator: &str, own: Level, outer: Level) {
        let letters = self.syntax == Syntax::Letters;
        let inner = if own == Level::Or && letters { Level::And } else { Level::Until };
        self.parenthesised(own < outer, |out| {
            for (index, part) in list.iter().enumerate() {
                out.out.push_str(if index == 0 { "" } else { operator });
                out.formula(part, inner);
            }
        });
    }

    fn parenthesised(&mut self, needed: bool, write: impl FnOnce(&mut Self)) {
        self.out.push_str(if needed { "(" } else { "" });
        write(self);
        self.out.push_str(if needed { ")" } else { "" });
    }
}
