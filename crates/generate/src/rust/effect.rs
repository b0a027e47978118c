//! What statements do, once they were chosen.

use super::emit::{Emitter, Flavour, Offer, names_of, uses_globals};
use super::expr::{Exprs, type_bounds};
use super::fit::fit;
use super::names::name;
use super::text::literal;
use crate::tree::*;
use auspex_promela::ast::{Code, PlainOp, Primitive};

impl<'s> Emitter<'s> {
    /// What a statement does, once it was chosen.
    pub fn effect(&mut self, offer: &Offer<'s>) {
        if offer.passes {
            return;
        }
        let stmt = offer.stmt;
        match &stmt.kind {
            Kind::Assign { target, value: Expr::Run { process, args, .. } } => {
                if let Some(run) = self.run(*process, args) {
                    let bounds = match self.flavour {
                        Flavour::Threads => (0, 254),
                        Flavour::Programs => type_bounds(Type::Int),
                    };
                    let value = self.exprs.cut_text(run, bounds, target.ty);
                    self.store(target, value);
                }
            }
            Kind::Condition(Expr::Run { process, args, .. }) => {
                if let Some(run) = self.run(*process, args) {
                    self.line(format!("{run};"));
                }
            }
            Kind::Assign { target, value } => {
                let value = self.exprs.cut(value, target.ty);
                self.store(target, value);
            }
            Kind::Increment { target, by } => {
                let op = if *by < 0 { PlainOp::Sub } else { PlainOp::Add };
                let (place, by) = (Expr::Place(target.clone()), Expr::Number(by.abs()));
                let sum = Expr::Binary(op, Box::new(place), Box::new(by));
                let value = self.exprs.cut(&sum, target.ty);
                self.store(target, value);
            }
            Kind::Receive { args, .. } => {
                for (number, arg) in args.iter().enumerate() {
                    if let Arg::Store(place) = arg {
                        let value = format!("g.received({number})");
                        let bounds = type_bounds(Type::Int);
                        self.store(place, self.exprs.cut_text(value, bounds, place.ty));
                    }
                }
            }
            Kind::Assert(expr) => {
                let (condition, text) = (self.exprs.condition(expr), literal(&stmt.text));
                self.line(format!("assert({condition}, {text});"));
            }
            Kind::Print(parts) => self.print(parts),
            Kind::Select { var, low, high } => {
                let (low, high) = (self.exprs.value(low), self.exprs.value(high));
                let picked = match uses_globals(&low) || uses_globals(&high) {
                    true => {
                        self.line(format!("let (arg0, arg1) = ({low}, {high});"));
                        "g.pick(arg0, arg1)".to_string()
                    }
                    false => format!("g.pick({low}, {high})"),
                };
                self.store(var, self.exprs.cut_text(picked, type_bounds(Type::Int), var.ty));
            }
            Kind::Initialise(id) => self.initialise_late(*id),
            Kind::Code(code) => self.code(code),
            _ => {}
        }
    }

    fn initialise_late(&mut self, id: VarId) {
        let variable = self.spec.variable(id);
        let text = self.exprs.variable(id);
        let text = if variable.length.is_some() { format!("{text}[0]") } else { text };
        let ty = variable.ty.stored(variable.length);
        match (&variable.initial, ty) {
            (_, Type::Record(_)) | (Initial::Channel(_) | Initial::List(_), _) => {}
            (Initial::Zero, _) => self.line(format!("{text} = 0;")),
            (Initial::Value(value), _) => {
                let value = self.exprs.cut(value, ty);
                self.line(format!("{text} = {value};"));
            }
        }
    }

    pub fn code(&mut self, code: &Code) {
        if code.primitive != Primitive::Code {
            return;
        }
        if let Some(guard) = &code.guard {
            let text = literal(guard.trim());
            self.line(format!("assert(truth({}), {text});", fit(self.spec, guard)));
        }
        if !code.text.trim().is_empty() {
            self.line("{");
            self.text.paste(&fit(self.spec, &code.text));
            self.line("}");
        }
    }

    /// Stores a value. Where globals are stored, an index that looks at globals has to be known before.
    pub fn store(&mut self, place: &Place, value: String) {
        let is_global = self.spec.variable(place.var).owner.is_none();
        let mut hoisted = Vec::new();
        let exprs = Exprs { spec: self.spec, flavour: self.flavour };
        let target = exprs.place_with(place, &mut |index, length| {
            let text = exprs.index(index, length);
            if !is_global || index.constant().is_some() || !uses_globals(&text) {
                return text;
            }
            let name = format!("at{}", hoisted.len());
            hoisted.push(format!("let {name} = {text};"));
            name
        });
        // The index counts before the value does.
        hoisted.iter().for_each(|line| self.line(line));
        self.line(format!("{target} = {value};"));
    }

    /// The call that creates a process. The environment is not created.
    fn run(&mut self, process: usize, args: &[Expr]) -> Option<String> {
        let callee = &self.spec.processes[process];
        if callee.is_env {
            self.line(format!("// {} belongs to the environment.", callee.name));
            return None;
        }
        let mut passed = Vec::new();
        for (number, arg) in args.iter().enumerate() {
            let value = self.exprs.value(arg);
            if uses_globals(&value) {
                self.line(format!("let arg{number} = {value};"));
                passed.push(format!("arg{number}"));
            } else {
                passed.push(value);
            }
        }
        let (title, function) = (literal(&callee.name), name(&callee.name));
        if self.flavour == Flavour::Programs {
            return Some(format!("g.run({title}, &[{}])", passed.join(", ")));
        }
        if passed.is_empty() {
            return Some(format!("g.run({title}, {function})"));
        }
        Some(format!("g.run({title}, move |g| {function}(g, {}))", passed.join(", ")))
    }

    fn print(&mut self, parts: &[PrintPart]) {
        let mut format = String::new();
        let mut args = Vec::new();
        for part in parts {
            let (hole, arg) = match part {
                PrintPart::Text(text) => {
                    format.push_str(&text.replace('{', "{{").replace('}', "}}"));
                    continue;
                }
                PrintPart::Decimal(expr) => ("{}", self.exprs.value(expr)),
                PrintPart::Unsigned(expr) => ("{}", format!("natural({})", self.exprs.value(expr))),
                PrintPart::Hex(expr) => ("{:x}", self.exprs.value(expr)),
                PrintPart::Octal(expr) => ("{:o}", self.exprs.value(expr)),
                PrintPart::Character(expr) => {
                    ("{}", format!("character({})", self.exprs.value(expr)))
                }
                PrintPart::Symbol(expr, set) => {
                    let names = names_of(self.spec, *set);
                    ("{}", format!("symbol({names}, {})", self.exprs.value(expr)))
                }
            };
            // What is a plain name can stand inside of the format.
            match arg.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !arg.starts_with(|c: char| c.is_ascii_digit())
            {
                true => format.push_str(&hole.replacen('{', &format!("{{{arg}"), 1)),
                false => {
                    format.push_str(hole);
                    args.push(arg);
                }
            }
        }
        let (macro_name, format) = match format.strip_suffix('\n') {
            Some(rest) => ("println", rest.to_string()),
            None => ("print", format),
        };
        let args: String = args.iter().map(|arg| format!(", {arg}")).collect();
        match format.is_empty() && args.is_empty() {
            true => self.line(format!("{macro_name}!();")),
            false => self.line(format!("{macro_name}!({}{args});", literal(&format))),
        }
    }
}
