//! Random expressions, small in value.

use super::Writer;
use super::names::{MTYPES, Type};

impl Writer {
    /// A number, mostly small.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let deeper = depth - 1;
        match self.draw(&[40, 20, 6, 6, 7, 4, 4, 3, 3]) {
            0 => self.atom(),
            1 => self.binary(deeper),
            2 => format!("({} % {})", self.number(deeper), self.rng.u32(2..5)),
            3 => format!("({} / {})", self.number(deeper), self.rng.u32(2..4)),
            4 => {
                let condition = self.plain_condition(deeper);
                format!("({condition} -> {} : {})", self.number(deeper), self.number(deeper))
            }
            5 => self.plain_condition(deeper),
            6 => format!("(-({}))", self.number(deeper)),
            7 => format!("(~({}))", self.number(deeper)),
            _ => self.rare_number(),
        }
    }

    fn atom(&mut self) -> String {
        match (self.draw(&[35, 60, 5]), self.variable(false)) {
            (1, Some(variable)) => variable,
            (2, _) => "_pid".into(),
            _ => self.rng.u32(0..4).to_string(),
        }
    }

    fn binary(&mut self, depth: usize) -> String {
        const OPERATORS: [&str; 8] = ["+", "-", "*", "&", "|", "^", "<<", ">>"];
        let operator = OPERATORS[self.draw(&[8, 6, 3, 2, 2, 2, 1, 1])];
        let left = self.number(depth);
        // Shifting by more than the width means nothing in C.
        let shift = operator == "<<" || operator == ">>";
        let right = if shift { self.rng.u32(0..4).to_string() } else { self.number(depth) };
        format!("({left} {operator} {right})")
    }

    fn rare_number(&mut self) -> String {
        match (self.draw(&[6, 3, 1]), self.channel(|c| c.capacity > 0)) {
            (0, Some((name, _))) => format!("len({name})"),
            (2, _) if !self.place.in_inline => "_last".into(),
            _ => "_nr_pr".into(),
        }
    }

    pub(super) fn mtype_value(&mut self) -> String {
        match (self.chance(30), self.variable(true)) {
            (true, Some(variable)) => variable,
            _ => MTYPES[self.rng.usize(0..MTYPES.len())].into(),
        }
    }

    /// A value to be stored in something of this type.
    pub(super) fn value(&mut self, of: Type, depth: usize) -> String {
        if of == Type::Mtype { self.mtype_value() } else { self.number(depth) }
    }

    /// A truth value.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.comparison(0);
        }
        let deeper = depth - 1;
        match self.draw(&[50, 8, 8, 5, 12, 6, 3]) {
            0 => self.comparison(deeper),
            1 => format!("({} && {})", self.condition(deeper), self.condition(deeper)),
            2 => format!("({} || {})", self.condition(deeper), self.condition(deeper)),
            3 => format!("!{}", self.plain_condition(deeper)),
            4 => self.channel_test(),
            5 => self.mtype_test(),
            _ => self.number(deeper),
        }
    }

    /// A condition that may stand anywhere in an expression: Spin takes `full` and its relatives
    /// only at the outside.
    fn plain_condition(&mut self, depth: usize) -> String {
        match (self.draw(&[70, 15, 15]), self.channel(|c| c.capacity > 0)) {
            (1, _) => self.mtype_test(),
            (2, Some((name, channel))) => {
                format!("({name}?[{}])", self.patterns(&channel.fields, false))
            }
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        const OPERATORS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
        let operator = OPERATORS[self.rng.usize(0..OPERATORS.len())];
        let left = self.variable(false).unwrap_or_else(|| "_nr_pr".into());
        let right =
            if self.chance(60) { self.rng.u32(0..4).to_string() } else { self.number(depth) };
        format!("({left} {operator} {right})")
    }

    fn mtype_test(&mut self) -> String {
        match self.variable(true) {
            Some(variable) => format!("({variable} == {})", self.mtype_value()),
            None => self.comparison(0),
        }
    }

    /// A test of a buffered channel: a rendezvous channel cannot be polled.
    pub(super) fn channel_test(&mut self) -> String {
        let Some((name, channel)) = self.channel(|c| c.capacity > 0) else {
            return self.comparison(0);
        };
        match self.draw(&[2, 2, 2, 2, 2, 1]) {
            0 => format!("nempty({name})"),
            1 => format!("nfull({name})"),
            2 => format!("empty({name})"),
            3 => format!("full({name})"),
            4 => format!("({name}?[{}])", self.patterns(&channel.fields, false)),
            _ => format!("({name}??[{}])", self.patterns(&channel.fields, false)),
        }
    }

    /// What stands in a receive: variables, constants, `eval` and `_`.
    pub(super) fn patterns(&mut self, fields: &[Type], assign: bool) -> String {
        let mut patterns: Vec<String> = Vec::new();
        for of in fields {
            let pattern = self.pattern(*of, assign);
            // Spin refuses a variable that stands in two fields.
            let twice = patterns.iter().any(|earlier| root(earlier) == root(&pattern));
            patterns.push(if twice { "_".into() } else { pattern });
        }
        patterns.join(",")
    }

    fn pattern(&mut self, of: Type, assign: bool) -> String {
        let mtype = of == Type::Mtype;
        let variable = if assign { 60 } else { 10 };
        let kind = self.draw(&[variable, 15, 12, 13]);
        let variable = if kind == 0 { self.target(of) } else { self.variable(mtype) };
        match (kind, variable) {
            (0, Some(variable)) => variable,
            (1, Some(variable)) => format!("eval({variable})"),
            (2, _) if mtype => MTYPES[self.rng.usize(0..MTYPES.len())].into(),
            (2, _) => self.rng.u32(0..3).to_string(),
            _ => "_".into(),
        }
    }
}

/// The variable in a pattern, without `eval` and indices.
fn root(pattern: &str) -> &str {
    let inside = pattern.strip_prefix("eval(").unwrap_or(pattern);
    inside.split(['[', ')', '.']).next().unwrap_or(inside)
}
