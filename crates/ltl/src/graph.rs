//! Automata as graphs to draw.

use crate::automaton::Automaton;
use auspex_system::{Graph, GraphEdge, GraphNode, NodeKind};

impl Automaton {
    /// The automaton for drawing: accepting states have a double border, and the initial one is
    /// named so.
    pub fn to_graph(&self, title: &str, name: &dyn Fn(u32) -> String) -> Graph {
        let node = |state: usize| GraphNode {
            label: match (state == self.initial, self.accepting[state]) {
                (true, true) => format!("{state}\ninitial, accepting"),
                (true, false) => format!("{state}\ninitial"),
                (false, true) => format!("{state}\naccepting"),
                (false, false) => state.to_string(),
            },
            // One node has one kind: what matters more in a property is acceptance.
            kind: match (state == self.initial, self.accepting[state]) {
                (_, true) => NodeKind::End,
                (true, false) => NodeKind::Initial,
                (false, false) => NodeKind::Plain,
            },
        };
        let mut edges = Vec::new();
        for (from, transitions) in self.states.iter().enumerate() {
            for transition in transitions {
                let label = transition.label.display(["!", "&&", "||"], name);
                edges.push(GraphEdge { from, to: transition.target, label });
            }
        }
        Graph { name: title.to_owned(), nodes: (0..self.len()).map(node).collect(), edges }
    }
}
