//! Random formulas about random models: what pan says, and what Auspex says.

use crate::claims::Case;
use crate::generate::generate;
use std::path::Path;

/// What came of one seed.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// On so many formulas, so many of them violated. Where one of the two cannot say (too large, or not
    /// a model), there are fewer.
    Agree {
        formulas: usize,
        violated: usize,
    },
    Disagree(String),
}

/// How many formulas there are about each model: pan is compiled once for all of them.
pub const FORMULAS: usize = 5;
const MOST_STATES: &str = "50000";

/// A random model and random formulas about its variables: `f0`, `f1`, ...
pub fn model(seed: u64) -> Option<String> {
    let mut text = without_assertions(seed, 10);
    let variables = variables(&text);
    if variables.is_empty() {
        return None;
    }
    let mut random = fastrand::Rng::with_seed(seed);
    for number in 0..FORMULAS {
        let atoms: Vec<String> = (0..3).map(|_| comparison(&mut random, &variables)).collect();
        let formula = formula(&mut random, &atoms, 3);
        text += &format!("\nltl f{number} {{ {formula} }}");
    }
    Some(text + "\n")
}

/// A random model without assertions: they would end runs.
pub fn without_assertions(seed: u64, size: usize) -> String {
    let plain = |line: &str| match line.trim_start().starts_with("assert(") {
        true => "\tskip;".to_owned(),
        false => line.to_owned(),
    };
    generate(seed, size).lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// The global variables of a random model that are plain numbers.
pub fn variables(text: &str) -> Vec<String> {
    let variable = |line: &str| {
        let (ty, rest) = line.split_once(' ')?;
        let name = rest.split([' ', ';', '=']).next()?;
        let known = ["bit", "bool", "byte", "short", "int"].contains(&ty);
        (known && !name.contains('[')).then(|| name.to_owned())
    };
    text.lines().filter_map(variable).collect()
}

/// A proposition about one of the variables.
pub fn comparison(random: &mut fastrand::Rng, variables: &[String]) -> String {
    let name = &variables[random.usize(..variables.len())];
    let relation = ["==", "<", ">", "!="][random.usize(..4)];
    format!("{name} {relation} {}", random.u8(..3))
}

fn formula(random: &mut fastrand::Rng, atoms: &[String], depth: u32) -> String {
    if depth == 0 || random.u8(..5) == 0 {
        let atom = &atoms[random.usize(..atoms.len())];
        return format!("{}({atom})", if random.u8(..3) == 0 { "!" } else { "" });
    }
    let mut inner = || formula(random, atoms, depth - 1);
    let (a, b) = (inner(), inner());
    match random.u8(..9) {
        0 => format!("[]({a})"),
        1 => format!("<>({a})"),
        2 => format!("[](<>({a}))"),
        3 => format!("<>([]({a}))"),
        4 => format!("!({a})"),
        5 => format!("(({a}) U ({b}))"),
        6 => format!("(({a}) V ({b}))"),
        7 => format!("(({a}) -> ({b}))"),
        _ => format!("(({a}) && ({b}))"),
    }
}

/// Compares one seed, with every algorithm.
pub fn compare(auspex: &Path, seed: u64) -> Result<Outcome, String> {
    let mut outcome = Outcome::Agree { formulas: 0, violated: 0 };
    let Some(text) = model(seed) else { return Ok(outcome) };
    let case = Case::new(&text, None)?;
    let names: Vec<String> = (0..FORMULAS).map(|number| format!("f{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut answers = Vec::new();
    for algorithm in ["components", "nested", "cndfs", "owcty", "map"] {
        let flags = ["--max-states", MOST_STATES, "--algorithm", algorithm];
        answers.push((algorithm, case.auspex(auspex, &names, &flags)?));
    }
    let Some(pan) = case.pan()? else { return Ok(outcome) };
    for (number, name) in names.into_iter().enumerate() {
        // What is large for Auspex is slow with pan.
        if answers.iter().any(|(_, answers)| answers[number].is_none()) {
            continue;
        }
        let Some(expected) = pan.is_violated(name, false)? else { continue };
        let wrong = answers.iter().find(|(_, answers)| answers[number] != Some(expected));
        if let Some((algorithm, _)) = wrong {
            let why =
                format!("{name} is violated: {expected} for Spin, not for {algorithm}\n{text}");
            return Ok(Outcome::Disagree(why));
        }
        if let Outcome::Agree { formulas, violated } = &mut outcome {
            *formulas += 1;
            *violated += usize::from(expected);
        }
    }
    Ok(outcome)
}
