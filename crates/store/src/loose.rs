//! States whose parts change their lengths all the time.
//!
//! Where almost every state has a shape of its own, shapes cannot be shared. Here each part is a
//! tree of its own, topped by a node with its length, and a state is a tree over these nodes: a
//! part that grows moves no other, and all that is left of the shape is the number of parts.

use crate::budget::Full;
use crate::fold::Folding;
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
}

/// The bytes of part `index` of a state.
pub(crate) fn part(state: StateRef<'_>, index: usize) -> Range<usize> {
    let start = if index == 0 { 0 } else { state.cuts[index - 1] as usize };
    let end = state.cuts.get(index).map_or(state.bytes.len(), |end| *end as usize);
    start..end
}

impl Parts {
    /// The node of a part: its length, and its words.
    fn number(&mut self, nodes: &mut Nodes<'_>, bytes: &[u8]) -> Result<u32, Full> {
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

    /// The halves of a state with as many parts as `near`.
    pub fn near(
        &mut self,
        folding: &mut Folding,
        nodes: &mut Nodes<'_>,
        state: StateRef<'_>,
        kin: &[u32],
        near: &Unpacked,
    ) -> Result<(u32, u32), Full> {
        for index in 0..=state.cuts.len() {
            // Most parts are their own kin: no byte of them is looked at.
            if kin.get(index) == Some(&(index as u32)) {
                continue;
            }
            let number = self.like(nodes, state, kin, Some(near), index)?;
            if number != near.values[index] {
                folding.set(&near.tree, index as u32, number);
            }
        }
        folding.fold(nodes, &near.tree)
    }

    /// The nodes of all parts of a state; those that are as in `near` are taken from there.
    pub fn all(
        &mut self,
        nodes: &mut Nodes<'_>,
        state: StateRef<'_>,
        kin: &[u32],
        near: Option<&Unpacked>,
        out: &mut Vec<u32>,
    ) -> Result<(), Full> {
        out.clear();
        for index in 0..=state.cuts.len() {
            out.push(self.like(nodes, state, kin, near, index)?);
        }
        Ok(())
    }

    /// The node of one part, from `near` where it is known to be there, or is at the same place.
    #[inline]
    fn like(
        &mut self,
        nodes: &mut Nodes<'_>,
        state: StateRef<'_>,
        kin: &[u32],
        near: Option<&Unpacked>,
        index: usize,
    ) -> Result<u32, Full> {
        let bytes = || &state.bytes[part(state, index)];
        if let Some(near) = near {
            let its = |its: usize| &near.bytes[part(near.state(), its)];
            match kin.get(index) {
                Some(kin) if (*kin as usize) <= near.cuts.len() => {
                    debug_assert_eq!(bytes(), its(*kin as usize), "no kin");
                    return Ok(near.values[*kin as usize]);
                }
                None if index <= near.cuts.len() && bytes() == its(index) => {
                    return Ok(near.values[index]);
                }
                _ => {}
            }
        }
        self.number(nodes, bytes())
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
