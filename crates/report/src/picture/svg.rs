//! A few SVG elements, with everything escaped that needs it.

use std::fmt::Write as _;
use std::io::{self, Write};
use unicode_width::UnicodeWidthChar;

pub const INK: &str = "#1f2937";
pub const FAINT: &str = "#6b7280";
pub const LINE: &str = "#9ca3af";
pub const FILL: &str = "#ffffff";
pub const SHADE: &str = "#f3f4f6";
pub const BLUE: &str = "#1d4ed8";
pub const BLUE_FILL: &str = "#dbeafe";
pub const GREEN: &str = "#15803d";
pub const GREEN_FILL: &str = "#dcfce7";
pub const RED: &str = "#b91c1c";
pub const RED_FILL: &str = "#fee2e2";

/// Collects the body of a picture.
#[derive(Default)]
pub struct Svg {
    body: String,
}

#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub size: f64,
    pub fill: &'a str,
    /// `start`, `middle` or `end`.
    pub anchor: &'a str,
    pub mono: bool,
    pub bold: bool,
}

impl Text<'_> {
    pub const fn new(size: f64) -> Self {
        Text { size, fill: INK, anchor: "start", mono: false, bold: false }
    }

    /// An estimate that is never too small for the fonts asked for.
    pub fn width(&self, text: &str) -> f64 {
        let factor = if self.mono { 0.61 } else { 0.58 };
        let cells: usize = text.chars().map(|c| c.width().unwrap_or(0)).sum();
        cells as f64 * self.size * if self.bold { factor * 1.06 } else { factor }
    }
}

impl Svg {
    /// `write!` to a `String` cannot fail.
    fn add(&mut self, arguments: std::fmt::Arguments<'_>) {
        let _ = self.body.write_fmt(arguments);
        self.body.push('\n');
    }

    pub fn text(&mut self, x: f64, y: f64, text: &str, style: Text<'_>) {
        let family = if style.mono { " class=\"m\"" } else { "" };
        let weight = if style.bold { " font-weight=\"600\"" } else { "" };
        let Text { size, fill, anchor, .. } = style;
        let text = escape(text);
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{family}{weight}>{text}</text>"#
        ));
    }

    /// Around the middle `at`.
    pub fn rect(&mut self, at: (f64, f64), size: (f64, f64), r: f64, fill: &str, stroke: &str) {
        let (w, h) = size;
        let (x, y) = (at.0 - w / 2.0, at.1 - h / 2.0);
        self.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="{r}" fill="{fill}" stroke="{stroke}"/>"#
        ));
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, extra: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{stroke}" {extra}/>"#
        ));
    }

    pub fn path(&mut self, data: &str, stroke: &str, extra: &str) {
        self.add(format_args!(r#"<path d="{data}" fill="none" stroke="{stroke}" {extra}/>"#));
    }

    /// What `content` adds gets a tooltip.
    pub fn with_tooltip(&mut self, tooltip: &str, content: impl FnOnce(&mut Svg)) {
        self.add(format_args!("<g><title>{}</title>", escape(tooltip)));
        content(self);
        self.add(format_args!("</g>"));
    }

    pub fn shifted(&mut self, x: f64, y: f64, inner: &Svg) {
        self.add(format_args!(r#"<g transform="translate({x:.1} {y:.1})">"#));
        self.body.push_str(&inner.body);
        self.add(format_args!("</g>"));
    }

    pub fn finish(&self, out: &mut dyn Write, title: &str, w: f64, h: f64) -> io::Result<()> {
        writeln!(
            out,
            r#"<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0}" height="{h:.0}" viewBox="0 0 {w:.0} {h:.0}" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">
<title>{}</title>
<style>.m {{ font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; }}</style>
<defs>{}</defs>
<rect width="100%" height="100%" fill="white"/>"#,
            escape(title),
            [("ink", INK), ("line", FAINT), ("red", RED), ("blue", BLUE)].map(marker).concat(),
        )?;
        out.write_all(self.body.as_bytes())?;
        writeln!(out, "</svg>")
    }
}

/// An arrow head; used as `marker-end="url(#head-NAME)"`.
fn marker((name, colour): (&str, &str)) -> String {
    format!(
        r#"<marker id="head-{name}" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 1 L10 5 L0 9 z" fill="{colour}"/></marker>"#
    )
}

/// XML text; characters that XML cannot hold are replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// At most `most` characters.
pub fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
