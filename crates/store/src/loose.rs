//! States whose parts change their lengths all the time.
//!
//! Where almost every state has a shape of its own, shapes cannot be shared. Here each part is a
//! tree of its own, topped by a node with its length, and a state is a tree over these nodes: a
//! part that grows moves no other, and all that is left of the shape is the number of parts.

use crate::budget::Full;
use crate::nodes::{Nodes, read_row, unpair};
use crate::recent::Recent;
use crate::table::Table;
use crate::unpacked::Unpacked;
use auspex_system::StateRef;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Range;

/// One thread's working memory.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    words: Vec<u32>,
    /// The nodes of parts that were met before: most are met again soon.
    known: Recent,
    /// Those of the parts of a state.
    pub numbers: Vec<u32>,
}

/// The bytes of part `index` of a state.
pub(crate) fn part(state: StateRef<'_>, index: usize) -> Range<usize> {
    let start = if index == 0 { 0 } else { state.cuts[index - 1] as usize };
    let end = state.cuts.get(index).map_or(state.bytes.len(), |end| *end as usize);
    start..end
}

impl Parts {
    /// The node of a part: its length, and its words.
    pub fn number(&mut self, nodes: &mut Nodes<'_>, bytes: &[u8]) -> Result<u32, Full> {
        let hash = FxBuildHasher.hash_one(bytes);
        if let Some(number) = self.known.number(hash, bytes) {
            return Ok(number);
        }
        self.words.clear();
        let (whole, rest) = bytes.as_chunks::<4>();
        self.words.extend(whole.iter().map(|word| u32::from_le_bytes(*word)));
        if !rest.is_empty() {
            self.words.push(rest.iter().rev().fold(0, |word, byte| word << 8 | *byte as u32));
        }
        let row = if self.words.is_empty() { 0 } else { nodes.number_row(&self.words)? };
        let number = nodes.number(bytes.len() as u32, row)?;
        self.known.insert(hash, number, bytes);
        Ok(number)
    }

    /// The numbers of all parts of a state; those that are as in `near`, at the same place, are taken
    /// from there. They are to be given back, for their allocation.
    pub fn all(
        &mut self,
        nodes: &mut Nodes<'_>,
        state: StateRef<'_>,
        near: Option<&Unpacked>,
    ) -> Result<Vec<u32>, Full> {
        let near = near.filter(|near| near.is_whole());
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        for index in 0..=state.cuts.len() {
            let mine = &state.bytes[part(state, index)];
            let known = near.filter(|near| {
                index <= near.cuts.len() && &near.bytes[part(near.state(), index)] == mine
            });
            numbers.push(match known {
                Some(near) => near.values[index],
                None => self.number(nodes, mine)?,
            });
        }
        Ok(numbers)
    }
}

/// Reads a part: its bytes are added to `bytes`.
pub(crate) fn read_part(table: &Table, number: u32, row: &mut Vec<u32>, bytes: &mut Vec<u8>) {
    let (len, root) = unpair(table.get(number));
    let (start, words) = (bytes.len(), (len as usize).div_ceil(4));
    row.clear();
    if words > 0 {
        read_row(table, root, words, row);
    }
    row.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    bytes.truncate(start + len as usize);
}
