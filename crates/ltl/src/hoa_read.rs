//! The Hanoi Omega-Automata format, version 1: the reader.
//!
//! What can be read is every automaton that is (generalised) Büchi without alternation, with
//! acceptance on states or transitions, explicit or implicit labels, aliases, several initial
//! states. Anything else is refused.

use crate::atom::Atom;
use crate::automaton::Automaton;
use crate::bdd::{ALL, NONE, Set, Store};
use crate::degeneralise::{choices, degeneralise};
use crate::hoa_lex::{Kind, Token, tokens};
use crate::never_read::ReadAutomaton;
use crate::omega::{Edge, Omega};
use crate::simulation::reduce;
use auspex_system::{Diagnostic, FileId, Span};
use rustc_hash::FxHashMap;

/// Automata with more states than this are refused: the number alone would take memory.
const MAX_STATES: usize = 1_000_000;
const MAX_DEPTH: u32 = 200;

/// Reads an automaton. `text` begins at byte `offset` of `file`.
pub fn read_hoa(text: &str, file: FileId, offset: u32) -> Result<ReadAutomaton, Diagnostic> {
    let mut reader = Reader {
        tokens: tokens(text),
        at: 0,
        length: text.len(),
        file,
        offset,
        depth: 0,
        store: Store::new(),
        aliases: FxHashMap::default(),
        atoms: Vec::new(),
        starts: Vec::new(),
        acceptance: Acceptance::default(),
        edges: Vec::new(),
        on_states: true,
        state_marks: Vec::new(),
    };
    reader.header()?;
    reader.body()?;
    reader.finish()
}

#[derive(Default)]
struct Acceptance {
    declared: usize,
    /// The sets that must be visited for ever; `None` where nothing is accepted.
    needed: Option<Vec<usize>>,
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    length: usize,
    file: FileId,
    offset: u32,
    depth: u32,
    store: Store,
    aliases: FxHashMap<String, Set>,
    atoms: Vec<Atom>,
    starts: Vec<usize>,
    acceptance: Acceptance,
    edges: Vec<Vec<Edge>>,
    /// Are all acceptance marks on states?
    on_states: bool,
    state_marks: Vec<u64>,
}

