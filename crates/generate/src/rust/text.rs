//! Lines of a program, indented.

#[derive(Default)]
pub struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// A line. One that begins with `}` ends a block, one that ends with `{` begins one.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.starts_with(['}', ')', ']']) {
            self.depth = self.depth.saturating_sub(1);
        }
        // Nothing between braces.
        if line.starts_with('}') && line != "} else {" && self.text.ends_with("{\n") {
            self.text.truncate(self.text.len() - 1);
            self.text.push_str(&format!("{line}\n"));
        } else if line.is_empty() {
            self.text.push('\n');
        } else {
            let indent = "    ".repeat(self.depth);
            self.text.push_str(&format!("{indent}{line}\n"));
        }
        if line.ends_with(['{', '(', '[']) {
            self.depth += 1;
        }
    }

    /// Lines that somebody else wrote: their own indentation is kept.
    pub fn paste(&mut self, text: &str) {
        let indent = "    ".repeat(self.depth);
        for line in text.trim_matches('\n').trim_end().lines() {
            let line = line.trim_end();
            match line.is_empty() {
                true => self.text.push('\n'),
                false => self.text.push_str(&format!("{indent}{line}\n")),
            }
        }
    }

    /// How far the text goes.
    pub fn mark(&self) -> (usize, usize) {
        (self.text.len(), self.depth)
    }

    /// Forgets what came after a mark.
    pub fn back_to(&mut self, (length, depth): (usize, usize)) {
        self.text.truncate(length);
        self.depth = depth;
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// A literal of Rust.
pub fn literal(text: &str) -> String {
    format!("{text:?}")
}
