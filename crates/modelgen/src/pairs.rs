//! Models with temporal properties whose verdicts their author has reasoned out: `tests/temporal`.
//!
//! ```text
//! /* what: one line that says what this model is
//!  * name: holds                 the ltl block `name`, without fairness
//!  * name weak: violated         with weak fairness, and a reason
//!  * name strong: holds
//!  * name weak: violated, spin differs: and why Spin is wrong
//!  */
//! ```

use crate::claims::Case;
use std::path::Path;

/// A property under some fairness, and what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    pub property: String,
    pub fairness: Fairness,
    pub violated: bool,
    /// Spin is wrong here: the header says why.
    pub spin_differs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    None,
    Weak,
    Strong,
}

impl Fairness {
    const ALL: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

    /// How Auspex is asked for it: in each of these ways.
    fn flags(self) -> &'static [&'static [&'static str]] {
        match self {
            Fairness::None => &[
                &["--algorithm", "components"],
                &["--algorithm", "nested"],
                &["--algorithm", "cndfs"],
            ],
            Fairness::Weak => &[&["--fair", "weak"]],
            Fairness::Strong => &[&["--fair", "strong"]],
        }
    }
}

/// What the header of a model expects, line by line.
pub fn parse(text: &str) -> Result<Vec<Expectation>, String> {
    let comment = text.split("*/").next().unwrap_or_default();
    let lines = comment.lines().skip(1).map(|line| line.trim_start_matches([' ', '*']));
    lines.filter(|line| !line.is_empty()).map(expectation).collect()
}

fn expectation(line: &str) -> Result<Expectation, String> {
    let wrong = || format!("not an expectation: `{line}`");
    let (subject, rest) = line.split_once(": ").ok_or_else(wrong)?;
    let (property, fairness) = match subject.split_once(' ') {
        None => (subject, Fairness::None),
        Some((property, "weak")) => (property, Fairness::Weak),
        Some((property, "strong")) => (property, Fairness::Strong),
        Some(_) => return Err(wrong()),
    };
    let (verdict, reason) = rest.split_once([' ', ',']).unwrap_or((rest, ""));
    let violated = match verdict {
        "holds" => false,
        "violated" => true,
        _ => return Err(wrong()),
    };
    let spin_differs = reason.trim_start().starts_with("spin differs: ");
    Ok(Expectation { property: property.to_owned(), fairness, violated, spin_differs })
}

/// Checks the expectations of a model against both tools; gives their number.
pub fn verify(auspex: &Path, file: &Path) -> Result<usize, String> {
    let text = std::fs::read_to_string(file).map_err(|why| why.to_string())?;
    let expectations = parse(&text)?;
    let case = Case::new(&text, file.parent())?;
    let pan = case.pan()?.ok_or("Spin refuses it")?;
    for fairness in Fairness::ALL {
        let of_kind: Vec<&Expectation> =
            expectations.iter().filter(|one| one.fairness == fairness).collect();
        if of_kind.is_empty() {
            continue;
        }
        let names: Vec<&str> = of_kind.iter().map(|one| one.property.as_str()).collect();
        for flags in fairness.flags() {
            let answers = case.auspex(auspex, &names, flags)?;
            for (one, answer) in of_kind.iter().zip(answers) {
                if answer != Some(one.violated) {
                    return Err(format!("{one:?}: Auspex {flags:?} says {answer:?}"));
                }
            }
        }
        for one in of_kind {
            // Spin knows no strong fairness.
            if fairness == Fairness::Strong {
                continue;
            }
            let answer = pan.is_violated(&one.property, fairness == Fairness::Weak)?;
            if (answer == Some(one.violated)) == one.spin_differs {
                return Err(format!("{one:?}: Spin says {answer:?}"));
            }
        }
    }
    Ok(expectations.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read() {
        let header = "/* what: a lock\n * one: holds\n * two weak: violated   why\n \
                      * two strong: violated, spin differs: proof\n */\nbyte x;\n";
        let kinds: Vec<(String, Fairness, bool, bool)> = parse(header)
            .unwrap()
            .into_iter()
            .map(|one| (one.property, one.fairness, one.violated, one.spin_differs))
            .collect();
        let expected = [
            ("one".to_string(), Fairness::None, false, false),
            ("two".to_string(), Fairness::Weak, true, false),
            ("two".to_string(), Fairness::Strong, true, true),
        ];
        assert_eq!(kinds, expected);
        assert!(parse("/* what: x\n * one: maybe\n */").is_err());
    }
}
