//! Structures and unions: nested, with bit-fields, by value and behind pointers.

use super::Writer;
use super::data::{Array, Variable};
use super::types::{Integer, Type, ULONG};

#[derive(Clone)]
pub(super) struct Structure {
    /// `struct u0_s3`.
    pub(super) name: String,
    fields: Vec<Field>,
    packed: bool,
}

#[derive(Clone)]
enum Field {
    Number { name: String, of: Type },
    Bits { name: String, of: Integer, width: u32 },
    Array { name: String, of: Type, length: u32 },
    Inner { name: String, of: Structure },
}

impl Writer {
    pub(super) fn structures(&mut self) {
        for _ in 0..self.rng.usize(1..4) {
            self.structure();
        }
    }

    fn structure(&mut self) {
        let name = format!("struct {}", self.fresh_global("s"));
        let mut fields = Vec::new();
        for _ in 0..self.rng.usize(1..6) {
            let field = self.field();
            fields.push(field);
        }
        let packed = self.chance(12);
        let attribute = if packed { "__attribute__((packed)) " } else { "" };
        let declared = name.replacen("struct ", &format!("struct {attribute}"), 1);
        self.line(format!("{declared} {{"));
        self.indented(|w| {
            for field in &fields {
                w.line(format!("{};", field.declare()));
            }
        });
        self.line("};");
        self.structures.push(Structure { name, fields, packed });
    }

    fn field(&mut self) -> Field {
        let name = self.fresh("f");
        let inner = self.pick(&self.structures.clone());
        match (self.draw(&[50, 25, 15, 10]), inner) {
            (1, _) => {
                let of = self.some_integer();
                // A bit-field of more than a register is no C.
                let of = if of.bits > 64 { ULONG } else { of };
                Field::Bits { name, of, width: self.rng.u32(1..=of.bits) }
            }
            (2, _) => {
                let of = self.some_type();
                Field::Array { name, of, length: self.rng.u32(1..5) }
            }
            (3, Some(inner)) if inner.fields.len() < 6 => Field::Inner { name, of: inner },
            _ => Field::Number { name, of: self.some_type() },
        }
    }

    /// Declares a structure as a variable; its fields become variables.
    pub(super) fn structure_variable(&mut self, global: bool) {
        let Some(of) = self.pick(&self.structures.clone()) else { return };
        let name = if global { self.fresh_global("x") } else { self.fresh("x") };
        let storage = if global && self.chance(50) { "static " } else { "" };
        let values = self.structure_values(&of);
        self.line(format!("{storage}{} {name} = {values};", of.name));
        self.add_fields(&name, &of);
        if !global && self.chance(40) {
            let pointer = self.fresh("q");
            self.line(format!("{} *{pointer} = &{name};", of.name));
            self.add_fields_through(&pointer, "->", &of, true);
        }
    }

    /// `{ 1, { 2, 3 } }`.
    fn structure_values(&mut self, of: &Structure) -> String {
        let values: Vec<String> = of
            .fields
            .iter()
            .map(|field| match field {
                Field::Number { of, .. } => self.initial(*of),
                Field::Bits { of, width, .. } => self.small(*of, *width),
                Field::Array { of, length, .. } => {
                    let values: Vec<String> = (0..*length).map(|_| self.initial(*of)).collect();
                    format!("{{ {} }}", values.join(", "))
                }
                Field::Inner { of, .. } => self.structure_values(of),
            })
            .collect();
        format!("{{ {} }}", values.join(", "))
    }

    /// A constant that a bit-field can hold.
    fn small(&mut self, of: Integer, width: u32) -> String {
        let width = if of.signed { width - 1 } else { width };
        let value = if width == 0 { 0 } else { self.rng.u64(..) >> (64 - width) };
        format!("{value}ul")
    }

    pub(super) fn add_fields(&mut self, name: &str, of: &Structure) {
        self.add_fields_through(name, ".", of, true);
    }

    fn add_fields_through(&mut self, name: &str, dot: &str, whole: &Structure, aligned: bool) {
        let aligned = aligned && !whole.packed;
        for field in &whole.fields {
            match field {
                Field::Number { name: field, of } => self.variables.push(Variable {
                    addressable: aligned,
                    ..Variable::new(format!("{name}{dot}{field}"), *of)
                }),
                Field::Bits { name: field, of, .. } => self.variables.push(Variable {
                    bits: true,
                    addressable: false,
                    ..Variable::new(format!("{name}{dot}{field}"), Type::Integer(*of))
                }),
                Field::Array { name: field, of, length } => self.arrays.push(Array {
                    name: format!("{name}{dot}{field}"),
                    of: *of,
                    length: *length,
                    written: true,
                    addressable: aligned,
                }),
                Field::Inner { name: field, of } => {
                    self.add_fields_through(&format!("{name}{dot}{field}"), ".", of, aligned);
                }
            }
        }
    }
}

impl Structure {
    /// The numbers of a structure, each with how it is reached.
    pub(super) fn numbers(&self, name: &str, dot: &str) -> Vec<(String, Type)> {
        let mut found = Vec::new();
        for field in &self.fields {
            match field {
                Field::Number { name: field, of } => {
                    found.push((format!("{name}{dot}{field}"), *of));
                }
                Field::Bits { name: field, of, .. } => {
                    found.push((format!("{name}{dot}{field}"), Type::Integer(*of)));
                }
                Field::Array { name: field, of, length } => {
                    let all = (0..*length).map(|i| (format!("{name}{dot}{field}[{i}]"), *of));
                    found.extend(all);
                }
                Field::Inner { name: field, of } => {
                    found.extend(of.numbers(&format!("{name}{dot}{field}"), "."));
                }
            }
        }
        found
    }
}

impl Field {
    fn declare(&self) -> String {
        match self {
            Field::Number { name, of } => format!("{} {name}", of.name()),
            Field::Bits { name, of, width } => format!("{} {name} : {width}", of.name),
            Field::Array { name, of, length } => format!("{} {name}[{length}]", of.name()),
            Field::Inner { name, of } => format!("{} {name}", of.name),
        }
    }
}
