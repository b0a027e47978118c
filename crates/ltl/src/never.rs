//! Never claims, Spin's way to write a Büchi automaton: the writer.

use crate::automaton::Automaton;
use std::fmt::Write;

impl Automaton {
    /// A never claim. `comment` is put at its head, `name` says how an atom is written.
    pub fn to_never_claim(&self, comment: &str, name: &dyn Fn(u32) -> String) -> String {
        let mut out = String::from("never {");
        if !comment.is_empty() {
            // A comment in a comment would end it.
            let comment = comment.replace("*/", "* /").replace('\n', " ");
            let _ = write!(out, "    /* {comment} */");
        }
        out.push('\n');
        // The claim begins with its first state.
        let others = (0..self.len()).filter(|state| *state != self.initial);
        let (sinks, others): (Vec<_>, Vec<_>) =
            others.partition(|state| self.is_accepting_sink(*state));
        for state in std::iter::once(self.initial).chain(others) {
            self.write_state(&mut out, state, name);
        }
        // Reaching the end of a claim is a violation whatever follows.
        for state in sinks {
            let _ = writeln!(out, "{}:\n\tskip;", self.state_name(state));
        }
        out.push_str("}\n");
        out
    }

    fn state_name(&self, state: usize) -> String {
        let kind = if self.accepting[state] { "accept" } else { "T0" };
        match state {
            _ if state == self.initial => format!("{kind}_init"),
            _ if self.is_accepting_sink(state) => format!("accept_all_{state}"),
            _ => format!("{kind}_S{state}"),
        }
    }

    fn write_state(&self, out: &mut String, state: usize, name: &dyn Fn(u32) -> String) {
        let _ = writeln!(out, "{}:", self.state_name(state));
        if self.states[state].is_empty() {
            out.push_str("\tfalse;\n");
            return;
        }
        out.push_str("\tdo\n");
        for transition in &self.states[state] {
            let label = transition.label.display(["!", "&&", "||"], &|atom| {
                let text = name(atom);
                if text.chars().all(crate::lex::is_word) { text } else { format!("({text})") }
            });
            let target = self.state_name(transition.target);
            let _ = writeln!(out, "\t:: ({label}) -> goto {target}");
        }
        out.push_str("\tod;\n");
    }
}
