//! Constants in the text.

use super::tokens::normal;
use super::{Parse, Reader};
use crate::ir::{BlockId, ConstantId, ConstantValue, FloatKind, GlobalId, InlineAsm, Type, TypeId};
use crate::lexer::{Token, unescape};
use auspex_system::Diagnostic;

const MAXIMUM_CONSTANT_BITS: u32 = 4096;

impl<'t> Reader<'t> {
    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Parse<ConstantId> {
        let ty = self.ty()?;
        self.constant(ty)
    }

    pub(super) fn intern(&mut self, ty: TypeId, value: ConstantValue) -> ConstantId {
        self.module.constants.intern(ty, value)
    }

    /// A constant of a type that is known.
    pub(super) fn constant(&mut self, ty: TypeId) -> Parse<ConstantId> {
        let value = match self.token {
            Token::Integer(text) => self.integer(ty, text)?,
            Token::Global(id) => {
                let span = self.span();
                self.require_pointer(ty)?;
                let global = self.mention_global(normal(id), span)?;
                ConstantValue::Global(global)
            }
            Token::Decimal(text) => self.decimal(ty, text)?,
            Token::HexFloat(text) => self.hex_float(ty, text)?,
            Token::HexInteger(text) => self.hex_integer(ty, text)?,
            Token::Bytes(text) => {
                let bytes = unescape(text);
                let fits = matches!(self.module.types[ty], Type::Array { element, count }
                    if element == TypeId::I8 && count == bytes.len() as u64);
                if !fits {
                    let message = format!("this text needs the type [{} x i8]", bytes.len());
                    return Err(self.error(message).into());
                }
                ConstantValue::Bytes(bytes.into())
            }
            Token::Word(word) => return self.word_constant(ty, word),
            Token::Symbol(b'{') => return self.nested(|reader| reader.aggregate(ty, b'{', b'}')),
            Token::Symbol(b'[') => return self.nested(|reader| reader.aggregate(ty, b'[', b']')),
            Token::Symbol(b'<') => return self.nested(|reader| reader.angle_constant(ty)),
            Token::Local(_) => {
                return Err(self.error("only an instruction can use a local value").into());
            }
            _ => return Err(self.expected("a value").into()),
        };
        self.advance()?;
        Ok(self.intern(ty, value))
    }

    pub(super) fn require_pointer(&self, ty: TypeId) -> Parse<()> {
        match self.module.types.is_pointer(ty) {
            true => Ok(()),
            false => Err(self.error("this is a pointer, but its type is another").into()),
        }
    }

    fn word_constant(&mut self, ty: TypeId, word: &'t str) -> Parse<ConstantId> {
        let value = match word {
            "true" | "false" => {
                if ty != TypeId::I1 {
                    return Err(self.error(format!("`{word}` has the type i1")).into());
                }
                ConstantValue::Integer((word == "true") as u128)
            }
            "null" => {
                self.require_pointer(ty)?;
                ConstantValue::Null
            }
            "undef" | "poison" | "zeroinitializer" => {
                let types = &self.module.types;
                if !types.is_first_class(ty) || ty == TypeId::TOKEN {
                    return Err(self.error(format!("`{word}` cannot have this type")).into());
                }
                match word {
                    "undef" => ConstantValue::Undef,
                    "poison" => ConstantValue::Poison,
                    _ => zero(&types[ty]),
                }
            }
            "none" if ty == TypeId::TOKEN => ConstantValue::None,
            "splat" => return self.nested(|reader| reader.splat(ty)),
            "asm" => return self.inline_asm(ty),
            "blockaddress" => return self.block_address(ty),
            "dso_local_equivalent" => {
                let global = self.global_after_word(ty)?;
                return Ok(self.intern(ty, ConstantValue::DsoLocalEquivalent(global)));
            }
            "no_cfi" => {
                let global = self.global_after_word(ty)?;
                return Ok(self.intern(ty, ConstantValue::NoCfi(global)));
            }
            // A signed pointer: what is signed, without the signature.
            "ptrauth" => {
                self.advance()?;
                self.expect(b'(')?;
                let pointer = self.nested(Self::typed_constant)?;
                while self.accept(b',')? {
                    self.nested(Self::typed_constant)?;
                }
                self.expect(b')')?;
                return Ok(pointer);
            }
            _ => return self.nested(|reader| reader.expression(ty, word)),
        };
        self.advance()?;
        Ok(self.intern(ty, value))
    }

