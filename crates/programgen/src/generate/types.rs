//! The types of C as far as random programs use them, with the rules of what becomes what.
//!
//! The sizes are those of 64-bit Linux: `long` has 64 bits.

use super::Writer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Integer(Integer),
    Float,
    Double,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    pub(super) name: &'static str,
    /// What a value can use: 1 for `_Bool`.
    pub(super) bits: u32,
    pub(super) signed: bool,
    /// The place in the order of conversion: two types of the same size are told apart by it.
    rank: u32,
}

const fn integer(name: &'static str, bits: u32, signed: bool, rank: u32) -> Integer {
    Integer { name, bits, signed, rank }
}

pub(super) const INT: Integer = integer("int", 32, true, 3);
pub(super) const UNSIGNED: Integer = integer("unsigned", 32, false, 3);
pub(super) const LONG: Integer = integer("long", 64, true, 4);
pub(super) const ULONG: Integer = integer("unsigned long", 64, false, 4);
pub(super) const UCHAR: Integer = integer("unsigned char", 8, false, 1);
pub(super) const WIDE: Integer = integer("__int128", 128, true, 6);
pub(super) const UWIDE: Integer = integer("unsigned __int128", 128, false, 6);

pub(super) const INTEGERS: [Integer; 14] = [
    integer("_Bool", 1, false, 0),
    integer("char", 8, true, 1),
    integer("signed char", 8, true, 1),
    UCHAR,
    integer("short", 16, true, 2),
    integer("unsigned short", 16, false, 2),
    INT,
    UNSIGNED,
    LONG,
    ULONG,
    integer("long long", 64, true, 5),
    integer("unsigned long long", 64, false, 5),
    WIDE,
    UWIDE,
];

impl Integer {
    /// The unsigned type of the same size.
    pub(super) fn unsigned(self) -> Integer {
        let fits = |other: &&Integer| other.rank == self.rank && !other.signed;
        INTEGERS.iter().find(fits).copied().unwrap_or(self)
    }

    /// What arithmetic is done in.
    pub(super) fn promoted(self) -> Integer {
        if self.rank < INT.rank { INT } else { self }
    }

    /// What arithmetic on two operands is done in (C11 6.3.1.8).
    pub(super) fn common(self, other: Integer) -> Integer {
        let (a, b) = (self.promoted(), other.promoted());
        let (low, high) = if a.rank < b.rank { (a, b) } else { (b, a) };
        let holds_both = low.signed == high.signed || !high.signed || low.bits < high.bits;
        match low.rank == high.rank {
            _ if holds_both => high,
            true => low,
            false => high.unsigned(),
        }
    }
}

impl Type {
    pub(super) fn name(self) -> &'static str {
        match self {
            Type::Integer(of) => of.name,
            Type::Float => "float",
            Type::Double => "double",
        }
    }
}

/// An expression and the type it has in C.
#[derive(Clone, Debug)]
pub(super) struct Expression<T> {
    pub(super) text: String,
    pub(super) of: T,
}

pub(super) fn expression<T>(text: impl Into<String>, of: T) -> Expression<T> {
    Expression { text: text.into(), of }
}

impl Writer {
    pub(super) fn some_integer(&mut self) -> Integer {
        INTEGERS[self.draw(&[3, 5, 5, 7, 7, 7, 14, 12, 10, 10, 4, 4, 5, 5])]
    }

    pub(super) fn some_type(&mut self) -> Type {
        match self.draw(&[80, 9, 11]) {
            0 => Type::Integer(self.some_integer()),
            1 => Type::Float,
            _ => Type::Double,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_meet_in_the_type_that_c_gives_them() {
        let named = |name: &str| INTEGERS.into_iter().find(|of| of.name == name).unwrap();
        let common = |a: &str, b: &str| named(a).common(named(b)).name;
        assert_eq!(common("char", "unsigned short"), "int");
        assert_eq!(common("int", "unsigned"), "unsigned");
        assert_eq!(common("unsigned", "long"), "long");
        assert_eq!(common("unsigned long", "long long"), "unsigned long long");
        assert_eq!(common("long", "long long"), "long long");
        assert_eq!(common("__int128", "unsigned long"), "__int128");
        assert_eq!(common("_Bool", "_Bool"), "int");
    }
}
