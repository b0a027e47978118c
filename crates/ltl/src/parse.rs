//! Text to formulas.
//!
//! Precedence is that of Spin's `ltl` blocks: unary operators bind tightest, then until and its
//! relatives, conjunction, disjunction, exclusive or, and last implication and equivalence. All
//! binary operators associate to the left, as in Spin; other tools read `a U b U c` and
//! `a -> b -> c` from the right, so these get a warning.

use crate::atom::{Atom, Table};
use crate::formula::Formula;
use crate::lex::{self, Kind, Token};
use auspex_system::{Diagnostic, FileId, Span};

/// How deeply operators and parentheses may be nested.
pub const MAX_DEPTH: u32 = 400;

/// A formula and the propositions it is about: `Atom(i)` is `atoms[i]`.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub formula: Formula,
    pub atoms: Vec<Atom>,
    /// Where other tools would read the text differently.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a formula. `text` begins at byte `offset` of `file`, which diagnostics refer to; the
/// ranges of atoms count from the beginning of `text`.
pub fn parse(text: &str, file: FileId, offset: u32) -> Result<Parsed, Diagnostic> {
    let tokens = lex::tokens(text);
    let partners = lex::partners(&tokens);
    let mut parser = Parser {
        text,
        file,
        offset,
        tokens,
        partners,
        at: 0,
        depth: 0,
        atoms: Table::default(),
        warnings: Vec::new(),
    };
    let formula = parser.binary(0)?;
    if parser.at < parser.tokens.len() {
        return Err(parser.unexpected("an operator or the end of the formula"));
    }
    Ok(Parsed { formula, atoms: parser.atoms.list, warnings: parser.warnings })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Implies,
    Iff,
    Xor,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unary {
    Not,
    Next,
    Always,
    Eventually,
}

const LEVELS: u8 = 5;

impl Binary {
    /// A larger number binds tighter.
    fn level(self) -> u8 {
        match self {
            Binary::Implies | Binary::Iff => 0,
            Binary::Xor => 1,
            Binary::Or => 2,
            Binary::And => 3,
            _ => 4,
        }
    }

    fn build(self, a: Formula, b: Formula) -> Formula {
        match self {
            Binary::Implies => Formula::implies(a, b),
            Binary::Iff => Formula::iff(a, b),
            Binary::Xor => Formula::xor(a, b),
            Binary::Or => Formula::or([a, b]),
            Binary::And => Formula::and([a, b]),
            Binary::Until => Formula::until(a, b),
            Binary::Release => Formula::release(a, b),
            Binary::WeakUntil => Formula::weak_until(a, b),
            Binary::StrongRelease => Formula::strong_release(a, b),
        }
    }
}

fn binary_word(word: &str) -> Option<Binary> {
    Some(match word {
        "U" | "until" | "stronguntil" => Binary::Until,
        "V" | "R" | "release" => Binary::Release,
        "W" | "weakuntil" => Binary::WeakUntil,
        "M" | "strongrelease" => Binary::StrongRelease,
        "implies" => Binary::Implies,
        "equivalent" => Binary::Iff,
        "and" => Binary::And,
        "or" => Binary::Or,
        "xor" => Binary::Xor,
        _ => return None,
    })
}

fn unary_word(word: &str) -> Option<Unary> {
    Some(match word {
        "not" => Unary::Not,
        "X" | "next" => Unary::Next,
        "G" | "always" | "globally" => Unary::Always,
        "F" | "eventually" | "finally" => Unary::Eventually,
        _ => return None,
    })
}

/// Capital letters may also be names; the long words are always operators.
fn is_letter(word: &str) -> bool {
    word.len() == 1
}

struct Parser<'t> {
    text: &'t str,
    file: FileId,
    offset: u32,
    tokens: Vec<Token>,
    partners: Vec<Option<usize>>,
    at: usize,
    depth: u32,
    atoms: Table,
    warnings: Vec<Diagnostic>,
}

