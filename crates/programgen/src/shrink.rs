//! Makes a program smaller while something about it stays true.
//!
//! The generator writes one statement a line, so a program is taken apart line by line: first large
//! pieces, then small ones, until no single piece can be left out.

/// The smallest text that can be reached from `text` by leaving out lines, such that `keeps`.
pub fn shrink(text: &str, mut keeps: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut piece = lines.len() / 2;
    while piece > 0 {
        let smaller = without_pieces(&mut lines, piece, &mut keeps);
        let blocks = piece <= 4 && without_blocks(&mut lines, &mut keeps);
        if !smaller && !blocks {
            piece /= 2;
        }
        piece = piece.min(lines.len());
    }
    join(&lines)
}

fn join(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Leaves out every run of `piece` lines that is not needed; true where there was one.
fn without_pieces(
    lines: &mut Vec<&str>,
    piece: usize,
    keeps: &mut impl FnMut(&str) -> bool,
) -> bool {
    let mut changed = false;
    let mut start = 0;
    // Steps of half a piece: nearly as good as steps of one, and much faster.
    let step = (piece / 2).max(1);
    while start + piece <= lines.len() {
        let rest = [&lines[..start], &lines[start + piece..]].concat();
        if balanced(&lines[start..start + piece]) && keeps(&join(&rest)) {
            *lines = rest;
            changed = true;
        } else {
            start += step;
        }
    }
    changed
}

/// Takes away whole blocks with their head and, where it can, only the lines around a block.
fn without_blocks(lines: &mut Vec<&str>, keeps: &mut impl FnMut(&str) -> bool) -> bool {
    let mut changed = false;
    let mut start = 0;
    while start < lines.len() {
        let Some(end) = closing(lines, start) else {
            start += 1;
            continue;
        };
        let all = [&lines[..start], &lines[end + 1..]].concat();
        let inside = [&lines[..start], &lines[start + 1..end], &lines[end + 1..]].concat();
        if keeps(&join(&all)) {
            *lines = all;
            changed = true;
        } else if keeps(&join(&inside)) {
            *lines = inside;
            changed = true;
        } else {
            start += 1;
        }
    }
    changed
}

/// The line that closes what line `start` opens.
fn closing(lines: &[&str], start: usize) -> Option<usize> {
    let mut depth = nesting(lines[start]).1;
    if depth <= 0 {
        return None;
    }
    for (index, line) in lines.iter().enumerate().skip(start + 1) {
        depth += nesting(line).1;
        if depth <= 0 {
            return Some(index);
        }
    }
    None
}

/// How deep a line goes below where it began, and where it ends.
fn nesting(line: &str) -> (i32, i32) {
    let (mut lowest, mut depth) = (0, 0);
    for letter in line.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        lowest = lowest.min(depth);
    }
    (lowest, depth)
}

/// Whether what these lines open they also close: all else would not compile.
fn balanced(lines: &[&str]) -> bool {
    let mut depth = 0;
    for line in lines {
        let (lowest, end) = nesting(line);
        if depth + lowest < 0 {
            return false;
        }
        depth += end;
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_is_left() {
        let text = "int x;\nvoid f(void)\n{\n\tif (x) {\n\t\tx = 3;\n\t}\n\tx = 4;\n}\n";
        let small = shrink(text, |t| t.contains("x = 4;") && t.contains("void f"));
        assert_eq!(small, "void f(void)\n\tx = 4;\n");
    }

    #[test]
    fn a_piece_must_close_what_it_opens() {
        assert!(balanced(&["if (x) {", "} else {", "}"]));
        assert!(!balanced(&["} else {"]));
        assert!(!balanced(&["}", "{"]));
    }
}
