//! Random statements.

use super::Writer;
use super::data::{Target, Variable};
use super::types::{INT, INTEGERS, Integer, Type};

impl Writer {
    /// Declarations and statements, until the budget is used up.
    pub(super) fn body(&mut self) {
        for _ in 0..self.rng.usize(1..4) {
            self.variable();
        }
        self.declaration();
        while self.place.budget > 0 {
            self.statement();
        }
    }

    fn declaration(&mut self) {
        match self.draw(&[4, 3, 4, 3]) {
            0 => self.variable(),
            1 => self.array(false),
            2 => self.pointer(),
            _ => self.structure_variable(false),
        }
    }

    fn statement(&mut self) {
        self.place.budget = self.place.budget.saturating_sub(1);
        self.spend(1);
        let nested = if self.place.depth < 3 { 1 } else { 0 };
        let calls = if self.functions.is_empty() { 0 } else { 8 };
        let weights =
            [26, 14, 10 * nested, 9 * nested, 4 * nested, 4 * nested, calls, 10, 12, 4, 9];
        match self.draw(&weights) {
            0 => self.assignment(),
            1 => self.compound(),
            2 => self.branch(),
            3 => self.counted_loop(),
            4 => self.switch(),
            5 => self.jump(),
            6 => self.call_statement(),
            7 => self.declaration(),
            8 => self.look(),
            9 => self.overflow_builtin(),
            _ => self.idiom(),
        }
    }

    /// A few statements inside something else.
    fn some_statements(&mut self, at_most: usize) {
        for _ in 0..self.rng.usize(1..=at_most) {
            if self.place.budget == 0 {
                break;
            }
            self.statement();
        }
    }

    fn assignment(&mut self) {
        let Some(target) = self.target() else { return };
        let value = self.value(target.of, 3);
        self.line(format!("{} = {value};", target.place));
    }

    fn compound(&mut self) {
        let Some(target) = self.target() else { return };
        match target.of {
            Type::Integer(of) if target.bits => self.compound_bits(&target, of),
            Type::Integer(of) => self.compound_integer(&target, of),
            _ => {
                let operator = ["+=", "-=", "*=", "/="][self.rng.usize(0..4)];
                let value = self.float(2).text;
                self.line(format!("{} {operator} {value};", target.place));
            }
        }
    }

    fn compound_bits(&mut self, target: &Target, of: Integer) {
        let value = self.integer(2).text;
        let operator = ["&", "|", "^"][self.rng.usize(0..3)];
        match self.chance(60) {
            true => self.line(format!("{} {operator}= {value};", target.place)),
            false => {
                let through = of.unsigned().promoted().unsigned().name;
                let operator = ["+", "-", "*"][self.rng.usize(0..3)];
                let sum = format!("({through}){} {operator} ({through})({value})", target.place);
                self.line(format!("{} = {sum};", target.place));
            }
        }
    }

    fn compound_integer(&mut self, target: &Target, of: Integer) {
        let value = self.integer(2).text;
        let (place, name) = (&target.place, of.name);
        // Small types are promoted to int, where two of them always fit; but not their product.
        let roomy = of.bits <= 16 || !of.signed;
        let text = match self.draw(&[4, 4, 2, 3, 3]) {
            0 => {
                let operator = ["&=", "|=", "^="][self.rng.usize(0..3)];
                format!("{place} {operator} {value};")
            }
            1 if roomy => {
                let operator = ["+=", "-="][self.rng.usize(0..2)];
                format!("{place} {operator} ({name})({value});")
            }
            2 if roomy && of.bits != 16 => format!("{place} *= ({name})({value});"),
            3 if of.bits > 16 && !of.signed => {
                let operator = ["<<=", ">>="][self.rng.usize(0..2)];
                format!("{place} {operator} ({value}) & {};", of.bits - 1)
            }
            3 => format!("{place} >>= ({value}) & {};", of.bits.min(32) - 1),
            4 if roomy => match self.chance(40) {
                true => {
                    let operator = ["/=", "%="][self.rng.usize(0..2)];
                    format!("{place} {operator} ({name})({value}) | 1;")
                }
                false => {
                    let step = ["++", "--"][self.rng.usize(0..2)];
                    if self.chance(50) {
                        format!("{step}{place};")
                    } else {
                        format!("{place}{step};")
                    }
                }
            },
            _ => {
                let through = of.promoted().unsigned().name;
                let operator = ["+", "-", "*"][self.rng.usize(0..3)];
                format!("{place} = ({name})(({through}){place} {operator} ({through})({value}));")
            }
        };
        // `++*p` would be the same as `++(*p)`, but `*p++` is not `(*p)++`.
        let text = if place.starts_with('*') {
            text.replacen(place, &format!("({place})"), 1)
        } else {
            text
        };
        self.line(text);
    }

    fn branch(&mut self) {
        let condition = self.condition(2);
        let otherwise = self.chance(50);
        let tail = if otherwise { "} else {" } else { "}" };
        self.within(
            |place| place.depth += 1,
            |w| {
                w.block(&format!("if ({condition})"), tail, |w| w.leave_or_go_on());
                if otherwise {
                    w.indented(|w| w.scoped(|w| w.some_statements(3)));
                    w.line("}");
                }
            },
        );
    }

    fn leave_or_go_on(&mut self) {
        self.some_statements(3);
        if self.place.in_loop && self.chance(30) {
            let leave = if self.chance(50) { "continue;" } else { "break;" };
            // Inside a switch `break` belongs to the switch: fine as well.
            self.line(leave);
        }
    }

