//! What a program can name: variables, arrays and pointers, with their declarations.

use super::Writer;
use super::types::{Expression, Integer, Type, expression};

/// Anything that holds one number: a variable, or a field of a structure.
#[derive(Clone)]
pub(super) struct Variable {
    /// How it is written.
    pub(super) place: String,
    pub(super) of: Type,
    /// Counters of loops and constants are only read.
    pub(super) written: bool,
    /// A bit-field: it has no address, and its type in an expression is best made plain.
    pub(super) bits: bool,
    /// A pointer may point there: not to bit-fields, nor to what lies askew in a packed structure.
    pub(super) addressable: bool,
}

impl Variable {
    pub(super) fn new(place: impl Into<String>, of: Type) -> Self {
        Variable { place: place.into(), of, written: true, bits: false, addressable: true }
    }
}

#[derive(Clone)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) of: Type,
    pub(super) length: u32,
    pub(super) written: bool,
    /// See [`Variable::addressable`].
    pub(super) addressable: bool,
}

/// A pointer into an array: `name[0]` to `name[length - 1]` are there.
#[derive(Clone)]
pub(super) struct Pointer {
    pub(super) name: String,
    pub(super) of: Type,
    pub(super) length: u32,
}

/// Something that can be assigned to.
pub(super) struct Target {
    pub(super) place: String,
    pub(super) of: Type,
    pub(super) bits: bool,
}

impl Writer {
    pub(super) fn globals(&mut self) {
        for _ in 0..self.rng.usize(2..5) {
            let of = self.some_type();
            let name = self.fresh_global("g");
            let storage = if self.chance(60) { "static " } else { "" };
            let volatile = if self.chance(10) { "volatile " } else { "" };
            let value = self.initial(of);
            self.line(format!("{storage}{volatile}{} {name} = {value};", of.name()));
            let addressable = volatile.is_empty();
            self.variables.push(Variable { addressable, ..Variable::new(name, of) });
        }
        for _ in 0..self.rng.usize(1..4) {
            self.array(true);
        }
    }

    /// A constant for an initialiser.
    pub(super) fn initial(&mut self, of: Type) -> String {
        match of {
            Type::Integer(of) => {
                let literal = self.literal(of);
                if of.bits == 1 { format!("{} != 0", literal.text) } else { literal.text }
            }
            _ => self.float_literal(of),
        }
    }

    /// Declares an array with its values.
    pub(super) fn array(&mut self, global: bool) {
        let of = self.some_type();
        let length = self.rng.u32(1..9);
        let name = if global { self.fresh_global("t") } else { self.fresh("a") };
        let constant = self.chance(20);
        let storage = match (self.chance(if global { 60 } else { 15 }), constant) {
            (true, true) => "static const ",
            (true, false) => "static ",
            (false, true) => "const ",
            (false, false) => "",
        };
        let given = if self.chance(30) { self.rng.u32(1..=length) } else { length };
        let values: Vec<String> = (0..given).map(|_| self.initial(of)).collect();
        let values = match self.chance(15) {
            true => format!("[{}] = {}", length - 1, values[0]),
            false => values.join(", "),
        };
        self.line(format!("{storage}{} {name}[{length}] = {{ {values} }};", of.name()));
        self.arrays.push(Array { name, of, length, written: !constant, addressable: true });
    }

    /// Declares a local variable.
    pub(super) fn variable(&mut self) {
        let of = self.some_type();
        let name = self.fresh("v");
        let value = self.value(of, 2);
        self.line(format!("{} {name} = {value};", of.name()));
        self.variables.push(Variable::new(name, of));
    }

