//! What a register holds: bits, which of them are undefined, and where a pointer points to.

/// An object of the memory: 0 is none, functions have [`FUNCTION`] set.
pub type ObjectId = u32;
/// Marks the address of a function: the rest is its index.
pub const FUNCTION: u32 = 1 << 31;

/// A scalar. A number has no object. A pointer has one, and its bits are the offset in it; it stays
/// one when it is cast to an integer, so that `(T *)((uintptr_t)p + 8)` works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    pub bits: u64,
    /// One for each bit that was never given a value.
    pub undef: u64,
    pub object: ObjectId,
    /// 0, or one more than which byte of a pointer this is: pointers may be copied byte by byte.
    pub piece: u8,
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// 1 to 64 bits.
    Int(u8),
    /// 65 to 128 bits, in two registers, the lower half first.
    Wide(u8),
    Single,
    Double,
    /// `x86_fp80`, in two registers: the significand, then the sign and the exponent.
    Extended,
    Pointer,
}

impl Scalar {
    /// How many registers it takes.
    pub fn lanes(self) -> u32 {
        1 + u32::from(matches!(self, Scalar::Wide(_) | Scalar::Extended))
    }

    /// The bits of the two registers that it takes, if it is not one.
    pub fn pair(self) -> Option<[u8; 2]> {
        match self {
            Scalar::Wide(bits) => Some([64, bits - 64]),
            Scalar::Extended => Some(crate::extended::LANES),
            _ => None,
        }
    }

    /// The bits of the value in its (first) register.
    pub fn bits(self, pointer: u8) -> u8 {
        match self {
            Scalar::Int(bits) => bits,
            Scalar::Wide(_) | Scalar::Double | Scalar::Extended => 64,
            Scalar::Single => 32,
            Scalar::Pointer => pointer * 8,
        }
    }

    /// The bytes in memory.
    pub fn bytes(self, pointer: u8) -> u32 {
        match self {
            Scalar::Int(bits) | Scalar::Wide(bits) => u32::from(bits).div_ceil(8),
            Scalar::Single => 4,
            Scalar::Double => 8,
            Scalar::Extended => 10,
            Scalar::Pointer => u32::from(pointer),
        }
    }
}

/// The lowest `bits` bits.
#[inline]
pub fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

#[inline]
pub fn sign_extend(value: u64, bits: u8) -> i64 {
    let unused = 64 - u32::from(bits.clamp(1, 64));
    ((value << unused) as i64) >> unused
}

impl Value {
    pub const NULL: Value = Value::number(0);

    #[inline]
    pub const fn number(bits: u64) -> Value {
        Value { bits, undef: 0, object: 0, piece: 0 }
    }

    #[inline]
    pub const fn pointer(object: ObjectId, offset: u64) -> Value {
        Value { bits: offset, undef: 0, object, piece: 0 }
    }

    pub const fn undefined(bits: u8) -> Value {
        let undef = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        Value { bits: 0, undef, object: 0, piece: 0 }
    }

    #[inline]
    pub fn is_defined(self) -> bool {
        self.undef == 0
    }

    #[inline]
    pub fn is_number(self) -> bool {
        self.object == 0
    }

    pub fn is_null(self) -> bool {
        self.object == 0 && self.bits == 0
    }

    pub fn function(self) -> Option<u32> {
        (self.object & FUNCTION != 0).then_some(self.object & !FUNCTION)
    }

    /// Canonical: undefined bits are 0 in `bits`.
    #[inline]
    pub fn with_undef(bits: u64, undef: u64) -> Value {
        Value { bits: bits & !undef, undef, object: 0, piece: 0 }
    }
}