    fn global_after_word(&mut self, ty: TypeId) -> Parse<GlobalId> {
        self.require_pointer(ty)?;
        self.advance()?;
        self.global_reference()
    }

    fn global_reference(&mut self) -> Parse<GlobalId> {
        let Token::Global(id) = self.token else {
            return Err(self.expected("a global, `@name`").into());
        };
        let span = self.span();
        self.advance()?;
        self.mention_global(normal(id), span)
    }

    fn integer(&mut self, ty: TypeId, text: &str) -> Parse<ConstantValue> {
        let bits = match self.module.types[ty] {
            Type::Integer(bits) => bits,
            Type::Float(_) => return self.decimal(ty, text),
            _ => return Err(self.error("this number's type is not an integer's").into()),
        };
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if bits <= 128 {
            let Ok(magnitude) = digits.parse::<u128>() else {
                return Err(self.error(format!("this number does not fit into i{bits}")).into());
            };
            let mask = u128::MAX >> (128 - bits);
            let value = if negative { magnitude.wrapping_neg() } else { magnitude };
            // -128 is i8, and so is 255; -129 and 256 are not.
            let fits = match negative {
                true => magnitude <= 1 << (bits - 1),
                false => magnitude <= mask,
            };
            if !fits {
                return Err(self.error(format!("this number does not fit into i{bits}")).into());
            }
            return Ok(ConstantValue::Integer(value & mask));
        }
        self.check_width(bits)?;
        if digits.len() > 1300 {
            return Err(self.error("this number has too many digits").into());
        }
        let mut words = vec![0u64; (bits as usize).div_ceil(64).min(digits.len() / 19 + 1)];
        for digit in digits.bytes() {
            let mut carry = (digit - b'0') as u128;
            for word in &mut words {
                let sum = *word as u128 * 10 + carry;
                *word = sum as u64;
                carry = sum >> 64;
            }
        }
        words.resize((bits as usize).div_ceil(64), 0);
        if negative {
            let mut carry = true;
            for word in &mut words {
                (*word, carry) = (!*word).overflowing_add(carry as u64);
            }
        }
        mask_top(&mut words, bits);
        Ok(ConstantValue::WideInteger(words.into()))
    }

