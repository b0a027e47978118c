//! Strongly connected components, without recursion.

/// Numbered backwards: every edge leads into the same component or one with a smaller number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    pub count: usize,
    /// The component of each state.
    pub of: Vec<usize>,
    /// The number of states of each component.
    pub sizes: Vec<usize>,
}

/// Tarjan's algorithm.
pub fn components<I: Iterator<Item = usize>>(
    states: usize,
    successors: impl Fn(usize) -> I,
) -> Components {
    const NEW: usize = usize::MAX;
    let mut result = Components { count: 0, of: vec![NEW; states], sizes: Vec::new() };
    let (mut number, mut low) = (vec![NEW; states], vec![0; states]);
    let (mut stack, mut counter) = (Vec::new(), 0);
    for root in 0..states {
        if number[root] != NEW {
            continue;
        }
        let mut calls: Vec<(usize, I)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(state) = enter.take() {
                (number[state], low[state]) = (counter, counter);
                counter += 1;
                stack.push(state);
                calls.push((state, successors(state)));
            }
            let Some((state, rest)) = calls.last_mut() else { break };
            let state = *state;
            if let Some(to) = rest.next() {
                if number[to] == NEW {
                    enter = Some(to);
                } else if result.of[to] == NEW {
                    low[state] = low[state].min(number[to]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[state]);
            }
            if low[state] == number[state] {
                close(&mut result, &mut stack, state);
            }
        }
    }
    result
}

/// Takes the component whose first state is `root` from the stack.
fn close(result: &mut Components, stack: &mut Vec<usize>, root: usize) {
    let mut size = 0;
    while let Some(member) = stack.pop() {
        result.of[member] = result.count;
        size += 1;
        if member == root {
            break;
        }
    }
    result.sizes.push(size);
    result.count += 1;
}