impl<'t> Parser<'t> {
    fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    fn token_text(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| &self.text[token.start..token.end])
    }

    fn word(&self, index: usize) -> &'t str {
        if self.kind(index) == Some(Kind::Word) { self.token_text(index) } else { "" }
    }

    fn span(&self, first: usize, last: usize) -> Span {
        let end = self.text.len();
        let start = self.tokens.get(first).map_or(end, |token| token.start);
        let end = self.tokens.get(last).map_or(end, |token| token.end).max(start);
        let place = |at: usize| self.offset.saturating_add(at.min(u32::MAX as usize) as u32);
        Span { file: self.file, start: place(start), end: place(end) }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let (at, span) = (self.at, self.span(self.at, self.at));
        let Some(kind) = self.kind(at) else {
            return Diagnostic::error(
                span,
                format!("the formula ends where {expected} is expected"),
            )
            .label(format!("expected {expected}"));
        };
        let shown: String = self.token_text(at).chars().take(30).collect();
        let error = Diagnostic::error(span, format!("expected {expected}, found `{shown}`"))
            .label(format!("expected {expected}"));
        match (kind, shown.as_str()) {
            (Kind::Close | Kind::CloseBracket, _) => {
                error.hint("there is no opening bracket that belongs to this one")
            }
            (Kind::Unclosed, _) => error.hint("the quote or brace is never closed"),
            (_, "X" | "G" | "F") => {
                error.hint("X, G and F stand before their operand; put a name in quotes or braces")
            }
            (_, "&" | "|") => error.hint(
                "`&` and `|` are operators of the logic; put an expression with them in braces: \
                 { x & 1 }",
            ),
            _ => error.hint(
                "operators are ! && || -> <-> [] <> X U W V; any other text can be put in braces",
            ),
        }
    }

    /// One operand of every operator that binds tighter than `level`, then all operators of it.
    fn binary(&mut self, level: u8) -> Result<Formula, Diagnostic> {
        if level == LEVELS {
            return self.unary();
        }
        let first = self.at;
        let mut left = self.binary(level + 1)?;
        if let Some(operator @ (Binary::And | Binary::Or)) = self.binary_of(level) {
            return self.junction(operator, left);
        }
        let (mut before, mut warned): (Option<Binary>, bool) = (None, false);
        while let Some(operator) = self.binary_of(level) {
            if !warned && before.is_some_and(|before| !is_associative(before, operator)) {
                self.warn_associativity(first);
                warned = true;
            }
            before = Some(operator);
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = operator.build(left, right);
            if left.depth() > MAX_DEPTH {
                return Err(self.too_deep(first));
            }
        }
        Ok(left)
    }

    fn binary_of(&self, level: u8) -> Option<Binary> {
        self.binary_at(self.at).filter(|operator| operator.level() == level)
    }

    /// All operands of a chain at once: there may be very many.
    fn junction(&mut self, operator: Binary, first: Formula) -> Result<Formula, Diagnostic> {
        let mut parts = vec![first];
        while self.binary_of(operator.level()).is_some() {
            self.at += 1;
            parts.push(self.binary(operator.level() + 1)?);
        }
        Ok(if operator == Binary::And { Formula::and(parts) } else { Formula::or(parts) })
    }

    fn too_deep(&self, at: usize) -> Diagnostic {
        Diagnostic::error(self.span(at, at), "the formula is nested too deeply")
            .label(format!("more than {MAX_DEPTH} levels"))
            .hint("split it into several properties")
    }

    fn warn_associativity(&mut self, first: usize) {
        let span = self.span(first, self.at);
        self.warnings.push(
            Diagnostic::warning(span, "operators are grouped from the left, as in Spin")
                .label("other tools group from the right")
                .hint("add parentheses"),
        );
    }

    /// The binary operator at a token, where an operator is expected.
    fn binary_at(&self, index: usize) -> Option<Binary> {
        Some(match self.kind(index)? {
            Kind::And => Binary::And,
            Kind::Or => Binary::Or,
            Kind::Xor => Binary::Xor,
            Kind::Implies => Binary::Implies,
            Kind::Iff => Binary::Iff,
            Kind::Word => return binary_word(self.token_text(index)),
            _ => return None,
        })
    }

    /// The unary operator at a token, where an operand is expected. A capital letter is one only
    /// if an operand follows it.
    fn unary_at(&self, index: usize) -> Option<Unary> {
        match self.kind(index)? {
            Kind::Not => Some(Unary::Not),
            Kind::Always => Some(Unary::Always),
            Kind::Eventually => Some(Unary::Eventually),
            Kind::Word => {
                let word = self.token_text(index);
                unary_word(word).filter(|_| !is_letter(word) || self.operand_follows(index + 1))
            }
            _ => None,
        }
    }

    fn operand_follows(&self, index: usize) -> bool {
        match self.kind(index) {
            Some(Kind::Word) => match binary_word(self.token_text(index)) {
                // `X U b` is about a proposition called X, `X U` about one called U.
                Some(_) => {
                    is_letter(self.token_text(index)) && !self.operand_follows_flat(index + 1)
                }
                None => true,
            },
            _ => self.operand_follows_flat(index),
        }
    }

    fn operand_follows_flat(&self, index: usize) -> bool {
        use Kind::*;
        matches!(
            self.kind(index),
            Some(Word | Quoted | Braced | Open | Not | Always | Eventually | Unclosed)
        )
    }

    fn unary(&mut self) -> Result<Formula, Diagnostic> {
        let first = self.at;
        let mut operators = Vec::new();
        while let Some(operator) = self.unary_at(self.at) {
            operators.push(operator);
            self.at += 1;
        }
        if operators.last() == Some(&Unary::Not) {
            self.warn_negation();
        }
        let mut formula = self.operand()?;
        for operator in operators.into_iter().rev() {
            formula = match operator {
                Unary::Not => Formula::not(formula),
                Unary::Next => Formula::next(formula),
                Unary::Always => Formula::globally(formula),
                Unary::Eventually => Formula::finally(formula),
            };
            if formula.depth() > MAX_DEPTH {
                return Err(self.too_deep(first));
            }
        }
        Ok(formula)
    }

    /// `!x == 3` negates the comparison here, and only x in C and Promela.
    fn warn_negation(&mut self) {
        let end = self.atom_end(self.at);
        let compared = (self.at..end).any(|index| {
            self.kind(index) == Some(Kind::Host)
                && !matches!(self.token_text(index), "." | "@" | "?" | "::" | ",")
        });
        if self.is_group(self.at) || !compared {
            return;
        }
        self.warnings.push(
            Diagnostic::warning(
                self.span(self.at - 1, end.saturating_sub(1)),
                "the negation is of the whole expression",
            )
            .label("in C and Promela it would be of the first operand only")
            .hint("add parentheses"),
        );
    }

    /// Does the parenthesis at a token enclose a formula, rather than begin an atom?
    fn is_group(&self, index: usize) -> bool {
        if self.kind(index) != Some(Kind::Open) {
            return false;
        }
        let Some(close) = self.partners[index] else { return true };
        match self.kind(close + 1) {
            None | Some(Kind::Close) => true,
            Some(_) => self.binary_at(close + 1).is_some(),
        }
    }

    fn operand(&mut self) -> Result<Formula, Diagnostic> {
        match self.kind(self.at) {
            Some(Kind::Open) if self.is_group(self.at) => self.group(),
            Some(Kind::Word | Kind::Quoted | Kind::Braced | Kind::Open | Kind::Host) => self.atom(),
            _ => Err(self.unexpected("a proposition")),
        }
    }

    fn group(&mut self) -> Result<Formula, Diagnostic> {
        let open = self.at;
        if self.depth == MAX_DEPTH {
            return Err(self.too_deep(open));
        }
        self.depth += 1;
        self.at += 1;
        let formula = self.binary(0)?;
        self.depth -= 1;
        if self.kind(self.at) != Some(Kind::Close) {
            let error = self.unexpected("an operator or `)`");
            return Err(error.note(self.span(open, open), "the parenthesis opened here"));
        }
        self.at += 1;
        Ok(formula)
    }

    /// The first token that is no part of the atom that begins at `index`.
    fn atom_end(&self, mut index: usize) -> usize {
        // After a sign of the host language comes an operand of it, whatever it looks like.
        let mut operand = true;
        while let Some(kind) = self.kind(index) {
            match kind {
                Kind::Word if !operand && self.ends_atom(index) => break,
                Kind::Word | Kind::Quoted | Kind::Braced => operand = false,
                Kind::Open | Kind::OpenBracket => {
                    let Some(close) = self.partners[index] else { break };
                    index = close;
                    operand = false;
                }
                Kind::Host => operand = true,
                Kind::Not if operand && index > 0 && self.kind(index - 1) == Some(Kind::Host) => {}
                _ => break,
            }
            index += 1;
        }
        index
    }

    fn ends_atom(&self, index: usize) -> bool {
        let word = self.token_text(index);
        binary_word(word).is_some() || unary_word(word).is_some()
    }

    fn atom(&mut self) -> Result<Formula, Diagnostic> {
        let (first, end) = (self.at, self.atom_end(self.at));
        let reserved = self.word(first);
        if end == first
            || !is_letter(reserved)
                && (binary_word(reserved).is_some() || unary_word(reserved).is_some())
        {
            return Err(self.unexpected("a proposition"));
        }
        self.no_temporal_operator(first, end)?;
        self.at = end;
        let (first_token, last_token) = (self.tokens[first], self.tokens[end - 1]);
        let (mut start, mut stop) = (first_token.start, last_token.end);
        if end == first + 1 && matches!(first_token.kind, Kind::Quoted | Kind::Braced) {
            (start, stop) = (start + 1, stop - 1);
        } else if end == first + 1 && reserved == "true" {
            return Ok(Formula::tt());
        } else if end == first + 1 && reserved == "false" {
            return Ok(Formula::ff());
        }
        let inside = &self.text[start..stop];
        let trimmed = inside.trim();
        start += inside.len() - inside.trim_start().len();
        if trimmed.is_empty() {
            let error = Diagnostic::error(self.span(first, first), "an empty proposition");
            return Err(error.label("expected an expression"));
        }
        Ok(Formula::atom(self.atoms.find_or_add(trimmed, start..start + trimmed.len())))
    }

    /// Inside an atom there is only the host language, which has no `[]`.
    fn no_temporal_operator(&self, first: usize, end: usize) -> Result<(), Diagnostic> {
        let temporal = |index: &usize| {
            matches!(self.kind(*index), Some(Kind::Always | Kind::Eventually))
                || matches!(self.word(*index), "always" | "eventually" | "until" | "globally")
        };
        let Some(index) = (first..end).find(temporal) else { return Ok(()) };
        Err(Diagnostic::error(self.span(index, index), "a temporal operator inside an expression")
            .label("this cannot be part of a proposition")
            .note(self.span(first, end - 1), "the proposition")
            .hint("only whole formulas can be combined with && || -> and so on"))
    }
}

fn is_associative(before: Binary, operator: Binary) -> bool {
    before == operator && matches!(before, Binary::And | Binary::Or | Binary::Xor | Binary::Iff)
}