    /// `u0xFF`, `s0xFF`: the second is sign-extended from its own length.
    fn hex_integer(&mut self, ty: TypeId, text: &str) -> Parse<ConstantValue> {
        let Type::Integer(bits) = self.module.types[ty] else {
            return Err(self.error("this number's type is not an integer's").into());
        };
        let digits = &text[3..];
        self.check_width(bits)?;
        if digits.len() > 1024 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(self.error("this is not a hexadecimal number").into());
        }
        let mut words = vec![0u64; (bits as usize).div_ceil(64).max(digits.len().div_ceil(16))];
        for (position, digit) in digits.bytes().rev().enumerate() {
            let digit = (digit as char).to_digit(16).unwrap_or(0) as u64;
            words[position / 16] |= digit << (position % 16 * 4);
        }
        let width = digits.len() * 4;
        let top = (width - 1) / 64;
        if text.starts_with('s') && words[top] >> ((width - 1) % 64) & 1 == 1 {
            if !width.is_multiple_of(64) {
                words[top] |= u64::MAX << (width % 64);
            }
            words[top + 1..].fill(u64::MAX);
        }
        words.truncate((bits as usize).div_ceil(64));
        mask_top(&mut words, bits);
        if bits <= 128 {
            let high = words.get(1).copied().unwrap_or(0);
            return Ok(ConstantValue::Integer((high as u128) << 64 | words[0] as u128));
        }
        Ok(ConstantValue::WideInteger(words.into()))
    }

    /// A few characters of text must not become a megabyte.
    fn check_width(&self, bits: u32) -> Parse<()> {
        match bits > MAXIMUM_CONSTANT_BITS {
            true => Err(self
                .error(format!(
                    "integer constants of at most {MAXIMUM_CONSTANT_BITS} bits are read"
                ))
                .into()),
            false => Ok(()),
        }
    }

    fn float_kind(&self, ty: TypeId) -> Parse<FloatKind> {
        match self.module.types.float_kind(ty) {
            Some(kind) => Ok(kind),
            None => Err(self.error("this number's type is not a floating-point one").into()),
        }
    }

    fn decimal(&mut self, ty: TypeId, text: &str) -> Parse<ConstantValue> {
        let kind = self.float_kind(ty)?;
        let Ok(value) = text.parse::<f64>() else {
            return Err(self.error("this is not a number").into());
        };
        // LLVM writes a number in decimal only where that is exact.
        self.double_as(kind, value.to_bits())
    }

    /// A double's bits as those of another kind, exactly.
    fn double_as(&self, kind: FloatKind, double: u64) -> Parse<ConstantValue> {
        let value = f64::from_bits(double);
        let bits = match kind {
            FloatKind::Double => Some(double as u128),
            FloatKind::Float => Some(crate::float::float_bits(value) as u128),
            FloatKind::Half => crate::float::narrow(double, 5, 10),
            FloatKind::BFloat => crate::float::narrow(double, 8, 7),
            FloatKind::Extended => Some(crate::float::extended_bits(value)),
            FloatKind::Quad => Some(crate::float::quad_bits(value)),
            FloatKind::DoubleDouble => Some(double as u128),
        };
        match bits {
            Some(bits) => Ok(ConstantValue::Float(bits)),
            None => Err(self.error("this number has no exact form in its type").into()),
        }
    }

    /// `0x` with a letter that says which kind, or without: a double's bits.
    fn hex_float(&mut self, ty: TypeId, text: &str) -> Parse<ConstantValue> {
        let kind = self.float_kind(ty)?;
        let rest = &text[2..];
        let (letter, digits) = match rest.as_bytes().first() {
            Some(letter @ (b'K' | b'H' | b'R' | b'L' | b'M')) => (*letter, &rest[1..]),
            _ => (0, rest),
        };
        let bits = match digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            true => u128::from_str_radix(digits, 16).ok(),
            false => None,
        };
        let Some(bits) = bits else {
            return Err(self.error("this is not a hexadecimal floating-point number").into());
        };
        let (wanted, width) = match letter {
            b'K' => (Some(FloatKind::Extended), 80),
            b'H' => (Some(FloatKind::Half), 16),
            b'R' => (Some(FloatKind::BFloat), 16),
            b'L' => (Some(FloatKind::Quad), 128),
            b'M' => (Some(FloatKind::DoubleDouble), 128),
            _ => (None, 64),
        };
        if width < 128 && bits >> width != 0 {
            return Err(self.error(format!("this number has more than {width} bits")).into());
        }
        match wanted {
            None => self.double_as(kind, bits as u64),
            Some(wanted) if wanted != kind => {
                Err(self.error("this number is of another floating-point type").into())
            }
            // The text has the low word of these two first.
            Some(FloatKind::Quad | FloatKind::DoubleDouble) => {
                Ok(ConstantValue::Float(bits.rotate_left(64)))
            }
            Some(_) => Ok(ConstantValue::Float(bits)),
        }
    }

    /// The elements between `open` and `close`, each with its type.
    fn elements(&mut self, open: u8, close: u8) -> Parse<Vec<ConstantId>> {
        self.expect(open)?;
        let mut elements = Vec::new();
        if !self.is(close) {
            loop {
                elements.push(self.typed_constant()?);
                if !self.accept(b',')? {
                    break;
                }
            }
        }
        self.expect(close)?;
        Ok(elements)
    }

    fn angle_constant(&mut self, ty: TypeId) -> Parse<ConstantId> {
        if self.module.types.is_vector(ty) {
            return self.aggregate(ty, b'<', b'>');
        }
        self.expect(b'<')?;
        let constant = self.aggregate(ty, b'{', b'}')?;
        self.expect(b'>')?;
        Ok(constant)
    }

    fn aggregate(&mut self, ty: TypeId, open: u8, close: u8) -> Parse<ConstantId> {
        let start = self.start;
        let brackets = match self.module.types[ty] {
            Type::Array { .. } => b'[',
            Type::Vector { .. } => b'<',
            Type::Struct { .. } | Type::Named(_) => b'{',
            _ => 0,
        };
        if brackets != open {
            return Err(self.error("this value does not have the form of its type").into());
        }
        let elements = self.elements(open, close)?;
        let types = &self.module.types;
        let counts = types.part_count(ty) == Some(elements.len() as u64);
        let fits = counts
            && elements.iter().enumerate().all(|(index, element)| {
                types.part(ty, index as u64) == Some(self.module.constants[*element].ty)
            });
        if !fits {
            let message = "the parts of this value are not those of its type";
            return Err(Diagnostic::error(self.span_from(start), message).into());
        }
        Ok(self.intern(ty, ConstantValue::Aggregate(elements.into())))
    }

    fn splat(&mut self, ty: TypeId) -> Parse<ConstantId> {
        let span = self.span();
        self.advance()?;
        self.expect(b'(')?;
        let element = self.typed_constant()?;
        self.expect(b')')?;
        match self.module.types[ty] {
            Type::Vector { element: wanted, .. } if wanted == self.module.constants[element].ty => {
                Ok(self.intern(ty, ConstantValue::Splat(element)))
            }
            _ => Err(Diagnostic::error(span, "this needs a vector of the element's type").into()),
        }
    }

    fn inline_asm(&mut self, ty: TypeId) -> Parse<ConstantId> {
        self.advance()?;
        let mut asm = InlineAsm {
            template: self.module.names.intern(""),
            constraints: self.module.names.intern(""),
            side_effect: self.accept_word("sideeffect")?,
            align_stack: self.accept_word("alignstack")?,
            intel_dialect: self.accept_word("inteldialect")?,
            may_unwind: self.accept_word("unwind")?,
        };
        let template = self.string("assembler text")?;
        asm.template = self.module.names.intern(&template);
        self.expect(b',')?;
        let constraints = self.string("constraints")?;
        asm.constraints = self.module.names.intern(&constraints);
        Ok(self.intern(ty, ConstantValue::InlineAsm(Box::new(asm))))
    }

    fn block_address(&mut self, ty: TypeId) -> Parse<ConstantId> {
        self.require_pointer(ty)?;
        self.advance()?;
        self.expect(b'(')?;
        let function = self.global_reference()?;
        self.expect(b',')?;
        let Token::Local(label) = self.token else {
            return Err(self.expected("a block, `%name`").into());
        };
        let (span, label) = (self.span(), normal(label));
        self.advance()?;
        self.expect(b')')?;
        let addresses = &mut self.block_addresses;
        let index = *addresses.index.entry((function, label)).or_insert_with(|| {
            addresses.wanted.push((function, label, span));
            addresses.wanted.len() as u32 - 1
        });
        Ok(self.intern(ty, ConstantValue::BlockAddress { function, block: BlockId(index) }))
    }
}

/// The simplest form of the zero of a type, so that equal constants are equal.
fn zero(ty: &Type) -> ConstantValue {
    match ty {
        Type::Integer(bits) if *bits <= 128 => ConstantValue::Integer(0),
        Type::Float(_) => ConstantValue::Float(0),
        Type::Pointer { .. } => ConstantValue::Null,
        _ => ConstantValue::Zero,
    }
}

/// Clears the bits above the width.
fn mask_top(words: &mut [u64], bits: u32) {
    if !bits.is_multiple_of(64)
        && let Some(last) = words.last_mut()
    {
        *last &= u64::MAX >> (64 - bits % 64);
    }
}
