//! Graphs in the language of Graphviz.

use auspex_system::{Graph, NodeKind};
use std::io::{self, Write};

/// One graph, each of `graphs` a cluster in it where there are several.
pub fn write(out: &mut dyn Write, graphs: &[Graph]) -> io::Result<()> {
    writeln!(out, "digraph auspex {{")?;
    writeln!(
        out,
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=Helvetica];"
    )?;
    writeln!(out, "  edge [fontname=Helvetica, fontsize=10];")?;
    for (index, graph) in graphs.iter().enumerate() {
        write_graph(out, index, graph, graphs.len() > 1)?;
    }
    writeln!(out, "}}")
}

fn write_graph(out: &mut dyn Write, index: usize, graph: &Graph, cluster: bool) -> io::Result<()> {
    if cluster {
        writeln!(out, "  subgraph cluster_{index} {{")?;
        writeln!(out, "  label={};", quoted(&graph.name))?;
    }
    for (node, shown) in graph.nodes.iter().enumerate() {
        let label = quoted(&shown.label);
        writeln!(out, "  n{index}_{node} [label={label}{}];", attributes(shown.kind))?;
    }
    for edge in &graph.edges {
        let (from, to, label) = (edge.from, edge.to, quoted(&edge.label));
        writeln!(out, "  n{index}_{from} -> n{index}_{to} [label={label}];")?;
    }
    if cluster { writeln!(out, "  }}") } else { Ok(()) }
}

fn attributes(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Plain => "",
        NodeKind::Initial => ", fillcolor=\"#dbeafe\", penwidth=2",
        NodeKind::End => ", peripheries=2",
        NodeKind::Bad => ", fillcolor=\"#fee2e2\", color=\"#b91c1c\"",
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use auspex_system::{GraphEdge, GraphNode};

    #[test]
    fn labels_are_escaped() {
        let node = |label: &str| GraphNode { label: label.into(), kind: NodeKind::Plain };
        let graph = Graph {
            name: "g".into(),
            nodes: vec![node("a \"b\" \\n"), node("two\nlines")],
            edges: vec![GraphEdge { from: 0, to: 1, label: "x".into() }],
        };
        let mut out = Vec::new();
        write(&mut out, &[graph]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains(r#"n0_0 [label="a \"b\" \\n"]"#), "{text}");
        assert!(text.contains(r#"n0_1 [label="two\nlines"]"#), "{text}");
        assert!(text.contains("n0_0 -> n0_1 [label=\"x\"];"), "{text}");
    }
}
