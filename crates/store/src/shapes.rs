//! The left half of a root, together with the shape of its state.
//!
//! The first few shapes are common: their number goes into the upper bits of the half, and costs
//! nothing. Any other shape is paired with the half in a node of its own.

use crate::budget::Full;
use crate::nodes::{Nodes, unpair};
use crate::table::Table;
use std::sync::atomic::{AtomicU32, Ordering::*};

const HALF_BITS: u32 = 29;
const HALF_MASK: u32 = (1 << HALF_BITS) - 1;
/// All upper bits but the first set: the lower ones are the number of a pair. The first bit is that of states that are coded, and
/// never set here.
const PAIRED: u32 = (u32::MAX >> HALF_BITS) >> 1;

/// The nodes of the common shapes, plus one; zero where there is none yet. A place is given once
/// and for good, so the same shape and half always give the same word.
#[derive(Debug, Default)]
pub(crate) struct Shapes([AtomicU32; PAIRED as usize]);

impl Shapes {
    /// The place of a shape, a new one if there is room.
    fn place(&self, shape: u32) -> Option<u32> {
        let is_mine = |place: &AtomicU32| match place.load(Acquire) {
            0 => match place.compare_exchange(0, shape + 1, AcqRel, Acquire) {
                Ok(_) => true,
                Err(other) => other == shape + 1,
            },
            other => other == shape + 1,
        };
        self.0.iter().position(is_mine).map(|place| place as u32)
    }

    /// One word for a shape and a half.
    pub fn join(&self, nodes: &mut Nodes<'_>, shape: u32, half: u32) -> Result<u32, Full> {
        match self.join_common(shape, half) {
            Some(word) => Ok(word),
            None => self.paired(nodes.number(shape, half)?),
        }
    }

    /// The same where it takes no node.
    #[inline]
    pub fn join_common(&self, shape: u32, half: u32) -> Option<u32> {
        let place = if half <= HALF_MASK { self.place(shape) } else { None };
        place.map(|place| place << HALF_BITS | half)
    }

    /// The word for a shape and a half that together are a node.
    pub fn paired(&self, node: u32) -> Result<u32, Full> {
        match node {
            0..=HALF_MASK => Ok(PAIRED << HALF_BITS | node),
            _ => Err(Full::Memory),
        }
    }

    /// The word for another half, given one for the same shape.
    #[inline]
    pub fn join_like(&self, word: u32, half: u32) -> Option<u32> {
        let is_common = word >> HALF_BITS != PAIRED && half <= HALF_MASK;
        is_common.then_some(word & !HALF_MASK | half)
    }

    /// The shape and the half that a word stands for.
    #[inline]
    pub fn split(&self, table: &Table, word: u32) -> (u32, u32) {
        match self.0.get((word >> HALF_BITS) as usize) {
            Some(place) => (place.load(Acquire).wrapping_sub(1), word & HALF_MASK),
            None => unpair(table.get(word & HALF_MASK)),
        }
    }
}
