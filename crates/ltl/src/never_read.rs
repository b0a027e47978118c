//! Never claims: the reader, for claims that are plainly automata, in the two forms that
//! `spin -f` and `ltl2ba` print.

use crate::atom::{Atom, Table};
use crate::automaton::{Automaton, Transition};
use crate::bdd::{ALL, NONE, Set, Store};
use crate::formula::{Formula, Kind};
use crate::label::Label;
use auspex_system::{Diagnostic, FileId, Span};
use rustc_hash::FxHashMap;

/// An automaton that was read, and the propositions its labels are about.
#[derive(Clone, Debug)]
pub struct ReadAutomaton {
    pub automaton: Automaton,
    /// Each with its place in the text that was read.
    pub atoms: Vec<Atom>,
}

/// Reads a never claim. `text` begins at byte `offset` of `file`.
pub fn read_never_claim(
    text: &str,
    file: FileId,
    offset: u32,
) -> Result<ReadAutomaton, Diagnostic> {
    let blanked = without_comments(text);
    let mut reader = Reader {
        text: &blanked,
        at: 0,
        file,
        offset,
        atoms: Table::default(),
        store: Store::new(),
        labels: FxHashMap::default(),
        states: Vec::new(),
        end: None,
    };
    reader.claim()?;
    reader.finish()
}

