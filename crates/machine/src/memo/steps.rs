//! What threads do, at the ends of paths of what they look at.

use super::trie::{Label, Node, Trie};
use super::{Known, KnownStep, Part};
use crate::exec::Access;
use crate::work::Read;

#[derive(Debug)]
pub struct Steps {
    trie: Trie,
    ends: Vec<End>,
    end_bytes: usize,
}

/// What lies at the end of a path, and the rest of the path, as far as it shares it with no other.
#[derive(Debug)]
struct End {
    known: Known,
    path: Box<[(Read, u32)]>,
    /// So much of it is in the trie.
    done: u32,
}

impl End {
    fn rest(&self) -> &[(Read, u32)] {
        &self.path[self.done as usize..]
    }

    fn bytes(&self) -> usize {
        let parts: usize = self.known.steps.iter().map(|step| step.parts.len()).sum();
        let (steps, accesses) = (self.known.steps.len(), self.known.accesses.len());
        // An allocation takes some bytes more.
        16 + size_of::<End>()
            + self.path.len() * size_of::<(Read, u32)>()
            + steps * (16 + size_of::<KnownStep>())
            + parts * size_of::<Part>()
            + accesses * size_of::<Access>()
    }
}

impl Steps {
    /// With so many places where paths begin.
    pub fn new(first: usize) -> Steps {
        Steps { trie: Trie::new(first), ends: Vec::new(), end_bytes: 0 }
    }

    /// About so many are in use.
    pub fn bytes(&self) -> usize {
        self.trie.bytes() + self.end_bytes
    }

    /// Where an edge leads that each path has.
    #[inline]
    pub fn follow(&self, node: Node, number: u32) -> Option<Node> {
        self.trie.follow(node, number)
    }

    /// The same; an edge that is not there is made.
    pub fn make(&mut self, node: Node, number: u32) -> Node {
        self.trie.make(node, number)
    }

    /// Where it is kept what a thread does from a node, if that is known and can be told. `number_of` gives the number
    /// of something that it looks at.
    #[inline]
    pub fn find(&self, mut node: Node, number_of: impl Fn(Read) -> u32) -> Option<usize> {
        loop {
            match self.trie.label(node) {
                Label::None => return None,
                Label::Reads(read) => node = self.trie.follow(node, number_of(read))?,
                Label::End(number) => {
                    let end = &self.ends[number as usize];
                    // What comes later in the path is only there if all before is the same.
                    let same = end.rest().iter().all(|(read, it)| number_of(*read) == *it);
                    return (same && !end.known.unknown).then_some(number as usize);
                }
            }
        }
    }

    /// What is kept there, to be put back.
    pub fn take(&mut self, place: usize) -> Known {
        std::mem::take(&mut self.ends[place].known)
    }

    pub fn put_back(&mut self, place: usize, known: Known) {
        self.ends[place].known = known;
    }

    /// Keeps what a thread does that takes a path from a node. What is known stays.
    pub fn keep(&mut self, node: Node, path: &[(Read, u32)], known: Known) {
        if let Some((node, rest)) = self.branch(node, path) {
            let end = End { known, path: rest.into(), done: 0 };
            self.end_bytes += end.bytes();
            self.trie.set_label(node, Label::End(self.ends.len() as u32));
            self.ends.push(end);
        }
    }

    /// The place where a path leaves those that are known, and the rest of it; `None` if it is known.
    fn branch<'p>(
        &mut self,
        mut node: Node,
        mut path: &'p [(Read, u32)],
    ) -> Option<(Node, &'p [(Read, u32)])> {
        loop {
            match self.trie.label(node) {
                Label::None => return Some((node, path)),
                Label::Reads(known) => match path {
                    [(read, number), rest @ ..] if *read == known => {
                        (node, path) = (self.trie.make(node, *number), rest);
                    }
                    _ => return depends_on_something_else(),
                },
                Label::End(number) => {
                    let end = &mut self.ends[number as usize];
                    if end.rest() == path {
                        return None;
                    }
                    let Some((read, to)) = end.rest().first().copied() else {
                        return depends_on_something_else();
                    };
                    // One more of its path goes into the trie.
                    end.done += 1;
                    self.trie.set_label(node, Label::Reads(read));
                    let to = self.trie.make(node, to);
                    self.trie.set_label(to, Label::End(number));
                }
            }
        }
    }
}

/// A step would not be a function of what it looks at. Then it is not kept.
fn depends_on_something_else<T>() -> Option<T> {
    debug_assert!(false, "a step that depends on something else");
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A step looks at objects, whose numbers are in a state: which comes next, and when it ends, depends on what it has
    /// seen.
    fn path(state: &[u32]) -> Vec<(Read, u32)> {
        let (mut path, mut sum) = (Vec::new(), 0);
        while path.len() < 2 + sum as usize % 4 {
            let id = (sum as usize + 3 * path.len()) % state.len();
            sum += state[id] + 1;
            path.push((Read::Object(id as u32), state[id]));
        }
        path
    }

    #[test]
    fn steps_are_found_by_what_they_look_at() {
        let (mut steps, mut naive, mut random) = (Steps::new(2), HashMap::new(), 1u32);
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        for round in 0..20_000 {
            let (node, state) = (next(2), [0; 5].map(|_| next(6)));
            let path = path(&state);
            let known = steps.find(node, |read| match read {
                Read::Object(id) | Read::Frame(id) => state[id as usize],
            });
            let executed = known.map(|place| steps.ends[place].known.executed);
            assert_eq!(executed, naive.get(&(node, path.clone())).copied());
            if executed.is_none() {
                steps.keep(node, &path, Known { executed: round, ..Known::default() });
                naive.insert((node, path), round);
            }
        }
        assert!(naive.len() > 100);
    }

    #[test]
    fn what_cannot_be_told_is_not_found() {
        let (mut steps, path) = (Steps::new(1), [(Read::Object(1), 2)]);
        steps.keep(0, &path, Known { unknown: true, ..Known::default() });
        assert_eq!(steps.find(0, |_| 2), None);
        // Nor is it replaced.
        steps.keep(0, &path, Known::default());
        assert_eq!((steps.find(0, |_| 2), steps.ends.len()), (None, 1));
    }
}
