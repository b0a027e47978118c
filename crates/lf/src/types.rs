//! Types, and how their values lie in memory: packed, little-endian, without gaps.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// How a value that fits into a register lies in memory, and which values it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scalar {
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Boolean,
    Char,
    Set,
    /// The number of a channel; 0: none.
    Port,
    /// Where a variable is: see `code::Reference`.
    Reference,
}

impl Scalar {
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::Int8 | Scalar::Uint8 | Scalar::Boolean | Scalar::Char => 1,
            Scalar::Int16 | Scalar::Uint16 | Scalar::Port => 2,
            Scalar::Int32 | Scalar::Uint32 | Scalar::Set => 4,
            Scalar::Int64 | Scalar::Reference => 8,
        }
    }

    pub fn is_integer(self) -> bool {
        use Scalar::*;
        matches!(self, Int8 | Int16 | Int32 | Int64 | Uint8 | Uint16 | Uint32)
    }

    /// The smallest and the greatest value.
    pub fn range(self) -> (i64, i64) {
        match self {
            Scalar::Int8 => (i8::MIN.into(), i8::MAX.into()),
            Scalar::Int16 => (i16::MIN.into(), i16::MAX.into()),
            Scalar::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Scalar::Int64 | Scalar::Reference => (i64::MIN, i64::MAX),
            Scalar::Uint8 | Scalar::Char => (0, u8::MAX.into()),
            Scalar::Uint16 | Scalar::Port => (0, u16::MAX.into()),
            Scalar::Uint32 | Scalar::Set => (0, u32::MAX.into()),
            Scalar::Boolean => (0, 1),
        }
    }

    #[inline]
    pub fn holds(self, value: i64) -> bool {
        let (low, high) = self.range();
        (low..=high).contains(&value)
    }

    /// The value whose bits are the lowest ones of another one: what a cast gives.
    #[inline]
    pub fn cut(self, value: i64) -> i64 {
        match self {
            Scalar::Int8 => value as i8 as i64,
            Scalar::Int16 => value as i16 as i64,
            Scalar::Int32 => value as i32 as i64,
            Scalar::Int64 | Scalar::Reference => value,
            Scalar::Uint8 | Scalar::Char => value as u8 as i64,
            Scalar::Uint16 | Scalar::Port => value as u16 as i64,
            Scalar::Uint32 | Scalar::Set => value as u32 as i64,
            Scalar::Boolean => value & 1,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Scalar::Int8 => "INT8",
            Scalar::Int16 => "INT16",
            Scalar::Int32 => "INTEGER",
            Scalar::Int64 => "INT64",
            Scalar::Uint8 => "UINT8",
            Scalar::Uint16 => "UINT16",
            Scalar::Uint32 => "UINT32",
            Scalar::Boolean => "BOOLEAN",
            Scalar::Char => "CHAR",
            Scalar::Set => "SET",
            Scalar::Port => "channel",
            Scalar::Reference => "reference",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    /// What follows from an error; it goes with everything, so that one mistake gives one message.
    Invalid,
    Scalar(Scalar),
    /// Of a constant in quotes.
    Text(u32),
    Array {
        length: u32,
        element: TypeId,
    },
    OpenArray {
        element: TypeId,
    },
    Record {
        fields: Vec<Field>,
    },
    Channel {
        messages: Vec<MessageType>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    pub ty: TypeId,
    pub offset: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageType {
    pub name: String,
    pub fields: Vec<TypeId>,
}

/// All types of a program, each declaration its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Types {
    all: Vec<Type>,
    /// What a type was called where it was declared.
    names: Vec<Option<String>>,
}

/// Those with a number of their own.
const SCALARS: [Scalar; 10] = [
    Scalar::Int8,
    Scalar::Int16,
    Scalar::Int32,
    Scalar::Int64,
    Scalar::Uint8,
    Scalar::Uint16,
    Scalar::Uint32,
    Scalar::Boolean,
    Scalar::Char,
    Scalar::Set,
];

impl Default for Types {
    fn default() -> Self {
        let mut types = Types { all: Vec::new(), names: Vec::new() };
        types.add(Type::Invalid);
        SCALARS.iter().for_each(|scalar| {
            types.add(Type::Scalar(*scalar));
        });
        types
    }
}

impl Types {
    pub const INVALID: TypeId = TypeId(0);
    pub const INTEGER: TypeId = TypeId(3);
    pub const INT64: TypeId = TypeId(4);
    pub const BOOLEAN: TypeId = TypeId(8);
    pub const CHAR: TypeId = TypeId(9);
    pub const SET: TypeId = TypeId(10);

    pub fn scalar(scalar: Scalar) -> TypeId {
        let position = SCALARS.iter().position(|other| *other == scalar);
        TypeId(position.map_or(0, |position| position as u32 + 1))
    }

    pub fn add(&mut self, ty: Type) -> TypeId {
        self.all.push(ty);
        self.names.push(None);
        TypeId(self.all.len() as u32 - 1)
    }

    /// Names a type that has no name yet.
    pub fn name(&mut self, id: TypeId, name: &str) {
        if let Some(slot @ None) = self.names.get_mut(id.0 as usize)
            && !matches!(self.all[id.0 as usize], Type::Scalar(_) | Type::Invalid)
        {
            *slot = Some(name.to_owned());
        }
    }

    pub fn get(&self, id: TypeId) -> &Type {
        self.all.get(id.0 as usize).unwrap_or(&Type::Invalid)
    }

    /// How a value of the type is kept where it fits into a register.
    pub fn as_scalar(&self, id: TypeId) -> Option<Scalar> {
        match self.get(id) {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Channel { .. } => Some(Scalar::Port),
            Type::Text(1) => Some(Scalar::Char),
            _ => None,
        }
    }

    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Scalar(scalar) if scalar.is_integer())
    }

    pub fn is_invalid(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Invalid)
    }

    /// Bytes of a variable; `None` where that is beyond all bounds.
    pub fn size(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Invalid => Some(0),
            Type::Scalar(scalar) => Some(scalar.bytes()),
            Type::Text(length) => Some(*length),
            Type::Array { length, element } => self.size(*element)?.checked_mul(*length),
            // Where it is, and its length.
            Type::OpenArray { .. } => Some(12),
            Type::Record { fields } => match fields.last() {
                Some(last) => last.offset.checked_add(self.size(last.ty)?),
                None => Some(0),
            },
            Type::Channel { .. } => Some(Scalar::Port.bytes()),
        }
    }

    /// The same type: by declaration, channels by what they carry.
    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Type::Invalid, _) | (_, Type::Invalid) => true,
            (Type::Channel { messages: a }, Type::Channel { messages: b }) => {
                let same_message = |(a, b): (&MessageType, &MessageType)| {
                    a.name == b.name
                        && a.fields.len() == b.fields.len()
                        && a.fields.iter().zip(&b.fields).all(|(a, b)| self.same(*a, *b))
                };
                a.len() == b.len() && a.iter().zip(b).all(same_message)
            }
            _ => false,
        }
    }

    /// Where ports lie in a variable of the type that begins at `offset`.
    pub fn ports(&self, id: TypeId, offset: u32, out: &mut Vec<u32>) {
        match self.get(id) {
            Type::Channel { .. } => out.push(offset),
            Type::Array { length, element } => {
                let before = out.len();
                self.ports(*element, offset, out);
                if out.len() > before {
                    let size = self.size(*element).unwrap_or(0);
                    (1..*length).for_each(|i| self.ports(*element, offset + i * size, out));
                }
            }
            Type::Record { fields } => {
                fields.iter().for_each(|field| self.ports(field.ty, offset + field.offset, out));
            }
            _ => {}
        }
    }

    /// For people.
    pub fn show(&self, id: TypeId) -> String {
        if let Some(Some(name)) = self.names.get(id.0 as usize) {
            return name.clone();
        }
        match self.get(id) {
            Type::Invalid => "?".to_owned(),
            Type::Scalar(scalar) => scalar.name().to_owned(),
            Type::Text(_) => "string".to_owned(),
            Type::Array { length, element } => format!("ARRAY {length} OF {}", self.show(*element)),
            Type::OpenArray { element } => format!("ARRAY OF {}", self.show(*element)),
            Type::Record { .. } => "RECORD".to_owned(),
            Type::Channel { messages } => {
                let names: Vec<&str> = messages.iter().map(|m| m.name.as_str()).collect();
                format!("[{}]", names.join(", "))
            }
        }
    }

    /// A value as it is written in a program.
    pub fn show_value(&self, id: TypeId, bytes: &[u8]) -> String {
        match self.get(id) {
            Type::Scalar(_) | Type::Channel { .. } => {
                let scalar = self.as_scalar(id).unwrap_or(Scalar::Int32);
                show_scalar(scalar, load(scalar, bytes))
            }
            Type::Array { element, .. } if *element == Self::CHAR => {
                let text = bytes.split(|byte| *byte == 0).next().unwrap_or(&[]);
                let text: String = text.iter().map(|byte| char::from(*byte)).collect();
                format!("{text:?}")
            }
            Type::Array { length, element } => {
                let size = self.size(*element).unwrap_or(0) as usize;
                let shown = (0..(*length).min(64) as usize)
                    .map(|i| self.show_value(*element, bytes.get(i * size..).unwrap_or_default()));
                let mut text = shown.collect::<Vec<_>>().join(", ");
                if *length > 64 {
                    text.push_str(", ...");
                }
                format!("[{text}]")
            }
            Type::Record { fields } => {
                let mut text = String::from("(");
                for (index, field) in fields.iter().enumerate() {
                    let bytes = bytes.get(field.offset as usize..).unwrap_or_default();
                    let comma = if index == 0 { "" } else { ", " };
                    let _ =
                        write!(text, "{comma}{} {}", field.name, self.show_value(field.ty, bytes));
                }
                text + ")"
            }
            _ => "?".to_owned(),
        }
    }
}

