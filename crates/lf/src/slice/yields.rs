//! Where statements that were cut out let others run, and that can be noticed.
//!
//! `x := 1; c!m; x := 2` is two actions, and others see `x = 1`. Without the communication it would be one. Where a
//! process touches nothing that others can see, its actions may be one: all of it can as well happen later, just before
//! it next communicates.

use super::graph::{Body, Kind};
use super::{Slicer, each_argument};
use crate::tree::{Argument, ProcessId, StatementKey, VariableId};
use std::collections::HashSet;

/// The statements that RESCHEDULE stands for in the slice.
pub fn find(slicer: &Slicer<'_>, fine: bool) -> HashSet<StatementKey> {
    let ends = ending(slicer, fine);
    let open = noticed(slicer);
    let nodes = &slicer.graph.nodes;
    let mut found = HashSet::new();
    for (index, node) in nodes.iter().enumerate() {
        let is_outermost = node.parent.is_none_or(|parent| slicer.kept[parent]);
        let cut = !slicer.kept[index] && node.kind != Kind::Clause && is_outermost;
        // In a loop always: without it the loop may never let others run.
        if cut && ends[index] && (node.in_loop || open.contains(&node.body)) {
            found.insert(node.key);
        }
    }
    found
}

/// For each statement: may it end an action, with all that is in it and that it calls?
fn ending(slicer: &Slicer<'_>, fine: bool) -> Vec<bool> {
    let nodes = &slicer.graph.nodes;
    let mut ends: Vec<bool> = nodes.iter().map(|node| fine || node.ends_action).collect();
    loop {
        let mut changed = false;
        let bodies: HashSet<Body> =
            nodes.iter().zip(&ends).filter(|(_, ends)| **ends).map(|(node, _)| node.body).collect();
        // What is inside comes later.
        for index in (0..nodes.len()).rev() {
            let calls = nodes[index].starts.iter().any(|p| bodies.contains(&Body::Process(*p)));
            changed |= calls && !std::mem::replace(&mut ends[index], true);
            if let Some(parent) = nodes[index].parent.filter(|_| ends[index]) {
                changed |= !std::mem::replace(&mut ends[parent], true);
            }
        }
        if !changed {
            return ends;
        }
    }
}

/// The bodies that are executed by somebody who touches what others can see.
fn noticed(slicer: &Slicer<'_>) -> HashSet<Body> {
    let shared = shared(slicer);
    let nodes = &slicer.graph.nodes;
    let mut found = HashSet::new();
    for start in starts(slicer) {
        let bodies = called(slicer, start);
        let touches = nodes.iter().zip(&slicer.kept).any(|(node, kept)| {
            let of_parts =
                node.parts.iter().flat_map(|part| part.reads.iter().chain(&part.mentions));
            let mut all = of_parts.chain(&node.writes);
            *kept && bodies.contains(&node.body) && all.any(|v| shared[slicer.find(*v)])
        });
        if touches {
            found.extend(bodies);
        }
    }
    found
}

/// Which variables, by the first of their alias, others can get at.
fn shared(slicer: &Slicer<'_>) -> Vec<bool> {
    let program = slicer.program;
    let mut shared = vec![false; program.variables.len()];
    for (index, variable) in program.variables.iter().enumerate() {
        if variable.shared {
            shared[slicer.find(VariableId(index as u32))] = true;
        }
    }
    each_argument(program, &mut |parameter, argument, created| {
        if created && matches!(argument, Argument::Reference(_) | Argument::Open(_)) {
            shared[slicer.find(parameter)] = true;
        }
    });
    shared
}

/// What is executed as a process of its own: the bodies of the modules together, and whatever is created.
fn starts(slicer: &Slicer<'_>) -> Vec<HashSet<Body>> {
    let modules = slicer.program.modules.iter().map(|module| Body::Module(module.id)).collect();
    let creating = slicer.graph.nodes.iter().filter(|node| node.creates);
    let created: HashSet<ProcessId> = creating.flat_map(|node| &node.starts).copied().collect();
    let created = created.into_iter().map(|process| HashSet::from([Body::Process(process)]));
    std::iter::once(modules).chain(created).collect()
}

/// With all that is called.
fn called(slicer: &Slicer<'_>, mut bodies: HashSet<Body>) -> HashSet<Body> {
    loop {
        let nodes = slicer.graph.nodes.iter();
        let calls = nodes.filter(|node| !node.creates && bodies.contains(&node.body));
        let more: Vec<Body> =
            calls.flat_map(|node| &node.starts).map(|p| Body::Process(*p)).collect();
        let before = bodies.len();
        bodies.extend(more);
        if bodies.len() == before {
            return bodies;
        }
    }
}
