//! Remembers states: tree-compressed and exact, or lossy as fingerprints or bits.

mod bitstate;
mod bucket;
mod budget;
mod compact;
mod exact;
mod fold;
mod loose;
mod nodes;
mod recent;
mod region;
mod shapes;
mod table;
mod tree;
mod unpacked;

pub use bitstate::Bitstate;
pub use budget::{Bounds, Full};
pub use compact::Compact;
pub use exact::{Exact, Inserted, Packed, Scratch, StateId};
pub use unpacked::Unpacked;
