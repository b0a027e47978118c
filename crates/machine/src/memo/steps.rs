//! What threads do, at the ends of paths of what they look at.
//!
//! Most of it is in one row of words: there are many, and to look at one is to wait for memory.

use super::Known;
use super::table::Table;
use super::trie::{Label, Node, Trie};
use crate::exec::{Access, Waiting};
use crate::work::Read;

#[derive(Debug, Default)]
pub struct Steps {
    trie: Trie,
    /// Where the paths of a thread begin, by its head and its last frame: of one of several threads, and of the only one.
    starts: [Table; 2],
    /// What lies at the ends of paths. First the rest of the path, as far as it shares it with no other: how long
    /// it is, how much of it is in the trie, and then pairs of words (see [`pack`]). Then flags and the number of words
    /// for steps, instructions, the steps, and where there is something to wait for, and accesses.
    ends: Vec<u32>,
    waiting: Vec<Waiting>,
    accesses: Vec<Box<[Access]>>,
    access_bytes: usize,
}

const FREE: u32 = 1;
const PRUNED: u32 = 2;
const UNKNOWN: u32 = 4;
const WAITS: u32 = 8;
const ACCESSES: u32 = 16;
/// The number of words for steps is above the flags.
const FLAG_BITS: u32 = 5;

/// Something that a thread looks at, in a word.
fn pack(read: Read) -> Option<u32> {
    let (number, kind) = match read {
        Read::Object(id) => (id, 0),
        Read::Frame(depth) => (depth, 1),
    };
    (number <= u32::MAX >> 1).then_some(number << 1 | kind)
}

fn unpack(word: u32) -> Read {
    match word & 1 {
        0 => Read::Object(word >> 1),
        _ => Read::Frame(word >> 1),
    }
}

impl Steps {
    /// About so many are in use.
    pub fn bytes(&self) -> usize {
        self.trie.bytes()
            + self.starts.iter().map(Table::bytes).sum::<usize>()
            + size_of_val(&*self.ends)
            + size_of_val(&*self.waiting)
            + self.access_bytes
    }

    /// Where the paths of a thread begin, if there are some.
    #[inline]
    pub fn start(&self, is_alone: bool, [head, last]: [u32; 2]) -> Option<Node> {
        self.starts[usize::from(is_alone)].get(head, last)
    }

    /// The same; a place that is not there is made.
    pub fn make_start(&mut self, is_alone: bool, thread: [u32; 2]) -> Node {
        self.start(is_alone, thread).unwrap_or_else(|| {
            let node = self.trie.add();
            self.starts[usize::from(is_alone)].insert(thread[0], thread[1], node);
            node
        })
    }

    /// The rest of the path to an end, and where the path ends.
    #[inline]
    fn path(&self, end: usize) -> (&[[u32; 2]], usize) {
        let (len, done) = (self.ends[end] as usize, self.ends[end + 1] as usize);
        let (first, last) = (end + 2 + 2 * done, end + 2 + 2 * len);
        (self.ends[first..last].as_chunks().0, last)
    }

    /// Where it is kept what a thread does from a node, if that is known and can be told. `number_of` gives the number
    /// of something that it looks at.
    #[inline]
    pub fn find(&self, mut node: Node, number_of: impl Fn(Read) -> u32) -> Option<usize> {
        loop {
            match self.trie.label(node) {
                Label::None => return None,
                Label::Reads(read) => node = self.trie.follow(node, number_of(read))?,
                Label::End(end) => {
                    let (path, place) = self.path(end as usize);
                    // What comes later in the path is only there if all before is the same.
                    let same = path.iter().all(|[read, it]| number_of(unpack(*read)) == *it);
                    return (same && self.ends[place] & UNKNOWN == 0).then_some(place);
                }
            }
        }
    }

    /// What is kept there.
    pub fn recall(&self, place: usize, known: &mut Known) {
        let words = self.ends[place] >> FLAG_BITS;
        let has = |flag: u32| self.ends[place] & flag != 0;
        (known.free, known.pruned, known.unknown) = (has(FREE), has(PRUNED), has(UNKNOWN));
        known.executed = self.ends[place + 1].into();
        let (start, end) = (place + 2, place + 2 + words as usize);
        known.steps.clear();
        known.steps.extend_from_slice(&self.ends[start..end]);
        known.waiting = has(WAITS).then(|| self.waiting[self.ends[end] as usize]);
        known.accesses.clear();
        if has(ACCESSES) {
            let at = end + usize::from(has(WAITS));
            known.accesses.extend_from_slice(&self.accesses[self.ends[at] as usize]);
        }
    }

    /// Keeps what a thread does that takes a path from a node. What is known stays.
    pub fn keep(&mut self, node: Node, path: &[(Read, u32)], known: &Known) {
        let Some((node, rest)) = self.branch(node, path) else { return };
        let end = self.ends.len();
        match self.append(rest, known) {
            Some(()) => self.trie.set_label(node, Label::End(end as u32)),
            None => self.ends.truncate(end),
        }
    }

