//! Taking a format apart.

use super::text::Layout;
use crate::value::Scalar;

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    None,
    Given(usize),
    /// `*`: an argument says it.
    Argument,
    /// `*2$`: the argument of this number.
    Numbered(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    /// `L`: a `long double`.
    LongDouble,
    /// `intmax_t`.
    Max,
    /// `size_t`, `ptrdiff_t`.
    Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec<'f> {
    /// `1$`: the number of its argument, from 1.
    pub position: Option<usize>,
    /// The flags; width and precision are still to be filled in.
    pub layout: Layout,
    pub width: Amount,
    pub precision: Amount,
    pub length: Length,
    pub conversion: u8,
    /// As it is written, for messages.
    pub source: &'f [u8],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    Text(&'f [u8]),
    Spec(Spec<'f>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The format ends inside of a conversion.
    Unfinished,
    /// A letter that is no conversion, or not with this length.
    Unknown(String),
    /// `%1$d %d`.
    Mixed,
    /// A width or a precision that is out of all proportion.
    Huge,
}

/// More than this is not worth the memory.
pub const WIDEST: usize = 1 << 24;

/// No call has more of them.
const MOST_ARGUMENTS: usize = 4096;

/// The pieces of a format, one by one.
#[derive(Debug)]
pub struct Pieces<'f> {
    rest: &'f [u8],
}

impl<'f> Pieces<'f> {
    pub fn new(format: &'f [u8]) -> Self {
        Pieces { rest: format }
    }
}

impl<'f> Iterator for Pieces<'f> {
    type Item = Result<Piece<'f>, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest.iter().position(|byte| *byte == b'%').unwrap_or(self.rest.len());
        if text > 0 {
            let (text, rest) = self.rest.split_at(text);
            self.rest = rest;
            return Some(Ok(Piece::Text(text)));
        }
        self.rest.first()?;
        let mut reader = Reader { source: self.rest, at: 1 };
        let spec = reader.spec();
        self.rest = &self.rest[reader.at..];
        Some(spec.map(Piece::Spec))
    }
}

struct Reader<'f> {
    source: &'f [u8],
    at: usize,
}

impl<'f> Reader<'f> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn spec(&mut self) -> Result<Spec<'f>, Problem> {
        let position = self.position();
        let mut layout = Layout::default();
        loop {
            match self.peek() {
                Some(b'-') => layout.minus = true,
                Some(b'+') => layout.plus = true,
                Some(b' ') => layout.space = true,
                Some(b'#') => layout.alt = true,
                Some(b'0') => layout.zero = true,
                // Grouping and other digits: nothing of that in the C locale.
                Some(b'\'' | b'I') => {}
                _ => break,
            }
            self.at += 1;
        }
        let width = self.amount()?.unwrap_or(Amount::None);
        let precision = match self.take(b'.') {
            true => self.amount()?.unwrap_or(Amount::Given(0)),
            false => Amount::None,
        };
        let length = self.length();
        let Some(conversion) = self.peek() else { return Err(Problem::Unfinished) };
        self.at += 1;
        let source = &self.source[..self.at];
        let spec = Spec { position, layout, width, precision, length, conversion, source };
        match spec.is_known() {
            true => Ok(spec),
            false => Err(Problem::Unknown(String::from_utf8_lossy(source).into_owned())),
        }
    }

    /// `1$`, if there is one.
    fn position(&mut self) -> Option<usize> {
        let rest = &self.source[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if rest.get(digits) != Some(&b'$') {
            return None;
        }
        let number: usize = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        // There is no argument 0: `$` is no conversion then.
        let position = Some(number).filter(|number| (1..=MOST_ARGUMENTS).contains(number))?;
        self.at += digits + 1;
        Some(position)
    }

    fn amount(&mut self) -> Result<Option<Amount>, Problem> {
        if self.take(b'*') {
            return Ok(Some(self.position().map_or(Amount::Argument, Amount::Numbered)));
        }
        let mut value = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let next = value.unwrap_or(0) * 10 + usize::from(digit - b'0');
            if next > WIDEST {
                return Err(Problem::Huge);
            }
            value = Some(next);
            self.at += 1;
        }
        Ok(value.map(Amount::Given))
    }

    fn length(&mut self) -> Length {
        match self.peek() {
            Some(b'h') => {
                self.at += 1;
                if self.take(b'h') { Length::Char } else { Length::Short }
            }
            Some(b'l') => {
                self.at += 1;
                if self.take(b'l') { Length::LongLong } else { Length::Long }
            }
            Some(b'q') => self.is(Length::LongLong),
            Some(b'L') => self.is(Length::LongDouble),
            Some(b'j') => self.is(Length::Max),
            Some(b'z' | b'Z' | b't') => self.is(Length::Size),
            _ => Length::None,
        }
    }

    fn is(&mut self, length: Length) -> Length {
        self.at += 1;
        length
    }
}

impl Spec<'_> {
    /// The numbers of the arguments for the width, the precision and the value: those that there
    /// are, and only if they are all numbered.
    pub fn positions(&self) -> Result<Vec<usize>, Problem> {
        let mut positions = Vec::new();
        for amount in [self.width, self.precision] {
            match amount {
                Amount::None | Amount::Given(_) => {}
                Amount::Argument => return Err(Problem::Mixed),
                Amount::Numbered(number) => positions.push(number),
            }
        }
        match self.position {
            _ if !self.has_value() => {}
            Some(number) => positions.push(number),
            None => return Err(Problem::Mixed),
        }
        Ok(positions)
    }

    pub fn is_numbered(&self) -> bool {
        self.position.is_some()
            || [self.width, self.precision]
                .iter()
                .any(|amount| matches!(amount, Amount::Numbered(_)))
    }

    /// Whether there is an argument for it, apart from width and precision.
    fn has_value(&self) -> bool {
        !matches!(self.conversion, b'%' | b'm')
    }

    /// The type of its argument.
    pub fn wants(&self, pointer: u8) -> Scalar {
        match self.conversion {
            b'c' | b'C' => Scalar::Int(32),
            b's' | b'S' | b'p' | b'n' => Scalar::Pointer,
            _ if self.is_float() && self.is_long() => Scalar::Extended,
            _ if self.is_float() => Scalar::Double,
            _ => Scalar::Int(self.bits(pointer).max(32)),
        }
    }

    /// Of a floating-point number: a `long double`. `ll` is taken for `L`, as glibc does.
    pub fn is_long(&self) -> bool {
        matches!(self.length, Length::LongDouble | Length::LongLong)
    }

    pub fn is_float(&self) -> bool {
        matches!(self.conversion, b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A')
    }

    fn is_known(&self) -> bool {
        matches!(
            self.conversion,
            b'd' | b'i'
                | b'u'
                | b'o'
                | b'x'
                | b'X'
                | b'b'
                | b'B'
                | b'c'
                | b's'
                | b'p'
                | b'n'
                | b'%'
                | b'C'
                | b'S'
                | b'm'
        ) || self.is_float()
    }

    /// How many bits an integer of this length has.
    pub fn bits(&self, pointer: u8) -> u8 {
        match self.length {
            Length::None => 32,
            Length::Char => 8,
            Length::Short => 16,
            Length::Long | Length::Size => 8 * pointer,
            Length::LongLong | Length::LongDouble | Length::Max => 64,
        }
    }
}
