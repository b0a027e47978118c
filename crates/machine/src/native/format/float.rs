//! Floating-point numbers as text.

use super::text::{Field, Layout, Sink, sign};
use crate::extended::{self, Extended};
use rustc_apfloat::Float;

/// A number to be shown.
#[derive(Clone, Copy, Debug)]
pub enum Real {
    Double(f64),
    Extended(Extended),
}

impl Real {
    fn is_negative(self) -> bool {
        match self {
            Real::Double(value) => value.is_sign_negative(),
            Real::Extended(value) => value.is_negative(),
        }
    }

    fn is_nan(self) -> bool {
        match self {
            Real::Double(value) => value.is_nan(),
            Real::Extended(value) => value.is_nan(),
        }
    }

    fn is_finite(self) -> bool {
        match self {
            Real::Double(value) => value.is_finite(),
            Real::Extended(value) => value.is_finite(),
        }
    }

    fn size(self) -> Real {
        match self {
            Real::Double(value) => Real::Double(value.abs()),
            Real::Extended(value) => Real::Extended(value.abs()),
        }
    }

    /// No more digits than this are behind the point: all further ones are zeros.
    fn most_digits(self) -> usize {
        match self {
            Real::Double(_) => 1100,
            Real::Extended(_) => 16500,
        }
    }

    /// With this many digits behind the point.
    fn fixed(self, precision: usize) -> String {
        let value = match self {
            Real::Double(value) => return format!("{value:.precision$}"),
            Real::Extended(value) => value,
        };
        if value.is_zero() {
            return format!("{:.precision$}", 0.0);
        }
        let (digits, point) = extended::digits(value);
        let (digits, point) =
            extended::rounded(&digits, point, i64::from(point) + precision as i64);
        let before = usize::try_from(point).unwrap_or(0);
        let whole: String = digits.chars().chain(std::iter::repeat('0')).take(before).collect();
        let zeros = point.min(0).unsigned_abs() as usize;
        let behind = std::iter::repeat_n('0', zeros)
            .chain(digits.chars().skip(before))
            .chain(std::iter::repeat('0'));
        let behind: String = behind.take(precision).collect();
        let whole = if whole.is_empty() { "0" } else { &whole };
        let dot = if precision == 0 { "" } else { "." };
        format!("{whole}{dot}{behind}")
    }

    /// The digits, with this many behind the first, and the exponent of ten.
    fn decimal(self, precision: usize) -> (String, i32) {
        let value = match self {
            Real::Double(value) => return decimal(value, precision),
            Real::Extended(value) if value.is_zero() => return decimal(0.0, precision),
            Real::Extended(value) => value,
        };
        let (digits, point) = extended::digits(value);
        let (digits, point) = extended::rounded(&digits, point, precision as i64 + 1);
        let mut digits = digits.chars();
        let first = digits.next().unwrap_or('0');
        let rest: String = digits.chain(std::iter::repeat('0')).take(precision).collect();
        let dot = if precision == 0 { "" } else { "." };
        (format!("{first}{dot}{rest}"), point - 1)
    }

    /// The digit before the point and those behind it (as a number and how many), in hexadecimal,
    /// and the exponent of two.
    fn significand(self) -> (u128, usize, i32) {
        match self {
            Real::Double(value) => significand(value),
            Real::Extended(value) if value.is_zero() => (0, 15, 0),
            Real::Extended(value) => {
                // The first digit holds four bits.
                let (_, exponent, significand) = extended::parts(value);
                (significand.into(), 15, exponent - 16383 - 3)
            }
        }
    }
}

#[derive(Debug, Default)]
struct Body {
    prefix: &'static str,
    digits: String,
    trailing_zeros: usize,
    exponent: String,
}

