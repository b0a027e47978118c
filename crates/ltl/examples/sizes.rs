//! Sizes of the automata for the formulas in the given files and for their negations, beside
//! those that `spin -f` prints (where it can: Debian's Spin has no next operator).
//!
//! ```sh
//! cargo run --release -p auspex-ltl --example sizes -- [--list] crates/ltl/tests/formulas/*.ltl
//! ```

use auspex_ltl::{Formula, Syntax, parse, translate};
use auspex_system::FileId;
use std::process::Command;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Totals {
    formulas: usize,
    states: usize,
    transitions: usize,
    deterministic: usize,
    with_spin: usize,
    ours_with_spin: usize,
    spin: usize,
    slowest: Duration,
}

fn main() {
    let (options, files): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let list = options.iter().any(|option| option == "--list");
    println!("set formulas states transitions deterministic slowest spin-formulas ours spin");
    for file in files {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{file}: {error}");
                continue;
            }
        };
        let mut totals = Totals::default();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            match parse(line, FileId(0), 0) {
                Ok(parsed) => {
                    measure(line, &parsed.formula, list, &mut totals);
                    measure(line, &Formula::not(parsed.formula), list, &mut totals);
                }
                Err(error) => eprintln!("{line}: {}", error.message),
            }
        }
        let Totals { formulas, states, transitions, deterministic, .. } = totals;
        let Totals { with_spin, ours_with_spin, spin, slowest, .. } = totals;
        println!(
            "{file} {formulas} {states} {transitions} {deterministic} {slowest:.1?} {with_spin} \
             {ours_with_spin} {spin}"
        );
    }
}

fn measure(line: &str, formula: &Formula, list: bool, totals: &mut Totals) {
    let start = Instant::now();
    let automaton = match translate(formula) {
        Ok(automaton) => automaton,
        Err(error) => return eprintln!("{line}: {}", error.message),
    };
    totals.slowest = totals.slowest.max(start.elapsed());
    totals.formulas += 1;
    totals.states += automaton.len();
    totals.transitions += automaton.transition_count();
    totals.deterministic += usize::from(automaton.is_deterministic());
    let spin = spin_states(formula);
    if let Some(spin) = spin {
        totals.with_spin += 1;
        totals.ours_with_spin += automaton.len();
        totals.spin += spin;
    }
    if list {
        let name = |atom| format!("p{atom}");
        let shown = formula.display(Syntax::Letters, &name);
        let (states, transitions) = (automaton.len(), automaton.transition_count());
        println!(
            "{states:4} {transitions:4} {:>5} {shown}",
            spin.map_or("-".into(), |s| s.to_string())
        );
    }
}

/// The number of states of the claim that `spin -f` prints.
fn spin_states(formula: &Formula) -> Option<usize> {
    let text = formula.display(Syntax::Spin, &|atom| format!("p{atom}"));
    let output = Command::new("timeout").args(["3", "spin", "-f", &text]).output().ok()?;
    let claim = String::from_utf8(output.stdout).ok()?;
    let labels = claim.lines().filter(|line| line.ends_with(':') && !line.starts_with("\t"));
    // The initial state has two names where it is accepting.
    let doubled = claim.contains("accept_init:");
    let count = labels.count().saturating_sub(usize::from(doubled));
    (output.status.success() && count > 0).then_some(count)
}
