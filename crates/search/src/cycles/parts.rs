//! The strongly connected parts of a graph that is kept in memory.

use super::graph::{Halted, push};

const NONE: u32 = u32::MAX;

/// A list of so many equal values.
pub(crate) fn filled(size: usize, value: u32) -> Result<Vec<u32>, Halted> {
    let mut list = Vec::new();
    list.try_reserve_exact(size).map_err(|_| Halted::Memory)?;
    list.resize(size, value);
    Ok(list)
}

/// For each of the first `count` numbers one that stands for its part (Tarjan's algorithm).
pub(crate) fn parts<'a>(
    count: usize,
    targets: impl Fn(u32) -> &'a [u32],
) -> Result<Vec<u32>, Halted> {
    let mut part = filled(count, NONE)?;
    let (mut index, mut low) = (filled(count, 0)?, filled(count, 0)?);
    let (mut open, mut calls) = (Vec::new(), Vec::new());
    let mut counter = 0;
    for root in 0..count as u32 {
        if index[root as usize] == 0 {
            push(&mut calls, (root, 0))?;
        }
        while let Some((node, edge)) = calls.last_mut() {
            let at = *node as usize;
            if index[at] == 0 {
                counter += 1;
                (index[at], low[at]) = (counter, counter);
                push(&mut open, *node)?;
            }
            if let Some(&to) = targets(*node).get(*edge) {
                *edge += 1;
                if index[to as usize] == 0 {
                    push(&mut calls, (to, 0))?;
                } else if part[to as usize] == NONE {
                    low[at] = low[at].min(index[to as usize]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent as usize] = low[*parent as usize].min(low[at]);
            }
            while low[at] == index[at] && part[at] == NONE {
                let Some(member) = open.pop() else { break };
                part[member as usize] = at as u32;
            }
        }
    }
    Ok(part)
}
