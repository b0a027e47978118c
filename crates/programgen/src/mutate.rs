//! Damaged text: cut off, with lines and words left out, doubled, moved or changed.

use fastrand::Rng;

/// The text with a few things wrong, which the seed decides on. It need not be valid UTF-8.
pub fn mutate(text: &str, seed: u64) -> Vec<u8> {
    let mut rng = Rng::with_seed(seed);
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..6) {
        if !bytes.is_empty() {
            bytes = damage(bytes, &mut rng);
        }
    }
    bytes
}

fn damage(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let at = rng.usize(0..bytes.len());
    match rng.u32(0..12) {
        0 => bytes.truncate(at),
        1 => bytes[at] = rng.u8(..),
        2 => {
            bytes.remove(at);
        }
        3 => bytes[at] = *rng.choice(b"%@!,()[]{}*0\"").unwrap_or(&b' '),
        4 => return on_lines(&bytes, rng, |lines, at, _| drop(lines.remove(at))),
        5 => return on_lines(&bytes, rng, |lines, at, _| lines.insert(at, lines[at].clone())),
        6 => return on_lines(&bytes, rng, |lines, at, other| lines.swap(at, other)),
        7 | 8 => number(&mut bytes, at, rng),
        _ => return word(&bytes, at, rng),
    }
    bytes
}

fn on_lines(
    bytes: &[u8],
    rng: &mut Rng,
    change: impl FnOnce(&mut Vec<Vec<u8>>, usize, usize),
) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (at, other) = (rng.usize(0..lines.len()), rng.usize(0..lines.len()));
    change(&mut lines, at, other);
    lines.join(&b'\n')
}

/// Changes the digits that follow.
fn number(bytes: &mut [u8], at: usize, rng: &mut Rng) {
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit) else { return };
    let digits = bytes[at + start..].iter_mut().take_while(|byte| byte.is_ascii_digit());
    for digit in digits {
        *digit = rng.u8(b'0'..=b'9');
    }
}

/// Replaces the word that follows by another one of the text.
fn word(bytes: &[u8], at: usize, rng: &mut Rng) -> Vec<u8> {
    let found = word_from(bytes, at).zip(word_from(bytes, rng.usize(0..bytes.len())));
    let Some(((start, end), (from, to))) = found else { return bytes.to_vec() };
    [&bytes[..start], &bytes[from..to], &bytes[end..]].concat()
}

fn word_from(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.%@!".contains(byte);
    let start = at + bytes[at..].iter().position(inside)?;
    let length =
        bytes[start..].iter().position(|byte| !inside(byte)).unwrap_or(bytes.len() - start);
    Some((start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_done_and_repeats() {
        let text = "define i32 @main() {\n  ret i32 0\n}\n";
        let changed = (0..100).filter(|seed| mutate(text, *seed) != text.as_bytes()).count();
        assert!(changed > 80, "{changed}");
        assert_eq!(mutate(text, 5), mutate(text, 5));
    }
}
