//! LTL: formulas, and their translation to small Büchi automata.
//!
//! ```
//! use auspex_ltl::{Syntax, parse, translate};
//! use auspex_system::FileId;
//!
//! let parsed = parse("[] (request > 0 -> <> reply)", FileId(0), 0).unwrap();
//! assert_eq!(parsed.atoms[0].text, "request > 0");
//! let automaton = translate(&parsed.formula).unwrap();
//! assert_eq!(automaton.len(), 2);
//! // Words are letters; a letter is the bit set of the atoms that are true.
//! assert!(automaton.accepts(&[0b01], &[0b10]));
//! assert!(!automaton.accepts(&[0b10], &[0b01]));
//! let name = |atom: u32| parsed.atoms[atom as usize].text.clone();
//! println!("{}", automaton.to_never_claim("", &name));
//! println!("{}", parsed.formula.display(Syntax::Letters, &name));
//! ```
//!
//! # To check a property
//!
//! A property holds if no run of the system is accepted by the automaton of its *negation*:
//! `translate(&Formula::not(formula))`, then explore the product. In each step the product reads
//! the letter of the system's state and asks [`Automaton::successors`]. What kind of search is
//! needed depends on the automaton: reachability if it is [terminal](Automaton::is_terminal), a
//! simple search for cycles if it is [weak](Automaton::is_weak), a nested one otherwise.
//!
//! # How a formula becomes an automaton
//!
//! | stage | file | what is reduced |
//! | --- | --- | --- |
//! | text | `lex`, `parse`, `atom` | |
//! | formula | `formula`, `nnf`, `simplify`, `implication` | rewriting, implications between operands |
//! | very weak alternating automaton | `alternating` | moves that ask for more than others |
//! | generalised Büchi automaton, accepting by transitions | `generalised`, `omega` | acceptance sets that a component does not need; direct simulation forwards and backwards (`simulation`) |
//! | Büchi automaton, accepting by states | `degeneralise` | components one by one, in several orders; simulation again |
//! | deterministic weak automaton | `weak` | only for obligations: the unique smallest one, if it is the smallest of all |
//! | last | `merge` | states that can be merged because the language stays disjoint from the negation's |
//!
//! Several ways are tried, and the smallest result is kept (`translate`). Labels are binary
//! decision diagrams inside (`bdd`) and lists of cubes outside ([`Label`]), so that evaluating
//! one takes a few machine instructions.
//!
//! # Limits
//!
//! At most 64 atoms, 128 temporal subformulas, 64 eventualities; nesting of [`MAX_DEPTH`]. What is
//! beyond is a diagnostic, never a wrong answer. [`classify`] answers `None` where finding out
//! would take too long.
#![forbid(unsafe_code)]

mod alternating;
mod atom;
mod automaton;
mod bdd;
mod classify;
mod degeneralise;
mod formula;
mod generalised;
mod graph;
mod hoa;
mod hoa_lex;
mod hoa_read;
mod implication;
mod label;
mod lex;
mod merge;
mod never;
mod never_read;
mod nnf;
mod omega;
mod parse;
mod print;
mod product;
mod scc;
mod simplify;
mod simulation;
mod stutter;
mod system;
mod translate;
mod weak;

pub use atom::Atom;
pub use automaton::{Automaton, Transition};
pub use classify::{Class, classify};
pub use formula::{Formula, Kind};
pub use hoa_read::read_hoa;
pub use label::{Cube, Label};
pub use never_read::{ReadAutomaton, read_never_claim};
pub use parse::{MAX_DEPTH, Parsed, parse};
pub use print::Syntax;
pub use scc::{Components, components};
pub use system::{Move, Product, Watcher};
pub use translate::{MAX_ATOMS, translate};
