//! The outline of a model: declarations, proctypes, init.

use super::names::{Channel, MTYPES, Type, Variable};
use super::{Parameter, Place, Proctype, Writer};

impl Writer {
    pub(super) fn model(&mut self) {
        self.has_priorities = self.chance(4);
        self.lenient = self.chance(60);
        self.declare_mtypes();
        self.declare_globals();
        for _ in 0..self.draw(&[70, 30]) {
            self.inline();
        }
        for _ in 0..self.draw(&[50, 35, 15]) {
            self.runnable();
        }
        let active = 1 + self.draw(&[40, 50, 10]);
        let init = self.rng.usize(0..active + 1);
        for place in 0..active {
            // init takes its pid where it stands in the text.
            if place == init && !self.proctypes.is_empty() {
                self.init();
            }
            self.active();
        }
    }

    fn declare_mtypes(&mut self) {
        self.has_mtype = self.chance(40);
        if self.has_mtype && self.chance(50) {
            self.line(format!("mtype = {{ {} }};", MTYPES.join(", ")));
        } else if self.has_mtype {
            let (first, rest) = MTYPES.split_at(1);
            self.line(format!("mtype = {{ {} }};", first.join(", ")));
            self.line(format!("mtype = {{ {} }};", rest.join(", ")));
        }
    }

    fn declare_globals(&mut self) {
        for _ in 0..2 + self.draw(&[3, 3, 1]) {
            self.declare_variable();
        }
        if self.chance(20) {
            self.declare_structure();
        }
        if self.chance(35) {
            self.declare_unread();
        }
        for _ in 0..self.draw(&[2, 5, 2]) {
            self.declare_channel();
        }
    }

    /// An array that is written only.
    fn declare_unread(&mut self) {
        let name = self.fresh("w");
        let of = if self.chance(70) { Type::Byte } else { Type::Bit };
        let length = self.rng.u32(2..5);
        self.line(format!("{}[{length}];", of.declare(&name)));
        self.unread.push(Variable { name, of, length: Some(length) });
    }

    /// A scalar or an array, at the start of a model or a process.
    fn declare_variable(&mut self) {
        let (of, name) = (self.some_type(), self.fresh("v"));
        let array = !matches!(of, Type::Unsigned(_)) && self.chance(28);
        let length = array.then(|| self.rng.u32(1..4));
        let declared = of.declare(&name);
        let start = self.rng.u32(0..3);
        match (length, self.chance(40) && of != Type::Mtype) {
            (Some(length), true) => self.line(format!("{declared}[{length}] = {start};")),
            (Some(length), false) => self.line(format!("{declared}[{length}];")),
            (None, true) => self.line(format!("{declared} = {start};")),
            (None, false) => self.line(format!("{declared};")),
        }
        self.variables.push(Variable { name, of, length });
    }

    fn declare_structure(&mut self) {
        let (of, name) = (self.fresh("T"), self.fresh("s"));
        self.line(format!("typedef {of} {{ byte f; bit g; short h[2] }};"));
        self.line(format!("{of} {name};"));
        for (field, of, length) in
            [("f", Type::Byte, None), ("g", Type::Bit, None), ("h", Type::Short, Some(2))]
        {
            self.variables.push(Variable { name: format!("{name}.{field}"), of, length });
        }
    }

    fn declare_channel(&mut self) {
        let name = self.fresh("q");
        let length = self.chance(28).then(|| self.rng.u32(2..4));
        let capacity = [0, 1, 2, 3][self.draw(&[40, 30, 20, 10])];
        let fields: Vec<Type> = (0..1 + self.draw(&[60, 40])).map(|_| self.some_type()).collect();
        let types: Vec<&str> = fields.iter().map(|of| of.keyword()).collect();
        let array = length.map(|length| format!("[{length}]")).unwrap_or_default();
        self.line(format!("chan {name}{array} = [{capacity}] of {{ {} }};", types.join(", ")));
        self.channels.push(Channel { name, length, capacity, fields, varies: false });
    }

    /// A variable that means one of the channels there are.
    fn declare_channel_variable(&mut self) {
        let Some((means, channel)) = self.channel(|_| true) else { return };
        let name = self.fresh("q");
        self.line(format!("chan {name} = {means};"));
        self.channels.push(Channel { name, length: None, varies: true, ..channel });
    }

