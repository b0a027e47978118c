//! Types of numbers, and how C brings them together.

use super::eval::Type;
use auspex_llvm::debug::Encoding;

/// Is a number of this encoding signed?
pub fn is_signed(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Signed | Encoding::SignedCharacter)
}

/// An integer of so many bytes.
pub fn integer(size: u32, signed: bool) -> Option<Type> {
    matches!(size, 1 | 2 | 4 | 8).then_some(Type::Int { bits: size as u8 * 8, signed })
}

/// A number of so many bytes.
pub fn base(encoding: Encoding, size: u32) -> Option<Type> {
    match (encoding, size) {
        (Encoding::Float, 4) => Some(Type::Float { single: true }),
        (Encoding::Float, 8) => Some(Type::Float { single: false }),
        (Encoding::Float | Encoding::ComplexFloat | Encoding::Address | Encoding::Other, _) => None,
        (encoding, size) => integer(size, is_signed(encoding)),
    }
}

/// The first type of C that holds a literal.
pub fn literal(value: u64, unsigned: bool, long: bool, decimal: bool) -> Type {
    let candidates = [(32, true), (32, false), (64, true), (64, false)];
    let fits = |(bits, signed): &(u8, bool)| {
        let most = if *signed { (1u64 << (bits - 1)) - 1 } else { crate::value::mask(*bits) };
        // A decimal literal is unsigned only if it says so.
        value <= most
            && (*bits == 64 || !long)
            && !(unsigned && *signed)
            && (unsigned || *signed || !decimal)
    };
    let (bits, signed) = candidates.into_iter().find(fits).unwrap_or((64, false));
    Type::Int { bits, signed }
}

/// What a number is computed as; `None` for pointers.
pub fn promoted(ty: Type) -> Option<Type> {
    match ty {
        // All values of a smaller type are values of `int`.
        Type::Int { bits, signed } if bits < 32 || signed && bits == 32 => Some(Type::INT),
        // A bit-field of 33 to 63 bits.
        Type::Int { bits, signed } if bits > 32 => Some(Type::Int { bits: 64, signed }),
        Type::Pointer => None,
        other => Some(other),
    }
}

/// The usual arithmetic conversions.
pub fn common(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Float { single: x }, Type::Float { single: y }) => Type::Float { single: x && y },
        (float @ Type::Float { .. }, _) | (_, float @ Type::Float { .. }) => float,
        (Type::Int { bits: x, signed: s }, Type::Int { bits: y, signed: t }) => match x.cmp(&y) {
            std::cmp::Ordering::Equal => Type::Int { bits: x, signed: s && t },
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
        },
        _ => Type::Pointer,
    }
}
