//! The Hanoi Omega-Automata format, version 1: the writer.

use crate::automaton::Automaton;
use std::fmt::Write;

impl Automaton {
    /// The automaton with state-based Büchi acceptance. `atoms` are the names of the atoms.
    pub fn to_hoa(&self, title: &str, atoms: &[String]) -> String {
        let mut out = String::from("HOA: v1\n");
        let _ = writeln!(out, "tool: \"auspex\" \"{}\"", env!("CARGO_PKG_VERSION"));
        if !title.is_empty() {
            let _ = writeln!(out, "name: {}", quoted(title));
        }
        let _ = writeln!(out, "States: {}\nStart: {}", self.len(), self.initial);
        let used = 64 - self.atoms().leading_zeros() as usize;
        let count = used.max(atoms.len());
        let _ = write!(out, "AP: {count}");
        for index in 0..count {
            let name = atoms.get(index).cloned().unwrap_or_else(|| format!("p{index}"));
            let _ = write!(out, " {}", quoted(&name));
        }
        out.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
        out.push_str("properties: trans-labels explicit-labels state-acc");
        out.push_str(if self.is_deterministic() { " deterministic" } else { "" });
        out.push_str(if self.is_terminal() {
            " terminal weak"
        } else if self.is_weak() {
            " weak"
        } else {
            ""
        });
        out.push_str("\n--BODY--\n");
        for (state, transitions) in self.states.iter().enumerate() {
            let mark = if self.accepting[state] { " {0}" } else { "" };
            let _ = writeln!(out, "State: {state}{mark}");
            for transition in transitions {
                let label = match &transition.label {
                    label if label.is_true() => "t".into(),
                    label if label.cubes().is_empty() => "f".into(),
                    label => label.display(["!", "&", "|"], &|atom| atom.to_string()),
                };
                let _ = writeln!(out, "[{label}] {}", transition.target);
            }
        }
        out.push_str("--END--\n");
        out
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