/// `%f`, `%e`, `%g`, `%a` and their upper-case forms.
pub fn float(out: &mut Sink, layout: &Layout, conversion: u8, value: Real) {
    let sign = sign(layout, value.is_negative());
    let upper = conversion.is_ascii_uppercase();
    let size = value.size();
    if !size.is_finite() {
        let digits = match (size.is_nan(), upper) {
            (true, false) => "nan",
            (true, true) => "NAN",
            (false, false) => "inf",
            (false, true) => "INF",
        };
        return Field { sign, digits, ..Field::default() }.write(out, layout, false);
    }
    let precision = layout.precision.unwrap_or(6);
    let mut body = match conversion.to_ascii_lowercase() {
        b'f' => fixed(size, precision, layout.alt),
        b'e' => scientific(size, precision, layout.alt),
        b'g' => general(size, precision.max(1), layout.alt),
        _ => hexadecimal(size, layout.precision, layout.alt),
    };
    if upper {
        body.digits.make_ascii_uppercase();
        body.exponent.make_ascii_uppercase();
    }
    let field = Field {
        sign,
        prefix: if upper && !body.prefix.is_empty() { "0X" } else { body.prefix },
        leading_zeros: 0,
        digits: &body.digits,
        trailing_zeros: body.trailing_zeros,
        suffix: &body.exponent,
    };
    field.write(out, layout, true);
}

fn fixed(value: Real, precision: usize, alt: bool) -> Body {
    let shown = precision.min(value.most_digits());
    let mut digits = value.fixed(shown);
    if alt && precision == 0 {
        digits.push('.');
    }
    Body { digits, trailing_zeros: precision - shown, ..Body::default() }
}

/// The digits, and the exponent of ten.
fn decimal(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn scientific(value: Real, precision: usize, alt: bool) -> Body {
    let shown = precision.min(value.most_digits());
    let (mut digits, exponent) = value.decimal(shown);
    if alt && precision == 0 {
        digits.push('.');
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let exponent = format!("e{sign}{:02}", exponent.unsigned_abs());
    Body { digits, trailing_zeros: precision - shown, exponent, ..Body::default() }
}

fn general(value: Real, precision: usize, alt: bool) -> Body {
    let (_, exponent) = value.decimal((precision - 1).min(value.most_digits()));
    let small = exponent < -4;
    let large = usize::try_from(exponent).is_ok_and(|exponent| exponent >= precision);
    let mut body = match small || large {
        true => scientific(value, precision - 1, alt),
        // At least 0: the exponent is less than the precision.
        false => {
            let digits = (precision as i64 - 1 - i64::from(exponent)).max(0);
            fixed(value, digits as usize, alt)
        }
    };
    if !alt {
        body.trailing_zeros = 0;
        if body.digits.contains('.') {
            let kept = body.digits.trim_end_matches('0').trim_end_matches('.').len();
            body.digits.truncate(kept);
        }
    }
    body
}

fn significand(value: f64) -> (u128, usize, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (whole, exponent) = match exponent {
        _ if bits == 0 => (0, 0),
        0 => (fraction, -1022),
        _ => (1 << 52 | fraction, exponent - 1023),
    };
    (whole.into(), 13, exponent)
}

fn hexadecimal(value: Real, precision: Option<usize>, alt: bool) -> Body {
    let (mut number, mut places, mut exponent) = value.significand();
    let wanted = precision.unwrap_or_else(|| {
        // As many as it takes.
        let zeros = if number == 0 { places } else { number.trailing_zeros() as usize / 4 };
        places - zeros.min(places)
    });
    if wanted < places {
        let shift = 4 * (places - wanted);
        let (kept, cut, half) = (number >> shift, number & ((1 << shift) - 1), 1 << (shift - 1));
        let up = cut > half || cut == half && kept & 1 == 1;
        number = kept + u128::from(up);
        places = wanted;
    }
    let mut first = number >> (4 * places);
    if first > 0xf {
        // Rounding has carried beyond the first digit: what follows are zeros.
        (first, exponent) = (1, exponent + 4);
    }
    let rest = number & ((1 << (4 * places)) - 1);
    let mut digits = format!("{first:x}");
    if wanted > 0 || alt {
        digits.push('.');
    }
    if places > 0 {
        digits.push_str(&format!("{rest:0places$x}"));
    }
    let exponent = format!("p{exponent:+}");
    Body { prefix: "0x", digits, trailing_zeros: wanted - places, exponent }
}
