//! Temporal properties: `ltl` blocks and never claims as automata over propositions.

use super::{Lowerer, Symbols, Unchecked};
use crate::ast;
use auspex_ltl::{Automaton, Formula, Kind, translate};
use auspex_process::Model;
use auspex_process::ir::{Expr, Mark, UnaryOp};
use auspex_system::{Diagnostic, Location, SourceMap, Span};

/// What must not happen, as an automaton of the runs that are wrong.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub kind: PropertyKind,
    /// Where the file states it; unknown if the file does not.
    pub location: Location,
    /// The formula as text, macros expanded.
    pub formula: Option<String>,
    /// May it tell runs apart that differ only in how long a state stays? A formula with `X`, or a
    /// never claim, about which nobody knows.
    pub has_next: bool,
    /// Accepts the runs that violate the property. Bit `i` of a letter is proposition `i`.
    pub automaton: Automaton,
    /// The propositions as text.
    pub atoms: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Ltl,
    Never,
    /// No cycle passes an accept label.
    Acceptance,
    /// Every cycle passes a progress label.
    Progress,
}

impl Lowerer<'_> {
    /// The properties of the file, in its order. Names may be declared behind their use here.
    pub fn properties(&mut self, program: &ast::Program) {
        let names = self.property_names(program);
        for (item, name) in program.items.iter().zip(names) {
            let (kind, span) = match item {
                ast::Item::Ltl(ltl) => (PropertyKind::Ltl, ltl.span),
                ast::Item::Claim(claim) if claim.kind == ast::ClaimKind::Never => {
                    (PropertyKind::Never, claim.span)
                }
                ast::Item::Claim(claim) => {
                    self.trace_assertion(claim);
                    continue;
                }
                _ => continue,
            };
            let lowered = match item {
                ast::Item::Ltl(ltl) => self.ltl(ltl),
                ast::Item::Claim(claim) => self.never_claim(claim),
                _ => None,
            };
            let location = self.map.location(span);
            let unsupported = std::mem::take(&mut self.unsupported);
            if !unsupported.is_empty() {
                let what = if kind == PropertyKind::Ltl { "formula" } else { "never claim" };
                for (span, found) in unsupported {
                    let message = format!("{found} is not supported in a {what}");
                    let hint = format!("`{name}` is not checked");
                    self.warning(Diagnostic::warning(span, message).hint(hint));
                }
                self.unchecked.push(Unchecked { name, location });
                continue;
            }
            let Some(Lowered { automaton, propositions, atoms, formula, has_next }) = lowered
            else {
                continue;
            };
            self.model.properties.push(propositions);
            let property = Property { name, kind, location, formula, has_next, automaton, atoms };
            self.properties.push(property);
        }
    }

    /// A name for each item (one that is no property has an empty one).
    fn property_names(&mut self, program: &ast::Program) -> Vec<String> {
        let mut unnamed = 0;
        let mut never: Option<Span> = None;
        let mut known: Vec<&ast::Name> = Vec::new();
        let mut names = Vec::with_capacity(program.items.len());
        for item in &program.items {
            let (given, kind, span) = match item {
                ast::Item::Claim(claim) => (&claim.name, claim_word(claim.kind), claim.span),
                ast::Item::Ltl(ltl) => (&ltl.name, "ltl", ltl.span),
                _ => {
                    names.push(String::new());
                    continue;
                }
            };
            if let Some(name) = given {
                if let Some(first) = known.iter().find(|other| other.text == name.text) {
                    let message = format!("two properties are called `{}`", name.text);
                    let error = Diagnostic::error(name.span, message);
                    self.errors.push(error.note(first.span, "the first one"));
                }
                known.push(name);
                names.push(name.text.clone());
                continue;
            }
            unnamed += 1;
            if kind == "never"
                && let Some(first) = never.replace(span)
            {
                let message = "only one never claim can be without a name";
                let error = Diagnostic::error(span, message).note(first, "the first one");
                self.errors.push(error.hint("name it: `never name { ... }`"));
            }
            let name = if unnamed == 1 { kind.into() } else { format!("{kind}_{unnamed}") };
            names.push(name);
        }
        names
    }

    fn ltl(&mut self, ltl: &ast::Ltl) -> Option<Lowered> {
        self.in_property = true;
        let exprs = ltl.propositions.iter().map(|p| self.value(&p.expr));
        let propositions = exprs.collect();
        self.in_property = false;
        let atoms = ltl.propositions.iter().map(|p| p.text.clone()).collect();
        let has_next = has_next(&ltl.formula);
        let formula = Some(ltl.text.clone());
        // The first pass is about names only, and so is one that finds errors.
        if !self.is_second || !self.errors.is_empty() {
            return None;
        }
        match translate(&Formula::not(ltl.formula.clone())) {
            Ok(automaton) => Some(Lowered { automaton, propositions, atoms, formula, has_next }),
            Err(mut error) => {
                error.span.get_or_insert(ltl.span);
                self.errors.push(error);
                None
            }
        }
    }
}

