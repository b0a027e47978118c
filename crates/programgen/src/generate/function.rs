//! Functions: what they take and give, their bodies and calls.

use super::data::{Pointer, Variable};
use super::structure::Structure;
use super::types::{Expression, Integer, Type, expression};
use super::{Place, Writer};

#[derive(Clone)]
pub(super) struct Function {
    name: String,
    parameters: Vec<Parameter>,
    returns: Returned,
    /// What a call costs, about.
    cost: u64,
}

#[derive(Clone)]
enum Parameter {
    Number(Type),
    Structure(Structure),
    /// At least so many elements are there.
    Pointer(Type, u32),
}

#[derive(Clone)]
enum Returned {
    Nothing,
    Number(Type),
    Structure(Structure),
}

impl Writer {
    /// The whole unit.
    pub(super) fn unit(&mut self) {
        self.structures();
        self.globals();
        if self.chance(70) {
            self.structure_variable(true);
        }
        for _ in 0..self.rng.usize(1..5) {
            self.function();
        }
        self.line(format!("static void {}unit(void)", self.prefix));
        self.block("", "}", |w| {
            w.place = Place { budget: w.style.size, times: 1, ..Place::default() };
            w.body();
            w.out_everything();
        });
    }

    fn function(&mut self) {
        let name = self.fresh_global("f");
        let parameters: Vec<Parameter> =
            (0..self.rng.usize(0..6)).map(|_| self.parameter()).collect();
        let returns = match (self.draw(&[70, 15, 15]), self.pick(&self.structures.clone())) {
            (1, _) => Returned::Nothing,
            (2, Some(of)) => Returned::Structure(of),
            _ => Returned::Number(self.some_type()),
        };
        let named: Vec<(String, Parameter)> =
            parameters.iter().map(|parameter| (self.fresh("n"), parameter.clone())).collect();
        let declared: Vec<String> = named.iter().map(|(name, of)| of.declare(name)).collect();
        let declared = if declared.is_empty() { "void".into() } else { declared.join(", ") };
        let inline = ["", "", "__attribute__((noinline)) "][self.rng.usize(0..3)];
        self.line(format!("{inline}static {} {name}({declared})", returns.name()));
        let mut cost = 0;
        self.block("", "}", |w| {
            for (name, parameter) in &named {
                w.add_parameter(name, parameter);
            }
            w.place = Place { budget: w.style.size / 2, times: 1, ..Place::default() };
            w.body();
            w.give_back(&returns);
            cost = w.place.cost + 3;
        });
        self.functions.push(Function { name, parameters, returns, cost });
    }

    fn parameter(&mut self) -> Parameter {
        match (self.draw(&[70, 15, 15]), self.pick(&self.structures.clone())) {
            (1, _) => Parameter::Pointer(self.some_type(), self.rng.u32(1..3)),
            (2, Some(of)) => Parameter::Structure(of),
            _ => Parameter::Number(self.some_type()),
        }
    }

    fn add_parameter(&mut self, name: &str, parameter: &Parameter) {
        match parameter {
            Parameter::Number(of) => self.variables.push(Variable::new(name, *of)),
            Parameter::Structure(of) => self.add_fields(name, of),
            Parameter::Pointer(of, length) => {
                self.pointers.push(Pointer { name: name.into(), of: *of, length: *length });
            }
        }
    }

    fn give_back(&mut self, returns: &Returned) {
        match returns {
            Returned::Nothing => {}
            Returned::Number(of) => {
                let value = self.value(*of, 2);
                self.line(format!("return {value};"));
            }
            Returned::Structure(of) => {
                let result = self.fresh("r");
                self.line(format!("{} {result};", of.name));
                self.fill_structure(&result, of);
                self.line(format!("return {result};"));
            }
        }
    }

    /// Gives every field of a structure a value, one by one.
    fn fill_structure(&mut self, name: &str, of: &Structure) {
        for (place, of) in of.numbers(name, ".") {
            let value = self.value(of, 1);
            self.line(format!("{place} = {value};"));
        }
    }