    /// Declares a pointer into an array, to a variable, or behind another pointer.
    pub(super) fn pointer(&mut self) {
        let name = self.fresh("p");
        let whole = |array: &&Array| array.written && array.addressable;
        let arrays: Vec<Array> = self.arrays.iter().filter(whole).cloned().collect();
        let plain = |v: &&Variable| v.written && v.addressable;
        let variables: Vec<Variable> = self.variables.iter().filter(plain).cloned().collect();
        let pointers = self.pointers.clone();
        let (start, of, length) = match self.draw(&[5, 3, 2]) {
            0 => match self.pick(&arrays) {
                Some(array) => {
                    let skip = self.rng.u32(0..array.length);
                    let start = match self.chance(50) {
                        true => format!("&{}[{skip}]", array.name),
                        false => format!("{} + {skip}", array.name),
                    };
                    (start, array.of, array.length - skip)
                }
                None => return,
            },
            1 => match self.pick(&variables) {
                Some(variable) => (format!("&{}", variable.place), variable.of, 1),
                None => return,
            },
            _ => match self.pick(&pointers) {
                Some(pointer) => {
                    let skip = self.rng.u32(0..pointer.length);
                    (format!("{} + {skip}", pointer.name), pointer.of, pointer.length - skip)
                }
                None => return,
            },
        };
        self.line(format!("{} *{name} = ({0} *)({start});", of.name()));
        self.pointers.push(Pointer { name, of, length });
    }

    /// Something to assign to.
    pub(super) fn target(&mut self) -> Option<Target> {
        let arrays: Vec<Array> =
            self.arrays.iter().filter(|array| array.written).cloned().collect();
        let variables: Vec<Variable> =
            self.variables.iter().filter(|v| v.written).cloned().collect();
        match (self.draw(&[6, 3, 2]), self.pick(&arrays), self.pick(&self.pointers.clone())) {
            (1, Some(array), _) => {
                let index = self.index(array.length);
                let place = format!("{}[{index}]", array.name);
                Some(Target { place, of: array.of, bits: false })
            }
            (2, _, Some(pointer)) => {
                let place = self.behind(&pointer);
                Some(Target { place, of: pointer.of, bits: false })
            }
            _ => {
                let Variable { place, of, bits, .. } = self.pick(&variables)?;
                Some(Target { place, of, bits })
            }
        }
    }

    fn behind(&mut self, pointer: &Pointer) -> String {
        let index = self.index(pointer.length);
        match self.draw(&[3, 2, 1]) {
            0 => format!("{}[{index}]", pointer.name),
            1 => format!("*({} + ({index}))", pointer.name),
            // The index of an array may stand on either side.
            _ => format!("({index})[{}]", pointer.name),
        }
    }

    /// An expression between 0 and `length` - 1.
    pub(super) fn index(&mut self, length: u32) -> String {
        if self.chance(50) {
            return self.rng.u32(0..length).to_string();
        }
        let value = self.integer(1);
        if length.is_power_of_two() && self.chance(50) {
            return format!("({}) & {}", value.text, length - 1);
        }
        format!("(unsigned)({}) % {length}u", value.text)
    }

    /// Something of an integer type that can be read.
    pub(super) fn readable_integer(&mut self) -> Option<Expression<Integer>> {
        let read = self.readable(|of| matches!(of, Type::Integer(_)))?;
        match read.of {
            Type::Integer(of) => Some(expression(read.text, of)),
            _ => None,
        }
    }

    /// Something of a floating type that can be read.
    pub(super) fn readable_float(&mut self) -> Option<Expression<Type>> {
        self.readable(|of| !matches!(of, Type::Integer(_)))
    }

    fn readable(&mut self, fits: impl Fn(Type) -> bool) -> Option<Expression<Type>> {
        let arrays: Vec<Array> = self.arrays.iter().filter(|a| fits(a.of)).cloned().collect();
        let pointers: Vec<Pointer> = self.pointers.iter().filter(|p| fits(p.of)).cloned().collect();
        let variables: Vec<Variable> =
            self.variables.iter().filter(|v| fits(v.of)).cloned().collect();
        match (self.draw(&[7, 2, 1]), self.pick(&arrays), self.pick(&pointers)) {
            (1, Some(array), _) => {
                // An index that is an expression would make deep nests of indices.
                let index = self.rng.u32(0..array.length);
                Some(expression(format!("{}[{index}]", array.name), array.of))
            }
            (2, _, Some(pointer)) => {
                let index = self.rng.u32(0..pointer.length);
                Some(expression(format!("{}[{index}]", pointer.name), pointer.of))
            }
            _ => {
                let variable = self.pick(&variables)?;
                let text = match variable.bits {
                    true => format!("({}){}", variable.of.name(), variable.place),
                    false => variable.place,
                };
                Some(expression(text, variable.of))
            }
        }
    }
}