    fn counted_loop(&mut self) {
        let times = self.rng.u64(1..7);
        if !self.affordable(times * 10) {
            return;
        }
        let counter = self.fresh("i");
        let of = loop {
            let of = INTEGERS[self.rng.usize(1..INTEGERS.len())];
            if of.bits <= 64 || self.chance(20) {
                break of;
            }
        };
        let name = of.name;
        let step = self.rng.u64(1..4);
        let start = if of.signed { self.rng.i64(-5..5) } else { self.rng.i64(0..5) };
        let end = start + (times * step) as i64;
        let (head, tail) = match self.draw(&[5, 2, 2, 2]) {
            0 => (
                format!("for ({name} {counter} = {start}; {counter} < {end}; {counter} += {step})"),
                "}".into(),
            ),
            1 => (format!("for ({name} {counter} = {times}; {counter}; {counter}--)"), "}".into()),
            2 => {
                self.line(format!("{name} {counter} = {times};"));
                (format!("while ({counter}-- > 0)"), "}".into())
            }
            _ => {
                self.line(format!("{name} {counter} = {start};"));
                ("do".into(), format!("}} while (({counter} += {step}) < {end});"))
            }
        };
        let change = |place: &mut super::Place| {
            place.depth += 1;
            place.times *= times;
            place.in_loop = true;
            place.in_switch = false;
        };
        self.within(change, |w| {
            w.block(&head, &tail, |w| {
                let counted = Variable {
                    written: false,
                    addressable: false,
                    ..Variable::new(counter.clone(), Type::Integer(of))
                };
                w.variables.push(counted);
                w.some_statements(4);
            });
        });
    }

    fn switch(&mut self) {
        let value = self.integer(2).text;
        let small = ["(signed char)", "(unsigned char)", ""][self.draw(&[1, 1, 3])];
        let (head, cases) = match small {
            "" => (format!("switch (({value}) & 7)"), vec!["0", "1", "3", "4 ... 6"]),
            _ => (
                format!("switch ({small}({value}))"),
                vec!["0", "1 ... 20", "-1", "-128 ... -100", "127", "200", "50 ... 90"],
            ),
        };
        // A case that the type cannot have is only worth a warning.
        let cases: Vec<&str> = cases
            .into_iter()
            .filter(|case| small != "(unsigned char)" || !case.starts_with('-'))
            .collect();
        let cases: Vec<&str> =
            cases.into_iter().filter(|case| small != "(signed char)" || *case != "200").collect();
        let change = |place: &mut super::Place| {
            place.depth += 1;
            place.in_switch = true;
        };
        self.within(change, |w| {
            w.block(&head, "}", |w| {
                for case in cases {
                    w.line(format!("case {case}: {{"));
                    w.indented(|w| w.scoped(|w| w.some_statements(2)));
                    w.line("}");
                    if w.chance(70) {
                        w.line("break;");
                    }
                }
                if w.chance(70) {
                    w.line("default: {");
                    w.indented(|w| w.scoped(|w| w.some_statements(2)));
                    w.line("}");
                }
            });
        });
    }

    /// A jump forward, or back a few times.
    fn jump(&mut self) {
        let label = self.fresh("l");
        if self.chance(60) {
            let condition = self.condition(1);
            self.line(format!("if {condition} goto {label};"));
            self.within(|place| place.depth += 1, |w| w.block("", "}", |w| w.some_statements(3)));
            self.line(format!("{label}:;"));
            return;
        }
        let times = self.rng.u64(2..5);
        if !self.affordable(times * 10) {
            return;
        }
        let counter = self.fresh("k");
        self.line(format!("int {counter} = 0;"));
        self.line(format!("{label}:;"));
        let change = |place: &mut super::Place| {
            place.depth += 1;
            place.times *= times;
            place.in_loop = false;
        };
        self.within(change, |w| w.block("", "}", |w| w.some_statements(3)));
        self.line(format!("if (++{counter} < {times}) goto {label};"));
    }

    /// Hands out a value.
    fn look(&mut self) {
        let of = self.some_type();
        let value = self.value(of, 3);
        self.out(of, &value);
    }

    pub(super) fn out(&mut self, of: Type, value: &str) {
        self.spend(2);
        match of {
            Type::Integer(of) if of.bits > 64 => self.line(format!("out_wide({value});")),
            Type::Integer(_) => self.line(format!("out({value});")),
            Type::Float => self.line(format!("out_float({value});")),
            Type::Double => self.line(format!("out_double({value});")),
        }
    }

    /// Hands out all that can be read here.
    pub(super) fn out_everything(&mut self) {
        for variable in self.variables.clone() {
            self.out(variable.of, &variable.place);
        }
        for array in self.arrays.clone() {
            for index in 0..array.length {
                self.out(array.of, &format!("{}[{index}]", array.name));
            }
        }
        for pointer in self.pointers.clone() {
            self.out(pointer.of, &format!("*{}", pointer.name));
        }
    }

    fn overflow_builtin(&mut self) {
        let of = loop {
            let of = self.some_integer();
            if of.bits > 1 {
                break of;
            }
        };
        let (result, flag) = (self.fresh("o"), self.fresh("o"));
        let operator = ["add", "sub", "mul"][self.rng.usize(0..3)];
        // clang makes a call of __muloti4 of some products of mixed wide types.
        let (left, right) = (self.integer(1), self.integer(1));
        let narrow = |text: String| format!("({})({text})", of.name);
        let (left, right) = (narrow(left.text), narrow(right.text));
        self.line(format!("{} {result};", of.name));
        let call = format!("__builtin_{operator}_overflow({left}, {right}, &{result})");
        self.line(format!("int {flag} = {call};"));
        self.variables.push(Variable::new(result, Type::Integer(of)));
        self.variables.push(Variable::new(flag, Type::Integer(INT)));
    }
}
