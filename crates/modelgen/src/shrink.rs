//! Makes a model smaller while something about it stays true.
//!
//! The generator writes one statement a line, so a model is taken apart line by line: first large
//! pieces, then small ones, until no single piece can be left out.

/// The smallest text that can be reached from `text` by leaving out lines, such that `keeps`.
pub fn shrink(text: &str, mut keeps: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut piece = lines.len() / 2;
    while piece > 0 {
        let smaller = without_pieces(&mut lines, piece, &mut keeps);
        let blocks = unwrapped_blocks(&mut lines, &mut keeps);
        if !smaller && !blocks {
            piece /= 2;
        }
        piece = piece.min(lines.len());
    }
    join(&lines)
}

fn join(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Leaves out every run of `piece` lines that is not needed; true where there was one.
fn without_pieces(
    lines: &mut Vec<String>,
    piece: usize,
    keeps: &mut impl FnMut(&str) -> bool,
) -> bool {
    let mut changed = false;
    let mut start = 0;
    while start + piece <= lines.len() {
        let mut rest = lines.clone();
        let removed: Vec<String> = rest.drain(start..start + piece).collect();
        if balanced(&removed) && keeps(&join(&rest)) {
            *lines = rest;
            changed = true;
        } else {
            start += 1;
        }
    }
    changed
}

/// Takes away an opening line and the line that closes it, and keeps what is between them.
fn unwrapped_blocks(lines: &mut Vec<String>, keeps: &mut impl FnMut(&str) -> bool) -> bool {
    let mut changed = false;
    let mut start = 0;
    while start < lines.len() {
        let end = closing(lines, start);
        let Some(end) = end.filter(|end| *end > start) else {
            start += 1;
            continue;
        };
        let inside = (0..lines.len()).filter(|i| *i != start && *i != end);
        let rest: Vec<String> = inside.map(|i| lines[i].clone()).collect();
        if keeps(&join(&rest)) {
            *lines = rest;
            changed = true;
        } else {
            start += 1;
        }
    }
    changed
}

/// The line that closes what line `start` opens.
fn closing(lines: &[String], start: usize) -> Option<usize> {
    let mut depth = nesting(&lines[start]);
    if depth <= 0 {
        return None;
    }
    for (index, line) in lines.iter().enumerate().skip(start + 1) {
        depth += nesting(line);
        if depth <= 0 {
            return Some(index);
        }
    }
    None
}

/// How many blocks a line opens more than it closes.
fn nesting(line: &str) -> i32 {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '{' && c != '}');
    words.map(word_nesting).sum()
}

fn word_nesting(word: &str) -> i32 {
    match word {
        "if" | "do" => 1,
        "fi" | "od" => -1,
        other => other.matches('{').count() as i32 - other.matches('}').count() as i32,
    }
}

/// Whether what these lines open they also close: all else would not parse.
fn balanced(lines: &[String]) -> bool {
    let mut depth = 0;
    for line in lines {
        depth += nesting(line);
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_is_left() {
        let text =
            "byte x;\nactive proctype P() {\n\tif\n\t:: true;\n\t\tx = 3;\n\tfi;\n\tskip;\n}\n";
        let small = shrink(text, |t| t.contains("x = 3;") && t.contains("proctype"));
        assert_eq!(small, "active proctype P() {\n\t\tx = 3;\n}\n");
    }

    #[test]
    fn a_piece_must_close_what_it_opens() {
        let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
        assert!(balanced(&lines("do\n:: x = 1;\nod;")));
        assert!(!balanced(&lines("} unless {")) || nesting("} unless {") == 0);
        assert!(!balanced(&lines("od;\ndo")));
        assert_eq!(nesting("if :: (_nr_pr < 4) -> run R1(0) :: else fi;"), 0);
    }
}
