//! Evaluating a proposition in a state.

use super::parse::Binary;
use crate::code::Program;
use crate::object::Object;
use crate::value::{FUNCTION, ObjectId, Value, mask};
use crate::work::Work;

/// The type of a value, as far as arithmetic needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int { bits: u8, signed: bool },
    Float { single: bool },
    Pointer,
}

impl Type {
    pub const INT: Type = Type::Int { bits: 32, signed: true };
}

/// An expression whose names and types are resolved: operands have the type that they are
/// computed in.
#[derive(Clone, Debug)]
pub enum Expr {
    Int(i128),
    Float(f64),
    Load {
        place: Box<Place>,
        bytes: u32,
        ty: Type,
        /// Of a bit-field: where it begins, and how many bits there are.
        field: Option<(u32, u32)>,
    },
    Address(Box<Place>),
    Convert(Type, Box<Expr>),
    Not(Box<Expr>),
    Both(Box<Expr>, Box<Expr>),
    Either(Box<Expr>, Box<Expr>),
    Binary(Binary, Type, Box<Expr>, Box<Expr>),
}

/// Somewhere in memory.
#[derive(Clone, Debug)]
pub struct Place {
    pub base: Base,
    pub offset: u64,
    /// Indices, the size of an element, and how many there are, if that is known.
    pub indices: Vec<(Expr, u64, Option<u64>)>,
}

#[derive(Clone, Debug)]
pub enum Base {
    Global(ObjectId),
    Pointer(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i128),
    Float(f64),
    Pointer(Value),
}

impl Number {
    pub fn is_true(self) -> bool {
        match self {
            Number::Int(value) => value != 0,
            Number::Float(value) => value != 0.0,
            Number::Pointer(value) => !value.is_null(),
        }
    }
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The program gives it none: a pointer leads nowhere, bits were never set, 1 / 0.
    Meaning,
    /// The machine does not know it: arithmetic on the bits of a pointer.
    Knowledge,
}

type Result<T> = std::result::Result<T, Lack>;

/// A state to evaluate in.
pub struct State<'a> {
    pub program: &'a Program,
    pub work: &'a Work,
}

impl State<'_> {
    pub fn value(&self, expr: &Expr) -> Result<Number> {
        match expr {
            Expr::Int(value) => Ok(Number::Int(*value)),
            Expr::Float(value) => Ok(Number::Float(*value)),
            Expr::Load { place, bytes, ty, field } => self.load(place, *bytes, *ty, *field),
            Expr::Address(place) => {
                let (object, at) = self.place(place)?;
                Ok(Number::Pointer(Value::pointer(object, at as u64)))
            }
            Expr::Convert(ty, inner) => convert(*ty, self.value(inner)?),
            Expr::Not(inner) => Ok(truth(!self.value(inner)?.is_true())),
            Expr::Both(a, b) => Ok(truth(self.value(a)?.is_true() && self.value(b)?.is_true())),
            Expr::Either(a, b) => Ok(truth(self.value(a)?.is_true() || self.value(b)?.is_true())),
            Expr::Binary(op, ty, a, b) => binary(*op, *ty, self.value(a)?, self.value(b)?),
        }
    }

    fn object(&self, id: ObjectId) -> Option<&Object> {
        if id & FUNCTION != 0 {
            return None;
        }
        let constant = id > self.program.variable_globals && id <= self.program.global_count();
        let object = match constant {
            true => Some(&self.program.globals[id as usize - 1].object),
            false => self.work.object(id),
        };
        object.filter(|object| !object.kind.is_dead())
    }

    /// An object and an offset in it, which may be outside.
    fn place(&self, place: &Place) -> Result<(ObjectId, i128)> {
        let (object, start) = match &place.base {
            Base::Global(id) => (*id, 0),
            Base::Pointer(pointer) => match self.value(pointer)? {
                Number::Pointer(value) if value.piece == 0 && value.object != 0 => {
                    (value.object, i128::from(value.bits as i64))
                }
                _ => return Err(Lack::Meaning),
            },
        };
        let mut at = start + i128::from(place.offset);
        for (index, size, count) in &place.indices {
            let Number::Int(index) = self.value(index)? else { return Err(Lack::Meaning) };
            if count.is_some_and(|count| !(0..i128::from(count)).contains(&index)) {
                return Err(Lack::Meaning);
            }
            at = at.saturating_add(index.saturating_mul(i128::from(*size)));
        }
        Ok((object, at))
    }

    fn load(
        &self,
        place: &Place,
        bytes: u32,
        ty: Type,
        field: Option<(u32, u32)>,
    ) -> Result<Number> {
        let (id, at) = self.place(place)?;
        let object = self.object(id).ok_or(Lack::Meaning)?;
        let inside = (0..=i128::from(object.size()) - i128::from(bytes)).contains(&at);
        let at = u32::try_from(at).ok().filter(|_| inside).ok_or(Lack::Meaning)?;
        let width = u32::from(self.program.pointer);
        let value = object.load(at, bytes, width).ok_or(Lack::Knowledge)?;
        let (shift, bits) = field.unwrap_or((0, bytes * 8));
        let bits = bits as u8;
        if (value.undef >> shift) & mask(bits) != 0 {
            return Err(Lack::Meaning);
        }
        if ty == Type::Pointer {
            return Ok(Number::Pointer(value));
        }
        if value.object != 0 {
            return Err(Lack::Knowledge);
        }
        let raw = (value.bits >> shift) & mask(bits);
        Ok(match ty {
            Type::Float { single: true } => Number::Float(f64::from(f32::from_bits(raw as u32))),
            Type::Float { single: false } => Number::Float(f64::from_bits(raw)),
            Type::Int { signed: true, .. } => {
                Number::Int(i128::from(crate::value::sign_extend(raw, bits)))
            }
            _ => Number::Int(i128::from(raw)),
        })
    }
}

