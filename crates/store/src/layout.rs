//! Where the bits of a state go.
//!
//! Each byte of a state has a *code*: a number of few bits, for it has few values. The codes of some bytes side by side are
//! the *key* of a group; keys have numbers again, which are parts of other keys, up to the root, which is what is
//! stored. The fewer groups there are the better, for each costs a lookup and memory: only what does not fit into the root is put
//! into groups, those that have few values first.

use crate::plan::{Below, Node};
use crate::tree::Tree;

/// The code of a byte, or the number of a group, as a part of a key.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field {
    /// The groups above it, one bit each.
    pub above: u64,
    /// Its bits.
    pub mask: u64,
    /// Of the group that it belongs to; the last key is that of the root.
    pub key: u8,
    pub shift: u8,
    pub width: u8,
}

/// What a key is made of.
#[derive(Debug, Default)]
pub(crate) struct Key {
    /// Bytes, and the bits that are theirs.
    pub bytes: Vec<usize>,
    pub byte_bits: u64,
    pub groups: Vec<usize>,
    /// The bits of all.
    pub bits: u64,
}

impl Field {
    #[inline]
    pub fn of(&self, key: u64) -> u64 {
        (key & self.mask) >> self.shift
    }

    /// `value`: where it belongs, among its bits.
    #[inline]
    pub fn put(&self, keys: &mut [u64], value: u64) {
        let key = &mut keys[self.key as usize];
        *key = *key & !self.mask | value;
    }
}

/// How states of one shape are coded.
#[derive(Debug)]
pub(crate) struct Layout {
    pub len: usize,
    pub cuts: Vec<u32>,
    pub bytes: Vec<Field>,
    /// The values that bytes had, in the order in which they get codes.
    pub values: Vec<Vec<u8>>,
    /// What is above a group comes after it.
    pub groups: Vec<Field>,
    /// Those of the groups, and of the root.
    pub keys: Vec<Key>,
}

/// Bits of the root.
pub(crate) const ROOT_BITS: u32 = 60;
const KEY_BITS: u32 = 64;
/// Bits of the number of a group at most: two of them always fit into a root.
pub(crate) const MOST_BITS: u32 = ROOT_BITS / 2;
const MOST_GROUPS: usize = 64;
const SPARE_BITS: u32 = 5;

fn bits_for(values: usize) -> u32 {
    values.max(1).next_power_of_two().ilog2()
}

/// Layouts in the making.
struct Build<'a> {
    nodes: &'a [Node],
    widths: Vec<u32>,
    /// A sample does not show all: groups get more bits than it says.
    spare_bits: u32,
    layout: Layout,
    /// What each group, and in the end the root, is made of, with widths.
    keys: Vec<Vec<(Owner, u32)>>,
}

#[derive(Clone, Copy)]
enum Owner {
    Byte(usize),
    Group(usize),
}

impl Layout {
    /// `top`: nodes that together say all. `None` where it would take too many groups. `caution`: see [`crate::Plan::learn`].
    pub fn new(
        tree: &Tree,
        cuts: &[u32],
        nodes: &[Node],
        top: Vec<usize>,
        values: Vec<Vec<u8>>,
        caution: u32,
    ) -> Option<Layout> {
        let len = values.len();
        let layout = Layout {
            len,
            cuts: cuts.to_vec(),
            bytes: vec![Field::default(); len],
            values,
            groups: Vec::new(),
            keys: Vec::new(),
        };
        let spare_bits = SPARE_BITS + 3 * caution;
        let mut build = Build { nodes, widths: Vec::new(), spare_bits, layout, keys: Vec::new() };
        // The bytes come first.
        let (bytes, joined) = nodes.split_at(len);
        bytes.iter().for_each(|byte| build.widths.push(build.width(byte)));
        if caution > 0 {
            // The elements of an array, or of a channel, are alike: what one was seen to be another may be.
            for part in &tree.parts {
                let widths = &mut build.widths[part.bytes.start as usize..part.bytes.end as usize];
                let most = widths.iter().copied().max().unwrap_or(0);
                widths.fill(most);
            }
        }
        joined.iter().for_each(|node| build.widths.push(build.width(node)));
        let root = build.key(top, ROOT_BITS);
        build.keys.push(root);
        build.finish()
    }
}