impl Reader {
    fn kind(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn error(&self, message: impl Into<String>, label: &str) -> Diagnostic {
        let at = self.tokens.get(self.at).map_or((self.length, self.length), |t| (t.start, t.end));
        let place = |at: usize| self.offset.saturating_add(at.min(u32::MAX as usize) as u32);
        let span = Span { file: self.file, start: place(at.0), end: place(at.1) };
        Diagnostic::error(span, message).label(label)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        self.error(format!("expected {what}"), &format!("expected {what}"))
            .hint("this is read as an automaton in HOA format, version 1")
    }

    fn sign(&mut self, sign: char) -> bool {
        let found = self.kind() == Some(&Kind::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn int(&mut self, what: &str) -> Result<usize, Diagnostic> {
        let Some(Kind::Int(value)) = self.kind() else { return Err(self.expected(what)) };
        let value = *value;
        self.at += 1;
        Ok(value)
    }

    fn header(&mut self) -> Result<(), Diagnostic> {
        let first = self.kind() == Some(&Kind::Header("HOA".into()));
        self.at += 1;
        if !first || self.kind() != Some(&Kind::Word("v1".into())) {
            self.at = 0;
            return Err(self.expected("`HOA: v1`"));
        }
        self.at += 1;
        loop {
            match self.kind() {
                Some(Kind::Body) => break,
                Some(Kind::Header(name)) => {
                    let name = name.clone();
                    self.at += 1;
                    self.header_item(&name)?;
                }
                _ => return Err(self.expected("a header item or `--BODY--`")),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn header_item(&mut self, name: &str) -> Result<(), Diagnostic> {
        match name {
            "Start" => {
                let start = self.state("the initial state")?;
                self.starts.push(start);
            }
            "AP" => self.propositions()?,
            "Alias" => {
                let Some(Kind::Alias(alias)) = self.kind() else {
                    return Err(self.expected("an alias such as `@a`"));
                };
                let alias = alias.clone();
                self.at += 1;
                let label = self.label()?;
                self.aliases.insert(alias, label);
            }
            "Acceptance" => self.acceptance()?,
            // A name with a capital says that ignoring it would change the meaning.
            _ if name.starts_with(|c: char| c.is_uppercase()) && name != "States" => {
                self.at -= 1;
                return Err(
                    self.error(format!("the header `{name}:` is not known"), "not supported")
                );
            }
            _ => {
                while !matches!(self.kind(), None | Some(Kind::Header(_) | Kind::Body)) {
                    self.at += 1;
                }
            }
        }
        Ok(())
    }

    fn state(&mut self, what: &str) -> Result<usize, Diagnostic> {
        let state = self.int(what)?;
        if state >= MAX_STATES {
            self.at -= 1;
            return Err(self.error("the automaton has too many states", "more than a million"));
        }
        if self.kind() == Some(&Kind::Sign('&')) {
            return Err(
                self.error("alternating automata cannot be read", "a conjunction of states")
            );
        }
        if self.edges.len() <= state {
            self.edges.resize(state + 1, Vec::new());
            self.state_marks.resize(state + 1, 0);
        }
        Ok(state)
    }

    fn propositions(&mut self) -> Result<(), Diagnostic> {
        let count = self.int("the number of propositions")?;
        if count > crate::MAX_ATOMS as usize {
            self.at -= 1;
            return Err(self.error("the automaton has more than 64 propositions", "too many"));
        }
        for _ in 0..count {
            let token = self.tokens.get(self.at);
            let Some(Token { kind: Kind::Text(text), start, end }) = token else {
                return Err(self.expected("the name of a proposition, in quotes"));
            };
            self.atoms.push(Atom { text: text.clone(), range: start + 1..end - 1 });
            self.at += 1;
        }
        Ok(())
    }

    fn acceptance(&mut self) -> Result<(), Diagnostic> {
        let declared = self.int("the number of acceptance sets")?;
        if declared > 60 {
            self.at -= 1;
            return Err(self.error("more than 60 acceptance sets", "too many"));
        }
        let mut needed = Some(Vec::new());
        let unsupported = "only Büchi and generalised Büchi acceptance can be read";
        loop {
            match self.kind() {
                Some(Kind::Word(word)) if word == "t" => self.at += 1,
                Some(Kind::Word(word)) if word == "f" => {
                    self.at += 1;
                    needed = None;
                }
                Some(Kind::Word(word)) if word == "Inf" => {
                    self.at += 1;
                    let open = self.sign('(');
                    let set = self.int("an acceptance set")?;
                    if !open || !self.sign(')') || set >= declared {
                        self.at -= 1;
                        return Err(self.error(unsupported, "expected a set as in Inf(0)"));
                    }
                    needed.iter_mut().for_each(|list| list.push(set));
                }
                _ => return Err(self.error(unsupported, "not supported")),
            }
            if !self.sign('&') {
                break;
            }
        }
        if !matches!(self.kind(), Some(Kind::Header(_) | Kind::Body)) {
            return Err(self.error(unsupported, "not supported"));
        }
        self.acceptance = Acceptance { declared, needed };
        Ok(())
    }

    /// A Boolean combination of propositions.
    fn label(&mut self) -> Result<Set, Diagnostic> {
        let mut all = self.conjunction()?;
        while self.sign('|') {
            let next = self.conjunction()?;
            all = self.store.or(all, next);
        }
        Ok(all)
    }

    fn conjunction(&mut self) -> Result<Set, Diagnostic> {
        let mut all = self.literal()?;
        while self.sign('&') {
            let next = self.literal()?;
            all = self.store.and(all, next);
        }
        Ok(all)
    }

    fn literal(&mut self) -> Result<Set, Diagnostic> {
        let mut negated = false;
        while self.sign('!') {
            negated = !negated;
        }
        let set = match self.kind() {
            Some(Kind::Word(word)) if word == "t" => ALL,
            Some(Kind::Word(word)) if word == "f" => NONE,
            Some(Kind::Int(atom)) if *atom < self.atoms.len() => self.store.atom(*atom as u32),
            Some(Kind::Alias(name)) if self.aliases.contains_key(name) => self.aliases[name],
            Some(Kind::Sign('(')) if self.depth < MAX_DEPTH => {
                self.at += 1;
                self.depth += 1;
                let inner = self.label()?;
                self.depth -= 1;
                if self.kind() != Some(&Kind::Sign(')')) {
                    return Err(self.expected("`)`"));
                }
                inner
            }
            _ => return Err(self.expected("a proposition's number, a known alias, `t` or `f`")),
        };
        self.at += 1;
        Ok(if negated { self.store.not(set) } else { set })
    }

    fn bracketed_label(&mut self) -> Result<Option<Set>, Diagnostic> {
        if !self.sign('[') {
            return Ok(None);
        }
        let label = self.label()?;
        if self.sign(']') { Ok(Some(label)) } else { Err(self.expected("`]`")) }
    }

    fn marks(&mut self) -> Result<u64, Diagnostic> {
        let mut marks = 0;
        if !self.sign('{') {
            return Ok(0);
        }
        while !self.sign('}') {
            let set = self.int("an acceptance set or `}`")?;
            if set >= self.acceptance.declared {
                self.at -= 1;
                return Err(self.error("an acceptance set that was not declared", "too large"));
            }
            marks |= 1 << set;
        }
        Ok(marks)
    }

    fn body(&mut self) -> Result<(), Diagnostic> {
        loop {
            match self.kind() {
                Some(Kind::End) => break,
                Some(Kind::Header(name)) if name == "State" => self.at += 1,
                _ => return Err(self.expected("`State:` or `--END--`")),
            }
            let shared = self.bracketed_label()?;
            let state = self.state("the number of a state")?;
            if matches!(self.kind(), Some(Kind::Text(_))) {
                self.at += 1;
            }
            let marks = self.marks()?;
            self.state_marks[state] |= marks;
            let mut implicit = 0u64;
            while matches!(self.kind(), Some(Kind::Sign('[') | Kind::Int(_))) {
                let own = self.bracketed_label()?;
                let label = match own.or(shared) {
                    Some(label) => label,
                    None => self.valuation(&mut implicit)?,
                };
                let to = self.state("the target of the transition")?;
                let edge_marks = self.marks()?;
                self.on_states &= edge_marks == 0;
                self.edges[state].push(Edge { label, marks: marks | edge_marks, to });
            }
        }
        self.at += 1;
        if self.kind().is_some() {
            return Err(self.expected("the end: only one automaton can be read"));
        }
        Ok(())
    }

    /// Without labels the transitions of a state are those for all letters in order.
    fn valuation(&mut self, number: &mut u64) -> Result<Set, Diagnostic> {
        let all = if self.atoms.len() >= 64 { u64::MAX } else { (1 << self.atoms.len()) - 1 };
        if *number > all {
            return Err(self.error("more transitions without labels than letters", "one too many"));
        }
        let cube = crate::label::Cube { positive: *number, negative: all & !*number };
        *number = number.saturating_add(1);
        Ok(self.store.cube(cube))
    }

    fn finish(mut self) -> Result<ReadAutomaton, Diagnostic> {
        let Some(needed) = self.acceptance.needed.take() else {
            self.edges = vec![Vec::new()];
            self.starts = vec![0];
            return Ok(self.state_based(&[]));
        };
        match self.starts.as_slice() {
            [_] => {}
            // No initial state: nothing is accepted.
            starts => {
                let initial = self.edges.len();
                let mut own: Vec<Edge> = Vec::new();
                starts.iter().for_each(|start| own.extend(&self.edges[*start]));
                self.edges.push(own);
                self.state_marks.push(0);
                self.starts = vec![initial];
            }
        }
        if self.on_states && needed.len() <= 1 {
            return Ok(self.state_based(&needed));
        }
        Ok(self.generalised(&needed))
    }

    fn state_based(mut self, needed: &[usize]) -> ReadAutomaton {
        let has = |marks: &u64| needed.iter().all(|set| marks >> set & 1 == 1);
        self.state_marks.resize(self.edges.len(), 0);
        let colours = Some(self.state_marks.iter().map(has).collect());
        self.edges.iter_mut().flatten().for_each(|edge| edge.marks = 0);
        self.edges.iter_mut().for_each(|edges| edges.retain(|edge| edge.label != NONE));
        let omega = Omega { edges: self.edges, initial: self.starts[0], sets: 0, colours };
        let automaton = Automaton::from_omega(&mut self.store, &omega);
        ReadAutomaton { automaton, atoms: self.atoms }
    }

    fn generalised(mut self, needed: &[usize]) -> ReadAutomaton {
        for edge in self.edges.iter_mut().flatten() {
            let has = |(_, set): &(usize, &usize)| edge.marks >> **set & 1 == 1;
            let renumbered = needed.iter().enumerate().filter(has);
            edge.marks = renumbered.fold(0, |all, (new, _)| all | 1 << new);
        }
        let sets = needed.len() as u32;
        let initial = self.starts[0];
        let omega = Omega { edges: self.edges, initial, sets, colours: None };
        let reduced = reduce(&mut self.store, omega);
        let first = &choices(reduced.sets)[0];
        let unfolded = degeneralise(&reduced, first);
        let omega = reduce(&mut self.store, unfolded);
        let automaton = Automaton::from_omega(&mut self.store, &omega);
        ReadAutomaton { automaton, atoms: self.atoms }
    }
}
