//! The types of values and how they lie in a state.

use crate::ir::SetId;

/// A scalar type. Arithmetic is done on `i32`; storing cuts a value to the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Bit,
    Bool,
    /// A bit or a truth value in a byte that is not cut: what Spin makes of them in arrays.
    WideBit,
    WideBool,
    Byte,
    Short,
    Int,
    /// `unsigned : width`, 1 to 32 bits.
    Unsigned(u8),
    Pid,
    /// A symbolic constant of the given set; 0 is none of them.
    Symbol(SetId),
    /// The number of a channel; 0 is none.
    Channel,
}

impl Scalar {
    /// Bytes in a state.
    pub fn size(self) -> usize {
        match self {
            Scalar::Short => 2,
            Scalar::Int => 4,
            Scalar::Unsigned(width) => match width {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            },
            _ => 1,
        }
    }

    /// What is left of `value` after it was stored in a variable of this type.
    pub fn cut(self, value: i32) -> i32 {
        match self {
            Scalar::Bit | Scalar::Bool => value & 1,
            Scalar::WideBit
            | Scalar::WideBool
            | Scalar::Byte
            | Scalar::Pid
            | Scalar::Symbol(_)
            | Scalar::Channel => value & 0xff,
            Scalar::Short => i32::from(value as i16),
            Scalar::Int => value,
            Scalar::Unsigned(width) if width >= 32 => value,
            Scalar::Unsigned(width) => value & ((1u32 << width) - 1) as i32,
        }
    }

    /// The type in an array or as the only field of a message: a bit is a whole byte there.
    pub fn widened(self) -> Scalar {
        match self {
            Scalar::Bit => Scalar::WideBit,
            Scalar::Bool => Scalar::WideBool,
            other => other,
        }
    }

    /// The type in a message with other fields: a bit is a bit there.
    pub fn narrowed(self) -> Scalar {
        match self {
            Scalar::WideBit => Scalar::Bit,
            Scalar::WideBool => Scalar::Bool,
            other => other,
        }
    }

    #[inline]
    pub fn load(self, bytes: &[u8], at: usize) -> i32 {
        match self.size() {
            1 => i32::from(bytes[at]),
            2 => {
                let raw = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
                if self == Scalar::Short { i32::from(raw as i16) } else { i32::from(raw) }
            }
            _ => i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]),
        }
    }

    #[inline]
    pub fn store(self, bytes: &mut [u8], at: usize, value: i32) {
        let value = self.cut(value);
        match self.size() {
            1 => bytes[at] = value as u8,
            2 => bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => bytes[at..at + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storing_wraps_around_as_in_c() {
        let mut bytes = [0u8; 4];
        let mut roundtrip = |ty: Scalar, value| {
            ty.store(&mut bytes, 0, value);
            ty.load(&bytes, 0)
        };
        assert_eq!(roundtrip(Scalar::Bit, 2), 0);
        assert_eq!(roundtrip(Scalar::Bool, 3), 1);
        assert_eq!(roundtrip(Scalar::Byte, 256), 0);
        assert_eq!(roundtrip(Scalar::Byte, -1), 255);
        assert_eq!(roundtrip(Scalar::Short, 32768), -32768);
        assert_eq!(roundtrip(Scalar::Int, i32::MIN), i32::MIN);
        assert_eq!(roundtrip(Scalar::Unsigned(5), 33), 1);
        assert_eq!(roundtrip(Scalar::Unsigned(12), 4097), 1);
        assert_eq!(roundtrip(Scalar::Unsigned(31), -1), i32::MAX);
    }
}
