//! Random changes to models, and what must be true of the parser whatever it is given.

use std::time::{Duration, Instant};

use auspex_promela::parser::{Options, Reading, parse_expression, parse_text};
use auspex_system::{Diagnostic, SourceMap};

/// SplitMix64: small, and the same everywhere.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const WORDS: &[&str] = &[
    "if",
    "fi",
    "do",
    "od",
    "::",
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "else",
    "unless",
    "atomic",
    "d_step",
    "for",
    "in",
    "select",
    "..",
    ":",
    "run",
    "P",
    "x",
    "q",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "=",
    "==",
    "++",
    "--",
    "-",
    "&&",
    "||",
    "proctype",
    "init",
    "active",
    "inline",
    "f",
    "(a)",
    "typedef",
    "T",
    "mtype",
    "chan",
    "[1] of",
    "int",
    "unsigned",
    "hidden",
    ",",
    ".",
    "@",
    "goto",
    "L:",
    "break",
    "assert",
    "printf",
    "\"s\"",
    "'c'",
    "eval",
    "full",
    "len",
    "timeout",
    "np_",
    "priority",
    "provided",
    "ltl",
    "never",
    "trace",
    "c_code",
    "c_expr",
    "return",
    "#define",
    "#define f(x) x f(x) ##",
    "#if",
    "#elif",
    "#else",
    "#endif",
    "#include \"a\"",
    "#undef",
    "##",
    "#",
    "__VA_ARGS__",
    "...",
    "defined",
    "\n",
    "\\\n",
    "/*",
    "*/",
    "//",
    "0",
    "1",
    "99999999999999999999",
    "0x1",
    "-1",
    "_",
    "_pid",
    "é",
    "\u{0}",
    "\"",
    "'",
    "skip",
    "STDIN",
    "set_priority",
    "xr",
    "true",
    "\r\n",
    "$",
    "promela_MS",
    "promela_MS {",
    "env",
    "c_code_IS",
    "c_code_IS {",
    "c_expr_IS [",
    "c_decl_IS",
    "rust_code_IS {",
    "rust_decl_IS",
    "c_state \"a\" \"b\"",
    "c_track",
    "r#\"",
    "'a",
    "\\#include <x>",
    "};",
];

/// A model made of `corpus` by a few random changes.
pub fn mutated(corpus: &[String], random: &mut Random) -> String {
    let mut text = random.pick(corpus).clone();
    for _ in 0..=random.below(6) {
        text = match random.below(8) {
            0 => splice_bytes(&text, random),
            1..=4 => change_token(&text, random),
            5 => {
                let other: &String = random.pick(corpus);
                cross(&text, other, random)
            }
            6 => repeat_part(&text, random),
            _ => delete_part(&text, random),
        };
    }
    text
}

/// Any bytes at any place, made text again as the reader of files does.
fn splice_bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        let byte = random.next() as u8;
        match random.below(2) {
            0 => bytes.insert(at, byte),
            _ if at < bytes.len() => bytes[at] = byte,
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Replaces, removes, doubles or inserts what stands between two spaces or signs.
fn change_token(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    let at = random.below(pieces.len() + 1);
    let word = *random.pick(WORDS);
    match random.below(5) {
        0 if at < pieces.len() => {
            pieces.remove(at);
        }
        1 if at < pieces.len() => pieces[at] = word,
        2 if at < pieces.len() => pieces.insert(at, pieces[at]),
        3 if at < pieces.len() => {
            let other = random.below(pieces.len());
            pieces.swap(at, other);
        }
        _ => pieces.insert(at, word),
    }
    pieces.join(if random.below(4) == 0 { " " } else { "" })
}

fn pieces(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| is_word(first) && is_word(c);
        let end =
            rest.char_indices().skip(1).find(|(_, c)| !same(*c)).map_or(rest.len(), |(i, _)| i);
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The beginning of one and the end of another.
fn cross(text: &str, other: &str, random: &mut Random) -> String {
    let (a, b) = (boundary(text, random), boundary(other, random));
    format!("{}{}", &text[..a], &other[b..])
}

fn part(text: &str, random: &mut Random) -> (usize, usize) {
    let (a, b) = (boundary(text, random), boundary(text, random));
    (a.min(b), a.max(b))
}

fn repeat_part(text: &str, random: &mut Random) -> String {
    let (start, end) = part(text, random);
    let times = match random.below(10) {
        0 => 300,
        _ => 2,
    };
    if (end - start) * times > 20_000 {
        return text.to_owned();
    }
    format!("{}{}{}", &text[..start], text[start..end].repeat(times), &text[end..])
}

fn delete_part(text: &str, random: &mut Random) -> String {
    let (start, end) = part(text, random);
    format!("{}{}", &text[..start], &text[end..])
}

/// Parses the text in all ways; says what is wrong with the answer, if something is.
pub fn examine(text: &str) -> Result<(), String> {
    [Reading::Plain, Reading::Model, Reading::Implementation]
        .into_iter()
        .try_for_each(|reading| examine_as(text, reading))
}

fn examine_as(text: &str, reading: Reading) -> Result<(), String> {
    let start = Instant::now();
    let mut map = SourceMap::default();
    let options = Options { reading, ..Options::default() };
    match parse_text(&mut map, "fuzz.pml", text, &options) {
        Ok(parsed) => {
            check_places(&map, &parsed.warnings)?;
            let _ = parse_expression(&mut map, "watch", text, &parsed.macros);
        }
        Err(errors) if errors.is_empty() => return Err("refused without an error".to_owned()),
        Err(errors) if errors.len() > 20 => return Err(format!("{} errors", errors.len())),
        Err(errors) => check_places(&map, &errors)?,
    }
    // Even the largest expansions take less on a busy machine.
    match start.elapsed() {
        slow if slow > Duration::from_secs(20) => Err(format!("took {slow:?}")),
        _ => Ok(()),
    }
}

/// Every diagnostic points at text that exists.
fn check_places(map: &SourceMap, diagnostics: &[Diagnostic]) -> Result<(), String> {
    for diagnostic in diagnostics {
        let notes = diagnostic.notes.iter().map(|(span, _)| *span);
        for span in diagnostic.span.into_iter().chain(notes) {
            let range = span.start as usize..span.end as usize;
            if map.text(span.file).get(range).is_none() {
                return Err(format!("`{}` points at nothing: {span:?}", diagnostic.message));
            }
        }
    }
    Ok(())
}
