//! Graphs drawn in layers, from the initial node downwards.

use super::layout::{Extent, Layout, Point, place};
use super::order::{Item, Layers};
use super::svg::{self, Svg, Text, clip};
use auspex_system::{Graph, GraphNode, NodeKind};
use std::fmt::Write as _;
use std::io::{self, Write};

const NODE: Text<'static> = Text { mono: true, ..Text::new(11.0) };
const EDGE: Text<'static> = Text { mono: true, anchor: "middle", ..Text::new(10.5) };
const TITLE: Text<'static> = Text { bold: true, ..Text::new(16.0) };
const LINE_HEIGHT: f64 = 14.5;
const LONGEST_LINE: usize = 46;
const MOST_LINES: usize = 12;
const MARGIN: f64 = 28.0;
/// Graphs stand side by side up to this width.
const PAGE: f64 = 1600.0;

/// All graphs in one picture.
pub fn write(out: &mut dyn Write, graphs: &[Graph]) -> io::Result<()> {
    let mut page = Svg::default();
    let (mut x, mut y) = (MARGIN, MARGIN);
    let (mut row_height, mut width) = (0.0_f64, 2.0 * MARGIN);
    for graph in graphs {
        let (drawn, w, h) = draw(graph);
        if x > MARGIN && x + w > PAGE {
            (x, y, row_height) = (MARGIN, y + row_height + 2.0 * MARGIN, 0.0);
        }
        page.shifted(x, y, &drawn);
        x += w + 2.0 * MARGIN;
        row_height = row_height.max(h);
        width = width.max(x - MARGIN);
    }
    let title = graphs.first().map_or("nothing to draw", |graph| graph.name.as_str());
    page.finish(out, title, width, y + row_height + MARGIN)
}

/// One graph with its title, and its size.
fn draw(graph: &Graph) -> (Svg, f64, f64) {
    let ends: Vec<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let labelled: Vec<bool> = graph.edges.iter().map(|edge| !edge.label.is_empty()).collect();
    let layers = Layers::new(graph.nodes.len(), &ends, &labelled);
    let extents: Vec<Extent> = layers.items.iter().map(|item| extent(graph, *item)).collect();
    let layout = place(&layers, &extents);
    let drawing = Drawing { graph, layers: &layers, layout: &layout, extents: &extents };
    let mut body = Svg::default();
    (0..graph.edges.len()).for_each(|edge| drawing.edge(&mut body, edge));
    (0..graph.nodes.len()).for_each(|node| drawing.node(&mut body, node));
    (0..graph.edges.len()).for_each(|edge| drawing.edge_label(&mut body, edge));
    let mut svg = Svg::default();
    svg.text(0.0, 14.0, &graph.name, TITLE);
    let top = 40.0;
    svg.shifted(0.0, top, &body);
    (svg, layout.width.max(TITLE.width(&graph.name)), layout.height + top)
}

/// The lines of a label as they are drawn.
fn lines(label: &str) -> Vec<String> {
    let mut lines: Vec<String> = label.lines().map(|line| clip(line, LONGEST_LINE)).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push("…".to_string());
    }
    lines
}

fn block_width(style: Text<'_>, label: &str) -> f64 {
    lines(label).iter().map(|line| style.width(line)).fold(0.0, f64::max)
}

fn extent(graph: &Graph, item: Item) -> Extent {
    match item {
        Item::Node(node) => node_extent(graph, node),
        Item::Bend { edge, labelled: true } => {
            let label = &graph.edges[edge].label;
            let half = block_width(EDGE, label) / 2.0 + 4.0;
            Extent {
                left: half,
                right: half,
                height: lines(label).len() as f64 * LINE_HEIGHT + 4.0,
            }
        }
        Item::Bend { .. } => Extent { left: 1.0, right: 1.0, height: 0.0 },
    }
}

fn node_extent(graph: &Graph, node: usize) -> Extent {
    let half = node_half(&graph.nodes[node]);
    let loops = graph.edges.iter().filter(|edge| edge.from == node && edge.to == node);
    let widest = loops.map(|edge| LOOP + block_width(EDGE, &edge.label)).fold(0.0, f64::max);
    let count = lines(&graph.nodes[node].label).len().max(1);
    Extent { left: half, right: half + widest, height: count as f64 * LINE_HEIGHT + 12.0 }
}

fn node_half(node: &GraphNode) -> f64 {
    (block_width(NODE, &node.label) / 2.0 + 10.0).max(16.0)
}