fn truth(value: bool) -> Number {
    Number::Int(value.into())
}

/// A number in an integer type, the higher bits dropped.
fn wrap(value: i128, bits: u8, signed: bool) -> i128 {
    let raw = value as u64 & mask(bits);
    match signed {
        true => i128::from(crate::value::sign_extend(raw, bits)),
        false => i128::from(raw),
    }
}

fn round(value: f64, single: bool) -> f64 {
    if single { f64::from(value as f32) } else { value }
}

fn convert(ty: Type, value: Number) -> Result<Number> {
    Ok(match (ty, value) {
        (Type::Int { bits, signed }, Number::Int(value)) => Number::Int(wrap(value, bits, signed)),
        (Type::Float { single: true }, Number::Int(value)) => {
            Number::Float(f64::from(value as f32))
        }
        (Type::Float { single: false }, Number::Int(value)) => Number::Float(value as f64),
        (Type::Float { single }, Number::Float(value)) => Number::Float(round(value, single)),
        // The only number that is used as a pointer is 0.
        (Type::Pointer, Number::Int(0)) => Number::Pointer(Value::NULL),
        (Type::Pointer, pointer @ Number::Pointer(_)) => pointer,
        _ => return Err(Lack::Knowledge),
    })
}

fn binary(op: Binary, ty: Type, a: Number, b: Number) -> Result<Number> {
    match (ty, a, b) {
        (Type::Int { bits, signed }, Number::Int(a), Number::Int(b)) => {
            integers(op, bits, signed, a, b)
        }
        (Type::Float { single }, Number::Float(a), Number::Float(b)) => floats(op, single, a, b),
        (Type::Pointer, Number::Pointer(a), Number::Pointer(b)) => {
            let same = (a.object, a.bits, a.piece) == (b.object, b.bits, b.piece);
            match op {
                Binary::Equal => Ok(truth(same)),
                Binary::NotEqual => Ok(truth(!same)),
                _ => Err(Lack::Knowledge),
            }
        }
        _ => Err(Lack::Knowledge),
    }
}

/// What an operator that compares says; `None` for the others.
fn comparison<T: PartialOrd>(op: Binary, a: &T, b: &T) -> Option<bool> {
    Some(match op {
        Binary::Equal => a == b,
        Binary::NotEqual => a != b,
        Binary::Less => a < b,
        Binary::LessEqual => a <= b,
        Binary::Greater => a > b,
        Binary::GreaterEqual => a >= b,
        _ => return None,
    })
}

fn integers(op: Binary, bits: u8, signed: bool, a: i128, b: i128) -> Result<Number> {
    if let Some(holds) = comparison(op, &a, &b) {
        return Ok(truth(holds));
    }
    let exact = match op {
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::BitAnd => a & b,
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        // Exact for signed numbers of 64 bits; of others only the lowest bits count.
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide => a.checked_div(b).ok_or(Lack::Meaning)?,
        Binary::Remainder => a.checked_rem(b).ok_or(Lack::Meaning)?,
        Binary::ShiftLeft | Binary::ShiftRight => {
            let by = u8::try_from(b).ok().filter(|by| *by < bits).ok_or(Lack::Meaning)?;
            if op == Binary::ShiftRight { a >> by } else { a << by }
        }
        _ => return Err(Lack::Knowledge),
    };
    let wrapped = wrap(exact, bits, signed);
    // Signed numbers that do not fit have no meaning in C.
    if signed && wrapped != exact {
        return Err(Lack::Meaning);
    }
    Ok(Number::Int(wrapped))
}

fn floats(op: Binary, single: bool, a: f64, b: f64) -> Result<Number> {
    if let Some(holds) = comparison(op, &a, &b) {
        return Ok(truth(holds));
    }
    let value = match op {
        // One operation in double precision, rounded to single, is that in single precision.
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        _ => return Err(Lack::Knowledge),
    };
    Ok(Number::Float(round(value, single)))
}
