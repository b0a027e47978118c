//! Formulas: the logic is read by [`auspex_ltl`] from text, its propositions are Promela again.

use std::ops::Range;

use auspex_system::{Diagnostic, FileId, Span};

use super::{Parse, Parser, cover};
use crate::ast::{Ltl, Proposition};
use crate::lexer::lex;
use crate::token::{Kind, Token, join_noting};

/// Where the parts of a text that was put together from tokens come from.
struct Origins {
    /// Never empty.
    parts: Vec<(Range<usize>, Span)>,
}

impl Origins {
    /// What the user wrote that became this part of the text.
    fn span(&self, part: Range<usize>) -> Span {
        let last = self.parts.len() - 1;
        let first = self.parts.partition_point(|(range, _)| range.end <= part.start);
        if first > last {
            let end = self.parts[last].1.end;
            return Span { start: end, end, ..self.parts[last].1 };
        }
        let behind = self.parts.partition_point(|(range, _)| range.start < part.end);
        let to = behind.saturating_sub(1).clamp(first, last);
        if first == to {
            return within(&self.parts[first], &part);
        }
        cover(within(&self.parts[first], &part), within(&self.parts[to], &part))
    }

    fn map(&self, span: &mut Span) {
        *span = self.span(span.start as usize..span.end as usize);
    }

    fn map_all(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span.iter_mut().for_each(|span| self.map(span));
        diagnostic.notes.iter_mut().for_each(|(span, _)| self.map(span));
        diagnostic
    }
}

/// The part of a token's place that a part of the text is, if the token stands there like that.
fn within((range, span): &(Range<usize>, Span), part: &Range<usize>) -> Span {
    if range.len() != (span.end - span.start) as usize {
        return *span;
    }
    let start = part.start.saturating_sub(range.start).min(range.len());
    let end = part.end.min(range.end).saturating_sub(range.start).max(start);
    Span { start: span.start + start as u32, end: span.start + end as u32, ..*span }
}

/// The text of the `End` behind a proposition: what messages call it.
const END: &str = "the end of the proposition";

impl Parser {
    /// Reads the formula that some tokens (at least one) are; `span` is the whole block.
    pub(super) fn formula(&mut self, tokens: &[Token], span: Span) -> Parse<Ltl> {
        let mut ranges = Vec::with_capacity(tokens.len());
        let text = join_noting(tokens, &self.macros.interner, |range| ranges.push(range));
        let parts = ranges.into_iter().zip(tokens.iter().map(|token| token.span)).collect();
        let origins = Origins { parts };
        let parsed = auspex_ltl::parse(&text, FileId(0), 0)
            .map_err(|error| self.fail(origins.map_all(error)))?;
        for warning in parsed.warnings {
            self.report.warning(origins.map_all(warning));
        }
        if parsed.atoms.len() > auspex_ltl::MAX_ATOMS as usize {
            let message = format!("more than {} propositions", auspex_ltl::MAX_ATOMS);
            return Err(self.fail(Diagnostic::error(span, message)));
        }
        let mut propositions = Vec::with_capacity(parsed.atoms.len());
        for atom in parsed.atoms {
            propositions.push(self.proposition(atom, &origins)?);
        }
        Ok(Ltl { name: None, text, formula: parsed.formula, propositions, span })
    }

    fn proposition(&mut self, atom: auspex_ltl::Atom, origins: &Origins) -> Parse<Proposition> {
        let (mut tokens, open_comment) = lex(&atom.text, FileId(0), &mut self.macros.interner);
        let from = atom.range.start;
        for token in &mut tokens {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            token.span = origins.span(from + start..from + end);
            token.made = (token.span.end - token.span.start) as usize != end - start;
        }
        let (Some(last), None) = (tokens.last().copied(), open_comment) else {
            let message = "this is no expression";
            let error = Diagnostic::error(origins.span(atom.range), message);
            return Err(self.fail(error));
        };
        let (symbol, end) = (self.macros.interner.intern(END), last.span.end);
        let span = Span { start: end, ..last.span };
        tokens.push(Token { kind: Kind::End, symbol, span, made: true, ..last });
        let outer = std::mem::replace(&mut self.tokens, tokens);
        let at = std::mem::replace(&mut self.at, 0);
        let expr = self.only_expression();
        (self.tokens, self.at) = (outer, at);
        Ok(Proposition { text: atom.text, expr: expr? })
    }
}
