//! The judge's word on the properties of `tests/temporal`: for strong fairness there is no other judge.

use crate::formula::Ltl;
use crate::graph::Graph;
use crate::tableau;
use auspex_ltl::{Formula, Kind};
use auspex_modelgen::corpus;
use auspex_modelgen::pairs::{self, Fairness};
use auspex_promela::{Options, load};
use auspex_system::{FileId, SourceMap};
use std::path::Path;

/// The same formula in the judge's own words.
fn own(formula: &Formula) -> Ltl {
    let one = |a: &Formula| Box::new(own(a));
    let all = |list: &[Formula], join: fn(Box<Ltl>, Box<Ltl>) -> Ltl| {
        let parts = list.iter().map(own);
        parts.reduce(|a, b| join(Box::new(a), Box::new(b))).expect("at least two")
    };
    match formula.kind() {
        Kind::True => Ltl::True,
        Kind::False => Ltl::Not(Box::new(Ltl::True)),
        Kind::Atom(atom) => Ltl::Atom(*atom as usize),
        Kind::Not(a) => Ltl::Not(one(a)),
        Kind::And(list) => all(list, Ltl::And),
        Kind::Or(list) => all(list, Ltl::Or),
        Kind::Implies(a, b) => Ltl::Implies(one(a), one(b)),
        Kind::Iff(a, b) => Ltl::Iff(one(a), one(b)),
        Kind::Next(a) => Ltl::Next(one(a)),
        Kind::Until(a, b) => Ltl::Until(one(a), one(b)),
        Kind::Release(a, b) => Ltl::Release(one(a), one(b)),
        Kind::WeakUntil(a, b) => Ltl::WeakUntil(one(a), one(b)),
        Kind::StrongRelease(a, b) => Ltl::Until(one(b), Box::new(Ltl::And(one(a), one(b)))),
    }
}

#[test]
fn written_pairs_agree_with_their_definition() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/temporal");
    let mut count = 0;
    for file in corpus::models(&directory) {
        let text = std::fs::read_to_string(&file).unwrap();
        let expectations = pairs::parse(&text).unwrap();
        let options = Options::default();
        let loaded = match load(&mut SourceMap::default(), &file, &options) {
            Ok(loaded) => loaded,
            Err(errors) => panic!("{}: {errors:?}", file.display()),
        };
        for (number, property) in loaded.properties.iter().enumerate() {
            let text = property.formula.as_deref().unwrap();
            let parsed = auspex_ltl::parse(text, FileId(0), 0).unwrap();
            let atoms: Vec<&str> = parsed.atoms.iter().map(|atom| atom.text.as_str()).collect();
            assert_eq!(property.atoms, atoms, "{text}");
            let graph = Graph::new(&loaded.model, number, 20_000).expect("a small model");
            let wrong = Ltl::Not(Box::new(own(&parsed.formula)));
            let violated = tableau::has_run(&graph, &wrong, 6).expect("a small formula");
            let mut mentioned = false;
            for one in expectations.iter().filter(|one| one.property == property.name) {
                mentioned = true;
                count += 1;
                let found = match one.fairness {
                    Fairness::None => violated[0],
                    Fairness::Weak => violated[1],
                    Fairness::Strong => violated[2],
                };
                assert_eq!(found, one.violated, "{}: {one:?}", file.display());
            }
            assert!(mentioned, "{}: what is expected of {text}?", file.display());
        }
    }
    println!("{count} pairs");
}
