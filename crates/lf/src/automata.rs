//! The control graph of each process: between two positions lies an action.

use crate::code::{Object, Op, Pc};
use auspex_system::{Graph, GraphEdge, GraphNode, NodeKind};
use std::collections::{BTreeMap, BTreeSet};

/// One graph for each process that has a position besides its beginning.
pub fn graphs(object: &Object) -> Vec<Graph> {
    object.processes.iter().map(|code| graph(object, &code.name, code.entry)).collect()
}

fn graph(object: &Object, name: &str, entry: Pc) -> Graph {
    let mut graph = Graph { name: name.to_owned(), ..Graph::default() };
    let mut numbers: BTreeMap<Pc, usize> = BTreeMap::new();
    let mut open = vec![entry];
    let mut position = |pc: Pc, graph: &mut Graph, open: &mut Vec<Pc>| {
        *numbers.entry(pc).or_insert_with(|| {
            let statement = object.statement_at(object.behind_jumps(pc));
            let place = statement.and_then(|s| object.debug.places.get(s.place as usize));
            let label =
                place.map_or_else(|| "END".to_owned(), |place| format!("line {}", place.line));
            let is_end = matches!(object.code.get(pc as usize), Some(Op::End | Op::Return) | None);
            let kind = match (pc == entry, is_end) {
                (true, _) => NodeKind::Initial,
                (false, true) => NodeKind::End,
                _ => NodeKind::Plain,
            };
            graph.nodes.push(GraphNode { label, kind });
            if pc != entry {
                open.push(pc);
            }
            graph.nodes.len() - 1
        })
    };
    position(entry, &mut graph, &mut Vec::new());
    let mut done = BTreeSet::new();
    while let Some(from) = open.pop() {
        if !done.insert(from) {
            continue;
        }
        let number = position(from, &mut graph, &mut Vec::new());
        for (to, label) in actions(object, from) {
            let to = position(to, &mut graph, &mut open);
            graph.edges.push(GraphEdge { from: number, to, label });
        }
    }
    graph
}

/// Where the actions that begin at a position may end, and how.
fn actions(object: &Object, from: Pc) -> BTreeSet<(Pc, String)> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let text = |pc: Pc| object.statement_at(pc).map_or_else(String::new, |s| s.text.clone());
    let mut open: Vec<Pc> = match object.code.get(from as usize) {
        Some(Op::Choice(table)) => object.choices.get(*table as usize).cloned().unwrap_or_default(),
        Some(Op::End | Op::Return) | None => return found,
        _ => vec![from],
    };
    while let Some(pc) = open.pop() {
        if !seen.insert(pc) {
            continue;
        }
        match object.code.get(pc as usize) {
            None => {}
            Some(Op::Jump(to)) => open.push(*to),
            Some(Op::JumpIf(to) | Op::JumpIfNot(to) | Op::JumpCompare { to, .. }) => {
                open.extend([*to, pc + 1])
            }
            Some(Op::Choice(_)) => {
                found.insert((pc, String::new()));
            }
            Some(Op::Input(_) | Op::Clock) if pc != from => {
                found.insert((pc, String::new()));
            }
            Some(Op::Reschedule | Op::Created) => {
                found.insert((object.behind_jumps(pc + 1), text(pc)));
            }
            Some(Op::End | Op::Return) => {
                found.insert((pc, String::new()));
            }
            Some(Op::Communicate | Op::Select) => {
                for site in sites(object, pc) {
                    if let Some(Op::Clause(clause)) = object.code.get(site as usize) {
                        let message = object
                            .channels
                            .get(clause.channel as usize)
                            .and_then(|channel| channel.messages.get(clause.message as usize))
                            .map_or("", |message| message.name.as_str());
                        let sign = if clause.is_send { '!' } else { '?' };
                        found
                            .insert((object.behind_jumps(clause.body), format!("{sign}{message}")));
                    }
                }
            }
            Some(Op::NoCase | Op::NoMove | Op::Decided) => {}
            Some(_) => open.push(pc + 1),
        }
    }
    found
}

/// The clauses that an operation offers: those just before it.
fn sites(object: &Object, end: Pc) -> Vec<Pc> {
    let statement = object.debug.ops.get(end as usize).map(|(_, statement)| *statement);
    let same = |pc: &Pc| object.debug.ops.get(*pc as usize).map(|(_, s)| *s) == statement;
    let is_end = |pc: Pc| {
        matches!(object.code.get(pc as usize), Some(Op::Communicate | Op::Select | Op::Jump(_)))
    };
    (0..end)
        .rev()
        .take_while(|pc| same(pc) && !is_end(*pc))
        .filter(|pc| matches!(object.code.get(*pc as usize), Some(Op::Clause(_))))
        .collect()
}