    /// A call that gives an integer, where one can be afforded.
    pub(super) fn integer_call(&mut self) -> Option<Expression<Integer>> {
        let gives = |f: &&Function| matches!(f.returns, Returned::Number(Type::Integer(_)));
        let fitting: Vec<Function> = self.functions.iter().filter(gives).cloned().collect();
        let function = self.pick(&fitting).filter(|function| self.affordable(function.cost))?;
        let Returned::Number(Type::Integer(of)) = function.returns else { return None };
        // Structures for arguments would need statements before this expression.
        let simple = |p: &Parameter| matches!(p, Parameter::Number(_));
        if !function.parameters.iter().all(simple) {
            return None;
        }
        self.spend(function.cost);
        let arguments: Vec<String> = function.parameters.iter().map(|p| self.argument(p)).collect();
        Some(expression(format!("{}({})", function.name, arguments.join(", ")), of))
    }

    fn argument(&mut self, parameter: &Parameter) -> String {
        match parameter {
            Parameter::Number(of) => self.value(*of, 1),
            Parameter::Structure(of) => {
                let name = self.fresh("y");
                self.line(format!("{} {name};", of.name));
                self.fill_structure(&name, of);
                name
            }
            Parameter::Pointer(of, length) => {
                let fits = |p: &&Pointer| p.of == *of && p.length >= *length;
                let fitting: Vec<Pointer> = self.pointers.iter().filter(fits).cloned().collect();
                if let Some(pointer) = self.pick(&fitting) {
                    return pointer.name;
                }
                let values: Vec<String> = (0..*length).map(|_| self.initial(*of)).collect();
                format!("({}[]){{ {} }}", of.name(), values.join(", "))
            }
        }
    }

    /// Calls a function, directly or through a pointer, and looks at the result.
    pub(super) fn call_statement(&mut self) {
        let Some(function) = self.pick(&self.functions.clone()) else { return };
        if !self.affordable(function.cost) {
            return;
        }
        self.spend(function.cost);
        self.block("", "}", |w| {
            let arguments: Vec<String> =
                function.parameters.iter().map(|p| w.argument(p)).collect();
            let callee = w.callee(&function);
            let call = format!("{callee}({})", arguments.join(", "));
            match &function.returns {
                Returned::Nothing => w.line(format!("{call};")),
                Returned::Number(of) => {
                    let result = w.fresh("r");
                    w.line(format!("{} {result} = {call};", of.name()));
                    w.out(*of, &result);
                }
                Returned::Structure(of) => {
                    let result = w.fresh("r");
                    w.line(format!("{} {result} = {call};", of.name));
                    for (place, of) in of.numbers(&result, ".") {
                        w.out(of, &place);
                    }
                }
            }
        });
    }

    fn callee(&mut self, function: &Function) -> String {
        if self.chance(60) {
            return function.name.clone();
        }
        let pointer = self.fresh("c");
        let types: Vec<String> = function.parameters.iter().map(|p| p.declare("")).collect();
        let types = if types.is_empty() { "void".into() } else { types.join(", ") };
        let returns = function.returns.name();
        self.line(format!("{returns} (*{pointer}[2])({types}) = {{ 0, {} }};", function.name));
        format!("{pointer}[1]")
    }
}

impl Parameter {
    fn declare(&self, name: &str) -> String {
        match self {
            Parameter::Number(of) => format!("{} {name}", of.name()),
            Parameter::Structure(of) => format!("{} {name}", of.name),
            Parameter::Pointer(of, _) => format!("{} *{name}", of.name()),
        }
    }
}

impl Returned {
    fn name(&self) -> &str {
        match self {
            Returned::Nothing => "void",
            Returned::Number(of) => of.name(),
            Returned::Structure(of) => &of.name,
        }
    }
}
