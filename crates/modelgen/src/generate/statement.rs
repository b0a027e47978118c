//! Random statements.

use super::Writer;
use super::names::{Type, Variable};

impl Writer {
    /// A sequence of statements, at least one.
    pub(super) fn statements(&mut self) {
        let most = if self.place.depth == 0 { self.place.budget } else { 3 };
        for index in 0..self.rng.usize(1..most.max(1) + 1) {
            self.place.at_start = index == 0 && self.place.depth > 0;
            self.statement();
        }
    }

    /// Puts the labels that have no place yet at the end of a process.
    pub(super) fn place_labels(&mut self) {
        for label in std::mem::take(&mut self.place.unplaced) {
            self.line(format!("{label}: skip;"));
        }
    }

    fn statement(&mut self) {
        self.place.budget = self.place.budget.saturating_sub(1);
        self.label();
        if self.place.budget == 0 || self.place.depth >= 4 || !self.chance(38) {
            let simple = self.simple();
            self.end_label(10);
            self.line(format!("{simple};"));
        } else {
            self.compound();
        }
    }

    /// A label that makes it right to wait here for ever.
    fn end_label(&mut self, strict: u32) {
        let allowed = !self.place.in_d_step && !self.place.at_start && !self.place.in_inline;
        let chance = if self.lenient { 90 } else { strict };
        if allowed && self.chance(chance) {
            let label = self.fresh("end");
            self.line(format!("{label}:"));
        }
    }

    /// Once in a while a label of the process, which later gotos jump to.
    fn label(&mut self) {
        let allowed = !self.place.in_d_step && !self.place.at_start;
        if !allowed || self.place.unplaced.is_empty() || !self.chance(25) {
            return;
        }
        if let Some(label) = self.place.unplaced.pop() {
            self.line(format!("{label}:"));
        }
    }

