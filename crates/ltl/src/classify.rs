//! What kind of property a formula is, by its syntax and by its meaning.

use crate::bdd::Store;
use crate::formula::{Formula, Kind};
use crate::omega::Omega;
use crate::product::disjoint;
use crate::stutter::is_stutter_invariant;
use crate::translate::quick;
use crate::weak::{Weak, minimal_weak};
use auspex_system::Diagnostic;

/// What is known about the meaning of a formula; `None` where finding out would cost too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Every word satisfies it.
    pub tautology: bool,
    /// No word satisfies it.
    pub unsatisfiable: bool,
    /// Every violation shows after finitely many steps, whatever follows.
    pub safety: Option<bool>,
    /// Every satisfaction shows after finitely many steps (also called co-safety).
    pub guarantee: Option<bool>,
    /// A Boolean combination of safety and guarantee.
    pub obligation: Option<bool>,
    /// Repeating a letter, or dropping a repetition, never matters. Only such properties may
    /// be checked with partial order reduction.
    pub stutter_invariant: Option<bool>,
}

impl Formula {
    /// Safety that shows in the text: no until and no strong release in negation normal form.
    pub fn is_syntactic_safety(&self) -> bool {
        lacks(&self.nnf(), &|kind| matches!(kind, Kind::Until(..)))
    }

    /// Guarantee that shows in the text: no release and no weak until in negation normal form.
    pub fn is_syntactic_guarantee(&self) -> bool {
        lacks(&self.nnf(), &|kind| matches!(kind, Kind::Release(..)))
    }

    /// Is the formula insensitive to stuttering? At once if it has no next operator, by its
    /// automata otherwise. `None`: not found out.
    pub fn is_stutter_invariant(&self) -> Result<Option<bool>, Diagnostic> {
        if !self.has_next() || !self.simplify().has_next() {
            return Ok(Some(true));
        }
        let mut store = Store::new();
        let yes = quick(&mut store, self)?;
        let no = quick(&mut store, &Formula::not(self.clone()))?;
        Ok(is_stutter_invariant(&mut store, &yes, &no))
    }
}

fn lacks(formula: &Formula, bad: &dyn Fn(&Kind) -> bool) -> bool {
    let mut found = false;
    formula.visit(&mut |part| found |= bad(part.kind()));
    !found
}

/// Finds out all that [`Class`] can say.
pub fn classify(formula: &Formula) -> Result<Class, Diagnostic> {
    let mut store = Store::new();
    let yes = quick(&mut store, formula)?;
    let no = quick(&mut store, &Formula::not(formula.clone()))?;
    let safety = is_closed(&mut store, &yes, &no);
    let guarantee = is_closed(&mut store, &no, &yes);
    let obligation = match (safety, guarantee) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        _ => match minimal_weak(&mut store, &yes, &no) {
            Weak::Minimal(_) => Some(true),
            Weak::NoObligation => Some(false),
            Weak::TooLarge => None,
        },
    };
    Ok(Class {
        tautology: no.is_empty(),
        unsatisfiable: yes.is_empty(),
        safety,
        guarantee,
        obligation,
        stutter_invariant: formula.is_stutter_invariant()?,
    })
}

/// Does `yes` accept every word all of whose beginnings it can still accept? It does if dropping
/// acceptance (all its states can accept something) adds nothing of the complement.
fn is_closed(store: &mut Store, yes: &Omega, no: &Omega) -> Option<bool> {
    let mut closure = yes.clone().trimmed();
    closure.sets = 0;
    closure.colours = None;
    closure.edges.iter_mut().flatten().for_each(|edge| edge.marks = 0);
    disjoint(store, &closure, no)
}
