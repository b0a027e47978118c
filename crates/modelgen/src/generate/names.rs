//! What a model can name: variables and channels, with what is needed to use them safely.

use super::Writer;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned(u32),
    Pid,
    Mtype,
}

impl Type {
    /// Does every value of the other type fit?
    fn holds(self, other: Type) -> bool {
        let range = |of: Type| match of {
            Type::Bit | Type::Bool => (0, 1),
            Type::Byte | Type::Pid | Type::Mtype => (0, 255),
            Type::Short => (-(1 << 15), (1 << 15) - 1),
            Type::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Type::Unsigned(bits) => (0, (1 << bits) - 1),
        };
        let ((low, high), (least, most)) = (range(self), range(other));
        low <= least && most <= high
    }

    pub(super) fn declare(self, name: &str) -> String {
        match self {
            Type::Bit => format!("bit {name}"),
            Type::Bool => format!("bool {name}"),
            Type::Byte => format!("byte {name}"),
            Type::Short => format!("short {name}"),
            Type::Int => format!("int {name}"),
            Type::Unsigned(bits) => format!("unsigned {name} : {bits}"),
            Type::Pid => format!("pid {name}"),
            Type::Mtype => format!("mtype {name}"),
        }
    }

    /// As a field of a channel.
    pub(super) fn keyword(self) -> &'static str {
        match self {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Short => "short",
            Type::Int => "int",
            Type::Mtype => "mtype",
            Type::Byte | Type::Pid | Type::Unsigned(_) => "byte",
        }
    }
}

#[derive(Clone)]
pub(super) struct Variable {
    /// The name, or the path of a field.
    pub(super) name: String,
    pub(super) of: Type,
    /// The length where it is an array.
    pub(super) length: Option<u32>,
}

#[derive(Clone)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) length: Option<u32>,
    pub(super) capacity: u32,
    pub(super) fields: Vec<Type>,
    /// A variable that may come to mean another channel of the same kind.
    pub(super) varies: bool,
}

pub(super) const MTYPES: [&str; 3] = ["red", "green", "blue"];

impl Writer {
    pub(super) fn some_type(&mut self) -> Type {
        let mtype = if self.has_mtype { 2 } else { 0 };
        match self.draw(&[2, 2, 6, 2, 2, 2, 1, mtype]) {
            0 => Type::Bit,
            1 => Type::Bool,
            2 => Type::Byte,
            3 => Type::Short,
            4 => Type::Int,
            5 => Type::Unsigned(self.rng.u32(1..4)),
            6 => Type::Pid,
            _ => Type::Mtype,
        }
    }

    /// A place that can be read and written, of one of the wanted kind (mtype or number).
    pub(super) fn variable(&mut self, mtype: bool) -> Option<String> {
        self.variable_that(|of| (of == Type::Mtype) == mtype)
    }

    /// A place that can hold whatever the field of a message holds. (pan takes a receive that cuts
    /// a value back wrongly: see tests/promela/differs/truncated-receive.pml.)
    pub(super) fn target(&mut self, field: Type) -> Option<String> {
        self.variable_that(|of| match (of, field) {
            (Type::Mtype, _) | (_, Type::Mtype) => of == field,
            _ => of.holds(field),
        })
    }

    fn variable_that(&mut self, fits: impl Fn(Type) -> bool) -> Option<String> {
        let fitting = |v: &&Variable| fits(v.of);
        let names: Vec<Variable> = self.variables.iter().filter(fitting).cloned().collect();
        let variable = self.pick(&names)?;
        Some(self.element(&variable.name, variable.length))
    }

    /// `name`, or an element of it where it is an array; once in a while the index is wild.
    pub(super) fn element(&mut self, name: &str, length: Option<u32>) -> String {
        let Some(length) = length else { return name.to_string() };
        match self.draw(&[60, 39, 1]) {
            0 => format!("{name}[{}]", self.rng.u32(0..length)),
            1 => format!("{name}[{}]", self.safe_index(length)),
            _ => format!("{name}[{}]", self.wild_index(name)),
        }
    }

    /// Any small number; Spin refuses an array in its own index.
    fn wild_index(&mut self, array: &str) -> String {
        let index = self.number(1);
        if index.contains(array) { "_nr_pr".into() } else { index }
    }

    /// An expression between 0 and `length` - 1, whatever the variables hold.
    pub(super) fn safe_index(&mut self, length: u32) -> String {
        use Type::{Bit, Bool, Byte, Pid, Unsigned};
        let is_natural = |of: Type| matches!(of, Bit | Bool | Byte | Pid | Unsigned(_));
        let scalar = |v: &&Variable| v.length.is_none() && is_natural(v.of);
        let names: Vec<Variable> = self.variables.iter().filter(scalar).cloned().collect();
        match self.pick(&names) {
            Some(variable) if self.chance(20) => {
                let (one, other) = (self.rng.u32(0..length), self.rng.u32(0..length));
                format!("({} == {} -> {one} : {other})", variable.name, self.rng.u32(0..3))
            }
            Some(variable) => format!("{} % {length}", variable.name),
            None => format!("_pid % {length}"),
        }
    }

    /// A channel variable, and what it can mean as well.
    pub(super) fn other_channel(&mut self) -> Option<(String, String)> {
        let (variable, channel) = self.channel(|c| c.varies)?;
        let same = |c: &Channel| c.capacity == channel.capacity && c.fields == channel.fields;
        let (other, _) = self.channel(same)?;
        Some((variable, other))
    }

    /// A channel that `fits`, with the text that names it.
    pub(super) fn channel(&mut self, fits: impl Fn(&Channel) -> bool) -> Option<(String, Channel)> {
        let fitting: Vec<Channel> = self.channels.iter().filter(|c| fits(c)).cloned().collect();
        let channel = self.pick(&fitting)?;
        Some((self.element(&channel.name, channel.length), channel))
    }
}
