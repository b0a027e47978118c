//! One value as text, the way glibc writes it: plain numbers in, bytes out.

/// How a conversion is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub minus: bool,
    pub plus: bool,
    pub space: bool,
    pub alt: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
}

/// Where text goes. The length is always counted; the text itself is only kept where it is wanted.
#[derive(Debug, Default)]
pub struct Sink {
    pub text: Vec<u8>,
    pub count: u64,
    pub keep: bool,
}

impl Sink {
    pub fn push(&mut self, bytes: &[u8]) {
        self.count += bytes.len() as u64;
        if self.keep {
            self.text.extend_from_slice(bytes);
        }
    }

    pub fn fill(&mut self, byte: u8, count: usize) {
        self.count += count as u64;
        if self.keep {
            self.text.resize(self.text.len() + count, byte);
        }
    }
}

/// The parts of a number. Zeros that a large precision asks for are only counted.
#[derive(Debug, Default)]
pub struct Field<'a> {
    pub sign: &'a str,
    pub prefix: &'a str,
    pub leading_zeros: usize,
    pub digits: &'a str,
    pub trailing_zeros: usize,
    pub suffix: &'a str,
}

impl Field<'_> {
    /// `zero`: the width may be filled with zeros.
    pub fn write(&self, out: &mut Sink, layout: &Layout, zero: bool) {
        let parts = [self.sign, self.prefix, self.digits, self.suffix];
        let len = parts.iter().map(|part| part.len()).sum::<usize>()
            + self.leading_zeros
            + self.trailing_zeros;
        let fill = layout.width.saturating_sub(len);
        let zeros = if zero && layout.zero && !layout.minus { fill } else { 0 };
        if !layout.minus && zeros == 0 {
            out.fill(b' ', fill);
        }
        out.push(self.sign.as_bytes());
        out.push(self.prefix.as_bytes());
        out.fill(b'0', zeros + self.leading_zeros);
        out.push(self.digits.as_bytes());
        out.fill(b'0', self.trailing_zeros);
        out.push(self.suffix.as_bytes());
        if layout.minus {
            out.fill(b' ', fill);
        }
    }
}

pub fn sign(layout: &Layout, negative: bool) -> &'static str {
    match () {
        () if negative => "-",
        () if layout.plus => "+",
        () if layout.space => " ",
        () => "",
    }
}

/// `%d`, `%i`.
pub fn signed(out: &mut Sink, layout: &Layout, value: i64) {
    integer(out, layout, sign(layout, value < 0), value.unsigned_abs(), b'd');
}

/// `%u`, `%o`, `%x`, `%X`, `%b`, `%B`.
pub fn unsigned(out: &mut Sink, layout: &Layout, value: u64, conversion: u8) {
    integer(out, layout, "", value, conversion);
}

/// `%p` of a number that is no address of an object.
pub fn address(out: &mut Sink, layout: &Layout, value: u64) {
    if value == 0 {
        return string(out, &Layout { precision: None, ..*layout }, b"(nil)");
    }
    integer(out, &Layout { alt: true, ..*layout }, sign(layout, false), value, b'x');
}

fn integer(out: &mut Sink, layout: &Layout, sign: &str, value: u64, conversion: u8) {
    let (digits, prefix) = match conversion {
        b'o' => (format!("{value:o}"), ""),
        b'x' => (format!("{value:x}"), "0x"),
        b'X' => (format!("{value:X}"), "0X"),
        b'b' => (format!("{value:b}"), "0b"),
        b'B' => (format!("{value:b}"), "0B"),
        _ => (format!("{value}"), ""),
    };
    let prefix = if layout.alt && value != 0 { prefix } else { "" };
    // No digits at all for zero with a precision of zero.
    let digits = if value == 0 && layout.precision == Some(0) { "" } else { &digits };
    let mut leading_zeros = layout.precision.unwrap_or(1).saturating_sub(digits.len());
    if layout.alt && conversion == b'o' && leading_zeros == 0 && !digits.starts_with('0') {
        leading_zeros = 1;
    }
    let field = Field { sign, prefix, leading_zeros, digits, ..Field::default() };
    field.write(out, layout, layout.precision.is_none());
}

/// `%s` of bytes that were already cut to the precision, and `%c`.
pub fn string(out: &mut Sink, layout: &Layout, bytes: &[u8]) {
    let fill = layout.width.saturating_sub(bytes.len());
    if !layout.minus {
        out.fill(b' ', fill);
    }
    out.push(bytes);
    if layout.minus {
        out.fill(b' ', fill);
    }
}