/// The same text with blanks instead of comments, so that places stay the same.
fn without_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("/*")).map(|i| i + at) {
        let end = text[start + 2..].find("*/").map_or(text.len(), |i| i + start + 4);
        bytes[start..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8(bytes).unwrap_or_default()
}

#[derive(Default)]
struct State {
    accepting: bool,
    /// Each transition with the place of its target's name.
    edges: Vec<(Set, Target)>,
}

enum Target {
    Label(String, usize),
    Own,
    /// Past the end of the claim: everything is accepted.
    End,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    file: FileId,
    offset: u32,
    atoms: Table,
    store: Store,
    labels: FxHashMap<String, usize>,
    states: Vec<State>,
    end: Option<usize>,
}

impl Reader<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        let place = |at: usize| self.offset.saturating_add(at.min(u32::MAX as usize) as u32);
        Span { file: self.file, start: place(start), end: place(end) }
    }

    fn error(&self, expected: &str) -> Diagnostic {
        let found =
            if self.rest().is_empty() { "the end".into() } else { format!("`{}`", self.peek()) };
        Diagnostic::error(
            self.span(self.at, self.at + self.peek().len()),
            format!("expected {expected}, found {found}"),
        )
        .label(format!("expected {expected}"))
        .hint("a claim can be read if its states are labels, each with `do` or `if` and `goto`s")
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        self.at += blanks;
    }

    /// The next word or sign.
    fn peek(&self) -> &str {
        let rest = self.rest();
        let word = rest.find(|c: char| !crate::lex::is_word(c)).unwrap_or(rest.len());
        match rest.chars().next() {
            _ if word > 0 => &rest[..word],
            Some(':') if rest.starts_with("::") => "::",
            Some('-') if rest.starts_with("->") => "->",
            Some(c) => &rest[..c.len_utf8()],
            None => "",
        }
    }

    fn take(&mut self, expected: &str) -> bool {
        self.skip_blanks();
        let found = self.peek() == expected;
        self.at += if found { expected.len() } else { 0 };
        found
    }

    fn expect(&mut self, expected: &str) -> Result<(), Diagnostic> {
        if self.take(expected) { Ok(()) } else { Err(self.error(&format!("`{expected}`"))) }
    }

    fn claim(&mut self) -> Result<(), Diagnostic> {
        self.expect("never")?;
        self.skip_blanks();
        if !self.take("{") {
            self.name()?;
            self.expect("{")?;
        }
        while !self.take("}") {
            self.state()?;
        }
        self.skip_blanks();
        if self.rest().is_empty() { Ok(()) } else { Err(self.error("the end of the claim")) }
    }

    fn name(&mut self) -> Result<String, Diagnostic> {
        self.skip_blanks();
        let word = self.peek().to_owned();
        if !word.starts_with(crate::lex::is_word) {
            return Err(self.error("a name"));
        }
        self.at += word.len();
        Ok(word)
    }

    fn state(&mut self) -> Result<(), Diagnostic> {
        let number = self.states.len();
        let mut state = State::default();
        loop {
            let before = self.at;
            let name = self.name()?;
            if !self.take(":") {
                self.at = before;
                break;
            }
            state.accepting |= name.starts_with("accept");
            if self.labels.insert(name, number).is_some() {
                self.at = before;
                return Err(self.error("a label that is new"));
            }
        }
        if self.take("do") {
            self.options(&mut state, "od")?;
        } else if self.take("if") {
            self.options(&mut state, "fi")?;
        } else if self.take("skip") {
            state.edges.push((ALL, Target::End));
        } else if self.take("goto") {
            let at = self.at;
            let name = self.name()?;
            state.edges.push((ALL, Target::Label(name, at)));
        } else if !self.take("false") && !self.take("0") {
            return Err(self.error("`do`, `if`, `goto`, `skip` or `false`"));
        }
        while self.take(";") {}
        self.states.push(state);
        Ok(())
    }

    fn options(&mut self, state: &mut State, close: &str) -> Result<(), Diagnostic> {
        while !self.take(close) {
            self.expect("::")?;
            let atomic = self.take("atomic");
            if atomic {
                self.expect("{")?;
            }
            let guard = self.guard()?;
            let target = self.target(close)?;
            if atomic {
                while self.take(";") {}
                self.expect("}")?;
            }
            while self.take(";") {}
            state.edges.push((guard, target));
        }
        Ok(())
    }

    /// A condition up to the arrow.
    fn guard(&mut self) -> Result<Set, Diagnostic> {
        self.skip_blanks();
        let start = self.at;
        let mut depth = 0usize;
        loop {
            self.skip_blanks();
            match self.peek() {
                "" => return Err(self.error("`->`")),
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "->" | ";" | "::" | "}" if depth == 0 => break,
                "od" | "fi" if depth == 0 => break,
                _ => {}
            }
            self.at += self.peek().len();
        }
        let offset = self.offset.saturating_add(start.min(u32::MAX as usize) as u32);
        let parsed = crate::parse(&self.text[start..self.at], self.file, offset)?;
        if !parsed.formula.is_boolean() {
            let span = self.span(start, self.at);
            return Err(Diagnostic::error(span, "a temporal operator in a claim"));
        }
        let own: Vec<_> = parsed
            .atoms
            .iter()
            .map(|atom| match atom.text.as_str() {
                "1" | "skip" => Formula::tt(),
                "0" => Formula::ff(),
                text => {
                    let range = atom.range.start + start..atom.range.end + start;
                    Formula::atom(self.atoms.find_or_add(text, range))
                }
            })
            .collect();
        if self.atoms.list.len() > crate::MAX_ATOMS as usize {
            let span = self.span(start, self.at);
            return Err(Diagnostic::error(span, "the claim has more than 64 propositions"));
        }
        let formula = substitute(&parsed.formula, &own).nnf();
        Ok(crate::alternating::letters(&mut self.store, &formula))
    }

    fn target(&mut self, close: &str) -> Result<Target, Diagnostic> {
        if !self.take("->") && !self.take(";") {
            // A bare condition in a loop comes back to the same state.
            return if close == "od" { Ok(Target::Own) } else { Err(self.error("`-> goto`")) };
        }
        if self.take("goto") {
            self.skip_blanks();
            let at = self.at;
            return Ok(Target::Label(self.name()?, at));
        }
        if self.take("assert") {
            self.parenthesised()?;
            return Ok(Target::End);
        }
        if close == "od" && self.take("skip") {
            return Ok(Target::Own);
        }
        Err(self.error("`goto`"))
    }

    fn parenthesised(&mut self) -> Result<(), Diagnostic> {
        self.expect("(")?;
        let mut depth = 1;
        while depth > 0 {
            self.skip_blanks();
            match self.peek() {
                "" => return Err(self.error("`)`")),
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            self.at += self.peek().len();
        }
        Ok(())
    }

    fn finish(mut self) -> Result<ReadAutomaton, Diagnostic> {
        if self.states.is_empty() {
            return Err(Diagnostic::error(
                self.span(0, self.text.len()),
                "the claim has no states",
            ));
        }
        let states = std::mem::take(&mut self.states);
        let mut accepting: Vec<bool> = states.iter().map(|state| state.accepting).collect();
        let mut all = Vec::new();
        for (number, state) in states.iter().enumerate() {
            let mut own = Vec::new();
            for (guard, target) in &state.edges {
                let target = match target {
                    Target::Own => number,
                    Target::End => *self.end.get_or_insert(states.len()),
                    Target::Label(name, at) => *self.labels.get(name).ok_or_else(|| {
                        let span = self.span(*at, *at + name.len());
                        Diagnostic::error(span, format!("there is no label `{name}`"))
                            .label("the target of this jump is missing")
                    })?,
                };
                if *guard != NONE {
                    let label = Label::new(self.store.cubes(*guard));
                    own.push(Transition { label, target });
                }
            }
            all.push(own);
        }
        if let Some(end) = self.end {
            let label = Label::new(self.store.cubes(ALL));
            all.push(vec![Transition { label, target: end }]);
            accepting.push(true);
        }
        let automaton = Automaton { states: all, initial: 0, accepting };
        Ok(ReadAutomaton { automaton, atoms: self.atoms.list })
    }
}

/// The Boolean formula with other formulas in the place of its atoms.
fn substitute(formula: &Formula, atoms: &[Formula]) -> Formula {
    let inner = |f: &Formula| substitute(f, atoms);
    match formula.kind() {
        Kind::Atom(atom) => atoms.get(*atom as usize).cloned().unwrap_or_else(Formula::ff),
        Kind::Not(a) => Formula::not(inner(a)),
        Kind::And(list) => Formula::and(list.iter().map(inner)),
        Kind::Or(list) => Formula::or(list.iter().map(inner)),
        Kind::Implies(a, b) => Formula::implies(inner(a), inner(b)),
        Kind::Iff(a, b) => Formula::iff(inner(a), inner(b)),
        _ => formula.clone(),
    }
}
