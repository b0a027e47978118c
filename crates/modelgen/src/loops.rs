//! Small random models whose processes go round and round: where fairness matters.

use fastrand::Rng;
use std::fmt::Write as _;

/// The variables of these models, all of them small numbers.
pub const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// A random model. The same seed gives the same text.
pub fn generate(seed: u64) -> String {
    let rng = &mut Rng::with_seed(seed);
    let mut text = String::from("bit a, b;\nbyte c;\n");
    text += "chan q = [0] of { bit };\nchan r = [1] of { bit };\n";
    // One that toggles a bit and one that waits for it: what only strong fairness promises.
    let waiting = rng.u8(..3) == 0;
    for number in 0..rng.usize(2..=4) {
        // Not every process goes on for ever.
        let (first, last) = if rng.u8(..6) == 0 { ("if", "fi") } else { ("do", "od") };
        let _ = writeln!(text, "active proctype P{number}() {{\n\t{first}");
        let options = match number {
            0 if waiting => vec!["a = 1 - a".into()],
            1 if waiting => vec![format!("(a == 1) -> {} = 1", ["b", "c"][rng.usize(..2)])],
            _ => process(rng),
        };
        for option in options {
            let _ = writeln!(text, "\t:: {option}");
        }
        if first == "do" && rng.u8(..8) == 0 {
            let _ = writeln!(text, "\t:: break");
        }
        let _ = writeln!(text, "\t{last}\n}}");
    }
    text
}

/// The options of a process: anything, or something that others can wait for again and again, or
/// one that waits.
fn process(rng: &mut Rng) -> Vec<String> {
    let (one, other) = [("a", "b"), ("b", "a"), ("a", "c")][rng.usize(..3)];
    match rng.u8(..5) {
        0 | 1 => vec![format!("{one} = 1 - {one}")],
        2 => vec![format!("({one} == {}) -> {other} = {}", rng.u8(..2), rng.u8(..2))],
        // A process with a choice can avoid what it likes, however fairly it is treated.
        _ => (0..[1, 1, 1, 2, 3][rng.usize(..5)]).map(|_| sequence(rng)).collect(),
    }
}

fn sequence(rng: &mut Rng) -> String {
    let parts: Vec<String> = (0..rng.usize(1..=3)).map(|_| statement(rng)).collect();
    let parts = parts.join("; ");
    if rng.u8(..6) == 0 { format!("atomic {{ {parts} }}") } else { parts }
}

fn statement(rng: &mut Rng) -> String {
    let bit = ["a", "b"][rng.usize(..2)];
    match rng.u8(..20) {
        0..=3 => format!("{bit} = 1 - {bit}"),
        4..=6 => format!("{bit} = {}", rng.u8(..2)),
        7..=8 => format!("c = (c + 1) % {}", rng.u8(2..4)),
        9..=12 => format!("({bit} == {})", rng.u8(..2)),
        13 => format!("(c == {})", rng.u8(..2)),
        14 => format!("q!{bit}"),
        15 => "q?_".into(),
        16 => format!("r!{}", rng.u8(..2)),
        17 => format!("r?{bit}"),
        _ => "skip".into(),
    }
}