impl Build<'_> {
    /// The bits that a node needs.
    fn width(&self, node: &Node) -> u32 {
        match &node.below {
            Below::Byte(_) => bits_for((node.estimate + node.count / 4).min(256)),
            Below::Nodes(below) => {
                let whole: u32 = below.iter().map(|node| self.widths[*node]).sum();
                // Room for many more: a state that does not fit is stored otherwise, which takes longer.
                let own = if node.is_open {
                    MOST_BITS
                } else {
                    bits_for(node.estimate) + self.spare_bits
                };
                own.min(whole).min(MOST_BITS)
            }
        }
    }

    /// What a key is made of, given what has to be in it: nodes are replaced by what is below them, those with the most
    /// values first, as long as there is room.
    fn key(&mut self, mut list: Vec<usize>, room: u32) -> Vec<(Owner, u32)> {
        let nodes = self.nodes;
        let width = |list: &[usize], widths: &[u32]| list.iter().map(|n| widths[*n]).sum::<u32>();
        loop {
            let left = room - width(&list, &self.widths);
            let fits = |at: &usize| match &nodes[list[*at]].below {
                Below::Byte(_) => false,
                Below::Nodes(below) => width(below, &self.widths) <= left + self.widths[list[*at]],
            };
            let best = (0..list.len()).filter(fits).max_by_key(|at| nodes[list[*at]].estimate);
            let Some(best) = best else { break };
            if let Below::Nodes(below) = &nodes[list.swap_remove(best)].below {
                list.extend(below);
            }
        }
        let widths = self.widen(&list, room);
        let mut key = Vec::new();
        for (node, width) in list.into_iter().zip(widths) {
            let owner = match &nodes[node].below {
                Below::Byte(at) => Owner::Byte(*at),
                Below::Nodes(below) => {
                    let group = self.key(below.clone(), KEY_BITS);
                    self.keys.push(group);
                    Owner::Group(self.keys.len() - 1)
                }
            };
            key.push((owner, width));
        }
        key
    }

    /// Gives away the bits that are left: first to those of which not all values were seen, last to bytes that never changed.
    fn widen(&self, list: &[usize], room: u32) -> Vec<u32> {
        let mut widths: Vec<u32> = list.iter().map(|node| self.widths[*node]).collect();
        let mut left = room - widths.iter().sum::<u32>();
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|at| {
            let node = &self.nodes[list[*at]];
            (
                node.count == 1,
                matches!(node.below, Below::Byte(_)),
                node.estimate == node.count,
                *at,
            )
        });
        let mut given = true;
        while left > 0 && given {
            given = false;
            for at in &order {
                let most = match self.nodes[list[*at]].below {
                    Below::Byte(_) => 8,
                    Below::Nodes(_) => MOST_BITS,
                };
                if left > 0 && widths[*at] < most {
                    (widths[*at], left, given) = (widths[*at] + 1, left - 1, true);
                }
            }
        }
        widths
    }

    fn finish(self) -> Option<Layout> {
        let Build { mut layout, keys, .. } = self;
        let groups = keys.len() - 1;
        if groups > MOST_GROUPS || layout.len + groups > u16::MAX as usize {
            return None;
        }
        layout.groups = vec![Field::default(); groups];
        // From the root downwards, so that what is above a group is known.
        for (key, owners) in keys.iter().enumerate().rev() {
            let above = layout.groups.get(key).map_or(0, |field| field.above | 1 << key);
            let (mut made_of, mut used) = (Key::default(), 0);
            for (owner, width) in owners {
                // Without a bit, it might be one too far.
                let shift = if *width == 0 { 0 } else { used };
                used += width;
                let mask = ((1 << width) - 1) << shift;
                let (key, shift, width) = (key as u8, shift as u8, *width as u8);
                let field = Field { above, mask, key, shift, width };
                made_of.bits |= mask;
                match *owner {
                    Owner::Byte(at) => {
                        layout.bytes[at] = field;
                        made_of.bytes.push(at);
                        made_of.byte_bits |= field.mask;
                    }
                    Owner::Group(group) => {
                        layout.groups[group] = field;
                        made_of.groups.push(group);
                    }
                }
            }
            layout.keys.push(made_of);
        }
        layout.keys.reverse();
        Some(layout)
    }
}