    fn inline(&mut self) {
        let name = self.fresh("in");
        self.line(format!("inline {name}(par) {{"));
        let place = Place { depth: 2, budget: 3, in_inline: true, ..Place::default() };
        self.body(place, |writer| {
            let par = Variable { name: "par".into(), of: Type::Byte, length: None };
            writer.variables.push(par);
        });
        self.line("}");
        self.inlines.push(name);
    }

    /// The inside of a proctype or an inline.
    fn body(&mut self, place: Place, declare: impl FnOnce(&mut Self)) {
        self.scoped(|writer| {
            writer.within(
                |inside| *inside = place,
                |writer| {
                    writer.indented(|writer| {
                        declare(writer);
                        writer.statements();
                        writer.place_labels();
                    });
                },
            );
        });
    }

    fn process_place(&mut self) -> Place {
        let labels: Vec<String> = (0..self.draw(&[60, 30, 10])).map(|_| self.fresh("L")).collect();
        let budget = 2 + self.rng.usize(0..self.size.max(1));
        Place { budget, unplaced: labels.clone(), labels, ..Place::default() }
    }

    fn locals(&mut self) {
        for _ in 0..self.draw(&[4, 5, 1]) {
            self.declare_variable();
        }
        if self.chance(6) {
            self.declare_channel();
        }
        if self.chance(12) {
            self.declare_channel_variable();
        }
        if self.chance(6) {
            self.declare_unread();
        }
    }

    fn attributes(&mut self) -> String {
        let mut text = String::new();
        if self.has_priorities && self.chance(70) {
            text += &format!(" priority {}", self.rng.u32(1..4));
        }
        if self.chance(4) {
            text += &format!(" provided ({})", self.condition(1));
        }
        text
    }

    fn active(&mut self) {
        let name = self.fresh("P");
        let count = [1, 2, 3][self.draw(&[60, 36, 4])];
        let attributes = self.attributes();
        self.line(format!("active [{count}] proctype {name}(){attributes} {{"));
        let place = self.process_place();
        self.body(place, Writer::locals);
        self.line("}");
    }

    /// A proctype with parameters, for `run`.
    fn runnable(&mut self) {
        let name = self.fresh("R");
        let number = self.fresh("v");
        let mut parameters = vec![Parameter::Value];
        let mut formal = format!("byte {number}");
        let mut channels = Vec::new();
        if let Some((_, channel)) = self.channel(|c| c.length.is_none()).filter(|_| self.chance(40))
        {
            let passed = self.fresh("q");
            formal += &format!("; chan {passed}");
            let (capacity, fields) = (channel.capacity, channel.fields.clone());
            parameters.push(Parameter::Channel { capacity, fields });
            channels.push(Channel { name: passed, varies: true, ..channel });
        }
        self.line(format!("proctype {name}({formal}) {{"));
        let place = self.process_place();
        self.body(place, |writer| {
            writer.variables.push(Variable { name: number, of: Type::Byte, length: None });
            writer.channels.extend(channels);
            writer.locals();
        });
        self.line("}");
        self.proctypes.push(Proctype { name, parameters });
    }

    fn init(&mut self) {
        self.line("init {");
        let place = self.process_place();
        self.body(place, |writer| {
            writer.locals();
            let atomic = writer.chance(50);
            if atomic {
                writer.line("atomic {");
            }
            for _ in 0..1 + writer.draw(&[70, 30]) {
                let run = writer.run().unwrap_or_else(|| "skip".into());
                writer.line(format!("{run};"));
            }
            if atomic {
                writer.line("};");
            }
        });
        self.line("}");
    }

    /// A `run` with arguments, where all the channels it needs can be named here.
    pub(super) fn run(&mut self) -> Option<String> {
        let proctypes = self.proctypes.clone();
        let proctype = self.pick(&proctypes)?;
        let mut arguments = Vec::new();
        for parameter in &proctype.parameters {
            arguments.push(match parameter {
                Parameter::Value => self.number(1),
                Parameter::Channel { capacity, fields } => {
                    let same = |c: &Channel| c.capacity == *capacity && c.fields == *fields;
                    self.channel(same)?.0
                }
            });
        }
        Some(format!("run {}({})", proctype.name, arguments.join(", ")))
    }
}