    /// One line.
    fn simple(&mut self) -> String {
        let outside = !self.place.in_d_step;
        let channel = if self.channels.is_empty() { 0 } else { 26 };
        let blocking = if outside { 7 } else { 1 };
        let arrays =
            self.unread.len() + self.variables.iter().filter(|v| v.length.is_some()).count();
        // What one process writes while another is in the middle of a run is easily mistaken.
        let one_step = self.place.in_atomic || self.place.in_d_step;
        let element = if arrays == 0 { 0 } else { 6 + if one_step { 8 } else { 0 } };
        let swap = if self.channels.iter().any(|c| c.varies) { 4 } else { 0 };
        match self.draw(&[30, 10, channel, blocking, 4, 5, 6, 4, 3, 3, 2, element, swap]) {
            0 => self.assignment(),
            1 => self.count(),
            2 => self.communication(),
            3 => self.condition(2),
            4 => "skip".into(),
            5 => format!("assert({})", self.likely()),
            6 if outside => self.jump(),
            7 => self.selection(),
            8 => self.call(),
            9 if outside => self.bounded_run(),
            10 => format!("printf(\"%d\\n\", {})", self.number(1)),
            11 => self.array_write(),
            12 => self.other_meaning(),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> String {
        let mtype = self.has_mtype && self.chance(20);
        let Some(variable) = self.variable(mtype) else { return "skip".into() };
        if mtype {
            return format!("{variable} = {}", self.mtype_value());
        }
        match self.draw(&[5, 3, 2]) {
            0 => format!("{variable} = ({}) % {}", self.number(2), self.rng.u32(2..5)),
            1 => format!("{variable} = {}", self.rng.u32(0..4)),
            _ => format!("{variable} = {}", self.number(1)),
        }
    }

    /// Writes to an element of an array, mostly one that depends on a variable.
    fn array_write(&mut self) -> String {
        let arrays = self.variables.iter().filter(|v| v.length.is_some());
        let unread = !self.unread.is_empty() && self.rng.bool();
        let arrays = arrays.filter(|_| !unread).chain(&self.unread);
        let all: Vec<Variable> = arrays.cloned().collect();
        let Some(Variable { name, of, length }) = self.pick(&all) else { return "skip".into() };
        let length = length.unwrap_or(1);
        let index = match self.chance(80) {
            true => self.safe_index(length),
            false => self.rng.u32(0..length).to_string(),
        };
        match (of, self.draw(&[50, 30, 20])) {
            (Type::Mtype, _) => format!("{name}[{index}] = {}", self.mtype_value()),
            (Type::Bit | Type::Bool, 2) => format!("{name}[{index}]++"),
            (_, 0) => format!("{name}[{index}] = {}", self.rng.u32(0..3)),
            _ => format!("{name}[{index}] = ({}) % {}", self.number(1), self.rng.u32(2..4)),
        }
    }

    /// A channel variable comes to mean another channel.
    fn other_meaning(&mut self) -> String {
        match self.other_channel() {
            Some((variable, channel)) => format!("{variable} = {channel}"),
            None => self.assignment(),
        }
    }

    /// `++` and `--`, on narrow types only: on wide ones they blow up the state space.
    fn count(&mut self) -> String {
        let narrow = |v: &&Variable| matches!(v.of, Type::Bit | Type::Bool | Type::Unsigned(_));
        let names: Vec<Variable> = self.variables.iter().filter(narrow).cloned().collect();
        let variable = match self.pick(&names) {
            Some(variable) => self.element(&variable.name, variable.length),
            None => return self.assignment(),
        };
        let operator = if self.chance(60) { "++" } else { "--" };
        format!("{variable}{operator}")
    }

    /// A send or a receive; only buffered ones inside a `d_step`.
    fn communication(&mut self) -> String {
        let buffered_only = self.place.in_d_step;
        match self.channel(|c| c.capacity > 0 || !buffered_only) {
            Some((name, channel)) if self.chance(48) => {
                let sorted = if channel.capacity > 0 && self.chance(20) { "!!" } else { "!" };
                let values: Vec<String> =
                    channel.fields.iter().map(|of| self.value(*of, 1)).collect();
                format!("{name}{sorted}{}", values.join(","))
            }
            Some((name, channel)) => self.receive(&name, channel.capacity, &channel.fields),
            None => self.assignment(),
        }
    }

    fn receive(&mut self, name: &str, capacity: u32, fields: &[Type]) -> String {
        let patterns = self.patterns(fields, true);
        match self.draw(&[70, if capacity > 0 { 30 } else { 0 }]) {
            0 => format!("{name}?{patterns}"),
            _ => match self.draw(&[4, 3, 2]) {
                0 => format!("{name}??{patterns}"),
                1 => format!("{name}?<{patterns}>"),
                _ => format!("{name}??<{patterns}>"),
            },
        }
    }

    /// A condition that mostly holds, so that a good share of the models does too.
    fn likely(&mut self) -> String {
        match self.draw(&[50, 30, 20]) {
            0 => format!("({} || {})", self.condition(1), self.condition(1)),
            1 => format!("({} < 200)", self.number(1)),
            _ => self.condition(1),
        }
    }

    fn jump(&mut self) -> String {
        let labels = self.place.labels.clone();
        match (self.place.in_loop && self.chance(60), self.pick(&labels)) {
            (true, _) => "break".into(),
            (false, Some(label)) if !self.place.in_inline => format!("goto {label}"),
            (false, _) => "skip".into(),
        }
    }

    fn selection(&mut self) -> String {
        let scalar = |v: &&Variable| {
            v.length.is_none() && !v.name.contains('.') && matches!(v.of, Type::Byte | Type::Int)
        };
        let names: Vec<Variable> = self.variables.iter().filter(scalar).cloned().collect();
        match self.pick(&names) {
            Some(variable) if !self.place.in_d_step && variable.name != "par" => {
                format!("select ({} : 0 .. {})", variable.name, self.rng.u32(1..4))
            }
            _ => self.assignment(),
        }
    }

    fn call(&mut self) -> String {
        let inlines = self.inlines.clone();
        let scalar = |v: &&Variable| v.length.is_none() && v.of != Type::Mtype;
        let names: Vec<Variable> = self.variables.iter().filter(scalar).cloned().collect();
        match (self.pick(&inlines), self.pick(&names)) {
            // What is inside an inline is not known here: nothing that a d_step forbids.
            (Some(inline), Some(variable)) if !self.place.in_inline && !self.place.in_d_step => {
                format!("{inline}({})", variable.name)
            }
            _ => self.assignment(),
        }
    }

    /// A process more, but not too many.
    fn bounded_run(&mut self) -> String {
        match self.run() {
            Some(run) if !self.place.in_inline && self.chance(50) => {
                let line = "if :: (_nr_pr < 4) -> ";
                format!("{line}{run} :: else fi")
            }
            _ => self.assignment(),
        }
    }

    fn compound(&mut self) {
        let outside = !self.place.in_d_step;
        let plain = outside && !self.place.in_inline;
        let weight = |allowed: bool, weight| if allowed { weight } else { 0 };
        let weights = [
            30,
            weight(outside, 22),
            weight(outside, 18),
            weight(outside, 10),
            weight(plain, 9),
            weight(plain, 6),
            weight(outside, 4),
            weight(outside && !self.unread.is_empty(), 12),
        ];
        match self.draw(&weights) {
            0 => self.choice(),
            1 => self.repetition(),
            2 => self.atomic(),
            3 => self.d_step(),
            4 => self.unless(),
            5 => self.block(),
            6 => self.counted(),
            _ => self.beside(),
        }
    }

    fn choice(&mut self) {
        self.end_label(5);
        self.line("if");
        let in_loop = self.place.in_loop;
        self.options(in_loop);
        self.line("fi;");
    }

    fn repetition(&mut self) {
        self.end_label(30);
        self.line("do");
        self.options(true);
        if !self.place.in_d_step && self.chance(60) {
            self.line(":: break;");
        }
        self.line("od;");
    }

    fn options(&mut self, in_loop: bool) {
        let within = |place: &mut super::Place| {
            place.depth += 1;
            place.in_loop = in_loop;
        };
        self.within(within, |writer| {
            for _ in 0..1 + writer.draw(&[3, 5, 2]) {
                writer.option();
            }
            // A choice without a way out blocks, and inside a d_step that is an error.
            let exit = if writer.place.in_d_step { 95 } else { 40 };
            if writer.chance(exit) {
                writer.scoped(|writer| writer.last_option());
            }
        });
    }

    fn option(&mut self) {
        let guard = match self.draw(&[60, 22, 10, 8]) {
            0 => self.condition(2),
            1 => self.communication(),
            2 => self.simple(),
            _ => {
                self.line("::");
                return self.indented(|writer| writer.scoped(Writer::statements));
            }
        };
        self.line(format!(":: {guard};"));
        if self.chance(80) {
            self.indented(|writer| writer.scoped(Writer::statements));
        }
    }

    fn last_option(&mut self) {
        match self.draw(&[80, if self.place.in_d_step { 0 } else { 12 }]) {
            0 => self.line(":: else;"),
            _ => self.line(":: timeout;"),
        }
        // In a loop an else that goes round for ever would not end a d_step.
        if self.place.in_d_step && self.place.in_loop {
            self.indented(|writer| writer.line("break;"));
        } else if self.chance(50) {
            self.indented(Writer::statements);
        }
    }

    fn atomic(&mut self) {
        self.line("atomic {");
        self.indented(|writer| {
            let inside = |place: &mut super::Place| {
                place.depth += 1;
                place.in_atomic = true;
            };
            writer.within(inside, |writer| writer.scoped(Writer::statements));
        });
        self.line("};");
    }

    fn d_step(&mut self) {
        self.line("d_step {");
        self.indented(|writer| {
            let inside = |place: &mut super::Place| {
                place.depth += 2;
                place.in_d_step = true;
                place.in_loop = false;
            };
            writer.within(inside, |writer| writer.scoped(Writer::statements));
        });
        self.line("};");
    }

    /// Writes beside a run that writes: all of it mostly unread, and near to each other.
    fn beside(&mut self) {
        self.end_label(30);
        self.line("do");
        for _ in 0..self.rng.usize(1..3) {
            let write = self.array_write();
            self.line(format!(":: {write};"));
        }
        let run = if self.chance(50) { "atomic" } else { "d_step" };
        self.line(format!(":: {run} {{"));
        self.indented(|writer| {
            for _ in 0..writer.rng.usize(1..4) {
                let write =
                    if writer.chance(60) { writer.array_write() } else { writer.assignment() };
                writer.line(format!("{write};"));
            }
        });
        self.line("};");
        if self.chance(60) {
            self.line(":: break;");
        }
        self.line("od;");
    }

    fn unless(&mut self) {
        let deeper = |place: &mut super::Place| place.depth += 1;
        self.line("{");
        self.within(deeper, |writer| {
            writer.indented(|writer| writer.scoped(Writer::statements));
        });
        self.line("} unless {");
        self.within(deeper, |writer| {
            writer.indented(|writer| {
                let guard =
                    if writer.chance(70) { writer.condition(2) } else { writer.communication() };
                writer.line(format!("{guard};"));
                if writer.chance(70) {
                    writer.scoped(Writer::statements);
                }
            });
        });
        self.line("};");
    }

    /// A block with a variable of its own.
    fn block(&mut self) {
        self.line("{");
        self.within(
            |place| place.depth += 1,
            |writer| {
                writer.indented(|writer| {
                    writer.scoped(|writer| {
                        let name = writer.fresh("v");
                        match writer.chance(70) {
                            true => {
                                let value = writer.number(1);
                                writer.line(format!("byte {name} = ({value}) & 3;"));
                            }
                            false => writer.line(format!("byte {name};")),
                        }
                        writer.variables.push(Variable { name, of: Type::Byte, length: None });
                        writer.statements();
                    });
                });
            },
        );
        self.line("};");
    }

    /// What a for loop runs over: numbers, or the indices of an array.
    fn range(&mut self) -> String {
        let array = |v: &&Variable| v.length.is_some() && !v.name.contains('.');
        let names: Vec<Variable> = self.variables.iter().filter(array).cloned().collect();
        match self.pick(&names) {
            Some(array) if self.chance(60) => format!("in {}", array.name),
            _ => format!(": 0 .. {}", self.rng.u32(0..3)),
        }
    }

    /// A for loop over a variable that its body does not know.
    fn counted(&mut self) {
        if self.place.in_inline {
            return self.choice();
        }
        let name = self.fresh("i");
        self.line("{");
        self.indented(|writer| {
            writer.line(format!("byte {name};"));
            let range = writer.range();
            writer.line(format!("for ({name} {range}) {{"));
            let inside = |place: &mut super::Place| {
                place.depth += 1;
                place.in_loop = true;
            };
            writer.within(inside, |writer| {
                writer.indented(|writer| writer.scoped(Writer::statements));
            });
            writer.line("}");
        });
        self.line("};");
    }
}
