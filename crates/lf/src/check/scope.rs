//! Which names mean what, and where.

use crate::ast::{Export, Ident};
use crate::tree::{ModuleId, ProcessId, VariableId};
use crate::types::{Scalar, TypeId, Types};
use auspex_system::Span;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub enum Symbol {
    Constant {
        value: i64,
        ty: TypeId,
    },
    /// A constant in quotes.
    Text(usize),
    Type(TypeId),
    Variable(VariableId),
    Process(ProcessId),
    /// A module of the program.
    Module(ModuleId),
    /// One that is part of the system.
    Standard(Standard),
    Predeclared(Predeclared),
    /// Declared, but wrongly: no more messages about it.
    Invalid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    Out,
    In,
    System,
}

impl Standard {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "Out" => Some(Standard::Out),
            "In" => Some(Standard::In),
            "SYSTEM" => Some(Standard::System),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Standard::Out => "Out",
            Standard::In => "In",
            Standard::System => "SYSTEM",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predeclared {
    // Statements.
    New,
    Inc,
    Dec,
    Incl,
    Excl,
    Assert,
    Reschedule,
    Accept,
    NoMove,
    PortIn,
    PortOut,
    // Functions.
    Abs,
    Odd,
    Ord,
    Chr,
    Len,
    Min,
    Max,
    Lsl,
    Lsr,
    Asr,
    Ror,
    Band,
    Bor,
    Bxor,
    Bnot,
}

pub const PREDECLARED: [(&str, Predeclared); 26] = [
    ("NEW", Predeclared::New),
    ("INC", Predeclared::Inc),
    ("DEC", Predeclared::Dec),
    ("INCL", Predeclared::Incl),
    ("EXCL", Predeclared::Excl),
    ("ASSERT", Predeclared::Assert),
    ("RESCHEDULE", Predeclared::Reschedule),
    ("ACCEPT", Predeclared::Accept),
    ("NOMOVE", Predeclared::NoMove),
    ("PORTIN", Predeclared::PortIn),
    ("PORTOUT", Predeclared::PortOut),
    ("ABS", Predeclared::Abs),
    ("ODD", Predeclared::Odd),
    ("ORD", Predeclared::Ord),
    ("CHR", Predeclared::Chr),
    ("LEN", Predeclared::Len),
    ("MIN", Predeclared::Min),
    ("MAX", Predeclared::Max),
    ("LSL", Predeclared::Lsl),
    ("LSR", Predeclared::Lsr),
    ("ASR", Predeclared::Asr),
    ("ROR", Predeclared::Ror),
    ("BAND", Predeclared::Band),
    ("BOR", Predeclared::Bor),
    ("BXOR", Predeclared::Bxor),
    ("BNOT", Predeclared::Bnot),
];

const TYPES: [(&str, Scalar); 15] = [
    ("INTEGER", Scalar::Int32),
    ("INT8", Scalar::Int8),
    ("INT16", Scalar::Int16),
    ("INT32", Scalar::Int32),
    ("INT64", Scalar::Int64),
    ("UINT8", Scalar::Uint8),
    ("UINT16", Scalar::Uint16),
    ("UINT32", Scalar::Uint32),
    ("BYTE", Scalar::Uint8),
    ("SHORTINT", Scalar::Int16),
    ("LONGINT", Scalar::Int64),
    ("CARDINAL", Scalar::Uint32),
    ("SET", Scalar::Set),
    ("CHAR", Scalar::Char),
    ("BOOLEAN", Scalar::Boolean),
];

#[derive(Clone, Debug)]
pub struct Entry {
    pub symbol: Symbol,
    /// Where it was declared; `None`: everywhere known.
    pub span: Option<Span>,
    pub export: Export,
}

/// The names of one block.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub names: HashMap<String, Entry>,
}

impl Scope {
    /// What is known everywhere.
    pub fn universe() -> Self {
        let mut scope = Scope::default();
        let mut add = |name: &str, symbol| {
            let entry = Entry { symbol, span: None, export: Export::None };
            scope.names.insert(name.to_owned(), entry);
        };
        TYPES.iter().for_each(|(name, scalar)| add(name, Symbol::Type(Types::scalar(*scalar))));
        PREDECLARED.iter().for_each(|(name, what)| add(name, Symbol::Predeclared(*what)));
        // In lower case too, as the thesis writes them in one place.
        for (name, value) in [("FALSE", 0), ("TRUE", 1), ("false", 0), ("true", 1)] {
            add(name, Symbol::Constant { value, ty: Types::BOOLEAN });
        }
        scope
    }

    /// Declares a name; gives back where it was declared before, if it was.
    pub fn declare(&mut self, name: &Ident, export: Export, symbol: Symbol) -> Option<Span> {
        let entry = Entry { symbol, span: Some(name.span), export };
        let before = self.names.insert(name.text.clone(), entry)?;
        before.span
    }
}

/// The one of some names that someone may have meant.
pub fn similar<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = 1 + wanted.len() / 5;
    let scored = names.filter(|name| *name != wanted).map(|name| {
        let same_but_case = name.eq_ignore_ascii_case(wanted);
        (if same_but_case { 0 } else { distance(wanted, name) }, name)
    });
    scored.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name)
}

/// How many letters must be changed, added or removed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