/// What becomes of a property.
pub struct Lowered {
    pub automaton: Automaton,
    pub propositions: Vec<Expr>,
    pub atoms: Vec<String>,
    pub formula: Option<String>,
    pub has_next: bool,
}

/// Adds a formula to a model that is complete. What the formula mentions can no longer change the
/// model's states: hidden variables and labels on jumps are refused.
pub fn lower_formula(
    ltl: &ast::Ltl,
    map: &SourceMap,
    symbols: &Symbols,
    model: &mut Model,
) -> Result<(Property, Vec<Expr>), Vec<Diagnostic>> {
    let mut lowerer = Lowerer::late(map, symbols, model);
    let lowered = lowerer.ltl(ltl);
    lowerer.is_strict = true;
    lowerer.resolve_labels();
    for (span, found) in std::mem::take(&mut lowerer.unsupported) {
        lowerer.error(span, format!("{found} is not supported in a formula"));
    }
    std::mem::swap(&mut lowerer.model, model);
    match lowered {
        Some(Lowered { automaton, propositions, atoms, formula, has_next })
            if lowerer.errors.is_empty() =>
        {
            let (name, kind, location) = (String::new(), PropertyKind::Ltl, Location::unknown());
            let property = Property { name, kind, location, formula, has_next, automaton, atoms };
            Ok((property, propositions))
        }
        _ => Err(lowerer.errors),
    }
}

/// Cycles without progress: from some time on, nobody is at a progress label.
pub fn progress() -> Option<(Property, Expr)> {
    let formula = Formula::finally(Formula::globally(Formula::atom(0)));
    let property = built_in("non-progress", PropertyKind::Progress, &formula, "np_")?;
    Some((property, no_progress()))
}

/// Cycles through an accept label of some process.
pub fn acceptance() -> Option<(Property, Expr)> {
    let formula = Formula::globally(Formula::finally(Formula::atom(0)));
    let atom = "some process is at an accept label";
    let property = built_in("acceptance", PropertyKind::Acceptance, &formula, atom)?;
    Some((property, Expr::Marked(Mark::Accept)))
}

fn built_in(name: &str, kind: PropertyKind, wrong: &Formula, atom: &str) -> Option<Property> {
    Some(Property {
        name: name.into(),
        kind,
        location: Location::unknown(),
        formula: None,
        has_next: false,
        automaton: translate(wrong).ok()?,
        atoms: vec![atom.into()],
    })
}

/// `np_`: nobody is at a progress label, and (as in Spin) the system has not stopped: a run that
/// ends is no cycle without progress.
pub fn no_progress() -> Expr {
    let either = Expr::Or(Box::new((Expr::Marked(Mark::Progress), Expr::Stopped)));
    Expr::Unary(UnaryOp::Not, Box::new(either))
}

fn has_next(formula: &Formula) -> bool {
    matches!(formula.kind(), Kind::Next(_)) || formula.children().any(has_next)
}

fn claim_word(kind: ast::ClaimKind) -> &'static str {
    match kind {
        ast::ClaimKind::Never => "never",
        ast::ClaimKind::Trace => "trace",
        ast::ClaimKind::Notrace => "notrace",
    }
}
