//! Lines that no run comes to.

use crate::code::Program;
use crate::names;
use crate::view::Texts;
use auspex_system::{Location, Place};
use std::collections::BTreeMap;

/// The user's lines of which nothing was executed, by the sites that were. Of a function that is
/// never called only the head counts.
pub fn unreached(program: &Program, covered: &[bool]) -> Vec<Place> {
    let is_covered = |site: u32| covered.get(site as usize).copied().unwrap_or(false);
    // A line may belong to several functions: to all that it was inlined into.
    let mut lines: BTreeMap<Location, (bool, &str)> = BTreeMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        if function.runtime || function.code.is_empty() {
            continue;
        }
        let called = is_covered(function.first_site);
        for pc in 0..function.code.len() as u32 {
            let Some(id) = program.location(index as u32, pc) else { continue };
            let location = names::location(program, id);
            if location.line == 0 {
                continue;
            }
            let location = Location { column: 1, ..location };
            let line = lines.entry(location).or_insert((false, &function.name));
            line.0 |= is_covered(function.first_site + pc);
            if !called {
                break;
            }
        }
    }
    let mut texts = Texts::default();
    let never = lines.into_iter().filter(|(_, (covered, _))| !covered);
    let places = never.map(|(location, (_, function))| {
        let text = texts.line(&location);
        Place { process: format!("{function}()"), location, text }
    });
    // A brace is no statement: it has the code that leaves the block.
    places.filter(|place| !matches!(place.text.as_str(), "}" | "{" | "")).collect()
}
