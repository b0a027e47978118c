//! The control graph of a process type: what follows what, in a step and in a life.

use super::access;
use super::analysis::{Inner, Summary};
use crate::ir::*;

/// Does the process still exist behind a transition?
fn goes_on(transition: &Transition) -> bool {
    !matches!(transition.action, Action::End)
}

/// Can one who hands control over with a rendezvous get it back in the same step? Only from an
/// atomic run that begins with a receive and has a send in it.
pub fn control_comes_back(model: &Model) -> bool {
    let comes_back = |proctype: &Proctype, index: usize| {
        let begins = !access::offers(&proctype.transitions[index].action).is_empty();
        let is_send =
            |index: &usize| matches!(proctype.transitions[*index].action, Action::Send(_));
        begins && atomic_rest(proctype, index, false).0.iter().any(is_send)
    };
    model.channel_types.iter().any(ChannelType::is_rendezvous)
        && model.proctypes.iter().any(|p| (0..p.transitions.len()).any(|t| comes_back(p, t)))
}

/// What may follow transition number `index` in the same step.
pub fn inner(
    proctype: &Proctype,
    index: usize,
    direct: &[Summary],
    hands_back: bool,
) -> Option<Inner> {
    let transition = &proctype.transitions[index];
    let is_d_step = matches!(transition.action, Action::DStep(_));
    let (behind, has_loop) = atomic_rest(proctype, index, hands_back);
    if !is_d_step && behind.is_empty() {
        return None;
    }
    let mut operations = Summary::default();
    let (mut sends, mut takes) = messages(&transition.action);
    if is_d_step {
        operations.add(&direct[index]);
    }
    for other in behind {
        operations.add(&direct[other]);
        let more = messages(&proctype.transitions[other].action);
        (sends, takes) = (sends.saturating_add(more.0), takes.saturating_add(more.1));
    }
    if has_loop {
        (sends, takes) = (usize::MAX, usize::MAX);
    }
    Some(Inner { operations, sends, takes })
}

/// The transitions that can follow one within an atomic run, and whether they can repeat.
/// `hands_back`: so can a receive that follows a send, in the atomic run of whoever got the message.
fn atomic_rest(proctype: &Proctype, index: usize, hands_back: bool) -> (Vec<usize>, bool) {
    let mut found = vec![false; proctype.transitions.len()];
    let mut order = vec![index];
    let mut at = 0;
    let follow = |index: usize| {
        let transition = &proctype.transitions[index];
        let location = &proctype.locations[transition.target.0 as usize];
        let all = transition.atomic && goes_on(transition);
        let some = hands_back && matches!(transition.action, Action::Send(_));
        let can_follow = move |next: &usize| {
            all || some && !access::offers(&proctype.transitions[*next].action).is_empty()
        };
        (location.first as usize..location.end as usize).filter(can_follow)
    };
    // How many ways lead to each, to see whether all can be put in order.
    let mut ways = vec![0usize; proctype.transitions.len()];
    while at < order.len() {
        for next in follow(order[at]) {
            ways[next] += 1;
            if !found[next] {
                found[next] = true;
                order.push(next);
            }
        }
        at += 1;
    }
    let mut free = vec![index];
    let mut sorted = 0;
    while let Some(next) = free.pop() {
        sorted += 1;
        for next in follow(next) {
            ways[next] -= 1;
            if ways[next] == 0 {
                free.push(next);
            }
        }
    }
    let has_loop = found[index] || sorted < order.len();
    (order.split_off(1), has_loop)
}

/// How many messages an action sends and takes at most.
fn messages(action: &Action) -> (usize, usize) {
    match action {
        Action::Send(_) => (1, 0),
        // One that waits for a message among others looks at all of them.
        Action::Receive(receive) if receive.anywhere => (0, usize::MAX),
        Action::Receive(_) => (0, 1),
        Action::DStep(body) => {
            let mut all = (0usize, 0usize);
            for node in &body.nodes {
                if let DNode::Do { action, .. } = node {
                    let more = messages(action);
                    all = (all.0.saturating_add(more.0), all.1.saturating_add(more.1));
                }
            }
            if body.has_loop() && all != (0, 0) { (usize::MAX, usize::MAX) } else { all }
        }
        _ => (0, 0),
    }
}