/// The value at the beginning of some bytes; 0 where there are too few.
#[inline]
pub fn load(scalar: Scalar, bytes: &[u8]) -> i64 {
    fn take<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.first_chunk().copied().unwrap_or([0; N])
    }
    match scalar {
        Scalar::Int8 => i8::from_le_bytes(take(bytes)).into(),
        Scalar::Uint8 | Scalar::Boolean | Scalar::Char => u8::from_le_bytes(take(bytes)).into(),
        Scalar::Int16 => i16::from_le_bytes(take(bytes)).into(),
        Scalar::Uint16 | Scalar::Port => u16::from_le_bytes(take(bytes)).into(),
        Scalar::Int32 => i32::from_le_bytes(take(bytes)).into(),
        Scalar::Uint32 | Scalar::Set => u32::from_le_bytes(take(bytes)).into(),
        Scalar::Int64 | Scalar::Reference => i64::from_le_bytes(take(bytes)),
    }
}

pub fn show_scalar(scalar: Scalar, value: i64) -> String {
    match scalar {
        Scalar::Boolean if value == 0 => "FALSE".to_owned(),
        Scalar::Boolean => "TRUE".to_owned(),
        Scalar::Char => match u8::try_from(value) {
            Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => {
                format!("'{}'", char::from(byte))
            }
            _ => format!("{value:02X}X"),
        },
        Scalar::Set => {
            let elements = (0..32).filter(|bit| value >> bit & 1 == 1).map(|bit| bit.to_string());
            format!("{{{}}}", elements.collect::<Vec<_>>().join(", "))
        }
        Scalar::Port if value == 0 => "no channel".to_owned(),
        Scalar::Port => format!("channel {value}"),
        _ => value.to_string(),
    }
}
