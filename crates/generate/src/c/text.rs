//! Lines of C, and what has to be escaped in them.

/// Lines with indentation.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    out: String,
    depth: usize,
}

impl Writer {
    pub fn new(depth: usize) -> Self {
        Writer { out: String::new(), depth }
    }

    /// A line; an empty one is empty.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if !text.is_empty() {
            self.out.extend(std::iter::repeat_n("    ", self.depth));
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    /// Several lines as they are, moved to the right.
    pub fn lines(&mut self, text: &str) {
        for line in text.lines() {
            // The preprocessor's lines may stand anywhere, but a reader looks for them on the left.
            match line.starts_with('#') {
                true => {
                    self.out.push_str(line);
                    self.out.push('\n');
                }
                false => {
                    let text = line.trim_start_matches('\t');
                    let tabs = line.len() - text.len();
                    self.line(format!("{}{text}", "    ".repeat(tabs)).trim_end());
                }
            }
        }
    }

    /// A line that opens a block.
    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.depth += 1;
    }

    /// A line that has its indentation already.
    pub fn raw(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// What follows belongs to a block that is open already: that of an `else`.
    pub fn indent(&mut self) {
        self.depth += 1;
    }

    /// A line that closes one.
    pub fn close(&mut self, text: impl AsRef<str>) {
        self.depth -= 1;
        self.line(text);
    }

    /// A line one step to the left: a label, `case`.
    pub fn outdented(&mut self, text: impl AsRef<str>) {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        self.line(text);
        self.depth = depth;
    }

    /// Lines that were written elsewhere, at their depth.
    pub fn append(&mut self, other: Writer) {
        self.out.push_str(&other.out);
    }

    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// A string of C.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// The inside of a string of C.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Two in a row could begin a trigraph.
            '?' if out.ends_with('?') => out.push_str("\\?"),
            // Always three digits: whatever follows is no part of the number.
            c if (c as u32) < 32 || c as u32 == 127 => out.push_str(&format!("\\{:03o}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// Text for the inside of a comment.
pub fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// A piece of code with the `;` that its writer may have left out.
pub fn completed(text: &str) -> String {
    let text = text.trim_matches('\n').trim_end();
    let last = text.lines().last().unwrap_or_default();
    match text.chars().last() {
        None | Some(';' | '}') => text.to_string(),
        _ if last.trim_start().starts_with('#') => text.to_string(),
        _ if last.contains("//") => format!("{text}\n;"),
        _ => format!("{text};"),
    }
}

/// May a piece of code declare something? Where there is a doubt, it may.
pub fn declares(text: &str) -> bool {
    let mut depth = 0_i32;
    let mut start = String::new();
    for c in text.chars() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ => {}
        }
        let is_end = matches!(c, ';' | '}') && depth == 0;
        if !is_end {
            start.push(c);
            continue;
        }
        if begins_declaration(&start) {
            return true;
        }
        start.clear();
    }
    begins_declaration(&start)
}

/// Two names in a row, or a name and a star.
fn begins_declaration(statement: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let text = statement.trim_start();
    let first = text.split(|c| !is_name(c)).next().unwrap_or_default();
    let no_type = ["return", "goto", "else", "case", "do", "sizeof"];
    let behind = text[first.len()..].trim_start();
    let odd = ["#", "/", "[[", "_Static_assert", "__"];
    odd.iter().any(|odd| text.starts_with(odd))
        || !first.is_empty()
            && !no_type.contains(&first)
            && behind.starts_with(|c: char| is_name(c) || c == '*')
}
