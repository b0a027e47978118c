//! The macros that are defined.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use auspex_system::Span;

use crate::token::{Interner, Symbol, Token};

/// The macros of a model, and which of its names are proctypes: what an expression needs that is written
/// elsewhere (`--watch`) but means the model.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    pub(crate) interner: Interner,
    pub(crate) proctypes: HashSet<Symbol>,
    pub(super) table: HashMap<Symbol, Rc<Macro>>,
}

#[derive(Debug)]
pub struct Macro {
    pub span: Span,
    /// `None` for a macro without parentheses.
    pub parameters: Option<Parameters>,
    pub body: Vec<Part>,
}

#[derive(Debug)]
pub struct Parameters {
    pub names: Vec<Symbol>,
    /// The last one takes all the arguments that are left.
    pub variadic: bool,
}

/// A token of a macro's body, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub token: Token,
    pub role: Role,
    /// `##` stands behind it.
    pub pasted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Itself,
    Argument(usize),
    /// `#parameter`
    Quoted(usize),
}

impl Macro {
    /// Would a second definition like this one change nothing?
    pub fn is_same(&self, other: &Macro) -> bool {
        let names = |m: &Macro| m.parameters.as_ref().map(|p| (p.names.clone(), p.variadic));
        let part = |p: &Part| (p.token.symbol, p.role, p.pasted);
        names(self) == names(other) && self.body.iter().map(part).eq(other.body.iter().map(part))
    }
}