/// How far a loop reaches out of its node, with a little room before its label.
const LOOP: f64 = 34.0;

struct Drawing<'a> {
    graph: &'a Graph,
    layers: &'a Layers,
    layout: &'a Layout,
    extents: &'a [Extent],
}

impl Drawing<'_> {
    fn node(&self, svg: &mut Svg, node: usize) {
        let shown = &self.graph.nodes[node];
        let Point { x, y } = self.layout.middles[node];
        let (half, height) = (node_half(shown), self.extents[node].height);
        let (fill, stroke) = match shown.kind {
            NodeKind::Plain => (svg::SHADE, svg::FAINT),
            NodeKind::Initial => (svg::BLUE_FILL, svg::BLUE),
            NodeKind::End => (svg::GREEN_FILL, svg::GREEN),
            NodeKind::Bad => (svg::RED_FILL, svg::RED),
        };
        svg.with_tooltip(&shown.label, |svg| {
            svg.rect((x, y), (2.0 * half, height), 7.0, fill, stroke);
            if shown.kind == NodeKind::End {
                svg.rect((x, y), (2.0 * half - 5.0, height - 5.0), 5.0, "none", stroke);
            }
            self.text(svg, x, y, &shown.label, NODE);
        });
    }

    /// Lines of text, the block centred, the lines left-aligned where there are several.
    fn text(&self, svg: &mut Svg, x: f64, y: f64, label: &str, style: Text<'_>) {
        let lines = lines(label);
        let several = lines.len() > 1;
        let anchor = if several { "start" } else { "middle" };
        let left = if several { x - block_width(style, label) / 2.0 } else { x };
        let first = y - (lines.len() as f64 - 1.0) * LINE_HEIGHT / 2.0 + 4.0;
        for (index, line) in lines.iter().enumerate() {
            svg.text(left, first + index as f64 * LINE_HEIGHT, line, Text { anchor, ..style });
        }
    }

    fn edge(&self, svg: &mut Svg, edge: usize) {
        let shown = &self.graph.edges[edge];
        if shown.from == shown.to {
            return self.self_loop(svg, shown.from);
        }
        let mut points = self.points(edge);
        if self.layers.paths[edge][0] != shown.from {
            points.reverse();
        }
        let (stroke, head) = match self.graph.nodes[shown.to].kind {
            NodeKind::Bad => (svg::RED, "red"),
            _ => (svg::FAINT, "line"),
        };
        let extra = format!(r#"stroke-width="1.2" marker-end="url(#head-{head})""#);
        svg.path(&curve(&points), stroke, &extra);
    }

    fn self_loop(&self, svg: &mut Svg, node: usize) {
        let Point { x, y } = self.layout.middles[node];
        let side = x + node_half(&self.graph.nodes[node]);
        let out = side + LOOP - 4.0;
        let (up, down) = (y - 8.0, y + 8.0);
        let data = format!(
            "M{side:.1} {up:.1} C{out:.1} {:.1} {out:.1} {:.1} {side:.1} {down:.1}",
            up - 8.0,
            down + 8.0
        );
        svg.path(&data, svg::FAINT, r#"stroke-width="1.2" marker-end="url(#head-line)""#);
    }

    /// From the foot of the upper node through all bends to the head of the lower one.
    fn points(&self, edge: usize) -> Vec<Waypoint> {
        let path = &self.layers.paths[edge];
        let mut points = Vec::new();
        for (index, &item) in path.iter().enumerate() {
            let Point { x, y } = self.layout.middles[item];
            let layer = self.layers.layer[item];
            let half = self.extents[item].height / 2.0;
            let between = self.layout.halves[layer];
            match index {
                0 => points.push(Waypoint::upright(self.port(item, path[1], true), y + half)),
                i if i + 1 == path.len() => {
                    let x = self.port(item, path[i - 1], false);
                    points.push(Waypoint::upright(x, y - half));
                }
                // Labels stand in odd layers; in the even ones the edge passes between nodes.
                _ if layer % 2 == 1 => points.push(Waypoint { at: Point { x, y }, upright: false }),
                _ => points
                    .extend([Waypoint::upright(x, y - between), Waypoint::upright(x, y + between)]),
            }
        }
        points
    }

    /// Where on a node an edge ends: the edges of one side are spread in the order of their ends.
    fn port(&self, node: usize, other: usize, below: bool) -> f64 {
        let neighbours = if below { &self.layers.below[node] } else { &self.layers.above[node] };
        let x = |item: usize| self.layout.middles[item].x;
        let before = neighbours.iter().filter(|n| (x(**n), **n) < (x(other), other)).count();
        let half = node_half(&self.graph.nodes[node]);
        let spread = (half - 10.0).min(9.0 * neighbours.len() as f64).max(0.0);
        let share = (before as f64 + 0.5) / neighbours.len().max(1) as f64;
        x(node) + spread * (2.0 * share - 1.0)
    }

    fn edge_label(&self, svg: &mut Svg, edge: usize) {
        let shown = &self.graph.edges[edge];
        let colour = match self.graph.nodes[shown.to].kind {
            NodeKind::Bad => svg::RED,
            _ => svg::INK,
        };
        let style = Text { fill: colour, ..EDGE };
        let Some(at) = self.label_spot(edge) else { return };
        let width = block_width(EDGE, &shown.label) + 6.0;
        let height = lines(&shown.label).len() as f64 * LINE_HEIGHT;
        svg.with_tooltip(&shown.label, |svg| {
            svg.rect((at.x, at.y), (width, height), 3.0, svg::FILL, "none");
            self.text(svg, at.x, at.y, &shown.label, style);
        });
    }

    fn label_spot(&self, edge: usize) -> Option<Point> {
        let shown = &self.graph.edges[edge];
        if shown.label.is_empty() {
            return None;
        }
        if shown.from == shown.to {
            let Point { x, y } = self.layout.middles[shown.from];
            let left = x + node_half(&self.graph.nodes[shown.from]) + LOOP - 8.0;
            return Some(Point { x: left + block_width(EDGE, &shown.label) / 2.0, y });
        }
        let labelled =
            |item: &&usize| matches!(self.layers.items[**item], Item::Bend { labelled: true, .. });
        self.layers.paths[edge].iter().find(labelled).map(|item| self.layout.middles[*item])
    }
}

/// Where an edge passes.
#[derive(Clone, Copy)]
struct Waypoint {
    at: Point,
    /// It passes straight down, not in the direction of its neighbours.
    upright: bool,
}

impl Waypoint {
    fn upright(x: f64, y: f64) -> Self {
        Waypoint { at: Point { x, y }, upright: true }
    }
}

/// A smooth curve through all points.
fn curve(points: &[Waypoint]) -> String {
    let mut data = String::new();
    for (index, point) in points.iter().enumerate() {
        let Point { x, y } = point.at;
        // `write!` to a `String` cannot fail.
        let _ = match index.checked_sub(1).map(|before| points[before].at) {
            None => write!(data, "M{x:.1} {y:.1}"),
            Some(from) => {
                let reach = (y - from.y) * 0.45;
                let (leave, arrive) = (slope(points, index - 1), slope(points, index));
                let (x1, y1) = (from.x + leave * reach, from.y + reach);
                let (x2, y2) = (x - arrive * reach, y - reach);
                write!(data, " C{x1:.1} {y1:.1} {x2:.1} {y2:.1} {x:.1} {y:.1}")
            }
        };
    }
    data
}

/// How far sideways the curve goes per unit downwards.
fn slope(points: &[Waypoint], index: usize) -> f64 {
    let neighbour = |i: Option<usize>| i.and_then(|i| points.get(i)).map(|point| point.at);
    match (neighbour(index.checked_sub(1)), neighbour(Some(index + 1))) {
        (Some(before), Some(after)) if !points[index].upright && after.y != before.y => {
            (after.x - before.x) / (after.y - before.y)
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auspex_system::GraphEdge;

    fn node(label: &str, kind: NodeKind) -> GraphNode {
        GraphNode { label: label.into(), kind }
    }

    #[test]
    fn any_graph_is_well_formed_xml() {
        let edge = |from, to| GraphEdge { from, to, label: "a < b & \"c\"\u{0}".into() };
        let graph = Graph {
            name: "<g>".into(),
            nodes: vec![
                node("x < 1", NodeKind::Initial),
                node("a\nb\nc", NodeKind::Plain),
                node("", NodeKind::End),
                node("bad", NodeKind::Bad),
            ],
            edges: vec![edge(0, 1), edge(1, 0), edge(1, 1), edge(1, 2), edge(0, 3), edge(0, 2)],
        };
        for graphs in [vec![], vec![Graph::default()], vec![graph.clone(), graph]] {
            let mut out = Vec::new();
            write(&mut out, &graphs).unwrap();
            roxmltree::Document::parse(std::str::from_utf8(&out).unwrap()).unwrap();
        }
    }
}
