//! Formulas: shared, immutable trees with constructors that simplify what is trivial.
//!
//! `F a` is kept as `true U a` and `G a` as `false R a`, so every rule about until and release
//! is also a rule about them; the printer shows them as one expects.

use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The operator at the root of a formula.
#[derive(Clone, Debug)]
pub enum Kind {
    True,
    False,
    /// An index into the caller's table of propositions.
    Atom(u32),
    Not(Formula),
    /// At least two operands, none of which is a conjunction.
    And(Box<[Formula]>),
    /// At least two operands, none of which is a disjunction.
    Or(Box<[Formula]>),
    Implies(Formula, Formula),
    Iff(Formula, Formula),
    Next(Formula),
    /// The right one comes, and the left one holds until then.
    Until(Formula, Formula),
    /// The right one holds up to and including the moment of the left one, which need not come.
    Release(Formula, Formula),
    /// Until, but the right one need not come.
    WeakUntil(Formula, Formula),
    /// Release, and the left one does come.
    StrongRelease(Formula, Formula),
}

/// A formula of linear temporal logic.
///
/// Cheap to clone. Equality is structural (conjuncts in another order make another formula) and
/// fast: hashes are kept, and shared parts are compared by address.
#[derive(Clone)]
pub struct Formula(Arc<Node>);

struct Node {
    kind: Kind,
    hash: u64,
    depth: u32,
    /// The number of nodes as a tree, where shared parts count each time.
    tree: u64,
}

