//! Sizes and times as people type them.

use std::time::Duration;

/// `512M`, `4G`, `2GiB`, `1.5g`, `1000000`: always powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let shift = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(format!("`{unit}` is no unit of memory; write for example 512M or 4G")),
    };
    let value = positive(digits).ok_or("write a size such as 512M or 4G")?;
    let size = value * (1u64 << shift) as f64;
    if size < 1.0 || size >= u64::MAX as f64 {
        return Err("this size is out of range".to_string());
    }
    Ok(size as u64)
}

/// `10`, `0.5`, `90s`, `10m`, `2h`.
pub fn time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit => {
            return Err(format!("`{unit}` is no unit of time; write for example 90, 10m or 2h"));
        }
    };
    let value = positive(digits).ok_or("write a time such as 90, 10m or 2h")?;
    Duration::try_from_secs_f64(value * factor).map_err(|_| "this time is out of range".into())
}

fn positive(digits: &str) -> Option<f64> {
    let value: f64 = digits.trim().parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("1.5k"), Ok(1536));
        assert_eq!(bytes("17"), Ok(17));
        for bad in ["", "M", "-1G", "1X", "nan", "inf", "1e300", "0", "9é"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_have_units() {
        assert_eq!(time("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "s", "-1", "1d", "1e300"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
