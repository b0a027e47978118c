//! A process with jumps: a loop over the places where it can stand.

use super::emit::{Emitter, Offer, Site};
use super::graph::{Goal, Graph, Mode, Node, NodeId, Spot};
use crate::tree::Process;
use std::collections::{HashMap, HashSet};

pub struct Machine<'s> {
    graph: Graph<'s>,
    /// The places that are reached in more than one way, with their names.
    arms: HashMap<NodeId, String>,
    order: Vec<NodeId>,
    /// How they are reached, if always in the same way.
    modes: HashMap<NodeId, Option<Mode>>,
}

impl<'s> Machine<'s> {
    pub fn new(process: &'s Process, emitter: &Emitter<'s>) -> Machine<'s> {
        let graph = Graph::new(process);
        let start = graph.real(graph.start);
        let mut ways: HashMap<NodeId, usize> = HashMap::from([(start, 1)]);
        let mut modes = HashMap::from([(start, Some(Mode::Free))]);
        let mut order = vec![start];
        let mut done = 0;
        while done < order.len() {
            for goal in goals(&graph, order[done]) {
                let target = graph.real(goal.node);
                let count = ways.entry(target).or_default();
                *count += 1;
                if *count == 1 {
                    order.push(target);
                    modes.insert(target, Some(goal.mode));
                } else if modes.get(&target) != Some(&Some(goal.mode)) {
                    modes.insert(target, None);
                }
            }
            done += 1;
        }
        let mut arms = HashMap::new();
        let mut taken = HashSet::from(["Start".to_string()]);
        order.retain(|id| ways[id] > 1);
        // In the order of the text.
        order.sort_by_key(|id| match &graph.nodes[id.0] {
            Node::Spot(spot) => spot.span.start,
            _ => u32::MAX,
        });
        for id in &order {
            let name = match &graph.nodes[id.0] {
                Node::Spot(Spot { label: Some(label), .. }) => super::name(label),
                Node::Spot(spot) => format!("L{}", emitter.map.location(spot.span).line),
                _ => "Closing".to_string(),
            };
            let numbered = (2..).map(|n| format!("{name}_{n}"));
            let free =
                std::iter::once(name.clone()).chain(numbered).find(|n| taken.insert(n.clone()));
            arms.insert(*id, free.unwrap_or_default());
        }
        Machine { graph, arms, order, modes }
    }

    pub fn print(&self, emitter: &mut Emitter<'s>) {
        let start = self.graph.real(self.graph.start);
        if self.arms.is_empty() {
            return self.node(start, emitter);
        }
        let names: Vec<&str> = self.order.iter().map(|id| self.arms[id].as_str()).collect();
        let first = match self.arms.get(&start) {
            Some(name) => name.clone(),
            None => "Start".to_string(),
        };
        let begin = if self.arms.contains_key(&start) { "" } else { "Start, " };
        emitter.line("#[derive(Clone, Copy)]");
        emitter.line(format!("enum At {{ {begin}{} }}", names.join(", ")));
        emitter.line(format!("let mut at = At::{first};"));
        emitter.line("loop {");
        emitter.line("match at {");
        if !self.arms.contains_key(&start) {
            emitter.line("At::Start => {");
            self.node(start, emitter);
            emitter.line("}");
        }
        for id in &self.order {
            emitter.line(format!("At::{} => {{", self.arms[id]));
            emitter.mode = self.modes[id];
            self.node(*id, emitter);
            emitter.line("}");
        }
        emitter.line("}");
        emitter.line("}");
    }

    fn node(&self, id: NodeId, emitter: &mut Emitter<'s>) {
        let Node::Spot(spot) = &self.graph.nodes[id.0] else {
            emitter.end();
            if !self.arms.is_empty() {
                emitter.line("return;");
            }
            return;
        };
        let (offers, goals) = offers(&self.graph, spot);
        let site = Site { span: spot.span, is_end: spot.is_end };
        emitter.choice(site, &offers, &mut |emitter, number| self.follow(goals[number], emitter));
    }

    fn follow(&self, goal: Goal, emitter: &mut Emitter<'s>) {
        let target = self.graph.real(goal.node);
        if !matches!(self.graph.nodes[target.0], Node::End) {
            emitter.set_mode(goal.mode);
        }
        match self.arms.get(&target) {
            Some(name) => emitter.line(format!("at = At::{name};")),
            None => self.node(target, emitter),
        }
    }
}

/// All that can be done at a place, escapes first, and where it leads.
fn offers<'s>(graph: &Graph<'s>, spot: &Spot<'s>) -> (Vec<Offer<'s>>, Vec<Goal>) {
    let mut escapes: Vec<usize> = Vec::new();
    for escape in spot.heads.iter().flat_map(|head| &head.escapes) {
        if !escapes.contains(escape) {
            escapes.push(*escape);
        }
    }
    let groups = escapes.iter().map(|escape| &graph.escapes[*escape]).chain([&spot.heads]);
    let (mut offers, mut goals) = (Vec::new(), Vec::new());
    for (group, heads) in groups.enumerate() {
        for head in heads {
            let (stmt, passes, d_step, begun) = (head.stmt, head.passes, head.d_step, head.begun);
            offers.push(Offer { stmt, passes, d_step, group, begun });
            goals.push(head.goal);
        }
    }
    (offers, goals)
}

fn goals(graph: &Graph<'_>, id: NodeId) -> Vec<Goal> {
    match &graph.nodes[id.0] {
        Node::Spot(spot) => offers(graph, spot).1,
        _ => Vec::new(),
    }
}
