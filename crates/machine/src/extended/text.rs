//! 80-bit numbers as decimal text.

use super::{Extended, LAST, from_double, parts, to_double, to_signed};
use rustc_apfloat::{Float, Round};
use std::cmp::Ordering;

/// All decimal digits of a finite number other than 0, without its sign, and how many of them are
/// before the point (less than 0: there are zeros behind it first).
pub fn digits(x: Extended) -> (String, i32) {
    const BASE: u64 = 1_000_000_000;
    let (_, exponent, significand) = parts(x);
    let zeros = significand.trailing_zeros();
    let exponent = exponent - LAST + zeros as i32;
    // Groups of nine digits, the lowest first: as many twos or fives as there are exponents.
    let mut groups = Vec::new();
    let mut rest = significand >> zeros;
    while rest > 0 {
        groups.push(rest % BASE);
        rest /= BASE;
    }
    let (factor, at_once): (u64, u32) = if exponent >= 0 { (2, 29) } else { (5, 12) };
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        let now = left.min(at_once);
        let by = factor.pow(now);
        let mut carry = 0;
        for group in &mut groups {
            let product = *group * by + carry;
            (*group, carry) = (product % BASE, product / BASE);
        }
        if carry > 0 {
            groups.push(carry);
        }
        left -= now;
    }
    let mut text = groups.pop().unwrap_or(0).to_string();
    groups.iter().rev().for_each(|group| text.push_str(&format!("{group:09}")));
    let point = text.len() as i32 + exponent.min(0);
    (text, point)
}

/// Digits rounded to the first `count` of them, ties to even; a digit more where it carries.
pub fn rounded(digits: &str, point: i32, count: i64) -> (String, i32) {
    let Ok(count) = usize::try_from(count) else { return (String::new(), point) };
    if count >= digits.len() {
        return (digits.to_owned(), point);
    }
    let (kept, cut) = digits.split_at(count);
    let odd = kept.bytes().last().is_some_and(|digit| digit & 1 == 1);
    let half = cut.as_bytes()[0].cmp(&b'5');
    let exact = cut.bytes().skip(1).all(|digit| digit == b'0');
    let up = half == Ordering::Greater || half == Ordering::Equal && (!exact || odd);
    let mut kept = kept.as_bytes().to_vec();
    let mut point = point;
    if up {
        let nines = kept.iter().rev().take_while(|digit| **digit == b'9').count();
        let first = kept.len() - nines;
        kept[first..].fill(b'0');
        match first.checked_sub(1) {
            Some(last) => kept[last] += 1,
            None => {
                kept.insert(0, b'1');
                point += 1;
            }
        }
    }
    (kept.into_iter().map(char::from).collect(), point)
}

/// For people: as few digits as tell it from all other numbers.
pub fn text(x: Extended) -> String {
    let double = to_double(x);
    // Whole numbers of up to 64 bits are shown with all their digits.
    let whole = Extended::from_u128(1 << 64).value;
    let integer = if x.is_integer() && x.abs() < whole {
        to_signed(x, Round::TowardZero, 128).filter(|integer| *integer != 0)
    } else {
        None
    };
    if let Some(integer) = integer {
        return integer.to_string();
    }
    if from_double(double).bitwise_eq(x) || !x.is_finite() {
        return double.to_string();
    }
    let sign = if x.is_negative() { "-" } else { "" };
    let (all, point) = digits(x);
    for count in 1..=21 {
        let (digits, point) = rounded(&all, point, count);
        let significant = digits.trim_end_matches('0');
        let text = format!("{sign}0.{significant}e{point}");
        let parsed = Extended::from_str_r(&text, Round::NearestTiesToEven);
        if count < 21 && !parsed.is_ok_and(|parsed| parsed.value == x) {
            continue;
        }
        let len = significant.len() as i32;
        return match point {
            1..=20 if point >= len => {
                format!("{sign}{significant}{}", "0".repeat((point - len) as usize))
            }
            1..=20 => {
                let (whole, fraction) = significant.split_at(point as usize);
                format!("{sign}{whole}.{fraction}")
            }
            -4..=0 => format!("{sign}0.{}{significant}", "0".repeat(-point as usize)),
            _ => {
                let (first, fraction) = significant.split_at(1);
                let dot = if fraction.is_empty() { "" } else { "." };
                format!("{sign}{first}{dot}{fraction}e{}", point - 1)
            }
        };
    }
    double.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::{infinity, invalid, of};
    use super::*;

    #[test]
    fn decimal_digits() {
        assert_eq!(digits(of("0.5")), ("5".to_owned(), 0));
        assert_eq!(digits(of("1e20")), ("100000000000000000000".to_owned(), 21));
        assert_eq!(digits(of("0.0009765625")), ("9765625".to_owned(), -3));
        let (least, point) = digits(Extended::from_bits(1));
        assert_eq!((least.len(), point, &least[..5]), (11495, -4950, "36451"));
        assert_eq!(rounded("9995", 1, 3), ("1000".to_owned(), 2));
        assert_eq!(rounded("25", 1, 1), ("2".to_owned(), 1));
        assert_eq!(rounded("35", 1, 1), ("4".to_owned(), 1));
        assert_eq!(rounded("2501", 1, 1), ("3".to_owned(), 1));
        assert_eq!(rounded("7", 0, 0), ("1".to_owned(), 1));
        assert_eq!(rounded("5", 0, 0), (String::new(), 0));
    }

    #[test]
    fn shown_to_people() {
        for shown in ["0.1", "-2.5", "1e4000", "-1.5e-4000", "123.4567890123456789", "0.00012"] {
            assert_eq!(text(of(shown)), shown);
        }
        assert_eq!(text(of("18446744073709551615")), "18446744073709551615");
        assert_eq!(text(of("9223372036854775808")), "9223372036854775808");
        assert_eq!((text(infinity(true)), text(invalid())), ("-inf".to_owned(), "NaN".to_owned()));
    }
}