impl Formula {
    fn new(kind: Kind) -> Self {
        let mut hash = tag(&kind).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (mut depth, mut tree) = (0, 1u64);
        let mut mix = |value: u64| {
            hash = (hash.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
        };
        if let Kind::Atom(atom) = &kind {
            mix(u64::from(*atom));
        }
        for child in children(&kind) {
            mix(child.0.hash);
            depth = depth.max(child.0.depth + 1);
            tree = tree.saturating_add(child.0.tree);
        }
        Formula(Arc::new(Node { kind, hash, depth, tree }))
    }

    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The operands, from left to right.
    pub fn children(&self) -> impl Iterator<Item = &Formula> {
        children(&self.0.kind)
    }

    /// How many operators are nested in each other.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Its length as text, more or less: equivalences nested in each other have normal forms
    /// that are short only as long as their parts are shared.
    pub(crate) fn tree_size(&self) -> u64 {
        self.0.tree
    }

    pub fn tt() -> Self {
        Self::new(Kind::True)
    }

    pub fn ff() -> Self {
        Self::new(Kind::False)
    }

    pub fn atom(index: u32) -> Self {
        Self::new(Kind::Atom(index))
    }

    pub fn is_true(&self) -> bool {
        matches!(self.kind(), Kind::True)
    }

    pub fn is_false(&self) -> bool {
        matches!(self.kind(), Kind::False)
    }

    /// An atom, a negated atom or a constant.
    pub fn is_literal(&self) -> bool {
        match self.kind() {
            Kind::True | Kind::False | Kind::Atom(_) => true,
            Kind::Not(inner) => matches!(inner.kind(), Kind::Atom(_)),
            _ => false,
        }
    }

    #[expect(clippy::should_implement_trait)]
    pub fn not(inner: Formula) -> Self {
        match inner.kind() {
            Kind::True => Self::ff(),
            Kind::False => Self::tt(),
            Kind::Not(twice) => twice.clone(),
            _ => Self::new(Kind::Not(inner)),
        }
    }

    /// The conjunction in the given order, flattened and without repetitions.
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Self {
        let mut list = Distinct::default();
        for part in parts {
            match part.kind() {
                Kind::True => {}
                Kind::False => return part,
                Kind::And(inner) => inner.iter().for_each(|f| list.push(f)),
                _ => list.push(&part),
            }
        }
        let mut list = list.list;
        match list.len() {
            0 => Self::tt(),
            1 => list.remove(0),
            _ => Self::new(Kind::And(list.into())),
        }
    }

    /// The disjunction in the given order, flattened and without repetitions.
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Self {
        let mut list = Distinct::default();
        for part in parts {
            match part.kind() {
                Kind::False => {}
                Kind::True => return part,
                Kind::Or(inner) => inner.iter().for_each(|f| list.push(f)),
                _ => list.push(&part),
            }
        }
        let mut list = list.list;
        match list.len() {
            0 => Self::ff(),
            1 => list.remove(0),
            _ => Self::new(Kind::Or(list.into())),
        }
    }

    pub fn implies(left: Formula, right: Formula) -> Self {
        match (left.kind(), right.kind()) {
            (Kind::True, _) | (_, Kind::True) => right,
            (Kind::False, _) => Self::tt(),
            (_, Kind::False) => Self::not(left),
            _ => Self::new(Kind::Implies(left, right)),
        }
    }

    pub fn iff(left: Formula, right: Formula) -> Self {
        match (left.kind(), right.kind()) {
            (Kind::True, _) => right,
            (_, Kind::True) => left,
            (Kind::False, _) => Self::not(right),
            (_, Kind::False) => Self::not(left),
            _ => Self::new(Kind::Iff(left, right)),
        }
    }

    pub fn xor(left: Formula, right: Formula) -> Self {
        Self::not(Self::iff(left, right))
    }

    pub fn next(inner: Formula) -> Self {
        match inner.kind() {
            Kind::True | Kind::False => inner,
            _ => Self::new(Kind::Next(inner)),
        }
    }

    pub fn until(left: Formula, right: Formula) -> Self {
        match (left.kind(), right.kind()) {
            (_, Kind::True | Kind::False) | (Kind::False, _) => right,
            _ if left == right => right,
            _ => Self::new(Kind::Until(left, right)),
        }
    }

    pub fn release(left: Formula, right: Formula) -> Self {
        match (left.kind(), right.kind()) {
            (_, Kind::True | Kind::False) | (Kind::True, _) => right,
            _ if left == right => right,
            _ => Self::new(Kind::Release(left, right)),
        }
    }

    pub fn weak_until(left: Formula, right: Formula) -> Self {
        match (left.kind(), right.kind()) {
            (Kind::True, _) => left,
            (_, Kind::True) | (Kind::False, _) => right,
            (_, Kind::False) => Self::globally(left),
            _ if left == right => right,
            _ => Self::new(Kind::WeakUntil(left, right)),
        }
    }

    pub fn strong_release(left: Formula, right: Formula) -> Self {
        match (left.kind(), right.kind()) {
            (Kind::False, _) => left,
            (_, Kind::False) | (Kind::True, _) => right,
            (_, Kind::True) => Self::finally(left),
            _ if left == right => right,
            _ => Self::new(Kind::StrongRelease(left, right)),
        }
    }

    pub fn finally(inner: Formula) -> Self {
        Self::until(Self::tt(), inner)
    }

    pub fn globally(inner: Formula) -> Self {
        Self::release(Self::ff(), inner)
    }
}

/// A list without repetitions; long ones are looked up by hash.
#[derive(Default)]
struct Distinct {
    list: Vec<Formula>,
    seen: FxHashSet<Formula>,
}

impl Distinct {
    fn push(&mut self, formula: &Formula) {
        if self.seen.insert(formula.clone()) {
            self.list.push(formula.clone());
        }
    }
}

/// The operator as a number: the first thing that formulas are hashed and ordered by.
fn tag(kind: &Kind) -> u64 {
    match kind {
        Kind::True => 1,
        Kind::False => 2,
        Kind::Atom(_) => 3,
        Kind::Not(_) => 4,
        Kind::And(_) => 5,
        Kind::Or(_) => 6,
        Kind::Implies(..) => 7,
        Kind::Iff(..) => 8,
        Kind::Next(_) => 9,
        Kind::Until(..) => 10,
        Kind::Release(..) => 11,
        Kind::WeakUntil(..) => 12,
        Kind::StrongRelease(..) => 13,
    }
}

fn children(kind: &Kind) -> impl Iterator<Item = &Formula> {
    let (one, two, many): (Option<&Formula>, Option<&Formula>, &[Formula]) = match kind {
        Kind::True | Kind::False | Kind::Atom(_) => (None, None, &[]),
        Kind::Not(a) | Kind::Next(a) => (Some(a), None, &[]),
        Kind::And(list) | Kind::Or(list) => (None, None, list),
        Kind::Implies(a, b)
        | Kind::Iff(a, b)
        | Kind::Until(a, b)
        | Kind::Release(a, b)
        | Kind::WeakUntil(a, b)
        | Kind::StrongRelease(a, b) => (Some(a), Some(b), &[]),
    };
    one.into_iter().chain(two).chain(many)
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.0.hash == other.0.hash && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Formula {}

impl Hash for Formula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Formula {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Shallow formulas first; the same on every run, so that results are.
impl Ord for Formula {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        let own = match (self.kind(), other.kind()) {
            (Kind::Atom(a), Kind::Atom(b)) => a.cmp(b),
            (a, b) => tag(a).cmp(&tag(b)),
        };
        self.0
            .depth
            .cmp(&other.0.depth)
            .then(own)
            .then_with(|| self.children().cmp(other.children()))
    }
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.display(crate::Syntax::Letters, &|atom| format!("p{atom}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_remove_constants_and_repetitions() {
        let (a, b) = (Formula::atom(0), Formula::atom(1));
        assert_eq!(Formula::and([a.clone(), Formula::tt(), a.clone()]), a);
        assert!(Formula::or([a.clone(), Formula::tt()]).is_true());
        assert_eq!(Formula::not(Formula::not(a.clone())), a);
        assert_eq!(Formula::until(a.clone(), a.clone()), a);
        assert_eq!(Formula::until(Formula::ff(), b.clone()), b);
        assert_eq!(Formula::weak_until(a.clone(), Formula::ff()), Formula::globally(a.clone()));
        let nested = Formula::and([a.clone(), Formula::and([b.clone(), a.clone()])]);
        assert_eq!(nested, Formula::and([a, b]));
    }
}
