//! Floating-point numbers as text.

use super::text::{Field, Layout, Sink, sign};

/// A double has no more digits than this behind the point: all further ones are zeros.
const MOST_DIGITS: usize = 1100;

#[derive(Debug, Default)]
struct Body {
    prefix: &'static str,
    digits: String,
    trailing_zeros: usize,
    exponent: String,
}

/// `%f`, `%e`, `%g`, `%a` and their upper-case forms; `long`: a `long double`, which `%a` shows
/// with another first digit.
pub fn float(out: &mut Sink, layout: &Layout, conversion: u8, long: bool, value: f64) {
    let sign = sign(layout, value.is_sign_negative());
    let upper = conversion.is_ascii_uppercase();
    let size = value.abs();
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
        _ => hexadecimal(size, layout.precision, layout.alt, long),
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

fn fixed(value: f64, precision: usize, alt: bool) -> Body {
    let shown = precision.min(MOST_DIGITS);
    let mut digits = format!("{value:.shown$}");
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

fn scientific(value: f64, precision: usize, alt: bool) -> Body {
    let shown = precision.min(MOST_DIGITS);
    let (mut digits, exponent) = decimal(value, shown);
    if alt && precision == 0 {
        digits.push('.');
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let exponent = format!("e{sign}{:02}", exponent.unsigned_abs());
    Body { digits, trailing_zeros: precision - shown, exponent, ..Body::default() }
}

fn general(value: f64, precision: usize, alt: bool) -> Body {
    let (_, exponent) = decimal(value, (precision - 1).min(MOST_DIGITS));
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

/// The digit before the point, those behind it (as a number and how many), and the exponent of two.
fn significand(value: f64, long: bool) -> (u128, usize, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if bits == 0 {
        return (0, if long { 15 } else { 13 }, 0);
    }
    let (whole, exponent) = match exponent {
        0 => (fraction, -1022),
        _ => (1 << 52 | fraction, exponent - 1023),
    };
    if !long {
        return (whole.into(), 13, exponent);
    }
    // The x87's significand has its first bit set, and the first digit holds four of its bits.
    let shift = whole.leading_zeros();
    ((whole << shift).into(), 15, exponent - (shift as i32 - 11) - 3)
}

fn hexadecimal(value: f64, precision: Option<usize>, alt: bool, long: bool) -> Body {
    let (mut number, mut places, mut exponent) = significand(value, long);
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
