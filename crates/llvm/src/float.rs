//! Floating-point bit patterns: a double's number in the other formats.

/// As a `float`. Keeps the payload of a value that is not a number, which `as f32` need not.
pub fn float_bits(value: f64) -> u32 {
    if value.is_nan() {
        let bits = value.to_bits();
        return ((bits >> 32) as u32 & 0x8000_0000) | 0x7f80_0000 | (bits >> 29) as u32 & 0x7f_ffff;
    }
    (value as f32).to_bits()
}

/// As a narrower format with that many exponent and mantissa bits; `None` where the number is not
/// exactly representable.
pub fn narrow(double: u64, exponent_bits: u32, mantissa_bits: u32) -> Option<u128> {
    let sign = ((double >> 63) as u128) << (exponent_bits + mantissa_bits);
    let exponent = (double >> 52 & 0x7ff) as i32;
    let mantissa = double & ((1 << 52) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    let top = (1u128 << exponent_bits) - 1;
    let lost = 52 - mantissa_bits;
    if exponent == 0x7ff {
        return Some(sign | top << mantissa_bits | (mantissa >> lost) as u128);
    }
    if exponent == 0 {
        return (mantissa == 0).then_some(sign);
    }
    let narrow = exponent - 1023 + bias;
    if narrow >= top as i32 {
        return None;
    }
    // A number below the normal ones has its leading bit written out, and shifted.
    let (narrow, full, shift) = match narrow {
        1.. => (narrow as u128, mantissa, lost),
        _ => (0, mantissa | 1 << 52, lost + 1 + narrow.unsigned_abs()),
    };
    if shift >= 64 || full & ((1 << shift) - 1) != 0 {
        return None;
    }
    Some(sign | narrow << mantissa_bits | (full >> shift) as u128)
}

/// The sign, the unbiased exponent and the 64-bit significand with its leading one; `None` for
/// zero.
fn parts(value: f64) -> (bool, Option<(i32, u64)>) {
    let bits = value.to_bits();
    let mantissa = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let negative = bits >> 63 == 1;
    match (exponent, mantissa) {
        (0, 0) => (negative, None),
        (0, _) => {
            let zeros = mantissa.leading_zeros();
            (negative, Some((-1011 - zeros as i32, mantissa << zeros)))
        }
        _ => (negative, Some((exponent - 1023, 1 << 63 | mantissa << 11))),
    }
}

/// As an `x86_fp80`.
pub fn extended_bits(value: f64) -> u128 {
    let (negative, number) = parts(value);
    let sign = (negative as u128) << 79;
    match number {
        None => sign,
        Some((1024, significand)) => sign | 0x7fff << 64 | significand as u128,
        Some((exponent, significand)) => {
            sign | ((exponent + 16383) as u128) << 64 | significand as u128
        }
    }
}

/// As an `fp128`.
pub fn quad_bits(value: f64) -> u128 {
    let (negative, number) = parts(value);
    let sign = (negative as u128) << 127;
    match number {
        None => sign,
        Some((exponent, significand)) => {
            let biased = if exponent == 1024 { 0x7fff } else { (exponent + 16383) as u128 };
            sign | biased << 112 | ((significand << 1) as u128) << 48
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_in_other_formats() {
        assert_eq!(narrow(1.0f64.to_bits(), 5, 10), Some(0x3c00));
        assert_eq!(narrow((-2.5f64).to_bits(), 5, 10), Some(0xc100));
        // The smallest half, 2^-24, and half of it.
        assert_eq!(narrow((2f64.powi(-24)).to_bits(), 5, 10), Some(1));
        assert_eq!(narrow((2f64.powi(-25)).to_bits(), 5, 10), None);
        assert_eq!(narrow(65504f64.to_bits(), 5, 10), Some(0x7bff));
        assert_eq!(narrow(65536f64.to_bits(), 5, 10), None);
        assert_eq!(narrow(f64::INFINITY.to_bits(), 5, 10), Some(0x7c00));
        assert_eq!(narrow(1.0f64.to_bits(), 8, 7), Some(0x3f80));
        assert_eq!(extended_bits(1.0), 0x3fff_8000_0000_0000_0000);
        assert_eq!(extended_bits(-0.5), 0xbffe_8000_0000_0000_0000);
        assert_eq!(extended_bits(f64::from_bits(1)), 0x3bcd_8000_0000_0000_0000);
        assert_eq!(extended_bits(f64::INFINITY), 0x7fff_8000_0000_0000_0000);
        assert_eq!(quad_bits(1.0), 0x3fff << 112);
        assert_eq!(quad_bits(1.5), 0x3fff_8000 << 96);
        assert_eq!(quad_bits(-0.0), 1 << 127);
        assert_eq!(float_bits(0.1), (0.1f64 as f32).to_bits());
        assert_eq!(float_bits(f64::from_bits(0x7ff8_0000_0000_0000)), 0x7fc0_0000);
    }
}