    /// `None`: it does not fit.
    fn append(&mut self, path: &[(Read, u32)], known: &Known) -> Option<()> {
        let flag = |is: bool, flag: u32| if is { flag } else { 0 };
        let flags = flag(known.free, FREE)
            | flag(known.pruned, PRUNED)
            | flag(known.unknown, UNKNOWN)
            | flag(known.waiting.is_some(), WAITS)
            | flag(!known.accesses.is_empty(), ACCESSES);
        u32::try_from(self.ends.len()).ok()?;
        self.ends.extend([u32::try_from(path.len()).ok()?, 0]);
        for (read, number) in path {
            self.ends.extend([pack(*read)?, *number]);
        }
        let words =
            u32::try_from(known.steps.len()).ok().filter(|it| it >> (32 - FLAG_BITS) == 0)?;
        self.ends.extend([words << FLAG_BITS | flags, u32::try_from(known.executed).ok()?]);
        self.ends.extend_from_slice(&known.steps);
        if let Some(waiting) = known.waiting {
            self.ends.push(self.waiting.len() as u32);
            self.waiting.push(waiting);
        }
        if !known.accesses.is_empty() {
            self.ends.push(self.accesses.len() as u32);
            self.accesses.push(known.accesses.as_slice().into());
            // An allocation takes some bytes more.
            self.access_bytes += 32 + size_of_val(&*known.accesses);
        }
        Some(())
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
                Label::End(end) => {
                    let (rest, _) = self.path(end as usize);
                    let same = |([a, b], (read, it)): (&[u32; 2], &(Read, u32))| {
                        unpack(*a) == *read && b == it
                    };
                    if rest.len() == path.len() && rest.iter().zip(path).all(same) {
                        return None;
                    }
                    let Some([read, to]) = rest.first().copied() else {
                        return depends_on_something_else();
                    };
                    // One more of its path goes into the trie.
                    self.ends[end as usize + 1] += 1;
                    self.trie.set_label(node, Label::Reads(unpack(read)));
                    let to = self.trie.make(node, to);
                    self.trie.set_label(to, Label::End(end));
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
    use crate::value::Value;
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

    fn waiting(path: &[(Read, u32)]) -> Option<Waiting> {
        let waiting = Waiting { kind: path[0].1 as i32, object: Value::NULL, thread: -1 };
        (path.len() != 3).then_some(waiting)
    }

    fn accesses(path: &[(Read, u32)]) -> Vec<Access> {
        let access =
            Access { object: 1, at: path[0].1, len: 1, write: true, atomic: false, site: 0 };
        vec![access; path.len() % 3]
    }

    #[test]
    fn steps_are_found_by_what_they_look_at() {
        let (mut steps, mut naive, mut random) = (Steps::default(), HashMap::new(), 1u32);
        let starts = [false, true].map(|is_alone| steps.make_start(is_alone, [7, 9]));
        assert!(starts[0] != starts[1] && starts[1] == steps.make_start(true, [7, 9]));
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        for round in 0..20_000 {
            let (node, state) = (starts[next(2) as usize], [0; 5].map(|_| next(6)));
            let path = path(&state);
            let known = steps.find(node, |read| match read {
                Read::Object(id) | Read::Frame(id) => state[id as usize],
            });
            let executed = known.map(|place| {
                let mut known = Known::default();
                steps.recall(place, &mut known);
                assert_eq!(known.steps, path.iter().map(|it| it.1).collect::<Vec<_>>());
                assert_eq!((known.free, known.pruned), (path.len() == 2, path.len() == 3));
                assert_eq!(known.waiting.map(|it| it.kind), waiting(&path).map(|it| it.kind));
                assert_eq!(known.accesses, accesses(&path));
                known.executed
            });
            assert_eq!(executed, naive.get(&(node, path.clone())).copied());
            if executed.is_none() {
                let known = Known {
                    steps: path.iter().map(|it| it.1).collect(),
                    free: path.len() == 2,
                    pruned: path.len() == 3,
                    executed: round,
                    waiting: waiting(&path),
                    accesses: accesses(&path),
                    ..Known::default()
                };
                steps.keep(node, &path, &known);
                naive.insert((node, path), round);
            }
        }
        assert!(naive.len() > 100);
    }

    #[test]
    fn what_cannot_be_told_is_not_found() {
        let (mut steps, path) = (Steps::default(), [(Read::Object(1), 2)]);
        let start = steps.make_start(false, [1, 1]);
        steps.keep(start, &path, &Known { unknown: true, ..Known::default() });
        assert_eq!(steps.find(start, |_| 2), None);
        // Nor is it replaced.
        let len = steps.ends.len();
        steps.keep(start, &path, &Known::default());
        assert_eq!((steps.find(start, |_| 2), steps.ends.len()), (None, len));
    }
}