/// The future of each location: what its transitions do, and what follows.
pub fn futures(proctype: &Proctype, direct: &[Summary]) -> Vec<Summary> {
    let mut futures: Vec<Summary> = proctype
        .locations
        .iter()
        .map(|location| {
            let mut own = Summary::default();
            let range = location.first as usize..location.end as usize;
            direct[range].iter().for_each(|summary| own.add(summary));
            own
        })
        .collect();
    loop {
        let mut changed = false;
        for (at, location) in proctype.locations.iter().enumerate().rev() {
            let range = location.first as usize..location.end as usize;
            for transition in proctype.transitions[range].iter().filter(|t| goes_on(t)) {
                let next = futures[transition.target.0 as usize].clone();
                let mut sum = futures[at].clone();
                sum.add(&next);
                if sum != futures[at] {
                    futures[at] = sum;
                    changed = true;
                }
            }
        }
        if !changed {
            return futures;
        }
    }
}

/// For each transition whether the steps that begin with it *close* a loop. Every way in which a
/// process can come back to where it was has such a step in it; it is better if that is one that
/// will often have to wait for others anyway.
pub fn closing_transitions(
    model: &Model,
    proctype: &Proctype,
    direct: &[Summary],
    hands_back: bool,
) -> Vec<bool> {
    let steps = steps(model, proctype, hands_back);
    let mut closing = vec![false; proctype.transitions.len()];
    while let Some(cycle) = some_cycle(&steps, &closing) {
        let shared = |index: &usize| direct[*index].weight();
        if let Some(worst) = cycle.into_iter().max_by_key(shared) {
            closing[worst] = true;
        }
    }
    closing
}

/// For each location the steps from it: with which transition they begin, and where they may end.
fn steps(model: &Model, proctype: &Proctype, hands_back: bool) -> Vec<Vec<(usize, usize)>> {
    let has_rendezvous = model.channel_types.iter().any(ChannelType::is_rendezvous);
    let may_end_behind = |transition: &Transition| {
        let hands_over = has_rendezvous && matches!(transition.action, Action::Send(_));
        let may_wait = |next: &Transition| {
            use Action::{DStep, End, Guard, Receive, Send};
            matches!(next.action, Guard(_) | Send(_) | Receive(_) | DStep(_) | End)
        };
        !transition.atomic
            || hands_over
            || proctype.transitions_of(transition.target).iter().all(may_wait)
    };
    let of_transition = |index: usize| {
        let mut whole = atomic_rest(proctype, index, hands_back).0;
        whole.push(index);
        let behind = whole.iter().map(|index| &proctype.transitions[*index]);
        let ends = behind.filter(|t| goes_on(t) && may_end_behind(t));
        let mut ends: Vec<usize> = ends.map(|t| t.target.0 as usize).collect();
        ends.sort_unstable();
        ends.dedup();
        ends.into_iter().map(move |end| (index, end))
    };
    let of_location = |location: &ControlLocation| {
        (location.first as usize..location.end as usize).flat_map(of_transition).collect()
    };
    proctype.locations.iter().map(of_location).collect()
}

/// The transitions that the steps of a loop begin with, without those that are left out; if there
/// is one.
fn some_cycle(steps: &[Vec<(usize, usize)>], left_out: &[bool]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let mut colours = vec![Colour::New; steps.len()];
    for root in 0..steps.len() {
        if colours[root] != Colour::New {
            continue;
        }
        colours[root] = Colour::Open;
        // Each location on the way, and its step that is tried next.
        let mut way = vec![(root, 0)];
        while let Some((at, next)) = way.last_mut() {
            let Some((transition, end)) = steps[*at].get(*next).copied() else {
                colours[*at] = Colour::Done;
                way.pop();
                continue;
            };
            *next += 1;
            match colours[end] {
                _ if left_out[transition] => {}
                Colour::Done => {}
                Colour::New => {
                    colours[end] = Colour::Open;
                    way.push((end, 0));
                }
                Colour::Open => {
                    let on_cycle = way.iter().skip_while(|(location, _)| *location != end);
                    return Some(on_cycle.map(|(at, next)| steps[*at][*next - 1].0).collect());
                }
            }
        }
    }
    None
}
